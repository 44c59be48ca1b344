//! Parallel search ("lazy SMP").
//!
//! All threads search the same root and share only the transposition table. The caller's thread is
//! the main thread: only it reports and has time limits, and all helpers stop when it is done.
//! Helpers skip depths, each in a pattern of its own (Stockfish), so that they search ahead of the
//! main thread and apart from each other.
//!
//! In the end every thread votes for its best move. A proven win needs no vote, and ends the search
//! in whichever thread it is found.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::balance::{Balance, BalanceSearch};
use super::control::Control;
use super::limits::Limits;
use super::proven_line::KnownWin;
use super::report::{Answer, Report, Reporter, Silent};
use super::root::Root;
use super::searcher::Searcher;
use super::signals::Signals;
use super::spawner::Spawner;
use super::thread_data::ThreadData;
use super::time::{Clock, Lag};
use super::tt::TranspositionTable;
use crate::board::Board;
use crate::clock::Instant;
use crate::eval::Evaluator;
use crate::eval::network::Networks;
use crate::position::Position;
use crate::score::Score;

/// Weight of the vote of the thread with the lowest score, in score units.
const MIN_VOTE: i32 = 15;

/// A search by several threads.
#[derive(Clone, Copy)]
pub struct SearchThreads<'a> {
    /// The root position.
    pub board: &'a Board,
    /// The source of helper threads.
    pub spawner: &'a dyn Spawner,
    /// The shared transposition table.
    pub tt: &'a TranspositionTable,
    /// The networks to evaluate with.
    pub networks: &'a Networks,
    /// Limits of the search.
    pub limits: &'a Limits,
    /// Signals to stop it.
    pub signals: &'a Signals,
    /// Lag of earlier searches.
    pub lag: Lag,
    /// A win that an earlier search has proven.
    pub known: Option<&'a KnownWin>,
}

impl<'a> SearchThreads<'a> {
    /// Searches with the caller's thread, which uses `main`, and one helper thread for each of
    /// `helpers`. Returns the answer and the observed lag.
    pub fn run(
        self,
        main: &mut ThreadData,
        helpers: &mut [ThreadData],
        reporter: &mut dyn Reporter,
    ) -> (Answer, Duration) {
        let finished = AtomicBool::new(false);
        let searcher = self.searcher(main, &finished, self.limits, self.lag);
        let mut root = Root::new(searcher, self.limits, self.known, reporter);
        if helpers.is_empty() {
            return (root.run(|| {}), root.lag());
        }
        let mut votes: Vec<Option<Answer>> = vec![None; helpers.len()];
        let finished = &finished;
        let mut idle = (1..).zip(helpers).zip(&mut votes);
        let mut done = None;
        self.spawner.scope(&mut |start| {
            // The helpers must stop even if this closure panics, because the scope waits for them.
            let finish = SetOnDrop(finished);
            let answer = root.run(|| {
                for ((number, data), vote) in &mut idle {
                    let work = move || *vote = self.help(number, data, finished);
                    // Without a thread for it, the search continues with fewer threads.
                    if !start(Box::new(work)) {
                        break;
                    }
                }
            });
            drop(finish);
            done = Some((answer, Instant::now()));
        });
        // A spawner that calls nothing costs the helpers only.
        let Some((answer, ended)) = done else { return (root.run(|| {}), root.lag()) };
        let wait = ended.elapsed();
        // A thread that panicked has no vote.
        let mut votes: Vec<Answer> = votes.into_iter().flatten().collect();
        votes.retain(|vote| !vote.best.is_some_and(|p| root.is_refuted(p)));
        let (lag, lost) = (root.lag().max(wait), answer.score.is_loss() && !root.is_stopped());
        (self.vote(answer, lost, votes, reporter), lag)
    }

    /// Searches for balanced stones with the caller's thread. Returns the answer and the observed
    /// lag.
    pub fn run_balance(
        self,
        balance: Balance,
        main: &mut ThreadData,
        reporter: &mut dyn Reporter,
    ) -> (Answer, Duration) {
        let finished = AtomicBool::new(false);
        let searcher = self.searcher(main, &finished, self.limits, self.lag);
        let mut search = BalanceSearch::new(searcher, balance, self.limits, reporter);
        (search.run(), search.lag())
    }

    /// Searches on the helper thread with this number (from 1), and returns its vote.
    fn help(self, number: usize, data: &mut ThreadData, finished: &AtomicBool) -> Option<Answer> {
        let &Limits { start, max_depth, max_nodes, only, without, .. } = self.limits;
        let limits = Limits { start, max_depth, max_nodes, only, without, ..Limits::default() };
        let searcher = self.searcher(data, finished, &limits, Lag::default());
        let found = Root::new(searcher, &limits, None, &mut Silent)
            .run_helper(|depth| skips_depth(number, depth));
        // In multi-PV mode, the main thread still searches the other lines.
        if self.limits.multi_pv <= 1 && found.as_ref().is_some_and(|f| f.score.is_win()) {
            finished.store(true, Ordering::Relaxed);
        }
        found
    }

