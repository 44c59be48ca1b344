//! A game between two players at the board, as page and terminal share it: moves with undo and
//! redo, openings, clocks, how it ended and what to say about it. It knows neither page nor
//! terminal, and nothing of who decides the moves.

mod clock;
pub mod date;
pub mod end;
pub mod error;
pub mod judged;
pub mod live;
pub mod notation;
pub mod opening;
pub mod records;
pub mod setup;
pub mod status;
mod time;
mod turns;
pub mod wire;
pub mod words;
