//! The terminal board: reads orders, has the room execute them, and draws.
//!
//! It reads lines from any input and writes to any output, so that it works at a keyboard, over
//! ssh, in a pipe and in tests. The prompt is only shown at a keyboard. If the terminal is capable
//! of it, lines can be edited and repeated ([`super::keyboard`]).
//!
//! While the computer thinks, lines are read ahead. At a keyboard some of them act at once (`stop`,
//! `undo`, `goto`, `delete`, `resign`, `pause`, `new`, `load`, `quit`); all others wait for its
//! move. The lines of a script are executed in order: only `stop` as the very next line stops the
//! search.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use kakugo::board::{Point, Rule, Side, UnsupportedWinLength, Variant};
use kakugo::level::{LEVELS, Level};
use kakugo_cli::run_file;
use kakugo_play_core::commands::{ChoiceJson, CoachSetting, Command, RowsJson};
use kakugo_play_core::event::{ClientId, Effect, Event, FileEvent, Rights};
use kakugo_play_core::game::end::End;
use kakugo_play_core::game::live::{Action, LiveGame};
use kakugo_play_core::game::opening::{Opening, OpeningChoice};
use kakugo_play_core::game::setup::{PlayerKind, Seat, Setup};
use kakugo_play_core::game::setup_json::{SeatJson, SetupJson};
use kakugo_play_core::game::{records, status};
use kakugo_play_core::game_file;
use kakugo_play_core::jobs::{Job, JobId, JobResult, JobUpdate};
use kakugo_play_core::messages::{CoachWords, Message, State};
use kakugo_play_core::now::Time;
use kakugo_play_core::parts::board_search::Purpose;
use kakugo_play_core::parts::reviews::REVIEW_TIME;
use kakugo_play_core::room::{Room, RoomIdentity, RoomSettings};
use kakugo_play_core::views::coach::idea_text;
use kakugo_record::Defaults;
use kakugo_record::analysis::drawing::{Style, draw_with_last};
use kakugo_record::file::{EXTENSIONS, Format};
use kakugo_record::notation;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, sanitize};
use kakugo_record::tree::NodeId;

use super::coach::{self, CoachChoice};
use super::keyboard::PROMPT;
use super::lines::{Lines, Noticed};
use super::order::{HELP, Order, parse, sentence, unquoted};
use super::tree::listing;
use crate::clock::Clock;
use crate::pool::{JobKey, Pool, PoolSettings};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 16 << 20;

/// File name extensions of the formats that are written.
const WRITTEN_EXTENSIONS: &str = ".sgf, .psq, .rec, .pos, .lib or .sav";

/// The only client of the room.
const CLIENT: ClientId = ClientId(1);

/// The settings of a terminal board.
pub struct Settings {
    /// The first game, checked.
    pub setup: Setup,
    /// Names of the engines other than Kakugo.
    pub engines: Vec<String>,
    /// The search threads.
    pub pool: PoolSettings,
    /// The style of the board.
    pub style: Style,
    /// True at a keyboard, false in a script.
    pub at_keyboard: bool,
}

/// A terminal board.
struct Terminal<W> {
    room: Room,
    clock: Clock,
    pool: Arc<Pool>,
    updates: Receiver<(JobKey, JobUpdate)>,
    /// The jobs that the room awaits.
    jobs: BTreeMap<JobId, Job>,
    /// The latest state of the room.
    state: Option<Box<State>>,
    /// The coach's latest message on the position.
    coached: Option<CoachWords>,
    /// The subjects that the coach speaks of.
    coach: CoachChoice,
    /// The latest timer of the room.
    timer: Option<Time>,
    /// The reason if the room has refused the latest command.
    refusal: Option<String>,
    /// The set-up of the next game.
    setup: Setup,
    engines: Vec<String>,
    lines: Lines,
    output: W,
    style: Style,
    at_keyboard: bool,
    /// The question that the next line answers.
    question: Option<Question>,
}

/// A question to the user.
enum Question {
    /// Overwrite this file?
    Overwrite(String),
    /// Delete this move and those after it?
    Delete(NodeId),
}

/// A game read from a file.
struct Loaded {
    game: LiveGame,
    notice: Option<Text>,
    /// Number of games in the file.
    count: usize,
}

