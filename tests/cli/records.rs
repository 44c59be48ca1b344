//! End-to-end tests of `convert`, `analyze` and `explore`, and of help, completions and man pages.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::run::{printed, refused, run};

fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

const GAME: &str = "h8i9h9i10h10a1h11";

#[test]
fn conversions_round_trip() {
    let start = format!("{GAME}\n");
    let convert = |text: &str, from: &str, to: &str| {
        let arguments = ["convert", "-", "-", "--size", "20", "--from", from, "--to", to];
        printed(&arguments, text.as_bytes())
    };
    for format in ["sgf", "psq", "rec", "offset", "pos-top", "pos-bottom"] {
        let text = convert(&start, "pos-bottom", format);
        assert_eq!(convert(&text, format, "pos-bottom"), start, "{format}");
        let sgf = convert(&text, format, "sgf");
        assert_eq!(convert(&sgf, "sgf", format), text, "{format} through sgf");
        assert_eq!(convert(&text, format, format), text, "{format} to itself");
    }
}

#[test]
fn a_named_win_length_is_written_and_one_that_does_not_apply_is_reported() {
    let convert = |sgf: &[u8], options: &[&str]| {
        let outcome = run(&[&["convert", "-", "-", "--to", "sgf"], options].concat(), sgf);
        assert!(outcome.status.success(), "{outcome:?}");
        let [written, told] = [outcome.stdout, outcome.stderr];
        (String::from_utf8(written).unwrap(), String::from_utf8(told).unwrap())
    };
    let (open, renju) = (&b"(;GM[4]SZ[15];B[hh])"[..], &b"(;GM[4]SZ[15]RU[renju];B[hh])"[..]);
    let (written, told) = convert(open, &["--win", "3"]);
    assert!(written.contains("RU[freestyle 3]") && told.is_empty(), "{written} {told}");
    assert!(!convert(open, &[]).0.contains("RU["));
    let (written, told) = convert(renju, &["--win", "3"]);
    assert!(written.contains("RU[renju]"), "{written}");
    assert_eq!(told, "stdin: ignored --win 3: the file specifies renju\n");
}

#[test]
fn inputs_of_other_programs_are_read() {
    let psq = file("spaced.psq", b"Piskvorky 15x15 , 0 - 0\r\n8,8,0\r\n9,8,0\r\n-1\r\n");
    let list = printed(&["convert", &psq, "--list"], b"");
    assert_eq!(list, "   1  ? - ?, freestyle 15x15, 2 moves, no result\n");
    for text in ["1. H8 I9 2. I7 G9\n", "1. H8 I9\n2. I7 G9\n", "h8_i9_i7_g9", "h8-i9-i7-g9"] {
        let numbered = file("numbered.txt", text.as_bytes());
        assert_eq!(printed(&["convert", &numbered, "-", "--to", "pos"], b""), "h8i9i7g9\n");
    }
}

#[test]
fn match_records_are_named() {
    let record = file("record.jsonl", b"{\"kind\":\"match\",\"version\":\"0.3.0\"}\n");
    for arguments in [&["analyze", &record][..], &["convert", &record, "-", "--to", "sgf"]] {
        let error = refused(arguments, b"");
        assert!(error.contains("record.jsonl is a match record: explore reads it"), "{error}");
    }
}

#[test]
fn games_from_positions_are_converted() {
    let white = b"(;GM[4]FF[4]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa][oo]PL[W];W[ih];B[eh])";
    let (sgf, told) = converted(&["sgf", "--to", "sgf"], white);
    assert!(sgf.contains("AB[fh][gh][hh]AW[aa][oo]PL[W]") && told.is_empty(), "{sgf}{told}");
    let (list, _) = converted(&["sgf", "--to", "sgf"], white);
    let input = file("position.sgf", list.as_bytes());
    let list = printed(&["convert", &input, "--list"], b"");
    assert_eq!(list, "   1  ? - ?, renju 15x15, position of 5 stones, 2 moves, no result\n");
    // Three stones against two and White to move: they become moves.
    let (pos, told) = converted(&["sgf", "--to", "pos"], white);
    assert_eq!(pos.len(), "f8a15g8o1h8i8e8\n".len(), "{pos}");
    assert!(pos.ends_with("i8e8\n") && told.contains("wrote set-up stones as moves"), "{told}");
    // Without PL and with unequal counts.
    let uneven = b"(;GM[4]FF[4]SZ[15]AB[fh][gh][hh]AW[aa])";
    let (sgf, told) = converted(&["sgf", "--to", "sgf"], uneven);
    assert!(sgf.contains("AB[fh][gh][hh]AW[aa])"), "{sgf}");
    assert!(told.contains("the side to move is not specified: assuming White"), "{told}");
    let (sgf, told) = converted(&["sgf", "--to", "sgf", "--to-move", "black"], uneven);
    assert!(sgf.contains("AW[aa]PL[B])") && told.is_empty(), "{sgf}{told}");
    let even = b"(;GM[4]SZ[15]AB[hh]AW[aa])";
    let (sgf, _) = converted(&["sgf", "--to", "sgf", "--to-move", "white"], even);
    assert!(sgf.contains("AW[aa]PL[W])"), "{sgf}");
    let even = file("even.sgf", even);
    let list = printed(&["convert", &even, "--list", "--to-move", "white"], b"");
    assert_eq!(list.lines().count(), 1, "{list}");
    let found = printed(&["explore", &even, "--list", "--to-move", "white"], b"");
    assert_eq!(found.lines().count(), 1, "{found}");
    let error = refused(&["convert", "-", "-", "--from", "sgf", "--to", "psq"], uneven);
    assert!(error.contains("this format stores only moves from the empty board"), "{error}");
    // Libraries have passes.
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("uneven.lib");
    let out = out.to_str().unwrap();
    let output = run(&["convert", "-", out, "--from", "sgf"], uneven);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("wrote set-up stones as moves, with passes between them"), "{told}");
    let sgf = printed(&["convert", out, "-", "--to", "sgf"], b"");
    assert!(sgf.contains(";B[fh];W[aa];B[gh];W[];B[hh])"), "{sgf}");
    // Games that the format cannot store are skipped.
    let both = [&uneven[..], b"(;GM[4];B[hh])"].concat();
    let (pos, told) = converted(&["sgf", "--to", "pos"], &both);
    assert!(pos == "h8\n" && told.contains("skipped 1 of 2 games, first game 1: this format"));
    // Two moves of one colour in a row.
    let (sgf, told) = converted(&["sgf", "--to", "sgf"], b"(;GM[4];B[hh];B[ii];W[gg])");
    assert!(sgf.contains(";B[hh];B[ii];W[gg])"), "{sgf}");
    assert!(told.contains("move 2 of Black is out of turn"), "{told}");
    // The numbers of the notes are those of the file.
    let club = b"(;GM[4];B[hh])(;GM[4]AB[x])(;GM[4]PB[A];B[hh](;W[ii])(;B[ii]))(;GM[4]PB[A];B[aa])";
    for (options, name) in [
        (&[][..], "stdin, game 3: move 2"),
        (&["--player", "a"], "stdin, game 3: move 2"),
        (&["--lines"], "stdin, line 3: move 2"),
    ] {
        let (_, told) = converted(&[&["sgf", "--to", "sgf"], options].concat(), club);
        assert!(told.contains(name), "{told}");
    }
}

