//! Collections of problems from files: one problem for each game.
//!
//! A game from a position that is set up is a problem at its first position, and its moves are the
//! solution. Of other games, the last position is the problem.

use std::ops::ControlFlow;

use kakugo::board::{Board, Outcome, Point};
use kakugo::search::Signals;
use kakugo_record::analysis::puzzle::{self, WinKind};
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::setup::Setup as Start;
use kakugo_record::text::{Text, text};

use crate::game::live::LiveGame;
use crate::game::records;
use crate::game::setup::{PlayerKind, Seat, Setup, tidy};
use crate::game::wording;
use crate::game_file::{GameFile, Skipped};
use crate::puzzles::{Puzzle, Task};

/// The largest number of problems.
const MAX_PROBLEMS: usize = 5_000;

/// The largest number of problems that are checked for a loss. On the site, nothing else is
/// answered during these searches.
const MAX_CHECKED: usize = 1_000;

/// A collection of problems.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The name of the file.
    pub name: String,
    /// The problems.
    pub puzzles: Vec<Puzzle>,
    /// A notice about the rule that is assumed and about games that are skipped, if there are any.
    pub notice: Option<Text>,
}

impl Collection {
    /// Returns the problems of a file with this name.
    ///
    /// # Errors
    /// Returns the reason if it has none.
    pub fn of_file(name: &str, file: &GameFile) -> Result<Collection, Text> {
        Collection::with_checks(name, file, MAX_CHECKED)
    }

