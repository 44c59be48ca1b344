use serde_json::json;

use super::*;

/// A core worker's script: passes inputs, and keeps the outputs.
struct Page {
    driver: Driver,
    ms: f64,
    outputs: Vec<Value>,
    file: Vec<u8>,
}

impl Page {
    /// Opens a room whose searches can be signalled or not.
    fn open(signals: bool, found: Option<(&str, bool)>) -> Page {
        let driver = Driver::default();
        let mut page = Page { driver, ms: 0.0, outputs: Vec::new(), file: Vec::new() };
        let found =
            found.map(|(text, returns)| json!({ "id": "game", "text": text, "returns": returns }));
        page.input(json!({ "type": "open", "room": "room", "key": "key", "wish": {}, "workers": 1,
            "signals": signals, "saves": true, "found": found }));
        page.input(json!({ "type": "joined" }));
        page
    }

    fn input(&mut self, input: Value) {
        self.input_with(input, Vec::new());
    }

    fn input_with(&mut self, mut input: Value, attachment: Vec<u8>) {
        self.ms += 10.0;
        input["now"] = json!(self.ms);
        input["utc"] = json!(1_700_000_000_000_u64);
        let answer = self.driver.answer(&input.to_string(), attachment);
        let end = answer.iter().position(|&byte| byte == b'\n').unwrap_or(answer.len());
        self.outputs.extend(serde_json::from_slice::<Vec<Value>>(&answer[..end]).unwrap());
        self.file = answer.get(end + 1..).map(<[u8]>::to_vec).unwrap_or_default();
    }

    fn command(&mut self, command: Value) {
        self.input(json!({ "type": "command", "command": command }));
    }

    /// Takes the outputs, and returns the last one of this type.
    fn last(&mut self, kind: &str) -> Option<Value> {
        let mut outputs = std::mem::take(&mut self.outputs).into_iter();
        outputs.rfind(|output| output["type"] == kind)
    }

    /// Takes the outputs, and returns the last message of this type.
    fn message(&mut self, kind: &str) -> Option<Value> {
        let outputs = std::mem::take(&mut self.outputs).into_iter();
        let mut messages = outputs.filter_map(|output| output.get("message").cloned());
        messages.rfind(|message| message["type"] == kind)
    }

    /// Starts a game against full strength, in which it is the engine's turn. Returns its task.
    fn engine_to_move(&mut self) -> Value {
        self.command(json!({ "do": "new", "setup": { "width": 15, "height": 15,
            "rule": "renju", "win": 5, "opening": "free",
            "seats": [{ "player": "human" }, { "player": { "kakugo": 10 } }] } }));
        self.command(json!({ "do": "answer_pause", "ms": 0 }));
        self.last("none");
        self.command(json!({ "do": "play", "x": 7, "y": 7 }));
        self.last("run").expect("a search")
    }
}

fn line(x: u8, y: u8) -> Value {
    json!({ "lines": [{ "depth": 3, "score": 5, "moves": [[x, y]] }], "seldepth": 4, "nodes": 99,
        "ms": 5.0, "features": null })
}

#[test]
fn a_room_greets_the_page_and_plays() {
    let mut page = Page::open(true, None);
    let hello = page.message("hello").unwrap();
    assert_eq!((&hello["owns"], &hello["keeps"]), (&json!(true), &json!(true)));
    let run = page.engine_to_move();
    assert_eq!((&run["worker"], &run["rule"]), (&json!(0), &json!("renju")));
    let job = run["task"]["number"].clone();
    let result = json!({ "move": { "Ok": [{ "stone": [8, 8] }] } });
    page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
    let outputs = page.outputs.clone();
    assert_eq!(page.message("state").unwrap()["at"], 2);
    let saved = outputs.iter().rfind(|output| output["type"] == "storage").unwrap();
    assert_eq!((&saved["request"], &saved["room"]), (&json!("save"), &json!("room")));
    assert!(saved["text"].as_str().unwrap().starts_with("(;"));
    // The search is over: nothing is awaited.
    assert_eq!(outputs.last().unwrap(), &json!({ "type": "wait", "ms": null }));
}

#[test]
fn a_search_answers_early_when_it_is_signalled() {
    let mut page = Page::open(true, None);
    page.engine_to_move();
    page.command(json!({ "do": "now" }));
    assert_eq!(page.last("answer_now").unwrap()["worker"], 0);
}

