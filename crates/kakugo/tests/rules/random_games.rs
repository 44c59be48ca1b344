//! Random streams of play, place, block and undo on boards of every size under every rule: the
//! board and the twin agree after each step.

use std::collections::HashMap;

use kakugo::board::{Board, Cell, Outcome, PlayError, Point, Rule, Side, Stone, Variant, zobrist};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::seed;
use super::twin::{At, Field, STEPS, Standing, Twin};

const GAMES: u32 = 3_000;
const STEPS_PER_GAME: u32 = 60;

/// Number of times that each interesting case occurred.
#[derive(Default)]
struct Seen {
    positions: u32,
    wins: HashMap<(Rule, u8), u32>,
    enclosed_fives: u32,
    fouls: u32,
    draws: u32,
    refused: [u32; 3],
}

fn point((x, y): At) -> Option<Point> {
    Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?)
}

fn at(p: Point) -> At {
    (p.x().into(), p.y().into())
}

fn random_variant(random: &mut StdRng) -> Variant {
    let rule = *Rule::ALL.choose(random).unwrap();
    let win_length = if matches!(rule, Rule::Freestyle | Rule::Standard) {
        random.random_range(3..=6)
    } else {
        5
    };
    Variant::new(rule, win_length).unwrap()
}

/// Squares and rectangles, more often small ones, because they fill up.
fn random_size(random: &mut StdRng) -> (u8, u8) {
    let longest = *[5, 9, 16, 32].choose(random).unwrap();
    let width = random.random_range(3..=longest);
    let height = if random.random() { width } else { random.random_range(3..=longest) };
    (width, height)
}

/// Corner and extent of a part of the board, small enough for rows to occur by chance.
fn random_window(random: &mut StdRng, (width, height): (u8, u8)) -> (At, At) {
    let extent = |random: &mut StdRng, side: u8| i32::from(side.min(random.random_range(3..=8)));
    let size = (extent(random, width), extent(random, height));
    let corner = (
        random.random_range(0..=i32::from(width) - size.0),
        random.random_range(0..=i32::from(height) - size.1),
    );
    (corner, size)
}

fn random_point(random: &mut StdRng, (corner, size): (At, At)) -> At {
    let mut along = |start: i32, length: i32| {
        // One step in fifty is outside this part, perhaps off the board.
        let outside = i32::from(random.random_ratio(1, 50));
        start + random.random_range(-outside..length + outside)
    };
    (along(corner.0, size.0), along(corner.1, size.1))
}

/// A stone that extends the longest of a few rows, or blocks it.
fn at_the_end_of_a_row(random: &mut StdRng, twin: &Twin) -> Option<(At, Side)> {
    let row_from = |random: &mut StdRng| {
        let &(stone, side, _) = twin.history.choose(random)?;
        let step = *STEPS.choose(random)?;
        Some((twin.grid.row(stone, step, side), step, side))
    };
    let rows = (0..6).filter_map(|_| row_from(random));
    let (row, step, side) = rows.max_by_key(|(row, ..)| row.len())?;
    let (first, last) = (row[0], row[row.len() - 1]);
    let ends = [(first.0 - step.0, first.1 - step.1), (last.0 + step.0, last.1 + step.1)];
    let opposed = random.random_ratio(if row.len() < twin.grid.win_length { 1 } else { 4 }, 6);
    Some((*ends.choose(random)?, if opposed { side.opponent() } else { side }))
}

/// Returns the expected result of a stone or wall on `at`.
fn expected_refusal(twin: &Twin, at: At) -> Option<PlayError> {
    match twin.grid.field(at) {
        _ if !twin.grid.contains(at) => Some(PlayError::OffBoard),
        Field::Wall => Some(PlayError::Blocked),
        Field::Black => Some(PlayError::Occupied(Side::Black)),
        Field::White => Some(PlayError::Occupied(Side::White)),
        Field::Empty => None,
    }
}

