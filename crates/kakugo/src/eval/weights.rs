//! The tuned numbers of the classical evaluation and of move ordering.
//!
//! `weights.bin` holds one [`RuleWeights`] per rule and colour (see [`SECTIONS`]), each as
//! little-endian `i16`:
//!
//! ```text
//! to_move       3060   value of a point by its code, with its colour to move       1/16 score unit
//! waiting       3060   the same, with the opponent to move                         1/16 score unit
//! own_move      3060   likelihood that a move is the best, by the mover's code     1/256 nat
//! other_move    3060   the same, by the opponent's code at that point              1/256 nat
//! threat        2048   correction by threat mask                                   1/16 score unit
//! ```
//!
//! `docs/training.md` describes how they were tuned.

use std::sync::OnceLock;

use crate::board::{Rule, Side, Variant};
use crate::pattern::code::{CODE_TABLE, CODES};
use crate::pattern::threat::MASKS;

use super::packed_value::PackedValue;

/// Units of a point value in a score unit.
pub const VALUE_SCALE: i32 = 16;

/// Units of a move ordering value in a nat (the logarithm of a probability).
pub const ORDER_SCALE: i32 = 256;

/// The numbers of one colour under one rule, in the units of the table above.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleWeights {
    /// Value of a point for the side to move.
    pub to_move: Vec<i16>,
    /// Value of a point for the opponent of the side to move.
    pub waiting: Vec<i16>,
    /// Ordering value by the mover's code.
    pub own_move: Vec<i16>,
    /// Ordering value by the opponent's code.
    pub other_move: Vec<i16>,
    /// Correction by [`ThreatMap::mask`](crate::pattern::threat::ThreatMap::mask), with this colour
    /// to move.
    pub threat: Vec<i16>,
}

/// Rule and colour of each section of `weights.bin`. Both colours share a section if the rule
/// treats them alike.
pub const SECTIONS: [(Rule, Side); 5] = [
    (Rule::Freestyle, Side::Black),
    (Rule::Standard, Side::Black),
    (Rule::Renju, Side::Black),
    (Rule::Renju, Side::White),
    (Rule::Caro, Side::Black),
];

/// Returns the section for a rule and colour.
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

    /// Returns zeros.
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

    /// Returns the embedded numbers, section by section.
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

    /// Returns the bytes of a section of `weights.bin`.
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
    "weights.bin has an unexpected size"
);

/// All numbers of one variant, arranged for lookups.
pub struct Weights {
    point_values: [Box<[PackedValue; CODE_TABLE]>; 2],
    own_move: [Box<[i16; CODE_TABLE]>; 2],
    other_move: [Box<[i16; CODE_TABLE]>; 2],
    threat: [Box<[i16; MASKS]>; 2],
}

impl Weights {
    /// Returns the numbers of `variant`, arranged at first use.
    pub fn of(variant: Variant) -> &'static Weights {
        static TABLES: [OnceLock<Weights>; Variant::COUNT] =
            [const { OnceLock::new() }; Variant::COUNT];
        TABLES[variant.index()].get_or_init(|| Weights::new(variant, &RuleWeights::embedded()))
    }

    fn new(variant: Variant, sections: &[RuleWeights]) -> Weights {
        let of = |side| &sections[section(variant.rule(), side)];
        let point_values = |side: Side| {
            let RuleWeights { to_move, waiting, .. } = of(side);
            let mut values = Box::new([PackedValue::default(); CODE_TABLE]);
            let numbers = to_move.iter().zip(waiting);
            for (value, (&to_move, &waiting)) in values.iter_mut().zip(numbers) {
                *value = PackedValue::new(to_move, waiting);
            }
            values
        };
        Weights {
            point_values: Side::BOTH.map(point_values),
            own_move: Side::BOTH.map(|side| padded(&of(side).own_move)),
            other_move: Side::BOTH.map(|side| padded(&of(side).other_move)),
            threat: Side::BOTH.map(|side| padded(&of(side).threat)),
        }
    }

    /// Returns the value of an empty point for each colour, by its codes; zero for an occupied
    /// point.
    #[inline]
    pub(super) fn point_values(&self, code: [u16; 2]) -> [PackedValue; 2] {
        [0, 1].map(|side| self.point_values[side][usize::from(code[side]) % CODE_TABLE])
    }

    /// Returns the ordering values of the moves of `side`.
    #[inline]
    pub(super) fn move_values(&self, side: Side) -> MoveValues<'_> {
        let (own, other) = (&self.own_move[side.index()], &self.other_move[side.index()]);
        MoveValues { own, other, side: side.index() }
    }

    /// Returns the correction by the threats of both colours, with `side` to move.
    #[inline]
    pub fn threat(&self, side: Side, mask: usize) -> i32 {
        i32::from(self.threat[side.index()][mask % MASKS])
    }
}

/// The ordering values of one colour's moves.
#[derive(Clone, Copy)]
pub struct MoveValues<'w> {
    own: &'w [i16; CODE_TABLE],
    other: &'w [i16; CODE_TABLE],
    /// Index of the colour.
    side: usize,
}

impl MoveValues<'_> {
    /// Returns the value of a move to a point with these codes, one per colour: by what it makes
    /// and what it prevents, in 1/[`ORDER_SCALE`] nats.
    #[inline]
    pub fn of(self, codes: [u16; 2]) -> i32 {
        let [own, other] = [codes[self.side % 2], codes[(self.side + 1) % 2]];
        i32::from(self.own[usize::from(own) % CODE_TABLE])
            + i32::from(self.other[usize::from(other) % CODE_TABLE])
    }
}

/// Copies the numbers into an array and pads it with zeros.
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
    fn sections_have_the_listed_indices() {
        for (i, &(rule, side)) in SECTIONS.iter().enumerate() {
            assert_eq!(section(rule, side), i);
        }
    }

    #[test]
    fn sums_over_a_full_board_do_not_overflow() {
        let max = RuleWeights::embedded()
            .iter()
            .flat_map(|s| s.to_move.iter().chain(&s.waiting).map(|w| i32::from(*w).abs()))
            .max();
        assert!(max.is_some_and(|max| max * (POINTS as i32) < 1 << 24), "{max:?}");
    }

    #[test]
    fn embedded_weights_survive_a_round_trip() {
        let bytes: Vec<u8> = RuleWeights::embedded().iter().flat_map(|s| s.to_bytes()).collect();
        assert_eq!(bytes, EMBEDDED);
    }
}
