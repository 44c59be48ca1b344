//! Two engines with values of their own.

use kakugo::board::{Board, Point};
use kakugo::eval::network::Networks;
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent};

/// The result of a search.
pub(super) struct SearchResult {
    /// The best move, or `None` on a full board.
    pub(super) best: Option<Point>,
    /// Score for the side to move.
    pub(super) score: Score,
}

/// The two players of a pair, 0 and 1.
pub(super) trait Players {
    /// Clears the engines' memory for a new game.
    fn clear(&mut self);
    /// Searches a position with this number of nodes.
    fn think(&mut self, player: usize, board: &Board, nodes: u64) -> SearchResult;
}

/// Two engines. Tunables are global to the process, so every search starts by setting them all.
pub(super) struct Engines<'n> {
    engines: [Engine; 2],
    names: &'n [String],
    values: [Vec<i32>; 2],
    set: fn(&str, i32) -> bool,
}

impl<'n> Engines<'n> {
    /// Returns engines with `hash_bytes` of transposition table each. `names` are the tunables, and
    /// `set` sets one.
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

    /// Sets the values of both players.
    pub(super) fn set_values(&mut self, values: [Vec<i32>; 2]) {
        self.values = values;
    }
}

impl Players for Engines<'_> {
    fn clear(&mut self) {
        self.engines.iter_mut().for_each(Engine::clear);
    }

    fn think(&mut self, player: usize, board: &Board, nodes: u64) -> SearchResult {
        for (name, &value) in self.names.iter().zip(&self.values[player]) {
            (self.set)(name, value);
        }
        let max_nodes = Some(nodes);
        let limits = Limits { max_nodes, skip_only_move: true, ..Limits::default() };
        let signals = Signals::default();
        let answer = self.engines[player].think(board, &limits, &signals, &mut Silent);
        SearchResult { best: answer.best, score: answer.score }
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
    fn every_search_sets_the_values_of_its_player() {
        let names = ["margin".to_owned(), "depth".to_owned()];
        let mut engines = Engines::new(1 << 16, &Networks::default(), &names, set);
        let board = Board::new(9, 9, Variant::FREESTYLE).unwrap();
        for values in [[vec![1, 2], vec![3, 4]], [vec![5, 6], vec![7, 8]]] {
            engines.set_values(values.clone());
            for player in [0, 1, 1, 0] {
                let result = engines.think(player, &board, 20);
                assert!(result.best.is_some() && !result.score.is_decided());
                let expected = names.iter().cloned().zip(values[player].clone());
                assert_eq!(SET.take(), expected.collect::<Vec<_>>());
            }
        }
    }
}
