//! A file that a page has sent: its games are listed, one of them is shown, or its openings are explored.
//!
//! Of a large collection only what the list tells is kept beside its bytes; the game that is chosen is
//! read again.

use std::ops::ControlFlow;

use crate::game::live::LiveGame;
use crate::game::records;
use kakugo_record::Game;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::renlib::{self, TreeStep};
use kakugo_record::text::{Text, text};

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
    ) -> Result<SentFile, Text> {
        let format = Format::from_file_name(name, rows).ok_or_else(|| {
            text!("The name must end in {0}.", ".sgf, .psq, .rec, .lib, .pos, .txt")
        })?;
        let pattern = format.defaults_beside(pattern);
        // A large library is refused before it takes many times its size.
        if format == Format::RenLib || renlib::is_library(&bytes) {
            let mut moves = 0;
            let walked = renlib::walk(&bytes, |step| {
                moves += usize::from(matches!(step, TreeStep::Down(_)))
            });
            if walked.is_ok() && moves > MOST_MOVES {
                return Err(too_many(moves));
            }
        }
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
            Some(error) => Err(text!("This is no game: {0}.", error)),
            None => Err(text!("This is no game: the file holds none.")),
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
    pub fn game(&self, number: usize) -> Result<(LiveGame, usize), Text> {
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
        let tree: GameTree = found.ok_or_else(|| text!("The file holds no such game."))?;
        let count = tree.nodes.count() - 1;
        if count > MOST_MOVES {
            return Err(too_many(count));
        }
        records::live_of(&tree, self.rows)
    }
}

fn too_many(moves: usize) -> Text {
    text!(
        "This game has {0} moves with its variations; up to {1} can be shown. \
         Its openings can be explored, however large it is.",
        moves,
        MOST_MOVES
    )
}
