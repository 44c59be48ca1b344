//! Runs a command of the program to its end.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program with this input.
pub fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns what a command prints. It must succeed.
pub fn printed(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error message of a command. It must fail.
pub fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = run(arguments, input);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}
