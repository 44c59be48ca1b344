//! A session on the stdin and stdout of this process.

use std::io::{self, IsTerminal, Write};
use std::{panic, thread};

use crate::session::{SessionArgs, serve};
use crate::stdout_closed::wait_for_closed_stdout;

/// Runs a session on stdin and stdout. Calls `exit`, which must not return, as soon as the system
/// reports that the reader of stdout is gone.
///
/// stderr stays silent, because some managers read it as replies. Only if stdin is a terminal, a
/// greeting is printed. Panics of the search go to the log.
///
/// # Errors
/// Returns an error if a thread cannot be started.
pub fn serve_stdio(args: SessionArgs, exit: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
    panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    if io::stdin().is_terminal() {
        let greeting = "This is a Gomocup protocol session. Try START 15, BEGIN, TURN 7,8, END.\n\
                        For other commands see `pbrain-kakugo --help`.\n";
        let _ = io::stderr().write_all(greeting.as_bytes());
    }
    thread::Builder::new().name("stdout-watch".to_owned()).spawn(|| {
        if wait_for_closed_stdout() {
            exit();
        }
    })?;
    serve(io::stdin(), io::stdout(), args)
}
