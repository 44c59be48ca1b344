//! The problem of a position.

use kakugo::board::{Board, Point};
use kakugo::pattern::Threat;
use kakugo::position::Position;
use kakugo::search;
use kakugo_record::analysis::shortest::{Attack, Shortest, Win};
use kakugo_record::problems::{Problem, Step};

use super::judge::Judge;
use super::kind::{Double, Kind, double};

/// Nodes of a search for the shortest win.
const NODES: u32 = 200_000;
/// Stones of the winner in a win, and in one that a defence prevents.
const MAX_ATTACK: usize = 9;
const MAX_THREATENED: usize = 7;
/// Stones of the winner in the proof of a right move that does not win in the fewest stones.
const MAX_STONES: usize = 12;
/// Right moves: that win, that stop a three, and that are looked at more closely.
const MAX_WINNERS: usize = 1;
const MAX_STOPS: usize = 4;
const MAX_LIKELY: usize = 8;
/// A move that does not stop a four loses to at most this number of stones.
const STOP_STONES: usize = 4;

/// A position that may have a task.
pub(super) struct Candidate {
    step: Step,
    /// The win of the side to move, or of the opponent if the side to move passes.
    win: Win,
    kind: Kind,
}

impl Candidate {
    /// Returns true if the side to move defends.
    pub(super) fn is_defence(&self) -> bool {
        self.step.is_defence()
    }

    /// Returns the kinds of which the problem may be.
    pub(super) fn kinds(&self) -> impl Iterator<Item = Kind> {
        // A three that only one move stops.
        let is_three = self.step == Step::StopFour && self.win.stones() == 2;
        let harder = is_three.then(|| self.kind.with_step(Step::Defence));
        [self.kind].into_iter().chain(harder)
    }
}

/// Returns the task that a quick look finds in a position.
pub(super) fn candidate(judge: &mut Judge, board: &Board) -> Option<Candidate> {
    let (step, win) = task(judge, board)?;
    let kind = Kind::new(board, step, win.stones(), *win.line.first()?);
    Some(Candidate { step, win, kind })
}

fn task(judge: &mut Judge, board: &Board) -> Option<(Step, Win)> {
    let position = Position::new(board);
    let side = board.side_to_move();
    let fives = |side| position.threats().count(side, Threat::Five);
    let mut passed = board.clone();
    passed.set_side_to_move(side.opponent());
    match (fives(side), fives(side.opponent())) {
        (0, 0) => {}
        (0, 1) => return Some((Step::StopFour, find(&passed, Attack::Fours, 1)?)),
        (1, _) if judge.wins_by_threats(&passed) => {
            return Some((Step::Five, find(board, Attack::Fours, 1)?));
        }
        _ => return None,
    }
    // Without a threat of the opponent, too many moves win or hold.
    if !judge.wins_by_threats(&passed) {
        return None;
    }
    if judge.wins_by_fours(board) {
        let win = find(board, Attack::Fours, MAX_ATTACK)?;
        return Some((attack(board, &win)?, win));
    }
    if judge.wins_by_threats(board) {
        let win = find(board, Attack::Threats, MAX_ATTACK)?;
        let step = attack(board, &win)?;
        return Some((if step == Step::Fours { Step::Threats } else { step }, win));
    }
    // Most moves must lose.
    let likely = search::candidates(&position);
    let likely = likely.iter().filter(|&p| board.is_legal(p)).filter(|&p| {
        let mut after = board.clone();
        after.play(p).is_ok() && !judge.wins_by_fours(&after)
    });
    if likely.take(MAX_LIKELY + 1).count() > MAX_LIKELY {
        return None;
    }
    let win = find(&passed, Attack::Threats, MAX_THREATENED)?;
    let step = if win.stones() == 2 { Step::StopFour } else { Step::Defence };
    Some((step, win))
}

/// Returns the step of a win of the side to move; [`Step::Fours`] if it is not a double threat.
fn attack(board: &Board, win: &Win) -> Option<Step> {
    let double = double(board, *win.line.first()?);
    match (win.stones(), double) {
        (2, Some(Double::Fours)) | (3, Some(Double::FourThree | Double::Threes)) => {
            Some(Step::Double)
        }
        (0..=2, _) => None,
        _ => Some(Step::Fours),
    }
}

