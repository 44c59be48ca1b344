//! Rows of every length between all pairs of ends, in all directions, under every rule. The same
//! rows win whichever stone came last.

use kakugo::board::{Board, Direction, Outcome, Point, Rule, Side, Variant};

/// The cell beyond an end of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    Empty,
    Opponent,
    Wall,
    Edge,
}

const ENDS: [End; 4] = [End::Empty, End::Opponent, End::Wall, End::Edge];

/// A row that spans its board, ends included.
#[derive(Clone, Copy, Debug)]
struct Row {
    variant: Variant,
    side: Side,
    direction: Direction,
    length: usize,
    ends: [End; 2],
}

impl Row {
    /// Returns the points of the row and of its ends on the board, and the board size.
    fn points(&self) -> (Vec<Point>, Vec<(Point, End)>, u8) {
        let [before, after] = self.ends.map(|end| u8::from(end != End::Edge));
        let size = before + self.length as u8 + after;
        let span = (0..size).map(|k| match self.direction {
            Direction::Horizontal => (k, 1),
            Direction::Vertical => (1, k),
            Direction::Diagonal => (k, k),
            Direction::AntiDiagonal => (k, size - 1 - k),
        });
        let mut row: Vec<Point> = span.map(|(x, y)| Point::new(x, y).unwrap()).collect();
        let mut ends = Vec::new();
        if after == 1 {
            ends.extend(row.pop().map(|p| (p, self.ends[1])));
        }
        if before == 1 {
            ends.push((row.remove(0), self.ends[0]));
        }
        (row, ends, size)
    }

    /// Returns the board on which stone number `last` of this row was placed last.
    fn board(&self, last: usize) -> Board {
        let (mut row, ends, size) = self.points();
        let mut board = Board::new(size, size, self.variant).unwrap();
        for (p, end) in ends {
            match end {
                End::Opponent => board.place(p, self.side.opponent()).unwrap(),
                End::Wall => board.block(p).unwrap(),
                End::Empty | End::Edge => {}
            }
        }
        let last = row.remove(last);
        row.push(last);
        for p in row {
            board.place(p, self.side).unwrap();
        }
        board
    }

    fn wins(&self) -> bool {
        let wanted = usize::from(self.variant.win_length());
        let open = self.ends != [End::Opponent; 2];
        match (self.variant.rule(), self.side) {
            (Rule::Freestyle, _) | (Rule::Renju, Side::White) => self.length >= wanted,
            (Rule::Standard, _) | (Rule::Renju, Side::Black) => self.length == wanted,
            (Rule::Caro, _) => self.length == wanted && open,
            (Rule::CaroOverline, _) => self.length > wanted || (self.length == wanted && open),
        }
    }
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for rule in Rule::ALL {
        for variant in (3..=6).filter_map(|n| Variant::new(rule, n).ok()) {
            for side in Side::BOTH {
                for direction in Direction::ALL {
                    for length in 3..=9 {
                        for before in ENDS {
                            let ends = ENDS.map(|after| [before, after]);
                            rows.extend(ends.map(|ends| Row {
                                variant,
                                side,
                                direction,
                                length,
                                ends,
                            }));
                        }
                    }
                }
            }
        }
    }
    rows
}

#[test]
fn a_row_wins_whichever_of_its_stones_came_last() {
    for row in rows() {
        for last in 0..row.length {
            let mut board = row.board(last);
            let won = board.outcome() == Outcome::Win(row.side);
            assert_eq!(won, row.wins(), "{row:?}, stone {last} last\n{board}");
            let line = board.winning_line();
            assert_eq!(line.len(), if won { row.length } else { 0 }, "{row:?}\n{board}");
            let point = board.undo().unwrap().point;
            assert_eq!(board.makes_five(point, row.side), won, "{row:?}");
        }
    }
}

/// Rows longer than the window around a point: only the board size limits a row.
#[test]
fn a_row_may_be_as_long_as_the_board() {
    for direction in Direction::ALL {
        for last in 0..32 {
            let ends = [End::Edge; 2];
            let long = |variant| Row { variant, side: Side::Black, direction, length: 32, ends };
            let board = long(Variant::FREESTYLE).board(last);
            assert_eq!(board.outcome(), Outcome::Win(Side::Black));
            assert_eq!(board.winning_line().len(), 32);
            let board = long(Variant::STANDARD).board(last);
            assert_eq!(board.outcome(), Outcome::Ongoing);
            assert_eq!(board.winning_line(), []);
        }
    }
}
