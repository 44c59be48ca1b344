//! A network laid out for use.

use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::file::NetworkError;
use super::model::{Network, OutOfBounds, Section, scaled};
use crate::board::{Board, Rule, Side};
use crate::eval::kernel::{CellRows, Kernel, Layers, LineRows, Masks, Rows, Sums, Weights};
use crate::eval::weights;
use crate::pattern::threat::MASKS;
use crate::score::Score;

/// No file of a network is as long as this, in bytes.
const LONGEST_FILE: u64 = 4 << 20;

/// A network laid out for use, which all threads share.
pub struct Tables {
    rule: Rule,
    least: u8,
    most: u8,
    /// Black to move and White to move, or one for both.
    sections: Vec<SectionTables>,
}

/// What values the positions in which one side is to move.
pub(super) struct SectionTables {
    own: Rows,
    other: Rows,
    lines: LineRows,
    layers: Layers,
    /// By mask of threats, with what the output starts from.
    threat: Vec<i32>,
    factor: i32,
    scale: i32,
}

impl Tables {
    /// Lay out a network.
    ///
    /// # Errors
    /// It does not pass [`Network::check`].
    pub fn new(network: &Network) -> Result<Tables, OutOfBounds> {
        network.check()?;
        let Network { rule, least, most, ref sections, .. } = *network;
        Ok(Tables {
            rule,
            least,
            most,
            sections: sections.iter().map(SectionTables::new).collect(),
        })
    }

    /// Read a network's bytes and lay it out.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn read(bytes: &[u8]) -> Result<Tables, NetworkError> {
        Tables::new(&Network::from_bytes(bytes)?).map_err(NetworkError::Bounds)
    }

    /// Read a network's file and lay it out.
    ///
    /// # Errors
    /// It cannot be read, or what is wrong with its bytes.
    pub fn load(path: &Path) -> Result<Tables, NetworkError> {
        let unreadable = |error: std::io::Error| NetworkError::Unreadable(error.to_string());
        // A pipe or a device may never end, or not even open.
        if !fs::metadata(path).map_err(unreadable)?.is_file() {
            return Err(NetworkError::Foreign);
        }
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(LONGEST_FILE).read_to_end(&mut bytes).map_err(unreadable)?;
        Tables::read(&bytes)
    }

    /// The rule that it was trained for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Whether positions of this board are valued by it: those of its rule (caro's serves caro with
    /// overlines too), five in a row, neither side too short or too long.
    pub fn serves(&self, board: &Board) -> bool {
        let variant = board.variant();
        let of = |rule| weights::section(rule, Side::Black);
        let sizes = self.least..=self.most;
        variant.win_length() == 5
            && of(variant.rule()) == of(self.rule)
            && sizes.contains(&board.width())
            && sizes.contains(&board.height())
    }

    /// What values the positions in which `side` is to move.
    #[inline]
    pub(super) fn section(&self, side: Side) -> &SectionTables {
        &self.sections[side.index().min(self.sections.len() - 1)]
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a network for {}, sizes {} to {}", self.rule, self.least, self.most)
    }
}

impl SectionTables {
    fn new(section: &Section) -> SectionTables {
        let fixed = |numbers: &[i32]| std::array::from_fn(|i| numbers[i]);
        SectionTables {
            own: Rows::new(&section.own),
            other: Rows::new(&section.other),
            lines: LineRows::new(&section.lines),
            layers: Layers {
                local: Weights::new(&section.w0),
                local_bias: fixed(&section.b0),
                first: Weights::new(&section.w1),
                masks: Masks::new(&section.b1, &section.m1),
                second: Weights::new(&section.w2),
                second_bias: fixed(&section.b2),
                last: std::array::from_fn(|i| section.w3[i]),
            },
            threat: section.threat.iter().map(|threat| section.b3 + threat).collect(),
            factor: section.factor,
            scale: section.scale,
        }
    }

    /// The rows by Black's code and by White's, and by lines, `side` being to move.
    #[inline]
    pub(super) fn rows(&self, side: Side) -> CellRows<'_> {
        let codes = match side {
            Side::Black => [&self.own, &self.other],
            Side::White => [&self.other, &self.own],
        };
        CellRows { codes, lines: &self.lines }
    }

    /// The score by the regions' sums, the mask of threats and the classical value.
    #[inline]
    pub(super) fn score(
        &self,
        kernel: Kernel,
        sums: &mut Sums,
        mask: usize,
        classical: Score,
    ) -> Score {
        let output = kernel.output(&self.layers, sums, mask) + self.threat[mask % MASKS];
        scaled(output, classical, self.factor, self.scale)
    }
}
