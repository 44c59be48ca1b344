//! Progress output on stderr.

use std::io::Write;
use std::time::{Duration, Instant};

use super::climb::Climb;
use super::settings::Settings;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(30);
/// Maximum number of tunables in a line.
const MAX_TUNABLES: usize = 4;

/// The progress of a run.
pub(super) struct Progress<'s> {
    settings: &'s Settings,
    /// Number of finished pairs at the start.
    first: u32,
    began: Instant,
    printed: Instant,
}

impl<'s> Progress<'s> {
    /// Returns the progress of a run that starts now with `first` finished pairs.
    pub(super) fn new(settings: &'s Settings, first: u32) -> Progress<'s> {
        let now = Instant::now();
        Progress { settings, first, began: now, printed: now }
    }

    /// Prints a line if the last one is old enough.
    pub(super) fn update(&mut self, climb: &Climb<'_>, output: &mut dyn Write) {
        if self.printed.elapsed() >= INTERVAL {
            self.printed = Instant::now();
            self.print(climb, output);
        }
    }

    /// Prints a line.
    pub(super) fn print(&self, climb: &Climb<'_>, output: &mut dyn Write) {
        // A closed stderr must not stop the run.
        _ = writeln!(output, "{}", self.line(climb, self.began.elapsed()));
    }

    fn line(&self, climb: &Climb<'_>, elapsed: Duration) -> String {
        let (done, pairs) = (climb.done(), self.settings.pairs);
        let played = done - self.first;
        let minutes = elapsed.as_secs_f64().max(1e-3) / 60.0;
        let rate = f64::from(played) / minutes;
        let mut line = format!("{done} of {pairs} pairs, {rate:.1} pairs/min");
        if played > 0 && done < pairs {
            let left = (f64::from(pairs - done) / rate).ceil() as u64;
            line += &format!(", {} h {:02} min left", left / 60, left % 60);
        }
        let names = self.settings.dimensions.iter().map(|dimension| &dimension.name);
        let mut moved: Vec<(f64, &String)> = climb.moved().into_iter().zip(names).collect();
        moved.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        for (n, (far, name)) in moved.into_iter().take(MAX_TUNABLES).enumerate() {
            line += if n == 0 { "; in steps: " } else { ", " };
            line += &format!("{name} {far:+.2}");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::tests::settings;

    #[test]
    fn a_line_shows_rate_time_left_and_largest_changes() {
        let settings = settings(1000, 0.002, &[1, 2]);
        let mut climb = Climb::new(&settings);
        for _ in 0..100 {
            climb.learn(&[true, false], 1);
        }
        climb.learn(&[true, true], 2);
        let progress = Progress::new(&settings, 1);
        let line = progress.line(&climb, Duration::from_secs(20 * 60));
        let (rate, moved) = line.split_once("; in steps: ").unwrap();
        assert_eq!(rate, "101 of 1000 pairs, 5.0 pairs/min, 3 h 00 min left");
        let [up, down] = [climb.moved()[0], climb.moved()[1]];
        assert_eq!(moved, format!("at_1 {up:+.2}, at_2 {down:+.2}"));
        assert!(up > 0.1 && down < -0.1 && up > -down);
    }
}
