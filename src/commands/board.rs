//! The board and rule that commands assume for files and positions that do not specify them.

use clap::{Args, ValueEnum};

use kakugo::board::{Rule, Side, Size, Variant};
use kakugo_record::{Defaults, Game};

/// Board and rule, for files that do not specify them.
#[derive(Args, Debug)]
pub struct BoardArgs {
    /// Board size, if the file does not specify one: 15, 19x13 [default: 15, rec files 20]
    #[arg(long)]
    size: Option<String>,
    /// Rule, if the file does not specify one: freestyle, standard, renju, caro, caro-overline
    /// [default: freestyle]
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
    /// Number of stones in a row that wins, 3 to 6, if the file does not specify a rule [default:
    /// 5]
    #[arg(long, alias = "win-length")]
    win: Option<u8>,
    /// Side to move in positions that do not specify it: black or white
    #[arg(long, value_name = "SIDE")]
    to_move: Option<ToMove>,
}

/// The side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ToMove {
    /// Black
    Black,
    /// White
    White,
}

impl From<ToMove> for Side {
    fn from(side: ToMove) -> Side {
        match side {
            ToMove::Black => Side::Black,
            ToMove::White => Side::White,
        }
    }
}

impl BoardArgs {
    /// Returns the rule that the user names.
    pub fn rule(&self) -> Option<Rule> {
        self.rule
    }

    /// Returns an empty game with this board and rule.
    ///
    /// # Errors
    /// Returns an error if the size or the win length is not supported.
    pub fn empty_game(&self) -> anyhow::Result<Game> {
        let Size { width, height } = self.size.as_deref().unwrap_or("15").parse()?;
        let rule = self.rule.unwrap_or(Rule::Freestyle);
        Ok(Game::new(width, height, Variant::new(rule, self.win.unwrap_or(5))?))
    }

    /// Returns what readers assume. SGF files of any game are read if the user names the rule.
    ///
    /// # Errors
    /// As [`BoardArgs::empty_game`].
    pub fn defaults(&self) -> anyhow::Result<Defaults> {
        let accepts_any_sgf = self.rule.is_some();
        let names_rule = self.rule.is_some() || self.win.is_some();
        let names_size = self.size.is_some();
        Ok(Defaults { accepts_any_sgf, names_rule, names_size, ..self.empty_game()?.into() })
    }

    /// Returns the named options that a game does not follow, because its file specifies another
    /// rule: `--rule renju`, `--rule renju and --win 5`.
    pub(super) fn overridden_by(&self, variant: Variant) -> Option<String> {
        let rule = self.rule.filter(|&rule| rule != variant.rule());
        let win = self.win.filter(|&win| win != variant.win_length());
        let rule = rule.map(|rule| format!("--rule {}", rule.word()));
        let options: Vec<_> = rule.into_iter().chain(win.map(|n| format!("--win {n}"))).collect();
        (!options.is_empty()).then(|| options.join(" and "))
    }

    /// Returns the side to move in positions that do not specify it.
    pub fn to_move(&self) -> Option<Side> {
        self.to_move.map(Side::from)
    }
}
