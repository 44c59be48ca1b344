//! The seats of two people on two devices: who acts for which, and what the two agree on.
//!
//! The host plays in the browser that owns the room. The guest has a token, which the host has sent
//! as a link. Everybody else watches.

use kakugo_record::text::{Text, text};

use crate::commands::ProposalJson;
use crate::game::pairing::{Credentials, Pairing};
use crate::game::setup::Setup;
use crate::game::wording;

/// One of the two people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Person {
    /// The owner of the room.
    Host,
    /// The invited person.
    Guest,
}

impl Person {
    /// Returns the other person.
    pub const fn other(self) -> Person {
        match self {
            Person::Host => Person::Guest,
            Person::Guest => Person::Host,
        }
    }
}

/// A change that takes the agreement of both.
#[derive(Clone, PartialEq, Debug)]
pub enum Proposal {
    /// Take back the last move of the person who asks.
    Undo,
    /// End the game in a draw.
    Draw,
    /// Stop the clocks.
    Pause,
    /// Allow analysis and hints for the rest of the game.
    Analysis,
    /// Start the same game with colours exchanged.
    Rematch,
    /// Start another game, in which the guest has this seat.
    NewGame(Box<Setup>, usize),
}

impl Proposal {
    /// Returns the word for it in messages.
    pub const fn word(&self) -> &'static str {
        match self {
            Proposal::Undo => "undo",
            Proposal::Draw => "draw",
            Proposal::Pause => "pause",
            Proposal::Analysis => "analysis",
            Proposal::Rematch => "rematch",
            Proposal::NewGame(..) => "new",
        }
    }
}

impl From<ProposalJson> for Proposal {
    fn from(what: ProposalJson) -> Proposal {
        match what {
            ProposalJson::Undo => Proposal::Undo,
            ProposalJson::Draw => Proposal::Draw,
            ProposalJson::Pause => Proposal::Pause,
            ProposalJson::Analysis => Proposal::Analysis,
            ProposalJson::Rematch => Proposal::Rematch,
        }
    }
}

/// An offer that waits for an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// Its number, by which it is answered: an answer never meets a later offer.
    pub number: u64,
    /// The person who offers.
    pub by: Person,
    /// The proposal.
    pub what: Proposal,
}

/// The seats of a room. Without a pairing, the owner of the room plays both sides.
#[derive(Default)]
pub struct Seats {
    pairing: Option<Pairing>,
    offer: Option<Offer>,
    /// Who was declined what in this position.
    declined: Option<(Person, &'static str)>,
    /// Number of offers made.
    offers: u64,
}

impl Seats {
    /// Returns the pairing, to be saved.
    pub fn pairing(&self) -> Option<&Pairing> {
        self.pairing.as_ref()
    }

    /// Returns the offer that waits for an answer.
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// Returns the seat of the guest, if there is an invitation.
    pub fn guest_seat(&self) -> Option<usize> {
        self.pairing.as_ref().map(|pairing| pairing.guest)
    }

    /// Returns the seat of a person.
    pub fn seat_of(&self, person: Person) -> usize {
        let guest = self.guest_seat().unwrap_or(1);
        match person {
            Person::Guest => guest,
            Person::Host => 1 - guest,
        }
    }

    /// Returns true if two people have seats.
    pub fn is_paired(&self) -> bool {
        self.pairing.is_some()
    }

    /// Returns true if a game of two people goes on, or waits for the guest.
    pub fn is_ongoing(&self) -> bool {
        self.pairing.as_ref().is_some_and(|pairing| !pairing.over)
    }

    /// Returns true if the guest has come.
    pub fn has_joined(&self) -> bool {
        self.pairing.as_ref().is_some_and(|pairing| pairing.joined)
    }

    /// Returns true if both allow analysis.
    pub fn allow_analysis(&self) -> bool {
        self.pairing.as_ref().is_some_and(|pairing| pairing.analysis)
    }

    /// Returns true if analysis and hints are off, so that the game is fair.
    pub fn forbid_analysis(&self) -> bool {
        self.is_ongoing() && !self.allow_analysis()
    }

    /// Returns the secret of the invitation, for the host alone.
    pub fn token(&self) -> Option<&str> {
        self.pairing.as_ref().map(|pairing| &*pairing.token)
    }

    /// Returns the pairing for another game, in which the guest has this seat.
    pub fn for_next_game(&self, guest: usize) -> Option<Pairing> {
        let pairing = self.pairing.clone()?;
        Some(Pairing { guest: guest.min(1), over: false, analysis: false, ..pairing })
    }

