//! The shortest win: by fours, by fours and open threes, or of three stones by all moves.
//!
//! A depth-first search over the winner's moves, limited by the number of the winner's stones. The
//! winner plays fours and open threes, and stops fives. The loser plays every move that may help.
//! With the limit raised from one, the first win is the shortest of its kind.
//!
//! VCF and VCT find a win fast, but not the shortest one. Without this search, a player would often
//! replace one win by another that is as long, and never come closer to the five.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::board::{Board, Point, Side};
use crate::pattern::Threat;
use crate::pattern::set::PointSet;
use crate::position::Position;

use super::tactics::defence;

/// The moves of the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attack {
    /// Fours.
    Fours,
    /// Fours, open threes, and moves that stop a five.
    Threats,
    /// All moves, if the win has three stones: the first may be quiet and threaten double fours, or
    /// fours that the opponent is forbidden to answer. Threats in wins of more stones.
    All,
}

/// Stones of the wins in which [`Attack::All`] tries all moves. A shorter win begins with a four.
const ALL_MOVES_STONES: usize = 3;

/// A win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Win {
    /// The moves of both sides up to the five.
    pub line: Vec<Point>,
}

impl Win {
    /// Returns the number of the winner's stones.
    pub fn stones(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

/// The search ran out of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfNodes;

/// Bounds of the shortest win in a position with the attacker to move.
#[derive(Clone, Copy)]
struct Known {
    /// The largest number of stones that does not suffice.
    fails: usize,
    /// The smallest number of stones that suffices.
    wins: usize,
}

const UNKNOWN: Known = Known { fails: 0, wins: usize::MAX };

/// Searches wins of the side to move in one position.
pub struct Shortest<'a> {
    position: Position,
    attacker: Side,
    attack: Attack,
    known: HashMap<u64, Known>,
    /// Nodes left.
    nodes: u32,
    /// Called at each node; `true` ends the search as if it had no nodes left.
    interrupt: Box<dyn FnMut() -> bool + 'a>,
}

impl<'a> Shortest<'a> {
    /// Returns a search of at most `nodes` nodes for wins of the side to move.
    pub fn new(board: &Board, attack: Attack, nodes: u32) -> Shortest<'a> {
        Shortest::with_interrupt(board, attack, nodes, || false)
    }