#[test]
fn without_signals_the_best_line_so_far_is_played() {
    let mut page = Page::open(false, None);
    let job = page.engine_to_move()["task"]["number"].clone();
    page.command(json!({ "do": "now" }));
    assert!(page.outputs.iter().all(|output| output["type"] != "discard"), "no line is known");
    page.input(json!({ "type": "progress", "job": job, "progress": line(8, 8), "nodes": 99 }));
    assert!(page.outputs.iter().any(|output| output["type"] == "discard"));
    let state = page.message("state").unwrap();
    assert_eq!((&state["at"], &state["moves"][1]), (&json!(2), &json!([8, 8])));
    // A late result of the worker is ignored.
    let result = json!({ "move": { "Ok": [{ "stone": [0, 0] }] } });
    page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
    assert!(page.message("state").is_none());
}

#[test]
fn a_move_interrupts_the_analysis_which_goes_on_later() {
    for signals in [true, false] {
        let mut page = Page::open(signals, None);
        let job = page.engine_to_move()["task"]["number"].clone();
        let result = json!({ "move": { "Ok": [{ "stone": [8, 8] }] } });
        page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
        page.command(json!({ "do": "analyse", "on": true, "lines": 2 }));
        let analysis = page.last("run").unwrap()["task"]["number"].clone();
        page.input(
            json!({ "type": "progress", "job": analysis, "progress": line(9, 9), "nodes": 9 }),
        );
        assert!(page.message("analysis").is_some());
        page.command(json!({ "do": "play", "x": 9, "y": 9 }));
        assert!(page.last("interrupt").is_some());
        if signals {
            let finished = json!({ "type": "finished", "worker": 0, "job": analysis,
                "result": "analysis" });
            page.input(finished);
        } else {
            page.input(json!({ "type": "lost", "worker": 0, "error": null }));
        }
        let run = page.last("run").expect("the move is searched");
        assert!(run["task"]["job"]["move"].is_object(), "{run}");
    }
}

#[test]
fn a_crashed_worker_is_reported_and_the_game_goes_on() {
    let mut page = Page::open(true, None);
    let first = page.engine_to_move()["task"]["number"].clone();
    page.input(json!({ "type": "lost", "worker": 0, "error": "out of memory" }));
    // Another worker tries once more.
    assert_eq!(page.last("run").unwrap()["task"]["number"], first);
    page.input(json!({ "type": "lost", "worker": 0, "error": "out of memory" }));
    let state = page.message("state").unwrap();
    assert_eq!(state["at"], 1);
    page.command(json!({ "do": "undo", "count": null }));
    assert_eq!(page.message("state").unwrap()["at"], 0);
}

#[test]
fn why_a_game_is_not_saved_is_shown() {
    for (name, words) in [
        ("QuotaExceededError", "storage is full"),
        ("InUseError", "open in another tab"),
        ("InvalidStateError", "could not be saved."),
    ] {
        let mut page = Page::open(true, None);
        let job = page.engine_to_move()["task"]["number"].clone();
        let result = json!({ "move": { "Ok": [{ "stone": [8, 8] }] } });
        page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
        let id = page.last("storage").unwrap()["id"].clone();
        let failed = json!({ "id": id, "name": name, "error": "no" });
        page.input(json!({ "type": "storage", "failed": failed }));
        assert!(page.outputs.iter().all(|output| output["type"] != "storage"));
        let state = page.message("state").unwrap();
        assert!(state.to_string().contains(words), "{state}");
    }
}

#[test]
fn the_game_of_a_page_is_restored() {
    let mut page = Page::open(true, None);
    let job = page.engine_to_move()["task"]["number"].clone();
    let result = json!({ "move": { "Ok": [{ "stone": [8, 8] }] } });
    page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
    let text = page.last("storage").unwrap()["text"].as_str().unwrap().to_owned();
    // The game goes on, so it is wanted in any case.
    for returns in [true, false] {
        let mut page = Page::open(true, Some((&text, returns)));
        assert_eq!(page.message("state").unwrap()["at"], 2);
    }
    let mut page = Page::open(true, Some((&text, true)));
    page.command(json!({ "do": "resign" }));
    let text = page.last("storage").unwrap()["text"].as_str().unwrap().to_owned();
    for (returns, moves) in [(true, 2), (false, 0)] {
        let mut page = Page::open(true, Some((&text, returns)));
        assert_eq!(page.message("state").unwrap()["at"], moves, "over, returns: {returns}");
    }
    let mut page = Page::open(true, Some(("(;broken", true)));
    assert_eq!(page.message("state").unwrap()["at"], 0);
}

