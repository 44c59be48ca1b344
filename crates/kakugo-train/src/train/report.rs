//! Prediction quality on held-out games, for positions after the last random move.
//!
//! Short games are overrepresented, because they have fewer random moves. So losses are only
//! comparable between predictors of the same positions.
//!
//! Every predictor is used at its best logistic scale. The network starts from the classical
//! evaluation, and the score of the search is the upper bound. The report shows the part of the gap
//! between them that the network closes. The [linear baseline](super::linear_baseline) shows the
//! gain that is due to the training games alone.

use std::fmt;

use rayon::prelude::*;

use super::linear_baseline::LinearBaseline;
use super::samples::{Cell, Sample, Samples};

/// Groups of positions: minimum and maximum number of stones.
const STAGES: [(u16, u16); 5] = [(0, 11), (12, 17), (18, 27), (28, 43), (44, u16::MAX)];

/// Number of predictors.
const PREDICTORS: usize = 4;

/// The predictions for a held-out position.
pub(super) struct Prediction {
    ply: u16,
    is_decided: bool,
    result: f32,
    /// Logits of network, classical evaluation, linear baseline and search, in nats.
    logits: [f32; PREDICTORS],
}

/// Returns the predictions for all samples that were played out. `net` returns the logit of the
/// network, in nats.
pub(super) fn predict(
    samples: &[Samples],
    baseline: &LinearBaseline,
    net: impl Fn(&Sample, &[Cell]) -> f32 + Sync,
) -> Vec<Prediction> {
    let prediction = |(sample, cells): (&Sample, &[Cell])| Prediction {
        ply: sample.ply,
        is_decided: sample.is_decided,
        result: sample.result,
        logits: [net(sample, cells), sample.classical, baseline.value(sample, cells), sample.score],
    };
    let of_some = |samples: &Samples| {
        let played_out = samples.iter().filter(|(sample, _)| sample.is_played_out);
        played_out.map(&prediction).collect::<Vec<_>>()
    };
    samples.par_iter().flat_map_iter(of_some).collect()
}

/// A predictor's best scale, and its cross-entropy at that scale in nats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) scale: f64,
    pub(super) loss: f64,
}

/// Returns the best scale for pairs of logit and result.
fn fit(pairs: &[(f32, f32)]) -> Fit {
    let loss = |scale: f64| {
        let sum: f64 = pairs
            .par_chunks(4096)
            .map(|pairs| pairs.iter().map(|&(l, r)| cross_entropy(scale * f64::from(l), r)).sum())
            .collect::<Vec<f64>>()
            .iter()
            .sum();
        sum / pairs.len().max(1) as f64
    };
    // Golden-section search: the loss is convex in the scale.
    let (mut low, mut high) = (0.02, 4.0);
    for _ in 0..24 {
        let (a, b) = (low + (high - low) * 0.382, low + (high - low) * 0.618);
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    let scale = (low + high) / 2.0;
    Fit { scale, loss: loss(scale) }
}

fn cross_entropy(logit: f64, result: f32) -> f64 {
    logit.max(0.0) + (-logit.abs()).exp().ln_1p() - f64::from(result) * logit
}

/// The quality of all predictors on a group of positions.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) positions: usize,
    /// Network, classical evaluation, linear baseline and search.
    pub(super) fits: [Fit; PREDICTORS],
}

impl Line {
    fn new(name: String, predictions: &[&Prediction]) -> Line {
        let pairs =
            |i: usize| predictions.iter().map(|p| (p.logits[i], p.result)).collect::<Vec<_>>();
        Line { name, positions: predictions.len(), fits: [0, 1, 2, 3].map(|i| fit(&pairs(i))) }
    }

    /// Returns the part of the gap between classical evaluation and search that the network closes.
    pub(super) fn gap(&self) -> f64 {
        let [net, classical, _, search] = self.fits.map(|fit| fit.loss);
        (classical - net) / (classical - search)
    }
}

/// A report on held-out positions.
pub(super) struct Report {
    /// All positions, then unsolved positions, then unsolved positions by stage.
    lines: Vec<Line>,
}

