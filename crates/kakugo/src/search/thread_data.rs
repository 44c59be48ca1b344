//! What one thread keeps from move to move.

use super::evals::Evaluations;
use super::history::History;
use super::vcf::Vcf;
use super::vct::Vct;

/// What one thread keeps from move to move.
#[derive(Default)]
pub struct ThreadData {
    pub(super) history: History,
    pub(super) evals: Evaluations,
    pub(super) vcf: Vcf,
    pub(super) vct: Vct,
}

impl ThreadData {
    /// Let old knowledge fade before a new search.
    pub fn age(&mut self) {
        self.history.age();
    }
}
