//! The process of an engine: input, output and exit.
//!
//! Three threads serve the pipes, so that an engine cannot block its manager. One writes, because
//! an engine that does not read fills its pipe. One reads lines and records their arrival. One
//! drains stderr and keeps its last lines for crash reports. The process leads its own process
//! group (on Windows also a job object), which is killed as a whole. Ctrl-C in the terminal
//! therefore reaches only the runner, and an engine's children end with it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};
#[cfg(windows)]
use process_wrap::std::{CreationFlags, JobObject};
#[cfg(windows)]
use windows::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

use super::command_line::join_words;
use super::config::EngineConfig;
use super::orphans;
use crate::Command;

#[cfg(windows)]
const LINE_END: &str = "\r\n";
#[cfg(not(windows))]
const LINE_END: &str = "\n";

/// Maximum length of a line in bytes (Piskvork truncates at 8000).
const MAX_LINE: usize = 8000;
/// Maximum number of unread lines; the reader then blocks.
const MAX_PENDING: usize = 4096;
/// Number of stderr lines to keep.
const STDERR_LINES: usize = 5;
/// Time to exit after `END` before the process group is killed (700 ms in Piskvork).
const END_TIMEOUT: Duration = Duration::from_millis(700);
/// Time to wait for stderr output written before the exit.
const STDERR_TIMEOUT: Duration = Duration::from_millis(300);

/// A line with its time of arrival.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedLine {
    /// The line without its end.
    pub text: String,
    /// Time of arrival.
    pub at: Instant,
}

/// An event in the output of an engine.
#[derive(Debug)]
pub enum Received {
    /// A line.
    Line(TimedLine),
    /// A line longer than the maximum.
    Overlong,
    /// The engine closed its output.
    Closed,
    /// No line before the deadline.
    Nothing,
}

/// A running engine process.
pub struct Process {
    child: Box<dyn ChildWrapper>,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Option<TimedLine>>,
    /// The beginning of a line whose end has not arrived.
    unfinished: Arc<Mutex<Vec<u8>>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// Fills `stderr` until the pipe is closed.
    listener: JoinHandle<()>,
}

impl Process {
    /// Starts the command of an engine.
    ///
    /// # Errors
    /// Returns an error that names the command.
    pub fn spawn(config: &EngineConfig) -> io::Result<Process> {
        Process::start(config).map_err(|error| {
            let command = join_words(&config.command);
            let why = match &config.dir {
                // The system reports a missing program and a missing folder in the same way.
                Some(dir) if !dir.is_dir() => format!("folder {} does not exist", dir.display()),
                _ => error.to_string(),
            };
            io::Error::new(error.kind(), format!("cannot run {command}: {why}"))
        })
    }

    /// Checks that the command of an engine can be run.
    ///
    /// # Errors
    /// Returns the same error as [`Process::spawn`].
    pub fn ensure_runs(config: &EngineConfig) -> io::Result<()> {
        Process::spawn(config).map(Process::end)
    }

