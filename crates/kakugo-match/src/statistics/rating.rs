//! Ratings of several players from the games between them.
//!
//! The model is Bradley and Terry's: `i` scores `g_i / (g_i + g_j)` against `j` (R. A. Bradley and
//! M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952), with a draw as half a win. The
//! likeliest strengths are found by minorisation-maximisation: D. R. Hunter, "MM algorithms for
//! generalized Bradley-Terry models", Annals of Statistics 32 (2004), equation 3. Ratings are
//! `400 log10 g`, their mean is 0. Errors come from the inverse of the Fisher information; they take
//! games for independent and draws for half wins, so with many draws they are on the safe side.

use super::stats::{Z95, score_of_elo};

/// Largest change of a strength's logarithm at which the iteration stops.
const PRECISION: f64 = 1e-11;
/// Games of a drawn match added between opponents where the likeliest strengths are infinite.
const PRIOR_GAMES: f64 = 1.0;

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo, relative to the mean of all players.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// Ratings of all players.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By player.
    pub ratings: Vec<Rating>,
    /// Whether a drawn game was added between opponents, because a player won or lost everything.
    pub with_prior: bool,
}

/// Rate players by `points[i][j]`, what `i` won against `j`. `None` if a player has not played, or
/// two groups have not met.
pub fn rate(points: &[Vec<f64>]) -> Option<Ratings> {
    let count = points.len();
    let mut points = points.to_vec();
    let met = |points: &[Vec<f64>], i: usize, j: usize| points[i][j] + points[j][i] > 0.0;
    if count < 2 || !reaches_all(count, |i, j| met(&points, i, j)) {
        return None;
    }
    // The likelihood has a finite maximum if and only if no player is beyond comparison: one that is
    // reached by wins is all (Hunter's assumption 1).
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
    let elo = likeliest(&points);
    let errors = errors(&points, &elo);
    let ratings = elo.iter().zip(errors).map(|(&elo, error)| Rating { elo, error }).collect();
    Some(Ratings { ratings, with_prior })
}

/// Whether every player is reached from player 0 along `edge`.
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

/// The likeliest ratings.
fn likeliest(points: &[Vec<f64>]) -> Vec<f64> {
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

/// Half widths of the 95 % intervals.
///
/// The information matrix is singular, since only differences of ratings matter. Adding a constant
/// to all its entries fixes the mean; what that adds to the inverse is taken off again.
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

/// Inverse of a positive definite matrix (Gauss-Jordan).
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

    /// Two players: the difference is the Elo of the score, its error the binomial one.
    #[test]
    fn two_players_are_the_elo_formula() {
        let rated = rate(&[vec![0.0, 75.0], vec![25.0, 0.0]]).unwrap();
        let [a, b] = rated.ratings[..] else { panic!() };
        close(a.elo - b.elo, 190.848_5, 1e-3);
        close(a.elo + b.elo, 0.0, 1e-6);
        let sigma = 400.0 / std::f64::consts::LN_10 / (100.0f64 * 0.75 * 0.25).sqrt();
        // Each is half the difference from their mean.
        close(a.error, Z95 * sigma / 2.0, 1e-6);
        close(b.error, a.error, 1e-9);
    }

    #[test]
    fn a_clean_score_gets_a_finite_rating_and_says_so() {
        let rated = rate(&[vec![0.0, 10.0, 5.0], vec![0.0, 0.0, 5.0], vec![5.0, 5.0, 0.0]]);
        assert!(!rated.unwrap().with_prior, "A lost to C, C to B: no player is beyond comparison");
        let rated = rate(&[vec![0.0, 10.0], vec![0.0, 0.0]]).unwrap();
        assert!(rated.with_prior && rated.ratings[0].elo.is_finite());
        assert!(rated.ratings[0].elo > rated.ratings[1].elo + 300.0);
    }

    #[test]
    fn strangers_cannot_be_compared() {
        assert_eq!(rate(&[vec![0.0, 0.0], vec![0.0, 0.0]]), None);
        let mut points = vec![vec![0.0; 4]; 4];
        (points[0][1], points[1][0], points[2][3], points[3][2]) = (1.0, 1.0, 1.0, 1.0);
        assert_eq!(rate(&points), None);
    }

    /// Ratings drawn, games simulated: nearly all true ratings lie within their error bars.
    #[test]
    fn errors_cover_the_truth() {
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
