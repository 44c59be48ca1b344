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

use crate::settings::{Opening, OpeningOrder, Symmetry};
use kakugo::board::{Board, Point};
use kakugo::score::Score;
use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;
use kakugo_record::{Defaults, Game, Move, offset, pos};

/// The source of the openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// Offsets from the centre, one opening per line.
    Offsets(PathBuf),
    /// Moves such as `h8h9i8`, one opening per line.
    Positions(PathBuf, RowOrder),
    /// Games or positions in a game file of any format. Each line of play is an opening.
    Games(PathBuf),
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

/// Parses `balanced:N`, `balanced:N:NODES`, `pos:FILE` (row 1 at the top), `pos-bottom:FILE`,
/// `offset:FILE` and `games:FILE`. A bare file name is a `pos` file if it ends in `.pos`, a game
/// file if its name tells another format, otherwise an `offset` file, whose lines may be moves.
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
            Some(("games", path)) => OpeningSource::Games(path.into()),
            _ if !looks_like_file_name(text) => {
                return Err(format!(
                    "invalid opening source '{text}': expected pos:FILE, pos-bottom:FILE, \
                                         offset:FILE, games:FILE, balanced:N or an existing file"
                ));
            }
            _ if text.ends_with(".pos") => OpeningSource::Positions(text.into(), RowOrder::FromTop),
            _ if is_game_file(text) => OpeningSource::Games(text.into()),
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

/// Returns true if a file name tells the format of a game file, other than pos text and offsets.
fn is_game_file(name: &str) -> bool {
    let format = Format::from_file_name(name, RowOrder::FromTop);
    format.is_some_and(|format| !matches!(format, Format::Pos(_) | Format::Offset))
}

/// Reads an opening file. In lists of openings, empty lines and lines that start with `#` are
/// skipped.
///
/// # Errors
/// Fails if the file cannot be read or is empty, or if an opening leaves the board, repeats a point
/// or ends the game. Generated openings ([`OpeningSource::Balanced`]) have no file.
pub fn read(source: &OpeningSource, empty: &Board) -> Result<Vec<Opening>> {
    let (width, height) = (empty.width(), empty.height());
    let path = match source {
        OpeningSource::Offsets(path) | OpeningSource::Positions(path, _) => path,
        OpeningSource::Games(path) => return read_games(path, empty),
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
            // A file whose name does not show the format.
            _ if pos::begins_with_point(line) => pos::read(line, height, RowOrder::FromTop),
            _ => offset::read(line, width, height),
        };
        let checked = opening.map_err(anyhow::Error::from).and_then(|moves| {
            let opening = Opening::of_moves(&moves);
            opening.place(empty).map(|_| opening)
        });
        openings.push(checked.with_context(|| format!("{path_name}, line {}", number + 1))?);
    }
    ensure!(!openings.is_empty(), "{path_name} contains no openings");
    Ok(openings)
}

/// Reads the openings of a game file: the final position of each line of play.
fn read_games(path: &Path, empty: &Board) -> Result<Vec<Opening>> {
    let name = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("reading openings from {name}"))?;
    let format = Format::of_file(&path.to_string_lossy(), &bytes, RowOrder::FromBottom);
    let format = format.with_context(|| format!("{name}: unknown format of a game file"))?;
    let (width, height) = (empty.width(), empty.height());
    let game = Game::new(width, height, empty.variant());
    let defaults = Defaults { accepts_any_sgf: true, names_rule: true, ..game.into() };
    let mut openings = Vec::new();
    for (number, tree) in (1..).zip(format.games(&bytes, defaults)) {
        let context = || format!("{name}, game {number}");
        let tree = tree.with_context(context)?;
        let size = (tree.game.width, tree.game.height);
        ensure!(
            size == (width, height),
            "{}: the board is {}x{}, that of the match {width}x{height}",
            context(),
            size.0,
            size.1
        );
        for line in tree.lines() {
            openings.push(opening_of(&line, empty).with_context(context)?);
        }
    }
    ensure!(!openings.is_empty(), "{name} contains no openings");
    Ok(openings)
}

/// Returns the opening that ends in the final position of a game, under the rule of the match.
fn opening_of(line: &Game, empty: &Board) -> Result<Opening> {
    let line = Game { variant: empty.variant(), ..line.clone() };
    let opening = match line.from_empty_board() {
        Some(plain) if plain.moves.iter().all(Move::is_regular) => {
            Opening::of_moves(&plain.points().collect::<Vec<_>>())
        }
        _ => Opening::of_position(&line.board()?),
    };
    opening.place(empty)?;
    Ok(opening)
}

