//! What helps to learn: the coach, a first game, rules and terms, the rating.

use crate::driver::{Page, Screen, browse, empty_folder};
use crate::layout::is_calm;

const HUMANS: [&str; 2] = ["--white", "human"];

/// Choose what the coach does in this browser, and open the page with a position.
async fn coached(page: &Page, coach: &str, moves: &str) {
    let store = format!("localStorage.setItem('kakugo-coach', '\"{coach}\"')");
    page.client.execute(&store, vec![]).await.unwrap();
    page.client.goto("about:blank").await.unwrap();
    let link = format!("{}#p=15x15,freestyle,5,{moves}", page.url);
    page.client.goto(&link).await.unwrap();
    page.ready().await;
    page.until(&format!(
        "count('#board [data-point]') === {}",
        moves.matches(char::is_alphabetic).count()
    ))
    .await;
}

#[test]
fn the_coach_warns_and_takes_a_mistake_back() {
    browse(Screen::Desktop, &HUMANS, |page| async move {
        // White has an open three, and it is Black's turn.
        coached(&page, "large", "h9f8f9g8h7h8").await;
        page.until(
            "text('coach-words') === 'White has an open three and threatens to make an open four.'",
        )
        .await;
        assert_eq!(
            page.value("[count('.coach-stone'), count('.coach-point')]").await,
            serde_json::json!([3, 2])
        );
        page.shot("coach-threat").await;
        page.press("coach-on").await;
        page.until(
            "text('coach-words') === 'The coach watches this game.' && count('.coach-stone') === 0",
        )
        .await;
        page.click("o15").await;
        page.until("text('coach-words') === 'After this move White can make an open four, which nobody can stop.'")
            .await;
        // The line is on the board.
        page.until("count('#board .ghost') === 3").await;
        page.shot("coach-mistake").await;
        page.press("coach-back").await;
        page.until("count('#board [data-point]') === 6 && count('#board .ghost') === 0").await;
        page.play("e8").await;
        // One click switches it off, and it stays off.
        page.press("coach-off").await;
        page.until("document.getElementById('coach').hidden").await;
        page.client.refresh().await.unwrap();
        page.ready().await;
        assert_eq!(page.value("document.getElementById('coach').hidden").await, true);
    });
}

#[test]
fn a_first_game_explains_itself() {
    for (screen, name) in [(Screen::Desktop, "desktop"), (Screen::SmallPhone, "phone")] {
        browse(screen, &[], |page| async move {
            page.until("text('coach-words').startsWith('You have Black.')").await;
            is_calm(&page, name, "first words").await;
            page.shot(&format!("first-game-{name}")).await;
            if name == "phone" {
                page.touch("h8", "h8").await;
                page.touch("h8", "h8").await;
            } else {
                page.click("h8").await;
            }
            page.until("count('#board [data-point]') === 2 && text('coach-words') && !text('coach-words').startsWith('You have')")
                .await;
            is_calm(&page, name, "explained game").await;
            page.shot(&format!("first-game-answer-{name}")).await;
            page.tap("resign").await;
            page.tap("resign").await;
            page.until("text('coach-words').startsWith('White has won.')").await;
            is_calm(&page, name, "end of the explained game").await;
            page.tap("rematch").await;
            page.until("document.getElementById('coach').hidden").await;
        });
    }
}

#[test]
fn rules_and_terms_have_diagrams_on_every_screen() {
    for (screen, name) in [
        (Screen::Desktop, "desktop"),
        (Screen::SmallPhone, "phone"),
        (Screen::SmallPhoneOnItsSide, "on-its-side"),
    ] {
        browse(screen, &["--white", "human", "--rule", "renju"], |page| async move {
            page.press("help").await;
            page.until("document.getElementById('help-dialog')?.open").await;
            let drawn = "count('#help-rules .diagram')";
            assert_eq!(page.value(drawn).await, 3);
            assert_eq!(page.value("count('#help-terms .diagram')").await, 8);
            page.shot(&format!("help-{name}")).await;
            page.fill(&[("help-rule", "caro-overline")]).await;
            page.until(&format!(
                "{drawn} === 3 && text('help-rules').includes('Six or more win, too.')"
            ))
            .await;
            assert!(page.fits("help-dialog").await, "{name}");
        });
    }
}

#[test]
fn results_against_levels_make_a_rating() {
    let games = empty_folder("learn-rating");
    let arguments = ["--games", games.to_str().unwrap(), "--white", "3"];
    browse(Screen::Desktop, &arguments, |page| async move {
        page.press("games").await;
        page.until(
            "document.getElementById('kept').open && document.getElementById('rating').hidden",
        )
        .await;
        page.value("document.getElementById('kept').close()").await;
        page.press("resign").await;
        page.press("resign").await;
        page.until("/^Your rating: -?[0-9]+ ± [0-9]+[.]$/.test(text('message'))").await;
        page.press("games").await;
        page.until(
            "document.getElementById('kept').open && /^Your rating:/.test(text('rating-value'))",
        )
        .await;
        assert_eq!(page.value("text('rating-about').startsWith('1 game against')").await, true);
        page.shot("rating").await;
    });
    let stored = std::fs::read_to_string(games.join("results.jsonl")).unwrap();
    assert_eq!(stored.lines().count(), 1, "{stored}");
}
