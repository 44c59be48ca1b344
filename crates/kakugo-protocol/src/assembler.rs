//! Assembling commands from lines.
//!
//! [`Assembler`] is fed one line at a time and returns a command when it is complete. After an
//! invalid line, a block is still read up to its `DONE`, so that each command gets exactly one
//! reply. So are some unknown commands (`skipped`).

use std::str::FromStr;

use super::block::{BlockKind, Placement, Swap2Stone};
use super::command::{Command, single};
use super::error::CommandError;
use super::info::Info;
use super::skipped::Skipped;
use super::token::{excerpt, point};
use kakugo::board::{POINTS, Point};

/// The lines of an incomplete block.
#[derive(Debug)]
enum Lines {
    Board(Vec<Placement>),
    YxBoard(Vec<Placement>),
    Swap2Board(Vec<Swap2Stone>),
    YxBlock(Vec<Point>),
    YxBlockUndo(Vec<Point>),
}

/// A block without its `DONE`.
#[derive(Debug)]
struct Block {
    kind: BlockKind,
    stones: Lines,
    lines: usize,
    error: Option<CommandError>,
}

impl Block {
    fn new(kind: BlockKind) -> Block {
        let stones = match kind {
            BlockKind::Board => Lines::Board(Vec::new()),
            BlockKind::YxBoard => Lines::YxBoard(Vec::new()),
            BlockKind::Swap2Board => Lines::Swap2Board(Vec::new()),
            BlockKind::YxBlock => Lines::YxBlock(Vec::new()),
            BlockKind::YxBlockUndo => Lines::YxBlockUndo(Vec::new()),
        };
        Block { kind, stones, lines: 0, error: None }
    }

    /// Reads one line of the block. Returns true if it contains `DONE`.
    fn read_line(&mut self, line: &str) -> bool {
        self.lines += 1;
        let mut done = false;
        for token in without_blanks_at_commas(line).split_ascii_whitespace() {
            if done {
                self.fail(CommandError::Malformed("nothing after DONE"));
            } else if token.eq_ignore_ascii_case("DONE") {
                done = true;
            } else if self.error.is_none() {
                let taken = match &mut self.stones {
                    Lines::Board(stones) | Lines::YxBoard(stones) => push(stones, token.parse()),
                    Lines::Swap2Board(stones) => push(stones, token.parse()),
                    Lines::YxBlock(points) | Lines::YxBlockUndo(points) => {
                        push(points, point(token))
                    }
                };
                taken.unwrap_or_else(|error| self.fail(error));
            }
        }
        done
    }

    /// Records the first error.
    fn fail(&mut self, reason: CommandError) {
        let (block, line) = (self.kind.word(), self.lines);
        self.error.get_or_insert(CommandError::BadLine { block, line, reason: reason.into() });
    }

    fn finish(self) -> Result<Command, CommandError> {
        match (self.error, self.stones) {
            (Some(error), _) => Err(error),
            (None, Lines::Board(stones)) => Ok(Command::Board(stones)),
            (None, Lines::YxBoard(stones)) => Ok(Command::YxBoard(stones)),
            (None, Lines::Swap2Board(stones)) => Ok(Command::Swap2Board(stones)),
            (None, Lines::YxBlock(points)) => Ok(Command::YxBlock(points)),
            (None, Lines::YxBlockUndo(points)) => Ok(Command::YxBlockUndo(points)),
        }
    }
}

/// Adds another stone, up to the number of points on the largest board.
fn push<T>(stones: &mut Vec<T>, stone: Result<T, CommandError>) -> Result<(), CommandError> {
    let stone = stone?;
    if stones.len() == POINTS {
        return Err(CommandError::BlockTooLong);
    }
    stones.push(stone);
    Ok(())
}

/// Removes whitespace around commas, so that stones are separated by whitespace only.
fn without_blanks_at_commas(line: &str) -> String {
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    parts.join(",")
}

/// A command without its last lines.
#[derive(Debug)]
enum Incomplete {
    Block(Block),
    Skipped(Skipped),
}

/// Assembles commands from lines.
#[derive(Default, Debug)]
pub struct Assembler {
    incomplete: Option<Incomplete>,
}

