//! The process ends, and leaves nothing behind.

use std::thread;
use std::time::{Duration, Instant};

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::system::is_alive;
use super::super::transcript::shown;
use super::super::trial::{Heard, Trial};
use super::super::verdict::{Judged, Stop, ms};
use kakugo_protocol::client::{adopted, descendants};

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "end.idle",
        area: Area::End,
        asks: "END ends the process soon, without another word and without a crash",
        source: "Piskvork kills after 700 ms, GomocupJudge after 500 ms; c-gomoku-cli waits for ever",
        managers: &[],
        advice: "Exit at END with status 0; do not wait for threads that think.",
        alone: true,
        run: idle,
    },
    Check {
        id: "end.thinking",
        area: Area::End,
        asks: "END while it thinks ends the process as soon",
        source: "every manager sends it when its user stops a game",
        managers: &[],
        advice: "Read commands in a thread of their own; exit from there.",
        alone: true,
        run: thinking,
    },
    Check {
        id: "end.input",
        area: Area::End,
        asks: "the end of the input ends the process",
        source: "a manager that crashes closes the pipe and sends no END",
        managers: &[],
        advice: "Take the end of the input for END; a loop that goes on reading nothing burns a core for ever.",
        alone: true,
        run: input,
    },
    Check {
        id: "end.input-thinking",
        area: Area::End,
        asks: "the end of the input while it thinks ends the process",
        source: "a manager that crashes closes the pipe and sends no END",
        managers: &[],
        advice: "As above, from the thread that reads.",
        alone: true,
        run: input_thinking,
    },
    Check {
        id: "end.children",
        area: Area::End,
        asks: "no process is left behind after END",
        source: "Gomocup runs hundreds of games on one machine",
        managers: &[],
        advice: "End and wait for the processes that you started.",
        alone: true,
        run: left_behind,
    },
];

/// What an end without END may take.
const CLOSED: Duration = Duration::from_secs(2);

fn begun<'a>(bench: &'a Bench<'_>, thinks: bool) -> Result<Trial<'a>, Stop> {
    let turn = if thinks { 60_000 } else { bench.turn.as_millis() };
    let mut trial = bench.game_with(&format!("INFO timeout_turn {turn}"))?;
    if thinks {
        trial.say("BOARD\n7,7,2\n8,9,1\n5,6,2\nDONE");
        thread::sleep(Duration::from_millis(400));
    } else {
        trial.turn((7, 7), bench.turn)?;
    }
    Ok(trial)
}

fn ends(trial: &mut Trial<'_>, patience: Duration, may_move: bool) -> Judged {
    let (exit, elapsed) = trial.ended(patience)?;
    let words = trial.last_stderr();
    if !exit.is_regular() || exit.is_error() && !words.is_empty() {
        let words = if words.is_empty() { words } else { format!("; stderr: {}", shown(&words)) };
        return Err(trial.fail(format!("it ended by {exit}{words}"), "an end without a crash"));
    }
    loop {
        match trial.answer(Duration::from_millis(50)) {
            Heard::Line(text, _) if !may_move => {
                return Err(trial.fail(format!("\"{text}\""), "nothing more to be said"));
            }
            Heard::Line(..) => {}
            Heard::Silence | Heard::Closed => return Ok(ms(elapsed)),
        }
    }
}

fn idle(bench: &Bench<'_>) -> Judged {
    let mut trial = begun(bench, false)?;
    trial.say("END");
    ends(&mut trial, bench.profile.end_patience, false)
}

fn thinking(bench: &Bench<'_>) -> Judged {
    let mut trial = begun(bench, true)?;
    trial.say("END");
    ends(&mut trial, bench.profile.end_patience, true)
}

fn input(bench: &Bench<'_>) -> Judged {
    let mut trial = begun(bench, false)?;
    trial.close_input();
    ends(&mut trial, CLOSED, false)
}

fn input_thinking(bench: &Bench<'_>) -> Judged {
    let mut trial = begun(bench, true)?;
    trial.close_input();
    ends(&mut trial, CLOSED, true)
}

fn left_behind(bench: &Bench<'_>) -> Judged {
    if !cfg!(target_os = "linux") {
        return Err(Stop::Skipped("this system does not tell the children of others".into()));
    }
    let mut trial = begun(bench, false)?;
    // Those that have left their parents are ours.
    let mut family = [descendants(trial.id()), adopted()].concat();
    trial.say("END");
    let began = Instant::now();
    // Whether it ends itself is asked elsewhere.
    let _ = trial.ended(bench.profile.end_patience);
    family.extend(adopted().into_iter().filter(|&child| child != trial.id()));
    family.sort_unstable();
    family.dedup();
    while family.iter().any(|&child| is_alive(child)) {
        if began.elapsed() > CLOSED {
            let left: Vec<String> =
                family.iter().filter(|&&c| is_alive(c)).map(u32::to_string).collect();
            return Err(trial.fail(format!("processes {} are left", left.join(", ")), "none"));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(match family.len() {
        0 => "it had no children".into(),
        count => format!("{count} children, all gone"),
    })
}
