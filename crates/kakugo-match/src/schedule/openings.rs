//! Openings: read, put in order, turned by the symmetries of the board.

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

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Offsets from the centre, one opening a line.
    Offsets(PathBuf),
    /// `h8h9i8`, one opening a line.
    Positions(PathBuf, RowOrder),
    /// Generated ones.
    Balanced {
        /// How many.
        count: usize,
        /// Nodes of the search that calls each even.
        nodes: u64,
    },
}

/// Nodes of the search that calls an opening even, if not told. Of pairs of games between equal engines of as
/// many nodes a move 47 % are won by the same colour twice or drawn twice then; without a search 73 %.
const BALANCED_NODES: u64 = 10_000;

/// `balanced:N`, `balanced:N:NODES`, `pos:FILE` (row 1 at the top), `pos-bottom:FILE`, `offset:FILE`; the bare name of
/// a file is a `pos` file if it ends so, else offsets.
impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Source, String> {
        Ok(match text.split_once(':') {
            Some(("balanced", numbers)) => {
                let (count, nodes) = match numbers.split_once(':') {
                    Some((count, nodes)) => (count, Some(nodes)),
                    None => (numbers, None),
                };
                let count = count
                    .parse()
                    .map(NonZeroUsize::get)
                    .map_err(|_| format!("\"{count}\" is not a number of openings"))?;
                let nodes = match nodes {
                    None => BALANCED_NODES,
                    Some(text) => text
                        .parse()
                        .map(NonZeroU64::get)
                        .map_err(|_| format!("\"{text}\" is not a number of nodes"))?,
                };
                Source::Balanced { count, nodes }
            }
            Some(("pos", path)) => Source::Positions(path.into(), RowOrder::FromTop),
            Some(("pos-bottom", path)) => Source::Positions(path.into(), RowOrder::FromBottom),
            Some(("offset", path)) => Source::Offsets(path.into()),
            _ if !may_be_file(text) => {
                return Err(format!(
                    "no opening source \"{text}\": pos:FILE, pos-bottom:FILE, offset:FILE, \
                     balanced:N, or the name of a file"
                ));
            }
            _ if text.ends_with(".pos") => Source::Positions(text.into(), RowOrder::FromTop),
            _ => Source::Offsets(text.into()),
        })
    }
}

/// Whether a word that begins with no source can be meant as the name of a file, be it there or not.
fn may_be_file(text: &str) -> bool {
    Path::new(text).exists()
        || match text.split_once(':') {
            // A drive of Windows.
            Some((prefix, _)) => prefix.len() == 1,
            None => text.contains(['.', '/', '\\']),
        }
}

/// Read an opening file (not for [`Source::Balanced`]). Empty lines and `#` lines are skipped; an
/// opening that ends the game, leaves the board or repeats a point is an error.
pub fn read(source: &Source, empty: &Board) -> Result<Vec<Vec<Point>>> {
    let (width, height) = (empty.width(), empty.height());
    let path = match source {
        Source::Offsets(path) | Source::Positions(path, _) => path,
        Source::Balanced { .. } => bail!("balanced openings are generated, not read"),
    };
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).with_context(|| format!("reading openings from {shown}"))?;
    let mut openings = Vec::new();
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let opening = match source {
            Source::Positions(_, rows) => pos::read(line, height, *rows),
            _ => offset::read(line, width, height),
        };
        let checked = opening
            .map_err(anyhow::Error::from)
            .and_then(|opening| place(empty, &opening).map(|_| opening));
        openings.push(checked.with_context(|| format!("{shown}, line {}", number + 1))?);
    }
    ensure!(!openings.is_empty(), "{shown} holds no openings");
    Ok(openings)
}

/// The board with an opening on it.
pub fn place(empty: &Board, opening: &[Point]) -> Result<Board> {
    let mut board = empty.clone();
    for &p in opening {
        board.play(p).with_context(|| format!("opening stone {p}"))?;
        ensure!(board.outcome() == Outcome::Ongoing, "the opening ends the game at {p}");
    }
    Ok(board)
}

/// The openings in the order of use, at most `count`; when they are used up, one begins again from
/// the first.
///
/// With [`Symmetry::Random`] each opening passes once through all its turns, in a drawn order,
/// before one comes again.
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
    let turned = |turn: &Turn, opening: &Vec<Point>| turn.apply_all(opening, width, height);
    let turns = Turn::of_board(width, height);
    let mut arranged = match symmetry {
        Symmetry::None => openings,
        Symmetry::All => openings
            .iter()
            .flat_map(|opening| {
                let images = turns.iter().map(|turn| turned(turn, opening));
                images.collect::<BTreeSet<_>>()
            })
            .collect(),
        Symmetry::Random => {
            let shuffled = |_: &Vec<Point>| {
                let mut turns = turns.clone();
                turns.shuffle(&mut rng);
                turns
            };
            let orders: Vec<Vec<Turn>> = openings.iter().map(shuffled).collect();
            let cycle = |i: usize| {
                openings.iter().zip(&orders).map(move |(opening, order)| turned(&order[i], opening))
            };
            (0..turns.len()).flat_map(cycle).collect()
        }
    };
    arranged.truncate(count);
    arranged
}

/// A symmetry of the board: perhaps mirrored in each axis, perhaps with the axes exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    mirror_x: bool,
    mirror_y: bool,
    exchange: bool,
}

