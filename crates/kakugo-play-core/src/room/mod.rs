//! A room: a game on a board, its searches, and the clients that play or watch it.
//!
//! [`Room::handle`] takes an [event](crate::event::Event) and the time, and returns the
//! [effects](crate::event::Effect). The files of this module call only downwards:
//!
//! | file | |
//! |---|---|
//! | `handle` | dispatches events, and ends each with what follows from any change |
//! | `execute` | executes commands |
//! | `study` | studies, and the training of openings |
//! | `pair` | commands in a game of two people on two devices, and their agreements |
//! | `update` | changes that involve several parts: games, searches, files, messages |
//! | [`parts`](crate::parts) | the state, each part with its own methods |

mod execute;
mod handle;
mod pair;
mod study;
mod update;

use std::sync::Arc;
use std::time::Duration;

use kakugo::board::Variant;
use kakugo_record::Game;
use kakugo_record::book::Book;
use kakugo_record::file::Format;
use kakugo_record::text::{Text, text};

use crate::event::Effect;
use crate::game::live::LiveGame;
use crate::game::records;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::game::wording;
use crate::game_file::GameFile;
use crate::jobs::JobId;
use crate::notice::Notice;
use crate::now::{Now, Time};
use crate::parts::active_game::ActiveGame;
use crate::parts::board_search::{BoardSearch, Purpose};
use crate::parts::clients::Clients;
use crate::parts::coach::Coach;
use crate::parts::editor::Editor;
use crate::parts::exploring::Exploring;
use crate::parts::level_history::{LevelHistory, Levels};
use crate::parts::live_analysis::{LiveAnalysis, MAX_LINES};
use crate::parts::markup::Markup;
use crate::parts::opening_trainer::OpeningTrainer;
use crate::parts::player_rating::PlayerRating;
use crate::parts::practice::Practice;
use crate::parts::reviews::Reviews;
use crate::parts::saving::Saving;
use crate::parts::seats::{Person, Seats};
use crate::parts::training::Training;
use crate::uploads::UploadContext;

/// The level of the first game against a new player.
const GENTLE_LEVEL: usize = 3;

/// The settings of all rooms of a program.
#[derive(Clone, Debug)]
pub struct RoomSettings {
    /// Version of the program.
    pub version: String,
    /// Names of the engines other than Kakugo.
    pub engines: Vec<String>,
    /// The game that a new room starts with.
    pub setup: Setup,
    /// True if the first game of a room is against the level that its player has played last, or a
    /// gentle one.
    pub player_level: bool,
    /// Time from the beginning of a computer's turn before which its move is not played.
    pub answer_pause: Duration,
    /// Time for the review of a game, without the verification of its claims.
    pub review_time: Duration,
    /// True if games are saved.
    pub saves: bool,
    /// True if the driver reads files to explore.
    pub explores: bool,
    /// Size limit of files from clients on this machine, in bytes.
    pub max_local_file: usize,
    /// Size limit of files from other clients, in bytes.
    pub max_remote_file: usize,
}

/// How a room is found, and who may play there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomIdentity {
    /// Id: clients that know it may watch.
    pub id: String,
    /// Key: clients that know it may play.
    pub key: String,
}

/// A room; see the module.
pub struct Room {
    identity: RoomIdentity,
    settings: Arc<RoomSettings>,
    active: ActiveGame,
    saving: Saving,
    reviews: Reviews,
    practice: Practice,
    training: Training,
    editor: Editor,
    clients: Clients,
    seats: Seats,
    analysis: LiveAnalysis,
    markup: Markup,
    trainer: OpeningTrainer,
    search: BoardSearch,
    exploring: Exploring,
    levels: Levels,
    coach: Coach,
    /// True if the first game is that of a new player.
    is_gentle: bool,
    rating: PlayerRating,
    /// Time from the beginning of a computer's turn before which its move is not played.
    answer_pause: Duration,
    /// The time before which the computer's move that is searched is not played, unless the coach
    /// asks for more.
    answer_due: Time,
    /// True if all steps of the hint that is searched are shown at once.
    shows_all_of_hint: bool,
    /// The latest uploaded file with several games.
    file: Option<Arc<GameFile>>,
    /// A notice about the latest change.
    notice: Option<Notice>,
    /// Number of jobs started.
    jobs: u64,
    /// The time at which progress of reviews or of a search for puzzles is sent.
    refresh: Option<Time>,
    /// True if the puzzles have changed since they were sent.
    puzzles_changed: bool,
    /// The latest [`Effect::Timer`].
    timer: Option<Time>,
    /// Effects of the event that is handled.
    effects: Vec<Effect>,
}

