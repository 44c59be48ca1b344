//! Errors in commands.

use std::fmt;

use kakugo::board::POINTS;

/// An error in a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// Unknown command, with a printable excerpt.
    Unknown(String),
    /// Invalid arguments, with the expected form.
    Malformed(&'static str),
    /// A point that is off every board.
    OffBoard {
        /// Column as received.
        x: i64,
        /// Row as received.
        y: i64,
    },
    /// An error in a line of a block.
    BadLine {
        /// First word of the block.
        block: &'static str,
        /// Line number in the block, from 1.
        line: usize,
        /// The error in the line.
        reason: Box<CommandError>,
    },
    /// More stones than points on the largest board.
    BlockTooLong,
    /// `DONE` outside a block.
    DoneAlone,
    /// A block without `DONE`.
    DoneMissing,
    /// A line longer than any valid command.
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
