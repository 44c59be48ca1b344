//! Limits as a chain of methods.

use std::time::Duration;

use crate::board::Point;
use crate::search::{Limits, StopHandle};

impl Limits {
    /// Returns limits without any bound: set at least one of them, or a stop handle. A search
    /// without bounds ends only if it finds a forced win or loss, or reaches the maximum depth.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Limits the time of the search. The engine returns a little before the time is up.
    pub fn time(mut self, time: Duration) -> Limits {
        self.turn = Some(time);
        self
    }

    /// Sets the clock of a game: the time left for all remaining moves, and the time added after
    /// each own move. The engine decides how much of it the current move may take.
    pub fn clock(mut self, left: Duration, increment: Duration) -> Limits {
        self.left = Some(left);
        self.increment = increment;
        self
    }

    /// Limits the nodes of the search, of all threads together. With one thread and no limit of
    /// time, equal searches give equal results.
    pub fn nodes(mut self, nodes: u64) -> Limits {
        self.max_nodes = Some(nodes);
        self
    }

    /// Limits the depth of the search, in plies (moves of either side).
    pub fn depth(mut self, plies: u32) -> Limits {
        self.max_depth = Some(plies);
        self
    }

    /// Requests this number of best lines, at least 1. More lines make the search slower. They are
    /// searched even if the first is a proven win.
    pub fn lines(mut self, lines: usize) -> Limits {
        self.multi_pv = lines.max(1);
        self
    }

    /// Searches exactly these first moves, whatever the engine thinks of them. Points that cannot
    /// be played are ignored. If all others are forbidden, the best move is one of these, a loss.
    ///
    /// ```
    /// use kakugo::{Board, Engine, Limits, Variant};
    ///
    /// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// board.play(board.parse_point("h8")?)?;
    /// let [near, far] = [board.parse_point("h9")?, board.parse_point("a1")?];
    /// let limits = Limits::new().nodes(2_000).lines(2).only([near, far]);
    /// let analysis = Engine::default().analyze(&board, &limits);
    /// assert_eq!((analysis.lines.len(), analysis.best), (2, Some(near)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn only(mut self, points: impl IntoIterator<Item = Point>) -> Limits {
        self.only = Some(points.into_iter().collect());
        self
    }

    /// Excludes these first moves. A win that begins with one of them is not reported. If no other
    /// point is empty, there is no best move.
    ///
    /// ```
    /// use kakugo::{Board, Engine, Limits, Variant};
    ///
    /// let board = Board::new(15, 15, Variant::FREESTYLE)?;
    /// let centre = board.parse_point("h8")?;
    /// let limits = Limits::new().depth(1).without([centre]);
    /// let best = Engine::default().best_move(&board, &limits).ok_or("no move")?;
    /// assert_ne!(best, centre);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without(mut self, points: impl IntoIterator<Item = Point>) -> Limits {
        self.without = self.without.union(&points.into_iter().collect());
        self
    }

    /// Ends the search if this handle is stopped. The search then returns the best result so far.
    pub fn stop(mut self, handle: &StopHandle) -> Limits {
        self.stop = Some(handle.clone());
        self
    }
}
