//! Decisions of the engine in a position.
//!
//! [`Player::decide`] is the only place that selects how a decision is made: choices of swap2
//! openings by [`swap2`], all other moves by the [`Level`].

use crate::board::{Board, Point};
use crate::level::{Level, at_a_glance, unsearched};
use crate::random;
use crate::search::balance::{self, Balance};
use crate::search::swap2::{self, Choice};
use crate::search::{Engine, Lag, Limits, Networks, Report, Reporter, Signals};

/// The kind of a decision.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// The stone to play, at this level.
    Stone(Level),
    /// The choice in a swap2 opening, after no, three or five stones.
    Swap2,
    /// Which stones balance the position.
    Balance(Balance),
}

impl Question {
    /// Returns the decision that follows from the best line that the search has reported.
    pub fn answered_by(self, report: &Report) -> Option<Decision> {
        let best = report.pv.first().copied();
        match self {
            Question::Stone(_) => best.map(|best| Decision::Stone(Some(best))),
            Question::Swap2 => Some(Decision::Swap2(swap2::better_side(best, report.score))),
            Question::Balance(balance) => {
                let stones = report.pv.get(..balance.stones())?;
                Some(Decision::Stones(stones.to_vec()))
            }
        }
    }
}

/// A position in which it is the engine's turn.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The position.
    pub board: Board,
    /// The decision to make.
    pub question: Question,
    /// Limits of the search.
    pub limits: Limits,
}

impl Turn {
    /// Returns a decision without a search, and for a stone the report to send with it. Returns
    /// `None` if no point can be played.
    pub fn unsearched(&self) -> Option<(Decision, Option<Report>)> {
        match self.question {
            Question::Stone(_) => {
                let report = at_a_glance(&self.board, &self.limits)?;
                Some((self.question.answered_by(&report)?, Some(report)))
            }
            Question::Swap2 => {
                let choice = swap2::unsearched(&self.board, &mut random::rng());
                Some((Decision::Swap2(choice), None))
            }
            Question::Balance(balance) => {
                let (stones, score) = balance::unsearched(&self.board, balance, &self.limits)?;
                let report = unsearched(score, stones.clone(), &self.limits);
                Some((Decision::Stones(stones), Some(report)))
            }
        }
    }
}

/// A decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Play this stone; `None` if no point is free.
    Stone(Option<Point>),
    /// A choice in a swap2 opening.
    Swap2(Choice),
    /// To place these stones, of both sides in turn; none if there are not enough points.
    Stones(Vec<Point>),
}

/// Resources that a player may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Size of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// Number of threads of a search, at least 1.
    pub threads: usize,
    /// The networks that evaluate positions.
    pub networks: Networks,
}

/// The engine as a player: the search and its transposition table.
pub struct Player {
    resources: Resources,
    /// Created at first use, because its table may be large.
    engine: Option<Engine>,
}

impl Player {
    /// Returns a player with an empty table.
    pub fn new(resources: Resources) -> Player {
        Player { resources, engine: None }
    }

    /// Sets the resources. The table is cleared if its size changes.
    pub fn set_resources(&mut self, resources: Resources) {
        self.resources = resources;
    }

    /// Returns the search engine, for searches outside a game.
    pub fn engine(&mut self) -> &mut Engine {
        let Resources { hash_bytes, threads, ref networks } = self.resources;
        let engine = self.engine.get_or_insert_with(|| Engine::new(hash_bytes));
        engine.set_hash_bytes(hash_bytes);
        engine.set_threads(threads);
        engine.set_networks(networks);
        engine
    }

