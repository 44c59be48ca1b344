//! VCT: winning by continuous threats, fours and open threes.
//!
//! The attacker plays only threats, and the defender only what could help against them, as in the
//! main search. Such a tree is deep and uneven, so it is searched by proof numbers, depth first (df-pn:
//! Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002): next comes what
//! is nearest to being settled. Each player has two numbers at each node. *Phi* is about how many
//! more positions must be settled his way until the node is, *delta* is the same for his opponent;
//! a player's phi is the smallest delta of his moves, his delta grows with their phis.
//!
//! A win found here is a proof (tests replay it against every defence). That none was found means
//! that there is none by threats alone, or that the budget ran out.

use crate::board::{Point, Side};
use crate::eval::Evaluator;
use crate::eval::weights::ORDER_SCALE;
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::params::{vct_doubt, vct_fours, vct_patience};
use super::tactics::{Defence, OpponentThreat, defence, win_in, winning_move};
use super::vcf::{Effort, Vcf, Win};

/// Entries of a bucket, and buckets of the table.
const WAYS: usize = 4;
const BUCKETS: usize = 1 << 14;

/// A number that no effort reaches: the node is settled.
const NEVER: u32 = 1 << 30;

/// First guess of how many positions a move of this threat leads to, for the attacker.
fn guess(threat: Threat) -> u32 {
    match threat {
        Threat::OpenThree => 6,
        Threat::DoubleThree | Threat::Four | Threat::FourPlus | Threat::FourThree => 1,
        _ => 2,
    }
}

/// What is known of a position, from the point of view of the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    phi: u32,
    delta: u32,
    /// Plies until the five if the attacker wins.
    plies: u16,
}

impl Numbers {
    /// The player to move gets his way.
    fn success(plies: usize) -> Numbers {
        Numbers { phi: 0, delta: NEVER, plies: plies as u16 }
    }

    /// His opponent does.
    fn failure(plies: usize) -> Numbers {
        Numbers { phi: NEVER, delta: 0, plies: plies as u16 }
    }

    fn are_final(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: Numbers,
    best: Option<Point>,
    /// Nodes that it took; none in an entry that is free.
    work: u32,
}

const FREE: Entry =
    Entry { key: 0, numbers: Numbers { phi: 1, delta: 1, plies: 0 }, best: None, work: 0 };

/// Searches for wins by threats, with a memory of what earlier ones found.
pub struct Vct {
    table: Box<[[Entry; WAYS]]>,
    /// For wins by fours on the way: another one's memory is for attacks with other budgets.
    vcf: Vcf,
    /// The moves of the nodes on the current path, and the first guess at their delta.
    moves: Vec<(Point, u32)>,
}

impl Default for Vct {
    fn default() -> Vct {
        Vct { table: vec![[FREE; WAYS]; BUCKETS].into(), vcf: Vcf::default(), moves: Vec::new() }
    }
}

/// What the shapes say about a node.
enum Glance {
    Settled(Numbers, Option<Point>),
    /// What to try, and the plies that the attack lasts if all of it fails.
    Try(PointSet, usize),
}

/// One attack under way.
struct Attack<'a, F> {
    position: &'a mut Position,
    evaluator: &'a Evaluator,
    vct: &'a mut Vct,
    /// Called per node; `true` ends the attack.
    interrupt: F,
    attacker: Side,
    nodes: u32,
    budget: u32,
}

impl Vct {
    /// Look for a win of the side to move within so many nodes. `interrupt` is called at each; `true`
    /// gives up.
    pub fn search(
        &mut self,
        position: &mut Position,
        evaluator: &Evaluator,
        budget: u32,
        interrupt: impl FnMut() -> bool,
    ) -> Option<Win> {
        let attacker = position.side_to_move();
        self.moves.clear();
        let key = key(position, attacker);
        if self.probe(key).is_none_or(|entry| !entry.numbers.are_final()) {
            let vct = &mut *self;
            let nodes = 0;
            Attack { position, evaluator, vct, interrupt, attacker, nodes, budget }
                .node(NEVER, NEVER);
        }
        let Entry { numbers, best, .. } = self.probe(key)?;
        let plies = usize::from(numbers.plies);
        best.filter(|_| numbers.phi == 0).map(|first| Win { plies, first })
    }

