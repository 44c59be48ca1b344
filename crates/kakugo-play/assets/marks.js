// Symbols of moves, and marks and arrows on the board: what a click draws while the tools are open.

import { html } from './marks.html';
import { elementOf } from './fragment.js';
import { t } from './language.js';
import { letters, name } from './notation.js';

const $ = id => document.getElementById(id);

export function markTools(board, send) {
  const card = elementOf(html);
  card.hidden = true;
  $('moves').append(card);
  let state = null;
  let from = null; // the beginning of an arrow

  const chosen = () => card.querySelector('[name=mark-tool]:checked')?.value;
  const toSend = command => send({ ...command, id: state.node });

  // The first letter or number that no mark of the position has.
  function free(kind) {
    const used = new Set(state.marks.map(([, , , text]) => text));
    const text = i => (kind === 'letter' ? letters(i).toUpperCase() : String(i + 1));
    let i = 0;
    while (used.has(text(i))) i++;
    return text(i);
  }

  // A second click with letters or numbers deletes the mark.
  function label(kind, [x, y]) {
    const isThere = state.marks.some(([a, b, sign]) => a === x && b === y && sign === 'label');
    return isThere ? null : { label: { text: free(kind) } };
  }

  function draw(p) {
    const tool = chosen();
    const [x, y] = p;
    if (tool === 'arrow') {
      if (!from) { from = p; say(); return; }
      arrow(from, p);
      return;
    }
    const sign = tool === 'none' ? null : ['letter', 'number'].includes(tool) ? label(tool, p) : tool;
    if (tool === 'none') {
      for (const [begin, end] of state.arrows) {
        if ([begin, end].some(q => q.join() === p.join())) toSend({ do: 'arrow', from: begin, to: end });
      }
      if (!state.marks.some(([a, b]) => a === x && b === y)) return;
    }
    toSend({ do: 'mark', x, y, sign });
  }

  function arrow(begin, end) {
    from = null;
    if (begin.join() !== end.join()) toSend({ do: 'arrow', from: begin, to: end });
    say();
  }

  // The arrow's beginning is shown as a cursor.
  function say() {
    board.showCursor(from);
    const at = from && name(from, state.height, board.options.fromTop);
    const words = !chosen() ? t('Choose a symbol for the move, or what clicks on the board draw.')
      : from ? t('Arrow from {0}: choose its end.', at)
        : chosen() === 'arrow' ? t('Drag from point to point, or choose both ends.')
          : t('Clicks on the board draw. The same again deletes.');
    $('mark-says').textContent = words;
  }

  const tool = {
    chosen: draw,
    drawn: (begin, end) => { if (chosen() === 'arrow') arrow(begin, end); },
    ended() {
      from = null;
      for (const radio of card.querySelectorAll('[name=mark-tool]')) radio.checked = false;
      if (state) say();
    },
  };

  for (const radio of card.querySelectorAll('[name=mark-tool]')) {
    radio.addEventListener('change', () => {
      from = null;
      if (board.tool !== tool) {
        const { value } = radio;
        board.use(tool);
        card.querySelector(`[value=${value}]`).checked = true;
      }
      say();
    });
  }
  for (const button of card.querySelectorAll('[data-symbol]')) {
    button.addEventListener('click', () => {
      const { symbol } = button.dataset;
      toSend({ do: 'judge', symbol: state.symbol === symbol ? null : symbol });
    });
  }
  $('mark-undo').addEventListener('click', () => send({ do: 'undo_mark' }));
  $('mark-redo').addEventListener('click', () => send({ do: 'redo_mark' }));
  $('mark-clear').addEventListener('click', () => toSend({ do: 'clear_marks' }));
  $('mark-close').addEventListener('click', () => show(false));

  function show(on) {
    card.hidden = !on;
    $('mark').setAttribute('aria-expanded', on);
    if (!on && board.tool === tool) board.use(null);
    if (on) {
      say();
      card.scrollIntoView({ block: 'nearest' });
    }
  }

  return {
    toggle() { show(card.hidden); },
    close() { show(false); },
    isOpen: () => !card.hidden,
    showState(next) {
      if (from && next.node !== state?.node) from = null;
      state = next;
      if (!state.owns && !card.hidden) show(false);
      for (const button of card.querySelectorAll('[data-symbol]')) {
        button.setAttribute('aria-pressed', button.dataset.symbol === state.symbol);
        button.disabled = !state.at || state.moves.length === 0;
      }
      $('mark-undo').disabled = !state.can_undo_mark;
      $('mark-redo').disabled = !state.can_redo_mark;
      $('mark-clear').disabled = !state.marks.length && !state.arrows.length;
    },
    translate() { if (state) say(); },
  };
}
