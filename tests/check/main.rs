//! `check` from outside: each of its checks fails where a toy brain has the fault that it looks for, and
//! none fails where it has none.
//!
//! The toy brain is this very test program (see [`toy`]), which is why the test has its own `main`.

mod faults;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod toy;

use libtest_mimic::{Arguments, Trial};

/// Tests at a time, unless the command line says another number: they wait for most of it.
const AT_A_TIME: usize = 6;

/// Functions of [`faults`] as tests of the same names.
macro_rules! tests {
    ($($(#[$attribute:meta])* $name:ident),* $(,)?) => {
        vec![$(
            $(#[$attribute])*
            Trial::test(stringify!($name), || {
                faults::$name();
                Ok(())
            })
        ),*]
    };
}

fn main() {
    if let Ok(fault) = std::env::var(toy::VARIABLE) {
        toy::run(&fault);
        return;
    }
    #[cfg(unix)]
    signals::give_children_default_signals();
    let mut trials = tests![
        every_check_has_a_fault,
        a_toy_without_faults_fails_nothing,
        a_fault_fails_no_check_of_something_else,
        each_manager_reads_in_its_own_way,
        #[cfg(unix)]
        files_are_found_from_other_folders,
        a_file_beside_the_program_is_seen,
        a_reader_that_leaves_changes_no_verdict,
        zips_are_checked,
        words_that_mean_nothing_are_refused,
        a_brain_that_cannot_run_is_one_error,
        an_interrupt_leaves_no_brain_behind,
        the_page_tells_of_the_failure,
    ];
    trials.extend(faults::FAULTS.iter().map(|&(check, fault)| {
        Trial::test(format!("{check} sees {fault}"), move || {
            faults::is_seen(check, fault);
            Ok(())
        })
    }));
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_A_TIME);
    libtest_mimic::run(&arguments, trials).exit();
}
