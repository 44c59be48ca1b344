//! The engine: everything that outlives a search.

use std::fmt;
use std::sync::atomic::Ordering;

use crate::board::Board;
use crate::eval::Evaluator;
use crate::eval::network::Networks;
use crate::position::Position;
use crate::score::Score;

use super::balance::Balance;
use super::limits::Limits;
use super::proven_line::{KnownWin, ProvenLine};
use super::report::{Answer, Report, Reporter};
use super::signals::Signals;
use super::spawner::{Spawner, StdThreads};
use super::thread_data::ThreadData;
use super::threads::SearchThreads;
use super::time::Lag;
use super::tt::TranspositionTable;

/// A search engine: the transposition table, the histories and the settings that outlive a move.
pub struct Engine {
    tt: TranspositionTable,
    hash_bytes: usize,
    networks: Networks,
    /// Data of the main thread.
    data: ThreadData,
    /// Data of each helper thread.
    helpers: Vec<ThreadData>,
    /// The source of helper threads.
    spawner: &'static dyn Spawner,
    /// Lag of earlier searches.
    lag: Lag,
    /// The win or loss that was proven last.
    proven: Option<ProvenLine>,
}

impl Engine {
    /// Creates an engine with one thread and a transposition table of at most `hash_bytes` bytes.
    pub fn new(hash_bytes: usize) -> Engine {
        Engine {
            tt: TranspositionTable::new(hash_bytes),
            hash_bytes,
            networks: Networks::default(),
            data: ThreadData::default(),
            helpers: Vec::new(),
            spawner: &StdThreads,
            lag: Lag::default(),
            proven: None,
        }
    }

    /// Resizes the transposition table, in bytes. It is cleared if its size changes.
    pub fn set_hash_bytes(&mut self, bytes: usize) {
        if bytes != self.hash_bytes {
            // Free the old memory before the new is allocated.
            self.tt = TranspositionTable::new(0);
            self.tt = TranspositionTable::new(bytes);
            self.hash_bytes = bytes;
        }
    }

    /// Sets the number of search threads (at least 1). With one thread and limits on depth or
    /// nodes, searches are deterministic.
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers.resize_with(threads.saturating_sub(1), ThreadData::default);
    }

    /// Clears the transposition table and all histories, for a new game.
    pub fn clear(&mut self) {
        self.tt.clear();
        self.data = ThreadData::default();
        self.helpers.fill_with(ThreadData::default);
        self.proven = None;
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("hash_bytes", &self.hash_bytes)
            .field("threads", &(self.helpers.len() + 1))
            .finish_non_exhaustive()
    }
}

internal! { impl Engine {
    /// Sets the networks to evaluate with. Clears the engine if they change.
    pub fn set_networks(&mut self, networks: &Networks) {
        if *networks != self.networks {
            self.networks = networks.clone();
            self.clear();
        }
    }

    /// Sets the source of helper threads. The default is threads of the standard library.
    pub fn set_spawner(&mut self, spawner: &'static dyn Spawner) {
        self.spawner = spawner;
    }

    /// Prepares the first search on `board`: builds the tables of its rule and, if `memory`,
    /// touches the memory of the transposition table. Returns when it is done or stopped; another
    /// call continues. Does not change the results of searches.
    pub fn prepare(&mut self, board: &Board, memory: bool, signals: &Signals) {
        let position = Position::new(board);
        Evaluator::with_network(&position, self.networks.for_board(board));
        self.tt.touch(|| !memory || signals.is_stopped());
    }

    /// Returns the scheduling lag that the latest searches observed.
    pub fn lag(&self) -> Lag {
        self.lag
    }

    /// Searches for the best move of the side to move.
    pub fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        self.age(signals);
        let known = self.known_win(board, limits);
        let (tt, networks, known) = (&self.tt, &self.networks, known.as_ref());
        let (spawner, lag) = (self.spawner, self.lag);
        let threads = SearchThreads { board, spawner, tt, networks, limits, signals, lag, known };
        let (mut answer, gap) = threads.run(&mut self.data, &mut self.helpers, reporter);
        self.lag.observe(gap, limits.start.elapsed());
        if let Some(loss) = known.and_then(|known| known_loss(&answer, board, known)) {
            // The scores of several lines stay comparable.
            if limits.multi_pv <= 1 {
                answer.score = loss;
                reporter.report(&Report::of(&answer, limits.start.elapsed()));
            }
        } else if limits.allowed().is_none() {
            self.proven = ProvenLine::of(board, &answer).or(self.proven.take());
        }
        answer
    }

    /// Searches for the stones after which the position is closest to a score. The principal
    /// variation starts with them; it is empty if there are not enough points.
    pub fn think_balance(
        &mut self,
        board: &Board,
        balance: Balance,
        limits: &Limits,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        self.age(signals);
        let (tt, networks, known) = (&self.tt, &self.networks, None);
        let (spawner, lag) = (self.spawner, self.lag);
        let threads = SearchThreads { board, spawner, tt, networks, limits, signals, lag, known };
        let (answer, gap) = threads.run_balance(balance, &mut self.data, reporter);
        self.lag.observe(gap, limits.start.elapsed());
        answer
    }
} }

