//! How well moves did elsewhere in the tree, and how far evaluations were off there.
//!
//! Counters grow when a move causes a cutoff and shrink when it was tried in vain. The update pulls
//! towards a limit ("gravity"), so counters stay bounded and forget slowly.
//!
//! Gomoku replies are local and look the same all over the board, so besides the plain history by
//! point there is one by what the move makes and where it lies relative to each of the last two
//! stones ("continuation").

use crate::board::{POINTS, Point, Side};
use crate::pattern::Threat;
use crate::pattern::threat::MASKS;

use super::params::{
    HISTORY_BONUS_LINEAR, HISTORY_BONUS_MAX, HISTORY_BONUS_SQUARE, correction_after_weight,
    correction_weight, history_follow_up_weight, history_max, history_point_weight,
    history_reply_weight,
};

/// How many of the last stones a move is seen in relation to.
pub const RELATIONS: usize = 2;

/// Farther apart than this, per axis, distances are not told apart.
const FAR: i32 = 7;
const SPAN: usize = 2 * FAR as usize + 1;
/// Longer than needed, so that an index needs no check but a mask.
const CONTINUATIONS: usize = (SPAN * SPAN * 16).next_power_of_two();

/// Counters by relation to a stone, and threat.
type ContinuationTable = [i16; CONTINUATIONS];

/// Pairs of last stones told apart by the correction of evaluations.
const PAIRS: usize = 1 << 14;

/// Largest correction, in 1/16 score units.
const CORRECTION_MAX: i32 = 16 * 256;

/// What is remembered of moves.
pub struct History {
    main: [Box<[i16; POINTS]>; 2],
    /// By relation, colour, offset and threat.
    continuation: [[Box<ContinuationTable>; 2]; RELATIONS],
    /// The reply that last refuted a move: by the refuted move's colour and point.
    counter: [Box<[u16; POINTS]>; 2],
    /// What evaluations lacked of late: by side to move and threats.
    correction: [Box<[i16; MASKS]>; 2],
    /// The same by the last stones, whatever the threats.
    correction_after: [Box<[i16; PAIRS]>; 2],
}

/// A move as history sees it.
#[derive(Clone, Copy)]
pub struct Played {
    /// Who plays.
    pub side: Side,
    /// Where.
    pub point: Point,
    /// What it makes.
    pub threat: Threat,
    /// The last stones before it, latest first.
    pub after: [Option<Point>; RELATIONS],
}

const NO_MOVE: u16 = u16::MAX;

impl Default for History {
    fn default() -> History {
        let main = || Box::new([0; POINTS]);
        let counter = || Box::new([NO_MOVE; POINTS]);
        let related = || Box::new([0; CONTINUATIONS]);
        let correction = || Box::new([0; MASKS]);
        History {
            main: [main(), main()],
            continuation: std::array::from_fn(|_| [related(), related()]),
            counter: [counter(), counter()],
            correction: [correction(), correction()],
            correction_after: std::array::from_fn(|_| Box::new([0; PAIRS])),
        }
    }
}

/// A distance along one axis (plus 32) as a place in a row of `SPAN`, times `step`.
const fn axis(step: usize) -> [u16; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let distance = i as i32 - 32;
        let near = if distance < -FAR {
            -FAR
        } else if distance > FAR {
            FAR
        } else {
            distance
        };
        table[i] = ((near + FAR) as usize * step) as u16;
        i += 1;
    }
    table
}

/// Where the counter of a move is that makes `threat` at this distance from an earlier stone.
#[inline]
fn continuation_index(point: Point, before: Point, threat: Threat) -> usize {
    static ACROSS: [u16; 64] = axis(16);
    static DOWN: [u16; 64] = axis(16 * SPAN);
    let apart = |a: u8, b: u8| usize::from(a + 32 - b) % 64;
    let across = ACROSS[apart(point.x(), before.x())];
    let down = DOWN[apart(point.y(), before.y())];
    (usize::from(across) + usize::from(down) + threat as usize) % CONTINUATIONS
}

/// Where the correction after these stones is kept; different stones may share a place.
#[inline]
fn pair(after: [Option<Point>; RELATIONS]) -> usize {
    let [last, before] = after.map(|p| p.map_or(POINTS, Point::index));
    (last * 1031 + before * 17) % PAIRS
}

/// Move a counter by `bonus`, less the closer it is to the limit.
fn apply_bonus(counter: &mut i16, bonus: i32, limit: i32) {
    let now = i32::from(*counter);
    *counter = (now + bonus - now * bonus.abs() / limit) as i16;
}

impl History {
    /// How well the move did before: a weighted sum of counters, each within ±[`history_max`].
    #[inline]
    pub fn get(&self, played: &Played) -> i32 {
        self.at_node(played.side, played.after).sum(played.point, played.threat) / 16
    }

