//! Signal actions of the programs that a test starts.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

/// Gives child processes the default action of Ctrl-C, even if this test was started with it
/// ignored (by `&` in a script). A new program inherits ignored signals, but a signal with a
/// handler gets its default action.
pub fn give_children_default_signals() {
    static HANDLER: Once = Once::new();
    let (signal, armed) = (signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(true)));
    HANDLER.call_once(|| {
        signal_hook::flag::register_conditional_shutdown(signal, 130, armed)
            .expect("signals can be handled");
    });
}
