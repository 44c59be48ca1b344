//! Moves come in time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::system::is_working;
use super::super::transcript::shown;
use super::super::trial::{Heard, Xy};
use super::super::verdict::{Judged, Stop, ms};
use kakugo_protocol::StrictReply;
use kakugo_protocol::client::descendants;

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "time.turn",
        area: Area::Time,
        asks: "INFO timeout_turn is kept, 500 ms as well as 100 ms",
        source: "protocol: INFO timeout_turn; the managers' tolerance is 1 s (Piskvork, GomocupJudge), 3 s (c-gomoku-cli), none (qpiskvork)",
        managers: &[],
        advice: "Stop earlier: take the time from the arrival of the command, leave a margin, look at the clock more often.",
        alone: true,
        run: turn,
    },
    Check {
        id: "time.first",
        area: Area::Time,
        asks: "the first move is in time though the process was suspended as soon as it had been started",
        source: "GomocupJudge new_protocol.py:68-79: loading counts in the first move",
        managers: &["strict", "judge"],
        advice: "Load fast: map files, allocate tables late and without clearing them all.",
        alone: true,
        run: first,
    },
    Check {
        id: "time.match",
        area: Area::Time,
        asks: "INFO time_left is kept over many moves",
        source: "protocol: INFO timeout_match, INFO time_left; every manager ends a game for it",
        managers: &[],
        advice: "Spend a fraction of time_left for each move; never trust that the game ends soon.",
        alone: true,
        run: whole_match,
    },
    Check {
        id: "time.left-tiny",
        area: Area::Time,
        asks: "with 20 ms left a move comes at once",
        source: "protocol: INFO time_left",
        managers: &[],
        advice: "Answer without a search where there is next to no time.",
        alone: true,
        run: left_tiny,
    },
    Check {
        id: "time.left-negative",
        area: Area::Time,
        asks: "INFO time_left below 0 means at once, not unlimited",
        source: "Piskvork and GomocupJudge send what is left even where their tolerance is being used",
        managers: &["strict", "piskvork", "judge"],
        advice: "Read time_left as a signed number and take less than 0 for 0.",
        alone: true,
        run: left_negative,
    },
    Check {
        id: "time.turn-zero",
        area: Area::Time,
        asks: "INFO timeout_turn 0 means as fast as possible",
        source: "protocol: INFO timeout_turn 0",
        managers: &["strict", "piskvork"],
        advice: "Do not divide by the turn time, and do not take 0 for unlimited.",
        alone: true,
        run: turn_zero,
    },
    Check {
        id: "time.unlimited",
        area: Area::Time,
        asks: "time_left 2147483647 and timeout_match 0 leave timeout_turn as the only limit",
        source: "Piskvork sends 2147483647 for no limit; c-gomoku-cli sends timeout_match 0",
        managers: &[],
        advice: "Mind overflows where times are added; take timeout_match 0 for no limit.",
        alone: true,
        run: unlimited,
    },
    Check {
        id: "time.stop",
        area: Area::Time,
        asks: "INFO timeout_turn 0 while it thinks makes it play at once",
        source: "Piskvork game.cpp:990, its command Play now",
        managers: &["strict", "piskvork"],
        advice: "Read commands in a thread of their own and let this one raise a stop flag.",
        alone: true,
        run: stop,
    },
    Check {
        id: "time.yxstop",
        area: Area::Time,
        asks: "YXSTOP while it thinks makes it play at once",
        source: "c-gomoku-cli engine.cpp, Yixin-Board",
        managers: &["strict", "c-gomoku-cli", "yixin-board"],
        advice: "As for INFO timeout_turn 0.",
        alone: true,
        run: yxstop,
    },
    Check {
        id: "time.busy",
        area: Area::Time,
        asks: "limits are kept while all cores are busy",
        source: "tournament machines run two brains and a manager, and whatever the system wants",
        managers: &[],
        advice: "Leave a larger margin where the clock shows that the process was not run for a while.",
        alone: true,
        run: busy,
    },
    Check {
        id: "time.suspended",
        area: Area::Time,
        asks: "to be suspended between two moves costs nothing",
        source: "Piskvork game.cpp:881-895 and GomocupJudge suspend a brain while its opponent thinks",
        managers: &["strict", "piskvork", "judge"],
        advice: "Do not count time between your answer and the next command.",
        alone: true,
        run: suspended,
    },
    Check {
        id: "time.idle",
        area: Area::Time,
        asks: "after a move it rests until the next command",
        source: "Gomocup: no thinking on the opponent's time",
        managers: &["strict", "piskvork", "judge"],
        advice: "Wait in a blocking read; do not poll, do not ponder unless asked to.",
        alone: true,
        run: idle,
    },
    Check {
        id: "time.games",
        area: Area::Time,
        asks: "many games in one process are all in time, the time of each full again",
        source: "c-gomoku-cli reuses a process for a whole match, Piskvork for many games",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "Reset the used match time at START and RESTART; do not clear a large table at the first move.",
        alone: true,
        run: games,
    },
    Check {
        id: "time.quiet",
        area: Area::Time,
        asks: "no message comes after the time limit",
        source: "c-gomoku-cli engine.cpp: a MESSAGE after the limit and half the tolerance loses on time",
        managers: &["strict", "c-gomoku-cli"],
        advice: "Print no message in the last moments, or after the move.",
        alone: true,
        run: quiet,
    },
];

