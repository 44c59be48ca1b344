//! Self-play games: their settings, their openings, and the format of their files.
//!
//! | module | contents |
//! |---|---|
//! | `settings` | settings that determine the games of a run |
//! | `game` | a finished game with the score of each move |
//! | `file` | the file format, and reading of damaged files |
//! | [`opening`] | random openings |

mod file;
mod game;
pub mod opening;
mod settings;

pub(crate) use file::take;
pub use file::{FileContents, FileError, block, header, is_truncated_header, read};
pub use game::{SearchedMove, SelfPlayGame};
pub use settings::{Settings, Sizes};
