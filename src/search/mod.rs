//! Finding the best move.
//!
//! An [`Engine`] owns what outlives a move (transposition table, histories). [`Engine::think`] takes
//! a position, [`Limits`] and a [`Signals`] flag that another thread may raise, tells a
//! [`Reporter`] what it finds, and returns an [`Answer`]. It neither prints nor knows the protocol.
//!
//! [`vcf`] and [`vct`] look for forced wins alone: by fours, and by fours and threes.

mod alphabeta;
mod control;
mod fixed;
mod history;
mod movepick;
mod params;
mod root;
pub mod swap2;
mod tactics;
mod threads;
mod time;
mod tt;
pub mod vcf;
pub mod vct;

#[cfg(feature = "tuning")]
pub use params::set as set_tunable;
pub use time::Lag;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::board::{Board, Point};
use crate::pattern::set::PointSet;
use crate::position::Position;
use crate::score::Score;

use threads::{Memory, Task};
use tt::Table;

/// What bounds a search. The default bounds nothing: it runs until stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When our thinking began: the arrival of the command that asked for a move.
    pub start: Instant,
    /// Time for this move; `Some(ZERO)` asks for an answer at once.
    pub turn: Option<Duration>,
    /// Time left for the whole game.
    pub left: Option<Duration>,
    /// Time added after each own move.
    pub increment: Duration,
    /// Iterations, in plies.
    pub max_depth: Option<u32>,
    /// Nodes, of all threads together.
    pub max_nodes: Option<u64>,
    /// Number of best lines to report (at least 1).
    pub multi_pv: usize,
}

impl Limits {
    /// Whether anything but a signal ends the search: then a single legal move needs no thought.
    pub fn is_timed(&self) -> bool {
        self.turn.is_some() || self.left.is_some() || self.max_nodes.is_some()
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            start: Instant::now(),
            turn: None,
            left: None,
            increment: Duration::ZERO,
            max_depth: None,
            max_nodes: None,
            multi_pv: 1,
        }
    }
}

/// How other threads talk to a running search, and see it run.
#[derive(Default, Debug)]
pub struct Signals {
    stop: AtomicBool,
    nodes: AtomicU64,
}

impl Signals {
    /// Ask the search to answer now with the best move it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Nodes of the search that runs, or ran last, but for the latest few hundred.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}

/// One line of play that a finished iteration found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Which of the best lines this is, from 0.
    pub line: usize,
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Longest path looked at, in plies.
    pub seldepth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// Time since [`Limits::start`].
    pub elapsed: Duration,
    /// The moves expected from here, best first move included.
    pub pv: Vec<Point>,
}

/// Receives what the search finds while it runs.
pub trait Reporter {
    /// A line was searched to the end of an iteration.
    fn report(&mut self, report: &Report);
}

/// Ignores every report.
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Report) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` only where no point is free. Where every free point is forbidden
    /// it is one of them.
    pub best: Option<Point>,
    /// Value for the side to move.
    pub score: Score,
    /// Last finished iteration, in plies.
    pub depth: u32,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// The moves expected from here.
    pub pv: Vec<Point>,
    /// Nodes that the last finished iteration spent on each root move that it searched, the most
    /// promising first: how much the search thinks of each. Of one thread; empty where no iteration
    /// was needed.
    pub root_nodes: Vec<(Point, u64)>,
}

/// The points that the search considers for the side to move, legality not checked.
pub fn candidates(position: &Position) -> PointSet {
    tactics::defence(position).points
}

/// All that outlives a single move.
pub struct Engine {
    table: Table,
    hash_bytes: usize,
    /// What the main thread remembers.
    memory: Memory,
    /// What each further thread remembers.
    others: Vec<Memory>,
    /// How long the machine let earlier searches wait.
    lag: Lag,
}

impl Engine {
    /// An engine whose transposition table takes at most `hash_bytes` bytes.
    pub fn new(hash_bytes: usize) -> Engine {
        Engine {
            table: Table::new(hash_bytes),
            hash_bytes,
            memory: Memory::default(),
            others: Vec::new(),
            lag: Lag::default(),
        }
    }

    /// Resize the transposition table, in bytes; it is emptied if its size changes.
    pub fn set_hash_bytes(&mut self, bytes: usize) {
        if bytes != self.hash_bytes {
            // Give the old memory back before asking for new.
            self.table = Table::new(0);
            self.table = Table::new(bytes);
            self.hash_bytes = bytes;
        }
    }

    /// Search with this many threads (at least 1). With one, equal searches give equal answers.
    pub fn set_threads(&mut self, threads: usize) {
        self.others.resize_with(threads.saturating_sub(1), Memory::default);
    }

    /// Forget everything learnt: a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memory = Memory::default();
        self.others.fill_with(Memory::default);
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
        self.memory.age();
        self.others.iter_mut().for_each(Memory::age);
        signals.nodes.store(0, Ordering::Relaxed);
        let task = Task { board, table: &self.table, limits, signals, lag: self.lag };
        let (answer, gap) = task.run(&mut self.memory, &mut self.others, reporter);
        self.lag.learn(gap, limits.start.elapsed());
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Rule, Side, Variant};

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
