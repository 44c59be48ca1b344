//! Searches of the static site with several threads. They need an isolated page of a site with
//! threads (`KAKUGO_SITE_SERVER`), see `.ci/site-tests`.

use serde_json::{Value, json};

use crate::driver::{Page, Screen, browse};
use crate::site::{LOAD, before, call, compare_engines, serve_changed};

/// An expression for the memory that the module imports.
const MEMORY: &str = "new WebAssembly.Memory({ initial: 160, maximum: 8192, shared: true })";

/// Replaces `Atomics.load` in a search worker. The engine polls with it whether it must stop.
/// Counts the polls of the searching worker in the second element of the array, and those of its
/// helpers in the third.
const COUNTS_POLLS: &str = "{ let place = 1;
    addEventListener('message', ({ data }) => { if (data.helps) place = 2; });
    const { load } = Atomics;
    Atomics.load = (array, at) => { Atomics.add(array, place, 1); return load(array, at); }; }";

/// Starts a search worker with two helpers as `flag`, `memory` and `search(ms)`. That analyses a
/// position, is stopped after this time, and returns the time that it took to stop, the nodes
/// and whether the best move is legal.
const TEAM: &str = "
    const module = await compiled('threads');
    const flag = new Int32Array(new SharedArrayBuffer(12));
    const workers = [0, 1, 2].map(() => new Worker(file('search', 'js'), { type: 'module' }));
    const received = (worker, wanted) => new Promise((done, failed) => {
        worker.onmessage = ({ data }) => {
            if (data.error) failed(new Error(data.error));
            else if (wanted(data)) done(data);
        };
    });
    const start = (worker, index) => {
        const started = received(worker, data => data.started);
        const name = `a lock of ${index}`;
        worker.postMessage({ type: 'start', module, memory, helps: index > 0, flag, name });
        return started;
    };
    await start(workers[0], 0);
    await Promise.all([1, 2].map(index => start(workers[index], index)));
    const stones = [[7, 7, true], [8, 8, false], [7, 9, true], [8, 6, false]];
    const board = { width: 15, height: 15, rule: 'freestyle', win: 5, blocked: [], stones,
        set_up: 0, black_to_move: true };
    const analysis = { board, lines: 1, depth: null, ms: null, only: [], without: [] };
    const task = { number: 1, job: { analysis }, elapsed: 0, at_once: false };
    const search = async ms => {
        Atomics.store(flag, 0, 0);
        let [best, nodes] = [null, 0];
        const ended = received(workers[0], data => {
            if (data.progress) {
                const { progress, nodes: counted } = JSON.parse(data.progress);
                [best, nodes] = [progress?.lines[0]?.moves[0] ?? best, counted];
            }
            return 'result' in data;
        });
        workers[0].postMessage({ type: 'run', task, network: file('freestyle', 'bin') });
        await new Promise(done => setTimeout(done, ms));
        Atomics.store(flag, 0, 1);
        const stopped = performance.now();
        await ended;
        const isLegal = best !== null && best.every(n => n >= 0 && n < 15)
            && !stones.some(([x, y]) => x === best[0] && y === best[1]);
        return [performance.now() - stopped, nodes, isLegal];
    };";

/// Counts the workers that a core worker has started and ended, for those who ask.
const COUNTS_WORKERS: &str = "{ const [Original, counts] = [Worker, [0, 0]];
    self.Worker = function (...given) {
        const worker = new Original(...given);
        const terminate = worker.terminate.bind(worker);
        worker.terminate = () => { counts[1] += 1; terminate(); };
        counts[0] += 1;
        return worker;
    };
    const channel = new BroadcastChannel('workers');
    channel.onmessage = ({ data }) => { if (data === 'count') channel.postMessage(counts); }; }";

/// Returns the numbers of search workers that were started and ended.
async fn workers(page: &Page) -> Value {
    let asked = "
        const channel = new BroadcastChannel('workers');
        const counts = new Promise(done => { channel.onmessage = ({ data }) => done(data); });
        channel.postMessage('count');
        return counts;";
    call(page, asked).await
}

