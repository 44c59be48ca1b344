//! A match in progress: its games, running totals, and the SPRT that may stop it.

use std::collections::HashMap;

use super::table;
use super::tally::{MatchScore, SprtTracker};
use crate::journal::{GameRecord, Journal};
use crate::settings::MatchSettings;

/// A match in progress.
pub struct LiveMatch {
    journal: Journal,
    /// Pairs of this run in schedule order.
    order: Vec<u32>,
    /// Number of pairs of `order` that the SPRT has processed.
    tested: usize,
    tracker: SprtTracker,
    llr: f64,
    /// The first engine's score; unused with more than two engines.
    score: MatchScore,
    points: HashMap<u32, f64>,
}

impl LiveMatch {
    /// Returns a match of these pairs, in this order, without games.
    pub fn new(settings: MatchSettings, order: Vec<u32>) -> LiveMatch {
        let tracker = SprtTracker::new(&settings);
        LiveMatch {
            journal: Journal::new(settings),
            order,
            tested: 0,
            tracker,
            llr: 0.0,
            score: MatchScore::default(),
            points: HashMap::new(),
        }
    }

    /// Adds a finished game. Returns true if the SPRT has ended.
    pub fn add(&mut self, game: GameRecord) -> bool {
        if self.journal.settings.engines.len() == 2 {
            let points = game.points(self.journal.first_engine());
            self.score.wdl.add(points);
            match self.points.remove(&game.pair) {
                None => {
                    self.points.insert(game.pair, points);
                }
                Some(other) => self.score.pairs.add(points + other),
            }
        }
        self.journal.games.insert(game.id, game);
        self.update_sprt()
    }

    /// Passes complete pairs to the SPRT in schedule order, so that the decision does not depend on
    /// the order in which games end.
    fn update_sprt(&mut self) -> bool {
        while self.journal.settings.sprt.is_some() && self.tracker.decision.is_none() {
            let Some(&pair) = self.order.get(self.tested) else { break };
            let games = [pair * 2, pair * 2 + 1].map(|id| self.journal.games.get(&id));
            let [Some(first), Some(second)] = games else { break };
            let name = self.journal.first_engine();
            let points = first.points(name) + second.points(name);
            self.llr = self.tracker.add(pair, points).llr;
            self.tested += 1;
        }
        self.tracker.decision.is_some()
    }

    /// Returns true if the game has been played.
    pub fn has(&self, id: u32) -> bool {
        self.journal.games.contains_key(&id)
    }

    /// Returns the current score in one line.
    pub fn state(&self) -> String {
        if self.journal.settings.engines.len() == 2 {
            table::state(&self.score, self.journal.settings.sprt, self.llr)
        } else {
            String::new()
        }
    }

    /// Returns the games played.
    pub fn into_journal(self) -> Journal {
        self.journal
    }
}
