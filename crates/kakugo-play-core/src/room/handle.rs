//! Events, handled.

use std::sync::Arc;

use kakugo_record::analysis::puzzle::Verdict;
use kakugo_record::text::{Text, text};

use super::execute::Change;
use super::{Room, RoomSettings};
use crate::commands::Command;
use crate::event::{
    ClientId, DeleteError, Effect, Event, FileEvent, LoadError, Recipient, SaveError, StorageReply,
    StorageRequest,
};
use crate::game::wording;
use crate::jobs::{JobId, JobResult, JobUpdate};
use crate::messages::Message;
use crate::notice::Notice;
use crate::now::{Now, Time};
use crate::parts::board_search::Purpose;
use crate::parts::editor::EditedPosition;
use crate::parts::seats::Person;
use crate::progress::Progress;
use crate::saved_game::Help;
use crate::views;

impl Room {
    /// Handles an event and returns its effects, which are to be performed in this order.
    pub fn handle(&mut self, event: Event, now: Now) -> Vec<Effect> {
        let change = self.dispatch(event, now);
        if change == Change::Position {
            self.position_changed();
        }
        if self.game().end().is_some() {
            self.seats.end_game();
        }
        self.saving.current.set_pairing(self.seats.pairing());
        if change != Change::None {
            if self.analysis.lines().is_some() {
                self.practice.helped();
                if self.game().ply() > 0 {
                    self.levels.helped(self.active.game());
                }
            }
            let result = self.levels.observe(self.active.game());
            result.into_iter().for_each(|result| self.rate(result));
            self.coach.game_over(self.active.game());
            self.settle(now.time);
        }
        self.start_next_jobs();
        self.record_outcomes(now);
        if change != Change::None {
            self.send_state(now.time);
        }
        let help = Help { asked: self.levels.was_helped(), coached: self.coach.has_spoken() };
        self.saving.current.set_help(help);
        self.save(false, now);
        self.set_timer(now.time);
        let effects = std::mem::take(&mut self.effects);
        if cfg!(debug_assertions) {
            self.check_invariants();
        }
        effects
    }

    /// Changes what the event changes, and returns how clients see it.
    fn dispatch(&mut self, event: Event, now: Now) -> Change {
        match event {
            Event::Joined { client, rights } => {
                let (is_first, saw_board) = (self.clients.is_empty(), self.clients.sees_board());
                self.clients.add(client, rights);
                if is_first {
                    self.settle(now.time);
                }
                let hello = self.hello(client);
                self.send(Recipient::One(client), hello);
                self.send_everything(client, now.time);
                if rights.plays && rights.is_local && self.settings.saves {
                    self.request(StorageRequest::Results);
                }
                if self.exploring.is_on() {
                    self.read_cards();
                }
                if !(rights.plays && self.seats.is_paired()) {
                    return if is_first { Change::None } else { self.audience_changed(saw_board) };
                }
                self.send_invitation(client);
                // The guest sees that the host is here.
                Change::State
            }
            Event::Left { client } => self.left(client, now),
            Event::Lagged { client } => {
                self.send_everything(client, now.time);
                Change::None
            }
            Event::Command { client, command } => self.command(client, command, now),
            Event::Job { job, update } => self.job_changed(job, update, now),
            Event::Storage(reply) => self.storage_replied(reply, now),
            Event::File(event) => self.file_read(event, now),
            Event::BookRead(book) => {
                self.exploring.finish_reading(book);
                self.send_openings();
                Change::None
            }
            Event::EnginesAdded { engines } => {
                self.settings =
                    Arc::new(RoomSettings { engines: engines.clone(), ..(*self.settings).clone() });
                self.send_to_all(Message::Engines { engines });
                Change::None
            }
            Event::Restored { id, text, for_spectators } => {
                if self.open_saved_game(id, &text, now) {
                    self.greet();
                }
                // The player's clock waits for the player.
                if for_spectators && self.game().setup().time.is_limited() {
                    self.active.pause(true);
                }
                Change::State
            }
            Event::Returned => {
                self.greet();
                Change::None
            }
            Event::Yield { id } => {
                self.yield_saved_game(&id, now);
                Change::None
            }
            Event::Tick => self.tick(now.time),
            Event::Shutdown => {
                // A game that is not on the board is saved with its results so far.
                self.end_review(now.time);
                if self.is_saved() {
                    let request = self.saving.save_at_end(self.active.game(), now);
                    request.into_iter().for_each(|request| self.request(request));
                }
                Change::None
            }
            Event::Closed => {
                self.close(now);
                Change::None
            }
        }
    }

