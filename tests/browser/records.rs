//! Records on the page: saving, opening, bad files, links and pictures.

use fantoccini::Locator;

use crate::driver::{Page, Screen, browse};

/// Press a save button and take what would have been downloaded.
async fn saved(page: &Page, css: &str) -> String {
    let script = "
        window.blob = null;
        URL.createObjectURL = blob => { window.blob = blob; return 'data:,'; };
        HTMLAnchorElement.prototype.click = () => {};
        document.querySelector(arguments[0]).click();";
    page.client.execute(script, vec![css.into()]).await.unwrap();
    page.until("window.blob").await;
    let script = "const done = arguments[0]; window.blob.text().then(done);";
    let text = page.client.execute_async(script, vec![]).await.unwrap();
    text.as_str().unwrap().to_owned()
}

#[test]
fn games_are_saved_and_opened_again() {
    browse(Screen::Desktop, &["--white", "human", "--names", "Ann", "Zoë"], |page| async move {
        page.play("h8 h9 i8 a15").await;
        page.press("files").await;
        let sgf = saved(&page, "[data-save=sgf]").await;
        assert!(sgf.contains("GM[4]") && sgf.contains("PW[Zoë]") && sgf.contains("B[hh]"), "{sgf}");
        let psq = saved(&page, "[data-save=psq]").await;
        assert!(psq.starts_with("Piskvorky 15x15") && psq.contains("\n1,1,"), "{psq}");
        let svg = saved(&page, "#picture-svg").await;
        assert!(svg.starts_with("<svg") && svg.matches("<circle").count() > 8, "{svg}");
        page.fill(&[("numbers", "1")]).await;
        assert!(saved(&page, "#picture-gif").await.starts_with("GIF89a"));
        let script = "const done = arguments[0];
            window.blob.arrayBuffer().then(async data => {
                const decoder = new ImageDecoder({ data, type: 'image/gif' });
                await decoder.tracks.ready;
                await decoder.completed;
                const { frameCount } = decoder.tracks.selectedTrack;
                const { image } = await decoder.decode({ frameIndex: frameCount - 1 });
                const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
                const context = canvas.getContext('2d');
                context.drawImage(image, 0, 0);
                const size = Math.max(canvas.width, canvas.height);
                const cell = 40 * size / document.getElementById('board').viewBox.baseVal.height;
                // The colour beside the centre of h9, seven columns and six rows from a15.
                const place = (margin, steps) => Math.round(margin * cell / 40 + steps * cell);
                const [r, g, b] = context.getImageData(place(44 + 11, 7), place(28, 6), 1, 1).data;
                // Black's first stone, h8, and the last one, a15.
                const shows = (column, row, isDigit) => {
                    const [x, y] = [place(44, column), place(28, row)];
                    const { data } = context.getImageData(x - 5, y - 5, 10, 10);
                    return data.some((value, i) => i % 4 === 0 && isDigit(value));
                };
                const [first, last] = [shows(7, 7, v => v > 200), shows(0, 0, v => v < 80)];
                done([frameCount, Math.min(r, g, b) > 200, first, last]);
            }).catch(error => done(String(error)));";
        let gif = page.client.execute_async(script, vec![]).await.unwrap();
        // Five frames, White's stone in the last, and a number on the last stone only.
        assert_eq!(gif, serde_json::json!([5, true, false, true]));
        page.fill(&[("numbers", "")]).await;
        page.client.refresh().await.unwrap();
        page.ready().await;
        page.start(&[("width", "9"), ("height", "9")]).await;
        page.open_file("game.sgf", sgf.as_bytes()).await;
        page.until("count('#board [data-point]') === 4").await;
        assert_eq!(page.value("document.querySelector('#seat-white b').textContent").await, "Zoë");
        assert_eq!(page.value("count('#board .label')").await, 30);
    });
}

#[test]
fn a_new_game_after_an_opened_one_names_its_own_players() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let sgf = b"(;GM[4]SZ[15]PB[Human]PW[Kakugo Novice];B[hh];W[hi])";
        page.open_file("novice.sgf", sgf).await;
        page.until("count('#board [data-point]') === 2").await;
        page.press("new").await;
        assert_eq!(page.value("document.getElementById('name-1').value").await, "");
        page.fill(&[("player-1", "kakugo:10")]).await;
        page.press("setup-start").await;
        page.until("count('#board [data-point]') === 0").await;
        let name = page.value("document.querySelector('#seat-white b').textContent").await;
        assert!(!name.as_str().unwrap().contains("Novice"), "{name}");
    });
}

