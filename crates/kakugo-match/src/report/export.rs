//! Export of a match's games to the formats of other programs.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::journal::{GameRecord, Journal, Reason};
use crate::options::Outputs;
use crate::settings::MatchSettings;
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::psq::Psq;
use kakugo_record::{Cause, Game, Move, pgn, sgf};

/// Converts a record to a game that every format can write.
///
/// # Errors
/// Fails if the rule of the settings is invalid.
pub fn game(record: &GameRecord, settings: &MatchSettings) -> Result<Game> {
    let start = record.start();
    let given = if start.is_some() { record.opening.min(record.moves.len()) } else { 0 };
    let moves = record.moves.iter().enumerate().skip(given).map(|(ply, played)| {
        let mut notes = Vec::new();
        if ply < record.opening {
            notes.push("opening".to_owned());
        }
        notes.extend(played.depth.map(|depth| format!("depth {depth}")));
        notes.extend(played.eval.as_ref().map(|eval| format!("eval {eval}")));
        notes.extend(played.nodes.map(|nodes| format!("nodes {nodes}")));
        Move {
            time: played.ms.and_then(|ms| Duration::try_from_secs_f64(ms.max(0.0) / 1000.0).ok()),
            comment: notes.join(", "),
            ..Move::new(played.at)
        }
    });
    let mut termination = record.reason.text(settings.win_length).to_owned();
    if !record.detail.is_empty() {
        termination += &format!(": {}", record.detail);
    }
    Ok(Game {
        black: record.black.clone(),
        white: record.white.clone(),
        date: record.date.clone().unwrap_or_default(),
        round: format!("{}.{}", record.pair + 1, record.id % 2 + 1),
        result: Some(record.result),
        cause: cause(record.reason),
        termination,
        moves: moves.collect(),
        start: start.unwrap_or_default(),
        ..Game::new(settings.width, settings.height, settings.variant()?)
    })
}

/// Returns the cause of a forfeit in game files.
fn cause(reason: Reason) -> Option<Cause> {
    match reason {
        Reason::Time => Some(Cause::Time),
        fault if fault.is_fault() => Some(Cause::Forfeit),
        _ => None,
    }
}

/// Writes the requested game files.
///
/// # Errors
/// Returns the first error. The other files are written regardless.
pub fn write_games(journal: &Journal, outputs: &Outputs) -> Result<()> {
    let games = journal.games.values().map(|record| game(record, &journal.settings));
    let games = games.collect::<Result<Vec<Game>>>()?;
    let all = |write: &dyn Fn(&Game) -> String| games.iter().map(write).collect::<String>();
    // Other formats than SGF begin on the empty board.
    let plain: Vec<Game> = games.iter().filter_map(Game::from_empty_board).collect();
    if plain.len() < games.len() {
        let (omitted, all) = (games.len() - plain.len(), games.len());
        note(format_args!(
            "{omitted} of {all} games begin from positions that only SGF files can store"
        ));
    }
    let all_plain = |write: &dyn Fn(&Game) -> String| plain.iter().map(write).collect::<String>();
    let positions =
        |rows| all_plain(&|game: &Game| pos::write(game.points(), game.height, rows) + "\n");
    // All files are written, even if one of them fails.
    let texts = [
        outputs.sgf.as_ref().map(|path| write_text(path, &all(&sgf::write))),
        outputs.pgn.as_ref().map(|path| write_text(path, &all_plain(&pgn::write))),
        outputs.pos.as_ref().map(|path| write_text(path, &positions(RowOrder::FromTop))),
        outputs.pos_bottom.as_ref().map(|path| write_text(path, &positions(RowOrder::FromBottom))),
        outputs.psq.as_ref().map(|folder| write_psq(folder, journal, &games)),
    ];
    texts.into_iter().flatten().collect()
}

/// Writes a psq file for each game.
fn write_psq(folder: &Path, journal: &Journal, games: &[Game]) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("creating the folder {}", folder.display()))?;
    for (record, game) in journal.games.values().zip(games) {
        let Some(game) = game.from_empty_board() else { continue };
        let safe = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "-");
        let (black, white) = (safe(&record.black), safe(&record.white));
        let name = format!("{:06}_{black}_{white}.psq", record.id + 1);
        write_text(&folder.join(name), &Psq::from_game(&game).to_string())?;
    }
    Ok(())
}

/// Writes a text file.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_text(path: &Path, text: &str) -> Result<()> {
    run_file::replace(path, text.as_bytes()).with_context(|| format!("writing {}", path.display()))
}
