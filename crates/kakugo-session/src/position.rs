//! Positions of the protocol's commands.
//!
//! The protocol lists own and opponent's stones, but the rules need Black and White, in renju above
//! all. So the colours are derived here, and unplayable positions are rejected.

use std::fmt;

use kakugo::board::{Board, Cell, PlayError, Point, Side, Stone, Variant};
use kakugo::pattern::set::PointSet;
use kakugo_protocol::{Field, Placement, Swap2Stone};

/// The reason why a position is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unplayable {
    /// A stone or blocked cell cannot be placed on this point.
    Point(Point, PlayError),
    /// One side already has five in a row.
    Won(Side),
    /// The board has no empty points.
    Full,
    /// A swap2 opening needs these numbers of black and white stones.
    Swap2Sides([usize; 2]),
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::Point(p, error) => write!(f, "{p}: {error}"),
            Unplayable::Won(side) => write!(f, "the game is over: {side} has won"),
            Unplayable::Full => f.write_str("the game is over: the board is full"),
            Unplayable::Swap2Sides([black, white]) => write!(
                f,
                "expected {black} stones of one side and {white} of the other, as sides 1 and 2"
            ),
        }
    }
}

/// Returns the engine's colour, which is the side to move.
///
/// Black moves first. So the engine is Black if both sides have the same number of stones, and
/// White if it has one less. Other counts occur only in set-up positions. Then the first stone
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

