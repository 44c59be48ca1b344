//! What the shapes alone decide: who wins by what is on the board already, and which moves a threat
//! leaves.
//!
//! Every search asks here, the regular one as well as those for forced wins, so that there is one
//! answer to each question:
//!
//! | on the board | what follows |
//! |---|---|
//! | own five | a win in one ply |
//! | two fives of the opponent that no stone stops | a loss in two |
//! | own open four, no five of the opponent | a win in three |
//! | own four-three or double three, and the opponent has neither fives nor fours, nor one at a point that only seems forbidden | a win in five |
//! | threats of the opponent | only the points of [`Defence`] can help |

use crate::board::{Direction, Point, Side};
use crate::pattern::set::PointSet;
use crate::pattern::{Shape, Threat};
use crate::position::Position;

/// What is decided for the side to move; plies count until the five.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It wins.
    Win(usize),
    /// It loses.
    Loss(usize),
    /// The board is full.
    Draw,
    /// The shapes decide nothing.
    Open,
}

/// The strongest of what the opponent threatens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpponentThreat {
    /// A five.
    Five,
    /// An open four.
    OpenFour,
    /// A four with an open three, or two open threes, while we have no fours.
    Double,
    /// Nothing that must be answered.
    Nothing,
}

impl OpponentThreat {
    /// Plies to the five if it is not answered; `None` where there is nothing to answer.
    pub fn loss_in(self) -> Option<usize> {
        match self {
            OpponentThreat::Five => Some(2),
            OpponentThreat::OpenFour => Some(4),
            OpponentThreat::Double => Some(6),
            OpponentThreat::Nothing => None,
        }
    }

    /// Whether it is a five or an open four: few moves are left then.
    pub fn is_four(self) -> bool {
        matches!(self, OpponentThreat::Five | OpponentThreat::OpenFour)
    }
}

/// The moves that the opponent's threats leave.
#[derive(Clone, Copy, Debug)]
pub struct Defence {
    /// What must be answered.
    pub against: OpponentThreat,
    /// The points that may help, legality not checked; the points near stones where nothing must be
    /// answered. Any other move loses as soon as [`OpponentThreat::loss_in`] says.
    pub points: PointSet,
}

/// What is decided for the side to move.
pub fn verdict(position: &Position) -> Verdict {
    let (threats, board) = (position.threats(), position.board());
    let (side, other) = (position.side_to_move(), position.side_to_move().opponent());
    if threats.count(side, Threat::Five) > 0 {
        return Verdict::Win(1);
    }
    if board.empty_count() == 0 {
        return Verdict::Draw;
    }
    // Nothing is left but points that the shapes doubt; if all are forbidden, one must be played.
    let doubtful = threats.count(side, Threat::Forbidden) as usize;
    if doubtful == board.empty_count()
        && board.empty_points().all(|p| board.foul(p, side).is_some())
    {
        return Verdict::Loss(2);
    }
    // One stone may stop several fives only where both of a five's ends count.
    if threats.count(other, Threat::Five) > 1 && !board.variant().five_rule(other).needs_free_end()
    {
        return Verdict::Loss(2);
    }
    win_in(position).map_or(Verdict::Open, Verdict::Win)
}

/// Plies to the five of the side to move, if it can be seen at once that it wins.
pub fn win_in(position: &Position) -> Option<usize> {
    let threats = position.threats();
    let side = position.side_to_move();
    if threats.count(side, Threat::Five) > 0 {
        Some(1)
    } else if threats.count(side.opponent(), Threat::Five) > 0 {
        None
    } else if threats.count(side, Threat::OpenFour) > 0 {
        Some(3)
    } else {
        wins_by_double(position, side).then_some(5)
    }
}

/// The first move of a win that [`win_in`] has seen, by fours if there is one by fours.
pub fn winning_move(position: &Position, plies: usize) -> Option<Point> {
    let threats = position.threats();
    let side = position.side_to_move();
    let at = |threat| threats.points_at(side, threat).next();
    match plies {
        1 => at(Threat::Five),
        3 => at(Threat::OpenFour),
        _ => at(Threat::FourThree).or_else(|| {
            threats.threes(side).iter().find(|&p| threats.at(p, side) == Threat::DoubleThree)
        }),
    }
}

