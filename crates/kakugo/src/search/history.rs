//! Histories: statistics of moves and evaluations, gathered during the search.
//!
//! A counter grows if its move causes a cutoff, and shrinks if the move was searched before the one
//! that does. Updates pull towards a limit ("gravity"), so counters stay bounded and decay.
//!
//! Replies in Gomoku are local and independent of where on the board they are. So besides the
//! history by point there is a continuation history: by the threat of a move, and by its offset
//! from each of the last two stones.

use crate::board::{POINTS, Point, Side};
use crate::pattern::Threat;
use crate::pattern::threat::MASKS;

use super::params::{
    HISTORY_BONUS_LINEAR, HISTORY_BONUS_MAX, HISTORY_BONUS_SQUARE, correction_moves_weight,
    correction_threats_weight, history_follow_up_weight, history_max, history_point_weight,
    history_reply_weight,
};

/// Number of previous stones that the continuation history uses.
pub const CONTINUATION_PLIES: usize = 2;

/// Maximum distance per axis in the continuation history. Larger distances are clamped.
const MAX_DISTANCE: i32 = 7;
const SPAN: usize = 2 * MAX_DISTANCE as usize + 1;
/// A power of two, so that a mask replaces the bounds check.
const CONTINUATIONS: usize = (SPAN * SPAN * 16).next_power_of_two();

/// Counters by offset from a stone, and by threat.
type ContinuationTable = [i16; CONTINUATIONS];

/// Slots of the correction history by last moves.
const MOVE_PAIRS: usize = 1 << 14;

/// Maximum of a correction counter, in 1/16 score units.
const CORRECTION_MAX: i32 = 16 * 256;

/// The histories of one thread.
pub struct History {
    /// By colour and point.
    main: [Box<[i16; POINTS]>; 2],
    /// By previous stone, colour, offset and threat.
    continuation: [[Box<ContinuationTable>; 2]; CONTINUATION_PLIES],
    /// Countermoves: the last refutation of a move, by its colour and point.
    countermoves: [Box<[u16; POINTS]>; 2],
    /// Correction history: mean error of the static evaluation, by side to move and threat mask.
    correction_by_threats: [Box<[i16; MASKS]>; 2],
    /// The same by side to move and the last two moves.
    correction_by_moves: [Box<[i16; MOVE_PAIRS]>; 2],
}

/// A move with everything that indexes histories.
#[derive(Clone, Copy)]
pub struct PlayedMove {
    /// Side that plays it.
    pub side: Side,
    /// Its point.
    pub point: Point,
    /// Threat that it makes.
    pub threat: Threat,
    /// The last stones before it, latest first.
    pub previous: [Option<Point>; CONTINUATION_PLIES],
}

const NO_MOVE: u16 = u16::MAX;

impl Default for History {
    fn default() -> History {
        let main = || Box::new([0; POINTS]);
        let countermoves = || Box::new([NO_MOVE; POINTS]);
        let continuation = || Box::new([0; CONTINUATIONS]);
        let correction = || Box::new([0; MASKS]);
        History {
            main: [main(), main()],
            continuation: std::array::from_fn(|_| [continuation(), continuation()]),
            countermoves: [countermoves(), countermoves()],
            correction_by_threats: [correction(), correction()],
            correction_by_moves: std::array::from_fn(|_| Box::new([0; MOVE_PAIRS])),
        }
    }
}

/// Returns the index of a distance along one axis (plus 32) in a row of `SPAN`, times `step`.
const fn axis(step: usize) -> [u16; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        let distance = i as i32 - 32;
        let clamped = if distance < -MAX_DISTANCE {
            -MAX_DISTANCE
        } else if distance > MAX_DISTANCE {
            MAX_DISTANCE
        } else {
            distance
        };
        table[i] = ((clamped + MAX_DISTANCE) as usize * step) as u16;
        i += 1;
    }
    table
}

