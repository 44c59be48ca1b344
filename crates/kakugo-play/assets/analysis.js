// Analysis: evaluation, best lines, ghost stones, heat map, threats, graph, turning points.

import { element } from './board.js';
import { linkButton } from './buttons.js';
import { language, t, translated } from './language.js';
import { count, name } from './notation.js';
import { occupied, positionAt, stepOf } from './position.js';
import { recall } from './storage.js';

const $ = id => document.getElementById(id);
const other = side => (side === 'black' ? 'white' : 'black');

export class Analysis {
  // `go` goes to a move or to the position after a number of stones.
  constructor(board, send, play, go) {
    this.board = board;
    this.send = send;
    this.go = go;
    this.latest = null; // the result of the search in the position of the game
    this.review = null;
    this.preview = null; // a line shown step by step: { moves, side, shown }
    this.peek = null; // the part of a line under the pointer: { moves, side, ply }
    $('analyse').addEventListener('change', () => this.ask());
    $('lines').addEventListener('change', () => this.ask());
    for (const id of ['show-ghosts', 'show-heat', 'show-threats']) {
      $(id).addEventListener('change', () => this.draw());
    }
    $('explain').addEventListener('click', () => send({ do: 'explain' }));
    $('graph').addEventListener('click', event => this.jump(event));
    $('resume').addEventListener('click', () => this.ask());
    $('preview-back').addEventListener('click', () => this.step(-1));
    $('preview-on').addEventListener('click', () => this.step(1));
    $('preview-close').addEventListener('click', () => this.close());
    $('preview-play').addEventListener('click', () => {
      const first = this.preview?.moves[0];
      this.close();
      if (first) play(first);
    });
  }

  // It is not shown to a spectator who looks back at another position.
  get found() {
    return this.state?.past ? null : this.latest;
  }

  ask() {
    const { depth, 'analysis-time': ms } = recall('kakugo-limits', {});
    this.send({ do: 'analyse', on: $('analyse').checked, lines: Number($('lines').value),
      depth: Number(depth) || null, ms: Number(ms) || null });
  }

  start() {
    $('analyse').checked = true;
    this.ask();
  }

  close() {
    this.preview = null;
    this.draw();
  }

  step(by) {
    if (!this.preview) return;
    const { moves, shown } = this.preview;
    this.preview.shown = Math.max(1, Math.min(moves.length, shown + by));
    this.draw();
  }

  open(moves, side) {
    this.preview = { moves, side, shown: moves.length };
    this.draw();
  }

  showState(state) {
    const { version, at } = this.state ?? state;
    const chosen = ({ live: { only, without } }) => JSON.stringify([only, without]);
    if (version !== state.version || this.state && chosen(this.state) !== chosen(state)) this.latest = null;
    if (version !== state.version || at !== state.at) {
      this.peek = null;
      if (this.preview && this.preview.ply !== state.at) this.preview = null;
    }
    this.state = state;
    if (!state.reviewed && this.review) this.showReview(null);
    $('analyse').checked = state.analyse !== null;
    $('analysis').classList.toggle('live', state.analyse !== null);
    $('analysis').style.setProperty('--lines', state.analyse ?? 0);
    if (state.analyse) $('lines').value = String(state.analyse);
    $('explain').disabled = state.moves.length === 0 || !state.analyses;
    $('resting').hidden = !(state.resting && state.analyse !== null && !state.past);
    $('perspective').hidden = !$('resting').hidden;
    $('resume').disabled = !state.analyses;
    this.drawProgress();
    this.drawBar();
    this.drawGraph();
    this.draw();
    if (this.peek) this.look(this.peek);
  }

  showFindings(found) {
    if (found.version !== this.state?.version) return;
    this.latest = found;
    this.draw();
    this.drawBar();
    // The next state has the same value.
    if (found.lines.length && !this.state.past) {
      this.state.values[this.state.at] = found.lines[0].permille;
      this.drawGraph();
    }
  }

  // Progress between two results.
  showPace({ version, ...pace }) {
    const node = $('verdict-pace');
    if (node && version === this.state?.version && pace.nodes >= this.found.nodes) {
      node.textContent = inNumbers(pace);
    }
  }

