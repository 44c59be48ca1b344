//! Searching games by player, event, year, result and position.
//!
//! Names match without regard to case and accents, by the beginnings of their words in any order:
//! `tomas last` finds `Laštovička, Tomáš`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::explorer::WantedPosition;
use crate::game_tree::GameTree;
use crate::{Game, GameResult};
use kakugo::board::Side;

/// The result that is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WantedResult {
    /// This result.
    Exactly(GameResult),
    /// A win of the first player that is searched for.
    PlayerWon,
    /// A loss of that player.
    PlayerLost,
}

/// A range of years.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Years(RangeInclusive<u16>);

/// An error from parsing years.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvalidYears(String);

impl std::fmt::Display for InvalidYears {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "invalid years '{}': expected 2010, 2010..2015, 2010.. or ..2015", self.0)
    }
}

impl std::error::Error for InvalidYears {}

impl FromStr for Years {
    type Err = InvalidYears;

    fn from_str(text: &str) -> Result<Years, InvalidYears> {
        let invalid = || InvalidYears(text.to_owned());
        let year = |text: &str| text.trim().parse::<u16>().map_err(|_| invalid());
        let (from, to) = match text.split_once("..") {
            None => (year(text)?, year(text)?),
            Some(("", "")) => return Err(invalid()),
            Some(("", to)) => (0, year(to)?),
            Some((from, "")) => (year(from)?, u16::MAX),
            Some((from, to)) => (year(from)?, year(to.trim_start_matches('='))?),
        };
        if from > to {
            return Err(invalid());
        }
        Ok(Years(from..=to))
    }
}

/// Words that a name must have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words(Vec<String>);

impl Words {
    /// Creates the words of a text.
    pub fn new(text: &str) -> Words {
        Words(words(&folded(text)).map(str::to_owned).collect())
    }

    /// Returns true if there is no word, which every name has.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if words of the name begin with all words.
    pub fn are_in(&self, name: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        let name = folded(name);
        self.0.iter().all(|word| {
            if word.starts_with(is_without_blanks) {
                name.contains(&**word)
            } else {
                words(&name).any(|of_name| of_name.starts_with(&**word))
            }
        })
    }
}

