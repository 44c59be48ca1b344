//! Searches by several threads, started and stopped repeatedly at random moments, never hang.

use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use kakugo::board::{Board, Point, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Timeout of a search. It detects hangs, not slow searches.
const PATIENCE: Duration = Duration::from_secs(120);

/// Number of starts and stops per number of threads. `KAKUGO_STARTS` overrides it.
const STARTS: u32 = 25;

fn starts() -> u32 {
    std::env::var("KAKUGO_STARTS").ok().and_then(|n| n.parse().ok()).unwrap_or(STARTS)
}

/// Returns a position with a few stones in the middle.
fn position(random: &mut StdRng) -> Board {
    let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
    for _ in 0..random.random_range(0..8) {
        let [x, y] = [(); 2].map(|()| random.random_range(5..10));
        let _ = board.play(Point::new(x, y).unwrap());
    }
    board
}

/// Searches with this many threads and stops at a random moment, from before the start to a few
/// milliseconds later.
fn start_and_stop(threads: usize) {
    let (jobs, todo) = channel::<(Board, Arc<Signals>, Limits)>();
    let (done, ended) = channel();
    let worker = thread::spawn(move || {
        let mut engine = Engine::new(1 << 20);
        engine.set_threads(threads);
        for (board, signals, limits) in todo {
            let answer = engine.think(&board, &limits, &signals, &mut Silent);
            let _ = done.send(answer.best.is_some_and(|p| board.is_empty(p)));
            engine.clear();
        }
    });
    let mut random = StdRng::seed_from_u64(threads as u64);
    for start in 0..starts() {
        let signals = Arc::new(Signals::default());
        let limits = Limits {
            multi_pv: random.random_range(1..3),
            // Some searches end on their own at about the time of the stop.
            max_nodes: random.random_bool(0.3).then(|| random.random_range(1..5_000)),
            turn: random.random_bool(0.3).then(|| Duration::from_millis(random.random_range(1..9))),
            ..Limits::default()
        };
        let before = random.random_bool(0.1);
        if before {
            signals.stop();
        }
        jobs.send((position(&mut random), Arc::clone(&signals), limits)).unwrap();
        if !before {
            thread::sleep(Duration::from_micros(random.random_range(0..6_000)));
            signals.stop();
        }
        match ended.recv_timeout(PATIENCE) {
            Ok(is_move) => assert!(is_move, "start {start} of {threads} threads"),
            Err(RecvTimeoutError::Timeout) => panic!("start {start} of {threads} threads hangs"),
            Err(RecvTimeoutError::Disconnected) => panic!("the search panicked"),
        }
    }
    drop(jobs);
    worker.join().unwrap();
}

#[test]
fn two_threads_end_whenever_they_are_stopped() {
    start_and_stop(2);
}

#[test]
fn four_threads_end_whenever_they_are_stopped() {
    start_and_stop(4);
}

#[test]
fn eight_threads_end_whenever_they_are_stopped() {
    start_and_stop(8);
}
