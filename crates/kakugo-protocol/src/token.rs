//! Numbers and points, as shared by commands, `INFO` and replies.

use super::error::CommandError;
use kakugo::board::Point;

pub(super) const MALFORMED_POINT: CommandError = CommandError::Malformed("a point x,y");

/// Parses `x,y`. Whitespace around the numbers is allowed.
///
/// # Errors
/// Returns an error if the text is malformed or the point is off every board.
pub(super) fn point(text: &str) -> Result<Point, CommandError> {
    let Some((x, y)) = text.split_once(',') else { return Err(MALFORMED_POINT) };
    match (number(x.trim()), number(y.trim())) {
        (Some(x), Some(y)) => point_at(x, y),
        _ => Err(MALFORMED_POINT),
    }
}

/// Returns the point with these coordinates.
pub(super) fn point_at(x: i64, y: i64) -> Result<Point, CommandError> {
    let side = |n: i64| u8::try_from(n).ok();
    let found = side(x).zip(side(y)).and_then(|(x, y)| Point::new(x, y));
    found.ok_or(CommandError::OffBoard { x, y })
}

/// Parses an integer. Values out of range saturate.
pub(super) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let saturated = if negative { i64::MIN } else { i64::MAX };
    let value = digits.parse::<i64>().map(|n| if negative { -n } else { n });
    Some(value.unwrap_or(saturated))
}

/// Returns the first 40 characters of a text, with unprintable ones replaced.
pub(super) fn excerpt(text: &str) -> String {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    text.chars().take(40).map(printable).collect()
}

/// Formats points separated by spaces: `x,y x,y …`.
pub(super) fn joined(points: &[Point]) -> String {
    let texts: Vec<String> = points.iter().map(Point::to_string).collect();
    texts.join(" ")
}
