//! The game on the board, and whether clocks and computers wait.

use crate::game::end::Forfeit;
use crate::game::error::GameError;
use crate::game::live::{Action, LiveGame};
use crate::game::opening::OpeningChoice;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::game::setup_json::SeatJson;
use crate::game::wording;
use crate::notice::Notice;
use crate::now::Time;
use kakugo::board::{Point, Side};
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

/// The game on the board.
pub struct ActiveGame {
    game: LiveGame,
    /// Counts changes of the position.
    version: u64,
    /// True if a client has stopped clocks and computers.
    paused: bool,
    /// True if a computer waits because moves were taken back or others are looked at.
    held: bool,
    /// True while the position editor stops clocks and computers.
    edited: bool,
    /// The node at which a computer was thinking before others were looked at.
    left: Option<NodeId>,
}

/// Returns an error in words, with rows counted from the bottom.
fn in_words(error: GameError) -> Text {
    error.in_words(RowOrder::FromBottom)
}

impl ActiveGame {
    /// Returns the first game of a room.
    pub fn new(game: LiveGame) -> ActiveGame {
        ActiveGame { game, version: 0, paused: false, held: false, edited: false, left: None }
    }

    /// Returns the game.
    pub fn game(&self) -> &LiveGame {
        &self.game
    }

    /// Returns the game, to be changed by practice or a review.
    pub fn game_mut(&mut self) -> &mut LiveGame {
        &mut self.game
    }

    /// Returns the number of changes of the position.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Counts a change of the position.
    pub fn count_change(&mut self) {
        self.version += 1;
    }

    /// Replaces the game and returns the old one. A computer waits if the new game has moves.
    pub fn replace(&mut self, game: LiveGame) -> LiveGame {
        let old = std::mem::replace(&mut self.game, game);
        self.resume();
        if self.game.board().ply() > 0 {
            self.hold_computer();
        }
        old
    }

    /// Returns true if clocks and computers wait.
    pub fn waits(&self) -> bool {
        self.paused || self.held || self.edited
    }

    /// Returns true if a computer is to move, and the game goes on.
    pub fn awaits_computer(&self) -> bool {
        self.game.end().is_none() && self.player_to_move().is_computer()
    }

    /// Returns the player to move.
    pub fn player_to_move(&self) -> PlayerKind {
        self.game.setup().seats[self.game.turn()].player
    }

    /// Returns the node of the position's last stone.
    pub fn position_node(&self) -> NodeId {
        let positions = self.game.positions();
        positions.get(self.game.ply()).copied().unwrap_or(NodeId::ROOT)
    }

    /// Places a stone of a human.
    ///
    /// # Errors
    /// Returns the reason if it cannot be placed.
    pub fn play(&mut self, p: Point, rows: RowOrder, now: Time) -> Result<(), Text> {
        self.game.allows_person().map_err(in_words)?;
        self.game.play(p, now).map_err(|error| error.in_words(rows))?;
        self.resume();
        Ok(())
    }

    /// Passes for a human.
    ///
    /// # Errors
    /// Returns the reason if there is a stone to be placed or the game is over.
    pub fn pass(&mut self, now: Time) -> Result<(), Text> {
        self.game.allows_person().map_err(in_words)?;
        self.game.pass(now).map_err(in_words)?;
        self.resume();
        Ok(())
    }

    /// Makes a human's choice in a swap opening. Returns a notice if colours were exchanged.
    ///
    /// # Errors
    /// Returns the reason if there is no such choice.
    pub fn choose(&mut self, choice: OpeningChoice, now: Time) -> Result<Option<Notice>, Text> {
        self.game.allows_person().map_err(in_words)?;
        let black = self.game.seat_of(Side::Black);
        self.game.choose(choice, now).map_err(in_words)?;
        self.resume();
        Ok(self.notice_of_colours(black))
    }

