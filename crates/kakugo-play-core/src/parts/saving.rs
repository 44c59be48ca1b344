//! Saving: a room's game is written after every change, so that neither a closed tab nor the end of
//! the program loses it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use crate::event::StorageRequest;
use crate::game::live::LiveGame;
use crate::game::pairing::Pairing;
use crate::now::{Now, Time};
use crate::saved_game::{self, Help};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

/// The largest game that is saved after every change; larger ones, such as libraries, are saved at
/// intervals.
const SMALL_GAME: usize = 2000;
/// Interval between two times at which a larger game is saved.
const INTERVAL: Duration = Duration::from_secs(5);
/// Time after which a game that could not be saved is saved again.
const RETRY: Duration = Duration::from_secs(30);

/// The saved file of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaveState {
    /// Id of the file; `None` as long as the game is not worth saving.
    pub id: Option<String>,
    /// True if it was started as a game, false if it was opened from a file.
    pub begun: bool,
    /// The seats, if two people play it.
    pairing: Option<Pairing>,
    /// The help that the player had.
    help: Help,
    /// True if it has changed since it was saved.
    dirty: bool,
    /// The time at which it was saved.
    saved: Option<Time>,
    /// The time at which saving it failed, unless it has changed or was saved again since.
    failed: Option<Time>,
}

impl SaveState {
    /// Returns the state of a game that has not been saved.
    pub fn new(begun: bool) -> SaveState {
        SaveState {
            id: None,
            begun,
            pairing: None,
            help: Help::default(),
            dirty: false,
            saved: None,
            failed: None,
        }
    }

    /// Returns the state of a game that was read from the file with this id.
    pub fn loaded(id: String, begun: bool, help: Help) -> SaveState {
        SaveState { id: Some(id), help, ..SaveState::new(begun) }
    }

    /// Returns the help that the player had.
    pub fn help(&self) -> Help {
        self.help
    }

    /// Sets the help that the player had.
    pub fn set_help(&mut self, help: Help) {
        if self.help != help {
            self.help = help;
            self.dirty = true;
        }
    }

    /// Returns the seats of two people.
    pub fn pairing(&self) -> Option<&Pairing> {
        self.pairing.as_ref()
    }

    /// Sets the seats of two people.
    pub fn set_pairing(&mut self, pairing: Option<&Pairing>) {
        if self.pairing.as_ref() != pairing {
            self.pairing = pairing.cloned();
            self.dirty = true;
        }
    }

    /// The game has changed.
    pub fn changed(&mut self) {
        (self.dirty, self.failed) = (true, None);
    }
}

/// The saving of a room's games.
pub struct Saving {
    /// False if the program saves no games.
    enabled: bool,
    room: String,
    key: String,
    /// The state of the game on the board.
    pub current: SaveState,
    /// True if a saved game was on the board before: clients will look for the next one, too.
    replaced_saved: bool,
    /// Number of ids made.
    ids: u32,
}

impl Saving {
    /// Returns the saving of a room with this id and key.
    pub fn new(enabled: bool, room: String, key: String) -> Saving {
        let current = SaveState::new(true);
        Saving { enabled, room, key, current, replaced_saved: false, ids: 0 }
    }

    /// Returns an error unless games are saved.
    ///
    /// # Errors
    /// Returns the reason if no games are saved.
    pub fn ensure_enabled(&self) -> Result<(), Text> {
        let off = || text!("Saving games is off (--no-games).");
        if self.enabled { Ok(()) } else { Err(off()) }
    }

    /// Returns the id of the game on the board, if it is saved.
    pub fn id(&self) -> Option<&str> {
        self.current.id.as_deref()
    }

