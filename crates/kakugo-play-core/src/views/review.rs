//! The view of a review.

use kakugo::board::{Board, Foul};
use kakugo_record::analysis::accuracy::{self, Accuracy, Grade, losses};
use kakugo_record::analysis::review::{self, Mistake};
use kakugo_record::analysis::sequence::{ThreatKind, sequence};
use kakugo_record::book::Book;
use kakugo_record::explorer::Explorer;
use kakugo_record::tree::NodeId;

use crate::game::live::LiveGame;
use crate::game::wording;
use crate::messages::{Review, SideAccuracy, TurningPoint, Xy};
use crate::views::{side_word, xy, xys};

/// Returns the view of the review of the line on the board, or of the main line if more of that has
/// been reviewed.
pub fn review(game: &LiveGame, book: Option<&Book>) -> Review {
    let nodes = game.reviewed_positions();
    let review = game.review_of(&nodes);
    let losses = losses(&review);
    let graded = |(node, &loss): (&NodeId, &u32)| (node.number(), loss, grade(loss));
    Review {
        positions: review.positions.len(),
        of: nodes.len(),
        shown: nodes == game.positions(),
        moves: nodes.iter().skip(1).zip(&losses).map(graded).collect(),
        players: accuracy(game, &nodes, &review).map(|side| side_accuracy(&side)),
        turning_points: turning_points(game, &nodes, &review.turning_points),
        opening: book.map(|book| opening(game, book.explorer(), &nodes)),
    }
}

/// Returns the accuracy of both sides, from their stones.
fn accuracy(game: &LiveGame, nodes: &[NodeId], review: &review::Review) -> [Accuracy; 2] {
    let is_stone = |i: usize| nodes.get(i + 1).is_some_and(|&node| game.stone(node).is_some());
    accuracy::of_review(review, is_stone)
}

/// Returns the word for the grade of a loss.
fn grade(loss: u32) -> Option<&'static str> {
    Grade::of(loss).map(|grade| match grade {
        Grade::Inaccuracy => "inaccuracy",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    })
}

fn side_accuracy(accuracy: &Accuracy) -> SideAccuracy {
    SideAccuracy {
        moves: accuracy.counted,
        accuracy: (accuracy.percent * 10.0).round() / 10.0,
        loss: accuracy.mean_loss.round(),
        inaccuracies: accuracy.inaccuracies,
        mistakes: accuracy.mistakes,
        blunders: accuracy.blunders,
    }
}

fn turning_points(
    game: &LiveGame,
    nodes: &[NodeId],
    turning_points: &[review::TurningPoint],
) -> Vec<TurningPoint> {
    let mut next = turning_points.iter().peekable();
    let mut shown = Vec::new();
    let mut board = game.first_board();
    let mut number = 0;
    for node in path(game, nodes) {
        number += usize::from(game.is_move(node));
        while let Some(turning) = next.next_if(|turning| turning.number == number) {
            board.set_side_to_move(turning.side);
            shown.push(turning_point(&board, turning, nodes[number - 1], node));
        }
        board = game.board_after(node, board);
    }
    shown
}

/// Returns the path to the last of these nodes.
fn path(game: &LiveGame, nodes: &[NodeId]) -> Vec<NodeId> {
    game.tree().path(nodes.last().copied().unwrap_or(NodeId::ROOT))
}

/// Returns the view of a turning point in the position on the board, between two nodes.
fn turning_point(
    board: &Board,
    turning: &review::TurningPoint,
    from: NodeId,
    node: NodeId,
) -> TurningPoint {
    let steps = sequence(board, &turning.line);
    let is_won = steps.last().is_some_and(|step| step.makes == Some(ThreatKind::Five));
    TurningPoint {
        number: turning.number,
        side: side_word(turning.side),
        played: xy(turning.played),
        mistake: match turning.mistake {
            Mistake::MissedFours => "missed_fours",
            Mistake::MissedWin => "missed_win",
            Mistake::AllowedWin => "allowed_win",
            Mistake::Slip => "slip",
            Mistake::Forbidden(Foul::Overline) => "overline",
            Mistake::Forbidden(Foul::DoubleFour) => "double_four",
            Mistake::Forbidden(Foul::DoubleThree) => "double_three",
        },
        before: turning.permille.0,
        after: turning.permille.1,
        grade: grade(turning.permille.0.saturating_sub(turning.permille.1)),
        line: xys(&turning.line),
        from: from.number(),
        node: node.number(),
        goes_on: turning.mistake.is_missed_win() && !is_won,
        makes: steps.iter().map(|step| step.makes.map(wording::made)).collect(),
    }
}

