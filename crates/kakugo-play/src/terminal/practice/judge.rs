//! Which first moves of a problem are right: those that are known to be, or that a search proves to
//! win. If the opponent threatens to win, a move is right unless a search proves that it loses.

use std::time::{Duration, Instant};

use kakugo::board::{Board, Outcome, Point};
use kakugo::proof::with_its_end;
use kakugo::search::{Answer, Engine, Limits, Networks, Signals, Silent};
use kakugo_record::analysis::shortest::Length;

use super::collection::{Exercise, Known};

/// Nodes of the search for a shorter win.
const SHORTER_NODES: u32 = 10_000;

/// Searches the positions of problems.
pub struct Judge {
    engine: Engine,
    time: Duration,
}

/// A forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Win {
    /// Who wins, and how soon.
    pub length: Length,
    /// The line, as far as it is known.
    pub line: Vec<Point>,
}

/// The judgement of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is right: it wins by this line, or it is the defence.
    Right(Option<Win>),
    /// The opponent wins after it, by this line.
    Loses(Win),
    /// It is not right, as far as is known.
    Unproven,
}

impl Judge {
    /// Returns a judge whose searches take this time at most.
    pub fn new(hash_bytes: usize, networks: &Networks, time: Duration) -> Judge {
        let mut engine = Engine::new(hash_bytes);
        engine.set_networks(networks);
        Judge { engine, time }
    }

    /// Returns the forced win of either side that a search finds.
    pub fn win(&mut self, board: &Board) -> Option<Win> {
        let answer = self.think(board);
        let line = with_its_end(board, answer.score, &answer.pv, &Signals::default());
        let mut length = Length::of(board, answer.score, &line, SHORTER_NODES)?;
        let line = length.shorter.take().unwrap_or(line);
        Some(Win { length, line })
    }

    fn think(&mut self, board: &Board) -> Answer {
        self.engine.clear();
        let limits = Limits { start: Instant::now(), turn: Some(self.time), ..Limits::default() };
        self.engine.think(board, &limits, &Signals::default(), &mut Silent)
    }

    /// Judges a legal first move.
    pub fn judge(&mut self, exercise: &Exercise, p: Point) -> Verdict {
        let side = exercise.board.side_to_move();
        let mut after = exercise.board.clone();
        if after.play(p).is_err() {
            return Verdict::Unproven;
        }
        let win = match after.outcome() {
            Outcome::Win(winner) => Some(Win {
                length: Length { winner, stones: 0, is_shortest: true, shorter: None },
                line: Vec::new(),
            }),
            Outcome::Ongoing => self.win(&after),
            _ => None,
        };
        // The first move is one of the winner's.
        let win = win.map(|mut win| {
            if win.length.winner == side {
                win.length.stones += 1;
                win.line.insert(0, p);
            }
            win
        });
        let known = exercise.known.as_ref().map(|known| known.right.contains(&p));
        match (win, known) {
            (win, Some(true)) => Verdict::Right(win),
            (Some(win), None) if win.length.winner == side => Verdict::Right(Some(win)),
            (Some(win), _) if win.length.winner != side => Verdict::Loses(win),
            (_, None) if exercise.threat().is_some() => Verdict::Right(None),
            _ => Verdict::Unproven,
        }
    }

    /// Returns the solution: the right moves, and the line of the win.
    pub fn solution(&mut self, exercise: &Exercise) -> Option<(Vec<Point>, Option<Win>)> {
        if let Some(Known { right, is_defence, stones, line, .. }) = &exercise.known {
            let winner = exercise.board.side_to_move();
            let length = Length { winner, stones: *stones, is_shortest: true, shorter: None };
            let win = Win { length, line: line.clone() };
            return Some((right.clone(), (!is_defence).then_some(win)));
        }
        if exercise.threat().is_some() {
            let best = self.think(&exercise.board);
            let best = best.best.filter(|_| !best.score.is_loss())?;
            return Some((vec![best], None));
        }
        let win = self.win(&exercise.board)?;
        let is_own = win.length.winner == exercise.board.side_to_move();
        let first = win.line.first().copied().filter(|_| is_own)?;
        Some((vec![first], Some(win)))
    }
}
