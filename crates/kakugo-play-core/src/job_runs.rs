//! The runs of a job: when it waits and when it runs, and the effort of all its runs.
//!
//! A driver keeps one [`JobRuns`] for each job that the [scheduler](crate::scheduler) knows.

use std::time::Duration;

use crate::jobs::JobUpdate;
use crate::now::Time;
use crate::progress::Progress;

/// Time that a job waits before its room is told.
const QUEUE_NOTICE: Duration = Duration::from_millis(400);

/// The runs of a job. It waits at first.
#[derive(Clone, Copy, Debug)]
pub struct JobRuns {
    /// The time at which it started to run, or to wait.
    since: Time,
    is_running: bool,
    /// True if its room knows that it waits.
    is_reported_queued: bool,
    /// Search time and nodes of earlier runs.
    earlier: (Duration, u64),
}

impl JobRuns {
    /// Returns the runs of a job that waits from now on.
    pub fn new(now: Time) -> JobRuns {
        let earlier = (Duration::ZERO, 0);
        JobRuns { since: now, is_running: false, is_reported_queued: false, earlier }
    }

    /// Returns `true` if the job runs.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Starts a run.
    pub fn start(&mut self, now: Time) {
        (self.is_running, self.since) = (true, now);
    }

    /// Ends a run of `nodes` nodes. The job waits again.
    pub fn interrupt(&mut self, nodes: u64, now: Time) {
        self.earlier = self.effort(nodes, now);
        (self.is_running, self.since) = (false, now);
    }

    /// Returns search time and nodes of all runs; `nodes` are those of the current one.
    fn effort(&self, nodes: u64, now: Time) -> (Duration, u64) {
        let (elapsed, earlier_nodes) = self.earlier;
        if self.is_running {
            (elapsed + now.since(self.since), earlier_nodes + nodes)
        } else {
            self.earlier
        }
    }

    /// Returns an update with the effort of all runs. `progress` and `nodes` are those of the
    /// current run; no progress means that it is unchanged.
    pub fn update(&self, progress: Option<Progress>, nodes: u64, now: Time) -> JobUpdate {
        let (earlier_elapsed, earlier_nodes) = self.earlier;
        let (elapsed, nodes) = self.effort(nodes, now);
        let progress = progress.map(|progress| {
            Box::new(Progress {
                nodes: progress.nodes + earlier_nodes,
                elapsed: progress.elapsed + earlier_elapsed,
                ..progress
            })
        });
        JobUpdate::Progress { progress, elapsed, nodes }
    }

    /// Returns a change between waiting and running that the room is to be told.
    pub fn queue_change(&mut self, now: Time) -> Option<JobUpdate> {
        let queued = !self.is_running && now.since(self.since) >= QUEUE_NOTICE;
        let change = match (self.is_reported_queued, queued, self.is_running) {
            (false, true, _) => JobUpdate::Queued,
            (true, _, true) => JobUpdate::Running,
            _ => return None,
        };
        self.is_reported_queued = queued;
        Some(change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(milliseconds: u64) -> Time {
        Time::from_start(Duration::from_millis(milliseconds))
    }

    #[test]
    fn the_effort_counts_all_runs_and_no_waiting() {
        let mut runs = JobRuns::new(at(0));
        assert_eq!(runs.effort(0, at(900)), (Duration::ZERO, 0));
        runs.start(at(1000));
        runs.interrupt(70, at(1300));
        assert_eq!(runs.effort(0, at(5000)), (Duration::from_millis(300), 70));
        runs.start(at(6000));
        let progress = Progress { nodes: 4, ..Progress::default() };
        match runs.update(Some(progress), 5, at(6200)) {
            JobUpdate::Progress { progress: Some(progress), elapsed, nodes } => {
                assert_eq!((elapsed, nodes), (Duration::from_millis(500), 75));
                assert_eq!((progress.nodes, progress.elapsed), (74, Duration::from_millis(300)));
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn waiting_is_reported_once_and_only_if_it_lasts() {
        let mut runs = JobRuns::new(at(0));
        assert!(runs.queue_change(at(399)).is_none());
        assert!(matches!(runs.queue_change(at(400)), Some(JobUpdate::Queued)));
        assert!(runs.queue_change(at(800)).is_none());
        runs.start(at(900));
        assert!(matches!(runs.queue_change(at(900)), Some(JobUpdate::Running)));
        assert!(runs.queue_change(at(2000)).is_none());
        // A short wait is not reported.
        runs.interrupt(1, at(3000));
        assert!(runs.queue_change(at(3100)).is_none());
        runs.start(at(3200));
        assert!(runs.queue_change(at(3200)).is_none());
    }
}
