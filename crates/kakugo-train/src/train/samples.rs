//! Features and targets of positions.
//!
//! Only positions that the search would evaluate are samples. It does not evaluate positions with a
//! five for either side, or with an open four for the side to move.

use std::ops::Range;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::games::{Outcome, ScoredGame};
use super::nats::{UNITS, nats};
use kakugo::board::{Board, Rule, Side};
use kakugo::eval::Evaluator;
use kakugo::eval::network::Regions;
use kakugo::eval::weights::section;
use kakugo::pattern::line_code::as_seen;
use kakugo::position::Position;
use kakugo::search::needs_evaluation;

/// Number of games that one task replays.
const GAMES_PER_TASK: usize = 32;
/// Number of stones above which positions are sampled less often.
const MANY_STONES: f64 = 16.0;

/// Empty points of one region with equal features.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cell {
    /// Code for the side to move.
    pub(super) own: u16,
    /// Code for the opponent.
    pub(super) other: u16,
    /// Sorted codes of the four lines.
    pub(super) lines: [u16; 4],
    /// The region ([`Regions`]).
    pub(super) region: u8,
    /// Number of points.
    pub(super) points: f32,
}

impl Cell {
    /// Returns the features as one number.
    fn key(&self) -> u128 {
        let line = |key: u128, &line: &u16| key << 16 | u128::from(line);
        let codes = u128::from(self.own) << 16 | u128::from(self.other);
        self.lines.iter().fold(codes << 8 | u128::from(self.region), line)
    }
}

/// A position. All values are for the side to move.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    cells: Range<u32>,
    /// The threats of both sides ([`ThreatMap::mask`](kakugo::pattern::threat::ThreatMap::mask)).
    pub(super) mask: u16,
    /// Number of stones on the board.
    pub(super) ply: u16,
    /// The classical evaluation, in nats.
    pub(super) classical: f32,
    /// The search's score, in nats. Forced wins and losses have a large value.
    pub(super) score: f32,
    /// True if the score is a forced win or loss.
    pub(super) is_decided: bool,
    /// The game's result, or the expected result before a random move, from 0 to 1.
    pub(super) result: f32,
    /// True if `result` is the game's result.
    pub(super) is_played_out: bool,
}

#[cfg(test)]
impl Sample {
    /// Returns a sample without cells.
    pub(super) fn empty() -> Sample {
        let (mask, ply, classical, score, result) = (0, 0, 0.0, 0.0, 0.5);
        let (is_decided, is_played_out) = (false, true);
        Sample { cells: 0..0, mask, ply, classical, score, is_decided, result, is_played_out }
    }
}

/// The samples of several games.
#[derive(Default)]
pub(super) struct Samples {
    cells: Vec<Cell>,
    samples: Vec<Sample>,
}

/// An empty board to replay games on, with its classical evaluation.
struct Replay {
    position: Position,
    evaluator: Evaluator,
    regions: Regions,
}

impl Replay {
    fn new(board: &Board) -> Replay {
        let position = Position::new(board);
        let evaluator = Evaluator::classical(&position);
        Replay { position, evaluator, regions: Regions::of(board) }
    }

    /// Returns true if this is the same empty board.
    fn is_at(&self, board: &Board) -> bool {
        self.position.board().key() == board.key()
    }
}

/// The criteria of samples.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Selection {
    /// The rule of the games.
    pub(super) rule: Rule,
    /// The section of the weights ([`kakugo::eval::weights::SECTIONS`]).
    pub(super) section: usize,
    /// True if positions that the search has solved are samples.
    pub(super) solved: bool,
}

impl Samples {
    /// Returns all samples of games, in order, one part per task.
    pub(super) fn of(games: &[&ScoredGame], selection: &Selection) -> Vec<Samples> {
        Samples::chosen(games, selection, |_| |_| true)
    }

    /// Returns random samples of games: all early ones, and fewer with more stones.
    ///
    /// Every game has early positions. Late ones come from few long games, and those of one game
    /// are similar. They would be memorised before the early ones are learnt.
    pub(super) fn thinned(
        games: &[&ScoredGame],
        selection: &Selection,
        rng: &ChaCha8Rng,
    ) -> Vec<Samples> {
        Samples::chosen(games, selection, |task| {
            let mut rng = rng.clone();
            rng.set_word_pos((task as u128) << 32);
            move |ply| rng.random_bool((MANY_STONES / ply as f64).min(1.0))
        })
    }

