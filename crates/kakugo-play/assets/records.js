// Records: open, save, share, and pictures of the board.

import { t, translated } from './language.js';
import { name } from './notation.js';
import { addresses } from './pair.js';
import { positionAt } from './position.js';

const $ = id => document.getElementById(id);

// The position in a link: #p=15x15,renju,5,h8h9i8 with rows from the bottom. Two hyphens are a pass.
// A first position follows: black and white stones, blocked points, the side to move, as in
// `,b=h8g7,w=i9,x=a1,t=white`.
export function positionLink(state) {
  const position = positionAt(state, state.step);
  const text = points => points.map(p => name(p, state.height)).join('');
  const of = side => [...position.stones.values()].filter(stone => stone.side === side).map(({ p }) => p);
  const isEdited = state.edits.some(([step, { black, white, blocked, removed }]) => step <= state.step
    && [black, white, blocked, removed].some(points => points.length));
  // If the board was changed during the game, the position is all that counts.
  const start = isEdited
    ? { black: of('black'), white: of('white'), blocked: [...position.blocked.values()], turn: position.turn }
    : state.start;
  let [moves, turn] = ['', start.turn];
  const pass = () => { moves += '--'; turn = turn === 'black' ? 'white' : 'black'; };
  for (let i = 0; i < state.at && !isEdited; i++) {
    if (state.sides[i] !== turn) pass();
    if (state.moves[i]) moves += name(state.moves[i], state.height);
    else moves += '--';
    turn = state.sides[i] === 'black' ? 'white' : 'black';
  }
  if (turn !== position.turn) pass();
  const points = { b: start.black, w: start.white, x: start.blocked };
  const parts = Object.entries(points).filter(([, of]) => of.length).map(([key, of]) => `,${key}=${text(of)}`);
  if (parts.length || start.turn === 'white') parts.push(`,t=${start.turn}`);
  return `#p=${state.width}x${state.height},${state.rule},${state.win},${moves}${parts.join('')}`;
}

// True for a game from the empty board without passes.
const isUsual = ({ start, moves, edits }) => !edits.length && !moves.includes(null)
  && start.turn === 'black' && !start.black.length && !start.white.length && !start.blocked.length;

export function linkedGame(hash) {
  const match = hash.match(
    /^#p=(\d+)x(\d+),([a-z0-9-]+),(\d),([a-z0-9-]*)((?:,[bwx]=[a-z0-9]*|,t=(?:black|white))*)$/);
  if (!match) return null;
  const [, width, height, rule, win, moves, parts] = match;
  const seat = { player: 'human' };
  const setup = { width: Number(width), height: Number(height), rule, win: Number(win),
    seats: [seat, seat], opening: 'free' };
  const keys = { b: 'black', w: 'white', x: 'blocked', t: 'turn' };
  const start = Object.fromEntries(parts.split(',').filter(Boolean)
    .map(part => part.split('=')).map(([key, value]) => [keys[key], value]));
  return { do: 'new', moves, setup: parts ? { ...setup, start } : setup };
}

export function download(fileName, kind, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: kind }));
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A drawing with the styles written into every element, so that it needs no style sheet.
export function picture(svg) {
  const copy = svg.cloneNode(true);
  const kept = ['fill', 'stroke', 'stroke-width', 'opacity', 'font', 'text-anchor',
    'dominant-baseline', 'stroke-dasharray', 'stroke-linecap', 'paint-order'];
  const from = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((node, i) => {
    const style = getComputedStyle(from[i]);
    for (const key of kept) node.style.setProperty(key, style.getPropertyValue(key));
    node.removeAttribute('class');
  });
  for (const attribute of ['id', 'class', 'tabindex', 'role', 'aria-label']) copy.removeAttribute(attribute);
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  const wood = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  wood.setAttribute('width', width);
  wood.setAttribute('height', height);
  wood.setAttribute('fill', getComputedStyle(svg).backgroundColor);
  copy.prepend(wood);
  return new XMLSerializer().serializeToString(copy);
}

export async function pixels(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  const url = URL.createObjectURL(new Blob([picture(svg)], { type: 'image/svg+xml' }));
  try {
    image.src = url;
    await image.decode();
  } finally {
    URL.revokeObjectURL(url);
  }
  const canvas = Object.assign(document.createElement('canvas'), { width: width * 2, height: height * 2 });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(done => canvas.toBlob(done, 'image/png'));
}

// Gets a file from the server, or throws the text of a refusal.
async function get(path) {
  let response;
  try {
    response = await fetch(path);
  } catch {
    throw new Error(t('Kakugo is not running any more.'));
  }
  if (!response.ok) throw new Error(translated(await response.json().catch(() => response.statusText)));
  return response.blob();
}

// Saves a file of the server under its own name.
export async function save(path) {
  const blob = await get(path);
  download(path.split('/').at(-1), blob.type, blob);
}

// The description of a file's game in one line.
function inWords({ black, white, event, date, variant, moves, result }) {
  const won = { black: t('Black won'), white: t('White won'), draw: t('a draw') }[result];
  return [`${translated(black) || '?'} – ${translated(white) || '?'}`, event, date, translated(variant),
    t('{0} {0:move|moves}', moves), won].filter(Boolean).join(', ');
}

