//! Gomotur's `.rec` files, as read and written by Piskvork.
//!
//! ```text
//! pbrain-a.exe      first player
//! pbrain-b.exe
//! 9,9,0             x,y from 0 at the top left, milliseconds
//! 10,10,420
//! 0                 result code as in a psq file
//! ```
//!
//! The file stores neither size nor rule. Piskvork writes it for boards of any size, and reads it
//! as 20x20, or as large as its current board if that is larger.

use std::fmt;
use std::time::Duration;

use super::{FormatError, Game, Move, psq};
use crate::text::text;
use kakugo::board::{Point, Variant};

/// Number of columns and rows of the boards that Piskvork reads from these files.
const SIZE: u8 = 20;

/// Number of columns and rows, unless the user names others.
pub const SIDES: (u8, u8) = (SIZE, SIZE);

/// Placeholder for a missing name.
const UNNAMED: &str = "unknown";

/// The contents of a rec file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rec {
    /// Names, Black first.
    pub names: (String, String),
    /// Moves with their times in milliseconds, if known.
    pub moves: Vec<(Point, Option<u64>)>,
    /// Result code, if present: 0 normal end, -1 unknown, -2 error, 15 timeout.
    pub code: Option<i32>,
    /// Number of columns and rows, which the file does not store.
    pub size: (u8, u8),
}

impl Rec {
    /// Converts a game.
    ///
    /// # Errors
    /// Returns an error if the board is not 20x20. Piskvork writes such games, but does not read
    /// them as the same size.
    pub fn from_game(game: &Game) -> Result<Rec, FormatError> {
        if game.width != SIZE || game.height != SIZE {
            let (width, height) = (game.width, game.height);
            let message = text!(
                "cannot write a {1}x{2} board to a rec file: expected {0}x{0}",
                SIZE,
                width,
                height
            );
            return Err(FormatError::new(message));
        }
        let name = |name: &str| {
            let line = name.replace(['\r', '\n'], " ").trim().to_owned();
            match read_move(&line) {
                _ if line.is_empty() => UNNAMED.to_owned(),
                // It would be read back as a move.
                Some(_) => line.replace(',', " "),
                None => line,
            }
        };
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let moves = game.regular_moves();
        let moves = moves.filter_map(|m| Some((m.point?, Some(m.time.map_or(0, ms)))));
        Ok(Rec {
            names: (name(&game.black), name(&game.white)),
            moves: moves.collect(),
            code: Some(psq::code_of(game)),
            size: SIDES,
        })
    }

    /// Converts to a game under a rule, which the file does not store.
    pub fn to_game(&self, variant: Variant) -> Game {
        let moves = self
            .moves
            .iter()
            .map(|&(point, ms)| Move { time: ms.map(Duration::from_millis), ..Move::new(point) });
        let name = |name: &String| if name == UNNAMED { String::new() } else { name.clone() };
        let (black, white) = (name(&self.names.0), name(&self.names.1));
        let moves = moves.collect();
        let (width, height) = self.size;
        let empty = Game::new(width, height, variant);
        psq::with_result(Game { black, white, moves, ..empty }, self.code)
    }

    /// Reads a file. `size` is the number of columns and rows, usually [`SIDES`].
    ///
    /// # Errors
    /// Returns an error that quotes the invalid line.
    pub fn read(text: &str, size: (u8, u8)) -> Result<Rec, FormatError> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let name = |line: Option<&str>| match line {
            Some(line) if read_move(line).is_none() => Ok(line.to_owned()),
            _ => Err(FormatError::new(text!(
                "invalid rec file: expected two player names in the first two lines"
            ))),
        };
        let names = (name(lines.next())?, name(lines.next())?);
        let mut rec = Rec { names, moves: Vec::new(), code: None, size };
        for line in lines {
            let error = || {
                FormatError::new(text!(
                    "invalid line '{0}' in a rec file: expected a move such as 9,9,420, or a result code at the end",
                    line
                ))
            };
            let (width, height) = size;
            let off_board = || {
                FormatError::new(text!("move '{0}' is off the {1}x{2} board", line, width, height))
            };
            match read_move(line) {
                Some((x, y, ms)) if rec.code.is_none() => {
                    let point = Point::new(x, y).filter(|_| x < width && y < height);
                    rec.moves.push((point.ok_or_else(off_board)?, ms));
                }
                _ if rec.code.is_none() => rec.code = Some(line.parse().map_err(|_| error())?),
                _ => return Err(error()),
            }
        }
        Ok(rec)
    }
}

