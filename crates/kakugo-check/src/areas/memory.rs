//! Memory stays within its limit.
//!
//! Measured as Piskvork does (the peak of the one process) and as GomocupJudge does (pages that are the
//! process's own, of it and its children).

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::trial::Trial;
use super::super::verdict::{Judged, Stop};

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "memory.gomocup",
        area: Area::Memory,
        asks: "with max_memory 350 MB peak and own pages stay below it",
        source: "Gomocup; Piskvork protocol.cpp:848 (peak), GomocupJudge new_protocol.py:107-119 (USS of the process tree)",
        managers: &["strict", "piskvork", "judge"],
        advice: "Make the table smaller than max_memory by what the program itself needs, and 10 MB more.",
        alone: false,
        run: gomocup,
    },
    Check {
        id: "memory.limit",
        area: Area::Memory,
        asks: "with max_memory 100 MB they stay below that",
        source: "protocol: INFO max_memory is in bytes and holds for the process",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Size the table at the first move, when max_memory is known; change it when it comes again.",
        alone: false,
        run: hundred,
    },
    Check {
        id: "memory.growth",
        area: Area::Memory,
        asks: "many games in one process take no more memory than two, or than was granted",
        source: "c-gomoku-cli reuses a process for a whole match",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "Free at START what the game before has left.",
        alone: false,
        run: growth,
    },
];

fn mib(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn moves(bench: &Bench<'_>, trial: &mut Trial<'_>) -> Result<(), Stop> {
    for at in [(7, 7), (0, 3), (14, 11), (3, 14)] {
        if trial.is_free(at) {
            trial.turn(at, bench.turn)?;
        }
    }
    Ok(())
}

fn within(bench: &Bench<'_>, limit: u64) -> Judged {
    let turn = bench.turn.as_millis();
    let mut trial = bench.start()?;
    trial.start_large()?;
    trial.say(&format!("INFO max_memory {limit}\nINFO timeout_turn {turn}\nINFO timeout_match 0"));
    moves(bench, &mut trial)?;
    let usage = trial.usage()?;
    let seen = format!("peak {}, own pages {}", mib(usage.peak), mib(usage.private));
    if usage.worst() > limit {
        return Err(trial.fail(seen, format!("at most {}", mib(limit))));
    }
    Ok(seen)
}

fn gomocup(bench: &Bench<'_>) -> Judged {
    within(bench, 350 << 20)
}

fn hundred(bench: &Bench<'_>) -> Judged {
    within(bench, 100 << 20)
}

fn growth(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    // Memory that was granted may be filled step by step.
    const GRANTED: u64 = 60_000_000;
    let (mut after_two, mut last, mut game) = (0, 10, 0);
    while game < last {
        game += 1;
        trial.ok("START 15")?;
        trial.new_game(15, 15);
        trial
            .say(&format!("INFO max_memory {GRANTED}\nINFO timeout_turn 60\nINFO timeout_match 0"));
        for at in [(7, 7), (0, 3), (14, 11)] {
            if trial.is_free(at) {
                trial.turn(at, bench.turn)?;
            }
        }
        if game == 2 {
            after_two = trial.usage()?.private;
        }
        // Whether it is, shows in more games.
        if game == 10 && (after_two + (8 << 20)..=GRANTED).contains(&trial.usage()?.private) {
            last = 40;
        }
    }
    let at_last = trial.usage()?.private;
    let seen = format!("own pages {} after 2 games, {} after {last}", mib(after_two), mib(at_last));
    if at_last > (after_two + (8 << 20)).max(GRANTED) {
        return Err(trial.fail(seen, "no growth from game to game"));
    }
    Ok(seen)
}
