//! The network file format.
//!
//! All numbers are little-endian.
//!
//! ```text
//!    0  8  magic: "KAKUGNET"
//!    8  2  version: 3
//!   10  1  rule (Gomocup number)
//!   11  1  sections
//!   12  1  minimum side of supported boards
//!   13  1  maximum side of supported boards
//!   14  2  channels: 64
//!   16  2  outputs of a layer: 32
//!   18  4  CRC-32 of a text that describes the architecture
//!   22  1  length of the description
//!   23  .  description, UTF-8
//!    .  .  each section: lines as i8; own, other, w0, w1, w2, w3 as i16; b0, m1, b1, b2, threat,
//!          b3, factor, scale as i32
//!    .  4  CRC-32 of all bytes before it
//! ```

use std::fmt;

use super::model::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MAX, MASK_BITS, Network,
    OutOfBounds, REGIONS, ROW_MAX, Section, WEIGHT_SHIFT,
};
use crate::board::Rule;
use crate::checksum::crc32;
use crate::pattern::code::CODES;
use crate::pattern::line_code::{LINE_CODES, LINE_REACH};
use crate::pattern::threat::MASKS;

const MAGIC: &[u8; 8] = b"KAKUGNET";
const VERSION: u16 = 3;

/// Size of the checksum at the end, in bytes.
const CHECKSUM: usize = 4;

/// Size of the `i8` numbers of a section, in bytes.
const TINY: usize = LINE_CODES * CHANNELS;
/// Size of the `i16` numbers of a section, in bytes.
const SMALL: usize = 2 * (2 * CODES * CHANNELS + HIDDEN * (CHANNELS + INPUTS + HIDDEN + 1));
/// Size of a section, in bytes.
const SECTION: usize = TINY + SMALL + 4 * (HIDDEN * (MASK_BITS + 3) + MASKS + 3);

/// Reason why a network cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file does not exist or cannot be read, for this reason.
    Unreadable(String),
    /// It is not a network file.
    Foreign,
    /// The file format has another version.
    Version(u16),
    /// The file is damaged or truncated.
    Damaged,
    /// The number of the rule is unknown.
    Rule(u8),
    /// The layers have other dimensions.
    Dimensions {
        /// Channels of a point.
        channels: u16,
        /// Outputs of a layer.
        hidden: u16,
    },
    /// The numbers belong to another architecture.
    Architecture,
    /// The file is longer or shorter than its contents.
    Length,
    /// The description is not valid UTF-8.
    Description,
    /// The numbers are out of bounds.
    Bounds(OutOfBounds),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable(why) => write!(f, "cannot read the file: {why}"),
            NetworkError::Foreign => f.write_str("not a network file"),
            NetworkError::Version(n) => {
                write!(f, "unsupported format version {n} of the network: expected {VERSION}")
            }
            NetworkError::Damaged => f.write_str("the network file is damaged or truncated"),
            NetworkError::Rule(n) => write!(f, "the network is for an unknown rule: {n}"),
            NetworkError::Dimensions { channels, hidden } => write!(
                f,
                "unsupported network with {channels} channels and layers of {hidden}: expected \
                 {CHANNELS} and {HIDDEN}"
            ),
            NetworkError::Architecture => f.write_str("the network is for another architecture"),
            NetworkError::Length => {
                f.write_str("the length of the network file does not match its tables")
            }
            NetworkError::Description => {
                f.write_str("the description of the network is not valid UTF-8")
            }
            NetworkError::Bounds(error) => write!(f, "invalid network: {error}"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// Returns a checksum of everything that gives the numbers of a network their meaning. Networks
/// with another checksum are rejected.
fn architecture() -> u32 {
    let text = format!(
        "cells own[{CODES}] + other[{CODES}], at most {ROW_MAX}, + lines[{LINE_CODES}] of \
         {LINE_REACH} cells to either side, at most {LINE_MAX}, {CHANNELS} channels, clamped to \
         {CELL_MAX}; sums over the free points of {REGIONS} regions, thirds of either side, >> \
         {INPUT_SHIFT}, rounded; layer of {HIDDEN} in each; {INPUTS} sums over regions >> \
         {INPUT_SHIFT}, rounded; layers of {HIDDEN}, mask of {MASK_BITS} bits into the first; \
         activations to {ACTIVATION_MAX}, weights << {WEIGHT_SHIFT}; output, {MASKS} threats, \
         classical * factor * 8 / 25, * scale >> 16"
    );
    crc32(text.as_bytes())
}

impl Network {
    /// Returns the bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.rule.number() as u8, self.sections.len() as u8]);
        bytes.extend([self.min_size, self.max_size]);
        bytes.extend((CHANNELS as u16).to_le_bytes());
        bytes.extend((HIDDEN as u16).to_le_bytes());
        bytes.extend(architecture().to_le_bytes());
        bytes.push(self.description.len() as u8);
        bytes.extend(self.description.bytes());
        for s in &self.sections {
            bytes.extend(s.lines.iter().flat_map(|n| n.to_le_bytes()));
            let small = [&s.own, &s.other, &s.w0, &s.w1, &s.w2, &s.w3];
            bytes.extend(small.into_iter().flatten().flat_map(|n| n.to_le_bytes()));
            let large = [&s.b0, &s.m1, &s.b1, &s.b2, &s.threat].into_iter().flatten();
            bytes.extend(large.chain(&[s.b3, s.factor, s.scale]).flat_map(|n| n.to_le_bytes()));
        }
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    }

    /// Returns the checksum at the end of the file, which identifies the network.
    ///
    /// The CRC of the whole file would not, because a CRC over data and its own CRC is constant.
    pub fn checksum(&self) -> u32 {
        self.to_bytes().last_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the bytes are not a valid network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let mut rest = bytes;
        if take(&mut rest) != Some(*MAGIC) {
            return Err(NetworkError::Foreign);
        }
        let version = take(&mut rest).map(u16::from_le_bytes).ok_or(NetworkError::Damaged)?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (body, checksum) = rest.split_last_chunk::<CHECKSUM>().ok_or(NetworkError::Damaged)?;
        if crc32(&bytes[..bytes.len() - CHECKSUM]).to_le_bytes() != *checksum {
            return Err(NetworkError::Damaged);
        }
        let network = read(body)?;
        network.check().map_err(NetworkError::Bounds)?;
        Ok(network)
    }
}

