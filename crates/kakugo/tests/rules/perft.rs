//! Counts of legal move sequences: known values, and values recomputed by the twin.

use kakugo::board::perft::perft;
use kakugo::board::{Board, Cell, Rule, Variant, diagram};

use super::twin::{Standing, Twin};

/// `(rule, win length, position, depth, count, reason)`.
type Row = (Rule, u8, &'static str, u32, u64, &'static str);

const EMPTY_3X3: &str = "...\n...\n...";
const OVER: &str = "...\nOO.\nXXX";
const FOURS: &str = "XXXX.\nOOOO.\n.....";
const FIVES_AND_A_GAP: &str = "XXX.XX.\nOOO.OO.\n.......";
const ENCLOSED: &str = "OXX.XXO\n.OOOO..\n.......";
const THREES: &str =
    "O......O\n........\n...X....\n........\n...X....\n....XX..\n........\nO......O";
const WALLS: &str = "X#X.\n.O..\nO..#";

const ROWS: &[Row] = &[
    (Rule::Freestyle, 3, EMPTY_3X3, 0, 1, "doing nothing is one sequence"),
    (Rule::Freestyle, 3, EMPTY_3X3, 5, 15_120, "nobody can have won before the fifth: 9*8*7*6*5"),
    (Rule::Freestyle, 3, EMPTY_3X3, 6, 54_720, "1440 games end with the fifth: (15120-1440)*4"),
    (Rule::Freestyle, 3, EMPTY_3X3, 9, 127_872, "tic-tac-toe games of nine moves"),
    (Rule::Freestyle, 3, OVER, 1, 0, "a game that is over does not go on"),
    (Rule::Freestyle, 6, EMPTY_3X3, 9, 362_880, "no room to win: 9!"),
    (Rule::Freestyle, 3, WALLS, 5, 528, "walls are not played on, and interrupt rows"),
    (Rule::Standard, 3, WALLS, 4, 336, "6*5*4*3, less the games won with three"),
    (Rule::Freestyle, 3, WALLS, 7, 0, "there are only six free points"),
    (
        Rule::Freestyle,
        5,
        FOURS,
        3,
        155,
        "7*6*5, less 6*5 after Black's five, less 5*5 after White's",
    ),
    (
        Rule::Freestyle,
        5,
        FIVES_AND_A_GAP,
        3,
        819,
        "11*10*9, less 10*9 and 9*9 after sixes, which win",
    ),
    (Rule::Standard, 5, FIVES_AND_A_GAP, 3, 990, "11*10*9: six is nothing"),
    (
        Rule::Renju,
        5,
        FIVES_AND_A_GAP,
        3,
        738,
        "Black may not fill his gap, 81 sequences more; White wins",
    ),
    (Rule::Caro, 5, FIVES_AND_A_GAP, 3, 990, "11*10*9: six is nothing"),
    (Rule::CaroOverline, 5, FIVES_AND_A_GAP, 3, 819, "as freestyle: six wins"),
    (Rule::Standard, 5, ENCLOSED, 4, 5_328, "Black's five wins between two white stones"),
    (Rule::Caro, 5, ENCLOSED, 4, 6_480, "Black's five is enclosed, White's is not"),
    (Rule::CaroOverline, 5, ENCLOSED, 4, 6_480, "the same with exactly five"),
    (Rule::Renju, 5, THREES, 1, 55, "64-8 free points, one a double-three"),
    (Rule::Freestyle, 5, THREES, 3, 166_320, "56*55*54: nothing is forbidden"),
    (Rule::Renju, 5, THREES, 3, 160_517, "forbidden points come and go"),
];

fn twin_of(board: &Board) -> Twin {
    let at = |p: kakugo::board::Point| (i32::from(p.x()), i32::from(p.y()));
    let mut twin = Twin::new(board.width().into(), board.height().into(), board.variant());
    for p in board.points().filter(|&p| board.cell(p) == Cell::Wall) {
        twin.block(at(p));
    }
    for stone in board.stones() {
        twin.place(at(stone.point), stone.side);
    }
    twin.turn = board.side_to_move();
    twin
}

/// A finished game has no moves.
fn count_slowly(twin: &mut Twin, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if twin.standing() != Standing::Ongoing {
        return 0;
    }
    let mut sequences = 0;
    let side = twin.turn;
    for at in twin.grid.empty_points() {
        if twin.grid.foul(at, side).is_none() {
            twin.place(at, side);
            sequences += count_slowly(twin, depth - 1);
            twin.undo();
        }
    }
    sequences
}

#[test]
fn sequences_are_counted_as_by_the_twin() {
    for &(rule, win_length, drawing, depth, count, reason) in ROWS {
        let variant = Variant::new(rule, win_length).unwrap();
        let (mut board, _) = diagram::parse(variant, drawing).unwrap();
        let key = board.key();
        assert_eq!(perft(&mut board, depth), count, "{reason}: {variant}, depth {depth}\n{board}");
        assert_eq!(count_slowly(&mut twin_of(&board), depth), count, "twin, {reason}");
        assert_eq!(board.key(), key);
    }
}

#[test]
fn the_key_after_a_move_is_known_before_it() {
    for &(rule, win_length, drawing, ..) in ROWS {
        let variant = Variant::new(rule, win_length).unwrap();
        let (mut board, _) = diagram::parse(variant, drawing).unwrap();
        let free: Vec<_> = board.empty_points().collect();
        for p in free {
            let foretold = board.key_after(p);
            board.play(p).unwrap();
            assert_eq!(board.key(), foretold, "{p:?} on\n{board}");
            board.undo();
        }
    }
}
