// The dialog in which a game is set up; it remembers the last choice.

import { t, translated } from './language.js';
import { recall, remember } from './memory.js';

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
    $(`player-${i}`).replaceChildren(new Option(t('Human'), 'human'), ...groups);
  }
  $('player-1').value = `kakugo:${hello.level ?? hello.levels.length}`;
  restore();
}

const FIELDS = ['rule', 'win', 'width', 'height', 'player-0', 'player-1', 'name-0', 'name-1',
  'opening', 'clock', 'turn-time', 'game-time', 'increment', 'thought'];

function restore() {
  const last = recall(LAST, {});
  for (const field of FIELDS) {
    if (field in last) $(field).value = last[field];
    if ($(field).value === '' && $(field).options) $(field).selectedIndex = 0;
  }
  adapt();
}

// Show only the fields that mean something.
function adapt() {
  const clock = $('clock').value;
  const show = (selector, on) =>
    document.querySelectorAll(selector).forEach(node => { node.hidden = !on; });
  show('.turn-only', clock === 'turn' || clock === 'both');
  show('.game-only', clock === 'game' || clock === 'both');
  show('.unclocked', clock === 'none');
  const free = ['freestyle', 'standard'].includes($('rule').value);
  $('win').disabled = !free;
  if (!free) $('win').value = '5';
}

function player(value) {
  const [kind, number] = value.split(':');
  return kind === 'human' ? 'human' : { [kind]: Number(number) };
}

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
    game_ms: clock === 'game' || clock === 'both' ? ms('game-time', 60000) : null,
    increment_ms: clock === 'game' || clock === 'both' ? ms('increment', 1000) : 0,
    thought_ms: ms('thought', 1000),
  };
}

// `start` is given the set-up and says whether it could be sent.
export function setupDialog(start) {
  const dialog = $('setup');
  $('new').addEventListener('click', () => { $('setup-error').textContent = ''; dialog.showModal(); });
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
    remember(LAST, Object.fromEntries(FIELDS.map(field => [field, $(field).value])));
    start(readSetup(), playersOnly);
  }
  // No button of the form: Enter in a field presses the first of those.
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
