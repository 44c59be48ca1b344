//! A search that runs: how long it may, and what of it is told.
//!
//! Managers that read nothing while they wait must not find a full pipe, and none may find a line
//! after the time limit: so reports are thinned out, and cease shortly before the limit. A search that
//! does not end in time is answered for by what it has reported, or by a look at the board.

use std::time::{Duration, Instant};

use kakugo::player::{Decision, Turn};
use kakugo::search::{Lag, Report};
use kakugo_protocol::{Reply, Status};

/// Least time between two reports of one search.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// Nothing is told of a search any more from this long before its limit.
const QUIET_MARGIN: Duration = Duration::from_millis(10);

/// A limit that `INFO` sets while a search runs is enforced this much early.
const LAG_MARGIN: Duration = Duration::from_millis(30);

/// How long a search that was told to stop may take before it is answered for.
const GRACE: Duration = Duration::from_millis(8);

/// How long even a search without time may take to report something before it is answered for.
const PATIENCE: Duration = Duration::from_millis(30);

/// What is to be done with a search that has not ended in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Due {
    /// Tell it to stop.
    Stop,
    /// Answer for it.
    Answer,
}

/// A search that runs.
#[derive(Debug)]
pub(super) struct Progress {
    start: Instant,
    counts_from: Instant,
    quiet_from: Option<Instant>,
    stop_at: Option<Instant>,
    answer_by: Option<Instant>,
    turn: Turn,
    /// What to answer if it does not end in time, by its latest report.
    answer: Option<Decision>,
    lines: usize,
    told: Instant,
    untold: Vec<Status>,
    /// Nothing has been told yet.
    silent: bool,
}

impl Progress {
    /// The search for an answer begins.
    pub(super) fn new(turn: &Turn, lag: Lag) -> Progress {
        let limits = &turn.limits;
        let end = limits.turn.into_iter().chain(limits.left).min();
        let quiet_from = end.map(|end| end.saturating_sub(QUIET_MARGIN));
        Progress {
            start: limits.start,
            counts_from: limits.start,
            quiet_from: quiet_from.and_then(|end| limits.start.checked_add(end)),
            stop_at: None,
            answer_by: limits.answer_by(lag).and_then(|time| limits.start.checked_add(time)),
            turn: turn.clone(),
            answer: None,
            lines: limits.multi_pv,
            told: limits.start,
            untold: Vec::new(),
            silent: true,
        }
    }

    /// When our thinking began.
    pub(super) fn start(&self) -> Instant {
        self.start
    }

    /// What must be done unless the search ends before, and when: it must be stopped if `INFO` has
    /// shortened its time since it began, and answered for at last.
    pub(super) fn due(&self) -> Option<(Instant, Due)> {
        let stop = self.stop_at.map(|at| (at, Due::Stop));
        let least = if self.answer.is_some() { self.start } else { self.start + PATIENCE };
        let answer = self.answer_by.map(|at| (at.max(least), Due::Answer));
        stop.into_iter().chain(answer).min_by_key(|&(at, _)| at)
    }

    /// What to answer for the search now, and what is to be told before. Where there is nothing to answer, it is
    /// waited for.
    pub(super) fn answer(&mut self) -> Option<(Decision, Option<Report>)> {
        let reported = self.answer.clone().map(|answer| (answer, None));
        let answer = reported.or_else(|| self.turn.unsearched());
        if answer.is_none() {
            self.answer_by = None;
        }
        answer
    }

    /// The search has been told to stop.
    pub(super) fn stopping(&mut self) {
        self.stop_at = None;
    }

    /// From when on the search counts against what is left of the match time.
    pub(super) fn counts_from(&self) -> Instant {
        self.counts_from
    }

    /// The manager has just said what is left.
    pub(super) fn count_from(&mut self, now: Instant) {
        self.counts_from = now;
    }

    /// Let the search end by then, if that is earlier.
    pub(super) fn shorten(&mut self, end: Instant, now: Instant) {
        let earlier =
            |time: Option<Instant>, at: Instant| Some(time.map_or(at, |time| time.min(at)));
        let before_end = |margin| end.checked_sub(margin).unwrap_or(end);
        self.stop_at = earlier(self.stop_at, before_end(LAG_MARGIN));
        self.quiet_from = earlier(self.quiet_from, before_end(QUIET_MARGIN));
        let answer_by = before_end(QUIET_MARGIN).max(now + GRACE);
        self.answer_by = earlier(self.answer_by, answer_by);
    }

