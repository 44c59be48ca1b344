//! Two people who play a game on two devices: the part of it that is saved with the game.

use kakugo_record::text::{Text, text};
use serde::{Deserialize, Serialize};

/// Lengths of tokens, in characters: 128 to 256 bits in hexadecimal.
const TOKEN_LENGTHS: std::ops::RangeInclusive<usize> = 32..=64;

/// A game of two people, as it is saved.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The secret with which the guest's seat is taken.
    pub token: String,
    /// The seat of the guest.
    pub guest: usize,
    /// True if the guest has come.
    pub joined: bool,
    /// True once the game has ended, even if the host looks at earlier moves.
    pub over: bool,
    /// True if both allow analysis.
    pub analysis: bool,
}

impl Pairing {
    /// Returns an invitation to a seat, with this secret.
    ///
    /// # Errors
    /// Returns the reason if seat or secret are invalid.
    pub fn new(seat: usize, token: &str) -> Result<Pairing, Text> {
        let token = token.to_ascii_lowercase();
        let pairing = Pairing { token, guest: seat, joined: false, over: false, analysis: false };
        pairing.checked().ok_or_else(|| text!("The invitation is not valid."))
    }

    /// Returns the pairing of a saved game if it is valid.
    pub fn checked(self) -> Option<Pairing> {
        (is_token(&self.token) && self.guest < 2).then_some(self)
    }
}

fn is_token(text: &str) -> bool {
    TOKEN_LENGTHS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
