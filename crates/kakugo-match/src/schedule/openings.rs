//! Openings: reading, generating, ordering, and applying the symmetries of the board.

use std::collections::BTreeSet;
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::settings::{OpeningOrder, Symmetry};
use kakugo::board::{Board, Outcome, Point};
use kakugo::score::Score;
use kakugo_record::pos::RowOrder;
use kakugo_record::{offset, pos};

/// The source of the openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// Offsets from the centre, one opening per line.
    Offsets(PathBuf),
    /// Moves such as `h8h9i8`, one opening per line.
    Positions(PathBuf, RowOrder),
    /// Generated openings.
    Balanced {
        /// Number of openings.
        count: usize,
        /// Nodes of the search that evaluates each opening.
        nodes: u64,
    },
}

/// Default number of nodes of the search that evaluates a generated opening.
///
/// Between equal engines at as many nodes per move, 47 % of the game pairs are then won by one
/// colour twice or drawn twice; 73 % without a search.
const BALANCED_NODES: u64 = 10_000;

/// Parses `balanced:N`, `balanced:N:NODES`, `pos:FILE` (row 1 at the top), `pos-bottom:FILE` and
/// `offset:FILE`. A bare file name is a `pos` file if it ends in `.pos`, otherwise an `offset`
/// file.
impl FromStr for OpeningSource {
    type Err = String;

    fn from_str(text: &str) -> Result<OpeningSource, String> {
        Ok(match text.split_once(':') {
            Some(("balanced", numbers)) => {
                let (count, nodes) = match numbers.split_once(':') {
                    Some((count, nodes)) => (count, Some(nodes)),
                    None => (numbers, None),
                };
                let count = count.parse().map(NonZeroUsize::get).map_err(|_| {
                    format!("invalid number of openings '{count}': expected at least 1")
                })?;
                let nodes = match nodes {
                    None => BALANCED_NODES,
                    Some(text) => text.parse().map(NonZeroU64::get).map_err(|_| {
                        format!("invalid number of nodes '{text}': expected at least 1")
                    })?,
                };
                OpeningSource::Balanced { count, nodes }
            }
            Some(("pos", path)) => OpeningSource::Positions(path.into(), RowOrder::FromTop),
            Some(("pos-bottom", path)) => {
                OpeningSource::Positions(path.into(), RowOrder::FromBottom)
            }
            Some(("offset", path)) => OpeningSource::Offsets(path.into()),
            _ if !looks_like_file_name(text) => {
                return Err(format!(
                    "invalid opening source '{text}': expected pos:FILE, pos-bottom:FILE, \
                                         offset:FILE, balanced:N or an existing file"
                ));
            }
            _ if text.ends_with(".pos") => OpeningSource::Positions(text.into(), RowOrder::FromTop),
            _ => OpeningSource::Offsets(text.into()),
        })
    }
}

/// Returns true if a word without a known prefix looks like a file name. The file need not exist.
fn looks_like_file_name(text: &str) -> bool {
    Path::new(text).exists()
        || match text.split_once(':') {
            // A Windows drive letter.
            Some((prefix, _)) => prefix.len() == 1,
            None => text.contains(['.', '/', '\\']),
        }
}

/// Reads an opening file. Empty lines and lines that start with `#` are skipped.
///
/// # Errors
/// Fails if the file cannot be read or is empty, or if an opening leaves the board, repeats a point
/// or ends the game. Generated openings ([`OpeningSource::Balanced`]) have no file.
pub fn read(source: &OpeningSource, empty: &Board) -> Result<Vec<Vec<Point>>> {
    let (width, height) = (empty.width(), empty.height());
    let path = match source {
        OpeningSource::Offsets(path) | OpeningSource::Positions(path, _) => path,
        OpeningSource::Balanced { .. } => {
            bail!("balanced openings are generated, not read from a file")
        }
    };
    let path_name = path.display();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("reading openings from {path_name}"))?;
    let mut openings = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = match source {
            OpeningSource::Positions(_, rows) => pos::read(line, height, *rows),
            _ => offset::read(line, width, height),
        };
        let checked = opening
            .map_err(anyhow::Error::from)
            .and_then(|opening| place(empty, &opening).map(|_| opening));
        openings.push(checked.with_context(|| format!("{path_name}, line {}", number + 1))?);
    }
    ensure!(!openings.is_empty(), "{path_name} contains no openings");
    Ok(openings)
}

/// Returns the board after an opening.
///
/// # Errors
/// Fails if a stone cannot be placed or the opening ends the game.
pub fn place(empty: &Board, opening: &[Point]) -> Result<Board> {
    let mut board = empty.clone();
    for &p in opening {
        board.play(p).with_context(|| format!("opening stone {p}"))?;
        ensure!(board.outcome() == Outcome::Ongoing, "the opening ends the game at {p}");
    }
    Ok(board)
}

