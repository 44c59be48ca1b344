//! When a running search must end: stop signal, clock, node limit.

use std::sync::atomic::Ordering;

use super::time::Clock;
use super::{Limits, Signals};

/// Nodes between two looks at clock and signals.
const LOOK_EVERY: u64 = 256;

/// Counts nodes and says when to stop.
pub struct Control<'a> {
    signals: &'a Signals,
    clock: Clock,
    max_nodes: u64,
    nodes: u64,
    /// Those that the signals tell of.
    told_nodes: u64,
    next_look: u64,
    stopped: bool,
    /// Until the first iteration is done only a raised signal or the clock may stop us.
    has_answer: bool,
}

impl<'a> Control<'a> {
    /// Watch over one search.
    pub fn new(limits: &Limits, signals: &'a Signals, clock: Clock) -> Control<'a> {
        let max_nodes = limits.max_nodes.unwrap_or(u64::MAX);
        Control {
            signals,
            clock,
            max_nodes,
            nodes: 0,
            told_nodes: 0,
            next_look: 0,
            stopped: false,
            has_answer: false,
        }
    }

    /// Count a node; `true`: stop now.
    #[inline]
    pub fn visit(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.stopped
    }

    fn look(&mut self) {
        self.signals.nodes.fetch_add(self.nodes - self.told_nodes, Ordering::Relaxed);
        self.told_nodes = self.nodes;
        let limit = self.has_answer && self.nodes >= self.max_nodes;
        self.next_look = (self.nodes + LOOK_EVERY).min(self.max_nodes.max(self.nodes + 1));
        if limit || self.signals.is_stopped() || self.clock.is_up() {
            self.stopped = true;
        }
    }

    /// Whether the search must end.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// An iteration is done: there is an answer to give.
    pub fn has_answer(&mut self) {
        self.has_answer = true;
    }

    /// Nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether another iteration may begin.
    pub fn may_go_on(&self, scale: f64) -> bool {
        !self.stopped && self.nodes < self.max_nodes && !self.clock.is_enough(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::time::Lag;

    #[test]
    fn what_is_told_of_the_nodes_is_hardly_behind() {
        let (limits, signals) = (Limits::default(), Signals::default());
        // Two threads of one search.
        let control = || Control::new(&limits, &signals, Clock::new(&limits, Lag::default()));
        let mut controls = [control(), control()];
        for n in 1..=10_000 {
            assert!(!controls.iter_mut().any(Control::visit));
            assert!(signals.nodes() <= 2 * n && signals.nodes() + 2 * LOOK_EVERY > 2 * n);
        }
    }
}
