//! Visibility: opinions, announcements, errors, spectators, small screens.

use std::time::Duration;

use fantoccini::Locator;
use serde_json::json;

use crate::driver::{Screen, browse, empty_folder};

#[test]
fn the_computers_opinion_is_told_to_those_who_ask() {
    browse(Screen::Desktop, &["--think", "0.2"], |page| async move {
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2 && text('status').includes('Human')").await;
        let bar = "document.getElementById('bar-fill').style.height";
        assert_eq!(page.value(bar).await, "50%");
        assert_eq!(page.value("count('#graph .curve')").await, 0);
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        page.until("count('#best li') > 0 && count('#graph .curve') === 1").await;
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        page.until("count('#graph .curve') === 0").await;
        page.press("resign").await;
        page.until("text('resign') === 'Really?'").await;
        assert_eq!(page.value("text('status')").await, "Human (Black)'s turn.");
        page.press("resign").await;
        page.until_status("Human resigned").await;
        page.until("count('#graph .curve') === 1").await;
        assert_eq!(page.value("text('review-it')").await, "What went wrong?");
    });
}

#[test]
fn who_wins_is_not_asked_what_went_wrong() {
    browse(Screen::Desktop, &["--white", "1", "--win", "3"], |page| async move {
        // Any of these rows of three wins, unless Kakugo prevents all or wins, which is rare.
        for _ in 0..5 {
            for point in "h8 i8 g8 j8 f8 h9 h7 h10 h6".split(' ') {
                let before = page.stones().await;
                page.click(point).await;
                page.until(&format!(
                    "count('#board [data-point]') > {before} + 1 || text('message')
                        || text('status').includes('wins')"
                ))
                .await;
                if page.value("text('status').includes('wins')").await == true {
                    break;
                }
            }
            if page.value("text('status').includes('Human (Black) wins')").await == true {
                break;
            }
            page.start(&[]).await;
            page.until("count('#board [data-point]') === 0").await;
        }
        page.until_status("Human (Black) wins").await;
        assert_eq!(page.value("text('review-it')").await, "Explain the game");
    });
}

#[test]
fn the_time_used_has_a_label_and_all_steps_are_in_one_row() {
    for screen in [Screen::Desktop, Screen::SmallPhone] {
        browse(screen, &["--white", "human"], |page| async move {
            let times =
                "[...document.querySelectorAll('.seat time')].map(t => t.textContent).join()";
            assert_eq!(page.value(times).await, ",");
            if let Screen::SmallPhone = screen {
                page.touch("h8", "h8").await;
                page.touch("h8", "h8").await;
            } else {
                page.play("h8").await;
            }
            page.until(&format!("{times} === ',0:01 used'")).await;
            for language in ["cs", "ja", "ko", "ru", "vi", "zh-CN", "zh-TW", "en"] {
                page.fill(&[("language", language)]).await;
                page.until(&format!("document.documentElement.lang === '{language}'")).await;
                page.shot(&format!("steps-{language}")).await;
                let tops = "new Set([...document.querySelectorAll('#steps button')]
                    .map(b => Math.round(b.getBoundingClientRect().top))).size";
                assert_eq!(page.value(tops).await, 1, "{language}");
                assert!(page.fits("steps").await, "{language}");
            }
        });
    }
}

#[test]
fn an_exchange_of_colours_is_announced() {
    browse(Screen::Desktop, &[], |page| async move {
        let seats =
            [("player-0", "human"), ("player-1", "human"), ("name-0", "Ann"), ("name-1", "Bob")];
        page.start(&[&seats[..], &[("opening", "swap")]].concat()).await;
        page.play("a1 b2 o15").await;
        page.client.find(Locator::Css("[data-choice=black]")).await.unwrap().click().await.unwrap();
        page.until("text('message') === 'Colours are exchanged: Bob has Black, Ann White.'").await;
        // The dialog names the players by the colours that they have now.
        page.press("new").await;
        assert_eq!(page.value("document.getElementById('name-0').value").await, "Bob");
        assert_eq!(page.value("document.getElementById('name-1').value").await, "Ann");
    });
}

