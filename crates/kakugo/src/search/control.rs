//! Counts nodes and decides when a running search stops: by signal, clock or node limit.
//!
//! Each thread of a search has its own [`Control`]. All of them share the signals, which count the
//! nodes of all threads, and a flag that ends the search.

use std::sync::atomic::{AtomicBool, Ordering};

use super::limits::Limits;
use super::signals::Signals;
use super::time::Clock;

/// Nodes between two polls of clock and signals.
const POLL_INTERVAL: u64 = 256;

/// Counts the nodes of a thread and decides when it stops.
pub struct Control<'a> {
    signals: &'a Signals,
    /// Set when one of the threads has finished the search.
    finished: &'a AtomicBool,
    clock: Clock,
    max_nodes: u64,
    nodes: u64,
    /// Nodes that are already added to the signals.
    published_nodes: u64,
    next_poll: u64,
    stopped: bool,
    /// Until the first iteration is finished, only signals and the clock stop the search.
    has_answer: bool,
}

impl<'a> Control<'a> {
    /// Creates the control of one thread.
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
            published_nodes: 0,
            next_poll: 0,
            stopped: false,
            has_answer: false,
        }
    }

    /// Counts a node. Returns `true` if the search must stop.
    #[inline]
    pub fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.stopped
    }

    /// Polls the clock and the signals. Returns `true` if the search must stop.
    pub fn check(&mut self) -> bool {
        self.poll();
        self.stopped
    }

    fn poll(&mut self) {
        self.publish_nodes();
        let nodes_left = self.max_nodes.saturating_sub(self.signals.nodes());
        let limit = self.has_answer && nodes_left == 0;
        self.next_poll = self.nodes + nodes_left.clamp(1, POLL_INTERVAL);
        let ended = self.finished.load(Ordering::Relaxed) || self.signals.is_stopped();
        if limit || ended || self.clock.is_past_maximum() {
            self.stopped = true;
        }
    }

    /// Adds the latest nodes to the signals.
    pub fn publish_nodes(&mut self) {
        self.signals.nodes.fetch_add(self.nodes - self.published_nodes, Ordering::Relaxed);
        self.published_nodes = self.nodes;
    }

    /// Returns `true` if the search must stop.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Records that an iteration is finished, so that there is an answer.
    pub fn set_has_answer(&mut self) {
        self.has_answer = true;
    }

    /// Lowers the node limit of this thread.
    pub fn limit_nodes(&mut self, max_nodes: u64) {
        self.max_nodes = self.max_nodes.min(max_nodes);
    }

    /// Returns the nodes of this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the nodes of all threads, except for the latest few hundred of the others.
    pub fn total_nodes(&self) -> u64 {
        self.signals.nodes() + (self.nodes - self.published_nodes)
    }

    /// Returns the clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns `true` if another iteration may begin. `scale` multiplies the optimum time.
    pub fn may_iterate(&self, scale: f64) -> bool {
        !self.stopped && self.total_nodes() < self.max_nodes && !self.clock.is_past_optimum(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time::Lag;

    #[test]
    fn published_nodes_lag_by_one_interval_at_most() {
        let (limits, signals) = (Limits::default(), Signals::default());
        let finished = AtomicBool::new(false);
        // Two threads of one search.
        let clock = || Clock::new(&limits, Lag::default());
        let control = || Control::new(&limits, &signals, &finished, clock());
        let mut controls = [control(), control()];
        for n in 1..=10_000 {
            assert!(!controls.iter_mut().any(Control::count_node));
            assert!(signals.nodes() <= 2 * n && signals.nodes() + 2 * POLL_INTERVAL > 2 * n);
        }
        controls.iter_mut().for_each(Control::publish_nodes);
        assert_eq!(signals.nodes(), 20_000);
        assert!(controls.iter().all(|control| control.total_nodes() == 20_000));
    }

    #[test]
    fn one_finished_thread_ends_the_others() {
        let (limits, signals) = (Limits::default(), Signals::default());
        let finished = AtomicBool::new(false);
        let mut control =
            Control::new(&limits, &signals, &finished, Clock::new(&limits, Lag::default()));
        assert!(!(0..1000).any(|_| control.count_node()));
        finished.store(true, Ordering::Relaxed);
        assert!((0..POLL_INTERVAL).any(|_| control.count_node()));
    }

    #[test]
    fn the_node_limit_holds_for_all_threads_together() {
        let limits = Limits { max_nodes: Some(5000), ..Limits::default() };
        let (signals, finished) = (Signals::default(), AtomicBool::new(false));
        let clock = || Clock::new(&limits, Lag::default());
        let control = || Control::new(&limits, &signals, &finished, clock());
        let mut controls = [control(), control(), control()];
        controls.iter_mut().for_each(Control::set_has_answer);
        while !controls.iter_mut().all(Control::count_node) {}
        let total: u64 = controls.iter().map(Control::nodes).sum();
        assert!((5000..5000 + 3 * POLL_INTERVAL).contains(&total), "{total}");
    }
}
