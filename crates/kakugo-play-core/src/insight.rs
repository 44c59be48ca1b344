//! Insights: claims about a position that can be put into words, for hints and for the coach.
//!
//! Every claim is verified before it is made: by the rules of the board, by the shapes of the
//! lines, or by a search that proves a forced win up to the five. A mistake is claimed only if a
//! search has found a better move.

use std::time::Duration;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::pattern::Threat;
use kakugo::position::Position;
use kakugo::search::{Engine, Limits, Signals, Silent, candidates, vcf};
use kakugo_record::analysis::review;
use kakugo_record::analysis::sequence::{ThreatKind, sequence};
use kakugo_record::analysis::threats;

/// Attacker moves in a search for a win by fours.
const FOURS_BUDGET: u32 = 20_000;
/// Attacker moves in the search whether a point stops a win by fours.
const DEFENCE_BUDGET: u32 = 4_000;
/// Nodes of the search for a forced win by fours and open threes.
const THREATS_BUDGET: u64 = 12_000;
/// The largest number of points that are tried against a threat.
const MAX_DEFENCES: usize = 40;
/// The largest number of moves that are tried as alternatives to a mistake.
const MAX_ALTERNATIVES: usize = 8;
/// The time of each search of the engine.
const SEARCH_TIME: Duration = Duration::from_millis(150);
/// The expected result, in permille, from which on a position counts as still won.
const STILL_WON: u32 = 900;

/// How a side wins by force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanKind {
    /// Five at once.
    Five,
    /// An open four, then five.
    OpenFour,
    /// Two fours by one stone, then five.
    DoubleFour,
    /// Several fours (VCF).
    Fours,
    /// Fours and open threes (VCT).
    Threats,
}

/// A proven win of a side if it is to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// The side.
    pub side: Side,
    /// How it wins.
    pub kind: PlanKind,
    /// The moves of both sides up to the five.
    pub line: Vec<Point>,
    /// The stones on the board that belong to the five.
    pub stones: Vec<Point>,
    /// The free points of the five.
    pub points: Vec<Point>,
}

impl Plan {
    /// Returns the plan of a line that leads to a five of the side to move; `None` if it does not.
    pub fn of_line(board: &Board, line: Vec<Point>, by_fours: bool) -> Option<Plan> {
        let side = board.side_to_move();
        let mut after = board.clone();
        for &p in &line {
            if after.outcome() != Outcome::Ongoing || after.play(p).is_err() {
                return None;
            }
        }
        if after.outcome() != Outcome::Win(side) {
            return None;
        }
        let is_free = |p: &Point| board.is_empty(*p);
        let (points, stones) = after.winning_line().into_iter().partition(is_free);
        let kind = match line.len() {
            1 => PlanKind::Five,
            3 if by_fours && fives_lie_on_one_line(board, line[0]) => PlanKind::OpenFour,
            3 if by_fours => PlanKind::DoubleFour,
            _ if by_fours => PlanKind::Fours,
            _ => PlanKind::Threats,
        };
        Some(Plan { side, kind, line, stones, points })
    }

    /// Returns a win by fours of `side` if it were to move.
    pub fn by_fours(board: &Board, side: Side, budget: u32) -> Option<Plan> {
        if board.outcome() != Outcome::Ongoing {
            return None;
        }
        let mut turned = board.clone();
        turned.set_side_to_move(side);
        let line = vcf::prove(&turned, budget)?;
        Plan::of_line(&turned, line, true)
    }

    /// Returns a forced win of the side to move.
    pub fn find(board: &Board, signals: &Signals) -> Option<Plan> {
        if let Some(plan) = Plan::by_fours(board, board.side_to_move(), FOURS_BUDGET) {
            return Some(plan);
        }
        if signals.is_stopped() {
            return None;
        }
        let win = kakugo::solve(board, &Limits::new().nodes(THREATS_BUDGET))?;
        let by_fours = win.kind == kakugo::WinKind::Fours;
        Plan::of_line(board, win.line, by_fours)
    }

    /// Returns the number of the winner's stones.
    pub fn stones_needed(&self) -> usize {
        self.line.len().div_ceil(2)
    }
}