/// Returns the moves of a line that explored games know, up to the first that none has: the node,
/// the point, the number of lines with it, and the number of lines before it.
fn opening(game: &LiveGame, explorer: &Explorer, nodes: &[NodeId]) -> Vec<(u32, Xy, u32, u32)> {
    let mut board = game.first_board();
    let mut before = explorer.lookup_board(&board).0.lines;
    let mut known = Vec::new();
    for node in path(game, nodes) {
        if before == 0 {
            break;
        }
        board = game.board_after(node, board);
        let lines = explorer.lookup_board(&board).0.lines;
        known.extend(game.stone(node).map(|p| (node.number(), xy(p), lines, before)));
        before = lines;
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::opening::{Opening, OpeningChoice};
    use crate::game::setup::Setup;
    use crate::now::Time;
    use kakugo::board::Point;
    use kakugo::score::Score;
    use kakugo_record::analysis::review::EvaluatedPosition;

    /// Returns the number of moves that belong to the opening after these stones, each with
    /// choices.
    fn opening_moves(opening: Opening, steps: &[(u8, u8, &[OpeningChoice])]) -> usize {
        let now = Time::default();
        let mut game = LiveGame::new(Setup { opening, ..Setup::default() }.checked(&[]).unwrap());
        for &(x, y, choices) in steps {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
            choices.iter().for_each(|&choice| game.choose(choice, now).unwrap());
        }
        game.review_of(&game.positions()).opening_moves
    }

    #[test]
    fn moves_of_an_opening_are_those_before_the_colours_are_fixed() {
        use OpeningChoice::{Black, Fifths, More, Offer, White};
        let three = [(7, 7, &[][..]), (7, 6, &[]), (9, 9, &[])];
        let with = |choices: &'static [OpeningChoice]| [three[0], three[1], (9, 9, choices)];
        assert_eq!(opening_moves(Opening::Free, &three), 0);
        assert_eq!(opening_moves(Opening::Swap, &three), 3);
        let white = (1, 1, &[][..]);
        assert_eq!(opening_moves(Opening::Swap, &[&with(&[Black])[..], &[white]].concat()), 3);
        let two = [(1, 1, &[][..]), (2, 1, &[White])];
        let more = [&with(&[More])[..], &two, &[(3, 1, &[])]].concat();
        assert_eq!(opening_moves(Opening::Swap2, &more), 5);
        let soosorv = [&with(&[White])[..], &[(1, 1, &[Fifths(1), Black][..]), (2, 1, &[])]];
        assert_eq!(opening_moves(Opening::Soosorv, &soosorv.concat()), 4);
        let taraguchi = |fourth| {
            [(7, 7, &[Black][..]), (7, 6, &[White]), (9, 9, &[White]), (7, 4, fourth)].to_vec()
        };
        let one = [&taraguchi(&[White, Fifths(1)])[..], &[(7, 5, &[Black]), (0, 0, &[])]].concat();
        assert_eq!(opening_moves(Opening::Taraguchi, &one), 5);
        let mut fourth = vec![White, Fifths(10)];
        fourth.extend((0..10).map(|x| Offer(Point::new(x, 14).unwrap())));
        let ten = [&taraguchi(&fourth)[..], &[(3, 14, &[]), (0, 0, &[])]].concat();
        assert_eq!(opening_moves(Opening::Taraguchi, &ten), 4);
    }

    #[test]
    fn turning_points_are_graded_by_what_they_cost_the_player() {
        let setup = Setup::default().checked(&[]).unwrap();
        let at = |x| Point::new(x, 7).unwrap();
        let mut game = LiveGame::with_moves(setup, &[at(7), at(8), at(9)]).unwrap();
        // Black loses all with the first move; White stays winning with the second.
        let won = |black: bool| if black { Score::win_in(9) } else { Score::loss_in(9) };
        for (node, black, black_permille) in game
            .positions()
            .into_iter()
            .zip([true, false, false, false])
            .zip([1000, 0, 10, 0])
            .map(|((node, black), permille)| (node, black, permille))
        {
            let review = EvaluatedPosition {
                black: won(black),
                black_permille,
                best_line: vec![at(1), at(2)],
                depth: 5,
                by_fours: false,
                checks: EvaluatedPosition::VERIFIED,
            };
            assert!(game.set_review(node, Some(review)));
        }
        let shown = review(&game, None).turning_points;
        let grades = shown.iter().map(|turning| (turning.number, turning.grade));
        let grades: Vec<(usize, Option<&str>)> = grades.collect();
        assert_eq!(grades[0], (1, Some("blunder")));
        assert!(grades[1..].iter().all(|(_, grade)| grade.is_none()), "{grades:?}");
    }
}
