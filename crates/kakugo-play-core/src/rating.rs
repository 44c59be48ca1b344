//! The rating of a player, estimated from games against levels whose ratings are known.
//!
//! The estimate is Bayesian: a distribution over ratings, which each result narrows and moves.
//! Before each game it widens a little, because players improve. Ratings are Elo above level 1, as
//! those of the levels.

use kakugo::level::LEVELS;
use serde::{Deserialize, Serialize};

/// The largest number of games that are looked at, the latest.
const MAX_GAMES: usize = 1000;

/// A game that counts.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RatedGame {
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// The level of the opponent, from 1.
    pub level: usize,
    /// Result of the player: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
}

impl RatedGame {
    /// Returns the game as a line of a file.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the latest games in the lines of a file. Other lines are skipped.
    pub fn read(text: &str) -> Vec<RatedGame> {
        let games = text.lines().filter_map(|line| serde_json::from_str::<RatedGame>(line).ok());
        let is_valid =
            |game: &RatedGame| (1..=LEVELS.len()).contains(&game.level) && game.half_points <= 2;
        let mut games: Vec<RatedGame> = games.filter(is_valid).collect();
        games.drain(..games.len().saturating_sub(MAX_GAMES));
        games
    }
}

/// An estimate of a rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The expected rating.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

impl Estimate {
    /// Returns the 95 % error of the rating.
    pub fn error(self) -> f64 {
        1.96 * self.deviation
    }
}

/// The estimate before the first game: around level 3, and hardly anything is known.
const FIRST: Estimate = Estimate { mean: 600.0, deviation: 600.0 };

/// Standard deviation of the change of a player's strength between two games.
const CHANGE: f64 = 25.0;

/// The ratings of the distribution: the lowest, the distance between two, and their number.
const LOWEST: f64 = -2600.0;
const STEP: f64 = 20.0;
const COUNT: usize = 350;

/// The number of steps after which a change between two games is neglected.
const REACH: usize = 6;

/// What is known of a player's strength: a weight for each rating. The sum is 1.
struct Distribution(Vec<f64>);

impl Distribution {
    /// Returns the distribution before the first game.
    fn first() -> Distribution {
        let weight = |i| bell(rating(i) - FIRST.mean, FIRST.deviation);
        Distribution((0..COUNT).map(weight).collect()).normalized()
    }

    /// Returns the distribution with these weights made to sum up to 1.
    fn normalized(mut self) -> Distribution {
        let total: f64 = self.0.iter().sum();
        // No sequence of results makes the weights vanish: each leaves some of them nearly as large
        // as before.
        self.0.iter_mut().for_each(|weight| *weight /= total);
        self
    }

    /// Returns the distribution after a game.
    fn after(&self, game: &RatedGame) -> Distribution {
        let kernel: Vec<f64> = (0..=REACH).map(|i| bell(i as f64 * STEP, CHANGE)).collect();
        let wide = |i: usize| {
            let near = i.saturating_sub(REACH)..=(i + REACH).min(COUNT - 1);
            near.map(|j| self.0[j] * kernel[i.abs_diff(j)]).sum::<f64>()
        };
        let weight = |i| wide(i) * likelihood(rating(i), game);
        Distribution((0..COUNT).map(weight).collect()).normalized()
    }

    fn estimate(&self) -> Estimate {
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().enumerate().map(|(i, weight)| weight * value(rating(i))).sum()
        };
        let mean = sum(&|rating| rating);
        let variance = sum(&|rating| (rating - mean).powi(2));
        Estimate { mean, deviation: variance.sqrt() }
    }
}

/// Returns the rating with this index.
fn rating(index: usize) -> f64 {
    LOWEST + index as f64 * STEP
}

/// Returns the density of a normal distribution, up to a constant factor.
fn bell(x: f64, deviation: f64) -> f64 {
    (-0.5 * (x / deviation).powi(2)).exp()
}

/// Returns the estimates after each of these games.
pub fn history(games: &[RatedGame]) -> Vec<Estimate> {
    let next = |known: &mut Distribution, game: &RatedGame| {
        *known = known.after(game);
        Some(known.estimate())
    };
    games.iter().scan(Distribution::first(), next).collect()
}

