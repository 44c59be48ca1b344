//! Tournaments, configuration files and output formats.

use crate::folder::{MatchFolder, essence, line, text, toy};
use crate::tests;

tests![
    a_configuration_file_is_equivalent_to_the_command_line,
    every_engine_plays_every_other_in_a_round_robin,
    the_first_engine_plays_all_others_in_a_gauntlet,
    repeated_games_are_reported,
    pairs_won_twice_by_one_colour_are_counted,
    exports_can_be_read_back,
    #[cfg(target_os = "linux")]
    an_unwritable_file_does_not_affect_the_other_files,
    json_contains_the_results,
    json_names_engines_that_never_moved_and_counts_colours,
    json_reports_drawn_games_added_for_ratings,
    usage_errors_and_failures_have_different_exit_codes,
    the_page_is_self_contained_and_escapes_names,
    the_page_attributes_swap2_stones_to_the_engine_that_placed_them,
    the_output_of_engines_is_recorded,
    the_log_contains_all_protocol_lines,
];

fn a_configuration_file_is_equivalent_to_the_command_line() {
    let folder = MatchFolder::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let words = ["--games", "4", "--seed", "3", "--rule", "standard", "--openings", "balanced:2"];
    let games = folder.games(&line(&[&toys[0], &toys[1]], &words));
    let program = std::env::current_exe().unwrap();
    let file = format!(
        "[match]\ngames = 4\nseed = 3\nrule = 'standard'\nopenings = 'balanced:2'\n\
         [each]\nturn = '60s'\ncmd = \"'{}'\"\nenv = {{ KAKUGO_TOY = 'plain' }}\n\
         [[engine]]\nname = 'A'\n[[engine]]\nname = 'B'\n",
        program.display()
    );
    let other = MatchFolder::new();
    std::fs::write(other.path("match.toml"), file).unwrap();
    let same = other.games(&["--config", &other.path("match.toml")]);
    let essences = |games: &[serde_json::Value]| games.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(essences(&games), essences(&same));
}

fn match_of(count: usize, more: &[&str]) -> (MatchFolder, Vec<serde_json::Value>, String) {
    let folder = MatchFolder::new();
    let toys: Vec<Vec<String>> = (0..count)
        .map(|i| {
            let seed = format!("env.KAKUGO_TOY_SEED={i}");
            toy(&format!("T{i}"), "plain", &["turn=60s", "startup=60s", &seed])
        })
        .collect();
    let parts: Vec<&[String]> = toys.iter().map(Vec::as_slice).collect();
    let output = folder.play(&line(&parts, more));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = folder.recorded("games.jsonl");
    (folder, games, text(&output.stdout))
}

fn pairings(games: &[serde_json::Value]) -> std::collections::BTreeMap<String, u32> {
    let mut pairings = std::collections::BTreeMap::new();
    for game in games {
        *pairings.entry(format!("{} {}", game["black"], game["white"])).or_default() += 1;
    }
    pairings
}

fn every_engine_plays_every_other_in_a_round_robin() {
    let (_field, games, table) = match_of(4, &["--games", "4", "--seed", "1"]);
    let pairings = pairings(&games);
    assert_eq!(pairings.len(), 12, "each ordered pair");
    assert!(pairings.values().all(|&count| count == 2));
    for name in ["T0", "T1", "T2", "T3", "± 95%"] {
        assert!(table.contains(name), "{table}");
    }
}

fn repeated_games_are_reported() {
    let table =
        |games| match_of(2, &["--games", games, "--seed", "1", "--openings", "balanced:2"]).2;
    let output = table("12");
    assert!(output.contains("8 games repeat earlier games"), "{output}");
    assert!(!table("4").contains("repeat"));
}

fn pairs_won_twice_by_one_colour_are_counted() {
    let words = ["--games", "20", "--seed", "1", "--openings", "balanced:10"];
    let (_field, games, table) = match_of(2, &words);
    let both = |colour: &str| {
        let won = |game: &serde_json::Value| game["winner"] == colour;
        games.chunks_exact(2).filter(|pair| pair.iter().all(won)).count()
    };
    let (black, white) = (both("black"), both("white"));
    assert!(black + white > 0, "toys of one strength");
    let expected = format!("Black won both games of {black} pairs, White of {white}; ");
    assert!(table.contains(&expected), "{expected}{table}");
}