#[test]
fn only_a_game_that_is_shown_becomes_that_of_the_room() {
    let mut page = Page::open(true, None);
    let job = page.engine_to_move()["task"]["number"].clone();
    let result = json!({ "move": { "Ok": [{ "stone": [8, 8] }] } });
    page.input(json!({ "type": "finished", "worker": 0, "job": job, "result": result }));
    let going = page.last("storage").unwrap()["text"].as_str().unwrap().to_owned();
    let mut page = Page::open(true, Some((&going, true)));
    page.command(json!({ "do": "resign" }));
    let over = page.last("storage").unwrap()["text"].as_str().unwrap().to_owned();
    let requests = |text: &str, returns: bool| {
        let page = Page::open(true, Some((text, returns)));
        let of_game = page.outputs.iter().filter(|output| output["id"] == "game");
        let requests = of_game.map(|output| output["request"].clone());
        requests.filter(|request| request != "save").collect::<Vec<Value>>()
    };
    assert_eq!(requests(&going, false), [json!("claim")]);
    assert_eq!(requests(&over, false), [json!("release")]);
    // It is that of the room already.
    assert_eq!(requests(&over, true), [] as [Value; 0]);
    assert_eq!(requests("(;broken", false), [json!("release")]);
    assert_eq!(requests("(;broken", true), [json!("release")]);
}

#[test]
fn why_a_game_is_not_deleted_is_shown() {
    for (failed, words) in [(true, "could not be deleted."), (false, "open in another tab")] {
        let mut page = Page::open(true, None);
        page.command(json!({ "do": "forget", "id": "game" }));
        assert_eq!(page.last("storage").unwrap()["request"], "delete");
        let deleted = json!({ "deleted": false, "failed": failed });
        page.input(json!({ "type": "storage", "deleted": deleted }));
        let refused = page.message("refused").unwrap();
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

#[test]
fn a_new_game_is_saved_when_the_page_is_left() {
    let mut page = Page::open(true, None);
    page.engine_to_move();
    page.command(json!({ "do": "rematch", "level": null }));
    page.last("none");
    page.input(json!({ "type": "left" }));
    assert_eq!(page.last("storage").unwrap()["request"], "save", "the page will look for it");
    page.input(json!({ "type": "joined" }));
    assert!(page.message("state").is_some());
}

#[test]
fn files_are_read_and_written() {
    let mut page = Page::open(true, None);
    let file = b"(;GM[4]SZ[15];B[hh];W[ii];B[jj])".to_vec();
    let open = json!({ "kind": "open", "name": "a.sgf", "rule": "renju" });
    page.input_with(json!({ "type": "request", "id": 1, "request": open }), file);
    assert_eq!(page.message("state").unwrap()["at"], 3);
    let record = json!({ "kind": "record", "name": "kakugo.pos" });
    page.input(json!({ "type": "request", "id": 2, "request": record }));
    assert_eq!(String::from_utf8_lossy(&page.file).trim(), "h8i7j6");
    assert_eq!(page.last("reply").unwrap()["id"], 2);
    let refused = json!({ "kind": "open", "name": "a.sgf" });
    page.input_with(json!({ "type": "request", "id": 3, "request": refused }), b"none".to_vec());
    assert!(page.last("reply").unwrap()["error"].is_array());
    let export = json!({ "type": "request", "id": 4, "request": { "kind": "export" } });
    page.input_with(export, b"[\"no game\"]".to_vec());
    assert!(page.last("reply").unwrap()["error"].is_array());
}

#[test]
fn invalid_inputs_change_nothing() {
    let mut page = Page::open(true, None);
    page.last("none");
    assert_eq!(page.driver.answer("{", Vec::new()), b"[]");
    assert_eq!(page.driver.answer("{\"now\":0,\"utc\":0,\"type\":\"fly\"}", Vec::new()), b"[]");
    page.command(json!({ "do": "fly" }));
    assert!(page.message("refused").is_some());
    page.input(json!({ "type": "lost", "worker": 7, "error": null }));
    page.input(json!({ "type": "finished", "worker": 7, "job": 1, "result": "analysis" }));
    assert!(page.message("state").is_none());
}
