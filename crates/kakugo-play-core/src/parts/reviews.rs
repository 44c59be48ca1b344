//! Reviews: the positions of a game's line are evaluated one after the other, even while clients
//! look at other moves or at another game. Then claims about mistakes are verified. The result
//! belongs to the game.

use std::collections::VecDeque;
use std::time::Duration;

use kakugo::board::Board;
use kakugo_record::analysis::review::{EvaluatedPosition, limits_for, next_to_verify};
use kakugo_record::tree::NodeId;

use crate::game::live::LiveGame;
use crate::jobs::{Job, JobId};
use crate::now::Time;
use crate::parts::saving::SaveState;

/// Time for a game.
pub const REVIEW_TIME: Duration = Duration::from_secs(20);

/// A game that has left the board while it is under review.
#[derive(Debug)]
pub struct ShelvedGame {
    /// The game.
    pub game: LiveGame,
    /// Its saved file.
    pub save: SaveState,
}

/// The review under way, if there is one.
#[derive(Default)]
pub struct Reviews {
    run: Option<Run>,
}

/// A review under way.
struct Run {
    /// The job of the position that is searched.
    job: Option<JobId>,
    /// Positions to review, that one first.
    todo: VecDeque<(NodeId, Board)>,
    /// All positions of the line.
    line: Vec<(NodeId, Board)>,
    /// Time per position.
    time: Duration,
    /// The number of checks of that position so far, if a claim is verified.
    checks: Option<u8>,
    done: usize,
    total: usize,
    /// The game, if it is not the one on the board.
    shelved: Option<Box<ShelvedGame>>,
}

impl Reviews {
    /// Starts to review the positions of a game's line that have not been reviewed, or to verify
    /// the claims that have not been verified. If there are none, the line is reviewed again.
    /// `time` is that of the first searches of all positions.
    pub fn start(&mut self, game: &mut LiveGame, time: Duration) {
        let line = boards(game);
        let is_todo = |game: &LiveGame, node: NodeId| game.tree().value(node).review.is_none();
        let is_reviewed = !line.iter().any(|&(node, _)| is_todo(game, node));
        let claim = if is_reviewed { next_claim(&line, game) } else { None };
        let (mut todo, mut checks) = (VecDeque::new(), None);
        if let Some((index, so_far)) = claim {
            checks = Some(so_far);
            todo.push_back(line[index].clone());
        } else {
            if is_reviewed {
                for &(node, _) in &line {
                    game.set_review(node, None);
                }
            }
            todo.extend(line.iter().filter(|&&(node, _)| is_todo(game, node)).cloned());
        }
        let total = todo.len();
        let time = limits_for(line.len(), time).turn.unwrap_or(time);
        self.run = Some(Run { job: None, todo, line, time, checks, done: 0, total, shelved: None });
    }

    /// Returns true if a review is under way.
    pub fn is_under_way(&self) -> bool {
        self.run.is_some()
    }

    /// Returns true if the game on the board is under review.
    pub fn is_of_board(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.shelved.is_none())
    }

    /// Returns true if the game with this saved file is under review but not on the board.
    pub fn is_of_shelved(&self, id: &str) -> bool {
        self.shelved().is_some_and(|shelved| shelved.save.id.as_deref() == Some(id))
    }

    /// Returns the game under review if it is not on the board.
    pub fn shelved(&self) -> Option<&ShelvedGame> {
        self.run.as_ref()?.shelved.as_deref()
    }

    /// Returns the number of positions reviewed, and of all.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.run.as_ref().map(|run| (run.done, run.total))
    }

    /// Returns the job of the position that is searched.
    pub fn job(&self) -> Option<JobId> {
        self.run.as_ref()?.job
    }

    /// Returns true if a position waits for its job.
    pub fn needs_job(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.job.is_none() && !run.todo.is_empty())
    }

    /// Returns the job of the next position, under this number.
    pub fn next_job(&mut self, id: JobId) -> Option<Job> {
        let run = self.run.as_mut()?;
        let (_, board) = run.todo.front()?;
        run.job = Some(id);
        Some(Job::Review { board: Box::new(board.clone()), checks: run.checks, time: run.time })
    }

    /// The job of a position has a result: it is added to the game, which is the one on the board
    /// unless it was shelved.
    pub fn add(
        &mut self,
        result: EvaluatedPosition,
        board_game: &mut LiveGame,
        board_save: &mut SaveState,
    ) {
        let Some(run) = &mut self.run else { return };
        run.job = None;
        let Some((node, _)) = run.todo.pop_front() else { return };
        run.done += 1;
        let (game, save) = match &mut run.shelved {
            Some(shelved) => (&mut shelved.game, &mut shelved.save),
            None => (board_game, board_save),
        };
        // The move may have been deleted meanwhile.
        if game.set_review(node, Some(result)) {
            save.changed();
            if run.todo.is_empty()
                && let Some((index, checks)) = next_claim(&run.line, game)
            {
                run.checks = Some(checks);
                run.todo.push_back(run.line[index].clone());
                run.total += 1;
            }
        }
    }

    /// The job of a position has ended without a result.
    pub fn job_failed(&mut self) {
        if let Some(run) = &mut self.run {
            run.job = None;
        }
    }

    /// Returns true if all positions have been reviewed.
    pub fn is_done(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.todo.is_empty())
    }

    /// Ends the review. Returns the job to be stopped, and the game if it is not on the board.
    pub fn end(&mut self) -> (Option<JobId>, Option<Box<ShelvedGame>>) {
        self.run.take().map_or((None, None), |run| (run.job, run.shelved))
    }

    /// The game on the board was replaced: its review goes on if it is saved. Otherwise returns it,
    /// and the review has to be ended if it was of the board.
    pub fn shelve(&mut self, game: LiveGame, save: SaveState) -> Option<SaveState> {
        match &mut self.run {
            Some(run) if run.shelved.is_none() && save.id.is_some() => {
                run.shelved = Some(Box::new(ShelvedGame { game, save }));
                None
            }
            _ => Some(save),
        }
    }

    /// Takes the game with this saved file back, to be put on the board. Its review goes on.
    pub fn unshelve(&mut self, id: &str) -> Option<ShelvedGame> {
        let run = self.run.as_mut()?;
        let shelved = run.shelved.take_if(|shelved| shelved.save.id.as_deref() == Some(id));
        shelved.map(|shelved| *shelved)
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        if let Some(run) = &self.run {
            assert!(run.job.is_some() && run.done + run.todo.len() == run.total);
            assert!(run.shelved.as_ref().is_none_or(|shelved| shelved.save.id.is_some()));
        }
    }
}

