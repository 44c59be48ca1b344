//! The command line of `match`, and the same options in a TOML file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use serde::Deserialize;

use super::game::Prover;
use super::journal::Journal;
use super::schedule::{self, Shard, Source};
use super::settings::{OpeningOrder, Settings, Symmetry, TournamentFormat};
use super::statistics::Sprt;
use kakugo::board::{Board, Rule, Size, Variant};
use kakugo::score::Score;
use kakugo_cli::run_file;
use kakugo_cli::usage::usage;
use kakugo_protocol::client::{EngineConfig, EngineOptions};

/// Games of a pairing unless said otherwise.
const DEFAULT_GAMES: u32 = 100;
/// The most games of a match that a test is to stop.
const DEFAULT_SPRT_GAMES: u32 = 100_000;
/// Stones that Piskvork leaves room for when it calls a draw: `w * h - 25`.
const GOMOCUP_ROOM: u32 = 25;

/// Values a position for the side to move, by a search of so many nodes.
pub type Evaluate<'a> = &'a (dyn Fn(&Board, u64) -> Score + Sync);

/// What the arena needs from the engine it lives in.
#[derive(Clone, Copy)]
pub struct Services<'a> {
    /// Finds a win by continuous fours, for `--adjudicate`.
    pub prove: Option<Prover<'a>>,
    /// For `--openings balanced:N`.
    pub evaluate: Option<Evaluate<'a>>,
    /// This program's executable, for engines called `self`.
    pub program: &'a Path,
}

/// Arguments of `match`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MatchArgs {
    #[command(subcommand)]
    pub(super) command: Option<Subcommand>,
    #[command(flatten)]
    pub(super) engines: EngineArgs,
    #[command(flatten)]
    pub(super) options: MatchOptions,
    /// Read engines and options from a TOML file; what is given here counts more
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) outputs: Outputs,
}

#[derive(clap::Subcommand, Debug)]
pub(super) enum Subcommand {
    /// Merge record files of one match and report on them
    Report {
        /// Record files (JSON Lines), for instance the shards of one match
        #[arg(required = true)]
        records: Vec<PathBuf>,
        #[command(flatten)]
        outputs: Outputs,
    },
}

/// What is written after a match or a report.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Outputs {
    /// Print the result as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// Write a self-contained page with tables, curves and all games
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all games as one SGF collection
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// Write results and moves as PGN for BayesElo (headers, results and moves in comments)
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write each game as a Piskvork file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub psq: Option<PathBuf>,
    /// Write the moves of each game as a line h8i9.. (row 1 at the top: convert --rows top reads it)
    #[arg(long, value_name = "FILE")]
    pub pos: Option<PathBuf>,
    /// As --pos, with row 1 at the bottom
    #[arg(long, value_name = "FILE")]
    pub pos_bottom: Option<PathBuf>,
}

/// The match itself. Every field may stand in the TOML file, too.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchOptions {
    /// freestyle, standard, renju, caro, caro-overline, or Gomocup's number 0, 1, 4, 9, 8
    /// [default: freestyle]
    #[arg(long)]
    rule: Option<String>,
    /// Board, 15 or 20x12; 3 to 32 each way [default: 15]
    #[arg(long)]
    size: Option<String>,
    /// Stones in a row that win [default: 5]
    #[arg(long, value_name = "N", alias = "win")]
    #[serde(alias = "win")]
    win_length: Option<u8>,
    /// Who plays whom [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<TournamentFormat>,
    /// Games of each pairing, an even number [default: 100, with --sprt 100,000]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// pos:FILE, pos-bottom:FILE (row 1 at the bottom), offset:FILE, or balanced:N for openings that a
    /// search calls even; balanced:N:NODES for a longer search than 10,000 nodes. The name of a file alone
    /// is pos:FILE where it ends in .pos, else offset:FILE
    #[arg(long, value_name = "SOURCE")]
    openings: Option<String>,
    /// Order of the openings [default: sequential]
    #[arg(long, value_enum)]
    order: Option<OpeningOrder>,
    /// Turn openings by the symmetries of the board [default: none]
    #[arg(long, value_enum)]
    symmetry: Option<Symmetry>,
    /// Seed of everything random; printed, and drawn if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The engines agree on openings by swap2
    #[arg(long)]
    swap2: bool,
    /// Stones after which a game is drawn, or "gomocup" for width x height - 25 [default: a full board]
    #[arg(long, value_name = "N")]
    move_limit: Option<String>,
    /// End a game when our solver proves a win by continuous fours
    #[arg(long)]
    adjudicate: bool,
    /// Stop when decided: elo0=0,elo1=5[,alpha=0.05][,beta=0.05][,model=normalized|logistic]
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Games played at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<usize>,
    /// Append every finished game to this file (JSON Lines)
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Continue the match in the record file, if it exists
    #[arg(long)]
    pub(super) resume: bool,
    /// Play part K of N of the schedule
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
}

