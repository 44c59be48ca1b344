//! The monotonic clock. The standard library has none for WebAssembly in a browser, so the crate
//! `web-time` asks the page's clock there.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;