/// The consequence of an order.
enum Then {
    Nothing,
    Say(String),
    Draw,
    DrawAndSay(String),
    Quit,
}

/// Runs a terminal board until it is told to quit or the input ends.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn run(settings: Settings, lines: Lines, output: impl Write) -> io::Result<()> {
    let clock = Clock::start();
    let (sender, updates) = channel();
    let deliver = move |key, update| _ = sender.send((key, update));
    let pool = Pool::start(&settings.pool, clock, Box::new(deliver))?;
    let Settings { setup, engines, style, at_keyboard, .. } = settings;
    let room_settings = RoomSettings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines: engines.clone(),
        setup: setup.clone(),
        player_level: false,
        answer_pause: Duration::ZERO,
        review_time: REVIEW_TIME,
        saves: false,
        explores: false,
        max_local_file: 0,
        max_remote_file: 0,
    };
    let identity = RoomIdentity { id: String::new(), key: String::new() };
    let room = Room::new(identity, Arc::new(room_settings), None, None, clock.now());
    let mut terminal = Terminal {
        room,
        clock,
        pool: Arc::new(pool),
        updates,
        jobs: BTreeMap::new(),
        state: None,
        coached: None,
        coach: CoachChoice { setting: CoachSetting::Off, explains: false },
        timer: None,
        refusal: None,
        setup,
        engines,
        lines,
        output,
        style,
        at_keyboard,
        question: None,
    };
    terminal.run()
}

/// Running.
impl<W: Write> Terminal<W> {
    fn run(&mut self) -> io::Result<()> {
        if self.at_keyboard {
            writeln!(self.output, "Kakugo. Type a point such as h8, or help.")?;
        }
        self.show()?;
        let rights = Rights { plays: true, is_local: true };
        self.handle(Event::Joined { client: CLIENT, rights });
        loop {
            self.let_computers_play()?;
            if self.at_keyboard && !self.lines.are_prompted() {
                write!(self.output, "{PROMPT}")?;
            }
            self.output.flush()?;
            let Some(line) = self.lines.next()? else { return Ok(()) };
            match self.follow(&line)? {
                Ok(Then::Nothing) => {}
                Ok(Then::Say(text)) => writeln!(self.output, "{}", text.trim_end())?,
                Ok(Then::Draw) => self.show()?,
                Ok(Then::DrawAndSay(text)) => {
                    self.show()?;
                    writeln!(self.output, "{text}")?;
                }
                Ok(Then::Quit) => return Ok(()),
                Err(why) => writeln!(self.output, "{}", self.style.warn(&why))?,
            }
        }
    }

    /// Follows a line: an answer to a question, or an order.
    fn follow(&mut self, line: &str) -> io::Result<Result<Then, String>> {
        Ok(match (self.question.take(), parse(line)) {
            (Some(Question::Overwrite(name)), _) if is_yes(line) => self.save(&name, true),
            (Some(Question::Delete(node)), _) if is_yes(line) => self.delete(node),
            (Some(Question::Overwrite(_)), _) if is_no(line) => say("Not saved."),
            (Some(Question::Delete(_)), _) if is_no(line) => say("Not deleted."),
            (_, Ok(None)) => Ok(Then::Nothing),
            (_, Ok(Some(order))) => {
                if self.flag_falls() {
                    self.show()?;
                }
                self.execute(order)
            }
            (_, Err(why)) => Err(why),
        })
    }

    /// Lets the room handle an event, and performs the effects.
    fn handle(&mut self, event: Event) {
        for effect in self.room.handle(event, self.clock.now()) {
            match effect {
                Effect::Send { message: Message::Refused { why }, .. } => {
                    self.refusal = Some(why.to_string());
                }
                Effect::Send { message: Message::State(state), .. } => self.state = Some(state),
                Effect::StartJob { id, job } => _ = self.jobs.insert(id, job),
                Effect::StopJob { id } => _ = self.jobs.remove(&id),
                Effect::Timer(timer) => self.timer = timer,
                // The board is drawn from the room's game, and nothing is saved by itself.
                Effect::Send { .. } | Effect::AnswerNow { .. } | Effect::Storage(_) => {}
            }
        }
    }

