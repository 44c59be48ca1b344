//! Uploaded files: their games are listed, and one of them is shown.
//!
//! Of a large collection only the entries of the list are stored beside the bytes. The game that is
//! chosen is read again.

use std::ops::ControlFlow;

use crate::game::live::LiveGame;
use crate::game::records;
use kakugo_record::file::{EXTENSIONS, Format};
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::renlib::{self, TreeStep};
use kakugo_record::text::{Text, text};
use kakugo_record::{Defaults, FormatError, Game};

/// The largest number of moves of a game, including variations, that is shown.
const MAX_MOVES: usize = 300_000;

/// Width and height of the usual board.
const USUAL_SIZE: u8 = 15;

/// An entry in the list of a file's games.
#[derive(Debug)]
pub struct FileEntry {
    /// The index of the game in the file.
    pub number: usize,
    /// The name of the game; empty without one.
    pub title: String,
    /// Names, size and rule, without moves.
    pub game: Game,
    /// The length of the main line.
    pub moves: usize,
}

/// An uploaded file.
#[derive(Debug)]
pub struct GameFile {
    bytes: Vec<u8>,
    format: Format,
    rows: RowOrder,
    defaults: Defaults,
    /// True if the file does not state the size of its boards.
    assumes_size: bool,
    entries: Vec<FileEntry>,
}

/// The games of a file that are left out.
#[derive(Default)]
pub struct Skipped {
    count: usize,
    /// The number of the first one in the file, from 1, and the reason.
    first: Option<(usize, Text)>,
}

impl Skipped {
    /// Adds a game, by its number from 1, and the reason why it is left out.
    pub fn add(&mut self, number: usize, why: Text) {
        self.count += 1;
        self.first.get_or_insert((number, why));
    }

    /// Returns a notice about these games; `None` without any.
    pub fn notice(self) -> Option<Text> {
        let (number, why) = self.first?;
        Some(text!("{0} {0:game is|games are} skipped. Game {1}: {2}", self.count, number, why))
    }
}

/// The reason why a file cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// It contains no game.
    Refused(Text),
    /// It is of another game, such as Go. It can be read if the user names the rule.
    OtherGame(Text),
}

