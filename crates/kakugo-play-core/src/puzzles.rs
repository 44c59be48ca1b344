//! Puzzles: positions of saved games that a side wins by force.

use kakugo::board::{Board, Point, Side};
use kakugo::proof::to_the_five;
use kakugo::search::{Engine, Signals};
use kakugo_record::analysis::puzzle::{self, Verdict, WinKind};
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::problems::{self, Problem, Step as ProblemStep};
use kakugo_record::tree::NodeId;

use crate::game::live::{Action, GameNode, LiveGame, Step};
use crate::game::setup::{PlayerKind, Seat, Setup};

/// The least number of the winner's stones, unless the win was missed.
const LEAST_STONES: usize = 3;

/// A position that a side wins by force.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Board, rule and the players' names.
    pub setup: Setup,
    /// The moves to the position.
    pub moves: Vec<Point>,
    /// The side to move, which wins.
    pub side: Side,
    /// The task.
    pub task: Task,
    /// The first moves that are known to be right; empty if none is.
    pub right: Vec<Point>,
    /// A winning line, as far as it is known. In a defence it is the opponent's, as if the side to
    /// move passed.
    pub line: Vec<Point>,
    /// Stones that the winner needs; 0 if unknown.
    pub stones: usize,
    /// The kind of win, if it is known.
    pub kind: Option<WinKind>,
    /// The difficulty, 1 to 5; 0 if unknown.
    pub grade: u8,
    /// The step of a built-in problem.
    pub step: Option<ProblemStep>,
    /// True if the win was missed in the game.
    pub missed: bool,
    /// True if the side was a human's, against a computer.
    pub own: bool,
    /// The date of the game.
    pub date: String,
    /// The title of a problem from a file.
    pub title: String,
}

/// The task of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Win by force.
    Win,
    /// Make five at once.
    Five,
    /// Find a move that does not lose: one of those that are known to be right.
    Defend,
    /// Find a move that does not lose: any after which a search finds no loss.
    Hold,
}

impl Task {
    /// Returns true if the opponent threatens to win.
    pub fn is_defence(self) -> bool {
        matches!(self, Task::Defend | Task::Hold)
    }
}

/// Returns the key by which the results of a puzzle are stored.
pub fn key(puzzle: &Puzzle) -> String {
    let (width, height) = (puzzle.setup.width, puzzle.setup.height);
    let rows = RowOrder::FromBottom;
    let moves = pos::write(puzzle.moves.iter().copied(), height, rows);
    // Puzzles of games from a position need its stones in their keys.
    let start = &puzzle.setup.start;
    let stones = [start.black(), start.white(), start.blocked()];
    let start = if puzzle.setup.has_position() {
        let texts = stones.map(|points| pos::write(points.iter().copied(), height, rows));
        // The side to move, too, unless it is the one that the stones suggest.
        let mut assumed = start.clone();
        assumed.to_move = None;
        let side = start.side_to_move();
        let is_assumed = side == assumed.side_to_move();
        let turn = if is_assumed { String::new() } else { format!(" {side}") };
        format!("{}{turn}, ", texts.join("/"))
    } else {
        String::new()
    };
    format!("{} {width}x{height} {start}{moves}", puzzle.setup.variant)
}

/// Returns the key of a built-in problem.
pub fn key_of_problem(problem: &Problem) -> String {
    let moves = pos::write(problem.moves.iter().copied(), problems::SIZE, RowOrder::FromBottom);
    format!("{} {1}x{1} {moves}", problem.variant(), problems::SIZE)
}

/// Returns a built-in problem as a puzzle.
pub fn of_problem(problem: &Problem) -> Option<Puzzle> {
    let human = || Seat { player: PlayerKind::Human, name: String::new() };
    let setup = Setup {
        width: problems::SIZE,
        height: problems::SIZE,
        variant: problem.variant(),
        seats: [human(), human()],
        ..Setup::default()
    };
    let board = problem.board();
    let mut attack = board.clone();
    attack.set_side_to_move(problem.winner());
    let kind = WinKind::of(&attack, &problem.line);
    Some(Puzzle {
        setup: setup.checked(&[]).ok()?,
        moves: problem.moves.clone(),
        side: board.side_to_move(),
        task: match problem.step {
            ProblemStep::Five => Task::Five,
            step if step.is_defence() => Task::Defend,
            _ => Task::Win,
        },
        right: problem.right.clone(),
        line: problem.line.clone(),
        stones: problem.stones,
        kind: Some(kind),
        grade: puzzle::grade(kind, problem.stones),
        step: Some(problem.step),
        missed: false,
        own: false,
        date: String::new(),
        title: String::new(),
    })
}