    fn greet(&mut self) {
        self.notify(text!("Your game is back."));
    }

    /// A client has left. With the last one clocks and the search stop.
    fn left(&mut self, client: ClientId, now: Now) -> Change {
        let saw_board = self.clients.sees_board();
        let had_seat = self.seats.is_paired() && self.clients.person(client).is_some();
        self.clients.remove(client);
        if self.clients.is_empty() {
            self.settle(now.time);
            self.save(true, now);
            self.stop_solving();
            return Change::None;
        }
        self.seat_guest();
        if had_seat { Change::State } else { self.audience_changed(saw_board) }
    }

    /// Executes a command of a client, or refuses it.
    fn command(&mut self, client: ClientId, command: Command, now: Now) -> Change {
        let notice = self.notice.take();
        // A page that comes back sends these.
        let keeps_notice = matches!(command, Command::Sit { .. } | Command::Name { .. });
        // The computer's answer does not end what the coach says of the player's move.
        let goes_on = matches!(command, Command::Play { .. } | Command::Now);
        let allowed = self.allows(client, &command);
        let person = self.clients.person(client).filter(|_| self.seats.is_paired());
        let executed = allowed.and_then(|()| match person {
            Some(person) => self.execute_for(person, client, command, now),
            None => self.execute(client, command, now),
        });
        match executed {
            Ok(Change::None) => {
                self.notice = notice;
                Change::None
            }
            Ok(change) => {
                if keeps_notice {
                    self.notice = notice;
                }
                if change == Change::Position && !goes_on {
                    self.coach.interrupt();
                }
                change
            }
            Err(why) => {
                self.notice = notice;
                self.refuse(client, why);
                Change::None
            }
        }
    }

    /// Returns an error if a client may not send a command.
    fn allows(&self, client: ClientId, command: &Command) -> Result<(), Text> {
        let Some(rights) = self.clients.rights(client) else {
            return Err(text!("You are watching this game."));
        };
        if command.is_about_saved_games() && !(rights.is_local && rights.plays) {
            return Err(text!("Saved games are only for browsers on the same machine."));
        }
        let watches = self.clients.person(client).is_none();
        if watches && !command.is_for_spectators() {
            return Err(text!("You are watching this game."));
        }
        Ok(())
    }

    fn refuse(&mut self, client: ClientId, why: Text) {
        self.send(Recipient::One(client), Message::Refused { why });
    }

    /// A job of the board, of a review or of a search for puzzles has changed.
    fn job_changed(&mut self, job: JobId, update: JobUpdate, now: Now) -> Change {
        if let Some(purpose) = self.search.purpose_of(job) {
            return self.search_changed(job, purpose, update, now.time);
        }
        if self.editor.job() == Some(job) {
            self.solving_changed(update);
            return Change::None;
        }
        let is_review = self.reviews.job() == Some(job);
        let is_practice = self.practice.job() == Some(job);
        if self.coach.job() == Some(job) {
            return self.coach_changed(update, now.time);
        }
        match update {
            JobUpdate::Finished(JobResult::Review(result)) if is_review => {
                let save = &mut self.saving.current;
                self.reviews.add(result, self.active.game_mut(), save);
                self.refresh_soon(now.time);
                if self.reviews.is_done() {
                    self.end_review(now.time);
                    return Change::State;
                }
            }
            JobUpdate::Failed(error) if is_review => {
                log::error!("a review panicked: {error}");
                self.reviews.job_failed();
                self.end_review(now.time);
                self.notify(text!("The search failed."));
                return Change::State;
            }
            JobUpdate::Finished(JobResult::Puzzles(puzzles)) if is_practice => {
                self.practice.add(puzzles);
                self.puzzles_changed = true;
                self.refresh_soon(now.time);
            }
            JobUpdate::Failed(error) if is_practice => {
                log::error!("a search for puzzles panicked: {error}");
                self.practice.add(Vec::new());
                self.puzzles_changed = true;
                self.refresh_soon(now.time);
            }
            _ => {}
        }
        Change::None
    }

