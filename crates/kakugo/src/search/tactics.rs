//! The static solver: wins and losses that the shapes on the board decide, and the moves that may
//! answer a threat.
//!
//! All searches use it, so they agree:
//!
//! | on the board | result |
//! |---|---|
//! | own five | win in 1 ply |
//! | two fives of the opponent that no stone stops | loss in 2 plies |
//! | own open four, no five of the opponent | win in 3 plies |
//! | own four-three or double three, no five or four[^1] of the opponent | win in 5 plies |
//! | threats of the opponent | only the points of [`Defence`] may help |
//!
//! [^1]: not even at a point that may be forbidden

use crate::board::{Direction, Point, Side};
use crate::pattern::set::PointSet;
use crate::pattern::{Shape, Threat};
use crate::position::Position;

/// The static result for the side to move. Plies count to the five.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Win.
    Win(usize),
    /// Loss.
    Loss(usize),
    /// Draw: the board is full.
    Draw,
    /// Undecided.
    Open,
}

/// The strongest threat of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentThreat {
    /// A five.
    Five,
    /// An open four.
    OpenFour,
    /// A four with an open three, or two open threes, while we have no fours.
    Double,
    /// No threat that must be answered.
    Nothing,
}

impl OpponentThreat {
    /// Returns the plies to the five if the threat is not answered; `None` if there is no threat.
    pub fn loss_in(self) -> Option<usize> {
        match self {
            OpponentThreat::Five => Some(2),
            OpponentThreat::OpenFour => Some(4),
            OpponentThreat::Double => Some(6),
            OpponentThreat::Nothing => None,
        }
    }

    /// Returns `true` for a five or an open four, which leave few moves.
    pub fn is_four(self) -> bool {
        matches!(self, OpponentThreat::Five | OpponentThreat::OpenFour)
    }
}

/// The moves that may answer the opponent's threats.
#[derive(Clone, Copy, Debug)]
pub struct Defence {
    /// Threat that must be answered.
    pub against: OpponentThreat,
    /// Points that may answer it, or all points near stones if there is no threat. They may be
    /// illegal. Any other move loses in [`OpponentThreat::loss_in`] plies.
    pub points: PointSet,
}

/// Returns the static result for the side to move.
pub fn verdict(position: &Position) -> Verdict {
    let (threats, board) = (position.threats(), position.board());
    let (side, other) = (position.side_to_move(), position.side_to_move().opponent());
    if threats.count(side, Threat::Five) > 0 {
        return Verdict::Win(1);
    }
    if board.empty_count() == 0 {
        return Verdict::Draw;
    }
    // If all empty points are forbidden, one of them must be played.
    let suspected = threats.count(side, Threat::Forbidden) as usize;
    if suspected == board.empty_count()
        && board.empty_points().all(|p| board.foul(p, side).is_some())
    {
        return Verdict::Loss(2);
    }
    // One stone may stop several fives only if the rule requires a free end of a five.
    if threats.count(other, Threat::Five) > 1 && !board.variant().five_rule(other).needs_free_end()
    {
        return Verdict::Loss(2);
    }
    static_win_in(position).map_or(Verdict::Open, Verdict::Win)
}

/// Returns the plies to the five if the shapes prove a win of the side to move.
pub fn static_win_in(position: &Position) -> Option<usize> {
    let threats = position.threats();
    let side = position.side_to_move();
    if threats.count(side, Threat::Five) > 0 {
        Some(1)
    } else if threats.count(side.opponent(), Threat::Five) > 0 {
        None
    } else if threats.count(side, Threat::OpenFour) > 0 {
        Some(3)
    } else {
        // Wins by doubles (own; −6 ± 26).
        wins_by_double(position, side).then_some(5)
    }
}

/// Returns the plies to the five and the first move, if the shapes prove a win of the side to move.
/// The move is a four if possible.
pub fn static_win(position: &Position) -> Option<(usize, Point)> {
    static_win_in(position)?;
    static_win_among(position, &PointSet::ALL)
}