    /// Returns a request to save the game on the board if it has changed and is worth it. A large
    /// one is saved at intervals, unless it must be saved now.
    pub fn save(&mut self, game: &LiveGame, must: bool, now: Now) -> Option<StorageRequest> {
        // A saved game stays one when all its moves are deleted.
        let is_worthless =
            is_blank(game) && self.current.id.is_none() && self.current.pairing.is_none();
        let is_early = self.next_save(game).is_some_and(|next| now.time < next);
        if !self.enabled || !self.current.dirty || is_worthless || (is_early && !must) {
            return None;
        }
        self.ensure_id(now);
        write(&self.room, &self.key, &mut self.current, game, now.time)
    }

    /// As [`Saving::save`], at the end of the program. A game without moves is saved, too, if
    /// clients would look for it.
    pub fn save_at_end(&mut self, game: &LiveGame, now: Now) -> Option<StorageRequest> {
        if self.enabled && self.replaced_saved {
            self.current.dirty |= self.current.id.is_none();
            self.ensure_id(now);
        }
        self.save(game, true, now)
    }

    /// Returns a request to save a game that is not on the board, if it has changed.
    pub fn save_other(
        &self,
        state: &mut SaveState,
        game: &LiveGame,
        now: Time,
    ) -> Option<StorageRequest> {
        if state.dirty { write(&self.room, &self.key, state, game, now) } else { None }
    }

    /// Returns the time at which a large game is to be saved, if it waits for that.
    pub fn deadline(&self, game: &LiveGame) -> Option<Time> {
        let waits = self.enabled && self.current.dirty;
        self.next_save(game).filter(|_| waits)
    }

    fn next_save(&self, game: &LiveGame) -> Option<Time> {
        if let Some(failed) = self.current.failed {
            return Some(failed + RETRY);
        }
        let is_large = game.tree().count() > SMALL_GAME;
        self.current.saved.filter(|_| is_large).map(|saved| saved + INTERVAL)
    }

    /// A game could not be saved. That on the board is saved again later.
    pub fn failed(&mut self, id: &str, now: Time) {
        if self.id() == Some(id) {
            self.current.dirty = true;
            self.current.failed = Some(now);
        }
    }

    /// Gives the game on the board an id, which starts with date and time. The count of ids starts
    /// again with the program, and a room may come back, so that the exact time is part of it.
    fn ensure_id(&mut self, now: Now) {
        if self.current.id.is_some() {
            return;
        }
        self.ids += 1;
        let mut hasher = DefaultHasher::new();
        (&self.room, self.ids, now.utc.unix_timestamp_nanos()).hash(&mut hasher);
        let (date, utc, hash) = (now.date(), now.utc, hasher.finish() as u32);
        let id = format!("{date}-{:02}{:02}-{hash:08x}", utc.hour(), utc.minute());
        self.current.id = Some(id);
    }

    /// The game on the board is about to be replaced. Returns a request that deletes it if it is
    /// saved but empty, or else saves it if it has changed.
    pub fn put_away(&mut self, game: &LiveGame, now: Now) -> Option<StorageRequest> {
        if is_blank(game)
            && let Some(id) = self.current.id.take()
        {
            self.current = SaveState::new(self.current.begun);
            return Some(StorageRequest::Discard { id });
        }
        self.replaced_saved |= self.current.id.is_some();
        self.save(game, true, now)
    }

    /// Returns requests that save a game beside the one on the board, and give it up again.
    pub fn save_beside(&mut self, game: &LiveGame, now: Now) -> Vec<StorageRequest> {
        let current = std::mem::replace(&mut self.current, SaveState::new(false));
        self.ensure_id(now);
        let mut state = std::mem::replace(&mut self.current, current);
        let save = write(&self.room, &self.key, &mut state, game, now.time);
        let release = state.id.map(|id| StorageRequest::Release { id });
        save.into_iter().chain(release).collect()
    }

    /// Takes the file away from the game on the board: it gets another from its next change on.
    pub fn detach(&mut self) -> Option<String> {
        // Nothing else of the game changes by that, so there is nothing to save.
        let SaveState { id, dirty, saved, failed, .. } = &mut self.current;
        (*dirty, *saved, *failed) = (false, None, None);
        id.take()
    }
}

