//! Commands that are more than one line, and the putting together of all commands from lines.
//!
//! The stones of `BOARD`, `YXBOARD` and `SWAP2BOARD` follow on lines of their own until `DONE`.
//! [`Assembler`] takes line by line and tells when a command is whole. A bad line inside such a block
//! spoils the block, but reading goes on to its `DONE`, so that one command is answered by one error.

use std::fmt;

use super::command::{Command, CommandError, excerpt, number, point, point_at, single};
use super::info::Info;
use crate::board::{POINTS, Point};

/// One line inside `BOARD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where.
    pub point: Point,
    /// What stands there.
    pub field: Field,
}

/// The third number of a line inside `BOARD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// 1: a stone of the engine.
    Own,
    /// 2: a stone of its opponent.
    Opponent,
    /// 3: a wall that belongs to nobody.
    Wall,
}

/// Which block is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Board,
    YxBoard,
    Swap2Board,
}

impl BlockKind {
    const fn word(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::YxBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
        }
    }

    fn entry(self, text: &str) -> Result<Entry, CommandError> {
        match self {
            BlockKind::Board | BlockKind::YxBoard => entry(text),
            BlockKind::Swap2Board if text.matches(',').count() > 1 => entry(text),
            BlockKind::Swap2Board => {
                point(text).map(|point| Entry { point, field: Field::Opponent })
            }
        }
    }

    fn command(self, entries: Vec<Entry>) -> Command {
        match self {
            BlockKind::Board => Command::Board(entries),
            BlockKind::YxBoard => Command::YxBoard(entries),
            BlockKind::Swap2Board => {
                Command::Swap2Board(entries.into_iter().map(|entry| entry.point).collect())
            }
        }
    }
}

/// A block whose `DONE` has not come yet.
#[derive(Debug)]
struct Block {
    kind: BlockKind,
    entries: Vec<Entry>,
    lines: usize,
    error: Option<CommandError>,
}

impl Block {
    fn new(kind: BlockKind) -> Block {
        Block { kind, entries: Vec::new(), lines: 0, error: None }
    }

    /// Take what stands on one line; `true` when `DONE` was among it.
    fn take(&mut self, line: &str) -> bool {
        self.lines += 1;
        let mut done = false;
        for token in without_blanks_at_commas(line).split_ascii_whitespace() {
            if done {
                self.spoil(CommandError::Malformed("nothing after DONE"));
            } else if token.eq_ignore_ascii_case("DONE") {
                done = true;
            } else if self.error.is_none() {
                match self.kind.entry(token) {
                    Ok(_) if self.entries.len() == POINTS => self.spoil(CommandError::BlockTooLong),
                    Ok(entry) => self.entries.push(entry),
                    Err(error) => self.spoil(error),
                }
            }
        }
        done
    }

    /// Remember the first thing that was wrong.
    fn spoil(&mut self, reason: CommandError) {
        let (block, line) = (self.kind.word(), self.lines);
        self.error.get_or_insert(CommandError::BadLine { block, line, reason: reason.into() });
    }

    fn finish(self) -> Result<Command, CommandError> {
        self.error.map_or_else(|| Ok(self.kind.command(self.entries)), Err)
    }
}

/// Puts commands together from lines.
#[derive(Default, Debug)]
pub struct Assembler {
    block: Option<Block>,
}

impl Assembler {
    /// Take the next line; `None` until a command is whole, and for lines of nothing but blanks.
    pub fn line(&mut self, line: &str) -> Option<Result<Command, CommandError>> {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            return None;
        }
        let (word, rest) = match line.split_once(|c: char| c.is_ascii_whitespace()) {
            Some((word, rest)) => (word.to_ascii_uppercase(), rest.trim()),
            None => (line.to_ascii_uppercase(), ""),
        };
        if word == "END" {
            self.block = None;
            return Some(Ok(Command::End));
        }
        let done = match (&mut self.block, block_kind(&word)) {
            (Some(block), _) => block.take(line),
            (None, Some(kind)) => {
                let block = self.block.insert(Block::new(kind));
                !rest.is_empty() && block.take(rest)
            }
            (None, None) => return Some(single(&word, rest, line)),
        };
        if done { self.block.take().map(Block::finish) } else { None }
    }

    /// What is wrong if nothing more comes.
    pub(super) fn unfinished(&self) -> CommandError {
        match self.block {
            Some(_) => CommandError::DoneMissing,
            None => CommandError::Unknown(String::new()),
        }
    }

    /// A line came that was too long to keep; `start` is how it began.
    pub fn overlong(&mut self, start: &str) -> Option<Result<Command, CommandError>> {
        if let Some(block) = &mut self.block {
            block.lines += 1;
            block.spoil(CommandError::LineTooLong);
            return None;
        }
        let word = start.split_ascii_whitespace().next().unwrap_or_default();
        if word.eq_ignore_ascii_case("INFO") {
            return Some(Ok(Command::Info(Info::Ignored(excerpt(start)))));
        }
        Some(Err(CommandError::LineTooLong))
    }
}

