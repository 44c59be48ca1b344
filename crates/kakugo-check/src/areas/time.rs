//! Checks of time limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::{Coord, Output, Session, is_rejection};
use crate::transcript::printable;
use crate::verdict::{CheckResult, NotPassed, ms};
use kakugo_protocol::StrictReply;
use kakugo_protocol::client::descendants;
use kakugo_protocol::client::is_running;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "time.turn",
        area: Area::Time,
        requirement: "observes INFO timeout_turn, both 500 ms and 100 ms",
        source: "protocol: INFO timeout_turn; the managers' tolerance is 1 s (Piskvork, GomocupJudge), 3 s (c-gomoku-cli), none (qpiskvork)",
        managers: &[],
        advice: "Stop earlier: measure from the arrival of the command, keep a margin, check the clock more often.",
        exclusive: true,
        run: turn,
    },
    Check {
        id: "time.first",
        area: Area::Time,
        requirement: "plays the first move in time although the process was suspended right after its start",
        source: "GomocupJudge new_protocol.py:68-79: loading time counts for the first move",
        managers: &["strict", "judge"],
        advice: "Load fast: map files, and allocate tables lazily without clearing them.",
        exclusive: true,
        run: first,
    },
    Check {
        id: "time.match",
        area: Area::Time,
        requirement: "observes INFO time_left over many moves",
        source: "protocol: INFO timeout_match, INFO time_left; with every manager an overdue move loses",
        managers: &[],
        advice: "Spend a fraction of time_left on each move; never assume that the game ends soon.",
        exclusive: true,
        run: whole_match,
    },
    Check {
        id: "time.left-tiny",
        area: Area::Time,
        requirement: "moves at once with 20 ms left",
        source: "protocol: INFO time_left",
        managers: &[],
        advice: "Reply without a search if there is almost no time.",
        exclusive: true,
        run: left_tiny,
    },
    Check {
        id: "time.left-negative",
        area: Area::Time,
        requirement: "takes a negative INFO time_left as no time, not as unlimited time",
        source: "Piskvork and GomocupJudge send the remaining time even if it is negative within their tolerance",
        managers: &["strict", "piskvork", "judge"],
        advice: "Parse time_left as a signed number, and treat negative values as 0.",
        exclusive: true,
        run: left_negative,
    },
    Check {
        id: "time.turn-zero",
        area: Area::Time,
        requirement: "moves as fast as possible with INFO timeout_turn 0",
        source: "protocol: INFO timeout_turn 0",
        managers: &["strict", "piskvork"],
        advice: "Do not divide by the turn time, and do not treat 0 as unlimited.",
        exclusive: true,
        run: turn_zero,
    },
    Check {
        id: "time.unlimited",
        area: Area::Time,
        requirement: "with time_left 2147483647 and timeout_match 0, timeout_turn is the only limit",
        source: "Piskvork sends 2147483647 for no limit; c-gomoku-cli sends timeout_match 0",
        managers: &[],
        advice: "Avoid overflows when adding times; treat timeout_match 0 as unlimited.",
        exclusive: true,
        run: unlimited,
    },
    Check {
        id: "time.stop",
        area: Area::Time,
        requirement: "moves at once at INFO timeout_turn 0 while it is thinking",
        source: "Piskvork game.cpp:990, the command Play now",
        managers: &["strict", "piskvork"],
        advice: "Read commands in a separate thread that sets a stop flag.",
        exclusive: true,
        run: stop,
    },
    Check {
        id: "time.yxstop",
        area: Area::Time,
        requirement: "moves at once at YXSTOP while it is thinking",
        source: "c-gomoku-cli engine.cpp, Yixin-Board",
        managers: &["strict", "c-gomoku-cli", "yixin-board"],
        advice: "As for time.stop.",
        exclusive: true,
        run: yxstop,
    },
    Check {
        id: "time.busy",
        area: Area::Time,
        requirement: "observes limits while all cores are busy",
        source: "tournament machines run two engines, a manager and system services",
        managers: &[],
        advice: "Keep a larger margin if the clock shows that the process did not run for a while.",
        exclusive: true,
        run: busy,
    },
    Check {
        id: "time.suspended",
        area: Area::Time,
        requirement: "observes limits after it was suspended between two moves",
        source: "Piskvork game.cpp:881-895 and GomocupJudge suspend an engine while its opponent thinks",
        managers: &["strict", "piskvork", "judge"],
        advice: "Do not measure the time between your reply and the next command.",
        exclusive: true,
        run: suspended,
    },
    Check {
        id: "time.idle",
        area: Area::Time,
        requirement: "is idle between its move and the next command",
        source: "Gomocup: no thinking on the opponent's time",
        managers: &["strict", "piskvork", "judge"],
        advice: "Wait in a blocking read; do not poll, and do not ponder unless requested.",
        exclusive: true,
        run: idle,
    },
    Check {
        id: "time.games",
        area: Area::Time,
        requirement: "observes limits in many games of one process, each with its full time",
        source: "c-gomoku-cli reuses a process for a whole match, Piskvork for many games",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "Reset the used match time at START and RESTART; do not clear a large table at the first move.",
        exclusive: true,
        run: games,
    },
    Check {
        id: "time.quiet",
        area: Area::Time,
        requirement: "sends no message after the time limit",
        source: "c-gomoku-cli engine.cpp: a MESSAGE after the limit and half the tolerance loses on time",
        managers: &["strict", "c-gomoku-cli"],
        advice: "Print no message shortly before the limit or after the move.",
        exclusive: true,
        run: quiet,
    },
];

