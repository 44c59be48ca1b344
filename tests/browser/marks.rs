//! Symbols, marks and arrows, and the moves that live analysis searches.

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction};
use serde_json::json;

use crate::driver::{Page, Screen, browse};

/// Chooses what a click draws.
async fn draw(page: &Page, tool: &str) {
    page.value(&format!("document.querySelector('[name=mark-tool][value={tool}]').click()")).await;
}

/// Drags the mouse from point to point.
async fn drag(page: &Page, from: &str, to: &str) {
    let mut mouse = MouseActions::new("mouse".to_owned());
    for (point, action) in [
        (from, PointerAction::Down { button: MOUSE_BUTTON_LEFT }),
        (to, PointerAction::Up { button: MOUSE_BUTTON_LEFT }),
    ] {
        let (x, y) = page.place_of(point).await;
        let duration = None;
        mouse = mouse.then(PointerAction::MoveTo { duration, x, y }).then(action);
    }
    page.client.perform_actions(mouse).await.unwrap();
}

#[test]
fn moves_are_judged_and_marks_and_arrows_drawn() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 i9").await;
        page.press("mark").await;
        page.until("document.getElementById('marks')?.hidden === false").await;
        page.value("document.querySelector('[data-symbol=\"!?\"]').click()").await;
        page.until("text('tree').includes('i9!?')").await;
        for (tool, point) in [
            ("circle", "c3"),
            ("square", "d3"),
            ("triangle", "e3"),
            ("cross", "f3"),
            ("letter", "g3"),
            ("letter", "h8"),
            ("number", "i3"),
        ] {
            draw(&page, tool).await;
            let marks = page.value("count('#board .sign')").await.as_u64().unwrap();
            page.click(point).await;
            page.until(&format!("count('#board .sign') === {}", marks + 1)).await;
        }
        assert_eq!(page.value("text('tree')").await.as_str().unwrap().matches("h8").count(), 1);
        draw(&page, "arrow").await;
        drag(&page, "h8", "l12").await;
        page.until("count('#board .arrow') === 1").await;
        page.click("i9").await;
        page.click("d12").await;
        page.until("count('#board .arrow') === 2").await;
        page.shot("marks").await;
        // The eraser takes the mark, and undo brings it back.
        draw(&page, "none").await;
        page.click("g3").await;
        page.until("count('#board .sign') === 6").await;
        page.press("mark-undo").await;
        page.until("count('#board .sign') === 7").await;
        let sgf = "(await (await fetch(`record/${JSON.parse(sessionStorage.getItem('kakugo-room')).room}/a.sgf`)).text())";
        let script = format!("const done = arguments[0]; (async () => done({sgf}))();");
        let sgf = page.client.execute_async(&script, vec![]).await.unwrap();
        let sgf = sgf.as_str().unwrap();
        for part in ["IT[]", "CR[cm]", "LB[gm:A][hh:B][im:1]", "AR[hh:ld][ig:dd]"] {
            assert!(sgf.contains(part), "{part} is not in\n{sgf}");
        }
        page.press("mark-clear").await;
        page.until("count('#board .sign') === 0 && count('#board .arrow') === 0").await;
        for (key, shift, signs) in
            [("z", false, 7), ("y", false, 0), ("z", false, 7), ("z", true, 0)]
        {
            let event =
                format!("{{ key: '{key}', ctrlKey: true, shiftKey: {shift}, bubbles: true }}");
            page.value(&format!(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {event}))"
            ))
            .await;
            page.until(&format!("count('#board .sign') === {signs}")).await;
        }
        // Escape ends drawing: a click plays.
        page.value("document.getElementById('board').focus()").await;
        let board = page.client.find(Locator::Id("board")).await.unwrap();
        board.send_keys(&char::from(fantoccini::key::Key::Escape).to_string()).await.unwrap();
        page.play("j8").await;
        page.open_file("marked.sgf", sgf.as_bytes()).await;
        page.until("count('#board .sign') === 7 && count('#board .arrow') === 2").await;
        page.until("text('tree').includes('i9!?')").await;
    });
}

