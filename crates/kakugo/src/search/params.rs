//! Every tunable number of the search, in one place.
//!
//! The end of a name defines the unit, unless its description says otherwise:
//!
//! ```text
//! min_depth     plies: applies at this depth or more      base      constant term of a formula
//! max_depth     plies: at this depth or less              power     exponent, in hundredths
//! reduction     1/1024 plies of reduction                 weight    sixteenths, of a term of a sum
//! extension     1/1024 plies of extension                 divisor   divisor of a quantity
//! margin        score units, added or times the plies     percent   hundredths of all nodes
//! nodes         a number of nodes                         max       maximum of a quantity
//! moves         a number of the attacker's moves          value     of move ordering: 1/256 nats
//! ```
//!
//! Terms of a late move reduction (`lmr_…`) are in 1/1024 plies, too.
//!
//! Most values were tuned together by SPSA: pairs of games between two random perturbations of all
//! values, from balanced openings under a random rule. Each game moved every value by 1.5 % of its
//! step. The first run used the classical evaluation (20,000 nodes a move, no caro, 4,500 pairs;
//! 3,600 more pairs gained nothing). The second run used the networks (12,000 nodes a move, 4,800
//! pairs); `docs/training.md` has its gain. The values are not tuned for searches of millions
//! of nodes.
//!
//! In a build with the feature `tuning`, `INFO NAME VALUE` sets a tunable, and the `spsa` tuner
//! searches for better values. Otherwise they are constants. By default, `spsa` perturbs a value by
//! a tenth (at least 1), and bounds it by a quarter and four times its value; `step` and `in`
//! override that.

#[cfg(any(feature = "tuning", feature = "internals", test))]
use super::tunable::Tunable;