impl Assembler {
    /// Reads the next line. Returns `None` if the command is incomplete or the line is blank.
    pub fn line(&mut self, line: &str) -> Option<Result<Command, CommandError>> {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return None;
        }
        let (word, rest) = match line.split_once(|c: char| c.is_ascii_whitespace()) {
            Some((word, rest)) => (word.to_ascii_uppercase(), rest.trim()),
            None => (line.to_ascii_uppercase(), ""),
        };
        let takes_text =
            matches!(&self.incomplete, Some(Incomplete::Skipped(skipped)) if skipped.takes_text());
        if word == "END" && (rest.is_empty() || !takes_text) {
            self.incomplete = None;
            return Some(Ok(Command::End));
        }
        let done = match &mut self.incomplete {
            Some(Incomplete::Block(block)) => block.read_line(line),
            Some(Incomplete::Skipped(skipped)) => skipped.is_last(line),
            None => return self.first_line(&word, rest, line),
        };
        if done { self.finish() } else { None }
    }

    /// Reads the first line of a command.
    fn first_line(
        &mut self,
        word: &str,
        rest: &str,
        line: &str,
    ) -> Option<Result<Command, CommandError>> {
        let done = if let Some(kind) = BlockKind::of_word(word) {
            let mut block = Block::new(kind);
            let done = !rest.is_empty() && block.read_line(rest);
            self.incomplete = Some(Incomplete::Block(block));
            done
        } else if let Some(skipped) = Skipped::of_word(word, line) {
            let done = skipped.ends_at_once(rest);
            self.incomplete = Some(Incomplete::Skipped(skipped));
            done
        } else {
            return Some(single(word, rest, line));
        };
        if done { self.finish() } else { None }
    }

    /// Returns the command that is now complete.
    fn finish(&mut self) -> Option<Result<Command, CommandError>> {
        self.incomplete.take().map(|incomplete| match incomplete {
            Incomplete::Block(block) => block.finish(),
            Incomplete::Skipped(skipped) => skipped.finish(),
        })
    }

    /// Returns the error for input that ends here.
    fn unfinished(&self) -> CommandError {
        match self.incomplete {
            Some(_) => CommandError::DoneMissing,
            None => CommandError::Unknown(String::new()),
        }
    }

    /// Handles a line that was too long to be stored. `start` is its beginning.
    pub fn overlong(&mut self, start: &str) -> Option<Result<Command, CommandError>> {
        match &mut self.incomplete {
            Some(Incomplete::Block(block)) => {
                block.lines += 1;
                block.fail(CommandError::LineTooLong);
                return None;
            }
            Some(Incomplete::Skipped(skipped)) => {
                return if skipped.takes_text() { self.finish() } else { None };
            }
            None => {}
        }
        let word = start.split_ascii_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("INFO") {
            return Some(Ok(Command::Info(Info::Other(excerpt(start)))));
        }
        Some(Err(CommandError::LineTooLong))
    }
}

impl FromStr for Command {
    type Err = CommandError;