#[test]
#[cfg(unix)]
fn pipes_are_read_by_their_names() {
    let game = b"(;GM[4]SZ[15]RU[freestyle];B[hh];W[ii];B[gg])";
    let arguments = ["analyze", "/dev/stdin", "--nodes", "100"];
    assert!(printed(&arguments, game).contains("freestyle 15x15"));
    let many = [&arguments[..], &["--jobs", "1"]].concat();
    assert!(!printed(&many, game).is_empty());
    let problem = b"(;GM[4]SZ[15]AB[fh][gh][hh]AW[aa][oo][oa]PL[B])";
    assert!(printed(&["solve", "/dev/stdin"], problem).starts_with("Black wins in 2 moves"));
    let club = file("at-pipe.sgf", game);
    let found = printed(&["explore", &club, "--list", "--at", "/dev/stdin"], b"h8 i7");
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn positions_of_text_and_files_are_solved() {
    // An open three for Black; a simple four for White, who is to move in the second.
    let text = printed(&["solve", "f8a1g8a15h8o1"], b"");
    assert!(text.starts_with("Black wins in 2 moves\nline: "), "{text}");
    let problems = b"(;GM[4]SZ[15]AB[fh][gh][hh]AW[aa][oo][oa]PL[B])\
        (;GM[4]SZ[15]AB[fh][gh][hh]AW[aa][ba][ca][da]PL[W])(;GM[4]SZ[15];B[hh])(;GM[4]AB[x])";
    let input = file("problems.sgf", problems);
    let output = run(&["solve", &input, "--time", "200"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("   1  Black wins in 2 moves: "), "{text}");
    assert!(text.contains("   2  White wins in 1 move: e15\n"), "{text}");
    assert!(text.contains("   3  no forced win found for White: "), "{text}");
    assert!(text.contains("\n3 problems: 2 won in up to 2 moves, 1 open; "), "{text}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("skipped 1 of 4 problems, first problem 4: set-up stones"), "{told}");
    let one = printed(&["solve", &input, "--game", "2", "--json"], b"");
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(
        (&one["problem"], &one["moves"], &one["line"][0]),
        (&2.into(), &1.into(), &"e15".into())
    );
    let unspecified = b"(;GM[4]SZ[15]AB[fh][gh][hh]AW[aa][ba][ca][da])";
    let white = printed(&["solve", "-", "--to-move", "white"], unspecified);
    assert!(white.starts_with("White wins in 1 move\nline: e15"), "{white}");
    assert!(refused(&["solve", "missing.sgf"], b"").contains("no such file: missing.sgf"));
}

#[test]
fn go_files_are_read_if_the_user_says_so() {
    let go = b"(;FF[4]GM[1]SZ[19]AP[Sabaki:0.52.2]CA[UTF-8]RU[Japanese];B[jj];W[kk];B[ii])";
    let input = file("go.sgf", go);
    let to = ["convert", &input, "-", "--to", "pos"];
    let error = refused(&to, b"");
    assert!(error.contains("unsupported SGF game GM[1]: expected GM[4]"), "{error}");
    assert!(error.contains("; name the rule with --rule to read it"), "{error}");
    assert!(refused(&["explore", &input], b"").contains("name the rule with --rule"));
    for said in [&["--rule", "freestyle"][..], &["--from", "sgf"]] {
        assert_eq!(printed(&[&to[..], said].concat(), b""), "j10k9i11\n");
    }
    let explored = printed(&["explore", &input, "--rule", "standard", "--size", "19"], b"");
    assert!(explored.starts_with("1 line with 4 positions"), "{explored}");
    assert!(!explored.contains("do not state the rule"), "{explored}");
    let unstated = file("unstated.pos", b"h8i9\n");
    let explored = printed(&["explore", &unstated], b"");
    assert!(explored.contains("Games that do not state the rule count as freestyle"), "{explored}");
    let stated = file("stated.sgf", b"(;GM[4]RU[renju];B[hh])");
    let explored = printed(&["explore", &stated, "--json", "--rule", "renju"], b"");
    assert!(explored.contains("\"assumed_rule\": null"), "{explored}");
    let analysed = printed(&["analyze", &input, "--rule", "standard", "--nodes", "100"], b"");
    assert!(analysed.contains("standard 19x19"), "{analysed}");
}

#[test]
fn positions_of_other_boards_are_read() {
    let renlib = file("renlib.pos", b"\x05\x70\x62\x80\x60\x72");
    let pos = printed(&["convert", &renlib, "-", "--to", "pos"], b"");
    assert_eq!(pos, "h8i9i7g9j8\n");
    let back = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("back.bin");
    let back = back.to_str().unwrap();
    printed(&["convert", &renlib, back, "--to", "pos-binary"], b"");
    assert_eq!(std::fs::read(back).unwrap(), b"\x05\x70\x62\x80\x60\x72");
    let saved = file("game.sav", b"15\n15\n2\n7 7\n6 8\n");
    assert_eq!(printed(&["convert", &saved, "-", "--to", "pos"], b""), "h8i9\n");
    let drawn = file("drawn.txt", b"White to move:\n.....\n.XX..\n..O..\n.....\n");
    let sgf = printed(&["convert", &drawn, "-", "--to", "sgf"], b"");
    assert!(sgf.contains("SZ[5:4]") && sgf.contains("AB[bb][cb]AW[cc]PL[W])"), "{sgf}");
}

const DATABASE: &[u8] = br#"<?xml version="1.0" encoding="ISO-8859-1"?>
<database><rules><rule id="1" name="RIF"><info/></rule></rules>
<openings><opening id="1" name="Kagetsu" abbr="4d"/></openings>
<players><player id="1" name="Ann" surname="One"/><player id="2" name="Bob" surname="T&#248;"/></players>
<tournaments><tournament id="1" name="Cup" year="2020" start="2020-01-01" rule="1"/></tournaments>
<games><game id="1" tournament="1" round="1" rule="1" black="1" white="2" bresult="1" opening="1">
<move>h8 h9 i9 i7 g10 g9 f9 i10 h11 j9 k8</move><info></info></game>
<game id="2" tournament="1" rule="1" black="2" white="1" bresult="0.5" opening="1">
<move>h8 h9 j8 i7</move></game></games></database>"#;

#[test]
fn databases_of_renjunet_are_listed_and_explored() {
    let input = file("sample.rif", DATABASE);
    let list = printed(&["convert", &input, "--list"], b"");
    let lines: Vec<&str> = list.lines().collect();
    let first = "   1  Ann One - Bob T\u{f8}, Cup, 2020-01-01, Kagetsu (4d), renju 15x15, 11 moves, Black won";
    assert_eq!(lines[0], first);
    assert!(lines[1].ends_with("4 moves, a draw") && lines.len() == 2, "{list}");
    let told = printed(&["explore", &input, "--rule", "renju", "--at", "h8h9", "--json"], b"");
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["here"]["lines"], &told["here"]["black"]), (&2.into(), &1.into()));
    assert_eq!(told["here"]["draws"], 1);
    let error = refused(&["convert", &input, "-", "--to", "rif"], b"");
    assert!(error.contains("rif files can only be read"), "{error}");
}

#[test]
fn malformed_games_of_a_database_are_skipped_with_their_position() {
    let text = String::from_utf8_lossy(DATABASE);
    let bad = text.replace("h8 h9 j8 i7</move></game>", "h8 < h9</move></game><game id='9'/>");
    let bad = bad.as_bytes();
    let input = file("malformed.rif", bad);
    let list = printed(&["convert", &input, "--list"], b"");
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].ends_with("11 moves, Black won") && lines.len() == 3, "{list}");
    let error = "   2  cannot be read: line 9, column 10: invalid tag '< h9': expected '>'";
    assert!(lines[1].starts_with(error), "{list}");
    let explored = run(&["explore", &input, "--rule", "renju"], b"");
    assert!(String::from_utf8_lossy(&explored.stdout).starts_with("2 lines with 12 positions"));
    let told = String::from_utf8_lossy(&explored.stderr).into_owned();
    assert!(told.contains("skipped 1 of 3 games, first game 2: line 9, column 10"), "{told}");
    // A pipe is read as well, and so is a file without a known name.
    let piped = printed(&["convert", "-", "--list"], bad);
    assert_eq!(piped, list);
    let unnamed = file("malformed-database", bad);
    assert_eq!(printed(&["convert", &unnamed, "--list"], b""), list);
}

