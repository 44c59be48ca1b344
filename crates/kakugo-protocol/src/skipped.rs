//! Yixin's commands for databases, blocked paths and files, which Kakugo does not have.
//!
//! Their arguments follow on separate lines. A command is read to its end, or each of these lines
//! would be taken for a command of its own.

use super::command::Command;
use super::error::CommandError;
use super::token::excerpt;

/// The lines of a command after the first one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arguments {
    None,
    /// A line of text, such as the name of a file.
    Text,
    /// Lines up to `DONE`.
    Block,
}

/// A command that is skipped.
#[derive(Debug)]
pub(super) struct Skipped {
    arguments: Arguments,
    result: Result<Command, CommandError>,
}

impl Skipped {
    /// Returns the command that begins with this word, in upper case, and `line`.
    pub(super) fn of_word(word: &str, line: &str) -> Option<Skipped> {
        let arguments = match word {
            "YXQUERYDATABASEALL"
            | "YXQUERYDATABASEALLT"
            | "YXQUERYDATABASEONE"
            | "YXQUERYDATABASETEXT"
            | "YXEDITTVDDATABASE"
            | "YXEDITTEXTDATABASE"
            | "YXEDITLABELDATABASE"
            | "YXDELETEDATABASEONE"
            | "YXDELETEDATABASEALL"
            | "YXSETBESTMOVEDATABASE"
            | "YXCLEARBESTMOVEDATABASE"
            | "YXBLOCKPATH"
            | "YXBLOCKPATHUNDO"
            | "YXSOOSORVSTEP2"
            | "YXSOOSORVSTEP3"
            | "YXSOOSORVSTEP4"
            | "YXSOOSORVSTEP5"
            | "YXSOOSORVSTEP6" => Arguments::Block,
            "YXHASHDUMP" | "YXHASHLOAD" | "YXSETDATABASE" | "YXDBTOPOS" | "YXDBTOTXT"
            | "YXDBTOTXTALL" | "YXTXTTODB" | "YXLIBTODB" | "YXDBTOLIB" | "YXDBSPLIT"
            | "YXDBMERGE" => Arguments::Text,
            "YXBLOCKPATHRESET" => Arguments::None,
            _ => return None,
        };
        // Yixin-Board sends these after every move, and prints what it does not know.
        let result = match word {
            "YXBLOCKPATHRESET" => Ok(Command::YxBlockPathReset),
            _ if word.starts_with("YXQUERYDATABASE") => Ok(Command::YxQueryDatabase),
            _ => Err(CommandError::Unknown(excerpt(line))),
        };
        Some(Skipped { arguments, result })
    }

    /// Returns true if the command ends with its first line, given what follows its first word.
    pub(super) fn ends_at_once(&self, rest: &str) -> bool {
        match self.arguments {
            Arguments::None => true,
            Arguments::Text => !rest.is_empty(),
            Arguments::Block => self.is_last(rest),
        }
    }

    /// Returns true if the command ends with this line.
    pub(super) fn is_last(&self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        self.takes_text() || words.any(|word| word.eq_ignore_ascii_case("DONE"))
    }

    /// Returns true if the next line is text.
    pub(super) fn takes_text(&self) -> bool {
        self.arguments == Arguments::Text
    }

    /// Returns the command; an error if it is unknown.
    pub(super) fn finish(self) -> Result<Command, CommandError> {
        self.result
    }
}
