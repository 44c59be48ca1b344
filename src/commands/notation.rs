//! Points as people write them: h8, with rows from the bottom.

use kakugo::board::Point;
use kakugo_record::pos::{self, RowOrder};

/// A point.
pub(super) fn name(p: Point, height: u8) -> String {
    pos::write([p], height, RowOrder::FromBottom)
}

/// Points, with blanks between them.
pub(super) fn names(points: &[Point], height: u8) -> String {
    points.iter().map(|&p| name(p, height)).collect::<Vec<_>>().join(" ")
}
