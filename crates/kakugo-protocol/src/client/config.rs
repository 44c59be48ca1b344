//! Configuration of an engine.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use kakugo_cli::units::{Bytes, Time};

/// Configuration of an engine, with all defaults applied.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Name in tables and records; unique in a match.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working directory; inherited if `None`.
    pub dir: Option<PathBuf>,
    /// Environment variables to set.
    pub env: BTreeMap<String, String>,
    /// Additional `INFO` keys and values, sent before each game.
    pub info: BTreeMap<String, String>,
    /// Time limit per move.
    pub turn: Option<Time>,
    /// Time limit per game.
    pub game: Option<Time>,
    /// Time added after each move.
    pub increment: Time,
    /// Tolerance for exceeding time limits.
    pub tolerance: Time,
    /// Node limit per move.
    pub nodes: Option<u64>,
    /// Depth limit per move.
    pub depth: Option<u32>,
    /// Memory limit.
    pub memory: Option<Bytes>,
    /// Number of search threads.
    pub threads: Option<u32>,
    /// Timeout for the answers to `START` and `RESTART`.
    pub startup: Time,
    /// Timeout for a move if there is no time limit.
    pub patience: Time,
    /// Minimum time between an answer and the next command.
    pub pause: Time,
    /// Log protocol violations instead of treating them as faults.
    pub lenient: bool,
    /// Send `SWAP2BOARD` stones as `x,y,field`.
    pub swap2_sides: bool,
}

impl EngineConfig {
    /// Returns true if time, nodes or depth per move are limited.
    pub fn has_limit(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// Formats name and limits for tables.
impl fmt::Display for EngineConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.turn.map(|t| format!("{t}/move")));
        parts.extend(self.game.map(|t| format!("{t}/game")));
        if !self.increment.0.is_zero() {
            parts.push(format!("+{}", self.increment));
        }
        parts.extend(self.nodes.map(|n| format!("{n} nodes")));
        parts.extend(self.depth.map(|d| format!("depth {d}")));
        parts.extend(self.memory.map(|m| format!("{m} memory")));
        parts.extend(self.threads.map(|t| format!("{t} threads")));
        let limits = if parts.is_empty() { "no limits".to_owned() } else { parts.join(", ") };
        write!(f, "{} ({limits})", self.name)
    }
}
