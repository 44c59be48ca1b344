//! Ratings of several players from the games between them.
//!
//! The model is Bradley-Terry: `i` scores `g_i / (g_i + g_j)` against `j` (R. A. Bradley and
//! M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952). A draw counts as half a win.
//!
//! The maximum-likelihood strengths are found by minorisation-maximisation: D. R. Hunter, "MM
//! algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), equation 3.
//! Ratings are `400 log10 g` with mean 0. Errors come from the inverse of the Fisher information.
//! They assume independent games and draws as half wins, and are conservative with many draws.

use super::stats::{Z95, score_of_elo};

/// Maximum change of a log strength at which the iteration stops.
const PRECISION: f64 = 1e-11;
/// Drawn games added between opponents if the maximum-likelihood strengths are infinite.
const PRIOR_GAMES: f64 = 1.0;

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo relative to the mean of all players.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// The ratings of all players.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Ratings by player.
    pub ratings: Vec<Rating>,
    /// True if a drawn game was added between opponents because a player won or lost every game.
    pub with_prior: bool,
}

/// Rates players. `points[i][j]` are the points of `i` against `j`.
///
/// Returns `None` if a player has no games or if there are groups without games between them.
pub fn rate(points: &[Vec<f64>]) -> Option<Ratings> {
    let count = points.len();
    let mut points = points.to_vec();
    let met = |points: &[Vec<f64>], i: usize, j: usize| points[i][j] + points[j][i] > 0.0;
    if count < 2 || !reaches_all(count, |i, j| met(&points, i, j)) {
        return None;
    }
    // The likelihood has a finite maximum only if wins connect every player to every other player
    // in both directions (Hunter's assumption 1).
    let with_prior = !(reaches_all(count, |i, j| points[i][j] > 0.0)
        && reaches_all(count, |i, j| points[j][i] > 0.0));
    if with_prior {
        for i in 0..count {
            for j in 0..i {
                if met(&points, i, j) {
                    points[i][j] += PRIOR_GAMES / 2.0;
                    points[j][i] += PRIOR_GAMES / 2.0;
                }
            }
        }
    }
    let elo = maximum_likelihood(&points);
    let errors = errors(&points, &elo);
    let ratings = elo.iter().zip(errors).map(|(&elo, error)| Rating { elo, error }).collect();
    Some(Ratings { ratings, with_prior })
}

/// Returns true if every player can be reached from player 0 along `edge`.
fn reaches_all(count: usize, edge: impl Fn(usize, usize) -> bool) -> bool {
    let mut reached = vec![false; count];
    let mut open = vec![0];
    while let Some(i) = open.pop() {
        if !std::mem::replace(&mut reached[i], true) {
            open.extend((0..count).filter(|&j| edge(i, j)));
        }
    }
    reached.into_iter().all(|r| r)
}

/// Returns the maximum-likelihood ratings.
fn maximum_likelihood(points: &[Vec<f64>]) -> Vec<f64> {
    let count = points.len();
    let mut strength = vec![1.0; count];
    for _ in 0..100_000 {
        let mut change: f64 = 0.0;
        for i in 0..count {
            let won: f64 = points[i].iter().sum();
            let expected: f64 = (0..count)
                .filter(|&j| j != i)
                .map(|j| (points[i][j] + points[j][i]) / (strength[i] + strength[j]))
                .sum();
            let next: f64 = won / expected;
            change = change.max((next / strength[i]).ln().abs());
            strength[i] = next;
        }
        let mean = strength.iter().map(|g| g.ln()).sum::<f64>() / count as f64;
        strength.iter_mut().for_each(|g| *g /= mean.exp());
        if change < PRECISION {
            break;
        }
    }
    strength.iter().map(|g| 400.0 * g.log10()).collect()
}

/// Returns half the widths of the 95 % intervals.
///
/// The information matrix is singular because only rating differences matter. A constant added to
/// all entries fixes the mean. Its contribution to the inverse is subtracted afterwards.
fn errors(points: &[Vec<f64>], elo: &[f64]) -> Vec<f64> {
    let count = points.len();
    let per_elo = std::f64::consts::LN_10 / 400.0;
    let mut information = vec![vec![0.0; count]; count];
    for i in 0..count {
        for j in (0..count).filter(|&j| j != i) {
            let p = score_of_elo(elo[i] - elo[j]);
            let weight = (points[i][j] + points[j][i]) * p * (1.0 - p) * per_elo * per_elo;
            information[i][i] += weight;
            information[i][j] -= weight;
        }
    }
    let anchor = information.iter().enumerate().map(|(i, row)| row[i]).sum::<f64>() / count as f64;
    information.iter_mut().flatten().for_each(|entry| *entry += anchor);
    let covariance = inverse(information);
    let of_anchor = 1.0 / (anchor * (count * count) as f64);
    (0..count).map(|i| Z95 * (covariance[i][i] - of_anchor).max(0.0).sqrt()).collect()
}

