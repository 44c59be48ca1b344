//! The network's weights in floating point.
//!
//! ```text
//! cell   = clamp(Own[own code] + Other[opponent's code]
//!                + sum of Lines[line's code])                       per empty point
//! r      = min(sum of cells / 4, most)                             per region
//! h0     = clamp(B0 + W0 r)                                        per region
//! x      = min(sum of r / 4, most), then min(sum of h0 / 4, most)
//! h1     = clamp(B1 + W1 x + M1 threats)
//! h2     = clamp(B2 + W2 h1)
//! logit  = b3 + W3 h2 + T[threats] + factor * classical
//! ```
//!
//! All limits are those of the engine's integers. The engine stores weights by output. Here they
//! are stored by input, so that every product adds a multiple of one row to another.

use kakugo::eval::network;
use kakugo::pattern::code::CODES;
use kakugo::pattern::line_code::LINE_CODES;
use kakugo::pattern::threat::MASKS;

pub(super) use network::{CHANNELS, HIDDEN, INPUTS, REGIONS};

/// The channels of a cell or of a sum of cells.
pub(super) type Row = [f32; CHANNELS];
/// The values of a layer.
pub(super) type Layer = [f32; HIDDEN];

/// Number of bits of a threat mask.
pub(super) const BITS: usize = network::MASK_BITS;

/// The engine's integer that represents 1.0.
const ONE: f32 = 256.0;
/// Maximum value of a cell.
pub(super) const CELL_MAX: f32 = network::CELL_MAX as f32 / ONE;
/// Maximum value of an input or neuron.
pub(super) const NEURON_MOST: f32 = network::ACTIVATION_MAX as f32 / ONE;
/// Divisor of the sums of cells and of regions.
pub(super) const POOL: f32 = (1 << network::INPUT_SHIFT) as f32;
/// Maximum absolute value in a row of a code.
pub(super) const ROW_MAX: f32 = network::ROW_MAX as f32 / ONE;
/// Maximum absolute value in a row of a line.
pub(super) const LINE_MAX: f32 = network::LINE_MAX as f32 / ONE;
/// Maximum absolute weight of a layer. The engine's integers cannot overflow with it.
pub(super) const WEIGHT_MOST: f32 = 2047.0 / ONE;
/// Maximum absolute bias, weight of a threat, and weight of the last layer.
pub(super) const BIAS_MOST: f32 = 31.0;

/// Offsets of the rows of [`Weights::head`]. The layer of regions: by channel, then biases. The
/// first layer: by channel, by neuron of the regions, by bit of the mask, then biases. The second
/// layer: by neuron of the first, then biases. The last layer, and [`LAST`].
pub(super) const W0: usize = 0;
pub(super) const B0: usize = W0 + CHANNELS;
pub(super) const W1: usize = B0 + 1;
pub(super) const M1: usize = W1 + INPUTS;
pub(super) const B1: usize = M1 + BITS;
pub(super) const W2: usize = B1 + 1;
pub(super) const B2: usize = W2 + HIDDEN;
pub(super) const W3: usize = B2 + 1;
/// The last bias, then the factor of the classical evaluation.
pub(super) const LAST: usize = W3 + 1;
/// Number of rows of [`Weights::head`].
pub(super) const HEAD: usize = LAST + 1;

/// The weights of one section.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weights {
    /// Rows by code for the side to move, and by code for the opponent.
    pub(super) rows: [Vec<Row>; 2],
    /// Rows by code of a line.
    pub(super) lines: Vec<Row>,
    /// All layers.
    pub(super) head: Vec<Layer>,
    /// Biases by threat mask.
    pub(super) threat: Vec<f32>,
    /// The layers' weights by output.
    pub(super) transposed: Transposed,
}

/// Weights by output, for backpropagation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Transposed {
    /// The layer of the regions.
    pub(super) local: [Row; HIDDEN],
    /// The first layer.
    pub(super) first: [[f32; INPUTS]; HIDDEN],
    /// The second layer.
    pub(super) second: [Layer; HIDDEN],
}

impl Weights {
    /// Returns weights that are all zero.
    pub(super) fn zero() -> Weights {
        let rows = || vec![[0.0; CHANNELS]; CODES];
        Weights {
            rows: [rows(), rows()],
            lines: vec![[0.0; CHANNELS]; LINE_CODES],
            head: vec![[0.0; HIDDEN]; HEAD],
            threat: vec![0.0; MASKS],
            transposed: Transposed {
                local: [[0.0; CHANNELS]; HIDDEN],
                first: [[0.0; INPUTS]; HIDDEN],
                second: [[0.0; HIDDEN]; HIDDEN],
            },
        }
    }

    /// Updates [`Weights::transposed`].
    pub(super) fn transpose(&mut self) {
        let Weights { head, transposed, .. } = self;
        transpose(&head[W0..], &mut transposed.local);
        transpose(&head[W1..], &mut transposed.first);
        transpose(&head[W2..], &mut transposed.second);
    }
}

/// Converts rows by input to rows by output.
fn transpose<const N: usize>(by_input: &[Layer], by_output: &mut [[f32; N]; HIDDEN]) {
    for (i, row) in by_input.iter().take(N).enumerate() {
        for (output, &weight) in by_output.iter_mut().zip(row) {
            output[i] = weight;
        }
    }
}
