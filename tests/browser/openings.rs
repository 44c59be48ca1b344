//! Openings are explored: the next moves with counts and results.

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};

use crate::driver::{Page, Screen, browse, empty_folder};

/// A folder of two files: three games that begin alike but for symmetry, and another.
fn games(name: &str) -> String {
    let folder = empty_folder(name);
    std::fs::create_dir_all(&folder).unwrap();
    let club = "(;GM[4]SZ[15]RE[B+];B[hh];W[hg];B[ig])(;GM[4]SZ[15]RE[W+];B[hh];W[ih];B[ii])\
        (;GM[4]SZ[15]RE[0];B[hh];W[hi];B[gi])";
    std::fs::write(folder.join("club.sgf"), club).unwrap();
    std::fs::write(folder.join("one.pos"), "h8i9\n").unwrap();
    std::fs::write(folder.join("broken.sgf"), "(;GM[4]").unwrap();
    folder.to_str().unwrap().to_owned()
}

async fn rows(page: &Page) -> String {
    let rows = "[...document.querySelectorAll('#openings-next tr')]
        .map(row => [...row.cells].slice(0, 2).map(cell => cell.textContent).join(' ')).join()";
    page.value(rows).await.as_str().unwrap().to_owned()
}

#[test]
fn the_next_moves_are_counted_shown_and_played() {
    let games = games("explored");
    browse(Screen::Desktop, &["--explore", &games, "--white", "human"], |page| async move {
        page.until("text('openings-about') === '4 of 4 lines come here (2 files).'").await;
        assert_eq!(rows(&page).await, "h8 4");
        page.play("h8").await;
        page.until("count('#openings-next tr') === 2").await;
        let told = rows(&page).await;
        assert!(told.starts_with("h9 3,") && told.ends_with(" 1"), "{told}");
        let title = "document.querySelector('#openings-next .results').title";
        assert_eq!(page.value(title).await, "Black 1, draws 1, White 1");
        // Under the pointer the move lies on the board; a click plays it.
        let script =
            "const box = document.querySelector('#openings-next tr').getBoundingClientRect();
            return [box.left + 20, box.top + box.height / 2];";
        let place = page.client.execute(script, vec![]).await.unwrap();
        let (x, y) = (place[0].as_f64().unwrap(), place[1].as_f64().unwrap());
        let mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo {
            duration: None,
            x,
            y,
        });
        page.client.perform_actions(mouse).await.unwrap();
        page.until("count('.ghost') === 1").await;
        page.shot("openings").await;
        let row = page.client.find(Locator::Css("#openings-next tr")).await.unwrap();
        row.click().await.unwrap();
        page.until("text('counter') === '2 h9'").await;
        page.until("text('openings-about') === '3 of 4 lines come here (2 files).'").await;
        // By keys, too.
        page.press("undo").await;
        page.until("text('counter') === '1/2 h8'").await;
        let name = page.client.find(Locator::Css("#openings-next button")).await.unwrap();
        name.send_keys("\u{E007}").await.unwrap();
        page.until("text('counter') === '2 h9'").await;
        page.play("a1").await;
        page.until("text('openings-about') === 'None of 4 lines comes here.'").await;
    });
}

#[test]
fn openings_of_a_file_are_explored_from_the_page() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8").await;
        let name = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("of-page.sgf");
        let games = "(;GM[4]SZ[15]RE[B+];B[hh];W[hg])(;GM[4]RU[renju];B[hh];W[ih])(;GM[4]AB[a])";
        let explore = async |text: &str| {
            std::fs::write(&name, text).unwrap();
            if page.value("document.getElementById('records').open").await == false {
                page.press("files").await;
            }
            let field = page.client.find(Locator::Id("open-openings")).await.unwrap();
            field.send_keys(name.to_str().unwrap()).await.unwrap();
        };
        explore(games).await;
        page.until("text('openings-about') === '1 of 2 lines come here (1 file).'").await;
        assert_eq!(rows(&page).await, "h9 1");
        let note = "The file has errors: skipped 1 of 3 games, first game 3: set-up stones";
        page.until(&format!("text('message').startsWith('{note}')")).await;
        // The openings of another rule are others.
        page.start(&[("rule", "caro")]).await;
        let others =
            "No game of this rule and size; there are 1 of freestyle 15×15, 1 of renju 15×15.";
        page.until(&format!("text('openings-about') === '{others}'")).await;
        explore("(;GM[1])").await;
        page.until(
            "text('records-error').startsWith('There is nothing to explore: unsupported SGF game')",
        )
        .await;
        // The openings are still there after a reload.
        page.client.refresh().await.unwrap();
        page.until(&format!("text('openings-about') === '{others}'")).await;
    });
}

#[test]
fn a_phone_explores_within_its_width_and_others_have_no_card() {
    let games = games("explored-small");
    browse(Screen::SmallPhone, &["--explore", &games, "--white", "human"], |page| async move {
        page.until("count('#openings-next tr') === 1").await;
        page.shot("small-openings").await;
        let width = page.value("document.documentElement.scrollWidth").await;
        assert!(width.as_u64().unwrap() <= 360, "{width} px wide");
    });
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        assert_eq!(page.value("document.getElementById('openings').hidden").await, true);
    });
}
