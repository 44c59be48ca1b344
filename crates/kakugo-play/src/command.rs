//! `pbrain-kakugo play`: the arguments, and which board they ask for.

use std::io::{self, BufReader, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use kakugo::board::{Rule, Size, Variant};
use kakugo_cli::ctrl_c::{self, INTERRUPTED};
use kakugo_protocol::client::{self, EngineConfig, Process};
use kakugo_record::analysis::drawing::Style;

use super::computers::Computers;
use super::engine_player;
use super::game::opening::Opening;
use super::game::setup::{Seat, Setup, TimeControl};
use super::kept::store::Store;
use super::page::server::Server;
use super::rooms::openings::Openings;
use super::rooms::room::RoomSettings;
use super::terminal::board::Terminal;
use super::terminal::keyboard::Keyboard;
use super::terminal::lines::Lines;
use kakugo::player::{Resources, Thread};
use kakugo::search::Networks;
use kakugo_cli::stderr::note;
use kakugo_cli::units::{Time, parse_minutes, parse_seconds};
use kakugo_cli::usage::usage;
use kakugo_record::Game;

/// Play and analyse: a page in the browser, or a board in the terminal with --text.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// Play in the terminal instead of the browser.
    #[arg(long)]
    text: bool,
    /// Rule: freestyle, standard, renju, caro, caro-overline (caro where six or more win, too).
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// Stones in a row that win, 3 to 6 (freestyle and standard).
    #[arg(long, default_value_t = 5, alias = "win-length")]
    win: u8,
    /// Size of the board: 15, 19x13, ..; 3 to 32 each way.
    #[arg(long, default_value = "15")]
    size: Size,
    /// Who plays Black: human, kakugo, a level 1 to 10, or engine1, engine2, .. of --engine.
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    black: String,
    /// Who plays White [default: kakugo; on the page in the very first game a gentle level].
    #[arg(long, value_name = "PLAYER")]
    white: Option<String>,
    /// Names of the players.
    #[arg(long, num_args = 2, value_names = ["BLACK", "WHITE"])]
    names: Option<Vec<String>>,
    /// Opening: free, centre, pro, long-pro, swap, swap2.
    #[arg(long, default_value = "free")]
    opening: String,
    /// Time that a computer thinks per move where there are no clocks: seconds, or with a unit, such as 500ms.
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = parse_seconds)]
    think: Time,
    /// Clock: time per move, in seconds or with a unit, such as 1m.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    turn_time: Option<Time>,
    /// Clock: time per game, in minutes or with a unit, such as 90s.
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    game_time: Option<Time>,
    /// Another engine that speaks the Gomocup protocol: a command line, or key=value words as for
    /// `match`. May be given several times.
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// Transposition table per game, in megabytes.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Threads per search.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Value positions with the network in this file, or `none` with none.
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<Networks>,
    /// Port of the page; 0 takes any free one [default: 15015, or any if that is taken].
    #[arg(long, conflicts_with = "text")]
    port: Option<u16>,
    /// Address to listen on. Anything but the loopback lets other machines play here.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), conflicts_with = "text")]
    host: IpAddr,
    /// Do not open the browser.
    #[arg(long, conflicts_with = "text")]
    no_browser: bool,
    /// Keep the page's games in this folder instead of the user's data folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "text")]
    games: Option<PathBuf>,
    /// Explore the openings of these files and folders on the page: .lib, .sgf, .psq, .rec, .pos,
    /// .jsonl of the match runner. May be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "text")]
    explore: Vec<PathBuf>,
    /// Keep no games: they end with the program.
    #[arg(long, conflicts_with = "games")]
    no_games: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo play                                   the board in the browser
  pbrain-kakugo play --rule renju --white 5            against level 5
  pbrain-kakugo play --engine ./pbrain-other --white engine1
  pbrain-kakugo play --port 8080 --no-browser
  pbrain-kakugo play --games ~/gomoku                  the page's games as SGF files in that folder
  pbrain-kakugo play --explore openings.lib            what was played in each position
  pbrain-kakugo play --text                            the board in the terminal (try: help)
  pbrain-kakugo play --text --white human --size 13    two people at one keyboard
  pbrain-kakugo play --text --size 7x6 --win 4 --names Ann Bob --white human
  printf 'h8\\nquit\\n' | pbrain-kakugo play --text --white 3
  printf 'h8\\nstop\\nmoves\\n' | pbrain-kakugo play --text   stop: play at once
";

/// The same port every time keeps links and the browser's memory of settings.
const USUAL_PORT: u16 = 15015;

/// The words that `--opening` takes.
pub fn opening_words() -> Vec<&'static str> {
    Opening::ALL.map(Opening::word).to_vec()
}

