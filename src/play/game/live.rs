//! A game under way: moves with undo and redo, and how it ends. Whose turn it is stands in `turns`,
//! what the clocks show in `time`.
//!
//! It is a list of [`Step`]s and a cursor in it. Undo and redo move the cursor; a new step drops
//! what lies beyond. Everything else (board, choices, colours, time used) follows from the steps
//! before the cursor.

use std::time::{Duration, Instant};

use crate::board::{Board, Outcome, Point, Side};

use super::clock::MoveClock;
use super::end::{End, Forfeit};
use super::error::{GameError, Spot};
use super::opening::OpeningChoice;
use super::setup::{Seat, Setup};

/// One thing that a player did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was done.
    pub action: Action,
    /// By which seat.
    pub seat: usize,
    /// How long it took.
    pub spent: Duration,
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Place a stone.
    Stone(Point),
    /// Choose a colour, or to place more.
    Choose(OpeningChoice),
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame {
    pub(super) setup: Setup,
    pub(super) steps: Vec<Step>,
    pub(super) at: usize,
    pub(super) board: Board,
    forfeit: Option<(Side, Forfeit)>,
    pub(super) clock: MoveClock,
}

impl LiveGame {
    /// A new game; the set-up must have been checked.
    pub fn new(setup: Setup) -> LiveGame {
        let board = empty_board(&setup);
        let clock = MoveClock::default();
        LiveGame { setup, steps: Vec::new(), at: 0, board, forfeit: None, clock }
    }

    /// A game that begins with these moves, which must be legal up to the end of the game.
    pub fn with_moves(setup: Setup, moves: &[Point]) -> Result<LiveGame, (usize, GameError)> {
        let mut game = LiveGame::new(setup);
        for (number, &p) in moves.iter().enumerate() {
            // A record shows what was played, forbidden or not.
            let seat = game.seat_of(game.board.side_to_move());
            let played = match game.end() {
                Some(_) => Err(GameError::Over),
                None => game.place(p, seat, Duration::ZERO),
            };
            played.map_err(|refusal| (number, refusal))?;
        }
        Ok(game)
    }

