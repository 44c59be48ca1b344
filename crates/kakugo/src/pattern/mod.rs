//! Shapes on lines, and the threats that they make at a point.
//!
//! Everything here describes an *empty* point, as if one colour had just played there:
//!
//! - its [`Shape`] in each of the four directions, from a table indexed by the cells around it
//!   ([`table`]);
//! - the [`Threat`] of the four shapes together ([`code`]);
//! - [`threat::ThreatMap`] updates both incrementally for all points and both colours;
//! - the [line code](line_code) describes the stones on a line, independent of its shape.
//!
//! In the diagrams `*` is the point, `X` a stone of the colour that plays there, `O` an opponent's
//! stone (or the edge), and `.` an empty point.

pub mod code;
pub mod line_code;
pub mod near;
pub mod set;
pub mod table;
pub mod threat;

/// The shape that a stone makes on one line. Stronger shapes have larger numbers.
///
/// The names assume a win length of five. Read them accordingly for other win lengths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// No five can ever contain this stone: `O X * . . O`.
    Dead,
    /// A row longer than five, under a rule in which that does not win: `X X X * X X`.
    Overline,
    /// One stone with space for a five, but not for an open one: `O * . . . .`.
    One,
    /// One stone that can become an open two.
    OpenOne,
    /// One move from a [`Shape::Three`]: `O X * . . .`.
    Two,
    /// One move from an open three, in one or two ways.
    OpenTwo,
    /// One move from an open three, in three ways.
    OpenTwoGood,
    /// One move from an open three, in four ways or more: `. . X * . .`.
    OpenTwoBest,
    /// One move from a four: `O X X * . .`.
    Three,
    /// One move from an open four, in one way: `. X . X * .`.
    OpenThree,
    /// One move from an open four, in two ways or more: `. . X X * . .`.
    OpenThreeBest,
    /// One move from a five, and one stone stops it: `O X X X * .`.
    Four,
    /// Two fours on one line: `X . X * X . X`. No stone stops both.
    DoubleFour,
    /// A four that no single stone stops: `. X X X * .`.
    OpenFour,
    /// Five in a row.
    Five,
}

impl Shape {
    /// Number of shapes.
    pub const COUNT: usize = 15;

    /// All shapes, weakest first.
    pub const ALL: [Shape; Shape::COUNT] = [
        Shape::Dead,
        Shape::Overline,
        Shape::One,
        Shape::OpenOne,
        Shape::Two,
        Shape::OpenTwo,
        Shape::OpenTwoGood,
        Shape::OpenTwoBest,
        Shape::Three,
        Shape::OpenThree,
        Shape::OpenThreeBest,
        Shape::Four,
        Shape::DoubleFour,
        Shape::OpenFour,
        Shape::Five,
    ];

    /// Returns the shape with this number ([`Shape::Five`] for larger numbers).
    pub const fn from_index(index: usize) -> Shape {
        if index < Shape::COUNT { Shape::ALL[index] } else { Shape::Five }
    }
}

/// The threat that a stone makes on all four lines together. Stronger threats have larger numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Threat {
    /// Forbidden in renju, by its shapes. It may still be legal, because one of the threes cannot
    /// become an open four; `Board::foul` decides.
    Forbidden,
    /// No threat.
    Quiet,
    /// An open two.
    OpenTwo,
    /// A three: the next stone makes a four.
    Three,
    /// Two open twos.
    DoubleTwo,
    /// A three together with another three or an open two.
    ThreePlus,
    /// An open three: the next stone makes an open four.
    OpenThree,
    /// An open three together with a three or an open two.
    OpenThreePlus,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four together with a three or an open two.
    FourPlus,
    /// A four together with an open three.
    FourThree,
    /// A four that no single stone stops, or two fours.
    OpenFour,
    /// Five.
    Five,
}

impl Threat {
    /// Number of threats.
    pub const COUNT: usize = 14;

    /// All threats, weakest first.
    pub const ALL: [Threat; Threat::COUNT] = [
        Threat::Forbidden,
        Threat::Quiet,
        Threat::OpenTwo,
        Threat::Three,
        Threat::DoubleTwo,
        Threat::ThreePlus,
        Threat::OpenThree,
        Threat::OpenThreePlus,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourPlus,
        Threat::FourThree,
        Threat::OpenFour,
        Threat::Five,
    ];

    /// Returns the threat of four shapes. `restricted` is true if the colour has forbidden moves
    /// (renju).
    pub fn of(shapes: [Shape; 4], restricted: bool) -> Threat {
        let count = |wanted: fn(Shape) -> bool| shapes.iter().filter(|&&s| wanted(s)).count();
        let fives = count(|s| s == Shape::Five);
        let overlines = count(|s| s == Shape::Overline);
        let double_fours = count(|s| s == Shape::DoubleFour);
        let open_fours = count(|s| s == Shape::OpenFour);
        let fours = count(|s| s == Shape::Four);
        let open_threes = count(|s| matches!(s, Shape::OpenThree | Shape::OpenThreeBest));
        let threes = count(|s| s == Shape::Three);
        let open_twos =
            count(|s| matches!(s, Shape::OpenTwo | Shape::OpenTwoGood | Shape::OpenTwoBest));
        let two_fours = double_fours > 0 || fours + open_fours >= 2;
        let plus = threes + open_twos;
        if fives > 0 {
            Threat::Five
        } else if restricted && (overlines > 0 || two_fours || open_threes >= 2) {
            Threat::Forbidden
        } else if open_fours > 0 || two_fours {
            Threat::OpenFour
        } else if fours > 0 {
            match (open_threes, plus) {
                (1.., _) => Threat::FourThree,
                (0, 1..) => Threat::FourPlus,
                (0, 0) => Threat::Four,
            }
        } else if open_threes > 0 {
            match (open_threes, plus) {
                (2.., _) => Threat::DoubleThree,
                (_, 1..) => Threat::OpenThreePlus,
                (_, 0) => Threat::OpenThree,
            }
        } else {
            match (threes, open_twos) {
                (2.., _) | (1, 1..) => Threat::ThreePlus,
                (1, 0) => Threat::Three,
                (0, 2..) => Threat::DoubleTwo,
                (0, 1) => Threat::OpenTwo,
                (0, 0) => Threat::Quiet,
            }
        }
    }

    /// Returns the threat with this number ([`Threat::Five`] for larger numbers).
    pub const fn from_index(index: usize) -> Threat {
        if index < Threat::COUNT { Threat::ALL[index] } else { Threat::Five }
    }
}
