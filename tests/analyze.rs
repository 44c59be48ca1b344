//! `analyze` from the outside.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .arg("analyze")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn printed(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str], input: &[u8]) -> Value {
    serde_json::from_str(&printed(arguments, input)).unwrap()
}

#[test]
fn an_only_move_has_a_value_and_a_line() {
    let value = json(&["h8g8i8a1j8a3k8", "--nodes", "2000", "--json"], b"");
    assert_eq!(value["best"], "l8");
    assert_eq!(value["lines"][0]["moves"][0], "l8", "{value:#}");
    assert!(value["depth"].as_u64().unwrap() > 0);
}
