//! Verification of proofs before they end a game.
//!
//! The solver is not trusted: its line is replayed by the rules alone. After each attacking move
//! all replies on the board are tried. Every reply except the one in the line must allow the
//! attacker to make five at once. This also covers caro, where a five can be answered by enclosing
//! it, and renju, where the forced reply may be forbidden.

use super::end::GameEnd;
use crate::journal::Reason;
use kakugo::board::{Board, Point, Side};

/// A solver: returns a win by continuous fours for the side to move, as the moves of both sides.
pub type Prover<'a> = &'a (dyn Fn(&Board) -> Option<Vec<Point>> + Sync);

/// Returns the end of the game if the side to move has a proven win. A win whose five comes after
/// the move limit, which draws the game, does not count.
pub(super) fn end_by_proof(
    board: &Board,
    prove: Prover<'_>,
    move_limit: Option<u32>,
) -> Option<GameEnd> {
    let line = prove(board)?;
    let shown = line.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    match verify_fours(board, &line) {
        Ok(needed) => {
            let five = board.ply() + needed;
            if move_limit.is_some_and(|limit| five > limit as usize) {
                return None;
            }
        }
        Err(flaw) => {
            log::error!("the proven win {shown} is invalid: {flaw}; position:\n{board}");
            return None;
        }
    }
    log::info!("{} wins by continuous fours: {shown}; position:\n{board}", board.side_to_move());
    let detail = format!("by continuous fours: {shown}");
    Some(GameEnd::win(board.side_to_move(), Reason::Proof, detail))
}

/// Verifies that `line` wins by continuous fours. It starts with the side to move and contains the
/// attacker's moves and the forced replies in turn. Returns the number of stones up to the five,
/// which is included.
///
/// # Errors
/// Describes the flaw.
fn verify_fours(board: &Board, line: &[Point]) -> Result<usize, String> {
    let before = board.ply();
    let mut board = board.clone();
    let attacker = board.side_to_move();
    let mut moves = line.iter().copied();
    loop {
        let Some(attack) = moves.next() else {
            return Err("the line ends without a five".into());
        };
        if !board.is_empty(attack) {
            return Err(format!("{attack} is occupied"));
        }
        if board.makes_five(attack, attacker) {
            return Ok(board.ply() - before + 1);
        }
        if let Some(foul) = board.foul(attack, attacker) {
            return Err(format!("{attack} is forbidden ({foul})"));
        }
        let _ = board.play(attack);
        if fives(&board, attacker.opponent()).next().is_some() {
            return Err(format!("{attack} lets the defender make five"));
        }
        match defences(&mut board)[..] {
            // Any reply, then the five.
            [] => return Ok(board.ply() - before + 2),
            [only] => {
                if let Some(reply) = moves.next()
                    && reply != only
                {
                    return Err(format!("{reply} is not the forced reply {only}"));
                }
                let _ = board.play(only);
            }
            [first, second, ..] => {
                return Err(format!("{attack} has two replies, {first} and {second}"));
            }
        }
    }
}

/// Returns the legal replies after which the attacker, who has just moved, cannot make five at
/// once.
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

/// Returns the empty points where `side` makes five.
fn fives(board: &Board, side: Side) -> impl Iterator<Item = Point> + '_ {
    board.empty_points().filter(move |&p| board.makes_five(p, side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board;
    use kakugo::board::Variant;

    #[test]
    fn a_four_three_is_verified() {
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
        assert_eq!(verify_fours(&board, &[four, forced, open_four]), Ok(5));
        let fails = |line: &[Point]| verify_fours(&board, line).unwrap_err();
        assert!(fails(&[four]).contains("ends without a five"));
        assert!(fails(&[four, open_four]).contains("not the forced reply"));
        assert!(fails(&[open_four]).contains("has two replies"));
        assert!(fails(&[four, forced, four]).contains("is occupied"));
    }

    #[test]
    fn a_five_of_the_defender_refutes_the_line() {
        let (board, marks) = board!(
            Variant::FREESTYLE,
            ". . . . . . .
             . X X X * . .
             . . . . . . .
             O O O O . . .
             . . . . X . .
             . . . . . . ."
        );
        assert!(verify_fours(&board, &[marks[0]]).unwrap_err().contains("lets the defender"));
    }

    #[test]
    fn enclosing_a_five_is_a_reply_in_caro() {
        let drawing = ". . . . . . . . . .
                       . O . X X X * . . .
                       . . . . . . . . . .
                       . . . . . . . . . .
                       . . . . . . . . . .";
        let (caro, marks) = board!(Variant::CARO, drawing);
        let mut caro = caro;
        caro.set_side_to_move(Side::Black);
        // A stone to the right of the open four also encloses the five to its left.
        assert!(verify_fours(&caro, &marks).is_err());
        let (mut freestyle, _) = board!(Variant::FREESTYLE, drawing);
        freestyle.set_side_to_move(Side::Black);
        assert_eq!(verify_fours(&freestyle, &marks), Ok(3));
    }

    #[test]
    fn a_forbidden_block_wins_for_white() {
        // White completes the four where a block by Black would be an overline.
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
        assert_eq!(verify_fours(&board, &[marks[0]]), Ok(3));
    }
}
