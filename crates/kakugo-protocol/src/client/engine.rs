//! An engine from the point of view of its manager.
//!
//! Commands are sent in the order of Piskvork: `START` (or `RESTART` for later games), wait for
//! `OK`, `INFO`s, then the position. Failures are returned as a [`Fault`] with a description. After
//! a fault, the caller kills the process; the next game starts a new one.

use std::thread;
use std::time::{Duration, Instant};

use super::answer::{Answer, Fault, Question};
use super::config::EngineConfig;
use super::memory::MemoryUsage;
use super::process::{Process, Received, TimedLine};
use super::setup::GameSetup;
use crate::{Command, Expected, Info, SearchInfo, StrictReply};

/// Interval between checks for a stop request and a dead process.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Longest time to wait for an answer: a year. Later deadlines may not be representable.
const MAX_PATIENCE: Duration = Duration::from_secs(365 * 24 * 3600);
/// Time for a process to exit after closing its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(300);
/// Maximum number of lines before an answer, and between two answers.
const MAX_LINES: usize = 100_000;
/// Interval between measurements of private memory, which take milliseconds.
const MEMORY_INTERVAL: Duration = Duration::from_millis(500);

/// Returns true if the caller no longer waits for an answer.
pub type Stopped<'a> = &'a dyn Fn() -> bool;

/// An engine that runs as a child process.
pub struct ExternalEngine {
    config: EngineConfig,
    process: Option<Process>,
    /// The last game of the process, if it has started.
    game: Option<GameSetup>,
    supports_restart: bool,
    answered: Option<Instant>,
    memory_checked: Option<Instant>,
}

impl ExternalEngine {
    /// Creates an engine. Its process is started by the first game.
    pub fn new(config: EngineConfig) -> ExternalEngine {
        ExternalEngine {
            config,
            process: None,
            game: None,
            supports_restart: true,
            answered: None,
            memory_checked: None,
        }
    }

    /// Returns the configuration.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Starts a new game by `RESTART` (on a board of the same size) or `START`, in a new process if
    /// necessary. Then sends the `INFO`s of the game.
    ///
    /// # Errors
    /// Returns the fault of the engine.
    pub fn new_game(&mut self, game: &GameSetup, stopped: Stopped<'_>) -> Result<(), Fault> {
        // Unknown until the engine has answered.
        let mut last = self.game.take();
        let is_ready = match &last {
            Some(last) => self.restart(last, game, stopped)?,
            None => false,
        };
        if !is_ready {
            last = None;
            self.kill();
            let process = Process::spawn(&self.config)
                .map_err(|error| Fault::Unstartable(error.to_string()))?;
            log::debug!("{}: process {} started", self.config.name, process.id());
            self.process = Some(process);
            self.ask(&Question::new(game.start(), self.config.startup.0), stopped)?;
        }
        self.send_infos(&game.infos(last, &self.config));
        self.game = Some(*game);
        Ok(())
    }

    /// Starts the game in the running process, after the game `last`. Returns false if the process
    /// must be replaced.
    fn restart(
        &mut self,
        last: &GameSetup,
        game: &GameSetup,
        stopped: Stopped<'_>,
    ) -> Result<bool, Fault> {
        self.pause();
        if let Err(fault) = self.read_leftovers() {
            log::info!("{}: replacing the process: {fault:?}", self.config.name);
            return Ok(false);
        }
        let same_size = last.start() == game.start();
        let restart = (self.supports_restart && same_size).then_some(Command::Restart);
        for command in restart.into_iter().chain([game.start()]) {
            let is_restart = command == Command::Restart;
            let question = Question::new(command, self.config.startup.0);
            let fault = match self.ask(&question, stopped) {
                Ok(_) => return Ok(true),
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => fault,
            };
            log::info!("{}: no answer to {}: {fault:?}", self.config.name, question.command);
            let is_rejected = matches!(fault, Fault::Protocol(_));
            if is_restart && (is_rejected || matches!(fault, Fault::Time(_))) {
                self.supports_restart = false;
            }
            if !is_rejected {
                break;
            }
        }
        Ok(false)
    }

