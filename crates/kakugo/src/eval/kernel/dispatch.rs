//! Which instructions do the work.
//!
//! A [`Kernel`] can only be had where the machine has its instructions: that is all that calling them
//! needs to be sound.

use std::fmt;
use std::sync::OnceLock;

use super::layout::{CellRows, Change, Layers, Sums};
#[cfg(target_arch = "aarch64")]
use super::neon;
use super::scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A way to do the steps that works on this machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Instructions);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Instructions {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Kernel {
    /// All that this machine has, from the slowest to the quickest; the first is scalar.
    pub fn available() -> Vec<Kernel> {
        let mut found = vec![Kernel(Instructions::Scalar)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                found.push(Kernel(Instructions::Avx2));
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                found.push(Kernel(Instructions::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            found.push(Kernel(Instructions::Neon));
        }
        found
    }

    /// The quickest.
    pub fn best() -> Kernel {
        static BEST: OnceLock<Kernel> = OnceLock::new();
        let last = || Kernel::available().last().copied();
        *BEST.get_or_init(|| last().unwrap_or(Kernel(Instructions::Scalar)))
    }

    /// Set `to` to `from` with these changes.
    #[inline]
    #[allow(unsafe_code)]
    pub fn add(self, tables: CellRows, from: &Sums, changes: &[Change], to: &mut Sums) {
        match self.0 {
            Instructions::Scalar => scalar::add(tables, from, changes, to),
            // SAFETY: `Kernel::available` makes this one only where there is AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::add(tables, from, changes, to) },
            // SAFETY: `Kernel::available` makes this one only where there are AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::add(tables, from, changes, to) },
            // SAFETY: `Kernel::available` makes this one only where there is NEON.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::add(tables, from, changes, to) },
        }
    }

    /// What the layers make of sums and a mask of threats, in 65536ths. What they make of single
    /// regions stays in `sums`.
    #[inline]
    #[allow(unsafe_code)]
    pub fn output(self, layers: &Layers, sums: &mut Sums, mask: usize) -> i32 {
        match self.0 {
            Instructions::Scalar => scalar::output(layers, sums, mask),
            // SAFETY: `Kernel::available` makes this one only where there is AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::output(layers, sums, mask) },
            // SAFETY: `Kernel::available` makes this one only where there are AVX-512 F and BW.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { avx512::output(layers, sums, mask) },
            // SAFETY: `Kernel::available` makes this one only where there is NEON.
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => unsafe { neon::output(layers, sums, mask) },
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Instructions::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => "NEON",
        })
    }
}

#[cfg(test)]
mod tests;
