//! Games by clicks: the five tutorial programs that the page must cover by settings alone, undo and
//! redo, swap2, clocks, a game against the engine.

use crate::driver::{Screen, browse};

/// Two people at one board.
const PEOPLE: [(&str, &str); 2] = [("player-0", "human"), ("player-1", "human")];

fn people<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    PEOPLE.iter().chain(more).copied().collect()
}

#[test]
fn two_people_play_thirteen_by_thirteen_and_all_of_a_long_row_is_marked() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("width", "13"), ("height", "13")])).await;
        page.play("c7 a1 d7 a3 e7 a5 g7 a7 h7 a9").await;
        assert_eq!(page.value("count('.row-mark')").await, 0);
        page.play("f7").await;
        page.until_status("Black wins with six in a row.").await;
        assert_eq!(page.value("count('.row-mark')").await, 6);
        page.shot("win-13").await;
    });
}

#[test]
fn any_board_and_row_length_with_names_and_a_status_line() {
    browse(Screen::Desktop, &[], |page| async move {
        for (win, moves, status) in [
            ("3", "a1 a6 b1 b6 c1", "Ann (Black) wins with three in a row."),
            ("4", "a1 g1 a2 g2 a3 g3 b6 g4", "Bob (White) wins with four in a row."),
            ("5", "a1 g1 b2 g2 c3 g3 d4 g5 e5", "Ann (Black) wins with five in a row."),
        ] {
            let named = [("width", "7"), ("height", "6"), ("name-0", "Ann"), ("name-1", "Bob")];
            page.start(&people(&[&named[..], &[("win", win)]].concat())).await;
            page.until_status("Ann (Black)'s turn.").await;
            assert_eq!(page.value("count('#board .label')").await, 13);
            page.play(moves).await;
            page.until_status(status).await;
        }
    });
}

#[test]
fn a_wrong_move_is_explained_and_a_new_game_begins_empty() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("width", "10"), ("height", "10")])).await;
        page.play("e5").await;
        page.click("e5").await;
        page.until("text('message') === 'e5 is occupied by Black.'").await;
        assert_eq!(page.stones().await, 1);
        page.play("a1 f5 a2 g5 a3 h5 a4 d5").await;
        page.until_status("Black wins").await;
        page.click("j10").await;
        page.until("text('message').startsWith('The game is over')").await;
        page.start(&[]).await;
        page.until_status("Black's turn.").await;
        assert_eq!(page.stones().await, 0);
    });
}

/// A full board without any row of three: stones by turns.
fn drawn_game() -> String {
    let black = |x: u8, y: u8| (x / 2 + y).is_multiple_of(2);
    let all = || (0..15).flat_map(|y| (0..15).map(move |x| (x, y)));
    let name = |(x, y): (u8, u8)| format!("{}{}", char::from(b'a' + x), y + 1);
    let blacks: Vec<_> = all().filter(|&(x, y)| black(x, y)).map(name).collect();
    let whites: Vec<_> = all().filter(|&(x, y)| !black(x, y)).map(name).collect();
    assert_eq!((blacks.len(), whites.len()), (113, 112));
    let pairs = blacks.iter().zip(whites.iter().map(Some).chain([None]));
    pairs.map(|(b, w)| b.clone() + w.map_or("", String::as_str)).collect()
}

#[test]
fn exactly_five_with_counter_take_back_and_a_draw_after_225_moves() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("rule", "standard")])).await;
        let labels =
            page.value("[...document.querySelectorAll('.label')].map(l => l.textContent).join('')");
        assert_eq!(labels.await, "abcdefghijklmno151413121110987654321");
        page.play("c8 a1 d8 a3 e8 a5 g8 a7 h8 a9").await;
        // Six in a row do not win.
        page.play("f8").await;
        page.until_status("White's turn.").await;
        assert_eq!(page.value("text('counter')").await, "11 f8");
        page.press("undo").await;
        page.until("text('counter') === '10/11 a9'").await;
        page.play("c9 b1 d9 b3 e9 b5 f9 b7 g9").await;
        page.until_status("Black wins with five in a row.").await;
        assert_eq!(page.value("count('.row-mark')").await, 5);
        page.press("undo").await;
        page.until("count('.row-mark') === 0 && count('.last') === 1").await;
        // All but the last stone of a drawn game come as text.
        let game = drawn_game();
        let last = game.rfind(|c: char| c.is_alphabetic()).unwrap();
        page.press("files").await;
        page.fill(&[("pos-text", &game[..last])]).await;
        page.press("open-text").await;
        page.until("text('counter').startsWith('224')").await;
        page.click(&game[last..]).await;
        page.until_status("A draw: the board is full.").await;
        assert_eq!(page.value("text('counter')").await, format!("225 {}", &game[last..]));
    });
}