    /// Lets the room execute a command.
    fn command(&mut self, command: Command) -> Result<Then, String> {
        self.refusal = None;
        self.handle(Event::Command { client: CLIENT, command });
        self.refusal.take().map_or(Ok(Then::Draw), Err)
    }

    /// Returns true if the time of a player has run out since the last event.
    fn flag_falls(&mut self) -> bool {
        let goes_on = |room: &Room| room.game().end().is_none();
        let went_on = goes_on(&self.room);
        if self.timer.is_some_and(|timer| timer <= self.clock.now().time) {
            self.timer = None;
            self.handle(Event::Tick);
        }
        went_on && !goes_on(&self.room)
    }

    fn let_computers_play(&mut self) -> io::Result<()> {
        loop {
            self.let_coach_look()?;
            let is_move = |job: &Job| matches!(job, Job::Move(_));
            let Some(Purpose::Move { .. }) = self.room.search_purpose() else { break };
            let Some(id) = self.pending(is_move) else { break };
            let game = self.room.game();
            let seat = game.setup().seats[game.turn()].clone();
            let can_be_asked = !matches!(seat.player, PlayerKind::Engine(_));
            // If a line ends the search, that line comes next.
            let Some(update) = self.await_job(id, can_be_asked) else { break };
            let words = match &update {
                JobUpdate::Finished(JobResult::Move(Ok(actions))) => self.in_words(actions),
                _ => String::new(),
            };
            self.job_ended(id, update);
            if !matches!(self.room.game().end(), Some(End::Forfeit(..))) {
                writeln!(self.output, "{}: {words}", seat.name)?;
            }
            self.show()?;
            self.output.flush()?;
        }
        Ok(())
    }

    /// Lets the coach look at the latest move and the position, and prints what it says.
    fn let_coach_look(&mut self) -> io::Result<()> {
        let is_of_coach = |job: &Job| matches!(job, Job::Mistake { .. } | Job::Outlook { .. });
        let at_keyboard = self.at_keyboard;
        while let Some(id) = self.pending(is_of_coach) {
            // A user who types does not wait for the coach.
            let (Some(update), _) = self.listen_to(id, move |_| at_keyboard) else { break };
            self.job_ended(id, update);
        }
        let is_over = self.room.game().end().is_some();
        let state = self.state.as_ref().filter(|_| !is_over);
        let says = state.and_then(|state| state.coach.says.clone());
        if let Some(says) = says.as_ref().filter(|says| self.coached.as_ref() != Some(says)) {
            let words = coach::words(says, self.room.game().board().height());
            writeln!(self.output, "{}", self.style.strong(&words))?;
            self.output.flush()?;
        }
        self.coached = says;
        Ok(())
    }

    /// Returns the job of this kind that the room awaits.
    fn pending(&self, is_wanted: impl Fn(&Job) -> bool) -> Option<JobId> {
        self.jobs.iter().find(|(_, job)| is_wanted(job)).map(|(&id, _)| id)
    }

    /// A job has ended.
    fn job_ended(&mut self, job: JobId, update: JobUpdate) {
        self.jobs.remove(&job);
        self.handle(Event::Job { job, update });
    }

    /// Waits for the end of a job, unless a line ends it. If it can be asked, `stop` makes it
    /// return its result at once.
    fn await_job(&mut self, id: JobId, can_be_asked: bool) -> Option<JobUpdate> {
        let at_keyboard = self.at_keyboard;
        let ends = move |line: &str| match parse(line) {
            Ok(Some(Order::Stop)) => can_be_asked,
            Ok(Some(order)) => at_keyboard && order.interrupts(),
            _ => false,
        };
        let (update, stopped) = self.listen_to(id, ends);
        let is_stop = |line: &str| parse(line) == Ok(Some(Order::Stop));
        let is_asked = || can_be_asked && self.lines.take(self.noticed(), is_stop);
        update.filter(|_| !stopped || is_asked())
    }

