//! Games are kept: after the end of the program, after a closed tab, in a list.

use std::process::Command;
use std::time::{Duration, Instant};

use fantoccini::Locator;
use serde_json::Value;

use crate::driver::{Page, Screen, browse, empty_folder, serve, started};

/// A tab that knows of nothing, in place of the one at hand.
async fn fresh_tab(page: &Page) {
    let old = page.client.window().await.unwrap();
    let new = page.client.new_window(true).await.unwrap().handle;
    page.client.switch_to_window(old).await.unwrap();
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(new).await.unwrap();
    page.open().await;
}

async fn press_css(page: &Page, css: &str) {
    page.client.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

#[test]
fn a_game_comes_back_after_a_restart_of_the_program() {
    let games = empty_folder("kept-restart");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        page.start(&[("rule", "renju"), ("name-0", "Ann"), ("player-1", "human")]).await;
        page.play("h8 h9 i8").await;
        page.press("undo").await;
        page.until("text('counter').startsWith('2/3')").await;
        page.play("j8").await;
        page.until("count('.variation') === 1").await;
        page.kill().await;
        page.restart(&["--games", games]).await;
        page.until("text('counter') === '3 j8' && count('.variation') === 1").await;
        assert_eq!(page.value("document.querySelector('#seat-black b').textContent").await, "Ann");
        assert!(page.value("text('variant').startsWith('renju')").await == true);
        page.play("a1").await;
        page.until("text('counter') === '4 a1'").await;
    });
}

#[test]
fn the_page_of_another_version_is_loaded_when_that_comes_back() {
    let games = empty_folder("kept-version");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        page.play("h8 h9").await;
        // What this page hears next comes from a program of another version.
        let script = "const parse = JSON.parse;
            JSON.parse = text => {
                const told = parse(text);
                return told?.type === 'hello' ? { ...told, version: '0.0.0' } : told;
            };";
        page.client.execute(script, vec![]).await.unwrap();
        page.client.execute("window.isOld = true", vec![]).await.unwrap();
        page.kill().await;
        page.restart(&["--games", games]).await;
        page.until("!window.isOld && text('counter') === '2 h9'").await;
    });
}

#[test]
fn a_browser_that_remembers_nothing_or_nonsense_plays() {
    let games = async |page: &Page| {
        page.start(&[("rule", "renju"), ("player-1", "human")]).await;
        page.until("text('variant').startsWith('renju')").await;
        page.play("h8 h9").await;
        page.fill(&[("language", "cs"), ("numbers", "all")]).await;
        page.until("text('new') === 'Nová hra' && count('.on-stone') === 2").await;
        page.fill(&[("numbers", "1")]).await;
        page.until("count('.on-stone') === 1").await;
    };
    browse(Screen::Forgetful, &["--white", "human"], |page| async move {
        let forbidden =
            "(() => { try { return Boolean(localStorage); } catch { return null; } })()";
        assert_eq!(page.value(forbidden).await, Value::Null);
        games(&page).await;
    });
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        for nonsense in ["{\"a", "5", "null", "[1]", "{\"rule\": [], \"room\": 3}"] {
            let script = "
                for (const name of ['setup', 'view', 'solved', 'language', 'room']) {
                    for (const store of [localStorage, sessionStorage]) {
                        store.setItem(`kakugo-${name}`, arguments[0]);
                    }
                }";
            page.client.execute(script, vec![nonsense.into()]).await.unwrap();
            page.open().await;
            games(&page).await;
        }
    });
}

#[test]
fn who_watches_is_not_told_what_is_for_the_player() {
    let games = empty_folder("kept-watched");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        page.play("h8 h9").await;
        let room = page.value("JSON.parse(sessionStorage.getItem('kakugo-room')).room").await;
        page.kill().await;
        page.restart(&["--games", games]).await;
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.client.goto(&format!("{}#watch={}", page.url, room.as_str().unwrap())).await.unwrap();
        page.until_status("Watching.").await;
        page.until("count('#board [data-point]') === 2").await;
        assert_eq!(page.value("text('message')").await, "");
    });
}

