//! A game as each manager plays it, with its own order of commands, habits and tolerances.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::profile::{Asking, Left, Profile, Reading, Step};
use super::super::trial::{Heard, Trial, Xy, board_command, is_ok};
use super::super::verdict::{Judged, Stop, ms};
use kakugo_protocol::StrictReply;

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "managers.piskvork",
        area: Area::Managers,
        asks: "a game as Piskvork plays it",
        source: "Piskvork source/protocol.cpp, game.cpp",
        managers: &["strict", "piskvork"],
        advice: "It waits for OK, sends INFO, then BEGIN or TURN; suspends the brain while the other thinks; reads stderr too.",
        alone: true,
        run: |bench| play_as(bench, "piskvork"),
    },
    Check {
        id: "managers.judge",
        area: Area::Managers,
        asks: "a game as GomocupJudge plays it",
        source: "GomocupJudge client/new_protocol.py",
        managers: &["strict", "judge"],
        advice: "It waits for no OK, suspends at once, then sends time_left and BOARD, even for the first stone.",
        alone: true,
        run: |bench| play_as(bench, "judge"),
    },
    Check {
        id: "managers.c-gomoku-cli",
        area: Area::Managers,
        asks: "two games as c-gomoku-cli plays them",
        source: "c-gomoku-cli src/engine.cpp, game.cpp",
        managers: &["strict", "c-gomoku-cli"],
        advice: "It asks ABOUT first, ends lines by LF, sends START again for the next game.",
        alone: true,
        run: |bench| play_as(bench, "c-gomoku-cli"),
    },
    Check {
        id: "managers.qpiskvork",
        area: Area::Managers,
        asks: "a game as qpiskvork plays it",
        source: "qpiskvork src/EngineLoader.cpp, mainwindow.cpp:1169-1264",
        managers: &["strict", "qpiskvork"],
        advice: "It sends START, ABOUT, all INFO and BEGIN in one burst; the answers must come in that order.",
        alone: true,
        run: |bench| play_as(bench, "qpiskvork"),
    },
    Check {
        id: "managers.yixin-board",
        area: Area::Managers,
        asks: "a game as Yixin-Board plays it",
        source: "Yixin-Board main.c:5742-5795",
        managers: &["strict", "yixin-board"],
        advice: "It sends info before start, start w h, small letters, and the whole board for every move.",
        alone: true,
        run: |bench| play_as(bench, "yixin-board"),
    },
];

/// The limits that are told.
const TURN: Duration = Duration::from_millis(400);
const GAME: Duration = Duration::from_secs(20);

/// The opponent's stones, which lie apart.
const STONES: [Xy; 12] = [
    (7, 7),
    (2, 3),
    (12, 2),
    (3, 12),
    (11, 11),
    (0, 8),
    (14, 6),
    (8, 0),
    (6, 14),
    (1, 5),
    (13, 9),
    (5, 10),
];

/// Moves in a game, besides the first stone: with more an engine may have won.
const MOVES: usize = 4;

fn play_as(bench: &Bench<'_>, name: &str) -> Judged {
    let bench = bench.as_manager(name);
    let profile = bench.profile;
    let mut trial = bench.start()?;
    let games = if name == "c-gomoku-cli" { 2 } else { 1 };
    let mut slowest = Duration::ZERO;
    for game in 0..games {
        trial.new_game(15, 15);
        slowest = slowest.max(play_game(&bench, &mut trial, game > 0)?);
    }
    let words = trial.stderr();
    if profile.hears_stderr && !words.is_empty() {
        return Err(
            trial.fail(format!("on stderr: {words}"), "nothing there: it is read as an answer")
        );
    }
    trial.say("END");
    let (_, end) = trial.ended(profile.end_patience)?;
    Ok(format!(
        "{games} × {MOVES} moves, slowest {} of {}; end after {}",
        ms(slowest),
        ms(TURN),
        ms(end)
    ))
}