    /// Sets the pairing of another game. Returns true if the guests of the last one lose their
    /// seat.
    pub fn set(&mut self, pairing: Option<Pairing>) -> bool {
        let is_other = |old: &Pairing| pairing.as_ref().is_none_or(|new| new.token != old.token);
        let lost = self.pairing.as_ref().is_some_and(is_other);
        self.pairing = pairing;
        self.withdraw();
        lost
    }

    /// Takes the seat of the guest.
    ///
    /// # Errors
    /// Returns the reason if the token is not that of the invitation, or another browser has the
    /// seat.
    pub fn sit(&mut self, credentials: &Credentials) -> Result<(), Text> {
        let ended = || text!("This invitation is not valid any more.");
        credentials.take_seat(self.pairing.as_mut().ok_or_else(ended)?)
    }

    /// Frees the seat of the guest: the next browser with the token takes it. Returns the secret of
    /// the browser that had it.
    pub fn free_seat(&mut self) -> Option<String> {
        self.pairing.as_mut()?.holder.take()
    }

    /// The game on the board has ended.
    pub fn end_game(&mut self) {
        if let Some(pairing) = self.pairing.as_mut().filter(|pairing| !pairing.over) {
            pairing.over = true;
            self.withdraw();
        }
    }

    /// The position has changed: offers about the one before are withdrawn.
    pub fn position_changed(&mut self) {
        if self.is_ongoing() {
            self.withdraw();
        }
    }

    fn withdraw(&mut self) {
        (self.offer, self.declined) = (None, None);
    }

    /// Offers something. Returns it if the other person has offered the same: both agree.
    ///
    /// # Errors
    /// Returns the reason if it cannot be offered now.
    pub fn propose(&mut self, by: Person, what: Proposal) -> Result<Option<Proposal>, Text> {
        if !self.has_joined() {
            return Err(text!("Your opponent has not joined yet."));
        }
        if let Some(offer) = self.offer.take_if(|offer| offer.by != by) {
            if offer.what == what && what != Proposal::Undo {
                return Ok(Some(what));
            }
            self.offer = Some(offer);
            return Err(text!("Answer the offer of your opponent first."));
        }
        if self.declined == Some((by, what.word())) {
            return Err(text!("Your opponent has declined that."));
        }
        self.offers += 1;
        self.offer = Some(Offer { number: self.offers, by, what });
        Ok(None)
    }

    /// Answers the offer with this number. Returns what both agree on; `None` if it is declined, or
    /// withdrawn by the person who made it.
    ///
    /// # Errors
    /// Returns the reason if there is no such offer, or it is one's own.
    pub fn answer(
        &mut self,
        by: Person,
        number: u64,
        accept: bool,
    ) -> Result<Option<Proposal>, Text> {
        let gone = || text!("That offer does not stand any more.");
        let offer = self.offer.as_ref().filter(|offer| offer.number == number).ok_or_else(gone)?;
        let is_own = offer.by == by;
        if is_own && accept {
            return Err(text!("Your opponent must answer."));
        }
        let Some(offer) = self.offer.take() else { return Err(gone()) };
        if accept {
            return Ok(Some(offer.what));
        }
        // After the game a rematch may be offered again.
        if !is_own && self.is_ongoing() {
            self.declined = Some((offer.by, offer.what.word()));
        }
        Ok(None)
    }

