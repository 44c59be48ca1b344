//! A check: one thing that a manager wants of an engine.

use super::bench::Bench;
use super::verdict::Judged;

/// What a check is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Area {
    /// From the process's start to `OK`.
    Start,
    /// What each command does.
    Commands,
    /// Keys of `INFO`.
    Info,
    /// Input that is broken or comes in pieces.
    Malformed,
    /// What wins, what is forbidden.
    Rules,
    /// A win is taken, a loss prevented.
    Tactics,
    /// Moves come in time.
    Time,
    /// Memory stays within its limit.
    Memory,
    /// What is written to disk.
    Files,
    /// The process ends, and leaves nothing behind.
    End,
    /// A game as each manager plays it.
    Managers,
    /// Gomocup's admission positions and games.
    Admission,
    /// The zip of a tournament entry.
    Zip,
}

impl Area {
    /// Every area, in the order of reports.
    pub const ALL: [Area; 13] = [
        Area::Start,
        Area::Commands,
        Area::Info,
        Area::Malformed,
        Area::Rules,
        Area::Tactics,
        Area::Time,
        Area::Memory,
        Area::Files,
        Area::End,
        Area::Managers,
        Area::Admission,
        Area::Zip,
    ];

    /// The area's name, with which the names of its checks begin.
    pub fn name(self) -> &'static str {
        match self {
            Area::Start => "start",
            Area::Commands => "commands",
            Area::Info => "info",
            Area::Malformed => "malformed",
            Area::Rules => "rules",
            Area::Tactics => "tactics",
            Area::Time => "time",
            Area::Memory => "memory",
            Area::Files => "files",
            Area::End => "end",
            Area::Managers => "managers",
            Area::Admission => "admission",
            Area::Zip => "zip",
        }
    }
}

/// One thing that a manager wants of an engine.
pub struct Check {
    /// Its name: the area, a dot, and a word of its own.
    pub id: &'static str,
    /// What it is about.
    pub area: Area,
    /// What must hold, as a sentence.
    pub asks: &'static str,
    /// Who wants that, and where it is said.
    pub source: &'static str,
    /// The profiles to which it matters; all, where none is named.
    pub managers: &'static [&'static str],
    /// What an author can do where it fails.
    pub advice: &'static str,
    /// Whether it needs the machine for itself.
    pub alone: bool,
    /// The work.
    pub(super) run: fn(&Bench<'_>) -> Judged,
}
