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
    /// True if the player had help in it: moves were taken back, or a hint or an analysis shown.
    helped: bool,
}

/// The result of a game against Kakugo that counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelResult {
    /// The level.
    pub level: usize,
    /// Result of the human: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
}

impl Levels {
    /// Returns the history of a room's player, whose first game counts.
    pub fn new(history: Option<LevelHistory>) -> Levels {
        Levels { history, counts: true, helped: false }
    }

    /// Returns the history.
    pub fn history(&self) -> Option<LevelHistory> {
        self.history
    }

    /// Another game is on the board. One that has ended or was not started here does not count.
    pub fn game_replaced(&mut self, counts: bool, helped: bool) {
        (self.counts, self.helped) = (counts, helped);
    }

    /// Returns true if the player had help in the game on the board.
    pub fn was_helped(&self) -> bool {
        self.helped
    }

    /// The player has had help in the game on the board, unless it is over.
    pub fn helped(&mut self, game: &LiveGame) {
        self.helped |= game.end().is_none();
    }

    /// The players of the game were chosen.
    pub fn players_chosen(&mut self, setup: &Setup) {
        if let Some((_, level)) = opponent(setup)
            && self.history.is_none_or(|history| history.level != level)
        {
            self.history = Some(LevelHistory { level, run: 0 });
        }
    }

    /// Counts the game on the board if it has ended, and returns its result. A game in which the
    /// player had help does not count.
    pub fn observe(&mut self, game: &LiveGame) -> Option<LevelResult> {
        let (seat, level) = opponent(game.setup())?;
        let end = game.end().filter(|_| self.counts)?;
        self.counts = false;
        // Variations are what remains of moves that were taken back.
        let has_variations = game.tree().count() > game.nodes().len() + 1;
        let failed = matches!(end, End::Forfeit(_, Forfeit::Failed(_)));
        if failed || self.helped || has_variations {
            return None;
        }
        let before = self.history.filter(|history| history.level == level);
        let before = before.map_or(0, |history| history.run);
        let (run, half_points) = match end.winner().map(|side| game.seat_of(side) == seat) {
            Some(false) => (before.max(0) + 1, 2),
            Some(true) => (before.min(0) - 1, 0),
            None => (0, 1),
        };
        self.history = LevelHistory { level, run }.checked();
        Some(LevelResult { level, half_points })
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
