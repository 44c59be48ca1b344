//! `match` from outside: the real program plays toy engines that fail in every way we know.
//!
//! The toy engine is this very test program (see [`toy`]), so nothing but tests carries it; that is
//! why the test has its own `main`.

mod faults;
mod field;
mod formats;
mod rules;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod stops;
mod toy;

use libtest_mimic::{Arguments, Trial};

fn main() {
    if let Ok(behaviour) = std::env::var(toy::VARIABLE) {
        toy::run(&behaviour);
        return;
    }
    #[cfg(unix)]
    signals::give_children_default_signals();
    let tests: Vec<(&str, fn())> =
        [faults::TESTS, rules::TESTS, stops::TESTS, formats::TESTS].concat();
    let trial = |(name, test): (&'static str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().map(trial).collect()).exit();
}

/// The named functions as a list of tests.
#[macro_export]
macro_rules! tests {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        pub const TESTS: &[(&str, fn())] = &[$($(#[$attribute])* (stringify!($name), $name)),*];
    };
}
