// A search worker: runs one job after the other.

import { lock } from './life.js';
import { Module } from './module.js';

let module = null;
let flag = null;
let locking; // set once the worker locks its name
const loaded = new Set(); // networks

// Loads a network. A search without it evaluates classically, so a missing network stops nothing.
async function load(path) {
  if (!path || loaded.has(path)) return;
  loaded.add(path);
  try {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const { json } = module.call('search_network', '', new Uint8Array(await response.arrayBuffer()));
    if (json) throw new Error(json);
  } catch (error) {
    loaded.delete(path);
    console.warn(`a network cannot be loaded: ${error.message}`);
  }
}

async function run({ module: compiled, flag: shared, task, network, name }) {
  flag = shared;
  locking ??= lock(name).then(locked => { if (locked) postMessage({ locked }); });
  await locking;
  module ??= await Module.start(compiled, () => (flag ? Atomics.load(flag, 0) : 0),
    progress => postMessage({ progress }));
  await load(network);
  const { json: result } = module.call('search_run', JSON.stringify(task));
  if (result === null) throw new Error('the job is invalid');
  postMessage({ job: task.number, result });
}

let order = Promise.resolve();
onmessage = ({ data }) => {
  order = order.then(() => run(data)).catch(error => postMessage({ error: error.message }));
};
