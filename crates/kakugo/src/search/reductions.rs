//! Late move reductions, and the move counts of late move pruning.

use crate::eval::weights::ORDER_SCALE;

use super::depth::Depth;
use super::fixed_point;
use super::history::{History, PlayedMove};
use super::node::NodeType;
use super::params::*;

/// Larger depths and move numbers are clamped to this.
const TABLE_MAX: usize = 63;

/// Tables by depth and by move number.
pub struct Reductions {
    factors: [i32; TABLE_MAX + 1],
    /// By plies and improvement.
    move_counts: [[usize; 2]; TABLE_MAX + 1],
}

/// Properties of a late move that determine its reduction, besides depth and move number.
pub struct LateMove {
    /// The move.
    pub played: PlayedMove,
    /// The move neither makes nor prevents a threat.
    pub quiet: bool,
    /// The moves of the node answer a threat.
    pub forced: bool,
    /// The static evaluation is better than two plies before.
    pub improving: bool,
    /// Type of the node.
    pub node_type: NodeType,
    /// The node was part of a principal variation, according to the transposition table.
    pub tt_pv: bool,
    /// Difference to the ordering value of the best move, in 1/[`ORDER_SCALE`] nats.
    pub policy_gap: i32,
}

impl Reductions {
    /// Creates the tables for the current values of the tunables.
    pub fn new() -> Reductions {
        Reductions {
            factors: std::array::from_fn(|n| factor(n as u32)),
            move_counts: std::array::from_fn(|plies| {
                [false, true].map(|improving| move_count(plies as u32, improving))
            }),
        }
    }

    /// Returns the number of moves that late move pruning keeps at this depth, in plies.
    pub fn move_count(&self, plies: i32, improving: bool) -> usize {
        self.move_counts[plies.clamp(0, TABLE_MAX as i32) as usize][usize::from(improving)]
    }

    /// Returns the reduction of the `number`-th move of a node.
    pub fn of(&self, plies: i32, number: usize, late: &LateMove, history: &History) -> Depth {
        // Late move reductions (LMR; +28 ± 34).
        let depth_factor = self.factors[(plies as usize).min(TABLE_MAX)];
        let mut r = depth_factor * self.factors[number.min(TABLE_MAX)] / 1024;
        match late.node_type {
            // Less in the principal variation: −15 ± 31.
            NodeType::Pv => r -= lmr_pv(),
            // More at cut nodes: +3 ± 30.
            NodeType::Cut => r += lmr_cut_node(),
            NodeType::All => {}
        }
        // Less in nodes that were part of a principal variation: −4 ± 30.
        if late.tt_pv {
            r -= lmr_tt_pv();
        }
        // More if not improving: −15 ± 29.
        if !late.improving {
            r += lmr_not_improving();
        }
        // Less for moves that make or prevent threats: −31 ± 31.
        if !late.quiet {
            r -= lmr_threat();
        }
        // By the policy gap: −8 ± 29.
        let policy_gap = (late.policy_gap - lmr_policy_threshold()).max(0);
        r += (policy_gap * lmr_policy() / ORDER_SCALE).min(lmr_policy_max());
        // By history: −9 ± 30.
        r -= history.get(&late.played) * 1024 / lmr_history_divisor();
        r = r.max(0);
        // More if all moves answer a threat: −12 ± 32.
        if late.forced {
            r += lmr_forced();
        }
        Depth::from_units(r).min(Depth::from_plies(plies - 1))
    }
}

/// Returns the factor of a depth or of a move number. The base of a reduction, in 1/1024 plies, is
/// the product of both factors, divided by 1024.
fn factor(n: u32) -> i32 {
    // In 1/2^16.
    let root = (u64::from(lmr_factor().unsigned_abs()) << 32).isqrt();
    ((fixed_point::ln(n) * root * 32 + (1 << 47)) >> 48) as i32
}

fn move_count(plies: u32, improving: bool) -> usize {
    let base = u64::from(move_count_base().unsigned_abs()) << 32;
    let limit = base + fixed_point::power(plies, move_count_power().unsigned_abs());
    // Fewer moves if not improving (Stockfish; +31 ± 32).
    let percent = u64::from(move_count_not_improving().unsigned_abs());
    ((if improving { limit } else { limit * percent / 100 }) >> 32) as usize
}
