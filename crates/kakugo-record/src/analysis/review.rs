//! Game review: an evaluation of every position and the turning points of the game.

use std::time::Duration;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::proof::with_its_end;
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent, vcf};

use crate::{Game, ReplayError};

/// Attacker moves in the search for a missed VCF.
const VCF_BUDGET: u32 = 50_000;

/// Minimum loss of a turning point, per mille of the expected result.
const TURNING_PERMILLE: u32 = 150;

/// The evaluation of a position in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluatedPosition {
    /// Evaluation for Black.
    pub black: Score,
    /// Expected result for Black, per mille.
    pub black_permille: u32,
    /// The principal variation; empty if the game is over.
    pub best_line: Vec<Point>,
    /// Search depth in plies.
    pub depth: u32,
    /// True if the evaluation is a proven win by continuous fours.
    pub by_fours: bool,
}

/// The kind of a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// Missed a win by continuous fours.
    MissedFours,
    /// Missed a forced win.
    MissedWin,
    /// Allowed a forced win that could have been prevented.
    AllowedWin,
    /// Lost a large part of the expected result.
    Slip,
}

impl Mistake {
    /// Returns true if a forced win was missed.
    pub const fn is_missed_win(self) -> bool {
        matches!(self, Mistake::MissedFours | Mistake::MissedWin)
    }
}

/// A move that turned the game.
#[derive(Clone, PartialEq, Debug)]
pub struct TurningPoint {
    /// Move number, from 1.
    pub number: usize,
    /// The side that moved.
    pub side: Side,
    /// The move played.
    pub played: Point,
    /// The kind of mistake.
    pub mistake: Mistake,
    /// Expected result for the side that moved, before and after, per mille.
    pub permille: (u32, u32),
    /// The best line instead.
    pub line: Vec<Point>,
}

/// The review of a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Review {
    /// Evaluations: entry `n` is the position after `n` moves.
    pub positions: Vec<EvaluatedPosition>,
    /// Turning points in order.
    pub turning_points: Vec<TurningPoint>,
    /// The side that made each move. Moves that are not listed alternate, Black first.
    pub movers: Vec<Side>,
}

impl Review {
    /// Returns the side that made move `index`, from 0.
    pub fn mover(&self, index: usize) -> Side {
        self.movers.get(index).copied().unwrap_or(Side::to_move_after(index))
    }
}

/// Reviews all positions of a game. Each position is searched under `limits`, whose `start` is reset.
/// `progress` is called after each position. A stop signal and an illegal move end the review early.
///
/// # Errors
/// Returns an error if the first position is invalid.
pub fn review(
    engine: &mut Engine,
    game: &Game,
    limits: &Limits,
    signals: &Signals,
    mut progress: impl FnMut(usize, &EvaluatedPosition),
) -> Result<Review, ReplayError> {
    let mut board = game.first_board()?;
    let plies: Vec<(Side, Option<Point>)> =
        game.sides().zip(game.moves.iter().map(|m| m.point)).collect();
    let mut positions = Vec::new();
    for number in 0..=plies.len() {
        if signals.is_stopped() {
            break;
        }
        let side = plies.get(number).map_or(board.side_to_move(), |(side, _)| *side);
        board.set_side_to_move(side);
        let evaluated = evaluate(engine, &board, limits, signals);
        progress(number, &evaluated);
        positions.push(evaluated);
        match plies.get(number) {
            Some((_, Some(p))) if board.play(*p).is_ok() => {}
            Some((side, None)) => board.set_side_to_move(side.opponent()),
            _ => break,
        }
    }
    let turning_points = turning_points(&plies, &positions);
    let movers = plies.iter().map(|(side, _)| *side).collect();
    Ok(Review { positions, turning_points, movers })
}

/// Evaluates a position under `limits`, whose `start` is reset.
pub fn evaluate(
    engine: &mut Engine,
    board: &Board,
    limits: &Limits,
    signals: &Signals,
) -> EvaluatedPosition {
    let side = board.side_to_move();
    let result = |score: Score, best_line: Vec<Point>, depth| {
        let black = if side == Side::Black { score } else { -score };
        let black_permille = black.win_rate_permille();
        EvaluatedPosition { black, black_permille, best_line, depth, by_fours: false }
    };
    match board.outcome() {
        Outcome::Draw => return result(Score::ZERO, Vec::new(), 0),
        Outcome::Forbidden(_) => return result(Score::win_in(0), Vec::new(), 0),
        Outcome::Win(_) => return result(Score::loss_in(0), Vec::new(), 0),
        Outcome::Ongoing => {}
    }
    if let Some(line) = vcf::prove(board, VCF_BUDGET) {
        let (score, depth) = (Score::win_in(line.len()), line.len() as u32);
        return EvaluatedPosition { by_fours: true, ..result(score, line, depth) };
    }
    let limits = Limits { start: kakugo::clock::Instant::now(), ..limits.clone() };
    let answer = engine.think(board, &limits, signals, &mut Silent);
    result(answer.score, with_its_end(board, answer.score, &answer.pv, signals), answer.depth)
}

