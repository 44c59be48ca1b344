// The games that are kept: listed with small boards, opened, exported, deleted.

import { element } from './board.js';
import { isSure } from './sure.js';

const $ = id => document.getElementById(id);

// The final position in a few strokes.
export function smallBoard({ width, height, moves }) {
  const svg = element('svg', { class: 'small', viewBox: `-1 -1 ${width + 1} ${height + 1}` });
  svg.setAttribute('aria-hidden', 'true');
  let lines = '';
  for (let x = 0; x < width; x++) lines += `M${x} 0v${height - 1}`;
  for (let y = 0; y < height; y++) lines += `M0 ${y}h${width - 1}`;
  element('path', { class: 'small-grid', d: lines }, svg);
  moves.forEach(([cx, cy], i) =>
    element('circle', { class: i % 2 ? 'small-white' : 'small-black', cx, cy, r: .46 }, svg));
  return svg;
}

function button(text, title, click) {
  const node = document.createElement('button');
  Object.assign(node, { type: 'button', textContent: text, title });
  node.addEventListener('click', () => click(node));
  return node;
}

export function keptDialog(send) {
  const dialog = $('kept');
  $('games').addEventListener('click', () => {
    $('kept-error').textContent = '';
    send({ do: 'games' });
  });

  function forget(node, id) {
    if (isSure(node, 'Really?')) send({ do: 'forget', id });
  }

  function row(game) {
    const item = document.createElement('li');
    item.dataset.id = game.id;
    const words = document.createElement('div');
    const names = document.createElement('b');
    names.textContent = `${game.black} – ${game.white}`;
    const won = { black: `${game.black} won`, white: `${game.white} won`, draw: 'a draw' }[game.result];
    const told = document.createElement('p');
    told.textContent = [game.date, `${game.variant} ${game.width}×${game.height}`,
      `${game.moves.length} moves`, won ?? 'unfinished', game.own ? 'on the board' : '']
      .filter(Boolean).join(' · ');
    const buttons = document.createElement('div');
    buttons.className = 'row';
    buttons.append(
      button('Open', 'Go on with this game', () => send({ do: 'open', id: game.id })),
      button('Export', 'Save as SGF', () => send({ do: 'export', id: game.id })),
      button('Delete', 'Delete for good', node => forget(node, game.id)));
    words.append(names, told, buttons);
    item.append(smallBoard(game), words);
    return item;
  }

  return {
    show({ games }) {
      $('kept-none').hidden = games.length > 0;
      $('kept-list').replaceChildren(...games.map(row));
      if (!dialog.open) dialog.showModal();
    },
    error: why => { $('kept-error').textContent = why; },
    isOpen: () => dialog.open,
    close: () => dialog.close(),
  };
}
