// How a script learns that a worker has ended, which no event tells: every worker holds a lock.

// Returns the name of a new lock.
export const lockName = () => `kakugo-worker-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

// Locks a name until this worker ends. Returns false if the browser has no locks.
export function lock(name) {
  return new Promise(done => {
    if (!navigator.locks) { done(false); return; }
    navigator.locks.request(name, () => {
      done(true);
      return new Promise(() => {});
    }).catch(() => done(false));
  });
}

// Calls a function when the worker that holds this lock has ended.
export function whenFree(name, ended) {
  navigator.locks.request(name, ended).catch(() => {});
}
