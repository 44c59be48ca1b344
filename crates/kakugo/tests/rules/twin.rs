//! The slow, obviously correct board: a plain array, plain loops, the rules by definition.
//!
//! It does not use bit strings. A row of stones is a list of coordinates, found by walking from
//! stone to stone, and every question is answered by trying it on the array.

use std::collections::BTreeSet;

use kakugo::board::{Foul, Rule, Side, Variant};

/// Column and row; may lie off the board.
pub type At = (i32, i32);

/// The four directions as steps.
pub const STEPS: [At; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The content of a cell of the array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Field {
    Empty,
    Wall,
    Black,
    White,
}

/// The state of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    Ongoing,
    Win(Side),
    Forbidden(Foul),
    Draw,
}

/// The array, its size and the rule.
#[derive(Clone, Debug)]
pub struct Grid {
    pub width: i32,
    pub height: i32,
    pub rule: Rule,
    pub win_length: usize,
    pub fields: [[Field; 32]; 32],
}

/// A grid, and the stones in order of play with the side to move before each.
#[derive(Clone, Debug)]
pub struct Twin {
    pub grid: Grid,
    pub history: Vec<(At, Side, Side)>,
    pub turn: Side,
}

/// Returns the cell of a stone of `side`.
pub fn field_of(side: Side) -> Field {
    match side {
        Side::Black => Field::Black,
        Side::White => Field::White,
    }
}

impl Grid {
    pub fn new(width: i32, height: i32, variant: Variant) -> Grid {
        Grid {
            width,
            height,
            rule: variant.rule(),
            win_length: usize::from(variant.win_length()),
            fields: [[Field::Empty; 32]; 32],
        }
    }

    /// Returns all points, row by row.
    pub fn points(&self) -> Vec<At> {
        (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y))).collect()
    }

    /// Returns all empty points, row by row.
    pub fn empty_points(&self) -> Vec<At> {
        self.points().into_iter().filter(|&at| self.field(at) == Field::Empty).collect()
    }

    pub fn contains(&self, (x, y): At) -> bool {
        0 <= x && x < self.width && 0 <= y && y < self.height
    }

    /// Returns the content of a point; a wall off the board.
    pub fn field(&self, at: At) -> Field {
        if self.contains(at) { self.fields[at.1 as usize][at.0 as usize] } else { Field::Wall }
    }

    pub fn set(&mut self, at: At, field: Field) {
        self.fields[at.1 as usize][at.0 as usize] = field;
    }

    /// Returns the grid with one more stone, which need not be legal.
    pub fn with(&self, at: At, side: Side) -> Grid {
        let mut after = self.clone();
        after.set(at, field_of(side));
        after
    }

    /// Returns the unbroken row of `side` that contains `at`, in order. `at` holds such a stone.
    pub fn row(&self, at: At, (dx, dy): At, side: Side) -> Vec<At> {
        let own = |&(x, y): &At| self.field((x, y)) == field_of(side);
        let mut row: Vec<At> =
            (1..).map(|n| (at.0 - n * dx, at.1 - n * dy)).take_while(own).collect();
        row.reverse();
        row.push(at);
        row.extend((1..).map(|n| (at.0 + n * dx, at.1 + n * dy)).take_while(own));
        row
    }

    /// Returns true if an unbroken row of `side` wins, by the text of each rule.
    fn row_wins(&self, row: &[At], (dx, dy): At, side: Side) -> bool {
        let (first, last) = (row[0], row[row.len() - 1]);
        let ends = [(first.0 - dx, first.1 - dy), (last.0 + dx, last.1 + dy)];
        let opponent = field_of(side.opponent());
        let blocked_at_both_ends = ends.iter().all(|&end| self.field(end) == opponent);
        let exactly = row.len() == self.win_length;
        let more = row.len() > self.win_length;
        match (self.rule, side) {
            (Rule::Freestyle, _) => exactly || more,
            (Rule::Standard, _) => exactly,
            (Rule::Renju, Side::Black) => exactly,
            (Rule::Renju, Side::White) => exactly || more,
            (Rule::Caro, _) => exactly && !blocked_at_both_ends,
            (Rule::CaroOverline, _) => more || (exactly && !blocked_at_both_ends),
        }
    }

    /// Returns all stones of the winning rows that a stone of `side` on `at` makes, sorted by row.
    pub fn winning_stones(&self, at: At, side: Side) -> Vec<At> {
        let after = self.with(at, side);
        let mut stones = BTreeSet::new();
        for step in STEPS {
            let row = after.row(at, step, side);
            if after.row_wins(&row, step, side) {
                stones.extend(row.into_iter().map(|(x, y)| (y, x)));
            }
        }
        stones.into_iter().map(|(y, x)| (x, y)).collect()
    }

    pub fn makes_five(&self, at: At, side: Side) -> bool {
        !self.winning_stones(at, side).is_empty()
    }
}

impl Twin {
    pub fn new(width: i32, height: i32, variant: Variant) -> Twin {
        Twin { grid: Grid::new(width, height, variant), history: Vec::new(), turn: Side::Black }
    }

    /// Places a stone. Returns true if the point was free.
    pub fn place(&mut self, at: At, side: Side) -> bool {
        if self.grid.field(at) != Field::Empty {
            return false;
        }
        self.grid.set(at, field_of(side));
        self.history.push((at, side, self.turn));
        self.turn = side.opponent();
        true
    }

    /// Blocks a point. Returns true if it was free.
    pub fn block(&mut self, at: At) -> bool {
        let free = self.grid.field(at) == Field::Empty;
        if free {
            self.grid.set(at, Field::Wall);
        }
        free
    }

    pub fn undo(&mut self) -> Option<(At, Side)> {
        let (at, side, turn) = self.history.pop()?;
        self.grid.set(at, Field::Empty);
        self.turn = turn;
        Some((at, side))
    }

    /// Returns the stones of the winning rows of the last stone.
    pub fn winning_line(&self) -> Vec<At> {
        match self.history.last() {
            Some(&(at, side, _)) => self.grid.winning_stones(at, side),
            None => Vec::new(),
        }
    }

    pub fn standing(&self) -> Standing {
        if let Some(&(at, side, _)) = self.history.last() {
            if self.grid.makes_five(at, side) {
                return Standing::Win(side);
            }
            let mut before = self.grid.clone();
            before.set(at, Field::Empty);
            if let Some(foul) = before.foul(at, side) {
                return Standing::Forbidden(foul);
            }
        }
        if self.grid.empty_points().is_empty() { Standing::Draw } else { Standing::Ongoing }
    }
}
