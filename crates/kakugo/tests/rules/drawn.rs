//! The rules in drawn positions.

use kakugo::board;
use kakugo::board::{Board, Foul, Outcome, Point, Rule, Side, Variant};

use super::twin::Grid;

/// Checks for each marked point whether `side` makes five there, under each rule.
fn assert_five(drawing: &str, side: Side, verdicts: &[(Rule, bool)]) {
    for &(rule, five) in verdicts {
        let (mut board, marks) = board!(Variant::five(rule), drawing);
        assert!(!marks.is_empty());
        for p in marks {
            assert_eq!(board.makes_five(p, side), five, "{rule}: {side} on {p}\n{board}");
            board.place(p, side).unwrap();
            let won = board.outcome() == Outcome::Win(side);
            assert_eq!(won, five, "{rule}: {side} on {p}\n{board}");
            board.undo();
        }
    }
}

/// Checks why the marked points are forbidden to Black in renju, with the board and the twin.
fn assert_foul(drawing: &str, foul: Option<Foul>) {
    let (board, marks) = board!(Variant::RENJU, drawing);
    assert!(!marks.is_empty());
    for &p in &marks {
        assert_eq!(board.foul(p, Side::Black), foul, "{p}\n{board}");
        assert_eq!(board.foul(p, Side::White), None);
        assert_eq!(twin_foul(&board, p), foul, "twin: {p}\n{board}");
    }
}

fn twin_foul(board: &Board, p: Point) -> Option<Foul> {
    let at = |p: Point| (i32::from(p.x()), i32::from(p.y()));
    let mut grid = Grid::new(board.width().into(), board.height().into(), board.variant());
    for stone in board.stones() {
        grid.set(at(stone.point), super::twin::field_of(stone.side));
    }
    grid.foul(at(p), Side::Black)
}

const EVERY_RULE: [(Rule, bool); 5] = [
    (Rule::Freestyle, true),
    (Rule::Standard, true),
    (Rule::Renju, true),
    (Rule::Caro, true),
    (Rule::CaroOverline, true),
];

#[test]
fn five_in_every_direction_wins_under_every_rule() {
    let drawing = ". . . . X . . . .
                   . X . . X . . X .
                   . . X . X . X . .
                   . . . X X X . . .
                   . X X X * X . . .
                   . . . X . X . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    assert_five(drawing, Side::Black, &EVERY_RULE);
    let (mut board, marks) = board!(Variant::FREESTYLE, drawing);
    board.place(marks[0], Side::Black).unwrap();
    assert_eq!(board.winning_line().len(), 4 * 4 + 1);
}

#[test]
fn six_in_a_row_is_five_for_some() {
    let verdicts = |renju| {
        [
            (Rule::Freestyle, true),
            (Rule::Standard, false),
            (Rule::Renju, renju),
            (Rule::Caro, false),
            (Rule::CaroOverline, true),
        ]
    };
    let black = ". . . . . . . . .
                 . X X X * X X . .
                 . . . . . . . . .";
    assert_five(black, Side::Black, &verdicts(false));
    assert_five(&black.replace('X', "O"), Side::White, &verdicts(true));
}

#[test]
fn caro_wants_one_free_end() {
    let caro = |wins| [(Rule::Caro, wins), (Rule::CaroOverline, wins), (Rule::Standard, true)];
    let enclosed = ". . . . . . . . .
                    . O X X * X X O .
                    . . . . . . . . .";
    assert_five(enclosed, Side::Black, &caro(false));
    assert_five(&enclosed.replace("O .", ". ."), Side::Black, &caro(true));
    assert_five(&enclosed.replace("O .", "# ."), Side::Black, &caro(true));
    assert_five(&enclosed.replace("O .", ". O"), Side::Black, &caro(true));
}

#[test]
fn caro_edges_do_not_enclose() {
    let at_the_edge = "X X X * X O . . .
                       . . . . . . . . .
                       . . . . . . . . .";
    let caro = [(Rule::Caro, true), (Rule::CaroOverline, true)];
    assert_five(at_the_edge, Side::Black, &caro);
    assert_five("X X X * X\n.....\n.....", Side::Black, &caro);
}

