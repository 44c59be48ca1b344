//! Positions as managers describe them.
//!
//! The protocol speaks of own and opponent's stones; the rules speak of Black and White. For renju
//! the difference matters, so the colours are worked out here, and here is said when a position
//! cannot be played in.

use std::fmt;

use kakugo::board::{Board, Cell, PlayError, Point, Side, Stone, Variant};
use kakugo_protocol::{Field, Placement};

/// Why a position is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Unplayable {
    /// A stone or wall cannot stand there.
    Point(Point, PlayError),
    /// One side has five already.
    Won(Side),
    /// No point is free.
    Full,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::Point(p, error) => write!(f, "{p}: {error}"),
            Unplayable::Won(side) => write!(f, "the game is over: {side} has won"),
            Unplayable::Full => f.write_str("the game is over: the board is full"),
        }
    }
}

/// The engine's colour in a position: the one that is to move.
///
/// Black began, so with as many stones on both sides the engine is Black, and with one less than
/// its opponent it is White. Other counts occur in set-up positions only; then the first stone
/// listed is Black's.
fn own_side(entries: &[Placement]) -> Side {
    let count = |field| entries.iter().filter(|entry| entry.field == field).count();
    let (own, opponent) = (count(Field::Own), count(Field::Opponent));
    let first = entries.iter().map(|entry| entry.field).find(|&field| field != Field::Wall);
    match first {
        _ if own == opponent => Side::Black,
        _ if own + 1 == opponent => Side::White,
        Some(Field::Own) => Side::Black,
        _ => Side::White,
    }
}

/// The position of a `BOARD` command, on an empty board of the right size.
pub(super) fn set_up(empty: Board, entries: &[Placement]) -> Result<Board, Unplayable> {
    let own = own_side(entries);
    let mut board = empty;
    for &Placement { point, field } in entries {
        let placed = match field {
            Field::Own => place(&mut board, Stone { point, side: own }),
            Field::Opponent => place(&mut board, Stone { point, side: own.opponent() }),
            Field::Wall => board.block(point),
        };
        placed.map_err(|error| Unplayable::Point(point, error))?;
    }
    board.set_side_to_move(own);
    Ok(board)
}

/// The position of a `SWAP2BOARD` command: black and white stones by turns.
pub(super) fn alternate(empty: Board, points: &[Point]) -> Result<Board, Unplayable> {
    let mut board = empty;
    for &point in points {
        board.play(point).map_err(|error| Unplayable::Point(point, error))?;
    }
    Ok(board)
}

/// The same stones and walls under another rule.
pub(super) fn under(board: &Board, variant: Variant) -> Board {
    let mut other = Board::new(board.width(), board.height(), variant)
        .expect("a size is as good under one rule as under another");
    let mut walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
    let blocked = walls.try_for_each(|p| other.block(p));
    let placed = board.stones().try_for_each(|stone| place(&mut other, stone));
    debug_assert!(blocked.is_ok() && placed.is_ok(), "the stones fitted before");
    other.set_side_to_move(board.side_to_move());
    other
}

/// Place a stone so that taking it back leaves its own side to move.
fn place(board: &mut Board, stone: Stone) -> Result<(), PlayError> {
    board.set_side_to_move(stone.side);
    board.play(stone.point)
}

/// Whether a stone can be played here: neither side has five, and a point is free. A forbidden stone does
/// not end the game here: whether it does is for the manager to say.
pub(super) fn check_playable(board: &Board) -> Result<(), Unplayable> {
    if let Some(stone) = board.stones().find(|s| board.makes_five(s.point, s.side)) {
        return Err(Unplayable::Won(stone.side));
    }
    if board.empty_count() == 0 { Err(Unplayable::Full) } else { Ok(()) }
}

/// A point to play where the search gave none: the first that is free and, if there is such a one,
/// not forbidden.
pub(super) fn any_point(board: &Board) -> Option<Point> {
    let side = board.side_to_move();
    let allowed = board.empty_points().find(|&p| board.foul(p, side).is_none());
    allowed.or_else(|| board.empty_points().next())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Outcome;

    fn empty(variant: Variant) -> Board {
        Board::new(15, 15, variant).unwrap()
    }

    fn entries(text: &str) -> Vec<Placement> {
        match format!("BOARD\n{text}\nDONE").parse() {
            Ok(kakugo_protocol::Command::Board(entries)) => entries,
            other => panic!("{other:?}"),
        }
    }

    fn own(text: &str) -> Side {
        own_side(&entries(text))
    }

    #[test]
    fn counts_tell_the_colours_in_any_order() {
        assert_eq!(own("7,7,2"), Side::White);
        assert_eq!(own("7,7,1 8,8,2"), Side::Black);
        assert_eq!(own("8,8,2 7,7,1"), Side::Black);
        assert_eq!(own("7,7,1 8,8,2 9,9,2"), Side::White);
        assert_eq!(own("1,1,3"), Side::Black);
    }

    #[test]
    fn the_first_stone_tells_them_when_counts_cannot() {
        assert_eq!(own("7,7,1"), Side::Black);
        assert_eq!(own("1,1,3 7,7,2 8,8,1 9,9,1"), Side::White);
        assert_eq!(own("7,7,2 8,8,2"), Side::White);
        assert_eq!(own("7,7,1 8,8,2 9,9,2 1,1,2"), Side::Black);
    }

    #[test]
    fn set_up_positions_can_be_taken_back() {
        let mut board =
            set_up(empty(Variant::RENJU), &entries("0,0,3 7,7,2 9,9,2 8,8,1 5,5,2")).unwrap();
        assert_eq!((board.ply(), board.side_to_move()), (4, Side::White));
        assert_eq!(board.undo().map(|stone| stone.side), Some(Side::Black));
        assert_eq!(board.side_to_move(), Side::Black);
        board.undo();
        assert_eq!(board.side_to_move(), Side::White);
    }

    #[test]
    fn points_are_used_once() {
        let twice = set_up(empty(Variant::RENJU), &entries("1,1,3 1,1,2"));
        assert_eq!(twice.unwrap_err().to_string(), "1,1: the point is blocked");
        let off = set_up(empty(Variant::RENJU), &entries("20,1,1"));
        assert_eq!(off.unwrap_err().to_string(), "20,1: the point is off the board");
    }

    #[test]
    fn another_rule_keeps_stones_and_walls() {
        let text = "1,1,3 7,7,1 8,7,1 9,7,1 10,7,1 11,7,1 12,7,1 0,0,2";
        let board = set_up(empty(Variant::STANDARD), &entries(text)).unwrap();
        assert_eq!(check_playable(&board), Ok(()));
        let free = under(&board, Variant::FREESTYLE);
        assert_eq!(free.to_string(), board.to_string());
        assert_eq!(free.ply(), board.ply());
        assert_eq!(under(&free, Variant::STANDARD).key(), board.key());
        assert_eq!(check_playable(&free), Err(Unplayable::Won(Side::Black)));
    }

    #[test]
    fn a_five_is_seen_wherever_it_was_listed() {
        let text = "7,7,1 8,7,1 9,7,1 10,7,1 11,7,1 0,0,2 2,0,2 4,0,2 6,0,2 8,0,2";
        let board = set_up(empty(Variant::STANDARD), &entries(text)).unwrap();
        assert_eq!(board.outcome(), Outcome::Ongoing);
        assert_eq!(check_playable(&board), Err(Unplayable::Won(Side::Black)));
    }
}
