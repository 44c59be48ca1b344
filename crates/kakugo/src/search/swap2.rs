//! The swap2 opening: three stones, then a choice of colours.
//!
//! The first player places two black stones and a white one. The second player takes Black
//! (`Swap`), or takes White and moves (`Stone`), or places a white and a black stone (`Stones`) and
//! leaves the choice to the first. The chooser wants the better side, so the player who places
//! stones wants an even position. Both need the score of a search for White, who is to move.

use std::time::Duration;

use rand::Rng;
use rand::seq::SliceRandom;

use super::engine::Engine;
use super::limits::Limits;
use super::report::{Answer, Reporter, Silent};
use super::signals::Signals;
use super::swap2_book;
use crate::board::{Board, Outcome, Point};
use crate::clock::Instant;
use crate::score::Score;

/// A decision in a swap2 opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Place these stones: three on an empty board, or two more.
    Stones(Vec<Point>),
    /// Take the other colour.
    Swap,
    /// Keep the colour and play this stone.
    Stone(Point),
    /// Nothing: no stone can be placed.
    Nothing,
}

/// Maximum absolute score of an even position.
const EVEN_MARGIN: i32 = 25;

/// Number of openings to try on a board without a book. The most even one is played.
const OPENINGS_TRIED: u32 = 4;

/// Number of stone pairs to try. The most even one is played.
const PAIRS_TRIED: u32 = 6;

/// Maximum distance of the two additional stones from a stone.
const PAIR_DISTANCE: u8 = 4;

/// Time for a decision without limits. Unlike the search of a move, it would never end by a proof.
const UNLIMITED_TURN: Duration = Duration::from_secs(60);

/// Decides in a position with zero, three or five stones.
pub fn choose<R: Rng>(
    engine: &mut Engine,
    board: &Board,
    limits: &Limits,
    signals: &Signals,
    reporter: &mut dyn Reporter,
    random: &mut R,
) -> Choice {
    let mut budget = Budget { limits: bounded(limits, board), searches: 0 };
    match board.ply() {
        0 => {
            if let Some(stones) = swap2_book::even_opening(board, random) {
                return Choice::Stones(stones);
            }
            budget.searches = OPENINGS_TRIED;
            let tried = (0..OPENINGS_TRIED).map(|_| opening(board, random));
            most_even(engine, board, tried.collect(), &mut budget, signals)
                .map_or(Choice::Nothing, |(stones, _)| Choice::Stones(stones))
        }
        3 => {
            budget.searches = 2;
            let answer = budget.think(engine, board, signals, reporter);
            let even = answer.score.value().abs();
            if even <= EVEN_MARGIN && !budget.is_spent(signals) {
                budget.searches = PAIRS_TRIED;
                let tried = (0..PAIRS_TRIED).map(|_| pair(board, random)).collect();
                let found = most_even(engine, board, tried, &mut budget, signals);
                if let Some((stones, value)) = found
                    && value <= even
                {
                    return Choice::Stones(stones);
                }
            }
            better_side(answer.best, answer.score)
        }
        _ => {
            budget.searches = 1;
            let answer = budget.think(engine, board, signals, reporter);
            better_side(answer.best, answer.score)
        }
    }
}

/// Decides without a search.
pub fn unsearched<R: Rng>(board: &Board, random: &mut R) -> Choice {
    if board.ply() > 0 {
        return Choice::Swap;
    }
    if let Some(stones) = swap2_book::even_opening(board, random) {
        return Choice::Stones(stones);
    }
    let mut openings = (0..OPENINGS_TRIED).map(|_| opening(board, random));
    openings.find(|stones| after(board, stones).is_some()).map_or(Choice::Nothing, Choice::Stones)
}

/// Returns the choice of the better side, given White's best move and its score: White if the score
/// is not negative.
pub fn better_side(best: Option<Point>, score: Score) -> Choice {
    match best {
        Some(best) if score.value() >= 0 => Choice::Stone(best),
        _ => Choice::Swap,
    }
}

/// Returns the limits, with a turn time if they have no limit at all. A depth that the board cannot
/// reach is none: Yixin-Board sends the number of points.
fn bounded(limits: &Limits, board: &Board) -> Limits {
    let mut limits = limits.clone();
    let is_deep = limits.max_depth.is_none_or(|depth| depth as usize >= board.empty_count());
    if limits.left.is_none() && limits.max_nodes.is_none() && is_deep {
        limits.turn.get_or_insert(UNLIMITED_TURN);
    }
    limits
}

/// The remaining budget for the searches of one decision.
struct Budget {
    limits: Limits,
    /// Remaining searches, including the current one.
    searches: u32,
}

