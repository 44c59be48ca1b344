//! Engines other than Kakugo: child processes that speak the Gomocup protocol.
//!
//! Every move is asked for with the complete position (`BOARD`), so that undo and jumps need
//! nothing special, and one process serves all rooms. Stopping the search ends the wait, and with
//! it the process.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use kakugo::board::{Board, Point};
use kakugo::search::{Limits, Signals};
use kakugo_play_core::decisions::ExternalEngines;
use kakugo_protocol::client::{
    self, EngineConfig, EngineOptions, ExternalEngine, Fault, GameSetup, Question,
};
use kakugo_protocol::{Command, Info, StrictReply};

/// Slack beyond an engine's time before it counts as hanging.
const SLACK: Duration = Duration::from_secs(5);

/// Longest wait for an engine whose time is not limited.
const UNLIMITED_PATIENCE: Duration = Duration::from_secs(3600);

/// Parses `--engine`: a command line, or `key=value` words as for `match`.
///
/// # Errors
/// Returns an error if a word is not valid.
pub fn configure(words: &str, this_program: &Path) -> anyhow::Result<EngineConfig> {
    let options = if words.split_whitespace().any(|word| word.starts_with("cmd=")) {
        let words = client::split_words(words).with_context(|| format!("reading \"{words}\""))?;
        EngineOptions::from_words(&words)?
    } else {
        EngineOptions { cmd: Some(words.to_owned()), ..EngineOptions::default() }
    };
    // People at a board want moves, not compliance.
    let mut config = options.resolve(this_program)?;
    config.lenient = true;
    Ok(config)
}

/// The engines other than Kakugo.
pub struct Engines {
    configs: &'static [EngineConfig],
    /// One for each configuration, once it has been needed.
    players: Vec<Option<EnginePlayer>>,
}

impl Engines {
    /// Returns engines that start with their first move.
    pub fn new(configs: &'static [EngineConfig]) -> Engines {
        Engines { configs, players: configs.iter().map(|_| None).collect() }
    }

    /// Ends all processes until the next move.
    pub fn rest(&mut self) {
        self.players.iter_mut().for_each(|player| *player = None);
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
        let missing = || format!("engine {} was not given", engine + 1);
        let config = self.configs.get(engine).ok_or_else(missing)?;
        let player = self.players.get_mut(engine).ok_or_else(missing)?;
        player.get_or_insert_with(|| EnginePlayer::new(config)).choose(board, limits, signals)
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
    fn new(config: &EngineConfig) -> EnginePlayer {
        EnginePlayer { engine: ExternalEngine::new(config.clone()), game: None }
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
