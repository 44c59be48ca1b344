//! Problems from self-play games: the built-in pack of [`kakugo_record::problems`].
//!
//! Players of various levels play games, so that positions are natural and one side has made a
//! mistake. A quick look finds positions with a task. Then all first moves are judged:
//!
//! - Moves that win are proven by a search for the shortest win by fours and threes
//!   ([`kakugo_record::analysis::shortest`]).
//! - Moves that lose in a defence are proven one by one, by the engine's solvers or its search.
//! - Other moves cannot be proven. A long search must find that they do not win, or that they hold,
//!   with a clear score. Otherwise the position is rejected.
//!
//! Game `n` of a run and its problems depend only on the seed, on `n` and on the problems of the
//! games before. So an interrupted run can be resumed, and its file will be identical to that of an
//! uninterrupted run. The pack is chosen from this file.
//!
//! | module | contents |
//! |---|---|
//! | `game` | a game between players of two levels |
//! | `judge` | which first moves win, lose or hold |
//! | `grade` | the problem of a position |
//! | `kind` | kinds of problems, and how many of each are needed |
//! | `pattern` | what a problem is about, to recognise near duplicates |
//! | `file` | the file of a run |
//! | `run` | a run |
//! | `choose` | the pack: one right move and few stones first |
//! | `command` | the subcommand |

mod choose;
mod command;
mod file;
mod game;
mod grade;
mod judge;
mod kind;
mod pattern;
mod run;

pub use command::{ProblemsArgs, run};