#[test]
fn caro_six_wins_enclosed_or_not_where_it_wins() {
    let drawing = ". . . . . . . . .
                   O X X * X X X O .
                   . . . . . . . . .";
    assert_five(drawing, Side::Black, &[(Rule::Caro, false), (Rule::CaroOverline, true)]);
}

#[test]
fn three_in_a_row_wins_on_the_smallest_board() {
    let three = Variant::new(Rule::Freestyle, 3).unwrap();
    let (mut board, marks) = board!(three, "X O *\nO X .\n. . .");
    board.play(marks[0]).unwrap();
    assert_eq!(board.outcome(), Outcome::Ongoing);
    board.play(Point::new(2, 1).unwrap()).unwrap();
    assert_eq!(board.outcome(), Outcome::Ongoing);
    board.play(Point::new(2, 2).unwrap()).unwrap();
    assert_eq!(board.outcome(), Outcome::Win(Side::Black));
    let line: Vec<String> = board.winning_line().iter().map(Point::to_string).collect();
    assert_eq!(line, ["0,0", "1,1", "2,2"]);
}

#[test]
fn a_full_board_is_drawn_unless_the_last_stone_wins() {
    let three = Variant::new(Rule::Freestyle, 3).unwrap();
    let (mut board, marks) = board!(three, "X O X\nX O O\nO X *");
    board.play(marks[0]).unwrap();
    assert_eq!(board.outcome(), Outcome::Draw);
    let (mut board, marks) = board!(three, "X X *\nO O X\nX O O");
    board.play(marks[0]).unwrap();
    assert_eq!(board.outcome(), Outcome::Win(Side::Black));
    let (mut board, marks) = board!(Variant::RENJU, "# X #\n# * #\n# O #");
    board.play(marks[0]).unwrap();
    assert_eq!(board.outcome(), Outcome::Draw, "walls leave no room");
}

#[test]
fn overlines_are_forbidden() {
    assert_foul(
        ". . . . . . . .
         . X X * X X X .
         . . . . . . . .",
        Some(Foul::Overline),
    );
}

#[test]
fn five_beats_every_foul() {
    let overline = "X . . . . . . .
                    X . . . . . . .
                    X . . . . . . .
                    X . . . . . . .
                    * X X X X X . .
                    . . . . . . . .";
    assert_foul(overline, None);
    assert_five(overline, Side::Black, &[(Rule::Renju, true)]);
    let double_four = ". . . . . . . . .
                       . . . X . . . . .
                       . . . X . X . . .
                       . . . X X . . . .
                       . X X * X X . . .
                       . . X . . . . . .
                       . X . . . . . . .";
    assert_foul(double_four, None);
    assert_five(double_four, Side::Black, &[(Rule::Renju, true)]);
}

#[test]
fn double_fours_in_one_line() {
    for line in ["X . X * X . X", "X . * X X . X", "X X . * X . X X", "X X X . * . X X X"] {
        let points = line.split(' ').count();
        let around = vec!["."; points + 4].join(" ");
        assert_foul(&format!("{around}\n. . {line} . .\n{around}"), Some(Foul::DoubleFour));
    }
}

#[test]
fn one_four_in_a_line_is_allowed() {
    for line in [
        // A straight four has two winning points, and is one four.
        ". . X X * X . .",
        // The left gap would make six.
        "X X . X * X . X",
        // White has taken the left gap.
        "X O X * X . X .",
        // The second four would not contain the new stone.
        "* . X X X . X .",
    ] {
        let around = vec!["."; line.split(' ').count()].join(" ");
        assert_foul(&format!("{around}\n{line}\n{around}"), None);
    }
}

#[test]
fn double_fours_in_two_lines() {
    let drawing = ". . . . . . .
                   . X . . . . .
                   . X . . . . .
                   . X . . . . .
                   O * X X X . .
                   . O . . . . .
                   . . . . . . .";
    assert_foul(drawing, Some(Foul::DoubleFour));
    // Four and three is legal for Black.
    assert_foul(&drawing.replacen(". X .", ". . .", 1).replace(". O .", ". . ."), None);
}

