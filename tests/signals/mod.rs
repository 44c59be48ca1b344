//! What the programs that a test starts do with signals.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

/// Let children begin with the default action of Ctrl-C, also where this test was started with
/// it ignored (by `&` in a script, say). What is ignored stays so in a new program, while what
/// has a handler gets its default action back.
pub fn give_children_default_signals() {
    static HANDLER: Once = Once::new();
    let (signal, armed) = (signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(true)));
    HANDLER.call_once(|| {
        signal_hook::flag::register_conditional_shutdown(signal, 130, armed)
            .expect("signals can be handled");
    });
}
