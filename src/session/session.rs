//! The loop between a manager and the search.
//!
//! ```text
//!   reading thread ──lines──▶ ┌─────────┐ ──answers──▶ output
//!                             │ session │
//!  thinking thread ─results─▶ └─────────┘ ──tasks────▶ thinking thread
//! ```
//!
//! The session has one queue of events and alone changes the game and writes. So a command finds it
//! either idle or waiting for the thinking thread, and never in between. While it waits, `END`, the
//! end of input, `YXSTOP` and `INFO` act at once; all other commands wait for the move, in order, so
//! that every answer belongs to the oldest command that has none yet.
//!
//! Where pondering is asked for, the thinking thread goes on in the position after our move, so that
//! its table is full of answers by the time the opponent's move comes. Nothing is said of that search;
//! any command but `INFO` ends it, and so does an `INFO` that forbids it.
//!
//! On a busy machine the thinking thread may come too late to see that its time is up. The session,
//! which sleeps, is woken in time: it then answers by what was reported so far, or by a look at the board where
//! that is nothing, and ignores the search that it answered for.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::event::{Event, Queue, Timeline};
use super::game::{ManagedGame, Response, SessionError};
use super::input::{InputLine, read_lines};
use super::options::Options;
use super::process_start::process_start;
use super::progress::{Due, Progress};
use super::thinker::{EngineThread, Thinker};
use kakugo::level::Level;
use kakugo::player::{Decision, Question, Resources, Turn};
use kakugo::search::{Lag, Limits, Networks, Report};
use kakugo_protocol::{Assembler, Command, CommandError, Info, Reply};

/// Events that may wait before the reading thread does.
const QUEUE: usize = 256;

/// Events that are met after something was due, before it is done: so many may have stood in the queue then, a
/// decision among them. More would let a manager that writes without end put off its own answer.
const MAX_OVERDUE: usize = QUEUE;

/// Commands that may wait for a move to be out.
const MAX_WAITING: usize = 4096;

/// A first turn that is asked for this early was on its way before the process ran.
const STARTUP: Duration = Duration::from_millis(150);

/// How a session begins.
#[derive(clap::Args, Clone, Debug)]
pub struct SessionArgs {
    /// When the process began.
    #[arg(skip = process_start())]
    pub began: Instant,
    /// Play at this level in games by the protocol, from 1 (a beginner) to 10 (full strength)
    #[arg(long, value_name = "N")]
    pub level: Option<Level>,
    /// Value positions with the network in this file, or `none` with none
    #[arg(long = "net", value_name = "FILE")]
    pub networks: Option<Networks>,
}

impl Default for SessionArgs {
    /// A session at full strength that begins now.
    fn default() -> SessionArgs {
        SessionArgs { began: Instant::now(), level: None, networks: None }
    }
}

/// Speak the protocol until `END`, the end of the input, or until nobody reads the output.
///
/// Returns at once also while a search runs; the threads it started end by themselves, the reading
/// one only when its input gives it something to read.
///
/// # Errors
/// A thread cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    setup: SessionArgs,
) -> anyhow::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let thinker = EngineThread::start(sender.clone()).context("starting the thinking thread")?;
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            read_lines(input, |line| sender.send(Event::Line(line)).is_ok());
            let _ = sender.send(Event::InputEnded);
        })
        .context("starting the reading thread")?;
    if let Err(error) = Session::new(output, thinker, Queue(events), &setup).run() {
        log::info!("nobody reads the output: {error}");
    }
    Ok(())
}

/// A command, or why there is none, and when it arrived.
struct Arrived {
    command: Result<Command, CommandError>,
    at: Instant,
}

struct Session<W, T, L> {
    output: W,
    thinker: T,
    timeline: L,
    /// How strong the stones of games are.
    level: Level,
    assembler: Assembler,
    game: ManagedGame,
    /// The search that runs.
    search: Option<Progress>,
    /// Searches that have not ended yet and of which nothing is said: they were answered for, or
    /// they ponder.
    ignored_searches: usize,
    /// How busy the machine is.
    lag: Lag,
    /// Commands that wait for its end.
    waiting: VecDeque<Arrived>,
    /// When the session began.
    began: Instant,
    /// When the last search was answered.
    answered: Instant,
}

impl<W: Write, T: Thinker, L: Timeline> Session<W, T, L> {
    fn new(output: W, thinker: T, timeline: L, setup: &SessionArgs) -> Session<W, T, L> {
        let mut game = ManagedGame::default();
        game.options.set_networks(setup.networks.clone().unwrap_or_default());
        Session {
            output,
            thinker,
            timeline,
            level: setup.level.unwrap_or_default(),
            assembler: Assembler::default(),
            game,
            search: None,
            ignored_searches: 0,
            lag: Lag::default(),
            waiting: VecDeque::new(),
            began: setup.began,
            answered: setup.began,
        }
    }

