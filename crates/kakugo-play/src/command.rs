//! `pbrain-kakugo play`: the command line, and the start of the board that it asks for.

use std::io::{self, BufReader, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use kakugo::board::{Rule, Size, Variant};
use kakugo::player::Resources;
use kakugo::search::Networks;
use kakugo_cli::arguments::hash_megabytes;
use kakugo_cli::ctrl_c::{self, INTERRUPTED};
use kakugo_cli::stderr::note;
use kakugo_cli::units::{Time, parse_minutes, parse_seconds};
use kakugo_cli::usage::usage;
use kakugo_play_core::game::opening::Opening;
use kakugo_play_core::game::setup::{ByoYomi, Seat, Setup, TimeControl};
use kakugo_play_core::room::RoomSettings;
use kakugo_protocol::client::{self, EngineConfig, Process};
use kakugo_record::Game;
use kakugo_record::analysis::drawing::Style;

use crate::engines::{self, EngineList};
use crate::host::Host;
use crate::openings;
use crate::pool::PoolSettings;
use crate::server::{Addresses, MAX_LOCAL_FILE, MAX_REMOTE_FILE, Server, qr_code};
use crate::storage::store::Store;
use crate::terminal;
use crate::terminal::keyboard::Keyboard;
use crate::terminal::lines::Lines;
use crate::terminal::practice::collection::{Collection, PACK};
use crate::terminal::practice::progress::Progress;
use crate::terminal::practice::{self, Judge, PracticeSettings};

/// Play and analyse: a board in the browser, or in the terminal with --text.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayArgs {
    /// Play in the terminal instead of the browser.
    #[arg(long)]
    text: bool,
    /// Rule: freestyle, standard, renju, caro, caro-overline (caro where six or more win, too)
    /// [default: freestyle].
    #[arg(long)]
    rule: Option<Rule>,
    /// Stones in a row that win, 3 to 6 (freestyle and standard).
    #[arg(long, default_value_t = 5, alias = "win-length")]
    win: u8,
    /// Size of the board: 15, 19x13, ..; 3 to 32 each way.
    #[arg(long, default_value = "15")]
    size: Size,
    /// Black: human, kakugo, a level 1 to 10, or engine1, engine2, .. of --engine.
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    black: String,
    /// White [default: kakugo, in the terminal at full strength; on the browser board the level
    /// that you have played last, 3 at first].
    #[arg(long, value_name = "PLAYER")]
    white: Option<String>,
    /// Names of the players.
    #[arg(long, num_args = 2, value_names = ["BLACK", "WHITE"])]
    names: Option<Vec<String>>,
    /// Opening: free, centre, pro, long-pro, swap, swap2, rif, yamaguchi, soosorv-8, taraguchi-10.
    #[arg(long, default_value = "free")]
    opening: String,
    /// Thinking time of a computer per move if there are no clocks: seconds, or with a unit, such
    /// as 500ms.
    #[arg(long, default_value = "2", value_name = "SECONDS", value_parser = parse_seconds)]
    think: Time,
    /// Time for the review of a game, without the searches that verify its claims.
    #[arg(long, default_value = "20", value_name = "SECONDS", value_parser = parse_seconds)]
    review_time: Time,
    /// Clock: time per move, in seconds or with a unit, such as 1m.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    turn_time: Option<Time>,
    /// Clock: time per game, in minutes or with a unit, such as 90s.
    #[arg(long, value_name = "MINUTES", value_parser = parse_minutes)]
    game_time: Option<Time>,
    /// Clock: byo-yomi after the time per game: number of periods and length of one, such as 5x30s.
    /// A move within a period costs nothing.
    #[arg(long, value_name = "PERIODSxTIME", value_parser = parse_byo_yomi)]
    byo_yomi: Option<ByoYomi>,
    /// Clock: time added after each move, in seconds or with a unit; with --game-time.
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, requires = "game_time")]
    increment: Option<Time>,
    /// Another engine that speaks the Gomocup protocol: a command line, and key=value words as for
    /// `match`, such as "./pbrain-other pause=30ms". May be given several times.
    #[arg(long, value_name = "COMMAND")]
    engine: Vec<String>,
    /// Transposition table per concurrent search, in MB. The browser board needs at most 20 MB +
    /// (search threads / threads) x (this + 16 MB x threads), however many games are open.
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = hash_megabytes)]
    hash: u32,
    /// Threads per search.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Search threads of the browser board, shared by all tabs [default: number of cores]. Searches
    /// that find none free wait in a queue: moves go first, then hints, reviews and live analysis.
    #[arg(long, value_name = "N", conflicts_with = "text", value_parser = clap::value_parser!(u32).range(1..=1024))]
    search_threads: Option<u32>,
    /// Evaluate with the network in FILE (`none`: classical evaluation).
    #[arg(long = "net", value_name = "FILE")]
    networks: Option<Networks>,
    /// Port of the browser board; 0 selects a free one [default: 15015, or a free one if that is
    /// taken].
    #[arg(long, conflicts_with = "text")]
    port: Option<u16>,
    /// Address to listen on; 0.0.0.0 is all of this machine. Any address but the loopback lets
    /// other machines play here.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
        value_parser = parse_address,
        conflicts_with = "text"
    )]
    host: IpAddr,
    /// Do not open the browser.
    #[arg(long, conflicts_with = "text")]
    no_browser: bool,
    /// Save the games of the browser board in this folder instead of the user's data folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "text")]
    games: Option<PathBuf>,
    /// Explore the openings of these files and folders in the browser: .lib, .sgf, .psq, .rec,
    /// .pos, .rif, .jsonl of the match runner. May be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "text")]
    explore: Vec<PathBuf>,
    /// Practise problems in the terminal: the built-in ones (`pack`, or `pack` with --rule), or the
    /// positions of a file or a folder. The results are kept in the user's data folder.
    #[arg(long, value_name = "FILE", requires = "text")]
    problems: Option<PathBuf>,
    /// Do not save games and results of practice: they end with the program.
    #[arg(long, conflicts_with = "games")]
    no_games: bool,
}

