//! Two people who play a game on two devices: the part of it that is saved with the game.

use kakugo_record::text::{Text, text};
use serde::{Deserialize, Serialize};

/// Lengths of secrets, in characters: 128 to 256 bits in hexadecimal.
const SECRET_LENGTHS: std::ops::RangeInclusive<usize> = 32..=64;

/// A game of two people, as it is saved.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// The secret with which the guest's seat is taken.
    pub token: String,
    /// The secret of the browser that has the guest's seat. Others with the token watch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<String>,
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
        let pairing = Pairing {
            token: token.to_ascii_lowercase(),
            holder: None,
            guest: seat,
            joined: false,
            over: false,
            analysis: false,
        };
        pairing.checked().ok_or_else(invalid)
    }

    /// Returns the pairing of a saved game if it is valid.
    pub fn checked(self) -> Option<Pairing> {
        let is_valid = is_secret(&self.token)
            && self.holder.as_deref().is_none_or(is_secret)
            && self.guest < 2;
        is_valid.then_some(self)
    }
}

/// The secrets that a guest shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// The secret of the invitation.
    token: String,
    /// The secret of the guest's browser.
    browser: String,
}

impl Credentials {
    /// Returns the secrets of a guest.
    ///
    /// # Errors
    /// Returns the reason if one of them is invalid.
    pub fn new(token: &str, browser: &str) -> Result<Credentials, Text> {
        let [token, browser] = [token, browser].map(str::to_ascii_lowercase);
        let is_valid = is_secret(&token) && is_secret(&browser);
        is_valid.then_some(Credentials { token, browser }).ok_or_else(invalid)
    }

    /// Returns true if the browser with this secret has shown them.
    pub fn are_of(&self, browser: &str) -> bool {
        self.browser == browser
    }

    /// Takes the seat of the guest, if it is free or belongs to this browser.
    ///
    /// # Errors
    /// Returns the reason if the token is not that of the invitation, or another browser has the
    /// seat.
    pub fn take_seat(&self, pairing: &mut Pairing) -> Result<(), Text> {
        if pairing.token != self.token {
            return Err(text!("This invitation is not valid any more."));
        }
        if pairing.holder.get_or_insert_with(|| self.browser.clone()) != &self.browser {
            return Err(text!("Another browser has taken this seat. You are watching."));
        }
        pairing.joined = true;
        Ok(())
    }
}

fn invalid() -> Text {
    text!("The invitation is not valid.")
}

fn is_secret(text: &str) -> bool {
    SECRET_LENGTHS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
