//! More than two engines, configuration files, and what is written at the end.

use crate::field::{Field, essence, line, text, toy};
use crate::tests;

tests![
    a_configuration_file_says_what_the_command_line_says,
    each_engine_meets_each_other_in_a_round_robin,
    a_gauntlet_is_one_against_all,
    games_that_repeat_earlier_ones_are_told,
    pairs_that_one_colour_won_twice_are_counted,
    exports_can_be_read_back,
    #[cfg(target_os = "linux")]
    a_file_that_cannot_be_written_costs_none_of_the_others,
    the_result_is_there_for_programs,
    programs_are_told_who_never_moved_and_which_colour_won,
    programs_are_told_whether_a_drawn_game_was_added_for_the_ratings,
    mistakes_in_the_arguments_and_failures_have_codes_of_their_own,
    the_page_is_whole_and_safe,
    what_engines_tell_is_recorded,
    a_log_shows_the_dialogue_as_the_protocol_is_written,
];

fn a_configuration_file_says_what_the_command_line_says() {
    let field = Field::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let words = ["--games", "4", "--seed", "3", "--rule", "standard", "--openings", "balanced:2"];
    let games = field.games(&line(&[&toys[0], &toys[1]], &words));
    let program = std::env::current_exe().unwrap();
    let file = format!(
        "[match]\ngames = 4\nseed = 3\nrule = 'standard'\nopenings = 'balanced:2'\n\
         [each]\nturn = '60s'\ncmd = \"'{}'\"\nenv = {{ KAKUGO_TOY = 'plain' }}\n\
         [[engine]]\nname = 'A'\n[[engine]]\nname = 'B'\n",
        program.display()
    );
    let other = Field::new();
    std::fs::write(other.path("match.toml"), file).unwrap();
    let same = other.games(&["--config", &other.path("match.toml")]);
    let essences = |games: &[serde_json::Value]| games.iter().map(essence).collect::<Vec<_>>();
    assert_eq!(essences(&games), essences(&same));
}

fn field_of(count: usize, more: &[&str]) -> (Field, Vec<serde_json::Value>, String) {
    let field = Field::new();
    let toys: Vec<Vec<String>> = (0..count)
        .map(|i| {
            let seed = format!("env.KAKUGO_TOY_SEED={i}");
            toy(&format!("T{i}"), "plain", &["turn=60s", "startup=60s", &seed])
        })
        .collect();
    let parts: Vec<&[String]> = toys.iter().map(Vec::as_slice).collect();
    let output = field.play(&line(&parts, more));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let games = field.recorded("games.jsonl");
    (field, games, text(&output.stdout))
}

fn met(games: &[serde_json::Value]) -> std::collections::BTreeMap<String, u32> {
    let mut met = std::collections::BTreeMap::new();
    for game in games {
        *met.entry(format!("{} {}", game["black"], game["white"])).or_default() += 1;
    }
    met
}

fn each_engine_meets_each_other_in_a_round_robin() {
    let (_field, games, table) = field_of(4, &["--games", "4", "--seed", "1"]);
    let met = met(&games);
    assert_eq!(met.len(), 12, "each ordered pair");
    assert!(met.values().all(|&count| count == 2));
    for name in ["T0", "T1", "T2", "T3", "± 95%"] {
        assert!(table.contains(name), "{table}");
    }
}

fn games_that_repeat_earlier_ones_are_told() {
    let table =
        |games| field_of(2, &["--games", games, "--seed", "1", "--openings", "balanced:2"]).2;
    let told = table("12");
    assert!(told.contains("8 games repeat earlier ones"), "{told}");
    assert!(!table("4").contains("repeat"));
}

fn pairs_that_one_colour_won_twice_are_counted() {
    let words = ["--games", "20", "--seed", "1", "--openings", "balanced:10"];
    let (_field, games, table) = field_of(2, &words);
    let both = |colour: &str| {
        let won = |game: &serde_json::Value| game["winner"] == colour;
        games.chunks_exact(2).filter(|pair| pair.iter().all(won)).count()
    };
    let (black, white) = (both("black"), both("white"));
    assert!(black + white > 0, "toys of one strength");
    let told = format!("Black won both games of {black}, White of {white}\n");
    assert!(table.contains(&told), "{told}{table}");
}

fn a_gauntlet_is_one_against_all() {
    let (_field, games, _) = field_of(4, &["--games", "2", "--seed", "1", "--format", "gauntlet"]);
    assert_eq!(games.len(), 6);
    assert!(met(&games).keys().all(|key| key.contains("T0")));
}

fn exports_can_be_read_back() {
    use kakugo_record::{pos, psq::Psq, sgf};

    let field = Field::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let [sgf_path, pgn, psq, pos_path] = ["g.sgf", "g.pgn", "psq", "g.pos"].map(|n| field.path(n));
    let outputs = ["--sgf", &sgf_path, "--pgn", &pgn, "--psq", &psq, "--pos", &pos_path];
    let words = [&["--games", "4", "--seed", "1", "--rule", "renju"], &outputs[..]].concat();
    let games = field.games(&line(&[&toys[0], &toys[1]], &words));
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let from_sgf = sgf::read(&read(&sgf_path)).unwrap();
    assert_eq!(from_sgf.len(), 4);
    let mut files: Vec<_> = std::fs::read_dir(&psq).unwrap().flatten().map(|f| f.path()).collect();
    files.sort();
    let positions = read(&pos_path);
    for (i, game) in games.iter().enumerate() {
        let points = crate::field::points(game);
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
}

#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_written_costs_none_of_the_others() {
    let field = Field::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let pgn = field.path("g.pgn");
    let words = ["--games", "2", "--seed", "1", "--sgf", "/dev/full", "--pgn", &pgn];
    let output = field.play(&line(&[&toys[0], &toys[1]], &words));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("writing /dev/full"));
    assert_eq!(std::fs::read_to_string(pgn).unwrap().matches("[Result ").count(), 2);
}

