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
  const winner = game => game.result === "draw" ? "draw" : game[game.result];

  // The list: a filter and pages.
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
    list();
  };
  at("newer").onclick = () => turn(-1);
  at("older").onclick = () => turn(1);

  // The board: lines and labels once, stones at every step.
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

  const step = to => {
    const count = chosen.points.length / 2;
    ply = Math.max(0, Math.min(count, to));
    at("ply").max = count;
    at("ply").value = ply;
    stones.replaceChildren();
    for (let i = 0; i < ply; i++) {
      const [x, y] = chosen.points.slice(2 * i, 2 * i + 2);
      const black = i % 2 === 0;
      stones.append(svgElement("circle", { cx: x, cy: y, r: 0.45, fill: black ? "#111" : "#fafafa", stroke: i === ply - 1 ? "#c00" : "#333", "stroke-width": i === ply - 1 ? 0.1 : 0.03 }));
      stones.append(svgElement("text", { x, y: y + 0.15, "font-size": 0.4, "text-anchor": "middle", fill: black ? "#eee" : "#111", opacity: i < chosen.opening ? 0.4 : 1 }, i + 1));
    }
    const i = ply - 1;
    const facts = [];
    if (i >= 0) {
      const [x, y] = chosen.points.slice(2 * i, 2 * i + 2);
      facts.push(`${ply}. ${label(x, y)} (${x},${y}) ${i % 2 ? chosen.white : chosen.black}`);
      if (i < chosen.opening) facts.push("opening");
      if (chosen.ms[i] != null) facts.push(`${chosen.ms[i]} ms`);
      for (const key of ["depth", "eval", "nodes"]) if (chosen[key][i] != null) facts.push(`${key} ${chosen[key][i]}`);
    }
    at("info").textContent = facts.join(", ");
  };
  const choose = game => {
    chosen = game;
    list();
    at("heading").textContent = `Game ${game.id} (pair ${game.pair}): ${game.black} (black) – ${game.white} (white): ${winner(game)}, ${game.reason}${game.detail ? " – " + game.detail : ""}`;
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
  if (chosen) choose(chosen);
})();