fn block_kind(word: &str) -> Option<BlockKind> {
    [BlockKind::Board, BlockKind::YxBoard, BlockKind::Swap2Board]
        .into_iter()
        .find(|kind| kind.word() == word)
}

/// Read `x,y,field`.
fn entry(text: &str) -> Result<Entry, CommandError> {
    let numbers: Option<Vec<i64>> = text.split(',').map(|part| number(part.trim())).collect();
    let Some(&[x, y, field]) = numbers.as_deref() else {
        return Err(CommandError::Malformed("x,y,field"));
    };
    let field = match field {
        1 => Field::Own,
        2 => Field::Opponent,
        3 => Field::Wall,
        _ => return Err(CommandError::Malformed("field 1 (own), 2 (opponent) or 3 (wall)")),
    };
    Ok(Entry { point: point_at(x, y)?, field })
}

/// `7, 7 ,1` as `7,7,1`, so that blanks separate stones and nothing else.
fn without_blanks_at_commas(line: &str) -> String {
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    parts.join(",")
}

/// `x,y,field`.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match self.field {
            Field::Own => 1,
            Field::Opponent => 2,
            Field::Wall => 3,
        };
        write!(f, "{},{field}", self.point)
    }
}

/// Write a block with one item a line.
pub(super) fn write_block<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    kind: BlockKind,
    lines: &[T],
) -> fmt::Result {
    writeln!(f, "{}", kind.word())?;
    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
    f.write_str("DONE")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of several lines, each of which ends a command or not.
    fn assemble(text: &str) -> Vec<Result<Command, CommandError>> {
        let mut assembler = Assembler::default();
        text.lines().filter_map(|line| assembler.line(line)).collect()
    }

    fn stone(x: u8, y: u8, field: Field) -> Entry {
        Entry { point: Point::new(x, y).unwrap(), field }
    }

    fn bad_line(block: &'static str, line: usize, reason: CommandError) -> CommandError {
        CommandError::BadLine { block, line, reason: reason.into() }
    }

    #[test]
    fn blocks_are_whole_at_done() {
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
    fn swap2_lines_may_have_a_field_or_not() {
        let points = vec![Point::new(7, 7).unwrap(), Point::new(8, 8).unwrap()];
        assert_eq!(assemble("SWAP2BOARD\n7,7\n8,8,1\nDONE"), [Ok(Command::Swap2Board(points))]);
    }

    #[test]
    fn the_first_bad_line_is_told_at_done() {
        let field = CommandError::Malformed("field 1 (own), 2 (opponent) or 3 (wall)");
        let text = "BOARD\n7,7,1\n7,8,0\nSTART 15\n99,0,1\nDONE\nABOUT";
        assert_eq!(assemble(text), [Err(bad_line("BOARD", 2, field)), Ok(Command::About)]);
        let more = CommandError::Malformed("nothing after DONE");
        assert_eq!(assemble("YXBOARD\nDONE 1,1,1"), [Err(bad_line("YXBOARD", 1, more))]);
    }

    #[test]
    fn end_ends_even_inside_a_block() {
        assert_eq!(assemble("BOARD\n7,7,1\nEND"), [Ok(Command::End)]);
    }

    #[test]
    fn done_needs_a_block_and_a_block_done() {
        assert_eq!(assemble("DONE"), [Err(CommandError::DoneAlone)]);
        assert_eq!("BOARD\n1,1,1".parse::<Command>(), Err(CommandError::DoneMissing));
    }

    #[test]
    fn a_block_takes_no_more_stones_than_points() {
        let text = format!("BOARD\n{}DONE", "1,1,1\n".repeat(POINTS + 5));
        let error = bad_line("BOARD", POINTS + 1, CommandError::BlockTooLong);
        assert_eq!(assemble(&text), [Err(error)]);
    }

    #[test]
    fn overlong_lines_spoil_what_they_are_in() {
        let mut assembler = Assembler::default();
        assert_eq!(assembler.overlong("xxxx"), Some(Err(CommandError::LineTooLong)));
        assert!(matches!(assembler.overlong("info folder x"), Some(Ok(Command::Info(_)))));
        assert_eq!(assembler.line("BOARD"), None);
        assert_eq!(assembler.overlong("1,1,1 1,1,1"), None);
        let error = bad_line("BOARD", 1, CommandError::LineTooLong);
        assert_eq!(assembler.line("DONE"), Some(Err(error)));
    }
}
