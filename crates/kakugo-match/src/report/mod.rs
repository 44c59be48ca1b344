//! Reports on a match in progress or finished: totals, tables, the HTML page, game files.

#[cfg(feature = "plots")]
mod charts;
mod export;
mod html;
mod json;
mod live;
mod progress;
mod table;
mod tally;

pub use export::{write_games, write_text};
pub use html::html;
pub use json::json;
pub use live::LiveMatch;
pub use progress::ProgressBar;
pub use table::text;
pub use tally::MatchTally;
