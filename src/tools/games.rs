//! The file of self-play games: small, append-only, read whole.
//!
//! ```text
//! game    mark 0xA7 | rule u8 | win length u8 | width u8 | height u8 | opening stones u8
//!         | result u8 (0 Black won, 1 White won, 2 draw) | stones u16
//! stone   point u16 (y * 32 + x; 0x8000 more: not the search's choice) | expectation i8
//! ```
//!
//! Numbers are little-endian; rules are Gomocup's numbers. The expectation is what the search
//! thought of the position before the stone, for the side to move: -127 lost, 0 even, 127 won; it is
//! 0 for the stones of the opening. A file cut off in the middle of a game loses that game only.

use crate::board::{Board, Point, Rule, Side, Variant};
use crate::score::Score;

const MARK: u8 = 0xA7;
const HEADER: usize = 9;
/// Marks a stone that the search did not choose.
const RANDOM: u16 = 0x8000;

/// A stone of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Where.
    pub point: Point,
    /// What the search expected before it, for the side to move: from -127, lost, to 127, won.
    pub expectation: i8,
    /// Played at random, not chosen by the search.
    pub random: bool,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Its rule.
    pub variant: Variant,
    /// Columns and rows.
    pub size: (u8, u8),
    /// Stones that were given.
    pub opening: usize,
    /// Who won; `None`: a draw.
    pub winner: Option<Side>,
    /// All stones, Black first.
    pub stones: Vec<Ply>,
}

/// A score as an expectation from -127 to 127.
pub fn expectation(score: Score) -> i8 {
    ((i64::from(score.win_rate_permille()) - 500) * 127 / 500) as i8
}

impl Game {
    /// An empty board of this game.
    pub fn board(&self) -> Option<Board> {
        Board::new(self.size.0, self.size.1, self.variant).ok()
    }

    /// The game as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let result = self.winner.map_or(2, |side| side.index() as u8);
        let stones = u16::try_from(self.stones.len()).unwrap_or(u16::MAX).to_le_bytes();
        let mut bytes = vec![
            MARK,
            self.variant.rule().number() as u8,
            self.variant.win_length(),
            self.size.0,
            self.size.1,
            self.opening as u8,
            result,
            stones[0],
            stones[1],
        ];
        for ply in &self.stones {
            let mark = if ply.random { RANDOM } else { 0 };
            bytes.extend((ply.point.index() as u16 | mark).to_le_bytes());
            bytes.push(ply.expectation as u8);
        }
        bytes
    }

    /// Take one game off the front; `None` if no whole game is there.
    fn take(bytes: &mut &[u8]) -> Option<Game> {
        let header = bytes.get(..HEADER)?;
        let rule = Rule::ALL.into_iter().find(|rule| rule.number() == u32::from(header[1]))?;
        let variant = Variant::new(rule, header[2]).ok()?;
        let count = usize::from(u16::from_le_bytes([header[7], header[8]]));
        let body = bytes.get(HEADER..HEADER + 3 * count)?;
        if header[0] != MARK {
            return None;
        }
        let stones = body
            .chunks_exact(3)
            .map(|s| {
                let index = u16::from_le_bytes([s[0], s[1]]);
                Ply {
                    point: Point::from_index(usize::from(index & !RANDOM)),
                    expectation: s[2] as i8,
                    random: index & RANDOM != 0,
                }
            })
            .collect();
        *bytes = &bytes[HEADER + 3 * count..];
        let winner = Side::BOTH.get(usize::from(header[6])).copied();
        let opening = usize::from(header[5]);
        Some(Game { variant, size: (header[3], header[4]), opening, winner, stones })
    }

    /// All whole games of a file, and how many bytes at its end are not one.
    pub fn read_all(mut bytes: &[u8]) -> (Vec<Game>, usize) {
        let games = std::iter::from_fn(|| Game::take(&mut bytes)).collect();
        (games, bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_survive_a_round_trip_and_a_torn_end() {
        let game = Game {
            variant: Variant::RENJU,
            size: (15, 15),
            opening: 2,
            winner: Some(Side::White),
            stones: [(7, 7, 0, false), (8, 6, 11, true), (14, 0, -127, false)]
                .map(|(x, y, expectation, random)| Ply {
                    point: Point::new(x, y).unwrap(),
                    expectation,
                    random,
                })
                .to_vec(),
        };
        let draw = Game { winner: None, variant: Variant::CARO, ..game.clone() };
        let mut bytes = [game.to_bytes(), draw.to_bytes(), game.to_bytes()].concat();
        assert_eq!(Game::read_all(&bytes), (vec![game.clone(), draw.clone(), game.clone()], 0));
        bytes.truncate(bytes.len() - 4);
        assert_eq!(Game::read_all(&bytes), (vec![game.clone(), draw], HEADER + 9 - 4));
    }

    #[test]
    fn expectations_are_symmetric() {
        assert_eq!(expectation(Score::win_in(3)), 127);
        assert_eq!(expectation(Score::loss_in(3)), -127);
        assert_eq!(expectation(Score::from_eval(0)), 0);
        let up = expectation(Score::from_eval(200));
        assert_eq!(expectation(Score::from_eval(-200)), -up);
        assert!((55..=62).contains(&up), "{up}");
    }
}