    /// Handle events until the end; fails when the output does.
    fn run(&mut self) -> io::Result<()> {
        // Events met since something was due.
        let mut overdue = 0;
        loop {
            let due = self.search.as_ref().and_then(Progress::due);
            let until = due.map(|(at, _)| at);
            overdue =
                if until.is_some_and(|at| at <= self.timeline.now()) { overdue + 1 } else { 0 };
            let event = if overdue > MAX_OVERDUE { None } else { self.timeline.next(until) };
            match event {
                None => {
                    if let Some((_, due)) = due {
                        self.on_due(due)?;
                    }
                }
                Some(Event::Line(line)) => match self.assemble(&line) {
                    None => {}
                    Some(Ok(Command::End)) => return Ok(()),
                    Some(command) => self.take(Arrived { command, at: line.arrived })?,
                },
                Some(Event::Report(_)) if self.ignored_searches > 0 => {}
                Some(Event::Report(report)) => self.on_report(report)?,
                Some(Event::Decided(decision, lag)) => {
                    self.lag = lag;
                    if self.ignored_searches > 0 {
                        self.ignored_searches -= 1;
                        // What came meanwhile found the thinking thread at work.
                        if self.search.is_none() {
                            self.prepare();
                        }
                    } else {
                        self.on_decision(decision)?;
                    }
                }
                Some(Event::InputEnded) => return Ok(()),
            }
        }
    }

    /// The search has not ended in its time: stop it, or answer for it.
    fn on_due(&mut self, due: Due) -> io::Result<()> {
        self.thinker.stop();
        match due {
            Due::Stop => self.search.iter_mut().for_each(Progress::stopping),
            Due::Answer => {
                let answer = self.search.as_mut().and_then(Progress::answer);
                let Some((decision, report)) = answer else { return Ok(()) };
                if let Some(report) = report {
                    self.on_report(report)?;
                }
                self.ignored_searches += 1;
                self.on_decision(Ok(decision))?;
            }
        }
        Ok(())
    }

    fn assemble(&mut self, line: &InputLine) -> Option<Result<Command, CommandError>> {
        if line.overlong {
            self.assembler.overlong(&line.text)
        } else {
            self.assembler.line(&line.text)
        }
    }

    /// Meet a command, or let it act upon the search that runs, or wait for that.
    fn take(&mut self, arrived: Arrived) -> io::Result<()> {
        let now = self.timeline.now();
        let Some(search) = &mut self.search else { return self.meet(arrived) };
        let full = self.waiting.len() >= MAX_WAITING;
        match &arrived.command {
            Ok(Command::YxStop) => {
                self.thinker.stop();
                return Ok(());
            }
            _ if full => return self.refuse(&SessionError::TooManyWaiting),
            Ok(Command::Info(info)) => {
                let in_turn = self.waiting.iter().all(ignores_options);
                if let Some(end) = self.game.options.end_by(info, search.start(), now) {
                    search.shorten(end, now);
                }
                if matches!(info, Info::TimeLeft(_)) {
                    search.count_from(now);
                }
                if in_turn {
                    let refused = self.game.options.apply(info).err();
                    return refused
                        .map_or(Ok(()), |why| self.say(&Reply::Message(why.to_string())));
                }
            }
            Ok(command) if abandons_search(command) => self.thinker.stop(),
            _ => {}
        }
        self.waiting.push_back(arrived);
        Ok(())
    }

    /// Answer a command, and then get ready for the turn that will come, unless this is it.
    fn meet(&mut self, arrived: Arrived) -> io::Result<()> {
        self.answer(arrived)?;
        if self.search.is_none() {
            self.prepare();
        }
        Ok(())
    }

    fn answer(&mut self, Arrived { command, at }: Arrived) -> io::Result<()> {
        // A search that still runs is ignored; pondering may go on where nothing but an option changes.
        let is_info = matches!(command, Ok(Command::Info(_)));
        if !is_info {
            self.thinker.stop();
        }
        let response = match command {
            Ok(command) => self.game.respond(command),
            Err(error @ CommandError::Unknown(_)) => {
                return self.say(&Reply::Unknown(error.to_string()));
            }
            Err(error) => Err(SessionError::Command(error)),
        };
        match response {
            Ok(Response::Nothing) => {
                if is_info && !self.game.options.may_ponder() {
                    self.thinker.stop();
                }
                Ok(())
            }
            Ok(Response::Say(replies)) => self.say_all(&replies),
            Ok(Response::NewGame) => {
                self.thinker.forget();
                self.say(&Reply::Ok)
            }
            Ok(Response::Forget) => {
                self.thinker.forget();
                Ok(())
            }
            Ok(Response::Think { multi_pv, swap2 }) => self.think(at, multi_pv, swap2),
            Err(refusal) => self.refuse(&refusal),
        }
    }

