//! The loop between a manager and the search.
//!
//! ```text
//!   reading thread ──lines──▶ ┌─────────┐ ──answers──▶ output
//!                             │ session │
//!  thinking thread ─results─▶ └─────────┘ ──tasks────▶ thinking thread
//! ```
//!
//! The session has one queue of events, and only the session changes the game and writes. So a
//! command finds it either idle or waiting for the thinking thread. While it waits, `END`, the end
//! of input, `YXSTOP` and `INFO` act at once. All other commands wait in order until the move is
//! written, so that every reply belongs to the oldest command without one.
//!
//! If pondering is enabled, the thinking thread searches the position after our move. This fills
//! the transposition table before the opponent's move arrives. No reports of that search are
//! written. It is stopped by any command that may change the position (see [`keeps_position`]), and
//! by an `INFO` that disables pondering.
//!
//! On a busy machine the thinking thread may be scheduled too late to see that its time is up. The
//! session sleeps, so it is woken in time. It then answers with the latest reported move, or with a
//! move that needs no search, and ignores the result of the late search.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::event::{Event, Queue, Timeline};
use crate::game::{ManagedGame, Response, SessionError, Task};
use crate::input::{InputLine, read_lines};
use crate::options::Options;
use crate::process_start::process_start;
use crate::running_search::{RunningSearch, TimeoutAction};
use crate::thinker::{EngineThread, Thinker};
use kakugo::level::Level;
use kakugo::player::{Decision, Question, Resources, Turn};
use kakugo::search::{Lag, Limits, Networks, Report};
use kakugo_protocol::{Assembler, Command, CommandError, Info, Reply};

/// Capacity of the event queue. The reading thread blocks if it is full.
const QUEUE: usize = 256;

/// Maximum number of events handled after a deadline before its action. This many may have been in
/// the queue at the deadline, including the search's decision. More would let a manager that writes
/// continuously delay its own answer.
const MAX_OVERDUE: usize = QUEUE;

/// Maximum number of commands that wait during a search.
const MAX_WAITING: usize = 4096;

/// If the first turn arrives this soon, the manager sent it before the process ran.
const STARTUP: Duration = Duration::from_millis(150);

/// Settings of a session.
#[derive(clap::Args, Clone, Debug)]
pub struct SessionArgs {
    /// Start time of the process
    #[arg(skip = process_start())]
    pub(crate) began: Instant,
    /// Playing strength, from 1 (beginner) to 10 (full strength)
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<Level>,
    /// Evaluate with the network in FILE (`none`: classical evaluation)
    #[arg(long = "net", value_name = "FILE")]
    pub(crate) networks: Option<Networks>,
}

impl SessionArgs {
    /// Returns the settings of a session at full strength that starts with the process.
    pub fn of_process() -> SessionArgs {
        SessionArgs { began: process_start(), ..SessionArgs::default() }
    }
}

impl Default for SessionArgs {
    /// Returns the settings of a session at full strength that starts now.
    fn default() -> SessionArgs {
        SessionArgs { began: Instant::now(), level: None, networks: None }
    }
}

/// Runs a session until `END`, the end of the input, or until the output is closed.
///
/// Then returns at once, even during a search. The threads end by themselves. The reading thread
/// ends only after its next read.
///
/// # Errors
/// Returns an error if a thread cannot be started.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write,
    args: SessionArgs,
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
    if let Err(error) = Session::new(output, thinker, Queue(events), &args).run() {
        log::info!("output closed: {error}");
    }
    Ok(())
}

/// A command or a parse error, and the time of its arrival.
struct Received {
    command: Result<Command, CommandError>,
    arrived: Instant,
}

struct Session<W, T, L> {
    output: W,
    thinker: T,
    timeline: L,
    /// Playing strength.
    level: Level,
    assembler: Assembler,
    game: ManagedGame,
    /// The search whose move is awaited.
    search: Option<RunningSearch>,
    /// Number of running searches whose results are ignored: those that missed their deadline, and
    /// pondering.
    ignored_searches: usize,
    /// Scheduling lag of the thinking thread, measured by the last search.
    lag: Lag,
    /// Commands that wait for the end of the search.
    waiting: VecDeque<Received>,
    /// Start time of the session.
    began: Instant,
    /// Time of the last move.
    answered: Instant,
}

impl<W: Write, T: Thinker, L: Timeline> Session<W, T, L> {
    fn new(output: W, thinker: T, timeline: L, args: &SessionArgs) -> Session<W, T, L> {
        let mut game = ManagedGame::default();
        game.options.set_networks(args.networks.clone().unwrap_or_default());
        Session {
            output,
            thinker,
            timeline,
            level: args.level.unwrap_or_default(),
            assembler: Assembler::default(),
            game,
            search: None,
            ignored_searches: 0,
            lag: Lag::default(),
            waiting: VecDeque::new(),
            began: args.began,
            answered: args.began,
        }
    }