/// Returns the score of the loss by the win known to the opponent, if the answer's loss is longer
/// or the search has not seen it.
fn known_loss(answer: &Answer, board: &Board, known: &KnownWin) -> Option<Score> {
    let loss = Score::loss_in(known.plies);
    let is_longer = answer.score.is_loss() && answer.score > loss;
    let is_unseen = !answer.score.is_decided() && !known.line.is_empty();
    let applies = known.winner != board.side_to_move() && (is_longer || is_unseen);
    applies.then_some(loss)
}

impl Engine {
    /// Returns the win in a position that an earlier search has proven.
    fn known_win(&self, board: &Board, limits: &Limits) -> Option<KnownWin> {
        let proven = self.proven.as_ref().filter(|_| limits.allowed().is_none())?;
        proven.at(board)
    }

    /// Ages the data of earlier searches and resets the node counter.
    fn age(&mut self, signals: &Signals) {
        self.tt.next_generation();
        self.data.age();
        self.helpers.iter_mut().for_each(ThreadData::age);
        signals.nodes.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::board::{Outcome, Point, Rule, Side, Variant};
    use crate::score::Score;
    use crate::search::Silent;
    use crate::search::eval_cache::EvalCache;

    #[test]
    fn a_side_with_only_forbidden_points_loses() {
        // Empty points: the middle of an overline of Black, and two points beside a white stone.
        let at = |x, y| Point::new(x, y).unwrap();
        let mut board = Board::new(15, 15, Variant::five(Rule::Renju)).unwrap();
        for x in [0, 1, 2, 4, 5, 6] {
            board.place(at(x, 0), Side::Black).unwrap();
        }
        board.place(at(1, 5), Side::White).unwrap();
        board.place(at(13, 9), Side::White).unwrap();
        let free = [at(3, 0), at(0, 5), at(14, 9)];
        let rest: Vec<_> = board.empty_points().filter(|p| !free.contains(p)).collect();
        rest.into_iter().for_each(|p| board.block(p).unwrap());
        for (side, first) in [(Side::Black, None), (Side::White, Some(free[1]))] {
            let mut board = board.clone();
            if let Some(p) = first {
                board.place(p, Side::Black).unwrap();
            }
            board.set_side_to_move(side);
            let answer = Engine::new(1 << 16).think(
                &board,
                &Limits::default(),
                &Signals::default(),
                &mut Silent,
            );
            let decided = if side == Side::Black { Score::loss_in(4) } else { Score::win_in(3) };
            assert_eq!(answer.score, decided, "{side:?}");
            assert_ne!(answer.best, Some(free[0]));
        }
        // Without the legal points, the last one loses at once; a line for each is reported.
        free[1..].iter().for_each(|&p| board.block(p).unwrap());
        board.set_side_to_move(Side::Black);
        let answer = Engine::new(1 << 16).think(
            &board,
            &Limits { multi_pv: 3, ..Limits::default() },
            &Signals::default(),
            &mut Silent,
        );
        assert_eq!((answer.best, answer.score), (Some(free[0]), Score::loss_in(2)));
    }

    /// Returns a board with random stones near the centre.
    fn opening(rng: &mut StdRng, variant: Variant, stones: usize) -> Board {
        let mut board = Board::new(15, 15, variant).unwrap();
        while board.ply() < stones {
            let p = Point::new(rng.random_range(4..11), rng.random_range(4..11)).unwrap();
            let side = board.side_to_move();
            let is_quiet = !board.makes_five(p, side) && board.foul(p, side).is_none();
            if board.is_empty(p) && is_quiet {
                board.play(p).unwrap();
            }
        }
        board
    }

    /// The loser of a known win may look for several lines.
    #[test]
    fn the_score_is_that_of_the_best_of_several_lines() {
        let (mut rng, mut won) = (StdRng::seed_from_u64(8), 0);
        let mut engine = Engine::new(1 << 20);
        while won < 6 {
            engine.clear();
            let mut board = opening(&mut rng, Variant::FREESTYLE, 14);
            let win = engine.analyze(&board, &Limits::new().nodes(5_000));
            if !win.score.is_win() || win.score.plies_to_five() < Some(9) {
                continue;
            }
            won += 1;
            board.play(win.best.unwrap()).unwrap();
            let lost = engine.analyze(&board, &Limits::new().nodes(60).lines(3));
            assert_eq!(lost.score, lost.lines[0].score, "{board}{lost:?}");
        }
    }

    /// One engine plays both sides, or each side has an engine of its own.
    #[test]
    fn the_winner_comes_closer_to_the_five_with_every_move() {
        let limits = Limits { max_nodes: Some(5_000), ..Limits::default() };
        let (mut rng, mut steps) = (StdRng::seed_from_u64(5), 0);
        let variants = [Variant::FREESTYLE, Variant::STANDARD, Variant::RENJU];
        for (game, variant) in (0..9).zip(variants.into_iter().cycle()) {
            let mut board = opening(&mut rng, variant, 6);
            let mut engines = [(); 2].map(|()| Engine::new(1 << 20));
            let mut promised = [None; 2];
            while board.outcome() == Outcome::Ongoing {
                let index = if game % 2 == 0 { 0 } else { board.side_to_move().index() };
                let engine = &mut engines[index];
                let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
                let five = answer.score.plies_to_five().map(|plies| board.ply() + plies);
                if let (true, Some(five), Some(before)) =
                    (answer.score.is_win(), five, promised[index])
                {
                    assert!(five <= before, "{board}{five} {before}");
                    steps += 1;
                }
                promised[index] = five;
                board.play(answer.best.unwrap()).unwrap();
            }
        }
        assert!(steps > 20, "{steps}");
    }

    /// The opponent may overlook one of two fives, but not both.
    #[test]
    fn one_of_several_fives_is_answered() {
        let fours = |y| (4..8).map(move |x| (x, y)).collect::<Vec<_>>();
        let open = (fours(7), vec![(9, 9), (9, 3), (5, 12)], [(3, 7), (8, 7)]);
        let closed = [fours(4), fours(10)].concat();
        let two = (closed, vec![(3, 4), (8, 10), (12, 1), (1, 13)], [(8, 4), (3, 10)]);
        for rule in Rule::ALL {
            for (white, black, stops) in [&open, &two] {
                let mut board = Board::new(15, 15, Variant::five(rule)).unwrap();
                let mut place = |&(x, y): &(u8, u8), side| {
                    board.place(Point::new(x, y).unwrap(), side).unwrap();
                };
                white.iter().for_each(|at| place(at, Side::White));
                black.iter().for_each(|at| place(at, Side::Black));
                board.set_side_to_move(Side::Black);
                let limits = Limits { max_nodes: Some(500), ..Limits::default() };
                let answer =
                    Engine::new(1 << 16).think(&board, &limits, &Signals::default(), &mut Silent);
                let best = answer.best.unwrap();
                assert!(stops.contains(&(best.x(), best.y())), "{rule:?} {best}");
            }
        }
    }

    #[test]
    fn an_only_move_takes_a_short_search_in_a_game() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (6, 7), (8, 7), (0, 14), (9, 7), (0, 12), (10, 7)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let only = Point::new(11, 7);
        for skip_only_move in [false, true] {
            let limits = Limits { max_nodes: Some(2_000), skip_only_move, ..Limits::default() };
            let answer =
                Engine::new(1 << 20).think(&board, &limits, &Signals::default(), &mut Silent);
            assert_eq!(answer.best, only);
            assert!(answer.depth > 0 && answer.pv.len() > 1, "{answer:?}");
            assert_eq!(answer.nodes >= 500, !skip_only_move, "{answer:?}");
        }
    }

