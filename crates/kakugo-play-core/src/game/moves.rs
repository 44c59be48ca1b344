//! Moves, choices and forfeits: the changes of a game by its players.

use std::time::Duration;

use kakugo::board::Point;

use super::end::Forfeit;
use super::error::{GameError, Spot};
use super::live::{Action, GameNode, LiveGame, Step};
use super::opening::{Next, Opening, OpeningChoice};
use super::setup::Setup;
use crate::now::Time;
use kakugo_record::tree::NodeId;

/// Number of stones before which nobody passes in a game with an opening.
pub(super) const OPENING_STONES: usize = 5;

/// Number of steps after which nobody passes or sets stones up: a line has at most these, and the
/// stones that fill the board.
pub(super) const MAX_STEPS: usize = 4096;

impl LiveGame {
    /// Returns a game that starts with these moves. The error has the index of a move that is not
    /// legal.
    pub fn with_moves(setup: Setup, moves: &[Point]) -> Result<LiveGame, (usize, GameError)> {
        let moves: Vec<Option<Point>> = moves.iter().copied().map(Some).collect();
        LiveGame::with_plies(setup, &moves)
    }

    /// As [`LiveGame::with_moves`]; `None` is a pass.
    pub fn with_plies(
        setup: Setup,
        moves: &[Option<Point>],
    ) -> Result<LiveGame, (usize, GameError)> {
        let mut later = moves.iter().skip(MAX_STEPS);
        if let Some(number) = later.position(Option::is_none) {
            return Err((MAX_STEPS + number, GameError::TooLong));
        }
        let mut game = LiveGame::new(setup);
        for (number, &point) in moves.iter().enumerate() {
            // A record may contain forbidden moves.
            let seat = game.seat_of(game.board.side_to_move());
            let played = match (game.end(), point) {
                (Some(_), _) => Err(GameError::Over),
                (None, Some(p)) => game.place(p, seat, Duration::ZERO),
                (None, None) => {
                    game.board.set_side_to_move(game.board.side_to_move().opponent());
                    game.push(Step { action: Action::Pass, seat, spent: Duration::ZERO });
                    Ok(())
                }
            };
            played.map_err(|refusal| (number, refusal))?;
        }
        Ok(game)
    }

    /// Returns the error if a stone may not be placed on `p`.
    pub fn objection(&self, p: Point) -> Option<GameError> {
        let spot = self.spot(p);
        if self.end().is_some() {
            return Some(GameError::Over);
        }
        let next = self.opening_progress().next;
        if !next.choices().is_empty() {
            return Some(GameError::ChooseFirst);
        }
        if let Err(error) = self.board.clone().play(p) {
            return Some(GameError::Board(error, spot));
        }
        if let Some(why) = self.setup.opening.objects_to(&self.board, &next, p) {
            return Some(GameError::Opening(why));
        }
        let side = self.board.side_to_move();
        let foul = self.board.foul(p, side).filter(|_| !self.board.makes_five(p, side))?;
        // If nothing else is left, a forbidden point may be played: it loses.
        let free = |q: Point| self.board.foul(q, side).is_none();
        self.board.empty_points().any(free).then_some(GameError::Forbidden(foul, spot))
    }

    /// Places a stone of the player to move, or offers it as a fifth move.
    pub fn play(&mut self, p: Point, now: Time) -> Result<(), GameError> {
        match self.objection(p) {
            Some(refusal) => Err(refusal),
            None => self.play_forbidden_too(p, now),
        }
    }

