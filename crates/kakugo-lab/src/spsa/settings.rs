//! Settings that determine a run. They are stored in the first line of the file, so that a resumed
//! run uses the same ones.

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::boards::Boards;
use kakugo::eval::network::Networks;
use kakugo::search::{TUNABLES, Tunable};

/// A tunable with its start, step and range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Dimension {
    pub(super) name: String,
    /// Start value.
    pub(super) start: i32,
    /// Perturbation of the last pairs.
    pub(super) step: i32,
    pub(super) least: i32,
    pub(super) most: i32,
}

impl From<&Tunable> for Dimension {
    fn from(&Tunable { name, value, step, min, max }: &Tunable) -> Dimension {
        Dimension { name: name.to_owned(), start: value, step, least: min, most: max }
    }
}

/// Settings that determine a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Total number of pairs. Step sizes decay until then.
    pub(super) pairs: u32,
    /// Nodes per move, varied by up to 10 %.
    pub(super) nodes: u32,
    pub(super) boards: Boards,
    /// Networks that replace the embedded ones of their rules.
    pub(super) nets: Vec<String>,
    /// Final change of a value per won game, in steps.
    pub(super) rate: f64,
    /// Size of each player's transposition table, in MiB.
    pub(super) hash: u32,
    pub(super) seed: u64,
    pub(super) dimensions: Vec<Dimension>,
}

/// Returns the embedded networks, with these in place of those of their rules.
///
/// # Errors
/// Returns an error if one of them cannot be loaded.
pub(super) fn networks(names: &[String]) -> anyhow::Result<Networks> {
    let mut networks = Networks::default();
    for name in names {
        networks.select(name).with_context(|| format!("network {name}"))?;
    }
    Ok(networks)
}

/// The requested run. Options that are `None` are taken from the file, or have a default.
#[derive(Clone, Default, Debug)]
pub(super) struct Request {
    /// See [`Settings`] for this and most of the following options.
    pub(super) pairs: Option<u32>,
    pub(super) nodes: Option<u32>,
    pub(super) boards: Option<Boards>,
    /// If empty, taken from the file, or none.
    pub(super) nets: Vec<String>,
    pub(super) rate: Option<f64>,
    pub(super) hash: Option<u32>,
    pub(super) seed: Option<u64>,
    /// Prefixes of the tunables to tune. If empty, all.
    pub(super) only: Vec<String>,
    /// Prefixes of the tunables to exclude.
    pub(super) without: Vec<String>,
}

impl Request {
    /// Returns the settings of a new run.
    ///
    /// # Errors
    /// Returns an error if an option is invalid or a network cannot be loaded.
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
        ensure!(settings.pairs > 0 && settings.nodes > 0, "--pairs and --nodes must be at least 1");
        ensure!(
            settings.rate > 0.0 && settings.rate <= 1.0,
            "--rate must be greater than 0 and at most 1"
        );
        Ok(settings)
    }

    /// Returns the selected tunables.
    fn dimensions(&self) -> anyhow::Result<Vec<Dimension>> {
        let names: Vec<&str> = TUNABLES.iter().map(|tunable| tunable.name).collect();
        for prefix in self.only.iter().chain(&self.without) {
            if !names.iter().any(|name| name.starts_with(prefix)) {
                bail!("no tunable starts with \"{prefix}\": expected one of {}", names.join(", "));
            }
        }
        let matches =
            |name: &str, prefixes: &[String]| prefixes.iter().any(|p| name.starts_with(p));
        let selected = TUNABLES.iter().filter(|tunable| {
            (self.only.is_empty() || matches(tunable.name, &self.only))
                && !matches(tunable.name, &self.without)
        });
        let selected: Vec<Dimension> = selected.map(Dimension::from).collect();
        ensure!(!selected.is_empty(), "--without excludes all selected tunables");
        Ok(selected)
    }

    /// Checks that the settings of a file are as requested, and that this build has its tunables.
    ///
    /// # Errors
    /// Returns an error that names the first difference.
    pub(super) fn check(&self, stored: &Settings) -> anyhow::Result<()> {
        let differences = [
            ("pairs", difference(&self.pairs, &stored.pairs)),
            ("nodes", difference(&self.nodes, &stored.nodes)),
            ("rules", difference(&self.boards, &stored.boards)),
            ("rate", difference(&self.rate, &stored.rate)),
            ("hash", difference(&self.hash, &stored.hash)),
            ("seed", difference(&self.seed, &stored.seed)),
        ];
        for (name, difference) in differences {
            if let Some(value) = difference {
                bail!("the run was started with --{name} {value}: use the same option");
            }
        }
        if !self.nets.is_empty() && self.nets != stored.nets {
            let nets = stored.nets.join(",");
            bail!("the run was started with other networks: --net {nets:?}");
        }
        let names = |all: &[Dimension]| all.iter().map(|d| d.name.clone()).collect::<Vec<_>>();
        let stored = names(&stored.dimensions);
        let is_selected = !self.only.is_empty() || !self.without.is_empty();
        if is_selected && names(&self.dimensions()?) != stored {
            bail!("the run was started with other tunables: {}", stored.join(", "));
        }
        match stored.iter().find(|&name| TUNABLES.iter().all(|tunable| tunable.name != name)) {
            Some(unknown) => bail!("the run tunes {unknown}, which this build does not have"),
            None => Ok(()),
        }
    }
}

