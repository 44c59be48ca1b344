//! Commands before the first move: `START` or `RECTSTART`, then `INFO`s.

use super::config::EngineConfig;
use crate::{Command, Info};
use kakugo::board::Variant;

/// `INFO game_type` for a game against another engine.
const AGAINST_ENGINE: i64 = 1;

/// Board and rule of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSetup {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Rule and win length.
    pub variant: Variant,
}

impl GameSetup {
    /// Returns the command that starts a game.
    pub(super) fn start(&self) -> Command {
        Command::Start { width: self.width.into(), height: self.height.into() }
    }

    /// Returns the `INFO`s before a game in Piskvork's order, followed by those of other managers.
    /// `last` is the previous game of the same process.
    pub(super) fn infos(&self, last: Option<GameSetup>, config: &EngineConfig) -> Vec<Info> {
        let (turn, game) = (config.turn.map(|t| Info::ms(t.0)), config.game.map(|t| Info::ms(t.0)));
        let memory = config.memory.map(|m| i64::try_from(m.0).unwrap_or(i64::MAX));
        let win_length = self.variant.win_length();
        // Engines without this key need not know the default.
        let is_default = |game: &GameSetup| game.variant.win_length() == 5;
        let win_is_known = is_default(self) && last.as_ref().is_none_or(is_default);
        let increment =
            Some(Info::ms(config.increment.0)).filter(|_| !config.increment.0.is_zero());
        let nodes = config.nodes.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        let known = [
            memory.map(Info::MaxMemory),
            game.map(Info::TimeoutMatch),
            turn.or(game).map(Info::TimeoutTurn),
            Some(Info::GameType(AGAINST_ENGINE)),
            Some(Info::Rule(self.variant.rule().number().into())),
            (!win_is_known).then(|| Info::WinLength(win_length.into())),
            increment.map(Info::TimeIncrement),
            config.threads.map(|n| Info::ThreadNum(n.into())),
            nodes.map(Info::MaxNode),
            config.depth.map(|n| Info::MaxDepth(n.into())),
        ];
        let own = config.info.iter().map(|(key, value)| Info::Other(format!("{key} {value}")));
        known.into_iter().flatten().chain(own).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::options::EngineOptions;
    use super::*;
    use kakugo::board::Rule;

    #[test]
    fn limits_are_sent_as_infos() {
        let words = ["x", "turn=5s", "match=3m", "memory=350M", "nodes=7", "info.hash_size=1"];
        let options = EngineOptions::from_words(&words).unwrap();
        let config = options.resolve(Path::new("self")).unwrap();
        let game = GameSetup { width: 15, height: 15, variant: Variant::RENJU };
        let lines: Vec<String> = game.infos(None, &config).iter().map(Info::to_string).collect();
        assert_eq!(
            lines.join("\n"),
            "INFO max_memory 367001600\nINFO timeout_match 180000\nINFO timeout_turn 5000\n\
             INFO game_type 1\nINFO rule 4\nINFO max_node 7\nINFO hash_size 1"
        );
        let six = Variant::new(Rule::Freestyle, 6).unwrap();
        let six = GameSetup { variant: six, ..game };
        let has_win_length = |game: GameSetup, last, length| {
            game.infos(last, &config).contains(&Info::WinLength(length))
        };
        assert!(has_win_length(six, None, 6) && has_win_length(game, Some(six), 5));
        assert!(!has_win_length(game, Some(game), 5));
        assert_eq!(game.start().to_string(), "START 15");
        assert_eq!(GameSetup { height: 12, ..game }.start().to_string(), "RECTSTART 15,12");
    }
}