/// Returns the inverse of a positive definite matrix (Gauss-Jordan elimination).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    let unit = |i| (0..count).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    let mut inverse: Vec<Vec<f64>> = (0..count).map(unit).collect();
    for column in 0..count {
        let pivot = matrix[column][column];
        matrix[column].iter_mut().for_each(|entry| *entry /= pivot);
        inverse[column].iter_mut().for_each(|entry| *entry /= pivot);
        for row in (0..count).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for k in 0..count {
                matrix[row][k] -= factor * matrix[column][k];
                inverse[row][k] -= factor * inverse[column][k];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Wikipedia, "Bradley–Terry model", worked example: strengths 0.640, 1.043, 0.660, 2.270.
    #[test]
    fn a_published_example_is_reproduced() {
        let wins = [[0, 2, 0, 1], [3, 0, 5, 0], [0, 3, 0, 1], [4, 0, 3, 0]];
        let points: Vec<Vec<f64>> = wins.map(|row| row.map(f64::from).to_vec()).to_vec();
        let rated = rate(&points).unwrap();
        assert!(!rated.with_prior);
        for (rating, strength) in rated.ratings.iter().zip([0.640, 1.043, 0.660, 2.270]) {
            close(10f64.powf(rating.elo / 400.0), strength, 0.001);
        }
    }

    /// With two players, the difference is the Elo of the score and the error is binomial.
    #[test]
    fn two_players_agree_with_the_elo_formula() {
        let rated = rate(&[vec![0.0, 75.0], vec![25.0, 0.0]]).unwrap();
        let [a, b] = rated.ratings[..] else { panic!() };
        close(a.elo - b.elo, 190.848_5, 1e-3);
        close(a.elo + b.elo, 0.0, 1e-6);
        let sigma = 400.0 / std::f64::consts::LN_10 / (100.0f64 * 0.75 * 0.25).sqrt();
        // Each rating is half the difference from the mean.
        close(a.error, Z95 * sigma / 2.0, 1e-6);
        close(b.error, a.error, 1e-9);
    }

    #[test]
    fn a_perfect_score_gets_a_finite_rating_with_a_prior() {
        let rated = rate(&[vec![0.0, 10.0, 5.0], vec![0.0, 0.0, 5.0], vec![5.0, 5.0, 0.0]]);
        assert!(!rated.unwrap().with_prior, "A lost to C, and C to B: all strengths are finite");
        let rated = rate(&[vec![0.0, 10.0], vec![0.0, 0.0]]).unwrap();
        assert!(rated.with_prior && rated.ratings[0].elo.is_finite());
        assert!(rated.ratings[0].elo > rated.ratings[1].elo + 300.0);
    }

    #[test]
    fn players_without_common_opponents_are_not_rated() {
        assert_eq!(rate(&[vec![0.0, 0.0], vec![0.0, 0.0]]), None);
        let mut points = vec![vec![0.0; 4]; 4];
        (points[0][1], points[1][0], points[2][3], points[3][2]) = (1.0, 1.0, 1.0, 1.0);
        assert_eq!(rate(&points), None);
    }

    /// Simulated games with known ratings: about 95 % of the ratings lie within their error bars.
    #[test]
    fn true_ratings_lie_within_the_error_bars() {
        use rand::{Rng, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2004);
        let truth = [120.0, 30.0, 0.0, -50.0, -100.0];
        let (mut covered, mut all) = (0, 0);
        for _ in 0..200 {
            let mut points = vec![vec![0.0; 5]; 5];
            for i in 0..5 {
                for j in 0..i {
                    for _ in 0..60 {
                        let won = rng.random_bool(score_of_elo(truth[i] - truth[j]));
                        points[if won { i } else { j }][if won { j } else { i }] += 1.0;
                    }
                }
            }
            for (rating, truth) in rate(&points).unwrap().ratings.iter().zip(truth) {
                all += 1;
                covered += u32::from((rating.elo - truth).abs() <= rating.error);
            }
        }
        let share = f64::from(covered) / f64::from(all);
        assert!((0.93..0.97).contains(&share), "{share}");
    }
}
