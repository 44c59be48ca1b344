//! The thread that thinks.
//!
//! It owns the [`Engine`], takes one [`Job`] after the other and reports to the session through the
//! same queue of [`Event`]s by which lines arrive, so that the session has one place to wait. A
//! panic in the search costs the thread nothing but what the engine had learnt: the session plays
//! some legal stone and goes on.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::{io, thread};

use super::input::Line;
use crate::board::{Board, Point};
use crate::level::Level;
use crate::search::swap2::{self, Choice};
use crate::search::{Engine, Lag, Limits, Report, Reporter, Signals};

/// Stack of the thinking thread, in bytes: the search recurses once a ply.
const STACK_BYTES: usize = 16 << 20;

/// What the session waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// A line came in.
    Line(Line),
    /// The input has ended.
    InputEnded,
    /// The search found something.
    Report(Report),
    /// The search is done.
    Decided(Result<Decision, String>, Lag),
}

/// What a search came to.
#[derive(Debug)]
pub(super) enum Decision {
    /// A stone; `None` where no point is free.
    Stone(Option<Point>),
    /// An answer to `SWAP2BOARD`.
    Swap2(Choice),
}

/// What the thread is to do.
enum Job {
    Forget,
    Think(Box<Task>, Arc<Signals>),
}

/// A position to think about.
pub(super) struct Task {
    pub(super) board: Board,
    pub(super) limits: Limits,
    /// Decide a swap2 opening instead of playing a stone.
    pub(super) swap2: bool,
    pub(super) hash_bytes: usize,
    pub(super) threads: usize,
}

/// The session's end of the thread.
pub(super) struct Thinker {
    jobs: Sender<Job>,
    /// Those of the latest task: an earlier one may not have seen yet that it was stopped.
    pub(super) signals: Arc<Signals>,
    /// Whether there is something to forget.
    used: bool,
}

impl Thinker {
    /// Start the thread; it ends some time after the thinker or the receiver of `events` is gone.
    pub(super) fn start(events: SyncSender<Event>, level: Level) -> io::Result<Thinker> {
        let (jobs, todo) = channel();
        thread::Builder::new()
            .name("thinker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(level, &todo, &events))?;
        Ok(Thinker { jobs, signals: Arc::default(), used: false })
    }

    /// Think; a [`Event::Decided`] will follow.
    pub(super) fn think(&mut self, task: Task) {
        self.used = true;
        self.signals = Arc::default();
        self.send(Job::Think(Box::new(task), Arc::clone(&self.signals)));
    }

    /// Ask for the decision now.
    pub(super) fn stop(&self) {
        self.signals.stop();
    }

    /// Forget what was learnt, before the next task.
    pub(super) fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.send(Job::Forget);
        }
    }

    fn send(&self, job: Job) {
        self.jobs.send(job).expect("the thread lives as long as its jobs' sender");
    }
}

/// Nobody waits for the decision any more.
impl Drop for Thinker {
    fn drop(&mut self) {
        self.signals.stop();
    }
}

fn work(level: Level, todo: &Receiver<Job>, events: &SyncSender<Event>) {
    let mut engine = None;
    while let Ok(job) = todo.recv() {
        match job {
            Job::Forget => {
                let _ = unpanicked(|| engine.as_mut().map(Engine::clear));
            }
            Job::Think(task, signals) => {
                let decision = unpanicked(|| think(level, &mut engine, &task, events, &signals));
                if decision.is_err() {
                    engine = None;
                }
                let lag = engine.as_ref().map(Engine::lag).unwrap_or_default();
                if events.send(Event::Decided(decision, lag)).is_err() {
                    return;
                }
            }
        }
    }
}

fn think(
    level: Level,
    engine: &mut Option<Engine>,
    task: &Task,
    events: &SyncSender<Event>,
    signals: &Signals,
) -> Decision {
    let engine = engine.get_or_insert_with(|| Engine::new(task.hash_bytes));
    engine.set_hash_bytes(task.hash_bytes);
    engine.set_threads(task.threads);
    let (reporter, random) = (&mut Forward(events), &mut rand::rng());
    if task.swap2 {
        let choice = swap2::choose(engine, &task.board, &task.limits, signals, reporter, random);
        return Decision::Swap2(choice);
    }
    let answer = level.think(engine, &task.board, &task.limits, signals, reporter, random);
    Decision::Stone(answer.best)
}

/// Passes reports on; where the session is too slow for them they are dropped.
struct Forward<'a>(&'a SyncSender<Event>);

impl Reporter for Forward<'_> {
    fn report(&mut self, report: &Report) {
        let _ = self.0.try_send(Event::Report(report.clone()));
    }
}

/// The value of `f`, or what it panicked with.
fn unpanicked<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(f)).map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default()
}
