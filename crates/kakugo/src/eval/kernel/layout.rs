//! The numbers of a network, arranged for the kernels.
//!
//! A cell is the sum of two rows by shape code and four rows by line code, clamped at both ends.
//! Rows by shape code are stored with an offset. It is chosen so that the sum saturates at
//! `u16::MAX` where the cell is clamped at its maximum. After twice the offset is subtracted, the
//! sum saturates at 0 where the cell does. So two saturating instructions clamp a cell. Codes
//! without a row are stored so low that nothing remains of them, whatever the lines.
//!
//! ```text
//! own + other + lines   -2554 ........ 0 .......... 767 .... 2554
//! rows added            62214 ........ 64768 ...... 65535 .. 65535
//! minus the floor           0 ........ 0 .......... 767 ...... 767
//! no code                1540 .. 2556, minus the floor: 0
//! ```
//!
//! Weights of a layer are stored in pairs of inputs, because there are instructions that multiply
//! pairs and add the products.

/// Channels of a point, and of a region as their sum.
pub const CHANNELS: usize = 64;
/// Outputs of each layer.
pub const HIDDEN: usize = 32;
/// Inputs of the first layer: the channels pooled over all regions, and the pooled outputs of the
/// region layer.
pub const INPUTS: usize = CHANNELS + HIDDEN;
/// Regions of the board, each summed separately: thirds of either side.
pub const REGIONS: usize = 9;
/// Maximum number of points in a region: their sum fits a `u16`.
pub const REGION_CELLS_MAX: usize = (u16::MAX - HALF) as usize / CELL_MAX as usize;
/// Bits of a threat mask.
pub const MASK_BITS: usize = 11;
/// Maximum absolute value in a row, in 256ths.
pub const ROW_MAX: i16 = 1023;
/// Maximum absolute value in the row of a line, in 256ths.
pub const LINE_MAX: i8 = 127;
/// Maximum of a point's channel, in 256ths. The minimum is 0.
pub const CELL_MAX: i16 = 767;
/// Sums of a channel over a region are shifted right by this, and so are sums over the regions
/// before the first layer.
pub const INPUT_SHIFT: u32 = 2;
/// Initial value of a sum, so that the shift rounds to nearest.
pub const HALF: u16 = 1 << (INPUT_SHIFT - 1);
/// Maximum input of a layer, in 256ths. The minimum is 0.
pub const ACTIVATION_MAX: i16 = 8191;
/// Sums of a layer are shifted right by this.
pub const WEIGHT_SHIFT: u32 = 8;

/// Subtracted from the sum of two rows, each of which is offset by half of it.
pub(super) const FLOOR: u16 = u16::MAX - CELL_MAX as u16;

/// Sums over the regions saturate at `i16::MAX`, which becomes [`ACTIVATION_MAX`].
const _: () = assert!(i16::MAX >> INPUT_SHIFT == ACTIVATION_MAX);

/// Value of a row that does not exist: with the rows of four lines it lies between 0 and a sum of
/// which nothing remains.
const NOTHING: u16 = 1024;

const _: () = assert!(4 * LINE_MAX as u16 <= NOTHING && 2 * NOTHING + 4 * LINE_MAX as u16 <= FLOOR);

/// Rows of a table: a power of two, so that a mask replaces the bounds check.
const TABLE: usize = 4096;

/// The channels of one shape code, offset by half of [`FLOOR`]; [`NOTHING`] if the code does not
/// exist.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct CodeRow(pub(super) [u16; CHANNELS]);

/// Rows by shape code.
pub struct CodeRows(Box<[CodeRow; TABLE]>);

/// The channels of one line code.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct LineRow(pub(super) [i8; CHANNELS]);

/// Rows by line code.
pub struct LineRows(Box<[LineRow; TABLE]>);

/// The tables of rows that a cell is summed from.
#[derive(Clone, Copy)]
pub struct CellRows<'t> {
    /// By the shape codes of a point, one table for each.
    pub codes: [&'t CodeRows; 2],
    /// By the code of each line through the point.
    pub lines: &'t LineRows,
}

