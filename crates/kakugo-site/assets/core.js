// The core worker: owns the room's module, the search workers and the saved games. The module decides;
// this script moves messages.

import { Games } from './games.js';
import { lock } from './life.js';
import { Search } from './search-client.js';
import { Module, compiled } from './module.js';

let module; // the module of the room
let searches = [];
let games = null;
let files;
let timer;
let opening; // set once a page has joined
let latest = Promise.resolve(); // storage requests are performed in order

// The module may panic in a promise: in a reply of the storage or of a search.
addEventListener('unhandledrejection', ({ reason }) => {
  postMessage({ type: 'failed', error: String(reason?.message ?? reason) });
});

// Passes an input to the room, and performs the outputs.
function input(value, attachment) {
  handle(JSON.stringify({ ...clock(), ...value }), attachment);
}

const clock = () => ({ now: performance.now(), utc: Date.now() });

function handle(text, attachment) {
  const { json: outputs, bytes } = module.call('core_handle', text, attachment);
  for (const output of outputs) perform(output, bytes);
}

function perform(output, file) {
  switch (output.type) {
    case 'send': postMessage({ type: 'message', message: output.message }); break;
    case 'run': searches[output.worker].run(output.task, output.rule); break;
    case 'interrupt': searches[output.worker].interrupt(); break;
    case 'answer_now': searches[output.worker].signal(); break;
    case 'discard': searches[output.worker].end(); break;
    case 'storage': latest = latest.then(() => store(output)); break;
    case 'reply':
      postMessage({ type: 'reply', id: output.id, json: output.json, error: output.error,
        file: output.json || output.error ? null : file.slice() });
      break;
    case 'wait':
      clearTimeout(timer);
      if (output.ms !== null) timer = setTimeout(() => input({ type: 'tick' }), output.ms);
      break;
    default:
  }
}

// Performs a request to the storage.
async function store({ request, id, text, room, key, count, line }) {
  const reply = value => input({ type: 'storage', ...value });
  try {
    switch (request) {
      case 'save':
        if (!await games.hold(id)) throw new DOMException('the game is open in another tab', 'InUseError');
        await games.write({ id, text, room, key });
        postMessage({ type: 'saved' });
        break;
      case 'release': games.release(id); break;
      case 'claim': await games.claim(id, { room, key }); break;
      case 'load': {
        const isOwn = games.holds(id);
        const held = await games.hold(id);
        let game = null;
        try {
          if (held) game = await games.claim(id, { room, key });
        } finally {
          // The room releases only games that it gets.
          if (held && !game && !isOwn) games.release(id);
        }
        reply({ loaded: { id, text: game?.text ?? null, in_use: !held } });
        break;
      }
      case 'discard':
        try {
          await games.remove(id);
        } finally {
          games.release(id);
        }
        break;
      case 'delete': {
        const held = await games.hold(id);
        try {
          if (held) await games.remove(id);
        } finally {
          if (held) games.release(id);
        }
        reply({ deleted: { deleted: held } });
        break;
      }
      case 'note': await games.addLine('journal', line); break;
      case 'journal': reply({ journal: { text: await games.linesOf('journal') } }); break;
      case 'results': reply({ results: { text: await games.linesOf('results') } }); break;
      case 'add_result':
        await games.addLine('results', line).catch(() => {}); // it is kept
        reply({ results: { text: await games.linesOf('results') } });
        break;
      case 'list': reply({ listed: { games: await games.latest() } }); break;
      case 'latest': reply({ latest: { texts: (await games.latest(count)).map(game => game.text) } }); break;
      default:
    }
  } catch (error) {
    if (request === 'save') reply({ failed: { id, name: error.name, error: error.message } });
    else if (request === 'load') reply({ loaded: { id, text: null, in_use: false } });
    else if (request === 'delete') reply({ deleted: { deleted: false, failed: true } });
    else if (request === 'results' || request === 'add_result') reply({ results: { text: '' } });
    else if (request === 'journal') reply({ journal: { text: '' } });
    else if (request === 'list') reply({ listed: { games: [] } });
    else if (request === 'latest') reply({ latest: { texts: [] } });
  }
}

const secret = () => Array.from(crypto.getRandomValues(new Uint8Array(16)),
  byte => byte.toString(16).padStart(2, '0')).join('');

// Opens the room: with the game of the room that the page returns to, or else the latest one.
async function openRoom(wish) {
  const saves = await games.open();
  const { level } = wish;
  let [found, room] = [null, { room: secret(), key: secret() }];
  if (saves && wish.room) {
    found = await games.find(wish).catch(() => null);
    if (found) room = { room: wish.room, key: wish.key };
  } else if (saves) found = await games.find(null).catch(() => null);
  const returned = found && { ...found, returns: Boolean(wish.room) };
  input({ type: 'open', ...room, wish: { level }, workers: searches.length,
    signals: searches[0].hasSignals, saves, found: returned });
}

// Returns the number of search workers, and the threads of each. Where workers can share memory, all cores
// serve one search. One core is left to the page, if there are more than two.
function shares(isShared) {
  const cores = navigator.hardwareConcurrency ?? 2;
  const most = Math.max(cores - 1, 1);
  if (!isShared || !files.threads || cores < 2) return { workers: Math.min(most, 4), threads: 1 };
  return { workers: 1, threads: Math.min(Math.max(most, 2), 8) };
}

async function start({ files: named, isShared, lock: name }) {
  files = named;
  lock(name).then(locked => { if (locked) postMessage({ type: 'locked' }); });
  games = new Games();
  const compiling = compiled(files.module);
  const { workers, threads } = shares(isShared);
  // It need not be there for the page to work, so it is loaded after the page's own module.
  const threaded = threads > 1 ? compiling.then(() => compiled(files.threads)) : null;
  threaded?.catch(() => {}); // searches report it
  searches = Array.from({ length: workers }, (_, worker) => new Search({
    files,
    module: compiling,
    threaded,
    threads,
    isShared,
    progress: text => handle(`{"now":${performance.now()},"utc":${Date.now()},${text.slice(1)}`),
    finished: (job, result) => input({ type: 'finished', worker, job, result }),
    lost: error => input({ type: 'lost', worker, error }),
  }));
  module = await Module.start(await compiling);
}

async function attachmentOf({ request, body }) {
  if (request.kind !== 'export') {
    return body === undefined || body === null ? undefined : new Uint8Array(await new Blob([body]).arrayBuffer());
  }
  await latest;
  const chosen = request.id ? [await games.read(request.id)] : await games.latest(Infinity);
  return new TextEncoder().encode(JSON.stringify(chosen.filter(Boolean).map(game => game.text)));
}

async function receive(message) {
  switch (message.type) {
    case 'start': await start(message); break;
    case 'join':
      opening ??= openRoom(message.wish);
      await opening;
      input({ type: 'joined' });
      break;
    case 'leave':
      // Also after a panic, because the worker holds locks.
      try {
        input({ type: 'left' });
        await latest;
      } finally {
        close();
      }
      break;
    case 'command': input({ type: 'command', command: message.command }); break;
    case 'request': {
      const { number, ...others } = message.request;
      const request = number === undefined ? others : { ...others, number: Number(number) };
      input({ type: 'request', id: message.id, request }, await attachmentOf(message));
      break;
    }
    default:
  }
}

// One message after the other.
let order = Promise.resolve();
onmessage = ({ data }) => {
  order = order.then(() => receive(data)).catch(error => {
    postMessage({ type: 'failed', error: error.message });
  });
};
