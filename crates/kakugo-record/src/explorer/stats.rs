//! Statistics of one position, and their compact form.

use crate::GameResult;
use kakugo::board::Side;

/// Statistics of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionStats {
    /// Number of lines through the position: games and variations.
    pub lines: u32,
    /// Number of games won by Black.
    pub black: u32,
    /// Number of games won by White.
    pub white: u32,
    /// Number of draws.
    pub draws: u32,
}

impl PositionStats {
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
pub(super) struct CompactStats(u32);

impl CompactStats {
    /// Possible results of a position that occurred once.
    pub(super) const RESULTS: [Option<GameResult>; 4] = [
        None,
        Some(GameResult::Win(Side::Black)),
        Some(GameResult::Win(Side::White)),
        Some(GameResult::Draw),
    ];

    /// Creates the statistics of a position that occurred once.
    pub(super) fn single(result: Option<GameResult>) -> CompactStats {
        let code = (0..).zip(CompactStats::RESULTS).find(|(_, known)| *known == result);
        CompactStats(code.map_or(0, |(code, _)| code))
    }

    /// Appends `stats` to `list` and refers to it.
    pub(super) fn listed(list: &mut Vec<PositionStats>, stats: PositionStats) -> CompactStats {
        list.push(stats);
        let index = u32::try_from(list.len() - 1 + CompactStats::RESULTS.len());
        CompactStats(index.expect("fewer positions than memory has bytes"))
    }

    /// Returns the index into the list, if there is one.
    pub(super) fn index(self) -> Option<usize> {
        (self.0 as usize).checked_sub(CompactStats::RESULTS.len())
    }

    /// Returns the full statistics.
    pub(super) fn stats(self, list: &[PositionStats]) -> PositionStats {
        match self.index() {
            Some(index) => list[index],
            None => {
                let mut stats = PositionStats::default();
                stats.add(1, CompactStats::RESULTS[self.0 as usize]);
                stats
            }
        }
    }
}
