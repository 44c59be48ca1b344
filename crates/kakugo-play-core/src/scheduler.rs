//! The scheduler: decides which search runs on which of a bounded number of workers.
//!
//! It is a state machine like the rooms: it starts no thread and reads no clock. A driver submits
//! and withdraws searches, reports when a worker is free, and performs the [`Assignment`]s.
//!
//! - Searches start in the order of their [`Priority`], and in the order of submission within one.
//! - A search interrupts a running one of lower priority if no worker is free. The interrupted
//!   search waits again, and starts before those that were submitted later.
//! - Analyses have no end, so they share the workers by time slices. The analysis that has run
//!   least runs next. A slice grows with the time that the analysis has run, because it starts anew
//!   from a transposition table that others have used in between.

use std::time::Duration;

use crate::now::Time;

/// The first slice of an analysis: no analysis is interrupted by another before.
pub const FIRST_SLICE: Duration = Duration::from_secs(1);
/// The longest slice of an analysis while others wait.
pub const LONGEST_SLICE: Duration = Duration::from_secs(8);

/// The priority of a search, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Priority {
    /// A move of a player.
    Move,
    /// A hint, or the verdict on an answer to a puzzle: somebody waits for it.
    Hint,
    /// A review, or the search for puzzles in saved games.
    Review,
    /// Live analysis.
    Analysis,
}

/// An order to the driver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Assignment<K> {
    /// Run this search on this free worker.
    Start {
        /// Index of the worker.
        worker: usize,
        /// The search.
        key: K,
    },
    /// Interrupt the search on this worker, and report when the worker is free.
    Interrupt {
        /// Index of the worker.
        worker: usize,
        /// The search.
        key: K,
    },
}

/// The reason why a worker became free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The search has ended by itself or by an answer that was asked for: its result counts.
    Finished,
    /// The search was interrupted and waits again.
    Interrupted,
    /// The search was withdrawn: nobody wants its result.
    Withdrawn,
}

/// A search.
#[derive(Clone, Debug)]
struct Search<K> {
    key: K,
    /// The room: its searches prefer the worker that served it last.
    owner: u64,
    priority: Priority,
    /// Counts submissions.
    number: u64,
    /// Time for which it has run.
    served: Duration,
}

impl<K> Search<K> {
    /// Returns the order in which searches start.
    fn rank(&self) -> (Priority, Duration, u64) {
        let served = if self.priority == Priority::Analysis { self.served } else { Duration::ZERO };
        (self.priority, served, self.number)
    }
}

/// A search on a worker.
#[derive(Clone, Debug)]
struct Running<K> {
    search: Search<K>,
    since: Time,
    /// Set once the driver was told to stop it.
    stopping: Option<End>,
}

/// A worker.
#[derive(Clone, Debug)]
struct Worker<K> {
    running: Option<Running<K>>,
    last_owner: Option<u64>,
}

/// The scheduler; see the module.
#[derive(Clone, Debug)]
pub struct Scheduler<K> {
    workers: Vec<Worker<K>>,
    /// In no particular order.
    waiting: Vec<Search<K>>,
    submitted: u64,
}

impl<K: Copy + Eq> Scheduler<K> {
    /// Returns a scheduler of this many free workers, at least one.
    pub fn new(workers: usize) -> Scheduler<K> {
        let worker = Worker { running: None, last_owner: None };
        Scheduler { workers: vec![worker; workers.max(1)], waiting: Vec::new(), submitted: 0 }
    }

    /// Submits a search. Its key must differ from those of all other searches.
    pub fn submit(
        &mut self,
        key: K,
        owner: u64,
        priority: Priority,
        now: Time,
    ) -> Vec<Assignment<K>> {
        self.submitted += 1;
        let number = self.submitted;
        self.waiting.push(Search { key, owner, priority, number, served: Duration::ZERO });
        self.assign(now)
    }