#[test]
fn renju_openings_are_named() {
    // The same opening in two orientations, another one, and one with a name of its own.
    let games = "(;GM[4]SZ[15]RU[renju]ON[My kagetsu];B[hh];W[hg];B[ig])\
        (;GM[4]SZ[15]RU[renju];B[hh];W[ih];B[ii];W[aa])\
        (;GM[4]SZ[15]RU[renju];B[hh];W[hg];B[if])(;GM[4]SZ[15]RU[renju]ON[D13];B[hh];W[gg];B[jj])";
    let input = file("named-openings.sgf", games.as_bytes());
    let list = printed(&["convert", &input, "--list"], b"");
    let words: Vec<&str> = list.lines().map(|line| line[6..].trim()).collect();
    assert_eq!(
        words,
        [
            "? - ?, My kagetsu, renju 15x15, 3 moves, no result",
            "? - ?, D4 Kagetsu (花月), renju 15x15, 4 moves, no result",
            "? - ?, D2 Keigetsu (渓月), renju 15x15, 3 moves, no result",
            "? - ?, D13, I13 Suisei (彗星), renju 15x15, 3 moves, no result",
        ]
    );
    let at = |moves: &str, option: &str| {
        printed(&["explore", &input, "--rule", "renju", "--at", moves, option], b"")
    };
    let next = at("h8h9", "--no-index");
    assert!(next.contains("        0        0        0  D4 Kagetsu (花月)\n"), "{next}");
    assert!(next.contains("  D2 Keigetsu (渓月)\n") && !next.contains("Opening:"), "{next}");
    let here = at("h8i8i7", "--no-index");
    assert!(here.contains("\n\nOpening: D4 Kagetsu (花月)\n\n"), "{here}");
    let value: Value = serde_json::from_str(&at("h8i8", "--json")).unwrap();
    assert_eq!(
        (&value["opening"], &value["next"][0]["opening"]["code"]),
        (&Value::Null, &"D4".into())
    );
    let value: Value = serde_json::from_str(&at("h8i8i7o1", "--json")).unwrap();
    let opening = serde_json::json!({ "code": "D4", "name": "Kagetsu", "japanese": "花月" });
    assert_eq!(value["opening"], opening);
    let position = ["analyze", "h8i8i7", "--rule", "renju", "--nodes", "1000"];
    let text = printed(&position, b"");
    assert!(text.contains("White to move, renju.\nOpening: D4 Kagetsu (花月)\n\n"), "{text}");
    let value: Value =
        serde_json::from_str(&printed(&[&position[..], &["--json"]].concat(), b"")).unwrap();
    assert_eq!(value["opening"], opening);
    let game = ["analyze", &input, "--game", "2", "--nodes", "1000"];
    let text = printed(&game, b"");
    assert!(text.contains(" renju 15x15\nOpening: D4 Kagetsu (花月)\n\n"), "{text}");
    let value: Value =
        serde_json::from_str(&printed(&[&game[..], &["--json"]].concat(), b"")).unwrap();
    assert_eq!(value["opening"], opening);
}

