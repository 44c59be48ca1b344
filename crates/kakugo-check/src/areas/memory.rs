//! Checks of memory limits.
//!
//! Memory is measured as Piskvork does (peak of the process) and as GomocupJudge does (private
//! pages of the process and its children).

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::Session;
use crate::verdict::{CheckResult, NotPassed};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "memory.gomocup",
        area: Area::Memory,
        requirement: "with max_memory 350 MB, peak and private memory stay below it",
        source: "Gomocup; Piskvork protocol.cpp:848 (peak), GomocupJudge new_protocol.py:107-119 (USS of the process tree)",
        managers: &["strict", "piskvork", "judge"],
        advice: "Make the transposition table smaller than max_memory by the needs of the program, and 10 MB more.",
        exclusive: false,
        run: gomocup,
    },
    Check {
        id: "memory.limit",
        area: Area::Memory,
        requirement: "with max_memory 100 MB, peak and private memory stay below it",
        source: "protocol: INFO max_memory is in bytes and applies to the process",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Allocate the transposition table at the first move, when max_memory is known; resize it when it changes.",
        exclusive: false,
        run: hundred,
    },
    Check {
        id: "memory.growth",
        area: Area::Memory,
        requirement: "many games in one process use no more memory than two, or than the limit",
        source: "c-gomoku-cli reuses a process for a whole match",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "At START free the memory of the previous game.",
        exclusive: false,
        run: growth,
    },
];

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn moves(context: &CheckContext<'_>, session: &mut Session<'_>) -> Result<(), NotPassed> {
    for at in [(7, 7), (0, 3), (14, 11), (3, 14)] {
        if session.is_free(at) {
            session.turn(at, context.turn)?;
        }
    }
    Ok(())
}

fn check_limit(context: &CheckContext<'_>, limit: u64) -> CheckResult {
    let turn = context.turn.as_millis();
    let mut session = context.start()?;
    session.start_large()?;
    session
        .send(&format!("INFO max_memory {limit}\nINFO timeout_turn {turn}\nINFO timeout_match 0"));
    moves(context, &mut session)?;
    let usage = session.usage()?;
    let seen = usage.to_string();
    if usage.worst() > limit {
        return Err(session.fail(seen, format!("at most {}", mib(limit))));
    }
    Ok(seen)
}

fn gomocup(context: &CheckContext<'_>) -> CheckResult {
    check_limit(context, 350 << 20)
}

fn hundred(context: &CheckContext<'_>) -> CheckResult {
    check_limit(context, 100 << 20)
}

fn growth(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    // Memory within the limit may be filled gradually.
    const GRANTED: u64 = 60_000_000;
    let (mut after_two, mut last, mut game) = (0, 10, 0);
    while game < last {
        game += 1;
        session.expect_ok("START 15")?;
        session.new_game(15, 15);
        session.send(&format!(
            "INFO max_memory {GRANTED}\nINFO timeout_turn 60\nINFO timeout_match 0"
        ));
        for at in [(7, 7), (0, 3), (14, 11)] {
            if session.is_free(at) {
                session.turn(at, context.turn)?;
            }
        }
        if game == 2 {
            after_two = session.private_memory()?;
        }
        // More games show if growth continues beyond the limit.
        if game == 10 && (after_two + (8 << 20)..=GRANTED).contains(&session.private_memory()?) {
            last = 40;
        }
    }
    let at_last = session.private_memory()?;
    let seen = format!("private {} after 2 games, {} after {last}", mib(after_two), mib(at_last));
    if at_last > (after_two + (8 << 20)).max(GRANTED) {
        return Err(session.fail(seen, "no growth from game to game"));
    }
    Ok(seen)
}
