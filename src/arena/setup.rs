//! The commands before the first move: `START` or `RECTSTART`, then `INFO`s.

use std::fmt::{Display, Write};
use std::time::Duration;

use super::config::{EngineConfig, Settings};
use crate::board::Variant;

/// How a game on this board begins.
pub(super) fn start_command(settings: &Settings) -> String {
    let (width, height) = (settings.width, settings.height);
    if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") }
}

/// The `INFO` lines before a game, in Piskvork's order, then what only some engines know.
pub(super) fn infos(config: &EngineConfig, variant: Variant) -> String {
    let mut lines = String::new();
    let mut info = |key: &str, value: &dyn Display| {
        let _ = writeln!(lines, "INFO {key} {value}");
    };
    let millis = |time: Duration| time.as_millis();
    if let Some(memory) = config.memory {
        info("max_memory", &memory.0);
    }
    if let Some(game) = config.game {
        info("timeout_match", &millis(game.0));
    }
    if let Some(turn) = config.turn.or(config.game) {
        info("timeout_turn", &millis(turn.0));
    }
    info("game_type", &1);
    info("rule", &variant.rule().number());
    if variant.win_length() != 5 {
        info("win_length", &variant.win_length());
    }
    if !config.increment.0.is_zero() {
        info("time_increment", &millis(config.increment.0));
    }
    if let Some(threads) = config.threads {
        info("thread_num", &threads);
    }
    if let Some(nodes) = config.nodes {
        info("max_node", &nodes);
    }
    if let Some(depth) = config.depth {
        info("max_depth", &depth);
    }
    for (key, value) in &config.info {
        info(key, value);
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::config::EngineOptions;
    use super::*;

    #[test]
    fn engines_are_told_their_limits() {
        let words = ["x", "turn=5s", "match=3m", "memory=350M", "nodes=7", "info.hash_size=1"];
        let options = EngineOptions::from_words(&words).unwrap();
        let config = options.resolve(Path::new("self")).unwrap();
        assert_eq!(
            infos(&config, Variant::RENJU),
            "INFO max_memory 367001600\nINFO timeout_match 180000\nINFO timeout_turn 5000\n\
             INFO game_type 1\nINFO rule 4\nINFO max_node 7\nINFO hash_size 1\n"
        );
    }
}
