//! The running search: its deadline, and the output of its reports.
//!
//! Some managers do not read while they wait, and the pipe must not fill up. Reports must not
//! arrive after the time limit, either. So their rate is limited, and they end shortly before the
//! limit. If a search misses its deadline, the session answers with the latest reported move, or
//! with a move that needs no search.

use std::time::{Duration, Instant};

use crate::game::Task;
use kakugo::player::{Decision, Turn};
use kakugo::search::{Lag, Report};
use kakugo_protocol::{Reply, Status};

/// Minimum time between two reports of one search.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// No reports are written within this time before the limit.
const QUIET_MARGIN: Duration = Duration::from_millis(10);

/// A limit that `INFO` sets during a search is enforced this much early.
const LAG_MARGIN: Duration = Duration::from_millis(30);

/// Time for a stopped search to return before the session answers for it.
const STOP_GRACE: Duration = Duration::from_millis(8);

/// Minimum time for a search to report a move, even if its time limit is 0.
const FIRST_REPORT_GRACE: Duration = Duration::from_millis(30);

/// The action to take if a search has not ended at its deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimeoutAction {
    /// Stop the search.
    Stop,
    /// Answer for the search, and ignore its result.
    Answer,
}

/// A running search.
#[derive(Debug)]
pub(crate) struct RunningSearch {
    start: Instant,
    /// Start of the time that is subtracted from the match time.
    counts_from: Instant,
    quiet_from: Option<Instant>,
    stop_at: Option<Instant>,
    answer_by: Option<Instant>,
    turn: Turn,
    task: Task,
    /// The decision of the latest report, for a search that times out.
    answer: Option<Decision>,
    /// Number of best lines.
    lines: usize,
    last_written: Instant,
    /// Reports that have not been written yet.
    unwritten: Vec<Status>,
    /// True if no report has been written yet.
    silent: bool,
}

impl RunningSearch {
    /// Returns the state of a search that starts now.
    pub(crate) fn new(turn: &Turn, task: Task, lag: Lag) -> RunningSearch {
        let limits = &turn.limits;
        let end = limits.turn.into_iter().chain(limits.left).min();
        let quiet_from = end.map(|end| end.saturating_sub(QUIET_MARGIN));
        RunningSearch {
            start: limits.start,
            counts_from: limits.start,
            quiet_from: quiet_from.and_then(|end| limits.start.checked_add(end)),
            stop_at: None,
            answer_by: limits.answer_by(lag).and_then(|time| limits.start.checked_add(time)),
            turn: turn.clone(),
            task,
            answer: None,
            lines: limits.multi_pv,
            last_written: limits.start,
            unwritten: Vec::new(),
            silent: true,
        }
    }

    /// Returns the goal of the search.
    pub(crate) fn task(&self) -> Task {
        self.task
    }

    /// Returns the start time of the search.
    pub(crate) fn start(&self) -> Instant {
        self.start
    }

    /// Returns the next deadline and its action: stop if `INFO` has shortened the time limit, and
    /// finally answer.
    pub(crate) fn deadline(&self) -> Option<(Instant, TimeoutAction)> {
        let stop = self.stop_at.map(|at| (at, TimeoutAction::Stop));
        let earliest =
            if self.answer.is_some() { self.start } else { self.start + FIRST_REPORT_GRACE };
        let answer = self.answer_by.map(|at| (at.max(earliest), TimeoutAction::Answer));
        stop.into_iter().chain(answer).min_by_key(|&(at, _)| at)
    }

    /// Returns the decision in place of the search, and a report to write before it. Without a
    /// decision, the deadline is removed and the session waits for the search.
    pub(crate) fn answer(&mut self) -> Option<(Decision, Option<Report>)> {
        let reported = self.answer.clone().map(|answer| (answer, None));
        let answer = reported.or_else(|| self.turn.unsearched());
        if answer.is_none() {
            self.answer_by = None;
        }
        answer
    }

    /// Records that the search has been stopped.
    pub(crate) fn set_stopping(&mut self) {
        self.stop_at = None;
    }

    /// Returns the start of the time that is subtracted from the match time.
    pub(crate) fn counts_from(&self) -> Instant {
        self.counts_from
    }

    /// Restarts that time, because the manager has just sent the remaining match time.
    pub(crate) fn count_from(&mut self, now: Instant) {
        self.counts_from = now;
    }

