//! Managers as data: their commands, their timeouts, and how they parse replies.
//!
//! The data come from the sources of Piskvork 9.0 (`source/protocol.cpp`, `game.cpp`), GomocupJudge
//! (`client/new_protocol.py`), c-gomoku-cli (`src/engine.cpp`, `game.cpp`), qpiskvork
//! (`src/EngineLoader.cpp`, `mainwindow.cpp`) and Yixin-Board (`main.c`). `strict` combines the
//! requirements of all of them.

use std::time::Duration;

/// The way a manager parses replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplyParsing {
    /// Every line except messages is a reply and must match exactly.
    Exact,
    /// As `Exact`, but `OK` may be followed by text: qpiskvork checks the first letter.
    FirstLetter,
    /// `OK` must match exactly. Empty lines are skipped, and moves are parsed as by `sscanf` with
    /// `%d,%d`: Piskvork.
    Scanning,
    /// `OK` and moves must match exactly; other lines are skipped: c-gomoku-cli.
    Skipping,
    /// The first line that looks like a reply is the reply; other lines are skipped.
    Lenient,
}

impl ReplyParsing {
    /// Returns true if the manager skips this line when it is not the expected reply.
    pub(super) fn skips(self, line: &str) -> bool {
        match self {
            ReplyParsing::Exact | ReplyParsing::FirstLetter => false,
            ReplyParsing::Scanning => line.trim().is_empty(),
            ReplyParsing::Skipping | ReplyParsing::Lenient => true,
        }
    }
}

/// The folder in which a manager starts an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Folder {
    /// The engine's own folder.
    Engine,
    /// Another folder.
    Other,
}

/// A step of the commands before the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// `START 15`, then waits for `OK`.
    Start,
    /// `START 15`, without waiting for the reply.
    StartNoWait,
    /// `START 15 15`, without waiting for the reply.
    StartWidthHeight,
    /// `ABOUT`, then waits for a line.
    About,
    /// `ABOUT`, without waiting for the reply.
    AboutNoWait,
    /// This line.
    Send(&'static str),
    /// `INFO timeout_turn` with the limit of the check.
    TimeoutTurn,
    /// `INFO timeout_match` with the limit of the check.
    TimeoutMatch,
    /// `INFO time_left` with the limit of the check.
    TimeLeft,
    /// `INFO folder` with an empty folder.
    Folder,
    /// Suspends the process for a moment.
    Suspend,
}

/// The commands by which a manager requests moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveRequests {
    /// `BEGIN` or `TURN`.
    Turns,
    /// `BEGIN`, or `BOARD` if there are stones; then `TURN`.
    BeginOrBoard,
    /// `BOARD` for the first move, then `TURN`.
    BoardFirst,
    /// `start`, `board`, `done` for every move, in lower case.
    BoardAlways,
}

/// The value that a manager sends as `INFO time_left`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeLeft {
    /// The remaining time.
    Remaining,
    /// 2147483647: unlimited.
    Unlimited,
}

