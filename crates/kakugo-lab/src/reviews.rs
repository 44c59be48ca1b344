//! A check of reviews: are their claims true?
//!
//! Games between weak levels are played and reviewed. Then both moves of each claim, the one played
//! and the better one, are searched with many more nodes than the review had.

use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;
use std::str::FromStr;

use anyhow::anyhow;
use clap::Args;
use kakugo::Level;
use kakugo::board::{Board, Outcome, Point, Rule, Side, Variant};
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_cli::usage::usage;
use kakugo_record::analysis::review::{self, Mistake, TurningPoint};
use kakugo_record::notation::name;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::{Game, Move};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The loss that must be left of a claim, per mille of the expected result. Reviews claim more.
const LEAST_LOSS: u32 = 100;

/// Size of the transposition tables, in bytes.
const HASH_BYTES: usize = 64 << 20;

/// Side of the board.
const SIZE: u8 = 15;

/// Check the claims of reviews of games between weak levels
#[derive(Args, Debug)]
pub struct ReviewsArgs {
    /// Number of games
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// Levels of the players
    #[arg(long, default_value = "3-6", value_name = "FROM-TO")]
    levels: Levels,
    /// Nodes per position of the reviews
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Factor by which the searches of the check exceed --nodes
    #[arg(long, default_value_t = 20)]
    factor: u64,
    /// Rule: a name or its number in the protocol
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Seed of the first game; each further game has the next one
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print all claims, not only those that fail
    #[arg(long)]
    all: bool,
}

impl ReviewsArgs {
    /// Returns the nodes per move of the check.
    fn check_nodes(&self) -> u64 {
        self.nodes.saturating_mul(self.factor)
    }
}

/// A range of levels, such as `3-6`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Levels(RangeInclusive<usize>);

impl FromStr for Levels {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Levels> {
        let invalid = || anyhow!("expected two levels from 1 to {}, such as 3-6", Level::ALL.len());
        let (from, to) = text.split_once('-').unwrap_or((text, text));
        let level = |text: &str| text.parse().ok().filter(|&n| Level::of(n).is_some());
        let (from, to) = level(from).zip(level(to)).ok_or_else(invalid)?;
        if from > to {
            return Err(invalid());
        }
        Ok(Levels(from..=to))
    }
}

/// A claim with the scores of both moves, for the side that moved.
#[derive(Debug)]
struct Claim {
    /// Seed of the game.
    game: u64,
    turning_point: TurningPoint,
    better: Score,
    played: Score,
}

impl Claim {
    fn holds(&self) -> bool {
        let (better, played) = (self.better.win_rate_permille(), self.played.win_rate_permille());
        let is_forced = match self.turning_point.mistake {
            Mistake::MissedFours | Mistake::MissedWin => self.better.is_win(),
            Mistake::AllowedWin | Mistake::Forbidden(_) => self.played.is_loss(),
            Mistake::Slip => true,
        };
        is_forced && better >= played + LEAST_LOSS
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TurningPoint { number, side, played, mistake, permille, line } = &self.turning_point;
        let point = |p: &Point| name(*p, SIZE);
        let better = line.first().map_or_else(|| "-".to_owned(), point);
        write!(
            f,
            "{}: game {}, move {number}: {side} {} ({mistake:?}), better {better}: {} against {}; \
             review: {} against {} per mille",
            if self.holds() { "holds" } else { "fails" },
            self.game,
            point(played),
            self.better,
            self.played,
            permille.0,
            permille.1,
        )
    }
}

/// Runs `reviews`, which prints to stdout.
///
/// # Errors
/// Returns an error if the output fails.
pub fn run(args: &ReviewsArgs) -> anyhow::Result<()> {
    if args.games == 0 || args.nodes == 0 || args.factor == 0 {
        return Err(usage(anyhow!("--games, --nodes and --factor must be at least 1")));
    }
    let mut out = std::io::stdout();
    let mut engine = Engine::new(HASH_BYTES);
    let (mut claims, mut held) = (0, 0);
    for seed in (args.seed..).take(usize::try_from(args.games)?) {
        let game = play(&mut engine, args, seed);
        let checked = check(&mut engine, &game, args, seed)?;
        claims += checked.len();
        held += checked.iter().filter(|claim| claim.holds()).count();
        let shown = checked.iter().filter(|claim| args.all || !claim.holds());
        let mut is_shown = false;
        for claim in shown {
            writeln!(out, "{claim}")?;
            is_shown = true;
        }
        if is_shown {
            let moves = pos::write(game.points(), SIZE, RowOrder::FromBottom);
            writeln!(out, "  {moves}")?;
        }
    }
    let share = 100.0 * f64::from(held as u32) / f64::from((claims as u32).max(1));
    writeln!(
        out,
        "{} games, {claims} claims of reviews with {} nodes per position; {held} hold ({share:.1} \
         %) with {} nodes per move",
        args.games,
        args.nodes,
        args.check_nodes()
    )?;
    Ok(())
}

/// Plays a game between two levels.
fn play(engine: &mut Engine, args: &ReviewsArgs, seed: u64) -> Game {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let variant = Variant::five(args.rule);
    let levels: [usize; 2] = std::array::from_fn(|_| random.random_range(args.levels.0.clone()));
    let mut game = Game::new(SIZE, SIZE, variant);
    let [black, white] = levels.map(|level| format!("level {level}"));
    (game.black, game.white) = (black, white);
    let Ok(mut board) = Board::new(SIZE, SIZE, variant) else { return game };
    while board.outcome() == Outcome::Ongoing {
        let level = Level::of(levels[board.side_to_move().index()]).unwrap_or_default();
        let limits = Limits { max_nodes: Some(args.nodes), ..Limits::default() };
        engine.clear();
        let signals = Signals::default();
        let answer = level.think(engine, &board, &limits, &signals, &mut Silent, &mut random);
        let Some(p) = answer.best.filter(|&p| board.play(p).is_ok()) else { break };
        game.moves.push(Move::new(p));
    }
    game
}

