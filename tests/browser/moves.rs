//! The tree of moves on the page: variations, stepping, promoting, deleting, comments.

use fantoccini::Locator;
use serde_json::json;

use crate::driver::{Page, Screen, browse, empty_folder};

/// The list as text: numbers stand with their moves.
async fn list(page: &Page) -> String {
    let text = page.value("[...document.querySelectorAll('#tree .line > *')].map(part => part.textContent.trim()).join(' | ')");
    text.await.as_str().unwrap().to_owned()
}

async fn keys(page: &Page, css: &str, keys: &str) {
    page.client.find(Locator::Css(css)).await.unwrap().send_keys(keys).await.unwrap();
}

async fn click_move(page: &Page, name: &str) {
    let script = "[...document.querySelectorAll('.move')]
        .find(move => move.textContent.endsWith(arguments[0])).click()";
    page.client.execute(script, vec![json!(name)]).await.unwrap();
}

const LEFT: &str = "\u{E012}";
const UP: &str = "\u{E013}";
const RIGHT: &str = "\u{E014}";
const DOWN: &str = "\u{E015}";
const HOME: &str = "\u{E011}";
const END: &str = "\u{E010}";

#[test]
fn every_press_of_a_key_is_a_step() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        // Neighbours are of different colours, and every second row is empty.
        let row = |n: u8| n / 30 * 4 + (n + n / 2 % 15) % 2 * 2 + 1;
        let column = |n: u8| char::from(b'a' + n / 2 % 15);
        let moves: String = (0..120).map(|n| format!("{}{}", column(n), row(n))).collect();
        page.client.goto("about:blank").await.unwrap();
        page.client.goto(&format!("{}#p=15x15,freestyle,6,{moves}", page.url)).await.unwrap();
        page.until("text('counter').startsWith('120')").await;
        let press = async |key: &str, times: u32| {
            let script = "for (let i = 0; i < arguments[1]; i++) document.body.dispatchEvent(
                new KeyboardEvent('keydown', { key: arguments[0], bubbles: true, cancelable: true }));";
            page.client.execute(script, vec![key.into(), times.into()]).await.unwrap();
        };
        press("ArrowLeft", 100).await;
        page.until("text('counter').startsWith('20/120')").await;
        press("ArrowRight", 37).await;
        press("ArrowLeft", 2).await;
        page.until("text('counter').startsWith('55/120')").await;
        // A click forgets the steps that are still to come.
        press("ArrowRight", 30).await;
        page.client.execute("document.querySelectorAll('.move')[9].click()", vec![]).await.unwrap();
        page.until("text('counter').startsWith('10/120')").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert!(page.value("text('counter').startsWith('10/120')").await == true);
    });
}

#[test]
fn another_move_in_the_past_makes_a_variation_and_nothing_is_lost() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8 i9 j8").await;
        page.until("count('.move') === 5").await;
        assert_eq!(list(&page).await, "1.h8 | 2.h9 | 3.i8 | 4.i9 | 5.j8");
        page.press("undo").await;
        page.press("undo").await;
        page.until("count('#board [data-point]') === 3").await;
        page.play("g7 g6").await;
        page.until("count('.variation .move') === 2").await;
        assert_eq!(list(&page).await, "1.h8 | 2.h9 | 3.i8 | 4.i9 | 4.g7 5.g6 | 5.j8");
        // Any move is reached by a click.
        click_move(&page, "j8").await;
        page.until(
            "text('counter') === '5 j8' && document.querySelector('.here').textContent === '5.j8'",
        )
        .await;
        click_move(&page, "g7").await;
        page.until("text('counter') === '4/5 g7'").await;
        let chosen = "document.getElementById(
            document.getElementById('tree').getAttribute('aria-activedescendant')).textContent";
        page.until(&format!("{chosen} === '4.g7'")).await;
        // The same move again goes along the variation.
        page.press("undo").await;
        page.until("text('counter').startsWith('3')").await;
        page.play("g7").await;
        page.until("text('counter') === '4/5 g7'").await;
        assert_eq!(page.value("count('.move')").await, 7);
        page.shot("variation").await;
    });
}

#[test]
fn keys_and_the_wheel_step_through_the_moves() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8").await;
        page.press("undo").await;
        page.until("text('counter').startsWith('2/3')").await;
        page.play("j8").await;
        page.until("count('.move') === 4").await;
        // After a click the board itself takes the keys for stepping.
        for (key, counter) in [
            (LEFT, "2/3 h9"),
            (LEFT, "1/3 h8"),
            (RIGHT, "2/3 h9"),
            (RIGHT, "3 j8"),
            (UP, "3 i8"),
            (DOWN, "3 j8"),
            (HOME, "0/3"),
            (END, "3 j8"),
        ] {
            keys(&page, "body", key).await;
            page.until(&format!("text('counter') === '{counter}'")).await;
        }
        for (delta, counter) in
            [(-120, "2/3 h9"), (-30, "2/3 h9"), (-30, "1/3 h8"), (120, "2/3 h9")]
        {
            let script = "document.getElementById('board').dispatchEvent(new WheelEvent('wheel',
                { deltaY: arguments[0], bubbles: true, cancelable: true }))";
            page.client.execute(script, vec![json!(delta)]).await.unwrap();
            page.until(&format!("text('counter') === '{counter}'")).await;
        }
    });
}

