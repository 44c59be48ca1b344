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
//! Game numbers other than 4 are accepted if the size is 15, because Go editors write 1 and no
//! other game uses that size, or if the caller accepts any game ([`Defaults`](crate::Defaults)).
//! Their rules of Go are ignored. A rule may be given as an opening rule of Renju (`Soosyrv-8`).

mod annotation;
mod parse;
mod property;
mod read;
mod write;

pub use annotation::Symbol;
pub use property::{escape, unescape};
pub(super) use read::charset;
pub use read::{games, read, read_trees};
pub use write::{write, write_tree};
