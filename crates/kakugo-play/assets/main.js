// Connects the parts of the page: messages in, commands out.

import { Analysis } from './analysis.js';
import { Board } from './board.js';
import { Coach } from './coach.js';
import { acceptDrops } from './drop.js';
import { hintWords } from './hints.js';
import { keyOf } from './keys.js';
import { offerLanguages, t, translated } from './language.js';
import { Lazy } from './lazy.js';
import { linkedGame } from './link.js';
import { recall, remember } from './storage.js';
import { Moves } from './moves.js';
import { name } from './notation.js';
import { showPlayers } from './players.js';
import { occupied, positionAt } from './position.js';
import { friendSeat, preparePlayers, setupDialog } from './setup.js';
import { reveal } from './scroll.js';
import { newToken, ownSeat } from './seat.js';
import { connect, rememberLevel } from './socket.js';
import { addsEngines } from './transport.js';
import { knock } from './sound.js';
import { isSure, relax } from './confirm.js';

const $ = id => document.getElementById(id);
const VIEW = 'kakugo-view';
let state = null;
let hello = null;
let greeting = ''; // shown with the first state
let asked = false; // true while a command is not answered
let linked = false; // true until the first state after a link was opened: it is of the game before
let latelySaid = ''; // the notice of the last state
let inviting = false; // true while a friend is invited
let fresh = true; // true until the first message of a connection
let keeps = false; // true while the games of a file become a study
let pending = null; // the purpose of the last command: 'setup', 'open' or 'puzzle'

const board = new Board($('board'), point => { pending = null; play(point); },
  point => {
    const at = name(point, board.state.height, board.options.fromTop);
    tell(isEditing() ? t('{0}: tap again.', at) : t('{0}: tap again to play.', at));
  });
const setup = setupDialog((values, playersOnly) => {
  pending = 'setup';
  if ($('coach-size').value !== coach.field) coach.choose($('coach-size').value);
  const seat = friendSeat();
  const guest = seat < 0 ? null : { seat, token: pair.part?.token ?? newToken() };
  inviting = Boolean(guest);
  send(playersOnly ? { do: 'seats', seats: values.seats } : { do: 'new', setup: values, guest });
}, () => ({ state: live, hello }), () => coach.field);

// Parts that are not needed for a first stone.
const gone = () => warn(t('Kakugo is not running any more.'));
const records = new Lazy(async () => (await import('./records.js')).recordsDialog(board,
  () => ({ ...state, room: hello.room }), () => hello,
  () => openings.use(part => part.reveal()), (text, isWarning) => tell(text, isWarning),
  study => {
    keptGames.use(part => part.expect());
    keeps = true;
    send({ do: 'keep_games', study });
  }, () => { latelySaid = ''; }), gone);
const openings = new Lazy(async () => new (await import('./openings.js')).Openings(board, play,
  p => analysis.look(p && { moves: [p], side: state.turn, ply: state.at }), send), gone);
const practice = new Lazy(async () => (await import('./practice.js')).practiceDialog(board,
  command => { pending = command.do; send(command); },
  (line, side) => analysis.open(line, side), () => hello), gone);
const keptGames = new Lazy(async () => (await import('./saved-games.js')).keptDialog(
  command => {
    if (['open', 'chapter'].includes(command.do)) pending = command.do;
    send(command);
  }, () => state), gone);
const editor = new Lazy(async () => (await import('./editor.js')).positionEditor(board, send, openGiven), gone);
const pair = new Lazy(async () => new (await import('./pair.js')).Pair(send, text => tell(text)), gone);
const marks = new Lazy(async () => (await import('./marks.js')).markTools(board, send), gone);
const deeper = new Lazy(async () => (await import('./deeper.js')).deeperAnalysis(board, send, analysis), gone);
const help = new Lazy(() => import('./help.js'), gone);
const engines = new Lazy(async () => (await import('./engines.js')).otherEngines(send, () => hello), gone);
const rating = new Lazy(() => import('./rating.js'), gone);
$('files').addEventListener('click', () => records.use(part => part.show()));
$('practice').addEventListener('click', () => practice.use(part => part.ask()));
$('games').addEventListener('click', () => keptGames.use(part => part.ask()));
$('add-engine-open').addEventListener('click', () => engines.use(part => part.toggle()));
$('edit').addEventListener('click', () => send({ do: 'edit', edit: 'begin' }));
$('mark').addEventListener('click', () => marks.use(part => {
  part.showState(state);
  part.toggle();
}));
$('analysis-more').addEventListener('toggle', () => {
  if ($('analysis-more').open) deeper.use(part => { if (state) part.showState(state); });
  else deeper.part?.stop();
});
$('pass').addEventListener('click', () => send({ do: 'pass' }));
// While a position is edited, files and texts are read into it.
function openGiven(given) {
  const rule = isEditing() ? editor.part.rule() : undefined;
  records.use(part => (given instanceof File ? part.open(given.name, given, rule) : part.openText(given, rule)));
}
acceptDrops(() => $('records').open || !document.querySelector('dialog[open]'), openGiven,
  () => warn(t('Open one file at a time.')));