/// Drop or paste a file or text on the board.
async fn bring(page: &Page, event: &str, name: &str, text: &str) {
    let script = "
        const [kind, name, text] = arguments;
        const data = new DataTransfer();
        if (name) data.items.add(new File([text], name));
        else data.setData('text/plain', text);
        const init = { bubbles: true, cancelable: true };
        const event = kind === 'paste' ? new ClipboardEvent(kind, { ...init, clipboardData: data })
            : new DragEvent(kind, { ...init, dataTransfer: data });
        return !document.getElementById('board').dispatchEvent(event);";
    let arguments = [event, name, text].map(Into::into).to_vec();
    let taken = page.client.execute(script, arguments).await.unwrap();
    assert_eq!(taken, true, "{event} {name}");
}

#[test]
fn files_and_text_are_dropped_and_pasted_on_the_board() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let stones =
            async |n: u32| page.until(&format!("text('counter').startsWith('{n} ')")).await;
        let sgf = "(;GM[4]SZ[15];B[hh];W[hi];B[ih])";
        bring(&page, "dragover", "game.sgf", sgf).await;
        page.until("'drop' in document.body.dataset").await;
        page.shot("drop").await;
        // What the file does not state is told, and that it was told before changes nothing.
        let tells_rule = async |files: u32| {
            let read =
                "performance.getEntriesByType('resource').filter(e => e.name.endsWith('/file'))";
            // On the static site a worker reads files, without requests.
            if std::env::var_os("KAKUGO_SITE_SERVER").is_none() {
                page.until(&format!("{read}.length === {files}")).await;
            }
            page.until("text('message').includes('freestyle is assumed')").await;
        };
        bring(&page, "drop", "game.sgf", sgf).await;
        stones(3).await;
        tells_rule(1).await;
        assert_eq!(page.value("'drop' in document.body.dataset").await, false);
        bring(&page, "drop", "", "h8h9").await;
        stones(2).await;
        tells_rule(2).await;
        bring(&page, "paste", "", "h8 h9 i8 i9").await;
        stones(4).await;
        bring(&page, "paste", "", sgf).await;
        stones(3).await;
        bring(&page, "paste", "moves.txt", "a1b2c3d4e5").await;
        stones(5).await;
        // Of several games one is chosen; what is wrong is told beside the board. Where games are
        // saved, the list begins with the offer to keep all.
        bring(&page, "drop", "two.sgf", &format!("{sgf}{sgf}")).await;
        page.until("document.getElementById('records').open && count('#file-games li') >= 2").await;
        page.value("document.querySelector('#file-games li:last-child button').click()").await;
        stones(3).await;
        bring(&page, "paste", "", "nothing of this is a move").await;
        page.until("text('message') !== '' && text('message') !== 'Reading …'").await;
        assert_eq!(page.stones().await, 3);
        // Several files are refused.
        let two = "const data = new DataTransfer();
            for (const name of ['a.sgf', 'b.sgf']) data.items.add(new File(['(;GM[4])'], name));
            document.getElementById('board').dispatchEvent(
                new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))";
        page.client.execute(two, vec![]).await.unwrap();
        page.until("text('message') === 'Open one file at a time.'").await;
        // Fields take what is pasted into them.
        let into_field =
            "document.getElementById('comment').dispatchEvent(new ClipboardEvent('paste',
            { bubbles: true, cancelable: true, clipboardData: new DataTransfer() }))";
        assert_eq!(page.value(into_field).await, true);
    });
}

#[test]
fn bad_files_are_refused_and_change_nothing() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9").await;
        let long = "h8".repeat(100);
        for (name, content, why) in [
            ("bad.sgf", &b"(;GM[4]AB[a])"[..], "set-up stones"),
            ("bad.psq", b"hello", "psq"),
            ("bad.lib", b"\xFFRenLib\xFF\x03\x00", "RenLib"),
            ("bad.pos", long.as_bytes(), "occupied"),
            ("bad.exe", b"MZ", "must end in"),
        ] {
            page.open_file(name, content).await;
            page.until(&format!("text('records-error').includes('{why}')")).await;
            assert_eq!(page.stones().await, 2);
        }
    });
}