/// Returns true if a game has no moves, comment, marks, title and study.
fn is_blank(game: &LiveGame) -> bool {
    let note = &game.tree().value(NodeId::ROOT).note;
    let has_notes = !note.comment.is_empty() || !note.marks.is_empty() || !note.arrows().is_empty();
    let is_named = !game.title().is_empty() || !game.study().is_empty();
    game.tree().count() < 2 && !has_notes && !is_named
}

/// Returns a request to write a game that has an id.
fn write(
    room: &str,
    key: &str,
    state: &mut SaveState,
    game: &LiveGame,
    now: Time,
) -> Option<StorageRequest> {
    (state.dirty, state.saved, state.failed) = (false, Some(now), None);
    let id = state.id.clone()?;
    let details = (state.pairing.as_ref(), state.help);
    let text = saved_game::write_with(room, key, state.begun, details, game);
    Some(StorageRequest::Save { id, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::Setup;
    use kakugo::board::Point;

    fn saving() -> Saving {
        Saving::new(true, "room".to_owned(), "key".to_owned())
    }

    fn game() -> LiveGame {
        let setup = Setup::default().checked(&[]).unwrap();
        LiveGame::with_moves(setup, &[Point::new(7, 7).unwrap()]).unwrap()
    }

    #[test]
    fn ids_start_with_date_and_time_and_differ() {
        let mut saving = saving();
        let utc = time::UtcDateTime::from_unix_timestamp(951_782_400 + 3600 + 120).unwrap();
        let now = Now { utc, ..Now::default() };
        let mut id = || {
            saving.current = SaveState::new(true);
            saving.ensure_id(now);
            saving.id().unwrap().to_owned()
        };
        let (first, second) = (id(), id());
        assert!(first.starts_with("2000-02-29-0102-") && first.len() == 24, "{first}");
        assert_ne!(first, second);
        // The room comes back after a restart, within the same minute.
        let (mut again, utc) = (self::saving(), utc + Duration::from_millis(1));
        again.ensure_id(Now { utc, ..now });
        assert!(![&*first, &*second].contains(&again.id().unwrap()));
    }

    #[test]
    fn a_game_that_could_not_be_saved_is_saved_later_or_at_the_end() {
        let (mut saving, now) = (saving(), Now::default());
        saving.current.changed();
        assert!(saving.save(&game(), false, now).is_some());
        let id = saving.id().unwrap().to_owned();
        saving.failed("another", now.time);
        assert_eq!(saving.deadline(&game()), None);
        saving.failed(&id, now.time);
        assert_eq!(saving.save(&game(), false, now), None);
        assert_eq!(saving.deadline(&game()), Some(now.time + RETRY));
        let later = Now { time: now.time + RETRY, ..now };
        assert!(saving.save(&game(), false, later).is_some());
        assert_eq!(saving.deadline(&game()), None);
        // A change is saved at once.
        saving.failed(&id, later.time);
        saving.current.changed();
        assert!(saving.save(&game(), false, later).is_some());
        saving.failed(&id, later.time);
        assert!(saving.save_at_end(&game(), later).is_some());
    }

    #[test]
    fn only_changes_are_saved_and_nothing_without_a_move() {
        let (mut saving, now) = (saving(), Now::default());
        let empty = LiveGame::new(Setup::default().checked(&[]).unwrap());
        saving.current.changed();
        assert_eq!(saving.save(&empty, true, now), None);
        assert!(matches!(saving.save(&game(), false, now), Some(StorageRequest::Save { .. })));
        assert_eq!(saving.save(&game(), true, now), None);
        // A saved game that has become empty is saved so, and deleted when it is replaced.
        saving.current.changed();
        assert!(saving.save(&empty, false, now).is_some());
        assert!(matches!(saving.put_away(&empty, now), Some(StorageRequest::Discard { .. })));
        assert_eq!(saving.id(), None);
    }
}
