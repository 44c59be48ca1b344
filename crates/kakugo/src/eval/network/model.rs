//! The numbers of a network.
//!
//! Sums must fit their integers whatever the position: [`Network::check`] proves it for the numbers
//! at hand, and nothing is computed with numbers that have not passed it.

use std::fmt;

use crate::board::{MIN_SIZE, Rule, Side};
use crate::eval::weights;
use crate::pattern::code::CODES;
use crate::pattern::line_code::LINE_CODES;
use crate::pattern::threat::MASKS;
use crate::score::Score;

use super::regions::LONGEST_SIDE;

pub use crate::eval::kernel::{
    ACTIVATION_MOST, CELL_MOST, CHANNELS, HALF, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MOST, MASK_BITS,
    REGIONS, ROW_MOST, WEIGHT_SHIFT,
};

/// Largest [`Section::scale`].
const SCALE_MOST: i32 = 1 << 16;
/// Largest [`Section::factor`], either sign.
const FACTOR_MOST: i32 = 1 << 20;

const _: () = assert!(1 << MASK_BITS == MASKS);

/// The network of a rule, and which boards it serves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    /// The rule that it was trained for, with five in a row.
    pub rule: Rule,
    /// Shortest side of the boards that it serves.
    pub least: u8,
    /// Longest side of the boards that it serves, [`LONGEST_SIDE`] at most.
    pub most: u8,
    /// How it came to be, for people: up to 255 bytes.
    pub description: String,
    /// One, or one for Black and one for White to move where the rule binds them differently.
    pub sections: Vec<Section>,
}

/// The numbers for one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// A row of [`CHANNELS`] for each code of the side to move, in 256ths.
    pub own: Vec<i16>,
    /// A row of [`CHANNELS`] for each code of its opponent, in 256ths.
    pub other: Vec<i16>,
    /// A row of [`CHANNELS`] for each code of a line as the side to move sees it, in 256ths.
    pub lines: Vec<i8>,
    /// Layer of the regions: a row of [`CHANNELS`] for each of [`HIDDEN`] outputs, in 256ths.
    pub w0: Vec<i16>,
    /// Layer of the regions: what each output starts from, in 65536ths.
    pub b0: Vec<i32>,
    /// First layer: a row of [`INPUTS`] for each of [`HIDDEN`] outputs, in 256ths; the channels of all
    /// regions first, then the outputs of the layer of the regions.
    pub w1: Vec<i16>,
    /// First layer: a row of [`MASK_BITS`] for each output, in 65536ths.
    pub m1: Vec<i32>,
    /// First layer: what each output starts from, in 65536ths.
    pub b1: Vec<i32>,
    /// Second layer: a row of [`HIDDEN`] for each of [`HIDDEN`] outputs, in 256ths.
    pub w2: Vec<i16>,
    /// Second layer: what each output starts from, in 65536ths.
    pub b2: Vec<i32>,
    /// Last layer: nats per number of the second, in 256ths.
    pub w3: Vec<i16>,
    /// Last layer: what it starts from, in 65536ths of a nat.
    pub b3: i32,
    /// By mask of threats, in 65536ths of a nat.
    pub threat: Vec<i32>,
    /// How much of the classical value is added, in 1024ths.
    pub factor: i32,
    /// Score units per nat.
    pub scale: i32,
}

/// What of a network cannot be computed with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OutOfBounds {
    /// So many sections, where the rule needs another number of them.
    Sections(usize),
    /// These are no sides of boards, or of boards too large for a network.
    Sizes {
        /// Shortest side.
        least: u8,
        /// Longest side.
        most: u8,
    },
    /// The description is too long.
    Description,
    /// This table has another length than it should.
    Length(&'static str),
    /// A number of this table is so large that a sum may not fit.
    Number(&'static str),
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfBounds::Sections(n) => write!(f, "{n} sections are not what its rule needs"),
            OutOfBounds::Sizes { least, most } => {
                write!(f, "no network serves boards of sizes {least} to {most}")
            }
            OutOfBounds::Description => f.write_str("the description is too long"),
            OutOfBounds::Length(table) => write!(f, "table {table} has another length"),
            OutOfBounds::Number(table) => write!(f, "a number of table {table} is too large"),
        }
    }
}

impl std::error::Error for OutOfBounds {}

impl Network {
    /// How many sections networks of this rule have.
    pub fn sections_of(rule: Rule) -> usize {
        let [black, white] = Side::BOTH.map(|side| weights::section(rule, side));
        white - black + 1
    }

    /// The numbers for `side` to move.
    pub fn section(&self, side: Side) -> &Section {
        &self.sections[side.index().min(self.sections.len() - 1)]
    }

    /// Whether all tables have their lengths and all sums fit.
    ///
    /// # Errors
    /// The first thing that is not as it must be.
    pub fn check(&self) -> Result<(), OutOfBounds> {
        let Network { rule, least, most, ref description, ref sections } = *self;
        if sections.len() != Network::sections_of(rule) {
            return Err(OutOfBounds::Sections(sections.len()));
        }
        if !(MIN_SIZE <= least && least <= most && most <= LONGEST_SIDE) {
            return Err(OutOfBounds::Sizes { least, most });
        }
        if description.len() > usize::from(u8::MAX) {
            return Err(OutOfBounds::Description);
        }
        sections.iter().try_for_each(Section::check)
    }
}

impl Section {
    /// A section all of whose numbers are zero but the scale, 200: every value is 0.
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

    /// The score that the last layer's output, in 65536ths of a nat, and the classical value of the
    /// same position come to.
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
        let in_rows = |row: &[i16]| row.iter().all(|n| n.unsigned_abs() <= ROW_MOST as u16);
        number(in_rows(&self.own), "own")?;
        number(in_rows(&self.other), "other")?;
        number(self.lines.iter().all(|n| n.unsigned_abs() <= LINE_MOST as u8), "lines")?;
        // The largest that any part of a sum can become.
        let activated = |weights: &[i16]| reach(weights) * i64::from(ACTIVATION_MOST);
        let biased = |bias: &i32| i64::from(bias.unsigned_abs());
        let fits = |most: i64| most <= i64::from(i32::MAX);
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
        number(self.factor.unsigned_abs() <= FACTOR_MOST as u32, "factor")?;
        number((1..=SCALE_MOST).contains(&self.scale), "scale")
    }
}

/// The sum of these weights without their signs.
fn reach(weights: &[i16]) -> i64 {
    weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum()
}

/// [`Section::score`] by the two numbers that it needs. Within their bounds nothing overflows.
#[inline]
pub(super) fn scaled(output: i32, classical: Score, factor: i32, scale: i32) -> Score {
    // 65536ths of a nat: a classical unit is 1/200 nat and the factor counts 1024ths of it.
    const { assert!(65536 * 25 == 1024 * Score::UNITS_PER_NAT * 8) };
    let classical = i64::from(factor) * i64::from(classical.value()) * 8 / 25;
    let value = ((i64::from(output) + classical) * i64::from(scale)) >> 16;
    let most = i64::from(Score::MAX_EVAL);
    Score::from_eval(value.clamp(-most, most) as i32)
}
