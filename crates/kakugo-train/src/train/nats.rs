//! Conversion of scores to expected results. Logits are in nats, the natural logarithm of the odds.

use kakugo::score::Score;

/// Score units per nat.
pub(super) const UNITS: f32 = Score::UNITS_PER_NAT as f32;
/// The logit of a forced win, in nats.
const DECIDED: f32 = 30.0;

/// Returns the logit of a score, in nats.
pub(super) fn nats(score: Score) -> f32 {
    match () {
        () if score.is_win() => DECIDED,
        () if score.is_loss() => -DECIDED,
        () => score.value() as f32 / UNITS,
    }
}

/// Returns the expected result of a logit, from 0 to 1.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
