//! Training games and held-out games.
//!
//! Only the opening decides if a game is held out, independent of the board's symmetry. So
//! identical games are always in the same set, in every run and with any files.

use std::path::PathBuf;

use anyhow::{Context, ensure};

use super::nats::{nats, sigmoid};
use crate::selfplay::{SelfPlayGame, opening, read};
use kakugo::board::{Board, Point, Rule, Side, Variant};
use kakugo::score::Score;
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;

/// One in this many openings is held out.
const HELD_OUT: u64 = 25;

/// The data of a game that training needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ScoredGame {
    variant: Variant,
    width: u8,
    height: u8,
    /// The winner, or `None` for a draw.
    pub(super) winner: Option<Side>,
    /// All stones, those of the opening first.
    pub(super) stones: Box<[Point]>,
    /// Scores of the search before each stone after the opening.
    pub(super) scores: Box<[Score]>,
    /// Indices in `scores` of the random moves, in order.
    pub(super) random_moves: Box<[u16]>,
}

/// The outcome of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Outcome {
    /// Black's points: 1, 1/2 or 0, or an expected value between them.
    pub(super) black: f32,
    /// True for the game's result. False if a random move followed. Then `black` is the score of
    /// the search before that move.
    pub(super) is_played_out: bool,
}

impl ScoredGame {
    pub(super) fn new(game: &SelfPlayGame) -> ScoredGame {
        ScoredGame {
            variant: game.variant,
            width: game.width,
            height: game.height,
            winner: game.winner,
            stones: game.stones().collect(),
            scores: game.moves.iter().map(|m| m.score).collect(),
            random_moves: (0..)
                .zip(&game.moves)
                .filter(|(_, m)| m.is_random())
                .map(|(i, _)| i)
                .collect(),
        }
    }

    /// Returns the outcome of the position before each stone after the opening.
    ///
    /// The game's result is not valid for positions before a random move. Those positions get the
    /// score before that move. To drop them instead would favour short games, because they have
    /// fewer random moves.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let points = |winner| f32::from(winner == Side::Black);
        let mut outcome = Outcome { black: self.winner.map_or(0.5, points), is_played_out: true };
        let mut random_moves = self.random_moves.iter().rev().peekable();
        let before = |(i, score): (usize, &Score)| {
            if random_moves.next_if(|&&index| usize::from(index) == i).is_some() {
                let mover = sigmoid(nats(*score));
                let side = Side::to_move_after(self.opening() + i);
                let black = if side == Side::Black { mover } else { 1.0 - mover };
                outcome = Outcome { black, is_played_out: false };
            }
            outcome
        };
        let mut outcomes: Vec<Outcome> = self.scores.iter().enumerate().rev().map(before).collect();
        outcomes.reverse();
        outcomes
    }

    /// Returns the number of stones of the opening.
    pub(super) fn opening(&self) -> usize {
        self.stones.len() - self.scores.len()
    }

    /// Returns an empty board for this game, or `None` if its size is not supported.
    pub(super) fn board(&self) -> Option<Board> {
        Board::new(self.width, self.height, self.variant).ok()
    }

    /// Returns [`opening::key`] of the opening.
    fn opening_key(&self) -> u64 {
        let stones = &self.stones[..self.opening()];
        opening::key(self.variant, self.width, self.height, stones)
    }

    /// Returns true if the game is held out.
    pub(super) fn is_held_out(&self) -> bool {
        self.opening_key().is_multiple_of(HELD_OUT)
    }
}

/// The games of a run.
#[derive(Default)]
pub(super) struct Games {
    /// Games for training.
    pub(super) train: Vec<ScoredGame>,
    /// Games for validation.
    pub(super) held_out: Vec<ScoredGame>,
}

impl Games {
    /// Reads self-play files, all of one rule. Damaged games are skipped.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or has another rule than the first, or if there
    /// are too few games.
    pub(super) fn read(files: &[PathBuf]) -> anyhow::Result<(Rule, Games)> {
        let (mut games, mut rule) = (Games::default(), None);
        for path in files {
            let name = || path.display().to_string();
            let bytes = run_file::read(path)?;
            let mut others = 0;
            let contents = read(&bytes, |game| {
                let variant = game.variant;
                if variant == Variant::five(*rule.get_or_insert(variant.rule())) {
                    games.add(ScoredGame::new(&game));
                } else {
                    others += 1;
                }
            })
            .with_context(name)?;
            ensure!(
                others == 0,
                "{}: {others} games have another rule than the first game",
                name()
            );
            let lost = contents.lost_bytes();
            if lost > 0 {
                note(format_args!("{}: skipped {lost} damaged bytes", name()));
            }
        }
        let few = games.train.is_empty() || games.held_out.is_empty();
        let rule = rule.filter(|_| !few).context("too few games: no training or held-out games")?;
        Ok((rule, games))
    }

    /// Adds a game to the training or the held-out games.
    pub(super) fn add(&mut self, game: ScoredGame) {
        if game.is_held_out() {
            self.held_out.push(game);
        } else {
            self.train.push(game);
        }
    }