    /// Waits for the end of a job. A line for which `ends` is true makes it end at once. Returns
    /// the end, and true if a line caused it.
    fn listen_to(
        &mut self,
        id: JobId,
        ends: impl Fn(&str) -> bool + Send + 'static,
    ) -> (Option<JobUpdate>, bool) {
        let Some(job) = self.jobs.get(&id).cloned() else { return (None, false) };
        let key = (0, id);
        self.pool.submit(key, job);
        let pool = Arc::clone(&self.pool);
        let stop = move || pool.answer_now(key);
        let updates = &self.updates;
        let wait = || loop {
            match updates.recv() {
                Ok((of, update @ (JobUpdate::Finished(_) | JobUpdate::Failed(_)))) if of == key => {
                    return Some(update);
                }
                Ok(_) => {}
                Err(_) => return None,
            }
        };
        self.lines.listen(self.noticed(), ends, stop, wait)
    }

    fn noticed(&self) -> Noticed {
        if self.at_keyboard { Noticed::Any } else { Noticed::Next }
    }

    fn show(&mut self) -> io::Result<()> {
        let game = self.room.game();
        let board = game.board();
        // Stones that are set up are no moves.
        let drawing = draw_with_last(board, game.stones_played().last(), self.style);
        writeln!(self.output, "{}", drawing.trim_end())?;
        let (variant, moves) = (board.variant(), game.ply());
        let status = status::sentence(game).to_string();
        write!(self.output, "Move {moves}, {variant}. {}", self.style.strong(&status))?;
        let waits = self.room.waits() && game.end().is_none();
        writeln!(self.output, "{}", if waits { " Paused: go." } else { "" })?;
        if game.setup().time.is_limited() {
            writeln!(self.output, "{}", self.clocks())?;
        }
        let progress = game.opening_progress().next;
        if !progress.offered().is_empty() {
            let names = progress.offered().iter().map(|p| notation::name(*p, board.height()));
            writeln!(self.output, "Fifth moves: {}", names.collect::<Vec<_>>().join(", "))?;
        }
        let choices = game.choices_offered();
        let chooser = &game.setup().seats[game.turn()];
        if !choices.is_empty() && chooser.player == PlayerKind::Human {
            writeln!(self.output, "{}", orders_of(&choices))?;
        }
        match &*game.tree().value(game.node()).note.comment {
            "" => Ok(()),
            comment => writeln!(self.output, "{}", sanitize(comment)),
        }
    }

    /// Returns the clocks of both players in one line.
    fn clocks(&self) -> String {
        let (game, now) = (self.room.game(), self.clock.now().time);
        let of = |side: Side| {
            let seat = game.seat_of(side);
            let (left, turn) = game.left(seat, now);
            let overtime = game.overtime(seat, now).map(|overtime| {
                let periods = overtime.periods_left();
                if left.is_some_and(|left| left.is_zero()) {
                    format!("{} x{periods}", shown(overtime.period_left()))
                } else {
                    format!("{periods}x{}", shown(overtime.period))
                }
            });
            let left = left.filter(|left| overtime.is_none() || !left.is_zero()).map(shown);
            let turn = turn.map(|turn| format!("{} a move", shown(turn)));
            let parts: Vec<String> = [left, overtime, turn].into_iter().flatten().collect();
            format!("{side} {}", parts.join(" + "))
        };
        format!("Clocks: {}, {}.", of(Side::Black), of(Side::White))
    }

    fn in_words(&self, actions: &[Action]) -> String {
        let height = self.room.game().board().height();
        let word = |action: &Action| match action {
            Action::Stone(p) => notation::name(*p, height),
            Action::Choose(OpeningChoice::Black) => "takes Black".to_owned(),
            Action::Choose(OpeningChoice::White) => "takes White".to_owned(),
            Action::Choose(OpeningChoice::More) => "places two more".to_owned(),
            Action::Choose(OpeningChoice::Fifths(count)) => fifth_moves(*count),
            Action::Choose(OpeningChoice::Offer(p)) => {
                format!("offers {}", notation::name(*p, height))
            }
            Action::Pass => "pass".to_owned(),
            Action::SetUp => "set-up".to_owned(),
        };
        actions.iter().map(word).collect::<Vec<_>>().join(", ")
    }
}

/// Returns a time on a clock: minutes and seconds, rounded down.
fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Returns the number of fifth moves in words.
fn fifth_moves(count: u8) -> String {
    format!("{count} fifth move{}", if count == 1 { "" } else { "s" })
}

