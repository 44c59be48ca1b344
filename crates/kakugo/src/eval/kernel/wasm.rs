//! WebAssembly's 128-bit SIMD: 8 lanes of 16 bits. A module either uses it or not, so there is
//! nothing to detect.

use std::arch::wasm32::*;

use super::algorithm::kernel_functions;
use super::layout::{CHANNELS, HIDDEN, INPUT_SHIFT, WEIGHT_SHIFT};
use super::simd::Simd;

/// Stands for the `simd128` feature of this module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Simd128(());

impl Simd128 {
    /// Returns the token.
    pub(super) fn detect() -> Option<Simd128> {
        Some(Simd128(()))
    }
}

kernel_functions!(Simd128);

impl Simd for Simd128 {
    type I8 = u64;
    type I16 = v128;
    type I32 = v128;
    type Channels = [v128; CHANNELS / 8];
    type Hidden16 = [v128; HIDDEN / 8];
    type Hidden32 = [v128; HIDDEN / 4];

    #[inline(always)]
    fn splat(self, n: i16) -> v128 {
        i16x8_splat(n)
    }

    #[inline(always)]
    fn splat_pair(self, pair: [i16; 2]) -> v128 {
        i32x4_splat(bytemuck::cast(pair))
    }

    #[inline(always)]
    fn widen(self, bytes: u64) -> v128 {
        i16x8_extend_low_i8x16(u64x2(bytes, 0))
    }

    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i16x8_add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: v128, b: v128) -> v128 {
        i16x8_sub(a, b)
    }

    #[inline(always)]
    fn add_saturating(self, a: v128, b: v128) -> v128 {
        i16x8_add_sat(a, b)
    }

    #[inline(always)]
    fn add_saturating_u16(self, a: v128, b: v128) -> v128 {
        u16x8_add_sat(a, b)
    }

    #[inline(always)]
    fn sub_saturating_u16(self, a: v128, b: v128) -> v128 {
        u16x8_sub_sat(a, b)
    }

    #[inline(always)]
    fn min_u16(self, a: v128, b: v128) -> v128 {
        u16x8_min(a, b)
    }

    #[inline(always)]
    fn min(self, a: v128, b: v128) -> v128 {
        i16x8_min(a, b)
    }

    #[inline(always)]
    fn max(self, a: v128, b: v128) -> v128 {
        i16x8_max(a, b)
    }

    #[inline(always)]
    fn shift_input(self, a: v128) -> v128 {
        i16x8_shr(a, INPUT_SHIFT)
    }

    #[inline(always)]
    fn shift_input_u16(self, a: v128) -> v128 {
        u16x8_shr(a, INPUT_SHIFT)
    }

    #[inline(always)]
    fn add32(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    fn multiply_add(self, sum: v128, a: v128, b: v128) -> v128 {
        i32x4_add(sum, i32x4_dot_i16x8(a, b))
    }

    #[inline(always)]
    fn narrow(self, low: v128, high: v128) -> v128 {
        i16x8_narrow_i32x4(i32x4_shr(low, WEIGHT_SHIFT), i32x4_shr(high, WEIGHT_SHIFT))
    }

    #[inline(always)]
    fn sum32(self, a: v128) -> i32 {
        bytemuck::cast::<v128, [i32; 4]>(a).iter().sum()
    }
}
