//! Changes that involve several parts of a room.

use std::time::Duration;

use kakugo_record::text::text;
use kakugo_record::tree::NodeId;

use super::Room;
use crate::decisions::MoveRequest;
use crate::event::{ClientId, Effect, Recipient, StorageRequest};
use crate::game::live::LiveGame;
use crate::game::opening::Next;
use crate::game::pairing::{Credentials, Pairing};
use crate::game::setup::{PlayerKind, Seat};
use crate::game::wording;
use crate::jobs::{Job, JobId};
use crate::messages::{self, Coach, Hello, Level, LevelInfo, Message, ReviewProgress, State};
use crate::notice::Notice;
use crate::now::{Now, Time};
use crate::parts::board_search::Purpose;
use crate::parts::coach::PATIENCE;
use crate::parts::editor::EditedPosition;
use crate::parts::level_history::{LevelHistory, LevelResult};
use crate::parts::live_analysis::Opinion;
use crate::parts::markup::Markup;
use crate::parts::player_rating::is_rated;
use crate::parts::saving::SaveState;
use crate::parts::seats::{Person, Proposal};
use crate::rating::RatedGame;
use crate::views;
use crate::views::state::Surroundings;
use kakugo::level::LEVELS;

/// Interval between two messages about the progress of a review or a search for puzzles.
const REFRESH: Duration = Duration::from_millis(100);

/// Messages.
impl Room {
    pub(super) fn send(&mut self, to: Recipient, message: Message) {
        self.effects.push(Effect::Send { to, message });
    }

    /// Sends a message to all clients unless it is one that they know.
    pub(super) fn send_to_all(&mut self, message: Message) {
        if !self.clients.is_empty() && self.clients.is_news(&message) {
            self.send(Recipient::All, message);
        }
    }

    /// Sends the state to all clients, and the other views if they have changed.
    pub(super) fn send_state(&mut self, now: Time) {
        self.send_to_all(self.state(now));
        self.send_to_all(Message::Tree(views::tree::tree(self.game())));
        self.send_openings();
    }

    /// Sends the review, which names openings, and those of the position to all clients if they
    /// have changed.
    pub(super) fn send_openings(&mut self) {
        self.send_to_all(self.review());
        if self.exploring.is_on() && !self.seats.forbid_analysis() {
            self.send_to_all(self.openings());
        }
    }

    /// Sends all that a client needs to show the room.
    pub(super) fn send_everything(&mut self, client: ClientId, now: Time) {
        let mut messages = vec![self.state(now), Message::Tree(views::tree::tree(self.game()))];
        if let Some(progress) = self.analysis.progress() {
            let (board, version) = (self.game().board(), self.active.version());
            let analysis = views::analysis::analysis(board, version, progress);
            messages.push(Message::Analysis(Box::new(analysis)));
        }
        if self.exploring.is_on() && !self.seats.forbid_analysis() {
            messages.push(self.openings());
        }
        // Messages about it, and that it was closed, may have been dropped.
        messages.push(self.editor_message());
        // The last one: the page shows itself when it has come.
        messages.push(self.review());
        let to = Recipient::One(client);
        messages.into_iter().for_each(|message| self.send(to, message));
    }

    /// Returns the first message to a client.
    pub(super) fn hello(&self, client: ClientId) -> Message {
        let settings = &self.settings;
        let is_local = self.clients.rights(client).is_some_and(|rights| rights.is_local);
        let person = self.clients.person(client);
        let owns = person == Some(Person::Host);
        let levels = (1..).zip(&LEVELS).map(|(number, level)| LevelInfo {
            name: wording::level(number),
            rating: level.rating,
        });
        let level = match self.game().setup().seats[1].player {
            PlayerKind::Kakugo(level) => Some(level),
            _ => None,
        };
        Message::Hello(Box::new(Hello {
            version: settings.version.clone(),
            room: self.identity.id.clone(),
            key: owns.then(|| self.identity.key.clone()),
            owns,
            guest: person == Some(Person::Guest),
            keeps: owns && is_local && settings.saves,
            levels: levels.collect(),
            gentle: self.is_gentle,
            level,
            engines: settings.engines.clone(),
            most_bytes: if is_local { settings.max_local_file } else { settings.max_remote_file },
        }))
    }

