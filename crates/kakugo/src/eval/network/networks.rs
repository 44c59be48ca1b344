//! Which network values the positions of each rule.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::embedded;
use super::file::NetworkError;
use super::tables::Tables;
use crate::board::{Board, Rule, Side};
use crate::eval::weights::{self, SECTIONS};

/// What was chosen for a rule.
#[derive(Clone, Default, Debug)]
enum Chosen {
    /// What the program carries.
    #[default]
    Embedded,
    /// The classical evaluation.
    Classical,
    /// A network from elsewhere.
    Own(Arc<Tables>),
}

/// The networks to value positions with: for each rule the embedded one, unless another was chosen.
/// Where none serves a board, its values are the classical ones.
#[derive(Clone, Default, Debug)]
pub struct Networks {
    /// By the first section of the rule.
    chosen: [Chosen; SECTIONS.len()],
}

impl Networks {
    /// Classical values under every rule.
    pub fn none() -> Networks {
        Networks { chosen: std::array::from_fn(|_| Chosen::Classical) }
    }

    /// From now on what a user names: `none` (or nothing at all) for classical values and `embedded` for
    /// what the program carries, under every rule; anything else is the file of a network, for its rule.
    ///
    /// # Errors
    /// The file cannot be read or holds no network that can be used. Then nothing has changed.
    pub fn choose(&mut self, name: &str) -> Result<(), NetworkError> {
        match name {
            "" | "none" => *self = Networks::none(),
            "embedded" => *self = Networks::default(),
            file => self.set(Tables::load(Path::new(file))?),
        }
        Ok(())
    }

    /// From now on this one for its rule.
    pub fn set(&mut self, tables: Tables) {
        let slot = slot(tables.rule());
        self.chosen[slot] = Chosen::Own(Arc::new(tables));
    }

    /// The one that values positions of this board.
    pub fn serving(&self, board: &Board) -> Option<Arc<Tables>> {
        match &self.chosen[slot(board.variant().rule())] {
            Chosen::Embedded => embedded::serving(board),
            Chosen::Classical => None,
            Chosen::Own(tables) => Some(Arc::clone(tables)).filter(|tables| tables.serves(board)),
        }
    }
}

/// The embedded networks, but for [what is named](Networks::choose).
impl FromStr for Networks {
    type Err = NetworkError;

    fn from_str(name: &str) -> Result<Networks, NetworkError> {
        let mut networks = Networks::default();
        networks.choose(name)?;
        Ok(networks)
    }
}

/// Whether they are the same, which they are not where a file was read twice.
impl PartialEq for Networks {
    fn eq(&self, other: &Networks) -> bool {
        self.chosen.iter().zip(&other.chosen).all(|pair| match pair {
            (Chosen::Own(one), Chosen::Own(other)) => Arc::ptr_eq(one, other),
            (Chosen::Embedded, Chosen::Embedded) | (Chosen::Classical, Chosen::Classical) => true,
            _ => false,
        })
    }
}

impl Eq for Networks {}

fn slot(rule: Rule) -> usize {
    weights::section(rule, Side::Black)
}
