//! Logarithms and powers in integers: the same on every machine, independent of its math library.
//! Fractions are in 1/2^32.

/// The natural logarithm of 2.
const LN_2: u64 = 2_977_044_472;

/// Returns the binary logarithm of `n` (at least 1). Each squaring yields one more digit.
pub(super) fn log2(n: u32) -> u64 {
    let whole = n.max(1).ilog2();
    // Between 1 and 2, in 1/2^63.
    let mut rest = u128::from(n.max(1)) << (63 - whole);
    let mut digits = 0;
    for _ in 0..32 {
        rest = (rest * rest) >> 63;
        let digit = rest >> 64;
        rest >>= digit;
        digits = (digits << 1) | digit as u64;
    }
    (u64::from(whole) << 32) | digits
}

/// Returns the natural logarithm of `n` (at least 1).
pub(super) fn ln(n: u32) -> u64 {
    ((u128::from(log2(n)) * u128::from(LN_2)) >> 32) as u64
}

/// Returns 2 to the power of `exponent` (below 31). Each binary digit stands for a root of 2.
pub(super) fn exp2(exponent: u64) -> u64 {
    // Both in 1/2^62.
    let (mut power, mut root) = (1u128 << 62, 2u128 << 62);
    for digit in (0..32).rev() {
        root = (root << 62).isqrt();
        if exponent >> digit & 1 == 1 {
            power = (power * root) >> 62;
        }
    }
    (power << (exponent >> 32) >> 30) as u64
}

/// Returns `n` to the power of `hundredths`/100.
pub(super) fn power(n: u32, hundredths: u32) -> u64 {
    if n == 0 { 0 } else { exp2(log2(n) * u64::from(hundredths) / 100) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: f64 = 4_294_967_296.0;

    #[test]
    fn logarithms_and_powers_match_floating_point() {
        for n in 1..=300u32 {
            let real = f64::from(n);
            assert!((log2(n) as f64 / ONE - real.log2()).abs() < 1e-8, "{n}");
            assert!((ln(n) as f64 / ONE - real.ln()).abs() < 1e-8, "{n}");
            for hundredths in [0, 1, 50, 100, 162, 200, 300] {
                let exact = real.powf(f64::from(hundredths) / 100.0);
                let ours = power(n, hundredths) as f64 / ONE;
                assert!((ours / exact - 1.0).abs() < 1e-7, "{n} {hundredths}: {ours} {exact}");
            }
        }
        assert_eq!((power(0, 162), log2(1), exp2(0)), (0, 0, 1 << 32));
    }
}