impl Room {
    /// Returns a room with a new game. `history` is what the player's browser has stored; `book`
    /// holds the explored files if they have been read.
    pub fn new(
        identity: RoomIdentity,
        settings: Arc<RoomSettings>,
        history: Option<LevelHistory>,
        book: Option<Arc<Book>>,
        now: Now,
    ) -> Room {
        let history = history.and_then(LevelHistory::checked);
        let (setup, notice) = first_setup(&settings, history);
        let mut levels = Levels::new(history);
        levels.players_chosen(&setup);
        let RoomIdentity { id, key } = identity.clone();
        Room {
            identity,
            active: ActiveGame::new(LiveGame::new(setup).with_date(now.date())),
            saving: Saving::new(settings.saves, id, key),
            reviews: Reviews::default(),
            practice: Practice::default(),
            training: Training::default(),
            editor: Editor::default(),
            clients: Clients::default(),
            seats: Seats::default(),
            analysis: LiveAnalysis::default(),
            markup: Markup::default(),
            trainer: OpeningTrainer::default(),
            search: BoardSearch::default(),
            exploring: Exploring::new(settings.explores, book),
            levels,
            coach: Coach::default(),
            is_gentle: notice.is_some(),
            rating: PlayerRating::default(),
            answer_pause: settings.answer_pause,
            answer_due: now.time,
            shows_all_of_hint: false,
            file: None,
            notice: notice.map(Notice::for_players),
            jobs: 0,
            refresh: None,
            puzzles_changed: false,
            timer: None,
            effects: Vec::new(),
            settings,
        }
    }

    /// Returns the id and the key of the room.
    pub fn identity(&self) -> &RoomIdentity {
        &self.identity
    }

    /// Returns the game on the board.
    pub fn game(&self) -> &LiveGame {
        self.active.game()
    }

    /// Returns true if clocks and computers wait.
    pub fn waits(&self) -> bool {
        self.active.waits()
    }

    /// Returns the purpose of the search of the board's position.
    pub fn search_purpose(&self) -> Option<Purpose> {
        self.search.purpose()
    }

    /// Returns true if no client is here.
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Returns true if the owner of the room is here.
    pub fn has_host(&self) -> bool {
        !self.clients.of(Person::Host).is_empty()
    }

    /// Returns the seats of two people.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// Returns the id of the saved game on the board.
    pub fn saved_game(&self) -> Option<&str> {
        self.saving.id()
    }

    /// Returns true if the room owns this saved game, on the board or under review.
    pub fn owns_saved_game(&self, id: &str) -> bool {
        self.saved_game() == Some(id) || self.reviews.is_of_shelved(id)
    }

    /// Returns an empty game of the size on the board, for files that do not specify it. The rule
    /// is freestyle, because a file does not take over that of the game on the board.
    pub fn pattern(&self) -> Game {
        let setup = self.game().setup();
        Game::new(setup.width, setup.height, Variant::FREESTYLE)
    }

    /// Returns what an upload needs of the room.
    pub fn upload_context(&self) -> UploadContext {
        let refusal = self.ensure_opens_files().err();
        UploadContext { pattern: self.pattern(), latest: self.file.clone(), refusal }
    }

    /// Returns an error if no game of a file can be put on the board.
    fn ensure_opens_files(&self) -> Result<(), Text> {
        if self.seats.is_ongoing() {
            return Err(text!("Your opponent is playing: end the invitation first."));
        }
        Ok(())
    }

    /// Returns the bytes of a file of the game.
    ///
    /// # Errors
    /// Returns the reason if the format cannot hold it.
    pub fn record(&self, format: Format) -> Result<Vec<u8>, Text> {
        records::file_from_game(self.game(), format)
    }

    /// Returns the bytes of an SGF file of the game with its review.
    ///
    /// # Errors
    /// Returns the reason if the game was not reviewed.
    pub fn annotated_record(&self) -> Result<Vec<u8>, Text> {
        records::annotated_file(self.game())
    }

