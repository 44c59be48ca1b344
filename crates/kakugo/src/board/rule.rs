//! The rules as data: which rows of stones win.
//!
//! Under every rule a win depends on two properties of the row of equal stones through the last
//! one: its length, and whether the opponent occupies both of its ends. [`FiveRule`] decides for
//! one colour.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A player, and the colour of the stones. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Side {
    /// Both sides, in index order.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// Returns the other side.
    pub const fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

internal! {
    impl Side {
        /// 0 for Black, 1 for White.
        pub const fn index(self) -> usize {
            self as usize
        }

        /// Returns the side to move after this number of moves, if the sides alternate.
        pub const fn to_move_after(moves: usize) -> Side {
            if moves.is_multiple_of(2) { Side::Black } else { Side::White }
        }
    }
}

/// `Black` or `White`.
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Black => "Black",
            Side::White => "White",
        })
    }
}

/// A rule of the game. With a win length it makes a [`Variant`].
///
/// ```
/// use kakugo::{Rule, Variant};
///
/// let rule: Rule = "renju".parse()?;
/// assert_eq!(Variant::five(rule), Variant::RENJU);
/// # Ok::<(), kakugo::UnknownRule>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row wins (Gomocup rule 0).
    Freestyle,
    /// Exactly five wins (rule 1).
    Standard,
    /// Black wins with exactly five and may not make an overline, a double-four or a double-three;
    /// White wins with five or more (rule 4).
    Renju,
    /// Exactly five wins unless opponent stones stand at both ends (rule 9).
    Caro,
    /// As [`Rule::Caro`], but six or more win, too (rule 8).
    CaroOverline,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroOverline];

    /// Returns the name of the rule in commands and files: `freestyle`, `standard`, `renju`, `caro`
    /// or `caro-overline`.
    pub const fn word(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroOverline => "caro-overline",
        }
    }

    /// Returns the number of the rule in the Gomocup protocol.
    pub const fn number(self) -> u32 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::CaroOverline => 8,
            Rule::Caro => 9,
        }
    }

    /// Returns the rule with this number in the Gomocup protocol. The protocol adds 2 for
    /// continuous games, which must be subtracted first.
    pub fn of_number(number: u32) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.number() == number)
    }
}

/// A text that does not name a [`Rule`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rule::ALL.map(Rule::word).join(", ");
        write!(f, "invalid rule '{}': expected {names} or number 0, 1, 4, 8 or 9", self.0)
    }
}

impl Error for UnknownRule {}

/// The name of a rule ([`Rule::word`], in any case) or its Gomocup number.
impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Rule, UnknownRule> {
        let name = text.trim();
        let is_named = |rule: &Rule| {
            name.eq_ignore_ascii_case(rule.word()) || rule.number().to_string() == name
        };
        let named = Rule::ALL.into_iter().find(is_named);
        named.ok_or_else(|| UnknownRule(name.chars().take(40).collect()))
    }
}

/// The name in prose, such as `caro with overlines`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Rule::CaroOverline => "caro with overlines",
            rule => rule.word(),
        })
    }
}

/// A rule and a win length: everything about a game except its board.
///
/// ```
/// use kakugo::{Rule, Variant};
///
/// assert_eq!(Variant::FREESTYLE.to_string(), "freestyle");
/// assert_eq!(Variant::new(Rule::Standard, 6)?.to_string(), "standard, 6 in a row");
/// assert!(Variant::new(Rule::Renju, 6).is_err());
/// # Ok::<(), kakugo::UnsupportedWinLength>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    rule: Rule,
    win_length: u8,
}

/// The smallest win length.
const MIN_WIN_LENGTH: u8 = 3;
/// Number of win lengths, from [`MIN_WIN_LENGTH`].
const WIN_LENGTHS: usize = 4;

/// A win length that a rule does not support.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedWinLength {
    /// The rule.
    pub rule: Rule,
    /// The requested win length.
    pub win_length: u8,
}

impl fmt::Display for UnsupportedWinLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "win length {} is not supported for {} (3 to 6 for freestyle and standard, else 5)",
            self.win_length, self.rule
        )
    }
}

impl std::error::Error for UnsupportedWinLength {}

impl Variant {
    /// Freestyle: five or more in a row win.
    pub const FREESTYLE: Variant = Variant::five(Rule::Freestyle);
    /// Standard: exactly five in a row win.
    pub const STANDARD: Variant = Variant::five(Rule::Standard);
    /// Renju: some moves are forbidden to Black ([`Foul`](crate::board::Foul)).
    pub const RENJU: Variant = Variant::five(Rule::Renju);
    /// Caro: exactly five in a row win unless opponent stones stand at both ends.
    pub const CARO: Variant = Variant::five(Rule::Caro);

