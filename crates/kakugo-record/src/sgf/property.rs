//! The values of SGF properties.

use std::ops::RangeInclusive;

use crate::game_tree::Sign;
use crate::setup::Placement;
use crate::{Cause, Game, GameResult};
use kakugo::board::{Point, Rule, Side, Variant};

/// Marks and their properties, except labels.
pub(super) const SIGNS: [(&str, Sign); 5] = [
    ("TR", Sign::Triangle),
    ("SQ", Sign::Square),
    ("CR", Sign::Circle),
    ("MA", Sign::Cross),
    ("SL", Sign::Selected),
];

/// Returns the position of a mark in the order of the writer. Labels come last.
pub(super) fn rank(sign: &Sign) -> usize {
    SIGNS.iter().position(|(_, known)| known == sign).unwrap_or(SIGNS.len())
}

/// Properties that describe the file itself; the writer sets its own.
pub(super) const FRAME: [&str; 3] = ["FF", "GM", "CA"];

fn letter(index: u8) -> char {
    char::from(if index < 26 { b'a' + index } else { b'A' + index - 26 })
}

fn letter_index(letter: char) -> Option<u8> {
    match letter {
        'a'..='z' => Some(letter as u8 - b'a'),
        'A'..='Z' => Some(letter as u8 - b'A' + 26),
        _ => None,
    }
}

/// Returns the two letters of a point.
pub(super) fn letters(point: Point) -> String {
    [point.x(), point.y()].map(letter).iter().collect()
}

/// Parses the two letters of a point.
pub(super) fn read_point(letters: &str) -> Option<Point> {
    let mut letters = letters.chars().map(letter_index);
    let (x, y) = (letters.next()??, letters.next()??);
    if letters.next().is_none() { Point::new(x, y) } else { None }
}

/// Parses a point (`aa`) or a rectangle given by two corners (`aa:cc`).
pub(super) fn read_points(text: &str) -> Option<Vec<Point>> {
    if !text.contains(':') {
        return Some(vec![read_point(text)?]);
    }
    let [columns, rows] = rectangle(text)?;
    let row = |y| columns.clone().filter_map(move |x| Point::new(x, y));
    Some(rows.flat_map(row).collect())
}

/// Returns the number of points of a rectangle, and 0 for other values.
pub(super) fn area(text: &str) -> usize {
    rectangle(text).map_or(0, |sides| sides.iter().map(ExactSizeIterator::len).product())
}

/// Parses a rectangle as its columns and rows.
fn rectangle(text: &str) -> Option<[RangeInclusive<u8>; 2]> {
    let (from, to) = text.split_once(':')?;
    let (from, to) = (read_point(from)?, read_point(to)?);
    let range = |a: u8, b: u8| a.min(b)..=a.max(b);
    Some([range(from.x(), to.x()), range(from.y(), to.y())])
}

/// Properties of set-up stones, in the order of the writer. Blocked points are our own.
pub(super) const PLACEMENTS: [(&str, Placement); 4] = [
    ("AB", Placement::Stone(Side::Black)),
    ("AW", Placement::Stone(Side::White)),
    ("AE", Placement::Removed),
    ("KBL", Placement::Blocked),
];

/// Returns what a property sets up.
pub(super) fn placement(name: &str) -> Option<Placement> {
    PLACEMENTS.iter().find(|(known, _)| *known == name).map(|(_, what)| *what)
}

/// Parses the side to move.
pub(super) fn read_side(text: &str) -> Option<Side> {
    match text.trim().to_ascii_lowercase().as_str() {
        "b" | "black" | "1" => Some(Side::Black),
        "w" | "white" | "2" => Some(Side::White),
        _ => None,
    }
}

/// Returns the name of a rule, e.g. `freestyle`, or `freestyle 4` with another win length.
pub(super) fn rule_name(variant: Variant) -> String {
    let name = variant.rule().word();
    match variant.win_length() {
        5 => name.to_owned(),
        length => format!("{name} {length}"),
    }
}

/// Opening rules of Renju, which game records give instead of the rule, e.g. `Soosyrv-8`.
const RENJU: [&str; 8] =
    ["rif", "yamaguchi", "taraguchi", "tarannikov", "soosyrv", "soosorv", "soos\u{f5}rv", "sakata"];

/// Other names of rules.
const OTHER_NAMES: [(&str, Rule); 10] = [
    ("free", Rule::Freestyle),
    ("free style", Rule::Freestyle),
    ("free-style", Rule::Freestyle),
    ("unrestricted", Rule::Freestyle),
    ("exact five", Rule::Standard),
    ("exactly five", Rule::Standard),
    ("exactly-five", Rule::Standard),
    ("\u{9023}\u{73e0}", Rule::Renju),
    ("\u{8fde}\u{73e0}", Rule::Renju),
    ("\u{b80c}\u{c8fc}", Rule::Renju),
];