    /// The search for a win in the position of the editor has changed.
    fn solving_changed(&mut self, update: JobUpdate) {
        match update {
            JobUpdate::Queued => self.editor.set_queued(true),
            JobUpdate::Running => self.editor.set_queued(false),
            JobUpdate::Progress { .. } => {}
            JobUpdate::Finished(JobResult::Solve(solution)) => self.editor.solved(Some(solution)),
            JobUpdate::Finished(_) => self.editor.solved(None),
            JobUpdate::Failed(error) => {
                log::error!("a search for a win panicked: {error}");
                self.editor.solved(None);
            }
        }
        self.send_editor();
    }

    /// The coach's search has changed.
    fn coach_changed(&mut self, update: JobUpdate, now: Time) -> Change {
        match update {
            JobUpdate::Finished(JobResult::Mistake(mistake)) => {
                let can_wait = self.active.awaits_computer() && !self.active.waits();
                if self.coach.judged(mistake.map(|mistake| *mistake), can_wait) {
                    self.active.hold_computer();
                }
                self.end_patience();
                if self.search.due().is_some_and(|due| due <= now)
                    && !self.active.waits()
                    && let Some(decision) = self.search.take_decision()
                {
                    return self.finished(JobResult::Move(decision), now);
                }
                Change::State
            }
            JobUpdate::Finished(JobResult::Outlook(outlook)) => {
                self.coach.learned(self.active.game(), *outlook);
                Change::State
            }
            JobUpdate::Failed(error) => {
                log::error!("a search of the coach panicked: {error}");
                self.coach.job_failed();
                self.end_patience();
                Change::State
            }
            JobUpdate::Finished(_)
            | JobUpdate::Queued
            | JobUpdate::Running
            | JobUpdate::Progress { .. } => Change::None,
        }
    }

    /// A computer's answer does not wait for the coach any more.
    fn end_patience(&mut self) {
        self.search.hold_until(Some(self.answer_due));
    }

    /// The search of the position on the board has changed.
    fn search_changed(
        &mut self,
        job: JobId,
        purpose: Purpose,
        update: JobUpdate,
        now: Time,
    ) -> Change {
        match update {
            JobUpdate::Queued | JobUpdate::Running => {
                let queued = matches!(update, JobUpdate::Queued);
                if self.search.set_queued(job, queued) {
                    self.send_to_all(Message::Queue { queued });
                }
                Change::None
            }
            JobUpdate::Progress { progress, elapsed, nodes } if purpose.has_progress() => {
                self.learn(job, progress.map(|progress| progress.sorted()));
                let version = self.active.version();
                self.send_to_all(Message::Pace(views::analysis::pace(version, elapsed, nodes)));
                let is_analysis = matches!(purpose, Purpose::Analysis { .. });
                if is_analysis && self.analysis.rests_after(job, elapsed) {
                    Change::State
                } else {
                    Change::None
                }
            }
            JobUpdate::Progress { .. } => Change::None,
            JobUpdate::Finished(JobResult::Analysis) => {
                self.search.exhaust();
                Change::State
            }
            JobUpdate::Finished(JobResult::Move(decision))
                if matches!(purpose, Purpose::Opinion { .. }) =>
            {
                let _ = self.search.end();
                if let Purpose::Opinion { engine, .. } = purpose {
                    self.engine_decided(engine, decision);
                }
                Change::State
            }
            JobUpdate::Finished(JobResult::Move(decision)) => {
                match self.search.decide(decision, now) {
                    Some(decision) => self.finished(JobResult::Move(decision), now),
                    None => Change::State,
                }
            }
            JobUpdate::Finished(result) => {
                let _ = self.search.end();
                self.finished(result, now)
            }
            JobUpdate::Failed(error) => {
                log::error!("a search panicked: {error}");
                let _ = self.search.end();
                match purpose {
                    Purpose::Move { .. } => {
                        self.finished(JobResult::Move(Err("internal error".to_owned())), now)
                    }
                    Purpose::Verdict => {
                        self.notify(text!("The search failed."));
                        self.finished(JobResult::Verdict(Verdict::Wrong(None)), now)
                    }
                    Purpose::Opinion { engine, .. } => {
                        self.engine_decided(engine, Err("internal error".to_owned()));
                        Change::State
                    }
                    Purpose::Hint { .. }
                    | Purpose::Solution { .. }
                    | Purpose::Analysis { .. }
                    | Purpose::Balance { .. } => {
                        self.analysis.set_lines(None);
                        self.notify(text!("The search failed."));
                        Change::State
                    }
                }
            }
        }
    }

