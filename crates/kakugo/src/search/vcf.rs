//! VCF: victory by continuous fours.
//!
//! Every four must be answered at the point of the threatened five, so the tree is narrow: the
//! attacker chooses among its fours, and the defender has no choice. If the defender threatens a
//! five on the way, the attacker must answer it with a four, or the attack ends.
//!
//! A win is a proof (tests replay it against every defence). A failure proves nothing if the budget
//! was exhausted.
//!
//! Failed attacks are cached. An attack that tried all moves has failed for good. Other
//! failures are used for attacks of the same kind ([`VcfLimits::narrow`] or not) with the same
//! budget or less. The fours that a narrow attack skips depend on its last stones, so a win may be
//! missed. Interrupted attacks are not cached.

use crate::board::{Board, Point, Side};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::tactics::{five_defences, static_win, static_win_among};

/// Entries of the cache of failed attacks.
const CACHE_ENTRIES: usize = 1 << 14;

/// Searches for wins by fours, with a cache of failed attacks.
pub struct Vcf {
    failed: Box<[FailedAttack]>,
}

/// A failed attack.
#[derive(Clone, Copy, Default)]
struct FailedAttack {
    /// Key of the position.
    key: u64,
    /// Budget with which it failed; [`u32::MAX`]: for good.
    budget: u32,
    /// [`VcfLimits::narrow`] of the attack.
    narrow: bool,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf { failed: vec![FailedAttack::default(); CACHE_ENTRIES].into() }
    }
}

/// A proven win.
#[derive(Clone, Copy, Debug)]
pub struct ForcedWin {
    /// Plies until the five.
    pub plies: usize,
    /// First move.
    pub first: Point,
}

/// Limits of a VCF search.
#[derive(Clone, Copy, Debug)]
pub struct VcfLimits {
    /// Maximum number of attacker's moves to try.
    pub moves: u32,
    /// Skips fours that rarely lead to a win: fours far from the attacker's last stone, and fours
    /// that make nothing else, unless the two fours before did (Rapfi; +37 ± 32).
    pub narrow: bool,
}

impl VcfLimits {
    /// Returns limits of an attack with all fours.
    pub fn full(moves: u32) -> VcfLimits {
        VcfLimits { moves, narrow: false }
    }
}

/// A running VCF search.
struct VcfSearch<'a, F> {
    position: &'a mut Position,
    vcf: &'a mut Vcf,
    /// Called for each move; `true` ends the search.
    interrupt: F,
    side: Side,
    /// Remaining budget.
    budget: u32,
    /// See [`VcfLimits::narrow`].
    narrow: bool,
    /// The attacker's last stone in this attack.
    last: Option<Point>,
    /// Number of consecutive attacker's moves, up to the last, that made more than a four.
    combinations: u32,
    /// Some moves were not tried.
    incomplete: bool,
    interrupted: bool,
}

impl Vcf {
    /// Searches for a win of the side to move. `interrupt` is called for each move played; `true`
    /// ends the search.
    pub fn search(
        &mut self,
        position: &mut Position,
        limits: VcfLimits,
        interrupt: impl FnMut() -> bool,
    ) -> Option<ForcedWin> {
        self.begin(position, limits, interrupt).attacker_to_move()
    }

    /// Searches for a win that begins with one of `points`. A failure of the position itself is not
    /// cached, because other first moves may win.
    pub fn search_among(
        &mut self,
        position: &mut Position,
        points: &PointSet,
        limits: VcfLimits,
        interrupt: impl FnMut() -> bool,
    ) -> Option<ForcedWin> {
        let mut search = self.begin(position, limits, interrupt);
        let static_win = static_win_among(search.position, points);
        if let Some((plies, first)) = static_win.filter(|&(_, first)| search.is_four(first)) {
            return Some(ForcedWin { plies, first });
        }
        let moves = search.fours().intersection(points);
        search.try_fours(&moves)
    }

    /// Searches for a win of the side to move within `budget` attacker's moves, and returns its
    /// line, which ends with the five. If the defender has several answers, the line has one of
    /// those that delay the five the most. A position in which [`Vcf::search`] has just found a win
    /// takes less, because its failed attacks are cached. `interrupt` is called for each move
    /// played; `true` ends the search.
    pub fn line(
        &mut self,
        position: &mut Position,
        budget: u32,
        mut interrupt: impl FnMut() -> bool,
    ) -> Option<Vec<Point>> {
        let mut line = Vec::new();
        let is_complete = self.extend_to_the_five(position, budget, &mut interrupt, &mut line);
        // The five itself is not played.
        for _ in 0..line.len() - usize::from(is_complete) {
            position.pop();
        }
        is_complete.then_some(line)
    }

