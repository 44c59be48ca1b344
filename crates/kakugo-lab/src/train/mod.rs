//! Training of the value network ([`kakugo::eval::network`]) on games of the engine against itself.
//!
//! The network is fitted to what the search thought and how the games ended, by stochastic gradient
//! descent in floating point, and rounded to integers in the end. What comes out depends on the
//! games, the settings and the seed alone, not on the number of threads or on interruptions.
//!
//! | module | what |
//! |---|---|
//! | `settings` | what determines a run |
//! | `nats` | what scores say of results |
//! | `games` | games to learn from and games to check with |
//! | `samples` | positions as the network sees them, points that look alike being one, and what it should say |
//! | `draw` | what is drawn at random |
//! | `feed` | the samples in the order in which they are learnt |
//! | `model` | the network's numbers |
//! | `gradient` | its value, and how the loss depends on each number |
//! | `adam` | numbers that learn |
//! | `learner` | all numbers of a section while they learn, from batches |
//! | `course` | the way of a section through its samples |
//! | `checkpoint` | a run as bytes |
//! | `quantise` | the integers of the engine |
//! | `refit` | the classical value fitted to the same games |
//! | `report` | how well a network predicts |
//! | `curve` | how the losses fall |
//! | `progress` | what is told meanwhile |
//! | `run` | sections one after another, checkpoints, the network |
//! | `command` | the subcommand |
//! | `random` | games to test with |

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
mod model;
mod nats;
mod progress;
mod quantise;
#[cfg(test)]
mod random;
mod refit;
mod report;
mod run;
mod samples;
mod settings;

pub use command::{TrainArgs, run};