    /// Learns from the progress of the search of the position, and sends it.
    fn learn(&mut self, job: JobId, progress: Option<Progress>) {
        let Some(progress) = progress else { return };
        let node = self.active.position_node();
        if self.analysis.learn(job, node, self.active.game().board(), progress)
            && let Some(progress) = self.analysis.progress()
        {
            let (board, version) = (self.game().board(), self.active.version());
            let analysis = views::analysis::analysis(board, version, progress);
            self.send_to_all(Message::Analysis(Box::new(analysis)));
        }
    }

    fn storage_replied(&mut self, reply: StorageReply, now: Now) -> Change {
        match reply {
            StorageReply::SaveFailed { id, error } => {
                log::error!("game {id} could not be saved: {error:?}");
                self.saving.failed(&id, now.time);
                self.notify(match error {
                    SaveError::File(_) => {
                        text!("The game could not be saved: its folder is not writable.")
                    }
                    SaveError::Full => text!(
                        "The game could not be saved: the browser’s storage is full. Save it as a \
                         file (Records)."
                    ),
                    SaveError::InUse => {
                        text!("The game could not be saved: it is open in another tab.")
                    }
                    SaveError::Other(_) => {
                        text!("The game could not be saved. Save it as a file (Records).")
                    }
                });
                Change::State
            }
            StorageReply::Loaded { client, id, text } => {
                if self.seats.is_ongoing() {
                    // A game of two people has begun meanwhile.
                    if text.is_ok() && self.saved_game() != Some(&id) {
                        self.request(StorageRequest::Release { id });
                    }
                    return Change::State;
                }
                if self.saved_game() == Some(&id) {
                    // It was asked for twice.
                    return Change::State;
                }
                let why = match text {
                    Ok(text) if self.open_saved_game(id, &text, now) => return Change::Position,
                    Ok(_) | Err(LoadError::Unreadable) => {
                        text!("That game cannot be read: its file is damaged or was deleted.")
                    }
                    Err(LoadError::InUse) => text!("That game is open in another tab."),
                };
                self.refuse(client, why);
                Change::None
            }
            StorageReply::Deleted { client, result } => {
                match result {
                    Ok(()) => self.request(StorageRequest::List { client }),
                    Err(DeleteError::InUse) => {
                        self.refuse(client, text!("That game is open in another tab."));
                    }
                    Err(DeleteError::File) => {
                        let why =
                            text!("The game could not be deleted: its folder is not writable.");
                        self.refuse(client, why);
                    }
                    Err(DeleteError::Other) => {
                        self.refuse(client, text!("The game could not be deleted."));
                    }
                }
                Change::None
            }
            StorageReply::Listed { client, games } => {
                let list = views::saved_games::saved_games(&games, self.saving.id());
                self.send(Recipient::One(client), Message::SavedGames(list));
                Change::None
            }
            StorageReply::Journal { text } => {
                self.training.cards.read(&text);
                self.puzzles_changed = self.practice.search().is_some();
                self.refresh_soon(now.time);
                self.send_training(now);
                Change::None
            }
            StorageReply::Results { text } => {
                let is_new = self.rating.set(&text);
                self.send_rating();
                let latest = self.rating.view().and_then(|rating| rating.line.last().copied());
                let Some([rating, error]) = latest.filter(|_| is_new) else { return Change::None };
                let (rating, error) = (rating.to_string(), error.to_string());
                self.notify(text!("Your rating: {0} ± {1}.", rating, error));
                Change::State
            }
            StorageReply::Latest { texts } => {
                self.practice.set_games(texts);
                self.puzzles_changed = true;
                self.refresh_soon(now.time);
                Change::None
            }
        }
    }

