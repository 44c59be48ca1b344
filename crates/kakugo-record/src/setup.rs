//! Positions that are set up: the beginning of a game, and changes of the board during it.

use std::fmt;

use kakugo::board::{Board, POINTS, PlayError, Point, Side, UnsupportedSize, Variant};

/// Stones placed and removed outside of play, and the side to move then.
///
/// The lists are sorted and share no points.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setup {
    black: Vec<Point>,
    white: Vec<Point>,
    removed: Vec<Point>,
    blocked: Vec<Point>,
    /// The side to move; `None` if it is not specified (see [`Setup::side_to_move`]).
    pub to_move: Option<Side>,
}

/// The new content of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// A stone of this side.
    Stone(Side),
    /// No stone.
    Removed,
    /// A blocked point, where nobody may play.
    Blocked,
}

impl Setup {
    /// Creates a change of the side to move.
    pub fn turn(side: Side) -> Setup {
        Setup { to_move: Some(side), ..Setup::default() }
    }

    /// Returns the position on a board, with its side to move.
    pub fn of_board(board: &Board) -> Setup {
        let mut setup = Setup::turn(board.side_to_move());
        for stone in board.stones() {
            setup.put(stone.point, Placement::Stone(stone.side));
        }
        for p in board.points().filter(|&p| board.cell(p) == kakugo::board::Cell::Wall) {
            setup.put(p, Placement::Blocked);
        }
        setup
    }

    /// Returns true if nothing is placed or removed and no side is specified.
    pub fn is_empty(&self) -> bool {
        *self == Setup::default()
    }

    /// Returns true if stones or blocked points are placed or removed.
    pub fn changes_board(&self) -> bool {
        [&self.black, &self.white, &self.removed, &self.blocked].iter().any(|list| !list.is_empty())
    }

    /// Returns the black stones.
    pub fn black(&self) -> &[Point] {
        &self.black
    }

    /// Returns the white stones.
    pub fn white(&self) -> &[Point] {
        &self.white
    }

    /// Returns the points whose stones are removed.
    pub fn removed(&self) -> &[Point] {
        &self.removed
    }

    /// Returns the blocked points.
    pub fn blocked(&self) -> &[Point] {
        &self.blocked
    }

    /// Returns all points with their new contents.
    pub fn placements(&self) -> impl Iterator<Item = (Point, Placement)> + '_ {
        let lists = [
            (&self.removed, Placement::Removed),
            (&self.blocked, Placement::Blocked),
            (&self.black, Placement::Stone(Side::Black)),
            (&self.white, Placement::Stone(Side::White)),
        ];
        lists.into_iter().flat_map(|(points, what)| points.iter().map(move |&p| (p, what)))
    }

    /// Sets the content of a point. The last call for a point counts.
    pub fn put(&mut self, p: Point, what: Placement) {
        for list in [&mut self.black, &mut self.white, &mut self.removed, &mut self.blocked] {
            if let Ok(at) = list.binary_search(&p) {
                list.remove(at);
            }
        }
        let list = match what {
            Placement::Stone(Side::Black) => &mut self.black,
            Placement::Stone(Side::White) => &mut self.white,
            Placement::Removed => &mut self.removed,
            Placement::Blocked => &mut self.blocked,
        };
        if let Err(at) = list.binary_search(&p) {
            list.insert(at, p);
        }
    }

    /// Removes what the empty board has anyway.
    pub(crate) fn clear_removed(&mut self) {
        self.removed.clear();
    }

    /// Returns the side to move. If it is not specified, Black is to move, or White if there are
    /// more black stones than white ones.
    pub fn side_to_move(&self) -> Side {
        let by_count = if self.black.len() > self.white.len() { Side::White } else { Side::Black };
        self.to_move.unwrap_or(by_count)
    }

    /// Returns true if stones are set up and the side to move is not specified.
    pub fn has_assumed_side(&self) -> bool {
        self.to_move.is_none() && self.changes_board()
    }

    /// Returns the position after this change of the board.
    ///
    /// # Errors
    /// Returns an error if a point is off the board.
    pub fn applied(&self, board: &Board) -> Result<Board, SetupError> {
        let side = self.to_move.unwrap_or(board.side_to_move());
        if !self.changes_board() {
            let mut board = board.clone();
            board.set_side_to_move(side);
            return Ok(board);
        }
        let mut position = Setup::of_board(board);
        self.placements().for_each(|(p, what)| position.put(p, what));
        position.clear_removed();
        position.to_move = Some(side);
        position.board(board.width(), board.height(), board.variant())
    }

    /// Returns the position as a board.
    ///
    /// Its [`Board::outcome`] is that of the position: a win if there is a five, and never a
    /// forbidden move.
    ///
    /// # Errors
    /// Returns an error if the size is not supported or a point is off the board.
    pub fn board(&self, width: u8, height: u8, variant: Variant) -> Result<Board, SetupError> {
        let mut board = Board::new(width, height, variant).map_err(SetupError::Size)?;
        for &p in &self.blocked {
            board.block(p).map_err(|error| SetupError::Point(p, error))?;
        }
        let stones = self.black.iter().map(|&p| (p, Side::Black));
        for (p, side) in stones.chain(self.white.iter().map(|&p| (p, Side::White))) {
            board.place(p, side).map_err(|error| SetupError::Point(p, error))?;
        }
        board.settle();
        board.set_side_to_move(self.side_to_move());
        Ok(board)
    }
}