#[test]
fn a_large_library_is_opened() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        // h8, and below it 100,000 times i9: mostly bytes that text would have to escape.
        let mut library = b"\xFFRenLib\xFF\x03\x04".to_vec();
        library.extend([0xFF; 10]);
        library.extend([0x00, 0x00, 0x78, 0x00]);
        library.extend([0x69, 0xC0].repeat(99_999));
        library.extend([0x69, 0x40]);
        page.open_file("large.lib", &library).await;
        page.until("text('counter') === '2 i9'").await;
        // More moves than can be shown.
        library.truncate(library.len() - 2);
        library.extend((0..300_001_u32).flat_map(|n| [0x11 + (n % 5) as u8, 0xC0]));
        library.extend([0x69, 0x40]);
        page.open_file("larger.lib", &library).await;
        page.until("text('records-error').includes('up to 300000 can be shown')").await;
        assert_eq!(page.stones().await, 2);
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("largest.lib");
        std::fs::File::create(&path).unwrap().set_len(65 << 20).unwrap();
        let field = page.client.find(Locator::Id("open-file")).await.unwrap();
        field.send_keys(path.to_str().unwrap()).await.unwrap();
        page.until("text('records-error') === 'This file is too large: 64 MB is the limit.'").await;
        assert_eq!(page.stones().await, 2);
    });
}

#[test]
fn a_large_collection_is_listed_part_by_part() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        // 3 MB; one game in the middle cannot be read.
        let rest = "C[x]".repeat(2000);
        let game = |n| format!("(;GM[4]PB[Player {n}]{rest};B[hh];W[hi])\n");
        let mut games: String = (0..350).map(game).collect();
        games += "(;GM[4]AB[a])";
        games += &game(350);
        page.open_file("club.sgf", games.as_bytes()).await;
        page.until("text('file-says') === 'The file holds 351 games: choose one.'").await;
        page.until("count('#file-games li') === 201").await;
        let last = "[...document.querySelectorAll('#file-games button')].at(-1).click()";
        page.client.execute(last, vec![]).await.unwrap();
        page.until("count('#file-games li') === 351").await;
        page.client.execute(last, vec![]).await.unwrap();
        page.until("document.querySelector('#seat-black b').textContent === 'Player 350'").await;
        page.until("text('counter') === '2 h7' && !document.getElementById('records').open").await;
    });
}

#[test]
fn of_a_file_with_several_games_one_is_chosen() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let games = b"(;GM[4]PB[Ann]PW[Bob]EV[Cup]DT[2026-01-02]RE[B+];B[hh];W[hi])
            (;GM[4]RU[renju]PB[Eve];B[aa](;W[bb];B[cc])(;W[dd]))";
        page.open_file("two.sgf", games).await;
        page.until("count('#file-games li') === 2").await;
        assert_eq!(page.stones().await, 0);
        let names = page.value("document.querySelectorAll('#file-games li')[0].textContent").await;
        assert_eq!(names, "Ann – Bob, Cup, 2026-01-02, freestyle, 2 moves, Black won");
        page.shot("choose-game").await;
        let second = "document.querySelectorAll('#file-games button')[1].click()";
        page.client.execute(second, vec![]).await.unwrap();
        page.until("text('counter') === '3 c13' && count('.variation') === 1").await;
        assert_eq!(page.value("document.getElementById('records').open").await, false);
    });
}

#[test]
fn variations_comments_and_signs_are_shown_and_saved_again() {
    browse(Screen::Desktop, &[], |page| async move {
        let text = "(;FF[4]GM[4]CA[UTF-8]AP[other]SZ[15]RU[freestyle]PB[Ann]PW[Bob]RE[W+Time]\n\
            ;B[hh]C[the centre](\n;W[hi]LB[aa:x]TR[hh];B[gg])(\n;W[gi]N[kept];B[gg]))\n";
        page.open_file("variations.sgf", text.as_bytes()).await;
        page.until("text('counter') === '3 g9' && count('.variation') === 1").await;
        assert_eq!(page.value("count('.sign')").await, 0);
        page.press("undo").await;
        page.until("count('text.sign') === 1 && count('path.sign') === 1").await;
        page.press("undo").await;
        page.until("document.getElementById('comment').value === 'the centre'").await;
        page.shot("variations").await;
        page.press("files").await;
        let saved_sgf = saved(&page, "[data-save=sgf]").await;
        for kept in ["AP[other]", "RE[W+Time]", "C[the centre]", "LB[aa:x]", "TR[hh]", "N[kept]"] {
            assert!(saved_sgf.contains(kept), "{kept} is not in {saved_sgf}");
        }
        assert_eq!(saved_sgf.matches(";B[gg]").count(), 2, "{saved_sgf}");
        let library = saved(&page, "[data-save=lib]").await;
        assert!(library.contains("RenLib") && library.contains("the centre"), "{library:?}");
    });
}

