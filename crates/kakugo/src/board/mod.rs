//! The rules of the game: stones, moves, undo, what wins and what is forbidden.
//!
//! A [`Board`] knows nothing of shapes, search or input. It keeps every line of the board as a bit
//! string ([`lines::Lines`]), so that a win is decided from the last stone alone whatever the size,
//! and shapes can be read off the same strings by the layers above.

pub mod diagram;
pub mod lines;
pub mod perft;
pub mod point;
mod renju;
pub mod rule;
pub mod size;
pub mod zobrist;

use std::fmt;

pub use lines::{Cell, Lines};
pub use point::{Direction, MAX_SIZE, MIN_SIZE, POINTS, Point};
pub use renju::Foul;
pub use rule::{FiveRule, Rule, Side, UnknownRule, UnsupportedWinLength, Variant};
pub use size::{Size, UnknownSize};

/// Why a board cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedSize {
    /// Columns asked for.
    pub width: u32,
    /// Rows asked for.
    pub height: u32,
}

impl fmt::Display for UnsupportedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (w, h) = (self.width, self.height);
        write!(f, "unsupported board size {w}x{h} (each side {MIN_SIZE} to {MAX_SIZE})")
    }
}

impl std::error::Error for UnsupportedSize {}

/// Why a stone cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The point is not on this board.
    OffBoard,
    /// A stone stands there.
    Occupied(Side),
    /// The point is blocked.
    Blocked,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::OffBoard => f.write_str("the point is off the board"),
            PlayError::Occupied(side) => write!(f, "the point is occupied by {side}"),
            PlayError::Blocked => f.write_str("the point is blocked"),
        }
    }
}

impl std::error::Error for PlayError {}

/// A stone on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stone {
    /// Where it stands.
    pub point: Point,
    /// Its colour.
    pub side: Side,
}

/// Where the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nobody has won and there is room.
    Ongoing,
    /// The last stone made five for this side.
    Win(Side),
    /// Black's last stone was forbidden: White has won.
    Forbidden(Foul),
    /// The board is full.
    Draw,
}

/// A position together with the moves that led to it.
///
/// ```
/// use kakugo::board::{Board, Outcome, Point, Side, Variant};
///
/// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
/// for (x, y) in [(7, 7), (0, 0), (8, 7), (1, 0), (9, 7), (2, 0), (10, 7), (3, 0), (11, 7)] {
///     board.play(Point::new(x, y).unwrap())?;
/// }
/// assert_eq!(board.outcome(), Outcome::Win(Side::Black));
/// assert_eq!(board.winning_line().len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    width: u8,
    height: u8,
    variant: Variant,
    lines: Lines,
    side_to_move: Side,
    key: u64,
    stones: Vec<Placed>,
    empty: u16,
}

/// A stone and whose turn it was before it was placed.
#[derive(Clone, Copy, Debug)]
struct Placed {
    stone: Stone,
    turn_before: Side,
}

impl Board {
    /// An empty board with `width` columns and `height` rows; Black is to move.
    pub fn new(width: u8, height: u8, variant: Variant) -> Result<Board, UnsupportedSize> {
        let sizes = MIN_SIZE..=MAX_SIZE;
        if !sizes.contains(&width) || !sizes.contains(&height) {
            return Err(UnsupportedSize { width: width.into(), height: height.into() });
        }
        let empty = u16::from(width) * u16::from(height);
        let mut board = Board {
            width,
            height,
            variant,
            lines: Lines::walls(),
            side_to_move: Side::Black,
            key: zobrist::game(width, height, variant),
            stones: Vec::with_capacity(usize::from(empty)),
            empty,
        };
        for p in board.points() {
            board.lines.toggle_wall(p);
        }
        Ok(board)
    }

    /// Number of columns.
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Number of rows.
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// The rule played.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Whose turn it is.
    pub const fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Hash of rule, win length, size, stones, walls and the side to move: of all that decides what
    /// the position is worth.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// What [`Board::key`] will be when the side to move has played the free point `p`.
    pub fn key_after(&self, p: Point) -> u64 {
        self.key ^ zobrist::stone(self.side_to_move, p) ^ zobrist::white_to_move()
    }

    /// The lines of the board.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Number of stones.
    pub fn ply(&self) -> usize {
        self.stones.len()
    }

