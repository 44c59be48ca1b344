//! The views of lists of games: saved ones, and those of an uploaded file.

use kakugo_record::game_tree::GameTree;
use kakugo_record::text::Text;

use crate::game::wording;
use crate::game_file::FileEntry;
use crate::messages::{FileGame, FileGames, SavedGameEntry, SavedGames};
use crate::views::{result_word, stones_of};

/// Number of an uploaded file's games that are listed at once.
const PART: usize = 200;

/// Returns the view of saved games, which have these ids; `own` is on the room's board.
pub fn saved_games(games: &[(String, GameTree)], own: Option<&str>) -> SavedGames {
    let entry = |(id, record): &(String, GameTree)| {
        let (game, main) = (&record.game, record.main_line());
        SavedGameEntry {
            id: id.clone(),
            own: own == Some(&**id),
            study: game.event.clone(),
            title: record.name(),
            black: wording::name(&game.black),
            white: wording::name(&game.white),
            date: game.date.clone(),
            variant: wording::variant(game.variant),
            width: game.width,
            height: game.height,
            result: result_word(game.result),
            moves: main.moves.len(),
            position: main.board().map(|board| stones_of(&board)).unwrap_or_default(),
        }
    };
    SavedGames { games: games.iter().map(entry).collect() }
}

/// Returns the view of a file's games, starting with the game at this index.
pub fn file_games(entries: &[FileEntry], from: usize) -> FileGames {
    let name = |name: &str| -> Option<Text> { (!name.is_empty()).then(|| wording::name(name)) };
    let game = |entry: &FileEntry| {
        let game = &entry.game;
        FileGame {
            number: entry.number,
            title: entry.title.clone(),
            black: name(&game.black),
            white: name(&game.white),
            event: game.event.clone(),
            date: game.date.clone(),
            variant: wording::variant(game.variant),
            moves: entry.moves,
            result: result_word(game.result),
        }
    };
    let games = entries.iter().skip(from).take(PART).map(game).collect();
    FileGames { from, count: entries.len(), games }
}
