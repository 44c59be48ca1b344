//! The numbers of a network.
//!
//! Sums must not overflow in any position. [`Network::check`] proves that for the numbers of a
//! network, and only networks that pass are used.

use std::fmt;

use crate::board::{MIN_SIZE, Rule, Side};
use crate::eval::weights;
use crate::pattern::code::CODES;
use crate::pattern::line_code::LINE_CODES;
use crate::pattern::threat::MASKS;
use crate::score::Score;

use super::regions::MAX_SIDE;

pub use crate::eval::kernel::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, HALF, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MAX, MASK_BITS,
    REGIONS, ROW_MAX, WEIGHT_SHIFT,
};

/// Maximum [`Section::scale`].
const SCALE_MAX: i32 = 1 << 16;
/// Maximum absolute [`Section::factor`].
const FACTOR_MAX: i32 = 1 << 20;

const _: () = assert!(1 << MASK_BITS == MASKS);

/// The network of a rule, for a range of board sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// Rule that it was trained for, with five in a row.
    pub rule: Rule,
    /// Minimum side of supported boards.
    pub min_size: u8,
    /// Maximum side of supported boards, at most [`MAX_SIDE`].
    pub max_size: u8,
    /// Origin of the network, for people: up to 255 bytes.
    pub description: String,
    /// One section for both sides, or one for Black and one for White to move if the rule treats
    /// them differently.
    pub sections: Vec<Section>,
}

/// The numbers for one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// A row of [`CHANNELS`] for each shape code of the side to move, in 256ths.
    pub own: Vec<i16>,
    /// A row of [`CHANNELS`] for each shape code of its opponent, in 256ths.
    pub other: Vec<i16>,
    /// A row of [`CHANNELS`] for each line code as seen by the side to move, in 256ths.
    pub lines: Vec<i8>,
    /// Region layer: a row of [`CHANNELS`] for each of [`HIDDEN`] outputs, in 256ths.
    pub w0: Vec<i16>,
    /// Region layer: bias of each output, in 65536ths.
    pub b0: Vec<i32>,
    /// First layer: a row of [`INPUTS`] for each of [`HIDDEN`] outputs, in 256ths. Pooled channels
    /// come first, then pooled outputs of the region layer.
    pub w1: Vec<i16>,
    /// First layer: a row of [`MASK_BITS`] for each output, in 65536ths.
    pub m1: Vec<i32>,
    /// First layer: bias of each output, in 65536ths.
    pub b1: Vec<i32>,
    /// Second layer: a row of [`HIDDEN`] for each of [`HIDDEN`] outputs, in 256ths.
    pub w2: Vec<i16>,
    /// Second layer: bias of each output, in 65536ths.
    pub b2: Vec<i32>,
    /// Output: weights of the second layer's outputs, in 256ths.
    pub w3: Vec<i16>,
    /// Output: bias, in 65536ths of a nat.
    pub b3: i32,
    /// Output: bias by threat mask, in 65536ths of a nat.
    pub threat: Vec<i32>,
    /// Factor of the classical evaluation, in 1024ths.
    pub factor: i32,
    /// Score units per nat.
    pub scale: i32,
}

/// The part of a network that is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutOfBounds {
    /// The rule needs another number of sections.
    Sections(usize),
    /// Board sizes outside the supported range.
    Sizes {
        /// Minimum side.
        min: u8,
        /// Maximum side.
        max: u8,
    },
    /// The description is too long.
    Description,
    /// A table with this name has the wrong length.
    Length(&'static str),
    /// A number in this table is so large that a sum might overflow.
    Number(&'static str),
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfBounds::Sections(n) => write!(f, "wrong number of sections for its rule: {n}"),
            OutOfBounds::Sizes { min, max } => {
                write!(f, "invalid board sizes {min} to {max}: expected {MIN_SIZE} to {MAX_SIDE}")
            }
            OutOfBounds::Description => f.write_str("the description is longer than 255 bytes"),
            OutOfBounds::Length(table) => write!(f, "table {table} has the wrong length"),
            OutOfBounds::Number(table) => write!(f, "a number in table {table} is too large"),
        }
    }
}

impl std::error::Error for OutOfBounds {}

impl Network {
    /// Returns the number of sections of a network for this rule.
    pub fn sections_of(rule: Rule) -> usize {
        let [black, white] = Side::BOTH.map(|side| weights::section(rule, side));
        white - black + 1
    }

    /// Returns the numbers for `side` to move.
    pub fn section(&self, side: Side) -> &Section {
        &self.sections[side.index().min(self.sections.len() - 1)]
    }

    /// Checks the lengths of all tables, and that no sum can overflow.
    ///
    /// # Errors
    /// If the network is invalid; the error names the first problem.
    pub fn check(&self) -> Result<(), OutOfBounds> {
        let Network { rule, min_size, max_size, ref description, ref sections } = *self;
        if sections.len() != Network::sections_of(rule) {
            return Err(OutOfBounds::Sections(sections.len()));
        }
        if !(MIN_SIZE <= min_size && min_size <= max_size && max_size <= MAX_SIDE) {
            return Err(OutOfBounds::Sizes { min: min_size, max: max_size });
        }
        if description.len() > usize::from(u8::MAX) {
            return Err(OutOfBounds::Description);
        }
        sections.iter().try_for_each(Section::check)
    }
}

