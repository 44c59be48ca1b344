//! Keys of `INFO`.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::verdict::{Judged, Stop};

/// How long nothing may come after `INFO`.
const QUIET: Duration = Duration::from_millis(250);

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "info.known",
        area: Area::Info,
        asks: "the keys that managers send are taken without an answer",
        source: "protocol: INFO is never answered; Piskvork protocol.cpp:586-615 sends all of these",
        managers: &[],
        advice: "Say nothing to INFO; a line would be taken for the answer to the next command.",
        alone: false,
        run: known,
    },
    Check {
        id: "info.unknown",
        area: Area::Info,
        asks: "unknown keys, keys without a value and values that make no sense are passed over in silence",
        source: "protocol: INFO; c-gomoku-cli passes on any key that its user names",
        managers: &[],
        advice: "Ignore what you do not know in INFO; do not answer UNKNOWN to it.",
        alone: false,
        run: unknown,
    },
    Check {
        id: "info.capitals",
        area: Area::Info,
        asks: "keys in capitals are understood",
        source: "pygomo sends INFO TIMEOUT_TURN",
        managers: &["strict", "yixin-board"],
        advice: "Compare keys without regard to case.",
        alone: false,
        run: capitals,
    },
    Check {
        id: "info.early",
        area: Area::Info,
        asks: "INFO may come before START and holds then",
        source: "Yixin-Board and pygomo send INFO first",
        managers: &["strict", "yixin-board"],
        advice: "Keep options apart from the game.",
        alone: false,
        run: early,
    },
    Check {
        id: "info.folder",
        area: Area::Info,
        asks: "a folder's name may hold blanks, quotes and commas",
        source: "Piskvork and GomocupJudge send INFO folder with the rest of the line as a path",
        managers: &["strict", "piskvork", "judge", "qpiskvork"],
        advice: "Read INFO folder to the end of the line, not one word; the rest is else taken for a command.",
        alone: false,
        run: folder,
    },
    Check {
        id: "info.evaluate",
        area: Area::Info,
        asks: "INFO evaluate x,y is no question",
        source: "Piskvork game.cpp sends it as the mouse moves",
        managers: &["strict", "piskvork"],
        advice: "Ignore it, or draw what you think into your own window.",
        alone: false,
        run: evaluate,
    },
    Check {
        id: "info.between",
        area: Area::Info,
        asks: "INFO between two moves changes limits and not the game",
        source: "every manager sends INFO time_left before each move",
        managers: &[],
        advice: "Never clear the board at INFO.",
        alone: false,
        run: between,
    },
];

fn known(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say(
        "INFO max_memory 100000000\nINFO timeout_match 100000\nINFO timeout_turn 300\n\
         INFO game_type 1\nINFO rule 0\nINFO time_left 100000",
    );
    trial.say(&format!("INFO folder {}", bench.folder()?.display()));
    trial.silence(QUIET, "after INFO")?;
    trial.play("BEGIN", Duration::from_millis(300))?;
    Ok("silent".into())
}

fn unknown(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.say("INFO colour blue\nINFO\nINFO timeout_turn\nINFO max_memory lots\nINFO x 1 2 3");
    trial.silence(QUIET, "after INFO")?;
    trial.play("BEGIN", bench.turn)?;
    Ok("silent".into())
}

fn capitals(bench: &Bench<'_>) -> Judged {
    let bench = &bench.as_manager("yixin-board");
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say("INFO timeout_turn 20000\nINFO TIMEOUT_TURN 300\nINFO TIME_LEFT 100000");
    trial.silence(QUIET, "after INFO")?;
    trial.turn((7, 7), Duration::from_millis(300))?;
    trial.turn((0, 0), Duration::from_millis(300))?;
    Ok("understood".into())
}

fn early(bench: &Bench<'_>) -> Judged {
    let bench = &bench.as_manager("yixin-board");
    let mut trial = bench.start()?;
    trial.say("INFO timeout_turn 300\nINFO rule 0\nINFO max_memory 100000000");
    trial.silence(QUIET, "after INFO")?;
    trial.ok("START 15")?;
    trial.turn((7, 7), Duration::from_millis(300))?;
    trial.turn((0, 0), Duration::from_millis(300))?;
    Ok("understood".into())
}

fn folder(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    // A folder that exists: some brains make one where it does not.
    let folder = bench.folder()?.join("Brain's START, BEGIN and END");
    let refused = |error| Stop::Skipped(format!("no folder of such a name: {error}"));
    std::fs::create_dir(&folder).map_err(refused)?;
    trial.say(&format!("INFO folder {}{}", folder.display(), std::path::MAIN_SEPARATOR));
    trial.silence(QUIET, "after INFO folder")?;
    trial.play("BEGIN", bench.turn)?;
    Ok("understood".into())
}

fn evaluate(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.play("BEGIN", bench.turn)?;
    trial.say("INFO evaluate 3,4\nINFO evaluate 3,5\nINFO evaluate 99,99");
    trial.silence(QUIET, "after INFO evaluate")?;
    trial.turn((3, 4), bench.turn)?;
    Ok("silent".into())
}

fn between(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game_with(&format!("INFO timeout_turn {}", bench.turn.as_millis()))?;
    trial.turn((7, 7), bench.turn)?;
    for at in [(0, 0), (14, 14), (0, 14)] {
        trial.say("INFO time_left 60000\nINFO timeout_match 100000\nINFO rule 0\nINFO max_memory 100000000");
        trial.turn(at, bench.turn)?;
    }
    Ok("4 moves".into())
}