#[test]
fn analysis_leaves_out_moves_and_keeps_to_chosen_ones() {
    browse(Screen::Phone, &["--white", "human"], |page| async move {
        page.touch("h8", "h8").await;
        page.touch("h8", "h8").await;
        page.until("count('#board [data-point]') === 1").await;
        page.value("document.getElementById('analysis-more').open = true").await;
        page.until("document.getElementById('deeper')").await;
        page.fill(&[("depth", "8"), ("analysis-time", "2000")]).await;
        page.tap("choose-only").await;
        // A point that is not free is refused, and starts nothing.
        page.touch("h8", "h8").await;
        page.until("text('message') === 'Choose a free point.'").await;
        assert_eq!(page.value("document.getElementById('analyse').checked").await, json!(false));
        page.touch("i9", "i9").await;
        page.until("count('circle.only-move') === 1").await;
        page.touch("i8", "i8").await;
        page.until("count('circle.only-move') === 2 && count('#board [data-point]') === 1").await;
        page.until("count('#best li') === 2 && text('verdict').includes('finished')").await;
        let firsts = "[...document.querySelectorAll('#best .ply:first-child')].map(n => n.textContent).sort().join()";
        assert_eq!(page.value(firsts).await, json!("i8,i9"));
        page.shot("phone-only").await;
        page.tap("choose-without").await;
        page.touch("i9", "i9").await;
        page.until("count('circle.without-move') === 1 && count('circle.only-move') === 1").await;
        page.tap("choose-all").await;
        page.until("count('circle.without-move') === 0 && count('circle.only-move') === 0").await;
        page.tap("balance-2").await;
        page.until("text('balance-says').includes('Black ') && count('.ghost') >= 2").await;
        page.shot("phone-balance").await;
        assert!(page.fits("deeper").await);
    });
}

#[test]
fn openings_are_trained_on_a_phone() {
    browse(Screen::Phone, &["--white", "human"], |page| async move {
        let lines = "(;GM[4]SZ[15];B[hh];W[hg];B[ig])";
        page.press("files").await;
        let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines.sgf");
        std::fs::write(&path, lines).unwrap();
        let field = page.client.find(Locator::Id("open-openings")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
        page.until("!document.getElementById('records').open").await;
        page.until("count('#openings-next tr') === 1").await;
        page.value("document.querySelector('[data-train=black]').click()").await;
        page.until("text('status').startsWith('Play the next move')").await;
        let is_hidden =
            "getComputedStyle(document.getElementById('openings-next')).visibility === 'hidden'";
        assert_eq!(page.value(is_hidden).await, json!(true));
        page.touch("a1", "a1").await;
        page.touch("a1", "a1").await;
        page.until("text('message').startsWith('That move is not in the openings')").await;
        page.shot("phone-trainer").await;
        page.touch("h8", "h8").await;
        page.touch("h8", "h8").await;
        page.until("count('#board [data-point]') === 2").await;
        page.touch("i9", "i9").await;
        page.touch("i9", "i9").await;
        page.until(
            "text('trainer-says') === 'Right 1, wrong 1, to repeat 1. 1 of 2 positions known.'",
        )
        .await;
        page.until("text('status') === 'End of the line.'").await;
        page.tap("trainer-next").await;
        page.until("count('#board [data-point]') === 0").await;
        page.tap("trainer-show").await;
        page.until(&format!("!({is_hidden})")).await;
        page.tap("trainer-end").await;
        page.until("document.querySelector('[data-train=black]').hidden === false").await;
        assert!(page.fits("openings").await);
    });
}

#[test]
fn games_of_a_file_are_kept_as_a_study() {
    let games = crate::driver::empty_folder("study-games");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--white", "human", "--games", games], |page| async move {
        let two =
            b"(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])(;GM[4]SZ[15]GN[Chapter 10]AB[hh]AW[ii])";
        let two = [&two[..], b"(;GM[4]SZ[99];B[hh])"].concat();
        page.open_file("Club night.sgf", &two).await;
        page.until("count('#file-games button') === 3").await;
        page.value("document.querySelector('#file-games button').click()").await;
        page.until("document.getElementById('kept').open && count('#kept-list li') === 2").await;
        page.until("text('kept-error').startsWith('1 game is skipped. Game 3:')").await;
        page.fill(&[("study-shown", "Club night")]).await;
        page.until("text('kept-list').includes('Club night: Chapter 10')").await;
        page.shot("study").await;
        page.fill(&[("study-name", "Club night"), ("study-title", "Chapter 2")]).await;
        page.until("text('kept-list').includes('Club night: Chapter 2')").await;
        let titles =
            "[...document.querySelectorAll('#kept-list .about')].map(n => n.textContent).join()";
        assert_eq!(
            page.value(titles).await,
            json!("Club night: Ann – Bob,Club night: Chapter 2,Club night: Chapter 10")
        );
        page.press("chapter-position").await;
        page.until("!document.getElementById('kept').open").await;
    });
}
