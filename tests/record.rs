//! Game formats: what is written is what is read, for any game.

use std::time::Duration;

use kakugo::board::{Point, Rule, Side, Variant};
use kakugo::record::pos::RowOrder;
use kakugo::record::psq::Psq;
use kakugo::record::{Game, GameResult, Move, offset, pos, sgf};
use proptest::prelude::*;

/// Text without control characters, with the signs that formats trip over.
fn name() -> impl Strategy<Value = String> {
    "[ -~äß中\\]\\\\\\[();:,]{0,20}"
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

prop_compose! {
    fn game()(width in 3u8..=32, height in 3u8..=32)(
        width in Just(width),
        height in Just(height),
        variant in variant(),
        names in [name(), name(), name(), name(), name(), name()],
        result in result(),
        moves in prop::collection::vec(
            (0..width, 0..height, prop::option::of(0u64..1_000_000), "[ -~\n\\]\\\\]{0,12}"), 0..60),
    ) -> Game {
        let [black, white, event, round, date, termination] = names;
        let moves = moves.into_iter().map(|(x, y, ms, comment)| Move {
            point: Point::new(x, y).expect("a point of the board"),
            time: ms.map(Duration::from_millis),
            comment,
        });
        Game {
            black, white, event, round, date, result, termination,
            moves: moves.collect(),
            ..Game::new(width, height, variant)
        }
    }
}

proptest! {
    #[test]
    fn sgf_says_everything(game in game(), other in game()) {
        prop_assert_eq!(sgf::read(&sgf::write(&game)).unwrap(), vec![game.clone()]);
        let collection = sgf::write(&game) + &sgf::write(&other);
        prop_assert_eq!(sgf::read(&collection).unwrap(), vec![game, other]);
    }

    #[test]
    fn psq_is_exact_and_keeps_moves_and_times(game in game()) {
        let psq = Psq::of(&game);
        let again = Psq::read(&psq.to_string());
        // A name may look like a move, or vanish by being blank; tournaments' file names do not.
        let plain = |name: &str| name.contains(|c: char| c.is_alphabetic()) && name.trim() == name;
        if plain(&game.black) && plain(&game.white) {
            prop_assert_eq!(again.unwrap(), psq.clone());
        }
        let read_back = psq.game(game.variant);
        prop_assert!(read_back.points().eq(game.points()));
        prop_assert_eq!((&read_back.black, &read_back.white), (&game.black, &game.white));
    }

    #[test]
    fn pos_and_offsets_keep_the_points(game in game()) {
        let points: Vec<Point> = game.points().collect();
        for rows in [RowOrder::FromTop, RowOrder::FromBottom] {
            let text = pos::write(points.iter().copied(), game.height, rows);
            prop_assert_eq!(&pos::read(&text, game.height, rows).unwrap(), &points);
        }
        let text = offset::write(points.iter().copied(), game.width, game.height);
        prop_assert_eq!(&offset::read(&text, game.width, game.height).unwrap(), &points);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[(;)\\[\\]\\\\BWCSZRU0-9a-h,:x \n-]{0,80}") {
        let _ = sgf::read(&text);
        let _ = sgf::read(&format!("(;GM[4]{text}"));
        let _ = Psq::read(&text);
        let _ = Psq::read(&format!("Piskvorky 15x15, 1:1, 0\n{text}"));
        let _ = pos::read(&text, 15, RowOrder::FromBottom);
        let _ = offset::read(&text, 15, 15);
    }
}

#[test]
fn a_game_is_replayed_by_the_rules() {
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
