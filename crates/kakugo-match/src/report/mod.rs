//! What a match came to, while it is played and after it: sums, tables, the page, other formats.

#[cfg(feature = "plots")]
mod charts;
mod export;
mod live;
mod page;
mod progress;
mod summary;
mod table;
mod tally;

pub use export::{save, write};
pub use live::Live;
pub use page::page;
pub use progress::ProgressBar;
pub use summary::summary;
pub use table::text;
pub use tally::MatchTally;