/// A turn that no engine uses up by itself in a position without a plain best move.
const LONG: Duration = Duration::from_secs(60);
/// What is at once.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Positions without a plain best move, in which engines use their time: the same stones, moved.
fn calm(number: u32) -> Vec<(Xy, u8)> {
    let (dx, dy) = (number % 4, number / 4 % 3);
    let stones = [((6, 6), 2), ((7, 8), 1), ((4, 5), 2), ((10, 9), 1), ((2, 11), 2)];
    stones.map(|((x, y), field)| ((x + dx, y + dy), field)).to_vec()
}

/// Positions that are solved by no search within seconds: of few stones, some of them in no book.
fn long_undecided() -> [Vec<(Xy, u8)>; 3] {
    [vec![((3, 11), 2)], vec![((7, 7), 2), ((8, 8), 1), ((3, 12), 2)], calm(0)]
}

fn turn(bench: &Bench<'_>) -> Judged {
    let mut slowest = Vec::new();
    for limit in [500, 100].map(Duration::from_millis) {
        let mut trial = bench.game_with(&format!("INFO timeout_turn {}", limit.as_millis()))?;
        thread::sleep(Duration::from_millis(200));
        let mut most = Duration::ZERO;
        for number in 0..5 {
            most = most.max(trial.timed(&calm(number), limit)?.elapsed);
        }
        slowest.push(format!("{} of {}", ms(most), ms(limit)));
    }
    Ok(format!("slowest {}", slowest.join(", ")))
}

fn first(bench: &Bench<'_>) -> Judged {
    let limit = Duration::from_millis(500);
    let mut trial = bench.start()?;
    trial.say(&format!(
        "START 15\nINFO timeout_turn {}\nINFO timeout_match 100000",
        limit.as_millis()
    ));
    trial.say("INFO max_memory 367001600\nINFO game_type 3\nINFO rule 0");
    if !trial.nap(Duration::from_millis(300)) {
        return Err(Stop::Skipped("this system does not let processes be suspended".into()));
    }
    trial.say("INFO time_left 100000");
    trial.lay_out(&calm(0))?;
    let deadline = limit + bench.profile.slack.max(Duration::from_millis(250));
    // OK comes first, unless it came before the process slept.
    let heard = trial.answer(deadline + Duration::from_secs(2));
    let Heard::Line(text, at) = heard else {
        return Err(trial.fail("no answer", "OK, then a move"));
    };
    let elapsed = at.saturating_duration_since(trial.sent_at());
    if let StrictReply::Moves(_) = StrictReply::parse(&text) {
        return Err(trial.fail(format!("\"{text}\""), "OK, then a move"));
    }
    let played = trial.await_move(deadline)?;
    Ok(format!("{} (OK after {})", ms(played.elapsed), ms(elapsed)))
}

