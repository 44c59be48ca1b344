//! One engine process in conversation with a manager that keeps a record of it.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::profile::{Profile, Reading};
use super::system::suspend;
use super::transcript::{Transcript, shown};
use super::verdict::{Failure, Stop, ms};
use kakugo_protocol::StrictReply;
use kakugo_protocol::client::{EngineConfig, Exit, MemoryUsage, Process, Received};

/// A point on the wire.
pub(super) type Xy = (u32, u32);

/// How long a check waits beyond a limit to see how late an answer is.
const LATE: Duration = Duration::from_millis(1500);
/// What a move may take beyond its limit where time does not matter.
const UNTIMED: Duration = Duration::from_secs(6);
/// Nothing is sent for this long after an answer: an engine that loses what comes at once fails one check,
/// not all.
const PAUSE: Duration = Duration::from_millis(30);
/// Lines after which no answer is expected any more.
const MAX_LINES: usize = 50_000;

/// What comes next from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Heard {
    /// A line, and when it came.
    Line(String, Instant),
    /// Nothing in the time given.
    Silence,
    /// Its output was closed, or it ended.
    Closed,
}

/// A move, and the time that it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) at: Xy,
    pub(super) elapsed: Duration,
}

/// One engine process in conversation.
pub(super) struct Trial<'a> {
    profile: &'a Profile,
    process: Process,
    talk: Transcript,
    size: Xy,
    taken: BTreeSet<Xy>,
    /// The `INFO` lines of the game, by their keys.
    infos: Vec<(String, String)>,
    /// Whether a position was laid out in this game.
    laid_out: bool,
    /// When the last bytes were sent.
    sent: Instant,
    /// When the last line came that was no message, and how long nothing is sent after it.
    answered: Option<Instant>,
    pause: Duration,
}