    /// What was agreed.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Change the players' seats in a running game.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.setup.seats = seats;
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// All steps, those that could be redone included.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The stones of all steps.
    pub fn line(&self) -> impl Iterator<Item = Point> + '_ {
        self.steps.iter().filter_map(|step| match step.action {
            Action::Stone(p) => Some(p),
            Action::Choose(_) => None,
        })
    }

    /// Number of steps played.
    pub fn at(&self) -> usize {
        self.at
    }

    /// How the game ended; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        match self.board.outcome() {
            Outcome::Win(side) => return Some(End::Row(side)),
            Outcome::Forbidden(foul) => return Some(End::Foul(foul)),
            Outcome::Draw => return Some(End::Full),
            Outcome::Ongoing => {}
        }
        let (loser, how) = self.forfeit.as_ref()?;
        (self.at == self.steps.len()).then(|| End::Forfeit(*loser, how.clone()))
    }

    /// Why a stone may not be placed on `p` now.
    pub fn objection(&self, p: Point) -> Option<GameError> {
        let spot = self.spot(p);
        if self.end().is_some() {
            return Some(GameError::Over);
        }
        if !self.choices_offered().is_empty() {
            return Some(GameError::ChooseFirst);
        }
        if let Err(error) = self.board.clone().play(p) {
            return Some(GameError::Board(error, spot));
        }
        if let Some(why) = self.setup.opening.objects_to(&self.board, p) {
            return Some(GameError::Opening(why));
        }
        let side = self.board.side_to_move();
        let foul = self.board.foul(p, side).filter(|_| !self.board.makes_five(p, side))?;
        // Where nothing else is left, a forbidden point may be played: it loses.
        let free = |q: Point| self.board.foul(q, side).is_none();
        self.board.empty_points().any(free).then_some(GameError::Forbidden(foul, spot))
    }

    /// Place a stone of the player to move.
    pub fn play(&mut self, p: Point, now: Instant) -> Result<(), GameError> {
        match self.objection(p) {
            Some(refusal) => Err(refusal),
            None => self.play_forbidden_too(p, now),
        }
    }

    /// As [`LiveGame::play`], but a forbidden point is played and loses, as it does for engines.
    pub fn play_forbidden_too(&mut self, p: Point, now: Instant) -> Result<(), GameError> {
        match self.objection(p) {
            Some(GameError::Forbidden(..)) | None => {
                let spent = self.clock.take(now);
                self.place(p, self.turn(), spent)
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Choose in a swap opening.
    pub fn choose(&mut self, choice: OpeningChoice, now: Instant) -> Result<(), GameError> {
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

    fn push(&mut self, step: Step) {
        self.steps.truncate(self.at);
        self.steps.push(step);
        self.at = self.steps.len();
        self.forfeit = None;
    }

    /// Take back up to `count` steps; tells how many.
    pub fn undo(&mut self, count: usize, now: Instant) -> Result<usize, GameError> {
        if self.at == 0 {
            return Err(GameError::NothingToUndo);
        }
        let to = self.at.saturating_sub(count);
        let undone = self.at - to;
        self.jump(to, now);
        Ok(undone)
    }

    /// Play up to `count` steps again; tells how many.
    pub fn redo(&mut self, count: usize, now: Instant) -> Result<usize, GameError> {
        if self.at == self.steps.len() {
            return Err(GameError::NothingToRedo);
        }
        let to = self.at.saturating_add(count).min(self.steps.len());
        let redone = to - self.at;
        self.jump(to, now);
        Ok(redone)
    }

    /// Go to the position after `ply` stones (or as many as there are).
    pub fn go_to(&mut self, ply: usize, now: Instant) {
        let is_stone = |step: &Step| matches!(step.action, Action::Stone(_));
        let mut stones = 0;
        let mut to = 0;
        for (i, step) in self.steps.iter().enumerate() {
            stones += usize::from(is_stone(step));
            if stones > ply {
                break;
            }
            to = i + 1;
        }
        self.jump(to, now);
    }

    /// Do what a computer decided, whose seat is to move. It forfeits if its time is up or what it
    /// wants cannot be done.
    pub fn carry_out(&mut self, decided: Result<Vec<Action>, String>, now: Instant) {
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

    fn act(&mut self, action: Action, now: Instant) -> Result<(), GameError> {
        match action {
            Action::Stone(p) => self.play_forbidden_too(p, now),
            Action::Choose(choice) => self.choose(choice, now),
        }
    }

    fn jump(&mut self, to: usize, now: Instant) {
        self.at = to.min(self.steps.len());
        self.board = empty_board(&self.setup);
        for step in &self.steps[..self.at] {
            if let Action::Stone(p) = step.action {
                self.board.play(p).expect("a stone that was played before");
            }
        }
        self.clock.take(now);
    }

    /// The player on `seat` loses away from the board.
    pub fn forfeit(&mut self, seat: usize, how: Forfeit, now: Instant) -> Result<(), GameError> {
        if self.end().is_some() {
            return Err(GameError::Over);
        }
        self.steps.truncate(self.at);
        self.forfeit = Some((self.side_of(seat), how));
        self.clock.hold(now);
        Ok(())
    }
}

fn empty_board(setup: &Setup) -> Board {
    Board::new(setup.width, setup.height, setup.variant).expect("a checked set-up")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::play::game::setup::PlayerKind;

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
    fn a_new_move_drops_what_could_be_redone() {
        let now = Instant::now();
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
    }

    #[test]
    fn resigning_ends_the_game_until_it_is_taken_back() {
        let now = Instant::now();
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
    }

    #[test]
    fn where_only_forbidden_points_are_left_one_may_be_played_and_loses() {
        let now = Instant::now();
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
