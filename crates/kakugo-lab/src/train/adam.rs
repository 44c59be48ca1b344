//! Numbers that learn, by Adam (Kingma and Ba, 2015).
//!
//! Rows that a batch does not touch stay as they are. So each counts its own steps: with a common
//! count the first gradient of a rare row would move it too far.

/// Decay of the mean of gradients, and of their squares.
const DECAY: (f32, f32) = (0.9, 0.999);
/// From so many steps on both means have no bias that matters.
const UNBIASED: u32 = 20_000;

/// A row of numbers that are touched together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Learnt<const N: usize> {
    /// The numbers.
    pub(super) value: [f32; N],
    /// Means of gradients and of their squares.
    pub(super) means: [[f32; N]; 2],
    /// Steps so far.
    pub(super) steps: u32,
}

impl<const N: usize> Learnt<N> {
    /// Begin with these numbers.
    pub(super) fn new(value: [f32; N]) -> Learnt<N> {
        Learnt { value, means: [[0.0; N]; 2], steps: 0 }
    }

    /// Move against a gradient, about `rate` far.
    pub(super) fn step(&mut self, gradient: &[f32; N], rate: f32) {
        self.steps = (self.steps + 1).min(UNBIASED);
        let bias = |decay: f32| 1.0 / (1.0 - decay.powi(self.steps as i32));
        let (first, second) = (bias(DECAY.0) * rate, bias(DECAY.1));
        let [means, squares] = &mut self.means;
        for i in 0..N {
            let g = gradient[i];
            means[i] = DECAY.0 * means[i] + (1.0 - DECAY.0) * g;
            squares[i] = DECAY.1 * squares[i] + (1.0 - DECAY.1) * g * g;
            self.value[i] -= first * means[i] / ((second * squares[i]).sqrt() + 1e-8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        for gradient in [1e-4, 3.0] {
            let mut row = Learnt::new([1.0, 1.0, 1.0]);
            row.step(&[gradient, -gradient, 0.0], 0.01);
            let far: Vec<i32> = row.value.iter().map(|x| (x * 1000.0).round() as i32).collect();
            assert_eq!(far, [990, 1010, 1000]);
        }
    }

    #[test]
    fn steps_lead_to_the_minimum() {
        let mut row = Learnt::new([5.0]);
        for _ in 0..2000 {
            let gradient = 2.0 * (row.value[0] - 1.5);
            row.step(&[gradient], 0.01);
        }
        assert!((row.value[0] - 1.5).abs() < 0.01, "{row:?}");
    }
}
