//! What an engine says: [`Reply`] as text and text as [`Reply`], and the lines that tell of a
//! running search.
//!
//! The session prints replies and the match runner reads them, both through this one type.
//! Anything that is no proper answer reads as [`Reply::Other`]; reading never fails.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::command::point;
use crate::board::Point;
use crate::search::Report;

/// One line from an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// `x,y`: the stone played.
    Move(Point),
    /// Several points on one line: stones of a swap2 opening.
    Stones(Vec<Point>),
    /// `SWAP`: change colours.
    Swap,
    /// `MESSAGE text`: for people to read.
    Message(String),
    /// `DEBUG text`: for programmers to read.
    Debug(String),
    /// `ERROR text`: the command was understood but cannot be met.
    Error(String),
    /// `UNKNOWN text`: no such command.
    Unknown(String),
    /// `SUGGEST x,y`: the engine would like `PLAY x,y`.
    Suggest(Point),
    /// `name="…", version="…", …`: the answer to `ABOUT`.
    About(String),
    /// `FORBID xxyyxxyy.`: the points forbidden to Black.
    Forbid(Vec<Point>),
    /// Anything else.
    Other(String),
}

impl Reply {
    /// Read a line; its end may still be there.
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

/// `x,y`, or several of them.
fn stones(line: &str) -> Option<Reply> {
    if let Ok(p) = point(line) {
        return Some(Reply::Move(p));
    }
    let points: Option<Vec<Point>> =
        line.split_ascii_whitespace().map(|text| point(text).ok()).collect();
    points.filter(|points| points.len() > 1).map(Reply::Stones)
}

/// `xxyyxxyy.`
fn forbidden(text: &str) -> Option<Vec<Point>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    if digits.len() % 4 != 0 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let pair = |tens: u8, ones: u8| (tens - b'0') * 10 + (ones - b'0');
    digits.chunks_exact(4).map(|d| Point::new(pair(d[0], d[1]), pair(d[2], d[3]))).collect()
}

/// The line without its end.
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

/// `x,y x,y …`
fn joined(points: &[Point]) -> String {
    let texts: Vec<String> = points.iter().map(Point::to_string).collect();
    texts.join(" ")
}

/// The line people and tools read while the engine thinks, without the word `MESSAGE`:
/// `depth 5-8 ev 12 n 1.5M n/ms 150 tm 1234 pv h8 i9`.
///
/// Depth and longest path in plies, value for the side to move (`+M5`: a win in five plies), nodes,
/// nodes per ms, time in ms, expected moves.
pub fn summary(report: &Report) -> String {
    let ms = report.elapsed.as_millis();
    let mut text = format!(
        "depth {}-{} ev {} n {} n/ms {} tm {ms}",
        report.depth,
        report.seldepth,
        report.score,
        abbreviated(report.nodes),
        u128::from(report.nodes) / ms.max(1),
    );
    for (k, &p) in report.pv.iter().enumerate() {
        let _ = write!(text, "{}{}", if k == 0 { " pv " } else { " " }, board_name(p));
    }
    text
}

/// The same as bare `INFO` lines, as Yixin's protocol has them and gomocalc's page reads them;
/// `lines` is how many best lines are searched.
pub fn detail(report: &Report, lines: usize) -> Vec<String> {
    let seconds = report.elapsed.max(Duration::from_millis(1)).as_secs_f64();
    let win_rate = f64::from(report.score.win_rate_permille()) / 1000.0;
    let mut text = vec![
        format!("INFO PV {}", report.line),
        format!("INFO NUMPV {lines}"),
        format!("INFO DEPTH {}", report.depth),
        format!("INFO SELDEPTH {}", report.seldepth),
        format!("INFO NODES {}", report.nodes),
        format!("INFO TOTALNODES {}", report.nodes),
        format!("INFO TOTALTIME {}", report.elapsed.as_millis()),
        format!("INFO SPEED {:.0}", report.nodes as f64 / seconds),
        format!("INFO EVAL {}", report.score),
        format!("INFO WINRATE {win_rate:.3}"),
    ];
    if !report.pv.is_empty() {
        text.push(format!("INFO BESTLINE {}", joined(&report.pv)));
    }
    text.push("INFO PV DONE".to_owned());
    text
}

/// A count in four characters or so: `999`, `15K`, `1.5M`, `2.0G`.
fn abbreviated(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}K", n / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1}M", n as f64 / 1e6),
        _ => format!("{:.1}G", n as f64 / 1e9),
    }
}

/// A point as people name it: column letter and row number from the top, `h8`. Columns beyond `z`
/// go on with `aa`.
pub fn board_name(p: Point) -> String {
    let letter = char::from(b'a' + p.x() % 26);
    let prefix = if p.x() < 26 { "" } else { "a" };
    format!("{prefix}{letter}{}", p.y() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use proptest::prelude::*;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn report() -> Report {
        Report {
            line: 0,
            depth: 5,
            seldepth: 8,
            score: Score::from_eval(12),
            nodes: 1_540_000,
            elapsed: Duration::from_millis(1234),
            pv: vec![at(7, 7), at(8, 8)],
        }
    }

    #[test]
    fn the_summary_has_the_form_that_tools_parse() {
        let text = summary(&report());
        assert_eq!(text, "depth 5-8 ev 12 n 1.5M n/ms 1247 tm 1234 pv h8 i9");
        let lost = Report { score: Score::loss_in(4), pv: vec![], nodes: 7, ..report() };
        assert_eq!(summary(&lost), "depth 5-8 ev -M4 n 7 n/ms 0 tm 1234");
    }

    #[test]
    fn details_name_every_number_and_end_with_done() {
        let text = detail(&report(), 2).join("|");
        assert_eq!(
            text,
            "INFO PV 0|INFO NUMPV 2|INFO DEPTH 5|INFO SELDEPTH 8|INFO NODES 1540000|\
             INFO TOTALNODES 1540000|INFO TOTALTIME 1234|INFO SPEED 1247974|INFO EVAL 12|\
             INFO WINRATE 0.515|INFO BESTLINE 7,7 8,8|INFO PV DONE"
        );
    }

    #[test]
    fn counts_are_short() {
        let counts = [0, 9_999, 10_000, 999_999, 1_000_000, 12_345_678, 2_000_000_000];
        let texts: Vec<String> = counts.into_iter().map(abbreviated).collect();
        assert_eq!(texts, ["0", "9999", "10K", "999K", "1.0M", "12.3M", "2.0G"]);
    }

    #[test]
    fn points_are_named_from_the_top() {
        assert_eq!(board_name(at(0, 0)), "a1");
        assert_eq!(board_name(at(7, 14)), "h15");
        assert_eq!(board_name(at(26, 31)), "aa32");
    }

    #[test]
    fn answers_read_as_they_were_written() {
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
            Reply::About("name=\"Kakugo\"".into()),
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
        fn any_line_can_be_read(line in "\\PC{0,60}") {
            Reply::parse(&line);
        }
    }
}