    /// How the side to move wins after [`Vct::search`] has found that it does, against the defence
    /// that holds out longest; as far as the memory goes, which need not be up to the five.
    pub fn line(&self, position: &mut Position) -> Vec<Point> {
        let attacker = position.side_to_move();
        let mut line = Vec::new();
        while let Some(p) = self.next_of_line(position, attacker) {
            position.push(p);
            line.push(p);
        }
        line.iter().for_each(|_| position.pop());
        line
    }

    fn next_of_line(&self, position: &Position, attacker: Side) -> Option<Point> {
        let free = |&p: &Point| position.board().is_empty(p) && position.is_legal(p);
        if position.side_to_move() == attacker {
            let entry = self.probe(key(position, attacker))?;
            return entry.best.filter(free).filter(|_| entry.numbers.phi == 0);
        }
        let held_out = |p: Point| {
            let child = self.probe(salted(position.board().key_after(p), attacker))?;
            (child.numbers.phi == 0).then_some((child.numbers.plies, p))
        };
        let answers = defence(position).points;
        answers
            .iter()
            .filter(free)
            .filter_map(held_out)
            .max_by_key(|&(plies, _)| plies)
            .map(|(_, p)| p)
    }

    fn bucket(key: u64) -> usize {
        (key >> 40) as usize % BUCKETS
    }

    fn probe(&self, key: u64) -> Option<Entry> {
        self.table[Vct::bucket(key)].iter().copied().find(|e| e.key == key && e.work > 0)
    }

    /// What took least makes room.
    fn store(&mut self, entry: Entry) {
        let bucket = &mut self.table[Vct::bucket(entry.key)];
        let same = bucket.iter().position(|e| e.key == entry.key);
        let slot = same.or_else(|| (0..WAYS).min_by_key(|&i| bucket[i].work));
        bucket[slot.unwrap_or(0)] = entry;
    }
}

/// Proofs of one attacker say nothing about the other.
fn key(position: &Position, attacker: Side) -> u64 {
    salted(position.board().key(), attacker)
}

fn salted(key: u64, attacker: Side) -> u64 {
    key ^ [0, 0x9E37_79B9_7F4A_7C15][attacker.index()]
}