#[test]
fn a_whole_game_against_the_engine_on_an_odd_board() {
    browse(Screen::Desktop, &[], |page| async move {
        let fields =
            [("width", "12"), ("height", "9"), ("player-1", "kakugo:10"), ("thought", "0.1")];
        // Nobody asks before a losing move.
        let fields = [&fields[..], &[("coach-size", "off")]].concat();
        page.start(&[&[("player-0", "human")], &fields[..]].concat()).await;
        // The player along the edge loses.
        let edge = "a1 c1 e1 g1 i1 k1 a9 c9 e9 g9 i9 k9 a3 a5 a7 l3 l5 l7".split(' ');
        for point in edge {
            page.until(
                "text('status').includes(\"(Black)'s turn\") || text('status').includes('wins')",
            )
            .await;
            if page.value("text('status').includes('wins')").await == true {
                break;
            }
            let before = page.value("text('counter').split(' ')[0]").await;
            page.click(point).await;
            page.until(&format!("text('counter').split(' ')[0] !== {before} || text('message')"))
                .await;
        }
        page.until_status("Kakugo (White) wins with five in a row.").await;
        assert!(page.value("count('.row-mark') >= 5").await == true);
        let stones = page.stones().await;
        page.shot("lost").await;
        // Back to the own turn, and on again.
        page.press("undo").await;
        page.until(&format!("count('#board [data-point]') === {}", stones - 2)).await;
        page.press("last").await;
        page.until_status("Kakugo (White) wins").await;
        assert_eq!(page.stones().await, stones);
    });
}

#[test]
fn undo_and_redo_of_any_number_of_moves_and_keys() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[])).await;
        page.play("h8 h9 i8 i9 j8").await;
        page.press("first").await;
        page.until("count('#board [data-point]') === 0").await;
        page.press("last").await;
        page.until("count('#board [data-point]') === 5").await;
        let keys = |keys: &'static str| {
            let board = page.client.find(fantoccini::Locator::Id("board"));
            async move { board.await.unwrap().send_keys(keys).await.unwrap() }
        };
        keys("uu").await;
        page.until("count('#board [data-point]') === 3").await;
        keys("r").await;
        page.until("count('#board [data-point]') === 4").await;
        // From the last stone, i9, one to the right and up.
        keys("\u{E014}\u{E013}\u{E007}").await;
        page.until("document.querySelector('[data-point=j10]')").await;
        assert_eq!(page.value("document.getElementById('redo').disabled").await, true);
        // The number of the last move, of the last five, and of all.
        for (key, shown) in [("n", 1), ("n", 5), ("n", 5), ("n", 0)] {
            keys(key).await;
            page.until(&format!("count('.on-stone') === {shown}")).await;
        }
        // With Caps Lock, and on Russian and Korean keyboards.
        for (key, code, stones) in [("U", "KeyU", 4), ("г", "KeyU", 3), ("ㄱ", "KeyR", 4)] {
            let event = format!("{{ key: '{key}', code: '{code}', bubbles: true }}");
            let press =
                format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {event}))");
            page.value(&press).await;
            page.until(&format!("count('#board [data-point]') === {stones}")).await;
        }
    });
}

