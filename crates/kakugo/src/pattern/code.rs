//! Shape codes: one number for the four shapes at a point, independent of their order.
//!
//! A shape has four bits, so the four directions have 16 bits. There are 3,060 unordered
//! combinations, so tables by code fit the L1 cache.

use std::sync::OnceLock;

use super::{Shape, Threat};

/// Number of codes.
pub const CODES: usize = 3060;

/// Length of tables indexed by code: a power of two, so that a mask replaces the bounds check.
pub const CODE_TABLE: usize = 4096;

/// The code of an occupied point.
pub const OCCUPIED: u16 = CODES as u16;

/// The threat of each code, as a number.
pub type CodeThreats = [u8; CODE_TABLE];

/// Returns the threats of all codes for a colour with forbidden moves (`restricted`, renju) or
/// without.
pub fn threats(restricted: bool) -> &'static CodeThreats {
    static TABLES: [OnceLock<Box<CodeThreats>>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(restricted)].get_or_init(|| {
        let mut threats = Box::new([Threat::Quiet as u8; CODE_TABLE]);
        for (code, threat) in threats.iter_mut().enumerate().take(CODES) {
            *threat = Threat::of(shapes_of(code as u16), restricted) as u8;
        }
        threats
    })
}

/// Returns the code of four shapes (four bits each, by direction).
#[inline]
pub fn code(shapes: u16) -> u16 {
    table()[usize::from(shapes)]
}

/// Returns the table of all codes, for callers that look up many.
pub fn table() -> &'static [u16; 1 << 16] {
    static TABLE: OnceLock<Box<[u16; 1 << 16]>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Box::new([0; 1 << 16]);
        for (packed, code) in table.iter_mut().enumerate() {
            *code = rank(unpack(packed as u16));
        }
        table
    })
}

/// Unpacks four shapes, one per direction.
pub fn unpack(shapes: u16) -> [Shape; 4] {
    [0, 4, 8, 12].map(|shift| Shape::from_index(usize::from(shapes >> shift & 0b1111)))
}

/// Returns the shapes of a code, strongest first.
pub fn shapes_of(code: u16) -> [Shape; 4] {
    let mut rest = u32::from(code);
    let mut shapes = [Shape::Dead; 4];
    for (i, shape) in shapes.iter_mut().enumerate() {
        let k = 4 - i as u32;
        let s =
            (0..Shape::COUNT as u32).rev().find(|&s| binomial(s + k - 1, k) <= rest).unwrap_or(0);
        rest -= binomial(s + k - 1, k);
        *shape = Shape::from_index(s as usize);
    }
    shapes
}

/// Returns the rank of a multiset of four shapes in the combinatorial number system.
fn rank(mut shapes: [Shape; 4]) -> u16 {
    shapes.sort_unstable_by(|a, b| b.cmp(a));
    shapes.iter().zip([4, 3, 2, 1]).map(|(&s, k)| binomial(s as u32 + k - 1, k)).sum::<u32>() as u16
}

fn binomial(n: u32, k: u32) -> u32 {
    if n < k { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_dense_and_unique_except_for_the_order() {
        let mut seen = vec![None; CODES];
        for packed in 0..=u16::MAX {
            let mut shapes = unpack(packed);
            shapes.sort_unstable_by(|a, b| b.cmp(a));
            let code = usize::from(code(packed));
            assert_eq!(*seen[code].get_or_insert(shapes), shapes);
            assert_eq!(shapes_of(code as u16), shapes);
        }
        assert!(seen.iter().all(Option::is_some));
    }
}