    /// Parses a command, including its block.
    fn from_str(text: &str) -> Result<Command, CommandError> {
        let mut assembler = Assembler::default();
        let command = text.lines().find_map(|line| assembler.line(line));
        command.unwrap_or_else(|| Err(assembler.unfinished()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Field;

    /// Returns the commands and errors in several lines.
    fn assemble(text: &str) -> Vec<Result<Command, CommandError>> {
        let mut assembler = Assembler::default();
        text.lines().filter_map(|line| assembler.line(line)).collect()
    }

    fn stone(x: u8, y: u8, field: Field) -> Placement {
        Placement { point: Point::new(x, y).unwrap(), field }
    }

    fn bad_line(block: &'static str, line: usize, reason: CommandError) -> CommandError {
        CommandError::BadLine { block, line, reason: reason.into() }
    }

    #[test]
    fn blocks_end_with_done() {
        let entries = vec![stone(7, 7, Field::Own), stone(8, 8, Field::Opponent)];
        let board = Ok(Command::Board(entries));
        assert_eq!(
            assemble("board\n7,7,1\n\n 8 , 8 , 2\ndone\nBEGIN"),
            [board.clone(), Ok(Command::Begin)]
        );
        assert_eq!(assemble("BOARD 7,7,1 8,8,2 DONE"), std::slice::from_ref(&board));
        assert_eq!(assemble("BOARD 7,7,1\n8,8,2 DONE"), [board]);
        assert_eq!(assemble("YXBOARD\nDONE"), [Ok(Command::YxBoard(vec![]))]);
    }

    #[test]
    fn blocked_moves_are_a_block_of_points() {
        let points = [(7, 7), (31, 0)].map(|(x, y)| Point::new(x, y).unwrap()).to_vec();
        assert_eq!(assemble("yxblock\n7,7\n31,0\ndone"), [Ok(Command::YxBlock(points.clone()))]);
        assert_eq!(assemble("YXBLOCKUNDO 7,7 31,0 DONE"), [Ok(Command::YxBlockUndo(points))]);
        assert_eq!(assemble("YXBLOCK\nDONE"), [Ok(Command::YxBlock(vec![]))]);
        let error = bad_line("YXBLOCK", 1, crate::token::MALFORMED_POINT);
        assert_eq!(assemble("YXBLOCK\n7,7,1\nDONE"), [Err(error)]);
    }

    #[test]
    fn the_field_of_swap2_stones_is_optional() {
        let stones = [(7, None), (8, Some(Field::Own))];
        let stones =
            stones.map(|(n, field)| Swap2Stone { point: Point::new(n, n).unwrap(), field });
        let command = Command::Swap2Board(stones.to_vec());
        assert_eq!(assemble("SWAP2BOARD\n7,7\n8,8,1\nDONE"), [Ok(command)]);
    }

    #[test]
    fn the_first_invalid_line_is_reported_at_done() {
        let field = CommandError::Malformed("field 1 (own), 2 (opponent) or 3 (wall)");
        let text = "BOARD\n7,7,1\n7,8,0\nSTART 15\n99,0,1\nDONE\nABOUT";
        assert_eq!(assemble(text), [Err(bad_line("BOARD", 2, field)), Ok(Command::About)]);
        let more = CommandError::Malformed("nothing after DONE");
        assert_eq!(assemble("YXBOARD\nDONE 1,1,1"), [Err(bad_line("YXBOARD", 1, more))]);
    }

    #[test]
    fn commands_of_databases_are_read_to_their_end() {
        let query = Ok(Command::YxQueryDatabase);
        assert_eq!(
            assemble("yxquerydatabaseall\n7,7\n7,8\ndone\nYXQUERYDATABASEALLT\nDONE\nABOUT"),
            [query.clone(), query.clone(), Ok(Command::About)]
        );
        assert_eq!(assemble("yxquerydatabaseone 7,7 DONE"), [query]);
        assert_eq!(assemble("yxblockpathreset"), [Ok(Command::YxBlockPathReset)]);
        let unknown = |line: &str| Err(CommandError::Unknown(line.to_owned()));
        assert_eq!(
            assemble("yxsetdatabase\nend of season.db\nyxhashdump\nSTART 15\nABOUT"),
            [unknown("yxsetdatabase"), unknown("yxhashdump"), Ok(Command::About)]
        );
        assert_eq!(
            assemble("yxedittvddatabase 1 97 0 0\n7,7\ndone"),
            [unknown("yxedittvddatabase 1 97 0 0")]
        );
        assert_eq!(assemble("yxhashload\nEND"), [Ok(Command::End)]);
        assert_eq!(assemble("yxquerydatabaseall\n7,7\nEND"), [Ok(Command::End)]);
    }

    #[test]
    fn end_is_accepted_inside_a_block() {
        assert_eq!(assemble("BOARD\n7,7,1\nEND"), [Ok(Command::End)]);
    }

    #[test]
    fn done_without_block_and_block_without_done_are_errors() {
        assert_eq!(assemble("DONE"), [Err(CommandError::DoneAlone)]);
        assert_eq!("BOARD\n1,1,1".parse::<Command>(), Err(CommandError::DoneMissing));
    }

    #[test]
    fn blocks_are_limited_to_the_points_of_a_board() {
        let text = format!("BOARD\n{}DONE", "1,1,1\n".repeat(POINTS + 5));
        let error = bad_line("BOARD", POINTS + 1, CommandError::BlockTooLong);
        assert_eq!(assemble(&text), [Err(error)]);
    }

    #[test]
    fn overlong_lines_are_errors() {
        let mut assembler = Assembler::default();
        assert_eq!(assembler.overlong("xxxx"), Some(Err(CommandError::LineTooLong)));
        assert!(matches!(assembler.overlong("info folder x"), Some(Ok(Command::Info(_)))));
        assert_eq!(assembler.line("BOARD"), None);
        assert_eq!(assembler.overlong("1,1,1 1,1,1"), None);
        let error = bad_line("BOARD", 1, CommandError::LineTooLong);
        assert_eq!(assembler.line("DONE"), Some(Err(error)));
    }
}
