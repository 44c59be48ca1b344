//! Checks with invalid or fragmented input.
//!
//! No manager sends invalid input on purpose. But pipes split lines anywhere, users type commands,
//! and an engine that exits because of an unknown line loses the game by a crash.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::{Output, Session, is_ok};
use crate::verdict::{CheckResult, NotPassed};
use kakugo_protocol::StrictReply;

/// Timeout of replies to invalid input.
const QUIET: Duration = Duration::from_millis(300);
/// Timeout of the first reply of a new process, which may have to load files.
const LOADING: Duration = Duration::from_millis(1500);
/// Time allowed beyond the limit of a move, because timing is not tested.
const AMPLE_TIME: Duration = Duration::from_secs(3);

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "malformed.line-ends",
        area: Area::Malformed,
        requirement: "accepts lines that end in LF or in CR LF",
        source: "Piskvork, GomocupJudge: CR LF; c-gomoku-cli, Yixin-Board: LF; qpiskvork: both, mixed",
        managers: &[],
        advice: "Strip CR and LF from the end of every line.",
        exclusive: false,
        run: line_ends,
    },
    Check {
        id: "malformed.pieces",
        area: Area::Malformed,
        requirement: "accepts lines that arrive in pieces, and several lines at once",
        source: "qpiskvork writes the text and its line end separately; GomocupJudge writes many lines at once",
        managers: &[],
        advice: "Read complete lines from a buffer; a single read may return part of a line.",
        exclusive: false,
        run: pieces,
    },
    Check {
        id: "malformed.blank",
        area: Area::Malformed,
        requirement: "ignores empty lines",
        source: "they result from mixed CR, LF and CR LF in a pipe",
        managers: &["strict", "qpiskvork"],
        advice: "Skip empty lines.",
        exclusive: false,
        run: blank,
    },
    Check {
        id: "malformed.before-start",
        area: Area::Malformed,
        requirement: "neither exits nor moves at BEGIN before START",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Reply ERROR and wait for START.",
        exclusive: false,
        run: before_start,
    },
    Check {
        id: "malformed.turn",
        area: Area::Malformed,
        requirement: "rejects TURN with a missing or invalid point, and the game continues",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Check that there are two numbers before you use them; reply ERROR.",
        exclusive: false,
        run: turn,
    },
    Check {
        id: "malformed.off-board",
        area: Area::Malformed,
        requirement: "rejects TURN off the board, and the game continues",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Check both numbers against the board size and 0 before you use them as an index.",
        exclusive: false,
        run: off_board,
    },
    Check {
        id: "malformed.occupied",
        area: Area::Malformed,
        requirement: "rejects TURN on a stone, and the game continues",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Reply ERROR and leave the board unchanged.",
        exclusive: false,
        run: occupied,
    },
    Check {
        id: "malformed.board",
        area: Area::Malformed,
        requirement: "does not exit at a BOARD with invalid lines",
        source: "protocol: ERROR",
        managers: &["strict"],
        advice: "Read to DONE, then reply ERROR once.",
        exclusive: false,
        run: board,
    },
    Check {
        id: "malformed.long-line",
        area: Area::Malformed,
        requirement: "does not exit at a line of 100,000 characters",
        source: "protocol: UNKNOWN",
        managers: &["strict"],
        advice: "Limit what you read into a fixed buffer.",
        exclusive: false,
        run: long_line,
    },
    Check {
        id: "malformed.bytes",
        area: Area::Malformed,
        requirement: "does not exit at bytes that are not text",
        source: "INFO folder may contain a folder name in another code page",
        managers: &["strict", "piskvork", "judge"],
        advice: "Read bytes, or text with errors ignored; do not index tables with signed characters.",
        exclusive: false,
        run: bytes,
    },
];

fn line_ends(context: &CheckContext<'_>) -> CheckResult {
    for end in ["\n", "\r\n"] {
        let mut session = context.start()?;
        let turn = context.turn.as_millis();
        session.send_bytes(format!("START 15{end}").as_bytes());
        let ok = |text: &str| is_ok(text, context.profile);
        session.await_reply(context.profile.start_timeout, "OK", ok)?;
        session.send_bytes(format!("INFO timeout_turn {turn}{end}").as_bytes());
        session.send_bytes(format!("BOARD{end}7,7,2{end}DONE{end}").as_bytes());
        session.set_occupied((7, 7), true);
        session.await_move(context.turn + AMPLE_TIME)?;
    }
    Ok("both".into())
}