#[test]
fn a_game_resigned_tells_so_when_it_is_opened_again() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9 i8").await;
        page.press("resign").await;
        page.press("resign").await;
        let end = "Black wins: White resigned.";
        page.until(&format!("text('status') === '{end}'")).await;
        page.press("files").await;
        let sgf = saved(&page, "[data-save=sgf]").await;
        assert!(sgf.contains("RE[B+R]"), "{sgf}");
        page.open_file("resigned.sgf", sgf.as_bytes()).await;
        page.until("!document.getElementById('records').open").await;
        page.until(&format!("text('status') === '{end}' && text('counter') === '3 i8'")).await;
        page.until("document.getElementById('resign').disabled").await;
        page.until("!document.querySelector('.seat.turn')").await;
        page.until(&format!("document.title === '{end} – Kakugo'")).await;
        page.press("undo").await;
        page.until("text('status') === 'Black\\'s turn.'").await;
        page.press("redo").await;
        page.until(&format!("text('status') === '{end}'")).await;
        // What would have happened?
        page.play("j8").await;
        page.until(
            "text('status') === 'Black\\'s turn.' && !document.getElementById('resign').disabled",
        )
        .await;
    });
}

#[test]
fn pos_text_knows_both_ways_up_and_links_carry_a_position() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.press("files").await;
        page.fill(&[("rows", "top"), ("pos-text", "a1b2")]).await;
        page.press("open-text").await;
        page.until("document.querySelector('[data-point=a15]')").await;
        // A browser without the key of the room: its game would be back.
        page.client.execute("localStorage.clear(); sessionStorage.clear()", vec![]).await.unwrap();
        page.client.goto("about:blank").await.unwrap();
        let link = format!("{}#p=12x9,renju,5,f5g6", page.url);
        page.client.goto(&link).await.unwrap();
        page.until("document.querySelector('[data-point=g6]')").await;
        assert_eq!(page.value("text('message')").await, "");
        assert!(page.value("text('variant').startsWith('renju')").await == true);
        // The link that the page itself makes leads to the same, pasted into this very tab, too.
        let own = "import(document.querySelector('script').src).then(({ modules }) => arguments[0](modules.link.positionLink(
            { width: 9, height: 10, rule: 'caro-overline', win: 5, moves: [[1, 2], [3, 4]], at: 2,
              start: { black: [], white: [], blocked: [], removed: [], turn: 'black' },
              sides: ['black', 'white'], steps: [1, 2], step: 2, edits: [] })));";
        let own = page.client.execute_async(own, vec![]).await.unwrap();
        page.client.execute("location.hash = arguments[0]", vec![own]).await.unwrap();
        page.until("document.querySelector('[data-point=b8]') && text('variant').includes('9×10')")
            .await;
        assert!(page.value("text('variant').startsWith('caro with overlines')").await == true);
        for link in ["nonsense", "300x15,renju,5,h8"] {
            page.value("document.getElementById('message').textContent = ''").await;
            let script = format!("location.hash = '#p={link}'");
            page.client.execute(&script, vec![]).await.unwrap();
            page.until("text('message') === 'This link holds no position.'").await;
        }
        assert_eq!(page.stones().await, 2);
    });
}

