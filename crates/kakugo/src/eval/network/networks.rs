//! The network of each rule.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use super::embedded;
use super::file::NetworkError;
use super::tables::NetworkTables;
use crate::board::{Board, Rule, Side};
use crate::eval::weights::{self, SECTIONS};

/// The evaluation of a rule.
#[derive(Clone, Default, Debug)]
enum Selection {
    /// The embedded network.
    #[default]
    Embedded,
    /// The classical evaluation.
    Classical,
    /// A network from a file.
    Loaded(Arc<NetworkTables>),
}

/// The networks to evaluate with, one for each rule. The default is the embedded networks. Boards
/// without a network use the classical evaluation.
#[derive(Clone, Default, Debug)]
pub struct Networks {
    /// By the first section of the rule.
    selections: [Selection; SECTIONS.len()],
}

impl Networks {
    /// Returns the classical evaluation for every rule.
    pub fn none() -> Networks {
        Networks { selections: std::array::from_fn(|_| Selection::Classical) }
    }

    /// Selects networks by name: `none` or an empty name for the classical evaluation of every
    /// rule, `embedded` for the embedded networks of every rule. Any other name is the path of a
    /// network file, which is used for its rule.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid network. Then the selection is unchanged.
    pub fn select(&mut self, name: &str) -> Result<(), NetworkError> {
        match name {
            "" | "none" => *self = Networks::none(),
            "embedded" => *self = Networks::default(),
            file => self.set(NetworkTables::load(Path::new(file))?),
        }
        Ok(())
    }

    /// Uses this network for its rule.
    pub fn set(&mut self, tables: NetworkTables) {
        let slot = slot(tables.rule());
        self.selections[slot] = Selection::Loaded(Arc::new(tables));
    }

    /// Returns the network for positions on this board, if there is one.
    pub fn for_board(&self, board: &Board) -> Option<Arc<NetworkTables>> {
        match &self.selections[slot(board.variant().rule())] {
            Selection::Embedded => embedded::for_board(board),
            Selection::Classical => None,
            Selection::Loaded(tables) => {
                Some(Arc::clone(tables)).filter(|tables| tables.supports(board))
            }
        }
    }
}

/// Parses a name as [`Networks::select`] does, starting from the embedded networks.
impl FromStr for Networks {
    type Err = NetworkError;

    fn from_str(name: &str) -> Result<Networks, NetworkError> {
        let mut networks = Networks::default();
        networks.select(name)?;
        Ok(networks)
    }
}

/// Networks from files are equal only if they come from the same load.
impl PartialEq for Networks {
    fn eq(&self, other: &Networks) -> bool {
        self.selections.iter().zip(&other.selections).all(|pair| match pair {
            (Selection::Loaded(one), Selection::Loaded(other)) => Arc::ptr_eq(one, other),
            (Selection::Embedded, Selection::Embedded)
            | (Selection::Classical, Selection::Classical) => true,
            _ => false,
        })
    }
}

impl Eq for Networks {}

fn slot(rule: Rule) -> usize {
    weights::section(rule, Side::Black)
}
