//! What a check works with: the engine, the manager, and how much time there is.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::profile::{Folder, Profile};
use super::trial::Trial;
use super::verdict::Stop;
use kakugo::board::Rule;
use kakugo_protocol::client::EngineConfig;

/// The engine that is checked, and what it claims.
pub(super) struct Subject {
    /// How it is started.
    pub(super) config: EngineConfig,
    /// The rules that it is to know.
    pub(super) rules: Vec<Rule>,
    /// Its tournament entry.
    pub(super) zip: Option<PathBuf>,
    /// The words of a command line that checks the same engine, but for its zip.
    pub(super) words: String,
    /// A folder for what checks write, which goes away in the end.
    pub(super) scratch: PathBuf,
}

/// Folders that were handed out.
static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// What a check works with.
pub(super) struct Bench<'a> {
    pub(super) subject: &'a Subject,
    pub(super) profile: &'a Profile,
    /// Time for a move where it does not matter.
    pub(super) turn: Duration,
}

impl Bench<'_> {
    /// A process as the manager starts it.
    pub(super) fn start(&self) -> Result<Trial<'_>, Stop> {
        match self.profile.folder {
            Folder::Engine => Trial::begin(&self.subject.config, self.profile),
            Folder::Foreign => self.start_in(self.folder()?),
        }
    }

    /// The same, as another manager would have it.
    pub(super) fn as_manager(&self, name: &str) -> Bench<'_> {
        Bench { profile: Profile::named(name).unwrap_or(self.profile), ..*self }
    }

    /// A process in another folder.
    pub(super) fn start_in(&self, folder: PathBuf) -> Result<Trial<'_>, Stop> {
        let config = EngineConfig { dir: Some(folder), ..self.subject.config.clone() };
        Trial::begin(&config, self.profile)
    }

    /// A process that has been told of a game by these `INFO` lines.
    pub(super) fn game_with(&self, infos: &str) -> Result<Trial<'_>, Stop> {
        let mut trial = self.start()?;
        trial.ok("START 15")?;
        trial.say("INFO max_memory 100000000\nINFO timeout_match 0");
        trial.say(infos);
        Ok(trial)
    }

    /// A process in a game by this rule, with the usual time for a move.
    pub(super) fn game(&self, rule: Rule) -> Result<Trial<'_>, Stop> {
        self.knows(rule)?;
        self.game_with(&self.infos_of(rule))
    }

    /// [`Bench::game`] on 20x20, if the engine knows boards of that size.
    pub(super) fn large_game(&self, rule: Rule) -> Result<Trial<'_>, Stop> {
        self.knows(rule)?;
        let mut trial = self.start()?;
        trial.start_large()?;
        trial.say("INFO max_memory 100000000\nINFO timeout_match 0");
        trial.say(&self.infos_of(rule));
        Ok(trial)
    }

    fn infos_of(&self, rule: Rule) -> String {
        format!("INFO timeout_turn {}\nINFO rule {}", self.turn.as_millis(), rule.number())
    }

    /// Whether the engine is to know a rule.
    pub(super) fn knows(&self, rule: Rule) -> Result<(), Stop> {
        if self.subject.rules.contains(&rule) {
            return Ok(());
        }
        Err(Stop::Skipped(format!("{rule} is not among the rules asked for (--rules)")))
    }

    /// An empty folder of its own.
    pub(super) fn folder(&self) -> Result<PathBuf, Stop> {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = self.subject.scratch.join(format!("folder-{number}"));
        let refused = |error| Stop::Skipped(format!("no folder for it: {error}"));
        std::fs::create_dir(&folder).map_err(refused)?;
        Ok(folder)
    }
}
