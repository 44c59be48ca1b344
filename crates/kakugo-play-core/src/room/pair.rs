//! A game of two people on two devices: what each may do, and what both agree on.

use kakugo_record::text::{Text, text};

use super::Room;
use super::execute::{Change, ensure_people};
use crate::commands::Command;
use crate::event::ClientId;
use crate::game::live::LiveGame;
use crate::game::setup::{Setup, tidy};
use crate::game::wording;
use crate::notice::Notice;
use crate::now::Now;
use crate::parts::seats::{Person, Proposal, name_people};

/// Returns the refusal of what neither person may do alone.
fn not_in_a_game_of_two() -> Text {
    text!("That is not possible in a game of two people.")
}

fn analysis_is_off() -> Text {
    text!("Analysis is off during a game of two people.")
}

impl Room {
    /// Executes a command of one of the two people.
    ///
    /// # Errors
    /// Returns the reason if that person may not do it, or it cannot be executed.
    pub(super) fn execute_for(
        &mut self,
        person: Person,
        client: ClientId,
        command: Command,
        now: Now,
    ) -> Result<Change, Text> {
        let time = now.time;
        let seat = self.seats.seat_of(person);
        match command {
            Command::Visible { .. } | Command::Sit { .. } => self.execute(client, command, now),
            Command::Name { name } => self.rename(seat, &name),
            Command::Offer { what } => self.propose(person, what.into(), now),
            Command::Rematch { .. } => self.propose(person, Proposal::Rematch, now),
            Command::Answer { offer, accept } => {
                let is_own = self.seats.offer().is_some_and(|offer| offer.by == person);
                match self.seats.answer(person, offer, accept)? {
                    Some(agreed) => self.carry_out(person.other(), agreed, now),
                    None => {
                        self.notice = (!is_own).then(|| self.notice_of_refusal(person));
                        Ok(Change::State)
                    }
                }
            }
            Command::Uninvite if person == Person::Host => {
                self.set_pairing(None);
                self.notice = Some(Notice::for_all(text!("The invitation has ended.")));
                Ok(Change::State)
            }
            Command::FreeSeat if person == Person::Host => {
                self.free_seat();
                Ok(Change::State)
            }
            Command::Analyse { .. }
            | Command::Treat { .. }
            | Command::SearchAll
            | Command::Balance { .. }
            | Command::Explain
            | Command::Hint { .. }
            | Command::Opinion { .. } => {
                if self.seats.forbid_analysis() {
                    return Err(analysis_is_off());
                }
                self.execute(client, command, now)
            }
            Command::AnswerPause { .. } | Command::Coach { .. } | Command::Games
                if person == Person::Host =>
            {
                self.execute(client, command, now)
            }
            command if self.seats.is_ongoing() => match command {
                Command::Play { .. } | Command::Choose { .. } => {
                    self.active.ensure_turn_of(seat)?;
                    if !self.seats.has_joined() {
                        return Err(text!("Your opponent has not joined yet."));
                    }
                    if self.active.game_mut().check_flag(time) {
                        return Ok(Change::Position);
                    }
                    if self.active.waits() {
                        return Err(text!("The game is paused."));
                    }
                    self.execute(client, command, now)
                }
                Command::Resign if self.seats.has_joined() => {
                    self.active.resign_for(seat, time).map(|()| Change::Position)
                }
                Command::Undo { .. } => self.propose(person, Proposal::Undo, now),
                Command::Pause { on: true } => self.propose(person, Proposal::Pause, now),
                Command::Pause { on: false } => self.execute(client, command, now),
                Command::New { setup, moves, guest } if person == Person::Host => {
                    let setup = setup.setup(&self.settings.engines)?;
                    if self.game().tree().count() < 2 {
                        return self.new_game_of(setup, &moves, guest, now);
                    }
                    match guest {
                        Some(guest) if moves.is_empty() => {
                            ensure_people(&setup)?;
                            let setup = Box::new(setup);
                            self.propose(person, Proposal::NewGame(setup, guest.seat.min(1)), now)
                        }
                        _ => Err(text!("Your opponent is playing: end the invitation first.")),
                    }
                }
                _ => Err(not_in_a_game_of_two()),
            },
            // After the game the board belongs to the host again.
            Command::New { setup, moves, guest } if person == Person::Host => {
                let setup = setup.setup(&self.settings.engines)?;
                self.new_game_of(setup, &moves, guest, now)
            }
            Command::Seats { .. } => Err(not_in_a_game_of_two()),
            command if person == Person::Host => self.execute(client, command, now),
            _ => Err(not_in_a_game_of_two()),
        }
    }

