//! The hunt for puzzles: a thread of its own goes through the games that are kept, the latest first,
//! and looks for positions that a side wins by force.

use std::io;

use crate::game::live::LiveGame;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::kept::store::Store;
use kakugo::board::{Board, Point, Side};
use kakugo::player::Thread;
use kakugo::search::Signals;
use kakugo_record::analysis::puzzle::{self, WinKind};
use kakugo_record::analysis::win::to_the_five;
use kakugo_record::tree::NodeId;

/// Most puzzles, and most games in which they are looked for.
const MOST_PUZZLES: usize = 60;
const MOST_GAMES: usize = 60;

/// Fewer stones of the winner's than this make no puzzle, unless the win was missed.
const FEWEST_STONES: usize = 3;

/// A position to be won.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Board, rule and the players' names.
    pub setup: Setup,
    /// The moves that lead there.
    pub moves: Vec<Point>,
    /// Who is to move, and wins.
    pub side: Side,
    /// A way to win, as far as it is known.
    pub line: Vec<Point>,
    /// Stones that the winner needs.
    pub stones: usize,
    /// What the win is made of.
    pub kind: WinKind,
    /// How hard it is, 1 to 5.
    pub grade: u8,
    /// Whether the win was missed in the game.
    pub missed: bool,
    /// Whether the side was a person's, against a computer.
    pub own: bool,
    /// The game's day.
    pub date: String,
}

/// What the hunt has come to.
pub enum Catch {
    /// A puzzle.
    Puzzle(Box<Puzzle>),
    /// One more game has been looked through.
    Game,
    /// All of them have been.
    Done,
}

/// A hunt, and what it has brought.
pub struct Hunt {
    /// Tells it from those before.
    pub number: u64,
    /// The puzzles, in the order in which they were found.
    pub puzzles: Vec<Puzzle>,
    /// Games looked through.
    pub done: usize,
    /// Whether it still goes on.
    pub goes_on: bool,
    /// Ends with this.
    _thread: Thread<()>,
}

impl Hunt {
    /// Begin a hunt. `tell` is called on the thread and says whether anybody still listens.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn begin(
        number: u64,
        store: Store,
        engines: Vec<String>,
        tell: impl Fn(Catch) -> bool + Clone + Send + 'static,
    ) -> io::Result<Hunt> {
        let mut thread = Thread::start("puzzles", || ())?;
        let told = tell.clone();
        let work = move |(): &mut (), signals: &Signals| {
            let mut found = 0;
            for id in store.latest().into_iter().take(MOST_GAMES) {
                if found >= MOST_PUZZLES {
                    break;
                }
                let Some(kept) = store.read(&id, &engines) else { continue };
                for puzzle in in_game(&kept.game, signals) {
                    found += 1;
                    if !told(Catch::Puzzle(Box::new(puzzle))) {
                        return false;
                    }
                }
                if signals.is_stopped() || !told(Catch::Game) {
                    return false;
                }
            }
            true
        };
        thread.give(work, move |ended| {
            if ended.unwrap_or(true) {
                tell(Catch::Done);
            }
        });
        Ok(Hunt { number, puzzles: Vec::new(), done: 0, goes_on: true, _thread: thread })
    }
}

/// A win that a side had in its turn.
struct Chance {
    ply: usize,
    line: Vec<Point>,
    /// Stones that the winner needs.
    stones: usize,
    missed: bool,
}

/// The puzzles of a game's main line.
fn in_game(game: &LiveGame, signals: &Signals) -> Vec<Puzzle> {
    let nodes: Vec<NodeId> = std::iter::once(NodeId::ROOT)
        .chain(game.tree().main_line(NodeId::ROOT).filter(|&node| game.stone(node).is_some()))
        .collect();
    let moves: Vec<Point> = nodes.iter().filter_map(|&node| game.stone(node)).collect();
    let setup = game.setup();
    let Ok(mut board) = Board::new(setup.width, setup.height, setup.variant) else {
        return Vec::new();
    };
    let mut chances: [Vec<Chance>; 2] = Default::default();
    // How each side was winning in its latest turn, if it was.
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
        // Who was winning to the end, and lost.
        if let Some(last) = winning[own].take().filter(|_| winner == Some(side.opponent())) {
            miss(&mut chances[own], &last, signals);
        }
        let chances = std::mem::take(&mut chances[own]).into_iter();
        let worth = chances.filter(|chance| chance.missed || chance.stones >= FEWEST_STONES);
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

/// A win, as a review or a quick look tells it.
struct Win {
    line: Vec<Point>,
    /// Plies to the five, if it is known.
    plies: Option<usize>,
}

impl Turn {
    fn chance(&self, missed: bool, signals: &Signals) -> Chance {
        // Reviews of old may end before the five, and what follows is not always found.
        let line = to_the_five(&self.board, &self.win.line, self.board.side_to_move(), signals);
        let stones = line.len().max(self.win.plies.unwrap_or(0)).div_ceil(2);
        Chance { ply: self.ply, line, stones, missed }
    }
}

/// The win of the latest chance was missed in this turn: that is the one to be practised, not the first
/// of those in which it was there.
fn miss(chances: &mut [Chance], last: &Turn, signals: &Signals) {
    if let Some(chance) = chances.last_mut() {
        *chance = last.chance(true, signals);
    }
}

/// How the side to move wins in a node's position: what a review says of it, or a quick look.
fn win_of(game: &LiveGame, node: NodeId, board: &Board, signals: &Signals) -> Option<Win> {
    let Some(judged) = &game.tree().value(node).judged else {
        return puzzle::find(board, signals).map(|line| Win { line, plies: None });
    };
    let own = if board.side_to_move() == Side::Black { judged.black } else { -judged.black };
    let win = || Win { line: judged.best_line.clone(), plies: own.plies_to_five() };
    (own.is_win() && !judged.best_line.is_empty()).then(win)
}

fn puzzle(game: &LiveGame, moves: &[Point], side: Side, chance: Chance) -> Option<Puzzle> {
    let mut board =
        Board::new(game.setup().width, game.setup().height, game.setup().variant).ok()?;
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
        seats: Side::BOTH.map(seat),
        ..Setup::default()
    };
    Some(Puzzle {
        setup: setup.checked(&[]).ok()?,
        moves: moves.to_vec(),
        side,
        kind,
        grade: puzzle::grade(kind, chance.stones),
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
    use kakugo_record::pos::{self, RowOrder};

    fn puzzles(moves: &str) -> Vec<Puzzle> {
        let moves = pos::read(moves, 15, RowOrder::FromBottom).unwrap();
        let game = LiveGame::with_moves(Setup::default().checked(&[]).unwrap(), &moves).unwrap();
        in_game(&game, &Signals::default())
    }

    #[test]
    fn missed_wins_are_puzzles_however_short_and_wins_taken_are_not() {
        // Black has four in a row after move 7 and plays elsewhere; White stops it.
        let missed = puzzles("f15h8g15i9h15h7i15e15o1j15");
        let nine = missed.iter().find(|puzzle| puzzle.side == Side::Black && puzzle.missed);
        let nine = nine.expect("move 9");
        // It was there before, too: what is practised is what the review tells of.
        assert_eq!((nine.moves.len(), nine.stones, nine.grade), (8, 1, 1), "{nine:?}");
        assert!(nine.own);
        // An open three becomes five: two stones that everybody sees, and none was missed.
        let taken = puzzles("f8a1g8a3h8c1i8a5j8");
        assert!(taken.iter().all(|puzzle| !puzzle.missed && puzzle.stones >= 3), "{taken:?}");
    }
}
