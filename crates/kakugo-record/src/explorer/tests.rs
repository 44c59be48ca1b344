use super::{Explorer, PositionStats, Ruleset};
use crate::game_tree::GameTree;
use crate::pos::{self, RowOrder};
use crate::{Game, GameResult, Move, sgf};
use kakugo::board::{Point, Side, Variant};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn points(text: &str, height: u8) -> Vec<Point> {
    pos::read(text, height, RowOrder::FromBottom).unwrap()
}

fn game(text: &str, result: Option<GameResult>) -> Game {
    let moves = points(text, 15).into_iter().map(Move::new).collect();
    Game { moves, result, ..Game::new(15, 15, Variant::FREESTYLE) }
}

#[test]
fn symmetric_positions_and_transpositions_are_joined() {
    let mut explorer = Explorer::default();
    // The same opening in three orientations, and one transposition.
    for (text, winner) in
        [("h8h9i9", Side::Black), ("h8i8i7", Side::White), ("h8h7g7", Side::Black)]
    {
        explorer.add_game(&game(text, Some(GameResult::Win(winner))));
    }
    explorer.add_game(&game("h8g8", None));
    explorer.add_game(&game("i9h9h8", Some(GameResult::Draw)));
    let (here, next) = explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8", 15));
    assert_eq!(here, PositionStats { lines: 4, black: 2, white: 1, draws: 0 });
    assert_eq!(next.len(), 1, "all four neighbours are alike: {next:?}");
    assert_eq!(next[0].stats.lines, 4);
    let (here, next) = explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8h9", 15));
    assert_eq!((here.lines, next.len()), (4, 1));
    // i9 and g9 are symmetric after h8 h9; the draw is a transposition.
    assert_eq!(next[0].stats, PositionStats { lines: 4, black: 2, white: 1, draws: 1 });
    assert_eq!(
        explorer.lookup((15, 15), Variant::FREESTYLE, &points("a1", 15)),
        (PositionStats::default(), Vec::new())
    );
    assert_eq!(explorer.lines(), 5);
}

#[test]
fn rectangular_boards_have_four_symmetries() {
    let mut explorer = Explorer::default();
    let moves = points("a1", 10).into_iter().map(Move::new).collect();
    explorer.add_game(&Game { moves, ..Game::new(12, 10, Variant::FREESTYLE) });
    let lines = |width, height, text| {
        explorer.lookup((width, height), Variant::FREESTYLE, &points(text, height)).0.lines
    };
    assert_eq!([lines(12, 10, "l10"), lines(12, 10, "b1"), lines(12, 10, "l1")], [1, 0, 1]);
    assert_eq!((lines(10, 12, "j12"), lines(10, 10, "a1")), (1, 0));
}

#[test]
fn only_the_main_line_counts_the_result() {
    let text = "(;GM[4]RE[B+];B[hh](;W[hi];B[aa])(;W[ii](;B[ab])(;B[ac])))";
    let tree = sgf::read_trees(text).unwrap().remove(0);
    let mut explorer = Explorer::default();
    explorer.add(&tree);
    assert_eq!(explorer.lines(), 3);
    let (here, next) = explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8", 15));
    assert_eq!(here, PositionStats { lines: 3, black: 1, white: 0, draws: 0 });
    let lines: Vec<(u32, u32)> =
        next.iter().map(|next| (next.stats.lines, next.stats.black)).collect();
    assert_eq!(lines, [(2, 0), (1, 1)]);
    // A game without variations counts the same either way.
    let plain = game("h8h9i9", Some(GameResult::Draw));
    let (mut one, mut other) = (Explorer::default(), Explorer::default());
    one.add_game(&plain);
    other.add(&GameTree::from_game(&plain));
    assert_eq!(one.positions(), other.positions());
    for moves in ["", "h8", "h8h9", "h8h9i9"] {
        let lookup =
            |explorer: &Explorer| explorer.lookup((15, 15), Variant::FREESTYLE, &points(moves, 15));
        assert_eq!(lookup(&one), lookup(&other));
    }
}

#[test]
fn openings_are_separate_for_each_rule() {
    let mut explorer = Explorer::default();
    explorer.add_game(&game("h8h9", None));
    explorer.add_game(&Game { variant: Variant::RENJU, ..game("h8i9", None) });
    explorer.add_game(&Game { variant: Variant::RENJU, ..game("h8i9", None) });
    let lines = |variant, text| explorer.lookup((15, 15), variant, &points(text, 15)).0.lines;
    assert_eq!([lines(Variant::FREESTYLE, "h8"), lines(Variant::RENJU, "h8")], [1, 2]);
    assert_eq!(lines(Variant::FREESTYLE, "h8i9"), 0);
    let ruleset = |variant| Ruleset::new(15, 15, variant);
    assert_eq!(
        explorer.rulesets(),
        [(ruleset(Variant::FREESTYLE), 1), (ruleset(Variant::RENJU), 2)]
    );
}

