//! Value parsers for command-line arguments.

use std::str::FromStr;

/// Parses a number of threads, from 1 to 1024.
///
/// # Errors
/// Returns an error for anything else.
pub fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "expected a number from 1 to 1024".to_owned())
}

/// Parses a number from 0 to 1.
///
/// # Errors
/// Returns an error for anything else.
pub fn fraction<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(0)..=T::from(1)).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