    fn file_read(&mut self, event: FileEvent, now: Now) -> Change {
        let puts_game = matches!(event, FileEvent::Show { .. } | FileEvent::Edit(_));
        if puts_game && let Err(why) = self.ensure_opens_files() {
            // The game of two people has begun while the file was read.
            for host in self.clients.of(Person::Host) {
                self.refuse(host, why.clone());
            }
            return Change::None;
        }
        match event {
            FileEvent::Show { mut game, notice } => {
                game.set_thought(self.settings.setup.thought);
                self.start_game(*game, false, now);
                self.notice = notice.map(Notice::for_players);
                Change::Position
            }
            FileEvent::Edit(game) => {
                self.open_editor(EditedPosition::of_game(&game));
                Change::State
            }
            FileEvent::Practise(collection) => {
                self.training.set_file(collection);
                self.send_training(now);
                Change::None
            }
            FileEvent::Keep(file) => {
                self.file = Some(file);
                Change::None
            }
            FileEvent::Explore(book) => {
                let error = book.errors().first();
                let notice = match (error, book.assumed_rule()) {
                    (Some(error), _) => {
                        Some(text!("The file has errors: {0}.", error.message.clone()))
                    }
                    (None, Some(variant)) => Some(text!(
                        "Games that do not state the rule count as {0}. Name another when you open the file.",
                        wording::variant(variant)
                    )),
                    (None, None) => None,
                };
                self.exploring.explore(book);
                self.read_cards();
                let Some(notice) = notice else {
                    self.send_openings();
                    return Change::None;
                };
                self.notify(notice);
                Change::State
            }
        }
    }

    /// Gives up a saved game that another room needs.
    fn yield_saved_game(&mut self, id: &str, now: Now) {
        if self.reviews.is_of_shelved(id) {
            self.end_review(now.time);
        } else if self.saved_game() == Some(id) {
            self.end_review(now.time);
            self.save(true, now);
            let id = self.saving.detach();
            id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
        }
    }

    /// The room ends: all is saved, and all jobs are stopped.
    fn close(&mut self, now: Now) {
        self.save(true, now);
        self.end_search(now.time);
        self.end_review(now.time);
        self.stop_solving();
        let job = self.practice.stop_search();
        let coach = std::mem::take(&mut self.coach).job();
        let jobs = [job, coach].into_iter().flatten();
        jobs.for_each(|id| self.effects.push(Effect::StopJob { id }));
        let id = self.saving.detach();
        id.into_iter().for_each(|id| self.request(StorageRequest::Release { id }));
    }

    /// Does what is due.
    fn tick(&mut self, now: Time) -> Change {
        self.timer = None;
        let mut change = Change::None;
        if self.refresh.is_some_and(|refresh| refresh <= now) {
            self.refresh = None;
            if std::mem::take(&mut self.puzzles_changed) {
                self.send_puzzles();
            }
            if self.reviews.is_under_way() {
                change = Change::State;
            }
        }
        if self.active.game_mut().check_flag(now) {
            return Change::Position;
        }
        if self.search.due().is_some_and(|due| due <= now)
            && let Some(decision) = self.search.take_decision()
        {
            return self.finished(JobResult::Move(decision), now);
        }
        change
    }

    /// Asks for the next tick.
    fn set_timer(&mut self, now: Time) {
        let game = self.active.game();
        let deadlines =
            [self.refresh, game.flag_at(now), self.saving.deadline(game), self.search.due()];
        let timer = deadlines.into_iter().flatten().min();
        if timer != self.timer {
            self.timer = timer;
            self.effects.push(Effect::Timer(timer));
        }
    }
}
