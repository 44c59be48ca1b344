//! Statistics of one position.

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

    /// Adds the statistics of the same position in other games.
    pub(super) fn join(&mut self, other: PositionStats) {
        self.lines = self.lines.saturating_add(other.lines);
        self.black = self.black.saturating_add(other.black);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
    }

    /// Returns the result of a single line; `None` if there are several lines.
    pub(super) fn single_result(self) -> Option<Option<GameResult>> {
        match self {
            PositionStats { lines: 1, black: 0, white: 0, draws: 0 } => Some(None),
            PositionStats { lines: 1, black: 1, white: 0, draws: 0 } => {
                Some(Some(GameResult::Win(Side::Black)))
            }
            PositionStats { lines: 1, black: 0, white: 1, draws: 0 } => {
                Some(Some(GameResult::Win(Side::White)))
            }
            PositionStats { lines: 1, black: 0, white: 0, draws: 1 } => {
                Some(Some(GameResult::Draw))
            }
            _ => None,
        }
    }
}
