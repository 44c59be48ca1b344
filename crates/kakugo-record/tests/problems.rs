//! The built-in problems: complete, different, and solved by their right moves and no others.

use std::collections::HashSet;

use kakugo::{Board, Limits, Outcome, Point, Rule, Side, solve};
use kakugo_record::problems::{PER_STEP, Problem, SIZE, Step, pack};

/// Nodes of a proof.
const NODES: u64 = 20_000;

fn of_step(step: Step) -> impl Iterator<Item = &'static Problem> {
    pack().iter().filter(move |problem| problem.step == step)
}

fn legal(board: &Board) -> Vec<Point> {
    board.empty_points().filter(|&p| board.is_legal(p)).collect()
}

fn fives(board: &Board, side: Side) -> Vec<Point> {
    board.empty_points().filter(|&p| board.makes_five(p, side)).collect()
}

fn after(board: &Board, p: Point) -> Board {
    let mut after = board.clone();
    after.play(p).unwrap();
    after
}

fn wins(board: &Board) -> bool {
    !fives(board, board.side_to_move()).is_empty()
        || solve(board, &Limits::new().nodes(NODES)).is_some()
}

/// Returns true if the side to move loses after each of its moves.
fn is_lost(board: &Board) -> bool {
    let winner = board.side_to_move().opponent();
    if !fives(board, winner.opponent()).is_empty() {
        return false;
    }
    // A move that does not stop a five loses to it.
    let threats = fives(board, winner);
    let mut replies = legal(board);
    replies.retain(|p| threats.iter().all(|five| five == p));
    replies.into_iter().all(|p| wins(&after(board, p)))
}

#[test]
fn the_pack_is_complete_and_in_order() {
    let mut expected = Vec::new();
    for rule in [Rule::Freestyle, Rule::Renju] {
        for step in Step::ALL {
            expected.extend([(rule, step); PER_STEP]);
        }
    }
    let kinds: Vec<_> = pack().iter().map(|problem| (problem.rule, problem.step)).collect();
    assert_eq!(kinds, expected);
    let text = include_str!("../src/problems.txt");
    assert!(text.len() <= 40_000, "{} bytes", text.len());
    let written: String = pack().iter().map(|problem| format!("{problem}\n")).collect();
    assert_eq!(written, text);
}

#[test]
fn positions_are_legal_and_the_side_to_move_follows_from_the_stones() {
    for problem in pack() {
        let mut board = Board::new(SIZE, SIZE, problem.variant()).unwrap();
        for &p in &problem.moves {
            assert!(board.outcome() == Outcome::Ongoing && board.is_legal(p), "{problem}");
            board.play(p).unwrap();
        }
        assert_eq!(board.outcome(), Outcome::Ongoing, "{problem}");
        assert_eq!(board.key(), problem.board().key());
        assert_eq!(board.side_to_move(), problem.side_to_move());
        assert!(problem.right.iter().all(|&p| board.is_legal(p)), "{problem}");
    }
}

#[test]
fn no_problem_is_another_one_turned_or_shifted() {
    let mut seen = HashSet::new();
    for problem in pack() {
        let board = problem.board();
        let symmetries = (0..8).map(|symmetry| {
            let stones = board.stones().map(|stone| {
                let (x, y) = (i32::from(stone.point.x()), i32::from(stone.point.y()));
                let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
                let x = if symmetry & 2 == 0 { x } else { -x };
                (x, if symmetry & 4 == 0 { y } else { -y }, stone.side)
            });
            let mut stones: Vec<_> = stones.collect();
            let left = stones.iter().map(|stone| stone.0).min().unwrap_or(0);
            let top = stones.iter().map(|stone| stone.1).min().unwrap_or(0);
            stones
                .iter_mut()
                .for_each(|stone| (stone.0, stone.1) = (stone.0 - left, stone.1 - top));
            stones.sort_unstable();
            stones
        });
        let least = symmetries.min().map(|stones| (problem.rule.word(), stones));
        assert!(seen.insert(least), "{problem}");
    }
}

#[test]
fn the_five_of_step_one_is_the_only_one() {
    for problem in of_step(Step::Five) {
        let board = problem.board();
        assert_eq!(fives(&board, board.side_to_move()), problem.right, "{problem}");
        assert_eq!(problem.right.len(), 1, "{problem}");
    }
}

#[test]
fn only_the_right_moves_of_step_two_stop_the_four() {
    for problem in of_step(Step::StopFour) {
        let board = problem.board();
        assert!(fives(&board, problem.side_to_move()).is_empty(), "{problem}");
        for p in legal(&board) {
            let then = after(&board, p);
            assert_eq!(!wins(&then), problem.is_right(p), "{problem} {}", board.name(p));
        }
    }
}

#[test]
fn each_right_move_of_double_threats_and_wins_by_fours_wins() {
    for problem in of_step(Step::Double).chain(of_step(Step::Fours)) {
        let board = problem.board();
        assert!(fives(&board, problem.side_to_move()).is_empty(), "{problem}");
        for &p in &problem.right {
            assert!(is_lost(&after(&board, p)), "{problem} {}", board.name(p));
        }
    }
}

#[test]
fn wins_by_threats_are_proven_and_have_no_win_by_fours() {
    for problem in of_step(Step::Threats).step_by(5) {
        let board = problem.board();
        let win = solve(&board, &Limits::new().nodes(NODES)).expect("a win");
        assert_eq!(win.kind, kakugo::WinKind::Threats, "{problem}");
        for &p in &problem.right {
            assert!(is_lost(&after(&board, p)), "{problem} {}", board.name(p));
        }
    }
}

#[test]
fn the_right_move_of_a_defence_is_the_only_one_that_does_not_lose() {
    for problem in of_step(Step::Defence) {
        assert_eq!(problem.right.len(), 1, "{problem}");
    }
    let mut proven = 0;
    let mut others = 0;
    for problem in of_step(Step::Defence).step_by(5) {
        let board = problem.board();
        assert!(!wins(&after(&board, problem.right[0])), "{problem}");
        let wrong = legal(&board).into_iter().filter(|&p| !problem.is_right(p));
        for p in wrong {
            others += 1;
            proven += usize::from(wins(&after(&board, p)));
        }
    }
    // A few moves lose only to wins that the solver does not find: to quiet moves.
    assert!(proven * 100 >= others * 99, "{proven} of {others}");
}
