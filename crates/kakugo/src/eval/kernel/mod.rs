//! The arithmetic of a network, for every instruction set that speeds it up.
//!
//! There are two steps: updating the sums over regions after a move, and running the layers on
//! these sums. [`Kernel::best`] selects the fastest instruction set of the current CPU. All kernels
//! return the same numbers.
//!
//! | module | contents |
//! |---|---|
//! | `layout` | the numbers of a network, arranged for the kernels |
//! | `simd` | the vector vocabulary |
//! | `algorithm` | both steps, written once over that vocabulary |
//! | `avx2`, `avx512`, `neon`, `wasm`, `portable` | the vocabulary of each instruction set |
//! | `dispatch` | selection of the kernel |

mod algorithm;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod layout;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;

pub use dispatch::Kernel;
pub use layout::{
    ACTIVATION_MAX, CELL_MAX, CHANNELS, CellChange, CellRows, CodeRows, HALF, HIDDEN, INPUT_SHIFT,
    INPUTS, LINE_MAX, LayerWeights, Layers, LineRows, MASK_BITS, MaskRows, REGION_CELLS_MAX,
    REGIONS, ROW_MAX, RegionSums, WEIGHT_SHIFT,
};
