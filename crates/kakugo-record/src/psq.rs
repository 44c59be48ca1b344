//! Piskvork's game files.
//!
//! ```text
//! Piskvorky 20x20, 11:11, 0     size, levels of both sides (11 = 60 s, 0 = human), first player
//! 10,10,0                       x,y from 1 at the top left, milliseconds
//! 11,11,420
//! pbrain-a.exe                  names and result code, in tournaments
//! pbrain-b.exe
//! -1
//! 1,Freestyle15_1               winner and tournament, only from Gomocup's judge
//! ```
//!
//! [`Psq`] stores all of this, so reading and writing are exact inverses, except for empty lines,
//! negative times, and headers that other programs write differently (`Piskvorky 15x15 , 0 - 0`).
//! The file does not store the rule, unless the tournament is named after it. The result usually
//! follows from the board. The code adds losses on time and by error, and draws on an almost full
//! board. Resignations cannot be stored.

use std::fmt::{self, Write};
use std::time::Duration;

use super::{Cause, FormatError, Game, GameResult, Move};
use crate::text::text;
use kakugo::board::{Outcome, Point, Rule, Side, Variant};

/// Two names, the code and the judge's line.
const MAX_LINES_AT_END: usize = 4;

/// The first word of a file.
const NAME: &str = "Piskvorky";

/// Level in the header for an engine with a time limit.
const ENGINE_LEVEL: u32 = 11;

/// Level in the header for a human player.
const HUMAN_LEVEL: u32 = 0;

/// The contents of a psq file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Psq {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
    /// Levels of both sides.
    pub levels: (u32, u32),
    /// The player who began; missing in old files.
    pub first_player: Option<u32>,
    /// Moves with their times in milliseconds, which are missing in old files.
    pub moves: Vec<(Point, Option<u64>)>,
    /// Names of players 0 and 1, if the file has them. Player 0 has Black, unless `first_player` is
    /// 1.
    pub names: Option<(String, String)>,
    /// Piskvork's result code: 0 normal end, -1 unknown, -2 error, 15 timeout.
    pub code: Option<i32>,
    /// The line added by Gomocup's judge.
    pub judge_line: Option<JudgeLine>,
}

/// The last line of a file written by Gomocup's judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgeLine {
    /// 0 for a draw, else the number of the winning engine. Engine 1 has Black only if the opening
    /// had an even number of stones, which the file does not store.
    pub winner: u8,
    /// Name of the tournament.
    pub tournament: String,
}

impl Psq {
    /// Converts a game from the empty board, dropping what the format cannot store.
    pub fn from_game(game: &Game) -> Psq {
        let to_name = |name: &String| {
            let line = name.replace(['\r', '\n'], " ");
            // A name such as `9,9` would be read back as a move.
            if looks_like_move(&line) { line.replace(',', " ") } else { line }
        };
        let has_names = !game.black.is_empty() || !game.white.is_empty();
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Psq {
            width: game.width,
            height: game.height,
            levels: (ENGINE_LEVEL, ENGINE_LEVEL),
            first_player: Some(0),
            moves: (game.regular_moves())
                .filter_map(|m| Some((m.point?, Some(m.time.map_or(0, millis)))))
                .collect(),
            names: has_names.then(|| (to_name(&game.black), to_name(&game.white))),
            code: (has_names || game.result.is_some()).then(|| code_of(game)),
            judge_line: None,
        }
    }

