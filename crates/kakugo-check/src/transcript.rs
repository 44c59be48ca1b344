//! What was said between a checker and an engine.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The longest part of a line that is kept.
const SHOWN: usize = 100;
/// Lines kept from the beginning, and from the end.
const FIRST: usize = 14;
const LAST: usize = 12;

/// Lines in both directions, with their times.
pub(super) struct Transcript {
    began: Instant,
    first: Vec<String>,
    last: VecDeque<String>,
    left_out: usize,
}

impl Transcript {
    pub(super) fn new() -> Transcript {
        let (first, last) = (Vec::new(), VecDeque::new());
        Transcript { began: Instant::now(), first, last, left_out: 0 }
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
        let line = format!("{:>6} ms {mark} {}", at.as_millis(), shown(text));
        if self.first.len() < FIRST {
            return self.first.push(line);
        }
        // A brain may say millions of them.
        if self.last.len() == LAST {
            self.last.pop_front();
            self.left_out += 1;
        }
        self.last.push_back(line);
    }

    /// The talk, its middle left out where it is long.
    pub(super) fn lines(&self) -> Vec<String> {
        let middle = format!("          … {} lines …", self.left_out);
        let middle = (self.left_out > 0).then_some(&middle);
        self.first.iter().chain(middle).chain(&self.last).cloned().collect()
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
