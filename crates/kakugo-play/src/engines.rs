//! Engines other than Kakugo: child processes that speak the Gomocup protocol.
//!
//! Every move is asked for with the complete position (`BOARD`), so that undo and jumps need
//! nothing special, and one process serves all rooms. Stopping the search ends the wait, and with
//! it the process.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, ensure};

use kakugo::board::{Board, Point};
use kakugo::search::{Limits, Signals};
use kakugo_play_core::decisions::ExternalEngines;
use kakugo_protocol::client::{
    self, EngineConfig, EngineOptions, ExternalEngine, Fault, GameSetup, Process, Question,
};
use kakugo_protocol::{Command, Info, StrictReply};

use crate::lock::lock;

/// The largest number of engines.
const MAX_ENGINES: usize = 32;

/// The longest command line of an engine, in bytes.
pub const MAX_COMMAND: usize = 2000;

/// Slack beyond an engine's time before it counts as hanging.
const SLACK: Duration = Duration::from_secs(5);

/// Longest wait for an engine whose time is not limited.
const UNLIMITED_PATIENCE: Duration = Duration::from_secs(3600);

/// Parses `--engine`: a command line and `key=value` words as for `match`.
///
/// # Errors
/// Returns an error if a word is not valid.
pub fn configure(words: &str, this_program: &Path) -> anyhow::Result<EngineConfig> {
    let (command, words) = if words.split_whitespace().any(|word| word.starts_with("cmd=")) {
        ("", words)
    } else {
        command_and_settings(words)
    };
    let words = client::split_words(words).with_context(|| format!("reading \"{words}\""))?;
    let mut options = EngineOptions::from_words(&words)?;
    if !command.is_empty() {
        options.cmd = Some(command.to_owned());
    }
    // People at a board want moves, not compliance.
    let mut config = options.resolve(this_program)?;
    config.lenient = true;
    Ok(config)
}

/// Splits a command line and the `key=value` words at its end, such as `./engine --fast` and
/// `pause=30ms name="The other"`.
fn command_and_settings(text: &str) -> (&str, &str) {
    let is_setting = |word: &String| {
        let key = word.split_once('=').map_or("", |(key, _)| key);
        key.starts_with(|c: char| c.is_ascii_lowercase())
            && key.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    let text = text.trim();
    text.char_indices()
        .filter(|(_, c)| c.is_whitespace())
        .map(|(at, _)| text.split_at(at))
        .find(|(_, end)| client::split_words(end).is_ok_and(|words| words.iter().all(is_setting)))
        .unwrap_or((text, ""))
}

/// The configurations of the engines other than Kakugo, which threads share. More may be added.
#[derive(Clone, Debug, Default)]
pub struct EngineList(Arc<Mutex<Vec<EngineConfig>>>);

impl EngineList {
    /// Returns a list of these engines.
    pub fn new(configs: Vec<EngineConfig>) -> EngineList {
        EngineList(Arc::new(Mutex::new(configs)))
    }

    /// Returns the names of the engines.
    pub fn names(&self) -> Vec<String> {
        lock(&self.0).iter().map(|config| config.name.clone()).collect()
    }

    fn get(&self, engine: usize) -> Option<EngineConfig> {
        lock(&self.0).get(engine).cloned()
    }

    /// Adds an engine whose program can be started, under a name of its own.
    ///
    /// # Errors
    /// Returns an error if the words are not valid, or the program cannot be started.
    pub fn add(&self, words: &str) -> anyhow::Result<()> {
        let this_program = std::env::current_exe().unwrap_or_default();
        let mut config = configure(words, &this_program)?;
        Process::ensure_runs(&config)?;
        let mut configs = lock(&self.0);
        ensure!(configs.len() < MAX_ENGINES, "too many engines: {MAX_ENGINES} is the limit");
        let is_taken = |name: &str| configs.iter().any(|config| config.name == name);
        let plain = config.name.clone();
        let mut numbers = 2..;
        while is_taken(&config.name) {
            config.name = format!("{plain} {}", numbers.next().unwrap_or(0));
        }
        configs.push(config);
        Ok(())
    }
}

/// The engines other than Kakugo.
pub struct Engines {
    list: EngineList,
    /// By number, once they have been needed.
    players: HashMap<usize, EnginePlayer>,
}

impl Engines {
    /// Returns engines that start with their first move.
    pub fn new(list: EngineList) -> Engines {
        Engines { list, players: HashMap::new() }
    }

    /// Ends all processes until the next move.
    pub fn rest(&mut self) {
        self.players.clear();
    }
}

impl ExternalEngines for Engines {
    fn choose(
        &mut self,
        engine: usize,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
    ) -> Result<Point, String> {
        let player = match self.players.entry(engine) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let missing = || format!("engine {} was not given", engine + 1);
                let config = self.list.get(engine).ok_or_else(missing)?;
                entry.insert(EnginePlayer::new(config))
            }
        };
        player.choose(board, limits, signals)
    }
}