    /// Creates the searcher of one thread.
    fn searcher<'b>(
        self,
        data: &'b mut ThreadData,
        finished: &'b AtomicBool,
        limits: &Limits,
        lag: Lag,
    ) -> Searcher<'b>
    where
        'a: 'b,
    {
        let position = Position::new(self.board);
        let evaluator = Evaluator::with_network(&position, self.networks.for_board(self.board));
        // The clock comes last: what the searcher takes to create is not scheduling lag.
        let control = Control::new(limits, self.signals, finished, Clock::new(limits, lag));
        Searcher::new(position, evaluator, self.tt, control, data)
    }

    /// Returns the answer of all threads: of the main thread (`own`) and the helpers (`votes`). If
    /// the main thread has proven that all moves lose, its answer is the longest defence.
    fn vote(
        self,
        own: Answer,
        lost: bool,
        votes: Vec<Answer>,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        let nodes = self.signals.nodes();
        if votes.is_empty() || lost || self.limits.multi_pv > 1 {
            return Answer { nodes, ..own };
        }
        let mut answers = vec![own];
        answers.extend(votes);
        let elected = elect(&answers);
        let answer = Answer { nodes, ..answers.swap_remove(elected) };
        if elected != 0 {
            reporter.report(&Report::of(&answer, self.limits.start.elapsed()));
        }
        answer
    }
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Returns `true` if the helper thread with this number (from 1) skips a depth. Each searches and
/// skips runs of equal length in turn. Two helpers have runs of one depth, the next four have runs
/// of two, and so on, so all patterns differ.
fn skips_depth(number: usize, depth: u32) -> bool {
    let (mut run, mut phase) = (1, number.saturating_sub(1));
    while phase >= 2 * run {
        phase -= 2 * run;
        run += 1;
    }
    (depth as usize + phase) / run % 2 == 1
}

