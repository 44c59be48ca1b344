//! What a match asks of the engine beyond the rules: proofs that end games, and values by which
//! openings are balanced.

use crate::board::{Board, Point};
use crate::eval;
use crate::position::Position;
use crate::score::Score;
use crate::search::vcf;

/// Attacker's moves that a proof may look at.
const PROOF_BUDGET: u32 = 20_000;

/// A win by continuous fours for the side to move, as moves of both sides in turn.
pub fn prove(board: &Board) -> Option<Vec<Point>> {
    vcf::prove(board, PROOF_BUDGET)
}

/// The value of a position that is not forced. Where either side wins by fours it is decided.
pub fn evaluate(board: &Board) -> Score {
    let mut passed = board.clone();
    passed.set_side_to_move(board.side_to_move().opponent());
    let wins = |board: &Board| prove(board).map(|line| Score::win_in(line.len()));
    match (wins(board), wins(&passed)) {
        (Some(win), _) => win,
        (None, Some(threat)) => -threat,
        (None, None) => eval::evaluate(&Position::new(board)),
    }
}
