//! A game that is kept, whatever it is kept in.

use crate::game::live::LiveGame;

/// A game with what is needed to go on with it.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The room that it was played in.
    pub room: String,
    /// The room's key.
    pub key: String,
    /// Whether it was begun as a game, not opened as a record.
    pub begun: bool,
    /// The game.
    pub game: LiveGame,
}