fn whole_match(bench: &Bench<'_>) -> Judged {
    let granted = Duration::from_millis(3000);
    let mut trial = bench.game_with(&format!(
        "INFO timeout_turn 1000\nINFO timeout_match {}",
        granted.as_millis()
    ))?;
    let mut left = granted;
    for number in 0..10 {
        trial.say(&format!("INFO time_left {}", left.as_millis()));
        let limit = left.min(Duration::from_secs(1));
        left = left.saturating_sub(trial.timed(&calm(number), limit)?.elapsed);
    }
    Ok(format!("10 moves, {} of {} left", ms(left), ms(granted)))
}

fn at_once(bench: &Bench<'_>, infos: &str) -> Judged {
    let mut trial = bench.game_with("INFO timeout_turn 5000\nINFO timeout_match 100000")?;
    thread::sleep(Duration::from_millis(200));
    trial.say(infos);
    let mut most = Duration::ZERO;
    let limit = bench.profile.slack.clamp(Duration::from_millis(150), Duration::from_secs(1));
    for number in 0..3 {
        trial.say(infos);
        trial.lay_out(&calm(number))?;
        most = most.max(trial.await_move(limit)?.elapsed);
    }
    Ok(format!("slowest {}", ms(most)))
}

fn left_tiny(bench: &Bench<'_>) -> Judged {
    at_once(bench, "INFO time_left 20")
}

fn left_negative(bench: &Bench<'_>) -> Judged {
    at_once(bench, "INFO time_left -400")
}

fn turn_zero(bench: &Bench<'_>) -> Judged {
    at_once(bench, "INFO timeout_turn 0")
}

fn unlimited(bench: &Bench<'_>) -> Judged {
    let limit = Duration::from_millis(300);
    let mut trial = bench.game_with("INFO timeout_turn 300\nINFO timeout_match 0")?;
    for infos in
        ["INFO time_left 2147483647", "INFO timeout_match 2147483647\nINFO time_left 2147483647"]
    {
        for number in 0..2 {
            trial.say(infos);
            trial.timed(&calm(number), limit)?;
        }
    }
    Ok("kept".into())
}

/// Have it think long, then end that by these words.
fn stopped(bench: &Bench<'_>, words: &str) -> Judged {
    let infos = format!("INFO timeout_turn {}\nINFO time_left 2147483647", LONG.as_millis());
    let mut trial = bench.game_with(&infos)?;
    let mut early = None;
    for stones in long_undecided() {
        trial.lay_out(&stones)?;
        early = match trial.answer(Duration::from_millis(700)) {
            Heard::Line(text, _) => Some(text),
            _ => None,
        };
        if early.is_none() {
            break;
        }
    }
    if let Some(text) = early {
        return Err(Stop::Skipped(format!("it does not think long ({text})")));
    }
    let limit = bench.profile.slack.clamp(AT_ONCE, Duration::from_secs(1));
    let played = trial.play_within(words, limit)?;
    trial.silence(Duration::from_millis(200), "after the move")?;
    Ok(ms(played.elapsed))
}

fn stop(bench: &Bench<'_>) -> Judged {
    stopped(bench, "INFO timeout_turn 0")
}

fn yxstop(bench: &Bench<'_>) -> Judged {
    stopped(bench, "YXSTOP")
}

/// Threads that keep every core busy until they are dropped.
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

fn busy(bench: &Bench<'_>) -> Judged {
    let limit = Duration::from_millis(300);
    let mut trial = bench.game_with("INFO timeout_turn 300\nINFO time_left 100000")?;
    let busy = Busy::begin();
    let mut most = Duration::ZERO;
    // Our own thread has to wait, too.
    let slack = bench.profile.slack.max(Duration::from_millis(100));
    for number in 0..6 {
        trial.lay_out(&calm(number))?;
        most = most.max(trial.await_move(limit + slack)?.elapsed);
    }
    drop(busy);
    Ok(format!("slowest {} of {}", ms(most), ms(limit)))
}

