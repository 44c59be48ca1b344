//! The page that `match --html` writes, on a phone.

use std::process::Command;

use crate::driver::{Screen, browse};

/// Play two pairs of short games between weak engines. The page's address.
fn report() -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let html = folder.join("report-on-a-phone.html");
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["match", "--engine", "self", "name=A", "nodes=50", "--engine", "self", "name=B"])
        .args(["nodes=80", "--each", "turn=60s", "--openings", "balanced:2", "--games", "4"])
        .args(["--seed", "3", "--html", html.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("file://{}", html.display())
}

#[test]
fn the_report_of_a_match_is_read_on_a_phone() {
    browse(Screen::Phone, &["--white", "human"], |page| async move {
        page.client.goto(&report()).await.unwrap();
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
    });
}
