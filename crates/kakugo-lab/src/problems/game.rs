//! A game between players of two levels.

use rand::Rng;
use rand::seq::IndexedRandom;

use kakugo::Level;
use kakugo::board::{Board, Outcome, Point, Rule, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_record::problems::SIZE;

/// Levels of the players. Weak ones overlook fours, stronger ones overlook long wins.
const LEVELS: [usize; 7] = [2, 3, 4, 5, 5, 5, 6];
/// Size of the transposition table, in bytes.
const HASH_BYTES: usize = 1 << 20;
/// Games end after this number of moves.
const MAX_PLY: usize = 70;

/// Plays the games of a run.
pub(super) struct Player {
    engine: Engine,
}

impl Player {
    pub(super) fn new() -> Player {
        Player { engine: Engine::new(HASH_BYTES) }
    }

    /// Returns the moves of a game.
    pub(super) fn play(&mut self, rule: Rule, rng: &mut impl Rng) -> Option<Vec<Point>> {
        let mut board = opening(rule, rng)?;
        let levels = [(); 2].map(|()| LEVELS.choose(rng).copied().and_then(Level::of));
        self.engine.clear();
        while board.outcome() == Outcome::Ongoing && board.ply() < MAX_PLY {
            let level = levels[board.side_to_move().index()]?;
            let (limits, signals) = (Limits::default(), Signals::default());
            let answer = level.think(&mut self.engine, &board, &limits, &signals, &mut Silent, rng);
            board.play(answer.best?).ok()?;
        }
        Some(board.stones().map(|stone| stone.point).collect())
    }
}

/// Returns an opening as renju has it: the first stone in the centre, the second beside it, the
/// third in the central 5x5.
fn opening(rule: Rule, rng: &mut impl Rng) -> Option<Board> {
    let mut board = Board::new(SIZE, SIZE, Variant::five(rule)).ok()?;
    let centre = SIZE / 2;
    for spread in [0, 1, 2] {
        loop {
            let [x, y] = [(); 2].map(|()| rng.random_range(centre - spread..=centre + spread));
            if board.play(Point::new(x, y)?).is_ok() {
                break;
            }
        }
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn games_depend_on_the_random_numbers() {
        let game =
            |seed| Player::new().play(Rule::Renju, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
        let first = game(1);
        assert_eq!(first, game(1));
        assert_ne!(first, game(2));
        let centre = Point::new(7, 7).unwrap();
        assert_eq!(first[0], centre);
        assert!(centre.distance(first[1]) == 1 && centre.distance(first[2]) <= 2);
    }
}
