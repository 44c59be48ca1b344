//! Practice: the search for puzzles in saved games, and the puzzle on the board.
//!
//! Every answer is judged by a search, so that all ways to win are right. The other side's replies
//! are played.

use std::collections::VecDeque;

use kakugo::board::{Outcome as BoardOutcome, Point};
use kakugo_record::analysis::puzzle::Verdict;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use crate::game::live::LiveGame;
use crate::jobs::{Job, JobId};
use crate::now::Time;
use crate::parts::cards::Outcome;
use crate::parts::training::Course;
use crate::puzzles::{self, Puzzle, Task};
use crate::saved_game;

/// The largest number of puzzles.
const MAX_PUZZLES: usize = 60;
/// The largest number of games that are searched for puzzles.
pub const MAX_GAMES: usize = 60;

/// Practice: puzzles, and the one on the board.
#[derive(Default)]
pub struct Practice {
    attempt: Option<PuzzleAttempt>,
    search: Option<PuzzleSearch>,
}

/// The puzzle on the board.
pub struct PuzzleAttempt {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The node of its position.
    node: NodeId,
    /// The stage.
    pub stage: Stage,
    /// The course that it is part of.
    pub course: Option<Course>,
    /// True if a hint was given, or a search has shown moves.
    pub hinted: bool,
    /// Number of wrong answers.
    pub mistakes: u32,
    /// True if the solution is shown.
    pub shows_solution: bool,
    /// The latest answer and the verdict on it.
    pub verdict: Option<(Point, Verdict)>,
    /// The stones that were right so far, with the replies.
    played: Vec<Point>,
    /// How the attempt ends, until it is recorded.
    outcome: Option<Outcome>,
}

impl PuzzleAttempt {
    /// Returns the stones of the line after the puzzle's position; `None` if the position on the
    /// board is an earlier one, or one of another line.
    fn stones_after(&self, game: &LiveGame) -> Option<Vec<Point>> {
        let path = &game.nodes()[..game.at()];
        let is_reached = self.node == NodeId::ROOT || path.contains(&self.node);
        is_reached.then(|| game.stones_played().skip(self.puzzle.moves.len()).collect())
    }

    /// Returns the stones after the puzzle's position, in which an answer is awaited.
    ///
    /// # Errors
    /// Returns the reason if the position on the board is not to be answered.
    fn stones_to_answer(&self, game: &LiveGame) -> Result<Vec<Point>, Text> {
        let played = self.stones_after(game);
        let played = played
            .ok_or_else(|| text!("This is not the position of the puzzle: go to the last move."))?;
        if game.board().side_to_move() != self.puzzle.side {
            return Err(text!("It is the other side's turn here: go to the last move."));
        }
        Ok(played)
    }

    /// Returns the rest of the known solution after the stones played so far; `None` if they have
    /// left it.
    fn rest_of_line(&self, played: &[Point]) -> Option<Vec<Point>> {
        if self.puzzle.task.is_defence() {
            let right = self.puzzle.right.first().filter(|_| played.is_empty());
            return right.map(|&p| vec![p]);
        }
        self.puzzle.line.strip_prefix(played).map(<[Point]>::to_vec)
    }

