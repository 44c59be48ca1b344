//! Points as people write them: column letter, row number counted from the bottom (`h8`).

use crate::board::Point;

/// `p` on a board with `height` rows.
pub fn name(p: Point, height: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n % 26);
    let column = match p.x() {
        x if x < 26 => letter(x).to_string(),
        x => [letter(x / 26 - 1), letter(x)].iter().collect(),
    };
    format!("{column}{}", i32::from(height) - i32::from(p.y()))
}

/// Several points, blanks between them.
pub fn names(points: &[Point], height: u8) -> String {
    points.iter().map(|&p| name(p, height)).collect::<Vec<_>>().join(" ")
}

/// Read points as [`name`] writes them, one after the other; blanks between them are allowed.
///
/// # Errors
/// Says which point is wrong.
pub fn read(text: &str, height: u8) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let letters = rest.chars().take_while(char::is_ascii_alphabetic).count();
        let digits = rest[letters..].chars().take_while(char::is_ascii_digit).count();
        let point = point(&rest[..letters], &rest[letters..letters + digits], height);
        let shown: String = rest.chars().take((letters + digits).max(1)).collect();
        points.push(point.ok_or_else(|| format!("\"{shown}\" is no point of this board"))?);
        rest = rest[letters + digits..].trim_start();
    }
    Ok(points)
}

fn point(letters: &str, digits: &str, height: u8) -> Option<Point> {
    let column = letters.bytes().try_fold(0u8, |column, letter| {
        column.checked_mul(26)?.checked_add(letter.to_ascii_lowercase() - b'a' + 1)
    })?;
    let row = digits.parse::<u8>().ok().filter(|&row| row >= 1)?;
    Point::new(column.checked_sub(1)?, height.checked_sub(row)?)
}
