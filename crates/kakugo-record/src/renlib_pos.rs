//! RenLib's position files, `.pos`: the moves of a game on 15x15 in binary.
//!
//! The first byte is the number of moves. Each move is a byte: the row from the top times 15 plus
//! the column, both from 0. Black moves first. Nothing else is stored.

use super::{FormatError, Game, Move};
use crate::text::text;
use kakugo::board::{Point, Variant};

/// Number of columns and rows.
const SIZE: u8 = 15;

/// Returns true if a file is a binary position: the right length, and no move twice. Text never is.
pub fn is_position(bytes: &[u8]) -> bool {
    let [count, moves @ ..] = bytes else { return false };
    let mut taken = [false; 256];
    let mut is_new = |&byte: &u8| !std::mem::replace(&mut taken[usize::from(byte)], true);
    moves.len() == usize::from(*count)
        && moves.iter().all(|byte| *byte < SIZE * SIZE && is_new(byte))
}

/// Reads a position as a game under a rule, which the file does not store.
///
/// # Errors
/// Returns an error if the file is not a binary position.
pub fn read(bytes: &[u8], variant: Variant) -> Result<Game, FormatError> {
    if !is_position(bytes) {
        return Err(FormatError::new(text!("not a binary RenLib position")));
    }
    let point = |&byte: &u8| Point::new(byte % SIZE, byte / SIZE);
    let moves = bytes[1..].iter().filter_map(point).map(Move::new).collect();
    let game = Game { moves, ..Game::new(SIZE, SIZE, variant) };
    Ok(Game { result: game.result_on_board(), ..game })
}

/// Writes a game from the empty board.
///
/// # Errors
/// Returns an error if the board is not 15x15 or a move is off the board.
pub fn write(game: &Game) -> Result<Vec<u8>, FormatError> {
    let (width, height) = (game.width, game.height);
    let fits = |p: Point| p.x() < SIZE && p.y() < SIZE;
    let points: Vec<Point> = game.points().collect();
    let count = u8::try_from(points.len()).ok();
    match count.filter(|_| (width, height) == (SIZE, SIZE) && points.iter().all(|&p| fits(p))) {
        Some(count) => {
            let moves = points.iter().map(|p| p.y() * SIZE + p.x());
            Ok(std::iter::once(count).chain(moves).collect())
        }
        None => Err(FormatError::new(text!(
            "cannot write a {1}x{2} board to a RenLib position: expected {0}x{0}",
            SIZE,
            width,
            height
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pos::{self, RowOrder};

    #[test]
    fn binary_positions_round_trip() {
        let bytes = b"\x05\x70\x62\x80\x60\x72";
        let game = read(bytes, Variant::RENJU).unwrap();
        assert_eq!(pos::write(game.points(), 15, RowOrder::FromBottom), "h8i9i7g9j8");
        assert_eq!(write(&game).unwrap(), bytes);
        assert_eq!(read(b"\x00", Variant::RENJU).unwrap().moves, []);
        for bad in [&b""[..], b"\x01", b"\x02\x70\x70", b"\x01\xe1", b"\x01\x70\x71", b"h8h9i8"] {
            assert!(!is_position(bad) && read(bad, Variant::RENJU).is_err(), "{bad:?}");
        }
        assert!(write(&Game::new(20, 20, Variant::RENJU)).is_err());
    }
}
