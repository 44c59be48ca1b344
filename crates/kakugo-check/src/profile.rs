//! Managers as data: how each talks, what it tolerates, how long it waits.
//!
//! Read from the managers' sources: Piskvork 9.0 (`source/protocol.cpp`, `game.cpp`), GomocupJudge
//! (`client/new_protocol.py`), c-gomoku-cli (`src/engine.cpp`, `game.cpp`), qpiskvork
//! (`src/EngineLoader.cpp`, `mainwindow.cpp`) and Yixin-Board (`main.c`). `strict` asks for all that any of
//! them asks for.

use std::time::Duration;

/// How answers are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// Every line but messages is the answer, and must be one to the letter.
    Exact,
    /// The same, but that anything may follow `OK`: qpiskvork looks at the first letter.
    FirstLetter,
    /// `OK` to the letter; empty lines are passed over, and of a move is read what C's `sscanf` takes for
    /// `%d,%d`: Piskvork.
    Scanning,
    /// `OK` and moves to the letter; other lines are passed over: c-gomoku-cli.
    Skipping,
    /// The first line that looks like an answer is it; others are passed over.
    Lenient,
}

impl Reading {
    /// Whether a line that is not the answer is no matter.
    pub(super) fn passes_over(self, line: &str) -> bool {
        match self {
            Reading::Exact | Reading::FirstLetter => false,
            Reading::Scanning => line.trim().is_empty(),
            Reading::Skipping | Reading::Lenient => true,
        }
    }
}

/// Where a manager starts an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folder {
    /// In the engine's own folder.
    Engine,
    /// In a folder of its own.
    Foreign,
}

/// One line of what a manager sends before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// `START 15`, and what comes is waited for.
    Start,
    /// `START 15`, without a look at the answer.
    StartUnheard,
    /// `START 15 15`, without a look at the answer.
    StartTwice,
    /// `ABOUT`, and a line is waited for.
    About,
    /// `ABOUT`, without a look at the answer.
    AboutUnheard,
    /// This line.
    Say(&'static str),
    /// `INFO timeout_turn`, `INFO timeout_match` of the check, and so on.
    TimeoutTurn,
    TimeoutMatch,
    TimeLeft,
    Folder,
    /// The process is suspended for a moment.
    Suspend,
}

/// How a manager asks for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Asking {
    /// `BEGIN` or `TURN`.
    Turns,
    /// `BEGIN`, or where there are stones `BOARD`; then `TURN`.
    BeginOrBoard,
    /// The first time `BOARD`, then `TURN`.
    BoardFirst,
    /// `start`, `board`, `done` every time, in small letters.
    BoardAlways,
}

/// What a manager says of the time that is left for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// What there is.
    Rest,
    /// 2147483647, for there is no limit.
    Unlimited,
}

