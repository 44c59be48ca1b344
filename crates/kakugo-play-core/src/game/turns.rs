//! Turns and colours.

use super::end::End;
use super::error::GameError;
use super::live::{Action, LiveGame, Step};
use super::opening::{OpeningChoice, Progress};
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

    /// Returns the state of the opening.
    pub fn opening_progress(&self) -> Progress {
        self.setup.opening.progress(self.board.ply(), &self.choices())
    }

    /// Returns the seat that plays `side`.
    pub fn seat_of(&self, side: Side) -> usize {
        let black = self.opening_progress().black;
        if side == Side::Black { black } else { 1 - black }
    }

    /// Returns the colour that a seat plays.
    pub fn side_of(&self, seat: usize) -> Side {
        if self.seat_of(Side::Black) == seat { Side::Black } else { Side::White }
    }

    /// Returns the seat to move.
    pub fn turn(&self) -> usize {
        let Progress { black, next } = self.opening_progress();
        let own = if self.board.side_to_move() == Side::Black { black } else { 1 - black };
        next.seat().unwrap_or(own)
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
    pub fn choices_offered(&self) -> Vec<OpeningChoice> {
        self.opening_progress().next.choices().to_vec()
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

    /// Returns the number of steps to take back so that the last step of a seat is undone; `None`
    /// if it has none.
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
    use crate::game::opening::{Next, Opening};
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

    #[test]
    fn fifth_moves_are_offered_without_stones_and_one_is_picked() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|setup| {
            setup.variant = kakugo::board::Variant::RENJU;
            setup.opening = Opening::Rif;
        }));
        assert!(matches!(game.play(at(8, 8), now), Err(GameError::Opening(_))));
        for p in [at(7, 7), at(7, 6), at(7, 9)] {
            game.play(p, now).unwrap();
        }
        assert_eq!(game.play(at(1, 1), now), Err(GameError::ChooseFirst));
        game.choose(OpeningChoice::White, now).unwrap();
        assert_eq!(game.turn(), 1);
        game.play(at(7, 4), now).unwrap();
        // Black offers two moves: the board stays.
        assert_eq!(game.turn(), 0);
        game.play(at(6, 5), now).unwrap();
        assert!(matches!(game.play(at(8, 5), now), Err(GameError::Opening(_))));
        assert!(matches!(game.play(at(7, 7), now), Err(GameError::Board(..))));
        game.play(at(9, 9), now).unwrap();
        assert_eq!((game.board().ply(), game.turn()), (4, 1));
        // White picks one and moves again.
        assert!(matches!(game.play(at(8, 8), now), Err(GameError::Opening(_))));
        game.play(at(9, 9), now).unwrap();
        assert_eq!((game.board().ply(), game.turn(), game.seat_of(Side::White)), (5, 1, 1));
        assert_eq!(game.opening_progress().next, Next::Turn);
        game.undo(2, now).unwrap();
        assert_eq!((game.turn(), game.opening_progress().next.offered()), (0, &[at(6, 5)][..]));
        game.redo(2, now).unwrap();
        game.play(at(8, 8), now).unwrap();
        assert_eq!(game.turn(), 0);
    }
}