/// Returns the probability of the result of a game, up to a constant factor. A draw counts as half
/// a win and half a loss.
fn likelihood(rating: f64, game: &RatedGame) -> f64 {
    let level = LEVELS.get(game.level.saturating_sub(1)).map_or(0, |level| level.rating);
    let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(level) - rating) / 400.0));
    let points = f64::from(game.half_points) / 2.0;
    expected.powf(points) * (1.0 - expected).powf(1.0 - points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(level: usize, half_points: u8) -> RatedGame {
        RatedGame { date: "2026-01-01".to_owned(), level, half_points }
    }

    /// Returns the estimate in closed form: every possible change of strength between the games is
    /// summed up, with small steps and nothing neglected.
    fn slow_estimate(games: &[RatedGame]) -> Estimate {
        const FINE: f64 = 8.0;
        let ratings: Vec<f64> = (-325..550).map(|i| f64::from(i) * FINE).collect();
        let mut weights: Vec<f64> =
            ratings.iter().map(|r| bell(r - FIRST.mean, FIRST.deviation)).collect();
        for game in games {
            let widened = |&rating: &f64| {
                let from = ratings.iter().zip(&weights);
                from.map(|(other, weight)| weight * bell(rating - other, CHANGE)).sum::<f64>()
            };
            let wide: Vec<f64> = ratings.iter().map(widened).collect();
            let seen = ratings.iter().zip(wide);
            weights = seen.map(|(&rating, weight)| weight * likelihood(rating, game)).collect();
        }
        let total: f64 = weights.iter().sum();
        let mean = ratings.iter().zip(&weights).map(|(r, w)| r * w).sum::<f64>() / total;
        let squares = ratings.iter().zip(&weights).map(|(r, w)| (r - mean).powi(2) * w);
        Estimate { mean, deviation: (squares.sum::<f64>() / total).sqrt() }
    }

    #[test]
    fn the_estimate_is_that_of_the_slow_calculation() {
        let even: Vec<RatedGame> =
            (0..12).map(|i| game(3, if i % 2 == 0 { 2 } else { 0 })).collect();
        let climbing: Vec<RatedGame> =
            (0..12).map(|i| game(i / 3 + 1, if i % 3 == 0 { 0 } else { 2 })).collect();
        let draws = [game(5, 1), game(5, 1), game(2, 2)];
        let losses = [game(3, 0), game(2, 0), game(1, 0), game(1, 0)];
        let wins = [game(10, 2), game(10, 2), game(9, 2)];
        for games in [&even[..], &climbing, &draws, &losses, &wins, &even[..1]] {
            let (fast, slow) = (history(games).pop().unwrap(), slow_estimate(games));
            assert!((fast.mean - slow.mean).abs() < 1.0, "{fast:?} {slow:?}");
            assert!((fast.deviation - slow.deviation).abs() < 1.0, "{fast:?} {slow:?}");
        }
    }

    #[test]
    fn long_runs_of_one_result_leave_a_usable_estimate() {
        for half_points in [0, 2] {
            let level = if half_points == 0 { 1 } else { 10 };
            let games = vec![game(level, half_points); 1000];
            let last = history(&games).pop().unwrap();
            assert!(last.mean.is_finite() && last.deviation > 1.0, "{last:?}");
        }
    }

    #[test]
    fn wins_raise_the_rating_and_games_reduce_the_error() {
        let first = history(&[game(3, 2)])[0];
        assert!(first.mean > FIRST.mean && first.deviation < FIRST.deviation);
        let even: Vec<RatedGame> =
            (0..60).map(|i| game(4, if i % 2 == 0 { 2 } else { 0 })).collect();
        let last = history(&even).pop().unwrap();
        assert!((last.mean - 1015.0).abs() < 60.0, "{last:?}");
        assert!(last.error() < 220.0, "{last:?}");
    }

    #[test]
    fn games_are_read_from_lines_and_others_are_skipped() {
        let games = [game(3, 2), game(10, 0)];
        let mut text: String = games.iter().map(|game| game.to_line() + "\n").collect();
        text += "no game\n{\"date\":\"\",\"level\":11,\"half_points\":2}\n\
                 {\"date\":\"\",\"level\":0,\"half_points\":2}\n\
                 {\"date\":\"\",\"level\":1,\"half_points\":9}\n{\"date\":\"";
        assert_eq!(RatedGame::read(&text), games);
    }
}
