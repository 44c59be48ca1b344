//! Input that is broken, or comes in pieces.
//!
//! No manager sends nonsense on purpose. But pipes break lines where they like, people type, and a brain
//! that dies of a line it does not know loses the game by a crash.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::trial::{Heard, Trial};
use super::super::verdict::{Judged, Stop};
use kakugo_protocol::StrictReply;

/// How long an answer to nonsense is waited for.
const QUIET: Duration = Duration::from_millis(300);
/// The same of a process that has just been started, which may have to load first.
const LOADING: Duration = Duration::from_millis(1500);
/// What a move may take beyond its limit: this is not about time.
const UNTIMED: Duration = Duration::from_secs(3);

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "malformed.line-ends",
        area: Area::Malformed,
        asks: "lines may end in LF or in CR LF",
        source: "Piskvork, GomocupJudge: CR LF; c-gomoku-cli, Yixin-Board: LF; qpiskvork: both, mixed",
        managers: &[],
        advice: "Strip CR and LF from the end of every line.",
        alone: false,
        run: line_ends,
    },
    Check {
        id: "malformed.pieces",
        area: Area::Malformed,
        asks: "a line may arrive in pieces, and several at once",
        source: "qpiskvork writes the text and its line end apart; GomocupJudge writes many lines at once",
        managers: &[],
        advice: "Read whole lines from a buffer; never take what one read returns for a line.",
        alone: false,
        run: pieces,
    },
    Check {
        id: "malformed.blank",
        area: Area::Malformed,
        asks: "empty lines are passed over",
        source: "a pipe that gets CR, LF and CR LF mixed has them",
        managers: &["strict", "qpiskvork"],
        advice: "Skip lines with nothing on them.",
        alone: false,
        run: blank,
    },
    Check {
        id: "malformed.before-start",
        area: Area::Malformed,
        asks: "BEGIN before START is no reason to die or to play",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Answer ERROR and wait for START.",
        alone: false,
        run: before_start,
    },
    Check {
        id: "malformed.turn",
        area: Area::Malformed,
        asks: "TURN without a point, or with something else, is refused, and the game goes on",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Check that there are two numbers before you use them; answer ERROR.",
        alone: false,
        run: turn,
    },
    Check {
        id: "malformed.off-board",
        area: Area::Malformed,
        asks: "TURN off the board is refused, and the game goes on",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Check both numbers against the board's size, below 0 too, before you use them as an index.",
        alone: false,
        run: off_board,
    },
    Check {
        id: "malformed.occupied",
        area: Area::Malformed,
        asks: "TURN on a stone is refused, and the game goes on",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Answer ERROR and leave the board as it is.",
        alone: false,
        run: occupied,
    },
    Check {
        id: "malformed.board",
        area: Area::Malformed,
        asks: "a BOARD with nonsense in it is no reason to die",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Read to DONE, then answer ERROR once.",
        alone: false,
        run: board,
    },
    Check {
        id: "malformed.long-line",
        area: Area::Malformed,
        asks: "a line of 100,000 characters is no reason to die",
        source: "protocol: UNKNOWN",
        managers: &["strict"],
        advice: "Bound what you read into a fixed buffer.",
        alone: false,
        run: long_line,
    },
    Check {
        id: "malformed.bytes",
        area: Area::Malformed,
        asks: "bytes that are no text are no reason to die",
        source: "a folder's name in another code page comes so in INFO folder",
        managers: &["strict", "piskvork", "judge"],
        advice: "Read bytes, or text with errors ignored; do not index tables by signed characters.",
        alone: false,
        run: bytes,
    },
];

fn line_ends(bench: &Bench<'_>) -> Judged {
    for end in ["\n", "\r\n"] {
        let mut trial = bench.start()?;
        let turn = bench.turn.as_millis();
        trial.say_bytes(format!("START 15{end}").as_bytes());
        let ok = |text: &str| StrictReply::parse(text) == StrictReply::Ok;
        trial.await_answer(bench.profile.start_patience, "OK", ok)?;
        trial.say_bytes(format!("INFO timeout_turn {turn}{end}").as_bytes());
        trial.say_bytes(format!("BOARD{end}7,7,2{end}DONE{end}").as_bytes());
        trial.mark((7, 7), true);
        trial.await_move(bench.turn + UNTIMED)?;
    }
    Ok("both".into())
}

fn pieces(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    let turn = bench.turn.as_millis();
    for piece in ["STA", "RT 1", "5", "\r", "\n"] {
        trial.say_bytes(piece.as_bytes());
        std::thread::sleep(Duration::from_millis(15));
    }
    let ok = |text: &str| StrictReply::parse(text) == StrictReply::Ok;
    trial.await_answer(bench.profile.start_patience, "OK", ok)?;
    for piece in [&*format!("INFO timeout_turn {turn}\nBEG"), "IN", "\n"] {
        trial.say_bytes(piece.as_bytes());
        std::thread::sleep(Duration::from_millis(15));
    }
    trial.await_move(bench.turn + UNTIMED)?;
    trial.say("INFO time_left 50000\nINFO rule 0\nINFO timeout_match 60000");
    trial.turn((0, 0), bench.turn)?;
    Ok("understood".into())
}

