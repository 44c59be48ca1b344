//! `Engine`: best moves and analyses.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use kakugo::{Level, Limits, Point, Score, StopHandle};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::background::{STACK_BYTES, receive, search};
use crate::board::Board;
use crate::convert::{Bounds, PointArgument, Whole, names};

/// Maximum number of threads, as for the program.
const MAX_THREADS: i64 = 1024;
/// Maximum transposition table in MB: 1 TB.
const MAX_HASH_MB: i64 = 1 << 20;

/// A search engine with its transposition table. Use one for a whole game.
#[pyclass(module = "kakugo", frozen)]
pub struct Engine {
    shared: Arc<Shared>,
}

/// An engine that a live analysis may use on a thread of its own.
struct Shared {
    engine: Mutex<kakugo::Engine>,
    /// Stops the live analysis that has the engine, if there is one.
    live: Mutex<Option<StopHandle>>,
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, Option<StopHandle>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the engine. Waits for a live analysis that was stopped, because it ends soon.
    fn lock(&self) -> PyResult<MutexGuard<'_, kakugo::Engine>> {
        let live = self.live();
        match self.engine.try_lock() {
            Ok(engine) => Ok(engine),
            // A search that panicked leaves a table that can still be used.
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if live.as_ref().is_some_and(StopHandle::is_stopped) => {
                drop(live);
                Ok(self.engine.lock().unwrap_or_else(PoisonError::into_inner))
            }
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
                "the engine is searching: stop its live analysis, or use another engine",
            )),
        }
    }

    /// Runs a live analysis. Calls `started` once it has the engine, or with the error if it cannot
    /// have it.
    fn analyze_live(
        &self,
        board: &kakugo::Board,
        limits: &Limits,
        stop: StopHandle,
        started: impl FnOnce(PyResult<()>),
        progress: impl FnMut(&kakugo::Line),
    ) {
        let mut engine = match self.lock() {
            Ok(engine) => engine,
            Err(error) => return started(Err(error)),
        };
        *self.live() = Some(stop);
        started(Ok(()));
        engine.analyze_live(board, limits, progress);
        // Whoever sees that there is no live analysis can have the engine.
        let mut live = self.live();
        drop(engine);
        *live = None;
    }
}

/// Returns the points that a search is restricted to, or that it excludes.
fn points(
    board: &kakugo::Board,
    arguments: Option<Vec<PointArgument>>,
) -> PyResult<Option<Vec<Point>>> {
    let points = |points: Vec<PointArgument>| points.iter().map(|p| p.on(board)).collect();
    arguments.map(points).transpose()
}

/// Returns the limits of an analysis.
fn of_lines(
    limits: Limits,
    board: &kakugo::Board,
    lines: Whole,
    only: Option<Vec<PointArgument>>,
    without: Option<Vec<PointArgument>>,
) -> PyResult<Limits> {
    let mut limits = limits.lines(lines.within("lines", 1..=i64::MAX)?);
    if let Some(only) = points(board, only)? {
        limits = limits.only(only);
    }
    if let Some(without) = points(board, without)? {
        limits = limits.without(without);
    }
    Ok(limits)
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (hash_mb=Whole(64), threads=Whole(1)),
        text_signature = "(hash_mb=64, threads=1)")]
    fn new(hash_mb: Whole, threads: Whole) -> PyResult<Engine> {
        let hash_mb: usize = hash_mb.within("hash_mb", 1..=MAX_HASH_MB)?;
        let threads = threads.within("threads", 1..=MAX_THREADS)?;
        let mut engine = kakugo::Engine::new(hash_mb << 20);
        engine.set_threads(threads);
        Ok(Engine {
            shared: Arc::new(Shared { engine: Mutex::new(engine), live: Mutex::default() }),
        })
    }

    /// The best move within the limits (seconds, nodes, plies): one is needed, except for levels
    /// 1 to 9. ``None`` if the game is over. Levels 1 to 10 are strengths from beginner to full.
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, level=None))]
    fn best_move(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        level: Option<Whole>,
    ) -> PyResult<Option<String>> {
        let strongest = Level::ALL.len();
        let levels = 1..=strongest as i64;
        let number = level.map_or(Ok(strongest), |level| level.within("level", levels))?;
        let level = Level::of(number).unwrap_or_default();
        let bounds = Bounds { time, nodes, depth };
        // Only the strongest level searches until a limit ends it.
        let limits = if number == strongest { bounds.finite_limits()? } else { bounds.limits()? };
        let (stop, board) = (StopHandle::new(), Board::copied(board)?);
        let limits = limits.stop(&stop);
        let best = search(py, &stop, || -> PyResult<_> {
            Ok(self.shared.lock()?.best_move_at_level(&board, &limits, level))
        })??;
        Ok(best.map(|p| board.name(p)))
    }

    /// Searches for the best lines, among ``only`` these first moves, or ``without`` those.
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, lines=Whole(1), only=None,
        without=None), text_signature = "($self, board, time=None, nodes=None, depth=None, \
            lines=1, only=None, without=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn analyze(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        lines: Whole,
        only: Option<Vec<PointArgument>>,
        without: Option<Vec<PointArgument>>,
    ) -> PyResult<Analysis> {
        let (stop, board) = (StopHandle::new(), Board::copied(board)?);
        let limits = Bounds { time, nodes, depth }.finite_limits()?.stop(&stop);
        let limits = of_lines(limits, &board, lines, only, without)?;
        let analysis = search(py, &stop, || -> PyResult<_> {
            Ok(self.shared.lock()?.analyze(&board, &limits))
        })??;
        Ok(Analysis::of(&board, analysis))
    }

    /// Searches in the background and passes on each line as it is found. Without limits, until
    /// it is stopped. The engine can do nothing else meanwhile (``RuntimeError``).
    #[pyo3(signature = (board, time=None, nodes=None, depth=None, lines=Whole(1), only=None,
        without=None), text_signature = "($self, board, time=None, nodes=None, depth=None, \
            lines=1, only=None, without=None)")]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn analyze_live(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        time: Option<f64>,
        nodes: Option<Whole>,
        depth: Option<Whole>,
        lines: Whole,
        only: Option<Vec<PointArgument>>,
        without: Option<Vec<PointArgument>>,
    ) -> PyResult<LiveAnalysis> {
        let (stop, board) = (StopHandle::new(), Board::copied(board)?);
        let limits = Bounds { time, nodes, depth }.limits()?.stop(&stop);
        let limits = of_lines(limits, &board, lines, only, without)?;
        let (sender, receiver) = channel();
        let (starting, started) = channel();
        let (shared, handle) = (Arc::clone(&self.shared), stop.clone());
        let work = move || {
            // The receivers may be gone: then the search is stopped.
            let started = |result| drop(starting.send(result));
            let progress = |line: &kakugo::Line| drop(sender.send(Line::of(&board, line)));
            shared.analyze_live(&board, &limits, handle, started, progress);
        };
        let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
        spawned.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let result = py.detach(move || started.recv());
        result.map_err(|error| PyRuntimeError::new_err(error.to_string()))??;
        Ok(LiveAnalysis { receiver: Mutex::new(receiver), stop })
    }

    /// Clears the transposition table and the histories.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            self.shared.lock()?.clear();
            Ok(())
        })
    }
}