/// Places the entries of a `BOARD` command on an empty board.
pub(crate) fn set_up(empty: Board, entries: &[Placement]) -> Result<Board, Unplayable> {
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

/// Plays the stones of a `SWAP2BOARD` command on an empty board, alternating from Black. If all
/// have their side, the side with more stones is Black, because White is to move.
pub(crate) fn set_up_swap2(empty: Board, stones: &[Swap2Stone]) -> Result<Board, Unplayable> {
    let mut board = empty;
    for point in swap2_order(stones)? {
        board.play(point).map_err(|error| Unplayable::Point(point, error))?;
    }
    Ok(board)
}

/// Returns the points of a `SWAP2BOARD` command in turn, Black first.
fn swap2_order(stones: &[Swap2Stone]) -> Result<Vec<Point>, Unplayable> {
    if stones.iter().any(|stone| stone.field.is_none()) {
        return Ok(stones.iter().map(|stone| stone.point).collect());
    }
    let of = |field| -> Vec<Point> {
        let own = stones.iter().filter(|stone| stone.field == Some(field));
        own.map(|stone| stone.point).collect()
    };
    let mut sides = [of(Field::Own), of(Field::Opponent)];
    sides.sort_by_key(|side| std::cmp::Reverse(side.len()));
    let expected = [stones.len().div_ceil(2), stones.len() / 2];
    if sides.each_ref().map(Vec::len) != expected {
        return Err(Unplayable::Swap2Sides(expected));
    }
    let mut sides = sides.map(Vec::into_iter);
    Ok((0..stones.len()).filter_map(|n| sides[n % 2].next()).collect())
}

/// Returns the same stones and blocked cells under another rule.
pub(crate) fn with_variant(board: &Board, variant: Variant) -> Board {
    let mut other = Board::new(board.width(), board.height(), variant)
        .expect("board sizes are the same for all rules");
    let mut walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
    let blocked = walls.try_for_each(|p| other.block(p));
    let placed = board.stones().try_for_each(|stone| place(&mut other, stone));
    debug_assert!(blocked.is_ok() && placed.is_ok(), "the position was valid before");
    other.set_side_to_move(board.side_to_move());
    other
}

/// Places a stone so that undoing it leaves its own side to move.
fn place(board: &mut Board, stone: Stone) -> Result<(), PlayError> {
    board.set_side_to_move(stone.side);
    board.play(stone.point)
}

/// Checks that neither side has five and that a point is empty. Forbidden moves do not end the game
/// here, because only the manager decides about them.
pub(crate) fn check_playable(board: &Board) -> Result<(), Unplayable> {
    if let Some(stone) = board.stones().find(|s| board.makes_five(s.point, s.side)) {
        return Err(Unplayable::Won(stone.side));
    }
    if board.empty_count() == 0 { Err(Unplayable::Full) } else { Ok(()) }
}

/// Returns the first legal point that is not blocked, for a search without a result. If all such
/// points are forbidden, returns the first of them.
pub(crate) fn fallback_move(board: &Board, blocked: &PointSet) -> Option<Point> {
    let side = board.side_to_move();
    let points = || board.empty_points().filter(|&p| !blocked.contains(p));
    let legal = points().find(|&p| board.foul(p, side).is_none());
    legal.or_else(|| points().next())
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
    fn stone_counts_determine_the_colours_in_any_order() {
        assert_eq!(own("7,7,2"), Side::White);
        assert_eq!(own("7,7,1 8,8,2"), Side::Black);
        assert_eq!(own("8,8,2 7,7,1"), Side::Black);
        assert_eq!(own("7,7,1 8,8,2 9,9,2"), Side::White);
        assert_eq!(own("1,1,3"), Side::Black);
    }

    #[test]
    fn the_first_stone_is_black_if_the_counts_are_unusual() {
        assert_eq!(own("7,7,1"), Side::Black);
        assert_eq!(own("1,1,3 7,7,2 8,8,1 9,9,1"), Side::White);
        assert_eq!(own("7,7,2 8,8,2"), Side::White);
        assert_eq!(own("7,7,1 8,8,2 9,9,2 1,1,2"), Side::Black);
    }

    #[test]
    fn stones_of_a_swap2_opening_may_have_sides() {
        let set_up = |text: &str| match format!("SWAP2BOARD\n{text}\nDONE").parse() {
            Ok(kakugo_protocol::Command::Swap2Board(stones)) => {
                set_up_swap2(empty(Variant::STANDARD), &stones)
            }
            other => panic!("{other:?}"),
        };
        let board = set_up("7,7 8,8 9,9").unwrap();
        assert_eq!(board.side_to_move(), Side::White);
        // In any order, whichever number stands for Black.
        for text in ["7,7,1 8,8,2 9,9,1", "7,7,1 9,9,1 8,8,2", "8,8,1 9,9,2 7,7,2"] {
            assert_eq!(set_up(text).unwrap().key(), board.key(), "{text}");
        }
        assert!(set_up("").is_ok());
        for text in ["7,7,1 8,8,1 9,9,1", "7,7,1 8,8,2 9,9,3"] {
            let error = set_up(text).unwrap_err().to_string();
            assert_eq!(error, "expected 2 stones of one side and 1 of the other, as sides 1 and 2");
        }
    }

    #[test]
    fn set_up_positions_can_be_undone() {
        let mut board =
            set_up(empty(Variant::RENJU), &entries("0,0,3 7,7,2 9,9,2 8,8,1 5,5,2")).unwrap();
        assert_eq!((board.ply(), board.side_to_move()), (4, Side::White));
        assert_eq!(board.undo().map(|stone| stone.side), Some(Side::Black));
        assert_eq!(board.side_to_move(), Side::Black);
        board.undo();
        assert_eq!(board.side_to_move(), Side::White);
    }

    #[test]
    fn occupied_and_outside_points_are_rejected() {
        let twice = set_up(empty(Variant::RENJU), &entries("1,1,3 1,1,2"));
        assert_eq!(twice.unwrap_err().to_string(), "1,1: the point is blocked");
        let off = set_up(empty(Variant::RENJU), &entries("20,1,1"));
        assert_eq!(off.unwrap_err().to_string(), "20,1: the point is off the board");
    }

    #[test]
    fn changing_the_rule_preserves_stones_and_blocked_cells() {
        let text = "1,1,3 7,7,1 8,7,1 9,7,1 10,7,1 11,7,1 12,7,1 0,0,2";
        let board = set_up(empty(Variant::STANDARD), &entries(text)).unwrap();
        assert_eq!(check_playable(&board), Ok(()));
        let free = with_variant(&board, Variant::FREESTYLE);
        assert_eq!(free.to_string(), board.to_string());
        assert_eq!(free.ply(), board.ply());
        assert_eq!(with_variant(&free, Variant::STANDARD).key(), board.key());
        assert_eq!(check_playable(&free), Err(Unplayable::Won(Side::Black)));
    }

    #[test]
    fn five_in_a_row_is_found_in_any_order_of_entries() {
        let text = "7,7,1 8,7,1 9,7,1 10,7,1 11,7,1 0,0,2 2,0,2 4,0,2 6,0,2 8,0,2";
        let board = set_up(empty(Variant::STANDARD), &entries(text)).unwrap();
        assert_eq!(board.outcome(), Outcome::Ongoing);
        assert_eq!(check_playable(&board), Err(Unplayable::Won(Side::Black)));
    }
}