    /// Withdraws a search: it is dropped if it waits, and stopped if it runs.
    pub fn withdraw(&mut self, key: K, now: Time) -> Vec<Assignment<K>> {
        self.waiting.retain(|search| search.key != key);
        let mut assignments = Vec::new();
        for (worker, running) in running_mut(&mut self.workers) {
            if running.search.key == key {
                if running.stopping.is_none() {
                    assignments.push(Assignment::Interrupt { worker, key });
                }
                running.stopping = Some(End::Withdrawn);
            }
        }
        assignments.extend(self.assign(now));
        assignments
    }

    /// Reports that a worker is free, and returns the reason with the assignments that follow.
    pub fn released(&mut self, worker: usize, now: Time) -> (End, Vec<Assignment<K>>) {
        let freed = self.workers.get_mut(worker).and_then(|worker| worker.running.take());
        let Some(Running { mut search, since, stopping }) = freed else {
            return (End::Withdrawn, Vec::new());
        };
        let end = stopping.unwrap_or(End::Finished);
        if end == End::Interrupted {
            search.served += now.since(since);
            self.waiting.push(search);
        }
        (end, self.assign(now))
    }

    /// Ends the slices that are over. To be called several times a second.
    pub fn tick(&mut self, now: Time) -> Vec<Assignment<K>> {
        self.assign(now)
    }

    /// Returns true if a search waits for a worker.
    pub fn is_waiting(&self, key: K) -> bool {
        self.waiting.iter().any(|search| search.key == key)
    }

    /// Returns the number of searches that run.
    pub fn running(&self) -> usize {
        self.workers.iter().filter(|worker| worker.running.is_some()).count()
    }

    /// Starts waiting searches on free workers, and makes room for the others if they may have it.
    fn assign(&mut self, now: Time) -> Vec<Assignment<K>> {
        let mut assignments = Vec::new();
        self.waiting.sort_by_key(Search::rank);
        while let Some(search) = self.waiting.first()
            && let Some(worker) = self.free_worker(search.owner)
        {
            let search = self.waiting.remove(0);
            assignments.push(Assignment::Start { worker, key: search.key });
            let slot = &mut self.workers[worker];
            slot.last_owner = Some(search.owner);
            slot.running = Some(Running { search, since: now, stopping: None });
        }
        // Workers that become free soon go to the first of those that wait.
        let stopping = running_mut(&mut self.workers).filter(|(_, r)| r.stopping.is_some()).count();
        for search in self.waiting.iter().skip(stopping) {
            let victims = running_mut(&mut self.workers)
                .filter(|(_, running)| running.stopping.is_none() && yields(running, search, now));
            let victim = victims.max_by_key(|(_, running)| running.search.rank());
            let Some((worker, running)) = victim else { break };
            running.stopping = Some(End::Interrupted);
            assignments.push(Assignment::Interrupt { worker, key: running.search.key });
        }
        assignments
    }

