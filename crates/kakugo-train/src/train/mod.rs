//! Training of the value network ([`kakugo::eval::network`]) on self-play games.
//!
//! The network is fitted to the scores of the search and the results of the games, by stochastic
//! gradient descent in floating point. At the end it is quantised to integers. The result depends
//! only on games, settings and seed, not on the number of threads or on interruptions.
//!
//! | module | contents |
//! |---|---|
//! | `settings` | settings that determine a run |
//! | `nats` | conversion of scores to expected results |
//! | `games` | training and held-out games |
//! | `samples` | features and targets of positions |
//! | `draw` | independent random streams |
//! | `feed` | batches of shuffled samples |
//! | `model` | the network's weights in floating point |
//! | `gradient` | forward and backward pass |
//! | `adam` | parameters with the state of Adam |
//! | `learner` | all parameters of a section, and their steps |
//! | `course` | the training schedule of a section |
//! | `checkpoint` | the checkpoint file |
//! | `quantise` | conversion to and from the engine's integers |
//! | `linear_baseline` | a linear model of the same games, for comparison |
//! | `report` | prediction quality on held-out games |
//! | `curve` | loss curves as CSV and SVG |
//! | `progress` | progress output |
//! | `run` | training of all sections, checkpoints, the network file |
//! | `command` | the subcommand |
//! | `random` | random games for tests |

mod adam;
mod checkpoint;
mod command;
mod course;
mod curve;
mod draw;
mod feed;
mod games;
mod gradient;
mod learner;
mod linear_baseline;
mod model;
mod nats;
mod progress;
mod quantise;
#[cfg(test)]
mod random;
mod report;
mod run;
mod samples;
mod settings;

pub use command::{TrainArgs, run};