#[test]
fn an_explanation_is_stopped_and_boards_without_room_are_refused() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8 i9 j10 a1 b3 c5 d7 e9").await;
        page.press("explain").await;
        page.until("text('explain') === 'Stop explaining'").await;
        page.press("explain").await;
        let stopped = "['Explain the game', 'Go on explaining'].includes(text('explain'))";
        page.until(&format!("{stopped} && text('explaining') === ''")).await;
        assert_ne!(page.value("text('turning')").await, "No turning point found.");
        page.press("new").await;
        page.fill(&[("width", "3"), ("height", "3")]).await;
        page.press("setup-start").await;
        page.until("text('setup-error').endsWith('the board is too small for 5 in a row.')").await;
    });
}

#[test]
fn what_goes_wrong_behind_a_dialog_is_told_in_it() {
    browse(Screen::Desktop, &["--white", "human"], |mut page| async move {
        page.press("new").await;
        page.kill().await;
        page.press("setup-start").await;
        page.until("text('setup-error') === 'Kakugo is not running any more.'").await;
    });
}

#[test]
fn spectators_look_back_and_a_wrong_link_shows_no_board() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9").await;
        page.press("mark").await;
        page.until("document.getElementById('marks')?.hidden === false").await;
        page.value("document.querySelector('[name=mark-tool][value=circle]').click()").await;
        page.click("c3").await;
        page.until("count('#board .sign') === 1").await;
        page.press("mark-close").await;
        page.play("i8").await;
        let room = page.value("JSON.parse(sessionStorage.getItem('kakugo-room')).room").await;
        let first = page.client.window().await.unwrap();
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second.clone()).await.unwrap();
        page.client.goto(&format!("{}#watch={}", page.url, room.as_str().unwrap())).await.unwrap();
        page.until("count('#board [data-point]') === 3").await;
        // They take nothing back: the buttons only step.
        let steps =
            "[...document.querySelectorAll('#steps button')].map(b => b.innerText.trim()).join()";
        assert_eq!(page.value(steps).await, "«,◀,▶,»");
        assert_eq!(page.value("document.getElementById('undo').title").await, "One stone back");
        let resign = "getComputedStyle(document.getElementById('actions')).display";
        assert_eq!(page.value(resign).await, "none");
        page.shot("spectator").await;
        page.press("undo").await;
        page.until("count('#board [data-point]') === 2 && text('counter') === '2/3 h9'").await;
        // They see the marks of the position that they look at.
        page.until("count('#board .sign') === 1").await;
        page.press("first").await;
        page.until("count('#board [data-point]') === 0 && count('#board .sign') === 0").await;
        page.client.execute("document.querySelector('.move').click()", vec![]).await.unwrap();
        page.until("count('#board [data-point]') === 1").await;
        // When the game goes on, it is shown again.
        page.client.switch_to_window(first).await.unwrap();
        assert_eq!(page.stones().await, 3);
        page.play("i9").await;
        page.client.switch_to_window(second).await.unwrap();
        page.until("count('#board [data-point]') === 4").await;
        page.client.goto("about:blank").await.unwrap();
        page.client.goto(&format!("{}#watch=0123", page.url)).await.unwrap();
        page.until_status("There is no game under this link").await;
        let hidden = "getComputedStyle(document.getElementById('frame')).display === 'none'";
        page.until(hidden).await;
        assert_eq!(page.value("count('#status a')").await, 1);
    });
}

