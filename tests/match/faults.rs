//! One test for each way in which an engine fails: it loses that game, the fault is named, the match
//! goes on, and no process is left.

use crate::field::{Field, line, text, toy};
use crate::tests;

tests![
    a_slow_engine_loses_on_time,
    a_silent_engine_loses_on_time,
    an_engine_that_only_chatters_loses_on_time,
    messages_without_end_are_a_violation,
    a_crash_is_named_with_its_status_and_last_words,
    a_move_off_the_board_loses,
    a_move_on_a_stone_loses,
    babble_is_a_violation,
    a_line_without_end_is_a_violation,
    a_suggestion_is_a_violation,
    a_second_move_is_a_violation,
    ok_with_text_is_a_violation,
    lenient_treatment_skips_what_is_no_answer,
    a_closed_output_is_a_disconnect,
    an_engine_that_ignores_end_is_killed,
    an_engine_that_eats_memory_loses,
    a_crash_is_seen_though_a_child_holds_the_pipe,
    a_child_that_left_the_process_group_is_killed,
    #[cfg(target_os = "linux")]
    what_programs_under_wine_share_is_left_alone,
    an_engine_without_restart_gets_start,
    an_engine_that_does_not_start_loses_on_time,
    a_command_that_does_not_exist_stops_the_match,
    an_engine_that_never_moves_is_told_of,
];

/// Four games of a good toy against one with a fault, which must lose each for this reason. The
/// good one has all the time in the world: the machine may be loaded.
fn lost_by(behaviour: &str, more: &[&str], reason: &str, detail: &str) {
    let field = Field::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let bad = toy("bad", behaviour, &[&["tolerance=100ms"], more].concat());
    let words = line(&[&good, &bad], &["--games", "4", "--seed", "1"]);
    let games = field.games(&words);
    assert_eq!(games.len(), 4);
    for game in games {
        let bad_side = if game["black"] == "bad" { "black" } else { "white" };
        assert_ne!(game["winner"], bad_side, "{game}");
        assert_ne!(game["winner"], "draw", "{game}");
        assert_eq!(game["reason"], reason, "{game}");
        let story = game["detail"].as_str().unwrap_or_default();
        assert!(story.contains(detail), "\"{story}\" does not say \"{detail}\"");
    }
}

fn a_slow_engine_loses_on_time() {
    lost_by("slow@2", &["turn=400ms"], "time", "no answer to TURN");
}

fn a_silent_engine_loses_on_time() {
    lost_by("silent@2", &["turn=400ms"], "time", "within 0.50 s");
}

fn an_engine_that_only_chatters_loses_on_time() {
    lost_by("chatter@2", &["turn=400ms"], "time", "no answer");
}

fn messages_without_end_are_a_violation() {
    lost_by("flood@2", &["turn=60s"], "protocol", "100000 lines without an answer");
}

fn a_crash_is_named_with_its_status_and_last_words() {
    lost_by("crash@2", &["turn=60s"], "crash", "exit status: 3");
    lost_by("crash@2", &["turn=60s"], "crash", "out of ideas");
}

fn a_move_off_the_board_loses() {
    lost_by("off-board@2", &["turn=60s"], "illegal-move", "15,0 is off the board");
}

fn a_move_on_a_stone_loses() {
    lost_by("occupied@2", &["turn=60s"], "illegal-move", "is occupied by");
}

fn babble_is_a_violation() {
    lost_by("babble@2", &["turn=60s"], "protocol", "\"what a lovely day\" in answer to TURN");
}

fn a_line_without_end_is_a_violation() {
    lost_by("overlong@2", &["turn=60s"], "protocol", "more than 8000 bytes");
}

fn a_suggestion_is_a_violation() {
    lost_by("suggest@2", &["turn=60s"], "protocol", "\"SUGGEST 3,4\"");
}

fn a_second_move_is_a_violation() {
    lost_by("twice@2", &["turn=60s"], "protocol", "unasked");
}

