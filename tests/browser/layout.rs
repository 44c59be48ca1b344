//! Nothing jumps: the layout shift of a resumed game, of a game, of analysis and of a review; and
//! the room that the board has on phones.

use std::time::Duration;

use fantoccini::Locator;
use serde_json::Value;

use crate::driver::{Page, Screen, browse, empty_folder};

/// The largest layout shift, as browsers measure it, without half a second after each input.
const MAX_SHIFT: f64 = 0.02;

const ALL: [(Screen, &str); 3] = [
    (Screen::Desktop, "desktop"),
    (Screen::SmallPhone, "phone"),
    (Screen::PhoneOnItsSide, "on-its-side"),
];

/// Check that nothing has jumped since the page was loaded.
pub async fn is_calm(page: &Page, screen: &str, what: &str) {
    let script = "
        const done = arguments[0];
        const entries = [];
        new PerformanceObserver(list => entries.push(...list.getEntries()))
            .observe({ type: 'layout-shift', buffered: true });
        const nameOf = ({ node }) => node?.id || node?.className
            || `${node?.parentElement?.id} ${node?.nodeName}`;
        setTimeout(() => {
            const own = entries.filter(entry => !entry.hadRecentInput);
            const words = own.map(entry =>
                `${entry.value.toFixed(4)} ${[...entry.sources].map(nameOf).join()}`);
            done([own.reduce((sum, entry) => sum + entry.value, 0), words.join('; ')]);
        }, 200);";
    let told = page.client.execute_async(script, vec![]).await.unwrap();
    let Value::Array(parts) = &told else { panic!("{told}") };
    let shift = parts[0].as_f64().unwrap();
    eprintln!("layout shift {screen}, {what}: {shift:.4}");
    assert!(shift <= MAX_SHIFT, "{screen}, {what}: {shift:.4}: {}", parts[1]);
}

/// Place a stone by mouse or finger, and wait for the answer.
async fn place(page: &Page, point: &str, by_touch: bool) {
    let stones = page.stones().await;
    if by_touch {
        page.touch(point, point).await;
        page.touch(point, point).await;
    } else {
        page.click(point).await;
    }
    page.until(&format!("count('#board [data-point]') >= {} || text('message')", stones + 2)).await;
}

async fn press(page: &Page, id: &str, by_touch: bool) {
    if by_touch { page.tap(id).await } else { page.press(id).await }
}

#[test]
fn nothing_jumps_on_a_desktop() {
    nothing_jumps(ALL[0]);
}

#[test]
fn nothing_jumps_on_a_phone() {
    nothing_jumps(ALL[1]);
}

#[test]
fn nothing_jumps_on_a_phone_on_its_side() {
    nothing_jumps(ALL[2]);
}

