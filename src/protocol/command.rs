//! Text to [`Command`]: a pure function with typed errors.
//!
//! All commands are one line but `BOARD`, `YXBOARD` and `SWAP2BOARD`, whose stones follow on lines
//! of their own until `DONE`. [`Assembler`] takes line by line and tells when a command is whole;
//! a bad line inside such a block spoils the block, but reading goes on to its `DONE`, so that one
//! command is answered by one error.

use std::fmt;
use std::str::FromStr;

use super::info::Info;
use crate::board::{POINTS, Point};

/// What a manager can ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `START n`, `START w h` or `RECTSTART w,h`: a new game on an empty board.
    Start {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// `RESTART`: a new game on a board of the same size.
    Restart,
    /// `BEGIN`: play the first stone.
    Begin,
    /// `TURN x,y`: the opponent's stone; answer it.
    Turn(Point),
    /// `PLAY x,y`: play this stone instead of choosing one.
    Play(Point),
    /// `TAKEBACK x,y`: undo the last stone, which is this one.
    Takeback(Point),
    /// `BOARD`: a whole position; play a stone in it.
    Board(Vec<Entry>),
    /// `YXBOARD`: a whole position; do nothing more.
    YxBoard(Vec<Entry>),
    /// `SWAP2BOARD`: the stones of a swap2 opening; decide.
    Swap2Board(Vec<Point>),
    /// `ABOUT`: who are you?
    About,
    /// `END`: go.
    End,
    /// `INFO key value`.
    Info(Info),
    /// `YXSTOP`: play the best move found so far.
    YxStop,
    /// `YXSHOWFORBID`: which points are forbidden?
    YxShowForbid,
    /// `YXHASHCLEAR`: forget what was learnt.
    YxHashClear,
    /// `YXSHOWINFO`: a Yixin board is listening.
    YxShowInfo,
    /// `YXNBEST n`: play a stone and report this many best lines.
    YxNbest(usize),
}

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
    /// More lines than the largest board has points.
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

/// Which block is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlockKind {
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
            BlockKind::Swap2Board => point(text)
                .map(|point| Entry { point, field: Field::Opponent })
                .or_else(|error| if error == MALFORMED_POINT { entry(text) } else { Err(error) }),
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

/// A command that is one line: its first word in capitals, the rest, and the line as it came.
fn single(word: &str, rest: &str, line: &str) -> Result<Command, CommandError> {
    let bare = |command: Command| {
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(CommandError::Malformed("no arguments for this command"))
        }
    };
    match word {
        "START" => sizes(rest, "START size or START width height"),
        "RECTSTART" => sizes(rest, "RECTSTART width,height"),
        "RESTART" => bare(Command::Restart),
        "BEGIN" => bare(Command::Begin),
        "TURN" => point(rest).map(Command::Turn),
        "PLAY" => point(rest).map(Command::Play),
        "TAKEBACK" => point(rest).map(Command::Takeback),
        "DONE" => Err(CommandError::DoneAlone),
        "ABOUT" => bare(Command::About),
        "INFO" => Ok(Command::Info(Info::parse(rest))),
        "YXSTOP" => bare(Command::YxStop),
        "YXSHOWFORBID" => bare(Command::YxShowForbid),
        "YXHASHCLEAR" => bare(Command::YxHashClear),
        "YXSHOWINFO" => bare(Command::YxShowInfo),
        "YXNBEST" => match number(rest) {
            Some(n) if n >= 1 => Ok(Command::YxNbest(n.min(POINTS as i64) as usize)),
            _ => Err(CommandError::Malformed("YXNBEST and a number from 1")),
        },
        _ => Err(CommandError::Unknown(excerpt(line))),
    }
}

