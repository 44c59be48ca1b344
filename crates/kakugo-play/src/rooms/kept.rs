//! Keeping a room's game: written after every change, so that neither a closed tab nor the end of the
//! program loses it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::keeping::Keeping;
use super::note::Note;
use super::room::Room;
use super::view;
use crate::game::live::LiveGame;
use crate::kept::game::Kept;
use crate::kept::store::Store;
use kakugo_record::file::Format;
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

/// Games up to so many moves are written at once; larger ones, such as libraries, now and then.
const QUICK_MOVES: usize = 2000;
/// Time between two writings of a larger game.
const SLOWLY: Duration = Duration::from_secs(5);

impl Room {
    /// Write the game if it has changed; a large one at once only if it must be.
    pub fn keep(&mut self, must: bool) {
        if self.settings.store.is_none() || self.practice.is_some() {
            return;
        }
        let size = self.game.tree().count();
        let early = self.keeping.written.is_some_and(|written| written.elapsed() < SLOWLY);
        // A game that is kept already stays so when all its moves are deleted.
        let is_empty = size < 2 && self.keeping.name.is_none();
        if !self.keeping.dirty || is_empty || (size > QUICK_MOVES && early && !must) {
            return;
        }
        self.name();
        let game = self.game.clone();
        let mut keeping = std::mem::replace(&mut self.keeping, Keeping::new(false));
        self.write_if_changed(&game, &mut keeping);
        self.keeping = keeping;
    }

    /// As [`Room::keep`], since the program ends. Where pages would find the game before it again, what
    /// is on the board is kept even if nothing was played yet.
    pub fn keep_for_return(&mut self) {
        if self.follows && !self.is_empty() && self.practice.is_none() {
            self.keeping.dirty |= self.keeping.name.is_none();
            self.name();
        }
        self.keep(true);
    }

    /// A name for the game, if it has none yet.
    fn name(&mut self) {
        let Some(store) = self.settings.store.as_ref().filter(|_| self.keeping.name.is_none())
        else {
            return;
        };
        let id = Store::new_id();
        self.keeping.name = store.claim(&id).map(|claim| (id, claim));
    }

    /// The game on the board makes way for another: it is written, unless it is kept and empty.
    pub(super) fn put_away(&mut self) {
        let moment = self.game.tree().value(NodeId::ROOT);
        let is_empty = self.game.tree().count() < 2 && moment.note.comment.is_empty();
        if let (Some((id, _)), Some(store), true) =
            (&self.keeping.name, &self.settings.store, is_empty)
        {
            store.delete(id);
            self.keeping = Keeping::new(self.keeping.begun);
        }
        self.follows |= self.keeping.name.is_some();
        self.keep(true);
    }

    /// Write a game that has changed since it was written, and has a name.
    pub(super) fn write_if_changed(&mut self, game: &LiveGame, keeping: &mut Keeping) {
        let Some(store) = self.settings.store.as_ref().filter(|_| keeping.dirty) else { return };
        (keeping.dirty, keeping.written) = (false, Some(Instant::now()));
        let Some((id, _)) = &keeping.name else { return };
        let kept = Kept {
            room: self.id.clone(),
            key: self.key.clone(),
            begun: keeping.begun,
            game: game.clone(),
        };
        if let Err(error) = store.write(id, &kept) {
            log::error!("the game {id} cannot be kept: {error}");
            let why = text!("The game cannot be kept: its folder cannot be written.");
            self.note = Some(Note::to_players(why));
        }
    }

    /// Go on with a game that was kept; whether it could be had.
    fn resume(&mut self, id: &str) -> bool {
        let Some(store) = self.settings.store.clone() else { return false };
        let Some(claim) = store.claim(id) else { return false };
        let Some(kept) = store.read(id, &self.settings.engines) else { return false };
        self.start(kept.game, kept.begun);
        self.keeping.name = Some((id.to_owned(), claim));
        true
    }

    /// Go on with a game as far as it is there, and say so.
    pub fn come_back(&mut self, id: &str) {
        if self.resume(id) {
            self.greet();
        }
    }

    /// As [`Room::come_back`], for those who watch; whether the game could be had. The player's clock
    /// waits for the player.
    pub fn come_back_for_watchers(&mut self, id: &str) -> bool {
        self.come_back(id);
        self.paused = self.game.setup().time.is_limited();
        self.keeping.name.is_some()
    }