impl Turn {
    /// The eight symmetries of a square, the four of a rectangle; the first changes nothing.
    pub fn of_board(width: u8, height: u8) -> Vec<Turn> {
        let exchanges: &[bool] = if width == height { &[false, true] } else { &[false] };
        let mirrors = [(false, false), (true, false), (false, true), (true, true)];
        exchanges
            .iter()
            .flat_map(|&exchange| {
                mirrors.map(|(mirror_x, mirror_y)| Turn { mirror_x, mirror_y, exchange })
            })
            .collect()
    }

    /// Where a point of the board goes.
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

/// Fewest and most stones of a generated opening.
const BALANCED_STONES: std::ops::RangeInclusive<usize> = 3..=7;
/// How far stones of a generated opening lie from the centre at most, in steps of a king.
const BALANCED_REACH: u8 = 4;
/// Largest value, in the evaluation's units, that still counts as balanced.
const BALANCED_MARGIN: i32 = 60;
/// Tries for each opening before giving up.
const BALANCED_TRIES: usize = 2000;
/// Tries at once: all processors share them.
const BALANCED_AT_ONCE: usize = 64;

/// Too few balanced openings were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooFewBalanced {
    /// How many were.
    pub found: usize,
}

impl fmt::Display for TooFewBalanced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only {} balanced openings were found on this board", self.found)
    }
}

impl std::error::Error for TooFewBalanced {}

/// Generate the first `count` of `all` different openings: random stones near the centre that `evaluate`, for
/// the side to move, calls balanced. `found` is told now and then how many there are.
pub fn balanced(
    count: usize,
    all: usize,
    empty: &Board,
    seed: u64,
    evaluate: &(dyn Fn(&Board) -> Score + Sync),
    found: &mut dyn FnMut(usize),
) -> Result<Vec<Vec<Point>>, TooFewBalanced> {
    // Another stream than the shuffling's.
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6f70_656e_696e_6773);
    let centre = Point::new(empty.width() / 2, empty.height() / 2);
    let near: Vec<Point> = empty
        .points()
        .filter(|p| centre.is_some_and(|c| p.distance(c) <= BALANCED_REACH))
        .collect();
    let mut openings: Vec<Vec<Point>> = Vec::new();
    let mut tries = all.saturating_mul(BALANCED_TRIES);
    while openings.len() < count && tries > 0 {
        let now = tries.min(BALANCED_AT_ONCE);
        tries -= now;
        let mut draw = || {
            let stones = rng.random_range(BALANCED_STONES);
            let opening: Vec<Point> = near.choose_multiple(&mut rng, stones).copied().collect();
            place(empty, &opening).ok().map(|board| (opening, board))
        };
        let drawn: Vec<(Vec<Point>, Board)> = (0..now).filter_map(|_| draw()).collect();
        let is_even = |board: &Board| evaluate(board).value().abs() <= BALANCED_MARGIN;
        let even: Vec<bool> = drawn.par_iter().map(|(_, board)| is_even(board)).collect();
        for ((opening, _), even) in drawn.into_iter().zip(even) {
            if even && openings.len() < count && !openings.contains(&opening) {
                openings.push(opening);
            }
        }
        found(openings.len());
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
    fn sources_are_read() {
        let read = |text: &str| text.parse::<Source>();
        assert_eq!(read("balanced:30"), Ok(Source::Balanced { count: 30, nodes: 10_000 }));
        assert_eq!(read("balanced:30:200000"), Ok(Source::Balanced { count: 30, nodes: 200_000 }));
        for (wrong, what) in [
            ("balanced:x", "openings"),
            ("balanced:0", "openings"),
            ("balanced:3:0", "nodes"),
            ("balanced:3:", "nodes"),
            (
                "balancd:50",
                "no opening source \"balancd:50\": pos:FILE, pos-bottom:FILE, offset:FILE",
            ),
            ("balanced", "no opening source \"balanced\""),
            ("offsets:a.txt", "no opening source"),
        ] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains(what), "{wrong}: {error}");
        }
        assert_eq!(read("a:b.pos"), Ok(Source::Positions("a:b.pos".into(), RowOrder::FromTop)));
        assert_eq!(read("Cargo.toml"), Ok(Source::Offsets("Cargo.toml".into())));
        assert_eq!(read("missing.txt"), Ok(Source::Offsets("missing.txt".into())));
        assert_eq!(read("src"), Ok(Source::Offsets("src".into())));
        assert_eq!(read("offset:a.pos"), Ok(Source::Offsets("a.pos".into())));
    }

    #[test]
    fn the_symmetries_are_eight_different_ones_or_four() {
        for (width, height, count) in [(15, 15, 8), (15, 10, 4)] {
            let p = Point::new(1, 3).unwrap();
            let mut images: Vec<Point> = Turn::of_board(width, height)
                .iter()
                .map(|turn| turn.apply(p, width, height))
                .collect();
            assert_eq!(images[0], p);
            assert!(images.iter().all(|q| q.x() < width && q.y() < height));
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), count);
        }
    }

    #[test]
    fn the_same_seed_arranges_the_same() {
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
        assert_eq!(all.len(), 32 - 4 - 4, "no image comes twice");
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
        assert!(openings.iter().flatten().all(|p| p.distance(centre) <= BALANCED_REACH));
        let never = balanced(1, 1, &empty, 7, &|_| Score::from_eval(500), &mut |_| ());
        assert_eq!(never, Err(TooFewBalanced { found: 0 }));
    }
}
