//! End-to-end tests of `solve`.

use std::process::Output;

use serde_json::Value;

use crate::run;

/// Black has two open twos that cross: a double threat.
const WON: &str = "g8a1h8o1i6a15i7o15";

fn run(arguments: &[&str], input: &[u8]) -> Output {
    run::run(&[&["solve"], arguments].concat(), input)
}

fn printed(arguments: &[&str], input: &[u8]) -> String {
    run::printed(&[&["solve"], arguments].concat(), input)
}

fn json(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let (problems, _) = json_with_summary(arguments, input);
    problems
}

/// Returns the lines of problems, and that of the summary.
fn json_with_summary(arguments: &[&str], input: &[u8]) -> (Vec<Value>, Option<Value>) {
    let text = printed(&[arguments, &["--json"]].concat(), input);
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let (mut problems, mut summaries): (Vec<Value>, Vec<Value>) =
        lines.partition(|line: &Value| line["summary"].is_null());
    assert!(summaries.len() <= 1 && problems.iter().all(|problem| problem["result"].is_string()));
    (std::mem::take(&mut problems), summaries.pop().map(|mut line| line["summary"].take()))
}

#[test]
fn a_position_is_solved_for_a_person() {
    let text = printed(&[WON, "--nodes", "20000"], b"");
    assert!(text.starts_with("Black wins in "), "{text}");
    let line = text.lines().nth(1).and_then(|line| line.strip_prefix("line: ")).unwrap();
    let plies = line.split(' ').count();
    assert!(plies % 2 == 1 && plies >= 5, "{text}");
    let open = printed(&["h8i9", "--nodes", "500"], b"");
    assert!(open.starts_with("no forced win found for Black\nbest: "), "{open}");
    let lost = printed(&[WON, "--to-move", "white", "--nodes", "20000"], b"");
    assert!(lost.contains("White to move"), "{lost}");
}

#[test]
fn programs_get_json() {
    let [value] = &json(&[WON, "--nodes", "20000"], b"")[..] else { panic!("one line") };
    assert_eq!((&value["result"], &value["to_move"]), (&"win".into(), &"Black".into()));
    let plies = value["plies"].as_u64().unwrap();
    assert_eq!(value["moves"].as_u64(), Some(plies.div_ceil(2)));
    assert!(value["line"].as_array().unwrap().len() >= 5, "{value:#}");
}

#[test]
fn each_problem_of_a_collection_has_a_number_and_a_name() {
    let sgf = b"(;GM[4]SZ[15]EV[Cross];B[gh];W[ao];B[hh];W[oo];B[ij];W[aa];B[ii];W[oa])\
                (;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])\
                (;GM[4]SZ[15];B[hh];W[hh])";
    let outcome = run(&["-", "--nodes", "20000"], sgf);
    assert!(outcome.status.success());
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("   1  Cross: Black wins in "), "{text}");
    assert!(rows[1].starts_with("   2  Ann - Bob: no forced win found for Black: "), "{text}");
    assert!(rows[3].starts_with("2 problems: 1 won in up to "), "{text}");
    let (_, summary) = json_with_summary(&["-", "--nodes", "20000"], sgf);
    let summary = summary.unwrap();
    assert_eq!((&summary["problems"], &summary["won"]), (&2.into(), &1.into()));
    let told = String::from_utf8_lossy(&outcome.stderr).into_owned();
    assert!(told.contains("stdin: skipped 1 of 3 problems, first problem 3: "), "{told}");
    let second = json(&["-", "--problem", "2", "--nodes", "500"], sgf);
    assert_eq!((second.len(), &second[0]["problem"]), (1, &2.into()));
    let unsolved = json(&["-", "--unsolved", "--nodes", "20000"], sgf);
    assert_eq!(unsolved.len(), 1);
    let third = run(&["-", "--problem", "3"], sgf);
    assert_eq!(third.status.code(), Some(1));
}

#[test]
fn test_suites_are_counted_by_kind() {
    let lines = r#"{"rule":0,"size":15,"moves":[[7,7],[0,0],[8,7],[0,14],[9,7],[14,0]],"kind":"vcf","win_moves":[[6,7],[10,7]],"id":"four"}
{"rule":4,"size":15,"moves":[[7,7],[8,8]],"kind":"none"}
"#;
    let text = printed(&["-", "--nodes", "5000"], lines.as_bytes());
    assert!(text.contains("   1  four: Black wins in 2 moves (right): "), "{text}");
    let all = text.lines().find(|line| line.starts_with("~ all")).unwrap();
    let counts: Vec<&str> = all.split_whitespace().collect();
    assert_eq!(counts[2..5], ["2", "1", "1"], "{text}");
    assert_eq!(json(&["-", "--nodes", "5000"], lines.as_bytes()).len(), 2);
}

