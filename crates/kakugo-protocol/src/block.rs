//! The lines of multi-line commands: stones and blocked cells.
//!
//! The stones of `BOARD`, `YXBOARD` and `SWAP2BOARD`, and the points of `YXBLOCK` and
//! `YXBLOCKUNDO`, follow on separate lines until `DONE`. This module reads and writes one such
//! line; `assembler` handles the block.

use std::fmt;
use std::str::FromStr;

use super::error::CommandError;
use super::token::{number, point, point_at};
use kakugo::board::{Board, Cell, Point, Side};

/// A line in `BOARD` and `YXBOARD`: `x,y,field`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The point.
    pub point: Point,
    /// The contents of the point.
    pub field: Field,
}

/// A line in `SWAP2BOARD`: `x,y`, or `x,y,field` for engines that require it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swap2Stone {
    /// The point.
    pub point: Point,
    /// The owner of the stone, if given.
    pub field: Option<Field>,
}

/// The third number of a line in `BOARD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// 1: a stone of the engine.
    Own,
    /// 2: a stone of its opponent.
    Opponent,
    /// 3: a blocked cell.
    Wall,
}

impl Field {
    /// Returns the field of a stone from the point of view of an engine with the colour `engine`.
    pub fn of(stone: Side, engine: Side) -> Field {
        if stone == engine { Field::Own } else { Field::Opponent }
    }
}

/// Returns the stones of a board in move order, then its blocked cells, from the point of view of
/// the side to move.
pub fn placements(board: &Board) -> Vec<Placement> {
    let field = |side| Field::of(side, board.side_to_move());
    let stones = board.stones().map(|s| Placement { point: s.point, field: field(s.side) });
    let walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
    stones.chain(walls.map(|point| Placement { point, field: Field::Wall })).collect()
}

/// The type of a multi-line command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Board,
    YxBoard,
    Swap2Board,
    YxBlock,
    YxBlockUndo,
}

impl BlockKind {
    /// Returns the type for the first word of a command, in upper case.
    pub(super) fn of_word(word: &str) -> Option<BlockKind> {
        [
            BlockKind::Board,
            BlockKind::YxBoard,
            BlockKind::Swap2Board,
            BlockKind::YxBlock,
            BlockKind::YxBlockUndo,
        ]
        .into_iter()
        .find(|kind| kind.word() == word)
    }

    /// Returns the first word of the command.
    pub(super) const fn word(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::YxBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
            BlockKind::YxBlock => "YXBLOCK",
            BlockKind::YxBlockUndo => "YXBLOCKUNDO",
        }
    }
}

impl FromStr for Placement {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Placement, CommandError> {
        let numbers: Option<Vec<i64>> = text.split(',').map(|part| number(part.trim())).collect();
        let Some(&[x, y, field]) = numbers.as_deref() else {
            return Err(CommandError::Malformed("x,y,field"));
        };
        let field = match field {
            1 => Field::Own,
            2 => Field::Opponent,
            3 => Field::Wall,
            _ => return Err(CommandError::Malformed("field 1 (own), 2 (opponent) or 3 (wall)")),
        };
        Ok(Placement { point: point_at(x, y)?, field })
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let field = match self.field {
            Field::Own => 1,
            Field::Opponent => 2,
            Field::Wall => 3,
        };
        write!(f, "{},{field}", self.point)
    }
}

impl FromStr for Swap2Stone {
    type Err = CommandError;

    fn from_str(text: &str) -> Result<Swap2Stone, CommandError> {
        if text.matches(',').count() > 1 {
            let Placement { point, field } = text.parse()?;
            return Ok(Swap2Stone { point, field: Some(field) });
        }
        Ok(Swap2Stone { point: point(text)?, field: None })
    }
}

impl fmt::Display for Swap2Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Swap2Stone { point, field: Some(field) } => Placement { point, field }.fmt(f),
            Swap2Stone { point, field: None } => point.fmt(f),
        }
    }
}

/// Writes a block with one item per line.
pub(super) fn write_block<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    kind: BlockKind,
    lines: &[T],
) -> fmt::Result {
    writeln!(f, "{}", kind.word())?;
    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
    f.write_str("DONE")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn placements_are_relative_to_the_side_to_move() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (8, 8), (6, 6)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let lines: Vec<String> = placements(&board).iter().map(Placement::to_string).collect();
        assert_eq!(lines, ["7,7,2", "8,8,1", "6,6,2"]);
    }
}
