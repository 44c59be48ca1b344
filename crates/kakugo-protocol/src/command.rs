//! Commands of a manager: parsing and formatting.
//!
//! Single-line commands are parsed here and multi-line ones in `assembler`. All are formatted here.

use std::fmt;

use super::block::{BlockKind, Placement, Swap2Stone, placements, write_block};
use super::error::CommandError;
use super::info::Info;
use super::token::{excerpt, number, point};
use kakugo::board::{Board, POINTS, Point};

/// A command of a manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `START n`, `START w h` or `RECTSTART w,h`: start a game on an empty board.
    Start {
        /// Number of columns.
        width: u32,
        /// Number of rows.
        height: u32,
    },
    /// `RESTART`: start a game on a board of the same size.
    Restart,
    /// `BEGIN`: play the first stone.
    Begin,
    /// `TURN x,y`: the opponent's move; reply to it.
    Turn(Point),
    /// `PLAY x,y`: play this move instead of searching.
    Play(Point),
    /// `TAKEBACK x,y`: undo the last move, which is this one.
    Takeback(Point),
    /// `BOARD`: set up a position and move.
    Board(Vec<Placement>),
    /// `YXBOARD`: set up a position without moving.
    YxBoard(Vec<Placement>),
    /// `SWAP2BOARD`: the stones of a swap2 opening; choose.
    Swap2Board(Vec<Swap2Stone>),
    /// `ABOUT`: identify the engine.
    About,
    /// `END`: exit.
    End,
    /// `INFO key value`.
    Info(Info),
    /// `YXSTOP`: stop the search and play the best move found.
    YxStop,
    /// `YXSHOWFORBID`: list the forbidden points.
    YxShowForbid,
    /// `YXHASHCLEAR`: clear the transposition table.
    YxHashClear,
    /// `YXSHOWINFO`: the manager is Yixin-Board; report capacities and details.
    YxShowInfo,
    /// `YXNBEST n`: move, and report the `n` best lines.
    YxNbest(usize),
    /// `YXSEARCHDEFEND`: move, and report a line for each move that may be played.
    YxSearchDefend,
    /// `YXBALANCEONE bias`: place the stone after which the position is closest to even.
    YxBalanceOne(i32),
    /// `YXBALANCETWO bias`: place a stone of each side after which it is.
    YxBalanceTwo(i32),
    /// `YXBLOCK`: exclude these moves from searches.
    YxBlock(Vec<Point>),
    /// `YXBLOCKUNDO`: allow these moves again.
    YxBlockUndo(Vec<Point>),
    /// `YXBLOCKRESET`: allow all moves again.
    YxBlockReset,
    /// `YXBLOCKPATHRESET`: allow all blocked paths again. There are none, so it has no effect.
    YxBlockPathReset,
    /// `YXQUERYDATABASEALL` and the like: look up a position in a database. There is none, so there
    /// is no answer.
    YxQueryDatabase,
    /// `YXSWAP2STEP1` to `YXSWAP2STEP3`: a decision in a swap2 opening, answered by messages.
    YxSwap2(Swap2Step),
}

/// A decision of a swap2 opening in Yixin-Board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap2Step {
    /// The first player places three stones.
    Opening,
    /// The second player chooses a colour or places two more stones.
    SecondPlayer,
    /// The first player chooses a colour.
    FirstPlayer,
}

impl Swap2Step {
    /// Returns the number of stones on the board before the decision.
    pub const fn stones(self) -> usize {
        match self {
            Swap2Step::Opening => 0,
            Swap2Step::SecondPlayer => 3,
            Swap2Step::FirstPlayer => 5,
        }
    }
}

impl Command {
    /// Returns the command that asks for a move in a position that the engine has not followed.
    pub fn ask_for_move(board: &Board) -> Command {
        let placements = placements(board);
        if placements.is_empty() { Command::Begin } else { Command::Board(placements) }
    }
}

