//! `Engine`: best moves and analyses.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;

use kakugo::{Level, Point, Score, StopHandle};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::background::{STACK_BYTES, receive, search};
use crate::board::Board;
use crate::convert::{Bounds, PointArgument, invalid, names};

/// A search engine with its transposition table. Use one for a whole game.
#[pyclass(module = "kakugo", frozen)]
pub struct Engine {
    engine: Arc<Mutex<kakugo::Engine>>,
}

fn lock(engine: &Mutex<kakugo::Engine>) -> PyResult<MutexGuard<'_, kakugo::Engine>> {
    match engine.try_lock() {
        Ok(engine) => Ok(engine),
        // A search that panicked leaves a table that can still be used.
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
            "the engine is searching: stop its live analysis, or use another engine",
        )),
    }
}

/// Returns the points that a search is restricted to, or that it excludes.
fn points(board: &Board, arguments: Option<Vec<PointArgument>>) -> PyResult<Option<Vec<Point>>> {
    let points = |points: Vec<PointArgument>| points.iter().map(|p| p.on(&board.board)).collect();
    arguments.map(points).transpose()
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (hash_mb=64, threads=1))]
    fn new(hash_mb: usize, threads: usize) -> PyResult<Engine> {
        if threads == 0 || hash_mb == 0 || hash_mb > 1 << 20 {
            return Err(invalid("hash_mb and threads must be at least 1"));
        }
        let mut engine = kakugo::Engine::new(hash_mb << 20);
        engine.set_threads(threads);
        Ok(Engine { engine: Arc::new(Mutex::new(engine)) })
    }

    /// The best move within the limits (seconds, nodes, plies): one is needed, except for levels
    /// 1 to 9. ``None`` if the game is over. Levels 1 to 10 are strengths from beginner to full.
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, level=None))]
    fn best_move(
        &self,
        py: Python<'_>,
        board: &Board,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        level: Option<usize>,
    ) -> PyResult<Option<String>> {
        let strongest = Level::ALL.len();
        let number = level.unwrap_or(strongest);
        let level = Level::of(number)
            .ok_or_else(|| invalid(format!("invalid level {number}: expected 1 to {strongest}")))?;
        let bounds = Bounds { time, nodes, depth };
        // Only the strongest level searches until a limit ends it.
        let limits = if number == strongest { bounds.finite_limits()? } else { bounds.limits()? };
        let stop = StopHandle::new();
        let (limits, board, engine) = (limits.stop(&stop), &board.board, &self.engine);
        let best = search(py, &stop, || -> PyResult<_> {
            Ok(lock(engine)?.best_move_at_level(board, &limits, level))
        })??;
        Ok(best.map(|p| board.name(p)))
    }

    /// Searches for the best lines, among ``only`` these first moves, or ``without`` those.
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, lines=1, only=None, without=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn analyze(
        &self,
        py: Python<'_>,
        board: &Board,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        lines: usize,
        only: Option<Vec<PointArgument>>,
        without: Option<Vec<PointArgument>>,
    ) -> PyResult<Analysis> {
        let mut limits = Bounds { time, nodes, depth }.finite_limits()?.lines(lines.max(1));
        if let Some(only) = points(board, only)? {
            limits = limits.only(only);
        }
        if let Some(without) = points(board, without)? {
            limits = limits.without(without);
        }
        let stop = StopHandle::new();
        let (limits, board, engine) = (limits.stop(&stop), &board.board, &self.engine);
        let analysis =
            search(py, &stop, || -> PyResult<_> { Ok(lock(engine)?.analyze(board, &limits)) })??;
        Ok(Analysis::new(board, analysis))
    }

    /// Searches in the background and passes on each line as it is found. Without limits, until
    /// it is stopped. The engine can do nothing else meanwhile (``RuntimeError``).
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, lines=1))]
    fn analyze_live(
        &self,
        board: &Board,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        lines: usize,
    ) -> PyResult<LiveAnalysis> {
        let stop = StopHandle::new();
        let limits = Bounds { time, nodes, depth }.limits()?.lines(lines.max(1)).stop(&stop);
        drop(lock(&self.engine)?);
        let (sender, receiver) = channel();
        let (engine, board) = (Arc::clone(&self.engine), board.board.clone());
        let work = move || {
            let mut engine = match lock(&engine) {
                Ok(engine) => engine,
                Err(error) => return drop(sender.send(Err(error))),
            };
            engine.analyze_live(&board, &limits, |line| {
                // The iterator may be gone: it has stopped the search.
                let _ = sender.send(Ok(Line::new(&board, line)));
            });
        };
        let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        Ok(LiveAnalysis { receiver: Mutex::new(receiver), stop })
    }

    /// Clears the transposition table and the histories.
    fn clear(&self) -> PyResult<()> {
        lock(&self.engine)?.clear();
        Ok(())
    }
}

