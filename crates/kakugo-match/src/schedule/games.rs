//! The schedule: the games of a match, determined before the first one is played.
//!
//! Games are numbered round by round. In each round every pairing plays one opening twice, with
//! colours reversed. A game depends only on its number, so a schedule can be split into shards,
//! interrupted and resumed at any game.

use std::str::FromStr;

use crate::settings::{MatchSettings, TournamentFormat};

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScheduledGame {
    /// Game number, from 0.
    pub id: u32,
    /// Pair number, from 0.
    pub pair: u32,
    /// Index of the opening.
    pub opening: usize,
    /// Indices of the engines: Black and White; with swap2, proposer and chooser.
    pub players: [usize; 2],
}

/// Returns the pairings of each round.
fn pairings(format: TournamentFormat, engines: usize) -> Vec<[usize; 2]> {
    match format {
        TournamentFormat::RoundRobin => {
            (0..engines).flat_map(|i| (i + 1..engines).map(move |j| [i, j])).collect()
        }
        TournamentFormat::Gauntlet => (1..engines).map(|j| [0, j]).collect(),
    }
}

/// Returns all games of a match in order.
pub fn schedule(settings: &MatchSettings) -> impl Iterator<Item = ScheduledGame> + use<> {
    let pairings = pairings(settings.format, settings.engines.len());
    let openings = settings.openings.len().max(1);
    let per_round = pairings.len() as u32;
    (0..settings.games / 2)
        .flat_map(move |round| {
            let numbered = (round * per_round..).zip(pairings.clone());
            numbered.map(move |(pair, pairing)| (round, pair, pairing))
        })
        .flat_map(move |(round, pair, [a, b])| {
            let opening = round as usize % openings;
            [
                ScheduledGame { id: pair * 2, pair, opening, players: [a, b] },
                ScheduledGame { id: pair * 2 + 1, pair, opening, players: [b, a] },
            ]
        })
}

/// Part `number` (from 1) of `count`: the pairs with that remainder modulo `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u32,
    count: u32,
}

impl Shard {
    /// The complete match.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// Returns true if the game belongs to this shard.
    pub fn contains(self, game: &ScheduledGame) -> bool {
        game.pair % self.count == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (number, count) = text.split_once('/')?;
            let shard = Shard { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        parse().ok_or_else(|| {
            format!("invalid shard '{text}': expected K/N with 1 <= K <= N, e.g. 2/8")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_meets_each_other_once() {
        assert_eq!(pairings(TournamentFormat::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pairings(TournamentFormat::Gauntlet, 4), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn shards_are_validated() {
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
        assert!("2/3".parse::<Shard>().is_ok());
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
