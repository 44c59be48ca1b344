//! Practice: puzzles from the games kept, a gentle first game, a rematch.

use fantoccini::Locator;
use serde_json::json;

use crate::driver::{Page, Screen, browse, empty_folder};

/// Black may win by an open four at move 7, and plays elsewhere.
const MISSED: &str = "15x15,freestyle,5,f15h8g15i9h15h7o1e15a1j1";

/// A game whose forced win was missed, kept.
pub async fn keep_missed_win(page: &Page) {
    page.client.goto("about:blank").await.unwrap();
    page.client.goto(&format!("{}#p={MISSED}", page.url)).await.unwrap();
    page.ready().await;
    page.until("count('#board [data-point]') === 10").await;
    // What is written about a game makes it worth keeping.
    page.client.find(Locator::Id("comment")).await.unwrap().send_keys("missed").await.unwrap();
    page.client.execute("document.getElementById('comment').blur()", vec![]).await.unwrap();
    page.until("text('tree').includes('missed')").await;
}

/// Choose the puzzle whose description holds these words.
pub async fn open_puzzle(page: &Page, words: &str) {
    let touch = page.value("navigator.maxTouchPoints > 0").await == true;
    if touch {
        page.tap("practice").await
    } else {
        page.press("practice").await
    }
    let item = format!(
        "[...document.querySelectorAll('#practice-list li')]
            .find(item => item.textContent.includes({}))",
        json!(words)
    );
    page.until(&item).await;
    page.shot("practice-list").await;
    page.value(&format!("{item}.querySelector('button').click()")).await;
    page.until("!document.getElementById('practice-dialog').open").await;
    page.until("!document.getElementById('puzzle').hidden").await;
}

#[test]
fn a_missed_win_is_practised() {
    let games = empty_folder("kept-practice");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games, "--white", "human"], |page| async move {
        keep_missed_win(&page).await;
        open_puzzle(&page, "open four · 2 stones · missed").await;
        page.until("text('status') === 'Black to play and win.'").await;
        assert_eq!(page.stones().await, 6);
        assert!(page.value("text('puzzle-about').startsWith('★☆☆☆☆ · open four')").await == true);
        // A wrong answer is taken back, with the reply to it.
        page.click("a1").await;
        page.until("text('status').startsWith('a1 does not win by force. White answers')").await;
        page.until("count('#board [data-point]') === 6").await;
        for shown in ["count('.hint-area') === 1", "text('message').includes('open four')"] {
            page.press("hint").await;
            page.until(shown).await;
        }
        page.press("hint").await;
        page.until("count('.hint') === 1").await;
        page.shot("practice").await;
        // Either end of the three wins; White answers, and five solves it.
        page.click("i15").await;
        page.until("text('status').startsWith('Right. White answers')").await;
        page.until("count('#board [data-point]') === 8").await;
        let five = page.value("document.querySelector('[data-point=j15]') ? 'e15' : 'j15'").await;
        page.click(five.as_str().unwrap()).await;
        page.until("text('status') === 'Solved with a hint.'").await;
        assert_eq!(page.value("document.getElementById('after').hidden").await, true);
        // Solved without one it is remembered.
        open_puzzle(&page, "open four · 2 stones · missed").await;
        page.until("count('#board [data-point]') === 6").await;
        page.click("i15").await;
        page.until("count('#board [data-point]') === 8").await;
        let five = page.value("document.querySelector('[data-point=j15]') ? 'e15' : 'j15'").await;
        page.click(five.as_str().unwrap()).await;
        page.until("text('status') === 'Solved at the first try.'").await;
        page.press("practice").await;
        page.until("text('practice-list').includes('✓ Black to play and win')").await;
        page.fill(&[("practice-which", "new")]).await;
        page.until("!text('practice-list').includes('✓')").await;
        page.client
            .find(Locator::Css("#practice-dialog .end button"))
            .await
            .unwrap()
            .click()
            .await
            .unwrap();
        // Puzzles are no games: one is kept.
        page.press("games").await;
        page.until("count('#kept-list li') === 1").await;
    });
}

#[test]
fn built_in_problems_and_files_are_practised() {
    browse(Screen::Phone, &[], |page| async move {
        page.tap("practice").await;
        page.until("count('#practice-sets button') === 12").await;
        page.shot("phone-practice-sets").await;
        let step = "document.querySelector('[data-set=renju] [data-step=\"1\"]')";
        page.value(&format!("{step}.click()")).await;
        page.until("!document.getElementById('practice-dialog').open").await;
        page.until("text('status').endsWith('to play: make five.')").await;
        page.until("text('variant').startsWith('renju')").await;
        for _ in 0..3 {
            page.tap("hint").await;
        }
        page.until("count('.hint') === 1").await;
        page.shot("phone-problem").await;
        let hint = "(hint => [...document.querySelectorAll('.label')].filter(label =>
            Math.abs(label.getAttribute(/[a-z]/.test(label.textContent) ? 'x' : 'y')
                - hint.getAttribute(/[a-z]/.test(label.textContent) ? 'cx' : 'cy')) < 2)
            .map(label => label.textContent).join(''))(document.querySelector('.hint'))";
        let point = page.value(hint).await.as_str().unwrap().to_owned();
        page.touch(&point, &point).await;
        page.touch(&point, &point).await;
        page.until("text('status') === 'Solved with a hint.'").await;
        page.tap("puzzle-next").await;
        page.until("text('status').endsWith('to play: make five.')").await;
        page.tap("practice").await;
        page.until(&format!("{step}.textContent.includes('1 of 25 solved')")).await;
        let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book.sgf");
        let book =
            "(;GM[4]SZ[15]RU[renju]EV[Book 7]AB[fh][gh][hh]AW[aa][oo][oa]PL[B];B[ih];W[eh];B[jh])
            (;GM[4]SZ[15];B[zz])";
        std::fs::write(&path, book).unwrap();
        let field = page.client.find(Locator::Id("practice-file")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
        page.until("document.querySelector('[data-set=file] button')").await;
        page.until("text('practice-error').startsWith('1 game is skipped. Game 2: ')").await;
        page.value("document.querySelector('[data-set=file] button').click()").await;
        page.until("text('puzzle-about').startsWith('Book 7')").await;
        assert!(page.value("document.documentElement.scrollWidth").await.as_u64().unwrap() <= 400);
    });
}

