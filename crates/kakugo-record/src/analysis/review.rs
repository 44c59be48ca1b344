//! Game review: an evaluation of every position and the turning points of the game.
//!
//! The review searches each position once. A move that seems to lose much makes a claim: that
//! another move was better. Such claims of short searches are often wrong, so the positions before
//! and after the move are searched again with more nodes, and once more with even more, from the
//! end of the game to its beginning. Turning points are those moves whose loss these searches
//! confirm. Forced wins are played out to the five.

use std::time::Duration;

use kakugo::board::{Board, Foul, Outcome, Point, Side};
use kakugo::proof::{to_the_five, with_its_end};
use kakugo::score::Score;
use kakugo::search::{Answer, Engine, Limits, Signals, Silent, vcf};

use crate::{Game, ReplayError};

/// Attacker moves in the search for a missed VCF.
const VCF_BUDGET: u32 = 50_000;

/// Minimum loss of a turning point, per mille of the expected result.
pub(super) const TURNING_PERMILLE: u32 = 200;

/// Minimum loss of a turning point without a forced win, per mille of the expected result. Smaller
/// claims about open positions are often not confirmed by much deeper searches.
const SLIP_PERMILLE: u32 = 300;

/// Minimum loss of a move that is verified, per mille of the expected result. Less than
/// [`TURNING_PERMILLE`], because the deeper search may find that it lost more.
const SUSPECT_PERMILLE: u32 = 150;

/// Factors by which the limits of the searches that verify a claim exceed those of the first
/// search.
const VERIFICATION: [u32; 3] = [4, 16, 32];

/// Number of these searches for most claims.
const CHECKS: u8 = 2;

/// Expected result, per mille, below which a position may well be lost already. The claim that the
/// move allowed a forced win then needs all of the searches.
const DOUBTFUL_PERMILLE: u32 = 400;

/// Plies by which it may exceed a limit of the depth.
const MORE_PLIES: u32 = 4;

/// Nodes per second of the time for a position. Most CPUs are faster, so the number of nodes ends
/// the search, and the same game gets the same review again.
const NODES_PER_SECOND: f64 = 200_000.0;

/// Evaluation of a win that the search reports but cannot play out.
const UNPROVEN_WIN: i32 = 1_200;

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
    /// Number of deeper searches that confirmed the evaluation. A proof needs none: see
    /// [`EvaluatedPosition::is_verified`].
    pub checks: u8,
}

impl EvaluatedPosition {
    /// Value of `checks` for a proven evaluation, and after the deepest search.
    pub const VERIFIED: u8 = VERIFICATION.len() as u8;

    /// Returns true if the evaluation may support a claim.
    pub const fn is_verified(&self) -> bool {
        self.checks >= CHECKS
    }
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
    /// Lost a large part of the expected result, without a forced win.
    Slip,
    /// Made a forbidden move, which lost the game.
    Forbidden(Foul),
}

impl Mistake {
    /// Returns the mistake as a phrase.
    pub const fn words(self) -> &'static str {
        match self {
            Mistake::MissedFours => "missed a win by fours",
            Mistake::MissedWin => "missed a forced win",
            Mistake::AllowedWin => "allowed a forced win",
            Mistake::Slip => "lost much of the advantage",
            Mistake::Forbidden(Foul::Overline) => "made an overline",
            Mistake::Forbidden(Foul::DoubleFour) => "made a double-four",
            Mistake::Forbidden(Foul::DoubleThree) => "made a double-three",
        }
    }

    /// Returns true if a forced win was missed.
    pub const fn is_missed_win(self) -> bool {
        matches!(self, Mistake::MissedFours | Mistake::MissedWin)
    }
}

/// A move that lost much of its player's expected result, as deeper searches confirm.
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
    /// Number of the first moves that belong to an opening: see [`Game::opening_moves`]. They lose
    /// nothing, and do not count.
    pub opening_moves: usize,
}

