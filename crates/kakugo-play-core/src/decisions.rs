//! Decisions of computer players.
//!
//! [`decide`] turns a [`MoveRequest`] into actions at the board. Kakugo's moves come from the
//! [`Player`], those of other engines from [`ExternalEngines`]. Here is only what a game at the
//! board adds: openings that forbid some points, and openings that were taken back halfway.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use kakugo::board::{Board, Point, Side};
use kakugo::clock::Instant;
use kakugo::level::{FULL, Level};
use kakugo::pattern::set::PointSet;
use kakugo::player::{Decision, Player, Question, Turn};
use kakugo::position::Position;
use kakugo::promise::promise;
use kakugo::score::Score;
use kakugo::search::swap2;
use kakugo::search::{Balance, Limits, Report, Reporter, Signals};

use crate::game::live::{Action, LiveGame};
use crate::game::opening::{Next, Opening, OpeningChoice, are_symmetric};
use crate::game::setup::PlayerKind;
use crate::now::Time;

/// A request for a player's next actions.
#[derive(Clone, Debug)]
pub struct MoveRequest {
    /// The position.
    pub board: Board,
    /// The player.
    pub player: PlayerKind,
    /// The opening of the game.
    pub opening: Opening,
    /// The next step of the opening.
    pub next: Next,
    /// The thinking time.
    pub time: ThinkingTime,
}

/// The thinking time of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThinkingTime {
    /// The time at which the clock showed the times below; `None` without clocks: the time starts
    /// with the search.
    pub since: Option<Time>,
    /// Time for the move.
    pub turn: Option<Duration>,
    /// Time left for the game.
    pub left: Option<Duration>,
    /// Time added after the move.
    pub increment: Duration,
}

impl ThinkingTime {
    /// Returns the limits of a search whose time started at `start`.
    fn limits(&self, start: Instant) -> Limits {
        let &ThinkingTime { turn, left, increment, .. } = self;
        Limits { start, turn, left, increment, ..Limits::default() }
    }
}

impl MoveRequest {
    /// Returns the request for the player to move.
    pub fn new(game: &LiveGame, now: Time) -> MoveRequest {
        let seat = game.turn();
        let (mut left, mut turn) = game.left(seat, now);
        if let Some(overtime) = game.overtime(seat, now) {
            // No period is given away, and the one that runs is used.
            let main = left.unwrap_or_default();
            if main < overtime.period {
                let free = main + overtime.period_left();
                (left, turn) = (None, Some(turn.map_or(free, |turn| turn.min(free))));
            }
        }
        let setup = game.setup();
        let limited = setup.time.is_limited();
        let since = limited.then_some(now);
        let turn = if limited { turn } else { Some(setup.thought) };
        MoveRequest {
            board: game.board().clone(),
            player: setup.seats[seat].player,
            opening: setup.opening,
            next: game.opening_progress().next,
            time: ThinkingTime { since, turn, left, increment: setup.time.increment },
        }
    }

    /// Returns the request for a hint that may take this long.
    pub fn for_hint(game: &LiveGame, time: Duration, now: Time) -> MoveRequest {
        let time = ThinkingTime {
            since: None,
            turn: Some(time),
            left: None,
            increment: game.setup().time.increment,
        };
        MoveRequest { player: PlayerKind::Human, time, ..MoveRequest::new(game, now) }
    }

    /// Returns the request for the move that another engine would play. It may take this long.
    pub fn for_opinion(game: &LiveGame, engine: usize, time: Duration, now: Time) -> MoveRequest {
        let request = MoveRequest::for_hint(game, time, now);
        MoveRequest { player: PlayerKind::Engine(engine), ..request }
    }

    /// Returns true if the move belongs to the opening: a choice, or a stone after which a player
    /// chooses a colour.
    fn is_in_opening(&self) -> bool {
        let is_swap_possible = self.opening == Opening::Taraguchi && self.board.ply() < 5;
        self.next != Next::Turn || is_swap_possible
    }
}

