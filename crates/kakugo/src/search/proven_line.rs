//! The line of the latest proven win: along it, distances to the five do not grow.
//!
//! A new search may prove a longer win than the search before, because it finds another proof first.
//! If the game follows the line of that search, its proof is still valid and shorter.

use std::collections::HashMap;

use super::limits::Limits;
use super::report::Answer;
use crate::board::{Board, Point};
use crate::score::Score;

/// Scores and lines of the positions along a proven win, by their keys.
#[derive(Default)]
pub struct ProvenLine(HashMap<u64, (Score, Vec<Point>)>);

impl ProvenLine {
    /// Forgets the line.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Replaces a win or loss by the one that an earlier search has proven for this position, if
    /// that is shorter. Returns true if the answer has changed.
    pub fn improve(&self, board: &Board, limits: &Limits, answer: &mut Answer) -> bool {
        if limits.multi_pv > 1 {
            return false;
        }
        let Some((score, line)) = self.0.get(&board.key()) else { return false };
        let is_shorter = if score.is_win() {
            answer.score < *score
        } else {
            answer.score.is_loss() && answer.score > *score
        };
        let Some(&first) = line.first().filter(|&&p| is_shorter && limits.allows(p)) else {
            return false;
        };
        (answer.best, answer.score) = (Some(first), *score);
        answer.pv.clone_from(line);
        true
    }

    /// Remembers the line of a proven win or loss.
    pub fn remember(&mut self, board: &Board, answer: &Answer) {
        self.0.clear();
        let Some(plies) = answer.score.plies_to_five() else { return };
        let (mut after, mut is_win) = (board.clone(), answer.score.is_win());
        for (i, &p) in answer.pv.iter().enumerate() {
            let rest = &answer.pv[i + 1..];
            if rest.is_empty() || plies <= i + 1 || after.play(p).is_err() {
                return;
            }
            is_win = !is_win;
            let left = plies - (i + 1);
            let score = if is_win { Score::win_in(left) } else { Score::loss_in(left) };
            self.0.insert(after.key(), (score, rest.to_vec()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Outcome, Variant};

    fn answer(score: Score, pv: Vec<Point>) -> Answer {
        let best = pv.first().copied();
        Answer { best, score, depth: 1, nodes: 1, pv, root_nodes: Vec::new() }
    }

    #[test]
    fn a_longer_proof_is_replaced_along_the_line() {
        let drawing = ".......\n.......\n.XXX...\n.......\n...O...\n..O.O..\n.......";
        let mut board = Board::from_diagram(Variant::FREESTYLE, drawing).unwrap();
        let line: Vec<Point> =
            ["e5", "f5", "a5"].iter().map(|name| board.parse_point(name).unwrap()).collect();
        let mut known = ProvenLine::default();
        known.remember(&board, &answer(Score::win_in(3), line.clone()));
        let limits = Limits::default();
        let improved = |known: &ProvenLine, board: &Board, limits: &Limits, score: Score| {
            let mut other = answer(score, vec![board.parse_point("g1").unwrap()]);
            known.improve(board, limits, &mut other).then_some((other.score, other.best))
        };
        let (long, lost) = (Score::win_in(9), Score::loss_in(8));
        assert_eq!(improved(&known, &board, &limits, long), None, "not yet on the line");
        board.play(line[0]).unwrap();
        let shorter = Some((Score::loss_in(2), Some(line[1])));
        assert_eq!(improved(&known, &board, &limits, lost), shorter);
        assert_eq!(improved(&known, &board, &limits, Score::ZERO), None);
        board.play(line[1]).unwrap();
        let win = Some((Score::win_in(1), Some(line[2])));
        assert_eq!(improved(&known, &board, &limits, long), win);
        assert_eq!(improved(&known, &board, &limits, Score::ZERO), win);
        assert_eq!(improved(&known, &board, &limits, Score::win_in(1)), None);
        let without = Limits::new().without([line[2]]);
        assert_eq!(improved(&known, &board, &without, long), None);
        known.clear();
        assert_eq!(improved(&known, &board, &limits, long), None);
        board.play(line[2]).unwrap();
        assert!(matches!(board.outcome(), Outcome::Win(_)));
    }
}
