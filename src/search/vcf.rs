//! VCF: winning by continuous fours.
//!
//! Every four must be answered on the point that would make it a five, so the tree is narrow: the
//! attacker chooses among his fours, the defender has no choice. A five of the defender's that
//! arises on the way must be answered by the attacker with a four, or the attack is over.
//!
//! A win found here is a proof (tests replay it against every defence); that none was found means
//! nothing when the budget ran out.

use crate::board::{Board, Point, Side};
use crate::eval::Position;
use crate::pattern::Level;
use crate::pattern::set::PointSet;

/// Entries of the cache of failed attacks.
const CACHE: usize = 1 << 14;

/// Searches for wins by fours, with a memory of attacks that failed.
pub struct Vcf {
    /// Key of the position, and the budget with which an attack failed there ([`u32::MAX`] if it
    /// failed for good).
    failed: Box<[(u64, u32)]>,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf { failed: vec![(0, 0); CACHE].into() }
    }
}

/// A proven win.
#[derive(Clone, Copy, Debug)]
pub struct Win {
    /// Plies until the five.
    pub plies: usize,
    /// The first move.
    pub first: Point,
}

/// How far an attack may go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Attacker's moves that may be tried.
    pub moves: u32,
    /// Leave out fours that rarely lead on: those that make nothing else, unless two before did, and
    /// those far from the attacker's last stone. (The idea is Rapfi's.)
    pub narrow: bool,
}

impl Effort {
    /// Every four, and at most this many of them.
    pub fn full(moves: u32) -> Effort {
        Effort { moves, narrow: false }
    }
}

/// One attack under way.
struct Attack<'a, F> {
    position: &'a mut Position,
    vcf: &'a mut Vcf,
    /// Called per attacker's move; `true` ends the attack.
    interrupt: F,
    side: Side,
    /// Attacker's moves left to try.
    budget: u32,
    /// See [`Effort::narrow`].
    narrow: bool,
    /// The attacker's last stone in this attack.
    last: Option<Point>,
    /// How many of his moves, up to that, made more than a four.
    rich: u32,
    /// Whether something was left out.
    cut_short: bool,
}

impl Vcf {
    /// Look for a win of the side to move. `interrupt` is called for each move played; `true` gives
    /// up.
    pub fn search(
        &mut self,
        position: &mut Position,
        effort: Effort,
        interrupt: impl FnMut() -> bool,
    ) -> Option<Win> {
        let side = position.side_to_move();
        let Effort { moves: budget, narrow } = effort;
        let (last, rich, cut_short) = (None, 0, false);
        let vcf = self;
        Attack { position, vcf, interrupt, side, budget, narrow, last, rich, cut_short }.attacker()
    }

    fn slot(&mut self, key: u64) -> &mut (u64, u32) {
        &mut self.failed[(key >> 40) as usize % CACHE]
    }
}

