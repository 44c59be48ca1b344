//! Names of points as people write them, e.g. `h8`.

use super::pos::{self, RowOrder};
use kakugo::board::Point;

/// Returns the name of a point, with rows numbered from the bottom.
pub fn name(p: Point, height: u8) -> String {
    name_by_rows(p, height, RowOrder::FromBottom)
}

/// Returns the name of a point, with rows numbered as in `rows`.
pub fn name_by_rows(p: Point, height: u8, rows: RowOrder) -> String {
    pos::write([p], height, rows)
}

/// Returns the names of points, separated by spaces, with rows numbered from the bottom.
pub fn names(points: &[Point], height: u8) -> String {
    points.iter().map(|&p| name(p, height)).collect::<Vec<_>>().join(" ")
}

/// Returns the comment on the fifth moves that were offered in a game of Renju.
pub(crate) fn offered_fifth_moves(points: &[Point], height: u8) -> String {
    format!("Offered fifth moves: {}", names(points, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_number_rows_from_the_bottom() {
        let points = [(7, 7), (0, 14), (26, 0)].map(|(x, y)| Point::new(x, y).unwrap());
        assert_eq!(names(&points, 15), "h8 a1 aa15");
        assert_eq!(name_by_rows(points[1], 15, RowOrder::FromTop), "a15");
        assert_eq!(names(&[], 15), "");
    }
}