/// `START`'s one number or two, `RECTSTART`'s two.
fn sizes(text: &str, expected: &'static str) -> Result<Command, CommandError> {
    let sides = text
        .split(|c: char| c == ',' || c.is_ascii_whitespace())
        .filter(|part| !part.is_empty())
        .map(|part| u32::try_from(number(part)?.min(i64::from(u32::MAX))).ok())
        .collect::<Option<Vec<u32>>>();
    match sides.as_deref() {
        Some(&[width, height]) => Ok(Command::Start { width, height }),
        Some(&[side]) if expected.starts_with("START") => {
            Ok(Command::Start { width: side, height: side })
        }
        _ => Err(CommandError::Malformed(expected)),
    }
}

const MALFORMED_POINT: CommandError = CommandError::Malformed("a point x,y");

/// Read `x,y`; blanks may surround the numbers.
///
/// # Errors
/// The text has another form, or no board has the point.
pub fn point(text: &str) -> Result<Point, CommandError> {
    let Some((x, y)) = text.split_once(',') else { return Err(MALFORMED_POINT) };
    match (number(x.trim()), number(y.trim())) {
        (Some(x), Some(y)) => point_at(x, y),
        _ => Err(MALFORMED_POINT),
    }
}

fn point_at(x: i64, y: i64) -> Result<Point, CommandError> {
    let side = |n: i64| u8::try_from(n).ok();
    let found = side(x).zip(side(y)).and_then(|(x, y)| Point::new(x, y));
    found.ok_or(CommandError::OffBoard { x, y })
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

/// Read a whole number; what does not fit saturates.
pub(super) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let saturated = if negative { i64::MIN } else { i64::MAX };
    let value = digits.parse::<i64>().map(|n| if negative { -n } else { n });
    Some(value.unwrap_or(saturated))
}

/// The first characters of a text, each fit to be printed.
fn excerpt(text: &str) -> String {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    text.chars().take(40).map(printable).collect()
}

/// `7, 7 ,1` as `7,7,1`, so that blanks separate stones and nothing else.
fn without_blanks_at_commas(line: &str) -> String {
    let parts: Vec<&str> = line.split(',').map(str::trim).collect();
    parts.join(",")
}

impl FromStr for Command {
    type Err = CommandError;

    /// Read a command, with its block if it has one.
    fn from_str(text: &str) -> Result<Command, CommandError> {
        let mut assembler = Assembler::default();
        let whole = text.lines().find_map(|line| assembler.line(line));
        whole.unwrap_or_else(|| match assembler.block {
            Some(_) => Err(CommandError::DoneMissing),
            None => Err(CommandError::Unknown(String::new())),
        })
    }
}

/// The text a manager sends, without the last line's end.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Start { width, height } if width == height => write!(f, "START {width}"),
            Command::Start { width, height } => write!(f, "RECTSTART {width},{height}"),
            Command::Restart => f.write_str("RESTART"),
            Command::Begin => f.write_str("BEGIN"),
            Command::Turn(p) => write!(f, "TURN {p}"),
            Command::Play(p) => write!(f, "PLAY {p}"),
            Command::Takeback(p) => write!(f, "TAKEBACK {p}"),
            Command::Board(entries) => write_block(f, BlockKind::Board, entries),
            Command::YxBoard(entries) => write_block(f, BlockKind::YxBoard, entries),
            Command::Swap2Board(points) => write_block(f, BlockKind::Swap2Board, points),
            Command::About => f.write_str("ABOUT"),
            Command::End => f.write_str("END"),
            Command::Info(info) => info.fmt(f),
            Command::YxStop => f.write_str("YXSTOP"),
            Command::YxShowForbid => f.write_str("YXSHOWFORBID"),
            Command::YxHashClear => f.write_str("YXHASHCLEAR"),
            Command::YxShowInfo => f.write_str("YXSHOWINFO"),
            Command::YxNbest(n) => write!(f, "YXNBEST {n}"),
        }
    }
}

fn write_block<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    kind: BlockKind,
    lines: &[T],
) -> fmt::Result {
    writeln!(f, "{}", kind.word())?;
    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
    f.write_str("DONE")
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
