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