    /// As [`Collection::of_file`], with at most this many problems that are checked for a loss.
    fn with_checks(name: &str, file: &GameFile, most: usize) -> Result<Collection, Text> {
        let mut puzzles = Vec::new();
        let (mut number, mut skipped, mut rule) = (0, Skipped::default(), None);
        // The reason of the first one whose side to move has lost already.
        let mut lost = None;
        let mut checked = 0;
        file.each_game(|tree| {
            number += 1;
            match tree {
                Ok(tree) => match puzzle_of(&tree) {
                    Some(puzzle) if checked < most && has_lost(&puzzle, &mut checked) => {
                        let why = text!("{0} has lost already.", wording::side(puzzle.side));
                        lost.get_or_insert(why.clone());
                        skipped.add(number, why);
                    }
                    Some(puzzle) => {
                        puzzles.push(puzzle);
                        rule = rule.take().or_else(|| records::notice_of_assumed_rule(&tree));
                    }
                    None => skipped.add(number, why_not(&tree, file.rows())),
                },
                Err(error) => skipped.add(number, text!("Not a game: {0}.", error)),
            }
            if puzzles.len() < MAX_PROBLEMS {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if puzzles.is_empty() {
            let over = || text!("The file has no position in which the game goes on.");
            return Err(lost.unwrap_or_else(over));
        }
        let notice = records::joined([rule, skipped.notice()]);
        Ok(Collection { name: tidy(name), puzzles, notice })
    }
}

/// Returns true if no move of a problem without a solution holds. Counts the problems searched.
fn has_lost(puzzle: &Puzzle, checked: &mut usize) -> bool {
    if puzzle.kind.is_some() {
        return false;
    }
    *checked += 1;
    let position = LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves);
    position.is_ok_and(|game| puzzle::is_lost(game.board(), &Signals::default()))
}

/// Returns the reason why a game is not a problem.
fn why_not(tree: &GameTree, rows: RowOrder) -> Text {
    let error = records::open_record(tree, rows).err();
    error.unwrap_or_else(|| text!("It has no position in which the game goes on."))
}

/// Returns the problem of a game, unless the game is over.
fn puzzle_of(tree: &GameTree) -> Option<Puzzle> {
    let game = &tree.main_line();
    let stones: Option<Vec<Point>> = game.moves.iter().map(|played| played.point).collect();
    let is_set_up = game.start.changes_board();
    let (start, moves, line) = match stones {
        _ if is_set_up => {
            let line = game.moves.iter().map_while(|played| played.point).collect();
            (game.start.clone(), Vec::new(), line)
        }
        Some(stones) => (game.start.clone(), stones, Vec::new()),
        // A problem has no passes.
        None => (Start::of_board(&game.board().ok()?), Vec::new(), Vec::new()),
    };
    let human = || Seat { player: PlayerKind::Human, name: String::new() };
    let setup = Setup {
        width: game.width,
        height: game.height,
        variant: game.variant,
        start,
        seats: [human(), human()],
        ..Setup::default()
    };
    let setup = setup.checked(&[]).ok()?;
    let position = LiveGame::with_moves(setup.clone(), &moves).ok()?;
    let board = position.board();
    if position.end().is_some() {
        return None;
    }
    let (line, wins) = playable(board, line);
    let kind = wins.then(|| WinKind::of(board, &line));
    let stones = if wins { line.len().div_ceil(2) } else { 0 };
    Some(Puzzle {
        setup,
        moves,
        side: board.side_to_move(),
        kind,
        grade: kind.map_or(0, |kind| puzzle::grade(kind, stones)),
        right: line.first().copied().into_iter().collect(),
        line,
        stones,
        task: Task::Win,
        step: None,
        missed: false,
        own: false,
        date: String::new(),
        title: tidy(&tree.title()),
    })
}

/// Returns the part of a line that can be played, and true if it ends with a win of the side to
/// move.
fn playable(board: &Board, line: Vec<Point>) -> (Vec<Point>, bool) {
    let mut end = board.clone();
    let count = line
        .iter()
        .take_while(|&&p| {
            end.outcome() == Outcome::Ongoing && end.is_legal(p) && end.play(p).is_ok()
        })
        .count();
    let line: Vec<Point> = line.into_iter().take(count).collect();
    (line, end.outcome() == Outcome::Win(board.side_to_move()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Side, Variant};
    use kakugo_record::Game;

    fn read(name: &str, text: &str) -> Result<Collection, Text> {
        let pattern = Game::new(15, 15, Variant::FREESTYLE);
        let rows = RowOrder::FromBottom;
        let file = GameFile::read(name, text.as_bytes().to_vec(), rows, pattern).unwrap();
        Collection::of_file(name, &file)
    }

    #[test]
    fn positions_with_and_without_solutions_are_problems() {
        let sgf = "(;GM[4]SZ[15]GN[three]EV[Book 1]AB[fh][gh][hh]AW[aa][oo][oa]PL[B];B[ih];W[eh];B[jh])\
            (;GM[4]SZ[15];B[hh];W[ii];B[gh])(;GM[4]SZ[15];B[fh];W[aa];B[gh];W[];B[hh])\
            (;GM[4]SZ[15]AB[aa][ba][ca][da][ea])";
        let collection = read("book.sgf", sgf).unwrap();
        let [three, usual, passed] = &collection.puzzles[..] else { panic!("{collection:?}") };
        assert_eq!((three.moves.len(), three.line.len(), three.stones), (0, 3, 2));
        assert_eq!((three.kind, three.right.len()), (Some(WinKind::OpenFour), 1));
        assert_eq!(three.title, "three");
        assert_eq!((usual.moves.len(), usual.side, usual.kind), (3, Side::White, None));
        assert_eq!((passed.moves.len(), passed.side), (0, Side::White));
        // The fourth game is over.
        let notice = collection.notice.unwrap().to_string();
        let rule = "The file does not state the rule: freestyle is assumed.";
        assert!(notice.starts_with(rule), "{notice}");
        let skipped = "1 game is skipped. Game 4: It has no position in which the game goes on.";
        assert!(notice.ends_with(skipped), "{notice}");
    }

    #[test]
    fn games_that_cannot_be_read_or_replayed_are_counted() {
        let good = "(;GM[4]SZ[15]RU[Renju];B[hh])";
        let sgf = format!("{good}(;GM[4]SZ[15];B[zz]){good}(;GM[4]SZ[15];B[hh];W[hh])");
        let collection = read("broken.sgf", &sgf).unwrap();
        assert_eq!(collection.puzzles.len(), 2);
        let notice = collection.notice.unwrap().to_string();
        assert!(notice.starts_with("2 games are skipped. Game 2: "), "{notice}");
        assert_eq!(read("good.sgf", good).unwrap().notice, None);
    }

    #[test]
    fn positions_that_are_lost_already_are_skipped() {
        // Black has an open four.
        let lost = "(;GM[4]SZ[15]RU[freestyle]AB[hh][ih][jh][kh]AW[aa][bd][ca][oo]PL[W])";
        let even = "(;GM[4]SZ[15]RU[freestyle];B[hh])";
        let collection = read("mixed.sgf", &format!("{even}{lost}")).unwrap();
        assert_eq!(collection.puzzles.len(), 1);
        let notice = collection.notice.unwrap().to_string();
        assert_eq!(notice, "1 game is skipped. Game 2: White has lost already.");
        assert_eq!(read("lost.sgf", lost).unwrap_err().to_string(), "White has lost already.");
    }

    #[test]
    fn only_the_first_problems_without_a_solution_are_checked_for_a_loss() {
        let solved =
            "(;GM[4]SZ[15]RU[freestyle]AB[fh][gh][hh]AW[aa][oo][oa]PL[B];B[ih];W[eh];B[jh])";
        let lost = "(;GM[4]SZ[15]RU[freestyle]AB[hh][ih][jh][kh]AW[aa][bd][ca][oo]PL[W])";
        let pattern = Game::new(15, 15, Variant::FREESTYLE);
        let bytes = format!("{solved}{lost}{lost}").into_bytes();
        let file = GameFile::read("f.sgf", bytes, RowOrder::FromBottom, pattern).unwrap();
        let collection = Collection::with_checks("f.sgf", &file, 1).unwrap();
        let sides: Vec<Side> = collection.puzzles.iter().map(|puzzle| puzzle.side).collect();
        assert_eq!(sides, [Side::Black, Side::White]);
        let notice = collection.notice.unwrap().to_string();
        assert_eq!(notice, "1 game is skipped. Game 2: White has lost already.");
    }

    #[test]
    fn files_without_positions_are_refused() {
        let over = "(;GM[4]SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])";
        assert!(read("over.sgf", over).is_err());
    }
}