const isPractising = () => Boolean($('practice-dialog')?.open);
const opensPuzzle = () => ['puzzle', 'train', 'next_puzzle'].includes(pending);
const isEditing = () => Boolean(editor.part?.isOpen());

const sendRaw = connect({
  hello(message) {
    if (fresh) moves.connected();
    fresh = false;
    // Another version of the program has been started: it has another page.
    if (hello && hello.version !== message.version) { location.reload(); return; }
    hello = message;
    editor.part?.show(null); // until the room sends it again
    delete document.body.dataset.gone;
    latelySaid = '';
    preparePlayers(message);
    document.body.dataset.owns = message.owns;
    document.body.dataset.plays = message.owns || message.guest;
    if (document.hidden) showVisibility();
    if (message.owns) sendPause();
    coach.connected(message);
    $('add-engine-open').hidden = !(message.owns && addsEngines());
    $('games').hidden = !message.keeps;
    $('practice').hidden = !message.owns;
    if (!message.owns || !location.hash.startsWith('#p=')) return;
    const game = linkedGame(location.hash);
    history.replaceState(null, '', location.pathname);
    if (game) linked = send(game);
    else greeting = t('This link holds no position.');
  },
  state(message) {
    if (live && message.at === live.at + 1 && $('sound').checked) knock();
    const before = live;
    if (live?.node !== message.node || live.line.join() !== message.line.join()) looked = null;
    live = message;
    // If only the record states an end, play may go on.
    live.over = live.told || live.end !== null;
    // In a game of two people each has a seat, and nobody moves the position but by a move.
    const two = message.pair;
    const seat = ownSeat(message, hello);
    const going = Boolean(two && !two.over);
    live.acts = going ? seat === message.seat && two.joined && !message.paused : hello.owns;
    live.analyses = going ? seat !== null && two.analysis : hello.owns || hello.guest;
    state = Object.assign({ ...message }, {
      owns: hello.owns && !going,
      position: positionAt(message, message.step),
    });
    document.body.dataset.owns = state.owns;
    if (seat !== null && seat !== ownSeat(before ?? {}, hello)) {
      pair.use(part => part.seated(message.players.find(player => player.seat === seat)));
    }
    state.occupied = occupied(state.position);
    const kind = state.players.find(player => player.seat === state.seat).kind;
    state.open = state.acts && !state.end && !state.choices.length && kind === 'human'
      && state.practice?.stage !== 'judging';
    live.open = state.open;
    if (state.owns && state.level) rememberLevel(state.level);
    if (pending === 'setup' && setup.isOpen()) setup.close();
    if (['open', 'chapter'].includes(pending) && $('kept').open) keptGames.part.close();
    if (opensPuzzle() && isPractising()) practice.part.opened();
    // What the user has asked for is on the board, which may be outside of a phone's screen.
    if (opensPuzzle() || ['setup', 'open', 'chapter'].includes(pending)) reveal($('status'));
    pending = null;
    const isNoted = !linked && (hello.owns || hello.guest || message.note_to_all);
    const note = isNoted ? translated(message.note) : '';
    const said = note || hintWords(message, board.options.fromTop);
    // Progress of a review or a move of the opponent does not remove a notice.
    if (greeting) warn(greeting);
    else if (asked || said && said !== latelySaid) tell(said);
    [greeting, asked, linked, latelySaid] = ['', linked, false, said];
    if (looked === null) show();
    else look(looked);
    if (hello.guest) delete document.body.dataset.loading;
  },
  queue({ queued }) {
    if (!live) return;
    live.queued = state.queued = queued;
    if (looked === null) show();
  },
  invitation(message) {
    const isAsked = inviting;
    inviting = false;
    pair.use(part => part.invitation(message, hello, isAsked));
  },
  engines(message) {
    const isNew = message.engines.length > hello.engines.length;
    hello.engines = message.engines;
    preparePlayers(hello);
    // Who has added it wants to play against it.
    if (isNew && $('setup').open) $('player-1').value = `engine:${message.engines.length - 1}`;
    if (state) show();
  },
  tree(message) {
    marked = new Map(message.marked.map(([id, marks, arrows]) => [id, { marks, arrows }]));
    moves.showTree(message);
    if (live && looked !== null) look(looked);
  },
  openings(message) {
    openings.use(part => {
      part.show(message);
      if (state) part.showState(state);
    });
  },
  rating(message) { rated = message; showRating(); },
  puzzles(message) { if (hello.owns) practice.use(part => part.show(message)); },
  training(message) { if (hello.owns) practice.use(part => part.showTraining(message)); },
  editor(message) {
    if (!hello.owns || !message.editor && !editor.part) return;
    editor.use(part => {
      part.show(message.editor);
      if (state) show();
    });
  },
  kept(message) {
    keptGames.use(part => {
      part.show(message);
      // The dialog would cover the notice of games that a study leaves out.
      if (keeps && !$('message').hidden) {
        part.note($('message').textContent);
        tell('');
      }
      keeps = false;
    });
    rating.use(part => part.showRating(rated, hello.levels));
  },
  analysis(message) { analysis.showFindings(message); },
  pace(message) { analysis.showPace(message); },
  review(message) {
    analysis.showReview(message);
    moves.showReview(message);
    // The last of the first messages, unless the page takes a seat.
    if (hello.guest || !location.hash.startsWith('#play=')) delete document.body.dataset.loading;
  },
  refused(message) {
    delete document.body.dataset.loading;
    moves.stop();
    if (keeps) keptGames.use(part => part.expect(false));
    keeps = false;
    const why = translated(message.why);
    if (pending === 'setup') setup.refused(why);
    else if ($('records').open) records.part.error(why);
    else if ($('kept').open) keptGames.part.error(why);
    else if (isPractising()) practice.part.error(why);
    else if (isEditing()) editor.part.error(why);
    else warn(why);
    pending = null;
    asked = false;
  },
  gone(message) {
    $('status').textContent = `${translated(message.why)} `;
    const link = Object.assign(document.createElement('a'), { href: './', textContent: t('Play here') });
    $('status').append(link);
    document.body.dataset.gone = 'yes';
    delete document.body.dataset.loading;
  },
  lost() {
    fresh = true;
    $('status').textContent = t('The connection is lost; trying again …');
    $('status').className = '';
  },
  leaving() { moves.comment(); },
  isPaired: () => Boolean(live?.pair),
});

