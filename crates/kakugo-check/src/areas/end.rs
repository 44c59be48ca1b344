//! Checks of the end of the process.

use std::thread;
use std::time::{Duration, Instant};

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::{Output, Session};
use crate::transcript::printable_end;
use crate::verdict::{CheckResult, NotPassed, ms};
use kakugo_protocol::client::is_alive;
use kakugo_protocol::client::{adopted, descendants};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "end.idle",
        area: Area::End,
        requirement: "exits at END in time, without further output and without a crash",
        source: "Piskvork kills after 700 ms, GomocupJudge after 500 ms; c-gomoku-cli waits forever",
        managers: &[],
        advice: "Exit at END with status 0; do not wait for search threads.",
        exclusive: true,
        run: idle,
    },
    Check {
        id: "end.thinking",
        area: Area::End,
        requirement: "exits at END in time while it is thinking",
        source: "every manager sends END when the user stops a game",
        managers: &[],
        advice: "Read commands in a separate thread, and exit from there.",
        exclusive: true,
        run: thinking,
    },
    Check {
        id: "end.input",
        area: Area::End,
        requirement: "exits at the end of the input",
        source: "a manager that crashes closes the pipe without END",
        managers: &[],
        advice: "Treat the end of the input like END; a loop that reads nothing occupies a core forever.",
        exclusive: true,
        run: input,
    },
    Check {
        id: "end.input-thinking",
        area: Area::End,
        requirement: "exits at the end of the input while it is thinking",
        source: "a manager that crashes closes the pipe without END",
        managers: &[],
        advice: "As for end.input, in the thread that reads.",
        exclusive: true,
        run: input_thinking,
    },
    Check {
        id: "end.children",
        area: Area::End,
        requirement: "leaves no process behind after END",
        source: "Gomocup runs hundreds of games on one machine",
        managers: &[],
        advice: "End the processes that you started, and wait for them.",
        exclusive: true,
        run: children,
    },
];

/// Timeout of an exit after the end of the input.
const CLOSED: Duration = Duration::from_secs(2);

fn start_game<'a>(context: &'a CheckContext<'_>, thinks: bool) -> Result<Session<'a>, NotPassed> {
    let turn = if thinks { 60_000 } else { context.turn.as_millis() };
    let mut session = context.game_with(&format!("INFO timeout_turn {turn}"))?;
    if thinks {
        session.send("BOARD\n7,7,2\n8,9,1\n5,6,2\nDONE");
        thread::sleep(Duration::from_millis(400));
    } else {
        session.turn((7, 7), context.turn)?;
    }
    Ok(session)
}

fn ends(session: &mut Session<'_>, timeout: Duration, may_move: bool) -> CheckResult {
    let (exit, elapsed) = session.expect_exit(timeout)?;
    let words = session.last_stderr();
    if !exit.is_regular() || exit.is_error() && !words.is_empty() {
        let words =
            if words.is_empty() { words } else { format!("; stderr: {}", printable_end(&words)) };
        let failure = session.fail(format!("ended by {exit}{words}"), "exit without a crash");
        return Err(failure.by_crash());
    }
    // A child of the process may print without end.
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        match session.next_reply(Duration::from_millis(50)) {
            Output::Line(text, _) if !may_move => {
                return Err(session.fail(format!("\"{text}\""), "no further output"));
            }
            Output::Line(..) => {}
            Output::Timeout | Output::Closed => break,
        }
    }
    Ok(ms(elapsed))
}

fn idle(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context, false)?;
    session.send("END");
    ends(&mut session, context.profile.end_timeout, false)
}

fn thinking(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context, true)?;
    session.send("END");
    ends(&mut session, context.profile.end_timeout, true)
}

fn input(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context, false)?;
    session.close_input();
    ends(&mut session, CLOSED, false)
}

fn input_thinking(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context, true)?;
    session.close_input();
    ends(&mut session, CLOSED, true)
}

fn children(context: &CheckContext<'_>) -> CheckResult {
    if !cfg!(target_os = "linux") {
        return Err(NotPassed::Skipped("child processes are not available on this system".into()));
    }
    let mut session = start_game(context, false)?;
    // Orphaned descendants are adopted by this process.
    let mut family = [descendants(session.id()), adopted(session.id())].concat();
    session.send("END");
    let began = Instant::now();
    // Another check tests that the process exits.
    let _ = session.expect_exit(context.profile.end_timeout);
    family.extend(adopted(session.id()));
    family.sort_unstable();
    family.dedup();
    while family.iter().any(|&child| is_alive(child)) {
        if began.elapsed() > CLOSED {
            let left: Vec<String> =
                family.iter().filter(|&&c| is_alive(c)).map(u32::to_string).collect();
            let actual = format!("processes still running: {}", left.join(", "));
            return Err(session.fail(actual, "no process left"));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(match family.len() {
        0 => "no child processes".into(),
        count => format!("{count} child processes, all ended"),
    })
}