fn suspended(bench: &Bench<'_>) -> Judged {
    let limit = Duration::from_millis(500);
    let mut trial =
        bench.game_with("INFO timeout_turn 500\nINFO timeout_match 5000\nINFO game_type 3")?;
    for (number, left) in (0..).zip([5000, 4500, 4000]) {
        trial.say(&format!("INFO time_left {left}"));
        trial.timed(&calm(number), limit)?;
        if !trial.nap(Duration::from_millis(800)) {
            return Err(Stop::Skipped("this system does not let processes be suspended".into()));
        }
    }
    trial.silence(Duration::from_millis(100), "after it was suspended")?;
    Ok("3 naps".into())
}

fn idle(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game_with("INFO timeout_turn 300\nINFO game_type 2")?;
    trial.turn((7, 7), Duration::from_millis(300))?;
    thread::sleep(Duration::from_millis(100));
    let unknown = || Stop::Skipped("this system does not tell the work of others".into());
    // Not processor time: on a busy machine one that works gets next to none.
    const LOOKS: usize = 20;
    let mut working = 0;
    for _ in 0..LOOKS {
        thread::sleep(Duration::from_millis(30));
        let mut at_work = is_working(trial.id()).ok_or_else(unknown)?;
        at_work |= descendants(trial.id()).into_iter().any(|child| is_working(child) == Some(true));
        working += usize::from(at_work);
    }
    let seen = format!("at work in {working} of {LOOKS} looks");
    if working > LOOKS / 3 {
        return Err(trial.fail(seen, "rest until the next command"));
    }
    Ok(seen)
}

fn games(bench: &Bench<'_>) -> Judged {
    const GAMES: usize = 8;
    let limit = Duration::from_millis(200);
    let infos = "INFO timeout_turn 200\nINFO timeout_match 1000\nINFO max_memory 100000000";
    let mut trial = bench.start()?;
    for _ in 0..GAMES {
        trial.ok("START 15")?;
        trial.new_game(15, 15);
        trial.say(infos);
        let mut left = Duration::from_millis(1000);
        for number in 0..4 {
            trial.say(&format!("INFO time_left {}", left.as_millis()));
            left = left.saturating_sub(trial.timed(&calm(number), limit.min(left))?.elapsed);
        }
    }
    Ok(format!("{GAMES} games"))
}

fn quiet(bench: &Bench<'_>) -> Judged {
    let limit = Duration::from_millis(300);
    let mut trial = bench.game_with("INFO timeout_turn 300")?;
    for number in 0..3 {
        trial.lay_out(&calm(number))?;
        let sent = Instant::now();
        let allowed = limit + bench.profile.slack;
        let deadline = sent + allowed + Duration::from_secs(3);
        loop {
            match trial.hear(deadline.saturating_duration_since(Instant::now())) {
                Heard::Line(text, at) => {
                    if !matches!(StrictReply::parse(&text), StrictReply::Message(_)) {
                        break;
                    }
                    let elapsed = at.saturating_duration_since(sent);
                    if elapsed > allowed {
                        let came = format!("\"{}\" after {}", shown(&text), ms(elapsed));
                        return Err(
                            trial.fail(came, format!("no message later than {}", ms(limit)))
                        );
                    }
                }
                Heard::Silence => return Err(trial.fail("no answer", "a move")),
                Heard::Closed => return Err(trial.gone("a move")),
            }
        }
        // A message after the move is late as well.
        let seen = Duration::from_millis(100);
        if let Heard::Line(text, _) = trial.hear(seen) {
            let now = sent.elapsed();
            if now > allowed {
                let came = format!("\"{}\" after {}", shown(&text), ms(now));
                return Err(trial.fail(came, "no message then"));
            }
        }
    }
    Ok("silent".into())
}