    /// Returns the jobs that run or wait.
    pub fn running_jobs(&self) -> Vec<JobId> {
        let jobs = [
            self.search.job(),
            self.reviews.job(),
            self.practice.job(),
            self.coach.job(),
            self.editor.job(),
        ];
        jobs.into_iter().flatten().collect()
    }

    /// Checks the invariants, as every event does in debug builds:
    ///
    /// 1. The search of the board is for the current position, and there is none without clients.
    /// 2. A computer's move is searched, or held, if and only if it is a computer's turn, the game
    ///    goes on, a client is here and nothing waits.
    /// 3. The clock runs only while a client is here, the game goes on, nothing waits, and no
    ///    computer's decision is held.
    /// 4. An answer to a puzzle is judged only while its search runs.
    /// 5. A puzzle on the board is not saved. No game is saved if saving is off.
    /// 6. A review has a job for one position after the other until it is done. Its game is on the
    ///    board or saved.
    /// 7. The jobs that run have different numbers, each of which was given out.
    /// 8. A hint and the opinion of another engine are for free points. Analysis has 1 to 9 lines.
    /// 9. In a game of two people that goes on, both are human, and there is no search unless both
    ///    allow analysis.
    /// 10. The coach speaks and searches only in games that it watches. It judges the player's
    ///     latest move.
    /// 11. The game waits while the editor is open. The position in it is on a supported board, and
    ///     is solved only while a client is here. A change of it ends that.
    /// 12. No effect is left over.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        let game = self.active.game();
        let purpose = self.search.purpose();
        if let Some(version) = purpose.and_then(Purpose::version) {
            assert_eq!(version, self.active.version());
        }
        assert!(!(self.is_empty() && (purpose.is_some() || game.clock_runs())));
        let decides = matches!(purpose, Some(Purpose::Move { .. }));
        let expected = self.active.awaits_computer() && !self.active.waits() && !self.is_empty();
        assert_eq!(decides, expected);
        self.active.check_invariants();
        assert!(!(self.search.holds_decision() && game.clock_runs()));
        assert!(!self.practice.is_judging() || purpose == Some(Purpose::Verdict));
        assert!(self.saving.id().is_none() || self.settings.saves);
        assert!(self.saving.id().is_none() || self.practice.attempt().is_none());
        self.reviews.check_invariants();
        self.editor.check_invariants();
        assert!(self.editor.open().is_none() || self.active.waits());
        self.training.check_invariants();
        assert!(self.editor.job().is_none() || !self.is_empty());
        let mut jobs = self.running_jobs();
        jobs.sort_unstable();
        let count = jobs.len();
        jobs.dedup();
        assert!(jobs.len() == count && jobs.iter().all(|job| (1..=self.jobs).contains(&job.0)));
        assert!(self.analysis.hint().is_none_or(|hint| game.board().is_empty(hint.point)));
        let opinion = self.analysis.opinion().and_then(|opinion| opinion.result.as_ref().ok());
        assert!(opinion.is_none_or(|&point| game.board().is_empty(point)));
        assert!(self.analysis.lines().is_none_or(|lines| (1..=MAX_LINES).contains(&lines)));
        self.seats.check_invariants();
        if self.seats.is_ongoing() {
            let is_human = |seat: &Seat| seat.player == PlayerKind::Human;
            assert!(game.setup().seats.iter().all(is_human));
            assert!(purpose.is_none() || !self.seats.forbid_analysis());
            assert!(game.end().is_none() && !game.can_redo());
        }
        self.coach.check_invariants(game);
        assert!(self.effects.is_empty());
    }
}

/// Returns the set-up of a new room's game, and a notice about it.
fn first_setup(settings: &RoomSettings, history: Option<LevelHistory>) -> (Setup, Option<Text>) {
    let plain = || (settings.setup.clone(), None);
    if !settings.player_level || settings.setup.seats[0].player != PlayerKind::Human {
        return plain();
    }
    let mut setup = settings.setup.clone();
    let name = if setup.seats[1].name == "Kakugo" { "" } else { &*setup.seats[1].name };
    let level = history.map_or(GENTLE_LEVEL, |history| history.level);
    setup.seats[1] = Seat { player: PlayerKind::Kakugo(level), name: name.to_owned() };
    let gentle = || {
        let word = wording::level(level);
        text!("A gentle start: level {0}, {1}. New game offers others.", level, word)
    };
    let notice = history.is_none().then(gentle);
    setup.checked(&settings.engines).map_or_else(|_| plain(), |setup| (setup, notice))
}
