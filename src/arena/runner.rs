//! Playing the schedule: workers with their own engines, one collector.
//!
//! A worker takes the next job, plays it with the processes it holds, and hands over the record.
//! It keeps the two engines of its last job, which are reused if the next job needs them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, bail};

use super::adjudicate::Prover;
use super::end::Abandoned;
use super::game;
use super::job::Job;
use super::journal::GameRecord;
use super::participant::Entrant;
use super::settings::Settings;

/// What the workers share.
struct Hall<'a, I> {
    settings: &'a Settings,
    prover: Option<Prover<'a>>,
    jobs: Mutex<I>,
    stop: &'a AtomicBool,
}

/// Play `jobs` with `workers` games at a time and give every finished game to `collect`, as they
/// end. The match ends with the jobs, when `collect` breaks, or when `stop` is raised; games under
/// way are then abandoned. No engine process survives the return.
pub fn play(
    settings: &Settings,
    jobs: impl Iterator<Item = Job> + Send,
    workers: usize,
    prover: Option<Prover<'_>>,
    stop: &AtomicBool,
    mut collect: impl FnMut(GameRecord) -> Result<ControlFlow<()>>,
) -> Result<()> {
    let hall = Hall { settings, prover, jobs: Mutex::new(jobs), stop };
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..workers.max(1) {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || work(hall, &sender));
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

/// One worker's life.
fn work<I: Iterator<Item = Job>>(
    hall: &Hall<'_, I>,
    finished: &Sender<Result<GameRecord, String>>,
) {
    let mut engines: BTreeMap<usize, Entrant<'_>> = BTreeMap::new();
    while !hall.stop.load(Ordering::Relaxed) {
        let job = hall.jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some(job) = job else { break };
        let [mut first, mut second] = job.players.map(|player| {
            let new = || Entrant::new(hall.settings.engines[player].clone(), hall.stop);
            engines.remove(&player).unwrap_or_else(new)
        });
        engines.values_mut().for_each(Entrant::end);
        engines.clear();
        let result = game::play(hall.settings, &job, [&mut first, &mut second], hall.prover);
        engines.extend([(job.players[0], first), (job.players[1], second)]);
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
