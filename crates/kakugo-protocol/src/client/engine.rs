//! An engine as its manager sees it: it is told of a game and asked for moves, and it may fail.
//!
//! The order of commands is Piskvork's: `START` (or `RESTART` for a further game), wait for `OK`,
//! `INFO`s, then the position. Whatever goes wrong is a [`Fault`] with its story. After a fault the
//! caller kills the process; the next game starts a new one.

use std::thread;
use std::time::{Duration, Instant};

use super::answer::{Answer, Fault, Question};
use super::config::EngineConfig;
use super::memory::Usage;
use super::process::{Process, Received, TimedLine};
use super::setup::GameSetup;
use crate::{Command, Expected, Info, StrictReply, Thoughts};

/// How often it is looked whether the caller wants no answer any more, or the process has died.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time for a process that closed its output to end.
const EXIT_PATIENCE: Duration = Duration::from_millis(300);
/// Lines in one turn after which no answer is expected any more.
const MAX_LINES: usize = 100_000;
/// Between two looks at the private memory of a process and its children, which cost milliseconds.
const MEMORY_INTERVAL: Duration = Duration::from_millis(500);

/// Says whether the caller wants no answer any more.
pub type Stopped<'a> = &'a dyn Fn() -> bool;

/// An engine in a process of its own, once it is started.
pub struct ExternalEngine {
    config: EngineConfig,
    process: Option<Process>,
    knows_restart: bool,
    answered: Option<Instant>,
    memory_seen: Option<Instant>,
}

impl ExternalEngine {
    /// An engine that is not running; its first game starts it.
    pub fn new(config: EngineConfig) -> ExternalEngine {
        ExternalEngine {
            config,
            process: None,
            knows_restart: true,
            answered: None,
            memory_seen: None,
        }
    }

    /// Name, command and limits.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Prepare a new game: a running process is told `RESTART`, or `START` if it does not know
    /// that; otherwise a process is started. Then come the `INFO`s of the game.
    ///
    /// # Errors
    /// What the engine did instead.
    pub fn new_game(&mut self, game: &GameSetup, stopped: Stopped<'_>) -> Result<(), Fault> {
        let ready = self.process.is_some() && self.restart(game, stopped)?;
        if !ready {
            self.kill();
            let process = Process::spawn(&self.config)
                .map_err(|error| Fault::Unstartable(error.to_string()))?;
            log::debug!("{}: process {} started", self.config.name, process.id());
            self.process = Some(process);
            self.ask(&Question::new(game.start(), self.config.startup.0), stopped)?;
        }
        self.tell(&game.infos(&self.config));
        Ok(())
    }