#[test]
fn renju_shows_forbidden_points_and_refuses_them() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("rule", "renju")])).await;
        // A double three at h8.
        page.play("h7 a1 h6 a3 g8 a5").await;
        assert_eq!(page.value("count('.forbidden-point')").await, 0);
        page.play("f8 a7").await;
        page.until("count('.forbidden-point') >= 1").await;
        page.shot("renju").await;
        page.click("h8").await;
        page.until("text('message').includes('h8 is forbidden to Black in renju: a double three')")
            .await;
        assert_eq!(page.stones().await, 8);
    });
}

#[test]
fn the_cursor_tells_what_lies_where_it_is() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("rule", "renju")])).await;
        page.play("h7 a1 h6 a3 g8 a5 f8 i9").await;
        page.until("count('.forbidden-point') >= 1").await;
        page.client.execute("document.activeElement.blur()", vec![]).await.unwrap();
        let board = page.client.find(fantoccini::Locator::Id("board")).await.unwrap();
        // Left of the last stone, there, and down.
        for (key, words) in [
            ("\u{E012}", "h9, empty"),
            ("\u{E014}", "i9, White, last move"),
            ("\u{E012}", "h9, empty"),
            ("\u{E015}", "h8, empty, forbidden: double three"),
            ("\u{E015}", "h7, Black"),
        ] {
            board.send_keys(key).await.unwrap();
            page.until(&format!("text('cursor-says') === '{words}'")).await;
        }
        // What the board is stays its name.
        let label = page.value("document.getElementById('board').getAttribute('aria-label')").await;
        assert!(label.as_str().unwrap().starts_with("Board"), "{label}");
    });
}

#[test]
fn rows_may_count_from_the_top_wherever_points_are_named() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("rule", "renju"), ("height", "9")])).await;
        page.fill(&[("rows-from", "top")]).await;
        let labels =
            page.value("[...document.querySelectorAll('.label')].map(l => l.textContent).join('')");
        assert_eq!(labels.await, "abcdefghijklmno123456789");
        // `data-point` counts from the bottom whatever is shown.
        page.play("h3").await;
        page.until("document.querySelector('[data-point=h7]')").await;
        assert_eq!(page.value("text('counter')").await, "1 h3");
        page.click("h3").await;
        page.until("text('message') === 'h3 is occupied by Black.'").await;
        page.play("a1 h4 a3 g2 a5 f2 a7").await;
        page.click("h2").await;
        page.until("text('message').includes('h2 is forbidden to Black in renju')").await;
        // Lines: the first ghost stone lies where the first line says.
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        page.until("count('#best li') > 0 && count('.ghost') > 0").await;
        let agree = "(() => {
            const [, letter, row] = document.querySelector('#best .moves').textContent
                .match(/^([a-z])([0-9]+)/);
            const find = t => [...document.querySelectorAll('.label')].find(l => l.textContent === t);
            const body = document.querySelector('.ghost .body');
            return body.getAttribute('cx') === find(letter).getAttribute('x')
                && body.getAttribute('cy') === find(row).getAttribute('y'); })()";
        page.until(agree).await;
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        // Text is read and written as the board is labelled.
        page.press("files").await;
        page.fill(&[("pos-text", "a1a1")]).await;
        page.press("open-text").await;
        page.until("text('records-error') === 'Move 2: a1 is occupied by Black.'").await;
        page.fill(&[("pos-text", "c1")]).await;
        page.press("open-text").await;
        page.until("document.querySelector('[data-point=c9]') && text('counter') === '1 c1'").await;
        // It stays so after a reload, and can be turned back.
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.until("text('counter') === '1 c1'").await;
        page.fill(&[("rows-from", "bottom")]).await;
        page.until(
            "text('counter') === '1 c9' && document.getElementById('rows').value === 'bottom'",
        )
        .await;
    });
}

