//! Alpha-beta search.
//!
//! An [`Engine`] owns everything that outlives a move: transposition table and histories.
//! [`Engine::think`] takes a position, [`Limits`], and [`Signals`] that another thread may set. It
//! sends progress to a [`Reporter`] and returns an [`Answer`]. It does not print, and knows nothing
//! of the protocol.
//!
//! [`vcf`] and [`vct`] search for forced wins only: by fours, and by fours and threes.
//!
//! A comment beside a heuristic names its source and its worth, if measured: Elo at 10,000 nodes
//! per move with the 95 % interval. `docs/search.md` has the conditions. The values decide little
//! alone: at 40,000 nodes eleven heuristics, most of them with negative values, are worth +32 ± 35
//! together.
//!
//! | module | contents |
//! |---|---|
//! | `engine`, `threads`, `thread_data` | the engine, lazy SMP, the data of a thread |
//! | `spawner` | how helper threads are started |
//! | `root` | iterative deepening with aspiration windows |
//! | `proven_line` | the line of a win that an earlier search has proven |
//! | `balance` | moves after which the position is even |
//! | `swap2`, `swap2_book` | decisions in a swap2 opening, and even openings for it |
//! | `alphabeta`, `node`, `early_cutoff` | the node function |
//! | `qsearch` | quiescence search |
//! | `tactics` | static solver and forced moves |
//! | `vcf`, `vct`, `shortest` | forced wins by fours, and by fours and threes; the shortest one |
//! | `move_picker`, `history`, `reductions` | move ordering, histories, late move reductions |
//! | `tt`, `eval_cache` | transposition table, evaluation cache |
//! | `limits`, `signals`, `control`, `time` | limits, signals, when to stop, time management |
//! | `params`, `tunable` | tunables |

mod alphabeta;
pub mod balance;
mod control;
mod depth;
mod early_cutoff;
mod engine;
mod eval_cache;
mod fixed_point;
mod history;
mod limits;
mod move_picker;
mod node;
mod params;
mod proven_line;
mod qsearch;
mod reductions;
mod report;
mod root;
mod searcher;
pub mod shortest;
mod signals;
mod spawner;
pub mod swap2;
mod swap2_book;
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
pub use balance::Balance;
pub use engine::Engine;
pub use limits::Limits;
#[cfg(any(feature = "tuning", feature = "internals", test))]
pub use params::TUNABLES;
#[cfg(feature = "tuning")]
pub use params::set as set_tunable;
pub use report::{Answer, Report, Reporter, Silent};
pub use signals::{Signals, StopHandle};
pub use spawner::{Job, Spawner, Start};
pub use time::Lag;
#[cfg(any(feature = "tuning", feature = "internals", test))]
pub use tunable::Tunable;

/// Returns the points that the search considers for the side to move. They may be illegal.
pub fn candidates(position: &Position) -> PointSet {
    tactics::defence(position).points
}

/// Returns `true` if the search evaluates this position statically: neither side can make five, and
/// the side to move cannot make an open four. Otherwise the position is decided or forced.
pub fn needs_evaluation(position: &Position) -> bool {
    let (side, threats) = (position.side_to_move(), position.threats());
    threats.count(side, Threat::Five) == 0
        && threats.count(side, Threat::OpenFour) == 0
        && threats.count(side.opponent(), Threat::Five) == 0
}