    /// Makes a decision. If `signals` stops the search, returns the best decision so far.
    pub fn decide(
        &mut self,
        turn: &Turn,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Decision {
        let Turn { board, question, limits } = turn;
        let (engine, random) = (self.engine(), &mut random::rng());
        match question {
            Question::Swap2 => {
                Decision::Swap2(swap2::choose(engine, board, limits, signals, reporter, random))
            }
            Question::Balance(balance) => {
                let answer = engine.think_balance(board, *balance, limits, signals, reporter);
                let stones = answer.pv.get(..balance.stones()).unwrap_or_default();
                Decision::Stones(stones.to_vec())
            }
            Question::Stone(level) => {
                // With several lines, an only move needs a score, too.
                let limits = Limits { skip_only_move: limits.multi_pv <= 1, ..limits.clone() };
                Decision::Stone(level.think(engine, board, &limits, signals, reporter, random).best)
            }
        }
    }

    /// Prepares the first turn of a game that begins with `board`, until it is ready or stopped
    /// ([`Engine::prepare`]).
    pub fn prepare(&mut self, board: &Board, memory: bool, signals: &Signals) {
        self.engine().prepare(board, memory, signals);
    }

    /// Returns the scheduling delays of the latest searches.
    pub fn lag(&self) -> Lag {
        self.engine.as_ref().map(Engine::lag).unwrap_or_default()
    }

    /// Clears the transposition table and the history for a new game.
    pub fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// Frees the memory of the engine until the next decision.
    pub fn rest(&mut self) {
        self.engine = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::search::Silent;

    fn player() -> Player {
        Player::new(Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::default() })
    }

    fn turn(question: Question, stones: &[(u8, u8)]) -> Turn {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for &(x, y) in stones {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        Turn { board, question, limits: Limits { max_nodes: Some(500), ..Limits::default() } }
    }

    #[test]
    fn each_question_gets_an_answer_of_its_kind() {
        let mut player = player();
        let mut decide = |turn: &Turn| player.decide(turn, &Signals::default(), &mut Silent);
        let four = [(3, 7), (3, 8), (4, 7), (4, 8), (5, 7), (5, 8), (6, 7), (12, 12)];
        let Decision::Stone(Some(stone)) = decide(&turn(Question::Stone(Level::default()), &four))
        else {
            panic!("a stone was asked for")
        };
        assert!(matches!((stone.x(), stone.y()), (2 | 7, 7)), "{stone} makes no five");
        let Decision::Swap2(Choice::Stones(stones)) = decide(&turn(Question::Swap2, &[])) else {
            panic!("three stones were asked for")
        };
        assert_eq!(stones.len(), 3);
    }

    /// The greatest number of nodes reported.
    struct Nodes(u64);

    impl Reporter for Nodes {
        fn report(&mut self, report: &Report) {
            self.0 = self.0.max(report.nodes);
        }
    }

    #[test]
    fn an_only_move_is_thought_about_only_where_lines_are_asked_for() {
        let four = [(7, 7), (6, 7), (8, 7), (0, 14), (9, 7), (0, 12), (10, 7)];
        for (multi_pv, is_searched) in [(1, false), (3, true)] {
            let mut turn = turn(Question::Stone(Level::default()), &four);
            turn.limits.multi_pv = multi_pv;
            let mut nodes = Nodes(0);
            let decision = player().decide(&turn, &Signals::default(), &mut nodes);
            assert_eq!(decision, Decision::Stone(Point::new(11, 7)));
            assert_eq!(nodes.0 >= 200, is_searched, "{multi_pv} lines");
        }
    }

    #[test]
    fn balanced_stones_are_those_of_the_latest_report() {
        for balance in [Balance::ONE, Balance::TWO] {
            let turn = turn(Question::Balance(balance), &[(7, 7), (8, 8)]);
            let mut last = Last(None);
            let decision = player().decide(&turn, &Signals::default(), &mut last);
            let report = last.0.expect("a report");
            assert_eq!(turn.question.answered_by(&report), Some(decision.clone()));
            let Decision::Stones(stones) = decision else { panic!("{decision:?}") };
            assert_eq!(stones.len(), balance.stones());
            let (decision, report) = turn.unsearched().expect("an answer");
            assert_eq!(
                turn.question.answered_by(&report.expect("a report")),
                Some(decision.clone())
            );
            assert!(
                matches!(decision, Decision::Stones(stones) if stones.len() == balance.stones())
            );
        }
    }

    /// The latest report.
    struct Last(Option<Report>);

    impl Reporter for Last {
        fn report(&mut self, report: &Report) {
            self.0 = Some(report.clone());
        }
    }

    #[test]
    fn a_rested_player_answers_again() {
        let mut player = player();
        let turn = turn(Question::Stone(Level::default()), &[(7, 7)]);
        for _ in 0..2 {
            let decision = player.decide(&turn, &Signals::default(), &mut Silent);
            assert!(matches!(decision, Decision::Stone(Some(_))));
            player.forget();
            player.rest();
        }
    }
}