#[test]
fn positions_are_opened_shown_and_linked() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        let sgf =
            b"(;GM[4]FF[4]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa][oo]PL[W]KBL[oa];W[ih];B[];W[ii])";
        page.open_file("position.sgf", sgf).await;
        page.until("text('status') === 'Black\\'s turn.' && text('counter') === '3 i7'").await;
        assert_eq!(page.stones().await, 7);
        let colours = "['f8', 'a15', 'i8', 'i7'].map(p =>
            document.querySelector(`[data-point=${p}]`).classList.contains('white')).join()";
        assert_eq!(page.value(colours).await, "false,true,true,true");
        assert_eq!(page.value("count('#board .blocked')").await, 1);
        assert_eq!(page.value("text('tree')").await, "1.i8 2.pass 3.i7 ");
        assert_eq!(page.value("count('#tree i.white')").await, 2);
        page.press("undo").await;
        page.until("text('counter') === '2/3 pass'").await;
        page.play("e8").await;
        page.until("document.querySelector('[data-point=e8].white')").await;
        // The link leads to the same position.
        page.press("files").await;
        let script = "navigator.clipboard.writeText = async text => { window.copied = text; };
            document.getElementById('share').click();";
        page.client.execute(script, vec![]).await.unwrap();
        page.until("window.copied").await;
        let link = page.value("window.copied").await.as_str().unwrap().to_owned();
        assert!(link.ends_with("#p=15x15,renju,5,i8--e8,b=f8g8h8,w=a15o1,x=o15,t=white"), "{link}");
        page.client.goto("about:blank").await.unwrap();
        page.client.goto(&link).await.unwrap();
        page.until("document.querySelector('[data-point=e8].white') && text('counter') === '3 e8'")
            .await;
        assert_eq!(page.stones().await, 7);
        // Formats that begin on the empty board cannot hold it.
        page.press("files").await;
        page.client
            .execute("document.querySelector('[data-save=psq]').click()", vec![])
            .await
            .unwrap();
        page.until("text('records-error').includes('Not saved')").await;
    });
}

#[test]
fn files_without_a_rule_say_which_one_is_assumed() {
    browse(Screen::Desktop, &["--white", "human", "--rule", "renju"], |page| async move {
        page.play("h8").await;
        page.press("files").await;
        let drawn = "White to move\n. . . . .\n. X O . .\n. . X . .\n. . . . .\n. . . . .\n";
        page.fill(&[("pos-text", drawn)]).await;
        page.press("open-text").await;
        page.until("text('variant').startsWith('freestyle') && text('variant').includes('5×5')")
            .await;
        page.until("text('message').startsWith('The file does not state the rule: freestyle is')")
            .await;
        page.until("text('status') === 'White\\'s turn.'").await;
        page.press("files").await;
        page.fill(&[("file-rule", "standard"), ("pos-text", "(;GM[4]SZ[15];B[hh])")]).await;
        page.press("open-text").await;
        page.until("text('variant').startsWith('standard') && text('message') === ''").await;
        // A file of a Go editor: the rule is asked for.
        page.open_file("go.sgf", b"(;FF[4]GM[1]SZ[19]RU[Japanese];B[jj];W[kk])").await;
        page.until("text('file-says').includes('By which rule is it to be read?')").await;
        page.client
            .execute("document.querySelectorAll('#file-games button')[2].click()", vec![])
            .await
            .unwrap();
        page.until("text('variant').startsWith('renju') && text('variant').includes('19×19')")
            .await;
        page.until("document.querySelector('[data-point=k9].white')").await;
    });
}

#[test]
fn the_picture_of_the_board_is_a_real_png() {
    browse(Screen::Desktop, &["--white", "human"], |page| async move {
        page.play("h8 h9").await;
        page.press("files").await;
        page.until("document.getElementById('records').open").await;
        let script = "
            const done = arguments[0];
            import(document.querySelector('script').src).then(async ({ modules }) => {
                const blob = await modules.picture.pixels(document.getElementById('board'));
                const bitmap = await createImageBitmap(blob);
                const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
                const context = canvas.getContext('2d');
                context.drawImage(bitmap, 0, 0);
                const at = (x, y) => [...context.getImageData(x, y, 1, 1).data];
                done([blob.type, bitmap.width, at(2 * (44 + 7 * 40) + 14, 2 * (28 + 7 * 40) + 14), at(100, 40)]);
            });";
        let picture = page.client.execute_async(script, vec![]).await.unwrap();
        assert_eq!(picture[0], "image/png");
        assert_eq!(picture[1], 2 * (44 + 14 * 40 + 28));
        let dark = picture[2].as_array().unwrap();
        assert!(dark[0].as_u64().unwrap() < 90, "a black stone at h8, not {dark:?}");
        let wood = picture[3].as_array().unwrap();
        assert!(wood[0].as_u64().unwrap() > 150, "wood, not {wood:?}");
    });
}
