//! Tests of studies and of the training of openings.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{new_game, simulation};
use crate::event::{Event, FileEvent};
use crate::game_file::GameFile;
use crate::simulation::Simulation;
use kakugo_record::book::Book;
use kakugo_record::pos::RowOrder;

const LINES: &str = "(;GM[4]SZ[15];B[hh](;W[hg];B[ig](;W[if];B[jf])(;W[jg]))(;W[ig];B[jf]))";

fn explore(room: &mut Simulation) {
    explore_text(room, LINES);
}

fn explore_text(room: &mut Simulation, text: &str) {
    let mut book = Book::new(room.room.pattern());
    book.add_bytes(Path::new("lines.sgf"), text.as_bytes());
    room.handle(Event::File(FileEvent::Explore(Arc::new(book))));
}

#[test]
fn games_of_a_study_are_saved_with_name_and_title() {
    let mut room = simulation();
    assert_eq!(
        room.refused(json!({ "do": "chapter", "from_position": true })).as_deref(),
        Some("Name the study first.")
    );
    room.place(&[(7, 7), (8, 8)]);
    room.say(json!({ "do": "describe", "study": " Openings ", "title": "One] of two" }));
    room.say(json!({ "do": "chapter", "from_position": true }));
    let state = room.state();
    assert_eq!(state["start"]["black"], json!([[7, 7]]));
    assert_eq!((&state["study"], &state["title"]), (&json!("Openings"), &json!("")));
    room.say(json!({ "do": "describe", "study": "Openings", "title": "Two" }));
    room.say(json!({ "do": "chapter", "from_position": false }));
    assert_eq!(room.state()["start"]["black"], json!([]));
    // Even games without moves stay saved.
    room.say(new_game(&json!({})));
    assert_eq!(room.files.len(), 3);
    room.messages.clear();
    room.say(json!({ "do": "games" }));
    room.flush_storage();
    let games = room.sent("kept").unwrap()["games"].clone();
    let mut titles: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["title"].as_str().unwrap()).collect();
    titles.sort_unstable();
    assert_eq!(titles, ["", "One] of two", "Two"]);
    assert!(games.as_array().unwrap().iter().all(|game| game["study"] == "Openings"));
}

#[test]
fn all_games_of_a_file_become_a_study() {
    let mut room = simulation();
    assert!(room.refused(json!({ "do": "keep_games", "study": "S" })).is_some());
    let text = "(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[ii])(;GM[4]SZ[15]GN[A problem]AB[hh]AW[ii])";
    let file = GameFile::read("two.sgf", text.into(), RowOrder::FromBottom, room.room.pattern());
    room.handle(Event::File(FileEvent::Keep(Arc::new(file.unwrap()))));
    assert!(room.refused(json!({ "do": "keep_games", "study": " " })).is_some());
    room.say(json!({ "do": "keep_games", "study": "Club" }));
    room.flush_storage();
    assert_eq!(room.files.len(), 2);
    let texts: Vec<&String> = room.files.values().collect();
    assert!(texts.iter().all(|text| text.contains("EV[Club]")), "{texts:?}");
    for title in ["GN[Ann – Bob]", "GN[A problem]"] {
        assert!(texts.iter().any(|text| text.contains(title)), "{title} is not in {texts:?}");
    }
    assert!(room.room.saved_game().is_none());
}

#[test]
fn games_that_a_study_leaves_out_are_reported() {
    let mut room = simulation();
    let good = "(;GM[4]SZ[15];B[hh];W[ii])";
    let keep = |room: &mut Simulation, text: String| {
        let file = GameFile::read("f.sgf", text.into(), RowOrder::FromBottom, room.room.pattern());
        room.handle(Event::File(FileEvent::Keep(Arc::new(file.unwrap()))));
        room.say(json!({ "do": "keep_games", "study": "Club" }));
        room.state()["note"].clone()
    };
    assert_eq!(keep(&mut room, good.repeat(200)), Value::Null);
    let notice = keep(&mut room, format!("{good}(;GM[4]SZ[99];B[hh]){good}"));
    assert!(notice.to_string().contains("skipped"), "{notice}");
    let notice = keep(&mut room, good.repeat(201));
    assert!(notice.to_string().contains("Only the first"), "{notice}");
}