/// Returns the index of the counter of a move that makes `threat`, by its offset from a previous
/// stone.
#[inline]
fn continuation_index(point: Point, previous: Point, threat: Threat) -> usize {
    static ACROSS: [u16; 64] = axis(16);
    static DOWN: [u16; 64] = axis(16 * SPAN);
    let distance = |a: u8, b: u8| usize::from(a + 32 - b) % 64;
    let across = ACROSS[distance(point.x(), previous.x())];
    let down = DOWN[distance(point.y(), previous.y())];
    (usize::from(across) + usize::from(down) + threat as usize) % CONTINUATIONS
}

/// Returns the slot of the correction history for these last stones. Pairs may share a slot.
#[inline]
fn move_pair(previous: [Option<Point>; CONTINUATION_PLIES]) -> usize {
    let [last, before] = previous.map(|p| p.map_or(POINTS, Point::index));
    (last * 1031 + before * 17) % MOVE_PAIRS
}

/// Changes a counter by `bonus`, less the closer it is to the limit.
fn apply_bonus(counter: &mut i16, bonus: i32, limit: i32) {
    let now = i32::from(*counter);
    *counter = (now + bonus - now * bonus.abs() / limit) as i16;
}

impl History {
    /// Returns the history of a move: a weighted sum of counters, each within ±[`history_max`].
    #[inline]
    pub fn get(&self, played: &PlayedMove) -> i32 {
        self.at_node(played.side, played.previous).sum(played.point, played.threat) / 16
    }

    /// Returns the histories of the moves of `side` after these stones.
    pub fn at_node(
        &self,
        side: Side,
        previous: [Option<Point>; CONTINUATION_PLIES],
    ) -> NodeHistory<'_> {
        static NO_HISTORY: ContinuationTable = [0; CONTINUATIONS];
        let any_point = Point::from_index(0);
        let continuation = std::array::from_fn(|i| match previous[i] {
            Some(previous) => (&*self.continuation[i][side.index()], previous),
            None => (&NO_HISTORY, any_point),
        });
        NodeHistory { main: &self.main[side.index()], continuation }
    }

    /// Adds a bonus to a move, or a malus if `bonus` is negative.
    pub fn update(&mut self, played: &PlayedMove, bonus: i32) {
        let side = played.side.index();
        let bonus = bonus.clamp(-history_max(), history_max());
        apply_bonus(&mut self.main[side][played.point.index()], bonus, history_max());
        for (table, previous) in self.continuation.iter_mut().zip(played.previous) {
            if let Some(previous) = previous {
                let index = continuation_index(played.point, previous, played.threat);
                apply_bonus(&mut table[side][index], bonus, history_max());
            }
        }
    }

    /// Returns the bonus for a cutoff at this depth, in plies.
    pub fn bonus(depth: i32) -> i32 {
        let bonus = HISTORY_BONUS_SQUARE * depth * depth + HISTORY_BONUS_LINEAR * depth;
        bonus.min(HISTORY_BONUS_MAX)
    }

    /// Returns the correction of a static evaluation of `side` to move, in score units.
    pub fn correction(
        &self,
        side: Side,
        mask: usize,
        previous: [Option<Point>; CONTINUATION_PLIES],
    ) -> i32 {
        let by_threats = self.correction_by_threats[side.index()][mask % MASKS];
        let by_moves = self.correction_by_moves[side.index()][move_pair(previous)];
        (i32::from(by_threats) * correction_threats_weight()
            + i32::from(by_moves) * correction_moves_weight())
            / 256
    }

    /// Records that an evaluation was `error` score units too low, according to a search of this
    /// depth.
    pub fn update_correction(
        &mut self,
        side: Side,
        mask: usize,
        previous: [Option<Point>; CONTINUATION_PLIES],
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        for counter in [
            &mut self.correction_by_threats[side.index()][mask % MASKS],
            &mut self.correction_by_moves[side.index()][move_pair(previous)],
        ] {
            apply_bonus(counter, bonus, CORRECTION_MAX);
        }
    }

    /// Returns the countermove to the move `p` of `side`.
    pub fn countermove(&self, side: Side, p: Point) -> Option<Point> {
        let stored = self.countermoves[side.index()][p.index()];
        (stored != NO_MOVE).then(|| Point::from_index(usize::from(stored)))
    }

    /// Records that `reply` refuted the move `p` of `side`.
    pub fn set_countermove(&mut self, side: Side, p: Point, reply: Point) {
        self.countermoves[side.index()][p.index()] = reply.index() as u16;
    }

    /// Halves the history by point before a new search (−4 ± 26). The continuation history and the
    /// correction by threats do not depend on where on the board the play is, so they stay valid.
    pub fn age(&mut self) {
        self.main.iter_mut().flat_map(|side| side.iter_mut()).for_each(|h| *h /= 2);
    }
}

