//! The real program in a process of its own, spoken to as managers do.
//!
//! `KAKUGO_PROGRAM` names another build than the tests' own.

// Each test uses a part of this.
#![allow(dead_code)]

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::Point;
use kakugo_protocol::Reply;

/// Longest wait for anything. It says that something hangs, not that it is slow: searches that are
/// to be cut short would go on for days.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A command that is answered by `UNKNOWN` when everything before it was met.
const BARRIER: &str = "ARE-YOU-THERE-7d41c9";

/// The program that is tested.
pub fn program() -> OsString {
    let built = || OsString::from(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    std::env::var_os("KAKUGO_PROGRAM").unwrap_or_else(built)
}

/// A running engine and its lines; it is killed when this goes.
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

    /// Its number in the system.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Send these bytes.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes.as_ref()).and_then(|()| stdin.flush()).expect("the engine reads");
    }

    /// Send a line.
    pub fn say(&mut self, line: &str) {
        self.send(format!("{line}\n"));
    }

    /// Send nothing more: the end of its input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// The next line of any kind.
    pub fn line(&mut self) -> String {
        self.line_within(PATIENCE).expect("a line in time")
    }

    /// The next line, if it comes within this time.
    pub fn line_within(&mut self, time: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(time)
    }

    /// The next line that answers something.
    pub fn answer(&mut self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with("MESSAGE ") {
                return line;
            }
        }
    }

    /// Send a line and get its answer.
    pub fn ask(&mut self, command: &str) -> String {
        self.say(command);
        self.answer()
    }

    /// Send a line that is answered by a move.
    pub fn ask_move(&mut self, command: &str) -> Point {
        let answer = self.ask(command);
        match Reply::parse(&answer) {
            Reply::Move(p) => p,
            _ => panic!("{command}: {answer}"),
        }
    }

    /// Send lines and get all that is said to them.
    pub fn hear(&mut self, lines: &str) -> Vec<String> {
        self.send(format!("{lines}\n{BARRIER}\n"));
        let heard = std::iter::repeat_with(|| self.line());
        heard.take_while(|line| !line.contains(BARRIER)).collect()
    }

    /// Wait until it tells of a search, which so has begun.
    pub fn wait_until_it_thinks(&mut self) {
        while !self.line().starts_with("MESSAGE depth") {}
    }

    /// Nothing more is said until the process has ended; how it ended.
    pub fn ended(mut self) -> ExitStatus {
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "the process goes on");
            thread::sleep(Duration::from_millis(2));
        };
        let more: Vec<String> =
            self.lines.iter().filter(|line| !line.starts_with("MESSAGE ")).collect();
        assert_eq!(more, Vec::<String>::new(), "nothing is said at the end");
        assert_eq!(self.errors.iter().collect::<Vec<_>>(), Vec::<String>::new(), "stderr");
        status
    }

    /// `END`, and all that must hold then.
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

/// The lines of a stream, each with its end checked and cut off.
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
