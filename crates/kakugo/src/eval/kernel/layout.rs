//! The numbers of a network, arranged for the steps of a kernel.
//!
//! A cell is the sum of two rows by code and of four by line, clamped at both ends. The rows by code stand
//! higher than their numbers, by as much that the sum runs against the end of `u16` where the cell is to
//! be clamped at its largest; less twice that height, the sum runs against 0 where the cell is. So two
//! saturating instructions make a cell. Codes that have no rows stand so low that nothing is left of
//! them, whatever the lines.
//!
//! ```text
//! own + other + lines   -2554 ........ 0 .......... 767 .... 2554
//! rows added            62214 ........ 64768 ...... 65535 .. 65535
//! less the floor            0 ........ 0 .......... 767 ...... 767
//! no code                1540 .. 2556, less the floor: 0
//! ```
//!
//! A layer's weights stand in pairs of inputs, since there are instructions that multiply two pairs and
//! add the products.

/// Numbers kept of each point, and of a region as their sum.
pub const CHANNELS: usize = 64;
/// Numbers in each layer.
pub const HIDDEN: usize = 32;
/// Inputs of the first layer: the channels of all regions together, and what they come to one by one.
pub const INPUTS: usize = CHANNELS + HIDDEN;
/// Parts of the board that are summed by themselves: thirds of either side.
pub const REGIONS: usize = 9;
/// Most points of a region: sums of so many fit a `u16`.
pub const REGION_MOST: usize = (u16::MAX - HALF) as usize / CELL_MOST as usize;
/// Bits of a mask of threats.
pub const MASK_BITS: usize = 11;
/// Largest number in a row, either sign, in 256ths.
pub const ROW_MOST: i16 = 1023;
/// Largest number in a row of a line, either sign, in 256ths.
pub const LINE_MOST: i8 = 127;
/// Largest number of a point's channel, in 256ths; the smallest is 0.
pub const CELL_MOST: i16 = 767;
/// A channel's sum over a region is divided by 2 to this power, and so is that over the regions
/// before the first layer.
pub const INPUT_SHIFT: u32 = 2;
/// What sums begin with, so that they are rounded and not cut off.
pub const HALF: u16 = 1 << (INPUT_SHIFT - 1);
/// Largest input of a layer, in 256ths; the smallest is 0.
pub const ACTIVATION_MOST: i16 = 8191;
/// Weights are counted in 2 to this power.
pub const WEIGHT_SHIFT: u32 = 8;

/// What is left of two added rows is their sum.
pub(super) const FLOOR: u16 = u16::MAX - CELL_MOST as u16;

/// Sums over the regions run against the end of `i16`, which is [`ACTIVATION_MOST`] then.
const _: () = assert!(i16::MAX >> INPUT_SHIFT == ACTIVATION_MOST);

/// The height of the rows of codes that there are not: with four lines' rows it is between 0 and what
/// leaves nothing.
const NOTHING: u16 = 1024;

const _: () =
    assert!(4 * LINE_MOST as u16 <= NOTHING && 2 * NOTHING + 4 * LINE_MOST as u16 <= FLOOR);

/// Rows of a table: a power of two, so that an index needs no check but a mask.
const TABLE: usize = 4096;

/// The channels of one code, half of [`FLOOR`] higher than they are; [`NOTHING`] where there is no code.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [u16; CHANNELS]);

/// Rows by code.
pub struct Rows(Box<[Row; TABLE]>);

/// The channels of one line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct LineRow(pub(super) [i8; CHANNELS]);

/// Rows by code of a line.
pub struct LineRows(Box<[LineRow; TABLE]>);

/// The rows that make a cell.
#[derive(Clone, Copy)]
pub struct CellRows<'t> {
    /// By the codes of a point, one for each.
    pub codes: [&'t Rows; 2],
    /// By the code of each line through it.
    pub lines: &'t LineRows,
}

/// What happens to a point when one of its lines changes. Where its codes have no rows, as on occupied
/// points, it makes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Where it is, below [`REGIONS`].
    pub region: u8,
    /// The codes until now, one for each of two tables.
    pub before: [u16; 2],
    /// The codes from now on.
    pub after: [u16; 2],
    /// The codes of its other lines.
    pub others: [u16; 3],
    /// The code of the line, until now and from now on.
    pub line: [u16; 2],
}

impl Change {
    /// The same change undone.
    #[must_use]
    pub fn undone(self) -> Change {
        let Change { region, before, after, others, line: [old, new] } = self;
        Change { region, before: after, after: before, others, line: [new, old] }
    }
}

/// What is kept of a position.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Sums {
    /// Every channel summed over the free points of each region, in 256ths, and [`HALF`] more.
    pub(super) regions: [[u16; CHANNELS]; REGIONS],
    /// What the layer of the regions makes of each, unless it is out of date.
    pub(super) local: [[i16; HIDDEN]; REGIONS],
    /// Which are, as bits.
    pub(super) stale: u16,
}