/// The opening and some moves; the slowest of these.
fn play_game(bench: &Bench<'_>, trial: &mut Trial<'_>, again: bool) -> Result<Duration, Stop> {
    let profile = bench.profile;
    let mut unheard = 0;
    for step in profile.opening {
        if again && *step == Step::About {
            continue;
        }
        unheard += take(bench, trial, *step)?;
    }
    if !again && matches!(profile.asking, Asking::Turns | Asking::BeginOrBoard) {
        // The first stone of the first game; what was not heard before must come first, in its order.
        trial.say("BEGIN");
        hear_unheard(trial, profile, unheard)?;
        trial.await_move(TURN + profile.slack + Duration::from_secs(u64::from(unheard > 0)))?;
        unheard = 0;
    }
    if profile.asking == Asking::BoardAlways {
        // Somebody looks at the board before the first move: by then the brain has begun.
        let is_ok = |text: &str| StrictReply::parse(text) == StrictReply::Ok;
        trial.await_answer(profile.start_patience, "OK", is_ok)?;
        unheard = 0;
    }
    let mut left = GAME;
    let mut slowest = Duration::ZERO;
    let mut board: Vec<(Xy, u8)> = Vec::new();
    for (k, _) in STONES.iter().enumerate().take(MOVES) {
        let at = STONES.into_iter().find(|&at| trial.is_free(at)).unwrap_or((0, 14));
        match profile.left {
            Some(Left::Rest) if k > 0 => trial.say(&format!("INFO time_left {}", left.as_millis())),
            Some(Left::Unlimited) => trial.say("INFO time_left 2147483647"),
            _ => {}
        }
        let first_by_board = profile.asking == Asking::BoardFirst && k == 0;
        if !first_by_board {
            trial.mark(at, true);
            board.push((at, 2));
        }
        let command = match profile.asking {
            Asking::Turns => format!("TURN {},{}", at.0, at.1),
            Asking::BoardFirst if first_by_board => "BOARD\nDONE".to_owned(),
            Asking::BeginOrBoard if again && k == 0 => board_command("BOARD", &board),
            Asking::BoardFirst | Asking::BeginOrBoard => format!("TURN {},{}", at.0, at.1),
            Asking::BoardAlways => {
                format!("start 15 15\n{}", board_command("BOARD", &board)).to_ascii_lowercase()
            }
        };
        trial.say(&command);
        let unheard_now = unheard + u32::from(profile.asking == Asking::BoardAlways);
        if profile.reading != Reading::Lenient {
            hear_unheard(trial, profile, unheard_now)?;
        }
        unheard = 0;
        let played = trial.await_move(TURN + profile.slack)?;
        board.push((played.at, 1));
        slowest = slowest.max(played.elapsed);
        left = left.saturating_sub(played.elapsed);
        if profile.suspends && k + 1 < MOVES {
            // Not every system lets processes be suspended.
            let _ = trial.nap(Duration::from_millis(150));
        }
    }
    Ok(slowest)
}

/// Do a step of the opening; the number of answers that are still to come.
fn take(bench: &Bench<'_>, trial: &mut Trial<'_>, step: Step) -> Result<u32, Stop> {
    match step {
        Step::Start => trial.ok("START 15").map(|_| 0),
        Step::StartUnheard => {
            trial.say("START 15");
            Ok(1)
        }
        Step::StartTwice => {
            trial.say("start 15 15");
            Ok(1)
        }
        Step::About => {
            let is_words = |text: &str| {
                let reply = StrictReply::parse(text);
                reply == StrictReply::Other && !text.to_ascii_uppercase().starts_with("SUGGEST")
            };
            trial
                .ask("ABOUT", Duration::from_secs(3), "a line about the brain", is_words)
                .map(|_| 0)
        }
        Step::AboutUnheard => {
            trial.say("ABOUT");
            Ok(1)
        }
        Step::Say(line) => {
            trial.say(line);
            Ok(0)
        }
        Step::TimeoutTurn => {
            trial.say(&format!("INFO timeout_turn {}", TURN.as_millis()));
            Ok(0)
        }
        Step::TimeoutMatch => {
            trial.say(&format!("INFO timeout_match {}", GAME.as_millis()));
            Ok(0)
        }
        Step::TimeLeft => {
            trial.say(&format!("INFO time_left {}", GAME.as_millis()));
            Ok(0)
        }
        Step::Folder => {
            trial.say(&format!("INFO folder {}", bench.folder()?.display()));
            Ok(0)
        }
        Step::Suspend => {
            let _ = trial.nap(Duration::from_millis(250));
            Ok(0)
        }
    }
}

/// Hear the answers to what was sent in a burst: `OK`, then the line about the brain.
fn hear_unheard(trial: &mut Trial<'_>, profile: &Profile, unheard: u32) -> Result<(), Stop> {
    for number in 0..unheard {
        let wanted = if number == 0 { "OK" } else { "name=…" };
        match trial.answer(profile.start_patience) {
            Heard::Line(text, _) => {
                let fits = match number {
                    0 => is_ok(&text, profile),
                    _ => text.starts_with("name="),
                };
                if !fits {
                    return Err(trial.fail(format!("\"{text}\""), wanted));
                }
            }
            Heard::Silence => return Err(trial.fail("no answer", wanted)),
            Heard::Closed => return Err(trial.gone(wanted)),
        }
    }
    Ok(())
}
