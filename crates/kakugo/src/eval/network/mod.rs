//! A network that values positions by the shapes at their free points, the classical evaluation's
//! inputs, and by the lines through them, with a non-linearity, in integers from the rows to the score.
//!
//! ```text
//! every free point   own row [its code for the side to move] + other row [its code for the other]
//!                    + row of the line [its code] for each of the four lines through it
//!                    64 channels, each clamped to 0 .. 767
//! sum over points    of each region (thirds of either side), divided by 4, at most 8191   9 × 64 numbers
//! layer of regions   the same for all, clamped                                            9 × 32 numbers
//! sum over regions   of the sums and of the layer, divided by 4, at most 8191             96 numbers
//! first layer        and a row for each of 11 bits of the threats' mask, clamped          32 numbers
//! second layer       clamped                                                              32 numbers
//! output             and a number by the threats' mask
//!                    and the classical value, times a factor                            1 score
//! ```
//!
//! Activations, rows and weights are in 256ths, biases and the output in 65536ths of a nat. Nothing is
//! rounded but by shifts of integers, so every machine gets the same score.
//!
//! | module | what |
//! |---|---|
//! | `model` | the numbers of a network and what bounds them |
//! | `file` | the same as bytes |
//! | `random` | networks to test with |
//! | `regions` | the parts of the board that are summed by themselves |
//! | `reference` | the value of a position, step by step as above |
//! | `tables` | the numbers laid out for the [kernels](super::kernel) |
//! | `embedded` | the networks that the program carries |
//! | `networks` | which network is used for which rule |
//! | `accumulator` | values of one position, move after move |

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
pub use embedded::embedded;
pub use file::NetworkError;
pub use model::{
    ACTIVATION_MOST, CELL_MOST, CHANNELS, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MOST, MASK_BITS,
    Network, OutOfBounds, REGIONS, ROW_MOST, Section, WEIGHT_SHIFT,
};
pub use networks::Networks;
pub use random::random;
pub use regions::{LONGEST_SIDE, Regions};
pub use tables::Tables;