/// A time limit that no engine exhausts by itself in a quiet position.
const LONG: Duration = Duration::from_secs(60);
/// Maximum time of an immediate reply.
const IMMEDIATE: Duration = Duration::from_millis(500);

/// Returns a quiet position, in which engines use their time: the same stones, shifted by `number`.
fn quiet_position(number: u32) -> Vec<(Coord, u8)> {
    let (dx, dy) = (number % 4, number / 4 % 3);
    let stones = [((6, 6), 2), ((7, 8), 1), ((4, 5), 2), ((10, 9), 1), ((2, 11), 2)];
    stones.map(|((x, y), field)| ((x + dx, y + dy), field)).to_vec()
}

/// Returns positions that no search solves within seconds. Some of them are in no opening book.
fn unsolved_positions() -> [Vec<(Coord, u8)>; 3] {
    [vec![((3, 11), 2)], vec![((7, 7), 2), ((8, 8), 1), ((3, 12), 2)], quiet_position(0)]
}

fn turn(context: &CheckContext<'_>) -> CheckResult {
    let mut slowest = Vec::new();
    for limit in [500, 100].map(Duration::from_millis) {
        let mut session = context.game_with(&format!("INFO timeout_turn {}", limit.as_millis()))?;
        thread::sleep(Duration::from_millis(200));
        let mut most = Duration::ZERO;
        for number in 0..5 {
            most = most.max(session.play_timed(&quiet_position(number), limit)?.elapsed);
        }
        slowest.push(format!("{} of {}", ms(most), ms(limit)));
    }
    Ok(format!("slowest {}", slowest.join(", ")))
}

fn first(context: &CheckContext<'_>) -> CheckResult {
    let limit = Duration::from_millis(500);
    let mut session = context.start()?;
    session.send(&format!(
        "START 15\nINFO timeout_turn {}\nINFO timeout_match 100000",
        limit.as_millis()
    ));
    session.send("INFO max_memory 367001600\nINFO game_type 3\nINFO rule 0");
    if !session.suspend_for(Duration::from_millis(300)) {
        return Err(NotPassed::Skipped("processes cannot be suspended on this system".into()));
    }
    session.send("INFO time_left 100000");
    session.send_board(&quiet_position(0))?;
    let deadline = limit + context.profile.slack.max(Duration::from_millis(250));
    // OK comes first, unless it came before the process was suspended.
    let (text, at) = match session.next_reply(deadline + Duration::from_secs(2)) {
        Output::Line(text, at) => (text, at),
        Output::Timeout => return Err(session.fail_silent("no reply", "OK, then a move")),
        Output::Closed => return Err(session.fail_closed("OK, then a move")),
    };
    let elapsed = at.saturating_duration_since(session.sent_at());
    if let StrictReply::Moves(_) = StrictReply::parse(&text) {
        return Err(session.fail(format!("\"{text}\""), "OK, then a move"));
    }
    let played = session.await_move(deadline)?;
    Ok(format!("{} (OK after {})", ms(played.elapsed), ms(elapsed)))
}

fn whole_match(context: &CheckContext<'_>) -> CheckResult {
    let granted = Duration::from_millis(3000);
    let mut session = context.game_with(&format!(
        "INFO timeout_turn 1000\nINFO timeout_match {}",
        granted.as_millis()
    ))?;
    let mut left = granted;
    for number in 0..10 {
        session.send(&format!("INFO time_left {}", left.as_millis()));
        let limit = left.min(Duration::from_secs(1));
        left = left.saturating_sub(session.play_timed(&quiet_position(number), limit)?.elapsed);
    }
    Ok(format!("10 moves, {} of {} left", ms(left), ms(granted)))
}

