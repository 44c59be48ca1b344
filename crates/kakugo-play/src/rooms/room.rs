//! A game that pages look at: its players, its analysis and those who watch.
//!
//! All changes go through [`Room::obey`], the outcomes of its jobs and the ticker; after each,
//! [`Room::settle`] compares what ought to be thought about now with what is, and stops or starts
//! a job accordingly. Every change is told to all pages as one full view, so that a page that
//! missed something is right again after the next.

use std::io;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

use tokio::sync::broadcast;

use kakugo::board::Side;
use kakugo_protocol::client::EngineConfig;
use kakugo_record::analysis::puzzle::Verdict;

use super::findings::Findings;
use super::keeping::Keeping;
use super::known::Known;
use super::moves;
use super::note::Note;
use super::openings::Openings;
use super::puzzles::Hunt;
use super::reviewing::Reviewing;
use super::sent::SentFile;
use super::thinking::{Done, Purpose, Thinking};
use super::trial::Practice;
use super::view;
use super::work::{Outcome, Work};
use crate::computers::MoveRequest;
use crate::game::live::{Action, LiveGame};
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::game::words;
use crate::kept::store::Store;
use crate::lock::lock;
use kakugo::player::Resources;
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

/// Messages kept for a page that is slow to take them.
const BACKLOG: usize = 64;

/// What all rooms have in common.
#[derive(Clone, Debug)]
pub struct RoomSettings {
    /// Names of the other engines.
    pub engines: Vec<String>,
    /// What they are.
    pub configs: &'static [EngineConfig],
    /// The game that a new room begins with.
    pub setup: Setup,
    /// Whether the very first game of the games that are kept is against a gentle level.
    pub gentle: bool,
    /// What pages may explore.
    pub openings: Openings,
    /// What each room's search may use.
    pub resources: Resources,
    /// Where games are kept, if they are.
    pub store: Option<Store>,
}

/// A room; see the module.
pub struct Room {
    /// By which pages find it.
    pub id: String,
    /// Pages that know this may play; others watch.
    pub key: String,
    pub(super) settings: Arc<RoomSettings>,
    pub(super) game: LiveGame,
    /// Counts changes of the position.
    pub(super) version: u64,
    /// Whether somebody has stopped clocks and computers.
    pub(super) paused: bool,
    /// Whether a computer waits for a word, since moves were taken back or others looked at.
    pub(super) held: bool,
    pub(super) analyse: Option<usize>,
    pub(super) known: Known,
    /// Something to know about the latest change.
    pub(super) note: Option<Note>,
    pages: usize,
    pub(super) thinking: Thinking,
    /// Takes the outcomes of jobs.
    done: Done,
    news: broadcast::Sender<Arc<str>>,
    /// The moves as the pages know them.
    tree_told: Arc<str>,
    /// The review as the pages know it.
    review_told: Arc<str>,
    /// The openings as the pages know them.
    openings_told: Option<Arc<str>>,
    /// Whether they were told since the book has been read.
    book_told: bool,
    pub(super) keeping: Keeping,
    /// Whether a game that is kept was on the board before.
    pub(super) follows: bool,
    /// A review under way.
    pub(super) reviewing: Option<Reviewing>,
    /// Reviews begun.
    pub(super) reviews: u64,
    /// Whether a review has said something since the pages were told.
    pub(super) news_of_review: bool,
    /// What its pages explore.
    pub(super) openings: Openings,
    /// The file that a page has sent last.
    pub(super) sent: Option<Arc<SentFile>>,
    /// The puzzle on the board, if it is one.
    pub(super) practice: Option<Practice>,
    /// The puzzles found in the games kept.
    pub(super) hunt: Option<Hunt>,
    /// Hunts begun.
    pub(super) hunts: u64,
    /// Whether a hunt has found something since the pages were told.
    pub(super) news_of_hunt: bool,
    pub(super) home: Weak<Mutex<Room>>,
}

/// A room shared between pages, its thread and the ticker.
pub type SharedRoom = Arc<Mutex<Room>>;

