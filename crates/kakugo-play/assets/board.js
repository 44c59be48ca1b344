// The board as SVG: a static layer (wood, lines, coordinates), the stones, and marks above them.

import { t } from './language.js';
import { letters, name } from './notation.js';

const SVG = 'http://www.w3.org/2000/svg';
const CELL = 40;
const RADIUS = 18.4;

export function element(tag, attributes, parent, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent?.append(node);
  return node;
}

function gradient(defs, id, stops) {
  const g = element('radialGradient', { id, cx: '36%', cy: '30%', r: '72%' }, defs);
  for (const [offset, colour] of stops) element('stop', { offset, 'stop-color': colour }, g);
}

export class Board {
  // `aimed` is called if a first tap has chosen a point, which a second one plays.
  constructor(svg, play, aimed) {
    this.svg = svg;
    this.play = play;
    this.tellAimed = aimed;
    this.size = '';
    this.options = { numbers: 0, coordinates: true, fromTop: false, turns: 0, mirrored: false };
    this.cursor = null;
    this.hovered = null;
    this.covered = null; // what is shown instead of the game
    this.tool = null; // { chosen(p), drawn(from, to) }: what clicks and drags do instead of playing
    const pointer = event => this.pointAt(event);
    svg.addEventListener('pointermove', event => {
      if (event.pointerType !== 'touch') this.hover(pointer(event));
    });
    svg.addEventListener('pointerleave', () => this.hover(null));
    svg.addEventListener('pointerdown', event => {
      this.byHand = true; // after a click the arrow keys step through the game
      this.pressed = pointer(event);
      this.showCursor(null);
      if (event.pointerType === 'touch') this.hover(this.pressed);
    });
    svg.addEventListener('pointercancel', () => { this.pressed = null; this.hover(null); });
    svg.addEventListener('pointerup', event => {
      const p = pointer(event);
      const same = p && this.pressed && p[0] === this.pressed[0] && p[1] === this.pressed[1];
      const from = this.pressed;
      this.pressed = null;
      const touch = event.pointerType === 'touch';
      if (touch) this.hover(null);
      if (event.button !== 0) return;
      if (this.tool && !this.covered) {
        if (same) this.tool.chosen(p);
        else if (from && p) this.tool.drawn?.(from, p);
        return;
      }
      if (!same) return;
      // If points are close together, the first tap aims and the second one plays.
      const free = this.state.open && !this.state.occupied.has(p.join());
      if (touch && free && this.isTight() && this.aimed?.join() !== p.join()) {
        this.aim(p);
        this.tellAimed(p);
      } else { this.aim(null); this.choose(p); }
    });
    svg.addEventListener('keydown', event => this.key(event));
    svg.addEventListener('blur', () => { this.byHand = false; this.showCursor(null); });
  }

  choose(p) {
    if (this.covered) this.covered.chosen(p);
    else if (this.tool) this.tool.chosen(p);
    else this.play(p);
  }

  // Sets what clicks and drags do instead of playing; null: they play.
  use(tool) {
    this.tool?.ended?.();
    this.tool = tool;
    this.aim(null);
    this.hover(null);
    this.svg.classList.toggle('tool', Boolean(tool));
  }

  // Shows another position instead of the game, with an overlay; `chosen` is called with points that are
  // clicked. Without one, the game is shown again.
  cover(covered) {
    const was = this.covered;
    this.covered = covered;
    const shown = covered ?? (was && this.below);
    if (!shown?.state) return;
    this.paint(shown.state);
    this.paintOverlay(shown.overlay ?? {});
  }

  // The number of columns and rows of the board as it lies.
  get extent() {
    const { width, height } = this.state;
    return this.options.turns % 2 ? [height, width] : [width, height];
  }

  // Column and row of a point as the board lies: mirrored, then turned to the right.
  placeOf([x, y]) {
    const { width, height } = this.state;
    let [place, size] = [[this.options.mirrored ? width - 1 - x : x, y], [width, height]];
    for (let i = 0; i < this.options.turns; i++) {
      place = [size[1] - 1 - place[1], place[0]];
      size = [size[1], size[0]];
    }
    return place;
  }

  // The point at a column and row of the board as it lies.
  pointOf(place) {
    let [point, size] = [place, this.extent];
    for (let i = 0; i < this.options.turns; i++) {
      point = [point[1], size[0] - 1 - point[0]];
      size = [size[1], size[0]];
    }
    return [this.options.mirrored ? size[0] - 1 - point[0] : point[0], point[1]];
  }

