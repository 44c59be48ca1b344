//! Runs the programs in `examples/` as a user would, with small limits.
//!
//! `cargo test -p kakugo` builds them next to the folder of the test program.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder of the built examples: `target/PROFILE/examples`, beside `target/PROFILE/deps`.
fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("the folder of the profile");
    profile.join("examples")
}

/// Runs an example without input. Returns whether it succeeded, and what it printed.
fn run(name: &str, arguments: &[&str]) -> (bool, String, String) {
    let program = folder().join(format!("{name}{EXE_SUFFIX}"));
    let how = "run `cargo test -p kakugo`, or `cargo build -p kakugo --examples` before";
    assert!(program.exists(), "{} is missing: {how}", program.display());
    let output = Command::new(&program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Returns what an example prints if it succeeds.
fn printed(name: &str, arguments: &[&str]) -> String {
    let (is_success, output, errors) = run(name, arguments);
    assert!(is_success, "{name} {arguments:?}: {errors}");
    output
}

#[test]
fn best_move_stops_a_five() {
    let moves = ["20", "h8", "g8", "i8", "a1", "j8", "a15", "k8"];
    let output = printed("best_move", &moves);
    assert!(output.ends_with("White plays l8\n"), "{output}");
    let won = [&moves[..], &["o15", "l8"]].concat();
    assert!(printed("best_move", &won).ends_with("the game is over: Win(Black)\n"));
}

#[test]
fn live_analysis_prints_several_lines_and_stops() {
    let output = printed("live_analysis", &["2", "2", "h8", "h9", "i8"]);
    let (progress, result) = output.rsplit_once("\ndepth ").expect("a result");
    assert!(progress.contains("  1. ") && progress.contains("  2. "), "{output}");
    let lines: Vec<&str> = result.lines().skip(1).collect();
    assert!(
        lines.len() == 2 && lines[0].starts_with("1. ") && lines[1].starts_with("2. "),
        "{output}"
    );
}

#[test]
fn solve_prints_the_line_up_to_the_five() {
    let output = printed("solve", &["50000"]);
    assert!(output.contains("Black wins by continuous threats"), "{output}");
    assert!(output.contains("\nWin(Black)\n"), "{output}");
    assert!(output.matches('[').count() >= 5, "{output}");
    let fours = printed("solve", &["1000", "h8", "a1", "i8", "a3", "j8", "a5"]);
    assert!(fours.contains("Black wins by continuous fours in 2 moves"), "{fours}");
    let none = printed("solve", &["1000", "h8", "h9"]);
    assert!(none.ends_with("no forced win of Black was found within 1000 nodes\n"), "{none}");
}

#[test]
fn forbidden_points_are_drawn_and_named() {
    let output = printed("forbidden_points", &[]);
    for kind in ["overline", "double-four", "double-three"] {
        assert!(output.contains(kind), "{output}");
    }
    let double_three =
        printed("forbidden_points", &["f8", "a1", "g8", "a15", "h6", "o1", "h7", "o15"]);
    assert!(double_three.contains(" h8  double-three\nforbidden to Black: 1\n"), "{double_three}");
    let row = " 8  . . . . . X X 3 . . . . . . .\n";
    assert!(double_three.contains(row), "{double_three}");
}

#[test]
fn engine_match_plays_a_game_to_its_end() {
    let output = printed("engine_match", &["6", "1", "300"]);
    let end = output.lines().last().unwrap_or_default();
    assert!(end == "a draw" || end.contains(" wins with "), "{output}");
    assert!(output.starts_with("  1. Black "), "{output}");
}

#[test]
fn wrong_arguments_are_errors() {
    for (name, arguments) in [
        ("best_move", ["100", "z99"]),
        ("best_move", ["soon", "h8"]),
        ("live_analysis", ["-1", "2"]),
        ("solve", ["100", "h16"]),
        ("forbidden_points", ["h8", "h8"]),
        ("engine_match", ["11", "1"]),
    ] {
        let (is_success, _, errors) = run(name, &arguments);
        assert!(!is_success && errors.starts_with("Error: "), "{name} {arguments:?}: {errors}");
    }
}
