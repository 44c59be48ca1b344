// The dialog for a new game. It starts with the game on the board, or with the last choice.

import { t, translated } from './language.js';
import { recall, remember } from './storage.js';
import { hasSpectators } from './transport.js';

const LAST = 'kakugo-setup';
const $ = id => document.getElementById(id);

function group(label, options) {
  const node = Object.assign(document.createElement('optgroup'), { label });
  node.append(...options.map(([value, text]) => new Option(text, value)));
  return node;
}

export function preparePlayers(hello) {
  const levels = hello.levels.map((level, i) =>
    [`kakugo:${i + 1}`, `${i + 1} ${translated(level.name)} · ${level.rating}`]);
  const engines = hello.engines.map((engine, i) => [`engine:${i}`, engine]);
  for (const i of [0, 1]) {
    const groups = [group(t('Kakugo: level · Elo above level 1'), levels)];
    if (engines.length) groups.push(group(t('Other engines'), engines));
    const chosen = $(`player-${i}`).value;
    const friend = hasSpectators ? [new Option(t('A friend on another device'), 'friend')] : [];
    $(`player-${i}`).replaceChildren(new Option(t('Human'), 'human'), ...friend, ...groups);
    put(`player-${i}`, chosen);
  }
}

const FIELDS = ['rule', 'win', 'width', 'height', 'player-0', 'player-1', 'name-0', 'name-1',
  'opening', 'clock', 'turn-time', 'game-time', 'increment', 'periods', 'period', 'thought'];

// Fills in a field, unless the value is not valid for it.
function put(id, value) {
  const field = $(id);
  const before = field.value;
  field.value = value;
  if (field.value === '' && field.type !== 'text') field.value = before;
}

const shownAs = ({ seat, kind, number }, pair) =>
  (pair?.guest === seat ? 'friend' : kind === 'human' ? 'human' : `${kind}:${number}`);

// A player's name, unless it is a default name. A game from a file may have that of another player.
function givenName({ name }, { engines }) {
  const numbered = ['Kakugo', ...engines].flatMap(base => [base, `${base} 1`, `${base} 2`]);
  const filledIn = ['Human', 'Host', 'Guest', 'Black', 'White', 'Player {0}', 'Kakugo {0}',
    'Kakugo {0} {1}', 'Kakugo · {0} ({1})', ...numbered];
  return filledIn.includes([name].flat()[0]) ? '' : translated(name);
}

// The values of the fields for the game on the board; unused fields keep theirs.
function fieldsOf(state, hello) {
  const { rule, win, width, height, opening, time, players, pair } = state;
  const [turn, game, periods] = [time.turn !== null, time.game !== null, time.byoyomi];
  return {
    rule, win, width, height, opening,
    clock: periods ? 'byoyomi' : turn && game ? 'both' : turn ? 'turn' : game ? 'game' : 'none',
    ...turn && { 'turn-time': time.turn / 1000 },
    ...game && { 'game-time': time.game / 60000, increment: time.increment / 1000 },
    ...periods && { periods: periods[0], period: periods[1] / 1000 },
    ...!turn && !game && !periods && { thought: time.thought / 1000 },
    ...Object.fromEntries(players.flatMap((player, i) =>
      [[`player-${i}`, shownAs(player, pair)], [`name-${i}`, givenName(player, hello)]])),
  };
}

// The game of the program without options.
const PLAIN = { rule: 'freestyle', win: 5, width: 15, height: 15, opening: 'free', clock: 'none',
  thought: 2, 'player-0': 'human', 'name-0': '', 'name-1': '' };

function fill(state, hello) {
  const own = fieldsOf(state, hello);
  const plain = !state.moves.length && own['player-1'].startsWith('kakugo:')
    && Object.entries(PLAIN).every(([field, value]) => own[field] === value);
  const last = recall(LAST, {});
  // The level may have been changed after a game.
  for (const field of ['player-0', 'player-1']) {
    if (String(last[field]).startsWith('kakugo:') && state.level) last[field] = `kakugo:${state.level.level}`;
  }
  const values = plain || state.practice ? { ...own, ...last } : own;
  for (const field of FIELDS) if (field in values) put(field, values[field]);
  adapt();
}

