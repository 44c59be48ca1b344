//! The public methods of the engine.

use crate::board::{Board, Point};
use crate::clock::Instant;
use crate::level::Level;
use crate::random;
use crate::search::{Answer, Balance, Engine, Limits, Report, Reporter, Silent, StopHandle};

use super::{Analysis, Line};

/// Bytes of the transposition table of the default engine.
const DEFAULT_HASH_BYTES: usize = 64 << 20;

/// One thread and a transposition table of 64 MiB.
impl Default for Engine {
    fn default() -> Engine {
        Engine::new(DEFAULT_HASH_BYTES)
    }
}

impl Engine {
    /// Returns the best move for the side to move. `None` if the game is over or the limits exclude
    /// every move. If all free points are forbidden to the side to move, the move is one of them.
    ///
    /// An only move that stops a five is returned after a very short search.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use kakugo::{Board, Engine, Limits, Variant};
    ///
    /// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// let mut engine = Engine::default();
    /// let limits = Limits::new().time(Duration::from_millis(50));
    /// for _ in 0..3 {
    ///     let best = engine.best_move(&board, &limits).ok_or("the game is over")?;
    ///     board.play(best)?;
    /// }
    /// assert_eq!(board.ply(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_move(&mut self, board: &Board, limits: &Limits) -> Option<Point> {
        self.best_move_at_level(board, limits, Level::default())
    }

    /// Returns the move of a player of this strength. `limits` bound the search; weak levels need
    /// far less. Weak levels choose at random among the moves that they find good. `None` if the
    /// game is over or the limits exclude every move.
    ///
    /// Levels that search, except the strongest, clear the engine before each move. A player at
    /// full strength should therefore have an engine of its own.
    ///
    /// ```
    /// use kakugo::{Board, Engine, Level, Limits, Variant};
    ///
    /// let board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// let mut engine = Engine::default();
    /// let novice: Level = "2".parse()?;
    /// let limits = Limits::new().nodes(1_000);
    /// assert!(engine.best_move_at_level(&board, &limits, novice).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best_move_at_level(
        &mut self,
        board: &Board,
        limits: &Limits,
        level: Level,
    ) -> Option<Point> {
        if Analysis::of_finished_game(board).is_some() {
            return None;
        }
        let limits = Limits { multi_pv: 1, skip_only_move: true, ..started(limits) };
        let stop = stop_handle(&limits);
        let random = &mut random::rng();
        level.think(self, board, &limits, &stop.signals(), &mut Silent, random).best
    }

    /// Analyses a position until a limit is reached, or a forced win is found.
    ///
    /// ```
    /// use kakugo::{Board, Engine, Limits, Variant};
    ///
    /// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// for name in ["h8", "h9", "i8"] {
    ///     board.play(board.parse_point(name)?)?;
    /// }
    /// let analysis = Engine::default().analyze(&board, &Limits::new().nodes(5_000).lines(3));
    /// assert_eq!(analysis.lines.len(), 3);
    /// assert_eq!(analysis.lines[0].moves.first().copied(), analysis.best);
    /// assert!(analysis.lines[0].score >= analysis.lines[1].score);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyze(&mut self, board: &Board, limits: &Limits) -> Analysis {
        self.analyze_live(board, limits, |_| {})
    }

    /// Analyses a position as [`Engine::analyze`] does, and calls `progress` during the search:
    /// after each iteration, for each of the best lines, the best first. It is called on the
    /// current thread and delays the search, so it should be quick.
    ///
    /// ```
    /// use kakugo::{Board, Engine, Limits, StopHandle, Variant};
    ///
    /// let board = Board::from_diagram(
    ///     Variant::FREESTYLE,
    ///     ". . . . . . . . .
    ///      . . . . . . . . .
    ///      . . . O . . . . .
    ///      . . . X X . . . .
    ///      . . . . O . . . .
    ///      . . . . . . . . .
    ///      . . . . . . . . .",
    /// )?;
    /// let stop = StopHandle::new();
    /// let limits = Limits::new().stop(&stop);
    /// let analysis = Engine::default().analyze_live(&board, &limits, |line| {
    ///     println!("depth {}: {} {}", line.depth, line.score, board.names(&line.moves));
    ///     if line.depth >= 4 {
    ///         stop.stop();
    ///     }
    /// });
    /// assert!(analysis.depth >= 4 || analysis.score.is_win());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyze_live(
        &mut self,
        board: &Board,
        limits: &Limits,
        progress: impl FnMut(&Line),
    ) -> Analysis {
        if let Some(analysis) = Analysis::of_finished_game(board) {
            return analysis;
        }
        let limits = started(limits);
        let stop = stop_handle(&limits);
        let mut observer = Observer { progress, lines: Vec::new() };
        let Answer { best, score, depth, nodes, .. } =
            self.think(board, &limits, &stop.signals(), &mut observer);
        Analysis { best, score, depth, nodes, lines: observer.lines }
    }

    /// Searches for the stones of the side to move, or of both sides, after which the position is
    /// closest to even or to another score. Returns the line that starts with them, with its score
    /// from the point of view of the side to move. `None` if the game is over, or if there are not
    /// enough points.
    ///
    /// The search uses one thread. It ends if a limit is reached, so set one of them.
    pub fn balance(&mut self, board: &Board, balance: Balance, limits: &Limits) -> Option<Line> {
        if Analysis::of_finished_game(board).is_some() {
            return None;
        }
        let limits = started(limits);
        let stop = stop_handle(&limits);
        let mut observer = Observer { progress: |_: &Line| {}, lines: Vec::new() };
        self.think_balance(board, balance, &limits, &stop.signals(), &mut observer);
        observer.lines.pop()
    }
}

