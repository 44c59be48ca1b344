// The WebAssembly module in a worker.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const PAGE = 65536; // bytes
const STACK = 128; // pages: the search recurses once per ply

// Loads and compiles a module that is packed by gzip: servers need not compress it.
export async function compiled(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
  const plain = response.body.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(plain, { headers: { 'content-type': 'application/wasm' } }));
}

export class Module {
  panic = '';
  #memory;

  // Starts a compiled module, which must not be a helper's. `stopped` returns 1 to stop a search, `report`
  // takes lines of JSON. A module with threads has a memory that it shares with its helpers.
  static async start(compiled, { memory = null, stopped = () => 0, report = () => {} } = {}) {
    const module = await Module.#instance(compiled, { memory, stopped, report });
    module.exports.start(...crypto.getRandomValues(new Uint32Array(2)));
    return module;
  }

  // Starts another instance, with a stack of its own, in the memory of a module that has started.
  static async helper(compiled, { memory, stopped }) {
    const module = await Module.#instance(compiled, { memory, stopped, report() {} });
    const { __stack_pointer: stack, __tls_size: size, __wasm_init_tls: initialize, help_join: join } = module.exports;
    const end = (memory.grow(STACK + Math.ceil(size.value / PAGE)) + STACK) * PAGE;
    stack.value = end;
    initialize(end);
    join();
    return module;
  }

  static async #instance(compiled, { memory, stopped, report }) {
    const module = new Module();
    const kakugo = {
      // Of all workers with the same memory, the same clock.
      now: () => performance.timeOrigin + performance.now(),
      stopped,
      report(at, length) {
        const text = module.#text(at, length);
        if (text.startsWith('{"panic"')) module.panic = JSON.parse(text).panic;
        else report(text);
      },
    };
    const instance = await WebAssembly.instantiate(compiled, { kakugo, env: { memory } });
    module.exports = instance.exports;
    module.#memory = memory ?? instance.exports.memory;
    return module;
  }

  // Shared memory must be copied before it is decoded.
  #text(at, length) {
    return decoder.decode(new Uint8Array(this.#memory.buffer, at, length).slice());
  }

  // Calls an exported function. An error has the message of the panic that was its reason.
  run(name) {
    try {
      return this.exports[name]();
    } catch (error) {
      throw new Error(this.panic || error.message);
    }
  }

  // Calls a function with a line of JSON and bytes. Returns the JSON and the bytes of the reply.
  call(name, line, attachment = new Uint8Array()) {
    const head = encoder.encode(`${line}\n`);
    const length = head.length + attachment.length;
    const at = this.exports.input(length); // the memory may grow
    const input = new Uint8Array(this.#memory.buffer, at, length);
    input.set(head);
    input.set(attachment, head.length);
    const replied = this.run(name);
    const output = this.exports.output();
    const reply = new Uint8Array(this.#memory.buffer, output, replied);
    const end = reply.indexOf(10);
    const text = this.#text(output, end < 0 ? replied : end);
    return { json: text ? JSON.parse(text) : null, bytes: end < 0 ? new Uint8Array() : reply.slice(end + 1) };
  }
}