fn the_first_engine_plays_all_others_in_a_gauntlet() {
    let (_field, games, _) = match_of(4, &["--games", "2", "--seed", "1", "--format", "gauntlet"]);
    assert_eq!(games.len(), 6);
    assert!(pairings(&games).keys().all(|key| key.contains("T0")));
}

fn exports_can_be_read_back() {
    use kakugo_record::{pos, psq::Psq, sgf};

    let folder = MatchFolder::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let [sgf_path, pgn, psq, pos_path] = ["g.sgf", "g.pgn", "psq", "g.pos"].map(|n| folder.path(n));
    let outputs = ["--sgf", &sgf_path, "--pgn", &pgn, "--psq", &psq, "--pos", &pos_path];
    let words = [&["--games", "4", "--seed", "1", "--rule", "renju"], &outputs[..]].concat();
    let games = folder.games(&line(&[&toys[0], &toys[1]], &words));
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let from_sgf = sgf::read(&read(&sgf_path)).unwrap();
    assert_eq!(from_sgf.len(), 4);
    let mut files: Vec<_> = std::fs::read_dir(&psq).unwrap().flatten().map(|f| f.path()).collect();
    files.sort();
    let positions = read(&pos_path);
    for (i, game) in games.iter().enumerate() {
        let points = crate::folder::points(game);
        let same = |other: Vec<kakugo::board::Point>| {
            other.iter().map(ToString::to_string).collect::<Vec<_>>() == points
        };
        assert!(same(from_sgf[i].points().collect()));
        assert_eq!(from_sgf[i].black, game["black"].as_str().unwrap());
        assert!(from_sgf[i].board().is_ok(), "the rules agree");
        let psq = Psq::read(&std::fs::read_to_string(&files[i]).unwrap()).unwrap();
        assert!(same(psq.moves.iter().map(|m| m.0).collect()));
        let line = positions.lines().nth(i).unwrap();
        assert!(same(pos::read(line, 15, pos::RowOrder::FromTop).unwrap()));
    }
    assert_eq!(read(&pgn).matches("[Result ").count(), 4);
    let date = games[0]["date"].as_str().unwrap();
    assert!(date.len() == 10 && date.split('-').count() == 3, "{date}");
    assert_eq!(from_sgf[0].date, date);
    assert!(read(&pgn).contains(&format!("[Date \"{}\"]", date.replace('-', "."))));
    // A time that no clock can show is left out.
    let record = read(&folder.path("games.jsonl"));
    let (before, after) = record.split_once("\"ms\":").unwrap();
    let rest = &after[after.find([',', '}']).unwrap()..];
    let odd = folder.path("odd.jsonl");
    std::fs::write(&odd, format!("{before}\"ms\":1e300{rest}")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let output = command.args(["match", "report", &odd, "--sgf", &sgf_path]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(sgf::read(&read(&sgf_path)).unwrap().len(), 4);
}

#[cfg(target_os = "linux")]
fn an_unwritable_file_does_not_affect_the_other_files() {
    let folder = MatchFolder::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let pgn = folder.path("g.pgn");
    let words = ["--games", "2", "--seed", "1", "--sgf", "/dev/full", "--pgn", &pgn];
    let output = folder.play(&line(&[&toys[0], &toys[1]], &words));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("writing /dev/full"));
    assert_eq!(std::fs::read_to_string(pgn).unwrap().matches("[Result ").count(), 2);
}

fn json_contains_the_results() {
    let folder = MatchFolder::new();
    let each = ["turn=60s", "startup=60s"];
    let (strong, weak) = (toy("strong", "plain", &each), toy("weak", "off-board@2", &each));
    let words = ["--games", "24", "--seed", "1", "--openings", "balanced:12", "--json"];
    let output = folder.play(&line(&[&strong, &weak], &words));
    let value: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let pairing = &value["pairings"][0];
    assert_eq!((&pairing["first"], &pairing["wins"]), (&"strong".into(), &24.into()));
    assert_eq!(pairing["pairs"], serde_json::json!([0, 0, 0, 0, 12]));
    assert!(pairing["elo"]["low"].as_f64().unwrap() > 100.0, "{pairing:#}");
    assert!(pairing["elo"]["high"].is_null() && value["sprt"].is_null());
    let end = &value["ends"][0];
    assert_eq!((&end["reason"], &end["loser"]), (&"illegal-move".into(), &"weak".into()));
    assert_eq!(value["openings"], serde_json::json!({ "pairs": 12, "black": 0, "white": 0 }));
    assert_eq!(value["never_moved"], serde_json::json!([]));
    // The report on the record file is the same.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let again = command.args(["match", "report", &folder.path("games.jsonl"), "--json"]).output();
    assert_eq!(again.unwrap().stdout, output.stdout);
}

fn json_reports_drawn_games_added_for_ratings() {
    let folder = MatchFolder::new();
    let each = ["turn=60s", "startup=60s"];
    let engines = [
        toy("strong", "plain", &each),
        toy("weak", "off-board@2", &each),
        toy("weaker", "off-board@1", &each),
    ];
    let words = ["--games", "4", "--seed", "1", "--openings", "balanced:2", "--json"];
    let output = folder.play(&line(&engines.each_ref().map(|engine| &engine[..]), &words));
    let value: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let ratings = value["ratings"].as_array().unwrap();
    assert_eq!(ratings.len(), 3);
    assert!(ratings.iter().all(|rating| rating["drawn_game_added"] == true), "{ratings:?}");
}

/// Both engines crash at their first move, so the side to move after the opening loses both games.
fn json_names_engines_that_never_moved_and_counts_colours() {
    let folder = MatchFolder::new();
    let (first, second) =
        (toy("first", "crash@1", &["turn=60s"]), toy("second", "crash@1", &["turn=60s"]));
    let words = line(
        &[&first, &second],
        &["--games", "8", "--seed", "1", "--openings", "balanced:4", "--json"],
    );
    let value: serde_json::Value =
        serde_json::from_str(&text(&folder.play(&words).stdout)).unwrap();
    assert_eq!(value["never_moved"], serde_json::json!(["first", "second"]));
    let games = folder.recorded("games.jsonl");
    let pairs_won_by = |colour| games.iter().filter(|game| game["winner"] == colour).count() / 2;
    let (black, white) = (pairs_won_by("black"), pairs_won_by("white"));
    assert_eq!(black + white, 4);
    let expected = serde_json::json!({ "pairs": 4, "black": black, "white": white });
    assert_eq!(value["openings"], expected);
}

fn usage_errors_and_failures_have_different_exit_codes() {
    let code = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        command.arg("match").args(words).output().unwrap().status.code()
    };
    let two = ["--engine", "self", "--engine", "self", "name=other"];
    let with = |more: &[&str]| code(&[&two[..], more].concat());
    assert_eq!(code(&["--engine", "self"]), Some(2), "one engine");
    assert_eq!(with(&["--games", "3"]), Some(2));
    assert_eq!(with(&["--rule", "chess"]), Some(2));
    assert_eq!(with(&["--sprt", "elo0=1"]), Some(2));
    assert_eq!(with(&["--shard", "5/4"]), Some(2));
    assert_eq!(with(&["--frobnicate"]), Some(2));
    assert_eq!(with(&["--openings", "balanced:few"]), Some(2));
    assert_eq!(with(&["--swap2", "--openings", "balanced:2"]), Some(2));
    assert_eq!(with(&["--openings", "balancd:50"]), Some(2));
    assert_eq!(with(&["--openings", "balanced"]), Some(2));
    assert_eq!(with(&["--openings", "pos:/no/such/file"]), Some(1));
    assert_eq!(with(&["--openings", "/no/such/file"]), Some(1));
    // Reported before the first game: a match of 100 games without limits would not end here.
    assert_eq!(with(&["--html", "/no/such/folder/page.html"]), Some(1));
    assert_eq!(code(&["--config", "/no/such/file"]), Some(1));
    let folder = MatchFolder::new();
    std::fs::write(folder.path("match.toml"), "[match]\ngames = 'few'\n").unwrap();
    assert_eq!(code(&["--config", &folder.path("match.toml")]), Some(2));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let output = command.arg("match").args(two).args(["--each", "turn=20"]).output().unwrap();
    let why = "invalid engine options 'turn=20': invalid time '20': expected e.g. 5s, 100ms or 2m";
    assert_eq!(text(&output.stderr), format!("pbrain-kakugo: {why}\n"));
    assert_eq!(code(&["report", "/no/such/file"]), Some(1));
}

