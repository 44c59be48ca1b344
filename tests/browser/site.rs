//! The static site, beside the tests that it shares with `play`. They need `KAKUGO_SITE_SERVER`,
//! see `.ci/site-tests`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use kakugo::bench::{CASES, Case};
use kakugo::board::perft::perft;
use kakugo::board::{Board, Variant};
use kakugo::search::Networks;
use serde_json::{Value, json};

use crate::driver::{Page, Process, Screen, browse, empty_folder, started};
use crate::practice::{keep_missed_win, open_puzzle};
use crate::review::{MISSED, REVIEWED, follow};

/// Calls an asynchronous function with the arguments and returns its result.
pub async fn call(page: &Page, body: &str) -> Value {
    let script = format!(
        "const done = arguments[arguments.length - 1];
         (async () => {{ {body} }})().then(done, error => done(String(error)));"
    );
    page.client.execute_async(&script, Vec::new()).await.unwrap()
}

/// Waits until the service worker has stored the site.
async fn until_stored(page: &Page) {
    let ready = "return Boolean(await navigator.serviceWorker.ready);";
    assert_eq!(call(page, ready).await, json!(true));
}

/// Leaves the page and opens it again in the same tab. (Firefox reloads a page without its service
/// worker if a driver asks for it.)
async fn come_back(page: &Page) {
    page.client.goto("about:blank").await.unwrap();
    page.open().await;
}

/// Serves a copy of the site whose files `change` was called for, with name and content. A file
/// without content is left out.
pub fn serve_changed(
    copy: &str,
    change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>,
) -> (Process, String) {
    let server = std::env::var("KAKUGO_SITE_SERVER").unwrap();
    let words: Vec<&str> = server.split_whitespace().collect();
    let folder = empty_folder(copy);
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(PathBuf::from(words[2])).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if let Some(content) = change(&name, fs::read(entry.path()).unwrap()) {
            fs::write(folder.join(name), content).unwrap();
        }
    }
    started(Command::new(words[0]).arg("--serve").arg(&folder).args(&words[3..]))
}