    /// Both allow analysis for the rest of the game.
    pub fn agree_on_analysis(&mut self) {
        if let Some(pairing) = &mut self.pairing {
            pairing.analysis = true;
        }
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        assert!(self.offer.is_none() || self.has_joined());
        let is_valid = |pairing: &Pairing| pairing.clone().checked().is_some();
        assert!(self.pairing.as_ref().is_none_or(is_valid));
    }
}

/// Fills in the names of people without one of their own.
pub fn name_people(setup: &mut Setup, guest: usize) {
    for (number, seat) in setup.seats.iter_mut().enumerate() {
        if seat.name.is_empty() || wording::is_default_name(&seat.name) {
            let name = if number == guest { wording::GUEST } else { wording::HOST };
            name.clone_into(&mut seat.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "00112233445566778899aabbccddeeff";
    const BROWSER: &str = "ffeeddccbbaa99887766554433221100";

    fn credentials(token: &str, browser: &str) -> Credentials {
        Credentials::new(token, browser).unwrap()
    }

    fn guest() -> Credentials {
        credentials(TOKEN, BROWSER)
    }

    fn seats() -> Seats {
        let mut seats = Seats::default();
        seats.set(Some(Pairing::new(1, TOKEN).unwrap()));
        seats
    }

    #[test]
    fn only_the_token_takes_the_seat() {
        let mut seats = seats();
        for wrong in ["", "0", &TOKEN[1..], &"x".repeat(32)] {
            assert!(Credentials::new(wrong, BROWSER).is_err());
            assert!(Credentials::new(TOKEN, wrong).is_err());
        }
        assert!(seats.sit(&credentials(&TOKEN.replace('0', "1"), BROWSER)).is_err());
        assert!(!seats.has_joined());
        seats.sit(&guest()).unwrap();
        assert!(seats.has_joined());
        assert!(Pairing::new(2, TOKEN).is_err() && Pairing::new(0, "short").is_err());
        assert!(Pairing::new(0, &"x".repeat(32)).is_err());
        assert!(Seats::default().sit(&guest()).is_err());
    }

    #[test]
    fn a_seat_belongs_to_one_browser_until_it_is_freed() {
        let mut seats = seats();
        seats.sit(&guest()).unwrap();
        let other = credentials(TOKEN, TOKEN);
        assert!(seats.sit(&other).is_err());
        seats.sit(&guest()).unwrap();
        // The next game has the same guest.
        let next = seats.for_next_game(0);
        seats.set(next);
        assert!(seats.sit(&other).is_err());
        seats.free_seat();
        seats.sit(&other).unwrap();
        assert!(seats.sit(&guest()).is_err());
    }

    #[test]
    fn an_offer_needs_the_answer_of_the_other() {
        let mut seats = seats();
        assert!(seats.propose(Person::Host, Proposal::Draw).is_err(), "nobody is there");
        seats.sit(&guest()).unwrap();
        assert_eq!(seats.propose(Person::Guest, Proposal::Draw), Ok(None));
        let number = seats.offer().unwrap().number;
        assert!(seats.answer(Person::Guest, number, true).is_err());
        assert!(seats.answer(Person::Host, number + 1, true).is_err());
        assert!(seats.propose(Person::Host, Proposal::Undo).is_err());
        assert_eq!(seats.answer(Person::Host, number, true), Ok(Some(Proposal::Draw)));
        assert!(seats.offer().is_none());
        // An answer does not meet another offer that has taken the place of the one shown.
        seats.propose(Person::Guest, Proposal::Draw).unwrap();
        let shown = seats.offer().unwrap().number;
        seats.propose(Person::Guest, Proposal::Analysis).unwrap();
        assert!(seats.answer(Person::Host, shown, true).is_err());
        // Two offers of the same are an agreement.
        let agreed = seats.propose(Person::Host, Proposal::Analysis);
        assert_eq!(agreed, Ok(Some(Proposal::Analysis)));
    }

    #[test]
    fn what_was_declined_is_offered_again_after_a_move() {
        let mut seats = seats();
        seats.sit(&guest()).unwrap();
        seats.propose(Person::Guest, Proposal::Undo).unwrap();
        let number = seats.offer().unwrap().number;
        assert_eq!(seats.answer(Person::Host, number, false), Ok(None));
        assert!(seats.propose(Person::Guest, Proposal::Undo).is_err());
        assert_eq!(seats.propose(Person::Guest, Proposal::Draw), Ok(None));
        seats.position_changed();
        assert!(seats.offer().is_none(), "a move withdraws it");
        assert_eq!(seats.propose(Person::Guest, Proposal::Undo), Ok(None));
        // One's own offer is withdrawn, not declined.
        let number = seats.offer().unwrap().number;
        assert_eq!(seats.answer(Person::Guest, number, false), Ok(None));
        assert_eq!(seats.propose(Person::Guest, Proposal::Undo), Ok(None));
    }

    #[test]
    fn analysis_is_off_during_a_game_unless_both_agree() {
        let mut seats = seats();
        assert!(seats.forbid_analysis() && !Seats::default().forbid_analysis());
        seats.agree_on_analysis();
        assert!(!seats.forbid_analysis());
        let next = seats.for_next_game(0);
        assert!(!seats.set(next), "the guest stays");
        assert!(seats.forbid_analysis());
        seats.end_game();
        assert!(!seats.forbid_analysis() && seats.is_paired());
        assert!(seats.set(None));
    }
}