// Live analysis pauses while nobody sees it.
function showVisibility() {
  sendRaw({ do: 'visible', on: !document.hidden });
}
document.addEventListener('visibilitychange', showVisibility);

// A computer's move is not played before this time has passed.
function sendPause() {
  sendRaw({ do: 'answer_pause', ms: Number($('answer-after').value) });
}
$('answer-after').addEventListener('change', () => { if (hello?.owns) sendPause(); });

// A link was pasted into the address bar of this page.
addEventListener('hashchange', () => location.reload());

// Shows the choices of an opening with their texts. Buttons that are there already remain, with the focus.
function showChoices(choices) {
  const known = [...$('choices').children].map(button => button.textContent);
  if (known.join() === choices.map(([, words]) => words).join()) return;
  $('choices').replaceChildren(...choices.map(([choice, words]) => {
    const button = document.createElement('button');
    button.className = 'main';
    button.dataset.choice = choice;
    button.textContent = words;
    button.addEventListener('click', () => send({ do: 'choose', choice }));
    return button;
  }));
}

function send(command) {
  asked = sendRaw(command);
  if (!asked) warn(t('Kakugo is not running any more.'));
  return asked;
}

let rated = null; // the rating, as last sent
function showRating() {
  if ($('kept').open || rating.part) rating.use(part => part.showRating(rated, hello.levels));
}

