//! Finding the best move.
//!
//! An [`Engine`] owns what outlives a move (transposition table, histories). [`Engine::think`] takes
//! a position, [`Limits`] and a [`Signals`] flag that another thread may raise, tells a
//! [`Reporter`] what it finds, and returns an [`Answer`]. It neither prints nor knows the protocol.
//!
//! [`vcf`] and [`vct`] look for forced wins alone: by fours, and by fours and threes.

mod ahead;
mod alphabeta;
mod answer;
mod control;
mod depth;
mod engine;
mod evals;
mod fixed;
mod history;
mod horizon;
mod limits;
mod movepick;
mod node_kind;
mod params;
mod reductions;
mod root;
mod searcher;
mod stop;
pub mod swap2;
mod tactics;
mod thread_data;
mod threads;
mod time;
mod tt;
#[cfg(any(feature = "tuning", feature = "internals", test))]
mod tunable;
pub mod vcf;
pub mod vct;

use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

pub use crate::eval::network::{NetworkError, Networks};
pub use answer::{Answer, Report, Reporter, Silent};
pub use engine::Engine;
pub use limits::{Limits, Signals};
#[cfg(any(feature = "tuning", feature = "internals", test))]
pub use params::TUNABLES;
#[cfg(feature = "tuning")]
pub use params::set as set_tunable;
pub use stop::StopHandle;
pub use time::Lag;
#[cfg(any(feature = "tuning", feature = "internals", test))]
pub use tunable::Tunable;

/// The points that the search considers for the side to move, legality not checked.
pub fn candidates(position: &Position) -> PointSet {
    tactics::defence(position).points
}

/// Whether the search asks the evaluation about this position, rather than know better: neither side
/// has a five at hand, nor the one to move an open four.
pub fn asks_evaluation(position: &Position) -> bool {
    let (side, threats) = (position.side_to_move(), position.threats());
    threats.count(side, Threat::Five) == 0
        && threats.count(side, Threat::OpenFour) == 0
        && threats.count(side.opponent(), Threat::Five) == 0
}
