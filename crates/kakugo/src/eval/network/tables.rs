//! A network, arranged for the kernels.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::file::NetworkError;
use super::model::{Network, OutOfBounds, Section, scaled};
use crate::board::{Board, Rule, Side};
use crate::eval::kernel::{
    CellRows, CodeRows, Kernel, LayerWeights, Layers, LineRows, MaskRows, RegionSums,
};
use crate::eval::weights;
use crate::pattern::threat::MASKS;
use crate::score::Score;

/// Network files are smaller than this, in bytes.
const FILE_MAX: u64 = 4 << 20;

/// A network, arranged for the kernels. Threads share it.
pub struct NetworkTables {
    rule: Rule,
    min_size: u8,
    max_size: u8,
    /// For Black and for White to move, or one for both.
    sections: Vec<SectionTables>,
}

/// The tables for one side to move.
pub(super) struct SectionTables {
    own: CodeRows,
    other: CodeRows,
    lines: LineRows,
    layers: Layers,
    /// By threat mask; includes the bias of the output.
    threat: Vec<i32>,
    factor: i32,
    scale: i32,
}

impl NetworkTables {
    /// Arranges a network.
    ///
    /// # Errors
    /// If the network does not pass [`Network::check`].
    pub fn new(network: &Network) -> Result<NetworkTables, OutOfBounds> {
        network.check()?;
        let Network { rule, min_size, max_size, ref sections, .. } = *network;
        Ok(NetworkTables {
            rule,
            min_size,
            max_size,
            sections: sections.iter().map(SectionTables::new).collect(),
        })
    }

    /// Reads and arranges a network.
    ///
    /// # Errors
    /// If the bytes are not a valid network file.
    pub fn read(bytes: &[u8]) -> Result<NetworkTables, NetworkError> {
        NetworkTables::new(&Network::from_bytes(bytes)?).map_err(NetworkError::Bounds)
    }

    /// Loads and arranges a network file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid network.
    pub fn load(path: &Path) -> Result<NetworkTables, NetworkError> {
        let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
        // A pipe or a device may never end, or block when it is opened.
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(NetworkError::Foreign);
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(FILE_MAX).read_to_end(&mut bytes).map_err(unreadable)?;
        NetworkTables::read(&bytes)
    }

    /// Returns the rule of the network.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns `true` if the network evaluates positions on this board: the rule matches (caro's
    /// network also evaluates caro with overlines), five in a row win, and both sides are in range.
    pub fn supports(&self, board: &Board) -> bool {
        let variant = board.variant();
        let of = |rule| weights::section(rule, Side::Black);
        let sizes = self.min_size..=self.max_size;
        variant.win_length() == 5
            && of(variant.rule()) == of(self.rule)
            && sizes.contains(&board.width())
            && sizes.contains(&board.height())
    }

    /// Returns the tables for `side` to move.
    #[inline]
    pub(super) fn section(&self, side: Side) -> &SectionTables {
        &self.sections[side.index().min(self.sections.len() - 1)]
    }
}

impl fmt::Debug for NetworkTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a network for {}, sizes {} to {}", self.rule, self.min_size, self.max_size)
    }
}

impl SectionTables {
    fn new(section: &Section) -> SectionTables {
        let fixed = |numbers: &[i32]| std::array::from_fn(|i| numbers[i]);
        SectionTables {
            own: CodeRows::new(&section.own),
            other: CodeRows::new(&section.other),
            lines: LineRows::new(&section.lines),
            layers: Layers {
                local: LayerWeights::new(&section.w0),
                local_bias: fixed(&section.b0),
                first: LayerWeights::new(&section.w1),
                masks: MaskRows::new(&section.b1, &section.m1),
                second: LayerWeights::new(&section.w2),
                second_bias: fixed(&section.b2),
                last: std::array::from_fn(|i| section.w3[i]),
            },
            threat: section.threat.iter().map(|threat| section.b3 + threat).collect(),
            factor: section.factor,
            scale: section.scale,
        }
    }

    /// Returns the rows by Black's code, by White's code and by line, with `side` to move.
    #[inline]
    pub(super) fn rows(&self, side: Side) -> CellRows<'_> {
        let codes = match side {
            Side::Black => [&self.own, &self.other],
            Side::White => [&self.other, &self.own],
        };
        CellRows { codes, lines: &self.lines }
    }

    /// Returns the score for region sums, a threat mask and the classical evaluation.
    #[inline]
    pub(super) fn score(
        &self,
        kernel: Kernel,
        sums: &mut RegionSums,
        mask: usize,
        classical: Score,
    ) -> Score {
        let output = kernel.output(&self.layers, sums, mask) + self.threat[mask % MASKS];
        scaled(output, classical, self.factor, self.scale)
    }
}