    /// Take a report, and give back what is to be told now.
    pub(super) fn report(&mut self, report: Report, with_detail: bool, now: Instant) -> Vec<Reply> {
        let due = now.saturating_duration_since(self.told) >= REPORT_EVERY;
        let last_line = report.line + 1 >= self.lines;
        let mut replies = Vec::new();
        if report.line == 0 {
            self.answer = self.turn.question.answered_by(&report);
            if due && self.lines > 1 {
                replies = self.flush(with_detail, now);
            }
            self.untold.clear();
        }
        self.untold.push(status(report, self.lines));
        if due && last_line {
            replies.extend(self.flush(with_detail, now));
        }
        replies
    }

    /// The search has ended: all that was not told yet, unless it is too late for that. Of a search of
    /// which nothing was told it never is, since managers read the value of a move from what comes
    /// before it.
    pub(super) fn end(&mut self, with_detail: bool, now: Instant) -> Vec<Reply> {
        if self.silent {
            self.quiet_from = None;
        }
        self.flush(with_detail, now)
    }

    /// All that was not told yet, unless it is too late for that.
    fn flush(&mut self, with_detail: bool, now: Instant) -> Vec<Reply> {
        if self.untold.is_empty() || self.quiet_from.is_some_and(|quiet| now >= quiet) {
            return Vec::new();
        }
        self.told = now;
        self.silent = false;
        let mut replies = Vec::new();
        for status in std::mem::take(&mut self.untold) {
            replies.push(status.message());
            if with_detail {
                replies.extend(status.details());
            }
        }
        replies
    }
}