/// A TOML file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ConfigFile {
    engine: Vec<EngineOptions>,
    each: EngineOptions,
    #[serde(rename = "match")]
    options: MatchOptions,
    output: Outputs,
}

/// `--engine WORD..` and `--each WORD..`, any number of times.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineArgs {
    engines: Vec<Vec<String>>,
    each: Vec<String>,
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let groups = |id| {
            let occurrences = matches.get_occurrences::<String>(id).into_iter().flatten();
            occurrences.map(|words| words.cloned().collect()).collect::<Vec<Vec<String>>>()
        };
        Ok(EngineArgs { engines: groups("engine"), each: groups("each").concat() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let words = |id: &'static str, help: &'static str| {
            Arg::new(id)
                .long(id)
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
                .help(help)
        };
        command
            .arg(words(
                "engine",
                "One engine: cmd=COMMAND (or \"self\"), name=, dir=, turn=5s, match=180s, \
                 increment=, tolerance=1s, nodes=, depth=, memory=350M, threads=, startup=10s, \
                 patience=, pause=, lenient=true, swap2_sides=true, \
                 env.NAME=, info.KEY=",
            ))
            .arg(words("each", "Settings of all engines, in the same words"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

/// Everything a run needs.
pub(super) struct MatchPlan {
    pub settings: Settings,
    pub options: MatchOptions,
    pub outputs: Outputs,
    pub shard: Shard,
}

impl MatchArgs {
    /// Lay command line over file over defaults. `found` is told how many of how many openings are found, where
    /// they are searched for.
    pub(super) fn plan(
        self,
        services: &Services<'_>,
        found: &mut dyn FnMut(usize, usize),
    ) -> Result<MatchPlan> {
        let file = match &self.config {
            Some(path) => read_config(path)?,
            None => ConfigFile::default(),
        };
        let engines = self.engines.laid_over(file.engine, &file.each, services.program);
        let options = self.options.over(file.options);
        let shard = options.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse);
        let shard = shard.map_err(|why: String| usage(anyhow::Error::msg(why)))?;
        options.ensure_sound().map_err(usage)?;
        let seed = options.seed.map_or_else(|| options.own_seed(shard), Ok)?;
        let mut settings =
            engines.and_then(|engines| options.settings(engines, seed)).map_err(usage)?;
        let outputs = self.outputs.over(file.output);
        outputs.ensure_writable()?;
        settings.openings = options.read_openings(&settings, services, found)?;
        Ok(MatchPlan { settings, options, outputs, shard })
    }
}

impl EngineArgs {
    /// The engines, those of the command line before those of the file.
    fn laid_over(
        &self,
        file: Vec<EngineOptions>,
        file_each: &EngineOptions,
        program: &Path,
    ) -> Result<Vec<EngineConfig>> {
        let each = EngineOptions::from_words(&self.each)?.over(file_each);
        let given = self.engines.iter().map(|words| EngineOptions::from_words(words));
        let given = given.collect::<Result<Vec<_>>>()?;
        let engines = if given.is_empty() { file } else { given };
        let own_commands = !engines.is_empty() && engines.iter().all(|engine| engine.cmd.is_some());
        // A word alone is a command, which nobody would run.
        if let Some(word) = self.each.iter().find(|word| each.cmd.as_ref() == Some(word)) {
            ensure!(!own_commands, "\"{word}\" is no setting: key=value, such as turn=100ms");
        }
        engines.into_iter().map(|engine| engine.over(&each).resolve(program)).collect()
    }
}

impl MatchOptions {
    /// What is to be played, without openings.
    fn settings(&self, engines: Vec<EngineConfig>, seed: u64) -> Result<Settings> {
        let Size { width, height } = self.size.as_deref().unwrap_or("15").parse()?;
        let rule = self.rule.as_deref().unwrap_or("freestyle").parse::<Rule>()?;
        let variant = Variant::new(rule, self.win_length.unwrap_or(5))?;
        let sprt = self.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        let sprt = sprt.map_err(anyhow::Error::msg)?;
        let default_games = if sprt.is_some() { DEFAULT_SPRT_GAMES } else { DEFAULT_GAMES };
        let settings = Settings {
            width,
            height,
            rule: rule.number(),
            win_length: variant.win_length(),
            format: self.format.unwrap_or(TournamentFormat::RoundRobin),
            games: self.games.unwrap_or(default_games),
            engines,
            seed,
            swap2: self.swap2,
            openings: Vec::new(),
            generated: self.generated(),
            move_limit: self.move_limit(width, height)?,
            adjudicate: self.adjudicate,
            sprt,
        };
        settings.check()?;
        Ok(settings)
    }
}

fn read_config(path: &Path) -> Result<ConfigFile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {shown}"))?;
    // Its words are arguments in another place.
    toml::from_str(&text)
        .map_err(|error| usage(anyhow!("in {shown}: {}", error.to_string().trim_end())))
}

impl Outputs {
    /// What cannot be written in the end is told before anything is played.
    fn ensure_writable(&self) -> Result<()> {
        if let Some(folder) = &self.psq {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("making the folder {}", folder.display()))?;
        }
        let files = [&self.html, &self.sgf, &self.pgn, &self.pos, &self.pos_bottom];
        files.into_iter().flatten().try_for_each(|path| run_file::ensure_writable(path))
    }

    fn over(self, base: Outputs) -> Outputs {
        Outputs {
            json: self.json || base.json,
            html: self.html.or(base.html),
            sgf: self.sgf.or(base.sgf),
            pgn: self.pgn.or(base.pgn),
            psq: self.psq.or(base.psq),
            pos: self.pos.or(base.pos),
            pos_bottom: self.pos_bottom.or(base.pos_bottom),
        }
    }
}

impl MatchOptions {
    /// What was written of the match that is continued.
    fn continued(&self) -> Result<Option<Journal>> {
        let path = self.record.as_deref().filter(|path| self.resume && path.exists());
        Ok(path.map(Journal::read_begun).transpose()?.flatten())
    }

    /// The seed of the match that is continued, or else a new one.
    fn own_seed(&self, shard: Shard) -> Result<u64> {
        if let Some(before) = self.continued()? {
            return Ok(before.settings.seed);
        }
        if shard != Shard::WHOLE {
            let why =
                "parts of a match (--shard) belong together only by the same seed: give --seed N";
            return Err(usage(anyhow!(why)));
        }
        Ok(rand::random::<u32>().into())
    }

    /// How openings are asked for, if they have to be searched for.
    fn generated(&self) -> Option<String> {
        let source = self.openings.as_deref().filter(|text| text.starts_with("balanced:"))?;
        let (order, symmetry) = (self.order.unwrap_or_default(), self.symmetry.unwrap_or_default());
        Some(format!("{source}, {order:?} order, {symmetry:?} symmetry"))
    }

    /// Refuse what would lose games or make them worthless.
    fn ensure_sound(&self) -> Result<()> {
        ensure!(
            self.concurrency != Some(0),
            "--concurrency 0 plays nothing: 1 game at a time at least"
        );
        ensure!(!self.resume || self.record.is_some(), "--resume needs the file: --record FILE");
        let arranged = self.order.is_some() || self.symmetry.is_some();
        ensure!(
            !arranged || self.openings.is_some(),
            "--order and --symmetry are about openings: give --openings"
        );
        Ok(())
    }

    fn over(self, base: MatchOptions) -> MatchOptions {
        MatchOptions {
            rule: self.rule.or(base.rule),
            size: self.size.or(base.size),
            win_length: self.win_length.or(base.win_length),
            format: self.format.or(base.format),
            games: self.games.or(base.games),
            openings: self.openings.or(base.openings),
            order: self.order.or(base.order),
            symmetry: self.symmetry.or(base.symmetry),
            seed: self.seed.or(base.seed),
            swap2: self.swap2 || base.swap2,
            move_limit: self.move_limit.or(base.move_limit),
            adjudicate: self.adjudicate || base.adjudicate,
            sprt: self.sprt.or(base.sprt),
            concurrency: self.concurrency.or(base.concurrency),
            record: self.record.or(base.record),
            resume: self.resume || base.resume,
            shard: self.shard.or(base.shard),
        }
    }

    fn move_limit(&self, width: u8, height: u8) -> Result<Option<u32>> {
        let cells = u32::from(width) * u32::from(height);
        Ok(match self.move_limit.as_deref() {
            None => None,
            // A board without more room than that is played to its end.
            Some("gomocup") => cells.checked_sub(GOMOCUP_ROOM).filter(|&limit| limit > 0),
            Some(n) => {
                let limit: u32 =
                    n.parse().with_context(|| format!("\"{n}\" is not a move limit"))?;
                ensure!(limit > 0, "a game of no moves is none (--move-limit)");
                Some(limit)
            }
        })
    }

    fn read_openings(
        &self,
        settings: &Settings,
        services: &Services<'_>,
        found: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Vec<[u8; 2]>>> {
        let Some(source) = &self.openings else { return Ok(Vec::new()) };
        if settings.swap2 {
            return Err(usage(anyhow!(
                "in swap2 the engines make the openings: leave out --openings"
            )));
        }
        let source: Source =
            source.parse().map_err(|why: String| usage(anyhow::Error::msg(why)))?;
        let empty = settings.board()?;
        if let Source::Balanced { .. } = source
            && let Some(Journal { settings: before, .. }) = self.continued()?
            && before.generated == settings.generated
        {
            return Ok(before.openings);
        }
        let openings = match (&source, services.evaluate) {
            (&Source::Balanced { count, nodes }, Some(evaluate)) => {
                let as_they_come = self.order.unwrap_or_default() == OpeningOrder::Sequential
                    && self.symmetry.unwrap_or_default() == Symmetry::None;
                let used = settings.games as usize / 2;
                let used = if as_they_come { count.min(used) } else { count };
                let value = |board: &Board| evaluate(board, nodes);
                let found = &mut |openings| found(openings, used);
                schedule::balanced(used, count, &empty, settings.seed, &value, found)?
            }
            (Source::Balanced { .. }, None) => {
                bail!("there is no evaluation to balance openings by")
            }
            _ => schedule::read(&source, &empty)?,
        };
        let arranged = schedule::arrange(
            openings,
            self.order.unwrap_or_default(),
            self.symmetry.unwrap_or_default(),
            (settings.width, settings.height),
            settings.games as usize / 2,
            settings.seed,
        );
        Ok(arranged.iter().map(|o| o.iter().map(|p| [p.x(), p.y()]).collect()).collect())
    }
}