    /// Have a running process forget its game. False: it needs to be replaced.
    fn restart(&mut self, game: &GameSetup, stopped: Stopped<'_>) -> Result<bool, Fault> {
        let restart = self.knows_restart.then_some(Command::Restart);
        for command in restart.into_iter().chain([game.start()]) {
            let is_restart = command == Command::Restart;
            let question = Question::new(command, self.config.startup.0);
            match self.ask(&question, stopped) {
                Ok(_) => return Ok(true),
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => {
                    let command = &question.command;
                    log::info!("{} does not obey {command}: {fault:?}", self.config.name);
                    self.knows_restart &= !is_restart;
                    if !matches!(fault, Fault::Protocol(_)) {
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Send `INFO`s, which are not answered.
    pub fn tell(&mut self, infos: &[Info]) {
        self.send(infos.iter().map(|info| format!("{info}\n")).collect());
    }

    /// Send a command and wait for its answer.
    ///
    /// # Errors
    /// What the engine did instead, or that the wait was stopped.
    pub fn ask(&mut self, question: &Question, stopped: Stopped<'_>) -> Result<Answer, Fault> {
        self.pause();
        let result = self.hear_leftovers().and_then(|()| {
            let asked = Instant::now();
            self.send(question.to_string());
            self.hear_answer(question, asked, stopped)
        });
        self.answered = Some(Instant::now());
        result
    }

    /// Send whole lines.
    fn send(&mut self, lines: String) {
        if let (Some(process), false) = (&self.process, lines.is_empty()) {
            self.pause();
            for line in lines.lines() {
                log::trace!("{} > {line}", self.config.name);
            }
            process.send(lines);
        }
    }

    /// Wait for as long as the engine wants between its answer and the next command.
    fn pause(&self) {
        if let Some(answered) = self.answered {
            thread::sleep(self.config.pause.0.saturating_sub(answered.elapsed()));
        }
    }

    /// Lines that arrived after the last answer: only messages may.
    fn hear_leftovers(&mut self) -> Result<(), Fault> {
        loop {
            let received = self.process.as_ref().map_or(Received::Closed, Process::pending);
            match received {
                Received::Nothing => return Ok(()),
                Received::Closed => return Err(self.gone("between two moves")),
                Received::Overlong => self.violation("a line without end, unasked")?,
                Received::Line(TimedLine { text, .. }) => {
                    log::trace!("{} < {text}", self.config.name);
                    if !matches!(StrictReply::parse(&text), StrictReply::Message(_)) {
                        self.violation(&format!("\"{}\" unasked", shorten(&text)))?;
                    }
                }
            }
        }
    }

    fn hear_answer(
        &mut self,
        question: &Question,
        asked: Instant,
        stopped: Stopped<'_>,
    ) -> Result<Answer, Fault> {
        let Some(expected) = Expected::of(&question.command) else {
            return Err(Fault::Protocol(format!("{} has no answer", first_line(question))));
        };
        let deadline = asked + question.patience;
        let mut thoughts = Thoughts::default();
        for _ in 0..MAX_LINES {
            match self.next_received(deadline, stopped)? {
                Received::Line(TimedLine { text, at }) => {
                    log::trace!("{} < {text}", self.config.name);
                    let elapsed = at.saturating_duration_since(asked);
                    let reply = StrictReply::parse(&text);
                    if at < asked && !matches!(reply, StrictReply::Message(_)) {
                        // It came after we had looked for leftovers.
                        self.violation(&format!("\"{}\" unasked", shorten(&text)))?;
                        continue;
                    }
                    if elapsed > question.patience {
                        return Err(too_late(question));
                    }
                    match reply {
                        // One that came before the question is about an earlier move.
                        StrictReply::Message(message) if at >= asked => thoughts.read(&message),
                        StrictReply::Message(_) => {}
                        reply if expected.accepts(&reply) => {
                            return Ok(Answer { reply, elapsed, thoughts });
                        }
                        _ => self.violation(&format!(
                            "\"{}\" in answer to {}, expected {}",
                            shorten(&text),
                            first_line(question),
                            expected.text()
                        ))?,
                    }
                }
                Received::Overlong => self.violation("a line of more than 8000 bytes")?,
                Received::Nothing => return Err(too_late(question)),
                Received::Closed => {
                    let when = format!("instead of answering {}", first_line(question));
                    return Err(self.gone(&when));
                }
            }
        }
        Err(Fault::Protocol(format!("babbles: {MAX_LINES} lines without an answer")))
    }

    /// What comes next, nothing only at the deadline. The end of the process counts as closed
    /// output, even if a child of it holds the pipe open.
    fn next_received(
        &mut self,
        deadline: Instant,
        stopped: Stopped<'_>,
    ) -> Result<Received, Fault> {
        let Some(process) = &mut self.process else { return Ok(Received::Closed) };
        loop {
            let received = process.receive(deadline.min(Instant::now() + POLL_INTERVAL));
            if !matches!(received, Received::Nothing) {
                return Ok(received);
            }
            if stopped() {
                return Err(Fault::Stopped);
            }
            if process.exit_status().is_some() {
                // What it wrote before its end may still be in the pipe.
                let received = process.receive(Instant::now() + POLL_INTERVAL);
                let silent = matches!(received, Received::Nothing);
                return Ok(if silent { Received::Closed } else { received });
            }
            if Instant::now() >= deadline {
                return Ok(Received::Nothing);
            }
        }
    }

    /// A line that is not allowed: a fault, unless the engine is to be treated leniently.
    fn violation(&self, what: &str) -> Result<(), Fault> {
        if self.config.lenient {
            log::warn!("{} breaks the protocol: {what}", self.config.name);
            return Ok(());
        }
        Err(Fault::Protocol(what.to_owned()))
    }

    /// The fault of an engine whose output has ended.
    fn gone(&mut self, when: &str) -> Fault {
        let Some(process) = &mut self.process else {
            return Fault::Crash("the process is not running".to_owned());
        };
        match process.exit_status_within(EXIT_PATIENCE) {
            None => Fault::Disconnect(format!("closed its output {when}")),
            Some(exit) => {
                let lines = process.last_stderr();
                let stderr =
                    if lines.is_empty() { lines } else { format!("; stderr: {}", shorten(&lines)) };
                Fault::Crash(format!("ended {when} ({exit}){stderr}"))
            }
        }
    }

    /// Check the memory limit: the peak each time, the private memory where asked to be thorough and
    /// every half second.
    ///
    /// # Errors
    /// The limit is exceeded.
    pub fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        let (Some(limit), Some(process)) = (self.config.memory, &self.process) else {
            return Ok(());
        };
        let usage = if !thoroughly
            && self.memory_seen.is_some_and(|seen| seen.elapsed() < MEMORY_INTERVAL)
        {
            Usage::peak_of(process.id())
        } else {
            self.memory_seen = Some(Instant::now());
            Usage::of(process.id())
        };
        match usage {
            Some(usage) if usage.worst() > limit.0 => {
                let mib = |bytes: u64| bytes as f64 / f64::from(1 << 20);
                Err(Fault::Memory(format!(
                    "peak {:.1} MiB, private with children {:.1} MiB, limit {:.1} MiB",
                    mib(usage.peak),
                    mib(usage.private),
                    mib(limit.0)
                )))
            }
            _ => Ok(()),
        }
    }

    /// End the process by `END`, and by force if it does not obey.
    pub fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }

    /// End the process at once.
    pub fn kill(&mut self) {
        self.process = None;
    }
}

fn too_late(question: &Question) -> Fault {
    Fault::Time(format!(
        "no answer to {} within {:.2} s",
        first_line(question),
        question.patience.as_secs_f64()
    ))
}

/// The command without the lines of its block.
fn first_line(question: &Question) -> String {
    let text = question.command.to_string();
    text.lines().next().unwrap_or_default().to_owned()
}

/// A line short enough for a report, and without what terminals obey.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 160;
    let shown = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut short: String = shown.take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    short
}
