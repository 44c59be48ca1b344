//! What a match asks of the engine beyond the rules: proofs that end games, and values by which
//! openings are balanced.

use kakugo::board::{Board, Point};
use kakugo::eval;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent, vcf};

/// Attacker's moves that a proof may look at.
const PROOF_BUDGET: u32 = 20_000;

/// Up to this value for either side a position may turn out even, in score units.
const LIKELY_BALANCE: i32 = 250;
/// A search of more nodes than this comes after one of so many, which finds most that is not even.
const FIRST_NODES: u64 = 10_000;
/// The table of a search: this much for each node, at least and at most so much, in bytes.
const HASH_BYTES_PER_NODE: u64 = 64;
const HASH_BYTES: std::ops::RangeInclusive<u64> = 1 << 20..=1 << 26;

/// A win by continuous fours for the side to move, as moves of both sides in turn.
pub fn prove(board: &Board) -> Option<Vec<Point>> {
    vcf::prove(board, PROOF_BUDGET)
}

/// How good a position is for the side to move, for openings: the evaluation where that is far from even,
/// else what a search of so many nodes says. Most openings that look even are not.
pub fn evaluate(board: &Board, nodes: u64) -> Score {
    let is_uneven = |value: &Score| value.value().abs() > LIKELY_BALANCE;
    Some(eval::evaluate(&Position::new(board)))
        .filter(is_uneven)
        .or_else(|| (nodes > FIRST_NODES).then(|| search(board, FIRST_NODES)).filter(is_uneven))
        .unwrap_or_else(|| search(board, nodes))
}

/// What a search says. By a new engine for each: the answer is by the board and the nodes alone.
fn search(board: &Board, nodes: u64) -> Score {
    let (least, most) = HASH_BYTES.into_inner();
    let bytes = nodes.saturating_mul(HASH_BYTES_PER_NODE).clamp(least, most) as usize;
    let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
    Engine::new(bytes).think(board, &limits, &Signals::default(), &mut Silent).score
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    fn opening(stones: &[(u8, u8)]) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for &(x, y) in stones {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        board
    }

    #[test]
    fn openings_that_only_look_even_are_found_out() {
        let board = opening(&[(8, 6), (10, 4), (7, 11), (11, 3)]);
        let looks = eval::evaluate(&Position::new(&board));
        assert!(looks.value().abs() <= LIKELY_BALANCE, "{looks:?}");
        let is = evaluate(&board, FIRST_NODES);
        assert!(is.value().abs() > 400, "{is:?}");
        assert_eq!(evaluate(&board, FIRST_NODES), is);
    }

    #[test]
    fn a_long_search_comes_only_where_a_short_one_finds_nothing() {
        let uneven = opening(&[(8, 6), (10, 4), (7, 11), (11, 3)]);
        assert_eq!(evaluate(&uneven, 2 * FIRST_NODES), evaluate(&uneven, FIRST_NODES));
        let even = opening(&[(7, 7), (8, 7), (4, 4)]);
        let short = search(&even, FIRST_NODES);
        assert!(short.value().abs() <= LIKELY_BALANCE, "{short:?}");
        assert_eq!(evaluate(&even, 2 * FIRST_NODES), search(&even, 2 * FIRST_NODES));
    }
}