    /// Notes how the attempt ends. Only the first mistake counts.
    fn end(&mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

/// An answer to a puzzle.
pub enum Answer {
    /// The answer is judged by this job.
    Job(Job),
    /// It is known whether it is right.
    Known(Verdict),
}

/// Returns the verdict on a stone on `p`, which has been placed, if no search is needed.
fn known_verdict(attempt: &PuzzleAttempt, game: &LiveGame, p: Point) -> Option<Verdict> {
    let puzzle = &attempt.puzzle;
    let wins = game.board().outcome() == BoardOutcome::Win(puzzle.side);
    match puzzle.task {
        Task::Five => Some(if wins { Verdict::Solved } else { Verdict::Wrong(None) }),
        Task::Defend | Task::Hold => puzzle.right.contains(&p).then_some(Verdict::Solved),
        Task::Win if puzzle.right.is_empty() => None,
        Task::Win if wins => Some(Verdict::Solved),
        Task::Win => {
            let rest = puzzle.line.strip_prefix(&attempt.played[..])?;
            let reply = rest.strip_prefix(&[p])?.first()?;
            Some(Verdict::Right(*reply))
        }
    }
}

/// The stage of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// An answer is awaited.
    Try,
    /// The answer of this node is judged.
    Judging(NodeId),
    /// It is solved.
    Solved,
    /// The solution was asked for.
    Shown,
}

/// A search for puzzles in saved games.
pub struct PuzzleSearch {
    /// The job of the game that is searched.
    job: Option<JobId>,
    /// Texts of the files still to be searched; `None` until the storage has read them.
    texts: Option<VecDeque<String>>,
    puzzles: Vec<Puzzle>,
    searched: usize,
}

impl PuzzleSearch {
    /// Returns the puzzles, in the order in which they were found.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// Returns the number of games searched.
    pub fn searched(&self) -> usize {
        self.searched
    }

    /// Returns true while it goes on.
    pub fn goes_on(&self) -> bool {
        self.job.is_some() || self.texts.as_ref().is_none_or(|texts| !texts.is_empty())
    }
}

fn being_judged() -> Text {
    text!("Your answer is being judged.")
}

impl Practice {
    /// Returns the search for puzzles, if there was one.
    pub fn search(&self) -> Option<&PuzzleSearch> {
        self.search.as_ref()
    }

    /// Starts a search for puzzles, and returns the job of the one before if it must be stopped.
    /// The games are to be read, and passed to [`Practice::set_games`].
    pub fn start_search(&mut self) -> Option<JobId> {
        let search = PuzzleSearch { job: None, texts: None, puzzles: Vec::new(), searched: 0 };
        self.search.replace(search).and_then(|before| before.job)
    }

    /// Stops the search for puzzles, and returns its job.
    pub fn stop_search(&mut self) -> Option<JobId> {
        let search = self.search.as_mut()?;
        search.texts = Some(VecDeque::new());
        search.job.take()
    }

    /// Sets the texts of the games to be searched, latest first.
    pub fn set_games(&mut self, texts: Vec<String>) {
        if let Some(search) = self.search.as_mut().filter(|search| search.texts.is_none()) {
            search.texts = Some(texts.into_iter().take(MAX_GAMES).collect());
        }
    }

    /// Returns the job of the game that is searched.
    pub fn job(&self) -> Option<JobId> {
        self.search.as_ref()?.job
    }

    /// Returns true if a game waits for its job.
    pub fn needs_job(&self) -> bool {
        let waits = |search: &PuzzleSearch| {
            search.job.is_none() && search.texts.as_ref().is_some_and(|texts| !texts.is_empty())
        };
        self.search.as_ref().is_some_and(waits)
    }

    /// Returns the job of the next game, under this number. Files that cannot be read are skipped.
    pub fn next_job(&mut self, id: JobId, engines: &[String]) -> Option<Job> {
        let search = self.search.as_mut()?;
        while let Some(text) = search.texts.as_mut()?.pop_front() {
            if let Some(saved) = saved_game::read(&text, engines) {
                search.job = Some(id);
                return Some(Job::Puzzles(Box::new(saved.game)));
            }
        }
        None
    }

    /// The job of a game has ended with these puzzles.
    pub fn add(&mut self, puzzles: Vec<Puzzle>) {
        let Some(search) = &mut self.search else { return };
        search.job = None;
        search.searched += 1;
        search.puzzles.extend(puzzles);
        if search.puzzles.len() >= MAX_PUZZLES {
            search.texts = Some(VecDeque::new());
        }
    }

    /// Returns the puzzle on the board.
    pub fn attempt(&self) -> Option<&PuzzleAttempt> {
        self.attempt.as_ref()
    }

