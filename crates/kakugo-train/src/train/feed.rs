//! Batches of shuffled samples.
//!
//! Each pass over the games has a random order, and is split into blocks. The samples of a block
//! are shuffled and split into batches. A block depends only on the seed and on its number, so that
//! a run can be resumed at any block.

use rand::seq::SliceRandom;

use super::draw::{Draw, rng};
use super::games::ScoredGame;
use super::nats::sigmoid;
use super::samples::{Cell, Sample, Samples, Selection};
use super::settings::Settings;
use kakugo::eval::weights::SECTIONS;

/// Number of games whose positions are shuffled together.
const GAMES_PER_BLOCK: usize = 2048;

/// A sample and its target.
pub(super) type Lesson<'s> = (&'s Sample, &'s [Cell], f32);

/// The samples of a section.
pub(super) struct Feed<'g> {
    games: &'g [ScoredGame],
    section: usize,
    settings: Settings,
    /// The current pass, and the order of its games.
    order: Option<(u32, Vec<u32>)>,
}

impl<'g> Feed<'g> {
    /// Returns the samples of `section` in these games.
    pub(super) fn new(games: &'g [ScoredGame], section: usize, settings: Settings) -> Feed<'g> {
        Feed { games, section, settings, order: None }
    }

    /// Returns the number of blocks of one pass over the games.
    pub(super) fn blocks_per_pass(&self) -> u32 {
        self.games.len().div_ceil(GAMES_PER_BLOCK).max(1) as u32
    }

    /// Returns the samples of a block, game by game.
    pub(super) fn block(&mut self, number: u32) -> Vec<Samples> {
        let (pass, block) = (number / self.blocks_per_pass(), number % self.blocks_per_pass());
        if self.order.as_ref().is_none_or(|(of, _)| *of != pass) {
            let mut order: Vec<u32> = (0..self.games.len() as u32).collect();
            order.shuffle(&mut rng(self.settings.seed, self.section, Draw::Pass(pass)));
            self.order = Some((pass, order));
        }
        let order = self.order.iter().flat_map(|(_, order)| order);
        let chosen = order.skip(block as usize * GAMES_PER_BLOCK).take(GAMES_PER_BLOCK);
        let games: Vec<&ScoredGame> = chosen.map(|&i| &self.games[i as usize]).collect();
        let Feed { section, settings: Settings { solved, seed, .. }, .. } = *self;
        let (rule, _) = SECTIONS[section];
        let rng = rng(seed, section, Draw::Thinning(number));
        Samples::thinned(&games, &Selection { rule, section, solved }, &rng)
    }

    /// Returns the samples of block `number`, shuffled, with their targets.
    pub(super) fn shuffled<'s>(&self, samples: &'s [Samples], number: u32) -> Vec<Lesson<'s>> {
        let share = self.settings.share;
        let all = samples.iter().flat_map(Samples::iter);
        let mut lessons: Vec<Lesson> =
            all.map(|(sample, cells)| (sample, cells, target(sample, share))).collect();
        lessons.shuffle(&mut rng(self.settings.seed, self.section, Draw::Block(number)));
        lessons
    }
}

/// Splits a block into batches of equal size, approximately `size`.
pub(super) fn batches<'b, 's>(
    lessons: &'b [Lesson<'s>],
    size: usize,
) -> impl Iterator<Item = &'b [Lesson<'s>]> {
    let batches = ((lessons.len() + size / 2) / size.max(1)).max(1);
    lessons.chunks(lessons.len().div_ceil(batches).max(1))
}

/// Returns the target of a sample: a mixture of the search's score and the result.
pub(super) fn target(sample: &Sample, share: f32) -> f32 {
    share * sigmoid(sample.score) + (1.0 - share) * sample.result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::random;
    use kakugo::board::Variant;

    fn settings(seed: u64) -> Settings {
        let (rate, share, decay, solved) = (0.1, 0.5, 1.0, true);
        Settings { samples: 1, batch: 100, rate, share, decay, solved, seed, from: None }
    }

    #[test]
    fn blocks_depend_only_on_seed_and_number_and_cover_all_early_samples() {
        let games = random::games(Variant::FREESTYLE, 3000, 2).train;
        let plies = |seed: u64, numbers: &[u32]| -> Vec<u16> {
            let mut feed = Feed::new(&games, 0, settings(seed));
            assert_eq!(feed.blocks_per_pass(), 2);
            let mut plies = Vec::new();
            for &number in numbers {
                let samples = feed.block(number);
                plies.extend(feed.shuffled(&samples, number).iter().map(|(s, ..)| s.ply));
            }
            plies
        };
        // Early positions are always samples.
        let early = |mut plies: Vec<u16>| {
            plies.retain(|&ply| ply <= 10);
            plies.sort_unstable();
            plies
        };
        let one = plies(1, &[1]);
        assert_eq!(plies(1, &[0, 3, 1])[plies(1, &[0, 3]).len()..], one);
        assert_ne!(plies(2, &[1]), one);
        assert_ne!(plies(1, &[3]), one);
        let first = early(plies(1, &[0, 1]));
        assert_eq!(first, early(plies(1, &[2, 3])));
        let games: Vec<_> = games.iter().collect();
        let all = Samples::of(&games, &Selection { rule: SECTIONS[0].0, section: 0, solved: true });
        assert_eq!(first, early(all.iter().flat_map(Samples::iter).map(|(s, _)| s.ply).collect()));
    }

    #[test]
    fn batches_have_approximately_the_requested_size() {
        let sample = Sample::empty();
        let lessons: Vec<Lesson> = vec![(&sample, &[], 0.5); 1_040];
        let lengths: Vec<usize> = batches(&lessons, 100).map(<[Lesson]>::len).collect();
        assert_eq!(lengths, [104; 10]);
        assert_eq!(batches(&lessons[..3], 100).count(), 1);
        assert_eq!(batches(&[], 100).count(), 0);
    }
}
