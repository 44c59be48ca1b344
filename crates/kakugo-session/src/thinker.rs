//! The session's interface to the engine: turns out, decisions back.
//!
//! The engine searches on a [`Thread`] and reports through the queue of [`Event`]s that input lines
//! use, too. So the session waits in one place. After a panic in the search, the session answers
//! without its result and continues. Between a `START` or an `INFO` and the first turn the engine
//! is idle and prepares for that turn. Otherwise the first search of a new process would wait a
//! third of a second for memory.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::event::Event;
use kakugo::board::Board;
use kakugo::player::{Player, Resources, Thread, Turn};
use kakugo::search::{Networks, Report, Reporter};

/// An engine that searches in the background.
pub(crate) trait Thinker {
    /// Starts a search with these resources. An [`Event::Decided`] will follow.
    fn think(&mut self, turn: Turn, resources: Resources);

    /// Starts a search on the opponent's time. The memory of the transposition table is allocated
    /// first, piece by piece, because a search that waits for memory is slow to stop.
    fn ponder(&mut self, turn: Turn, resources: Resources);

    /// Prepares to search this position with these resources, until the next call. If `memory` is
    /// set, the memory of the transposition table is allocated, too.
    fn prepare(&mut self, board: Board, resources: Resources, memory: bool);

    /// Stops the search. Its decision follows soon.
    fn stop(&mut self);

    /// Clears the transposition table and histories before the next turn.
    fn clear(&mut self);
}

/// The engine on a thread of its own. Dropping it stops its search.
pub(crate) struct EngineThread {
    thread: Thread<Player>,
    events: SyncSender<Event>,
    /// The latest preparation, if the thread is still busy. It replaces earlier ones that have not
    /// started, because only the last is useful.
    pending: Arc<Mutex<Option<Preparation>>>,
    /// True if the engine has searched since it was last cleared.
    used: bool,
}

/// The arguments of [`Thinker::prepare`].
#[derive(Debug)]
struct Preparation {
    board: Board,
    resources: Resources,
    memory: bool,
}

impl EngineThread {
    /// Starts the thread, which sends its `events`.
    ///
    /// # Errors
    /// Returns an error if the system cannot start a thread.
    pub(crate) fn start(events: SyncSender<Event>) -> io::Result<EngineThread> {
        // Never used, because every turn sets its own resources.
        let initial = Resources { hash_bytes: 0, threads: 1, networks: Networks::default() };
        let thread = Thread::start("thinker", move || Player::new(initial.clone()))?;
        Ok(EngineThread { thread, events, pending: Arc::default(), used: false })
    }

    /// Searches, after a preparation if `prepare` is set, and sends the decision.
    fn decide(&mut self, turn: Turn, resources: Resources, prepare: bool) {
        // A preparation that still runs would delay this search, and no later stop would reach it.
        self.thread.stop();
        self.used = true;
        *lock(&self.pending) = None;
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
                // Fails after the end of the session, which is not an error.
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
        let was_pending =
            lock(&self.pending).replace(Preparation { board, resources, memory }).is_some();
        // The latest job has not started yet and will use this preparation, unless it was stopped.
        if was_pending && !self.thread.signals().is_stopped() {
            return;
        }
        self.thread.stop();
        let pending = Arc::clone(&self.pending);
        self.thread.give(
            move |player, signals| {
                let mut pending = lock(&pending);
                let preparation = if signals.is_stopped() { None } else { pending.take() };
                drop(pending);
                if let Some(Preparation { board, resources, memory }) = preparation {
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

    fn clear(&mut self) {
        if std::mem::take(&mut self.used) {
            *lock(&self.pending) = None;
            self.thread.give(|player, _| player.forget(), |_| {});
        }
    }
}

fn lock(pending: &Mutex<Option<Preparation>>) -> MutexGuard<'_, Option<Preparation>> {
    pending.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forwards reports to the session. If its queue is full, they are dropped.
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
    fn only_the_latest_pending_preparation_runs() {
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
        // Owned by the engine and by one job.
        assert_eq!(Arc::strong_count(&engine.pending), 2);
        // A stopped job is followed by another.
        engine.stop();
        engine.prepare(board.clone(), with(3), true);
        engine.prepare(board.clone(), with(2), true);
        assert_eq!(Arc::strong_count(&engine.pending), 3);
        let latest = lock(&engine.pending).as_ref().map(|pending| pending.resources.hash_bytes);
        assert_eq!(latest, Some(2 << 20));
        release.send(()).unwrap();
        let (sender, done) = channel();
        engine.thread.give(|_, _| (), move |_| _ = sender.send(()));
        assert_eq!(done.recv(), Ok(()));
        // The preparation has run.
        assert!(lock(&engine.pending).is_none());
        assert_eq!(Arc::strong_count(&engine.pending), 1);
    }

    #[test]
    fn a_turn_discards_the_pending_preparation() {
        let mut engine = EngineThread::start(sync_channel(1).0).unwrap();
        let (release, released) = channel::<()>();
        engine.thread.give(move |_, _| released.recv(), |_| {});
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let few = Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::none() };
        engine.prepare(board.clone(), few.clone(), true);
        let limits = Limits { max_nodes: Some(1), ..Limits::default() };
        engine.think(Turn { board, question: Question::Stone(Level::default()), limits }, few);
        assert!(lock(&engine.pending).is_none());
        release.send(()).unwrap();
    }
}
