//! Engine options as given by the user: in a TOML file, or as `key=value` words on a command line.
//!
//! All fields are optional, so that the options of an engine can be combined with common defaults.
//! [`EngineOptions::resolve`] returns the final [`EngineConfig`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;

use super::command_line::split_words;
use super::config::EngineConfig;
use kakugo_cli::layered;
use kakugo_cli::layered::Layered;
use kakugo_cli::units::{Bytes, Time, from_text, text_table};

/// Default tolerance for exceeding time limits.
const DEFAULT_TOLERANCE: Duration = Duration::from_secs(1);
/// Default timeout for the answer to `START`.
const DEFAULT_STARTUP: Duration = Duration::from_secs(10);
/// Default timeout for a move if there is no time limit.
const DEFAULT_PATIENCE: Duration = Duration::from_secs(600);

/// Options of an engine. `--each` sets the same options for all engines.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineOptions {
    /// Command line, or `self` for this program.
    pub cmd: Option<String>,
    /// Name in tables and records.
    pub name: Option<String>,
    /// Working directory; defaults to the folder of the executable.
    pub dir: Option<PathBuf>,
    /// Environment variables to set.
    #[serde(deserialize_with = "text_table")]
    pub env: BTreeMap<String, String>,
    /// Additional `INFO` keys and values, sent before each game.
    #[serde(deserialize_with = "text_table")]
    pub info: BTreeMap<String, String>,
    /// Time limit per move.
    pub turn: Option<Time>,
    /// Time limit per game.
    #[serde(rename = "match")]
    pub game: Option<Time>,
    /// Time added after each move.
    pub increment: Option<Time>,
    /// Tolerance for exceeding time limits.
    pub tolerance: Option<Time>,
    /// Node limit per move (`INFO max_node`).
    #[serde(deserialize_with = "from_text")]
    pub nodes: Option<u64>,
    /// Depth limit per move (`INFO max_depth`).
    #[serde(deserialize_with = "from_text")]
    pub depth: Option<u32>,
    /// Memory limit, sent to the engine and checked.
    pub memory: Option<Bytes>,
    /// Number of search threads (`INFO thread_num`).
    #[serde(deserialize_with = "from_text")]
    pub threads: Option<u32>,
    /// Timeout for the answers to `START` and `RESTART`.
    pub startup: Option<Time>,
    /// Timeout for a move if there is no time limit.
    pub patience: Option<Time>,
    /// Minimum time between an answer and the next command.
    pub pause: Option<Time>,
    /// Ignore lines that violate the protocol instead of losing the game.
    #[serde(deserialize_with = "from_text")]
    pub lenient: Option<bool>,
    /// Send `SWAP2BOARD` stones as `x,y,field`, as in `BOARD` (required by Rapfi).
    #[serde(deserialize_with = "from_text")]
    pub swap2_sides: Option<bool>,
}

layered!(EngineOptions {
    cmd,
    name,
    dir,
    env,
    info,
    turn,
    game,
    increment,
    tolerance,
    nodes,
    depth,
    memory,
    threads,
    startup,
    patience,
    pause,
    lenient,
    swap2_sides,
});

impl EngineOptions {
    /// Parses `key=value` words. `env.KEY=value` and `info.KEY=value` fill the tables; a word
    /// without `=` is the command line.
    ///
    /// # Errors
    /// Returns an error for unknown or repeated keys and for invalid values.
    pub fn from_words<S: AsRef<str>>(words: &[S]) -> Result<EngineOptions> {
        let mut table = toml::Table::new();
        for word in words.iter().map(AsRef::as_ref) {
            let (key, value) = match word.split_once('=') {
                Some((key, value)) if is_key(key) => (key, value),
                _ => ("cmd", word),
            };
            let (table, key) = match key.split_once('.') {
                None => (&mut table, key),
                Some((outer, key)) => {
                    let entry = table.entry(outer).or_insert_with(|| toml::Table::new().into());
                    (
                        entry.as_table_mut().with_context(|| {
                            format!("invalid option '{outer}.{key}': only env and info have keys")
                        })?,
                        key,
                    )
                }
            };
            let Some(earlier) = table.insert(key.to_owned(), value.to_owned().into()) else {
                continue;
            };
            if let ("cmd", Some(earlier)) = (key, earlier.as_str()) {
                bail!(
                    "two command lines, '{earlier}' and '{value}': quote a command with its \
                     arguments, such as \"{earlier} {value}\""
                );
            }
            bail!("option '{key}' is given twice (second: '{word}')");
        }
        table.try_into().map_err(|error: toml::de::Error| {
            let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
            // The full message would quote a TOML document that the user never wrote.
            let message = error.message().replace("unknown field", "unknown key");
            let message = message.replace("`env`", "`env.NAME`").replace("`info`", "`info.KEY`");
            anyhow!("invalid engine options '{}': {message}", words.join(" "))
        })
    }

    /// Returns these options, with missing ones taken from `defaults`.
    pub fn over(self, defaults: &EngineOptions) -> EngineOptions {
        Layered::over(self, defaults.clone())
    }

