//! NEON, which every 64-bit ARM processor has: 8 lanes of 16 bits.

use std::arch::aarch64::*;

use super::algorithm::kernel_functions;
use super::layout::{CHANNELS, HIDDEN, INPUT_SHIFT, WEIGHT_SHIFT};
use super::simd::{Simd, operations};

/// Proof that the CPU has NEON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Neon(());

impl Neon {
    /// Returns a token if the current CPU has NEON.
    pub(super) fn detect() -> Option<Neon> {
        std::arch::is_aarch64_feature_detected!("neon").then_some(Neon(()))
    }
}

kernel_functions!(Neon, "neon");

impl Simd for Neon {
    type I8 = int8x8_t;
    type I16 = int16x8_t;
    type I32 = int32x4_t;
    type Channels = [int16x8_t; CHANNELS / 8];
    type Hidden16 = [int16x8_t; HIDDEN / 8];
    type Hidden32 = [int32x4_t; HIDDEN / 4];

    operations! {
        fn splat(n: i16) -> int16x8_t = vdupq_n_s16(n);
        fn splat_pair(pair: [i16; 2]) -> int16x8_t =
            vreinterpretq_s16_s32(vdupq_n_s32(bytemuck::cast(pair)));
        fn widen(bytes: int8x8_t) -> int16x8_t = vmovl_s8(bytes);
        fn add(a: int16x8_t, b: int16x8_t) -> int16x8_t = vaddq_s16(a, b);
        fn sub(a: int16x8_t, b: int16x8_t) -> int16x8_t = vsubq_s16(a, b);
        fn add_saturating(a: int16x8_t, b: int16x8_t) -> int16x8_t = vqaddq_s16(a, b);
        fn add_saturating_u16(a: int16x8_t, b: int16x8_t) -> int16x8_t =
            vreinterpretq_s16_u16(vqaddq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b)));
        fn sub_saturating_u16(a: int16x8_t, b: int16x8_t) -> int16x8_t =
            vreinterpretq_s16_u16(vqsubq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b)));
        fn min_u16(a: int16x8_t, b: int16x8_t) -> int16x8_t =
            vreinterpretq_s16_u16(vminq_u16(vreinterpretq_u16_s16(a), vreinterpretq_u16_s16(b)));
        fn min(a: int16x8_t, b: int16x8_t) -> int16x8_t = vminq_s16(a, b);
        fn max(a: int16x8_t, b: int16x8_t) -> int16x8_t = vmaxq_s16(a, b);
        fn shift_input(a: int16x8_t) -> int16x8_t = vshrq_n_s16::<{ INPUT_SHIFT as i32 }>(a);
        fn shift_input_u16(a: int16x8_t) -> int16x8_t = vreinterpretq_s16_u16(
            vshrq_n_u16::<{ INPUT_SHIFT as i32 }>(vreinterpretq_u16_s16(a)),
        );
        fn add32(a: int32x4_t, b: int32x4_t) -> int32x4_t = vaddq_s32(a, b);
        fn multiply_add(sum: int32x4_t, a: int16x8_t, b: int16x8_t) -> int32x4_t = {
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(a, b)))
        };
        fn narrow(low: int32x4_t, high: int32x4_t) -> int16x8_t = vcombine_s16(
            vqmovn_s32(vshrq_n_s32::<{ WEIGHT_SHIFT as i32 }>(low)),
            vqmovn_s32(vshrq_n_s32::<{ WEIGHT_SHIFT as i32 }>(high)),
        );
        fn sum32(a: int32x4_t) -> i32 = vaddvq_s32(a);
    }
}