/// Reviews a game and searches both moves of each claim.
fn check(
    engine: &mut Engine,
    game: &Game,
    args: &ReviewsArgs,
    seed: u64,
) -> anyhow::Result<Vec<Claim>> {
    let limits = Limits { max_nodes: Some(args.nodes), ..Limits::default() };
    let mut review = review::review(engine, game, &limits, &Signals::default(), |_, _| {})?;
    let max_nodes = Some(args.check_nodes());
    let limits = Limits { max_nodes, ..Limits::default() };
    let mut claims = Vec::new();
    for turning_point in std::mem::take(&mut review.turning_points) {
        let before = &game.moves[..turning_point.number - 1];
        let board = Game { moves: before.to_vec(), ..game.clone() }.board()?;
        let better = match turning_point.line.split_first() {
            Some((&p, line)) => {
                let needs_proof =
                    matches!(turning_point.mistake, Mistake::MissedFours | Mistake::MissedWin);
                score(engine, &board, p, needs_proof.then_some(line), &limits)
            }
            None => -Score::INFINITE,
        };
        let needs_proof = turning_point.mistake == Mistake::AllowedWin;
        let line = review.positions.get(turning_point.number).map(|next| &next.best_line[..]);
        let hint = line.filter(|_| needs_proof);
        let played = score(engine, &board, turning_point.played, hint, &limits);
        claims.push(Claim { game: seed, turning_point, better, played });
    }
    Ok(claims)
}

/// Returns the score of a move for the side that plays it.
///
/// A line after the move, if given, is searched from its end to its beginning if the first search
/// proves nothing. So the check knows the idea of a forced win, but must prove the win itself.
fn score(
    engine: &mut Engine,
    board: &Board,
    p: Point,
    line: Option<&[Point]>,
    limits: &Limits,
) -> Score {
    let side = board.side_to_move();
    let mut board = board.clone();
    if board.play(p).is_err() {
        return -Score::INFINITE;
    }
    engine.clear();
    let mut evaluate = |board: &Board| {
        let black = review::evaluate(engine, board, limits, &Signals::default()).black;
        if side == Side::Black { black } else { -black }
    };
    let score = evaluate(&board);
    let Some(line) = line.filter(|_| !score.is_decided()) else { return score };
    let mut boards = vec![board];
    for &p in line {
        let mut next = boards[boards.len() - 1].clone();
        if next.play(p).is_err() {
            break;
        }
        boards.push(next);
    }
    boards.iter().rev().map(evaluate).last().unwrap_or(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(games: u64, nodes: u64) -> ReviewsArgs {
        let (levels, rule) = ("3-6".parse().unwrap(), Rule::Freestyle);
        ReviewsArgs { games, levels, nodes, factor: 20, rule, seed: 1, all: false }
    }

    #[test]
    fn claims_of_reviews_hold() {
        let args = args(3, 1_500);
        let mut engine = Engine::new(1 << 24);
        let claims: Vec<Claim> = (1..=args.games)
            .flat_map(|seed| {
                let game = play(&mut engine, &args, seed);
                check(&mut engine, &game, &args, seed).unwrap()
            })
            .collect();
        let failed: Vec<String> =
            claims.iter().filter(|claim| !claim.holds()).map(Claim::to_string).collect();
        assert!(claims.len() >= 5, "{} claims", claims.len());
        assert!(failed.is_empty(), "{failed:#?}");
    }

    #[test]
    fn the_nodes_of_the_check_do_not_overflow() {
        assert_eq!(args(1, 1_500).check_nodes(), 30_000);
        assert_eq!(args(1, u64::MAX / 2).check_nodes(), u64::MAX);
    }

    #[test]
    fn claims_need_their_kind_and_a_loss() {
        let claim = |mistake, better, played| {
            let (played_at, line) = (Point::new(7, 7).unwrap(), vec![Point::new(7, 8).unwrap()]);
            let turning_point = TurningPoint {
                number: 1,
                side: Side::Black,
                played: played_at,
                mistake,
                permille: (1000, 500),
                line,
            };
            Claim { game: 1, turning_point, better, played }.holds()
        };
        let [even, good, won, lost] =
            [Score::ZERO, Score::from_eval(200), Score::win_in(9), Score::loss_in(8)];
        assert!(claim(Mistake::Slip, good, even) && !claim(Mistake::Slip, even, even));
        assert!(claim(Mistake::MissedWin, won, even) && !claim(Mistake::MissedWin, good, even));
        assert!(!claim(Mistake::MissedWin, won, won));
        assert!(claim(Mistake::AllowedWin, even, lost) && !claim(Mistake::AllowedWin, lost, lost));
        assert!(!claim(Mistake::AllowedWin, even, Score::from_eval(-700)));
    }

    #[test]
    fn levels_are_a_range() {
        let levels = |text: &str| text.parse::<Levels>().ok();
        assert_eq!(levels("3-6"), Some(Levels(3..=6)));
        assert_eq!(levels("4"), Some(Levels(4..=4)));
        for text in ["", "0-3", "5-3", "3-11", "x"] {
            assert_eq!(levels(text), None, "{text}");
        }
    }
}
