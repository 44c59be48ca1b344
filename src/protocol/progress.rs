//! A search that runs: how long it may, and what of it is told.
//!
//! Managers that read nothing while they wait must not find a full pipe, and none may find a line
//! after the time limit: so reports are thinned out, and cease shortly before the limit.

use std::time::{Duration, Instant};

use super::info::Info;
use super::reply::{Reply, detail, summary};
use crate::search::{Limits, Report};

/// Least time between two reports of one search.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Nothing is told of a search any more from this long before its limit.
const QUIET_MARGIN: Duration = Duration::from_millis(10);

/// A limit that `INFO` sets while a search runs is enforced this much early.
const LAG_MARGIN: Duration = Duration::from_millis(30);

/// A search that runs.
#[derive(Debug)]
pub(super) struct Progress {
    start: Instant,
    quiet_from: Option<Instant>,
    stop_at: Option<Instant>,
    lines: usize,
    told: Instant,
    untold: Vec<Report>,
}

impl Progress {
    /// A search within these limits begins.
    pub(super) fn new(limits: &Limits) -> Progress {
        let end = limits.turn.into_iter().chain(limits.left).min();
        let quiet_from = end.map(|end| end.saturating_sub(QUIET_MARGIN));
        Progress {
            start: limits.start,
            quiet_from: quiet_from.and_then(|end| limits.start.checked_add(end)),
            stop_at: None,
            lines: limits.multi_pv,
            told: limits.start,
            untold: Vec::new(),
        }
    }

    /// When our thinking began.
    pub(super) fn start(&self) -> Instant {
        self.start
    }

    /// When it must be stopped, if `INFO` has shortened its time since it began.
    pub(super) fn stop_at(&self) -> Option<Instant> {
        self.stop_at
    }

    /// The search has been told to stop.
    pub(super) fn stopping(&mut self) {
        self.stop_at = None;
    }

    /// Let an `INFO` that shortens the time act upon this search.
    pub(super) fn hasten(&mut self, info: &Info) {
        let ms = |ms: i64| Duration::from_millis(u64::try_from(ms).unwrap_or(0));
        let end = match *info {
            Info::TimeoutTurn(turn) => self.start.checked_add(ms(turn)),
            Info::TimeLeft(left) if left != 0 => Instant::now().checked_add(ms(left)),
            _ => None,
        };
        let Some(end) = end else { return };
        let earlier = |time: Option<Instant>, margin: Duration| {
            let limit = end.checked_sub(margin).unwrap_or(end);
            Some(time.map_or(limit, |time| time.min(limit)))
        };
        self.stop_at = earlier(self.stop_at, LAG_MARGIN);
        self.quiet_from = earlier(self.quiet_from, QUIET_MARGIN);
    }

    /// Take a report, and give back what is to be told now.
    pub(super) fn report(&mut self, report: Report, with_detail: bool) -> Vec<Reply> {
        let due = self.told.elapsed() >= REPORT_EVERY;
        let last_line = report.line + 1 >= self.lines;
        let mut replies = Vec::new();
        if report.line == 0 {
            if due && self.lines > 1 {
                replies = self.flush(with_detail);
            }
            self.untold.clear();
        }
        self.untold.push(report);
        if due && last_line {
            replies.extend(self.flush(with_detail));
        }
        replies
    }

    /// All that was not told yet, unless it is too late for that.
    pub(super) fn flush(&mut self, with_detail: bool) -> Vec<Reply> {
        let reports = std::mem::take(&mut self.untold);
        let now = Instant::now();
        if reports.is_empty() || self.quiet_from.is_some_and(|quiet| now >= quiet) {
            return Vec::new();
        }
        self.told = now;
        let mut replies = Vec::new();
        for report in &reports {
            replies.push(Reply::Message(summary(report)));
            if with_detail {
                replies.extend(detail(report, self.lines).into_iter().map(Reply::Other));
            }
        }
        replies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;

    fn report(line: usize, depth: u32) -> Report {
        Report {
            line,
            depth,
            seldepth: depth,
            score: Score::ZERO,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: Vec::new(),
        }
    }

    fn limits(turn_ms: u64, ago_ms: u64, multi_pv: usize) -> Limits {
        Limits {
            start: Instant::now().checked_sub(Duration::from_millis(ago_ms)).unwrap(),
            turn: Some(Duration::from_millis(turn_ms)),
            multi_pv,
            ..Limits::default()
        }
    }

    fn depths(replies: &[Reply]) -> Vec<String> {
        replies
            .iter()
            .map(|reply| reply.to_string().split(' ').nth(2).unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn reports_are_thinned_out_but_the_last_is_told() {
        let mut progress = Progress::new(&limits(600_000, 0, 1));
        assert!((1..50).all(|depth| progress.report(report(0, depth), false).is_empty()));
        assert_eq!(depths(&progress.flush(false)), ["49-49"]);
        assert!(progress.flush(false).is_empty());
    }

    #[test]
    fn a_report_that_is_due_is_told_with_all_its_lines() {
        let mut progress = Progress::new(&limits(600_000, 5_000, 2));
        assert!(progress.report(report(0, 3), false).is_empty());
        assert_eq!(depths(&progress.report(report(1, 3), false)), ["3-3", "3-3"]);
        assert!(progress.report(report(0, 4), false).is_empty());
        assert!(progress.report(report(1, 4), false).is_empty());
    }

    #[test]
    fn missing_lines_do_not_hold_the_others_back() {
        let mut progress = Progress::new(&limits(600_000, 5_000, 9));
        assert!(progress.report(report(0, 3), false).is_empty());
        assert!(progress.report(report(1, 3), false).is_empty());
        assert_eq!(depths(&progress.report(report(0, 4), false)), ["3-3", "3-3"]);
    }

    #[test]
    fn nothing_is_told_after_the_limit() {
        let mut progress = Progress::new(&limits(1_000, 995, 1));
        assert!(progress.report(report(0, 7), true).is_empty());
        assert!(progress.flush(true).is_empty());
    }

    #[test]
    fn info_can_shorten_the_time_and_not_lengthen_it() {
        let mut progress = Progress::new(&limits(600_000, 0, 1));
        progress.hasten(&Info::Rule(1));
        assert_eq!(progress.stop_at(), None);
        progress.hasten(&Info::TimeoutTurn(50_000));
        let first = progress.stop_at().unwrap();
        assert_eq!(first, progress.start() + Duration::from_millis(50_000) - LAG_MARGIN);
        progress.hasten(&Info::TimeoutTurn(90_000));
        assert_eq!(progress.stop_at(), Some(first));
        progress.hasten(&Info::TimeoutTurn(0));
        assert!(progress.stop_at().unwrap() <= Instant::now());
    }
}
