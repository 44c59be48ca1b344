//! Random choice of rules and board sizes.

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use serde::{Deserialize, Serialize};

use kakugo::board::{Board, Rule, Variant};
use kakugo_train::selfplay::{Sizes, opening};

/// A rule with its board sizes and weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Kind {
    rule: Rule,
    sizes: Sizes,
    weight: u32,
}

/// Rules and board sizes with their relative frequencies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Boards(Vec<Kind>);

impl Boards {
    /// Returns a random opening, or `None` if none was found. It has not been checked by the
    /// search.
    pub(super) fn draw(&self, rng: &mut impl Rng) -> Option<Board> {
        let sum = self.0.iter().map(|kind| u64::from(kind.weight)).sum();
        let mut number = rng.random_range(0..sum);
        let kind = self.0.iter().find(|kind| {
            let is_drawn = number < u64::from(kind.weight);
            number = number.saturating_sub(u64::from(kind.weight));
            is_drawn
        })?;
        let size = rng.random_range(kind.sizes.min..=kind.sizes.max);
        opening::draw(Variant::five(kind.rule), size, opening::STONES, rng)
    }
}

/// Parses a list separated by commas of `renju:15`, `renju:13-20`, or `renju:15:3` with weight 3.
impl FromStr for Boards {
    type Err = String;

    fn from_str(text: &str) -> Result<Boards, String> {
        let kinds: Result<Vec<Kind>, String> = text.split(',').map(kind).collect();
        kinds.map(Boards)
    }
}

fn kind(text: &str) -> Result<Kind, String> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let (rule, sizes, weight) = match parts[..] {
        [rule, sizes] => (rule, sizes, "1"),
        [rule, sizes, weight] => (rule, sizes, weight),
        _ => return Err(format!("invalid \"{text}\": expected RULE:SIZE or RULE:SIZE:WEIGHT")),
    };
    let rule = rule.parse().map_err(|error| format!("{error}"))?;
    let weight = weight.parse().ok().filter(|&weight| weight > 0);
    let weight = weight
        .ok_or_else(|| format!("invalid weight in \"{text}\": expected a positive number"))?;
    Ok(Kind { rule, sizes: sizes.parse()?, weight })
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, Kind { rule, sizes, weight }) in self.0.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            write!(f, "{comma}{}:{sizes}", rule.word())?;
            if *weight != 1 {
                write!(f, ":{weight}")?;
            }
        }
        Ok(())
    }
}

impl TryFrom<String> for Boards {
    type Error = String;

    fn try_from(text: String) -> Result<Boards, String> {
        text.parse()
    }
}

impl From<Boards> for String {
    fn from(boards: Boards) -> String {
        boards.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn rules_are_drawn_according_to_their_weights() {
        let text = "freestyle:15,standard:13-16:2,renju:15:5";
        let boards: Boards = text.parse().unwrap();
        assert_eq!(boards.to_string(), text);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 3];
        for _ in 0..400 {
            let board = boards.draw(&mut rng).unwrap();
            let rules = [Rule::Freestyle, Rule::Standard, Rule::Renju];
            let place = rules.iter().position(|&rule| rule == board.variant().rule()).unwrap();
            counts[place] += 1;
            let max = if place == 1 { 16 } else { 15 };
            assert!((if place == 1 { 13 } else { 15 }..=max).contains(&board.width()));
        }
        for (count, expected) in counts.into_iter().zip([50, 100, 250]) {
            assert!((expected * 7 / 10..expected * 13 / 10).contains(&count), "{counts:?}");
        }
    }

    #[test]
    fn invalid_lists_are_rejected() {
        for text in ["", "renju", "renju:15:0", "renju:15:1:1", "chess:8", "renju:33", "renju:15,"]
        {
            assert!(text.parse::<Boards>().is_err(), "{text}");
        }
    }
}
