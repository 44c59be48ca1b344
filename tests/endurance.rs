//! Many games in one process: its memory stays below what was granted and does not grow.
//!
//! The short form is for every run of the tests; `KAKUGO_GAMES` sets the number of games of each
//! process.
#![cfg(target_os = "linux")]

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use kakugo::client::Usage;
use kakugo::protocol::Reply;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

mod process;

use process::Process;

/// Games in each process.
const GAMES: u32 = 20;

/// What may be needed more after many games than after the first of each rule, in bytes.
const GROWTH: u64 = 2_000_000;

const RULES: [u32; 5] = [0, 1, 4, 8, 9];

fn games() -> u32 {
    std::env::var("KAKUGO_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(GAMES)
}

/// A game of a few moves, up to its end if it comes.
fn play(process: &mut Process, random: &mut StdRng, rule: u32, nodes: u32) {
    let size = if random.random_bool(0.5) { 15 } else { 20 };
    process.send(format!("INFO rule {rule}\nINFO max_node {nodes}\nSTART {size}\n"));
    assert_eq!(process.answer(), "OK");
    for _ in 0..6 {
        let [x, y] = [(); 2].map(|()| random.random_range(3..12));
        let reply = Reply::parse(&process.ask(&format!("TURN {x},{y}")));
        assert!(matches!(reply, Reply::Move(_) | Reply::Error(_)), "{reply:?}");
    }
}

/// What it uses at the beginning of a game, when it has taken the table's memory from the system.
fn usage_before_a_game(process: &mut Process) -> Usage {
    let usage = |process: &Process| Usage::of(process.id()).expect("Linux tells the memory");
    assert_eq!(process.ask("START 20"), "OK");
    let (mut last, mut unchanged) = (usage(process), 0);
    while unchanged < 5 {
        thread::sleep(Duration::from_millis(100));
        let now = usage(process);
        unchanged = if now == last { unchanged + 1 } else { 0 };
        last = now;
    }
    last
}

/// One process at a time: pages of the program that two share count for neither.
static ALONE: Mutex<()> = Mutex::new(());

/// Peak and growth of a process with this much memory granted, in MB, and so many threads.
fn stays_within(megabytes: u64, threads: u32) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let (granted, mut random) = (megabytes * 1_000_000, StdRng::seed_from_u64(megabytes));
    let mut process = Process::start();
    process.send(format!(
        "INFO max_memory {granted}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n"
    ));
    // What each rule needs stays.
    for rule in RULES {
        play(&mut process, &mut random, rule, 3_000);
    }
    let first = usage_before_a_game(&mut process);
    for game in 0..games() {
        play(&mut process, &mut random, RULES[game as usize % RULES.len()], 400);
    }
    let last = usage_before_a_game(&mut process);
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
