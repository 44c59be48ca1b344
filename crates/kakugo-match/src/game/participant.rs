//! The arbiter's view of an engine: an external engine in a match, a script in tests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use kakugo_protocol::client::{Answer, EngineConfig, ExternalEngine, Fault, GameSetup, Question};

/// Between the end of an engine and the word that the match is to stop, where one event causes both.
const STOP_PATIENCE: Duration = Duration::from_millis(200);

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

impl Entrant<'_> {
    /// What a fault means. An engine that goes together with the match has not failed: the console or
    /// the system may end all processes at once, and the engine's end may be seen first.
    fn judge(&self, fault: Fault) -> Fault {
        let stopped = || self.stop.load(Ordering::Relaxed);
        if matches!(fault, Fault::Crash(_) | Fault::Disconnect(_)) && !stopped() {
            thread::sleep(STOP_PATIENCE);
        }
        if stopped() { Fault::Stopped } else { fault }
    }
}

impl Participant for Entrant<'_> {
    fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let started = self.engine.new_game(game, &|| self.stop.load(Ordering::Relaxed));
        started.map_err(|fault| self.judge(fault))
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Fault> {
        let answer = self.engine.ask(question, &|| self.stop.load(Ordering::Relaxed));
        answer.map_err(|fault| self.judge(fault))
    }

    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        self.engine.check_memory(thoroughly)
    }

    fn kill(&mut self) {
        self.engine.kill();
    }
}
