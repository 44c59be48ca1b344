//! The opening trainer: the player plays one side of the explored games from memory, and the other
//! side answers with their moves. Lines with a wrong answer are asked again.

use std::collections::{HashMap, VecDeque};

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo_record::book::Book;
use kakugo_record::text::{Text, text};

/// The largest number of lines that wait to be asked again.
const MAX_MISSED: usize = 100;

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
    board.outcome() == Outcome::Ongoing && !book.explorer().lookup_board(board).1.is_empty()
}

/// Returns the position after a move, or `None` if it cannot be played.
fn after(board: &Board, p: Point) -> Option<Board> {
    let mut board = board.clone();
    board.play(p).is_ok().then_some(board)
}

impl OpeningTrainer {
    /// Starts to train a side from the position after these moves.
    pub fn start(&mut self, side: Side, start: Vec<Option<Point>>) {
        self.course = Some(Course {
            side,
            start,
            missed: VecDeque::new(),
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
        let &Course { side, right, wrong, shows, over, .. } = course;
        Some(TrainerState { side, right, wrong, missed: course.missed.len(), shows, over })
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
            course.right += usize::from(course.tries == 0);
            (course.tries, course.shows) = (0, false);
            return Ok(());
        }
        course.miss(moves);
        Err(text!("That move is not in the openings: try again."))
    }

    /// Shows the moves of the position after these moves, which counts as a wrong answer.
    pub fn show(&mut self, moves: Vec<Option<Point>>) {
        if let Some(course) = self.course.as_mut().filter(|course| !course.over) {
            course.miss(moves);
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
        let (_, next) = book.explorer().lookup_board(board);
        let given = course.given.entry(board.key()).or_default();
        // Frequent replies first, each of them once.
        let mut replies = next.iter().filter(|next| after(board, next.point).is_some());
        let fresh = replies.clone().find(|next| !given.contains(&next.point));
        if fresh.is_none() {
            given.clear();
        }
        let Some(reply) = fresh.or_else(|| replies.next()) else {
            course.over = true;
            return None;
        };
        given.push(reply.point);
        Some(reply.point)
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
    /// Counts a wrong answer to the position after these moves, once.
    fn miss(&mut self, moves: Vec<Option<Point>>) {
        if self.tries == 0 {
            self.wrong += 1;
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
        trainer.start(Side::Black, Vec::new());
        let (empty, none) = position(&[]);
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
        trainer.show(moves.clone());
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
}