#[test]
fn a_weak_computer_answers_after_a_pause_that_is_remembered_and_can_be_switched_off() {
    browse(Screen::Desktop, &["--white", "2"], |page| async move {
        let answer = async |point: &str, stones: u32| {
            let began = std::time::Instant::now();
            page.click(point).await;
            page.until(&format!("count('#board [data-point]') === {stones}")).await;
            began.elapsed().as_secs_f64()
        };
        page.fill(&[("answer-after", "2000")]).await;
        page.until("document.getElementById('answer-after').value === '2000'").await;
        let slow = answer("h8", 2).await;
        assert!(slow > 1.9, "{slow} s");
        assert_eq!(
            page.value("document.querySelector('#seat-white time').textContent").await,
            "",
            "the pause is not time used"
        );
        page.client.refresh().await.unwrap();
        page.ready().await;
        assert_eq!(page.value("document.getElementById('answer-after').value").await, "2000");
        page.fill(&[("answer-after", "0")]).await;
        let fast = answer("a1", 4).await;
        assert!(fast < slow - 0.5, "{fast} s at once, {slow} s with a pause");
    });
}

#[test]
fn swap2_is_played_on_the_screen() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("opening", "swap2"), ("name-0", "Ann"), ("name-1", "Bob")])).await;
        page.until_status("Ann places stone 1, Black").await;
        page.play("a1 b2 o15").await;
        page.until_status("Bob takes Black or White, or places two more stones.").await;
        page.click("h8").await;
        page.until("text('message') === 'Make your choice first.'").await;
        page.choose("more").await;
        page.until_status("Bob places stone 4, White").await;
        page.play("n14 c3").await;
        page.until_status("Ann takes Black or White.").await;
        page.choose("white").await;
        page.until_status("Ann (White)'s turn.").await;
        assert_eq!(page.value("document.querySelector('#seat-black b').textContent").await, "Bob");
        page.press("undo").await;
        page.until_status("Ann takes Black or White.").await;
    });
}

#[test]
fn a_renju_opening_is_played_on_the_screen() {
    browse(Screen::Desktop, &["--rule", "renju"], |page| async move {
        page.start(&people(&[("opening", "soosorv-8"), ("name-0", "Ann"), ("name-1", "Bob")]))
            .await;
        page.click("a1").await;
        page.until("text('message') === 'Stone 1 must lie within the central 1x1.'").await;
        page.play("h8 h9 h6").await;
        page.until_status("Bob takes Black or White.").await;
        page.choose("white").await;
        page.play("h11").await;
        page.until_status("Bob announces the number of fifth moves.").await;
        page.choose("fifths-2").await;
        page.until_status("Ann takes Black or White.").await;
        page.choose("black").await;
        page.until_status("Ann offers fifth move 1 of 2.").await;
        page.click("g10").await;
        page.until_status("Ann offers fifth move 2 of 2.").await;
        // The stones are symmetric to the column h.
        page.click("i10").await;
        page.until("text('message').includes('symmetric')").await;
        page.click("j7").await;
        page.until_status("Bob chooses one of the fifth moves offered.").await;
        assert_eq!(page.stones().await, 4);
        let marks = "[...document.querySelectorAll('#board .sign')].map(m => m.textContent).join()";
        assert_eq!(page.value(marks).await, "1,2");
        page.shot("renju-opening").await;
        page.click("j7").await;
        page.until_status("Bob (White)'s turn.").await;
        page.click("j10").await;
        page.until_status("Ann (Black)'s turn.").await;
        // The choices are part of the record.
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.until_status("Ann (Black)'s turn.").await;
        page.until("text('tree').includes('2 fifth moves') && text('tree').includes('offers j7')")
            .await;
    });
}