#[test]
fn the_solution_is_shown_to_those_who_give_up() {
    let games = empty_folder("kept-solution");
    let games = games.to_str().unwrap();
    browse(Screen::SmallPhone, &["--games", games, "--white", "human"], |page| async move {
        keep_missed_win(&page).await;
        open_puzzle(&page, "open four · 2 stones · missed").await;
        page.until("count('.move') === 6").await;
        page.touch("a1", "a1").await;
        page.touch("a1", "a1").await;
        page.until("document.getElementById('status').classList.contains('wrong')").await;
        page.until("count('#board [data-point]') === 6").await;
        page.tap("puzzle-solution").await;
        page.until("text('puzzle-solution') === 'Give up?'").await;
        assert_eq!(page.value("count('.ghost')").await, 0);
        page.tap("puzzle-solution").await;
        page.until("text('status') === 'This is how it is won.' && count('.ghost') === 3").await;
        // A mistake before does not colour it.
        assert_eq!(page.value("document.getElementById('status').className").await, "puzzle ");
        page.shot("small-practice").await;
        let width = page.value("document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 360, "{width} px wide");
    });
}

#[test]
fn the_level_is_gentle_at_first_and_remembered() {
    let games = empty_folder("kept-gentle");
    let games = games.to_str().unwrap();
    let white = "document.querySelector('#seat-white b').textContent";
    browse(Screen::Desktop, &["--games", games], |page| async move {
        page.until("text('message').startsWith('A gentle start: level 3')").await;
        assert_eq!(page.value(white).await, "Kakugo · Learner (3)");
        page.press("new").await;
        assert_eq!(page.value("document.getElementById('player-1').value").await, "kakugo:3");
        page.press("setup-cancel").await;
        page.play("h8").await;
        page.until("count('#board [data-point]') === 2").await;
        let second = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(second).await.unwrap();
        page.open().await;
        assert_eq!(page.value(white).await, "Kakugo · Learner (3)");
        assert_eq!(page.value("text('message')").await, "");
        page.start(&[("player-1", "kakugo:5")]).await;
        page.until(&format!("{white} === 'Kakugo · Club player (5)'")).await;
        // The next visit: a tab that knows nothing but what the browser stores.
        let third = page.client.new_window(true).await.unwrap().handle;
        page.client.switch_to_window(third).await.unwrap();
        page.open().await;
        assert_eq!(page.value(white).await, "Kakugo · Club player (5)");
    });
}

#[test]
fn another_level_is_suggested_after_two_games_with_the_same_result() {
    browse(Screen::Desktop, &[], |page| async move {
        let white = "document.querySelector('#seat-white b').textContent";
        let hidden = "document.getElementById('next-level').hidden";
        page.start(&[("player-1", "kakugo:2")]).await;
        page.until(&format!("{white} === 'Kakugo · Novice (2)'")).await;
        for game in 0..2 {
            page.press("resign").await;
            page.press("resign").await;
            page.until_status("resigned").await;
            if game == 0 {
                assert_eq!(page.value(hidden).await, true);
                page.press("rematch").await;
                page.until("!text('status').includes('resigned')").await;
            }
        }
        page.until("text('next-level') === 'Try level 1'").await;
        page.shot("next-level").await;
        page.press("next-level").await;
        page.until(&format!("{white} === 'Kakugo · Beginner (1)'")).await;
        page.press("new").await;
        assert_eq!(page.value("document.getElementById('player-1').value").await, "kakugo:1");
    });
}

#[test]
fn a_rematch_exchanges_the_colours() {
    let arguments = ["--white", "human", "--names", "Ann", "Bob", "--win", "3"];
    browse(Screen::Desktop, &arguments, |page| async move {
        assert_eq!(page.value("document.getElementById('after').hidden").await, true);
        page.play("h8 a1 i8 a2 j8").await;
        page.until("!document.getElementById('after').hidden").await;
        page.press("rematch").await;
        page.until("count('#board [data-point]') === 0").await;
        let names = "[...document.querySelectorAll('.seat b')].map(b => b.textContent).join()";
        assert_eq!(page.value(names).await, "Bob,Ann");
        assert_eq!(page.value("text('status')").await, "Bob (Black)'s turn.");
    });
}