  // Coordinates of a point in the drawing.
  at(p) {
    const [x, y] = this.placeOf(p);
    return [this.left + x * CELL, this.top + y * CELL];
  }

  pointAt(event) {
    if (!this.state) return null;
    const box = this.svg.getBoundingClientRect();
    const scale = this.svg.viewBox.baseVal.width / box.width;
    const x = Math.round(((event.clientX - box.left) * scale - this.left) / CELL);
    const y = Math.round(((event.clientY - box.top) * scale - this.top) / CELL);
    const [columns, rows] = this.extent;
    return x >= 0 && y >= 0 && x < columns && y < rows ? this.pointOf([x, y]) : null;
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const { width, height } = this.state ?? {};
    if (step[event.key] && width && (!this.byHand || this.covered)) {
      const { last } = this.state.position;
      const from = this.cursor ?? last ?? [width >> 1, height >> 1];
      const moved = this.cursor || last ? step[event.key] : [0, 0];
      const clamp = (value, size) => Math.max(0, Math.min(size - 1, value));
      const place = this.placeOf(from);
      this.showCursor(this.pointOf([0, 1].map(i => clamp(place[i] + moved[i], this.extent[i]))));
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor) {
      this.choose(this.cursor);
    } else {
      return;
    }
    event.preventDefault();
  }

  showCursor(p) {
    this.cursor = p;
    this.cursorLayer?.replaceChildren();
    this.say(p && this.state ? this.wordsOf(p) : '');
    if (!p || !this.cursorLayer) return;
    const [cx, cy] = this.at(p);
    const s = CELL - 4;
    element('rect', { class: 'cursor', x: cx - s / 2, y: cy - s / 2, width: s, height: s, rx: 6 },
      this.cursorLayer);
  }

  // For screen readers: the point under the cursor and its stone.
  say(words) {
    const node = document.getElementById('cursor-says');
    if (node.textContent !== words) node.textContent = words;
  }

  wordsOf(p) {
    const { position: { stones, blocked, last }, height, forbidden } = this.state;
    const stone = stones.get(p.join());
    const [, , why] = forbidden.find(([x, y]) => x === p[0] && y === p[1]) ?? [];
    const lies = blocked.has(p.join()) ? t('blocked')
      : !stone ? t('empty') : stone.side === 'white' ? t('White') : t('Black');
    return [name(p, height, this.options.fromTop), lies, last?.join() === p.join() && t('last move'),
      why && t('forbidden: {0}', wordOf(why))].filter(Boolean).join(', ');
  }

  isTight() {
    const box = this.svg.getBoundingClientRect();
    return CELL * box.width / this.svg.viewBox.baseVal.width < 34;
  }

  // The point that a second tap plays.
  aim(p) {
    this.aimed = p;
    this.aimLayer?.replaceChildren();
    if (!p || !this.state?.open || this.state.occupied.has(p.join())) return;
    this.stone(this.aimLayer, p, this.state.turn).classList.add('hover', 'aimed');
    const [cx, cy] = this.at(p);
    const [left, top] = [this.left, this.top];
    const [right, bottom] = this.extent.map((size, i) => [left, top][i] + (size - 1) * CELL);
    element('path', { class: 'aim', d: `M${left} ${cy}H${right}M${cx} ${top}V${bottom}` }, this.aimLayer);
  }

  hover(p) {
    if (this.hovered?.join() === p?.join()) return;
    this.hovered = p;
    this.hoverLayer?.replaceChildren();
    if (this.tool && !this.covered) return;
    if (!p || !this.state?.open || this.state.occupied.has(p.join())) return;
    this.stone(this.hoverLayer, p, this.state.turn).classList.add('hover');
  }

