//! Why a text is no command.

use std::fmt;

use kakugo::board::POINTS;

/// Why a text is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// No such command; holds a printable excerpt.
    Unknown(String),
    /// The command's arguments make no sense; says what was expected.
    Malformed(&'static str),
    /// No board has this point.
    OffBoard {
        /// Column as sent.
        x: i64,
        /// Row as sent.
        y: i64,
    },
    /// A line inside a block was bad.
    BadLine {
        /// The block's first word.
        block: &'static str,
        /// Which line of the block, from 1.
        line: usize,
        /// What was wrong with it.
        reason: Box<CommandError>,
    },
    /// More stones than the largest board has points.
    BlockTooLong,
    /// `DONE` without a block.
    DoneAlone,
    /// The text of a block ended before its `DONE`.
    DoneMissing,
    /// The line is longer than any command.
    LineTooLong,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Unknown(text) => write!(f, "command {text}"),
            CommandError::Malformed(expected) => write!(f, "expected {expected}"),
            CommandError::OffBoard { x, y } => write!(f, "{x},{y}: the point is off the board"),
            CommandError::BadLine { block, line, reason } => {
                write!(f, "{block} line {line}: {reason}")
            }
            CommandError::BlockTooLong => write!(f, "more than {POINTS} stones"),
            CommandError::DoneAlone => f.write_str("DONE without BOARD before it"),
            CommandError::DoneMissing => f.write_str("DONE is missing"),
            CommandError::LineTooLong => f.write_str("the line is too long"),
        }
    }
}

impl std::error::Error for CommandError {}