    /// Starts another game with the same guest, who has this seat.
    fn start_game_of_two(&mut self, mut setup: Setup, guest: usize, now: Now) {
        name_people(&mut setup, guest);
        let pairing = self.seats.for_next_game(guest);
        self.levels.players_chosen(&setup);
        self.start_game_of(LiveGame::new(setup).with_date(now.date()), true, pairing, now);
    }

    /// Offers something to the other person, or carries it out if both have offered it.
    fn propose(&mut self, by: Person, what: Proposal, now: Now) -> Result<Change, Text> {
        let goes_on = self.seats.is_ongoing();
        match (&what, goes_on) {
            (Proposal::Rematch, true) => return Err(text!("The game is not over.")),
            (Proposal::Rematch, false) | (_, true) => {}
            (_, false) => return Err(text!("The game is over.")),
        }
        let undo_is_empty = || self.game().steps_to_undo_of(self.seats.seat_of(by)).is_none();
        if what == Proposal::Undo && undo_is_empty() {
            return Err(text!("There is no move to take back."));
        }
        match self.seats.propose(by, what)? {
            Some(agreed) => self.carry_out(by, agreed, now),
            None => Ok(Change::State),
        }
    }

    /// Carries out what a person has offered and the other has accepted.
    fn carry_out(&mut self, by: Person, agreed: Proposal, now: Now) -> Result<Change, Text> {
        let time = now.time;
        match agreed {
            Proposal::Undo => {
                self.active.take_back_for(self.seats.seat_of(by), time)?;
                self.active.resume();
                Ok(Change::Position)
            }
            Proposal::Draw => self.active.agree_on_draw(time).map(|()| Change::Position),
            Proposal::Pause => {
                self.active.pause(true);
                Ok(Change::State)
            }
            Proposal::Analysis => {
                self.seats.agree_on_analysis();
                self.notice = Some(Notice::for_all(text!("Both may analyse now.")));
                Ok(Change::State)
            }
            Proposal::Rematch => {
                let setup = self.active.rematch(None, &self.settings.engines)?;
                // The second seat is the first one now.
                let guest = usize::from(self.seats.guest_seat() != Some(1));
                self.start_game_of_two(setup, guest, now);
                Ok(Change::Position)
            }
            Proposal::NewGame(setup, guest) => {
                self.start_game_of_two(*setup, guest, now);
                Ok(Change::Position)
            }
        }
    }

    fn notice_of_refusal(&self, person: Person) -> Notice {
        let name = &self.game().setup().seats[self.seats.seat_of(person)].name;
        Notice::for_all(text!("{0} declines.", wording::name(name)))
    }

    /// Changes the name of a person.
    fn rename(&mut self, seat: usize, name: &str) -> Result<Change, Text> {
        let mut setup = self.game().setup().clone();
        let name = tidy(name);
        if name == setup.seats[1 - seat].name {
            return Err(text!("Your opponent has that name."));
        }
        setup.seats[seat].name = name;
        name_people(&mut setup, self.seats.seat_of(Person::Guest));
        self.active.set_seats(setup.seats);
        self.saving.current.changed();
        Ok(Change::State)
    }
}