    /// Sends `INFO`s, which have no answer.
    pub fn send_infos(&mut self, infos: &[Info]) {
        self.send(infos.iter().map(|info| format!("{info}\n")).collect());
    }

    /// Sends a command and waits for its answer.
    ///
    /// # Errors
    /// Returns the fault of the engine, or [`Fault::Stopped`].
    pub fn ask(&mut self, question: &Question, stopped: Stopped<'_>) -> Result<Answer, Fault> {
        self.pause();
        let result = self.read_leftovers().and_then(|()| {
            let asked = Instant::now();
            self.send(question.to_string());
            self.read_answer(question, asked, stopped)
        });
        self.answered = Some(Instant::now());
        result
    }

    /// Sends complete lines.
    fn send(&mut self, lines: String) {
        if let (Some(process), false) = (&self.process, lines.is_empty()) {
            self.pause();
            for line in lines.lines() {
                log::trace!("{} > {line}", self.config.name);
            }
            process.send(lines);
        }
    }

    /// Waits for the minimum time between an answer and the next command.
    fn pause(&self) {
        if let Some(answered) = self.answered {
            thread::sleep(self.config.pause.0.saturating_sub(answered.elapsed()));
        }
    }

    /// Reads lines that arrived after the last answer. Only messages are allowed.
    fn read_leftovers(&mut self) -> Result<(), Fault> {
        for _ in 0..MAX_LINES {
            let received = self.process.as_ref().map_or(Received::Closed, Process::pending);
            match received {
                Received::Nothing => return Ok(()),
                Received::Closed => return Err(self.exit_fault("between two moves")),
                Received::Overlong => self.violation("unexpected line of more than 8000 bytes")?,
                Received::Line(TimedLine { text, .. }) => {
                    log::trace!("{} < {text}", self.config.name);
                    if !matches!(StrictReply::parse(&text), StrictReply::Message(_)) {
                        self.violation(&format!("unexpected line '{}'", shorten(&text)))?;
                    }
                }
            }
        }
        Err(Fault::Protocol(format!("{MAX_LINES} lines after an answer")))
    }

    fn read_answer(
        &mut self,
        question: &Question,
        asked: Instant,
        stopped: Stopped<'_>,
    ) -> Result<Answer, Fault> {
        let Some(expected) = Expected::of(&question.command) else {
            return Err(Fault::Protocol(format!("{} is not answered", first_line(question))));
        };
        let deadline = asked + question.patience.min(MAX_PATIENCE);
        let mut search_info = SearchInfo::default();
        // The last line that a lenient manager skips.
        let mut skipped = None;
        for _ in 0..MAX_LINES {
            match self.next_received(deadline, stopped)? {
                Received::Line(TimedLine { text, at }) => {
                    log::trace!("{} < {text}", self.config.name);
                    let elapsed = at.saturating_duration_since(asked);
                    let reply = StrictReply::parse(&text);
                    if at < asked && !matches!(reply, StrictReply::Message(_)) {
                        // It arrived after the check for unexpected lines.
                        self.violation(&format!("unexpected line '{}'", shorten(&text)))?;
                        continue;
                    }
                    if elapsed > question.patience {
                        return Err(too_late(question, "", skipped.as_deref()));
                    }
                    match reply {
                        // Messages before the question belong to an earlier move.
                        StrictReply::Message(message) if at >= asked => {
                            search_info.update(&message)
                        }
                        StrictReply::Message(_) => {}
                        reply if expected.accepts(&reply) => {
                            return Ok(Answer { reply, elapsed, search_info });
                        }
                        reply if self.accepts_leniently(expected, &text) => {
                            self.violation(&format!("text after OK: '{}'", shorten(&text)))?;
                            return Ok(Answer { reply, elapsed, search_info });
                        }
                        // A lenient manager need not wait for `OK`, either.
                        StrictReply::Unknown | StrictReply::Error
                            if question.command == Command::Restart =>
                        {
                            return Err(Fault::Protocol(format!("RESTART: '{}'", shorten(&text))));
                        }
                        _ => {
                            self.violation(&format!(
                                "unexpected answer '{}' to {}: expected {}",
                                shorten(&text),
                                first_line(question),
                                expected.text()
                            ))?;
                            skipped = Some(text);
                        }
                    }
                }
                Received::Overlong => self.violation("line of more than 8000 bytes")?,
                Received::Nothing => {
                    let process = self.process.as_ref();
                    let unfinished = process.map(Process::unfinished_line).unwrap_or_default();
                    return Err(too_late(question, &unfinished, skipped.as_deref()));
                }
                Received::Closed => {
                    let when = format!("instead of answering {}", first_line(question));
                    return Err(self.exit_fault(&when));
                }
            }
        }
        Err(Fault::Protocol(format!("{MAX_LINES} lines without an answer")))
    }

