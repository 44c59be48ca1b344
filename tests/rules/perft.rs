//! Counts of legal move sequences, known and recomputed by the twin.

use kakugo::board::{Board, Rule, Side, Variant, diagram};
use kakugo::tools::perft::perft;

use super::twin::{Field, Twin, field_of};

/// `(rule, win length, position, depth, count, reason)`.
type Row = (Rule, u8, &'static str, u32, u64, &'static str);

const EMPTY_3X3: &str = "...\n...\n...";
const EMPTY_4X3: &str = "....\n....\n....";

const ROWS: &[Row] =
    &[(Rule::Freestyle, 3, EMPTY_3X3, 4, 3024, "nobody can have won: 9 * 8 * 7 * 6")];

fn twin_of(board: &Board) -> Twin {
    let mut twin = Twin::new(board.width().into(), board.height().into(), board.variant());
    for p in board.points().filter(|&p| board.cell(p) == kakugo::board::Cell::Wall) {
        twin.block((p.x().into(), p.y().into()));
    }
    for stone in board.stones() {
        twin.place((stone.point.x().into(), stone.point.y().into()), stone.side);
    }
    twin.turn = board.side_to_move();
    twin
}

#[test]
fn sequences_are_counted_as_by_the_twin() {
    for &(rule, win_length, drawing, depth, count, reason) in ROWS {
        let variant = Variant::new(rule, win_length).unwrap();
        let (mut board, _) = diagram::parse(variant, drawing).unwrap();
        let key = board.key();
        println!(
            "{variant}, depth {depth}: {} {}",
            perft(&mut board, depth),
            twin_of(&board).perft(depth)
        );
        assert_eq!(perft(&mut board, depth), count, "{reason}: {variant}, depth {depth}\n{board}");
        assert_eq!(twin_of(&board).perft(depth), count, "twin, {reason}");
        assert_eq!(board.key(), key);
    }
}
