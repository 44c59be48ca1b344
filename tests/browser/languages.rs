//! The page in other languages than English.

use serde_json::json;

use crate::driver::{Page, Screen, browse, empty_folder};

/// Choose a language, as the dialog View does.
async fn choose(page: &Page, code: &str) {
    page.fill(&[("language", code)]).await;
    page.until(&format!("document.documentElement.lang === '{code}'")).await;
}

#[test]
fn a_language_is_chosen_kept_and_left_again() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8").await;
        assert_eq!(page.value("document.documentElement.lang").await, "en");
        choose(&page, "cs").await;
        let hint = "document.getElementById('hint').title";
        let czech = async |stones| {
            page.until(
                "text('status') === 'Na tahu: Bílý.' || text('status') === 'Na tahu: Černý.'",
            )
            .await;
            assert_eq!(page.stones().await, stones);
            assert_eq!(page.value("text('new')").await, "Nová hra");
            assert_eq!(page.value(hint).await, "Navrhnout tah (H)");
            assert_eq!(
                page.value("document.querySelector('#seat-black b').textContent").await,
                "Černý"
            );
        };
        czech(1).await;
        page.play("h9").await;
        czech(2).await;
        // What the server refuses, and what stands in the page's own words.
        page.click("h8").await;
        page.until("text('message') === 'Bod h8 je obsazený: Černý.'").await;
        page.press("resign").await;
        page.until("text('resign') === 'Opravdu?'").await;
        choose(&page, "en").await;
        page.until("text('resign') === 'Resign'").await;
        choose(&page, "cs").await;
        page.client.refresh().await.unwrap();
        page.ready().await;
        czech(2).await;
        // A language without plurals, and words that were put in before.
        choose(&page, "zh-CN").await;
        page.until_status("轮到黑方。").await;
        page.client.execute("document.getElementById('delete').click()", vec![]).await.unwrap();
        page.play("a1 a2 b1 b2 c1 c2 d1 d2 e1").await;
        page.until_status("黑方获胜：五连。").await;
        choose(&page, "en").await;
        page.until_status("Black wins with five in a row.").await;
        assert_eq!(page.value("text('new')").await, "New game");
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.until_status("Black wins with five in a row.").await;
        assert_eq!(page.value("document.documentElement.lang").await, "en");
    });
}

#[test]
fn a_first_visit_follows_the_browser() {
    for (wishes, code, status) in [
        ("cs-CZ,en", "cs", "Na tahu: Bílý."),
        ("xx,zh-SG,cs", "zh-CN", "轮到白方。"),
        ("zh-HK,en", "zh-TW", "輪到白方。"),
        ("xx", "en", "White's turn."),
    ] {
        let screen = Screen::Speaking(wishes);
        browse(screen, &["--white", "human"], |page| async move {
            page.play("h8").await;
            assert_eq!(page.value("document.documentElement.lang").await, code);
            page.until(&format!("text('status') === {}", json!(status))).await;
        });
    }
}

#[test]
fn nothing_english_is_left_in_chinese() {
    // Black misses five at move 9.
    const MISSED: &str = "15x15,renju,5,f15h8g15i9h15h7i15e15o1j15";
    let games = empty_folder("kept-languages");
    let arguments = ["--games", games.to_str().unwrap(), "--white", "human"];
    browse(Screen::Desktop, &arguments, |page| async move {
        page.client.goto("about:blank").await.unwrap();
        page.client.goto(&format!("{}#p={MISSED}", page.url)).await.unwrap();
        page.ready().await;
        page.until("count('#board [data-point]') === 10").await;
        choose(&page, "zh-CN").await;
        page.fill(&[("comment", "这里")]).await;
        page.press("explain").await;
        page.until("text('explain') === '重新讲解' && text('explaining') === ''").await;
        page.until("text('turning').includes('9. 黑方 o1 错过连续冲四的胜利')").await;
        page.until("count('#accuracy tr') === 3").await;
        for id in ["analyse", "show-threats", "practice", "new"] {
            let click = format!("document.getElementById('{id}').click()");
            page.client.execute(&click, vec![]).await.unwrap();
        }
        page.until("count('#best li') > 0 && count('#threats div') > 0").await;
        page.until("count('#practice-list li') > 0 && /最近的对局/.test(text('practice-state'))")
            .await;
        for id in ["setup", "practice-dialog"] {
            let close = format!("document.getElementById('{id}').close()");
            page.client.execute(&close, vec![]).await.unwrap();
        }
        page.press("games").await;
        page.until("count('#kept-list li') > 0").await;
        // Names of programs, formats, keys and rules stay as they are.
        let english = "(() => {
            const all = css => [...document.querySelectorAll(css)];
            const said = all('header, #status, #controls, #moves, #analysis, dialog')
                .map(part => part.textContent);
            const told = all('[title], [aria-label], [placeholder]')
                .flatMap(node => [node.title, node.ariaLabel, node.placeholder]);
            const names = ['Kakugo', 'Elo', 'SGF', 'RenLib', 'Piskvork', 'psq', 'rec', 'lib', 'pos', 'SVG',
                'PNG', 'GIF', 'VCF', 'VCT', 'Home', 'End', 'Tab', 'Pro', 'Long', 'pro', 'Caro', 'Swap',
                'English', 'Čeština', 'lichess', 'Yixin', 'Board', 'sav', 'RenjuNet', 'rif', 'RIF', 'host'];
            return [...said, ...told].join(' ').match(/[A-Za-zÀ-ž]{3,}/g)
                .filter(word => !names.includes(word));
        })()";
        assert_eq!(page.value(english).await, json!([]));
    });
}