  // Lines, coordinates and star points. They are redrawn only if size or options change.
  lay(width, height) {
    const { coordinates, fromTop, turns, mirrored } = this.options;
    const size = [width, height, coordinates, fromTop, turns, mirrored].join();
    if (size === this.size) return;
    this.size = size;
    const margin = coordinates ? 44 : 28;
    this.left = margin;
    this.top = 28;
    const [columns, rows] = this.extent;
    const [w, h] = [this.left + (columns - 1) * CELL + 28, this.top + (rows - 1) * CELL + margin];
    this.svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
    // The style sheet makes the board as wide as the window's height allows.
    document.documentElement.style.setProperty('--ratio', (w / h).toFixed(3));
    document.documentElement.style.setProperty('--widest', `${Math.round(w * 2.2)}px`);
    this.svg.replaceChildren();
    const defs = element('defs', {}, this.svg);
    gradient(defs, 'black-stone', [['0', '#70767d'], ['.45', '#33373c'], ['1', '#0f1113']]);
    gradient(defs, 'white-stone', [['0', '#ffffff'], ['.6', '#f3f0e8'], ['1', '#cbc5b6']]);
    const still = element('g', {}, this.svg);
    let d = '';
    for (let x = 0; x < columns; x++) d += `M${this.left + x * CELL} ${this.top}v${(rows - 1) * CELL}`;
    for (let y = 0; y < rows; y++) d += `M${this.left} ${this.top + y * CELL}h${(columns - 1) * CELL}`;
    element('path', { class: 'grid', d }, still);
    for (const p of stars(width, height)) {
      const [cx, cy] = this.at(p);
      element('circle', { class: 'star', cx, cy, r: 4 }, still);
    }
    if (coordinates) {
      // Coordinates stay readable on large boards.
      const size = Math.max(13, Math.min(20, Math.max(w, h) / 52)).toFixed(1);
      const label = (x, y, text) =>
        element('text', { class: 'label', x, y, 'font-size': size }, still, text);
      // On a board that lies on its side, the letters are at the left.
      const below = (p, text) => label(this.at(p)[0], h - 14, text);
      const left = (p, text) => label(15, this.at(p)[1], text);
      const [across, down] = turns % 2 ? [left, below] : [below, left];
      for (let x = 0; x < width; x++) across([x, 0], letters(x));
      for (let y = 0; y < height; y++) down([0, y], fromTop ? y + 1 : height - y);
    }
    const layer = () => element('g', {}, this.svg);
    this.heatLayer = layer();
    this.stoneLayer = layer();
    this.markLayer = layer();
    this.ghostLayer = layer();
    this.hoverLayer = layer();
    this.aimLayer = layer();
    this.aimed = null;
    this.cursorLayer = layer();
    this.drawn = new Map();
    this.hovered = null;
  }

  stone(parent, p, side, label) {
    const [cx, cy] = this.at(p);
    const g = element('g', { class: `stone ${side}` }, parent);
    element('circle', { class: 'shade', cx: cx + 1.2, cy: cy + 2, r: RADIUS }, g);
    element('circle', { class: 'body', cx, cy, r: RADIUS }, g);
    if (label !== undefined) element('text', { class: 'on-stone', x: cx, y: cy + .5 }, g, label);
    return g;
  }

  // Shows a state of the game.
  show(state) {
    this.below = { ...this.below, state };
    if (!this.covered) this.paint(state);
  }

  paint(state) {
    this.state = state;
    this.lay(state.width, state.height);
    this.svg.classList.toggle('waiting', !state.open);
    const wanted = new Map();
    // A mark on a stone takes the place of its number.
    const marked = new Set(state.marks.map(([x, y]) => [x, y].join()));
    for (const { p, side, number } of state.position.stones.values()) {
      const isNumbered = number > state.at - this.options.numbers && !marked.has(p.join());
      const label = isNumbered ? number : undefined;
      const last = number !== undefined && number === state.at;
      wanted.set([...p, side, label ?? ''].join(), { p, side, label, last });
    }
    const count = this.drawn.size;
    for (const [id, node] of this.drawn) {
      if (!wanted.has(id)) { node.remove(); this.drawn.delete(id); }
    }
    for (const [id, { p, side, label, last }] of wanted) {
      if (this.drawn.has(id)) continue;
      const node = this.stone(this.stoneLayer, p, side, label);
      node.dataset.point = name(p, state.height);
      if (last && count) node.classList.add('new');
      this.drawn.set(id, node);
    }
    this.mark(state);
    if (this.aimed && (!state.open || state.occupied.has(this.aimed.join()))) this.aim(null);
    const hovered = this.hovered;
    this.hovered = undefined;
    this.hover(hovered);
    this.showCursor(this.cursor);
  }

