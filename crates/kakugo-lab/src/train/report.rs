//! How well the network predicts the results of games it has not seen, from positions after the last stray.
//! More of them are of short games, which leave less time for strays: losses compare what predicts the
//! same positions, and nothing else.
//!
//! Everything that predicts is taken at its best logistic scale, so that only what it knows counts
//! and not its unit. The classical value is where the network begins, the score of the search is what
//! it could know at best: the gap between both is what there is to win. The classical value fitted to
//! the same games ([`super::refit`]) shows how much of it the games alone bring.

use std::fmt;

use rayon::prelude::*;

use super::refit::Refit;
use super::samples::{Cell, Sample, Samples};

/// Stones on the board, from and to, by which positions are grouped.
const STAGES: [(u16, u16); 5] = [(0, 11), (12, 17), (18, 27), (28, 43), (44, u16::MAX)];

/// Number of things that predict.
const PREDICTORS: usize = 4;

/// A held-out position.
pub(super) struct Judged {
    ply: u16,
    is_decided: bool,
    result: f32,
    /// What the network, the classical value, the same refitted, and the search say, in nats.
    said: [f32; PREDICTORS],
}

/// Ask about the samples that were played out; `net` is what the network says, in nats.
pub(super) fn judge(
    samples: &[Samples],
    refit: &Refit,
    net: impl Fn(&Sample, &[Cell]) -> f32 + Sync,
) -> Vec<Judged> {
    let judged = |(sample, cells): (&Sample, &[Cell])| Judged {
        ply: sample.ply,
        is_decided: sample.is_decided,
        result: sample.result,
        said: [net(sample, cells), sample.classical, refit.value(sample, cells), sample.score],
    };
    let of_some = |samples: &Samples| {
        samples.iter().filter(|(sample, _)| sample.is_played_out).map(&judged).collect::<Vec<_>>()
    };
    samples.par_iter().flat_map_iter(of_some).collect()
}

/// A predictor's best scale and its cross-entropy at it, in nats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) scale: f64,
    pub(super) loss: f64,
}

/// The scale at which predictions (nats, result) fit best.
fn fit(said: &[(f32, f32)]) -> Fit {
    let loss = |scale: f64| {
        let sum: f64 = said
            .par_chunks(4096)
            .map(|said| said.iter().map(|&(l, r)| cross_entropy(scale * f64::from(l), r)).sum())
            .collect::<Vec<f64>>()
            .iter()
            .sum();
        sum / said.len().max(1) as f64
    };
    // The loss is convex in the scale.
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

/// How well everything predicts some positions.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) positions: usize,
    /// Of the network, the classical value, the same refitted, and the search.
    pub(super) fits: [Fit; PREDICTORS],
}

impl Line {
    fn new(name: String, judged: &[&Judged]) -> Line {
        let said = |i: usize| judged.iter().map(|j| (j.said[i], j.result)).collect::<Vec<_>>();
        Line { name, positions: judged.len(), fits: [0, 1, 2, 3].map(|i| fit(&said(i))) }
    }

    /// The part of the gap between classical value and search that the network closes.
    pub(super) fn gap(&self) -> f64 {
        let [net, classical, _, search] = self.fits.map(|fit| fit.loss);
        (classical - net) / (classical - search)
    }
}

/// The lines of a report.
pub(super) struct Report {
    /// All positions; those that the search has not solved; these by stage.
    lines: Vec<Line>,
}

impl Report {
    /// The report on held-out positions.
    pub(super) fn of(judged: &[Judged]) -> Report {
        let unsolved: Vec<&Judged> = judged.iter().filter(|j| !j.is_decided).collect();
        let mut lines = vec![
            Line::new("all".to_owned(), &judged.iter().collect::<Vec<_>>()),
            Line::new("unsolved".to_owned(), &unsolved),
        ];
        for (first, last) in STAGES {
            let inside = |j: &&&Judged| (first..=last).contains(&j.ply);
            let stage: Vec<&Judged> = unsolved.iter().filter(inside).copied().collect();
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

    /// Of the positions that the search has not solved.
    pub(super) fn unsolved(&self) -> &Line {
        &self.lines[1]
    }
}

/// A table, with the cross-entropy of results in nats, and the best scales.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ["network", "classical", "refitted", "search", "gap"];
        let [net, classical, refitted, search, gap] = names;
        writeln!(
            f,
            "{:28} {net:>9} {classical:>9} {refitted:>9} {search:>9} {gap:>7}   scales",
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

    fn judged(ply: u16, result: f32, said: [f32; PREDICTORS]) -> Judged {
        Judged { ply, is_decided: false, result, said }
    }

    #[test]
    fn only_what_was_played_out_is_judged() {
        let mut games = random::games(Variant::FREESTYLE, 40, 9).train;
        games[5].strays = Box::new([2]);
        let games: Vec<&ScoredGame> = games.iter().collect();
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let samples = Samples::of(&games, &selection);
        let all = || samples.iter().flat_map(Samples::iter);
        let played_out = all().filter(|(sample, _)| sample.is_played_out).count();
        let judged = judge(&samples, &Refit::begin(), |_, _| 0.0);
        assert_eq!(judged.len(), played_out);
        assert!(judged.len() < all().count());
        assert!(judged.iter().all(|j| [0.0, 0.5, 1.0].contains(&j.result)));
    }

    #[test]
    fn the_best_scale_is_found() {
        // Nine of ten at one nat: what fits is their logarithm.
        let said: Vec<(f32, f32)> = (0..10).map(|i| (1.0, f32::from(i8::from(i > 0)))).collect();
        let Fit { scale, loss } = fit(&said);
        assert!((scale - 9_f64.ln()).abs() < 1e-3, "{scale}");
        assert!((loss - 0.3251).abs() < 1e-3, "{loss}");
    }

    #[test]
    fn the_gap_is_closed_as_far_as_the_network_knows_what_the_search_knows() {
        let games: Vec<Judged> = (0..400_u16)
            .map(|i| {
                let won = i % 2 == 0;
                let sure = if won { 2.0 } else { -2.0 };
                let flawed = if i % 10 < 3 { -sure } else { sure };
                let result = f32::from((i % 20 < 19) == won);
                judged(i % 60, result, [if i < 200 { sure } else { flawed }, flawed, flawed, sure])
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
