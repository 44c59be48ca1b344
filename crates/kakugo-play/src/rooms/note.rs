//! Something to know about the latest change.

use kakugo_record::text::Text;

/// What is said, and to whom.
pub struct Note {
    /// What is said.
    pub text: Text,
    /// Whether those who only watch are told, too.
    pub to_all: bool,
}

impl Note {
    /// For those who play.
    pub fn to_players(text: Text) -> Note {
        Note { text, to_all: false }
    }

    /// For those who watch, too.
    pub fn to_all(text: Text) -> Note {
        Note { text, to_all: true }
    }
}
