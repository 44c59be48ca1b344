// Tests of the packed package in Node. `.ci/npm` runs them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

import { Kakugo } from '../../../../target/npm/kakugo/index.js';

const folder = new URL('../../../../target/npm/kakugo/', import.meta.url);

const engine = new Kakugo({ hashMb: 16 });
after(() => engine.close());

test('the best move completes a five', async () => {
  const move = await engine.bestMove({ moves: 'h8a1i8a2j8a3k8a15' }, { time: 1000 });
  assert.ok(['g8', 'l8'].includes(move), move);
  assert.equal(await engine.bestMove({ moves: 'h8a1i8a2j8a3k8a15l8' }, { nodes: 100 }), null);
});

test('a rule has its network in every spelling', async () => {
  const score = async (rule, networks) => {
    const other = new Kakugo({ hashMb: 16, networks });
    const analysis = await other.analyze({ rule, moves: 'h8 h9 i9' }, { nodes: 1000 });
    other.close();
    return analysis.score;
  };
  const renju = await score('renju');
  assert.deepEqual(await Promise.all([' Renju', 'RENJU', '4'].map(rule => score(rule))), [renju, renju, renju]);
  assert.notEqual(await score('renju', false), renju);
  await assert.rejects(score('__proto__'), /invalid rule '__proto__'/);
});

test('a position can be set up', async () => {
  const won = { black: 'h8 i8 j8 k8 l8', white: 'a1 a2 a3 a4' };
  assert.equal(await engine.bestMove(won, { nodes: 100 }), null);
  // A double three that is set up is not a forbidden move.
  const fork = { rule: 'renju', black: 'f8 g8 h6 h7 h8' };
  assert.match(await engine.bestMove(fork, { nodes: 100 }), /^[a-o]\d+$/);
  assert.equal((await engine.status({ white: 'h8' })).sideToMove, 'black');
  await assert.rejects(engine.bestMove({ ...won, moves: 'o1' }, { nodes: 100 }), /o1: the game is over/);
});

test('a status has the result on the board', async () => {
  const open = await engine.status({ rule: 'renju', moves: ['h8', 'h9'] });
  assert.deepEqual([open.sideToMove, open.isOver, open.winner, open.legalPoints.length],
    ['black', false, null, 223]);
  const won = { moves: 'h8a1i8a2j8a3k8a15l8' };
  assert.deepEqual(await engine.status(won), { sideToMove: 'white', isOver: true, winner: 'black',
    winningLine: ['h8', 'i8', 'j8', 'k8', 'l8'], legalPoints: [] });
  const { best, score, mate, winRate } = await engine.analyze(won, { nodes: 100 });
  assert.deepEqual({ best, score, mate, winRate }, { best: null, score: -30000, mate: 0, winRate: 0 });
});

test('an analysis reports its lines and can be stopped', async () => {
  const stop = new AbortController();
  const lines = [];
  let began;
  const analysis = await engine.analyze({ rule: 'renju', moves: ['h8', 'h9', 'i9'] }, {
    lines: 2,
    signal: stop.signal,
    onProgress(line) {
      lines.push(line);
      if (line.depth < 5 || began) return;
      began = performance.now();
      stop.abort();
    },
  });
  assert.equal(analysis.best, analysis.lines[0].moves[0]);
  assert.equal(lines[0].rank, 1);
  assert.equal(typeof lines[0].score, 'number');
  assert.ok(performance.now() - began < 10_000, 'it has no other limit');
  await assert.rejects(engine.analyze({}, { signal: stop.signal }), { name: 'AbortError' });
});

test('an analysis has the position and the first moves that were asked for', async () => {
  const position = { moves: ['h8'] };
  const analysis = engine.analyze(position, { nodes: 500, only: 'a1 b1', without: ['b1'], lines: 2 });
  position.moves.push('a1');
  assert.deepEqual((await analysis).lines.map(line => line.moves[0]), ['a1']);
});

test('wins are solved and forbidden points listed', async () => {
  const win = await engine.solve({ moves: 'g8a1h8o1i6a15i7o15' });
  assert.equal(win.kind, 'threats');
  assert.equal(win.moves.length % 2, 1);
  assert.equal(win.isComplete, true);
  const renju = { rule: 'renju', moves: 'f8a1g8a15h6o1h7o15' };
  assert.deepEqual(await engine.forbiddenPoints(renju), [{ point: 'h8', foul: 'double-three' }]);
});

test('perft counts legal sequences', async () => {
  assert.equal(await engine.perft({}, 2), 225 * 224);
  assert.equal(await engine.perft({ rule: 'renju', width: 9, height: 9 }, 3), 81 * 80 * 79);
});

test('the bench is reproducible, and its signature that of the native engine', async () => {
  const short = await engine.bench({ reduction: 6 });
  assert.equal((await engine.bench({ reduction: 6 })).signature, short.signature);
  const native = process.env.KAKUGO_SIGNATURE; // set by the gate
  if (native) assert.equal((await engine.bench()).signature, Number(native));
});