    /// Converts to a game. `variant` applies unless the tournament is named after a rule.
    pub fn to_game(&self, variant: Variant) -> Game {
        let stated = self.judge_line.as_ref().and_then(JudgeLine::variant);
        let (variant, assumes_rule) = (stated.unwrap_or(variant), stated.is_none());
        let (first, second) = self.names.clone().unwrap_or_default();
        let (black, white) =
            if self.first_player == Some(1) { (second, first) } else { (first, second) };
        let moves = self
            .moves
            .iter()
            .map(|&(point, ms)| Move { time: ms.map(Duration::from_millis), ..Move::new(point) });
        let moves = moves.collect();
        let empty = Game::new(self.width, self.height, variant);
        let game = Game { black, white, moves, assumes_rule, ..empty };
        let game = with_result(game, self.code);
        match &self.judge_line {
            Some(judge_line) => judge_line.apply(game),
            None => game,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns an error that quotes the invalid line.
    pub fn read(text: &str) -> Result<Psq, FormatError> {
        let mut lines = text.trim_start().lines().map(str::trim_end);
        let header = lines.next().unwrap_or_default();
        let bad_header = || {
            FormatError::new(text!(
                "invalid psq header '{0}': expected e.g. Piskvorky 15x15, 11:11, 0",
                header
            ))
        };
        let mut psq = read_header(header).ok_or_else(bad_header)?;
        let mut tail: Vec<&str> = Vec::new();
        let mut are_moves_over = false;
        for line in lines {
            match read_move(line).filter(|_| !are_moves_over) {
                Some((x, y, ms)) => {
                    let point = Some((x, y))
                        .filter(|&(x, y)| x < psq.width && y < psq.height)
                        .and_then(|(x, y)| Point::new(x, y))
                        .ok_or_else(|| {
                            FormatError::new(text!(
                                "move '{0}' is off the {1}x{2} board",
                                line,
                                psq.width,
                                psq.height
                            ))
                        })?;
                    psq.moves.push((point, ms));
                    tail.clear();
                }
                None => {
                    are_moves_over |= !line.is_empty();
                    tail.push(line);
                }
            }
        }
        while tail.last().is_some_and(|line| line.is_empty()) {
            tail.pop();
        }
        // A name may be empty, but no file has more lines than these after its moves.
        let empty = tail.iter().take_while(|line| line.is_empty()).count();
        psq.read_tail(&tail[empty.min(tail.len().saturating_sub(MAX_LINES_AT_END))..])
            .map_err(|line| FormatError::new(text!("unexpected line '{0}' in a psq file", line)))?;
        Ok(psq)
    }

    /// Reads the lines after the moves. The error is the first invalid line.
    fn read_tail<'a>(&mut self, tail: &[&'a str]) -> Result<(), &'a str> {
        let number = |line: &str| line.parse::<i32>().ok();
        let (names, code, judge_line) = match *tail {
            [] => (None, None, None),
            [code] | ["", code] if number(code).is_some() => (None, Some(code), None),
            [black, white] => (Some([black, white]), None, None),
            [black, white, code] if number(code).is_some() => {
                (Some([black, white]), Some(code), None)
            }
            [black, white, code, last] if number(code).is_some() => {
                let judge_line = JudgeLine::read(last).ok_or(last)?;
                (Some([black, white]), Some(code), Some(judge_line))
            }
            ["", ref rest @ ..] => return self.read_tail(rest),
            [first, ..] => return Err(first),
        };
        if let Some(names) = names {
            if let Some(line) = names.into_iter().find(|name| looks_like_move(name)) {
                return Err(line);
            }
            let [black, white] = names.map(str::to_owned);
            self.names = Some((black, white));
        }
        (self.code, self.judge_line) = (code.and_then(number), judge_line);
        Ok(())
    }
}

impl JudgeLine {
    /// Parses a line such as `1,Freestyle15_1`.
    fn read(line: &str) -> Option<JudgeLine> {
        let (winner, tournament) = line.split_once(',')?;
        let winner = winner.parse().ok().filter(|winner| *winner <= 2)?;
        Some(JudgeLine { winner, tournament: tournament.to_owned() })
    }

    /// Returns the rule in the tournament's name: Gomocup's are called e.g. `Renju` or
    /// `Standard15_2`.
    fn variant(&self) -> Option<Variant> {
        let name = self.tournament.to_ascii_lowercase();
        let rules = Rule::ALL.into_iter().filter(|rule| name.starts_with(rule.word()));
        rules.max_by_key(|rule| rule.word().len()).map(Variant::five)
    }