/// An error from [`Setup::board`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The board size is not supported.
    Size(UnsupportedSize),
    /// A point cannot be set up.
    Point(Point, PlayError),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Size(error) => error.fmt(f),
            SetupError::Point(p, error) => {
                write!(f, "set-up point column {} row {}: {error}", p.x() + 1, p.y() + 1)
            }
        }
    }
}

impl std::error::Error for SetupError {}

/// The contents of the board during the traversal of a game tree.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    cells: Vec<Option<Placement>>,
    pub(crate) side: Side,
}

/// The state that [`Cells::undo`] restores.
#[derive(Clone, Debug)]
pub(crate) struct Undo {
    /// The point of a move.
    stone: Option<Point>,
    /// The contents before a set-up.
    cells: Vec<(Point, Option<Placement>)>,
    side: Side,
}

impl Cells {
    /// Creates the cells at the beginning of a game.
    pub(crate) fn new(start: &Setup) -> Cells {
        let mut cells = Cells { cells: vec![None; POINTS], side: Side::Black };
        let _ = cells.apply(start);
        cells.side = start.side_to_move();
        cells
    }

    /// Returns the content of a point; `None` if it is free.
    pub(crate) fn at(&self, p: Point) -> Option<Placement> {
        self.cells[p.index()]
    }

    /// Applies a change of the board. Without a side to move, the turn does not change.
    pub(crate) fn apply(&mut self, setup: &Setup) -> Undo {
        let mut undo = Undo { stone: None, cells: Vec::new(), side: self.side };
        for (p, what) in setup.placements() {
            let new = Some(what).filter(|what| *what != Placement::Removed);
            undo.cells.push((p, std::mem::replace(&mut self.cells[p.index()], new)));
        }
        self.side = setup.to_move.unwrap_or(self.side);
        undo
    }

    /// Plays a move of the side to move on a free point; `None` is a pass.
    pub(crate) fn play(&mut self, point: Option<Point>) -> Undo {
        let undo = Undo { stone: point, cells: Vec::new(), side: self.side };
        if let Some(p) = point {
            self.cells[p.index()] = Some(Placement::Stone(self.side));
        }
        self.side = self.side.opponent();
        undo
    }

    /// Takes back a change.
    pub(crate) fn undo(&mut self, undo: Undo) {
        for (p, before) in undo.cells.into_iter().rev() {
            self.cells[p.index()] = before;
        }
        if let Some(p) = undo.stone {
            self.cells[p.index()] = None;
        }
        self.side = undo.side;
    }

