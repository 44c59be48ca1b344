//! Statistics of one position, and their compact form.

use crate::GameResult;
use kakugo::board::Side;

/// Statistics of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Number of lines through the position: games and variations.
    pub lines: u32,
    /// Number of games won by Black.
    pub black: u32,
    /// Number of games won by White.
    pub white: u32,
    /// Number of draws.
    pub draws: u32,
}

impl Record {
    /// Adds lines, and the result of a game.
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

/// Statistics in four bytes: the result of a position that occurred once, or else an index into a
/// list of [`PositionStats`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen(u32);

impl Seen {
    /// Possible results of a position that occurred once.
    pub(super) const ONCE: [Option<GameResult>; 4] = [
        None,
        Some(GameResult::Win(Side::Black)),
        Some(GameResult::Win(Side::White)),
        Some(GameResult::Draw),
    ];

    /// Creates the statistics of a position that occurred once.
    pub(super) fn once(result: Option<GameResult>) -> Seen {
        let code = (0..).zip(Seen::ONCE).find(|(_, known)| *known == result);
        Seen(code.map_or(0, |(code, _)| code))
    }

    /// Appends `stats` to `list` and refers to it.
    pub(super) fn often(records: &mut Vec<Record>, record: Record) -> Seen {
        records.push(record);
        let place = u32::try_from(records.len() - 1 + Seen::ONCE.len());
        Seen(place.expect("fewer positions than memory has bytes"))
    }

    /// Returns the index into the list, if there is one.
    pub(super) fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(Seen::ONCE.len())
    }

    /// Returns the full statistics.
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
