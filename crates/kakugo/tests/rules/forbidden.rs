//! Known renju positions with the complete set of points forbidden to Black.
//!
//! `tests/data/forbidden.jsonl` is part of a larger collection, which is also used if it lies
//! beside the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use kakugo::board::{Board, Point, Side, Variant};
use serde_json::Value;

fn points(list: &Value) -> Vec<Point> {
    let number = |value: &Value| value.as_u64().and_then(|n| u8::try_from(n).ok()).unwrap();
    let pairs = list.as_array().unwrap().iter();
    pairs.map(|pair| Point::new(number(&pair[0]), number(&pair[1])).unwrap()).collect()
}

fn position(record: &Value) -> Board {
    assert_eq!(record["rule"], 4);
    let size = u8::try_from(record["size"].as_u64().unwrap()).unwrap();
    let mut board = Board::new(size, size, Variant::RENJU).unwrap();
    for p in points(&record["moves"]) {
        board.play(p).unwrap();
    }
    board
}

/// Checks all positions of a file. Returns the number of points of each kind.
fn check(path: &Path) -> BTreeMap<String, u32> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut seen = BTreeMap::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let board = position(&record);
        let kinds: BTreeMap<String, String> = board
            .empty_points()
            .filter_map(|p| Some((p.to_string(), board.foul(p, Side::Black)?.to_string())))
            .collect();
        let id = &record["id"];
        let expected: BTreeMap<String, String> =
            serde_json::from_value(record["kinds"].clone()).unwrap();
        assert_eq!(kinds, expected, "{id}\n{board}");
        let forbidden: BTreeSet<String> =
            points(&record["forbidden"]).iter().map(Point::to_string).collect();
        assert!(kinds.keys().eq(&forbidden), "{id}");
        let subtle = points(&record["subtle"]);
        assert!(subtle.iter().all(|&p| board.foul(p, Side::Black).is_none()), "{id}");

        *seen.entry("positions".to_owned()).or_default() += 1;
        *seen.entry("subtle".to_owned()).or_default() += subtle.len() as u32;
        for kind in kinds.into_values() {
            *seen.entry(kind).or_default() += 1;
        }
    }
    println!("{}: {seen:?}", path.display());
    seen
}

#[test]
fn known_positions_are_judged_exactly() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let seen = check(&root.join("tests/data/forbidden.jsonl"));
    assert!(seen["positions"] >= 60);
    for kind in ["overline", "double-four", "double-three", "subtle"] {
        assert!(seen[kind] >= 10, "{kind}");
    }
}

#[test]
fn the_whole_collection_is_judged_exactly() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/forbidden.jsonl");
    if path.exists() {
        assert!(check(&path)["positions"] >= 400);
    } else {
        println!("skipped: {} not found", path.display());
    }
}