    /// Returns the position as the beginning of a game.
    pub(crate) fn to_setup(&self) -> Setup {
        let mut setup = Setup::turn(self.side);
        for (index, content) in self.cells.iter().enumerate() {
            if let Some(what) = content {
                setup.put(Point::from_index(index), *what);
            }
        }
        setup
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Outcome;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn setup(black: &[(u8, u8)], white: &[(u8, u8)]) -> Setup {
        let mut setup = Setup::default();
        black.iter().for_each(|&(x, y)| setup.put(at(x, y), Placement::Stone(Side::Black)));
        white.iter().for_each(|&(x, y)| setup.put(at(x, y), Placement::Stone(Side::White)));
        setup
    }

    #[test]
    fn the_last_content_of_a_point_counts() {
        let mut setup = setup(&[(3, 3), (1, 1), (1, 1)], &[(3, 3)]);
        assert_eq!((setup.black(), setup.white()), (&[at(1, 1)][..], &[at(3, 3)][..]));
        setup.put(at(1, 1), Placement::Blocked);
        assert_eq!((setup.black().len(), setup.blocked().len()), (0, 1));
        assert_eq!(setup.side_to_move(), Side::Black);
    }

    #[test]
    fn unspecified_sides_follow_from_the_count() {
        let side = |black: &[(u8, u8)], white: &[(u8, u8)]| setup(black, white).side_to_move();
        assert_eq!(side(&[], &[]), Side::Black);
        assert_eq!(side(&[(1, 1)], &[(2, 2)]), Side::Black);
        assert_eq!(side(&[(1, 1)], &[(2, 2), (3, 3)]), Side::Black);
        assert_eq!(side(&[(1, 1), (4, 4), (5, 5)], &[(2, 2)]), Side::White);
        let setup = Setup { to_move: Some(Side::White), ..setup(&[(1, 1)], &[(2, 2)]) };
        assert!(setup.side_to_move() == Side::White && !setup.has_assumed_side());
    }

    #[test]
    fn boards_have_the_outcome_of_the_position() {
        let row: Vec<(u8, u8)> = (2..7).map(|x| (x, 4)).collect();
        let board = |setup: &Setup, variant| setup.board(15, 15, variant).unwrap();
        let won = board(&setup(&row, &[(0, 0), (1, 9)]), Variant::RENJU);
        assert_eq!(won.outcome(), Outcome::Win(Side::Black));
        let won = board(&setup(&[(0, 0), (14, 14)], &row), Variant::FREESTYLE);
        assert_eq!(won.outcome(), Outcome::Win(Side::White));
        // A double three that was set up, not played.
        let cross = [(5, 7), (6, 7), (7, 7), (7, 5), (7, 6)];
        for (black, white) in [(&cross[..], &[][..]), (&cross, &[(0, 0)])] {
            let board = board(&setup(black, white), Variant::RENJU);
            assert_eq!(board.outcome(), Outcome::Ongoing);
            assert_eq!(
                Setup::of_board(&board),
                Setup { to_move: Some(Side::White), ..setup(black, white) }
            );
        }
        // Every black stone belongs to an overline, and the board has no other stones.
        let row: Vec<(u8, u8)> = (2..8).map(|x| (x, 4)).collect();
        let overline = board(&setup(&row, &[]), Variant::RENJU);
        assert_eq!(overline.outcome(), Outcome::Ongoing);
        // A move that is forbidden after the set-up.
        let threes = [(5, 7), (6, 7), (7, 5), (7, 6)];
        let mut played = board(&setup(&threes, &[]), Variant::RENJU);
        played.set_side_to_move(Side::Black);
        played.play(at(7, 7)).unwrap();
        assert!(matches!(played.outcome(), Outcome::Forbidden(_)));
        let change = Setup { to_move: Some(Side::Black), ..setup(&[(3, 3)], &[(5, 5)]) };
        let before = setup(&[(1, 1), (5, 5)], &[(2, 2)]).board(15, 15, Variant::RENJU).unwrap();
        let after = change.applied(&before).unwrap();
        let expected = setup(&[(1, 1), (3, 3)], &[(2, 2), (5, 5)]);
        assert_eq!(Setup::of_board(&after), Setup { to_move: Some(Side::Black), ..expected });
        let turned = Setup::turn(Side::Black).applied(&before).unwrap();
        assert_eq!((turned.side_to_move(), turned.ply()), (Side::Black, 3));
        assert!(setup(&[(15, 2)], &[]).applied(&before).is_err());
        assert!(setup(&[(15, 2)], &[]).board(15, 15, Variant::RENJU).is_err());
        assert!(setup(&[], &[]).board(2, 15, Variant::RENJU).is_err());
    }

    #[test]
    fn changes_of_the_board_are_taken_back() {
        let start = setup(&[(1, 1)], &[(2, 2)]);
        let mut cells = Cells::new(&start);
        let mut change = Setup::turn(Side::White);
        change.put(at(1, 1), Placement::Removed);
        change.put(at(2, 2), Placement::Stone(Side::Black));
        let first = cells.apply(&change);
        let second = cells.play(Some(at(5, 5)));
        let now = cells.to_setup();
        assert_eq!((now.black(), now.white()), (&[at(2, 2)][..], &[at(5, 5)][..]));
        assert_eq!(now.to_move, Some(Side::Black));
        cells.undo(second);
        cells.undo(first);
        assert_eq!(cells.to_setup(), Setup { to_move: Some(Side::Black), ..start });
    }
}
