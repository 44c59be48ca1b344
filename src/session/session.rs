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
//! its table is full of answers by the time the opponent's move comes. Nobody hears of that search,
//! and any command but `INFO` ends it, and an `INFO` that forbids it.
//!
//! On a busy machine the thinking thread may come too late to see that its time is up. The session,
//! which sleeps, is woken in time: it then answers with the best move reported so far, and ignores
//! the search that it answered for.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::birth::process_began;
use super::game::{Game, Refusal, Response};
use super::input::{Line, read_lines};
use super::progress::{Due, Progress};
use super::thinker::{Decision, Event, Task, Thinker};
use crate::level::Level;
use crate::protocol::{Assembler, Command, CommandError, Reply};
use crate::search::{Lag, Limits, Report};

/// Events that may wait before the reading thread does.
const QUEUE: usize = 256;

/// Commands that may wait for a move to be out.
const MAX_WAITING: usize = 4096;

/// Commands that arrive this early were on their way before the process ran.
const STARTUP: Duration = Duration::from_millis(150);

/// How a session begins.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Setup {
    /// When the process began.
    #[arg(skip = process_began())]
    pub began: Instant,
    /// Play at this level in games by the protocol, from 1 (a beginner) to 10 (full strength)
    #[arg(long, value_name = "N")]
    pub level: Option<Level>,
}

impl Default for Setup {
    /// A session at full strength that begins now.
    fn default() -> Setup {
        Setup { began: Instant::now(), level: None }
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
    setup: Setup,
) -> anyhow::Result<()> {
    let (sender, events) = sync_channel(QUEUE);
    let thinker = Thinker::start(sender.clone(), setup.level.unwrap_or_default())
        .context("starting the thinking thread")?;
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || {
            read_lines(input, |line| sender.send(Event::Line(line)).is_ok());
            let _ = sender.send(Event::InputEnded);
        })
        .context("starting the reading thread")?;
    if let Err(error) = Session::new(output, thinker, setup.began).run(&events) {
        log::info!("nobody reads the output: {error}");
    }
    Ok(())
}

/// A command, or why there is none, and when it arrived.
struct Arrived {
    command: Result<Command, CommandError>,
    at: Instant,
}

struct Session<W> {
    output: W,
    thinker: Thinker,
    assembler: Assembler,
    game: Game,
    /// The search that runs.
    search: Option<Progress>,
    /// Searches that have not ended yet and are not heard any more: they were answered for, or
    /// only pondered.
    unheard: usize,
    /// How busy the machine is.
    lag: Lag,
    /// Commands that wait for its end.
    waiting: VecDeque<Arrived>,
    /// When the session began.
    began: Instant,
    /// When the last search was answered.
    answered: Instant,
}

impl<W: Write> Session<W> {
    fn new(output: W, thinker: Thinker, began: Instant) -> Session<W> {
        Session {
            output,
            thinker,
            assembler: Assembler::default(),
            game: Game::default(),
            search: None,
            unheard: 0,
            lag: Lag::default(),
            waiting: VecDeque::new(),
            began,
            answered: began,
        }
    }

    /// Handle events until the end; fails when the output does.
    fn run(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        loop {
            let event = match self.search.as_ref().and_then(Progress::due) {
                None => events.recv().ok(),
                Some((at, due)) => {
                    match events.recv_timeout(at.saturating_duration_since(Instant::now())) {
                        Err(RecvTimeoutError::Timeout) => {
                            self.on_due(due)?;
                            continue;
                        }
                        event => event.ok(),
                    }
                }
            };
            match event {
                Some(Event::Line(line)) => match self.assemble(&line) {
                    None => {}
                    Some(Ok(Command::End)) => return Ok(()),
                    Some(command) => self.take(Arrived { command, at: line.arrived })?,
                },
                Some(Event::Report(_)) if self.unheard > 0 => {}
                Some(Event::Report(report)) => self.on_report(report)?,
                Some(Event::Decided(decision, lag)) => {
                    self.lag = lag;
                    if self.unheard > 0 {
                        self.unheard -= 1;
                    } else {
                        self.on_decision(decision)?;
                    }
                }
                Some(Event::InputEnded) | None => return Ok(()),
            }
        }
    }

    /// The search has not ended in its time: stop it, or answer for it.
    fn on_due(&mut self, due: Due) -> io::Result<()> {
        self.thinker.stop();
        match due {
            Due::Stop => self.search.iter_mut().for_each(Progress::stopping),
            Due::Answer(best) => {
                self.unheard += 1;
                self.on_decision(Ok(Decision::Stone(Some(best))))?;
            }
        }
        Ok(())
    }

