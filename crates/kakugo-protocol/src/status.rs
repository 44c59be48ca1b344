//! Search info: one line for users, or Yixin's lines for programs.

use std::fmt::Write as _;
use std::time::Duration;

use super::reply::Reply;
use super::token::joined;
use kakugo::board::Point;
use kakugo::score::Score;

/// State of a search, for one of its lines.
#[derive(Clone, PartialEq, Debug)]
pub struct Status {
    /// Index of the line; 0 is the best.
    pub line: usize,
    /// Number of lines in the search (multi-PV).
    pub lines: usize,
    /// Depth in plies.
    pub depth: u32,
    /// Selective depth: longest path in plies.
    pub seldepth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Number of nodes.
    pub nodes: u64,
    /// Time since the start of the search.
    pub elapsed: Duration,
    /// The principal variation.
    pub pv: Vec<Point>,
}

impl Status {
    /// Returns a line for users and tools: `MESSAGE depth 5-8 ev 12 n 1.5M n/ms 150 tm 1234 pv h8
    /// i9`.
    ///
    /// The numbers are depth and selective depth in plies, score for the side to move (`+M5`: a win
    /// in five plies), nodes, nodes per ms and time in ms. With several lines, `multipv N` follows
    /// the depths, starting at 1.
    pub fn message(&self) -> Reply {
        let ms = self.elapsed.as_millis();
        let multipv =
            if self.lines > 1 { format!(" multipv {}", self.line + 1) } else { String::new() };
        let mut text = format!(
            "depth {}-{}{multipv} ev {} n {} n/ms {} tm {ms}",
            self.depth,
            self.seldepth,
            self.score,
            abbreviated(self.nodes),
            u128::from(self.nodes) / ms.max(1),
        );
        for (k, &p) in self.pv.iter().enumerate() {
            let _ = write!(text, "{}{}", if k == 0 { " pv " } else { " " }, board_name(p));
        }
        Reply::Message(text)
    }

    /// Returns the same as `INFO` lines of Yixin's protocol, as parsed by gomocalc.
    pub fn details(&self) -> Vec<Reply> {
        let seconds = self.elapsed.max(Duration::from_millis(1)).as_secs_f64();
        let win_rate = f64::from(self.score.win_rate_permille()) / 1000.0;
        let mut texts = vec![
            format!("INFO PV {}", self.line),
            format!("INFO NUMPV {}", self.lines),
            format!("INFO DEPTH {}", self.depth),
            format!("INFO SELDEPTH {}", self.seldepth),
            format!("INFO NODES {}", self.nodes),
            format!("INFO TOTALNODES {}", self.nodes),
            format!("INFO TOTALTIME {}", self.elapsed.as_millis()),
            format!("INFO SPEED {:.0}", self.nodes as f64 / seconds),
            format!("INFO EVAL {}", self.score),
            format!("INFO WINRATE {win_rate:.3}"),
        ];
        if !self.pv.is_empty() {
            texts.push(format!("INFO BESTLINE {}", joined(&self.pv)));
        }
        texts.push("INFO PV DONE".to_owned());
        texts.into_iter().map(Reply::Other).collect()
    }
}

/// Shortens a number, e.g. `999`, `15K`, `1.5M`, `2.0G`.
fn abbreviated(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{}K", n / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1}M", n as f64 / 1e6),
        _ => format!("{:.1}G", n as f64 / 1e9),
    }
}

/// Returns the name of a point, e.g. `h8`, with rows numbered from the top. Column `z` is followed
/// by `aa`.
fn board_name(p: Point) -> String {
    let letter = char::from(b'a' + p.x() % 26);
    let prefix = if p.x() < 26 { "" } else { "a" };
    format!("{prefix}{letter}{}", p.y() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn status() -> Status {
        Status {
            line: 0,
            lines: 1,
            depth: 5,
            seldepth: 8,
            score: Score::from_eval(12),
            nodes: 1_540_000,
            elapsed: Duration::from_millis(1234),
            pv: vec![at(7, 7), at(8, 8)],
        }
    }

    #[test]
    fn messages_have_the_form_that_tools_parse() {
        let text = status().message().to_string();
        assert_eq!(text, "MESSAGE depth 5-8 ev 12 n 1.5M n/ms 1247 tm 1234 pv h8 i9");
        let lost = Status { score: Score::loss_in(4), pv: vec![], nodes: 7, ..status() };
        assert_eq!(lost.message().to_string(), "MESSAGE depth 5-8 ev -M4 n 7 n/ms 0 tm 1234");
        let second = Status { line: 1, lines: 2, ..lost };
        assert_eq!(
            second.message().to_string(),
            "MESSAGE depth 5-8 multipv 2 ev -M4 n 7 n/ms 0 tm 1234"
        );
    }

    #[test]
    fn details_contain_all_numbers_and_end_with_done() {
        let status = Status { lines: 2, ..status() };
        let texts: Vec<String> = status.details().iter().map(Reply::to_string).collect();
        assert_eq!(
            texts.join("|"),
            "INFO PV 0|INFO NUMPV 2|INFO DEPTH 5|INFO SELDEPTH 8|INFO NODES 1540000|\
             INFO TOTALNODES 1540000|INFO TOTALTIME 1234|INFO SPEED 1247974|INFO EVAL 12|\
             INFO WINRATE 0.515|INFO BESTLINE 7,7 8,8|INFO PV DONE"
        );
    }

    #[test]
    fn counts_are_abbreviated() {
        let counts = [0, 9_999, 10_000, 999_999, 1_000_000, 12_345_678, 2_000_000_000];
        let texts: Vec<String> = counts.into_iter().map(abbreviated).collect();
        assert_eq!(texts, ["0", "9999", "10K", "999K", "1.0M", "12.3M", "2.0G"]);
    }

    #[test]
    fn point_names_number_rows_from_the_top() {
        assert_eq!(board_name(at(0, 0)), "a1");
        assert_eq!(board_name(at(7, 14)), "h15");
        assert_eq!(board_name(at(26, 31)), "aa32");
    }
}