    fn start(config: &EngineConfig) -> io::Result<Process> {
        let (program, arguments) = config
            .command
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "empty command line"))?;
        let mark = orphans::Mark::new();
        let (name, value) = mark.variable();
        let mut command = CommandWrap::with_new(program, |command| {
            command.args(arguments).envs(&config.env).env(name, value);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(dir) = &config.dir {
                command.current_dir(dir);
            }
        });
        #[cfg(unix)]
        command.wrap(process_wrap::std::ProcessGroup::leader());
        #[cfg(windows)]
        command.wrap(CreationFlags(CREATE_NEW_PROCESS_GROUP)).wrap(JobObject);
        let mut child = orphans::spawn_registered(mark, || command.spawn())?;
        let pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            let _ = child.kill();
            return Err(io::Error::other("no pipe to the process"));
        };
        let (input, lines_in) = mpsc::channel();
        thread::spawn(move || write_lines(stdin, &lines_in));
        let (lines_out, output) = mpsc::sync_channel(MAX_PENDING);
        let unfinished = Arc::new(Mutex::new(Vec::new()));
        let beginning = Arc::clone(&unfinished);
        thread::spawn(move || read_lines(BufReader::new(stdout), &lines_out, &beginning));
        let last_lines = Arc::new(Mutex::new(VecDeque::new()));
        let written = Arc::clone(&last_lines);
        let listener = thread::spawn(move || keep_last_lines(BufReader::new(stderr), &written));
        Ok(Process { child, input: Some(input), output, unfinished, stderr: last_lines, listener })
    }

    /// Returns the PID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends complete lines. Write errors are ignored: they show as missing answers.
    pub fn send(&self, lines: String) {
        if let Some(input) = &self.input {
            let _ = input.send(lines.replace('\n', LINE_END).into_bytes());
        }
    }

    /// Sends raw bytes.
    pub fn send_bytes(&self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes.to_owned());
        }
    }

    /// Closes the input after everything was written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the next line until `deadline`.
    pub fn receive(&self, deadline: Instant) -> Received {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(patience) {
            Ok(Some(line)) => Received::Line(line),
            Ok(None) => Received::Overlong,
            Err(RecvTimeoutError::Timeout) => Received::Nothing,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }

    /// Returns the next line if it has arrived.
    pub fn pending(&self) -> Received {
        match self.output.try_recv() {
            Ok(Some(line)) => Received::Line(line),
            Ok(None) => Received::Overlong,
            Err(TryRecvError::Empty) => Received::Nothing,
            Err(TryRecvError::Disconnected) => Received::Closed,
        }
    }

    /// Returns what has arrived of a line without its end; empty if there is nothing.
    pub fn unfinished_line(&self) -> String {
        let bytes = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the exit status, or `None` if the process is running.
    pub fn exit_status(&mut self) -> Option<Exit> {
        // Wait for the process itself, not its group: a child may still be running.
        match self.child.inner_mut().try_wait() {
            Ok(None) => None,
            Ok(Some(status)) => Some(Exit(Some(status))),
            // Already reaped elsewhere.
            Err(_) => Some(Exit(None)),
        }
    }

    /// Waits up to `patience` for the exit of the process.
    pub fn exit_status_within(&mut self, patience: Duration) -> Option<Exit> {
        let deadline = Instant::now() + patience;
        loop {
            let status = self.exit_status();
            if status.is_some() || Instant::now() >= deadline {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Returns the last lines of stderr after the exit of the process. Waits briefly for the end of
    /// the pipe, which a surviving child may keep open.
    pub fn last_stderr(&self) -> String {
        let deadline = Instant::now() + STDERR_TIMEOUT;
        while !self.listener.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        self.stderr_so_far()
    }

    /// Returns the last lines of stderr that have arrived.
    pub fn stderr_so_far(&self) -> String {
        let lines = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(String::as_str).collect::<Vec<_>>().join(" / ")
    }

    /// Sends `END`, waits, then kills the process group.
    pub fn end(mut self) {
        self.send(format!("{}\n", Command::End));
        self.input = None;
        self.exit_status_within(END_TIMEOUT);
    }
}

/// Kills the process group and waits for its exit.
impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        orphans::kill_with_descendants(self.child.as_mut());
    }
}

/// The exit status of a process, unless it was lost.
#[derive(Clone, Copy, Debug)]
pub struct Exit(Option<ExitStatus>);

impl Exit {
    /// Returns true if the process exited by itself rather than by a signal.
    pub fn is_regular(self) -> bool {
        // On Windows the exit code of a crash is an exception number.
        let crash = |code: i32| cfg!(windows) && code.cast_unsigned() >= 0x8000_0000;
        self.0.is_none_or(|status| status.code().is_some_and(|code| !crash(code)))
    }

    /// Returns true for an exit code other than 0.
    pub fn is_error(self) -> bool {
        self.0.is_some_and(|status| !status.success())
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(status) => status.fmt(f),
            None => f.write_str("exit status unknown"),
        }
    }
}

fn write_lines(mut pipe: impl Write, lines: &Receiver<Vec<u8>>) {
    for bytes in lines {
        if pipe.write_all(&bytes).and_then(|()| pipe.flush()).is_err() {
            break;
        }
    }
}

/// Sends lines until the pipe is closed; `None` is an overlong line.
fn read_lines(
    mut pipe: BufReader<impl Read>,
    lines: &SyncSender<Option<TimedLine>>,
    unfinished: &Mutex<Vec<u8>>,
) {
    let mut at = Instant::now();
    loop {
        // A line that arrived together with the previous one has the same time of arrival.
        let came_before = pipe.buffer().contains(&b'\n');
        let Ok(bytes) = read_line(&mut pipe, unfinished) else { break };
        if bytes.is_empty() {
            break;
        }
        if !came_before {
            at = Instant::now();
        }
        let is_complete = bytes.ends_with(b"\n") || bytes.len() < MAX_LINE;
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_end_matches(['\r', '\n']);
        let event = is_complete.then(|| TimedLine { text: line.to_owned(), at });
        if lines.send(event).is_err() {
            break;
        }
        // Skip the rest of the line.
        if !is_complete && pipe.skip_until(b'\n').is_err() {
            break;
        }
    }
}

/// Returns the next line, or its first [`MAX_LINE`] bytes; empty at the end. Until the line is
/// complete, `unfinished` holds what has arrived of it.
fn read_line(pipe: &mut impl BufRead, unfinished: &Mutex<Vec<u8>>) -> io::Result<Vec<u8>> {
    let store = |bytes: &[u8]| {
        let mut unfinished = unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.clear();
        unfinished.extend_from_slice(bytes);
    };
    let mut bytes = Vec::new();
    loop {
        let available = match pipe.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        let chunk = &available[..available.len().min(MAX_LINE - bytes.len())];
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(chunk.len(), |end| end + 1);
        bytes.extend_from_slice(&chunk[..used]);
        pipe.consume(used);
        if end.is_some() || used == 0 || bytes.len() == MAX_LINE {
            if bytes.len() > used {
                store(&[]);
            }
            return Ok(bytes);
        }
        store(&bytes);
    }
}

fn keep_last_lines(mut pipe: impl BufRead, lines: &Mutex<VecDeque<String>>) {
    loop {
        let mut bytes = Vec::new();
        match pipe.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&bytes).trim_end().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe that delivers one chunk at a time.
    struct Chunks(VecDeque<&'static [u8]>);

    impl Read for Chunks {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let chunk = self.0.pop_front().unwrap_or_default();
            buffer[..chunk.len()].copy_from_slice(chunk);
            Ok(chunk.len())
        }
    }

    #[test]
    fn lines_come_in_pieces() {
        let unfinished = Mutex::default();
        let mut pipe = BufReader::new(Chunks([b"ab", &b"c\nd\ne"[..], b"f"].into()));
        let mut next = || {
            let line = read_line(&mut pipe, &unfinished).unwrap();
            (line, unfinished.lock().unwrap().clone())
        };
        assert_eq!(next(), (b"abc\n".to_vec(), Vec::new()));
        assert_eq!(next(), (b"d\n".to_vec(), Vec::new()));
        // The output was closed behind it.
        assert_eq!(next().0, b"ef");
        assert_eq!(next(), (Vec::new(), Vec::new()));
    }

    #[test]
    fn the_beginning_of_a_line_is_known() {
        let (reader, writer) = io::pipe().unwrap();
        let unfinished = Arc::new(Mutex::default());
        let (lines, received) = mpsc::sync_channel(9);
        let beginning = Arc::clone(&unfinished);
        let thread = thread::spawn(move || read_lines(BufReader::new(reader), &lines, &beginning));
        (&writer).write_all(b"OK\n7,1").unwrap();
        assert_eq!(received.recv().unwrap().unwrap().text, "OK");
        while unfinished.lock().unwrap().is_empty() {
            thread::yield_now();
        }
        assert_eq!(*unfinished.lock().unwrap(), b"7,1");
        drop(writer);
        assert_eq!(received.recv().unwrap().unwrap().text, "7,1");
        thread.join().unwrap();
    }
}
