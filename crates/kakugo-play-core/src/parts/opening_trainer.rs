//! The opening trainer: the player plays one side of the explored games from memory, and the other
//! side answers with their moves. Lines with a wrong answer are asked again, also on later days.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};

use kakugo::board::{Board, Outcome as BoardOutcome, Point, Side};
use kakugo_record::book::Book;
use kakugo_record::explorer::{Key, NextMove};
use kakugo_record::text::{Text, text};

use crate::parts::cards::{Card, Cards, Outcome};

/// The largest number of lines that wait to be asked again.
const MAX_MISSED: usize = 100;

/// The largest number of positions of the games that a plan looks at.
const MAX_PLANNED: usize = 1000;

/// The same for collections of more than [`MANY_LINES`], in which each look takes longer.
const MAX_PLANNED_OF_MANY: usize = 200;

/// Number of lines from which on a collection is a large one.
const MANY_LINES: u64 = 10_000;

/// The trainer of openings.
#[derive(Default)]
pub struct OpeningTrainer {
    course: Option<Course>,
    /// True while the position of the next line is put on the board.
    prepares: bool,
}

/// A course of training.
struct Course {
    /// The side of the player.
    side: Side,
    /// The moves to the first position.
    start: Vec<Option<Point>>,
    /// The positions in which the player is asked.
    positions: HashSet<Key>,
    /// True if there are more of them.
    has_more: bool,
    /// Those of them that the player knows.
    known: HashSet<Key>,
    /// How the latest answer ended, until it is recorded.
    outcome: Option<(Key, Outcome)>,
    /// The moves to positions with wrong answers, oldest first.
    missed: VecDeque<Vec<Option<Point>>>,
    /// The replies that were given, by the key of the position.
    given: HashMap<u64, Vec<Point>>,
    /// Numbers of right and wrong answers.
    right: usize,
    wrong: usize,
    /// Number of wrong answers to the current position.
    tries: usize,
    /// True if the moves of the position are shown.
    shows: bool,
    /// True once the line has ended.
    over: bool,
}

/// The trainer as clients see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainerState {
    /// The side of the player.
    pub side: Side,
    /// Number of right answers.
    pub right: usize,
    /// Number of wrong answers.
    pub wrong: usize,
    /// Number of lines that are asked again.
    pub missed: usize,
    /// Number of positions that the player knows.
    pub known: usize,
    /// Number of positions in which the player is asked.
    pub total: usize,
    /// True if there are more of them than were counted.
    pub has_more: bool,
    /// True if the moves of the position are shown.
    pub shows: bool,
    /// True once the line has ended.
    pub over: bool,
}

/// Returns true if games of the book come to a position.
fn knows(book: &Book, board: &Board) -> bool {
    book.explorer().lookup_board(board).0.lines > 0
}

/// Returns true if games of the book go on from a position.
pub fn goes_on(book: &Book, board: &Board) -> bool {
    board.outcome() == BoardOutcome::Ongoing && !moves_of(book, board).is_empty()
}

/// Returns the position after a move, or `None` if it cannot be played.
fn after(board: &Board, p: Point) -> Option<Board> {
    let mut board = board.clone();
    board.play(p).is_ok().then_some(board)
}

/// Returns the moves of the book's games in a position. Forbidden ones, by which a game was lost,
/// are neither asked nor played.
pub fn moves_of(book: &Book, board: &Board) -> Vec<NextMove> {
    let (_, mut moves) = book.explorer().lookup_board(board);
    moves.retain(|next| {
        let outcome = after(board, next.point).map(|board| board.outcome());
        !matches!(outcome, None | Some(BoardOutcome::Forbidden(_)))
    });
    moves
}

/// Returns the key by which the results of a position are stored.
fn card_key(position: Key) -> String {
    format!("opening {:016x}", position.bits())
}

/// A position that a plan has found, ordered by the number of lines that come to it.
struct Found {
    lines: u32,
    board: Board,
    moves: Vec<Option<Point>>,
}

impl PartialEq for Found {
    fn eq(&self, other: &Found) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Found {}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Found) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Found {
    fn cmp(&self, other: &Found) -> Ordering {
        // Of equally frequent positions, earlier ones come first.
        let order = |found: &Found| (found.lines, Reverse(found.moves.len()));
        order(self).cmp(&order(other))
    }
}

