//! Two people on two devices: two browsers, and a third that watches.

use std::time::Duration;

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
        page.press("new").await;
        page.fill(&[("player-0", "friend"), ("player-1", "friend")]).await;
        page.press("setup-start").await;
        page.until("text('setup-error').startsWith('Only one friend can join')").await;
        page.press("setup-cancel").await;
        let seats = [("player-0", "human"), WHITE_IS_A_FRIEND[0], WHITE_IS_A_FRIEND[1]];
        let link = invite(&page, &seats).await;
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
            // Who has to choose in an opening may resign or offer something, too.
            let seats = [("player-0", "human"), ("player-1", "friend"), ("name-0", "Ann")];
            host.start(&[&seats[..], &[("name-1", "Bob"), ("opening", "swap")]].concat()).await;
            for point in ["h8", "h9", "i8"] {
                play(&host, &guest, point).await;
            }
            guest.until("count('#choices button') > 1").await;
            let shown = "['offer-draw', 'offer-undo', 'resign'].every(id =>
                getComputedStyle(document.getElementById(id)).visibility === 'visible')";
            assert_eq!(guest.value(shown).await, true);
            let apart = "document.getElementById('acts').getBoundingClientRect().bottom
                <= document.getElementById('choices').getBoundingClientRect().top";
            assert_eq!(guest.value(apart).await, true);
            guest.shot("choices-of-two").await;
            host.client.close_window().await.unwrap();
            host.client.switch_to_window(windows[1].clone()).await.unwrap();
            guest.until("text('pair-says').includes('disconnected')").await;
        })
        .await;
    });
}

/// The stones, the offers and the choices that a page shows, and who has which colour.
const SHOWN: &str = "JSON.stringify([text('tree'), text('counter'), text('status'),
    [...document.querySelectorAll('.seat b')].map(name => name.textContent)])";

/// Sets how a browser reaches the network: its latency in milliseconds, and bytes per second.
async fn throttle(page: &Page, offline: bool, latency: u32, bytes: i32) {
    let conditions = json!({ "offline": offline, "latency": latency, "downloadThroughput": bytes,
        "uploadThroughput": bytes });
    page.devtools("Network.emulateNetworkConditions", conditions).await;
}

/// Puts a browser's page to sleep, or wakes it.
async fn sleep(page: &Page, sleeps: bool) {
    let state = if sleeps { "frozen" } else { "active" };
    page.devtools("Page.setWebLifecycleState", json!({ "state": state })).await;
    // A page that has slept is hidden, and takes no taps.
    page.devtools("Emulation.setFocusEmulationEnabled", json!({ "enabled": !sleeps })).await;
}

/// Two people, the first of whom starts the game.
struct Couple {
    host: Page,
    guest: Page,
}

impl Couple {
    fn page(&self, name: &str) -> &Page {
        if name == "Ann" { &self.host } else { &self.guest }
    }

    /// Waits until both pages show the same, and the number of marks on the board is right.
    async fn agree(&self, marks: &str) {
        for page in [&self.host, &self.guest] {
            page.until(marks).await;
        }
        let shown = self.host.value(SHOWN).await;
        self.guest.until(&format!("{SHOWN} === {shown}")).await;
    }

    /// A person places a stone, or offers it as a fifth move. On a phone that takes two taps.
    async fn place(&self, name: &str, point: &str) {
        let page = self.page(name);
        let count = "count('#board [data-point]') + count('#board .sign')";
        let before = page.value(count).await;
        let is_phone = name == "Bob";
        if is_phone {
            page.touch(point, point).await;
            let asked = format!("text('message').startsWith('{point}: tap again')");
            page.until(&format!("{asked} || {count} !== {before}")).await;
            if page.value(count).await == before {
                page.touch(point, point).await;
            }
        } else {
            page.click(point).await;
        }
        page.until(&format!("{count} !== {before}")).await;
    }

    /// A person chooses in the opening.
    async fn choose(&self, name: &str, choice: &str) {
        let page = self.page(name);
        page.until(&format!("document.querySelector('[data-choice={choice}]')")).await;
        page.choose(choice).await;
        page.until("document.getElementById('choices').hidden").await;
    }
}

#[test]
#[ignore = "needs half a minute"]
fn a_renju_game_with_an_opening_rule_survives_bad_networks_and_sleep() {
    browse(Screen::Desktop, &[], |page| async move {
        let game = [
            ("rule", "renju"),
            ("opening", "taraguchi-10"),
            ("clock", "byoyomi"),
            ("game-time", "2"),
            ("periods", "3"),
            ("period", "20"),
        ];
        let link = invite(&page, &[WHITE_IS_A_FRIEND, &game].concat()).await;
        page.with_friend(Screen::Phone, &link.clone(), |host, guest| async move {
            // A slow network from the first byte: the page is loaded again with it.
            throttle(&guest, false, 150, 20_000).await;
            guest.client.refresh().await.unwrap();
            guest.ready().await;
            guest.fill(&[("own-name", "Bob")]).await;
            host.until("text('pair-says') === 'Bob is here.'").await;
            let two = Couple { host, guest };
            for (number, (by, point, chooser, choice)) in (1..).zip([
                ("Ann", "h8", "Bob", "white"),
                ("Bob", "h9", "Ann", "white"),
                ("Bob", "i7", "Ann", "white"),
                ("Ann", "g9", "Bob", "white"),
            ]) {
                two.place(by, point).await;
                two.choose(chooser, choice).await;
                two.agree(&format!("count('#board [data-point]') === {number}")).await;
            }
            // Ten fifth moves are offered while the friend's phone sleeps.
            two.choose("Ann", "fifths-10").await;
            sleep(&two.guest, true).await;
            for point in "c3 d3 e3 l3 m3 c13 d13 l13 m13 j6".split(' ') {
                two.place("Ann", point).await;
            }
            two.host.shot("fifths").await;
            tokio::time::sleep(Duration::from_secs(3)).await;
            sleep(&two.guest, false).await;
            two.agree("count('#board .sign') === 10").await;
            two.guest.shot("phone-fifths").await;
            two.place("Bob", "c3").await;
            two.place("Bob", "i9").await;
            two.agree("count('#board [data-point]') === 6").await;
            two.place("Ann", "c5").await;
            two.agree("count('#board [data-point]') === 7").await;
            // One person loses the network for some seconds, in which the other plays.
            throttle(&two.host, true, 0, -1).await;
            two.place("Bob", "f9").await;
            tokio::time::sleep(Duration::from_secs(5)).await;
            throttle(&two.host, false, 0, -1).await;
            two.agree("count('#board [data-point]') === 8").await;
            two.place("Ann", "c7").await;
            two.agree("count('#board [data-point]') === 9").await;
            two.place("Bob", "e9").await;
            two.agree("text('status').startsWith('Bob (White) wins')").await;
            // Both clocks went on.
            let clocks =
                "[...document.querySelectorAll('.seat time')].map(time => time.textContent)";
            for page in [&two.host, &two.guest] {
                let clocks = page.value(clocks).await;
                println!("clocks {clocks}, {}", page.value("text('status')").await);
                let ran = |clock: &Value| clock.as_str().unwrap().starts_with("1:");
                assert!(clocks.as_array().unwrap().iter().all(ran), "{clocks}");
            }
            two.host.shot("networks").await;
            two.guest.shot("phone-networks").await;
            throttle(&two.guest, false, 0, -1).await;
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
