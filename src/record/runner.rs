//! The records of the match runner, JSON lines: a line of settings, then a line for each game. Only what
//! a [`Game`] holds is read.

use serde::Deserialize;

use super::{FormatError, Game, GameResult, Move};
use crate::board::{Point, Rule, Side, Variant};

/// A line, as far as it matters here.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Match {
        settings: Settings,
    },
    Game(Played),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Settings {
    width: u8,
    height: u8,
    rule: u8,
    win_length: u8,
}

#[derive(Deserialize)]
struct Played {
    black: String,
    white: String,
    #[serde(default)]
    date: Option<String>,
    winner: Winner,
    moves: Vec<Stone>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    Black,
    White,
    Draw,
}

#[derive(Deserialize)]
struct Stone {
    at: [u8; 2],
}

/// Read all games of a record. The last line may be cut off: the match may still be going on.
///
/// # Errors
/// Says which line is no part of a record.
pub fn read(text: &str) -> Result<Vec<Game>, FormatError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut pattern = None;
    let mut games = Vec::new();
    for (number, text) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: String| FormatError::new(format!("line {}: {what}", number + 1));
        let line = match serde_json::from_str::<Line>(text) {
            Ok(line) => line,
            Err(_) if number + 1 == lines.len() && pattern.is_some() => break,
            Err(error) => return Err(wrong(error.to_string())),
        };
        match line {
            Line::Match { settings } => pattern = Some(empty(&settings).map_err(wrong)?),
            Line::Game(played) => {
                let pattern = pattern.as_ref().ok_or_else(|| wrong("no settings before".into()))?;
                games.push(game(pattern, played).map_err(wrong)?);
            }
            Line::Other => {}
        }
    }
    if pattern.is_none() { Err(FormatError::new("no settings of a match")) } else { Ok(games) }
}

fn empty(settings: &Settings) -> Result<Game, String> {
    let rule: Rule = settings.rule.to_string().parse().map_err(|_| "no such rule".to_owned())?;
    let variant = Variant::new(rule, settings.win_length).map_err(|error| error.to_string())?;
    Ok(Game::new(settings.width, settings.height, variant))
}

fn game(pattern: &Game, played: Played) -> Result<Game, String> {
    let point = |stone: &Stone| {
        let [x, y] = stone.at;
        let on_board = x < pattern.width && y < pattern.height;
        Point::new(x, y).filter(|_| on_board).ok_or_else(|| format!("no point {x},{y}"))
    };
    let moves: Result<Vec<Move>, String> =
        played.moves.iter().map(|stone| point(stone).map(Move::new)).collect();
    Ok(Game {
        black: played.black,
        white: played.white,
        date: played.date.unwrap_or_default(),
        result: Some(match played.winner {
            Winner::Black => GameResult::Win(Side::Black),
            Winner::White => GameResult::Win(Side::White),
            Winner::Draw => GameResult::Draw,
        }),
        moves: moves?,
        ..pattern.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = r#"{"kind":"match","version":"0","settings":{"width":15,"height":15,"rule":4,"win_length":5,"seed":1}}"#;
    const PLAYED: &str = r#"{"kind":"game","id":0,"black":"A","white":"B","winner":"white","reason":"five","moves":[{"at":[7,7]},{"at":[8,7],"ms":3.5}]}"#;

    #[test]
    fn games_are_read_and_a_line_still_being_written_is_left() {
        let games = read(&format!("{SETTINGS}\n{PLAYED}\n{}", &PLAYED[..60])).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((games[0].variant, games[0].moves.len()), (Variant::RENJU, 2));
        assert_eq!(games[0].result, Some(GameResult::Win(Side::White)));
    }

    #[test]
    fn what_is_no_record_is_refused() {
        for text in ["", "{}", PLAYED, "nonsense\n", &format!("{}\n{SETTINGS}", &PLAYED[..60])] {
            assert!(read(text).is_err(), "{text}");
        }
        let off = PLAYED.replace("[7,7]", "[15,7]");
        assert!(read(&format!("{SETTINGS}\n{off}\n")).is_err());
    }
}
