//! The charts of the report as SVG: Elo and LLR by pairs, time and depth by move.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::tally::MatchTally;
use crate::journal::Journal;

/// Size of a chart, in pixels.
const SIZE: (u32, u32) = (600, 250);
/// Maximum number of points per curve. More would not be visible.
const MAX_POINTS: usize = 400;
/// Minimum number of games for a mean by move number.
const MIN_GAMES: usize = 3;
/// Elo at which a curve is clipped.
const MAX_ELO: f64 = 800.0;

/// Colours of the engines, as in the legend of the page.
pub const COLOURS: [&str; 6] = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b"];

fn colour(index: usize) -> RGBColor {
    let hex = COLOURS[index % COLOURS.len()];
    let channel = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or(0);
    RGBColor(channel(1), channel(3), channel(5))
}

/// A curve: colour index and points.
type Curve = (usize, Vec<(f64, f64)>);

/// A chart: title and SVG text.
pub type Chart = (String, String);

/// Returns all charts that the match has data for.
pub fn all(journal: &Journal, tally: &MatchTally) -> Vec<Chart> {
    let mut charts = Vec::new();
    if tally.history.len() > 1 {
        charts.extend(elo(tally).map(|svg| ("Elo (95 %) by pairs".to_owned(), svg)));
    }
    if let Some(sprt) = journal.settings.sprt
        && tally.history.len() > 1
    {
        let (low, high) = sprt.bounds();
        let points = tally.history.iter().enumerate().map(|(i, step)| (i as f64 + 1.0, step.llr));
        let curve = vec![(0, thin(points.collect()))];
        charts.extend(draw(&curve, None, &[low, high]).map(|svg| ("LLR by pairs".to_owned(), svg)));
    }
    let time = by_move(journal, |played| played.ms.map(|ms| ms / 1000.0));
    charts.extend(draw(&time, None, &[]).map(|svg| ("Mean time per move, s".to_owned(), svg)));
    let depth = by_move(journal, |played| played.depth.map(f64::from));
    charts
        .extend(draw(&depth, None, &[]).map(|svg| ("Mean depth per move, plies".to_owned(), svg)));
    charts
}

fn elo(tally: &MatchTally) -> Option<String> {
    let clamp = |elo: f64| elo.clamp(-MAX_ELO, MAX_ELO);
    let estimates: Vec<(f64, crate::statistics::Estimate)> = tally
        .history
        .iter()
        .enumerate()
        .filter_map(|(i, step)| Some((i as f64 + 1.0, step.pairs.sample().elo()?)))
        .collect();
    let estimates = thin(estimates);
    let points = estimates.iter().map(|(x, e)| (*x, clamp(e.value))).collect();
    let upper = estimates.iter().map(|(x, e)| (*x, clamp(e.high)));
    let lower = estimates.iter().rev().map(|(x, e)| (*x, clamp(e.low)));
    let band = upper.chain(lower).collect();
    draw(&[(0, points)], Some(band), &[0.0])
}

/// Returns for each engine the mean of a measure by move number.
fn by_move(
    journal: &Journal,
    measure: impl Fn(&crate::journal::PlayedMove) -> Option<f64>,
) -> Vec<Curve> {
    let mut sums: BTreeMap<(usize, usize), (f64, usize)> = BTreeMap::new();
    let engines = &journal.settings.engines;
    for game in journal.games.values() {
        let index = |name: &str| engines.iter().position(|engine| engine.name == name);
        let moves = game.moves.iter().zip(game.movers()).enumerate();
        for (ply, (played, mover)) in moves.skip(game.opening) {
            if let (Some(engine), Some(value)) = (index(mover), measure(played)) {
                let sum = sums.entry((engine, ply)).or_default();
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    let curve = |engine: usize| {
        let points = sums.range((engine, 0)..(engine + 1, 0));
        let points = points.filter(|(_, (_, count))| *count >= MIN_GAMES);
        points.map(|((_, ply), (sum, n))| (*ply as f64 + 1.0, sum / *n as f64)).collect()
    };
    (0..engines.len()).map(|engine| (engine, curve(engine))).collect()
}

/// Thins out a curve to about [`MAX_POINTS`] points.
fn thin<T>(points: Vec<T>) -> Vec<T> {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let keep = |i: usize| i.is_multiple_of(step) || i == last;
    points.into_iter().enumerate().filter(|&(i, _)| keep(i)).map(|(_, point)| point).collect()
}

/// Draws curves, a shaded band and horizontal lines. Returns `None` if there is nothing to draw.
fn draw(curves: &[Curve], band: Option<Vec<(f64, f64)>>, levels: &[f64]) -> Option<String> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let room = ((high - low) * 0.05).max(1e-6);
        (low.is_finite() && high.is_finite()).then_some(low - room..high + room)
    };
    let xs = range(&mut points().map(|p| p.0))?;
    let ys = range(&mut points().map(|p| p.1).chain(levels.iter().copied()))?;
    let clipped = |&(x, y): &(f64, f64)| (x, y.clamp(ys.start - 1e6, ys.end + 1e6));
    let band: Vec<(f64, f64)> = band.iter().flatten().map(clipped).collect();
    let ys = match range(&mut band.iter().map(|p| p.1)) {
        // The interval is very wide after the first pairs and would compress the rest of the chart.
        Some(wide) => {
            let room = (ys.end - ys.start).max(20.0);
            wide.start.max(ys.start - room)..wide.end.min(ys.end + room)
        }
        None => ys,
    };
    render(curves, &band, levels, xs, ys).ok()
}

type DrawingResult = Result<String, Box<dyn std::error::Error>>;

fn render(
    curves: &[Curve],
    band: &[(f64, f64)],
    levels: &[f64],
    xs: std::ops::Range<f64>,
    ys: std::ops::Range<f64>,
) -> DrawingResult {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(52)
            .build_cartesian_2d(xs.clone(), ys.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .draw()?;
        let inside = |&(x, y): &(f64, f64)| (x, y.clamp(ys.start, ys.end));
        if !band.is_empty() {
            let area: Vec<(f64, f64)> = band.iter().map(inside).collect();
            chart.draw_series(std::iter::once(Polygon::new(area, colour(0).mix(0.15))))?;
        }
        for &level in levels {
            chart.draw_series(LineSeries::new(
                [(xs.start, level), (xs.end, level)],
                BLACK.mix(0.5),
            ))?;
        }
        for (index, points) in curves {
            let line = points.iter().map(inside);
            chart.draw_series(LineSeries::new(line, colour(*index).stroke_width(2)))?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::super::tally::SprtStep;
    use super::*;
    use crate::statistics::Pentanomial;

    #[test]
    fn long_matches_have_small_charts() {
        let history = |pairs: u32| -> Vec<SprtStep> {
            let step = |pair: u32| {
                let n = u64::from(pair) + 3;
                SprtStep { pair, pairs: Pentanomial([n, n, 2 * n, n, n]), llr: 0.0 }
            };
            (0..pairs).map(step).collect()
        };
        let svg = |pairs| {
            let tally = MatchTally { history: history(pairs), ..MatchTally::default() };
            elo(&tally).unwrap().len()
        };
        let (short, long) = (svg(400), svg(10_000));
        assert!(long < 2 * short, "{short} {long}");
    }
}
