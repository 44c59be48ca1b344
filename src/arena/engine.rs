//! An engine as the arbiter sees it: it is told of a game and asked for moves, and it may fail.
//!
//! The order of commands is Piskvork's: `START` (or `RESTART` for a further game), wait for `OK`,
//! `INFO`s, then the position. Whatever goes wrong is a [`Fault`] with its story; after a fault the
//! process is killed, and the next game starts a new one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::config::{EngineConfig, Settings};
use super::contestant::{Answer, Contestant, Expect, Fault};
use super::memory::Usage;
use super::output::{Arrived, Line, Thoughts, classify};
use super::process::{Event, Process};
use super::setup::{infos, start_command};
use crate::board::Variant;

#[cfg(windows)]
const LINE_END: &str = "\r\n";
#[cfg(not(windows))]
const LINE_END: &str = "\n";

/// How often a waiting arbiter looks whether the match was stopped or the process died.
const GLANCE: Duration = Duration::from_millis(50);
/// Time for a process that closed its output to end.
const LAST_GASP: Duration = Duration::from_millis(300);
/// Lines in one turn after which an engine is only babbling.
const MAX_LINES: usize = 100_000;
/// Between two looks at the private memory of a process and its children, which cost milliseconds.
const MEMORY_INTERVAL: Duration = Duration::from_millis(500);

/// One engine, with its process if it runs.
pub struct Engine<'a> {
    config: &'a EngineConfig,
    stop: &'a AtomicBool,
    process: Option<Process>,
    knows_restart: bool,
    answered: Option<Instant>,
    memory_seen: Option<Instant>,
}