/// The positions of explored games in which a side is asked, most frequent first.
pub struct Plan {
    side: Side,
    start: Vec<Option<Point>>,
    /// The positions, with the moves that lead to them.
    asked: Vec<(Key, Vec<Option<Point>>)>,
    has_more: bool,
}

impl Plan {
    /// Returns the plan for a side from the position after these moves.
    pub fn new(book: &Book, first: &Board, start: Vec<Option<Point>>, side: Side) -> Plan {
        let mut plan = Plan { side, start: start.clone(), asked: Vec::new(), has_more: false };
        let mut seen = HashSet::from([Key::of_board(first)]);
        let found = Found { lines: u32::MAX, board: first.clone(), moves: start };
        let mut heap = BinaryHeap::from([found]);
        let is_large = book.explorer().lines() > MANY_LINES;
        let most = if is_large { MAX_PLANNED_OF_MANY } else { MAX_PLANNED };
        let mut planned = 0;
        while let Some(Found { board, moves, .. }) = heap.pop() {
            planned += 1;
            if planned > most {
                plan.has_more = true;
                break;
            }
            if board.outcome() != BoardOutcome::Ongoing {
                continue;
            }
            let next = moves_of(book, &board);
            if board.side_to_move() == side && !next.is_empty() {
                plan.asked.push((Key::of_board(&board), moves.clone()));
            }
            for next in next {
                let Some(board) = after(&board, next.point) else { continue };
                if seen.insert(Key::of_board(&board)) {
                    let moves = moves.iter().copied().chain([Some(next.point)]).collect();
                    heap.push(Found { lines: next.stats.lines, board, moves });
                }
            }
        }
        plan
    }
}

impl OpeningTrainer {
    /// Starts to train a plan. Positions that come again today are asked first.
    pub fn start(&mut self, plan: Plan, cards: &Cards, today: i32) {
        let Plan { side, start, asked, has_more } = plan;
        let card = |position: Key| cards.get(&card_key(position));
        let mut due: Vec<(Card, &Vec<Option<Point>>)> = asked
            .iter()
            .filter_map(|(position, moves)| Some((card(*position)?, moves)))
            .filter(|(card, _)| card.is_due(today))
            .collect();
        // Those that were missed come before those that have rested.
        due.sort_by_key(|(card, _)| (card.is_known(), card.due));
        let missed = due.into_iter().take(MAX_MISSED).map(|(_, moves)| moves.clone()).collect();
        let positions: HashSet<Key> = asked.iter().map(|(position, _)| *position).collect();
        let is_known = |position: &Key| card(*position).is_some_and(Card::is_known);
        let known = positions.iter().copied().filter(is_known).collect();
        self.course = Some(Course {
            side,
            start,
            positions,
            has_more,
            known,
            outcome: None,
            missed,
            given: HashMap::new(),
            right: 0,
            wrong: 0,
            tries: 0,
            shows: false,
            over: false,
        });
    }

    /// The game was replaced: training ends, unless that was for the next line.
    pub fn game_replaced(&mut self) {
        if !std::mem::take(&mut self.prepares) {
            self.stop();
        }
    }

    /// Ends the training.
    pub fn stop(&mut self) {
        self.course = None;
    }

    /// Returns the state, while something is trained.
    pub fn state(&self) -> Option<TrainerState> {
        let course = self.course.as_ref()?;
        let &Course { side, right, wrong, has_more, shows, over, .. } = course;
        let (missed, known, total) =
            (course.missed.len(), course.known.len(), course.positions.len());
        Some(TrainerState { side, right, wrong, missed, known, total, has_more, shows, over })
    }

    /// Returns true if the trainer asks for the move of this side.
    pub fn asks(&self, side: Side) -> bool {
        self.course.as_ref().is_some_and(|course| course.side == side && !course.over)
    }

    /// Judges an answer in the position after these moves.
    ///
    /// # Errors
    /// Returns the reason if no game has it.
    pub fn answer(
        &mut self,
        book: &Book,
        board: &Board,
        moves: Vec<Option<Point>>,
        p: Point,
    ) -> Result<(), Text> {
        let Some(course) = &mut self.course else { return Ok(()) };
        if after(board, p).is_some_and(|board| knows(book, &board)) {
            // An answer that was shown or found by trying is no right one.
            if course.tries == 0 {
                course.right += 1;
                course.end(Key::of_board(board), Outcome::Clean);
            }
            (course.tries, course.shows) = (0, false);
            return Ok(());
        }
        course.miss(board, moves);
        Err(text!("That move is not in the openings: try again."))
    }