    fn assemble(&mut self, line: &Line) -> Option<Result<Command, CommandError>> {
        if line.overlong {
            self.assembler.overlong(&line.text)
        } else {
            self.assembler.line(&line.text)
        }
    }

    /// Meet a command, or let it act upon the search that runs, or wait for that.
    fn take(&mut self, arrived: Arrived) -> io::Result<()> {
        let Some(search) = &mut self.search else { return self.meet(arrived) };
        let full = self.waiting.len() >= MAX_WAITING;
        match &arrived.command {
            Ok(Command::YxStop) => {
                self.thinker.stop();
                return Ok(());
            }
            Ok(Command::Info(info)) => {
                search.hasten(info);
                if self.waiting.is_empty() {
                    self.game.options.apply(info);
                    return Ok(());
                }
                if full {
                    return Ok(());
                }
            }
            Ok(command) if abandons_search(command) => self.thinker.stop(),
            _ => {}
        }
        if full {
            return self.refuse(&Refusal::TooManyWaiting);
        }
        self.waiting.push_back(arrived);
        Ok(())
    }

    fn meet(&mut self, Arrived { command, at }: Arrived) -> io::Result<()> {
        // Whatever still runs is not heard; pondering may go on where nothing but an option changes.
        let is_info = matches!(command, Ok(Command::Info(_)));
        if !is_info {
            self.thinker.stop();
        }
        let response = match command {
            Ok(command) => self.game.respond(command),
            Err(error @ CommandError::Unknown(_)) => {
                return self.say(&Reply::Unknown(error.to_string()));
            }
            Err(error) => Err(Refusal::Command(error)),
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
        let early = arrived.saturating_duration_since(self.began) < STARTUP;
        let start = if early { self.answered } else { arrived.max(self.answered) };
        let options = &self.game.options;
        let limits = options.limits(start, multi_pv);
        self.search = Some(Progress::new(&limits, self.lag, swap2));
        let (hash_bytes, threads) = (options.hash_bytes(), options.threads());
        self.thinker.think(Task { board, limits, swap2, hash_bytes, threads });
        Ok(())
    }

    /// Think on the opponent's time, if that is wanted and there is something to think about.
    fn ponder(&mut self) {
        let options = &self.game.options;
        let (hash_bytes, threads) = (options.hash_bytes(), options.threads());
        let limits = Limits { start: Instant::now(), ..Limits::default() };
        let Some(board) = self.game.undecided().filter(|_| options.may_ponder()) else { return };
        self.unheard += 1;
        self.thinker.think(Task { board, limits, swap2: false, hash_bytes, threads });
    }

    fn on_report(&mut self, report: Report) -> io::Result<()> {
        let Some(search) = &mut self.search else { return Ok(()) };
        let replies = search.report(report, self.game.options.wants_detail());
        self.say_all(&replies)
    }

    /// Answer the command that made us think, then meet those that waited, until one of them makes
    /// us think again.
    fn on_decision(&mut self, decision: Result<Decision, String>) -> io::Result<()> {
        let Some(mut search) = self.search.take() else { return Ok(()) };
        self.say_all(&search.flush(self.game.options.wants_detail()))?;
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
        let moved = matches!(reply, Reply::Move(_));
        self.answered = Instant::now();
        self.game.options.charge(self.answered.saturating_duration_since(search.start()));
        while self.search.is_none()
            && let Some(arrived) = self.waiting.pop_front()
        {
            self.meet(arrived)?;
        }
        if moved && self.search.is_none() {
            self.ponder();
        }
        let abandoned = |arrived: &Arrived| arrived.command.as_ref().is_ok_and(abandons_search);
        if self.search.is_some() && self.waiting.iter().any(abandoned) {
            self.thinker.stop();
        }
        Ok(())
    }

    fn refuse(&mut self, refusal: &Refusal) -> io::Result<()> {
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
mod tests {
    use super::*;
    use crate::board::Point;
    use crate::score::Score;
    use std::sync::mpsc::SyncSender;
    use std::sync::{Arc, Mutex};

    /// Output that others can watch.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Shared {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Says the lines to the session.
    fn say(events: &SyncSender<Event>, lines: &[&str]) {
        for line in lines {
            let line = Line { text: (*line).to_owned(), overlong: false, arrived: Instant::now() };
            events.send(Event::Line(line)).unwrap();
        }
    }

    fn report(best: Point) -> Event {
        Event::Report(Report {
            line: 0,
            depth: 1,
            seldepth: 1,
            score: Score::ZERO,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: vec![best],
        })
    }

    fn decided(best: Point) -> Event {
        Event::Decided(Ok(Decision::Stone(Some(best))), Lag::default())
    }

    /// What the session answers to the events that `script` sends, which sees the output. Its real
    /// thinker reports to nobody.
    fn answers(script: impl FnOnce(&SyncSender<Event>, &Shared) + Send + 'static) -> String {
        let (sender, events) = sync_channel(QUEUE);
        let (unheard, _keep) = sync_channel(QUEUE);
        let thinker = Thinker::start(unheard, Level::default()).unwrap();
        let output = Shared::default();
        let watched = output.clone();
        let player = thread::spawn(move || script(&sender, &watched));
        Session::new(output.clone(), thinker, Instant::now()).run(&events).unwrap();
        player.join().unwrap();
        output.text()
    }

    #[test]
    fn a_search_that_comes_too_late_is_answered_for_and_then_ignored() {
        let [first, late] = [(7, 7), (3, 3)].map(|(x, y)| Point::new(x, y).unwrap());
        let output = answers(move |events, output| {
            say(events, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
            events.send(report(first)).unwrap();
            // A second or a minute, as the machine has time.
            let answered = |_: &u32| output.text().contains("7,7");
            (0..60_000).inspect(|_| thread::sleep(Duration::from_millis(1))).find(answered);
            say(events, &["INFO timeout_turn 600000", "TURN 8,8"]);
            // The search that was answered for ends only now.
            events.send(report(late)).unwrap();
            events.send(decided(late)).unwrap();
            events.send(decided(Point::new(9, 9).unwrap())).unwrap();
        });
        let said: Vec<&str> = output.lines().filter(|line| !line.contains("pv h8")).collect();
        assert_eq!(said, ["OK", "7,7", "9,9"]);
    }

    /// What is said where three searches end, after the `first` of which the opponent moves, and the
    /// game is set up by these lines.
    fn said_with_three_searches(setup: &'static [&'static str]) -> Vec<String> {
        let [first, second, third] = [7, 8, 9].map(|x| Point::new(x, 7).unwrap());
        let output = answers(move |events, _| {
            say(events, &["START 15", "INFO timeout_turn 600000"]);
            say(events, setup);
            say(events, &["BEGIN"]);
            events.send(decided(first)).unwrap();
            say(events, &["INFO time_left 500000", "TURN 0,0"]);
            events.send(report(second)).unwrap();
            events.send(decided(second)).unwrap();
            events.send(decided(third)).unwrap();
        });
        output.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_owned).collect()
    }

    #[test]
    fn nobody_hears_of_pondering() {
        // The second search is the pondering.
        assert_eq!(said_with_three_searches(&["INFO pondering 1"]), ["OK", "7,7", "9,7"]);
    }

    #[test]
    fn only_who_is_asked_to_ponders_and_never_in_a_tournament() {
        let played = ["OK", "7,7", "8,7"];
        assert_eq!(said_with_three_searches(&[]), played);
        assert_eq!(said_with_three_searches(&["INFO pondering 0"]), played);
        for tournament in
            [&["INFO game_type 2", "INFO pondering 1"], &["INFO pondering 1", "INFO game_type 3"]]
        {
            assert_eq!(said_with_three_searches(tournament), played);
        }
    }

    #[test]
    fn pondering_outlives_only_options_that_allow_it() {
        for (line, goes_on) in [
            ("INFO time_left 500000", true),
            ("INFO pondering 1", true),
            ("INFO pondering 0", false),
            ("INFO game_type 2", false),
            ("TURN 0,0", false),
        ] {
            let (unheard, _keep) = sync_channel(QUEUE);
            let thinker = Thinker::start(unheard, Level::default()).unwrap();
            let mut session = Session::new(Shared::default(), thinker, Instant::now());
            for line in ["START 15", "INFO pondering 1", "BEGIN"] {
                session.hear(line);
            }
            session.on_decision(Ok(Decision::Stone(Point::new(7, 7)))).unwrap();
            let pondering = Arc::clone(&session.thinker.signals);
            assert_eq!(session.unheard, 1);
            assert!(!pondering.is_stopped());
            session.hear(line);
            assert_eq!(pondering.is_stopped(), !goes_on, "{line}");
        }
    }

    impl Session<Shared> {
        fn hear(&mut self, text: &str) {
            let line = Line { text: text.to_owned(), overlong: false, arrived: Instant::now() };
            let command = self.assemble(&line).unwrap();
            self.take(Arrived { command, at: line.arrived }).unwrap();
        }
    }
}
