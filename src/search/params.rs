//! Every tunable number of the search, in one place.
//!
//! Suffixes: `_MIN_DEPTH` (applies at this depth or more), `_MAX_DEPTH` (at this depth or less),
//! `_MARGIN` (score units, added or multiplied by depth), `_BASE` (constant term of a formula),
//! `_DIVISOR` (what a quantity is divided by), `_NODES` (a budget of nodes), `_MS` (milliseconds).
//! Depths are in plies.

/// Aspiration windows begin at this iteration.
pub const ASPIRATION_MIN_DEPTH: i32 = 5;
/// First half width of the aspiration window.
pub const ASPIRATION_MARGIN: i32 = 20;

/// Reverse futility: a node whose evaluation beats beta by this much per ply fails high.
pub const REVERSE_FUTILITY_MAX_DEPTH: i32 = 12;
/// See [`REVERSE_FUTILITY_MAX_DEPTH`].
pub const REVERSE_FUTILITY_MARGIN: i32 = 60;

/// Razoring: a node whose evaluation is this far below alpha is left to the forcing search.
pub const RAZORING_MAX_DEPTH: i32 = 3;
/// Constant part of the razoring margin.
pub const RAZORING_BASE: i32 = 20;
/// Part of the razoring margin per ply.
pub const RAZORING_MARGIN: i32 = 15;

/// Move-count pruning keeps this many moves at depth 0.
pub const MOVE_COUNT_BASE: i32 = 3;

/// Late moves are reduced from this depth on.
pub const LMR_MIN_DEPTH: i32 = 2;
/// Reduction, in 1/1024 ply, is this times ln(depth) ln(move number).
pub const LMR_FACTOR: f64 = 900.0;
/// History that takes a ply off the reduction.
pub const LMR_HISTORY_DIVISOR: i32 = 6000;

/// Singular extension is tried from this depth on.
pub const SINGULAR_MIN_DEPTH: i32 = 6;
/// The other moves must stay this much per ply below the table's score.
pub const SINGULAR_MARGIN: i32 = 2;

/// Largest value of a history counter.
pub const HISTORY_MAX: i32 = 8192;
/// Ordering value of the table's move: above all others.
pub const TABLE_MOVE_VALUE: i32 = 1_000_000;
/// Ordering bonus of the counter move.
pub const COUNTER_MOVE_VALUE: i32 = 40;
/// What ordering by history is divided by.
pub const HISTORY_ORDER_DIVISOR: i32 = 24;

/// Budget of the forcing search at the horizon, in attacker's moves.
pub const VCF_HORIZON_NODES: u32 = 40;
/// Budget at inner nodes near the horizon.
pub const VCF_INNER_NODES: u32 = 150;
/// Inner nodes run the forcing search from this depth on.
pub const VCF_INNER_MIN_DEPTH: i32 = 3;
/// Budget at the root.
pub const VCF_ROOT_NODES: u32 = 200_000;

/// Part of a turn that is never used: one in this many, within the two bounds below.
pub const TURN_MARGIN_DIVISOR: u32 = 8;
/// Least margin on a turn.
pub const TURN_MARGIN_MIN_MS: u64 = 2;
/// Largest margin on a turn, before measured lag.
pub const TURN_MARGIN_MAX_MS: u64 = 30;
/// Margin kept on the match time.
pub const MATCH_MARGIN_MS: u64 = 60;
/// At most one part in this many of the time left goes to one move.
pub const MATCH_MAXIMUM_DIVISOR: u32 = 7;
/// A usual move gets one part in this many of the time left.
pub const MATCH_OPTIMUM_DIVISOR: u32 = 20;
