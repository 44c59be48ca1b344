//! The ladder: the results of all versions against one opponent, as a chart.
//!
//! A line of the file is a match: `version,board,kakugo,rapfi,games,points`, with the times of both
//! engines in milliseconds a move. Lines that begin with `#` are comments. Each ratio of the times
//! has a chart of its own, with a line for each board.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;

use kakugo_cli::run_file;

/// Draw the results of all versions against one opponent
#[derive(Args, Debug)]
pub struct LadderArgs {
    /// Matches as lines of `version,board,kakugo,rapfi,games,points`, oldest version first
    file: PathBuf,
    /// File to write the chart to, as SVG
    #[arg(long)]
    out: PathBuf,
}

/// The first line that is not a comment.
const HEADER: &str = "version,board,kakugo,rapfi,games,points";

/// The result of a version against the opponent.
#[derive(Clone, PartialEq, Debug)]
struct Result {
    version: String,
    board: String,
    /// Times of Kakugo and of its opponent, in milliseconds a move.
    times: (u32, u32),
    games: u32,
    points: f64,
}

impl Result {
    /// Returns the difference in Elo and its 95 % interval. Draws are counted as half a win and
    /// half a loss, which makes the interval a little too wide.
    fn elo(&self) -> (f64, [f64; 2]) {
        let games = f64::from(self.games);
        let score = self.points / games;
        let error = 1.96 * (score * (1.0 - score) / games).sqrt();
        let elo = |score: f64| {
            let score = score.clamp(0.5 / games, 1.0 - 0.5 / games);
            400.0 * (score / (1.0 - score)).log10()
        };
        (elo(score), [elo(score - error), elo(score + error)])
    }

    /// Returns the time odds, such as `1:8`.
    fn odds(&self) -> String {
        let (mut a, mut b) = self.times;
        while b > 0 {
            (a, b) = (b, a % b);
        }
        format!("{}:{}", self.times.0 / a, self.times.1 / a)
    }
}

/// Parses the lines of a ladder.
fn parse(text: &str) -> anyhow::Result<Vec<Result>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().map_or("", |(_, line)| line.trim());
    ensure!(header == HEADER, "expected '{HEADER}' before the matches");
    lines.map(|(i, line)| result(line).with_context(|| format!("line {}", i + 1))).collect()
}

fn result(line: &str) -> anyhow::Result<Result> {
    let fields: Vec<&str> = line.trim().split(',').collect();
    let [version, board, kakugo, opponent, games, points] = fields[..] else {
        bail!("expected 6 fields, found {}", fields.len());
    };
    let number = |text: &str| -> anyhow::Result<u32> {
        let number = text.parse().ok().filter(|&n| n > 0);
        number.with_context(|| format!("'{text}': expected a whole number above 0"))
    };
    let games = number(games)?;
    let points: Option<f64> = points.parse().ok();
    let points = points.filter(|points| (0.0..=f64::from(games)).contains(points));
    let points = points.with_context(|| format!("points: expected a number from 0 to {games}"))?;
    let (version, board) = (version.to_owned(), board.to_owned());
    Ok(Result { version, board, times: (number(kakugo)?, number(opponent)?), games, points })
}

/// Returns the different values, in the order of their first appearance.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    values.fold(Vec::new(), |mut all, value| {
        if !all.contains(&value) {
            all.push(value);
        }
        all
    })
}

/// Runs `ladder`.
///
/// # Errors
/// Returns an error if the file is invalid or cannot be read, or the chart cannot be written.
pub fn run(args: &LadderArgs) -> anyhow::Result<()> {
    let name = args.file.display();
    let text = String::from_utf8(run_file::read(&args.file)?).with_context(|| name.to_string())?;
    let results = parse(&text).with_context(|| name.to_string())?;
    ensure!(!results.is_empty(), "{name} has no matches");
    let svg = svg(&results)?;
    std::fs::write(&args.out, svg).with_context(|| format!("writing {}", args.out.display()))
}

#[cfg(not(feature = "plots"))]
fn svg(_: &[Result]) -> anyhow::Result<String> {
    bail!("this build cannot draw: build it with the feature `plots`")
}

#[cfg(feature = "plots")]
fn svg(results: &[Result]) -> anyhow::Result<String> {
    chart::draw(results).map_err(|error| anyhow::anyhow!("drawing: {error}"))
}

#[cfg(feature = "plots")]
mod chart {
    use std::error::Error;
    use std::ops::Range;

    use plotters::coord::Shift;
    use plotters::prelude::*;

    use super::{Result as Match, distinct};

    /// Size of the chart of one ratio of times, in pixels.
    const SIZE: (u32, u32) = (460, 340);
    const COLOURS: [RGBColor; 6] = [
        RGBColor(0, 90, 181),
        RGBColor(220, 50, 32),
        RGBColor(0, 128, 96),
        RGBColor(147, 80, 160),
        RGBColor(160, 110, 0),
        RGBColor(70, 70, 70),
    ];

