//! What a match asks of the engine beyond the rules: proofs that end games, and values by which
//! openings are balanced.

use crate::board::{Board, Point};
use crate::eval;
use crate::position::Position;
use crate::score::Score;
use crate::search::{Engine, Limits, Signals, Silent, vcf};

/// Attacker's moves that a proof may look at.
const PROOF_BUDGET: u32 = 20_000;

/// Up to this value for either side a position may turn out even, in score units.
const LIKELY_BALANCE: i32 = 250;
/// Nodes of the search that decides. Of pairs of games between equal engines of as many nodes a move 47 %
/// are won by the same colour twice or drawn twice then; without a search 73 %.
const SEARCH_NODES: u64 = 10_000;
/// Its table, in bytes.
const HASH_BYTES: usize = 1 << 20;

/// A win by continuous fours for the side to move, as moves of both sides in turn.
pub fn prove(board: &Board) -> Option<Vec<Point>> {
    vcf::prove(board, PROOF_BUDGET)
}

/// How good a position is for the side to move, for openings: the evaluation where that is far from even,
/// else what a short search says. Most openings that look even are not.
pub fn evaluate(board: &Board) -> Score {
    let value = eval::evaluate(&Position::new(board));
    if value.value().abs() > LIKELY_BALANCE {
        return value;
    }
    // A new engine for each: the answer is by the board alone.
    let limits = Limits { max_nodes: Some(SEARCH_NODES), ..Limits::default() };
    Engine::new(HASH_BYTES).think(board, &limits, &Signals::default(), &mut Silent).score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;

    #[test]
    fn openings_that_only_look_even_are_found_out() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(8, 6), (10, 4), (7, 11), (11, 3)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let looks = eval::evaluate(&Position::new(&board));
        assert!(looks.value().abs() <= 60, "{looks:?}");
        let is = evaluate(&board);
        assert!(is.value().abs() > 400, "{is:?}");
        assert_eq!(evaluate(&board), is);
    }
}