/// Parses a single-line command from its first word in upper case, its arguments and the raw line.
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
        // pygomo sends `STOP`, and many engines accept it.
        "YXSTOP" | "STOP" => bare(Command::YxStop),
        "YXSHOWFORBID" => bare(Command::YxShowForbid),
        "YXHASHCLEAR" => bare(Command::YxHashClear),
        "YXSHOWINFO" => bare(Command::YxShowInfo),
        "YXNBEST" => match number(rest) {
            Some(n) if n >= 1 => Ok(Command::YxNbest(n.min(POINTS as i64) as usize)),
            _ => Err(CommandError::Malformed("YXNBEST and a number from 1")),
        },
        "YXSEARCHDEFEND" => bare(Command::YxSearchDefend),
        "YXBALANCEONE" => bias(rest).map(Command::YxBalanceOne),
        "YXBALANCETWO" => bias(rest).map(Command::YxBalanceTwo),
        "YXBLOCKRESET" => bare(Command::YxBlockReset),
        "YXSWAP2STEP1" => bare(Command::YxSwap2(Swap2Step::Opening)),
        "YXSWAP2STEP2" => bare(Command::YxSwap2(Swap2Step::SecondPlayer)),
        "YXSWAP2STEP3" => bare(Command::YxSwap2(Swap2Step::FirstPlayer)),
        _ => Err(CommandError::Unknown(excerpt(line))),
    }
}

