//! Reading match records as games.

use serde::{Deserialize, Serialize};

use super::game::GameRecord;
use crate::text::{Text, text};
use crate::{FormatError, Game, Move};
use kakugo::board::{Board, Point, Rule, Variant};

/// A line of a match record. `S` is the type of the settings.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Line<S> {
    /// The first line.
    Match {
        /// Version of the program that started the match.
        #[serde(default)]
        version: String,
        /// Settings of the match.
        settings: S,
    },
    /// A finished game.
    Game(Box<GameRecord>),
}

/// The settings that are needed to read games.
#[derive(Deserialize)]
struct MatchSettings {
    width: u8,
    height: u8,
    rule: u8,
    win_length: u8,
}

/// Reads the games of a match record one at a time. An error ends the iteration. An incomplete last
/// line is ignored, because the match may still be running.
pub fn games(text: &str) -> impl Iterator<Item = Result<Game, FormatError>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let lines = lines.peekable();
    let mut reader =
        Reader { lines, is_complete: text.ends_with('\n'), template: None, ended: false };
    std::iter::from_fn(move || reader.game().transpose())
}

struct Reader<I: Iterator> {
    lines: std::iter::Peekable<I>,
    /// True if the last line has an end.
    is_complete: bool,
    /// A game without moves, with the settings of the match.
    template: Option<Game>,
    ended: bool,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Reader<I> {
    fn game(&mut self) -> Result<Option<Game>, FormatError> {
        if self.ended {
            return Ok(None);
        }
        let found = self.next_game();
        self.ended = !matches!(found, Ok(Some(_)));
        found
    }

    fn next_game(&mut self) -> Result<Option<Game>, FormatError> {
        while let Some((number, text)) = self.lines.next() {
            let error = |message: String| {
                let message = Text::untranslated(message);
                FormatError::new(text!("line {0}: {1}", number, message))
            };
            match (serde_json::from_str(text), &self.template) {
                (Ok(Line::Match { settings, .. }), _) => {
                    self.template = Some(template_game(&settings).map_err(error)?);
                }
                (Ok(Line::Game(played)), Some(template)) => {
                    return game(template, *played).map(Some).map_err(error);
                }
                (Ok(Line::Game(_)), None) => {
                    return Err(error("game before the settings of its match".to_owned()));
                }
                (Err(_), Some(_)) if !self.is_complete && self.lines.peek().is_none() => {}
                (Err(e), _) => return Err(error(e.to_string())),
            }
        }
        if self.template.is_none() {
            Err(FormatError::new(text!(
                "not a match record: expected the settings of a match in the first line"
            )))
        } else {
            Ok(None)
        }
    }
}

fn template_game(settings: &MatchSettings) -> Result<Game, String> {
    let rule = Rule::of_number(settings.rule.into())
        .ok_or_else(|| format!("unknown rule number {}", settings.rule))?;
    let variant = Variant::new(rule, settings.win_length).map_err(|error| error.to_string())?;
    let MatchSettings { width, height, .. } = *settings;
    // A damaged record may contain any size.
    Board::new(width, height, variant).map_err(|error| error.to_string())?;
    Ok(Game::new(width, height, variant))
}

fn game(template: &Game, played: GameRecord) -> Result<Game, String> {
    let is_off = |p: &Point| p.x() >= template.width || p.y() >= template.height;
    if let Some(p) = played.moves.iter().map(|stone| stone.at).find(is_off) {
        return Err(format!("point {},{} is off the board", p.x(), p.y()));
    }
    let is_off = |&&[x, y]: &&[u8; 2]| x >= template.width || y >= template.height;
    if let Some([x, y]) = played.blocked.iter().find(is_off) {
        return Err(format!("point {x},{y} is off the board"));
    }
    if played.sides().windows(2).skip(played.opening).any(|pair| pair[0] == pair[1]) {
        return Err("a side moves twice in a row after the opening".to_owned());
    }
    let start = played.start();
    let given = if start.is_some() { played.opening.min(played.moves.len()) } else { 0 };
    Ok(Game {
        start: start.unwrap_or_default(),
        black: played.black,
        white: played.white,
        date: played.date.unwrap_or_default(),
        result: Some(played.result),
        moves: played.moves[given..].iter().map(|stone| Move::new(stone.at)).collect(),
        ..template.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use kakugo::board::Side;

    const SETTINGS: &str = r#"{"kind":"match","version":"0","settings":{"width":15,"height":15,"rule":4,"win_length":5,"seed":1}}"#;
    const PLAYED: &str = r#"{"kind":"game","id":0,"pair":0,"seed":1,"black":"A","white":"B","winner":"white","reason":"five","opening":1,"moves":[{"at":[7,7]},{"at":[8,7],"ms":3.5}]}"#;

    fn read(text: &str) -> Result<Vec<Game>, FormatError> {
        games(text).collect()
    }

    #[test]
    fn an_incomplete_last_line_is_ignored() {
        let games = read(&format!("{SETTINGS}\n{PLAYED}\n{}", &PLAYED[..60])).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((games[0].variant, games[0].moves.len()), (Variant::RENJU, 2));
        assert_eq!(games[0].result, Some(GameResult::Win(Side::White)));
        // With its end it is damaged.
        let error = read(&format!("{SETTINGS}\n{PLAYED}\n{}\n", &PLAYED[..60])).unwrap_err();
        assert!(error.to_string().starts_with("line 3: "), "{error}");
    }

    #[test]
    fn sides_alternate_after_the_opening() {
        let played = |side: &str| {
            let second =
                format!(r#"{{"at":[8,7],"side":"white"}},{{"at":[9,7],"side":"{side}"}}]"#);
            let game = PLAYED.replace(r#"{"at":[8,7],"ms":3.5}]"#, &second);
            read(&format!("{SETTINGS}\n{game}\n"))
        };
        assert_eq!(played("black").unwrap()[0].moves.len(), 2);
        let error = played("white").unwrap_err().to_string();
        assert_eq!(error, "line 2: a side moves twice in a row after the opening");
    }

    #[test]
    fn openings_may_be_positions() {
        let moves = r#"[{"at":[7,7]},{"at":[8,7],"side":"black"},{"at":[0,0],"side":"black"},{"at":[1,1]}]"#;
        let game = PLAYED.replace(r#"[{"at":[7,7]},{"at":[8,7],"ms":3.5}]"#, moves);
        let two = game.replace(r#""opening":1"#, r#""opening":2"#);
        let games = read(&format!("{SETTINGS}\n{two}\n")).unwrap();
        assert_eq!((games[0].start.black().len(), games[0].start.to_move), (2, Some(Side::Black)));
        assert_eq!(games[0].moves.len(), 2);
        assert_eq!(games[0].board().unwrap().side_to_move(), Side::Black);
    }

    #[test]
    fn invalid_match_records_are_rejected() {
        for text in ["", "{}", PLAYED, "nonsense\n", &format!("{}\n{SETTINGS}", &PLAYED[..60])] {
            assert!(read(text).is_err(), "{text}");
        }
        let unknown = PLAYED.replace("five", &"five".repeat(1000));
        let error = read(&format!("{SETTINGS}\n{unknown}\n")).unwrap_err().to_string();
        assert!(error.len() < 500, "{error}");
        let unknown = PLAYED.replace("five", "six");
        let error = read(&format!("{SETTINGS}\n{unknown}\n")).unwrap_err().to_string();
        assert!(error.contains("`five`") && error.contains("`proof`"), "{error}");
        let off = PLAYED.replace("[7,7]", "[15,7]");
        assert!(read(&format!("{SETTINGS}\n{off}\n")).is_err());
        for width in [0, 2, 33, 95] {
            let settings = SETTINGS.replace("\"width\":15", &format!("\"width\":{width}"));
            assert!(read(&format!("{settings}\n")).is_err(), "a board {width} points wide");
        }
    }
}