    /// Returns the puzzle at this index, and its position as a game.
    ///
    /// # Errors
    /// Returns the reason if there is no such puzzle.
    pub fn puzzle(&self, index: usize) -> Result<(Puzzle, LiveGame), Text> {
        let puzzle = self.search.as_ref().and_then(|search| search.puzzles.get(index)).cloned();
        let puzzle = puzzle.ok_or_else(|| text!("There is no such puzzle."))?;
        let game = Practice::position_of(&puzzle)?;
        Ok((puzzle, game))
    }

    /// Returns the position of a puzzle as a game.
    ///
    /// # Errors
    /// Returns the reason if it cannot be played.
    pub fn position_of(puzzle: &Puzzle) -> Result<LiveGame, Text> {
        LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves)
            .map_err(|(_, error)| error.in_words(RowOrder::FromBottom))
    }

    /// The game on the board is the position of this puzzle, which is that of `node`.
    pub fn open(&mut self, puzzle: Puzzle, node: NodeId, course: Option<Course>) {
        self.attempt = Some(PuzzleAttempt {
            puzzle,
            node,
            course,
            stage: Stage::Try,
            hinted: false,
            played: Vec::new(),
            outcome: None,
            mistakes: 0,
            shows_solution: false,
            verdict: None,
        });
    }

    /// The game on the board is not a puzzle any more.
    pub fn close(&mut self) {
        self.attempt = None;
    }

    /// Answers the puzzle on the board. Returns the job that judges the answer, or `None` if no
    /// answer is awaited: the board is like any other then.
    ///
    /// # Errors
    /// Returns the reason if the answer cannot be played.
    pub fn answer(
        &mut self,
        game: &mut LiveGame,
        p: Point,
        rows: RowOrder,
        now: Time,
    ) -> Result<Option<Answer>, Text> {
        let Some(attempt) = &mut self.attempt else { return Ok(None) };
        match attempt.stage {
            Stage::Solved | Stage::Shown => return Ok(None),
            Stage::Judging(_) => return Err(being_judged()),
            Stage::Try => {}
        }
        let played = attempt.stones_to_answer(game)?;
        let board = game.board().clone();
        game.play(p, now).map_err(|error| error.in_words(rows))?;
        attempt.stage = Stage::Judging(game.node());
        attempt.verdict = None;
        attempt.played = played;
        let known = known_verdict(attempt, game, p);
        let task = attempt.puzzle.task;
        Ok(Some(known.map_or_else(
            || Answer::Job(Job::Verdict { task, board: Box::new(board), answer: p }),
            Answer::Known,
        )))
    }

    /// The answer was judged: a right one is replied to, a wrong one taken back.
    pub fn judged(&mut self, game: &mut LiveGame, verdict: Verdict, now: Time) {
        let Some(attempt) = &mut self.attempt else { return };
        let Stage::Judging(node) = attempt.stage else { return };
        attempt.stage = Stage::Try;
        // Going elsewhere takes the answer back.
        if game.node() != node {
            return;
        }
        let answer = game.stone(node);
        // A first move that is known to be right may be too deep for the search.
        let is_first = attempt.played.is_empty();
        let verdict = match (verdict, answer) {
            (Verdict::Wrong(Some(reply)), Some(p))
                if is_first && attempt.puzzle.right.contains(&p) =>
            {
                Verdict::Right(reply)
            }
            (verdict, _) => verdict,
        };
        match verdict {
            Verdict::Solved => {
                attempt.stage = Stage::Solved;
                attempt.played.extend(answer);
                let is_clean = attempt.mistakes == 0 && !attempt.hinted;
                attempt.end(if is_clean { Outcome::Clean } else { Outcome::Helped });
            }
            Verdict::Right(reply) => {
                attempt.played.extend(answer);
                if game.play_forbidden_too(reply, now).is_ok() {
                    attempt.played.push(reply);
                }
            }
            Verdict::Wrong(_) => {
                attempt.mistakes += 1;
                if attempt.mistakes == 1 {
                    attempt.end(Outcome::Missed);
                }
                let _ = game.undo(1, now);
            }
        }
        attempt.verdict = answer.map(|answer| (answer, verdict));
    }