impl Room {
    /// A room with a new game.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn open(id: String, key: String, settings: Arc<RoomSettings>) -> io::Result<SharedRoom> {
        let (setup, note) = first_setup(&settings);
        let thinking = Thinking::start(settings.resources.clone(), settings.configs)?;
        Ok(Arc::new_cyclic(|weak: &Weak<Mutex<Room>>| {
            let home = weak.clone();
            let done = move |number, outcome| {
                if let Some(room) = home.upgrade() {
                    lock(&room).finished(number, outcome);
                }
            };
            Mutex::new(Room {
                id,
                key,
                openings: settings.openings.clone(),
                sent: None,
                settings,
                game: LiveGame::new(setup),
                version: 0,
                paused: false,
                held: false,
                analyse: None,
                known: Known::default(),
                note: note.map(Note::to_players),
                pages: 0,
                thinking,
                done: Arc::new(done),
                news: broadcast::channel(BACKLOG).0,
                tree_told: Arc::from(""),
                review_told: Arc::from(""),
                openings_told: None,
                book_told: false,
                keeping: Keeping::new(true),
                follows: false,
                reviewing: None,
                reviews: 0,
                news_of_review: false,
                practice: None,
                hunt: None,
                hunts: 0,
                news_of_hunt: false,
                home: weak.clone(),
            })
        }))
    }

    /// The level of White's Kakugo, if it plays.
    pub fn level_of_white(&self) -> Option<usize> {
        match self.game.setup().seats[1].player {
            PlayerKind::Kakugo(level) => Some(level),
            _ => None,
        }
    }

    /// A page has come: the channel of what it is told from now on, and what it must know first.
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
            self.thinking.rest();
            self.keep(true);
        }
    }

    /// Whether no page is here.
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// Everything a page must know.
    pub fn all(&self) -> Vec<Arc<str>> {
        let mut all = vec![self.view(), self.tree_view()];
        all.extend(self.known.findings.as_ref().map(|found| self.findings_view(found)));
        all.push(self.review_view());
        all.extend(self.openings_view());
        all
    }

    fn tree_view(&self) -> Arc<str> {
        moves::tree(&self.game).to_string().into()
    }

    fn view(&self) -> Arc<str> {
        let around = view::Around {
            paused: self.paused || self.held,
            thinking: self.thinking.purpose().map(Purpose::word),
            analyse: self.analyse,
            values: &self.values(),
            hint: self.known.hint,
            note: self.note.as_ref(),
            version: self.version,
            reviewed: self.game.tree().value(NodeId::ROOT).judged.is_some(),
            under_way: self.review_under_way(),
            practice: self.practice.as_ref(),
        };
        view::state(&self.game, &around, Instant::now()).to_string().into()
    }

    fn findings_view(&self, findings: &Findings) -> Arc<str> {
        view::findings(self.game.board(), self.version, findings).to_string().into()
    }

    fn tell(&self, message: Arc<str>) {
        // A room without pages is no error.
        let _ = self.news.send(message);
    }

    pub(super) fn tell_all(&mut self) {
        self.tell(self.view());
        let tree = self.tree_view();
        if tree != self.tree_told {
            self.tell(Arc::clone(&tree));
            self.tree_told = tree;
        }
        self.tell_review();
        self.tell_openings();
    }

    fn tell_review(&mut self) {
        let review = self.review_view();
        if review != self.review_told {
            self.tell(Arc::clone(&review));
            self.review_told = review;
        }
    }

    fn openings_view(&self) -> Option<Arc<str>> {
        let openings = &self.openings;
        let told = || view::openings(openings.book(), self.game.board()).to_string().into();
        openings.are_wanted().then(told)
    }

    pub(super) fn tell_openings(&mut self) {
        let openings = self.openings_view();
        if openings != self.openings_told {
            self.tell_review();
            self.openings_told.clone_from(&openings);
            openings.into_iter().for_each(|told| self.tell(told));
        }
    }

    /// The values of the line's positions, a review's before those of other searches.
    fn values(&self) -> Vec<Option<u32>> {
        let value = |node: NodeId| match &self.game.tree().value(node).judged {
            Some(judged) => Some(judged.black_permille),
            None => self.known.value(node),
        };
        self.game.positions().into_iter().map(value).collect()
    }

    /// The node of the position's last stone.
    fn position(&self) -> NodeId {
        self.game.positions().get(self.game.board().ply()).copied().unwrap_or(NodeId::ROOT)
    }

    /// The position has changed.
    pub(super) fn moved(&mut self) {
        self.version += 1;
        self.known.moved();
        self.keeping.changed();
    }

    /// Stop and start thinking and clocks as the position demands.
    pub(super) fn settle(&mut self, now: Instant) {
        let over = self.game.end().is_some();
        let computer = self.game.setup().seats[self.game.turn()].player.is_computer();
        let watched = self.pages > 0;
        let goes = watched && !over && !self.paused && !self.held;
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
        let current = self.thinking.purpose();
        let busy = match current {
            // A hint is for the position that it was asked for in.
            Some(Purpose::Hint { version }) => watched && version == self.version,
            Some(Purpose::Judge) => watched,
            _ => false,
        };
        let deciding = matches!(wanted, Some(Purpose::Decide { .. }));
        if current == wanted || (busy && !deciding) {
            return;
        }
        self.thinking.end();
        if current == Some(Purpose::Judge) {
            self.take_answer_back(now);
            return self.settle(now);
        }
        match wanted {
            Some(purpose @ Purpose::Decide { .. }) => {
                let request = MoveRequest::of(&self.game, now);
                self.begin(purpose, Work::Decide(Box::new(request)));
            }
            Some(purpose @ Purpose::Analyse { lines, .. }) => {
                self.begin(purpose, Work::Analyse(Box::new(self.game.board().clone()), lines));
            }
            _ => {}
        }
    }

    /// Begin a job.
    pub(super) fn begin(&mut self, purpose: Purpose, work: Work) {
        self.thinking.begin(purpose, work, Arc::clone(&self.done));
    }

    /// A job has come to an end.
    fn finished(&mut self, number: u64, outcome: Result<Outcome, String>) {
        let Some(purpose) = self.thinking.purpose().filter(|_| self.thinking.awaits(number)) else {
            return;
        };
        self.collect();
        if matches!(purpose, Purpose::Analyse { .. }) {
            return self.thinking.exhaust();
        }
        self.thinking.finish();
        let now = Instant::now();
        match outcome {
            Ok(Outcome::Analysed) => {}
            Ok(Outcome::Decided(decided)) => {
                let before = self.game.seat_of(Side::Black);
                self.game.carry_out(decided, now);
                self.announce_colours(before);
                self.moved();
            }
            Ok(Outcome::Hinted(Some(Action::Stone(p)))) => self.known.hint = Some(p),
            Ok(Outcome::Hinted(Some(Action::Choose(choice)))) => {
                let said = text!("Kakugo would choose: {0}.", words::choice(choice));
                self.note = Some(Note::to_players(said));
            }
            Ok(Outcome::Hinted(None)) => {}
            Ok(Outcome::Judged(verdict)) => self.judged(verdict),
            Err(panic) => {
                log::error!("a search panicked: {panic}");
                if matches!(purpose, Purpose::Decide { .. }) {
                    self.game.carry_out(Err("internal error".to_owned()), now);
                    self.moved();
                } else {
                    self.judged(Verdict::Wrong(None));
                    self.note = Some(Note::to_players(text!("The search failed.")));
                }
            }
        }
        self.settle(now);
        self.tell_all();
        self.keep(false);
    }

    /// Ten times a second: findings to the pages, flags.
    pub fn tick(&mut self) {
        self.keep(false);
        if self.pages == 0 {
            return;
        }
        if !self.collect() {
            self.tell_pace();
        }
        if std::mem::take(&mut self.news_of_review) {
            self.tell_all();
        }
        if !self.book_told && self.openings.book().is_some() {
            self.book_told = true;
            self.tell_openings();
        }
        if std::mem::take(&mut self.news_of_hunt) {
            self.tell(self.puzzles_view());
        }
        if self.game.check_flag(Instant::now()) {
            self.moved();
            self.settle(Instant::now());
            self.tell_all();
        }
    }

    /// Between two findings the pages see the search go on.
    fn tell_pace(&self) {
        if let Some((elapsed, nodes)) = self.thinking.pace() {
            self.tell(view::pace(self.version, elapsed, nodes).to_string().into());
        }
    }

    /// Pass findings on; whether there were any.
    fn collect(&mut self) -> bool {
        let Some((purpose, findings)) = self.thinking.collect() else { return false };
        if purpose.is_about_position() {
            self.tell(self.findings_view(&findings));
            self.known.learn(self.position(), self.game.board(), findings);
        }
        true
    }
}

/// The level of a first game.
const GENTLE: usize = 3;

/// What a new room begins with, and what is to be said of it.
fn first_setup(settings: &RoomSettings) -> (Setup, Option<Text>) {
    let plain = || (settings.setup.clone(), None);
    let is_first = settings.store.as_ref().is_some_and(|store| store.latest().is_empty());
    if !(settings.gentle && is_first) {
        return plain();
    }
    let mut setup = settings.setup.clone();
    let name = if setup.seats[1].name == "Kakugo" { "" } else { &*setup.seats[1].name };
    setup.seats[1] = Seat { player: PlayerKind::Kakugo(GENTLE), name: name.to_owned() };
    let level = words::level(GENTLE);
    let note = text!("A gentle start: level {0}, {1}. New game offers others.", GENTLE, level);
    setup.checked(&settings.engines).map_or_else(|_| plain(), |setup| (setup, Some(note)))
}