/// Returns a puzzle of a file with its task. It is a defence if its solution does not win and the
/// opponent threatens to. This takes a short search.
pub fn with_task(puzzle: &Puzzle) -> Puzzle {
    let mut puzzle = puzzle.clone();
    if puzzle.kind.is_some() {
        return puzzle;
    }
    let Ok(game) = LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves) else {
        return puzzle;
    };
    if let Some(line) = puzzle::threatened_win(game.board(), &Signals::default()) {
        puzzle.task = Task::Hold;
        puzzle.stones = line.len().div_ceil(2);
        puzzle.line = line;
    }
    puzzle
}

/// Judges a stone on `p` in a puzzle by search, in the position before it.
pub fn judge(
    task: Task,
    engine: &mut Engine,
    board: &Board,
    p: Point,
    signals: &Signals,
) -> Verdict {
    match task {
        Task::Win | Task::Five => return puzzle::judge(engine, board, p, signals),
        Task::Hold => return puzzle::judge_defence(engine, board, p, signals),
        Task::Defend => {}
    }
    let mut after = board.clone();
    if after.play(p).is_err() {
        return Verdict::Wrong(None);
    }
    let win = puzzle::find(&after, signals);
    Verdict::Wrong(win.and_then(|line| line.first().copied()))
}

/// A win that a side had in a turn.
struct Chance {
    ply: usize,
    line: Vec<Point>,
    /// Stones that the winner needs.
    stones: usize,
    missed: bool,
}

/// Returns the puzzles of a game's main line.
pub fn find(game: &LiveGame, signals: &Signals) -> Vec<Puzzle> {
    // A puzzle is a position after stones: the line ends at a pass, or where the board is changed.
    let is_usual = |&node: &NodeId| {
        let GameNode { step, note, .. } = game.tree().value(node);
        let is_other = |step: &Step| matches!(step.action, Action::Pass | Action::SetUp);
        !step.as_ref().is_some_and(is_other) && note.setup.is_none()
    };
    let line = game.tree().main_line(NodeId::ROOT).take_while(is_usual);
    let nodes: Vec<NodeId> = std::iter::once(NodeId::ROOT)
        .chain(line.filter(|&node| game.stone(node).is_some()))
        .collect();
    let moves: Vec<Point> = nodes.iter().filter_map(|&node| game.stone(node)).collect();
    let mut board = game.first_board();
    let mut chances: [Vec<Chance>; 2] = Default::default();
    // The win of each side in its latest turn, if it had one.
    let mut winning: [Option<Turn>; 2] = Default::default();
    for (ply, &node) in nodes.iter().enumerate() {
        if signals.is_stopped() {
            return Vec::new();
        }
        let side = board.side_to_move();
        let own = side.index();
        let win = win_of(game, node, &board, signals);
        let turn = win.map(|win| Turn { ply, board: board.clone(), win });
        let before = std::mem::replace(&mut winning[own], turn);
        match (before, &winning[own]) {
            (None, Some(turn)) => chances[own].push(turn.chance(false, signals)),
            (Some(last), None) => miss(&mut chances[own], &last, signals),
            _ => {}
        }
        match moves.get(ply).map(|&p| board.play(p)) {
            Some(Ok(())) => {}
            _ => break,
        }
    }
    let winner = game.main_end().and_then(|end| end.winner());
    let mut puzzles = Vec::new();
    for side in Side::BOTH {
        let own = side.index();
        // A side that was winning to the end, and lost.
        if let Some(last) = winning[own].take().filter(|_| winner == Some(side.opponent())) {
            miss(&mut chances[own], &last, signals);
        }
        let chances = std::mem::take(&mut chances[own]).into_iter();
        let worth = chances.filter(|chance| chance.missed || chance.stones >= LEAST_STONES);
        puzzles.extend(worth.filter_map(|chance| puzzle(game, &moves[..chance.ply], side, chance)));
    }
    puzzles
}

/// A turn of a side that was winning.
struct Turn {
    ply: usize,
    board: Board,
    win: Win,
}

/// A win, found by a review or by a quick search.
struct Win {
    line: Vec<Point>,
    /// Plies to the five, if known.
    plies: Option<usize>,
}

impl Turn {
    fn chance(&self, missed: bool, signals: &Signals) -> Chance {
        // Lines of old reviews may end before the five, and the rest is not always found.
        let line = to_the_five(&self.board, &self.win.line, self.board.side_to_move(), signals);
        let stones = line.len().max(self.win.plies.unwrap_or(0)).div_ceil(2);
        Chance { ply: self.ply, line, stones, missed }
    }
}

/// The win of the latest chance was missed in this turn. This turn becomes the puzzle, instead of
/// the first one with the win.
fn miss(chances: &mut [Chance], last: &Turn, signals: &Signals) {
    if let Some(chance) = chances.last_mut() {
        *chance = last.chance(true, signals);
    }
}

