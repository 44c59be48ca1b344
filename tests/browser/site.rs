//! The static site, beside the tests that it shares with `play`. They need `KAKUGO_SITE_SERVER`,
//! see `.ci/site-tests`.

use std::process::Command;

use kakugo::bench::{CASES, Case};
use kakugo::board::perft::perft;
use kakugo::board::{Board, Variant};
use kakugo::search::Networks;
use serde_json::{Value, json};

use crate::driver::{Page, Screen, browse, started};

/// Calls an asynchronous function with the arguments and returns its result.
async fn call(page: &Page, body: &str) -> Value {
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

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn a_game_is_played_without_a_network_and_comes_back() {
    browse(Screen::Desktop, &[], |mut page| async move {
        until_stored(&page).await;
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2").await;
        page.server = None;
        page.client.refresh().await.unwrap();
        page.ready().await;
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

#[test]
#[ignore = "needs KAKUGO_SITE_SERVER"]
fn the_engine_in_the_browser_is_that_of_the_program() {
    /// Plies less than in the bench, which takes longer than a test should.
    const REDUCTION: u32 = 6;
    let search =
        |case: &Case| case.search(&case.board().unwrap(), REDUCTION, &Networks::default()).nodes;
    let signature: u64 = CASES.iter().map(search).sum();
    let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
    let sequences = perft(&mut board, 2);
    browse(Screen::Desktop, &[], |page| async move {
        let asked = format!(
            "const script = await (await fetch(document.querySelector('script[src]').src)).text();
             const load = async name => (await fetch(script.match(new RegExp(`${{name}}-[0-9a-f]+[.]bin`))[0])).body;
             const plain = (await load('module')).pipeThrough(new DecompressionStream('gzip'));
             const type = {{ headers: {{ 'content-type': 'application/wasm' }} }};
             const imports = {{ kakugo: {{ now: () => performance.now(), stopped: () => 0, report() {{ }} }} }};
             const {{ instance }} = await WebAssembly.instantiateStreaming(new Response(plain, type), imports);
             const {{ memory, input, output, engine_request }} = instance.exports;
             const ask = (request, more = new Uint8Array()) => {{
                 const line = new TextEncoder().encode(JSON.stringify(request) + '\\n');
                 const at = input(line.length + more.length);
                 new Uint8Array(memory.buffer).set(line, at);
                 new Uint8Array(memory.buffer).set(more, at + line.length);
                 const length = engine_request();
                 return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, output(), length)));
             }};
             for (const name of ['freestyle', 'standard', 'renju', 'caro']) {{
                 ask({{ do: 'network' }}, new Uint8Array(await new Response(await load(name)).arrayBuffer()));
             }}
             const perft = ask({{ do: 'perft', position: {{ rule: 'renju' }}, depth: 2 }}).ok;
             return [perft, ask({{ do: 'bench', reduction: {REDUCTION} }}).ok.signature];"
        );
        assert_eq!(call(&page, &asked).await, json!([sequences, signature]));
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
