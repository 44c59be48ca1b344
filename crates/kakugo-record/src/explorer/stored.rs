//! An explorer as bytes, for indexes on disk.

use std::io::{self, Read, Write};

use super::counts::Explorer;
use super::keys::Key;
use super::ruleset::Ruleset;
use super::stats::PositionStats;
use super::table::{Single, Table};
use kakugo::board::{Rule, Variant};

/// Number of bytes read or written at once; a multiple of the size of every entry.
const PIECE_BYTES: usize = 24 << 12;

/// Bytes of a position in several lines.
const MULTIPLE_BYTES: usize = 24;

impl Explorer {
    /// Writes all counts, followed by a checksum.
    ///
    /// # Errors
    /// Returns an error of `out`.
    pub(crate) fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.optimize();
        let empty = Table::default();
        let table = self.tables().first().unwrap_or(&empty);
        let mut out = Summed { inner: out, sum: 0 };
        out.write(&(self.rulesets().len() as u64).to_le_bytes())?;
        for &(Ruleset { long, short, variant }, lines) in self.rulesets() {
            let [a, b, c, d] = variant.rule().number().to_le_bytes();
            out.write(&[long, short, variant.win_length(), 0, a, b, c, d])?;
            out.write(&lines.to_le_bytes())?;
        }
        for count in [table.singles.len(), table.multiples.len()] {
            out.write(&(count as u64).to_le_bytes())?;
        }
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        for singles in table.singles.chunks(PIECE_BYTES / 8) {
            piece.clear();
            piece.extend(singles.iter().flat_map(|one| one.0.to_le_bytes()));
            out.write(&piece)?;
        }
        for multiples in table.multiples.chunks(PIECE_BYTES / MULTIPLE_BYTES) {
            piece.clear();
            for (key, PositionStats { lines, black, white, draws }) in multiples {
                piece.extend(key.bits().to_le_bytes());
                let counts = [lines, black, white, draws];
                piece.extend(counts.into_iter().flat_map(|count| count.to_le_bytes()));
            }
            out.write(&piece)?;
        }
        let sum = out.sum;
        out.inner.write_all(&sum.to_le_bytes())
    }

    /// Reads what [`Explorer::write`] wrote.
    ///
    /// # Errors
    /// Returns an error of `input`, and if the bytes are damaged.
    pub(crate) fn read(input: &mut impl Read) -> io::Result<Explorer> {
        let mut input = Summed { inner: input, sum: 0 };
        let mut explorer = Explorer::default();
        for _ in 0..input.number()? {
            let [long, short, win_length, _, a, b, c, d] = input.array()?;
            let rule = Rule::of_number(u32::from_le_bytes([a, b, c, d])).ok_or_else(damaged)?;
            let variant = Variant::new(rule, win_length).map_err(|_| damaged())?;
            let lines = input.number()?;
            explorer.add_lines(Ruleset { long, short, variant }, lines);
        }
        let [singles, multiples] = [input.number()?, input.number()?];
        let mut table = Table::default();
        input.pieces(singles, 8, |bytes| {
            let bytes = bytes.as_chunks::<8>().0;
            table.singles.extend(bytes.iter().map(|&bytes| Single(u64::from_le_bytes(bytes))));
        })?;
        input.pieces(multiples, MULTIPLE_BYTES, |bytes| {
            table.multiples.extend(bytes.as_chunks::<MULTIPLE_BYTES>().0.iter().map(|bytes| {
                let (key, counts) = bytes.split_at(8);
                let key = u64::from_le_bytes(key.try_into().unwrap_or_default());
                let counts = counts.as_chunks::<4>().0.iter().map(|&n| u32::from_le_bytes(n));
                let [lines, black, white, draws] = array_of(counts);
                (Key::new(key), PositionStats { lines, black, white, draws })
            }));
        })?;
        let sum = input.sum;
        if input.number()? != sum {
            return Err(damaged());
        }
        explorer.add_table(table);
        Ok(explorer)
    }
}

fn array_of<const N: usize>(mut values: impl Iterator<Item = u32>) -> [u32; N] {
    std::array::from_fn(|_| values.next().unwrap_or_default())
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "damaged index")
}

/// A reader or writer of 8-byte words with a checksum of what passed through it.
struct Summed<T> {
    inner: T,
    sum: u64,
}

impl<T> Summed<T> {
    fn add(&mut self, bytes: &[u8]) {
        for &word in bytes.as_chunks::<8>().0 {
            let sum = self.sum ^ u64::from_le_bytes(word);
            self.sum = sum.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }
}

impl<W: Write> Summed<&mut W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.add(bytes);
        self.inner.write_all(bytes)
    }
}

impl<R: Read> Summed<&mut R> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inner.read_exact(&mut bytes)?;
        self.add(&bytes);
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Passes `count` entries to `each` in pieces. A count that is too large ends with an error
    /// before it needs much memory.
    fn pieces(&mut self, count: u64, size: usize, mut each: impl FnMut(&[u8])) -> io::Result<()> {
        let mut piece = vec![0; PIECE_BYTES];
        let mut left = count.checked_mul(size as u64).ok_or_else(damaged)?;
        while left > 0 {
            let length = usize::try_from(left).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
            self.inner.read_exact(&mut piece[..length])?;
            self.add(&piece[..length]);
            each(&piece[..length]);
            left -= length as u64;
        }
        Ok(())
    }
}