#[test]
fn who_watches_waits_for_the_game_after_a_restart() {
    let games = empty_folder("kept-waited");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        page.play("h8 h9 i8").await;
        let room = page.value("JSON.parse(sessionStorage.getItem('kakugo-room')).room").await;
        let player = page.client.window().await.unwrap();
        let watcher = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(watcher.clone()).await.unwrap();
        page.client.goto(&format!("{}#watch={}", page.url, room.as_str().unwrap())).await.unwrap();
        page.until("count('#board [data-point]') === 3").await;
        // The player's page is not there when the program is back.
        page.client.switch_to_window(player.clone()).await.unwrap();
        page.client.goto("about:blank").await.unwrap();
        page.client.switch_to_window(watcher.clone()).await.unwrap();
        page.kill().await;
        let port = page.url.trim_end_matches('/').rsplit_once(':').unwrap().1.to_owned();
        // A program that keeps no games does not know of this one.
        page.server = Some(serve(&["--port", &port]).0);
        tokio::time::sleep(Duration::from_secs(3)).await;
        page.until_status("connection is lost").await;
        page.kill().await;
        page.server = Some(serve(&["--port", &port, "--games", games]).0);
        page.until("text('status').startsWith('Watching') && count('#board [data-point]') === 3")
            .await;
        page.client.switch_to_window(player).await.unwrap();
        page.open().await;
        page.play("i9").await;
        page.client.switch_to_window(watcher).await.unwrap();
        page.until("text('status').startsWith('Watching') && count('#board [data-point]') === 4")
            .await;
    });
}

#[test]
fn an_unfinished_game_comes_back_after_a_closed_tab_and_a_finished_one_does_not() {
    let games = empty_folder("kept-tab");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |page| async move {
        page.play("h8 h9 i8").await;
        fresh_tab(&page).await;
        page.until("text('counter') === '3 i8'").await;
        // While a tab shows it, another has a game of its own.
        let first = page.client.window().await.unwrap();
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.open().await;
        assert_eq!(page.stones().await, 0);
        page.client.close_window().await.unwrap();
        page.client.switch_to_window(first).await.unwrap();
        page.press("resign").await;
        page.press("resign").await;
        page.until_status("resigned").await;
        fresh_tab(&page).await;
        assert_eq!(page.stones().await, 0);
    });
}

