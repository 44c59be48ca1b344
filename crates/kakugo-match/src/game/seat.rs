//! One player's seat in a game: the engine, its clock and the commands it receives.

use super::participant::Participant;
use crate::journal::PlayedMove;
use kakugo::board::{Board, Cell, Point, Stone};
use kakugo_protocol::Command;
use kakugo_protocol::client::{Answer, EngineConfig, Fault, GameSetup, MoveClock, Question};

/// An engine in a game, with its clock.
pub(super) struct Seat<'e> {
    engine: &'e mut dyn Participant,
    clock: MoveClock,
    /// If true, the engine knows the position up to the opponent's last move.
    in_sync: bool,
}

impl<'e> Seat<'e> {
    /// Returns the seat of an engine before the game.
    pub(super) fn new(engine: &'e mut dyn Participant) -> Seat<'e> {
        let clock = MoveClock::new(engine.config());
        Seat { engine, clock, in_sync: false }
    }

    /// Returns the engine's name and limits.
    pub(super) fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    /// Returns the engine's name.
    pub(super) fn name(&self) -> String {
        self.config().name.clone()
    }

    /// Starts a new game.
    pub(super) fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.engine.new_game(game)
    }

    /// Sends the remaining time and a command, and charges the reply to the clock.
    pub(super) fn ask(&mut self, command: Command) -> Result<Answer, Fault> {
        let question =
            Question { command, time_left: self.clock.left(), patience: self.clock.wait() };
        let answer = self.engine.ask(&question)?;
        self.clock.charge(answer.elapsed);
        Ok(answer)
    }

    /// Requests a move, with `TURN` or the complete position as Piskvork would send it.
    pub(super) fn ask_move(&mut self, board: &Board) -> Result<Answer, Fault> {
        // Before the first request, only a single stone of the opponent on an open board needs no
        // complete position.
        let is_open = || board.points().all(|p| board.cell(p) != Cell::Wall);
        let is_reply = |stone: &Stone| {
            self.in_sync || (board.ply() == 1 && stone.side != board.side_to_move() && is_open())
        };
        let command = match board.last_stone().filter(is_reply) {
            Some(stone) => Command::Turn(stone.point),
            _ => Command::ask_for_move(board),
        };
        self.in_sync = true;
        self.ask(command)
    }

    /// Marks the engine's position as outdated: the next request sends the complete position.
    pub(super) fn mark_out_of_sync(&mut self) {
        self.in_sync = false;
    }

    /// Checks the memory limit: the peak and, if `thoroughly`, the private memory.
    pub(super) fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        self.engine.check_memory(thoroughly)
    }

    /// Kills the engine.
    pub(super) fn kill(&mut self) {
        self.engine.kill();
    }
}

/// Returns the record of a move.
pub(super) fn played_move(at: Point, answer: &Answer) -> PlayedMove {
    PlayedMove {
        at,
        side: None,
        ms: Some((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3),
        depth: answer.search_info.depth,
        eval: answer.search_info.eval.clone(),
        nodes: answer.search_info.nodes,
    }
}

/// Returns the empty point at these coordinates, or a description of the error.
pub(super) fn legal_point(board: &Board, x: u32, y: u32) -> Result<Point, String> {
    let point = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Point::new(x, y));
    let point = point.filter(|&p| board.contains(p));
    let point = point.ok_or_else(|| format!("{x},{y} is off the board"))?;
    match board.cell(point) {
        Cell::Empty => Ok(point),
        Cell::Stone(side) => Err(format!("{x},{y} is occupied by {side}")),
        Cell::Wall => Err(format!("{x},{y} is blocked")),
    }
}
