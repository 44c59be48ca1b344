//! `solve`: forced wins.

use kakugo::{StopHandle, WinKind};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::background::search;
use crate::board::Board;
use crate::convert::{Bounds, Whole, names};

/// A forced win of the side to move, proven against every defence.
#[pyclass(module = "kakugo", frozen, get_all, eq)]
#[derive(Clone, PartialEq, Eq)]
pub struct ForcedWin {
    /// Continuous fours (VCF), or fours and open threes (VCT).
    kind: String,
    /// The moves of both sides. The loser plays one of the defences that last longest.
    moves: Vec<String>,
    /// True if the line ends with the five.
    is_complete: bool,
}

#[pymethods]
impl ForcedWin {
    #[new]
    fn new(kind: String, moves: Vec<String>, is_complete: bool) -> ForcedWin {
        ForcedWin { kind, moves, is_complete }
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> (Bound<'py, PyType>, (String, Vec<String>, bool)) {
        let ForcedWin { kind, moves, is_complete } = this.get().clone();
        (this.get_type(), (kind, moves, is_complete))
    }

    fn __repr__(&self) -> String {
        format!("<kakugo.ForcedWin by {}: {}>", self.kind, self.moves.join(" "))
    }
}

/// Searches for a forced win by fours, then by fours and open threes. Without limits, it ends
/// after 200,000 nodes. ``None`` means that none was found, not that there is none.
#[pyfunction]
#[pyo3(signature = (board, time=None, nodes=None))]
pub fn solve(
    py: Python<'_>,
    board: &Bound<'_, Board>,
    time: Option<f64>,
    nodes: Option<Whole>,
) -> PyResult<Option<ForcedWin>> {
    let stop = StopHandle::new();
    let limits = Bounds { time, nodes, depth: None }.limits()?.stop(&stop);
    let board = Board::copied(board)?;
    let win = search(py, &stop, || kakugo::solve(&board, &limits))?;
    Ok(win.map(|win| ForcedWin {
        kind: match win.kind {
            WinKind::Fours => "fours".to_owned(),
            _ => "threats".to_owned(),
        },
        moves: names(&board, &win.line),
        is_complete: win.is_complete,
    }))
}
