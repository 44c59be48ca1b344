//! Other engines as players: child processes that speak the Gomocup protocol.
//!
//! Every move is asked for with the whole position (`BOARD`), so that undo and jumps need nothing
//! special. Raising the search's stop signal ends the wait, and with it the process.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;

use crate::arena::config::{EngineConfig, EngineOptions, Format, Settings};
use crate::arena::contestant::{Contestant, Expect, Fault};
use crate::arena::engine::Engine;
use crate::arena::output::Line;
use crate::board::{Board, Cell, Point, Side, Variant};
use crate::search::{Limits, Signals};

/// How often a waiting player looks whether it was stopped.
const GLANCE: Duration = Duration::from_millis(20);
/// Slack beyond an engine's time before it counts as hanging.
const SLACK: Duration = Duration::from_secs(5);

/// What `--engine` says: a command line, or `key=value` words as `match` takes them.
///
/// # Errors
/// Says what cannot be understood.
pub fn configure(words: &str, this_program: &Path) -> anyhow::Result<EngineConfig> {
    let options = if words.split_whitespace().any(|word| word.starts_with("cmd=")) {
        let words = shell_words::split(words).with_context(|| format!("reading \"{words}\""))?;
        EngineOptions::from_words(&words)?
    } else {
        EngineOptions { cmd: Some(words.to_owned()), ..EngineOptions::default() }
    };
    // People at a board want moves, not compliance.
    let mut config = options.resolve(this_program)?;
    config.lenient = true;
    Ok(config)
}

/// A running engine.
pub struct Brain {
    engine: Engine<'static>,
    stop: &'static AtomicBool,
    /// Size and rule of the game it was told of.
    game: Option<(u8, u8, Variant)>,
}

impl Brain {
    /// An engine that starts with its first move. Its configuration lives as long as the program.
    pub fn new(config: &'static EngineConfig) -> Brain {
        let stop: &'static AtomicBool = Box::leak(Box::default());
        Brain { engine: Engine::new(config, stop), stop, game: None }
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
        let (engine, stop, game) = (&mut self.engine, self.stop, &mut self.game);
        stop.store(false, Ordering::Relaxed);
        let done = AtomicBool::new(false);
        let asked = thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    stop.fetch_or(signals.is_stopped(), Ordering::Relaxed);
                    thread::sleep(GLANCE);
                }
            });
            let asked = ask(engine, game, board, limits);
            done.store(true, Ordering::Relaxed);
            asked
        });
        asked.map_err(|fault| {
            // It may still be thinking: the next move gets a new process.
            self.engine.kill();
            self.game = None;
            story(fault)
        })
    }
}

/// Nobody waits for it any more.
impl Drop for Brain {
    fn drop(&mut self) {
        self.engine.end();
    }
}

fn ask(
    engine: &mut Engine<'static>,
    game: &mut Option<(u8, u8, Variant)>,
    board: &Board,
    limits: &Limits,
) -> Result<Point, Fault> {
    let this = (board.width(), board.height(), board.variant());
    if *game != Some(this) {
        *game = None;
        engine.new_game(&settings(board), board.variant())?;
        *game = Some(this);
    }
    let ms = |time: Duration| time.as_millis();
    let unlimited = u128::from(i32::MAX as u32);
    engine.tell(&format!("INFO timeout_turn {}\n", limits.turn.map_or(unlimited, ms)));
    engine.tell(&format!("INFO timeout_match {}\n", limits.left.map_or(0, ms)));
    engine.tell(&format!("INFO time_left {}\n", limits.left.map_or(unlimited, ms)));
    let times = [limits.turn, limits.left].into_iter().flatten();
    let patience = times.min().unwrap_or(Duration::from_secs(3600)) + SLACK;
    let answer = engine.ask(&position(board), Expect::Move, patience)?;
    let Line::Moves(moves) = &answer.line else {
        return Err(Fault::Protocol("no move".to_owned()));
    };
    let point = moves.first().and_then(|&(x, y)| {
        Point::new(u8::try_from(x).ok()?, u8::try_from(y).ok()?).filter(|&p| board.contains(p))
    });
    point.ok_or_else(|| Fault::Protocol(format!("a move off the board, {moves:?}")))
}

/// The stones as the side to move sees them.
fn position(board: &Board) -> String {
    if board.ply() == 0 {
        return "BEGIN".to_owned();
    }
    let own = board.side_to_move();
    let stone = |side: Side| if side == own { 1 } else { 2 };
    let stones =
        board.stones().map(|s| format!("{},{},{}\n", s.point.x(), s.point.y(), stone(s.side)));
    debug_assert!(board.points().all(|p| board.cell(p) != Cell::Wall));
    format!("BOARD\n{}DONE", stones.collect::<String>())
}

fn settings(board: &Board) -> Settings {
    Settings {
        width: board.width(),
        height: board.height(),
        rule: board.variant().rule().number(),
        win_length: board.variant().win_length(),
        format: Format::RoundRobin,
        games: 2,
        engines: Vec::new(),
        seed: 0,
        swap2: false,
        openings: Vec::new(),
        move_limit: None,
        adjudicate: false,
        sprt: None,
    }
}

fn story(fault: Fault) -> String {
    match fault {
        Fault::Time(what)
        | Fault::Crash(what)
        | Fault::Disconnect(what)
        | Fault::Protocol(what)
        | Fault::Memory(what)
        | Fault::Unstartable(what) => what,
        Fault::Stopped => "stopped".to_owned(),
    }
}
