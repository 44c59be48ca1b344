//! The network in floating point, as it is used.
//!
//! ```text
//! cell   = clamp(Own[own code] + Other[opponent's code])           per free point
//! x      = min(sum of cells / 16, most)
//! h1     = clamp(B1 + W1 x + M1 threats)
//! h2     = clamp(B2 + W2 h1)
//! logit  = b3 + W3 h2 + T[threats] + factor * classical
//! ```
//!
//! All limits are those of the integers that the engine computes with. What the engine stores by
//! output is stored by input here, so that every product adds a multiple of one row to another.

use crate::eval::network;
use crate::pattern::code::CODES;
use crate::pattern::threat::MASKS;

/// Channels of a cell, and neurons of either hidden layer.
pub(super) const WIDTH: usize = network::CHANNELS;
const _: () = assert!(network::HIDDEN == WIDTH);
/// Numbers that are used together.
pub(super) type Row = [f32; WIDTH];

/// Bits of a mask of threats.
pub(super) const BITS: usize = network::MASK_BITS;

/// What the engine calls one.
const ONE: f32 = 256.0;
/// Largest value of a cell.
pub(super) const CELL_MOST: f32 = network::CELL_MOST as f32 / ONE;
/// Largest value of an input or neuron.
pub(super) const NEURON_MOST: f32 = network::ACTIVATION_MOST as f32 / ONE;
/// Sums of cells are divided by this.
pub(super) const POOL: f32 = (1 << network::INPUT_SHIFT) as f32;
/// Largest number of a row of a code.
pub(super) const ROW_MOST: f32 = network::ROW_MOST as f32 / ONE;
/// Largest weight of a layer; 32 of them and their biases leave the integers room.
pub(super) const WEIGHT_MOST: f32 = 2047.0 / ONE;
/// Largest bias, weight of a threat, and weight of the last layer.
pub(super) const BIAS_MOST: f32 = 31.0;

/// Where the rows of [`Weights::head`] are: of the first layer by channel, by bit of the mask, and its
/// biases; of the second layer by neuron of the first, and its biases; of the last layer; and
/// [`LAST`].
pub(super) const W1: usize = 0;
pub(super) const M1: usize = W1 + WIDTH;
pub(super) const B1: usize = M1 + BITS;
pub(super) const W2: usize = B1 + 1;
pub(super) const B2: usize = W2 + WIDTH;
pub(super) const W3: usize = B2 + 1;
/// The last bias, then the factor of the classical value.
pub(super) const LAST: usize = W3 + 1;
/// Number of rows of [`Weights::head`].
pub(super) const HEAD: usize = LAST + 1;

/// The numbers of one section.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    /// By code for the side to move, and by code for the opponent.
    pub(super) rows: [Vec<Row>; 2],
    /// The layers.
    pub(super) head: Vec<Row>,
    /// By mask.
    pub(super) threat: Vec<f32>,
    /// The weights of the first and the second layer by output.
    pub(super) turned: [Vec<Row>; 2],
}

impl Weights {
    /// All zero.
    pub(super) fn zero() -> Weights {
        let rows = |n| vec![[0.0; WIDTH]; n];
        Weights {
            rows: [rows(CODES), rows(CODES)],
            head: rows(HEAD),
            threat: vec![0.0; MASKS],
            turned: [rows(WIDTH), rows(WIDTH)],
        }
    }

    /// Bring [`Weights::turned`] up to date.
    pub(super) fn turn(&mut self) {
        for (turned, first) in self.turned.iter_mut().zip([W1, W2]) {
            for (i, row) in self.head[first..first + WIDTH].iter().enumerate() {
                for (turned, &weight) in turned.iter_mut().zip(row) {
                    turned[i] = weight;
                }
            }
        }
    }
}