fn read_move(line: &str) -> Option<(u8, u8, Option<u64>)> {
    let mut parts = line.split(',').map(str::trim);
    let (x, y) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    // Some programs write a negative time if they have none.
    let ms = match parts.next() {
        Some(ms) => u64::try_from(ms.parse::<i128>().ok()?).ok(),
        None => None,
    };
    parts.next().is_none().then_some((x, y, ms))
}

/// Formats the contents of the file.
impl fmt::Display for Rec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}", self.names.0, self.names.1)?;
        for (point, ms) in &self.moves {
            match ms {
                Some(ms) => writeln!(f, "{},{},{ms}", point.x(), point.y())?,
                None => writeln!(f, "{},{}", point.x(), point.y())?,
            }
        }
        self.code.map_or(Ok(()), |code| writeln!(f, "{code}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;

    #[test]
    fn files_round_trip() {
        let text = "pbrain-a.exe\npbrain-b.exe\n9,9,0\n10,10,420\n19,0,31\n0\n";
        let rec = Rec::read(text, SIDES).unwrap();
        assert_eq!(rec.to_string(), text);
        let game = rec.to_game(Variant::FREESTYLE);
        assert_eq!(game.moves[1].time, Some(Duration::from_millis(420)));
        assert_eq!(Rec::from_game(&game).unwrap().moves, rec.moves);
        assert!(Rec::from_game(&Game::new(15, 15, Variant::FREESTYLE)).is_err());
    }

    #[test]
    fn negative_times_are_ignored() {
        let rec = Rec::read("a\nb\n9,9,-1\n10,10,5\n", SIDES).unwrap();
        assert_eq!(rec.moves.iter().map(|&(_, ms)| ms).collect::<Vec<_>>(), [None, Some(5)]);
        assert!(Rec::read("a\nb\n9,9,x\n", SIDES).is_err());
    }

    #[test]
    fn names_that_look_like_moves_are_changed() {
        let white = "9,9,20".to_owned();
        let game = Game { white, ..Game::new(SIZE, SIZE, Variant::FREESTYLE) };
        let rec = Rec::from_game(&game).unwrap();
        assert_eq!(rec.names, ("unknown".to_owned(), "9 9 20".to_owned()));
        assert_eq!(Rec::read(&rec.to_string(), SIDES), Ok(rec));
    }

    #[test]
    fn moves_and_results_follow_the_size() {
        // 14 of 15 rows are full, without five in a row.
        let points = |is_black: bool| {
            let points = (0..14 * 15).map(|i| (i % 15, i / 15));
            points.filter(move |&(x, y)| ((x + 2 * y) % 4 < 2) == is_black)
        };
        let mut text = "a\nb\n".to_owned();
        for ((x, y), (u, v)) in points(true).zip(points(false)) {
            text += &format!("{x},{y},0\n{u},{v},0\n");
        }
        text += "0\n";
        let result = |size| {
            let game = Rec::read(&text, size).unwrap().to_game(Variant::FREESTYLE);
            (game.moves.len(), game.result)
        };
        assert_eq!(result((15, 15)), (210, Some(GameResult::Draw)));
        assert_eq!(result(SIDES), (210, None));
        let far = "a\nb\n22,3,0\n";
        assert!(Rec::read(far, (25, 25)).is_ok());
        let error = Rec::read(far, SIDES).unwrap_err().to_string();
        assert_eq!(error, "move '22,3,0' is off the 20x20 board");
    }

    #[test]
    fn invalid_files_are_rejected() {
        for bad in
            ["", "a\n", "1,2,3\n4,5,6\n", "a\nb\n20,1,0\n", "a\nb\n1,1,0\nx\n", "a\nb\n0\n1\n"]
        {
            assert!(Rec::read(bad, SIDES).is_err(), "{bad:?}");
        }
    }
}
