//! Tests that the diagrams of the help show what their words say.

use std::path::Path;

use kakugo::board::{Board, Foul, Outcome, Point, Rule, Side, Variant};
use kakugo::search::Signals;
use kakugo_play_core::insight::{Outlook, Plan, PlanKind};

/// A position of a diagram in the middle of a board.
struct Position {
    board: Board,
    /// Points with a sign: `*` or `!`.
    signs: Vec<Point>,
}

/// Returns the diagram with this name, under a rule, with a side to move.
fn position(name: &str, rule: Rule, turn: Side) -> Position {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/diagrams.js");
    let script = std::fs::read_to_string(path).unwrap();
    let start = format!("  {name}: '");
    let line = script.lines().find_map(|line| line.strip_prefix(&start)).expect(name);
    let rows = line.strip_suffix("',").expect("a row ends").to_owned();
    let mut board = Board::new(19, 19, Variant::five(rule)).unwrap();
    let mut signs = Vec::new();
    for (y, row) in (6..).zip(rows.split('/')) {
        for (x, cell) in (5..).zip(row.chars()) {
            let p = Point::new(x, y).unwrap();
            match cell {
                'X' => board.place(p, Side::Black).unwrap(),
                'O' => board.place(p, Side::White).unwrap(),
                '*' | '!' => signs.push(p),
                '.' => {}
                other => panic!("{name}: {other}"),
            }
        }
    }
    board.set_side_to_move(turn);
    Position { board, signs }
}

/// Returns true if the black row of a diagram wins under a rule, once its last stone is placed.
fn wins(name: &str, rule: Rule) -> bool {
    let Position { board, .. } = position(name, rule, Side::White);
    let stones: Vec<_> = board.stones().collect();
    let (last, before) = {
        let black = |side| stones.iter().filter(move |stone| stone.side == side);
        (black(Side::Black).nth(2).unwrap().point, black)
    };
    let mut again = Board::new(19, 19, Variant::five(rule)).unwrap();
    for side in Side::BOTH {
        for stone in before(side).filter(|stone| stone.point != last) {
            again.place(stone.point, side).unwrap();
        }
    }
    again.set_side_to_move(Side::Black);
    again.play(last).unwrap();
    again.outcome() == Outcome::Win(Side::Black)
}

#[test]
fn rows_win_as_the_rules_say() {
    for (rule, five, six, enclosed) in [
        (Rule::Freestyle, true, true, true),
        (Rule::Standard, true, false, true),
        (Rule::Renju, true, false, true),
        (Rule::Caro, true, false, false),
        (Rule::CaroOverline, true, true, false),
    ] {
        let names = ["five", "six", "enclosed"];
        assert_eq!(names.map(|name| wins(name, rule)), [five, six, enclosed], "{rule:?}");
    }
}

#[test]
fn crosses_are_forbidden_points_of_renju() {
    for (name, foul) in [
        ("overline", Foul::Overline),
        ("double_four", Foul::DoubleFour),
        ("forbidden_three", Foul::DoubleThree),
    ] {
        let Position { board, signs } = position(name, Rule::Renju, Side::Black);
        let [p] = signs[..] else { panic!("{name}: {signs:?}") };
        assert_eq!(board.foul(p, Side::Black), Some(foul), "{name}");
    }
}

#[test]
fn marked_points_complete_fives_and_stop_threes() {
    let fives = |board: &Board| -> Vec<Point> {
        board.empty_points().filter(|&p| board.makes_five(p, Side::Black)).collect()
    };
    for (name, count) in [("open_four", 2), ("four", 1), ("split_four", 1)] {
        let Position { board, signs } = position(name, Rule::Freestyle, Side::White);
        assert_eq!(fives(&board), signs, "{name}");
        assert_eq!(signs.len(), count, "{name}");
    }
    for name in ["open_three", "split_three"] {
        let Position { board, .. } = position(name, Rule::Freestyle, Side::White);
        let plan = Plan::by_fours(&board, Side::Black, 1000).expect(name);
        assert_eq!(plan.kind, PlanKind::OpenFour, "{name}");
    }
    let Position { board, signs } = position("stops", Rule::Freestyle, Side::Black);
    let mut defences = Outlook::of(&board, &Signals::default()).defences;
    defences.sort_unstable();
    assert_eq!(defences, signs);
}

#[test]
fn marked_points_make_double_threats() {
    for name in ["double_three", "four_three"] {
        let Position { mut board, signs } = position(name, Rule::Freestyle, Side::Black);
        board.play(signs[0]).unwrap();
        // Whatever White plays, Black wins by fours.
        board.set_side_to_move(Side::White);
        let answers: Vec<Point> = board.empty_points().collect();
        for p in answers {
            let mut after = board.clone();
            after.play(p).unwrap();
            assert!(Plan::by_fours(&after, Side::Black, 10_000).is_some(), "{name} {p:?}");
        }
    }
}
