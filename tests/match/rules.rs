//! The referee applies the rules: scripted games with a known end.

use serde_json::Value;

use crate::folder::{MatchFolder, line, points, toy};
use crate::tests;

tests![
    five_wins,
    an_overline_is_a_foul_in_renju,
    an_overline_does_not_win_in_standard,
    an_enclosed_five_does_not_win_in_caro,
    six_wins_only_with_caro_overline,
    four_in_a_row_win_with_win_length_four,
    rectangular_boards_are_supported,
    the_move_limit_draws,
    a_board_too_small_for_the_gomocup_limit_is_played_until_full,
    a_full_board_draws,
    swap_gives_black_to_the_chooser,
    staying_white_plays_the_fourth_stone,
    two_more_stones_let_the_proposer_choose,
    a_bad_swap2_answer_loses,
    proven_wins_end_games_with_adjudicate,
];

/// Plays one pair. Black of the first game plays `black`, White `white`. Returns the first game.
fn scripted(black: &str, white: &str, more: &[&str]) -> Value {
    let folder = MatchFolder::new();
    let script = |moves: &str| format!("env.KAKUGO_TOY_MOVES={moves}");
    let a = toy("A", "plain", &["turn=60s", &script(black)]);
    let b = toy("B", "plain", &["turn=60s", &script(white)]);
    let words = line(&[&a, &b], &[&["--games", "2", "--seed", "1"], more].concat());
    folder.games(&words).swap_remove(0)
}

fn ends(game: &Value, winner: &str, reason: &str) {
    assert_eq!((&game["winner"], &game["reason"]), (&winner.into(), &reason.into()), "{game}");
}

fn five_wins() {
    let game = scripted("3,7;4,7;5,7;6,7;7,7", "0,0;2,0;4,0;6,0", &[]);
    ends(&game, "black", "five");
    assert_eq!(points(&game).len(), 9);
}

/// Black's last move makes six in a row.
const SIX: &str = "3,7;4,7;5,7;7,7;8,7;6,7";
const SCATTERED: &str = "0,0;2,0;4,0;6,0;8,0;10,0;12,0;14,0";

fn an_overline_is_a_foul_in_renju() {
    let game = scripted(SIX, SCATTERED, &["--rule", "renju"]);
    ends(&game, "white", "forbidden");
    assert_eq!(game["detail"], "overline");
    let game = scripted("3,3;4,4;6,6;7,7;5,5", SCATTERED, &["--rule", "renju"]);
    ends(&game, "black", "five");
}

fn an_overline_does_not_win_in_standard() {
    ends(&scripted(SIX, SCATTERED, &["--rule", "freestyle"]), "black", "five");
    let game = scripted(SIX, SCATTERED, &["--rule", "standard", "--move-limit", "12"]);
    ends(&game, "draw", "move-limit");
}

fn an_enclosed_five_does_not_win_in_caro() {
    let (black, white) = ("3,7;4,7;5,7;6,7;7,7", "2,7;8,7;0,0;0,2;0,4");
    let limit = ["--move-limit", "10", "--rule"];
    ends(&scripted(black, white, &[&limit[..], &["caro"]].concat()), "draw", "move-limit");
    ends(&scripted(black, white, &[&limit[..], &["8"]].concat()), "draw", "move-limit");
    ends(&scripted(black, white, &[&limit[..], &["standard"]].concat()), "black", "five");
}

fn six_wins_only_with_caro_overline() {
    let limit = ["--move-limit", "12", "--rule"];
    ends(&scripted(SIX, SCATTERED, &[&limit[..], &["caro"]].concat()), "draw", "move-limit");
    ends(&scripted(SIX, SCATTERED, &[&limit[..], &["caro-overline"]].concat()), "black", "five");
}

fn four_in_a_row_win_with_win_length_four() {
    let game = scripted("3,7;4,7;5,7;6,7", SCATTERED, &["--win-length", "4"]);
    ends(&game, "black", "five");
    assert_eq!(points(&game).len(), 7);
    // The name of the option in other commands.
    let same = scripted("3,7;4,7;5,7;6,7", SCATTERED, &["--win", "4"]);
    assert_eq!(points(&same), points(&game));
}