#[test]
fn positions_are_explored_with_their_side_to_move() {
    let mut explorer = Explorer::default();
    let texts = [
        "(;GM[4]RE[B+]AB[fh][gh]AW[aa][ab];B[hh];W[ih])",
        "(;GM[4]AB[fh]AW[aa];W[ab];B[gh];B[hh])",
        "(;GM[4]AB[fh]AW[aa][ab];B[gh];W[];B[hh])",
        "(;GM[4];B[hh];W[ih];AE[ih]AW[aa][ab]AB[fh][gh]PL[B])",
    ];
    let trees: Vec<GameTree> = texts.map(|text| sgf::read_trees(text).unwrap().remove(0)).into();
    trees.iter().for_each(|tree| explorer.add(tree));
    let position = |side: Side, moves: &str| {
        let mut game = trees[0].game.clone();
        game.start.to_move = Some(side);
        game.moves = points(moves, 15).into_iter().map(Move::new).collect();
        let (here, next) = explorer.lookup_game(&game);
        (here.lines, here.black, next.iter().map(|next| next.stats.lines).collect::<Vec<_>>())
    };
    // Four stones with Black to move; h8 follows in three games, whose turn it is in two.
    assert_eq!(position(Side::Black, ""), (2, 1, vec![3]));
    assert_eq!(position(Side::White, ""), (2, 0, vec![]));
    assert_eq!(position(Side::Black, "h8"), (3, 1, vec![1]));
    // The last game had h8 and i8 before; on the empty board it is one of one line.
    let (here, _) = explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8i8", 15));
    assert_eq!(here.lines, 1);
    let (here, next) = explorer.lookup((15, 15), Variant::FREESTYLE, &[]);
    assert_eq!((here.lines, next.len(), explorer.lines()), (1, 1, 4));
    // Lines of the same games without variations.
    let mut of_games = Explorer::default();
    trees[..3].iter().for_each(|tree| of_games.add_game(&tree.main_line()));
    let mut of_trees = Explorer::default();
    trees[..3].iter().for_each(|tree| of_trees.add(tree));
    assert_eq!(of_games.positions(), of_trees.positions());
}

#[test]
fn moves_after_an_illegal_one_are_not_counted() {
    let mut explorer = Explorer::default();
    for text in ["h8h8i9", "h8i9"] {
        explorer.add_game(&game(text, None));
    }
    let tree = sgf::read_trees("(;GM[4]SZ[15];B[hh];W[pp];B[gg])").unwrap().remove(0);
    explorer.add(&tree);
    let (here, next) = explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8", 15));
    assert_eq!((here.lines, next.len(), explorer.positions()), (3, 1, 3), "{next:?}");
}

#[test]
fn positions_that_occur_once_keep_their_results() {
    let results = [Side::Black, Side::White].map(|side| Some(GameResult::Win(side)));
    for result in results.into_iter().chain([None, Some(GameResult::Draw)]) {
        let mut explorer = Explorer::default();
        explorer.add_game(&game("h8", result));
        let (mut once, mut twice) = (PositionStats::default(), PositionStats::default());
        once.add(1, result);
        let lookup = |explorer: &Explorer| {
            explorer.lookup((15, 15), Variant::FREESTYLE, &points("h8", 15)).0
        };
        assert_eq!(lookup(&explorer), once);
        explorer.add_game(&game("h8i9", result));
        twice.add(1, result);
        twice.add(1, result);
        assert_eq!(lookup(&explorer), twice);
    }
}

/// Returns games of random moves near the centre, many of which share positions.
fn random_games(count: usize) -> Vec<Game> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let results = [None, Some(GameResult::Draw), Some(GameResult::Win(Side::White))];
    let mut game = || {
        let result = results[rng.random_range(0..results.len())];
        let mut moves: Vec<Move> = Vec::new();
        while moves.len() < 6 {
            let point = Point::new(rng.random_range(6..9), rng.random_range(6..9)).unwrap();
            if moves.iter().all(|played| played.point != Some(point)) {
                moves.push(Move::new(point));
            }
        }
        Game { moves, result, ..Game::new(15, 15, Variant::RENJU) }
    };
    (0..count).map(|_| game()).collect()
}

#[test]
fn counts_do_not_depend_on_tables() {
    let games = random_games(600);
    let mut plain = Explorer::default();
    games.iter().for_each(|game| plain.add_game(game));
    let mut sorted = Explorer::default();
    for (number, game) in games.iter().enumerate() {
        sorted.add_game(game);
        if number % 40 == 0 {
            sorted.optimize();
        }
    }
    let mut joined = Explorer::default();
    for part in games.chunks(70) {
        let mut explorer = Explorer::default();
        part.iter().for_each(|game| explorer.add_game(game));
        joined.join(explorer);
    }
    let mut optimized = joined.clone();
    optimized.optimize();
    let mut bytes = Vec::new();
    optimized.clone().write(&mut bytes).unwrap();
    let stored = Explorer::read(&mut &bytes[..]).unwrap();
    for other in [&sorted, &joined, &optimized, &stored] {
        assert_eq!((other.lines(), other.positions()), (600, plain.positions()));
        assert_eq!(other.rulesets(), plain.rulesets());
        for game in games.iter().take(20) {
            for length in 0..=6 {
                let moves = game.moves[..length].to_vec();
                let position = Game { moves, ..game.clone() };
                assert_eq!(other.lookup_game(&position), plain.lookup_game(&position));
            }
        }
    }
    // Statistics add up: every game has a sixth position, and games end there.
    let (here, next) = plain.lookup((15, 15), Variant::RENJU, &[]);
    assert_eq!((here.lines, next.iter().map(|next| next.stats.lines).sum::<u32>()), (600, 600));
}

#[test]
fn damaged_bytes_of_an_explorer_are_rejected() {
    let mut explorer = Explorer::default();
    random_games(20).iter().for_each(|game| explorer.add_game(game));
    let mut bytes = Vec::new();
    explorer.write(&mut bytes).unwrap();
    assert!(Explorer::read(&mut &bytes[..]).is_ok());
    for index in 0..bytes.len() {
        assert!(Explorer::read(&mut &bytes[..index]).is_err(), "{index} bytes");
        let mut damaged = bytes.clone();
        damaged[index] ^= 1 << (index % 8);
        assert!(Explorer::read(&mut &damaged[..]).is_err(), "byte {index}");
    }
}