/// Splits a folded text into words.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns true for the letters of Chinese, Japanese and Korean names, which have no blanks between
/// their parts and so no beginnings of words.
fn is_without_blanks(c: char) -> bool {
    matches!(
        c,
        '\u{3005}'..='\u{3007}'
            | '\u{3041}'..='\u{312f}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

/// Signs within words that are often left out.
const APOSTROPHES: [char; 4] = ['\'', '’', 'ʼ', '`'];

/// Returns a text in lower case without accents.
fn folded(text: &str) -> String {
    if text.is_ascii() && !text.contains(APOSTROPHES) {
        return text.to_ascii_lowercase();
    }
    let plain = text.nfkd().filter(|&c| !is_combining_mark(c) && !APOSTROPHES.contains(&c));
    // Syllables of Korean are joined again.
    let plain = plain.nfc();
    let mut result = String::with_capacity(text.len());
    for c in plain.flat_map(char::to_lowercase) {
        match c {
            'ß' => result += "ss",
            'æ' => result += "ae",
            'œ' => result += "oe",
            'þ' => result += "th",
            'ø' => result.push('o'),
            'ł' => result.push('l'),
            'đ' | 'ð' => result.push('d'),
            'ħ' => result.push('h'),
            'ı' => result.push('i'),
            c => result.push(c),
        }
    }
    result
}

/// Conditions on games. All of them must hold.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Players, in either colour.
    pub players: Vec<Words>,
    /// The event.
    pub event: Option<Words>,
    /// The year of the game's date.
    pub years: Option<Years>,
    /// The result.
    pub result: Option<WantedResult>,
    /// A position of the game.
    pub position: Option<WantedPosition>,
}

impl GameFilter {
    /// Returns true if every game passes.
    pub fn is_empty(&self) -> bool {
        let GameFilter { players, event, years, result, position } = self;
        players.is_empty()
            && event.is_none()
            && years.is_none()
            && result.is_none()
            && position.is_none()
    }

    /// Returns true if a game passes.
    pub fn matches(&self, tree: &GameTree) -> bool {
        let game = &tree.game;
        self.event.as_ref().is_none_or(|words| words.are_in(&game.event))
            && self
                .years
                .as_ref()
                .is_none_or(|years| year_of(game).is_some_and(|y| years.0.contains(&y)))
            && self.sides(game).into_iter().any(|side| self.has_result(game, side))
            && self.position.as_ref().is_none_or(|position| position.is_in(tree))
    }

    /// Returns the sides that the first player can have.
    fn sides(&self, game: &Game) -> Vec<Side> {
        let name = |side| if side == Side::Black { &game.black } else { &game.white };
        let fits = |&side: &Side| match &self.players[..] {
            [] => true,
            [first] => first.are_in(name(side)),
            [first, second] => first.are_in(name(side)) && second.are_in(name(side.opponent())),
            _ => false,
        };
        Side::BOTH.into_iter().filter(fits).collect()
    }

    fn has_result(&self, game: &Game, player: Side) -> bool {
        let wanted = match self.result {
            None => return true,
            Some(WantedResult::Exactly(result)) => result,
            Some(WantedResult::PlayerWon) => GameResult::Win(player),
            Some(WantedResult::PlayerLost) => GameResult::Win(player.opponent()),
        };
        game.result == Some(wanted)
    }
}

/// Returns the year of a game: the first number of four digits in its date.
fn year_of(game: &Game) -> Option<u16> {
    let numbers = game.date.split(|c: char| !c.is_ascii_digit());
    numbers.filter(|number| number.len() == 4).find_map(|number| number.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf;
    use kakugo::board::Variant;

    fn matching(filter: &GameFilter, text: &str) -> Vec<usize> {
        let games = sgf::read_trees(text).unwrap();
        (0..games.len()).filter(|&i| filter.matches(&games[i])).collect()
    }

    #[test]
    fn names_match_by_beginnings_of_words_without_accents() {
        for (wanted, name, is_in) in [
            ("tomas lastovicka", "Laštovička, Tomáš", true),
            ("TOMÁŠ", "tomas", true),
            ("last", "Petr Laštovička", true),
            ("stov", "Petr Laštovička", false),
            ("li", "Oliver", false),
            ("li", "Wei LI", true),
            ("sorensen", "Bjørn Sørensen", true),
            ("strasse oe", "Œ Straße", true),
            ("Łukasz", "lukasz", true),
            ("sõõru", "Anna Sooru", true),
            ("o'neil", "ONeil", true),
            ("oneil", "O’Neil", true),
            ("山田", "名人山田太郎", true),
            ("ｋａｚｕｔｏ", "Kazuto", true),
            ("İvan", "ivan", true),
            ("иван", "Иванов", true),
            ("ван", "Иванов", false),
            ("ин", "Марина", false),
            ("παπ", "Νίκος Παπαδόπουλος", true),
            ("δοπ", "Νίκος Παπαδόπουλος", false),
            ("이", "임창호", false),
            ("가", "각", false),
            ("창호", "이창호", true),
            ("", "anybody", true),
            ("a b", "A", false),
        ] {
            assert_eq!(Words::new(wanted).are_in(name), is_in, "{wanted} in {name}");
        }
    }

    #[test]
    fn years_are_ranges() {
        let years = |text: &str| text.parse::<Years>().map(|years| years.0);
        assert_eq!(years("2010"), Ok(2010..=2010));
        assert_eq!(years("2010..2015"), Ok(2010..=2015));
        assert_eq!(years("2010..=2015"), Ok(2010..=2015));
        assert_eq!(years("..2015"), Ok(0..=2015));
        assert_eq!(years("2010.."), Ok(2010..=u16::MAX));
        for text in ["", "..", "x", "2015..2010", "2010...", "99999", "-5"] {
            let error = years(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("invalid years '{text}': expected 2010")),
                "{error}"
            );
        }
        let year = |date: &str| {
            year_of(&Game { date: date.to_owned(), ..Game::new(15, 15, Variant::RENJU) })
        };
        assert_eq!(year("2020-01-05"), Some(2020));
        assert_eq!(year("5.1.1999 - 7.1.2000"), Some(1999));
        assert_eq!((year(""), year("summer"), year("20200105")), (None, None, None));
    }

    #[test]
    fn all_conditions_must_hold() {
        let games = "(;GM[4]PB[Ann One]PW[Bob Two]EV[World Cup]DT[2010-05-01]RE[B+];B[hh];W[hg];B[ig])\
            (;GM[4]PB[Bob Two]PW[Ann One]EV[World Cup]DT[2012]RE[B+];B[hh];W[ih];B[ii];W[aa])\
            (;GM[4]PB[Ann Two]PW[Cid]EV[Club]DT[2015]RE[0];B[hh];W[hg];B[if])\
            (;GM[4]PB[Ann Two]PW[Ann One];B[aa])";
        let filter = GameFilter::default();
        assert!(filter.is_empty());
        assert_eq!(matching(&filter, games), [0, 1, 2, 3]);
        let players = |names: &[&str]| GameFilter {
            players: names.iter().map(|name| Words::new(name)).collect(),
            ..GameFilter::default()
        };
        assert_eq!(matching(&players(&["ann one"]), games), [0, 1, 3]);
        assert_eq!(matching(&players(&["bob", "ann"]), games), [0, 1]);
        assert_eq!(matching(&players(&["ann", "ann"]), games), [3]);
        assert_eq!(matching(&players(&["ann", "bob", "cid"]), games), [0; 0]);
        let won = GameFilter { result: Some(WantedResult::PlayerWon), ..players(&["bob"]) };
        assert_eq!(matching(&won, games), [1]);
        let lost = GameFilter { result: Some(WantedResult::PlayerLost), ..players(&["bob"]) };
        assert_eq!(matching(&lost, games), [0]);
        let drawn = Some(WantedResult::Exactly(GameResult::Draw));
        assert_eq!(matching(&GameFilter { result: drawn, ..filter.clone() }, games), [2]);
        let event = Some(Words::new("cup"));
        let years = "2011..".parse().ok();
        assert_eq!(matching(&GameFilter { event: event.clone(), ..filter.clone() }, games), [0, 1]);
        assert_eq!(matching(&GameFilter { years: years.clone(), ..filter.clone() }, games), [1, 2]);
        assert_eq!(matching(&GameFilter { event, years, ..filter.clone() }, games), [1]);
        // The position in another orientation and under another rule.
        let position = sgf::read("(;GM[4]RU[renju];B[hh];W[hi];B[gi])").unwrap().remove(0);
        let position = Some(WantedPosition::new(position));
        assert_eq!(matching(&GameFilter { position, ..filter.clone() }, games), [0, 1]);
        let other_size = sgf::read("(;GM[4]SZ[19];B[aa])").unwrap().remove(0);
        let position = Some(WantedPosition::new(other_size));
        assert_eq!(matching(&GameFilter { position, ..filter }, games), [0; 0]);
    }
}
