//! VCT: victory by continuous threats, fours and open threes.
//!
//! The attacker plays only threats, and the defender only moves that may answer them, as in the
//! main search. Such trees are deep and uneven, so they are searched by depth-first proof-number
//! search (df-pn: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002).
//! It expands the node that is closest to a proof or disproof. Each node has two numbers for the
//! player to move. *Phi* estimates how many more positions must be solved in the player's favour to
//! solve the node in the player's favour; *delta* is the same for the opponent. Phi is the minimum
//! delta of the children, and delta grows with their phi.
//!
//! A win is a proof (tests replay it against every defence). A failure means that there is no win
//! by threats alone, or that the budget was exhausted.

use crate::board::{Point, Side};
use crate::eval::Evaluator;
use crate::eval::weights::ORDER_SCALE;
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::params::{vct_epsilon_divisor, vct_policy, vct_vcf_moves};
use super::tactics::{
    Defence, OpponentThreat, defence, static_win, static_win_among, static_win_in,
};
use super::vcf::{ForcedWin, Vcf, VcfLimits};

/// Entries of a bucket.
const WAYS: usize = 4;
/// Buckets of the table.
const BUCKETS: usize = 1 << 14;

/// Infinity: the number of a solved node.
const INFINITE: u32 = 1 << 30;

/// Returns the initial proof number of an attacker's move that makes this threat.
fn initial_number(threat: Threat) -> u32 {
    match threat {
        Threat::OpenThree => 6,
        Threat::DoubleThree | Threat::Four | Threat::FourPlus | Threat::FourThree => 1,
        _ => 2,
    }
}

/// Proof numbers of a position from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ProofNumbers {
    phi: u32,
    delta: u32,
    /// Plies until the five if the attacker wins.
    plies: u16,
}

impl ProofNumbers {
    /// Returns the numbers of a node that is solved in favour of the player to move.
    fn success(plies: usize) -> ProofNumbers {
        ProofNumbers { phi: 0, delta: INFINITE, plies: plies as u16 }
    }

    /// Returns the numbers of a node that is solved in favour of the opponent.
    fn failure(plies: usize) -> ProofNumbers {
        ProofNumbers { phi: INFINITE, delta: 0, plies: plies as u16 }
    }

    fn is_solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// An entry of the table.
#[derive(Clone, Copy)]
struct VctEntry {
    key: u64,
    numbers: ProofNumbers,
    best: Option<Point>,
    /// Nodes of its search; 0 if the entry is unused.
    work: u32,
}

const UNUSED: VctEntry =
    VctEntry { key: 0, numbers: ProofNumbers { phi: 1, delta: 1, plies: 0 }, best: None, work: 0 };

/// Searches for wins by threats, with a table of proof numbers.
pub struct Vct {
    table: Box<[[VctEntry; WAYS]]>,
    /// For wins by fours. It is separate, because its budgets differ from those of the main search.
    vcf: Vcf,
    /// Moves of the nodes on the current path, with their initial proof numbers.
    moves: Vec<(Point, u32)>,
}

impl Default for Vct {
    fn default() -> Vct {
        Vct { table: vec![[UNUSED; WAYS]; BUCKETS].into(), vcf: Vcf::default(), moves: Vec::new() }
    }
}

/// The static result of a node.
enum StaticResult {
    /// The node is solved.
    Solved(ProofNumbers, Option<Point>),
    /// The moves to try, and the plies to the five if all of them fail.
    Open(PointSet, usize),
}

/// A running VCT search.
struct VctSearch<'a, F> {
    position: &'a mut Position,
    evaluator: &'a Evaluator,
    vct: &'a mut Vct,
    /// Called for each node; `true` ends the search.
    interrupt: F,
    attacker: Side,
    nodes: u32,
    budget: u32,
}

impl Vct {
    /// Searches for a win of the side to move within `budget` nodes. `interrupt` is called for each
    /// node; `true` ends the search.
    pub fn search(
        &mut self,
        position: &mut Position,
        evaluator: &Evaluator,
        budget: u32,
        interrupt: impl FnMut() -> bool,
    ) -> Option<ForcedWin> {
        let attacker = position.side_to_move();
        self.moves.clear();
        let key = key(position, attacker);
        if self.probe(key).is_none_or(|entry| !entry.numbers.is_solved()) {
            let vct = &mut *self;
            let nodes = 0;
            VctSearch { position, evaluator, vct, interrupt, attacker, nodes, budget }
                .search(INFINITE, INFINITE);
        }
        let VctEntry { numbers, best, .. } = self.probe(key)?;
        let plies = usize::from(numbers.plies);
        best.filter(|_| numbers.phi == 0).map(|first| ForcedWin { plies, first })
    }

