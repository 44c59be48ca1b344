// The worker of a search and its helpers, which are further threads of the same search. The core worker
// owns them all, because a worker that searches can start no others.

import { lockName, whenFree } from './life.js';

const PATIENCE = 10000; // ms in which all must have started
// The memory of a module with threads, in pages of 64 KB: the size at which `.ci/site` links it, and a limit.
const [PAGES, MOST_PAGES] = [160, 8192];

export class Team {
  #workers = [];
  #options;
  #ended = false;

  // Starts workers with the module that a promise returns: one, or several that share their memory.
  // `received` takes the messages of the first one. `lost` is called if one of them ends.
  constructor(options) {
    this.#options = options;
    this.#workers = Array.from({ length: options.threads }, () => this.#worker());
    this.ready = this.#start().catch(error => this.#fail(error.message));
  }

  #worker() {
    const worker = new Worker(this.#options.script, { type: 'module' });
    worker.onerror = event => this.#fail(event.message || 'a search worker cannot be started');
    return worker;
  }

  async #start() {
    const module = await this.#options.module;
    if (this.#ended) return;
    if (this.#workers.length === 1) { this.#startWorker(0, module, null); return; }
    const overdue = setTimeout(() => this.#fail('the search workers do not start'), PATIENCE);
    try {
      const memory = new WebAssembly.Memory({ initial: PAGES, maximum: MOST_PAGES, shared: true });
      // The first one initializes the memory.
      await this.#startWorker(0, module, memory);
      await Promise.all(this.#workers.slice(1).map((_, index) => this.#startWorker(index + 1, module, memory)));
    } finally {
      clearTimeout(overdue);
    }
  }

  // Starts the module of a worker. Returns a promise that is kept once it has started.
  #startWorker(index, module, memory) {
    const worker = this.#workers[index];
    const name = lockName();
    return new Promise(started => {
      worker.onmessage = ({ data }) => {
        if (this.#ended) return;
        if (data.locked) whenFree(name, () => this.#fail('a search worker has ended'));
        else if (data.started) started();
        else if ('error' in data) this.#fail(data.error);
        else this.#options.received(data);
      };
      worker.postMessage({ type: 'start', module, memory, helps: index > 0, flag: this.#options.flag, name });
    });
  }

  #fail(error) {
    if (this.#ended) return;
    this.end();
    this.#options.lost(error);
  }

  // Runs a job.
  run(task, network) {
    this.#workers[0].postMessage({ type: 'run', task, network });
  }

  // Ends all workers.
  end() {
    this.#ended = true;
    for (const worker of this.#workers) worker.terminate();
  }
}