/// Returns the turning points among moves with their sides, given the evaluations after 0, 1, ..
/// moves. A pass is none.
pub fn turning_points(
    plies: &[(Side, Option<Point>)],
    positions: &[EvaluatedPosition],
) -> Vec<TurningPoint> {
    let pairs = positions.windows(2).zip(plies).enumerate();
    let turning = pairs.filter_map(|(i, (pair, &(side, played)))| {
        let played = played?;
        let own = |judged: &EvaluatedPosition| {
            if side == Side::Black { judged.black } else { -judged.black }
        };
        let (before, after) = (own(&pair[0]), own(&pair[1]));
        let permille = (before.win_rate_permille(), after.win_rate_permille());
        let mistake = if before.is_win() && !after.is_win() {
            if pair[0].by_fours { Mistake::MissedFours } else { Mistake::MissedWin }
        } else if after.is_loss() && !before.is_loss() {
            Mistake::AllowedWin
        } else if permille.0 >= permille.1 + TURNING_PERMILLE {
            Mistake::Slip
        } else {
            return None;
        };
        let line = pair[0].best_line.clone();
        (line.first() != Some(&played)).then_some(TurningPoint {
            number: i + 1,
            side,
            played,
            mistake,
            permille,
            line,
        })
    });
    turning.collect()
}

/// Returns the limits for each of `positions` positions if the review may take `total`.
pub fn limits_for(positions: usize, total: Duration) -> Limits {
    let turn = total / u32::try_from(positions.max(1)).unwrap_or(u32::MAX);
    let turn = turn.clamp(Duration::from_millis(20), Duration::from_secs(1));
    Limits { turn: Some(turn), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pos::{self, RowOrder};
    use kakugo::board::Variant;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn game(moves: &[Point]) -> Game {
        let moves = moves.iter().map(|&p| crate::Move::new(p)).collect();
        Game { moves, ..Game::new(15, 15, Variant::FREESTYLE) }
    }

    #[test]
    fn reviews_follow_passes_and_moves_out_of_turn() {
        let text = "(;GM[4]SZ[15]AB[fh][gh][hh][ih]AW[aa];W[];B[jh])";
        let game = crate::sgf::read(text).unwrap().remove(0);
        let mut engine = Engine::new(1 << 20);
        let limits = Limits { max_nodes: Some(500), ..Limits::default() };
        let signals = Signals::default();
        let review = review(&mut engine, &game, &limits, &signals, |_, _| {}).unwrap();
        assert_eq!(review.movers, [Side::White, Side::Black]);
        assert_eq!(review.positions.len(), 3);
        assert!(review.positions[1..].iter().all(|p| p.black_permille == 1000), "{review:?}");
        assert_eq!((review.mover(0), review.turning_points.len()), (Side::White, 0));
    }

    #[test]
    fn a_missed_five_is_a_turning_point() {
        // Black has an open four after move 7 but plays elsewhere; White blocks one end only.
        let moves = [
            at(5, 7),
            at(0, 0),
            at(6, 7),
            at(2, 0),
            at(7, 7),
            at(4, 0),
            at(8, 7),
            at(4, 7),
            at(14, 14),
            at(9, 7),
        ];
        let mut engine = Engine::new(1 << 20);
        let limits = Limits { max_nodes: Some(2_000), ..Limits::default() };
        let mut seen = 0;
        let game = game(&moves);
        let review =
            review(&mut engine, &game, &limits, &Signals::default(), |_, _| seen += 1).unwrap();
        assert_eq!((seen, review.positions.len()), (11, 11));
        let missed = review.turning_points.iter().find(|t| t.number == 9).expect("move 9");
        assert_eq!(missed.mistake, Mistake::MissedFours);
        assert_eq!((missed.side, missed.line.as_slice()), (Side::Black, &[at(9, 7)][..]));
        assert_eq!(missed.permille.0, 1000);
    }

    #[test]
    fn forced_replies_have_consistent_evaluations() {
        // White wins with forcing moves from move 19.
        let game = "h8i9h9h10j8g8i7g9j5g10g11i11f8j10i10k9h12j12k13k11j6j9i13j11j13l11l8h11";
        let moves = pos::read(game, 15, RowOrder::FromBottom).unwrap();
        let limits = Limits { max_nodes: Some(2_000), ..Limits::default() };
        let mut engine = Engine::new(1 << 20);
        let review =
            review(&mut engine, &self::game(&moves), &limits, &Signals::default(), |_, _| {})
                .unwrap();
        let end: Vec<_> = review.positions[22..].iter().map(|p| p.black_permille).collect();
        assert!(end.iter().all(|&permille| permille < 100), "{end:?}");
        assert!(review.positions[24].depth > 0);
    }

    #[test]
    fn stopped_reviews_return_partial_results() {
        let signals = Signals::default();
        let limits = Limits { max_nodes: Some(100), ..Limits::default() };
        let game = game(&[at(7, 7), at(8, 8), at(9, 9)]);
        let mut engine = Engine::new(1 << 20);
        let partial = review(&mut engine, &game, &limits, &signals, |number, _| {
            if number == 1 {
                signals.stop();
            }
        })
        .unwrap();
        assert_eq!(partial.positions.len(), 2);
    }
}
