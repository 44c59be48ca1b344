//! Every tunable number of the search, in one place.
//!
//! What their names end in tells the unit, unless the line above one says otherwise:
//!
//! ```text
//! min_depth     plies: applies at this depth or more      base      constant term of a formula
//! max_depth     plies: at this depth or less              power     hundredths, of an exponent
//! reduction     1/1024 plies less to search               weight    sixteenths, of a term of a sum
//! extension     1/1024 plies more                         divisor   what a quantity is divided by
//! margin, fall  score units, added or times the plies     percent   hundredths of all nodes
//! nodes         a budget of nodes                         max       bound of what stands before it
//! moves         a budget of the attacker's moves          ms        milliseconds
//! value         of the ordering: 1/256 nats               scale     times the usual time for a move
//! ```
//!
//! Terms of a reduction (`lmr_…`) are in 1/1024 plies, too.
//!
//! Most values were found together by SPSA: pairs of games between two random changes of all of them
//! at once, from balanced openings of every rule by lot, each game won or lost moving every value by
//! 1.5 % of its step. First with the classical evaluation (20,000 nodes a move, no caro, 4,500 pairs; 3,600 more
//! moved them, but not to a better search), then with the networks (12,000 nodes a move, 4,800 pairs):
//! `src/eval/networks.md` has what that was worth. For searches of millions of nodes they were not tuned;
//! the README's results at 1 s a move tell what they are worth there.
//!
//! In a build with the feature `tuning`, `INFO NAME VALUE` changes a tunable, and the subcommand
//! `spsa` looks for better values of any of them (the README tells how); otherwise they are constants.
//! `spsa` changes a value by a tenth of itself at a time (at least 1), and lets it go from a quarter
//! of itself to four times itself; `step` and `in` say so where something else is right.

#[cfg(any(feature = "tuning", feature = "internals", test))]
use super::tunable::Tunable;