/// A report in the protocol's terms, of one of so many best lines.
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

    /// A search of so many ms and best lines that begins now, and what the time is then.
    fn begin(turn_ms: u64, multi_pv: usize) -> (Progress, Instant) {
        let question = Question::Stone(Level::default());
        let turn = Turn { board: board(0), question, limits: limits(turn_ms, multi_pv) };
        (Progress::new(&turn, Lag::default()), turn.limits.start)
    }

    /// A position of so many stones.
    fn board(stones: u8) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        (0..stones).for_each(|n| board.play(point(3 * n, n)).unwrap());
        board
    }

    fn point(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn reports_are_thinned_out_but_the_last_is_told() {
        let (mut progress, start) = begin(600_000, 1);
        let soon = start + REPORT_EVERY - ms(1);
        assert!((1..50).all(|depth| progress.report(report(0, depth), false, soon).is_empty()));
        assert_eq!(depths(&progress.flush(false, soon)), ["49-49"]);
        assert!(progress.flush(false, soon).is_empty());
        let due = soon + REPORT_EVERY;
        assert!(progress.report(report(0, 50), false, due - ms(1)).is_empty());
        assert_eq!(depths(&progress.report(report(0, 51), false, due)), ["51-51"]);
    }

    #[test]
    fn a_report_that_is_due_is_told_with_all_its_lines() {
        let (mut progress, start) = begin(600_000, 2);
        let now = start + ms(5_000);
        assert!(progress.report(report(0, 3), false, now).is_empty());
        assert_eq!(depths(&progress.report(report(1, 3), false, now)), ["3-3", "3-3"]);
        assert!(progress.report(report(0, 4), false, now).is_empty());
        assert!(progress.report(report(1, 4), false, now).is_empty());
    }

    #[test]
    fn missing_lines_do_not_hold_the_others_back() {
        let (mut progress, start) = begin(600_000, 9);
        let now = start + ms(5_000);
        assert!(progress.report(report(0, 3), false, now).is_empty());
        assert!(progress.report(report(1, 3), false, now).is_empty());
        assert_eq!(depths(&progress.report(report(0, 4), false, now)), ["3-3", "3-3"]);
    }

    #[test]
    fn nothing_is_told_from_shortly_before_the_limit() {
        let (mut progress, start) = begin(1_000, 1);
        let quiet = start + ms(1_000) - QUIET_MARGIN;
        assert!(progress.report(report(0, 7), true, quiet).is_empty());
        assert!(progress.flush(true, quiet).is_empty());
        let (mut progress, start) = begin(1_000, 1);
        let just_before = start + ms(1_000) - QUIET_MARGIN - ms(1);
        assert!(!progress.report(report(0, 7), true, just_before).is_empty());
        let quiet = just_before + ms(2);
        progress.report(report(0, 8), true, quiet);
        assert!(progress.end(true, quiet).is_empty());
    }

    #[test]
    fn something_is_told_of_every_search_however_late() {
        let (mut progress, start) = begin(0, 2);
        assert!(progress.report(report(0, 1), false, start).is_empty());
        assert!(progress.report(report(0, 2), false, start).is_empty());
        assert_eq!(depths(&progress.end(false, start)), ["2-2"]);
        assert!(progress.end(false, start).is_empty());
    }

    #[test]
    fn a_search_can_be_shortened_and_not_lengthened() {
        let (mut progress, start) = begin(600_000, 1);
        assert!(progress.due().is_some_and(|(at, due)| {
            due == Due::Answer && (start + ms(599_000)..start + ms(600_000)).contains(&at)
        }));
        progress.shorten(start + ms(50_000), start);
        let first = Some((start + ms(50_000) - LAG_MARGIN, Due::Stop));
        assert_eq!(progress.due(), first);
        progress.shorten(start + ms(90_000), start);
        assert_eq!(progress.due(), first);
        let now = start + ms(1_000);
        progress.shorten(now + ms(2_000), now);
        assert_eq!(progress.due(), Some((now + ms(2_000) - LAG_MARGIN, Due::Stop)));
    }

    #[test]
    fn a_search_that_does_not_end_is_answered_for_with_what_it_found() {
        let (mut progress, start) = begin(1_000, 1);
        let (seen, told) = progress.answer().unwrap();
        assert_eq!(seen, Decision::Stone(Some(point(7, 7))), "a look at an empty board");
        assert_eq!(told.unwrap().pv, [point(7, 7)]);
        let (first, second) = (point(3, 4), point(4, 4));
        let answer = Decision::Stone(Some(first));
        progress.report(Report { pv: vec![first, second], ..report(0, 1) }, false, start);
        progress.report(Report { pv: vec![second], ..report(1, 1) }, false, start);
        let (at, due) = progress.due().unwrap();
        assert_eq!((due, progress.answer().unwrap().0), (Due::Answer, answer));
        assert_eq!(Some(at - start), limits(1_000, 1).answer_by(Lag::default()));
        let now = start + ms(500);
        progress.shorten(start, now);
        assert_eq!(progress.due().map(|due| due.1), Some(Due::Stop));
        progress.stopping();
        assert_eq!(progress.due(), Some((now + GRACE, Due::Answer)), "soon, not at once");
    }

    #[test]
    fn an_opening_is_answered_for_with_a_choice() {
        let begin = |stones| {
            let (question, limits) = (Question::Swap2, limits(1_000, 1));
            Progress::new(&Turn { board: board(stones), question, limits }, Lag::default())
        };
        let choice = |progress: &mut Progress| match progress.answer() {
            Some((Decision::Swap2(choice), None)) => choice,
            answer => panic!("{answer:?}"),
        };
        let Choice::Stones(stones) = choice(&mut begin(0)) else { panic!("three stones") };
        let mut opened = board(0);
        stones.iter().for_each(|&stone| opened.play(stone).unwrap());
        assert_eq!(opened.ply(), 3);
        for stones in [3, 5] {
            let mut progress = begin(stones);
            assert_eq!(choice(&mut progress), Choice::Swap);
            let mut hear = |value| {
                let pv = vec![point(7, 9)];
                let report = Report { pv, score: Score::from_eval(value), ..report(0, 1) };
                progress.report(report, false, Instant::now());
                choice(&mut progress)
            };
            assert_eq!(hear(40), Choice::Stone(point(7, 9)));
            assert_eq!(hear(-40), Choice::Swap);
        }
    }
}
