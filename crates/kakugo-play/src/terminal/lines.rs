//! Lines typed at the terminal board, read ahead on a thread of their own, so that a line typed
//! while the computer thinks can end its thinking.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use super::keyboard::Keyboard;
use crate::lock::lock;
use kakugo::search::Signals;

/// Longest line that is read, in bytes; what is longer counts as several.
const LINE_BYTES: u64 = 4096;

/// Lines read ahead: enough for a keyboard, little for a large file that is piped in.
const MOST_LINES: usize = 256;

/// Which of the lines read ahead may end the computer's thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noticed {
    /// Any: people see what goes on.
    Any,
    /// Only the next one: a script's lines are taken in order.
    Next,
}

/// Lines not taken yet.
pub struct Lines {
    shared: Arc<Shared>,
    /// Whether the reader shows a prompt itself.
    prompted: bool,
}

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
    thinking: Option<Awaited>,
    /// Whether a line is waited for.
    wanted: bool,
}

/// What is being waited for, and whether a line ends it.
struct Awaited {
    signals: Arc<Signals>,
    noticed: Noticed,
    ends: Box<dyn Fn(&str) -> bool + Send>,
}

impl State {
    /// End the thinking if one of the lines does.
    fn look(&self) {
        let Some(Awaited { signals, noticed, ends }) = &self.thinking else { return };
        let noticed_lines = match noticed {
            Noticed::Any => self.lines.len(),
            Noticed::Next => 1,
        };
        let leaves = *noticed == Noticed::Any && self.end.is_some();
        if leaves || self.lines.iter().take(noticed_lines).any(|line| ends(line)) {
            signals.stop();
        }
    }
}

impl Lines {
    /// Read lines from `input` until it ends.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn of(input: impl BufRead + Send + 'static) -> io::Result<Lines> {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
        Ok(Lines { shared, prompted: false })
    }

    /// Read lines from a keyboard until it is left, each when it is wanted or while the computer thinks:
    /// in between, the screen belongs to the board.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn typed_at(keyboard: Keyboard) -> io::Result<Lines> {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        let read = move || reader.read_typed(keyboard);
        thread::Builder::new().name("reader".to_owned()).spawn(read)?;
        Ok(Lines { shared, prompted: true })
    }

    /// Whether a prompt is shown without further ado.
    pub fn are_prompted(&self) -> bool {
        self.prompted
    }

    /// Wait for a line; `None` when the input has ended.
    ///
    /// # Errors
    /// Reading failed.
    pub fn next(&self) -> io::Result<Option<String>> {
        let mut state = lock(&self.shared.state);
        loop {
            if let Some(line) = state.lines.pop_front() {
                state.wanted = false;
                self.shared.changed.notify_all();
                return Ok(Some(line));
            }
            if let Some(end) = &mut state.end {
                return std::mem::replace(end, Ok(())).map(|()| None);
            }
            state.wanted = true;
            self.shared.changed.notify_all();
            state = self.shared.wait(state);
        }
    }

    /// Wait for what is thought under `signals` while lines are read ahead; one for which `ends` holds
    /// stops it, as does the end of the input if [`Noticed::Any`]. Tells what was thought, and whether
    /// it was stopped.
    pub fn listen<T>(
        &self,
        noticed: Noticed,
        ends: impl Fn(&str) -> bool + Send + 'static,
        signals: &Arc<Signals>,
        wait: impl FnOnce() -> T,
    ) -> (T, bool) {
        let listening = Awaited { signals: Arc::clone(signals), noticed, ends: Box::new(ends) };
        {
            let mut state = lock(&self.shared.state);
            state.thinking = Some(listening);
            state.look();
            self.shared.changed.notify_all();
        }
        let thought = wait();
        lock(&self.shared.state).thinking = None;
        (thought, signals.is_stopped())
    }

    /// Take out the first line that `is` wanted, of those that could be `noticed`; whether there was one.
    pub fn take(&self, noticed: Noticed, is: impl Fn(&str) -> bool) -> bool {
        let mut state = lock(&self.shared.state);
        let found = state.lines.iter().position(|line| is(line));
        let found = found.filter(|&at| noticed == Noticed::Any || at == 0);
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
            let text = String::from_utf8_lossy(&line).into_owned();
            if !self.took(read.map(|bytes| (bytes > 0).then_some(text))) {
                return;
            }
        }
    }

    fn read_typed(&self, mut keyboard: Keyboard) {
        loop {
            let mut state = lock(&self.state);
            while !state.wanted && state.thinking.is_none() {
                state = self.wait(state);
            }
            drop(state);
            if !self.took(keyboard.line()) {
                return;
            }
        }
    }

    /// A line was read, or the input ended. Whether more is to be read.
    fn took(&self, read: io::Result<Option<String>>) -> bool {
        let mut state = lock(&self.state);
        while state.lines.len() >= MOST_LINES {
            state = self.wait(state);
        }
        match read {
            Ok(None) => state.end = Some(Ok(())),
            Ok(Some(line)) => state.lines.push_back(line),
            Err(error) => state.end = Some(Err(error)),
        }
        state.wanted = false;
        state.look();
        self.changed.notify_all();
        state.end.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use std::time::{Duration, Instant};

    fn lines(text: &str) -> Lines {
        Lines::of(Cursor::new(text.to_owned())).unwrap()
    }

    /// Think until stopped, but not for ever; whether it was.
    fn think(lines: &Lines, noticed: Noticed) -> bool {
        let began = Instant::now();
        let patience = Duration::from_millis(500);
        let signals = Arc::new(Signals::default());
        let wait = || {
            while !signals.is_stopped() && began.elapsed() < patience {
                thread::sleep(Duration::from_millis(1));
            }
        };
        lines.listen(noticed, |line| line.trim() == "stop", &signals, wait).1
    }

    #[test]
    fn all_lines_come_in_order_and_then_the_end() {
        let long = "x".repeat(5000);
        let lines = lines(&format!("a\n\n{long}\nb"));
        let texts: Vec<String> =
            std::iter::from_fn(|| lines.next().unwrap()).map(|l| l.trim().to_owned()).collect();
        assert_eq!(texts, ["a", "", &long[..4096], &long[4096..], "b"]);
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn more_lines_than_are_read_ahead_come_all_the_same() {
        let lines = lines(&"h8\n".repeat(3 * MOST_LINES));
        assert_eq!(std::iter::from_fn(|| lines.next().unwrap()).count(), 3 * MOST_LINES);
    }

    #[test]
    fn a_script_ends_thinking_only_by_its_next_line() {
        let lines = lines("moves\nstop\n");
        assert!(!think(&lines, Noticed::Next), "neither a later line nor the end of input");
        assert!(!lines.take(Noticed::Next, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&lines, Noticed::Next));
        assert!(lines.take(Noticed::Next, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn a_keyboard_ends_thinking_by_any_line_and_by_leaving() {
        let lines = lines("moves\nstop\n");
        assert!(think(&lines, Noticed::Any));
        assert!(lines.take(Noticed::Any, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&lines, Noticed::Any), "the input has ended");
    }
}
