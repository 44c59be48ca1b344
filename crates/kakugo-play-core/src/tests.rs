//! Tests of rooms, without threads, sockets, clocks and files.

mod analysis;
mod learn;
mod study;

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::commands::Command;
use crate::event::{ClientId, Event, FileEvent, Recipient, Rights};
use crate::game::live::{Action, LiveGame};
use crate::game::opening::OpeningChoice;
use crate::game::records::notice_of_omitted_moves;
use crate::game::setup::{PlayerKind, Setup};
use crate::insight::Idea;
use crate::jobs::{Job, JobId, JobResult, JobUpdate};
use crate::messages::Message;
use crate::parts::level_history::LevelHistory;
use crate::parts::live_analysis::REST_AFTER;
use crate::progress::{Progress, PvLine};
use crate::room::RoomSettings;
use crate::scheduler::Priority;
use crate::simulation::{Simulation, settings};
use crate::solving::{Solution, SolveResult};
use kakugo::board::Point;
use kakugo::score::Score;
use kakugo_record::analysis::puzzle::Verdict;

/// A room for two humans, whose games are saved.
fn simulation() -> Simulation {
    Simulation::new(settings())
}

impl Simulation {
    /// Sends a command, which must be valid.
    fn say(&mut self, command: Value) {
        self.command(serde_json::from_value::<Command>(command).unwrap());
    }

    /// Sends a command and returns the reason of its refusal.
    fn refused(&mut self, command: Value) -> Option<String> {
        self.messages.clear();
        self.say(command);
        self.messages.iter().find_map(|(_, message)| match message {
            Message::Refused { why } => Some(why.to_string()),
            _ => None,
        })
    }

    /// Places stones in turn.
    fn place(&mut self, points: &[(u8, u8)]) {
        for (x, y) in points {
            assert_eq!(self.refused(json!({ "do": "play", "x": x, "y": y })), None);
        }
    }

    /// Returns the only job.
    fn job(&self) -> (JobId, Job) {
        assert_eq!(self.jobs.len(), 1);
        let (id, job) = self.jobs.first_key_value().unwrap();
        (*id, job.clone())
    }

    /// Returns a message of a kind, sent since they were last cleared.
    fn sent(&self, kind: &str) -> Option<Value> {
        let json = |message| serde_json::to_value(message).unwrap();
        let messages = self.messages.iter().rev().map(|(_, message)| json(message));
        messages.into_iter().find(|message| message["type"] == kind)
    }
}

/// The result of a search for a hint.
fn suggestion(action: Action, idea: Option<Idea>) -> JobResult {
    JobResult::Hint { actions: vec![action], idea: idea.map(Box::new) }
}

/// The command for a new game of two humans by these rules.
fn new_game(rules: &Value) -> Value {
    let mut new = json!({ "do": "new", "setup": { "width": 15, "height": 15, "rule": "freestyle",
        "win": 5, "seats": [{ "player": "human" }, { "player": "human" }], "opening": "free" } });
    let setup = new["setup"].as_object_mut().unwrap();
    setup.extend(rules.as_object().unwrap().clone());
    new
}

fn against_kakugo() -> Value {
    new_game(&json!({ "seats": [{ "player": "human" }, { "player": { "kakugo": 3 } }] }))
}

fn at(x: u8, y: u8) -> Point {
    Point::new(x, y).unwrap()
}

#[test]
fn looking_back_stops_the_clock_and_keeps_a_pause() {
    let mut room = simulation();
    room.say(new_game(&json!({ "turn_ms": 600_000 })));
    room.place(&[(7, 7), (8, 8)]);
    assert_eq!(room.state()["clock_runs"], true);
    for look in [json!({ "do": "undo" }), json!({ "do": "goto", "ply": 0 })] {
        room.say(look);
        assert_eq!(room.state()["clock_runs"], false);
        room.say(json!({ "do": "goto", "ply": 2 }));
        assert_eq!(room.state()["clock_runs"], true);
    }
    room.say(json!({ "do": "pause", "on": true }));
    room.say(json!({ "do": "undo" }));
    room.say(json!({ "do": "redo" }));
    let state = room.state();
    assert_eq!((&state["paused"], &state["clock_runs"]), (&json!(true), &json!(false)));
    room.place(&[(9, 9)]);
    let state = room.state();
    assert_eq!((&state["paused"], &state["clock_runs"]), (&json!(false), &json!(true)));
}

#[test]
fn a_computer_thinks_on_after_other_moves_were_looked_at() {
    let mut room = simulation();
    room.say(against_kakugo());
    room.place(&[(7, 7)]);
    let node = room.state()["node"].clone();
    let thinks = |room: &Simulation| room.jobs.values().any(|job| matches!(job, Job::Move(_)));
    for back in [json!({ "do": "node", "id": node }), json!({ "do": "goto", "ply": 1 })] {
        room.say(json!({ "do": "goto", "ply": 0 }));
        assert!(!thinks(&room));
        room.say(back);
        assert!(thinks(&room) && !room.room.waits());
    }
    // A pause goes on, and a move that was taken back is not answered.
    for stop in [json!({ "do": "pause", "on": true }), json!({ "do": "undo" })] {
        room.say(stop);
        room.say(json!({ "do": "goto", "ply": 0 }));
        room.say(json!({ "do": "goto", "ply": 1 }));
        assert!(!thinks(&room) && room.room.waits());
        room.say(json!({ "do": "pause", "on": false }));
        assert!(thinks(&room));
    }
    let (id, _) = room.job();
    room.finish(id, JobResult::Move(Ok(vec![Action::Stone(at(8, 8))])));
    room.say(json!({ "do": "goto", "ply": 1 }));
    assert!(!thinks(&room) && room.room.waits(), "it has answered");
}

#[test]
fn another_engine_gives_a_second_opinion() {
    let mut room = simulation();
    room.say(new_game(&json!({})));
    room.place(&[(7, 7)]);
    let ask = |engine: usize| json!({ "do": "opinion", "engine": engine });
    assert!(room.refused(ask(1)).is_some(), "there is only one");
    room.handle(Event::EnginesAdded { engines: vec!["other".to_owned(), "new".to_owned()] });
    assert_eq!(room.sent("engines").unwrap()["engines"], json!(["other", "new"]));
    room.say(ask(1));
    assert_eq!(room.state()["opinion"], json!({ "engine": "new", "point": null, "error": null }));
    let (id, job) = room.job();
    assert!(matches!(job, Job::Move(request) if request.player == PlayerKind::Engine(1)));
    room.finish(id, JobResult::Move(Ok(vec![Action::Stone(at(8, 8))])));
    let state = room.state();
    assert_eq!((&state["opinion"]["point"], &state["at"]), (&json!([8, 8]), &json!(1)));
    room.place(&[(6, 6)]);
    assert_eq!(room.state()["opinion"], Value::Null);
    // An engine that fails, or wants an occupied point, changes nothing either.
    for result in [Err("crashed".to_owned()), Ok(vec![Action::Stone(at(7, 7))])] {
        room.say(ask(0));
        let (id, _) = room.job();
        room.finish(id, JobResult::Move(result));
        let state = room.state();
        assert!(state["opinion"]["error"].is_string() && state["at"] == 2, "{state}");
    }
    // A move ends the search.
    room.say(ask(0));
    room.place(&[(9, 9)]);
    assert!(room.jobs.is_empty());
}

#[test]
fn games_that_cannot_be_played_are_refused_in_sentences() {
    let mut room = simulation();
    for (rules, why) in [
        (json!({ "rule": "foo" }), "unknown rule 'foo'"),
        (json!({ "rule": "renju", "win": 4 }), "this rule does not support 4 in a row"),
        (json!({ "width": 4, "height": 4 }), "the board is too small for 5 in a row"),
        (json!({ "opening": "foo" }), "unknown opening 'foo'"),
    ] {
        let refusal = room.refused(new_game(&rules));
        assert_eq!(refusal, Some(format!("The game cannot be played: {why}.")));
    }
}

#[test]
fn a_flag_falls_by_the_timer() {
    let mut room = simulation();
    room.say(new_game(&json!({ "turn_ms": 5_000 })));
    room.place(&[(7, 7)]);
    room.wait(Duration::from_millis(4_900));
    assert_eq!(room.state()["end"], Value::Null);
    room.wait(Duration::from_millis(100));
    assert_eq!(room.state()["end"], "time");
}

#[test]
fn a_choice_ends_a_pause() {
    let mut room = simulation();
    room.say(new_game(&json!({ "opening": "swap" })));
    room.place(&[(7, 7), (8, 8), (9, 9)]);
    room.say(json!({ "do": "pause", "on": true }));
    room.say(json!({ "do": "choose", "choice": "white" }));
    assert_eq!(room.state()["paused"], false);
}