/// Orders.
impl<W: Write> Terminal<W> {
    fn execute(&mut self, order: Order) -> Result<Then, String> {
        let node = self.room.game().node();
        match order {
            Order::Place(text) => {
                let p = self.point(&text)?;
                self.command(Command::Play { x: p.x(), y: p.y(), rows: RowsJson::Bottom })
            }
            Order::Undo(count) => self.command(Command::Undo { count }),
            Order::Redo(count) => self.command(Command::Redo { count }),
            Order::Choose(choice) => {
                self.check_choice(choice)?;
                self.command(Command::Choose { choice: ChoiceJson(choice) })
            }
            Order::Pass => self.command(Command::Pass),
            Order::Go => self.go_on(),
            Order::Pause => self.command(Command::Pause { on: true }),
            Order::Stop => Err(self.nothing_to_stop()),
            Order::Resign => self.command(Command::Resign),
            Order::New => self.new_game(),
            Order::Hint { all } => self.hint(all),
            Order::Coach(choice) => self.set_coach(choice),
            Order::Show => Ok(Then::Draw),
            Order::Moves => Ok(Then::Say(moves_of(self.room.game()))),
            Order::Tree => Ok(Then::Say(listing(self.room.game()))),
            Order::Goto(ply) => self.go_to(ply),
            Order::GotoNumbered(id) => self.command(Command::Node { id }),
            Order::Promote => {
                self.command(Command::Promote { id: node.number() })?;
                say("The variation was promoted: tree.")
            }
            Order::Delete => self.ask_to_delete(node),
            Order::Comment(None) => {
                let comment = &self.room.game().tree().value(node).note.comment;
                let text = sanitize(comment);
                say(if comment.is_empty() { "There is no comment." } else { &text })
            }
            Order::Comment(Some(text)) => {
                self.command(Command::Comment { id: node.number(), text })?;
                Ok(Then::Nothing)
            }
            Order::Save { name, over } => self.save(&name, over),
            Order::Load(name) => {
                let notes = self.load(&name)?;
                Ok(if notes.is_empty() { Then::Draw } else { Then::DrawAndSay(notes) })
            }
            Order::Levels => Ok(Then::Say(levels())),
            Order::Help => Ok(Then::Say(HELP.to_owned())),
            Order::Quit => Ok(Then::Quit),
            order if order.is_about_players() => self.change_players(&order),
            order => self.change_next_game(&order),
        }
    }

    /// Goes to the position after this many moves, or to the last one with a note.
    fn go_to(&mut self, ply: usize) -> Result<Then, String> {
        let last = self.room.game().move_nodes().count();
        let then = self.command(Command::Goto { ply })?;
        Ok(match last {
            _ if ply <= last => then,
            0 => Then::DrawAndSay("No move has been made.".to_owned()),
            _ => Then::DrawAndSay(format!("The line ends with move {last}.")),
        })
    }

    /// Checks a choice in an opening, if there is one to be made.
    fn check_choice(&self, choice: OpeningChoice) -> Result<(), String> {
        let offered = self.room.game().choices_offered();
        match offered.contains(&choice) || offered.is_empty() {
            true => Ok(()),
            false => Err(format!("This cannot be chosen now. {}", orders_of(&offered))),
        }
    }

    fn new_game(&mut self) -> Result<Then, String> {
        let setup = Box::new(SetupJson::from_setup(&self.setup));
        self.command(Command::New { setup, moves: String::new(), guest: None })
    }

    fn nothing_to_stop(&self) -> String {
        let is_other = |seat: &Seat| matches!(seat.player, PlayerKind::Engine(_));
        let why = if self.room.game().setup().seats.iter().any(is_other) {
            "Only Kakugo can be asked to play at once."
        } else {
            "Nobody is thinking now."
        };
        why.to_owned()
    }

    fn point(&self, text: &str) -> Result<Point, String> {
        let board = self.room.game().board();
        let points = pos::read(text, board.height(), RowOrder::FromBottom);
        match points.as_deref() {
            Ok([p]) if board.contains(*p) => Ok(*p),
            _ => Err(format!("{text} is off the board.")),
        }
    }

