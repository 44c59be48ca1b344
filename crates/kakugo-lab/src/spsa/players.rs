//! Two engines, each with its own values.

use kakugo::board::{Board, Point};
use kakugo::eval::network::Networks;
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent};

/// What a player says to a position.
pub(super) struct Thought {
    /// The move; `None` only where no point is free.
    pub(super) best: Option<Point>,
    /// Value for the side to move.
    pub(super) score: Score,
}

/// The two players of a pair, 0 and 1.
pub(super) trait Players {
    /// Forget everything learnt: a new game.
    fn forget(&mut self);
    /// What a player says to a position after this many nodes.
    fn think(&mut self, player: usize, board: &Board, nodes: u64) -> Thought;
}

/// Two engines. Tunables belong to the process, so that every search begins with setting them all.
pub(super) struct Engines<'n> {
    engines: [Engine; 2],
    names: &'n [String],
    values: [Vec<i32>; 2],
    set: fn(&str, i32) -> bool,
}

impl<'n> Engines<'n> {
    /// Engines whose tables take `hash_bytes` bytes each, the tunables in question, and what sets one.
    pub(super) fn new(
        hash_bytes: usize,
        networks: &Networks,
        names: &'n [String],
        set: fn(&str, i32) -> bool,
    ) -> Engines<'n> {
        let mut engines = [Engine::new(hash_bytes), Engine::new(hash_bytes)];
        engines.iter_mut().for_each(|engine| engine.set_networks(networks));
        Engines { engines, names, values: Default::default(), set }
    }

    /// From now on they play with these values.
    pub(super) fn set_values(&mut self, values: [Vec<i32>; 2]) {
        self.values = values;
    }
}

impl Players for Engines<'_> {
    fn forget(&mut self) {
        self.engines.iter_mut().for_each(Engine::clear);
    }

    fn think(&mut self, player: usize, board: &Board, nodes: u64) -> Thought {
        for (name, &value) in self.names.iter().zip(&self.values[player]) {
            (self.set)(name, value);
        }
        let max_nodes = Some(nodes);
        let limits = Limits { max_nodes, skip_only_move: true, ..Limits::default() };
        let signals = Signals::default();
        let answer = self.engines[player].think(board, &limits, &signals, &mut Silent);
        Thought { best: answer.best, score: answer.score }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use kakugo::board::Variant;

    thread_local! {
        static SET: RefCell<Vec<(String, i32)>> = const { RefCell::new(Vec::new()) };
    }

    fn set(name: &str, value: i32) -> bool {
        SET.with_borrow_mut(|all| all.push((name.to_owned(), value)));
        true
    }

    #[test]
    fn every_search_begins_with_the_values_of_its_player() {
        let names = ["margin".to_owned(), "depth".to_owned()];
        let mut engines = Engines::new(1 << 16, &Networks::default(), &names, set);
        let board = Board::new(9, 9, Variant::FREESTYLE).unwrap();
        for values in [[vec![1, 2], vec![3, 4]], [vec![5, 6], vec![7, 8]]] {
            engines.set_values(values.clone());
            for player in [0, 1, 1, 0] {
                let thought = engines.think(player, &board, 20);
                assert!(thought.best.is_some() && !thought.score.is_decided());
                let expected = names.iter().cloned().zip(values[player].clone());
                assert_eq!(SET.take(), expected.collect::<Vec<_>>());
            }
        }
    }
}