    /// Handles events until the end of the session.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    fn run(&mut self) -> io::Result<()> {
        // Number of events handled since the deadline.
        let mut overdue = 0;
        loop {
            let deadline = self.search.as_ref().and_then(RunningSearch::deadline);
            let until = deadline.map(|(at, _)| at);
            overdue =
                if until.is_some_and(|at| at <= self.timeline.now()) { overdue + 1 } else { 0 };
            let event = if overdue > MAX_OVERDUE { None } else { self.timeline.next(until) };
            match event {
                None => {
                    if let Some((_, action)) = deadline {
                        self.on_timeout(action)?;
                    }
                }
                Some(Event::Line(line)) => match self.assemble(&line) {
                    None => {}
                    Some(Ok(Command::End)) => return Ok(()),
                    Some(command) => self.receive(Received { command, arrived: line.arrived })?,
                },
                Some(Event::Report(_)) if self.ignored_searches > 0 => {}
                Some(Event::Report(report)) => self.on_report(report)?,
                Some(Event::Decided(decision, lag)) => {
                    self.lag = lag;
                    if self.ignored_searches > 0 {
                        self.ignored_searches -= 1;
                        // Commands during that search could not start a preparation.
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

    /// Stops the search, or answers for it, because it has missed its deadline.
    fn on_timeout(&mut self, action: TimeoutAction) -> io::Result<()> {
        self.thinker.stop();
        match action {
            TimeoutAction::Stop => self.search.iter_mut().for_each(RunningSearch::set_stopping),
            TimeoutAction::Answer => {
                let answer = self.search.as_mut().and_then(RunningSearch::answer);
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

    /// Handles a command if the session is idle. During a search, applies its effect on the search
    /// and queues the command if it needs a reply.
    fn receive(&mut self, received: Received) -> io::Result<()> {
        let now = self.timeline.now();
        let Some(search) = &mut self.search else { return self.handle(received) };
        let full = self.waiting.len() >= MAX_WAITING;
        match &received.command {
            Ok(Command::YxStop) => {
                self.thinker.stop();
                // It is meant for the latest search, which may still wait for this one.
                if full || !self.waiting.iter().any(starts_search) {
                    return Ok(());
                }
            }
            Ok(Command::YxQueryDatabase | Command::YxBlockPathReset) => return Ok(()),
            Ok(Command::Info(info)) => {
                let in_turn = self.waiting.iter().all(ignores_options);
                let end = self.game.options.deadline(info, search.start(), now);
                if let Some(end) = end {
                    search.shorten(end, now);
                }
                if matches!(info, Info::TimeLeft(_)) {
                    search.count_from(now);
                }
                if in_turn {
                    let error = self.game.options.apply(info).err();
                    return error
                        .map_or(Ok(()), |error| self.write(&Reply::Message(error.to_string())));
                }
                if full {
                    // A limit has acted on this search. Everything else is lost.
                    return match end {
                        Some(_) => Ok(()),
                        None => self.write_error(&SessionError::QueueFull),
                    };
                }
            }
            _ if full => return self.write_error(&SessionError::QueueFull),
            Ok(command) if abandons_search(command) => self.thinker.stop(),
            _ => {}
        }
        self.waiting.push_back(received);
        Ok(())
    }

    /// Executes a command. Then prepares for the next turn, unless the command has started it.
    fn handle(&mut self, received: Received) -> io::Result<()> {
        self.execute(received)?;
        if self.search.is_none() {
            self.prepare();
        }
        Ok(())
    }

    fn execute(&mut self, Received { command, arrived }: Received) -> io::Result<()> {
        // A search that still runs is ignored. Pondering continues if the position stays.
        let is_info = matches!(command, Ok(Command::Info(_)));
        if command.as_ref().is_ok_and(|command| !keeps_position(command)) {
            self.thinker.stop();
        }
        let response = match command {
            Ok(command) => self.game.execute(command),
            Err(error @ CommandError::Unknown(_)) => {
                return self.write(&Reply::Unknown(error.to_string()));
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
            Ok(Response::Reply(replies)) => self.write_all(&replies),
            Ok(Response::NewGame) => {
                self.thinker.clear();
                self.write(&Reply::Ok)
            }
            Ok(Response::ClearHash) => {
                self.thinker.clear();
                Ok(())
            }
            Ok(Response::Search(task)) => self.start_search(arrived, task),
            Err(error) => self.write_error(&error),
        }
    }

    /// Starts a search of the current position. Its time starts at the latest of the arrival of the
    /// command and the previous move. For the first turn it may be the start of the process.
    fn start_search(&mut self, arrived: Instant, task: Task) -> io::Result<()> {
        let board = match self.game.board() {
            Ok(board) => board,
            Err(error) => return self.write_error(&error),
        };
        let first = self.answered == self.began;
        let early = first && arrived.saturating_duration_since(self.began) < STARTUP;
        let start = if early { self.answered } else { arrived.max(self.answered) };
        let options = &self.game.options;
        let question = match task {
            Task::Move { .. } => Question::Stone(self.level),
            Task::Swap2 | Task::YxSwap2(_) => Question::Swap2,
            Task::Balance(balance) => Question::Balance(balance),
        };
        let turn = Turn { board, question, limits: self.game.limits(start, task) };
        self.search = Some(RunningSearch::new(&turn, task, self.lag));
        self.thinker.think(turn, resources(options));
        Ok(())
    }

    /// Prepares for the next turn if the thinking thread is idle.
    ///
    /// The memory of the transposition table is not allocated before the memory limit is known,
    /// because managers send it after `START`. It may be less than the default table size.
    fn prepare(&mut self) {
        let board = self.game.board().ok().filter(|_| self.ignored_searches == 0);
        if let Some(board) = board {
            let options = &self.game.options;
            self.thinker.prepare(board, resources(options), options.memory_is_known());
        }
    }

    /// Starts pondering, if it is enabled and the game is not over.
    fn ponder(&mut self) {
        let options = &self.game.options;
        let (resources, question) = (resources(options), Question::Stone(self.level));
        let limits = Limits { start: self.timeline.now(), ..Limits::default() };
        let Some(board) = self.game.playable_board().filter(|_| options.may_ponder()) else {
            return;
        };
        self.ignored_searches += 1;
        self.thinker.ponder(Turn { board, question, limits }, resources);
    }

    fn on_report(&mut self, report: Report) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let replies = search.report(report, self.game.options.show_detail(), self.timeline.now());
        self.write_all(&replies)
    }

    /// Writes the move of a finished search. Then handles waiting commands until one of them starts
    /// a search.
    fn on_decision(&mut self, decision: Result<Decision, String>) -> io::Result<()> {
        let Some(mut search) = self.search.take() else { return Ok(()) };
        let reports = search.end(self.game.options.show_detail(), self.timeline.now());
        self.write_all(&reports)?;
        let decision = match decision {
            Ok(decision) => decision,
            Err(panic) => {
                log::error!("the search panicked: {panic}");
                let text = "the search failed: answering without its result";
                self.write(&Reply::Message(text.to_owned()))?;
                // Whatever made the search panic may do so again.
                let answer = panic::catch_unwind(AssertUnwindSafe(|| search.answer()));
                answer.ok().flatten().map_or(Decision::Stone(None), |(decision, _)| decision)
            }
        };
        let replies = self.game.apply_decision(search.task(), decision);
        self.write_all(&replies)?;
        // Pondering is useless if the next turn has already arrived.
        let changes_position = |received: &Received| {
            received.command.as_ref().is_ok_and(|command| !keeps_position(command))
        };
        let may_ponder =
            matches!(replies[..], [Reply::Move(_)]) && !self.waiting.iter().any(changes_position);
        self.answered = self.timeline.now();
        self.game.options.charge(self.answered.saturating_duration_since(search.counts_from()));
        while self.search.is_none()
            && let Some(received) = self.waiting.pop_front()
        {
            self.handle(received)?;
        }
        if may_ponder && self.search.is_none() {
            self.ponder();
        }
        // The other commands may stop or shorten the search that has just started.
        for received in mem::take(&mut self.waiting) {
            self.receive(received)?;
        }
        Ok(())
    }

    fn write_error(&mut self, error: &SessionError) -> io::Result<()> {
        self.write(&Reply::Error(error.to_string()))
    }

    fn write_all(&mut self, replies: &[Reply]) -> io::Result<()> {
        replies.iter().try_for_each(|reply| self.write(reply))
    }

    /// Writes a line with a single call, and flushes it.
    fn write(&mut self, reply: &Reply) -> io::Result<()> {
        self.output.write_all(format!("{reply}\n").as_bytes())?;
        self.output.flush()
    }
}

/// Returns the engine's resources under these options.
fn resources(options: &Options) -> Resources {
    Resources {
        hash_bytes: options.hash_bytes(),
        threads: options.threads(),
        networks: options.networks().clone(),
    }
}

/// Returns true if the reply to a command does not depend on options. Then an `INFO` behind it need
/// not wait.
fn ignores_options(received: &Received) -> bool {
    matches!(received.command, Ok(Command::About) | Err(_))
}

/// Returns true if a command requests a search.
fn starts_search(received: &Received) -> bool {
    matches!(
        received.command,
        Ok(Command::Begin
            | Command::Turn(_)
            | Command::Board(_)
            | Command::Swap2Board(_)
            | Command::YxSwap2(_)
            | Command::YxNbest(_)
            | Command::YxSearchDefend
            | Command::YxBalanceOne(_)
            | Command::YxBalanceTwo(_))
    )
}

/// Returns true if pondering may go on during a command.
fn keeps_position(command: &Command) -> bool {
    matches!(
        command,
        Command::Info(_)
            | Command::About
            | Command::YxShowForbid
            | Command::YxQueryDatabase
            | Command::YxBlockPathReset
    )
}

/// Returns true if a command replaces the position that is being searched.
fn abandons_search(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { .. }
            | Command::Restart
            | Command::Board(_)
            | Command::YxBoard(_)
            | Command::Swap2Board(_)
            | Command::YxSwap2(_)
            | Command::Takeback(_)
    )
}

#[cfg(test)]
mod tests;
