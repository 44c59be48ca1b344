//! Tests of the command line of `kakugo-lab`.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kakugo-lab")).args(arguments).output().unwrap()
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    for name in ["ladder", "openings", "problems", "reviews", "selfplay", "train", "tune"] {
        let output = run(&[name, "--help"]);
        let help = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && help.contains("Usage: "), "{help}");
        assert!(help.contains(&format!("\n  kakugo-lab {name} ")), "{help}");
    }
}

#[cfg(not(feature = "tuning"))]
#[test]
fn spsa_without_tuning_prints_the_command_to_run() {
    let output = run(&["spsa", "run.spsa", "--pairs", "20"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    let command = "cargo run --release -p kakugo-lab --features tuning -- spsa run.spsa --pairs 20";
    assert!(error.contains(command), "{error}");
}
