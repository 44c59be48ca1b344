//! Games of random moves, for tests.

use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::games::{Games, ScoredGame};
use crate::selfplay::{SearchedMove, SelfPlayGame};
use kakugo::board::{Board, Outcome, Point, Variant};
use kakugo::score::Score;

/// Side of the boards.
const SIDE: u8 = 9;

/// Returns `n` games under a rule.
pub(super) fn games(variant: Variant, n: usize, seed: u64) -> Games {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut games = Games::default();
    (0..n).for_each(|number| games.add(ScoredGame::new(&game(variant, number as u32, &mut rng))));
    games
}

fn game(variant: Variant, number: u32, rng: &mut ChaCha8Rng) -> SelfPlayGame {
    let Ok(mut board) = Board::new(SIDE, SIDE, variant) else { unreachable!("a usual board") };
    let (mut opening, mut moves) = (Vec::new(), Vec::new());
    let winner = loop {
        let free: Vec<Point> = board.empty_points().choose_multiple(rng, 6);
        let middle = Point::new(SIDE / 2, SIDE / 2);
        let near = |p: &&Point| middle.map_or(0, |middle| p.distance(middle));
        let nearest = free.iter().min_by_key(near).filter(|_| rng.random_bool(0.7));
        let Some(&point) = nearest.or(free.choose(rng)) else { break None };
        if board.play(point).is_err() {
            break None;
        }
        if board.ply() <= 3 {
            opening.push(point);
        } else {
            let score = Score::from_eval(rng.random_range(-400..400));
            moves.push(SearchedMove { point, choice: point, score, shares: Vec::new() });
        }
        match board.outcome() {
            Outcome::Ongoing if board.ply() < 60 => {}
            Outcome::Win(side) => break Some(side),
            _ => break None,
        }
    };
    SelfPlayGame { number, variant, width: SIDE, height: SIDE, winner, opening, moves }
}