#[test]
fn players_are_named_by_their_colours_even_after_a_swap() {
    let mut room = simulation();
    room.say(new_game(&json!({ "opening": "swap" })));
    room.place(&[(7, 7), (8, 8), (9, 9)]);
    room.say(json!({ "do": "choose", "choice": "black" }));
    let seat = |name: &str| json!({ "player": "human", "name": name });
    room.say(json!({ "do": "seats", "seats": [seat("Ann"), seat("Bob")] }));
    let state = room.state();
    let names = [0, 1].map(|side| state["players"][side]["name"].as_str().unwrap().to_owned());
    assert_eq!(names, ["Ann", "Bob"]);
    assert_eq!(state["players"][0]["seat"], 1);
}

#[test]
fn default_names_of_an_opened_game_do_not_stay_with_other_players() {
    let mut room = simulation();
    let seat = |player: Value, name: &str| json!({ "player": player, "name": name });
    for (player, name, expected) in [
        (json!({ "kakugo": 10 }), "Kakugo Novice", "Kakugo"),
        (json!("human"), "Kakugo Novice", "White"),
        (json!("human"), "Kakugo", "White"),
        (json!({ "kakugo": 2 }), "Human", "Kakugo Novice"),
        (json!({ "kakugo": 2 }), "other 1", "Kakugo Novice"),
        (json!({ "kakugo": 2 }), "Kakugo Mark", "Kakugo Mark"),
    ] {
        let seats = json!([seat(json!("human"), "Human"), seat(player, name)]);
        room.say(new_game(&json!({ "seats": seats })));
        let named = room.room.game().setup().seats[1].name.clone();
        assert_eq!(named, expected);
        room.say(new_game(&json!({})));
        room.say(json!({ "do": "seats", "seats": seats }));
        assert_eq!(room.room.game().setup().seats[1].name, expected);
    }
}

#[test]
fn a_computer_is_asked_for_its_move_and_waits_after_undo() {
    let mut room = simulation();
    room.say(against_kakugo());
    room.place(&[(7, 7)]);
    let (job, request) = room.job();
    assert_eq!((request.priority(), &room.state()["thinking"]), (Priority::Move, &json!("move")));
    room.finish(job, JobResult::Move(Ok(vec![Action::Stone(at(8, 8))])));
    assert_eq!((room.state()["at"].clone(), room.jobs.len()), (json!(2), 0));
    room.say(json!({ "do": "undo", "count": 1 }));
    assert_eq!((room.state()["paused"].clone(), room.jobs.len()), (json!(true), 0));
    room.say(json!({ "do": "pause", "on": false }));
    assert_eq!(room.job().1.priority(), Priority::Move);
    // Without clients nobody thinks.
    room.leave(ClientId(1));
    assert!(room.jobs.is_empty());
    room.join(true);
    assert_eq!(room.job().1.priority(), Priority::Move);
}

/// A room with a game against Kakugo by these rules, whose moves have a pause before them.
fn with_pause(rules: &Value) -> Simulation {
    let pause = Duration::from_millis(600);
    let mut room = Simulation::new(RoomSettings { answer_pause: pause, ..settings() });
    let mut new = against_kakugo();
    new["setup"].as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
    room.say(new);
    room.place(&[(7, 7)]);
    room
}

/// The decision to place a stone.
fn decision(x: u8, y: u8) -> JobResult {
    JobResult::Move(Ok(vec![Action::Stone(at(x, y))]))
}

#[test]
fn an_answer_comes_after_a_pause_in_which_no_clock_runs() {
    let ms = Duration::from_millis;
    let mut room = with_pause(&json!({ "turn_ms": 300 }));
    room.wait(ms(200));
    let (job, _) = room.job();
    room.finish(job, decision(8, 8));
    let state = room.state();
    assert_eq!((&state["at"], &state["thinking"]), (&json!(1), &json!("move")));
    assert_eq!((&state["clock_runs"], room.jobs.len()), (&json!(false), 0));
    room.wait(ms(399));
    assert_eq!(room.state()["at"], 1);
    room.wait(ms(1));
    let state = room.state();
    assert_eq!(
        (&state["at"], &state["end"], &state["clock_runs"]),
        (&json!(2), &json!(null), &json!(true))
    );
    assert_eq!(state["times"][1], 200, "the pause is nobody's time");
    // A search that takes longer has no pause.
    let mut room = with_pause(&json!({}));
    room.wait(ms(700));
    let (job, _) = room.job();
    room.finish(job, decision(8, 8));
    assert_eq!(room.state()["at"], 2);
}

#[test]
fn a_pause_before_an_answer_is_cut_short_switched_off_and_left() {
    let mut room = with_pause(&json!({}));
    let (job, _) = room.job();
    room.finish(job, decision(8, 8));
    room.say(json!({ "do": "now" }));
    assert_eq!(room.state()["at"], 2);
    // Asked for while it is searched, the answer is not held either.
    room.place(&[(9, 9)]);
    room.say(json!({ "do": "now" }));
    let (job, _) = room.job();
    room.finish(job, decision(9, 8));
    assert_eq!(room.state()["at"], 4);
    // Undo forgets the answer that was held.
    room.place(&[(10, 10)]);
    let (job, _) = room.job();
    room.finish(job, decision(10, 9));
    room.say(json!({ "do": "undo", "count": 1 }));
    room.wait(Duration::from_secs(5));
    assert_eq!((room.state()["at"].clone(), room.jobs.len()), (json!(4), 0));
    // Without clients nothing is played.
    room.place(&[(11, 11)]);
    let (job, _) = room.job();
    room.finish(job, decision(11, 9));
    room.leave(ClientId(1));
    room.wait(Duration::from_secs(5));
    room.join(true);
    assert_eq!((room.state()["at"].clone(), room.jobs.len()), (json!(5), 1));
    let (job, _) = room.job();
    room.finish(job, decision(11, 9));
    room.wait(Duration::from_secs(5));
    room.say(json!({ "do": "answer_pause", "ms": 0 }));
    room.place(&[(12, 12)]);
    let (job, _) = room.job();
    room.finish(job, decision(12, 9));
    assert_eq!(room.state()["at"], 8);
}

#[test]
fn a_computer_that_fails_forfeits() {
    let mut room = simulation();
    room.say(against_kakugo());
    room.place(&[(7, 7)]);
    let (job, _) = room.job();
    room.jobs.clear();
    room.handle(Event::Job { job, update: JobUpdate::Failed("why".to_owned()) });
    assert_eq!(room.state()["end"], "failed");
}

#[test]
fn a_hint_is_for_the_position_in_which_it_was_asked_for() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "hint" }));
    assert_eq!(room.job().1.priority(), Priority::Hint);
    room.place(&[(8, 8)]);
    assert!(room.jobs.is_empty());
    room.say(json!({ "do": "hint" }));
    let (job, _) = room.job();
    room.finish(job, suggestion(Action::Stone(at(3, 4)), Some(Idea::Quiet)));
    let shown = |room: &mut Simulation| {
        let state = room.state();
        (state["hint"].clone(), state["hints"]["idea"].clone(), state["hints"]["area"].clone())
    };
    let (area, idea) = (json!([[0, 0], [4, 4]]), room_idea());
    assert_eq!(shown(&mut room), (json!(null), json!(null), area.clone()));
    room.say(json!({ "do": "hint" }));
    assert_eq!(shown(&mut room), (json!(null), idea.clone(), area.clone()));
    room.say(json!({ "do": "hint" }));
    assert_eq!(shown(&mut room), (json!([3, 4]), idea, area));
    assert_eq!(room.state()["hints"]["more"], false);
    room.place(&[(9, 9)]);
    assert_eq!(room.state()["hints"], json!(null));
}

/// The words of a quiet idea.
fn room_idea() -> Value {
    serde_json::to_value(crate::views::coach::idea_text(&Idea::Quiet)).unwrap()
}

#[test]
fn a_hint_is_searched_once_and_shows_all_on_demand() {
    let mut room = simulation();
    room.say(json!({ "do": "hint", "all": true }));
    let (job, _) = room.job();
    room.say(json!({ "do": "hint", "all": true }));
    assert_eq!(room.job().0, job);
    room.finish(job, suggestion(Action::Stone(at(3, 4)), None));
    assert_eq!(room.state()["hint"], json!([3, 4]));
}

#[test]
fn a_hint_at_a_choice_names_the_choice() {
    let mut room = simulation();
    room.say(new_game(&json!({ "opening": "swap" })));
    room.place(&[(7, 7), (8, 8), (9, 9)]);
    room.say(json!({ "do": "hint" }));
    let (job, _) = room.job();
    room.finish(job, suggestion(Action::Choose(OpeningChoice::White), None));
    assert_eq!(room.state()["note"], json!(["Kakugo would choose: {0}.", ["Take White"]]));
}