impl Report {
    /// Returns the report on these predictions.
    pub(super) fn of(predictions: &[Prediction]) -> Report {
        let unsolved: Vec<&Prediction> = predictions.iter().filter(|p| !p.is_decided).collect();
        let mut lines = vec![
            Line::new("all".to_owned(), &predictions.iter().collect::<Vec<_>>()),
            Line::new("unsolved".to_owned(), &unsolved),
        ];
        for (first, last) in STAGES {
            let inside = |p: &&&Prediction| (first..=last).contains(&p.ply);
            let stage: Vec<&Prediction> = unsolved.iter().filter(inside).copied().collect();
            let name = match last {
                u16::MAX => format!("  from {first} stones"),
                _ => format!("  {first} to {last} stones"),
            };
            if !stage.is_empty() {
                lines.push(Line::new(name, &stage));
            }
        }
        Report { lines }
    }

    /// Returns the line of positions that the search has not solved.
    pub(super) fn unsolved(&self) -> &Line {
        &self.lines[1]
    }
}

/// Formats a table of cross-entropies in nats, with the best scales.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["network", "classical", "linear", "search", "gap"];
        let [net, classical, linear, search, gap] = names;
        writeln!(
            f,
            "{:28} {net:>9} {classical:>9} {linear:>9} {search:>9} {gap:>7}   scales",
            "positions"
        )?;
        for line in &self.lines {
            write!(f, "{:18} {:9}", line.name, line.positions)?;
            line.fits.iter().try_for_each(|fit| write!(f, " {:9.5}", fit.loss))?;
            write!(f, " {:5.1} %  ", 100.0 * line.gap())?;
            line.fits.iter().try_for_each(|fit| write!(f, " {:.2}", fit.scale))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::games::ScoredGame;
    use crate::train::random;
    use crate::train::samples::Selection;
    use kakugo::board::{Rule, Variant};

    fn prediction(ply: u16, result: f32, logits: [f32; PREDICTORS]) -> Prediction {
        Prediction { ply, is_decided: false, result, logits }
    }

    #[test]
    fn only_positions_after_the_last_random_move_count() {
        let mut games = random::games(Variant::FREESTYLE, 40, 9).train;
        games[5].random_moves = Box::new([2]);
        let games: Vec<&ScoredGame> = games.iter().collect();
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let samples = Samples::of(&games, &selection);
        let all = || samples.iter().flat_map(Samples::iter);
        let played_out = all().filter(|(sample, _)| sample.is_played_out).count();
        let predictions = predict(&samples, &LinearBaseline::new(), |_, _| 0.0);
        assert_eq!(predictions.len(), played_out);
        assert!(predictions.len() < all().count());
        assert!(predictions.iter().all(|p| [0.0, 0.5, 1.0].contains(&p.result)));
    }

    #[test]
    fn the_best_scale_is_found() {
        // Nine wins in ten at one nat: the best scale is the logarithm of nine.
        let pairs: Vec<(f32, f32)> = (0..10).map(|i| (1.0, f32::from(i8::from(i > 0)))).collect();
        let Fit { scale, loss } = fit(&pairs);
        assert!((scale - 9_f64.ln()).abs() < 1e-3, "{scale}");
        assert!((loss - 0.3251).abs() < 1e-3, "{loss}");
    }

    #[test]
    fn the_gap_measures_the_networks_share_of_the_searchs_knowledge() {
        let games: Vec<Prediction> = (0..400_u16)
            .map(|i| {
                let won = i % 2 == 0;
                let sure = if won { 2.0 } else { -2.0 };
                let flawed = if i % 10 < 3 { -sure } else { sure };
                let result = f32::from((i % 20 < 19) == won);
                prediction(
                    i % 60,
                    result,
                    [if i < 200 { sure } else { flawed }, flawed, flawed, sure],
                )
            })
            .collect();
        let report = Report::of(&games);
        let gap = report.unsolved().gap();
        assert!((0.2..0.8).contains(&gap), "{gap}");
        let text = report.to_string();
        assert_eq!(text.lines().count(), 8, "{text}");
        assert!(text.contains("from 44 stones"), "{text}");
    }
}
