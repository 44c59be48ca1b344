//! The 26 openings of Renju and their names.
//!
//! Black begins in the centre of a 15x15 board, White plays next to it, and Black's second stone
//! lies in the central 5x5. In the 13 direct openings White plays beside the centre, in the 13
//! indirect ones diagonally. Rotations, reflections and transpositions have the same name.

use std::fmt;

use crate::Game;
use kakugo::board::Point;

/// Number of columns and rows of the board.
const SIZE: u8 = 15;

/// Column and row of the centre, from 0.
const CENTRE: i8 = 7;

/// An opening of Renju.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenjuOpening {
    /// `D` for direct or `I` for indirect, and the number: `D4`.
    pub code: &'static str,
    /// The name in Latin letters.
    pub name: &'static str,
    /// The name in Japanese.
    pub japanese: &'static str,
    /// Black's second stone, right of the centre and above it. White plays above the centre in a
    /// direct opening, and above on the right in an indirect one.
    third: (i8, i8),
}

/// All openings, the direct ones first.
pub const OPENINGS: [RenjuOpening; 26] = [
    opening("D1", "Kansei", "寒星", (0, 2)),
    opening("D2", "Keigetsu", "渓月", (1, 2)),
    opening("D3", "Sosei", "疎星", (2, 2)),
    opening("D4", "Kagetsu", "花月", (1, 1)),
    opening("D5", "Zangetsu", "残月", (2, 1)),
    opening("D6", "Ugetsu", "雨月", (1, 0)),
    opening("D7", "Kinsei", "金星", (2, 0)),
    opening("D8", "Shogetsu", "松月", (0, -1)),
    opening("D9", "Kyugetsu", "丘月", (1, -1)),
    opening("D10", "Shingetsu", "新月", (2, -1)),
    opening("D11", "Zuisei", "瑞星", (0, -2)),
    opening("D12", "Sangetsu", "山月", (1, -2)),
    opening("D13", "Yusei", "遊星", (2, -2)),
    opening("I1", "Chosei", "長星", (2, 2)),
    opening("I2", "Kyogetsu", "峡月", (2, 1)),
    opening("I3", "Kosei", "恒星", (2, 0)),
    opening("I4", "Suigetsu", "水月", (2, -1)),
    opening("I5", "Ryusei", "流星", (2, -2)),
    opening("I6", "Ungetsu", "雲月", (1, 0)),
    opening("I7", "Hogetsu", "浦月", (1, -1)),
    opening("I8", "Rangetsu", "嵐月", (1, -2)),
    opening("I9", "Gingetsu", "銀月", (0, -1)),
    opening("I10", "Myojo", "明星", (0, -2)),
    opening("I11", "Shagetsu", "斜月", (-1, -1)),
    opening("I12", "Meigetsu", "名月", (-1, -2)),
    opening("I13", "Suisei", "彗星", (-2, -2)),
];

const fn opening(
    code: &'static str,
    name: &'static str,
    japanese: &'static str,
    third: (i8, i8),
) -> RenjuOpening {
    RenjuOpening { code, name, japanese, third }
}

impl RenjuOpening {
    /// Returns the opening of a line of moves from the empty board. `None` if it has fewer than
    /// three moves or begins in another way.
    pub fn of_moves((width, height): (u8, u8), moves: &[Point]) -> Option<&'static RenjuOpening> {
        let &[first, second, third, ..] = moves else { return None };
        if (width, height) != (SIZE, SIZE) {
            return None;
        }
        let [first, second, third] = [first, second, third].map(from_centre);
        // Black's stones may be played in either order.
        let third = match (first, third) {
            ((0, 0), other) | (other, (0, 0)) => other,
            _ => return None,
        };
        let is_inside = |(x, y): (i8, i8), reach| x.abs() <= reach && y.abs() <= reach;
        if !is_inside(second, 1) || !is_inside(third, 2) || second == (0, 0) {
            return None;
        }
        let is_direct = second.0 == 0 || second.1 == 0;
        let white = if is_direct { (0, 1) } else { (1, 1) };
        // Some symmetries turn the white stone to its place.
        let fitting = (0..8).filter(|&symmetry| turned(second, symmetry) == white);
        let places: Vec<(i8, i8)> = fitting.map(|symmetry| turned(third, symmetry)).collect();
        let kind = if is_direct { 'D' } else { 'I' };
        OPENINGS.iter().find(|known| known.code.starts_with(kind) && places.contains(&known.third))
    }

    /// Returns the opening of a game that begins on the empty board or from three stones.
    pub fn of_game(game: &Game) -> Option<&'static RenjuOpening> {
        let size = (game.width, game.height);
        if game.starts_empty() {
            let moves: Vec<Point> = game.points().take(3).collect();
            return RenjuOpening::of_moves(size, &moves);
        }
        match (game.start.black(), game.start.white(), game.start.blocked()) {
            (&[first, third], &[second], []) => {
                RenjuOpening::of_moves(size, &[first, second, third])
            }
            _ => None,
        }
    }
}