#[test]
fn analysis_pauses_while_all_tabs_are_hidden() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "analyse", "on": true, "lines": 3 }));
    let (job, _) = room.job();
    let first = ClientId(1);
    let spectator = room.join(false);
    room.say(json!({ "do": "visible", "on": false }));
    assert_eq!(room.job().0, job, "the player still sees it");
    room.handle(Event::Command { client: first, command: Command::Visible { on: false } });
    assert!(room.jobs.is_empty());
    assert_eq!(room.state()["analyse"], 3);
    room.handle(Event::Command { client: spectator, command: Command::Visible { on: true } });
    assert_eq!(room.job().1.priority(), Priority::Analysis);
}

/// Reports the progress of the only job.
fn report(room: &mut Simulation, depth: u32, best: Point, seconds: u64) {
    let (job, _) = room.job();
    let elapsed = Duration::from_secs(seconds);
    let line = PvLine { depth, score: Score::from_eval(0), moves: vec![best] };
    let progress = Progress { lines: vec![line], elapsed, ..Progress::default() };
    let update = JobUpdate::Progress { progress: Some(Box::new(progress)), elapsed, nodes: 1 };
    room.handle(Event::Job { job, update });
}

#[test]
fn analysis_rests_without_a_change_and_goes_on_on_demand() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "analyse", "on": true, "lines": 1 }));
    report(&mut room, 5, at(8, 8), 1);
    report(&mut room, 9, at(8, 8), REST_AFTER.as_secs() - 1);
    assert_eq!(room.state()["resting"], false);
    report(&mut room, 9, at(8, 8), REST_AFTER.as_secs() + 1);
    let state = room.state();
    assert_eq!((&state["resting"], &state["analyse"]), (&json!(true), &json!(1)));
    assert!(room.jobs.is_empty());
    // Its result stays.
    assert_eq!(room.sent("analysis").unwrap()["lines"][0]["depth"], 9);
    room.say(json!({ "do": "analyse", "on": true, "lines": 1 }));
    assert_eq!((room.state()["resting"].clone(), room.jobs.len()), (json!(false), 1));
    report(&mut room, 5, at(8, 8), 1);
    report(&mut room, 9, at(8, 8), REST_AFTER.as_secs() + 2);
    room.place(&[(8, 8)]);
    assert_eq!((room.state()["resting"].clone(), room.jobs.len()), (json!(false), 1));
}

#[test]
fn clients_hear_when_the_search_waits() {
    let mut room = simulation();
    room.say(json!({ "do": "analyse", "on": true, "lines": 1 }));
    let (job, _) = room.job();
    for (update, queued) in [(JobUpdate::Queued, true), (JobUpdate::Running, false)] {
        room.handle(Event::Job { job, update: update.clone() });
        assert_eq!(room.sent("queue").unwrap()["queued"], queued);
        room.messages.clear();
        room.handle(Event::Job { job, update });
        assert_eq!(room.sent("queue"), None, "only changes are sent");
        assert_eq!(room.state()["queued"], queued);
    }
}

#[test]
fn spectators_and_remote_clients_have_fewer_rights() {
    let mut room = simulation();
    room.join(false);
    let refusal = room.refused(json!({ "do": "play", "x": 7, "y": 7 }));
    assert_eq!(refusal.as_deref(), Some("You are watching this game."));
    let remote = ClientId(9);
    let rights = Rights { plays: true, is_local: false };
    room.handle(Event::Joined { client: remote, rights });
    room.messages.clear();
    room.handle(Event::Command { client: remote, command: Command::Games });
    let [(to, Message::Refused { .. })] = &room.messages[..] else { panic!() };
    assert_eq!(*to, Recipient::One(remote));
    room.messages.clear();
    room.handle(Event::Lagged { client: remote });
    assert!(room.sent("state").is_some());
}

/// A room with a puzzle: Black has three in a row and may win.
fn puzzle() -> Simulation {
    let mut room = simulation();
    let mut new = new_game(&json!({}));
    new["moves"] = json!("f15h8g15i9h15h7");
    room.say(new);
    room.say(json!({ "do": "comment", "id": 0, "text": "worth saving" }));
    room.say(json!({ "do": "practice", "anew": false }));
    room.flush_storage();
    let (job, Job::Puzzles(game)) = room.job() else { panic!() };
    let puzzles = crate::puzzles::find(&game, &kakugo::search::Signals::default());
    room.finish(job, JobResult::Puzzles(puzzles));
    room.wait(Duration::from_secs(1));
    assert!(room.sent("puzzles").unwrap()["puzzles"].as_array().is_some());
    room
}

#[test]
fn saved_games_are_searched_for_puzzles() {
    let mut room = puzzle();
    let list = room.sent("puzzles").unwrap();
    assert_eq!((&list["goes_on"], &list["games"]), (&json!(false), &json!(1)));
    assert_eq!(
        room.refused(json!({ "do": "puzzle", "number": 99 })).as_deref(),
        Some("There is no such puzzle.")
    );
}

#[test]
fn games_begin_from_positions() {
    let mut room = simulation();
    let start = json!({ "black": "f8g8h8i8", "white": "a1", "blocked": "o15", "turn": "white" });
    let mut new = new_game(&json!({ "start": start }));
    new["moves"] = json!("j8--c3");
    room.say(new.clone());
    let state = room.state();
    assert_eq!(state["moves"], json!([[9, 7], null, [2, 12]]));
    assert_eq!(state["sides"], json!(["white", "black", "white"]));
    assert_eq!((&state["steps"], &state["at"]), (&json!([1, 2, 3]), &json!(3)));
    assert_eq!(state["start"]["black"], json!([[5, 7], [6, 7], [7, 7], [8, 7]]));
    assert_eq!((&state["start"]["blocked"], &state["turn"]), (&json!([[14, 0]]), &json!("black")));
    let refused = |room: &mut Simulation, point: &str| {
        let (x, y) = (point.as_bytes()[0] - b'a', 15 - point[1..].parse::<u8>().unwrap());
        room.refused(json!({ "do": "play", "x": x, "y": y }))
    };
    assert_eq!(
        refused(&mut room, "o15").as_deref(),
        Some("o15 cannot be played: the point is blocked.")
    );
    room.say(json!({ "do": "play", "x": 4, "y": 7 }));
    let state = room.state();
    assert_eq!((&state["end"], &state["winner"]), (&json!("row"), &json!("black")));
    // It is saved and loaded with its position.
    room.say(json!({ "do": "games" }));
    room.flush_storage();
    let list = room.sent("kept").unwrap();
    let saved = &list["games"][0];
    assert_eq!(saved["moves"], 4);
    assert_eq!(saved["position"][0].as_array().unwrap().len(), 5);
    assert_eq!(saved["position"][1].as_array().unwrap().len(), 3);
    let before = room.room.game().board().key();
    room.upload();
    assert_eq!(room.room.game().board().key(), before);
    new["setup"]["start"]["black"] = json!("p1");
    assert_eq!(
        room.refused(new).as_deref(),
        Some("The game cannot be played: a stone of the position is off the board.")
    );
}

/// A room with a puzzle on the board, without a search for it.
fn attempt() -> Simulation {
    let mut room = simulation();
    let mut new = new_game(&json!({}));
    new["moves"] = json!("f15h8g15i9h15h7");
    room.say(new);
    room.say(json!({ "do": "comment", "id": 0, "text": "worth saving" }));
    room.say(json!({ "do": "practice", "anew": false }));
    room.flush_storage();
    let (job, Job::Puzzles(game)) = room.job() else { panic!() };
    let moves: Vec<Point> = game.line().collect();
    let puzzle = crate::puzzles::Puzzle {
        setup: game.setup().clone(),
        moves,
        side: kakugo::board::Side::Black,
        line: vec![at(4, 0), at(8, 0), at(3, 0)],
        stones: 2,
        task: crate::puzzles::Task::Win,
        right: Vec::new(),
        kind: Some(kakugo_record::analysis::puzzle::WinKind::OpenFour),
        grade: 1,
        step: None,
        title: String::new(),
        missed: true,
        own: true,
        date: String::new(),
    };
    room.finish(job, JobResult::Puzzles(vec![puzzle]));
    room.say(json!({ "do": "puzzle", "number": 0 }));
    assert_eq!(room.state()["practice"]["stage"], "try");
    room
}