#[test]
fn spectators_who_look_back_are_left_there_and_shown_nothing_of_another_position() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 i9 g7 b2").await;
        let room = page.value("JSON.parse(sessionStorage.getItem('kakugo-room')).room").await;
        let first = page.client.window().await.unwrap();
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second.clone()).await.unwrap();
        page.client.goto(&format!("{}#watch={}", page.url, room.as_str().unwrap())).await.unwrap();
        page.until("count('#board [data-point]') === 4").await;
        page.press("first").await;
        page.press("redo").await;
        page.until("text('counter').startsWith('1/4')").await;
        // An analysis of the game's position begins.
        page.client.switch_to_window(first.clone()).await.unwrap();
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        page.until("count('.ghost') > 0 && count('#graph .curve') === 1").await;
        page.client.switch_to_window(second.clone()).await.unwrap();
        page.until("document.getElementById('analyse').checked").await;
        tokio::time::sleep(Duration::from_millis(800)).await;
        assert_eq!(page.value("text('counter')").await, "1/4 h8");
        assert_eq!(page.value("count('.ghost') + count('#best li')").await, 0);
        assert_eq!(page.value("text('verdict')").await, "");
        // The graph tells of the fourth move alone, and leads to any.
        let curve = "[...document.querySelectorAll('#graph .curve')].map(c => c.getAttribute('d'))";
        let drawn = page.value(&format!("{curve}.join()")).await;
        let drawn = drawn.as_str().unwrap();
        assert!(drawn.is_empty() || drawn.starts_with("M4 "), "{drawn}");
        let script = "const box = document.getElementById('graph').getBoundingClientRect();
            document.getElementById('graph').dispatchEvent(new MouseEvent('click',
                { clientX: box.left + box.width / 2, clientY: box.top + 5, bubbles: true }));";
        page.client.execute(script, vec![]).await.unwrap();
        page.until("text('counter').startsWith('2/4')").await;
        page.press("last").await;
        page.until("count('.ghost') > 0 && count('#best li') > 0").await;
    });
}

#[test]
fn a_refusal_stays_while_there_is_other_news() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8 i9 j10 a1 b3 c5 d7 e9 k2 l4 m6 n8 o10 a12").await;
        // A review tells several times a second how far it has come.
        page.press("explain").await;
        page.until("text('explaining') !== ''").await;
        page.click("h8").await;
        page.until("text('message') === 'h8 is occupied by Black.'").await;
        let before = page.value("text('explaining')").await;
        page.until(&format!("text('explaining') !== {before}")).await;
        assert_eq!(page.value("text('message')").await, "h8 is occupied by Black.");
        // What is done takes it away.
        page.play("a15").await;
        page.until("text('message') === ''").await;
    });
}

#[test]
fn a_small_phone_shows_dialogs_whole() {
    browse(Screen::SmallPhone, &["--white", "human"], |page| async move {
        page.tap("new").await;
        page.until("document.getElementById('setup').open").await;
        page.shot("small-setup").await;
        assert!(page.fits("setup").await, "New game");
        page.press("setup-cancel").await;
        page.tap("files").await;
        page.until("document.getElementById('records').open").await;
        page.shot("small-records").await;
        assert!(page.fits("records").await, "Records");
        let width = page.value("document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 360, "{width} px wide");
    });
}

/// Returns true if an element lies within the window.
fn inside(id: &str) -> String {
    format!(
        "(box => box.top > -1 && box.bottom < innerHeight + 1)
        (document.getElementById('{id}').getBoundingClientRect())"
    )
}

#[test]
fn on_its_side_a_phone_shows_a_new_game_whole_and_how_to_end_a_dialog() {
    browse(Screen::SmallPhoneOnItsSide, &["--white", "human"], |page| async move {
        page.tap("new").await;
        page.fill(&[("clock", "both")]).await;
        page.shot("side-setup").await;
        assert!(page.fits("setup").await, "New game");
        for id in ["rule", "exchange", "increment", "setup-start"] {
            assert_eq!(page.value(&inside(id)).await, true, "{id}");
        }
        page.fill(&[("width", "3"), ("height", "3")]).await;
        page.press("setup-start").await;
        page.until("text('setup-error').endsWith('the board is too small for 5 in a row.')").await;
        page.until(&inside("setup-error")).await;
        page.press("setup-cancel").await;
        page.tap("files").await;
        page.shot("side-records").await;
        let button = "document.querySelector('#records .row.end button').id = 'close-it'";
        page.value(button).await;
        assert_eq!(page.value(&inside("close-it")).await, true);
    });
}

#[test]
fn a_long_result_moves_nothing_on_a_phone() {
    let names = ["--names", "Konstantin Wassiljewitsch", "Maximiliane Freifrau"];
    let arguments = ["--white", "human"].into_iter().chain(names).collect::<Vec<_>>();
    for (screen, shot) in [
        (Screen::SmallPhone, "small-result"),
        (Screen::SmallPhoneOnItsSide, "small-result-on-its-side"),
    ] {
        browse(screen, &arguments, |page| async move {
            let place = "(box => [box.top + scrollY, box.bottom + scrollY])(
                document.getElementById('board').getBoundingClientRect())";
            let before = page.value(place).await;
            page.tap("resign").await;
            page.until("text('resign') === 'Really?'").await;
            page.tap("resign").await;
            page.until_status("Konstantin Wassiljewitsch resigned.").await;
            page.client.execute("scrollTo(0, 0)", vec![]).await.unwrap();
            page.shot(shot).await;
            assert_eq!(page.value(place).await, before, "{shot}");
            let whole =
                "(p => p.scrollHeight <= p.clientHeight + 1)(document.getElementById('status'))";
            assert_eq!(page.value(whole).await, true, "{shot}");
        });
    }
}

