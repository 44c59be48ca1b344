//! Property tests: reading returns what was written.

use std::time::Duration;

use kakugo::board::{Point, Rule, Side, Variant};
use kakugo_record::game_tree::{GameTree, Mark, Node, Note, Play, Property, Sign};
use kakugo_record::pos::RowOrder;
use kakugo_record::psq::Psq;
use kakugo_record::setup::{Placement, Setup};
use kakugo_record::tree::NodeId;
use kakugo_record::{Cause, Game, GameResult, Move, offset, pos, renlib, sgf};
use proptest::prelude::*;

/// Text without control characters, but with the syntax characters of all formats, and texts that
/// have a meaning elsewhere.
fn name() -> impl Strategy<Value = String> {
    const SPECIAL: [&str; 10] =
        ["1", "2", "0", "?", "B", "resign", "unknown", "8,8,0", "-1", "(;GM[4])"];
    prop_oneof![
        4 => "[ -~äß中\\]\\\\\\[();:,]{0,20}",
        1 => prop::sample::select(SPECIAL.to_vec()).prop_map(str::to_owned),
    ]
}

fn variant() -> impl Strategy<Value = Variant> {
    (0..Rule::ALL.len(), 3u8..=6).prop_map(|(rule, length)| {
        Variant::new(Rule::ALL[rule], length).unwrap_or(Variant::five(Rule::ALL[rule]))
    })
}

fn result() -> impl Strategy<Value = Option<GameResult>> {
    prop_oneof![
        Just(None),
        Just(Some(GameResult::Draw)),
        Just(Some(GameResult::Win(Side::Black))),
        Just(Some(GameResult::Win(Side::White))),
    ]
}

/// Only wins have a cause.
fn cause() -> impl Strategy<Value = Option<Cause>> {
    prop_oneof![
        3 => Just(None),
        1 => prop::sample::select(vec![Cause::Resignation, Cause::Time, Cause::Forfeit]).prop_map(Some),
    ]
}

prop_compose! {
    fn game()(width in 3u8..=32, height in 3u8..=32)(
        width in Just(width),
        height in Just(height),
        variant in variant(),
        names in [name(), name(), name(), name(), name(), name()],
        result in result(),
        cause in cause(),
        moves in prop::collection::vec(
            (0..width, 0..height, prop::option::of(0u64..1_000_000), "[ -~\n\\]\\\\]{0,12}"), 0..60),
    ) -> Game {
        let [black, white, event, round, date, termination] = names;
        let moves = moves.into_iter().map(|(x, y, ms, comment)| Move {
            time: ms.map(Duration::from_millis),
            comment,
            ..Move::new(Point::new(x, y).expect("a point of the board"))
        });
        Game {
            black, white, event, round, date, result,
            cause: cause.filter(|_| matches!(result, Some(GameResult::Win(_)))),
            termination,
            moves: moves.collect(),
            ..Game::new(width, height, variant)
        }
    }
}

/// Comments may have several lines and any syntax characters.
fn comment() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(String::new()), 1 => "[ -~äß中\n\\]\\\\\\[();:]{0,12}"]
}

fn other() -> impl Strategy<Value = Vec<Property>> {
    let property = ("[DGK][A-Z]", prop::collection::vec("[ -Z^-~中]{0,6}", 1..3));
    let named = property.prop_filter_map("another meaning", |(name, values)| {
        (!["GM", "DT"].contains(&&*name)).then_some(Property { name, values })
    });
    prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec(named, 1..3)]
}

/// Marks in the order of the writer.
fn marks() -> impl Strategy<Value = Vec<Mark>> {
    let signs = vec![Sign::Triangle, Sign::Square, Sign::Circle, Sign::Cross, Sign::Selected];
    let label = "[ -~中]{0,3}".prop_map(Sign::Label);
    let mark = (0u8..15, 0u8..15, prop_oneof![prop::sample::select(signs), label])
        .prop_map(|(x, y, sign)| Mark { point: Point::new(x, y).expect("a point"), sign });
    let several = prop::collection::vec(mark, 1..5).prop_map(|mut marks| {
        let rank = |mark: &Mark| match mark.sign {
            Sign::Triangle => 0,
            Sign::Square => 1,
            Sign::Circle => 2,
            Sign::Cross => 3,
            Sign::Selected => 4,
            Sign::Label(_) => 5,
        };
        marks.sort_by_key(rank);
        marks
    });
    prop_oneof![4 => Just(Vec::new()), 1 => several]
}

