//! The file of self-play games: a header, then one block per game.
//!
//! All numbers are little-endian. A point is a `u16`: `y * 32 + x`, column and row from 0. Rules
//! are the protocol's numbers. Every block starts with a mark and has its own checksum, so that
//! damage affects a single game. The reader continues with the next undamaged block.
//!
//! ```text
//! header, 32 bytes
//!    0  8  magic: "KAKUGAME"
//!    8  2  version: 1
//!   10  1  rule of all games
//!   11  1  smallest side of the boards
//!   12  1  largest side of the boards
//!   13  1  0
//!   14  2  one in this many opening moves is random; 0: none
//!   16  4  nodes per move
//!   20  8  seed
//!   28  4  CRC-32 of bytes 0 to 27
//!
//! block
//!    0  4  mark: A7 67 61 6D
//!    4  4  length of the game in bytes
//!    8  4  CRC-32 of the length's four bytes and the game
//!   12  .  game
//!
//! game
//!    0  4  number in the run, from 0
//!    4  1  rule
//!    5  1  win length
//!    6  1  columns
//!    7  1  rows
//!    8  1  result: 0 Black won, 1 White won, 2 draw
//!    9  1  stones of the opening
//!   10  2  moves after the opening
//!   12  .  the points of the opening, Black first, then the moves
//!
//! move
//!    0  2  point, plus 8000 (hexadecimal) for a random move
//!    2  2  only for a random move: the best move of the search
//!    .  2  score before the move for the side to move, signed: 200 are odds of e to 1; a forced
//!          win is 28000 or more, a forced loss -28000 or less: 30000 minus its plies
//!    .  1  number of shares
//!    .  3  each share: point, and 255ths of the nodes of the last complete iteration, largest
//!          first
//! ```

use std::fmt;
use std::ops::Range;

use super::game::{SearchedMove, SelfPlayGame};
use super::settings::{Settings, Sizes};
use kakugo::board::{Board, Outcome, POINTS, Point, Rule, Side, Variant};
use kakugo::checksum::crc32;
use kakugo::score::Score;

const MAGIC: &[u8; 8] = b"KAKUGAME";
const VERSION: u16 = 1;
/// Length of the file's header, in bytes.
const HEADER: usize = 32;
const MARK: [u8; 4] = [0xA7, b'g', b'a', b'm'];
/// Length of a block before its game, in bytes.
const PREFIX: usize = 12;
/// The flag of a random move.
const RANDOM: u16 = 0x8000;

/// An error that prevents contents of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileError {
    /// The file does not start with the header of a self-play file.
    Foreign,
    /// The version of the format is not supported.
    Version(u16),
    /// The header is damaged.
    Header,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Foreign => write!(f, "not a self-play file"),
            FileError::Version(n) => {
                write!(f, "unsupported version {n} of the format: expected {VERSION}")
            }
            FileError::Header => write!(f, "the header is damaged"),
        }
    }
}

impl std::error::Error for FileError {}

/// The contents of a file besides its games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileContents {
    /// Settings of the run.
    pub settings: Settings,
    /// Ranges of damaged bytes before the last undamaged game.
    pub damaged: Vec<Range<usize>>,
    /// Number of bytes after the last undamaged game: an incomplete game of an interrupted run.
    pub truncated: usize,
}

impl FileContents {
    /// Returns the number of bytes that are not part of an undamaged game.
    pub(crate) fn lost_bytes(&self) -> usize {
        self.truncated + self.damaged.iter().map(|range| range.len()).sum::<usize>()
    }
}

/// Reads a file and passes its undamaged games to `each`, in order.
///
/// # Errors
/// Returns an error if the header is damaged. Other damage is reported in the result.
pub fn read(bytes: &[u8], mut each: impl FnMut(SelfPlayGame)) -> Result<FileContents, FileError> {
    let settings = read_header(bytes)?;
    let mut damaged = Vec::new();
    let (mut at, mut end) = (HEADER, HEADER);
    while at < bytes.len() {
        let Some((game, length)) = read_block(&bytes[at..]) else {
            at += next_mark(&bytes[at..]);
            continue;
        };
        if at > end {
            damaged.push(end..at);
        }
        each(game);
        at += length;
        end = at;
    }
    Ok(FileContents { settings, damaged, truncated: bytes.len() - end })
}