#[test]
fn answers_are_judged_replied_to_and_taken_back() {
    let mut room = attempt();
    room.place(&[(8, 0)]);
    let refusal = room.refused(json!({ "do": "hint" }));
    assert_eq!(refusal.as_deref(), Some("Your answer is being judged."));
    let (job, _) = room.job();
    room.finish(job, JobResult::Verdict(Verdict::Right(at(4, 0))));
    let state = room.state();
    assert_eq!((&state["practice"]["said"]["verdict"], &state["at"]), (&json!("right"), &json!(8)));
    room.place(&[(0, 0)]);
    let (job, _) = room.job();
    room.finish(job, JobResult::Verdict(Verdict::Wrong(None)));
    let state = room.state();
    assert_eq!((&state["practice"]["mistakes"], &state["at"]), (&json!(1), &json!(8)));
    room.place(&[(9, 0)]);
    let (job, _) = room.job();
    room.finish(job, JobResult::Verdict(Verdict::Solved));
    assert_eq!(room.state()["practice"]["stage"], "solved");
    assert_eq!(room.files.len(), 1, "puzzles are not saved");
}

#[test]
fn an_answer_elsewhere_is_refused_and_not_judged() {
    let mut room = attempt();
    let problem = room.state()["node"].clone();
    let answer = json!({ "do": "play", "x": 8, "y": 0 });
    for ply in [0, 4] {
        room.say(json!({ "do": "goto", "ply": ply }));
        for command in [&answer, &json!({ "do": "hint" })] {
            let why = room.refused(command.clone());
            let expected = "This is not the position of the puzzle: go to the last move.";
            assert_eq!(why.as_deref(), Some(expected), "{command}");
        }
        let delete = room.refused(json!({ "do": "delete", "id": problem }));
        assert!(delete.is_some(), "the puzzle could not be answered any more");
    }
    let practice = room.state()["practice"].clone();
    assert_eq!((&practice["mistakes"], &practice["hinted"]), (&json!(0), &json!(false)));
    assert!(room.jobs.is_empty());
    room.say(json!({ "do": "goto", "ply": 6 }));
    assert_eq!(room.refused(answer), None);
}

#[test]
fn a_puzzle_solved_with_a_search_is_not_solved_at_the_first_try() {
    let help = [
        vec![json!({ "do": "analyse", "on": true, "lines": 3 })],
        vec![json!({ "do": "explain" })],
        vec![
            json!({ "do": "edit", "edit": "begin" }),
            json!({ "do": "edit", "edit": { "solve": { "method": "threats", "ms": 1000 } } }),
        ],
    ];
    for commands in help {
        let mut room = attempt();
        for command in &commands {
            assert_eq!(room.refused(command.clone()), None);
        }
        assert_eq!(room.state()["practice"]["hinted"], true, "{commands:?}");
    }
    // After the solution it is no help.
    let mut room = attempt();
    room.say(json!({ "do": "solution" }));
    room.say(json!({ "do": "analyse", "on": true, "lines": 3 }));
    assert_eq!(room.state()["practice"]["hinted"], false);
}

#[test]
fn the_solution_is_shown_in_the_position_of_the_puzzle() {
    let mut room = attempt();
    room.say(json!({ "do": "solution" }));
    let problem = room.state()["node"].clone();
    // Another line may be tried now, in which the known one is no hint.
    room.say(json!({ "do": "goto", "ply": 4 }));
    room.place(&[(14, 14)]);
    room.say(json!({ "do": "hint" }));
    assert!(matches!(room.job().1, Job::Hint(_)));
    room.say(json!({ "do": "solution" }));
    assert_eq!(room.state()["node"], problem);
}

#[test]
fn an_answer_that_nobody_judges_any_more_is_taken_back() {
    let mut room = attempt();
    room.place(&[(8, 0)]);
    // The page is loaded again.
    room.leave(ClientId(1));
    room.join(true);
    let state = room.state();
    assert_eq!((&state["practice"]["stage"], &state["at"]), (&json!("try"), &json!(6)));
    room.place(&[(8, 0)]);
    assert_eq!(room.job().1.priority(), Priority::Hint);
}

/// Opens the first problem of a step and returns it.
fn train(room: &mut Simulation, step: usize) -> kakugo_record::problems::Problem {
    use kakugo_record::problems::{Step, pack};
    room.say(json!({ "do": "train", "set": "freestyle", "step": step }));
    assert_eq!(room.state()["practice"]["stage"], "try");
    pack().iter().find(|problem| problem.step == Step::of_number(step).unwrap()).unwrap().clone()
}

#[test]
fn built_in_problems_are_judged_by_their_known_solutions() {
    let mut room = simulation();
    room.say(json!({ "do": "practice", "anew": false }));
    let sets = room.sent("training").unwrap()["sets"].clone();
    assert_eq!((&sets[0]["set"], &sets[1]["set"]), (&json!("freestyle"), &json!("renju")));
    assert_eq!(sets[0]["steps"][5]["total"], 25);
    room.flush_storage();
    let play = |room: &mut Simulation, p: Point| room.place(&[(p.x(), p.y())]);
    // A five is played at once; another move is wrong, and the problem comes again.
    let problem = train(&mut room, 1);
    let board = problem.board();
    let wrong = board.empty_points().find(|&p| board.is_legal(p) && !problem.is_right(p)).unwrap();
    play(&mut room, wrong);
    assert_eq!(room.state()["practice"]["said"]["verdict"], "wrong");
    assert_eq!(room.sent("training").unwrap()["sets"][0]["steps"][0]["due"], 1);
    play(&mut room, problem.right[0]);
    assert_eq!(room.state()["practice"]["stage"], "solved");
    let first = room.sent("training").unwrap()["sets"][0]["steps"][0].clone();
    assert_eq!((&first["solved"], &first["due"]), (&json!(1), &json!(0)));
    room.flush_storage();
    assert_eq!(room.journal.lines().count(), 2);
    room.say(json!({ "do": "next_puzzle" }));
    assert_eq!(room.state()["practice"]["mistakes"], 0);
    // The known line is followed without a search.
    let problem = train(&mut room, 4);
    for p in problem.line.iter().step_by(2) {
        play(&mut room, *p);
        assert!(room.jobs.is_empty());
    }
    assert_eq!(room.state()["practice"]["stage"], "solved");
    // Every right defence solves; of others, the refutation is searched.
    let problem = train(&mut room, 6);
    let board = problem.board();
    let wrong = board.empty_points().find(|&p| board.is_legal(p) && !problem.is_right(p)).unwrap();
    play(&mut room, wrong);
    let (job, Job::Verdict { task, .. }) = room.job() else { panic!() };
    assert_eq!(task, crate::puzzles::Task::Defend);
    room.finish(job, JobResult::Verdict(Verdict::Wrong(Some(problem.right[0]))));
    assert_eq!(room.state()["practice"]["said"]["reply"].as_array().unwrap().len(), 2);
    play(&mut room, problem.right[0]);
    assert_eq!(room.state()["practice"]["stage"], "solved");
    // Another room reads the journal.
    room.flush_storage();
    let mut other = simulation();
    other.journal = room.journal.clone();
    other.say(json!({ "do": "practice", "anew": false }));
    other.flush_storage();
    assert_eq!(other.sent("training").unwrap()["sets"][0]["steps"][0]["solved"], 1);
}

#[test]
fn a_file_of_positions_is_practised() {
    let mut room = simulation();
    room.place(&[(7, 7), (0, 0), (8, 7), (0, 1)]);
    assert!(room.refused(json!({ "do": "train", "set": "file" })).is_some());
    room.play_line("@practise");
    let sets = room.sent("training").unwrap()["sets"].clone();
    assert_eq!((&sets[2]["set"], &sets[2]["steps"][0]["total"]), (&json!("file"), &json!(1)));
    room.say(json!({ "do": "train", "set": "file" }));
    assert_eq!(room.state()["practice"]["side"], "black");
    // Nothing is known about it: the solution is searched.
    room.say(json!({ "do": "solution" }));
    let (job, Job::Solve(_)) = room.job() else { panic!() };
    let line = vec![at(6, 7), at(5, 7), at(9, 7)];
    let solution = Solution { result: SolveResult::Win, line, is_shortest: true, nodes: 1 };
    room.finish(job, JobResult::Solve(solution));
    let state = room.state();
    assert_eq!(state["practice"]["solution"], json!([[6, 7], [5, 7], [9, 7]]));
    assert_eq!(state["practice"]["stage"], "shown");
}

