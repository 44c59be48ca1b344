//! Keys of `INFO`, which are sent without expecting an answer.
//!
//! Unknown and malformed keys are not errors, because `INFO` is never answered. They become
//! [`Info::Other`]. Numbers are stored as sent; the session interprets them.

use std::fmt;
use std::time::Duration;

use super::token::{number, point};
use kakugo::board::Point;

/// One `INFO` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// `timeout_turn`: time limit per move in ms; 0 means move at once.
    TimeoutTurn(i64),
    /// `timeout_match`: time limit per game in ms; 0 means no limit.
    TimeoutMatch(i64),
    /// `time_left`: time left for the game in ms.
    TimeLeft(i64),
    /// `time_increment`: time added after each own move in ms.
    TimeIncrement(i64),
    /// `max_memory`: memory limit of the process in bytes; 0 means no limit.
    MaxMemory(i64),
    /// `hash_size`: maximum size of the transposition table in KB.
    HashSize(i64),
    /// `thread_num`: number of search threads.
    ThreadNum(i64),
    /// `max_node`: node limit per move.
    MaxNode(i64),
    /// `max_depth`: depth limit per move, in plies.
    MaxDepth(i64),
    /// `rule`: number of the rule, a sum of 1, 2, 4 and 8.
    Rule(i64),
    /// `win_length`: stones in a row to win (Kakugo's own key).
    WinLength(i64),
    /// `pondering`: nonzero enables pondering.
    Pondering(i64),
    /// `game_type`: type of the opponent; 2 and 3 in tournaments.
    GameType(i64),
    /// `show_detail`: amount of search info.
    ShowDetail(i64),
    /// `evaluate`: the point under the mouse pointer; ignored.
    Evaluate(Point),
    /// `folder`: folder for persistent files; ignored.
    Folder(String),
    /// `net`: the network to use (Kakugo's own key): a file name, or a word such as `none`.
    Net(String),
    /// Any other key with its value, including known keys with an invalid value.
    Other(String),
}

impl Info {
    /// Times from this number of ms mean no limit.
    pub const UNLIMITED: i64 = i32::MAX as i64;

    /// Converts a time to ms.
    pub fn ms(time: Duration) -> i64 {
        i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
    }

    /// Parses the text after `INFO`. Keys are case-insensitive; a folder may contain spaces.
    pub fn parse(text: &str) -> Info {
        let (key, value) = match text.split_once(|c: char| c.is_ascii_whitespace()) {
            Some((key, value)) => (key, value.trim()),
            None => (text, ""),
        };
        let int = |make: fn(i64) -> Info| number(value).map(make);
        let info = match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => int(Info::TimeoutTurn),
            "timeout_match" => int(Info::TimeoutMatch),
            "time_left" => int(Info::TimeLeft),
            "time_increment" => int(Info::TimeIncrement),
            "max_memory" => int(Info::MaxMemory),
            "hash_size" => int(Info::HashSize),
            "thread_num" => int(Info::ThreadNum),
            "max_node" => int(Info::MaxNode),
            "max_depth" => int(Info::MaxDepth),
            "rule" => int(Info::Rule),
            "win_length" => int(Info::WinLength),
            "pondering" => int(Info::Pondering),
            "game_type" => int(Info::GameType),
            "show_detail" => int(Info::ShowDetail),
            "evaluate" => point(value).ok().map(Info::Evaluate),
            "net" => Some(Info::Net(value.to_owned())),
            "folder" => Some(Info::Folder(value.to_owned())),
            _ => None,
        };
        info.unwrap_or_else(|| Info::Other(text.to_owned()))
    }
}

/// Formats the whole line.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Info::TimeoutTurn(n) => write!(f, "INFO timeout_turn {n}"),
            Info::TimeoutMatch(n) => write!(f, "INFO timeout_match {n}"),
            Info::TimeLeft(n) => write!(f, "INFO time_left {n}"),
            Info::TimeIncrement(n) => write!(f, "INFO time_increment {n}"),
            Info::MaxMemory(n) => write!(f, "INFO max_memory {n}"),
            Info::HashSize(n) => write!(f, "INFO hash_size {n}"),
            Info::ThreadNum(n) => write!(f, "INFO thread_num {n}"),
            Info::MaxNode(n) => write!(f, "INFO max_node {n}"),
            Info::MaxDepth(n) => write!(f, "INFO max_depth {n}"),
            Info::Rule(n) => write!(f, "INFO rule {n}"),
            Info::WinLength(n) => write!(f, "INFO win_length {n}"),
            Info::Pondering(n) => write!(f, "INFO pondering {n}"),
            Info::GameType(n) => write!(f, "INFO game_type {n}"),
            Info::ShowDetail(n) => write!(f, "INFO show_detail {n}"),
            Info::Evaluate(p) => write!(f, "INFO evaluate {p}"),
            Info::Folder(path) => write!(f, "INFO folder {path}"),
            Info::Net(name) => write!(f, "INFO net {name}"),
            Info::Other(text) => write!(f, "INFO {text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_case_insensitive() {
        assert_eq!(Info::parse("TIMEOUT_TURN 500"), Info::TimeoutTurn(500));
        assert_eq!(Info::parse("time_left   -3"), Info::TimeLeft(-3));
        assert_eq!(Info::parse("Rule\t9"), Info::Rule(9));
    }

    #[test]
    fn folders_may_contain_spaces() {
        let folder = "C:\\My AI's\\a b".to_owned();
        assert_eq!(Info::parse("folder C:\\My AI's\\a b"), Info::Folder(folder));
        assert_eq!(Info::parse("folder"), Info::Folder(String::new()));
    }

    #[test]
    fn networks_are_file_names_or_empty() {
        assert_eq!(Info::parse("net C:\\a b.net"), Info::Net("C:\\a b.net".to_owned()));
        assert_eq!(Info::parse("NET"), Info::Net(String::new()));
    }

    #[test]
    fn huge_numbers_saturate() {
        assert_eq!(Info::parse("max_node 99999999999999999999"), Info::MaxNode(i64::MAX));
        assert_eq!(Info::parse("time_left -99999999999999999999"), Info::TimeLeft(i64::MIN));
    }

    #[test]
    fn malformed_keys_are_ignored() {
        for text in
            ["", "nonsense", "rule", "rule x", "timeout_turn 1.5", "evaluate 40,1", "rule 1 1"]
        {
            assert_eq!(Info::parse(text), Info::Other(text.to_owned()), "{text}");
        }
    }
}
