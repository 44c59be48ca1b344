//! Questions to an engine, its answers and its faults.

use std::fmt;
use std::time::Duration;

use crate::{Command, Info, SearchInfo, StrictReply};

/// A command that expects an answer, and how long to wait for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The command.
    pub command: Command,
    /// Time for `INFO time_left`, which is sent before the command; `None` sends nothing.
    pub time_left: Option<Duration>,
    /// Maximum time to wait for the answer.
    pub patience: Duration,
}

impl Question {
    /// Creates a question without `INFO time_left`.
    pub fn new(command: Command, patience: Duration) -> Question {
        Question { command, time_left: None, patience }
    }
}

/// Formats the lines to be sent.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(left) = self.time_left {
            writeln!(f, "{}", Info::TimeLeft(Info::ms(left)))?;
        }
        writeln!(f, "{}", self.command)
    }
}

/// An engine's answer.
#[derive(Debug)]
pub struct Answer {
    /// The reply.
    pub reply: StrictReply,
    /// Time from sending the question to the arrival of the answer.
    pub elapsed: Duration,
    /// The search info of the messages before it.
    pub search_info: SearchInfo,
}

/// A failure of an engine, with a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No answer in time.
    Time(String),
    /// The process exited.
    Crash(String),
    /// The process closed its output but is still running.
    Disconnect(String),
    /// A protocol violation.
    Protocol(String),
    /// The memory limit was exceeded.
    Memory(String),
    /// The process could not be started.
    Unstartable(String),
    /// The caller stopped waiting.
    Stopped,
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Time(what)
            | Fault::Crash(what)
            | Fault::Disconnect(what)
            | Fault::Protocol(what)
            | Fault::Memory(what)
            | Fault::Unstartable(what) => f.write_str(what),
            Fault::Stopped => f.write_str("stopped"),
        }
    }
}
