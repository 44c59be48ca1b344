//! The monotonic clock. The standard library has none for WebAssembly in a browser: there it is
//! that of the crate `web-time`, or without the feature `web-clock` an import of the module.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown", feature = "web-clock"))]
pub use web_time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown", not(feature = "web-clock")))]
pub use imported::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown", not(feature = "web-clock")))]
mod imported {
    use std::ops::{Add, Sub};
    use std::time::Duration;

    #[allow(unsafe_code)]
    #[link(wasm_import_module = "kakugo")]
    unsafe extern "C" {
        /// Returns the time in milliseconds since any fixed moment.
        safe fn now() -> f64;
    }

    /// A moment of the host's clock, with the methods of the standard library's `Instant` that the
    /// workspace uses.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// Returns the current moment.
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default())
        }

        /// Returns the time since this moment; zero if it is in the future.
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        /// Returns the time since `earlier`; zero if that is later.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// Returns the time since `earlier`; zero if that is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }

        /// Returns this moment plus `time`, if it can be represented.
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }

        /// Returns this moment minus `time`, if it can be represented.
        pub fn checked_sub(&self, time: Duration) -> Option<Instant> {
            self.0.checked_sub(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub<Duration> for Instant {
        type Output = Instant;

        fn sub(self, time: Duration) -> Instant {
            Instant(self.0.saturating_sub(time))
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.duration_since(earlier)
        }
    }
}