impl Budget {
    /// Runs one search with its share of time and nodes.
    fn think(
        &mut self,
        engine: &mut Engine,
        board: &Board,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> Answer {
        let began = Instant::now();
        let answer = engine.think(board, &self.share(began), signals, reporter);
        self.searches = self.searches.saturating_sub(1);
        self.limits.left = self.limits.left.map(|left| left.saturating_sub(began.elapsed()));
        self.limits.max_nodes =
            self.limits.max_nodes.map(|nodes| nodes.saturating_sub(answer.nodes));
        answer
    }

    /// Returns the limits of the next search, which begins now.
    fn share(&self, now: Instant) -> Limits {
        let searches = self.searches.max(1);
        Limits {
            start: now,
            turn: self.turn_left(now).map(|turn| turn / searches),
            left: self.limits.left.map(|left| left / searches),
            increment: self.limits.increment / searches,
            max_nodes: self.limits.max_nodes.map(|nodes| (nodes / u64::from(searches)).max(1)),
            ..self.limits.clone()
        }
    }

    fn turn_left(&self, now: Instant) -> Option<Duration> {
        let spent = now.saturating_duration_since(self.limits.start);
        self.limits.turn.map(|turn| turn.saturating_sub(spent))
    }

    /// Returns `true` if no time or nodes are left.
    fn is_spent(&self, signals: &Signals) -> bool {
        let used_up = |time: Option<Duration>| time.is_some_and(|time| time.is_zero());
        signals.is_stopped()
            || used_up(self.turn_left(Instant::now()))
            || used_up(self.limits.left)
            || self.limits.max_nodes == Some(0)
    }
}

/// Returns the candidate with the most even score, and the absolute value of this score. Returns
/// the first candidate unsearched if no budget is left.
fn most_even(
    engine: &mut Engine,
    board: &Board,
    candidates: Vec<Vec<Point>>,
    budget: &mut Budget,
    signals: &Signals,
) -> Option<(Vec<Point>, i32)> {
    let mut best: Option<(Vec<Point>, i32)> = None;
    for stones in candidates {
        let Some(position) = after(board, &stones) else { continue };
        if best.is_some() && budget.is_spent(signals) {
            break;
        }
        let value = if budget.is_spent(signals) {
            i32::MAX
        } else {
            budget.think(engine, &position, signals, &mut Silent).score.value().abs()
        };
        if best.as_ref().is_none_or(|&(_, min)| value < min) {
            best = Some((stones, value));
        }
    }
    best
}

/// Returns the board with these stones added; `None` if one cannot be placed or ends the game.
fn after(board: &Board, stones: &[Point]) -> Option<Board> {
    let mut position = board.clone();
    for &p in stones {
        position.play(p).ok()?;
        if position.outcome() != Outcome::Ongoing {
            return None;
        }
    }
    Some(position)
}

/// Returns the three stones of an opening: a known one of a similar board, or three random empty
/// points if it does not fit.
fn opening<R: Rng>(board: &Board, random: &mut R) -> Vec<Point> {
    let stones = swap2_book::similar_opening(board, random);
    if stones.len() == 3 && after(board, &stones).is_some() {
        return stones;
    }
    let mut free: Vec<Point> = board.empty_points().collect();
    free.shuffle(random);
    free.truncate(3);
    free
}

/// Returns two random empty points near the stones.
fn pair<R: Rng>(board: &Board, random: &mut R) -> Vec<Point> {
    let near = |p: &Point| board.stones().any(|s| s.point.distance(*p) <= PAIR_DISTANCE);
    let mut free: Vec<Point> = board.empty_points().filter(near).collect();
    free.shuffle(random);
    free.truncate(2);
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Rule, Side, Variant};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    fn decide(drawing: &str, limits: &Limits) -> (Board, Choice) {
        let variant = Variant::new(Rule::Freestyle, 3).unwrap();
        let (drawn, _) = crate::board!(variant, drawing);
        let mut board = Board::new(drawn.width(), drawn.height(), variant).unwrap();
        let stones = |side| drawn.stones().filter(move |s| s.side == side).map(|s| s.point);
        let (mut black, mut white) = (stones(Side::Black), stones(Side::White));
        while let Some(p) =
            if board.side_to_move() == Side::Black { black.next() } else { white.next() }
        {
            board.play(p).unwrap();
        }
        let mut engine = Engine::new(1 << 16);
        let signals = Signals::default();
        let random = &mut StdRng::seed_from_u64(7);
        let choice = choose(&mut engine, &board, limits, &signals, &mut Silent, random);
        (board, choice)
    }

    fn nodes(max_nodes: u64) -> Limits {
        Limits { max_nodes: Some(max_nodes), ..Limits::default() }
    }

    /// Three in a row win here.
    const BLACK_WINS: &str = "
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . . . . . . .
        . . . . . . .
        O . . . . . .
        . . . . . . .";

    #[test]
    fn a_lost_side_is_swapped() {
        assert_eq!(decide(BLACK_WINS, &nodes(2_000)).1, Choice::Swap);
    }

    #[test]
    fn a_won_side_is_kept() {
        let white_wins = "
            . . . . . . .
            . . . . . . .
            X . O O . . .
            . . . . . . .
            . . . . . . X
            . . . . . . .
            . . X . . . .";
        let (board, choice) = decide(white_wins, &nodes(2_000));
        assert_eq!(board.ply(), 5);
        let Choice::Stone(stone) = choice else { panic!("{choice:?}") };
        assert!(board.makes_five(stone, Side::White));
    }