/// The result of an analysis, for the side to move.
#[pyclass(module = "kakugo", frozen, get_all)]
pub struct Analysis {
    /// The best move; ``None`` if the game is over or no move is allowed.
    best: Option<String>,
    /// The evaluation, as in `Line`.
    score: i32,
    /// Plies to the five, as in `Line`.
    mate: Option<i64>,
    /// The expected result, 0 to 1.
    win_rate: f64,
    /// Depth of the last finished iteration, in plies.
    depth: u32,
    /// Nodes searched.
    nodes: u64,
    /// The best lines, best first.
    lines: Vec<Line>,
}

impl Analysis {
    fn new(board: &kakugo::Board, analysis: kakugo::Analysis) -> Analysis {
        let Score3 { score, mate, win_rate } = Score3::of(analysis.score);
        Analysis {
            best: analysis.best.map(|p| board.name(p)),
            score,
            mate,
            win_rate,
            depth: analysis.depth,
            nodes: analysis.nodes,
            lines: analysis.lines.iter().map(|line| Line::new(board, line)).collect(),
        }
    }
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("no move");
        let score = score_in_words(self.score, self.mate);
        format!("<kakugo.Analysis {best} {score}, depth {}>", self.depth)
    }
}

/// A line of play. Scores are from the point of view of the side to move.
#[pyclass(module = "kakugo", frozen, get_all)]
#[derive(Clone)]
pub struct Line {
    /// The rank among the lines of its depth, from 1.
    rank: usize,
    /// Depth in plies (moves of either side).
    depth: u32,
    /// Length of the longest path searched, in plies.
    selective_depth: u32,
    /// The evaluation: 200 units multiply the odds of winning by *e*.
    score: i32,
    /// Plies to the five of a forced win, negative for a loss; ``None`` if not decided.
    mate: Option<i64>,
    /// The expected result, 0 to 1.
    win_rate: f64,
    /// Nodes searched so far.
    nodes: u64,
    /// Seconds since the search began.
    time: f64,
    /// The expected moves of both sides, starting with the side to move.
    moves: Vec<String>,
}

impl Line {
    fn new(board: &kakugo::Board, line: &kakugo::Line) -> Line {
        let Score3 { score, mate, win_rate } = Score3::of(line.score);
        Line {
            rank: line.rank,
            depth: line.depth,
            selective_depth: line.selective_depth,
            score,
            mate,
            win_rate,
            nodes: line.nodes,
            time: line.time.as_secs_f64(),
            moves: names(board, &line.moves),
        }
    }
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let score = score_in_words(self.score, self.mate);
        format!(
            "<kakugo.Line {}. {score}, depth {}: {}>",
            self.rank,
            self.depth,
            self.moves.join(" ")
        )
    }
}

/// A score in three forms.
struct Score3 {
    score: i32,
    mate: Option<i64>,
    win_rate: f64,
}

impl Score3 {
    fn of(score: Score) -> Score3 {
        let win = score.plies_to_five().map(|plies| plies as i64);
        let loss = (-score).plies_to_five().map(|plies| -(plies as i64));
        let mate = if score.is_win() { win } else { loss.filter(|_| score.is_loss()) };
        let win_rate = f64::from(score.win_rate_permille()) / 1000.0;
        Score3 { score: score.value(), mate, win_rate }
    }
}

fn score_in_words(score: i32, mate: Option<i64>) -> String {
    match mate {
        Some(plies) if plies < 0 => format!("-M{}", -plies),
        Some(plies) => format!("+M{plies}"),
        None => score.to_string(),
    }
}

/// An analysis under way: iterate over its lines. Leaving a ``with`` block stops it.
#[pyclass(module = "kakugo", frozen)]
pub struct LiveAnalysis {
    receiver: Mutex<Receiver<PyResult<Line>>>,
    stop: StopHandle,
}

#[pymethods]
impl LiveAnalysis {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Line>> {
        loop {
            match receive(py, &self.receiver) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals().inspect_err(|_| self.stop.stop())?;
                }
            }
        }
    }

    /// Stops the search. The lines found so far can still be read.
    fn stop(&self) {
        self.stop.stop();
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _value: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.stop.stop();
        // Wait for the end of the search, so that the engine is free again.
        while self.__next__(py)?.is_some() {}
        Ok(())
    }
}

impl Drop for LiveAnalysis {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
