//! The rating of the user of this machine, from the results that the storage keeps.

use crate::game::setup::Setup;
use crate::messages::Rating;
use crate::rating::{self, RatedGame};

/// The smallest board on which games count.
const LEAST_SIZE: u8 = 13;

/// The number of latest games whose estimates are shown.
const MAX_SHOWN: usize = 100;

/// The rating of the user of this machine.
#[derive(Default)]
pub struct PlayerRating {
    /// The games that count; `None` until the storage has read them.
    games: Option<Vec<RatedGame>>,
    /// True if a result of this room is being stored.
    adds: bool,
}

/// Returns true if games of this set-up count: the ratings of the levels hold for five in a row on
/// a usual board.
pub fn is_rated(setup: &Setup) -> bool {
    setup.variant.win_length() == 5
        && setup.width.min(setup.height) >= LEAST_SIZE
        && !setup.has_position()
}

impl PlayerRating {
    /// A result is being stored.
    pub fn adds(&mut self) {
        self.adds = true;
    }

    /// The storage has read its results. Returns true if one of this room is new among them.
    pub fn set(&mut self, text: &str) -> bool {
        self.games = Some(RatedGame::read(text));
        std::mem::take(&mut self.adds)
    }

    /// Returns the view of the rating; `None` until the storage has read the results.
    pub fn view(&self) -> Option<Rating> {
        let games = self.games.as_ref()?;
        let history = rating::history(games);
        let round = |value: f64| value.round() as i64;
        let shown = |&estimate: &rating::Estimate| [round(estimate.mean), round(estimate.error())];
        let line = history.iter().skip(history.len().saturating_sub(MAX_SHOWN)).map(shown);
        Some(Rating { games: games.len(), line: line.collect() })
    }
}
