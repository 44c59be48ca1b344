//! A check: one requirement of a manager.

use super::context::CheckContext;
use super::verdict::CheckResult;

/// The area of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Area {
    /// From the start of the process to `OK`.
    Start,
    /// The effect of each command.
    Commands,
    /// Keys of `INFO`.
    Info,
    /// Invalid or fragmented input.
    Malformed,
    /// Wins and forbidden moves.
    Rules,
    /// Wins in one move and blocks.
    Tactics,
    /// Time limits.
    Time,
    /// Memory limits.
    Memory,
    /// Files written to disk.
    Files,
    /// The end of the process and its children.
    End,
    /// A game as each manager plays it.
    Managers,
    /// Gomocup's admission positions and games.
    Admission,
    /// The zip file of a tournament entry.
    Zip,
}

impl Area {
    /// All areas in the order of reports.
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

    /// Returns the name of the area, which is the prefix of its checks.
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

/// One requirement of a manager, with the test for it.
pub struct Check {
    /// Name: the area, a dot and a word.
    pub id: &'static str,
    /// Area.
    pub area: Area,
    /// The requirement, as a statement about the engine.
    pub requirement: &'static str,
    /// The managers or documents that require it.
    pub source: &'static str,
    /// Names of the profiles that include the check; empty: all.
    pub managers: &'static [&'static str],
    /// Advice to the author if the check fails.
    pub advice: &'static str,
    /// True if no other check may run at the same time.
    pub exclusive: bool,
    /// The test.
    pub(super) run: fn(&CheckContext<'_>) -> CheckResult,
}
