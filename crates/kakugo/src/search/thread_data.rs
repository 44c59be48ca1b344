//! Data that a search thread keeps from move to move.

use super::eval_cache::EvalCache;
use super::history::History;
use super::vcf::Vcf;
use super::vct::Vct;

/// Data that a search thread keeps from move to move.
#[derive(Default)]
pub struct ThreadData {
    pub(super) history: History,
    pub(super) eval_cache: EvalCache,
    pub(super) vcf: Vcf,
    pub(super) vct: Vct,
}

impl ThreadData {
    /// Ages the histories before a new search.
    pub fn age(&mut self) {
        self.history.age();
    }
}