/// Defines a function for each tunable, and a list of all tunables.
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

            /// Sets the tunable `name`, within its range. Returns `false` if it does not exist.
            pub fn set(name: &str, value: i32) -> bool {
                let tunable = crate::search::params::TUNABLES.iter().find(|tunable| tunable.name == name);
                let value = tunable.map_or(value, |tunable| value.clamp(tunable.min, tunable.max));
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
    /// First iteration with an aspiration window.
    aspiration_min_depth = 6, in 2..=12;
    /// Half width of the first aspiration window.
    aspiration_margin = 33;

    /// Maximum depth of reverse futility pruning.
    reverse_futility_max_depth = 12, in 4..=24;
    /// Margin of reverse futility pruning, per ply.
    reverse_futility_margin = 60;
    /// Reduction of this margin in a cut node without a TT move.
    reverse_futility_untried_margin = 9, step 4;

    /// Maximum depth of razoring.
    razoring_max_depth = 3, in 0..=6;
    /// Constant part of the razoring margin, in score units.
    razoring_base = 119;
    /// Part of the razoring margin per ply.
    razoring_margin = 24;

    /// Moves that late move pruning keeps: constant term.
    move_count_base = 5;
    /// Moves that late move pruning keeps: power of the depth, added to the constant term.
    move_count_power = 184, in 80..=300;
    /// Share of these moves that is kept if the position is not improving, in hundredths.
    move_count_not_improving = 57, in 20..=150;

    /// Minimum depth of late move reductions.
    lmr_min_depth = 2, in 1..=5;
    /// Factor of ln(depth) ln(move number).
    lmr_factor = 766;
    /// Amount of history that reduces the reduction by one ply.
    lmr_history_divisor = 7261;
    /// Reduction per nat of policy gap, which is the difference to the best ordering value.
    lmr_policy = 230;
    /// Policy gap that does not count, in 1/256 nats.
    lmr_policy_threshold = 134;
    /// Maximum reduction by policy gap.
    lmr_policy_max = 2304;
    /// Less reduction if the node was part of a principal variation, according to the TT.
    lmr_tt_pv = 1085;
    /// More reduction in cut nodes.
    lmr_cut_node = 876;
    /// More reduction if the position is not improving.
    lmr_not_improving = 496;
    /// More reduction if all moves answer a threat, because few are listed.
    lmr_forced = 944;
    /// Less reduction of moves that make or prevent threats.
    lmr_threat = 562;
    /// Less reduction in the principal variation.
    lmr_pv = 771;
    /// A reduced move that beats the best score by this much is re-searched one ply deeper.
    lmr_deeper_margin = 75;

    /// Reduction of moves in cut nodes with a static evaluation far above beta.
    fail_high_reduction = 1790;
    /// Constant part of the margin above beta, in score units.
    fail_high_base = -31, step 10, in -150..=150;
    /// Part of the margin above beta per ply.
    fail_high_margin = 14, step 2, in 0..=60;

    /// Reduction of the moves after one has raised alpha.
    alpha_raised_reduction = 334;
    /// This reduction applies below this depth.
    alpha_raised_max_depth = 11, in 3..=24;

    /// Minimum depth of internal iterative reduction.
    iir_min_depth = 7, in 2..=12;
    /// Internal iterative reduction.
    iir_reduction = 411;
    /// Additional internal iterative reduction in cut nodes.
    iir_cut_node_reduction = 603;

    /// Extension of the only answer to a four.
    five_extension = 1417, in 0..=2048;

    /// Minimum depth of singular extensions.
    singular_min_depth = 8, in 3..=12;
    /// The other moves must stay below the TT score by this margin per ply.
    singular_margin = 6;
    /// Margin below that for a double extension.
    singular_double_margin = 28, step 4, in 0..=100;
    /// Double extension, added to one ply.
    singular_double_extension = 580, in 0..=2048;
    /// Maximum number of double extensions on one path.
    singular_double_max = 5, in 0..=8;
    /// Negative extension: reduction of a TT move that fails high and is not singular.
    singular_reduction = 257;

    /// Weight of the history by point.
    history_point_weight = 26;
    /// Weight of the continuation history by the last stone.
    history_reply_weight = 12;
    /// Weight of the continuation history by the stone before.
    history_follow_up_weight = 23;
    /// Maximum of a history counter.
    history_max = 7883, in 2048..=32_000;
    /// Weight of the correction history by threats.
    correction_threats_weight = 4, in 0..=24;
    /// Weight of the correction history by the last two moves.
    correction_moves_weight = 7, in 0..=24;

    /// Ordering bonus of the countermove.
    countermove_value = 88;
    /// Divisor of the history in move ordering.
    history_order_divisor = 25;

    /// Budget of VCF in quiescence search.
    vcf_leaf_moves = 6;
    /// Budget of VCF at the root before the first iteration. Later it grows with the nodes
    /// searched, up to `VCF_ROOT_MAX_MOVES`.
    vcf_root_min_moves = 470;

    /// Share of nodes for VCT at the root.
    vct_percent = 10, in 1..=40;
    /// Share of nodes for the opponent's VCT after the best root move.
    vct_refute_percent = 5, in 0..=40;
    /// Minimum budget of a VCT search.
    vct_min_nodes = 25;
    /// Budget of VCF at the nodes of VCT, in the attacker's moves.
    vct_vcf_moves = 9;
    /// Initial proof numbers: additional positions per nat of policy gap.
    vct_policy = 1;
    /// VCT leaves a move for the next if that is easier by more than one part in this.
    vct_epsilon_divisor = 3;
}

/// The TT score is good enough for a singular extension if its depth is at most this many plies
/// less.
pub const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// Divisor of the depth of the search without the TT move.
pub const SINGULAR_DEPTH_DIVISOR: i32 = 2;
/// Nodes of this depth or less have no reduction after alpha was raised, because it saves nothing.
pub const ALPHA_RAISED_MIN_DEPTH: i32 = 2;

/// Quadratic term of the history bonus, by depth.
pub const HISTORY_BONUS_SQUARE: i32 = 16;
/// Linear term of the history bonus.
pub const HISTORY_BONUS_LINEAR: i32 = 64;
/// Maximum of the history bonus, so that a single one does not fill a counter.
pub const HISTORY_BONUS_MAX: i32 = 1600;

/// Maximum budget of VCF at the root, in the attacker's moves. Only searches of almost a million
/// nodes reach it.
pub const VCF_ROOT_MAX_MOVES: u32 = 200_000;
