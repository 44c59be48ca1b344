//! Services of the engine library for a match: proofs for adjudication, evaluations for balanced
//! openings.

use std::path::Path;

use crate::game::Prover;
use kakugo::board::{Board, Point};
use kakugo::eval;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent, vcf};

/// Evaluates a position from the side to move's point of view, with a search of that many nodes.
pub type Evaluate<'a> = &'a (dyn Fn(&Board, u64) -> Score + Sync);

/// Functions and paths that the match runner takes from its surroundings.
#[derive(Clone, Copy)]
pub struct Services<'a> {
    /// Finds a win by continuous fours, for `--adjudicate`.
    pub prove: Option<Prover<'a>>,
    /// Evaluates positions for `--openings balanced:N`.
    pub evaluate: Option<Evaluate<'a>>,
    /// Path of this executable, which runs engines given as `self`.
    pub program: &'a Path,
}

/// Maximum number of attacking moves that a proof may visit.
const PROOF_BUDGET: u32 = 20_000;

/// Static evaluations beyond this are taken as uneven without a search.
const MAX_EVEN_EVALUATION: i32 = 250;
/// Nodes of the search that precedes a longer one. It rejects most uneven openings.
const SHORT_SEARCH_NODES: u64 = 10_000;
/// Size of the transposition table of a search: bytes per node, and its range in bytes.
const HASH_BYTES_PER_NODE: u64 = 64;
const HASH_BYTES: std::ops::RangeInclusive<u64> = 1 << 20..=1 << 26;

/// Returns a win by continuous fours for the side to move, as moves of both sides in turn.
pub fn prove(board: &Board) -> Option<Vec<Point>> {
    vcf::prove(board, PROOF_BUDGET)
}

/// Returns the evaluation of an opening for the side to move.
///
/// It is the static evaluation if that is clearly uneven, otherwise the score of a search of
/// `nodes` nodes. Most openings with an even static evaluation are not even.
pub fn evaluate(board: &Board, nodes: u64) -> Score {
    let is_uneven = |value: &Score| value.value().abs() > MAX_EVEN_EVALUATION;
    Some(eval::evaluate(&Position::new(board)))
        .filter(is_uneven)
        .or_else(|| {
            (nodes > SHORT_SEARCH_NODES)
                .then(|| search(board, SHORT_SEARCH_NODES))
                .filter(is_uneven)
        })
        .unwrap_or_else(|| search(board, nodes))
}

/// Returns the score of a search. A new engine makes it depend on the board and nodes alone.
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
    fn uneven_openings_with_an_even_static_evaluation_are_detected() {
        let board = opening(&[(8, 6), (10, 4), (7, 11), (11, 3)]);
        let looks = eval::evaluate(&Position::new(&board));
        assert!(looks.value().abs() <= MAX_EVEN_EVALUATION, "{looks:?}");
        let is = evaluate(&board, SHORT_SEARCH_NODES);
        assert!(is.value().abs() > 400, "{is:?}");
        assert_eq!(evaluate(&board, SHORT_SEARCH_NODES), is);
    }

    #[test]
    fn a_long_search_runs_only_if_a_short_one_is_even() {
        let uneven = opening(&[(8, 6), (10, 4), (7, 11), (11, 3)]);
        assert_eq!(
            evaluate(&uneven, 2 * SHORT_SEARCH_NODES),
            evaluate(&uneven, SHORT_SEARCH_NODES)
        );
        let even = opening(&[(7, 7), (8, 7), (4, 4)]);
        let short = search(&even, SHORT_SEARCH_NODES);
        assert!(short.value().abs() <= MAX_EVEN_EVALUATION, "{short:?}");
        assert_eq!(evaluate(&even, 2 * SHORT_SEARCH_NODES), search(&even, 2 * SHORT_SEARCH_NODES));
    }
}
