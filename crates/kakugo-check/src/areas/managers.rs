//! Checks that play a game as each manager does, with its commands and timeouts.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::profile::{MoveRequests, Profile, ReplyParsing, Step, TimeLeft};
use crate::session::{Coord, Output, Session, board_command, is_ok};
use crate::verdict::{CheckResult, NotPassed, ms};
use kakugo_protocol::StrictReply;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "managers.piskvork",
        area: Area::Managers,
        requirement: "plays a game as managed by Piskvork",
        source: "Piskvork source/protocol.cpp, game.cpp",
        managers: &["strict", "piskvork"],
        advice: "Piskvork waits for OK, sends INFO, then BEGIN or TURN; it suspends the engine while the opponent thinks, and reads stderr too.",
        exclusive: true,
        run: |context| play_as_manager(context, "piskvork"),
    },
    Check {
        id: "managers.judge",
        area: Area::Managers,
        requirement: "plays a game as managed by GomocupJudge",
        source: "GomocupJudge client/new_protocol.py",
        managers: &["strict", "judge"],
        advice: "GomocupJudge does not wait for OK; it suspends the engine at once, then sends time_left and BOARD, even for the first stone.",
        exclusive: true,
        run: |context| play_as_manager(context, "judge"),
    },
    Check {
        id: "managers.c-gomoku-cli",
        area: Area::Managers,
        requirement: "plays two games as managed by c-gomoku-cli",
        source: "c-gomoku-cli src/engine.cpp, game.cpp",
        managers: &["strict", "c-gomoku-cli"],
        advice: "c-gomoku-cli sends ABOUT first, ends lines with LF, and sends START again for the next game.",
        exclusive: true,
        run: |context| play_as_manager(context, "c-gomoku-cli"),
    },
    Check {
        id: "managers.qpiskvork",
        area: Area::Managers,
        requirement: "plays a game as managed by qpiskvork",
        source: "qpiskvork src/EngineLoader.cpp, mainwindow.cpp:1169-1264",
        managers: &["strict", "qpiskvork"],
        advice: "qpiskvork sends START, ABOUT, all INFO and BEGIN in one burst; reply in that order.",
        exclusive: true,
        run: |context| play_as_manager(context, "qpiskvork"),
    },
    Check {
        id: "managers.yixin-board",
        area: Area::Managers,
        requirement: "plays a game as managed by Yixin-Board",
        source: "Yixin-Board main.c:5742-5795",
        managers: &["strict", "yixin-board"],
        advice: "Yixin-Board sends info before start, start with width and height, lower case, and the complete board for every move.",
        exclusive: true,
        run: |context| play_as_manager(context, "yixin-board"),
    },
];

/// Time limits sent to the engine: per move and per game.
const TURN: Duration = Duration::from_millis(400);
const GAME: Duration = Duration::from_secs(20);