#[test]
fn a_threatened_position_of_a_file_is_a_defence() {
    let mut room = simulation();
    // Black has an open three.
    room.place(&[(5, 7), (0, 0), (6, 7), (0, 2), (7, 7)]);
    room.play_line("@practise");
    room.say(json!({ "do": "train", "set": "file" }));
    let state = room.state();
    assert_eq!(
        (&state["practice"]["task"], &state["practice"]["side"]),
        (&json!("defend"), &json!("white"))
    );
    room.place(&[(14, 14)]);
    let (job, Job::Verdict { task, board, answer }) = room.job() else { panic!() };
    let signals = kakugo::search::Signals::default();
    let mut engine = kakugo::search::Engine::new(1 << 20);
    let verdict = crate::puzzles::judge(task, &mut engine, &board, answer, &signals);
    assert!(matches!(verdict, Verdict::Wrong(Some(_))), "{verdict:?}");
    room.finish(job, JobResult::Verdict(verdict));
    room.place(&[(4, 7)]);
    let (job, _) = room.job();
    room.finish(job, JobResult::Verdict(Verdict::Solved));
    assert_eq!(room.state()["practice"]["stage"], "solved");
    // The solution is what the other side threatens.
    room.say(json!({ "do": "next_puzzle" }));
    room.say(json!({ "do": "solution" }));
    assert_eq!(room.state()["practice"]["solution"].as_array().map(Vec::len), Some(3));
}

#[test]
fn hints_and_the_solution_of_a_puzzle_need_no_search() {
    let mut room = attempt();
    // An area, an idea, a move.
    room.say(json!({ "do": "hint" }));
    let state = room.state();
    assert_eq!((&state["hint"], &state["practice"]["hinted"]), (&json!(null), &json!(true)));
    room.say(json!({ "do": "hint", "all": true }));
    let state = room.state();
    assert_eq!((&state["hint"], &state["hints"]["more"]), (&json!([4, 0]), &json!(false)));
    room.say(json!({ "do": "solution" }));
    let state = room.state();
    assert_eq!(state["practice"]["solution"], json!([[4, 0], [8, 0], [3, 0]]));
    assert!(room.jobs.is_empty());
}

#[test]
fn a_reviewed_game_is_saved_with_annotations() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8), (6, 7)]);
    let why = room.room.annotated_record().unwrap_err().to_string();
    assert_eq!(why, "This game has not been reviewed: explain it first.");
    room.say(json!({ "do": "explain" }));
    for number in [0, 0, 900, 0] {
        let (job, _) = room.job();
        room.play_line(&format!("@job {} {number}", 0));
        assert!(!room.jobs.contains_key(&job));
    }
    let text = String::from_utf8(room.room.annotated_record().unwrap()).unwrap();
    assert!(text.contains("]C["), "{text}");
    let plain = String::from_utf8(room.room.record(kakugo_record::file::Format::Sgf).unwrap());
    assert!(!plain.unwrap().contains("]C["));
}

/// The command for the position editor.
fn edit_with(edit: Value) -> Value {
    json!({ "do": "edit", "edit": edit })
}

#[test]
fn a_position_is_set_up_solved_and_played_on() {
    let mut room = simulation();
    room.say(new_game(&json!({ "turn_ms": 600_000 })));
    room.place(&[(7, 7), (0, 0)]);
    assert_eq!(
        room.refused(edit_with(json!("clear"))).as_deref(),
        Some("The position editor is closed.")
    );
    room.say(edit_with(json!("begin")));
    let state = room.state();
    assert_eq!((&state["paused"], &state["clock_runs"]), (&json!(true), &json!(false)));
    let editor = room.sent("editor").unwrap()["editor"].clone();
    assert_eq!((&editor["black"], &editor["turn"]), (&json!([[7, 7]]), &json!("black")));
    let put = |x, y, what| edit_with(json!({ "put": { "x": x, "y": y, "what": what } }));
    for (x, y, what) in [(8, 7, "black"), (9, 7, "black"), (6, 7, "white"), (0, 0, "empty")] {
        room.say(put(x, y, what));
    }
    assert!(room.refused(put(20, 20, "black")).is_some());
    room.say(edit_with(json!({ "side": { "side": null } })));
    let editor = room.sent("editor").unwrap()["editor"].clone();
    assert_eq!((&editor["turn"], &editor["assumed"]), (&json!("white"), &json!(true)));
    assert!(editor["remark"].is_array() && editor["objection"].is_null());
    // The game on the board has not changed.
    assert_eq!(room.state()["at"], 2);
    room.say(edit_with(json!({ "side": { "side": "black" } })));
    room.say(edit_with(json!({ "solve": { "method": "threats", "ms": 5000 } })));
    let (job, Job::Solve(request)) = room.job() else { panic!() };
    assert_eq!(request.board.side_to_move(), kakugo::board::Side::Black);
    let line = vec![at(10, 7), at(11, 7)];
    let solution = Solution { result: SolveResult::Win, line, is_shortest: true, nodes: 1 };
    room.finish(job, JobResult::Solve(solution));
    let editor = room.sent("editor").unwrap()["editor"].clone();
    assert_eq!(editor["solution"]["line"], json!([[10, 7], [11, 7]]));
    assert_eq!(editor["solution"]["winner"], "black");
    // A change forgets the solution, and stops a search.
    room.say(edit_with(json!({ "solve": { "method": "fours", "ms": 5000 } })));
    room.say(edit_with(json!({ "turn": { "turn": "mirror" } })));
    assert!(room.jobs.is_empty());
    assert!(room.sent("editor").unwrap()["editor"]["solution"].is_null());
    let seats = json!([{ "player": "human" }, { "player": { "kakugo": 3 } }]);
    room.say(edit_with(json!({ "use": { "seats": seats } })));
    assert!(room.sent("editor").unwrap()["editor"].is_null());
    let state = room.state();
    assert_eq!(state["start"]["black"], json!([[5, 7], [6, 7], [7, 7]]));
    assert_eq!((&state["start"]["white"], &state["turn"]), (&json!([[8, 7]]), &json!("black")));
    assert_eq!(state["players"][1]["kind"], "kakugo");
}

#[test]
fn a_computer_begins_from_an_edited_position_and_analysis_starts() {
    let mut room = simulation();
    room.say(edit_with(json!("begin")));
    room.say(edit_with(json!({ "put": { "x": 7, "y": 7, "what": "black" } })));
    let seats = json!([{ "player": "human" }, { "player": { "kakugo": 3 } }]);
    room.say(edit_with(json!({ "use": { "seats": seats } })));
    assert!(matches!(room.job().1, Job::Move(_)));
    room.say(edit_with(json!("begin")));
    assert!(room.jobs.is_empty(), "the computer waits");
    room.say(edit_with(json!("end")));
    assert!(matches!(room.job().1, Job::Move(_)));
    room.say(edit_with(json!("begin")));
    room.say(edit_with(json!({ "use": { "analyse": 3 } })));
    let (_, Job::Analysis { request, .. }) = room.job() else { panic!() };
    assert_eq!(request.lines, 3);
    // A file may be set up, too. Without clients nothing is solved.
    room.play_line("@edit");
    room.say(edit_with(json!({ "solve": { "method": "search", "ms": 5000 } })));
    assert_eq!(room.jobs.len(), 2);
    room.leave(ClientId(1));
    assert!(room.jobs.is_empty());
}

#[test]
fn humans_pass() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "pass" }));
    room.place(&[(8, 8)]);
    let state = room.state();
    assert_eq!(state["moves"], json!([[7, 7], null, [8, 8]]));
    assert_eq!(state["sides"], json!(["black", "white", "black"]));
    room.upload();
    assert_eq!(room.state()["moves"], json!([[7, 7], null, [8, 8]]));
    room.say(new_game(&json!({ "opening": "swap" })));
    assert_eq!(
        room.refused(json!({ "do": "pass" })).as_deref(),
        Some("Players may not pass here.")
    );
    let mut room = attempt();
    assert!(room.refused(json!({ "do": "pass" })).is_some());
}

#[test]
fn a_game_is_saved_from_its_first_move_on_and_stays_saved_without_moves() {
    let mut room = simulation();
    assert!(room.files.is_empty());
    room.place(&[(7, 7), (8, 8)]);
    assert_eq!(room.files.len(), 1);
    let first = room.state()["line"][0].clone();
    room.say(json!({ "do": "delete", "id": first }));
    let (id, text) = room.files.first_key_value().unwrap();
    let saved = crate::saved_game::read(text, &[]).unwrap();
    assert_eq!((saved.game.tree().count(), &*saved.room, &*saved.key), (1, "id", "key"));
    assert_eq!(room.room.saved_game(), Some(&**id));
    // It is deleted when another game takes its place.
    room.say(new_game(&json!({})));
    assert!(room.files.is_empty());
}

