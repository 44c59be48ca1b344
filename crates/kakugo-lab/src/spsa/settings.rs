//! What determines a run: kept in the file's first line, so that a run that goes on is the one that
//! began.

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::boards::Boards;
use kakugo::eval::network::Networks;
use kakugo::search::{TUNABLES, Tunable};

/// A tunable that is tuned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Dimension {
    pub(super) name: String,
    /// Where it begins.
    pub(super) start: i32,
    /// By how much the players of the last pairs differ from the values.
    pub(super) step: i32,
    pub(super) least: i32,
    pub(super) most: i32,
}

impl From<&Tunable> for Dimension {
    fn from(&Tunable { name, value, step, least, most }: &Tunable) -> Dimension {
        Dimension { name: name.to_owned(), start: value, step, least, most }
    }
}

/// What determines a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Pairs of games planned: steps get shorter towards the end.
    pub(super) pairs: u32,
    /// Nodes per move, within a tenth.
    pub(super) nodes: u32,
    pub(super) boards: Boards,
    /// Networks that are used besides those that the program carries.
    pub(super) nets: Vec<String>,
    /// How far a game won or lost moves a value in the end, in steps.
    pub(super) rate: f64,
    /// Transposition table of a player, in MiB.
    pub(super) hash: u32,
    pub(super) seed: u64,
    pub(super) dimensions: Vec<Dimension>,
}

/// The networks of the program, and these.
///
/// # Errors
/// One of them cannot be used.
pub(super) fn networks(names: &[String]) -> anyhow::Result<Networks> {
    let mut networks = Networks::default();
    for name in names {
        networks.choose(name).with_context(|| format!("network {name}"))?;
    }
    Ok(networks)
}

/// What is asked for. What is `None` is as the file began, or has a default.
#[derive(Clone, Default, Debug)]
pub(super) struct Wanted {
    /// As in [`Settings`], like most of the rest.
    pub(super) pairs: Option<u32>,
    pub(super) nodes: Option<u32>,
    pub(super) boards: Option<Boards>,
    /// Empty: none, or as the file began.
    pub(super) nets: Vec<String>,
    pub(super) rate: Option<f64>,
    pub(super) hash: Option<u32>,
    pub(super) seed: Option<u64>,
    /// Only tunables whose names begin so; empty: all.
    pub(super) only: Vec<String>,
    /// None whose names begin so.
    pub(super) without: Vec<String>,
}

impl Wanted {
    /// The settings of a new run.
    ///
    /// # Errors
    /// No tunable has a name that is asked for, a network cannot be used, or there is nothing to play.
    pub(super) fn settings(&self) -> anyhow::Result<Settings> {
        let boards = "freestyle:15,freestyle:20,standard:15,renju:15".parse();
        let settings = Settings {
            pairs: self.pairs.unwrap_or(20_000),
            nodes: self.nodes.unwrap_or(8_000),
            boards: self.boards.clone().map_or(boards, Ok).map_err(anyhow::Error::msg)?,
            nets: self.nets.clone(),
            rate: self.rate.unwrap_or(0.002),
            hash: self.hash.unwrap_or(2),
            seed: self.seed.unwrap_or_else(rand::random),
            dimensions: self.dimensions()?,
        };
        networks(&settings.nets)?;
        ensure!(settings.pairs > 0 && settings.nodes > 0, "a run needs pairs and nodes");
        ensure!(settings.rate > 0.0 && settings.rate <= 1.0, "the rate is more than 0, at most 1");
        Ok(settings)
    }

    /// The tunables that are asked for.
    fn dimensions(&self) -> anyhow::Result<Vec<Dimension>> {
        let names: Vec<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        for prefix in self.only.iter().chain(&self.without) {
            if !names.iter().any(|name| name.starts_with(prefix)) {
                bail!("no tunable begins with \"{prefix}\"; there are: {}", names.join(", "));
            }
        }
        let begins = |name: &str, prefixes: &[String]| prefixes.iter().any(|p| name.starts_with(p));
        let chosen = TUNABLES.iter().filter(|tunable| {
            (self.only.is_empty() || begins(tunable.name, &self.only))
                && !begins(tunable.name, &self.without)
        });
        let chosen: Vec<Dimension> = chosen.map(Dimension::from).collect();
        ensure!(!chosen.is_empty(), "no tunable is left to tune");
        Ok(chosen)
    }