/// Returns the same limits for a search that begins now.
fn started(limits: &Limits) -> Limits {
    Limits { start: Instant::now(), ..limits.clone() }
}

/// Returns the handle that ends a search with these limits.
fn stop_handle(limits: &Limits) -> StopHandle {
    limits.stop.clone().unwrap_or_default()
}

/// Collects the lines of the latest iteration and passes each on.
struct Observer<F> {
    progress: F,
    lines: Vec<Line>,
}

impl<F: FnMut(&Line)> Reporter for Observer<F> {
    fn report(&mut self, report: &Report) {
        let line = Line::of_report(report);
        if report.line == 0 {
            self.lines.clear();
        }
        (self.progress)(&line);
        self.lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::{Side, Variant};
    use crate::score::Score;

    fn board(names: &str) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for name in names.split_whitespace() {
            board.play(board.parse_point(name).unwrap()).unwrap();
        }
        board
    }

    fn engine() -> Engine {
        Engine::new(1 << 20)
    }

    #[test]
    fn the_time_counts_from_the_start_of_each_search() {
        let limits = Limits::new().time(Duration::from_millis(200));
        let before = Instant::now();
        assert!(started(&limits).start >= before);
    }

    #[test]
    fn searches_with_the_same_handle_count_their_own_nodes() {
        let stop = StopHandle::new();
        let limits = Limits::new().nodes(3_000).stop(&stop);
        let search = || engine().analyze(&board("h8 h9 i8"), &limits).nodes;
        let alone = search();
        let together = std::thread::scope(|scope| {
            [(); 2].map(|()| scope.spawn(search)).map(|thread| thread.join().unwrap())
        });
        assert_eq!(together, [alone; 2]);
    }

    #[test]
    fn lines_are_ranked_and_those_of_the_result_were_reported() {
        let mut reported = Vec::new();
        let board = board("h8 h9 i8 j7 i9");
        let limits = Limits::new().nodes(20_000).lines(3);
        let analysis = engine().analyze_live(&board, &limits, |line| reported.push(line.clone()));
        assert!(reported.ends_with(&analysis.lines));
        let ranks: Vec<_> = analysis.lines.iter().map(|line| line.rank).collect();
        assert_eq!(ranks, [1, 2, 3]);
        assert!(analysis.lines.is_sorted_by_key(|line| -line.score));
        assert_eq!(analysis.best, analysis.lines[0].moves.first().copied());
        assert_eq!(analysis.score, analysis.lines[0].score);
    }

    #[test]
    fn a_finished_game_has_no_best_move_but_a_score() {
        let mut won = board("h8 a1 i8 a2 j8 a3 k8 a4 l8");
        for (side, score) in [(Side::White, Score::loss_in(0)), (Side::Black, Score::win_in(0))] {
            won.set_side_to_move(side);
            assert_eq!(engine().best_move(&won, &Limits::new()), None);
            let analysis = engine().analyze(&won, &Limits::new());
            assert_eq!((analysis.best, analysis.score), (None, score));
        }
        let full = Board::from_diagram(Variant::FREESTYLE, "XOX\nOXO\nOXO").unwrap();
        assert_eq!(engine().analyze(&full, &Limits::new()).score, Score::ZERO);
    }

    #[test]
    fn a_stopped_handle_ends_a_search_at_once() {
        let stop = StopHandle::new();
        stop.stop();
        let limits = Limits::new().stop(&stop);
        let analysis = engine().analyze(&board("h8 h9 i8"), &limits);
        assert!(analysis.best.is_some() && analysis.nodes < 10_000, "{analysis:?}");
    }

    #[test]
    fn equal_searches_give_equal_results() {
        let analyse = || {
            let analysis = engine().analyze(&board("h8 h9 i8"), &Limits::new().depth(5));
            let moves: Vec<_> = analysis.lines.into_iter().map(|line| line.moves).collect();
            (moves, analysis.score, analysis.nodes, analysis.depth)
        };
        assert_eq!(analyse(), analyse());
    }

    #[test]
    fn speed_is_in_nodes_per_second() {
        let mut lines = Vec::new();
        engine().analyze_live(&board("h8"), &Limits::new().nodes(2_000), |line| {
            lines.push(line.clone());
        });
        let mut line = lines.remove(0);
        (line.nodes, line.time) = (300, Duration::from_millis(2));
        assert_eq!(line.nodes_per_second(), 150_000);
        line.time = Duration::ZERO;
        assert_eq!(line.nodes_per_second(), 0);
    }
}