    fn state(&self, now: Time) -> Message {
        let game = self.game();
        let value = |node: NodeId| match &game.tree().value(node).review {
            Some(review) => Some(review.black_permille),
            None => self.analysis.value(node),
        };
        let around = Surroundings {
            version: self.active.version(),
            paused: self.active.waits(),
            thinking: self.search.purpose().map(Purpose::word),
            queued: self.search.is_queued(),
            analysis: &self.analysis,
            position_node: self.active.position_node(),
            finished: self.search.is_exhausted(),
            can_undo_mark: self.markup.can_undo(),
            can_redo_mark: self.markup.can_redo(),
            values: game.positions().into_iter().map(value).collect(),
            opinion: self.opinion_view(),
            coach: self.coach_view(),
            notice: self.notice.as_ref(),
            reviewed: game.tree().value(NodeId::ROOT).review.is_some(),
            reviewing: self.review_progress(),
            attempt: self.practice.attempt(),
            trainer: self.trainer.state(),
            level: self.levels.history().map(|LevelHistory { level, run }| Level {
                level,
                run,
                suggested: self.levels.suggestion(game),
            }),
            pair: self.pair(),
        };
        let state: State = views::state::state(game, around, now);
        Message::State(Box::new(state))
    }

    /// Returns the view of the opinion of another engine, which may still be asked.
    fn opinion_view(&self) -> Option<messages::Opinion> {
        let name = |engine: usize| self.settings.engines.get(engine).cloned();
        if let Some(Purpose::Opinion { engine, .. }) = self.search.purpose() {
            return Some(messages::Opinion { engine: name(engine)?, point: None, error: None });
        }
        let Opinion { engine, result } = self.analysis.opinion()?;
        Some(messages::Opinion {
            engine: name(*engine)?,
            point: result.as_ref().ok().map(|&p| views::xy(p)),
            error: result.as_ref().err().cloned(),
        })
    }

    fn coach_view(&self) -> Coach {
        let game = self.game();
        let takes_back = self.practice.attempt().is_none() && game.can_undo();
        let waits = self.active.waits();
        let words = |said| views::coach::words(said, takes_back, waits);
        let watches = self.coach.watches(game) && !self.seats.is_ongoing();
        Coach {
            setting: views::coach::setting_word(self.coach.setting()),
            watches,
            explains: self.coach.explains(game),
            says: self.coach.says().filter(|_| watches).map(words),
        }
    }

    /// Returns the view of the position editor.
    fn editor_message(&self) -> Message {
        Message::Editor { editor: self.editor.open().map(views::editor::editor).map(Box::new) }
    }

    /// Sends the position editor to all clients.
    pub(super) fn send_editor(&mut self) {
        let message = self.editor_message();
        self.send_to_all(message);
    }

    fn review_progress(&self) -> Option<ReviewProgress> {
        let (done, total) = self.reviews.progress()?;
        let elsewhere = self.reviews.shelved().map(|shelved| {
            let seats = &shelved.game.setup().seats;
            let [black, white] = seats.each_ref().map(|seat| wording::name(&seat.name));
            text!("{0} – {1}", black, white)
        });
        Some(ReviewProgress { done, total, elsewhere })
    }

    fn review(&self) -> Message {
        let review = views::review::review(self.game(), self.exploring.book());
        Message::Review(Box::new(review))
    }

    fn openings(&self) -> Message {
        let board = self.game().board();
        let is_training = self.trainer.state().is_some();
        let openings = views::openings::openings(self.exploring.book(), board, is_training);
        Message::Openings(Box::new(openings))
    }

    /// Sets a notice for those who play.
    pub(super) fn notify(&mut self, text: kakugo_record::text::Text) {
        self.notice = Some(Notice::for_players(text));
    }

    /// Sends the progress of reviews and of the search for puzzles soon.
    pub(super) fn refresh_soon(&mut self, now: Time) {
        self.refresh.get_or_insert(now + REFRESH);
    }
}

