//! When a running search must end: stop signal, clock, node limit.
//!
//! The threads of a search have a control each. They share the signals, which count the nodes of all,
//! and a flag that says that the search is finished.

use std::sync::atomic::{AtomicBool, Ordering};

use super::limits::{Limits, Signals};
use super::time::Clock;

/// Nodes between two looks at the clock and signals.
const POLL_EVERY: u64 = 256;

/// Counts nodes and says when to stop.
pub struct Control<'a> {
    signals: &'a Signals,
    /// Raised when one of the threads has settled the matter.
    finished: &'a AtomicBool,
    clock: Clock,
    max_nodes: u64,
    nodes: u64,
    /// Those that the signals tell of.
    told_nodes: u64,
    next_poll: u64,
    stopped: bool,
    /// Until the first iteration is done only a raised signal or the clock may stop us.
    has_answer: bool,
}

impl<'a> Control<'a> {
    /// Watch over one thread of a search.
    pub fn new(
        limits: &Limits,
        signals: &'a Signals,
        finished: &'a AtomicBool,
        clock: Clock,
    ) -> Control<'a> {
        let max_nodes = limits.max_nodes.unwrap_or(u64::MAX);
        Control {
            signals,
            finished,
            clock,
            max_nodes,
            nodes: 0,
            told_nodes: 0,
            next_poll: 0,
            stopped: false,
            has_answer: false,
        }
    }

    /// Count a node; `true`: stop now.
    #[inline]
    pub fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    fn poll(&mut self) {
        self.tell_nodes();
        let granted = self.max_nodes.saturating_sub(self.signals.nodes());
        let limit = self.has_answer && granted == 0;
        self.next_poll = self.nodes + granted.clamp(1, POLL_EVERY);
        let ended = self.finished.load(Ordering::Relaxed) || self.signals.is_stopped();
        if limit || ended || self.clock.is_up() {
            self.stopped = true;
        }
    }

    /// Let the signals know of the latest nodes.
    pub fn tell_nodes(&mut self) {
        self.signals.nodes.fetch_add(self.nodes - self.told_nodes, Ordering::Relaxed);
        self.told_nodes = self.nodes;
    }

    /// Whether the search must end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// An iteration is done: there is an answer to give.
    pub fn has_answer(&mut self) {
        self.has_answer = true;
    }

    /// Nodes of this thread so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes of all threads so far, but for the latest few hundred of the others.
    pub fn total_nodes(&self) -> u64 {
        self.signals.nodes() + (self.nodes - self.told_nodes)
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether another iteration may begin.
    pub fn may_go_on(&self, scale: f64) -> bool {
        !self.stopped && self.total_nodes() < self.max_nodes && !self.clock.is_enough(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time::Lag;

    #[test]
    fn what_is_told_of_the_nodes_is_hardly_behind() {
        let (limits, signals) = (Limits::default(), Signals::default());
        let finished = AtomicBool::new(false);
        // Two threads of one search.
        let clock = || Clock::new(&limits, Lag::default());
        let control = || Control::new(&limits, &signals, &finished, clock());
        let mut controls = [control(), control()];
        for n in 1..=10_000 {
            assert!(!controls.iter_mut().any(Control::visit));
            assert!(signals.nodes() <= 2 * n && signals.nodes() + 2 * POLL_EVERY > 2 * n);
        }
        controls.iter_mut().for_each(Control::tell_nodes);
        assert_eq!(signals.nodes(), 20_000);
        assert!(controls.iter().all(|control| control.total_nodes() == 20_000));
    }

    #[test]
    fn what_one_thread_settles_ends_the_others() {
        let (limits, signals) = (Limits::default(), Signals::default());
        let finished = AtomicBool::new(false);
        let mut control =
            Control::new(&limits, &signals, &finished, Clock::new(&limits, Lag::default()));
        assert!(!(0..1000).any(|_| control.visit()));
        finished.store(true, Ordering::Relaxed);
        assert!((0..POLL_EVERY).any(|_| control.visit()));
    }

    #[test]
    fn the_node_limit_holds_for_all_threads_together() {
        let limits = Limits { max_nodes: Some(5000), ..Limits::default() };
        let (signals, finished) = (Signals::default(), AtomicBool::new(false));
        let clock = || Clock::new(&limits, Lag::default());
        let control = || Control::new(&limits, &signals, &finished, clock());
        let mut controls = [control(), control(), control()];
        controls.iter_mut().for_each(Control::has_answer);
        while !controls.iter_mut().all(Control::visit) {}
        let total: u64 = controls.iter().map(Control::nodes).sum();
        assert!((5000..5000 + 3 * POLL_EVERY).contains(&total), "{total}");
    }
}