/// Returns the openings in the order of play, at most `count`. A match with more rounds starts
/// again with the first one.
///
/// With [`Symmetry::Random`] each opening is played with all its symmetries, in random order,
/// before one is repeated.
pub fn arrange(
    mut openings: Vec<Vec<Point>>,
    order: OpeningOrder,
    symmetry: Symmetry,
    (width, height): (u8, u8),
    count: usize,
    seed: u64,
) -> Vec<Vec<Point>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    if order == OpeningOrder::Random {
        openings.shuffle(&mut rng);
    }
    let transformed =
        |transform: &Transform, opening: &Vec<Point>| transform.apply_all(opening, width, height);
    let transforms = Transform::of_board(width, height);
    let mut arranged = match symmetry {
        Symmetry::None => openings,
        Symmetry::All => openings
            .iter()
            .flat_map(|opening| {
                let images = transforms.iter().map(|transform| transformed(transform, opening));
                images.collect::<BTreeSet<_>>()
            })
            .collect(),
        Symmetry::Random => {
            let shuffled = |_: &Vec<Point>| {
                let mut transforms = transforms.clone();
                transforms.shuffle(&mut rng);
                transforms
            };
            let orders: Vec<Vec<Transform>> = openings.iter().map(shuffled).collect();
            let cycle = |i: usize| {
                openings
                    .iter()
                    .zip(&orders)
                    .map(move |(opening, order)| transformed(&order[i], opening))
            };
            (0..transforms.len()).flat_map(cycle).collect()
        }
    };
    arranged.truncate(count);
    arranged
}

/// A symmetry of the board: reflections in each axis, and an exchange of the axes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transform {
    mirror_x: bool,
    mirror_y: bool,
    exchange: bool,
}

impl Transform {
    /// Returns the eight symmetries of a square or the four of a rectangle, the identity first.
    pub fn of_board(width: u8, height: u8) -> Vec<Transform> {
        let exchanges: &[bool] = if width == height { &[false, true] } else { &[false] };
        let mirrors = [(false, false), (true, false), (false, true), (true, true)];
        exchanges
            .iter()
            .flat_map(|&exchange| {
                mirrors.map(|(mirror_x, mirror_y)| Transform { mirror_x, mirror_y, exchange })
            })
            .collect()
    }

    /// Returns the image of a point.
    pub fn apply(self, p: Point, width: u8, height: u8) -> Point {
        let flip = |at: u8, size: u8, mirror| if mirror { size - 1 - at } else { at };
        let (x, y) = (flip(p.x(), width, self.mirror_x), flip(p.y(), height, self.mirror_y));
        let (x, y) = if self.exchange { (y, x) } else { (x, y) };
        Point::new(x, y).unwrap_or(p)
    }

    fn apply_all(self, points: &[Point], width: u8, height: u8) -> Vec<Point> {
        points.iter().map(|&p| self.apply(p, width, height)).collect()
    }
}

/// Minimum and maximum number of stones of a generated opening.
const BALANCED_STONES: std::ops::RangeInclusive<usize> = 3..=7;
/// Maximum distance of the stones of a generated opening from the centre, in king's steps.
const BALANCED_DISTANCE: u8 = 4;
/// Maximum absolute evaluation of a balanced opening, in score units.
const BALANCED_MARGIN: i32 = 60;
/// Maximum number of candidates per opening.
const BALANCED_TRIES: usize = 2000;
/// Number of candidates that are evaluated in parallel.
const BALANCED_BATCH: usize = 64;

/// The error that too few balanced openings were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooFewBalanced {
    /// Number of openings found.
    pub found: usize,
}

impl fmt::Display for TooFewBalanced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "only {} balanced openings found on this board: reduce N of balanced:N",
            self.found
        )
    }
}

impl std::error::Error for TooFewBalanced {}

