//! Reviews: kept with the game, going on in the background, lines previewed on the board.

use std::time::{Duration, Instant};

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use serde_json::json;

use crate::driver::{PATIENCE, Page, Screen, browse, empty_folder};

/// Black misses five at move 9, and White, who has the middle of the board, blocks.
pub const MISSED: &str = "15x15,freestyle,5,f15h8g15i9h15h7i15e15o1j15";

pub async fn follow(page: &Page, position: &str) {
    page.client.goto("about:blank").await.unwrap();
    page.client.goto(&format!("{}#p={position}", page.url)).await.unwrap();
    page.ready().await;
    page.until("count('#board [data-point]') === 10").await;
}

async fn press_css(page: &Page, css: &str) {
    page.client.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

/// Put the pointer on an element.
async fn point_at(page: &Page, css: &str) {
    let script = "
        const node = document.querySelector(arguments[0]);
        node.scrollIntoView({ block: 'center' });
        const box = node.getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];";
    let place = page.client.execute(script, vec![json!(css)]).await.unwrap();
    let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
    let mouse =
        MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
    page.client.perform_actions(mouse).await.unwrap();
}

/// Point at an element until an expression holds: the lines of a search move while it goes on, so
/// the pointer may miss.
async fn point_until(page: &Page, css: &str, expression: &str) {
    let began = Instant::now();
    loop {
        point_at(page, css).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        if page.value(expression).await == true {
            return;
        }
        assert!(began.elapsed() < *PATIENCE, "never: {expression}");
        point_at(page, "header h1").await;
    }
}

/// A review of [`MISSED`] has ended.
pub const REVIEWED: &str = "text('explain') === 'Explain anew' && text('explaining') === ''
    && text('turning').includes('9. Black o1 missed a win by fours')
    && count('#accuracy tr') === 3";

#[test]
fn a_review_goes_on_behind_another_game_and_is_kept() {
    let games = empty_folder("kept-review");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |mut page| async move {
        follow(&page, MISSED).await;
        page.press("explain").await;
        page.until("text('explain') === 'Stop explaining'").await;
        // It goes on while the game is stepped through.
        page.press("first").await;
        page.until("text('counter').startsWith('0/10')").await;
        page.until("text('explain') === 'Stop explaining' || count('#accuracy tr') === 3").await;
        // And behind another game, which has none.
        page.press("new").await;
        page.press("setup-start").await;
        page.until("text('counter') === '0'").await;
        page.until("text('explain') === 'Explain the game' && text('explaining') === ''").await;
        assert_eq!(page.value("document.getElementById('accuracy').hidden").await, true);
        page.press("games").await;
        page.until("document.getElementById('kept').open").await;
        press_css(&page, "#kept-list li button").await;
        page.until(REVIEWED).await;
        page.press("last").await;
        page.shot("review").await;
        // Another run of the program knows it without thinking.
        page.kill().await;
        page.restart(&["--games", games]).await;
        page.press("games").await;
        page.until("document.getElementById('kept').open").await;
        press_css(&page, "#kept-list li button").await;
        page.until(REVIEWED).await;
        page.until("count('.move .mistake') >= 1 && count('#graph .curve') === 1").await;
        // A saved file has it, too.
        let saved = std::fs::read_dir(games)
            .unwrap()
            .filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok());
        assert!(saved.into_iter().any(|text| text.matches("KRV[").count() == 11));
    });
}

#[test]
fn who_watches_follows_a_review() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        follow(&page, MISSED).await;
        page.press("explain").await;
        page.until(REVIEWED).await;
        let room = page.value("JSON.parse(sessionStorage.getItem('kakugo-room')).room").await;
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.client.goto(&format!("{}#watch={}", page.url, room.as_str().unwrap())).await.unwrap();
        page.until("count('#turning .ply') > 0").await;
        let missed = "[...document.querySelectorAll('#turning li')]
            .find(li => li.textContent.startsWith('9.')).click()";
        page.client.execute(missed, vec![]).await.unwrap();
        page.until("text('counter').startsWith('8/10') && count('.ghost') >= 1").await;
        assert_eq!(page.value("text('message')").await, "");
        // Elsewhere the line means nothing.
        page.press("undo").await;
        page.until("text('counter').startsWith('7/10') && count('.ghost') === 0").await;
    });
}

#[test]
fn lines_are_shown_whole_and_under_the_pointer_on_the_board() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        follow(&page, MISSED).await;
        page.press("explain").await;
        page.until(REVIEWED).await;
        // The line of move 9 is shown in the position before it.
        let missed = "[...document.querySelectorAll('#turning li')]
            .find(li => li.textContent.startsWith('9.'))";
        page.value(&format!("{missed}.querySelector('.ply').id = 'first-of-line'")).await;
        point_at(&page, "#first-of-line").await;
        page.until("count('.ghost') === 1 && count('#board [data-point]') === 8").await;
        assert_eq!(page.value("text('first-of-line')").await, "j15 five");
        // A win given away is marked as what it costs.
        page.until(&format!("{missed}.className === 'blunder'")).await;
        page.shot("line-under-pointer").await;
        point_at(&page, "header h1").await;
        page.until("count('.ghost') === 0 && count('#board [data-point]') === 10").await;
        // The engine's lines, too, and none is cut.
        page.client.execute("document.getElementById('analyse').click()", vec![]).await.unwrap();
        page.until("count('#best .ply') > 12").await;
        point_until(&page, "#best .ply:nth-child(3)", "count('.ghost') === 3").await;
        let whole = "[...document.querySelectorAll('#best .moves')]
            .every(line => line.scrollWidth <= line.clientWidth + 1
                && line.textContent.split(' ').length === line.children.length)";
        assert_eq!(page.value(whole).await, true);
        assert!(page.value("text('perspective').includes('Black’s chances')").await == true);
    });
}

#[test]
fn a_review_tells_how_popular_the_opening_is() {
    let folder = empty_folder("popular");
    std::fs::create_dir_all(&folder).unwrap();
    // MISSED begins f15 h8 g15; all the other games begin as its mirror image does.
    let games =
        "(;GM[4];B[ja];W[hh];B[ia])(;GM[4];B[ja];W[hh];B[oo])(;GM[4];B[ja];W[aa])(;GM[4];B[hh])";
    std::fs::write(folder.join("club.sgf"), games).unwrap();
    let folder = folder.to_str().unwrap();
    browse(Screen::SmallPhone, &["--explore", folder, "--white", "human"], |page| async move {
        follow(&page, MISSED).await;
        assert_eq!(page.value("document.getElementById('opening-played').hidden").await, true);
        page.tap("explain").await;
        let told = "Opening: f15 75 % (3) · h8 67 % (2) · g15 50 % (1) · i9 new";
        page.until(&format!("text('opening-played') === '{told}'")).await;
        let width = page.value("document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 360, "{width} px wide");
    });
}

#[test]
fn a_phone_shows_a_review_within_its_width() {
    browse(Screen::SmallPhone, &["--white", "human"], |page| async move {
        follow(&page, MISSED).await;
        page.tap("explain").await;
        page.until("count('#accuracy tr') === 3 && count('#turning .ply') > 0").await;
        // As wide as its numbers and a name can be.
        let widest = "document.querySelectorAll('#accuracy tr:not(:first-child)').forEach(row => {
            row.cells[0].textContent = 'Kakugo Strong club player';
            row.cells[1].textContent = '100.0 %'; row.cells[2].textContent = '11.5 %'; })";
        page.client.execute(widest, vec![]).await.unwrap();
        page.shot("small-review").await;
        let width = page.value("document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 360, "{width} px wide");
    });
}