/// Returns the distance to the next byte that may start a block, at least one.
fn next_mark(bytes: &[u8]) -> usize {
    let rest = bytes.get(1..).unwrap_or_default();
    rest.iter().position(|&byte| byte == MARK[0]).map_or(bytes.len(), |distance| distance + 1)
}

/// Returns true if the file is empty or ends within its header.
pub fn is_truncated_header(bytes: &[u8]) -> bool {
    bytes.len() < HEADER && MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())])
}

/// Returns the header of a file.
pub fn header(settings: &Settings) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    let Settings { rule, sizes, nodes, stray, seed } = settings;
    bytes.extend([rule.number() as u8, sizes.min, sizes.max, 0]);
    bytes.extend(stray.to_le_bytes());
    bytes.extend(nodes.to_le_bytes());
    bytes.extend(seed.to_le_bytes());
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

fn read_header(mut bytes: &[u8]) -> Result<Settings, FileError> {
    let header = bytes.get(..HEADER).ok_or(FileError::Foreign)?;
    if take(&mut bytes) != Some(*MAGIC) {
        return Err(FileError::Foreign);
    }
    let version = take(&mut bytes).map(u16::from_le_bytes).unwrap_or_default();
    if version != VERSION {
        return Err(FileError::Version(version));
    }
    read_settings(bytes)
        .filter(|_| crc32(&header[..HEADER - 4]).to_le_bytes() == header[HEADER - 4..])
        .ok_or(FileError::Header)
}

fn read_settings(mut bytes: &[u8]) -> Option<Settings> {
    let [rule, min, max, _] = take(&mut bytes)?;
    let (rule, sizes) = (Rule::of_number(rule.into())?, Sizes::new(min, max)?);
    let stray = u16::from_le_bytes(take(&mut bytes)?);
    let nodes = u32::from_le_bytes(take(&mut bytes)?);
    let seed = u64::from_le_bytes(take(&mut bytes)?);
    Some(Settings { rule, sizes, nodes, stray, seed })
}

/// Removes and returns the first bytes.
pub(crate) fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn checksum(length: [u8; 4], game: &[u8]) -> [u8; 4] {
    crc32(&[&length, game].concat()).to_le_bytes()
}

/// Returns the block of a game.
pub fn block(game: &SelfPlayGame) -> Vec<u8> {
    let game = game_bytes(game);
    let length = (game.len() as u32).to_le_bytes();
    [&MARK, &length, &checksum(length, &game), &game[..]].concat()
}

/// Returns the game of the first block and the length of the block, or `None` if it is damaged.
fn read_block(bytes: &[u8]) -> Option<(SelfPlayGame, usize)> {
    let mut rest = bytes;
    let (mark, length, sum) = (take(&mut rest)?, take(&mut rest)?, take(&mut rest)?);
    let game = rest.get(..usize::try_from(u32::from_le_bytes(length)).ok()?)?;
    if mark != MARK || checksum(length, game) != sum {
        return None;
    }
    Some((read_game(game)?, PREFIX + game.len()))
}

fn point_bytes(p: Point) -> [u8; 2] {
    (p.index() as u16).to_le_bytes()
}