fn ok_with_text_is_a_violation() {
    lost_by("chatty-ok", &["turn=60s"], "protocol", "\"OK - ready\" in answer to START 15");
}

fn an_engine_that_does_not_start_loses_on_time() {
    lost_by(
        "mute-start",
        &["turn=60s", "startup=300ms"],
        "time",
        "no answer to START 15 within 0.30 s",
    );
}

fn a_closed_output_is_a_disconnect() {
    lost_by("close@2", &["turn=60s"], "disconnect", "closed its output");
}

fn a_crash_is_seen_though_a_child_holds_the_pipe() {
    lost_by("fork@2", &["turn=60s"], "crash", "exit status: 4");
}

fn a_child_that_left_the_process_group_is_killed() {
    lost_by("escape@2", &["turn=60s"], "crash", "exit status: 5");
}

/// Where two engines run under Wine, the server that the one has started serves the other, too.
#[cfg(target_os = "linux")]
fn what_programs_under_wine_share_is_left_alone() {
    let field = Field::new();
    let folder = format!("dir={}", field.path("."));
    let good = toy("good", "plain", &["turn=60s"]);
    let bad = toy("bad", "serve@2", &["turn=60s", &folder]);
    let games = field.games(&line(&[&good, &bad], &["--games", "2", "--seed", "1"]));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["reason"] == "crash"), "{games:?}");
    // No process is left any more, so it has come to its end.
    assert!(std::path::Path::new(&field.path("served")).exists(), "it was killed");
}

fn an_engine_that_eats_memory_loses() {
    if cfg!(target_os = "linux") {
        lost_by("eat@2", &["turn=60s", "memory=100M"], "memory", "limit 100.0 MiB");
    }
}

/// Four games against a toy that does nothing worth a loss.
fn nothing_lost_by_fault(behaviour: &str, more: &[&str]) {
    let field = Field::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let odd = toy("odd", behaviour, &[&["turn=60s"], more].concat());
    let games = field.games(&line(&[&good, &odd], &["--games", "4", "--seed", "1"]));
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(["five", "full-board"].contains(&game["reason"].as_str().unwrap_or("")), "{game}");
    }
}

fn lenient_treatment_skips_what_is_no_answer() {
    nothing_lost_by_fault("mumble@2", &["lenient=true"]);
    lost_by("mumble@2", &["turn=60s"], "protocol", "\"hello\"");
}

fn an_engine_that_ignores_end_is_killed() {
    nothing_lost_by_fault("ignore-end", &[]);
}

fn an_engine_without_restart_gets_start() {
    nothing_lost_by_fault("no-restart", &[]);
}

fn a_command_that_does_not_exist_stops_the_match() {
    let field = Field::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let words = line(&[&good], &["--engine", "/no/such/engine", "--games", "4"]);
    let output = field.play(&words);
    assert!(!output.status.success());
    let told = text(&output.stderr);
    assert!(told.contains("cannot run /no/such/engine: there is no folder /no/such\n"), "{told}");
    let nowhere = line(&[&good], &["--engine", "self --level 1", "dir=/no/such", "--games", "4"]);
    let told = text(&Field::new().play(&nowhere).stderr);
    assert!(told.contains(" --level 1: there is no folder /no/such\n"), "{told}");
}

fn an_engine_that_never_moves_is_told_of() {
    for (behaviour, never) in [("crash@1", true), ("chatty-ok", true), ("crash@2", false)] {
        let field = Field::new();
        let good = toy("good", "plain", &["turn=60s"]);
        let bad = toy("bad", behaviour, &["turn=60s"]);
        let output = field.play(&line(&[&good, &bad], &["--games", "4", "--seed", "1"]));
        let said = text(&output.stdout);
        assert_eq!(said.contains("bad never made a move"), never, "{behaviour}: {said}");
        assert!(!said.contains("good never"), "{behaviour}: {said}");
    }
}