#[test]
fn a_small_phone_shows_what_was_asked_for() {
    // Both have an open three and play elsewhere, Black at move 7, White at move 8. What they miss
    // is proven, so that these are turning points however much time the search has.
    const MISSED: &str = "15x15,freestyle,5,h8h4i8i4j8j4o1b5k8c9l8";
    browse(Screen::SmallPhone, &["--white", "human"], |page| async move {
        page.client.goto("about:blank").await.unwrap();
        page.client.goto(&format!("{}#p={MISSED}", page.url)).await.unwrap();
        page.until("!document.getElementById('after').hidden").await;
        page.tap("review-it").await;
        page.until(&inside("explain")).await;
        page.shot("small-wrong").await;
        page.until("count('#turning .ply') > 1 && text('explaining') === ''").await;
        page.value("document.querySelector('#turning li:has(.ply)').id = 'point'").await;
        page.tap("point").await;
        // The line is walked through beside the board.
        page.until("!document.getElementById('preview').hidden").await;
        page.until(&format!("{} && {}", inside("board"), inside("preview-back"))).await;
        page.shot("small-preview").await;
    });
}

#[test]
fn what_is_told_moves_nothing_on_a_phone() {
    browse(Screen::SmallPhone, &["--white", "human", "--think", "0.1"], |page| async move {
        let top = "document.getElementById('controls').getBoundingClientRect().top + scrollY";
        let before = page.value(top).await;
        page.tap("hint").await;
        page.until("text('message').startsWith('The move is between')").await;
        assert_eq!(page.value(top).await, before);
        let seen =
            "document.getElementById('message').getBoundingClientRect().bottom < innerHeight";
        assert_eq!(page.value(seen).await, true);
    });
}

#[test]
fn names_are_shown_whole_on_phones() {
    for (screen, shot) in [(Screen::SmallPhone, "names"), (Screen::PhoneOnItsSide, "names-side")] {
        let names = ["Konstantin Wassiljewitsch", "Kakugo, level 10 (strongest)"];
        let games = empty_folder("kept-names");
        let games = games.to_str().unwrap();
        let arguments = ["--games", games, "--white", "human", "--names", names[0], names[1]];
        browse(screen, &arguments, |page| async move {
            page.shot(shot).await;
            let whole = "[...document.querySelectorAll('.seat b')].every(name =>
                name.scrollWidth <= name.clientWidth + 1 && name.scrollHeight <= name.clientHeight + 1)";
            assert_eq!(page.value(whole).await, true);
            // In the list of games, too.
            page.touch("h8", "h8").await;
            page.touch("h8", "h8").await;
            page.until("count('#board [data-point]') === 1").await;
            page.tap("games").await;
            page.until("count('#kept-list li') === 1").await;
            page.shot(&format!("{shot}-kept")).await;
            let whole =
                "(b => b.scrollWidth <= b.clientWidth + 1)(document.querySelector('#kept-list b'))";
            assert_eq!(page.value(whole).await, true);
        });
    }
}