/// Reads everything between version and checksum.
fn read(mut rest: &[u8]) -> Result<Network, NetworkError> {
    let length_error = NetworkError::Length;
    let [rule, sections, min_size, max_size] = take(&mut rest).ok_or(length_error.clone())?;
    let rule = Rule::of_number(rule.into()).ok_or(NetworkError::Rule(rule))?;
    let channels = take(&mut rest).map(u16::from_le_bytes).ok_or(length_error.clone())?;
    let hidden = take(&mut rest).map(u16::from_le_bytes).ok_or(length_error.clone())?;
    if (usize::from(channels), usize::from(hidden)) != (CHANNELS, HIDDEN) {
        return Err(NetworkError::Dimensions { channels, hidden });
    }
    if take(&mut rest).map(u32::from_le_bytes).ok_or(length_error.clone())? != architecture() {
        return Err(NetworkError::Architecture);
    }
    let [length] = take(&mut rest).ok_or(length_error.clone())?;
    let (text, rest) = rest.split_at_checked(usize::from(length)).ok_or(length_error.clone())?;
    if rest.len() != usize::from(sections) * SECTION {
        return Err(length_error);
    }
    let description = std::str::from_utf8(text).map_err(|_| NetworkError::Description)?.to_owned();
    let sections = rest.chunks_exact(SECTION).map(read_section).collect();
    Ok(Network { rule, min_size, max_size, description, sections })
}

fn read_section(bytes: &[u8]) -> Section {
    let (tiny, bytes) = bytes.split_at(TINY);
    let lines = tiny.iter().map(|n| n.cast_signed()).collect();
    let (small, large) = bytes.split_at(SMALL);
    let mut small = small.chunks_exact(2).map(|n| i16::from_le_bytes([n[0], n[1]]));
    let mut take_small = |n| small.by_ref().take(n).collect::<Vec<i16>>();
    let (own, other) = (take_small(CODES * CHANNELS), take_small(CODES * CHANNELS));
    let (w0, w1) = (take_small(HIDDEN * CHANNELS), take_small(HIDDEN * INPUTS));
    let (w2, w3) = (take_small(HIDDEN * HIDDEN), take_small(HIDDEN));
    let mut large = large.chunks_exact(4).map(|n| i32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    let mut take_large = |n| large.by_ref().take(n).collect::<Vec<i32>>();
    let (b0, m1) = (take_large(HIDDEN), take_large(HIDDEN * MASK_BITS));
    let (b1, b2, threat) = (take_large(HIDDEN), take_large(HIDDEN), take_large(MASKS));
    let mut one = || large.next().unwrap_or(0);
    let (b3, factor, scale) = (one(), one(), one());
    Section { own, other, lines, w0, b0, w1, m1, b1, w2, b2, w3, b3, threat, factor, scale }
}

/// Removes bytes from the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests;
