//! The table of values of a run.

use std::io::Write;

use super::climb::Climb;
use super::log::{LogContents, Pair};
use super::settings::Settings;

/// Writes each tunable's start, current value, distance in steps, and its line for the source
/// (`search/params.rs`).
pub(super) fn table(contents: &LogContents, output: &mut dyn Write) -> anyhow::Result<()> {
    let LogContents { settings, pairs, .. } = contents;
    let climb = replay(settings, pairs, |_| {});
    writeln!(
        output,
        "{} of {} pairs, {} nodes per move, {}, rate {}, seed {}",
        climb.done(),
        settings.pairs,
        settings.nodes,
        settings.boards,
        settings.rate,
        settings.seed,
    )?;
    writeln!(output, "{}\n", results(pairs))?;
    let wide = settings.dimensions.iter().map(|d| d.name.len()).max().unwrap_or(0);
    writeln!(output, "{:wide$} {:>8} {:>10} {:>7}", "tunable", "start", "now", "steps")?;
    let moved = climb.moved();
    for ((dimension, value), steps) in settings.dimensions.iter().zip(climb.values()).zip(moved) {
        let (name, start) = (&dimension.name, dimension.start);
        let line = format!("{name} = {}", value.round());
        writeln!(output, "{name:wide$} {start:8} {value:10.2} {steps:+7.2}   {line}")?;
    }
    Ok(())
}

/// Returns the state after all these pairs, and passes the state after each pair to `each`.
pub(super) fn replay<'s>(
    settings: &'s Settings,
    pairs: &[Pair],
    mut each: impl FnMut(&Climb<'_>),
) -> Climb<'s> {
    let mut climb = Climb::new(settings);
    for pair in pairs {
        climb.learn(&pair.signs, pair.result);
        each(&climb);
    }
    climb
}

/// Returns the distribution of results. If most pairs are even, the players hardly differ.
fn results(pairs: &[Pair]) -> String {
    let count = |result: i32| pairs.iter().filter(|pair| pair.result.abs() == result).count();
    format!("{} pairs even, {} won by one game, {} by two", count(0), count(1), count(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::tests::settings;

    #[test]
    fn the_table_has_lines_for_the_source() {
        let settings = settings(40, 0.05, &[100, -20]);
        let signs = vec![true, false];
        let pair =
            |number| Pair { number, signs: signs.clone(), result: [2, 0, 1][number as usize % 3] };
        let pairs: Vec<Pair> = (0..40).map(pair).collect();
        let climb = replay(&settings, &pairs, |_| {});
        let mut output = Vec::new();
        table(
            &LogContents { settings: settings.clone(), pairs: pairs.clone(), length: 0 },
            &mut output,
        )
        .unwrap();
        let output = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[0], "40 of 40 pairs, 100 nodes per move, freestyle:15, rate 0.05, seed 5");
        assert_eq!(lines[1], "13 pairs even, 13 won by one game, 14 by two");
        let value = climb.values()[1];
        assert!(value < -21.0);
        let fields: Vec<&str> = lines[5].split_whitespace().collect();
        let steps = (value + 20.0) / 10.0;
        let (now, steps) = (format!("{value:.2}"), format!("{steps:+.2}"));
        let whole = value.round().to_string();
        assert_eq!(fields, ["at_-20", "-20", &now, &steps, "at_-20", "=", &whole]);
    }
}