// Shows only the fields that apply. Invalid values in the others must not prevent a new game.
function adapt() {
  const clock = $('clock').value;
  const show = (selector, on) => document.querySelectorAll(selector).forEach(node => {
    node.hidden = !on;
    node.querySelector('input').disabled = !on;
  });
  show('.turn-only', clock === 'turn' || clock === 'both');
  show('.game-only', ['game', 'both', 'byoyomi'].includes(clock));
  show('.byoyomi-only', clock === 'byoyomi');
  show('.unclocked', clock === 'none');
  const free = ['freestyle', 'standard'].includes($('rule').value);
  $('win').disabled = !free;
  if (!free) $('win').value = '5';
}

export function player(value) {
  const [kind, number] = value.split(':');
  return ['human', 'friend'].includes(kind) ? 'human' : { [kind]: Number(number) };
}

const isFriend = seat => $(`player-${seat}`).value === 'friend';

// The seat of a friend on another device, or -1.
export const friendSeat = () => [0, 1].findIndex(isFriend);

export function readSetup() {
  const number = id => Number($(id).value);
  const clock = $('clock').value;
  const ms = (id, unit) => Math.round(number(id) * unit);
  return {
    width: number('width'), height: number('height'),
    rule: $('rule').value, win: number('win'),
    seats: [0, 1].map(i => ({ name: $(`name-${i}`).value, player: player($(`player-${i}`).value) })),
    opening: $('opening').value,
    turn_ms: clock === 'turn' || clock === 'both' ? ms('turn-time', 1000) : null,
    game_ms: ['game', 'both', 'byoyomi'].includes(clock) ? ms('game-time', 60000) : null,
    increment_ms: ['game', 'both', 'byoyomi'].includes(clock) ? ms('increment', 1000) : 0,
    byoyomi: clock === 'byoyomi' ? { periods: number('periods'), period_ms: ms('period', 1000) } : null,
    thought_ms: clock === 'none' ? ms('thought', 1000) : null,
  };
}

// `start` is called with the set-up; `current` returns the state of the board and the hello message.
export function setupDialog(start, current, coach) {
  const dialog = $('setup');
  $('new').addEventListener('click', () => {
    const { state, hello } = current();
    if (state) fill(state, hello);
    $('coach-size').value = coach();
    $('setup-error').textContent = '';
    dialog.showModal();
  });
  $('setup-cancel').addEventListener('click', () => dialog.close());
  $('rule').addEventListener('change', adapt);
  $('clock').addEventListener('change', adapt);
  $('exchange').addEventListener('click', () => {
    for (const field of ['player', 'name']) {
      const [a, b] = [$(`${field}-0`), $(`${field}-1`)];
      [a.value, b.value] = [b.value, a.value];
    }
  });
  function go(playersOnly) {
    if ([0, 1].every(isFriend)) {
      $('setup-error').textContent = t('Only one friend can join: choose another player for the other seat.');
      return;
    }
    if (playersOnly && friendSeat() >= 0) {
      $('setup-error').textContent = t('A friend joins with a new game: press Start.');
      return;
    }
    const asked = playersOnly ? FIELDS.filter(field => /^(player|name)-/.test(field)) : FIELDS;
    const values = Object.fromEntries(asked.map(field => [field, $(field).value]));
    remember(LAST, { ...recall(LAST, {}), ...values });
    start(readSetup(), playersOnly);
  }
  // Not a submit button: Enter in a field presses the first of those.
  $('setup-players').addEventListener('click', () => go(true));
  dialog.querySelector('form').addEventListener('submit', event => {
    event.preventDefault();
    go(false);
  });
  return {
    refused(why) {
      $('setup-error').textContent = why;
      $('setup-error').scrollIntoView({ block: 'nearest' });
    },
    close: () => dialog.close(),
    isOpen: () => dialog.open,
  };
}