fn note() -> impl Strategy<Value = Note> {
    (prop::option::of(0u64..100_000), comment(), marks(), other()).prop_map(
        |(ms, comment, marks, other)| Note {
            time: ms.map(Duration::from_millis),
            comment,
            marks,
            other,
            setup: None,
        },
    )
}

/// Stones and blocked points of a 15x15 board, and the side to move.
fn setup() -> impl Strategy<Value = Setup> {
    let what = prop::sample::select(vec![
        Placement::Stone(Side::Black),
        Placement::Stone(Side::White),
        Placement::Removed,
        Placement::Blocked,
    ]);
    let side = prop::option::of(prop::sample::select(Side::BOTH.to_vec()));
    (prop::collection::vec((0u8..15, 0u8..15, what), 0..6), side).prop_map(|(placed, side)| {
        let mut setup = Setup::default();
        setup.to_move = side;
        for (x, y, what) in placed {
            setup.put(Point::new(x, y).expect("a point"), what);
        }
        setup
    })
}

/// A tree on 15x15 that begins from a position, with set-ups at some nodes.
fn tree_with_setups() -> impl Strategy<Value = GameTree> {
    let setups = prop::collection::vec(prop::option::weighted(0.2, setup()), 80);
    (tree(), setup(), setups).prop_map(|(mut tree, start, setups)| {
        (tree.game.width, tree.game.height) = (15, 15);
        for (p, what) in start.placements().filter(|(_, what)| *what != Placement::Removed) {
            tree.game.start.put(p, what);
        }
        tree.game.start.to_move = start.to_move;
        let nodes: Vec<NodeId> = tree.nodes.preorder().skip(1).collect();
        for (id, setup) in nodes.into_iter().zip(setups) {
            tree.nodes.value_mut(id).edit_note(|note| note.setup = setup.filter(|s| !s.is_empty()));
        }
        tree
    })
}

/// A random tree: most nodes are added below the latest one.
fn tree() -> impl Strategy<Value = GameTree> {
    let node = (any::<prop::sample::Index>(), 0u8..4, 0u8..10, 0u8..15, 0u8..15, note());
    (game(), note(), prop::collection::vec(node, 0..80)).prop_map(|(game, note, nodes)| {
        let mut tree = GameTree::new(game);
        *tree.nodes.value_mut(NodeId::ROOT) = Node::with_note(Play::Nothing, note);
        let mut ids = vec![NodeId::ROOT];
        for (index, jump, kind, x, y, note) in nodes {
            let parent = if jump == 0 { *index.get(&ids) } else { ids[ids.len() - 1] };
            let play = match kind {
                0 => Play::Nothing,
                1 => Play::Pass,
                _ => Play::Stone(Point::new(x, y).expect("a point")),
            };
            ids.push(tree.nodes.add(parent, Node::with_note(play, note)));
        }
        tree
    })
}

/// Returns what a library can store of a tree: legal moves, comments, one-line labels and marked
/// moves.
fn library_of(tree: &GameTree) -> GameTree {
    let mut library = GameTree::new(Game::new(15, 15, tree.game.variant));
    let mut twins = std::collections::HashMap::from([(NodeId::ROOT, NodeId::ROOT)]);
    for id in tree.nodes.preorder().skip(1) {
        let Some(&parent) = tree.nodes.parent(id).and_then(|parent| twins.get(&parent)) else {
            continue;
        };
        let node = tree.nodes.value(id);
        let before: Vec<Play> =
            library.nodes.path(parent).iter().map(|&id| library.nodes.value(id).play).collect();
        let possible = match node.play {
            Play::Nothing => false,
            Play::Pass => before.len() < 200,
            Play::Stone(_) => !before.contains(&node.play),
        };
        if !possible {
            continue;
        }
        // Empty lines before a comment are no title.
        let comment = node.comment().trim_start_matches('\n').trim_end().to_owned();
        let mut note = Note { comment, ..Note::default() };
        if let (true, Play::Stone(point)) = (node.comment().len() % 2 == 1, node.play) {
            note.marks.push(Mark { point, sign: Sign::Triangle });
        }
        let label = node.marks().iter().find_map(|mark| match &mark.sign {
            Sign::Label(text) if !text.trim_end().is_empty() => {
                let sign = Sign::Label(text.trim_end().to_owned());
                Some(Mark { point: mark.point, sign })
            }
            _ => None,
        });
        note.marks.extend(label);
        twins.insert(id, library.nodes.add(parent, Node::with_note(node.play, note)));
    }
    library
}

