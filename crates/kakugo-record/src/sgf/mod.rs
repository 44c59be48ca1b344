//! Smart Game Format, FF 4, game 4 (Gomoku and Renju): <https://www.red-bean.com/sgf/>.
//!
//! Points are two letters, column and row from the top left, `a`-`z` then `A`-`Z`. Every variation is
//! read and written. What has a meaning here:
//!
//! | property | holds |
//! |---|---|
//! | `SZ` `RU` | `15` or `20:15`; the rule's name, Gomocup's number is understood, too |
//! | `PB` `PW` `EV` `RO` `DT` | names, event, round, date |
//! | `RE` `TE` | `B+`, `W+`, `0` for a draw; the termination in words, as c-gomoku-cli writes it |
//! | `B` `W` `MS` `C` | moves (without a point: a pass); the time in milliseconds (our own); a comment |
//! | `LB` `TR` `SQ` `CR` `MA` `SL` | signs on points |
//!
//! All other properties are kept as they stand, and so is the spelling of a rule or a result (`RE[B+Time]`)
//! for as long as it says what the game says. A result that a file does not tell is the one that the board
//! shows. Set-up stones and two moves of one colour in a row are refused. Line breaks in names become blanks;
//! texts are written as UTF-8, whatever code page they were in. Other numbers than 4 are taken for it on a
//! board of 15 lines, which other games of this format do not know: editors of Go write 1. A rule may be
//! named by renju's opening (`Soosyrv-8`).

mod parse;
mod property;
mod read;
mod write;

pub use property::{escaped, plain};
pub(super) use read::charset;
pub use read::{games, read, read_trees};
pub use write::{write, write_tree};