/// Returns the plies to the five and the first move, if the shapes prove a win of the side to move
/// that begins with one of these points.
pub fn static_win_among(position: &Position, points: &PointSet) -> Option<(usize, Point)> {
    let threats = position.threats();
    let side = position.side_to_move();
    let at = |threat| threats.points_at(side, threat).find(|&p| points.contains(p));
    let five = at(Threat::Five).map(|p| (1, p));
    if five.is_some() || threats.count(side.opponent(), Threat::Five) > 0 {
        return five;
    }
    let open_four = at(Threat::OpenFour).map(|p| (3, p));
    if open_four.is_some() || !wins_by_double(position, side) {
        return open_four;
    }
    let is_double = |p: &Point| threats.at(*p, side) == Threat::DoubleThree && points.contains(*p);
    let double = at(Threat::FourThree).or_else(|| threats.threes(side).iter().find(is_double));
    double.map(|p| (5, p))
}

/// Returns the opponent's strongest threat, and the moves that may answer it.
///
/// - A five: only the points that stop it.
/// - An open four next move: the points that reduce every such threat below an open four, and own
///   fours, which gain time.
/// - A four-three or a double three next move, and no own fours: the points that break every such
///   threat, and all own threes, which may become fours with tempo.
///
/// Unless only a stop helps, points that may be forbidden for the side to move are included.
pub fn defence(position: &Position) -> Defence {
    let own = position.side_to_move();
    let attacker = own.opponent();
    let threats = position.threats();
    if threats.count(attacker, Threat::Five) > 0 {
        let answers = answers_to_all(position, threats.points_at(attacker, Threat::Five));
        Defence { against: OpponentThreat::Five, points: answers }
    } else if threats.count(attacker, Threat::OpenFour) > 0 {
        // Defence against an open four (own; +78 ± 31).
        let answers = answers_to_all(position, threats.points_at(attacker, Threat::OpenFour));
        let points = answers.union(threats.fours(own)).union(&suspected_fouls(position, own));
        Defence { against: OpponentThreat::OpenFour, points }
    } else if wins_by_double(position, attacker) {
        // Defence against doubles (own; −7 ± 30).
        let fours = threats.points_at(attacker, Threat::FourThree);
        let is_double = |p: &Point| threats.at(*p, attacker) == Threat::DoubleThree;
        let threes = threats.threes(attacker).iter().filter(is_double);
        let breaking = answers_to_all(position, fours.chain(threes));
        let makes_three = |p: &Point| {
            let threat = threats.at(*p, own);
            threat >= Threat::Three && threat != Threat::DoubleTwo
        };
        let threes: PointSet = position.near().iter().filter(makes_three).collect();
        let points = breaking.union(&threes).union(&suspected_fouls(position, own));
        Defence { against: OpponentThreat::Double, points }
    } else {
        Defence { against: OpponentThreat::Nothing, points: position.near() }
    }
}

/// Returns the empty points that stop all fives of the opponent.
pub fn five_defences(position: &Position) -> PointSet {
    let attacker = position.side_to_move().opponent();
    let threats = position.threats();
    let mut fives = threats.points_at(attacker, Threat::Five);
    if position.board().variant().five_rule(attacker).needs_free_end() {
        return answers_to_all(position, fives);
    }
    // Only a stone on the point of the five stops it.
    match (threats.count(attacker, Threat::Five), fives.next()) {
        (1, Some(five)) => [five].into_iter().collect(),
        _ => PointSet::EMPTY,
    }
}

/// Returns the points that reduce all of these threats of the opponent.
fn answers_to_all(position: &Position, points: impl Iterator<Item = Point>) -> PointSet {
    let attacker = position.side_to_move().opponent();
    let threat = |p| position.threats().at(p, attacker);
    points
        .map(|p| position.answers(p, attacker, threat(p)))
        .reduce(|all, answers| all.intersection(&answers))
        .unwrap_or(PointSet::EMPTY)
}