/// A manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile {
    /// Name on the command line.
    pub name: &'static str,
    /// Description.
    pub description: &'static str,
    /// Line ending.
    pub(super) line_end: &'static str,
    pub(super) parsing: ReplyParsing,
    /// Timeout for `OK`.
    pub(super) start_timeout: Duration,
    /// Time granted beyond a time limit.
    pub(super) slack: Duration,
    /// Time between `END` and killing the process.
    pub(super) end_timeout: Duration,
    /// True if the manager reads stderr like stdout.
    pub(super) reads_stderr: bool,
    pub(super) folder: Folder,
    /// Commands before the first move, in order.
    pub(super) opening: &'static [Step],
    pub(super) move_requests: MoveRequests,
    /// Value of `INFO time_left` before each move except the first; `None`: not sent.
    pub(super) time_left: Option<TimeLeft>,
    /// True if the engine is suspended while the opponent is thinking.
    pub(super) suspends: bool,
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The managers, strictest first.
pub(super) const PROFILES: &[Profile] = &[
    Profile {
        name: "strict",
        description: "the combined requirements of all managers",
        line_end: "\r\n",
        parsing: ReplyParsing::Exact,
        start_timeout: ms(3000),
        // The managers grant nothing; this allows for the measuring error of the checker.
        slack: ms(30),
        end_timeout: ms(500),
        reads_stderr: true,
        folder: Folder::Engine,
        opening: &[
            Step::Start,
            Step::Send("INFO max_memory 100000000"),
            Step::TimeoutMatch,
            Step::TimeoutTurn,
            Step::Send("INFO game_type 1"),
            Step::Send("INFO rule 0"),
            Step::TimeLeft,
            Step::Folder,
        ],
        move_requests: MoveRequests::Turns,
        time_left: Some(TimeLeft::Remaining),
        suspends: true,
    },
    Profile {
        name: "piskvork",
        description: "Piskvork 9.0, the Gomocup manager for Windows",
        line_end: "\r\n",
        parsing: ReplyParsing::Scanning,
        start_timeout: ms(30_000),
        slack: ms(1000),
        end_timeout: ms(700),
        reads_stderr: true,
        folder: Folder::Other,
        opening: &[
            Step::Start,
            Step::Send("INFO max_memory 100000000"),
            Step::TimeoutMatch,
            Step::TimeoutTurn,
            Step::Send("INFO game_type 1"),
            Step::Send("INFO rule 0"),
            Step::TimeLeft,
            Step::Folder,
        ],
        move_requests: MoveRequests::Turns,
        time_left: Some(TimeLeft::Remaining),
        suspends: true,
    },
    Profile {
        name: "judge",
        description: "GomocupJudge, which admits and plays the entries of Gomocup",
        line_end: "\r\n",
        parsing: ReplyParsing::Lenient,
        start_timeout: ms(30_000),
        slack: ms(1000),
        end_timeout: ms(500),
        reads_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::StartNoWait,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::Send("INFO max_memory 100000000"),
            Step::Send("INFO game_type 3"),
            Step::Send("INFO rule 0"),
            Step::Folder,
            Step::Suspend,
            Step::TimeLeft,
        ],
        move_requests: MoveRequests::BoardFirst,
        time_left: Some(TimeLeft::Remaining),
        suspends: true,
    },
    Profile {
        name: "c-gomoku-cli",
        description: "c-gomoku-cli, the match runner",
        line_end: "\n",
        parsing: ReplyParsing::Skipping,
        start_timeout: ms(3000),
        slack: ms(3000),
        // It waits forever: an engine that does not exit blocks the match.
        end_timeout: ms(5000),
        reads_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::About,
            Step::Start,
            Step::Send("INFO rule 0"),
            Step::TimeoutTurn,
            Step::Send("INFO timeout_match 0"),
            Step::Send("INFO max_depth 50"),
            Step::Send("INFO max_node 100000000"),
            Step::Send("INFO max_memory 100000000"),
            Step::Send("INFO thread_num 1"),
            Step::Send("INFO time_left 2147483647"),
        ],
        move_requests: MoveRequests::BeginOrBoard,
        time_left: Some(TimeLeft::Unlimited),
        suspends: false,
    },
    Profile {
        name: "qpiskvork",
        description: "qpiskvork, a board for Linux and Windows",
        line_end: "\r\n",
        parsing: ReplyParsing::FirstLetter,
        start_timeout: ms(3000),
        slack: ms(30),
        end_timeout: ms(500),
        reads_stderr: false,
        folder: Folder::Other,
        opening: &[
            Step::StartNoWait,
            Step::AboutNoWait,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::Send("INFO max_memory 100000000"),
            Step::Send("INFO game_type 0"),
            Step::Send("INFO rule 0"),
            Step::Folder,
            Step::TimeLeft,
        ],
        move_requests: MoveRequests::Turns,
        time_left: None,
        suspends: false,
    },
    Profile {
        name: "yixin-board",
        description: "Yixin-Board, a board for analysis",
        line_end: "\n",
        parsing: ReplyParsing::Lenient,
        start_timeout: ms(10_000),
        slack: ms(1000),
        end_timeout: ms(1000),
        reads_stderr: false,
        folder: Folder::Engine,
        opening: &[
            Step::Send("info show_detail 1"),
            Step::Send("yxshowinfo"),
            Step::StartWidthHeight,
            Step::TimeoutTurn,
            Step::TimeoutMatch,
            Step::TimeLeft,
            Step::Send("info rule 0"),
            Step::Send("info thread_num 1"),
            Step::Send("INFO caution_factor 1"),
            Step::Send("info hash_size 65536"),
            // It looks every position up in the engine's database, after every move.
            Step::Send("yxquerydatabaseall"),
            Step::Send("done"),
        ],
        move_requests: MoveRequests::BoardAlways,
        time_left: None,
        suspends: false,
    },
];

impl Profile {
    /// Returns the profile with this name.
    pub(super) fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }
}
