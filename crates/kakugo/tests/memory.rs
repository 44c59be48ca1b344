//! Results that an engine stores in one game are not used in another: neither under another rule,
//! nor on a board of another size. Changing the networks clears the stored evaluations.

use kakugo::board::{Board, Point, Rule, Variant};
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Networks, Signals, Silent};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A game: its rule, and the length of its board's sides.
#[derive(Clone, Copy, Debug)]
struct Game(Rule, u8);

/// Number of positions to check that are won in the first game and not in the second.
const POSITIONS: usize = 20;

/// Returns the board of a game with these stones, or `None` if a side has five or a stone is
/// forbidden.
fn set_up(Game(rule, size): Game, stones: &[Point]) -> Option<Board> {
    let mut board = Board::new(size, size, Variant::five(rule)).unwrap();
    for &p in stones {
        let side = board.side_to_move();
        if board.makes_five(p, side) || board.foul(p, side).is_some() {
            return None;
        }
        board.play(p).unwrap();
    }
    Some(board)
}

fn score(engine: &mut Engine, board: &Board, nodes: u64) -> Score {
    let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
    engine.think(board, &limits, &Signals::default(), &mut Silent).score
}

/// Returns random stones in a part of the board that reaches its far corner.
fn random_stones(random: &mut StdRng, size: u8) -> Vec<Point> {
    let count = random.random_range(8..20);
    let mut stones: Vec<Point> = Vec::new();
    while stones.len() < count {
        let [x, y] = [(); 2].map(|()| size - 1 - random.random_range(0..8));
        let p = Point::new(x, y).unwrap();
        if !stones.contains(&p) {
            stones.push(p);
        }
    }
    stones
}

/// An engine that has found wins in the first game must not report them in the second, if a new
/// engine does not find them there with many more nodes.
fn wins_are_not_taken_along(first: Game, second: Game) {
    let mut random = StdRng::seed_from_u64(5);
    let mut won_before_only = 0;
    while won_before_only < POSITIONS {
        let stones = random_stones(&mut random, first.1.min(second.1));
        let (Some(before), Some(after)) = (set_up(first, &stones), set_up(second, &stones)) else {
            continue;
        };
        let mut engine = Engine::new(1 << 20);
        if !score(&mut engine, &before, 3_000).is_win()
            || score(&mut Engine::new(1 << 20), &after, 30_000).is_win()
        {
            continue;
        }
        won_before_only += 1;
        let claim = score(&mut engine, &after, 1_000);
        // A real win of the second game is also found with many more nodes.
        let is_true = || score(&mut Engine::new(1 << 24), &after, 1_000_000).is_win();
        assert!(!claim.is_win() || is_true(), "{claim} as in {first:?}, not {second:?}:\n{after}");
    }
}

#[test]
fn proofs_end_with_the_rule() {
    wins_are_not_taken_along(Game(Rule::Freestyle, 15), Game(Rule::Renju, 15));
    wins_are_not_taken_along(Game(Rule::Freestyle, 15), Game(Rule::Caro, 15));
}

#[test]
fn proofs_end_with_the_board() {
    wins_are_not_taken_along(Game(Rule::Freestyle, 20), Game(Rule::Freestyle, 15));
}

#[test]
fn a_win_of_freestyle_is_none_in_renju() {
    let stones = [
        (7, 4),
        (4, 10),
        (5, 9),
        (5, 10),
        (5, 8),
        (7, 6),
        (10, 7),
        (6, 9),
        (8, 9),
        (8, 7),
        (10, 9),
        (5, 6),
    ];
    let stones = stones.map(|(x, y)| Point::new(x, y).unwrap());
    let board = |rule| set_up(Game(rule, 15), &stones).unwrap();
    let mut engine = Engine::new(1 << 20);
    assert!(score(&mut engine, &board(Rule::Freestyle), 20_000).is_win());
    let renju = score(&mut engine, &board(Rule::Renju), 20_000);
    assert!(!renju.is_win(), "{renju}");
}

/// After a change of networks, an engine answers like a new one. Without a change, it keeps its
/// transposition table.
#[test]
fn what_networks_have_taught_goes_with_them() {
    let think = |engine: &mut Engine, board: &Board| {
        let limits = Limits { max_depth: Some(7), ..Limits::default() };
        let answer = engine.think(board, &limits, &Signals::default(), &mut Silent);
        (answer.best, answer.score, answer.nodes, answer.pv)
    };
    let stones = [(7, 7), (8, 8), (8, 7), (6, 7), (8, 6), (8, 9), (9, 8)];
    let stones = stones.map(|(x, y)| Point::new(x, y).unwrap());
    let board = set_up(Game(Rule::Freestyle, 15), &stones).unwrap();
    let start = || Engine::new(1 << 20);
    let mut engine = start();
    let first = think(&mut engine, &board);
    engine.set_networks(&Networks::default());
    let again = think(&mut engine, &board);
    assert!(again.2 < first.2, "the same networks: nothing is forgotten, {again:?}, {first:?}");
    let mut other = start();
    other.set_networks(&Networks::none());
    engine.set_networks(&Networks::none());
    assert_eq!(think(&mut engine, &board), think(&mut other, &board));
    engine.set_networks(&Networks::default());
    assert_eq!(think(&mut engine, &board), first);
}
