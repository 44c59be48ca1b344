//! Progress output on stderr: a bar on a terminal, otherwise a line every few seconds.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use kakugo_cli::stderr::note;

/// Time between two lines.
const INTERVAL: Duration = Duration::from_secs(10);

/// The progress output of one section.
pub(super) struct ProgressReporter {
    bar: ProgressBar,
    started: Instant,
    printed: Instant,
    before: u64,
    is_terminal: bool,
}

impl ProgressReporter {
    /// Returns the output of a section that has already finished `before` of `total` samples.
    pub(super) fn new(total: u64, before: u64) -> ProgressReporter {
        let is_terminal = std::io::stderr().is_terminal();
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template("{wide_bar} {percent} %\n{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(before);
        let now = Instant::now();
        ProgressReporter { bar, started: now, printed: now, before, is_terminal }
    }

    /// Updates the bar, or prints a line if the last one is old enough.
    pub(super) fn update(&mut self, done: u64, losses: &str) {
        let line = || {
            let total = self.bar.length().unwrap_or(done);
            line(done, self.before, total, self.started.elapsed(), losses)
        };
        if self.is_terminal {
            self.bar.set_message(line());
            self.bar.set_position(done);
        } else if self.printed.elapsed() >= INTERVAL {
            self.printed = Instant::now();
            note(line());
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn line(done: u64, before: u64, total: u64, elapsed: Duration, losses: &str) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-3);
    let rate = (done - before) as f64 / seconds;
    let left = total.saturating_sub(done) as f64 / rate.max(1.0);
    let (minutes, seconds) = (left as u64 / 60, left as u64 % 60);
    let (done, total) = (done as f64 / 1e6, total as f64 / 1e6);
    format!(
        "{done:.2} of {total:.2} M samples, {losses}, {rate:.0}/s, {minutes} min {seconds:02} s left"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_rate_and_time_left() {
        let line = line(3_000_000, 1_000_000, 8_000_000, Duration::from_secs(40), "loss 0.1");
        assert_eq!(line, "3.00 of 8.00 M samples, loss 0.1, 50000/s, 1 min 40 s left");
    }
}
