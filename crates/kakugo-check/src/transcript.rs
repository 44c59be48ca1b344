//! Transcripts of the communication between the checker and an engine.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Maximum number of characters per line.
const MAX_CHARS: usize = 100;
/// Number of lines at the beginning and at the end; the lines between are omitted.
const FIRST_LINES: usize = 14;
const LAST_LINES: usize = 12;

/// Lines in both directions with their times.
pub(super) struct Transcript {
    began: Instant,
    first: Vec<String>,
    last: VecDeque<String>,
    omitted: usize,
}

impl Transcript {
    pub(super) fn new() -> Transcript {
        let (first, last) = (Vec::new(), VecDeque::new());
        Transcript { began: Instant::now(), first, last, omitted: 0 }
    }

    /// Adds a line that was sent.
    pub(super) fn sent(&mut self, text: &str) {
        self.note('>', text, self.began.elapsed());
    }

    /// Adds a line that was received.
    pub(super) fn received(&mut self, text: &str, at: Instant) {
        self.note('<', text, at.saturating_duration_since(self.began));
    }

    /// Adds another event.
    pub(super) fn event(&mut self, text: &str) {
        self.note('*', text, self.began.elapsed());
    }

    fn note(&mut self, mark: char, text: &str, at: Duration) {
        let line = format!("{:>6} ms {mark} {}", at.as_millis(), printable(text));
        if self.first.len() < FIRST_LINES {
            return self.first.push(line);
        }
        // An engine may send millions of lines.
        if self.last.len() == LAST_LINES {
            self.last.pop_front();
            self.omitted += 1;
        }
        self.last.push_back(line);
    }

    /// Returns the transcript, without its middle if it is long.
    pub(super) fn lines(&self) -> Vec<String> {
        let middle = format!("          … {} lines …", self.omitted);
        let middle = (self.omitted > 0).then_some(&middle);
        self.first.iter().chain(middle).chain(&self.last).cloned().collect()
    }
}

/// Escapes a line for printing and truncates it if it is long.
pub(super) fn printable(text: &str) -> String {
    let mut short: String = text.chars().take(MAX_CHARS).flat_map(char::escape_debug).collect();
    if text.chars().count() > MAX_CHARS {
        short += &format!("… ({} bytes)", text.len());
    }
    short.replace("\\'", "'").replace("\\\"", "\"")
}

/// Escapes output on stderr like [`printable`], but keeps its end: most programs print the cause
/// last.
pub(super) fn printable_end(text: &str) -> String {
    let omitted = text.chars().count().saturating_sub(MAX_CHARS);
    let end: String = text.chars().skip(omitted).collect();
    let mark = if omitted > 0 { "… " } else { "" };
    mark.to_owned() + &printable(&end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_transcripts_lose_their_middle_and_long_lines_their_end() {
        let mut transcript = Transcript::new();
        (0..100).for_each(|n| transcript.sent(&format!("TURN {n}")));
        let lines = transcript.lines();
        assert_eq!(lines.len(), FIRST_LINES + LAST_LINES + 1);
        assert!(
            lines[FIRST_LINES].contains("74 lines")
                && lines[FIRST_LINES + LAST_LINES].ends_with("TURN 99")
        );
        assert_eq!(printable("name=\"it's\"\u{0}"), "name=\"it's\"\\0");
        assert!(printable(&"x".repeat(5000)).ends_with("x… (5000 bytes)"));
        let end = printable_end(&format!("{}ValueError: boom", "File / ".repeat(99)));
        assert!(end.starts_with("… ") && end.ends_with("ValueError: boom"), "{end}");
        assert_eq!(printable_end("boom\n"), "boom\\n");
    }
}
