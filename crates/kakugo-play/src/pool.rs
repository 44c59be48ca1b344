//! Search threads: they run the jobs of all rooms, in the order that the scheduler decides.
//!
//! Each worker has an engine of its own, whose transposition table serves all rooms. It gives the
//! memory back when it had nothing to do for a minute. So the memory for searches is bounded by the
//! number of workers times the size of the table ([`PoolSettings::max_table_bytes`]), however many
//! rooms there are.

use std::any::Any;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{io, thread};

use kakugo::player::{Player, Resources};
use kakugo::search::Signals;
use kakugo_play_core::job_runs::JobRuns;
use kakugo_play_core::jobs::{Job, JobId, JobResult, JobUpdate};
use kakugo_play_core::now::Time;
use kakugo_play_core::progress::{Progress, ProgressSink};
use kakugo_play_core::scheduler::{Assignment, End, Scheduler};

use crate::clock::Clock;
use crate::engines::{EngineList, Engines};
use crate::lock::lock;

/// Stack of a search thread, in bytes: the search recurses once per ply.
const STACK_BYTES: usize = 16 << 20;

/// Time without a job after which a worker gives back its memory.
const REST_AFTER: Duration = Duration::from_secs(60);

/// The job of a room: the room's number, and the job's number within it.
pub type JobKey = (u64, JobId);

/// Called with every change of a job, from any thread.
pub type Deliver = Box<dyn Fn(JobKey, JobUpdate) + Send + Sync>;

/// The settings of a pool.
#[derive(Clone, Debug)]
pub struct PoolSettings {
    /// Number of search threads of all workers together.
    pub search_threads: usize,
    /// The resources of one search.
    pub resources: Resources,
    /// The engines other than Kakugo.
    pub engines: EngineList,
}

impl PoolSettings {
    /// Returns the number of workers: one search at a time each, with the threads of a search.
    pub fn workers(&self) -> usize {
        (self.search_threads / self.resources.threads.max(1)).max(1)
    }

    /// Returns the upper limit of the memory of all transposition tables, in bytes.
    pub fn max_table_bytes(&self) -> usize {
        self.workers() * self.resources.hash_bytes
    }
}

/// A pool of search threads. They end when it is dropped.
pub struct Pool {
    shared: Arc<Shared>,
}

/// The pool as its threads share it.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    clock: Clock,
    deliver: Deliver,
}

/// The state of a pool.
struct State {
    scheduler: Scheduler<JobKey>,
    entries: HashMap<JobKey, Entry>,
    workers: Vec<Worker>,
    closed: bool,
}

/// A worker as the pool knows it.
#[derive(Clone, Default)]
struct Worker {
    /// The job to be started.
    next: Option<JobKey>,
    /// The signals of the job that runs.
    signals: Arc<Signals>,
}

/// A job that waits or runs.
struct Entry {
    job: Job,
    signals: Arc<Signals>,
    progress: Arc<SharedProgress>,
    runs: JobRuns,
}

/// The progress of a job, and whether it has changed since it was collected.
#[derive(Default)]
struct SharedProgress(Mutex<(Progress, bool)>);

impl ProgressSink for SharedProgress {
    fn update(&self, change: &mut dyn FnMut(&mut Progress)) {
        let (progress, changed) = &mut *lock(&self.0);
        change(progress);
        *changed = true;
    }
}

impl SharedProgress {
    /// Returns the progress if it has changed since the last call.
    fn collect(&self) -> Option<Progress> {
        let (progress, changed) = &mut *lock(&self.0);
        std::mem::take(changed).then(|| progress.clone())
    }
}

impl Entry {
    fn new(job: Job, now: Time) -> Entry {
        let runs = JobRuns::new(now);
        Entry { job, signals: Arc::default(), progress: Arc::default(), runs }
    }

    /// Returns the progress since the last call.
    fn collect(&self, now: Time) -> JobUpdate {
        self.runs.update(self.progress.collect(), self.signals.nodes(), now)
    }

    /// The job was interrupted and waits again.
    fn interrupt(&mut self, now: Time) {
        self.runs.interrupt(self.signals.nodes(), now);
        (self.signals, self.progress) = (Arc::default(), Arc::default());
    }
}