    /// Number of free points.
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty)
    }

    /// All points, row by row.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).filter_map(move |x| Point::new(x, y)))
    }

    /// All free points, row by row.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&p| self.is_empty(p))
    }

    /// The stones in the order in which they were placed.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = Stone> + ExactSizeIterator + '_ {
        self.stones.iter().map(|placed| placed.stone)
    }

    /// The stone placed last.
    pub fn last_stone(&self) -> Option<Stone> {
        self.stones.last().map(|placed| placed.stone)
    }

    /// Whether the point belongs to this board.
    pub const fn contains(&self, p: Point) -> bool {
        p.x() < self.width && p.y() < self.height
    }

    /// What stands on `p`; off the board there are walls.
    pub fn cell(&self, p: Point) -> Cell {
        self.lines.cell(p)
    }

    /// Whether `p` is free.
    pub fn is_empty(&self, p: Point) -> bool {
        self.cell(p) == Cell::Empty
    }

    /// Play a stone of the side to move. The caller decides whether a game that is over goes on and
    /// whether a forbidden point may be played; the rules only tell ([`Board::outcome`]).
    pub fn play(&mut self, p: Point) -> Result<(), PlayError> {
        self.place(p, self.side_to_move)
    }

    /// Put a stone of either colour; the other side is to move then.
    pub fn place(&mut self, p: Point, side: Side) -> Result<(), PlayError> {
        match self.cell(p) {
            Cell::Wall if !self.contains(p) => Err(PlayError::OffBoard),
            Cell::Wall => Err(PlayError::Blocked),
            Cell::Stone(owner) => Err(PlayError::Occupied(owner)),
            Cell::Empty => {
                self.push(Stone { point: p, side });
                Ok(())
            }
        }
    }

    /// [`Board::place`] for a caller who knows that the point is free (debug builds check).
    pub(crate) fn push(&mut self, stone: Stone) {
        debug_assert!(self.is_empty(stone.point));
        self.lines.toggle_stone(stone.point, stone.side);
        self.key ^= zobrist::stone(stone.side, stone.point);
        self.empty -= 1;
        self.stones.push(Placed { stone, turn_before: self.side_to_move });
        self.set_side_to_move(stone.side.opponent());
    }

    /// Take back the last stone and tell which it was; `None` on a board without stones.
    pub fn undo(&mut self) -> Option<Stone> {
        let Placed { stone, turn_before } = self.stones.pop()?;
        self.lines.toggle_stone(stone.point, stone.side);
        self.key ^= zobrist::stone(stone.side, stone.point);
        self.empty += 1;
        self.set_side_to_move(turn_before);
        Some(stone)
    }

    /// Block a free point for the whole game. Walls are part of the set-up: undo keeps them.
    pub fn block(&mut self, p: Point) -> Result<(), PlayError> {
        match self.cell(p) {
            Cell::Wall if !self.contains(p) => Err(PlayError::OffBoard),
            Cell::Wall => Err(PlayError::Blocked),
            Cell::Stone(owner) => Err(PlayError::Occupied(owner)),
            Cell::Empty => {
                self.lines.toggle_wall(p);
                self.key ^= zobrist::wall(p);
                self.empty -= 1;
                Ok(())
            }
        }
    }

    /// Say whose turn it is, for positions that are set up.
    pub fn set_side_to_move(&mut self, side: Side) {
        if side != self.side_to_move {
            self.key ^= zobrist::white_to_move();
            self.side_to_move = side;
        }
    }

    /// Whether a stone of `side` on `p`, free or already holding that stone, makes five.
    pub fn makes_five(&self, p: Point, side: Side) -> bool {
        let rule = self.variant.five_rule(side);
        Direction::ALL.iter().any(|&d| self.lines.region(p, d).five_through(0, side, rule))
    }

    /// Why the free point `p` is forbidden to `side`; `None` if it is not.
    pub fn foul(&self, p: Point, side: Side) -> Option<Foul> {
        if self.variant.has_forbidden(side) { renju::foul(&self.lines, p) } else { None }
    }

    /// Where the game stands, decided from the last stone alone.
    pub fn outcome(&self) -> Outcome {
        if let Some(Stone { point, side }) = self.last_stone() {
            if self.makes_five(point, side) {
                return Outcome::Win(side);
            }
            if self.variant.has_forbidden(side) {
                let mut before = self.lines.clone();
                before.toggle_stone(point, side);
                if let Some(foul) = renju::foul(&before, point) {
                    return Outcome::Forbidden(foul);
                }
            }
        }
        if self.empty == 0 { Outcome::Draw } else { Outcome::Ongoing }
    }

    /// All stones of the five (or longer row, or several) made by the last stone, row by row; empty
    /// if it made none.
    pub fn winning_line(&self) -> Vec<Point> {
        let Some(Stone { point, side }) = self.last_stone() else { return Vec::new() };
        let rule = self.variant.five_rule(side);
        let mut line = Vec::new();
        for d in Direction::ALL {
            if !self.lines.region(point, d).five_through(0, side, rule) {
                continue;
            }
            let own = |k: i32| point.step(d, k).filter(|&q| self.cell(q) == Cell::Stone(side));
            let before = (1..).take_while(|&k| own(-k).is_some()).count() as i32;
            line.extend((-before..).map_while(own));
        }
        line.sort_unstable();
        line.dedup();
        line
    }
}