impl<'a> Engine<'a> {
    /// An engine that is not yet running. Raising `stop` interrupts every wait.
    pub fn new(config: &'a EngineConfig, stop: &'a AtomicBool) -> Engine<'a> {
        Engine {
            config,
            stop,
            process: None,
            knows_restart: true,
            answered: None,
            memory_seen: None,
        }
    }

    /// Have a running process forget its game. False: it needs to be replaced.
    fn restart(&mut self, settings: &Settings) -> Result<bool, Fault> {
        let patience = self.config.startup.0;
        let start = start_command(settings);
        let attempts = if self.knows_restart { vec!["RESTART", &start] } else { vec![&*start] };
        for command in attempts {
            match self.ask(command, Expect::Ok, patience) {
                Ok(_) => return Ok(true),
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => {
                    log::info!("{} does not obey {command}: {fault:?}", self.config.name);
                    self.knows_restart &= command != "RESTART";
                    if !matches!(fault, Fault::Protocol(_)) {
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Send lines that need no answer.
    pub fn tell(&mut self, lines: &str) {
        if let (Some(process), false) = (&self.process, lines.is_empty()) {
            self.pause();
            for line in lines.lines() {
                log::trace!("{} < {line}", self.config.name);
            }
            process.send(lines.replace('\n', LINE_END));
        }
    }

    /// Respect the engine's wish for a pause between its answer and the next command.
    fn pause(&self) {
        if let Some(answered) = self.answered {
            thread::sleep(self.config.pause.0.saturating_sub(answered.elapsed()));
        }
    }

    /// Lines that arrived after the last answer: only messages may.
    fn hear_leftovers(&mut self) -> Result<(), Fault> {
        loop {
            let event = self.process.as_ref().map_or(Event::Closed, Process::pending);
            match event {
                Event::Silence => return Ok(()),
                Event::Closed => return Err(self.gone("between two moves")),
                Event::Overlong => self.violation("a line without end, unasked")?,
                Event::Line(Arrived { text, .. }) => {
                    log::trace!("{} > {text}", self.config.name);
                    if !matches!(classify(&text), Line::Message(_)) {
                        self.violation(&format!("\"{}\" unasked", shorten(&text)))?;
                    }
                }
            }
        }
    }

    fn hear_answer(
        &mut self,
        command: &str,
        expect: Expect,
        asked: Instant,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        let deadline = asked + patience;
        let mut thoughts = Thoughts::default();
        for _ in 0..MAX_LINES {
            match self.next_event(deadline)? {
                Event::Line(Arrived { text, at }) => {
                    log::trace!("{} > {text}", self.config.name);
                    let elapsed = at.saturating_duration_since(asked);
                    if at < asked && !matches!(classify(&text), Line::Message(_)) {
                        // It came after we had looked for leftovers.
                        self.violation(&format!("\"{}\" unasked", shorten(&text)))?;
                        continue;
                    }
                    if elapsed > patience {
                        return Err(too_late(command, patience));
                    }
                    match classify(&text) {
                        // One that came before the question is about an earlier move.
                        Line::Message(message) if at >= asked => thoughts.read(&message),
                        Line::Message(_) => {}
                        line if expect.accepts(&line) => {
                            return Ok(Answer { line, elapsed, thoughts });
                        }
                        _ => self.violation(&format!(
                            "\"{}\" in answer to {}, expected {}",
                            shorten(&text),
                            first_line(command),
                            expect.wish()
                        ))?,
                    }
                }
                Event::Overlong => self.violation("a line of more than 8000 bytes")?,
                Event::Silence => return Err(too_late(command, patience)),
                Event::Closed => {
                    return Err(self.gone(&format!("instead of answering {}", first_line(command))));
                }
            }
        }
        Err(Fault::Protocol(format!("babbles: {MAX_LINES} lines without an answer")))
    }

    /// The next event, silence only at the deadline. The end of the process counts as closed
    /// output, even if a child of it holds the pipe open.
    fn next_event(&mut self, deadline: Instant) -> Result<Event, Fault> {
        let Some(process) = &mut self.process else { return Ok(Event::Closed) };
        loop {
            let event = process.receive(deadline.min(Instant::now() + GLANCE));
            if !matches!(event, Event::Silence) {
                return Ok(event);
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Fault::Stopped);
            }
            if process.exit_status().is_some() {
                // What it wrote before its end may still be in the pipe.
                let event = process.receive(Instant::now() + GLANCE);
                return Ok(if matches!(event, Event::Silence) { Event::Closed } else { event });
            }
            if Instant::now() >= deadline {
                return Ok(Event::Silence);
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
        match process.exit_status_within(LAST_GASP) {
            None => Fault::Disconnect(format!("closed its output {when}")),
            Some(exit) => {
                let words = process.last_words();
                let stderr =
                    if words.is_empty() { words } else { format!("; stderr: {}", shorten(&words)) };
                Fault::Crash(format!("ended {when} ({exit}){stderr}"))
            }
        }
    }

    /// End the process politely.
    pub fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}

impl Contestant for Engine<'_> {
    fn config(&self) -> &EngineConfig {
        self.config
    }

    /// Prepare a new game: a running process is told `RESTART`, or `START` if it does not know
    /// that; otherwise a process is started.
    fn new_game(&mut self, settings: &Settings, variant: Variant) -> Result<(), Fault> {
        let ready = self.process.is_some() && self.restart(settings)?;
        if !ready {
            self.kill();
            let process = Process::spawn(self.config).map_err(|e| {
                Fault::Unstartable(format!("cannot run {:?}: {e}", self.config.command))
            })?;
            log::debug!("{}: process {} started", self.config.name, process.id());
            self.process = Some(process);
            let start = start_command(settings);
            self.ask(&start, Expect::Ok, self.config.startup.0)?;
        }
        self.tell(&infos(self.config, variant));
        Ok(())
    }

    fn ask(&mut self, command: &str, expect: Expect, patience: Duration) -> Result<Answer, Fault> {
        self.pause();
        let result = self.hear_leftovers().and_then(|()| {
            let asked = Instant::now();
            self.tell(&format!("{command}\n"));
            self.hear_answer(command, expect, asked, patience)
        });
        self.answered = Some(Instant::now());
        result
    }

    /// Thoroughly also when it is time again.
    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
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

    fn kill(&mut self) {
        self.process = None;
    }
}

fn too_late(command: &str, patience: Duration) -> Fault {
    Fault::Time(format!(
        "no answer to {} within {:.2} s",
        first_line(command),
        patience.as_secs_f64()
    ))
}

/// The last line tells what is asked; a `BOARD` ends in `DONE`.
fn first_line(command: &str) -> &str {
    command.lines().find(|line| !line.starts_with("INFO")).unwrap_or_default()
}

/// A line short enough for a report.
fn shorten(text: &str) -> String {
    const SHOWN: usize = 160;
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