#[test]
fn keys_work_after_a_click_on_a_switch() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8").await;
        page.press("show-heat").await;
        assert_eq!(page.value("document.activeElement.id").await, "show-heat");
        keys(&page, "#show-heat", LEFT).await;
        page.until("text('counter') === '2/3 h9'").await;
        keys(&page, "#show-heat", "u").await;
        page.until("text('counter') === '1/3 h8'").await;
        // Where something is typed they are letters.
        keys(&page, "#comment", "u").await;
        assert_eq!(page.value("document.getElementById('comment').value").await, "u");
        assert_eq!(page.value("text('counter')").await, "1/3 h8");
    });
}

#[test]
fn variations_are_promoted_deleted_and_commented() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8").await;
        page.press("undo").await;
        page.until("text('counter').startsWith('2/3')").await;
        let promote = "document.getElementById('promote').disabled";
        assert_eq!(page.value(promote).await, true);
        page.play("j8 j9").await;
        page.until("count('.variation .move') === 2").await;
        assert_eq!(page.value(promote).await, false);
        page.press("promote").await;
        page.until("document.querySelector('.variation').textContent.trim() === '3.i8'").await;
        assert_eq!(list(&page).await, "1.h8 | 2.h9 | 3.j8 | 3.i8 | 4.j9");
        page.until(promote).await;
        // A comment stands in the list, belongs to its move and survives a reload.
        keys(&page, "#comment", "a <b>trap</b>").await;
        click_move(&page, "h8").await;
        page.until("count('#tree q') === 1 && text('tree').includes('a <b>trap</b>')").await;
        page.until("document.getElementById('comment').value === ''").await;
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.until("count('#tree q') === 1 && count('.variation') === 1").await;
        // Deleting asks first, and says how much goes.
        click_move(&page, "j8").await;
        page.until("text('counter').startsWith('3/4')").await;
        page.press("delete").await;
        page.until("text('delete') === 'Really delete 2 moves?'").await;
        assert_eq!(page.value("count('.move')").await, 5);
        page.press("delete").await;
        page.until("count('.move') === 3 && text('counter') === '2/3 h9'").await;
        assert_eq!(list(&page).await, "1.h8 | 2.h9 | 3.i8");
    });
}

#[test]
fn a_comment_is_saved_while_it_is_typed_and_when_the_page_is_left() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9").await;
        // The field is never left.
        keys(&page, "#comment", "quiet").await;
        page.until("text('tree').includes('quiet')").await;
        keys(&page, "#comment", " move").await;
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.until("text('tree').includes('quiet move')").await;
        assert_eq!(page.value("document.getElementById('comment').value").await, "quiet move");
    });
}

#[test]
fn a_comment_typed_while_the_connection_is_lost_is_saved_afterwards() {
    let games = empty_folder("kept-comment");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        // Moves are numbered in another order when the game is read again.
        page.play("h8 h9 i8").await;
        page.press("undo").await;
        page.until("text('counter').startsWith('2/3')").await;
        page.play("j8").await;
        page.press("promote").await;
        page.until("document.getElementById('promote').disabled").await;
        click_move(&page, "j8").await;
        page.until("text('counter') === '3 j8'").await;
        page.kill().await;
        keys(&page, "#comment", "a trap").await;
        page.client.execute("document.activeElement.blur()", vec![]).await.unwrap();
        page.restart(&["--games", games]).await;
        page.until("text('tree').includes('a trap')").await;
        assert_eq!(list(&page).await, "1.h8 | 2.h9 | 3.j8 | a trap | 3.i8");
        assert_eq!(page.value("document.getElementById('comment').value").await, "a trap");
        // Who goes on typing is not disturbed.
        keys(&page, "#comment", " for").await;
        page.kill().await;
        keys(&page, "#comment", " White").await;
        page.restart(&["--games", games]).await;
        page.until("text('tree').includes('a trap for White')").await;
        assert_eq!(page.value("document.activeElement.id").await, "comment");
    });
}

#[test]
fn a_game_with_a_takeback_against_the_computer_keeps_both_ways() {
    browse(Screen::Desktop, &["--white", "1"], |page| async move {
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2").await;
        page.press("undo").await;
        page.until("count('#board [data-point]') === 0").await;
        page.play("g7").await;
        page.until("count('#board [data-point]') === 2 && count('.variation .move') === 2").await;
        // Redo mirrors undo: back to the own turn, and no pause is left.
        page.press("undo").await;
        page.until("count('#board [data-point]') === 0").await;
        page.press("redo").await;
        page.until("count('#board [data-point]') === 2").await;
        assert_eq!(page.value("text('status')").await, "Human (Black)'s turn.");
        // Resigning ends the game here; the line becomes the main one.
        page.press("resign").await;
        page.press("resign").await;
        page.until_status("Human resigned").await;
        page.until("document.querySelector('.variation').textContent.includes('h8')").await;
        assert_eq!(page.value("count('.move')").await, 4);
    });
}