impl Sums {
    /// Sums over no points.
    pub const ZERO: Sums = Sums {
        regions: [[HALF; CHANNELS]; REGIONS],
        local: [[0; HIDDEN]; REGIONS],
        stale: (1 << REGIONS) - 1,
    };

    /// With these sums of the regions, in 256ths, and [`HALF`] more.
    pub fn new(regions: [[u16; CHANNELS]; REGIONS]) -> Sums {
        Sums { regions, ..Sums::ZERO }
    }

    /// Every channel summed over each region, in 256ths, and [`HALF`] more.
    pub fn regions(&self) -> &[[u16; CHANNELS]; REGIONS] {
        &self.regions
    }

    /// The sums of the region of a change, which are out of date from now on.
    #[inline(always)]
    pub(super) fn changing(&mut self, region: u8) -> &mut [u16; CHANNELS] {
        let region = usize::from(region).min(REGIONS - 1);
        self.stale |= 1 << region;
        &mut self.regions[region]
    }

    /// The regions whose outputs are out of date; from now on none is.
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

/// Weights of a layer by pair of inputs, output and input.
#[repr(C, align(64))]
pub struct Weights<const PAIRS: usize>(pub(super) [[i16; 2 * HIDDEN]; PAIRS]);

/// What masks of threats add to each output of a layer, by their lower and upper bits.
#[repr(C, align(64))]
pub struct Masks {
    lower: [[i32; HIDDEN]; 1 << LOWER_BITS],
    upper: [[i32; HIDDEN]; 1 << (MASK_BITS - LOWER_BITS)],
}

const LOWER_BITS: usize = 6;

/// All layers.
pub struct Layers {
    /// Layer of each region, by channel.
    pub local: Weights<{ CHANNELS / 2 }>,
    /// What it starts from.
    pub local_bias: [i32; HIDDEN],
    /// First layer, by channel, then by output of the regions' layer.
    pub first: Weights<{ INPUTS / 2 }>,
    /// What the first layer starts from.
    pub masks: Masks,
    /// Second layer.
    pub second: Weights<{ HIDDEN / 2 }>,
    /// What the second layer starts from.
    pub second_bias: [i32; HIDDEN],
    /// The weights of the output, which starts from 0.
    pub last: [i16; HIDDEN],
}

impl Rows {
    /// From [`CHANNELS`] numbers for each code, none larger than [`ROW_MOST`].
    pub fn new(numbers: &[i16]) -> Rows {
        let mut rows = Box::new([Row([NOTHING; CHANNELS]); TABLE]);
        for (row, numbers) in rows.iter_mut().zip(numbers.as_chunks().0) {
            *row = Row(numbers.map(|number: i16| (FLOOR / 2).wrapping_add_signed(number)));
        }
        Rows(rows)
    }
}

impl LineRows {
    /// From [`CHANNELS`] numbers for each code, none larger than [`LINE_MOST`].
    pub fn new(numbers: &[i8]) -> LineRows {
        let mut rows = Box::new([LineRow([0; CHANNELS]); TABLE]);
        for (row, numbers) in rows.iter_mut().zip(numbers.as_chunks().0) {
            *row = LineRow(*numbers);
        }
        LineRows(rows)
    }
}

impl<'t> CellRows<'t> {
    /// The rows of two tables of a point with these codes.
    #[inline(always)]
    pub(super) fn rows(self, codes: [u16; 2]) -> [&'t Row; 2] {
        [0, 1].map(|i| &self.codes[i].0[usize::from(codes[i]) % TABLE])
    }

    /// The rows of lines with these codes.
    #[inline(always)]
    pub(super) fn of_lines<const N: usize>(self, codes: [u16; N]) -> [&'t LineRow; N] {
        codes.map(|code| &self.lines.0[usize::from(code) % TABLE])
    }
}

impl<const PAIRS: usize> Weights<PAIRS> {
    /// From a row of weights for each output.
    pub fn new(rows: &[i16]) -> Weights<PAIRS> {
        let mut pairs = [[0; 2 * HIDDEN]; PAIRS];
        for (output, row) in rows.chunks(2 * PAIRS).take(HIDDEN).enumerate() {
            for (input, weight) in row.iter().enumerate() {
                pairs[input / 2][2 * output + input % 2] = *weight;
            }
        }
        Weights(pairs)
    }
}

impl Masks {
    /// From what each output starts from, and a row of [`MASK_BITS`] for each.
    pub fn new(bias: &[i32], rows: &[i32]) -> Masks {
        let mut masks = Masks {
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

    /// What this mask adds: the sum of the two.
    #[inline(always)]
    pub(super) fn of(&self, mask: usize) -> [&[i32; HIDDEN]; 2] {
        let (lower, upper) = (mask % self.lower.len(), mask >> LOWER_BITS);
        [&self.lower[lower], &self.upper[upper % self.upper.len()]]
    }
}