fn game_bytes(game: &SelfPlayGame) -> Vec<u8> {
    let mut bytes = game.number.to_le_bytes().to_vec();
    let variant = game.variant;
    bytes.extend([variant.rule().number() as u8, variant.win_length(), game.width, game.height]);
    bytes.extend([game.winner.map_or(2, |side| side.index() as u8), game.opening.len() as u8]);
    bytes.extend((game.moves.len() as u16).to_le_bytes());
    game.opening.iter().for_each(|&p| bytes.extend(point_bytes(p)));
    for m in &game.moves {
        let flag = if m.is_random() { RANDOM } else { 0 };
        bytes.extend((m.point.index() as u16 | flag).to_le_bytes());
        if m.is_random() {
            bytes.extend(point_bytes(m.choice));
        }
        bytes.extend((m.score.value() as i16).to_le_bytes());
        bytes.push(m.shares.len() as u8);
        for &(p, share) in &m.shares {
            bytes.extend(point_bytes(p));
            bytes.push(share);
        }
    }
    bytes
}

fn take_u16(bytes: &mut &[u8]) -> Option<u16> {
    take(bytes).map(u16::from_le_bytes)
}

fn take_point(bytes: &mut &[u8]) -> Option<Point> {
    point(take_u16(bytes)?)
}

fn point(index: u16) -> Option<Point> {
    let index = usize::from(index);
    (index < POINTS).then(|| Point::from_index(index))
}

fn read_game(mut bytes: &[u8]) -> Option<SelfPlayGame> {
    let number = u32::from_le_bytes(take(&mut bytes)?);
    let [rule, win_length, width, height, result, opening] = take(&mut bytes)?;
    let variant = Variant::new(Rule::of_number(rule.into())?, win_length).ok()?;
    let winner = match result {
        0 => Some(Side::Black),
        1 => Some(Side::White),
        2 => None,
        _ => return None,
    };
    let moves = take_u16(&mut bytes)?;
    let opening: Option<Vec<Point>> = (0..opening).map(|_| take_point(&mut bytes)).collect();
    let moves: Option<Vec<SearchedMove>> = (0..moves).map(|_| take_move(&mut bytes)).collect();
    let (opening, moves) = (opening?, moves?);
    let game = SelfPlayGame { number, variant, width, height, winner, opening, moves };
    (bytes.is_empty() && is_playable(&game)).then_some(game)
}

fn take_move(bytes: &mut &[u8]) -> Option<SearchedMove> {
    let flagged = take_u16(bytes)?;
    let point = point(flagged & !RANDOM)?;
    let choice = if flagged & RANDOM != 0 { take_point(bytes)? } else { point };
    let score = Score::from_value(i32::from(take_u16(bytes)? as i16));
    let [shares] = take(bytes)?;
    let share = |bytes: &mut &[u8]| {
        let p = take_point(bytes)?;
        let [share] = take(bytes)?;
        Some((p, share))
    };
    let shares = (0..shares).map(|_| share(bytes)).collect::<Option<_>>()?;
    Some(SearchedMove { point, choice, score, shares })
}