/// Generates the first `count` of `all` different openings.
///
/// An opening consists of random stones near the centre that `evaluate` calls balanced. `found` is
/// called from time to time with the number of openings so far.
///
/// # Errors
/// Fails if too few balanced openings are found.
pub fn balanced(
    count: usize,
    all: usize,
    empty: &Board,
    seed: u64,
    evaluate: &(dyn Fn(&Board) -> Score + Sync),
    progress: &mut dyn FnMut(usize),
) -> Result<Vec<Vec<Point>>, TooFewBalanced> {
    // A random stream independent of the one that shuffles openings.
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6f70_656e_696e_6773);
    let centre = Point::new(empty.width() / 2, empty.height() / 2);
    let near: Vec<Point> = empty
        .points()
        .filter(|p| centre.is_some_and(|c| p.distance(c) <= BALANCED_DISTANCE))
        .collect();
    let mut openings: Vec<Vec<Point>> = Vec::new();
    let mut tries = all.saturating_mul(BALANCED_TRIES);
    while openings.len() < count && tries > 0 {
        let batch = tries.min(BALANCED_BATCH);
        tries -= batch;
        let mut draw = || {
            let stones = rng.random_range(BALANCED_STONES);
            let opening: Vec<Point> = near.choose_multiple(&mut rng, stones).copied().collect();
            place(empty, &opening).ok().map(|board| (opening, board))
        };
        let drawn: Vec<(Vec<Point>, Board)> = (0..batch).filter_map(|_| draw()).collect();
        let is_even = |board: &Board| evaluate(board).value().abs() <= BALANCED_MARGIN;
        let even: Vec<bool> = drawn.par_iter().map(|(_, board)| is_even(board)).collect();
        for ((opening, _), even) in drawn.into_iter().zip(even) {
            if even && openings.len() < count && !openings.contains(&opening) {
                openings.push(opening);
            }
        }
        progress(openings.len());
    }
    if openings.len() < count {
        return Err(TooFewBalanced { found: openings.len() });
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    fn points(text: &str) -> Vec<Point> {
        pos::read(text, 15, RowOrder::FromTop).unwrap()
    }

    #[test]
    fn sources_are_parsed() {
        let read = |text: &str| text.parse::<OpeningSource>();
        assert_eq!(read("balanced:30"), Ok(OpeningSource::Balanced { count: 30, nodes: 10_000 }));
        assert_eq!(
            read("balanced:30:200000"),
            Ok(OpeningSource::Balanced { count: 30, nodes: 200_000 })
        );
        for (wrong, what) in [
            ("balanced:x", "openings"),
            ("balanced:0", "openings"),
            ("balanced:3:0", "nodes"),
            ("balanced:3:", "nodes"),
            (
                "balancd:50",
                "invalid opening source 'balancd:50': expected pos:FILE, pos-bottom:FILE, ",
            ),
            ("balanced", "invalid opening source 'balanced'"),
            ("offsets:a.txt", "invalid opening source"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(what), "{wrong}: {error}");
        }
        assert_eq!(
            read("a:b.pos"),
            Ok(OpeningSource::Positions("a:b.pos".into(), RowOrder::FromTop))
        );
        assert_eq!(read("Cargo.toml"), Ok(OpeningSource::Offsets("Cargo.toml".into())));
        assert_eq!(read("missing.txt"), Ok(OpeningSource::Offsets("missing.txt".into())));
        assert_eq!(read("src"), Ok(OpeningSource::Offsets("src".into())));
        assert_eq!(read("offset:a.pos"), Ok(OpeningSource::Offsets("a.pos".into())));
    }

    #[test]
    fn a_square_has_eight_symmetries_and_a_rectangle_four() {
        for (width, height, count) in [(15, 15, 8), (15, 10, 4)] {
            let p = Point::new(1, 3).unwrap();
            let mut images: Vec<Point> = Transform::of_board(width, height)
                .iter()
                .map(|transform| transform.apply(p, width, height))
                .collect();
            assert_eq!(images[0], p);
            assert!(images.iter().all(|q| q.x() < width && q.y() < height));
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), count);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_order() {
        let openings: Vec<Vec<Point>> = ["a1b2", "c3d4", "e5f7", "g7h1"] /* two on the diagonal */
            .map(points)
            .to_vec();
        let arranged = |seed| {
            arrange(openings.clone(), OpeningOrder::Random, Symmetry::Random, (15, 15), 20, seed)
        };
        assert_eq!(arranged(1), arranged(1));
        assert_ne!(arranged(1), arranged(2));
        assert_eq!(arranged(1).len(), 20);
        let all = arrange(openings, OpeningOrder::Sequential, Symmetry::All, (15, 15), 99, 0);
        assert_eq!(all.len(), 32 - 4 - 4, "no image is repeated");
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 32 - 4 - 4);
    }

    #[test]
    fn generated_openings_are_near_the_centre_and_balanced() {
        let empty = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let evaluate = |board: &Board| Score::from_eval(board.ply() as i32 * 15);
        let mut found = Vec::new();
        let openings = balanced(10, 10, &empty, 7, &evaluate, &mut |n| found.push(n)).unwrap();
        assert!(found.is_sorted() && found.last() == Some(&10), "{found:?}");
        for count in [3, 10] {
            let first = balanced(count, 10, &empty, 7, &evaluate, &mut |_| ()).unwrap();
            assert_eq!(openings[..count], first);
        }
        assert!(openings.iter().all(|o| (3..=4).contains(&o.len())), "60 / 15 = 4 stones at most");
        let centre = Point::new(7, 7).unwrap();
        assert!(openings.iter().flatten().all(|p| p.distance(centre) <= BALANCED_DISTANCE));
        let never = balanced(1, 1, &empty, 7, &|_| Score::from_eval(500), &mut |_| ());
        assert_eq!(never, Err(TooFewBalanced { found: 0 }));
    }
}
