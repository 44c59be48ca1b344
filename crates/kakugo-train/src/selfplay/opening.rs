//! Random openings: a few stones close to each other, anywhere on the board.
//!
//! An opening must be balanced. The static evaluation is cheap and rejects most of the others. The
//! search for the first move, which is needed anyway, rejects the rest.

use std::ops::RangeInclusive;

use rand::Rng;

use kakugo::board::{Board, Outcome, Point, Variant};
use kakugo::eval::evaluate;
use kakugo::position::Position;
use kakugo::score::Score;

/// Usual numbers of stones.
pub const STONES: RangeInclusive<usize> = 3..=9;
/// Maximum absolute static evaluation of an opening, in score units.
const MAX_EVAL: i32 = 250;
/// Maximum absolute score of a balanced opening, in score units.
const MAX_SCORE: i32 = 140;

/// Returns true if an opening with this score is balanced.
pub fn is_balanced(score: Score) -> bool {
    score.value().abs() <= MAX_SCORE
}

/// Returns an opening with one of these numbers of stones that is balanced according to the static
/// evaluation.
pub fn draw(
    variant: Variant,
    size: u8,
    stones: RangeInclusive<usize>,
    rng: &mut impl Rng,
) -> Option<Board> {
    // On small boards all openings may be rejected. Then any opening is accepted.
    (0..1000).find_map(|attempt| {
        let board = random_stones(variant, size, stones.clone(), rng)?;
        let value = evaluate(&Position::new(&board)).value().abs();
        (value <= MAX_EVAL || attempt > 900).then_some(board)
    })
}

/// Returns stones in a square around a random point, clipped to the board.
fn random_stones(
    variant: Variant,
    size: u8,
    stones: RangeInclusive<usize>,
    rng: &mut impl Rng,
) -> Option<Board> {
    let mut board = Board::new(size, size, variant).ok()?;
    let stones = rng.random_range(stones);
    let spread = rng.random_range(2..=4);
    let [columns, rows] = [(); 2].map(|()| {
        let centre: u8 = rng.random_range(0..size);
        centre.saturating_sub(spread)..=(centre + spread).min(size - 1)
    });
    // In renju Black may have no legal points.
    for _ in 0..200 {
        if board.ply() == stones {
            return Some(board);
        }
        let p = Point::new(rng.random_range(columns.clone()), rng.random_range(rows.clone()))?;
        let side = board.side_to_move();
        if board.is_empty(p) && board.foul(p, side).is_none() {
            board.play(p).ok()?;
            if board.outcome() != Outcome::Ongoing {
                return None;
            }
        }
    }
    None
}

/// Returns a hash of an opening that does not depend on symmetry or on the order of stones.
pub(crate) fn key(variant: Variant, width: u8, height: u8, stones: &[Point]) -> u64 {
    let (right, bottom) = (width - 1, height - 1);
    let is_square = right == bottom;
    let image = |turn: u8| {
        let mut image: Vec<[u8; 3]> = stones
            .iter()
            .enumerate()
            .map(|(ply, p)| {
                let x = if turn & 1 != 0 { right - p.x() } else { p.x() };
                let y = if turn & 2 != 0 { bottom - p.y() } else { p.y() };
                let [x, y] = if turn & 4 != 0 { [y, x] } else { [x, y] };
                [(ply % 2) as u8, y, x]
            })
            .collect();
        image.sort_unstable();
        image
    };
    let turns = if is_square { 8 } else { 4 };
    let stones = (0..turns).map(image).min().unwrap_or_default();
    let head = [variant.rule().number() as u8, width, height];
    // FNV-1a with a final mix, which is the same on every machine and in every version.
    let bytes = head.iter().chain(stones.iter().flatten());
    let hash = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Rule;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn openings_cover_the_board_and_are_balanced() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for rule in Rule::ALL {
            let mut thirds = [[0; 3]; 3];
            for _ in 0..200 {
                let board = draw(Variant::five(rule), 15, STONES, &mut rng).unwrap();
                assert_eq!(board.outcome(), Outcome::Ongoing);
                assert!(STONES.contains(&board.ply()));
                assert!(evaluate(&Position::new(&board)).value().abs() <= MAX_EVAL);
                for stone in board.stones() {
                    thirds[usize::from(stone.point.y() / 5)][usize::from(stone.point.x() / 5)] += 1;
                }
            }
            let (min, max) = (thirds.iter().flatten().min(), thirds.iter().flatten().max());
            assert!(min > Some(&40) && max < Some(&250), "{rule}: {thirds:?}");
        }
    }
}