impl<F: FnMut() -> bool> Attack<'_, F> {
    /// The attacker is to move.
    fn attacker(&mut self) -> Option<Win> {
        let threats = self.position.threats();
        let (own, other) = (self.side, self.side.opponent());
        if let Some(first) = self.first_at(own, Level::Five) {
            return Some(Win { plies: 1, first });
        }
        let moves = if threats.count(other, Level::Five) > 0 {
            stops(self.position, other).intersection(threats.fours(own))
        } else {
            if let Some(first) = self.first_at(own, Level::OpenFour) {
                return Some(Win { plies: 3, first });
            }
            let restricted = self.position.board().variant().has_forbidden(own);
            if !restricted
                && !threats.has_fours(other)
                && let Some(first) = self.first_at(own, Level::FourThree)
            {
                return Some(Win { plies: 5, first });
            }
            *threats.fours(own)
        };
        if moves.is_empty() {
            return None;
        }
        let key = self.position.board().key();
        let failed = *self.vcf.slot(key);
        if failed.0 == key && failed.1 >= self.budget {
            self.cut_short |= failed.1 != u32::MAX;
            return None;
        }
        let budget = self.budget;
        let cut_before = std::mem::replace(&mut self.cut_short, false);
        let win = self.try_fours(&moves);
        if win.is_none() {
            *self.vcf.slot(key) = (key, if self.cut_short { budget } else { u32::MAX });
        }
        self.cut_short |= cut_before;
        win
    }

    /// Try each of the attacker's `moves`, the strongest fours first.
    fn try_fours(&mut self, moves: &PointSet) -> Option<Win> {
        for level in [Level::OpenFour, Level::FourThree, Level::FourPlus, Level::Four] {
            let plain = level == Level::Four && self.rich < 2;
            for p in moves.iter() {
                if self.position.threats().level(p, self.side) != level
                    || !self.position.is_legal(p)
                {
                    continue;
                }
                if self.budget == 0 {
                    self.cut_short = true;
                    return None;
                }
                if self.narrow && (plain || self.last.is_some_and(|last| !is_near(last, p))) {
                    self.cut_short = true;
                    continue;
                }
                self.budget -= 1;
                let (last, rich) = (self.last, self.rich);
                self.last = Some(p);
                self.rich = if level == Level::Four { 0 } else { rich + 1 };
                self.push(p);
                let plies = self.defender();
                self.position.pop();
                (self.last, self.rich) = (last, rich);
                if let Some(plies) = plies {
                    return Some(Win { plies: plies + 1, first: p });
                }
            }
        }
        None
    }

    /// The defender is to move, facing a four. Plies to the five if every answer loses.
    fn defender(&mut self) -> Option<usize> {
        if self.position.threats().count(self.side.opponent(), Level::Five) > 0 {
            return None;
        }
        let mut longest = 2;
        for p in stops(self.position, self.side).iter() {
            if !self.position.is_legal(p) {
                continue;
            }
            self.push(p);
            let win = self.attacker();
            self.position.pop();
            longest = longest.max(win?.plies + 1);
        }
        Some(longest)
    }

    fn push(&mut self, p: Point) {
        if (self.interrupt)() {
            self.budget = 0;
        }
        self.position.push(p);
    }

    fn first_at(&self, side: Side, level: Level) -> Option<Point> {
        let threats = self.position.threats();
        if threats.count(side, level) == 0 {
            return None;
        }
        threats.points_at(side, level).next()
    }
}

/// Whether two points lie so close that stones on them may belong to the same shape.
fn is_near(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    let on_line = dx == 0 || dy == 0 || dx == dy;
    a.distance(b) <= if on_line { 4 } else { 2 }
}

/// The free points that stop every five `attacker` threatens.
pub fn stops(position: &Position, attacker: Side) -> PointSet {
    let threats = position.threats();
    let fives = threats.points_at(attacker, Level::Five);
    if position.board().variant().five_rule(attacker).needs_free_end() {
        return fives
            .map(|p| position.answers(p, attacker, Level::Five))
            .reduce(|all, answers| all.intersection(&answers))
            .unwrap_or(PointSet::EMPTY);
    }
    // Only a stone on the very point stops a five.
    let mut stops = PointSet::EMPTY;
    if threats.count(attacker, Level::Five) == 1 {
        fives.for_each(|p| stops.insert(p));
    }
    stops
}

/// A line of play that wins by fours for the side to move, proven within `budget` attacker's moves:
/// attacker's and defender's moves in turn, up to the five. Where the defender has several ways to
/// lose, the line shows one of the longest.
pub fn prove(board: &Board, budget: u32) -> Option<Vec<Point>> {
    let mut position = Position::new(board);
    let mut vcf = Vcf::default();
    let mut line = Vec::new();
    loop {
        let win = vcf.search(&mut position, Effort::full(budget), || false)?;
        line.push(win.first);
        if win.plies == 1 {
            return Some(line);
        }
        position.push(win.first);
        let reply = longest_defence(&mut position, &mut vcf, budget)?;
        line.push(reply);
        position.push(reply);
    }
}

/// The answer to a four, or to several, that holds out longest.
fn longest_defence(position: &mut Position, vcf: &mut Vcf, budget: u32) -> Option<Point> {
    let attacker = position.side_to_move().opponent();
    let legal =
        |position: &Position, p: Point| position.board().is_empty(p) && position.is_legal(p);
    let replies: Vec<Point> =
        stops(position, attacker).iter().filter(|&p| legal(position, p)).collect();
    let held_out = |p: &Point| {
        position.push(*p);
        let plies = vcf.search(position, Effort::full(budget), || false).map_or(0, |win| win.plies);
        position.pop();
        plies
    };
    if let Some(best) = replies.into_iter().max_by_key(held_out) {
        return Some(best);
    }
    // Nothing helps: stop one of several fives, or play anywhere.
    let fives = position.threats().points_at(attacker, Level::Five).find(|&p| legal(position, p));
    fives.or_else(|| position.board().empty_points().find(|&p| legal(position, p)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