/// Returns true if all moves of the game are legal.
fn is_playable(game: &SelfPlayGame) -> bool {
    let Ok(mut board) = Board::new(game.width, game.height, game.variant) else { return false };
    game.stones().all(|p| board.outcome() == Outcome::Ongoing && board.play(p).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let sizes = Sizes::new(13, 20).unwrap();
        Settings { rule: Rule::Renju, sizes, nodes: 70_000, stray: 300, seed: u64::MAX - 5 }
    }

    fn game(number: u32, winner: Option<Side>) -> SelfPlayGame {
        let p = |x, y| Point::new(x, y).unwrap();
        let searched = |point, score, shares: &[(Point, u8)]| {
            let score = Score::from_value(score);
            SearchedMove { point, choice: point, score, shares: shares.to_vec() }
        };
        SelfPlayGame {
            number,
            variant: Variant::RENJU,
            width: 15,
            height: 14,
            winner,
            opening: vec![p(7, 7), p(14, 13)],
            moves: vec![
                searched(p(0, 0), -20_000, &[(p(0, 0), 200), (p(14, 0), 3)]),
                SearchedMove { choice: p(5, 5), ..searched(p(6, 5), 17, &[(p(5, 5), 255)]) },
                searched(p(0, 1), Score::win_in(9).value(), &[]),
                searched(p(0, 2), Score::loss_in(8).value(), &[]),
            ],
        }
    }

    fn games() -> Vec<SelfPlayGame> {
        vec![game(0, Some(Side::White)), game(1, None), game(2, Some(Side::Black))]
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = header(&settings());
        games().iter().for_each(|game| bytes.extend(block(game)));
        bytes
    }

    fn read_all(bytes: &[u8]) -> Result<(Vec<SelfPlayGame>, FileContents), FileError> {
        let mut games = Vec::new();
        let contents = read(bytes, |game| games.push(game))?;
        Ok((games, contents))
    }

    /// Returns the ends of the header and of all blocks.
    fn ends() -> Vec<usize> {
        let ends = games().into_iter().scan(HEADER, |end, game| {
            *end += block(&game).len();
            Some(*end)
        });
        [HEADER].into_iter().chain(ends).collect()
    }

    #[test]
    fn games_survive_a_round_trip() {
        let contents = FileContents { settings: settings(), damaged: Vec::new(), truncated: 0 };
        assert_eq!(read_all(&bytes()), Ok((games(), contents)));
    }

    #[test]
    fn truncation_loses_only_the_last_game() {
        let (bytes, games, ends) = (bytes(), games(), ends());
        for length in HEADER..=bytes.len() {
            let (found, contents) = read_all(&bytes[..length]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= length).count() - 1;
            assert_eq!(found, games[..whole], "{length}");
            assert_eq!(contents.damaged, [], "{length}");
            assert_eq!(contents.truncated, length - ends[whole], "{length}");
        }
        for length in 0..HEADER {
            assert_eq!(read_all(&bytes[..length]), Err(FileError::Foreign));
            assert!(is_truncated_header(&bytes[..length]));
        }
        assert!(!is_truncated_header(b"KAKUGAMB") && !is_truncated_header(&bytes));
    }

    #[test]
    fn every_flipped_bit_is_detected() {
        let (whole, games, ends) = (bytes(), games(), ends());
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let (found, contents) = match read_all(&bytes) {
                Ok(read) => read,
                Err(_) if bit / 8 < HEADER => continue,
                Err(error) => panic!("bit {bit}: {error}"),
            };
            let hit = ends.iter().filter(|&&end| end <= bit / 8).count() - 1;
            let mut left = games.clone();
            left.remove(hit);
            assert_eq!(found, left, "bit {bit}");
            let block = ends[hit]..ends[hit + 1];
            let (damaged, truncated) =
                if hit + 1 < games.len() { (vec![block], 0) } else { (vec![], block.len()) };
            assert_eq!((contents.damaged, contents.truncated), (damaged, truncated), "bit {bit}");
        }
    }

    #[test]
    fn bytes_between_games_are_skipped() {
        let mut bytes = bytes();
        bytes.splice(HEADER..HEADER, MARK.into_iter().chain([0xFF; 9]).chain(MARK));
        let (found, contents) = read_all(&bytes).unwrap();
        assert_eq!(found, games());
        let between = HEADER..HEADER + 17;
        assert_eq!((contents.damaged, contents.truncated), (vec![between], 0));
    }

    #[test]
    fn foreign_files_and_unsupported_versions_are_rejected() {
        assert_eq!(read_all(&[b'x'; 99]), Err(FileError::Foreign));
        let mut bytes = bytes();
        bytes[8] = 2;
        assert_eq!(read_all(&bytes), Err(FileError::Version(2)));
    }

    #[test]
    fn games_with_illegal_moves_are_rejected() {
        let mut twice = game(0, None);
        twice.moves[3].point = twice.opening[0];
        twice.moves[3].choice = twice.opening[0];
        let mut outside = game(0, None);
        outside.opening[1] = Point::new(15, 0).unwrap();
        for game in [twice, outside] {
            assert_eq!(read_block(&block(&game)), None);
        }
    }
}
