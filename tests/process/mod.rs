//! A client of the program in a process of its own, as managers run it.
//!
//! `KAKUGO_PROGRAM` sets the path of another build to test.

// Test binaries use different parts of this module.
#![allow(dead_code)]

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::Point;
use kakugo_protocol::Reply;

/// Maximum time to wait. It detects hangs, not slowness: a search that ignores a stop would run for
/// days.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An unknown command. Its reply shows that all commands before it are finished.
const BARRIER: &str = "ARE-YOU-THERE-7d41c9";

/// Returns the path of the program to test.
pub fn program() -> OsString {
    let built = || OsString::from(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    std::env::var_os("KAKUGO_PROGRAM").unwrap_or_else(built)
}

/// A running engine with its output. It is killed on drop.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Process {
    /// Start it.
    pub fn start() -> Process {
        Process::start_with(&[])
    }

    /// Start it with these arguments.
    pub fn start_with(arguments: &[&str]) -> Process {
        let mut child = Command::new(program())
            .args(arguments)
            .env_remove("RUST_LOG")
            .env_remove("KAKUGO_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = lines_of(child.stdout.take().unwrap());
        let errors = lines_of(child.stderr.take().unwrap());
        let stdin = child.stdin.take();
        Process { child, stdin, lines, errors }
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes.as_ref()).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n"));
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Returns the next line.
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("a line in time")
    }

    /// Returns the next line if it arrives within this time.
    pub fn line_within(&mut self, time: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(time)
    }

    /// Returns the next line that is not a message.
    pub fn answer(&mut self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("MESSAGE ") {
                return line;
            }
        }
    }

    /// Sends a line and returns its reply.
    pub fn ask(&mut self, command: &str) -> String {
        self.say(command);
        self.answer()
    }

    /// Sends a line and returns the move of its reply.
    pub fn ask_move(&mut self, command: &str) -> Point {
        let answer = self.ask(command);
        match Reply::parse(&answer) {
            Reply::Move(p) => p,
            _ => panic!("{command}: {answer}"),
        }
    }

    /// Sends lines and returns all replies and messages.
    pub fn hear(&mut self, lines: &str) -> Vec<String> {
        self.send(format!("{lines}\n{BARRIER}\n"));
        let heard = std::iter::repeat_with(|| self.line());
        heard.take_while(|line| !line.contains(BARRIER)).collect()
    }

    /// Waits for the first report of a search.
    pub fn wait_for_search(&mut self) {
        while !self.line().starts_with("MESSAGE depth") {}
    }

    /// Waits for the end of the process and returns its status. Fails on any further reply.
    pub fn ended(mut self) -> ExitStatus {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "the process does not end");
            thread::sleep(Duration::from_millis(2));
        };
        let more: Vec<String> =
            self.lines.iter().filter(|line| !line.starts_with("MESSAGE ")).collect();
        assert_eq!(more, Vec::<String>::new(), "unexpected replies");
        assert_eq!(self.errors.iter().collect::<Vec<_>>(), Vec::<String>::new(), "stderr");
        status
    }

    /// Sends `END` and checks that the process ends successfully.
    pub fn end(mut self) {
        self.say("END");
        let status = self.ended();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the lines of a stream without their line ends. A missing line end is marked.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while reader.read_line(&mut line).is_ok_and(|count| count > 0) {
            let whole =
                line.strip_suffix('\n').map_or(format!("{line}<no line end>"), str::to_owned);
            if sender.send(whole).is_err() {
                return;
            }
            line.clear();
        }
    });
    lines
}
