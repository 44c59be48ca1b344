//! A review under way: a thread of its own judges the positions of a line one by one, whatever its
//! room does meanwhile.

use std::io;
use std::time::Duration;

use crate::game::live::LiveGame;
use kakugo::board::Board;
use kakugo::player::{Resources, Thread};
use kakugo::search::{Engine, Signals};
use kakugo_record::analysis::review::{self, EvaluatedPosition};
use kakugo_record::tree::NodeId;

use super::keeping::Keeping;

/// Time for a whole game.
const WHOLE: Duration = Duration::from_secs(20);

/// A game that has left the board while it is under review.
#[derive(Debug)]
pub struct Shelved {
    /// The game.
    pub game: LiveGame,
    /// What is kept of it.
    pub keeping: Keeping,
}

impl Shelved {
    /// Whether it is the game that is kept under this name.
    pub fn is(&self, id: &str) -> bool {
        self.keeping.name.as_ref().is_some_and(|(own, _)| own == id)
    }
}

/// A review under way. Dropping it ends it.
pub struct Reviewing {
    /// Tells it from those before.
    pub number: u64,
    /// Positions judged.
    pub done: usize,
    /// Positions to be judged.
    pub total: usize,
    /// The game, if it is not the one on the board.
    pub shelved: Option<Box<Shelved>>,
    /// Ends with this.
    _thread: Thread<Engine>,
}

/// What the thread has come to.
pub enum News {
    /// A position is judged.
    Judged(NodeId, EvaluatedPosition),
    /// Nothing is left to do, or the search failed.
    Done,
}

impl Reviewing {
    /// Begin to judge those positions of the game's line that are not judged yet. `tell` is called on
    /// the thread and says whether anybody still listens.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn begin(
        number: u64,
        game: &LiveGame,
        resources: &Resources,
        tell: impl Fn(News) -> bool + Clone + Send + 'static,
    ) -> io::Result<Reviewing> {
        let todo = todo(game);
        let total = todo.len();
        let limits = review::limits_for(game.positions().len(), WHOLE);
        let resources = resources.clone();
        let mut thread = Thread::start("review", move || {
            let mut engine = Engine::new(resources.hash_bytes);
            engine.set_threads(resources.threads);
            engine.set_networks(&resources.networks);
            engine
        })?;
        let told = tell.clone();
        let work = move |engine: &mut Engine, signals: &Signals| {
            for (node, board) in todo {
                let judged = review::evaluate(engine, &board, &limits, signals);
                // What was broken off is no judgement.
                if signals.is_stopped() || !told(News::Judged(node, judged)) {
                    return false;
                }
            }
            true
        };
        thread.give(work, move |ended| {
            if ended.unwrap_or(true) {
                tell(News::Done);
            }
        });
        Ok(Reviewing { number, done: 0, total, shelved: None, _thread: thread })
    }
}

/// The positions of the line that are not judged yet, from the beginning.
fn todo(game: &LiveGame) -> Vec<(NodeId, Board)> {
    let mut game = game.clone();
    let now = std::time::Instant::now();
    game.go_to(0, now);
    let mut todo = Vec::new();
    for (ply, node) in game.positions().into_iter().enumerate() {
        game.go_to(ply, now);
        if game.tree().value(node).judged.is_none() {
            todo.push((node, game.board().clone()));
        }
    }
    todo
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::Setup;
    use kakugo::board::Point;
    use kakugo::search::Networks;
    use std::sync::mpsc::channel;

    #[test]
    fn only_what_is_not_judged_is_and_a_stopped_one_says_no_more() {
        let setup = Setup::default().checked(&[]).unwrap();
        let moves = [(7, 7), (8, 8), (6, 7)].map(|(x, y)| Point::new(x, y).unwrap());
        let mut game = LiveGame::with_moves(setup, &moves).unwrap();
        let nodes = game.positions();
        assert_eq!(game.review_of(&nodes), review::Review::default());
        let resources =
            Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::default() };
        let (sender, news) = channel();
        let tell = {
            let sender = sender.clone();
            move |told| sender.send(told).is_ok()
        };
        let reviewing = Reviewing::begin(1, &game, &resources, tell).unwrap();
        assert_eq!(reviewing.total, 4);
        let mut judged = Vec::new();
        while let News::Judged(node, value) = news.recv().unwrap() {
            assert!(game.judge(node, Some(value)));
            judged.push(node);
        }
        assert_eq!(judged, nodes);
        assert_eq!(game.review_of(&nodes).positions.len(), 4);

        game.judge(nodes[2], None);
        assert_eq!(
            game.review_of(&nodes).positions.len(),
            2,
            "as far as judged from the beginning"
        );
        let reviewing =
            Reviewing::begin(2, &game, &resources, move |told| sender.send(told).is_ok());
        let reviewing = reviewing.unwrap();
        assert_eq!(reviewing.total, 1);
        drop(reviewing);
        assert!(news.recv().is_err(), "it was stopped before its first second was over");
    }
}