test('errors say what is wrong', async () => {
  const nodes = 100;
  await assert.rejects(engine.bestMove({ moves: 'h8 h8' }, { nodes }), /h8/);
  await assert.rejects(engine.bestMove({ rule: 'go' }, { nodes }), /go/);
  await assert.rejects(engine.perft({}, 9), /at most 8/);
  // The engine goes on.
  assert.match(await engine.bestMove({}, { level: 1 }), /^[a-o]\d+$/);
});

test('a search has a limit, and its numbers are valid', async () => {
  const { signal } = new AbortController();
  for (const limits of [undefined, {}, { time: undefined }, { lines: 3 }]) {
    await assert.rejects(engine.analyze({}, limits), /needs a limit/);
    if (!limits?.lines) await assert.rejects(engine.bestMove({}, limits), /needs a limit/);
  }
  await assert.rejects(engine.bestMove({}, { level: 10 }), /needs a limit/);
  for (const invalid of [NaN, Infinity, -1, null, '5']) {
    for (const name of ['time', 'nodes', 'depth', 'lines']) {
      const analysis = engine.analyze({}, { signal, [name]: invalid });
      await assert.rejects(analysis, new RegExp(`invalid ${name} ${invalid}`));
    }
  }
  for (const level of [0, 11, NaN, null, 1.5]) {
    await assert.rejects(engine.bestMove({}, { time: 100, level }), /expected a whole number from 1 to 10/);
  }
  await assert.rejects(engine.analyze({}, { nods: 100 }), /unknown option 'nods'/);
  await assert.rejects(engine.solve({}, { depth: 3 }), /unknown option 'depth'/);
  await assert.rejects(engine.perft({}, NaN), /invalid depth NaN/);
  assert.throws(() => new Kakugo({ hashMb: 0 }), /1 to 2048/);
  assert.throws(() => new Kakugo({ hash: 16 }), /unknown option 'hash'/);
});

test('a request can be given up while the engine starts', async () => {
  const other = new Kakugo({ hashMb: 1, networks: false });
  const stop = new AbortController();
  const given = other.analyze({}, { signal: stop.signal });
  for (let microtask = 0; microtask < 4; microtask += 1) await null;
  stop.abort();
  await assert.rejects(given, { name: 'AbortError' });
  assert.equal(await other.perft({}, 1), 225);
  other.close();
  const closed = new Kakugo({ hashMb: 1, networks: false });
  const open = closed.analyze({}, { time: 60_000 });
  for (let microtask = 0; microtask < 4; microtask += 1) await null;
  closed.close();
  await assert.rejects(open, /closed/);
});

test('a program ends without closing its engines', async () => {
  const program = `import { Kakugo } from ${JSON.stringify(new URL('index.js', folder).href)};
    const given = new AbortController();
    setTimeout(() => given.abort());
    new Kakugo({ hashMb: 1 }).analyze({}, { signal: given.signal }).catch(() => {});
    const [one, two] = [1, 2].map(() => new Kakugo({ hashMb: 1, networks: false }));
    console.log(await one.perft({}, 1), await one.perft({}, 2), await two.perft({}, 1));`;
  const run = promisify(execFile);
  const options = ['--input-type=module', '--eval', program];
  const { stdout } = await run(process.execPath, options, { timeout: 120_000 });
  assert.equal(stdout, '225 50400 225\n');
});

test('bundlers find every file by a literal address', () => {
  const scripts = ['index.js', 'worker.js'];
  const source = scripts.map(name => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const addresses = source.matchAll(/new URL\('\.\/([^']+)', import\.meta\.url\)/g);
  const named = [...addresses].map(([, name]) => name);
  const networks = readdirSync(new URL('networks', folder)).map(name => `networks/${name}`);
  assert.deepEqual(new Set(named), new Set(['worker.js', 'kakugo.wasm', ...networks]));
  // Other forms have no meaning for them, and bundles as scripts have no `await` at the top.
  assert.equal(source.match(/import\.meta\.url/g).length, named.length);
  assert.doesNotMatch(source, /^\S.*\bawait /m);
  const ignored = source.match(/import\(\/\* webpackIgnore: true \*\/ \/\* @vite-ignore \*\/ 'node:/g);
  assert.equal(source.match(/import\(/g).length, ignored.length);
});

test('a closed engine rejects requests', async () => {
  const other = new Kakugo({ networks: false });
  const open = other.analyze({}, { time: 60_000 });
  setTimeout(() => other.close(), 100);
  await assert.rejects(open, /closed/);
  await assert.rejects(other.perft({}, 1), /closed/);
});

test('an exception in onProgress rejects the analysis, and the engine goes on', async () => {
  const own = new Kakugo({ hashMb: 1, networks: false });
  const onProgress = () => { throw new Error('of the caller'); };
  await assert.rejects(own.analyze({ moves: 'h8 h9' }, { nodes: 5000, onProgress }), /of the caller/);
  assert.ok(await own.bestMove({ moves: 'h8 h9' }, { nodes: 100 }));
  own.close();
});
