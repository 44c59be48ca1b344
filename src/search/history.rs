//! How well moves did elsewhere in the tree.
//!
//! Counters grow when a move causes a cutoff and shrink when it was tried in vain. The update pulls
//! towards a limit ("gravity"), so counters stay bounded and forget slowly.

use crate::board::{POINTS, Point, Side};

use super::params::history_max;

/// What is remembered of moves.
pub struct History {
    main: [Box<[i16; POINTS]>; 2],
    /// The reply that last refuted a move: by the refuted move's colour and point.
    counter: [Box<[u16; POINTS]>; 2],
}

const NO_MOVE: u16 = u16::MAX;

impl Default for History {
    fn default() -> History {
        let main = || Box::new([0; POINTS]);
        let counter = || Box::new([NO_MOVE; POINTS]);
        History { main: [main(), main()], counter: [counter(), counter()] }
    }
}

impl History {
    /// Counter of a move of `side`, within ±[`params::history_max`].
    pub fn get(&self, side: Side, p: Point) -> i32 {
        i32::from(self.main[side.index()][p.index()])
    }

    /// A move of `side` did well (positive bonus) or not (negative).
    pub fn update(&mut self, side: Side, p: Point, bonus: i32) {
        let counter = &mut self.main[side.index()][p.index()];
        let bonus = bonus.clamp(-history_max(), history_max());
        let now = i32::from(*counter);
        *counter = (now + bonus - now * bonus.abs() / history_max()) as i16;
    }

    /// Reward for a cutoff at this depth, in plies.
    pub fn bonus(depth: i32) -> i32 {
        (16 * depth * depth + 64 * depth).min(1600)
    }

    /// The reply of `side.opponent()` that last refuted the move `p` of `side`.
    pub fn counter_move(&self, side: Side, p: Point) -> Option<Point> {
        let stored = self.counter[side.index()][p.index()];
        (stored != NO_MOVE).then(|| Point::from_index(usize::from(stored)))
    }

    /// `reply` refuted the move `p` of `side`.
    pub fn set_counter_move(&mut self, side: Side, p: Point, reply: Point) {
        self.counter[side.index()][p.index()] = reply.index() as u16;
    }

    /// Let old knowledge fade before a new search.
    pub fn age(&mut self) {
        self.main.iter_mut().flat_map(|side| side.iter_mut()).for_each(|h| *h /= 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_bounds() {
        let mut history = History::default();
        let p = Point::new(3, 4).unwrap();
        for _ in 0..10_000 {
            history.update(Side::White, p, History::bonus(20));
        }
        assert!(history.get(Side::White, p) > history_max() / 2);
        assert!(history.get(Side::White, p) <= history_max());
        for _ in 0..10_000 {
            history.update(Side::White, p, -history_max() * 2);
        }
        assert!(history.get(Side::White, p) >= -history_max());
        assert_eq!(history.get(Side::Black, p), 0);
    }
}