  showReview(review) {
    this.review = review?.positions ? review : null;
    this.drawTurning();
    if (this.state) this.drawProgress();
    if (this.review) this.drawGraph();
  }

  // The progress of a review, of this game or of one that has left the board.
  drawProgress() {
    const { state, review } = this;
    const { done, total, elsewhere } = state.reviewing ?? {};
    const here = state.reviewing && !elsewhere;
    const part = review && review.positions < review.of;
    $('explain').textContent = here ? t('Stop explaining') : !review ? t('Explain the game')
      : !review.shown ? t('Explain this line') : part ? t('Go on explaining') : t('Explain anew');
    const progress = t('{0} of {1} positions …', done, total);
    $('explaining').textContent = here ? progress : elsewhere ? `${translated(elsewhere)}: ${progress}` : '';
    $('explaining').title = $('explaining').textContent;
  }

  translate() {
    $('best').replaceChildren();
    this.drawTurning();
  }

  fromTop() {
    return this.board.options.fromTop;
  }

  // Evaluation, lines and marks on the board.
  draw() {
    const { found, state } = this;
    if (!state) return;
    // The opponent's lines are hidden until analysis is switched on.
    const lines = state.analyse ? found?.lines ?? [] : [];
    const best = lines[0];
    const verdict = $('verdict');
    verdict.replaceChildren();
    if (best) {
      const strong = document.createElement('b');
      strong.textContent = t('Black {0} %', (best.permille / 10).toFixed(0));
      const pace = document.createElement('span');
      pace.id = 'verdict-pace';
      pace.textContent = inNumbers(found);
      verdict.append(strong, `  ${inWords(best.score)} · ${t('depth {0}', best.depth)} · `, pace);
      if (state.live.finished) verdict.append(` · ${t('finished')}`);
      if (state.queued) verdict.append(` · ${t('waiting for a search thread …')}`);
    } else if (state.analyse && !state.end && !state.past) {
      verdict.textContent = state.live.finished ? t('No move is left to analyse.')
        : state.queued ? t('waiting for a search thread …') : t('thinking …');
    }
    this.drawLines(lines);
    const fewer = best && lines.length < state.analyse;
    $('fewer').hidden = !fewer;
    if (fewer) {
      $('fewer').textContent = t('{0} of {1} lines: no other move is searched here.',
        lines.length, state.analyse);
    }
    this.drawThreats();
    this.drawPreview();
    const ghosts = this.ghosts();
    const covered = new Set(ghosts.map(ghost => ghost.p.join()));
    const open = mark => !covered.has(mark.p.join());
    const marks = this.marks().filter(open);
    const marked = new Set(marks.map(mark => mark.p.join()));
    const heat = this.heat().filter(open)
      .map(point => (marked.has(point.p.join()) ? { ...point, text: '' } : point));
    this.board.overlay({ ghosts, heat, threats: marks });
  }

  // Items stay in place while their texts change, so that a click always hits its line.
  drawLines(lines) {
    const list = $('best');
    while (list.children.length > lines.length) list.lastChild.remove();
    while (list.children.length < lines.length) {
      const item = document.createElement('li');
      const index = list.children.length;
      const moves = Object.assign(document.createElement('span'), { className: 'moves' });
      item.append(linkButton('score'), moves);
      item.title = item.firstChild.title = t('Line {0}: show on the board', index + 1);
      item.addEventListener('click', () => {
        const line = this.found?.lines[index];
        if (line) this.open(line.moves, this.state.turn);
      });
      list.append(item);
    }
    lines.forEach((line, i) => {
      const [score, moves] = list.children[i].children;
      const percent = `${(line.permille / 10).toFixed(1)} %`;
      score.textContent = /M/.test(line.score) ? line.score : percent;
      this.fillLine(moves, line.moves, this.state.turn, () => this.state.at);
    });
  }

