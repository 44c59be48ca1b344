//! The arbiter's view of an engine: an external engine in a match, a script in tests.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::client::{Answer, EngineConfig, ExternalEngine, Fault, GameSetup, Question};

/// What plays a game.
pub(super) trait Participant {
    /// Name and limits.
    fn config(&self) -> &EngineConfig;
    /// Prepare for a new game.
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault>;
    /// Send a command and wait for its answer.
    fn ask(&mut self, question: &Question) -> Result<Answer, Fault>;
    /// Check the memory limit: the peak, and if asked thoroughly, the private memory.
    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault>;
    /// End it at once.
    fn kill(&mut self);
}

/// An external engine in a match, which waits for answers until the match is stopped.
pub(super) struct Entrant<'a> {
    engine: ExternalEngine,
    stop: &'a AtomicBool,
}

impl<'a> Entrant<'a> {
    /// An engine that is not running. Raising `stop` interrupts every wait.
    pub(super) fn new(config: EngineConfig, stop: &'a AtomicBool) -> Entrant<'a> {
        Entrant { engine: ExternalEngine::new(config), stop }
    }

    /// End the process by `END`, and by force if it does not obey.
    pub(super) fn end(&mut self) {
        self.engine.end();
    }
}

impl Participant for Entrant<'_> {
    fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.engine.new_game(game, &|| self.stop.load(Ordering::Relaxed))
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Fault> {
        self.engine.ask(question, &|| self.stop.load(Ordering::Relaxed))
    }

    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        self.engine.check_memory(thoroughly)
    }

    fn kill(&mut self) {
        self.engine.kill();
    }
}
