//! A session with one engine process, with a transcript.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::profile::{Profile, ReplyParsing};
use super::reply_form::{SkippedLines, WrongForm};
use super::system::suspend;
use super::transcript::{Transcript, printable, printable_end};
use super::verdict::{Failure, NotPassed, ms};
use kakugo_protocol::StrictReply;
use kakugo_protocol::client::{EngineConfig, Exit, MemoryUsage, Process, Received};

/// Coordinates of a point in the protocol.
pub(super) type Coord = (u32, u32);

/// Time that a check waits beyond a limit, to measure overdue replies.
const OVERDUE_WAIT: Duration = Duration::from_millis(1500);
/// Time allowed beyond the limit of a move if timing is not tested.
const AMPLE_TIME: Duration = Duration::from_secs(6);
/// Minimum pause between a reply and the next command. An engine that drops commands sent right
/// after its reply then fails one check instead of all.
const PAUSE: Duration = Duration::from_millis(30);
/// Maximum number of lines before a reply.
const MAX_LINES: usize = 50_000;
/// Maximum number of `SUGGEST` before a move. Each is confirmed with `PLAY`.
const MAX_SUGGESTIONS: usize = 10;

/// The next output of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// A line, with the time of its arrival.
    Line(String, Instant),
    /// No output within the timeout.
    Timeout,
    /// The output was closed or the process ended.
    Closed,
}

/// A move with the time it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) at: Coord,
    pub(super) elapsed: Duration,
}

/// A session with one engine process.
pub(super) struct Session<'a> {
    profile: &'a Profile,
    process: Process,
    transcript: Transcript,
    size: Coord,
    occupied: BTreeSet<Coord>,
    /// The `INFO` lines of the game by key.
    infos: Vec<(String, String)>,
    /// True if a position was sent in this game.
    board_sent: bool,
    /// Time of the last send.
    sent: Instant,
    /// Time of the last reply, after which nothing is sent for `pause`.
    replied_at: Option<Instant>,
    pause: Duration,
}

