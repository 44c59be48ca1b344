//! A network as bytes.
//!
//! All numbers are little-endian.
//!
//! ```text
//!    0  8  magic: "KAKUGNET"
//!    8  2  version: 3
//!   10  1  rule, Gomocup's number
//!   11  1  sections
//!   12  1  shortest side of the boards served
//!   13  1  longest side of the boards served
//!   14  2  channels: 64
//!   16  2  hidden numbers: 32
//!   18  4  CRC-32 of the text that tells the architecture
//!   22  1  length of the description
//!   23  .  description, UTF-8
//!    .  .  each section: lines as i8; own, other, w0, w1, w2, w3 as i16; b0, m1, b1, b2, threat, b3,
//!          factor, scale as i32
//!    .  4  CRC-32 of all before
//! ```

use std::fmt;

use super::model::{
    ACTIVATION_MOST, CELL_MOST, CHANNELS, HIDDEN, INPUT_SHIFT, INPUTS, LINE_MOST, MASK_BITS,
    Network, OutOfBounds, REGIONS, ROW_MOST, Section, WEIGHT_SHIFT,
};
use crate::board::Rule;
use crate::checksum::crc32;
use crate::pattern::code::CODES;
use crate::pattern::line_code::{LINE_CODES, LINE_REACH};
use crate::pattern::threat::MASKS;

const MAGIC: &[u8; 8] = b"KAKUGNET";
const VERSION: u16 = 3;

/// Length of the checksum at the end, in bytes.
const CHECKSUM: usize = 4;

/// Length of a section's `i8`s, in bytes.
const TINY: usize = LINE_CODES * CHANNELS;
/// Length of a section's `i16`s, in bytes.
const SMALL: usize = 2 * (2 * CODES * CHANNELS + HIDDEN * (CHANNELS + INPUTS + HIDDEN + 1));
/// Length of a section, in bytes.
const SECTION: usize = TINY + SMALL + 4 * (HIDDEN * (MASK_BITS + 3) + MASKS + 3);

/// Why bytes are no network that this program can use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// There is no such file, or it cannot be read, for this reason.
    Unreadable(String),
    /// It is something else than a network.
    Foreign,
    /// It is written in another version of the format.
    Version(u16),
    /// It is not as it was written: damaged or cut off.
    Damaged,
    /// There is no rule of this number.
    Rule(u8),
    /// It has other layers.
    Dimensions {
        /// Numbers kept of each point.
        channels: u16,
        /// Numbers in a hidden layer.
        hidden: u16,
    },
    /// Its numbers are meant to be computed with in another way.
    Architecture,
    /// It is longer or shorter than its contents.
    Length,
    /// Its description is no text.
    Description,
    /// Its numbers cannot be computed with.
    Bounds(OutOfBounds),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Unreadable(why) => write!(f, "the file cannot be read: {why}"),
            NetworkError::Foreign => f.write_str("this is no network"),
            NetworkError::Version(n) => {
                write!(f, "the network has format version {n}, not {VERSION}")
            }
            NetworkError::Damaged => f.write_str("the network is damaged or cut off"),
            NetworkError::Rule(n) => write!(f, "the network is for rule {n}, which is unknown"),
            NetworkError::Dimensions { channels, hidden } => write!(
                f,
                "the network has {channels} channels and {hidden} hidden numbers, not {CHANNELS} \
                 and {HIDDEN}"
            ),
            NetworkError::Architecture => f.write_str("the network has another architecture"),
            NetworkError::Length => f.write_str("the network has another length than its tables"),
            NetworkError::Description => f.write_str("the network's description is no text"),
            NetworkError::Bounds(what) => write!(f, "the network cannot be used: {what}"),
        }
    }
}

impl std::error::Error for NetworkError {}

/// All that gives a network's numbers their meaning. Networks for another text are refused.
fn architecture() -> u32 {
    let text = format!(
        "cells own[{CODES}] + other[{CODES}], at most {ROW_MOST}, + lines[{LINE_CODES}] of {LINE_REACH} \
         cells to either side, at most {LINE_MOST}, {CHANNELS} channels, clamped to {CELL_MOST}; sums over the free points of {REGIONS} regions, thirds of either side, >> \
         {INPUT_SHIFT}, rounded; layer of {HIDDEN} in each; {INPUTS} sums over regions >> \
         {INPUT_SHIFT}, rounded; layers \
         of {HIDDEN}, mask of {MASK_BITS} bits into the first; activations to {ACTIVATION_MOST}, weights << \
         {WEIGHT_SHIFT}; output, {MASKS} threats, classical * factor * 8 / 25, * scale >> 16"
    );
    crc32(text.as_bytes())
}

impl Network {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.rule.number() as u8, self.sections.len() as u8]);
        bytes.extend([self.least, self.most]);
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

    /// The checksum at the end of its file, which tells it from other networks.
    ///
    /// That of the whole file would not: with its own checksum at the end every file has the same.
    pub fn checksum(&self) -> u32 {
        self.to_bytes().last_chunk().map_or(0, |&bytes| u32::from_le_bytes(bytes))
    }

    /// Read the bytes of a file.
    ///
    /// # Errors
    /// What is wrong with them.
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

/// Read what stands between version and checksum.
fn read(mut rest: &[u8]) -> Result<Network, NetworkError> {
    let cut = NetworkError::Length;
    let [rule, sections, least, most] = take(&mut rest).ok_or(cut.clone())?;
    let rule = Rule::of_number(rule.into()).ok_or(NetworkError::Rule(rule))?;
    let channels = take(&mut rest).map(u16::from_le_bytes).ok_or(cut.clone())?;
    let hidden = take(&mut rest).map(u16::from_le_bytes).ok_or(cut.clone())?;
    if (usize::from(channels), usize::from(hidden)) != (CHANNELS, HIDDEN) {
        return Err(NetworkError::Dimensions { channels, hidden });
    }
    if take(&mut rest).map(u32::from_le_bytes).ok_or(cut.clone())? != architecture() {
        return Err(NetworkError::Architecture);
    }
    let [length] = take(&mut rest).ok_or(cut.clone())?;
    let (text, rest) = rest.split_at_checked(usize::from(length)).ok_or(cut.clone())?;
    if rest.len() != usize::from(sections) * SECTION {
        return Err(cut);
    }
    let description = std::str::from_utf8(text).map_err(|_| NetworkError::Description)?.to_owned();
    let sections = rest.chunks_exact(SECTION).map(read_section).collect();
    Ok(Network { rule, least, most, description, sections })
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

/// Take bytes off the front.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

#[cfg(test)]
mod tests;