#[test]
fn kept_games_are_listed_opened_exported_and_deleted() {
    let games = empty_folder("kept-list");
    let path = games.clone();
    let games = games.to_str().unwrap();
    browse(
        Screen::Desktop,
        &["--games", games, "--names", "Ann", "Bob", "--white", "human"],
        |page| async move {
            page.press("games").await;
            page.until("document.getElementById('kept').open && !document.getElementById('kept-none').hidden").await;
            press_css(&page, "#kept button.main").await;
            page.play("h8 a1 i8 a2 j8 a3 k8 a4 l8").await;
            page.until_status("Ann (Black) wins").await;
            page.start(&[
                ("width", "9"),
                ("height", "9"),
                ("name-0", "Eve"),
                ("player-1", "human"),
            ])
            .await;
            page.play("e5 e6").await;
            page.press("games").await;
            page.until("count('#kept-list li') === 2").await;
            let told =
                |n: usize| format!("document.querySelectorAll('#kept-list li')[{n}].textContent");
            let latest = page.value(&told(0)).await;
            let latest = latest.as_str().unwrap();
            assert!(
                latest.contains("Eve – ")
                    && latest.contains("freestyle 9×9 · 2 moves · unfinished · on the board"),
                "{latest}"
            );
            let first = page.value(&told(1)).await;
            assert!(first.as_str().unwrap().contains("9 moves · Ann won"), "{first}");
            assert_eq!(page.value("document.querySelectorAll('#kept-list .small')[1].querySelectorAll('circle').length").await, 9);
            page.shot("kept").await;
            // One file a game, that other programs can read.
            let files = || {
                std::fs::read_dir(&path)
                    .unwrap()
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.extension().is_some_and(|ending| ending == "sgf"))
                    .collect::<Vec<_>>()
            };
            assert_eq!(files().len(), 2);
            let button = |row: usize, n: usize| {
                format!(
                    "document.querySelectorAll('#kept-list li')[{row}].querySelectorAll('button')[{n}].click()"
                )
            };
            let script = "window.blob = null;
            URL.createObjectURL = blob => { window.blob = blob; return 'data:,'; };
            HTMLAnchorElement.prototype.click = () => {};";
            page.client.execute(script, vec![]).await.unwrap();
            page.client.execute(&button(1, 1), vec![]).await.unwrap();
            page.until("window.blob").await;
            let text = page
                .client
                .execute_async("const done = arguments[0]; window.blob.text().then(done);", vec![])
                .await
                .unwrap();
            let text = text.as_str().unwrap();
            assert!(
                text.contains("PB[Ann]") && text.contains("RE[B+]") && !text.contains("key"),
                "{text}"
            );
            // Opened, it goes on under its own name.
            page.client.execute(&button(1, 0), vec![]).await.unwrap();
            page.until("text('counter') === '9 l8' && !document.getElementById('kept').open").await;
            page.press("undo").await;
            page.until("text('counter').startsWith('8/9')").await;
            page.play("o15").await;
            page.until("count('.variation') === 1").await;
            assert_eq!(files().len(), 2);
            page.press("games").await;
            page.until("document.getElementById('kept').open && count('#kept-list li') === 2")
                .await;
            // Deleting asks first.
            page.client.execute(&button(1, 2), vec![]).await.unwrap();
            page.until("[...document.querySelectorAll('#kept-list button')].some(b => b.textContent === 'Really?')").await;
            assert_eq!(files().len(), 2);
            page.client.execute(&button(1, 2), vec![]).await.unwrap();
            page.until("count('#kept-list li') === 1").await;
            assert_eq!(files().len(), 1);
            // A study that is named last does not open the list again, and a click that has begun
            // on a button is not lost.
            let script = "window.first = document.querySelector('#kept-list button');
                const name = document.getElementById('study-name');
                name.value = 'Club';
                name.dispatchEvent(new Event('change'));
                document.getElementById('kept').close();";
            page.client.execute(script, vec![]).await.unwrap();
            page.until("document.querySelector('#kept-list .about')?.textContent === 'Club'").await;
            assert_eq!(page.value("document.getElementById('kept').open").await, false);
            let first = "document.querySelector('#kept-list button') === window.first";
            assert_eq!(page.value(first).await, true);
        },
    );
}

#[test]
fn without_keeping_there_is_no_list() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8").await;
        assert_eq!(page.value("document.getElementById('games').hidden").await, true);
        page.client
            .execute(
                "const socket = new WebSocket(`ws://${location.host}/socket`);
            socket.onmessage = event => {
                const told = JSON.parse(event.data);
                if (told.type === 'refused') [window.refused] = told.why;
            };
            socket.onopen = () => { socket.send('{}'); socket.send('{\"do\":\"games\"}'); };",
                vec![],
            )
            .await
            .unwrap();
        page.until("window.refused === 'Saving games is off (--no-games).'").await;
    });
}

/// The folder of the user's data is used, and nothing is written where the program was started.
#[test]
#[cfg(target_os = "linux")]
fn the_data_folder_is_the_users_and_the_working_folder_stays_clean() {
    let (home, work) = (empty_folder("kept-home"), empty_folder("kept-work"));
    std::fs::create_dir_all(&work).unwrap();
    let start = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        command.args(["play", "--no-browser", "--port", "0"]).args(more);
        started(command.current_dir(&work).env("XDG_DATA_HOME", &home)).0
    };
    // The program prints its address after it has opened the folder of games.
    let quiet = start(&["--no-games"]);
    assert!(!home.exists());
    drop(quiet);
    let _server = start(&[]);
    let began = Instant::now();
    while !home.join("kakugo/games").is_dir() {
        assert!(began.elapsed() < Duration::from_secs(30), "no folder");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0);
}
