//! Strength levels, from beginner to full strength.
//!
//! The weakest levels do not search. They rate each point by the patterns that a stone there makes
//! and prevents, with random errors, and overlook some points. The middle levels search few nodes
//! and choose among several good moves, with random errors added to the scores. The top level is
//! the full engine.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use rand::Rng;

use crate::board::{Board, Point};
use crate::eval::Evaluator;
use crate::position::Position;
use crate::promise::promise;
use crate::random;
use crate::score::Score;
use crate::search::{Answer, Engine, Limits, Report, Reporter, Signals};

/// A strength level, parsed from its number, `1` (beginner) to `10` (full strength).
///
/// [`Engine::best_move_at_level`](crate::Engine::best_move_at_level) plays at a level.
///
/// ```
/// use kakugo::Level;
///
/// let level: Level = "4".parse()?;
/// assert_eq!((level.number(), level.name), (4, "Casual"));
/// assert_eq!(Level::default().name, "Full strength");
/// assert!("11".parse::<Level>().is_err());
/// # Ok::<(), kakugo::UnknownLevel>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// Name of the level, such as `Beginner`.
    pub name: &'static str,
    /// Measured rating, in Elo above level 1.
    pub rating: i32,
    strength: Strength,
}

/// The kind and size of a level's weakness.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Strength {
    /// A rating of every point without search. `blind`: per cent of the points that are overlooked;
    /// `blur`: typical error of a rating, in the units of [`promise`] (an open three counts 140).
    Glance { blind: u32, blur: f64 },
    /// A short search. `blur`: typical error of a score.
    Search { nodes: u64, blur: f64 },
    /// The full engine.
    Full,
}

/// All levels, weakest first; level numbers count from 1.
///
/// The ratings are measured in matches between neighbours, freestyle 15x15 (`pbrain-kakugo match
/// --engine "self --level 1" --engine "self --level 2" --each turn=5s --openings balanced:200
/// --seed 5 --games 200`). The differences add up from level 1, which has 0. Each pair up to level
/// 8 played 200 games (error of each difference 41 to 90), level 9 played 60 (error 129). The
/// ratings of levels 5 to 9 are from November 26th 2026, measured with networks. The difference of
/// level 10 (40 games at 1 s per move, error 85) was measured without networks; it depends on the
/// CPU and the time per move.
pub const LEVELS: [Level; 10] = [
    level("Beginner", 0, Strength::Glance { blind: 30, blur: 500.0 }),
    level("Novice", 295, Strength::Glance { blind: 18, blur: 300.0 }),
    level("Learner", 633, Strength::Glance { blind: 8, blur: 150.0 }),
    level("Casual", 1_015, Strength::Glance { blind: 2, blur: 50.0 }),
    level("Club player", 1_417, Strength::Search { nodes: 60, blur: 200.0 }),
    level("Strong club player", 1_627, Strength::Search { nodes: 1_500, blur: 40.0 }),
    level("Expert", 1_981, Strength::Search { nodes: 8_000, blur: 25.0 }),
    level("Master", 2_248, Strength::Search { nodes: 40_000, blur: 12.0 }),
    level("Grandmaster", 2_586, Strength::Search { nodes: 250_000, blur: 5.0 }),
    level("Full strength", 2_713, Strength::Full),
];

const fn level(name: &'static str, rating: i32, strength: Strength) -> Level {
    Level { name, rating, strength }
}

/// The number of the strongest level.
pub const FULL: usize = LEVELS.len();

/// Number of lines among which a level with a search chooses.
const CHOICE: usize = 5;

/// A text that is not the number of a [`Level`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid level: expected 1 to {FULL}")
    }
}

impl Error for UnknownLevel {}

/// The number of a level, from 1.
impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(number: &str) -> Result<Level, UnknownLevel> {
        number.parse().ok().and_then(Level::of).ok_or(UnknownLevel)
    }
}

/// Full strength.
impl Default for Level {
    fn default() -> Level {
        LEVELS[FULL - 1]
    }
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 10] = LEVELS;

    /// Returns the level with this number, from 1; `None` if there is none.
    pub fn of(number: usize) -> Option<Level> {
        LEVELS.get(number.checked_sub(1)?).copied()
    }

    /// Returns the number of the level, from 1.
    pub fn number(self) -> usize {
        LEVELS.iter().position(|level| *level == self).map_or(FULL, |index| index + 1)
    }
}

