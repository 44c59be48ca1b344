//! Other engines as players: child processes that speak the Gomocup protocol.
//!
//! Every move is asked for with the whole position (`BOARD`), so that undo and jumps need nothing
//! special. Raising the search's stop signal ends the wait, and with it the process.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use kakugo::board::{Board, Point};
use kakugo::search::{Limits, Signals};
use kakugo_protocol::client::{
    self, EngineConfig, EngineOptions, ExternalEngine, Fault, GameSetup, Question,
};
use kakugo_protocol::{Command, Info, StrictReply};

/// Slack beyond an engine's time before it counts as hanging.
const SLACK: Duration = Duration::from_secs(5);

/// Longest wait for an engine whose time is not limited.
const UNLIMITED_PATIENCE: Duration = Duration::from_secs(3600);

/// What `--engine` says: a command line, or `key=value` words as `match` takes them.
///
/// # Errors
/// Says what cannot be understood.
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

/// An engine, with its process once it was asked for a move.
pub struct EnginePlayer {
    engine: ExternalEngine,
    /// The game it was told of.
    game: Option<GameSetup>,
}

impl EnginePlayer {
    /// An engine that starts with its first move.
    pub fn new(config: &EngineConfig) -> EnginePlayer {
        EnginePlayer { engine: ExternalEngine::new(config.clone()), game: None }
    }

    /// Ask for a move.
    ///
    /// # Errors
    /// How it failed, in words.
    pub fn choose(
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

/// Says `END` to the process.
impl Drop for EnginePlayer {
    fn drop(&mut self) {
        self.engine.end();
    }
}
