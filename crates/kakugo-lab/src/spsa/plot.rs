//! A chart (SVG) of each tunable's value over the run. All charts share the same axes, so that
//! tunables that moved stand out.

use std::error::Error;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::log::LogContents;
use super::report::replay;

/// Size of a chart, in pixels.
const SIZE: (u32, u32) = (230, 130);
/// Number of charts in a row.
const COLUMNS: usize = 5;
/// Maximum number of points of a path.
const MAX_POINTS: usize = 200;
/// Minimum range of the vertical axis in both directions, in steps.
const MIN_STEPS: f64 = 0.5;

type Path = Vec<(f64, f64)>;

/// Returns the charts of a run.
///
/// # Errors
/// Returns an error if drawing fails.
pub(super) fn svg(contents: &LogContents) -> anyhow::Result<String> {
    draw(contents).map_err(|error| anyhow::anyhow!("drawing: {error}"))
}

fn draw(contents: &LogContents) -> Result<String, Box<dyn Error>> {
    let paths = paths(contents);
    let farthest = paths.iter().flatten().map(|(_, steps)| steps.abs()).fold(MIN_STEPS, f64::max);
    let (pairs, steps) = (contents.pairs.len() as f64, 1.05 * farthest);
    let axes = (0.0..pairs.max(1.0), -steps..steps);
    let rows = paths.len().div_ceil(COLUMNS);
    let mut svg = String::new();
    {
        let size = (SIZE.0 * COLUMNS as u32, SIZE.1 * rows as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let dimensions = &contents.settings.dimensions;
        for (area, (dimension, path)) in
            root.split_evenly((rows, COLUMNS)).iter().zip(dimensions.iter().zip(&paths))
        {
            let steps = path.last().map_or(0.0, |&(_, steps)| steps);
            let now = f64::from(dimension.start) + steps * f64::from(dimension.step);
            let title = format!("{} {} → {now:.1}", dimension.name, dimension.start);
            chart(area, &title, path, axes.clone()).map_err(|error| error.to_string())?;
        }
        root.present()?;
    }
    Ok(svg)
}

fn chart<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    path: &Path,
    (pairs, steps): (Range<f64>, Range<f64>),
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .caption(title, ("sans-serif", 11))
        .x_label_area_size(16)
        .y_label_area_size(28)
        .build_cartesian_2d(pairs.clone(), steps)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(3)
        .y_labels(3)
        .label_style(("sans-serif", 9))
        .x_label_formatter(&|pairs| format!("{pairs:.0}"))
        .draw()?;
    let zero_line = [(pairs.start, 0.0), (pairs.end, 0.0)];
    chart.draw_series(LineSeries::new(zero_line, BLACK.mix(0.4)))?;
    chart.draw_series(LineSeries::new(path.iter().copied(), BLUE.stroke_width(1)))?;
    Ok(())
}

/// Returns the path of each tunable: numbers of pairs with its distance from the start, in steps.
fn paths(contents: &LogContents) -> Vec<Path> {
    let pairs = contents.pairs.len();
    let every = pairs.div_ceil(MAX_POINTS).max(1);
    let mut paths = vec![vec![(0.0, 0.0)]; contents.settings.dimensions.len()];
    replay(&contents.settings, &contents.pairs, |climb| {
        let done = climb.done();
        if (done as usize).is_multiple_of(every) || done as usize == pairs {
            let moved = climb.moved().into_iter();
            let add = |(path, steps): (&mut Path, f64)| path.push((f64::from(done), steps));
            paths.iter_mut().zip(moved).for_each(add);
        }
    });
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::tests::settings;
    use crate::spsa::log::Pair;

    #[test]
    fn every_tunable_has_a_chart() {
        let settings = settings(1000, 0.05, &[0, 10, 20, 30, 40, 50, 60]);
        let pair = |number| Pair { number, signs: vec![number % 3 > 0; 7], result: 1 };
        let pairs: Vec<Pair> = (0..950).map(pair).collect();
        let contents = LogContents { settings, pairs, length: 0 };
        let paths = paths(&contents);
        assert_eq!((paths.len(), paths[0].len()), (7, 191));
        assert_eq!(paths[6].last().map(|last| last.0), Some(950.0));
        let svg = svg(&contents).unwrap();
        let now = replay(&contents.settings, &contents.pairs, |_| {}).values()[6];
        assert!(svg.contains(&format!("at_60 60 → {now:.1}")), "{}", &svg[..2000]);
        assert!(svg.contains(r#"width="1150" height="260""#));
        let empty = LogContents { pairs: Vec::new(), ..contents };
        assert!(super::svg(&empty).unwrap().contains("at_0 0 → 0.0"));
    }
}
