//! Positions that checks lay out, and what may be played in them by Kakugo's own rules.

use super::bench::Bench;
use super::trial::{Trial, Xy};
use super::verdict::Stop;
use kakugo::board::{Board, Point, Rule, Side, Variant};
use kakugo_record::pos::{RowOrder, read};

/// A position in which the engine is to move.
pub(super) struct Position {
    pub(super) rule: Rule,
    pub(super) stones: Vec<(Xy, Side)>,
    pub(super) to_move: Side,
}

impl Position {
    /// The position after these moves, `h8i9…` with rows from the top.
    pub(super) fn after(rule: Rule, moves: &str) -> Position {
        let points = read(moves, 15, RowOrder::FromTop).unwrap_or_default();
        let sides = Side::BOTH.into_iter().cycle();
        let stones: Vec<_> =
            points.iter().map(|p| (p.x().into(), p.y().into())).zip(sides).collect();
        let to_move = if stones.len() % 2 == 0 { Side::Black } else { Side::White };
        Position { rule, stones, to_move }
    }

    /// The engine's stones and its opponent's, filled up with stones far from all of them until the
    /// numbers are those of a game. The engine is Black if it has as many stones as the other.
    pub(super) fn of(rule: Rule, own: &[Xy], other: &[Xy], engine: Side) -> Position {
        let wanted = own.len().max(other.len()) + usize::from(engine == Side::White);
        let (own_wanted, other_wanted) = match engine {
            Side::Black => (wanted, wanted),
            Side::White => (wanted - 1, wanted),
        };
        let near = |a: Xy, b: Xy| a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1;
        let is_far = |p: &Xy| own.iter().chain(other).all(|&q| !near(*p, q));
        let mut free = FAR.iter().copied().filter(is_far);
        let mut filled = |stones: &[Xy], wanted: usize| -> Vec<Xy> {
            let more: Vec<Xy> = free.by_ref().take(wanted.saturating_sub(stones.len())).collect();
            [stones, &more].concat()
        };
        let (own, other) = (filled(own, own_wanted), filled(other, other_wanted));
        let stones = own.into_iter().map(|p| (p, engine));
        let stones = stones.chain(other.into_iter().map(|p| (p, engine.opponent())));
        Position { rule, stones: stones.collect(), to_move: engine }
    }

    /// As lines of `BOARD`: Black's first stone, White's first stone, and so on.
    pub(super) fn placements(&self) -> Vec<(Xy, u8)> {
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

    /// On a board of ours.
    pub(super) fn board(&self) -> Option<Board> {
        let mut board = Board::new(15, 15, Variant::five(self.rule)).ok()?;
        for &(at, side) in &self.stones {
            board.place(point(at)?, side).ok()?;
        }
        board.set_side_to_move(self.to_move);
        Some(board)
    }

    /// The points that win at once.
    pub(super) fn wins(&self) -> Vec<Xy> {
        self.fives(self.to_move)
    }

    /// The points at which this side would win.
    pub(super) fn fives(&self, side: Side) -> Vec<Xy> {
        let Some(board) = self.board() else { return Vec::new() };
        let winning = board.empty_points().filter(|&p| board.makes_five(p, side));
        winning.map(|p| (p.x().into(), p.y().into())).collect()
    }
}

/// Points far apart, mostly along the edges: no five of them are in a row.
const FAR: [Xy; 16] = [
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

/// A point of ours.
pub(super) fn point((x, y): Xy) -> Option<Point> {
    Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?)
}

/// A point as people name it, rows from the top.
pub(super) fn name((x, y): Xy) -> String {
    let letter = u8::try_from(x).ok().filter(|&x| x < 26).map_or('?', |x| char::from(b'a' + x));
    format!("{letter}{}", y + 1)
}

/// Have the engine play in each position, one after the other in one process; every move must be among
/// the good ones.
pub(super) fn solve(
    bench: &Bench<'_>,
    rule: Rule,
    positions: &[(Position, Vec<Xy>)],
    why: &str,
) -> Result<String, Stop> {
    let mut trial = bench.game(rule)?;
    for (position, good) in positions {
        solve_one(
            &mut trial,
            bench,
            position,
            |at| good.contains(&at),
            || {
                let names: Vec<String> = good.iter().map(|&at| name(at)).collect();
                format!("{}, {why}", names.join(" or "))
            },
        )?;
    }
    Ok(format!("{} positions", positions.len()))
}

/// Have the engine play in a position; the move must be good.
pub(super) fn solve_one(
    trial: &mut Trial<'_>,
    bench: &Bench<'_>,
    position: &Position,
    is_good: impl Fn(Xy) -> bool,
    wanted: impl Fn() -> String,
) -> Result<Xy, Stop> {
    let at = trial.board(&position.placements(), bench.turn)?.at;
    if is_good(at) {
        return Ok(at);
    }
    let drawing = position.board().map(|board| format!("\n{board}")).unwrap_or_default();
    let (x, y) = at;
    Err(trial.fail(format!("{} ({x},{y})", name(at)), wanted() + &drawing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_positions_have_the_numbers_of_a_game_and_nothing_new_in_them() {
        let four = [(3, 7), (4, 7), (5, 7), (6, 7)];
        for engine in Side::BOTH {
            let position = Position::of(Rule::Freestyle, &four, &[(2, 7)], engine);
            let count = |side| position.stones.iter().filter(|stone| stone.1 == side).count();
            let [black, white] = Side::BOTH.map(count);
            let extra = usize::from(engine == Side::White);
            assert_eq!(black, white + extra);
            assert_eq!(position.wins(), [(7, 7)]);
            assert_eq!(position.fives(engine.opponent()), []);
            let fields = position.placements();
            assert_eq!(fields.len(), black + white);
            assert!(fields.contains(&((3, 7), 1)) && fields.contains(&((2, 7), 2)));
        }
    }

    #[test]
    fn moves_are_read_from_the_top() {
        let position = Position::after(Rule::Renju, "h8a1");
        assert_eq!(position.placements(), [((7, 7), 1), ((0, 0), 2)]);
        assert_eq!((name((7, 14)), position.to_move), ("h15".to_owned(), Side::Black));
    }
}
