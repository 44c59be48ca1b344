// The way to the room on the static site: a worker of this page instead of a server. It stands in for
// `transport.js` of `kakugo-play` and has the same exports.

import { files } from './files.js';
import { t, translated } from './language.js';

export const hasSpectators = false;
export const addsEngines = () => false;
export const exportsAll = true;

// What the site needs of a browser, and by what it is found.
const NEEDED = {
  WebAssembly: () => typeof WebAssembly === 'object',
  // A module with one SIMD instruction.
  SIMD: () => WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123,
    3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11])),
  DecompressionStream: () => typeof DecompressionStream === 'function',
  IndexedDB: () => 'indexedDB' in window,
};

let worker = null;
let current = null; // the open connection's functions
let requests = 0;
const open = new Map(); // requests without a reply

function receive({ data }) {
  if (data.type === 'message') {
    current?.received(data.message);
    keepFiles();
  } else if (data.type === 'saved') keepGames();
  else if (data.type === 'reply') {
    open.get(data.id)?.(data);
    open.delete(data.id);
  } else if (data.type === 'failed') fail(data.error);
}

// The worker has ended: the page must be loaded again, the game is saved.
function fail(error) {
  worker?.terminate();
  worker = null;
  for (const reply of open.values()) reply({ error });
  open.clear();
  current?.received({ type: 'gone', why: t('Kakugo has failed: {0}. The game is saved; load the page again.', error) });
  current = null;
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
function keepFiles() {
  if (keeping || !window.isSecureContext || !navigator.serviceWorker) return;
  keeping = true;
  navigator.serviceWorker.register('service.js').catch(() => {});
}

function start() {
  worker = new Worker(files.core, { type: 'module' });
  worker.onmessage = receive;
  worker.onerror = event => fail(event.message || t('a file of the site cannot be loaded'));
  worker.postMessage({ type: 'start', files, isolated: globalThis.crossOriginIsolated === true });
}

export function openConnection(connection) {
  const missing = Object.keys(NEEDED).find(name => !NEEDED[name]());
  let joined = false;
  const handle = {
    isOpen: () => current === connection && worker !== null,
    // The first message is the wish for a room.
    send(message) {
      if (joined) worker?.postMessage({ type: 'command', command: message });
      else worker?.postMessage({ type: 'join', wish: message });
      joined = true;
    },
    close() {
      worker?.postMessage({ type: 'leave' });
      if (current === connection) current = null;
    },
  };
  queueMicrotask(() => {
    current = connection;
    if (missing) {
      connection.received({ type: 'gone', why: t('This browser is too old for Kakugo: it has no {0}.', missing) });
      return;
    }
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

