//! The forced win that a search has proven, with its line.
//!
//! A proof with its whole tree is not kept. But while the game follows the line of the proof, the
//! win is still proven, and comes closer with every move. A new search might find a longer win, or
//! none. So along the engine's own line the distance to the five never grows.

use crate::board::{Board, Point, Side};
use crate::score::Score;

use super::report::Answer;

/// A forced win or loss of the side to move, and the line of its proof.
pub(super) struct ProvenLine {
    board: Board,
    score: Score,
    line: Vec<Point>,
}

/// A forced win in a position, known from an earlier search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct KnownWin {
    /// The side that wins.
    pub winner: Side,
    /// Maximum number of plies to the five.
    pub plies: usize,
    /// The rest of the line. Empty if the loser has left it.
    pub line: Vec<Point>,
}

impl ProvenLine {
    /// Returns the line of an answer, if it is a forced win or loss.
    pub fn of(board: &Board, answer: &Answer) -> Option<ProvenLine> {
        let Answer { score, ref pv, .. } = *answer;
        let is_proven = score.is_decided() && !pv.is_empty();
        is_proven.then(|| ProvenLine { board: board.clone(), score, line: pv.clone() })
    }

    /// Returns what is known about a position on the line, or after the first move with which the
    /// loser left it. Nothing is known about the position of a loss itself.
    pub fn at(&self, board: &Board) -> Option<KnownWin> {
        let stones = board.stones().map(|stone| stone.point);
        let played: Vec<Point> = stones.skip(self.board.stones().count()).collect();
        let mut after = self.board.clone();
        played.iter().try_for_each(|&p| after.play(p)).ok()?;
        let size = |board: &Board| (board.width(), board.height());
        let is_same = after.key() == board.key()
            && after.variant() == board.variant()
            && size(&after) == size(board);
        if !is_same {
            return None;
        }
        let side = self.board.side_to_move();
        let winner = if self.score.is_win() { side } else { side.opponent() };
        let followed = played.iter().zip(&self.line).take_while(|(p, q)| p == q).count();
        let has_left = match played.len() - followed {
            0 => false,
            // The loser left the line with the last move.
            1 if board.side_to_move() == winner => true,
            _ => return None,
        };
        // Another first move may hold, if the search was interrupted before it saw them all.
        if self.score.is_loss() && played.is_empty() {
            return None;
        }
        let plies = self.score.plies_to_five()?.checked_sub(played.len()).filter(|&n| n > 0)?;
        let line = if has_left { Vec::new() } else { self.line[followed..].to_vec() };
        Some(KnownWin { winner, plies, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    fn points(board: &Board, names: &str) -> Vec<Point> {
        names.split_whitespace().map(|name| board.parse_point(name).unwrap()).collect()
    }

    fn after(names: &str) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        points(&board, names).into_iter().for_each(|p| board.play(p).unwrap());
        board
    }

    fn proven(board: &Board, score: Score, line: &str) -> ProvenLine {
        let pv = points(board, line);
        let (best, root_nodes) = (pv.first().copied(), Vec::new());
        let answer = Answer { best, score, depth: 1, nodes: 1, pv, root_nodes };
        ProvenLine::of(board, &answer).unwrap()
    }

    #[test]
    fn a_win_comes_closer_along_its_line() {
        let start = "h8 a1 i8 a15 j8 o1";
        let board = after(start);
        let proven = proven(&board, Score::win_in(3), "k8 g8 l8");
        let known = |moves: &str| proven.at(&after(&format!("{start} {moves}")));
        let expected = |plies, line: &str| {
            Some(KnownWin { winner: Side::Black, plies, line: points(&board, line) })
        };
        assert_eq!(known(""), expected(3, "k8 g8 l8"));
        assert_eq!(known("k8"), expected(2, "g8 l8"));
        assert_eq!(known("k8 g8"), expected(1, "l8"));
        // The loser left the line, the win remains.
        assert_eq!(known("k8 l8"), expected(1, ""));
        // The winner left it, or the game is over.
        assert_eq!((known("c3"), known("c3 g8"), known("k8 g8 l8")), (None, None, None));
        assert_eq!(proven.at(&after("h8 a1 i8")), None);
        assert_eq!(proven.at(&after("h8 a1 i8 a15 j8 c3")), None);
    }

    #[test]
    fn a_loss_is_known_until_the_winner_leaves_the_line() {
        let start = "h8 a1 i8 a15 j8 o1 k8";
        let board = after(start);
        let proven = proven(&board, Score::loss_in(2), "g8 l8");
        let known = |moves: &str| proven.at(&after(&format!("{start} {moves}")));
        let plies = |moves: &str| known(moves).map(|known| (known.winner, known.plies));
        assert_eq!(plies(""), None, "another move may hold");
        assert_eq!(plies("g8"), Some((Side::Black, 1)));
        assert_eq!(plies("c3"), Some((Side::Black, 1)));
        assert_eq!(plies("g8 c3"), None);
        assert_eq!(plies("c3 l8"), None);
    }
}
