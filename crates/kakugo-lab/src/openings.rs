//! Even openings: found even by a search, then confirmed by games.
//!
//! Some openings that a search finds even are decided: then both games of a pair are won by the
//! same colour, whoever plays it, and the pair says nothing about the players. So each opening is
//! also played out several times, and must be won by both colours. In freestyle, games rejected 12
//! of 134 such openings (`docs/training.md`).
//!
//! The file is a list of openings for `match --openings pos:FILE`. Its comments hold the settings
//! and the results of all candidates, so that a run can be resumed.

use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, ensure};
use clap::Args;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use kakugo::board::{Board, MAX_SIZE, Outcome, Rule, Side, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent};
use kakugo_cli::arguments::threads;
use kakugo_cli::{ctrl_c, run_file};
use kakugo_record::pos::{self, RowOrder};
use kakugo_train::selfplay::opening;

/// Search for even openings
///
/// Random stones that a search finds even are played out several times; openings that both colours
/// win are kept. The file is a list of openings for `match --openings pos:FILE`. To resume a run,
/// start it again with the same file.
#[derive(Args, Debug)]
pub struct OpeningsArgs {
    /// File to append to
    file: PathBuf,
    /// Number of openings in the file
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Rule: a name or its number in the protocol
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Board size
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u8).range(9..=i64::from(MAX_SIZE)))]
    size: u8,
    /// Nodes of the search that must find an opening even
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Maximum absolute score of that search, in score units
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i32).range(0..))]
    max_score: i32,
    /// Number of stones: as many as this, or 3 to 9
    #[arg(long, value_parser = stones)]
    stones: Option<usize>,
    /// Games that confirm an opening, at least 2; 0: none
    #[arg(long, default_value_t = 20, value_parser = games)]
    games: u32,
    /// Nodes per move of these games, drawn between half and twice this number
    #[arg(long, default_value_t = 1000)]
    game_nodes: u64,
    /// Number of threads, at most 1024
    #[arg(long, default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Size of the transposition table, in bytes, for up to a million nodes.
const HASH_BYTES: usize = 16 << 20;
/// Size of the transposition table for longer searches, in bytes.
const LARGE_HASH_BYTES: usize = 128 << 20;
/// Nodes of a first search, which rejects most candidates.
const FIRST_NODES: u64 = 2_000;
/// Each further search has this many times the nodes.
const NODES_FACTOR: u64 = 10;
/// Maximum share of the points of the games for one colour.
const MAX_SHARE: f64 = 0.7;
/// Number of candidates searched between two writes.
const BATCH: u64 = 64;
/// Start of the line that ends a batch and names the next candidate.
const CANDIDATE: &str = "# candidate ";

impl OpeningsArgs {
    /// Returns the first line of the file: the settings that determine the openings.
    fn header(&self) -> String {
        let OpeningsArgs { rule, size, nodes, max_score, games, game_nodes, seed, .. } = self;
        let stones = self.stones.map_or_else(String::new, |stones| format!("{stones} stones, "));
        format!(
            "# even openings: {rule}, size {size}, {stones}{nodes} nodes, score within \
             {max_score}, {games} games of {game_nodes} nodes, seed {seed}"
        )
    }
}

/// Points of the games that confirm an opening.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Points {
    black: f64,
    white: f64,
}

/// An opening that a search finds even.
struct Candidate {
    board: Board,
    points: Points,
    is_even: bool,
}

/// Runs `openings`. Ctrl-C stops it after the current candidates.
///
/// # Errors
/// Returns an error if the file cannot be read or written, is in use by another process, or has
/// other settings.
pub fn run(args: &OpeningsArgs) -> anyhow::Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    ctrl_c::on_interrupt(move || on_interrupt.store(true, Ordering::Relaxed))
        .context("installing the Ctrl-C handler")?;
    search(args, &stop, &mut std::io::stdout())
}

