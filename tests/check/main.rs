//! End-to-end tests of `check`: each check fails for a toy engine with the fault it tests, and no
//! check fails for a toy without faults.
//!
//! The toy engine is this test program itself (see [`toy`]), so the test has its own `main`.

mod faults;
#[cfg(unix)]
#[path = "../signals/mod.rs"]
mod signals;
mod toy;

use libtest_mimic::{Arguments, Trial};

/// Default number of concurrent tests. They spend most of their time waiting.
const TEST_THREADS: usize = 6;

/// Lists functions of [`faults`] as tests.
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
        a_toy_without_faults_passes_all_checks,
        a_fault_does_not_fail_unrelated_checks,
        replies_are_parsed_like_each_manager_does,
        text_after_ok_passes_all_checks_of_tolerant_managers,
        endless_output_after_a_move_fails_a_check,
        a_move_in_the_wrong_form_is_explained,
        checks_of_an_engine_that_does_not_start_are_skipped,
        #[cfg(unix)]
        files_are_found_from_other_folders,
        a_file_beside_the_program_is_reported,
        a_closed_pipe_does_not_change_the_exit_code,
        zips_are_checked,
        invalid_arguments_are_rejected,
        an_engine_that_cannot_run_is_a_single_error,
        an_interrupt_ends_all_engines,
        the_report_shows_the_failure,
    ];
    // The last checks take longest, so they begin first of these.
    let faults = faults::FAULTS.iter().rev().map(|&(check, fault)| {
        Trial::test(format!("{check} detects {fault}"), move || {
            faults::is_detected(check, fault);
            Ok(())
        })
    });
    trials.extend(faults);
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(TEST_THREADS);
    libtest_mimic::run(&arguments, trials).exit();
}
