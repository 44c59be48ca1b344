//! A search worker: runs one job after the other.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Duration;

use kakugo::clock::Instant;
use kakugo::level::FULL;
use kakugo::player::{Player, Resources};
use kakugo::search::{Networks, Signals};
use kakugo_play_core::decisions::NoExternalEngines;
use kakugo_play_core::game::setup::PlayerKind;
use kakugo_play_core::jobs::Job;
use kakugo_play_core::progress::{Progress, ProgressSink};
use kakugo_wasm::helpers::HELPERS;
use kakugo_wasm::{abi, requests};
use serde_json::json;

use crate::messages::Task;
use crate::wire::{ProgressWire, ResultWire};

/// Bytes of the transposition table.
const HASH_BYTES: usize = 32 << 20;
/// Interval between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

thread_local! {
    static SEARCHER: RefCell<Searcher> = RefCell::default();
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
    static AT_ONCE: Cell<bool> = const { Cell::new(false) };
}

/// The job that runs.
struct Running {
    number: u64,
    progress: Progress,
    changed: bool,
    signals: Arc<Signals>,
    reported: Instant,
}

impl Running {
    fn report(&mut self) {
        let progress = std::mem::take(&mut self.changed).then(|| ProgressWire::new(&self.progress));
        let nodes = self.signals.nodes();
        let report =
            json!({ "type": "progress", "job": self.number, "progress": progress, "nodes": nodes });
        abi::report(&report.to_string());
        self.reported = Instant::now();
    }
}

/// Polled by searches: reports progress, and returns true if the search must stop.
fn poll() -> bool {
    RUNNING.with(|running| {
        // Progress may be changing just now.
        if let Ok(mut running) = running.try_borrow_mut()
            && let Some(running) = &mut *running
            && running.reported.elapsed() >= REPORT_INTERVAL
        {
            running.report();
        }
    });
    AT_ONCE.get() || abi::stopped()
}

/// Keeps the progress until it is reported.
struct Sink;

impl ProgressSink for Sink {
    fn update(&self, change: &mut dyn FnMut(&mut Progress)) {
        RUNNING.with_borrow_mut(|running| match running {
            Some(running) => {
                change(&mut running.progress);
                running.changed = true;
            }
            None => change(&mut Progress::default()),
        });
    }
}

/// The engine of a worker.
pub struct Searcher {
    player: Player,
    networks: Networks,
}

impl Default for Searcher {
    fn default() -> Searcher {
        let networks = Networks::default();
        Searcher { player: Player::new(resources(&networks, 1)), networks }
    }
}

fn resources(networks: &Networks, threads: usize) -> Resources {
    Resources { hash_bytes: HASH_BYTES, threads, networks: networks.clone() }
}

/// Returns true if the search of a job uses all threads. The results of other jobs do not depend on
/// the number of threads, or do not depend on it on purpose, like reviews and the weaker levels.
fn uses_helpers(job: &Job) -> bool {
    match job {
        Job::Move(request) => !matches!(request.player, PlayerKind::Kakugo(level) if level < FULL),
        Job::Hint(_) | Job::Solve(_) | Job::Analysis { .. } => true,
        _ => false,
    }
}

impl Searcher {
    /// Calls a function with the engine of this worker.
    pub fn with<T>(function: impl FnOnce(&mut Searcher) -> T) -> T {
        SEARCHER.with_borrow_mut(function)
    }

    /// Uses a packed network for its rule. Returns an error, or an empty text.
    pub fn use_network(&mut self, packed: &[u8]) -> String {
        match requests::network(packed) {
            Ok(tables) => {
                self.networks.set(tables);
                String::new()
            }
            Err(error) => error,
        }
    }

    /// Runs a task, and returns its result as JSON: a [`ResultWire`], or `null` if it is not valid.
    pub fn run(&mut self, task: &str) -> String {
        let invalid = || "null".to_owned();
        let Ok(task) = serde_json::from_str::<Task>(task) else { return invalid() };
        let Some(job) = task.job.job() else { return invalid() };
        let threads = if uses_helpers(&job) { 1 + HELPERS.count() } else { 1 };
        self.player.set_resources(resources(&self.networks, threads));
        self.player.engine().set_spawner(&HELPERS);
        let now = Instant::now();
        let elapsed = Duration::try_from_secs_f64(task.elapsed / 1000.0).unwrap_or_default();
        let start = now.checked_sub(elapsed).unwrap_or(now);
        let signals = Arc::new(Signals::polling(poll));
        AT_ONCE.set(task.at_once);
        RUNNING.set(Some(Running {
            number: task.number,
            progress: Progress::default(),
            changed: false,
            signals: Arc::clone(&signals),
            reported: now,
        }));
        let result = job.run(start, &mut self.player, &mut NoExternalEngines, &signals, &Sink);
        if let Some(mut running) = RUNNING.take() {
            running.report();
        }
        serde_json::to_string(&ResultWire::new(&result)).unwrap_or_else(|_| "null".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use kakugo::board::{Board, Point, Variant};
    use kakugo_play_core::jobs::{Job, JobResult};
    use kakugo_play_core::puzzles;
    use kakugo_record::analysis::puzzle::Verdict;

    use super::*;
    use crate::wire::JobWire;

    #[test]
    fn jobs_are_run_and_others_rejected() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(5, 7), (0, 0), (6, 7), (0, 2), (7, 7), (2, 0), (8, 7), (0, 14)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let (task, answer) = (puzzles::Task::Win, Point::new(9, 7).unwrap());
        let job = Job::Verdict { task, board: Box::new(board), answer };
        let task = Task { number: 1, job: JobWire::new(&job), elapsed: 5.0, at_once: false };
        let mut searcher = Searcher::default();
        let result = searcher.run(&serde_json::to_string(&task).unwrap());
        let result: ResultWire = serde_json::from_str(&result).unwrap();
        let JobResult::Verdict(verdict) = result.result().unwrap() else { panic!() };
        assert_eq!(verdict, Verdict::Solved);
        assert_eq!(searcher.run("{}"), "null");
        assert!(searcher.use_network(b"").contains("damaged"));
    }
}