    /// Carries out the decision of a computer. Returns a notice if colours were exchanged.
    pub fn carry_out(
        &mut self,
        decision: Result<Vec<Action>, String>,
        now: Time,
    ) -> Option<Notice> {
        let black = self.game.seat_of(Side::Black);
        self.game.carry_out(decision, now);
        self.notice_of_colours(black)
    }

    /// Takes back steps; without a number, back to the human's turn.
    ///
    /// # Errors
    /// Returns the reason if there is none.
    pub fn undo(&mut self, count: Option<usize>, now: Time) -> Result<(), Text> {
        let count = count.unwrap_or_else(|| self.game.steps_to_own_turn());
        self.game.undo(count, now).map_err(in_words)?;
        self.hold_computer();
        Ok(())
    }

    /// Plays steps again; without a number, to the human's next turn.
    ///
    /// # Errors
    /// Returns the reason if there is none.
    pub fn redo(&mut self, count: Option<usize>, now: Time) -> Result<(), Text> {
        let count = count.unwrap_or_else(|| self.game.steps_to_next_turn());
        self.game.redo(count, now).map_err(in_words)?;
        self.hold_computer();
        // A computer that was thinking here thinks on.
        self.held &= self.game.can_redo();
        Ok(())
    }

    /// Goes to the position after this many stones.
    pub fn go_to(&mut self, ply: usize, now: Time) {
        let thinking = self.thinking_node();
        self.game.go_to(ply, now);
        self.look(thinking);
    }

    /// Goes to a move of any variation.
    ///
    /// # Errors
    /// Returns the reason if there is no such move.
    pub fn go_to_node(&mut self, node: NodeId, now: Time) -> Result<(), Text> {
        let thinking = self.thinking_node();
        self.game.go_to_node(node, now).map_err(in_words)?;
        self.look(thinking);
        Ok(())
    }

    /// Returns the node at which a computer is thinking, or was before others were looked at.
    fn thinking_node(&self) -> Option<NodeId> {
        let thinks = self.awaits_computer() && !self.paused && !self.held;
        if thinks { Some(self.game.node()) } else { self.left }
    }

    /// Makes the computer to move wait, unless it thinks on here.
    fn look(&mut self, thinking: Option<NodeId>) {
        self.hold_computer();
        if thinking == Some(self.game.node()) {
            self.held = false;
        } else {
            self.left = thinking;
        }
    }

    /// Promotes a variation.
    ///
    /// # Errors
    /// Returns the reason if there is no such move, or it is on the main line.
    pub fn promote(&mut self, node: NodeId) -> Result<(), Text> {
        self.game.promote(node).map_err(in_words)
    }

    /// Deletes a move and all moves after it.
    ///
    /// # Errors
    /// Returns the reason if there is no such move.
    pub fn delete(&mut self, node: NodeId, now: Time) -> Result<(), Text> {
        self.game.delete(node, now).map_err(in_words)?;
        self.hold_computer();
        Ok(())
    }

    /// Resigns for the human to move, or else for the human who waits.
    ///
    /// # Errors
    /// Returns the reason if the game is over.
    pub fn resign(&mut self, now: Time) -> Result<(), Text> {
        self.resign_for(self.game.human_seat(), now)
    }

    /// Resigns for the person on a seat.
    ///
    /// # Errors
    /// Returns the reason if the game is over.
    pub fn resign_for(&mut self, seat: usize, now: Time) -> Result<(), Text> {
        self.game.forfeit(seat, Forfeit::Resigned, now).map_err(in_words)
    }

    /// Ends the game in a draw by agreement.
    ///
    /// # Errors
    /// Returns the reason if the game is over.
    pub fn agree_on_draw(&mut self, now: Time) -> Result<(), Text> {
        self.game.agree_on_draw(now).map_err(in_words)
    }

    /// Takes back the last step of a seat and all later ones, which are deleted: the clocks go on.
    ///
    /// # Errors
    /// Returns the reason if the seat has no step.
    pub fn take_back_for(&mut self, seat: usize, now: Time) -> Result<(), Text> {
        let steps = self.game.steps_to_undo_of(seat);
        let first = steps.and_then(|steps| self.game.at().checked_sub(steps));
        let node = first.map(|first| self.game.nodes()[first]);
        let node = node.ok_or_else(|| in_words(GameError::NothingToUndo))?;
        self.delete(node, now)
    }