#[test]
fn results_of_openings_are_stored_and_missed_ones_come_back_first() {
    let mut room = simulation();
    explore(&mut room);
    room.flush_storage();
    let train = json!({ "do": "train_openings", "side": "black" });
    room.say(train.clone());
    room.place(&[(7, 7), (0, 0)]);
    let trainer = room.state()["trainer"].clone();
    assert_eq!((&trainer["known"], &trainer["total"]), (&json!(1), &json!(4)));
    // The same position again is recorded on another day only.
    room.say(new_game(&json!({})));
    room.say(train.clone());
    assert_eq!(room.state()["at"], 2, "the missed position");
    room.say(json!({ "do": "next_opening" }));
    room.place(&[(7, 7)]);
    room.flush_storage();
    assert_eq!(room.journal.lines().count(), 2, "{}", room.journal);
    let mut other = simulation();
    other.journal = room.journal.clone();
    explore(&mut other);
    other.flush_storage();
    other.say(train);
    let state = other.state();
    assert_eq!((&state["at"], &state["trainer"]["missed"]), (&json!(2), &json!(0)));
    assert_eq!(state["trainer"]["known"], 1);
}

#[test]
fn forbidden_moves_that_lost_a_game_are_not_trained() {
    let game = "(;GM[4]SZ[15]RU[renju];B[hi];W[ao];B[hj];W[am];B[gh];W[ak];B[fh];W[ai]";
    let train = json!({ "do": "train_openings", "side": "black" });
    // The double three at h8 alone, and beside another move.
    for (end, is_trained) in [(";B[hh])", false), ("(;B[hh])(;B[ii]))", true)] {
        let mut room = simulation();
        let mut new = new_game(&json!({ "rule": "renju" }));
        new["moves"] = json!("h7a1h6a3g8a5f8a7");
        room.say(new);
        explore_text(&mut room, &format!("{game}{end}"));
        assert_eq!(room.refused(train.clone()).is_none(), is_trained, "{end}");
        if !is_trained {
            continue;
        }
        let shown = room.sent("openings").unwrap()["next"].clone();
        assert_eq!(shown.as_array().map(Vec::len), Some(1), "{shown}");
        let why = room.refused(json!({ "do": "play", "x": 7, "y": 7 })).unwrap();
        assert!(why.contains("forbidden"), "{why}");
        let trainer = room.state()["trainer"].clone();
        assert_eq!((&trainer["right"], &trainer["wrong"]), (&json!(0), &json!(0)));
        room.place(&[(8, 8)]);
        assert_eq!(room.state()["trainer"]["right"], 1);
    }
}

#[test]
fn openings_are_trained_from_the_explored_games() {
    let mut room = simulation();
    let train = json!({ "do": "train_openings", "side": "black" });
    assert!(room.refused(train.clone()).is_some());
    assert!(room.refused(json!({ "do": "next_opening" })).is_some());
    explore(&mut room);
    room.say(json!({ "do": "analyse", "on": true, "lines": 3 }));
    room.say(train);
    assert!(room.jobs.is_empty(), "analysis ends");
    let wrong = json!({ "do": "play", "x": 0, "y": 0 });
    room.say(wrong);
    let state = room.state();
    assert_eq!(state["note"][0], "That move is not in the openings: try again.");
    assert_eq!((&state["at"], &state["trainer"]["wrong"]), (&json!(0), &json!(1)));
    room.place(&[(7, 7)]);
    let state = room.state();
    assert_eq!(state["at"], 2, "the reply follows");
    let trainer = &state["trainer"];
    assert_eq!(
        (&trainer["right"], &trainer["wrong"], &trainer["missed"]),
        (&json!(0), &json!(1), &json!(1))
    );
    room.say(json!({ "do": "show_openings" }));
    let state = room.state();
    assert_eq!(
        (&state["trainer"]["shows"], &state["trainer"]["missed"]),
        (&json!(true), &json!(2))
    );
    // The end of the line, after either reply.
    while room.state()["trainer"]["over"] == false {
        let moves = room.state()["moves"].clone();
        let next = match moves.as_array().unwrap().len() {
            2 if moves[1] == json!([7, 6]) => (8, 6),
            2 => (5, 5),
            _ => (9, 5),
        };
        room.place(&[next]);
    }
    assert_eq!(room.state()["trainer"]["over"], true);
    // The line with the wrong answer comes again, from its position.
    room.say(json!({ "do": "next_opening" }));
    assert_eq!((&room.state()["at"], &room.state()["trainer"]["missed"]), (&json!(0), &json!(1)));
    room.say(json!({ "do": "next_opening" }));
    assert_eq!(room.state()["at"], 2);
    room.say(json!({ "do": "undo" }));
    room.say(json!({ "do": "end_openings" }));
    assert!(room.state()["trainer"].is_null());
    assert!(room.files.is_empty(), "trained lines are not saved");
    room.say(json!({ "do": "train_openings", "side": "white" }));
    room.say(new_game(&json!({})));
    assert!(room.state()["trainer"].is_null());
}