#[test]
fn notes_on_a_position_without_moves_are_saved() {
    for note in [
        json!({ "do": "comment", "id": 0, "text": "Black to play and win." }),
        json!({ "do": "mark", "id": 0, "x": 3, "y": 3, "sign": "circle" }),
        json!({ "do": "arrow", "id": 0, "from": [3, 3], "to": [4, 4] }),
        json!({ "do": "describe", "study": "", "title": "Lesson 1" }),
    ] {
        let mut room = simulation();
        room.say(edit_with(json!("begin")));
        room.say(edit_with(json!({ "put": { "x": 7, "y": 7, "what": "black" } })));
        room.say(edit_with(json!({ "use": {} })));
        assert!(room.files.is_empty());
        room.say(note.clone());
        let id = room.room.saved_game().unwrap().to_owned();
        room.say(new_game(&json!({})));
        assert!(room.files.contains_key(&id), "{note}");
    }
    // Notes that were deleted again are not worth a file.
    let mut room = simulation();
    room.say(json!({ "do": "mark", "id": 0, "x": 3, "y": 3, "sign": "circle" }));
    assert_eq!(room.files.len(), 1);
    room.say(json!({ "do": "clear_marks", "id": 0 }));
    room.say(new_game(&json!({})));
    assert!(room.files.is_empty());
}

#[test]
fn a_new_game_is_saved_at_the_end_if_a_saved_one_was_before_it() {
    let mut room = simulation();
    room.handle(Event::Shutdown);
    assert!(room.files.is_empty());
    room.place(&[(7, 7), (8, 8)]);
    room.say(new_game(&json!({ "width": 19 })));
    assert_eq!(room.files.len(), 1);
    room.handle(Event::Shutdown);
    assert_eq!(room.files.len(), 2);
}

#[test]
fn saved_games_are_listed_opened_and_deleted() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    let first = room.room.saved_game().unwrap().to_owned();
    room.say(new_game(&json!({ "width": 9, "height": 9 })));
    room.place(&[(4, 4)]);
    room.say(json!({ "do": "games" }));
    room.flush_storage();
    let list = room.sent("kept").unwrap()["games"].clone();
    let own: Vec<bool> = list.as_array().unwrap().iter().map(|game| game["own"] == true).collect();
    assert_eq!((own.len(), own.iter().filter(|&&own| own).count()), (2, 1));
    room.say(json!({ "do": "open", "id": first }));
    room.flush_storage();
    assert_eq!((room.state()["at"].clone(), room.room.saved_game()), (json!(2), Some(&*first)));
    room.say(json!({ "do": "forget", "id": first }));
    room.flush_storage();
    assert_eq!(room.sent("kept").unwrap()["games"].as_array().unwrap().len(), 1);
    // It stays on the board, and is saved again from its next move on.
    assert_eq!((room.state()["at"].clone(), room.room.saved_game()), (json!(2), None));
    room.place(&[(9, 9)]);
    assert_eq!(room.files.len(), 2);
    let current = room.room.saved_game().unwrap().to_owned();
    let other = room.files.keys().find(|id| **id != current).unwrap().clone();
    let mut refusal = |id: &str, owned: bool| {
        if owned {
            room.own(id);
        }
        room.messages.clear();
        room.say(json!({ "do": "open", "id": id }));
        room.flush_storage();
        room.sent("refused").unwrap()["why"][0].as_str().unwrap().to_owned()
    };
    let damaged = "That game cannot be read: its file is damaged or was deleted.";
    assert_eq!(refusal("none", false), damaged);
    assert_eq!(refusal(&other, true), "That game is open in another tab.");
}

#[test]
fn a_saved_game_is_given_up_for_another_room() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    let id = room.room.saved_game().unwrap().to_owned();
    assert!(room.room.owns_saved_game(&id));
    room.leave(ClientId(1));
    room.handle(Event::Yield { id: id.clone() });
    assert!(!room.room.owns_saved_game(&id) && room.files.contains_key(&id));
}

#[test]
fn a_restored_game_waits_for_its_player() {
    let mut room = simulation();
    room.say(new_game(&json!({ "turn_ms": 600_000 })));
    room.place(&[(7, 7), (8, 8)]);
    let (id, text) = room.files.pop_first().unwrap();
    let mut next = simulation();
    next.handle(Event::Restored { id, text, for_spectators: true });
    let state = next.state();
    assert_eq!((&state["at"], &state["clock_runs"]), (&json!(2), &json!(false)));
    assert_eq!(state["note"], json!(["Your game is back."]));
    next.place(&[(9, 9)]);
    assert_eq!(next.state()["clock_runs"], true);
}

/// Ends the jobs of a review with this score.
fn review(room: &mut Simulation, count: usize) {
    for _ in 0..count {
        let (job, Job::Review { .. }) = room.job() else { panic!() };
        let result = kakugo_record::analysis::review::EvaluatedPosition {
            black: Score::from_eval(100),
            black_permille: Score::from_eval(100).win_rate_permille(),
            best_line: Vec::new(),
            depth: 7,
            by_fours: false,
            checks: 0,
        };
        room.finish(job, JobResult::Review(result));
    }
}

#[test]
fn a_review_goes_through_the_line_and_is_saved_with_the_game() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    room.say(json!({ "do": "explain" }));
    review(&mut room, 2);
    room.wait(Duration::from_millis(200));
    let progress = json!({ "done": 2, "total": 3, "elsewhere": null });
    assert_eq!(room.sent("state").unwrap()["reviewing"], progress);
    review(&mut room, 1);
    assert_eq!(room.state()["reviewing"], Value::Null);
    assert_eq!(room.sent("review").unwrap()["positions"], 3);
    assert!(room.files.first_key_value().unwrap().1.contains("KRV["));
    // Asked for again, it is made again, and stopped by the second click.
    room.say(json!({ "do": "explain" }));
    assert_eq!(room.jobs.len(), 1);
    room.say(json!({ "do": "explain" }));
    assert!(room.jobs.is_empty());
}

#[test]
fn a_review_goes_on_when_its_game_leaves_the_board() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    let id = room.room.saved_game().unwrap().to_owned();
    room.say(json!({ "do": "explain" }));
    room.say(new_game(&json!({})));
    review(&mut room, 1);
    room.wait(Duration::from_millis(200));
    assert_eq!(room.sent("state").unwrap()["reviewing"]["elsewhere"][0], "{0} – {1}");
    room.say(json!({ "do": "open", "id": id }));
    assert_eq!(room.state()["at"], 1);
    room.say(new_game(&json!({})));
    review(&mut room, 1);
    assert!(room.jobs.is_empty() && room.files[&id].contains("KRV["));
    assert!(!room.room.owns_saved_game(&id));
}

#[test]
fn a_game_deleted_under_review_is_not_saved_again() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    let id = room.room.saved_game().unwrap().to_owned();
    room.say(json!({ "do": "explain" }));
    room.say(json!({ "do": "forget", "id": id }));
    room.flush_storage();
    assert!(room.jobs.is_empty() && room.files.is_empty());
    assert_eq!(room.state()["reviewing"], Value::Null);
}

#[test]
fn computers_think_about_opened_games_as_long_as_about_others() {
    let mut room = simulation();
    let thought = room.room.game().setup().thought;
    let mut setup = Setup::default().checked(&[]).unwrap();
    setup.thought = thought + Duration::from_secs(1);
    let game = Box::new(LiveGame::new(setup));
    room.handle(Event::File(FileEvent::Show { game, notice: notice_of_omitted_moves(2) }));
    assert_eq!(room.room.game().setup().thought, thought);
    assert_eq!(room.state()["note"][1], 2);
}

#[test]
fn large_games_are_saved_at_intervals() {
    let mut room = simulation();
    let point = |n: u32| [n % 15, n / 15].map(|n| char::from(b'a' + n as u8)).iter().collect();
    let variation = |white: u32| -> String {
        let black = (0..12).map(|n| point(white + 1 + n)).map(|p: String| format!("(;B[{p}])"));
        format!("(;W[{}]{})", point(white) as String, black.collect::<String>())
    };
    let text = format!("(;GM[4];B[oo]{})", (0..200).map(variation).collect::<String>());
    let file = crate::game_file::GameFile::read(
        "large.sgf",
        text.into_bytes(),
        kakugo_record::pos::RowOrder::FromBottom,
        room.room.pattern(),
    );
    let (game, notice) = file.unwrap().game(0).unwrap();
    room.handle(Event::File(FileEvent::Show { game: Box::new(game), notice }));
    assert_eq!(room.files.len(), 1);
    room.say(json!({ "do": "comment", "id": 0, "text": "a change" }));
    assert!(room.room.game().tree().count() > 2000);
    let changed = |room: &Simulation| room.files.values().any(|text| text.contains("a change"));
    assert!(!changed(&room));
    room.wait(Duration::from_secs(6));
    assert!(changed(&room));
}

