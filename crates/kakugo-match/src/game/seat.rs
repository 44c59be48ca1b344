//! An engine at the board: what it is asked, on its clock, and what its answers are worth.

use super::participant::Participant;
use crate::journal::PlayedMove;
use kakugo::board::{Board, Cell, Point};
use kakugo_protocol::Command;
use kakugo_protocol::client::{Answer, EngineConfig, Fault, GameSetup, MoveClock, Question};

/// An engine at the board.
pub(super) struct Seat<'e> {
    engine: &'e mut dyn Participant,
    clock: MoveClock,
    /// Whether the engine knows the position up to the opponent's last move.
    in_step: bool,
}

impl<'e> Seat<'e> {
    /// An engine before its game.
    pub(super) fn new(engine: &'e mut dyn Participant) -> Seat<'e> {
        let clock = MoveClock::new(engine.config());
        Seat { engine, clock, in_step: false }
    }

    /// Name and limits.
    pub(super) fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    /// The engine's name.
    pub(super) fn name(&self) -> String {
        self.config().name.clone()
    }

    /// Tell the engine of the game.
    pub(super) fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.engine.new_game(game)
    }

    /// Ask with the clock running, the time left told before.
    pub(super) fn ask(&mut self, command: Command) -> Result<Answer, Fault> {
        let question =
            Question { command, time_left: self.clock.left(), patience: self.clock.wait() };
        let answer = self.engine.ask(&question)?;
        self.clock.charge(answer.elapsed);
        Ok(answer)
    }

    /// Ask for a move in this position, in the words that Piskvork would use.
    pub(super) fn ask_move(&mut self, board: &Board) -> Result<Answer, Fault> {
        let last = board.last_stone().map(|stone| stone.point);
        let command = match last {
            Some(last) if self.in_step || board.ply() == 1 => Command::Turn(last),
            _ => Command::ask_for_move(board),
        };
        self.in_step = true;
        self.ask(command)
    }

    /// The engine has not followed the position lately: send it whole next time.
    pub(super) fn out_of_step(&mut self) {
        self.in_step = false;
    }

    /// Check the memory limit: the peak, and if asked thoroughly, the private memory.
    pub(super) fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        self.engine.check_memory(thoroughly)
    }

    /// End the engine at once.
    pub(super) fn kill(&mut self) {
        self.engine.kill();
    }
}

/// A move as it goes into the record.
pub(super) fn played(at: Point, answer: &Answer) -> PlayedMove {
    PlayedMove {
        at,
        ms: Some((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3),
        depth: answer.search_info.depth,
        eval: answer.search_info.eval.clone(),
        nodes: answer.search_info.nodes,
    }
}

/// The free point at these coordinates, or what is wrong with it.
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