/// Applies a step to the board and the twin, and compares the results.
fn step(
    random: &mut StdRng,
    board: &mut Board,
    twin: &mut Twin,
    window: (At, At),
    seen: &mut Seen,
) {
    let action = random.random_range(0..100);
    if action < 6 {
        for _ in 0..random.random_range(1..=6) {
            let ours = board.undo().map(|stone| (at(stone.point), stone.side));
            assert_eq!(ours, twin.undo());
        }
        return;
    }
    let mut stone = (random_point(random, window), *Side::BOTH.choose(random).unwrap());
    if random.random() {
        stone = at_the_end_of_a_row(random, twin).unwrap_or(stone);
    }
    let (spot, side) = stone;
    let Some(p) = point(spot) else { return };
    let refusal = expected_refusal(twin, spot);
    let answer = match action {
        6..8 => {
            twin.block(spot);
            board.block(p)
        }
        8..60 => {
            twin.place(spot, side);
            board.place(p, side)
        }
        _ => {
            twin.place(spot, twin.turn);
            board.play(p)
        }
    };
    assert_eq!(answer.err(), refusal, "at {p} of\n{board}");
    match refusal {
        Some(PlayError::OffBoard) => seen.refused[0] += 1,
        Some(PlayError::Occupied(_)) => seen.refused[1] += 1,
        Some(PlayError::Blocked) => seen.refused[2] += 1,
        None => {}
    }
}

fn recomputed_key(board: &Board, twin: &Twin) -> u64 {
    let mut key = zobrist::game(board.width(), board.height(), board.variant());
    if twin.turn == Side::White {
        key ^= zobrist::white_to_move();
    }
    for spot in twin.grid.points() {
        let p = point(spot).unwrap();
        key ^= match twin.grid.field(spot) {
            Field::Empty => 0,
            Field::Wall => zobrist::wall(p),
            Field::Black => zobrist::stone(Side::Black, p),
            Field::White => zobrist::stone(Side::White, p),
        };
    }
    key
}

/// Compares every point, including those off this board.
fn assert_same_cells(board: &Board, twin: &Twin) {
    for index in 0..kakugo::board::POINTS {
        let p = Point::from_index(index);
        let expected = match twin.grid.field(at(p)) {
            Field::Empty => Cell::Empty,
            Field::Wall => Cell::Wall,
            Field::Black => Cell::Stone(Side::Black),
            Field::White => Cell::Stone(Side::White),
        };
        assert_eq!(board.cell(p), expected, "at {p} of\n{board}");
        assert_eq!(board.contains(p), twin.grid.contains(at(p)));
    }
    let free: Vec<At> = board.empty_points().map(at).collect();
    assert_eq!(free, twin.grid.empty_points());
    assert_eq!(board.empty_count(), free.len());
}

fn assert_same_history(board: &Board, twin: &Twin) {
    let stones: Vec<(At, Side)> = board.stones().map(|s| (at(s.point), s.side)).collect();
    let expected: Vec<(At, Side)> = twin.history.iter().map(|&(at, side, _)| (at, side)).collect();
    assert_eq!(stones, expected);
    assert_eq!(board.ply(), expected.len());
    assert_eq!(board.last_stone().map(|s| (at(s.point), s.side)), expected.last().copied());
    assert_eq!(board.side_to_move(), twin.turn);
    assert_eq!(board.key(), recomputed_key(board, twin), "key of\n{board}");
}

fn assert_same_standing(board: &Board, twin: &Twin, seen: &mut Seen) {
    let expected = match twin.standing() {
        Standing::Ongoing => Outcome::Ongoing,
        Standing::Win(side) => Outcome::Win(side),
        Standing::Forbidden(foul) => Outcome::Forbidden(foul),
        Standing::Draw => Outcome::Draw,
    };
    let Some(Stone { point, side }) = board.last_stone() else {
        assert_eq!(board.outcome(), expected, "{board}");
        return;
    };
    assert_eq!(board.outcome(), expected, "{} after {point} of\n{board}", board.variant());
    let line: Vec<At> = board.winning_line().into_iter().map(at).collect();
    assert_eq!(line, twin.winning_line(), "{} after {point} of\n{board}", board.variant());
    assert_eq!(line.is_empty(), expected != Outcome::Win(side));
    let variant = board.variant();
    match expected {
        Outcome::Win(_) => {
            *seen.wins.entry((variant.rule(), variant.win_length())).or_default() += 1;
        }
        Outcome::Forbidden(_) => seen.fouls += 1,
        Outcome::Draw => seen.draws += 1,
        Outcome::Ongoing => {
            let lengths = STEPS
                .map(|step| twin.grid.row(at(point), step, side).len() == twin.grid.win_length);
            let caro = matches!(variant.rule(), Rule::Caro | Rule::CaroOverline);
            seen.enclosed_fives += u32::from(caro && lengths.contains(&true));
        }
    }
}

