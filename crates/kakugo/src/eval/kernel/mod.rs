//! The arithmetic of a network, for every instruction set that speeds it up.
//!
//! There are two steps: what a move changes of the sums of the regions, and what the layers make of
//! these sums. [`Kernel::best`] picks the quickest way that this machine has; all come to the same numbers.
//!
//! | module | what |
//! |---|---|
//! | `layout` | a network's numbers, arranged for the steps |
//! | `scalar` | the steps in plain Rust: the truth |
//! | `avx2`, `avx512`, `neon` | the same steps, 16 or 32 or 8 numbers at a time |
//! | `dispatch` | which of them is used |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod layout;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;

pub use dispatch::Kernel;
pub use layout::{
    ACTIVATION_MOST, CELL_MOST, CHANNELS, CellRows, Change, HALF, HIDDEN, INPUT_SHIFT, INPUTS,
    LINE_MOST, Layers, LineRows, MASK_BITS, Masks, REGION_MOST, REGIONS, ROW_MOST, Rows, Sums,
    WEIGHT_SHIFT, Weights,
};
