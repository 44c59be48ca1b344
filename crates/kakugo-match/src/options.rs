//! The command line of `match` and its TOML configuration file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use serde::Deserialize;

use super::journal::Journal;
use super::schedule::{self, OpeningSource};
use super::services::Services;
use super::settings::{MatchSettings, Opening, OpeningOrder, Symmetry, TournamentFormat, stones};
use super::statistics::Sprt;
use kakugo::board::{Board, Rule, Size, Variant};
use kakugo_cli::arguments::Shard;
use kakugo_cli::layered::Layered;
use kakugo_cli::units::from_text;
use kakugo_cli::usage::usage;
use kakugo_cli::{layered, run_file};
use kakugo_protocol::client::{EngineConfig, EngineOptions};

/// Default number of games per pairing.
const DEFAULT_GAMES: u32 = 100;
/// Default maximum number of games of a match with an SPRT.
const DEFAULT_SPRT_GAMES: u32 = 100_000;
/// Cells that Piskvork leaves empty when it declares a draw: `width * height - 25`.
const GOMOCUP_EMPTY_CELLS: u32 = 25;

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
    /// Read engines and options from the TOML file FILE
    ///
    /// Options on the command line override those in the file. Engines on the command line replace
    /// the engines in the file.
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    #[command(flatten)]
    pub(super) outputs: Outputs,
}

#[derive(clap::Subcommand, Debug)]
pub(super) enum Subcommand {
    /// Merge the record files of one match and print its results
    Report {
        /// Record files (JSON Lines), e.g. the shards of one match
        #[arg(required = true)]
        records: Vec<PathBuf>,
        #[command(flatten)]
        outputs: Outputs,
    },
}

/// Reports and game files to write at the end of a match.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Outputs {
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Write an HTML report with tables, charts and all games to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write all games to FILE as an SGF collection
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// Write all games to FILE as PGN, with the moves in comments, e.g. for BayesElo
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write each game to FOLDER as a Piskvork file (.psq)
    #[arg(long, value_name = "FOLDER")]
    pub psq: Option<PathBuf>,
    /// Write the moves of each game to FILE, one line `h8i9...` per game, row 1 at the top
    ///
    /// `convert --rows top` reads this format.
    #[arg(long, value_name = "FILE")]
    pub pos: Option<PathBuf>,
    /// Write the moves of each game to FILE like --pos, but with row 1 at the bottom
    #[arg(long, value_name = "FILE")]
    #[serde(alias = "pos_bottom")]
    pub pos_bottom: Option<PathBuf>,
}

/// Options of a match. Each is also a key of the TOML file.
#[derive(clap::Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchOptions {
    /// Rule of the game [default: freestyle]
    ///
    /// freestyle, standard, renju, caro, caro-overline, or Gomocup's rule number 0, 1, 4, 9, 8.
    #[arg(long, value_name = "RULE")]
    #[serde(deserialize_with = "from_text")]
    rule: Option<String>,
    /// Board size, 3 to 32 per side, e.g. 15 or 20x12 [default: 15]
    #[arg(long, value_name = "SIZE")]
    #[serde(deserialize_with = "from_text")]
    size: Option<String>,
    /// Number of stones in a row that win [default: 5]
    #[arg(long, value_name = "N", alias = "win")]
    #[serde(alias = "win")]
    win_length: Option<u8>,
    /// Tournament format [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<TournamentFormat>,
    /// Number of games per pairing, even [default: 100; 100000 with --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Take the openings from SOURCE [default: empty board]
    ///
    /// pos:FILE          moves such as h8h9i8, one opening per line, row 1 at the top
    /// pos-bottom:FILE   the same, row 1 at the bottom
    /// offset:FILE       offsets from the centre, one opening per line
    /// games:FILE        games or positions (SGF, RenLib, ..): each line of play is an opening
    /// balanced:N        N random openings that a search of 10000 nodes evaluates as even
    /// balanced:N:NODES  the same with a search of NODES nodes
    /// FILE              pos:FILE or games:FILE by the name, otherwise offsets or moves
    #[arg(long, value_name = "SOURCE", verbatim_doc_comment)]
    openings: Option<String>,
    /// Order in which the openings are played [default: sequential]
    #[arg(long, value_enum)]
    order: Option<OpeningOrder>,
    /// Rotations and reflections of the openings to play [default: none]
    #[arg(long, value_enum)]
    symmetry: Option<Symmetry>,
    /// Seed of the random number generator [default: random, printed at the start]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Let the engines choose the opening by the swap2 protocol
    #[arg(long)]
    swap2: bool,
    /// Draw a game after N stones; `gomocup`: width * height - 25 [default: full board]
    #[arg(long, value_name = "N")]
    #[serde(deserialize_with = "from_text")]
    move_limit: Option<String>,
    /// End a game when the built-in solver proves a win by continuous fours
    #[arg(long)]
    adjudicate: bool,
    /// Stop the match by an SPRT, e.g. elo0=0,elo1=5
    ///
    /// TEST is elo0=ELO,elo1=ELO[,alpha=0.05][,beta=0.05][,model=normalized|logistic]. The match
    /// stops when a hypothesis is accepted.
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Number of concurrent games [default: 1]
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<usize>,
    /// Append each finished game to the record file FILE (JSON Lines)
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Resume the match in the record file if the file exists
    #[arg(long)]
    pub(super) resume: bool,
    /// Play only part K of N of the schedule
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
}