    /// A page finds its game again.
    pub fn greet(&mut self) {
        self.note = Some(Note::to_players(text!("Your game is back.")));
    }

    /// Whether this is the room of a game that is kept, and all its pages have gone.
    pub fn is_left_with(&self, id: &str) -> bool {
        self.is_empty() && self.keeping.name.as_ref().is_some_and(|(own, _)| own == id)
    }

    /// Let go of a game that is kept, for another room; whether it was the one on the board, without
    /// which the room is of no use. Rooms with pages keep theirs.
    pub fn let_go(&mut self, id: &str) -> bool {
        if self.reviewing.as_ref().is_some_and(|r| r.shelved.as_ref().is_some_and(|s| s.is(id))) {
            if self.is_empty() {
                self.end_shelved_review();
            }
            return false;
        }
        if !self.is_left_with(id) {
            return false;
        }
        self.reviewing = None;
        self.keep(true);
        self.keeping = Keeping::new(self.keeping.begun);
        true
    }

    /// The games that are kept.
    ///
    /// # Errors
    /// None are.
    pub(super) fn games(&self) -> Result<Arc<str>, Text> {
        let own = self.keeping.name.as_ref().map(|(id, _)| &**id);
        Ok(view::kept(&self.store()?.list(), own).to_string().into())
    }

    /// Show a game that is kept.
    ///
    /// # Errors
    /// Why it cannot be shown, for people.
    pub(super) fn open_kept(&mut self, id: &str) -> Result<(), Text> {
        self.store()?;
        let is_own = self.keeping.name.as_ref().is_some_and(|(own, _)| own == id);
        if is_own || self.unshelve(id) || self.resume(id) {
            return Ok(());
        }
        Err(text!("That game is open in another tab, or cannot be read."))
    }

    /// A game that is kept, as SGF.
    ///
    /// # Errors
    /// There is no such game.
    pub(super) fn export_kept(&self, id: &str) -> Result<Arc<str>, Text> {
        let gone = || text!("That game is not there any more.");
        let record = self.store()?.record(id).ok_or_else(gone)?;
        let bytes = Format::Sgf.write_trees(&[record]).map_err(Text::from)?;
        Ok(view::record(Format::Sgf, &bytes).to_string().into())
    }

    /// Delete a game that is kept. If it is the room's own, it stays on the board, and is kept again
    /// from its next move on.
    ///
    /// # Errors
    /// Why it cannot be deleted, for people.
    pub(super) fn forget_kept(&mut self, id: &str) -> Result<Arc<str>, Text> {
        let store = self.store()?.clone();
        if self.reviewing.as_ref().is_some_and(|r| r.shelved.as_ref().is_some_and(|s| s.is(id))) {
            self.reviewing = None;
        }
        if self.keeping.name.as_ref().is_some_and(|(own, _)| own == id) {
            self.keeping = Keeping::new(self.keeping.begun);
            // What the review would still say would be kept.
            self.reviewing.take_if(|reviewing| reviewing.shelved.is_none());
        }
        self.news_of_review = true;
        let _claim = store.claim(id).ok_or_else(|| text!("That game is open in another tab."))?;
        store.delete(id);
        self.games()
    }

    pub(super) fn store(&self) -> Result<&Store, Text> {
        let off = || text!("Games are not kept: the program was told so.");
        self.settings.store.as_ref().ok_or_else(off)
    }
}

/// What is not yet written is written when the room ends.
impl Drop for Room {
    fn drop(&mut self) {
        self.keep(true);
        self.end_shelved_review();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::lock::lock;
    use crate::rooms::registry::tests::{Page, rooms};

    #[test]
    fn a_first_move_that_is_deleted_stays_so() {
        let kept = rooms("deleted", true);
        let page = Page::open(&kept, &json!({})).unwrap();
        page.play(&[(7, 7), (8, 8)]);
        let first = page.state()["line"][0].clone();
        page.say(json!({ "do": "delete", "id": first }));
        let wish = page.wish();
        drop(page);
        drop(kept);
        let again = rooms("deleted", false);
        let page = Page::open(&again, &wish).unwrap();
        assert_eq!((page.state()["moves"].clone(), page.kept().len()), (json!([]), 1));
        assert_eq!(lock(&page.room).game.tree().count(), 1);
    }
}