/// Puts a line before the script with this name.
pub fn before(script: &str, line: &str) -> impl Fn(&str, Vec<u8>) -> Option<Vec<u8>> {
    move |name, content| {
        let is_it = name.starts_with(&format!("{script}-"));
        Some(if is_it { [line.as_bytes(), b"\n", &content].concat() } else { content })
    }
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn a_browser_that_is_too_old_gets_a_sentence() {
    browse(Screen::Desktop, &[], |page| async move {
        let shown = async |url: &str, words: &str| {
            page.client.goto(url).await.unwrap();
            page.until(&format!("text('status').includes({})", json!(words))).await;
            let style = "getComputedStyle(document.getElementById('status')).visibility";
            assert_eq!(page.value(style).await, "visible");
            assert_eq!(page.value("document.querySelector('nav').offsetWidth").await, 0);
        };
        for (lacks, line) in [
            ("ECMAScript 2022", "delete Array.prototype.at;"),
            ("WebAssembly", "delete window.WebAssembly;"),
            ("SIMD", "WebAssembly.validate = function () { return false; };"),
            ("DecompressionStream", "delete window.DecompressionStream;"),
        ] {
            let (_server, url) = serve_changed("site-too-old", before("start", line));
            shown(&url, &format!("This browser is too old for Kakugo: it has no {lacks}.")).await;
            page.shot("site-too-old").await;
        }
        // A script that the browser cannot read, and one that does not arrive.
        let (_server, url) = serve_changed("site-unreadable", before("app", "class {"));
        shown(&url, "too old for Kakugo: it has no ECMAScript 2022.").await;
        page.value("localStorage.setItem('kakugo-language', '\"cs\"')").await;
        shown(&format!("{url}?"), "Tento prohlížeč je pro Kakugo příliš starý").await;
        let (_server, url) = serve_changed("site-incomplete", |name, content| {
            Some(content).filter(|_| !name.starts_with("app-"))
        });
        shown(&url, "Kakugo has failed: a file of the site cannot be loaded.").await;
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn workers_that_are_ended_cost_no_game() {
    /// Lets the page end the search workers, and its own worker.
    const KILLABLE: &str = "{ const Original = Worker; const all = [];
        self.Worker = function (...given) { all.push(new Original(...given)); return all.at(-1); };
        new BroadcastChannel('kill').onmessage = ({ data }) => {
            if (data === typeof document) for (const worker of all) worker.terminate();
        }; }";
    browse(Screen::Desktop, &[], |page| async move {
        let (_server, url) = serve_changed("site-killable", |name, content| {
            let content = before("start", KILLABLE)(name, content)?;
            before("core", KILLABLE)(name, content)
        });
        page.client.goto(&url).await.unwrap();
        page.ready().await;
        let fields = [("player-0", "human"), ("player-1", "kakugo:10"), ("thought", "60")];
        page.start(&fields).await;
        page.play("h8").await;
        page.until_status("Thinking").await;
        page.until("!document.getElementById('now').hidden").await;
        // `document` is undefined in the core worker, which has the search workers.
        let kill = async |whose: &str| {
            let kill = format!("new BroadcastChannel('kill').postMessage('{whose}')");
            page.value(&kill).await;
        };
        kill("undefined").await;
        // Another worker searches on.
        page.press("now").await;
        page.until("count('#board [data-point]') === 2").await;
        page.play("h9").await;
        // The worker of the page, while the engine thinks again.
        page.until_status("Thinking").await;
        page.value("document.getElementById('message').textContent = ''").await;
        kill("object").await;
        page.until("text('message') === 'Your game is back.'").await;
        page.until("count('#board [data-point]') === 3 && text('status').includes('Paused')").await;
        page.press("pause").await;
        page.until_status("Thinking").await;
        page.press("now").await;
        page.until("count('#board [data-point]') === 4").await;
    });
}

/// Tests that need Chromium's developer tools.
mod by_devtools {
    use super::*;

    #[test]
    #[ignore = "needs KAKUGO_SITE_SERVER"]
    fn a_full_storage_is_reported_and_the_game_is_saved_later() {
        browse(Screen::Desktop, &[], |page| async move {
            page.start(&[("player-0", "human"), ("player-1", "human")]).await;
            let origin = page.value("location.origin").await;
            let quota = "Storage.overrideQuotaForOrigin";
            page.devtools(quota, json!({ "origin": origin, "quotaSize": 1 })).await;
            page.play("h8").await;
            page.until("text('message').includes('the browser’s storage is full')").await;
            page.shot("site-storage-full").await;
            page.play("h9 h10").await;
            page.devtools(quota, json!({ "origin": origin })).await;
            page.play("h11").await;
            page.press("games").await;
            page.until("count('#kept-list li') === 1").await;
            come_back(&page).await;
            page.until("count('#board [data-point]') === 4").await;
        });
    }

    #[test]
    #[ignore = "needs KAKUGO_SITE_SERVER"]
    fn a_tab_that_was_suspended_goes_on() {
        browse(Screen::Desktop, &[], |page| async move {
            let fields = [("player-0", "human"), ("player-1", "kakugo:10"), ("thought", "1")];
            page.start(&fields).await;
            page.play("h8").await;
            let state = "Page.setWebLifecycleState";
            page.devtools(state, json!({ "state": "frozen" })).await;
            tokio::time::sleep(Duration::from_millis(1500)).await;
            page.devtools(state, json!({ "state": "active" })).await;
            page.until("count('#board [data-point]') === 2").await;
            // A tab that was discarded is loaded again.
            page.play("h9").await;
            page.client.goto("about:blank").await.unwrap();
            page.client.back().await.unwrap();
            page.ready().await;
            page.until("count('#board [data-point]') >= 3").await;
        });
    }
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn a_game_is_played_without_a_network_and_comes_back() {
    browse(Screen::Desktop, &[], |mut page| async move {
        until_stored(&page).await;
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2").await;
        page.server = None;
        come_back(&page).await;
        page.until("count('#board [data-point]') === 2").await;
        page.play("a1").await;
        page.until("count('#board [data-point]') === 4").await;
        // From the second visit on, searches share memory with the page.
        assert_eq!(page.value("crossOriginIsolated").await, true);
        // All games are in one file.
        page.press("games").await;
        page.until("count('#kept-list li') === 1").await;
        let exported = "
            const original = URL.createObjectURL;
            const file = new Promise(found => {
                URL.createObjectURL = blob => { found(blob); return original(blob); };
            });
            document.getElementById('kept-all').click();
            return (await file).text();";
        let exported = call(&page, exported).await;
        assert!(exported.as_str().unwrap().starts_with("(;"), "{exported}");
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn a_review_and_practice_end_without_a_network() {
    browse(Screen::Desktop, &[], |mut page| async move {
        page.start(&[("player-0", "human"), ("player-1", "human")]).await;
        until_stored(&page).await;
        page.server = None;
        // Nothing of the review or of practice has been loaded yet.
        follow(&page, MISSED).await;
        page.press("explain").await;
        page.until(REVIEWED).await;
        // The review is saved with its game.
        come_back(&page).await;
        page.until(REVIEWED).await;

        keep_missed_win(&page).await;
        open_puzzle(&page, "open four · 2 stones · missed").await;
        page.until("text('status') === 'Black to play and win.'").await;
        page.click("a1").await;
        page.until("text('status').startsWith('a1 does not win by force. White answers')").await;
        page.until("count('#board [data-point]') === 6").await;
        page.click("i15").await;
        page.until("text('status').startsWith('Right. White answers')").await;
        page.until("count('#board [data-point]') === 8").await;
        let five = page.value("document.querySelector('[data-point=j15]') ? 'e15' : 'j15'").await;
        page.click(five.as_str().unwrap()).await;
        page.until("text('status').startsWith('Solved')").await;
        // A built-in problem, too.
        page.press("practice").await;
        let step = "document.querySelector('[data-set=renju] [data-step=\"1\"]')";
        page.until(step).await;
        page.value(&format!("{step}.click()")).await;
        page.until("text('status').endsWith('to play: make five.')").await;
        for _ in 0..3 {
            page.press("hint").await;
        }
        page.until("count('.hint') === 1").await;
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn a_search_gives_way_to_a_move_and_the_page_never_waits() {
    browse(Screen::Desktop, &[], |page| async move {
        let fields = [("player-0", "human"), ("player-1", "kakugo:10"), ("thought", "60")];
        page.start(&fields).await;
        page.play("h8").await;
        page.until_status("Thinking").await;
        // The longest time between two turns of the page's event loop, while the engine searches.
        let longest = "
            let [longest, last] = [0, performance.now()];
            for (let n = 0; n < 20; n++) {
                await new Promise(done => setTimeout(done, 10));
                longest = Math.max(longest, performance.now() - last);
                last = performance.now();
            }
            return longest;";
        let longest = call(&page, longest).await.as_f64().unwrap();
        assert!(longest < 2000.0, "the page waited for {longest} ms");
        page.press("now").await;
        page.until("count('#board [data-point]') === 2").await;
        page.press("undo").await;
        page.until("count('#board [data-point]') === 0").await;
        // Nobody can watch without a server.
        page.press("files").await;
        page.until("document.getElementById('records').open").await;
        assert_eq!(page.value("document.getElementById('watch').hidden").await, true);
    });
}

/// Compares perft and a short bench in the browser with those of the program. `memory` is an
/// expression for the memory that the module imports, if it imports one.
pub async fn compare_engines(page: &Page, module: &str, memory: &str) {
    /// Plies less than in the bench, which takes longer than a test should.
    const REDUCTION: u32 = 6;
    let search =
        |case: &Case| case.search(&case.board().unwrap(), REDUCTION, &Networks::default()).nodes;
    let signature: u64 = CASES.iter().map(search).sum();
    let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
    let sequences = perft(&mut board, 2);
    let asked = format!(
        "{LOAD}
         const own = {memory};
         const kakugo = {{ now: () => performance.now(), stopped: () => 0, report() {{ }} }};
         const {{ exports }} =
             await WebAssembly.instantiate(await compiled('{module}'), {{ kakugo, env: {{ memory: own }} }});
         const memory = own ?? exports.memory;
         const ask = (request, more = new Uint8Array()) => {{
             const line = new TextEncoder().encode(JSON.stringify(request) + '\\n');
             const at = exports.input(line.length + more.length);
             new Uint8Array(memory.buffer).set(line, at);
             new Uint8Array(memory.buffer).set(more, at + line.length);
             const length = exports.engine_request();
             const reply = new Uint8Array(memory.buffer, exports.output(), length);
             return JSON.parse(new TextDecoder().decode(reply.slice()));
         }};
         for (const name of ['freestyle', 'standard', 'renju', 'caro']) {{
             const network = await fetch(file(name, 'bin'));
             ask({{ do: 'network' }}, new Uint8Array(await network.arrayBuffer()));
         }}
         const perft = ask({{ do: 'perft', position: {{ rule: 'renju' }}, depth: 2 }}).ok;
         return [perft, ask({{ do: 'bench', reduction: {REDUCTION} }}).ok.signature];"
    );
    assert_eq!(call(page, &asked).await, json!([sequences, signature]), "{module}");
}

/// Functions that find and compile the files of the site.
pub const LOAD: &str = "
    const app = await (await fetch(document.querySelector('script[type=module]').src)).text();
    const file = (name, kind) => app.match(new RegExp(`${name}-[0-9a-f]+[.]${kind}`))[0];
    const compiled = async name => {
        const packed = (await fetch(file(name, 'bin'))).body;
        const plain = packed.pipeThrough(new DecompressionStream('gzip'));
        const type = { headers: { 'content-type': 'application/wasm' } };
        return WebAssembly.compileStreaming(new Response(plain, type));
    };";

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn the_engine_in_the_browser_is_that_of_the_program() {
    browse(Screen::Desktop, &[], |page| async move {
        compare_engines(&page, "module", "null").await;
    });
}

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER and the npm package"]
fn the_npm_package_analyses_in_a_page() {
    browse(Screen::Desktop, &[], |page| async move {
        let server = std::env::var("KAKUGO_SITE_SERVER").unwrap();
        let program = server.split_whitespace().next().unwrap();
        let package = concat!(env!("CARGO_MANIFEST_DIR"), "/target/npm/kakugo");
        let (_server, url) = started(Command::new(program).args(["--serve", package]));
        page.client.goto(&format!("{url}example.html")).await.unwrap();
        page.press("go").await;
        page.until("/^[1-9]/.test(text('lines'))").await;
        page.press("stop").await;
        page.until("/best: [a-o][0-9]/.test(text('lines'))").await;
        // Without isolation the worker was ended: another one starts.
        page.press("go").await;
        page.until("/^[1-9]/.test(text('lines')) && !text('lines').includes('best')").await;
    });
}
