//! What counts as five: the rules as data.
//!
//! Every rule asks the same question about the run of equal stones through the last one: how long
//! is it, and are both of its ends taken by the opponent? [`FiveRule`] answers it for one colour.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A colour. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Side {
    /// Both, in index order.
    pub const BOTH: [Side; 2] = [Side::Black, Side::White];

    /// 0 for Black, 1 for White.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Who moves after so many moves of a game in which the colours take turns.
    pub const fn to_move_after(moves: usize) -> Side {
        if moves.is_multiple_of(2) { Side::Black } else { Side::White }
    }

    /// The other colour.
    pub const fn opponent(self) -> Side {
        match self {
            Side::Black => Side::White,
            Side::White => Side::Black,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Black => "Black",
            Side::White => "White",
        })
    }
}

/// A family of rules.
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
    /// As [`Rule::Caro`], and six or more wins too (rule 8).
    CaroOverline,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 5] =
        [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroOverline];

    /// The word for the rule in commands, files and messages.
    pub const fn word(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroOverline => "caro-overline",
        }
    }

    /// The number by which the Gomocup protocol knows the rule.
    pub const fn number(self) -> u32 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::CaroOverline => 8,
            Rule::Caro => 9,
        }
    }

    /// The rule with this number, if there is one. What the protocol adds to a number, 2 for continuous
    /// games, must be taken off before.
    pub fn of_number(number: u32) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.number() == number)
    }
}

/// Words that name no rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no rule \"{}\": ", self.0)?;
        let words = Rule::ALL.map(Rule::word);
        write!(f, "{}, or Gomocup's number", words.join(", "))
    }
}

impl Error for UnknownRule {}

/// The word or the number of a rule.
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

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::CaroOverline => "caro with overlines",
            rule => rule.word(),
        })
    }
}

/// A rule together with the number of stones that win: all that a game needs besides its board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    rule: Rule,
    win_length: u8,
}

/// Fewest stones in a row that may win.
const LEAST_WIN_LENGTH: u8 = 3;
/// How many win lengths there are, from that on.
const WIN_LENGTHS: usize = 4;

/// A win length that a rule does not offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedWinLength {
    /// The rule asked for.
    pub rule: Rule,
    /// The length asked for.
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
    /// Five in a row, five or more.
    pub const FREESTYLE: Variant = Variant::five(Rule::Freestyle);
    /// Exactly five.
    pub const STANDARD: Variant = Variant::five(Rule::Standard);
    /// Renju.
    pub const RENJU: Variant = Variant::five(Rule::Renju);
    /// Gomocup's rule 9.
    pub const CARO: Variant = Variant::five(Rule::Caro);

    /// `rule` with its usual win length, five.
    pub const fn five(rule: Rule) -> Variant {
        Variant { rule, win_length: 5 }
    }

    /// `rule` with another win length: 3 to 6 for freestyle and standard.
    pub fn new(rule: Rule, win_length: u8) -> Result<Variant, UnsupportedWinLength> {
        let lengths = LEAST_WIN_LENGTH..LEAST_WIN_LENGTH + WIN_LENGTHS as u8;
        let free =
            matches!(rule, Rule::Freestyle | Rule::Standard) && lengths.contains(&win_length);
        if free || win_length == 5 {
            Ok(Variant { rule, win_length })
        } else {
            Err(UnsupportedWinLength { rule, win_length })
        }
    }

    /// Length of a table by [`Variant::index`].
    pub const COUNT: usize = Rule::ALL.len() * WIN_LENGTHS;

    /// A number below [`Variant::COUNT`] that no other variant has, for tables.
    pub const fn index(self) -> usize {
        self.rule as usize * WIN_LENGTHS + (self.win_length - LEAST_WIN_LENGTH) as usize
    }

    /// The rule.
    pub const fn rule(self) -> Rule {
        self.rule
    }

    /// Stones in a row that win, 3 to 6.
    pub const fn win_length(self) -> u8 {
        self.win_length
    }

    /// Whether some moves are forbidden to `side`.
    pub const fn has_forbidden(self, side: Side) -> bool {
        matches!((self.rule, side), (Rule::Renju, Side::Black))
    }

    /// What counts as five for `side`.
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

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.win_length {
            5 => write!(f, "{}", self.rule),
            n => write!(f, "{}, {n} in a row", self.rule),
        }
    }
}

/// What counts as five for one colour, about the run of its stones through a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FiveRule {
    length: u8,
    exact: bool,
    longer_wins: bool,
    needs_free_end: bool,
}

impl FiveRule {
    /// Stones that win.
    pub const fn length(self) -> u32 {
        self.length as u32
    }

    /// Whether a run of `run` stones wins; `enclosed` says that an opponent stone stands at each of
    /// its two ends (the board's edge and walls do not enclose).
    pub const fn wins(self, run: u32, enclosed: bool) -> bool {
        let length = self.length as u32;
        if run == length {
            !(self.needs_free_end && enclosed)
        } else {
            run > length && self.longer_wins
        }
    }

    /// Whether a run longer than the win length is worth nothing.
    pub const fn longer_fails(self) -> bool {
        !self.longer_wins
    }

    /// Whether opponent stones at both ends make a row of the win length worth nothing.
    pub const fn needs_free_end(self) -> bool {
        self.needs_free_end
    }

    /// How far from a point another cell can matter for a five through it, in cells: the far end of
    /// a five, and the cell beyond where that one's content counts.
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
