//! End-to-end tests of `match`: the program plays toy engines with all kinds of faults.
//!
//! The toy engine is this test program itself (see [`toy`]), so the test has its own `main`.

mod faults;
mod folder;
mod formats;
mod rules;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod stops;
mod toy;

use libtest_mimic::{Arguments, Trial};

/// Default number of concurrent tests. Engines that are too slow make them wait.
const TEST_THREADS: usize = 4;

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
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TEST_THREADS);
    libtest_mimic::run(&arguments, tests.into_iter().map(trial).collect()).exit();
}

/// Lists the named functions as tests.
#[macro_export]
macro_rules! tests {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        pub const TESTS: &[(&str, fn())] = &[$($(#[$attribute])* (stringify!($name), $name)),*];
    };
}