    /// Sets an earlier end of the search. A later one is ignored.
    pub(crate) fn shorten(&mut self, end: Instant, now: Instant) {
        let earlier =
            |time: Option<Instant>, at: Instant| Some(time.map_or(at, |time| time.min(at)));
        let before_end = |margin| end.checked_sub(margin).unwrap_or(end);
        self.stop_at = earlier(self.stop_at, before_end(LAG_MARGIN));
        self.quiet_from = earlier(self.quiet_from, before_end(QUIET_MARGIN));
        let answer_by = before_end(QUIET_MARGIN).max(now + STOP_GRACE);
        self.answer_by = earlier(self.answer_by, answer_by);
    }

    /// Stores a report and returns the lines to write now.
    pub(crate) fn report(&mut self, report: Report, with_detail: bool, now: Instant) -> Vec<Reply> {
        let due = now.saturating_duration_since(self.last_written) >= REPORT_INTERVAL;
        let last_line = report.line + 1 >= self.lines;
        let mut replies = Vec::new();
        if report.line == 0 {
            self.answer = self.turn.question.answered_by(&report);
            if due && self.lines > 1 {
                replies = self.flush(with_detail, now);
            }
            self.unwritten.clear();
        }
        self.unwritten.push(status(report, self.lines));
        if due && last_line {
            replies.extend(self.flush(with_detail, now));
        }
        replies
    }

    /// Returns the unwritten reports at the end of the search, unless it is too late for them. If
    /// no report has been written yet, it is never too late, because managers read the evaluation
    /// of a move from the message before it.
    pub(crate) fn end(&mut self, with_detail: bool, now: Instant) -> Vec<Reply> {
        if self.silent {
            self.quiet_from = None;
        }
        self.flush(with_detail, now)
    }

    /// Returns the unwritten reports, unless it is too late for them.
    fn flush(&mut self, with_detail: bool, now: Instant) -> Vec<Reply> {
        if self.unwritten.is_empty() || self.quiet_from.is_some_and(|quiet| now >= quiet) {
            return Vec::new();
        }
        self.last_written = now;
        self.silent = false;
        let mut replies = Vec::new();
        for status in std::mem::take(&mut self.unwritten) {
            replies.push(status.message());
            if with_detail {
                replies.extend(status.details());
            }
        }
        replies
    }
}

