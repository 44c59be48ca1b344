//! Deciding what to do in a position.
//!
//! [`Player::decide`] is the one place that knows what the engine consults, and in which order: the
//! choice of a swap2 opening is made by [`swap2`], every other stone is found by the [`Level`].

use crate::board::{Board, Point};
use crate::level::{Level, at_a_glance};
use crate::random;
use crate::search::balance::{self, Balance};
use crate::search::swap2::{self, Choice};
use crate::search::{Engine, Lag, Limits, Networks, Report, Reporter, Signals};

/// What is to be decided.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// Which stone to play, at this level.
    Stone(Level),
    /// What to do in a swap2 opening, after no, three or five stones.
    Swap2,
    /// Which stones balance the position.
    Balance(Balance),
}

impl Question {
    /// What to answer by what the search has reported of its best line.
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
    /// What is to be decided in it.
    pub question: Question,
    /// What bounds the thinking.
    pub limits: Limits,
}

impl Turn {
    /// What to answer where the search has come to nothing, and for a stone what is to be told of it; `None` where
    /// no point can be played.
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
                let stones = balance::unsearched(&self.board, balance, &self.limits)?;
                Some((Decision::Stones(stones), None))
            }
        }
    }
}

/// What was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// To play this stone; `None` where no point is free.
    Stone(Option<Point>),
    /// What to do in a swap2 opening.
    Swap2(Choice),
    /// To place these stones, of both sides in turn; none if there are not enough points.
    Stones(Vec<Point>),
}

/// What a player may use of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resources {
    /// Size of the transposition table, in bytes.
    pub hash_bytes: usize,
    /// Threads of a search, at least 1.
    pub threads: usize,
    /// What values positions.
    pub networks: Networks,
}

/// The engine as a player: the search, and what it has learnt.
pub struct Player {
    resources: Resources,
    /// Made at first use: its table may be large.
    engine: Option<Engine>,
}

impl Player {
    /// A player that has learnt nothing yet.
    pub fn new(resources: Resources) -> Player {
        Player { resources, engine: None }
    }

    /// Use no more than this from now on. The table is emptied if its size changes.
    pub fn set_resources(&mut self, resources: Resources) {
        self.resources = resources;
    }

    /// The search engine, for questions that are no turn of a game.
    pub fn engine(&mut self) -> &mut Engine {
        let Resources { hash_bytes, threads, ref networks } = self.resources;
        let engine = self.engine.get_or_insert_with(|| Engine::new(hash_bytes));
        engine.set_hash_bytes(hash_bytes);
        engine.set_threads(threads);
        engine.set_networks(networks);
        engine
    }

    /// Decide. `signals` cuts the thinking short; the best decision so far is the answer then.
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
                // Who wants several lines wants to know what they are worth.
                let limits = Limits { skip_only_move: limits.multi_pv <= 1, ..limits.clone() };
                Decision::Stone(level.think(engine, board, &limits, signals, reporter, random).best)
            }
        }
    }

    /// Get ready for the first turn of a game that begins with `board`, until that is done or stopped
    /// ([`Engine::prepare`]).
    pub fn prepare(&mut self, board: &Board, memory: bool, signals: &Signals) {
        self.engine().prepare(board, memory, signals);
    }

    /// How long the machine let searches wait, as far as the latest ones have seen.
    pub fn lag(&self) -> Lag {
        self.engine.as_ref().map(Engine::lag).unwrap_or_default()
    }

    /// Forget what was learnt: a new game.
    pub fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    /// Forget what was learnt and give back its memory, until the next question.
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
            let unsearched = turn.unsearched().expect("an answer");
            assert!(
                matches!(unsearched, (Decision::Stones(stones), None) if stones.len() == balance.stones())
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