/// Games of two people.
impl Room {
    /// Sets the seats of the game on the board. The guest of another invitation becomes a
    /// spectator.
    pub(super) fn set_pairing(&mut self, pairing: Option<Pairing>) {
        if self.seats.pairing().is_none() && pairing.is_none() {
            return;
        }
        if self.seats.set(pairing) {
            for guest in self.clients.dismiss_guests() {
                self.send_hello(guest);
            }
        }
        self.seat_guest();
        for host in self.clients.of(Person::Host) {
            self.send_invitation(host);
        }
        if self.seats.forbid_analysis() {
            self.analysis.set_lines(None);
        }
    }

    /// Gives the seat of the guest to the latest client that has shown its secrets, if no client
    /// has it.
    pub(super) fn seat_guest(&mut self) {
        if !self.seats.is_paired() || !self.clients.of(Person::Guest).is_empty() {
            return;
        }
        let shown = self.clients.with_credentials();
        let shown: Vec<(ClientId, Credentials)> = shown.map(|(id, c)| (id, c.clone())).collect();
        let is_valid = |(_, credentials): &(_, Credentials)| self.seats.sit(credentials).is_ok();
        if let Some((client, _)) = shown.into_iter().find(is_valid) {
            self.admit_guest(client);
        }
    }

    /// Makes a client that of the guest. Another tab of the guest watches from now on.
    pub(super) fn admit_guest(&mut self, client: ClientId) {
        let before = self.clients.admit_guest(client);
        self.send_hello(client);
        for other in before {
            self.send_hello(other);
            let why = text!("You play in another tab now: this one watches.");
            self.send(Recipient::One(other), Message::Refused { why });
        }
    }

    /// Frees the seat of the guest, for another browser.
    pub(super) fn free_seat(&mut self) {
        let Some(browser) = self.seats.free_seat() else { return };
        for guest in self.clients.expel_guests(&browser) {
            self.send_hello(guest);
        }
        self.seat_guest();
    }

    fn send_hello(&mut self, client: ClientId) {
        let hello = self.hello(client);
        self.send(Recipient::One(client), hello);
    }

    /// Sends the secret of the invitation to a client of the host.
    pub(super) fn send_invitation(&mut self, host: ClientId) {
        let token = self.seats.token().map(str::to_owned);
        self.send(Recipient::One(host), Message::Invitation { token });
    }

    /// Returns the view of the two people.
    pub(super) fn pair(&self) -> Option<messages::Pair> {
        let pairing = self.seats.pairing()?;
        let is_here = |seat| {
            let person = if seat == self.seats.seat_of(Person::Guest) {
                Person::Guest
            } else {
                Person::Host
            };
            !self.clients.of(person).is_empty()
        };
        let offer = self.seats.offer().map(|offer| messages::Offer {
            number: offer.number,
            by: self.seats.seat_of(offer.by),
            what: offer.what.word(),
            about: match &offer.what {
                Proposal::NewGame(setup, _) => {
                    let (rule, opening) =
                        (wording::variant(setup.variant), setup.opening.in_words());
                    Some(text!("{0}, {1}×{2}, {3}", rule, setup.width, setup.height, opening))
                }
                _ => None,
            },
        });
        Some(messages::Pair {
            guest: pairing.guest,
            joined: self.seats.has_joined(),
            here: [0, 1].map(is_here),
            over: !self.seats.is_ongoing(),
            analysis: self.seats.allow_analysis(),
            offer,
        })
    }
}

/// The rating of the user of this machine.
impl Room {
    /// Stores the result of a game that counts for the rating.
    pub(super) fn rate(&mut self, result: LevelResult) {
        let game = self.game();
        let is_rated = self.settings.saves
            && is_rated(game.setup())
            && !self.coach.has_spoken()
            && self.clients.local_players().next().is_some();
        if is_rated {
            let LevelResult { level, half_points } = result;
            let rated = RatedGame { date: game.date().to_owned(), level, half_points };
            self.rating.adds();
            self.request(StorageRequest::AddResult { line: rated.to_line() });
        }
    }

