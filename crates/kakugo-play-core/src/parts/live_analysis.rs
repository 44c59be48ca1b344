//! Live analysis, and what is known of the game's positions: evaluations, lines, a hint.

use std::collections::HashMap;
use std::time::Duration;

use kakugo::board::{Board, Point, Side};
use kakugo_record::tree::NodeId;

use crate::commands::Treatment;
use crate::jobs::{AnalysisRequest, JobId, MoveFilter};
use crate::parts::hints::Hint;
use crate::progress::{Progress, PvLine};

/// The largest number of best lines.
pub const MAX_LINES: usize = 9;

/// Live analysis rests when the best move has not changed during this much search time.
pub const REST_AFTER: Duration = Duration::from_secs(60);

/// The greatest depth that can be asked for.
pub const MAX_DEPTH: u32 = 99;

/// The longest time that can be asked for. Analysis with a time does not rest before.
pub const MAX_TIME: Duration = Duration::from_secs(24 * 3600);

/// The largest number of moves of a position that are chosen or excluded.
const MAX_CHOSEN: usize = 300;

/// The limits of live analysis.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct AnalysisLimits {
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The time for a position.
    pub time: Option<Duration>,
}

/// Live analysis and its results.
#[derive(Default)]
pub struct LiveAnalysis {
    /// Number of best lines, if it is on.
    lines: Option<usize>,
    limits: AnalysisLimits,
    /// The moves that are searched after the stone of a node, unless these are all.
    filters: HashMap<NodeId, MoveFilter>,
    /// Number of changes of lines, limits and moves.
    requests: u64,
    /// The stones that balance the position.
    balance: Option<PvLine>,
    /// True if it rests until a client lets it go on.
    resting: bool,
    /// The best move, and since when it is the best.
    steady: Option<Steady>,
    /// Black's expected result after the stone of a node, in permille.
    values: HashMap<NodeId, u32>,
    hint: Option<Hint>,
    opinion: Option<Opinion>,
    /// The progress of the latest search of the position.
    progress: Option<(JobId, Progress)>,
}

/// The move of another engine in the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// Number of the engine.
    pub engine: usize,
    /// Its move, or the reason why it has none.
    pub result: Result<Point, String>,
}

/// A best move.
struct Steady {
    job: JobId,
    best: Option<Point>,
    /// Search time of the job when it became the best.
    since: Duration,
}

impl LiveAnalysis {
    /// Starts analysis with this many lines, or stops it. It does not rest any more.
    pub fn set_lines(&mut self, lines: Option<usize>) {
        let lines = lines.map(|lines| lines.clamp(1, MAX_LINES));
        self.requests += u64::from(lines != self.lines);
        self.lines = lines;
        self.resume();
    }

    /// Sets the limits of analysis.
    pub fn set_limits(&mut self, limits: AnalysisLimits) {
        let limits = AnalysisLimits {
            depth: limits.depth.map(|depth| depth.clamp(1, MAX_DEPTH)),
            time: limits.time.map(|time| time.clamp(Duration::from_millis(100), MAX_TIME)),
        };
        self.requests += u64::from(limits != self.limits);
        self.limits = limits;
    }

    /// Returns the limits of analysis.
    pub fn limits(&self) -> AnalysisLimits {
        self.limits
    }

    /// Sets how a move in the position after a node is treated. Returns false if too many moves of
    /// the position are chosen already.
    pub fn treat(&mut self, node: NodeId, p: Point, treatment: Treatment) -> bool {
        let filter = self.filters.entry(node).or_default();
        if filter.only.len() + filter.without.len() >= MAX_CHOSEN && treatment != Treatment::Usual {
            return false;
        }
        filter.only.retain(|&known| known != p);
        filter.without.retain(|&known| known != p);
        match treatment {
            Treatment::Usual => {}
            Treatment::Only => filter.only.push(p),
            Treatment::Without => filter.without.push(p),
        }
        if filter.is_empty() {
            self.filters.remove(&node);
        }
        self.forget_search();
        true
    }

    /// Makes analysis search all moves in the position after a node.
    pub fn search_all(&mut self, node: NodeId) {
        if self.filters.remove(&node).is_some() {
            self.forget_search();
        }
    }

    /// The moves that are searched have changed.
    fn forget_search(&mut self) {
        self.requests += 1;
        self.progress = None;
        self.resume();
    }

    /// Returns the moves that are searched after a node.
    pub fn filter(&self, node: NodeId) -> MoveFilter {
        self.filters.get(&node).cloned().unwrap_or_default()
    }

    /// Returns the number of the current request: it changes with lines, limits and moves.
    pub fn request_number(&self) -> u64 {
        self.requests
    }

    /// Returns the request for the position after a node, if analysis is on.
    pub fn request(&self, node: NodeId) -> Option<AnalysisRequest> {
        let AnalysisLimits { depth, time } = self.limits;
        Some(AnalysisRequest { lines: self.lines?, depth, time, moves: self.filter(node) })
    }

    /// Sets the stones that balance the position.
    pub fn set_balance(&mut self, line: PvLine) {
        self.balance = Some(line);
    }

    /// Returns the stones that balance the position, if they are known.
    pub fn balance(&self) -> Option<&PvLine> {
        self.balance.as_ref()
    }

    /// Returns the number of lines, if analysis is on.
    pub fn lines(&self) -> Option<usize> {
        self.lines
    }

    /// Returns true if it rests.
    pub fn is_resting(&self) -> bool {
        self.resting
    }

    fn resume(&mut self) {
        (self.resting, self.steady) = (false, None);
    }