    /// Searches for a win that begins with one of `points`. The table has no entry for the position
    /// itself, because other first moves may win.
    pub fn search_among(
        &mut self,
        position: &mut Position,
        points: &PointSet,
        evaluator: &Evaluator,
        budget: u32,
        interrupt: impl FnMut() -> bool,
    ) -> Option<ForcedWin> {
        let attacker = position.side_to_move();
        self.moves.clear();
        if let Some((plies, first)) = static_win_among(position, points) {
            return Some(ForcedWin { plies, first });
        }
        let (vct, nodes) = (self, 0);
        let mut search = VctSearch { position, evaluator, vct, interrupt, attacker, nodes, budget };
        let (_, threats) = search.threats();
        search.list(&threats.intersection(points), true);
        let (numbers, first) = search.try_moves(0, 0, true, INFINITE, INFINITE);
        let plies = usize::from(numbers.plies);
        first.filter(|_| numbers.phi == 0).map(|first| ForcedWin { plies, first })
    }

    /// Returns the winning line after [`Vct::search`] has found a win, against the longest defence.
    /// It ends where the table does, which may be before the five.
    pub fn line(&self, position: &mut Position) -> Vec<Point> {
        self.line_after(position, None)
    }

    /// Returns the winning line that begins with `first`, after [`Vct::search_among`] has found it.
    pub fn line_after(&self, position: &mut Position, first: Option<Point>) -> Vec<Point> {
        let attacker = position.side_to_move();
        let mut line: Vec<Point> = first.into_iter().collect();
        line.iter().for_each(|&p| position.push(p));
        while let Some(p) = self.next_in_line(position, attacker) {
            position.push(p);
            line.push(p);
        }
        line.iter().for_each(|_| position.pop());
        line
    }

    /// Returns the next move of the winning line.
    fn next_in_line(&self, position: &Position, attacker: Side) -> Option<Point> {
        let free = |&p: &Point| position.board().is_empty(p) && position.is_legal(p);
        if position.side_to_move() == attacker {
            let entry = self.probe(key(position, attacker))?;
            return entry.best.filter(free).filter(|_| entry.numbers.phi == 0);
        }
        let delay = |p: Point| {
            let child = self.probe(with_attacker(position.board().key_after(p), attacker))?;
            (child.numbers.phi == 0).then_some((child.numbers.plies, p))
        };
        let answers = defence(position).points;
        answers
            .iter()
            .filter(free)
            .filter_map(delay)
            .max_by_key(|&(plies, _)| plies)
            .map(|(_, p)| p)
    }

    fn bucket(key: u64) -> usize {
        (key >> 40) as usize % BUCKETS
    }

    fn probe(&self, key: u64) -> Option<VctEntry> {
        self.table[Vct::bucket(key)].iter().copied().find(|e| e.key == key && e.work > 0)
    }

    /// Stores an entry. Replaces the one with the least work.
    fn store(&mut self, entry: VctEntry) {
        let bucket = &mut self.table[Vct::bucket(entry.key)];
        let same = bucket.iter().position(|e| e.key == entry.key);
        let slot = same.or_else(|| (0..WAYS).min_by_key(|&i| bucket[i].work));
        bucket[slot.unwrap_or(0)] = entry;
    }
}

/// Returns the key of a position. Proofs of one attacker are not valid for the other.
fn key(position: &Position, attacker: Side) -> u64 {
    with_attacker(position.board().key(), attacker)
}

fn with_attacker(key: u64, attacker: Side) -> u64 {
    key ^ [0, 0x9E37_79B9_7F4A_7C15][attacker.index()]
}