    /// Shows the moves of the position after these moves, which counts as a wrong answer, if the
    /// trainer asks for one.
    pub fn show(&mut self, board: &Board, moves: Vec<Option<Point>>) {
        let is_asked = self.asks(board.side_to_move());
        if let Some(course) = self.course.as_mut().filter(|_| is_asked) {
            course.miss(board, moves);
            course.shows = true;
        }
    }

    /// Returns the reply in a position, or `None` if the trainer does not move there. At the end
    /// of the games the line is over.
    pub fn reply(&mut self, book: &Book, board: &Board) -> Option<Point> {
        let course = self.course.as_mut()?;
        if course.over {
            return None;
        }
        if !goes_on(book, board) {
            course.over = true;
            return None;
        }
        if board.side_to_move() == course.side {
            return None;
        }
        let next = moves_of(book, board);
        let given = course.given.entry(board.key()).or_default();
        // True for replies to positions that the player does not know yet.
        let to_unknown = |p: Point| {
            let position = Key::of_board(&after(board, p)?);
            Some(course.positions.contains(&position) && !course.known.contains(&position))
        };
        let replies = next.iter().filter_map(|next| Some((next.point, to_unknown(next.point)?)));
        let replies: Vec<(Point, bool)> = replies.collect();
        if replies.iter().all(|(reply, _)| given.contains(reply)) {
            given.clear();
        }
        // Each of them once: those to unknown positions, then frequent ones.
        let fresh = replies.iter().filter(|(reply, _)| !given.contains(reply));
        let Some(&(reply, _)) = fresh.min_by_key(|(_, to_unknown)| !to_unknown) else {
            course.over = true;
            return None;
        };
        given.push(reply);
        Some(reply)
    }

    /// Takes the key of the latest position that was asked, and how the answer ended.
    pub fn take_outcome(&mut self) -> Option<(String, Outcome)> {
        let (position, outcome) = self.course.as_mut()?.outcome.take()?;
        Some((card_key(position), outcome))
    }

    /// Starts the next line, and returns the moves to its first position: one with a wrong answer,
    /// or else that of the course. The game is to be replaced then.
    pub fn next_line(&mut self) -> Option<Vec<Option<Point>>> {
        let course = self.course.as_mut()?;
        (course.over, course.shows, course.tries) = (false, false, 0);
        self.prepares = true;
        Some(course.missed.pop_front().unwrap_or_else(|| course.start.clone()))
    }
}

impl Course {
    /// The answer to a position has ended.
    fn end(&mut self, position: Key, outcome: Outcome) {
        self.outcome = Some((position, outcome));
        if outcome == Outcome::Missed {
            self.known.remove(&position);
        } else if self.positions.contains(&position) {
            self.known.insert(position);
        }
    }

