//! Playing the schedule: workers with their own engines, one collector.
//!
//! A worker takes the next game of the schedule, plays it with the processes it holds, and hands over the record.
//! It keeps the two engines of its last game, which are reused if the next game needs them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use super::adjudicate::Prover;
use super::end::Abandoned;
use super::participant::Entrant;
use super::referee;
use crate::journal::GameRecord;
use crate::schedule::ScheduledGame;
use crate::settings::Settings;

/// The games that wait for workers, and what these need to play them.
struct WorkQueue<'a, I> {
    settings: &'a Settings,
    prover: Option<Prover<'a>>,
    games: Mutex<I>,
    stop: &'a AtomicBool,
}

/// Play `games` with `workers` games at a time and give every finished game to `collect`, as they
/// end. The match ends with the games, when `collect` breaks, or when `stop` is raised; games under
/// way are then abandoned. No engine process survives the return.
pub fn play(
    settings: &Settings,
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
        let mut failure = None;
        for game in finished {
            let next = match game {
                Ok(game) if failure.is_none() => collect(game),
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

/// What one worker does.
fn work<I: Iterator<Item = ScheduledGame>>(
    queue: &WorkQueue<'_, I>,
    finished: &Sender<Result<GameRecord, String>>,
) {
    let mut engines: BTreeMap<usize, Entrant<'_>> = BTreeMap::new();
    while !queue.stop.load(Ordering::Relaxed) {
        let scheduled = queue.games.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(scheduled) = scheduled else { break };
        let [mut first, mut second] = scheduled.players.map(|player| {
            let new = || Entrant::new(queue.settings.engines[player].clone(), queue.stop);
            engines.remove(&player).unwrap_or_else(new)
        });
        engines.values_mut().for_each(Entrant::end);
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
    engines.values_mut().for_each(Entrant::end);
}
