//! Line codes: one number for the cells of a line through an empty point, four to either side.
//!
//! A [shape](super::Shape) describes what a stone at the point makes; a line code describes the
//! line itself, for both colours at once. Cells behind a wall, or behind stones of both colours,
//! cannot be part of a five and are ignored, and so is the direction of the line. 3,160 of 14,641
//! codes remain. (Rapfi's networks use lines, too; they are longer and complete.)

use std::sync::OnceLock;

use crate::board::Side;

/// Cells to either side of the point.
pub const LINE_REACH: usize = 4;

/// Number of arms: distinct halves of a line.
pub const ARMS: usize = 79;

/// Number of codes: the unordered pairs of arms.
pub const LINE_CODES: usize = ARMS * (ARMS + 1) / 2;

/// Length of tables indexed by code: a power of two, so that a mask replaces the bounds check.
pub const LINE_TABLE: usize = LINE_CODES.next_power_of_two();

/// The cells of an arm: 0 empty, 1 and 2 stones of either colour, 3 a wall or hidden.
type Arm = [u8; LINE_REACH];

const HIDDEN: u8 = 3;

/// Returns the number of an arm, given its cells up to the wall, nearest first: 0 empty, 1 black, 2
/// white.
pub fn arm(cells: &[u8]) -> usize {
    arms().binary_search(&seen(cells)).expect("all arms are listed")
}

/// Returns the code of a line with these two arms.
pub const fn code([one, other]: [usize; 2]) -> u16 {
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    (high * (high + 1) / 2 + low) as u16
}

/// Line codes, indexed by [`ARMS`] times the arm before the point, plus the arm after it. The
/// length is a power of two, so that a mask replaces the bounds check.
pub type Pairs = [u16; (ARMS * ARMS).next_power_of_two()];

/// Returns the table of line codes.
pub fn pairs() -> &'static Pairs {
    static TABLE: Pairs = {
        let (mut table, mut pair) = ([0; _], 0);
        while pair < ARMS * ARMS {
            table[pair] = code([pair / ARMS, pair % ARMS]);
            pair += 1;
        }
        table
    };
    &TABLE
}

/// Returns line codes as seen by `side`, whose stones are the first colour, indexed by the codes as
/// seen by Black.
#[inline]
pub fn as_seen(side: Side) -> &'static [u16; LINE_TABLE] {
    static TABLES: [OnceLock<Box<[u16; LINE_TABLE]>>; 2] = [const { OnceLock::new() }; 2];
    TABLES[side.index()].get_or_init(|| {
        let colours = match side {
            Side::Black => [0, 1, 2, HIDDEN],
            Side::White => [0, 2, 1, HIDDEN],
        };
        let look = |cells: &Arm| arm(&cells.map(|cell| colours[usize::from(cell)]));
        let seen: Vec<usize> = arms().iter().map(look).collect();
        let mut table = Box::new([0; LINE_TABLE]);
        for (a, b) in (0..ARMS).flat_map(|a| (0..=a).map(move |b| (a, b))) {
            table[usize::from(code([a, b]))] = code([seen[a], seen[b]]);
        }
        table
    })
}

/// Returns all arms, in order.
fn arms() -> &'static [Arm; ARMS] {
    static ALL: OnceLock<[Arm; ARMS]> = OnceLock::new();
    ALL.get_or_init(|| {
        let digit = |n: usize, i: u32| (n >> (2 * i) & 0b11) as u8;
        let cells = |n: usize| [0, 1, 2, 3].map(|i| digit(n, i));
        let mut all: Vec<Arm> = (0..1 << (2 * LINE_REACH)).map(|n| seen(&cells(n))).collect();
        all.sort_unstable();
        all.dedup();
        all.try_into().expect("they are counted")
    })
}

/// Hides the cells behind a wall, and behind stones of both colours.
fn seen(cells: &[u8]) -> Arm {
    let mut arm = [HIDDEN; LINE_REACH];
    let mut colours = 0;
    for (to, &cell) in arm.iter_mut().zip(cells) {
        if cell == HIDDEN || colours == 0b11 {
            break;
        }
        *to = cell;
        colours |= cell;
    }
    arm
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::{Rng, SeedableRng, rngs::StdRng};

    use super::*;
    use crate::board::lines::Region;
    use crate::board::{Board, Direction, Point, Rule, Stone, Variant};
    use crate::pattern::table::LineTable;

    /// Returns the cells from the point to one end of a line as seen by `side`.
    fn look(region: Region, step: i32, side: Side) -> String {
        let mut text = String::new();
        for i in 1..=LINE_REACH as i32 {
            let at = i * step;
            if text.contains('o') && text.contains('x') {
                break;
            }
            text.push(match () {
                () if region.is_empty(at) => '.',
                () if region.is_stone(at, side) => 'o',
                () if region.is_stone(at, side.opponent()) => 'x',
                () => break, // A wall.
            });
        }
        text
    }

    #[test]
    fn equal_lines_have_equal_codes_and_others_differ() {
        let mut rng = StdRng::seed_from_u64(1);
        for rule in Rule::ALL {
            let table = LineTable::of(Variant::five(rule));
            let mut codes: BTreeMap<u16, [String; 2]> = BTreeMap::new();
            let mut looks: BTreeMap<[String; 2], u16> = BTreeMap::new();
            for _ in 0..400 {
                let mut board = Board::new(13, 16, Variant::five(rule)).unwrap();
                for _ in 0..rng.random_range(0..120) {
                    let (x, y) = (rng.random_range(0..13), rng.random_range(0..16));
                    let (point, side) =
                        (Point::new(x, y).unwrap(), Side::BOTH[rng.random_range(0..2)]);
                    if board.is_empty(point) {
                        board.push(Stone { point, side });
                    }
                }
                for (p, d) in board.empty_points().flat_map(|p| Direction::ALL.map(|d| (p, d))) {
                    let region = board.lines().region(p, d);
                    let (_, black) = table.line(region.bits()).lookup(0);
                    for side in Side::BOTH {
                        let code = as_seen(side)[usize::from(black)];
                        let mut seen = [1, -1].map(|step| look(region, step, side));
                        seen.sort();
                        assert!(usize::from(code) < LINE_CODES);
                        assert_eq!(codes.entry(code).or_insert_with(|| seen.clone()), &seen);
                        assert_eq!(*looks.entry(seen).or_insert(code), code);
                    }
                }
            }
            assert!(codes.len() > LINE_CODES / 2, "{}", codes.len());
        }
    }
}
