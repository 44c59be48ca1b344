//! The driver: hands out pairs, keeps their results in the order of their numbers, and follows them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, bail};

use super::climb::{Climb, Trial};
use super::log::Pair;

/// How long the driver sleeps at most.
const WAKE_EVERY: Duration = Duration::from_secs(1);

/// A pair that was handed out: by which player it was played, and what came of it.
type Played = (usize, Trial, anyhow::Result<Option<i32>>);

/// Have pairs played until `pairs` are known or `stop` is raised, by as many threads as there are
/// `players`. Each gets a pair, and what tells it that the pair is not wanted any more, and returns
/// the result. `keep` gets every pair in its turn; `tell` is called now and then.
///
/// # Errors
/// A player failed, or a pair could not be kept.
pub(super) fn drive<P>(
    climb: &mut Climb<'_>,
    pairs: u32,
    players: Vec<P>,
    stop: &AtomicBool,
    keep: &mut dyn FnMut(&Pair) -> anyhow::Result<()>,
    tell: &mut dyn FnMut(&Climb<'_>),
) -> anyhow::Result<()>
where
    P: FnMut(&Trial, &dyn Fn() -> bool) -> anyhow::Result<Option<i32>> + Send,
{
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let (sender, results) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut desks = Vec::new();
        for (own, mut player) in players.into_iter().enumerate() {
            let (desk, trials) = mpsc::channel::<Trial>();
            desks.push(desk);
            let (sender, is_over) = (sender.clone(), &is_over);
            scope.spawn(move || {
                for trial in trials {
                    let result = player(&trial, is_over);
                    if sender.send((own, trial, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut wanted = |next| if is_over() || next >= pairs { None } else { Some(next) };
        let driven = hand_out(climb, &mut wanted, &desks, &results, keep, tell);
        failed.store(true, Ordering::Relaxed);
        driven
    })
}

/// Hand out the pairs that `wanted` lets pass to players who are idle, until all are.
fn hand_out(
    climb: &mut Climb<'_>,
    wanted: &mut dyn FnMut(u32) -> Option<u32>,
    desks: &[Sender<Trial>],
    results: &Receiver<Played>,
    keep: &mut dyn FnMut(&Pair) -> anyhow::Result<()>,
    tell: &mut dyn FnMut(&Climb<'_>),
) -> anyhow::Result<()> {
    let mut idle: Vec<&Sender<Trial>> = desks.iter().collect();
    let mut next = climb.done();
    let mut early = BTreeMap::new();
    loop {
        while let Some(trial) = wanted(next).and_then(|next| climb.trial(next))
            && let Some(desk) = idle.pop()
        {
            desk.send(trial).ok().context("a player is gone")?;
            next += 1;
        }
        if idle.len() == desks.len() {
            return Ok(());
        }
        match results.recv_timeout(WAKE_EVERY) {
            Ok((player, trial, result)) => {
                idle.push(&desks[player]);
                if let Some(result) = result? {
                    early.insert(trial.number, (trial.signs, result));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("the players are gone"),
        }
        while let Some((signs, result)) = early.remove(&climb.done()) {
            let pair = Pair { number: climb.done(), signs, result };
            keep(&pair)?;
            climb.learn(&pair.signs, pair.result);
        }
        tell(climb);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::tests::settings;
    use crate::spsa::settings::Settings;

    /// A result that only the trial decides.
    fn fake(trial: &Trial) -> i32 {
        (trial.seed % 5) as i32 - 2
    }

    /// Play until `pairs` are known, with the pairs of `before` known already.
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
                // Some are slower, so that results come out of their order.
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
    fn any_number_of_players_and_any_interruption_lead_to_the_same_values() {
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
    fn a_stop_ends_a_run_without_the_pairs_being_played() {
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
    fn a_player_that_fails_and_a_full_disk_end_a_run() {
        let settings = settings(1000, 0.05, &[0]);
        let stop = AtomicBool::new(false);
        let run = |fails: u32, full: u32| {
            let player = |trial: &Trial, is_over: &dyn Fn() -> bool| {
                if trial.number == fails {
                    bail!("no luck");
                }
                // The others wait until they are told.
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
        assert_eq!(run(500, 7), ("disk full".to_owned(), 7));
        let (error, done) = run(7, 500);
        assert_eq!(error, "no luck");
        assert!(done <= 7);
    }
}
