//! The tuned numbers: what shapes are worth, and how soon to try a move that makes them.
//!
//! `weights.bin` holds one [`RuleWeights`] per rule and colour (see [`SECTIONS`]), each as
//! little-endian `i16`:
//!
//! ```text
//! to_move       3060   worth of a point by its code, its colour being to move      1/16 score unit
//! waiting       3060   the same, the opponent being to move                        1/16 score unit
//! own_move      3060   how likely a move is the best, by the mover's code          1/256 nat
//! other_move    3060   the same, by the opponent's code at that point              1/256 nat
//! threat        2048   correction by the threats of both colours (mask)     1/16 score unit
//! ```
//!
//! Where they come from is told in `weights.md` beside the file.

use std::sync::OnceLock;

use crate::board::{Rule, Side, Variant};
use crate::pattern::code::{CODE_TABLE, CODES};
use crate::pattern::threat::MASKS;

use super::worth::Worth;

/// Fractions of a score unit in which worth is counted.
pub const VALUE_SCALE: i32 = 16;

/// Fractions of a nat (the logarithm of a probability) in which move values are counted.
pub const ORDER_SCALE: i32 = 256;

/// The numbers of one colour under one rule; units as in the module's table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleWeights {
    /// Worth of a point to the side to move.
    pub to_move: Vec<i16>,
    /// Worth of a point to the side that waits.
    pub waiting: Vec<i16>,
    /// Ordering value of what the mover makes.
    pub own_move: Vec<i16>,
    /// Ordering value of what the mover prevents; the code is the opponent's.
    pub other_move: Vec<i16>,
    /// Correction by [`ThreatMap::mask`](crate::pattern::threat::ThreatMap::mask), this colour being to move.
    pub threat: Vec<i16>,
}

/// Which rule and colour each section of `weights.bin` is for. Where both colours play by the same
/// rule they share a section.
pub const SECTIONS: [(Rule, Side); 5] = [
    (Rule::Freestyle, Side::Black),
    (Rule::Standard, Side::Black),
    (Rule::Renju, Side::Black),
    (Rule::Renju, Side::White),
    (Rule::Caro, Side::Black),
];

/// The section for a rule and colour.
pub fn section(rule: Rule, side: Side) -> usize {
    match (rule, side) {
        (Rule::Freestyle, _) => 0,
        (Rule::Standard, _) => 1,
        (Rule::Renju, Side::Black) => 2,
        (Rule::Renju, Side::White) => 3,
        (Rule::Caro | Rule::CaroOverline, _) => 4,
    }
}

static EMBEDDED: &[u8] = include_bytes!("weights.bin");

impl RuleWeights {
    const NUMBERS: usize = 4 * CODES + MASKS;

    /// All zero.
    pub fn zero() -> RuleWeights {
        let table = || vec![0; CODES];
        RuleWeights {
            to_move: table(),
            waiting: table(),
            own_move: table(),
            other_move: table(),
            threat: vec![0; MASKS],
        }
    }

    /// The numbers embedded in the program, section by section.
    pub fn embedded() -> Vec<RuleWeights> {
        let mut numbers =
            EMBEDDED.chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]));
        let mut take = |n| numbers.by_ref().take(n).collect::<Vec<i16>>();
        SECTIONS
            .iter()
            .map(|_| RuleWeights {
                to_move: take(CODES),
                waiting: take(CODES),
                own_move: take(CODES),
                other_move: take(CODES),
                threat: take(MASKS),
            })
            .collect()
    }

    /// The bytes of one section of `weights.bin`.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.to_move, &self.waiting, &self.own_move, &self.other_move, &self.threat]
            .into_iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes())
            .collect()
    }
}

const _: () = assert!(
    include_bytes!("weights.bin").len() == SECTIONS.len() * 2 * RuleWeights::NUMBERS,
    "weights.bin has another layout"
);

/// All numbers of one variant, laid out for use.
pub struct Weights {
    worth: [Box<[Worth; CODE_TABLE]>; 2],
    own_move: [Box<[i16; CODE_TABLE]>; 2],
    other_move: [Box<[i16; CODE_TABLE]>; 2],
    threat: [Box<[i16; MASKS]>; 2],
}