    /// Counts a wrong answer to the position after these moves, once.
    fn miss(&mut self, board: &Board, moves: Vec<Option<Point>>) {
        if self.tries == 0 {
            self.wrong += 1;
            self.end(Key::of_board(board), Outcome::Missed);
            if !self.missed.contains(&moves) && self.missed.len() < MAX_MISSED {
                self.missed.push_back(moves);
            }
        }
        self.tries += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use kakugo::board::Variant;
    use kakugo_record::Game;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    /// Returns a book of two lines that part at the second move, and one of them later.
    fn book() -> Book {
        let mut book = Book::new(Game::new(15, 15, Variant::FREESTYLE));
        let text = "(;GM[4]SZ[15];B[hh](;W[hg];B[ig](;W[if];B[jf])(;W[jg]))(;W[ig];B[jf]))";
        book.add_bytes(Path::new("lines.sgf"), text.as_bytes());
        assert!(book.errors().is_empty());
        book
    }

    fn position(moves: &[(u8, u8)]) -> (Board, Vec<Option<Point>>) {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        moves.iter().for_each(|&(x, y)| board.play(at(x, y)).unwrap());
        (board, moves.iter().map(|&(x, y)| Some(at(x, y))).collect())
    }

    #[test]
    fn lines_are_asked_and_missed_ones_again() {
        let book = book();
        let mut trainer = OpeningTrainer::default();
        assert!(trainer.state().is_none() && trainer.next_line().is_none());
        let (empty, none) = position(&[]);
        let plan = Plan::new(&book, &empty, Vec::new(), Side::Black);
        trainer.start(plan, &Cards::default(), 0);
        assert!(goes_on(&book, &empty) && trainer.asks(Side::Black));
        assert_eq!(trainer.reply(&book, &empty), None);
        assert!(trainer.answer(&book, &empty, none.clone(), at(0, 0)).is_err());
        assert!(trainer.answer(&book, &empty, none.clone(), at(1, 0)).is_err());
        assert_eq!(trainer.answer(&book, &empty, none.clone(), at(7, 7)), Ok(()));
        let state = trainer.state().unwrap();
        assert_eq!((state.right, state.wrong, state.missed), (0, 1, 1));
        // Replies take turns.
        let (first, _) = position(&[(7, 7)]);
        let replies: Vec<_> = (0..3).map(|_| trainer.reply(&book, &first).unwrap()).collect();
        assert!(replies[0] != replies[1] && replies[0] == replies[2], "{replies:?}");
        // Symmetric answers are right.
        let (second, moves) = position(&[(7, 7), (7, 6)]);
        assert_eq!(trainer.reply(&book, &second), None);
        assert_eq!(trainer.answer(&book, &second, moves.clone(), at(6, 6)), Ok(()));
        assert_eq!(trainer.state().unwrap().right, 1);
        trainer.show(&first, position(&[(7, 7)]).1);
        assert!(!trainer.state().unwrap().shows, "the other side moves there");
        trainer.show(&second, moves.clone());
        assert!(trainer.state().unwrap().shows);
        let (end, _) = position(&[(7, 7), (7, 6), (8, 6), (8, 5), (9, 5)]);
        assert_eq!(trainer.reply(&book, &end), None);
        assert!(trainer.state().unwrap().over && !trainer.asks(Side::Black));
        assert_eq!(trainer.next_line(), Some(none));
        assert_eq!(trainer.next_line(), Some(moves));
        assert_eq!(trainer.next_line(), Some(Vec::new()));
        let state = trainer.state().unwrap();
        assert_eq!((state.wrong, state.missed, state.over), (2, 0, false));
    }
    #[test]
    fn positions_are_known_once_answered_and_due_ones_come_first() {
        let book = book();
        let (empty, _) = position(&[]);
        let plan = || Plan::new(&book, &empty, Vec::new(), Side::Black);
        let mut cards = Cards::default();
        let mut trainer = OpeningTrainer::default();
        let known = |trainer: &OpeningTrainer| {
            let state = trainer.state().unwrap();
            (state.known, state.total, state.has_more)
        };
        trainer.start(plan(), &cards, 0);
        assert_eq!((known(&trainer), trainer.take_outcome()), ((0, 4, false), None));
        assert_eq!(trainer.next_line(), Some(Vec::new()));
        let (second, moves) = position(&[(7, 7), (7, 6)]);
        let mut answer = |trainer: &mut OpeningTrainer, moves: &[(u8, u8)], (x, y), day| {
            let (board, moves) = position(moves);
            let _ = trainer.answer(&book, &board, moves, at(x, y));
            let outcome = trainer.take_outcome();
            outcome.into_iter().for_each(|(key, outcome)| drop(cards.record(&key, outcome, day)));
        };
        answer(&mut trainer, &[], (7, 7), 0);
        answer(&mut trainer, &[(7, 7), (7, 6)], (0, 0), 0);
        answer(&mut trainer, &[(7, 7), (7, 6)], (8, 6), 0);
        assert_eq!(known(&trainer), (1, 4, false));
        // On another day, the missed position comes before the one that has rested.
        trainer.start(plan(), &cards, 1);
        assert_eq!((known(&trainer), trainer.state().unwrap().missed), ((1, 4, false), 2));
        assert_eq!(trainer.next_line(), Some(moves));
        assert_eq!(trainer.reply(&book, &second), None);
        assert_eq!(trainer.next_line(), Some(Vec::new()));
        let (first, _) = position(&[(7, 7)]);
        let replies: Vec<_> = (0..2).map(|_| trainer.reply(&book, &first).unwrap()).collect();
        assert_eq!(replies, [at(7, 6), at(6, 6)]);
        // A known position is not asked before others that are not.
        let answer = |trainer: &mut OpeningTrainer, moves: &[(u8, u8)], (x, y)| {
            let (board, moves) = position(moves);
            trainer.answer(&book, &board, moves, at(x, y)).unwrap();
            trainer.take_outcome().unwrap()
        };
        answer(&mut trainer, &[(7, 7), (7, 6)], (8, 6));
        assert_eq!(trainer.reply(&book, &first), Some(at(6, 6)));
    }
}