    /// Takes back the answer that is judged, because its search has ended.
    pub fn take_back(&mut self, game: &mut LiveGame, now: Time) {
        let Some(attempt) = &mut self.attempt else { return };
        let Stage::Judging(node) = attempt.stage else { return };
        attempt.stage = Stage::Try;
        if game.node() == node {
            let _ = game.undo(1, now);
        }
    }

    /// A search shows moves, as live analysis does: an answer after it is not the player's alone.
    pub fn helped(&mut self) {
        let attempt = self.attempt.as_mut();
        let is_open =
            |attempt: &&mut PuzzleAttempt| matches!(attempt.stage, Stage::Try | Stage::Judging(_));
        if let Some(attempt) = attempt.filter(is_open) {
            attempt.hinted = true;
        }
    }

    /// Returns the rest of the known solution, if the game has followed it so far.
    ///
    /// # Errors
    /// Returns the reason if an answer is judged, whose search a hint would end, or if the position
    /// on the board is not to be answered.
    pub fn hint(&mut self, game: &LiveGame) -> Result<Option<Vec<Point>>, Text> {
        let Some(attempt) = &mut self.attempt else { return Ok(None) };
        let played = match attempt.stage {
            Stage::Judging(_) => return Err(being_judged()),
            Stage::Try => {
                let played = attempt.stones_to_answer(game)?;
                attempt.hinted = true;
                Some(played)
            }
            Stage::Solved | Stage::Shown => attempt.stones_after(game),
        };
        let rest = played.and_then(|played| attempt.rest_of_line(&played));
        Ok(rest.filter(|rest| !rest.is_empty()))
    }

    /// Shows the solution: the board goes back to the puzzle's position.
    ///
    /// # Errors
    /// Returns the reason if there is no puzzle on the board.
    pub fn show_solution(&mut self, game: &mut LiveGame, now: Time) -> Result<(), Text> {
        let attempt = self.attempt.as_mut();
        let gone = || text!("There is no puzzle on the board.");
        let attempt = attempt.ok_or_else(gone)?;
        // Its moves may have been deleted after the solution.
        game.go_to_node(attempt.node, now).map_err(|_| gone())?;
        if attempt.stage != Stage::Solved {
            attempt.stage = Stage::Shown;
            if attempt.mistakes == 0 {
                attempt.end(Outcome::Missed);
            }
        }
        attempt.shows_solution = true;
        attempt.played.clear();
        Ok(())
    }

    /// Returns true if the puzzle on the board has no known solution.
    pub fn needs_solution(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| attempt.puzzle.line.is_empty())
    }

    /// Sets the line of the puzzle on the board, and shows it.
    pub fn solved_by_search(&mut self, line: Vec<Point>) {
        if let Some(attempt) = &mut self.attempt {
            attempt.puzzle.stones = line.len().div_ceil(2);
            attempt.puzzle.line = line;
        }
    }

    /// Returns how the attempt at the puzzle on the board has ended, with its key, once.
    pub fn take_outcome(&mut self) -> Option<(String, Outcome)> {
        let attempt = self.attempt.as_mut()?;
        let outcome = attempt.outcome.take()?;
        Some((puzzles::key(&attempt.puzzle), outcome))
    }

    /// Returns true if an answer to the puzzle on the board is awaited or judged.
    pub fn awaits_answer(&self) -> bool {
        let is_open =
            |attempt: &PuzzleAttempt| matches!(attempt.stage, Stage::Try | Stage::Judging(_));
        self.attempt.as_ref().is_some_and(is_open)
    }

    /// Returns true if an answer is judged.
    pub fn is_judging(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| matches!(attempt.stage, Stage::Judging(_)))
    }
}
