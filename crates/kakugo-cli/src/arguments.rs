//! Parsers of arguments that several commands take.

use std::str::FromStr;

/// A number of threads from the command line, from 1 to 1024.
pub fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1024).contains(number));
    number.ok_or_else(|| "not a number from 1 to 1024".to_owned())
}

/// A number from 0 to 1 from the command line.
pub fn part<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(0)..=T::from(1)).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_owned())
}