impl State {
    fn perform(&mut self, assignments: Vec<Assignment<JobKey>>, now: Time) {
        for assignment in assignments {
            match assignment {
                Assignment::Start { worker, key } => {
                    let Some(entry) = self.entries.get_mut(&key) else { continue };
                    entry.runs.start(now);
                    let signals = Arc::clone(&entry.signals);
                    self.workers[worker] = Worker { next: Some(key), signals };
                }
                Assignment::Interrupt { worker, .. } => self.workers[worker].signals.stop(),
            }
        }
    }
}

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start(settings: &PoolSettings, clock: Clock, deliver: Deliver) -> io::Result<Pool> {
        let workers = settings.workers();
        let state = State {
            scheduler: Scheduler::new(workers),
            entries: HashMap::new(),
            workers: vec![Worker::default(); workers],
            closed: false,
        };
        let state = Mutex::new(state);
        let shared = Arc::new(Shared { state, changed: Condvar::new(), clock, deliver });
        for worker in 0..workers {
            let (shared, settings) = (Arc::clone(&shared), settings.clone());
            thread::Builder::new()
                .name(format!("search-{}", worker + 1))
                .stack_size(STACK_BYTES)
                .spawn(move || shared.work(worker, &settings))?;
        }
        Ok(Pool { shared })
    }

    /// Submits a job of a room.
    pub fn submit(&self, key: JobKey, job: Job) {
        let now = self.shared.clock.now().time;
        let mut state = lock(&self.shared.state);
        let priority = job.priority();
        state.entries.insert(key, Entry::new(job, now));
        let assignments = state.scheduler.submit(key, key.0, priority, now);
        state.perform(assignments, now);
        self.shared.changed.notify_all();
    }

    /// Stops a job: no change of it is delivered any more, unless it is under way already.
    pub fn stop(&self, key: JobKey) {
        let now = self.shared.clock.now().time;
        let mut state = lock(&self.shared.state);
        state.entries.remove(&key);
        let assignments = state.scheduler.withdraw(key, now);
        state.perform(assignments, now);
        self.shared.changed.notify_all();
    }

    /// Stops all jobs of a room.
    pub fn stop_room(&self, room: u64) {
        let jobs: Vec<JobKey> = lock(&self.shared.state).entries.keys().copied().collect();
        jobs.into_iter().filter(|(of, _)| *of == room).for_each(|job| self.stop(job));
    }

    /// Asks a job for its result now.
    pub fn answer_now(&self, key: JobKey) {
        if let Some(entry) = lock(&self.shared.state).entries.get(&key) {
            entry.signals.stop();
        }
    }

    /// Ends time slices, and returns the progress of all jobs. To be called several times a second.
    pub fn tick(&self) -> Vec<(JobKey, JobUpdate)> {
        let now = self.shared.clock.now().time;
        let mut state = lock(&self.shared.state);
        let assignments = state.scheduler.tick(now);
        state.perform(assignments, now);
        self.shared.changed.notify_all();
        let mut updates = Vec::new();
        for (&key, entry) in &mut state.entries {
            updates.extend(entry.runs.queue_change(now).map(|update| (key, update)));
            if entry.runs.is_running() {
                updates.push((key, entry.collect(now)));
            }
        }
        updates
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.closed = true;
        state.workers.iter().for_each(|worker| worker.signals.stop());
        self.shared.changed.notify_all();
    }
}

impl Shared {
    /// The life of a worker.
    fn work(&self, worker: usize, settings: &PoolSettings) {
        let mut player = Player::new(settings.resources.clone());
        let mut engines = Engines::new(settings.engines.clone());
        loop {
            let waiting = self.next_job(worker, Some(REST_AFTER)).or_else(|closed| {
                if closed {
                    return Err(true);
                }
                player.rest();
                engines.rest();
                self.next_job(worker, None)
            });
            let Ok((key, job, signals, progress)) = waiting else { return };
            let start = job.since().map_or_else(Instant::now, |time| self.clock.instant(time));
            let run = || job.run(start, &mut player, &mut engines, &signals, &*progress);
            let result =
                catch_unwind(AssertUnwindSafe(run)).map_err(|panic| panic_message(&*panic));
            if result.is_err() {
                player = Player::new(settings.resources.clone());
                engines.rest();
            }
            self.finish(worker, key, result);
        }
    }

    /// Waits for the next job of a worker. The error states whether the pool is closed.
    fn next_job(
        &self,
        worker: usize,
        timeout: Option<Duration>,
    ) -> Result<(JobKey, Job, Arc<Signals>, Arc<SharedProgress>), bool> {
        let began = Instant::now();
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return Err(true);
            }
            if let Some(key) = state.workers[worker].next.take() {
                let Some(entry) = state.entries.get(&key) else {
                    // It was stopped before it ran.
                    let now = self.clock.now().time;
                    let (_, assignments) = state.scheduler.released(worker, now);
                    state.perform(assignments, now);
                    self.changed.notify_all();
                    continue;
                };
                let (signals, progress) = (Arc::clone(&entry.signals), Arc::clone(&entry.progress));
                return Ok((key, entry.job.clone(), signals, progress));
            }
            state = match timeout {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(timeout) => {
                    let left = timeout.saturating_sub(began.elapsed());
                    if left.is_zero() {
                        return Err(false);
                    }
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    /// A worker has run a job.
    fn finish(&self, worker: usize, key: JobKey, result: Result<JobResult, String>) {
        let mut updates = Vec::new();
        {
            let now = self.clock.now().time;
            let mut state = lock(&self.state);
            let (end, assignments) = state.scheduler.released(worker, now);
            match end {
                End::Finished => {
                    if let Some(entry) = state.entries.remove(&key) {
                        updates.push(entry.collect(now));
                        updates.push(match result {
                            Ok(result) => JobUpdate::Finished(result),
                            Err(message) => JobUpdate::Failed(message),
                        });
                    }
                }
                End::Interrupted => {
                    if let Some(entry) = state.entries.get_mut(&key) {
                        entry.interrupt(now);
                    }
                }
                End::Withdrawn => {}
            }
            state.perform(assignments, now);
            self.changed.notify_all();
        }
        for update in updates {
            (self.deliver)(key, update);
        }
    }
}

/// Returns the message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;
    use kakugo::board::{Board, Point, Variant};
    use kakugo::search::Networks;
    use kakugo_play_core::decisions::{MoveRequest, ThinkingTime};
    use kakugo_play_core::game::opening::{Next, Opening};
    use kakugo_play_core::game::setup::PlayerKind;
    use kakugo_play_core::jobs::AnalysisRequest;

    /// Longest wait for what must come. It states that something hangs, not that it is slow.
    const PATIENCE: Duration = Duration::from_secs(60);

    fn middle_game() -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        board
    }