/// What the opponent threatens, and the moves that may help.
///
/// - A five: only the points that stop it.
/// - An open four next move: the points that keep every such threat below an open four, and own
///   fours, which gain time; nothing else can help.
/// - A four with an open three, or two open threes, next move, while we have no fours: the points
///   that break each such double, and whatever makes a three, which may become a four with tempo.
///
/// Where we have something to gain by our own stones, points that only seem forbidden to us are among them.
pub fn defence(position: &Position) -> Defence {
    let own = position.side_to_move();
    let attacker = own.opponent();
    let threats = position.threats();
    if threats.count(attacker, Threat::Five) > 0 {
        let answers = answers_to_all(position, threats.points_at(attacker, Threat::Five));
        Defence { against: OpponentThreat::Five, points: answers }
    } else if threats.count(attacker, Threat::OpenFour) > 0 {
        let answers = answers_to_all(position, threats.points_at(attacker, Threat::OpenFour));
        let points = answers.union(threats.fours(own)).union(&doubted(position, own));
        Defence { against: OpponentThreat::OpenFour, points }
    } else if wins_by_double(position, attacker) {
        let fours = threats.points_at(attacker, Threat::FourThree);
        let is_double = |p: &Point| threats.at(*p, attacker) == Threat::DoubleThree;
        let threes = threats.threes(attacker).iter().filter(is_double);
        let breaking = answers_to_all(position, fours.chain(threes));
        let makes_three = |p: &Point| {
            let threat = threats.at(*p, own);
            threat >= Threat::Three && threat != Threat::DoubleTwo
        };
        let threes: PointSet = position.near().iter().filter(makes_three).collect();
        let points = breaking.union(&threes).union(&doubted(position, own));
        Defence { against: OpponentThreat::Double, points }
    } else {
        Defence { against: OpponentThreat::Nothing, points: position.near() }
    }
}

/// The free points that stop every five of the opponent.
pub fn stops(position: &Position) -> PointSet {
    let attacker = position.side_to_move().opponent();
    let threats = position.threats();
    let mut fives = threats.points_at(attacker, Threat::Five);
    if position.board().variant().five_rule(attacker).needs_free_end() {
        return answers_to_all(position, fives);
    }
    // Only a stone on the very point stops a five.
    match (threats.count(attacker, Threat::Five), fives.next()) {
        (1, Some(five)) => [five].into_iter().collect(),
        _ => PointSet::EMPTY,
    }
}

/// The points that bring each of these threats of the opponent below what it is.
fn answers_to_all(position: &Position, points: impl Iterator<Item = Point>) -> PointSet {
    let attacker = position.side_to_move().opponent();
    let threat = |p| position.threats().at(p, attacker);
    points
        .map(|p| position.answers(p, attacker, threat(p)))
        .reduce(|all, answers| all.intersection(&answers))
        .unwrap_or(PointSet::EMPTY)
}

/// Whether `attacker` has a double threat that wins in five plies if it is to move: a four with an
/// open three, or two open threes, against an opponent who cannot make a four, so that no answer
/// gains time. (Black in renju might find the next step forbidden.)
fn wins_by_double(position: &Position, attacker: Side) -> bool {
    let threats = position.threats();
    let doubles =
        threats.count(attacker, Threat::FourThree) + threats.count(attacker, Threat::DoubleThree);
    doubles > 0
        && !threats.has_fours(attacker.opponent())
        && !position.board().variant().has_forbidden(attacker)
        && !has_doubted_four(position, attacker.opponent())
}

/// The points that the shapes take for forbidden to `side`: some are not, where a three is none after all, and
/// then a stone makes there what no other question to the shapes tells.
fn doubted(position: &Position, side: Side) -> PointSet {
    let threats = position.threats();
    if threats.count(side, Threat::Forbidden) == 0 {
        return PointSet::EMPTY;
    }
    position.board().empty_points().filter(|&p| threats.at(p, side) == Threat::Forbidden).collect()
}