/// A function for each tunable, and a list of them all.
macro_rules! tunables {
    ($(
        $(#[$doc:meta])*
        $name:ident = $value:expr $(, step $step:literal)? $(, in $range:expr)?;
    )*) => {
        /// All tunables.
        #[cfg(any(feature = "tuning", feature = "internals", test))]
        pub const TUNABLES: &[Tunable] = &[$(
            Tunable::by_rule(stringify!($name), $value)$(.step($step))?$(.within($range))?
        ),*];

        #[cfg(not(feature = "tuning"))]
        mod fixed {
            $($(#[$doc])* #[inline(always)] pub const fn $name() -> i32 { $value })*
        }
        #[cfg(not(feature = "tuning"))]
        pub use fixed::{$($name),*};

        #[cfg(feature = "tuning")]
        mod live {
            use std::sync::atomic::Ordering;

            $($(#[$doc])* pub fn $name() -> i32 { values::$name.load(Ordering::Relaxed) })*

            /// Change the tunable called `name`; `false` if there is none.
            pub fn set(name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) => values::$name.store(value, Ordering::Relaxed),)*
                    _ => return false,
                }
                true
            }

            #[allow(non_upper_case_globals)]
            mod values {
                use std::sync::atomic::AtomicI32;

                $(pub static $name: AtomicI32 = AtomicI32::new($value);)*
            }
        }
        #[cfg(feature = "tuning")]
        pub use live::{set, $($name),*};
    };
}

tunables! {
    /// Aspiration windows begin at this iteration.
    aspiration_min_depth = 6, in 2..=12;
    /// First half width of the aspiration window.
    aspiration_margin = 33;

    /// Reverse futility: a node whose evaluation beats beta by this much per ply fails high.
    reverse_futility_max_depth = 12, in 4..=24;
    /// See [`reverse_futility_max_depth`].
    reverse_futility_margin = 60;
    /// The margin is this much smaller where a node without a move from the table is expected to fail
    /// high.
    reverse_futility_new = 9, step 4;

    /// Razoring: a node whose evaluation is this far below alpha is left to the forcing search.
    razoring_max_depth = 3, in 0..=6;
    /// Constant part of the razoring margin.
    razoring_base = 119;
    /// Part of the razoring margin per ply.
    razoring_margin = 24;

    /// Move-count pruning keeps this many moves at depth 0.
    move_count_base = 5;
    /// ... and this power of the depth, in hundredths, more.
    move_count_power = 184, in 80..=300;
    /// Where the position does not improve it keeps this part of them, in hundredths.
    move_count_not_improving = 57, in 20..=150;

    /// Late moves are reduced from this depth on.
    lmr_min_depth = 2, in 1..=5;
    /// Reduction, in 1/1024 ply, is this times ln(depth) ln(move number).
    lmr_factor = 766;
    /// History that takes a ply off the reduction.
    lmr_history_divisor = 7261;
    /// Reduction for what the ordering thinks less of a move than of the best, per nat.
    lmr_policy = 230;
    /// Less than this, in 1/256 nat, the ordering's opinion does not count.
    lmr_policy_free = 134;
    /// Most that the ordering's opinion reduces.
    lmr_policy_max = 2304;
    /// Reduced less where the table says that the position was in a principal variation.
    lmr_table_pv = 1085;
    /// Reduced more in nodes expected to fail high.
    lmr_cut = 876;
    /// Reduced more where the position does not get better.
    lmr_not_improving = 496;
    /// Reduced more where few moves are listed, because they must answer a threat.
    lmr_forced = 944;
    /// Moves that make or prevent threats are reduced less.
    lmr_threat = 562;
    /// Reduced less in the principal variation.
    lmr_pv = 771;
    /// A reduced move that beats the best by this much is searched a ply deeper.
    lmr_deeper_margin = 75;

    /// Nodes expected to fail high are searched this much less deep...
    fail_high_reduction = 1790;
    /// ... where the evaluation beats beta by this much...
    fail_high_base = -31, step 10, in -150..=150;
    /// ... and this much more per ply.
    fail_high_margin = 14, step 2, in 0..=60;

    /// After a move has raised alpha the others are searched this much less deep...
    alpha_raised_reduction = 334;
    /// ... at depths below this.
    alpha_raised_max_depth = 11, in 3..=24;

    /// Nodes without a move from the table are searched less deep from this depth on...
    iir_min_depth = 7, in 2..=12;
    /// ... by this much...
    iir_reduction = 411;
    /// ... and this much more where they are expected to fail high.
    iir_cut_reduction = 603;

    /// Extension for the only answer to a four.
    five_extension = 1417, in 0..=2048;

    /// Singular extension is tried from this depth on.
    singular_min_depth = 8, in 3..=12;
    /// The other moves must stay this much per ply below the table's score.
    singular_margin = 6;
    /// If they stay below by this much more, ...
    singular_double_margin = 28, step 4, in 0..=100;
    /// ... the table's move is extended by this beyond its ply.
    singular_double_extension = 580, in 0..=2048;
    /// ... unless so many moves on the path have been already.
    singular_double_max = 5, in 0..=8;
    /// If they do not stay below, a table's move whose score beats beta is searched this much less
    /// deep.
    singular_reduction = 257;

    /// Weight of the history by point, in 1/16...
    history_point_weight = 26;
    /// ... of that by the relation to the last stone...
    history_reply_weight = 12;
    /// ... and to the one before.
    history_follow_up_weight = 23;
    /// Largest value of a history counter.
    history_max = 7883, in 2048..=32_000;
    /// Part of the correction by recent searches of positions with the same threats that is added to
    /// evaluations, in 1/16...
    correction_weight = 4, in 0..=24;
    /// ... and of positions after the same two stones.
    correction_after_weight = 7, in 0..=24;

    /// Ordering bonus of the counter move.
    counter_move_value = 88;
    /// What ordering by history is divided by.
    history_order_divisor = 25;

    /// Budget of the forcing search at the horizon, in attacker's moves.
    vcf_horizon_moves = 6;
    /// Budget at inner nodes near the horizon.
    vcf_inner_moves = 23;
    /// Inner nodes run the forcing search from this depth on.
    vcf_inner_min_depth = 5, in 1..=8;
    /// Budget at the root before the first iteration; later it grows with the nodes searched,
    /// up to `VCF_ROOT_MOVES`.
    vcf_root_least_moves = 470;

    /// Part of all nodes that goes into the search for threats at the root, in hundredths.
    vct_percent = 10, in 1..=40;
    /// The same for the opponent's threats after the root's best move.
    vct_refute_percent = 5, in 0..=40;
    /// Fewer nodes than this are not worth an attempt.
    vct_min_nodes = 25;
    /// Budget of the forcing search that helps at each of its nodes.
    vct_fours = 9;
    /// First guess of how many more positions an attack leads to, per nat that the ordering thinks
    /// less of it than of the best.
    vct_doubt = 1;
    /// An attack is left for another that looks easier by more than one part in this many.
    vct_patience = 3;
}

/// The score of a table's entry is good enough for singular extension if it is from a search at most
/// this many plies less deep.
pub const SINGULAR_TABLE_MARGIN: i32 = 3;
/// The search without the table's move is this part as deep as the node's: it is there to see how far
/// the others are behind, not what they are worth.
pub const SINGULAR_DEPTH_DIVISOR: i32 = 2;
/// Nodes of this depth or less are searched no less deep after alpha was raised: there is nothing to save.
pub const ALPHA_RAISED_LEAST_DEPTH: i32 = 2;

/// A cutoff at depth d is worth this times d² ...
pub const HISTORY_BONUS_SQUARE: i32 = 16;
/// ... and this times d, so that shallow ones count, too, ...
pub const HISTORY_BONUS_LINEAR: i32 = 64;
/// ... but no more than this, so that no single one fills a counter.
pub const HISTORY_BONUS_MAX: i32 = 1600;

/// Largest budget of the forcing search at the root, in attacker's moves. Only searches of
/// most of a million nodes reach it, and tuning plays none so long.
pub const VCF_ROOT_MOVES: u32 = 200_000;

/// Part of a turn that is never used: one in this many.
pub const TURN_MARGIN_DIVISOR: u32 = 10;
/// What is not used of a turn besides: to wake the threads that have to do with it.
pub const TURN_MARGIN_MS: u64 = 7;
/// Largest margin on a turn, lag included.
pub const TURN_MARGIN_MAX_MS: u64 = 40;
/// An answer is given this long before the match time is over, even if the search goes on.
pub const ANSWER_MARGIN_MS: u64 = 30;
/// Margin kept on the match time.
pub const MATCH_MARGIN_MS: u64 = 60;
/// At most one part in this many of the time left goes to one move.
pub const MATCH_MAXIMUM_DIVISOR: u32 = 5;
/// A usual move gets one part in this many of the time left.
pub const MATCH_OPTIMUM_DIVISOR: u32 = 14;
/// A move that has just become the best asks for this many times the usual time...
pub const MATCH_NEW_SCALE: f64 = 1.3;
/// ... each iteration that it stays takes this off...
pub const MATCH_STABLE_SCALE: f64 = 0.08;
/// ... down to this.
pub const MATCH_STABLE_LEAST: f64 = 0.6;
/// A score that has fallen by this much asks for as much time again...
pub const MATCH_FALL: f64 = 100.0;
/// ... and one that has fallen further for no more than this many times that.
pub const MATCH_FALL_MOST: f64 = 2.0;
/// A best move that took next to none of the nodes asks for this many times the time...
pub const MATCH_EFFORT_SCALE: f64 = 1.5;
/// ... and one that took them all for this much less.
pub const MATCH_EFFORT_SHARE: f64 = 1.0;