/// The result of an analysis, for the side to move.
#[pyclass(module = "kakugo", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
pub struct Analysis {
    /// The best move; ``None`` if the game is over or no move is allowed.
    best: Option<String>,
    /// The evaluation, as in `Line`.
    score: i32,
    /// Plies to the five, as in `Line`; 0 if the game is over and somebody has won.
    mate: Option<i32>,
    /// The expected result, 0 to 1.
    win_rate: f64,
    /// Depth of the last finished iteration, in plies.
    depth: u32,
    /// Nodes searched.
    nodes: u64,
    /// The best lines, best first.
    lines: Vec<Line>,
}

/// The arguments of an analysis, for `__reduce__`.
type AnalysisFields = (Option<String>, i32, Option<i32>, f64, u32, u64, Vec<Line>);

impl Analysis {
    fn of(board: &kakugo::Board, analysis: kakugo::Analysis) -> Analysis {
        let score = analysis.score;
        Analysis {
            best: analysis.best.map(|p| board.name(p)),
            score: score.value(),
            mate: score.mate(),
            win_rate: score.win_rate(),
            depth: analysis.depth,
            nodes: analysis.nodes,
            lines: analysis.lines.iter().map(|line| Line::of(board, line)).collect(),
        }
    }
}

#[pymethods]
impl Analysis {
    #[new]
    fn new(
        best: Option<String>,
        score: i32,
        mate: Option<i32>,
        win_rate: f64,
        depth: u32,
        nodes: u64,
        lines: Vec<Line>,
    ) -> Analysis {
        Analysis { best, score, mate, win_rate, depth, nodes, lines }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, AnalysisFields) {
        let Analysis { best, score, mate, win_rate, depth, nodes, lines } = this.get().clone();
        (this.get_type(), (best, score, mate, win_rate, depth, nodes, lines))
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("no move");
        let score = Score::from_value(self.score);
        format!("<kakugo.Analysis {best} {score}, depth {}>", self.depth)
    }
}

/// A line of play. Scores are from the point of view of the side to move.
#[pyclass(module = "kakugo", frozen, get_all, eq)]
#[derive(Clone, PartialEq)]
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
    mate: Option<i32>,
    /// The expected result, 0 to 1: 0 and 1 only if a loss or win is forced.
    win_rate: f64,
    /// Nodes searched so far.
    nodes: u64,
    /// Seconds since the search began.
    time: f64,
    /// The expected moves of both sides, starting with the side to move.
    moves: Vec<String>,
}

/// The arguments of a line, for `__reduce__`.
type LineFields = (usize, u32, u32, i32, Option<i32>, f64, u64, f64, Vec<String>);

impl Line {
    fn of(board: &kakugo::Board, line: &kakugo::Line) -> Line {
        Line {
            rank: line.rank,
            depth: line.depth,
            selective_depth: line.selective_depth,
            score: line.score.value(),
            mate: line.score.mate(),
            win_rate: line.score.win_rate(),
            nodes: line.nodes,
            time: line.time.as_secs_f64(),
            moves: names(board, &line.moves),
        }
    }
}

#[pymethods]
impl Line {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        rank: usize,
        depth: u32,
        selective_depth: u32,
        score: i32,
        mate: Option<i32>,
        win_rate: f64,
        nodes: u64,
        time: f64,
        moves: Vec<String>,
    ) -> Line {
        Line { rank, depth, selective_depth, score, mate, win_rate, nodes, time, moves }
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, LineFields) {
        let Line { rank, depth, selective_depth, score, mate, win_rate, nodes, time, moves } =
            this.get().clone();
        let fields = (rank, depth, selective_depth, score, mate, win_rate, nodes, time, moves);
        (this.get_type(), fields)
    }

    fn __repr__(&self) -> String {
        let score = Score::from_value(self.score);
        format!(
            "<kakugo.Line {}. {score}, depth {}: {}>",
            self.rank,
            self.depth,
            self.moves.join(" ")
        )
    }
}

/// An analysis under way: iterate over its lines. Leaving a ``with`` block stops it.
#[pyclass(module = "kakugo", frozen)]
pub struct LiveAnalysis {
    receiver: Mutex<Receiver<Line>>,
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
                Ok(line) => return Ok(Some(line)),
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