    /// Returns the samples whose number of stones `choice` accepts. `choice` is created per task.
    fn chosen<C: FnMut(usize) -> bool>(
        games: &[&ScoredGame],
        selection: &Selection,
        choice: impl Fn(usize) -> C + Sync,
    ) -> Vec<Samples> {
        let of_some = |(task, games): (usize, &[&ScoredGame])| {
            let (mut samples, mut replay, mut choice) = (Samples::default(), None, choice(task));
            for game in games {
                samples.add(game, selection, &mut replay, &mut choice);
            }
            samples
        };
        games.par_chunks(GAMES_PER_TASK).enumerate().map(of_some).collect()
    }

    /// Adds the samples of a game. `replay` may be reused from the game before.
    fn add(
        &mut self,
        game: &ScoredGame,
        selection: &Selection,
        replay: &mut Option<Replay>,
        choice: &mut impl FnMut(usize) -> bool,
    ) {
        let Some(board) = game.board() else { return };
        let kept = replay.take().filter(|replay| replay.is_at(&board));
        let Replay { position, evaluator, regions } =
            replay.insert(kept.unwrap_or_else(|| Replay::new(&board)));
        let (opening, outcomes) = (game.opening(), game.outcomes());
        for (ply, &p) in game.stones.iter().enumerate() {
            let side = position.side_to_move();
            let is_asked = section(selection.rule, side) == selection.section;
            if ply >= opening && is_asked && needs_evaluation(position) && choice(ply) {
                let score = game.scores[ply - opening];
                let Outcome { black, is_played_out } = outcomes[ply - opening];
                if selection.solved || !score.is_decided() {
                    let cells = self.add_cells(position, regions);
                    self.samples.push(Sample {
                        cells,
                        mask: position.threats().mask(side) as u16,
                        ply: ply as u16,
                        classical: evaluator.evaluate(position).value() as f32 / UNITS,
                        score: nats(score),
                        is_decided: score.is_decided(),
                        result: match side {
                            Side::Black => black,
                            Side::White => 1.0 - black,
                        },
                        is_played_out,
                    });
                }
            }
            position.push(p);
        }
        game.stones.iter().for_each(|_| position.pop());
    }

    /// Adds the cells of a position. Far from stones many points share a cell.
    fn add_cells(&mut self, position: &Position, regions: &Regions) -> Range<u32> {
        let side = position.side_to_move();
        let mut points: Vec<Cell> = position
            .board()
            .empty_points()
            .map(|p| {
                let codes = position.threats().codes(p);
                let line = |line: u16| as_seen(side)[usize::from(line)];
                let mut lines = position.threats().lines(p).map(line);
                lines.sort_unstable();
                let (own, other) = (codes[side.index()], codes[side.opponent().index()]);
                Cell { own, other, lines, region: regions.at(p), points: 1.0 }
            })
            .collect();
        points.sort_unstable_by_key(Cell::key);
        let first = self.cells.len();
        for cell in points {
            match self.cells[first..].last_mut() {
                Some(last) if last.key() == cell.key() => last.points += 1.0,
                _ => self.cells.push(cell),
            }
        }
        first as u32..self.cells.len() as u32
    }

