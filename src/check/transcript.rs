//! What was said between a checker and an engine.

use std::time::{Duration, Instant};

/// The longest part of a line that is kept.
const SHOWN: usize = 100;
/// Lines kept from the beginning, and from the end.
const FIRST: usize = 14;
const LAST: usize = 12;

/// Lines in both directions, with their times.
pub(super) struct Transcript {
    began: Instant,
    lines: Vec<String>,
}

impl Transcript {
    pub(super) fn new() -> Transcript {
        Transcript { began: Instant::now(), lines: Vec::new() }
    }

    /// A line was sent.
    pub(super) fn sent(&mut self, text: &str) {
        self.note('>', text, self.began.elapsed());
    }

    /// A line was heard.
    pub(super) fn heard(&mut self, text: &str, at: Instant) {
        self.note('<', text, at.saturating_duration_since(self.began));
    }

    /// Something else was done.
    pub(super) fn done(&mut self, text: &str) {
        self.note('*', text, self.began.elapsed());
    }

    fn note(&mut self, mark: char, text: &str, at: Duration) {
        self.lines.push(format!("{:>6} ms {mark} {}", at.as_millis(), shown(text)));
    }

    /// The talk, its middle left out where it is long.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.lines.len() <= FIRST + LAST {
            return self.lines.clone();
        }
        let (first, last) = (&self.lines[..FIRST], &self.lines[self.lines.len() - LAST..]);
        let left_out = self.lines.len() - FIRST - LAST;
        let middle = format!("          … {left_out} lines …");
        [first, &[middle], last].concat()
    }
}

/// A line that can be printed, and is not too long.
pub(super) fn shown(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().count() > SHOWN {
        short += &format!("… ({} bytes)", text.len());
    }
    short.replace("\\'", "'").replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_talks_lose_their_middle_and_long_lines_their_end() {
        let mut talk = Transcript::new();
        (0..100).for_each(|n| talk.sent(&format!("TURN {n}")));
        let lines = talk.lines();
        assert_eq!(lines.len(), FIRST + LAST + 1);
        assert!(lines[FIRST].contains("74 lines") && lines[FIRST + LAST].ends_with("TURN 99"));
        assert_eq!(shown("name=\"it's\"\u{0}"), "name=\"it's\"\\0");
        assert!(shown(&"x".repeat(5000)).ends_with("x… (5000 bytes)"));
    }
}