const EXAMPLES: &str = "\
Examples:
  pbrain-kakugo play                                   the board in the browser
  pbrain-kakugo play --rule renju --white 5            against level 5
  pbrain-kakugo play --engine ./pbrain-other --white engine1
  pbrain-kakugo play --port 8080 --no-browser
  pbrain-kakugo play --games ~/gomoku                  games are saved as SGF files in this folder
  pbrain-kakugo play --explore openings.lib            openings: how often each move was played
  pbrain-kakugo play --text                            the board in the terminal (try: help)
  pbrain-kakugo play --text --white human --size 13    two people at one keyboard
  pbrain-kakugo play --text --size 7x6 --win 4 --names Ann Bob --white human
  printf 'h8\\nquit\\n' | pbrain-kakugo play --text --white 3
  printf 'h8\\nstop\\nmoves\\n' | pbrain-kakugo play --text   stop: play at once
  pbrain-kakugo play --text --problems pack            practise the built-in problems
  pbrain-kakugo play --text --problems club.sgf --rule renju
";

/// Time from the beginning of a computer's turn before which its move is not played, unless the
/// browser sets another: people see that it has moved, and where.
const ANSWER_PAUSE: Duration = Duration::from_millis(600);

/// The default port. Links and the settings in the browser stay valid with the same port.
const DEFAULT_PORT: u16 = 15015;

/// Parses periods of byo-yomi, such as `5x30s`. A number without a unit is in seconds.
fn parse_byo_yomi(text: &str) -> Result<ByoYomi, String> {
    let parse = || {
        let (periods, time) = text.split_once('x')?;
        let periods = periods.trim().parse().ok()?;
        Some(ByoYomi { periods, period: parse_seconds(time).ok()?.0 })
    };
    parse().ok_or_else(|| format!("invalid byo-yomi '{text}': expected e.g. 5x30s or 3x1m"))
}

/// Parses an address to listen on.
fn parse_address(text: &str) -> Result<IpAddr, &'static str> {
    text.parse().map_err(|_| "expected an IP address, such as 127.0.0.1 or 0.0.0.0")
}

/// Returns the words that `--opening` accepts.
pub fn opening_words() -> Vec<&'static str> {
    Opening::ALL.map(Opening::word).to_vec()
}