    /// Sends the rating to the user of this machine.
    pub(super) fn send_rating(&mut self) {
        let Some(rating) = self.rating.view() else { return };
        let clients: Vec<ClientId> = self.clients.local_players().collect();
        for client in clients {
            self.send(Recipient::One(client), Message::Rating(rating.clone()));
        }
    }
}

/// Games and their files.
impl Room {
    pub(super) fn request(&mut self, request: StorageRequest) {
        self.effects.push(Effect::Storage(request));
    }

    /// The position has changed.
    pub(super) fn position_changed(&mut self) {
        self.active.count_change();
        self.seats.position_changed();
        self.analysis.position_changed();
        self.saving.current.changed();
    }

    /// Returns true if the game on the board is saved: neither a puzzle nor a line to train.
    pub(super) fn is_saved(&self) -> bool {
        self.practice.attempt().is_none() && self.trainer.state().is_none()
    }

    /// Saves the game if it has changed; a large one at once only if it must be.
    pub(super) fn save(&mut self, must: bool, now: Now) {
        if self.is_saved() {
            let request = self.saving.save(self.active.game(), must, now);
            request.into_iter().for_each(|request| self.request(request));
        }
    }

    /// Puts another game on the board, which starts now or comes from a file.
    pub(super) fn start_game(&mut self, game: LiveGame, begun: bool, now: Now) {
        self.start_game_of(game, begun, None, now);
    }

    /// As [`Room::start_game`], with the seats of two people.
    pub(super) fn start_game_of(
        &mut self,
        game: LiveGame,
        begun: bool,
        pairing: Option<Pairing>,
        now: Now,
    ) {
        self.put_away(now);
        self.replace_game(game, SaveState::new(begun), pairing, now.time);
    }

    /// Saves the game on the board before it is replaced, or deletes it if it is empty.
    fn put_away(&mut self, now: Now) {
        if self.is_saved() {
            let request = self.saving.put_away(self.active.game(), now);
            request.into_iter().for_each(|request| self.request(request));
        }
    }

    /// Puts another game on the board, with its saved file. The old one was put away; its review
    /// goes on.
    fn replace_game(
        &mut self,
        game: LiveGame,
        save: SaveState,
        pairing: Option<Pairing>,
        now: Time,
    ) {
        let (old_game, old_save) = self.exchange_game(game, save, pairing, now);
        let of_board = self.reviews.is_of_board();
        if let Some(save) = self.reviews.shelve(old_game, old_save) {
            if of_board {
                self.end_review(now);
            }
            save.id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
        }
    }

    /// Exchanges the game on the board and its saved file, and resets what belongs to it. Returns
    /// the old game.
    fn exchange_game(
        &mut self,
        game: LiveGame,
        save: SaveState,
        pairing: Option<Pairing>,
        now: Time,
    ) -> (LiveGame, SaveState) {
        self.end_search(now);
        self.close_editor();
        let help = save.help();
        self.levels.game_replaced(save.begun && game.main_end().is_none(), help.asked);
        let old_game = self.active.replace(game);
        let old_save = std::mem::replace(&mut self.saving.current, save);
        self.analysis.game_replaced();
        self.markup = Markup::default();
        self.trainer.game_replaced();
        self.practice.close();
        self.set_pairing(pairing);
        self.coach.game_replaced(help.coached);
        (old_game, old_save)
    }

    /// Opens the text of a saved game's file, and returns true if it could be read.
    pub(super) fn open_saved_game(&mut self, id: String, text: &str, now: Now) -> bool {
        let Some(saved) = crate::saved_game::read(text, &self.settings.engines) else {
            self.request(StorageRequest::Release { id });
            return false;
        };
        self.put_away(now);
        let pairing = saved.pairing.filter(|pairing| self.restores(pairing, &saved.game));
        let save = SaveState::loaded(id, saved.begun, saved.help);
        self.replace_game(saved.game, save, pairing, now.time);
        self.wait_for_guest();
        true
    }