    /// Changes the set-up of the next game, and starts it if there is no stone on the board.
    fn change_next_game(&mut self, order: &Order) -> Result<Then, String> {
        let mut setup = self.setup.clone();
        let variant = setup.variant;
        let changed = |result: Result<Variant, UnsupportedWinLength>| result.map_err(sentence);
        match *order {
            Order::Rule(rule) => {
                let same_length = Variant::new(rule, variant.win_length());
                setup.variant = same_length.unwrap_or_else(|_| Variant::five(rule));
            }
            Order::Win(length) => setup.variant = changed(Variant::new(variant.rule(), length))?,
            Order::Size(width, height) => (setup.width, setup.height) = (width, height),
            Order::Opening(opening) => setup.opening = opening,
            _ => {}
        }
        self.setup = setup.checked(&self.engines).map_err(sentence)?;
        if self.room.game().steps().is_empty() {
            self.new_game()
        } else {
            say("This holds from the next game on: new.")
        }
    }

    /// Changes the players of the game on the board and of the next. Orders name them by their
    /// colours, which may have been swapped.
    fn change_players(&mut self, order: &Order) -> Result<Then, String> {
        let mut setup = self.setup.clone();
        order.change_players(&mut setup.seats);
        let game = self.room.game();
        let mut current = game.setup().clone();
        let mut seats = Side::BOTH.map(|side| current.seats[game.seat_of(side)].clone());
        order.change_players(&mut seats);
        for (side, seat) in Side::BOTH.into_iter().zip(&seats) {
            current.seats[game.seat_of(side)] = seat.clone();
        }
        current.checked(&self.engines).map_err(sentence)?;
        self.setup = setup.checked(&self.engines).map_err(sentence)?;
        let seats = seats.each_ref().map(SeatJson::from_seat);
        self.command(Command::Seats { seats })
    }

    /// Goes on after a pause, or although the coach has warned.
    fn go_on(&mut self) -> Result<Then, String> {
        let is_coached = self.coached.as_ref().is_some_and(|says| says.waits);
        self.command(if is_coached { Command::PlayOn } else { Command::Pause { on: false } })
    }

    /// Sets what the coach speaks of, or shows it.
    fn set_coach(&mut self, choice: Option<CoachChoice>) -> Result<Then, String> {
        if let Some(choice) = choice {
            let CoachChoice { setting, explains } = choice;
            self.command(Command::Coach { setting, explains })?;
            self.coach = choice;
        }
        Ok(Then::Say(self.coach.in_words()))
    }

    /// Shows the next step of a hint, or all of it.
    fn hint(&mut self, all: bool) -> Result<Then, String> {
        self.command(Command::Hint { all })?;
        let mut idea = String::new();
        if let Some(id) = self.pending(|job| matches!(job, Job::Hint(_))) {
            let Some(update) = self.await_job(id, true) else { return Ok(Then::Nothing) };
            let JobUpdate::Finished(JobResult::Hint { actions, idea: found }) = &update else {
                return Err("The search failed.".to_owned());
            };
            if let Some(choice) = self.choice_in_words(actions) {
                self.job_ended(id, update);
                return Ok(Then::Say(format!("Kakugo would {choice}.")));
            }
            idea = found.as_ref().map_or(idea, |idea| format!(" {}", idea_text(idea)));
            self.job_ended(id, update);
        }
        let step = self.state.as_ref().and_then(|state| coach::hint(state));
        let step = step.ok_or_else(|| "There is no hint.".to_owned())?;
        Ok(Then::Say(if all { step + &idea } else { step }))
    }

    /// Returns the choice in an opening that these actions begin with, in words.
    fn choice_in_words(&self, actions: &[Action]) -> Option<String> {
        let choice = match actions.first() {
            Some(Action::Choose(OpeningChoice::Black)) => "take Black".to_owned(),
            Some(Action::Choose(OpeningChoice::White)) => "take White".to_owned(),
            Some(Action::Choose(OpeningChoice::More)) => {
                format!("place two more: {}", self.in_words(&actions[1..]))
            }
            Some(Action::Choose(OpeningChoice::Fifths(count))) => {
                format!("announce {}", fifth_moves(*count))
            }
            Some(Action::Choose(OpeningChoice::Offer(p))) => {
                format!("offer {}", notation::name(*p, self.room.game().board().height()))
            }
            _ => return None,
        };
        Some(choice)
    }