  mark(state) {
    this.markLayer.replaceChildren();
    for (const p of state.position.blocked.values()) {
      const [cx, cy] = this.at(p);
      const r = CELL / 2 - 2;
      element('rect', { class: 'blocked', x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, rx: 4 },
        this.markLayer);
    }
    for (const [x, y, why] of state.forbidden) {
      const [cx, cy] = this.at([x, y]);
      const g = element('g', { class: 'forbidden-point' }, this.markLayer);
      element('title', {}, g, wordOf(why));
      const r = 7;
      element('path', { class: 'forbidden',
        d: `M${cx - r} ${cy - r}l${2 * r} ${2 * r}M${cx - r} ${cy + r}l${2 * r} ${-2 * r}` }, g);
    }
    for (const p of state.row) {
      const [cx, cy] = this.at(p);
      element('circle', { class: 'row-mark-edge', cx, cy, r: RADIUS - 2.2 }, this.markLayer);
      element('circle', { class: 'row-mark', cx, cy, r: RADIUS - 2.2 }, this.markLayer);
    }
    if (state.position.last && !state.row.length) {
      const [cx, cy] = this.at(state.position.last);
      const r = this.options.numbers ? RADIUS - 2 : 6.5;
      element('circle', { class: 'last', cx, cy, r }, this.markLayer);
    }
    state.offered.forEach((p, i) => this.sign(p, 'number', String(i + 1)));
    for (const [x, y, sign, text] of state.marks) this.sign([x, y], sign, text);
    for (const [from, to] of state.arrows ?? []) this.arrow(from, to);
    this.chosenMoves(state.live);
    this.lesson(state);
    if (state.opinion?.point) {
      const [cx, cy] = this.at(state.opinion.point);
      const r = RADIUS - 2;
      element('rect', { class: 'opinion-mark', x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, rx: 4 },
        this.markLayer);
    }
    if (state.hint) {
      const [cx, cy] = this.at(state.hint);
      element('circle', { class: 'hint', cx, cy, r: RADIUS - 1 }, this.markLayer);
    }
  }

  // The region of a hint, and the stones and points that the coach speaks of.
  lesson({ hint, hints, coach, owns }) {
    if (!owns) return;
    const mark = (kind, p, draw) => {
      const [cx, cy] = this.at(p);
      const [tag, attributes] = draw(cx, cy);
      element(tag, { class: kind, ...attributes }, this.markLayer);
    };
    const ring = (cx, cy) => ['circle', { cx, cy, r: RADIUS - 1 }];
    const diamond = (cx, cy) => ['path', { d: `M${cx} ${cy - 13}l13 13l-13 13l-13 -13z` }];
    if (hints && !hint) {
      const corners = hints.area.map(p => this.at(p));
      const [[x, right], [y, bottom]] = [0, 1].map(i => corners.map(corner => corner[i]).sort((a, b) => a - b));
      element('rect', { class: 'hint-area', x: x - CELL / 2, y: y - CELL / 2, width: right - x + CELL,
        height: bottom - y + CELL, rx: 8 }, this.markLayer);
    }
    for (const p of hints?.stones ?? []) mark('coach-stone', p, ring);
    const { stones = [], points = [], line = [], side } = coach?.says ?? {};
    for (const p of stones) mark('coach-stone', p, ring);
    const numbered = new Set(line.map(String));
    for (const p of points) if (!numbered.has(String(p))) mark('coach-point', p, diamond);
    line.forEach((p, i) => {
      const own = i % 2 ? { black: 'white', white: 'black' }[side] : side;
      this.stone(this.markLayer, p, own, i + 1).classList.add('ghost');
    });
  }

  // The moves that analysis searches alone, and those that it excludes.
  chosenMoves({ only, without } = { only: [], without: [] }) {
    const mark = (kind, p, d) => {
      const [cx, cy] = this.at(p);
      element('circle', { class: kind, cx, cy, r: 15 }, this.markLayer);
      element('path', { class: kind, d: `M${cx} ${cy}${d}`, 'data-chosen': p }, this.markLayer);
    };
    for (const p of only) mark('only-move', p, 'm-6 0l4.5 5l8 -10');
    for (const p of without) mark('without-move', p, 'm-10.6 10.6l21.2 -21.2');
  }

