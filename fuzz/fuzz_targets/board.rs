//! Bytes as a board and a stream of moves: the board must answer as its slow twin does.

#![no_main]

#[path = "../../crates/kakugo/tests/rules/definitions.rs"]
mod definitions;
#[path = "../../crates/kakugo/tests/rules/twin.rs"]
mod twin;

use kakugo::board::{Board, Cell, Outcome, PlayError, Point, Rule, Side, Variant};
use libfuzzer_sys::fuzz_target;
use twin::{At, Field, Standing, Twin};

fuzz_target!(|bytes: &[u8]| {
    let [width, height, rule, win_length, moves @ ..] = bytes else { return };
    let (width, height) = (width % 36, height % 36);
    let Ok(variant) = Variant::new(Rule::ALL[usize::from(rule % 5)], win_length % 8) else {
        return;
    };
    let Ok(board) = Board::new(width, height, variant) else {
        assert!(!(3..=32).contains(&width) || !(3..=32).contains(&height));
        return;
    };
    let twin = Twin::new(width.into(), height.into(), variant);
    Pair { board, twin, keys: Vec::new() }.run(moves);
});

/// The board, its twin, and the board's key before each stone that stands.
struct Pair {
    board: Board,
    twin: Twin,
    keys: Vec<u64>,
}

fn at(p: Point) -> At {
    (p.x().into(), p.y().into())
}

impl Pair {
    /// Three bytes a step: what, and where.
    fn run(&mut self, moves: &[u8]) {
        for step in moves.chunks_exact(3).take(200) {
            // Columns and rows up to 33, so that some lie off every board.
            let (x, y) = (step[1] % 34, step[2] % 34);
            match step[0] % 16 {
                0..=1 => self.undo(1 + usize::from(step[1] % 8)),
                2 => self.turn(step[1] % 2 == 0),
                what => {
                    if let Some(p) = Point::new(x, y) {
                        self.put(p, what);
                        self.compare_near(p, twin::STEPS[usize::from(step[0] / 64)]);
                    }
                }
            }
            self.compare();
        }
        self.undo(usize::MAX);
        self.compare_cells();
    }

    fn undo(&mut self, count: usize) {
        for _ in 0..count.min(self.keys.len() + 1) {
            let ours = self.board.undo().map(|stone| (at(stone.point), stone.side));
            assert_eq!(ours, self.twin.undo());
            assert_eq!(self.keys.pop(), ours.map(|_| self.board.key()));
        }
    }

    /// Set the turn, where no stone's undo would set another.
    fn turn(&mut self, black: bool) {
        let side = if black { Side::Black } else { Side::White };
        self.board.set_side_to_move(side);
        self.twin.turn = side;
    }

    fn put(&mut self, p: Point, what: u8) {
        let key = self.board.key();
        let answer = match what {
            3 => {
                let answer = self.board.block(p);
                assert_eq!(answer.is_ok(), self.twin.block(at(p)));
                if answer.is_ok() {
                    let change = key ^ self.board.key();
                    self.keys.iter_mut().for_each(|key| *key ^= change);
                    return;
                }
                answer
            }
            4..=9 => {
                let side = if what.is_multiple_of(2) { Side::Black } else { Side::White };
                let answer = self.board.place(p, side);
                assert_eq!(answer.is_ok(), self.twin.place(at(p), side));
                answer
            }
            _ => {
                let answer = self.board.play(p);
                assert_eq!(answer.is_ok(), self.twin.place(at(p), self.twin.turn));
                answer
            }
        };
        match answer {
            Ok(()) => self.keys.push(key),
            Err(error) => {
                assert_eq!(self.board.key(), key);
                assert_eq!(error, self.refusal(p));
            }
        }
    }

    fn refusal(&self, p: Point) -> PlayError {
        match self.board.cell(p) {
            _ if !self.twin.grid.contains(at(p)) => PlayError::OffBoard,
            Cell::Stone(side) => PlayError::Occupied(side),
            Cell::Wall => PlayError::Blocked,
            Cell::Empty => panic!("a free point is refused"),
        }
    }

    fn compare(&self) {
        let expected = match self.twin.standing() {
            Standing::Ongoing => Outcome::Ongoing,
            Standing::Win(side) => Outcome::Win(side),
            Standing::Forbidden(foul) => Outcome::Forbidden(foul),
            Standing::Draw => Outcome::Draw,
        };
        assert_eq!(self.board.outcome(), expected);
        let line: Vec<At> = self.board.winning_line().into_iter().map(at).collect();
        assert_eq!(line, self.twin.winning_line());
        assert_eq!(self.board.side_to_move(), self.twin.turn);
        assert_eq!(self.board.ply(), self.twin.history.len());
    }

    /// Compares the outcome of stones on the free points beside `p` in one direction.
    fn compare_near(&self, p: Point, (dx, dy): At) {
        for n in [-2, -1, 1, 2] {
            let (x, y) = (at(p).0 + n * dx, at(p).1 + n * dy);
            let near = u8::try_from(x).ok().zip(u8::try_from(y).ok());
            let Some(q) = near.and_then(|(x, y)| Point::new(x, y)) else { continue };
            if self.twin.grid.field((x, y)) != Field::Empty {
                assert!(!self.board.is_empty(q));
                continue;
            }
            for side in Side::BOTH {
                assert_eq!(self.board.makes_five(q, side), self.twin.grid.makes_five(at(q), side));
                assert_eq!(self.board.foul(q, side), self.twin.grid.foul(at(q), side));
            }
        }
    }

    fn compare_cells(&self) {
        let free: Vec<At> = self.board.empty_points().map(at).collect();
        assert_eq!(free, self.twin.grid.empty_points());
        assert_eq!(self.board.empty_count(), free.len());
        assert_eq!(self.board.ply(), 0);
    }
}
