//! Tuning the search by SPSA: simultaneous perturbation stochastic approximation (J. C. Spall,
//! 1992: Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient
//! Approximation).
//!
//! Every pair of games measures all values at once. One player perturbs each value up or down at
//! random, the other player in the opposite direction. They play both colours of one opening, and
//! the values move a little towards the winner. The schedule of perturbation and step sizes is
//! Spall's, with the constants of fishtest and OpenBench.
//!
//! Pair `n` depends only on the run's settings and on the results up to pair `n - LAG`, not on the
//! number of workers. So an interrupted run can be resumed, and leads to the same values as an
//! uninterrupted one.
//!
//! Tunables are global to a process, so each worker is a process. It sets the values of the side to
//! move before each search. The subcommand needs a build with the feature `tuning`, because other
//! builds cannot change tunables.
//!
//! | module | contents |
//! |---|---|
//! | `boards` | random choice of rules and board sizes |
//! | `settings` | settings that determine a run |
//! | `climb` | the values and their updates |
//! | `log` | the file of a run: settings and pairs |
//! | `players` | two engines with values of their own |
//! | `pair` | two games |
//! | `worker` | the process that plays pairs, and its client |
//! | `run` | the driver: workers, results in order, Ctrl-C |
//! | `progress` | progress output |
//! | `report` | the table of values |
//! | `plot` | the chart of values |
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