    /// Returns the next event, or `Nothing` at the deadline. The end of the process counts as
    /// closed output, even if a child of it keeps the pipe open.
    fn next_received(
        &mut self,
        deadline: Instant,
        stopped: Stopped<'_>,
    ) -> Result<Received, Fault> {
        let Some(process) = &mut self.process else { return Ok(Received::Closed) };
        loop {
            // Also if lines arrive all the time.
            if stopped() {
                return Err(Fault::Stopped);
            }
            let received = process.receive(deadline.min(Instant::now() + POLL_INTERVAL));
            if !matches!(received, Received::Nothing) {
                return Ok(received);
            }
            if process.exit_status().is_some() {
                // Output written before the exit may still be in the pipe.
                let received = process.receive(Instant::now() + POLL_INTERVAL);
                let silent = matches!(received, Received::Nothing);
                return Ok(if silent { Received::Closed } else { received });
            }
            if Instant::now() >= deadline {
                return Ok(Received::Nothing);
            }
        }
    }

    /// Returns true if a lenient manager takes the line for `OK`, such as `OK - ready`.
    fn accepts_leniently(&self, expected: Expected, text: &str) -> bool {
        let word = text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        self.config.lenient && expected == Expected::Ok && word.eq_ignore_ascii_case("OK")
    }

    /// Handles a protocol violation: a fault, or a warning if the engine is configured as lenient.
    fn violation(&self, what: &str) -> Result<(), Fault> {
        if self.config.lenient {
            log::warn!("{}: protocol violation: {what}", self.config.name);
            return Ok(());
        }
        Err(Fault::Protocol(what.to_owned()))
    }

    /// Returns the fault of an engine whose output was closed.
    fn exit_fault(&mut self, when: &str) -> Fault {
        let Some(process) = &mut self.process else {
            return Fault::Crash("the process is not running".to_owned());
        };
        match process.exit_status_within(EXIT_TIMEOUT) {
            None => Fault::Disconnect(format!("closed its output {when}")),
            Some(exit) => {
                let lines = process.last_stderr();
                let stderr =
                    if lines.is_empty() { lines } else { format!("; stderr: {}", tail(&lines)) };
                Fault::Crash(format!("ended {when} ({exit}){stderr}"))
            }
        }
    }

