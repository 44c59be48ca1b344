//! Progress of a match or of the opening generator: a progress bar on a terminal, otherwise an
//! occasional line.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressDrawTarget, ProgressStyle};

use kakugo_cli::stderr::note;

/// Minimum time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Progress on stderr.
pub struct ProgressBar {
    bar: indicatif::ProgressBar,
    started: Instant,
    played: u64,
    printed: Option<Instant>,
    terminal: bool,
}

impl ProgressBar {
    /// Returns the progress of `total` games or openings, `before` of which are already done.
    pub fn new(total: u64, before: u64) -> ProgressBar {
        let terminal = std::io::stderr().is_terminal();
        let target =
            if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = indicatif::ProgressBar::with_draw_target(Some(total), target);
        let style = ProgressStyle::with_template("{wide_bar} {pos}/{len}\n{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(before);
        ProgressBar { bar, started: Instant::now(), played: 0, printed: None, terminal }
    }

    /// Advances by one game; `state` is the current score.
    pub fn game(&mut self, state: &str) {
        self.played += 1;
        self.bar.inc(1);
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        let pace = format!("{:.1} games/min", self.played as f64 / minutes.max(1e-6));
        if self.terminal {
            self.bar.set_message(format!("{state}  {pace}"));
        } else if self.printed.is_none_or(|at| at.elapsed() >= LINE_INTERVAL) {
            self.printed = Some(Instant::now());
            let total = self.bar.length().unwrap_or_default();
            self.note(&format!("{}/{total}  {state}  {pace}", self.bar.position()));
        }
    }

    /// Sets the number of generated openings.
    pub fn set_openings(&mut self, openings: usize) {
        self.bar.set_position(openings as u64);
        if self.terminal {
            self.bar.set_message("generating openings");
        } else if self.printed.get_or_insert(self.started).elapsed() >= LINE_INTERVAL {
            self.printed = Some(Instant::now());
            let total = self.bar.length().unwrap_or_default();
            self.note(&format!("{openings}/{total} openings generated"));
        }
    }

    /// Prints a line above the progress bar.
    pub fn note(&self, text: &str) {
        if self.terminal {
            self.bar.println(text);
        } else {
            note(text);
        }
    }

    /// Removes the progress bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
