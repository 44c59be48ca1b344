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

fn main() {
    if let Ok(fault) = std::env::var(toy::VARIABLE) {
        toy::run(&fault);
        return;
    }
    #[cfg(unix)]
    signals::give_children_default_signals();
    let mut trials = vec![
        Trial::test("every_check_has_a_fault", || {
            faults::every_check_has_a_fault();
            Ok(())
        }),
        Trial::test("a_toy_without_faults_fails_nothing", || {
            faults::a_toy_without_faults_fails_nothing();
            Ok(())
        }),
        Trial::test("a_fault_fails_no_check_of_something_else", || {
            faults::a_fault_fails_no_check_of_something_else();
            Ok(())
        }),
        Trial::test("each_manager_reads_in_its_own_way", || {
            faults::each_manager_reads_in_its_own_way();
            Ok(())
        }),
        #[cfg(unix)]
        Trial::test("files_are_found_from_other_folders", || {
            faults::files_are_found_from_other_folders();
            Ok(())
        }),
        Trial::test("a_file_beside_the_program_is_seen", || {
            faults::a_file_beside_the_program_is_seen();
            Ok(())
        }),
        Trial::test("a_reader_that_leaves_changes_no_verdict", || {
            faults::a_reader_that_leaves_changes_no_verdict();
            Ok(())
        }),
        Trial::test("zips_are_checked", || {
            faults::zips_are_checked();
            Ok(())
        }),
        Trial::test("words_that_mean_nothing_are_refused", || {
            faults::words_that_mean_nothing_are_refused();
            Ok(())
        }),
        Trial::test("a_brain_that_cannot_run_is_one_error", || {
            faults::a_brain_that_cannot_run_is_one_error();
            Ok(())
        }),
        Trial::test("an_interrupt_leaves_no_brain_behind", || {
            faults::an_interrupt_leaves_no_brain_behind();
            Ok(())
        }),
        Trial::test("the_page_tells_of_the_failure", || {
            faults::the_page_tells_of_the_failure();
            Ok(())
        }),
    ];
    trials.extend(faults::FAULTS.iter().map(|&(check, fault)| {
        Trial::test(format!("{check} sees {fault}"), move || {
            faults::is_seen(check, fault);
            Ok(())
        })
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
