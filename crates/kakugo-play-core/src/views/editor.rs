//! The view of the position editor.

use kakugo::board::{Board, Outcome, Side};
use kakugo_record::analysis::sequence::sequence;
use kakugo_record::text::{Text, text};

use crate::game::wording;
use crate::messages::{EditorSolution, EditorView};
use crate::parts::editor::OpenEditor;
use crate::solving::{Solution, SolveMethod, SolveResult};
use crate::views::state::forbidden_points;
use crate::views::{side_word, xys};

/// Returns the view of an open editor.
pub fn editor(editor: &OpenEditor) -> EditorView {
    let position = editor.position();
    let start = &position.start;
    let board = position.board();
    let is_over = board.as_ref().is_none_or(|board| board.outcome() != Outcome::Ongoing);
    let solution = editor.solution().zip(board.as_ref());
    EditorView {
        width: position.width,
        height: position.height,
        rule: position.variant.rule().word(),
        win: position.variant.win_length(),
        black: xys(start.black()),
        white: xys(start.white()),
        blocked: xys(start.blocked()),
        turn: side_word(start.side_to_move()),
        assumed: start.to_move.is_none(),
        can_undo: editor.can_undo(),
        objection: position.objection(),
        remark: position.remark(),
        row: board.as_ref().map(|board| xys(&board.winning_line())).unwrap_or_default(),
        forbidden: board.as_ref().filter(|_| !is_over).map(forbidden_points).unwrap_or_default(),
        solving: editor.solving().map(|(method, _)| method_word(method)),
        queued: editor.solving().is_some_and(|(_, queued)| queued),
        solution: solution.map(|((method, solution), board)| view(*method, solution, board)),
    }
}

fn method_word(method: SolveMethod) -> &'static str {
    match method {
        SolveMethod::Fours => "fours",
        SolveMethod::Threats => "threats",
        SolveMethod::Search => "search",
    }
}

fn view(method: SolveMethod, solution: &Solution, board: &Board) -> EditorSolution {
    let side = board.side_to_move();
    let winner = match solution.result {
        SolveResult::Win => Some(side),
        SolveResult::Loss => Some(side.opponent()),
        SolveResult::NoWin | SolveResult::Unknown => None,
    };
    let steps = sequence(board, &solution.line);
    let makes = steps.iter().map(|step| step.makes.map(wording::made));
    EditorSolution {
        result: match solution.result {
            SolveResult::Win => "win",
            SolveResult::Loss => "loss",
            SolveResult::NoWin => "none",
            SolveResult::Unknown => "unknown",
        },
        words: words(method, solution, board, winner),
        winner: winner.map(side_word),
        line: xys(&solution.line),
        makes: makes.collect(),
    }
}

/// Returns the solution as a sentence.
fn words(method: SolveMethod, solution: &Solution, board: &Board, winner: Option<Side>) -> Text {
    let side = wording::side(board.side_to_move());
    let Some(winner) = winner else {
        return match (solution.result, method) {
            (SolveResult::NoWin, SolveMethod::Fours) => {
                text!("{0} has no win by fours.", side)
            }
            (SolveResult::NoWin, _) => text!("{0} has no win by fours and open threes.", side),
            _ => text!("No forced win of {0} was found in this time.", side),
        };
    };
    let mut end = board.clone();
    let is_complete = solution.line.iter().all(|&p| end.play(p).is_ok())
        && matches!(end.outcome(), Outcome::Win(_) | Outcome::Forbidden(_));
    // The last stone is the five, or a forbidden move of the loser.
    let own = solution.line.len().div_ceil(2);
    let winner = wording::side(winner);
    match (is_complete, solution.is_shortest) {
        (true, true) => text!("{0} wins in {1} {1:move|moves}.", winner, own),
        (true, false) => text!("{0} wins in {1} {1:move|moves} or sooner.", winner, own),
        (false, _) => text!("{0} wins. The end of the line was not found.", winner),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Point, Variant};

    #[test]
    fn a_win_that_may_be_shorter_is_called_so() {
        let board = Board::from_diagram(Variant::FREESTYLE, ".XXX..\n......\nOOO...").unwrap();
        let line: Vec<Point> = [4, 0, 5].map(|x| Point::new(x, 0).unwrap()).to_vec();
        let said = |line: &[Point], is_shortest| {
            let solution =
                Solution { result: SolveResult::Win, line: line.to_vec(), is_shortest, nodes: 1 };
            words(SolveMethod::Search, &solution, &board, Some(Side::Black)).to_string()
        };
        assert_eq!(said(&line, true), "Black wins in 2 moves.");
        assert_eq!(said(&line, false), "Black wins in 2 moves or sooner.");
        let open = "Black wins. The end of the line was not found.";
        assert_eq!(said(&line[..2], false), open);
    }
}
