//! Smart Game Format, FF 4, game 4 (Gomoku and Renju): <https://www.red-bean.com/sgf/>.
//!
//! Points are two letters, column and row from the top left, `a`-`z` then `A`-`Z`. All variations
//! are read and written. These properties have a meaning:
//!
//! | property | contents |
//! |---|---|
//! | `SZ` `RU` | size (`15` or `20:15`); rule as a name or Gomocup's number |
//! | `PB` `PW` `EV` `RO` `DT` | names, event, round, date |
//! | `RE` `TE` | `B+`, `W+`, `0` for a draw; termination in words, as in c-gomoku-cli |
//! | `AB` `AW` `AE` `PL` | set-up stones (`aa:cc`: a rectangle), removed stones, side to move |
//! | `KBL` | blocked points (our own) |
//! | `B` `W` `MS` `C` | moves (empty: a pass); time in milliseconds (our own); comment |
//! | `LB` `TR` `SQ` `CR` `MA` `SL` | marks on points |
//! | `TE` `BM` `DO` `IT` | symbols of moves, see [`Symbol`] |
//! | `AR` `GN` | arrows; name of the game |
//!
//! All other properties are preserved. The spelling of a rule or result (`RE[B+Time]`) is preserved
//! as well, as long as it matches the game. If the file has no result, it is taken from the final
//! position. Line breaks in names become spaces. Text is written as UTF-8, whatever the code page
//! of the source.
//!
//! Stones may be set up in any node. If `PL` is missing, the first move shows whose turn it is. If
//! there is no move either, Black is to move, or White if there are more black stones than white
//! ones. Two moves of one colour in a row are kept. `tt` is a pass on boards up to 19x19.
//!
//! A part of a file without its parentheses (`;B[hh];W[ii]`) is read, too.
//!
//! Offered fifth moves (`5A`) mean renju, and become a comment as well.
//!
//! Game numbers other than 4 are accepted if the size is 15, because Go editors write 1 and no
//! other game uses that size, if the rule is one of this game, or if the caller accepts any game
//! ([`Defaults`](crate::Defaults)). Their rules of Go are ignored. A rule may be given as an
//! opening rule of Renju (`Soosyrv-8`). If a rule is not known, the default is assumed, and its
//! spelling is preserved.

mod annotation;
mod parse;
mod property;
mod read;
mod write;

pub use annotation::Symbol;
pub use property::{escape, unescape};
pub(super) use read::charset;
pub use read::{games, has_unread_opening, read, read_trees, unknown_rule};
pub use write::{write, write_tree};

use std::borrow::Cow;

/// Properties that a part of a game begins with.
const FIRST_PROPERTIES: [&str; 8] = ["B[", "W[", "AB[", "AW[", "GM[", "FF[", "SZ[", "PL["];

/// Returns true if a text begins as a game or as a part of one.
pub fn is_sgf(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"(") else { return is_part(text) };
    let inside = inside.trim_ascii_start();
    let name = inside.iter().take_while(|c| c.is_ascii_alphabetic()).count();
    inside.is_empty()
        || inside.starts_with(b";")
        || inside.starts_with(b"(")
        || (name > 0 && inside[name..].starts_with(b"["))
}

/// Returns a text with the parentheses that a part of a game lacks.
pub fn completed(text: &str) -> Cow<'_, str> {
    let part = text.trim_start();
    if !is_part(part.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let node = if part.starts_with(';') { "" } else { ";" };
    Cow::Owned(format!("({node}{part})"))
}

fn is_part(text: &[u8]) -> bool {
    let node = text.strip_prefix(b";").unwrap_or(text).trim_ascii_start();
    FIRST_PROPERTIES.iter().any(|property| node.starts_with(property.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_their_parts_are_recognized() {
        for text in [
            "(;B[hh])",
            "( ;GM[4])",
            "(\n(;GM[4]))",
            "(GM[4];B[hh])",
            ";B[hh]",
            "B[hh];W[ii]",
            "; AB[hh]",
        ] {
            assert!(is_sgf(text.as_bytes()), "{text}");
        }
        for text in ["(1) h8 (2) i9", "(7,7),(8,6)", "b[h8]", "h8i9", ";", ""] {
            assert!(!is_sgf(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn parts_are_completed() {
        assert_eq!(completed(" B[hh];W[ii]\n"), "(;B[hh];W[ii]\n)");
        assert_eq!(completed(";B[hh]"), "(;B[hh])");
        assert_eq!(completed("(;B[hh])"), "(;B[hh])");
        let defaults = crate::Game::new(15, 15, kakugo::board::Variant::FREESTYLE);
        let games: Vec<_> = games(&completed(";B[hh];W[ii]"), &defaults).collect();
        let [Ok(tree)] = &games[..] else { panic!("{games:?}") };
        assert_eq!(tree.main_line().moves.len(), 2);
    }
}