// Uploads a file, or asks about the last one. Throws the text of a refusal.
export async function post(path, { room, key, most_bytes: most }, body, about = {}) {
  if (body?.size > most) throw new Error(t('This file is too large: {0} MB is the limit.', most >> 20));
  const headers = { 'kakugo-room': room, 'kakugo-key': key };
  for (const [name, value] of Object.entries(about)) headers[`kakugo-${name}`] = encodeURIComponent(value);
  let response;
  try {
    response = await fetch(path, { method: 'POST', headers, body });
  } catch {
    throw new Error(t('Kakugo is not running any more.'));
  }
  if (!response.ok) throw new Error(translated(await response.json().catch(() => response.statusText)));
  return response.json();
}

// The file name of a text, by its beginning.
const nameOfText = text => (/^\s*\(/.test(text) ? 'text.sgf'
  : /^\s*piskvorky/i.test(text) ? 'text.psq' : 'text.pos');

// `seat` returns room and key; `explored` is called when a file of openings has been read; `tell` shows a
// message beside the board.
export function recordsDialog(svg, current, seat, explored, tell) {
  const dialog = $('records');
  $('files').addEventListener('click', () => {
    say('');
    hideGames();
    dialog.showModal();
  });
  const copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
      say(t('Copied.'), true);
    } catch {
      $('pos-text').value = text;
      $('pos-text').select();
    }
  };
  $('share').addEventListener('click', () => copy(location.origin + '/' + positionLink(current())));
  $('watch').addEventListener('click', async () => {
    const [base = `${location.origin}/`] = await addresses();
    copy(`${base}#watch=${current().room}`);
  });
  $('picture-svg').addEventListener('click', () => download('board.svg', 'image/svg+xml', picture(svg)));
  $('picture-png').addEventListener('click', async () =>
    download('board.png', 'image/png', await pixels(svg)));
  const rows = () => $('rows').value;
  function say(text, isGood = false) {
    if (!dialog.open) { tell(text, !isGood); return; }
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
    say(t('Reading …'), true);
    try {
      const answer = await post(path, seat(), body, told);
      say('');
      return answer;
    } catch (error) {
      say(error.message);
      return null;
    }
  };
  const open = async (name, body) => {
    hideGames();
    const list = await ask('/file', body, { name, rows: rows(), rule: $('file-rule').value });
    if (list?.ask) { chooseRule(translated(list.ask), name, body); return; }
    // The rule is chosen for one file.
    if (list) $('file-rule').value = '';
    if (list?.count === 1) dialog.close();
    else if (list) {
      if (!dialog.open) dialog.showModal();
      choose(list);
    }
  };
  // The file is of another game, such as Go: the user says by which rule it is to be read.
  function chooseRule(why, name, body) {
    const list = $('file-games');
    $('file-says').hidden = list.hidden = false;
    $('file-says').textContent = `${why} ${t('By which rule is it to be read?')}`;
    const rules = [...$('file-rule').options].filter(option => option.value);
    list.replaceChildren(...rules.map(({ value, textContent }) => button(textContent, () => {
      $('file-rule').value = value;
      open(name, body);
    })));
    list.scrollIntoView({ block: 'nearest' });
  }
  const show = async number => {
    if (await ask('/file/game', null, { number })) dialog.close();
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
    list.append(...games.map(game => button(inWords(game), () => show(game.number))));
    const next = from + games.length;
    if (next < count) {
      const more = button(t('More: {0} {0:game|games}', count - next), async () => {
        const some = await ask('/file/more', null, { number: next });
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
  chosen('open-file', open);
  chosen('open-openings', async (name, file) => {
    if (await ask('/file/openings', file, { name, rule: $('file-rule').value })) {
      dialog.close();
      explored();
    }
  });
  const openText = text => open(nameOfText(text), text);
  $('open-text').addEventListener('click', () => openText($('pos-text').value));

  // Files and text may be dropped on the page or pasted, unless another dialog is open.
  const takes = () => dialog.open || !document.querySelector('dialog[open]');
  const openFrom = data => {
    const [file] = data.files;
    const text = data.getData('text/plain');
    if (file) open(file.name, file);
    else if (text.trim()) openText(text);
  };
  const isField = node => node instanceof Element
    && node.closest('input:not([type=checkbox]), textarea, [contenteditable]');
  const brings = event => ['Files', 'text/plain'].some(type => event.dataTransfer.types.includes(type));
  const showDrop = on => document.body.toggleAttribute('data-drop', on);
  addEventListener('dragover', event => {
    if (isField(event.target) || !brings(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = takes() ? 'copy' : 'none';
    showDrop(takes());
  });
  addEventListener('dragleave', event => { if (!event.relatedTarget) showDrop(false); });
  addEventListener('drop', event => {
    showDrop(false);
    if (isField(event.target) || !brings(event)) return;
    event.preventDefault();
    if (takes()) openFrom(event.dataTransfer);
  });
  addEventListener('paste', event => {
    if (isField(event.target) || !takes()) return;
    event.preventDefault();
    openFrom(event.clipboardData);
  });
  for (const button of dialog.querySelectorAll('[data-save]')) {
    button.addEventListener('click', async () => {
      const path = `/record/${current().room}/kakugo.${button.dataset.save}`;
      try {
        if (button.dataset.save !== 'pos') await save(path);
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
    error: text => say(text), isOpen: () => dialog.open,
  };
}