internal! {
    impl Level {
        /// Returns the move of this level. `limits` bound the search; the level may end it sooner.
        pub fn think(
            self,
            engine: &mut Engine,
            board: &Board,
            limits: &Limits,
            signals: &Signals,
            reporter: &mut dyn Reporter,
            random: &mut impl Rng,
        ) -> Answer {
            match self.strength {
                Strength::Full => engine.think(board, limits, signals, reporter),
                Strength::Glance { blind, blur } => match glance(board, limits, blind, blur, random) {
                    Some(answer) => {
                        reporter.report(&seen(&answer, limits));
                        answer
                    }
                    None => engine.think(board, limits, signals, reporter),
                },
                Strength::Search { nodes, blur } => {
                    let max_nodes = Some(limits.max_nodes.map_or(nodes, |limit| limit.min(nodes)));
                    let mut collector =
                        LineCollector { reporter, wanted: limits.multi_pv, lines: Vec::new() };
                    let multi_pv = limits.multi_pv.max(CHOICE);
                    let fill_lines = limits.multi_pv > 1;
                    let limits = Limits { max_nodes, multi_pv, fill_lines, ..limits.clone() };
                    // Nothing remembered from stronger searches of the same board.
                    engine.clear();
                    let answer = engine.think(board, &limits, signals, &mut collector);
                    collector.choose(answer, blur, random)
                }
            }
        }
    }
}

/// Returns the point with the best rating as a report, if there is no time for a search; `None` if
/// no point can be played.
pub fn at_a_glance(board: &Board, limits: &Limits) -> Option<Report> {
    let answer = glance(board, limits, 0, 0.0, &mut random::rng())?;
    Some(seen(&answer, limits))
}

/// Returns the report of an answer without search.
fn seen(answer: &Answer, limits: &Limits) -> Report {
    let &Answer { score, depth, nodes, ref pv, .. } = answer;
    Report { depth, seldepth: depth, nodes, ..unsearched(score, pv.clone(), limits) }
}

/// Returns the report of a line that was not searched.
pub fn unsearched(score: Score, pv: Vec<Point>, limits: &Limits) -> Report {
    let elapsed = limits.start.elapsed();
    Report { line: 0, depth: 0, seldepth: 0, score, nodes: 0, elapsed, pv }
}

/// Chooses by the ratings of all points near the stones, or of all points if none of those can be
/// played; `None` if none can. The score is classical, because loading a network takes time.
fn glance(
    board: &Board,
    limits: &Limits,
    blind: u32,
    blur: f64,
    random: &mut impl Rng,
) -> Option<Answer> {
    let position = Position::new(board);
    let centre = Point::new(board.width() / 2, board.height() / 2)?;
    let near = |p: &Point| {
        if board.ply() == 0 { p.distance(centre) <= 2 } else { position.near().contains(*p) }
    };
    let mut candidates: Vec<Point> =
        board.empty_points().filter(|&p| limits.allows(p) && position.is_legal(p)).collect();
    if candidates.iter().any(near) {
        candidates.retain(near);
    }
    let judged = candidates.iter().map(|&p| {
        let seen = random.random_range(0..100) >= blind;
        let value = if seen { promise(&position, p) } else { 0.0 };
        (p, value + misjudgement(blur, random))
    });
    // Of equal points, as on an empty board, the one nearest to the centre.
    let away = |p: Point| p.distance(centre);
    let (best, _) =
        judged.max_by(|a, b| a.1.total_cmp(&b.1).then_with(|| away(b.0).cmp(&away(a.0))))?;
    let score = Evaluator::classical(&position).evaluate(&position);
    let (pv, root_nodes) = (vec![best], Vec::new());
    Some(Answer { best: Some(best), score, depth: 0, nodes: 0, pv, root_nodes })
}

/// Returns a random error around zero of about `typical` size: the sum of three uniform numbers,
/// nearly a normal distribution.
fn misjudgement(typical: f64, random: &mut impl Rng) -> f64 {
    (0..3).map(|_| random.random_range(-1.0..1.0)).sum::<f64>() * typical
}

/// Forwards reports and keeps the latest line of each rank.
struct LineCollector<'a> {
    reporter: &'a mut dyn Reporter,
    /// Requested number of lines.
    wanted: usize,
    lines: Vec<Report>,
}

impl Reporter for LineCollector<'_> {
    fn report(&mut self, report: &Report) {
        if report.line == 0 {
            self.lines.clear();
        }
        self.lines.push(report.clone());
        if report.line < self.wanted.max(1) {
            self.reporter.report(report);
        }
    }
}

