//! What an engine's line means, read as the strictest manager would.
//!
//! Piskvork takes any line that does not begin with `MESSAGE ` or `DEBUG ` for the answer, and a
//! move for digits, a comma and digits and nothing else; c-gomoku-cli wants exactly `OK`. An engine
//! that passes here passes everywhere. [`Thoughts`] gathers depth, value and nodes from the messages
//! of the engines we know.

use std::time::Instant;

/// A line that an engine wrote, classified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `MESSAGE ...` or `DEBUG ...`: for people, carries no answer.
    Message(String),
    /// `OK`, in any case.
    Ok,
    /// `x,y` pairs separated by single blanks: a move, or several in swap2.
    Moves(Vec<(u32, u32)>),
    /// `SWAP`.
    Swap,
    /// `UNKNOWN ...`.
    Unknown,
    /// `ERROR ...`.
    Error,
    /// Anything else.
    Other,
}

/// What a single line means.
pub fn classify(line: &str) -> Line {
    let upper = line.to_ascii_uppercase();
    let word = upper.split(' ').next().unwrap_or_default();
    match word {
        // The bare word is what Piskvork would take for a move.
        "MESSAGE" | "DEBUG" if upper.len() > word.len() => {
            Line::Message(line[word.len() + 1..].to_owned())
        }
        "OK" if upper == "OK" => Line::Ok,
        "SWAP" if upper == "SWAP" => Line::Swap,
        "UNKNOWN" => Line::Unknown,
        "ERROR" => Line::Error,
        _ => match line.split(' ').map(coordinates).collect::<Option<Vec<_>>>() {
            Some(moves) => Line::Moves(moves),
            None => Line::Other,
        },
    }
}

/// `digits,digits` and nothing else.
fn coordinates(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    let number = |digits: &str| {
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        all_digits.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    Some((number(x)?, number(y)?))
}

/// A line with the moment it arrived.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrived {
    /// The line without its end.
    pub text: String,
    /// When it was read.
    pub at: Instant,
}

/// What an engine's messages said about its thinking, the newest value of each.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Thoughts {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Value for the engine, as it was printed.
    pub eval: Option<String>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl Thoughts {
    /// Take in one message. Understood are words and values separated by blanks, `|`, `:` or `=`,
    /// as in `depth 5-8 ev 12 n 1.5M` or `Depth 5-8 | Eval 12 | Node 1500K`.
    pub fn read(&mut self, message: &str) {
        let mut words = message
            .split(|c: char| c.is_whitespace() || "|:=,".contains(c))
            .filter(|word| !word.is_empty())
            .peekable();
        while let Some(word) = words.next() {
            let Some(&value) = words.peek() else { break };
            match word.to_ascii_lowercase().as_str() {
                "pv" | "bestline" => break,
                "depth" | "d" => {
                    let digits = value.split('-').next().unwrap_or_default();
                    self.depth = digits.parse().ok().or(self.depth);
                }
                "ev" | "eval" | "score" | "value" if is_value(value) => {
                    self.eval = Some(value.to_owned());
                }
                "n" | "node" | "nodes" | "totalnodes" => self.nodes = amount(value).or(self.nodes),
                _ => continue,
            }
        }
    }
}

/// `12`, `-3.5`, `+M5`, `-M8`.
fn is_value(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches(['M', '#']);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// `1500`, `1.5K`, `2M`, `1G`.
fn amount(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return None,
    };
    let number: f64 = digits.parse().ok()?;
    (number >= 0.0).then_some((number * factor).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_digits_comma_digits() {
        assert_eq!(classify("7,12"), Line::Moves(vec![(7, 12)]));
        assert_eq!(classify("7,7 8,8 9,9"), Line::Moves(vec![(7, 7), (8, 8), (9, 9)]));
        for bad in ["7, 7", "+7,7", "-1,0", "7,7 ", " 7,7", "7;7", "7", "h8", "7,7,7", "", "7,é"] {
            assert_eq!(classify(bad), Line::Other, "{bad}");
        }
        assert_eq!(classify("99999999999,0"), Line::Moves(vec![(u32::MAX, 0)]));
    }

    #[test]
    fn ok_is_exact_and_messages_need_text() {
        assert_eq!(classify("ok"), Line::Ok);
        assert_eq!(classify("OK - ready"), Line::Other);
        assert_eq!(classify("message hi there"), Line::Message("hi there".into()));
        assert_eq!(classify("MESSAGE"), Line::Other);
        assert_eq!(classify("SUGGEST 3,4"), Line::Other);
        assert_eq!(classify("UNKNOWN command"), Line::Unknown);
        assert_eq!(classify("ERROR - no"), Line::Error);
    }

    #[test]
    fn thoughts_are_read_from_known_formats() {
        let mut thoughts = Thoughts::default();
        thoughts.read("depth 5-8 ev 12 n 1.5M n/ms 150 tm 1234 pv h8 i9");
        assert_eq!(
            thoughts,
            Thoughts { depth: Some(5), eval: Some("12".into()), nodes: Some(1_500_000) }
        );
        thoughts.read("Speed 1049K | Depth 18-29 | Eval -M7 | Node 1049K | Time 1000ms");
        assert_eq!(
            thoughts,
            Thoughts { depth: Some(18), eval: Some("-M7".into()), nodes: Some(1_049_000) }
        );
        thoughts.read("nothing to see: depth of field, ev il, n o");
        assert_eq!(thoughts.depth, Some(18));
        assert_eq!(thoughts.eval.as_deref(), Some("-M7"));
    }
}