/// Converts the report of one of this number of best lines into the protocol's form.
fn status(report: Report, lines: usize) -> Status {
    let Report { line, depth, seldepth, score, nodes, elapsed, pv } = report;
    Status { line, lines, depth, seldepth, score, nodes, elapsed, pv }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Board, Point, Variant};
    use kakugo::level::Level;
    use kakugo::player::Question;
    use kakugo::score::Score;
    use kakugo::search::Limits;
    use kakugo::search::swap2::Choice;

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

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn limits(turn_ms: u64, multi_pv: usize) -> Limits {
        Limits { turn: Some(ms(turn_ms)), multi_pv, ..Limits::default() }
    }

    fn depths(replies: &[Reply]) -> Vec<String> {
        replies
            .iter()
            .map(|reply| reply.to_string().split(' ').nth(2).unwrap_or_default().to_owned())
            .collect()
    }

    /// Returns a search with this time limit and number of best lines, and its start time.
    fn begin(turn_ms: u64, multi_pv: usize) -> (RunningSearch, Instant) {
        let question = Question::Stone(Level::default());
        let turn = Turn { board: board(0), question, limits: limits(turn_ms, multi_pv) };
        (
            RunningSearch::new(&turn, Task::Move { lines: multi_pv }, Lag::default()),
            turn.limits.start,
        )
    }

    /// Returns a position with this number of stones.
    fn board(stones: u8) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        (0..stones).for_each(|n| board.play(point(3 * n, n)).unwrap());
        board
    }

    fn point(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn report_rate_is_limited_and_the_last_report_is_written() {
        let (mut search, start) = begin(600_000, 1);
        let soon = start + REPORT_INTERVAL - ms(1);
        assert!((1..50).all(|depth| search.report(report(0, depth), false, soon).is_empty()));
        assert_eq!(depths(&search.flush(false, soon)), ["49-49"]);
        assert!(search.flush(false, soon).is_empty());
        let next = soon + REPORT_INTERVAL;
        assert!(search.report(report(0, 50), false, next - ms(1)).is_empty());
        assert_eq!(depths(&search.report(report(0, 51), false, next)), ["51-51"]);
    }

    #[test]
    fn a_report_is_written_with_all_its_lines() {
        let (mut search, start) = begin(600_000, 2);
        let now = start + ms(5_000);
        assert!(search.report(report(0, 3), false, now).is_empty());
        assert_eq!(depths(&search.report(report(1, 3), false, now)), ["3-3", "3-3"]);
        assert!(search.report(report(0, 4), false, now).is_empty());
        assert!(search.report(report(1, 4), false, now).is_empty());
    }

    #[test]
    fn missing_lines_do_not_delay_the_others() {
        let (mut search, start) = begin(600_000, 9);
        let now = start + ms(5_000);
        assert!(search.report(report(0, 3), false, now).is_empty());
        assert!(search.report(report(1, 3), false, now).is_empty());
        assert_eq!(depths(&search.report(report(0, 4), false, now)), ["3-3", "3-3"]);
    }

    #[test]
    fn reports_end_shortly_before_the_limit() {
        let (mut search, start) = begin(1_000, 1);
        let quiet = start + ms(1_000) - QUIET_MARGIN;
        assert!(search.report(report(0, 7), true, quiet).is_empty());
        assert!(search.flush(true, quiet).is_empty());
        let (mut search, start) = begin(1_000, 1);
        let just_before = start + ms(1_000) - QUIET_MARGIN - ms(1);
        assert!(!search.report(report(0, 7), true, just_before).is_empty());
        let quiet = just_before + ms(2);
        search.report(report(0, 8), true, quiet);
        assert!(search.end(true, quiet).is_empty());
    }

    #[test]
    fn every_search_writes_at_least_one_report() {
        let (mut search, start) = begin(0, 2);
        assert!(search.report(report(0, 1), false, start).is_empty());
        assert!(search.report(report(0, 2), false, start).is_empty());
        assert_eq!(depths(&search.end(false, start)), ["2-2"]);
        assert!(search.end(false, start).is_empty());
    }

    #[test]
    fn time_limits_can_be_shortened_but_not_extended() {
        let (mut search, start) = begin(600_000, 1);
        assert!(search.deadline().is_some_and(|(at, action)| {
            action == TimeoutAction::Answer
                && (start + ms(599_000)..start + ms(600_000)).contains(&at)
        }));
        search.shorten(start + ms(50_000), start);
        let first = Some((start + ms(50_000) - LAG_MARGIN, TimeoutAction::Stop));
        assert_eq!(search.deadline(), first);
        search.shorten(start + ms(90_000), start);
        assert_eq!(search.deadline(), first);
        let now = start + ms(1_000);
        search.shorten(now + ms(2_000), now);
        assert_eq!(search.deadline(), Some((now + ms(2_000) - LAG_MARGIN, TimeoutAction::Stop)));
    }

    #[test]
    fn the_answer_at_the_deadline_is_the_latest_reported_move() {
        let (mut search, start) = begin(1_000, 1);
        let (decision, report_before) = search.answer().unwrap();
        assert_eq!(decision, Decision::Stone(Some(point(7, 7))), "without a search");
        assert_eq!(report_before.unwrap().pv, [point(7, 7)]);
        let (first, second) = (point(3, 4), point(4, 4));
        let answer = Decision::Stone(Some(first));
        search.report(Report { pv: vec![first, second], ..report(0, 1) }, false, start);
        search.report(Report { pv: vec![second], ..report(1, 1) }, false, start);
        let (at, action) = search.deadline().unwrap();
        assert_eq!((action, search.answer().unwrap().0), (TimeoutAction::Answer, answer));
        assert_eq!(Some(at - start), limits(1_000, 1).answer_by(Lag::default()));
        let now = start + ms(500);
        search.shorten(start, now);
        assert_eq!(search.deadline().map(|(_, action)| action), Some(TimeoutAction::Stop));
        search.set_stopping();
        assert_eq!(search.deadline(), Some((now + STOP_GRACE, TimeoutAction::Answer)));
    }

    #[test]
    fn the_answer_to_an_opening_is_a_swap2_choice() {
        let begin = |stones| {
            let (question, limits) = (Question::Swap2, limits(1_000, 1));
            RunningSearch::new(
                &Turn { board: board(stones), question, limits },
                Task::Swap2,
                Lag::default(),
            )
        };
        let choice = |search: &mut RunningSearch| match search.answer() {
            Some((Decision::Swap2(choice), None)) => choice,
            answer => panic!("{answer:?}"),
        };
        let Choice::Stones(stones) = choice(&mut begin(0)) else { panic!("three stones") };
        let mut opened = board(0);
        stones.iter().for_each(|&stone| opened.play(stone).unwrap());
        assert_eq!(opened.ply(), 3);
        for stones in [3, 5] {
            let mut search = begin(stones);
            assert_eq!(choice(&mut search), Choice::Swap);
            let mut choice_after = |value| {
                let pv = vec![point(7, 9)];
                let report = Report { pv, score: Score::from_eval(value), ..report(0, 1) };
                search.report(report, false, Instant::now());
                choice(&mut search)
            };
            assert_eq!(choice_after(40), Choice::Stone(point(7, 9)));
            assert_eq!(choice_after(-40), Choice::Swap);
        }
    }
}
