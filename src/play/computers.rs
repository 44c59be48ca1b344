//! The players that move by themselves.
//!
//! [`Computers::decide`] turns a [`Task`] into what to do at the board. It blocks, so callers that
//! have something else to do give it a thread of its own with [`STACK_BYTES`] of stack.

use std::time::Instant;

use crate::analysis::sight;
use crate::arena::config::EngineConfig;
use crate::board::{Board, Point};
use crate::eval::Position;
use crate::level::{FULL, Level};
use crate::score::Score;
use crate::search::swap2;
use crate::search::{Engine, Limits, Reporter, Signals};

use super::brains::Brain;
use super::game::live::{Action, LiveGame};
use super::game::opening::{Choice, Opening};
use super::game::setup::PlayerKind;

/// Stack of a thread that thinks, in bytes: the search recurses once a ply.
pub const STACK_BYTES: usize = 16 << 20;

/// What a player is to decide.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position.
    pub board: Board,
    /// Who decides.
    pub player: PlayerKind,
    /// The opening played.
    pub opening: Opening,
    /// Choices offered; empty: place a stone.
    pub offered: &'static [Choice],
    /// Whether stones of both colours are being placed for a swap.
    pub placing: bool,
    /// What bounds the thinking.
    pub limits: Limits,
}

/// What a player decided.
#[derive(Clone, Debug)]
pub struct Decision {
    /// To be done one after the other; empty: nothing can be done.
    pub actions: Vec<Action>,
    /// Value for the side to move, where known.
    pub score: Option<Score>,
}

impl Task {
    /// What the player whose turn it is has to decide.
    pub fn of(game: &LiveGame, now: Instant) -> Task {
        let seat = game.turn();
        let (left, turn) = game.left(seat, now);
        let time = game.setup().time;
        let turn = if time.is_limited() { turn } else { Some(game.setup().thought) };
        Task {
            board: game.board().clone(),
            player: game.setup().seats[seat].player,
            opening: game.setup().opening,
            offered: game.choices_offered(),
            placing: game.is_placing(),
            limits: Limits {
                start: now,
                turn,
                left,
                increment: time.increment,
                ..Limits::default()
            },
        }
    }
}

/// All that the computer players keep between moves.
pub struct Computers {
    hash_bytes: usize,
    threads: usize,
    engine: Option<Engine>,
    configs: &'static [EngineConfig],
    /// One for each configuration, once it has been needed.
    brains: Vec<Option<Brain>>,
}

impl Computers {
    /// Computers whose search uses a table of `hash_bytes` bytes and `threads` threads, and the other
    /// engines that `configs` describe.
    pub fn new(hash_bytes: usize, threads: usize, configs: &'static [EngineConfig]) -> Computers {
        let brains = configs.iter().map(|_| None).collect();
        Computers { hash_bytes, threads, engine: None, configs, brains }
    }

    /// The search engine, made at first use.
    pub fn engine(&mut self) -> &mut Engine {
        let (hash_bytes, threads) = (self.hash_bytes, self.threads);
        self.engine.get_or_insert_with(|| {
            let mut engine = Engine::new(hash_bytes);
            engine.set_threads(threads);
            engine
        })
    }

    /// Give back memory and end processes until the next decision.
    pub fn rest(&mut self) {
        self.engine = None;
        self.brains.iter_mut().for_each(|brain| *brain = None);
    }

    /// Decide.
    ///
    /// # Errors
    /// An engine process failed; the text says how.
    pub fn decide(
        &mut self,
        task: &Task,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Result<Decision, String> {
        if task.placing {
            return Ok(self.open(task, signals, reporter));
        }
        let random = &mut rand::rng();
        let level = match task.player {
            PlayerKind::Kakugo(number) => number,
            PlayerKind::Human => FULL,
            PlayerKind::Engine(number) => return self.ask_brain(number, task, signals),
        };
        let level = Level::of(level).ok_or("no such level")?;
        let answer =
            level.think(self.engine(), &task.board, &task.limits, signals, reporter, random);
        let stone = answer.best.map(|p| obeying(task.opening, &task.board, p));
        let actions = stone.map(Action::Stone).into_iter().collect();
        Ok(Decision { actions, score: Some(answer.score) })
    }

    fn ask_brain(
        &mut self,
        number: usize,
        task: &Task,
        signals: &Signals,
    ) -> Result<Decision, String> {
        let missing = || format!("engine {} was not given", number + 1);
        let config = self.configs.get(number).ok_or_else(missing)?;
        let brain = self.brains.get_mut(number).ok_or_else(missing)?;
        let brain = brain.get_or_insert_with(|| Brain::new(config));
        let stone = brain.choose(&task.board, &task.limits, signals)?;
        Ok(Decision { actions: vec![Action::Stone(stone)], score: None })
    }

    /// Stones and choices of a swap opening. Other engines let Kakugo decide here, since few of
    /// them know these openings.
    fn open(&mut self, task: &Task, signals: &Signals, reporter: &mut dyn Reporter) -> Decision {
        let board = &task.board;
        let random = &mut rand::rng();
        let may_choose = !task.offered.is_empty();
        let actions = if may_choose || board.ply() == 0 {
            let choice =
                swap2::choose(self.engine(), board, &task.limits, signals, reporter, random);
            let stones = |points: Vec<Point>| points.into_iter().map(Action::Stone);
            match choice {
                swap2::Choice::Stones(points) if board.ply() == 0 => stones(points).collect(),
                swap2::Choice::Stones(points) if task.offered.contains(&Choice::More) => {
                    std::iter::once(Action::Choose(Choice::More)).chain(stones(points)).collect()
                }
                swap2::Choice::Swap => vec![Action::Choose(Choice::Black)],
                // An even position: the move is worth having.
                _ => vec![Action::Choose(Choice::White)],
            }
        } else {
            placing_goes_on(board).map(Action::Stone).into_iter().collect()
        };
        Decision { actions, score: None }
    }
}

/// A stone where some are placed already, after moves were taken back: the quietest near point.
fn placing_goes_on(board: &Board) -> Option<Point> {
    let position = Position::new(board);
    let near = board.empty_points().filter(|&p| position.near().contains(p));
    let quietest =
        |a: &Point, b: &Point| sight::value(&position, *a).total_cmp(&sight::value(&position, *b));
    near.min_by(quietest).or_else(|| board.empty_points().next())
}

/// The move `p`, or if the opening objects to it the most promising one that is allowed.
fn obeying(opening: Opening, board: &Board, p: Point) -> Point {
    if opening.objects_to(board, p).is_none() {
        return p;
    }
    let position = Position::new(board);
    let allowed = board.empty_points().filter(|&q| opening.objects_to(board, q).is_none());
    let better = |a: &Point, b: &Point| {
        let values = [a, b].map(|&q| sight::value(&position, q));
        values[0].total_cmp(&values[1]).then(b.distance(p).cmp(&a.distance(p)))
    };
    allowed.max_by(better).unwrap_or(p)
}
