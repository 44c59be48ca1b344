//! Two people on two devices: two browsers, and a third that watches.

use serde_json::{Value, json};

use crate::driver::{Page, Screen, browse, empty_folder};

const WHITE_IS_A_FRIEND: &[(&str, &str)] = &[("player-1", "friend"), ("name-0", "Ann")];

/// Invites a friend to a new game, and returns the link.
async fn invite(page: &Page, fields: &[(&str, &str)]) -> String {
    page.start(fields).await;
    page.until("document.getElementById('invite').open").await;
    let link = page.value("document.querySelector('#invite-links input').value").await;
    link.as_str().unwrap().to_owned()
}

/// Clicks a point whose stone the other page shows, too.
async fn play(mover: &Page, other: &Page, point: &str) {
    mover.play(point).await;
    let stones = mover.stones().await;
    other.until(&format!("count('#board [data-point]') === {stones}")).await;
}

#[test]
fn two_people_play_by_invitation_to_the_end() {
    let games = empty_folder("two-people");
    let games = games.to_str().unwrap();
    browse(Screen::Desktop, &["--games", games], |page| async move {
        let link = invite(&page, WHITE_IS_A_FRIEND).await;
        assert!(link.contains("#play="), "{link}");
        page.shot("invite").await;
        page.with_friend(Screen::Phone, &link.clone(), |mut host, guest| async move {
            // The dialog closes when the friend comes.
            host.until("!document.getElementById('invite').open").await;
            guest.fill(&[("own-name", "Bob")]).await;
            host.until("text('pair-says') === 'Bob is here.'").await;
            let own_name = "document.getElementById('own-name').value";
            assert_eq!(host.value(own_name).await, "Ann");
            play(&host, &guest, "h8").await;
            assert!(host.value("document.getElementById('analyse').disabled").await == true);
            guest.touch("i9", "i9").await;
            guest.until("count('#board [data-point]') === 2 || text('message')").await;
            if guest.stones().await == 1 {
                guest.touch("i9", "i9").await;
            }
            host.until("count('#board [data-point]') === 2").await;
            play(&host, &guest, "h9").await;
            // An undo by agreement.
            host.press("offer-undo").await;
            guest.until("text('offer-says') === 'Ann asks to take back a move.'").await;
            guest.shot("offer").await;
            guest.tap("accept").await;
            host.until("count('#board [data-point]') === 2").await;
            assert_eq!(host.value("document.getElementById('offer').hidden").await, true);
            // The guest reloads, the program is started again, and the game goes on.
            play(&host, &guest, "h7").await;
            guest.client.refresh().await.unwrap();
            guest.ready().await;
            host.until("text('pair-says') === 'Bob is here.'").await;
            host.kill().await;
            host.restart(&["--games", games]).await;
            guest.until("text('pair-says') === 'Ann is here.'").await;
            host.until("text('pair-says') === 'Bob is here.'").await;
            // Another browser with the link gets no seat, and cannot act.
            host.client.new_window(true).await.unwrap();
            let windows = host.client.windows().await.unwrap();
            host.client.switch_to_window(windows[1].clone()).await.unwrap();
            host.client.goto(&link).await.unwrap();
            host.until("text('message').includes('Another browser has taken this seat')").await;
            host.until_status("Watching.").await;
            host.click("a1").await;
            assert_eq!(host.value("document.getElementById('pair').hidden").await, true);
            assert_eq!(host.stones().await, 3);
            host.client.switch_to_window(windows[0].clone()).await.unwrap();
            // The guest resigns, and both want another game.
            guest.tap("resign").await;
            guest.tap("resign").await;
            host.until_status("Ann (Black) wins: Bob resigned.").await;
            host.press("rematch").await;
            guest.until("text('offer-says') === 'Ann offers a rematch.'").await;
            guest.tap("accept").await;
            host.until("count('#board [data-point]') === 0").await;
            let black = "document.querySelector('#seat-black b').textContent";
            assert_eq!(host.value(black).await, "Bob");
            host.client.close_window().await.unwrap();
            host.client.switch_to_window(windows[1].clone()).await.unwrap();
            guest.until("text('pair-says').includes('disconnected')").await;
        })
        .await;
    });
}

#[test]
fn byo_yomi_is_shown_on_the_clocks() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let clock = [("clock", "byoyomi"), ("game-time", "1"), ("periods", "3"), ("period", "20")];
        page.start(&[&clock[..], &[("player-1", "human")]].concat()).await;
        let times = "[...document.querySelectorAll('.seat time')].map(t => t.textContent)";
        assert_eq!(page.value(times).await, json!(["1:00 + 3×20 s", "1:00 + 3×20 s"]));
        page.play("h8").await;
        page.until(&format!("{times}[1].startsWith('0:59')")).await;
        let time = page.value("document.getElementById('clock').value").await;
        assert_ne!(time, Value::Null);
    });
}