fn move_immediately(context: &CheckContext<'_>, infos: &str) -> CheckResult {
    let mut session = context.game_with("INFO timeout_turn 5000\nINFO timeout_match 100000")?;
    thread::sleep(Duration::from_millis(200));
    session.send(infos);
    let mut most = Duration::ZERO;
    let limit = context.profile.slack.clamp(Duration::from_millis(150), Duration::from_secs(1));
    for number in 0..3 {
        session.send(infos);
        session.send_board(&quiet_position(number))?;
        most = most.max(session.await_move(limit)?.elapsed);
    }
    Ok(format!("slowest {}", ms(most)))
}

fn left_tiny(context: &CheckContext<'_>) -> CheckResult {
    move_immediately(context, "INFO time_left 20")
}

fn left_negative(context: &CheckContext<'_>) -> CheckResult {
    move_immediately(context, "INFO time_left -400")
}

fn turn_zero(context: &CheckContext<'_>) -> CheckResult {
    move_immediately(context, "INFO timeout_turn 0")
}

fn unlimited(context: &CheckContext<'_>) -> CheckResult {
    let limit = Duration::from_millis(300);
    let mut session = context.game_with("INFO timeout_turn 300\nINFO timeout_match 0")?;
    for infos in
        ["INFO time_left 2147483647", "INFO timeout_match 2147483647\nINFO time_left 2147483647"]
    {
        for number in 0..2 {
            session.send(infos);
            session.play_timed(&quiet_position(number), limit)?;
        }
    }
    Ok("4 moves in time".into())
}

/// Lets the engine think for a long time, then sends these commands and expects an immediate move.
fn stopped(context: &CheckContext<'_>, words: &str) -> CheckResult {
    let infos = format!("INFO timeout_turn {}\nINFO time_left 2147483647", LONG.as_millis());
    let mut session = context.game_with(&infos)?;
    let mut early = None;
    for stones in unsolved_positions() {
        session.send_board(&stones)?;
        early = match session.next_reply(Duration::from_millis(700)) {
            Output::Line(text, _) if is_rejection(&text) => {
                return Err(session.fail(printable(&text), "a move"));
            }
            Output::Line(text, _) => Some(printable(&text)),
            Output::Closed => return Err(session.fail_closed("a move")),
            Output::Timeout => None,
        };
        if early.is_none() {
            break;
        }
    }
    if let Some(text) = early {
        return Err(NotPassed::Skipped(format!("the engine moves early ({text})")));
    }
    let limit = context.profile.slack.clamp(IMMEDIATE, Duration::from_secs(1));
    let played = session.play_within(words, limit)?;
    session.expect_silence(Duration::from_millis(200), "after the move")?;
    Ok(ms(played.elapsed))
}

fn stop(context: &CheckContext<'_>) -> CheckResult {
    stopped(context, "INFO timeout_turn 0")
}

fn yxstop(context: &CheckContext<'_>) -> CheckResult {
    stopped(context, "YXSTOP")
}

