//! The first stones of a game: a few, close to each other, anywhere on the board.
//!
//! Whether they leave the game open is asked twice: the evaluation, which costs nothing beside a
//! search, turns most of the others away, and the search for the first move, which is needed anyhow,
//! the rest.

use rand::Rng;

use kakugo::board::{Board, Outcome, Point, Variant};
use kakugo::eval::evaluate;
use kakugo::position::Position;
use kakugo::score::Score;

/// Up to this value for either side the evaluation takes a position for open, in score units.
const LIKELY_BALANCE: i32 = 250;
/// Up to this value for either side the search takes it for open.
const BALANCE: i32 = 140;

/// Whether the search has found an opening balanced.
pub(crate) fn is_balanced(score: Score) -> bool {
    score.value().abs() <= BALANCE
}

/// Stones that the evaluation finds balanced.
pub(crate) fn draw(variant: Variant, size: u8, rng: &mut impl Rng) -> Option<Board> {
    // Where no position passes, as on boards that are too small for it, any will do.
    (0..1000).find_map(|attempt| {
        let board = random_stones(variant, size, rng)?;
        let value = evaluate(&Position::new(&board)).value().abs();
        (value <= LIKELY_BALANCE || attempt > 900).then_some(board)
    })
}

/// Three to nine stones in a square around a random point, cut off where the board ends.
fn random_stones(variant: Variant, size: u8, rng: &mut impl Rng) -> Option<Board> {
    let mut board = Board::new(size, size, variant).ok()?;
    let stones = rng.random_range(3..=9);
    let spread = rng.random_range(2..=4);
    let [columns, rows] = [(); 2].map(|()| {
        let centre: u8 = rng.random_range(0..size);
        centre.saturating_sub(spread)..=(centre + spread).min(size - 1)
    });
    // Renju may leave no point for Black.
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

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Rule;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn openings_lie_all_over_the_board_and_are_open() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for rule in Rule::ALL {
            let mut thirds = [[0; 3]; 3];
            for _ in 0..200 {
                let board = draw(Variant::five(rule), 15, &mut rng).unwrap();
                assert_eq!(board.outcome(), Outcome::Ongoing);
                assert!((3..=9).contains(&board.ply()));
                assert!(evaluate(&Position::new(&board)).value().abs() <= LIKELY_BALANCE);
                for stone in board.stones() {
                    thirds[usize::from(stone.point.y() / 5)][usize::from(stone.point.x() / 5)] += 1;
                }
            }
            let (least, most) = (thirds.iter().flatten().min(), thirds.iter().flatten().max());
            assert!(least > Some(&40) && most < Some(&250), "{rule}: {thirds:?}");
        }
    }
}