    /// Returns a free worker, if possible the one that served this owner last.
    fn free_worker(&self, owner: u64) -> Option<usize> {
        let free = |worker: &Worker<K>| worker.running.is_none();
        let familiar = |worker: &Worker<K>| free(worker) && worker.last_owner == Some(owner);
        let unused = |worker: &Worker<K>| free(worker) && worker.last_owner.is_none();
        let workers = &self.workers;
        let find = |is: &dyn Fn(&Worker<K>) -> bool| workers.iter().position(is);
        find(&familiar).or_else(|| find(&unused)).or_else(|| find(&free))
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    #[cfg(any(test, fuzzing))]
    pub fn check_invariants(&self) {
        // No worker is free while a search waits.
        assert!(self.waiting.is_empty() || self.running() == self.workers.len());
        // A key occurs once, unless its old search was withdrawn and has not stopped yet.
        let running = self.workers.iter().filter_map(|worker| worker.running.as_ref());
        let wanted = running.clone().filter(|running| running.stopping != Some(End::Withdrawn));
        let searches: Vec<&Search<K>> =
            wanted.map(|running| &running.search).chain(&self.waiting).collect();
        for (i, search) in searches.iter().enumerate() {
            assert!(searches[..i].iter().all(|other| other.key != search.key));
        }
        // No move waits while a search of lower priority goes on, unless a worker is about to be
        // free.
        let stopping = running.clone().filter(|running| running.stopping.is_some()).count();
        let urgent = self.waiting.iter().filter(|search| search.priority == Priority::Move).count();
        let lower =
            running.filter(|r| r.stopping.is_none() && r.search.priority > Priority::Move).count();
        assert!(lower == 0 || urgent <= stopping);
    }
}

/// Returns the busy workers and their searches.
fn running_mut<K>(workers: &mut [Worker<K>]) -> impl Iterator<Item = (usize, &mut Running<K>)> {
    workers
        .iter_mut()
        .enumerate()
        .filter_map(|(i, worker)| worker.running.as_mut().map(|running| (i, running)))
}

/// Returns true if a running search must make room for one that waits.
fn yields<K>(running: &Running<K>, waiting: &Search<K>, now: Time) -> bool {
    if running.search.priority != Priority::Analysis || waiting.priority != Priority::Analysis {
        return running.search.priority > waiting.priority;
    }
    let ran = now.since(running.since);
    let slice = running.search.served.clamp(FIRST_SLICE, LONGEST_SLICE);
    ran >= slice || (ran >= FIRST_SLICE && waiting.served.is_zero())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use Assignment::{Interrupt, Start};

    fn at(ms: u64) -> Time {
        Time::from_start(Duration::from_millis(ms))
    }

    #[test]
    fn a_move_interrupts_the_analysis_and_hints_interrupt_nothing_but_reviews_and_analyses() {
        let mut scheduler = Scheduler::new(2);
        let mut submit = |key, priority| scheduler.submit(key, key, priority, at(0));
        assert_eq!(submit(1, Priority::Analysis), [Start { worker: 0, key: 1 }]);
        assert_eq!(submit(2, Priority::Review), [Start { worker: 1, key: 2 }]);
        assert_eq!(submit(3, Priority::Analysis), []);
        assert_eq!(submit(4, Priority::Move), [Interrupt { worker: 0, key: 1 }]);
        assert_eq!(submit(5, Priority::Hint), [Interrupt { worker: 1, key: 2 }]);
        assert_eq!(submit(6, Priority::Hint), []);
        // Whoever is free first takes the most urgent.
        let released = scheduler.released(1, at(5));
        assert_eq!(released, (End::Interrupted, vec![Start { worker: 1, key: 4 }]));
        let released = scheduler.released(0, at(6));
        assert_eq!(released, (End::Interrupted, vec![Start { worker: 0, key: 5 }]));
        // The review was submitted before, but a hint is more urgent.
        assert_eq!(
            scheduler.released(1, at(7)),
            (End::Finished, vec![Start { worker: 1, key: 6 }])
        );
        assert_eq!(
            scheduler.released(0, at(8)),
            (End::Finished, vec![Start { worker: 0, key: 2 }])
        );
        assert_eq!(
            scheduler.released(1, at(9)),
            (End::Finished, vec![Start { worker: 1, key: 3 }])
        );
        assert!(scheduler.is_waiting(1) && !scheduler.is_waiting(3));
    }

    #[test]
    fn a_search_returns_to_the_worker_that_served_its_room() {
        let mut scheduler = Scheduler::new(2);
        let _ = scheduler.submit(1, 10, Priority::Move, at(0));
        let _ = scheduler.released(0, at(1));
        let _ = scheduler.submit(2, 20, Priority::Move, at(2));
        let _ = scheduler.released(1, at(3));
        assert_eq!(scheduler.submit(3, 20, Priority::Move, at(4)), [Start { worker: 1, key: 3 }]);
        assert_eq!(scheduler.submit(4, 10, Priority::Move, at(4)), [Start { worker: 0, key: 4 }]);
    }

    #[test]
    fn a_withdrawn_search_stops_and_its_result_is_dropped() {
        let mut scheduler = Scheduler::new(1);
        let _ = scheduler.submit(1, 1, Priority::Analysis, at(0));
        let _ = scheduler.submit(2, 2, Priority::Analysis, at(0));
        assert_eq!(scheduler.withdraw(1, at(1)), [Interrupt { worker: 0, key: 1 }]);
        assert_eq!(scheduler.withdraw(2, at(1)), []);
        assert_eq!(scheduler.withdraw(1, at(2)), []);
        assert_eq!(scheduler.released(0, at(3)), (End::Withdrawn, vec![]));
        assert_eq!(scheduler.running(), 0);
    }

    /// Runs analyses for so long, with ticks every 100 ms and stops after 10 ms, and returns how
    /// long each of them has run.
    fn share(workers: usize, analyses: u64, seconds: u64) -> Vec<Duration> {
        let mut scheduler = Scheduler::new(workers);
        let mut served = vec![Duration::ZERO; analyses as usize];
        let mut since = vec![at(0); workers];
        let mut releases: Vec<(usize, u64)> = Vec::new();
        let perform = |assignments: Vec<Assignment<u64>>,
                       now: Time,
                       since: &mut Vec<Time>,
                       served: &mut Vec<Duration>| {
            let mut interrupted = Vec::new();
            for assignment in assignments {
                match assignment {
                    Start { worker, .. } => since[worker] = now,
                    Interrupt { worker, key } => {
                        served[key as usize] += now.since(since[worker]);
                        interrupted.push((worker, key));
                    }
                }
            }
            interrupted
        };
        for key in 0..analyses {
            let assignments = scheduler.submit(key, key, Priority::Analysis, at(0));
            releases.extend(perform(assignments, at(0), &mut since, &mut served));
        }
        for ms in (100..seconds * 1000).step_by(100) {
            for (worker, _) in std::mem::take(&mut releases) {
                let (_, assignments) = scheduler.released(worker, at(ms - 90));
                releases.extend(perform(assignments, at(ms - 90), &mut since, &mut served));
            }
            let assignments = scheduler.tick(at(ms));
            releases.extend(perform(assignments, at(ms), &mut since, &mut served));
            scheduler.check_invariants();
        }
        served
    }

    #[test]
    fn analyses_share_the_workers_fairly() {
        let served = share(2, 50, 1000);
        let (least, most) = (served.iter().min().unwrap(), served.iter().max().unwrap());
        assert!(*least >= Duration::from_secs(30), "{served:?}");
        assert!(*most <= *least + 2 * LONGEST_SLICE, "{served:?}");
        // Alone, an analysis is never interrupted.
        assert_eq!(share(2, 2, 100), [Duration::ZERO; 2]);
    }

    proptest! {
        #[test]
        fn the_invariants_hold_in_any_order_of_events(
            workers in 1..4_usize,
            events in prop::collection::vec((0..5_u8, 0..12_u64, 0..4_u8, 0..1500_u64), 1..200),
        ) {
            let mut scheduler = Scheduler::new(workers);
            let (mut ms, mut known, mut next) = (0, Vec::new(), 0);
            // What a driver knows: the search on each worker.
            let mut busy: Vec<Option<u64>> = vec![None; workers];
            for (event, number, priority, later) in events {
                ms += later;
                let assignments = match event {
                    0 | 1 => {
                        next += 1;
                        known.push(next);
                        let priority = match priority {
                            0 => Priority::Move,
                            1 => Priority::Hint,
                            2 => Priority::Review,
                            _ => Priority::Analysis,
                        };
                        scheduler.submit(next, number % 3, priority, at(ms))
                    }
                    2 if !known.is_empty() => {
                        let key = known.remove(number as usize % known.len());
                        scheduler.withdraw(key, at(ms))
                    }
                    3 => {
                        let worker = number as usize % workers;
                        busy[worker] = None;
                        scheduler.released(worker, at(ms)).1
                    }
                    _ => scheduler.tick(at(ms)),
                };
                for assignment in assignments {
                    match assignment {
                        Start { worker, key } => {
                            prop_assert_eq!(busy[worker], None);
                            busy[worker] = Some(key);
                        }
                        Interrupt { worker, key } => prop_assert_eq!(busy[worker], Some(key)),
                    }
                }
                scheduler.check_invariants();
            }
        }
    }
}
