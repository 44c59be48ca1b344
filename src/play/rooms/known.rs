//! What is known of a game: values along its moves, what was found about the position, a review, a
//! hint.

use crate::analysis::review::Review;
use crate::board::{Board, Point, Side};

use super::findings::Findings;

/// What is known of a game.
#[derive(Default)]
pub struct Known {
    /// The moves that all this is about.
    line: Vec<Point>,
    /// Expected result for Black after so many stones, per mille.
    pub values: Vec<Option<u32>>,
    /// The whole game looked at again.
    pub review: Option<Review>,
    /// A move suggested in the position.
    pub hint: Option<Point>,
    /// What the newest search of the position found.
    pub findings: Option<Findings>,
}

impl Known {
    /// The position has changed, and the game's moves are these now: keep what still holds.
    pub fn follow(&mut self, line: Vec<Point>) {
        self.findings = None;
        self.hint = None;
        if line != self.line {
            let same = line.iter().zip(&self.line).take_while(|(new, old)| new == old).count();
            self.values.truncate(same + 1);
            self.review = None;
            self.line = line;
        }
    }

    /// A search has found something about this position of the game.
    pub fn learn(&mut self, board: &Board, findings: Findings) {
        if let Some(best) = findings.lines.first() {
            let black = board.side_to_move() == Side::Black;
            let score = if black { best.score } else { -best.score };
            self.note(board.ply(), score.win_rate_permille());
        }
        self.findings = Some(findings);
    }

    /// The game was looked at again.
    pub fn learn_review(&mut self, review: Review) {
        for (ply, judged) in review.positions.iter().enumerate() {
            self.note(ply, judged.black_permille);
        }
        self.review = Some(review);
    }

    /// Note the value after `ply` stones, per mille for Black.
    pub fn note(&mut self, ply: usize, permille: u32) {
        if self.values.len() <= ply {
            self.values.resize(ply + 1, None);
        }
        self.values[ply] = Some(permille);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(xs: &[u8]) -> Vec<Point> {
        xs.iter().map(|&x| Point::new(x, 0).unwrap()).collect()
    }

    #[test]
    fn values_hold_up_to_where_the_game_took_another_way() {
        let mut known = Known::default();
        known.follow(line(&[1, 2, 3]));
        for ply in 0..=3 {
            known.note(ply, 500 + ply as u32);
        }
        known.follow(line(&[1, 2, 3]));
        assert_eq!(known.values.len(), 4, "the same moves: all still holds");
        known.follow(line(&[1, 2, 4, 5]));
        assert_eq!(known.values, [Some(500), Some(501), Some(502)]);
        known.note(4, 7);
        assert_eq!(known.values, [Some(500), Some(501), Some(502), None, Some(7)]);
    }
}
