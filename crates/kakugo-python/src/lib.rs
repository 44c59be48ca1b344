//! Kakugo as a Python module: boards and rules, search, solver, and game records.
//!
//! | module | Python |
//! |---|---|
//! | `board` | `Board` |
//! | `engine` | `Engine`, `Analysis`, `Line`, `LiveAnalysis` |
//! | `solver` | `solve`, `ForcedWin` |
//! | `records` | `Game`, `read`, `load`, `write`, `save` |
//! | `pickle` | states of boards and games |
//! | `convert` | points, rules and limits from Python's values |
//! | `background` | searches without the global interpreter lock |
//!
//! `kakugo.pyi` holds the types and the documentation of every function.

mod background;
mod board;
mod convert;
mod engine;
mod pickle;
mod records;
mod solver;

use pyo3::prelude::*;

/// Gomoku and Renju: rules, a strong engine, a solver for forced wins, and game records.
///
/// Points are names such as ``"h8"`` (column letter, row number from the bottom), or pairs
/// ``(x, y)`` that count columns and rows from the top left corner, from 0. Results are names.
/// Sides are ``"black"`` and ``"white"``. Rules are ``"freestyle"``, ``"standard"`` (exactly five),
/// ``"renju"``, ``"caro"`` and ``"caro-overline"``.
///
/// >>> import kakugo
/// >>> board = kakugo.Board(15, rule="renju", moves="h8h9i9")
/// >>> engine = kakugo.Engine()
/// >>> board.play(engine.best_move(board, time=0.2))
///
/// Searches release the global interpreter lock, and Ctrl-C stops them. Invalid values raise
/// ``ValueError`` with the reason. Boards, games and results can be compared, copied and pickled.
#[pymodule(name = "kakugo")]
fn kakugo_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<board::Board>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Analysis>()?;
    module.add_class::<engine::Line>()?;
    module.add_class::<engine::LiveAnalysis>()?;
    module.add_class::<solver::ForcedWin>()?;
    module.add_class::<records::Game>()?;
    module.add_function(wrap_pyfunction!(solver::solve, module)?)?;
    module.add_function(wrap_pyfunction!(records::read, module)?)?;
    module.add_function(wrap_pyfunction!(records::load, module)?)?;
    module.add_function(wrap_pyfunction!(records::write, module)?)?;
    module.add_function(wrap_pyfunction!(records::save, module)?)?;
    Ok(())
}
