//! The totals of a match.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::journal::{GameRecord, Journal, Reason};
use crate::settings::MatchSettings;
use crate::statistics::{Estimate, Pentanomial, Wdl};
use crate::statistics::{Sprt, SprtDecision};
use kakugo::board::Point;

/// The score of one engine against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// All games.
    pub wdl: Wdl,
    /// Complete pairs of games.
    pub pairs: Pentanomial,
}

impl MatchScore {
    /// Returns Elo by pairs, or by games if no pair is complete; `None` if it cannot be estimated.
    pub fn elo(&self) -> Option<Estimate> {
        let sample = if self.pairs.pairs() > 0 { self.pairs.sample() } else { self.wdl.sample() };
        sample.elo()
    }
}

/// The state of the SPRT after one more pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtStep {
    /// Pair number in the schedule.
    pub pair: u32,
    /// Pair counts so far.
    pub pairs: Pentanomial,
    /// Log-likelihood ratio; 0 without an SPRT.
    pub llr: f64,
}

/// The totals of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchTally {
    /// `scores[i][j]`: engine `i` against engine `j`.
    pub scores: Vec<Vec<MatchScore>>,
    /// Wins of Black, wins of White, and draws.
    pub colours: Wdl,
    /// Game pairs in which Black won both games, White won both games, and all others. The first
    /// two estimate how many openings were decided in advance.
    pub openings: Wdl,
    /// Games by reason and loser's index; `None` for draws.
    pub reasons: BTreeMap<(Reason, Option<usize>), u64>,
    /// Number of moves of each engine, without opening stones.
    pub moves: Vec<usize>,
    /// Two engines only: the state after each complete pair, in schedule order.
    pub history: Vec<SprtStep>,
    /// The decision of the SPRT.
    pub decision: Option<SprtDecision>,
    /// The incomplete pair that the SPRT waits for, if later pairs are complete.
    pub awaited: Option<u32>,
    /// Number of games after the decision, which are not counted.
    pub excluded: usize,
    /// Number of games with the same players and moves as an earlier game.
    pub repeats: u64,
}

impl MatchTally {
    /// Computes the totals of a match.
    ///
    /// The SPRT is applied pair by pair in schedule order, whatever the order in which games ended.
    /// Games after its decision are excluded. The totals therefore depend neither on the number of
    /// workers nor on interruptions.
    pub fn from_journal(journal: &Journal) -> MatchTally {
        let engines = &journal.settings.engines;
        let index = |name: &str| engines.iter().position(|engine| engine.name == name);
        let mut tally = MatchTally {
            scores: vec![vec![MatchScore::default(); engines.len()]; engines.len()],
            moves: vec![0; engines.len()],
            ..MatchTally::default()
        };
        let last_pair = match engines.len() {
            2 => tally.trace_history(journal),
            _ => None,
        };
        let mut games_seen = HashSet::new();
        for game in journal.games.values() {
            if last_pair.is_some_and(|last| game.pair > last) {
                tally.excluded += 1;
                continue;
            }
            let Some((black, white)) = index(&game.black).zip(index(&game.white)) else { continue };
            for mover in game.movers().into_iter().skip(game.opening) {
                tally.moves[if mover == game.black { black } else { white }] += 1;
            }
            let moves: Vec<Point> = game.moves.iter().map(|m| m.at).collect();
            tally.repeats += u64::from(!games_seen.insert((black, white, moves)));
            tally.scores[black][white].wdl.add(game.points(&game.black));
            tally.scores[white][black].wdl.add(game.points(&game.white));
            tally.colours.add(game.points(&game.black));
            let loser =
                game.winner().map(|name| if index(name) == Some(black) { white } else { black });
            *tally.reasons.entry((game.reason, loser)).or_default() += 1;
        }
        for [first, second] in pairs(&journal.games) {
            if last_pair.is_some_and(|last| first.pair > last) {
                continue;
            }
            let Some((a, b)) = index(&first.black).zip(index(&first.white)) else { continue };
            let black = first.points(&first.black) + second.points(&second.black);
            tally.openings.add(black / 2.0);
            for (own, other) in [(a, b), (b, a)] {
                let name = &engines[own].name;
                tally.scores[own][other].pairs.add(first.points(name) + second.points(name));
            }
        }
        tally
    }

