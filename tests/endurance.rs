//! Many games in one process: its memory stays below what was granted and does not grow.
//!
//! The short form is for every run of the tests; `KAKUGO_GAMES` sets the number of games of each
//! process.
#![cfg(target_os = "linux")]

use std::thread;
use std::time::Duration;

use kakugo_protocol::Reply;
use kakugo_protocol::client::MemoryUsage;
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

/// What it uses at the beginning of a game, when it has taken the table's memory from the system, and
/// how much of that comes from no file: pages of the program count for a process only as long as no
/// other runs it.
fn usage_before_a_game(process: &mut Process) -> (MemoryUsage, u64) {
    let id = process.id();
    let usage = || (MemoryUsage::of(id).expect("Linux tells the memory"), anonymous(id));
    assert_eq!(process.ask("START 20"), "OK");
    let (mut last, mut unchanged) = (usage(), 0);
    while unchanged < 5 {
        thread::sleep(Duration::from_millis(100));
        let now = usage();
        unchanged = if now.1 == last.1 { unchanged + 1 } else { 0 };
        last = now;
    }
    last
}

/// Bytes of memory of a process that come from no file.
fn anonymous(process: u32) -> u64 {
    let memory = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    let line = memory.lines().find_map(|line| line.strip_prefix("Anonymous:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().next().unwrap().parse().unwrap();
    kilobytes * 1024
}

/// Peak and growth of a process with this much memory granted, in MB, and so many threads.
fn stays_within(megabytes: u64, threads: u32) {
    let (granted, mut random) = (megabytes * 1_000_000, StdRng::seed_from_u64(megabytes));
    let mut process = Process::start();
    process.send(format!(
        "INFO max_memory {granted}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n"
    ));
    // What each rule needs stays.
    for rule in RULES {
        play(&mut process, &mut random, rule, 3_000);
    }
    let (_, first) = usage_before_a_game(&mut process);
    for game in 0..games() {
        play(&mut process, &mut random, RULES[game as usize % RULES.len()], 400);
    }
    let (usage, last) = usage_before_a_game(&mut process);
    let seen = format!(
        "{megabytes} MB, {threads} threads, {} games: peak {:.1} MB, own {:.1} MB after the first, \
         {:.1} MB after the last",
        games(),
        usage.peak as f64 / 1e6,
        first as f64 / 1e6,
        last as f64 / 1e6,
    );
    println!("{seen}");
    assert!(usage.worst() <= granted, "{seen}");
    assert!(last <= first + GROWTH, "{seen}");
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
