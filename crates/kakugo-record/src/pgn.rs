//! Games with tags such as `[Event "Open"]`: PGN for rating with BayesElo and Ordo, and the games
//! of PlayOK and Kurnik.
//!
//! Colours are not swapped: `[Black]` moved first, and `1-0` is a win for White. PGN has no
//! notation for Gomoku, so the moves are written as a comment, with rows numbered from the bottom.
//!
//! Readers take moves as in [`pos`] as well. If `[Black]` stands before `[White]`, `1-0` is a win
//! for Black. Size and rule are not stored.

mod read;

pub use read::{games, has_tags, is_pgn};

use std::fmt::Write;

use super::pos::{self, RowOrder};
use super::{Game, GameResult};
use kakugo::board::Side;

/// Writes one game.
pub fn write(game: &Game) -> String {
    let result = match game.result {
        Some(GameResult::Win(Side::White)) => "1-0",
        Some(GameResult::Win(Side::Black)) => "0-1",
        Some(GameResult::Draw) => "1/2-1/2",
        None => "*",
    };
    let mut text = String::new();
    let date = game.date.replace('-', ".");
    let tags = [
        ("Event", game.event.as_str()),
        ("Date", date.as_str()),
        ("Round", game.round.as_str()),
        ("White", game.white.as_str()),
        ("Black", game.black.as_str()),
        ("Result", result),
        ("Termination", game.termination.as_str()),
    ];
    for (tag, value) in tags {
        let value = if value.is_empty() { "?" } else { value };
        let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\r', '\n'], " ");
        let _ = writeln!(text, "[{tag} \"{value}\"]");
    }
    let _ = writeln!(text, "[PlyCount \"{}\"]\n", game.points().count());
    if game.points().next().is_some() {
        let _ =
            writeln!(text, "{{{}}}", pos::write(game.points(), game.height, RowOrder::FromBottom));
    }
    let _ = writeln!(text, "{result}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Move;
    use kakugo::board::{Point, Variant};

    #[test]
    fn headers_precede_moves_and_result() {
        let mut game = Game::new(15, 15, Variant::FREESTYLE);
        game.black = "A \"quoted\"".into();
        game.white = "B".into();
        game.result = Some(GameResult::Win(Side::Black));
        game.moves =
            vec![Move::new(Point::new(7, 7).unwrap()), Move::new(Point::new(0, 0).unwrap())];
        let text = write(&game);
        assert!(text.starts_with("[Event \"?\"]\n"));
        assert!(text.contains("[White \"B\"]\n[Black \"A \\\"quoted\\\"\"]\n[Result \"0-1\"]\n"));
        assert!(text.ends_with("\n\n{h8a15}\n0-1\n\n"), "{text}");
        // Moves after a pass are not written, and so not counted.
        game.moves.extend([Move::pass(), Move::new(Point::new(1, 1).unwrap())]);
        let text = write(&game);
        assert!(text.contains("[PlyCount \"2\"]\n\n{h8a15}\n"), "{text}");
    }
}