    #[test]
    fn a_decision_needs_no_time() {
        let at_once = Limits { turn: Some(Duration::ZERO), ..Limits::default() };
        let (_, choice) = decide(BLACK_WINS, &at_once);
        assert!(matches!(choice, Choice::Swap | Choice::Stone(_)), "{choice:?}");
        let (board, choice) = decide(". . . .\n. . . .\n. . . .", &at_once);
        let Choice::Stones(stones) = choice else { panic!("{choice:?}") };
        assert_eq!(after(&board, &stones).map(|b| b.ply()), Some(3));
    }

    /// Returns the nodes and time of each search of a decision.
    fn searches(limits: &Limits, searches: u32) -> Vec<(u64, Duration)> {
        let mut board = Board::new(15, 15, Variant::STANDARD).unwrap();
        for (x, y) in [(3, 3), (11, 3), (3, 11)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let mut engine = Engine::new(1 << 20);
        let mut budget = Budget { limits: limits.clone(), searches };
        let think = |_| {
            engine.clear();
            let began = Instant::now();
            let answer = budget.think(&mut engine, &board, &Signals::default(), &mut Silent);
            (answer.nodes, began.elapsed())
        };
        (0..searches).map(think).collect()
    }

    #[test]
    fn nodes_are_shared_between_the_searches() {
        let used: Vec<u64> = searches(&nodes(20_000), 4).iter().map(|search| search.0).collect();
        // The search polls its limits every few hundred nodes.
        assert!(used.iter().all(|nodes| (4_000..6_000).contains(nodes)), "{used:?}");
        assert!((19_000..21_000).contains(&used.iter().sum::<u64>()), "{used:?}");
    }

    #[test]
    fn time_is_shared_between_the_searches() {
        let start = Instant::now();
        let turn = Some(Duration::from_millis(2_400));
        let used = searches(&Limits { start, turn, ..Limits::default() }, 4);
        // A busy machine may delay any search, mostly the first.
        let first = used[0].1;
        assert!(first < Duration::from_millis(1_500), "{used:?}");
        assert!(used.iter().all(|&(nodes, _)| nodes > 0), "{used:?}");
    }

    /// The increment is added once per decision, not per search.
    #[test]
    fn a_clock_and_its_increment_are_shared_between_the_searches() {
        let (left, increment) = (Some(Duration::from_secs(6)), Duration::from_secs(2));
        let limits = Limits { left, increment, ..Limits::default() };
        for (searches, left, increment) in [(4, 1_500, 500), (1, 6_000, 2_000)] {
            let share = Budget { limits: limits.clone(), searches }.share(Instant::now());
            assert_eq!(share.left, Some(Duration::from_millis(left)));
            assert_eq!(share.increment, Duration::from_millis(increment));
        }
    }

    #[test]
    fn every_opening_gets_a_search() {
        let board = Board::new(15, 15, Variant::STANDARD).unwrap();
        let random = &mut StdRng::seed_from_u64(3);
        let tried: Vec<_> = (0..OPENINGS_TRIED).map(|_| opening(&board, random)).collect();
        let mut budget = Budget { limits: nodes(8_000), searches: OPENINGS_TRIED };
        let (mut engine, signals) = (Engine::new(1 << 20), Signals::default());
        let (stones, _) = most_even(&mut engine, &board, tried, &mut budget, &signals).unwrap();
        assert_eq!(stones.len(), 3);
        assert_eq!(budget.searches, 0);
    }

    #[test]
    fn openings_have_three_stones_on_every_board() {
        let random = &mut StdRng::seed_from_u64(1);
        for (width, height) in [(3, 3), (3, 32), (5, 5), (9, 6), (15, 15), (20, 20), (32, 32)] {
            let board = Board::new(width, height, Variant::STANDARD).unwrap();
            for _ in 0..50 {
                let stones = opening(&board, random);
                let placed = after(&board, &stones).map(|after| after.ply());
                assert_eq!(placed, Some(3), "{width}x{height} {stones:?}");
            }
        }
    }

    #[test]
    fn pairs_lie_near_the_stones() {
        let random = &mut StdRng::seed_from_u64(1);
        let mut board = Board::new(20, 20, Variant::STANDARD).unwrap();
        board.play(Point::new(0, 0).unwrap()).unwrap();
        for _ in 0..50 {
            let stones = pair(&board, random);
            assert_eq!(after(&board, &stones).map(|after| after.ply()), Some(3));
            assert!(stones.iter().all(|p| p.x() <= PAIR_DISTANCE && p.y() <= PAIR_DISTANCE));
        }
    }

    #[test]
    fn a_depth_beyond_the_board_does_not_bound_a_decision() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let turn = |depth| bounded(&Limits { max_depth: depth, ..Limits::default() }, &board).turn;
        assert_eq!((turn(None), turn(Some(225))), (Some(UNLIMITED_TURN), Some(UNLIMITED_TURN)));
        assert_eq!(turn(Some(8)), None);
    }
}
