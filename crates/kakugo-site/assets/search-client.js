// A search worker as the core worker sees it. It starts with its first job, and ends when it had
// nothing to do for a minute.

import { lockName, whenFree } from './life.js';

const REST_AFTER = 60000; // ms
const NETWORKS = { freestyle: 'freestyle', standard: 'standard', renju: 'renju', caro: 'caro', 'caro-overline': 'caro' };

export class Search {
  #options;
  #worker = null;
  #lock; // the name of the lock that it holds
  #flag = null; // shared with the worker: 1 stops its search
  #resting;

  constructor(options) {
    this.#options = options;
    // WebKitGTK isolates pages without having shared memory.
    const canShare = options.isolated && typeof SharedArrayBuffer === 'function';
    if (canShare) this.#flag = new Int32Array(new SharedArrayBuffer(4));
  }

  // True if a running search can be signalled.
  get hasSignals() {
    return this.#flag !== null;
  }

  async run(task, rule) {
    clearTimeout(this.#resting);
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    const worker = this.#worker ?? this.#start();
    const network = this.#options.files.networks[NETWORKS[rule]];
    const name = this.#lock;
    worker.postMessage({ type: 'run', module: await this.#options.module, flag: this.#flag, task, network, name });
  }

  #start() {
    const { files, progress, finished, lost } = this.#options;
    const worker = new Worker(files.search, { type: 'module' });
    this.#worker = worker;
    const name = lockName();
    this.#lock = name;
    const isCurrent = () => this.#worker === worker;
    const end = error => {
      if (!isCurrent()) return;
      this.end();
      lost(error);
    };
    worker.onmessage = ({ data }) => {
      if (!isCurrent()) return;
      if (data.progress) progress(data.progress);
      else if ('result' in data) {
        this.#resting = setTimeout(() => this.end(), REST_AFTER);
        finished(data.job, data.result);
      } else if (data.locked) whenFree(name, () => end('a search worker has ended'));
      else end(data.error);
    };
    worker.onerror = event => end(event.message || 'a search worker cannot be started');
    return worker;
  }

  // Asks for an answer now.
  signal() {
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
  }

  // Stops a job whose result is not needed.
  interrupt() {
    if (this.#flag) { this.signal(); return; }
    this.end();
    // Not before the other outputs have been performed.
    queueMicrotask(() => this.#options.lost(null));
  }

  // Ends the worker.
  end() {
    clearTimeout(this.#resting);
    this.#worker?.terminate();
    this.#worker = null;
  }
}
