//! What outlives a single search.

use std::sync::atomic::Ordering;

use crate::board::Board;
use crate::eval::Evaluator;
use crate::eval::network::Networks;
use crate::position::Position;

use super::answer::{Answer, Reporter};
use super::limits::{Limits, Signals};
use super::thread_data::ThreadData;
use super::threads::SearchThreads;
use super::time::Lag;
use super::tt::Table;

/// A search engine: the transposition table, the histories and the settings that outlive a move.
pub struct Engine {
    table: Table,
    hash_bytes: usize,
    networks: Networks,
    /// What the main thread remembers.
    data: ThreadData,
    /// What each further thread remembers.
    others: Vec<ThreadData>,
    /// How long the machine let earlier searches wait.
    lag: Lag,
}

impl Engine {
    /// Returns an engine with one thread and a transposition table of at most `hash_bytes` bytes.
    pub fn new(hash_bytes: usize) -> Engine {
        Engine {
            table: Table::new(hash_bytes),
            hash_bytes,
            networks: Networks::default(),
            data: ThreadData::default(),
            others: Vec::new(),
            lag: Lag::default(),
        }
    }

    /// Resizes the transposition table, in bytes. It is cleared if its size changes.
    pub fn set_hash_bytes(&mut self, bytes: usize) {
        if bytes != self.hash_bytes {
            // Give the old memory back before asking for new.
            self.table = Table::new(0);
            self.table = Table::new(bytes);
            self.hash_bytes = bytes;
        }
    }

    /// Sets the number of search threads (at least 1). With one thread, and bounded by depth or nodes,
    /// equal searches give equal results.
    pub fn set_threads(&mut self, threads: usize) {
        self.others.resize_with(threads.saturating_sub(1), ThreadData::default);
    }

    /// Forgets everything learnt from earlier searches, e.g. for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.data = ThreadData::default();
        self.others.fill_with(ThreadData::default);
    }
}

internal! { impl Engine {
    /// Value positions with these networks from now on. What was learnt with others is forgotten.
    pub fn set_networks(&mut self, networks: &Networks) {
        if *networks != self.networks {
            self.networks = networks.clone();
            self.clear();
        }
    }

    /// Do what the first search on `board` would have to do before it counts nodes: make the tables of
    /// its rule, and, with `memory`, let the system give that of the transposition table. Goes on until it
    /// is done or stopped, and from there when called again; no search finds anything else for it.
    pub fn prepare(&mut self, board: &Board, memory: bool, signals: &Signals) {
        let position = Position::new(board);
        Evaluator::with_network(&position, self.networks.for_board(board));
        self.table.touch(|| !memory || signals.is_stopped());
    }

    /// How long the machine let a thread of ours wait that had work to do, as far as the latest
    /// searches have seen.
    pub fn lag(&self) -> Lag {
        self.lag
    }

    /// Find the best move for the side to move.
    pub fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        self.table.next_generation();
        self.data.age();
        self.others.iter_mut().for_each(ThreadData::age);
        signals.nodes.store(0, Ordering::Relaxed);
        let (table, networks) = (&self.table, &self.networks);
        let threads = SearchThreads { board, table, networks, limits, signals, lag: self.lag };
        let (answer, gap) = threads.run(&mut self.data, &mut self.others, reporter);
        self.lag.learn(gap, limits.start.elapsed());
        answer
    }
} }

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::board::{Point, Rule, Side, Variant};
    use crate::score::Score;
    use crate::search::Silent;
    use crate::search::evals::Evaluations;

    #[test]
    fn to_have_only_forbidden_points_left_is_seen_to_lose() {
        // Free are the middle of a row that would be too long for Black, and two points beside
        // a white stone.
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
    }

    /// The opponent may overlook one of two fives, but not both.
    #[test]
    fn one_of_several_fives_is_stopped() {
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
    fn an_only_move_is_searched_unless_a_game_skips_it() {
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
            let searched = (answer.depth > 0, answer.pv.len() > 1, answer.nodes >= 2_000);
            assert_eq!(searched, (!skip_only_move, !skip_only_move, !skip_only_move));
        }
    }

    /// Moves that are known to be in vain are not played: that changes nothing but the time.
    #[test]
    fn what_is_seen_ahead_changes_no_search() {
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
                let think = |evals: Evaluations| {
                    let mut engine = Engine::new(1 << 20);
                    engine.data.evals = evals;
                    let limits = Limits { max_depth: Some(9), ..Limits::default() };
                    let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
                    (answer.score, answer.pv, answer.depth, answer.nodes, answer.root_nodes)
                };
                let answer = think(Evaluations::default());
                open += usize::from(!answer.0.is_decided() && answer.3 > 1000);
                assert_eq!(answer, think(Evaluations::forgetful()));
            }
        }
        assert!(open >= 12, "{open} positions only were worth a search");
    }

    #[test]
    fn the_nodes_of_the_root_moves_are_those_of_the_last_iteration() {
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
        // The iteration's own proof searches count for no move.
        let iteration = deep.nodes - shallow.nodes;
        assert!(sum <= iteration && 2 * sum > iteration, "{sum} of {iteration}");
        let points: HashSet<_> = deep.root_nodes.iter().map(|&(p, _)| p).collect();
        assert!(points.len() == deep.root_nodes.len() && points.len() > 10);
        assert!(deep.best.is_some_and(|best| points.contains(&best)));
    }
}