    /// Returns an error unless a seat is to move.
    ///
    /// # Errors
    /// Returns the reason if it is the other's turn.
    pub fn ensure_turn_of(&self, seat: usize) -> Result<(), Text> {
        let turn = self.game.turn();
        let name = || self.game.setup().seats[turn].name.clone();
        if turn == seat { Ok(()) } else { Err(in_words(GameError::NotYourTurn(name()))) }
    }

    /// Changes the players' names.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.game.set_seats(seats);
    }

    /// Returns the error of a game that is over.
    ///
    /// # Errors
    /// Returns the reason if the game is over.
    pub fn ensure_ongoing(&self) -> Result<(), Text> {
        if self.game.end().is_some() { Err(in_words(GameError::Over)) } else { Ok(()) }
    }

    /// Stops clocks and computers, or lets them go on.
    pub fn pause(&mut self, on: bool) {
        (self.paused, self.held, self.left) = (on, false, None);
    }

    /// Makes clocks and computers wait as long as the position editor is open.
    pub fn wait_for_editor(&mut self, is_open: bool) {
        self.edited = is_open;
    }

    /// Lets clocks and computers go on.
    pub fn resume(&mut self) {
        self.pause(false);
    }

    /// Makes the computer to move wait: moves were taken back, others are looked at, or the coach
    /// speaks.
    pub fn hold_computer(&mut self) {
        (self.held, self.left) = (self.awaits_computer(), None);
    }

    /// Runs or stops the clock.
    pub fn run_clock(&mut self, runs: bool, now: Time) {
        // The clock of a human starts with the first stone.
        let counts = self.awaits_computer() || self.game.board().ply() > 0;
        self.game.run_clock(runs && counts, now);
    }

    /// Changes the players, Black's seat first.
    ///
    /// # Errors
    /// Returns the reason if there is no such player.
    pub fn change_players(
        &mut self,
        seats: &[SeatJson; 2],
        engines: &[String],
    ) -> Result<(), Text> {
        let mut setup = self.game.setup().clone();
        for (side, seat) in Side::BOTH.into_iter().zip(seats) {
            setup.seats[self.game.seat_of(side)] = seat.chosen(engines);
        }
        let setup = setup.checked(engines).map_err(|error| error.refusal())?;
        self.game.set_seats(setup.seats);
        self.resume();
        Ok(())
    }

    /// Returns the same set-up with the seats exchanged, and with Kakugo at another level if there
    /// is one. The first seat has Black, or in openings that swap colours, places the first stones.
    ///
    /// # Errors
    /// Returns the reason if a player is not available any more.
    pub fn rematch(&self, level: Option<usize>, engines: &[String]) -> Result<Setup, Text> {
        let mut setup = self.game.setup().clone();
        setup.seats.swap(0, 1);
        for seat in &mut setup.seats {
            if let (PlayerKind::Kakugo(old), Some(new)) = (&mut seat.player, level) {
                *old = new;
            }
            // It was filled in, for a colour or a level.
            if wording::is_default_name(&seat.name) {
                seat.name.clear();
            }
        }
        setup.checked(engines).map_err(|error| error.refusal())
    }

    /// Returns a notice if the seat of Black was another before.
    fn notice_of_colours(&self, before: usize) -> Option<Notice> {
        if self.game.seat_of(Side::Black) == before {
            return None;
        }
        let name = |side| wording::name(&self.game.setup().seats[self.game.seat_of(side)].name);
        let (black, white) = (name(Side::Black), name(Side::White));
        let text = text!("Colours are exchanged: {0} has Black, {1} White.", black, white);
        Some(Notice::for_all(text))
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        let over = self.game.end().is_some();
        assert!(!self.held || over || self.player_to_move().is_computer());
        assert!(!self.game.clock_runs() || !(over || self.waits()));
    }
}
