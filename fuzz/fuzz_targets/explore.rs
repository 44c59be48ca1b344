//! Bytes as a file of games that openings are explored in: however it is read, the same positions
//! are counted, and no line is lost.

#![no_main]

use std::path::Path;

use kakugo::board::{Board, Rule, Variant};
use kakugo_record::Game;
use kakugo_record::book::Book;
use kakugo_record::explorer::Explorer;
use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;
use libfuzzer_sys::fuzz_target;

/// Names whose ends tell what a file holds; records of matches are read for this alone.
const NAMES: [&str; 11] = [
    "a.jsonl",
    "a.sgf",
    "a.lib",
    "a.psq",
    "a.rec",
    "a.pos-top",
    "a.txt",
    "a.offset",
    "a.sav",
    "a.rif",
    "a.pgn",
];

fuzz_target!(|bytes: &[u8]| {
    let [name, width, height, rule, file @ ..] = bytes else { return };
    let name = NAMES[usize::from(*name) % NAMES.len()];
    let variant = Variant::five(Rule::ALL[usize::from(rule % 5)]);
    let pattern = Game::new(3 + width % 30, 3 + height % 30, variant);
    let mut book = Book::new(pattern.clone());
    book.add_bytes(Path::new(name), file);
    adds_up(book.explorer());
    if book.files() == 0 {
        assert_eq!((book.errors().len(), book.explorer().lines()), (1, 0));
    }
    // The book reads game by game, and a library without keeping it.
    let Some(format) = Format::from_file_name(name, RowOrder::FromBottom) else { return };
    let Ok(games) = format.read_trees(file, &pattern) else { return };
    let mut whole = Explorer::default();
    games.iter().for_each(|game| whole.add(game));
    assert!(book.files() == 1 && book.errors().is_empty(), "{:?}", book.errors());
    assert_eq!(book.explorer().rulesets(), whole.rulesets());
    assert_eq!(book.explorer().positions(), whole.positions());
    for line in games.iter().flat_map(|game| game.lines()).take(4) {
        for length in 0..=line.moves.len().min(12) {
            let mut position = line.clone();
            position.moves.truncate(length);
            let look = |explorer: &Explorer| explorer.lookup_game(&position);
            assert_eq!(look(book.explorer()), look(&whole));
        }
    }
});

/// Lines from the empty board go on at most once. Others begin from a position.
fn adds_up(explorer: &Explorer) {
    for &(kind, lines) in explorer.rulesets() {
        assert!(Board::new(kind.long, kind.short, kind.variant).is_ok(), "{kind:?}");
        let mut moves = Vec::new();
        loop {
            let (here, next) = explorer.lookup((kind.long, kind.short), kind.variant, &moves);
            if moves.is_empty() {
                assert!(u64::from(here.lines) <= lines);
                if here.lines == 0 {
                    break;
                }
                let on: u64 = next.iter().map(|next| u64::from(next.stats.lines)).sum();
                assert!(on <= lines, "{on} of {lines}");
            }
            assert!(here.lines > 0 && here.black + here.white + here.draws <= here.lines);
            match next.first() {
                Some(next) if moves.len() < 12 => moves.push(next.point),
                _ => break,
            }
        }
    }
}
