//! Bytes as a file of games: whatever is read can be written and read again, keeps its moves, and
//! comes back word for word from then on.

#![no_main]

use std::collections::BTreeSet;

use kakugo::board::{Board, Point, Rule, Variant};
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::{Game, pgn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [format, width, height, rule, file @ ..] = bytes else { return };
    let words: Vec<&str> = Format::names().collect();
    let word = words[usize::from(*format) % words.len()];
    let Some(format) = Format::from_name(word, RowOrder::FromTop) else { return };
    let variant = Variant::five(Rule::ALL[usize::from(rule % 5)]);
    let pattern = Game::new(3 + width % 30, 3 + height % 30, variant);
    let Ok(games) = format.read_trees(file, &pattern) else { return };
    for game in &games {
        assert!(Board::new(game.game.width, game.game.height, game.game.variant).is_ok());
        let fault = game.illegal_move();
        for line in game.lines() {
            let _ = line.board();
            let _ = line.from_empty_board();
            let _ = pgn::write(&line);
        }
        assert!(fault.is_some() || is_on_board(&game.main_line()));
        let _ = (game.out_of_turn(), game.with_passes());
    }
    // Moves that cannot be are refused by those who read.
    if games[0].illegal_move().is_some() {
        return;
    }
    for word in words {
        let Some(other) = Format::from_name(word, RowOrder::FromTop) else { continue };
        let one = std::slice::from_ref(&games[0]);
        let Ok(written) = other.write_trees(one) else { continue };
        // A game without moves is no line of text, and one without any stone no library.
        let main = games[0].main_line();
        let empty = main.points().next().is_none();
        if empty && (!other.has_variations() || games[0].lines().next().is_none()) {
            continue;
        }
        let pattern = games[0].game.clone();
        let reread = |bytes: &[u8]| {
            other
                .read_trees(bytes, &pattern)
                .unwrap_or_else(|error| panic!("{word}: {error}: {}", shown(bytes)))
        };
        let rewritten = |games: &[GameTree]| {
            other.write_trees(games).unwrap_or_else(|error| panic!("{word}: {error}"))
        };
        // What a format cannot say is lost at once, and nothing after that.
        let back = reread(&written);
        let once = rewritten(&back);
        let twice = rewritten(&reread(&once));
        assert!(once == twice, "{word}: {}\n{}", shown(&once), shown(&twice));
        // Set-up stones become moves in formats that begin on the empty board, and moves out of
        // turn get passes.
        if other == Format::Sgf || games[0].with_passes().as_ref() == Some(&games[0]) {
            keeps_moves(&games[0], &back[0], other.has_variations());
        }
    }
});

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

fn is_on_board(game: &Game) -> bool {
    game.points().all(|p| p.x() < game.width && p.y() < game.height)
}

/// The moves of the game, and of all lines where the format has them.
fn keeps_moves(game: &GameTree, back: &GameTree, lines: bool) {
    assert!(game.main_line().points().eq(back.main_line().points()));
    if lines {
        let points = |game: &GameTree| -> BTreeSet<Vec<Point>> {
            game.lines().map(|line| line.points().collect()).collect()
        };
        // A remark at the end of a line is no line of its own in every format.
        let all = points(game);
        assert!(points(back).iter().all(|line| all.contains(line)));
    }
}
