//! Checks of `INFO`.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::verdict::{CheckResult, NotPassed};

/// Time without output after `INFO`.
const QUIET: Duration = Duration::from_millis(250);

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "info.known",
        area: Area::Info,
        requirement: "accepts the keys that managers send, without a reply",
        source: "protocol: INFO has no reply; Piskvork protocol.cpp:586-615 sends all of these",
        managers: &[],
        advice: "Do not reply to INFO; a line would be taken as the reply to the next command.",
        exclusive: false,
        run: known,
    },
    Check {
        id: "info.unknown",
        area: Area::Info,
        requirement: "ignores unknown keys, keys without a value and invalid values, without a reply",
        source: "protocol: INFO; c-gomoku-cli forwards any key from its command line",
        managers: &[],
        advice: "Ignore unknown keys of INFO; do not reply UNKNOWN.",
        exclusive: false,
        run: unknown,
    },
    Check {
        id: "info.capitals",
        area: Area::Info,
        requirement: "accepts keys in capitals",
        source: "pygomo sends INFO TIMEOUT_TURN",
        managers: &["strict", "yixin-board"],
        advice: "Compare keys case-insensitively.",
        exclusive: false,
        run: capitals,
    },
    Check {
        id: "info.early",
        area: Area::Info,
        requirement: "accepts INFO before START, and applies it afterwards",
        source: "Yixin-Board and pygomo send INFO first",
        managers: &["strict", "yixin-board"],
        advice: "Store options separately from the game.",
        exclusive: false,
        run: early,
    },
    Check {
        id: "info.folder",
        area: Area::Info,
        requirement: "accepts spaces, quotes and commas in INFO folder",
        source: "Piskvork and GomocupJudge send INFO folder with a path to the end of the line",
        managers: &["strict", "piskvork", "judge", "qpiskvork"],
        advice: "Read INFO folder to the end of the line; otherwise the rest is taken as a command.",
        exclusive: false,
        run: folder,
    },
    Check {
        id: "info.evaluate",
        area: Area::Info,
        requirement: "does not reply to INFO evaluate x,y",
        source: "Piskvork game.cpp sends it when the mouse moves",
        managers: &["strict", "piskvork"],
        advice: "Ignore it, or show the evaluation in a window of your own.",
        exclusive: false,
        run: evaluate,
    },
    Check {
        id: "info.between",
        area: Area::Info,
        requirement: "INFO between two moves changes limits but not the game",
        source: "every manager sends INFO time_left before each move",
        managers: &[],
        advice: "Never clear the board at INFO.",
        exclusive: false,
        run: between,
    },
];

fn known(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send(
        "INFO max_memory 100000000\nINFO timeout_match 100000\nINFO timeout_turn 300\n\
         INFO game_type 1\nINFO rule 0\nINFO time_left 100000",
    );
    session.send(&format!("INFO folder {}", context.folder()?.display()));
    session.expect_silence(QUIET, "after INFO")?;
    session.play("BEGIN", Duration::from_millis(300))?;
    Ok("no reply".into())
}

fn unknown(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send_turn(context.turn);
    session.send("INFO colour blue\nINFO\nINFO timeout_turn\nINFO max_memory lots\nINFO x 1 2 3");
    session.expect_silence(QUIET, "after INFO")?;
    session.play("BEGIN", context.turn)?;
    Ok("no reply".into())
}

fn capitals(context: &CheckContext<'_>) -> CheckResult {
    let context = &context.as_manager("yixin-board");
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send("INFO timeout_turn 20000\nINFO TIMEOUT_TURN 300\nINFO TIME_LEFT 100000");
    session.expect_silence(QUIET, "after INFO")?;
    session.turn((7, 7), Duration::from_millis(300))?;
    session.turn((0, 0), Duration::from_millis(300))?;
    Ok("accepted".into())
}

fn early(context: &CheckContext<'_>) -> CheckResult {
    let context = &context.as_manager("yixin-board");
    let mut session = context.start()?;
    session.send("INFO timeout_turn 300\nINFO rule 0\nINFO max_memory 100000000");
    session.expect_silence(QUIET, "after INFO")?;
    session.expect_ok("START 15")?;
    session.turn((7, 7), Duration::from_millis(300))?;
    session.turn((0, 0), Duration::from_millis(300))?;
    Ok("accepted".into())
}

fn folder(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send_turn(context.turn);
    // The folder exists, because some engines create a missing one.
    let folder = context.folder()?.join("Engine's START, BEGIN and END");
    let rejected =
        |error| NotPassed::Skipped(format!("cannot create a folder with this name: {error}"));
    std::fs::create_dir(&folder).map_err(rejected)?;
    session.send(&format!("INFO folder {}{}", folder.display(), std::path::MAIN_SEPARATOR));
    session.expect_silence(QUIET, "after INFO folder")?;
    session.play("BEGIN", context.turn)?;
    Ok("accepted".into())
}

fn evaluate(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.expect_ok("START 15")?;
    session.send_turn(context.turn);
    session.play("BEGIN", context.turn)?;
    session.send("INFO evaluate 3,4\nINFO evaluate 3,5\nINFO evaluate 99,99");
    session.expect_silence(QUIET, "after INFO evaluate")?;
    session.turn((3, 4), context.turn)?;
    Ok("no reply".into())
}

fn between(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.plain_game()?;
    session.turn((7, 7), context.turn)?;
    for at in [(0, 0), (14, 14), (0, 14)] {
        session.send("INFO time_left 60000\nINFO timeout_match 100000\nINFO rule 0\nINFO max_memory 100000000");
        session.turn(at, context.turn)?;
    }
    Ok("4 moves".into())
}
