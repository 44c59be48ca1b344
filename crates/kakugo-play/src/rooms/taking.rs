//! What a room does with a file that one of its pages has sent.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::note::Note;
use super::openings::Openings;
use super::room::Room;
use super::sent::SentFile;
use super::view;
use crate::game::live::LiveGame;
use crate::game::records;
use kakugo_record::Game;
use kakugo_record::book::Book;
use kakugo_record::text::{Text, text};

impl Room {
    /// An empty game of the size and rule on the board.
    pub fn pattern(&self) -> Game {
        let setup = self.game.setup();
        Game::new(setup.width, setup.height, setup.variant)
    }

    /// The file that was sent last.
    pub fn sent(&self) -> Option<Arc<SentFile>> {
        self.sent.clone()
    }

    /// Keep a file, so that one of its games can be chosen.
    pub fn keep_sent(&mut self, file: Arc<SentFile>) {
        self.sent = Some(file);
    }

    /// Show a game of a file instead of the one on the board.
    pub fn show_sent(&mut self, (mut game, left_out): (LiveGame, usize)) {
        game.set_thought(self.settings.setup.thought);
        self.start(game, false);
        self.note = records::note_of_left_out(left_out).map(Note::to_players);
        self.moved();
        self.settle(Instant::now());
        self.tell_all();
        self.keep(false);
    }

    /// Explore the openings of a file in this room.
    ///
    /// # Errors
    /// Why it holds none, for people.
    pub fn explore_sent(&mut self, book: Book) -> Result<(), Text> {
        let what = book.errors().first().map(|complaint| complaint.message.clone());
        if book.files() == 0 {
            let why = what.unwrap_or_else(|| text!("the file contains no games"));
            return Err(text!("There is nothing to explore: {0}.", why));
        }
        self.openings = Openings::of(book);
        if let Some(what) = what {
            self.note = Some(Note::to_players(text!("Of the file: {0}.", what)));
            self.tell_all();
        }
        self.tell_openings();
        Ok(())
    }
}

/// The openings of a file; its name tells the format, `pattern` size and rule where that does not.
pub fn openings(name: &str, bytes: &[u8], pattern: Game) -> Book {
    let mut book = Book::new(pattern);
    book.add_bytes(Path::new(name), bytes);
    book
}

/// A part of the list of a file's games, as the page takes it.
pub fn list(file: &SentFile, from: usize) -> String {
    view::games(file.heads(), from).to_string()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use crate::game::live::LiveGame;
    use crate::game::setup::Setup;
    use crate::lock::lock;
    use crate::rooms::registry::tests::{Page, rooms};

    #[test]
    fn computers_think_about_opened_records_as_long_as_about_games() {
        let rooms = rooms("thought", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        let thought = lock(&page.room).game.setup().thought;
        let mut setup = Setup::default().checked(&[]).unwrap();
        setup.thought = thought + Duration::from_secs(1);
        lock(&page.room).show_sent((LiveGame::new(setup), 0));
        assert_eq!(lock(&page.room).game.setup().thought, thought);
    }
}