    /// The clocks of a game of two people that comes back wait for both.
    fn wait_for_guest(&mut self) {
        if self.seats.is_ongoing() && self.game().setup().time.is_limited() {
            self.active.pause(true);
        }
    }

    /// Returns true if the seats of a saved game are restored with it: its players have not been
    /// changed, and it goes on or its guest is here.
    fn restores(&self, pairing: &Pairing, game: &LiveGame) -> bool {
        let is_human = |seat: &Seat| seat.player == PlayerKind::Human;
        let fits = game.setup().seats.iter().all(is_human) && !game.can_redo();
        let is_of = |credentials: &Credentials| credentials.take_seat(&mut pairing.clone()).is_ok();
        fits && (!pairing.over || self.clients.with_credentials().any(|(_, shown)| is_of(shown)))
    }

    /// Puts a game that is under review back on the board, and returns true if it has this saved
    /// file.
    pub(super) fn unshelve_game(&mut self, id: &str, now: Now) -> bool {
        let Some(shelved) = self.reviews.unshelve(id) else { return false };
        self.put_away(now);
        let pairing = shelved.save.pairing().cloned();
        let pairing = pairing.filter(|pairing| self.restores(pairing, &shelved.game));
        // The review belongs to the game that comes back, not to the one that is put away.
        let (_, old) = self.exchange_game(shelved.game, shelved.save, pairing, now.time);
        self.wait_for_guest();
        old.id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
        true
    }

    /// Ends the review under way. A game that is not on the board is saved and released.
    pub(super) fn end_review(&mut self, now: Time) {
        let (job, shelved) = self.reviews.end();
        job.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
        if let Some(mut shelved) = shelved {
            let save = self.saving.save_other(&mut shelved.save, &shelved.game, now);
            save.into_iter().for_each(|request| self.request(request));
            let id = shelved.save.id;
            id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
        }
    }

    /// Takes the saved file away from the game that has it.
    pub(super) fn detach_saved_game(&mut self, id: &str) {
        if self.reviews.is_of_shelved(id) {
            let (job, _) = self.reviews.end();
            job.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
            self.request(StorageRequest::Release { id: id.to_owned() });
        }
        if self.saving.id() == Some(id) {
            if self.reviews.is_of_board() {
                // Its results would make the game worth saving again.
                let (job, _) = self.reviews.end();
                job.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
            }
            let id = self.saving.detach();
            id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
        }
    }
}

/// The position editor.
impl Room {
    /// Opens the editor with a position. The game waits meanwhile.
    pub(super) fn open_editor(&mut self, position: EditedPosition) {
        self.active.wait_for_editor(true);
        let job = self.editor.begin(position);
        self.stop_job(job);
        self.send_editor();
    }

    /// Closes the editor if it is open. The game goes on, unless it waits for something else.
    pub(super) fn close_editor(&mut self) {
        if self.editor.open().is_none() {
            return;
        }
        let job = self.editor.close();
        self.stop_job(job);
        self.active.wait_for_editor(false);
        self.send_editor();
    }

    /// Stops to solve the position in the editor.
    pub(super) fn stop_solving(&mut self) {
        let job = self.editor.stop_solving();
        if job.is_some() {
            self.stop_job(job);
            self.send_editor();
        }
    }

    /// Stops a job of the room that has just been forgotten.
    pub(super) fn stop_job(&mut self, job: Option<JobId>) {
        job.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
    }
}

/// Jobs.
impl Room {
    /// Returns the number of the next job.
    pub(super) fn next_job_id(&mut self) -> JobId {
        self.jobs += 1;
        JobId(self.jobs)
    }

    /// Starts a search of the position on the board, and ends the one before.
    pub(super) fn start_search(&mut self, purpose: Purpose, job: Job, now: Time) {
        self.end_search(now);
        let id = self.next_job_id();
        self.search.start(id, purpose);
        self.effects.push(Effect::StartJob { id, job });
    }

