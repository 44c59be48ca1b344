//! Decisions of computer players.
//!
//! [`decide`] turns a [`MoveRequest`] into actions at the board. Kakugo's moves come from the
//! [`Player`], those of other engines from [`ExternalEngines`]. Here is only what a game at the
//! board adds: openings that forbid some points, and openings that were taken back halfway.

use std::time::Duration;

use kakugo::board::{Board, Point};
use kakugo::clock::Instant;
use kakugo::level::{FULL, Level};
use kakugo::player::{Decision, Player, Question, Turn};
use kakugo::position::Position;
use kakugo::promise::promise;
use kakugo::search::swap2;
use kakugo::search::{Limits, Reporter, Signals};

use crate::game::live::{Action, LiveGame};
use crate::game::opening::{Opening, OpeningChoice};
use crate::game::setup::PlayerKind;
use crate::now::Time;

/// A request for a player's next actions.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// The position.
    pub board: Board,
    /// The player.
    pub player: PlayerKind,
    /// The opening of the game.
    pub opening: Opening,
    /// The choices offered; empty if a stone is to be placed.
    pub offered: &'static [OpeningChoice],
    /// True while one player places the first stones of both colours.
    pub placing: bool,
    /// The thinking time.
    pub time: ThinkingTime,
}

/// The thinking time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThinkingTime {
    /// The time at which the clock showed the times below; `None` without clocks: the time starts
    /// with the search.
    pub since: Option<Time>,
    /// Time for the move.
    pub turn: Option<Duration>,
    /// Time left for the game.
    pub left: Option<Duration>,
    /// Time added after the move.
    pub increment: Duration,
}

impl ThinkingTime {
    /// Returns the limits of a search whose time started at `start`.
    fn limits(&self, start: Instant) -> Limits {
        let &ThinkingTime { turn, left, increment, .. } = self;
        Limits { start, turn, left, increment, ..Limits::default() }
    }
}

impl MoveRequest {
    /// Returns the request for the player to move.
    pub fn new(game: &LiveGame, now: Time) -> MoveRequest {
        let seat = game.turn();
        let (mut left, mut turn) = game.left(seat, now);
        if let Some(overtime) = game.overtime(seat, now) {
            // No period is given away, and the one that runs is used.
            let main = left.unwrap_or_default();
            if main < overtime.period {
                let free = main + overtime.period_left();
                (left, turn) = (None, Some(turn.map_or(free, |turn| turn.min(free))));
            }
        }
        let setup = game.setup();
        let limited = setup.time.is_limited();
        let since = limited.then_some(now);
        let turn = if limited { turn } else { Some(setup.thought) };
        MoveRequest {
            board: game.board().clone(),
            player: setup.seats[seat].player,
            opening: setup.opening,
            offered: game.choices_offered(),
            placing: game.is_placing(),
            time: ThinkingTime { since, turn, left, increment: setup.time.increment },
        }
    }

    /// Returns the request for a hint that may take this long.
    pub fn for_hint(game: &LiveGame, time: Duration, now: Time) -> MoveRequest {
        let time = ThinkingTime {
            since: None,
            turn: Some(time),
            left: None,
            increment: game.setup().time.increment,
        };
        MoveRequest { player: PlayerKind::Human, time, ..MoveRequest::new(game, now) }
    }
}

/// Engines other than Kakugo.
pub trait ExternalEngines {
    /// Asks an engine for a move.
    ///
    /// # Errors
    /// Returns the reason if there is no such engine or it fails.
    fn choose(
        &mut self,
        engine: usize,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
    ) -> Result<Point, String>;
}

/// No engines other than Kakugo.
#[derive(Clone, Copy, Debug)]
pub struct NoExternalEngines;

impl ExternalEngines for NoExternalEngines {
    fn choose(
        &mut self,
        engine: usize,
        _: &Board,
        _: &Limits,
        _: &Signals,
    ) -> Result<Point, String> {
        Err(format!("engine {} is not available", engine + 1))
    }
}

/// Decides on a player's next actions; none if nothing can be done. The time of the search started
/// at `start`.
///
/// # Errors
/// Returns the reason if an engine fails.
pub fn decide(
    request: &MoveRequest,
    start: Instant,
    player: &mut Player,
    engines: &mut dyn ExternalEngines,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Result<Vec<Action>, String> {
    let limits = request.time.limits(start);
    if request.placing {
        return Ok(play_opening(request, limits, player, signals, reporter));
    }
    let level = match request.player {
        PlayerKind::Kakugo(number) => number,
        PlayerKind::Human => FULL,
        PlayerKind::Engine(number) => {
            // The protocol has no word for openings.
            let stone = engines.choose(number, &request.board, &limits, signals)?;
            return Ok(vec![Action::Stone(legal_in_opening(request, stone))]);
        }
    };
    let level = Level::of(level).ok_or("no such level")?;
    let turn = Turn { board: request.board.clone(), question: Question::Stone(level), limits };
    let Decision::Stone(stone) = player.decide(&turn, signals, reporter) else {
        return Err("no stone".to_owned());
    };
    let stone = stone.map(|p| legal_in_opening(request, p));
    Ok(stone.map(Action::Stone).into_iter().collect())
}

/// Returns stones and choices of a swap opening. Kakugo also decides for other engines here,
/// because few of them know these openings.
fn play_opening(
    request: &MoveRequest,
    limits: Limits,
    player: &mut Player,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Vec<Action> {
    let board = &request.board;
    if request.offered.is_empty() && board.ply() > 0 {
        return next_opening_stone(board).map(Action::Stone).into_iter().collect();
    }
    let turn = Turn { board: board.clone(), question: Question::Swap2, limits };
    let stones = |points: Vec<Point>| points.into_iter().map(Action::Stone);
    match player.decide(&turn, signals, reporter) {
        Decision::Swap2(swap2::Choice::Stones(points)) if board.ply() == 0 => {
            stones(points).collect()
        }
        Decision::Swap2(swap2::Choice::Stones(points))
            if request.offered.contains(&OpeningChoice::More) =>
        {
            std::iter::once(Action::Choose(OpeningChoice::More)).chain(stones(points)).collect()
        }
        Decision::Swap2(swap2::Choice::Swap) => vec![Action::Choose(OpeningChoice::Black)],
        // In an even position the move is an advantage.
        _ => vec![Action::Choose(OpeningChoice::White)],
    }
}

/// Returns the next stone of an opening that was taken back halfway: the quietest near point.
fn next_opening_stone(board: &Board) -> Option<Point> {
    let position = Position::new(board);
    let near = board.empty_points().filter(|&p| position.near().contains(p));
    let quietest = |a: &Point, b: &Point| promise(&position, *a).total_cmp(&promise(&position, *b));
    near.min_by(quietest).or_else(|| board.empty_points().next())
}

/// Returns `p`, or the most promising point that the opening allows if it forbids `p`.
fn legal_in_opening(request: &MoveRequest, p: Point) -> Point {
    let MoveRequest { board, opening, .. } = request;
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
