//! What is known of one position, and how it is kept.

use crate::GameResult;
use kakugo::board::Side;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Lines that lead through it: games, and the variations of libraries.
    pub lines: u32,
    /// Of the games with a result those that Black won,
    pub black: u32,
    /// those that White won,
    pub white: u32,
    /// and draws.
    pub draws: u32,
}

impl Record {
    /// Count more lines, and a game's result.
    pub(super) fn add(&mut self, lines: u32, result: Option<GameResult>) {
        self.lines = self.lines.saturating_add(lines);
        match result {
            Some(GameResult::Win(Side::Black)) => self.black += 1,
            Some(GameResult::Win(Side::White)) => self.white += 1,
            Some(GameResult::Draw) => self.draws += 1,
            None => {}
        }
    }
}

/// What is known of a position in four bytes: a position that came once by its result, others by a
/// place in the list of records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen(u32);

impl Seen {
    /// The results that a position that came once may have.
    pub(super) const ONCE: [Option<GameResult>; 4] = [
        None,
        Some(GameResult::Win(Side::Black)),
        Some(GameResult::Win(Side::White)),
        Some(GameResult::Draw),
    ];

    /// It came once.
    pub(super) fn once(result: Option<GameResult>) -> Seen {
        let code = (0..).zip(Seen::ONCE).find(|(_, known)| *known == result);
        Seen(code.map_or(0, |(code, _)| code))
    }

    /// It came more often, as `record` says, which joins `records`.
    pub(super) fn often(records: &mut Vec<Record>, record: Record) -> Seen {
        records.push(record);
        let place = u32::try_from(records.len() - 1 + Seen::ONCE.len());
        Seen(place.expect("fewer positions than memory has bytes"))
    }

    /// Its place in the list of records, if it has one.
    pub(super) fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Seen::ONCE.len())
    }

    /// What is known of it.
    pub(super) fn record(self, records: &[Record]) -> Record {
        match self.place() {
            Some(place) => records[place],
            None => {
                let mut record = Record::default();
                record.add(1, Seen::ONCE[self.0 as usize]);
                record
            }
        }
    }
}
