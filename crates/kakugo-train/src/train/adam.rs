//! Parameters with the state of Adam (Kingma and Ba, 2015).
//!
//! A batch updates only the rows that it touches. So each row counts its own steps for the bias
//! correction. With a common count, the first gradient of a rare row would move it too far.

/// Decay of the mean of gradients, and of their squares.
const DECAY: (f32, f32) = (0.9, 0.999);
/// After this number of steps the bias of both means is negligible.
const UNBIASED: u32 = 20_000;

/// A row of parameters that are updated together.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Parameters<const N: usize> {
    /// The values.
    pub(super) value: [f32; N],
    /// Means of gradients and of their squares.
    pub(super) means: [[f32; N]; 2],
    /// Number of steps so far.
    pub(super) steps: u32,
}

impl<const N: usize> Parameters<N> {
    /// Returns parameters with these initial values.
    pub(super) fn new(value: [f32; N]) -> Parameters<N> {
        Parameters { value, means: [[0.0; N]; 2], steps: 0 }
    }

    /// Makes a step against the gradient, with a length of about `rate`.
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
    fn the_first_step_has_the_length_of_the_rate() {
        for gradient in [1e-4, 3.0] {
            let mut row = Parameters::new([1.0, 1.0, 1.0]);
            row.step(&[gradient, -gradient, 0.0], 0.01);
            let far: Vec<i32> = row.value.iter().map(|x| (x * 1000.0).round() as i32).collect();
            assert_eq!(far, [990, 1010, 1000]);
        }
    }

    #[test]
    fn steps_converge_to_the_minimum() {
        let mut row = Parameters::new([5.0]);
        for _ in 0..2000 {
            let gradient = 2.0 * (row.value[0] - 1.5);
            row.step(&[gradient], 0.01);
        }
        assert!((row.value[0] - 1.5).abs() < 0.01, "{row:?}");
    }
}
