//! The schedule: the games of a match, determined before the first one is played.
//!
//! Games are numbered round by round. In each round every pairing plays one opening twice, with
//! colours reversed. A game depends only on its number, so a schedule can be split into shards,
//! interrupted and resumed at any game.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_engine_meets_each_other_once() {
        assert_eq!(pairings(TournamentFormat::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pairings(TournamentFormat::Gauntlet, 4), [[0, 1], [0, 2], [0, 3]]);
    }
}