    /// As [`LiveGame::play`], but a forbidden point may be played, and loses, as for engines.
    pub fn play_forbidden_too(&mut self, p: Point, now: Time) -> Result<(), GameError> {
        match self.objection(p) {
            Some(GameError::Forbidden(..)) | None => {
                let (spent, seat) = (self.clock.take(now), self.turn());
                if let Next::Offer { .. } = self.opening_progress().next {
                    let action = Action::Choose(OpeningChoice::Offer(p));
                    self.push(Step { action, seat, spent });
                    return Ok(());
                }
                self.place(p, seat, spent)
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Passes for the player to move.
    pub fn pass(&mut self, now: Time) -> Result<(), GameError> {
        if self.end().is_some() {
            return Err(GameError::Over);
        }
        if !self.choices_offered().is_empty() {
            return Err(GameError::ChooseFirst);
        }
        // The stones of an opening are counted.
        let is_opening = self.setup.opening != Opening::Free && self.board.ply() < OPENING_STONES;
        if is_opening || self.opening_progress().next != Next::Turn {
            return Err(GameError::NoPass);
        }
        if self.at >= MAX_STEPS {
            return Err(GameError::TooLong);
        }
        let (seat, spent) = (self.turn(), self.clock.take(now));
        self.board.set_side_to_move(self.board.side_to_move().opponent());
        self.push(Step { action: Action::Pass, seat, spent });
        Ok(())
    }

    /// Makes a choice in an opening.
    pub fn choose(&mut self, choice: OpeningChoice, now: Time) -> Result<(), GameError> {
        if let OpeningChoice::Offer(p) = choice {
            let is_offering = matches!(self.opening_progress().next, Next::Offer { .. });
            return if is_offering { self.play(p, now) } else { Err(GameError::NoChoice) };
        }
        if self.end().is_some() {
            return Err(GameError::Over);
        }
        if !self.choices_offered().contains(&choice) {
            return Err(GameError::NoChoice);
        }
        let spent = self.clock.take(now);
        self.push(Step { action: Action::Choose(choice), seat: self.turn(), spent });
        Ok(())
    }

    fn place(&mut self, p: Point, seat: usize, spent: Duration) -> Result<(), GameError> {
        let spot = self.spot(p);
        self.board.play(p).map_err(|error| GameError::Board(error, spot))?;
        self.push(Step { action: Action::Stone(p), seat, spent });
        Ok(())
    }

    fn spot(&self, point: Point) -> Spot {
        Spot { point, height: self.board.height() }
    }

    /// Goes one step on: along a variation that starts with the step, or along a new one.
    fn push(&mut self, step: Step) {
        let here = self.node();
        // A node that also changes the board leads to another position.
        let same = |&node: &NodeId| {
            let GameNode { step: known, note, .. } = self.tree.value(node);
            note.setup.is_none() && known.is_some_and(|known| known.action == step.action)
        };
        let known = self.tree.children(here).find(same);
        let next = known.unwrap_or_else(|| {
            self.tree.add(here, GameNode { step: Some(step), ..GameNode::default() })
        });
        let moment = self.tree.value_mut(next);
        // If the game was lost away from the board here, it goes on.
        (moment.step, moment.forfeit, moment.waited) = (Some(step), None, Duration::ZERO);
        moment.agreed = false;
        self.tree.value_mut(here).waited = Duration::ZERO;
        if self.line.get(self.at) != Some(&next) {
            self.line.truncate(self.at);
            self.line.push(next);
            self.line.extend(self.tree.main_line(next));
        }
        self.at += 1;
        self.settle_main_line();
    }

    /// Promotes the line if the game has ended on it, and not on the main line.
    fn settle_main_line(&mut self) {
        if self.end().is_none() || self.main_end().is_some() {
            return;
        }
        while self.tree.promote(self.node()) {}
    }

    /// Carries out the decision of the computer to move. It forfeits if its time is up or the
    /// decision is not legal.
    pub fn carry_out(&mut self, decided: Result<Vec<Action>, String>, now: Time) {
        let seat = self.turn();
        if self.check_flag(now) {
            return;
        }
        let done = decided.and_then(|actions| {
            if actions.is_empty() {
                return Err("no move".to_owned());
            }
            actions.into_iter().try_for_each(|action| self.act(action, now)).map_err(|refusal| {
                match refusal {
                    GameError::Board(..) => "a move that cannot be played".to_owned(),
                    refusal => refusal.to_string().trim_end_matches('.').to_owned(),
                }
            })
        });
        if let Err(story) = done {
            let _ = self.forfeit(seat, Forfeit::Failed(story), now);
        }
    }

    fn act(&mut self, action: Action, now: Time) -> Result<(), GameError> {
        match action {
            Action::Stone(p) => self.play_forbidden_too(p, now),
            Action::Choose(choice) => self.choose(choice, now),
            Action::Pass | Action::SetUp => Err(GameError::NoPass),
        }
    }

    /// Lets the player on `seat` lose away from the board.
    pub fn forfeit(&mut self, seat: usize, how: Forfeit, now: Time) -> Result<(), GameError> {
        if self.end().or_else(|| self.recorded_end()).is_some() {
            return Err(GameError::Over);
        }
        let (here, loser) = (self.node(), self.side_of(seat));
        self.tree.value_mut(here).forfeit = Some((loser, how));
        self.settle_main_line();
        self.clock.hold(now);
        Ok(())
    }

    /// Ends the game in a draw by agreement.
    ///
    /// # Errors
    /// Returns an error if the game is over.
    pub fn agree_on_draw(&mut self, now: Time) -> Result<(), GameError> {
        if self.end().or_else(|| self.recorded_end()).is_some() {
            return Err(GameError::Over);
        }
        let here = self.node();
        self.tree.value_mut(here).agreed = true;
        self.settle_main_line();
        self.clock.hold(now);
        Ok(())
    }

    /// Ends the game if the time of the player to move has run out, and returns true if so.
    pub fn check_flag(&mut self, now: Time) -> bool {
        let seat = self.turn();
        let out = self.time_left(seat, now) == Some(Duration::ZERO) && self.clock.is_running();
        out && self.forfeit(seat, Forfeit::Time, now).is_ok()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::end::End;
    use crate::game::setup::PlayerKind;
    use crate::game::setup::Seat;
    use kakugo::board::{Side, Variant};

    pub fn setup(change: impl FnOnce(&mut Setup)) -> Setup {
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let mut setup = Setup { seats, ..Setup::default() };
        change(&mut setup);
        setup.checked(&[]).unwrap()
    }

    pub fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn a_new_move_in_the_past_makes_a_variation() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2)] {
            game.play(p, now).unwrap();
        }
        assert_eq!(game.undo(9, now), Ok(3));
        assert_eq!(game.undo(1, now), Err(GameError::NothingToUndo));
        assert_eq!(game.redo(2, now), Ok(2));
        assert_eq!(game.board().ply(), 2);
        game.play(at(5, 5), now).unwrap();
        assert_eq!(game.redo(1, now), Err(GameError::NothingToRedo));
        assert_eq!(game.line().collect::<Vec<_>>(), [at(0, 0), at(1, 1), at(5, 5)]);
        game.go_to(1, now);
        assert_eq!((game.board().ply(), game.line().count()), (1, 3));
        // The earlier moves still exist, and are the main line.
        let old = game.tree().main_line(NodeId::ROOT).last().unwrap();
        game.go_to_node(old, now).unwrap();
        assert_eq!(game.line().collect::<Vec<_>>(), [at(0, 0), at(1, 1), at(2, 2)]);
        // A move that is played again is the existing one.
        game.go_to(2, now);
        game.play(at(5, 5), now).unwrap();
        assert_eq!((game.tree().count(), game.line().count()), (5, 3));
        game.promote(game.node()).unwrap();
        assert_eq!(game.promote(game.node()), Err(GameError::MainLine));
        assert_eq!(game.main_tip(), game.node());
        game.delete(old, now).unwrap();
        assert_eq!(game.go_to_node(old, now), Err(GameError::NoSuchMove));
        assert_eq!((game.tree().count(), game.board().ply()), (4, 3));
        let first = game.nodes()[0];
        game.delete(first, now).unwrap();
        assert_eq!((game.tree().count(), game.board().ply(), game.nodes().len()), (1, 0, 0));
    }

    #[test]
    fn the_line_in_which_the_game_ended_becomes_the_main_line() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2), at(3, 3)] {
            game.play(p, now).unwrap();
        }
        game.undo(2, now).unwrap();
        game.play(at(9, 9), now).unwrap();
        assert_ne!(game.main_tip(), game.node());
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.main_tip(), game.node());
        assert!(game.main_end().is_some());
        // Another end in a variation changes nothing.
        let end = game.main_tip();
        game.undo(1, now).unwrap();
        game.play(at(8, 8), now).unwrap();
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.main_tip(), end);
    }

    #[test]
    fn resigning_in_the_past_deletes_nothing() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2)] {
            game.play(p, now).unwrap();
        }
        game.undo(1, now).unwrap();
        game.forfeit(0, Forfeit::Resigned, now).unwrap();
        assert!(game.end().is_some());
        assert_eq!(game.redo(1, now), Ok(1));
        assert_eq!((game.end(), game.board().ply()), (None, 3));
    }

    #[test]
    fn resigning_ends_the_game_until_it_is_taken_back() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|_| {}));
        game.play(at(7, 7), now).unwrap();
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.end().and_then(|end| end.winner()), Some(Side::Black));
        assert_eq!(game.play(at(8, 8), now), Err(GameError::Over));
        assert_eq!(game.forfeit(0, Forfeit::Resigned, now), Err(GameError::Over));
        game.undo(1, now).unwrap();
        assert_eq!(game.end(), None);
        game.redo(1, now).unwrap();
        assert!(game.end().is_some());
        // Played again, the move takes it back.
        game.undo(1, now).unwrap();
        game.play(at(7, 7), now).unwrap();
        assert_eq!((game.end(), game.main_end()), (None, None));
        game.play(at(8, 8), now).unwrap();
    }

    #[test]
    fn resigning_before_the_first_move_is_taken_back_too() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|_| {}));
        game.forfeit(0, Forfeit::Resigned, now).unwrap();
        assert!(game.end().is_some() && game.can_undo());
        assert_eq!(game.undo(1, now), Ok(0));
        assert_eq!((game.end(), game.can_undo()), (None, false));
        assert_eq!(game.undo(1, now), Err(GameError::NothingToUndo));
        game.play(at(7, 7), now).unwrap();
    }

    #[test]
    fn where_only_forbidden_points_are_left_one_may_be_played_and_loses() {
        let now = Time::default();
        let mut game = LiveGame::new(setup(|setup| {
            setup.variant = Variant::RENJU;
            (setup.width, setup.height) = (6, 3);
        }));
        // Only the point between Black's stones in the lowest row is left: six in a row.
        let black = [(0, 2), (1, 2), (3, 2), (4, 2), (0, 0), (1, 0), (5, 2), (3, 0), (4, 0)];
        let white = [(2, 0), (0, 1), (1, 1), (2, 1), (4, 1), (5, 1), (5, 0), (3, 1)];
        let filler = black.iter().zip(white.iter().map(Some).chain([None]));
        for (&(bx, by), reply) in filler {
            game.place(at(bx, by), 0, Duration::ZERO).unwrap();
            if let Some(&(wx, wy)) = reply {
                game.place(at(wx, wy), 1, Duration::ZERO).unwrap();
            }
        }
        let overline = at(2, 2);
        assert_eq!(game.board().empty_points().collect::<Vec<_>>(), [overline]);
        game.board.set_side_to_move(Side::Black);
        assert_eq!(game.objection(overline), None);
        game.play(overline, now).unwrap();
        assert!(matches!(game.end(), Some(End::Foul(_))), "{:?}", game.end());
    }
}