/// Runs `play`.
///
/// # Errors
/// Returns an error if an argument is invalid, an engine cannot be run, or the server fails.
pub fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let configs = configure_engines(args).map_err(usage)?;
    let engines: Vec<String> = configs.iter().map(|config| config.name.clone()).collect();
    let setup = setup(args, &engines).map_err(usage)?;
    configs.iter().try_for_each(Process::ensure_runs)?;
    let configs = EngineList::new(configs);
    let (hash_bytes, threads) = ((args.hash as usize) << 20, args.threads as usize);
    let networks = args.networks.clone().unwrap_or_default();
    let resources = Resources { hash_bytes, threads, networks };
    if let Some(path) = &args.problems {
        return practise(args, path, &resources);
    }
    if args.text {
        return play_text(setup, engines, resources, configs);
    }
    let store = store(args)?;
    if let Some(missing) = args.explore.iter().find(|path| !path.exists()) {
        anyhow::bail!("no such file or folder: {}", missing.display());
    }
    let cores = || available_parallelism().map_or(1, NonZero::get);
    let search_threads = args.search_threads.map_or_else(cores, |threads| threads as usize);
    let pool = PoolSettings { search_threads, resources, engines: configs };
    log::info!(
        "{} searches at the same time, {} MB of transposition tables at most",
        pool.workers(),
        pool.max_table_bytes() >> 20
    );
    let pattern = Game::new(setup.width, setup.height, setup.variant);
    let settings = RoomSettings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines,
        setup,
        player_level: args.white.is_none(),
        answer_pause: ANSWER_PAUSE,
        review_time: args.review_time.0,
        saves: store.is_some(),
        explores: !args.explore.is_empty(),
        max_local_file: MAX_LOCAL_FILE,
        max_remote_file: MAX_REMOTE_FILE,
    };
    let host = Host::start(settings, &pool, store).context("starting the search threads")?;
    if !args.explore.is_empty() {
        let reader = Arc::clone(&host);
        openings::read(args.explore.clone(), pattern, move |book| reader.set_book(book))
            .context("reading openings")?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    runtime.block_on(serve(args, host))
}

async fn serve(args: &PlayArgs, host: Arc<Host>) -> anyhow::Result<()> {
    let bind = |port| Server::bind(args.host, port, Arc::clone(&host));
    let server = match args.port {
        Some(port) => bind(port).await?,
        None => match bind(DEFAULT_PORT).await {
            Ok(server) => server,
            // An error with any port is an error with the default one.
            Err(error) => bind(0).await.map_err(|_| error)?,
        },
    };
    let addresses = server.addresses();
    let mut words = format!("Kakugo plays at {}  (Ctrl-C ends)\n", addresses.first());
    if !args.no_browser && open::that_detached(addresses.first()).is_err() {
        words += "Open that address in a browser.\n";
    }
    if !args.host.is_loopback() {
        words += &for_others(&addresses);
    }
    // The board is served even if nobody reads this any more.
    let _ = io::stdout().write_all(words.as_bytes());
    let ended = tokio::select! {
        served = server.run() => served,
        interrupted = tokio::signal::ctrl_c() => interrupted.context("waiting for Ctrl-C"),
        () = terminated() => Ok(()),
    };
    host.shut_down();
    ended
}

/// Returns the addresses for other machines. A terminal gets a QR code of the first one.
fn for_others(addresses: &Addresses) -> String {
    let Some(first) = addresses.network.first() else {
        return "No network address was found for other machines.\n".to_owned();
    };
    let mut words = String::from("Anyone who can reach this machine can play here:\n");
    for url in &addresses.network {
        words += &format!("  {url}\n");
    }
    let is_terminal = io::stdout().is_terminal();
    let style = Style::of_terminal(is_terminal, |name| std::env::var_os(name));
    words += &qr_code(first, style).filter(|_| is_terminal).unwrap_or_default();
    words
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

/// Returns the folder of saved games. Without a usable data folder no games are saved, with a note.
///
/// # Errors
/// Returns an error if the folder of `--games` cannot be used.
fn store(args: &PlayArgs) -> anyhow::Result<Option<Store>> {
    if args.no_games {
        return Ok(None);
    }
    if let Some(folder) = &args.games {
        let shown = folder.display();
        anyhow::ensure!(
            !folder.is_file(),
            "cannot save games in {shown}: expected a folder, not a file"
        );
        let store = Store::open(folder.clone());
        return store.map(Some).with_context(|| format!("cannot save games in {shown}"));
    }
    let Some(folder) = data_folder("games") else {
        note("Games are not saved: the user's data folder was not found (use --games FOLDER).");
        return Ok(None);
    };
    let shown = folder.display().to_string();
    let store = Store::open(folder);
    Ok(store.map_err(|error| note(format_args!("Games are not saved: {shown}: {error}."))).ok())
}

/// Returns a folder in the user's data folder.
fn data_folder(name: &str) -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "kakugo")?;
    Some(folders.data_dir().join(name))
}

