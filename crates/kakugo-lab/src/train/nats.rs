//! What scores say of results, in nats: the logarithm of the odds.

use kakugo::score::Score;

/// Score units per nat.
pub(super) const UNITS: f32 = Score::UNITS_PER_NAT as f32;
/// What stands for a forced win, in nats.
const DECIDED: f32 = 30.0;

/// What a score says, in nats.
pub(super) fn nats(score: Score) -> f32 {
    match () {
        () if score.is_win() => DECIDED,
        () if score.is_loss() => -DECIDED,
        () => score.value() as f32 / UNITS,
    }
}

/// The expected result that is `logit` nats away from an even one.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
