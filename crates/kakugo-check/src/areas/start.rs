//! From the process's start to `OK`.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::trial::Heard;
use super::super::verdict::{Judged, Stop, ms};
use kakugo_protocol::StrictReply;

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "start.ok",
        area: Area::Start,
        asks: "START 15 is answered by OK, and by nothing else",
        source: "Piskvork protocol.cpp:733 wants exactly OK; c-gomoku-cli waits 3 s for it",
        managers: &[],
        advice: "Answer START by the two letters OK and a line end, flushed at once; load large files later.",
        alone: false,
        run: ok,
    },
    Check {
        id: "start.20",
        area: Area::Start,
        asks: "START 20 is answered by OK",
        source: "Gomocup plays freestyle and fastgame on 20x20",
        managers: &[],
        advice: "Support 20x20, or enter the rule-and-size zip names that leave it out.",
        alone: false,
        run: twenty,
    },
    Check {
        id: "start.silent",
        area: Area::Start,
        asks: "nothing is said before the first command",
        source: "pygomo and qpiskvork take the first line for the answer to START",
        managers: &["strict", "piskvork", "qpiskvork", "c-gomoku-cli"],
        advice: "Print no banner on stdout; where one is wanted, only if stdin is a terminal.",
        alone: false,
        run: silent,
    },
    Check {
        id: "start.sizes",
        area: Area::Start,
        asks: "impossible board sizes are refused by ERROR at START, and a good one works after that",
        source: "protocol: START is answered by OK or ERROR; an ERROR later is waited for as a move",
        managers: &[],
        advice: "Check the size when START comes and answer ERROR; keep reading commands.",
        alone: false,
        run: sizes,
    },
    Check {
        id: "start.rectangle",
        area: Area::Start,
        asks: "RECTSTART 20,15 is answered by OK, and moves stay on that board; or it is refused by ERROR",
        source: "Piskvork protocol.cpp: RECTSTART on boards that are not square",
        managers: &["strict", "piskvork"],
        advice: "Answer ERROR if only squares are supported.",
        alone: false,
        run: rectangle,
    },
    Check {
        id: "start.small-letters",
        area: Area::Start,
        asks: "commands may come in small letters",
        source: "Yixin-Board main.c sends start, board, done, info in small letters",
        managers: &["strict", "yixin-board"],
        advice: "Compare command words without regard to case.",
        alone: false,
        run: small_letters,
    },
    Check {
        id: "start.two-numbers",
        area: Area::Start,
        asks: "START 15 15 is a board of 15x15",
        source: "Yixin-Board main.c sends START with width and height",
        managers: &["strict", "yixin-board"],
        advice: "Read a second number after START as the height.",
        alone: false,
        run: two_numbers,
    },
    Check {
        id: "start.foreign-folder",
        area: Area::Start,
        asks: "it starts in any folder, not only its own",
        source: "Piskvork protocol.cpp:184 starts brains in a temporary folder",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Find your files beside the executable (argv[0], GetModuleFileName), not in the working folder.",
        alone: false,
        run: foreign_folder,
    },
    Check {
        id: "start.stderr",
        area: Area::Start,
        asks: "nothing is written to stderr",
        source: "Piskvork protocol.cpp:237: stderr is the same pipe as stdout",
        managers: &["strict", "piskvork"],
        advice: "Write logs to a file, or only when a variable asks for them.",
        alone: false,
        run: stderr,
    },
];

fn ok(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    let elapsed = trial.ok("START 15")?;
    trial.silence(Duration::from_millis(150), "after OK")?;
    Ok(ms(elapsed))
}

fn twenty(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 20")?;
    trial.new_game(20, 20);
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.play("BEGIN", bench.turn)?;
    trial.turn((19, 19), bench.turn)?;
    Ok("moves on 20x20".into())
}

fn silent(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.silence(Duration::from_millis(300), "before the first command")?;
    Ok("silent".into())
}

fn sizes(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    for size in ["1", "0", "-15", "1000"] {
        trial.ask(&format!("START {size}"), bench.profile.start_patience, "ERROR", |text| {
            StrictReply::parse(text) == StrictReply::Error
        })?;
    }
    trial.ok("START 15")?;
    Ok("refused".into())
}

fn rectangle(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    let (text, _) =
        trial.ask("RECTSTART 20,15", bench.profile.start_patience, "OK or ERROR", |text| {
            let reply = StrictReply::parse(text);
            matches!(reply, StrictReply::Ok | StrictReply::Error | StrictReply::Unknown)
        })?;
    if StrictReply::parse(&text) != StrictReply::Ok {
        return Err(Stop::Unsupported(text));
    }
    trial.new_game(20, 15);
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    for at in [(19, 14), (19, 0), (18, 13)] {
        trial.turn(at, bench.turn)?;
    }
    Ok("moves on 20x15".into())
}

fn small_letters(bench: &Bench<'_>) -> Judged {
    let bench = &bench.as_manager("yixin-board");
    let mut trial = bench.start()?;
    trial.ok("start 15")?;
    trial.say(&format!("info timeout_turn {}", bench.turn.as_millis()));
    trial.mark((7, 7), true);
    trial.play("board\n7,7,2\ndone", bench.turn)?;
    Ok("understood".into())
}

fn two_numbers(bench: &Bench<'_>) -> Judged {
    // Only Yixin-Board asks so, and it passes over what it does not know.
    let bench = &bench.as_manager("yixin-board");
    let mut trial = bench.start()?;
    trial.ok("START 15 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.play("BEGIN", bench.turn)?;
    trial.turn((14, 14), bench.turn)?;
    Ok("understood".into())
}

fn foreign_folder(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start_in(bench.folder()?)?;
    trial.ok("START 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.play("BEGIN", bench.turn)?;
    Ok("moves".into())
}

fn stderr(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.ok("START 15")?;
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    trial.play("BEGIN", bench.turn)?;
    trial.turn((0, 0), bench.turn)?;
    trial.say("NONSENSE");
    let _: Heard = trial.answer(Duration::from_millis(200));
    let words = trial.stderr();
    if words.is_empty() {
        return Ok("silent".into());
    }
    Err(trial.fail(format!("on stderr: {words}"), "nothing on stderr"))
}
