//! The lines of commands that are more than one: stones and walls.
//!
//! The stones of `BOARD`, `YXBOARD` and `SWAP2BOARD` follow on lines of their own until `DONE`. This
//! file reads and writes one such line; `assembler` puts whole commands together.

use std::fmt;
use std::str::FromStr;

use super::error::CommandError;
use super::token::{number, point, point_at};
use kakugo::board::{Board, Cell, Point, Side};

/// One line inside `BOARD` and `YXBOARD`: `x,y,field`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Where.
    pub point: Point,
    /// What stands there.
    pub field: Field,
}

/// One line inside `SWAP2BOARD`: `x,y`, or `x,y,field` for engines that want it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swap2Stone {
    /// Where.
    pub point: Point,
    /// Whose stone it is, where the line says so.
    pub field: Option<Field>,
}

/// The third number of a line inside `BOARD`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// 1: a stone of the engine.
    Own,
    /// 2: a stone of its opponent.
    Opponent,
    /// 3: a wall.
    Wall,
}

impl Field {
    /// What a stone of `stone` is to an engine that plays `engine`.
    pub fn of(stone: Side, engine: Side) -> Field {
        if stone == engine { Field::Own } else { Field::Opponent }
    }
}

/// The stones of a board in the order in which they were played, then its walls, as the side to move
/// is told of them by `BOARD`.
pub fn placements(board: &Board) -> Vec<Placement> {
    let field = |side| Field::of(side, board.side_to_move());
    let stones = board.stones().map(|s| Placement { point: s.point, field: field(s.side) });
    let walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
    stones.chain(walls.map(|point| Placement { point, field: Field::Wall })).collect()
}

/// A command that is a block of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Board,
    YxBoard,
    Swap2Board,
}

impl BlockKind {
    /// The block that this word, in capitals, begins.
    pub(super) fn of_word(word: &str) -> Option<BlockKind> {
        [BlockKind::Board, BlockKind::YxBoard, BlockKind::Swap2Board]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// The word that begins the block.
    pub(super) const fn word(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::YxBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
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

/// Write a block with one item a line.
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
    fn the_side_to_move_is_told_of_its_own_stones() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (8, 8), (6, 6)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let told: Vec<String> = placements(&board).iter().map(Placement::to_string).collect();
        assert_eq!(told, ["7,7,2", "8,8,1", "6,6,2"]);
    }
}
