//! Tests of live analysis and of annotations.

use std::time::Duration;

use serde_json::{Value, json};

use super::{at, new_game, simulation};
use crate::event::ClientId;
use crate::jobs::{Job, JobResult};
use crate::parts::live_analysis::MAX_TIME;
use crate::progress::PvLine;
use crate::simulation::Simulation;
use kakugo::score::Score;
use kakugo_record::file::Format;

/// Returns the command that treats a move in live analysis.
fn treat(x: u8, y: u8, treatment: &str) -> Value {
    json!({ "do": "treat", "x": x, "y": y, "treatment": treatment })
}

fn record(room: &Simulation) -> String {
    String::from_utf8(room.room.record(Format::Sgf).unwrap()).unwrap()
}

#[test]
fn a_forbidden_point_is_not_chosen_for_analysis() {
    let mut room = simulation();
    room.say(new_game(&json!({ "rule": "renju" })));
    // h7 becomes a double-three.
    room.place(&[(7, 7), (0, 0), (7, 6), (0, 2), (8, 8), (0, 4), (9, 8), (14, 14)]);
    for (rows, name) in [("bottom", "h7"), ("top", "h9")] {
        let mut command = treat(7, 8, "only");
        command["rows"] = json!(rows);
        let why = format!("{name} is forbidden to Black in renju: a double three.");
        assert_eq!(room.refused(command), Some(why));
    }
    room.say(treat(7, 8, "without"));
    room.say(treat(8, 6, "only"));
    assert_eq!(room.state()["live"]["only"], json!([[8, 6]]));
}

