//! End-to-end tests of `analyze`.

use std::process::Output;

use serde_json::Value;

use crate::run;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    run::run(&[&["analyze"], arguments].concat(), input)
}

fn printed(arguments: &[&str], input: &[u8]) -> String {
    run::printed(&[&["analyze"], arguments].concat(), input)
}

fn json(arguments: &[&str], input: &[u8]) -> Value {
    serde_json::from_str(&printed(arguments, input)).unwrap()
}

#[test]
fn forced_moves_have_a_score_and_a_line() {
    let value = json(&["h8g8i8a1j8a3k8", "--nodes", "2000", "--json"], b"");
    assert_eq!(value["best"], "l8");
    assert_eq!(value["lines"][0]["moves"][0], "l8", "{value:#}");
    assert!(value["depth"].as_u64().unwrap() > 0);
}

#[test]
fn games_and_positions_are_read_from_stdin() {
    let sgf = b"(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])";
    let report = printed(&["-", "--nodes", "500"], sgf);
    assert!(report.starts_with("Ann (Black) - Bob (White), freestyle 15x15"), "{report}");
    let psq = b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n";
    assert!(printed(&["-", "--nodes", "500"], psq).contains("\n   2 "));
    let position = json(&["-", "--nodes", "500", "--json"], b"h8i9\n");
    assert_eq!(position["to_move"], "Black");
    let one = json(&["-", "--at", "1", "--nodes", "500", "--json"], sgf);
    assert_eq!(one["to_move"], "White");
}

#[test]
fn invalid_games_do_not_hide_valid_ones() {
    let games = b"(;GM[4]AB[h])(;GM[4]PB[Ann];B[hh];W[hi];B[];W[aa])";
    let second = run(&["-", "--game", "2", "--nodes", "200"], games);
    assert!(String::from_utf8_lossy(&second.stdout).starts_with("Ann (Black) - White"));
    let first = run(&["-", "--game", "1", "--nodes", "200"], games);
    assert_eq!(first.status.code(), Some(1));
    let told = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(told.contains("stdin, game 1") && told.contains("set-up stones"), "{told}");
    let all = run(&["-", "--nodes", "200"], games);
    assert!(String::from_utf8_lossy(&all.stdout).starts_with("Game 2\n\nAnn (Black)"));
    let told = String::from_utf8_lossy(&all.stderr).into_owned();
    assert!(told.contains("skipped 1 of 2 games, first game 1: set-up stones"), "{told}");
    let third = run(&["-", "--game", "3", "--nodes", "200"], games);
    assert!(String::from_utf8_lossy(&third.stderr).contains("stdin contains 2 games"));
}

