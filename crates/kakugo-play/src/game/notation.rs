//! Points as people write them: column letter, row number counted from the bottom (`h8`).

use kakugo::board::Point;
use kakugo_record::pos::{self, RowOrder};

/// `p` on a board with `height` rows.
pub fn name(p: Point, height: u8) -> String {
    name_by(p, height, RowOrder::FromBottom)
}

/// `p` on a board with `height` rows, which count as `rows` says.
pub fn name_by(p: Point, height: u8, rows: RowOrder) -> String {
    pos::write([p], height, rows)
}

/// Several points, blanks between them.
pub fn names(points: &[Point], height: u8) -> String {
    points.iter().map(|&p| name(p, height)).collect::<Vec<_>>().join(" ")
}