/// Returns a room whose player has this history.
fn returning(history: Option<LevelHistory>) -> Simulation {
    let settings = RoomSettings { player_level: true, ..settings() };
    Simulation::with_history(settings, history)
}

#[test]
fn a_gentle_start_is_for_new_players_and_others_meet_their_level() {
    let state = returning(None).state();
    assert_eq!(state["players"][1]["number"], 3);
    assert_eq!(state["note"][0], "A gentle start: level {0}, {1}. New game offers others.");
    let state = returning(Some(LevelHistory { level: 5, run: 1 })).state();
    assert_eq!((&state["players"][1]["number"], &state["note"]), (&json!(5), &Value::Null));
    assert_eq!(state["players"][1]["name"], json!(["Kakugo · {0} ({1})", ["Club player"], 5]));
    assert_eq!(state["level"], json!({ "level": 5, "run": 1, "suggested": null }));
    // What a browser stores may be nonsense.
    let state = returning(Some(LevelHistory { level: 99, run: 1 })).state();
    assert_eq!(state["players"][1]["number"], 3);
}

#[test]
fn two_results_in_a_row_suggest_another_level() {
    let mut room = returning(Some(LevelHistory { level: 5, run: 0 }));
    let lose = |room: &mut Simulation| room.say(json!({ "do": "resign" }));
    let suggested = |room: &mut Simulation| room.state()["level"]["suggested"].clone();
    lose(&mut room);
    assert_eq!(room.state()["level"], json!({ "level": 5, "run": -1, "suggested": null }));
    // A game counts once.
    room.say(json!({ "do": "undo" }));
    lose(&mut room);
    assert_eq!(suggested(&mut room), Value::Null);
    room.say(json!({ "do": "rematch" }));
    lose(&mut room);
    assert_eq!(suggested(&mut room), 4);
    room.say(json!({ "do": "rematch", "level": 4 }));
    let state = room.state();
    assert_eq!(state["level"], json!({ "level": 4, "run": 0, "suggested": null }));
    assert_eq!(state["players"][1]["name"], json!(["Kakugo · {0} ({1})", ["Casual"], 4]));
    // Wins: Kakugo's clock runs out.
    for expected in [json!(null), json!(5)] {
        let seats = json!([{ "player": "human" }, { "player": { "kakugo": 4 } }]);
        room.say(new_game(&json!({ "seats": seats, "turn_ms": 1000 })));
        room.place(&[(7, 7)]);
        room.wait(Duration::from_secs(2));
        assert_eq!((room.state()["end"].clone(), suggested(&mut room)), (json!("time"), expected));
    }
    // Between humans there is no level.
    room.say(new_game(&json!({})));
    lose(&mut room);
    assert_eq!(room.state()["level"], json!({ "level": 4, "run": 2, "suggested": null }));
}

#[test]
fn opened_games_and_changed_players_do_not_count_for_the_level() {
    let history = LevelHistory { level: 5, run: 1 };
    let mut room = returning(Some(history));
    let mut new =
        new_game(&json!({ "seats": [{ "player": "human" }, { "player": { "kakugo": 5 } }] }));
    new["moves"] = json!("h8h9");
    room.say(new.clone());
    room.say(json!({ "do": "resign" }));
    assert_eq!(room.state()["level"]["run"], 1);
    room.say(new_game(&json!({})));
    room.place(&[(7, 7), (8, 8)]);
    room.say(json!({ "do": "seats", "seats": new["setup"]["seats"] }));
    room.say(json!({ "do": "resign" }));
    assert_eq!(room.state()["level"]["run"], 1);
}

/// Commands to the position editor.
fn edit() -> impl Strategy<Value = Value> {
    let what = prop::sample::select(vec!["black", "white", "blocked", "empty"]);
    let turn = prop::sample::select(vec!["right", "left", "mirror", "flip"]);
    let side = prop::sample::select(vec![json!("black"), json!("white"), json!(null)]);
    let method = prop::sample::select(vec!["fours", "threats", "search"]);
    let rule = prop::sample::select(vec!["freestyle", "standard", "renju", "caro"]);
    prop_oneof![
        4 => Just(json!("begin")),
        1 => Just(json!("end")),
        4 => (0..17_u8, 0..17_u8, what)
            .prop_map(|(x, y, what)| json!({ "put": { "x": x, "y": y, "what": what } })),
        1 => Just(json!("clear")),
        1 => (2..20_u8, 2..20_u8, rule, 3..7_u8).prop_map(|(width, height, rule, win)| {
            json!({ "board": { "width": width, "height": height, "rule": rule, "win": win } })
        }),
        1 => side.prop_map(|side| json!({ "side": { "side": side } })),
        1 => turn.prop_map(|turn| json!({ "turn": { "turn": turn } })),
        1 => Just(json!("undo")),
        2 => method.prop_map(|method| json!({ "solve": { "method": method, "ms": 1000 } })),
        1 => Just(json!("stop")),
        1 => any::<bool>().prop_map(|on| json!({ "use": { "analyse": on.then_some(2) } })),
        1 => Just(json!({ "use": { "seats": [{ "player": "human" }, { "player": { "kakugo": 3 } }] } })),
    ]
}