impl Review {
    /// Returns the side that made move `index`, from 0.
    pub fn mover(&self, index: usize) -> Side {
        self.movers.get(index).copied().unwrap_or(Side::to_move_after(index))
    }
}

/// The side that makes a move, and its stone. `None` is a pass.
pub type Ply = (Side, Option<Point>);

/// Reviews all positions of a game. Each position is searched under `limits`, whose `start` is
/// reset, and claims are verified. `progress` is called after each position that is searched first.
/// A stop signal and an illegal move end the review early.
///
/// The engine is cleared first, so reviews with a limit of nodes or depth are reproducible.
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
    let plies: Vec<Ply> = game.sides().zip(game.moves.iter().map(|m| m.point)).collect();
    engine.clear();
    let (mut boards, mut positions) = (Vec::new(), Vec::new());
    for number in 0..=plies.len() {
        if signals.is_stopped() {
            break;
        }
        let side = plies.get(number).map_or(board.side_to_move(), |(side, _)| *side);
        board.set_side_to_move(side);
        let evaluated = evaluate(engine, &board, limits, signals);
        // A search that was stopped has seen too little.
        if signals.is_stopped() {
            break;
        }
        progress(number, &evaluated);
        positions.push(evaluated);
        boards.push(board.clone());
        match plies.get(number) {
            Some((_, Some(p))) if board.play(*p).is_ok() => {}
            Some((side, None)) => board.set_side_to_move(side.opponent()),
            _ => break,
        }
    }
    while !signals.is_stopped()
        && let Some(index) = next_to_verify(&plies, &positions)
    {
        let checks = positions[index].checks;
        let verified = verify(engine, &boards[index], checks, limits, signals);
        if signals.is_stopped() {
            break;
        }
        positions[index] = verified;
    }
    let end = boards.last().map_or(Outcome::Ongoing, Board::outcome);
    Ok(review_of(&plies, game.opening_moves, positions, end))
}

/// Evaluates a position under `limits`, whose `start` is reset.
pub fn evaluate(
    engine: &mut Engine,
    board: &Board,
    limits: &Limits,
    signals: &Signals,
) -> EvaluatedPosition {
    if let Some(proven) = proven(board, VCF_BUDGET) {
        return proven;
    }
    let Answer { score, pv, depth, .. } = think(engine, board, limits, signals);
    evaluated(board, score, with_its_end(board, score, &pv, signals), depth)
}

/// Evaluates a position again, after this number of checks, for the claims about the moves before
/// and after it. The limits are multiplied. A forced win is played out to the five.
pub fn verify(
    engine: &mut Engine,
    board: &Board,
    checks: u8,
    limits: &Limits,
    signals: &Signals,
) -> EvaluatedPosition {
    let factor = VERIFICATION[usize::from(checks).min(VERIFICATION.len() - 1)];
    let checks = checks.saturating_add(1);
    if let Some(proven) = proven(board, VCF_BUDGET.saturating_mul(factor)) {
        return proven;
    }
    let deeper = Limits {
        max_nodes: limits.max_nodes.map(|nodes| nodes.saturating_mul(u64::from(factor))),
        turn: limits.turn.map(|turn| turn.saturating_mul(factor)),
        max_depth: limits.max_depth.map(|depth| depth.saturating_add(MORE_PLIES)),
        ..limits.clone()
    };
    let Answer { score, pv, depth, .. } = think(engine, board, &deeper, signals);
    let side = board.side_to_move();
    let (winner, unproven) = match (score.is_win(), score.is_loss()) {
        (true, _) => (side, UNPROVEN_WIN),
        (_, true) => (side.opponent(), -UNPROVEN_WIN),
        _ => return EvaluatedPosition { checks, ..evaluated(board, score, pv, depth) },
    };
    match play_out(engine, board, &pv, winner, limits, signals) {
        Some(line) => {
            let checks = EvaluatedPosition::VERIFIED;
            EvaluatedPosition { checks, ..evaluated(board, score, line, depth) }
        }
        None => {
            let score = Score::from_eval(unproven);
            EvaluatedPosition { checks, ..evaluated(board, score, pv, depth) }
        }
    }
}

