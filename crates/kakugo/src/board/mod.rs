//! The rules of the game: stones, moves, undo, wins and forbidden points.
//!
//! A [`Board`] is independent of patterns, search and input. It stores every line of the board as a
//! bit string ([`lines::Lines`]): the last stone alone decides whether the game is won, for any
//! board size, and the layers above read patterns from the same strings.

pub mod diagram;
pub mod lines;
pub mod name;
#[cfg(feature = "internals")]
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

/// A board size that is not supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedSize {
    /// Requested number of columns.
    pub width: u32,
    /// Requested number of rows.
    pub height: u32,
}

impl fmt::Display for UnsupportedSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (w, h) = (self.width, self.height);
        write!(f, "unsupported board size {w}x{h} (each side {MIN_SIZE} to {MAX_SIZE})")
    }
}

impl std::error::Error for UnsupportedSize {}

/// The reason why a stone cannot be placed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayError {
    /// The point is not on this board.
    OffBoard,
    /// A stone of this side is already there.
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
    /// Its position.
    pub point: Point,
    /// Its colour.
    pub side: Side,
}

/// The state of a game: ongoing, or how it ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Nobody has won and the board is not full.
    Ongoing,
    /// The last stone made five for this side.
    Win(Side),
    /// Black's last stone was forbidden: White has won.
    Forbidden(Foul),
    /// The board is full and nobody has won.
    Draw,
}

/// A position and the moves that led to it.
///
/// A board has 3 to 32 columns and rows. Points are [`Point`]s, or names such as `h8`
/// ([`Board::parse_point`], [`Board::name`]). Playing and undoing a move are cheap.
///
/// ```
/// use kakugo::{Board, Outcome, Side, Variant};
///
/// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
/// for name in ["h8", "a15", "i8", "b15", "j8", "c15", "k8", "d15", "l8"] {
///     board.play(board.parse_point(name)?)?;
/// }
/// assert_eq!(board.outcome(), Outcome::Win(Side::Black));
/// assert_eq!(board.names(&board.winning_line()), "h8 i8 j8 k8 l8");
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
    /// Number of stones, from the first, that were set up: none of them is a forbidden move.
    set_up: u16,
    empty: u16,
}

/// A stone, and the side to move before it was placed.
#[derive(Clone, Copy, Debug)]
struct Placed {
    stone: Stone,
    turn_before: Side,
}

impl Board {
    /// Returns an empty board with `width` columns and `height` rows, 3 to 32 each. Black is to
    /// move.
    ///
    /// # Errors
    /// The size is not supported.
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
            set_up: 0,
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

    /// The rule and the win length.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The side to move.
    pub const fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Returns a hash of the rule, the win length, the size, the stones, the blocked points and the
    /// side to move (Zobrist hashing). Equal positions have equal keys, whatever the order of
    /// moves. Keys may differ between versions of this crate.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Number of stones.
    pub fn ply(&self) -> usize {
        self.stones.len()
    }

    /// Number of free points.
    pub fn empty_count(&self) -> usize {
        usize::from(self.empty)
    }