/// Sets the result that the reader takes from the final position.
fn with_result(mut tree: GameTree) -> GameTree {
    tree.game.result = tree.game.result.or_else(|| tree.main_line().result_on_board());
    tree
}

proptest! {
    #[test]
    fn sgf_round_trips_trees(tree in tree(), other in tree()) {
        let (tree, other) = (with_result(tree), with_result(other));
        let text = sgf::write_tree(&tree);
        let back = sgf::read_trees(&text).unwrap();
        prop_assert_eq!(&back[..], std::slice::from_ref(&tree), "{}", text);
        let collection = text + &sgf::write_tree(&other);
        prop_assert_eq!(sgf::read_trees(&collection).unwrap(), vec![tree, other]);
    }

    #[test]
    fn sgf_keeps_positions_and_sides(tree in tree_with_setups()) {
        let read = |text: &str| sgf::read_trees(text).unwrap().remove(0);
        // The reader adds the sides to move that are not specified, once.
        let once = read(&sgf::write_tree(&tree));
        let text = sgf::write_tree(&once);
        prop_assert_eq!(&read(&text), &once, "{}", text);
        prop_assert_eq!(once.illegal_move().is_some(), tree.illegal_move().is_some());
        prop_assert_eq!(once.lines().count(), tree.lines().count(), "{}", text);
        for (line, before) in once.lines().zip(tree.lines()) {
            prop_assert_eq!(line.start.black(), before.start.black());
            let stones = |game: &Game| game.moves.iter().filter_map(|m| m.point).collect::<Vec<_>>();
            prop_assert_eq!(stones(&line), stones(&before));
            let alone = sgf::read(&sgf::write(&line)).unwrap().remove(0);
            prop_assert_eq!(alone.board().map(|b| b.key()), line.board().map(|b| b.key()));
        }
        // Libraries store the same position.
        if let (None, Some(plain)) = (once.illegal_move(), once.with_passes()) {
            let keys = |tree: &GameTree| tree.main_line().board().map(|b| b.key()).ok();
            if let (Some(key), Some(plain)) = (keys(&once), keys(&plain)) {
                prop_assert_eq!(key, plain);
            }
            let _ = renlib::write(&once);
        }
        let _ = once.with_passes();
    }

    #[test]
    fn renlib_round_trips_libraries(tree in tree()) {
        let library = library_of(&tree);
        // Libraries without stones are rejected.
        let is_stone = |id| matches!(library.nodes.value(id).play, Play::Stone(_));
        prop_assume!(library.nodes.preorder().any(is_stone));
        let bytes = renlib::write(&library).unwrap();
        let back = renlib::read(&bytes, tree.game.variant).unwrap();
        prop_assert_eq!(&back, &library);
        prop_assert_eq!(&renlib::write(&back).unwrap(), &bytes);
        // The same by way of SGF.
        let through = sgf::read_trees(&sgf::write_tree(&back)).unwrap().remove(0);
        prop_assert_eq!(renlib::write(&through).unwrap(), bytes);
    }

    #[test]
    fn any_tree_can_be_written_as_a_library(tree in tree()) {
        let mut tree = tree;
        (tree.game.width, tree.game.height) = (15, 15);
        let is_stone = |id| matches!(tree.nodes.value(id).play, Play::Stone(_));
        let has_stones = tree.nodes.preorder().any(is_stone);
        if tree.illegal_move().is_none() {
            let bytes = renlib::write(&tree);
            prop_assert_eq!(bytes.is_ok(), has_stones);
            if let Ok(bytes) = bytes {
                let back = renlib::read(&bytes, tree.game.variant).unwrap();
                let points = |tree: &GameTree| -> Vec<Vec<Point>> {
                    let mut lines: Vec<Vec<Point>> =
                        tree.lines().map(|game| game.points().collect()).collect();
                    lines.sort();
                    lines.dedup();
                    lines
                };
                // A comment node at the end of a line is not a line of its own in a library.
                let all = points(&tree);
                prop_assert!(points(&back).iter().all(|line| all.contains(line)));
            }
        }
    }

    #[test]
    fn sgf_round_trips_games(game in game(), other in game()) {
        let with_result = |game: Game| Game { result: game.result.or_else(|| game.result_on_board()), ..game };
        let (game, other) = (with_result(game), with_result(other));
        prop_assert_eq!(sgf::read(&sgf::write(&game)).unwrap(), vec![game.clone()]);
        let collection = sgf::write(&game) + &sgf::write(&other);
        prop_assert_eq!(sgf::read(&collection).unwrap(), vec![game, other]);
    }

    #[test]
    fn psq_round_trips_moves_and_names(game in game()) {
        let psq = Psq::from_game(&game);
        let again = Psq::read(&psq.to_string());
        // Names that look like moves or are blank may change. Names of real engines do not.
        let plain = |name: &str| name.contains(|c: char| c.is_alphabetic()) && name.trim() == name;
        if plain(&game.black) && plain(&game.white) {
            prop_assert_eq!(again.unwrap(), psq.clone());
        }
        let read_back = psq.to_game(game.variant);
        prop_assert!(read_back.points().eq(game.points()));
        let of_numbers = |name: &str| {
            name.chars().any(|c| c.is_ascii_digit())
                && name.chars().all(|c| c.is_ascii_digit() || " ,.-+".contains(c))
        };
        let written = |name: &str| {
            if of_numbers(name) { name.replace(',', " ") } else { name.to_owned() }
        };
        let names = (written(&game.black), written(&game.white));
        prop_assert_eq!((read_back.black, read_back.white), names);
    }

    #[test]
    fn pos_and_offsets_round_trip_points(game in game()) {
        let points: Vec<Point> = game.points().collect();
        for rows in [RowOrder::FromTop, RowOrder::FromBottom] {
            let text = pos::write(points.iter().copied(), game.height, rows);
            prop_assert_eq!(&pos::read(&text, game.height, rows).unwrap(), &points);
        }
        let text = offset::write(points.iter().copied(), game.width, game.height);
        prop_assert_eq!(&offset::read(&text, game.width, game.height).unwrap(), &points);
    }

    #[test]
    fn readers_do_not_panic(text in "[(;)\\[\\]\\\\BWCSZRU0-9a-h,:x \n-]{0,80}") {
        let _ = sgf::read(&text);
        let _ = sgf::read(&format!("(;GM[4]{text}"));
        let _ = Psq::read(&text);
        let _ = Psq::read(&format!("Piskvorky 15x15, 1:1, 0\n{text}"));
        let _ = pos::read(&text, 15, RowOrder::FromBottom);
        let _ = offset::read(&text, 15, 15);
        let _ = renlib::read(text.as_bytes(), Variant::RENJU);
    }
}

#[test]
fn replay_rejects_illegal_moves() {
    let mut game = Game::new(15, 15, Variant::FREESTYLE);
    let points = pos::read("h8a1i8b1j8c1k8d1l8", 15, RowOrder::FromBottom).unwrap();
    game.moves = points.into_iter().map(Move::new).collect();
    assert_eq!(game.board().unwrap().winning_line().len(), 5);
    game.moves.push(Move::new(Point::new(0, 0).unwrap()));
    assert_eq!(game.board().unwrap_err().to_string(), "move 10: the game is already over");
    game.moves.truncate(2);
    game.moves.push(game.moves[0].clone());
    assert!(game.board().unwrap_err().to_string().contains("occupied by Black"));
}