/// The contents of a TOML configuration file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ConfigFile {
    engine: Vec<EngineOptions>,
    each: EngineOptions,
    #[serde(rename = "match")]
    options: MatchOptions,
    output: Outputs,
}

/// The arguments `--engine KEY=VALUE...` and `--each KEY=VALUE...`, each repeatable.
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
            .arg(words("engine", "Add an engine, e.g. `./engine turn=1s` (repeatable; --help lists the keys)").long_help(
                "Add an engine, e.g. `./engine turn=1s` (repeatable)\n\n\
                 cmd=COMMAND        command line, or `self` for this program; `cmd=` may be omitted\n\
                 name=NAME          name in tables and records\n\
                 dir=FOLDER         working directory\n\
                 turn=TIME          time limit per move, e.g. 5s or 100ms\n\
                 match=TIME         time limit per game\n\
                 increment=TIME     time added after each move\n\
                 tolerance=TIME     time allowed beyond the limits [default: 1s]\n\
                 nodes=N, depth=N   search limits per move\n\
                 memory=SIZE        memory limit, e.g. 350M\n\
                 threads=N          number of search threads\n\
                 startup=TIME       time to answer START [default: 10s]\n\
                 patience=TIME      maximum time per move without a time limit [default: 10m]\n\
                 pause=TIME         delay between a reply and the next command\n\
                 lenient=true       skip invalid lines instead of forfeiting the game\n\
                 swap2_sides=true   send the side of each stone in SWAP2BOARD\n\
                 env.NAME=VALUE     environment variable\n\
                 info.KEY=VALUE     additional INFO line",
            ))
            .arg(words("each", "Set defaults for all engines, with the same keys as --engine"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

/// The resolved configuration of a run.
pub(super) struct MatchPlan {
    pub settings: MatchSettings,
    pub options: MatchOptions,
    pub outputs: Outputs,
    pub shard: Shard,
}

layered!(Outputs { json, html, sgf, pgn, psq, pos, pos_bottom });
layered!(MatchOptions {
    rule,
    size,
    win_length,
    format,
    games,
    openings,
    order,
    symmetry,
    seed,
    swap2,
    move_limit,
    adjudicate,
    sprt,
    concurrency,
    record,
    resume,
    shard,
});

impl MatchArgs {
    /// Resolves the options: the command line overrides the configuration file, which overrides
    /// the defaults. Calls `progress` with the number of generated and of required openings.
    pub(super) fn plan(
        self,
        services: &Services<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<MatchPlan> {
        let file = match &self.config {
            Some(path) => read_config(path)?,
            None => ConfigFile::default(),
        };
        let engines = self.engines.resolve_engines(file.engine, &file.each, services.program);
        let options = self.options.over(file.options);
        let shard = options.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse);
        let shard = shard.map_err(|why: String| usage(anyhow::Error::msg(why)))?;
        options.validate().map_err(usage)?;
        let resumed = options.resumed_settings()?;
        let seed = match (options.seed, &resumed) {
            (Some(seed), _) => seed,
            (None, Some(resumed)) => resumed.seed,
            (None, None) => random_seed(shard)?,
        };
        let mut settings =
            engines.and_then(|engines| options.settings(engines, seed)).map_err(usage)?;
        let outputs = self.outputs.over(file.output);
        outputs.ensure_writable()?;
        settings.openings = options.read_openings(&settings, resumed, services, progress)?;
        Ok(MatchPlan { settings, options, outputs, shard })
    }
}

impl EngineArgs {
    /// Returns the engines of the command line or, if there are none, those of the file.
    fn resolve_engines(
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
        // A single word is a command line. As a default for engines with commands it has no effect.
        if let Some(word) = self.each.iter().find(|word| each.cmd.as_ref() == Some(word)) {
            ensure!(
                !own_commands,
                "invalid setting '{word}' for --each: expected KEY=VALUE, e.g. turn=100ms"
            );
        }
        engines.into_iter().map(|engine| engine.over(&each).resolve(program)).collect()
    }
}

impl MatchOptions {
    /// Returns the settings of the match, with an empty list of openings.
    fn settings(&self, engines: Vec<EngineConfig>, seed: u64) -> Result<MatchSettings> {
        let Size { width, height } = self.size.as_deref().unwrap_or("15").parse()?;
        let rule = self.rule.as_deref().unwrap_or("freestyle").parse::<Rule>()?;
        let variant = Variant::new(rule, self.win_length.unwrap_or(5))?;
        let sprt = self.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        let sprt = sprt.map_err(anyhow::Error::msg)?;
        let default_games = if sprt.is_some() { DEFAULT_SPRT_GAMES } else { DEFAULT_GAMES };
        let settings = MatchSettings {
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
        settings.validate()?;
        Ok(settings)
    }
}

/// Returns a random seed, unless other shards of the match need the same one.
fn random_seed(shard: Shard) -> Result<u64> {
    if shard != Shard::WHOLE {
        return Err(usage(anyhow!(
            "--shard requires --seed: all shards of a match must use the same seed"
        )));
    }
    Ok(rand::random::<u32>().into())
}

fn read_config(path: &Path) -> Result<ConfigFile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {shown}"))?;
    // Keys of the file are arguments: errors in them are usage errors.
    toml::from_str(&text)
        .map_err(|error| usage(anyhow!("in {shown}: {}", error.to_string().trim_end())))
}

impl Outputs {
    /// Checks that all files can be written, before the first game is played.
    fn ensure_writable(&self) -> Result<()> {
        if let Some(folder) = &self.psq {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("creating the folder {}", folder.display()))?;
            run_file::ensure_writable(&folder.join("game.psq"))?;
        }
        let files = [&self.html, &self.sgf, &self.pgn, &self.pos, &self.pos_bottom];
        files.into_iter().flatten().try_for_each(|path| run_file::ensure_writable(path))
    }
}

impl MatchOptions {
    /// Reads the settings of the match to resume, if there is one.
    fn resumed_settings(&self) -> Result<Option<MatchSettings>> {
        let path = self.record.as_deref().filter(|path| self.resume && path.exists());
        Ok(path.map(Journal::read_settings).transpose()?.flatten())
    }

    /// Returns a description of the openings if they are generated.
    fn generated(&self) -> Option<String> {
        let source = self.openings.as_deref().filter(|text| text.starts_with("balanced:"))?;
        let (order, symmetry) = (self.order.unwrap_or_default(), self.symmetry.unwrap_or_default());
        Some(format!("{source}, {order:?} order, {symmetry:?} symmetry"))
    }

    /// Checks that the options fit together.
    fn validate(&self) -> Result<()> {
        ensure!(self.concurrency != Some(0), "--concurrency must be at least 1");
        ensure!(!self.resume || self.record.is_some(), "--resume requires --record FILE");
        let arranged = self.order.is_some() || self.symmetry.is_some();
        ensure!(!arranged || self.openings.is_some(), "--order and --symmetry require --openings");
        Ok(())
    }

    fn move_limit(&self, width: u8, height: u8) -> Result<Option<u32>> {
        let cells = u32::from(width) * u32::from(height);
        Ok(match self.move_limit.as_deref() {
            None => None,
            // Boards with fewer cells are played until they are full.
            Some("gomocup") => cells.checked_sub(GOMOCUP_EMPTY_CELLS).filter(|&limit| limit > 0),
            Some(n) => {
                let invalid = || {
                    format!("invalid move limit '{n}': expected a number of stones or 'gomocup'")
                };
                let limit: u32 = n.parse().with_context(invalid)?;
                ensure!(limit > 0, "--move-limit must be at least 1");
                Some(limit)
            }
        })
    }

    /// Reads or generates the openings. A match that is resumed (`resumed`) reuses its own.
    fn read_openings(
        &self,
        settings: &MatchSettings,
        resumed: Option<MatchSettings>,
        services: &Services<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Opening>> {
        let Some(source) = &self.openings else { return Ok(Vec::new()) };
        if settings.swap2 {
            return Err(usage(anyhow!(
                "--swap2 cannot be used with --openings: the engines choose the openings"
            )));
        }
        let source: OpeningSource =
            source.parse().map_err(|why: String| usage(anyhow::Error::msg(why)))?;
        let empty = settings.board()?;
        if let OpeningSource::Balanced { .. } = source
            && let Some(resumed) = resumed
            && resumed.generated == settings.generated
        {
            return Ok(resumed.openings);
        }
        let in_given_order = self.order.unwrap_or_default() == OpeningOrder::Sequential
            && self.symmetry.unwrap_or_default() == Symmetry::None;
        let rounds = settings.games as usize / 2;
        let openings = match (&source, services.evaluate) {
            (&OpeningSource::Balanced { count, nodes }, Some(evaluate)) => {
                let used = if in_given_order { count.min(rounds) } else { count };
                let value = |board: &Board| evaluate(board, nodes);
                let progress = &mut |openings| progress(openings, used);
                let seed = settings.seed;
                let found = schedule::balanced(used, count, &empty, seed, &value, progress)?;
                found.iter().map(|moves| Opening::of_moves(moves)).collect()
            }
            (OpeningSource::Balanced { .. }, None) => {
                bail!("cannot generate balanced openings: no evaluation is available")
            }
            _ => schedule::read(&source, &empty)?,
        };
        // The others are not played.
        let played = if in_given_order { rounds.min(openings.len()) } else { openings.len() };
        check_move_limit(settings.move_limit, &openings[..played]).map_err(usage)?;
        Ok(schedule::arrange(
            openings,
            self.order.unwrap_or_default(),
            self.symmetry.unwrap_or_default(),
            (settings.width, settings.height),
            rounds,
            settings.seed,
        ))
    }
}

/// Checks that no opening reaches the move limit, because its games would be drawn without a move.
fn check_move_limit(limit: Option<u32>, openings: &[Opening]) -> Result<()> {
    let Some(limit) = limit else { return Ok(()) };
    let too_long = |opening: &Opening| opening.stones() >= limit as usize;
    match openings.iter().position(too_long) {
        None => Ok(()),
        Some(index) => bail!(
            "--move-limit {limit} leaves no move after opening {}, which has {}: increase it",
            index + 1,
            stones(openings[index].stones())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_limit_is_above_the_openings() {
        let openings = [Opening::Moves(vec![[7, 7]]), Opening::Moves(vec![[7, 7]; 5])];
        assert!(check_move_limit(None, &openings).is_ok());
        assert!(check_move_limit(Some(6), &openings).is_ok());
        let error = |limit| check_move_limit(Some(limit), &openings).unwrap_err().to_string();
        assert!(error(5).contains("after opening 2, which has 5 stones"), "{}", error(5));
        assert!(error(1).contains("after opening 1, which has 1 stone:"), "{}", error(1));
    }

    #[test]
    fn keys_of_the_file_are_text_or_numbers() {
        let read = |text: &str| toml::from_str::<ConfigFile>(text).unwrap().options;
        let numbers = read("[match]\nsize = 15\nrule = 4\nmove-limit = 100");
        let texts = read("[match]\nsize = \"15\"\nrule = \"4\"\nmove-limit = \"100\"");
        for options in [numbers, texts] {
            assert_eq!(options.size.as_deref(), Some("15"));
            assert_eq!(options.rule.as_deref(), Some("4"));
            assert_eq!(options.move_limit.as_deref(), Some("100"));
        }
        assert!(read("[match]\ngames = 2").size.is_none());
    }

    #[test]
    fn output_keys_are_the_names_of_the_options() {
        for key in ["pos-bottom", "pos_bottom"] {
            let file = format!("[output]\n{key} = 'games.pos'");
            let output = toml::from_str::<ConfigFile>(&file).unwrap().output;
            assert_eq!(output.pos_bottom.as_deref(), Some(Path::new("games.pos")));
        }
    }
}