/// Parses the name of a rule or Gomocup's number. Openings, such as `swap2`, and `Gomoku` do not
/// say which rule it is.
pub(super) fn read_rule(text: &str) -> Option<Variant> {
    let text = text.trim().to_ascii_lowercase();
    if RENJU.iter().any(|opening| text.starts_with(opening)) {
        return Some(Variant::RENJU);
    }
    // The win length may follow.
    let (name, length) = match text.rsplit_once(' ') {
        Some((name, length)) if length.bytes().all(|c| c.is_ascii_digit()) => (name, length),
        _ => (&*text, "5"),
    };
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == name.trim());
    let rule = other.map_or_else(|| name.parse().ok(), |(_, rule)| Some(*rule))?;
    Variant::new(rule, length.parse().ok()?).ok()
}

/// A result and its cause, e.g. `W+R`: White wins by resignation.
pub(super) type Ending = (GameResult, Option<Cause>);

/// Returns the result and its cause, or `None` without a result.
pub(super) fn ending(game: &Game) -> Option<Ending> {
    Some((game.result?, game.cause))
}

/// Returns the SGF value of a result.
pub(super) fn result_name((result, cause): Ending) -> String {
    let winner = match result {
        GameResult::Win(Side::Black) => "B+",
        GameResult::Win(Side::White) => "W+",
        GameResult::Draw => return "0".to_owned(),
    };
    let cause = match cause {
        Some(Cause::Resignation) => "R",
        Some(Cause::Time) => "T",
        Some(Cause::Forfeit) => "F",
        None => "",
    };
    format!("{winner}{cause}")
}

/// Parses a result. Returns `None` if it is unknown.
pub(super) fn read_result(text: &str) -> Option<Ending> {
    const DRAWS: [&str; 6] = ["0", "1/2", "1/2-1/2", "\u{bd}", "\u{bd}-\u{bd}", "0.5-0.5"];
    const DRAWN: [&str; 4] = ["DRAW", "DRAWN", "TIE", "JIGO"];
    let text = text.trim().to_ascii_uppercase();
    if DRAWS.contains(&&*text) || DRAWN.contains(&&*text) {
        return Some((GameResult::Draw, None));
    }
    // Little Golem writes only the winner.
    let (winner, cause) = text.split_once('+').unwrap_or((text.as_str(), ""));
    let (winner, cause) = (winner.trim(), cause.trim());
    // Some servers write `B+Draw` for a draw.
    if DRAWN.contains(&cause) {
        return Some((GameResult::Draw, None));
    }
    let winner = match winner {
        "B" | "BLACK" => Side::Black,
        "W" | "WHITE" => Side::White,
        _ => return None,
    };
    let cause = match cause {
        "R" | "RES" | "RESIGN" | "RESIGNED" | "RESIGNATION" => Some(Cause::Resignation),
        "T" | "TIME" | "TIMEUP" | "TIMEOUT" | "TIME UP" | "TIME OUT" => Some(Cause::Time),
        "F" | "FORFEIT" => Some(Cause::Forfeit),
        _ => None,
    };
    Some((GameResult::Win(winner), cause))
}

/// Removes the escapes of a raw value.
pub fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                // A soft line break of one or two characters.
                Some(first @ ('\n' | '\r')) => {
                    chars.next_if(|&second| matches!(second, '\n' | '\r') && second != first);
                }
                None => {}
                Some(escaped) => text.push(escaped),
            },
            _ => text.push(c),
        }
    }
    text
}

/// Escapes a text for use as a raw value; in composed values also the colon.
pub fn escape(text: &str, in_parts: bool) -> String {
    let mut value = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') || (in_parts && c == ':') {
            value.push('\\');
        }
        value.push(c);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_every_spelling() {
        let (black, white) = (GameResult::Win(Side::Black), GameResult::Win(Side::White));
        for (text, ending) in [
            ("B+", Some((black, None))),
            ("B+Resign", Some((black, Some(Cause::Resignation)))),
            ("w+timeup", Some((white, Some(Cause::Time)))),
            ("White+Time", Some((white, Some(Cause::Time)))),
            ("B+T", Some((black, Some(Cause::Time)))),
            ("W+1", Some((white, None))),
            ("B+0", Some((black, None))),
            ("B+Draw", Some((GameResult::Draw, None))),
            ("W+Draw", Some((GameResult::Draw, None))),
            ("B", Some((black, None))),
            ("White", Some((white, None))),
            ("Draw", Some((GameResult::Draw, None))),
            ("Jigo", Some((GameResult::Draw, None))),
            ("0", Some((GameResult::Draw, None))),
            ("1/2", Some((GameResult::Draw, None))),
            ("?", None),
            ("", None),
            ("1-0", None),
            ("Void", None),
            ("X+R", None),
        ] {
            assert_eq!(read_result(text), ending, "{text}");
        }
    }

    #[test]
    fn soft_line_breaks_are_removed() {
        for line_end in ["\n", "\r\n", "\r", "\n\r"] {
            assert_eq!(unescape(&format!("a\\{line_end}b{line_end}c")), format!("ab{line_end}c"));
        }
        assert_eq!(unescape("a\\\n\nb\\"), "a\nb");
        assert_eq!(unescape(&escape("a]\\:b", true)), "a]\\:b");
    }
}
