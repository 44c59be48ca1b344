// The WebAssembly module in a worker.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

// Loads and compiles a module that is packed by gzip: servers need not compress it.
export async function compiled(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  const plain = response.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(plain, { headers: { 'content-type': 'application/wasm' } }));
}

export class Module {
  panic = '';

  // Starts a compiled module. `stopped` returns 1 to stop a search; `report` takes lines of JSON.
  static async start(compiled, stopped = () => 0, report = () => {}) {
    const module = new Module();
    const imports = { kakugo: {
      now: () => performance.now(),
      stopped,
      report(at, length) {
        const text = module.text(at, length);
        if (text.startsWith('{"panic"')) module.panic = JSON.parse(text).panic;
        else report(text);
      },
    } };
    const instance = await WebAssembly.instantiate(compiled, imports);
    module.exports = instance.exports;
    module.exports.start(...crypto.getRandomValues(new Uint32Array(2)));
    return module;
  }

  text(at, length) {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, at, length));
  }

  // Calls a function with a line of JSON and bytes. Returns the JSON and the bytes of the reply.
  call(name, line, attachment = new Uint8Array()) {
    const head = encoder.encode(`${line}\n`);
    const length = head.length + attachment.length;
    const at = this.exports.input(length); // the memory may grow
    const input = new Uint8Array(this.exports.memory.buffer, at, length);
    input.set(head);
    input.set(attachment, head.length);
    let replied;
    try {
      replied = this.exports[name]();
    } catch (error) {
      throw new Error(this.panic || error.message);
    }
    const reply = new Uint8Array(this.exports.memory.buffer, this.exports.output(), replied);
    const end = reply.indexOf(10);
    const text = decoder.decode(end < 0 ? reply : reply.subarray(0, end));
    return { json: text ? JSON.parse(text) : null, bytes: end < 0 ? new Uint8Array() : reply.slice(end + 1) };
  }
}
