//! Checks of the start, from the process's start to `OK`.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::Output;
use crate::verdict::{CheckResult, ms};
use kakugo_protocol::StrictReply;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "start.ok",
        area: Area::Start,
        requirement: "replies to START 15 with OK, and with nothing else",
        source: "Piskvork protocol.cpp:733 expects exactly OK; c-gomoku-cli waits 3 s for it",
        managers: &[],
        advice: "Reply to START with OK and a line end, flushed at once; load large files later.",
        exclusive: false,
        run: ok,
    },
    Check {
        id: "start.20",
        area: Area::Start,
        requirement: "replies to START 20 with OK",
        source: "Gomocup plays freestyle and fastgame on 20x20",
        managers: &[],
        advice: "Support 20x20, or use zip names with a board size that exclude it.",
        exclusive: false,
        run: twenty,
    },
    Check {
        id: "start.silent",
        area: Area::Start,
        requirement: "prints nothing before the first command",
        source: "pygomo and qpiskvork take the first line as the reply to START",
        managers: &["strict", "piskvork", "qpiskvork", "c-gomoku-cli"],
        advice: "Print no banner on stdout, or only if stdin is a terminal.",
        exclusive: false,
        run: silent,
    },
    Check {
        id: "start.sizes",
        area: Area::Start,
        requirement: "rejects invalid board sizes with ERROR at START, and accepts a valid one afterwards",
        source: "protocol: the reply to START is OK or ERROR; managers take a later ERROR as a missing move",
        managers: &[],
        advice: "Check the size at START and reply ERROR; continue to read commands.",
        exclusive: false,
        run: sizes,
    },
    Check {
        id: "start.rectangle",
        area: Area::Start,
        requirement: "replies to RECTSTART 20,15 with OK and plays on that board, or rejects it with ERROR",
        source: "Piskvork protocol.cpp: RECTSTART on boards that are not square",
        managers: &["strict", "piskvork"],
        advice: "Reply ERROR if you support only square boards.",
        exclusive: false,
        run: rectangle,
    },
    Check {
        id: "start.small-letters",
        area: Area::Start,
        requirement: "accepts commands in lower case",
        source: "Yixin-Board main.c sends start, board, done and info in lower case",
        managers: &["strict", "yixin-board"],
        advice: "Compare commands case-insensitively.",
        exclusive: false,
        run: small_letters,
    },
    Check {
        id: "start.two-numbers",
        area: Area::Start,
        requirement: "accepts START 15 15 as a 15x15 board",
        source: "Yixin-Board main.c sends START with width and height",
        managers: &["strict", "yixin-board"],
        advice: "Read a second number after START as the height.",
        exclusive: false,
        run: two_numbers,
    },
    Check {
        id: "start.foreign-folder",
        area: Area::Start,
        requirement: "starts in any working folder",
        source: "Piskvork protocol.cpp:184 starts engines in a temporary folder",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Find your files beside the executable (argv[0], GetModuleFileName), not in the working folder.",
        exclusive: false,
        run: foreign_folder,
    },
    Check {
        id: "start.stderr",
        area: Area::Start,
        requirement: "prints nothing on stderr",
        source: "Piskvork protocol.cpp:237: stderr is the same pipe as stdout",
        managers: &["strict", "piskvork"],
        advice: "Write logs to a file, or only if an environment variable enables them.",
        exclusive: false,
        run: stderr,
    },
];

/// Returns true if the engine replies to `START` with `OK`, whatever it prints afterwards.
pub(crate) fn starts(context: &CheckContext<'_>) -> bool {
    context.start().and_then(|mut session| session.expect_ok("START 15")).is_ok()
}

/// Returns true if a line that begins with `OK` follows `START`. Some managers skip lines before
/// it, and others accept text after it.
pub(crate) fn starts_for_some_manager(context: &CheckContext<'_>) -> bool {
    let context = context.as_manager("c-gomoku-cli");
    let timeout = context.profile.start_timeout;
    let ok = |text: &str| text.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("OK"));
    let Ok(mut session) = context.start() else { return false };
    session.request("START 15", timeout, "OK", ok).is_ok()
}

fn ok(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    let elapsed = session.expect_ok("START 15")?;
    session.expect_silence(Duration::from_millis(150), "after OK")?;
    Ok(ms(elapsed))
}

fn twenty(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 20")?;
    session.new_game(20, 20);
    session.send_turn(context.turn);
    session.play("BEGIN", context.turn)?;
    session.turn((19, 19), context.turn)?;
    Ok("moves on 20x20".into())
}

fn silent(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_silence(Duration::from_millis(300), "before the first command")?;
    Ok("no output".into())
}

fn sizes(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    for size in ["1", "0", "-15", "1000"] {
        session.request(
            &format!("START {size}"),
            context.profile.start_timeout,
            "ERROR",
            |text| StrictReply::parse(text) == StrictReply::Error,
        )?;
    }
    session.expect_ok("START 15")?;
    Ok("rejected".into())
}

fn rectangle(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    let timeout = context.profile.start_timeout;
    session.expect_ok_if_supported("RECTSTART 20,15", timeout, "OK or ERROR")?;
    session.new_game(20, 15);
    session.send_turn(context.turn);
    for at in [(19, 14), (19, 0), (18, 13)] {
        session.turn(at, context.turn)?;
    }
    Ok("moves on 20x15".into())
}

fn small_letters(context: &CheckContext<'_>) -> CheckResult {
    let context = &context.as_manager("yixin-board");
    let mut session = context.start()?;
    session.expect_ok("start 15")?;
    session.send(&format!("info timeout_turn {}", context.turn.as_millis()));
    session.set_occupied((7, 7), true);
    session.play("board\n7,7,2\ndone", context.turn)?;
    Ok("accepted".into())
}

fn two_numbers(context: &CheckContext<'_>) -> CheckResult {
    // Only Yixin-Board sends this, and it ignores unexpected lines.
    let context = &context.as_manager("yixin-board");
    let mut session = context.start()?;
    session.expect_ok("START 15 15")?;
    session.send_turn(context.turn);
    session.play("BEGIN", context.turn)?;
    session.turn((14, 14), context.turn)?;
    Ok("accepted".into())
}

fn foreign_folder(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start_in(context.folder()?)?;
    session.expect_ok("START 15")?;
    session.send_turn(context.turn);
    session.play("BEGIN", context.turn)?;
    Ok("moves".into())
}

fn stderr(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send_turn(context.turn);
    session.play("BEGIN", context.turn)?;
    session.turn((0, 0), context.turn)?;
    session.send("NONSENSE");
    let _: Output = session.next_reply(Duration::from_millis(200));
    let words = session.stderr();
    if words.is_empty() {
        return Ok("no output".into());
    }
    Err(session.fail(format!("on stderr: {words}"), "no output on stderr"))
}