fn find(board: &Board, attack: Attack, max_stones: usize) -> Option<Win> {
    Shortest::new(board, attack, NODES).find(max_stones).ok()?
}

/// Returns the problem if all right moves are known.
pub(super) fn prove(judge: &mut Judge, board: &Board, candidate: Candidate) -> Option<Problem> {
    let Candidate { mut step, win, .. } = candidate;
    let stones = win.stones();
    let right = match step {
        // Only a five counts, whatever else wins.
        Step::Five => win.line.clone(),
        Step::StopFour | Step::Defence => {
            let right = judge.holders(board, if stones == 2 { MAX_STOPS } else { 1 })?;
            if stones == 2 && right.len() == 1 {
                step = Step::Defence;
            }
            let is_plain = step == Step::Defence || others_lose_at_once(board, &right);
            (is_plain && judge.all_hold(board, &right)).then_some(right)?
        }
        Step::Double | Step::Fours | Step::Threats => {
            if step == Step::Fours {
                // No threats win sooner than the fours.
                let sooner = Shortest::new(board, Attack::Threats, NODES).find(stones - 1);
                sooner.ok()?.is_none().then_some(())?;
            }
            let right = judge.winners(board, MAX_WINNERS)?;
            let mut search = Shortest::new(board, Attack::Threats, NODES);
            let are_proven =
                right.iter().all(|&p| search.wins_with(p, MAX_STONES.max(stones)) == Ok(true));
            (are_proven && right.contains(win.line.first()?)).then_some(right)?
        }
    };
    let moves = board.stones().map(|stone| stone.point).collect();
    let rule = board.variant().rule();
    Some(Problem { rule, step, moves, right, stones, line: win.line })
}

/// Returns true if the opponent wins quickly after each move but the `right` ones.
fn others_lose_at_once(board: &Board, right: &[Point]) -> bool {
    let mut others = board.empty_points().filter(|&p| board.is_legal(p) && !right.contains(&p));
    others.all(|p| {
        let mut after = board.clone();
        after.play(p).is_ok() && find(&after, Attack::Threats, STOP_STONES).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::Variant;
    use kakugo::board::Side;

    fn problem(side: Side, drawing: &str) -> Option<(Problem, Vec<Point>)> {
        let (mut board, marks) = kakugo::board!(Variant::FREESTYLE, drawing);
        board.set_side_to_move(side);
        let mut judge = Judge::new();
        let candidate = candidate(&mut judge, &board)?;
        Some((prove(&mut judge, &board, candidate)?, marks))
    }

    #[test]
    fn a_four_and_three_against_two_open_threes_is_a_double_threat() {
        let (problem, marks) = problem(
            Side::Black,
            ". . . . . . . . . . .
             . O X X X * . . . . .
             . . . . X . . . . . .
             . . . X . . . . . . .
             . . . . . . . . . . .
             . . . . . . . . . . .
             . . . O O O . . . . .
             . . . . . . . . O . .
             . . . . . . . . O . .
             . . . . . . . . O . .
             . . . . . . . . . . .",
        )
        .expect("a problem");
        assert_eq!((problem.step, problem.stones), (Step::Double, 3));
        assert_eq!(problem.right, marks);
    }

    #[test]
    fn a_four_is_stopped_at_its_only_end() {
        let (problem, marks) = problem(
            Side::White,
            ". . . . . . . . .
             . O X X X X * . .
             . . . . . . . . .
             . . . O . . . . .
             . . . . . . . . .
             . . . . . O . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .",
        )
        .expect("a problem");
        assert_eq!((problem.step, problem.stones), (Step::StopFour, 1));
        assert_eq!((problem.right, problem.line), (marks.clone(), marks));
    }

    #[test]
    fn a_quiet_position_has_no_task() {
        let drawing = ". . . . . . .\n. . X . . . .\n. . . O . . .\n. . . . X . .\n\
                       . . . . . . .\n. . . . . . .\n. . . . . . .";
        assert_eq!(problem(Side::White, drawing), None);
    }
}