impl<'a> Session<'a> {
    /// Starts the process.
    pub(super) fn start(
        config: &EngineConfig,
        profile: &'a Profile,
    ) -> Result<Session<'a>, NotPassed> {
        let process = Process::spawn(config).map_err(|error| {
            NotPassed::Fail(Failure {
                transcript: Vec::new(),
                actual: error.to_string(),
                expected: "a program that can be started".to_owned(),
                advice: None,
                crashed: false,
            })
        })?;
        Ok(Session {
            profile,
            process,
            transcript: Transcript::new(),
            size: (15, 15),
            occupied: BTreeSet::new(),
            infos: Vec::new(),
            board_sent: false,
            sent: Instant::now(),
            replied_at: None,
            pause: config.pause.0.max(PAUSE),
        })
    }

    /// Sends lines with the manager's line ending.
    pub(super) fn send(&mut self, lines: &str) {
        self.wait_for_pause();
        let mut bytes = String::new();
        for line in lines.lines() {
            self.store_info(line);
            self.transcript.sent(line);
            bytes += line;
            bytes += self.profile.line_end;
        }
        self.sent = Instant::now();
        self.process.send_bytes(bytes.as_bytes());
    }

    /// Sends the time limit per move.
    pub(super) fn send_turn(&mut self, limit: Duration) {
        self.send(&format!("INFO timeout_turn {}", limit.as_millis()));
    }

    /// Stores an `INFO` line for [`Session::resend_infos`].
    fn store_info(&mut self, line: &str) {
        let Some(info) = line.strip_prefix("INFO ") else { return };
        let key = info.split(' ').next().unwrap_or_default().to_owned();
        self.infos.retain(|(known, _)| *known != key);
        self.infos.push((key, line.to_owned()));
    }

    /// Sends bytes as they are.
    pub(super) fn send_bytes(&mut self, bytes: &[u8]) {
        self.wait_for_pause();
        self.transcript.sent(&String::from_utf8_lossy(bytes));
        self.sent = Instant::now();
        self.process.send_bytes(bytes);
    }

    /// Disables the pause between a reply and the next command.
    pub(super) fn disable_pause(&mut self) {
        self.pause = Duration::ZERO;
    }

    /// Waits for the pause after the last reply.
    fn wait_for_pause(&mut self) {
        if let Some(replied_at) = self.replied_at.take() {
            std::thread::sleep(self.pause.saturating_sub(replied_at.elapsed()));
        }
    }

    /// Clears the stones and sets the board size.
    pub(super) fn new_game(&mut self, width: u32, height: u32) {
        (self.size, self.occupied) = ((width, height), BTreeSet::new());
        self.board_sent = false;
    }

    /// Marks a point as occupied or empty.
    pub(super) fn set_occupied(&mut self, at: Coord, occupied: bool) {
        if occupied {
            self.occupied.insert(at);
        } else {
            self.occupied.remove(&at);
        }
    }

    /// Returns true if the point is empty.
    pub(super) fn is_free(&self, at: Coord) -> bool {
        !self.occupied.contains(&at)
    }

    /// Returns the next line of any kind.
    pub(super) fn next_line(&mut self, timeout: Duration) -> Output {
        match self.process.receive(Instant::now() + timeout) {
            Received::Line(line) => {
                self.transcript.received(&line.text, line.at);
                Output::Line(line.text, line.at)
            }
            Received::Overlong => {
                let text = "a line of more than 8000 bytes".to_owned();
                self.transcript.event(&text);
                Output::Line(text, Instant::now())
            }
            Received::Nothing => Output::Timeout,
            Received::Closed => {
                self.transcript.event("output closed");
                Output::Closed
            }
        }
    }

    /// Returns the next line that is not a message.
    pub(super) fn next_reply(&mut self, timeout: Duration) -> Output {
        let deadline = Instant::now() + timeout;
        for _ in 0..MAX_LINES {
            let output = self.next_line(deadline.saturating_duration_since(Instant::now()));
            let Output::Line(text, _) = &output else { return output };
            if !matches!(StrictReply::parse(text), StrictReply::Message(_)) {
                self.replied_at = Some(Instant::now());
                return output;
            }
        }
        let text = format!("{MAX_LINES} messages without a reply");
        self.transcript.event(&text);
        Output::Line(text, Instant::now())
    }

    /// Sends a command and waits up to `timeout` for a reply that satisfies `fits`.
    pub(super) fn request(
        &mut self,
        command: &str,
        timeout: Duration,
        expected: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<(String, Duration), NotPassed> {
        self.send(command);
        self.await_reply(timeout, expected, fits)
    }

    /// Waits for a reply like [`Session::request`], without sending a command.
    pub(super) fn await_reply(
        &mut self,
        timeout: Duration,
        expected: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<(String, Duration), NotPassed> {
        let (sent, deadline) = (self.sent, self.sent + timeout + OVERDUE_WAIT);
        let expected = format!("{expected} within {}", ms(timeout));
        let mut skipped = SkippedLines::default();
        loop {
            let output = self.next_reply(deadline.saturating_duration_since(Instant::now()));
            match output {
                Output::Line(text, at) if fits(&text) => {
                    let elapsed = at.saturating_duration_since(sent);
                    if elapsed > timeout {
                        let actual = format!("\"{}\" after {}", printable(&text), ms(elapsed));
                        return Err(self.fail(actual, expected));
                    }
                    return Ok((text, elapsed));
                }
                Output::Line(text, at) if self.profile.parsing.skips(&text) => {
                    skipped.add(&text, &fits);
                    // Endless output never leads to a timeout.
                    if at >= deadline {
                        return Err(self.fail_overdue(timeout, expected, &skipped));
                    }
                }
                Output::Line(text, _) => {
                    let form = WrongForm::of(&text, &fits);
                    let failure = self.fail(format!("\"{}\"", printable(&text)), expected);
                    return Err(WrongForm::explain(form.as_ref(), failure, self.profile));
                }
                Output::Timeout => return Err(self.fail_overdue(timeout, expected, &skipped)),
                Output::Closed => return Err(self.fail_closed(expected)),
            }
        }
    }

    /// Sends a command and expects `OK`.
    pub(super) fn expect_ok(&mut self, command: &str) -> Result<Duration, NotPassed> {
        let profile = self.profile;
        Ok(self.request(command, profile.start_timeout, "OK", |text| is_ok(text, profile))?.1)
    }

    /// Sends a command and expects `OK`. An engine that rejects it by `ERROR` or `UNKNOWN` does not
    /// support it.
    pub(super) fn expect_ok_if_supported(
        &mut self,
        command: &str,
        timeout: Duration,
        expected: &str,
    ) -> Result<(), NotPassed> {
        let profile = self.profile;
        let fits = |text: &str| is_ok(text, profile) || is_rejection(text);
        let (text, _) = self.request(command, timeout, expected, fits)?;
        if is_rejection(&text) { Err(NotPassed::Unsupported(text)) } else { Ok(()) }
    }

    /// Sends `START 20` and, if it is rejected, `START 15`. Returns the board size.
    pub(super) fn start_large(&mut self) -> Result<u32, NotPassed> {
        let profile = self.profile;
        let rejected = |text: &str| StrictReply::parse(text) == StrictReply::Error;
        let fits = |text: &str| is_ok(text, profile) || rejected(text);
        let (text, _) = self.request("START 20", profile.start_timeout, "OK", fits)?;
        let size = if rejected(&text) { 15 } else { 20 };
        if size == 15 {
            self.expect_ok("START 15")?;
        }
        self.new_game(size, size);
        Ok(size)
    }

    /// Sends a command and expects a move, with ample time. Timing has checks of its own, so that a
    /// fault fails only one check.
    pub(super) fn play(&mut self, command: &str, limit: Duration) -> Result<Played, NotPassed> {
        self.play_within(command, limit + AMPLE_TIME)
    }

    /// Sends a command and expects a move within `time`.
    pub(super) fn play_within(
        &mut self,
        command: &str,
        time: Duration,
    ) -> Result<Played, NotPassed> {
        self.send(command);
        self.await_move(time)
    }

    /// Waits for a move.
    pub(super) fn await_move(&mut self, time: Duration) -> Result<Played, NotPassed> {
        self.await_move_unless(time, "a move x,y", |_| false)
    }

    /// Waits for a move. An engine that replies `ERROR` or `UNKNOWN` does not support the position.
    pub(super) fn await_move_if_supported(&mut self, time: Duration) -> Result<Played, NotPassed> {
        self.await_move_unless(time, "a move x,y, or ERROR", is_rejection)
    }

    /// Waits for a move, or for a reply that is a rejection.
    fn await_move_unless(
        &mut self,
        time: Duration,
        expected: &str,
        rejected: impl Fn(&str) -> bool,
    ) -> Result<Played, NotPassed> {
        let parsing = self.profile.parsing;
        let answers = |text: &str| {
            let is_move = xy(text, parsing).is_some() || suggested(text, parsing).is_some();
            is_move || rejected(text)
        };
        let (mut text, mut elapsed) = self.await_reply(time, expected, answers)?;
        let mut suggestions = 0;
        while let Some(point) = suggested(&text, parsing) {
            suggestions += 1;
            if suggestions > MAX_SUGGESTIONS {
                return Err(self.fail(format!("SUGGEST {suggestions} times in a row"), expected));
            }
            self.send(&format!("PLAY {point}"));
            let rest = time.saturating_sub(elapsed);
            let (next, more) = self.await_reply(rest, expected, answers)?;
            (text, elapsed) = (next, elapsed + more);
        }
        if rejected(&text) {
            return Err(NotPassed::Unsupported(text));
        }
        let actual = printable(&text);
        let Some(at) = xy(&text, parsing) else { return Err(self.fail(actual, expected)) };
        let (width, height) = self.size;
        if at.0 >= width || at.1 >= height {
            return Err(self.fail(actual, format!("a point of the {width}x{height} board")));
        }
        if !self.occupied.insert(at) {
            return Err(self.fail(actual, "an empty point"));
        }
        Ok(Played { at, elapsed })
    }

    /// Sends `TURN` and expects a move.
    pub(super) fn turn(&mut self, at: Coord, limit: Duration) -> Result<Played, NotPassed> {
        self.set_occupied(at, true);
        self.play(&format!("TURN {},{}", at.0, at.1), limit)
    }

    /// Sends a position and expects a move, with ample time.
    pub(super) fn play_board(
        &mut self,
        stones: &[(Coord, u8)],
        limit: Duration,
    ) -> Result<Played, NotPassed> {
        self.send_board(stones)?;
        self.await_move(limit + AMPLE_TIME)
    }

    /// Sends a position like [`Session::play_board`], but in the same game: it replaces the
    /// previous one.
    pub(super) fn replace_board(
        &mut self,
        stones: &[(Coord, u8)],
        limit: Duration,
    ) -> Result<Played, NotPassed> {
        self.board_sent = false;
        self.play_board(stones, limit)
    }

    /// Sends a position like [`Session::play_board`] and expects a move within the limit and the
    /// slack.
    pub(super) fn play_timed(
        &mut self,
        stones: &[(Coord, u8)],
        limit: Duration,
    ) -> Result<Played, NotPassed> {
        self.send_board(stones)?;
        self.await_move(limit + self.profile.slack)
    }

    /// Sends a position. Managers do so at the start of a game, and many engines rely on it, so a
    /// new game is started before every position except the first.
    pub(super) fn send_board(&mut self, stones: &[(Coord, u8)]) -> Result<(), NotPassed> {
        if self.board_sent {
            let (width, height) = self.size;
            let start = match width == height {
                true => format!("START {width}"),
                false => format!("RECTSTART {width},{height}"),
            };
            self.expect_ok(&start)?;
            self.resend_infos();
        }
        self.board_sent = true;
        self.occupied = stones.iter().map(|stone| stone.0).collect();
        self.send(&board_command("BOARD", stones));
        Ok(())
    }

    /// Expects no output except messages for this time.
    pub(super) fn expect_silence(&mut self, time: Duration, after: &str) -> Result<(), NotPassed> {
        let (parsing, deadline) = (self.profile.parsing, Instant::now() + time);
        loop {
            match self.next_reply(deadline.saturating_duration_since(Instant::now())) {
                Output::Timeout => return Ok(()),
                // A line that the manager does not take for the next reply is harmless.
                Output::Line(text, at) if parsing.skips(&text) && xy(&text, parsing).is_none() => {
                    if at >= deadline {
                        return Ok(());
                    }
                }
                Output::Line(text, _) => {
                    let actual = format!("unexpected \"{}\"", printable(&text));
                    return Err(self.fail(actual, format!("no output except MESSAGE {after}")));
                }
                Output::Closed => {
                    return Err(self.fail_closed(format!("a running process {after}")));
                }
            }
        }
    }

    /// Sends the `INFO` lines of the previous game again, as managers do after `START` and
    /// `RESTART`.
    pub(super) fn resend_infos(&mut self) {
        let infos: Vec<&str> = self.infos.iter().map(|(_, line)| &**line).collect();
        let infos = infos.join("\n");
        self.send(&infos);
    }

    /// Expects the process to exit within this time.
    pub(super) fn expect_exit(&mut self, time: Duration) -> Result<(Exit, Duration), NotPassed> {
        let began = Instant::now();
        match self.process.exit_status_within(time) {
            Some(exit) => Ok((exit, began.elapsed())),
            None => {
                let expected = format!("exit within {}", ms(time));
                Err(self.fail(format!("still running after {}", ms(time)), expected))
            }
        }
    }

    /// Closes the input of the process.
    pub(super) fn close_input(&mut self) {
        self.transcript.event("input closed");
        self.process.close_input();
    }

    /// Suspends the process for a while, as managers do while the opponent is thinking. Returns
    /// false if that is not possible.
    pub(super) fn suspend_for(&mut self, time: Duration) -> bool {
        // Sent data must have reached the pipe.
        std::thread::sleep(Duration::from_millis(2));
        if !suspend(self.process.id(), true) {
            return false;
        }
        self.transcript.event(&format!("suspended for {}", ms(time)));
        std::thread::sleep(time);
        suspend(self.process.id(), false);
        true
    }

    /// Returns the latest output on stderr.
    pub(super) fn stderr(&self) -> String {
        self.process.stderr_so_far()
    }

    /// Returns the output on stderr before the process ended.
    pub(super) fn last_stderr(&self) -> String {
        self.process.last_stderr()
    }

    /// Returns the process id.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the memory use. Skips the check if the system does not report it.
    pub(super) fn usage(&self) -> Result<MemoryUsage, NotPassed> {
        MemoryUsage::of(self.process.id()).ok_or_else(unknown_memory)
    }

    /// Returns the private memory in bytes. Skips the check if the system does not report it.
    pub(super) fn private_memory(&self) -> Result<u64, NotPassed> {
        self.usage()?.private.ok_or_else(unknown_memory)
    }

    /// Returns the time of the last send.
    pub(super) fn sent_at(&self) -> Instant {
        self.sent
    }

    /// Returns a failure with the transcript.
    pub(super) fn fail(&self, actual: impl Into<String>, expected: impl Into<String>) -> NotPassed {
        let (actual, expected) = (actual.into(), expected.into());
        NotPassed::Fail(Failure {
            transcript: self.transcript.lines(),
            actual,
            expected,
            advice: None,
            crashed: false,
        })
    }

    /// Returns the failure of a missing reply, with what has arrived of a line.
    pub(super) fn fail_silent(
        &self,
        actual: impl Into<String>,
        expected: impl Into<String>,
    ) -> NotPassed {
        let (mut actual, unfinished) = (actual.into(), self.process.unfinished_line());
        if !unfinished.is_empty() {
            let line = printable(&unfinished);
            actual += &format!(", but \"{line}\" without a line end: print \\n after it and flush");
        }
        self.fail(actual, expected)
    }

    /// Returns the failure of a reply that is missing after `timeout`, with the skipped lines.
    fn fail_overdue(
        &self,
        timeout: Duration,
        expected: String,
        skipped: &SkippedLines,
    ) -> NotPassed {
        let waited = ms(timeout + OVERDUE_WAIT);
        let actual = format!("no reply within {waited}{}", skipped.text());
        let failure = self.fail_silent(actual, expected);
        WrongForm::explain(skipped.form.as_ref(), failure, self.profile)
    }

    /// Returns the failure of a process that closed its output.
    pub(super) fn fail_closed(&mut self, expected: impl Into<String>) -> NotPassed {
        let exit = self.process.exit_status_within(Duration::from_millis(300));
        let how = exit.map_or("output closed".to_owned(), |exit| format!("process ended ({exit})"));
        let stderr = self.process.last_stderr();
        let words = if stderr.is_empty() {
            String::new()
        } else {
            format!("; stderr: {}", printable_end(&stderr))
        };
        self.fail(how + &words, expected).by_crash()
    }
}

fn unknown_memory() -> NotPassed {
    NotPassed::Skipped("memory use is not available on this system".into())
}

/// Parses a move as the manager does.
fn xy(text: &str, parsing: ReplyParsing) -> Option<Coord> {
    match (StrictReply::parse(text), parsing) {
        (StrictReply::Moves(moves), _) if moves.len() == 1 => Some(moves[0]),
        (_, ReplyParsing::Scanning) => {
            let (x, rest) = scanned_number(text)?;
            Some((x, scanned_number(rest.strip_prefix(',')?)?.0))
        }
        (_, ReplyParsing::Lenient) => {
            let (x, y) = text.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        }
        _ => None,
    }
}

/// Returns the point of a `SUGGEST`, which Piskvork confirms with `PLAY`.
fn suggested(text: &str, parsing: ReplyParsing) -> Option<&str> {
    let is_suggestion = |word: &str| word.eq_ignore_ascii_case("suggest ");
    (parsing == ReplyParsing::Scanning && text.get(..8).is_some_and(is_suggestion))
        .then(|| &text[8..])
}

/// Parses a number like `%d` of `sscanf`. Returns the number and the rest.
fn scanned_number(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Returns true if the manager accepts the line as `OK`.
pub(super) fn is_ok(text: &str, profile: &Profile) -> bool {
    let upper = text.to_ascii_uppercase();
    let with_text = matches!(profile.parsing, ReplyParsing::Lenient | ReplyParsing::FirstLetter);
    upper == "OK" || with_text && upper.starts_with("OK")
}

/// Returns true if the engine rejects a command.
pub(super) fn is_rejection(text: &str) -> bool {
    matches!(StrictReply::parse(text), StrictReply::Error | StrictReply::Unknown)
}

/// Returns `BOARD` or a similar command with its lines.
pub(super) fn board_command(word: &str, stones: &[(Coord, u8)]) -> String {
    let lines: String = stones.iter().map(|((x, y), field)| format!("{x},{y},{field}\n")).collect();
    format!("{word}\n{lines}DONE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_parsed_like_each_manager_does() {
        for (text, exact, scanned, lenient) in [
            ("7,8", true, true, true),
            ("7,8 ", false, true, true),
            ("7,8 and more", false, true, false),
            (" 7, 8", false, true, true),
            ("7 ,8", false, false, true),
            ("SUGGEST 7,8", false, false, false),
            ("-7,8", false, false, false),
            ("", false, false, false),
        ] {
            let read = |parsing| xy(text, parsing) == Some((7, 8));
            let skipping = read(ReplyParsing::Skipping);
            assert_eq!((read(ReplyParsing::Exact), skipping), (exact, exact), "{text:?}");
            assert_eq!(read(ReplyParsing::Scanning), scanned, "{text:?}");
            assert_eq!(read(ReplyParsing::Lenient), lenient, "{text:?}");
        }
    }
}
