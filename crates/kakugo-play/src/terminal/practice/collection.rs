//! Collections of problems: the built-in pack, or game files with positions.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use kakugo::board::{Board, Outcome, Point, Rule, Side, Variant};
use kakugo::search::Signals;
use kakugo_record::analysis::puzzle;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::problems::{self, Problem};
use kakugo_record::text::sanitize;
use kakugo_record::{Defaults, Game};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The name of the built-in collection.
pub const PACK: &str = "pack";

/// A position whose best move is to be found.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// Its name; may be empty.
    pub name: String,
    /// Its name in the file of progress, the same at any place in the collection.
    pub key: String,
    /// The position.
    pub board: Board,
    /// The solution, if it is known.
    pub known: Option<Known>,
    /// True if moves led to the position, false if all its stones are set up.
    has_moves: bool,
    /// See [`Exercise::threat`].
    threat: OnceCell<Option<Vec<Point>>>,
}

impl Exercise {
    /// Returns a problem with the key of its position.
    pub(super) fn new(
        name: String,
        board: Board,
        known: Option<Known>,
        has_moves: bool,
    ) -> Exercise {
        Exercise { name, key: key(&board), board, known, has_moves, threat: OnceCell::new() }
    }

    /// Returns the last move before the position. Stones that are set up are no moves.
    pub fn last_move(&self) -> Option<Point> {
        self.board.last_stone().filter(|_| self.has_moves).map(|stone| stone.point)
    }

    /// Returns the win that the opponent threatens, if the side to move has to defend. It is
    /// searched once.
    pub fn threat(&self) -> Option<&[Point]> {
        let search = || match &self.known {
            Some(known) => known.is_defence.then(|| known.line.clone()),
            None => puzzle::threatened_win(&self.board, &Signals::default()),
        };
        self.threat.get_or_init(search).as_deref()
    }

    /// Returns the task as a phrase.
    pub fn task(&self) -> &'static str {
        match &self.known {
            Some(known) => known.task,
            None if self.threat().is_some() => "find a move that does not lose",
            None => "find the move that wins",
        }
    }
}

/// The solution of a problem of the built-in pack.
#[derive(Clone, Debug)]
pub struct Known {
    /// The task as a phrase.
    pub task: &'static str,
    /// All right first moves.
    pub right: Vec<Point>,
    /// True if the side to move is to defend.
    pub is_defence: bool,
    /// Stones of the winner up to the five.
    pub stones: usize,
    /// The line of the winner; in a defence, if the side to move passed.
    pub line: Vec<Point>,
}

/// A collection of problems.
#[derive(Debug)]
pub struct Collection {
    /// Its name for people.
    pub name: String,
    /// The name of its file of progress, without the extension.
    pub id: String,
    /// The problems; at least one.
    pub exercises: Vec<Exercise>,
    /// Notes on what was skipped or assumed.
    pub notes: Vec<String>,
}

impl Collection {
    /// Returns the problems of the built-in pack for a rule, or all of them.
    ///
    /// # Errors
    /// Returns an error if the pack has no problems for the rule.
    pub fn of_pack(rule: Option<Rule>) -> anyhow::Result<Collection> {
        let chosen = problems::pack().iter().filter(|p| rule.is_none_or(|rule| rule == p.rule));
        let exercises: Vec<Exercise> = chosen.map(of_pack).collect();
        let words = rule.map_or("", Rule::word);
        ensure!(
            !exercises.is_empty(),
            "the pack has no problems for {words}: try freestyle or renju"
        );
        let name = format!("{} problems", [words, "built-in"][usize::from(words.is_empty())]);
        Ok(Collection { name, id: PACK.to_owned(), exercises, notes: Vec::new() })
    }

    /// Reads the positions of a file, or of all game files in a folder: set-up stones, drawn
    /// boards, or the ends of games. `variant` is the rule of files that do not state theirs.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if there are no positions.
    pub fn read(path: &Path, variant: Variant) -> anyhow::Result<Collection> {
        let mut files = Vec::new();
        if path.is_dir() {
            add_folder(path, &mut files).with_context(|| format!("reading {}", path.display()))?;
        } else {
            files.push(path.to_owned());
        }
        let (mut exercises, mut notes) = (Vec::new(), Vec::new());
        let mut assumes_rule = false;
        for file in &files {
            let trees = read_file(file, variant);
            for (number, tree) in
                (1..).zip(trees.with_context(|| format!("reading {}", file.display()))?)
            {
                let exercise = tree.map_err(anyhow::Error::from).and_then(|tree| {
                    assumes_rule |= tree.game.assumes_rule;
                    of_game(&tree)
                });
                match exercise {
                    Ok(exercise) => exercises.push(exercise),
                    Err(error) => notes.push(format!(
                        "Skipped {}, problem {number}: {error:#}.",
                        sanitize(&file.to_string_lossy())
                    )),
                }
            }
        }
        if exercises.is_empty() {
            let why = notes.first().map_or_else(String::new, |note| format!(" ({note})"));
            bail!("{} contains no problems{why}", path.display());
        }
        if assumes_rule {
            let rule = variant;
            notes.push(format!(
                "The rule is not specified: assuming {rule} (change it with --rule)."
            ));
        }
        let name =
            path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(Collection { name: sanitize(&name), id: id(path), exercises, notes })
    }
}

