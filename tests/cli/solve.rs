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
    let text = printed(&[arguments, &["--json"]].concat(), input);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
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
    assert!(rows[3].starts_with("2 problems: 1 won"), "{text}");
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
    assert!(text.contains("   1  four: Black wins in 2 moves: "), "{text}");
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
        (&["h8", "--problem", "2"], 1, "contains 1 problem"),
    ] {
        let refused = run(arguments, b"");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(code) && told.contains(reason),
            "{arguments:?} {told}"
        );
    }
}