#[test]
fn errors_say_what_is_wrong() {
    for (arguments, code, reason) in [
        (&["h8h8"][..], 2, "occupied by Black"),
        (&["h8x"], 2, "invalid position"),
        (&["missing.sgf"], 1, "no such file"),
        (&["h8a1i8a2j8a3k8a4l8"], 1, "the game is over: Black has won"),
        (&["h8", "--problem", "2"], 1, "--problem 2 does not exist: h8 contains 1 problem"),
        (&["http://127.0.0.1/#p=15x15,renju,7,h8"], 2, "invalid link at '7'"),
        (&["h8", "--time", "5x"], 2, "expected e.g. 1000 (milliseconds), 500ms or 2s"),
        (&["--pack", "freestyle", "--rule", "renju"], 2, "name two rules"),
        (&["--pack", "--size", "9"], 2, "cannot be used with"),
    ] {
        let refused = run(arguments, b"");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(code) && told.contains(reason),
            "{arguments:?} {told}"
        );
    }
}

#[test]
fn invalid_lines_of_a_file_are_skipped() {
    let line = r#"{"rule":0,"size":15,"moves":[[7,7],[0,0],[8,7],[1,0],[9,7],[2,0]]}"#;
    let output = run(&["-", "--nodes", "500"], format!("{line}\n{{x}}\n{line}\n").as_bytes());
    let told = String::from_utf8_lossy(&output.stderr);
    let expected = "skipped 1 of 3 problems, first line 2: invalid JSON at column 2: key must be";
    assert!(output.status.success() && told.contains(expected), "{told}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("~ all"), "{printed}");
    let two = format!("{line}\n{line}\n");
    let (one, summary) =
        json_with_summary(&["-", "--problem", "2", "--nodes", "500"], two.as_bytes());
    assert_eq!((one.len(), &one[0]["problem"], summary), (1, &2.into(), None));
    let only = run(&["-", "--nodes", "500"], b"{x}");
    assert!(!only.status.success());
}

#[test]
fn positions_are_drawn_or_listed_and_have_a_format() {
    let drawn = ".......\n.......\n.XXX...\n.......\n...O...\n..O.O..\n.......";
    let rows = drawn.replace('\n', "/");
    let numbered = "1. H8 A15 2. I8 B15 3. J8 C15";
    let digits = drawn.replace('.', "0,").replace('X', "1,").replace('O', "2,");
    let braces = format!("{{{}}}", digits.trim_end_matches(',').replace(",\n", "},\n{"));
    let json_line = r#"{"rule":0,"size":15,"moves":[[7,7],[0,0],[8,7],[1,0],[9,7],[2,0]]}"#;
    for (text, more) in [
        (drawn, &[][..]),
        (&rows, &[]),
        (&braces, &[]),
        (&format!("Problem 7, by O.\n{drawn}\nBlack to move\n"), &[]),
        (numbered, &[]),
        ("h8a1i8b1j8c1", &["--from", "pos-top"]),
        ("(;GM[4]SZ[15]RU[renju]AB[hh][ih][jh]AW[aa][ba][ca])", &[]),
        (json_line, &[]),
        (&format!("\u{feff}{json_line}"), &[]),
    ] {
        let arguments = [&[text, "--nodes", "2000"], more].concat();
        let value = json(&arguments, b"").remove(0);
        let facts = (&value["result"], &value["moves"], &value["is_shortest"]);
        assert_eq!(facts, (&"win".into(), &2.into(), &true.into()), "{text}: {value:#}");
        let piped = [&["-", "--nodes", "2000"], more].concat();
        assert_eq!(json(&piped, text.as_bytes())[0]["moves"], 2, "{text}");
    }
    let white = printed(&[drawn, "--to-move", "white", "--nodes", "2000"], b"");
    assert!(white.contains("White to move"), "{white}");
    let uneven = run(&["...\n.X\n...", "--nodes", "100"], b"");
    assert_eq!(uneven.status.code(), Some(2));
    let told = String::from_utf8_lossy(&uneven.stderr);
    assert!(told.contains("row 2 of the drawing has length 2, expected 3"), "{told}");
    let unknown = run(&["h8", "--from", "chess"], b"");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("unknown format"), "{unknown:?}");
}