#[test]
fn games_are_searched_by_player_event_year_result_and_position() {
    let games = "(;GM[4]SZ[15]RU[renju]PB[Tom\u{e1}\u{161} One]PW[Bob Two]EV[World Cup]DT[2010-05-01]RE[B+];B[hh];W[hg];B[ig])\
        (;GM[4]SZ[15]RU[renju]PB[Bob Two]PW[TOMAS One]EV[Club]DT[2012]RE[B+];B[hh];W[ih];B[ii];W[aa])\
        (;GM[4]SZ[95])(;GM[4]SZ[15]PB[Ann]PW[Bob Two]DT[2015]RE[0];B[hh];W[hg];B[if])";
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("searched-cli");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let input = folder.join("club.sgf");
    std::fs::write(&input, games).unwrap();
    std::fs::write(folder.join("data.rif"), DATABASE).unwrap();
    let (input, folder) = (input.to_str().unwrap(), folder.to_str().unwrap());
    let numbers = |command: &str, options: &[&str]| -> Vec<usize> {
        let told = run(&[&[command, input, "--list"], options].concat(), b"");
        assert!(told.status.success(), "{told:?}");
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        told.lines().map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect()
    };
    for (options, expected) in [
        (&["--player", "tomas"][..], &[1, 2][..]),
        (&["--player", "one t"], &[1, 2]),
        (&["--player", "bob", "--player", "ann"], &[4]),
        (&["--player", "bob", "--result", "win"], &[2]),
        (&["--player", "bob", "--result", "loss"], &[1]),
        (&["--result", "draw"], &[4]),
        (&["--result", "white"], &[]),
        (&["--event", "CUP world"], &[1]),
        (&["--year", "2011..2015"], &[2, 4]),
        (&["--year", "..2011", "--result", "black"], &[1]),
        (&["--at", "h8i8i7"], &[1, 2]),
        (&["--at", "h8g8", "--year", "2012.."], &[2, 4]),
    ] {
        for command in ["explore", "convert"] {
            assert_eq!(numbers(command, options), expected, "{command} {options:?}");
        }
    }
    // The moves of the games that are found, and the games.
    let told =
        printed(&["explore", input, "--rule", "renju", "--player", "bob two", "--at", "h8"], b"");
    assert!(
        told.starts_with("Found 3 of 3 games.\n3 lines with 6 positions in 1 file\n"),
        "{told}"
    );
    assert!(
        told.contains("\n     1  Tom\u{e1}\u{161} One - Bob Two, World Cup, 2010-05-01"),
        "{told}"
    );
    let told = printed(&["explore", input, "--player", "bob", "--top", "1"], b"");
    assert!(told.ends_with("\nand 2 more: --list lists all of them\n"), "{told}");
    assert_eq!(printed(&["explore", input, "--player", "nobody"], b""), "Found 0 of 3 games.\n");
    let told = printed(&["explore", input, "--event", "club", "--rule", "renju", "--json"], b"");
    let value: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&value["found"], &value["games"], &value["lines"]),
        (&1.into(), &3.into(), &1.into())
    );
    let first = &value["first"][0];
    assert_eq!((&first["number"], &first["moves"]), (&2.into(), &"h8i8i7a15".into()));
    assert_eq!((&first["result"], &first["opening"]["code"]), (&"black".into(), &"D4".into()));
    let lines = printed(
        &["explore", folder, "--list", "--json", "--year", "2020..", "--result", "draw"],
        b"",
    );
    let value: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!((&value["number"], &value["event"]), (&2.into(), &"Cup".into()));
    let text = printed(&["explore", folder, "--list", "--player", "ann"], b"");
    assert!(
        text.contains("data.rif:1  Ann One - Bob T\u{f8}") && text.lines().count() == 3,
        "{text}"
    );
    // The games that are found are written.
    let sgf =
        printed(&["convert", input, "-", "--to", "sgf", "--player", "one", "--year", "2012"], b"");
    assert!(sgf.contains("PW[TOMAS One]") && sgf.matches("GM[4]").count() == 1, "{sgf}");
    let none = refused(&["convert", input, "-", "--to", "sgf", "--player", "nobody"], b"");
    assert!(none.contains("contains no game that fits the search"), "{none}");
    let listed = run(&["convert", input, "--list", "--player", "nobody"], b"");
    let told = String::from_utf8_lossy(&listed.stderr).into_owned();
    assert!(listed.status.success() && told.contains("no game fits the search"), "{told}");
    for (options, error) in [
        (&["--result", "win"][..], "add --player NAME"),
        (&["--player", "a", "--player", "b", "--player", "c"], "a game has two players"),
        (&["--player", "-"], "invalid --player \"-\": expected at least one word"),
        (&["--year", "20x"], "invalid years '20x'"),
        (&["--at", "h8h8"], "occupied by Black"),
    ] {
        for command in ["explore", "convert"] {
            let told = run(&[&[command, input, "--list"], options].concat(), b"");
            assert_eq!(told.status.code(), Some(2), "{command} {options:?}");
            assert!(String::from_utf8_lossy(&told.stderr).contains(error), "{told:?}");
        }
    }
}

#[test]
fn large_files_get_an_index_unless_it_is_switched_off() {
    let padding = format!("# {}\n", "-".repeat(60)).repeat(5 << 14);
    let input = file("large.pos", format!("{padding}h8h9i9\n{padding}").as_bytes());
    let changed = std::time::SystemTime::now() - Duration::from_secs(100);
    std::fs::File::options().write(true).open(&input).unwrap().set_modified(changed).unwrap();
    let index = PathBuf::from(format!("{input}.kakugo-index"));
    let _ = std::fs::remove_file(&index);
    let plain = printed(&["explore", &input, "--no-index"], b"");
    assert!(plain.starts_with("1 line with 4 positions in 1 file") && !index.exists(), "{plain}");
    assert_eq!(printed(&["explore", &input], b""), plain);
    assert!(index.exists());
    assert_eq!(printed(&["explore", &input], b""), plain);
    let folder = PathBuf::from(&input).with_file_name("indexed");
    std::fs::create_dir_all(&folder).unwrap();
    // An index is not a game file.
    std::fs::rename(&index, folder.join("large.pos.kakugo-index")).unwrap();
    std::fs::rename(&input, folder.join("large.pos")).unwrap();
    assert_eq!(printed(&["explore", folder.to_str().unwrap()], b""), plain);
}

#[test]
fn row_order_is_selected_by_format_or_option() {
    let link = printed(&["convert", "-", "-", "--to", "link", "--rule", "renju"], b"h8i9--i7\n");
    assert_eq!(link, "#p=15x15,renju,5,h8i9--i7\n");
    let again = printed(&["convert", "-", "-", "--to", "sgf"], link.as_bytes());
    assert!(again.contains("RU[renju]") && again.contains(";B[hh];W[ig];B[];W[ii]"), "{again}");
    let listed = printed(&["convert", "-", "-", "--to", "sgf"], b"Black: h8 g8\nWhite: i9\n");
    assert!(listed.contains("AB[gh][hh]") && listed.contains("AW[ig]"), "{listed}");
    // Moves and drawn boards on stdin need no format.
    for text in ["b2c3", "1. B2 C3", "b2_c3"] {
        let sgf = printed(&["convert", "-", "-", "--to", "sgf"], text.as_bytes());
        assert!(sgf.contains(";B[bn];W[cm]"), "{text}: {sgf}");
    }
    let drawn =
        printed(&["convert", "-", "-", "--to", "sgf"], b".....\n.XO..\n...X.\n.....\n.....\n");
    assert!(drawn.contains("AB[bb][dc]") && drawn.contains("AW[cb]"), "{drawn}");
    let up = printed(&["convert", "-", "-", "--from", "pos-bottom", "--to", "pos-top"], b"a1b2");
    assert_eq!(up, "a15b14\n");
    let in_file = file("rows.pos", b"a1b2");
    let rows = ["convert", &in_file, "-", "--to", "pos", "--rows", "top", "--rows-out", "bottom"];
    assert_eq!(printed(&rows, b""), "a15b14\n");
}

/// Returns a library of h8 with the variations i9 and i8.
fn two_lines() -> Vec<u8> {
    let mut library = b"\xFFRenLib\xFF\x03\x00".to_vec();
    library.extend([0xFF; 10]);
    library.extend([0x00, 0x00, 0x78, 0x00, 0x69, 0xC0, 0x79, 0x40]);
    library
}

#[test]
fn libraries_convert_to_a_tree_or_to_lines() {
    let input = file("two.lib", &two_lines());
    let sgf = printed(&["convert", &input, "-", "--to", "sgf", "--rule", "renju"], b"");
    assert_eq!(sgf.matches("GM[4]").count(), 1, "{sgf}");
    assert!(sgf.contains("RU[renju]") && sgf.contains("(;W[ig])") && sgf.contains("(;W[ih])"));
    let lines = ["convert", &input, "-", "--lines", "--to"];
    assert_eq!(printed(&[&lines[..], &["pos"]].concat(), b""), "h8i9\nh8i8\n");
    let second = printed(&[&lines[..], &["pos", "--game", "2"]].concat(), b"");
    assert_eq!(second, "h8i8\n");
    let both = refused(&[&lines[..], &["psq"]].concat(), b"");
    assert!(both.contains("files store one game, not 2: select one with --game N"), "{both}");
    assert!(refused(&[&lines[..], &["pos", "--game", "3"]].concat(), b"").contains("2 lines"));
    // Convert back: the newest version of the format, with the same moves.
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("again.lib");
    let out = out.to_str().unwrap();
    printed(&["convert", "-", out, "--from", "sgf"], sgf.as_bytes());
    assert_eq!(printed(&["convert", out, "-", "--lines", "--to", "pos"], b""), "h8i9\nh8i8\n");
    assert_eq!(std::fs::read(out).unwrap()[..10], *b"\xFFRenLib\xFF\x03\x04");
}

