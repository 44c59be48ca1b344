//! The vector vocabulary of the kernels: the operations that the algorithm needs, and nothing else.
//!
//! Each instruction set implements [`Simd`] in a module of its own, one line per operation. The
//! algorithm ([`super::algorithm`]) is written once, over this trait. The idea is memchr's
//! `Vector`.
//!
//! A value of a type that implements [`Simd`] is a *token*: proof that the current CPU has the
//! instruction set. Tokens are created only by CPU detection, so the methods are safe to call.

use bytemuck::Pod;

/// Vector operations of one instruction set.
///
/// Methods compile to single instructions only when they are inlined into a function with the right
/// `#[target_feature]` (`kernel_functions` in `algorithm.rs`). Hence everything between that
/// function and the intrinsics is `#[inline(always)]`.
pub(super) trait Simd: Copy {
    /// Half of a vector: signed bytes, one for each 16-bit lane.
    type I8: Pod;
    /// A vector of 16-bit lanes, signed or unsigned.
    type I16: Pod;
    /// A vector of 32-bit lanes, half as many.
    type I32: Pod;
    /// [`CHANNELS`](super::layout::CHANNELS) 16-bit lanes.
    type Channels: Pod + AsRef<[Self::I16]> + AsMut<[Self::I16]>;
    /// [`HIDDEN`](super::layout::HIDDEN) 16-bit lanes.
    type Hidden16: Pod + AsRef<[Self::I16]> + AsMut<[Self::I16]>;
    /// [`HIDDEN`](super::layout::HIDDEN) 32-bit lanes.
    type Hidden32: Pod + AsRef<[Self::I32]> + AsMut<[Self::I32]>;

    /// Returns a vector with `n` in every lane.
    fn splat(self, n: i16) -> Self::I16;
    /// Returns a vector with the two numbers in every pair of lanes.
    fn splat_pair(self, pair: [i16; 2]) -> Self::I16;
    /// Sign-extends bytes to 16 bits.
    fn widen(self, bytes: Self::I8) -> Self::I16;
    /// Wrapping addition.
    fn add(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Wrapping subtraction.
    fn sub(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Signed saturating addition.
    fn add_saturating(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Unsigned saturating addition.
    fn add_saturating_u16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Unsigned saturating subtraction.
    fn sub_saturating_u16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Unsigned minimum.
    fn min_u16(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Signed minimum.
    fn min(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Signed maximum.
    fn max(self, a: Self::I16, b: Self::I16) -> Self::I16;
    /// Arithmetic shift right by [`INPUT_SHIFT`](super::layout::INPUT_SHIFT).
    fn shift_input(self, a: Self::I16) -> Self::I16;
    /// Logical shift right by [`INPUT_SHIFT`](super::layout::INPUT_SHIFT).
    fn shift_input_u16(self, a: Self::I16) -> Self::I16;
    /// Wrapping addition of 32-bit lanes.
    fn add32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Multiplies lanes, and adds `sum` and the products of each pair of lanes.
    fn multiply_add(self, sum: Self::I32, a: Self::I16, b: Self::I16) -> Self::I32;
    /// Shifts right by [`WEIGHT_SHIFT`](super::layout::WEIGHT_SHIFT), arithmetically, and narrows
    /// to 16 bits with saturation: first the lanes of `low`, then those of `high`.
    fn narrow(self, low: Self::I32, high: Self::I32) -> Self::I16;
    /// Returns the sum of all lanes.
    fn sum32(self, a: Self::I32) -> i32;
}

/// Loads the `part`-th vector of a row. Rows are whole numbers of vectors.
#[inline(always)]
pub(super) fn load<V: Pod, T: Pod, const N: usize>(row: &[T; N], part: usize) -> V {
    let lanes = size_of::<V>() / size_of::<T>();
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&row[part * lanes..][..lanes]))
}

/// Stores the `part`-th vector of a row.
#[inline(always)]
pub(super) fn store<V: Pod, T: Pod, const N: usize>(row: &mut [T; N], part: usize, vector: V) {
    let lanes = size_of::<V>() / size_of::<T>();
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut row[part * lanes..][..lanes]);
    bytes.copy_from_slice(bytemuck::bytes_of(&vector));
}

/// Implements operations of [`Simd`] by intrinsics, one line each.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! operations {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $intrinsics:expr;)*) => {$(
        #[inline(always)]
        #[allow(unsafe_code)]
        fn $name(self, $($argument: $type),*) -> $result {
            // SAFETY: `self` is a token: the CPU has the instruction set.
            unsafe { $intrinsics }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use operations;
