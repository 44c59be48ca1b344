//! Many games in one process: its memory stays below what was granted and does not grow.
//!
//! The short form is for every run of the tests; `KAKUGO_GAMES` sets the number of games of each
//! process, `KAKUGO_PROGRAM` the program, if it is to be another build than the tests'.
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use kakugo::client::Usage;
use kakugo::protocol::Reply;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Longest wait for a line. It says that something hangs, not that it is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// Games in each process.
const GAMES: u32 = 20;

/// What may be needed more after many games than after the first of each rule, in bytes.
const GROWTH: u64 = 2_000_000;

const RULES: [u32; 5] = [0, 1, 4, 8, 9];

fn games() -> u32 {
    std::env::var("KAKUGO_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(GAMES)
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Process {
    fn start() -> Process {
        let built = || OsString::from(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        let program = std::env::var_os("KAKUGO_PROGRAM").unwrap_or_else(built);
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, output) = channel();
        thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Process { child, input, output }
    }

    fn send(&mut self, lines: &str) {
        self.input.write_all(lines.as_bytes()).expect("it reads");
    }

    /// The next line that is no message.
    fn answer(&self) -> Reply {
        loop {
            let line = self.output.recv_timeout(PATIENCE).expect("an answer");
            match Reply::parse(&line) {
                Reply::Message(_) => {}
                reply => return reply,
            }
        }
    }

    /// A game of a few moves, up to its end if it comes.
    fn play(&mut self, random: &mut StdRng, rule: u32, nodes: u32) {
        let size = if random.random_bool(0.5) { 15 } else { 20 };
        self.send(&format!("INFO rule {rule}\nINFO max_node {nodes}\nSTART {size}\n"));
        assert_eq!(self.answer(), Reply::Ok);
        for _ in 0..6 {
            let [x, y] = [(); 2].map(|()| random.random_range(3..12));
            self.send(&format!("TURN {x},{y}\n"));
            let reply = self.answer();
            assert!(matches!(reply, Reply::Move(_) | Reply::Error(_)), "{reply:?}");
        }
    }

    fn usage(&self) -> Usage {
        Usage::of(self.child.id()).expect("Linux tells the memory of a process")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Peak and growth of a process with this much memory granted, in MB, and so many threads.
fn stays_within(megabytes: u64, threads: u32) {
    let (granted, mut random) = (megabytes * 1_000_000, StdRng::seed_from_u64(megabytes));
    let mut process = Process::start();
    process.send(&format!(
        "INFO max_memory {granted}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n"
    ));
    // What each rule needs stays.
    for rule in RULES {
        process.play(&mut random, rule, 3_000);
    }
    let first = process.usage();
    for game in 0..games() {
        process.play(&mut random, RULES[game as usize % RULES.len()], 400);
    }
    let last = process.usage();
    let seen = format!(
        "{megabytes} MB, {threads} threads, {} games: peak {:.1} MB, own {:.1} MB after the first, \
         {:.1} MB after the last",
        games(),
        last.peak as f64 / 1e6,
        first.private as f64 / 1e6,
        last.private as f64 / 1e6,
    );
    println!("{seen}");
    assert!(last.worst() <= granted, "{seen}");
    assert!(last.private <= first.private + GROWTH, "{seen}");
}

#[test]
fn memory_stays_within_32_mb() {
    for threads in [1, 2, 4] {
        stays_within(32, threads);
    }
}

#[test]
fn memory_stays_within_100_mb() {
    for threads in [1, 2, 4] {
        stays_within(100, threads);
    }
}

#[test]
fn memory_stays_within_350_mb() {
    for threads in [1, 4] {
        stays_within(350, threads);
    }
}

#[test]
fn memory_stays_within_1000_mb() {
    for threads in [1, 4] {
        stays_within(1000, threads);
    }
}