/// Returns true if all fives that the stone threatens lie on one line.
fn fives_lie_on_one_line(board: &Board, p: Point) -> bool {
    let side = board.side_to_move();
    let mut after = board.clone();
    if after.play(p).is_err() {
        return false;
    }
    let direction = |q: Point| {
        let mut won = after.clone();
        won.set_side_to_move(side);
        won.play(q).ok()?;
        let row = won.winning_line();
        let (first, last) = (row.iter().min()?, row.iter().max()?);
        let step = |a: u8, b: u8| (i16::from(a) - i16::from(b)).signum();
        let (dx, dy) = (step(last.x(), first.x()), step(last.y(), first.y()));
        Some(if (dx, dy) < (0, 0) { (-dx, -dy) } else { (dx, dy) })
    };
    let fives = after.empty_points().filter(|&q| after.makes_five(q, side));
    let mut directions: Vec<_> = fives.filter_map(direction).collect();
    directions.dedup();
    directions.len() == 1
}

/// What a player should see in a position.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Outlook {
    /// A win by fours of the side to move.
    pub win: Option<Plan>,
    /// A win by fours of the other side if it were to move.
    pub threat: Option<Plan>,
    /// The points after which that win is not found any more.
    pub defences: Vec<Point>,
    /// The points at which the side to move makes an open three.
    pub threes: Vec<Point>,
}

impl Outlook {
    /// Returns the outlook of the side to move.
    pub fn of(board: &Board, signals: &Signals) -> Outlook {
        if board.outcome() != Outcome::Ongoing || board.variant().win_length() != 5 {
            return Outlook::default();
        }
        let own = board.side_to_move();
        let [mut mine, mut other] = threats::of(board);
        if own == Side::White {
            std::mem::swap(&mut mine, &mut other);
        }
        let plan = |side, line: Vec<Point>| {
            let mut turned = board.clone();
            turned.set_side_to_move(side);
            Plan::of_line(&turned, line, true)
        };
        let threat = plan(own.opponent(), other.vcf);
        let defences = threat.as_ref().map(|plan| defences(board, plan, signals));
        Outlook {
            win: plan(own, mine.vcf),
            threat,
            defences: defences.unwrap_or_default(),
            threes: mine.open_threes,
        }
    }
}

/// Returns the points after which a plan of the other side does not win by fours any more. Fours of
/// the side to move, which may only delay it, are among them if nothing else helps.
fn defences(board: &Board, plan: &Plan, signals: &Signals) -> Vec<Point> {
    let position = Position::new(board);
    let own = board.side_to_move();
    let points = candidates(&position);
    let tried: Vec<Point> =
        if points.len() > MAX_DEFENCES { plan.line.clone() } else { points.iter().collect() };
    let stops = |&p: &Point| {
        let mut after = board.clone();
        !signals.is_stopped()
            && position.is_legal(p)
            && after.play(p).is_ok()
            && Plan::by_fours(&after, plan.side, DEFENCE_BUDGET).is_none()
    };
    let is_four = |p: &Point| position.threats().at(*p, own) >= Threat::Four;
    let (fours, others): (Vec<Point>, Vec<Point>) =
        tried.into_iter().filter(stops).partition(is_four);
    if others.is_empty() { fours } else { others }
}

/// The idea of a move.
#[derive(Clone, PartialEq, Debug)]
pub enum Idea {
    /// It wins.
    Win(Plan),
    /// It stops a win of the other side.
    Stop(Plan),
    /// It makes a four, which must be answered, before a win of the other side is stopped.
    FourFirst(Plan),
    /// It makes a four, after the answer to which there is a new open three.
    FourThenThree,
    /// It makes a threat.
    Makes(ThreatKind),
    /// The other side could make this threat there.
    Prevents(ThreatKind),
    /// It gives its side this many more points for open threes.
    Prepares(usize),
    /// It is the first stone of the board.
    FirstStone,
    /// It does none of these, and no side has a win by fours.
    Quiet,
}

