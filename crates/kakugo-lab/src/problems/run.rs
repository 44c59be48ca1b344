//! A run: plays games and appends their problems to a file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use kakugo::board::{Board, Outcome, Point, Rule, Variant};
use kakugo_record::problems::{PER_STEP, Problem, SIZE, Step};

use super::file::{GameEntry, Writer};
use super::game::Player;
use super::grade::{self, Candidate};
use super::judge::Judge;
use super::kind::{Kind, RULES};
use super::pattern::{Mark, pattern};

/// Time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);
/// Problems have at least this number of stones.
const MIN_STONES: usize = 9;
/// Defences of a game that are judged at most. They take most of the time.
const MAX_DEFENCES: u32 = 2;

/// Plays until the file at `path` has enough problems or `games` games, or until `stop` is set.
pub(super) fn search(
    path: &Path,
    games: usize,
    seed: Option<u64>,
    stop: &AtomicBool,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    let name = path.display();
    let (mut file, contents) = Writer::open(path, seed).with_context(|| name.to_string())?;
    writeln!(output, "{name}: seed {}", contents.seed)?;
    let mut totals = Totals::default();
    contents.games.iter().for_each(|game| totals.add(game));
    let (mut player, mut judge) = (Player::new(), Judge::new());
    let mut reported = Instant::now();
    for number in contents.games.len()..games {
        if totals.is_complete() {
            break;
        }
        if stop.load(Ordering::Relaxed) {
            writeln!(output, "{totals}")?;
            writeln!(output, "stopped; run the same command to resume")?;
            return Ok(());
        }
        let rule = RULES[number % RULES.len()];
        let mut rng = rng(contents.seed, number);
        let moves = player.play(rule, &mut rng).context("a game has no moves")?;
        let game = look(&mut judge, rule, &moves, &totals, &mut rng);
        file.write(number, &game).with_context(|| name.to_string())?;
        totals.add(&game);
        if reported.elapsed() >= PROGRESS_INTERVAL {
            reported = Instant::now();
            writeln!(output, "{totals}")?;
        }
    }
    writeln!(output, "{totals}")?;
    Ok(())
}

/// Returns the random numbers of a game.
fn rng(seed: u64, number: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number as u64);
    rng
}

/// Looks for a problem in a game: at most one, because the next positions would repeat it.
fn look(
    judge: &mut Judge,
    rule: Rule,
    moves: &[Point],
    totals: &Totals,
    rng: &mut impl Rng,
) -> GameEntry {
    let mut game = GameEntry::default();
    let Ok(mut board) = Board::new(SIZE, SIZE, Variant::five(rule)) else { return game };
    judge.clear();
    let mut boards = Vec::new();
    for &p in moves {
        if board.play(p).is_err() || board.outcome() != Outcome::Ongoing {
            break;
        }
        boards.push(board.clone());
    }
    boards.drain(..boards.len().min(MIN_STONES - 1));
    boards.shuffle(rng);
    let mut defences = 0;
    for board in boards {
        let candidate = grade::candidate(judge, &board);
        let is_wanted = |candidate: &Candidate| candidate.kinds().any(|kind| totals.wants(kind));
        let Some(candidate) = candidate.filter(is_wanted) else { continue };
        if candidate.is_defence() {
            if defences == MAX_DEFENCES {
                continue;
            }
            defences += 1;
        }
        game.judged += 1;
        let problem = grade::prove(judge, &board, candidate);
        if let Some(problem) = problem.filter(|problem| totals.accepts(problem)) {
            game.problems.push(problem);
            break;
        }
    }
    game
}

/// Numbers of a run.
#[derive(Default)]
struct Totals {
    games: usize,
    judged: u32,
    kinds: BTreeMap<Kind, usize>,
    /// Problems by rule and step.
    steps: [[usize; Step::ALL.len()]; RULES.len()],
    patterns: BTreeSet<Vec<Mark>>,
}

impl Totals {
    fn add(&mut self, game: &GameEntry) {
        self.games += 1;
        self.judged += game.judged;
        for problem in &game.problems {
            self.patterns.insert(pattern(problem));
            *self.kinds.entry(Kind::of(problem)).or_default() += 1;
            if let Some(rule) = RULES.iter().position(|&rule| rule == problem.rule) {
                self.steps[rule][problem.step.number() - 1] += 1;
            }
        }
    }

    /// Returns true if more problems of this kind are needed.
    fn wants(&self, kind: Kind) -> bool {
        self.kinds.get(&kind).is_none_or(|&found| found < kind.wanted())
    }

    /// Returns true if the problem is needed and not a near duplicate.
    fn accepts(&self, problem: &Problem) -> bool {
        self.wants(Kind::of(problem)) && !self.patterns.contains(&pattern(problem))
    }

    /// Returns true if there are enough problems of every rule and step.
    fn is_complete(&self) -> bool {
        self.steps.iter().flatten().all(|&found| found >= PER_STEP)
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Totals { games, judged, steps, .. } = self;
        let found: usize = steps.iter().flatten().sum();
        write!(f, "{games} games, {judged} positions judged, {found} problems")?;
        for (rule, steps) in RULES.iter().zip(steps) {
            let steps = steps.map(|n| n.to_string()).join(" ");
            write!(f, "; {rule} {steps}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::choose;
    use super::*;

    fn play(file: &Path, games: usize, seed: Option<u64>) -> anyhow::Result<String> {
        let mut output = Vec::new();
        search(file, games, seed, &AtomicBool::new(false), &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    #[test]
    fn resumed_runs_write_identical_files() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.txt");
        let output = play(&whole, 2, Some(5)).unwrap();
        assert!(output.contains("seed 5\n2 games, "), "{output}");
        let expected = fs::read_to_string(&whole).unwrap();
        let again = folder.path().join("again.txt");
        for length in [0, expected.len() / 2, expected.len() - 2] {
            fs::write(&again, &expected[..length]).unwrap();
            play(&again, 2, Some(5)).unwrap();
            assert_eq!(fs::read_to_string(&again).unwrap(), expected);
        }
        let error = format!("{:#}", play(&again, 2, Some(4)).unwrap_err());
        assert!(error.contains("the file was started with --seed 5"), "{error}");
        let error = format!("{:#}", choose::pack(&again).unwrap_err());
        assert!(error.contains("play more games"), "{error}");
    }

    #[test]
    fn a_stopped_run_can_be_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stop.txt");
        let mut output = Vec::new();
        search(&file, 2, Some(1), &AtomicBool::new(true), &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert!(output.ends_with("stopped; run the same command to resume\n"), "{output}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "kakugo problems, seed 1\n");
    }
}