/// Parses the evaluation to reach of `YXBALANCEONE` and `YXBALANCETWO`, 0 by default.
fn bias(text: &str) -> Result<i32, CommandError> {
    let value = if text.is_empty() { Some(0) } else { number(text) };
    let expected = CommandError::Malformed("an evaluation such as 0 or -30");
    let value = value.ok_or(expected)?;
    Ok(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

/// Parses the numbers of `START` (one or two) or `RECTSTART` (two).
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

/// Formats a command without the final line break.
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
            Command::YxSearchDefend => f.write_str("YXSEARCHDEFEND"),
            Command::YxBalanceOne(bias) => write!(f, "YXBALANCEONE {bias}"),
            Command::YxBalanceTwo(bias) => write!(f, "YXBALANCETWO {bias}"),
            Command::YxBlock(points) => write_block(f, BlockKind::YxBlock, points),
            Command::YxBlockUndo(points) => write_block(f, BlockKind::YxBlockUndo, points),
            Command::YxBlockReset => f.write_str("YXBLOCKRESET"),
            Command::YxBlockPathReset => f.write_str("YXBLOCKPATHRESET"),
            Command::YxQueryDatabase => f.write_str("YXQUERYDATABASEALL\nDONE"),
            Command::YxSwap2(step) => write!(f, "YXSWAP2STEP{}", *step as u32 + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Field;
    use crate::token::MALFORMED_POINT;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Command, CommandError> {
        text.parse()
    }

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn commands_ignore_case_and_whitespace() {
        assert_eq!(parse("  tUrN\t3 , 4  "), Ok(Command::Turn(at(3, 4))));
        assert_eq!(parse("\u{feff}BEGIN"), Ok(Command::Begin));
        assert_eq!(parse("info RULE 4"), Ok(Command::Info(Info::Rule(4))));
        assert_eq!(parse("End of it"), Ok(Command::End));
    }

    #[test]
    fn sizes_have_several_forms() {
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
    fn unknown_commands_are_quoted_printably() {
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
    fn commands_without_arguments_reject_them() {
        for word in ["RESTART", "BEGIN", "ABOUT", "STOP", "YXSTOP", "YXSHOWFORBID", "YXSHOWINFO"] {
            assert!(parse(word).is_ok(), "{word}");
            let with_more = parse(&format!("{word} 1"));
            assert!(matches!(with_more, Err(CommandError::Malformed(_))), "{word}");
        }
        assert_eq!(parse("YXNBEST 5"), Ok(Command::YxNbest(5)));
        assert!(parse("YXNBEST 0").is_err() && parse("YXNBEST").is_err());
        assert_eq!(parse("yxbalanceone -30"), Ok(Command::YxBalanceOne(-30)));
        assert_eq!(parse("YXBALANCETWO"), Ok(Command::YxBalanceTwo(0)));
        assert!(parse("YXBALANCEONE even").is_err() && parse("YXBALANCETWO 1 2").is_err());
    }

    fn any_point() -> impl Strategy<Value = Point> {
        (0..32u8, 0..32u8).prop_map(|(x, y)| at(x, y))
    }

    fn any_field() -> impl Strategy<Value = Field> {
        prop_oneof![Just(Field::Own), Just(Field::Opponent), Just(Field::Wall)]
    }

    fn any_placements() -> impl Strategy<Value = Vec<Placement>> {
        let placement = (any_point(), any_field());
        prop::collection::vec(
            placement.prop_map(|(point, field)| Placement { point, field }),
            0..20,
        )
    }

    fn any_swap2() -> impl Strategy<Value = Vec<Swap2Stone>> {
        let stone = (any_point(), prop::option::of(any_field()));
        prop::collection::vec(stone.prop_map(|(point, field)| Swap2Stone { point, field }), 0..6)
    }

    /// An unknown `INFO` key with a value.
    fn any_other_info() -> impl Strategy<Value = Info> {
        "x[a-z_]{0,9}( [ -~]{0,9}[!-~])?".prop_map(Info::Other)
    }

    fn any_info() -> impl Strategy<Value = Info> {
        let numeric: Vec<fn(i64) -> Info> = vec![
            Info::TimeoutTurn,
            Info::TimeoutMatch,
            Info::TimeLeft,
            Info::TimeIncrement,
            Info::MaxMemory,
            Info::HashSize,
            Info::ThreadNum,
            Info::MaxNode,
            Info::MaxDepth,
            Info::Rule,
            Info::WinLength,
            Info::Pondering,
            Info::GameType,
            Info::ShowDetail,
        ];
        prop_oneof![
            (prop::sample::select(numeric), any::<i64>()).prop_map(|(key, n)| key(n)),
            any_point().prop_map(Info::Evaluate),
            "[a-zA-Z/\\\\]([ a-z]{0,9}[a-z])?".prop_map(Info::Folder),
            any_other_info(),
        ]
    }

    fn any_command() -> impl Strategy<Value = Command> {
        prop_oneof![
            (any::<u32>(), any::<u32>())
                .prop_map(|(width, height)| Command::Start { width, height }),
            (0..40u32).prop_map(|n| Command::Start { width: n, height: n }),
            any_point().prop_map(Command::Turn),
            any_point().prop_map(Command::Play),
            any_point().prop_map(Command::Takeback),
            any_placements().prop_map(Command::Board),
            any_placements().prop_map(Command::YxBoard),
            any_swap2().prop_map(Command::Swap2Board),
            (1..1024usize).prop_map(Command::YxNbest),
            any::<i32>().prop_map(Command::YxBalanceOne),
            any::<i32>().prop_map(Command::YxBalanceTwo),
            prop::collection::vec(any_point(), 0..6).prop_map(Command::YxBlock),
            prop::collection::vec(any_point(), 0..6).prop_map(Command::YxBlockUndo),
            any_info().prop_map(Command::Info),
            Just(Command::Restart),
            Just(Command::Begin),
            Just(Command::About),
            Just(Command::End),
            Just(Command::YxStop),
            Just(Command::YxShowForbid),
            Just(Command::YxHashClear),
            Just(Command::YxShowInfo),
            Just(Command::YxSearchDefend),
            Just(Command::YxBlockReset),
            Just(Command::YxBlockPathReset),
            Just(Command::YxQueryDatabase),
            Just(Command::YxSwap2(Swap2Step::Opening)),
            Just(Command::YxSwap2(Swap2Step::SecondPlayer)),
            Just(Command::YxSwap2(Swap2Step::FirstPlayer)),
        ]
    }

    proptest! {
        #[test]
        fn commands_round_trip(command in any_command()) {
            prop_assert_eq!(parse(&command.to_string()), Ok(command));
        }

        #[test]
        fn parsing_commands_does_not_panic(text in "(START|TURN|BOARD|INFO|DONE|[0-9, ]|\n|\\PC){0,40}") {
            let _ = parse(&text);
        }
    }
}