/// A change of one line through a point. Codes without rows, as of occupied points, count nothing.
#[derive(Clone, Copy, Debug)]
pub struct CellChange {
    /// Region of the point, below [`REGIONS`].
    pub region: u8,
    /// Shape codes before the change, one for each of two tables.
    pub before: [u16; 2],
    /// Shape codes after the change.
    pub after: [u16; 2],
    /// Codes of the three other lines.
    pub others: [u16; 3],
    /// Code of the line before and after the change.
    pub line: [u16; 2],
}

impl CellChange {
    /// Returns the reverse change.
    #[must_use]
    pub fn reversed(self) -> CellChange {
        let CellChange { region, before, after, others, line: [old, new] } = self;
        CellChange { region, before: after, after: before, others, line: [new, old] }
    }
}

/// Sums over the regions of a board, with the cached outputs of the region layer.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct RegionSums {
    /// Sum of every channel over the empty points of each region, in 256ths, plus [`HALF`].
    pub(super) regions: [[u16; CHANNELS]; REGIONS],
    /// Outputs of the region layer, unless stale.
    pub(super) local: [[i16; HIDDEN]; REGIONS],
    /// Bit set of regions with stale outputs.
    pub(super) stale: u16,
}

impl RegionSums {
    /// Sums over no points.
    pub const ZERO: RegionSums = RegionSums {
        regions: [[HALF; CHANNELS]; REGIONS],
        local: [[0; HIDDEN]; REGIONS],
        stale: (1 << REGIONS) - 1,
    };

    /// Creates sums from the channels of each region, in 256ths, plus [`HALF`].
    pub fn new(regions: [[u16; CHANNELS]; REGIONS]) -> RegionSums {
        RegionSums { regions, ..RegionSums::ZERO }
    }

    /// Returns the sum of every channel over each region, in 256ths, plus [`HALF`].
    pub fn regions(&self) -> &[[u16; CHANNELS]; REGIONS] {
        &self.regions
    }

    /// Returns the sums of a region for writing, and marks its outputs as stale.
    #[inline(always)]
    pub(super) fn touch(&mut self, region: u8) -> &mut [u16; CHANNELS] {
        let region = usize::from(region).min(REGIONS - 1);
        self.stale |= 1 << region;
        &mut self.regions[region]
    }

    /// Returns the regions with stale outputs, and marks all as fresh.
    #[inline(always)]
    pub(super) fn take_stale(&mut self) -> impl Iterator<Item = usize> + use<> {
        let mut stale = std::mem::take(&mut self.stale);
        std::iter::from_fn(move || {
            let region = stale.trailing_zeros() as usize;
            stale &= stale.wrapping_sub(1);
            (region < REGIONS).then_some(region)
        })
    }
}

/// Weights of a layer, by pair of inputs, then by output and input.
#[repr(C, align(64))]
pub struct LayerWeights<const PAIRS: usize>(pub(super) [[i16; 2 * HIDDEN]; PAIRS]);

/// Contribution of a threat mask to each output of a layer, by the lower and upper bits of the
/// mask.
#[repr(C, align(64))]
pub struct MaskRows {
    lower: [[i32; HIDDEN]; 1 << LOWER_BITS],
    upper: [[i32; HIDDEN]; 1 << (MASK_BITS - LOWER_BITS)],
}

const LOWER_BITS: usize = 6;

/// All layers.
pub struct Layers {
    /// Region layer, by channel.
    pub local: LayerWeights<{ CHANNELS / 2 }>,
    /// Bias of the region layer.
    pub local_bias: [i32; HIDDEN],
    /// First layer, by channel, then by output of the region layer.
    pub first: LayerWeights<{ INPUTS / 2 }>,
    /// Bias of the first layer, by threat mask.
    pub masks: MaskRows,
    /// Second layer.
    pub second: LayerWeights<{ HIDDEN / 2 }>,
    /// Bias of the second layer.
    pub second_bias: [i32; HIDDEN],
    /// Weights of the output, which has no bias.
    pub last: [i16; HIDDEN],
}