fn of_pack(problem: &Problem) -> Exercise {
    let step = problem.step;
    let board = problem.board();
    let known = Known {
        task: step.words(),
        right: problem.right.clone(),
        is_defence: step.is_defence(),
        stones: problem.stones,
        line: problem.line.clone(),
    };
    Exercise::new(step.words().to_owned(), board, Some(known), true)
}

fn of_game(tree: &GameTree) -> anyhow::Result<Exercise> {
    let game = tree.main_line();
    let board = game.board()?;
    ensure!(board.outcome() == Outcome::Ongoing, "the game is over");
    let is_lost = puzzle::is_lost(&board, &Signals::default());
    ensure!(!is_lost, "{} has lost already", board.side_to_move());
    Ok(Exercise::new(sanitize(&tree.title()), board, None, !game.moves.is_empty()))
}

/// Returns rule, size, stones and side to move as text.
fn key(board: &Board) -> String {
    let stones = |side: Side| {
        let mut points: Vec<Point> =
            board.stones().filter(|stone| stone.side == side).map(|stone| stone.point).collect();
        points.sort_unstable();
        pos::write(points, board.height(), RowOrder::FromBottom)
    };
    let walls = board.points().filter(|&p| board.cell(p) == kakugo::board::Cell::Wall);
    let (variant, side) = (board.variant(), board.side_to_move());
    let (width, height) = (board.width(), board.height());
    let (black, white) = (stones(Side::Black), stones(Side::White));
    let blocked = pos::write(walls, height, RowOrder::FromBottom);
    format!("{variant} {width}x{height} {black}/{white}/{blocked} {side}").replace(", ", "-")
}

/// Returns a file name for the progress in a collection: its own, and a checksum of its path.
fn id(path: &Path) -> String {
    let absolute = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let stem: String = stem.chars().filter(is_plain).take(40).collect();
    // FNV-1a.
    let hash = absolute.to_string_lossy().bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{stem}-{hash:016x}")
}

fn read_file(
    path: &Path,
    variant: Variant,
) -> anyhow::Result<Vec<Result<GameTree, kakugo_record::FormatError>>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MAX_FILE, "the file is larger than {} MB", MAX_FILE >> 20);
    let name = path.to_string_lossy();
    let format = Format::of_file(&name, &bytes, RowOrder::FromBottom);
    let format = format.unwrap_or(Format::Pos(RowOrder::FromBottom));
    let defaults = Defaults { accepts_any_sgf: true, ..Game::new(15, 15, variant).into() };
    Ok(format.games(&bytes, defaults))
}

fn add_folder(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        let name = entry.to_string_lossy();
        // Do not follow links to folders, which may form a cycle.
        if entry.is_dir() && !entry.is_symlink() {
            add_folder(&entry, files)?;
        } else if Format::from_file_name(&name, RowOrder::FromBottom).is_some() {
            files.push(entry);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pack_has_problems_with_keys_of_their_own() {
        let pack = Collection::of_pack(None).unwrap();
        assert_eq!(pack.exercises.len(), 300);
        let keys: std::collections::HashSet<&str> =
            pack.exercises.iter().map(|exercise| &*exercise.key).collect();
        assert_eq!(keys.len(), 300);
        let renju = Collection::of_pack(Some(Rule::Renju)).unwrap();
        assert_eq!((renju.exercises.len(), &*renju.name), (150, "renju problems"));
        assert!(Collection::of_pack(Some(Rule::Caro)).is_err());
    }

    #[test]
    fn files_and_folders_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let inner = folder.join("more");
        fs::create_dir_all(&inner).unwrap();
        let set_up =
            "(;GM[4]SZ[15]EV[First]AB[gh][hh][ij][ii]AW[ao][oo][aa][oa])(;GM[4]SZ[15];B[hh];W[hh])";
        fs::write(folder.join("a.sgf"), set_up).unwrap();
        fs::write(inner.join("b.txt"), "h8i9\n").unwrap();
        fs::write(folder.join("notes.md"), "no game").unwrap();
        let all = Collection::read(folder, Variant::RENJU).unwrap();
        let names: Vec<&str> = all.exercises.iter().map(|exercise| &*exercise.name).collect();
        assert_eq!(names, ["First", ""]);
        let last = all.exercises.iter().map(Exercise::last_move);
        assert_eq!(last.collect::<Vec<_>>(), [None, Point::new(8, 6)]);
        assert!(all.notes[0].contains("a.sgf, problem 2: move 2: "), "{:?}", all.notes);
        assert!(all.notes[1].contains("assuming renju"), "{:?}", all.notes);
        let one = Collection::read(&folder.join("a.sgf"), Variant::FREESTYLE).unwrap();
        assert!(one.id.starts_with("a-") && one.id != all.id);
        assert_eq!(one.exercises[0].key, "freestyle 15x15 g8h8i7i6/a15o15a1o1/ Black");
        assert!(Collection::read(&folder.join("notes.md"), Variant::RENJU).is_err());
        assert!(Collection::read(&folder.join("missing.sgf"), Variant::RENJU).is_err());
    }
}
