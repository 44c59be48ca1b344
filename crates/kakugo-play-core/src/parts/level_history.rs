//! The level at which a human plays against Kakugo, and the latest results at it.
//!
//! The browser stores the history from visit to visit, because rooms end.

use kakugo::level::LEVELS;
use serde::{Deserialize, Serialize};

use crate::game::end::{End, Forfeit};
use crate::game::live::LiveGame;
use crate::game::setup::{PlayerKind, Setup};

/// Number of wins or losses in a row after which another level is suggested.
const ENOUGH: i8 = 2;

/// A level, and the latest results of the human at it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelHistory {
    /// The level, from 1.
    pub level: usize,
    /// Wins in a row; losses in a row if negative.
    pub run: i8,
}

impl LevelHistory {
    /// Returns the history if there is such a level.
    pub fn checked(self) -> Option<LevelHistory> {
        let run = self.run.clamp(-ENOUGH, ENOUGH);
        (1..=LEVELS.len()).contains(&self.level).then_some(LevelHistory { run, ..self })
    }
}

/// The history of the room's player.
#[derive(Default)]
pub struct Levels {
    history: Option<LevelHistory>,
    /// True if the game on the board counts once it ends.
    counts: bool,
}

impl Levels {
    /// Returns the history of a room's player, whose first game counts.
    pub fn new(history: Option<LevelHistory>) -> Levels {
        Levels { history, counts: true }
    }

    /// Returns the history.
    pub fn history(&self) -> Option<LevelHistory> {
        self.history
    }

    /// Another game is on the board. One that has ended or was not started here does not count.
    pub fn game_replaced(&mut self, counts: bool) {
        self.counts = counts;
    }

    /// The players of the game were chosen.
    pub fn players_chosen(&mut self, setup: &Setup) {
        if let Some((_, level)) = opponent(setup)
            && self.history.is_none_or(|history| history.level != level)
        {
            self.history = Some(LevelHistory { level, run: 0 });
        }
    }

    /// Counts the game on the board if it has ended.
    pub fn observe(&mut self, game: &LiveGame) {
        let Some((seat, level)) = opponent(game.setup()) else { return };
        let Some(end) = game.end().filter(|_| self.counts) else { return };
        self.counts = false;
        if matches!(end, End::Forfeit(_, Forfeit::Failed(_))) {
            return;
        }
        let before = self.history.filter(|history| history.level == level);
        let before = before.map_or(0, |history| history.run);
        let run = match end.winner().map(|side| game.seat_of(side) == seat) {
            Some(false) => before.max(0) + 1,
            Some(true) => before.min(0) - 1,
            None => 0,
        };
        self.history = LevelHistory { level, run }.checked();
    }

    /// Returns the level to play next, if the results suggest another.
    pub fn suggestion(&self, game: &LiveGame) -> Option<usize> {
        let (_, level) = opponent(game.setup())?;
        let history = self.history.filter(|history| history.level == level)?;
        game.end()?;
        let next = match history.run {
            ENOUGH.. => level + 1,
            run if run <= -ENOUGH => level - 1,
            _ => return None,
        };
        (1..=LEVELS.len()).contains(&next).then_some(next)
    }
}

/// Returns Kakugo's seat and level if it plays against a human.
fn opponent(setup: &Setup) -> Option<(usize, usize)> {
    match setup.seats.each_ref().map(|seat| seat.player) {
        [PlayerKind::Kakugo(level), PlayerKind::Human] => Some((0, level)),
        [PlayerKind::Human, PlayerKind::Kakugo(level)] => Some((1, level)),
        _ => None,
    }
}
