//! The session's way to the engine: turns out, decisions back.
//!
//! The engine thinks on a [`Thread`] and reports through the same queue of [`Event`]s by which lines
//! arrive, so that the session has one place to wait. After a panic in the search the session plays
//! some legal stone and goes on. Between a `START` or an `INFO` and the first turn it has nothing to
//! do: then it prepares for that turn, for in a new process the first search would spend a third of
//! a second waiting for memory.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event::Event;
use kakugo::board::Board;
use kakugo::player::{Player, Resources, Thread, Turn};
use kakugo::search::{Networks, Report, Reporter};

/// Thinks for a session, which meanwhile does other things.
pub(super) trait Thinker {
    /// Think with these resources; an [`Event::Decided`] will follow.
    fn think(&mut self, turn: Turn, resources: Resources);

    /// As [`Thinker::think`], on the opponent's time: the table's memory is taken first, piece by piece, for a
    /// search that waits for it is slow to stop.
    fn ponder(&mut self, turn: Turn, resources: Resources);

    /// Get ready to think about this position with these resources, until something else is asked; with
    /// `memory`, take that of the table, too.
    fn prepare(&mut self, board: Board, resources: Resources, memory: bool);

    /// Ask for the decision now.
    fn stop(&mut self);

    /// Forget what was learnt, before the next turn.
    fn forget(&mut self);
}

/// The engine on a thread of its own. Dropping it stops what it thinks about.
pub(super) struct EngineThread {
    thread: Thread<Player>,
    events: SyncSender<Event>,
    /// The newest preparation while the thread is still busy with what was asked before: of many that are asked
    /// for meanwhile, line by line, only the last is of use.
    awaited: Arc<Mutex<Option<Preparation>>>,
    /// Whether there is something to forget.
    used: bool,
}

/// What to get ready for, and with what.
#[derive(Debug)]
struct Preparation {
    board: Board,
    resources: Resources,
    memory: bool,
}

impl EngineThread {
    /// Start the thread, which sends its `events`.
    ///
    /// # Errors
    /// The system has no thread left.
    pub(super) fn start(events: SyncSender<Event>) -> io::Result<EngineThread> {
        // Every turn comes with its resources: these are never used.
        let none = Resources { hash_bytes: 0, threads: 1, networks: Networks::default() };
        let thread = Thread::start("thinker", move || Player::new(none.clone()))?;
        Ok(EngineThread { thread, events, awaited: Arc::default(), used: false })
    }

    /// Prepare if that is wanted, decide, and tell.
    fn decide(&mut self, turn: Turn, resources: Resources, prepare: bool) {
        self.used = true;
        *lock(&self.awaited) = None;
        let (reports, decisions) = (self.events.clone(), self.events.clone());
        self.thread.give(
            move |player, signals| {
                player.set_resources(resources);
                if prepare {
                    player.prepare(&turn.board, true, signals);
                }
                let decision = player.decide(&turn, signals, &mut Forward(reports));
                (decision, player.lag())
            },
            move |result| {
                let (decision, lag) = match result {
                    Ok((decision, lag)) => (Ok(decision), lag),
                    Err(panic) => (Err(panic), Default::default()),
                };
                // Fails once the session has ended, which is no error.
                let _ = decisions.send(Event::Decided(decision, lag));
            },
        );
    }
}

impl Thinker for EngineThread {
    fn think(&mut self, turn: Turn, resources: Resources) {
        self.decide(turn, resources, false);
    }

    fn ponder(&mut self, turn: Turn, resources: Resources) {
        self.decide(turn, resources, true);
    }

    fn prepare(&mut self, board: Board, resources: Resources, memory: bool) {
        let one_waits =
            lock(&self.awaited).replace(Preparation { board, resources, memory }).is_some();
        // The latest job has not begun and will take this instead, unless it was told to stop.
        if one_waits && !self.thread.signals().is_stopped() {
            return;
        }
        self.thread.stop();
        let awaited = Arc::clone(&self.awaited);
        self.thread.give(
            move |player, signals| {
                let mut awaited = lock(&awaited);
                let wanted = if signals.is_stopped() { None } else { awaited.take() };
                drop(awaited);
                if let Some(Preparation { board, resources, memory }) = wanted {
                    player.set_resources(resources);
                    player.prepare(&board, memory, signals);
                }
            },
            |_| {},
        );
    }

    fn stop(&mut self) {
        self.thread.stop();
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            *lock(&self.awaited) = None;
            self.thread.give(|player, _| player.forget(), |_| {});
        }
    }
}

fn lock(awaited: &Mutex<Option<Preparation>>) -> MutexGuard<'_, Option<Preparation>> {
    awaited.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes reports on; where the session is too slow for them they are dropped.
struct Forward(SyncSender<Event>);

impl Reporter for Forward {
    fn report(&mut self, report: &Report) {
        let _ = self.0.try_send(Event::Report(report.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;
    use kakugo::level::Level;
    use kakugo::player::Question;
    use kakugo::search::Limits;
    use std::sync::mpsc::{channel, sync_channel};

    #[test]
    fn of_preparations_that_wait_only_the_last_is_made() {
        let mut engine = EngineThread::start(sync_channel(1).0).unwrap();
        let (release, released) = channel::<()>();
        engine.thread.give(move |_, _| released.recv(), |_| {});
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let with = |megabytes: usize| Resources {
            hash_bytes: megabytes << 20,
            threads: 1,
            networks: Networks::none(),
        };
        for megabytes in 1..1000 {
            engine.prepare(board.clone(), with(megabytes), true);
        }
        // The engine's and that of one job.
        assert_eq!(Arc::strong_count(&engine.awaited), 2);
        // A job that was told to stop is followed by another.
        engine.stop();
        engine.prepare(board.clone(), with(3), true);
        engine.prepare(board.clone(), with(2), true);
        assert_eq!(Arc::strong_count(&engine.awaited), 3);
        let newest = lock(&engine.awaited).as_ref().map(|wanted| wanted.resources.hash_bytes);
        assert_eq!(newest, Some(2 << 20));
        release.send(()).unwrap();
        let (sender, done) = channel();
        engine.thread.give(|_, _| (), move |_| _ = sender.send(()));
        assert_eq!(done.recv(), Ok(()));
        // It was made.
        assert!(lock(&engine.awaited).is_none());
        assert_eq!(Arc::strong_count(&engine.awaited), 1);
    }

    #[test]
    fn what_was_to_be_prepared_is_of_no_use_once_there_is_a_turn() {
        let mut engine = EngineThread::start(sync_channel(1).0).unwrap();
        let (release, released) = channel::<()>();
        engine.thread.give(move |_, _| released.recv(), |_| {});
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let few = Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::none() };
        engine.prepare(board.clone(), few.clone(), true);
        let limits = Limits { max_nodes: Some(1), ..Limits::default() };
        engine.think(Turn { board, question: Question::Stone(Level::default()), limits }, few);
        assert!(lock(&engine.awaited).is_none());
        release.send(()).unwrap();
    }
}