/// Threads that occupy all cores until they are dropped.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn begin() -> Busy {
        let on = Arc::new(AtomicBool::new(true));
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            let on = Arc::clone(&on);
            thread::spawn(move || {
                while on.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Busy(on)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

fn busy(context: &CheckContext<'_>) -> CheckResult {
    let limit = Duration::from_millis(300);
    let mut session = context.game_with("INFO timeout_turn 300\nINFO time_left 100000")?;
    let busy = Busy::begin();
    let mut most = Duration::ZERO;
    // The thread of the checker has to wait, too.
    let slack = context.profile.slack.max(Duration::from_millis(100));
    for number in 0..6 {
        session.send_board(&quiet_position(number))?;
        most = most.max(session.await_move(limit + slack)?.elapsed);
    }
    drop(busy);
    Ok(format!("slowest {} of {}", ms(most), ms(limit)))
}

fn suspended(context: &CheckContext<'_>) -> CheckResult {
    let limit = Duration::from_millis(500);
    let mut session =
        context.game_with("INFO timeout_turn 500\nINFO timeout_match 5000\nINFO game_type 3")?;
    let mut times = Vec::new();
    for (number, left) in (0..).zip([5000, 4500, 4000]) {
        session.send(&format!("INFO time_left {left}"));
        times.push(ms(session.play_timed(&quiet_position(number), limit)?.elapsed));
        if !session.suspend_for(Duration::from_millis(800)) {
            return Err(NotPassed::Skipped("processes cannot be suspended on this system".into()));
        }
    }
    session.expect_silence(Duration::from_millis(100), "after it was suspended")?;
    Ok(format!("suspended 3 times, moves after {}", times.join(", ")))
}

fn idle(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game_with("INFO timeout_turn 300\nINFO game_type 2")?;
    session.turn((7, 7), Duration::from_millis(300))?;
    thread::sleep(Duration::from_millis(100));
    let unknown = || NotPassed::Skipped("thread states are not available on this system".into());
    // Not CPU time, because a process gets little of it on a busy machine.
    const SAMPLES: usize = 20;
    let mut working = 0;
    for _ in 0..SAMPLES {
        thread::sleep(Duration::from_millis(30));
        let mut at_work = is_running(session.id()).ok_or_else(unknown)?;
        at_work |=
            descendants(session.id()).into_iter().any(|child| is_running(child) == Some(true));
        working += usize::from(at_work);
    }
    let seen = format!("active in {working} of {SAMPLES} samples");
    if working > SAMPLES / 3 {
        return Err(session.fail(seen, "no activity before the next command"));
    }
    Ok(seen)
}

fn games(context: &CheckContext<'_>) -> CheckResult {
    const GAMES: u32 = 8;
    const MOVES: u32 = 4;
    let limit = Duration::from_millis(200);
    let infos = "INFO timeout_turn 200\nINFO timeout_match 1000\nINFO max_memory 100000000";
    let mut session = context.start()?;
    let mut used = Vec::new();
    for game in 0..GAMES {
        session.expect_ok("START 15")?;
        session.new_game(15, 15);
        session.send(infos);
        let granted = Duration::from_millis(1000);
        let mut left = granted;
        // The positions of the last game are new, so that the engine does not know its moves.
        let first = if game + 1 == GAMES { 2 * MOVES } else { game % 2 * MOVES };
        for number in first..first + MOVES {
            session.send(&format!("INFO time_left {}", left.as_millis()));
            left = left.saturating_sub(
                session.play_timed(&quiet_position(number), limit.min(left))?.elapsed,
            );
        }
        used.push(granted - left);
    }
    let (first, last) = (used[0], used[used.len() - 1]);
    // Little time may have other reasons: an engine may be fast, or the machine busy in the first
    // game. An engine that counts the time of earlier games has none left.
    if first >= limit * MOVES / 2 && last < first / 10 {
        let actual = format!("{} for the first game, {} for the last", ms(first), ms(last));
        return Err(session.fail(actual, "the full time in every game"));
    }
    Ok(format!("{GAMES} games, {} for the first, {} for the last", ms(first), ms(last)))
}

fn quiet(context: &CheckContext<'_>) -> CheckResult {
    let limit = Duration::from_millis(300);
    let mut session = context.game_with("INFO timeout_turn 300")?;
    for number in 0..3 {
        session.send_board(&quiet_position(number))?;
        await_quiet_move(&mut session, limit, limit + context.profile.slack)?;
    }
    Ok("no messages after the limit".into())
}

/// Waits for a move and for later output. Fails if a message arrives later than `allowed`.
fn await_quiet_move(
    session: &mut Session<'_>,
    limit: Duration,
    allowed: Duration,
) -> Result<(), NotPassed> {
    let sent = session.sent_at();
    let mut deadline = sent + allowed + Duration::from_secs(3);
    let mut has_moved = false;
    loop {
        match session.next_line(deadline.saturating_duration_since(Instant::now())) {
            Output::Line(text, at) => {
                let is_message = matches!(StrictReply::parse(&text), StrictReply::Message(_));
                let elapsed = at.saturating_duration_since(sent);
                if (is_message || has_moved) && elapsed > allowed {
                    let actual = format!("\"{}\" after {}", printable(&text), ms(elapsed));
                    return Err(session.fail(actual, format!("no message after {}", ms(limit))));
                }
                if !is_message && !has_moved {
                    has_moved = true;
                    deadline = at.max(sent + allowed) + Duration::from_millis(300);
                }
            }
            Output::Timeout if has_moved => return Ok(()),
            Output::Timeout => return Err(session.fail_silent("no reply", "a move")),
            Output::Closed => return Err(session.fail_closed("a move")),
        }
    }
}
