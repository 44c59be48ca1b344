//! What the arbiter knows of those who play: questions, answers, faults.

use std::time::Duration;

use super::config::{EngineConfig, Settings};
use super::output::{Line, Thoughts};
use crate::board::Variant;

/// Who plays: an engine's process, or a script in tests.
pub trait Contestant {
    /// Name and limits.
    fn config(&self) -> &EngineConfig;
    /// Prepare for a new game.
    fn new_game(&mut self, settings: &Settings, variant: Variant) -> Result<(), Fault>;
    /// Send a command and wait for its answer for at most `patience`.
    fn ask(&mut self, command: &str, expect: Expect, patience: Duration) -> Result<Answer, Fault>;
    /// Check the memory limit: the peak, and if asked thoroughly, the private memory.
    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault>;
    /// End the process at once.
    fn kill(&mut self);
}

/// What goes wrong with an engine.
#[derive(Debug)]
pub enum Fault {
    /// No answer in time.
    Time(String),
    /// The process ended.
    Crash(String),
    /// The process lives but closed its output.
    Disconnect(String),
    /// A line that the protocol does not allow here.
    Protocol(String),
    /// Too much memory.
    Memory(String),
    /// The operating system could not start the command.
    Unstartable(String),
    /// The match was stopped while we waited.
    Stopped,
}

/// An engine's answer.
#[derive(Debug)]
pub struct Answer {
    /// The answering line.
    pub line: Line,
    /// From sending the question to the arrival of the answer.
    pub elapsed: Duration,
    /// What the messages said.
    pub thoughts: Thoughts,
}

/// What kind of line answers a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// `OK`.
    Ok,
    /// One point.
    Move,
    /// `SWAP` or one to three points.
    Swap2,
}

impl Expect {
    /// Whether the line is such an answer.
    pub(super) fn accepts(self, line: &Line) -> bool {
        match (self, line) {
            (Expect::Ok, Line::Ok) | (Expect::Swap2, Line::Swap) => true,
            (Expect::Move, Line::Moves(moves)) => moves.len() == 1,
            (Expect::Swap2, Line::Moves(moves)) => (1..=3).contains(&moves.len()),
            _ => false,
        }
    }

    /// The kind in words.
    pub(super) fn wish(self) -> &'static str {
        match self {
            Expect::Ok => "OK",
            Expect::Move => "a move \"x,y\"",
            Expect::Swap2 => "SWAP or points \"x,y\"",
        }
    }
}
