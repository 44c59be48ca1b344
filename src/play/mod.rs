//! The board for people: a page in the browser and a text board in the terminal.
//!
//! Both show the same [`game::Game`], which knows nothing of either: moves with undo and redo,
//! opening choices, clocks, how it ended and what to say about it. Whoever plays by himself is
//! asked through [`players`].

pub mod clock;
mod files;
pub mod game;
pub mod notation;
pub mod opening;
pub mod players;
mod room;
pub mod server;
pub mod setup;
pub mod status;
mod view;
mod wire;
mod worker;

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use clap::Args;

use room::House;
use server::Server;

/// Play and analyse: a page in the browser, or a board in the terminal with `--text`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// Port of the page; 0 takes any free one [default: 15015, or any if that is taken].
    #[arg(long)]
    port: Option<u16>,
    /// Address to listen on. Anything but the loopback lets other machines play here.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Do not open the browser.
    #[arg(long)]
    no_browser: bool,
    /// Transposition table per game, in megabytes.
    #[arg(long, default_value_t = 64, value_name = "MB")]
    hash: usize,
    /// Threads per search.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The same port every time keeps links and the browser's memory of settings.
const USUAL_PORT: u16 = 15015;

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo play                      open the board in the browser
  pbrain-kakugo play --port 8080 --no-browser
";

/// Run `play`.
///
/// # Errors
/// The page cannot be served.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let house =
        House { engines: Vec::new(), hash_bytes: args.hash << 20, threads: args.threads.max(1) };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    runtime.block_on(async {
        let server = match args.port {
            Some(port) => Server::bind(args.host, port, house).await?,
            None => match Server::bind(args.host, USUAL_PORT, house.clone()).await {
                Ok(server) => server,
                Err(_) => Server::bind(args.host, 0, house).await?,
            },
        };
        let url = server.url();
        println!("Kakugo plays at {url}  (Ctrl-C ends)");
        if !args.no_browser && open::that_detached(&url).is_err() {
            println!("Open that address in a browser.");
        }
        tokio::select! {
            served = server.run() => served,
            interrupted = tokio::signal::ctrl_c() => interrupted.context("waiting for Ctrl-C"),
        }
    })
}
