//! AVX-512 (F and BW): 32 lanes of 16 bits.

use std::arch::x86_64::*;

use super::algorithm::kernel_functions;
use super::layout::{CHANNELS, HIDDEN, INPUT_SHIFT, WEIGHT_SHIFT};
use super::simd::{Simd, operations};

/// Proof that the CPU has AVX-512 F and BW.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Avx512(());

impl Avx512 {
    /// Returns a token if the current CPU has AVX-512 F and BW.
    pub(super) fn detect() -> Option<Avx512> {
        let detected = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        detected.then_some(Avx512(()))
    }
}

kernel_functions!(Avx512, "avx512f,avx512bw");

impl Simd for Avx512 {
    type I8 = __m256i;
    type I16 = __m512i;
    type I32 = __m512i;
    type Channels = [__m512i; CHANNELS / 32];
    type Hidden16 = [__m512i; HIDDEN / 32];
    type Hidden32 = [__m512i; HIDDEN / 16];

    operations! {
        fn splat(n: i16) -> __m512i = _mm512_set1_epi16(n);
        fn splat_pair(pair: [i16; 2]) -> __m512i = _mm512_set1_epi32(bytemuck::cast(pair));
        fn widen(bytes: __m256i) -> __m512i = _mm512_cvtepi8_epi16(bytes);
        fn add(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi16(a, b);
        fn sub(a: __m512i, b: __m512i) -> __m512i = _mm512_sub_epi16(a, b);
        fn add_saturating(a: __m512i, b: __m512i) -> __m512i = _mm512_adds_epi16(a, b);
        fn add_saturating_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_adds_epu16(a, b);
        fn sub_saturating_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_subs_epu16(a, b);
        fn min_u16(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epu16(a, b);
        fn min(a: __m512i, b: __m512i) -> __m512i = _mm512_min_epi16(a, b);
        fn max(a: __m512i, b: __m512i) -> __m512i = _mm512_max_epi16(a, b);
        fn shift_input(a: __m512i) -> __m512i = _mm512_srai_epi16::<INPUT_SHIFT>(a);
        fn shift_input_u16(a: __m512i) -> __m512i = _mm512_srli_epi16::<INPUT_SHIFT>(a);
        fn add32(a: __m512i, b: __m512i) -> __m512i = _mm512_add_epi32(a, b);
        fn multiply_add(sum: __m512i, a: __m512i, b: __m512i) -> __m512i =
            _mm512_add_epi32(sum, _mm512_madd_epi16(a, b));
        fn narrow(low: __m512i, high: __m512i) -> __m512i = {
            let low = _mm512_cvtsepi32_epi16(_mm512_srai_epi32::<WEIGHT_SHIFT>(low));
            let high = _mm512_cvtsepi32_epi16(_mm512_srai_epi32::<WEIGHT_SHIFT>(high));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        };
        fn sum32(a: __m512i) -> i32 = _mm512_reduce_add_epi32(a);
    }
}
