//! Notices about the latest change of a room.

use kakugo_record::text::Text;

/// A notice.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    /// The text.
    pub text: Text,
    /// True if spectators see it, too.
    pub is_for_spectators: bool,
}

impl Notice {
    /// Returns a notice for those who play.
    pub fn for_players(text: Text) -> Notice {
        Notice { text, is_for_spectators: false }
    }

    /// Returns a notice for everybody.
    pub fn for_all(text: Text) -> Notice {
        Notice { text, is_for_spectators: true }
    }
}