    /// Ends the search of the position on the board. An answer to a puzzle that nobody judges is
    /// taken back.
    pub(super) fn end_search(&mut self, now: Time) {
        let purpose = self.search.purpose();
        if let Some(id) = self.search.end() {
            self.effects.push(Effect::StopJob { id });
        }
        if purpose == Some(Purpose::Verdict) && self.practice.is_judging() {
            self.practice.take_back(self.active.game_mut(), now);
            self.position_changed();
        }
    }

    /// Starts and stops clocks and the search as the position demands.
    pub(super) fn settle(&mut self, now: Time) {
        let over = self.game().end().is_some();
        let watched = !self.clients.is_empty();
        let goes_on = watched && !over && !self.active.waits();
        self.active.run_clock(goes_on && !self.search.holds_decision(), now);
        let version = self.active.version();
        let may_analyse = !over && !self.seats.forbid_analysis();
        let analysed = self.analysis.lines().filter(|_| may_analyse && !self.analysis.is_resting());
        let wanted = if goes_on && self.active.awaits_computer() {
            Some(Purpose::Move { version })
        } else {
            let lines = analysed.filter(|_| self.clients.sees_board());
            lines.map(|_| Purpose::Analysis { version, request: self.analysis.request_number() })
        };
        let current = self.search.purpose();
        let is_awaited = match current {
            Some(
                Purpose::Hint { version: of }
                | Purpose::Opinion { version: of, .. }
                | Purpose::Solution { version: of }
                | Purpose::Balance { version: of, .. },
            ) => watched && of == version,
            Some(Purpose::Verdict) => watched,
            _ => false,
        };
        let decides = matches!(wanted, Some(Purpose::Move { .. }));
        if current == wanted || (is_awaited && !decides) {
            return;
        }
        self.end_search(now);
        if self.active.version() != version {
            // An answer was taken back: another position is on the board.
            return self.settle(now);
        }
        match wanted {
            Some(purpose @ Purpose::Move { .. }) => {
                let request = MoveRequest::new(self.game(), now);
                self.start_search(purpose, Job::Move(Box::new(request)), now);
                self.answer_due = now + self.answer_pause;
                let patience = if self.coach.is_judging() { PATIENCE } else { Duration::ZERO };
                self.search.hold_until(Some(now + self.answer_pause.max(patience)));
            }
            Some(purpose @ Purpose::Analysis { .. }) => {
                let node = self.active.position_node();
                let Some(request) = self.analysis.request(node) else { return };
                let board = Box::new(self.game().board().clone());
                self.start_search(purpose, Job::Analysis { board, request }, now);
            }
            _ => {}
        }
    }

    /// Returns the version of the position if the coach looks at it: it is a human's turn.
    fn coached_version(&self) -> Option<u64> {
        let game = self.game();
        let is_coached = !self.clients.is_empty()
            && self.coach.watches(game)
            && !self.seats.is_ongoing()
            && self.practice.attempt().is_none()
            && game.end().is_none()
            && !self.active.awaits_computer()
            && game.opening_progress().next == Next::Turn;
        is_coached.then_some(self.active.version())
    }

    /// Starts and stops the coach's search.
    fn settle_coach(&mut self) {
        if self.clients.is_empty() {
            self.coach.rest();
        }
        let version = self.coached_version();
        let stopped = self.coach.settle(self.active.game(), version);
        stopped.into_iter().for_each(|id| self.effects.push(Effect::StopJob { id }));
        let id = JobId(self.jobs + 1);
        if let Some(job) = self.coach.next_job(self.active.game(), version, id) {
            self.jobs = id.0;
            self.effects.push(Effect::StartJob { id, job });
        }
    }

    /// Starts the next jobs of the coach, of a review and of a search for puzzles.
    pub(super) fn start_next_jobs(&mut self) {
        self.settle_coach();
        if self.reviews.needs_job() {
            let id = self.next_job_id();
            let job = self.reviews.next_job(id);
            job.into_iter().for_each(|job| self.effects.push(Effect::StartJob { id, job }));
        }
        if self.practice.needs_job() {
            let id = self.next_job_id();
            let job = self.practice.next_job(id, &self.settings.engines);
            job.into_iter().for_each(|job| self.effects.push(Effect::StartJob { id, job }));
        }
    }
}