/// Returns the evaluation of a position that is over or won by fours.
fn proven(board: &Board, vcf_budget: u32) -> Option<EvaluatedPosition> {
    let (score, line) = match board.outcome() {
        Outcome::Draw => (Score::ZERO, Vec::new()),
        Outcome::Forbidden(_) => (Score::win_in(0), Vec::new()),
        Outcome::Win(_) => (Score::loss_in(0), Vec::new()),
        Outcome::Ongoing => {
            let line = vcf::prove(board, vcf_budget)?;
            (Score::win_in(line.len()), line)
        }
    };
    let (by_fours, depth) = (!line.is_empty(), line.len() as u32);
    let checks = EvaluatedPosition::VERIFIED;
    Some(EvaluatedPosition { by_fours, checks, ..evaluated(board, score, line, depth) })
}

/// Returns the evaluation with this score of the side to move.
fn evaluated(board: &Board, score: Score, best_line: Vec<Point>, depth: u32) -> EvaluatedPosition {
    let black = if board.side_to_move() == Side::Black { score } else { -score };
    EvaluatedPosition {
        black,
        black_permille: black.win_rate_permille(),
        best_line,
        depth,
        by_fours: false,
        checks: 0,
    }
}

fn think(engine: &mut Engine, board: &Board, limits: &Limits, signals: &Signals) -> Answer {
    let limits = Limits { start: kakugo::clock::Instant::now(), ..limits.clone() };
    engine.think(board, &limits, signals, &mut Silent)
}

/// Returns the line to the five of `winner`. `None` if the search does not find it.
fn play_out(
    engine: &mut Engine,
    board: &Board,
    line: &[Point],
    winner: Side,
    limits: &Limits,
    signals: &Signals,
) -> Option<Vec<Point>> {
    let mut board = board.clone();
    let mut played = Vec::new();
    let mut next = line.to_vec();
    loop {
        let line = to_the_five(&board, &next, winner, signals);
        if line.is_empty() {
            return None;
        }
        line.iter().try_for_each(|&p| board.play(p)).ok()?;
        played.extend(line);
        match board.outcome() {
            Outcome::Win(side) => return (side == winner).then_some(played),
            Outcome::Forbidden(_) => return (winner == Side::White).then_some(played),
            Outcome::Draw => return None,
            Outcome::Ongoing => {}
        }
        let answer = think(engine, &board, limits, signals);
        let is_winners_turn = board.side_to_move() == winner;
        let holds = if is_winners_turn { answer.score.is_win() } else { answer.score.is_loss() };
        if !holds || signals.is_stopped() {
            return None;
        }
        next = answer.pv.into_iter().take(1).collect();
    }
}

/// Returns the review of a game, given the evaluations after 0, 1, .. moves, and the outcome of the
/// last of these positions. The first moves may belong to an opening.
pub fn review_of(
    plies: &[Ply],
    opening_moves: usize,
    mut positions: Vec<EvaluatedPosition>,
    end: Outcome,
) -> Review {
    settle(plies, &mut positions);
    let mut turning_points = turning_points_of(plies, &positions, end);
    turning_points.retain(|turning| turning.number > opening_moves);
    let movers = plies.iter().map(|(side, _)| *side).collect();
    Review { positions, turning_points, movers, opening_moves }
}

/// Returns the index of the position that is to be verified next: one whose evaluation makes a
/// claim and is not verified. Begins with the last move, and with the position that had fewer
/// checks. `None` if all claims are verified.
pub fn next_to_verify(plies: &[Ply], positions: &[EvaluatedPosition]) -> Option<usize> {
    let mut settled = positions.to_vec();
    settle(plies, &mut settled);
    let pairs = settled.windows(2).zip(plies).enumerate().rev();
    let suspects = pairs.filter(|(_, (pair, (side, played)))| {
        let [before, after] = own_permille(*side, pair);
        played.is_some() && before >= after + SUSPECT_PERMILLE
    });
    let mut unverified = suspects.filter_map(|(i, (pair, (side, _)))| {
        let index = if positions[i].checks <= positions[i + 1].checks { i } else { i + 1 };
        (positions[index].checks < checks_of_claim(*side, pair)).then_some(index)
    });
    unverified.next()
}