/// Returns a move with its idea. The move is `best`, which a search has found, or one that is
/// proven to win. `None` means that nothing can be said.
pub fn advise(board: &Board, best: Point, signals: &Signals) -> (Point, Option<Idea>) {
    if board.variant().win_length() != 5 || board.outcome() != Outcome::Ongoing {
        return (best, None);
    }
    if board.stones().len() == 0 {
        let middle = |at: u8, size: u8| u16::from(at).abs_diff(u16::from(size) / 2) <= 1;
        let is_central = middle(best.x(), board.width()) && middle(best.y(), board.height());
        return (best, is_central.then_some(Idea::FirstStone));
    }
    let own = board.side_to_move();
    if let Some(win) = Plan::find(board, signals) {
        return (win.line[0], Some(Idea::Win(win)));
    }
    if let Some(plan) = Plan::by_fours(board, own.opponent(), FOURS_BUDGET) {
        return (best, answer_to(board, best, plan));
    }
    (best, quiet_idea(board, best))
}

/// Returns the idea of a move in a position in which the other side threatens to win by fours.
fn answer_to(board: &Board, p: Point, plan: Plan) -> Option<Idea> {
    let mut after = board.clone();
    after.play(p).ok()?;
    let makes_four = kind_of(board, p, board.side_to_move()).is_some_and(ThreatKind::is_four);
    match Plan::by_fours(&after, plan.side, FOURS_BUDGET) {
        _ if makes_four && !plan.points.contains(&p) => Some(Idea::FourFirst(plan)),
        None => Some(Idea::Stop(plan)),
        Some(_) => None,
    }
}

/// Returns the idea of a move in a position in which no side wins by fours.
fn quiet_idea(board: &Board, p: Point) -> Option<Idea> {
    let own = board.side_to_move();
    let position = Position::new(board);
    let made = |side| kind_of(board, p, side);
    match made(own) {
        Some(ThreatKind::Four) if leads_to_three(board, p) => return Some(Idea::FourThenThree),
        Some(made) => return Some(Idea::Makes(made)),
        None => {}
    }
    if let Some(kind) = made(own.opponent()) {
        return Some(Idea::Prevents(kind));
    }
    let mut after = board.clone();
    after.play(p).ok()?;
    let threes = |position: &Position| position.threats().threes(own).iter().count();
    let more = threes(&Position::new(&after)).saturating_sub(threes(&position));
    Some(if more > 0 { Idea::Prepares(more) } else { Idea::Quiet })
}

/// Returns the threat that a stone of `side` makes at a free point, if it may be played.
fn kind_of(board: &Board, p: Point, side: Side) -> Option<ThreatKind> {
    let mut turned = board.clone();
    turned.set_side_to_move(side);
    if !turned.is_legal(p) {
        return None;
    }
    sequence(&turned, &[p]).first()?.makes
}

/// Returns true if the side to move can make an open three after its four at `p` and the answer to
/// it, at a point where it could not before.
fn leads_to_three(board: &Board, p: Point) -> bool {
    let own = board.side_to_move();
    let mut after = board.clone();
    if after.play(p).is_err() {
        return false;
    }
    let fives: Vec<Point> = after.empty_points().filter(|&q| after.makes_five(q, own)).collect();
    let [answer] = fives[..] else { return false };
    if !after.is_legal(answer) || after.play(answer).is_err() {
        return false;
    }
    let before = Position::new(board);
    let then = Position::new(&after);
    let known = before.threats().threes(own);
    // The answer must not threaten five itself.
    let is_free = !after.empty_points().any(|q| after.makes_five(q, own.opponent()));
    is_free && then.threats().threes(own).iter().any(|q| then.is_legal(q) && !known.contains(q))
}

/// The size of the mistakes from which on the coach speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MistakeSize {
    /// All that cost 15 % or more.
    Small,
    /// Those that cost 30 % or more, and forced wins of up to eight stones.
    Medium,
    /// Forced wins of up to four stones, missed or allowed.
    Large,
}

impl MistakeSize {
    /// Returns the largest number of the winner's stones in a forced win that is mentioned.
    const fn max_stones(self) -> usize {
        match self {
            MistakeSize::Small => usize::MAX,
            MistakeSize::Medium => 8,
            MistakeSize::Large => 4,
        }
    }

    /// Returns the loss of a mistake without a forced win, in permille of the expected result.
    const fn min_loss(self) -> Option<u32> {
        match self {
            MistakeSize::Small => Some(150),
            MistakeSize::Medium => Some(300),
            MistakeSize::Large => None,
        }
    }
}