/// Returns the index of the best answer: the shortest win, else the move with the most votes. Ties
/// fall to the earlier answer.
fn elect(answers: &[Answer]) -> usize {
    let first_of = |key: &dyn Fn(&Answer) -> (i64, Score)| {
        (0..answers.len()).min_by_key(|&i| Reverse(key(&answers[i]))).unwrap_or(0)
    };
    if answers.iter().any(|answer| answer.score.is_win()) {
        return first_of(&|answer| (0, answer.score));
    }
    // Clamp losses, so that the distance to the lowest score stays moderate.
    let value = |answer: &Answer| i64::from(Score::from_eval(answer.score.value()).value());
    let lowest = answers.iter().map(value).min().unwrap_or(0);
    let weight =
        |answer: &Answer| (value(answer) - lowest + i64::from(MIN_VOTE)) * i64::from(answer.depth);
    let votes = |best| answers.iter().filter(|a| a.best == best).map(weight).sum::<i64>();
    let best = answers[first_of(&|answer| (votes(answer.best), Score::ZERO))].best;
    first_of(&|answer| {
        let depth = if answer.best == best { i64::from(answer.depth) } else { -1 };
        (depth, answer.score)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread::{self, scope};

    use super::*;
    use crate::board::{Point, Rule, Variant};
    use crate::search::Engine;

    /// Far more than the lag of a loaded machine.
    const SLACK: Duration = Duration::from_secs(20);

    fn board(stones: &[(u8, u8)]) -> Board {
        let mut board = Board::new(15, 15, Variant::five(Rule::Freestyle)).unwrap();
        stones.iter().for_each(|&(x, y)| board.play(Point::new(x, y).unwrap()).unwrap());
        board
    }

    fn middle_game() -> Board {
        board(&[(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)])
    }

    fn engine(threads: usize) -> Engine {
        let mut engine = Engine::new(1 << 22);
        engine.set_threads(threads);
        engine
    }

    fn nodes(n: u64) -> Limits {
        Limits { max_nodes: Some(n), ..Limits::default() }
    }

    fn answer(x: u8, score: i32, depth: u32) -> Answer {
        let best = Point::new(x, 0);
        let pv = best.into_iter().collect();
        Answer {
            best,
            score: Score::from_value(score),
            depth,
            nodes: 0,
            pv,
            root_nodes: Vec::new(),
        }
    }

    #[test]
    fn the_shortest_win_is_elected() {
        let win = |x, plies| answer(x, Score::win_in(plies).value(), 5);
        assert_eq!(elect(&[answer(1, 300, 20), win(2, 9), win(3, 7), answer(1, 300, 20)]), 2);
        assert_eq!(elect(&[win(1, 7), win(2, 7)]), 0);
    }

    #[test]
    fn most_votes_elect_a_move_and_the_deepest_answer_represents_it() {
        assert_eq!(elect(&[answer(1, 10, 9), answer(2, 0, 9), answer(2, 0, 10)]), 2);
        assert_eq!(elect(&[answer(1, 60, 10), answer(2, 0, 10), answer(2, 0, 10)]), 0);
        assert_eq!(elect(&[answer(1, 0, 8), answer(2, 0, 10)]), 1);
        assert_eq!(elect(&[answer(1, 0, 8), answer(2, 0, 8)]), 0);
        assert_eq!(elect(&[answer(1, 0, 8)]), 0);
    }

    #[test]
    fn threads_without_iterations_or_with_a_loss_are_outvoted() {
        assert_eq!(elect(&[answer(1, 500, 0), answer(2, -40, 1)]), 1);
        let loss = Score::loss_in(6).value();
        assert_eq!(elect(&[answer(1, loss, 12), answer(2, -40, 9), answer(3, -45, 10)]), 2);
    }

    #[test]
    fn each_helper_skips_half_of_the_depths_in_its_own_pattern() {
        let pattern = |number| (1..=60).map(|depth| skips_depth(number, depth)).collect::<Vec<_>>();
        let patterns: HashSet<_> = (1..=12).map(pattern).collect();
        assert_eq!(patterns.len(), 12);
        for number in 1..=12 {
            let skipped = pattern(number).into_iter().filter(|&skipped| skipped).count();
            assert!((27..=33).contains(&skipped), "{number}: {skipped}");
        }
    }

    #[test]
    fn one_thread_is_deterministic_even_after_several() {
        let think = |engine: &mut Engine| {
            let answer =
                engine.think(&middle_game(), &nodes(5000), &Signals::default(), &mut Silent);
            (answer.pv, answer.score, answer.depth, answer.nodes)
        };
        let mut used = engine(3);
        think(&mut used);
        used.set_threads(1);
        used.clear();
        assert_eq!(think(&mut used), think(&mut engine(1)));
    }

    #[test]
    fn the_node_limit_bounds_all_threads_together() {
        for threads in [1, 2, 4] {
            let signals = Signals::default();
            let answer =
                engine(threads).think(&middle_game(), &nodes(30_000), &signals, &mut Silent);
            assert!((30_000..36_000).contains(&answer.nodes), "{threads}: {}", answer.nodes);
            assert_eq!(answer.nodes, signals.nodes());
            assert_eq!(answer.pv.first(), answer.best.as_ref());
        }
    }

    #[test]
    fn the_clock_ends_all_threads() {
        for threads in [2, 4] {
            let limits = Limits { turn: Some(Duration::from_millis(300)), ..Limits::default() };
            let signals = Signals::default();
            let answer = engine(threads).think(&middle_game(), &limits, &signals, &mut Silent);
            assert!(limits.start.elapsed() < SLACK);
            assert!(middle_game().is_empty(answer.best.unwrap()));
        }
    }

    #[test]
    fn a_signal_ends_all_threads() {
        for threads in [2, 4] {
            let (signals, board) = (Signals::default(), middle_game());
            let waited = scope(|scope| {
                let stopping = scope.spawn(|| {
                    thread::sleep(Duration::from_millis(300));
                    signals.stop();
                    Instant::now()
                });
                let limits = Limits { multi_pv: 3, ..Limits::default() };
                let answer = engine(threads).think(&board, &limits, &signals, &mut Silent);
                assert!(answer.best.is_some() && answer.nodes > 0);
                stopping.join().unwrap().elapsed()
            });
            assert!(waited < SLACK);
        }
    }

    #[test]
    fn a_win_is_found_and_ends_the_search() {
        // Two pairs that cross: a double three is to come.
        let board = board(&[(7, 7), (0, 0), (8, 8), (14, 0), (7, 9), (0, 14), (9, 6), (14, 14)]);
        for threads in [1, 2, 4] {
            let mut last = Last::default();
            let answer =
                engine(threads).think(&board, &nodes(3_000_000), &Signals::default(), &mut last);
            assert!(answer.score.is_win(), "{threads}: {:?}", answer.score);
            assert!(answer.nodes < 3_000_000);
            assert_eq!(last.pv, answer.pv, "the move played was reported");
        }
    }

    #[test]
    fn the_last_report_is_the_answer_with_all_nodes() {
        for limit in [1, 500, 5_000, 20_000] {
            let mut last = Last::default();
            let answer =
                engine(1).think(&middle_game(), &nodes(limit), &Signals::default(), &mut last);
            assert_eq!((last.nodes, last.depth), (answer.nodes, answer.depth), "{limit}");
            assert_eq!((last.pv, last.score), (answer.pv, Some(answer.score)), "{limit}");
        }
    }

    /// Stores the last report.
    #[derive(Default)]
    struct Last {
        pv: Vec<Point>,
        score: Option<Score>,
        depth: u32,
        nodes: u64,
    }

    impl Reporter for Last {
        fn report(&mut self, report: &Report) {
            self.pv = report.pv.clone();
            self.score = Some(report.score);
            (self.depth, self.nodes) = (report.depth, report.nodes);
        }
    }

    #[test]
    fn a_panic_of_the_reporter_stops_all_threads() {
        struct Panics;
        impl Reporter for Panics {
            fn report(&mut self, _: &Report) {
                panic!("as expected");
            }
        }
        let thread = thread::spawn(|| {
            engine(2).think(&middle_game(), &Limits::default(), &Signals::default(), &mut Panics)
        });
        assert!(thread.join().is_err());
    }
}