/// Returns the win of the side to move in a node's position, from a review or by a quick search.
fn win_of(game: &LiveGame, node: NodeId, board: &Board, signals: &Signals) -> Option<Win> {
    let Some(review) = &game.tree().value(node).review else {
        return puzzle::find(board, signals).map(|line| Win { line, plies: None });
    };
    let own = if board.side_to_move() == Side::Black { review.black } else { -review.black };
    let win = || Win { line: review.best_line.clone(), plies: own.plies_to_five() };
    (own.is_win() && !review.best_line.is_empty()).then(win)
}

fn puzzle(game: &LiveGame, moves: &[Point], side: Side, chance: Chance) -> Option<Puzzle> {
    let mut board = game.first_board();
    moves.iter().try_for_each(|&p| board.play(p)).ok()?;
    let kind = WinKind::of(&board, &chance.line);
    let is_human = |side| game.setup().seats[game.seat_of(side)].player == PlayerKind::Human;
    let seat = |side| Seat {
        player: PlayerKind::Human,
        name: game.setup().seats[game.seat_of(side)].name.clone(),
    };
    let setup = Setup {
        width: game.setup().width,
        height: game.setup().height,
        variant: game.setup().variant,
        start: game.setup().start.clone(),
        seats: Side::BOTH.map(seat),
        ..Setup::default()
    };
    Some(Puzzle {
        setup: setup.checked(&[]).ok()?,
        moves: moves.to_vec(),
        side,
        task: Task::Win,
        right: Vec::new(),
        kind: Some(kind),
        grade: puzzle::grade(kind, chance.stones),
        step: None,
        title: String::new(),
        line: chance.line,
        stones: chance.stones,
        missed: chance.missed,
        own: is_human(side) && !is_human(side.opponent()),
        date: game.date().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzles(moves: &str) -> Vec<Puzzle> {
        let moves = pos::read(moves, 15, RowOrder::FromBottom).unwrap();
        let game = LiveGame::with_moves(Setup::default().checked(&[]).unwrap(), &moves).unwrap();
        find(&game, &Signals::default())
    }

    #[test]
    fn keys_of_one_diagram_differ_by_the_side_to_move() {
        let problem = of_problem(&problems::pack()[0]).unwrap();
        let key = |turn: &str| {
            let text = format!("(;GM[4]SZ[15]AB[hh][ii]AW[aa][bb]{turn})");
            let record = kakugo_record::sgf::read_trees(&text).unwrap().remove(0);
            let (game, _) =
                crate::game::records::game_from_record(&record, RowOrder::FromBottom).unwrap();
            let setup = game.setup().clone();
            super::key(&Puzzle { setup, moves: Vec::new(), ..problem.clone() })
        };
        assert_eq!(key("PL[B]"), key(""));
        assert_ne!(key("PL[W]"), key("PL[B]"));
        assert!(key("PL[W]").contains(" White, "), "{}", key("PL[W]"));
    }

    #[test]
    fn games_from_positions_have_puzzles_until_the_first_pass() {
        let signals = Signals::default();
        let text = "(;GM[4]SZ[15]AB[fh][gh][hh]AW[aa][oo]PL[W]PB[a]PW[b]RE[W+R]\
            ;W[ao];B[oa];W[ba];B[];W[ca])";
        let record = kakugo_record::sgf::read_trees(text).unwrap().remove(0);
        let rows = kakugo_record::pos::RowOrder::FromBottom;
        let (game, _) = crate::game::records::game_from_record(&record, rows).unwrap();
        let puzzles = find(&game, &signals);
        let [puzzle] = &puzzles[..] else { panic!("{puzzles:?}") };
        // Black has an open three and did not win.
        assert_eq!((puzzle.side, puzzle.missed), (Side::Black, true));
        assert!(puzzle.moves.len() <= 3 && puzzle.setup.start == game.setup().start);
        let again = LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves).unwrap();
        assert_eq!(again.board().side_to_move(), Side::Black);
    }

    #[test]
    fn missed_wins_are_puzzles_however_short_and_wins_taken_are_not() {
        // Black has four in a row after move 7 and plays elsewhere; White stops it.
        let missed = puzzles("f15h8g15i9h15h7i15e15o1j15");
        let nine = missed.iter().find(|puzzle| puzzle.side == Side::Black && puzzle.missed);
        let nine = nine.expect("move 9");
        // The win existed before, too. The puzzle is the turn that a review names.
        assert_eq!((nine.moves.len(), nine.stones, nine.grade), (8, 1, 1), "{nine:?}");
        assert!(nine.own);
        // An open three becomes five: two stones that everybody sees, and none was missed.
        let taken = puzzles("f8a1g8a3h8c1i8a5j8");
        assert!(taken.iter().all(|puzzle| !puzzle.missed && puzzle.stones >= 3), "{taken:?}");
    }
}