    /// Begin to think; our time runs from the arrival of the command, from our last answer if the
    /// command waited for that, or from the start of the process if it waited for that.
    fn think(&mut self, arrived: Instant, multi_pv: usize, swap2: bool) -> io::Result<()> {
        let board = match self.game.board() {
            Ok(board) => board,
            Err(refusal) => return self.refuse(&refusal),
        };
        let first = self.answered == self.began;
        let early = first && arrived.saturating_duration_since(self.began) < STARTUP;
        let start = if early { self.answered } else { arrived.max(self.answered) };
        let options = &self.game.options;
        let question = if swap2 { Question::Swap2 } else { Question::Stone(self.level) };
        let turn = Turn { board, question, limits: options.limits(start, multi_pv) };
        self.search = Some(Progress::new(&turn, self.lag));
        self.thinker.think(turn, resources(options));
        Ok(())
    }

    /// Use the time until the manager asks for a move, where the thinking thread has nothing to do. The
    /// table's memory is not taken before it is known how much is granted: managers say so after `START`,
    /// and some have granted less than half a second's preparation would take.
    fn prepare(&mut self) {
        let board = self.game.board().ok().filter(|_| self.ignored_searches == 0);
        if let Some(board) = board {
            let options = &self.game.options;
            self.thinker.prepare(board, resources(options), options.knows_memory());
        }
    }

    /// Think on the opponent's time, if that is wanted and there is something to think about.
    fn ponder(&mut self) {
        let options = &self.game.options;
        let (resources, question) = (resources(options), Question::Stone(self.level));
        let limits = Limits { start: self.timeline.now(), ..Limits::default() };
        let Some(board) = self.game.undecided().filter(|_| options.may_ponder()) else { return };
        self.ignored_searches += 1;
        self.thinker.ponder(Turn { board, question, limits }, resources);
    }

    fn on_report(&mut self, report: Report) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let replies = search.report(report, self.game.options.wants_detail(), self.timeline.now());
        self.say_all(&replies)
    }

    /// Answer the command that made us think, then meet those that waited, until one of them makes
    /// us think again.
    fn on_decision(&mut self, decision: Result<Decision, String>) -> io::Result<()> {
        let Some(mut search) = self.search.take() else { return Ok(()) };
        let untold = search.end(self.game.options.wants_detail(), self.timeline.now());
        self.say_all(&untold)?;
        let decision = match decision {
            Ok(decision) => decision,
            Err(panic) => {
                log::error!("the search panicked: {panic}");
                self.say(&Reply::Message("the search failed, this is any move".to_owned()))?;
                Decision::Stone(None)
            }
        };
        let reply = self.game.carry_out(decision);
        self.say(&reply)?;
        // Nobody ponders where the next command is here already.
        let may_ponder = matches!(reply, Reply::Move(_)) && self.waiting.is_empty();
        self.answered = self.timeline.now();
        self.game.options.charge(self.answered.saturating_duration_since(search.counts_from()));
        while self.search.is_none()
            && let Some(arrived) = self.waiting.pop_front()
        {
            self.meet(arrived)?;
        }
        if may_ponder && self.search.is_none() {
            self.ponder();
        }
        let abandoned = |arrived: &Arrived| arrived.command.as_ref().is_ok_and(abandons_search);
        if self.search.is_some() && self.waiting.iter().any(abandoned) {
            self.thinker.stop();
        }
        Ok(())
    }

    fn refuse(&mut self, refusal: &SessionError) -> io::Result<()> {
        self.say(&Reply::Error(refusal.to_string()))
    }

    fn say_all(&mut self, replies: &[Reply]) -> io::Result<()> {
        replies.iter().try_for_each(|reply| self.say(reply))
    }

    /// Write a whole line in one piece and see it off.
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        self.output.write_all(format!("{reply}\n").as_bytes())?;
        self.output.flush()
    }
}

/// What the options grant the engine.
fn resources(options: &Options) -> Resources {
    Resources {
        hash_bytes: options.hash_bytes(),
        threads: options.threads(),
        networks: options.networks().clone(),
    }
}

/// Whether a command is answered alike whatever the options are, so that an `INFO` need not wait for it.
fn ignores_options(arrived: &Arrived) -> bool {
    matches!(arrived.command, Ok(Command::About) | Err(_))
}

/// Whether a command makes the position that is being thought about meaningless.
fn abandons_search(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { .. }
            | Command::Restart
            | Command::Board(_)
            | Command::YxBoard(_)
            | Command::Swap2Board(_)
            | Command::Takeback(_)
    )
}

#[cfg(test)]
mod tests;