    /// Applies the judge's line to a game. If neither board nor code show the end, the side to move
    /// lost by a crash, an illegal move or on time.
    fn apply(&self, game: Game) -> Game {
        let event = self.tournament.clone();
        if game.result.is_some() || game.board().is_err() {
            return Game { event, ..game };
        }
        let result = match self.winner {
            0 => GameResult::Draw,
            _ => GameResult::Win(to_move(&game).opponent()),
        };
        Game { event, result: Some(result), ..game }
    }
}

/// Code of a game that ended on the board.
const NORMAL: i32 = 0;
/// Code of an unknown end.
const UNKNOWN: i32 = -1;
/// Code of an error by the side to move.
const ERROR: i32 = -2;
/// Code of a timeout of the side to move.
const TIMEOUT: i32 = 15;

/// Piskvork adjudicates a draw at this number of free points or fewer.
const FREE_POINTS_OF_DRAW: usize = 25;

fn to_move(game: &Game) -> Side {
    Side::to_move_after(game.regular_moves().count())
}

/// Returns the result code of a game.
pub(super) fn code_of(game: &Game) -> i32 {
    let mover_lost = game.result == Some(GameResult::Win(to_move(game).opponent()));
    match (game.result, game.cause) {
        (None, _) => UNKNOWN,
        (_, Some(Cause::Time)) if mover_lost => TIMEOUT,
        (_, Some(Cause::Forfeit)) if mover_lost => ERROR,
        // The normal code would be read back as a draw.
        (Some(GameResult::Win(_)), _)
            if is_almost_full(game) && game.result_on_board().is_none() =>
        {
            UNKNOWN
        }
        _ => NORMAL,
    }
}

/// Returns true if Piskvork would adjudicate a draw. Tiny boards never have more than
/// [`FREE_POINTS_OF_DRAW`] free points, so half of the board must be taken as well.
fn is_almost_full(game: &Game) -> bool {
    let points = usize::from(game.width) * usize::from(game.height);
    let free = points.saturating_sub(game.regular_moves().count());
    free <= FREE_POINTS_OF_DRAW && free * 2 < points
}

/// Sets the result from the board, or else from the code.
pub(super) fn with_result(game: Game, code: Option<i32>) -> Game {
    if !game.board().is_ok_and(|board| board.outcome() == Outcome::Ongoing) {
        return Game { result: game.result_on_board(), ..game };
    }
    let lost = GameResult::Win(to_move(&game).opponent());
    let (result, cause) = match code {
        Some(TIMEOUT) => (lost, Some(Cause::Time)),
        Some(ERROR) => (lost, Some(Cause::Forfeit)),
        Some(NORMAL) if is_almost_full(&game) => (GameResult::Draw, None),
        _ => return game,
    };
    Game { result: Some(result), cause, ..game }
}

/// Returns the rest of a line after the format's name, in upper or lower case.
fn after_name(line: &str) -> Option<&str> {
    let (name, rest) = line.split_at_checked(NAME.len())?;
    name.eq_ignore_ascii_case(NAME).then_some(rest)
}

/// Returns true if a file begins with the name of the format.
pub(super) fn is_psq(bytes: &[u8]) -> bool {
    bytes.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME.as_bytes()))
}

/// Parses the header. Programs separate the numbers in different ways and omit those at the end.
fn read_header(line: &str) -> Option<Psq> {
    let rest = after_name(line.trim_start_matches('\u{feff}').trim())?;
    let is_separator = |c: char| c.is_whitespace() || ",;:-/".contains(c);
    let (width, rest) = rest.split_once(['x', 'X', '\u{d7}', '*'])?;
    let rest = rest.trim_start();
    let (height, rest) = rest.split_at(rest.find(is_separator).unwrap_or(rest.len()));
    let width = width.strip_prefix(char::is_whitespace)?.trim();
    let numbers = rest.split(is_separator).filter(|number| !number.is_empty());
    let rest: Vec<u32> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let (levels, first_player) = match *rest {
        [] => ((HUMAN_LEVEL, HUMAN_LEVEL), None),
        [first, second] => ((first, second), None),
        [first, second, first_player] => ((first, second), Some(first_player)),
        _ => return None,
    };
    Some(Psq {
        width: width.parse().ok()?,
        height: height.parse().ok()?,
        levels,
        first_player,
        moves: Vec::new(),
        names: None,
        code: None,
        judge_line: None,
    })
}

