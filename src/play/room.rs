//! A game that pages look at: its players, its analysis and whoever watches.
//!
//! All changes go through [`Room::obey`], the worker's outcomes and the ticker; after each,
//! [`Room::settle`] compares what ought to be thought about now with what is, and stops or starts
//! the worker accordingly. Every change is told to all pages as one full view, so that a page that
//! missed something is right again after the next.

use std::io;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use tokio::sync::broadcast;

use crate::arena::config::EngineConfig;
use crate::board::Point;
use crate::record::file::Format;
use crate::record::pos::{self, RowOrder};

use super::archive;
use super::desk::{Desk, Purpose};
use super::end::Forfeit;
use super::game::Game;
use super::insight::Insight;
use super::players::{Players, Task};
use super::refusal::Refusal;
use super::setup::{Player, Setup};
use super::view;
use super::wire::{Command, bytes_of};
use super::worker::{Findings, Outcome, Work, Worker, lock};

/// Messages kept for a page that is slow to take them.
const BACKLOG: usize = 64;

/// Best lines that a page may ask for.
const MOST_LINES: usize = 9;

/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// What all rooms have in common.
#[derive(Clone, Debug)]
pub struct House {
    /// Names of the other engines.
    pub engines: Vec<String>,
    /// What they are.
    pub configs: &'static [EngineConfig],
    /// The game that a new room begins with.
    pub setup: Setup,
    /// Transposition table of each room, in bytes.
    pub hash_bytes: usize,
    /// Threads of each search.
    pub threads: usize,
}

/// A room; see the module.
pub struct Room {
    /// By which pages find it.
    pub id: String,
    /// Whoever knows this may play; others watch.
    pub key: String,
    house: Arc<House>,
    game: Game,
    /// Counts changes of the position.
    version: u64,
    paused: bool,
    analyse: Option<usize>,
    insight: Insight,
    /// Something to know about the latest change.
    note: String,
    pages: usize,
    desk: Desk,
    news: broadcast::Sender<Arc<str>>,
}

/// A room shared between pages, its worker and the ticker.
pub type SharedRoom = Arc<Mutex<Room>>;