    /// The position has changed.
    pub fn position_changed(&mut self) {
        (self.progress, self.hint) = (None, None);
        (self.balance, self.opinion) = (None, None);
        self.resume();
    }

    /// The game was replaced: nothing is known of it. Analysis stays on or off, with its limits.
    pub fn game_replaced(&mut self) {
        let LiveAnalysis { lines, limits, requests, .. } = *self;
        *self = LiveAnalysis { lines, limits, requests: requests + 1, ..LiveAnalysis::default() };
    }

    /// Learns from the progress of a search of the position of this node. Returns true if it is
    /// shown: a search that was interrupted starts anew, and is worth showing only at its old
    /// depth.
    pub fn learn(&mut self, job: JobId, node: NodeId, board: &Board, progress: Progress) -> bool {
        if let Some((known_job, known)) = &mut self.progress
            && *known_job == job
            && (progress.depth() < known.depth() || progress.lines.len() < known.lines.len())
        {
            (known.nodes, known.elapsed) = (progress.nodes, progress.elapsed);
            return false;
        }
        if let Some(best) = progress.best() {
            let black = board.side_to_move() == Side::Black;
            let score = if black { best.score } else { -best.score };
            self.values.insert(node, score.win_rate_permille());
        }
        self.progress = Some((job, progress));
        true
    }

    /// Returns true if analysis, whose search by this job has taken so long, rests from now on.
    /// With a time of its own it does not rest.
    pub fn rests_after(&mut self, job: JobId, elapsed: Duration) -> bool {
        if self.limits.time.is_some() {
            return false;
        }
        let shown = self.progress.as_ref().filter(|(known, _)| *known == job);
        let best = shown.and_then(|(_, progress)| progress.best()?.moves.first().copied());
        match &self.steady {
            Some(steady) if steady.job == job && steady.best == best => {
                self.resting = best.is_some() && elapsed.saturating_sub(steady.since) >= REST_AFTER;
            }
            Some(steady) if steady.job == job => {
                self.steady = Some(Steady { job, best, since: elapsed });
            }
            _ => self.steady = Some(Steady { job, best, since: Duration::ZERO }),
        }
        self.resting
    }

    /// Returns the progress of the latest search of the position.
    pub fn progress(&self) -> Option<&Progress> {
        self.progress.as_ref().map(|(_, progress)| progress)
    }

    /// Returns the hint for the position.
    pub fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// Sets the hint for the position.
    pub fn set_hint(&mut self, hint: Hint) {
        self.hint = Some(hint);
    }

    /// Returns the opinion of another engine about the position.
    pub fn opinion(&self) -> Option<&Opinion> {
        self.opinion.as_ref()
    }

    /// Sets the opinion of another engine about the position.
    pub fn set_opinion(&mut self, opinion: Option<Opinion>) {
        self.opinion = opinion;
    }

    /// Shows more of the hint, or all of it. Returns false if there is no hint.
    pub fn extend_hint(&mut self, all: bool) -> bool {
        let Some(hint) = &mut self.hint else { return false };
        hint.go_on();
        if all {
            hint.go_on();
        }
        true
    }

    /// Returns the evaluation after a node's stone, if known.
    pub fn value(&self, node: NodeId) -> Option<u32> {
        self.values.get(&node).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::PvLine;
    use kakugo::board::Variant;
    use kakugo::score::Score;

    const JOB: JobId = JobId(1);

    fn board() -> Board {
        Board::new(15, 15, Variant::FREESTYLE).unwrap()
    }

    fn progress(depth: u32, x: u8, score: i32) -> Progress {
        let moves = vec![Point::new(x, 0).unwrap()];
        let line = PvLine { depth, score: Score::from_eval(score), moves };
        Progress { lines: vec![line], ..Progress::default() }
    }

    #[test]
    fn evaluations_belong_to_nodes_and_outlive_the_position() {
        let mut analysis = LiveAnalysis::default();
        for number in 0..3 {
            let shown =
                analysis.learn(JOB, NodeId::from_number(number), &board(), progress(5, 0, 0));
            assert!(shown);
            analysis.position_changed();
        }
        assert_eq!([0, 1, 2].map(|node| analysis.value(NodeId::from_number(node))), [Some(500); 3]);
        assert_eq!(analysis.value(NodeId::from_number(7)), None);
        analysis.game_replaced();
        assert_eq!(analysis.value(NodeId::from_number(0)), None);
    }

    #[test]
    fn an_interrupted_search_is_shown_again_at_its_old_depth() {
        let mut analysis = LiveAnalysis::default();
        let mut learn =
            |job, depth| analysis.learn(job, NodeId::ROOT, &board(), progress(depth, 0, 0));
        assert!(learn(JOB, 8) && !learn(JOB, 1) && !learn(JOB, 7) && learn(JOB, 8));
        assert!(learn(JobId(2), 1), "another search");
    }

    #[test]
    fn analysis_rests_when_the_best_move_has_not_changed_for_long() {
        let seconds = Duration::from_secs;
        let mut analysis = LiveAnalysis::default();
        analysis.set_lines(Some(3));
        let mut after = |x, elapsed| {
            analysis.learn(JOB, NodeId::ROOT, &board(), progress(5, x, 0));
            analysis.rests_after(JOB, seconds(elapsed))
        };
        assert!(!after(0, 1) && !after(0, 50) && !after(1, 55) && !after(1, 110) && after(1, 115));
        assert!(analysis.is_resting());
        // Going on starts another search.
        analysis.set_lines(Some(3));
        assert!(!analysis.rests_after(JobId(2), seconds(1)) && !analysis.is_resting());
        analysis.set_lines(Some(99));
        assert_eq!(analysis.lines(), Some(MAX_LINES));
    }
}
