//! How much less deep late moves are searched, and how many moves a shallow node looks at.

use crate::eval::weights::ORDER_SCALE;

use super::depth::Depth;
use super::fixed;
use super::history::{History, Played};
use super::node_kind::NodeKind;
use super::params::*;

/// Depths and move numbers beyond this are treated alike.
const LAST: usize = 63;

/// Tables by depth and by number of the move.
pub struct Reductions {
    factors: [i32; LAST + 1],
    /// By plies and whether the position improves.
    move_counts: [[usize; 2]; LAST + 1],
}

/// What decides how much a late move is reduced, besides depth and number.
pub struct LateMove {
    /// The move.
    pub played: Played,
    /// Whether it neither makes nor prevents a threat.
    pub quiet: bool,
    /// Whether the moves of the node must answer a threat.
    pub forced: bool,
    /// Whether the side to move stands better than two plies before.
    pub improving: bool,
    /// What is expected of the node.
    pub kind: NodeKind,
    /// Whether the table says that the node was part of a principal variation.
    pub table_pv: bool,
    /// How much less the ordering thinks of it than of the best move, in 1/[`ORDER_SCALE`] nats.
    pub policy_gap: i32,
}

impl Reductions {
    /// The tables for the present values of the tunables.
    pub fn new() -> Reductions {
        Reductions {
            factors: std::array::from_fn(|n| factor(n as u32)),
            move_counts: std::array::from_fn(|plies| {
                [false, true].map(|improving| move_count(plies as u32, improving))
            }),
        }
    }

    /// How many moves a node of this depth, in plies, looks at once one is known that does not lose.
    pub fn move_count(&self, plies: i32, improving: bool) -> usize {
        self.move_counts[plies.clamp(0, LAST as i32) as usize][usize::from(improving)]
    }

    /// How much the depth of the `number`-th move of a node is reduced.
    pub fn of(&self, plies: i32, number: usize, late: &LateMove, history: &History) -> Depth {
        let mut r =
            self.factors[(plies as usize).min(LAST)] * self.factors[number.min(LAST)] / 1024;
        match late.kind {
            NodeKind::Pv => r -= lmr_pv(),
            NodeKind::Cut => r += lmr_cut(),
            NodeKind::All => {}
        }
        if late.table_pv {
            r -= lmr_table_pv();
        }
        if !late.improving {
            r += lmr_not_improving();
        }
        if !late.quiet {
            r -= lmr_threat();
        }
        let policy_gap = (late.policy_gap - lmr_policy_free()).max(0);
        r += (policy_gap * lmr_policy() / ORDER_SCALE).min(lmr_policy_max());
        r -= history.get(&late.played) * 1024 / lmr_history_divisor();
        r = r.max(0);
        if late.forced {
            r += lmr_forced();
        }
        Depth::from_units(r).min(Depth::from_plies(plies - 1))
    }
}

/// A number for a depth or a place among the moves: the base of a reduction, in 1/1024 plies, is the
/// product of both numbers, divided by 1024.
fn factor(n: u32) -> i32 {
    // In 1/2^16.
    let root = (u64::from(lmr_factor().unsigned_abs()) << 32).isqrt();
    ((fixed::ln(n) * root * 32 + (1 << 47)) >> 48) as i32
}

fn move_count(plies: u32, improving: bool) -> usize {
    let base = u64::from(move_count_base().unsigned_abs()) << 32;
    let limit = base + fixed::power(plies, move_count_power().unsigned_abs());
    let part = u64::from(move_count_not_improving().unsigned_abs());
    ((if improving { limit } else { limit * part / 100 }) >> 32) as usize
}
