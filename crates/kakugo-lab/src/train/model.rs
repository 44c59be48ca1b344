//! The network in floating point, as it is used.
//!
//! ```text
//! cell   = clamp(Own[own code] + Other[opponent's code]
//!                + sum of Lines[line's code])                       per free point
//! r      = min(sum of cells / 4, most)                             per region
//! h0     = clamp(B0 + W0 r)                                        per region
//! x      = min(sum of r / 4, most), then min(sum of h0 / 4, most)
//! h1     = clamp(B1 + W1 x + M1 threats)
//! h2     = clamp(B2 + W2 h1)
//! logit  = b3 + W3 h2 + T[threats] + factor * classical
//! ```
//!
//! All limits are those of the integers that the engine computes with. What the engine stores by
//! output is stored by input here, so that every product adds a multiple of one row to another.

use kakugo::eval::network;
use kakugo::pattern::code::CODES;
use kakugo::pattern::line_code::LINE_CODES;
use kakugo::pattern::threat::MASKS;

pub(super) use network::{CHANNELS, HIDDEN, INPUTS, REGIONS};

/// The channels of a cell or of a sum of cells.
pub(super) type Row = [f32; CHANNELS];
/// The numbers of a layer.
pub(super) type Layer = [f32; HIDDEN];

/// Bits of a mask of threats.
pub(super) const BITS: usize = network::MASK_BITS;

/// What the engine calls one.
const ONE: f32 = 256.0;
/// Largest value of a cell.
pub(super) const CELL_MOST: f32 = network::CELL_MOST as f32 / ONE;
/// Largest value of an input or neuron.
pub(super) const NEURON_MOST: f32 = network::ACTIVATION_MOST as f32 / ONE;
/// Sums of cells, and of what regions come to, are divided by this.
pub(super) const POOL: f32 = (1 << network::INPUT_SHIFT) as f32;
/// Largest number of a row of a code.
pub(super) const ROW_MOST: f32 = network::ROW_MOST as f32 / ONE;
/// Largest number of a row of a line.
pub(super) const LINE_MOST: f32 = network::LINE_MOST as f32 / ONE;
/// Largest weight of a layer; as many of them as it has inputs, and its biases, leave the integers
/// room.
pub(super) const WEIGHT_MOST: f32 = 2047.0 / ONE;
/// Largest bias, weight of a threat, and weight of the last layer.
pub(super) const BIAS_MOST: f32 = 31.0;

/// Where the rows of [`Weights::head`] are: of the layer of the regions by channel, and its biases; of
/// the first layer by channel, then by neuron of the regions, by bit of the mask, and its biases; of
/// the second layer by neuron of the first, and its biases; of the last layer; and [`LAST`].
pub(super) const W0: usize = 0;
pub(super) const B0: usize = W0 + CHANNELS;
pub(super) const W1: usize = B0 + 1;
pub(super) const M1: usize = W1 + INPUTS;
pub(super) const B1: usize = M1 + BITS;
pub(super) const W2: usize = B1 + 1;
pub(super) const B2: usize = W2 + HIDDEN;
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
    /// By code of a line.
    pub(super) lines: Vec<Row>,
    /// The layers.
    pub(super) head: Vec<Layer>,
    /// By mask.
    pub(super) threat: Vec<f32>,
    /// The weights of the layers by output.
    pub(super) turned: Turned,
}

/// Weights by output, which gradients come back through.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Turned {
    /// Of the layer of the regions.
    pub(super) local: [Row; HIDDEN],
    /// Of the first layer.
    pub(super) first: [[f32; INPUTS]; HIDDEN],
    /// Of the second.
    pub(super) second: [Layer; HIDDEN],
}

impl Weights {
    /// All zero.
    pub(super) fn zero() -> Weights {
        let rows = || vec![[0.0; CHANNELS]; CODES];
        Weights {
            rows: [rows(), rows()],
            lines: vec![[0.0; CHANNELS]; LINE_CODES],
            head: vec![[0.0; HIDDEN]; HEAD],
            threat: vec![0.0; MASKS],
            turned: Turned {
                local: [[0.0; CHANNELS]; HIDDEN],
                first: [[0.0; INPUTS]; HIDDEN],
                second: [[0.0; HIDDEN]; HIDDEN],
            },
        }
    }

    /// Bring [`Weights::turned`] up to date.
    pub(super) fn turn(&mut self) {
        let Weights { head, turned, .. } = self;
        turn(&head[W0..], &mut turned.local);
        turn(&head[W1..], &mut turned.first);
        turn(&head[W2..], &mut turned.second);
    }
}

/// Rows by input, as many as there are, to rows by output.
fn turn<const N: usize>(by_input: &[Layer], by_output: &mut [[f32; N]; HIDDEN]) {
    for (i, row) in by_input.iter().take(N).enumerate() {
        for (turned, &weight) in by_output.iter_mut().zip(row) {
            turned[i] = weight;
        }
    }
}