#[test]
fn every_language_has_room_on_a_small_phone() {
    let games = empty_folder("kept-room");
    let arguments = ["--games", games.to_str().unwrap(), "--white", "human"];
    browse(Screen::SmallPhone, &arguments, |page| async move {
        page.start(&[("coach-size", "large")]).await;
        // A finger aims first.
        page.touch("h8", "h8").await;
        page.touch("h8", "h8").await;
        page.until("count('#board [data-point]') === 1").await;
        assert_eq!(page.value("document.getElementById('coach').hidden").await, false);
        for id in ["analyse", "show-threats"] {
            let script = format!("document.getElementById('{id}').click()");
            page.client.execute(&script, vec![]).await.unwrap();
        }
        page.until("count('#best li') > 0 && count('#threats div') > 0").await;
        let codes = "[...document.getElementById('language').options].map(o => o.value)";
        let codes = page.value(codes).await;
        let codes: Vec<&str> =
            codes.as_array().unwrap().iter().filter_map(|c| c.as_str()).collect();
        assert!(codes.len() >= 3, "{codes:?}");
        // The parts that are loaded on first use.
        page.tap("practice").await;
        page.until("count('#practice-sets button') === 12").await;
        page.value("document.getElementById('practice-dialog').close()").await;
        for code in codes {
            choose(&page, code).await;
            page.shot(&format!("language-{code}")).await;
            for dialog in ["setup", "records", "kept", "practice-dialog", "view"] {
                let show = format!("document.getElementById('{dialog}').showModal()");
                page.client.execute(&show, vec![]).await.unwrap();
                page.shot(&format!("language-{code}-{dialog}")).await;
                assert!(page.fits(dialog).await, "{dialog} in {code}");
                let close = format!("document.getElementById('{dialog}').close()");
                page.client.execute(&close, vec![]).await.unwrap();
            }
            let width = page.value("document.documentElement.scrollWidth").await;
            assert!(width.as_u64().unwrap() <= 360, "{width} px wide in {code}");
            // No button's words stick out of it.
            let cut = "[...document.querySelectorAll('main button, nav button')]
                .filter(button => button.scrollWidth > button.clientWidth + 1).map(b => b.textContent)";
            assert_eq!(page.value(cut).await, json!([]), "{code}");
            page.tap("edit").await;
            page.until("document.body.hasAttribute('data-editing')").await;
            assert!(page.fits("editor").await, "editor in {code}");
            assert_eq!(page.value(cut).await, json!([]), "editor in {code}");
            page.shot(&format!("language-{code}-editor")).await;
            page.tap("editor-close").await;
            page.until("!document.body.hasAttribute('data-editing')").await;
            let rows =
                "new Set([...document.querySelectorAll('nav button')].map(b => b.offsetTop)).size";
            assert_eq!(page.value(rows).await, 1, "{code}");
        }
    });
}

#[test]
fn what_is_wrong_with_a_file_is_told_in_the_language_of_the_page() {
    browse(Screen::Speaking("ja"), &["--white", "human"], |page| async move {
        page.open_file("set-up.sgf", b"(;GM[4]SZ[15]AB[a];B[hh])").await;
        page.until(
            "text('records-error') === \
             '対局ではありません：置き石（AB）：点「a」は正しくありません（例：hh のような 2 文字）。'",
        )
        .await;
        page.open_file(
            "short.lib",
            b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78",
        )
        .await;
        page.until("text('records-error').includes('途中で終わっています')").await;
    });
}

#[test]
fn without_its_file_a_language_is_not_chosen() {
    browse(Screen::Desktop, &["--white", "human"], |mut page| async move {
        page.kill().await;
        page.fill(&[("language", "cs")]).await;
        page.until("text('message') === 'Kakugo is not running any more.'").await;
        let chosen = "document.getElementById('language').value";
        assert_eq!(page.value(chosen).await, "en");
    });
}
