//! Games of a match in other programs' formats.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::journal::{GameRecord, Journal, Reason};
use crate::options::Outputs;
use crate::settings::Settings;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::psq::Psq;
use kakugo_record::{Cause, Game, Move, pgn, sgf};

/// A record as a game that any format can write.
pub fn game(record: &GameRecord, settings: &Settings) -> Result<Game> {
    let moves = record.moves.iter().enumerate().map(|(ply, played)| {
        let mut notes = Vec::new();
        if ply < record.opening {
            notes.push("opening".to_owned());
        }
        notes.extend(played.depth.map(|depth| format!("depth {depth}")));
        notes.extend(played.eval.as_ref().map(|eval| format!("eval {eval}")));
        notes.extend(played.nodes.map(|nodes| format!("nodes {nodes}")));
        Move {
            point: played.at,
            time: played.ms.map(|ms| Duration::from_secs_f64(ms.max(0.0) / 1000.0)),
            comment: notes.join(", "),
        }
    });
    let mut termination = record.reason.text().to_owned();
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
        ..Game::new(settings.width, settings.height, settings.variant()?)
    })
}

/// What a fault is called in records.
fn cause(reason: Reason) -> Option<Cause> {
    match reason {
        Reason::Time => Some(Cause::Time),
        fault if fault.is_fault() => Some(Cause::Forfeit),
        _ => None,
    }
}

/// Write the files that were asked for, except the page.
pub fn write(journal: &Journal, outputs: &Outputs) -> Result<()> {
    let games = journal.games.values().map(|record| game(record, &journal.settings));
    let games = games.collect::<Result<Vec<Game>>>()?;
    let all = |write: &dyn Fn(&Game) -> String| games.iter().map(write).collect::<String>();
    let positions = |rows| all(&|game: &Game| pos::write(game.points(), game.height, rows) + "\n");
    // One that cannot be written costs none of the others.
    let texts = [
        outputs.sgf.as_ref().map(|path| save(path, &all(&sgf::write))),
        outputs.pgn.as_ref().map(|path| save(path, &all(&|game| pgn::write(&with_pgn_date(game))))),
        outputs.pos.as_ref().map(|path| save(path, &positions(RowOrder::FromTop))),
        outputs.pos_bottom.as_ref().map(|path| save(path, &positions(RowOrder::FromBottom))),
        outputs.psq.as_ref().map(|folder| save_psq(folder, journal, &games)),
    ];
    texts.into_iter().flatten().collect()
}

/// Write a psq file for each game.
fn save_psq(folder: &Path, journal: &Journal, games: &[Game]) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("creating the folder {}", folder.display()))?;
    for (record, game) in journal.games.values().zip(games) {
        let safe = |name: &str| name.replace(|c: char| !c.is_alphanumeric(), "-");
        let (black, white) = (safe(&record.black), safe(&record.white));
        let name = format!("{:06}_{black}_{white}.psq", record.id + 1);
        save(&folder.join(name), &Psq::from_game(game).to_string())?;
    }
    Ok(())
}

/// The same game with its day as PGN writes it: 2026.11.22.
fn with_pgn_date(game: &Game) -> Game {
    Game { date: game.date.replace('-', "."), ..game.clone() }
}

/// Write a text file.
pub fn save(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}