/// Returns the number of checks that a claim needs: that about the move of `side` between two
/// positions.
fn checks_of_claim(side: Side, pair: &[EvaluatedPosition]) -> u8 {
    let [before, _] = own_permille(side, pair);
    let is_doubtful = own(side, pair[1].black).is_loss() && before < DOUBTFUL_PERMILLE;
    if is_doubtful { EvaluatedPosition::VERIFIED } else { CHECKS }
}

/// Makes the evaluations consistent: a position is worth at least as much as the position after the
/// move played, and exactly as much if that move is the best one.
///
/// That the best move of a search loses does not prove that all others do. So such a loss counts
/// only if deeper searches prefer no other move, and never as proven.
fn settle(plies: &[Ply], positions: &mut [EvaluatedPosition]) {
    for (i, &(side, played)) in plies.iter().enumerate().rev() {
        let (Some(played), Some([before, after])) = (played, positions.get_mut(i..i + 2)) else {
            continue;
        };
        let is_less_certain = before.checks > after.checks && !after.black.is_decided();
        let is_best = before.best_line.first() == Some(&played);
        let is_better = own(side, after.black) > own(side, before.black);
        let is_lost_by_best =
            is_best && own(side, after.black).is_loss() && !own(side, before.black).is_loss();
        let is_doubtful = is_lost_by_best && !before.is_verified();
        if is_less_certain || is_doubtful || !(is_best || is_better) {
            continue;
        }
        let unproven = own(side, Score::from_eval(-UNPROVEN_WIN));
        let black = if is_lost_by_best { unproven } else { after.black.seen_from_ancestor(1) };
        *before = EvaluatedPosition {
            black,
            black_permille: black.win_rate_permille(),
            best_line: std::iter::once(played).chain(after.best_line.iter().copied()).collect(),
            depth: before.depth.max(after.depth + 1),
            by_fours: before.by_fours && is_best,
            checks: before.checks,
        };
    }
}

/// Returns Black's score from the point of view of `side`.
fn own(side: Side, black: Score) -> Score {
    if side == Side::Black { black } else { -black }
}

/// Returns the expected results of `side` in two positions, per mille.
fn own_permille(side: Side, pair: &[EvaluatedPosition]) -> [u32; 2] {
    [&pair[0], &pair[1]].map(|position| own(side, position.black).win_rate_permille())
}

/// Returns the turning points among moves with their sides. A pass is none.
fn turning_points_of(
    plies: &[Ply],
    positions: &[EvaluatedPosition],
    end: Outcome,
) -> Vec<TurningPoint> {
    let pairs = positions.windows(2).zip(plies).enumerate();
    let turning = pairs.filter_map(|(i, (pair, &(side, played)))| {
        let played = played?;
        let permille = own_permille(side, pair).into();
        let (before, after) = (own(side, pair[0].black), own(side, pair[1].black));
        let checks = checks_of_claim(side, pair);
        let is_verified = pair.iter().all(|position| position.checks >= checks);
        if !is_verified || loss(permille) < TURNING_PERMILLE {
            return None;
        }
        let is_last = i + 2 == positions.len();
        let mistake = match end {
            Outcome::Forbidden(foul) if is_last => Mistake::Forbidden(foul),
            _ if before.is_win() && pair[0].by_fours => Mistake::MissedFours,
            _ if before.is_win() => Mistake::MissedWin,
            _ if after.is_loss() => Mistake::AllowedWin,
            _ => Mistake::Slip,
        };
        if mistake == Mistake::Slip && loss(permille) < SLIP_PERMILLE {
            return None;
        }
        let line = pair[0].best_line.clone();
        Some(TurningPoint { number: i + 1, side, played, mistake, permille, line })
    });
    turning.collect()
}