/// Returns the positions of a game's line.
fn boards(game: &LiveGame) -> Vec<(NodeId, Board)> {
    let mut game = game.clone();
    let now = Time::default();
    let positions = game.positions();
    let position = |(ply, node)| {
        game.go_to(ply, now);
        (node, game.board().clone())
    };
    positions.into_iter().enumerate().map(position).collect()
}

/// Returns the index of the next position of a line that is to be verified, and the number of its
/// checks so far. `None` if a move of the line was deleted.
fn next_claim(line: &[(NodeId, Board)], game: &LiveGame) -> Option<(usize, u8)> {
    if !line.iter().all(|&(node, _)| game.tree().contains(node)) {
        return None;
    }
    let reviews = line.iter().map_while(|&(node, _)| game.tree().value(node).review.as_deref());
    let positions: Vec<EvaluatedPosition> = reviews.cloned().collect();
    let nodes: Vec<NodeId> = line.iter().map(|&(node, _)| node).collect();
    let index = next_to_verify(&game.plies(&nodes), &positions)?;
    Some((index, positions[index].checks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::Setup;
    use kakugo::board::Point;
    use kakugo::score::Score;

    fn judged() -> EvaluatedPosition {
        let (black, best_line) = (Score::from_eval(10), Vec::new());
        let (black_permille, depth) = (510, 5);
        EvaluatedPosition { black, black_permille, best_line, depth, by_fours: false, checks: 0 }
    }

    #[test]
    fn only_positions_without_a_review_are_reviewed_until_all_have_one() {
        let setup = Setup::default().checked(&[]).unwrap();
        let moves = [(7, 7), (8, 8), (6, 7)].map(|(x, y)| Point::new(x, y).unwrap());
        let mut game = LiveGame::with_moves(setup, &moves).unwrap();
        let nodes = game.positions();
        assert!(game.review_of(&nodes).positions.is_empty());
        let (mut reviews, mut save) = (Reviews::default(), SaveState::new(true));
        let mut run = |game: &mut LiveGame| {
            reviews.start(game, REVIEW_TIME);
            while reviews.needs_job() {
                let job = reviews.next_job(JobId(1));
                assert!(matches!(job, Some(Job::Review { .. })));
                reviews.check_invariants();
                reviews.add(judged(), game, &mut save);
            }
            let progress = reviews.progress();
            assert_eq!((reviews.is_done(), reviews.end().0), (true, None));
            progress
        };
        assert_eq!(run(&mut game), Some((4, 4)));
        assert_eq!(game.review_of(&nodes).positions.len(), 4);
        game.set_review(nodes[2], None);
        assert_eq!(game.review_of(&nodes).positions.len(), 2, "up to the first without a review");
        assert_eq!(run(&mut game), Some((1, 1)));
        assert_eq!(run(&mut game), Some((4, 4)));
    }

    #[test]
    fn claims_are_verified_after_the_positions() {
        let setup = Setup::default().checked(&[]).unwrap();
        let moves = [(7, 7), (8, 8)].map(|(x, y)| Point::new(x, y).unwrap());
        let mut game = LiveGame::with_moves(setup, &moves).unwrap();
        let (mut reviews, mut save) = (Reviews::default(), SaveState::new(true));
        reviews.start(&mut game, REVIEW_TIME);
        // White's move seems to lose much.
        let scores = [0, 0, 400];
        let mut asked = Vec::new();
        while reviews.needs_job() {
            let Some(Job::Review { board, checks, .. }) = reviews.next_job(JobId(1)) else {
                panic!("no job")
            };
            asked.push((board.ply(), checks));
            let black = Score::from_eval(scores[board.ply()]);
            let (black_permille, checks) = (black.win_rate_permille(), checks.map_or(0, |n| n + 1));
            reviews.add(
                EvaluatedPosition { black, black_permille, checks, ..judged() },
                &mut game,
                &mut save,
            );
            let shown = game.review_of(&game.positions()).turning_points.len();
            assert_eq!(shown == 1, asked.len() == 7, "{asked:?}");
        }
        // A review that was stopped before the last search goes on there.
        let nodes = game.positions();
        let last = game.review_of(&nodes).positions[2].clone();
        game.set_review(nodes[2], Some(EvaluatedPosition { checks: 1, ..last }));
        reviews.start(&mut game, REVIEW_TIME);
        assert_eq!(reviews.progress(), Some((0, 1)));
        let (first, second) = (Some(0), Some(1));
        assert_eq!(asked[..3], [(0, None), (1, None), (2, None)]);
        assert_eq!(asked[3..], [(1, first), (2, first), (1, second), (2, second)]);
    }
}