  // A line. The part up to the move under the pointer is shown on the board.
  // `from` returns the number of stones of the game's line before it, or null.
  fillLine(part, moves, side, from, makes = []) {
    const words = moves.map((p, i) =>
      name(p, this.state.height, this.fromTop()) + (makes[i] && i % 2 === 0 ? ` ${translated(makes[i])}` : ''));
    const text = `${side} ${words.join(' ')}`;
    if (part.shownLine === text) return;
    part.shownLine = text;
    part.replaceChildren(...words.flatMap((word, i) => {
      const move = document.createElement('span');
      move.className = 'ply';
      move.textContent = word;
      move.addEventListener('pointerenter', event => {
        if (event.pointerType !== 'touch') this.look({ moves: moves.slice(0, i + 1), side, ply: from() });
      });
      return i ? [' ', move] : [move];
    }));
    part.onpointerleave = () => this.look(null);
  }

  look(peek) {
    if (!peek && !this.peek) return;
    this.peek = peek?.ply === null ? null : peek;
    const { state } = this;
    const ply = this.peek?.ply ?? state.at;
    const position = ply === state.at ? state.position : positionAt(state, stepOf(state, ply));
    this.board.show(ply === state.at ? state : { ...state, at: ply, open: false, marks: [], arrows: [],
      live: undefined, row: [],
      forbidden: [], hint: null, position, occupied: occupied(position) });
    this.draw();
  }

  ghosts() {
    const { preview, peek, found, state } = this;
    const numbered = (moves, side) => moves.map((p, i) =>
      ({ p, side: i % 2 ? other(side) : side, label: i + 1 }));
    if (peek) return numbered(peek.moves, peek.side);
    if (preview) return numbered(preview.moves.slice(0, preview.shown), preview.side);
    if (!$('show-ghosts').checked || !state.analyse || !found?.lines.length) return [];
    return numbered(found.lines[0].moves.slice(0, 8), state.turn);
  }

  heat() {
    const { found, state, preview, peek } = this;
    if (!$('show-heat').checked || !found?.heat || preview || peek) return [];
    const own = permille => (state.turn === 'black' ? permille : 1000 - permille);
    const searched = new Map(found.lines.map(line => [line.moves[0].join(), own(line.permille)]));
    return found.heat.map(([x, y, value]) => {
      const permille = searched.get([x, y].join());
      const text = permille === undefined ? '' : Math.round(permille / 10);
      return { p: [x, y], value: (value / 1000) ** 1.5, text };
    });
  }

  marks() {
    const { found, preview, peek } = this;
    if (!$('show-threats').checked || !found?.threats || preview || peek) return [];
    return found.threats.flatMap((threats, i) => {
      const side = i ? 'white' : 'black';
      const kinds = [['fives', 'five'], ['open_fours', 'open_four'], ['fours', 'four'],
        ['open_threes', 'three']];
      return kinds.flatMap(([key, kind]) => threats[key].map(p => ({ p, side, kind })));
    });
  }

  drawThreats() {
    const box = $('threats');
    const threats = this.found?.threats;
    box.hidden = !$('show-threats').checked || !threats;
    const shown = JSON.stringify([language(), threats]);
    if (box.hidden || this.threatsShown === shown) return;
    this.threatsShown = shown;
    const rows = threats.map((own, i) => {
      const row = document.createElement('div');
      const disc = document.createElement('i');
      disc.className = `disc ${i ? 'white' : 'black'}`;
      const counts = [['fives', '◇', t('five')], ['open_fours', '▣', t('open four')],
        ['fours', '□', t('four')], ['open_threes', '△', t('open three')]];
      const words = counts.filter(([key]) => own[key].length)
        .map(([key, sign, word]) => `${sign} ${word} ${own[key].length}`);
      row.append(disc, ` ${words.join(' · ') || t('no threats')} `);
      if (own.vcf.length) {
        const button = document.createElement('button');
        button.className = 'vcf';
        // As everywhere, the moves of the winner are counted, not the replies.
        button.textContent = t('wins by fours in {0} {0:move|moves}', (own.vcf.length + 1) >> 1);
        button.addEventListener('click', () => this.open(own.vcf, i ? 'white' : 'black'));
        row.append(button);
      }
      return row;
    });
    box.replaceChildren(...rows);
  }