#[test]
fn an_assumed_rule_is_reported_once() {
    let two = b"(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])";
    let told = |arguments: &[&str], input: &[u8]| {
        let outcome = run(&[arguments, &["--nodes", "100"]].concat(), input);
        String::from_utf8_lossy(&outcome.stderr).into_owned()
    };
    let note = "stdin: the rule is not specified: assuming freestyle (change it with --rule)\n";
    assert_eq!(told(&["-"], two).replace(", problem 1", ""), note);
    assert_eq!(told(&["-", "--rule", "freestyle"], two), "");
    assert_eq!(told(&["-"], b"(;GM[4]SZ[15]RU[renju];B[hh])"), "");
    assert_eq!(told(&["h8"], b""), "");
    // A file that states its rule overrides the options, which is reported once, too.
    let renju = b"(;GM[4]SZ[15]RU[renju];B[hh])(;GM[4]SZ[15]RU[renju];B[ii])";
    for (options, ignored) in [
        (&["--rule", "renju", "--win", "5"][..], ""),
        (&["--rule", "caro"], "stdin: ignored --rule caro: the file specifies renju\n"),
        (
            &["--rule", "freestyle", "--win", "4"],
            "stdin: ignored --rule freestyle and --win 4: the file specifies renju\n",
        ),
    ] {
        let arguments = [&["-"], options].concat();
        assert_eq!(told(&arguments, renju).replace(", problem 1", ""), ignored, "{options:?}");
    }
    assert_eq!(json(&["-", "--nodes", "100"], two)[1]["rule_is_assumed"], true);
}

#[test]
fn a_check_lists_the_winning_moves_and_shorter_wins() {
    // An open three: both ends win, and so may other fours.
    let three = "h8a1i8o1j8a15";
    let text = printed(&[three, "--check", "--nodes", "3000"], b"");
    assert!(text.starts_with("Black wins in 2 moves\nline: "), "{text}");
    assert!(text.contains(" winning moves: "), "{text}");
    let value = json(&[three, "--check", "--nodes", "3000"], b"").remove(0);
    let moves = value["winning_moves"].as_array().unwrap();
    assert!(["g8", "k8"].iter().all(|&p| moves.contains(&p.into())), "{value:#}");
    assert_eq!(value["is_unique"], false);
    // Four in a row with one free end.
    let four = "h8g8i8a1j8a15k8o1";
    let text = printed(&[four, "--check", "--nodes", "500"], b"");
    assert!(text.contains("\nonly l8 makes five\n"), "{text}");
    let sgf =
        b"(;GM[4]SZ[15]RU[0];B[hh];W[gh];B[ih];W[ao];B[jh];W[aa];B[kh];W[oa])(;GM[4]SZ[15];B[hh])";
    let rows = printed(&["-", "--check", "--nodes", "500"], sgf);
    assert!(rows.contains("   1  Black wins in 1 move (only l8 makes five): l8\n"), "{rows}");
    assert!(
        rows.contains("2 problems: 1 won (1 by only one first move) in up to 1 move, 1 open; ")
    );
}

#[test]
fn a_check_claims_that_a_move_is_the_only_one_only_if_the_others_are_refuted() {
    let check = |position: &[&str]| {
        let options = ["--check", "--nodes", "10000"];
        (
            printed(&[position, &options].concat(), b""),
            json(&[position, &options].concat(), b"").remove(0),
        )
    };
    // More nodes find more wins.
    let twos = "Black: h10 h9 i8 j8; White: a15 a13 a11 o1";
    let (text, value) = check(&[twos, "--rule", "renju", "--to-move", "black"]);
    assert!(!text.contains("only "), "{text}");
    let count = value["winning_moves"].as_array().unwrap().len();
    let is_unique = if count == 1 { Value::Null } else { false.into() };
    assert_eq!(value["is_unique"], is_unique, "{value:#}");
    // White has a four. The move that stops it makes an open four.
    let only = "Black: a8 f9 f10 f11; White: b8 c8 d8 e8";
    let (text, value) = check(&[only, "--to-move", "black"]);
    assert!(text.contains("\nonly f8 wins\n"), "{text}");
    assert_eq!(value["is_unique"], true, "{value:#}");
}

