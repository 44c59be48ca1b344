//! Text to [`Command`] and back: pure functions with typed errors.
//!
//! All commands are one line but `BOARD`, `YXBOARD` and `SWAP2BOARD`; how those are put together is
//! in `block`.

use std::fmt;
use std::str::FromStr;

use super::block::{Assembler, BlockKind, write_block};
use crate::board::{POINTS, Point};

pub use super::block::{Entry, Field};
pub use super::info::Info;

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

/// A command that is one line: its first word in capitals, the rest, and the line as it came.
pub(super) fn single(word: &str, rest: &str, line: &str) -> Result<Command, CommandError> {
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

pub(super) fn point_at(x: i64, y: i64) -> Result<Point, CommandError> {
    let side = |n: i64| u8::try_from(n).ok();
    let found = side(x).zip(side(y)).and_then(|(x, y)| Point::new(x, y));
    found.ok_or(CommandError::OffBoard { x, y })
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
pub(super) fn excerpt(text: &str) -> String {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    text.chars().take(40).map(printable).collect()
}

impl FromStr for Command {
    type Err = CommandError;

    /// Read a command, with its block if it has one.
    fn from_str(text: &str) -> Result<Command, CommandError> {
        let mut assembler = Assembler::default();
        let whole = text.lines().find_map(|line| assembler.line(line));
        whole.unwrap_or_else(|| Err(assembler.unfinished()))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Command, CommandError> {
        text.parse()
    }

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn commands_come_in_any_case_and_with_blanks() {
        assert_eq!(parse("  tUrN\t3 , 4  "), Ok(Command::Turn(at(3, 4))));
        assert_eq!(parse("\u{feff}BEGIN"), Ok(Command::Begin));
        assert_eq!(parse("info RULE 4"), Ok(Command::Info(Info::Rule(4))));
        assert_eq!(parse("End of it"), Ok(Command::End));
    }

    #[test]
    fn sizes_have_many_spellings() {
        let start = |width, height| Ok(Command::Start { width, height });
        assert_eq!(parse("START 15"), start(15, 15));
        assert_eq!(parse("START 20 15"), start(20, 15));
        assert_eq!(parse("START 20,15"), start(20, 15));
        assert_eq!(parse("RECTSTART 20 , 15"), start(20, 15));
        assert_eq!(parse("START 99999999999999999999"), start(u32::MAX, u32::MAX));
        for text in ["START", "START x", "START -5", "START 1 2 3", "RECTSTART 5", "START 5.0"] {
            assert!(matches!(parse(text), Err(CommandError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn points_are_checked() {
        assert_eq!(parse("TURN 31,0"), Ok(Command::Turn(at(31, 0))));
        assert_eq!(parse("TURN 32,0"), Err(CommandError::OffBoard { x: 32, y: 0 }));
        assert_eq!(parse("TURN -1,0"), Err(CommandError::OffBoard { x: -1, y: 0 }));
        for text in ["TURN", "TURN 7", "TURN 7 7", "TURN 7,", "TURN 7,7,1", "TURN 7,a", "PLAY -,1"]
        {
            assert_eq!(parse(text), Err(MALFORMED_POINT), "{text}");
        }
    }

    #[test]
    fn unknown_commands_are_quoted_in_print() {
        let quoted = |text: &str| match parse(text) {
            Err(CommandError::Unknown(quoted)) => quoted,
            other => panic!("{other:?}"),
        };
        assert_eq!(quoted("foo bar"), "foo bar");
        assert_eq!(quoted("f\u{1}\u{e9}"), "f??");
        assert_eq!(quoted(&"x".repeat(1000)).len(), 40);
        assert_eq!(quoted(""), "");
    }

    #[test]
    fn words_without_arguments_take_none() {
        for word in ["RESTART", "BEGIN", "ABOUT", "YXSTOP", "YXSHOWFORBID", "YXSHOWINFO"] {
            assert!(parse(word).is_ok(), "{word}");
            let with_more = parse(&format!("{word} 1"));
            assert!(matches!(with_more, Err(CommandError::Malformed(_))), "{word}");
        }
        assert_eq!(parse("YXNBEST 5"), Ok(Command::YxNbest(5)));
        assert!(parse("YXNBEST 0").is_err() && parse("YXNBEST").is_err());
    }

    fn any_point() -> impl Strategy<Value = Point> {
        (0..32u8, 0..32u8).prop_map(|(x, y)| at(x, y))
    }

    fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
        let field = prop_oneof![Just(Field::Own), Just(Field::Opponent), Just(Field::Wall)];
        prop::collection::vec((any_point(), field), 0..20).prop_map(|entries| {
            entries.into_iter().map(|(point, field)| Entry { point, field }).collect()
        })
    }

    fn any_command() -> impl Strategy<Value = Command> {
        prop_oneof![
            (any::<u32>(), any::<u32>())
                .prop_map(|(width, height)| Command::Start { width, height }),
            (0..40u32).prop_map(|n| Command::Start { width: n, height: n }),
            any_point().prop_map(Command::Turn),
            any_point().prop_map(Command::Play),
            any_point().prop_map(Command::Takeback),
            any_entries().prop_map(Command::Board),
            any_entries().prop_map(Command::YxBoard),
            prop::collection::vec(any_point(), 0..6).prop_map(Command::Swap2Board),
            (1..1024usize).prop_map(Command::YxNbest),
            any::<i64>().prop_map(|n| Command::Info(Info::TimeLeft(n))),
            any::<i64>().prop_map(|n| Command::Info(Info::MaxMemory(n))),
            any_point().prop_map(|p| Command::Info(Info::Evaluate(p))),
            "[a-zA-Z/\\\\]([ a-z]{0,9}[a-z])?".prop_map(|path| Command::Info(Info::Folder(path))),
            Just(Command::Restart),
            Just(Command::Begin),
            Just(Command::About),
            Just(Command::End),
            Just(Command::YxStop),
            Just(Command::YxShowForbid),
            Just(Command::YxHashClear),
            Just(Command::YxShowInfo),
        ]
    }

    proptest! {
        #[test]
        fn commands_read_as_they_were_written(command in any_command()) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }

        #[test]
        fn any_text_is_read(text in "(START|TURN|BOARD|INFO|DONE|[0-9, ]|\n|\\PC){0,40}") {
            let _ = parse(&text);
        }
    }
}
