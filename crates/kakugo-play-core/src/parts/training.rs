//! Training: problems in steps, of which those that were missed come again.

use std::collections::BTreeMap;
use std::sync::Arc;

use kakugo::board::Rule;
use kakugo_record::problems::{self, Problem, Step};

use crate::collection::Collection;
use crate::commands::SetJson;
use crate::parts::cards::{Cards, MAX_CARDS};
use crate::puzzles::{self, Puzzle};

/// Number of other problems before one that was missed comes again on the same day.
const OTHERS: u64 = 3;

/// A set of problems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetId {
    /// The built-in problems of freestyle.
    Freestyle,
    /// The built-in problems of renju.
    Renju,
    /// The positions of a file.
    File,
}

impl From<SetJson> for SetId {
    fn from(set: SetJson) -> SetId {
        match set {
            SetJson::Freestyle => SetId::Freestyle,
            SetJson::Renju => SetId::Renju,
            SetJson::File => SetId::File,
        }
    }
}

impl SetId {
    /// All sets.
    pub const ALL: [SetId; 3] = [SetId::Freestyle, SetId::Renju, SetId::File];
}

/// The problems of a step in a set; all of the set, without a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course {
    /// The set.
    pub set: SetId,
    /// Number of the step, from 1.
    pub step: Option<usize>,
}

/// Counts of problems.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// All problems.
    pub total: usize,
    /// Problems that were solved.
    pub solved: usize,
    /// Problems to repeat today.
    pub due: usize,
}

/// Training: results of problems, and the problems of a file.
#[derive(Default)]
pub struct Training {
    /// The player's results: problems, and positions of openings.
    pub cards: Cards,
    file: Option<Arc<Collection>>,
    /// Number of problems opened, and when each was opened last.
    opened: u64,
    latest: BTreeMap<String, u64>,
}

/// A problem of a set.
struct Entry<'a> {
    key: String,
    step: usize,
    source: Source<'a>,
}