#[cfg(unix)]
#[test]
fn file_names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let name = OsStr::from_bytes(b"caf\xe9.sgf");
    let input = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Not every file system stores such a name.
    if std::fs::write(&input, b"(;GM[4]SZ[15]RU[renju];B[hh])").is_err() {
        return;
    }
    for arguments in [&["convert", "--list"][..], &["solve", "--nodes", "50"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        let output = command.args(arguments).arg(&input).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "{arguments:?}: {told}");
    }
}

#[cfg(unix)]
#[test]
fn a_failed_write_leaves_the_old_file() {
    let input = file("kept.sgf", b"(;GM[4];B[hh])");
    let program = env!("CARGO_BIN_EXE_pbrain-kakugo");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} convert {input} {input}");
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("writing"), "{told}");
    assert_eq!(std::fs::read(&input).unwrap(), b"(;GM[4];B[hh])");
}

#[test]
fn losses_of_conversion_are_reported() {
    let input = file("branched.lib", &two_lines());
    let output = run(&["convert", &input, "-", "--to", "psq"], b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{told}");
    assert!(told.contains("omitted 1 variation (--lines"), "{told}");
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().nth(2), Some("9,7,0"));
    let commented = b"(;GM[4]RE[W+overline];B[hh]C[good](;W[hi])(;W[gi];B[aa]))";
    let output = run(&["convert", "-", "-", "--from", "sgf", "--to", "pos"], commented);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("omitted 1 variation")
            && told.contains("omitted the result, comments and marks (not part of pos-bottom"),
        "{told}"
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "h8h7\n");
    // Lossless conversions print no notes.
    let output = run(&["convert", "-", "-", "--from", "sgf", "--to", "sgf"], commented);
    assert!(output.stderr.is_empty());
    let sgf = String::from_utf8(output.stdout).unwrap();
    assert!(sgf.contains("RE[W+overline]") && sgf.contains("C[good]"), "{sgf}");
    assert!(sgf.contains("(;W[hi])") && sgf.contains("(;W[gi];B[aa])"), "{sgf}");
}

#[test]
fn collections_are_listed_and_games_selected() {
    let collection = b"(;GM[4]PB[Ann]PW[Bob]DT[2026-11-22]RE[B+T];B[hh])
        (;GM[4]RU[renju]EV[Cup];B[hh](;W[hi];B[aa])(;W[gi]))";
    let input = file("two.sgf", collection);
    assert_eq!(
        printed(&["convert", &input, "--list"], b""),
        "   1  Ann - Bob, 2026-11-22, freestyle 15x15, 1 move, Black won on time\n   \
         2  ? - ?, Cup, renju 15x15, 3 moves, 2 lines, no result\n"
    );
    let second = ["convert", &input, "-", "--to", "pos", "--game", "2"];
    assert_eq!(printed(&second, b""), "h8h7a15\n");
    let third = ["convert", &input, "-", "--to", "pos", "--game", "3"];
    assert!(refused(&third, b"").contains("2 games (see --list)"));
    assert!(refused(&["convert", &input], b"").contains("OUTPUT"));
}

fn converted(arguments: &[&str], input: &[u8]) -> (String, String) {
    let output = run(&[&["convert", "-", "-", "--from"], arguments].concat(), input);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {told}");
    (String::from_utf8(output.stdout).unwrap(), told)
}

#[test]
fn invalid_games_of_a_collection_are_skipped() {
    let club =
        b"(;GM[4]PB[A];B[hh];W[hi])(;GM[4]AB[h];B[ii])(;GM[4]PB[C];B[hh];W[hh])(;GM[4]PB[D];B[aa])";
    let input = file("club.sgf", club);
    let listed = printed(&["convert", &input, "--list"], b"");
    let lines: Vec<&str> = listed.lines().collect();
    let invalid = "set-up stones (AB): invalid point 'h': expected two letters such as hh";
    assert_eq!(lines[1], format!("   2  cannot be read: {invalid}"));
    assert!(
        lines[2].ends_with("no result; cannot be played: move 2: the point is occupied by Black")
    );
    assert!(lines.len() == 4 && lines[3].starts_with("   4  D - ?"), "{listed}");
    let (pos, told) = converted(&["sgf", "--to", "pos"], club);
    assert_eq!(pos, "h8h7\na15\n");
    assert!(told.contains("skipped 2 of 4 games, first game 2: set-up"), "{told}");
    let (pos, told) = converted(&["sgf", "--to", "pos", "--game", "4"], club);
    let names = "stdin: omitted names (not part of pos-bottom files)\n";
    assert_eq!((&*pos, &*told), ("a15\n", names));
    let second = refused(&["convert", &input, "-", "--to", "pos", "--game", "2"], b"");
    assert!(second.contains("club.sgf, game 2") && second.contains("set-up stones"), "{second}");
    let third = refused(&["convert", &input, "-", "--to", "pos", "--game", "3"], b"");
    assert!(third.contains("game 3") && third.contains("move 2"), "{third}");
    let none = refused(&["convert", "-", "-", "--from", "sgf", "--to", "pos"], b"(;GM[4]AB[h])");
    assert!(none.contains("game 1") && none.contains("set-up stones"), "{none}");
}

#[test]
fn truncation_at_a_pass_is_reported() {
    let passed = b"(;GM[4]RE[W+R];B[hh];W[hi];B[];W[jj];B[ii])";
    let (pos, told) = converted(&["sgf", "--to", "pos"], passed);
    assert_eq!(pos, "h8h7\n");
    assert!(told.contains("omitted the moves after the pass (move 3)"), "{told}");
    let (_, told) = converted(&["sgf", "--to", "pos", "--lines"], passed);
    assert!(told.contains("omitted the moves after a pass"), "{told}");
    let (sgf, told) = converted(&["sgf", "--to", "sgf"], passed);
    assert!(sgf.contains("B[];W[jj]") && told.is_empty(), "{told}");
    let (sgf, told) = converted(&["sgf", "--to", "sgf", "--lines"], passed);
    assert!(sgf.contains("B[];W[jj];B[ii]") && told.is_empty(), "{told}");
    let (_, told) = converted(&["sgf", "--to", "pos"], b"(;GM[4];B[hh];W[hi];B[])");
    assert_eq!(told, "");
}