    /// Whether a run that has begun is the one that is asked for, and whether this build knows its
    /// tunables.
    ///
    /// # Errors
    /// The first setting that is another one.
    pub(super) fn check(&self, begun: &Settings) -> anyhow::Result<()> {
        let others = [
            ("pairs", differ(&self.pairs, &begun.pairs)),
            ("nodes", differ(&self.nodes, &begun.nodes)),
            ("rules", differ(&self.boards, &begun.boards)),
            ("rate", differ(&self.rate, &begun.rate)),
            ("hash", differ(&self.hash, &begun.hash)),
            ("seed", differ(&self.seed, &begun.seed)),
        ];
        for (name, other) in others {
            if let Some(value) = other {
                bail!("it was begun with --{name} {value}");
            }
        }
        if !self.nets.is_empty() && self.nets != begun.nets {
            bail!("it was begun with these networks: [{}]", begun.nets.join(", "));
        }
        let names = |all: &[Dimension]| all.iter().map(|d| d.name.clone()).collect::<Vec<_>>();
        let begun = names(&begun.dimensions);
        let is_chosen = !self.only.is_empty() || !self.without.is_empty();
        if is_chosen && names(&self.dimensions()?) != begun {
            bail!("it was begun with these tunables: {}", begun.join(", "));
        }
        match begun.iter().find(|&name| TUNABLES.iter().all(|tunable| tunable.name != name)) {
            Some(unknown) => bail!("it tunes {unknown}, which this build does not have"),
            None => Ok(()),
        }
    }
}

/// How a run was begun, if something else is asked for.
fn differ<T: PartialEq + ToString>(wanted: &Option<T>, begun: &T) -> Option<String> {
    wanted.as_ref().is_some_and(|wanted| wanted != begun).then(|| begun.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(only: &[&str], without: &[&str]) -> Wanted {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Wanted { only: owned(only), without: owned(without), seed: Some(1), ..Wanted::default() }
    }

    fn names(wanted: &Wanted) -> Vec<String> {
        wanted.settings().unwrap().dimensions.into_iter().map(|d| d.name).collect()
    }

    #[test]
    fn tunables_are_chosen_by_the_beginnings_of_their_names() {
        let all = names(&wanted(&[], &[]));
        assert_eq!(all.len(), TUNABLES.len());
        let singular = names(&wanted(&["singular_"], &["singular_double"]));
        assert_eq!(singular, ["singular_min_depth", "singular_margin", "singular_reduction"]);
        let rest = names(&wanted(&[], &["lmr"]));
        assert!(rest.iter().all(|name| !name.starts_with("lmr")) && rest.len() + 10 < all.len());
        let error = |wanted: Wanted| wanted.settings().unwrap_err().to_string();
        assert!(error(wanted(&["lmr", "lrm"], &[])).starts_with("no tunable begins with \"lrm\""));
        assert_eq!(error(wanted(&["lmr"], &["l"])), "no tunable is left to tune");
    }

    #[test]
    fn a_run_that_has_begun_keeps_its_settings() {
        let begun = wanted(&["lmr"], &[]).settings().unwrap();
        assert!(wanted(&[], &[]).check(&begun).is_ok());
        assert!(wanted(&["lmr"], &[]).check(&begun).is_ok());
        let fails = |wanted: Wanted| wanted.check(&begun).unwrap_err().to_string();
        assert!(fails(wanted(&["iir"], &[])).contains("begun with these tunables: lmr_min_depth"));
        let other = Wanted { nodes: Some(9), ..Wanted::default() };
        assert_eq!(fails(other), "it was begun with --nodes 8000");
        let other = Wanted { nets: vec!["a.net".to_owned()], ..Wanted::default() };
        assert_eq!(fails(other), "it was begun with these networks: []");
        let mut unknown = begun.clone();
        unknown.dimensions[0].name = "luck".to_owned();
        let error = wanted(&[], &[]).check(&unknown).unwrap_err().to_string();
        assert_eq!(error, "it tunes luck, which this build does not have");
    }

    #[test]
    fn a_network_that_cannot_be_used_is_an_error() {
        assert!(networks(&["none".to_owned(), "embedded".to_owned()]).is_ok());
        let error = networks(&["/no/such.net".to_owned()]).unwrap_err();
        assert!(format!("{error:#}").starts_with("network /no/such.net: the file cannot be read"));
    }

    #[test]
    fn settings_survive_being_written() {
        let settings = wanted(&["lmr"], &[]).settings().unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
    }
}