fn the_result_is_there_for_programs() {
    let field = Field::new();
    let each = ["turn=60s", "startup=60s"];
    let (strong, weak) = (toy("strong", "plain", &each), toy("weak", "off-board@2", &each));
    let words = ["--games", "24", "--seed", "1", "--openings", "balanced:12", "--json"];
    let output = field.play(&line(&[&strong, &weak], &words));
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
    // The same again from the record.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let again = command.args(["match", "report", &field.path("games.jsonl"), "--json"]).output();
    assert_eq!(again.unwrap().stdout, output.stdout);
}

fn programs_are_told_whether_a_drawn_game_was_added_for_the_ratings() {
    let field = Field::new();
    let each = ["turn=60s", "startup=60s"];
    let engines = [
        toy("strong", "plain", &each),
        toy("weak", "off-board@2", &each),
        toy("weaker", "off-board@1", &each),
    ];
    let words = ["--games", "4", "--seed", "1", "--openings", "balanced:2", "--json"];
    let output = field.play(&line(&engines.each_ref().map(|engine| &engine[..]), &words));
    let value: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let ratings = value["ratings"].as_array().unwrap();
    assert_eq!(ratings.len(), 3);
    assert!(ratings.iter().all(|rating| rating["drawn_game_added"] == true), "{ratings:?}");
}

/// Two engines that fall at their first move: whoever is to move after the opening loses both games of the pair.
fn programs_are_told_who_never_moved_and_which_colour_won() {
    let field = Field::new();
    let (first, second) =
        (toy("first", "crash@1", &["turn=60s"]), toy("second", "crash@1", &["turn=60s"]));
    let words = line(
        &[&first, &second],
        &["--games", "8", "--seed", "1", "--openings", "balanced:4", "--json"],
    );
    let value: serde_json::Value = serde_json::from_str(&text(&field.play(&words).stdout)).unwrap();
    assert_eq!(value["never_moved"], serde_json::json!(["first", "second"]));
    let games = field.recorded("games.jsonl");
    let pairs_won_by = |colour| games.iter().filter(|game| game["winner"] == colour).count() / 2;
    let (black, white) = (pairs_won_by("black"), pairs_won_by("white"));
    assert_eq!(black + white, 4);
    let told = serde_json::json!({ "pairs": 4, "black": black, "white": white });
    assert_eq!(value["openings"], told);
}

fn mistakes_in_the_arguments_and_failures_have_codes_of_their_own() {
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
    // Told before anything is played: a match of 100 games with no limit of time would not end here.
    assert_eq!(with(&["--html", "/no/such/folder/page.html"]), Some(1));
    assert_eq!(code(&["--config", "/no/such/file"]), Some(1));
    let field = Field::new();
    std::fs::write(field.path("match.toml"), "[match]\ngames = 'few'\n").unwrap();
    assert_eq!(code(&["--config", &field.path("match.toml")]), Some(2));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let output = command.arg("match").args(two).args(["--each", "turn=20"]).output().unwrap();
    let why = "in the engine settings \"turn=20\": \"20\" is not a time such as 5s, 100ms or 2m";
    assert_eq!(text(&output.stderr), format!("pbrain-kakugo: {why}\n"));
    assert_eq!(code(&["report", "/no/such/file"]), Some(1));
}

fn the_page_is_whole_and_safe() {
    let field = Field::new();
    let toys = [toy("</script><b>", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let html = field.path("report.html");
    field.games(&line(&[&toys[0], &toys[1]], &["--games", "8", "--seed", "1", "--html", &html]));
    let page = std::fs::read_to_string(html).unwrap();
    assert!(!page.contains("<b>") && !page.contains("{{"));
    assert_eq!(page.matches("</script>").count(), 2);
    for link in ["src=", "href=", "url(", "http:", "https:"] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(link), "the page needs {link}");
    }
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), 8);
    // The winner's last move is in the row that is marked.
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

fn what_engines_tell_is_recorded() {
    let (_field, games, _) = field_of(2, &["--games", "2", "--seed", "1"]);
    let third = &games[0]["moves"][2];
    assert_eq!((&third["depth"], &third["nodes"]), (&2.into(), &1500.into()));
    assert_eq!(third["eval"], third["at"][0].to_string());
    assert!(third["ms"].as_f64().is_some_and(|ms| ms > 0.0));
}

/// `>` to the engine, `<` from it.
fn a_log_shows_the_dialogue_as_the_protocol_is_written() {
    let field = Field::new();
    let toys = [toy("A", "plain", &["turn=60s"]), toy("B", "plain", &["turn=60s"])];
    let words = line(&[&toys[0], &toys[1]], &["--games", "2", "--move-limit", "2"]);
    let output =
        field.command(&words).env("RUST_LOG", "kakugo_protocol::client=trace").output().unwrap();
    let log = text(&output.stderr);
    assert!(log.contains("A > START 15") && log.contains("A < OK"), "{log}");
}