  // An arrow of a game record.
  arrow(from, to) {
    const [[x, y], [toX, toY]] = [this.at(from), this.at(to)];
    const length = Math.hypot(toX - x, toY - y);
    if (!length) return;
    const [dx, dy] = [(toX - x) / length, (toY - y) / length];
    const [endX, endY] = [toX - 18 * dx, toY - 18 * dy];
    const f = value => value.toFixed(1);
    element('path', { class: 'arrow', d: `M${f(x + 8 * dx)} ${f(y + 8 * dy)}L${f(endX)} ${f(endY)}` },
      this.markLayer);
    const head = [[toX - 4 * dx, toY - 4 * dy], [endX - 9 * dy, endY + 9 * dx], [endX + 9 * dy, endY - 9 * dx]];
    element('path', { class: 'arrow-head', d: `M${head.map(p => p.map(f).join(' ')).join('L')}z` },
      this.markLayer);
  }

  // A sign of a game record on a point.
  sign(p, sign, text) {
    const [cx, cy] = this.at(p);
    const stone = this.state.position.stones.get(p.join());
    const on = Boolean(stone);
    const black = stone?.side === 'black';
    const shapes = {
      triangle: `M${cx} ${cy - 9}l9 16h-18z`,
      square: `M${cx - 8} ${cy - 8}h16v16h-16z`,
      circle: `M${cx - 9} ${cy}a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z`,
      cross: `M${cx - 8} ${cy - 8}l16 16M${cx - 8} ${cy + 8}l16 -16`,
      selected: `M${cx - 5} ${cy - 5}h10v10h-10z`,
    };
    const kind = `sign ${black ? 'light' : 'dark'}`;
    if (shapes[sign]) element('path', { class: `${kind} ${on ? '' : 'bare'}`, d: shapes[sign] }, this.markLayer);
    else element('text', { class: `${kind} ${on ? '' : 'bare'}`, x: cx, y: cy + .5 }, this.markLayer, text);
  }

  // The overlay of the analysis: numbered ghost stones, heat map, threats.
  overlay(overlay) {
    this.below = { ...this.below, overlay };
    if (!this.covered) this.paintOverlay(overlay);
  }

  paintOverlay({ ghosts = [], heat = [], threats = [] }) {
    if (!this.heatLayer) return;
    this.heatLayer.replaceChildren();
    this.ghostLayer.replaceChildren();
    for (const { p, value, text } of heat) {
      const [cx, cy] = this.at(p);
      const g = element('g', { class: 'heat-point' }, this.heatLayer);
      const attributes = { class: 'heat', cx, cy, r: 5 + 13 * value };
      element('circle', attributes, g).setAttribute('opacity', (.12 + .68 * value).toFixed(2));
      if (text) element('text', { class: 'heat-text', x: cx, y: cy }, g, text);
    }
    for (const { p, side, kind } of threats) this.threat(p, side, kind);
    // The number of a stone is read more easily than a sign below it.
    const covered = new Set(ghosts.map(({ p }) => p.join()));
    for (const sign of this.markLayer.querySelectorAll('[data-chosen]')) {
      sign.style.visibility = covered.has(sign.dataset.chosen) ? 'hidden' : '';
    }
    for (const { p, side, label } of ghosts) {
      this.stone(this.ghostLayer, p, side, label).classList.add('ghost');
    }
  }

  threat(p, side, kind) {
    const [cx, cy] = this.at(p);
    const shapes = {
      five: `M${cx} ${cy - 11}l11 11l-11 11l-11 -11z`,
      open_four: `M${cx - 9} ${cy - 9}h18v18h-18zM${cx - 4} ${cy - 4}h8v8h-8z`,
      four: `M${cx - 8} ${cy - 8}h16v16h-16z`,
      three: `M${cx} ${cy - 9}l9 16h-18z`,
    };
    element('path', { class: `threat ${side} ${kind}`, d: shapes[kind] }, this.ghostLayer);
  }
}

// The reason why a move is forbidden.
const wordOf = why => ({ 6: t('overline'), 44: t('double four'), 33: t('double three') })[why];

// Star points: on the fourth lines and in the middle.
function stars(width, height) {
  const along = size => {
    if (size < 9) return size % 2 ? [size >> 1] : [];
    const edge = size < 12 ? 2 : 3;
    const ends = [edge, size - 1 - edge];
    return size % 2 ? [ends[0], size >> 1, ends[1]] : ends;
  };
  const points = along(width).flatMap(x => along(height).map(y => [x, y]));
  const middle = p => p[0] * 2 === width - 1, centre = p => p[1] * 2 === height - 1;
  const many = width >= 19 || height >= 19;
  return points.filter(p => many || middle(p) === centre(p));
}
