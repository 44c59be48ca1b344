//! Lines of input, read ahead by a thread, so that a line typed while the computer thinks can stop
//! it.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

use super::keyboard::Keyboard;
use crate::lock::lock;

/// The longest line, in bytes; a longer one counts as several.
const LINE_BYTES: u64 = 4096;

/// Number of lines read ahead: enough for a keyboard, few of a large file that is piped in.
const MAX_LINES: usize = 256;

/// The lines read ahead that may stop the computer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noticed {
    /// All lines: the user sees what goes on.
    Any,
    /// Only the next one: the lines of a script are executed in order.
    Next,
}

/// The lines of the input.
pub struct Lines {
    shared: Arc<Shared>,
    /// True if the reader shows a prompt itself.
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
    /// The end of the input, once it has been reached.
    end: Option<io::Result<()>>,
    thinking: Option<Awaited>,
    /// True while a line is awaited.
    wanted: bool,
}

/// A search that lines may stop.
struct Awaited {
    stop: Box<dyn Fn() + Send>,
    noticed: Noticed,
    ends: Box<dyn Fn(&str) -> bool + Send>,
    stopped: bool,
}

impl State {
    /// Stops the search if one of the lines does.
    fn look(&mut self) {
        let Some(Awaited { stop, noticed, ends, stopped }) = &mut self.thinking else { return };
        let noticed_lines = match noticed {
            Noticed::Any => self.lines.len(),
            Noticed::Next => 1,
        };
        let leaves = *noticed == Noticed::Any && self.end.is_some();
        if leaves || self.lines.iter().take(noticed_lines).any(|line| ends(line)) {
            *stopped = true;
            stop();
        }
    }
}

impl Lines {
    /// Reads lines from `input` until it ends.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn read_from(input: impl BufRead + Send + 'static) -> io::Result<Lines> {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        thread::Builder::new().name("reader".to_owned()).spawn(move || reader.read(input))?;
        Ok(Lines { shared, prompted: false })
    }

    /// Reads lines from a keyboard until it is closed: when a line is awaited, and while the
    /// computer thinks. In between, the screen belongs to the board.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn typed_at(keyboard: Keyboard) -> io::Result<Lines> {
        let shared = Arc::new(Shared::default());
        let reader = Arc::clone(&shared);
        let read = move || reader.read_typed(keyboard);
        thread::Builder::new().name("reader".to_owned()).spawn(read)?;
        Ok(Lines { shared, prompted: true })
    }

    /// Returns true if the reader shows a prompt itself.
    pub fn are_prompted(&self) -> bool {
        self.prompted
    }

    /// Waits for a line, and returns `None` at the end of the input.
    ///
    /// # Errors
    /// Returns an error if reading fails.
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

    /// Waits for a search while lines are read ahead. A line for which `ends` returns true stops
    /// it, and so does the end of the input if [`Noticed::Any`]. Returns the result of `wait`, and
    /// true if the search was stopped.
    pub fn listen<T>(
        &self,
        noticed: Noticed,
        ends: impl Fn(&str) -> bool + Send + 'static,
        stop: impl Fn() + Send + 'static,
        wait: impl FnOnce() -> T,
    ) -> (T, bool) {
        let (ends, stop) = (Box::new(ends), Box::new(stop));
        {
            let mut state = lock(&self.shared.state);
            state.thinking = Some(Awaited { stop, noticed, ends, stopped: false });
            state.look();
            self.shared.changed.notify_all();
        }
        let result = wait();
        let awaited = lock(&self.shared.state).thinking.take();
        (result, awaited.is_some_and(|awaited| awaited.stopped))
    }

    /// Removes the first line for which `is` returns true, of those that are noticed. Returns true
    /// if there was one.
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

    /// Adds a line that was read, or the end of the input. Returns true if reading goes on.
    fn took(&self, read: io::Result<Option<String>>) -> bool {
        let mut state = lock(&self.state);
        while state.lines.len() >= MAX_LINES {
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
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    fn lines(text: &str) -> Lines {
        Lines::read_from(Cursor::new(text.to_owned())).unwrap()
    }

    /// The time in which nothing must stop the search, and the longest one in which it must be.
    const BRIEF: Duration = Duration::from_millis(500);
    const LONG: Duration = Duration::from_secs(60);

    /// Thinks until it is stopped, at most for this time. Returns true if it was stopped.
    fn think(lines: &Lines, noticed: Noticed, patience: Duration) -> bool {
        let began = Instant::now();
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = {
            let stopped = Arc::clone(&stopped);
            move || stopped.store(true, Ordering::Relaxed)
        };
        let wait = || {
            while !stopped.load(Ordering::Relaxed) && began.elapsed() < patience {
                thread::sleep(Duration::from_millis(1));
            }
        };
        lines.listen(noticed, |line| line.trim() == "stop", stop, wait).1
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
        let lines = lines(&"h8\n".repeat(3 * MAX_LINES));
        assert_eq!(std::iter::from_fn(|| lines.next().unwrap()).count(), 3 * MAX_LINES);
    }

    #[test]
    fn a_script_ends_thinking_only_by_its_next_line() {
        let lines = lines("moves\nstop\n");
        assert!(!think(&lines, Noticed::Next, BRIEF), "neither a later line nor the end of input");
        assert!(!lines.take(Noticed::Next, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&lines, Noticed::Next, LONG));
        assert!(lines.take(Noticed::Next, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap(), None);
    }

    #[test]
    fn a_keyboard_ends_thinking_by_any_line_and_by_leaving() {
        let lines = lines("moves\nstop\n");
        assert!(think(&lines, Noticed::Any, LONG));
        assert!(lines.take(Noticed::Any, |line| line.trim() == "stop"));
        assert_eq!(lines.next().unwrap().as_deref(), Some("moves\n"));
        assert!(think(&lines, Noticed::Any, LONG), "the input has ended");
    }
}