function play([x, y]) {
  send({ do: 'play', x, y, rows: $('rows-from').value });
}

const coach = new Coach(board, sendRaw);
const analysis = new Analysis(board, send, play, {
  toMove: id => moves.go(id),
  toPly: ply => (state.owns ? send({ do: 'goto', ply }) : moves.goToPly(ply)),
});
const moves = new Moves(board, send, look, sendRaw);

// Spectators may look back, and so may the two of a game of two people. Only their own page shows the
// position, until the game goes on.
let live = null;
let looked = null; // the move that is shown instead of the latest
let marked = new Map(); // marks and arrows of the line, by move
function look(id) {
  if (id && !state.line.includes(id)) return;
  const at = state.line.indexOf(id) + 1;
  const position = positionAt(live, at);
  const now = position.at === live.at;
  looked = at === live.step ? null : id;
  state = { ...live, owns: false, open: now && live.open, acts: now && live.acts,
    node: at ? id : 0, step: at, at: position.at, past: !now,
    marks: [], arrows: [], ...marked.get(at ? id : 0), symbol: now ? live.symbol : null,
    live: now ? live.live : { ...live.live, only: [], without: [], balance: null }, row: now ? live.row : [], forbidden: now ? live.forbidden : [],
    hint: now ? live.hint : null, hints: now ? live.hints : null,
    opinion: now ? live.opinion : null, winner: now ? live.winner : null,
    position, turn: position.turn, occupied: occupied(position) };
  show();
}

let silence;
function tell(text, isWarning = false) {
  // Warnings appear in the dialog if one is open.
  const error = document.querySelector('dialog[open] .error');
  if (error && isWarning) {
    error.textContent = text;
    error.classList.remove('told');
    return;
  }
  $('message').textContent = text;
  $('message').hidden = !text;
  $('message').classList.toggle('warning', isWarning);
  clearTimeout(silence);
  if (text) silence = setTimeout(() => tell(''), Math.max(6000, 90 * text.length));
}

function warn(text) {
  tell(text, true);
}

const offersChoices = opening => !['free', 'centre', 'pro', 'long-pro'].includes(opening);

const variantWords = ({ rule, win, width, height, opening }) => [
  { freestyle: t('freestyle'), standard: t('standard (exactly)'), renju: t('renju'),
    caro: t('caro'), 'caro-overline': t('caro with overlines') }[rule],
  t('{0} in a row', win), `${width}×${height}`,
  { centre: t('centre'), pro: t('pro'), 'long-pro': t('long-pro'), swap: t('swap'),
    swap2: t('swap2') }[opening],
].filter(Boolean).join(' · ');