/// Formats code and names: `D4 Kagetsu (花月)`.
impl fmt::Display for RenjuOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({})", self.code, self.name, self.japanese)
    }
}

/// Returns a point as columns right of the centre and rows above it.
fn from_centre(point: Point) -> (i8, i8) {
    (point.x() as i8 - CENTRE, CENTRE - point.y() as i8)
}

/// Returns a point after one of the eight symmetries of the board.
fn turned((x, y): (i8, i8), symmetry: u8) -> (i8, i8) {
    let x = if symmetry & 1 == 0 { x } else { -x };
    let y = if symmetry & 2 == 0 { y } else { -y };
    if symmetry & 4 == 0 { (x, y) } else { (y, x) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::pos::{self, RowOrder};
    use crate::{Move, sgf};
    use kakugo::board::Variant;

    const BOARD: (u8, u8) = (SIZE, SIZE);

    fn points(text: &str) -> Vec<Point> {
        pos::read(text, SIZE, RowOrder::FromBottom).unwrap()
    }

    fn at((x, y): (i8, i8)) -> Point {
        Point::new((CENTRE + x) as u8, (CENTRE - y) as u8).unwrap()
    }

    #[test]
    fn openings_have_their_names_in_all_symmetries() {
        // As printed in tables of the openings.
        let direct = "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6";
        let indirect = "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6";
        let of_kind = |kind: &'static str, white: &'static str, all: &'static str| {
            let numbered = (1..).zip(all.split(' '));
            numbered.map(move |(n, black)| (format!("{kind}{n}"), format!("h8{white}{black}")))
        };
        let all = of_kind("D", "h9", direct).chain(of_kind("I", "i9", indirect));
        let mut count = 0;
        for ((code, moves), known) in all.zip(&OPENINGS) {
            assert_eq!(code, known.code);
            let stones: Vec<(i8, i8)> = points(&moves).into_iter().map(from_centre).collect();
            for symmetry in 0..8 {
                let stones = stones.iter().map(|&stone| turned(stone, symmetry));
                let mut moves: Vec<Point> = stones.map(at).collect();
                assert_eq!(RenjuOpening::of_moves(BOARD, &moves), Some(known), "{code}");
                // Black's stones in the other order, and a longer game.
                moves.swap(0, 2);
                moves.push(Point::new(0, 0).unwrap());
                assert_eq!(RenjuOpening::of_moves(BOARD, &moves), Some(known), "{code}");
                count += 1;
            }
        }
        assert_eq!(count, 26 * 8);
    }

    #[test]
    fn every_opening_has_exactly_one_name() {
        let around =
            |reach: i8| (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| (x, y)));
        let free = |taken: &[(i8, i8)], stone: &(i8, i8)| !taken.contains(stone);
        // Codes by the least of all symmetric forms.
        let mut codes: BTreeMap<[(i8, i8); 2], &str> = BTreeMap::new();
        for white in around(1).filter(|stone| free(&[(0, 0)], stone)) {
            for black in around(2).filter(|stone| free(&[(0, 0), white], stone)) {
                let known = RenjuOpening::of_moves(BOARD, &[(0, 0), white, black].map(at));
                let code = known.unwrap().code;
                let forms = (0..8).map(|symmetry| [white, black].map(|s| turned(s, symmetry)));
                assert_eq!(*codes.entry(forms.min().unwrap()).or_insert(code), code);
            }
        }
        assert_eq!(codes.len(), 26);
        let names: std::collections::BTreeSet<&str> = codes.into_values().collect();
        assert_eq!(names.len(), 26);
    }

    #[test]
    fn other_beginnings_have_no_name() {
        for moves in
            ["", "h8", "h8h9", "h8h9h8", "h8j8i8", "h8h9h11", "g8h9h10", "h9h8h10", "a1b1c1"]
        {
            assert_eq!(RenjuOpening::of_moves(BOARD, &points(moves)), None, "{moves}");
        }
        let kagetsu = points("h8h9i9");
        assert_eq!(RenjuOpening::of_moves((15, 16), &kagetsu), None);
        assert_eq!(RenjuOpening::of_moves((19, 19), &kagetsu), None);
    }

    #[test]
    fn games_and_positions_have_openings() {
        let moves = points("h8h9i9g7").into_iter().map(Move::new).collect();
        let mut game = Game { moves, ..Game::new(15, 15, Variant::RENJU) };
        assert_eq!(RenjuOpening::of_game(&game).unwrap().to_string(), "D4 Kagetsu (花月)");
        game.moves[1] = Move::pass();
        assert_eq!(RenjuOpening::of_game(&game), None);
        let code = |text: &str| {
            let game = sgf::read(text).unwrap().remove(0);
            RenjuOpening::of_game(&game).map(|opening| opening.code)
        };
        assert_eq!(code("(;GM[4]SZ[15]AB[hh][ig]AW[hg])"), Some("D4"));
        assert_eq!(code("(;GM[4]SZ[15]AB[ig][hh]AW[hg];W[aa])"), Some("D4"));
        assert_eq!(code("(;GM[4]SZ[15]AB[ig][hh][aa]AW[hg])"), None);
    }
}
