//! Faults of engines: the engine forfeits the game, the record describes the fault, the match goes
//! on, and no process is left behind.

use crate::folder::{MatchFolder, line, text, toy};
use crate::tests;

tests![
    a_slow_engine_loses_on_time,
    a_silent_engine_loses_on_time,
    a_line_without_its_end_is_in_the_report,
    an_engine_that_only_sends_messages_loses_on_time,
    endless_messages_are_a_violation,
    a_crash_is_recorded_with_exit_status_and_stderr,
    a_move_off_the_board_loses,
    a_move_on_a_stone_loses,
    invalid_lines_are_a_violation,
    an_overlong_line_is_a_violation,
    a_suggestion_is_a_violation,
    a_second_move_is_a_violation,
    ok_with_text_is_a_violation,
    lenient_engines_may_send_invalid_lines,
    a_closed_output_is_a_disconnect,
    an_engine_that_ignores_end_is_killed,
    an_engine_beyond_its_memory_limit_loses,
    a_crash_is_detected_while_a_child_holds_the_pipe,
    a_child_that_left_the_process_group_is_killed,
    #[cfg(target_os = "linux")]
    shared_processes_of_wine_are_not_killed,
    an_engine_without_restart_gets_start,
    an_engine_that_does_not_start_loses_on_time,
    a_command_that_does_not_exist_stops_the_match,
    #[cfg(target_os = "linux")]
    an_error_in_the_middle_of_a_match_keeps_the_results,
    an_engine_that_never_moves_is_reported,
];

/// Plays four games of a correct toy against one with a fault, which must lose each for this
/// reason. The correct toy has ample time, because the machine may be busy.
fn lost_by(behaviour: &str, more: &[&str], reason: &str, detail: &str) {
    let folder = MatchFolder::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let bad = toy("bad", behaviour, &[&["tolerance=100ms"], more].concat());
    let words = line(&[&good, &bad], &["--games", "4", "--seed", "1"]);
    let games = folder.games(&words);
    assert_eq!(games.len(), 4);
    for game in games {
        let bad_side = if game["black"] == "bad" { "black" } else { "white" };
        assert_ne!(game["winner"], bad_side, "{game}");
        assert_ne!(game["winner"], "draw", "{game}");
        assert_eq!(game["reason"], reason, "{game}");
        let story = game["detail"].as_str().unwrap_or_default();
        assert!(story.contains(detail), "expected \"{detail}\" in \"{story}\"");
    }
}

fn a_slow_engine_loses_on_time() {
    lost_by("slow@2", &["turn=400ms"], "time", "no answer to TURN");
}

fn a_silent_engine_loses_on_time() {
    lost_by("silent@2", &["turn=400ms"], "time", "within 0.50 s");
}

fn a_line_without_its_end_is_in_the_report() {
    lost_by("unended@2", &["turn=400ms"], "time", "s; '3,4' has arrived without a line end");
}

fn an_engine_that_only_sends_messages_loses_on_time() {
    lost_by("chatter@2", &["turn=400ms"], "time", "no answer");
}

fn endless_messages_are_a_violation() {
    lost_by("flood@2", &["turn=60s"], "protocol", "100000 lines without an answer");
}

fn a_crash_is_recorded_with_exit_status_and_stderr() {
    lost_by("crash@2", &["turn=60s"], "crash", "exit status: 3");
    lost_by("crash@2", &["turn=60s"], "crash", "out of ideas");
}

fn a_move_off_the_board_loses() {
    lost_by("off-board@2", &["turn=60s"], "illegal-move", "15,0 is off the board");
}

fn a_move_on_a_stone_loses() {
    lost_by("occupied@2", &["turn=60s"], "illegal-move", "is occupied by");
}

fn invalid_lines_are_a_violation() {
    lost_by("babble@2", &["turn=60s"], "protocol", "unexpected answer 'what a lovely day' to TURN");
}

fn an_overlong_line_is_a_violation() {
    lost_by("overlong@2", &["turn=60s"], "protocol", "more than 8000 bytes");
}

fn a_suggestion_is_a_violation() {
    lost_by("suggest@2", &["turn=60s"], "protocol", "'SUGGEST 3,4'");
}

fn a_second_move_is_a_violation() {
    lost_by("twice@2", &["turn=60s"], "protocol", "unexpected line");
}