impl<'a> Trial<'a> {
    /// Start the process.
    pub(super) fn begin(config: &EngineConfig, profile: &'a Profile) -> Result<Trial<'a>, Stop> {
        let process = Process::spawn(config).map_err(|error| {
            Stop::Fail(Failure {
                talk: Vec::new(),
                came: error.to_string(),
                wanted: "a program that starts".to_owned(),
            })
        })?;
        Ok(Trial {
            profile,
            process,
            talk: Transcript::new(),
            size: (15, 15),
            taken: BTreeSet::new(),
            infos: Vec::new(),
            laid_out: false,
            sent: Instant::now(),
            answered: None,
            pause: config.pause.0.max(PAUSE),
        })
    }

    /// Send lines, each by the manager's line end.
    pub(super) fn say(&mut self, lines: &str) {
        self.rest();
        let mut bytes = String::new();
        for line in lines.lines() {
            self.note_info(line);
            self.talk.sent(line);
            bytes += line;
            bytes += self.profile.line_end;
        }
        self.sent = Instant::now();
        self.process.send_bytes(bytes.as_bytes());
    }

    /// Remember what an `INFO` line sets.
    fn note_info(&mut self, line: &str) {
        let Some(info) = line.strip_prefix("INFO ") else { return };
        let key = info.split(' ').next().unwrap_or_default().to_owned();
        self.infos.retain(|(known, _)| *known != key);
        self.infos.push((key, line.to_owned()));
    }

    /// Send these bytes.
    pub(super) fn say_bytes(&mut self, bytes: &[u8]) {
        self.rest();
        self.talk.sent(&String::from_utf8_lossy(bytes));
        self.sent = Instant::now();
        self.process.send_bytes(bytes);
    }

    /// From now on commands come as soon as there is an answer.
    pub(super) fn hurry(&mut self) {
        self.pause = Duration::ZERO;
    }

    /// Wait until the engine may be spoken to again.
    fn rest(&mut self) {
        if let Some(answered) = self.answered.take() {
            std::thread::sleep(self.pause.saturating_sub(answered.elapsed()));
        }
    }

    /// Forget the stones of the game before; boards are of this size from now on.
    pub(super) fn new_game(&mut self, width: u32, height: u32) {
        (self.size, self.taken) = ((width, height), BTreeSet::new());
        self.laid_out = false;
    }

    /// A point that is not free, or that is free again.
    pub(super) fn mark(&mut self, at: Xy, taken: bool) {
        if taken {
            self.taken.insert(at);
        } else {
            self.taken.remove(&at);
        }
    }

    /// Whether nobody is known to have played here.
    pub(super) fn is_free(&self, at: Xy) -> bool {
        !self.taken.contains(&at)
    }

    /// The next line of any kind.
    pub(super) fn hear(&mut self, patience: Duration) -> Heard {
        match self.process.receive(Instant::now() + patience) {
            Received::Line(line) => {
                self.talk.heard(&line.text, line.at);
                Heard::Line(line.text, line.at)
            }
            Received::Overlong => {
                let text = "a line of more than 8000 bytes".to_owned();
                self.talk.done(&text);
                Heard::Line(text, Instant::now())
            }
            Received::Nothing => Heard::Silence,
            Received::Closed => {
                self.talk.done("its output is closed");
                Heard::Closed
            }
        }
    }

    /// The next line that is no message.
    pub(super) fn answer(&mut self, patience: Duration) -> Heard {
        let deadline = Instant::now() + patience;
        for _ in 0..MAX_LINES {
            let heard = self.hear(deadline.saturating_duration_since(Instant::now()));
            let Heard::Line(text, _) = &heard else { return heard };
            if !matches!(StrictReply::parse(text), StrictReply::Message(_)) {
                self.answered = Some(Instant::now());
                return heard;
            }
        }
        Heard::Silence
    }

    /// Ask for a line that this predicate takes for the answer, which comes within `patience`.
    pub(super) fn ask(
        &mut self,
        command: &str,
        patience: Duration,
        wanted: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<(String, Duration), Stop> {
        self.say(command);
        self.await_answer(patience, wanted, fits)
    }

    /// As [`Trial::ask`], for what was sent last.
    pub(super) fn await_answer(
        &mut self,
        patience: Duration,
        wanted: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<(String, Duration), Stop> {
        let (sent, deadline) = (self.sent, self.sent + patience + LATE);
        loop {
            let heard = self.answer(deadline.saturating_duration_since(Instant::now()));
            let wanted = format!("{wanted} within {}", ms(patience));
            match heard {
                Heard::Line(text, at) if fits(&text) => {
                    let elapsed = at.saturating_duration_since(sent);
                    if elapsed > patience {
                        return Err(self.fail(format!("\"{text}\" after {}", ms(elapsed)), wanted));
                    }
                    return Ok((text, elapsed));
                }
                Heard::Line(text, _) if self.profile.reading.passes_over(&text) => {}
                Heard::Line(text, _) => {
                    return Err(self.fail(format!("\"{}\"", shown(&text)), wanted));
                }
                Heard::Silence => {
                    let waited = ms(patience + LATE);
                    return Err(self.fail(format!("no answer in {waited}"), wanted));
                }
                Heard::Closed => return Err(self.gone(wanted)),
            }
        }
    }

    /// Send a command that is answered by `OK`.
    pub(super) fn ok(&mut self, command: &str) -> Result<Duration, Stop> {
        let profile = self.profile;
        Ok(self.ask(command, profile.start_patience, "OK", |text| is_ok(text, profile))?.1)
    }

    /// `START 20`, or, where that is refused (which fails a check of its own), `START 15`; which of both.
    pub(super) fn start_large(&mut self) -> Result<u32, Stop> {
        let profile = self.profile;
        let refused = |text: &str| StrictReply::parse(text) == StrictReply::Error;
        let fits = |text: &str| is_ok(text, profile) || refused(text);
        let (text, _) = self.ask("START 20", profile.start_patience, "OK", fits)?;
        let size = if refused(&text) { 15 } else { 20 };
        if size == 15 {
            self.ok("START 15")?;
        }
        self.new_game(size, size);
        Ok(size)
    }

    /// Send a command that is answered by a move. This is not about time: that is the matter of other
    /// checks, so that one fault fails one check.
    pub(super) fn play(&mut self, command: &str, limit: Duration) -> Result<Played, Stop> {
        self.play_within(command, limit + UNTIMED)
    }

    /// Send a command that is answered by a move in this time.
    pub(super) fn play_within(&mut self, command: &str, time: Duration) -> Result<Played, Stop> {
        self.say(command);
        self.await_move(time)
    }

    /// A move that was asked for.
    pub(super) fn await_move(&mut self, time: Duration) -> Result<Played, Stop> {
        let reading = self.profile.reading;
        let answers =
            |text: &str| xy(text, reading).is_some() || suggested(text, reading).is_some();
        let (mut text, mut elapsed) = self.await_answer(time, "a move x,y", answers)?;
        while let Some(point) = suggested(&text, reading) {
            self.say(&format!("PLAY {point}"));
            let rest = time.saturating_sub(elapsed);
            let (next, more) = self.await_answer(rest, "a move x,y", answers)?;
            (text, elapsed) = (next, elapsed + more);
        }
        let Some(at) = xy(&text, reading) else { return Err(self.fail(text, "a move x,y")) };
        let (width, height) = self.size;
        if at.0 >= width || at.1 >= height {
            return Err(self.fail(text, format!("a point of the {width}x{height} board")));
        }
        if !self.taken.insert(at) {
            return Err(self.fail(text, "a free point"));
        }
        Ok(Played { at, elapsed })
    }

    /// Answer to the opponent's stone.
    pub(super) fn turn(&mut self, at: Xy, limit: Duration) -> Result<Played, Stop> {
        self.mark(at, true);
        self.play(&format!("TURN {},{}", at.0, at.1), limit)
    }

    /// Lay out a position (points and fields) and have the engine play in it.
    pub(super) fn board(&mut self, stones: &[(Xy, u8)], limit: Duration) -> Result<Played, Stop> {
        self.lay_out(stones)?;
        self.await_move(limit + UNTIMED)
    }

    /// As [`Trial::board`], in the same game: the position takes the place of the one before.
    pub(super) fn board_again(
        &mut self,
        stones: &[(Xy, u8)],
        limit: Duration,
    ) -> Result<Played, Stop> {
        self.laid_out = false;
        self.board(stones, limit)
    }

    /// As [`Trial::board`], with no more time than the limit and what the manager grants beyond it.
    pub(super) fn timed(&mut self, stones: &[(Xy, u8)], limit: Duration) -> Result<Played, Stop> {
        self.lay_out(stones)?;
        self.await_move(limit + self.profile.slack)
    }

    /// Lay out a position in which the engine is to play. Managers do so at the beginning of a game, and
    /// many engines rely on that: so one is begun for every position but the first.
    pub(super) fn lay_out(&mut self, stones: &[(Xy, u8)]) -> Result<(), Stop> {
        if self.laid_out {
            let (width, height) = self.size;
            let start = match width == height {
                true => format!("START {width}"),
                false => format!("RECTSTART {width},{height}"),
            };
            self.ok(&start)?;
            self.inform_again();
        }
        self.laid_out = true;
        self.taken = stones.iter().map(|stone| stone.0).collect();
        self.say(&board_command("BOARD", stones));
        Ok(())
    }

    /// Nothing but messages may come for this long.
    pub(super) fn silence(&mut self, time: Duration, after: &str) -> Result<(), Stop> {
        let (reading, deadline) = (self.profile.reading, Instant::now() + time);
        loop {
            match self.answer(deadline.saturating_duration_since(Instant::now())) {
                Heard::Silence => return Ok(()),
                // What would not be taken for the next answer is no matter.
                Heard::Line(text, _)
                    if reading.passes_over(&text) && xy(&text, reading).is_none() => {}
                Heard::Line(text, _) => {
                    let came = format!("\"{}\", unasked", shown(&text));
                    return Err(self.fail(came, format!("no line but MESSAGE {after}")));
                }
                Heard::Closed => {
                    return Err(self.gone(format!("a process that goes on {after}")));
                }
            }
        }
    }

    /// Tell all that was told of the game before: managers do so after each `START` and `RESTART`.
    pub(super) fn inform_again(&mut self) {
        let infos: Vec<&str> = self.infos.iter().map(|(_, line)| &**line).collect();
        let infos = infos.join("\n");
        self.say(&infos);
    }

    /// The process must have ended by itself within this time.
    pub(super) fn ended(&mut self, time: Duration) -> Result<(Exit, Duration), Stop> {
        let began = Instant::now();
        match self.process.exit_status_within(time) {
            Some(exit) => Ok((exit, began.elapsed())),
            None => {
                let wanted = format!("the end of the process within {}", ms(time));
                Err(self.fail(format!("it still runs after {}", ms(time)), wanted))
            }
        }
    }

    /// The end of the input.
    pub(super) fn close_input(&mut self) {
        self.talk.done("the input is closed");
        self.process.close_input();
    }

    /// Let it sleep for a while, as managers do while the opponent thinks. False where that is not possible.
    pub(super) fn nap(&mut self, time: Duration) -> bool {
        // What was sent is to be in the pipe.
        std::thread::sleep(Duration::from_millis(2));
        if !suspend(self.process.id(), true) {
            return false;
        }
        self.talk.done(&format!("suspended for {}", ms(time)));
        std::thread::sleep(time);
        suspend(self.process.id(), false);
        true
    }

    /// What it wrote to stderr lately.
    pub(super) fn stderr(&self) -> String {
        self.process.stderr_so_far()
    }

    /// What it wrote to stderr before it ended.
    pub(super) fn last_stderr(&self) -> String {
        self.process.last_stderr()
    }

    /// The process's number.
    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Its memory; not every system tells.
    pub(super) fn usage(&self) -> Result<MemoryUsage, Stop> {
        let unknown = || Stop::Skipped("this system does not tell the memory of others".into());
        MemoryUsage::of(self.process.id()).ok_or_else(unknown)
    }

    /// When the last bytes were sent.
    pub(super) fn sent_at(&self) -> Instant {
        self.sent
    }

    /// A failure with the talk that led to it.
    pub(super) fn fail(&self, came: impl Into<String>, wanted: impl Into<String>) -> Stop {
        let (came, wanted) = (came.into(), wanted.into());
        Stop::Fail(Failure { talk: self.talk.lines(), came, wanted })
    }

    /// The failure of a process that has closed its output.
    pub(super) fn gone(&mut self, wanted: impl Into<String>) -> Stop {
        let exit = self.process.exit_status_within(Duration::from_millis(300));
        let how =
            exit.map_or("it closed its output".to_owned(), |exit| format!("it ended ({exit})"));
        let stderr = self.process.last_stderr();
        let words =
            if stderr.is_empty() { String::new() } else { format!("; stderr: {}", shown(&stderr)) };
        self.fail(how + &words, wanted)
    }
}

/// A move as a manager reads it.
fn xy(text: &str, reading: Reading) -> Option<Xy> {
    match (StrictReply::parse(text), reading) {
        (StrictReply::Moves(moves), _) if moves.len() == 1 => Some(moves[0]),
        (_, Reading::Scanning) => {
            let (x, rest) = scanned_number(text)?;
            Some((x, scanned_number(rest.strip_prefix(',')?)?.0))
        }
        (_, Reading::Lenient) => {
            let (x, y) = text.split_once(',')?;
            Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
        }
        _ => None,
    }
}

/// The point of a `SUGGEST`, which Piskvork answers by `PLAY` for its user.
fn suggested(text: &str, reading: Reading) -> Option<&str> {
    let is_suggestion = |word: &str| word.eq_ignore_ascii_case("suggest ");
    (reading == Reading::Scanning && text.get(..8).is_some_and(is_suggestion)).then(|| &text[8..])
}

/// A number as `sscanf` reads it by `%d`, and what follows it.
fn scanned_number(text: &str) -> Option<(u32, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// Whether a line is the `OK` that this manager wants.
pub(super) fn is_ok(text: &str, profile: &Profile) -> bool {
    let upper = text.to_ascii_uppercase();
    let with_text = matches!(profile.reading, Reading::Lenient | Reading::FirstLetter);
    upper == "OK" || with_text && upper.starts_with("OK")
}

/// `BOARD` or the like, with its lines.
pub(super) fn board_command(word: &str, stones: &[(Xy, u8)]) -> String {
    let lines: String = stones.iter().map(|((x, y), field)| format!("{x},{y},{field}\n")).collect();
    format!("{word}\n{lines}DONE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_each_manager_reads_them() {
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
            let read = |reading| xy(text, reading) == Some((7, 8));
            let skipping = read(Reading::Skipping);
            assert_eq!((read(Reading::Exact), skipping), (exact, exact), "{text:?}");
            assert_eq!(read(Reading::Scanning), scanned, "{text:?}");
            assert_eq!(read(Reading::Lenient), lenient, "{text:?}");
        }
    }
}