/// Engines other than Kakugo.
pub trait ExternalEngines {
    /// Asks an engine for a move.
    ///
    /// # Errors
    /// Returns the reason if there is no such engine or it fails.
    fn choose(
        &mut self,
        engine: usize,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
    ) -> Result<Point, String>;
}

/// No engines other than Kakugo.
#[derive(Clone, Copy, Debug)]
pub struct NoExternalEngines;

impl ExternalEngines for NoExternalEngines {
    fn choose(
        &mut self,
        engine: usize,
        _: &Board,
        _: &Limits,
        _: &Signals,
    ) -> Result<Point, String> {
        Err(format!("engine {} is not available", engine + 1))
    }
}

/// Decides on a player's next actions; none if nothing can be done. The time of the search started
/// at `start`.
///
/// # Errors
/// Returns the reason if an engine fails.
pub fn decide(
    request: &MoveRequest,
    start: Instant,
    player: &mut Player,
    engines: &mut dyn ExternalEngines,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Result<Vec<Action>, String> {
    let limits = request.time.limits(start);
    if request.is_in_opening() {
        return Ok(play_opening(request, limits, player, signals, reporter));
    }
    let level = match request.player {
        PlayerKind::Kakugo(number) => number,
        PlayerKind::Human => FULL,
        PlayerKind::Engine(number) => {
            // The protocol has no word for openings.
            let stone = engines.choose(number, &request.board, &limits, signals)?;
            return Ok(vec![Action::Stone(legal_in_opening(request, stone))]);
        }
    };
    let level = Level::of(level).ok_or("no such level")?;
    let turn = Turn { board: request.board.clone(), question: Question::Stone(level), limits };
    let Decision::Stone(stone) = player.decide(&turn, signals, reporter) else {
        return Err("no stone".to_owned());
    };
    let stone = stone.map(|p| legal_in_opening(request, p));
    Ok(stone.map(Action::Stone).into_iter().collect())
}

/// Returns stones and choices of an opening. Kakugo also decides for other engines here, because
/// few of them know these openings.
fn play_opening(
    request: &MoveRequest,
    limits: Limits,
    player: &mut Player,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Vec<Action> {
    if request.opening.is_renju() {
        return play_renju_opening(request, limits, player, signals, reporter);
    }
    let board = &request.board;
    if request.next.choices().is_empty() && board.ply() > 0 {
        return next_opening_stone(board).map(Action::Stone).into_iter().collect();
    }
    let turn = Turn { board: board.clone(), question: Question::Swap2, limits };
    let stones = |points: Vec<Point>| points.into_iter().map(Action::Stone);
    match player.decide(&turn, signals, reporter) {
        Decision::Swap2(swap2::Choice::Stones(points)) if board.ply() == 0 => {
            stones(points).collect()
        }
        Decision::Swap2(swap2::Choice::Stones(points))
            if request.next.choices().contains(&OpeningChoice::More) =>
        {
            std::iter::once(Action::Choose(OpeningChoice::More)).chain(stones(points)).collect()
        }
        Decision::Swap2(swap2::Choice::Swap) => vec![Action::Choose(OpeningChoice::Black)],
        // In an even position the move is an advantage.
        _ => vec![Action::Choose(OpeningChoice::White)],
    }
}

/// Returns stones and choices of a renju opening.
fn play_renju_opening(
    request: &MoveRequest,
    limits: Limits,
    player: &mut Player,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Vec<Action> {
    let MoveRequest { board, next, .. } = request;
    let side = board.side_to_move();
    match next {
        Next::Place { .. } | Next::Turn => {
            let stone = even_stone(request, limits, player, signals, reporter);
            stone.map(Action::Stone).into_iter().collect()
        }
        Next::Choose { choices, .. } => {
            let score = player.engine().think(board, &limits, signals, reporter).score;
            let black = if side == Side::Black { score } else { -score };
            vec![Action::Choose(choose(choices, black))]
        }
        &Next::Offer { ref offered, count, .. } => {
            let missing = count - offered.len();
            let limits = Limits {
                // Symmetric moves take lines, too.
                multi_pv: 2 * missing,
                fill_lines: true,
                ..limits
            };
            let mut offers = offered.clone();
            let best = lines(board, &limits, player, signals, reporter);
            for p in best.into_iter().map(|(p, _)| p).chain(board.empty_points()) {
                let is_new = !offers.iter().any(|&known| are_symmetric(board, known, p));
                let is_legal = board.foul(p, side).is_none() || board.makes_five(p, side);
                if offers.len() < count && is_new && is_legal {
                    offers.push(p);
                }
            }
            let offer = |&p: &Point| Action::Choose(OpeningChoice::Offer(p));
            offers[offered.len()..].iter().map(offer).collect()
        }
        Next::Pick { offered, .. } => {
            let only = Some(offered.iter().copied().collect());
            let limits = Limits { only, multi_pv: offered.len(), fill_lines: true, ..limits };
            let lines = lines(board, &limits, player, signals, reporter);
            // The scores are Black's.
            let worst = lines.iter().min_by_key(|(_, score)| *score).map(|(p, _)| *p);
            worst.or(offered.first().copied()).map(Action::Stone).into_iter().collect()
        }
    }
}

/// Score of Black, in evaluation units, for which another fifth move is announced. With more of
/// them White gets a worse one for Black.
const SCORE_OF_A_FIFTH: i32 = 40;

/// Returns the choice of a player who may be Black or White, or how many fifth moves make the
/// position even, if it has this score for Black.
fn choose(choices: &[OpeningChoice], black: Score) -> OpeningChoice {
    let counts: Vec<u8> = choices
        .iter()
        .filter_map(|choice| match choice {
            OpeningChoice::Fifths(count) => Some(*count),
            _ => None,
        })
        .collect();
    match counts[..] {
        [] if black.value() > 0 => OpeningChoice::Black,
        [] => OpeningChoice::White,
        // In the Taraguchi-10 rule: one fifth move after which the position is even.
        [one, _] => OpeningChoice::Fifths(one),
        _ => {
            let most = counts.len() as i32;
            let number = (1 + black.value() / SCORE_OF_A_FIFTH).clamp(1, most);
            OpeningChoice::Fifths(number as u8)
        }
    }
}

/// Bias of the stones that a player places for both colours, in evaluation units. Otherwise all
/// games would begin with the same opening.
const PLACEMENT_BIAS: i32 = 60;

/// Returns a stone that the opening allows, after which the position is about even.
fn even_stone(
    request: &MoveRequest,
    limits: Limits,
    player: &mut Player,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Option<Point> {
    let MoveRequest { board, opening, next, .. } = request;
    let allowed = |p: &Point| opening.objects_to(board, next, *p).is_none();
    let allowed: Vec<Point> = board.empty_points().filter(allowed).collect();
    let is_placing = matches!(next, Next::Place { .. });
    if allowed.len() <= 1 || is_placing && board.ply() == 1 {
        return allowed.get(random_below(allowed.len())).copied();
    }
    let bias = if is_placing {
        random_below(2 * PLACEMENT_BIAS as usize + 1) as i32 - PLACEMENT_BIAS
    } else {
        0
    };
    let only = Some(allowed.iter().copied().collect::<PointSet>());
    let question = Question::Balance(Balance::ONE.bias(bias));
    let turn = Turn { board: board.clone(), question, limits: Limits { only, ..limits } };
    let stone = match player.decide(&turn, signals, reporter) {
        Decision::Stones(stones) => stones.first().copied(),
        _ => None,
    };
    stone.filter(|p| allowed.contains(p)).or(allowed.first().copied())
}

/// Returns a random number below `count`, or 0.
fn random_below(count: usize) -> usize {
    // The standard library seeds its hash maps at random, differently each time.
    (RandomState::new().hash_one(0u8) as usize).checked_rem(count).unwrap_or(0)
}

/// Searches, and returns the best moves with their scores, best first.
fn lines(
    board: &Board,
    limits: &Limits,
    player: &mut Player,
    signals: &Signals,
    reporter: &mut dyn Reporter,
) -> Vec<(Point, Score)> {
    let mut lines = Lines { reporter, known: Vec::new() };
    player.engine().think(board, limits, signals, &mut lines);
    lines.known
}

/// Keeps the latest lines of a search.
struct Lines<'a> {
    reporter: &'a mut dyn Reporter,
    known: Vec<(Point, Score)>,
}

impl Reporter for Lines<'_> {
    fn report(&mut self, report: &Report) {
        if let Some(&p) = report.pv.first() {
            self.known.retain(|(known, _)| *known != p);
            self.known.insert(report.line.min(self.known.len()), (p, report.score));
        }
        self.reporter.report(report);
    }
}

/// Returns the next stone of an opening that was taken back halfway: the quietest near point.
fn next_opening_stone(board: &Board) -> Option<Point> {
    let position = Position::new(board);
    let near = board.empty_points().filter(|&p| position.near().contains(p));
    let quietest = |a: &Point, b: &Point| promise(&position, *a).total_cmp(&promise(&position, *b));
    near.min_by(quietest).or_else(|| board.empty_points().next())
}

/// Returns `p`, or the most promising point that the opening allows if it forbids `p`.
fn legal_in_opening(request: &MoveRequest, p: Point) -> Point {
    let MoveRequest { board, opening, next, .. } = request;
    if opening.objects_to(board, next, p).is_none() {
        return p;
    }
    let position = Position::new(board);
    let allowed = board.empty_points().filter(|&q| opening.objects_to(board, next, q).is_none());
    let better = |a: &Point, b: &Point| {
        let values = [a, b].map(|&q| promise(&position, q));
        values[0].total_cmp(&values[1]).then(b.distance(p).cmp(&a.distance(p)))
    };
    allowed.max_by(better).unwrap_or(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::Setup;
    use kakugo::board::Variant;
    use kakugo::player::Resources;
    use kakugo::search::{Networks, Silent};

    #[test]
    fn kakugo_plays_both_sides_of_every_renju_opening() {
        let resources =
            Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::default() };
        let mut player = Player::new(resources);
        for opening in Opening::ALL.into_iter().filter(|opening| opening.is_renju()) {
            let mut setup = Setup {
                variant: Variant::RENJU,
                opening,
                thought: Duration::from_millis(10),
                ..Setup::default()
            };
            setup.seats.iter_mut().for_each(|seat| seat.player = PlayerKind::Kakugo(FULL));
            let mut game = LiveGame::new(setup.checked(&[]).unwrap());
            let now = Time::default();
            for _ in 0..40 {
                if game.board().ply() > 6 {
                    break;
                }
                let request = MoveRequest::new(&game, now);
                let (signals, start) = (Signals::default(), Instant::now());
                let engines = &mut NoExternalEngines;
                let actions =
                    decide(&request, start, &mut player, engines, &signals, &mut Silent).unwrap();
                assert!(!actions.is_empty(), "{request:?}");
                game.carry_out(Ok(actions), now);
                assert_eq!(game.end(), None, "{request:?}");
            }
            assert!(game.board().ply() > 6, "{opening:?}: {:?}", game.steps());
        }
    }

    #[test]
    fn the_better_side_and_an_even_number_of_fifth_moves_are_chosen() {
        use OpeningChoice::{Black, Fifths, White};
        let score = Score::from_eval;
        assert_eq!(choose(&[Black, White], score(1)), Black);
        assert_eq!(choose(&[Black, White], score(-1)), White);
        let yamaguchi: Vec<OpeningChoice> = (1..=12).map(Fifths).collect();
        assert_eq!(choose(&yamaguchi, score(-500)), Fifths(1));
        assert_eq!(choose(&yamaguchi, score(2 * SCORE_OF_A_FIFTH)), Fifths(3));
        assert_eq!(choose(&yamaguchi, score(5000)), Fifths(12));
        assert_eq!(choose(&[Fifths(1), Fifths(10)], score(5000)), Fifths(1));
    }
}