/// Returns the stored value if it differs from the requested one.
fn difference<T: PartialEq + ToString>(requested: &Option<T>, stored: &T) -> Option<String> {
    requested.as_ref().is_some_and(|requested| requested != stored).then(|| stored.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(only: &[&str], without: &[&str]) -> Request {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Request { only: owned(only), without: owned(without), seed: Some(1), ..Request::default() }
    }

    fn names(request: &Request) -> Vec<String> {
        request.settings().unwrap().dimensions.into_iter().map(|d| d.name).collect()
    }

    #[test]
    fn tunables_are_selected_by_prefix() {
        let all = names(&request(&[], &[]));
        assert_eq!(all.len(), TUNABLES.len());
        let singular = names(&request(&["singular_"], &["singular_double"]));
        assert_eq!(singular, ["singular_min_depth", "singular_margin", "singular_reduction"]);
        let rest = names(&request(&[], &["lmr"]));
        assert!(rest.iter().all(|name| !name.starts_with("lmr")) && rest.len() + 10 < all.len());
        let error = |request: Request| request.settings().unwrap_err().to_string();
        assert!(error(request(&["lmr", "lrm"], &[])).starts_with("no tunable starts with \"lrm\""));
        assert_eq!(error(request(&["lmr"], &["l"])), "--without excludes all selected tunables");
    }

    #[test]
    fn settings_of_a_run_cannot_change() {
        let stored = request(&["lmr"], &[]).settings().unwrap();
        assert!(request(&[], &[]).check(&stored).is_ok());
        assert!(request(&["lmr"], &[]).check(&stored).is_ok());
        let fails = |request: Request| request.check(&stored).unwrap_err().to_string();
        assert!(fails(request(&["iir"], &[])).contains("with other tunables: lmr_min_depth"));
        let other = Request { nodes: Some(9), ..Request::default() };
        assert_eq!(fails(other), "the run was started with --nodes 8000: use the same option");
        let other = Request { nets: vec!["a.net".to_owned()], ..Request::default() };
        assert_eq!(fails(other), "the run was started with other networks: --net \"\"");
        let mut unknown = stored.clone();
        unknown.dimensions[0].name = "luck".to_owned();
        let error = request(&[], &[]).check(&unknown).unwrap_err().to_string();
        assert_eq!(error, "the run tunes luck, which this build does not have");
    }

    #[test]
    fn a_network_that_cannot_be_loaded_is_an_error() {
        assert!(networks(&["none".to_owned(), "embedded".to_owned()]).is_ok());
        let error = networks(&["/no/such.net".to_owned()]).unwrap_err();
        assert!(format!("{error:#}").starts_with("network /no/such.net: "));
    }

    #[test]
    fn settings_round_trip_through_json() {
        let settings = request(&["lmr"], &[]).settings().unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&text).unwrap(), settings);
        // Numbers with many digits, too.
        let numbers: Vec<f64> = (1..2000).map(|n| f64::from(n).sqrt() / 1e3).collect();
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(serde_json::from_str::<Vec<f64>>(&text).unwrap(), numbers);
    }
}