fn the_page_is_self_contained_and_escapes_names() {
    let folder = MatchFolder::new();
    let toys = [toy("</script><b>", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let html = folder.path("report.html");
    folder.games(&line(&[&toys[0], &toys[1]], &["--games", "8", "--seed", "1", "--html", &html]));
    let page = std::fs::read_to_string(html).unwrap();
    assert!(!page.contains("<b>") && !page.contains("{{"));
    assert_eq!(page.matches("</script>").count(), 2);
    for link in ["src=", "href=", "url(", "http:", "https:"] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(link), "the page loads {link}");
    }
    let data = page_data(&page);
    assert_eq!(data["games"].as_array().unwrap().len(), 8);
    // The winner's last move is part of the marked row.
    let won = |game: &&serde_json::Value| game["reason"] == "five in a row";
    for game in data["games"].as_array().unwrap().iter().filter(won) {
        let row = game["row"].as_array().unwrap();
        let last = game["points"].as_array().unwrap().len() / 2 - 1;
        assert!(row.len() >= 5 && row.contains(&last.into()), "{game}");
    }
    if cfg!(feature = "plots") {
        assert!(page.matches("<svg").count() >= 4, "curves and a board");
    }
}

/// Returns the games embedded in the page.
fn page_data(page: &str) -> serde_json::Value {
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

fn the_page_attributes_swap2_stones_to_the_engine_that_placed_them() {
    let folder = MatchFolder::new();
    let proposer = toy("A", "plain", &["turn=60s", "env.KAKUGO_TOY_MOVES=7,7 8,8 9,9;1,1"]);
    let chooser = toy("B", "plain", &["turn=60s", "env.KAKUGO_TOY_MOVES=SWAP"]);
    let html = folder.path("report.html");
    let words = ["--games", "2", "--seed", "1", "--swap2", "--move-limit", "6", "--html", &html];
    folder.games(&line(&[&proposer, &chooser], &words));
    let data = page_data(&std::fs::read_to_string(html).unwrap());
    // A placed the first black stone, too, and has White.
    let game = &data["games"][0];
    assert_eq!((&game["proposer"], &game["white"]), (&"A".into(), &"A".into()));
    let white = serde_json::json!([false, true, false, true, false, true]);
    assert_eq!(game["white_moves"], white);
    assert_eq!(game["movers"], serde_json::json!([true, true, true, true, false, true]));
}

fn the_output_of_engines_is_recorded() {
    let (_field, games, _) = match_of(2, &["--games", "2", "--seed", "1"]);
    let third = &games[0]["moves"][2];
    assert_eq!((&third["depth"], &third["nodes"]), (&2.into(), &1500.into()));
    assert_eq!(third["eval"], third["at"][0].to_string());
    assert!(third["ms"].as_f64().is_some_and(|ms| ms > 0.0));
}

/// `>` marks lines to the engine, `<` lines from it.
fn the_log_contains_all_protocol_lines() {
    let folder = MatchFolder::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let words = line(&[&toys[0], &toys[1]], &["--games", "2", "--move-limit", "2"]);
    let output =
        folder.command(&words).env("RUST_LOG", "kakugo_protocol::client=trace").output().unwrap();
    let log = text(&output.stderr);
    assert!(log.contains("A > START 15") && log.contains("A < OK"), "{log}");
}