/// A mistake.
#[derive(Clone, PartialEq, Debug)]
pub enum Mistake {
    /// The other side has a proven win now, which another move prevents.
    Allows {
        /// The win.
        plan: Plan,
        /// A move that prevents it.
        better: Point,
    },
    /// The player had a proven win and has none any more.
    Misses {
        /// The win.
        plan: Plan,
    },
    /// The expected result has become much smaller.
    Costs {
        /// The player.
        side: Side,
        /// Expected result of the player before the move, in permille.
        before: u32,
        /// Expected result of the player after the move, in permille.
        after: u32,
        /// The moves that follow, the other side's first.
        line: Vec<Point>,
    },
}

/// Returns the mistake that a move is, if it is one of this size.
pub fn mistake(
    engine: &mut Engine,
    before: &Board,
    played: Point,
    size: MistakeSize,
    signals: &Signals,
) -> Option<Mistake> {
    let mut after = before.clone();
    after.play(played).ok()?;
    if after.outcome() != Outcome::Ongoing || before.variant().win_length() != 5 {
        return None;
    }
    let mut judge = Judge { engine, signals };
    let is_worth = |plan: &Plan| plan.stones_needed() <= size.max_stones();
    let lost = Plan::find(&after, signals);
    if let Some(plan) = Plan::find(before, signals) {
        let is_missed = plan.line[0] != played
            && is_worth(&plan)
            && (lost.is_some() || !judge.still_wins(&after));
        let is_done = signals.is_stopped() || !is_missed;
        return (!is_done).then_some(Mistake::Misses { plan });
    }
    if let Some(plan) = lost {
        let better = if is_worth(&plan) { judge.defence(before, played) } else { None };
        return Some(Mistake::Allows { plan, better: better? });
    }
    judge.costs(before, &after, size.min_loss()?)
}

/// Searches for what supports the claim of a mistake.
struct Judge<'a> {
    engine: &'a mut Engine,
    signals: &'a Signals,
}

impl Judge<'_> {
    fn think(&mut self, board: &Board) -> kakugo::search::Answer {
        let start = kakugo::clock::Instant::now();
        let limits = Limits { start, ..review::limits_in(SEARCH_TIME) };
        self.engine.think(board, &limits, self.signals, &mut Silent)
    }

    /// Returns true if the side that does not move seems to win.
    fn still_wins(&mut self, board: &Board) -> bool {
        let winner = board.side_to_move().opponent();
        // A four, its answer, and the win goes on.
        let mut fives = board.empty_points().filter(|&q| board.makes_five(q, winner));
        if let Some(answer) = fives.next() {
            let mut then = board.clone();
            if then.is_legal(answer) && then.play(answer).is_ok() {
                return Plan::find(&then, self.signals).is_some();
            }
        }
        let score = self.think(board).score;
        score.is_loss() || (-score).win_rate_permille() >= STILL_WON
    }

    /// Returns a move after which the other side has no win that a search finds; `None` if all
    /// seem to lose.
    fn defence(&mut self, board: &Board, played: Point) -> Option<Point> {
        let answer = self.think(board);
        if answer.score.is_loss() {
            return None;
        }
        let points = candidates(&Position::new(board));
        let others = points.iter().take(MAX_ALTERNATIVES);
        let tried: Vec<Point> = answer.best.into_iter().chain(others).collect();
        tried.into_iter().filter(|&p| p != played).find(|&p| self.holds(board, p))
    }

    /// Returns true if the other side has no win after this move that a search finds.
    fn holds(&mut self, board: &Board, p: Point) -> bool {
        let mut after = board.clone();
        !self.signals.is_stopped()
            && board.is_legal(p)
            && after.play(p).is_ok()
            && Plan::find(&after, self.signals).is_none()
            && !self.think(&after).score.is_win()
    }

    /// Returns a loss of at least this size, confirmed by a deeper search of both positions.
    fn costs(&mut self, before: &Board, after: &Board, min_loss: u32) -> Option<Mistake> {
        let limits = review::limits_in(SEARCH_TIME);
        let side = before.side_to_move();
        let own = |black: u32| if side == Side::Black { black } else { 1000 - black };
        let first = [before, after]
            .map(|board| review::evaluate(self.engine, board, &limits, self.signals));
        let [was, is] = first.map(|evaluated| own(evaluated.black_permille));
        if was.saturating_sub(is) < min_loss {
            return None;
        }
        let deeper = [before, after]
            .map(|board| review::verify(self.engine, board, 0, &limits, self.signals));
        let [was, is] = deeper.each_ref().map(|evaluated| own(evaluated.black_permille));
        if self.signals.is_stopped() || was.saturating_sub(is) < min_loss {
            return None;
        }
        let line = deeper[1].best_line.iter().copied().take(3).collect();
        Some(Mistake::Costs { side, before: was, after: is, line })
    }
}