    /// Returns `rule` with the usual win length, five.
    pub const fn five(rule: Rule) -> Variant {
        Variant { rule, win_length: 5 }
    }

    /// Returns `rule` with another win length: 3 to 6 for freestyle and standard, 5 for the others.
    ///
    /// # Errors
    /// The rule does not support this win length.
    pub fn new(rule: Rule, win_length: u8) -> Result<Variant, UnsupportedWinLength> {
        let lengths = MIN_WIN_LENGTH..MIN_WIN_LENGTH + WIN_LENGTHS as u8;
        let free =
            matches!(rule, Rule::Freestyle | Rule::Standard) && lengths.contains(&win_length);
        if free || win_length == 5 {
            Ok(Variant { rule, win_length })
        } else {
            Err(UnsupportedWinLength { rule, win_length })
        }
    }

    /// The rule.
    pub const fn rule(self) -> Rule {
        self.rule
    }

    /// Number of stones in a row that win, 3 to 6.
    pub const fn win_length(self) -> u8 {
        self.win_length
    }

    /// Returns true if some moves are forbidden to `side`.
    pub const fn has_forbidden(self, side: Side) -> bool {
        matches!((self.rule, side), (Rule::Renju, Side::Black))
    }

    /// Length of a table indexed by [`Variant::index`].
    pub(crate) const COUNT: usize = Rule::ALL.len() * WIN_LENGTHS;
}

internal! {
    impl Variant {
        /// Returns a number below `Variant::COUNT`, different for each variant.
        pub const fn index(self) -> usize {
            self.rule as usize * WIN_LENGTHS + (self.win_length - MIN_WIN_LENGTH) as usize
        }

        /// Returns which rows of `side` win.
        pub const fn five_rule(self, side: Side) -> FiveRule {
            let exact = match self.rule {
                Rule::Freestyle => false,
                Rule::Renju => matches!(side, Side::Black),
                Rule::Standard | Rule::Caro | Rule::CaroOverline => true,
            };
            FiveRule {
                length: self.win_length,
                exact,
                longer_wins: !exact || matches!(self.rule, Rule::CaroOverline),
                needs_free_end: matches!(self.rule, Rule::Caro | Rule::CaroOverline),
            }
        }
    }
}

/// The rule in prose, and the win length unless it is five.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.win_length {
            5 => fmt::Display::fmt(&self.rule, f),
            n => f.pad(&format!("{}, {n} in a row", self.rule)),
        }
    }
}

/// Which rows of one colour win, given the run of its stones through a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FiveRule {
    length: u8,
    exact: bool,
    longer_wins: bool,
    needs_free_end: bool,
}

impl FiveRule {
    /// The win length.
    pub const fn length(self) -> u32 {
        self.length as u32
    }

    /// Returns true if a run of `run` stones wins. `enclosed`: an opponent stone is at both of its
    /// ends (the edge of the board and blocked points do not enclose).
    pub const fn wins(self, run: u32, enclosed: bool) -> bool {
        let length = self.length as u32;
        if run == length {
            !(self.needs_free_end && enclosed)
        } else {
            run > length && self.longer_wins
        }
    }

    /// Returns true if a run longer than the win length does not win.
    pub const fn longer_fails(self) -> bool {
        !self.longer_wins
    }

    /// Returns true if a row of the win length between two opponent stones does not win.
    pub const fn needs_free_end(self) -> bool {
        self.needs_free_end
    }

    /// Returns the largest distance, in cells, at which another cell can matter for a five through
    /// a point: the far end of the five, or the cell beyond it if its content matters.
    pub const fn reach(self) -> u32 {
        if self.exact { self.length as u32 } else { self.length as u32 - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_their_numbers_and_no_others() {
        let known: Vec<u32> = (0..100).filter(|&n| Rule::of_number(n).is_some()).collect();
        assert_eq!(known, [0, 1, 4, 8, 9]);
        assert!(Rule::ALL.iter().all(|&rule| Rule::of_number(rule.number()) == Some(rule)));
    }

    #[test]
    fn variants_have_places_of_their_own() {
        let lengths = |rule| (0..=9).filter_map(move |length| Variant::new(rule, length).ok());
        let places: Vec<usize> =
            Rule::ALL.into_iter().flat_map(lengths).map(Variant::index).collect();
        assert_eq!(places.len(), 4 + 4 + 3);
        assert!(places.is_sorted_by(|a, b| a < b) && places[10] < Variant::COUNT);
    }
}