fn search(args: &OpeningsArgs, stop: &AtomicBool, output: &mut dyn Write) -> anyhow::Result<()> {
    let name = args.file.display();
    let (mut file, bytes) = run_file::open(&args.file).with_context(|| name.to_string())?;
    let text = String::from_utf8(bytes).with_context(|| name.to_string())?;
    let header = args.header();
    let first = text.lines().next().unwrap_or_default();
    // An interrupted run may have written a part of the line.
    let is_own = first == header || (!text.contains('\n') && header.starts_with(first));
    let shown: String = first.chars().take(2 * header.len()).collect();
    ensure!(
        is_own,
        "{name}: the file has other settings: '{shown}'; use the same options, or another file"
    );
    // A batch ends with the number of the next candidate. What follows is incomplete.
    let complete = text.rfind(CANDIDATE).and_then(|at| {
        let line = &text[at..];
        let end = line.find('\n')?;
        let next: u64 = line[CANDIDATE.len()..end].split(' ').next()?.parse().ok()?;
        Some((at + end + 1, next))
    });
    let (end, mut next) = complete.unwrap_or((0, 0));
    file.set_len(end as u64)?;
    file.seek(SeekFrom::Start(end as u64))?;
    if end == 0 {
        writeln!(file, "{header}")?;
    }
    let is_opening = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut kept = text[..end].lines().filter(is_opening).count();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build();
    let pool = pool.context("starting the threads")?;
    let hash_bytes = if args.nodes > 1_000_000 { LARGE_HASH_BYTES } else { HASH_BYTES };
    while kept < args.count && !stop.load(Ordering::Relaxed) {
        let of_batch = || {
            let numbers = (next..next + BATCH).into_par_iter();
            numbers
                .map_init(|| Engine::new(hash_bytes), |engine, n| candidate(args, engine, n))
                .collect::<Vec<_>>()
        };
        let found: Vec<Candidate> = pool.install(of_batch).into_iter().flatten().collect();
        next += BATCH;
        let mut lines = String::new();
        for Candidate { board, points, is_even } in &found {
            let opening = board.stones().map(|stone| stone.point);
            let opening = pos::write(opening, args.size, RowOrder::FromTop);
            let Points { black, white } = points;
            let mark = if *is_even { "" } else { "# decided: " };
            lines += &format!("# black {black}, white {white}\n{mark}{opening}\n");
            kept += usize::from(*is_even);
        }
        file.write_all(format!("{lines}{CANDIDATE}{next} follows\n").as_bytes())
            .with_context(|| name.to_string())?;
        writeln!(output, "{kept} of {} openings, {next} candidates", args.count)?;
    }
    Ok(())
}

/// Returns the candidate with this number, or `None` if a search does not find it even.
fn candidate(args: &OpeningsArgs, engine: &mut Engine, number: u64) -> Option<Candidate> {
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    rng.set_stream(number);
    let stones = args.stones.map_or(opening::STONES, |stones| stones..=stones);
    let board = opening::draw(Variant::five(args.rule), args.size, stones, &mut rng)?;
    let stages: Vec<u64> = stages(args.nodes).collect();
    for (left, &nodes) in (1..=stages.len()).rev().zip(&stages) {
        engine.clear();
        let score = think(engine, &board, nodes).score.value();
        // Short searches are wrong by more.
        if score.abs() > args.max_score.saturating_mul(left as i32) {
            return None;
        }
    }
    let mut points = Points::default();
    let most = MAX_SHARE * f64::from(args.games);
    for _ in 0..args.games {
        engine.clear();
        match play_out(engine, board.clone(), args.game_nodes, &mut rng) {
            Some(Side::Black) => points.black += 1.0,
            Some(Side::White) => points.white += 1.0,
            None => (points.black, points.white) = (points.black + 0.5, points.white + 0.5),
        }
        if points.black.max(points.white) > most {
            break;
        }
    }
    let is_even = points.black.max(points.white) <= most;
    Some(Candidate { board, points, is_even })
}

/// Returns the nodes of the searches of a candidate: few that reject most, and `nodes` at last.
fn stages(nodes: u64) -> impl Iterator<Item = u64> {
    let first = std::iter::successors(Some(FIRST_NODES), |stage| stage.checked_mul(NODES_FACTOR));
    first.take_while(move |&stage| stage < nodes).chain([nodes])
}

/// Parses a number of stones.
fn stones(word: &str) -> Result<usize, String> {
    let stones = word.parse().ok().filter(|stones| opening::STONES.contains(stones));
    stones.ok_or_else(|| "expected 3 to 9".to_owned())
}

/// Parses a number of games: one cannot be won by both colours.
fn games(word: &str) -> Result<u32, String> {
    let games = word.parse::<u32>().ok().filter(|&games| games != 1);
    games.ok_or_else(|| "expected 0, or 2 or more".to_owned())
}

