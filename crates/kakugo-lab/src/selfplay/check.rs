//! Statistics and damage of self-play files.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;

use kakugo::board::Side;
use kakugo_cli::run_file;
use kakugo_train::selfplay::{FileContents, SearchedMove, SelfPlayGame, Settings, read};

/// Numbers of stones at which groups of positions start.
const STAGES: [usize; 5] = [0, 12, 18, 28, 44];

/// Counts over the games of a file.
#[derive(Default)]
struct Tally {
    games: u32,
    positions: u64,
    random_moves: u64,
    decided: u64,
    /// Positions with node shares.
    shared: u64,
    /// Games won by Black, won by White, and drawn.
    results: [u32; 3],
    /// Games by rule, columns and rows.
    boards: BTreeMap<(&'static str, u8, u8), u32>,
    /// Games by number of stones at the end.
    lengths: BTreeMap<usize, u32>,
    /// Games by number of stones in the opening.
    openings: BTreeMap<usize, u32>,
    /// Positions by [`STAGES`].
    stages: [u64; STAGES.len()],
    /// Games identical to an earlier one, and games with the opening of an earlier one.
    repeated: u32,
    repeated_openings: u32,
    /// The highest game number, plus one.
    numbered: u64,
}

/// Hashes of games and openings in all files so far.
#[derive(Default)]
struct Seen {
    games: HashSet<u64>,
    openings: HashSet<u64>,
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Tally {
    fn add(&mut self, game: &SelfPlayGame, seen: &mut Seen) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        let count =
            |is: fn(&SearchedMove) -> bool| game.moves.iter().filter(|m| is(m)).count() as u64;
        self.random_moves += count(|m| m.is_random());
        self.decided += count(|m| m.score.is_decided());
        self.shared += count(|m| !m.shares.is_empty());
        self.results[game.winner.map_or(2, Side::index)] += 1;
        let rule = game.variant.rule().word();
        *self.boards.entry((rule, game.width, game.height)).or_default() += 1;
        let stones: Vec<_> = game.stones().collect();
        *self.lengths.entry(stones.len()).or_default() += 1;
        *self.openings.entry(game.opening.len()).or_default() += 1;
        for ply in game.opening.len()..stones.len() {
            let stage = STAGES.partition_point(|&first| first <= ply) - 1;
            self.stages[stage] += 1;
        }
        let kind = (game.variant.rule().number(), game.width, game.height);
        self.repeated += u32::from(!seen.games.insert(hash((kind, &stones))));
        self.repeated_openings += u32::from(!seen.openings.insert(hash((kind, &game.opening))));
        self.numbered = self.numbered.max(u64::from(game.number) + 1);
    }