    /// Plays a win by fours and adds it to `line`. Returns whether it is complete; then its last
    /// move, the five, is not played.
    fn extend_to_the_five(
        &mut self,
        position: &mut Position,
        budget: u32,
        interrupt: &mut impl FnMut() -> bool,
        line: &mut Vec<Point>,
    ) -> bool {
        while let Some(win) = self.search(position, VcfLimits::full(budget), &mut *interrupt) {
            line.push(win.first);
            if win.plies == 1 {
                return true;
            }
            position.push(win.first);
            let Some(reply) = self.longest_defence(position, budget, interrupt) else { break };
            line.push(reply);
            position.push(reply);
        }
        false
    }

    /// Returns the answer to one or several fours that delays the five the most.
    fn longest_defence(
        &mut self,
        position: &mut Position,
        budget: u32,
        interrupt: &mut impl FnMut() -> bool,
    ) -> Option<Point> {
        let attacker = position.side_to_move().opponent();
        let is_legal =
            |position: &Position, p: Point| position.board().is_empty(p) && position.is_legal(p);
        let replies: Vec<Point> =
            five_defences(position).iter().filter(|&p| is_legal(position, p)).collect();
        let delay = |p: &Point| {
            position.push(*p);
            let win = self.search(position, VcfLimits::full(budget), &mut *interrupt);
            position.pop();
            win.map_or(0, |win| win.plies)
        };
        if let Some(best) = replies.into_iter().max_by_key(delay) {
            return Some(best);
        }
        // No answer stops all fives: stop one of them, or play anywhere.
        let mut fives = position.threats().points_at(attacker, Threat::Five);
        let stop = fives.find(|&p| is_legal(position, p));
        stop.or_else(|| position.board().empty_points().find(|&p| is_legal(position, p)))
    }

    fn begin<'a, F: FnMut() -> bool>(
        &'a mut self,
        position: &'a mut Position,
        limits: VcfLimits,
        interrupt: F,
    ) -> VcfSearch<'a, F> {
        let side = position.side_to_move();
        let VcfLimits { moves: budget, narrow } = limits;
        VcfSearch {
            position,
            vcf: self,
            interrupt,
            side,
            budget,
            narrow,
            last: None,
            combinations: 0,
            incomplete: false,
            interrupted: false,
        }
    }

    fn slot(&mut self, key: u64) -> &mut FailedAttack {
        &mut self.failed[(key >> 40) as usize % CACHE_ENTRIES]
    }
}

impl<F: FnMut() -> bool> VcfSearch<'_, F> {
    /// Searches a node with the attacker to move.
    fn attacker_to_move(&mut self) -> Option<ForcedWin> {
        if let Some((plies, first)) = static_win(self.position).filter(|&(_, p)| self.is_four(p)) {
            return Some(ForcedWin { plies, first });
        }
        let moves = self.fours();
        if moves.is_empty() {
            return None;
        }
        let key = self.position.board().key();
        let (budget, narrow) = (self.budget, self.narrow);
        // Cache of failed attacks (own; +24 ± 27).
        let failed = *self.vcf.slot(key);
        let for_good = failed.budget == u32::MAX;
        if failed.key == key && (for_good || failed.narrow == narrow && failed.budget >= budget) {
            self.incomplete |= !for_good;
            return None;
        }
        let incomplete_before = std::mem::replace(&mut self.incomplete, false);
        let win = self.try_fours(&moves);
        if win.is_none() && !self.interrupted {
            let budget = if self.incomplete { budget } else { u32::MAX };
            *self.vcf.slot(key) = FailedAttack { key, budget, narrow };
        }
        self.incomplete |= incomplete_before;
        win
    }

    /// Returns `true` if the attacker makes a four at `p`. This search may win by fours only.
    fn is_four(&self, p: Point) -> bool {
        self.position.threats().at(p, self.side) >= Threat::Four
    }

    /// Returns the attacker's fours, or those that stop a five of the defender.
    fn fours(&self) -> PointSet {
        let threats = self.position.threats();
        let fours = *threats.fours(self.side);
        if threats.count(self.side.opponent(), Threat::Five) > 0 {
            five_defences(self.position).intersection(&fours)
        } else {
            fours
        }
    }

    /// Tries each of the attacker's `moves`, strongest fours first.
    fn try_fours(&mut self, moves: &PointSet) -> Option<ForcedWin> {
        for threat in [Threat::OpenFour, Threat::FourThree, Threat::FourPlus, Threat::Four] {
            let is_plain = threat == Threat::Four && self.combinations < 2;
            for p in moves.iter() {
                if self.position.threats().at(p, self.side) != threat || !self.position.is_legal(p)
                {
                    continue;
                }
                if self.budget == 0 {
                    self.incomplete = true;
                    return None;
                }
                if self.narrow && (is_plain || self.last.is_some_and(|last| !is_near(last, p))) {
                    self.incomplete = true;
                    continue;
                }
                self.budget -= 1;
                let (last, combinations) = (self.last, self.combinations);
                self.last = Some(p);
                self.combinations = if threat == Threat::Four { 0 } else { combinations + 1 };
                self.push(p);
                let plies = self.defender_to_move();
                self.position.pop();
                (self.last, self.combinations) = (last, combinations);
                if let Some(plies) = plies {
                    return Some(ForcedWin { plies: plies + 1, first: p });
                }
            }
        }
        None
    }

    /// Searches a node with the defender to move, who must answer a four. Returns the plies to the
    /// five if every answer loses.
    fn defender_to_move(&mut self) -> Option<usize> {
        if self.position.threats().count(self.side.opponent(), Threat::Five) > 0 {
            return None;
        }
        let mut longest = 2;
        for p in five_defences(self.position).iter() {
            if !self.position.is_legal(p) {
                continue;
            }
            self.push(p);
            let win = self.attacker_to_move();
            self.position.pop();
            longest = longest.max(win?.plies + 1);
        }
        Some(longest)
    }

    fn push(&mut self, p: Point) {
        if (self.interrupt)() {
            self.interrupted = true;
            self.budget = 0;
        }
        self.position.push(p);
    }
}