    /// What is known of the moves of `side` after these stones.
    pub fn at_node(&self, side: Side, after: [Option<Point>; RELATIONS]) -> NodeHistory<'_> {
        static NOTHING: ContinuationTable = [0; CONTINUATIONS];
        let anywhere = Point::from_index(0);
        let related = std::array::from_fn(|i| match after[i] {
            Some(before) => (&*self.continuation[i][side.index()], before),
            None => (&NOTHING, anywhere),
        });
        NodeHistory { main: &self.main[side.index()], related }
    }

    /// The move did well (positive bonus) or not (negative).
    pub fn update(&mut self, played: &Played, bonus: i32) {
        let side = played.side.index();
        let bonus = bonus.clamp(-history_max(), history_max());
        apply_bonus(&mut self.main[side][played.point.index()], bonus, history_max());
        for (table, before) in self.continuation.iter_mut().zip(played.after) {
            if let Some(before) = before {
                let counter =
                    &mut table[side][continuation_index(played.point, before, played.threat)];
                apply_bonus(counter, bonus, history_max());
            }
        }
    }

    /// Reward for a cutoff at this depth, in plies.
    pub fn bonus(depth: i32) -> i32 {
        let bonus = HISTORY_BONUS_SQUARE * depth * depth + HISTORY_BONUS_LINEAR * depth;
        bonus.min(HISTORY_BONUS_MAX)
    }

    /// What evaluations of `side` to move lacked of late with these threats and after these stones, in
    /// score units.
    pub fn correction(&self, side: Side, threats: usize, after: [Option<Point>; RELATIONS]) -> i32 {
        let by_threats = self.correction[side.index()][threats % MASKS];
        let by_stones = self.correction_after[side.index()][pair(after)];
        (i32::from(by_threats) * correction_weight()
            + i32::from(by_stones) * correction_after_weight())
            / 256
    }

    /// An evaluation was `error` score units too low according to a search of this depth.
    pub fn correct(
        &mut self,
        side: Side,
        threats: usize,
        after: [Option<Point>; RELATIONS],
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for counter in [
            &mut self.correction[side.index()][threats % MASKS],
            &mut self.correction_after[side.index()][pair(after)],
        ] {
            apply_bonus(counter, bonus, CORRECTION_MAX);
        }
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

    /// Let the history by point fade before a new search. The others stay: what is good in relation to
    /// the last stones, and where evaluations are off, is so in the next search, too.
    pub fn age(&mut self) {
        self.main.iter_mut().flat_map(|side| side.iter_mut()).for_each(|h| *h /= 2);
    }
}

/// History of the moves of one node.
pub struct NodeHistory<'h> {
    main: &'h [i16; POINTS],
    related: [(&'h ContinuationTable, Point); RELATIONS],
}

impl NodeHistory<'_> {
    /// 16 times [`History::get`].
    #[inline]
    pub fn sum(&self, point: Point, threat: Threat) -> i32 {
        let counter = |(table, before): (&ContinuationTable, Point)| {
            i32::from(table[continuation_index(point, before, threat)])
        };
        history_point_weight() * i32::from(self.main[point.index()])
            + history_reply_weight() * counter(self.related[0])
            + history_follow_up_weight() * counter(self.related[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_bounds() {
        let mut history = History::default();
        let point = Point::new(3, 4).unwrap();
        let after = [Point::new(4, 4), None];
        let played = Played { side: Side::White, point, threat: Threat::Quiet, after };
        let most = (history_point_weight() + history_reply_weight()) * history_max() / 16;
        for _ in 0..10_000 {
            history.update(&played, History::bonus(20));
        }
        assert!((most * 3 / 4..=most).contains(&history.get(&played)));
        for _ in 0..10_000 {
            history.update(&played, -history_max() * 2);
        }
        assert!((-most..=-most * 3 / 4).contains(&history.get(&played)));
        assert_eq!(history.get(&Played { side: Side::Black, ..played }), 0);
    }

    #[test]
    fn relations_hold_all_over_the_board() {
        let mut history = History::default();
        let at = |x, y| Point::new(x, y).unwrap();
        let played = |p: Point, before: Point, threat| Played {
            side: Side::Black,
            point: p,
            threat,
            after: [Some(before), None],
        };
        history.update(&played(at(3, 3), at(4, 5), Threat::OpenThree), 1000);
        assert!(history.get(&played(at(9, 9), at(10, 11), Threat::OpenThree)) > 0);
        assert_eq!(history.get(&played(at(9, 9), at(10, 11), Threat::Quiet)), 0);
        assert_eq!(history.get(&played(at(9, 9), at(10, 10), Threat::OpenThree)), 0);
    }

    #[test]
    fn evaluations_that_were_too_low_are_raised() {
        let at = |x, y| Point::new(x, y);
        let (here, there) = ([at(3, 4), at(5, 5)], [at(3, 4), at(6, 5)]);
        let mut history = History::default();
        (0..100).for_each(|_| history.correct(Side::White, 77, here, 50, 8));
        let whole = history.correction(Side::White, 77, here);
        let by_threats = history.correction(Side::White, 77, there);
        let by_stones = history.correction(Side::White, 78, here);
        assert!(by_threats > 0 && by_stones > 0);
        assert!((by_threats + by_stones..=by_threats + by_stones + 1).contains(&whole));
        assert_eq!(history.correction(Side::White, 78, there), 0);
        assert_eq!(history.correction(Side::Black, 77, here), 0);

        (0..10_000).for_each(|_| history.correct(Side::White, 77, here, -9_000, 30));
        let most = 256 * (correction_weight() + correction_after_weight()) / 16;
        assert!((-most..=-most * 3 / 4).contains(&history.correction(Side::White, 77, here)));
    }
}