#[test]
fn all_games_of_a_collection_are_analysed() {
    let games = b"(;GM[4]SZ[15];B[hh];W[ii];B[gg])(;GM[4]SZ[15]PB[Ann];B[hh];W[ig];B[gg];W[aa])";
    let text = printed(&["-", "--nodes", "200"], games);
    let (first, second) = text.split_once("\nGame 2\n\n").unwrap();
    assert!(first.starts_with("Game 1\n\nBlack - White, "), "{text}");
    assert!(second.starts_with("Ann (Black) - White, ") && second.contains("\n   4 "), "{text}");
    let list = json(&["-", "--nodes", "200", "--json"], games);
    let counts: Vec<usize> =
        list.as_array().unwrap().iter().map(|g| g["positions"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [4, 5]);
    // Of several positions, each is analysed.
    let positions = json(&["-", "--nodes", "200", "--json"], b"h8\nh8i9\n");
    assert_eq!(
        (&positions[0]["to_move"], &positions[1]["to_move"]),
        (&"White".into(), &"Black".into())
    );
    let third = json(&["-", "--at", "3", "--nodes", "200", "--json"], games);
    assert_eq!(third.as_array().unwrap().len(), 2);
}

#[test]
fn positions_and_passes_of_sgf_files_are_analysed() {
    let white = b"(;GM[4]FF[4]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa][oo]PL[W])";
    let position = json(&["-", "--nodes", "500", "--lines", "1", "--json"], white);
    assert_eq!((&position["to_move"], &position["rule"]), (&"White".into(), &"renju".into()));
    let uneven = b"(;GM[4]FF[4]SZ[15]AB[fh][gh][hh]AW[aa])";
    let output = run(&["-", "--nodes", "200"], uneven);
    assert!(String::from_utf8_lossy(&output.stdout).contains("White to move, freestyle"));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("stdin: the side to move is not specified: assuming White"), "{told}");
    let black = json(&["-", "--nodes", "200", "--json", "--to-move", "black"], uneven);
    assert_eq!(black["to_move"], "Black");
    let passed = b"(;GM[4]FF[4]SZ[15]RU[renju];B[hh];W[hg];B[ii];W[tt];B[jj];W[gg];B[fg])";
    let game = json(&["-", "--nodes", "200", "--json"], passed);
    let moves: Vec<&str> =
        game["positions"].as_array().unwrap().iter().filter_map(|p| p["move"].as_str()).collect();
    assert_eq!(moves, ["h8", "h9", "i7", "pass", "j6", "g9", "f9"]);
    assert_eq!(game["positions"][4]["side"], "White");
    assert_eq!(game["players"]["white"]["moves"], 2);
    let twice = run(&["-", "--nodes", "200"], b"(;GM[4]SZ[15];B[hh];B[ii];W[gg])");
    assert!(String::from_utf8_lossy(&twice.stderr).contains("move 2 of Black is out of turn"));
    assert!(String::from_utf8_lossy(&twice.stdout).contains("\n   3    g9 "));
    let won = b"(;GM[4]SZ[15]AB[fh][gh][hh][ih][jh]AW[aa])";
    let over = run(&["-", "--nodes", "200"], won);
    assert!(String::from_utf8_lossy(&over.stderr).contains("the game is over: Black has won"));
    // Text with a side to move, and a drawing.
    let text = json(&["h8i9", "--to-move", "white", "--nodes", "200", "--json"], b"");
    assert_eq!(text["to_move"], "White");
    let drawing = b"White to move\n.....\n.X.X.\n..O..\n.....\n.....\n";
    let drawn = json(&["-", "--nodes", "200", "--json"], drawing);
    assert_eq!((&drawn["to_move"], &drawn["width"]), (&"White".into(), &5.into()));
}

#[test]
fn positions_may_have_numbers_and_separators() {
    for text in ["1. H8 I9 2. I7 G9", "h8_i9_i7_g9", "h8-i9-i7-g9", "1.h8 i9 2.i7 g9"] {
        let position = printed(&[text, "--nodes", "200"], b"");
        assert!(position.contains("Black to move") && position.contains(">O"), "{position}");
        let same = printed(&["-", "--nodes", "200"], text.as_bytes());
        assert_eq!(position.lines().next(), same.lines().next(), "{text}");
    }
}

#[test]
fn moves_may_be_several_arguments_but_no_games() {
    let words = ["1.", "H8", "I9", "2.", "I7", "--nodes", "100"];
    assert!(printed(&words, b"").contains("White to move"));
    for (arguments, why) in [
        (&["h8", "--jobs", "2"][..], "\"h8\" is a position"),
        (&["h8", "missing.sgf"], "\"h8\" is a position"),
        (&["missing.sgf", "--csv", "-"], "expected the name of a file"),
    ] {
        let told = run(&[arguments, &["--nodes", "100"]].concat(), b"");
        let error = String::from_utf8_lossy(&told.stderr);
        assert!(!told.status.success() && error.contains(why), "{arguments:?}: {error}");
    }
}

#[test]
fn formats_are_detected_after_a_byte_order_mark() {
    let psq = "\u{feff}Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nAnn\nBob\n-1\n";
    let utf_16: Vec<u8> = psq.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [psq.as_bytes(), &utf_16] {
        let report = printed(&["-", "--nodes", "200"], bytes);
        assert!(report.starts_with("Ann (Black) - Bob (White)"), "{report}");
    }
}

#[test]
fn moves_after_the_end_are_reported_with_the_rule() {
    // Six in a row, which does not win in standard.
    let six = b"a1o1b1o3c1o5d1o7f1o9e1a15";
    let refused = run(&["-", "--nodes", "200"], six);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("move 12: the game is already over under freestyle (see --rule)"));
    assert!(run(&["-", "--nodes", "200", "--rule", "standard"], six).status.success());
}

