// Saved games: listed with small boards, opened, exported, deleted.

import { t, translated } from './language.js';
import { save } from './records.js';
import { exportsAll } from './transport.js';
import { isSure } from './confirm.js';
import { smallBoard } from './small-board.js';

const $ = id => document.getElementById(id);

function button(text, title, click) {
  const node = document.createElement('button');
  Object.assign(node, { type: 'button', textContent: text, title });
  node.addEventListener('click', () => click(node));
  return node;
}

export function keptDialog(send) {
  const dialog = $('kept');
  let listed = [];

  function forget(node, id) {
    if (isSure(node, t('Really?'))) send({ do: 'forget', id });
  }

  function exportGame(id) {
    save(`./games/${id}.sgf`).catch(error => { $('kept-error').textContent = error.message; });
  }

  $('kept-all').addEventListener('click', () => {
    save('./games.sgf').catch(error => { $('kept-error').textContent = error.message; });
  });

  function row(game) {
    const item = document.createElement('li');
    item.dataset.id = game.id;
    const words = document.createElement('div');
    const names = document.createElement('b');
    const [black, white] = [translated(game.black), translated(game.white)];
    names.textContent = `${black} – ${white}`;
    const won = { black: t('{0} won', black), white: t('{0} won', white), draw: t('a draw') }[game.result];
    const told = document.createElement('p');
    told.textContent = [game.date, `${translated(game.variant)} ${game.width}×${game.height}`,
      t('{0} {0:move|moves}', game.moves), won ?? t('unfinished'),
      game.own ? t('on the board') : '']
      .filter(Boolean).join(' · ');
    const buttons = document.createElement('div');
    buttons.className = 'row';
    buttons.append(
      button(t('Open'), t('Go on with this game'), () => send({ do: 'open', id: game.id })),
      button(t('Export'), t('Save as SGF'), () => exportGame(game.id)),
      button(t('Delete'), t('Delete for good'), node => forget(node, game.id)));
    words.append(names, told, buttons);
    item.append(smallBoard(game), words);
    return item;
  }

  return {
    ask() {
      $('kept-error').textContent = '';
      send({ do: 'games' });
    },
    show({ games }) {
      listed = games;
      $('kept-none').hidden = games.length > 0;
      $('kept-all').hidden = !exportsAll || !games.length;
      $('kept-list').replaceChildren(...games.map(row));
      if (!dialog.open) dialog.showModal();
    },
    translate: () => $('kept-list').replaceChildren(...listed.map(row)),
    error: why => { $('kept-error').textContent = why; },
    close: () => dialog.close(),
  };
}