fn blank(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.say_bytes(b"\r\n\n");
    trial.ok("START 15")?;
    trial.say_bytes(format!("\nINFO timeout_turn {}\n\r\n", bench.turn.as_millis()).as_bytes());
    trial.silence(QUIET, "after empty lines")?;
    trial.play("BEGIN", bench.turn)?;
    Ok("passed over".into())
}

/// A game that goes on.
fn going_game<'a>(bench: &'a Bench<'_>) -> Result<Trial<'a>, Stop> {
    let mut trial = bench.game_with(&format!("INFO timeout_turn {}", bench.turn.as_millis()))?;
    trial.turn((7, 7), bench.turn)?;
    Ok(trial)
}

/// Whatever is sent, no move and no end may come of it.
fn survive(trial: &mut Trial<'_>, bytes: &[u8]) -> Result<(), Stop> {
    trial.say_bytes(bytes);
    for _ in 0..100 {
        match trial.answer(QUIET) {
            Heard::Silence => return Ok(()),
            Heard::Closed => return Err(trial.gone("a process that goes on (ERROR or UNKNOWN)")),
            Heard::Line(text, _) => {
                if let StrictReply::Moves(_) = StrictReply::parse(&text) {
                    return Err(trial.fail(format!("\"{text}\""), "ERROR or UNKNOWN, and no move"));
                }
            }
        }
    }
    Ok(())
}

/// The opponent's next stone, at a point that no engine takes so soon, is answered as ever.
fn go_on(trial: &mut Trial<'_>, bench: &Bench<'_>) -> Judged {
    let at = [(14, 0), (0, 14), (14, 14)].into_iter().find(|&at| trial.is_free(at));
    trial.turn(at.unwrap_or((0, 0)), bench.turn)?;
    Ok("goes on".into())
}

fn before_start(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    trial.say("BEGIN");
    if let Heard::Line(text, _) = trial.answer(LOADING)
        && let StrictReply::Moves(_) = StrictReply::parse(&text)
    {
        return Err(trial.fail(format!("\"{text}\""), "ERROR, and no move"));
    }
    survive(&mut trial, b"TURN 7,7\r\n")?;
    // One that takes long to load may refuse what came before only now.
    let fits = |text: &str| {
        let reply = StrictReply::parse(text);
        matches!(reply, StrictReply::Ok | StrictReply::Error | StrictReply::Unknown)
    };
    let patience = bench.profile.start_patience;
    let (mut text, _) = trial.ask("START 15", patience, "OK", fits)?;
    for _ in 0..2 {
        if StrictReply::parse(&text) != StrictReply::Ok {
            (text, _) = trial.await_answer(patience, "OK", fits)?;
        }
    }
    if StrictReply::parse(&text) != StrictReply::Ok {
        return Err(trial.fail(text, "OK"));
    }
    trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
    go_on(&mut trial, bench)
}

fn turn(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    survive(&mut trial, b"TURN\r\nTURN x,y\r\nTURN 7\r\nTURN ,\r\n")?;
    go_on(&mut trial, bench)
}

fn off_board(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    survive(&mut trial, b"TURN 15,3\r\nTURN 3,-1\r\nTURN 1000000000,1000000000\r\n")?;
    go_on(&mut trial, bench)
}

fn occupied(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    survive(&mut trial, b"TURN 7,7\r\n")?;
    go_on(&mut trial, bench)
}

fn board(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    // An engine may pass over the bad lines and play.
    trial.say("BOARD\n7,7,1\nnonsense\n99,99,2\n8,8,7\nDONE");
    for _ in 0..10 {
        match trial.answer(bench.turn + QUIET) {
            Heard::Line(..) => {}
            Heard::Silence => break,
            Heard::Closed => return Err(trial.gone("a process that goes on")),
        }
    }
    trial.board(&[((7, 7), 2), ((8, 8), 1), ((6, 6), 2)], bench.turn)?;
    go_on(&mut trial, bench)
}

fn long_line(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    let line = format!("HELLO {}\r\n", "x".repeat(100_000));
    survive(&mut trial, line.as_bytes())?;
    go_on(&mut trial, bench)
}

fn bytes(bench: &Bench<'_>) -> Judged {
    let mut trial = going_game(bench)?;
    survive(
        &mut trial,
        b"INFO folder C:\\\xff\xfe\x80\xc3\x28\\\r\n\xf0\x9f\x92\xa9\xff HELLO\r\n",
    )?;
    go_on(&mut trial, bench)
}