    /// Early cutoffs need the evaluation cache, so they never happen if it is disabled.
    #[test]
    fn early_cutoffs_do_not_change_the_search() {
        let mut rng = StdRng::seed_from_u64(4);
        let mut open = 0;
        for rule in Rule::ALL {
            for _ in 0..3 {
                let mut board = Board::new(15, 15, Variant::five(rule)).unwrap();
                while board.ply() < 5 {
                    let p = Point::new(rng.random_range(3..12), rng.random_range(3..12)).unwrap();
                    if board.is_empty(p) && board.foul(p, board.side_to_move()).is_none() {
                        board.play(p).unwrap();
                    }
                }
                let think = |eval_cache: EvalCache| {
                    let mut engine = Engine::new(1 << 20);
                    engine.data.eval_cache = eval_cache;
                    let limits = Limits { max_depth: Some(9), ..Limits::default() };
                    let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
                    (answer.score, answer.pv, answer.depth, answer.nodes, answer.root_nodes)
                };
                let answer = think(EvalCache::default());
                open += usize::from(!answer.0.is_decided() && answer.3 > 1000);
                assert_eq!(answer, think(EvalCache::disabled()));
            }
        }
        assert!(open >= 12, "only {open} positions needed a search");
    }

    #[test]
    fn a_win_is_not_shortened_beyond_the_node_limit() {
        let (mut wins, mut most) = (0, 0);
        for seed in 0..40 {
            let mut rng = StdRng::seed_from_u64(seed);
            let mut engine = Engine::new(1 << 20);
            // The games do not change with the networks.
            engine.set_networks(&Networks::none());
            let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
            while board.outcome() == Outcome::Ongoing && board.ply() < 60 {
                let limits = Limits { max_nodes: Some(1), ..Limits::default() };
                let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
                wins += usize::from(answer.score.is_win() && answer.score < Score::win_in(5));
                most = most.max(answer.nodes);
                let p = Point::new(rng.random_range(4..11), rng.random_range(4..11)).unwrap();
                let p = if board.is_empty(p) { p } else { answer.best.unwrap() };
                board.play(p).unwrap();
            }
        }
        // VCF at the root has a limit of its own. A win was shortened with 1,453 nodes.
        assert!(wins > 0 && most < 500, "{wins} wins, up to {most} nodes");
    }

    #[test]
    fn root_nodes_are_those_of_the_last_iteration() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let think = |depth| {
            let limits = Limits { max_depth: Some(depth), ..Limits::default() };
            Engine::new(1 << 20).think(&board, &limits, &Signals::default(), &mut Silent)
        };
        let (shallow, deep) = (think(5), think(6));
        let sum: u64 = deep.root_nodes.iter().map(|&(_, nodes)| nodes).sum();
        // VCF and VCT at the root count for no move.
        let iteration = deep.nodes - shallow.nodes;
        assert!(sum <= iteration && 2 * sum > iteration, "{sum} of {iteration}");
        let points: HashSet<_> = deep.root_nodes.iter().map(|&(p, _)| p).collect();
        assert!(points.len() == deep.root_nodes.len() && points.len() > 10);
        assert!(deep.best.is_some_and(|best| points.contains(&best)));
    }
}
