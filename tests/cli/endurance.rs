//! Tests of memory use over many games: it stays below the limit and does not grow.
//!
//! `KAKUGO_GAMES` sets the number of games per process, for longer runs.

use std::thread;
use std::time::Duration;

use kakugo_protocol::Reply;
use kakugo_protocol::client::MemoryUsage;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::process::Process;

/// Default number of games per process.
const GAMES: u32 = 20;

/// Maximum growth of memory after the first game of each rule, in bytes.
const MAX_GROWTH: u64 = 2_000_000;

const RULES: [u32; 5] = [0, 1, 4, 8, 9];

fn games() -> u32 {
    std::env::var("KAKUGO_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(GAMES)
}

/// Plays a game of a few moves, or up to its end.
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

/// Returns the memory use at the start of a game, after the transposition table was allocated, and
/// its anonymous part. Pages of the program file are excluded there, because they are shared with
/// other processes.
fn usage_before_a_game(process: &mut Process) -> (MemoryUsage, u64) {
    let id = process.id();
    let usage =
        || (MemoryUsage::of(id).expect("Linux reports the memory of a process"), anonymous(id));
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

/// Returns the anonymous memory of a process, in bytes.
fn anonymous(process: u32) -> u64 {
    let memory = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    let line = memory.lines().find_map(|line| line.strip_prefix("Anonymous:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().next().unwrap().parse().unwrap();
    kilobytes * 1024
}

/// Checks peak and growth of a process with this memory limit, in MB, and number of threads.
fn check_memory(megabytes: u64, threads: u32) {
    let (limit, mut random) = (megabytes * 1_000_000, StdRng::seed_from_u64(megabytes));
    let mut process = Process::start();
    process.send(format!(
        "INFO max_memory {limit}\nINFO thread_num {threads}\nINFO timeout_turn 2147483647\n"
    ));
    // The first game of each rule allocates memory that is never freed.
    for rule in RULES {
        play(&mut process, &mut random, rule, 3_000);
    }
    let (_, first) = usage_before_a_game(&mut process);
    for game in 0..games() {
        play(&mut process, &mut random, RULES[game as usize % RULES.len()], 400);
    }
    let (usage, last) = usage_before_a_game(&mut process);
    let report = format!(
        "{megabytes} MB, {threads} threads, {} games: peak {:.1} MB, own {:.1} MB after the first, \
         {:.1} MB after the last",
        games(),
        usage.peak as f64 / 1e6,
        first as f64 / 1e6,
        last as f64 / 1e6,
    );
    println!("{report}");
    assert!(usage.worst() <= limit, "{report}");
    assert!(last <= first + MAX_GROWTH, "{report}");
}

#[test]
fn memory_stays_within_32_mb() {
    for threads in [1, 2, 4] {
        check_memory(32, threads);
    }
}

#[test]
fn memory_stays_within_100_mb() {
    for threads in [1, 2, 4] {
        check_memory(100, threads);
    }
}

#[test]
fn memory_stays_within_350_mb() {
    for threads in [1, 4] {
        check_memory(350, threads);
    }
}

#[test]
fn memory_stays_within_1000_mb() {
    for threads in [1, 4] {
        check_memory(1000, threads);
    }
}
