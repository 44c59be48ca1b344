//! Swap2: the engines negotiate the opening.
//!
//! The first player places three stones (black, white, black). The second player has three options:
//! take Black (`SWAP`), place the fourth stone and stay White, or place two more stones (white,
//! black). After two more stones the first player chooses: `SWAP` for Black, or the sixth stone as
//! White.
//!
//! The command is `SWAP2BOARD`, the stones as `x,y` lines, `DONE`, as GomocupJudge sends it. Rapfi
//! expects `x,y,side` as in `BOARD` (`swap2_sides`).

use super::seat::{Seat, legal_point, played_move};
use crate::journal::PlayedMove;
use crate::settings::stones;
use kakugo::board::{Board, Outcome, Point, Side, Stone};
use kakugo_protocol::client::{Answer, Fault};
use kakugo_protocol::{Command, Field, StrictReply, Swap2Stone};

/// The reason why a negotiation failed.
pub(super) enum Failure {
    Fault(Fault),
    Illegal,
}

/// The side that failed (index in `players`), the reason and the details.
type Failed = (Side, Failure, String);

/// Negotiates the opening. `players` starts with the proposer; afterwards it is Black, White.
pub(super) fn negotiate(
    board: &mut Board,
    players: &mut [Seat<'_>; 2],
    moves: &mut Vec<PlayedMove>,
) -> Result<(), Failed> {
    let (proposer, chooser) = (Side::Black, Side::White);
    let three = |count: usize| match count {
        3 => Ok(()),
        n => Err(format!("{}, expected 3", stones(n))),
    };
    turn(board, players, moves, proposer, three)?;
    let choice = |count: usize| match count {
        0..=2 => Ok(()),
        n => Err(format!("{}, expected SWAP, 1 or 2 stones", stones(n))),
    };
    match turn(board, players, moves, chooser, choice)? {
        0 => players.swap(0, 1),
        1 => {}
        _ => {
            let choice = |count: usize| match count {
                0 | 1 => Ok(()),
                n => Err(format!("{}, expected SWAP or 1 stone", stones(n))),
            };
            // After SWAP the proposer is Black. Otherwise he has placed the sixth stone as White.
            if turn(board, players, moves, proposer, choice)? == 1 {
                players.swap(0, 1);
            }
        }
    }
    players.iter_mut().for_each(Seat::mark_out_of_sync);
    Ok(())
}

/// Performs one step. Returns the number of stones that the player placed (0: `SWAP`).
fn turn(
    board: &mut Board,
    players: &mut [Seat<'_>; 2],
    moves: &mut Vec<PlayedMove>,
    side: Side,
    count_is_right: impl Fn(usize) -> Result<(), String>,
) -> Result<usize, Failed> {
    let sides = players[side.index()].config().swap2_sides;
    // As in `BOARD`, 1 is the side to move: White after three and after five stones.
    let to_move = board.side_to_move();
    let stone = |stone: Stone| {
        let field = sides.then_some(Field::of(stone.side, to_move));
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
        // `legal_point` checked that the point is empty.
        let _ = board.play(point);
        // The first stone carries the time of the whole reply.
        moves.push(if i == 0 { played_move(point, &answer) } else { PlayedMove::opening(point) });
        if board.outcome() != Outcome::Ongoing {
            return Err(illegal(format!("{point} ends the game")));
        }
    }
    Ok(points.len())
}