/// Returns the defaults for a file of this format that is opened while their board is shown, and
/// true if the file does not state the size of its boards.
///
/// Text of moves states no size. It is read on the board that is shown if all its games can be
/// replayed there, or else on 15x15 if they can be replayed there.
pub fn fitted(format: Format, bytes: &[u8], defaults: Defaults) -> (Defaults, bool) {
    let mut shown = defaults;
    shown.game = format.defaults_beside(shown.game);
    let is_usual = (shown.game.width, shown.game.height) == (USUAL_SIZE, USUAL_SIZE);
    if is_usual || !matches!(format, Format::Pos(_) | Format::Offset | Format::Pgn) {
        return (shown, false);
    }
    let game = Game { width: USUAL_SIZE, height: USUAL_SIZE, ..shown.game.clone() };
    let usual = Defaults { game, ..shown.clone() };
    // The size of the first game, and true if all can be replayed.
    let read = |defaults: &Defaults| {
        let (mut size, mut fits) = (None, true);
        format.each_game(bytes, defaults.clone(), |game| {
            let game = game.ok().map(|tree| tree.main_line());
            size = size.or(game.as_ref().map(|game| (game.width, game.height)));
            fits &= game.is_some_and(|game| game.board().is_ok());
            if fits { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        (size, fits)
    };
    let ((size, fits), (usual_size, fits_usual)) = (read(&shown), read(&usual));
    if !fits && fits_usual { (usual, true) } else { (shown, size != usual_size) }
}

/// Returns a notice about the size of a game whose file does not state it, unless it is 15x15.
pub fn notice_of_assumed_size(game: &Game) -> Option<Text> {
    let (width, height) = (game.width, game.height);
    let is_usual = (width, height) == (USUAL_SIZE, USUAL_SIZE);
    let notice = || text!("The size is not stated: {0}×{1} is assumed, as before.", width, height);
    (!is_usual).then(notice)
}

impl GameFile {
    /// Reads a file. Its content or its name determines the format; `defaults` have size and rule
    /// if the file does not.
    ///
    /// # Errors
    /// Returns the reason if it contains no game, or if the rule must be named.
    pub fn read(
        name: &str,
        bytes: Vec<u8>,
        rows: RowOrder,
        defaults: impl Into<Defaults>,
    ) -> Result<GameFile, FileError> {
        let format = Format::of_file(name, &bytes, rows)
            .ok_or_else(|| FileError::Refused(text!("The name must end in {0}.", EXTENSIONS)))?;
        let (defaults, assumes_size) = fitted(format, &bytes, defaults.into());
        // A large library is rejected before it needs many times its size in memory.
        if format == Format::RenLib || renlib::is_library(&bytes) {
            let mut moves = 0;
            let walked = renlib::walk(&bytes, |step| {
                moves += usize::from(matches!(step, TreeStep::Down(_)))
            });
            if walked.is_ok() && moves > MAX_MOVES {
                return Err(FileError::Refused(too_many(moves)));
            }
        }
        let mut entries = Vec::new();
        let mut wrong = None;
        let mut number = 0;
        format.each_game(&bytes, defaults.clone(), |game| {
            match game {
                Ok(tree) => {
                    let Game { moves, .. } = tree.main_line();
                    let title = tree.name();
                    entries.push(FileEntry { number, title, moves: moves.len(), game: tree.game });
                }
                Err(error) => {
                    wrong.get_or_insert(error);
                }
            }
            number += 1;
            ControlFlow::Continue(())
        });
        match wrong {
            _ if !entries.is_empty() => {
                Ok(GameFile { bytes, format, rows, defaults, assumes_size, entries })
            }
            Some(error) if error.is_other_game() => {
                Err(FileError::OtherGame(text!("Not a game: {0}.", error)))
            }
            Some(error) => Err(FileError::Refused(text!("Not a game: {0}.", error))),
            None => Err(FileError::Refused(text!("The file contains no games."))),
        }
    }

    /// Returns the list of games.
    pub fn entries(&self) -> &[FileEntry] {
        &self.entries
    }

    /// Returns the numbering of the rows in pos text.
    pub fn rows(&self) -> RowOrder {
        self.rows
    }

    /// Calls `use_game` with each game, or the error of one that cannot be read, until it breaks.
    pub fn each_game(
        &self,
        use_game: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
    ) {
        self.format.each_game(&self.bytes, self.defaults.clone(), use_game);
    }

    /// Returns up to `max` games that can be shown, and a notice about the others.
    pub fn games(&self, max: usize) -> (Vec<LiveGame>, Option<Text>) {
        let (mut games, mut skipped, mut has_more) = (Vec::new(), Skipped::default(), false);
        let mut number = 0;
        self.each_game(|tree| {
            if games.len() == max {
                has_more = true;
                return ControlFlow::Break(());
            }
            number += 1;
            match tree
                .map_err(|error| text!("Not a game: {0}.", error))
                .and_then(|tree| self.open(&tree))
            {
                Ok((game, _)) => games.push(game),
                Err(why) => skipped.add(number, why),
            }
            ControlFlow::Continue(())
        });
        let count = self.entries.len();
        let first =
            has_more.then(|| text!("Only the first {0} of {1} games are saved.", max, count));
        (games, records::joined([first, skipped.notice()]))
    }

    /// Opens a game, with the notice about it if there is something to say.
    fn open(&self, tree: &GameTree) -> Result<(LiveGame, Option<Text>), Text> {
        let count = tree.nodes.count() - 1;
        if count > MAX_MOVES {
            return Err(too_many(count));
        }
        records::open_record(tree, self.rows)
    }

    /// Returns the game at this index, and a notice about it if there is something to say.
    ///
    /// # Errors
    /// Returns the reason if it cannot be shown.
    pub fn game(&self, number: usize) -> Result<(LiveGame, Option<Text>), Text> {
        let mut left = number;
        let mut found = None;
        self.format.each_game(&self.bytes, self.defaults.clone(), |game| {
            if left == 0 {
                found = game.ok();
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        let tree: GameTree = found.ok_or_else(|| text!("The file has no such game."))?;
        let (game, notice) = self.open(&tree)?;
        let size = self.assumes_size.then(|| notice_of_assumed_size(&tree.game)).flatten();
        Ok((game, records::joined([notice, size])))
    }
}

fn too_many(moves: usize) -> Text {
    text!(
        "This game has {0} moves with its variations; up to {1} can be shown. \
         Its openings can be explored, however large it is.",
        moves,
        MAX_MOVES
    )
}