let shownVersion = null; // counts the changes of the position on the board
function show() {
  const fromTop = board.options.fromTop;
  $('variant').textContent = [variantWords(state), state.renju_opening].filter(Boolean).join(' · ');
  if (state.practice && !practice.part) practice.use(show);
  const puzzle = practice.part?.says(state);
  const { trainer } = state;
  const prompt = trainer && (trainer.over ? t('End of the line.')
    : trainer.side === state.turn && t('Play the next move of the openings.'));
  const status = isEditing() ? editor.part.status() : puzzle?.words ?? (prompt || translated(state.status));
  $('status').className = puzzle ? `puzzle ${puzzle.verdict}` : '';
  $('status').textContent = [hello.owns || hello.guest ? '' : t('Watching.'), status,
    isEditing() ? '' : state.queued && state.thinking !== 'analysis' ? t('Waiting for a search thread …')
      : state.thinking === 'move' ? t('Thinking …') : state.paused && !state.coach.says?.waits ? t('Paused.') : '']
    .filter(Boolean).join(' ');
  $('status').classList.toggle('over', state.over);
  const move = state.at ? state.moves[state.at - 1] : undefined;
  const last = move ? ` ${name(move, state.height, fromTop)}` : move === null ? ` ${t('pass')}` : '';
  $('counter').textContent = state.at === state.moves.length
    ? `${state.at}${last}` : `${state.at}/${state.moves.length}${last}`;
  const able = (id, on) => { $(id).disabled = !(on && state.owns); };
  if (state.owns) {
    able('first', state.can_undo);
    able('undo', state.can_undo);
    able('redo', state.can_redo);
    able('last', state.can_redo);
  } else {
    for (const id of ['first', 'undo']) $(id).disabled = !state.step;
    for (const id of ['redo', 'last']) $(id).disabled = state.step === state.line.length;
  }
  // Who does not own the position takes nothing back, and looks at other moves.
  const arrows = state.owns ? [['undo', t('Take back (U)'), '↶'], ['redo', t('Play again (R)'), '↷']]
    : [['undo', t('One stone back'), '◀'], ['redo', t('One stone on'), '▶']];
  for (const [id, title, arrow] of arrows) {
    $(id).title = title;
    $(id).querySelector('i').textContent = arrow;
  }
  if (state.version !== shownVersion) relax($('resign'));
  shownVersion = state.version;
  able('pass', state.open && !state.practice);
  able('edit', true);
  able('mark', true);
  const seat = ownSeat(state, hello);
  const going = Boolean(state.pair && !state.pair.over);
  $('hint').disabled = !(state.acts && state.analyses) || Boolean(state.end) || state.choices.length > 0
    || state.thinking === 'move';
  $('hint').textContent = state.hints?.more ? t('More') : t('Hint');
  able('now', state.thinking === 'move');
  able('pause', !state.over && !state.practice);
  able('resign', !state.over && !state.practice);
  if (going) $('resign').disabled = seat === null || !state.pair.joined;
  $('hint').hidden = going && !state.analyses;
  for (const id of ['now', 'pause']) $(id).hidden = going;
  const kinds = state.players.map(player => player.kind);
  const played = kinds.includes('human') && !state.practice;
  $('after').hidden = !(state.end && (state.owns || seat !== null) && played);
  const lost = state.winner && kinds[{ black: 0, white: 1 }[state.winner]] !== 'human';
  $('review-it').textContent = lost ? t('What went wrong?') : t('Explain the game');
  $('review-it').hidden = state.reviewed || Boolean(state.reviewing);
  const next = state.level?.suggested;
  $('next-level').hidden = !next;
  $('rematch').classList.toggle('main', !next);
  if (next) {
    $('next-level').textContent = t('Try level {0}', next);
    const why = next > state.level.level ? t('You won twice in a row.') : t('You lost twice in a row.');
    $('next-level').title = `${why} ${next} ${translated(hello.levels[next - 1].name)}`;
  }
  $('new').hidden = !hello.owns;
  $('analyse').disabled = !state.analyses;
  $('pause').textContent = state.paused ? t('Go on') : t('Pause');
  const words = { black: t('Take Black'), white: t('Take White'), more: t('Place two more') };
  const fifths = choice => t('{0} fifth {0:move|moves}', Number(choice.split('-')[1]));
  const human = state.players.find(player => player.seat === state.seat).kind === 'human';
  const choices = human && state.acts && !state.end ? state.choices : [];
  $('choices').hidden = !choices.length;
  $('acts').hidden = !($('after').hidden && $('choices').hidden);
  showChoices(choices.map(choice => [choice, words[choice] ?? fifths(choice)]));
  board.show(state);
  if (isEditing()) editor.part.draw();
  // Who chooses in a game of two people may also resign or offer something.
  if (going) $('acts').hidden = !$('after').hidden;
  $('actions').classList.toggle('both', Boolean(state.pair) && offersChoices(state.opening));
  showPlayers(state);
  if (state.pair || pair.part) {
    const shown = state;
    pair.use(part => part.show(shown, seat, hello.owns));
  }
  coach.showState(state);
  if (!state.reviewed) moves.showReview(null);
  moves.showState(state);
  analysis.showState(state);
  marks.part?.showState(state);
  deeper.part?.showState(state);
  practice.part?.showState(state);
  openings.part?.showState(state);
  if (hello.engines.length) {
    const shown = state;
    engines.use(part => part.show(shown, hello.engines, fromTop));
  }
  document.title = state.over ? `${status} – Kakugo` : 'Kakugo';
}

