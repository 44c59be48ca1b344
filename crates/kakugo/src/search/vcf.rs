//! VCF: winning by continuous fours.
//!
//! Every four must be answered on the point that would make it a five, so the tree is narrow: the
//! attacker chooses among his fours, the defender has no choice. A five of the defender's that
//! arises on the way must be answered by the attacker with a four, or the attack is over.
//!
//! A win found here is a proof (tests replay it against every defence); that none was found means
//! nothing when the budget ran out.
//!
//! Failed attacks are remembered. One that tried everything has failed for good; any other answers
//! only for attacks of its kind ([`Effort::narrow`] or not) that may try no more moves than it did. An
//! attack that was interrupted is not remembered.

use crate::board::{Board, Point, Side};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::tactics::{stops, win_in, winning_move};

/// Entries of the cache of failed attacks.
const CACHE: usize = 1 << 14;

/// Searches for wins by fours, with a memory of attacks that failed.
pub struct Vcf {
    failed: Box<[Failed]>,
}

/// An attack that failed.
#[derive(Clone, Copy, Default)]
struct Failed {
    /// Of the position.
    key: u64,
    /// With how many moves it failed; [`u32::MAX`]: for good.
    budget: u32,
    /// Whether it left out fours by [`Effort::narrow`].
    narrow: bool,
}

impl Default for Vcf {
    fn default() -> Vcf {
        Vcf { failed: vec![Failed::default(); CACHE].into() }
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
    interrupted: bool,
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
        let mut attack = Attack {
            position,
            vcf: self,
            interrupt,
            side,
            budget,
            narrow,
            last: None,
            rich: 0,
            cut_short: false,
            interrupted: false,
        };
        attack.attacker()
    }

    fn slot(&mut self, key: u64) -> &mut Failed {
        &mut self.failed[(key >> 40) as usize % CACHE]
    }
}

impl<F: FnMut() -> bool> Attack<'_, F> {
    /// The attacker is to move.
    fn attacker(&mut self) -> Option<Win> {
        let threats = self.position.threats();
        let (own, other) = (self.side, self.side.opponent());
        // Fours are all that this search may win by.
        let is_four = |&first: &Point| threats.at(first, own) >= Threat::Four;
        if let Some(plies) = win_in(self.position)
            && let Some(first) = winning_move(self.position, plies).filter(is_four)
        {
            return Some(Win { plies, first });
        }
        let mut moves = *threats.fours(own);
        if threats.count(other, Threat::Five) > 0 {
            moves = stops(self.position).intersection(&moves);
        }
        if moves.is_empty() {
            return None;
        }
        let key = self.position.board().key();
        let (budget, narrow) = (self.budget, self.narrow);
        let failed = *self.vcf.slot(key);
        let for_good = failed.budget == u32::MAX;
        if failed.key == key && (for_good || failed.narrow == narrow && failed.budget >= budget) {
            self.cut_short |= !for_good;
            return None;
        }
        let cut_before = std::mem::replace(&mut self.cut_short, false);
        let win = self.try_fours(&moves);
        if win.is_none() && !self.interrupted {
            let budget = if self.cut_short { budget } else { u32::MAX };
            *self.vcf.slot(key) = Failed { key, budget, narrow };
        }
        self.cut_short |= cut_before;
        win
    }

    /// Try each of the attacker's `moves`, the strongest fours first.
    fn try_fours(&mut self, moves: &PointSet) -> Option<Win> {
        for threat in [Threat::OpenFour, Threat::FourThree, Threat::FourPlus, Threat::Four] {
            let plain = threat == Threat::Four && self.rich < 2;
            for p in moves.iter() {
                if self.position.threats().at(p, self.side) != threat || !self.position.is_legal(p)
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
                self.rich = if threat == Threat::Four { 0 } else { rich + 1 };
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
        if self.position.threats().count(self.side.opponent(), Threat::Five) > 0 {
            return None;
        }
        let mut longest = 2;
        for p in stops(self.position).iter() {
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
            self.interrupted = true;
            self.budget = 0;
        }
        self.position.push(p);
    }
}

/// Whether two points lie so close that stones on them may belong to the same shape.
fn is_near(a: Point, b: Point) -> bool {
    let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
    let on_line = dx == 0 || dy == 0 || dx == dy;
    a.distance(b) <= if on_line { 4 } else { 2 }
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
    let replies: Vec<Point> = stops(position).iter().filter(|&p| legal(position, p)).collect();
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
    let fives = position.threats().points_at(attacker, Threat::Five).find(|&p| legal(position, p));
    fives.or_else(|| position.board().empty_points().find(|&p| legal(position, p)))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::Variant;

    /// Positions of the middle game in which a full attack with this many moves wins, but at the
    /// first attempt takes at least three of them.
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
            let win = Vcf::default().search(&mut position, Effort::full(budget), count);
            if win.is_some() && moves >= 3 {
                positions.push(position);
            }
        }
        positions
    }

    #[test]
    fn what_was_interrupted_is_not_taken_for_failed() {
        const BUDGET: u32 = 200;
        for mut position in won_positions(BUDGET) {
            let mut vcf = Vcf::default();
            let mut search = |vcf: &mut Vcf, allowed: u32| {
                let mut moves = 0;
                let interrupt = || {
                    moves += 1;
                    moves > allowed
                };
                vcf.search(&mut position, Effort::full(BUDGET), interrupt)
            };
            for allowed in 0..3 {
                search(&mut vcf, allowed);
            }
            assert!(search(&mut vcf, u32::MAX).is_some(), "{}", position.board());
        }
    }

    #[test]
    fn a_narrow_attack_that_failed_hides_no_win() {
        const BUDGET: u32 = 200;
        let mut failed = 0;
        for mut position in won_positions(BUDGET) {
            let mut vcf = Vcf::default();
            let narrow = Effort { moves: BUDGET, narrow: true };
            failed += u32::from(vcf.search(&mut position, narrow, || false).is_none());
            let win = vcf.search(&mut position, Effort::full(BUDGET), || false);
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
