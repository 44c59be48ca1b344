//! Overhead of the match runner: a match of two engines that reply at once, so that all time is
//! spent in the runner and the pipes. The engines are this program itself, started with
//! `KAKUGO_ECHO` set. The target is less than a millisecond per move.

use std::io::{BufRead, Write, stdin, stdout};
use std::process::{Command, Stdio};

use divan::counter::ItemsCount;

const GAMES: usize = 20;
const MOVES: usize = 100;

fn main() {
    if std::env::var_os("KAKUGO_ECHO").is_some() {
        echo();
    } else {
        divan::main();
    }
}

/// Measures the moves of a complete match, including the start and end of the engines.
#[divan::bench(args = ["", "memory=1G"], sample_count = 10, sample_size = 1)]
fn a_move(bencher: divan::Bencher<'_, '_>, more: &str) {
    let program = std::env::current_exe().expect("our own path");
    let command = format!("cmd='{}'", program.display());
    let (games, moves) = (GAMES.to_string(), MOVES.to_string());
    bencher.counter(ItemsCount::new(GAMES * MOVES)).bench(|| {
        let mut runner = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        runner.args(["match", "--games", &games, "--move-limit", &moves]);
        for name in ["name=A", "name=B"] {
            runner.args(["--engine", &command, name, "env.KAKUGO_ECHO=1"]);
            runner.args(Some(more).filter(|more| !more.is_empty()));
        }
        let quiet = runner.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(quiet.is_ok_and(|status| status.success()));
    });
}

/// An engine that replies at once.
fn echo() {
    let (mut played, mut row) = (0, 0);
    for line in stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "START" | "RESTART" => {
                played = 0;
                "OK".to_owned()
            }
            word @ ("BEGIN" | "TURN") => {
                if played == 0 {
                    row = usize::from(word == "TURN");
                }
                played += 1;
                // Black uses even rows, White odd ones; every fifth point stays empty: no fives.
                let n = (played - 1) % 12;
                format!("{},{}", n + n / 4, (played - 1) / 12 * 2 + row)
            }
            "END" => return,
            _ => continue,
        };
        if writeln!(stdout(), "{answer}").is_err() {
            return;
        }
    }
}