/// An engine, with its process once it was asked for a move.
struct EnginePlayer {
    engine: ExternalEngine,
    /// The game that its process was set up for.
    game: Option<GameSetup>,
}

impl EnginePlayer {
    /// Returns an engine that starts with its first move.
    fn new(config: EngineConfig) -> EnginePlayer {
        EnginePlayer { engine: ExternalEngine::new(config), game: None }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// Returns the reason if it fails.
    fn choose(
        &mut self,
        board: &Board,
        limits: &Limits,
        signals: &Signals,
    ) -> Result<Point, String> {
        self.ask(board, limits, signals).map_err(|fault| {
            // It may still be thinking: the next move gets a new process.
            self.engine.kill();
            self.game = None;
            fault.to_string()
        })
    }

    fn ask(&mut self, board: &Board, limits: &Limits, signals: &Signals) -> Result<Point, Fault> {
        let stopped = &|| signals.is_stopped();
        let (width, height, variant) = (board.width(), board.height(), board.variant());
        let game = GameSetup { width, height, variant };
        if self.game != Some(game) {
            self.game = None;
            self.engine.new_game(&game, stopped)?;
            self.game = Some(game);
        }
        self.engine.send_infos(&[
            Info::TimeoutTurn(limits.turn.map_or(Info::UNLIMITED, Info::ms)),
            Info::TimeoutMatch(limits.left.map_or(0, Info::ms)),
            Info::TimeLeft(limits.left.map_or(Info::UNLIMITED, Info::ms)),
        ]);
        let times = [limits.turn, limits.left].into_iter().flatten();
        let patience = times.min().unwrap_or(UNLIMITED_PATIENCE) + SLACK;
        let question = Question::new(Command::ask_for_move(board), patience);
        let answer = self.engine.ask(&question, stopped)?;
        let StrictReply::Moves(moves) = &answer.reply else {
            return Err(Fault::Protocol("no move".to_owned()));
        };
        let point = moves.first().and_then(|&(x, y)| {
            Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?).filter(|&p| board.contains(p))
        });
        point.ok_or_else(|| Fault::Protocol(format!("a move off the board, {moves:?}")))
    }
}

/// Sends `END` to the process.
impl Drop for EnginePlayer {
    fn drop(&mut self) {
        self.engine.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_follow_the_command_line() {
        let of = |words: &str| configure(words, Path::new("kakugo"));
        let rapfi = of("./pbrain-rapfi pause=30ms name=\"Rapfi 0.43\"").unwrap();
        assert_eq!((&*rapfi.name, &*rapfi.pause.to_string()), ("Rapfi 0.43", "30ms"));
        assert_eq!(rapfi.command.len(), 1);
        let same = of("cmd=./pbrain-rapfi pause=30ms name='Rapfi 0.43'").unwrap();
        assert_eq!(format!("{same:?}"), format!("{rapfi:?}"));
        // Arguments of the engine.
        let arguments = "./e mode=fast --threads=4";
        assert_eq!(command_and_settings(arguments), (arguments, ""));
        let error = of("./e pauze=30ms").unwrap_err().to_string();
        assert!(error.contains("unknown key `pauze`"), "{error}");
    }

    #[test]
    fn engines_that_can_be_started_are_added_under_names_of_their_own() {
        let list = EngineList::default();
        for words in ["", "/no/such/engine", "cmd=", "name=x"] {
            assert!(list.add(words).is_err(), "{words}");
        }
        assert!(list.names().is_empty());
        let program = std::env::current_exe().unwrap();
        let words = format!("name=Other cmd='{} --help'", program.display());
        list.add(&words).unwrap();
        list.clone().add(&words).unwrap();
        assert_eq!(list.names(), ["Other", "Other 2"]);
    }
}