impl Room {
    /// A room with a new game.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn open(id: String, key: String, house: Arc<House>) -> io::Result<SharedRoom> {
        let setup = house.setup.clone();
        let players = Players::new(house.hash_bytes, house.threads, house.configs);
        let mut failure = None;
        let room = Arc::new_cyclic(|weak: &Weak<Mutex<Room>>| {
            let home = weak.clone();
            let worker = Worker::start(players, move |number, outcome| {
                if let Some(room) = home.upgrade() {
                    lock(&room).finished(number, outcome);
                }
            });
            let worker = worker.unwrap_or_else(|error| {
                failure = Some(error);
                Worker::absent()
            });
            Mutex::new(Room {
                id,
                key,
                house,
                game: Game::new(setup),
                version: 0,
                paused: false,
                analyse: None,
                insight: Insight::default(),
                note: String::new(),
                pages: 0,
                desk: Desk::new(worker),
                news: broadcast::channel(BACKLOG).0,
            })
        });
        failure.map_or(Ok(room), Err)
    }

    /// A page has come: what it hears from now on, and what it must know first.
    pub fn enter(&mut self) -> (broadcast::Receiver<Arc<str>>, Vec<Arc<str>>) {
        let news = self.news.subscribe();
        self.pages += 1;
        if self.pages == 1 {
            self.settle(Instant::now());
        }
        (news, self.all())
    }

    /// A page has gone. When the last one goes, clocks and thinking stop.
    pub fn leave(&mut self) {
        self.pages = self.pages.saturating_sub(1);
        if self.pages == 0 {
            self.settle(Instant::now());
            self.desk.rest();
        }
    }

    /// Whether anybody is here.
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Everything a page must know.
    pub fn all(&self) -> Vec<Arc<str>> {
        let mut all = vec![self.view()];
        all.extend(self.insight.findings.as_ref().map(|found| self.findings_view(found)));
        let review = self.insight.review.as_ref();
        all.extend(review.map(|review| view::review(review).to_string().into()));
        all
    }

    fn view(&self) -> Arc<str> {
        let around = view::Around {
            paused: self.paused,
            thinking: self.desk.purpose().map(Purpose::word),
            analyse: self.analyse,
            values: &self.insight.values,
            hint: self.insight.hint,
            note: &self.note,
            version: self.version,
            reviewed: self.insight.review.is_some(),
        };
        view::state(&self.game, &around, Instant::now()).to_string().into()
    }

    fn findings_view(&self, findings: &Findings) -> Arc<str> {
        view::findings(self.game.board(), self.version, findings).to_string().into()
    }

    fn tell(&self, message: Arc<str>) {
        // Nobody listening is no error.
        let _ = self.news.send(message);
    }

    fn tell_all(&self) {
        self.tell(self.view());
    }

    /// Do what a page asks; the text is an answer for that page alone.
    ///
    /// # Errors
    /// Why it cannot be done, for people.
    pub fn obey(&mut self, command: Command) -> Result<Option<Arc<str>>, String> {
        let now = Instant::now();
        if let Command::Save { format, rows } = &command {
            return self.save(format, (*rows).into()).map(Some);
        }
        if self.carry_out(command, now)? {
            self.moved();
        }
        self.settle(now);
        self.tell_all();
        Ok(None)
    }

    fn save(&self, format: &str, rows: RowOrder) -> Result<Arc<str>, String> {
        let format = Format::from_word(format, rows).ok_or("There is no such format.")?;
        let text = format.write(&[archive::record_of(&self.game)]).map_err(|e| e.to_string())?;
        Ok(view::record(format, &text).to_string().into())
    }

    fn load(&mut self, name: &str, bytes: &str, rows: RowOrder) -> Result<(), String> {
        let format = Format::of_name(name, rows)
            .ok_or("The name must end in .sgf, .psq, .rec, .lib, .pos or .txt.")?;
        let bytes = bytes_of(bytes).ok_or("The page sent something that is no file.")?;
        let games = format
            .read(&bytes, &archive::record_of(&self.game))
            .map_err(|error| format!("This is no game: {error}."))?;
        let first = games.first().ok_or("The file holds no game.")?;
        let game = archive::game_of(first, rows)?;
        self.start(game);
        self.note = archive::note_of(games.len());
        Ok(())
    }

    /// Whether the position changed.
    fn carry_out(&mut self, command: Command, now: Instant) -> Result<bool, String> {
        let told = |refusal: Refusal| refusal.to_string();
        self.insight.hint = None;
        self.note.clear();
        match command {
            Command::New { setup, moves } => {
                let setup = setup.setup(&self.house.engines)?;
                let points = pos::read(&moves, setup.height, RowOrder::FromBottom)
                    .map_err(|error| error.to_string())?;
                let game = Game::with_moves(setup, &points)
                    .map_err(|(number, refusal)| format!("Move {}: {refusal}", number + 1))?;
                self.start(game);
            }
            Command::Play { x, y, rows } => {
                let p = Point::new(x, y).ok_or("That point is off the board.")?;
                self.humans_turn()?;
                self.game.play(p, now).map_err(|refusal| refusal.in_words(rows.into()))?;
                self.paused = false;
            }
            Command::Choose { choice } => {
                self.humans_turn()?;
                self.game.choose(choice.into(), now).map_err(told)?;
            }
            Command::Undo { count } => {
                let count = count.unwrap_or_else(|| self.game.steps_to_own_turn());
                self.game.undo(count, now).map_err(told)?;
                self.hold_computer();
            }
            Command::Redo { count } => {
                self.game.redo(count, now).map_err(told)?;
                self.hold_computer();
            }
            Command::Goto { ply } => {
                self.game.go_to(ply, now);
                self.hold_computer();
            }
            Command::Resign => {
                let seat = self.game.human_seat();
                self.game.forfeit(seat, Forfeit::Resigned, now).map_err(told)?;
            }
            Command::Pause { on } => {
                self.paused = on;
                return Ok(false);
            }
            Command::Now => {
                self.paused = false;
                let player = self.game.setup().seats[self.game.turn()].player;
                if matches!(player, Player::Engine(_)) {
                    return Err("Only Kakugo can be asked to play at once.".to_owned());
                }
                self.desk.hasten();
                return Ok(false);
            }
            Command::Hint => {
                if self.game.end().is_some() {
                    return Err(told(Refusal::Over));
                }
                let mut task = Task::of(&self.game, now);
                task.limits.turn = Some(HINT_TIME);
                task.limits.left = None;
                self.desk.begin(Purpose::Hint, Work::Hint(Box::new(task)));
                return Ok(false);
            }
            Command::Analyse { on, lines } => {
                self.analyse = on.then_some(lines.clamp(1, MOST_LINES));
                return Ok(false);
            }
            Command::Explain => {
                let moves: Vec<Point> = self.game.line().collect();
                let empty = Game::new(self.game.setup().clone()).board().clone();
                self.desk.begin(Purpose::Review, Work::Review(empty, moves));
                return Ok(false);
            }
            Command::Load { name, bytes, rows } => self.load(&name, &bytes, rows.into())?,
            Command::Save { .. } => return Ok(false),
            Command::Seats { seats } => {
                let mut setup = self.game.setup().clone();
                setup.seats = seats.map(|seat| seat.seat());
                let setup = setup.checked(&self.house.engines).map_err(|e| e.to_string())?;
                self.game.set_seats(setup.seats);
                self.paused = false;
            }
        }
        Ok(true)
    }

    /// Replace the game.
    pub fn start(&mut self, game: Game) {
        self.game = game;
        self.insight = Insight::default();
        self.paused = false;
        self.hold_computer_with_moves();
    }

    fn humans_turn(&self) -> Result<(), String> {
        let seat = &self.game.setup().seats[self.game.turn()];
        if seat.player.is_computer() && self.game.end().is_none() {
            return Err(Refusal::NotYourTurn(seat.name.clone()).to_string());
        }
        Ok(())
    }

    /// Who takes back moves wants to look: the computer waits for a word.
    fn hold_computer(&mut self) {
        let seat = &self.game.setup().seats[self.game.turn()];
        self.paused = seat.player.is_computer() && self.game.end().is_none();
    }

    fn hold_computer_with_moves(&mut self) {
        if self.game.board().ply() > 0 {
            self.hold_computer();
        }
    }

    /// The position has changed.
    fn moved(&mut self) {
        self.version += 1;
        self.insight.follow(self.game.line().collect());
    }

    /// Stop and start thinking and clocks as the position demands.
    fn settle(&mut self, now: Instant) {
        let over = self.game.end().is_some();
        let computer = self.game.setup().seats[self.game.turn()].player.is_computer();
        let watched = self.pages > 0;
        let goes = watched && !over && !self.paused;
        // A human's clock starts with the first stone.
        self.game.run_clock(goes && (computer || self.game.board().ply() > 0), now);
        let wanted = if goes && computer {
            Some(Purpose::Decide { version: self.version })
        } else if !watched {
            None
        } else if let Some(lines) = self.analyse.filter(|_| !over) {
            Some(Purpose::Analyse { version: self.version, lines })
        } else {
            None
        };
        let current = self.desk.purpose();
        let busy = matches!(current, Some(Purpose::Hint | Purpose::Review)) && watched;
        let deciding = matches!(wanted, Some(Purpose::Decide { .. }));
        if current == wanted || (busy && !deciding) {
            return;
        }
        self.desk.end();
        match wanted {
            Some(purpose @ Purpose::Decide { .. }) => {
                let task = Task::of(&self.game, now);
                self.desk.begin(purpose, Work::Decide(Box::new(task)));
            }
            Some(purpose @ Purpose::Analyse { lines, .. }) => {
                self.desk.begin(purpose, Work::Analyse(self.game.board().clone(), lines));
            }
            _ => {}
        }
    }

    /// The worker is done with a job.
    fn finished(&mut self, number: u64, outcome: Outcome) {
        if !self.desk.awaits(number) {
            return;
        }
        self.collect();
        if matches!(outcome, Outcome::Analysed) {
            return self.desk.exhaust();
        }
        self.desk.finish();
        let now = Instant::now();
        match outcome {
            Outcome::Analysed => {}
            Outcome::Decided(decided) => {
                self.game.carry_out(decided.map(|decision| decision.actions), now);
                self.moved();
            }
            Outcome::Hinted(hint) => self.insight.hint = hint,
            Outcome::Reviewed(review) => {
                self.tell(view::review(&review).to_string().into());
                self.insight.learn_review(review);
            }
        }
        self.settle(now);
        self.tell_all();
    }

    /// Ten times a second: findings to the pages, flags.
    pub fn tick(&mut self) {
        if self.pages == 0 {
            return;
        }
        if !self.collect() {
            self.tell_pace();
        }
        if self.game.check_flag(Instant::now()) {
            self.moved();
            self.settle(Instant::now());
            self.tell_all();
        }
    }

    /// Between two findings the pages see the search go on.
    fn tell_pace(&self) {
        if let Some((elapsed, nodes)) = self.desk.pace() {
            self.tell(view::pace(self.version, elapsed, nodes).to_string().into());
        }
    }

    /// Pass findings on; whether there were any.
    fn collect(&mut self) -> bool {
        let Some((purpose, findings)) = self.desk.collect() else { return false };
        if purpose.is_about_position() {
            self.tell(self.findings_view(&findings));
            self.insight.learn(self.game.board(), findings);
        } else {
            for (ply, permille) in findings.reviewed {
                self.insight.note(ply, permille);
            }
            self.tell_all();
        }
        true
    }
}