/// The opponent's stones, far apart.
const STONES: [Coord; 12] = [
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

/// Number of moves after the first stone. With more moves an engine might win.
const MOVES: usize = 4;

fn play_as_manager(context: &CheckContext<'_>, name: &str) -> CheckResult {
    let context = context.as_manager(name);
    let profile = context.profile;
    let mut session = context.start()?;
    let games = if name == "c-gomoku-cli" { 2 } else { 1 };
    let mut slowest = Duration::ZERO;
    for game in 0..games {
        session.new_game(15, 15);
        slowest = slowest.max(play_game(&context, &mut session, game > 0)?);
    }
    let words = session.stderr();
    if profile.reads_stderr && !words.is_empty() {
        return Err(session
            .fail(format!("on stderr: {words}"), "no output: the manager reads it as a reply"));
    }
    session.send("END");
    let (_, end) = session.expect_exit(profile.end_timeout)?;
    Ok(format!(
        "{games} × {MOVES} moves, slowest {} of {}; exit after {}",
        ms(slowest),
        ms(TURN),
        ms(end)
    ))
}

/// Plays the opening commands and some moves. Returns the slowest move.
fn play_game(
    context: &CheckContext<'_>,
    session: &mut Session<'_>,
    again: bool,
) -> Result<Duration, NotPassed> {
    let profile = context.profile;
    let mut pending = 0;
    for step in profile.opening {
        if again && *step == Step::About {
            continue;
        }
        pending += take(context, session, *step)?;
    }
    if !again && matches!(profile.move_requests, MoveRequests::Turns | MoveRequests::BeginOrBoard) {
        // The first stone of the first game. Outstanding replies must come first, in their order.
        session.send("BEGIN");
        expect_pending(session, profile, pending)?;
        session.await_move(TURN + profile.slack + Duration::from_secs(u64::from(pending > 0)))?;
        pending = 0;
    }
    if profile.move_requests == MoveRequests::BoardAlways {
        // Users look at the board before the first move, so the engine has started by then.
        session.await_reply(profile.start_timeout, "OK", |text| is_ok(text, profile))?;
        pending = 0;
    }
    let mut left = GAME;
    let mut slowest = Duration::ZERO;
    let mut board: Vec<(Coord, u8)> = Vec::new();
    for (k, _) in STONES.iter().enumerate().take(MOVES) {
        let at = STONES.into_iter().find(|&at| session.is_free(at)).unwrap_or((0, 14));
        match profile.time_left {
            Some(TimeLeft::Remaining) if k > 0 => {
                session.send(&format!("INFO time_left {}", left.as_millis()))
            }
            Some(TimeLeft::Unlimited) => session.send("INFO time_left 2147483647"),
            _ => {}
        }
        let first_by_board = profile.move_requests == MoveRequests::BoardFirst && k == 0;
        if !first_by_board {
            session.set_occupied(at, true);
            board.push((at, 2));
        }
        let command = match profile.move_requests {
            MoveRequests::Turns => format!("TURN {},{}", at.0, at.1),
            MoveRequests::BoardFirst if first_by_board => "BOARD\nDONE".to_owned(),
            MoveRequests::BeginOrBoard if again && k == 0 => board_command("BOARD", &board),
            MoveRequests::BoardFirst | MoveRequests::BeginOrBoard => {
                format!("TURN {},{}", at.0, at.1)
            }
            MoveRequests::BoardAlways => {
                format!("start 15 15\n{}", board_command("BOARD", &board)).to_ascii_lowercase()
            }
        };
        session.send(&command);
        let pending_now = pending + u32::from(profile.move_requests == MoveRequests::BoardAlways);
        if profile.parsing != ReplyParsing::Lenient {
            expect_pending(session, profile, pending_now)?;
        }
        pending = 0;
        let played = session.await_move(TURN + profile.slack)?;
        board.push((played.at, 1));
        slowest = slowest.max(played.elapsed);
        left = left.saturating_sub(played.elapsed);
        if profile.suspends && k + 1 < MOVES {
            // Suspending processes is not possible on every system.
            let _ = session.suspend_for(Duration::from_millis(150));
        }
    }
    Ok(slowest)
}

/// Performs a step of the opening. Returns the number of outstanding replies.
fn take(
    context: &CheckContext<'_>,
    session: &mut Session<'_>,
    step: Step,
) -> Result<u32, NotPassed> {
    match step {
        Step::Start => session.expect_ok("START 15").map(|_| 0),
        Step::StartNoWait => {
            session.send("START 15");
            Ok(1)
        }
        Step::StartWidthHeight => {
            session.send("start 15 15");
            Ok(1)
        }
        Step::About => {
            let is_words = |text: &str| {
                let reply = StrictReply::parse(text);
                reply == StrictReply::Other && !text.to_ascii_uppercase().starts_with("SUGGEST")
            };
            session
                .request("ABOUT", Duration::from_secs(3), "a line about the engine", is_words)
                .map(|_| 0)
        }
        Step::AboutNoWait => {
            session.send("ABOUT");
            Ok(1)
        }
        Step::Send(line) => {
            session.send(line);
            Ok(0)
        }
        Step::TimeoutTurn => {
            session.send_turn(TURN);
            Ok(0)
        }
        Step::TimeoutMatch => {
            session.send(&format!("INFO timeout_match {}", GAME.as_millis()));
            Ok(0)
        }
        Step::TimeLeft => {
            session.send(&format!("INFO time_left {}", GAME.as_millis()));
            Ok(0)
        }
        Step::Folder => {
            session.send(&format!("INFO folder {}", context.folder()?.display()));
            Ok(0)
        }
        Step::Suspend => {
            let _ = session.suspend_for(Duration::from_millis(250));
            Ok(0)
        }
    }
}

/// Reads the replies to a burst of commands: `OK`, then the reply to `ABOUT`.
fn expect_pending(
    session: &mut Session<'_>,
    profile: &Profile,
    pending: u32,
) -> Result<(), NotPassed> {
    for number in 0..pending {
        let expected = if number == 0 { "OK" } else { "name=…" };
        match session.next_reply(profile.start_timeout) {
            Output::Line(text, _) => {
                let fits = match number {
                    0 => is_ok(&text, profile),
                    _ => text.starts_with("name="),
                };
                if !fits {
                    return Err(session.fail(format!("\"{text}\""), expected));
                }
            }
            Output::Timeout => return Err(session.fail_silent("no reply", expected)),
            Output::Closed => return Err(session.fail_closed(expected)),
        }
    }
    Ok(())
}