impl Section {
    /// Returns a section of zeros, except for a scale of 200. All its evaluations are 0.
    pub fn zero() -> Section {
        Section {
            own: vec![0; CODES * CHANNELS],
            other: vec![0; CODES * CHANNELS],
            lines: vec![0; LINE_CODES * CHANNELS],
            w0: vec![0; HIDDEN * CHANNELS],
            b0: vec![0; HIDDEN],
            w1: vec![0; HIDDEN * INPUTS],
            m1: vec![0; HIDDEN * MASK_BITS],
            b1: vec![0; HIDDEN],
            w2: vec![0; HIDDEN * HIDDEN],
            b2: vec![0; HIDDEN],
            w3: vec![0; HIDDEN],
            b3: 0,
            threat: vec![0; MASKS],
            factor: 0,
            scale: 200,
        }
    }

    /// Returns the score for the output of the layers, in 65536ths of a nat, and the classical
    /// evaluation of the same position.
    #[inline]
    pub fn score(&self, output: i32, classical: Score) -> Score {
        scaled(output, classical, self.factor, self.scale)
    }

    fn check(&self) -> Result<(), OutOfBounds> {
        let lengths = [
            ("own", self.own.len(), CODES * CHANNELS),
            ("other", self.other.len(), CODES * CHANNELS),
            ("lines", self.lines.len(), LINE_CODES * CHANNELS),
            ("w0", self.w0.len(), HIDDEN * CHANNELS),
            ("b0", self.b0.len(), HIDDEN),
            ("w1", self.w1.len(), HIDDEN * INPUTS),
            ("m1", self.m1.len(), HIDDEN * MASK_BITS),
            ("b1", self.b1.len(), HIDDEN),
            ("w2", self.w2.len(), HIDDEN * HIDDEN),
            ("b2", self.b2.len(), HIDDEN),
            ("w3", self.w3.len(), HIDDEN),
            ("threat", self.threat.len(), MASKS),
        ];
        if let Some((table, ..)) = lengths.into_iter().find(|(_, is, should)| is != should) {
            return Err(OutOfBounds::Length(table));
        }
        let number = |fits: bool, table| fits.then_some(()).ok_or(OutOfBounds::Number(table));
        let in_rows = |row: &[i16]| row.iter().all(|n| n.unsigned_abs() <= ROW_MAX as u16);
        number(in_rows(&self.own), "own")?;
        number(in_rows(&self.other), "other")?;
        number(self.lines.iter().all(|n| n.unsigned_abs() <= LINE_MAX as u8), "lines")?;
        // Upper bounds of the parts of a sum.
        let activated = |weights: &[i16]| l1_norm(weights) * i64::from(ACTIVATION_MAX);
        let biased = |bias: &i32| i64::from(bias.unsigned_abs());
        let fits = |max: i64| max <= i64::from(i32::MAX);
        for (weights, bias) in self.w0.chunks(CHANNELS).zip(&self.b0) {
            number(fits(activated(weights) + biased(bias)), "w0 and b0")?;
        }
        for ((weights, mask), bias) in
            self.w1.chunks(INPUTS).zip(self.m1.chunks(MASK_BITS)).zip(&self.b1)
        {
            let mask: i64 = mask.iter().map(biased).sum();
            number(fits(activated(weights) + mask + biased(bias)), "w1, m1 and b1")?;
        }
        for (weights, bias) in self.w2.chunks(HIDDEN).zip(&self.b2) {
            number(fits(activated(weights) + biased(bias)), "w2 and b2")?;
        }
        let threat = self.threat.iter().map(biased).max().unwrap_or(0);
        number(fits(activated(&self.w3) + biased(&self.b3) + threat), "w3, b3 and threat")?;
        number(self.factor.unsigned_abs() <= FACTOR_MAX as u32, "factor")?;
        number((1..=SCALE_MAX).contains(&self.scale), "scale")
    }
}

/// Returns the sum of absolute weights.
fn l1_norm(weights: &[i16]) -> i64 {
    weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum()
}

/// Implements [`Section::score`]. Numbers within their bounds do not overflow.
#[inline]
pub(super) fn scaled(output: i32, classical: Score, factor: i32, scale: i32) -> Score {
    // 65536ths of a nat: a classical unit is 1/200 nat and the factor counts 1024ths of it.
    const { assert!(65536 * 25 == 1024 * Score::UNITS_PER_NAT * 8) };
    let classical = i64::from(factor) * i64::from(classical.value()) * 8 / 25;
    let value = ((i64::from(output) + classical) * i64::from(scale)) >> 16;
    let max = i64::from(Score::MAX_EVAL);
    Score::from_eval(value.clamp(-max, max) as i32)
}