#[test]
fn the_computer_is_paused_hastened_and_resigned_to() {
    browse(Screen::Desktop, &[], |page| async move {
        // Left alone it would think for ten minutes: six in a row are not won by force so soon.
        let players = [("player-0", "human"), ("player-1", "kakugo:10")];
        page.start(&[&players[..], &[("thought", "600"), ("win", "6")]].concat()).await;
        assert_eq!(page.value("document.getElementById('now').disabled").await, true);
        page.play("h8").await;
        page.until_status("Thinking").await;
        page.press("now").await;
        page.until("count('#board [data-point]') === 2").await;
        page.until_status("Human (Black)'s turn.").await;
        page.play("a1").await;
        page.until_status("Thinking").await;
        page.press("pause").await;
        page.until("text('status').endsWith('Paused.') && text('pause') === 'Go on'").await;
        let used = |side: &str| format!("document.querySelector('#seat-{side} time').textContent");
        let white = page.value(&used("white")).await;
        tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
        assert_eq!(page.value(&used("white")).await, white, "the clock stands");
        assert_eq!(page.stones().await, 3);
        page.press("pause").await;
        page.until_status("Thinking").await;
        page.press("now").await;
        page.until("count('#board [data-point]') === 4").await;
        // A pause in the human's turn holds the human's clock; a stone ends the pause.
        page.press("pause").await;
        page.until_status("Paused.").await;
        page.play("a2").await;
        page.until_status("Thinking").await;
        // Taking back while it thinks stops it.
        page.press("undo").await;
        page.until_status("Human (Black)'s turn.").await;
        assert_eq!(page.stones().await, 4);
        page.play("a2").await;
        page.until_status("Thinking").await;
        page.press("resign").await;
        page.until("text('resign') === 'Really?'").await;
        page.press("resign").await;
        page.until_status("Kakugo (White) wins: Human resigned.").await;
        for id in ["resign", "pause", "now", "hint"] {
            let disabled = format!("document.getElementById('{id}').disabled");
            assert_eq!(page.value(&disabled).await, true, "{id}");
        }
        page.press("undo").await;
        page.until_status("Human (Black)'s turn.").await;
    });
}

#[test]
fn a_hint_comes_in_steps_and_is_marked_until_the_next_move() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9").await;
        page.press("hint").await;
        page.until(
            "count('.hint-area') === 1 && text('message').startsWith('The move is between')",
        )
        .await;
        assert_eq!(page.value("count('.hint')").await, 0);
        page.press("hint").await;
        page.until("text('hint') === 'More' && !text('message').startsWith('The move is')").await;
        assert_eq!(page.value("count('.hint')").await, 0);
        page.press("hint").await;
        page.until(
            "count('.hint') === 1 && /^Kakugo would play [a-o][0-9]+[.]$/.test(text('message'))",
        )
        .await;
        assert_eq!(page.value("count('.hint-area')").await, 0);
        // What is refused does not take it away.
        page.click("h9").await;
        page.until("text('message') === 'h9 is occupied by White.'").await;
        page.press("pause").await;
        page.until_status("Paused.").await;
        assert_eq!(page.value("count('.hint')").await, 1);
        page.play("a1").await;
        page.until("count('.hint') === 0").await;
    });
}

