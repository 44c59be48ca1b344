//! The referee's interface to an engine: a process in a match, a script in tests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use kakugo_protocol::client::{Answer, EngineConfig, ExternalEngine, Fault, GameSetup, Question};

/// Maximum delay between the end of an engine and a stop request if one signal causes both.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// A player of a game.
pub(super) trait Participant {
    /// Returns the name and limits.
    fn config(&self) -> &EngineConfig;
    /// Prepares for a new game.
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault>;
    /// Sends a command and waits for the reply.
    fn ask(&mut self, question: &Question) -> Result<Answer, Fault>;
    /// Checks the memory limit: the peak and, if `thoroughly`, the private memory.
    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault>;
    /// Kills the engine.
    fn kill(&mut self);
}

/// An engine process in a match. It is waited for until the match is stopped.
pub(super) struct MatchEngine<'a> {
    engine: ExternalEngine,
    stop: &'a AtomicBool,
}

impl<'a> MatchEngine<'a> {
    /// Returns an engine that is not running. Setting `stop` interrupts every wait.
    pub(super) fn new(config: EngineConfig, stop: &'a AtomicBool) -> MatchEngine<'a> {
        MatchEngine { engine: ExternalEngine::new(config), stop }
    }

    /// Ends the process with `END`, and kills it if it does not exit.
    pub(super) fn end(&mut self) {
        self.engine.end();
    }
}

impl MatchEngine<'_> {
    /// Replaces a fault by [`Fault::Stopped`] if the match was stopped. A signal may end all
    /// processes at once, and the end of the engine may be noticed before the stop request.
    fn classify(&self, fault: Fault) -> Fault {
        let stopped = || self.stop.load(Ordering::Relaxed);
        if matches!(fault, Fault::Crash(_) | Fault::Disconnect(_)) && !stopped() {
            thread::sleep(STOP_GRACE);
        }
        if stopped() { Fault::Stopped } else { fault }
    }
}

impl Participant for MatchEngine<'_> {
    fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let started = self.engine.new_game(game, &|| self.stop.load(Ordering::Relaxed));
        started.map_err(|fault| self.classify(fault))
    }

    fn ask(&mut self, question: &Question) -> Result<Answer, Fault> {
        let answer = self.engine.ask(question, &|| self.stop.load(Ordering::Relaxed));
        answer.map_err(|fault| self.classify(fault))
    }

    fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
        self.engine.check_memory(thoroughly)
    }

    fn kill(&mut self) {
        self.engine.kill();
    }
}