/// Whether `side` can make a four at one of the [`doubted`] points.
fn has_doubted_four(position: &Position, side: Side) -> bool {
    let shape = |p, d| position.threats().shape(p, side, d);
    let is_four = |p| Direction::ALL.iter().any(|&d| shape(p, d) >= Shape::Four);
    doubted(position, side).iter().any(|p| is_four(p) && position.board().foul(p, side).is_none())
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::{Board, Rule, Variant};

    /// Whether the side to move makes five within so many plies, whatever its opponent does: by
    /// playing everything.
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

    /// Whether the opponent of the side to move makes five within so many plies, whatever that does.
    fn loses_within(board: &mut Board, plies: usize) -> bool {
        let side = board.side_to_move();
        let free: Vec<Point> = board.empty_points().collect();
        if free.is_empty() || free.iter().any(|&p| board.makes_five(p, side)) {
            return false;
        }
        free.iter().all(|&p| loses_by(board, p, plies))
    }

    /// Whether the move `p` loses within so many plies.
    fn loses_by(board: &mut Board, p: Point, plies: usize) -> bool {
        if board.foul(p, board.side_to_move()).is_some() {
            return true;
        }
        board.play(p).unwrap();
        let loses = wins_within(board, plies - 1);
        board.undo();
        loses
    }

    /// A board, the smaller the fewer stones win, from half empty to nearly full, on which nobody has
    /// won. (For three in a row it may be almost empty: on others whoever moves has won.)
    fn random_board(random: &mut ChaCha8Rng, variant: Variant) -> Board {
        let size = variant.win_length() + 2;
        let most = [24, 27, 27, 28][usize::from(variant.win_length() - 3)];
        'again: loop {
            let mut board = Board::new(size, size, variant).unwrap();
            let free = random.random_range(9..=most);
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

    /// Black's h8 seems to make two threes and a four. One three is none, so that it is allowed, and White has no win
    /// in five. From a game.
    #[test]
    fn a_point_that_only_seems_forbidden_may_gain_time() {
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
        assert!(wins_by_double_unless_doubted(&position), "the position tests nothing");
        assert_eq!(verdict(&position), Verdict::Open);
        board.play(at(3, 13)).unwrap();
        assert!(defence(&Position::new(&board)).points.contains(at(7, 7)));
        board.play(at(7, 7)).unwrap();
        assert!(board.makes_five(at(7, 6), Side::Black), "it is a four");
    }

    fn wins_by_double_unless_doubted(position: &Position) -> bool {
        let (threats, white) = (position.threats(), Side::White);
        threats.count(white, Threat::FourThree) + threats.count(white, Threat::DoubleThree) > 0
            && !threats.has_fours(Side::Black)
    }

    #[test]
    fn what_the_shapes_decide_is_so() {
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
                        let first = winning_move(&position, plies).unwrap();
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
                    Verdict::Draw => panic!("there are free points:\n{board}"),
                    Verdict::Open => {
                        assert!(!wins_within(&mut board, 1), "a five was missed:\n{board}");
                        let Defence { against, points } = defence(&position);
                        let Some(plies) = against.loss_in() else { continue };
                        threats[plies] += 1;
                        for p in board.clone().empty_points() {
                            assert!(
                                points.contains(p) || loses_by(&mut board, p, plies),
                                "{p} holds out longer than {plies}:\n{board}"
                            );
                        }
                    }
                }
            }
            assert!(wins[1] > 200 && wins[3] > 200, "{variant}: {wins:?}");
            assert!(threats[2] > 200 && threats[4] > 200, "{variant}: {threats:?}");
            // Three in a row are always won sooner.
            assert!(wins[5] > 4 || variant.win_length() == 3, "{variant}: {wins:?}");
            assert!(threats[6] > 4, "{variant}: {threats:?}");
            assert!(losses > 100 || matches!(variant.rule(), Rule::Caro | Rule::CaroOverline));
        }
    }
}
