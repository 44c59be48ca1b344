//! A session inside this process, spoken to over channels: as the real program, and much faster.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use pbrain_kakugo::session::SessionArgs;

/// Longest wait for a line. It says that something hangs, not that it is slow; fuzzers run for hours
/// where everything else goes first.
const PATIENCE: Duration = Duration::from_secs(if cfg!(fuzzing) { 1800 } else { 60 });

/// A command that is answered by `UNKNOWN` when everything before it was met.
const BARRIER: &str = "ARE-YOU-THERE-7d41c9";

/// A session and the two ends to speak with it.
pub struct Conversation {
    input: Sender<Vec<u8>>,
    output: Receiver<String>,
}

impl Conversation {
    /// Start a session.
    pub fn start() -> Conversation {
        let (input, commands) = channel();
        let (answers, output) = channel();
        thread::spawn(move || {
            let input = Input { commands, rest: Vec::new() };
            let output = Output { answers: answers.clone() };
            let outcome = pbrain_kakugo::session::serve(input, output, SessionArgs::default());
            let _ = answers.send(format!("<end: {outcome:?}>"));
        });
        Conversation { input, output }
    }

    /// Send these bytes.
    pub fn send(&self, bytes: impl Into<Vec<u8>>) {
        let _ = self.input.send(bytes.into());
    }

    /// The next line, as it was written, its end included.
    pub fn line(&self) -> String {
        self.output.recv_timeout(PATIENCE).expect("an answer in time")
    }

    /// Send a command and get its answer, messages apart.
    #[allow(dead_code)]
    pub fn ask(&self, command: &str) -> String {
        self.send(format!("{command}\n"));
        loop {
            let line = self.line();
            if !line.starts_with("MESSAGE ") {
                return line.trim_end().to_owned();
            }
        }
    }

    /// Send any bytes and get all that is said to them, until everything was met or the session
    /// ended by itself (then `true`). Searches are stopped as soon as they begin.
    pub fn feed(&self, bytes: &[u8]) -> (Vec<String>, bool) {
        let mut said = Vec::new();
        self.send(bytes);
        self.send("\nDONE\n");
        let began = Instant::now();
        loop {
            self.send(format!("YXSTOP\n{BARRIER}\n"));
            match self.output.recv_timeout(Duration::from_millis(2)) {
                Ok(line) if line.contains(BARRIER) => return (said, false),
                Ok(line) if line.starts_with("<end: ") => {
                    assert_eq!(line, "<end: Ok(())>");
                    return (said, true);
                }
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the session panicked"),
            }
            assert!(began.elapsed() < PATIENCE, "no end of {said:?}");
        }
    }
}

/// The session's input: what was sent, until the other end is dropped.
struct Input {
    commands: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.commands.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// The session's output: every write becomes one item, so that a line in two pieces is noticed.
struct Output {
    answers: Sender<String>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8(bytes.to_vec()).expect("answers are UTF-8");
        match self.answers.send(text) {
            Ok(()) => Ok(bytes.len()),
            Err(_) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Panics unless the line is one that managers understand.
pub fn check_line(line: &str) {
    use kakugo_protocol::Reply;

    let text = line.strip_suffix('\n').unwrap_or_else(|| panic!("no line end: {line:?}"));
    assert!(!text.contains(['\n', '\r', '\0']), "more than a line: {line:?}");
    match Reply::parse(text) {
        Reply::Message(text) => {
            let known =
                ["depth ", "network ", "INFO MAX_"].iter().any(|start| text.starts_with(start));
            assert!(known, "odd message: {line:?}");
        }
        Reply::Error(text) | Reply::Unknown(text) => {
            assert!(!text.is_empty(), "bare word: {line:?}");
        }
        Reply::Other(text) => assert!(text.starts_with("INFO "), "odd line: {line:?}"),
        reply @ (Reply::Ok | Reply::Swap | Reply::Move(_) | Reply::Stones(_)) => {
            assert_eq!(reply.to_string(), text);
        }
        Reply::About(_) | Reply::Forbid(_) => {}
        Reply::Debug(_) | Reply::Suggest(_) => panic!("never said: {line:?}"),
    }
}