  drawPreview() {
    const { preview, state } = this;
    $('preview').hidden = !preview;
    if (!preview) return;
    $('preview-count').textContent = t('{0} of {1}', preview.shown, preview.moves.length);
    // Once its first position is on the board.
    if (!preview.inSight && (preview.ply ?? state.at) === state.at) {
      preview.inSight = true;
      this.board.svg.scrollIntoView({ block: 'nearest' });
    }
    $('preview-play').disabled = preview.side !== state.turn || !state.owns || state.end !== null;
  }

  drawBar() {
    const { state, found } = this;
    const decided = { black: 1000, white: 0 }[state.winner];
    const known = found?.lines[0]?.permille ?? state.values[state.at] ?? lastKnown(state);
    const value = decided ?? (this.tells() ? known : 500);
    $('bar-fill').style.height = `${value / 10}%`;
    $('bar').title = t('Black {0} %', Math.round(value / 10));
  }

  // In a game against a computer its evaluation is hidden until analysis is switched on.
  tells() {
    const { state } = this;
    const kinds = state.players.map(player => player.kind === 'human');
    return state.analyse !== null || state.reviewed || state.reviewing
      || state.end !== null || kinds[0] === kinds[1];
  }

  // The evaluation after every move, Black below.
  drawGraph() {
    const { state } = this;
    if (!state) return;
    const graph = $('graph');
    const last = Math.max(state.moves.length, 1);
    const pad = last * .012;
    graph.setAttribute('viewBox', `${-pad} 0 ${last + 2 * pad} 100`);
    graph.setAttribute('preserveAspectRatio', 'none');
    graph.replaceChildren();
    const known = state.values.map((value, ply) => [ply, value])
      .filter(([, value]) => value != null && this.tells());
    if (known.length) {
      const path = known.map(([ply, value], i) => `${i ? 'L' : 'M'}${ply} ${100 - value / 10}`).join('');
      const [from, to] = [known[0][0], known.at(-1)[0]];
      element('path', { class: 'upper', d: `${path}V0H${from}z` }, graph);
      element('path', { class: 'area', d: `${path}V100H${from}z` }, graph);
      if (to > from) element('path', { class: 'curve', d: path }, graph);
      else element('path', { class: 'curve dot', d: `${path}h.001` }, graph);
    }
    element('path', { class: 'middle', d: `M0 50H${last}` }, graph);
    element('path', { class: 'here', d: `M${state.at} 0V100` }, graph);
  }

  jump(event) {
    const box = $('graph').getBoundingClientRect();
    const last = Math.max(this.state.moves.length, 1);
    const share = (event.clientX - box.left) / box.width;
    const ply = Math.round((share * 1.024 - .012) * last);
    this.go.toPly(Math.max(0, Math.min(this.state.moves.length, ply)));
  }

  drawAccuracy() {
    const { review, state } = this;
    const told = review?.players.some(side => side.moves);
    $('accuracy').hidden = !told;
    if (!told || !state) return;
    const head = rowOf('th', ['',
      [t('accuracy'), t('mean over the moves, by lichess’ curve of the loss')],
      [t('loss'), t('mean loss of a move')], ['?!', t('lost {0} % or more', 5)],
      ['?', t('lost {0} % or more', 15)], ['??', t('lost {0} % or more', 30)]]);
    const rows = review.players.map((side, i) => rowOf('td', [
      `${i ? '○' : '●'} ${translated(state.players[i].name)}`, side.moves ? `${side.accuracy.toFixed(1)} %` : '–',
      `${(side.loss / 10).toFixed(1)} %`, side.inaccuracies, side.mistakes, side.blunders]));
    $('accuracy').replaceChildren(head, ...rows);
  }

  // Popularity of the opening moves, up to the first that was never played.
  drawOpening() {
    const { review, state } = this;
    const played = review?.opening ?? [];
    $('opening-played').hidden = !played.length || !state;
    if (!played.length || !state) return;
    const words = played.map(([, p, lines, before]) => `${name(p, state.height, this.fromTop())} `
      + (lines ? `${Math.round(100 * lines / before)} % (${lines})` : t('new')));
    $('opening-played').textContent = t('Opening: {0}', words.join(' · '));
  }

