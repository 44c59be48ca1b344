//! States of boards and games as Python's tuples, for `pickle`. They contain everything, also what
//! no file format stores.

use std::time::Duration;

use kakugo::board::Cell;
use kakugo::{Board, Point, Side};
use kakugo_record::setup::{Placement, Setup};
use kakugo_record::{Cause, Game, Move};
use pyo3::prelude::*;

use crate::convert::{invalid, result, result_word, variant};

/// Column and row of a point.
type PointState = (u8, u8);
/// True for Black.
type SideState = bool;
/// A stone, and the side to move before it.
type StoneState = (PointState, SideState, SideState);
/// Blocked points, stones, the number of stones that are set up, and the side to move.
pub type BoardState = (Vec<PointState>, Vec<StoneState>, usize, SideState);
/// Lists of black, white, removed and blocked points, and the side to move.
type SetupState = ([Vec<PointState>; 4], Option<SideState>);
/// Point, side out of turn, nanoseconds and comment of a move.
type MoveState = (Option<PointState>, Option<SideState>, Option<u64>, String);
/// Size, rule, win length, whether the rule is assumed, texts, result, cause, start, moves, and the
/// number of moves of the opening.
pub type GameState = (
    (u8, u8),
    (String, u8, bool),
    [String; 6],
    (Option<String>, Option<String>),
    SetupState,
    Vec<MoveState>,
    usize,
);

const CAUSES: [Cause; 3] = [Cause::Resignation, Cause::Time, Cause::Forfeit];

fn of_point(p: Point) -> PointState {
    (p.x(), p.y())
}

fn of_points(points: &[Point]) -> Vec<PointState> {
    points.iter().copied().map(of_point).collect()
}

fn point((x, y): PointState) -> PyResult<Point> {
    Point::new(x, y).ok_or_else(|| invalid(format!("the point ({x}, {y}) is off the board")))
}

fn of_side(side: Side) -> SideState {
    side == Side::Black
}

fn side(is_black: SideState) -> Side {
    if is_black { Side::Black } else { Side::White }
}

/// Returns the state of a board, except size and rule.
pub fn of_board(board: &Board) -> BoardState {
    let blocked = board.points().filter(|&p| board.cell(p) == Cell::Wall).map(of_point);
    let stones = board.stones().zip(board.turns());
    let stone = |(stone, turn): (kakugo::Stone, Side)| {
        (of_point(stone.point), of_side(stone.side), of_side(turn))
    };
    let side = of_side(board.side_to_move());
    (blocked.collect(), stones.map(stone).collect(), board.set_up_count(), side)
}

/// Returns the board with a state. `like` has its size and rule.
pub fn board(like: &Board, state: BoardState) -> PyResult<Board> {
    let (blocked, stones, set_up, to_move) = state;
    let mut board = Board::new(like.width(), like.height(), like.variant()).map_err(invalid)?;
    for p in blocked {
        board.block(point(p)?).map_err(invalid)?;
    }
    for (p, stone, turn) in stones {
        board.set_side_to_move(side(turn));
        board.place(point(p)?, side(stone)).map_err(invalid)?;
    }
    board.set_set_up_count(set_up);
    board.set_side_to_move(side(to_move));
    Ok(board)
}

fn of_setup(setup: &Setup) -> SetupState {
    let lists = [setup.black(), setup.white(), setup.removed(), setup.blocked()];
    (lists.map(of_points), setup.to_move.map(of_side))
}

fn setup((lists, to_move): SetupState) -> PyResult<Setup> {
    let mut setup = Setup::default();
    setup.to_move = to_move.map(side);
    let placements = [
        Placement::Stone(Side::Black),
        Placement::Stone(Side::White),
        Placement::Removed,
        Placement::Blocked,
    ];
    for (points, what) in lists.into_iter().zip(placements) {
        for p in points {
            setup.put(point(p)?, what);
        }
    }
    Ok(setup)
}

fn of_move(m: &Move) -> MoveState {
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    (m.point.map(of_point), m.side.map(of_side), m.time.map(nanoseconds), m.comment.clone())
}

fn played((at, out_of_turn, time, comment): MoveState) -> PyResult<Move> {
    let (point, side) = (at.map(point).transpose()?, out_of_turn.map(side));
    Ok(Move { point, side, time: time.map(Duration::from_nanos), comment })
}

/// Returns the state of a game.
pub fn of_game(game: &Game) -> GameState {
    let texts = [&game.black, &game.white, &game.event, &game.round, &game.date, &game.termination];
    let result = game.result.map(|result| result_word(result).to_owned());
    let cause = game.cause.map(|cause| cause.words().to_owned());
    (
        (game.width, game.height),
        (game.variant.rule().word().to_owned(), game.variant.win_length(), game.assumes_rule),
        texts.map(String::clone),
        (result, cause),
        of_setup(&game.start),
        game.moves.iter().map(of_move).collect(),
        game.opening_moves,
    )
}

/// Returns the game with a state.
pub fn game(state: GameState) -> PyResult<Game> {
    let (size, rules, texts, outcome, start, moves, opening_moves) = state;
    let (width, height) = size;
    let (rule, win_length, assumes_rule) = rules;
    let [black, white, event, round, date, termination] = texts;
    let (result_of, cause) = outcome;
    // All fields by name: the compiler reports a new one.
    Ok(Game {
        width,
        height,
        variant: variant(&rule, win_length)?,
        assumes_rule,
        black,
        white,
        event,
        round,
        date,
        termination,
        result: result(result_of.as_deref())?,
        cause: cause.and_then(|words| CAUSES.into_iter().find(|cause| cause.words() == words)),
        start: setup(start)?,
        moves: moves.into_iter().map(played).collect::<PyResult<_>>()?,
        opening_moves,
    })
}