    /// Returns a search that also ends when `interrupt`, which is called at each node, returns
    /// `true`.
    pub fn with_interrupt(
        board: &Board,
        attack: Attack,
        nodes: u32,
        interrupt: impl FnMut() -> bool + 'a,
    ) -> Shortest<'a> {
        let attacker = board.side_to_move();
        let (position, interrupt) = (Position::new(board), Box::new(interrupt));
        Shortest { position, attacker, attack, known: HashMap::new(), nodes, interrupt }
    }

    /// Returns the shortest win of at most `max_stones` of the winner's stones.
    pub fn find(&mut self, max_stones: usize) -> Result<Option<Win>, OutOfNodes> {
        for stones in 1..=max_stones {
            if self.wins(stones)? {
                return Ok(Some(Win { line: self.line(stones)? }));
            }
        }
        Ok(None)
    }

    /// Returns whether the side to move wins with `stones` stones, the first at `p`.
    pub fn wins_with(&mut self, p: Point, stones: usize) -> Result<bool, OutOfNodes> {
        if self.position.threats().at(p, self.attacker) == Threat::Five {
            return Ok(stones > 0);
        }
        if stones < 2 {
            return Ok(false);
        }
        self.after(p, |search| search.loses(stones - 1))
    }

    /// Calls `search` in the position after `p`.
    fn after<T>(
        &mut self,
        p: Point,
        search: impl FnOnce(&mut Shortest<'a>) -> Result<T, OutOfNodes>,
    ) -> Result<T, OutOfNodes> {
        self.nodes = self.nodes.checked_sub(1).ok_or(OutOfNodes)?;
        if (self.interrupt)() {
            return Err(OutOfNodes);
        }
        self.position.push(p);
        let result = search(self);
        self.position.pop();
        result
    }

    /// Returns whether the attacker, to move, wins with `stones` stones.
    fn wins(&mut self, stones: usize) -> Result<bool, OutOfNodes> {
        if self.count(self.attacker, Threat::Five) > 0 {
            return Ok(stones > 0);
        }
        if stones < 2 {
            return Ok(false);
        }
        let key = self.position.board().key();
        let Known { fails, wins } = *self.known.get(&key).unwrap_or(&UNKNOWN);
        if stones <= fails || stones >= wins {
            return Ok(stones >= wins);
        }
        let mut won = false;
        for p in self.attacks(stones) {
            if self.wins_with(p, stones)? {
                won = true;
                break;
            }
        }
        let known = self.known.entry(key).or_insert(UNKNOWN);
        if won {
            known.wins = known.wins.min(stones);
        } else {
            known.fails = known.fails.max(stones);
        }
        Ok(won)
    }

    /// Returns whether every move of the defender, who is to move, loses to `stones` stones.
    fn loses(&mut self, stones: usize) -> Result<bool, OutOfNodes> {
        if stones == 0
            || self.count(self.attacker.opponent(), Threat::Five) > 0
            || self.position.board().empty_count() == 0
        {
            return Ok(false);
        }
        let is_four = self.count(self.attacker, Threat::Five) > 0;
        let is_three = stones >= 2 && self.count(self.attacker, Threat::OpenFour) > 0;
        let is_quiet = !is_four && !is_three;
        let is_tried = match self.attack {
            Attack::Fours => is_four,
            Attack::Threats => !is_quiet,
            Attack::All => !is_quiet || stones == ALL_MOVES_STONES - 1,
        };
        if !is_tried {
            return Ok(false);
        }
        let replies = if is_quiet { self.legal(&self.all_points()) } else { self.replies() };
        for p in replies {
            if !self.after(p, |search| search.wins(stones))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn count(&self, side: Side, threat: Threat) -> u32 {
        self.position.threats().count(side, threat)
    }

    /// Returns the legal moves of the attacker, the strongest first.
    fn attacks(&self, stones: usize) -> Vec<Point> {
        let threats = self.position.threats();
        let fours = *threats.fours(self.attacker);
        let must_stop = |threat| threats.count(self.attacker.opponent(), threat) > 0;
        let helpful = || defence(&self.position).points;
        let points = match self.attack {
            Attack::Fours if must_stop(Threat::Five) => fours.intersection(&helpful()),
            Attack::Fours => fours,
            _ if must_stop(Threat::Five) => helpful(),
            _ if stones < 3 => fours,
            Attack::All if stones == ALL_MOVES_STONES => self.all_points(),
            _ if must_stop(Threat::OpenFour) => {
                fours.union(&threats.threes(self.attacker).intersection(&helpful()))
            }
            _ => fours.union(threats.threes(self.attacker)),
        };
        let mut moves = self.legal(&points);
        moves.sort_by_key(|&p| Reverse(threats.at(p, self.attacker)));
        moves
    }

    /// Returns the legal moves of the defender that may help. The others lose at once.
    fn replies(&self) -> Vec<Point> {
        self.legal(&defence(&self.position).points)
    }

    fn all_points(&self) -> PointSet {
        self.position.board().empty_points().collect()
    }

    fn legal(&self, points: &PointSet) -> Vec<Point> {
        points.iter().filter(|&p| self.position.is_legal(p)).collect()
    }

    /// Returns the smallest number of stones, up to `max`, with which the attacker wins.
    fn least(&mut self, max: usize) -> Result<usize, OutOfNodes> {
        for stones in 1..max {
            if self.wins(stones)? {
                return Ok(stones);
            }
        }
        Ok(max)
    }

    /// Returns the moves of a win with `stones` stones. The defence lasts as long as it can.
    fn line(&mut self, mut stones: usize) -> Result<Vec<Point>, OutOfNodes> {
        let mut line = Vec::new();
        while let Some(p) = self.winning_move(stones)? {
            self.position.push(p);
            line.push(p);
            stones -= 1;
            if stones == 0 {
                break;
            }
            let Some((reply, left)) = self.longest_reply(stones)? else { break };
            self.position.push(reply);
            line.push(reply);
            stones = left;
        }
        line.iter().for_each(|_| self.position.pop());
        Ok(line)
    }

    fn winning_move(&mut self, stones: usize) -> Result<Option<Point>, OutOfNodes> {
        let threats = self.position.threats();
        if let Some(five) = threats.points_at(self.attacker, Threat::Five).next() {
            return Ok(Some(five));
        }
        for p in self.attacks(stones) {
            if self.wins_with(p, stones)? {
                return Ok(Some(p));
            }
        }
        Ok(None)
    }

    /// Returns the reply after which the attacker needs most stones, and their number.
    fn longest_reply(&mut self, stones: usize) -> Result<Option<(Point, usize)>, OutOfNodes> {
        let mut replies = self.replies();
        if self.attack == Attack::All && stones == ALL_MOVES_STONES - 1 {
            // All may lose equally soon: the attacker's best points come first.
            replies = self.legal(&self.all_points());
            let threats = self.position.threats();
            replies.sort_by_key(|&p| Reverse(threats.at(p, self.attacker)));
        }
        if replies.is_empty() {
            // Nothing stops all threats: stop one of them, or play anywhere.
            let threats = self.position.threats();
            let at = |threat| threats.points_at(self.attacker, threat);
            let all = self.position.board().empty_points();
            let points = at(Threat::Five).chain(at(Threat::OpenFour)).chain(all);
            replies.extend(points.filter(|&p| self.position.is_legal(p)).take(1));
        }
        let mut longest = None;
        for p in replies {
            let left = self.after(p, |search| search.least(stones))?;
            if longest.is_none_or(|(_, most)| left > most) {
                longest = Some((p, left));
            }
        }
        Ok(longest)
    }
}