/// Returns the board after the stones of a generated opening, unless they end the game.
fn place(empty: &Board, opening: &[Point]) -> Option<Board> {
    Opening::of_moves(opening).place(empty).ok()
}

/// Returns the openings in the order of play, at most `count`. A match with more rounds starts
/// again with the first one.
///
/// With [`Symmetry::Random`] each opening is played with all its symmetries, in random order,
/// before one is repeated.
pub fn arrange(
    mut openings: Vec<Opening>,
    order: OpeningOrder,
    symmetry: Symmetry,
    (width, height): (u8, u8),
    count: usize,
    seed: u64,
) -> Vec<Opening> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    if order == OpeningOrder::Random {
        openings.shuffle(&mut rng);
    }
    let transformed = |transform: &Transform, opening: &Opening| {
        opening.map(|p| transform.apply(p, width, height))
    };
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
            let shuffled = |_: &Opening| {
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
        match self.found {
            0 => f.write_str(
                "no balanced opening found for this board and rule: use openings from a file \
                 (--openings FILE)",
            ),
            1 => f.write_str("only 1 balanced opening found on this board: use balanced:1"),
            found => write!(
                f,
                "only {found} balanced openings found on this board: reduce N of balanced:N"
            ),
        }
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
            place(empty, &opening).map(|board| (opening, board))
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
    use kakugo::board::{Side, Variant};

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
        assert_eq!(read("games:a.txt"), Ok(OpeningSource::Games("a.txt".into())));
        assert_eq!(read("a/b.SGF"), Ok(OpeningSource::Games("a/b.SGF".into())));
    }

    #[test]
    fn openings_are_read_from_game_files() {
        let empty = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.sgf");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            super::read(&path.to_str().unwrap().parse().unwrap(), &empty)
        };
        let found = read(
            "(;GM[4]SZ[15]RU[renju];B[hh](;W[ii])(;W[gg];B[ff]))\
             (;GM[4]SZ[15]AB[aa][bb][cc]AW[dd]PL[B])",
        )
        .unwrap();
        let [first, second, third] = &found[..] else { panic!("{found:?}") };
        assert_eq!(*first, Opening::of_moves(&points("h8i9")));
        assert_eq!(*second, Opening::of_moves(&points("h8g7f6")));
        let board = third.place(&empty).unwrap();
        assert_eq!((board.ply(), board.side_to_move()), (4, Side::Black));
        assert_eq!(Opening::of_position(&board), *third);
        let blocked = read("(;GM[4]SZ[15]KBL[aa][oo]AB[bb];W[cc])").unwrap().remove(0);
        let board = blocked.place(&empty).unwrap();
        let corner = Point::new(14, 14).unwrap();
        assert_eq!((board.ply(), board.cell(corner)), (2, kakugo::board::Cell::Wall));
        assert_eq!(board.side_to_move(), Side::Black);
        assert!(blocked.has_blocked_points() && !third.has_blocked_points());
        let images =
            arrange(vec![blocked], OpeningOrder::Sequential, Symmetry::All, (15, 15), 9, 0);
        assert_eq!(images.len(), 4);
        // A position has as many images as its symmetry allows.
        let all = arrange(found, OpeningOrder::Sequential, Symmetry::All, (15, 15), 99, 0);
        assert_eq!(all.len(), 4 + 4 + 4);
        // Lists of offsets or of points, whose names do not show which.
        let list = path.with_extension("txt");
        std::fs::write(&list, "# Openings\nd3e5\n").unwrap();
        let source = OpeningSource::Offsets(list.clone());
        let found = super::read(&source, &empty).unwrap();
        assert_eq!(found, [Opening::of_moves(&points("d3e5"))]);
        std::fs::write(&list, "0,0, 1,-1\n").unwrap();
        let found = super::read(&source, &empty).unwrap();
        assert_eq!(found, [Opening::of_moves(&points("h8i7"))]);
        std::fs::remove_file(&list).unwrap();
        for (wrong, why) in [
            ("(;GM[4]SZ[19];B[hh])", "the board is 19x19, that of the match 15x15"),
            ("(;GM[4]SZ[15]AB[aa][ba][ca][da][ea])", "the game is over in the position"),
        ] {
            let error = format!("{:#}", read(wrong).unwrap_err());
            assert!(error.contains(why), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
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
        let openings: Vec<Opening> = ["a1b2", "c3d4", "e5f7", "g7h1"] /* two on the diagonal */
            .map(|text| Opening::of_moves(&points(text)))
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