/// Parses `x,y` or `x,y,ms`, from 1. Some programs write a negative time if they have none.
fn read_move(line: &str) -> Option<(u8, u8, Option<u64>)> {
    let mut numbers = line.split(',').map(str::trim);
    let mut coordinate = || numbers.next()?.parse::<u8>().ok()?.checked_sub(1);
    let (x, y) = (coordinate()?, coordinate()?);
    let ms = match numbers.next() {
        Some(ms) => u64::try_from(ms.parse::<i128>().ok()?).ok(),
        None => None,
    };
    if numbers.next().is_none() { Some((x, y, ms)) } else { None }
}

/// Returns true if a line is a move or a malformed move rather than a name.
fn looks_like_move(line: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",.-+".contains(c);
    line.contains(',') && line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(is_part)
}

/// Formats the contents of the file.
impl fmt::Display for Psq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.levels;
        write!(f, "Piskvorky {}x{}, {first}:{second}", self.width, self.height)?;
        if let Some(first_player) = self.first_player {
            write!(f, ", {first_player}")?;
        }
        f.write_char('\n')?;
        for (point, ms) in &self.moves {
            write!(f, "{},{}", point.x() + 1, point.y() + 1)?;
            if let Some(ms) = ms {
                write!(f, ",{ms}")?;
            }
            f.write_char('\n')?;
        }
        if let Some((black, white)) = &self.names {
            write!(f, "{black}\n{white}\n")?;
        }
        if let Some(code) = self.code {
            writeln!(f, "{code}")?;
        }
        if let Some(JudgeLine { winner, tournament }) = &self.judge_line {
            writeln!(f, "{winner},{tournament}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_moves_are_changed() {
        let (black, white) = ("9,9,20".to_owned(), "\u{a0}9,9".to_owned());
        let game = Game { black, white, ..Game::new(15, 15, Variant::FREESTYLE) };
        let read = Psq::read(&Psq::from_game(&game).to_string()).unwrap();
        assert_eq!(read.names, Some(("9 9 20".to_owned(), "\u{a0}9 9".to_owned())));
        assert_eq!(read.moves, []);
        // A name without digits is not a move.
        let game = Game { white: ",".to_owned(), ..Game::new(15, 15, Variant::FREESTYLE) };
        let read = Psq::read(&Psq::from_game(&game).to_string()).unwrap();
        assert_eq!(read.names, Some((String::new(), ",".to_owned())));
    }

    #[test]
    fn files_round_trip_exactly() {
        for text in [
            "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,420\na.exe\nb.exe\n0\n",
            "Piskvorky 15x15, 0:11, 1\n1,1,5\n15,15,7\n",
            "Piskvorky 20x12, 11:11\n20,12\n1,1\n",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n-1\n",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\nmy brain, v1,2\n3,4 is a name\n-2\n",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\nA.zip\nB.zip\n-1\n2,Fastgame\n",
        ] {
            assert_eq!(Psq::read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_player_who_began_has_black() {
        let game = |first: &str| {
            let text = format!("Piskvorky 15x15, 11:11{first}\n8,8,0\n9,9,0\nA\nB\n15\n");
            Psq::read(&text).unwrap().to_game(Variant::FREESTYLE)
        };
        for (first, black) in [("", "A"), (", 0", "A"), (", 1", "B")] {
            assert_eq!(game(first).black, black, "{first}");
        }
    }

    #[test]
    fn headers_of_other_programs_are_read() {
        for (header, width, height, levels, first_player) in [
            ("Piskvorky 15x15 , 0 - 0", 15, 15, (0, 0), None),
            ("Piskvorky 15x15,11:11,0", 15, 15, (11, 11), Some(0)),
            ("piskvorky 20 X 12, 1 : 11, 1 ,", 20, 12, (1, 11), Some(1)),
            ("PISKVORKY 19\u{d7}19", 19, 19, (0, 0), None),
            ("  Piskvorky\t15x15; 0-11", 15, 15, (0, 11), None),
        ] {
            let psq = Psq::read(&format!("\n{header}\r\n8,8,0\r\n9,8,0\r\n-1\r\n")).unwrap();
            assert_eq!((psq.width, psq.height, psq.levels), (width, height, levels), "{header}");
            assert_eq!((psq.first_player, psq.moves.len(), psq.code), (first_player, 2, Some(-1)));
            assert!(is_psq(header.trim().as_bytes()), "{header}");
        }
        for bad in [
            "Piskvorky",
            "Piskvorky 15",
            "Piskvorky15x15, 0:0, 0",
            "Piskvorky 15x15, 0",
            "Piskvorky 15x15, 1:1, 0, 7",
            "Piskvorky 15x15, a:b, 0",
            "Piskvorky 300x15",
            "Piskvorka 15x15",
            "Piskvork\u{e9}",
        ] {
            assert!(Psq::read(&format!("{bad}\n8,8,0\n")).is_err(), "{bad}");
        }
    }

    #[test]
    fn result_codes_decide_games_off_the_board() {
        let game = |code| {
            let text = format!("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n1,1,0\na\nb\n{code}\n");
            Psq::read(&text).unwrap().to_game(Variant::FREESTYLE)
        };
        let end = |code| (game(code).result, game(code).cause);
        let black = Some(GameResult::Win(Side::Black));
        assert_eq!(end(15), (black, Some(Cause::Time)));
        assert_eq!(end(-2), (black, Some(Cause::Forfeit)));
        // Neither code implies a winner.
        assert_eq!((end(0), end(-1)), ((None, None), (None, None)));
        for code in [15, -2, -1] {
            assert_eq!(Psq::from_game(&game(code)).code, Some(code));
        }
        // There is no code for a loss of the side not to move.
        let other = Game { result: Some(GameResult::Win(Side::White)), ..game(15) };
        assert_eq!(Psq::from_game(&other).code, Some(0));
        // The board overrides the code.
        let five = Game {
            moves: (0..9).map(|i| Move::new(Point::new(i / 2, i % 2).unwrap())).collect(),
            ..game(-1)
        };
        let five = with_result(five, Some(15));
        assert_eq!((five.result, five.cause), (black, None));
        // Alternating pairs of columns, without five in a row.
        let points = (0..10).flat_map(|x| (0..10).map(move |y| (x, y)));
        let (black, white): (Vec<_>, Vec<_>) = points.partition(|&(x, y)| (x / 2 + y) % 2 == 0);
        let pairs = black.into_iter().zip(white).flat_map(|(black, white)| [black, white]);
        let moves = |count| {
            let moves =
                pairs.clone().take(count).map(|(x, y)| Move::new(Point::new(x, y).unwrap()));
            with_result(
                Game { moves: moves.collect(), ..Game::new(10, 10, Variant::FREESTYLE) },
                Some(0),
            )
        };
        assert_eq!((moves(74).result, moves(75).result), (None, Some(GameResult::Draw)));
        assert_eq!(moves(100).result, Some(GameResult::Draw));
        // A late resignation is not written as a draw.
        let cause = Some(Cause::Resignation);
        let result = Some(GameResult::Win(Side::Black));
        let resigned = |count| Psq::from_game(&Game { result, cause, ..moves(count) }).code;
        assert_eq!((resigned(74), resigned(75)), (Some(0), Some(-1)));
    }

    #[test]
    fn files_of_gomocups_judge_contain_rule_tournament_and_result() {
        let game = |moves: &str, verdict| {
            let text = format!("Piskvorky 15x15, 11:11, 0\n{moves}A.zip\nB.zip\n-1\n{verdict}\n");
            Psq::read(&text).unwrap().to_game(Variant::CARO)
        };
        let two = "8,8,0\n9,8,12\n";
        let lost = game(two, "1,Freestyle15_1");
        assert_eq!((&*lost.event, &*lost.black, lost.moves.len()), ("Freestyle15_1", "A.zip", 2));
        assert_eq!(lost.variant, Variant::FREESTYLE);
        // Black is to move, regardless of the engine numbers.
        let white = Some(GameResult::Win(Side::White));
        assert_eq!((lost.result, game(two, "2,x").result), (white, white));
        assert_eq!(game("8,8,0\n", "2,x").result, Some(GameResult::Win(Side::Black)));
        assert_eq!(game(two, "0,RENJU").result, Some(GameResult::Draw));
        assert_eq!(game(two, "0,RENJU").variant, Variant::RENJU);
        assert_eq!(game(two, "0,Fastgame").variant, Variant::CARO);
        assert_eq!(game(two, "0,Caro-overline_1").variant.rule(), Rule::CaroOverline);
        // The board overrides the judge.
        let five: String = (0..9).map(|i| format!("{},{},0\n", i / 2 + 1, i % 2 + 1)).collect();
        assert_eq!(game(&five, "0,Standard").result, Some(GameResult::Win(Side::Black)));
        let wrong = "Piskvorky 15x15, 1:1, 0\n8,8,0\nA\nB\n-1\n3,x\n";
        assert!(Psq::read(wrong).unwrap_err().to_string().contains("unexpected line '3,x'"));
    }

    #[test]
    fn malformed_moves_are_not_read_as_names() {
        let read = |lines: &str| Psq::read(&format!("Piskvorky 15x15, 11:11, 0\n{lines}"));
        for (lines, moves, has_names) in [
            ("8,8,0\n9,7,-1\n10,10,5\n0\n", 3, false),
            ("\n8,8,0\n\n\n9,7,0\n\n-1\n", 2, false),
            ("8,8,0\n\nA\nB\n0\n", 1, true),
            ("8,8,0\n\nA\nB\n\n", 1, true),
        ] {
            let psq = read(lines).unwrap();
            let names = has_names.then(|| ("A".to_owned(), "B".to_owned()));
            assert_eq!((psq.moves.len(), psq.names), (moves, names), "{lines:?}");
        }
        for (lines, wrong) in [
            ("8,8,5.0\n9,9,0\n-1\n", "8,8,5.0"),
            ("8,8,0\n9,7,0,1\n10,10,5\n0\n", "9,7,0,1"),
            ("8,8,0\nA\n10,10,5\n0\n", "10,10,5"),
        ] {
            let error = read(lines).unwrap_err().to_string();
            assert!(error.contains(&format!("unexpected line '{wrong}'")), "{error}");
        }
        let many = format!("8,8,0\n{}A\nB\nC\n", "\n".repeat(1 << 20));
        assert!(read(&many).unwrap_err().to_string().contains("unexpected line 'A'"));
        // A name may be empty.
        let white = "B".to_owned();
        let game = Game { white, ..read("8,8,0\n").unwrap().to_game(Variant::FREESTYLE) };
        assert_eq!(Psq::read(&Psq::from_game(&game).to_string()), Ok(Psq::from_game(&game)));
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let error = |text| Psq::read(text).unwrap_err().to_string();
        assert!(error("").contains("invalid psq header ''"));
        assert!(error("Piskvorky 15, 1:1, 0\n").contains("invalid psq header"));
        assert!(
            error("Piskvorky 15x15, 1:1, 0\n16,1,0\n").contains("'16,1,0' is off the 15x15 board")
        );
        assert!(error("Piskvorky 15x15, 1:1, 0\na\nb\nc\nd\n").contains("unexpected line 'a'"));
    }
}
