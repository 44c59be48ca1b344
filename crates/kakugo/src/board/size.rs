//! The size of a board as people write it: `15` or `20x12`.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::point::{MAX_SIZE, MIN_SIZE};

/// Columns and rows of a board that there is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

/// Words that tell no size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownSize(String);

impl fmt::Display for UnknownSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        write!(f, "\"{text}\" is no board size: 15 or 20x12, each side {MIN_SIZE} to {MAX_SIZE}")
    }
}

impl Error for UnknownSize {}

/// One number for a square, or columns x rows.
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
            assert!(error.ends_with("is no board size: 15 or 20x12, each side 3 to 32"), "{error}");
        }
    }
}
