"use strict";
(() => {
  const match = JSON.parse(document.getElementById("data").textContent);
  const { width, height, games } = match;
  const PAGE = 50;
  const at = id => document.getElementById(id);
  const svgElement = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const column = x => (x < 26 ? "" : String.fromCharCode(96 + Math.floor(x / 26))) + String.fromCharCode(97 + x % 26);
  const label = (x, y) => column(x) + (height - y);
  const opening = game => {
    const stones = [];
    for (let i = 0; i < game.opening; i++) stones.push(label(game.points[2 * i], game.points[2 * i + 1]));
    return stones.join(" ") || (game.proposer ? "swap2" : "empty board");
  };
  const winner = game => game.result === "draw" ? "draw" : game[game.result];

  // The list of games, with a filter and pages.
  const filters = new Map([["all games", () => true]]);
  for (const game of games) {
    filters.set(game.reason, other => other.reason === game.reason);
    for (const name of [game.black, game.white]) {
      filters.set(name + " lost", other => winner(other) !== "draw" && winner(other) !== name && [other.black, other.white].includes(name));
    }
  }
  for (const name of filters.keys()) at("filter").add(new Option(name, name));
  let shown = games, page = 0, chosen = games[0], ply = 0;

  const list = () => {
    const rows = shown.slice(page * PAGE, (page + 1) * PAGE).map(game => {
      const row = document.createElement("tr");
      for (const text of [game.id, game.black, game.white, winner(game), game.reason, game.points.length / 2]) {
        row.insertCell().textContent = text;
      }
      row.cells[4].className = "more";
      row.classList.toggle("chosen", game === chosen);
      row.onclick = () => choose(game);
      return row;
    });
    at("list").tBodies[0].replaceChildren(...rows);
    const last = Math.min(shown.length, (page + 1) * PAGE);
    at("range").textContent = shown.length ? `${page * PAGE + 1}–${last} of ${shown.length}` : "none";
  };
  const turn = by => {
    page = Math.max(0, Math.min(Math.ceil(shown.length / PAGE) - 1, page + by));
    list();
  };
  at("filter").onchange = () => {
    shown = games.filter(filters.get(at("filter").value));
    page = 0;
    chosenPair = null;
    listPairs();
    list();
  };
  at("newer").onclick = () => turn(-1);
  at("older").onclick = () => turn(1);

  // The game pairs, with the points of each engine.
  const pairs = new Map();
  for (const game of games) pairs.set(game.pair, [...(pairs.get(game.pair) ?? []), game]);
  const points = (pair, name) => pair.reduce((sum, game) => sum + (winner(game) === name ? 1 : winner(game) === "draw" ? 0.5 : 0), 0);
  const score = points => (points >= 1 || points === 0 ? Math.floor(points) : "") + (points % 1 ? "½" : "");
  const PAIRS = 25;
  let pairPage = 0, chosenPair = null;
  for (const text of ["Pair", "Opening", "Engines", "Points"]) {
    const heading = document.createElement("th");
    heading.textContent = text;
    at("pairs").tHead.rows[0].append(heading);
  }
  const listPairs = () => {
    const all = [...pairs.entries()];
    const rows = all.slice(pairPage * PAIRS, (pairPage + 1) * PAIRS).map(([number, pair]) => {
      const names = [pair[0].black, pair[0].white];
      const row = document.createElement("tr");
      const result = pair.length === 2 ? names.map(name => score(points(pair, name))).join(" : ") : "incomplete";
      for (const text of [number, opening(pair[0]), names.join(" – "), result]) row.insertCell().textContent = text;
      row.classList.toggle("chosen", number === chosenPair);
      row.onclick = () => {
        chosenPair = number;
        shown = pair;
        page = 0;
        listPairs();
        choose(pair[0]);
        at("viewer").scrollIntoView({ block: "nearest" });
      };
      return row;
    });
    at("pairs").tBodies[0].replaceChildren(...rows);
    const last = Math.min(all.length, (pairPage + 1) * PAIRS);
    at("pair-range").textContent = all.length ? `${pairPage * PAIRS + 1}–${last} of ${all.length}` : "none";
  };
  const turnPairs = by => {
    pairPage = Math.max(0, Math.min(Math.ceil(pairs.size / PAIRS) - 1, pairPage + by));
    listPairs();
  };
  at("earlier").onclick = () => turnPairs(-1);
  at("later").onclick = () => turnPairs(1);
  at("openings").hidden = games.length === 0;

  // The board: lines and labels are drawn once, stones at every step.
  const board = at("board");
  board.setAttribute("viewBox", `-1.4 -0.8 ${width + 1.8} ${height + 1.8}`);
  const thin = { stroke: "#5a4320", "stroke-width": 0.03 };
  for (let x = 0; x < width; x++) {
    board.append(svgElement("line", { x1: x, y1: 0, x2: x, y2: height - 1, ...thin }));
    board.append(svgElement("text", { x, y: height, "font-size": 0.45, "text-anchor": "middle" }, column(x)));
  }
  for (let y = 0; y < height; y++) {
    board.append(svgElement("line", { x1: 0, y1: y, x2: width - 1, y2: y, ...thin }));
    board.append(svgElement("text", { x: -0.7, y: y + 0.15, "font-size": 0.45, "text-anchor": "end" }, height - y));
  }
  const stones = svgElement("g", {});
  board.append(stones);

  // Charts of the game: a series of [ply, value] for each engine, and a line at the current move.
  const WIDE = 320, HIGH = 72;
  const curve = (svg, series, low, high) => {
    const count = Math.max(1, chosen.points.length / 2);
    const across = i => 4 + (WIDE - 8) * (i - 0.5) / count;
    const up = value => HIGH - 4 - (HIGH - 8) * (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);
    svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
    svg.setAttribute("preserveAspectRatio", "none");
    const still = { "vector-effect": "non-scaling-stroke", fill: "none" };
    svg.replaceChildren(
      svgElement("line", { x1: 0, x2: WIDE, y1: up(Math.max(low, 0)), y2: up(Math.max(low, 0)), stroke: "var(--rule)", ...still }),
      svgElement("line", { x1: across(ply), x2: across(ply), y1: 0, y2: HIGH, stroke: "var(--faint)", "stroke-dasharray": "3 3", ...still }),
      ...series.map((points, side) => svgElement("polyline", {
        points: points.map(([i, value]) => `${across(i).toFixed(1)},${up(value).toFixed(1)}`).join(" "),
        stroke: side ? "var(--white)" : "var(--black)", "stroke-width": 1.8, ...still,
      })),
    );
    svg.onclick = event => {
      const box = svg.getBoundingClientRect();
      step(Math.round((event.clientX - box.left) / box.width * count + 0.5));
    };
  };
  // Parses an evaluation: a number, or a win such as +M5 or #5 (-M8: a loss), which is clipped to TOP.
  const TOP = 1000;
  const number = text => text == null ? NaN : /^[+]?[M#]/.test(text) ? TOP : /^-[M#]/.test(text) ? -TOP : Number(text);
  const draw = () => {
    const of = measure => [0, 1].map(side => {
      const points = [];
      for (let i = 0; i < chosen.points.length / 2; i++) {
        // In a position, one side may have several stones in turn.
        if (Number(chosen.movers[i]) !== side) continue;
        const value = measure(i, side);
        if (Number.isFinite(value)) points.push([i + 1, value]);
      }
      return points;
    });
    // A swap2 reply may have stones of both colours: the side of its evaluation is not known.
    const isOwn = i => chosen.movers[i] === chosen.white_moves[i];
    const values = of((i, side) => isOwn(i) ? (side ? -1 : 1) * number(chosen.eval[i]) : NaN);
    const reach = Math.min(TOP, Math.max(100, ...values.flat().map(([, value]) => Math.abs(value))));
    at("value-figure").hidden = !values.flat().length;
    curve(at("values"), values, -reach, reach);
    const times = of(i => chosen.ms[i] == null ? NaN : chosen.ms[i] / 1000);
    at("time-figure").hidden = !times.flat().length;
    const longest = Math.max(0.001, ...times.flat().map(([, value]) => value));
    curve(at("times"), times, 0, longest);
    at("time-figure").firstElementChild.textContent = `Time per move, up to ${longest.toPrecision(3)} s`;
    at("sides").replaceChildren(...[chosen.black, chosen.white].flatMap((name, side) => {
      const mark = document.createElement("span");
      mark.style.color = side ? "var(--white)" : "var(--black)";
      mark.textContent = "■";
      return [mark, ` ${name} (${side ? "White" : "Black"})  `];
    }));
  };

  const step = to => {
    const count = chosen.points.length / 2;
    ply = Math.max(0, Math.min(count, to));
    at("ply").max = count;
    at("ply").value = ply;
    stones.replaceChildren();
    for (const [x, y] of chosen.blocked) stones.append(svgElement("rect", { x: x - 0.4, y: y - 0.4, width: 0.8, height: 0.8, fill: "#8a7a5c" }));
    for (let i = 0; i < ply; i++) {
      const [x, y] = chosen.points.slice(2 * i, 2 * i + 2);
      const black = !chosen.white_moves[i], given = i < chosen.opening;
      const wins = ply === count && chosen.row.includes(i), last = i === ply - 1;
      const edge = wins ? { stroke: "#0a9d3c", "stroke-width": 0.14 } : last ? { stroke: "#c00", "stroke-width": 0.1 } : { stroke: "#333", "stroke-width": 0.03 };
      stones.append(svgElement("circle", { cx: x, cy: y, r: wins ? 0.42 : 0.45, fill: black ? "#111" : "#fafafa", class: wins ? "wins" : "", ...edge }));
      // Opening stones have framed numbers in another colour.
      const ink = given ? (black ? "#ffd54a" : "#b3261e") : black ? "#eee" : "#111";
      if (given) stones.append(svgElement("rect", { x: x - 0.29, y: y - 0.24, width: 0.58, height: 0.48, rx: 0.1, fill: "none", stroke: ink, "stroke-width": 0.035 }));
      stones.append(svgElement("text", { x, y: y + 0.14, "font-size": 0.4, "text-anchor": "middle", fill: ink }, i + 1));
    }
    draw();
    const i = ply - 1;
    const facts = [];
    if (i >= 0) {
      const [x, y] = chosen.points.slice(2 * i, 2 * i + 2);
      facts.push(`${ply}. ${label(x, y)} (${x},${y}) ${chosen.movers[i] ? chosen.white : chosen.black}`);
      if (i < chosen.opening) facts.push("opening");
      if (chosen.ms[i] != null) facts.push(`${chosen.ms[i]} ms`);
      for (const key of ["depth", "eval", "nodes"]) if (chosen[key][i] != null) facts.push(`${key} ${chosen[key][i]}`);
    }
    at("info").textContent = facts.join(", ");
  };
  const choose = game => {
    chosen = game;
    list();
    at("heading").textContent = `Game ${game.id} (pair ${game.pair}): ${game.black} (black) – ${game.white} (white): ${winner(game)}, ${game.reason}${game.detail ? " – " + game.detail : ""}${game.date ? ", " + game.date : ""}`;
    const moves = [];
    for (let i = 0; i < game.points.length; i += 2) moves.push(label(game.points[i], game.points[i + 1]));
    at("line").textContent = moves.join(" ");
    step(game.points.length / 2);
  };
  at("first").onclick = () => step(0);
  at("back").onclick = () => step(ply - 1);
  at("next").onclick = () => step(ply + 1);
  at("last").onclick = () => step(Infinity);
  at("ply").oninput = () => step(Number(at("ply").value));
  addEventListener("keydown", event => {
    if (!chosen || /INPUT|SELECT/.test(event.target.tagName)) return;
    if (event.key === "ArrowLeft") step(ply - 1);
    if (event.key === "ArrowRight") step(ply + 1);
  });
  list();
  listPairs();
  if (chosen) choose(chosen);
})();
