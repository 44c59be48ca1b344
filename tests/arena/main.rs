//! `match` from outside: the real program plays toy engines that fail in every way we know.
//!
//! The toy engine is this very test program (see [`toy`]), so nothing but tests carries it; that is
//! why the test has its own `main`.

mod faults;
mod field;
mod formats;
mod rules;
mod stops;
mod toy;

use libtest_mimic::{Arguments, Trial};

fn main() {
    if let Ok(behaviour) = std::env::var(toy::VARIABLE) {
        toy::run(&behaviour);
        return;
    }
    // What has a handler gets its default action back in a child, also where this program was started with
    // Ctrl-C ignored, by `&` in a script.
    #[cfg(unix)]
    signal_hook::flag::register_conditional_shutdown(
        signal_hook::consts::SIGINT,
        130,
        std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true)),
    )
    .expect("signals can be handled");
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
    ($($name:ident),* $(,)?) => {
        pub const TESTS: &[(&str, fn())] = &[$((stringify!($name), $name)),*];
    };
}