#[test]
fn fewer_lines_than_asked_for_are_explained() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        // Two points are empty.
        page.client.goto("about:blank").await.unwrap();
        let moves = "a1a4a2a5a3b2b4b3c2b5c3c1c5c4d3d1d4d2e2d5e4e3e5";
        page.client.goto(&format!("{}#p=5x5,freestyle,5,{moves}", page.url)).await.unwrap();
        page.until("count('#board [data-point]') === 23").await;
        page.fill(&[("analyse", "on")]).await;
        page.until("text('fewer') === '2 of 3 lines: no other move is searched here.'").await;
        page.press("undo").await;
        page.until("count('#best li') === 3 && document.getElementById('fewer').hidden").await;
    });
}

#[test]
fn a_phone_on_its_side_shows_the_whole_board() {
    let games = empty_folder("on-its-side");
    for screen in [Screen::PhoneOnItsSide, Screen::SmallPhoneOnItsSide] {
        // With all that the header can hold.
        browse(screen, &["--games", games.to_str().unwrap()], |page| async move {
            page.until("!document.getElementById('practice').hidden").await;
            tokio::time::sleep(Duration::from_millis(200)).await;
            page.shot("landscape").await;
            let box_of = page
                .value(
                    "(() => { const box = document.getElementById('board').getBoundingClientRect();
                    return [box.top, box.bottom, box.right, innerHeight, innerWidth,
                        document.documentElement.scrollWidth]; })()",
                )
                .await;
            let number = |i: usize| box_of[i].as_f64().unwrap();
            assert!(
                number(0) >= 0.0 && number(1) <= number(3) + 1.0,
                "the board is too high: {box_of}"
            );
            assert!(number(5) <= number(4) + 1.0, "the page is too wide: {box_of}");
        });
    }
}

#[test]
fn stones_sound_for_those_who_want_it() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let count = "
            window.knocks = 0;
            const start = AudioBufferSourceNode.prototype.start;
            AudioBufferSourceNode.prototype.start = function (...at) {
                const wave = this.buffer.getChannelData(0);
                if (wave.some(value => Math.abs(value) > .1)) window.knocks += 1;
                start.apply(this, at);
            };";
        page.client.execute(count, vec![]).await.unwrap();
        page.play("h8").await;
        page.press("look").await;
        page.fill(&[("sound", "on")]).await;
        page.client.execute("document.getElementById('view').close()", vec![]).await.unwrap();
        assert_eq!(page.value("window.knocks").await, 0);
        page.play("h9 i9").await;
        page.until("window.knocks === 2").await;
        page.press("undo").await;
        page.until("text('counter').startsWith('2/3')").await;
        assert_eq!(page.value("window.knocks").await, 2);
        // It is remembered.
        page.client.refresh().await.unwrap();
        page.ready().await;
        assert_eq!(page.value("document.getElementById('sound').checked").await, true);
    });
}

#[test]
fn the_page_can_be_installed() {
    browse(Screen::Phone, &[], |page| async move {
        page.ready().await;
        let script = "
            const done = arguments[0];
            (async () => {
                const link = document.querySelector('link[rel=manifest]');
                const response = await fetch(link.href);
                const manifest = await response.json();
                const icon = new Image();
                icon.src = manifest.icons[0].src;
                await new Promise((loaded, failed) => {
                    icon.onload = loaded;
                    icon.onerror = failed;
                });
                done([response.headers.get('content-type'), manifest.name, manifest.display,
                    manifest.start_url, icon.complete]);
            })().catch(error => done(String(error)));";
        let told = page.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(told, json!(["application/manifest+json", "Kakugo", "standalone", "./", true]));
        let policy = "fetch('/').then(r => arguments[0](r.headers.get('content-security-policy')))";
        let policy = page.client.execute_async(policy, vec![]).await.unwrap();
        assert!(policy.as_str().unwrap().contains("manifest-src 'self'"), "{policy}");
    });
}