/// Draws the nodes of a move between half and twice this number.
fn draw_nodes(nodes: u64, rng: &mut impl Rng) -> u64 {
    rng.random_range(nodes / 2..=nodes.saturating_mul(2))
}

/// Plays a game to its end or to a forced win. Returns the winner.
fn play_out(engine: &mut Engine, mut board: Board, nodes: u64, rng: &mut impl Rng) -> Option<Side> {
    loop {
        match board.outcome() {
            Outcome::Win(side) => return Some(side),
            Outcome::Forbidden(_) => return Some(Side::White),
            Outcome::Draw => return None,
            Outcome::Ongoing => {}
        }
        let side = board.side_to_move();
        // Different numbers of nodes make different games, at about the same strength.
        let answer = think(engine, &board, draw_nodes(nodes, rng));
        if answer.score.is_decided() {
            return Some(if answer.score.is_win() { side } else { side.opponent() });
        }
        board.play(answer.best?).ok()?;
    }
}

fn think(engine: &mut Engine, board: &Board, nodes: u64) -> kakugo::search::Answer {
    let limits = Limits { max_nodes: Some(nodes), skip_only_move: true, ..Limits::default() };
    engine.think(board, &limits, &Signals::default(), &mut Silent)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        openings: OpeningsArgs,
    }

    fn run(file: &Path, options: &[&str]) -> anyhow::Result<()> {
        let file = file.to_str().unwrap();
        let words = ["openings", file, "--nodes", "300", "--game-nodes", "30", "--games", "4"];
        let args = Program::try_parse_from(words.iter().chain(options))?.openings;
        search(&args, &AtomicBool::new(false), &mut std::io::sink())
    }

    fn openings(text: &str) -> Vec<&str> {
        text.lines().filter(|line| !line.starts_with('#')).collect()
    }

    #[test]
    fn resumed_runs_write_identical_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("even.pos");
        run(&file, &["--count", "1"]).unwrap();
        let first = fs::read_to_string(&file).unwrap();
        let more = (openings(&first).len() + 1).to_string();
        let options = ["--count", &more, "--threads", "2"];
        run(&file, &options).unwrap();
        let whole = fs::read_to_string(&file).unwrap();
        assert!(whole.starts_with(&first) && whole.len() > first.len());
        let openings = openings(&whole);
        for opening in &openings {
            let points = pos::read(opening, 15, RowOrder::FromTop).unwrap();
            let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
            points.iter().for_each(|&p| board.play(p).unwrap());
            assert!((3..=9).contains(&points.len()));
        }
        for length in [0, 10, first.len() - 3, first.len() + 5] {
            fs::write(&file, &whole[..length]).unwrap();
            run(&file, &options).unwrap();
            assert!(fs::read_to_string(&file).unwrap() == whole, "{length} bytes");
        }
        let error = run(&file, &["--seed", "2"]).unwrap_err().to_string();
        assert!(error.contains("other settings: '# even openings: freestyle"), "{error}");
    }

    #[test]
    fn other_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("other.pos");
        // Without a line feed, with one, and the beginning of a header with other settings.
        let begun = "# even openings: renju, size";
        for text in ["my shopping list", "my shopping list\n", "\n", begun] {
            fs::write(&file, text).unwrap();
            let error = run(&file, &["--count", "0"]).unwrap_err().to_string();
            assert!(error.contains("the file has other settings: '"), "{error}");
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
    }

    #[test]
    fn numbers_without_sense_are_rejected_and_large_ones_accepted() {
        for (games, is_valid) in [("0", true), ("1", false), ("2", true), ("-1", false)] {
            let given = Program::try_parse_from(["openings", "file", "--games", games]);
            assert_eq!(given.is_ok(), is_valid, "{games}");
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        assert!(draw_nodes(u64::MAX, &mut rng) >= u64::MAX / 2);
        assert_eq!(draw_nodes(0, &mut rng), 0);
    }

    #[test]
    fn decided_openings_are_found_out() {
        let mut engine = Engine::new(HASH_BYTES);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        // Black has an open three and is to move.
        let stones = pos::read("h8a1i8a2j8a15", 15, RowOrder::FromBottom).unwrap();
        stones.iter().for_each(|&p| board.play(p).unwrap());
        assert_eq!(play_out(&mut engine, board, 100, &mut rng), Some(Side::Black));
    }
}
