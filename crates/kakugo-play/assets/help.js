// Help: the rules of each variant, the terms, and the keys.

import { DIAGRAMS, diagram } from './diagrams.js';
import { t } from './language.js';

function make(tag, text, ...children) {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
}

// Diagrams with their words.
function figure(words, ...kinds) {
  const term = make('b', words[0]);
  const drawings = kinds.map(kind => diagram(DIAGRAMS[kind], words[0]));
  return make('figure', '', make('div', '', ...drawings), make('figcaption', '', term, ` ${words[1]}`));
}

const wins = kind => figure([t('Wins.'), ''], kind);
const winsNot = kind => figure([t('Does not win.'), ''], kind);

// What each rule says, in words and diagrams.
const rules = {
  freestyle: () => [
    make('p', t('Five or more stones in a row win, for both colours. Nothing is forbidden.')),
    wins('five'), wins('six'),
  ],
  standard: () => [
    make('p', t('Exactly five stones in a row win, for both colours. Six or more do not. Nothing is forbidden.')),
    wins('five'), winsNot('six'),
  ],
  renju: () => [
    make('p', t('White wins with five or more in a row. Black has the first move, wins with exactly five, and may not play at some points. The board marks them with a cross.')),
    figure([t('Overline:'), t('six or more black stones in a row.')], 'overline'),
    figure([t('Double four:'), t('two fours by one black stone.')], 'double_four'),
    figure([t('Double three:'), t('two open threes by one black stone. A three counts only if it can become an open four by a move that is allowed.')], 'forbidden_three'),
    make('p', t('A stone that makes exactly five always wins, whatever else it makes.')),
  ],
  caro: () => [
    make('p', t('Exactly five stones in a row win, unless stones of the opponent stand at both ends.')),
    wins('five'), winsNot('enclosed'), winsNot('six'),
  ],
  'caro-overline': () => [
    make('p', t('Five stones in a row win, unless stones of the opponent stand at both ends. Six or more win, too.')),
    wins('five'), winsNot('enclosed'), wins('six'),
  ],
};

const terms = () => [
  figure([t('Open four:'), t('four in a row with both ends free. It becomes five at either end, so it cannot be stopped.')], 'open_four'),
  figure([t('Four:'), t('one point makes it five. The opponent must play there at once.')], 'four', 'split_four'),
  figure([t('Open three:'), t('one more stone makes it an open four. So it must be stopped now, not a move later.')], 'open_three', 'split_three'),
  figure([t('To stop a three,'), t('play next to it, or between its stones. White threatens here.')], 'stops'),
  figure([t('Double threat:'), t('one stone makes two threats, and only one of them can be stopped. Games are won this way.')], 'four_three', 'double_three'),
];

const keys = () => [
  ['← →', t('step through the moves')],
  ['↑ ↓', t('step through variations')],
  ['Home, End', t('go to the first and last move')],
  ['Tab, ← ↑ → ↓, Enter', t('play on the board')],
  ['U, R', t('undo, redo')],
  ['H', t('hint: region, idea, move')],
  ['A', t('analysis')],
  ['N', t('move numbers: none, last, last five, all')],
  ['M, Esc', t('symbols, marks and arrows; end them')],
  ['Ctrl+Z, Ctrl+Y', t('take back changes of comments and marks, make them again')],
  ['?', t('this help')],
];

const names = () => ({
  freestyle: t('Freestyle – five or more'),
  standard: t('Standard – exactly five'),
  renju: t('Renju – forbidden moves'),
  caro: t('Caro – five, not enclosed'),
  'caro-overline': t('Caro, six wins too'),
});

function node(tag, attributes, ...children) {
  const made = make(tag, '', ...children);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Opens the dialog with the rule of the game on the board. It is drawn anew each time, in the language of
// the page.
export function showHelp(rule) {
  document.getElementById('help-dialog')?.remove();
  const options = Object.entries(names()).map(([value, words]) => new Option(words, value));
  const choice = node('select', { id: 'help-rule', 'aria-label': t('Rule') }, ...options);
  choice.value = rule in rules ? rule : 'freestyle';
  const shown = node('div', { id: 'help-rules', class: 'figures' });
  const draw = () => shown.replaceChildren(...rules[choice.value]());
  choice.addEventListener('change', draw);
  draw();
  const rows = keys().map(([key, words]) => make('tr', '', make('th', '', make('kbd', key)), make('td', words)));
  const close = node('button', { class: 'main' }, t('Close'));
  const form = node('form', { method: 'dialog' }, make('h2', t('Rules')), choice, shown, make('h2', t('Terms')),
    node('div', { id: 'help-terms', class: 'figures' }, ...terms()), make('h2', t('Keys')),
    node('table', { id: 'help-keys' }, ...rows), node('div', { class: 'row end' }, close));
  const dialog = node('dialog', { id: 'help-dialog', 'aria-label': t('Help') }, form);
  document.body.append(dialog);
  dialog.showModal();
}
