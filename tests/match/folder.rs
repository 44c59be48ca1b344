//! Running matches in temporary folders.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

static FOLDERS: AtomicU32 = AtomicU32::new(0);

/// A temporary folder for one match. Its processes carry a mark in their environment.
pub struct MatchFolder {
    folder: PathBuf,
    mark: String,
}

impl MatchFolder {
    pub fn new() -> MatchFolder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let mark = format!("match-{}-{number}", std::process::id());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(&mark);
        std::fs::create_dir_all(&folder).expect("a folder for the match");
        MatchFolder { folder, mark }
    }

    /// Returns the path of a file in the folder.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    /// Returns the command `match` with these arguments and `--record games.jsonl`.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        command.arg("match").args(words).args(["--record", &self.path("games.jsonl")]);
        command.env("KAKUGO_TEST_MARK", &self.mark).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a match to its end. Panics if it hangs or leaves a process behind.
    pub fn play(&self, words: &[&str]) -> Output {
        let child = self.command(words).spawn().expect("the program starts");
        let output = finish(child, Duration::from_secs(300));
        self.assert_empty();
        output
    }

    /// Runs a match that must succeed. Returns its games in order.
    pub fn games(&self, words: &[&str]) -> Vec<Value> {
        let output = self.play(words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        self.recorded("games.jsonl")
    }

    /// Returns the games in a record file, by number.
    pub fn recorded(&self, file: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path(file)).expect("a record");
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut games: Vec<Value> = lines.filter(|line| line["kind"] == "game").collect();
        games.sort_by_key(|game| game["id"].as_u64());
        games
    }

    /// Asserts that no process with the mark is running.
    pub fn assert_empty(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        let mut left = self.processes();
        // A killed process may take a moment to disappear.
        while !left.is_empty() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
            left = self.processes();
        }
        assert!(left.is_empty(), "processes are still running: {left:?}");
    }

    /// Returns the processes with the mark (Linux only; empty on other systems).
    pub fn processes(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
        let mark = format!("KAKUGO_TEST_MARK={}\0", self.mark);
        let marked = |path: &PathBuf| {
            let environment = std::fs::read(path.join("environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|window| window == mark.as_bytes())
        };
        let paths = entries.flatten().map(|entry| entry.path());
        paths.filter(marked).map(|path| path.display().to_string()).collect()
    }
}

impl Drop for MatchFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Waits for a process. Panics if it does not end in time.
pub fn finish(mut child: std::process::Child, patience: Duration) -> Output {
    let deadline = Instant::now() + patience;
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    let read = |pipe: &mut Option<_>| pipe.take().map(|pipe| std::thread::spawn(|| drain(pipe)));
    let stdout = out.take().map(|pipe| std::thread::spawn(move || drain(pipe)));
    let stderr = read(&mut err);
    while child.try_wait().expect("a child to wait for").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the match hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let join = |thread: Option<std::thread::JoinHandle<Vec<u8>>>| {
        thread.and_then(|thread| thread.join().ok()).unwrap_or_default()
    };
    Output {
        status: child.wait().expect("a child to wait for"),
        stdout: join(stdout),
        stderr: join(stderr),
    }
}

fn drain(mut pipe: impl std::io::Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = pipe.read_to_end(&mut bytes);
    bytes
}

/// Returns output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns the arguments of a toy engine with a name and a behaviour.
pub fn toy(name: &str, behaviour: &str, more: &[&str]) -> Vec<String> {
    let program = std::env::current_exe().expect("the path of this program");
    let mut words = vec!["--engine".to_owned(), format!("cmd='{}'", program.display())];
    words.push(format!("name={name}"));
    words.push(format!("env.{}={behaviour}", super::toy::VARIABLE));
    words.extend(more.iter().map(|&word| word.to_owned()));
    words
}

/// Joins arguments to one command line.
pub fn line<'a>(parts: &[&'a [String]], more: &[&'a str]) -> Vec<&'a str> {
    let mut words: Vec<&str> = parts.iter().flat_map(|p| p.iter().map(String::as_str)).collect();
    words.extend(more);
    words
}

/// Returns the points of a game as text.
pub fn points(game: &Value) -> Vec<String> {
    let moves = game["moves"].as_array().expect("moves");
    moves.iter().map(|m| format!("{},{}", m["at"][0], m["at"][1])).collect()
}

/// Returns the facts of a game that do not depend on time.
pub fn essence(game: &Value) -> String {
    let facts = ["id", "pair", "black", "white", "winner", "reason", "opening"];
    let facts: Vec<String> = facts.iter().map(|key| game[key].to_string()).collect();
    format!("{} {}", facts.join(" "), points(game).join(" "))
}