const COMMANDS = {
  first: () => ({ do: 'goto', ply: 0 }),
  undo: () => ({ do: 'undo' }),
  redo: () => ({ do: 'redo' }),
  last: () => ({ do: 'goto', ply: state.moves.length }),
  hint: () => ({ do: 'hint' }),
  now: () => ({ do: 'now' }),
  pause: () => ({ do: 'pause', on: !state.paused }),
  resign: () => ({ do: 'resign' }),
  rematch: () => ({ do: 'rematch' }),
  'next-level': () => ({ do: 'rematch', level: state.level.suggested }),
  'review-it': () => ({ do: 'explain' }),
};
const WATCHING = { first: -Infinity, undo: -1, redo: 1, last: Infinity };
for (const [id, command] of Object.entries(COMMANDS)) {
  $(id).addEventListener('click', () => {
    if (!state.owns && id in WATCHING) moves.step(WATCHING[id]);
    else if (id !== 'resign' || isSure($(id), t('Really?'))) send(command());
    if (id === 'review-it') reveal($('analysis'));
  });
}

// Ctrl+Z takes back a change of the editor or of comments and marks, Ctrl+Y makes it again.
function takeBack(event) {
  const key = keyOf(event);
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  const undoes = key === 'z' && !event.shiftKey;
  if (isEditing()) { if (undoes) send({ do: 'edit', edit: 'undo' }); return; }
  if (state?.owns && state[undoes ? 'can_undo_mark' : 'can_redo_mark']) send({ do: undoes ? 'undo_mark' : 'redo_mark' });
}
document.addEventListener('keydown', event => {
  const typing = event.target.closest('input:not([type=checkbox], [type=radio]), select, textarea, dialog');
  if (typing || event.altKey) return;
  if (event.ctrlKey || event.metaKey) { takeBack(event); return; }
  if (isEditing()) { editor.part.key(event); return; }
  const keys = { u: 'undo', r: 'redo', h: 'hint', Home: 'first', End: 'last', a: 'analyse' };
  const key = keyOf(event);
  const id = keys[key];
  const step = { ArrowLeft: ['step', -1], ArrowRight: ['step', 1],
    ArrowUp: ['sidestep', -1], ArrowDown: ['sidestep', 1] }[event.key];
  if (id) { $(id).click(); event.preventDefault(); }
  if (step && !event.defaultPrevented && !event.target.matches('[type=radio]')) { moves[step[0]](step[1]); event.preventDefault(); }
  if (key === 'n') {
    $('numbers').selectedIndex = ($('numbers').selectedIndex + 1) % $('numbers').options.length;
    $('numbers').dispatchEvent(new Event('change'));
  }
  if (key === 'm') $('mark').click();
  if (event.key === 'Escape' && board.tool) board.use(null);
  if (event.key === '?') { $('help').click(); event.preventDefault(); }
});

// View settings of this browser.
function applyView() {
  const rows = $('rows-from').value;
  const fromTop = rows === 'top';
  // Rows of text count as on the board until another order is chosen.
  if (fromTop !== board.options.fromTop) $('rows').value = rows;
  const numbers = $('numbers').value;
  board.options = { numbers: numbers === 'all' ? Infinity : Number(numbers), coordinates: $('coordinates').checked, fromTop,
    turns: Number($('turned').value), mirrored: $('mirrored').checked };
  const theme = $('theme').value;
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.documentElement.dataset.board = $('board-style').value;
  if (state) { show(); analysis.drawTurning(); }
}
const VIEWS = ['numbers', 'coordinates', 'turned', 'mirrored', 'rows-from', 'board-style', 'theme', 'sound', 'answer-after'];
const value = node => (node.type === 'checkbox' ? node.checked : node.value);
const kept = recall(VIEW, {});
// Once a check box.
if (typeof kept.numbers === 'boolean') kept.numbers = kept.numbers ? 'all' : '';
for (const id of VIEWS) {
  if (id in kept) $(id)[$(id).type === 'checkbox' ? 'checked' : 'value'] = kept[id];
  $(id).addEventListener('change', () => {
    remember(VIEW, Object.fromEntries(VIEWS.map(v => [v, value($(v))])));
    applyView();
  });
}
offerLanguages(() => {
  tell('');
  if (hello) preparePlayers(hello);
  for (const part of [moves, analysis, marks.part, deeper.part, openings.part, practice.part, keptGames.part,
    editor.part]) part?.translate();
  if (state) show();
}, gone);
$('help').addEventListener('click', () => help.use(part => part.showHelp(state?.rule)));
$('look').addEventListener('click', () => $('view').showModal());
applyView();
