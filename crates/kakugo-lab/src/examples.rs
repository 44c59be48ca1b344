//! Examples for `--help`.

/// Examples of `ladder`.
pub const LADDER: &str = "\
Example:
  kakugo-lab ladder docs/ladder.csv --out assets/ladder.svg
";

/// Examples of `openings`.
pub const OPENINGS: &str = "\
Examples:
  kakugo-lab openings even.pos --count 200 --threads 2
  kakugo-lab openings renju.pos --rule renju --nodes 1000000 --games 20 --seed 7
";

/// Examples of `problems`.
pub const PROBLEMS: &str = "\
Examples:
  kakugo-lab problems run.txt --seed 7
  kakugo-lab problems run.txt --pack crates/kakugo-record/src/problems.txt
";

/// Examples of `reviews`.
pub const REVIEWS: &str = "\
Examples:
  kakugo-lab reviews --games 20
  kakugo-lab reviews --games 200 --levels 4-6 --nodes 100000 --rule renju
";

/// Examples of `selfplay`.
pub const SELFPLAY: &str = "\
Examples:
  kakugo-lab selfplay a.games --games 100000 --threads 2
  kakugo-lab selfplay renju.games --rule renju --size 13-20 --nodes 1000 --seed 7
  kakugo-lab selfplay --check a.games renju.games
";

/// Examples of `spsa`.
#[cfg(feature = "tuning")]
pub const SPSA: &str = "\
Examples:
  kakugo-lab spsa run.spsa --pairs 20000 --nodes 8000
  kakugo-lab spsa lmr.spsa --only lmr --rules freestyle:15,renju:15:2 --workers 4
  kakugo-lab spsa run.spsa --report --plot run.svg
";

/// Examples of `tune`.
pub const TUNE: &str = "\
Example:
  kakugo-lab tune a.games renju.games --out weights.bin
";

/// Examples of `train`.
pub const TRAIN: &str = "\
Examples:
  kakugo-lab train a.games b.games --out freestyle.net
  kakugo-lab train a.games b.games --out freestyle.net --resume
  kakugo-lab train c.games --out freestyle.net --report
";
