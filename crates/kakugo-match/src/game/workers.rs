//! Worker threads that play the schedule with engines of their own.
//!
//! A worker takes the next scheduled game, plays it and sends the record to the collector. It keeps
//! the two engines of its last game, and reuses them if the next game has the same engines.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use super::adjudicate::Prover;
use super::end::Abandoned;
use super::participant::MatchEngine;
use super::referee;
use crate::journal::GameRecord;
use crate::schedule::ScheduledGame;
use crate::settings::MatchSettings;

/// The queue of scheduled games, with everything needed to play them.
struct WorkQueue<'a, I> {
    settings: &'a MatchSettings,
    prover: Option<Prover<'a>>,
    games: Mutex<I>,
    stop: &'a AtomicBool,
}

/// Plays `games` on `workers` threads and passes each finished game to `collect`.
///
/// The match ends after the last game, when `collect` breaks, or when `stop` is set. Games in
/// progress are then abandoned. All engine processes have ended when the function returns.
///
/// # Errors
/// Fails if an engine cannot be started or `collect` fails.
pub fn play(
    settings: &MatchSettings,
    games: impl Iterator<Item = ScheduledGame> + Send,
    workers: usize,
    prover: Option<Prover<'_>>,
    stop: &AtomicBool,
    mut collect: impl FnMut(GameRecord) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let queue = WorkQueue { settings, prover, games: Mutex::new(games), stop };
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..workers.max(1) {
            let (queue, sender) = (&queue, sender.clone());
            scope.spawn(move || work(queue, &sender));
        }
        drop(sender);
        let (mut failure, mut is_collecting) = (None, true);
        for game in finished {
            let next = match game {
                // After an engine has failed, the games of the others count.
                Ok(game) if is_collecting => collect(game).inspect_err(|_| is_collecting = false),
                Ok(_) => Ok(ControlFlow::Break(())),
                Err(error) => Err(anyhow::Error::msg(error)),
            };
            match next {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => stop.store(true, Ordering::Relaxed),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
        match failure {
            Some(error) => bail!(error),
            None => Ok(()),
        }
    })
}

/// The main loop of a worker.
fn work<I: Iterator<Item = ScheduledGame>>(
    queue: &WorkQueue<'_, I>,
    finished: &Sender<Result<GameRecord, String>>,
) {
    let mut engines: BTreeMap<usize, MatchEngine<'_>> = BTreeMap::new();
    while !queue.stop.load(Ordering::Relaxed) {
        let scheduled = queue.games.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(scheduled) = scheduled else { break };
        let [mut first, mut second] = scheduled.players.map(|player| {
            let new = || MatchEngine::new(queue.settings.engines[player].clone(), queue.stop);
            engines.remove(&player).unwrap_or_else(new)
        });
        engines.values_mut().for_each(MatchEngine::end);
        engines.clear();
        let result =
            referee::play(queue.settings, &scheduled, [&mut first, &mut second], queue.prover);
        engines.extend([(scheduled.players[0], first), (scheduled.players[1], second)]);
        let message = match result {
            Ok(game) => Ok(game),
            Err(Abandoned::Stopped) => break,
            Err(Abandoned::Unstartable(error)) => Err(error),
        };
        if finished.send(message).is_err() {
            break;
        }
    }
    engines.values_mut().for_each(MatchEngine::end);
}
