//! A match under way: its games so far, the running sums, and the test that may stop it.

use std::collections::HashMap;

use super::table;
use super::tally::{MatchScore, Track};
use crate::journal::{GameRecord, Journal};
use crate::settings::Settings;

/// A match under way.
pub struct Live {
    journal: Journal,
    /// Pairs of this run in the schedule's order, and how many of them the test has seen.
    order: Vec<u32>,
    seen: usize,
    track: Track,
    llr: f64,
    /// The first engine's score; with more engines, it stays empty.
    score: MatchScore,
    points: HashMap<u32, f64>,
}

impl Live {
    /// A match of these pairs, in this order, of which nothing is played.
    pub fn new(settings: Settings, order: Vec<u32>) -> Live {
        let track = Track::new(&settings);
        Live {
            journal: Journal::new(settings),
            order,
            seen: 0,
            track,
            llr: 0.0,
            score: MatchScore::default(),
            points: HashMap::new(),
        }
    }

    /// Take in a finished game. True: the test is over.
    pub fn add(&mut self, game: GameRecord) -> bool {
        if self.journal.settings.engines.len() == 2 {
            let points = game.points(self.journal.first());
            self.score.wdl.add(points);
            match self.points.remove(&game.pair) {
                None => {
                    self.points.insert(game.pair, points);
                }
                Some(other) => self.score.pairs.add(points + other),
            }
        }
        self.journal.games.insert(game.id, game);
        self.follow_test()
    }

    /// Let the test see the pairs that are complete, but none before those ahead of it: which game
    /// ends first must not matter.
    fn follow_test(&mut self) -> bool {
        while self.journal.settings.sprt.is_some() && self.track.verdict.is_none() {
            let Some(&pair) = self.order.get(self.seen) else { break };
            let games = [pair * 2, pair * 2 + 1].map(|id| self.journal.games.get(&id));
            let [Some(first), Some(second)] = games else { break };
            let name = self.journal.first();
            let points = first.points(name) + second.points(name);
            self.llr = self.track.add(pair, points).llr;
            self.seen += 1;
        }
        self.track.verdict.is_some()
    }

    /// Whether the game is already played.
    pub fn has(&self, id: u32) -> bool {
        self.journal.games.contains_key(&id)
    }

    /// The state in one line.
    pub fn state(&self) -> String {
        if self.journal.settings.engines.len() == 2 {
            table::state(&self.score, self.journal.settings.sprt, self.llr)
        } else {
            String::new()
        }
    }

    /// The games played.
    pub fn into_journal(self) -> Journal {
        self.journal
    }
}
