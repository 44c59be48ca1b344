// The way to the room on the static site: a worker of this page instead of a server. It stands in for
// `transport.js` of `kakugo-play` and has the same exports.

import { files } from './files.js';
import { t, translated } from './language.js';
import { lockName, whenFree } from './life.js';

export const hasSpectators = false;
export const addsEngines = () => false;
export const exportsAll = true;

// Workers that are started after others have ended, without a command in between.
const MOST_RESTARTS = 2;

// WebKitGTK isolates pages without having shared memory.
const isShared = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function';

let worker = null;
let restarts = 0;
let works = false; // true once the worker has sent a message
let current = null; // the open connection's functions
let onceLocked; // called when the worker holds its lock
let requests = 0;
const open = new Map(); // requests without a reply

function receive({ data }) {
  if (data.type === 'message') {
    works = true;
    current?.received(data.message);
    keepFiles();
  } else if (data.type === 'saved') keepGames();
  else if (data.type === 'locked') onceLocked();
  else if (data.type === 'reply') {
    open.get(data.id)?.(data);
    open.delete(data.id);
  } else if (data.type === 'failed') fail(data.error);
}

function answerAll(error) {
  for (const reply of open.values()) reply({ error });
  open.clear();
}

// The worker has ended. Every move is saved, so another worker brings the game back.
function fail(error) {
  worker?.terminate();
  worker = null;
  answerAll(error);
  const connection = current;
  current = null;
  if (works && restarts < MOST_RESTARTS) {
    console.error(error);
    restarts += 1;
    connection?.closed();
  } else {
    const why = t('Kakugo has failed: {0}. The game is saved; load the page again.', error);
    connection?.received({ type: 'gone', why });
  }
}

// Asks the browser once not to delete games when space is short.
let asked = false;
function keepGames() {
  if (asked) return;
  asked = true;
  navigator.storage?.persist?.().catch(() => {});
}

// Keeps the files of the site for visits without a network, once the page works.
let keeping = false;
async function keepFiles() {
  if (keeping || !window.isSecureContext || !navigator.serviceWorker) return;
  keeping = true;
  try {
    await navigator.serviceWorker.register('service.js');
    const { active } = await navigator.serviceWorker.ready;
    // It was loaded before the service worker could see it.
    if (isShared && files.threads) active.postMessage({ keep: files.threads });
  } catch { /* the site needs a network */ }
}

function start() {
  const own = new Worker(files.core, { type: 'module' });
  worker = own;
  works = false;
  // A worker that was left may still send messages.
  own.onmessage = event => { if (worker === own) receive(event); };
  own.onerror = event => {
    if (worker === own) fail(event.message || t('a file of the site cannot be loaded'));
  };
  const lock = lockName();
  worker.postMessage({ type: 'start', files, isShared, lock });
  onceLocked = () => whenFree(lock, () => { if (worker === own) fail(t('a worker of the page has ended')); });
}

export function openConnection(connection) {
  let joined = false;
  const handle = {
    isOpen: () => current === connection && worker !== null,
    // The first message is the wish for a room.
    send(message) {
      if (joined) {
        restarts = 0;
        worker?.postMessage({ type: 'command', command: message });
      } else worker?.postMessage({ type: 'join', wish: message });
      joined = true;
    },
    // The browser may keep a page that is left, and with it the lock of the game. So the worker ends by
    // itself; a page that comes back starts another one.
    close() {
      worker?.postMessage({ type: 'leave' });
      worker = null;
      answerAll(t('Kakugo is not running any more.'));
      if (current === connection) current = null;
    },
  };
  queueMicrotask(() => {
    current = connection;
    if (!worker) start();
    connection.opened();
  });
  return handle;
}

function ask(request, body) {
  return new Promise((done, failed) => {
    if (!worker) { failed(new Error(t('Kakugo is not running any more.'))); return; }
    const id = ++requests;
    open.set(id, ({ json, file, error }) => {
      if (error) failed(new Error(translated(error)));
      else done(file ? new Blob([file], { type: 'application/octet-stream' }) : json);
    });
    worker.postMessage({ type: 'request', id, request, body });
  });
}

// Gets a file: of the game on the board, of a saved game, or of all of them.
export function get(path) {
  const [, folder, , record] = path.match(/^\.\/(\w+)(\/([^?]*))?/);
  const name = path.split('/').at(-1);
  if (folder === 'record') {
    const [plain, query] = name.split('?');
    return ask({ kind: 'record', name: plain, rows: query === 'rows=top' ? 'top' : '',
      annotated: query === 'annotated=yes' ? 'yes' : '' });
  }
  return ask({ kind: 'export', id: record?.replace(/\.sgf$/, '') });
}

const KINDS = { './file': 'open', './file/openings': 'explore', './file/practice': 'practise',
  './file/more': 'more', './file/game': 'choose' };

// Reads a file, or asks about the last one.
export function post(path, seat, body, about = {}) {
  return ask({ kind: KINDS[path], ...about }, body);
}

