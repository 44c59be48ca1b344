//! Openings as offsets from the centre, `8,-3, 6,-4`: the format of Piskvork and c-gomoku-cli.
//!
//! Each pair is column and row relative to `(width / 2, height / 2)`. Rows are numbered downwards
//! and Black moves first. Rule, size, names and result are not stored.

use super::FormatError;
use crate::text::text;
use kakugo::board::Point;

/// Returns the point with offset `0,0`.
fn centre(width: u8, height: u8) -> (i32, i32) {
    (i32::from(width / 2), i32::from(height / 2))
}

/// Writes points as offsets.
pub fn write(points: impl IntoIterator<Item = Point>, width: u8, height: u8) -> String {
    let (cx, cy) = centre(width, height);
    let pair = |p: Point| format!("{},{}", i32::from(p.x()) - cx, i32::from(p.y()) - cy);
    points.into_iter().map(pair).collect::<Vec<_>>().join(", ")
}

/// Returns true if a line looks like offsets rather than points such as `h8`.
pub fn looks_like_offsets(line: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c.is_whitespace() || ",-".contains(c);
    line.contains(',') && line.contains(|c: char| c.is_ascii_digit()) && line.chars().all(is_part)
}

/// Reads offsets separated by commas or whitespace.
///
/// # Errors
/// Returns an error if an offset is not a number, a pair is incomplete, or a point is off the
/// board.
pub fn read(text: &str, width: u8, height: u8) -> Result<Vec<Point>, FormatError> {
    let numbers = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|token| !token.is_empty())
        .map(|token| {
            token.parse::<i8>().map_err(|_| {
                FormatError::new(text!(
                    "invalid offset '{0}': expected a number such as 8 or -3",
                    token
                ))
            })
        })
        .collect::<Result<Vec<i8>, _>>()?;
    if numbers.len() % 2 != 0 {
        return Err(FormatError::new(text!("odd number of offsets: expected pairs such as 8,-3")));
    }
    let (cx, cy) = centre(width, height);
    let point = |pair: &[i8]| {
        let x = u8::try_from(cx + i32::from(pair[0])).ok().filter(|&x| x < width);
        let y = u8::try_from(cy + i32::from(pair[1])).ok().filter(|&y| y < height);
        x.zip(y).and_then(|(x, y)| Point::new(x, y)).ok_or_else(|| {
            let [dx, dy] = [pair[0], pair[1]].map(|offset| offset.to_string());
            FormatError::new(text!(
                "offset {0},{1} is off the {2}x{3} board",
                dx,
                dy,
                width,
                height
            ))
        })
    };
    numbers.chunks(2).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_round_trip() {
        for (width, height) in [(15, 15), (20, 20), (12, 9)] {
            let text = "0,0, -4,3, 5,-4";
            let points = read(text, width, height).unwrap();
            assert_eq!(points[0], Point::new(width / 2, height / 2).unwrap());
            assert_eq!(write(points, width, height), text);
        }
    }

    #[test]
    fn offsets_off_the_board_are_rejected() {
        assert!(read("7,7", 15, 15).is_ok());
        for bad in ["8,0", "0,-8", "1", "x,y", "300,1"] {
            assert!(read(bad, 15, 15).is_err(), "{bad}");
        }
    }
}