    /// Saves the game; `over` a file that exists only on demand.
    fn save(&mut self, name: &str, over: bool) -> Result<Then, String> {
        let format = Format::from_file_name(name, RowOrder::FromBottom);
        let format =
            format.ok_or_else(|| format!("{name}: the name must end in {WRITTEN_EXTENSIONS}."))?;
        let bytes = self.room.record(format).map_err(|why| why.to_string())?;
        let written = if over {
            run_file::replace(Path::new(name), &bytes)
        } else {
            File::create_new(name).and_then(|mut file| file.write_all(&bytes))
        };
        match written {
            Err(error) if error.kind() == ErrorKind::AlreadyExists && !over => {
                return self.ask_to_overwrite(name);
            }
            written => written.map_err(|error| format!("Not saved: {name}: {error}."))?,
        }
        let losses = records::notice_of_losses(self.room.game(), format);
        let losses = losses.map_or(String::new(), |losses| format!(" {losses}"));
        Ok(Then::Say(format!("Saved to {name}.{losses}")))
    }

    /// Asks a user at a keyboard; a script must use `save!`.
    fn ask_to_overwrite(&mut self, name: &str) -> Result<Then, String> {
        if !self.at_keyboard {
            return Err(format!("Not saved: {name} exists. To overwrite it: save! {name}"));
        }
        self.question = Some(Question::Overwrite(name.to_owned()));
        Ok(Then::Say(format!("{name} exists. Overwrite it? (yes, no)")))
    }

    /// Loads a file, and returns notes about it.
    fn load(&mut self, name: &str) -> Result<String, String> {
        let Loaded { game, notice, count } = self.read(name)?;
        self.setup = self.next_setup(game.setup());
        let said = notice.as_ref().map_or(String::new(), ToString::to_string);
        self.handle(Event::File(FileEvent::Show { game: Box::new(game), notice }));
        // Computers do not wait here: the user has asked for this position.
        let _ = self.command(Command::Pause { on: false });
        let notes = [records::notice_of_other_games(count), said];
        Ok(notes.join(" ").trim().to_owned())
    }

    /// Reads the first game of a file. A rule may follow the name.
    fn read(&self, text: &str) -> Result<Loaded, String> {
        let (name, rule) = match text.rsplit_once(char::is_whitespace) {
            Some((name, word)) if !Path::new(text).exists() => match word.parse::<Rule>() {
                Ok(rule) => (unquoted(name.trim()), Some(rule)),
                Err(_) => (text, None),
            },
            _ => (text, None),
        };
        let failed =
            |error: &dyn std::fmt::Display| sanitize(&format!("Not loaded: {name}: {error}."));
        let unknown = || format!("{name}: the name must end in {EXTENSIONS}.");
        let by_name = Format::from_file_name(name, RowOrder::FromBottom);
        if by_name.is_none() && !Path::new(name).exists() {
            return Err(unknown());
        }
        let size = fs::metadata(name).map_err(|error| failed(&error))?.len();
        if size > MAX_FILE {
            return Err(failed(&"too large for a game record"));
        }
        let bytes = fs::read(name).map_err(|error| failed(&error))?;
        let format = Format::of_file(name, &bytes, RowOrder::FromBottom).ok_or_else(unknown)?;
        let mut defaults = Defaults::from(self.room.pattern());
        if let Some(rule) = rule {
            defaults.game.variant = Variant::five(rule);
            (defaults.accepts_any_sgf, defaults.names_rule) = (true, true);
        }
        let (defaults, assumes_size) = game_file::fitted(format, &bytes, defaults);
        let mut first = None;
        let mut count = 0;
        format.each_game(&bytes, defaults, |game| {
            count += 1;
            first.get_or_insert(game);
            ControlFlow::Continue(())
        });
        let first = first.ok_or_else(|| failed(&"no game"))?.map_err(|error| {
            let hint = if error.is_other_game() {
                format!(" Name its rule to load it: load {name} renju.")
            } else {
                String::new()
            };
            failed(&error) + &hint
        })?;
        let (game, notice) = records::open_record(&first, RowOrder::FromBottom)
            .map_err(|why| failed(&why.to_string().trim_end_matches('.')))?;
        let size = assumes_size.then(|| game_file::notice_of_assumed_size(&first.game)).flatten();
        let notice = records::joined([notice, size]);
        Ok(Loaded { game, notice, count })
    }

