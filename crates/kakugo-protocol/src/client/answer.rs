//! Questions to an engine, its answers, and its faults.

use std::fmt;
use std::time::Duration;

use crate::{Command, Info, StrictReply, Thoughts};

/// A command that wants an answer, and how long to wait for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The command.
    pub command: Command,
    /// What `INFO time_left` tells just before it, if anything.
    pub time_left: Option<Duration>,
    /// Longest wait for the answer.
    pub patience: Duration,
}

impl Question {
    /// A question without a word about time.
    pub fn new(command: Command, patience: Duration) -> Question {
        Question { command, time_left: None, patience }
    }
}

/// The whole lines that are sent.
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
    /// The answering line.
    pub reply: StrictReply,
    /// From sending the question to the arrival of the answer.
    pub elapsed: Duration,
    /// What the messages before it said.
    pub thoughts: Thoughts,
}

/// What goes wrong with an engine; each tells its story.
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
    /// The caller wanted no answer any more.
    Stopped,
}

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