#[test]
fn lines_are_counted_and_illegal_ones_skipped() {
    // Black makes five, but a variation continues after it.
    let five =
        b"(;GM[4];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db](;B[ee])(;B[ea];W[ii])(;B[fa]))";
    let (pos, told) = converted(&["sgf", "--to", "pos", "--lines"], five);
    assert_eq!(pos.lines().count(), 2, "{pos}");
    assert!(told.contains("skipped 1 of 3 lines, first line 2: move 10"), "{told}");
    assert!(told.contains("already over under freestyle (see --rule)"), "{told}");
    let (pos, _) = converted(&["sgf", "--to", "pos", "--lines", "--game", "3"], five);
    assert!(pos.ends_with("f15\n"), "{pos}");
    // Thousands of lines after a move with a long comment.
    let comment = "x".repeat(1 << 20);
    let branches: String = (0..2000).map(|i| format!("(;W[aa]C[{i}])")).collect();
    let large = format!("(;GM[4];B[hh]C[{comment}]{branches})");
    let (pos, told) = converted(&["sgf", "--to", "pos", "--lines"], large.as_bytes());
    assert_eq!((pos.lines().count(), pos.lines().last()), (2000, Some("h8a15")));
    assert!(told.contains("omitted comments and marks"), "{told}");
    let (sgf, _) = converted(&["sgf", "--to", "sgf", "--lines", "--game", "7"], large.as_bytes());
    assert!(sgf.contains("C[6]") && sgf.len() < 2 << 20);
    let all = ["convert", "-", "-", "--from", "sgf", "--to", "sgf", "--lines"];
    assert!(refused(&all, large.as_bytes()).contains("too many lines"));
}

#[test]
fn losses_of_library_conversion_are_reported() {
    let told = |game: &str| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lost.lib");
        let output =
            run(&["convert", "-", out.to_str().unwrap(), "--from", "sgf"], game.as_bytes());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let all = told("(;GM[4]PB[A]RU[renju]RE[W+R];B[hh]MS[7]SQ[hh])");
    assert!(all.contains("names, the result, the rule, times, marks other than labels"), "{all}");
    assert_eq!(told("(;GM[4];B[hh]TR[hh]LB[aa:1]C[good](;W[hi])(;W[gi]))"), "");
}

#[test]
fn rec_files_use_the_size_option() {
    let rec = b"A\nB\n0,0,0\n14,14,10\n-1\n";
    let (sgf, _) = converted(&["rec", "--to", "sgf", "--size", "15"], rec);
    assert!(sgf.contains("SZ[15]") && sgf.contains("W[oo]"), "{sgf}");
    assert!(converted(&["rec", "--to", "sgf"], rec).0.contains("SZ[20]"));
    let small = ["convert", "-", "-", "--from", "rec", "--to", "sgf", "--size", "14"];
    assert!(refused(&small, rec).contains("move '14,14,10' is off the 14x14 board"));
    let large = b"A\nB\n22,3,0\n-1\n";
    let (sgf, _) = converted(&["rec", "--to", "sgf", "--size", "25"], large);
    assert!(sgf.contains("SZ[25]") && sgf.contains("B[wd]"), "{sgf}");
    let input = file("size15.rec", rec);
    let explored = |options: &[&str]| {
        let text = printed(&[&["explore", &input, "--json"], options].concat(), b"");
        let value: Value = serde_json::from_str(&text).unwrap();
        value["kinds"][0]["size"].as_str().unwrap().to_owned()
    };
    assert_eq!((explored(&["--size", "15"]), explored(&[])), ("15x15".into(), "20x20".into()));
}

#[test]
fn options_supply_missing_sgf_properties() {
    let told = ["sgf", "--to", "sgf", "--size", "19", "--rule", "renju"];
    let (sgf, _) = converted(&told, b"(;GM[4];B[rr];W[hi])");
    assert!(sgf.contains("SZ[19]RU[renju]") && sgf.contains("B[rr]"), "{sgf}");
}

#[test]
fn libraries_keep_comments_texts_and_marks() {
    // h8 with a comment and the variations i9 and i8. Below i9: a text for the point h9, then the
    // move h9. g7 has a mark and a comment of two lines.
    let nodes: [&[u8]; 9] = [
        b"\x00\x00",
        b"\x78\x08the centre\0\0",
        b"\x69\x80",
        b"\x68\xC3\x00\x01A\0",
        b"\x68\x00",
        b"\x87\x58one\x08two\0",
        b"\x79\x01\x00\x01B\0",
        b"\x88\x04",
        b"\x97\x40",
    ];
    let header = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    let library = [&header[..], &nodes.concat()].concat();
    let input = file("full.lib", &library);
    let lines = ["convert", &input, "-", "--lines", "--to", "pos"];
    assert_eq!(printed(&lines, b""), "h8i9h9g7\nh8i8h7g6\n");
    let sgf = printed(&["convert", &input, "-", "--to", "sgf"], b"");
    for kept in ["C[the centre]", "C[one\ntwo]", "LB[hg:A]", "LB[ih:B]", "TR[gi]"] {
        assert!(sgf.contains(kept), "{kept} is not in\n{sgf}");
    }
    // Nothing is lost when it is written again; texts without a move follow the moves.
    let again = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("full-again.lib");
    printed(&["convert", "-", again.to_str().unwrap(), "--from", "sgf"], sgf.as_bytes());
    let bytes = std::fs::read(&again).unwrap();
    for node in [&b"\x78\x08the centre\0\0"[..], b"\x87\x58one\x08two\0", b"\x79\x01\x00\x01B\0"] {
        assert!(bytes.windows(node.len()).any(|part| part == node), "{node:?} in {bytes:?}");
    }
    assert!(bytes.windows(2).any(|part| part == b"\x88\x04"), "the start flag");
}

#[test]
fn invalid_input_is_reported_and_nothing_is_written() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never.sgf");
    let _ = std::fs::remove_file(&out);
    let out_name = out.to_str().unwrap();
    let twice = file("twice.pos", b"h8h8");
    let error = refused(&["convert", &twice, out_name], b"");
    assert!(error.contains("twice.pos, game 1") && error.contains("move 2"), "{error}");
    assert!(!out.exists());
    let strange = file("strange.xyz", b"h8h9");
    let of_input = refused(&["convert", &strange, "-", "--to", "sgf"], b"");
    assert!(of_input.contains("strange.xyz\": specify it with --from\n"), "{of_input}");
    let of_stdin = refused(&["convert", "-", "-", "--to", "sgf"], b"nothing");
    assert!(of_stdin.contains("stdin, game 1: "), "{of_stdin}");
    let of_output = refused(&["convert", "-", "-", "--from", "sgf"], b"(;GM[4];B[hh])");
    assert!(of_output.contains("unknown format of stdout: specify it with --to\n"), "{of_output}");
    assert!(
        refused(&["convert", "-", "-", "--from", "doc", "--to", "sgf"], b"")
            .contains("unknown format \"doc\"")
    );
    let small = ["convert", "-", "-", "--from", "pos", "--to", "rec"];
    assert!(refused(&small, b"h8").contains("20x20"));
    assert!(refused(&["convert", "missing.sgf", "-", "--to", "psq"], b"").contains("missing.sgf"));
}