    /// Traces a two-engine match pair by pair. Returns the pair that ended the SPRT.
    fn trace_history(&mut self, journal: &Journal) -> Option<u32> {
        let mut tracker = SprtTracker::new(&journal.settings);
        let gap = journal.settings.sprt.and_then(|_| first_gap(&journal.games));
        for [first, second] in pairs(&journal.games) {
            // A match in progress waits for the missing pair.
            if gap.is_some_and(|gap| first.pair >= gap) {
                self.awaited = gap;
                break;
            }
            let points =
                first.points(journal.first_engine()) + second.points(journal.first_engine());
            self.history.push(tracker.add(first.pair, points));
            if tracker.decision.is_some() {
                self.decision = tracker.decision;
                return Some(first.pair);
            }
        }
        None
    }

    /// Returns an engine's score against all opponents.
    pub fn total(&self, engine: usize) -> MatchScore {
        let mut total = MatchScore::default();
        for score in &self.scores[engine] {
            total.wdl.wins += score.wdl.wins;
            total.wdl.losses += score.wdl.losses;
            total.wdl.draws += score.wdl.draws;
            for (sum, count) in total.pairs.0.iter_mut().zip(score.pairs.0) {
                *sum += count;
            }
        }
        total
    }

    /// Returns true if an engine forfeited and never moved. Most likely it does not start.
    pub fn never_moved(&self, engine: usize) -> bool {
        let fault =
            |(reason, loser): &(Reason, Option<usize>)| reason.is_fault() && *loser == Some(engine);
        self.moves[engine] == 0 && self.reasons.keys().any(fault)
    }

    /// Returns the number of complete pairs after the one that the SPRT waits for.
    pub fn later_pairs(&self) -> u64 {
        let pairs = |score: &MatchScore| score.pairs.pairs();
        let complete = self.scores.first().and_then(|row| row.get(1)).map_or(0, pairs);
        self.awaited.map_or(0, |_| complete.saturating_sub(self.history.len() as u64))
    }

    /// Returns the points of each engine against each other one.
    pub fn points(&self) -> Vec<Vec<f64>> {
        let points = |row: &Vec<MatchScore>| row.iter().map(|score| score.wdl.points()).collect();
        self.scores.iter().map(points).collect()
    }

    /// Returns the number of counted games.
    pub fn games(&self) -> u64 {
        self.colours.games()
    }
}

/// Returns the first incomplete pair that is followed by later games. In a shard (`--shard`) only
/// every n-th pair is expected, and a single pair does not show which ones.
fn first_gap(games: &BTreeMap<u32, GameRecord>) -> Option<u32> {
    let played: BTreeSet<u32> = games.values().map(|game| game.pair).collect();
    if played.len() == 1 {
        return None;
    }
    let complete: BTreeSet<u32> = pairs(games).map(|[first, _]| first.pair).collect();
    let (&first, &last) = (played.first()?, played.last()?);
    let stride = played.iter().fold(0, |stride, pair| gcd(stride, pair - first)).max(1);
    (first % stride..=last).step_by(stride as usize).find(|pair| !complete.contains(pair))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns the complete pairs in order.
fn pairs(games: &BTreeMap<u32, GameRecord>) -> impl Iterator<Item = [&GameRecord; 2]> {
    games
        .values()
        .filter(|game| game.id % 2 == 0)
        .filter_map(|first| Some([first, games.get(&(first.id + 1))?]))
}

/// An SPRT in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtTracker {
    sprt: Option<Sprt>,
    /// Number of pairs of the complete match.
    scheduled: u64,
    pairs: Pentanomial,
    /// The decision, once there is one.
    pub decision: Option<SprtDecision>,
}

impl SprtTracker {
    /// Returns the SPRT of a match before its first pair.
    pub fn new(settings: &MatchSettings) -> SprtTracker {
        SprtTracker {
            sprt: settings.sprt,
            scheduled: u64::from(settings.games / 2),
            pairs: Pentanomial::default(),
            decision: None,
        }
    }

    /// Adds the next pair.
    pub fn add(&mut self, pair: u32, points: f64) -> SprtStep {
        self.pairs.add(points);
        let llr = self.sprt.map_or(0.0, |sprt| sprt.llr(&self.pairs));
        let decision = |sprt: Sprt| sprt.decision_at(llr, &self.pairs, self.scheduled);
        self.decision = self.sprt.and_then(decision);
        SprtStep { pair, pairs: self.pairs, llr }
    }
}
