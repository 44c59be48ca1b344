// The position editor: its card, and its position on the board instead of the game's.

import { html } from './editor.html';
import { elementOf } from './fragment.js';
import { digitOf, keyOf } from './keys.js';
import { t, translated } from './language.js';
import { linkTo, positionLink } from './link.js';
import { name } from './notation.js';
import { download, picture, pixels } from './picture.js';
import { occupied } from './position.js';
import { reveal } from './scroll.js';
import { player } from './setup.js';

const $ = id => document.getElementById(id);
const other = side => (side === 'black' ? 'white' : 'black');
const TOOLS = ['turns', 'black', 'white', 'blocked', 'empty'];

// `send` sends a command; `open` reads a file or a text into the editor.
export function positionEditor(board, send, open) {
  const card = elementOf(html);
  document.querySelector('aside').prepend(card);
  let editor = null;
  let shown = 0; // stones of the solution that are shown

  const edit = what => send({ do: 'edit', edit: what });
  const tool = () => card.querySelector('[name=editor-tool]:checked').value;
  const content = p => ['black', 'white', 'blocked'].find(what => editor[what].some(q => q.join() === p.join()));
  const nextInTurn = () => (editor.black.length > editor.white.length ? 'white' : 'black');
  const placed = () => (tool() === 'turns' ? nextInTurn() : tool());

  function put(p) {
    const [x, y] = p;
    const there = content(p);
    // A click on what is there already removes it.
    const what = there && (tool() === 'turns' || there === tool()) ? 'empty' : placed();
    if (what !== 'empty' || there) edit({ put: { x, y, what } });
  }

  // The editor's position as a state of a game.
  function asState() {
    const stones = new Map();
    for (const side of ['black', 'white']) {
      for (const p of editor[side]) stones.set(p.join(), { p, side });
    }
    const blocked = new Map(editor.blocked.map(p => [p.join(), p]));
    const position = { stones, blocked, last: null, turn: editor.turn };
    const { width, height, rule, win, row, forbidden, turn } = editor;
    const isStone = ['black', 'white'].includes(placed());
    return { width, height, rule, win, row, forbidden, position, occupied: occupied(position),
      turn: isStone ? placed() : turn, open: isStone, at: 0, marks: [], hint: null,
      offered: [] };
  }

  function draw() {
    if (!editor) return;
    const line = editor.solution?.line ?? [];
    const ghosts = line.slice(0, shown).map((p, i) =>
      ({ p, side: i % 2 ? other(editor.turn) : editor.turn, label: i + 1 }));
    board.cover({ state: asState(), overlay: { ghosts }, chosen: put });
    $('editor-walk').hidden = $('editor-line').hidden = !line.length;
    $('editor-count').textContent = t('{0} of {1}', shown, line.length);
    const steps = line.map((p, i) => {
      const made = editor.solution.makes[i];
      const text = [name(p, editor.height, board.options.fromTop), made && translated(made)].filter(Boolean);
      const node = Object.assign(document.createElement('span'),
        { textContent: `${i + 1}. ${text.join(' ')}`, className: i < shown ? '' : 'later' });
      return node;
    });
    $('editor-line').replaceChildren(...steps.flatMap(node => [node, ' ']));
  }

  function showFields() {
    const { width, height, rule, turn, assumed, can_undo: canUndo, objection, remark, solving, queued, solution }
      = editor;
    const set = (id, value) => { if (document.activeElement !== $(id)) $(id).value = value; };
    set('editor-side', assumed ? '' : turn);
    set('editor-rule', rule);
    set('editor-width', width);
    set('editor-height', height);
    $('editor-undo').disabled = !canUndo;
    $('editor-says').textContent = objection ? translated(objection) : remark ? translated(remark)
      : turn === 'black' ? t('Black is to move.') : t('White is to move.');
    for (const id of ['editor-play', 'editor-solve']) $(id).disabled = Boolean(objection) && !solving;
    $('editor-solve').textContent = solving ? t('Stop') : t('Solve');
    $('editor-result').textContent = queued ? t('Waiting for a search thread …')
      : solving ? t('Searching …') : solution ? translated(solution.words) : '';
  }

  const players = () => [0, 1].map(i => ({ player: player($(`editor-player-${i}`).value), name: '' }));
  function fillPlayers() {
    for (const i of [0, 1]) {
      const select = $(`editor-player-${i}`);
      const chosen = select.value;
      select.replaceChildren(...[...$(`player-${i}`).children].map(node => node.cloneNode(true)));
      select.value = chosen || (i ? $('player-1').value : 'human');
      if (!select.value) select.value = 'human';
    }
  }

  for (const radio of card.querySelectorAll('[name=editor-tool]')) radio.addEventListener('change', draw);
  for (const button of card.querySelectorAll('[data-turn]')) {
    button.addEventListener('click', () => edit({ turn: { turn: button.dataset.turn } }));
  }
  for (const button of card.querySelectorAll('[data-walk]')) {
    button.addEventListener('click', () => {
      const end = editor.solution?.line.length ?? 0;
      const to = { first: 0, back: shown - 1, on: shown + 1, last: end }[button.dataset.walk];
      shown = Math.max(0, Math.min(end, to));
      draw();
    });
  }
  const click = (id, act) => $(id).addEventListener('click', act);
  const setBoard = () => {
    const [width, height] = [Number($('editor-width').value), Number($('editor-height').value)];
    const rule = $('editor-rule').value;
    const free = ['freestyle', 'standard'].includes(rule);
    if (width > 0 && height > 0 && width < 256 && height < 256) {
      edit({ board: { width, height, rule, win: free ? editor.win : 5 } });
    }
  };
  for (const id of ['editor-width', 'editor-height', 'editor-rule']) $(id).addEventListener('change', setBoard);
  $('editor-side').addEventListener('change', () => edit({ side: { side: $('editor-side').value || null } }));
  click('editor-close', () => edit('end'));
  click('editor-undo', () => edit('undo'));
  click('editor-clear', () => edit('clear'));
  click('editor-play', () => edit({ use: { seats: players() } }));
  click('editor-analyse', () => edit({ use: { analyse: Number($('lines').value) } }));
  click('editor-keep', () => edit({ use: {} }));
  click('editor-solve', () => edit(editor.solving ? 'stop'
    : { solve: { method: $('editor-method').value, ms: Number($('editor-time').value) } }));
  click('editor-read', () => { if ($('editor-text').value.trim()) open($('editor-text').value); });
  $('editor-file').addEventListener('change', () => {
    const [file] = $('editor-file').files;
    if (file) open(file);
    $('editor-file').value = '';
  });
  const link = () => linkTo(positionLink({ ...asState(), at: 0, step: 0, moves: [], sides: [], steps: [], edits: [],
    start: { black: editor.black, white: editor.white, blocked: editor.blocked, removed: [], turn: editor.turn } }));
  click('editor-link', async () => {
    try {
      await navigator.clipboard.writeText(link());
      $('editor-result').textContent = t('Copied.');
    } catch {
      $('editor-text').value = link();
      $('editor-text').select();
    }
  });
  click('editor-svg', () => download('position.svg', 'image/svg+xml', picture($('board'))));
  click('editor-png', async () => download('position.png', 'image/png', await pixels($('board'))));

  return {
    show(next) {
      const began = next && !editor;
      const before = editor?.solution;
      editor = next;
      document.body.toggleAttribute('data-editing', Boolean(editor));
      $('editor-error').textContent = '';
      if (!editor) { board.cover(null); return; }
      if (began) fillPlayers();
      if (JSON.stringify(before) !== JSON.stringify(editor.solution)) shown = editor.solution?.line.length ?? 0;
      showFields();
      draw();
      // On a phone the button is below the board.
      if (began) reveal($('frame'));
    },
    draw,
    isOpen: () => Boolean(editor),
    // The rule for texts that do not state it.
    rule: () => editor?.rule ?? '',
    error(why) { $('editor-error').textContent = why; },
    status: () => (editor.turn === 'black' ? t('Position editor: Black is to move.')
      : t('Position editor: White is to move.')),
    key(event) {
      const at = TOOLS[digitOf(event) - 1];
      if (at) {
        card.querySelector(`[value=${at}]`).checked = true;
        draw();
      } else if (keyOf(event) === 'u') edit('undo');
      else if (event.key === 'Escape') edit('end');
      else return;
      event.preventDefault();
    },
    translate() {
      if (!editor) return;
      fillPlayers();
      showFields();
      draw();
    },
  };
}