/// Returns a region of the board that contains a point: one of those that cover the board like
/// tiles. First and last column and row.
pub fn area_of(board: &Board, p: Point) -> [Point; 2] {
    let range = |at: u8, size: u8| {
        let tile = size.min(AREA);
        let from = (at / tile * tile).min(size - tile);
        (from, from + tile - 1)
    };
    let (left, right) = range(p.x(), board.width());
    let (top, bottom) = range(p.y(), board.height());
    let corner = |x, y| Point::new(x, y).unwrap_or(p);
    [corner(left, top), corner(right, bottom)]
}

/// Columns and rows of a region.
const AREA: u8 = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;
    use kakugo_record::pos::{self, RowOrder};

    fn points(text: &str) -> Vec<Point> {
        pos::read(text, 15, RowOrder::FromBottom).unwrap()
    }

    fn board(moves: &str) -> Board {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        points(moves).into_iter().for_each(|p| board.play(p).unwrap());
        board
    }

    fn engine() -> Engine {
        Engine::new(1 << 20)
    }

    /// White has an open three in row 8, Black is to move.
    const WHITE_THREE: &str = "h9f8f9g8h7h8";

    #[test]
    fn plans_name_their_threat_their_stones_and_their_points() {
        let plan = |moves, side| Plan::by_fours(&board(moves), side, FOURS_BUDGET).unwrap();
        let three = plan(WHITE_THREE, Side::White);
        assert_eq!(
            (three.kind, three.stones.len(), three.points.len()),
            (PlanKind::OpenFour, 3, 2)
        );
        let four = plan("a1f8c1g8e15h8o1i8", Side::White);
        assert_eq!((four.kind, four.stones.len(), four.points.len()), (PlanKind::Five, 4, 1));
        // Two closed threes that cross at i8: two fours by one stone.
        let double = plan("f8e8g8a3h8c1i9i12i10a5i11a7", Side::Black);
        assert_eq!(double.kind, PlanKind::DoubleFour);
        assert_eq!(Plan::by_fours(&board("h8h9"), Side::Black, FOURS_BUDGET), None);
        let lost = board("h8a1i8a2");
        assert_eq!(Plan::of_line(&lost, points("j8a3"), true), None);
    }

    #[test]
    fn outlooks_have_the_points_that_stop_a_threat_and_no_others() {
        let position = board(WHITE_THREE);
        let outlook = Outlook::of(&position, &Signals::default());
        assert_eq!(outlook.threat.as_ref().map(|plan| plan.kind), Some(PlanKind::OpenFour));
        let mut defences = outlook.defences.clone();
        defences.sort_unstable();
        // A stone beyond an end is not enough: the other side is free.
        let mut expected = points("e8i8");
        expected.sort_unstable();
        assert_eq!(defences, expected);
        for p in defences {
            let mut after = position.clone();
            after.play(p).unwrap();
            assert_eq!(Plan::by_fours(&after, Side::White, FOURS_BUDGET), None);
        }
        let empty = Board::new(15, 15, Variant::RENJU).unwrap();
        assert_eq!(Outlook::of(&empty, &Signals::default()), Outlook::default());
    }

    #[test]
    fn ideas_are_true_of_the_position() {
        let signals = Signals::default();
        let advice = |moves: &str, best: &str| {
            let (p, idea) = advise(&board(moves), points(best)[0], &signals);
            (p, idea.unwrap())
        };
        // The engine's move is replaced by one that is proven to win.
        let (p, idea) = advice("f8a1g8a3h8c1", "o15");
        assert!(matches!(&idea, Idea::Win(plan) if plan.kind == PlanKind::OpenFour), "{idea:?}");
        assert!(points("i8e8").contains(&p));
        // A four that does not stop the three, and a move that stops nothing.
        let with_three = "h9f8f9g8h7h8a15o1b15o3c15o5";
        let (_, idea) = advice(with_three, "d15");
        assert!(matches!(&idea, Idea::FourFirst(_)), "{idea:?}");
        assert_eq!(advise(&board(WHITE_THREE), points("o15")[0], &signals).1, None);
        let (p, idea) = advice(WHITE_THREE, "e8");
        assert!(matches!(&idea, Idea::Stop(plan) if plan.side == Side::White), "{idea:?}");
        assert_eq!(p, points("e8")[0]);
        assert_eq!(advice("f8a1g8a3", "h8").1, Idea::Makes(ThreatKind::OpenThree));
        assert_eq!(advice("a1f8a3g8", "h8").1, Idea::Prevents(ThreatKind::OpenThree));
        assert!(matches!(advice("h8a1", "i9").1, Idea::Prepares(1..)));
        assert_eq!(advice("h8a1", "o1").1, Idea::Quiet);
        let empty = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        assert_eq!(advise(&empty, points("h8")[0], &signals).1, Some(Idea::FirstStone));
        assert_eq!(advise(&empty, points("a1")[0], &signals).1, None);
    }

    #[test]
    fn a_four_leads_to_a_three_that_was_not_there_before() {
        let leads = |moves, p| leads_to_three(&board(moves), points(p)[0]);
        assert!(leads("f8e8g8a3h8c1i6c3", "i8"), "i6, i7 and i8");
        assert!(!leads("f8e8g8a3h8c1", "i8"));
        assert!(!leads("f8a1g8a3", "h8"), "not a four");
    }

    fn judged(moves: &str, played: &str, size: MistakeSize) -> Option<Mistake> {
        mistake(&mut engine(), &board(moves), points(played)[0], size, &Signals::default())
    }

    #[test]
    fn a_move_that_allows_a_proven_win_is_a_mistake() {
        let Some(Mistake::Allows { plan, better }) = judged(WHITE_THREE, "o15", MistakeSize::Large)
        else {
            panic!("no mistake")
        };
        assert_eq!((plan.side, plan.kind), (Side::White, PlanKind::OpenFour));
        let mut after = board(WHITE_THREE);
        after.play(better).unwrap();
        assert_eq!(Plan::find(&after, &Signals::default()), None);
        assert_eq!(judged(WHITE_THREE, "e8", MistakeSize::Large), None);
    }

    #[test]
    fn nothing_is_said_in_positions_that_are_lost_whatever_is_played() {
        // White has an open four.
        let lost = "a1f8c1g8e15h8o1i8";
        for played in ["e8", "j8", "o15"] {
            assert_eq!(judged(lost, played, MistakeSize::Small), None, "{played}");
        }
    }

    #[test]
    fn a_missed_win_is_a_mistake_and_another_winning_move_is_none() {
        // White has the centre, and stops the only open end of the four.
        let four = "f15h8g15i9h15h7i15e15";
        let missed = judged(four, "o1", MistakeSize::Large);
        assert!(
            matches!(&missed, Some(Mistake::Misses { plan }) if plan.kind == PlanKind::Five),
            "{missed:?}"
        );
        assert_eq!(judged(four, "j15", MistakeSize::Large), None);
        let three = "f8a1g8a3h8c1";
        for winning in ["i8", "e8"] {
            assert_eq!(judged(three, winning, MistakeSize::Small), None, "{winning}");
        }
        // A hasty four gives the win away: its answer stops the three.
        assert!(matches!(judged(three, "j8", MistakeSize::Large), Some(Mistake::Misses { .. })));
    }

    #[test]
    fn areas_cover_the_board_and_contain_the_point() {
        for (width, height) in [(15, 15), (19, 13), (3, 32), (7, 7)] {
            let board = Board::new(width, height, Variant::FREESTYLE).unwrap();
            for p in board.points() {
                let [from, to] = area_of(&board, p);
                assert!(board.contains(from) && board.contains(to));
                assert!((from.x()..=to.x()).contains(&p.x()), "{p:?} {from:?} {to:?}");
                assert!((from.y()..=to.y()).contains(&p.y()), "{p:?} {from:?} {to:?}");
            }
        }
    }
}
