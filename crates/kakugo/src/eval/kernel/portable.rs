//! Plain Rust, for CPUs without any of the other instruction sets: 8 lanes of 16 bits, which
//! compilers turn into whatever vectors every CPU of the target has.

use std::array::from_fn;

use super::algorithm::kernel_functions;
use super::layout::{CHANNELS, HIDDEN, INPUT_SHIFT, WEIGHT_SHIFT};
use super::simd::Simd;

/// Needs nothing of the CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Portable;

kernel_functions!(Portable);

/// Applies an operation to each pair of lanes.
#[inline(always)]
fn zip(a: [i16; 8], b: [i16; 8], operation: impl Fn(i16, i16) -> i16) -> [i16; 8] {
    from_fn(|i| operation(a[i], b[i]))
}

/// Applies an operation of unsigned numbers to each pair of lanes.
#[inline(always)]
fn zip_u16(a: [i16; 8], b: [i16; 8], operation: impl Fn(u16, u16) -> u16) -> [i16; 8] {
    zip(a, b, |a, b| operation(a.cast_unsigned(), b.cast_unsigned()).cast_signed())
}

impl Simd for Portable {
    type I8 = [i8; 8];
    type I16 = [i16; 8];
    type I32 = [i32; 4];
    type Channels = [[i16; 8]; CHANNELS / 8];
    type Hidden16 = [[i16; 8]; HIDDEN / 8];
    type Hidden32 = [[i32; 4]; HIDDEN / 4];

    #[inline(always)]
    fn splat(self, n: i16) -> [i16; 8] {
        [n; 8]
    }

    #[inline(always)]
    fn splat_pair(self, pair: [i16; 2]) -> [i16; 8] {
        from_fn(|i| pair[i % 2])
    }

    #[inline(always)]
    fn widen(self, bytes: [i8; 8]) -> [i16; 8] {
        bytes.map(i16::from)
    }

    #[inline(always)]
    fn add(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip(a, b, i16::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip(a, b, i16::wrapping_sub)
    }

    #[inline(always)]
    fn add_saturating(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip(a, b, i16::saturating_add)
    }

    #[inline(always)]
    fn add_saturating_u16(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip_u16(a, b, u16::saturating_add)
    }

    #[inline(always)]
    fn sub_saturating_u16(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip_u16(a, b, u16::saturating_sub)
    }

    #[inline(always)]
    fn min_u16(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip_u16(a, b, u16::min)
    }

    #[inline(always)]
    fn min(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip(a, b, i16::min)
    }

    #[inline(always)]
    fn max(self, a: [i16; 8], b: [i16; 8]) -> [i16; 8] {
        zip(a, b, i16::max)
    }

    #[inline(always)]
    fn shift_input(self, a: [i16; 8]) -> [i16; 8] {
        a.map(|n| n >> INPUT_SHIFT)
    }

    #[inline(always)]
    fn shift_input_u16(self, a: [i16; 8]) -> [i16; 8] {
        a.map(|n| (n.cast_unsigned() >> INPUT_SHIFT).cast_signed())
    }

    #[inline(always)]
    fn add32(self, a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
        from_fn(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn multiply_add(self, sum: [i32; 4], a: [i16; 8], b: [i16; 8]) -> [i32; 4] {
        let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
        from_fn(|i| sum[i].wrapping_add(product(2 * i).wrapping_add(product(2 * i + 1))))
    }

    #[inline(always)]
    fn narrow(self, low: [i32; 4], high: [i32; 4]) -> [i16; 8] {
        let narrow =
            |n: i32| (n >> WEIGHT_SHIFT).clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16;
        from_fn(|i| narrow(if i < 4 { low[i] } else { high[i - 4] }))
    }

    #[inline(always)]
    fn sum32(self, a: [i32; 4]) -> i32 {
        a.iter().copied().fold(0, i32::wrapping_add)
    }
}