    /// Applies the defaults and returns the configuration. The command `self` is replaced by
    /// `this_program`.
    ///
    /// # Errors
    /// Returns an error if the command line, the name or a limit is missing or invalid.
    pub fn resolve(self, this_program: &Path) -> Result<EngineConfig> {
        let cmd = self.cmd.context("missing command line of an engine: add cmd=COMMAND")?;
        let mut command =
            split_words(&cmd).with_context(|| format!("invalid command line '{cmd}'"))?;
        let Some(program) = command.first_mut() else {
            bail!("empty command line of an engine: set cmd=COMMAND")
        };
        let is_self = program == "self";
        let default_name = if is_self { "self" } else { file_stem(program) }.to_owned();
        let mut dir = self.dir;
        if is_self {
            *program = this_program.to_string_lossy().into_owned();
        } else if Path::new(&*program).components().count() > 1 {
            let absolute = std::path::absolute(&*program)
                .with_context(|| format!("cannot locate '{program}'"))?;
            dir = dir.or_else(|| absolute.parent().map(Path::to_owned));
            *program = absolute.to_string_lossy().into_owned();
        }
        let given = |time: Option<Time>| time.is_some_and(|time| !time.0.is_zero());
        ensure!(
            !given(self.increment) || given(self.game),
            "increment= requires a time limit per game: add match=TIME"
        );
        for (key, time) in [("startup", self.startup), ("patience", self.patience)] {
            ensure!(
                time.is_none_or(|time| !time.0.is_zero()),
                "invalid {key}=0: must be greater than zero"
            );
        }
        let name = self.name.unwrap_or(default_name);
        ensure!(!name.trim().is_empty(), "empty engine name: set name=NAME");
        let time = |t: Option<Time>, default: Duration| t.map_or(default, |t| t.0);
        let positive = |t: Option<Time>| t.map(|t| t.0).filter(|t| !t.is_zero());
        Ok(EngineConfig {
            name,
            command,
            dir,
            env: self.env,
            info: self.info,
            turn: positive(self.turn).map(Time),
            game: positive(self.game).map(Time),
            increment: Time(time(self.increment, Duration::ZERO)),
            tolerance: Time(time(self.tolerance, DEFAULT_TOLERANCE)),
            nodes: self.nodes.filter(|&n| n > 0),
            depth: self.depth.filter(|&n| n > 0),
            memory: self.memory.filter(|m| m.0 > 0),
            threads: self.threads,
            startup: Time(time(self.startup, DEFAULT_STARTUP)),
            patience: Time(time(self.patience, DEFAULT_PATIENCE)),
            pause: Time(time(self.pause, Duration::ZERO)),
            lenient: self.lenient.unwrap_or(false),
            swap2_sides: self.swap2_sides.unwrap_or(false),
        })
    }
}

/// Returns true if the text before `=` is an option rather than a part of a command line.
fn is_key(key: &str) -> bool {
    key.starts_with("env.") || key.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// Returns the name of a program without its folder and extension. Version numbers as in
/// `pbrain-1.2` are not extensions.
fn file_stem(program: &str) -> &str {
    let name = Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program);
    match name.rsplit_once('.') {
        Some((stem, end)) if !stem.is_empty() && end.starts_with(|c: char| c.is_alphabetic()) => {
            stem
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_toml_are_equivalent() {
        let words = ["cmd=./a b", "turn=0.5s", "nodes=1000", "info.hash_size=64", "env.X=1=2"];
        let from_words = EngineOptions::from_words(&words).unwrap();
        let toml = "cmd = './a b'\nturn = '500ms'\nnodes = 1000\n\
                    [info]\nhash_size = 64\n[env]\nX = '1=2'";
        assert_eq!(from_words, toml::from_str(toml).unwrap());
    }

    #[test]
    fn a_word_without_a_key_is_the_command() {
        let options = EngineOptions::from_words(&["self", "name=A"]).unwrap();
        let config = options.resolve(Path::new("/bin/kakugo")).unwrap();
        assert_eq!(config.command, ["/bin/kakugo"]);
        assert_eq!((config.name.as_str(), config.dir), ("A", None));
    }

    #[test]
    fn invalid_options_are_reported() {
        let error = |words: &[&str]| format!("{:#}", EngineOptions::from_words(words).unwrap_err());
        let time = error(&["self", "turn=5"]);
        assert!(time.ends_with("'self turn=5': invalid time '5': expected e.g. 5s, 100ms or 2m"));
        let unknown = error(&["self", "trun=5s"]);
        assert!(unknown.contains("unknown key `trun`, expected one of `cmd`, "), "{unknown}");
        assert!(unknown.contains("`env.NAME`, `info.KEY`, `turn`"), "{unknown}");
        assert!(error(&["self", "name=a", "name=b"]).contains("given twice"));
        let unquoted = error(&["python3", "mine.py"]);
        assert!(
            unquoted.ends_with("quote a command with its arguments, such as \"python3 mine.py\"")
        );
    }

    #[test]
    fn own_options_override_defaults() {
        let each = EngineOptions::from_words(&["turn=1s", "info.a=1", "info.b=1"]).unwrap();
        let own = EngineOptions::from_words(&["x", "turn=2s", "info.b=2"]).unwrap();
        let merged = own.over(&each);
        assert_eq!(merged.turn, Some(Time(Duration::from_secs(2))));
        assert_eq!(merged.info.values().collect::<Vec<_>>(), ["1", "2"]);
    }

    #[test]
    fn engines_run_in_their_own_folder() {
        let config = |words: &[&str]| {
            EngineOptions::from_words(words).unwrap().resolve(Path::new("k")).unwrap()
        };
        let given = config(&["/opt/x/pbrain-x.exe --fast 'a b'"]);
        assert_eq!(given.dir.as_deref(), Some(Path::new("/opt/x")));
        assert_eq!(given.command, ["/opt/x/pbrain-x.exe", "--fast", "a b"]);
        assert_eq!(given.name, "pbrain-x");
        for (command, name) in
            [("./pbrain-1.2", "pbrain-1.2"), ("b/x-0.9.exe", "x-0.9"), (".x", ".x")]
        {
            assert_eq!(config(&[command]).name, name);
        }
        assert_eq!(config(&["/opt/x/y", "dir=/tmp"]).dir.as_deref(), Some(Path::new("/tmp")));
    }
}
