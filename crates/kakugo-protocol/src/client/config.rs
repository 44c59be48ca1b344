//! One engine with its limits, ready to be started.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use kakugo_cli::units::{Bytes, Time};

/// One engine, ready to be started.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineConfig {
    /// Name in tables and records; unique within a match.
    pub name: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Working directory; inherited if absent.
    pub dir: Option<PathBuf>,
    /// Environment variables to set.
    pub env: BTreeMap<String, String>,
    /// `INFO` pairs to send before each game.
    pub info: BTreeMap<String, String>,
    /// Limit per move.
    pub turn: Option<Time>,
    /// Limit per game.
    pub game: Option<Time>,
    /// Time added after each own move.
    pub increment: Time,
    /// Slack beyond the limits.
    pub tolerance: Time,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move.
    pub depth: Option<u32>,
    /// Memory limit.
    pub memory: Option<Bytes>,
    /// Search threads.
    pub threads: Option<u32>,
    /// Time to answer `START` and `RESTART`.
    pub startup: Time,
    /// Longest silence where no time limit applies.
    pub patience: Time,
    /// Pause between an answer and the next command.
    pub pause: Time,
    /// Skip lines that are not protocol.
    pub lenient: bool,
    /// In `SWAP2BOARD`, tell stones as `x,y,side`.
    pub swap2_sides: bool,
}

impl EngineConfig {
    /// Whether anything limits what it may do for a move.
    pub fn has_limit(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.nodes.is_some() || self.depth.is_some()
    }
}

/// Limits in a few words, for tables.
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