fn nothing_jumps((screen, name): (Screen, &str)) {
    let by_touch = !matches!(screen, Screen::Desktop);
    let games = empty_folder(&format!("layout-{name}"));
    let arguments = ["--games", games.to_str().unwrap(), "--think", "0.3", "--white", "5"];
    browse(screen, &arguments, |page| async move {
        tokio::time::sleep(Duration::from_millis(500)).await;
        is_calm(&page, name, "first game").await;
        for point in ["h8", "a1", "o15"] {
            place(&page, point, by_touch).await;
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        is_calm(&page, name, "game").await;
        page.client.execute("scrollTo(0, 0)", vec![]).await.unwrap();
        page.shot(&format!("layout-game-{name}")).await;
        page.client.goto("about:blank").await.unwrap();
        page.open().await;
        page.until("count('#board [data-point]') === 6").await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        is_calm(&page, name, "resumed game").await;
        page.client.find(Locator::Css("label.switch")).await.unwrap().click().await.unwrap();
        page.until("count('#best li') > 0").await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        is_calm(&page, name, "analysis").await;
        let below = "document.getElementById('analysis').scrollIntoView({ block: 'end' })";
        page.client.execute(below, vec![]).await.unwrap();
        page.shot(&format!("layout-analysis-{name}")).await;
        press(&page, "undo", by_touch).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        press(&page, "redo", by_touch).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        is_calm(&page, name, "stepping with analysis").await;
        page.client.find(Locator::Css("label.switch")).await.unwrap().click().await.unwrap();
        // The state without analysis takes the question back.
        page.until("count('#best li') === 0").await;
        press(&page, "resign", by_touch).await;
        press(&page, "resign", by_touch).await;
        page.until_status("resigned").await;
        tokio::time::sleep(Duration::from_millis(700)).await;
        is_calm(&page, name, "end of the game").await;
        press(&page, "review-it", by_touch).await;
        page.until("text('explaining') === '' && count('#accuracy tr') === 3").await;
        is_calm(&page, name, "review").await;
        page.shot(&format!("layout-review-{name}")).await;
        page.fill(&[("theme", "dark")]).await;
        page.shot(&format!("layout-review-{name}-dark")).await;
        page.client.execute("scrollTo(0, 0)", vec![]).await.unwrap();
        page.shot(&format!("layout-end-{name}-dark")).await;
    });
}

#[test]
fn a_game_lost_at_once_moves_no_buttons() {
    // The computer ends the game while nobody touches anything.
    for (screen, name) in [ALL[0], ALL[1]] {
        let by_touch = !matches!(screen, Screen::Desktop);
        let arguments = ["--win", "3", "--white", "10", "--think", "0.1"];
        browse(screen, &arguments, |page| async move {
            for point in ["a1", "o15", "a15", "o1"] {
                place(&page, point, by_touch).await;
                tokio::time::sleep(Duration::from_millis(700)).await;
                if page.value("text('status').includes('wins')").await == true {
                    break;
                }
            }
            page.until_status("Kakugo (White) wins").await;
            is_calm(&page, name, "lost game").await;
            page.client.execute("scrollTo(0, 0)", vec![]).await.unwrap();
            page.shot(&format!("layout-lost-{name}")).await;
            // All rows of a narrow board are on the screen.
            page.start(&[("width", "3"), ("height", "32")]).await;
            page.until("text('variant').includes('3×32')").await;
            let height = "document.getElementById('board').getBoundingClientRect().height";
            assert_eq!(page.value(&format!("{height} <= innerHeight + 20")).await, true);
        });
    }
}

#[test]
fn on_its_side_a_phone_gives_its_height_to_the_board() {
    for screen in [Screen::PhoneOnItsSide, Screen::SmallPhoneOnItsSide] {
        browse(screen, &["--white", "human"], |page| async move {
            let share =
                "document.getElementById('board').getBoundingClientRect().height / innerHeight";
            let share = page.value(share).await.as_f64().unwrap();
            assert!(share > 0.93, "{share}");
            // The controls are beside it.
            let right = "document.getElementById('board').getBoundingClientRect().right
                <= document.getElementById('steps').getBoundingClientRect().left";
            assert_eq!(page.value(right).await, true);
            // The coach's card does not make the page wider, whatever its words are.
            page.start(&[("coach-size", "large")]).await;
            for code in ["cs", "ja", "ru"] {
                page.fill(&[("language", code)]).await;
                page.until(&format!("document.documentElement.lang === '{code}'")).await;
                page.until("!document.getElementById('coach').hidden").await;
                let fits = "document.documentElement.scrollWidth <= innerWidth";
                assert_eq!(page.value(fits).await, true, "{code}");
            }
        });
    }
}

#[test]
fn the_first_tap_says_what_to_do() {
    browse(Screen::SmallPhone, &["--white", "human"], |page| async move {
        page.touch("h8", "h8").await;
        page.until("text('message') === 'h8: tap again to play.' && count('.aimed') === 1").await;
        page.shot("tap-again").await;
        page.touch("i9", "i9").await;
        page.until("text('message') === 'i9: tap again to play.'").await;
        assert_eq!(page.stones().await, 0);
        page.touch("i9", "i9").await;
        page.until("count('#board [data-point]') === 1 && text('message') === ''").await;
        // Where no stone can be placed, the first tap says why.
        page.touch("i9", "i9").await;
        page.until("text('message') === 'i9 is occupied by Black.'").await;
    });
}