/// Run `play`.
///
/// # Errors
/// An argument makes no sense, an engine cannot be run, or the page cannot be served.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let configs = engines(args).map_err(usage)?;
    let names: Vec<String> = configs.iter().map(|config| config.name.clone()).collect();
    let setup = setup(args, &names).map_err(usage)?;
    configs.iter().try_for_each(Process::ensure_runs)?;
    let (hash_bytes, threads) = ((args.hash as usize) << 20, args.threads as usize);
    let resources =
        Resources { hash_bytes, threads, networks: args.networks.clone().unwrap_or_default() };
    if args.text {
        return play_text(setup, names, resources, configs);
    }
    let store = store(args);
    if let Some(missing) = args.explore.iter().find(|path| !path.exists()) {
        anyhow::bail!("there is no file or folder {}", missing.display());
    }
    let gentle = args.white.is_none();
    let pattern = Game::new(setup.width, setup.height, setup.variant);
    let openings = Openings::read(args.explore.clone(), pattern).context("reading openings")?;
    let settings =
        RoomSettings { engines: names, configs, setup, gentle, openings, resources, store };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    runtime.block_on(serve(args, settings))
}

async fn serve(args: &PlayArgs, settings: RoomSettings) -> anyhow::Result<()> {
    let server = match args.port {
        Some(port) => Server::bind(args.host, port, settings).await?,
        None => match Server::bind(args.host, USUAL_PORT, settings.clone()).await {
            Ok(server) => server,
            // What is wrong with any free port is wrong with the usual one.
            Err(error) => Server::bind(args.host, 0, settings).await.map_err(|_| error)?,
        },
    };
    let url = server.url();
    let mut words = format!("Kakugo plays at {url}  (Ctrl-C ends)\n");
    if !args.host.is_loopback() {
        words += "Whoever reaches this address can play here.\n";
    }
    if !args.no_browser && open::that_detached(&url).is_err() {
        words += "Open that address in a browser.\n";
    }
    // The page is served even if nobody reads this any more.
    let _ = io::stdout().write_all(words.as_bytes());
    let keep = server.keeper();
    let ended = tokio::select! {
        served = server.run() => served,
        interrupted = tokio::signal::ctrl_c() => interrupted.context("waiting for Ctrl-C"),
        () = terminated() => Ok(()),
    };
    keep();
    ended
}

/// Returns when the system asks the program to end.
async fn terminated() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut signal) = signal(SignalKind::terminate()) {
            signal.recv().await;
            return;
        }
    }
    std::future::pending::<()>().await;
}

/// Where the page's games are kept; a folder that cannot be had is told and done without.
fn store(args: &PlayArgs) -> Option<Store> {
    if args.no_games {
        return None;
    }
    let of_user = || {
        let folders = directories::ProjectDirs::from("", "", "kakugo")?;
        Some(folders.data_dir().join("games"))
    };
    let Some(folder) = args.games.clone().or_else(of_user) else {
        note("Games are not kept: there is no folder for the user's data (see --games).");
        return None;
    };
    match Store::open(folder.clone()) {
        Ok(store) => Some(store),
        Err(error) => {
            note(format_args!("Games are not kept: {}: {error}.", folder.display()));
            None
        }
    }
}

/// The terminal board.
fn play_text(
    setup: Setup,
    engines: Vec<String>,
    resources: Resources,
    configs: &'static [EngineConfig],
) -> anyhow::Result<()> {
    if !configs.is_empty() {
        // They have a process group of their own: the terminal tells them nothing.
        ctrl_c::on_interrupt(|| {
            client::kill_engines();
            std::process::exit(INTERRUPTED.into());
        })
        .context("watching for Ctrl-C")?;
    }
    let at_keyboard = io::stdin().is_terminal();
    let style = Style::of_terminal(io::stdout().is_terminal(), |name| std::env::var_os(name));
    let computers = Thread::start("computers", move || Computers::new(resources.clone(), configs))
        .context("starting the thinking thread")?;
    let terminal = Terminal::new(setup, engines, computers, style, at_keyboard);
    let ended = match Keyboard::open() {
        Some((keyboard, output)) => terminal.run(&Lines::typed_at(keyboard)?, output),
        None => terminal.run(&Lines::of(BufReader::new(io::stdin()))?, io::stdout().lock()),
    };
    ended.context("talking to the terminal")
}

/// The other engines, for as long as the program runs.
fn engines(args: &PlayArgs) -> anyhow::Result<&'static [EngineConfig]> {
    let this_program = std::env::current_exe().unwrap_or_default();
    let configs: anyhow::Result<Vec<EngineConfig>> =
        args.engine.iter().map(|words| engine_player::configure(words, &this_program)).collect();
    Ok(configs?.leak())
}

fn setup(args: &PlayArgs, engines: &[String]) -> anyhow::Result<Setup> {
    let Size { width, height } = args.size;
    let empty = String::new;
    let names = args.names.clone().unwrap_or_else(|| vec![empty(), empty()]);
    let white = args.white.as_deref().unwrap_or("kakugo");
    let seats = [(&*args.black, 0), (white, 1)].map(|(word, i)| {
        word.parse().map(|player| Seat { player, name: names.get(i).cloned().unwrap_or_default() })
    });
    let [black, white] = seats;
    let setup = Setup {
        width,
        height,
        variant: Variant::new(args.rule, args.win)?,
        seats: [black?, white?],
        opening: Opening::from_word(&args.opening)
            .with_context(|| format!("there is no opening \"{}\" (see --help)", args.opening))?,
        time: TimeControl {
            turn: args.turn_time.map(|time| time.0),
            game: args.game_time.map(|time| time.0),
            increment: Duration::ZERO,
        },
        thought: args.think.0,
    };
    Ok(setup.checked(engines)?)
}