impl Weights {
    /// The numbers of `variant`, laid out at first use and kept.
    pub fn of(variant: Variant) -> &'static Weights {
        static TABLES: [OnceLock<Weights>; Variant::COUNT] =
            [const { OnceLock::new() }; Variant::COUNT];
        TABLES[variant.index()].get_or_init(|| Weights::new(variant, &RuleWeights::embedded()))
    }

    fn new(variant: Variant, sections: &[RuleWeights]) -> Weights {
        let of = |side| &sections[section(variant.rule(), side)];
        let worth = |side: Side| {
            let RuleWeights { to_move, waiting, .. } = of(side);
            let mut worth = Box::new([Worth::default(); CODE_TABLE]);
            for (worth, (&to_move, &waiting)) in worth.iter_mut().zip(to_move.iter().zip(waiting)) {
                *worth = Worth::new(to_move, waiting);
            }
            worth
        };
        Weights {
            worth: Side::BOTH.map(worth),
            own_move: Side::BOTH.map(|side| padded(&of(side).own_move)),
            other_move: Side::BOTH.map(|side| padded(&of(side).other_move)),
            threat: Side::BOTH.map(|side| padded(&of(side).threat)),
        }
    }

    /// What a free point is worth to either colour, by the codes of its shapes for each; nothing
    /// where it is occupied.
    #[inline]
    pub(super) fn worth(&self, code: [u16; 2]) -> [Worth; 2] {
        [0, 1].map(|side| self.worth[side][usize::from(code[side]) % CODE_TABLE])
    }

    /// Ordering values of the moves of `side`.
    #[inline]
    pub(super) fn move_values(&self, side: Side) -> MoveValues<'_> {
        let (own, other) = (&self.own_move[side.index()], &self.other_move[side.index()]);
        MoveValues { own, other, mine: side.index() }
    }

    /// Correction of the value by the threats of both colours, `side` being to move.
    #[inline]
    pub fn threat(&self, side: Side, mask: usize) -> i32 {
        i32::from(self.threat[side.index()][mask % MASKS])
    }
}

/// Ordering values of one colour's moves.
#[derive(Clone, Copy)]
pub struct MoveValues<'w> {
    own: &'w [i16; CODE_TABLE],
    other: &'w [i16; CODE_TABLE],
    /// Index of the colour.
    mine: usize,
}

impl MoveValues<'_> {
    /// The value of a move to a point with these codes, per colour: what it makes and what it
    /// prevents, in 1/[`ORDER_SCALE`] nats.
    #[inline]
    pub fn of(self, codes: [u16; 2]) -> i32 {
        let [own, other] = [codes[self.mine % 2], codes[(self.mine + 1) % 2]];
        i32::from(self.own[usize::from(own) % CODE_TABLE])
            + i32::from(self.other[usize::from(other) % CODE_TABLE])
    }
}

/// The numbers in an array of the length needed, zeros behind.
fn padded<const N: usize>(numbers: &[i16]) -> Box<[i16; N]> {
    let mut array = Box::new([0; N]);
    array[..numbers.len()].copy_from_slice(numbers);
    array
}

#[cfg(test)]
mod tests {
    use crate::board::POINTS;

    use super::*;

    #[test]
    fn sections_are_found_where_they_are_listed() {
        for (i, &(rule, side)) in SECTIONS.iter().enumerate() {
            assert_eq!(section(rule, side), i);
        }
    }

    #[test]
    fn sums_over_a_full_board_fit() {
        let most = RuleWeights::embedded()
            .iter()
            .flat_map(|s| s.to_move.iter().chain(&s.waiting).map(|w| i32::from(*w).abs()))
            .max();
        assert!(most.is_some_and(|most| most * (POINTS as i32) < 1 << 24), "{most:?}");
    }

    #[test]
    fn embedded_weights_survive_a_round_trip() {
        let bytes: Vec<u8> = RuleWeights::embedded().iter().flat_map(|s| s.to_bytes()).collect();
        assert_eq!(bytes, EMBEDDED);
    }
}
