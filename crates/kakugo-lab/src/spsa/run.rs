//! The driver: distributes pairs to players, and applies their results in order.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};

use super::climb::{Climb, Trial};
use super::log::Pair;

/// Maximum time between two calls of `report`.
const WAKE_INTERVAL: Duration = Duration::from_secs(1);

/// A finished pair: the index of its player, the pair, and its result.
type Played = (usize, Trial, anyhow::Result<Option<i32>>);

/// Plays until `pairs` are finished or `stop` is set, with one thread per player.
///
/// A player gets a pair and a function that returns true if the pair should be abandoned. It
/// returns the result, or `None` for an abandoned pair. `keep` gets every finished pair, in order.
/// `report` is called at least once a second.
///
/// # Errors
/// Returns the first error of a player or of `keep`.
pub(super) fn drive<P>(
    climb: &mut Climb<'_>,
    pairs: u32,
    players: Vec<P>,
    stop: &AtomicBool,
    keep: &mut dyn FnMut(&Pair) -> anyhow::Result<()>,
    report: &mut dyn FnMut(&Climb<'_>),
) -> anyhow::Result<()>
where
    P: FnMut(&Trial, &dyn Fn() -> bool) -> anyhow::Result<Option<i32>> + Send,
{
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut queues = Vec::new();
        for (own, mut player) in players.into_iter().enumerate() {
            let (queue, trials) = mpsc::channel::<Trial>();
            queues.push(queue);
            let (sender, is_over) = (sender.clone(), &is_over);
            scope.spawn(move || {
                for trial in trials {
                    // The others would wait for the result of a player that has panicked.
                    let play = AssertUnwindSafe(|| player(&trial, is_over));
                    let result = catch_unwind(play);
                    let result = result.unwrap_or_else(|_| Err(anyhow!("a player has panicked")));
                    if sender.send((own, trial, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut allow = |next| if is_over() || next >= pairs { None } else { Some(next) };
        let result = distribute(climb, &mut allow, &queues, &results, keep, report);
        failed.store(true, Ordering::Relaxed);
        result
    })
}

/// Sends the pairs that `allow` returns to idle players, until no pair is left or in play.
fn distribute(
    climb: &mut Climb<'_>,
    allow: &mut dyn FnMut(u32) -> Option<u32>,
    queues: &[Sender<Trial>],
    results: &Receiver<Played>,
    keep: &mut dyn FnMut(&Pair) -> anyhow::Result<()>,
    report: &mut dyn FnMut(&Climb<'_>),
) -> anyhow::Result<()> {
    let mut idle: Vec<&Sender<Trial>> = queues.iter().collect();
    let mut next = climb.done();
    let mut early = BTreeMap::new();
    loop {
        while let Some(trial) = allow(next).and_then(|next| climb.trial(next))
            && let Some(queue) = idle.pop()
        {
            queue.send(trial).ok().context("a player has ended unexpectedly")?;
            next += 1;
        }
        if idle.len() == queues.len() {
            return Ok(());
        }
        match results.recv_timeout(WAKE_INTERVAL) {
            Ok((player, trial, result)) => {
                idle.push(&queues[player]);
                if let Some(result) = result? {
                    early.insert(trial.number, (trial.signs, result));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("all players have ended unexpectedly"),
        }
        while let Some((signs, result)) = early.remove(&climb.done()) {
            let pair = Pair { number: climb.done(), signs, result };
            keep(&pair)?;
            climb.learn(&pair.signs, pair.result);
        }
        report(climb);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::tests::settings;
    use crate::spsa::settings::Settings;

    /// Returns a result that depends only on the trial.
    fn fake(trial: &Trial) -> i32 {
        (trial.seed % 5) as i32 - 2
    }

    /// Plays until `pairs` are finished, starting after the pairs of `before`.
    fn run(
        settings: &Settings,
        before: &[Pair],
        pairs: u32,
        players: usize,
    ) -> (Vec<Pair>, Vec<f64>) {
        let mut climb = Climb::new(settings);
        before.iter().for_each(|pair| climb.learn(&pair.signs, pair.result));
        let mut kept = before.to_vec();
        let player = |own: usize| {
            move |trial: &Trial, _: &dyn Fn() -> bool| {
                // Some are slower, so that results arrive out of order.
                let slow = (trial.number as usize * 7 + own) % 3;
                std::thread::sleep(Duration::from_micros(200 * slow as u64));
                Ok(Some(fake(trial)))
            }
        };
        let players = (0..players).map(player).collect();
        let stop = AtomicBool::new(false);
        let mut keep = |pair: &Pair| {
            kept.push(pair.clone());
            Ok(())
        };
        drive(&mut climb, pairs, players, &stop, &mut keep, &mut |_| {}).unwrap();
        let values = climb.values().to_vec();
        (kept, values)
    }

    #[test]
    fn values_do_not_depend_on_players_or_interruptions() {
        let settings = settings(150, 0.05, &[0, 50, -300]);
        let (pairs, values) = run(&settings, &[], 150, 1);
        assert_eq!(pairs.len(), 150);
        assert!(pairs.iter().map(|pair| pair.number).eq(0..150));
        assert_eq!(run(&settings, &[], 150, 3), (pairs.clone(), values.clone()));
        assert_eq!(run(&settings, &[], 150, 60), (pairs.clone(), values.clone()));
        for known in [0, 1, 31, 32, 33, 34, 100, 149, 150] {
            let resumed = run(&settings, &pairs[..known], 150, 1 + known % 4);
            assert_eq!(resumed, (pairs.clone(), values.clone()), "{known}");
        }
    }

    #[test]
    fn a_stop_abandons_the_pairs_in_play() {
        let settings = settings(1000, 0.05, &[0]);
        let mut climb = Climb::new(&settings);
        let stop = AtomicBool::new(false);
        let player = |trial: &Trial, is_over: &dyn Fn() -> bool| {
            while trial.number >= 20 && !is_over() {
                std::thread::yield_now();
            }
            Ok((trial.number < 20).then_some(1))
        };
        let mut kept = 0;
        let mut keep = |_: &Pair| {
            kept += 1;
            stop.store(kept == 20, Ordering::Relaxed);
            Ok(())
        };
        drive(&mut climb, 1000, vec![player; 3], &stop, &mut keep, &mut |_| {}).unwrap();
        assert_eq!((kept, climb.done()), (20, 20));
    }

    #[test]
    fn errors_of_players_and_of_the_log_end_a_run() {
        let settings = settings(1000, 0.05, &[0]);
        let stop = AtomicBool::new(false);
        let run = |fails: u32, panics: bool, full: u32| {
            let player = |trial: &Trial, is_over: &dyn Fn() -> bool| {
                if trial.number == fails {
                    assert!(!panics, "a panic of a test");
                    bail!("no luck");
                }
                // The others wait until they are stopped.
                while trial.number > fails && !is_over() {
                    std::thread::yield_now();
                }
                Ok((!is_over()).then_some(1))
            };
            let mut keep = |pair: &Pair| {
                anyhow::ensure!(pair.number < full, "disk full");
                Ok(())
            };
            let mut climb = Climb::new(&settings);
            let error = drive(&mut climb, 99, vec![player; 3], &stop, &mut keep, &mut |_| {});
            (error.unwrap_err().to_string(), climb.done())
        };
        assert_eq!(run(500, false, 7), ("disk full".to_owned(), 7));
        for (panics, expected) in [(false, "no luck"), (true, "a player has panicked")] {
            let (error, done) = run(7, panics, 500);
            assert_eq!(error, expected);
            assert!(done <= 7);
        }
    }
}
