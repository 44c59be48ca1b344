//! Cards: how well the player knows each problem, and each position of the openings.
//!
//! Missed cards come again, as in Leitner's boxes: a card that is answered at the first try goes
//! one box up and rests longer, one that is missed goes back to the first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Days after which a card in each box comes again.
const RESTS: [i32; 6] = [0, 1, 3, 7, 21, 60];

/// The largest number of cards.
pub const MAX_CARDS: usize = 20_000;

/// The longest key of a card, in bytes.
const MAX_KEY: usize = 4_000;

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Solved at the first try, without a hint.
    Clean,
    /// Solved with hints or after a mistake.
    Helped,
    /// A wrong answer was given, or the solution was shown.
    Missed,
}

/// The player's knowledge of a problem or a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Card {
    /// The box, from 0: the higher, the longer the card rests.
    #[serde(rename = "box")]
    level: u8,
    /// The day from which on it comes again.
    pub due: i32,
    /// True if it was solved once.
    pub solved: bool,
}

impl Card {
    /// Returns true if it comes again on this day.
    pub fn is_due(self, today: i32) -> bool {
        self.due <= today
    }

    /// Returns true if the latest answer was right at the first try, or with help.
    pub fn is_known(self) -> bool {
        self.level > 0
    }
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    #[serde(flatten)]
    card: Card,
}

/// The cards of a player.
#[derive(Default)]
pub struct Cards {
    cards: BTreeMap<String, Card>,
    /// True if results are stored.
    is_stored: bool,
}

impl Cards {
    /// Returns true if results are stored.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// Results are stored from now on.
    pub fn store(&mut self) {
        self.is_stored = true;
    }

    /// Reads the journal of results. Lines that are not understood are skipped.
    pub fn read(&mut self, journal: &str) {
        for line in journal.lines() {
            if let Ok(Line { key, card }) = serde_json::from_str::<Line>(line) {
                let card = Card { level: card.level.min(RESTS.len() as u8 - 1), ..card };
                self.insert(key, card);
            }
        }
    }

    fn insert(&mut self, key: String, card: Card) {
        let is_known = self.cards.contains_key(&key);
        if key.len() <= MAX_KEY && (is_known || self.cards.len() < MAX_CARDS) {
            self.cards.insert(key, card);
        }
    }

    /// Returns the card with this key.
    pub fn get(&self, key: &str) -> Option<Card> {
        self.cards.get(key).copied()
    }

    /// Returns true if the problem was solved.
    pub fn is_solved(&self, key: &str) -> bool {
        self.get(key).is_some_and(|card| card.solved)
    }

    /// Records how an attempt ended on this day. Returns the line for the journal.
    pub fn record(&mut self, key: &str, outcome: Outcome, today: i32) -> String {
        let before = self.get(key).unwrap_or_default();
        let (level, solved) = match outcome {
            Outcome::Clean => ((before.level + 1).min(RESTS.len() as u8 - 1), true),
            Outcome::Helped => (1, true),
            Outcome::Missed => (0, before.solved),
        };
        let due = today.saturating_add(RESTS[usize::from(level)]);
        let card = Card { level, due, solved };
        self.insert(key.to_owned(), card);
        serde_json::to_string(&Line { key: key.to_owned(), card }).unwrap_or_default()
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        assert!(self.cards.len() <= MAX_CARDS);
        assert!(self.cards.values().all(|card| usize::from(card.level) < RESTS.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_read_back_and_damage_is_skipped() {
        let mut cards = Cards::default();
        let journal = [
            cards.record("a", Outcome::Missed, 5),
            "{\"key\":\"x\",\"box\":200,\"due\":1,\"solved\":true}".to_owned(),
            "damaged".to_owned(),
            cards.record("a", Outcome::Clean, 6),
        ];
        let mut again = Cards::default();
        again.read(&journal.join("\n"));
        let card = again.get("a").unwrap();
        assert_eq!(card, Card { level: 1, due: 7, solved: true });
        assert!(card.is_known() && card.is_due(7) && !card.is_due(6));
        assert!(again.is_solved("x") && !again.is_solved("damaged"));
        again.check_invariants();
    }
}
