//! Turns and colours.

use super::end::End;
use super::error::GameError;
use super::live::{Action, LiveGame, Step};
use super::opening::{self, OpeningChoice};
use kakugo::board::Side;

impl LiveGame {
    /// Returns the end that the record states for the position; `None` if the game was continued,
    /// or if a computer is to continue it. Such a game can be continued.
    pub fn recorded_end(&self) -> Option<End> {
        let is_computer = self.setup.seats[self.turn()].player.is_computer();
        if is_computer || self.end().is_some() { None } else { self.recorded_end_of(self.node()) }
    }

    /// Returns the choices up to the position.
    pub fn choices(&self) -> Vec<OpeningChoice> {
        let chosen = |step: Step| match step.action {
            Action::Choose(choice) => Some(choice),
            Action::Stone(_) | Action::Pass | Action::SetUp => None,
        };
        self.played().filter_map(chosen).collect()
    }

    /// Returns the seat that plays `side`.
    pub fn seat_of(&self, side: Side) -> usize {
        match side {
            Side::Black => opening::black_seat(&self.choices()),
            Side::White => 1 - opening::black_seat(&self.choices()),
        }
    }

    /// Returns the colour that a seat plays.
    pub fn side_of(&self, seat: usize) -> Side {
        if self.seat_of(Side::Black) == seat { Side::Black } else { Side::White }
    }

    /// Returns the seat to move.
    pub fn turn(&self) -> usize {
        let choices = self.choices();
        opening::swap_turn(self.setup.opening, self.board.ply(), &choices)
            .map_or_else(|| self.seat_of(self.board.side_to_move()), |(seat, _)| seat)
    }

    /// Returns an error unless a human is to move or the game is over.
    ///
    /// # Errors
    /// Returns an error if it is a computer's turn.
    pub fn allows_person(&self) -> Result<(), GameError> {
        let seat = &self.setup.seats[self.turn()];
        let waits = seat.player.is_computer() && self.end().is_none();
        if waits { Err(GameError::NotYourTurn(seat.name.clone())) } else { Ok(()) }
    }

    /// Returns the choices offered; none if a stone is to be placed.
    pub fn choices_offered(&self) -> &'static [OpeningChoice] {
        let choices = self.choices();
        match opening::swap_turn(self.setup.opening, self.board.ply(), &choices) {
            Some((1, true)) if self.setup.opening == opening::Opening::Swap2 => {
                &[OpeningChoice::Black, OpeningChoice::White, OpeningChoice::More]
            }
            Some((_, true)) => &[OpeningChoice::Black, OpeningChoice::White],
            _ => &[],
        }
    }

    /// Returns true while one player places stones of both colours.
    pub fn is_placing(&self) -> bool {
        let choices = self.choices();
        opening::swap_turn(self.setup.opening, self.board.ply(), &choices).is_some()
    }

    /// Returns the seat of the human who may resign: the one to move, or else the one who waits.
    pub fn human_seat(&self) -> usize {
        let human = |seat: &usize| !self.setup.seats[*seat].player.is_computer();
        let turn = self.turn();
        [turn, 1 - turn].into_iter().find(human).unwrap_or(turn)
    }

    /// Returns the number of steps to take back until a human is to move; 1 if both are humans or
    /// both computers.
    pub fn steps_to_own_turn(&self) -> usize {
        let human = |seat: usize| !self.setup.seats[seat].player.is_computer();
        if !human(0) && !human(1) {
            return 1;
        }
        let back = self.played().rev().position(|step| human(step.seat));
        back.map_or(1, |steps| steps + 1)
    }

    /// Returns the number of steps to take back so that the last step of a seat is undone; `None` if
    /// it has none.
    pub fn steps_to_undo_of(&self, seat: usize) -> Option<usize> {
        self.played().rev().position(|step| step.seat == seat).map(|steps| steps + 1)
    }

    /// Returns the number of steps to play again until a human is to move; 1 if both are humans or
    /// both computers.
    pub fn steps_to_next_turn(&self) -> usize {
        let human = |seat: usize| !self.setup.seats[seat].player.is_computer();
        if human(0) == human(1) {
            return 1;
        }
        let later = self.steps().into_iter().skip(self.at + 1);
        1 + later.take_while(|step| !human(step.seat)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::moves::tests::{at, setup};
    use crate::game::opening::Opening;
    use crate::game::setup::PlayerKind;
    use crate::now::Time;

    #[test]
    fn redo_mirrors_undo_against_a_computer() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|setup| {
            setup.seats[1].player = PlayerKind::Kakugo(1);
        }));
        for p in [at(0, 0), at(5, 5), at(9, 9), at(3, 3), at(4, 3)] {
            game.play(p, now).unwrap();
        }
        for expected in [4, 2, 0] {
            game.undo(game.steps_to_own_turn(), now).unwrap();
            assert_eq!(game.at(), expected);
        }
        for expected in [2, 4, 5] {
            game.redo(game.steps_to_next_turn(), now).unwrap();
            assert_eq!(game.at(), expected);
        }
    }

    #[test]
    fn choices_are_steps_that_can_be_undone() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|setup| setup.opening = Opening::Swap2));
        for p in [at(0, 0), at(5, 5), at(9, 9)] {
            assert_eq!(game.turn(), 0);
            game.play(p, now).unwrap();
        }
        assert_eq!(game.turn(), 1);
        assert_eq!(game.play(at(1, 0), now), Err(GameError::ChooseFirst));
        game.choose(OpeningChoice::Black, now).unwrap();
        assert_eq!((game.seat_of(Side::Black), game.turn()), (1, 0));
        assert_eq!(game.choose(OpeningChoice::White, now), Err(GameError::NoChoice));
        game.undo(1, now).unwrap();
        assert_eq!((game.turn(), game.board().ply()), (1, 3));
        game.choose(OpeningChoice::More, now).unwrap();
        game.play(at(1, 0), now).unwrap();
        game.play(at(2, 0), now).unwrap();
        assert_eq!(game.choices_offered(), [OpeningChoice::Black, OpeningChoice::White]);
        game.choose(OpeningChoice::White, now).unwrap();
        assert_eq!((game.seat_of(Side::White), game.turn()), (0, 0));
    }
}
