// The search workers as the core worker sees them: one search at a time. They start with the first job, and
// end when they had nothing to do for a minute.

import { Team } from './team.js';

const REST_AFTER = 60000; // ms
const NETWORKS = { freestyle: 'freestyle', standard: 'standard', renju: 'renju', caro: 'caro', 'caro-overline': 'caro' };

export class Search {
  #options;
  #team = null;
  #threads;
  #flag = null; // shared with the workers: 1 stops their search
  #waiting = null; // the job that the team gets once it has started
  #resting;

  constructor(options) {
    this.#options = options;
    this.#threads = options.threads;
    if (options.isShared) this.#flag = new Int32Array(new SharedArrayBuffer(4));
  }

  // True if a running search can be signalled.
  get hasSignals() {
    return this.#flag !== null;
  }

  run(task, rule) {
    clearTimeout(this.#resting);
    if (this.#flag) Atomics.store(this.#flag, 0, 0);
    this.#waiting = { task, network: this.#options.files.networks[NETWORKS[rule]] };
    this.#pass();
  }

  // Passes the job to a team that has started.
  async #pass() {
    this.#team ??= this.#start();
    const team = this.#team;
    await team.ready;
    if (this.#team !== team || !this.#waiting) return;
    const { task, network } = this.#waiting;
    this.#waiting = null;
    team.run(task, network);
  }

  #start() {
    const { files, module, threaded, finished, progress } = this.#options;
    const threads = this.#threads;
    return new Team({
      script: files.search,
      module: threads > 1 ? threaded : module,
      threads,
      flag: this.#flag,
      received: data => {
        if (data.progress) { progress(data.progress); return; }
        this.#resting = setTimeout(() => this.end(), REST_AFTER);
        finished(data.job, data.result);
      },
      lost: error => this.#lost(error),
    });
  }

  // The team has ended. If it had several threads, the next one has one: it needs less of the browser.
  #lost(error) {
    const wasThreaded = this.#threads > 1;
    this.#team = null;
    this.#threads = 1;
    if (wasThreaded) console.warn(`searches have one thread from now on: ${error}`);
    if (wasThreaded && this.#waiting) { this.#pass(); return; }
    this.#waiting = null;
    this.#options.lost(error);
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

  // Ends the workers.
  end() {
    clearTimeout(this.#resting);
    this.#waiting = null;
    this.#team?.end();
    this.#team = null;
  }
}
