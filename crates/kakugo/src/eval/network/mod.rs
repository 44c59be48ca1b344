//! A small neural network that evaluates positions.
//!
//! Its inputs are the shape codes of all empty points, as in the classical evaluation, and the
//! codes of the lines through them. It uses integers from the rows to the score.
//!
//! ```text
//! every empty point  own row [its code for the side to move] + other row [its code for the other]
//!                    + line row [its code] for each of the four lines through it
//!                    64 channels, each clamped to 0 .. 767
//! sum over points    of each region (thirds of either side), divided by 4, at most 8191    9 × 64
//! region layer       the same for all regions, clamped                                     9 × 32
//! sum over regions   of the sums and of the layer, divided by 4, at most 8191              96
//! first layer        and a row for each of 11 bits of the threat mask, clamped             32
//! second layer       clamped                                                               32
//! output             plus a number by the threat mask
//!                    plus the classical evaluation, times a factor                         1
//! ```
//!
//! Activations, rows and weights are in 256ths, biases and the output in 65536ths of a nat.
//! Rounding is done by integer shifts only, so every machine computes the same score.
//!
//! | module | contents |
//! |---|---|
//! | `model` | the numbers of a network and their bounds |
//! | `file` | the file format |
//! | `random` | random networks for tests |
//! | `regions` | the regions of the board |
//! | `reference` | the definition of the evaluation, step by step as above |
//! | `tables` | the numbers, arranged for the [kernels](super::kernel) |
//! | `embedded` | the networks inside the program |
//! | `networks` | the network of each rule |
//! | `accumulator` | incremental evaluation of one position |

mod accumulator;
mod embedded;
mod file;
mod model;
mod networks;
mod random;
pub mod reference;
mod regions;
mod tables;

pub use accumulator::Accumulator;
pub use embedded::{embedded, unpacked};
pub use file::NetworkError;
pub use model::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MAX, MASK_BITS, Network,
    OutOfBounds, REGIONS, ROW_MAX, Section, WEIGHT_SHIFT,
};
pub use networks::Networks;
pub use random::random;
pub use regions::{MAX_SIDE, Regions};
pub use tables::NetworkTables;
