//! Yixin-Board's saved games, `.sav`.
//!
//! ```text
//! 15          rows
//! 15          columns
//! 3           number of moves
//! 7 7         row and column of each move, from 0 at the top left
//! 6 8
//! 8 8
//! ```
//!
//! Rule, names and result are not stored.

use std::fmt::Write;

use super::{FormatError, Game, Move};
use crate::text::text;
use kakugo::board::{Point, Variant};

/// Reads a game under a rule, which the file does not store.
///
/// # Errors
/// Returns an error if a number is missing or invalid, or a move is off the board.
pub fn read(text: &str, variant: Variant) -> Result<Game, FormatError> {
    let mut numbers = text.split_ascii_whitespace();
    let mut number = || {
        let word = numbers.next().ok_or_else(|| {
            FormatError::new(text!("incomplete Yixin-Board file: it ends before the last move"))
        })?;
        word.parse::<u16>().map_err(|_| {
            FormatError::new(text!("invalid number '{0}' in a Yixin-Board file", word))
        })
    };
    let (height, width, count) = (number()?, number()?, number()?);
    let side = |n: u16| u8::try_from(n).unwrap_or(u8::MAX);
    let mut game = Game::new(side(width), side(height), variant);
    for _ in 0..count {
        let (y, x) = (number()?, number()?);
        let point = (x < width && y < height).then(|| Point::new(side(x), side(y))).flatten();
        let point = point.ok_or_else(|| {
            FormatError::new(text!(
                "move '{0}' is off the {1}x{2} board",
                format!("{y} {x}"),
                u32::from(width),
                u32::from(height)
            ))
        })?;
        game.moves.push(Move::new(point));
    }
    Ok(Game { result: game.result_on_board(), ..game })
}

/// Returns true if a text consists of the numbers of a saved game.
pub fn is_saved_game(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace())
        && read(text, Variant::FREESTYLE).is_ok()
}

/// Writes a game from the empty board.
pub fn write(game: &Game) -> String {
    let points: Vec<Point> = game.points().collect();
    let mut text = format!("{}\n{}\n{}\n", game.height, game.width, points.len());
    for p in points {
        let _ = writeln!(text, "{} {}", p.y(), p.x());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_games_round_trip() {
        let text = "12\n20\n3\n7 7\n6 19\n11 0\n";
        let game = read(text, Variant::FREESTYLE).unwrap();
        assert_eq!((game.width, game.height), (20, 12));
        assert_eq!(game.points().next(), Point::new(7, 7));
        assert_eq!(game.points().nth(1), Point::new(19, 6));
        assert_eq!(write(&game), text);
        let truncated = read("15 15 2 7 7", Variant::FREESTYLE).unwrap_err().to_string();
        assert!(truncated.starts_with("incomplete Yixin-Board file"), "{truncated}");
        for bad in ["", "15 15", "15 15 1 7", "15 15 1 15 0", "15 15 1 7 x", "15 15 -1", "h8h9"] {
            assert!(read(bad, Variant::FREESTYLE).is_err(), "{bad}");
        }
    }
}
