//! The players that move by themselves.
//!
//! [`Computers::decide`] turns a [`MoveRequest`] into what to do at the board. Kakugo's own moves come
//! from the [`Player`]; here is only what a game between people adds: openings that object to some
//! points, and stones of an opening that was taken back halfway. The call blocks until the decision
//! is made.

use std::time::Instant;

use kakugo::board::{Board, Point};
use kakugo::level::{FULL, Level};
use kakugo::player::{Decision, Player, Question, Resources, Turn};
use kakugo::position::Position;
use kakugo::promise::promise;
use kakugo::search::swap2;
use kakugo::search::{Limits, Reporter, Signals};
use kakugo_protocol::client::EngineConfig;

use super::engine_player::EnginePlayer;
use super::game::live::{Action, LiveGame};
use super::game::opening::{Opening, OpeningChoice};
use super::game::setup::PlayerKind;

/// What a player is to decide.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// The position.
    pub board: Board,
    /// Who decides.
    pub player: PlayerKind,
    /// The opening played.
    pub opening: Opening,
    /// Choices offered; empty: place a stone.
    pub offered: &'static [OpeningChoice],
    /// Whether stones of both colours are being placed for a swap.
    pub placing: bool,
    /// What bounds the thinking.
    pub limits: Limits,
}

impl MoveRequest {
    /// What the player whose turn it is has to decide.
    pub fn of(game: &LiveGame, now: Instant) -> MoveRequest {
        let seat = game.turn();
        let (left, turn) = game.left(seat, now);
        let time = game.setup().time;
        let turn = if time.is_limited() { turn } else { Some(game.setup().thought) };
        MoveRequest {
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

    /// The turn that Kakugo has in this position.
    pub fn turn(&self, question: Question) -> Turn {
        Turn { board: self.board.clone(), question, limits: self.limits.clone() }
    }
}

/// All that the computer players keep between moves.
pub struct Computers {
    player: Player,
    configs: &'static [EngineConfig],
    /// One for each configuration, once it has been needed.
    engine_players: Vec<Option<EnginePlayer>>,
}

impl Computers {
    /// Kakugo with these resources, and the other engines that `configs` describe.
    pub fn new(resources: Resources, configs: &'static [EngineConfig]) -> Computers {
        let engine_players = configs.iter().map(|_| None).collect();
        Computers { player: Player::new(resources), configs, engine_players }
    }

    /// Kakugo, who also answers questions that are no turn of a game.
    pub fn kakugo(&mut self) -> &mut Player {
        &mut self.player
    }

    /// Give back memory and end processes until the next decision.
    pub fn rest(&mut self) {
        self.player.rest();
        self.engine_players.iter_mut().for_each(|player| *player = None);
    }

    /// Decide: what to do, one after the other; nothing where nothing can be done.
    ///
    /// # Errors
    /// An engine process failed; the text says how.
    pub fn decide(
        &mut self,
        request: &MoveRequest,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Result<Vec<Action>, String> {
        if request.placing {
            return Ok(self.open(request, signals, reporter));
        }
        let level = match request.player {
            PlayerKind::Kakugo(number) => number,
            PlayerKind::Human => FULL,
            PlayerKind::Engine(number) => return self.ask_engine(number, request, signals),
        };
        let level = Level::of(level).ok_or("no such level")?;
        let turn = request.turn(Question::Stone(level));
        let Decision::Stone(stone) = self.player.decide(&turn, signals, reporter) else {
            return Err("no stone".to_owned());
        };
        let stone = stone.map(|p| obeying(request.opening, &request.board, p));
        Ok(stone.map(Action::Stone).into_iter().collect())
    }

    fn ask_engine(
        &mut self,
        number: usize,
        request: &MoveRequest,
        signals: &Signals,
    ) -> Result<Vec<Action>, String> {
        let missing = || format!("engine {} was not given", number + 1);
        let config = self.configs.get(number).ok_or_else(missing)?;
        let player = self.engine_players.get_mut(number).ok_or_else(missing)?;
        let player = player.get_or_insert_with(|| EnginePlayer::new(config));
        let stone = player.choose(&request.board, &request.limits, signals)?;
        // The protocol has no words for openings.
        Ok(vec![Action::Stone(obeying(request.opening, &request.board, stone))])
    }

    /// Stones and choices of a swap opening. Other engines let Kakugo decide here, since few of
    /// them know these openings.
    fn open(
        &mut self,
        request: &MoveRequest,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Vec<Action> {
        let board = &request.board;
        if request.offered.is_empty() && board.ply() > 0 {
            return next_opening_stone(board).map(Action::Stone).into_iter().collect();
        }
        let stones = |points: Vec<Point>| points.into_iter().map(Action::Stone);
        match self.player.decide(&request.turn(Question::Swap2), signals, reporter) {
            Decision::Swap2(swap2::Choice::Stones(points)) if board.ply() == 0 => {
                stones(points).collect()
            }
            Decision::Swap2(swap2::Choice::Stones(points))
                if request.offered.contains(&OpeningChoice::More) =>
            {
                std::iter::once(Action::Choose(OpeningChoice::More)).chain(stones(points)).collect()
            }
            Decision::Swap2(swap2::Choice::Swap) => {
                vec![Action::Choose(OpeningChoice::Black)]
            }
            // An even position: the move is worth having.
            _ => vec![Action::Choose(OpeningChoice::White)],
        }
    }
}

/// A stone where some are placed already, after moves were taken back: the quietest near point.
fn next_opening_stone(board: &Board) -> Option<Point> {
    let position = Position::new(board);
    let near = board.empty_points().filter(|&p| position.near().contains(p));
    let quietest = |a: &Point, b: &Point| promise(&position, *a).total_cmp(&promise(&position, *b));
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
        let values = [a, b].map(|&q| promise(&position, q));
        values[0].total_cmp(&values[1]).then(b.distance(p).cmp(&a.distance(p)))
    };
    allowed.max_by(better).unwrap_or(p)
}
