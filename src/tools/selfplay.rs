//! Games of the engine against itself at a fixed number of nodes, for tuning.
//!
//! Every game starts from a few random stones close to each other that a short search finds roughly
//! balanced. Game `n` depends on the seed and `n` alone, so an interrupted run goes on where it
//! stopped: the games already in the file are counted and not played again.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

use anyhow::Context;
use clap::Args;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::board::{Board, Outcome, Point, Rule, Side, Variant};
use crate::eval::Position;
use crate::eval::weights::ORDER_SCALE;
use crate::search::{self, Engine, Limits, Signals, Silent};

use super::games::{Game, Ply, expectation};

/// Play games of the engine against itself and append them to a file.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    /// File to append to; games already there count.
    file: PathBuf,
    /// Games wanted in the file.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Nodes per move.
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Games at a time.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// Seed of the whole run.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only under this rule (Gomocup number).
    #[arg(long)]
    rule: Option<u32>,
    /// One move in this many is drawn by its ordering value, so that games leave the beaten track;
    /// 0: none.
    #[arg(long, default_value_t = 10)]
    stray: u32,
}

/// What is played, in turn.
const SETTINGS: [(Rule, u8); 5] = [
    (Rule::Freestyle, 15),
    (Rule::Freestyle, 20),
    (Rule::Standard, 15),
    (Rule::Renju, 15),
    (Rule::Caro, 15),
];

/// Transposition table of each player, in bytes.
const HASH_BYTES: usize = 4 << 20;
/// Openings are accepted up to this score, in score units.
const BALANCE: i32 = 250;

/// Run `selfplay`.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<()> {
    let path = args.file.display();
    let done = match std::fs::read(&args.file) {
        Ok(bytes) => {
            let (games, torn) = Game::read_all(&bytes);
            if torn > 0 {
                let whole = (bytes.len() - torn) as u64;
                let file = OpenOptions::new().write(true).open(&args.file);
                file.and_then(|f| f.set_len(whole)).with_context(|| format!("mending {path}"))?;
            }
            games.len() as u64
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => 0,
        Err(e) => return Err(e).with_context(|| format!("reading {path}")),
    };
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&args.file)
        .with_context(|| format!("opening {path}"))?;
    let settings: Vec<(Rule, u8)> = SETTINGS
        .into_iter()
        .filter(|(rule, _)| args.rule.is_none_or(|number| rule.number() == number))
        .collect();
    anyhow::ensure!(!settings.is_empty(), "no setting for rule {:?}", args.rule);
    let next = AtomicU64::new(done);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.max(1) {
            let (sender, next, settings) = (sender.clone(), &next, &settings);
            scope.spawn(move || {
                let mut engine = Engine::new(HASH_BYTES);
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= args.games {
                        return;
                    }
                    let (rule, size) = settings[(n % settings.len() as u64) as usize];
                    let seed = args.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ n;
                    let rng = StdRng::seed_from_u64(seed);
                    let game = play(&mut engine, Variant::five(rule), size, args, rng);
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (i, game) in receiver.iter().enumerate() {
            file.write_all(&game.to_bytes()).with_context(|| format!("writing {path}"))?;
            if (i + 1) % 100 == 0 {
                println!("{} games", done + i as u64 + 1);
            }
        }
        Ok(())
    })
}

/// Play one game.
fn play(
    engine: &mut Engine,
    variant: Variant,
    size: u8,
    args: &SelfplayArgs,
    mut rng: StdRng,
) -> Game {
    let mut board = opening(engine, variant, size, &mut rng);
    let opening = board.ply();
    let given = |point| Ply { point, expectation: 0, random: false };
    let mut stones: Vec<Ply> = board.stones().map(|s| given(s.point)).collect();
    let most = board.empty_count() * 3 / 4;
    engine.clear();
    let winner = loop {
        match board.outcome() {
            Outcome::Win(side) => break Some(side),
            Outcome::Forbidden(_) => break Some(Side::White),
            Outcome::Draw => break None,
            Outcome::Ongoing if board.ply() >= most => break None,
            Outcome::Ongoing => {}
        }
        let side = board.side_to_move();
        let limits = Limits { max_nodes: Some(args.nodes), ..Limits::default() };
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        let Some(best) = answer.best else { break None };
        let expectation = expectation(answer.score);
        let stray = args.stray > 0 && rng.random_ratio(1, args.stray) && !answer.score.is_decided();
        let point = if stray { drawn(&board, &mut rng).unwrap_or(best) } else { best };
        stones.push(Ply { point, expectation, random: point != best });
        if answer.score.is_win() {
            break Some(side);
        }
        if board.play(point).is_err() {
            break None;
        }
    };
    Game { variant, size: (size, size), opening, winner, stones }
}

/// A candidate, drawn with the probability that its ordering value says.
fn drawn(board: &Board, rng: &mut StdRng) -> Option<Point> {
    let position = Position::new(board);
    let points: Vec<Point> =
        search::candidates(&position).iter().filter(|&p| position.is_legal(p)).collect();
    let nats = |&p: &Point| f64::from(position.move_value(p)) / f64::from(ORDER_SCALE);
    let highest = points.iter().map(nats).fold(f64::MIN, f64::max);
    points.choose_weighted(rng, |p| (nats(p) - highest).exp()).ok().copied()
}

/// A few random stones that leave the game open.
fn opening(engine: &mut Engine, variant: Variant, size: u8, rng: &mut StdRng) -> Board {
    loop {
        let Some(board) = random_stones(variant, size, rng) else { continue };
        let limits = Limits { max_nodes: Some(1500), ..Limits::default() };
        engine.clear();
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        if answer.score.value().abs() <= BALANCE {
            return board;
        }
    }
}

fn random_stones(variant: Variant, size: u8, rng: &mut StdRng) -> Option<Board> {
    let mut board = Board::new(size, size, variant).ok()?;
    let stones = rng.random_range(2..=9);
    let spread = rng.random_range(2..=4);
    let (x, y) = (rng.random_range(spread..size - spread), rng.random_range(spread..size - spread));
    while board.ply() < stones {
        let p = Point::new(
            rng.random_range(x - spread..=x + spread),
            rng.random_range(y - spread..=y + spread),
        )?;
        let side = board.side_to_move();
        if board.is_empty(p) && board.foul(p, side).is_none() {
            board.play(p).ok()?;
            if board.outcome() != Outcome::Ongoing {
                return None;
            }
        }
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many stones of a game, and how many of them at random.
    fn strays(stray: u32) -> (usize, usize) {
        let (file, rule) = (PathBuf::new(), None);
        let args = SelfplayArgs { file, games: 1, nodes: 60, concurrency: 1, seed: 1, rule, stray };
        let mut engine = Engine::new(1 << 20);
        let rng = StdRng::seed_from_u64(5);
        let game = play(&mut engine, Variant::FREESTYLE, 15, &args, rng);
        let searched = &game.stones[game.opening..];
        (searched.len(), searched.iter().filter(|ply| ply.random).count())
    }

    #[test]
    fn strays_are_played_as_often_as_asked_and_marked() {
        let (stones, random) = strays(0);
        assert!(stones > 2);
        assert_eq!(random, 0);
        // Decided positions are played out, and a drawn move may be the best.
        let (stones, random) = strays(1);
        assert!(3 * random > stones, "{random} of {stones}");
    }
}