    /// Draws a chart for each ratio of times, side by side.
    pub(super) fn draw(results: &[Match]) -> Result<String, Box<dyn Error>> {
        let odds = distinct(results.iter().map(Match::odds));
        let bounds = results.iter().flat_map(|result| result.elo().1);
        let (low, high) = bounds.fold((0.0_f64, 0.0_f64), |(a, b), elo| (a.min(elo), b.max(elo)));
        let mut svg = String::new();
        {
            let size = (SIZE.0 * odds.len() as u32, SIZE.1);
            let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
            root.fill(&WHITE)?;
            for (area, odds) in root.split_evenly((1, odds.len())).iter().zip(&odds) {
                let drawn = panel(area, results, odds, low - 20.0..high + 20.0);
                drawn.map_err(|error| error.to_string())?;
            }
            root.present()?;
        }
        Ok(svg)
    }

    fn panel<B: DrawingBackend>(
        area: &DrawingArea<B, Shift>,
        results: &[Match],
        odds: &str,
        elo: Range<f64>,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let versions = distinct(results.iter().map(|result| result.version.as_str()));
        let boards = distinct(results.iter().map(|result| result.board.as_str()));
        let title = match odds {
            "1:1" => "Elo against Rapfi, equal time".to_owned(),
            odds => format!("Elo against Rapfi, time {odds}"),
        };
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .caption(title, ("sans-serif", 15))
            .x_label_area_size(24)
            .y_label_area_size(40)
            .build_cartesian_2d(-0.5..versions.len() as f64 - 0.5, elo)?;
        let version = |x: &f64| {
            let is_whole = (x - x.round()).abs() < 0.01;
            let version = versions.get(x.round() as usize).filter(|_| is_whole && *x > -0.1);
            version.map_or_else(String::new, |version| (*version).to_owned())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(2 * versions.len() + 1)
            .x_label_formatter(&version)
            .y_label_formatter(&|elo| format!("{elo:.0}"))
            .label_style(("sans-serif", 12))
            .draw()?;
        for (i, board) in boards.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            // Beside each other, so that intervals can be told apart.
            let shift = 0.05 * (i as f64 - (boards.len() as f64 - 1.0) / 2.0);
            let at = |result: &&Match| result.board == *board && result.odds() == odds;
            let x = |result: &Match| {
                let index = versions.iter().position(|version| *version == result.version);
                index.unwrap_or_default() as f64 + shift
            };
            let matches: Vec<&Match> = results.iter().filter(at).collect();
            let path = matches.iter().map(|result| (x(result), result.elo().0));
            let path: Vec<(f64, f64)> = path.collect();
            chart
                .draw_series(LineSeries::new(path.iter().copied(), colour.stroke_width(2)))?
                .label(*board)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
            for result in &matches {
                let [low, high] = result.elo().1;
                let interval = [(x(result), low), (x(result), high)];
                chart.draw_series(LineSeries::new(interval, colour.mix(0.5)))?;
            }
            chart.draw_series(path.iter().map(|&at| Circle::new(at, 3, colour.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .label_font(("sans-serif", 12))
            .draw()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LADDER: &str = include_str!("../../../docs/ladder.csv");

    #[test]
    fn the_ladder_of_the_project_is_valid() {
        let results = parse(LADDER).unwrap();
        assert_eq!(distinct(results.iter().map(Result::odds)), ["1:1", "1:8"]);
        assert!(results.is_sorted_by_key(|result| result.times.1));
        if cfg!(feature = "plots") {
            let svg = svg(&results).unwrap();
            for word in ["equal time", "time 1:8", "0.1.0", "0.3.0", "freestyle 20", "renju 15"] {
                assert!(svg.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn elo_and_its_interval_follow_from_the_points() {
        let result = result("1,renju 15,100,800,100,75").unwrap();
        let (elo, [low, high]) = result.elo();
        assert!((elo - 190.8).abs() < 0.1 && result.odds() == "1:8");
        assert!((low - 119.2).abs() < 0.1 && (high - 281.6).abs() < 0.1, "{low} {high}");
        let (all, [_, most]) = super::result("1,renju 15,1,1,10,10").unwrap().elo();
        assert!(all.is_finite() && most == all);
    }

    #[test]
    fn invalid_lines_are_rejected() {
        let fails = |line: &str| format!("{:#}", parse(&format!("{HEADER}\n{line}")).unwrap_err());
        assert!(fails("0.1.0,renju,200,200,400").contains("line 2: expected 6 fields, found 5"));
        assert!(fails("0.1.0,renju,200,0,400,2").contains("'0': expected a whole number above 0"));
        assert!(fails("0.1.0,renju,200,1,4,5").contains("points: expected a number from 0 to 4"));
        assert!(parse("version\n").is_err() && parse("").is_err());
    }
}