#[test]
fn formats_are_detected_from_content_without_an_extension() {
    let sgf = b"(;GM[4]SZ[15];B[hh];W[ii])";
    let nameless = file("nameless", sgf);
    for (input, bytes) in [(&*nameless, &b""[..]), ("-", sgf)] {
        assert_eq!(printed(&["convert", input, "-", "--to", "pos"], bytes), "h8i7\n");
    }
    let psq = file("psq.sgf", b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\na\nb\n-1\n");
    for command in [&["convert", &*psq, "-", "--to", "pos"][..], &["analyze", &psq]] {
        let error = refused(command, b"");
        assert!(
            error.contains("no SGF game found; the file looks like psq: try --from psq"),
            "{error}"
        );
    }
    assert_eq!(printed(&["convert", &psq, "-", "--from", "psq", "--to", "pos"], b""), "h8i7\n");
    let unknown = file("unknown", b"h8i7");
    let output = run(&["convert", &unknown, "-", "--to", "sgf"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn folders_without_games_are_rejected() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a-folder");
    std::fs::create_dir_all(&folder).unwrap();
    let game = file("beside-a-folder.pos", b"h8");
    let name = folder.to_str().unwrap();
    let no_games = " contains no game files\n";
    let no_file = " is a folder: expected a file\n";
    let commands: [(&[&str], &str); 4] = [
        (&["analyze", name], no_games),
        (&["analyze", "src"], no_games),
        (&["convert", name, "-", "--to", "sgf"], no_file),
        (&["convert", &game, name], no_file),
    ];
    for (command, expected) in commands {
        let output = run(command, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(error.ends_with(expected), "{command:?}: {error}");
    }
}

#[test]
#[cfg(unix)]
fn folders_have_the_same_games_for_analyze_and_explore() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("same-games");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("games.xml"), DATABASE).unwrap();
    std::fs::write(folder.join("settings.xml"), "<settings/>").unwrap();
    std::os::unix::fs::symlink("missing.sgf", folder.join("dangling.sgf")).unwrap();
    let name = folder.to_str().unwrap();
    let output = run(&["analyze", name, "--nodes", "50", "--json"], b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && !told.contains("skipped"), "{told}");
    let analysed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(analysed["games"].as_array().unwrap().len(), 2);
    let explored = printed(&["explore", name, "--rule", "renju", "--json"], b"");
    let explored: Value = serde_json::from_str(&explored).unwrap();
    assert_eq!((&explored["lines"], &explored["files"]), (&2.into(), &1.into()));
}

#[test]
fn positions_are_reported_as_table_and_json() {
    let table = printed(&["analyze", "h8i9h9i10", "--nodes", "3000"], b"");
    assert!(table.contains("Black to move, freestyle.") && table.contains("\n  3. "), "{table}");
    for nodes in ["2000", "5000", "20000", "50000"] {
        let arguments = ["analyze", "h8h9i9g7", "--nodes", nodes, "--lines", "5", "--json"];
        let value: Value = serde_json::from_str(&printed(&arguments, b"")).unwrap();
        let lines = value["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 5);
        assert_eq!(lines[0]["moves"][0], value["best"], "{nodes}");
        let value_of = |line: &Value| line["black_permille"].as_u64().unwrap();
        assert!(lines[1..].is_sorted_by(|a, b| value_of(a) >= value_of(b)), "{lines:?}");
    }
    let json = printed(&["analyze", "h8a15h9c15h10e15", "--nodes", "3000", "--json"], b"");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["lines"][0]["eval"], "+M3");
    assert_eq!(value["to_move"], "Black");
    let threats = &value["threats"]["black"];
    assert!(threats["open_four"].as_array().unwrap().contains(&"h11".into()), "{threats}");
    assert!(threats["wins_by_fours"].as_array().unwrap().len() >= 3);
    assert!(refused(&["analyze", "h8h8"], b"").contains("move 2"));
    assert!(refused(&["analyze", "no such thing"], b"").contains("neither a file nor a position"));
    assert!(refused(&["analyze", "a1b1a2b2a3b3a4b4a5"], b"").contains("Black has won"));
}

#[test]
fn games_are_reported_move_by_move() {
    let game = file("missed.pos", b"f15h8g15i9h15h7i15e15o1j15");
    let report = printed(&["analyze", &game, "--nodes", "1000"], b"");
    assert!(report.contains("   9    o1"), "{report}");
    assert!(report.contains("   9. Black o1: missed a win by fours; better j15"), "{report}");
    let json = printed(&["analyze", &game, "--nodes", "1000", "--json"], b"");
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["positions"].as_array().unwrap().len(), 11);
    let one = printed(&["analyze", &game, "--at", "8", "--nodes", "1000"], b"");
    assert!(one.contains("+M1") && one.contains("j15"), "{one}");
}

#[test]
fn help_completions_and_man_page_agree() {
    let help = printed(&["--help"], b"");
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let names = commands.map_while(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 8 && names.contains(&"perft"), "{names:?}");
    for name in names {
        let help = printed(&[name, "--help"], b"");
        let example = format!("\n  pbrain-kakugo {name}");
        assert!(help.contains("Example") && help.contains(&example), "{help}");
        assert!(help.contains("Usage: ") && help.contains("--help"), "{help}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(printed(&["completions", shell], b"").contains("analyze"), "{shell}");
    }
    let manual = printed(&["man"], b"");
    assert!(
        manual.contains(".TH") && manual.contains("games.jsonl") && manual.contains("line7.psq")
    );
}

#[test]
fn man_pages_contain_all_commands_and_literal_examples() {
    let manual = printed(&["man"], b"");
    let pages: Vec<&str> = manual.split(".TH ").skip(1).collect();
    let named = |name: &str| pages.iter().find(|page| page.starts_with(&format!("{name} 1")));
    for section in ["\"EXIT STATUS\"", "ENVIRONMENT", "FILES", "EXAMPLES"] {
        let heading = format!(".SH {section}\n");
        assert_eq!(named("pbrain-kakugo").unwrap().matches(&heading).count(), 1, "{section}");
    }
    let report = named("pbrain-kakugo-match-report").unwrap();
    assert!(report.contains("\\-\\-html"), "{report}");
    for page in &pages {
        assert!(!page.contains(".SH EXTRA"), "{page}");
        let Some((_, examples)) = page.split_once(".SH EXAMPLES\n.nf\n") else {
            assert!(!page.contains("EXAMPLES"), "{page}");
            continue;
        };
        let (examples, rest) = examples.split_once(".fi\n").unwrap();
        assert!(examples.lines().any(|line| line.starts_with("pbrain\\-kakugo")), "{examples}");
        assert!(!rest.contains(".SH"), "{rest}");
    }
    assert!(pages.len() > 12);
    let explore = named("pbrain-kakugo-explore").unwrap();
    assert!(explore.contains(".SH NOTES\nEach rule and size"), "{explore}");
}

#[test]
fn usage_errors_of_convert_exit_with_2() {
    let game = file("for-its-code.pos", b"h8i9");
    let code = |arguments: &[&str]| run(arguments, b"").status.code();
    assert_eq!(code(&["convert", &game, "-", "--to", "sgf", "--size", "big"]), Some(2));
    assert_eq!(code(&["convert", &game, "-", "--to", "chess"]), Some(2));
    assert_eq!(code(&["convert", &game, "x.exe"]), Some(2));
    assert_eq!(code(&["convert", "missing.sgf", "-", "--to", "psq"]), Some(1));
    // Errors of the file of `--at` are no usage errors, those of its text are.
    let invalid = file("invalid-at.sgf", b"(;GM[4];B[x])");
    for (at, expected) in [("missing.sgf", 1), (&invalid, 1), ("h8h8", 2), ("x", 2)] {
        assert_eq!(code(&["convert", &game, "--list", "--at", at]), Some(expected), "{at}");
        assert_eq!(code(&["explore", &game, "--at", at]), Some(expected), "{at}");
    }
    let large = b"(;GM[4]SZ[19];B[jj])";
    let error = refused(&["convert", "-", "-", "--to", "sgf", "--at", "j10"], large);
    assert!(error.contains("the position of --at is on 15x15: see --size"), "{error}");
    let large = file("large-at.sgf", large);
    let found = run(&["explore", &large, "--list", "--at", "j10"], b"");
    assert!(String::from_utf8_lossy(&found.stderr).contains("15x15: see --size"), "{found:?}");
}

/// `/proc/self/mem` cannot be read at offset 0.
#[cfg(target_os = "linux")]
#[test]
fn unreadable_files_are_skipped_when_exploring() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explored-unreadable");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink("/proc/self/mem", folder.join("a.sgf")).unwrap();
    std::fs::write(folder.join("b.sgf"), "(;GM[4];B[hh])").unwrap();
    let output = run(&["explore", folder.to_str().unwrap()], b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && told.contains("a.sgf: skipped: "), "{told}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("1 line with ") && text.contains(" in 1 file\n"), "{text}");
}

#[test]
fn openings_are_explored_in_all_formats() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explored-cli");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("deeper")).unwrap();
    std::fs::write(folder.join("two.lib"), two_lines()).unwrap();
    std::fs::write(folder.join("deeper/one.sgf"), "(;GM[4]RE[W+];B[hh];W[hg];B[aa])").unwrap();
    std::fs::write(folder.join("notes.md"), "no game").unwrap();
    let record = concat!(
        r#"{"kind":"match","settings":{"width":15,"height":15,"rule":0,"win_length":5}}"#,
        "\n",
        r#"{"kind":"game","black":"a","white":"b","winner":"black","id":0,"pair":0,"seed":1,"reason":"five","opening":0,"moves":[{"at":[7,7]},{"at":[6,7]}]}"#
    );
    std::fs::write(folder.join("games.jsonl"), record).unwrap();
    let folder = folder.to_str().unwrap();
    let told: Value =
        serde_json::from_str(&printed(&["explore", folder, "--at", "h8", "--json"], b"")).unwrap();
    assert_eq!((&told["files"], &told["lines"]), (&Value::from(3), &Value::from(4)), "{told:#}");
    assert_eq!(told["here"]["lines"], 4);
    // h9, g8 and i8 are symmetric; i9 is not.
    let next = &told["next"];
    assert_eq!(next[0]["lines"], 3, "{told:#}");
    assert_eq!((&next[0]["black"], &next[0]["white"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(next.as_array().unwrap().len(), 2);
    let text = printed(&["explore", folder], b"");
    assert!(text.starts_with("4 lines with ") && text.contains(" in 3 files\n"), "{text}");
    // Openings are separate for each rule; the other rules are listed.
    let record = format!("{folder}/games.jsonl");
    let caro = printed(&["explore", &record, "--rule", "caro"], b"");
    assert!(caro.contains("No lines of caro 15x15 found. The files contain\n"), "{caro}");
    assert!(caro.contains("       1 of freestyle 15x15\n"), "{caro}");
    assert!(refused(&["explore", "missing.lib"], b"").contains("no such file or folder"));
    assert_eq!(run(&["explore", folder, "--at", "x"], b"").status.code(), Some(2));
    let row = |y| if y == 7 { ".......X......." } else { "..............." };
    let drawn: Vec<&str> = (0..15).map(row).collect();
    let after = |at: &str| printed(&["explore", folder, "--at", at], b"");
    assert_eq!(after(&drawn.join("\n")), after("h8"));
    let twice = run(&["explore", folder, "--at", "h8i9h8"], b"");
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("occupied by Black"));
    let off = run(&["explore", folder, "--at", "z8"], b"");
    assert_eq!(off.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&off.stderr).contains("the point is off the board"));
    let one = printed(&["explore", folder, "--at", "h8", "--json", "--top", "1"], b"");
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["next"].as_array().unwrap().len(), 1);
    let empty = file("empty.sgf", b"");
    assert!(refused(&["explore", &empty], b"").contains("the files contain no games to explore"));
}

#[test]
fn a_closed_stderr_does_not_stop_convert() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["convert", "-", "-", "--from", "sgf", "--to", "pos"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    let commented = b"(;GM[4]SZ[15];B[hh]C[a comment])";
    child.stdin.take().unwrap().write_all(commented).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, b"h8\n");
}