/// Compares the outcome of stones on some free points.
fn assert_same_prospects(random: &mut StdRng, board: &Board, twin: &Twin) {
    let free: Vec<Point> = board.empty_points().collect();
    for &p in free.choose_multiple(random, 12) {
        for side in Side::BOTH {
            assert_eq!(
                board.makes_five(p, side),
                twin.grid.makes_five(at(p), side),
                "{}: {side} at {p} of\n{board}",
                board.variant()
            );
            assert_eq!(
                board.foul(p, side),
                twin.grid.foul(at(p), side),
                "{}: {side} at {p} of\n{board}",
                board.variant()
            );
        }
    }
}

#[test]
fn the_board_agrees_with_its_twin() {
    let random = &mut seed::generator();
    let mut seen = Seen::default();
    for _ in 0..GAMES {
        let (width, height) = random_size(random);
        let variant = random_variant(random);
        let mut board = Board::new(width, height, variant).unwrap();
        let mut twin = Twin::new(width.into(), height.into(), variant);
        let window = random_window(random, (width, height));
        for _ in 0..STEPS_PER_GAME {
            step(random, &mut board, &mut twin, window, &mut seen);
            assert_same_history(&board, &twin);
            assert_same_standing(&board, &twin, &mut seen);
            assert_same_prospects(random, &board, &twin);
            seen.positions += 1;
        }
        assert_same_cells(&board, &twin);
        while let Some((spot, _)) = twin.undo() {
            assert_eq!(board.undo().map(|stone| at(stone.point)), Some(spot));
        }
        assert_eq!(board.undo(), None);
        assert_same_cells(&board, &twin);
        assert_same_history(&board, &twin);
    }
    report(&seen);
}

/// Fails if an interesting case did not occur.
fn report(seen: &Seen) {
    println!("{} positions, {} fouls, {} draws", seen.positions, seen.fouls, seen.draws);
    println!("{} fives enclosed, refused {:?}", seen.enclosed_fives, seen.refused);
    println!("wins {:?}", seen.wins);
    assert_eq!(seen.wins.len(), 4 + 4 + 3, "wins under every rule and win length");
    assert!(seen.wins.values().all(|&wins| wins >= 3));
    assert!(seen.fouls >= 50);
    assert!(seen.draws >= 50);
    assert!(seen.refused.iter().all(|&refused| refused >= 20));
}

#[test]
fn equal_positions_have_equal_keys_and_others_have_not() {
    let random = &mut seed::generator();
    let mut positions: HashMap<u64, String> = HashMap::new();
    for _ in 0..5_000 {
        let mut stones: Vec<Stone> = Vec::new();
        for index in 0..16 {
            if random.random() {
                let side = if random.random() { Side::Black } else { Side::White };
                stones.push(Stone { point: Point::new(index % 4, index / 4).unwrap(), side });
            }
        }
        let turn = if random.random() { Side::Black } else { Side::White };
        let set_up = |stones: &[Stone]| {
            let mut board = Board::new(4, 4, Variant::FREESTYLE).unwrap();
            for stone in stones {
                board.place(stone.point, stone.side).unwrap();
            }
            board.set_side_to_move(turn);
            board
        };
        let board = set_up(&stones);
        stones.shuffle(random);
        assert_eq!(set_up(&stones).key(), board.key(), "{board}");
        let drawing = format!("{board}{turn}");
        if let Some(other) = positions.insert(board.key(), drawing.clone()) {
            assert_eq!(other, drawing, "two positions with one key");
        }
    }
    assert!(positions.len() > 4_000);
}

#[test]
fn no_two_games_begin_with_the_same_key() {
    let lengths = |rule| (3..=6).filter_map(move |length| Variant::new(rule, length).ok());
    let variants: Vec<Variant> = Rule::ALL.into_iter().flat_map(lengths).collect();
    assert_eq!(variants.len(), 4 + 4 + 3);
    let mut games = HashMap::new();
    for (width, height) in (3..=32).flat_map(|width| (3..=32).map(move |height| (width, height))) {
        for &variant in &variants {
            let board = Board::new(width, height, variant).unwrap();
            if let Some(other) = games.insert(board.key(), (width, height, variant)) {
                panic!("{other:?} and {:?} have one key", (width, height, variant));
            }
        }
    }
}