fn rectangular_boards_are_supported() {
    let game = scripted("18,7;17,7;16,7;15,7;19,7", SCATTERED, &["--size", "20x9"]);
    ends(&game, "black", "five");
    ends(&scripted("0,9", SCATTERED, &["--size", "20x9"]), "white", "illegal-move");
}

fn the_move_limit_draws() {
    let game = scripted("", "", &["--move-limit", "gomocup", "--size", "7x5", "--rule", "caro"]);
    ends(&game, "draw", "move-limit");
    assert_eq!(points(&game).len(), 10);
}

fn a_board_too_small_for_the_gomocup_limit_is_played_until_full() {
    for size in ["4x4", "5"] {
        let game = scripted("", "", &["--move-limit", "gomocup", "--size", size]);
        assert_ne!(game["reason"], "move-limit", "{game}");
        assert!(points(&game).len() > 8, "{game}");
    }
}

fn a_full_board_draws() {
    let game = scripted("", "", &["--size", "4x4"]);
    ends(&game, "draw", "full-board");
    assert_eq!(points(&game).len(), 16);
}

fn swap_gives_black_to_the_chooser() {
    let game = scripted("7,7 8,8 9,9;1,1", "SWAP", &["--swap2", "--move-limit", "6"]);
    assert_eq!((&game["black"], &game["white"]), (&"B".into(), &"A".into()));
    assert_eq!(game["proposer"], "A");
    // The proposer has White and plays the fourth stone.
    assert_eq!(points(&game)[..4], ["7,7", "8,8", "9,9", "1,1"]);
}

fn staying_white_plays_the_fourth_stone() {
    let game = scripted("7,7 8,8 9,9;1,1", "2,2", &["--swap2", "--move-limit", "6"]);
    assert_eq!((&game["black"], &game["white"]), (&"A".into(), &"B".into()));
    assert_eq!(points(&game)[..5], ["7,7", "8,8", "9,9", "2,2", "1,1"]);
}

fn two_more_stones_let_the_proposer_choose() {
    let swap2 = ["--swap2", "--move-limit", "7"];
    let game = scripted("7,7 8,8 9,9;SWAP", "2,2 3,3;4,4", &swap2);
    assert_eq!((&game["black"], &game["white"]), (&"A".into(), &"B".into()));
    assert_eq!(points(&game)[3..6], ["2,2", "3,3", "4,4"]);
    let game = scripted("7,7 8,8 9,9;5,5", "2,2 3,3;4,4", &swap2);
    assert_eq!((&game["black"], &game["white"]), (&"B".into(), &"A".into()));
    assert_eq!(points(&game)[3..7], ["2,2", "3,3", "5,5", "4,4"]);
}

fn a_bad_swap2_answer_loses() {
    for (proposer, chooser, loser) in [
        ("7,7 8,8", "SWAP", "A"),
        ("SWAP", "SWAP", "A"),
        ("7,7 8,8 8,8", "SWAP", "A"),
        ("7,7 8,8 9,9", "1,1 2,2 3,3", "B"),
        ("7,7 8,8 9,9", "7,7", "B"),
    ] {
        let game = scripted(proposer, chooser, &["--swap2"]);
        assert_eq!(game["reason"], "illegal-move", "{game}");
        let winner = game["winner"].as_str().unwrap_or_default();
        assert_ne!(game[winner], loser, "{game}");
    }
}

fn proven_wins_end_games_with_adjudicate() {
    // Black has an open three and is to move.
    let (black, white) = ("6,7;7,7;8,7;9,7;10,7", "0,0;0,4;0,8;0,12");
    let game = scripted(black, white, &["--adjudicate"]);
    ends(&game, "black", "proof");
    assert_eq!(points(&game).len(), 6, "the win is proven before Black plays it");
    ends(&scripted(black, white, &[]), "black", "five");
    // The five is the ninth stone.
    let game = scripted(black, white, &["--adjudicate", "--move-limit", "8"]);
    ends(&game, "draw", "move-limit");
    let game = scripted(black, white, &["--adjudicate", "--move-limit", "9"]);
    ends(&game, "black", "proof");
}
