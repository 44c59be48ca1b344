//! The pack: problems with one right move and few stones first.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};

use kakugo_cli::run_file;
use kakugo_record::problems::{PER_STEP, Problem, Step};

use super::file::parse;
use super::kind::{Kind, RULES};

/// Returns the pack as text, chosen from the file of a run.
///
/// # Errors
/// Returns an error if the file cannot be read, or has too few problems of a step.
pub(super) fn pack(path: &Path) -> anyhow::Result<String> {
    let bytes = run_file::read(path)?;
    let name = path.display();
    let text = String::from_utf8(bytes).with_context(|| format!("{name}: not a text file"))?;
    let contents = parse(&text).with_context(|| name.to_string())?;
    let contents = contents.with_context(|| format!("{name}: no games"))?;
    let problems = contents.games.into_iter().flat_map(|game| game.problems).collect();
    let chosen = choose(problems);
    for rule in RULES {
        for step in Step::ALL {
            let is_of = |problem: &&Problem| problem.rule == rule && problem.step == step;
            let found = chosen.iter().filter(is_of).count();
            ensure!(
                found == PER_STEP,
                "{name}: {found} problems of {rule}, step {}, expected {PER_STEP}: play \
                 more games",
                step.number(),
            );
        }
    }
    Ok(chosen.iter().map(|problem| format!("{problem}\n")).collect())
}

/// Chooses at most [`PER_STEP`] problems of each rule and step, evenly among their kinds, in the
/// order of the pack.
fn choose(problems: Vec<Problem>) -> Vec<Problem> {
    let mut kinds: BTreeMap<Kind, Vec<Problem>> = BTreeMap::new();
    for problem in problems {
        kinds.entry(Kind::of(&problem)).or_default().push(problem);
    }
    let mut groups: BTreeMap<(usize, Step), Vec<Vec<Problem>>> = BTreeMap::new();
    for (kind, mut problems) in kinds {
        // The sort is stable.
        problems.sort_by_key(|problem| (problem.right.len(), problem.moves.len()));
        groups.entry(kind.rule_and_step()).or_default().push(problems);
    }
    groups.into_values().flat_map(|kinds| first_of_each(&kinds, PER_STEP)).collect()
}

/// Returns at most `count` elements: the first of each list, then the second, and so on; those of
/// the first list first.
fn first_of_each<T: Clone>(lists: &[Vec<T>], count: usize) -> Vec<T> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let ranks = (0..longest).flat_map(|rank| (0..lists.len()).map(move |list| (list, rank)));
    let exists = |&(list, rank): &(usize, usize)| rank < lists[list].len();
    let mut places: Vec<_> = ranks.filter(exists).take(count).collect();
    places.sort_unstable();
    places.into_iter().map(|(list, rank)| lists[list][rank].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_stones_come_first() {
        let problems = [
            "renju 1 h8a1i8a2j8a3k8a4 g8l8 1 g8",
            "freestyle 1 h8a1i8a2j8a3k8a4 g8l8 1 g8",
            "freestyle 1 h8a1i8a2j8a3k8a4o1o2 g8 1 g8",
            "freestyle 1 h8a1i8a2j8a3l8a4 k8 1 k8",
        ]
        .map(|text| text.parse().unwrap());
        let [renju, two_right, long, short] = problems.clone();
        assert_eq!(choose(problems.to_vec()), [short, long, two_right, renju]);
    }

    #[test]
    fn kinds_are_chosen_evenly() {
        let lists = [vec![1, 2, 3, 4], vec![10], vec![20, 21, 22]];
        assert_eq!(first_of_each(&lists, 5), [1, 2, 10, 20, 21]);
        assert_eq!(first_of_each(&lists, 100), [1, 2, 3, 4, 10, 20, 21, 22]);
        assert_eq!(first_of_each(&lists[..0], 3), [0; 0]);
    }
}
