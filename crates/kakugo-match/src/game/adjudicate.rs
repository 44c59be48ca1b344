//! Checking a proof before it ends a game.
//!
//! The solver is not believed: its line is replayed with the rules alone. After each move of the
//! attacker every reply on the board is tried; all but the one that the line names must leave the
//! attacker a five at once. That holds for every rule, also for caro, where a five can be answered
//! by enclosing it, and for renju, where the answer may be forbidden.

use super::end::GameEnd;
use crate::journal::Reason;
use kakugo::board::{Board, Point, Side};

/// Finds a win by continuous fours for the side to move: the moves of both sides, up to the five.
pub type Prover<'a> = &'a (dyn Fn(&Board) -> Option<Vec<Point>> + Sync);

/// The end of the game, if the side to move is proven to win it.
pub(super) fn end_by_proof(board: &Board, prove: Prover<'_>) -> Option<GameEnd> {
    let line = prove(board)?;
    let shown = line.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    if let Err(flaw) = verify_fours(board, &line) {
        log::error!("the solver's win {shown} does not hold: {flaw}; position:\n{board}");
        return None;
    }
    log::info!("{} wins by continuous fours: {shown}; position:\n{board}", board.side_to_move());
    Some(GameEnd::win(board.side_to_move(), Reason::Proof, format!("by fours: {shown}")))
}

/// Check that `line` (the attacker's moves and the forced replies in turn, the side to move
/// beginning) wins by continuous fours. `Err` names the flaw.
fn verify_fours(board: &Board, line: &[Point]) -> Result<(), String> {
    let mut board = board.clone();
    let attacker = board.side_to_move();
    let mut moves = line.iter().copied();
    loop {
        let Some(attack) = moves.next() else {
            return Err("the line ends without a five".into());
        };
        if !board.is_empty(attack) {
            return Err(format!("{attack} is not free"));
        }
        if board.makes_five(attack, attacker) {
            return Ok(());
        }
        if let Some(foul) = board.foul(attack, attacker) {
            return Err(format!("{attack} is forbidden ({foul})"));
        }
        let _ = board.play(attack);
        if fives(&board, attacker.opponent()).next().is_some() {
            return Err(format!("{attack} leaves the defender a five"));
        }
        match defences(&mut board)[..] {
            [] => return Ok(()),
            [only] => {
                if let Some(reply) = moves.next()
                    && reply != only
                {
                    return Err(format!("{reply} is not the forced reply {only}"));
                }
                let _ = board.play(only);
            }
            [first, second, ..] => {
                return Err(format!("{attack} can be answered on {first} and on {second}"));
            }
        }
    }
}

/// The replies after which the attacker, who has just moved, cannot make five at once. A forbidden
/// move is no reply.
fn defences(board: &mut Board) -> Vec<Point> {
    let defender = board.side_to_move();
    let free: Vec<Point> = board.empty_points().collect();
    let mut found = Vec::new();
    for p in free {
        if board.foul(p, defender).is_none() && board.play(p).is_ok() {
            if fives(board, defender.opponent()).next().is_none() {
                found.push(p);
            }
            board.undo();
        }
    }
    found
}

/// The free points where `side` makes five.
fn fives(board: &Board, side: Side) -> impl Iterator<Item = Point> + '_ {
    board.empty_points().filter(move |&p| board.makes_five(p, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board;
    use kakugo::board::Variant;

    #[test]
    fn a_four_three_is_a_win_and_its_line_is_checked() {
        let (board, marks) = board!(
            Variant::FREESTYLE,
            ". . . . . . . . .
             . . . . . . . . .
             O X X X * * . . .
             . . . . X . . . .
             . . . . X . . . .
             . . . O * . . O .
             . . . O . . . . O
             . . . . . . . . ."
        );
        let (four, forced, open_four) = (marks[0], marks[1], marks[2]);
        assert_eq!(verify_fours(&board, &[four, forced, open_four]), Ok(()));
        let fails = |line: &[Point]| verify_fours(&board, line).unwrap_err();
        assert!(fails(&[four]).contains("ends without a five"));
        assert!(fails(&[four, open_four]).contains("not the forced reply"));
        assert!(fails(&[open_four]).contains("can be answered"));
        assert!(fails(&[four, forced, four]).contains("not free"));
    }

    #[test]
    fn a_defender_with_a_five_is_not_overlooked() {
        let (board, marks) = board!(
            Variant::FREESTYLE,
            ". . . . . . .
             . X X X * . .
             . . . . . . .
             O O O O . . .
             . . . . X . .
             . . . . . . ."
        );
        assert!(verify_fours(&board, &[marks[0]]).unwrap_err().contains("leaves the defender"));
    }

    #[test]
    fn in_caro_enclosing_is_a_reply_too() {
        let drawing = ". . . . . . . . . .
                       . O . X X X * . . .
                       . . . . . . . . . .
                       . . . . . . . . . .
                       . . . . . . . . . .";
        let (caro, marks) = board!(Variant::CARO, drawing);
        let mut caro = caro;
        caro.set_side_to_move(Side::Black);
        // A stone right of the open four encloses the five to its left as well.
        assert!(verify_fours(&caro, &marks).is_err());
        let (mut freestyle, _) = board!(Variant::FREESTYLE, drawing);
        freestyle.set_side_to_move(Side::Black);
        assert_eq!(verify_fours(&freestyle, &marks), Ok(()));
    }

    #[test]
    fn a_forbidden_block_wins_for_white() {
        // White's four is completed only where Black would make an overline.
        let (mut board, marks) = board!(
            Variant::RENJU,
            ". . . . . . . . . .
             X O O O * * X X X .
             . . . . . X . . . .
             . . . . . X . . . .
             . . . . . X . . . .
             . . . . . X . . . .
             . . . . . X . . . .
             . . . . . . . . . ."
        );
        board.set_side_to_move(Side::White);
        assert!(board.foul(marks[1], Side::Black).is_some());
        assert_eq!(verify_fours(&board, &[marks[0]]), Ok(()));
    }
}
