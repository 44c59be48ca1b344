//! Replies of an engine: formatting and lenient parsing.
//!
//! Kakugo writes its replies through [`Reply`]. Tools and tests parse those of other engines,
//! ignoring case and extra whitespace; matches use `strict` instead. Parsing never fails: anything
//! else is [`Reply::Other`].

use std::fmt;

use super::token::{joined, point};
use kakugo::board::Point;

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// `x,y`: a move.
    Move(Point),
    /// Several points on one line: stones of a swap2 opening.
    Stones(Vec<Point>),
    /// `SWAP`: swap colours.
    Swap,
    /// `MESSAGE text`: information for the user.
    Message(String),
    /// `DEBUG text`: information for developers.
    Debug(String),
    /// `ERROR text`: a known command that cannot be executed.
    Error(String),
    /// `UNKNOWN text`: an unknown command.
    Unknown(String),
    /// `SUGGEST x,y`: a suggested move; the manager answers with `PLAY`.
    Suggest(Point),
    /// `name="…", version="…", …`: the answer to `ABOUT`.
    About(String),
    /// `FORBID xxyyxxyy.`: the forbidden points of Black.
    Forbid(Vec<Point>),
    /// Anything else.
    Other(String),
}

impl Reply {
    /// Creates the reply to `ABOUT`.
    pub fn about(name: &str, version: &str, author: &str) -> Reply {
        Reply::About(format!("name=\"{name}\", version=\"{version}\", author=\"{author}\""))
    }

    /// Creates the reply to `YXSHOWINFO`: the maximum number of threads, and the base-2 logarithm
    /// of the maximum hash size in KB.
    pub fn capacities(threads: usize, hash_log2_kb: u32) -> [Reply; 2] {
        [
            Reply::Message(format!("INFO MAX_THREAD_NUM {threads}")),
            Reply::Message(format!("INFO MAX_HASH_SIZE {hash_log2_kb}")),
        ]
    }

    /// Parses a line, with or without its line break.
    pub fn parse(line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let text = || rest.trim().to_owned();
        let reply = match word.to_ascii_uppercase().as_str() {
            "OK" if rest.is_empty() => Some(Reply::Ok),
            "SWAP" if rest.is_empty() => Some(Reply::Swap),
            "MESSAGE" => Some(Reply::Message(text())),
            "DEBUG" => Some(Reply::Debug(text())),
            "ERROR" => Some(Reply::Error(text())),
            "UNKNOWN" => Some(Reply::Unknown(text())),
            "SUGGEST" => point(rest).ok().map(Reply::Suggest),
            "FORBID" => forbidden(rest.trim()).map(Reply::Forbid),
            _ if line.starts_with("name=") => Some(Reply::About(line.to_owned())),
            _ => stones(line),
        };
        reply.unwrap_or_else(|| Reply::Other(line.to_owned()))
    }
}

/// Parses one or several points `x,y`.
fn stones(line: &str) -> Option<Reply> {
    if let Ok(p) = point(line) {
        return Some(Reply::Move(p));
    }
    let points: Option<Vec<Point>> =
        line.split_ascii_whitespace().map(|text| point(text).ok()).collect();
    points.filter(|points| points.len() > 1).map(Reply::Stones)
}

/// Parses `xxyyxxyy.`.
fn forbidden(text: &str) -> Option<Vec<Point>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    if digits.len() % 4 != 0 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let pair = |tens: u8, ones: u8| (tens - b'0') * 10 + (ones - b'0');
    digits.chunks_exact(4).map(|d| Point::new(pair(d[0], d[1]), pair(d[2], d[3]))).collect()
}

/// Formats the line without a line break.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Move(p) => write!(f, "{p}"),
            Reply::Stones(points) => f.write_str(&joined(points)),
            Reply::Swap => f.write_str("SWAP"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::Suggest(p) => write!(f, "SUGGEST {p}"),
            Reply::About(text) | Reply::Other(text) => f.write_str(text),
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|p| write!(f, "{:02}{:02}", p.x(), p.y()))?;
                f.write_str(".")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn replies_round_trip() {
        let replies = [
            Reply::Ok,
            Reply::Move(at(3, 12)),
            Reply::Stones(vec![at(1, 2), at(3, 4), at(5, 6)]),
            Reply::Swap,
            Reply::Message("depth 3".into()),
            Reply::Debug("x".into()),
            Reply::Error("no game".into()),
            Reply::Unknown("command foo".into()),
            Reply::Suggest(at(9, 9)),
            Reply::about("Kakugo", "1.0", "A. N. Author"),
            Reply::capacities(8, 20)[0].clone(),
            Reply::Forbid(vec![at(7, 12), at(31, 0)]),
            Reply::Forbid(vec![]),
            Reply::Other("hello".into()),
        ];
        for reply in replies {
            assert_eq!(Reply::parse(&format!("{reply}\r\n")), reply);
        }
        assert_eq!(Reply::parse("ok"), Reply::Ok);
        assert_eq!(Reply::parse("OK - ready"), Reply::Other("OK - ready".into()));
        assert_eq!(Reply::Forbid(vec![at(7, 12)]).to_string(), "FORBID 0712.");
        assert_eq!(Reply::parse("FORBID 071."), Reply::Other("FORBID 071.".into()));
    }

    proptest! {
        #[test]
        fn parsing_replies_does_not_panic(line in "\\PC{0,60}") {
            Reply::parse(&line);
        }
    }
}
