//! Strict parsing of engine output, for matches and compliance checks.
//!
//! Piskvork takes any line that does not begin with `MESSAGE ` or `DEBUG ` for an answer, and
//! accepts moves only as digits, a comma and digits. c-gomoku-cli requires exactly `OK`. An engine
//! that passes these rules works with every manager.

use super::command::Command;

/// A line of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrictReply {
    /// `MESSAGE text` or `DEBUG text`: not an answer.
    Message(String),
    /// `OK`, in any case.
    Ok,
    /// One or several points `x,y`, separated by single spaces. They may be off the board.
    Moves(Vec<(u32, u32)>),
    /// `SWAP`.
    Swap,
    /// `UNKNOWN text`.
    Unknown,
    /// `ERROR text`.
    Error,
    /// Anything else.
    Other,
}

impl StrictReply {
    /// Parses a line without its line break.
    pub fn parse(line: &str) -> StrictReply {
        let upper = line.to_ascii_uppercase();
        let word = upper.split(' ').next().unwrap_or_default();
        match word {
            // Piskvork takes a bare `MESSAGE` for an answer.
            "MESSAGE" | "DEBUG" if upper.len() > word.len() => {
                StrictReply::Message(line[word.len() + 1..].to_owned())
            }
            "OK" if upper == "OK" => StrictReply::Ok,
            "SWAP" if upper == "SWAP" => StrictReply::Swap,
            "UNKNOWN" => StrictReply::Unknown,
            "ERROR" => StrictReply::Error,
            _ => match line.split(' ').map(coordinates).collect::<Option<Vec<_>>>() {
                Some(moves) => StrictReply::Moves(moves),
                None => StrictReply::Other,
            },
        }
    }
}

/// Parses `digits,digits`.
fn coordinates(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    let number = |digits: &str| {
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        all_digits.then(|| digits.parse().unwrap_or(u32::MAX))
    };
    Some((number(x)?, number(y)?))
}

/// The expected answer to a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// `OK`.
    Ok,
    /// One move.
    Move,
    /// Two points.
    Pair,
    /// `SWAP` or one to three points.
    Swap2,
}

impl Expected {
    /// Returns the expected answer to a command, or `None` if managers do not wait for one.
    pub fn of(command: &Command) -> Option<Expected> {
        match command {
            Command::Start { .. } | Command::Restart | Command::Takeback(_) => Some(Expected::Ok),
            Command::Begin
            | Command::Turn(_)
            | Command::Play(_)
            | Command::Board(_)
            | Command::YxNbest(_)
            | Command::YxSearchDefend
            | Command::YxBalanceOne(_) => Some(Expected::Move),
            Command::YxBalanceTwo(_) => Some(Expected::Pair),
            Command::Swap2Board(_) => Some(Expected::Swap2),
            Command::YxBoard(_)
            | Command::About
            | Command::End
            | Command::Info(_)
            | Command::YxStop
            | Command::YxShowForbid
            | Command::YxHashClear
            | Command::YxShowInfo
            | Command::YxBlock(_)
            | Command::YxBlockUndo(_)
            | Command::YxBlockReset
            | Command::YxBlockPathReset
            | Command::YxQueryDatabase
            // Answered by messages.
            | Command::YxSwap2(_) => None,
        }
    }

    /// Returns true if the line is the expected answer.
    pub fn accepts(self, line: &StrictReply) -> bool {
        match (self, line) {
            (Expected::Ok, StrictReply::Ok) | (Expected::Swap2, StrictReply::Swap) => true,
            (Expected::Move, StrictReply::Moves(moves)) => moves.len() == 1,
            (Expected::Pair, StrictReply::Moves(moves)) => moves.len() == 2,
            (Expected::Swap2, StrictReply::Moves(moves)) => (1..=3).contains(&moves.len()),
            _ => false,
        }
    }

    /// Returns a description of the expected answer.
    pub fn text(self) -> &'static str {
        match self {
            Expected::Ok => "OK",
            Expected::Move => "a move \"x,y\"",
            Expected::Pair => "two points \"x,y x,y\"",
            Expected::Swap2 => "SWAP or points \"x,y\"",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Reply;
    use kakugo::board::Point;
    use proptest::prelude::*;

    #[test]
    fn moves_are_digits_comma_digits() {
        assert_eq!(StrictReply::parse("7,12"), StrictReply::Moves(vec![(7, 12)]));
        assert_eq!(
            StrictReply::parse("7,7 8,8 9,9"),
            StrictReply::Moves(vec![(7, 7), (8, 8), (9, 9)])
        );
        for bad in ["7, 7", "+7,7", "-1,0", "7,7 ", " 7,7", "7;7", "7", "h8", "7,7,7", "", "7,é"] {
            assert_eq!(StrictReply::parse(bad), StrictReply::Other, "{bad}");
        }
        assert_eq!(StrictReply::parse("99999999999,0"), StrictReply::Moves(vec![(u32::MAX, 0)]));
    }

    #[test]
    fn ok_is_exact_and_messages_require_text() {
        assert_eq!(StrictReply::parse("ok"), StrictReply::Ok);
        assert_eq!(StrictReply::parse("OK - ready"), StrictReply::Other);
        assert_eq!(StrictReply::parse("message hi there"), StrictReply::Message("hi there".into()));
        assert_eq!(StrictReply::parse("MESSAGE"), StrictReply::Other);
        assert_eq!(StrictReply::parse("SUGGEST 3,4"), StrictReply::Other);
        assert_eq!(StrictReply::parse("UNKNOWN command"), StrictReply::Unknown);
        assert_eq!(StrictReply::parse("ERROR - no"), StrictReply::Error);
    }

    proptest! {
        #[test]
        fn own_replies_are_strict(points in prop::collection::vec((0..32u8, 0..32u8), 1..4)) {
            let read = |reply: Reply| StrictReply::parse(&reply.to_string());
            let expected: Vec<_> = points.iter().map(|&(x, y)| (x.into(), y.into())).collect();
            let points: Vec<Point> =
                points.iter().filter_map(|&(x, y)| Point::new(x, y)).collect();
            prop_assert_eq!(read(Reply::Move(points[0])), StrictReply::Moves(vec![expected[0]]));
            prop_assert_eq!(read(Reply::Stones(points)), StrictReply::Moves(expected));
            prop_assert_eq!(read(Reply::Ok), StrictReply::Ok);
            prop_assert_eq!(read(Reply::Swap), StrictReply::Swap);
            let text = "any text".to_owned();
            let message = StrictReply::Message(text.clone());
            prop_assert_eq!(read(Reply::Message(text.clone())), message.clone());
            prop_assert_eq!(read(Reply::Debug(text.clone())), message);
            prop_assert_eq!(read(Reply::Error(text.clone())), StrictReply::Error);
            prop_assert_eq!(read(Reply::Unknown(text)), StrictReply::Unknown);
        }
    }
}