impl LineCollector<'_> {
    /// Returns the line that is best after a random error is added to each score. If one line is
    /// wanted, it is reported last.
    fn choose(self, answer: Answer, blur: f64, random: &mut impl Rng) -> Answer {
        let judged = self.lines.into_iter().take(CHOICE).map(|line| {
            let seen = f64::from(line.score.value()) + misjudgement(blur, random);
            (seen, line)
        });
        let chosen = judged.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, line)| line);
        let Some(line) = chosen.filter(|line| answer.best.is_some() && !line.pv.is_empty()) else {
            return answer;
        };
        if line.line > 0 && self.wanted <= 1 {
            self.reporter.report(&Report { line: 0, ..line.clone() });
        }
        Answer { best: Some(line.pv[0]), score: line.score, pv: line.pv, ..answer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Outcome, Side, Variant};
    use crate::search::Silent;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn ratings_count_from_the_first_level_and_rise() {
        let ratings: Vec<i32> = LEVELS.iter().map(|level| level.rating).collect();
        assert_eq!(ratings[0], 0);
        assert!(ratings.is_sorted_by(|a, b| a < b), "{ratings:?}");
    }

    #[test]
    fn a_glance_finds_a_point_wherever_one_can_be_played() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let centre = Point::new(7, 7).unwrap();
        let near: Vec<Point> = board.empty_points().filter(|p| p.distance(centre) <= 2).collect();
        near.into_iter().for_each(|p| board.block(p).unwrap());
        let report = at_a_glance(&board, &Limits::default()).unwrap();
        assert!(board.is_empty(report.pv[0]), "{report:?}");
        let all: Vec<Point> = board.empty_points().collect();
        all.into_iter().for_each(|p| board.block(p).unwrap());
        assert!(at_a_glance(&board, &Limits::default()).is_none());
    }

    fn winner(levels: [usize; 2], seed: u64) -> Option<Side> {
        let mut random = StdRng::seed_from_u64(seed);
        let mut engine = Engine::new(1 << 20);
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        while board.outcome() == Outcome::Ongoing {
            let level = Level::of(levels[board.side_to_move().index()]).unwrap();
            let limits = Limits { max_nodes: Some(2_000), ..Limits::default() };
            let answer = level.think(
                &mut engine,
                &board,
                &limits,
                &Signals::default(),
                &mut Silent,
                &mut random,
            );
            board.play(answer.best.unwrap()).unwrap();
        }
        match board.outcome() {
            Outcome::Win(side) => Some(side),
            _ => None,
        }
    }

    #[test]
    fn a_much_higher_level_wins() {
        let games = (0..6).map(|seed| {
            let (levels, strong) =
                if seed % 2 == 0 { ([1, 7], Side::White) } else { ([7, 1], Side::Black) };
            usize::from(winner(levels, seed) == Some(strong))
        });
        let wins: usize = games.sum();
        assert!(wins >= 5, "level 7 won only {wins} of 6 games against level 1");
    }

    /// The first line reported last.
    struct Last(Option<Report>);

    impl Reporter for Last {
        fn report(&mut self, report: &Report) {
            if report.line == 0 {
                self.0 = Some(report.clone());
            }
        }
    }

    #[test]
    fn the_move_that_is_played_is_reported_last() {
        let mut random = StdRng::seed_from_u64(3);
        let mut engine = Engine::new(1 << 20);
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let mut others = 0;
        for ply in 0..12 {
            let level = LEVELS[4];
            let limits = Limits { max_nodes: Some(1_000), ..Limits::default() };
            let (mut last, signals) = (Last(None), Signals::default());
            let answer =
                level.think(&mut engine, &board, &limits, &signals, &mut last, &mut random);
            let report = last.0.expect("a report");
            assert_eq!((report.pv.first().copied(), report.score), (answer.best, answer.score));
            let best = engine.think(&board, &limits, &signals, &mut Silent).best;
            others += usize::from(best != answer.best);
            board.play(answer.best.unwrap()).unwrap_or_else(|error| panic!("ply {ply}: {error}"));
            if board.outcome() != Outcome::Ongoing {
                break;
            }
        }
        assert!(others > 0, "it always chose the best line");
    }

    #[test]
    fn every_level_moves_on_every_kind_of_board() {
        let mut random = StdRng::seed_from_u64(7);
        let mut engine = Engine::new(1 << 20);
        for variant in [Variant::RENJU, Variant::CARO, Variant::FREESTYLE] {
            let mut board = Board::new(5, 4, variant).unwrap();
            while board.outcome() == Outcome::Ongoing {
                let level = LEVELS[board.ply() % FULL];
                let limits = Limits { max_nodes: Some(300), ..Limits::default() };
                let signals = Signals::default();
                let answer =
                    level.think(&mut engine, &board, &limits, &signals, &mut Silent, &mut random);
                board.play(answer.best.expect("a move while there is room")).unwrap();
            }
        }
    }
}
