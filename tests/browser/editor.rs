//! The position editor.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use crate::driver::{Page, Screen, browse};

/// Choose what a click places.
async fn choose(page: &Page, tool: &str) {
    let field = format!("document.querySelector('[name=editor-tool][value={tool}]').click()");
    page.value(&field).await;
}

async fn open(page: &Page) {
    page.press("edit").await;
    page.until("document.body.hasAttribute('data-editing')").await;
}

#[test]
fn a_position_is_set_up_solved_linked_and_played() {
    browse(Screen::Desktop, &[], |page| async move {
        page.play("h8").await;
        open(&page).await;
        let stones = page.stones().await;
        page.press("editor-clear").await;
        page.until("count('#board [data-point]') === 0").await;
        page.press("editor-undo").await;
        page.until(&format!("count('#board [data-point]') === {stones}")).await;
        page.press("editor-clear").await;
        page.until("count('#board [data-point]') === 0").await;
        choose(&page, "black").await;
        page.play("f8 g8 h8 a9").await;
        // A second click removes a stone.
        page.click("a9").await;
        page.until("count('#board [data-point]') === 3").await;
        choose(&page, "white").await;
        page.play("a15 o15 o1").await;
        choose(&page, "blocked").await;
        page.click("d8").await;
        page.until("count('.blocked') === 1").await;
        page.fill(&[("editor-rule", "renju"), ("editor-side", "black")]).await;
        page.until("text('status') === 'Position editor: Black is to move.'").await;
        page.shot("editor").await;
        // White cannot stop both ends of a four; the other end is blocked here, not on i8.
        page.fill(&[("editor-method", "fours")]).await;
        page.press("editor-solve").await;
        page.until("/^Black wins in|has no win/.test(text('editor-result'))").await;
        choose(&page, "empty").await;
        page.click("d8").await;
        page.until("count('.blocked') === 0").await;
        page.press("editor-solve").await;
        page.until("text('editor-result') === 'Black wins in 2 moves.' && count('.ghost') === 3")
            .await;
        page.shot("editor-solved").await;
        page.value("document.querySelector('[data-walk=first]').click()").await;
        page.until("count('.ghost') === 0 && text('editor-count') === '0 of 3'").await;
        page.value("document.querySelector('[data-walk=on]').click()").await;
        page.until("count('.ghost') === 1").await;
        // The keyboard: 3 chooses white stones, arrows and Enter place one. The cursor begins in
        // the centre.
        page.value("document.getElementById('board').focus()").await;
        let board = page.client.find(Locator::Id("board")).await.unwrap();
        board.send_keys("3").await.unwrap();
        board
            .send_keys(&[Key::Left, Key::Up, Key::Enter].map(char::from).iter().collect::<String>())
            .await
            .unwrap();
        page.until("count('#board [data-point]') === 7").await;
        board.send_keys("u").await.unwrap();
        page.until("count('#board [data-point]') === 6").await;
        // The second key of a Czech keyboard.
        let event = "{ key: 'ě', code: 'Digit2', bubbles: true }";
        page.value(&format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {event}))"))
            .await;
        let tool = "document.querySelector('[name=editor-tool]:checked').value";
        assert_eq!(page.value(tool).await, "black");
        // A link leads to the position.
        page.value("void Object.defineProperty(navigator, 'clipboard', { value: undefined })")
            .await;
        page.press("editor-link").await;
        page.until("document.getElementById('editor-text').value.includes('#p=15x15,renju,5,')")
            .await;
        // Text is read into the editor, with its rule.
        page.fill(&[("editor-text", "h8i9j10")]).await;
        page.press("editor-read").await;
        page.until("count('#board [data-point]') === 3").await;
        assert_eq!(
            page.value("document.getElementById('editor-rule').value").await,
            json!("renju")
        );
        page.until("text('status') === 'Position editor: White is to move.'").await;
        page.fill(&[("editor-player-0", "human"), ("editor-player-1", "kakugo:1")]).await;
        page.press("editor-play").await;
        page.until("!document.body.hasAttribute('data-editing')").await;
        // The computer is to move.
        page.until("count('#board [data-point]') === 4").await;
    });
}

#[test]
fn positions_are_edited_on_a_phone_and_thrown_away() {
    browse(Screen::Phone, &["--white", "human"], |page| async move {
        page.touch("h8", "h8").await;
        page.touch("h8", "h8").await;
        page.until("count('#board [data-point]') === 1").await;
        page.tap("pass").await;
        page.until("text('status').startsWith('Black')").await;
        page.tap("edit").await;
        page.until("document.body.hasAttribute('data-editing')").await;
        page.shot("phone-editor").await;
        assert!(page.fits("editor").await);
        page.touch("i9", "i9").await;
        page.touch("i9", "i9").await;
        page.until("count('#board [data-point]') === 2").await;
        // A board that is turned to the right: the ninth row from the bottom is the ninth column.
        page.fill(&[("turned", "1")]).await;
        let lies_at = "['cx', 'cy'].map(key =>
            document.querySelector('[data-point=i9] .body').getAttribute(key)).join()";
        page.until(&format!("{lies_at} === '{},{}'", 44 + 8 * 40, 28 + 8 * 40)).await;
        page.fill(&[("turned", "0")]).await;
        page.tap("editor-close").await;
        page.until("!document.body.hasAttribute('data-editing')").await;
        page.until("count('#board [data-point]') === 1").await;
    });
}
