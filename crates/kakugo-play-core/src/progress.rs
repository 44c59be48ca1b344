//! The progress of a search: its lines, and features of the position that need no search.

use std::cmp::Reverse;
use std::time::Duration;

use kakugo::board::{Board, Point};
use kakugo::proof::with_its_end;
use kakugo::score::Score;
use kakugo::search::{Report, Reporter, Signals};
use kakugo_record::analysis::threats::{self, Threats};

/// Number of best lines whose wins are followed to the five.
const FOLLOWED_LINES: usize = 8;

/// A line of play found by a search.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine {
    /// Depth, in plies.
    pub depth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// The moves.
    pub moves: Vec<Point>,
}

/// The progress of a search.
#[derive(Clone, Default, Debug)]
pub struct Progress {
    /// Lines in the order of the search. A later one may be better: see [`Progress::sorted`].
    pub lines: Vec<PvLine>,
    /// Length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Search time.
    pub elapsed: Duration,
    /// Features of the position.
    pub features: Option<Box<Features>>,
}

/// Features of a position that need no search.
#[derive(Clone, Debug)]
pub struct Features {
    /// Threats of Black and White.
    pub threats: [Threats; 2],
    /// Promising points, best first, rated from 0 to 1.
    pub candidates: Vec<(Point, f64)>,
}

impl Features {
    /// Returns the features of a position.
    pub fn of(board: &Board) -> Features {
        Features { threats: threats::of(board), candidates: threats::candidates(board) }
    }
}

impl Progress {
    /// Returns the depth of the first line.
    pub fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }

    /// Returns the best line of a [sorted](Progress::sorted) progress.
    pub fn best(&self) -> Option<&PvLine> {
        self.lines.first()
    }

    /// Returns the progress with the best line first.
    pub fn sorted(mut self) -> Progress {
        self.lines.sort_by_key(|line| Reverse(line.score));
        self
    }

    /// Returns the moves of the line that is replaced by a report, if it has the same score and
    /// starts with the reported moves: they may have been followed to the five.
    fn known_moves(&self, report: &Report) -> Option<Vec<Point>> {
        let known = self.lines.get(report.line)?;
        let same = known.score == report.score && known.moves.starts_with(&report.pv);
        same.then(|| known.moves.clone())
    }

    /// Adds a report, with the moves to be shown for it.
    fn add(&mut self, report: &Report, moves: Vec<Point>) {
        let line = PvLine { depth: report.depth, score: report.score, moves };
        match self.lines.get_mut(report.line) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
        self.seldepth = report.seldepth;
        self.nodes = report.nodes;
        self.elapsed = report.elapsed;
    }
}

/// A place where a search writes its progress, and where others read it at any time.
pub trait ProgressSink {
    /// Changes the progress.
    fn update(&self, change: &mut dyn FnMut(&mut Progress));

    /// Sets the features of the position.
    fn set_features(&self, features: Features) {
        let mut features = Some(Box::new(features));
        self.update(&mut |progress| progress.features = features.take());
    }
}

/// Writes the reports of a search to a [`ProgressSink`].
pub struct ProgressReporter<'a> {
    /// The sink.
    pub sink: &'a dyn ProgressSink,
    /// The position, if wins are to be followed to the five.
    pub followed: Option<(&'a Board, &'a Signals)>,
}

impl Reporter for ProgressReporter<'_> {
    fn report(&mut self, report: &Report) {
        let mut moves = None;
        self.sink.update(&mut |progress| moves = progress.known_moves(report));
        let moves = moves.unwrap_or_else(|| match self.followed {
            Some((board, signals)) if report.line < FOLLOWED_LINES => {
                with_its_end(board, report.score, &report.pv, signals)
            }
            _ => report.pv.clone(),
        });
        self.sink.update(&mut |progress| progress.add(report, moves.clone()));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use kakugo::board::{Outcome, Side, Variant};
    use kakugo_record::analysis::puzzle;

    impl ProgressSink for RefCell<Progress> {
        fn update(&self, change: &mut dyn FnMut(&mut Progress)) {
            change(&mut self.borrow_mut());
        }
    }

    fn report(line: usize, score: Score, moves: &[Point]) -> Report {
        Report {
            line,
            depth: 5,
            seldepth: 5,
            score,
            nodes: 1,
            elapsed: Duration::ZERO,
            pv: moves.to_vec(),
        }
    }

    #[test]
    fn wins_are_followed_to_the_five_on_demand() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        // Two twos of Black that meet, White at the edge.
        for (x, y) in [(6, 8), (0, 14), (7, 7), (14, 14), (8, 9), (0, 0), (8, 8), (14, 0)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let signals = Signals::default();
        let line = puzzle::find(&board, &signals).unwrap();
        let shown = |follow: bool, score, moves: &[Point]| {
            let progress = RefCell::new(Progress::default());
            let followed = follow.then_some((&board, &signals));
            let mut reporter = ProgressReporter { sink: &progress, followed };
            (0..2).for_each(|_| reporter.report(&report(0, score, moves)));
            progress.into_inner().lines[0].moves.clone()
        };
        let win = Score::win_in(line.len());
        assert_eq!(shown(false, win, &line[..1]), line[..1]);
        assert_eq!(shown(true, Score::from_eval(10), &line[..1]), line[..1]);
        let complete = shown(true, win, &line[..1]);
        let mut after = board.clone();
        complete.iter().for_each(|&p| after.play(p).unwrap());
        assert_eq!(after.outcome(), Outcome::Win(Side::Black));
    }

    #[test]
    fn the_best_line_comes_first() {
        let progress = RefCell::new(Progress::default());
        for (line, score) in [10, 30, 20].into_iter().enumerate() {
            let point = Point::new(line as u8, 0).unwrap();
            let mut reporter = ProgressReporter { sink: &progress, followed: None };
            reporter.report(&report(line, Score::from_value(score), &[point]));
        }
        let lines = progress.into_inner().sorted().lines;
        let columns: Vec<u8> = lines.iter().map(|line| line.moves[0].x()).collect();
        assert_eq!(columns, [1, 2, 0]);
    }
}