/// Runs a practice of problems in the terminal.
fn practise(args: &PlayArgs, path: &Path, resources: &Resources) -> anyhow::Result<()> {
    let is_pack = path == Path::new(PACK) && !path.exists();
    let rule = args.rule.unwrap_or(Rule::Freestyle);
    let collection = if is_pack {
        Collection::of_pack(args.rule).map_err(usage)?
    } else {
        Collection::read(path, Variant::new(rule, args.win).map_err(|error| usage(error.into()))?)?
    };
    let at_keyboard = io::stdin().is_terminal();
    let style = Style::of_terminal(io::stdout().is_terminal(), |name| std::env::var_os(name));
    let progress = progress(args, &collection.id);
    let judge = Judge::new(resources.hash_bytes, &resources.networks, args.think.0);
    let settings = PracticeSettings { collection, progress, judge, style, at_keyboard };
    let ended = match Keyboard::open() {
        Some((keyboard, output)) => practice::run(settings, Lines::typed_at(keyboard)?, output),
        None => {
            let lines = Lines::read_from(BufReader::new(io::stdin()))?;
            practice::run(settings, lines, io::stdout().lock())
        }
    };
    ended.context("using the terminal")
}

/// Returns the results of a collection so far. Without a usable folder they are not kept, with a
/// note.
fn progress(args: &PlayArgs, id: &str) -> Progress {
    if args.no_games {
        return Progress::unsaved();
    }
    let Some(folder) = data_folder("practice") else {
        note("Results are not saved: the user's data folder was not found.");
        return Progress::unsaved();
    };
    Progress::open(&folder, id).unwrap_or_else(|error| {
        note(format_args!("Results are not saved: {}: {error}.", folder.display()));
        Progress::unsaved()
    })
}

/// Runs the terminal board.
fn play_text(
    setup: Setup,
    engines: Vec<String>,
    resources: Resources,
    configs: EngineList,
) -> anyhow::Result<()> {
    if !engines.is_empty() {
        // They have a process group of their own, which the terminal does not interrupt.
        ctrl_c::on_interrupt(|| {
            client::kill_engines();
            std::process::exit(INTERRUPTED.into());
        })
        .context("watching for Ctrl-C")?;
    }
    let at_keyboard = io::stdin().is_terminal();
    let style = Style::of_terminal(io::stdout().is_terminal(), |name| std::env::var_os(name));
    let pool = PoolSettings { search_threads: resources.threads, resources, engines: configs };
    let settings = terminal::Settings { setup, engines, pool, style, at_keyboard };
    let ended = match Keyboard::open() {
        Some((keyboard, output)) => terminal::run(settings, Lines::typed_at(keyboard)?, output),
        None => {
            let lines = Lines::read_from(BufReader::new(io::stdin()))?;
            terminal::run(settings, lines, io::stdout().lock())
        }
    };
    ended.context("using the terminal")
}

/// Returns the other engines.
fn configure_engines(args: &PlayArgs) -> anyhow::Result<Vec<EngineConfig>> {
    let this_program = std::env::current_exe().unwrap_or_default();
    args.engine.iter().map(|words| engines::configure(words, &this_program)).collect()
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
        variant: Variant::new(args.rule.unwrap_or(Rule::Freestyle), args.win)?,
        seats: [black?, white?],
        opening: Opening::from_word(&args.opening).with_context(|| {
            let words = opening_words().join(", ");
            format!("unknown opening '{}': expected one of {words}", args.opening)
        })?,
        time: TimeControl {
            turn: args.turn_time.map(|time| time.0),
            game: args.game_time.map(|time| time.0),
            increment: args.increment.map_or(Duration::ZERO, |time| time.0),
            byoyomi: args.byo_yomi,
        },
        thought: args.think.0,
        ..Setup::default()
    };
    Ok(setup.checked(engines)?)
}
