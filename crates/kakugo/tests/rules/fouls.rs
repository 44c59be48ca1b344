//! Forbidden points of crowded renju positions follow the definitions.

use kakugo::board::{Board, Foul, Outcome, Point, Side, Variant};
use rand::Rng;
use rand::rngs::StdRng;

use super::seed;
use super::twin::{At, Field, Grid, STEPS};

/// Number of compared points of each kind.
#[derive(Default, Debug)]
struct Seen {
    positions: u32,
    points: u32,
    overline: u32,
    double_four: u32,
    double_four_in_one_line: u32,
    double_three: u32,
    /// Legal points that are double-threes if counted without recursion.
    false_double_three: u32,
    /// Points that need more than one level of recursion.
    two_deep: u32,
}

/// A renju grid and the board with the same stones and walls.
fn board_of(grid: &Grid) -> Board {
    let mut board = Board::new(grid.width as u8, grid.height as u8, Variant::RENJU).unwrap();
    for p in board.points() {
        match grid.field((p.x().into(), p.y().into())) {
            Field::Black => board.place(p, Side::Black).unwrap(),
            Field::White => board.place(p, Side::White).unwrap(),
            Field::Wall => board.block(p).unwrap(),
            Field::Empty => {}
        }
    }
    board
}

/// Random stones of both colours in a part of the board.
fn scattered(random: &mut StdRng) -> Grid {
    let (width, height) = (random.random_range(5..=15), random.random_range(5..=15));
    let mut grid = Grid::new(width, height, Variant::RENJU);
    let extent = random.random_range(5..=8);
    let corner = (random.random_range(-1..=width - 4), random.random_range(-1..=height - 4));
    let black = random.random_range(0.1..0.45);
    let white = random.random_range(0.0..0.2);
    for at in grid.points() {
        let inside = |at: i32, corner: i32| (corner..corner + extent).contains(&at);
        if inside(at.0, corner.0) && inside(at.1, corner.1) {
            let drawn: f64 = random.random();
            let field = match drawn {
                _ if drawn < black => Field::Black,
                _ if drawn < black + white => Field::White,
                _ if drawn > 0.98 => Field::Wall,
                _ => Field::Empty,
            };
            grid.set(at, field);
        }
    }
    grid
}

/// A point with threes in several directions. Some of their straight-four points have threes again,
/// and so on.
fn star(random: &mut StdRng) -> Grid {
    let mut grid = Grid::new(15, 15, Variant::RENJU);
    let mut centres: Vec<At> = vec![(7, 7)];
    for _ in 0..random.random_range(1..=8) {
        let centre = centres[random.random_range(0..centres.len())];
        for (dx, dy) in STEPS {
            if random.random_bool(0.4) {
                continue;
            }
            let first = random.random_range(-3..=2_i32);
            let row: Vec<At> =
                (first..first + 4).map(|n| (centre.0 + n * dx, centre.1 + n * dy)).collect();
            let left_open = random.random_range(0..4);
            for (n, &at) in row.iter().enumerate() {
                if n == left_open {
                    centres.push(at);
                } else if grid.field(at) == Field::Empty && at != (7, 7) {
                    grid.set(at, Field::Black);
                }
            }
        }
    }
    for _ in 0..random.random_range(0..=10) {
        let at = (random.random_range(2..13), random.random_range(2..13));
        if grid.field(at) == Field::Empty {
            grid.set(at, Field::White);
        }
    }
    grid
}

/// Stones on one line only, so that other directions do not interfere.
fn in_one_line(grid: &Grid, at: At) -> bool {
    STEPS.iter().any(|&(dx, dy)| {
        let mut line = Grid::new(grid.width, grid.height, Variant::RENJU);
        for n in -5..=5 {
            let spot = (at.0 + n * dx, at.1 + n * dy);
            if line.contains(spot) {
                line.set(spot, grid.field(spot));
            }
        }
        line.foul(at, Side::Black) == Some(Foul::DoubleFour)
    })
}

/// Compares every free point. Then plays each forbidden point, checks that it lost, and undoes it.
fn compare(grid: &Grid, seen: &mut Seen) {
    let mut board = board_of(grid);
    let key = board.key();
    seen.positions += 1;
    for at in grid.empty_points() {
        let p = Point::new(at.0 as u8, at.1 as u8).unwrap();
        let expected = grid.foul(at, Side::Black);
        assert_eq!(board.foul(p, Side::Black), expected, "at {p} of\n{board}");
        assert_eq!(board.foul(p, Side::White), None);
        seen.points += 1;
        match expected {
            Some(Foul::Overline) => seen.overline += 1,
            Some(Foul::DoubleFour) => {
                seen.double_four += 1;
                seen.double_four_in_one_line += u32::from(in_one_line(grid, at));
            }
            Some(Foul::DoubleThree) => seen.double_three += 1,
            None => {}
        }
        if let Some(foul) = expected {
            board.place(p, Side::Black).unwrap();
            assert_eq!(board.outcome(), Outcome::Forbidden(foul), "after {p} in\n{board}");
            assert_eq!(board.undo().map(|stone| stone.point), Some(p));
            assert_eq!(board.key(), key);
        }
        if matches!(expected, None | Some(Foul::DoubleThree)) {
            let superficial = grid.foul_looking_ahead(at, Side::Black, 0);
            seen.false_double_three += u32::from(superficial != expected);
            let one_ahead = grid.foul_looking_ahead(at, Side::Black, 1);
            seen.two_deep += u32::from(one_ahead != expected);
        }
    }
}

#[test]
fn every_free_point_is_judged_by_the_definitions() {
    let random = &mut seed::generator();
    let mut seen = Seen::default();
    for _ in 0..600 {
        compare(&scattered(random), &mut seen);
        compare(&star(random), &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.overline >= 400);
    assert!(seen.double_four >= 400);
    assert!(seen.double_four_in_one_line >= 20);
    assert!(seen.double_three >= 400);
    assert!(seen.false_double_three >= 100);
    assert!(seen.two_deep >= 5);
}

/// All 3^10 fillings of five points on each side of a point in a row.
#[test]
fn every_single_line_is_judged_by_the_definitions() {
    let fields = [Field::Empty, Field::Black, Field::White];
    let mut double_fours = 0;
    for pattern in 0..3_usize.pow(10) {
        let mut grid = Grid::new(11, 3, Variant::RENJU);
        let mut rest = pattern;
        for x in (0..11).filter(|&x| x != 5) {
            grid.set((x, 1), fields[rest % 3]);
            rest /= 3;
        }
        let board = board_of(&grid);
        let expected = grid.foul((5, 1), Side::Black);
        assert_eq!(board.foul(Point::new(5, 1).unwrap(), Side::Black), expected, "\n{board}");
        double_fours += u32::from(expected == Some(Foul::DoubleFour));
    }
    // The point lies on a stone of both fours, and the cell beyond each five is not black:
    // X.XXX.X 3 stones * 9 fillings of the rest * 4, XX.XX.XX 2 * 3 * 4, XXX.X.XXX 1 * 1 * 4.
    assert_eq!(double_fours, 108 + 24 + 4);
}
