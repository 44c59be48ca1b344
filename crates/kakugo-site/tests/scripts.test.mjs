// Tests of the scripts of the static site in Node: each with stubs of the modules it imports.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';

globalThis.navigator ??= { hardwareConcurrency: 2 }; // Node 20 has none
const assets = fileURLToPath(new URL('../assets/', import.meta.url));
const folders = [];
after(() => Promise.all(folders.map(folder => rm(folder, { recursive: true }))));

// Loads a script beside these modules.
async function load(script, stubs) {
  const folder = await mkdtemp(join(tmpdir(), 'kakugo-site-'));
  folders.push(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(stubs)) await writeFile(join(folder, name), text);
  await cp(join(assets, script), join(folder, script));
  return import(pathToFileURL(join(folder, script)));
}

const soon = () => new Promise(done => setTimeout(done));

test('a worker that was left neither answers nor fails for the next one', async () => {
  const workers = [];
  Object.assign(globalThis, {
    window: {},
    Worker: class {
      sent = [];
      ended = false;
      constructor() { workers.push(this); }
      postMessage(message) { this.sent.push(message.type); }
      terminate() { this.ended = true; }
    },
  });
  const { openConnection, get } = await load('transport.js', {
    'files.js': 'export const files = {};',
    'language.js': 'export const t = text => text; export const translated = text => text;',
    'life.js': 'export const lockName = () => "lock"; export const whenFree = () => {};',
  });
  const heard = [];
  const connect = number => openConnection({
    opened: () => heard.push(`opened ${number}`),
    received: message => heard.push(`${number}: ${message.type}`),
    closed: () => heard.push(`closed ${number}`),
  });
  const first = connect(1);
  await soon();
  const [left] = workers;
  left.onmessage({ data: { type: 'message', message: { type: 'hello' } } });
  const asked = get('./record/a.sgf');
  first.close();
  await assert.rejects(asked, /not running any more/);
  const second = connect(2);
  await soon();
  assert.deepEqual(heard.splice(0), ['opened 1', '1: hello', 'opened 2']);
  left.onmessage({ data: { type: 'message', message: { type: 'state' } } });
  left.onmessage({ data: { type: 'failed', error: 'panicked' } });
  left.onerror({ message: 'panicked' });
  assert.ok(second.isOpen() && !workers[1].ended);
  assert.deepEqual(heard, []);
  // A failure of its own worker ends the connection.
  workers[1].onmessage({ data: { type: 'message', message: { type: 'hello' } } });
  workers[1].onmessage({ data: { type: 'failed', error: 'panicked' } });
  assert.ok(!second.isOpen() && workers[1].ended);
  assert.deepEqual(heard, ['2: hello', 'closed 2']);
});

test('a panic in a reply of the storage is reported, and the worker can be left', async context => {
  const posted = [];
  let closed = false;
  const handlers = {};
  // The event of Node, which fails the test otherwise.
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', reason => handlers.unhandledrejection({ reason }));
  context.after(() => {
    process.removeAllListeners('unhandledRejection');
    for (const other of others) process.on('unhandledRejection', other);
  });
  Object.assign(globalThis, {
    onmessage: null,
    postMessage: message => posted.push(message),
    addEventListener: (type, handler) => { handlers[type] = handler; },
    close: () => { closed = true; },
  });
  await load('core.js', {
    'games.js': 'export class Games { latest() { return Promise.resolve([]); } }',
    'life.js': 'export const lock = () => Promise.resolve(true);',
    'search-client.js': 'export class Search { hasSignals = false; }',
    // It asks for the saved games, and panics at the reply.
    'module.js': `export const compiled = () => Promise.resolve();
      export class Module {
        static async start() { return new Module(); }
        call(name, text) {
          const input = JSON.parse(text);
          if (input.type === 'storage') throw new Error('panicked');
          const list = { type: 'storage', request: 'list' };
          return { json: input.type === 'command' ? [list] : [], bytes: new Uint8Array() };
        }
      }`,
  });
  const send = async data => {
    onmessage({ data });
    await soon();
  };
  await send({ type: 'start', files: {}, isShared: false, lock: 'lock' });
  await send({ type: 'command', command: { do: 'games' } });
  await soon();
  assert.deepEqual(posted.filter(message => message.type === 'failed'), [{ type: 'failed', error: 'panicked' }]);
  await send({ type: 'leave' });
  assert.ok(closed);
});

