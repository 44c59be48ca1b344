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

/// Parses the size of a transposition table in megabytes, from 1 to 65536.
///
/// # Errors
/// Returns an error for anything else.
pub fn hash_megabytes(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=65536).contains(number));
    number.ok_or_else(|| "expected megabytes from 1 to 65536".to_owned())
}

/// Parses a number from 0 to 1.
///
/// # Errors
/// Returns an error for anything else.
pub fn fraction<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| (T::from(0)..=T::from(1)).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Part `number` (from 1) of `count`, such as `2/8`: the indices with that remainder modulo
/// `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// Returns true if the index, from 0, belongs to this part.
    pub fn contains(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parse = || {
            let (number, count) = text.split_once('/')?;
            let shard = Shard { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        parse().ok_or_else(|| {
            format!("invalid shard '{text}': expected K/N with 1 <= K <= N, e.g. 2/8")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_everything_once() {
        let shards: Vec<Shard> = (1..=3).map(|k| format!("{k}/3").parse().unwrap()).collect();
        for index in 0..9 {
            assert_eq!(shards.iter().filter(|shard| shard.contains(index)).count(), 1);
            assert!(Shard::WHOLE.contains(index));
        }
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