#[test]
fn size_and_win_length_options_are_the_same_in_all_commands() {
    for (size, win) in [("4", "--win"), ("4x4", "--win-length")] {
        let table = printed(&["perft", "--size", size, win, "3", "--depth", "1"], b"");
        assert!(table.starts_with("freestyle, 3 in a row on 4x4\n"), "{table}");
        let board = ["--size", size, win, "3", "--from", "pos-top", "--to", "sgf"];
        let sgf = printed(&[&["convert", "-", "-"], &board[..]].concat(), b"a1b1");
        assert!(sgf.contains("SZ[4]"), "{sgf}");
    }
    let game = file("size.pos", b"h8");
    let commands: [&[&str]; 5] = [
        &["perft"],
        &["analyze", "h8"],
        &["explore", &game],
        &["convert", &game, "-", "--to", "psq"],
        &["match", "--engine", "self", "--engine", "self", "name=other"],
    ];
    for command in commands {
        let output = run(&[command, &["--size", "33"]].concat(), b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let why = "invalid board size '33': expected 3 to 32, e.g. 15 or 20x12";
        assert!(told.contains(why), "{command:?}: {told}");
    }
}

#[test]
fn help_of_match_shows_defaults() {
    let help = printed(&["match", "--help"], b"");
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    for default in [
        "Rule of the game [default: freestyle]",
        "e.g. 15 or 20x12 [default: 15]",
        "that win [default: 5]",
        "Tournament format [default: round-robin]",
        "[default: 100; 100000 with --sprt]",
        "SOURCE [default: empty board]",
        "[default: sequential]",
        "[default: none]",
        "[default: full board]",
        "concurrent games [default: 1]",
    ] {
        assert!(help.contains(default), "{default}: {help}");
    }
}