impl CodeRows {
    /// Creates rows from [`CHANNELS`] numbers per code, none larger than [`ROW_MAX`].
    pub fn new(numbers: &[i16]) -> CodeRows {
        let mut rows = boxed_table(CodeRow([NOTHING; CHANNELS]));
        for (row, numbers) in rows.iter_mut().zip(numbers.as_chunks().0) {
            *row = CodeRow(numbers.map(|number: i16| (FLOOR / 2).wrapping_add_signed(number)));
        }
        CodeRows(rows)
    }
}

impl LineRows {
    /// Creates rows from [`CHANNELS`] numbers per code, none larger than [`LINE_MAX`].
    pub fn new(numbers: &[i8]) -> LineRows {
        let mut rows = boxed_table(LineRow([0; CHANNELS]));
        for (row, numbers) in rows.iter_mut().zip(numbers.as_chunks().0) {
            *row = LineRow(*numbers);
        }
        LineRows(rows)
    }
}

/// Creates a table on the heap. `Box::new` would create it on the stack first, which is too small
/// for it in some threads.
fn boxed_table<T: Clone>(row: T) -> Box<[T; TABLE]> {
    let rows: Box<[T]> = vec![row; TABLE].into();
    rows.try_into().unwrap_or_else(|_| unreachable!("a table has TABLE rows"))
}

impl<'t> CellRows<'t> {
    /// Returns the rows of a point with these shape codes.
    #[inline(always)]
    pub(super) fn codes(self, codes: [u16; 2]) -> [&'t CodeRow; 2] {
        [0, 1].map(|i| &self.codes[i].0[usize::from(codes[i]) % TABLE])
    }

    /// Returns the rows of lines with these codes.
    #[inline(always)]
    pub(super) fn lines<const N: usize>(self, codes: [u16; N]) -> [&'t LineRow; N] {
        codes.map(|code| &self.lines.0[usize::from(code) % TABLE])
    }
}

impl<const PAIRS: usize> LayerWeights<PAIRS> {
    /// Creates weights from a row for each output.
    pub fn new(rows: &[i16]) -> LayerWeights<PAIRS> {
        let mut pairs = [[0; 2 * HIDDEN]; PAIRS];
        for (output, row) in rows.chunks(2 * PAIRS).take(HIDDEN).enumerate() {
            for (input, weight) in row.iter().enumerate() {
                pairs[input / 2][2 * output + input % 2] = *weight;
            }
        }
        LayerWeights(pairs)
    }
}

impl MaskRows {
    /// Creates rows from the bias of each output, and [`MASK_BITS`] numbers for each output.
    pub fn new(bias: &[i32], rows: &[i32]) -> MaskRows {
        let mut masks = MaskRows {
            lower: [[0; HIDDEN]; 1 << LOWER_BITS],
            upper: [[0; HIDDEN]; 1 << (MASK_BITS - LOWER_BITS)],
        };
        for (output, (bias, row)) in bias.iter().zip(rows.chunks(MASK_BITS)).enumerate() {
            let set = |mask: usize, row: &[i32]| -> i32 {
                row.iter()
                    .enumerate()
                    .map(|(bit, n)| if mask >> bit & 1 != 0 { *n } else { 0 })
                    .sum()
            };
            let (lower, upper) = row.split_at(LOWER_BITS);
            for (mask, sums) in masks.lower.iter_mut().enumerate() {
                sums[output] = bias + set(mask, lower);
            }
            for (mask, sums) in masks.upper.iter_mut().enumerate() {
                sums[output] = set(mask, upper);
            }
        }
        masks
    }

    /// Returns the two rows of a mask, which must be added.
    #[inline(always)]
    pub(super) fn rows(&self, mask: usize) -> [&[i32; HIDDEN]; 2] {
        let (lower, upper) = (mask % self.lower.len(), mask >> LOWER_BITS);
        [&self.lower[lower], &self.upper[upper % self.upper.len()]]
    }
}
