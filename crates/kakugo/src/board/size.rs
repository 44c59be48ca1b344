//! Board sizes as text: `15` or `20x12`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::point::{MAX_SIZE, MIN_SIZE};

/// The size of a board, parsed from `15` or `20x12`.
///
/// ```
/// use kakugo::{Board, Size, Variant};
///
/// let size: Size = "20x12".parse()?;
/// let board = Board::new(size.width, size.height, Variant::FREESTYLE)?;
/// assert_eq!((board.width(), board.height()), (20, 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Number of columns.
    pub width: u8,
    /// Number of rows.
    pub height: u8,
}

/// A text that is not a supported board size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSize(String);

impl fmt::Display for UnknownSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        write!(
            f,
            "invalid board size '{text}': expected {MIN_SIZE} to {MAX_SIZE}, e.g. 15 or 20x12"
        )
    }
}

impl Error for UnknownSize {}

/// One number for a square board, or columns x rows.
impl FromStr for Size {
    type Err = UnknownSize;

    fn from_str(text: &str) -> Result<Size, UnknownSize> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let side = |text: &str| {
            let side = text.trim().parse::<u8>().ok();
            side.filter(|side| (MIN_SIZE..=MAX_SIZE).contains(side))
        };
        let size = side(width).zip(side(height)).map(|(width, height)| Size { width, height });
        size.ok_or_else(|| UnknownSize(text.trim().chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_a_square_and_two_are_columns_and_rows() {
        let read = |text: &str| text.parse::<Size>().map(|size| (size.width, size.height));
        for (text, size) in [
            ("15", (15, 15)),
            (" 3 ", (3, 3)),
            ("20x12", (20, 12)),
            ("20X12", (20, 12)),
            ("9 x 32", (9, 32)),
        ] {
            assert_eq!(read(text), Ok(size), "{text}");
        }
        for bad in ["", "x", "15x", "x15", "15x15x15", "2", "33", "15x2", "256x3", "-3x3", "big"] {
            let error = read(bad).unwrap_err().to_string();
            let expected =
                format!("invalid board size '{bad}': expected 3 to 32, e.g. 15 or 20x12");
            assert_eq!(error, expected);
        }
    }
}