#[test]
fn results_off_the_board_are_reported() {
    let sgf = b"(;GM[4]PB[Ann]PW[Bob]RE[W+R]TE[after a long thought];B[hh];W[ii])";
    let report = printed(&["-", "--nodes", "500"], sgf);
    let head = "Ann (Black) - Bob (White), freestyle 15x15, White won by resignation (after a long thought)\n";
    assert!(report.starts_with(head), "{report}");
    let value = json(&["-", "--nodes", "500", "--json"], sgf);
    assert_eq!((&value["result"], &value["cause"]), (&"white".into(), &"resignation".into()));
    assert_eq!(value["termination"], "after a long thought");
    let psq = b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n15\n";
    let report = printed(&["-", "--nodes", "500"], psq);
    assert!(
        report.starts_with("a (Black) - b (White), freestyle 15x15, White won on time\n"),
        "{report}"
    );
    let open = json(&["-", "--nodes", "500", "--json"], b"(;GM[4];B[hh];W[ii])");
    assert!(open["result"].is_null() && open["cause"].is_null() && open["termination"].is_null());
}

/// Black plays at the edge from move 3.
const CASE: &str = "(;GM[4]SZ[15];B[hh];W[dd];B[ao];W[gj];B[am];W[gl];B[ak];W[hi];B[ai];W[al])";

/// Black has a four at the edge after move 7 but plays elsewhere. White has the centre, blocks it
/// and wins.
const MISSED: &str = "f15h8g15i9h15h7i15e15o1j15";

#[test]
fn losses_and_accuracy_use_one_point_of_view() {
    let game = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("missed-win.pos");
    std::fs::write(&game, MISSED).unwrap();
    let game = game.to_str().unwrap();
    let report = printed(&[game, "--nodes", "1000"], b"");
    assert!(report.contains("Percentages are Black's expected result"), "{report}");
    assert!(report.contains("   9. Black o1: missed a win by fours; better j15\n      j15 five\n"));
    let players: Vec<&str> = report.lines().filter(|line| line.contains("accuracy")).collect();
    assert_eq!(players.len(), 2, "{report}");
    assert!(players[0].starts_with("Black  accuracy ") && players[0].contains("of 5 moves"));

    let value = json(&[game, "--nodes", "1000", "--json"], b"");
    let positions = value["positions"].as_array().unwrap();
    assert!(positions[0]["loss_permille"].is_null());
    let permille = |i: usize| positions[i]["black_permille"].as_i64().unwrap();
    for (number, position) in positions.iter().enumerate().skip(1) {
        let sign = if number % 2 == 1 { 1 } else { -1 };
        let loss = (sign * (permille(number - 1) - permille(number))).max(0);
        assert_eq!(position["loss_permille"], loss, "move {number}");
    }
    let turning = value["turning_points"].as_array().unwrap();
    let missed = turning.iter().find(|turning| turning["number"] == 9).unwrap();
    assert_eq!(missed["black_permille_before"], 1000);
    assert_eq!(missed["black_permille_after"], positions[9]["black_permille"]);
    assert_eq!(missed["missed_win"][0]["makes"], "five");
    // Black played only at the edge.
    let accuracy = |side: &str| value["players"][side]["accuracy_percent"].as_f64().unwrap();
    assert!(accuracy("black") < accuracy("white"), "{}", value["players"]);
    assert_eq!(value["players"]["white"]["moves"], 5);
}

#[test]
fn reviews_are_reproducible_and_mark_what_they_list() {
    let report = || printed(&["-", "--game", "1", "--nodes", "1000"], CASE.as_bytes());
    let first = report();
    assert_eq!(first, report());
    let (table, listed) = first.split_once("\nTurning points:\n").unwrap();
    let marked: Vec<&str> = table
        .lines()
        .filter(|line| line.contains("<-"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let listed: Vec<&str> = listed
        .lines()
        .filter(|line| line.contains("; better "))
        .filter_map(|line| line.trim_start().split('.').next())
        .collect();
    assert!(!listed.is_empty(), "{first}");
    assert_eq!(marked, listed, "{first}");
}

#[test]
fn games_are_annotated_in_one_file() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (sgf, lib) = (path("annotated.sgf"), path("annotated.lib"));
    let games = [CASE, "(;GM[4]SZ[15]PB[Ann];B[hh];W[ii])"].concat();
    printed(&["-", "--nodes", "500", "--annotate", &sgf], games.as_bytes());
    let text = std::fs::read_to_string(&sgf).unwrap();
    assert_eq!(text.matches("C[Review by Kakugo").count(), 2, "{text}");
    assert!(text.contains("BM[2]") && text.contains("Better for Black"), "{text}");
    printed(&["-", "--nodes", "500", "--annotate", &lib], CASE.as_bytes());
    assert!(std::fs::read(&lib).unwrap().starts_with(b"\xffRenLib\xff"));
    for (arguments, reason) in [
        (&["-", "--annotate", "a.psq"][..], "expected a name that ends in .sgf or .lib"),
        (&["-", "--annotate", "a.sgf", "--at", "1"], "--at"),
        (&["h8", "--annotate", &sgf], "--annotate needs a game with moves"),
    ] {
        let refused = run(&[arguments, &["--nodes", "100"]].concat(), CASE.as_bytes());
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && told.contains(reason), "{arguments:?} {told}");
    }
    // What a library cannot hold is reported before the analysis.
    let large = "(;GM[4]SZ[20]PB[Ann];B[hh];W[ii])";
    for (content, reason) in [
        (games.as_str(), "a RenLib library holds one game"),
        (large, "cannot write a 20x20 board to a RenLib library"),
    ] {
        for options in [&[][..], &["--jobs", "1"]] {
            let arguments = [&["-", "--annotate", &lib, "--nodes", "100"], options].concat();
            let refused = run(&arguments, content.as_bytes());
            let told = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert!(told.contains(reason), "{arguments:?} {told}");
        }
    }
}