enum Source<'a> {
    Pack(&'a Problem),
    File(&'a Puzzle),
}

impl Training {
    /// Sets the problems of a file.
    pub fn set_file(&mut self, file: Arc<Collection>) {
        self.file = Some(file);
    }

    /// Returns the name of the file.
    pub fn file_name(&self) -> Option<&str> {
        self.file.as_ref().map(|file| file.name.as_str())
    }

    /// Returns the problems of a set.
    fn entries(&self, set: SetId) -> Vec<Entry<'_>> {
        let pack = |rule: Rule| {
            let problems = problems::pack().iter().filter(move |problem| problem.rule == rule);
            let entry = |problem: &'static Problem| Entry {
                key: puzzles::key_of_problem(problem),
                step: problem.step.number(),
                source: Source::Pack(problem),
            };
            problems.map(entry).collect()
        };
        match set {
            SetId::Freestyle => pack(Rule::Freestyle),
            SetId::Renju => pack(Rule::Renju),
            SetId::File => {
                let puzzles = self.file.iter().flat_map(|file| &file.puzzles);
                let entry = |puzzle| Entry {
                    key: puzzles::key(puzzle),
                    step: 0,
                    source: Source::File(puzzle),
                };
                puzzles.map(entry).collect()
            }
        }
    }

    /// Returns the steps of a set with their counts. A file has one step, 0.
    pub fn steps(&self, set: SetId, today: i32) -> Vec<(usize, Counts)> {
        let numbers: Vec<usize> = match set {
            SetId::File => vec![0],
            _ => Step::ALL.iter().map(|step| step.number()).collect(),
        };
        let mut steps: Vec<(usize, Counts)> =
            numbers.into_iter().map(|step| (step, Counts::default())).collect();
        for entry in self.entries(set) {
            let Some((_, counts)) = steps.iter_mut().find(|(step, _)| *step == entry.step) else {
                continue;
            };
            let card = self.cards.get(&entry.key);
            counts.total += 1;
            counts.solved += usize::from(card.is_some_and(|card| card.solved));
            counts.due += usize::from(card.is_some_and(|card| card.is_due(today)));
        }
        steps
    }

    /// Returns the next problem of a course: one to be repeated, or else a new one, or else the one
    /// that rests least. `current` is only returned if there is no other.
    pub fn next(&mut self, course: Course, current: Option<&str>, today: i32) -> Option<Puzzle> {
        let (puzzle, key) = self.choose(course, current, today)?;
        self.opened += 1;
        if self.latest.len() < MAX_CARDS || self.latest.contains_key(&key) {
            self.latest.insert(key, self.opened);
        }
        puzzle
    }

    /// Returns the next problem of a course with its key.
    fn choose(
        &self,
        course: Course,
        current: Option<&str>,
        today: i32,
    ) -> Option<(Option<Puzzle>, String)> {
        let entries = self.entries(course.set);
        let wanted = entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| course.step.is_none_or(|step| step == entry.step));
        let rank = |(index, entry): &(usize, &Entry<'_>)| {
            let seen = self.latest.get(&entry.key).copied();
            let is_recent = seen.is_some_and(|seen| seen + OTHERS > self.opened);
            let rank = match self.cards.get(&entry.key) {
                _ if current == Some(entry.key.as_str()) => (4, 0),
                Some(card) if card.is_due(today) && !is_recent => (0, i64::from(card.due)),
                None if !is_recent => (1, 0),
                Some(card) if card.is_due(today) => (2, seen.unwrap_or(0) as i64),
                Some(card) => (3, i64::from(card.due)),
                None => (2, seen.unwrap_or(0) as i64),
            };
            (rank, *index)
        };
        let (_, entry) = wanted.min_by_key(rank)?;
        let puzzle = match entry.source {
            Source::Pack(problem) => puzzles::of_problem(problem),
            Source::File(puzzle) => Some(puzzles::with_task(puzzle)),
        };
        Some((puzzle, entry.key.clone()))
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        self.cards.check_invariants();
        assert!(self.latest.len() <= MAX_CARDS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::cards::Outcome;

    const FIRST: Course = Course { set: SetId::Renju, step: Some(1) };

    #[test]
    fn the_pack_has_six_steps_for_each_rule() {
        let training = Training::default();
        for set in [SetId::Freestyle, SetId::Renju] {
            let steps = training.steps(set, 0);
            assert_eq!(steps.len(), 6);
            let all = Counts { total: problems::PER_STEP, solved: 0, due: 0 };
            assert!(steps.iter().all(|(_, counts)| *counts == all), "{steps:?}");
        }
        assert_eq!(training.steps(SetId::File, 0), [(0, Counts::default())]);
    }

    #[test]
    fn missed_problems_come_again_after_some_others_and_on_later_days() {
        let mut training = Training::default();
        let open = |training: &mut Training, current: Option<&str>, today| {
            puzzles::key(&training.next(FIRST, current, today).unwrap())
        };
        let missed = open(&mut training, None, 0);
        training.cards.record(&missed, Outcome::Missed, 0);
        let mut before = missed.clone();
        for _ in 0..OTHERS {
            let other = open(&mut training, Some(&before), 0);
            assert_ne!(other, missed);
            training.cards.record(&other, Outcome::Clean, 0);
            before = other;
        }
        assert_eq!(open(&mut training, Some(&before), 0), missed);
        training.cards.record(&missed, Outcome::Helped, 0);
        let due = |training: &Training, today| training.steps(SetId::Renju, today)[0].1.due;
        assert_eq!([0, 1, 2].map(|today| due(&training, today)), [0, 4, 4]);
        assert_eq!(training.steps(SetId::Renju, 0)[0].1.solved, 4);
        // Solved again and again, a problem rests longer and longer.
        for rest in [3, 7, 21, 60, 60] {
            training.cards.record(&missed, Outcome::Clean, 100);
            assert_eq!(training.cards.get(&missed).unwrap().due, 100 + rest);
        }
    }

    #[test]
    fn all_problems_of_the_pack_can_be_put_on_a_board() {
        for problem in problems::pack() {
            let puzzle = puzzles::of_problem(problem).unwrap();
            assert_eq!(puzzle.side, problem.side_to_move());
            assert_eq!(puzzles::key(&puzzle), puzzles::key_of_problem(problem));
        }
    }
}
