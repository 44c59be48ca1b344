//! The protocol on this process's own stdin and stdout.

use std::io::{self, IsTerminal, Write};
use std::{panic, thread};

use super::session::{SessionArgs, serve};
use super::stdout_closed::wait_for_closed_stdout;

/// Speak the protocol on stdin and stdout. Where the system tells that stdout has no reader any more,
/// `exit` is called, which must not return.
///
/// stderr stays silent, since some managers take it for answers; only a person at a terminal is
/// told what this is. The search's panics go to the log.
///
/// # Errors
/// A thread cannot be started.
pub fn speak(setup: SessionArgs, exit: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if io::stdin().is_terminal() {
        let greeting = "pbrain-kakugo speaks the Gomocup protocol: try START 15, BEGIN, TURN 7,8, END.\n\
                        For other uses see --help.\n";
        let _ = io::stderr().write_all(greeting.as_bytes());
    }
    thread::Builder::new().name("stdout-watch".to_owned()).spawn(|| {
        if wait_for_closed_stdout() {
            exit();
        }
    })?;
    serve(io::stdin(), io::stdout(), setup)
}
