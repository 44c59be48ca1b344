//! The keys of `INFO`: what a manager tells without expecting an answer.
//!
//! Since `INFO` is never answered, a key that is unknown or malformed is kept as
//! [`Info::Other`] instead of becoming an error. Numbers are kept as sent; what they mean is for
//! the session's options to say.

use std::fmt;
use std::time::Duration;

use super::token::{number, point};
use kakugo::board::Point;

/// One `INFO` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Info {
    /// `timeout_turn`: time for a move, in ms; 0 asks to play at once.
    TimeoutTurn(i64),
    /// `timeout_match`: time for the whole game, in ms; 0 is no limit.
    TimeoutMatch(i64),
    /// `time_left`: what is left of it, in ms.
    TimeLeft(i64),
    /// `time_increment`: added after each own move, in ms.
    TimeIncrement(i64),
    /// `max_memory`: for the whole process, in bytes; 0 is no limit.
    MaxMemory(i64),
    /// `hash_size`: most the transposition table may take, in KB.
    HashSize(i64),
    /// `thread_num`: threads to search with.
    ThreadNum(i64),
    /// `max_node`: nodes for a move.
    MaxNode(i64),
    /// `max_depth`: plies for a move.
    MaxDepth(i64),
    /// `rule`: the rule's number, a sum of 1, 2, 4 and 8.
    Rule(i64),
    /// `win_length`: stones in a row that win, our own key.
    WinLength(i64),
    /// `pondering`: whether to think while the opponent does.
    Pondering(i64),
    /// `game_type`: who the opponent is, 2 and 3 in a tournament.
    GameType(i64),
    /// `show_detail`: how much to tell while thinking.
    ShowDetail(i64),
    /// `evaluate`: the point under the user's mouse; changes nothing here.
    Evaluate(Point),
    /// `folder`: where persistent files may lie; nothing is stored.
    Folder(String),
    /// `net`: the network to play with, our own key: the name of its file, or a word for what needs no
    /// file.
    Net(String),
    /// Any other key with its value: one that is unknown here, or has no proper value.
    Other(String),
}

impl Info {
    /// From this number of ms on, managers mean that there is no limit.
    pub const UNLIMITED: i64 = i32::MAX as i64;

    /// A time in ms, as the keys have it.
    pub fn ms(time: Duration) -> i64 {
        i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
    }

    /// Read what follows the word `INFO`. Keys are accepted in any case; a folder may hold blanks.
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

/// The whole line, as a manager sends it.
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
    fn keys_come_in_any_case() {
        assert_eq!(Info::parse("TIMEOUT_TURN 500"), Info::TimeoutTurn(500));
        assert_eq!(Info::parse("time_left   -3"), Info::TimeLeft(-3));
        assert_eq!(Info::parse("Rule\t9"), Info::Rule(9));
    }

    #[test]
    fn folders_keep_their_blanks() {
        let folder = "C:\\My AI's\\a b".to_owned();
        assert_eq!(Info::parse("folder C:\\My AI's\\a b"), Info::Folder(folder));
        assert_eq!(Info::parse("folder"), Info::Folder(String::new()));
    }

    #[test]
    fn networks_are_named_by_files_or_not_at_all() {
        assert_eq!(Info::parse("net C:\\a b.net"), Info::Net("C:\\a b.net".to_owned()));
        assert_eq!(Info::parse("NET"), Info::Net(String::new()));
    }

    #[test]
    fn huge_numbers_saturate() {
        assert_eq!(Info::parse("max_node 99999999999999999999"), Info::MaxNode(i64::MAX));
        assert_eq!(Info::parse("time_left -99999999999999999999"), Info::TimeLeft(i64::MIN));
    }

    #[test]
    fn what_makes_no_sense_is_ignored() {
        for text in
            ["", "nonsense", "rule", "rule x", "timeout_turn 1.5", "evaluate 40,1", "rule 1 1"]
        {
            assert_eq!(Info::parse(text), Info::Other(text.to_owned()), "{text}");
        }
    }
}