/// Returns `true` if `attacker` has a double threat that wins in five plies when it is to move: a
/// four-three or a double three, and the opponent cannot make a four to gain time. (It is not a win
/// for Black in renju, whose next move might be forbidden.)
fn wins_by_double(position: &Position, attacker: Side) -> bool {
    let threats = position.threats();
    let doubles =
        threats.count(attacker, Threat::FourThree) + threats.count(attacker, Threat::DoubleThree);
    doubles > 0
        && !threats.has_fours(attacker.opponent())
        && !position.board().variant().has_forbidden(attacker)
        && !has_suspected_four(position, attacker.opponent())
}

/// Returns the points that are forbidden for `side` by their shapes. Some are legal, because one of
/// the threes cannot become an open four. The shapes do not contain what a stone makes there.
fn suspected_fouls(position: &Position, side: Side) -> PointSet {
    let threats = position.threats();
    if threats.count(side, Threat::Forbidden) == 0 {
        return PointSet::EMPTY;
    }
    position.board().empty_points().filter(|&p| threats.at(p, side) == Threat::Forbidden).collect()
}

/// Returns `true` if `side` can make a four at one of its [`suspected_fouls`].
fn has_suspected_four(position: &Position, side: Side) -> bool {
    let shape = |p, d| position.threats().shape(p, side, d);
    let is_four = |p| Direction::ALL.iter().any(|&d| shape(p, d) >= Shape::Four);
    suspected_fouls(position, side)
        .iter()
        .any(|p| is_four(p) && position.board().foul(p, side).is_none())
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::{Board, Rule, Variant};

    /// Returns `true` if the side to move can force a five within `plies`, by trying all moves.
    fn wins_within(board: &mut Board, plies: usize) -> bool {
        let side = board.side_to_move();
        let free: Vec<Point> = board.empty_points().collect();
        if free.iter().any(|&p| board.makes_five(p, side)) {
            return plies >= 1;
        }
        plies >= 3
            && free.iter().any(|&p| {
                if board.foul(p, side).is_some() {
                    return false;
                }
                board.play(p).unwrap();
                let wins = loses_within(board, plies - 1);
                board.undo();
                wins
            })
    }

    /// Returns `true` if the opponent of the side to move can force a five within `plies`.
    fn loses_within(board: &mut Board, plies: usize) -> bool {
        let side = board.side_to_move();
        let free: Vec<Point> = board.empty_points().collect();
        if free.is_empty() || free.iter().any(|&p| board.makes_five(p, side)) {
            return false;
        }
        free.iter().all(|&p| loses_by(board, p, plies))
    }

    /// Returns `true` if the move `p` loses within `plies`.
    fn loses_by(board: &mut Board, p: Point, plies: usize) -> bool {
        if board.foul(p, board.side_to_move()).is_some() {
            return true;
        }
        board.play(p).unwrap();
        let loses = wins_within(board, plies - 1);
        board.undo();
        loses
    }

    /// Returns a board without a five, smaller for shorter win lengths, from half empty to nearly
    /// full. (It may be almost empty for three in a row, where fuller boards are won by the side to
    /// move.)
    fn random_board(random: &mut ChaCha8Rng, variant: Variant) -> Board {
        let size = variant.win_length() + 2;
        let max = [24, 27, 27, 28][usize::from(variant.win_length() - 3)];
        'again: loop {
            let mut board = Board::new(size, size, variant).unwrap();
            let free = random.random_range(9..=max);
            while board.empty_count() > free {
                let [x, y] = [(); 2].map(|()| random.random_range(0..size));
                let p = Point::new(x, y).unwrap();
                let side = board.side_to_move();
                if !board.is_empty(p) {
                    continue;
                }
                if board.makes_five(p, side) || board.foul(p, side).is_some() {
                    if random.random_ratio(1, 20) {
                        continue 'again;
                    }
                    continue;
                }
                board.play(p).unwrap();
            }
            return board;
        }
    }

    /// Black's h8 seems to make two threes and a four. One of the threes cannot become an open
    /// four, so the move is legal, and White has no win in five. From a game.
    #[test]
    fn a_legal_point_that_seems_forbidden_may_gain_time() {
        let rows = [
            "...............",
            "...............",
            "...............",
            "....O....O.....",
            ".....X.OXX.....",
            "......XOOXO....",
            ".........X.....",
            ".....O..X.X....",
            "......OXXXO....",
            "....O.OXOXX....",
            ".....X.X.O.O...",
            "...O...O.......",
            "...O...........",
            ".OO............",
            "...............",
        ];
        let at = |x: usize, y: usize| Point::new(x as u8, y as u8).unwrap();
        let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
        for (y, row) in rows.iter().enumerate() {
            for (x, sign) in row.bytes().enumerate().filter(|&(_, sign)| sign != b'.') {
                let side = if sign == b'X' { Side::Black } else { Side::White };
                board.place(at(x, y), side).unwrap();
            }
        }
        board.set_side_to_move(Side::White);
        let position = Position::new(&board);
        assert_eq!(position.threats().at(at(7, 7), Side::Black), Threat::Forbidden);
        assert!(
            has_double_unless_suspected_fouls_count(&position),
            "the position does not test the rule"
        );
        assert_eq!(verdict(&position), Verdict::Open);
        board.play(at(3, 13)).unwrap();
        assert!(defence(&Position::new(&board)).points.contains(at(7, 7)));
        board.play(at(7, 7)).unwrap();
        assert!(board.makes_five(at(7, 6), Side::Black), "it is a four");
    }

    fn has_double_unless_suspected_fouls_count(position: &Position) -> bool {
        let (threats, white) = (position.threats(), Side::White);
        threats.count(white, Threat::FourThree) + threats.count(white, Threat::DoubleThree) > 0
            && !threats.has_fours(Side::Black)
    }

    #[test]
    fn static_results_are_correct() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let lengths = |rule| (3..=6).filter_map(move |length| Variant::new(rule, length).ok());
        for variant in Rule::ALL.into_iter().flat_map(lengths) {
            let (mut wins, mut losses, mut threats) = ([0; 6], 0, [0; 7]);
            for _ in 0..10_000 {
                let board = random_board(&mut random, variant);
                let position = Position::new(&board);
                let mut board = board;
                match verdict(&position) {
                    Verdict::Win(plies) => {
                        assert!(wins_within(&mut board, plies), "no win in {plies}:\n{board}");
                        let (found, first) = static_win(&position).unwrap();
                        assert_eq!(found, plies);
                        let wins_by = |board: &mut Board| {
                            board.play(first).unwrap();
                            let won = plies == 1 || loses_within(board, plies - 1);
                            board.undo();
                            won
                        };
                        assert!(wins_by(&mut board), "{first} does not win:\n{board}");
                        wins[plies] += 1;
                    }
                    Verdict::Loss(plies) => {
                        assert!(loses_within(&mut board, plies), "no loss in {plies}:\n{board}");
                        losses += 1;
                    }
                    Verdict::Draw => panic!("there are empty points:\n{board}"),
                    Verdict::Open => {
                        assert!(!wins_within(&mut board, 1), "a five was missed:\n{board}");
                        let Defence { against, points } = defence(&position);
                        let Some(plies) = against.loss_in() else { continue };
                        threats[plies] += 1;
                        for p in board.clone().empty_points() {
                            assert!(
                                points.contains(p) || loses_by(&mut board, p, plies),
                                "{p} loses later than in {plies}:\n{board}"
                            );
                        }
                    }
                }
            }
            assert!(wins[1] > 200 && wins[3] > 200, "{variant}: {wins:?}");
            assert!(threats[2] > 200 && threats[4] > 200, "{variant}: {threats:?}");
            // Games of three in a row are won sooner.
            assert!(wins[5] > 4 || variant.win_length() == 3, "{variant}: {wins:?}");
            assert!(threats[6] > 4, "{variant}: {threats:?}");
            assert!(losses > 100 || matches!(variant.rule(), Rule::Caro | Rule::CaroOverline));
        }
    }
}
