//! Loss curves as CSV and SVG.

use std::fmt::Write;

use super::course::{Point, Progress};
use kakugo::eval::weights::SECTIONS;

/// Returns the curves of all sections as CSV. Losses are divergences in nats.
pub(super) fn csv(sections: &[&Progress]) -> String {
    let mut text = "side,samples,train,held_out\n".to_owned();
    for progress in sections {
        let (_, side) = SECTIONS[progress.section];
        for Point { samples, train, held_out } in &progress.curve {
            // Writing to a string cannot fail.
            _ = writeln!(text, "{side},{samples},{train:.6},{held_out:.6}");
        }
    }
    text
}

/// Returns the curves as SVG, with training losses in pale colours. Returns `None` without points.
#[cfg(feature = "plots")]
pub(super) fn svg(sections: &[&Progress]) -> Option<String> {
    let points = || sections.iter().flat_map(|progress| &progress.curve);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let room = ((high - low) * 0.05).max(1e-6);
        (low.is_finite() && high.is_finite()).then_some(low - room..high + room)
    };
    let xs = range(&mut points().map(|p| millions(p.samples)))?;
    let ys = range(&mut points().flat_map(|p| [p.train, p.held_out]))?;
    draw(sections, xs, ys).ok()
}

#[cfg(feature = "plots")]
fn millions(samples: u64) -> f64 {
    samples as f64 / 1e6
}

#[cfg(feature = "plots")]
fn draw(
    sections: &[&Progress],
    xs: std::ops::Range<f64>,
    ys: std::ops::Range<f64>,
) -> Result<String, Box<dyn std::error::Error>> {
    use plotters::prelude::*;
    /// Size of the picture, in pixels.
    const SIZE: (u32, u32) = (800, 400);
    const COLOURS: [RGBColor; 2] = [RGBColor(31, 119, 180), RGBColor(214, 39, 40)];
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let mut chart = ChartBuilder::on(&root)
            .margin(8)
            .x_label_area_size(40)
            .y_label_area_size(64)
            .build_cartesian_2d(xs, ys)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("samples, millions")
            .y_desc("loss, nats: held out, and in training (pale)")
            .draw()?;
        for (progress, colour) in sections.iter().zip(COLOURS) {
            let curve = |of: fn(&Point) -> f64| {
                progress.curve.iter().map(move |p| (millions(p.samples), of(p)))
            };
            chart.draw_series(LineSeries::new(curve(|p| p.train), colour.mix(0.3)))?;
            let held_out = curve(|p| p.held_out);
            chart.draw_series(LineSeries::new(held_out, colour.stroke_width(2)))?;
        }
        root.present()?;
    }
    Ok(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        let point = |samples, train, held_out| Point { samples, train, held_out };
        let mut progress = Progress::begin(3);
        progress.curve = vec![point(1_000_000, 0.17, 0.18), point(2_000_000, 0.15, 0.16)];
        progress
    }

    #[test]
    fn csv_names_the_side_of_each_row() {
        let text = csv(&[&progress()]);
        let last = text.lines().last();
        assert_eq!((text.lines().count(), last), (3, Some("White,2000000,0.150000,0.160000")));
    }

    #[cfg(feature = "plots")]
    #[test]
    fn the_chart_has_both_curves() {
        let picture = svg(&[&progress()]).unwrap();
        assert_eq!(picture.matches("#1F77B4").count(), 2, "{picture}");
        assert_eq!(svg(&[&Progress::begin(0)]), None);
    }
}