/// Runs an analysis until it has lines.
async fn analyse(page: &Page) {
    for expected in ["count('#best li') > 0", "count('#best li') === 0"] {
        page.value("document.getElementById('analyse').click()").await;
        page.until(expected).await;
    }
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER with threads"]
fn the_module_with_threads_has_the_engine_of_the_program() {
    browse(Screen::Desktop, &[], |page| async move {
        compare_engines(&page, "threads", MEMORY).await;
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER with threads"]
fn a_hundred_searches_use_all_threads_and_stop_at_once() {
    browse(Screen::Desktop, &[], |page| async move {
        let (_server, url) = serve_changed("site-threads-polls", before("search", COUNTS_POLLS));
        page.client.goto(&url).await.unwrap();
        page.ready().await;
        let asked = format!(
            "{LOAD} const memory = {MEMORY}; {TEAM}
             const [times, sizes] = [[], new Set()];
             let [least, legal] = [Infinity, 0];
             for (let number = 1; number <= 100; number += 1) {{
                 const [ms, nodes, isLegal] = await search(30);
                 times.push(ms);
                 least = Math.min(least, nodes);
                 legal += Number(isLegal);
                 if (number >= 20) sizes.add(memory.buffer.byteLength);
             }}
             const median = times.sort((a, b) => a - b)[50];
             return {{ median, least, legal, sizes: sizes.size, polls: [flag[1], flag[2]] }};"
        );
        let found = call(&page, &asked).await;
        assert!(found["median"].as_f64().is_some_and(|ms| ms < 50.0), "{found}");
        // On a busy machine a search may be stopped before it has a move.
        assert!(found["legal"].as_u64() > Some(80) && found["least"].as_u64() > Some(0), "{found}");
        let polls = |thread: usize| found["polls"][thread].as_u64();
        assert!(polls(0) > Some(100) && polls(1) > Some(100), "{found}");
        // The memory does not grow any more.
        assert_eq!(found["sizes"], 1, "{found}");
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER with threads"]
fn searches_have_the_threads_that_the_machine_has() {
    browse(Screen::Desktop, &[], |page| async move {
        for (cores, threads) in [(1, 1), (2, 2), (4, 3), (64, 8)] {
            let cores = format!(
                "Object.defineProperty(navigator, 'hardwareConcurrency', {{ value: {cores} }});"
            );
            let line = format!("{cores}{COUNTS_WORKERS}");
            let (_server, url) = serve_changed("site-threads-cores", before("core", &line));
            page.client.goto(&url).await.unwrap();
            page.ready().await;
            for _ in 0..3 {
                analyse(&page).await;
            }
            assert_eq!(workers(&page).await, json!([threads, 0]), "{cores}");
        }
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER with threads"]
fn searches_have_one_thread_if_several_fail() {
    /// Helpers that do not start.
    const NO_HELPERS: &str = "addEventListener('message', event => {
        if (event.data.helps) event.stopImmediatePropagation(); });";
    browse(Screen::Desktop, &[], |page| async move {
        let counted = before("core", COUNTS_WORKERS);
        /// Returns the changed content of a file, or `None` to leave it out.
        type Change<'a> = &'a dyn Fn(&str, Vec<u8>) -> Option<Vec<u8>>;
        let changes: [(&str, Change<'_>); 4] = [
            ("missing", &|name, content| Some(content).filter(|_| !name.starts_with("threads-"))),
            ("damaged", &|name, content| {
                Some(if name.starts_with("threads-") { b"damaged".to_vec() } else { content })
            }),
            ("without memory", &before("core", "delete WebAssembly.Memory;")),
            ("without helpers", &before("search", NO_HELPERS)),
        ];
        for (what, change) in changes {
            let (_server, url) = serve_changed("site-threads-fail", |name, content| {
                counted(name, change(name, content)?)
            });
            page.client.goto(&url).await.unwrap();
            page.ready().await;
            analyse(&page).await;
            // All but the last one were ended.
            let counts = workers(&page).await;
            let (started, ended) = (counts[0].as_u64().unwrap(), counts[1].as_u64().unwrap());
            assert!(started > 2 && ended + 1 == started, "{what}: {counts}");
        }
    });
}