impl<F: FnMut() -> bool> Attack<'_, F> {
    /// Search a node until a number of the player to move reaches its limit.
    fn node(&mut self, phi_limit: u32, delta_limit: u32) -> Numbers {
        let before = self.nodes;
        self.nodes += 1;
        if (self.interrupt)() {
            self.budget = 0;
        }
        let is_attack = self.position.side_to_move() == self.attacker;
        let (numbers, best) = match if is_attack { self.attack() } else { self.defence() } {
            Glance::Settled(numbers, best) => (numbers, best),
            Glance::Try(points, lasting) => {
                let start = self.vct.moves.len();
                self.list(&points, is_attack);
                let result = self.try_moves(start, lasting, is_attack, phi_limit, delta_limit);
                self.vct.moves.truncate(start);
                result
            }
        };
        let (key, work) = (key(self.position, self.attacker), self.nodes - before);
        self.vct.store(Entry { key, numbers, best, work });
        numbers
    }

    /// List the moves to try, each with a first guess at its delta: for the attacker the larger the
    /// less the ordering thinks of it.
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
            let behind = (top - value(*p)) * vct_doubt() / ORDER_SCALE;
            *delta = guess(position.threats().at(*p, self.attacker)) + behind.unsigned_abs();
        }
    }

    /// Search the moves listed from `start` on, the most promising first.
    fn try_moves(
        &mut self,
        start: usize,
        lasting: usize,
        is_attack: bool,
        phi_limit: u32,
        delta_limit: u32,
    ) -> (Numbers, Option<Point>) {
        loop {
            let mut best: Option<(Point, Numbers)> = None;
            let (mut second, mut hardest, mut open) = (NEVER, 0, 0);
            // Plies that the longest of the moves that failed lasted.
            let mut longest = lasting;
            for &(p, guess) in &self.vct.moves[start..] {
                let child = salted(self.position.board().key_after(p), self.attacker);
                let guess = if is_attack { (1, guess) } else { (guess, 1) };
                let numbers = match self.vct.probe(child) {
                    Some(entry) => entry.numbers,
                    None => Numbers { phi: guess.0, delta: guess.1, plies: 0 },
                };
                if numbers.phi == 0 {
                    longest = longest.max(usize::from(numbers.plies) + 1);
                    continue;
                }
                open += 1;
                hardest = hardest.max(numbers.phi);
                let rank = |numbers: Numbers| (numbers.delta, numbers.plies);
                if best.is_none_or(|(_, best)| rank(numbers) < rank(best)) {
                    second = best.map_or(NEVER, |(_, best)| best.delta);
                    best = Some((p, numbers));
                } else {
                    second = second.min(numbers.delta);
                }
            }
            let Some((p, child)) = best else { return (Numbers::failure(longest), None) };
            if child.delta == 0 {
                return (Numbers::success(usize::from(child.plies) + 1), Some(p));
            }
            // The sum would count what several moves lead to several times.
            let (phi, delta) = (child.delta, (hardest + open - 1).min(NEVER - 1));
            if phi >= phi_limit || delta >= delta_limit || self.nodes >= self.budget {
                return (Numbers { phi, delta, plies: 0 }, Some(p));
            }
            // Stay with a move until it is clearly worse than the next.
            let child_delta_limit =
                phi_limit.min(second.saturating_add(second / vct_patience() as u32 + 1));
            let child_phi_limit = (delta_limit - delta).saturating_add(child.phi);
            self.position.push(p);
            self.node(child_phi_limit, child_delta_limit);
            self.position.pop();
        }
    }

    /// The attacker is to move: what he can win by at once, or the threats he can make.
    fn attack(&mut self) -> Glance {
        let won = |plies, p| Glance::Settled(Numbers::success(plies), Some(p));
        let lost = Glance::Settled(Numbers::failure(0), None);
        let own = self.attacker;
        let threats = self.position.threats();
        if let Some(plies) = win_in(self.position)
            && let Some(p) = winning_move(self.position, plies)
        {
            return won(plies, p);
        }
        let Defence { against, points: helpful } = defence(self.position);
        if against == OpponentThreat::Five {
            // To stop it may be a threat, too.
            return if helpful.is_empty() { lost } else { Glance::Try(helpful, 0) };
        }
        let threes = *threats.threes(own);
        let must_defend = against == OpponentThreat::OpenFour;
        let threes = if must_defend { threes.intersection(&helpful) } else { threes };
        let moves = threes.union(threats.fours(own));
        if let Some(win) = self.wins_by_fours() {
            return won(win.plies, win.first);
        }
        Glance::Try(moves, 0)
    }

    /// The defender is to move: what he can win or lose by at once, or all that could help.
    fn defence(&mut self) -> Glance {
        let escaped = Glance::Settled(Numbers::success(0), None);
        let own = self.attacker.opponent();
        let threats = self.position.threats();
        if threats.count(own, Threat::Five) > 0 || self.position.board().empty_count() == 0 {
            return escaped;
        }
        let Defence { against, points: helpful } = defence(self.position);
        let Some(lasting) = against.loss_in() else { return escaped };
        let may_counter = against != OpponentThreat::Five;
        if may_counter && (win_in(self.position).is_some() || self.wins_by_fours().is_some()) {
            return escaped;
        }
        Glance::Try(helpful, lasting)
    }

    /// A win of the player to move by fours, looked for only once.
    fn wins_by_fours(&mut self) -> Option<Win> {
        let is_new = self.vct.probe(key(self.position, self.attacker)).is_none();
        let may = is_new && self.position.threats().has_fours(self.position.side_to_move());
        let effort = Effort { moves: vct_fours().unsigned_abs(), narrow: true };
        let interrupt = || false;
        may.then(|| self.vct.vcf.search(self.position, effort, interrupt)).flatten()
    }
}