/// Histories of the moves of one node.
pub struct NodeHistory<'h> {
    main: &'h [i16; POINTS],
    continuation: [(&'h ContinuationTable, Point); CONTINUATION_PLIES],
}

impl NodeHistory<'_> {
    /// Returns 16 times [`History::get`].
    #[inline]
    pub fn sum(&self, point: Point, threat: Threat) -> i32 {
        let counter = |(table, previous): (&ContinuationTable, Point)| {
            i32::from(table[continuation_index(point, previous, threat)])
        };
        // History by point (+27 ± 30).
        history_point_weight() * i32::from(self.main[point.index()])
            // Continuation history by the last stone (Stockfish; +15 ± 31).
            + history_reply_weight() * counter(self.continuation[0])
            // The same by the last stone but one (−12 ± 29).
            + history_follow_up_weight() * counter(self.continuation[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_bounds() {
        let mut history = History::default();
        let point = Point::new(3, 4).unwrap();
        let previous = [Point::new(4, 4), None];
        let played = PlayedMove { side: Side::White, point, threat: Threat::Quiet, previous };
        let max = (history_point_weight() + history_reply_weight()) * history_max() / 16;
        for _ in 0..10_000 {
            history.update(&played, History::bonus(20));
        }
        assert!((max * 3 / 4..=max).contains(&history.get(&played)));
        for _ in 0..10_000 {
            history.update(&played, -history_max() * 2);
        }
        assert!((-max..=-max * 3 / 4).contains(&history.get(&played)));
        assert_eq!(history.get(&PlayedMove { side: Side::Black, ..played }), 0);
    }

    #[test]
    fn continuation_history_is_independent_of_the_place() {
        let mut history = History::default();
        let at = |x, y| Point::new(x, y).unwrap();
        let played = |p: Point, previous: Point, threat| PlayedMove {
            side: Side::Black,
            point: p,
            threat,
            previous: [Some(previous), None],
        };
        history.update(&played(at(3, 3), at(4, 5), Threat::OpenThree), 1000);
        assert!(history.get(&played(at(9, 9), at(10, 11), Threat::OpenThree)) > 0);
        assert_eq!(history.get(&played(at(9, 9), at(10, 11), Threat::Quiet)), 0);
        assert_eq!(history.get(&played(at(9, 9), at(10, 10), Threat::OpenThree)), 0);
    }

    #[test]
    fn low_evaluations_are_corrected_upwards() {
        let at = |x, y| Point::new(x, y);
        let (here, there) = ([at(3, 4), at(5, 5)], [at(3, 4), at(6, 5)]);
        let mut history = History::default();
        (0..100).for_each(|_| history.update_correction(Side::White, 77, here, 50, 8));
        let both = history.correction(Side::White, 77, here);
        let by_threats = history.correction(Side::White, 77, there);
        let by_moves = history.correction(Side::White, 78, here);
        assert!(by_threats > 0 && by_moves > 0);
        assert!((by_threats + by_moves..=by_threats + by_moves + 1).contains(&both));
        assert_eq!(history.correction(Side::White, 78, there), 0);
        assert_eq!(history.correction(Side::Black, 77, here), 0);

        (0..10_000).for_each(|_| history.update_correction(Side::White, 77, here, -9_000, 30));
        let max = 256 * (correction_threats_weight() + correction_moves_weight()) / 16;
        assert!((-max..=-max * 3 / 4).contains(&history.correction(Side::White, 77, here)));
    }
}
