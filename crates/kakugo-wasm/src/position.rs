//! Positions as JSON.

use kakugo::{Board, Outcome, Point, Rule, Side, Variant};
use serde::Deserialize;

/// A position: a board, stones that are set up, and the moves from there.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PositionJson {
    /// `freestyle`, `standard`, `renju`, `caro` or `caro-overline`.
    rule: String,
    /// Columns.
    width: u8,
    /// Rows.
    height: u8,
    /// Stones in a row that win.
    win_length: u8,
    /// Points where nobody may play.
    blocked: Points,
    /// Black stones that are set up.
    black: Points,
    /// White stones that are set up.
    white: Points,
    /// The side to move after the stones that are set up: `black` or `white`. By default Black, or
    /// White if there are more black stones than white ones.
    turn: Option<SideJson>,
    /// The moves, of both sides in turn.
    moves: Points,
}

impl Default for PositionJson {
    fn default() -> PositionJson {
        PositionJson {
            rule: "freestyle".to_owned(),
            width: 15,
            height: 15,
            win_length: 5,
            blocked: Points::default(),
            black: Points::default(),
            white: Points::default(),
            turn: None,
            moves: Points::default(),
        }
    }
}

/// A side as JSON.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum SideJson {
    Black,
    White,
}

impl From<SideJson> for Side {
    fn from(side: SideJson) -> Side {
        match side {
            SideJson::Black => Side::Black,
            SideJson::White => Side::White,
        }
    }
}

/// Names of points: a list, or a text such as `h8 i9` or `h8i9`.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub(crate) enum Points {
    List(Vec<String>),
    Text(String),
}

impl Default for Points {
    fn default() -> Points {
        Points::List(Vec::new())
    }
}

impl Points {
    /// Returns the points on a board.
    pub(crate) fn parse(&self, board: &Board) -> Result<Vec<Point>, String> {
        let point = |name: &str| board.parse_point(name).map_err(|error| error.to_string());
        match self {
            Points::List(names) => names.iter().map(|name| point(name)).collect(),
            Points::Text(text) => names(text).map(point).collect(),
        }
    }
}

/// Returns the names in a text: each starts with a letter after a digit or a blank.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        let digits = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let after = rest[digits..].find(|c: char| !c.is_ascii_digit());
        let (name, others) = rest.split_at(after.map_or(rest.len(), |after| digits + after));
        rest = others;
        (!name.is_empty()).then_some(name)
    })
}

impl PositionJson {
    /// Returns the position.
    ///
    /// # Errors
    /// Returns the reason if it is not a position.
    pub fn board(&self) -> Result<Board, String> {
        let rule: Rule = self.rule.parse().map_err(in_words)?;
        let variant = Variant::new(rule, self.win_length).map_err(in_words)?;
        let mut board = Board::new(self.width, self.height, variant).map_err(in_words)?;
        let refused = |board: &Board, p, why| format!("{}: {why}", board.name(p));
        for p in self.blocked.parse(&board)? {
            board.block(p).map_err(|error| refused(&board, p, error))?;
        }
        for (points, side) in [(&self.black, Side::Black), (&self.white, Side::White)] {
            for p in points.parse(&board)? {
                board.place(p, side).map_err(|error| refused(&board, p, error))?;
            }
        }
        board.settle();
        board.set_side_to_move(self.turn.map_or_else(|| default_side(&board), Side::from));
        for p in self.moves.parse(&board)? {
            if board.outcome() != Outcome::Ongoing {
                return Err(format!("{}: the game is over", board.name(p)));
            }
            board.play(p).map_err(|error| refused(&board, p, error))?;
        }
        Ok(board)
    }
}

/// Returns the side to move in a position that is set up: Black, or White if there are more black
/// stones than white ones.
fn default_side(board: &Board) -> Side {
    let black = board.stones().filter(|stone| stone.side == Side::Black).count();
    if black * 2 > board.ply() { Side::White } else { Side::Black }
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(json: &str) -> Result<Board, String> {
        let position: PositionJson = serde_json::from_str(json).map_err(in_words)?;
        position.board()
    }

    #[test]
    fn points_are_a_list_or_a_text() {
        for moves in [r#"["h8","i9","aa3"]"#, r#""h8i9aa3""#, r#"" h8, i9  aa3 ""#] {
            let board = board(&format!(r#"{{"width":30,"moves":{moves}}}"#)).unwrap();
            let points: Vec<_> = board.stones().map(|stone| board.name(stone.point)).collect();
            assert_eq!(points, ["h8", "i9", "aa3"], "{moves}");
            assert_eq!(board.side_to_move(), Side::White);
        }
    }

    #[test]
    fn stones_can_be_set_up_with_the_side_to_move() {
        let side = |more: &str| {
            let json = format!(r#"{{"rule":"renju","black":"h8 h9","blocked":"a1"{more}}}"#);
            board(&json).unwrap().side_to_move()
        };
        assert_eq!(side(""), Side::White);
        assert_eq!(side(r#","white":"i8 i9""#), Side::Black);
        assert_eq!(side(r#","turn":"black""#), Side::Black);
        assert_eq!(side(r#","turn":"black","moves":"c3""#), Side::White);
        assert_eq!(side(r#","white":"i8 i9 i10""#), Side::Black);
        assert_eq!(side(r#","white":"i8 i9 i10","turn":"white""#), Side::White);
    }

    #[test]
    fn set_up_stones_are_no_moves() {
        let outcome = |json: &str| board(json).unwrap().outcome();
        // A five of stones that are not the last.
        let five = r#"{"black":"h8 i8 j8 k8 l8","white":"a1 a2 a3 a4"}"#;
        assert_eq!(outcome(five), Outcome::Win(Side::Black));
        // A double three that was not played.
        let fork = r#"{"rule":"renju","black":"f8 g8 h6 h7 h8"}"#;
        assert_eq!(outcome(fork), Outcome::Ongoing);
        let played = r#"{"rule":"renju","black":"f8 g8 h6 h7","turn":"black","moves":"h8"}"#;
        assert!(matches!(outcome(played), Outcome::Forbidden(_)));
    }

    #[test]
    fn a_game_has_no_moves_after_its_end() {
        for json in
            [r#"{"moves":"h8a1i8a2j8a3k8a4l8 o1"}"#, r#"{"black":"h8 i8 j8 k8 l8","moves":"o1"}"#]
        {
            assert_eq!(board(json).unwrap_err(), "o1: the game is over");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (json, wrong) in [
            (r#"{"rule":"go"}"#, "go"),
            (r#"{"width":2}"#, "2x15"),
            (r#"{"winLength":9}"#, "9"),
            (r#"{"moves":"h8 h8"}"#, "h8: "),
            (r#"{"moves":"h8 z9"}"#, "z9"),
            (r#"{"moves":"h"}"#, "h"),
            (r#"{"moves":5}"#, "moves"),
            (r#"{"size":15}"#, "size"),
        ] {
            let error = board(json).unwrap_err();
            assert!(error.contains(wrong) || wrong == "moves", "{json}: {error}");
        }
    }
}