fn loss((before, after): (u32, u32)) -> u32 {
    before.saturating_sub(after)
}

/// Returns the limits for each of `positions` positions if the review may take `total`.
pub fn limits_for(positions: usize, total: Duration) -> Limits {
    let turn = total / u32::try_from(positions.max(1)).unwrap_or(u32::MAX);
    limits_in(turn.clamp(Duration::from_millis(20), Duration::from_secs(1)))
}

/// Returns the limits for a position if its search may take `time`. They bound the nodes, too.
pub fn limits_in(time: Duration) -> Limits {
    let nodes = (time.as_secs_f64() * NODES_PER_SECOND) as u64;
    Limits { turn: Some(time), max_nodes: Some(nodes.max(1)), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::sync::atomic::Ordering::Relaxed;

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
    fn the_loss_of_the_best_move_proves_nothing_of_the_others() {
        let position = |black: Score, best: &[Point], checks| EvaluatedPosition {
            black,
            black_permille: black.win_rate_permille(),
            best_line: best.to_vec(),
            depth: 9,
            by_fours: false,
            checks,
        };
        // Black's best move, according to a short search, loses by force.
        let plies = [(Side::White, Some(at(7, 7))), (Side::Black, Some(at(8, 8)))];
        let lost = position(Score::loss_in(9), &[], EvaluatedPosition::VERIFIED);
        let of = |checks| {
            let even = |best: &[Point], checks| position(Score::ZERO, best, checks);
            vec![even(&[at(1, 1)], CHECKS), even(&[at(8, 8)], checks), lost.clone()]
        };
        assert_eq!(next_to_verify(&plies, &of(0)), Some(1));
        assert_eq!(next_to_verify(&plies, &of(1)), Some(1));
        let review = review_of(&plies, 0, of(CHECKS), Outcome::Ongoing);
        assert!(!review.positions[1].black.is_decided(), "{:?}", review.positions[1]);
        assert!(review.positions[1].black_permille < 10 && review.turning_points.is_empty());
    }

    #[test]
    fn a_missed_five_is_a_turning_point() {
        // Black has a four at the edge after move 7 but plays elsewhere. White has the centre.
        let (_, review) = reviewed("f15h8g15i9h15h7i15e15o1j15", 2_000);
        let missed = review.turning_points.iter().find(|t| t.number == 9).expect("move 9");
        assert_eq!(missed.mistake, Mistake::MissedFours);
        assert_eq!((missed.side, missed.line.as_slice()), (Side::Black, &[at(9, 0)][..]));
        assert_eq!(missed.permille.0, 1000);
    }

    #[test]
    fn a_forbidden_move_is_a_turning_point_of_its_own_kind() {
        let of = |text: &str| {
            let game = crate::sgf::read(text).unwrap().remove(0);
            let limits = Limits { max_nodes: Some(500), ..Limits::default() };
            let mut engine = Engine::new(1 << 20);
            review(&mut engine, &game, &limits, &Signals::default(), |_, _| {}).unwrap()
        };
        let moves = ";B[hf];W[aa];B[hg];W[ac];B[ih];W[ae];B[jh];W[oo];B[hh]";
        let forbidden = of(&format!("(;GM[4]SZ[15]RU[renju]{moves})"));
        let last = forbidden.turning_points.last().unwrap();
        let mistake = Mistake::Forbidden(Foul::DoubleThree);
        assert_eq!((last.number, last.side, last.mistake), (9, Side::Black, mistake));
        assert_eq!((last.mistake.words(), last.permille.1), ("made a double-three", 0));
        assert!(!last.line.is_empty());
        let earlier = &forbidden.turning_points[..forbidden.turning_points.len() - 1];
        assert!(earlier.iter().all(|turning| !matches!(turning.mistake, Mistake::Forbidden(_))));
        // In freestyle it is a good move.
        let free = of(&format!("(;GM[4]SZ[15]RU[freestyle]{moves})"));
        assert!(free.turning_points.iter().all(|turning| turning.number != 9));
    }

    #[test]
    fn a_missed_win_of_a_won_game_is_no_turning_point() {
        // Black has an open four, plays elsewhere, and wins all the same.
        let (_, review) = reviewed("h8a1i8a3j8a5k8g8o15l8", 2_000);
        let after = review.positions[9].black_permille;
        assert!(after > 900, "{after}");
        assert!(review.turning_points.iter().all(|t| t.number != 9));
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

    /// The review of a game of freestyle on 15x15.
    fn reviewed(moves: &str, nodes: u64) -> (Vec<Point>, Review) {
        let moves = pos::read(moves, 15, RowOrder::FromBottom).unwrap();
        let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
        let mut engine = Engine::new(1 << 24);
        let review =
            review(&mut engine, &game(&moves), &limits, &Signals::default(), |_, _| {}).unwrap();
        (moves, review)
    }

    #[test]
    fn a_lost_position_has_no_turning_point() {
        // Black is lost before a11, whatever is played.
        let (_, review) = reviewed("h8d12a1g6a3g4a5h7a7a4a9g3a11g5a13g2", 2_000);
        assert!(review.positions[12].black_permille < 50, "{:?}", review.positions[12]);
        let [black, _] = crate::analysis::accuracy::of_review(&review, |_| true);
        assert!(black.percent < 40.0, "Black plays at the edge: {black}");
        let numbers: Vec<usize> = review.turning_points.iter().map(|t| t.number).collect();
        assert!(!numbers.is_empty() && numbers.iter().all(|&n| n < 10), "{numbers:?}");
    }

    #[test]
    fn better_moves_are_better_than_the_move_played() {
        // A short search prefers g8 to g12, which is better. Best is e11.
        let game = "h8i9i10g10g11h9f11f10h11i11j9k8k10e10d10i8h13j7k6i6l9h7i7j5g12";
        let (moves, review) = reviewed(game, 10_000);
        let mut engine = Engine::new(1 << 24);
        for turning in &review.turning_points {
            let game = self::game(&moves[..turning.number - 1]);
            let mut score = |p: Point| {
                let only = Some([p].into_iter().collect());
                let limits = Limits { max_nodes: Some(100_000), only, ..Limits::default() };
                engine.clear();
                think(&mut engine, &game.board().unwrap(), &limits, &Signals::default()).score
            };
            let (better, played) = (score(turning.line[0]), score(turning.played));
            assert!(better > played, "{turning:?}: {better} against {played}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_confirms_nothing() {
        // The number of polls until the review is stopped.
        static LEFT: AtomicU32 = AtomicU32::new(0);
        fn poll() -> bool {
            LEFT.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        }
        let moves = "h8d12a1g6a3g4a5h7a7a4a9g3a11g5a13g2";
        let game = self::game(&pos::read(moves, 15, RowOrder::FromBottom).unwrap());
        let limits = Limits { max_nodes: Some(500), ..Limits::default() };
        let mut engine = Engine::new(1 << 20);
        let mut checks_when = |number: usize, polls| {
            LEFT.store(u32::MAX, Relaxed);
            let mut first = Vec::new();
            let signals = Signals::polling(poll);
            let review = review(&mut engine, &game, &limits, &signals, |reached, position| {
                first.push(position.checks);
                if reached == number {
                    LEFT.store(polls, Relaxed);
                }
            });
            let checks: Vec<u8> = review.unwrap().positions.iter().map(|p| p.checks).collect();
            (first, checks)
        };
        let last = game.moves.len();
        let (first, checks) = checks_when(last, u32::MAX);
        assert!(first.len() == last + 1 && first != checks);
        // Stopped at the beginning of a verification, and of a first search.
        assert_eq!(checks_when(last, 1), (first.clone(), first.clone()));
        assert_eq!(checks_when(1, 1), (first[..2].to_vec(), first[..2].to_vec()));
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
