//! The context of a check: the engine, the manager and the time limits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::profile::{Folder, Profile};
use super::session::Session;
use super::verdict::NotPassed;
use kakugo::board::Rule;
use kakugo_protocol::client::EngineConfig;

/// The engine under test, with the arguments that describe it.
pub(super) struct Target {
    /// Command and settings.
    pub(super) config: EngineConfig,
    /// Rules that the engine supports.
    pub(super) rules: Vec<Rule>,
    /// Zip file of its tournament entry.
    pub(super) zip: Option<PathBuf>,
    /// Command-line arguments that check the same engine, without `--zip`.
    pub(super) arguments: String,
    /// Temporary folder for files of the checks.
    pub(super) scratch: PathBuf,
}

/// Number of folders created so far.
static FOLDERS: AtomicUsize = AtomicUsize::new(0);

/// The context of a check.
pub(super) struct CheckContext<'a> {
    pub(super) target: &'a Target,
    pub(super) profile: &'a Profile,
    /// Time limit per move if timing is not tested.
    pub(super) turn: Duration,
}

impl CheckContext<'_> {
    /// Starts the engine as the manager does.
    pub(super) fn start(&self) -> Result<Session<'_>, NotPassed> {
        match self.profile.folder {
            Folder::Engine => Session::start(&self.target.config, self.profile),
            Folder::Other => self.start_in(self.folder()?),
        }
    }

    /// Returns the same context with another manager.
    pub(super) fn as_manager(&self, name: &str) -> CheckContext<'_> {
        CheckContext { profile: Profile::named(name).unwrap_or(self.profile), ..*self }
    }

    /// Starts the engine in another folder.
    pub(super) fn start_in(&self, folder: PathBuf) -> Result<Session<'_>, NotPassed> {
        let config = EngineConfig { dir: Some(folder), ..self.target.config.clone() };
        Session::start(&config, self.profile)
    }

    /// Starts a game with these `INFO` lines.
    pub(super) fn game_with(&self, infos: &str) -> Result<Session<'_>, NotPassed> {
        let mut session = self.start()?;
        session.expect_ok("START 15")?;
        session.send("INFO max_memory 100000000\nINFO timeout_match 0");
        session.send(infos);
        Ok(session)
    }

    /// Starts a game with the default time limit per move.
    pub(super) fn plain_game(&self) -> Result<Session<'_>, NotPassed> {
        self.game_with(&format!("INFO timeout_turn {}", self.turn.as_millis()))
    }

    /// Starts a game by this rule with the default time limit per move.
    pub(super) fn game(&self, rule: Rule) -> Result<Session<'_>, NotPassed> {
        self.require_rule(rule)?;
        self.game_with(&self.infos_of(rule))
    }

    /// Starts a game like [`CheckContext::game`], on 20x20 if the engine supports it.
    pub(super) fn large_game(&self, rule: Rule) -> Result<Session<'_>, NotPassed> {
        self.require_rule(rule)?;
        let mut session = self.start()?;
        session.start_large()?;
        session.send("INFO max_memory 100000000\nINFO timeout_match 0");
        session.send(&self.infos_of(rule));
        Ok(session)
    }

    fn infos_of(&self, rule: Rule) -> String {
        format!("INFO timeout_turn {}\nINFO rule {}", self.turn.as_millis(), rule.number())
    }

    /// Skips the check if the engine does not support the rule.
    pub(super) fn require_rule(&self, rule: Rule) -> Result<(), NotPassed> {
        if self.target.rules.contains(&rule) {
            return Ok(());
        }
        Err(NotPassed::Skipped(format!("rule {rule} is not enabled (--rules)")))
    }

    /// Creates an empty folder.
    pub(super) fn folder(&self) -> Result<PathBuf, NotPassed> {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = self.target.scratch.join(format!("folder-{number}"));
        let rejected = |error| NotPassed::Skipped(format!("cannot create a folder: {error}"));
        std::fs::create_dir(&folder).map_err(rejected)?;
        Ok(folder)
    }
}