#[test]
fn double_threes() {
    let drawing = ". . . . . . . .
                   . . . . . . . .
                   . . . X . . . .
                   . . . . . . . .
                   . . . X . . . .
                   . . . * X X . .
                   . . . . . . . .
                   . . . . . . . .";
    assert_foul(drawing, Some(Foul::DoubleThree));
    let shut_off = ". . . . . . . .
                    . . . O . . . .
                    . . . X . . . .
                    . . . . . . . .
                    . . . X . . . .
                    . . . * X X . .
                    . . . . . . . .
                    . . . . . . . .";
    assert_foul(shut_off, None);
}

/// The three in the row cannot become a straight four: two white stones, or another black stone,
/// leave too little room.
#[test]
fn threes_without_room_do_not_count() {
    for row in ["O . X * X . O . .", "X . . * X X . . X", "X . . * X X . O ."] {
        let drawing = format!(
            ". . . . . . . . .
             . . . X . . . . .
             . . . X . . . . .
             {row}
             . . . . . . . . .
             . . . . . . . . ."
        );
        assert_foul(&drawing, None);
    }
}

/// The three in the column has one point for a straight four, which makes six in the row above.
#[test]
fn a_three_whose_straight_four_point_is_an_overline_does_not_count() {
    let drawing = ". . . . . . . . .
                   . X X X . X X . .
                   . . . . X . . . .
                   . . . . X . . . .
                   . . . . * X X . .
                   . . . . . . . . .
                   . . . . O . . . .
                   . . . . . . . . .";
    assert_foul(drawing, None);
    assert_foul(&drawing.replacen("X X X . X X", ". . . . . .", 1), Some(Foul::DoubleThree));
}

/// The three on the diagonal needs the empty point between its stones, but there Black would make
/// the straight four and another four downwards.
#[test]
fn a_three_whose_straight_four_point_is_a_double_four_does_not_count() {
    let drawing = ". . . . . . . .
                   . . . * X X . .
                   . . . . X . . .
                   . . . . . . . .
                   . . . . . X X .
                   . . . . . X . .
                   . . . . . . . .
                   . . . . . . . .";
    assert_foul(drawing, None);
}

/// The definition of a three says "without at the same time making five in a row": the three in the
/// row could become a straight four only on a point that makes five in the column.
#[test]
fn a_three_whose_straight_four_point_makes_five_does_not_count() {
    let drawing = ". . . . . X . . .
                   . . . . . X . . .
                   . . . . . X . . .
                   . . . . . X . . .
                   . O . X * . X . .
                   . . . . X . . . .
                   . . . . X . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    assert_foul(drawing, None);
    let no_five = drawing.replace(". . . . . X . . .", ". . . . . . . . .");
    assert_foul(&no_five, Some(Foul::DoubleThree));
}

/// Two stones ahead: one straight-four point looks like a double-three but is not, because one of
/// *its* threes has no legal straight-four point. So the first point is forbidden.
#[test]
fn the_recursion_goes_two_deep() {
    let drawing = ". . . . . . . . . .
                   . . . . . . X . . .
                   . . . . . X . . . .
                   . . . . . X . X . .
                   . . . * . X X . . .
                   . . . . . . X . . .
                   . . . . . . . . . .
                   . . . . . . . . . .
                   . . . . . . . . . .";
    assert_foul(drawing, Some(Foul::DoubleThree));
}

#[test]
fn a_settled_game_keeps_its_last_stone() {
    let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
    for name in ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4", "l8"] {
        board.play(board.parse_point(name).unwrap()).unwrap();
    }
    let order: Vec<_> = board.stones().collect();
    board.settle();
    assert_eq!(board.stones().collect::<Vec<_>>(), order);
    assert_eq!(board.outcome(), Outcome::Win(Side::Black));
    assert_eq!(board.undo().map(|stone| board.name(stone.point)), Some("l8".to_owned()));
    // A five that is not the last stone's ends a position, too.
    let (mut drawn, _) = board!(Variant::FREESTYLE, "XXXXX\nOO.O.\n.....");
    assert_eq!((drawn.outcome(), drawn.winning_line().len()), (Outcome::Win(Side::Black), 5));
    drawn.undo();
    assert_eq!(drawn.outcome(), Outcome::Ongoing);
}