/// Writes four games to a folder: two of a collection, one in a subfolder, and an invalid one.
fn folder_of_games(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("more")).unwrap();
    let two = "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+R];B[hh];W[ih];B[ao];W[gg])\
               (;GM[4]SZ[15]PB[Bob]PW[Ann];B[hh];W[gh];B[ao])";
    std::fs::write(folder.join("a.sgf"), two).unwrap();
    std::fs::write(folder.join("more/b.pos"), "h8i9g7\n").unwrap();
    std::fs::write(folder.join("c.sgf"), "(;GM[4]SZ[15]AB[h])").unwrap();
    std::fs::write(folder.join("note.md"), "not a game").unwrap();
    folder
}

#[test]
fn many_games_are_summarised_by_game_and_player() {
    let folder = folder_of_games("many");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = folder.to_str().unwrap();
    let (csv, html, sgf) = (path("out.csv"), path("out.html"), path("out.txt.sgf"));
    std::fs::write(path("d.sgf"), "(;GM[4]SZ[15]AB[h])(;GM[4]SZ[15];B[hh])").unwrap();
    let output = run(
        &[games, "--nodes", "200", "--jobs", "2", "--csv", &csv, "--html", &html, "--json"],
        b"",
    );
    let value: Value = serde_json::from_slice(&output.stdout).unwrap();
    let moves: Vec<&str> =
        value["games"].as_array().unwrap().iter().map(|g| g["moves"].as_str().unwrap()).collect();
    assert_eq!(moves, ["h8i8a1g9", "h8g8a1", "h8", "h8i9g7"]);
    let ann = value["players"].as_array().unwrap().iter().find(|p| p["name"] == "Ann").unwrap();
    assert_eq!((&ann["games"], &ann["results"]), (&2.into(), &serde_json::json!([0, 0, 1])));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("c.sgf") && told.contains("/6 games"), "{told}");
    assert!(told.contains("skipped 2 of 6 games"), "{told}");
    assert_eq!(std::fs::read_to_string(&csv).unwrap().lines().count(), 5);
    assert!(std::fs::read_to_string(&html).unwrap().contains("<td>Ann</td>"));
    let text = printed(&[&path("a.sgf"), &path("more"), "--nodes", "200", "--annotate", &sgf], b"");
    assert!(text.contains("\nplayer") && text.contains("Ann"), "{text}");
    let annotated = std::fs::read_to_string(&sgf).unwrap();
    assert_eq!(annotated.matches("C[Review by Kakugo").count(), 3, "{annotated}");
}

#[test]
fn invalid_games_belong_to_one_part() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("parts.sgf");
    let valid = "(;GM[4]SZ[15];B[hh];W[ii])";
    std::fs::write(&path, format!("{valid}(;GM[4]SZ[15]AB[h]){valid}{valid}")).unwrap();
    let part = |shard: &str| {
        let arguments = [path.to_str().unwrap(), "--nodes", "50", "--json", "--shard", shard];
        let output = run(&arguments, b"");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        let games = value["games"].as_array().unwrap().iter();
        (games.map(|game| game["number"].as_u64().unwrap()).collect::<Vec<_>>(), told)
    };
    let (first, told) = part("1/2");
    assert!(first == [1, 3] && !told.contains("skipped"), "{first:?} {told}");
    let (second, told) = part("2/2");
    assert!(second == [4] && told.contains("\nskipped 1 of 2 games"), "{second:?} {told}");
}

