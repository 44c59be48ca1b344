//! Swap2: the engines negotiate the opening themselves.
//!
//! The first player puts three stones (black, white, black). The second takes Black (`SWAP`), or
//! plays the fourth stone and stays White, or puts two more stones (white, black) and leaves the
//! choice of colour to the first: `SWAP` for Black, or the sixth stone as White. The commands are
//! `SWAP2BOARD`, the stones so far as `x,y` lines, `DONE`, as GomocupJudge sends them; Rapfi wants
//! `x,y,side` as in `BOARD` (`swap2_sides`).

use super::seat::{Seat, legal_point, played};
use crate::journal::PlayedMove;
use kakugo::board::{Board, Outcome, Point, Side, Stone};
use kakugo_protocol::client::{Answer, Fault};
use kakugo_protocol::{Command, Field, StrictReply, Swap2Stone};

/// What made an opening fail.
pub(super) enum Failure {
    Fault(Fault),
    Illegal,
}

/// Who failed (by place in `players`), and how.
type Failed = (Side, Failure, String);

/// Let `players` (the proposer first) agree on an opening. Afterwards `players` is Black, White.
pub(super) fn negotiate(
    board: &mut Board,
    players: &mut [Seat<'_>; 2],
    moves: &mut Vec<PlayedMove>,
) -> Result<(), Failed> {
    let (proposer, chooser) = (Side::Black, Side::White);
    let stones = |count: usize| match count {
        3 => Ok(()),
        n => Err(format!("{n} stones instead of 3")),
    };
    turn(board, players, moves, proposer, stones)?;
    let choice = |count: usize| match count {
        0..=2 => Ok(()),
        n => Err(format!("{n} stones instead of SWAP, 1 or 2")),
    };
    match turn(board, players, moves, chooser, choice)? {
        0 => players.swap(0, 1),
        1 => {}
        _ => {
            let choice = |count: usize| match count {
                0 | 1 => Ok(()),
                n => Err(format!("{n} stones instead of SWAP or 1")),
            };
            // SWAP: the proposer is Black, as before; else he has played the sixth stone as White.
            if turn(board, players, moves, proposer, choice)? == 1 {
                players.swap(0, 1);
            }
        }
    }
    players.iter_mut().for_each(Seat::out_of_step);
    Ok(())
}

/// One step: ask, put the stones, tell how many they were (0 for `SWAP`).
fn turn(
    board: &mut Board,
    players: &mut [Seat<'_>; 2],
    moves: &mut Vec<PlayedMove>,
    side: Side,
    count_is_right: impl Fn(usize) -> Result<(), String>,
) -> Result<usize, Failed> {
    let sides = players[side.index()].config().swap2_sides;
    let stone = |stone: Stone| {
        let field = sides.then_some(Field::of(stone.side, side));
        Swap2Stone { point: stone.point, field }
    };
    let command = Command::Swap2Board(board.stones().map(stone).collect());
    let illegal = |detail: String| (side, Failure::Illegal, format!("swap2: {detail}"));
    let answer: Answer = players[side.index()]
        .ask(command)
        .map_err(|fault| (side, Failure::Fault(fault), String::new()))?;
    let points = match &answer.reply {
        StrictReply::Moves(points) => points.clone(),
        _ => Vec::new(),
    };
    if points.is_empty() && board.ply() == 0 {
        return Err(illegal("SWAP without stones".into()));
    }
    count_is_right(points.len()).map_err(illegal)?;
    for (i, &(x, y)) in points.iter().enumerate() {
        let point: Point = legal_point(board, x, y).map_err(illegal)?;
        // The point was found to be free.
        let _ = board.play(point);
        // The time of an answer is that of its first stone.
        moves.push(if i == 0 { played(point, &answer) } else { PlayedMove::opening(point) });
        if board.outcome() != Outcome::Ongoing {
            return Err(illegal(format!("{point} ends the game")));
        }
    }
    Ok(points.len())
}