impl<F: FnMut() -> bool> VctSearch<'_, F> {
    /// Searches a node until one of its numbers reaches its limit.
    fn search(&mut self, phi_limit: u32, delta_limit: u32) -> ProofNumbers {
        let before = self.nodes;
        self.nodes += 1;
        if (self.interrupt)() {
            self.budget = 0;
        }
        let is_attack = self.position.side_to_move() == self.attacker;
        let result = if is_attack { self.attacker_moves() } else { self.defender_moves() };
        let (numbers, best) = match result {
            StaticResult::Solved(numbers, best) => (numbers, best),
            StaticResult::Open(points, plies) => {
                let start = self.vct.moves.len();
                self.list(&points, is_attack);
                let result = self.try_moves(start, plies, is_attack, phi_limit, delta_limit);
                self.vct.moves.truncate(start);
                result
            }
        };
        let (key, work) = (key(self.position, self.attacker), self.nodes - before);
        self.vct.store(VctEntry { key, numbers, best, work });
        numbers
    }

    /// Lists the moves to try with their initial proof numbers. Those of the attacker grow with the
    /// policy gap.
    fn list(&mut self, points: &PointSet, is_attack: bool) {
        let (position, evaluator) = (&*self.position, self.evaluator);
        let moves = &mut self.vct.moves;
        let start = moves.len();
        moves.extend(points.iter().filter(|&p| position.is_legal(p)).map(|p| (p, 1)));
        if !is_attack {
            return;
        }
        let value = |p: Point| evaluator.move_value(position, p);
        let top = moves[start..].iter().map(|&(p, _)| value(p)).max().unwrap_or(0);
        for (p, delta) in &mut moves[start..] {
            // Initial proof numbers by policy: −4 ± 23.
            let policy = (top - value(*p)) * vct_policy() / ORDER_SCALE;
            let threat = position.threats().at(*p, self.attacker);
            *delta = initial_number(threat) + policy.unsigned_abs();
        }
    }

    /// Searches the moves listed from `start` on, most promising first.
    fn try_moves(
        &mut self,
        start: usize,
        plies: usize,
        is_attack: bool,
        phi_limit: u32,
        delta_limit: u32,
    ) -> (ProofNumbers, Option<Point>) {
        loop {
            let mut best: Option<(Point, ProofNumbers)> = None;
            let (mut second, mut hardest, mut open) = (INFINITE, 0, 0);
            // Plies to the five after the failed move with the longest delay.
            let mut longest = plies;
            for &(p, initial) in &self.vct.moves[start..] {
                let child = with_attacker(self.position.board().key_after(p), self.attacker);
                let initial = if is_attack { (1, initial) } else { (initial, 1) };
                let numbers = match self.vct.probe(child) {
                    Some(entry) => entry.numbers,
                    None => ProofNumbers { phi: initial.0, delta: initial.1, plies: 0 },
                };
                if numbers.phi == 0 {
                    longest = longest.max(usize::from(numbers.plies) + 1);
                    continue;
                }
                open += 1;
                hardest = hardest.max(numbers.phi);
                let rank = |numbers: ProofNumbers| (numbers.delta, numbers.plies);
                if best.is_none_or(|(_, best)| rank(numbers) < rank(best)) {
                    second = best.map_or(INFINITE, |(_, best)| best.delta);
                    best = Some((p, numbers));
                } else {
                    second = second.min(numbers.delta);
                }
            }
            let Some((p, child)) = best else { return (ProofNumbers::failure(longest), None) };
            if child.delta == 0 {
                return (ProofNumbers::success(usize::from(child.plies) + 1), Some(p));
            }
            // Weak proof-number search: a sum would count transpositions several times.
            let (phi, delta) = (child.delta, (hardest + open - 1).min(INFINITE - 1));
            if phi >= phi_limit || delta >= delta_limit || self.nodes >= self.budget {
                return (ProofNumbers { phi, delta, plies: 0 }, Some(p));
            }
            // 1 + epsilon trick (Pawlewicz and Lew, 2007; −9 ± 24): stay with a move until it is
            // clearly worse.
            let epsilon = second / vct_epsilon_divisor() as u32 + 1;
            let child_delta_limit = phi_limit.min(second.saturating_add(epsilon));
            let child_phi_limit = (delta_limit - delta).saturating_add(child.phi);
            self.position.push(p);
            self.search(child_phi_limit, child_delta_limit);
            self.position.pop();
        }
    }

    /// Returns the static result with the attacker to move: an immediate win, or all threats.
    fn attacker_moves(&mut self) -> StaticResult {
        let won = |plies, p| StaticResult::Solved(ProofNumbers::success(plies), Some(p));
        let lost = StaticResult::Solved(ProofNumbers::failure(0), None);
        if let Some((plies, p)) = static_win(self.position) {
            return won(plies, p);
        }
        let (against, moves) = self.threats();
        if against == OpponentThreat::Five {
            // An answer may be a threat, too.
            let is_lost = moves.is_empty();
            return if is_lost { lost } else { StaticResult::Open(moves, 0) };
        }
        if let Some(win) = self.vcf_win() {
            return won(win.plies, win.first);
        }
        StaticResult::Open(moves, 0)
    }

    /// Returns the defender's strongest threat, and the attacker's moves that answer it and may be
    /// threats.
    fn threats(&self) -> (OpponentThreat, PointSet) {
        let threats = self.position.threats();
        let Defence { against, points: answers } = defence(self.position);
        if against == OpponentThreat::Five {
            return (against, answers);
        }
        let threes = *threats.threes(self.attacker);
        let must_defend = against == OpponentThreat::OpenFour;
        let threes = if must_defend { threes.intersection(&answers) } else { threes };
        (against, threes.union(threats.fours(self.attacker)))
    }

    /// Returns the static result with the defender to move: the threat is refuted, or all answers.
    fn defender_moves(&mut self) -> StaticResult {
        let escaped = StaticResult::Solved(ProofNumbers::success(0), None);
        let own = self.attacker.opponent();
        let threats = self.position.threats();
        if threats.count(own, Threat::Five) > 0 || self.position.board().empty_count() == 0 {
            return escaped;
        }
        let Defence { against, points: answers } = defence(self.position);
        let Some(plies) = against.loss_in() else { return escaped };
        let may_counter = against != OpponentThreat::Five;
        if may_counter && (static_win_in(self.position).is_some() || self.vcf_win().is_some()) {
            return escaped;
        }
        StaticResult::Open(answers, plies)
    }

    /// Returns a win by fours of the player to move. It is searched only once per position.
    fn vcf_win(&mut self) -> Option<ForcedWin> {
        let is_new = self.vct.probe(key(self.position, self.attacker)).is_none();
        if !is_new || !self.position.threats().has_fours(self.position.side_to_move()) {
            return None;
        }
        // VCF in new nodes: +26 ± 18.
        let limits = VcfLimits { moves: vct_vcf_moves().unsigned_abs(), narrow: true };
        self.vct.vcf.search(self.position, limits, || false)
    }
}