test('a game that cannot be loaded or deleted is not locked', async () => {
  const released = [];
  const replies = [];
  Object.assign(globalThis, {
    onmessage: null,
    postMessage: () => {},
    addEventListener: () => {},
    replied: ({ loaded, deleted }) => replies.push(loaded ?? deleted),
    savedGames: {
      holds: () => false,
      hold: async () => true,
      claim: async () => undefined,
      remove: async () => { throw new Error('the storage fails'); },
      release: id => released.push(id),
    },
  });
  await load('core.js', {
    'games.js': 'export const Games = function () { return savedGames; };',
    'life.js': 'export const lock = () => Promise.resolve(true);',
    'search-client.js': 'export class Search { hasSignals = false; }',
    // Its commands are requests to the storage.
    'module.js': `export const compiled = () => Promise.resolve();
      export class Module {
        static async start() { return new Module(); }
        call(name, text) {
          const input = JSON.parse(text);
          if (input.type === 'storage') replied(input);
          const outputs = input.type === 'command' ? [{ type: 'storage', ...input.command }] : [];
          return { json: outputs, bytes: new Uint8Array() };
        }
      }`,
  });
  const send = async data => {
    onmessage({ data });
    await soon();
    await soon();
  };
  await send({ type: 'start', files: {}, isShared: false, lock: 'lock' });
  await send({ type: 'command', command: { request: 'load', id: 'a', room: 'room', key: 'key' } });
  assert.deepEqual(replies.splice(0), [{ id: 'a', text: null, in_use: false }]);
  await send({ type: 'command', command: { request: 'delete', id: 'b' } });
  assert.deepEqual(replies.splice(0), [{ deleted: false, failed: true }]);
  assert.deepEqual(released, ['a', 'b']);
});

test('a saved game that is offered is locked and not changed', async () => {
  const { Games } = await load('games.js', {});
  const game = { id: 'a', text: '(;)', room: 'room', key: 'key' };
  const released = [];
  class OneGame extends Games {
    content = game;
    latest = async () => [game];
    hold = async () => true;
    read = async () => this.content;
    write = () => assert.fail('it is written');
    release = id => released.push(id);
  }
  const games = new OneGame();
  assert.equal(await games.find(null), game);
  assert.equal(await games.find({ room: 'room', key: 'key' }), game);
  assert.equal(await games.find({ room: 'room', key: 'another' }), null);
  assert.deepEqual(released, []);
  // It was deleted meanwhile.
  games.content = undefined;
  assert.equal(await games.find(null), null);
  assert.deepEqual(released, ['a']);
});

test('the service worker answers for files of the site only', async () => {
  const scope = 'https://example.org/board/';
  const source = (await readFile(join(assets, 'service.js'), 'utf8'))
    .replace('__VERSION__', '1').replace('__FILES__', '["./", "icon.svg"]');
  const handlers = {};
  runInNewContext(source, {
    registration: { scope },
    addEventListener: (type, handler) => { handlers[type] = handler; },
    caches: { open: async () => ({ match: async () => ({ type: 'error' }) }) },
  });
  const answers = (path, mode = 'cors', method = 'GET') => {
    let isAnswered = false;
    const request = { method, mode, url: new URL(path, scope).href };
    handlers.fetch({ request, respondWith: () => { isAnswered = true; } });
    return isAnswered;
  };
  for (const path of ['', '?source=app', '#p=15x15,renju,5,h8', 'index.html']) {
    assert.ok(answers(path, 'navigate'), path);
  }
  for (const path of ['diary/', 'diary.html', 'beta/', 'beta/index.html', '/']) {
    assert.ok(!answers(path, 'navigate'), path);
  }
  for (const path of ['icon.svg', 'app-0123456789abcdef.js', 'zh-CN-0123456789abcdef.json?again']) {
    assert.ok(answers(path), path);
  }
  for (const path of ['diary.json', 'beta/icon.svg', 'beta/app-0123456789abcdef.js', '/icon.svg']) {
    assert.ok(!answers(path), path);
  }
  assert.ok(!answers('icon.svg', 'cors', 'POST'));
});

test('copies of the site with one origin keep their own files', async () => {
  const scope = 'https://example.org/a/';
  const source = (await readFile(join(assets, 'service.js'), 'utf8'))
    .replace('__VERSION__', '2').replace('__FILES__', '[]');
  const handlers = {};
  const names = [`kakugo ${scope} 1`, `kakugo ${scope} 2`, `kakugo ${scope}b/ 1`, 'kakugo https://example.org/ 1'];
  const deleted = [];
  runInNewContext(source, {
    registration: { scope },
    addEventListener: (type, handler) => { handlers[type] = handler; },
    caches: { keys: async () => names, delete: async name => { deleted.push(name); } },
  });
  let activated;
  handlers.activate({ waitUntil: promise => { activated = promise; } });
  await activated;
  assert.deepEqual(deleted, [`kakugo ${scope} 1`]);
});
