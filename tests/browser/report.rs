//! The page that `match --html` writes, on a phone.

use std::process::Command;

use crate::driver::{Screen, browse};

/// Plays two pairs of short games between weak engines from these openings. Returns the address of
/// the page.
fn report(name: &str, openings: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let html = folder.join(name).with_extension("html");
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["match", "--engine", "self", "name=A", "nodes=50", "--engine", "self", "name=B"])
        .args(["nodes=80", "--each", "turn=60s", "--openings", openings, "--games", "4"])
        .args(["--seed", "3", "--html", html.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("file://{}", html.display())
}

#[test]
fn the_report_of_a_match_is_read_on_a_phone() {
    browse(Screen::Phone, &["--white", "human"], |page| async move {
        page.client.goto(&report("report-on-a-phone", "balanced:2")).await.unwrap();
        page.until("document.querySelectorAll('#list tbody tr').length === 4").await;
        page.until("document.documentElement.scrollWidth <= innerWidth").await;
        // The row that won is marked, and the curves of the game are drawn.
        page.until("document.querySelectorAll('#board .wins').length >= 5").await;
        page.until("document.querySelectorAll('#values polyline').length === 2").await;
        page.until("document.querySelectorAll('#times polyline').length === 2").await;
        page.shot("report-phone").await;
        // A pair of games, by its opening.
        let open = "document.getElementById('openings').open = true, true";
        page.until(open).await;
        page.until("document.querySelectorAll('#pairs tbody tr').length === 2").await;
        page.until("document.documentElement.scrollWidth <= innerWidth").await;
        page.until("(document.querySelectorAll('#pairs tbody tr')[1].click(), true)").await;
        page.until("document.querySelectorAll('#list tbody tr').length === 2").await;
        page.until("document.getElementById('heading').textContent.includes('pair 2')").await;
        page.shot("report-openings").await;
        // A step back: the row is no longer complete.
        page.press("back").await;
        page.until("document.querySelectorAll('#board .wins').length === 0").await;
        // In a position, Black has stones 1 and 2. The curves begin with Black's move.
        let position = format!("{}/position.sgf", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&position, "(;GM[4]SZ[15]AB[hh][kk]AW[ii]PL[B])").unwrap();
        let position = format!("games:{position}");
        page.client.goto(&report("report-from-a-position", &position)).await.unwrap();
        let first = "const first = n => parseFloat(document.querySelectorAll('#values polyline')[n].getAttribute('points'));";
        page.until(&format!("(() => {{ {first} return first(0) < first(1); }})()")).await;
    });
}
