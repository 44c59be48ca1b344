//! The command line: without a subcommand the engine speaks the Gomocup protocol.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A Gomoku engine. Without a subcommand it speaks the Gomocup protocol on stdin and stdout.
#[derive(Parser)]
#[command(name = "pbrain-kakugo", version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

/// What else it can do.
#[derive(Subcommand)]
enum Task {}

fn main() -> ExitCode {
    start_log();
    let outcome = match Arguments::parse().task {
        None => speak_protocol(),
        Some(task) => match task {},
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pbrain-kakugo: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Some managers take stderr for answers, so it stays silent unless `RUST_LOG` or `KAKUGO_LOG`
/// asks; panics go to the log, too.
fn start_log() {
    let asks = |variable: &&&str| std::env::var_os(variable).is_some();
    if let Some(variable) = ["KAKUGO_LOG", "RUST_LOG"].iter().find(asks) {
        env_logger::Builder::from_env(*variable).init();
    }
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

fn speak_protocol() -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        eprintln!("pbrain-kakugo speaks the Gomocup protocol: try START 15, BEGIN, TURN 7,8, END.");
        eprintln!("For other uses see --help.");
    }
    #[cfg(unix)]
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(exit_when_nobody_listens)?;
    kakugo::protocol::serve(io::stdin(), io::stdout())
}

/// End the process when the reader of stdout has gone, which a long search would notice too late.
#[cfg(unix)]
fn exit_when_nobody_listens() {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdout = io::stdout();
    loop {
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) if watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) => {
                std::process::exit(0)
            }
            Err(rustix::io::Errno::INTR) => {}
            _ => return,
        }
    }
}