/// Returns `true` if stones on the two points may belong to the same shape.
fn is_near(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    let on_line = dx == 0 || dy == 0 || dx == dy;
    a.distance(b) <= if on_line { 4 } else { 2 }
}

/// Returns a line that wins by fours for the side to move, as [`Vcf::line`] does.
pub fn prove(board: &Board, budget: u32) -> Option<Vec<Point>> {
    Vcf::default().line(&mut Position::new(board), budget, || false)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::Variant;

    /// Returns middle game positions in which a full attack with this budget wins, and needs at
    /// least three moves.
    fn won_positions(budget: u32) -> Vec<Position> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut positions = Vec::new();
        while positions.len() < 60 {
            let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
            while board.ply() < 24 {
                let [x, y] = [(); 2].map(|()| random.random_range(3..12));
                let p = Point::new(x, y).unwrap();
                let side = board.side_to_move();
                if board.is_empty(p) && !board.makes_five(p, side) {
                    board.play(p).unwrap();
                }
            }
            let mut position = Position::new(&board);
            let mut moves = 0;
            let count = || {
                moves += 1;
                false
            };
            let win = Vcf::default().search(&mut position, VcfLimits::full(budget), count);
            if win.is_some() && moves >= 3 {
                positions.push(position);
            }
        }
        positions
    }

    #[test]
    fn interrupted_attacks_are_not_cached_as_failed() {
        const BUDGET: u32 = 200;
        for mut position in won_positions(BUDGET) {
            let mut vcf = Vcf::default();
            let mut search = |vcf: &mut Vcf, allowed: u32| {
                let mut moves = 0;
                let interrupt = || {
                    moves += 1;
                    moves > allowed
                };
                vcf.search(&mut position, VcfLimits::full(BUDGET), interrupt)
            };
            for allowed in 0..3 {
                search(&mut vcf, allowed);
            }
            assert!(search(&mut vcf, u32::MAX).is_some(), "{}", position.board());
        }
    }

    #[test]
    fn a_failed_narrow_attack_hides_no_win() {
        const BUDGET: u32 = 200;
        let mut failed = 0;
        for mut position in won_positions(BUDGET) {
            let mut vcf = Vcf::default();
            let narrow = VcfLimits { moves: BUDGET, narrow: true };
            failed += u32::from(vcf.search(&mut position, narrow, || false).is_none());
            let win = vcf.search(&mut position, VcfLimits::full(BUDGET), || false);
            assert!(win.is_some(), "{}", position.board());
        }
        assert!(failed > 5, "{failed} narrow attacks failed");
    }

    #[test]
    fn near_is_four_along_a_line_and_two_beside_it() {
        let at = |x, y| Point::new(x, y).unwrap();
        let centre = at(9, 9);
        let near = |x, y| is_near(centre, at(x, y)) && is_near(at(x, y), centre);
        assert!(near(13, 9) && near(9, 5) && near(13, 13) && near(5, 13) && near(11, 10));
        assert!(!near(14, 9) && !near(9, 4) && !near(14, 14) && !near(12, 10) && !near(10, 6));
        let all = (0..19).flat_map(|x| (0..19).map(move |y| (x, y)));
        // Eight rays of four, and eight points a knight's move away.
        assert_eq!(all.filter(|&(x, y)| near(x, y)).count(), 1 + 8 * 4 + 8);
    }
}
