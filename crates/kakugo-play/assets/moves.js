// The list of moves with their variations: click, step, promote, delete, comment.

import { t } from './language.js';
import { name } from './notation.js';
import { isSure, relax } from './confirm.js';

const $ = id => document.getElementById(id);
const PAUSE = 700; // ms without typing after which a comment is sent
const words = what =>
  ({ black: t('takes Black'), white: t('takes White'), more: t('places two more'),
    'set-up': t('set-up') })[what];

// A choice in an opening, such as `black`, `fifths-3` or `offer-7,6`.
function choice(what, pointName) {
  const [kind, value] = what.split('-');
  if (kind === 'fifths') return t('{0} fifth {0:move|moves}', Number(value));
  if (kind === 'offer') return t('offers {0}', pointName(value.split(',').map(Number)));
  return words(what);
}

// A stone or a pass.
const isMove = what => Array.isArray(what);
const isPass = what => what?.[0] === 'pass';

function make(tag, className, text) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

export class Moves {
  // `look` shows a move to a spectator; `write` sends a comment and returns true if it was sent.
  constructor(board, send, look, write) {
    this.board = board;
    this.send = send;
    this.look = look;
    this.write = write;
    this.nodes = new Map(); // by number: { id, parent, what, comment, children, ply }
    this.written = ''; // the comment in the field, as last shown or sent
    this.unsaved = new Map(); // comments that are not in the tree yet, by the moves before them
    this.stale = false; // true while another tree with other numbers is awaited
    this.turning = new Map(); // by number: sign and loss of a bad move
    this.wanted = null; // the step of the line that keys and the wheel lead to
    this.asked = null; // the move that the server was asked for on the way
    $('tree').addEventListener('click', event => {
      const id = event.target.closest('[data-node]')?.dataset.node;
      if (id) this.go(Number(id));
    });
    $('promote').addEventListener('click', () => send({ do: 'promote', id: this.state.node }));
    $('delete').addEventListener('click', () => this.askToDelete());
    $('comment').addEventListener('change', () => this.comment());
    $('comment').addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.comment(), PAUSE);
    });
    // A notch of a wheel is one step; the small steps of a touchpad are added up.
    let gathered = 0;
    board.svg.addEventListener('wheel', event => {
      if (event.ctrlKey || event.metaKey || !event.deltaY || board.covered) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 40 : 1;
      gathered = Math.sign(gathered) === -Math.sign(event.deltaY) ? 0 : gathered;
      gathered += event.deltaY / unit;
      if (Math.abs(gathered) < 1) return;
      this.step(Math.sign(gathered));
      gathered = 0;
    }, { passive: false });
  }

  showTree({ nodes, whole, count }) {
    const commented = this.commented();
    const path = commented && this.pathTo(commented.id);
    this.nodes = new Map();
    for (const [id, parent, what, comment = '', symbol] of nodes) {
      const above = this.nodes.get(parent);
      const ply = (above?.ply ?? 0) + (isMove(what) ? 1 : 0);
      const node = { id, parent, what, comment, symbol, ply, children: [] };
      above?.children.push(node);
      this.nodes.set(id, node);
    }
    if (this.stale) {
      $('comment').dataset.node = (path && this.nodeAt(path)?.id) ?? '';
      this.saveAgain();
    } else {
      this.unsaved.clear();
    }
    this.count = count;
    $('part').hidden = whole;
    $('part').textContent = t('Of {0} moves, those that follow each position shown.', count);
    this.draw();
  }

  translate() {
    $('part').textContent = t('Of {0} moves, those that follow each position shown.', this.count ?? 0);
    this.draw();
  }

  showState(state) {
    const before = this.state;
    const moved = state.node !== before?.node;
    this.state = state;
    this.arrive(state, before);
    if (moved) relax($('delete'));
    for (const id of ['promote', 'delete', 'comment']) $(id).disabled = !state.owns;
    $('promote').disabled ||= state.main;
    $('delete').disabled ||= !state.node;
    this.mark();
    this.showComment();
  }

  // Turning points of a review get a sign in the list.
  showReview(review) {
    if (!review && !this.turning.size) return;
    const signs = { inaccuracy: '?!', mistake: '?', blunder: '??' };
    const known = new Map((review?.moves ?? []).map(([node, loss, grade]) =>
      [node, { sign: signs[grade], loss }]));
    for (const { node } of review?.turning_points ?? []) known.get(node).sign ??= '?!';
    const signed = [...known].filter(([, { sign }]) => sign);
    const same = signed.length === this.turning.size && signed.every(([node, { sign, loss }]) =>
      this.turning.get(node)?.sign === sign && this.turning.get(node).loss === loss);
    if (same) return;
    this.turning = new Map(signed);
    this.draw();
  }

  draw() {
    const root = this.nodes.get(0);
    const list = make('div', 'line');
    if (root) {
      if (root.comment) list.append(make('q', '', root.comment));
      this.drawBelow(root, list, true);
    }
    $('tree').replaceChildren(list);
    this.fromTop = this.board.options.fromTop;
    this.mark();
    this.showComment();
  }

  // The line after a node, with its variations.
  drawBelow(from, list, numbered) {
    let told = numbered; // true if the number must be shown: at the start and after a variation
    for (let node = from; node.children.length; node = node.children[0]) {
      const [first, ...others] = node.children;
      this.drawMove(first, list, told);
      told = false;
      for (const other of others) {
        const variation = make('div', 'variation');
        this.drawMove(other, variation, true);
        this.drawBelow(other, variation, false);
        list.append(variation);
        told = true;
      }
    }
  }

  drawMove(node, list, numbered) {
    const stone = isMove(node.what) && !isPass(node.what);
    const height = this.state?.height ?? 15;
    const pointName = p => name(p, height, this.board.options.fromTop);
    const text = stone ? pointName(node.what)
      : isPass(node.what) ? t('pass') : choice(node.what, pointName);
    const move = make('span', 'move');
    move.dataset.node = node.id;
    move.id = `move-${node.id}`;
    move.setAttribute('role', 'option');
    if (isMove(node.what)) {
      const [, , told] = stone ? node.what : [null, ...node.what];
      const side = told ?? (node.ply % 2 ? 'black' : 'white');
      move.append(make('i', side, `${node.ply}.`));
    }
    move.append(text);
    const bad = this.turning.get(node.id);
    if (node.symbol) move.append(make('b', 'symbol', node.symbol));
    if (bad) {
      if (!node.symbol) move.append(make('b', 'mistake', bad.sign));
      move.title = t('lost {0} %', (bad.loss / 10).toFixed(1));
    }
    if (numbered) move.classList.add('begins');
    list.append(move, ' ');
    if (node.comment) list.append(make('q', '', node.comment), ' ');
  }

  // The move on the board is marked and scrolled into view.
  mark() {
    if (!this.state) return;
    if (this.fromTop !== this.board.options.fromTop) { this.draw(); return; }
    const tree = $('tree');
    const wanted = tree.querySelector(`[data-node="${this.state.node}"]`);
    const marked = tree.querySelector('.here');
    if (marked !== wanted) {
      marked?.classList.remove('here');
      marked?.removeAttribute('aria-selected');
    }
    tree.setAttribute('aria-activedescendant', wanted?.id ?? '');
    if (!wanted) { if (!this.state.node) tree.scrollTop = 0; return; }
    wanted.classList.add('here');
    wanted.setAttribute('aria-selected', 'true');
    // Only the list scrolls, never the page.
    const [box, inside] = [wanted.getBoundingClientRect(), tree.getBoundingClientRect()];
    if (box.top < inside.top) tree.scrollTop -= inside.top - box.top + 4;
    if (box.bottom > inside.bottom) tree.scrollTop += box.bottom - inside.bottom + 4;
  }

  showComment() {
    const field = $('comment');
    const id = this.state?.node ?? 0;
    if (this.stale || document.activeElement === field && field.dataset.node === String(id)) return;
    if (document.activeElement === field) this.comment();
    field.dataset.node = id;
    field.value = this.unsaved.get(this.pathTo(id)) ?? this.nodes.get(id)?.comment ?? '';
    this.written = field.value;
  }

  // The move to which the text in the field belongs.
  commented() {
    const { node } = $('comment').dataset;
    return node ? this.nodes.get(Number(node)) : undefined;
  }

  comment() {
    clearTimeout(this.typing);
    const text = $('comment').value;
    const node = this.commented();
    if (!node || text === this.written) return;
    this.written = text;
    this.unsaved.set(this.pathTo(node.id), text);
    if (!this.stale) this.write({ do: 'comment', id: node.id, text });
  }

  // The page is connected. Unsaved comments wait for the tree, in which moves may have other numbers than
  // before.
  connected() {
    this.stop();
    this.stale = true;
    this.comment();
  }

  saveAgain() {
    this.stale = false;
    for (const [path, text] of this.unsaved) {
      const node = this.nodeAt(path);
      if (node && node.comment !== text) this.write({ do: 'comment', id: node.id, text });
      else this.unsaved.delete(path);
    }
  }

  // The moves up to a node, as text: they are the same in another run of the program.
  pathTo(id) {
    const moves = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) moves.unshift(node.what);
    return JSON.stringify(moves);
  }

  nodeAt(path) {
    const [, ...moves] = JSON.parse(path);
    const same = what => node => JSON.stringify(node.what) === JSON.stringify(what);
    return moves.reduce((node, what) => node?.children.find(same(what)), this.nodes.get(0));
  }

  go(id) {
    this.stop();
    if (!this.state || id === this.state.node) return;
    if (this.state.owns) this.send({ do: 'node', id });
    else this.look(id);
  }

  // Forgets steps that were not taken yet.
  stop() {
    this.wanted = this.asked = null;
  }

  // Goes to the position after this many moves of the line.
  goToPly(ply) {
    this.go(ply ? this.state.line[this.state.steps[ply - 1] - 1] : 0);
  }

  // Steps along the line. Every press of a key counts: while one step is awaited, others are added up.
  step(by) {
    if (!this.state) return;
    const { line, step } = this.state;
    this.wanted = Math.max(0, Math.min(line.length, (this.wanted ?? step) + by));
    this.pursue();
  }

  // Asks for the wanted step, unless another one is awaited.
  pursue() {
    if (this.wanted === null || this.asked !== null) return;
    const { line, node, owns } = this.state;
    const id = this.wanted ? line[this.wanted - 1] : 0;
    if (id === node) { this.wanted = null; return; }
    if (!owns) { this.stop(); this.look(id); return; }
    this.asked = id;
    if (!this.send({ do: 'node', id })) this.stop();
  }

  // The state has come for which a step waits, or another line, in which it means nothing.
  arrive(state, before) {
    if (before && before.line.join() !== state.line.join()) this.stop();
    else if (this.asked === state.node) {
      this.asked = null;
      this.pursue();
    }
  }

  // Goes to the next variation of the same position.
  sidestep(by) {
    const siblings = this.nodes.get(this.nodes.get(this.state?.node)?.parent)?.children ?? [];
    const at = siblings.findIndex(node => node.id === this.state.node);
    const next = siblings[at + by];
    if (next) this.go(next.id);
  }

  // Deleting needs a second click, on a button that shows the number of moves.
  askToDelete() {
    const moves = 1 + this.state.below;
    const question = moves === 1 ? t('Really delete?') : t('Really delete {0} {0:move|moves}?', moves);
    if (isSure($('delete'), question)) this.send({ do: 'delete', id: this.state.node });
  }
}
