//! A file that a page has sent: its games are listed, one of them is shown, or its openings are explored.
//!
//! Of a large collection only what the list tells is kept beside its bytes; the game that is chosen is
//! read again.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::openings::Openings;
use super::room::Room;
use super::view;
use crate::play::game::live::LiveGame;
use crate::play::game::records;
use crate::record::Game;
use crate::record::book::Book;
use crate::record::file::Format;
use crate::record::game_tree::GameTree;
use crate::record::pos::RowOrder;

/// Most moves of one game, variations included, that the page shows.
const MOST_MOVES: usize = 300_000;

/// What the list tells of a game.
#[derive(Debug)]
pub struct Head {
    /// Its place in the file, from 0.
    pub number: usize,
    /// Names, size and rule; it has no moves.
    pub game: Game,
    /// Length of the main line.
    pub moves: usize,
}

/// See the module.
#[derive(Debug)]
pub struct SentFile {
    bytes: Vec<u8>,
    format: Format,
    rows: RowOrder,
    pattern: Game,
    heads: Vec<Head>,
}

impl SentFile {
    /// Look through a file; its name tells the format, `pattern` size and rule where that does not.
    ///
    /// # Errors
    /// Why it holds no game, for people.
    pub fn read(
        name: &str,
        bytes: Vec<u8>,
        rows: RowOrder,
        pattern: Game,
    ) -> Result<SentFile, String> {
        let format = Format::of_name(name, rows)
            .ok_or("The name must end in .sgf, .psq, .rec, .lib, .pos or .txt.")?;
        let mut heads = Vec::new();
        let mut wrong = None;
        let mut number = 0;
        format.each_game(&bytes, &pattern, |game| {
            match game {
                Ok(tree) => {
                    let Game { moves, .. } = tree.main_line();
                    heads.push(Head { number, moves: moves.len(), game: tree.game });
                }
                Err(error) => {
                    wrong.get_or_insert(error);
                }
            }
            number += 1;
            ControlFlow::Continue(())
        });
        match wrong {
            _ if !heads.is_empty() => Ok(SentFile { bytes, format, rows, pattern, heads }),
            Some(error) => Err(format!("This is no game: {error}.")),
            None => Err("This is no game: the file holds none.".to_owned()),
        }
    }

    /// The games of which one may be chosen.
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    /// The game with this number, ready to be shown, and how many moves had to be left out.
    ///
    /// # Errors
    /// Why it cannot be shown, for people.
    pub fn game(&self, number: usize) -> Result<(LiveGame, usize), String> {
        let mut left = number;
        let mut found = None;
        self.format.each_game(&self.bytes, &self.pattern, |game| {
            if left == 0 {
                found = game.ok();
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        let tree: GameTree = found.ok_or("The file holds no such game.")?;
        let count = tree.nodes.count() - 1;
        if count > MOST_MOVES {
            return Err(format!(
                "This game has {count} moves with its variations; up to {MOST_MOVES} can be shown. \
                 Its openings can be explored, however large it is."
            ));
        }
        records::live_of(&tree, self.rows)
    }
}

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
    pub fn show_sent(&mut self, (game, left_out): (LiveGame, usize)) {
        self.start(game, false);
        self.note = records::note_of_left_out(left_out);
        self.moved();
        self.settle(Instant::now());
        self.tell_all();
        self.keep(false);
    }

    /// Explore the openings of a file in this room.
    ///
    /// # Errors
    /// Why it holds none, for people.
    pub fn explore_sent(&mut self, book: Book) -> Result<(), String> {
        let what = book.complaints().first().map(|(_, what)| what.clone());
        if book.files() == 0 {
            let why = what.unwrap_or_default();
            return Err(format!(
                "There is nothing to explore: {}.",
                why.trim_start_matches("left out: ")
            ));
        }
        self.openings = Openings::of(book);
        if let Some(what) = what {
            self.note = format!("Of the file: {what}.");
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