#[test]
fn runs_are_resumed_and_shards_are_merged() {
    let folder = folder_of_games("resumed");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = path("a.sgf");
    let analyse = |record: &str, more: &[&str]| {
        run(&[&[&games, "--nodes", "200", "--json", "--record", record], more].concat(), b"")
    };
    let whole = analyse(&path("whole.jsonl"), &[]);
    let parts = ["1/2", "2/2"].map(|shard| {
        let record = path(&format!("part-{}.jsonl", &shard[..1]));
        assert!(analyse(&record, &["--shard", shard]).status.success());
        record
    });
    let merged = printed(&[&parts[0], &parts[1], "--report", "--json"], b"");
    assert_eq!(merged.as_bytes(), whole.stdout);
    // The last line was cut off.
    let record = path("whole.jsonl");
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, &text[..text.len() - 10]).unwrap();
    let again = analyse(&record, &[]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"), "{again:?}");
    let resumed = analyse(&record, &["--resume"]);
    assert_eq!(resumed.stdout, whole.stdout);
    assert_eq!(std::fs::read_to_string(&record).unwrap(), text);
    let other = run(&[&games, "--nodes", "300", "--record", &record, "--resume"], b"");
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"), "{other:?}");
    let other = analyse(&record, &["--resume", "--net", "none"]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"), "{other:?}");
    // The file does not name a rule: the games are analysed again by that of --rule.
    let renju = analyse(&record, &["--resume", "--rule", "renju"]);
    let value: Value = serde_json::from_slice(&renju.stdout).unwrap();
    assert!(value["games"].as_array().unwrap().iter().all(|game| game["rule"] == "renju"));
    assert_eq!(printed(&[&record, "--report", "--json"], b"").as_bytes(), renju.stdout);
    let mixed = run(&[&parts[0], &record, "--report"], b"");
    let told = String::from_utf8_lossy(&mixed.stderr).into_owned();
    assert!(told.contains("whole.jsonl is another one than in the files before it"), "{told}");
    // Version 1 did not name the network.
    let first =
        text.replacen("\"net\":\"embedded\",", "", 1).replacen("\"version\":2", "\"version\":1", 1);
    assert_ne!(first, text);
    std::fs::write(&record, &first).unwrap();
    assert_eq!(analyse(&record, &["--resume"]).stdout, whole.stdout);
    let lines = run(&[&games, "--jobs", "2", "--lines", "2"], b"");
    assert_eq!(lines.status.code(), Some(2));
    // Names are those of the file.
    let text_of_games = std::fs::read_to_string(&games).unwrap();
    std::fs::write(&games, text_of_games.replace("PB[Ann]", "PB[Eve]")).unwrap();
    let renamed = analyse(&record, &["--resume"]);
    assert!(String::from_utf8_lossy(&renamed.stdout).contains("\"Eve\""), "{renamed:?}");
    std::fs::write(&games, text_of_games).unwrap();
    // Only the beginning of a record is replaced.
    std::fs::write(&record, "(;GM[4];B[hh])").unwrap();
    let refused = analyse(&record, &["--resume"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("not a record"), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "(;GM[4];B[hh])");
    std::fs::write(&record, "{\"anal").unwrap();
    assert_eq!(analyse(&record, &["--resume"]).stdout, whole.stdout);
}

#[test]
fn a_run_without_games_leaves_no_record() {
    let record = folder_of_games("no-games").join("run.jsonl");
    let output = run(&["missing.sgf", "--record", record.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!record.exists());
}

#[test]
fn the_side_to_move_is_that_after_the_moves_of_at() {
    for (at, side) in [("1", "Black"), ("2", "White")] {
        let position = ["h8i9g7i7", "--to-move", &side.to_lowercase(), "--at", at];
        let value = json(&[&position[..], &["--nodes", "200", "--json"]].concat(), b"");
        assert_eq!(value["to_move"], side, "{value:#}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_of_many_games_is_resumed() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    crate::signals::give_children_default_signals();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (games, record, sgf) = (path("games.sgf"), path("run.jsonl"), path("annotated.sgf"));
    std::fs::write(&games, "(;GM[4]SZ[15]RU[renju]PB[Ann];B[hh];W[hg];B[ig])".repeat(60)).unwrap();
    let lines_of =
        |record: &str| std::fs::read_to_string(record).unwrap_or_default().lines().count();
    let lines = || lines_of(&record);
    // Runs the program until a record has a game. Returns what it tells.
    let interrupted = |arguments: &[&str], record: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while lines_of(record) < 2 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "too quick to be interrupted");
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let stopped = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&stopped.stderr).into_owned();
        assert_eq!(stopped.status.code(), Some(130), "{told}");
        told
    };
    let arguments = ["analyze", &games, "--nodes", "400", "--record", &record, "--resume"];
    let told = interrupted(&arguments, &record);
    assert!(told.contains("of 60 games: --resume continues"), "{told}");
    assert!((2..61).contains(&lines()), "{}", lines());
    let resumed = run(&arguments[1..], b"");
    assert!(resumed.status.success() && lines() == 61, "{resumed:?}");
    let text = String::from_utf8_lossy(&resumed.stdout).into_owned();
    assert!(text.contains("Ann as Black with D4 Kagetsu (花月): 60 games, "), "{text}");
    // The games that were annotated are written.
    let second = path("second.jsonl");
    let arguments = ["analyze", &games, "--nodes", "400", "--record", &second, "--annotate", &sgf];
    let told = interrupted(&arguments, &second);
    assert!(told.contains("of 60 games") && !told.contains("--resume"), "{told}");
    let annotated = std::fs::read_to_string(&sgf).unwrap();
    let count = annotated.matches("C[Review by Kakugo").count();
    assert_eq!(count, lines_of(&second) - 1, "{annotated}");
}

#[test]
fn usage_errors_and_failures_have_different_exit_codes() {
    let code = |arguments: &[&str]| run(arguments, b"").status.code();
    let usage: [&[&str]; 7] = [
        &["h8z"],
        &["h8h8"],
        &["z9"],
        &["h8", "--size", "big"],
        &["h8", "--time", "-1"],
        &["h8", "--rule", "x"],
        &[],
    ];
    for arguments in usage {
        assert_eq!(code(arguments), Some(2), "{arguments:?}");
    }
    let game = b"(;GM[4]SZ[15];B[hh];W[ii])";
    let several = run(&["-", "--lines", "2", "--nodes", "100"], game);
    assert_eq!(several.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&several.stderr).contains("select it with --at N"));
    assert_eq!(
        json(&["-", "--lines", "2", "--at", "1", "--nodes", "100", "--json"], game)["lines"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let failed: [&[&str]; 2] = [&["missing.sgf"], &["missing"]];
    for arguments in failed {
        assert_eq!(code(arguments), Some(1), "{arguments:?}");
    }
}

#[test]
fn times_have_units_or_are_seconds() {
    for time in ["0.05", "50ms", "0.05s"] {
        assert!(run(&["h8", "--time", time], b"").status.success(), "{time}");
    }
    let refused = run(&["h8", "--time", "50x"], b"");
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("invalid time '50x': expected e.g. 2, 0.5 (seconds), 500ms"), "{told}");
}

#[test]
fn networks_are_loaded_and_missing_ones_rejected() {
    let position = ["h8h9i9g7", "--nodes", "300", "--json"];
    let eval = |more: &[&str]| {
        let value = json(&[&position[..], more].concat(), b"");
        value["lines"][0]["eval"].to_string()
    };
    assert_ne!(eval(&[]), eval(&["--net", "none"]));
    let refused = run(&[&position[..], &["--net", "/no/such/file"]].concat(), b"");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("/no/such/file"));
}

/// Black has a four that is open at both ends.
const OPEN_FOUR: &str = "h8a1i8a3j8a5k8a7";

fn firsts(value: &Value) -> Vec<String> {
    let lines = value["lines"].as_array().unwrap().iter();
    lines.map(|line| line["moves"][0].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lines_follow_a_proven_win_and_a_forced_reply() {
    for position in [OPEN_FOUR, "h8g8i8a1j8a3k8"] {
        let value = json(&[position, "--nodes", "2000", "--lines", "4", "--json"], b"");
        assert_eq!(firsts(&value).len(), 4, "{value:#}");
    }
}

#[test]
fn moves_are_excluded_or_chosen() {
    let analyse = |options: &[&str]| {
        json(&[&[OPEN_FOUR, "--nodes", "2000", "--json"], options].concat(), b"")
    };
    let without = analyse(&["--without", "g8, L8"]);
    assert!(!firsts(&without).iter().any(|p| p == "g8" || p == "l8"), "{without:#}");
    assert_eq!(without["win"]["moves"], 2, "{without:#}");
    let only = analyse(&["--only", "l8,o15"]);
    assert_eq!(firsts(&only), ["l8", "o15"]);
    assert_eq!(analyse(&["--only", "l8,g8", "--without", "l8"])["best"], "g8");
    let rows = analyse(&["--only", "a8", "--rows", "top"]);
    assert_eq!(rows["best"], "a8");
}

#[test]
fn errors_of_chosen_moves_are_usage_errors() {
    for (options, reason) in [
        (&["--only", "h8"][..], "h8 is not empty"),
        (&["--only", "z9"], "z9 is off the 15x15 board"),
        (&["--without", "x"], "invalid moves"),
        (&["--only", "a15", "--without", "a15"], "leave no legal move"),
        (&["--bias", "3"], "--balance"),
        (&["--balance", "3"], "3 is not in 1..=2"),
    ] {
        let refused = run(&[&["h8i9"], options].concat(), b"");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && told.contains(reason), "{options:?} {told}");
    }
    let game = run(&["-", "--only", "a1"], b"(;GM[4]SZ[15];B[hh])");
    assert!(String::from_utf8_lossy(&game.stderr).contains("--only needs a single position"));
}

/// h8 is a double-three.
const DOUBLE_THREE: &str = "Black: h9 h10 i8 j8; White: a1 a3 a5 o1";

/// Black may only play e3, which makes an overline.
const ONLY_FORBIDDEN: &str = "(;GM[4]SZ[6:9]RU[renju]AB[ea][fa][bb][ac][ec][fc][ad][bd][dd][ed]\
    [fd][be][ce][de][af][df][ef][ag][bg][fg][ah][fh][bi][ci][di][ei]AW[aa][ba][ca][da][ab][cb][db]\
    [eb][fb][bc][cc][dc][cd][ae][ee][fe][bf][cf][ff][cg][dg][bh][ch][dh][eh][ai][fi]PL[B])";

#[test]
fn forbidden_moves_are_no_lines_and_lose_if_no_other_is_left() {
    let analyse = |options: &[&str]| {
        let position = [DOUBLE_THREE, "--rule", "renju", "--to-move", "black", "--nodes", "500"];
        run(&[&position, options].concat(), b"")
    };
    for (options, reason) in [
        (&["--only", "i9,h8"][..], "h8 is forbidden to Black: double-three"),
        (&["--only", "i9", "--without", "i9"], "leave no legal move"),
    ] {
        let refused = analyse(options);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && told.contains(reason), "{options:?} {told}");
    }
    assert_eq!(analyse(&["--without", "h8"]).status.code(), Some(0));
    let lost = json(&["-", "--nodes", "500", "--json"], ONLY_FORBIDDEN.as_bytes());
    assert_eq!((&lost["best"], &lost["lines"][0]["eval"]), (&"e3".into(), &"-M2".into()));
}

#[test]
fn a_game_that_a_forbidden_move_lost_says_so() {
    let sgf = b"(;GM[4]SZ[15]RU[renju];B[hf];W[aa];B[hg];W[ac];B[ih];W[ae];B[jh];W[oo];B[hh])";
    let text = String::from_utf8(run(&["-", "--nodes", "500"], sgf).stdout).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.ends_with(", White has won, because Black made a double-three"), "{text}");
    assert!(text.contains("\n   9. Black h8: made a double-three; better "), "{text}");
}

#[test]
fn balanced_stones_are_printed() {
    for (stones, count) in [("1", 1), ("2", 2)] {
        let options = ["h8i9", "--balance", stones, "--nodes", "3000"];
        let value = json(&[&options[..], &["--json"]].concat(), b"");
        assert_eq!(value["balance"].as_array().map(Vec::len), Some(count), "{value:#}");
        assert_eq!(value["balance"][0], value["best"]);
        let text = printed(&options, b"");
        assert!(text.contains("Closest to even: "), "{text}");
    }
    let value =
        json(&["h8i9", "--balance", "1", "--bias", "-100", "--nodes", "3000", "--json"], b"");
    let eval: i32 = value["lines"][0]["eval"].as_str().unwrap().parse().unwrap();
    assert!((-160..-40).contains(&eval), "{value:#}");
}
