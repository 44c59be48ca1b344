//! Reviews of a room's games: begun and ended by pages, they go on while pages look at other moves or
//! games, and what they say belongs to the game.

use std::mem;
use std::sync::Arc;

use super::keeping::Keeping;
use super::reviewing::{News, Reviewing, Shelved};
use super::room::Room;
use super::view;
use crate::game::live::LiveGame;
use crate::game::setup::Setup;
use crate::game::words;
use crate::lock::lock;
use kakugo_record::text::{Text, text};

impl Room {
    /// Begin a review of the line shown, go on with one that was ended, or end the one under way. A
    /// line that has been reviewed whole is reviewed anew.
    ///
    /// # Errors
    /// Why there can be none, for people.
    pub(super) fn explain(&mut self) -> Result<(), Text> {
        if self.reviewing.as_ref().is_some_and(|reviewing| reviewing.shelved.is_none()) {
            self.reviewing = None;
            return Ok(());
        }
        self.end_shelved_review();
        let positions = self.game.positions();
        if self.game.review_of(&positions).positions.len() == positions.len() {
            for node in positions {
                self.game.judge(node, None);
            }
        }
        self.reviews += 1;
        let (number, home) = (self.reviews, self.home.clone());
        let tell = move |news| {
            let Some(room) = home.upgrade() else { return false };
            lock(&room).heard(number, news)
        };
        let begun = Reviewing::begin(number, &self.game, &self.settings.resources, tell);
        self.reviewing = Some(begun.map_err(|error| text!("No review: {0}.", error.to_string()))?);
        Ok(())
    }

    /// A review has news; whether it is still awaited.
    fn heard(&mut self, number: u64, news: News) -> bool {
        let Some(reviewing) = &mut self.reviewing else { return false };
        if reviewing.number != number {
            return false;
        }
        match news {
            News::Judged(node, judged) => {
                reviewing.done += 1;
                let (game, keeping) = match &mut reviewing.shelved {
                    Some(shelved) => (&mut shelved.game, &mut shelved.keeping),
                    None => (&mut self.game, &mut self.keeping),
                };
                // Moves may have been deleted meanwhile.
                if game.judge(node, Some(judged)) {
                    keeping.changed();
                }
            }
            News::Done => {
                self.end_shelved_review();
                self.reviewing = None;
                self.keep(false);
            }
        }
        self.news_of_review = true;
        true
    }

    /// The game on the board makes way for another: its review goes on if the game is kept.
    pub(super) fn shelve(&mut self, next: LiveGame, keeping: Keeping) {
        let game = mem::replace(&mut self.game, next);
        let before = mem::replace(&mut self.keeping, keeping);
        match &mut self.reviewing {
            Some(reviewing) if reviewing.shelved.is_none() && before.name.is_some() => {
                reviewing.shelved = Some(Box::new(Shelved { game, keeping: before }));
            }
            Some(reviewing) if reviewing.shelved.is_none() => self.reviewing = None,
            _ => {}
        }
    }

    /// Put a game that is under review back on the board; whether it is the one of this name.
    pub(super) fn unshelve(&mut self, id: &str) -> bool {
        let Some(mut reviewing) = self.reviewing.take() else { return false };
        let Some(shelved) = reviewing.shelved.take_if(|shelved| shelved.is(id)) else {
            self.reviewing = Some(reviewing);
            return false;
        };
        self.put_away();
        let Shelved { game, keeping } = *shelved;
        self.start_with(game, keeping);
        self.reviewing = Some(reviewing);
        true
    }

    /// End the review of a game that is not on the board; what it has said is kept.
    pub(super) fn end_shelved_review(&mut self) {
        let Some(shelved) = self.reviewing.as_mut().and_then(|r| r.shelved.take()) else { return };
        self.reviewing = None;
        let Shelved { game, mut keeping } = *shelved;
        self.write_if_changed(&game, &mut keeping);
    }

    /// What pages are told of the review under way.
    pub(super) fn review_under_way(&self) -> Option<view::UnderWay> {
        let reviewing = self.reviewing.as_ref()?;
        let names = |setup: &Setup| {
            let [black, white] = setup.seats.each_ref().map(|seat| words::name(&seat.name));
            text!("{0} – {1}", black, white)
        };
        Some(view::UnderWay {
            done: reviewing.done,
            total: reviewing.total,
            elsewhere: reviewing.shelved.as_ref().map(|shelved| names(shelved.game.setup())),
        })
    }

    pub(super) fn review_view(&self) -> Arc<str> {
        view::review(&self.game, self.openings.book()).to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rooms::registry::tests::{Page, rooms};

    #[test]
    fn a_game_deleted_under_review_is_not_kept_again() {
        let rooms = rooms("reviewed", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.play(&[(7, 7), (8, 8)]);
        let [id] = &page.kept()[..] else { panic!() };
        let mut room = lock(&page.room);
        room.explain().unwrap();
        room.forget_kept(id).unwrap();
        assert!(room.reviewing.is_none() && !room.heard(1, News::Done));
        drop(room);
        assert_eq!(page.kept(), [""; 0]);
    }
}