    fn write(&self, file: &FileContents, output: &mut dyn Write) -> std::io::Result<()> {
        let Settings { rule, sizes, nodes, stray, seed } = file.settings;
        writeln!(
            output,
            "  settings   {rule}, size {sizes}, {nodes} nodes per move, stray {stray}, seed {seed}"
        )?;
        writeln!(output, "  games      {}, positions {}", self.games, self.positions)?;
        let boards = self.boards.iter().map(|((rule, w, h), n)| format!("{rule} {w}x{h}: {n}"));
        writeln!(output, "  boards     {}", boards.collect::<Vec<_>>().join(", "))?;
        let [black, white, drawn] = self.results.map(|n| percent(n.into(), self.games.into()));
        writeln!(output, "  results    Black {black}, White {white}, drawn {drawn}")?;
        let [low, median, high] = [5, 50, 95].map(|share| quantile(&self.lengths, share));
        writeln!(
            output,
            "  stones     median {median}, 90 % of games from {low} to {high}; openings from {} to {}",
            quantile(&self.openings, 0),
            quantile(&self.openings, 100),
        )?;
        let stages = STAGES.iter().zip(self.stages);
        let stages =
            stages.map(|(first, n)| format!("from {first}: {}", percent(n, self.positions)));
        writeln!(output, "  positions  {} stones", stages.collect::<Vec<_>>().join(", "))?;
        writeln!(
            output,
            "  moves      random {}, decided {}, with node shares {}",
            percent(self.random_moves, self.positions),
            percent(self.decided, self.positions),
            percent(self.shared, self.positions),
        )?;
        writeln!(
            output,
            "  repeated   games {}, openings {}",
            self.repeated, self.repeated_openings
        )?;
        let missing = self.numbered.saturating_sub(self.games.into());
        let bytes: usize = file.damaged.iter().map(|range| range.len()).sum();
        let ranges: Vec<String> =
            file.damaged.iter().take(10).map(|r| format!("{}-{}", r.start, r.end - 1)).collect();
        match &ranges[..] {
            [] => writeln!(output, "  damaged    0 bytes")?,
            _ => writeln!(
                output,
                "  damaged    {bytes} bytes in {} ranges: {}",
                file.damaged.len(),
                ranges.join(", ")
            )?,
        }
        writeln!(
            output,
            "  missing    {missing} games before the last; incomplete end {} bytes",
            file.truncated
        )
    }
}

/// Formats a ratio as a percentage.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// Returns the value that this percentage of the games does not exceed.
fn quantile(counts: &BTreeMap<usize, u32>, percent: u64) -> usize {
    let total: u64 = counts.values().copied().map(u64::from).sum();
    let mut below = 0;
    for (&value, &n) in counts {
        below += u64::from(n);
        if 100 * below >= percent * total {
            return value;
        }
    }
    counts.keys().next_back().copied().unwrap_or(0)
}

/// Prints statistics and damage of all files.
///
/// # Errors
/// Returns an error if a file cannot be read or is damaged. An incomplete end does not count as
/// damage.
pub(super) fn report(files: &[PathBuf], output: &mut dyn Write) -> anyhow::Result<()> {
    let (mut seen, mut bad) = (Seen::default(), 0);
    for path in files {
        writeln!(output, "{}", path.display())?;
        let mut tally = Tally::default();
        let contents = run_file::read(path)
            .and_then(|bytes| Ok(read(&bytes, |game| tally.add(&game, &mut seen))?));
        match contents {
            Ok(contents) => {
                tally.write(&contents, output)?;
                bad += usize::from(!contents.damaged.is_empty());
            }
            Err(error) => {
                writeln!(output, "  {error:#}")?;
                bad += 1;
            }
        }
    }
    ensure!(bad == 0, "{bad} of {} files are damaged or unreadable", files.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use kakugo::board::{Point, Rule, Variant};
    use kakugo::score::Score;
    use kakugo_train::selfplay::{Sizes, block, header};

    fn game(number: u32, column: u8, winner: Option<Side>) -> SelfPlayGame {
        let p = |x, y| Point::new(x, y).unwrap();
        let searched = |point, choice, score| {
            let score = Score::from_value(score);
            SearchedMove { point, choice, score, shares: Vec::new() }
        };
        let opening = vec![p(7, 7), p(6, 6)];
        let moves = vec![
            searched(p(column, 0), p(column, 0), 12),
            searched(p(column, 1), p(9, 9), -12),
            searched(p(column, 2), p(column, 2), Score::win_in(3).value()),
        ];
        let (variant, width, height) = (Variant::STANDARD, 15, 13);
        SelfPlayGame { number, variant, width, height, winner, opening, moves }
    }

    fn report_of(bytes: &[u8]) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        fs::write(&path, bytes).unwrap();
        let mut output = Vec::new();
        let result = report(std::slice::from_ref(&path), &mut output);
        (result.is_ok(), String::from_utf8(output).unwrap())
    }

    #[test]
    fn games_are_counted_and_damage_is_reported() {
        let sizes = Sizes::new(15, 15).unwrap();
        let settings = Settings { rule: Rule::Standard, sizes, nodes: 500, stray: 12, seed: 1 };
        let games = [
            game(0, 1, Some(Side::Black)),
            game(1, 2, None),
            game(2, 1, Some(Side::White)),
            game(3, 3, Some(Side::Black)),
        ];
        let mut bytes = header(&settings);
        games.iter().for_each(|game| bytes.extend(block(game)));
        let (fine, text) = report_of(&bytes);
        assert!(fine, "{text}");
        for line in [
            "settings   standard, size 15, 500 nodes per move, stray 12, seed 1",
            "games      4, positions 12",
            "boards     standard 15x13: 4",
            "results    Black 50.0 %, White 25.0 %, drawn 25.0 %",
            "stones     median 5, 90 % of games from 5 to 5; openings from 2 to 2",
            "positions  from 0: 100.0 %, from 12: 0.0 %",
            "moves      random 33.3 %, decided 33.3 %, with node shares 0.0 %",
            "repeated   games 1, openings 3",
            "damaged    0 bytes",
            "missing    0 games before the last; incomplete end 0 bytes",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        let length = block(&games[0]).len();
        bytes[32 + length + 20] ^= 4;
        bytes.truncate(bytes.len() - 3);
        let (fine, text) = report_of(&bytes);
        assert!(!fine);
        let range = format!("{length} bytes in 1 ranges: {}-{}", 32 + length, 31 + 2 * length);
        assert!(text.contains(&range), "{text}");
        let missing =
            format!("missing    1 games before the last; incomplete end {} bytes", length - 3);
        assert!(text.contains(&missing), "{text}");
        assert!(!report_of(b"something else").0);
    }
}
