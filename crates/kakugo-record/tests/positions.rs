//! Positions that are set up, against the slow board of the tests of the rules: random stones in
//! unequal numbers, blocked points, any size and rule, and either side to move.
//!
//! The random test prints its seed. `KAKUGO_SEED=N cargo test --test positions` repeats it.

#[path = "../../kakugo/tests/rules/definitions.rs"]
#[allow(dead_code, reason = "shared with the tests of the rules")]
mod definitions;
#[path = "../../kakugo/tests/rules/seed.rs"]
mod seed;
#[path = "../../kakugo/tests/rules/twin.rs"]
#[allow(dead_code, reason = "shared with the tests of the rules")]
mod twin;

use kakugo::board::{Board, Cell, Outcome, Point, Rule, Side, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_record::game_tree::GameTree;
use kakugo_record::setup::{Placement, Setup};
use kakugo_record::{Game, sgf};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use twin::{At, Field, Standing, Twin};

const POSITIONS: u32 = 2_000;

/// Positions that are searched.
const SEARCHED: u32 = 150;

fn point((x, y): At) -> Point {
    Point::new(x as u8, y as u8).unwrap()
}

/// A set-up and the twin's board with the same content.
struct Position {
    variant: Variant,
    width: u8,
    height: u8,
    setup: Setup,
    twin: Twin,
}

/// Random stones in a part of the board, small enough for rows to occur by chance. One side may
/// have many more stones than the other.
fn random_position(random: &mut StdRng) -> Position {
    let variant = Variant::five(*Rule::ALL.choose(random).unwrap());
    let (width, height) = (random.random_range(5..=20), random.random_range(5..=20));
    let mut twin = Twin::new(width.into(), height.into(), variant);
    let mut setup = Setup::default();
    let extent = random.random_range(4..=8);
    let corner = (
        random.random_range(0..=i32::from(width) - 4),
        random.random_range(0..=i32::from(height) - 4),
    );
    let (black, white) = (random.random_range(0.0..0.4), random.random_range(0.0..0.4));
    for at in twin.grid.points() {
        let inside = |at: i32, corner: i32| (corner..corner + extent).contains(&at);
        if !inside(at.0, corner.0) || !inside(at.1, corner.1) {
            continue;
        }
        let drawn: f64 = random.random();
        let (field, what) = match drawn {
            _ if drawn < black => (Field::Black, Placement::Stone(Side::Black)),
            _ if drawn < black + white => (Field::White, Placement::Stone(Side::White)),
            _ if drawn > 0.98 => (Field::Wall, Placement::Blocked),
            _ => continue,
        };
        twin.grid.set(at, field);
        setup.put(point(at), what);
    }
    let side = *[Side::Black, Side::White].choose(random).unwrap();
    (setup.to_move, twin.turn) = (Some(side), side);
    Position { variant, width, height, setup, twin }
}

impl Position {
    fn board(&self) -> Board {
        self.setup.board(self.width, self.height, self.variant).unwrap()
    }

    /// Returns the sides that have a winning row on the board.
    fn winners(&self) -> Vec<Side> {
        let grid = &self.twin.grid;
        let has_row = |side: &Side| {
            let own =
                grid.points().into_iter().filter(|&at| grid.field(at) == twin::field_of(*side));
            own.into_iter().any(|at| grid.makes_five(at, *side))
        };
        Side::BOTH.into_iter().filter(has_row).collect()
    }

    /// Compares wins, forbidden points and legal moves on all points.
    fn compare(&self, board: &Board) {
        let grid = &self.twin.grid;
        assert_eq!(board.side_to_move(), self.twin.turn);
        for at in grid.points() {
            let p = point(at);
            let content = match grid.field(at) {
                Field::Empty => Cell::Empty,
                Field::Wall => Cell::Wall,
                Field::Black => Cell::Stone(Side::Black),
                Field::White => Cell::Stone(Side::White),
            };
            assert_eq!(board.cell(p), content, "{p} of\n{board}");
            if content != Cell::Empty {
                assert!(!board.is_legal(p));
                continue;
            }
            for side in Side::BOTH {
                assert_eq!(board.makes_five(p, side), grid.makes_five(at, side), "{p} of\n{board}");
                assert_eq!(board.foul(p, side), grid.foul(at, side), "{side} {p} of\n{board}");
            }
            let is_legal = grid.foul(at, self.twin.turn).is_none();
            assert_eq!(board.is_legal(p), is_legal, "{p} of\n{board}");
        }
        let forbidden = board.forbidden_points().map(|(p, _)| p);
        let expected = grid.empty_points().into_iter();
        let expected = expected.filter(|&at| grid.foul(at, Side::Black).is_some()).map(point);
        assert!(forbidden.eq(expected));
    }

    /// Compares the outcome of the position.
    fn compare_outcome(&self, board: &Board) {
        let winners = self.winners();
        match board.outcome() {
            Outcome::Win(side) => assert!(winners.contains(&side), "{side} in\n{board}"),
            Outcome::Draw => assert!(winners.is_empty() && board.empty_count() == 0),
            Outcome::Ongoing => assert!(winners.is_empty() && board.empty_count() > 0, "\n{board}"),
            Outcome::Forbidden(_) => panic!("stones that are set up are not moves:\n{board}"),
        }
    }
}

fn standing(board: &Board) -> Standing {
    match board.outcome() {
        Outcome::Ongoing => Standing::Ongoing,
        Outcome::Win(side) => Standing::Win(side),
        Outcome::Forbidden(foul) => Standing::Forbidden(foul),
        Outcome::Draw => Standing::Draw,
    }
}

#[test]
fn positions_follow_the_rules() {
    let mut random = seed::generator();
    let mut engine = Engine::new(1 << 20);
    let (mut won, mut fouls, mut uneven, mut searched) = (0, 0, 0, 0);
    for _ in 0..POSITIONS {
        let mut position = random_position(&mut random);
        let mut board = position.board();
        position.compare(&board);
        position.compare_outcome(&board);
        won += u32::from(!position.winners().is_empty());
        fouls += board.forbidden_points().count();
        let (black, white) = (position.setup.black().len(), position.setup.white().len());
        uneven += u32::from(black.abs_diff(white) > 1);
        // The same position as a file.
        let game = Game::new(position.width, position.height, position.variant);
        let game = Game { start: position.setup.clone(), ..game };
        let text = sgf::write_tree(&GameTree::from_game(&game));
        let back = sgf::read(&text).unwrap().remove(0);
        assert_eq!(back.start, position.setup, "{text}");
        assert_eq!(back.board().unwrap().key(), board.key(), "{text}");
        // Moves of either side, with passes between them.
        let free = position.twin.grid.empty_points();
        for &at in free.choose_multiple(&mut random, 6) {
            if board.outcome() != Outcome::Ongoing {
                break;
            }
            if random.random_ratio(1, 4) {
                let side = position.twin.turn.opponent();
                board.set_side_to_move(side);
                position.twin.turn = side;
            }
            let side = position.twin.turn;
            let five = position.twin.grid.makes_five(at, side);
            assert!(position.twin.place(at, side));
            board.play(point(at)).unwrap();
            assert_eq!(standing(&board), position.twin.standing(), "{} in\n{board}", point(at));
            assert_eq!(five, board.outcome() == Outcome::Win(side));
        }
        position.compare(&board);
        // The engine plays a legal move, and a five if there is one.
        let side = board.side_to_move();
        let legal = board.empty_points().any(|p| board.is_legal(p));
        if searched < SEARCHED && board.outcome() == Outcome::Ongoing && legal {
            searched += 1;
            let limits = Limits { max_nodes: Some(200), ..Limits::default() };
            let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
            let best = answer.best.unwrap();
            assert!(board.is_legal(best), "{best} in\n{board}");
            let five = board.empty_points().any(|p| board.makes_five(p, side));
            assert_eq!(board.makes_five(best, side), five, "{best} in\n{board}");
            engine.clear();
        }
    }
    assert!(won > 50 && fouls > 50 && uneven > 500 && searched == SEARCHED);
}

/// The side to move follows from the numbers of stones if it is not specified.
#[test]
fn unspecified_sides_follow_the_stated_rule() {
    let mut random = seed::generator();
    for _ in 0..200 {
        let mut position = random_position(&mut random);
        position.setup.to_move = None;
        let (black, white) = (position.setup.black().len(), position.setup.white().len());
        let expected = if black > white { Side::White } else { Side::Black };
        assert_eq!(position.board().side_to_move(), expected);
    }
}
