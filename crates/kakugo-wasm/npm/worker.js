// The worker: loads the module, and performs one request after the other.

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

// Bundlers find the files by these literal addresses.
const MODULE = new URL('./kakugo.wasm', import.meta.url);
const NETWORKS = new Map([
  ['freestyle', new URL('./networks/freestyle.bin', import.meta.url)],
  ['standard', new URL('./networks/standard.bin', import.meta.url)],
  ['renju', new URL('./networks/renju.bin', import.meta.url)],
  ['caro', new URL('./networks/caro.bin', import.meta.url)],
]);

async function bytesOf(url) {
  if (isNode) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

let port;
let current = 0;
let flag = null;
let usesNetworks = true;
let exports;
let panic = '';
const loaded = new Set(); // networks
const decoder = new TextDecoder();
const text = (at, length) => decoder.decode(new Uint8Array(exports.memory.buffer, at, length));

const imports = { kakugo: {
  now: () => performance.now(),
  stopped: () => (flag ? Atomics.load(flag, 0) : 0),
  report(at, length) {
    const line = JSON.parse(text(at, length));
    if (line.panic) panic = line.panic;
    else port.postMessage({ number: current, line });
  },
} };

function request(value, attachment = new Uint8Array()) {
  const line = new TextEncoder().encode(`${JSON.stringify(value)}\n`);
  const length = line.length + attachment.length;
  const at = exports.input(length); // the memory may grow
  const input = new Uint8Array(exports.memory.buffer, at, length);
  input.set(line);
  input.set(attachment, line.length);
  const replied = exports.engine_request();
  return JSON.parse(text(exports.output(), replied));
}

async function start({ hashMb, networks, flag: shared }) {
  flag = shared;
  usesNetworks = networks;
  const { instance } = await WebAssembly.instantiate(await bytesOf(MODULE), imports);
  exports = instance.exports;
  exports.start(...crypto.getRandomValues(new Uint32Array(2)));
  const { error } = request({ do: 'hash', mb: hashMb });
  if (error) throw new Error(error);
}

// Loads the networks that a request needs. An invalid position has none: its request fails.
async function loadNetworks({ do: what, position }) {
  if (!usesNetworks || !['bestMove', 'analyze', 'bench'].includes(what)) return;
  const { ok: names = [] } = request({ do: 'networks', position });
  for (const name of names.filter(name => !loaded.has(name))) {
    const { error } = request({ do: 'network' }, await bytesOf(NETWORKS.get(name)));
    if (error) throw new Error(error);
    loaded.add(name);
  }
}

async function perform({ number, request: value }) {
  current = number;
  await loadNetworks(value);
  port.postMessage({ number, reply: request(value) });
}

let latest = Promise.resolve();
async function receive(message) {
  latest = latest.then(() => (message.start ? start(message) : perform(message)));
  try {
    await latest;
  } catch (error) {
    port.postMessage({ number: message.number ?? 1, failed: panic || error.message });
  }
}

if (isNode) {
  import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads').then(({ parentPort }) => {
    port = parentPort;
    port.on('message', receive);
  });
} else {
  port = self;
  port.onmessage = event => receive(event.data);
}
