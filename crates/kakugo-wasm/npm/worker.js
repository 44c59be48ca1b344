// The worker: loads the module, and performs one request after the other.

const isNode = typeof process === 'object' && Boolean(process.versions?.node);
const port = isNode ? (await import('node:worker_threads')).parentPort : self;
const url = name => new URL(name, import.meta.url);

async function bytesOf(name) {
  if (isNode) return (await import('node:fs/promises')).readFile(url(name));
  const response = await fetch(url(name));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

let current = 0;
let flag = null;
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

async function start({ hashMb, flag: shared }) {
  flag = shared;
  const { instance } = await WebAssembly.instantiate(await bytesOf('./kakugo.wasm'), imports);
  exports = instance.exports;
  exports.start(...crypto.getRandomValues(new Uint32Array(2)));
  const { error } = request({ do: 'hash', mb: hashMb });
  if (error) throw new Error(error);
}

async function perform({ number, request: value, networks }) {
  current = number;
  for (const name of networks) {
    if (loaded.has(name)) continue;
    const { error } = request({ do: 'network' }, await bytesOf(`./networks/${name}.bin`));
    if (error) throw new Error(error);
    loaded.add(name);
  }
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
if (isNode) port.on('message', receive);
else port.onmessage = event => receive(event.data);
