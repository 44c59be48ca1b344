//! The session's way to the engine: turns out, decisions back.
//!
//! The engine thinks on a [`Thread`] and reports through the same queue of [`Event`]s by which lines
//! arrive, so that the session has one place to wait. After a panic in the search the session plays
//! some legal stone and goes on. Between a `START` or an `INFO` and the first turn it has nothing to
//! do: then it prepares for that turn, for in a new process the first search would spend a third of
//! a second waiting for memory.

use std::io;
use std::sync::mpsc::SyncSender;

use super::event::Event;
use crate::board::Board;
use crate::player::{Player, Resources, Thread, Turn};
use crate::search::{Networks, Report, Reporter};

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
    /// Whether there is something to forget.
    used: bool,
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
        Ok(EngineThread { thread, events, used: false })
    }

    /// Prepare if that is wanted, decide, and tell.
    fn decide(&mut self, turn: Turn, resources: Resources, prepare: bool) {
        self.used = true;
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
        self.thread.stop();
        self.thread.give(
            move |player, signals| {
                player.set_resources(resources);
                player.prepare(&board, memory, signals);
            },
            |_| {},
        );
    }

    fn stop(&mut self) {
        self.thread.stop();
    }

    fn forget(&mut self) {
        if std::mem::take(&mut self.used) {
            self.thread.give(|player, _| player.forget(), |_| {});
        }
    }
}

/// Passes reports on; where the session is too slow for them they are dropped.
struct Forward(SyncSender<Event>);

impl Reporter for Forward {
    fn report(&mut self, report: &Report) {
        let _ = self.0.try_send(Event::Report(report.clone()));
    }
}