    /// Checks the memory limit. Peak memory is checked every time, private memory at intervals or
    /// if `thoroughly` is set.
    ///
    /// # Errors
    /// Returns [`Fault::Memory`] if the limit is exceeded.
    pub fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        let (Some(limit), Some(process)) = (self.config.memory, &self.process) else {
            return Ok(());
        };
        let usage = if !thoroughly
            && self.memory_checked.is_some_and(|checked| checked.elapsed() < MEMORY_INTERVAL)
        {
            MemoryUsage::peak_of(process.id())
        } else {
            self.memory_checked = Some(Instant::now());
            MemoryUsage::of(process.id())
        };
        match usage {
            Some(usage) if usage.worst() > limit.0 => Err(Fault::Memory(format!(
                "{usage}, limit {:.1} MiB",
                limit.0 as f64 / f64::from(1 << 20)
            ))),
            _ => Ok(()),
        }
    }

    /// Ends the process by `END`, or kills it if it does not exit.
    pub fn end(&mut self) {
        self.game = None;
        if let Some(process) = self.process.take() {
            process.end();
        }
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.game = None;
        self.process = None;
    }
}

/// Returns the fault of a missing answer. `unfinished` is what has arrived of a line, `skipped` the
/// last line that was not an answer.
fn too_late(question: &Question, unfinished: &str, skipped: Option<&str>) -> Fault {
    let patience = question.patience.as_secs_f64();
    let unfinished = if unfinished.is_empty() {
        String::new()
    } else {
        format!("; '{}' has arrived without a line end", shorten(unfinished))
    };
    let skipped = skipped.map(|line| format!("; skipped: '{}'", shorten(line)));
    Fault::Time(format!(
        "no answer to {} within {patience:.2} s{unfinished}{}",
        first_line(question),
        skipped.unwrap_or_default()
    ))
}

