// A search worker: runs one job after the other. Or a helper of one: another thread of its searches.

import { lock } from './life.js';
import { Module } from './module.js';

let module = null;
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

async function start({ module: compiled, memory, helps, flag, name }) {
  if (await lock(name)) postMessage({ locked: true });
  const stopped = () => (flag ? Atomics.load(flag, 0) : 0);
  const report = progress => postMessage({ progress });
  module = helps
    ? await Module.helper(compiled, { memory, stopped })
    : await Module.start(compiled, { memory, stopped, report });
  postMessage({ started: true });
  if (helps) module.run('help'); // until it is ended
}

async function run({ task, network }) {
  await load(network);
  const { json: result } = module.call('search_run', JSON.stringify(task));
  if (result === null) throw new Error('the job is invalid');
  postMessage({ job: task.number, result });
}

let order = Promise.resolve();
onmessage = ({ data }) => {
  order = order.then(() => (data.type === 'start' ? start(data) : run(data)))
    .catch(error => postMessage({ error: error.message }));
};
