// The engine in a worker, with promises. `README.md` and `index.d.ts` describe the API.

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

// Bundlers find the worker by the literal address in `new Worker(…)`.
async function startWorker() {
  if (!isNode) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const { Worker: NodeWorker } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:worker_threads');
  // Without the flags of the program: `--input-type` prevents workers from files.
  return new NodeWorker(new URL('./worker.js', import.meta.url), { execArgv: [] });
}

function listen(worker, message, error) {
  if (isNode) {
    worker.on('message', message);
    worker.on('error', error);
  } else {
    worker.onmessage = event => message(event.data);
    worker.onerror = event => error(new Error(event.message || 'the worker cannot be started'));
  }
}

// Whole numbers that options take: the least and the greatest.
const RANGES = {
  nodes: [0, Number.MAX_SAFE_INTEGER],
  depth: [0, 0xffff_ffff],
  lines: [1, 0xffff_ffff],
  level: [1, 10],
  reduction: [0, 0xffff_ffff],
  hashMb: [1, 2048],
};

// Fails unless the value is a number that the option takes. JSON has neither NaN nor Infinity.
function checkNumber(name, value) {
  const [least, greatest] = RANGES[name] ?? [0, Number.MAX_VALUE];
  const isNumber = name === 'time' ? Number.isFinite(value) : Number.isInteger(value);
  if (isNumber && value >= least && value <= greatest) return;
  const expected = name === 'time' ? 'milliseconds' : `a whole number from ${least} to ${greatest}`;
  throw new RangeError(`invalid ${name} ${String(value)}: expected ${expected}`);
}

// Returns the options that are defined. Fails if one has another name or an invalid value.
function checked(options, names) {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name, value] of defined) {
    if (!names.includes(name)) throw new TypeError(`unknown option '${name}': expected ${names.join(', ')}`);
    if (name === 'time' || Object.hasOwn(RANGES, name)) checkNumber(name, value);
  }
  return Object.fromEntries(defined);
}

// Fails if nothing ends a search.
function requireLimit({ time, nodes, depth }, signal) {
  if ((time ?? nodes ?? depth ?? signal) === undefined) {
    throw new TypeError('a search needs a limit: time, nodes, depth or signal');
  }
}

export class Kakugo {
  #options;
  #worker = null;
  #flag = null; // shared with the worker: not 0 stops its search
  #number = 0;
  #current = null; // the request that the worker performs
  #queue = Promise.resolve();
  #closed = false;

  constructor(options = {}) {
    this.#options = { hashMb: 32, networks: true, ...checked(options, ['hashMb', 'networks']) };
  }

  /** The best move, such as 'h8'; null if the game is over. */
  async bestMove(position, { signal, ...options } = {}) {
    const { level, ...limits } = checked(options, ['time', 'nodes', 'depth', 'level']);
    // Only the strongest level searches until a limit ends it.
    if (level === undefined || level === 10) requireLimit(limits, signal);
    return this.#search({ do: 'bestMove', position, limits, level }, signal);
  }

  /** The best lines. `onProgress` is called for each line of each iteration. */
  async analyze(position, { onProgress, signal, ...options } = {}) {
    const limits = checked(options, ['time', 'nodes', 'depth', 'lines', 'only', 'without']);
    requireLimit(limits, signal);
    return this.#search({ do: 'analyze', position, limits }, signal, onProgress);
  }

  /** A forced win by fours and open threes; null if none was found. */
  async solve(position, { signal, ...options } = {}) {
    const limits = checked(options, ['time', 'nodes']);
    return this.#search({ do: 'solve', position, limits }, signal);
  }

  /** Whose turn it is, the result on the board, and the points that may be played. */
  async status(position) {
    return this.#search({ do: 'status', position });
  }

  /** The points that renju forbids to Black, with the reasons. */
  async forbiddenPoints(position) {
    return this.#search({ do: 'forbiddenPoints', position });
  }

  /** The number of legal sequences of `depth` moves. */
  async perft(position, depth) {
    checkNumber('depth', depth);
    return this.#search({ do: 'perft', position, depth });
  }

  /** The signature of the build, and its speed. */
  async bench({ signal, ...options } = {}) {
    return this.#search({ do: 'bench', ...checked(options, ['reduction']) }, signal);
  }

  /** Forgets earlier searches. */
  async newGame() {
    return this.#search({ do: 'newGame' });
  }

  /** Ends the worker. Open requests are rejected. */
  close() {
    this.#closed = true;
    this.#end(new Error('the engine is closed'));
  }

  // Requests are performed one after the other. Later changes of a position have no effect.
  #search(request, signal, progress) {
    const copy = JSON.parse(JSON.stringify(request));
    const performed = this.#queue.then(() => this.#perform(copy, signal, progress));
    this.#queue = performed.catch(() => {});
    return performed;
  }

  async #perform(request, signal, progress) {
    this.#check(signal);
    if (!this.#worker) await this.#start();
    const stop = () => this.#stop();
    // A program in Node ends unless a request is open.
    this.#worker?.ref?.();
    try {
      this.#check(signal); // again: starting takes time
      if (this.#flag) Atomics.store(this.#flag, 0, 0);
      signal?.addEventListener('abort', stop, { once: true });
      return await new Promise((resolve, reject) => {
        this.#current = { number: ++this.#number, request, resolve, reject, progress, lines: [] };
        this.#worker.postMessage({ number: this.#number, request });
      });
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#current = null;
      this.#worker?.unref?.();
    }
  }

  // Fails if the engine is closed or the request is not wanted any more.
  #check(signal) {
    if (this.#closed) {
      const error = new Error('the engine is closed');
      this.#end(error);
      throw error;
    }
    signal?.throwIfAborted();
  }

  async #start() {
    const worker = await startWorker();
    this.#worker = worker;
    const isShared = isNode || globalThis.crossOriginIsolated;
    this.#flag = isShared ? new Int32Array(new SharedArrayBuffer(4)) : null;
    listen(worker, message => this.#receive(message), error => {
      if (this.#worker === worker) this.#end(error);
    });
    worker.postMessage({ start: true, ...this.#options, flag: this.#flag });
  }

  #receive({ number, line, reply, failed }) {
    const current = this.#current;
    if (!current || number !== current.number) return;
    if (line) {
      // The lines of the latest iteration.
      if (line.rank === 1) current.lines = [];
      current.lines.push(line);
      // The caller gets the exception. The search would go on, so its worker is ended.
      try {
        current.progress?.(line);
      } catch (error) {
        this.#end(error);
      }
    } else if (failed) this.#end(new Error(failed));
    else if ('error' in reply) current.reject(new Error(reply.error));
    else current.resolve(reply.ok);
  }

  // Stops the search: it returns what it has found. Without shared memory, the worker is ended.
  #stop() {
    if (this.#flag) { Atomics.store(this.#flag, 0, 1); return; }
    const { request, resolve, lines } = this.#current;
    const [first] = lines;
    if (request.do === 'analyze' && first) {
      resolve({ best: first.moves[0], score: first.score, mate: first.mate, winRate: first.winRate,
        depth: first.depth, nodes: lines.at(-1).nodes, lines });
    } else if (request.do === 'solve') resolve(null);
    this.#end(new DOMException('the search was stopped', 'AbortError'));
  }

  #end(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#current?.reject(error);
  }
}
