// Saved games: listed with small boards, opened, exported, deleted.

import { html } from './study.html';
import { elementOf } from './fragment.js';
import { t, translated } from './language.js';
import { download } from './picture.js';
import { save } from './records.js';
import { exportsAll, get } from './transport.js';
import { isSure } from './confirm.js';
import { smallBoard } from './small-board.js';

const $ = id => document.getElementById(id);

function button(text, title, click) {
  const node = document.createElement('button');
  Object.assign(node, { type: 'button', textContent: text, title });
  node.addEventListener('click', () => click(node));
  return node;
}

// A study in the order of its titles: 2 comes before 10.
const inOrder = (a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }) || a.id.localeCompare(b.id);

// `current` returns the state of the game on the board.
export function keptDialog(send, current) {
  const dialog = $('kept');
  $('kept-list').before(elementOf(html));
  let listed = [];
  let shown = ''; // the study that is listed; empty: all games
  let asked = false; // true if the next list is to be shown; others only update it

  const describe = () => {
    send({ do: 'describe', study: $('study-name').value, title: $('study-title').value });
    send({ do: 'games' });
  };
  for (const id of ['study-name', 'study-title']) {
    $(id).addEventListener('change', describe);
    $(id).addEventListener('keydown', event => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      $(id).blur();
    });
  }
  $('chapter-empty').addEventListener('click', () => send({ do: 'chapter', from_position: false }));
  $('chapter-position').addEventListener('click', () => send({ do: 'chapter', from_position: true }));
  $('study-shown').addEventListener('change', () => {
    shown = $('study-shown').value;
    draw();
  });
  // One SGF file with all games of the study.
  $('study-save').addEventListener('click', async () => {
    try {
      const texts = [];
      for (const { id } of inStudy()) texts.push(await (await get(`./games/${id}.sgf`)).text());
      download(`${shown.replace(/[^\p{L}\p{N}._ -]/gu, '_')}.sgf`, 'application/x-go-sgf', texts.join(''));
    } catch (error) {
      $('kept-error').textContent = error.message;
    }
  });

  const inStudy = () => (shown ? listed.filter(game => game.study === shown).sort(inOrder) : listed);

  function draw() {
    const { study, title } = current();
    const studies = [...new Set(listed.map(game => game.study).filter(Boolean))].sort();
    if (!studies.includes(shown)) shown = '';
    $('study-choice').hidden = !studies.length;
    // The menu may be open.
    const names = ['', ...studies].map(name => [name, name || t('All games')]);
    const known = [...$('study-shown').options].map(option => [option.value, option.textContent]);
    if (JSON.stringify(names) !== JSON.stringify(known)) {
      $('study-shown').replaceChildren(...names.map(([value, textContent]) => Object.assign(
        document.createElement('option'), { value, textContent })));
    }
    $('study-shown').value = shown;
    $('study-save').disabled = !shown;
    for (const [id, value] of [['study-name', study], ['study-title', title]]) {
      if (document.activeElement !== $(id)) $(id).value = value;
    }
    for (const id of ['chapter-empty', 'chapter-position']) $(id).disabled = !study;
    for (const id of ['study-name', 'study-title']) $(id).disabled = !current().owns;
    drawList();
  }

  // A click may have begun on the buttons of an item, so that items that remain keep their place.
  function drawList() {
    const list = $('kept-list');
    const games = inStudy();
    const ids = games.map(game => game.id);
    for (const item of [...list.children]) if (!ids.includes(item.dataset.id)) item.remove();
    const known = new Map([...list.children].map(item => [item.dataset.id, item]));
    games.forEach((game, i) => {
      const item = known.get(game.id) ?? newItem(game.id);
      if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
      fill(item, game);
    });
  }

  function forget(node, id) {
    if (isSure(node, t('Really?'))) send({ do: 'forget', id });
  }

  function exportGame(id) {
    save(`./games/${id}.sgf`).catch(error => { $('kept-error').textContent = error.message; });
  }

  $('kept-all').addEventListener('click', () => {
    save('./games.sgf').catch(error => { $('kept-error').textContent = error.message; });
  });

  function newItem(id) {
    const item = document.createElement('li');
    item.dataset.id = id;
    const words = document.createElement('div');
    const buttons = document.createElement('div');
    buttons.className = 'row';
    buttons.append(
      button(t('Open'), t('Go on with this game'), () => send({ do: 'open', id })),
      button(t('Export'), t('Save as SGF'), () => exportGame(id)),
      button(t('Delete'), t('Delete for good'), node => forget(node, id)));
    words.append(buttons);
    item.append(words);
    return item;
  }

  // Shows a game above the buttons of its item.
  function fill(item, game) {
    const says = JSON.stringify(game);
    if (item.says === says) return;
    item.says = says;
    const names = document.createElement('b');
    const [black, white] = [translated(game.black), translated(game.white)];
    names.textContent = `${black} – ${white}`;
    const won = { black: t('{0} won', black), white: t('{0} won', white), draw: t('a draw') }[game.result];
    const told = document.createElement('p');
    told.textContent = [game.date, `${translated(game.variant)} ${game.width}×${game.height}`,
      t('{0} {0:move|moves}', game.moves), won ?? t('unfinished'),
      game.own ? t('on the board') : '']
      .filter(Boolean).join(' · ');
    const about = [game.study, game.title].filter(Boolean).join(': ');
    const nodes = [names];
    if (about) nodes.push(Object.assign(document.createElement('p'), { className: 'about', textContent: about }));
    const words = item.querySelector('div');
    while (words.children.length > 1) words.firstChild.remove();
    words.prepend(...nodes, told);
    item.querySelector('svg')?.remove();
    item.prepend(smallBoard(game));
  }

  return {
    ask() {
      $('kept-error').textContent = '';
      asked = true;
      send({ do: 'games' });
    },
    // Whether the next list is to be shown.
    expect(shows = true) { asked = shows; },
    show({ games }) {
      listed = games;
      $('kept-none').hidden = games.length > 0;
      $('kept-all').hidden = !exportsAll || !games.length;
      draw();
      if (asked && !dialog.open) dialog.showModal();
      asked = false;
    },
    translate() {
      $('kept-list').replaceChildren();
      draw();
    },
    error: why => { $('kept-error').textContent = why; $('kept-error').classList.remove('told'); },
    note: text => { $('kept-error').textContent = text; $('kept-error').classList.add('told'); },
    close: () => dialog.close(),
  };
}
