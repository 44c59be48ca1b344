// Records: open, save, share, and pictures of the board.

import { t, translated } from './language.js';
import { addresses, linkTo, positionLink } from './link.js';
import { download, picture, pixels } from './picture.js';
import { get, hasSpectators, post } from './transport.js';

const $ = id => document.getElementById(id);

// True for a game from the empty board without passes.
const isUsual = ({ start, moves, edits }) => !edits.length && !moves.includes(null)
  && start.turn === 'black' && !start.black.length && !start.white.length && !start.blocked.length;

// Saves a file of the room under its own name.
export async function save(path, query = '') {
  const blob = await get(path + query);
  download(path.split('/').at(-1), blob.type, blob);
}

// The description of a file's game in one line.
function inWords({ title, black, white, event, date, variant, moves, result }) {
  const won = { black: t('Black won'), white: t('White won'), draw: t('a draw') }[result];
  // A name such as "Ann – Bob" names the players already.
  const isNamed = title && [black, white].every(player => title.includes(translated(player) || ''));
  const players = !isNamed && `${translated(black) || '?'} – ${translated(white) || '?'}`;
  return [title, players, event, date, translated(variant), t('{0} {0:move|moves}', moves), won]
    .filter(Boolean).join(', ');
}

// The file name of a text, by its beginning.
const nameOfText = text => (/^\s*\(/.test(text) ? 'text.sgf'
  : /^\s*piskvorky/i.test(text) ? 'text.psq' : 'text.pos');

// `board` is that of the page, `seat` returns room and key; `explored` is called when a file of openings has
// been read; `tell` shows a message beside the board; `keepAll` saves all games of a file as a study; `opening` is
// called before a file is opened.
export function recordsDialog(board, current, seat, explored, tell, keepAll, opening) {
  const { svg } = board;
  const dialog = $('records');
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
      say(t('Copied.'), true);
    } catch {
      $('pos-text').value = text;
      $('pos-text').select();
    }
  };
  $('watch').addEventListener('click', async () => {
    const link = `#watch=${current().room}`;
    const [base] = await addresses();
    copy(base ? base + link : linkTo(link));
  });
  $('share').addEventListener('click', () => copy(linkTo(positionLink(current()))));
  $('watch').hidden = !hasSpectators;
  $('picture-svg').addEventListener('click', () => download('board.svg', 'image/svg+xml', picture(svg)));
  $('picture-png').addEventListener('click', async () =>
    download('board.png', 'image/png', await pixels(svg)));
  $('picture-gif').addEventListener('click', async () => {
    $('picture-gif').disabled = true;
    try {
      const { animate } = await import('./animation.js');
      const told = (done, all) => say(t('Drawing move {0} of {1} …', done, all), true);
      download('game.gif', 'image/gif', await animate(board, current(), Number($('gif-delay').value), told));
      say('');
    } catch {
      say(t('The picture could not be drawn.'));
    }
    $('picture-gif').disabled = false;
  });
  const rows = () => $('rows').value;
  let saidBeside = '';
  function say(text, isGood = false) {
    if (!dialog.open) {
      // A notice about the file may have come meanwhile: it stays.
      if (text || $('message').textContent === saidBeside) tell(text, !isGood);
      saidBeside = text;
      return;
    }
    $('records-error').textContent = text;
    $('records-error').classList.toggle('told', isGood);
    if (text) $('records-error').scrollIntoView({ block: 'nearest' });
  }
  function hideGames() {
    $('file-says').hidden = $('file-games').hidden = true;
  }
  // One request after the other.
  let latest = Promise.resolve();
  const ask = (path, body, told) => {
    latest = latest.then(() => request(path, body, told));
    return latest;
  };
  const request = async (path, body, told) => {
    const { most_bytes: most } = seat();
    if (body?.size > most) {
      say(t('This file is too large: {0} MB is the limit.', most >> 20));
      return null;
    }
    say(t('Reading …'), true);
    opening();
    try {
      const answer = await post(path, seat(), body, told);
      say('');
      return answer;
    } catch (error) {
      say(error.message);
      return null;
    }
  };
  // What is opened goes into the position editor, if `ruleOfEditor` is given.
  let edits = false;
  let opened = ''; // the name of the file
  const open = async (name, body, ruleOfEditor) => {
    hideGames();
    edits = ruleOfEditor !== undefined;
    opened = name;
    const rule = $('file-rule').value || ruleOfEditor || '';
    const list = await ask('./file', body, { name, rows: rows(), rule, edit: edits ? 'yes' : '' });
    if (list?.ask) { chooseRule(translated(list.ask), name, body, ruleOfEditor); return; }
    // The rule is chosen for one file.
    if (list) $('file-rule').value = '';
    if (list?.count === 1) dialog.close();
    else if (list) {
      if (!dialog.open) dialog.showModal();
      choose(list);
    }
  };
  // The file is of another game, such as Go: the user says by which rule it is to be read.
  function chooseRule(why, name, body, ruleOfEditor) {
    if (!dialog.open) dialog.showModal();
    const list = $('file-games');
    $('file-says').hidden = list.hidden = false;
    $('file-says').textContent = `${why} ${t('By which rule is it to be read?')}`;
    const rules = [...$('file-rule').options].filter(option => option.value);
    list.replaceChildren(...rules.map(({ value, textContent }) => button(textContent, () => {
      $('file-rule').value = value;
      open(name, body, ruleOfEditor);
    })));
    list.scrollIntoView({ block: 'nearest' });
  }
  const show = async number => {
    if (await ask('./file/game', null, { number, edit: edits ? 'yes' : '' })) dialog.close();
  };
  function button(text, pressed) {
    const item = document.createElement('li');
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: text });
    button.addEventListener('click', pressed);
    item.append(button);
    return item;
  }
  function choose({ from, count, games }) {
    const list = $('file-games');
    $('file-says').hidden = list.hidden = false;
    $('file-says').textContent = t('The file holds {0} {0:game|games}: choose one.', count);
    if (!from) list.replaceChildren();
    if (!from && seat().keeps && !edits) {
      const study = opened.replace(/\.[^.]*$/, '');
      list.append(button(t('Keep all as the study “{0}”', study), () => { dialog.close(); keepAll(study); }));
    }
    list.append(...games.map(game => button(inWords(game), () => show(game.number))));
    const next = from + games.length;
    if (next < count) {
      const more = button(t('More: {0} {0:game|games}', count - next), async () => {
        const some = await ask('./file/more', null, { number: next });
        if (some) { more.remove(); choose(some); }
      });
      list.append(more);
    }
    if (!from) list.scrollIntoView({ block: 'nearest' });
  }
  const chosen = (id, use) => $(id).addEventListener('change', async () => {
    const [file] = $(id).files;
    if (!file) return;
    await use(file.name, file);
    $(id).value = '';
  });
  chosen('open-file', (name, file) => open(name, file));
  chosen('open-openings', async (name, file) => {
    if (await ask('./file/openings', file, { name, rule: $('file-rule').value })) {
      dialog.close();
      explored();
    }
  });
  const openText = (text, ruleOfEditor) => open(nameOfText(text), text, ruleOfEditor);
  $('open-text').addEventListener('click', () => openText($('pos-text').value));
  for (const button of dialog.querySelectorAll('[data-save]')) {
    button.addEventListener('click', async () => {
      const path = `./record/${current().room}/kakugo.${button.dataset.save}`;
      try {
        if (button.id === 'save-annotated') await save(`./record/${current().room}/annotated.sgf`, '?annotated=yes');
        else if (button.dataset.save !== 'pos') await save(path);
        else await copy((await (await get(`${path}?rows=${rows()}`)).text()).trim());
        if (button.dataset.save !== 'sgf' && !isUsual(current())) {
          say(t('Only SGF holds this game as it is: set-up stones were written as moves, and passes may be missing.'));
        }
      } catch (error) {
        say(error.message);
      }
    });
  }
  return {
    show() {
      $('save-annotated').disabled = !current().reviewed;
      say('');
      hideGames();
      dialog.showModal();
    },
    open, openText, error: text => say(text),
  };
}
