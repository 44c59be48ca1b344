//! The study that a game belongs to: games with the same name of the study, which is the event of
//! their records, each with a title of its own.

use kakugo_record::tree::NodeId;

use super::live::LiveGame;
use super::setup::tidy;

/// The longest name, in characters.
const MAX_NAME: usize = 100;

impl LiveGame {
    /// Returns the name of the study or of the event; may be empty.
    pub fn study(&self) -> &str {
        &self.info.event
    }

    /// Returns the title of the game within its study; may be empty.
    pub fn title(&self) -> String {
        self.tree.value(NodeId::ROOT).note.game_name()
    }

    /// Sets the name of the study, and the title of the game.
    pub fn describe(&mut self, study: &str, title: &str) {
        let cut = |text: &str| -> String { tidy(text).chars().take(MAX_NAME).collect() };
        self.info.event = cut(study);
        self.tree.value_mut(NodeId::ROOT).note.set_game_name(&cut(title));
    }
}
