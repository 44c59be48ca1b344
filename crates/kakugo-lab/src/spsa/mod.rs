//! Tuning the search by SPSA: simultaneous perturbation stochastic approximation (J. C. Spall, 1992:
//! Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation).
//!
//! Every pair of games tells a little about all values at once: two players whose values differ from
//! the present ones by a small change up or down, drawn for each of them, and by the opposite change,
//! play both colours of one opening. The values then go a little towards the winner. The schedule of
//! both lengths is Spall's, with the constants that fishtest and OpenBench use.
//!
//! What pair `n` plays depends on the run's settings and on the results of the pairs up to
//! `n - LAG` alone, whatever the number of workers. So an interrupted run goes on where it stopped,
//! and comes to what an uninterrupted run comes to.
//!
//! Tunables belong to the process, so each worker is a process: it sets the values of the side that
//! is to move before each of its searches. There is a subcommand only where tunables can be changed:
//! in builds with the feature `tuning`.
//!
//! | module | what |
//! |---|---|
//! | `boards` | which rules and sizes are played, by lot |
//! | `settings` | what determines a run |
//! | `climb` | the values and how results move them |
//! | `log` | the run's file: the settings and every pair |
//! | `players` | two engines, each with its own values |
//! | `pair` | two games |
//! | `worker` | the process that plays pairs: what it does, and how it is asked |
//! | `run` | the driver: workers, the file, Ctrl-C |
//! | `progress` | what is told meanwhile |
//! | `report` | what a run has come to |
//! | `plot` | the same as a picture |
//! | `command` | the subcommand |

mod boards;
mod climb;
mod command;
mod log;
mod pair;
mod players;
#[cfg(feature = "plots")]
mod plot;
mod progress;
mod report;
mod run;
mod settings;
mod worker;

pub use command::{SpsaArgs, run};