    /// Returns all points, row by row from the top left, blocked points included.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).filter_map(move |x| Point::new(x, y)))
    }

    /// Returns all free points, row by row from the top left.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.points().filter(|&p| self.is_empty(p))
    }

    /// Returns the stones in the order in which they were placed.
    pub fn stones(&self) -> impl DoubleEndedIterator<Item = Stone> + ExactSizeIterator + '_ {
        self.stones.iter().map(|placed| placed.stone)
    }

    /// Returns the stone placed last.
    pub fn last_stone(&self) -> Option<Stone> {
        self.stones.last().map(|placed| placed.stone)
    }

    /// Returns true if the point is on this board.
    pub const fn contains(&self, p: Point) -> bool {
        p.x() < self.width && p.y() < self.height
    }

    /// Returns the content of `p`. Points off the board are walls.
    pub fn cell(&self, p: Point) -> Cell {
        self.lines.cell(p)
    }

    /// Returns true if `p` is free.
    pub fn is_empty(&self, p: Point) -> bool {
        self.cell(p) == Cell::Empty
    }

    /// Plays a stone of the side to move. The other side is to move then.
    ///
    /// Moves after the end of the game and on forbidden points are accepted: see [`Board::outcome`]
    /// and [`Board::is_legal`].
    ///
    /// # Errors
    /// The point is occupied, blocked or off the board. The board is unchanged then.
    pub fn play(&mut self, p: Point) -> Result<(), PlayError> {
        self.place(p, self.side_to_move)
    }

    /// Places a stone of either colour, for positions that are set up. The opponent of `side` is to
    /// move then. Call [`Board::settle`] after the last stone of the position.
    ///
    /// # Errors
    /// As for [`Board::play`].
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

    /// [`Board::place`] on a point that is known to be free (checked in debug builds).
    pub(crate) fn push(&mut self, stone: Stone) {
        debug_assert!(self.is_empty(stone.point));
        self.lines.toggle_stone(stone.point, stone.side);
        self.key ^= zobrist::stone(stone.side, stone.point);
        self.empty -= 1;
        self.stones.push(Placed { stone, turn_before: self.side_to_move });
        self.set_side_to_move(stone.side.opponent());
    }

    /// Takes back the last stone and returns it; `None` if there are no stones.
    pub fn undo(&mut self) -> Option<Stone> {
        let Placed { stone, turn_before } = self.stones.pop()?;
        self.set_up = self.set_up.min(self.stones.len() as u16);
        self.lines.toggle_stone(stone.point, stone.side);
        self.key ^= zobrist::stone(stone.side, stone.point);
        self.empty += 1;
        self.set_side_to_move(turn_before);
        Some(stone)
    }

    /// Blocks a free point for the whole game: nobody may play there. [`Board::undo`] does not
    /// remove blocked points.
    ///
    /// # Errors
    /// As for [`Board::play`].
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

    /// Sets the side to move, for positions that are set up.
    pub fn set_side_to_move(&mut self, side: Side) {
        if side != self.side_to_move {
            self.key ^= zobrist::white_to_move();
            self.side_to_move = side;
        }
    }

    /// Declares the position as set up rather than played, after [`Board::place`]: none of its
    /// stones is a forbidden move, and the game is over if there is a five anywhere. The latest
    /// stone of a five becomes the last stone then.
    ///
    /// ```
    /// use kakugo::{Board, Outcome, Side, Variant};
    ///
    /// // A double three of Black, who has the only stones.
    /// let mut board = Board::new(15, 15, Variant::RENJU)?;
    /// for name in ["f8", "g8", "h6", "h7", "h8"] {
    ///     board.place(board.parse_point(name)?, Side::Black)?;
    /// }
    /// assert!(matches!(board.outcome(), Outcome::Forbidden(_)));
    /// board.settle();
    /// assert_eq!(board.outcome(), Outcome::Ongoing);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn settle(&mut self) {
        let five = self.stones().rposition(|stone| self.makes_five(stone.point, stone.side));
        if let Some(five) = five {
            let last = self.stones.len() - 1;
            self.stones.swap(five, last);
        }
        self.set_set_up_count(self.stones.len());
    }

    /// Returns true if a stone of `side` on `p` wins. The point is free or already holds that
    /// stone.
    pub fn makes_five(&self, p: Point, side: Side) -> bool {
        let rule = self.variant.five_rule(side);
        Direction::ALL.iter().any(|&d| self.lines.region(p, d).five_through(0, side, rule))
    }

    /// Returns the reason why the free point `p` is forbidden to `side`; `None` if it is allowed.
    pub fn foul(&self, p: Point, side: Side) -> Option<Foul> {
        if self.variant.has_forbidden(side) { renju::foul(&self.lines, p) } else { None }
    }

    /// Returns true if the side to move may play on `p`: the point is free and not forbidden.
    ///
    /// ```
    /// use kakugo::{Board, Variant};
    ///
    /// let mut board = Board::new(15, 15, Variant::RENJU)?;
    /// let centre = board.parse_point("h8")?;
    /// assert!(board.is_legal(centre));
    /// board.play(centre)?;
    /// assert!(!board.is_legal(centre));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_legal(&self, p: Point) -> bool {
        self.is_empty(p) && self.foul(p, self.side_to_move).is_none()
    }

    /// Returns all free points that are forbidden to Black, with the reasons, row by row from the
    /// top left. Under rules other than renju there are none.
    ///
    /// ```
    /// use kakugo::{Board, Foul, Variant};
    ///
    /// // Black stones in two open twos that meet at h8.
    /// let mut board = Board::new(15, 15, Variant::RENJU)?;
    /// for name in ["f8", "a1", "g8", "a15", "h6", "o1", "h7", "o15"] {
    ///     board.play(board.parse_point(name)?)?;
    /// }
    /// let forbidden: Vec<_> = board.forbidden_points().collect();
    /// assert_eq!(forbidden, [(board.parse_point("h8")?, Foul::DoubleThree)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forbidden_points(&self) -> impl Iterator<Item = (Point, Foul)> + '_ {
        self.empty_points().filter_map(|p| Some((p, self.foul(p, Side::Black)?)))
    }

    /// Returns the state of the game after the last stone. Earlier stones are not checked: see
    /// [`Board::settle`] for positions that are set up.
    pub fn outcome(&self) -> Outcome {
        if let Some(Stone { point, side }) = self.last_stone() {
            if self.makes_five(point, side) {
                return Outcome::Win(side);
            }
            let is_set_up = self.stones.len() <= usize::from(self.set_up);
            if self.variant.has_forbidden(side) && !is_set_up {
                let mut before = self.lines.clone();
                before.toggle_stone(point, side);
                if let Some(foul) = renju::foul(&before, point) {
                    return Outcome::Forbidden(foul);
                }
            }
        }
        if self.empty == 0 { Outcome::Draw } else { Outcome::Ongoing }
    }

    /// Returns all stones of the five (or longer row, or several rows) that the last stone made,
    /// row by row from the top left. Empty if it made none.
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

internal! {
    impl Board {
        /// Returns what [`Board::key`] will be after the side to move has played the free point
        /// `p`.
        pub fn key_after(&self, p: Point) -> u64 {
            self.key ^ zobrist::stone(self.side_to_move, p) ^ zobrist::white_to_move()
        }

        /// The lines of the board.
        pub const fn lines(&self) -> &Lines {
            &self.lines
        }

        /// Returns the side to move before each stone, which [`Board::undo`] restores.
        pub fn turns(&self) -> impl Iterator<Item = Side> + '_ {
            self.stones.iter().map(|placed| placed.turn_before)
        }

        /// Number of stones, from the first, that were set up: see [`Board::settle`].
        pub fn set_up_count(&self) -> usize {
            self.set_up.into()
        }

        /// Declares the first stones as set up. Unlike [`Board::settle`], it keeps their order.
        pub fn set_set_up_count(&mut self, stones: usize) {
            self.set_up = stones.min(self.stones.len()) as u16;
        }
    }
}