fn pieces(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    let turn = context.turn.as_millis();
    for piece in ["STA", "RT 1", "5", "\r", "\n"] {
        session.send_bytes(piece.as_bytes());
        std::thread::sleep(Duration::from_millis(15));
    }
    let ok = |text: &str| is_ok(text, context.profile);
    session.await_reply(context.profile.start_timeout, "OK", ok)?;
    for piece in [&*format!("INFO timeout_turn {turn}\nBEG"), "IN", "\n"] {
        session.send_bytes(piece.as_bytes());
        std::thread::sleep(Duration::from_millis(15));
    }
    session.await_move(context.turn + AMPLE_TIME)?;
    session.send("INFO time_left 50000\nINFO rule 0\nINFO timeout_match 60000");
    session.turn((0, 0), context.turn)?;
    Ok("accepted".into())
}

fn blank(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.send_bytes(b"\r\n\n");
    session.expect_ok("START 15")?;
    session
        .send_bytes(format!("\nINFO timeout_turn {}\n\r\n", context.turn.as_millis()).as_bytes());
    session.expect_silence(QUIET, "after empty lines")?;
    session.play("BEGIN", context.turn)?;
    Ok("ignored".into())
}

/// Starts a game and plays its first move.
fn start_game<'a>(context: &'a CheckContext<'_>) -> Result<Session<'a>, NotPassed> {
    let mut session = context.plain_game()?;
    session.turn((7, 7), context.turn)?;
    Ok(session)
}

/// Sends bytes. The engine must neither exit nor move.
fn survive(session: &mut Session<'_>, bytes: &[u8]) -> Result<(), NotPassed> {
    session.send_bytes(bytes);
    for _ in 0..100 {
        match session.next_reply(QUIET) {
            Output::Timeout => return Ok(()),
            Output::Closed => {
                return Err(session.fail_closed("a running process (ERROR or UNKNOWN)"));
            }
            Output::Line(text, _) => {
                if let StrictReply::Moves(_) = StrictReply::parse(&text) {
                    return Err(session.fail(format!("\"{text}\""), "ERROR or UNKNOWN, not a move"));
                }
            }
        }
    }
    Ok(())
}

/// Plays the opponent's next stone at a point that no engine uses so early, and expects a move.
fn continue_game(session: &mut Session<'_>, context: &CheckContext<'_>) -> CheckResult {
    let at = [(14, 0), (0, 14), (14, 14)].into_iter().find(|&at| session.is_free(at));
    session.turn(at.unwrap_or((0, 0)), context.turn)?;
    Ok("game continues".into())
}

fn before_start(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    session.send("BEGIN");
    if let Output::Line(text, _) = session.next_reply(LOADING)
        && let StrictReply::Moves(_) = StrictReply::parse(&text)
    {
        return Err(session.fail(format!("\"{text}\""), "ERROR, not a move"));
    }
    survive(&mut session, b"TURN 7,7\r\n")?;
    // A slow engine may reject the earlier commands only now.
    let ok = |text: &str| is_ok(text, context.profile);
    let fits = |text: &str| {
        ok(text) || matches!(StrictReply::parse(text), StrictReply::Error | StrictReply::Unknown)
    };
    let timeout = context.profile.start_timeout;
    let (mut text, _) = session.request("START 15", timeout, "OK", fits)?;
    for _ in 0..2 {
        if !ok(&text) {
            (text, _) = session.await_reply(timeout, "OK", fits)?;
        }
    }
    if !ok(&text) {
        return Err(session.fail(text, "OK"));
    }
    session.send_turn(context.turn);
    continue_game(&mut session, context)
}

fn turn(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    survive(&mut session, b"TURN\r\nTURN x,y\r\nTURN 7\r\nTURN ,\r\n")?;
    continue_game(&mut session, context)
}

fn off_board(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    survive(&mut session, b"TURN 15,3\r\nTURN 3,-1\r\nTURN 1000000000,1000000000\r\n")?;
    continue_game(&mut session, context)
}

fn occupied(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    survive(&mut session, b"TURN 7,7\r\n")?;
    continue_game(&mut session, context)
}

fn board(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    // An engine may ignore the invalid lines and move.
    session.send("BOARD\n7,7,1\nnonsense\n99,99,2\n8,8,7\nDONE");
    for _ in 0..10 {
        match session.next_reply(context.turn + QUIET) {
            Output::Line(..) => {}
            Output::Timeout => break,
            Output::Closed => return Err(session.fail_closed("a running process")),
        }
    }
    session.play_board(&[((7, 7), 2), ((8, 8), 1), ((6, 6), 2)], context.turn)?;
    continue_game(&mut session, context)
}

fn long_line(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    let line = format!("HELLO {}\r\n", "x".repeat(100_000));
    survive(&mut session, line.as_bytes())?;
    continue_game(&mut session, context)
}

fn bytes(context: &CheckContext<'_>) -> CheckResult {
    let mut session = start_game(context)?;
    survive(
        &mut session,
        b"INFO folder C:\\\xff\xfe\x80\xc3\x28\\\r\n\xf0\x9f\x92\xa9\xff HELLO\r\n",
    )?;
    continue_game(&mut session, context)
}