    /// Returns the set-up of the next game: size and rule of the loaded one, players of this one.
    fn next_setup(&self, loaded: &Setup) -> Setup {
        let (width, height, variant) = (loaded.width, loaded.height, loaded.variant);
        let next = Setup { width, height, variant, ..self.setup.clone() };
        let free = Setup { opening: Opening::Free, ..next.clone() };
        // The opening may need a larger board.
        let checked = next.checked(&self.engines).or_else(|_| free.checked(&self.engines));
        checked.unwrap_or_else(|_| loaded.clone())
    }

    /// Deletes the move on the board. A user at a keyboard is asked if others follow it.
    fn ask_to_delete(&mut self, node: NodeId) -> Result<Then, String> {
        let mut below = vec![node];
        let mut count = 0;
        while let Some(node) = below.pop() {
            count += 1;
            below.extend(self.room.game().tree().children(node));
        }
        if node == NodeId::ROOT || count == 1 || !self.at_keyboard {
            return self.delete(node);
        }
        self.question = Some(Question::Delete(node));
        Ok(Then::Say(format!("Delete {count} moves? (yes, no)")))
    }

    fn delete(&mut self, node: NodeId) -> Result<Then, String> {
        self.command(Command::Delete { id: node.number() })
    }
}

/// Returns the orders that make these choices.
fn orders_of(choices: &[OpeningChoice]) -> String {
    let number = |choice: &OpeningChoice| match choice {
        OpeningChoice::Fifths(count) => Some(*count),
        _ => None,
    };
    let order = |choice: &OpeningChoice| match choice {
        OpeningChoice::Black => Some("take black".to_owned()),
        OpeningChoice::White => Some("take white".to_owned()),
        OpeningChoice::More => Some("take more".to_owned()),
        OpeningChoice::Fifths(_) | OpeningChoice::Offer(_) => None,
    };
    let mut orders: Vec<String> = choices.iter().filter_map(order).collect();
    let numbers: Vec<u8> = choices.iter().filter_map(number).collect();
    let is_range = numbers.len() > 2 && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let range = match numbers[..] {
        [least, .., most] if is_range => format!("take {least} to take {most}"),
        _ => numbers.iter().map(|count| format!("take {count}")).collect::<Vec<_>>().join(" or "),
    };
    if !range.is_empty() {
        orders.push(format!("{range} (fifth moves)"));
    }
    format!("Try: {}.", orders.join(", "))
}

/// Returns the moves up to the position.
fn moves_of(game: &LiveGame) -> String {
    let height = game.board().height();
    let moves = game.nodes()[..game.at()].iter().filter(|&&node| game.is_move(node));
    let names = moves.map(|&node| {
        game.stone(node).map_or_else(|| "pass".to_owned(), |p| notation::name(p, height))
    });
    names.collect::<Vec<_>>().join(" ")
}

fn say(text: &str) -> Result<Then, String> {
    Ok(Then::Say(text.to_owned()))
}

/// Returns the list of levels, one per line.
fn levels() -> String {
    let line = |(i, level): (usize, &Level)| {
        format!("  {:2} {:20} Elo {:5}\n", i + 1, level.name, level.rating)
    };
    LEVELS.iter().enumerate().map(line).collect()
}

fn is_yes(line: &str) -> bool {
    ["y", "yes"].contains(&line.trim().to_ascii_lowercase().as_str())
}

fn is_no(line: &str) -> bool {
    ["n", "no"].contains(&line.trim().to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_shown_as_orders() {
        let fifths: Vec<OpeningChoice> = (1..=12).map(OpeningChoice::Fifths).collect();
        assert_eq!(orders_of(&fifths), "Try: take 1 to take 12 (fifth moves).");
        let ten = [1, 10].map(OpeningChoice::Fifths);
        assert_eq!(orders_of(&ten), "Try: take 1 or take 10 (fifth moves).");
        let colours = [OpeningChoice::Black, OpeningChoice::White, OpeningChoice::More];
        assert_eq!(orders_of(&colours), "Try: take black, take white, take more.");
    }
}
