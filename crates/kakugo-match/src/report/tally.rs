//! What the games of a match add up to.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::journal::{GameRecord, Journal, Reason};
use crate::settings::Settings;
use crate::statistics::{Estimate, Pentanomial, Wdl};
use crate::statistics::{Sprt, Verdict};
use kakugo::board::Point;

/// Games and pairs of one engine against another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// All games.
    pub wdl: Wdl,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl MatchScore {
    /// Elo by pairs, or by games while no pair is complete; `None` while it is not known.
    pub fn elo(&self) -> Option<Estimate> {
        let sample = if self.pairs.pairs() > 0 { self.pairs.sample() } else { self.wdl.sample() };
        sample.elo()
    }
}

/// One step of the test: the LLR after this many pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TestStep {
    /// Number of the pair in the schedule.
    pub pair: u32,
    /// Pair counts so far.
    pub pairs: Pentanomial,
    /// Log-likelihood ratio; 0 without a test.
    pub llr: f64,
}

/// The sums of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchTally {
    /// `scores[i][j]`: engine `i` against engine `j`.
    pub scores: Vec<Vec<MatchScore>>,
    /// How often Black and White won, and draws.
    pub colours: Wdl,
    /// Pairs of games: in how many Black won both, in how many White did, and all others. The first two
    /// say how many openings may have been decided before they were played.
    pub openings: Wdl,
    /// Games by reason and by the loser's index; draws under `None`.
    pub reasons: BTreeMap<(Reason, Option<usize>), u64>,
    /// Moves that each engine made, stones of openings left out.
    pub moves: Vec<usize>,
    /// Two engines only: the course of the match by complete pairs, in the schedule's order.
    pub course: Vec<TestStep>,
    /// How the test ended.
    pub verdict: Option<Verdict>,
    /// Games played beyond the verdict, which are not counted.
    pub beyond: usize,
    /// Games that went like an earlier one of the same two, move by move.
    pub repeats: u64,
}

impl MatchTally {
    /// Add up a match. A test is applied pair by pair in the order of the schedule, whatever the
    /// order in which games ended (short games end first, and count for no more than others), and
    /// what was played beyond its end is left out: so the sums depend neither on the number of
    /// workers nor on interruptions.
    pub fn of(journal: &Journal) -> MatchTally {
        let engines = &journal.settings.engines;
        let index = |name: &str| engines.iter().position(|engine| engine.name == name);
        let mut tally = MatchTally {
            scores: vec![vec![MatchScore::default(); engines.len()]; engines.len()],
            moves: vec![0; engines.len()],
            ..MatchTally::default()
        };
        let last_pair = match engines.len() {
            2 => tally.run_course(journal),
            _ => None,
        };
        let mut seen = HashSet::new();
        for game in journal.games.values() {
            if last_pair.is_some_and(|last| game.pair > last) {
                tally.beyond += 1;
                continue;
            }
            let Some((black, white)) = index(&game.black).zip(index(&game.white)) else { continue };
            for ply in game.opening..game.moves.len() {
                tally.moves[if ply % 2 == 0 { black } else { white }] += 1;
            }
            let moves: Vec<Point> = game.moves.iter().map(|m| m.at).collect();
            tally.repeats += u64::from(!seen.insert((black, white, moves)));
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

    /// Follow a two-engine match pair by pair. Returns the pair that ended the test.
    fn run_course(&mut self, journal: &Journal) -> Option<u32> {
        let mut track = Track::new(&journal.settings);
        let gap = journal.settings.sprt.and_then(|_| first_gap(&journal.games));
        for [first, second] in pairs(&journal.games) {
            // Here a match that goes on would wait.
            if gap.is_some_and(|gap| first.pair >= gap) {
                break;
            }
            let points = first.points(journal.first()) + second.points(journal.first());
            self.course.push(track.add(first.pair, points));
            if track.verdict.is_some() {
                self.verdict = track.verdict;
                return Some(first.pair);
            }
        }
        None
    }

    /// Sum of all scores of an engine.
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

    /// Whether an engine lost by its own fault and never made a move: most likely it does not start.
    pub fn is_mute(&self, engine: usize) -> bool {
        let fault =
            |(reason, loser): &(Reason, Option<usize>)| reason.is_fault() && *loser == Some(engine);
        self.moves[engine] == 0 && self.reasons.keys().any(fault)
    }

    /// Number of games counted.
    pub fn games(&self) -> u64 {
        self.colours.games()
    }
}

/// The first pair that is not complete, though games of later ones are there. In a part of a match
/// (`--shard`) every so many-th pair is to be there.
fn first_gap(games: &BTreeMap<u32, GameRecord>) -> Option<u32> {
    let played: BTreeSet<u32> = games.values().map(|game| game.pair).collect();
    let complete: BTreeSet<u32> = pairs(games).map(|[first, _]| first.pair).collect();
    let (&first, &last) = (played.first()?, played.last()?);
    let stride = played.iter().fold(0, |stride, pair| gcd(stride, pair - first)).max(1);
    (first % stride..=last).step_by(stride as usize).find(|pair| !complete.contains(pair))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The complete pairs, in order.
fn pairs(games: &BTreeMap<u32, GameRecord>) -> impl Iterator<Item = [&GameRecord; 2]> {
    games
        .values()
        .filter(|game| game.id % 2 == 0)
        .filter_map(|first| Some([first, games.get(&(first.id + 1))?]))
}

/// A test under way.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    sprt: Option<Sprt>,
    /// Pairs of the whole match.
    scheduled: u64,
    pairs: Pentanomial,
    /// How the test ended.
    pub verdict: Option<Verdict>,
}

impl Track {
    /// The test of a match before its first pair.
    pub fn new(settings: &Settings) -> Track {
        Track {
            sprt: settings.sprt,
            scheduled: u64::from(settings.games / 2),
            pairs: Pentanomial::default(),
            verdict: None,
        }
    }

    /// Take in the next pair.
    pub fn add(&mut self, pair: u32, points: f64) -> TestStep {
        self.pairs.add(points);
        let llr = self.sprt.map_or(0.0, |sprt| sprt.llr(&self.pairs));
        self.verdict = self.sprt.and_then(|sprt| sprt.verdict(&self.pairs, self.scheduled));
        TestStep { pair, pairs: self.pairs, llr }
    }
}
