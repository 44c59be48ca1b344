//! Lines typed at the terminal board, read ahead on a thread of their own, so that a line typed
//! while the computer thinks can end its thinking.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use super::worker::lock;
use crate::search::Signals;

/// Longest line that is read, in bytes; what is longer counts as several.
const LINE_BYTES: u64 = 4096;

/// Lines read ahead: enough for whoever types, little for whoever pipes in a large file.
const MOST_LINES: usize = 256;

/// Which of the lines read ahead may end the computer's thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Any: people see what goes on.
    Any,
    /// Only the next one: a script's lines are taken in order.
    Next,
}

/// Lines not taken yet.
pub struct Inbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    /// How the input ended, if it did.
    end: Option<io::Result<()>>,
    thinking: Option<Thinking>,
}

/// Thinking under way, and whether a line ends it.
struct Thinking {
    signals: Arc<Signals>,
    heard: Heard,
    ends: Box<dyn Fn(&str) -> bool + Send>,
}

impl State {
    /// End the thinking if one of the lines does.
    fn look(&self) {
        let Some(Thinking { signals, heard, ends }) = &self.thinking else { return };
        let heard_lines = match heard {
            Heard::Any => self.lines.len(),
            Heard::Next => 1,
        };
        let leaves = *heard == Heard::Any && self.end.is_some();
        if leaves || self.lines.iter().take(heard_lines).any(|line| ends(line)) {
            signals.stop();
        }
    }
}

impl Inbox {
    /// Read lines from `input` until it ends.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn of(input: impl BufRead + Send + 'static) -> io::Result<Inbox> {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
        Ok(Inbox(shared))
    }

    /// Wait for a line; `None` when the input has ended.
    ///
    /// # Errors
    /// Reading failed.
    pub fn next(&self) -> io::Result<Option<String>> {
        let mut state = lock(&self.0.state);
        loop {
            if let Some(line) = state.lines.pop_front() {
                self.0.changed.notify_all();
                return Ok(Some(line));
            }
            if let Some(end) = &mut state.end {
                return std::mem::replace(end, Ok(())).map(|()| None);
            }
            state = self.0.wait(state);
        }
    }

    /// Think while lines are read ahead; one for which `ends` holds stops it, as does the end of the
    /// input if [`Heard::Any`]. Tells what was thought, and whether it was stopped.
    pub fn listen<T>(
        &self,
        heard: Heard,
        ends: impl Fn(&str) -> bool + Send + 'static,
        think: impl FnOnce(&Signals) -> T,
    ) -> (T, bool) {
        let signals = Arc::new(Signals::default());
        let listening = Thinking { signals: Arc::clone(&signals), heard, ends: Box::new(ends) };
        {
            let mut state = lock(&self.0.state);
            state.thinking = Some(listening);
            state.look();
        }
        let thought = think(&signals);
        lock(&self.0.state).thinking = None;
        (thought, signals.is_stopped())
    }

    /// Take out the first line that `is` wanted, of those that could be `heard`; whether there was one.
    pub fn take(&self, heard: Heard, is: impl Fn(&str) -> bool) -> bool {
        let mut state = lock(&self.0.state);
        let found = state.lines.iter().position(|line| is(line));
        let found = found.filter(|&at| heard == Heard::Any || at == 0);
        found.is_some_and(|at| state.lines.remove(at).is_some())
    }
}

impl Shared {
    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn read(&self, mut input: impl BufRead) {
        loop {
            let mut line = Vec::new();
            let read = Read::take(&mut input, LINE_BYTES).read_until(b'\n', &mut line);
            let mut state = lock(&self.state);
            while state.lines.len() >= MOST_LINES {
                state = self.wait(state);
            }
            match read {
                Ok(0) => state.end = Some(Ok(())),
                Ok(_) => state.lines.push_back(String::from_utf8_lossy(&line).into_owned()),
                Err(error) => state.end = Some(Err(error)),
            }
            state.look();
            self.changed.notify_all();
            if state.end.is_some() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::time::{Duration, Instant};

    fn inbox(text: &str) -> Inbox {
        Inbox::of(Cursor::new(text.to_owned())).unwrap()
    }

    /// Think until stopped, but not for ever; whether it was.
    fn think(inbox: &Inbox, heard: Heard) -> bool {
        let began = Instant::now();
        let patience = Duration::from_millis(500);
        let wait = |signals: &Signals| {
            while !signals.is_stopped() && began.elapsed() < patience {
                thread::sleep(Duration::from_millis(1));
            }
        };
        inbox.listen(heard, |line| line.trim() == "stop", wait).1
    }

    #[test]
    fn all_lines_come_in_order_and_then_the_end() {
        let long = "x".repeat(5000);
        let inbox = inbox(&format!("a\n\n{long}\nb"));
        let lines: Vec<String> =
            std::iter::from_fn(|| inbox.next().unwrap()).map(|l| l.trim().to_owned()).collect();
        assert_eq!(lines, ["a", "", &long[..4096], &long[4096..], "b"]);
        assert_eq!(inbox.next().unwrap(), None);
    }

    #[test]
    fn more_lines_than_are_read_ahead_come_all_the_same() {
        let inbox = inbox(&"h8\n".repeat(3 * MOST_LINES));
        assert_eq!(std::iter::from_fn(|| inbox.next().unwrap()).count(), 3 * MOST_LINES);
    }

    #[test]
    fn a_script_ends_thinking_only_by_its_next_line() {
        let inbox = inbox("moves\nstop\n");
        assert!(!think(&inbox, Heard::Next), "neither a later line nor the end of input");
        assert!(!inbox.take(Heard::Next, |line| line.trim() == "stop"));
        assert_eq!(inbox.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&inbox, Heard::Next));
        assert!(inbox.take(Heard::Next, |line| line.trim() == "stop"));
        assert_eq!(inbox.next().unwrap(), None);
    }

    #[test]
    fn a_keyboard_ends_thinking_by_any_line_and_by_leaving() {
        let inbox = inbox("moves\nstop\n");
        assert!(think(&inbox, Heard::Any));
        assert!(inbox.take(Heard::Any, |line| line.trim() == "stop"));
        assert_eq!(inbox.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&inbox, Heard::Any), "the input has ended");
    }
}