#[test]
fn analysis_searches_the_chosen_moves_within_its_limits() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "analyse", "on": true, "lines": 2, "depth": 12, "ms": 5000 }));
    let (first, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert_eq!((request.lines, request.depth), (2, Some(12)));
    assert_eq!(request.time, Some(Duration::from_secs(5)));
    assert!(request.moves.is_empty());
    room.say(treat(8, 8, "without"));
    room.say(treat(6, 6, "without"));
    room.say(treat(5, 5, "only"));
    room.say(treat(6, 6, "only"));
    let (job, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert!(job > first);
    assert_eq!(
        (&request.moves.only[..], &request.moves.without[..]),
        (&[at(5, 5), at(6, 6)][..], &[at(8, 8)][..])
    );
    assert_eq!(room.refused(treat(7, 7, "only")).as_deref(), Some("Choose a free point."));
    assert!(room.refused(treat(200, 7, "only")).is_some());
    let live = room.state()["live"].clone();
    assert_eq!((&live["only"], &live["without"]), (&json!([[5, 5], [6, 6]]), &json!([[8, 8]])));
    assert_eq!((&live["depth"], &live["time"]), (&json!(12), &json!(5000)));
    // They belong to the position.
    room.place(&[(7, 8)]);
    let (_, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert!(request.moves.is_empty());
    room.say(json!({ "do": "undo" }));
    let (job, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert_eq!(request.moves.only.len(), 2);
    // At its end it is not started again, but other moves are searched.
    assert_eq!(room.state()["live"]["finished"], false);
    room.finish(job, JobResult::Analysis);
    assert_eq!(room.state()["live"]["finished"], true);
    assert!(room.jobs.is_empty());
    room.say(treat(5, 5, "usual"));
    assert_eq!(room.state()["live"]["only"], json!([[6, 6]]));
    room.say(json!({ "do": "search_all" }));
    let (_, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert!(request.moves.is_empty());
    room.say(json!({ "do": "analyse", "on": true, "lines": 2, "depth": 0, "ms": u64::MAX }));
    let (_, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert_eq!((request.depth, request.time), (Some(1), Some(MAX_TIME)));
    // Limits outlive the game, chosen moves do not.
    room.say(treat(6, 6, "only"));
    room.say(new_game(&json!({})));
    let (_, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert_eq!((request.depth, request.moves.is_empty()), (Some(1), true));
}

#[test]
fn balanced_moves_are_found_and_shown() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "analyse", "on": true, "lines": 2 }));
    room.say(json!({ "do": "balance", "stones": 2 }));
    assert_eq!(room.state()["thinking"], "balance");
    let (job, Job::Balance { stones: 2, .. }) = room.job() else { panic!() };
    let score = Score::from_eval(3);
    let line = PvLine { depth: 5, score, moves: vec![at(8, 8), at(9, 9)] };
    room.finish(job, JobResult::Balance(Some(line)));
    let state = room.state();
    assert_eq!(state["live"]["balance"]["moves"], json!([[8, 8], [9, 9]]));
    // White is to move: the evaluation is Black's.
    assert!(state["live"]["balance"]["permille"].as_u64().unwrap() < 500);
    assert!(matches!(room.job().1, Job::Analysis { .. }), "analysis goes on");
    room.say(json!({ "do": "balance", "stones": 1 }));
    room.say(json!({ "do": "balance", "stones": 0 }));
    assert!(matches!(room.job().1, Job::Analysis { .. }));
    room.say(json!({ "do": "analyse", "on": false, "lines": 2 }));
    room.say(json!({ "do": "balance", "stones": 1 }));
    let (job, _) = room.job();
    room.finish(job, JobResult::Balance(None));
    assert_eq!(room.state()["note"][0], "No stones balance this position.");
    room.place(&[(8, 7)]);
    assert!(room.state()["live"]["balance"].is_null());
    // Nobody waits for the result.
    room.say(json!({ "do": "balance", "stones": 1 }));
    room.leave(ClientId(1));
    assert!(room.jobs.is_empty());
}

#[test]
fn moves_are_judged_and_points_marked_as_sgf_stores_them() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    let node = room.state()["node"].as_u64().unwrap();
    let mark = |x: u8, y: u8, sign: Value| json!({ "do": "mark", "id": node, "x": x, "y": y, "sign": sign });
    room.say(json!({ "do": "judge", "id": node, "symbol": "??" }));
    room.say(json!({ "do": "judge", "id": node, "symbol": "!?" }));
    room.say(mark(0, 0, json!("circle")));
    room.say(mark(1, 1, json!("square")));
    room.say(mark(1, 1, json!("triangle")));
    room.say(mark(2, 2, json!("cross")));
    room.say(mark(3, 3, json!({ "label": { "text": " A:b]toolong " } })));
    room.say(json!({ "do": "arrow", "id": node, "from": [7, 7], "to": [8, 8] }));
    room.say(json!({ "do": "arrow", "id": node, "from": [7, 7], "to": [0, 8] }));
    let text = record(&room);
    for part in ["IT[]", "CR[aa]", "TR[bb]", "MA[cc]", "LB[dd:A\\:b\\]tool]", "AR[hh:ii][hh:ai]"] {
        let part = part.replace("\\\\", "\\");
        assert!(text.contains(&part), "{part} is not in\n{text}");
    }
    assert!(!text.contains("SQ[") && !text.contains("BM["), "{text}");
    let state = room.state();
    assert_eq!((&state["symbol"], state["marks"].as_array().unwrap().len()), (&json!("!?"), 4));
    assert_eq!(state["arrows"], json!([[[7, 7], [8, 8]], [[7, 7], [0, 8]]]));
    // The same again deletes; all can be taken back.
    room.say(json!({ "do": "arrow", "id": node, "from": [7, 7], "to": [0, 8] }));
    room.say(mark(0, 0, json!("circle")));
    room.say(mark(2, 2, Value::Null));
    assert!(!record(&room).contains("hh:ai") && !record(&room).contains("CR["));
    room.say(json!({ "do": "clear_marks", "id": node }));
    assert!(!record(&room).contains("TR[") && !record(&room).contains("AR["));
    for _ in 0..4 {
        room.say(json!({ "do": "undo_mark" }));
    }
    assert_eq!(record(&room), text);
    // A file that is opened has them, too.
    room.upload();
    assert_eq!(record(&room), text);
    assert_eq!(room.state()["symbol"], "!?");
    assert_eq!(room.state()["can_undo_mark"], false);
    assert!(room.refused(json!({ "do": "undo_mark" })).is_some());
}

#[test]
fn notes_are_taken_back_and_restored_at_their_position() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    let node = room.state()["node"].as_u64().unwrap();
    let comment = |text: &str| json!({ "do": "comment", "id": node, "text": text });
    room.say(comment("A plan"));
    room.say(comment("A plan"));
    room.say(json!({ "do": "arrow", "id": node, "from": [7, 7], "to": [8, 8] }));
    let written = record(&room);
    room.say(comment(""));
    room.say(json!({ "do": "clear_marks", "id": node }));
    let empty = record(&room);
    assert!(!empty.contains("A plan") && !empty.contains("AR["), "{empty}");
    room.say(json!({ "do": "goto", "ply": 0 }));
    assert_eq!(room.state()["can_redo_mark"], false);
    for _ in 0..2 {
        room.say(json!({ "do": "undo_mark" }));
    }
    // The position of the change is shown.
    assert_eq!((&room.state()["node"], record(&room)), (&json!(node), written.clone()));
    for _ in 0..2 {
        room.say(json!({ "do": "redo_mark" }));
    }
    assert_eq!((&room.state()["can_redo_mark"], record(&room)), (&json!(false), empty));
    (0..2).for_each(|_| room.say(json!({ "do": "undo_mark" })));
    assert_eq!(record(&room), written);
    // Another change replaces what was taken back. The same comment again was none.
    room.say(json!({ "do": "judge", "id": node, "symbol": "!" }));
    assert_eq!(room.state()["can_redo_mark"], false);
    (0..3).for_each(|_| room.say(json!({ "do": "undo_mark" })));
    assert_eq!(room.state()["can_undo_mark"], false);
    assert!(!record(&room).contains("A plan"));
}

#[test]
fn marks_are_refused_off_the_board_and_to_spectators() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    let node = room.state()["node"].as_u64().unwrap();
    let mark = json!({ "do": "mark", "id": node, "x": 0, "y": 0, "sign": "circle" });
    for (wrong, why) in [
        (json!({ "do": "mark", "id": node, "x": 15, "y": 0, "sign": "circle" }), "off the board"),
        (json!({ "do": "arrow", "id": node, "from": [0, 0], "to": [0, 15] }), "off the board"),
        (json!({ "do": "mark", "id": 99, "x": 0, "y": 0 }), "does not exist"),
        (json!({ "do": "judge", "id": 0, "symbol": "!" }), "does not exist"),
        (json!({ "do": "undo_mark" }), "no comment or mark"),
        (json!({ "do": "redo_mark" }), "no comment or mark"),
    ] {
        let refused = room.refused(wrong.clone()).expect("a refusal");
        assert!(refused.contains(why), "{wrong}: {refused}");
    }
    room.join(false);
    for command in [
        mark.clone(),
        json!({ "do": "undo_mark" }),
        json!({ "do": "redo_mark" }),
        treat(1, 1, "only"),
    ] {
        assert_eq!(room.refused(command).as_deref(), Some("You are watching this game."));
    }
    room.play_line("@client 0");
    room.say(mark);
    // A change of a move that was deleted cannot be taken back.
    room.say(json!({ "do": "delete", "id": node }));
    assert!(room.refused(json!({ "do": "undo_mark" })).is_some());
}
