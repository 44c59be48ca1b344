//! Perft: counts legal move sequences. One number shows whether the rules have changed.
//!
//! A sequence ends when the game ends: with a win, or with a full board. Moves that are forbidden
//! to Black are not legal. The name comes from chess: "performance test, move path enumeration".

use super::{Board, Outcome, Point, Stone};

/// Returns the number of legal sequences of exactly `depth` moves from this position. The board is
/// unchanged afterwards.
///
/// ```
/// # #[cfg(feature = "internals")] {
/// use kakugo::board::{Board, Variant};
/// use kakugo::board::perft::perft;
///
/// let mut board = Board::new(3, 3, Variant::FREESTYLE).unwrap();
/// assert_eq!(perft(&mut board, 2), 9 * 8);
/// # }
/// ```
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.outcome() != Outcome::Ongoing {
        return 0;
    }
    let side = board.side_to_move();
    let moves: Vec<Point> =
        board.empty_points().filter(|&p| board.foul(p, side).is_none()).collect();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut sequences = 0;
    for point in moves {
        board.push(Stone { point, side });
        sequences += perft(board, depth - 1);
        board.undo();
    }
    sequences
}