/// Lines of scripts, of which some make sense in most states.
fn line() -> impl Strategy<Value = String> {
    let commands = prop_oneof![
        8 => (0..15_u8, 0..15_u8).prop_map(|(x, y)| json!({ "do": "play", "x": x, "y": y })),
        2 => (0..5_usize).prop_map(|count| json!({ "do": "undo", "count": count })),
        1 => Just(json!({ "do": "undo" })),
        1 => Just(json!({ "do": "redo" })),
        2 => (0..8_usize).prop_map(|ply| json!({ "do": "goto", "ply": ply })),
        2 => (0..12_u32).prop_map(|id| json!({ "do": "node", "id": id })),
        1 => (0..12_u32).prop_map(|id| json!({ "do": "promote", "id": id })),
        1 => (0..12_u32).prop_map(|id| json!({ "do": "delete", "id": id })),
        1 => (0..5_u32).prop_map(|id| json!({ "do": "comment", "id": id, "text": "]\\" })),
        1 => (0..5_u32).prop_map(|id| json!({ "do": "judge", "id": id, "symbol": "!?" })),
        2 => (0..5_u32, 0..16_u8)
            .prop_map(|(id, x)| json!({ "do": "mark", "id": id, "x": x, "y": 3, "sign": "circle" })),
        1 => (0..5_u32, 0..16_u8)
            .prop_map(|(id, x)| json!({ "do": "arrow", "id": id, "from": [0, 0], "to": [x, x] })),
        1 => (0..5_u32).prop_map(|id| json!({ "do": "clear_marks", "id": id })),
        1 => Just(json!({ "do": "undo_mark" })),
        1 => Just(json!({ "do": "redo_mark" })),
        2 => (0..15_u8, 0..3_usize).prop_map(|(x, how)| {
            let treatment = ["usual", "only", "without"][how];
            json!({ "do": "treat", "x": x, "y": 5, "treatment": treatment })
        }),
        1 => Just(json!({ "do": "search_all" })),
        1 => Just(json!({ "do": "describe", "study": "S]", "title": "T" })),
        1 => any::<bool>().prop_map(|on| json!({ "do": "chapter", "from_position": on })),
        1 => Just(json!({ "do": "keep_games", "study": "S" })),
        2 => any::<bool>().prop_map(|black| {
            json!({ "do": "train_openings", "side": if black { "black" } else { "white" } })
        }),
        1 => Just(json!({ "do": "show_openings" })),
        2 => Just(json!({ "do": "next_opening" })),
        1 => Just(json!({ "do": "end_openings" })),
        2 => (0..4_u8).prop_map(|stones| json!({ "do": "balance", "stones": stones })),
        1 => Just(json!({ "do": "resign" })),
        2 => any::<bool>().prop_map(|on| json!({ "do": "pause", "on": on })),
        1 => Just(json!({ "do": "now" })),
        1 => (0..3_u64).prop_map(|n| json!({ "do": "answer_pause", "ms": 600 * n })),
        2 => any::<bool>().prop_map(|all| json!({ "do": "hint", "all": all })),
        3 => (0..4_usize, any::<bool>()).prop_map(|(setting, explains)| {
            let setting = ["off", "large", "medium", "small"][setting];
            json!({ "do": "coach", "setting": setting, "explains": explains })
        }),
        1 => Just(json!({ "do": "play_on" })),
        3 => (any::<bool>(), 0..12_usize)
            .prop_map(|(on, lines)| json!({ "do": "analyse", "on": on, "lines": lines })),
        2 => any::<bool>().prop_map(|on| json!({ "do": "visible", "on": on })),
        3 => Just(json!({ "do": "explain" })),
        1 => Just(json!({ "do": "games" })),
        2 => Just(json!({ "do": "open", "id": "1970-01-01-0000-ID" })),
        2 => Just(json!({ "do": "forget", "id": "1970-01-01-0000-ID" })),
        2 => any::<bool>().prop_map(|anew| json!({ "do": "practice", "anew": anew })),
        2 => (0..3_usize).prop_map(|number| json!({ "do": "puzzle", "number": number })),
        1 => Just(json!({ "do": "solution" })),
        2 => (0..2_usize).prop_map(|engine| json!({ "do": "opinion", "engine": engine })),
        3 => (prop::sample::select(vec!["freestyle", "renju", "file"]), 0..8_usize)
            .prop_map(|(set, step)| json!({ "do": "train", "set": set, "step": (step > 0).then_some(step) })),
        1 => Just(json!({ "do": "next_puzzle" })),
        2 => Just(json!({ "do": "pass" })),
        6 => edit().prop_map(|edit| json!({ "do": "edit", "edit": edit })),
        1 => Just(json!({ "do": "rematch" })),
        2 => prop_oneof![Just("black"), Just("white"), Just("more"), Just("fifths-2"),
            Just("fifths-10"), Just("offer-3,4")]
            .prop_map(|choice| json!({ "do": "choose", "choice": choice })),
        2 => (0..3_usize).prop_map(|kind| {
            let player = [json!("human"), json!({ "kakugo": 3 }), json!({ "engine": 0 })];
            json!({ "do": "seats", "seats": [{ "player": "human" }, { "player": player[kind] }] })
        }),
        3 => (0..9_usize, 0..3_usize, 0..4_usize).prop_map(|(opening, kind, time)| {
            let player = [json!("human"), json!({ "kakugo": 3 }), json!({ "engine": 0 })];
            let opening = ["free", "swap", "swap2", "pro", "centre", "rif", "yamaguchi", "soosorv-8",
                "taraguchi-10"][opening];
            let mut setup = json!({ "opening": opening, "rule": "renju",
                "seats": [{ "player": "human" }, { "player": player[kind] }] });
            if time > 1 {
                setup["turn_ms"] = json!(1000 * time);
            }
            new_game(&setup)
        }),
        2 => (0..2_usize, any::<bool>()).prop_map(|(seat, timed)| {
            let time = if timed { json!({ "byoyomi": { "periods": 2, "period_ms": 900 } }) } else { json!({}) };
            let mut new = new_game(&time);
            new["guest"] = json!({ "seat": seat, "token": "0".repeat(32) });
            new
        }),
        3 => (0..2_usize).prop_map(|browser| {
            let browser = ["a", "b"][browser].repeat(32);
            json!({ "do": "sit", "token": "0".repeat(32), "browser": browser })
        }),
        1 => Just(json!({ "do": "free_seat" })),
        2 => prop::sample::select(vec!["undo", "draw", "pause", "analysis", "rematch"])
            .prop_map(|what| json!({ "do": "offer", "what": what })),
        2 => (1..5_u64, any::<bool>())
            .prop_map(|(offer, accept)| json!({ "do": "answer", "offer": offer, "accept": accept })),
        1 => Just(json!({ "do": "uninvite" })),
        2 => (0..3_usize, 0..4_usize).prop_map(|(start, moves)| {
            let start = [
                json!({ "black": "h8i9j10", "white": "g7" }),
                json!({ "white": "h8", "blocked": "a1b2", "turn": "white" }),
                json!({ "turn": "white" }),
            ][start].clone();
            let mut new = new_game(&json!({ "rule": "renju", "start": start }));
            new["moves"] = json!(["", "c3--d4", "--", "e5f6----g9"][moves]);
            new
        }),
    ];
    let world = (
        prop::sample::select(vec![
            "@join",
            "@leave",
            "@leave",
            "@lag",
            "@client",
            "@wait",
            "@wait",
            "@job",
            "@job",
            "@job",
            "@job",
            "@progress",
            "@progress",
            "@queue",
            "@run",
            "@fail",
            "@disk",
            "@disk",
            "@disk",
            "@show",
            "@edit",
            "@practise",
            "@explore",
            "@restore",
            "@return",
            "@yield",
            "@shutdown",
        ]),
        0..3000_usize,
        0..200_usize,
    );
    prop_oneof![
        3 => commands.prop_map(|command| command.to_string()),
        3 => world.prop_map(|(word, first, second)| format!("{word} {first} {second}")),
    ]
}

proptest! {
    /// The simulation checks the invariants after every event.
    #[test]
    fn the_same_events_have_the_same_effects(lines in prop::collection::vec(line(), 1..60)) {
        let script = lines.join("\n");
        let play = || Simulation::play(settings(), &script).trace;
        prop_assert_eq!(play(), play());
    }
}

#[test]
fn a_hint_does_not_interrupt_the_computer() {
    let mut room = simulation();
    room.say(against_kakugo());
    room.place(&[(7, 7)]);
    let (id, job) = room.job();
    assert!(matches!(job, Job::Move(_)));
    assert!(room.refused(json!({ "do": "hint" })).is_some());
    assert_eq!(room.job().0, id);
    room.say(json!({ "do": "pause", "on": true }));
    assert_eq!(room.refused(json!({ "do": "hint" })), None);
    assert!(matches!(room.job().1, Job::Hint(_)));
}

#[test]
fn analysis_goes_on_for_a_spectator_who_joins_while_the_player_is_away() {
    let mut room = simulation();
    room.say(json!({ "do": "analyse", "on": true, "lines": 1 }));
    assert_eq!(room.jobs.len(), 1);
    room.say(json!({ "do": "visible", "on": false }));
    assert!(room.jobs.is_empty());
    room.join(false);
    assert!(matches!(room.job().1, Job::Analysis { .. }));
    assert_eq!(room.sent("state").unwrap()["thinking"], "analysis");
}

#[test]
fn closing_the_editor_ends_no_other_pause() {
    let mut room = simulation();
    let edit = |edit: &str| json!({ "do": "edit", "edit": edit });
    room.say(against_kakugo());
    room.place(&[(7, 7)]);
    let (id, _) = room.job();
    room.finish(id, JobResult::Move(Ok(vec![Action::Stone(at(8, 8))])));
    room.say(edit("begin"));
    // Another tab looks at the computer's turn: the computer does not play there.
    room.say(json!({ "do": "goto", "ply": 1 }));
    room.say(edit("end"));
    assert!(room.room.waits() && room.jobs.is_empty());
    room.say(json!({ "do": "goto", "ply": 2 }));
    assert!(!room.room.waits());
    room.say(edit("begin"));
    room.say(json!({ "do": "pause", "on": true }));
    room.say(edit("end"));
    assert!(room.room.waits());
    // A stone of another tab does not end the pause of the editor, which goes on afterwards.
    room.say(edit("begin"));
    room.place(&[(9, 9)]);
    assert!(room.room.waits() && room.jobs.is_empty());
    room.say(edit("end"));
    assert!(matches!(room.job().1, Job::Move(_)));
}

#[test]
fn a_client_that_has_missed_messages_learns_that_the_editor_is_closed() {
    let mut room = simulation();
    room.say(json!({ "do": "edit", "edit": "begin" }));
    room.messages.clear();
    room.state();
    assert!(room.sent("editor").unwrap()["editor"].is_object());
    room.say(json!({ "do": "edit", "edit": "end" }));
    room.messages.clear();
    room.state();
    assert_eq!(room.sent("editor").unwrap()["editor"], Value::Null);
}

#[test]
fn a_new_page_gets_messages_that_an_earlier_one_had() {
    let mut room = simulation();
    room.place(&[(7, 7)]);
    room.say(json!({ "do": "undo" }));
    room.leave(ClientId(1));
    room.join(true);
    room.messages.clear();
    // The tree is the same as before the page came.
    room.say(json!({ "do": "redo" }));
    assert!(room.sent("tree").is_some());
}

#[test]
fn the_end_of_the_program_saves_a_game_under_review_that_is_off_the_board() {
    let mut room = simulation();
    room.place(&[(7, 7), (8, 8)]);
    let id = room.room.saved_game().unwrap().to_owned();
    room.say(json!({ "do": "explain" }));
    room.say(new_game(&json!({})));
    review(&mut room, 1);
    assert!(!room.files[&id].contains("KRV["));
    room.handle(Event::Shutdown);
    assert!(room.files[&id].contains("KRV[") && room.jobs.is_empty());
    assert!(!room.room.owns_saved_game(&id));
}
