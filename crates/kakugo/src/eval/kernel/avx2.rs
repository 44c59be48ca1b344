//! AVX2: 16 lanes of 16 bits.

use std::arch::x86_64::*;

use super::algorithm::kernel_functions;
use super::layout::{CHANNELS, HIDDEN, INPUT_SHIFT, WEIGHT_SHIFT};
use super::simd::{Simd, operations};

/// Proof that the CPU has AVX2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns a token if the current CPU has AVX2.
    pub(super) fn detect() -> Option<Avx2> {
        is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }
}

kernel_functions!(Avx2, "avx2");

impl Simd for Avx2 {
    type I8 = __m128i;
    type I16 = __m256i;
    type I32 = __m256i;
    type Channels = [__m256i; CHANNELS / 16];
    type Hidden16 = [__m256i; HIDDEN / 16];
    type Hidden32 = [__m256i; HIDDEN / 8];

    operations! {
        fn splat(n: i16) -> __m256i = _mm256_set1_epi16(n);
        fn splat_pair(pair: [i16; 2]) -> __m256i = _mm256_set1_epi32(bytemuck::cast(pair));
        fn widen(bytes: __m128i) -> __m256i = _mm256_cvtepi8_epi16(bytes);
        fn add(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi16(a, b);
        fn sub(a: __m256i, b: __m256i) -> __m256i = _mm256_sub_epi16(a, b);
        fn add_saturating(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epi16(a, b);
        fn add_saturating_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_adds_epu16(a, b);
        fn sub_saturating_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_subs_epu16(a, b);
        fn min_u16(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epu16(a, b);
        fn min(a: __m256i, b: __m256i) -> __m256i = _mm256_min_epi16(a, b);
        fn max(a: __m256i, b: __m256i) -> __m256i = _mm256_max_epi16(a, b);
        fn shift_input(a: __m256i) -> __m256i = _mm256_srai_epi16::<{ INPUT_SHIFT as i32 }>(a);
        fn shift_input_u16(a: __m256i) -> __m256i =
            _mm256_srli_epi16::<{ INPUT_SHIFT as i32 }>(a);
        fn add32(a: __m256i, b: __m256i) -> __m256i = _mm256_add_epi32(a, b);
        fn multiply_add(sum: __m256i, a: __m256i, b: __m256i) -> __m256i =
            _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        fn narrow(low: __m256i, high: __m256i) -> __m256i = {
            // Packing alternates between the lower and upper halves of both registers.
            let packed = _mm256_packs_epi32(
                _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(low),
                _mm256_srai_epi32::<{ WEIGHT_SHIFT as i32 }>(high),
            );
            _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
        };
    }

    #[inline(always)]
    fn sum32(self, a: __m256i) -> i32 {
        bytemuck::cast::<__m256i, [i32; 8]>(a).iter().sum()
    }
}