#[test]
fn a_side_with_only_forbidden_points_has_lost() {
    // Black may only play e3, which makes an overline.
    let sgf = b"(;GM[4]SZ[6:9]RU[renju]AB[ea][fa][bb][ac][ec][fc][ad][bd][dd][ed]\
        [fd][be][ce][de][af][df][ef][ag][bg][fg][ah][fh][bi][ci][di][ei]AW[aa][ba][ca][da][ab][cb]\
        [db][eb][fb][bc][cc][dc][cd][ae][ee][fe][bf][cf][ff][cg][dg][bh][ch][dh][eh][ai][fi]PL[B])";
    let text = printed(&["-", "--nodes", "500"], sgf);
    assert!(text.starts_with("White wins in 1 move\nline: e3\n"), "{text}");
}

#[test]
fn wins_by_fours_and_threats_are_searched_on_demand() {
    let text = printed(&[WON, "--vct", "--nodes", "20000"], b"");
    assert!(text.starts_with("Black wins by threats in 3 moves\nline: "), "{text}");
    let none = printed(&[WON, "--vcf", "--nodes", "20000"], b"");
    assert!(none.starts_with("no win by fours found for Black\n\nBlack to move"), "{none}");
    let four = json(&["h8a1i8a2j8o1h9b5h10c7", "--vcf", "--nodes", "20000"], b"").remove(0);
    assert_eq!((&four["kind"], &four["result"]), (&"fours".into(), &"win".into()), "{four:#}");
    let plies = four["plies"].as_u64().unwrap();
    assert_eq!(four["line"].as_array().unwrap().len() as u64, plies, "{four:#}");
}

/// Returns a board on which Black wins by one four after the other: each stone is the third one of
/// the next four. All other points are blocked.
fn chain_of_fours() -> String {
    const SIZE: usize = 32;
    let mut board = vec![['#'; SIZE]; 10];
    let (mut x, mut y) = (1, 2);
    board[y][x] = 'X';
    for link in 0.. {
        let turned = link % 2 == 1;
        let is_down = link % 4 == 1;
        let at = |k: usize| match (turned, is_down) {
            (false, _) => (x + k, y),
            (true, true) => (x, y + k),
            (true, false) => (x, y - k),
        };
        // Two stones, the stone that is played and the answer to the four.
        for (k, sign) in (1..).zip(['X', 'X', '.', '.']) {
            let (x, y) = at(k);
            board[y][x] = sign;
        }
        let is_last = !turned && x + 7 >= SIZE;
        if is_last {
            // The last four is open.
            board[y][x - 1] = '.';
            break;
        }
        (x, y) = at(3);
    }
    let rows = board.iter().map(|row| row.iter().collect::<String>() + "\n");
    rows.collect::<String>() + "Black to move\n"
}

#[test]
fn a_long_win_by_fours_is_printed_to_the_five() {
    let board = chain_of_fours();
    let value = json(&[&board, "--vcf", "--nodes", "1000000"], b"").remove(0);
    let plies = value["plies"].as_u64().unwrap();
    assert_eq!(value["line"].as_array().unwrap().len() as u64, plies);
    assert!(plies > 30 && value["line_is_complete"] == true, "{value:#}");
}

#[test]
fn the_pack_is_solved() {
    let text = printed(&["--pack", "renju", "--problem", "3", "--nodes", "2000"], b"");
    assert!(text.contains("wins in 1 move\n") && text.contains("first move: right\n"), "{text}");
    let value = json(&["--pack", "--problem", "300", "--nodes", "200"], b"").remove(0);
    assert_eq!((&value["problem"], &value["rule"]), (&300.into(), &"renju".into()));
    assert_eq!(value["right_moves"].as_array().unwrap().len(), 1);
    for (arguments, code, reason) in [
        (&["--pack", "caro"][..], 2, "no problems for caro"),
        (&["--pack", "--problem", "301"], 1, "contains 300 problems"),
        (&["--pack=renju", "h8"], 2, "cannot be used with"),
        (&["h8", "--vcf", "--vct"], 2, "cannot be used with"),
        (&[], 2, "required"),
    ] {
        let refused = run(arguments, b"");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(code) && told.contains(reason),
            "{arguments:?} {told}"
        );
    }
}