fn ok_with_text_is_a_violation() {
    lost_by("chatty-ok", &["turn=60s"], "protocol", "unexpected answer 'OK - ready' to START 15");
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

fn a_crash_is_detected_while_a_child_holds_the_pipe() {
    lost_by("fork@2", &["turn=60s"], "crash", "exit status: 4");
}

fn a_child_that_left_the_process_group_is_killed() {
    lost_by("escape@2", &["turn=60s"], "crash", "exit status: 5");
}

/// Two engines under Wine share a server, which one of them started.
#[cfg(target_os = "linux")]
fn shared_processes_of_wine_are_not_killed() {
    let folder = MatchFolder::new();
    let dir = format!("dir={}", folder.path("."));
    let good = toy("good", "plain", &["turn=60s"]);
    let bad = toy("bad", "serve@2", &["turn=60s", &dir]);
    let games = folder.games(&line(&[&good, &bad], &["--games", "2", "--seed", "1"]));
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["reason"] == "crash"), "{games:?}");
    // All processes have ended, so the server ran to its end.
    assert!(std::path::Path::new(&folder.path("served")).exists(), "the server was killed");
}

fn an_engine_beyond_its_memory_limit_loses() {
    if cfg!(target_os = "linux") {
        lost_by("eat@2", &["turn=60s", "memory=100M"], "memory", "limit 100.0 MiB");
    }
}

/// Plays four games against a toy whose behaviour must not lose a game.
fn no_game_lost_by_fault(behaviour: &str, more: &[&str]) {
    let folder = MatchFolder::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let odd = toy("odd", behaviour, &[&["turn=60s"], more].concat());
    let games = folder.games(&line(&[&good, &odd], &["--games", "4", "--seed", "1"]));
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(["five", "full-board"].contains(&game["reason"].as_str().unwrap_or("")), "{game}");
    }
}

fn lenient_engines_may_send_invalid_lines() {
    no_game_lost_by_fault("mumble@2", &["lenient=true"]);
    lost_by("mumble@2", &["turn=60s"], "protocol", "'hello'");
}

fn an_engine_that_ignores_end_is_killed() {
    no_game_lost_by_fault("ignore-end", &[]);
}

fn an_engine_without_restart_gets_start() {
    no_game_lost_by_fault("no-restart", &[]);
}

fn a_command_that_does_not_exist_stops_the_match() {
    let folder = MatchFolder::new();
    let good = toy("good", "plain", &["turn=60s"]);
    let words = line(&[&good], &["--engine", "/no/such/engine", "--games", "4"]);
    let output = folder.play(&words);
    assert!(!output.status.success());
    let output = text(&output.stderr);
    assert!(
        output.contains("cannot run /no/such/engine: folder /no/such does not exist\n"),
        "{output}"
    );
    let nowhere = line(&[&good], &["--engine", "self --level 1", "dir=/no/such", "--games", "4"]);
    let output = text(&MatchFolder::new().play(&nowhere).stderr);
    assert!(output.contains(" --level 1: folder /no/such does not exist\n"), "{output}");
}

/// The folder of an engine disappears during its first game, so the second one cannot be started.
#[cfg(target_os = "linux")]
fn an_error_in_the_middle_of_a_match_keeps_the_results() {
    let folder = MatchFolder::new();
    std::fs::create_dir(folder.path("own")).unwrap();
    let dir = format!("dir={}", folder.path("own"));
    let good = toy("good", "plain", &["turn=60s"]);
    let bad = toy("bad", "remove-folder@2", &["turn=60s", &dir]);
    let pgn = folder.path("games.pgn");
    let more = ["--games", "4", "--seed", "1", "--pgn", &pgn];
    let output = folder.play(&line(&[&good, &bad], &more));
    assert_eq!(output.status.code(), Some(1));
    let (results, error) = (text(&output.stdout), text(&output.stderr));
    assert!(results.contains("Games | 1   W 1 L 0 D 0"), "{results}{error}");
    assert!(error.contains("does not exist"), "{error}");
    assert_eq!(std::fs::read_to_string(pgn).unwrap().matches("[Result ").count(), 1);
}

fn an_engine_that_never_moves_is_reported() {
    for (behaviour, never) in [("crash@1", true), ("chatty-ok", true), ("crash@2", false)] {
        let folder = MatchFolder::new();
        let good = toy("good", "plain", &["turn=60s"]);
        let bad = toy("bad", behaviour, &["turn=60s"]);
        let output = folder.play(&line(&[&good, &bad], &["--games", "4", "--seed", "1"]));
        let said = text(&output.stdout);
        assert_eq!(said.contains("bad never made a move"), never, "{behaviour}: {said}");
        assert!(!said.contains("good never"), "{behaviour}: {said}");
    }
    // An engine without swap2. The stones of its opponent's proposal are not its moves.
    let folder = MatchFolder::new();
    let good = toy("good", "plain", &["turn=60s", "env.KAKUGO_TOY_MOVES=7,7 8,8 9,9"]);
    let bad = toy("bad", "plain", &["turn=60s", "env.KAKUGO_TOY_MOVES=UNKNOWN"]);
    let output = folder.play(&line(&[&good, &bad], &["--games", "4", "--swap2", "--seed", "1"]));
    let said = text(&output.stdout);
    assert!(said.contains("bad never made a move"), "{said}");
    assert!(!said.contains("good never"), "{said}");
}