/// A manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// What it ends its lines by.
    pub(super) line_end: &'static str,
    pub(super) reading: Reading,
    /// How long it waits for `OK`.
    pub(super) start_patience: Duration,
    /// What it grants beyond a time limit.
    pub(super) slack: Duration,
    /// How long it waits after `END` before it kills.
    pub(super) end_patience: Duration,
    /// Whether it takes stderr for answers.
    pub(super) hears_stderr: bool,
    pub(super) folder: Folder,
    /// What it sends before the first move, in this order.
    pub(super) opening: &'static [Step],
    pub(super) asking: Asking,
    /// What it says of the time left before each move but the first; `None`: nothing.
    pub(super) left: Option<Left>,
    /// Whether it suspends the engine while the opponent thinks.
    pub(super) suspends: bool,
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The managers, the strictest first.
pub(super) const PROFILES: &[Profile] = &[
    Profile {
        name: "strict",
        about: "all that any of them asks for",
        line_end: "\r\n",
        reading: Reading::Exact,
        start_patience: ms(3000),
        // None grants less than nothing; this much is the checker's own clock.
        slack: ms(30),
        end_patience: ms(500),
        hears_stderr: true,
        folder: Folder::Engine,
        opening: &[
            Step::Start,
            Step::Say("INFO max_memory 100000000"),
            Step::TimeoutMatch,
            Step::TimeoutTurn,
            Step::Say("INFO game_type 1"),
            Step::Say("INFO rule 0"),
            Step::TimeLeft,
            Step::Folder,
        ],
        asking: Asking::Turns,
        left: Some(Left::Rest),
        suspends: true,
    },
    Profile {
        name: "piskvork",
        about: "Piskvork 9.0, the Gomocup manager for Windows",
        line_end: "\r\n",
        reading: Reading::Scanning,
        start_patience: ms(30_000),
        slack: ms(1000),
        end_patience: ms(700),
        hears_stderr: true,
        folder: Folder::Foreign,
        opening: &[
            Step::Start,
            Step::Say("INFO max_memory 100000000"),
            Step::TimeoutMatch,
            Step::TimeoutTurn,
            Step::Say("INFO game_type 1"),
            Step::Say("INFO rule 0"),
            Step::TimeLeft,
            Step::Folder,
        ],
        asking: Asking::Turns,
        left: Some(Left::Rest),
        suspends: true,
    },
    Profile {
        name: "judge",
        about: "GomocupJudge, which admits and plays the entries of Gomocup",
        line_end: "\r\n",
        reading: Reading::Lenient,
        start_patience: ms(30_000),
        slack: ms(1000),
        end_patience: ms(500),
        hears_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::StartUnheard,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::Say("INFO max_memory 100000000"),
            Step::Say("INFO game_type 3"),
            Step::Say("INFO rule 0"),
            Step::Folder,
            Step::Suspend,
            Step::TimeLeft,
        ],
        asking: Asking::BoardFirst,
        left: Some(Left::Rest),
        suspends: true,
    },
    Profile {
        name: "c-gomoku-cli",
        about: "c-gomoku-cli, the match runner",
        line_end: "\n",
        reading: Reading::Skipping,
        start_patience: ms(3000),
        slack: ms(3000),
        // It waits for ever: an engine that stays blocks the match.
        end_patience: ms(5000),
        hears_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::About,
            Step::Start,
            Step::Say("INFO rule 0"),
            Step::TimeoutTurn,
            Step::Say("INFO timeout_match 0"),
            Step::Say("INFO max_depth 50"),
            Step::Say("INFO max_node 100000000"),
            Step::Say("INFO max_memory 100000000"),
            Step::Say("INFO thread_num 1"),
            Step::Say("INFO time_left 2147483647"),
        ],
        asking: Asking::BeginOrBoard,
        left: Some(Left::Unlimited),
        suspends: false,
    },
    Profile {
        name: "qpiskvork",
        about: "qpiskvork, a board for Linux and Windows",
        line_end: "\r\n",
        reading: Reading::FirstLetter,
        start_patience: ms(3000),
        slack: ms(30),
        end_patience: ms(500),
        hears_stderr: false,
        folder: Folder::Foreign,
        opening: &[
            Step::StartUnheard,
            Step::AboutUnheard,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::Say("INFO max_memory 100000000"),
            Step::Say("INFO game_type 0"),
            Step::Say("INFO rule 0"),
            Step::Folder,
            Step::TimeLeft,
        ],
        asking: Asking::Turns,
        left: None,
        suspends: false,
    },
    Profile {
        name: "yixin-board",
        about: "Yixin-Board, a board for analysis",
        line_end: "\n",
        reading: Reading::Lenient,
        start_patience: ms(10_000),
        slack: ms(1000),
        end_patience: ms(1000),
        hears_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::Say("info show_detail 1"),
            Step::Say("yxshowinfo"),
            Step::StartTwice,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::TimeLeft,
            Step::Say("info rule 0"),
            Step::Say("info thread_num 1"),
            Step::Say("INFO caution_factor 1"),
            Step::Say("info hash_size 65536"),
        ],
        asking: Asking::BoardAlways,
        left: None,
        suspends: false,
    },
];

impl Profile {
    /// The profile of this name.
    pub(super) fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }
}
