//! Test positions, with the correct moves by Kakugo's own rules.

use super::context::CheckContext;
use super::session::{Coord, Session};
use super::verdict::NotPassed;
use kakugo::board::{Board, Point, Rule, Side, Variant};
use kakugo_record::pos::{RowOrder, read};

/// A position in which the engine is to move.
pub(super) struct Position {
    pub(super) rule: Rule,
    pub(super) stones: Vec<(Coord, Side)>,
    pub(super) to_move: Side,
}

impl Position {
    /// Returns the position after these moves (`h8i9…`, row 1 at the top).
    pub(super) fn after(rule: Rule, moves: &str) -> Position {
        let points = read(moves, 15, RowOrder::FromTop).unwrap_or_default();
        let sides = Side::BOTH.into_iter().cycle();
        let stones: Vec<_> =
            points.iter().map(|p| (p.x().into(), p.y().into())).zip(sides).collect();
        let to_move = if stones.len() % 2 == 0 { Side::Black } else { Side::White };
        Position { rule, stones, to_move }
    }

    /// Returns a position with these stones of the engine and its opponent. Distant stones are
    /// added until the counts are those of a game: Black moves with equal counts, White with one
    /// less.
    pub(super) fn of(rule: Rule, own: &[Coord], other: &[Coord], engine: Side) -> Position {
        let count = own.len().max(other.len()) + usize::from(engine == Side::White);
        let (own_count, other_count) = match engine {
            Side::Black => (count, count),
            Side::White => (count - 1, count),
        };
        let near = |a: Coord, b: Coord| a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1;
        let is_far = |p: &Coord| own.iter().chain(other).all(|&q| !near(*p, q));
        let mut free = FAR.iter().copied().filter(is_far);
        let mut filled = |stones: &[Coord], count: usize| -> Vec<Coord> {
            let more: Vec<Coord> = free.by_ref().take(count.saturating_sub(stones.len())).collect();
            [stones, &more].concat()
        };
        let (own, other) = (filled(own, own_count), filled(other, other_count));
        let stones = own.into_iter().map(|p| (p, engine));
        let stones = stones.chain(other.into_iter().map(|p| (p, engine.opponent())));
        Position { rule, stones: stones.collect(), to_move: engine }
    }

    /// Returns the lines of `BOARD`, Black and White alternating.
    pub(super) fn placements(&self) -> Vec<(Coord, u8)> {
        let of = |side| self.stones.iter().filter(move |stone| stone.1 == side);
        let (black, white) = (of(Side::Black), of(Side::White));
        let field = |side| if side == self.to_move { 1 } else { 2 };
        let mut lines = Vec::new();
        let mut white = white.map(|stone| (stone.0, field(Side::White)));
        for stone in black {
            lines.push((stone.0, field(Side::Black)));
            lines.extend(white.next());
        }
        lines.extend(white);
        lines
    }

    /// Returns the position as a board.
    pub(super) fn board(&self) -> Option<Board> {
        let mut board = Board::new(15, 15, Variant::five(self.rule)).ok()?;
        for &(at, side) in &self.stones {
            board.place(point(at)?, side).ok()?;
        }
        board.set_side_to_move(self.to_move);
        Some(board)
    }

    /// Returns the points that win at once.
    pub(super) fn winning_moves(&self) -> Vec<Coord> {
        self.fives(self.to_move)
    }

    /// Returns the points where `side` makes five.
    pub(super) fn fives(&self, side: Side) -> Vec<Coord> {
        let Some(board) = self.board() else { return Vec::new() };
        let winning = board.empty_points().filter(|&p| board.makes_five(p, side));
        winning.map(|p| (p.x().into(), p.y().into())).collect()
    }
}

/// Distant points, mostly at the edges, without five in a row.
const FAR: [Coord; 16] = [
    (0, 0),
    (14, 1),
    (1, 13),
    (13, 14),
    (0, 6),
    (14, 9),
    (5, 0),
    (9, 14),
    (14, 4),
    (0, 10),
    (10, 0),
    (4, 14),
    (2, 2),
    (12, 12),
    (12, 3),
    (3, 11),
];

/// Converts coordinates to a point.
pub(super) fn point((x, y): Coord) -> Option<Point> {
    Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?)
}

/// Returns the name of a point, with row 1 at the top.
pub(super) fn point_name((x, y): Coord) -> String {
    let letter = u8::try_from(x).ok().filter(|&x| x < 26).map_or('?', |x| char::from(b'a' + x));
    format!("{letter}{}", y + 1)
}

/// Plays in each position, all in one process. Every move must be one of the listed ones.
pub(super) fn check_positions(
    context: &CheckContext<'_>,
    rule: Rule,
    positions: &[(Position, Vec<Coord>)],
    why: &str,
) -> Result<String, NotPassed> {
    let mut session = context.game(rule)?;
    for (position, good) in positions {
        check_position(
            &mut session,
            context,
            position,
            |at| good.contains(&at),
            || {
                let names: Vec<String> = good.iter().map(|&at| point_name(at)).collect();
                format!("{}, {why}", names.join(" or "))
            },
        )?;
    }
    Ok(format!("{} positions", positions.len()))
}

/// Plays in a position. The move must satisfy `is_good`.
pub(super) fn check_position(
    session: &mut Session<'_>,
    context: &CheckContext<'_>,
    position: &Position,
    is_good: impl Fn(Coord) -> bool,
    expected: impl Fn() -> String,
) -> Result<Coord, NotPassed> {
    let at = session.play_board(&position.placements(), context.turn)?.at;
    if is_good(at) {
        return Ok(at);
    }
    let drawing = position.board().map(|board| format!("\n{board}")).unwrap_or_default();
    let (x, y) = at;
    Err(session.fail(format!("{} ({x},{y})", point_name(at)), expected() + &drawing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_positions_have_the_counts_of_a_game_and_no_new_threats() {
        let four = [(3, 7), (4, 7), (5, 7), (6, 7)];
        for engine in Side::BOTH {
            let position = Position::of(Rule::Freestyle, &four, &[(2, 7)], engine);
            let count = |side| position.stones.iter().filter(|stone| stone.1 == side).count();
            let [black, white] = Side::BOTH.map(count);
            let extra = usize::from(engine == Side::White);
            assert_eq!(black, white + extra);
            assert_eq!(position.winning_moves(), [(7, 7)]);
            assert_eq!(position.fives(engine.opponent()), []);
            let fields = position.placements();
            assert_eq!(fields.len(), black + white);
            assert!(fields.contains(&((3, 7), 1)) && fields.contains(&((2, 7), 2)));
        }
    }

    #[test]
    fn moves_are_parsed_with_row_1_at_the_top() {
        let position = Position::after(Rule::Renju, "h8a1");
        assert_eq!(position.placements(), [((7, 7), 1), ((0, 0), 2)]);
        assert_eq!((point_name((7, 14)), position.to_move), ("h15".to_owned(), Side::Black));
    }
}