    /// Returns all samples with their cells.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (&Sample, &[Cell])> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// Returns the number of samples.
    pub(super) fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns a sample and its cells.
    pub(super) fn get(&self, i: usize) -> (&Sample, &[Cell]) {
        let sample = &self.samples[i];
        let Range { start, end } = sample.cells;
        (sample, &self.cells[start as usize..end as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::draw::{Draw, rng};
    use crate::train::nats::sigmoid;
    use crate::train::random;
    use kakugo::board::Variant;

    fn samples(games: &[ScoredGame], rule: Rule, section: usize) -> Vec<Samples> {
        let games: Vec<&ScoredGame> = games.iter().collect();
        Samples::of(&games, &Selection { rule, section, solved: true })
    }

    #[test]
    fn results_and_threats_are_for_the_side_to_move() {
        let games = random::games(Variant::FREESTYLE, 60, 2).train;
        let mut game = games.iter().find(|game| game.winner.is_some()).unwrap().clone();
        game.random_moves = Box::new([2]);
        let samples = samples(std::slice::from_ref(&game), Rule::Freestyle, 0);
        let random_move = game.opening() + 2;
        let expected = |mover: Side| {
            let expected = sigmoid(nats(game.scores[2]));
            if mover == Side::BOTH[random_move % 2] { expected } else { 1.0 - expected }
        };
        for (sample, cells) in samples.iter().flat_map(Samples::iter) {
            let mover = Side::BOTH[usize::from(sample.ply % 2)];
            assert_eq!(sample.is_played_out, usize::from(sample.ply) > random_move);
            if sample.is_played_out {
                assert_eq!(sample.result, f32::from(game.winner == Some(mover)));
            } else {
                assert!((sample.result - expected(mover)).abs() < 1e-6);
            }
            let mut position = Position::new(&game.board().unwrap());
            game.stones[..usize::from(sample.ply)].iter().for_each(|&p| position.push(p));
            assert_eq!(usize::from(sample.mask), position.threats().mask(mover));
            let free: f32 = cells.iter().map(|cell| cell.points).sum();
            assert_eq!(free as usize, position.board().empty_count());
            let regions = Regions::of(position.board());
            for p in position.board().empty_points() {
                let codes = [mover, mover.opponent()].map(|side| position.threats().code(p, side));
                let line = |line: u16| as_seen(mover)[usize::from(line)];
                let mut lines = position.threats().lines(p).map(line);
                lines.sort_unstable();
                let key = (codes, lines, regions.at(p));
                let is_equal =
                    |cell: &&Cell| ([cell.own, cell.other], cell.lines, cell.region) == key;
                let points = cells.iter().filter(is_equal).map(|cell| cell.points);
                assert!(points.clone().count() == 1 && points.sum::<f32>() >= 1.0);
            }
        }
    }

    #[test]
    fn thinning_removes_only_late_positions() {
        let games = random::games(Variant::FREESTYLE, 1_000, 3).train;
        let games: Vec<&ScoredGame> = games.iter().collect();
        let selection = Selection { rule: Rule::Freestyle, section: 0, solved: true };
        let count = |samples: &[Samples], plies: Range<u16>| {
            let all = samples.iter().flat_map(Samples::iter);
            all.filter(|(sample, _)| plies.contains(&sample.ply)).count()
        };
        let thinned =
            |number| Samples::thinned(&games, &selection, &rng(1, 0, Draw::Thinning(number)));
        let (all, some) = (Samples::of(&games, &selection), thinned(0));
        let early = 0..MANY_STONES as u16 + 1;
        assert_eq!(count(&some, early.clone()), count(&all, early));
        let late = 30..35;
        let (all, kept) = (count(&all, late.clone()), count(&some, late.clone()));
        // Expect half of them, within four standard deviations.
        let (mean, deviation) = (all as f64 / 2.0, (all as f64 / 4.0).sqrt());
        assert!(all > 100 && (kept as f64 - mean).abs() < 4.0 * deviation, "{kept} of {all}");

        // The same block has the same samples, another block has others.
        let plies = |samples: &[Samples]| -> Vec<u16> {
            samples.iter().flat_map(Samples::iter).map(|(sample, _)| sample.ply).collect()
        };
        assert_eq!(plies(&thinned(0)), plies(&some));
        assert_ne!(plies(&thinned(1)), plies(&some));
    }

    #[test]
    fn renju_has_a_section_for_each_side() {
        let games = random::games(Variant::RENJU, 50, 3).train;
        let plies = |section| -> Vec<u16> {
            let samples = samples(&games, Rule::Renju, section);
            samples.iter().flat_map(Samples::iter).map(|(sample, _)| sample.ply % 2).collect()
        };
        let (black, white) = (plies(2), plies(3));
        assert!(!black.is_empty() && black.iter().all(|&turn| turn == 0));
        assert!(!white.is_empty() && white.iter().all(|&turn| turn == 1));
    }
}