    /// Returns a hash of all games, in order.
    pub(super) fn fingerprint(&self) -> u64 {
        let games = self.train.iter().chain(&self.held_out);
        games.fold(0, |hash, game| {
            let stones = game.stones.iter().map(|p| p.index() as u64);
            let scores = game.scores.iter().map(|score| score.value() as u64);
            let result = game.winner.map_or(2, |side| side.index() as u64);
            let random_moves = game.random_moves.iter().map(|&index| u64::from(index));
            let others = [result, game.opening() as u64, game.width.into(), game.height.into()];
            stones.chain(scores).chain(random_moves).chain(others).fold(
                hash,
                |hash: u64, number| {
                    (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
                },
            )
        })
    }

    /// Returns the minimum and the maximum side of the boards.
    pub(super) fn sizes(&self) -> (u8, u8) {
        let games = self.train.iter().chain(&self.held_out);
        let sides = || games.clone().flat_map(|game| [game.width, game.height]);
        (sides().min().unwrap_or(15), sides().max().unwrap_or(15))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::SearchedMove;
    use crate::train::random;

    fn with_opening(stones: &[(u8, u8)]) -> ScoredGame {
        let point = |&(x, y)| Point::new(x, y).unwrap();
        ScoredGame {
            variant: Variant::FREESTYLE,
            width: 15,
            height: 15,
            winner: None,
            stones: stones.iter().map(point).collect(),
            scores: Box::new([]),
            random_moves: Box::new([]),
        }
    }

    #[test]
    fn opening_keys_ignore_symmetry_and_order() {
        let key = |stones: &[(u8, u8)]| with_opening(stones).opening_key();
        let first = key(&[(1, 2), (7, 7), (3, 4)]);
        assert_eq!(first, key(&[(3, 4), (7, 7), (1, 2)]));
        assert_eq!(first, key(&[(13, 2), (7, 7), (11, 4)]));
        assert_eq!(first, key(&[(2, 1), (7, 7), (4, 3)]));
        assert_eq!(first, key(&[(12, 13), (7, 7), (10, 11)]));
        assert_ne!(first, key(&[(7, 7), (1, 2), (3, 4)]));
        assert_ne!(first, key(&[(1, 2), (7, 7), (3, 5)]));
    }

    #[test]
    fn results_count_only_after_the_last_random_move() {
        let scores = [100, -40, 60, 0, -300].map(Score::from_eval);
        let game = |random_moves: &[u16]| ScoredGame {
            winner: Some(Side::White),
            scores: scores.into(),
            random_moves: random_moves.into(),
            ..with_opening(&[(1, 2), (7, 7), (3, 4), (8, 8), (9, 9), (2, 2), (1, 1), (5, 5)])
        };
        let black = |random_moves: &[u16]| -> Vec<(f32, bool)> {
            let outcomes = game(random_moves).outcomes();
            outcomes.iter().map(|o| (o.black, o.is_played_out)).collect()
        };
        let won = (0.0, true);
        assert_eq!(black(&[]), [won; 5]);
        // White is to move after three and five stones. The third score is 0.3 nats for White.
        let third = (1.0 - sigmoid(0.3), false);
        assert_eq!(black(&[2]), [third, third, third, won, won]);
        let second = (sigmoid(-0.2), false);
        assert_eq!(black(&[1, 2]), [second, second, third, won, won]);
        assert_eq!(black(&[0, 4])[0], (1.0 - sigmoid(0.5), false));
        assert_eq!(black(&[0, 4])[1..], [(1.0 - sigmoid(-1.5), false); 4]);

        let [one, other] = [(0, 0), (5, 6)].map(|(x, y)| Point::new(x, y).unwrap());
        let searched = |point, choice| {
            let (score, shares) = (Score::ZERO, Vec::new());
            SearchedMove { point, choice, score, shares }
        };
        let game = SelfPlayGame {
            number: 0,
            variant: Variant::FREESTYLE,
            width: 15,
            height: 15,
            winner: None,
            opening: Vec::new(),
            moves: vec![searched(one, one), searched(other, one)],
        };
        assert_eq!(*ScoredGame::new(&game).random_moves, [1]);
    }

    #[test]
    fn training_and_held_out_openings_are_disjoint() {
        let games = random::games(Variant::FREESTYLE, 2000, 1);
        let keys = |games: &[ScoredGame]| {
            games.iter().map(ScoredGame::opening_key).collect::<std::collections::HashSet<_>>()
        };
        let (train, held_out) = (keys(&games.train), keys(&games.held_out));
        assert!(train.is_disjoint(&held_out));
        assert!((40..120).contains(&games.held_out.len()), "{}", games.held_out.len());
    }

    /// The held-out games must not change between versions.
    #[test]
    fn opening_keys_are_stable() {
        assert_eq!(with_opening(&[(1, 2), (7, 7), (3, 4)]).opening_key(), 64_655_837_701_153_916);
    }
}