/// Returns the first line of the command.
fn first_line(question: &Question) -> String {
    let text = question.command.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

/// Maximum number of characters of a shortened text.
const SHOWN: usize = 160;

/// Shortens a line for a report and replaces control characters.
fn shorten(text: &str) -> String {
    let shown = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = shown.take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    short
}

/// Shortens the output on stderr like [`shorten`], but to its end: most programs print the cause
/// last.
fn tail(text: &str) -> String {
    let omitted = text.chars().count().saturating_sub(SHOWN);
    let rest: String = text.chars().skip(omitted).collect();
    let mark = if omitted > 0 { "…" } else { "" };
    mark.to_owned() + &shorten(&rest)
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::super::options::EngineOptions;
    use super::*;
    use kakugo::board::Variant;

    /// Returns an engine whose shell script handles some commands by these cases. It lists the
    /// commands of its process in a message before the reply to `TURN`.
    fn engine(cases: &str) -> ExternalEngine {
        let script = format!(
            "while read -r line; do log=\"$log/$line\"; case $line in {cases}
             TURN*) echo \"MESSAGE log $log\"; echo 1,1;; INFO*) ;; *) echo OK;; esac; done"
        );
        let mut config =
            EngineOptions::from_words(&["sh"]).unwrap().resolve(Path::new("self")).unwrap();
        config.command = ["sh", "-c", &script].map(str::to_owned).to_vec();
        ExternalEngine::new(config)
    }

    const GAME: GameSetup = GameSetup { width: 15, height: 15, variant: Variant::FREESTYLE };

    /// Starts the games and returns the commands that the last process received.
    fn commands(engine: &mut ExternalEngine, games: &[GameSetup]) -> String {
        for game in games {
            engine.new_game(game, &|| false).unwrap();
        }
        let process = engine.process.as_ref().unwrap();
        process.send("TURN 7,7\n".to_owned());
        let received = process.receive(Instant::now() + Duration::from_secs(60));
        let Received::Line(line) = received else { panic!("{received:?}") };
        let sent = line.text.trim_start_matches("MESSAGE log /").to_owned();
        let is_setup = |command: &&str| !command.starts_with("INFO") || command.contains("win");
        sent.split('/').filter(is_setup).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_end_of_stderr_is_reported() {
        let traceback = format!("Traceback / {}ValueError: boom", "File x, line 1 / ".repeat(20));
        assert!(
            tail(&traceback).starts_with('…') && tail(&traceback).ends_with("ValueError: boom")
        );
        assert_eq!(tail(&traceback).chars().count(), SHOWN + 1);
        assert_eq!(tail("ValueError:\tboom"), "ValueError: boom");
    }

    #[test]
    fn games_on_another_board_are_started_anew() {
        let (large, wide) =
            (GameSetup { width: 20, height: 20, ..GAME }, GameSetup { width: 20, ..GAME });
        assert_eq!(
            commands(&mut engine(""), &[GAME, GAME, wide, large, large, GAME]),
            "START 15, RESTART, RECTSTART 20,15, START 20, RESTART, START 15, TURN 7,7"
        );
        let mut killed = engine("");
        killed.new_game(&GAME, &|| false).unwrap();
        killed.kill();
        assert_eq!(commands(&mut killed, &[GAME]), "START 15, TURN 7,7");
    }

    #[test]
    fn a_lenient_manager_accepts_text_after_ok_and_names_skipped_lines() {
        let mut lenient = engine("START*) echo loading; echo OK - toy;; BEGIN) echo thinking;;");
        lenient.config.lenient = true;
        lenient.new_game(&GAME, &|| false).unwrap();
        let begin = Question::new(Command::Begin, Duration::from_millis(300));
        let Err(Fault::Time(text)) = lenient.ask(&begin, &|| false) else { panic!("no timeout") };
        assert_eq!(text, "no answer to BEGIN within 0.30 s; skipped: 'thinking'");
        let mut strict = engine("START*) echo OK - toy;;");
        let fault = strict.new_game(&GAME, &|| false);
        assert!(matches!(fault, Err(Fault::Protocol(_))), "{fault:?}");
    }

    #[test]
    fn endless_output_after_a_move_is_a_fault() {
        for words in ["hello", "MESSAGE hello"] {
            let mut flood = engine(&format!("BEGIN) echo 1,1; exec yes '{words}';;"));
            flood.config.lenient = true;
            flood.new_game(&GAME, &|| false).unwrap();
            let begin = Question::new(Command::Begin, Duration::from_secs(60));
            flood.ask(&begin, &|| false).unwrap();
            thread::sleep(Duration::from_millis(100));
            let again = flood.ask(&begin, &|| false);
            assert!(matches!(again, Err(Fault::Protocol(_))), "{again:?}");
        }
    }

    #[test]
    fn restart_is_unsupported_only_if_it_is_rejected() {
        // The process has ended before RESTART.
        let mut ended = engine("BEGIN) echo 1,1; exit;;");
        ended.new_game(&GAME, &|| false).unwrap();
        let begin = Question::new(Command::Begin, Duration::from_secs(60));
        ended.ask(&begin, &|| false).unwrap();
        assert_eq!(commands(&mut ended, &[GAME, GAME]), "START 15, RESTART, TURN 7,7");
        let mut rejecting = engine("RESTART) echo UNKNOWN;;");
        let games = [GAME; 3];
        let expected = "START 15, RESTART, START 15, START 15, TURN 7,7";
        assert_eq!(commands(&mut rejecting, &games), expected);
        let mut lenient = engine("RESTART) echo UNKNOWN;;");
        lenient.config.lenient = true;
        assert_eq!(commands(&mut lenient, &games), expected);
    }

    #[test]
    fn patience_may_be_unlimited() {
        let mut patient = engine("BEGIN) echo 1,1;;");
        patient.new_game(&GAME, &|| false).unwrap();
        assert!(patient.ask(&Question::new(Command::Begin, Duration::MAX), &|| false).is_ok());
    }

    #[test]
    fn a_stop_interrupts_an_engine_that_prints_all_the_time() {
        let mut busy = engine("BEGIN) while echo MESSAGE thinking; do sleep 0.01; done;;");
        busy.new_game(&GAME, &|| false).unwrap();
        let began = Instant::now();
        let begin = Question::new(Command::Begin, Duration::from_secs(20));
        let stopped = || began.elapsed() > Duration::from_millis(200);
        assert_eq!(busy.ask(&begin, &stopped).unwrap_err(), Fault::Stopped);
    }
}
