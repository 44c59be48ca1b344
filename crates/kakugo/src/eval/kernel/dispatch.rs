//! Selection of the instruction set.
//!
//! A [`Kernel`] holds the token of its instruction set, so it exists only on CPUs that have it.
//! That makes the calls below sound.

use std::fmt;
use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use super::avx2::{self, Avx2};
#[cfg(target_arch = "x86_64")]
use super::avx512::{self, Avx512};
use super::layout::{CellChange, CellRows, Layers, RegionSums};
#[cfg(target_arch = "aarch64")]
use super::neon::{self, Neon};
use super::portable::{self, Portable};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use super::wasm::{self, Simd128};

/// An implementation of the arithmetic that works on the current CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Instructions);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Wasm(Simd128),
}

impl Kernel {
    /// The kernel that works everywhere.
    const PORTABLE: Kernel = Kernel(Instructions::Portable(Portable));

    /// Returns all kernels of the current CPU, from the slowest to the fastest. The first is the
    /// portable one.
    pub fn available() -> Vec<Kernel> {
        let detected: &[Option<Instructions>] = &[
            #[cfg(target_arch = "x86_64")]
            Avx2::detect().map(Instructions::Avx2),
            #[cfg(target_arch = "x86_64")]
            Avx512::detect().map(Instructions::Avx512),
            #[cfg(target_arch = "aarch64")]
            Neon::detect().map(Instructions::Neon),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Simd128::detect().map(Instructions::Wasm),
        ];
        let detected = detected.iter().flatten().copied().map(Kernel);
        [Kernel::PORTABLE].into_iter().chain(detected).collect()
    }

    /// Returns the fastest kernel of the current CPU.
    pub fn best() -> Kernel {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        let last = || Kernel::available().last().copied();
        *BEST.get_or_init(|| last().unwrap_or(Kernel::PORTABLE))
    }

    /// Sets `to` to `from` with these changes applied.
    #[inline]
    #[allow(unsafe_code)]
    pub fn update(
        self,
        rows: CellRows,
        from: &RegionSums,
        changes: &[CellChange],
        to: &mut RegionSums,
    ) {
        match self.0 {
            Instructions::Portable(simd) => portable::update(simd, rows, from, changes, to),
            // SAFETY: the token proves that the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(simd) => unsafe { avx2::update(simd, rows, from, changes, to) },
            // SAFETY: the token proves that the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(simd) => unsafe { avx512::update(simd, rows, from, changes, to) },
            // SAFETY: the token proves that the CPU has NEON.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon(simd) => unsafe { neon::update(simd, rows, from, changes, to) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Wasm(simd) => wasm::update(simd, rows, from, changes, to),
        }
    }

    /// Returns the output of the layers for region sums and a threat mask, in 65536ths. Refreshes
    /// the outputs of the region layer that `sums` caches.
    #[inline]
    #[allow(unsafe_code)]
    pub fn output(self, layers: &Layers, sums: &mut RegionSums, mask: usize) -> i32 {
        match self.0 {
            Instructions::Portable(simd) => portable::output(simd, layers, sums, mask),
            // SAFETY: the token proves that the CPU has AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(simd) => unsafe { avx2::output(simd, layers, sums, mask) },
            // SAFETY: the token proves that the CPU has AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(simd) => unsafe { avx512::output(simd, layers, sums, mask) },
            // SAFETY: the token proves that the CPU has NEON.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon(simd) => unsafe { neon::output(simd, layers, sums, mask) },
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Wasm(simd) => wasm::output(simd, layers, sums, mask),
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Instructions::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2(_) => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon(_) => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Wasm(_) => "simd128",
        })
    }
}

#[cfg(test)]
mod tests;
