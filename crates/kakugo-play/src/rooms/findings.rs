//! What is known so far of the job under way.
//!
//! The thinking thread writes its findings down and the server's ticker collects them: the search
//! never waits for a page.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::lock::lock;
use kakugo::board::{Board, Point};
use kakugo::score::Score;
use kakugo::search::{Report, Reporter, Signals};
use kakugo_record::analysis::threats::{self, Threats};
use kakugo_record::analysis::win::with_its_end;

/// Of the best lines so many are followed to the five.
const FOLLOWED: usize = 8;

/// One line of play found by a search.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Depth, in plies.
    pub depth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Point>,
}

/// What is known so far of the job under way.
#[derive(Clone, Default, Debug)]
pub struct Findings {
    /// The job's number.
    number: u64,
    /// Best lines, best first once they were collected.
    pub lines: Vec<Variation>,
    /// Longest path looked at, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// Threats of both sides, and how promising points look; set once per position.
    pub seen: Option<Box<Seen>>,
    /// Whether something is new since it was last collected.
    fresh: bool,
}

/// What can be seen of a position without searching it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Threats, Black's first.
    pub threats: [Threats; 2],
    /// Promising points, best first, 0 to 1.
    pub candidates: Vec<(Point, f64)>,
}

/// Findings as the thread that thinks and the room share them.
#[derive(Clone, Default)]
pub struct SharedFindings {
    findings: Arc<Mutex<Findings>>,
}

impl SharedFindings {
    /// The job with this number begins: nothing is known yet.
    pub fn begin(&mut self, number: u64) {
        *lock(&self.findings) = Findings { number, ..Findings::default() };
    }

    /// Write something down.
    pub fn note(&self, write: impl FnOnce(&mut Findings)) {
        let mut findings = lock(&self.findings);
        write(&mut findings);
        findings.fresh = true;
    }

    /// Write down what can be seen of a position without searching it.
    pub fn look_at(&self, board: &Board) {
        let seen = Seen { threats: threats::of(board), candidates: threats::candidates(board) };
        self.note(|findings| findings.seen = Some(Box::new(seen)));
    }

    /// What was found since the last call, if anything, by the job with this number.
    pub fn collect(&self, number: u64) -> Option<Findings> {
        let mut findings = lock(&self.findings);
        let news = findings.number == number && std::mem::take(&mut findings.fresh);
        news.then(|| {
            let mut findings = findings.clone();
            // Lines are searched one after the other: a later one may turn out better.
            findings.lines.sort_by_key(|line| Reverse(line.score));
            findings
        })
    }
}

impl SharedFindings {
    /// Write down a line, its moves as `show` shows them where they are not known.
    fn add(&self, report: &Report, show: impl FnOnce() -> Vec<Point>) {
        let known = lock(&self.findings).lines.get(report.line).cloned();
        let known =
            known.filter(|old| old.score == report.score && old.moves.starts_with(&report.pv));
        let moves = known.map_or_else(show, |old| old.moves);
        let line = Variation { depth: report.depth, score: report.score, moves };
        self.note(|findings| {
            if let Some(old) = findings.lines.get_mut(report.line) {
                *old = line;
            } else {
                findings.lines.push(line);
            }
            findings.seldepth = report.seldepth;
            findings.nodes = report.nodes;
            findings.elapsed = report.elapsed;
        });
    }
}

impl Reporter for SharedFindings {
    fn report(&mut self, report: &Report) {
        self.add(report, || report.pv.clone());
    }
}

/// Writes down the lines of a position and plays their wins on to the five.
pub struct Following<'a> {
    /// Where they are written down.
    pub findings: &'a SharedFindings,
    /// The position searched.
    pub board: &'a Board,
    /// Stop it.
    pub signals: &'a Signals,
}

impl Reporter for Following<'_> {
    fn report(&mut self, report: &Report) {
        let Following { findings, board, signals } = self;
        findings.add(report, || {
            if report.line < FOLLOWED {
                with_its_end(board, report.score, &report.pv, signals)
            } else {
                report.pv.clone()
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Outcome, Side, Variant};
    use kakugo_record::analysis::puzzle;

    #[test]
    fn a_win_is_shown_to_its_five_where_wins_are_followed() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        // Two twos of Black that meet, White at the edge.
        for (x, y) in [(6, 8), (0, 14), (7, 7), (14, 14), (8, 9), (0, 0), (8, 8), (14, 0)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let signals = Signals::default();
        let line = puzzle::find(&board, &signals).unwrap();
        let mut findings = SharedFindings::default();
        let mut shown = |follow: bool, score, moves: &[Point]| {
            findings.begin(1);
            for _ in 0..2 {
                let report = Report {
                    line: 0,
                    depth: 5,
                    seldepth: 5,
                    score,
                    nodes: 1,
                    elapsed: Duration::ZERO,
                    pv: moves.to_vec(),
                };
                if follow {
                    let (findings, board, signals) = (&findings, &board, &signals);
                    Following { findings, board, signals }.report(&report);
                } else {
                    findings.report(&report);
                }
            }
            findings.collect(1).unwrap().lines[0].moves.clone()
        };
        let win = Score::win_in(line.len());
        assert_eq!(shown(false, win, &line[..1]), line[..1]);
        assert_eq!(shown(true, Score::from_eval(10), &line[..1]), line[..1]);
        let whole = shown(true, win, &line[..1]);
        whole.iter().for_each(|&p| board.play(p).unwrap());
        assert_eq!(board.outcome(), Outcome::Win(Side::Black));
    }

    #[test]
    fn the_best_line_comes_first_and_news_come_once() {
        let mut findings = SharedFindings::default();
        findings.begin(1);
        assert!(findings.collect(1).is_none());
        for (line, score) in [10, 30, 20].into_iter().enumerate() {
            let point = Point::new(line as u8, 0).unwrap();
            findings.report(&Report {
                line,
                depth: 5,
                seldepth: 5,
                score: Score::from_value(score),
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: vec![point],
            });
        }
        assert!(findings.collect(2).is_none(), "another job's");
        let lines = findings.collect(1).unwrap().lines;
        let columns: Vec<u8> = lines.iter().map(|line| line.moves[0].x()).collect();
        assert_eq!(columns, [1, 2, 0]);
        assert!(findings.collect(1).is_none());
    }
}