    fn analysis() -> Job {
        let request = AnalysisRequest { lines: 3, ..AnalysisRequest::default() };
        Job::Analysis { board: Box::new(middle_game()), request }
    }

    fn level(number: usize) -> Job {
        let second = Some(Duration::from_secs(1));
        let time =
            ThinkingTime { since: None, turn: second, left: None, increment: Duration::ZERO };
        Job::Move(Box::new(MoveRequest {
            board: middle_game(),
            player: PlayerKind::Kakugo(number),
            opening: Opening::Free,
            next: Next::Turn,
            time,
        }))
    }

    fn start(search_threads: usize) -> (Pool, Receiver<(JobKey, JobUpdate)>) {
        let resources =
            Resources { hash_bytes: 1 << 20, threads: 1, networks: Networks::default() };
        let settings = PoolSettings { search_threads, resources, engines: EngineList::default() };
        let (sender, updates) = channel();
        let deliver = move |key, update| _ = sender.send((key, update));
        (Pool::start(&settings, Clock::start(), Box::new(deliver)).unwrap(), updates)
    }

    fn key(room: u64) -> JobKey {
        (room, JobId(1))
    }

    /// Returns the room of the next job that has ended.
    fn next_end(updates: &Receiver<(JobKey, JobUpdate)>) -> u64 {
        loop {
            let (key, update) = updates.recv_timeout(PATIENCE).expect("a job ends");
            match update {
                JobUpdate::Finished(_) => return key.0,
                JobUpdate::Failed(message) => panic!("{message}"),
                _ => {}
            }
        }
    }

    /// Ticks until an update is as wanted.
    fn tick_until(pool: &Pool, wanted: impl Fn(&JobKey, &JobUpdate) -> bool) {
        let began = Instant::now();
        while !pool.tick().iter().any(|(key, update)| wanted(key, update)) {
            assert!(began.elapsed() < PATIENCE, "never");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn has_three_lines(room: u64) -> impl Fn(&JobKey, &JobUpdate) -> bool {
        move |key, update| {
            let JobUpdate::Progress { progress: Some(progress), .. } = update else { return false };
            key.0 == room && progress.lines.len() == 3
        }
    }

    #[test]
    fn jobs_report_progress_answer_on_demand_and_are_silent_when_stopped() {
        let (pool, updates) = start(1);
        pool.submit(key(1), analysis());
        tick_until(&pool, has_three_lines(1));
        pool.stop(key(1));
        pool.submit(key(2), analysis());
        tick_until(&pool, has_three_lines(2));
        pool.answer_now(key(2));
        assert_eq!(next_end(&updates), 2);
        // Also if it has not started yet.
        pool.submit(key(3), analysis());
        pool.submit(key(4), analysis());
        pool.answer_now(key(4));
        pool.stop(key(3));
        assert_eq!(next_end(&updates), 4);
        assert!(updates.try_recv().is_err());
    }

    #[test]
    fn a_move_is_played_at_once_while_many_tabs_analyse() {
        let (pool, updates) = start(2);
        for room in 1..=20 {
            pool.submit(key(room), analysis());
        }
        tick_until(&pool, |key, update| key.0 > 2 && matches!(update, JobUpdate::Queued));
        for room in 21..=24 {
            let began = Instant::now();
            pool.submit(key(room), level(3));
            assert_eq!(next_end(&updates), room);
            // Generous, because the machine may be busy: it takes milliseconds on a quiet one.
            assert!(began.elapsed() < PATIENCE / 6, "{:?}", began.elapsed());
        }
        // The analyses go on, and each has its turn.
        for room in [1, 20] {
            tick_until(&pool, has_three_lines(room));
        }
    }

    #[test]
    fn workers_times_tables_bound_the_memory() {
        let resources =
            Resources { hash_bytes: 64 << 20, threads: 1, networks: Networks::default() };
        let settings =
            PoolSettings { search_threads: 2, resources, engines: EngineList::default() };
        assert_eq!((settings.workers(), settings.max_table_bytes()), (2, 128 << 20));
        let threads = |search_threads, threads| {
            let resources = Resources { threads, ..settings.resources.clone() };
            PoolSettings { search_threads, resources, engines: EngineList::default() }.workers()
        };
        assert_eq!([threads(8, 4), threads(2, 4), threads(0, 1)], [2, 1, 1]);
    }
}