  drawTurning() {
    const { review, state } = this;
    this.drawAccuracy();
    this.drawOpening();
    const list = $('turning');
    if (!review || !state) { list.replaceChildren(); return; }
    const none = review.positions < review.of ? t('No turning point so far.')
      : t('No turning point found.');
    const wanted = review.turning_points.length ? review.turning_points : [none];
    while (list.children.length > wanted.length) list.lastChild.remove();
    // An item under the pointer stays as long as it is the same.
    wanted.forEach((turning, i) => {
      const says = JSON.stringify([turning, this.fromTop(), language()]);
      const old = list.children[i];
      if (old?.says === says) return;
      const item = typeof turning === 'string' ? plainItem(turning) : this.turningItem(turning);
      item.says = says;
      if (old) old.replaceWith(item);
      else list.append(item);
    });
  }

  turningItem(turning) {
    const item = document.createElement('li');
    // Black's view, as everywhere on the page.
    const percent = value =>
      `${Math.round((turning.side === 'black' ? value : 1000 - value) / 10)} %`;
    const at = p => name(p, this.state.height, this.fromTop());
    const move = [turning.number, turning.side === 'black' ? t('Black') : t('White'), at(turning.played)];
    const mistake = {
      missed_fours: t('{0}. {1} {2} missed a win by fours', ...move),
      missed_win: t('{0}. {1} {2} missed a forced win', ...move),
      allowed_win: t('{0}. {1} {2} allowed a forced win', ...move),
      slip: t('{0}. {1} {2} gave away much', ...move),
      overline: t('{0}. {1} {2} made an overline', ...move),
      double_four: t('{0}. {1} {2} made a double four', ...move),
      double_three: t('{0}. {1} {2} made a double three', ...move),
    }[turning.mistake];
    const values = [percent(turning.before), percent(turning.after)];
    const words = linkButton('');
    words.textContent = turning.line.length
      ? t('{0} (Black {1} → {2}; better {3})', mistake, ...values, at(turning.line[0]))
      : t('{0} (Black {1} → {2})', mistake, ...values);
    const line = document.createElement('div');
    line.className = 'moves';
    item.append(words, line);
    // Shown on the board only if the game has passed its position.
    const on = () => turning.from === 0 || this.state.line.includes(turning.from);
    this.fillLine(line, turning.line, turning.side, () => (on() ? turning.number - 1 : null),
      turning.makes);
    if (turning.goes_on) line.append(` ${t('… and on to the five')}`);
    item.className = turning.grade ?? '';
    item.addEventListener('click', () => {
      if (!this.state.owns && !on()) return;
      this.preview = { moves: turning.line, side: turning.side, shown: turning.line.length,
        ply: turning.number - 1 };
      if (this.state.node === turning.from) this.draw();
      else this.go.toMove(turning.from);
    });
    return item;
  }
}

function plainItem(text) {
  return Object.assign(document.createElement('li'), { textContent: text });
}

// The accuracy of each side, one row each.
function rowOf(tag, cells) {
  const row = document.createElement('tr');
  row.append(...cells.map((cell, i) => {
    const [text, title] = [cell].flat();
    const node = Object.assign(document.createElement(i ? tag : 'th'), { textContent: text });
    if (title) node.title = title;
    return node;
  }));
  return row;
}

// A forced win in words, from Black's view: the score counts plies, the words moves of the winner.
function inWords(score) {
  const forced = score.match(/^([+-])M(\d+)$/);
  if (!forced) return score > 0 ? `+${score}` : score;
  const moves = (Number(forced[2]) + 1) >> 1;
  return forced[1] === '+' ? t('Black wins in {0} {0:move|moves}', moves) : t('White wins in {0} {0:move|moves}', moves);
}

function inNumbers({ nodes, speed, elapsed }) {
  return t('{0} nodes · {1}/s · {2} s', count(nodes), count(speed), (elapsed / 1000).toFixed(1));
}

function lastKnown(state) {
  for (let ply = Math.min(state.at, state.values.length - 1); ply >= 0; ply--) {
    if (state.values[ply] != null) return state.values[ply];
  }
  return 500;
}
