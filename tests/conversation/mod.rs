//! A client of a session in this process, over channels. Much faster than a process per session.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use kakugo_session::SessionArgs;

/// Maximum time to wait for a line. It detects hangs, not slowness. Fuzzers run at low priority.
const PATIENCE: Duration = Duration::from_secs(if cfg!(fuzzing) { 1800 } else { 60 });

/// An unknown command. Its reply shows that all commands before it are finished.
const BARRIER: &str = "ARE-YOU-THERE-7d41c9";

/// A session with its input and output.
pub struct Conversation {
    input: Sender<Vec<u8>>,
    output: Receiver<String>,
}

impl Conversation {
    /// Starts a session.
    pub fn start() -> Conversation {
        let (input, commands) = channel();
        let (answers, output) = channel();
        thread::spawn(move || {
            let input = Input { commands, rest: Vec::new() };
            let output = Output { answers: answers.clone() };
            let outcome = kakugo_session::serve(input, output, SessionArgs::default());
            let _ = answers.send(format!("<end: {outcome:?}>"));
        });
        Conversation { input, output }
    }

    /// Sends bytes.
    pub fn send(&self, bytes: impl Into<Vec<u8>>) {
        let _ = self.input.send(bytes.into());
    }

    /// Returns the next line, including its line end.
    pub fn line(&self) -> String {
        self.output.recv_timeout(PATIENCE).expect("an answer in time")
    }

    /// Sends a command and returns its reply. Messages are skipped.
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

    /// Sends any bytes and returns all output, and true if the session has ended. Searches are
    /// stopped at once.
    pub fn feed(&self, bytes: &[u8]) -> (Vec<String>, bool) {
        let mut replies = Vec::new();
        self.send(bytes);
        self.send("\nDONE\n");
        let began = Instant::now();
        loop {
            self.send(format!("YXSTOP\n{BARRIER}\n"));
            match self.output.recv_timeout(Duration::from_millis(2)) {
                Ok(line) if line.contains(BARRIER) => return (replies, false),
                Ok(line) if line.starts_with("<end: ") => {
                    assert_eq!(line, "<end: Ok(())>");
                    return (replies, true);
                }
                Ok(line) => replies.push(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("the session panicked"),
            }
            assert!(began.elapsed() < PATIENCE, "the session hangs after {replies:?}");
        }
    }
}

/// The session's input, until the sender is dropped.
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

/// The session's output. Every write is one item, so that lines in two pieces are detected.
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

/// Panics unless the line is a valid reply.
pub fn check_line(line: &str) {
    use kakugo_protocol::Reply;

    let text = line.strip_suffix('\n').unwrap_or_else(|| panic!("no line end: {line:?}"));
    assert!(!text.contains(['\n', '\r', '\0']), "more than a line: {line:?}");
    match Reply::parse(text) {
        Reply::Message(text) => {
            let known =
                ["depth ", "network ", "INFO MAX_"].iter().any(|start| text.starts_with(start));
            assert!(known, "unexpected message: {line:?}");
        }
        Reply::Error(text) | Reply::Unknown(text) => {
            assert!(!text.is_empty(), "missing text: {line:?}");
        }
        Reply::Other(text) => assert!(text.starts_with("INFO "), "unexpected line: {line:?}"),
        reply @ (Reply::Ok | Reply::Swap | Reply::Move(_) | Reply::Stones(_)) => {
            assert_eq!(reply.to_string(), text);
        }
        Reply::About(_) | Reply::Forbid(_) => {}
        Reply::Debug(_) | Reply::Suggest(_) => panic!("unexpected reply: {line:?}"),
    }
}