#[test]
fn another_engine_plays_and_may_fail() {
    let engine = format!("cmd={:?} name=Other", env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let gone = format!("cmd='{} --version' name=Gone", env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let arguments = ["--engine", &engine, "--engine", &gone];
    browse(Screen::Desktop, &arguments, |page| async move {
        let other = [("player-0", "human"), ("player-1", "engine:0"), ("thought", "0.2")];
        page.start(&other).await;
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2").await;
        assert_eq!(
            page.value("document.querySelector('#seat-white b').textContent").await,
            "Other"
        );
        page.start(&[("player-1", "engine:1")]).await;
        page.play("h8").await;
        page.until_status("Human (Black) wins: Gone failed (").await;
    });
}

#[test]
fn a_clock_that_runs_out_loses() {
    browse(Screen::Desktop, &[], |page| async move {
        page.start(&people(&[("clock", "turn"), ("turn-time", "1")])).await;
        // Nothing runs before the first stone.
        page.play("h8").await;
        page.until_status("Black wins: White ran out of time.").await;
        page.press("undo").await;
        page.until_status("Black's turn.").await;
    });
}

#[test]
fn enter_in_a_field_starts_the_game_that_is_set_up() {
    browse(Screen::Desktop, &[], |page| async move {
        page.press("new").await;
        page.fill(&people(&[("width", "9"), ("height", "7")])).await;
        let name = page.client.find(fantoccini::Locator::Id("name-0")).await.unwrap();
        name.send_keys("Ann\u{E007}").await.unwrap();
        page.until("!document.getElementById('setup').open").await;
        page.until("text('variant').includes('9×7')").await;
        page.until_status("Ann (Black)'s turn.").await;
        // The other button keeps the board.
        page.press("new").await;
        page.fill(&[("width", "11"), ("name-0", "Eve")]).await;
        page.press("setup-players").await;
        page.until_status("Eve (Black)'s turn.").await;
        assert_eq!(page.value("text('variant').includes('9×7')").await, true);
    });
}

/// Returns the contents of fields of the dialog.
const SET_UP: &str =
    "['rule', 'width', 'player-0', 'name-0', 'player-1', 'name-1', 'clock', 'turn-time']
    .map(id => document.getElementById(id).value).join()";

#[test]
fn the_dialog_begins_with_the_game_on_the_board() {
    let arguments = ["--rule", "renju", "--size", "19", "--names", "Ann", "Bob"];
    let arguments = [&arguments[..], &["--white", "human", "--turn-time", "7"]].concat();
    browse(Screen::Desktop, &arguments, |page| async move {
        page.press("new").await;
        assert_eq!(page.value(SET_UP).await, "renju,19,human,Ann,human,Bob,turn,7");
        // Nobody is changed who was not asked for.
        page.fill(&[("name-1", "Eve")]).await;
        page.press("setup-players").await;
        page.until_status("Ann (Black)'s turn.").await;
        assert_eq!(page.value("document.querySelector('#seat-white b').textContent").await, "Eve");
    });
}

#[test]
fn the_dialog_remembers_the_last_choice_in_place_of_the_first_game() {
    browse(Screen::Desktop, &["--think", "2"], |page| async move {
        page.start(&people(&[("rule", "renju"), ("width", "12")])).await;
        page.until("text('variant').includes('12×15')").await;
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.open().await;
        assert_eq!(page.value("text('variant').includes('15×15')").await, true);
        page.press("new").await;
        // Names that are filled in are not given.
        assert_eq!(page.value(SET_UP).await, "renju,12,human,,human,,none,30");
    });
}

#[test]
fn a_field_that_is_not_shown_keeps_no_game_from_beginning() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.press("new").await;
        page.fill(&[("width", "9"), ("clock", "turn"), ("turn-time", "0")]).await;
        page.press("setup-start").await;
        assert_eq!(page.value("document.getElementById('setup').open").await, true);
        page.fill(&[("clock", "none")]).await;
        page.press("setup-start").await;
        page.until("text('variant').includes('9×15')").await;
        page.press("new").await;
        page.fill(&[("width", "8"), ("thought", "0"), ("clock", "game")]).await;
        page.press("setup-start").await;
        page.until("text('variant').includes('8×15')").await;
    });
}

#[test]
fn an_engine_is_added_on_the_page_and_gives_a_second_opinion() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        // Only the owner of a room adds engines.
        let script = "const done = arguments[0];
            fetch('./engine', { method: 'POST', body: 'self' }).then(answer => done(answer.status));";
        let status = page.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(status, 403);
        page.press("new").await;
        page.press("add-engine-open").await;
        page.until("!document.getElementById('add-engine').hidden").await;
        page.fill(&[("engine-command", "/no/such/engine")]).await;
        page.press("engine-add").await;
        page.until("text('setup-error').startsWith('The engine was not added:')").await;
        page.fill(&[("engine-command", "name=Other cmd=self")]).await;
        page.press("engine-add").await;
        page.until("text('setup-error') === 'The engine was added.'").await;
        page.until("document.getElementById('player-1').value === 'engine:0'").await;
        page.fill(&[("player-1", "human")]).await;
        page.press("setup-start").await;
        page.play("h8").await;
        page.press("opinion-ask").await;
        page.until("/^Other would play [a-o]\\d+\\.$/.test(text('opinion-says'))").await;
        assert_eq!(page.value("count('.opinion-mark')").await, 1);
        page.shot("opinion").await;
        page.play("a1").await;
        page.until("text('opinion-says') === '' && count('.opinion-mark') === 0").await;
    });
}
