//! The tables of a database, and the games that refer to them.

use std::borrow::Cow;
use std::collections::HashMap;

use super::moves::{OPENING, SIZE, add_moves, property};
use super::xml::attributes;
use crate::game_tree::GameTree;
use crate::text::{Text, shortened};
use crate::tree::NodeId;
use crate::{Game, GameResult};
use kakugo::board::{Side, Variant};

/// The maximum length of a name or a date in characters. Each game has a copy of its own, so longer
/// ones would multiply the size of the file.
const MAX_NAME: usize = 200;

/// The category of Gomoku rules.
const GOMOKU: &str = "2";

/// Words in the names of Gomoku rules.
const GOMOKU_NAMES: [&str; 3] = ["gomoku", "swap2", "freestyle"];

/// An opening rule.
struct Rule {
    name: String,
    is_gomoku: bool,
}

/// A tournament.
struct Tournament {
    name: String,
    date: String,
    rule: String,
    /// City and country.
    place: String,
}

/// The tables that games refer to.
pub(super) struct Tables {
    /// The rule of Gomoku games.
    variant: Variant,
    countries: HashMap<String, String>,
    cities: HashMap<String, String>,
    rules: HashMap<String, Rule>,
    openings: HashMap<String, String>,
    players: HashMap<String, String>,
    tournaments: HashMap<String, Tournament>,
}

/// The attributes of a tag by name. Those that are missing are empty.
struct Values<'a, const N: usize>([Cow<'a, str>; N]);

impl<'a, const N: usize> Values<'a, N> {
    fn of(text: &'a str, names: [&str; N]) -> Result<Values<'a, N>, Text> {
        let mut values = [const { Cow::Borrowed("") }; N];
        for attribute in attributes(text) {
            let (name, value) = attribute?;
            if let Some(index) = names.iter().position(|known| *known == name) {
                values[index] = value;
            }
        }
        Ok(Values(values))
    }
}

impl Tables {
    pub(super) fn new(variant: Variant) -> Tables {
        Tables {
            variant,
            countries: HashMap::new(),
            cities: HashMap::new(),
            rules: HashMap::new(),
            openings: HashMap::new(),
            players: HashMap::new(),
            tournaments: HashMap::new(),
        }
    }

    /// Adds an entry to one of the tables. Other tags are ignored.
    pub(super) fn add(&mut self, tag: &str, text: &str) -> Result<(), Text> {
        match tag {
            "country" => {
                let Values([id, name]) = Values::of(text, ["id", "name"])?;
                self.countries.insert(id.into(), name_of(&name));
            }
            "city" => {
                let Values([id, name]) = Values::of(text, ["id", "name"])?;
                self.cities.insert(id.into(), name_of(&name));
            }
            "rule" => {
                let Values([id, name, category]) = Values::of(text, ["id", "name", "category"])?;
                let lower = name.to_lowercase();
                let is_gomoku =
                    category == GOMOKU || GOMOKU_NAMES.iter().any(|word| lower.contains(word));
                self.rules.insert(id.into(), Rule { name: name_of(&name), is_gomoku });
            }
            "opening" => {
                let Values([id, name, short]) = Values::of(text, ["id", "name", "abbr"])?;
                let name = if short.is_empty() { name } else { format!("{name} ({short})").into() };
                self.openings.insert(id.into(), name_of(&name));
            }
            "player" => {
                let Values([id, name, surname]) = Values::of(text, ["id", "name", "surname"])?;
                self.players.insert(id.into(), name_of(&format!("{name} {surname}")));
            }
            "tournament" => self.add_tournament(text)?,
            _ => {}
        }
        Ok(())
    }

    fn add_tournament(&mut self, text: &str) -> Result<(), Text> {
        let names = ["id", "name", "rule", "start", "end", "year", "month", "city", "country"];
        let Values([id, name, rule, start, end, year, month, city, country]) =
            Values::of(text, names)?;
        let date = [&*start, &end, &format!("{year}-{month}")]
            .into_iter()
            .map(known_date)
            .find(|date| !date.is_empty())
            .unwrap_or_default();
        let place = [self.cities.get(&*city), self.countries.get(&*country)];
        let place: Vec<&str> =
            place.into_iter().flatten().map(|name| &**name).filter(|s| !s.is_empty()).collect();
        let (name, date) = (name_of(&name), name_of(&date));
        let tournament = Tournament { name, date, rule: rule.into(), place: place.join(", ") };
        self.tournaments.insert(id.into(), tournament);
        Ok(())
    }

    /// Returns a game by its attributes, moves and comment.
    pub(super) fn game(&self, text: &str, moves: &str, info: &str) -> Result<GameTree, Text> {
        let names =
            ["tournament", "round", "rule", "black", "white", "bresult", "opening", "alt", "swap"];
        let Values([tournament, round, rule, black, white, result, opening, alt, swap]) =
            Values::of(text, names)?;
        let named = |table: &HashMap<String, String>, id: &str| table.get(id).cloned();
        let tournament = self.tournaments.get(&*tournament);
        let rule = self
            .rules
            .get(&*rule)
            .or_else(|| self.rules.get(&tournament?.rule))
            .filter(|rule| !rule.name.is_empty() || rule.is_gomoku);
        let is_gomoku = rule.is_some_and(|rule| rule.is_gomoku);
        let variant = if is_gomoku { self.variant } else { Variant::RENJU };
        let mut tree = GameTree::new(Game {
            black: named(&self.players, &black).unwrap_or_default(),
            white: named(&self.players, &white).unwrap_or_default(),
            event: tournament.map(|known| known.name.clone()).unwrap_or_default(),
            date: tournament.map(|known| known.date.clone()).unwrap_or_default(),
            round: round.into(),
            result: game_result(&result),
            assumes_rule: is_gomoku,
            ..Game::new(SIZE, SIZE, variant)
        });
        add_moves(&mut tree, moves)?;
        let opening = self.openings.get(&*opening).map_or("", |name| name);
        let comment = comment(info, &alt, &swap);
        tree.nodes.value_mut(NodeId::ROOT).edit_note(|note| {
            let rule = rule.map_or("", |rule| &rule.name);
            let place = tournament.map_or("", |known| &known.place);
            for (name, value) in [("RU", rule), (OPENING, opening), ("PC", place)] {
                if !value.is_empty() {
                    note.other.push(property(name, value));
                }
            }
            note.comment = comment;
        });
        Ok(tree)
    }
}

/// Returns a name or a date without surrounding spaces, and not too long.
fn name_of(text: &str) -> String {
    shortened(text.trim(), MAX_NAME).into_owned()
}

/// Returns the comment of a game: its info, the fifth moves that were offered, and the swaps.
fn comment(info: &str, alternatives: &str, swaps: &str) -> String {
    let mut comment = info.trim().to_owned();
    for (what, value) in [("Offered fifth moves", alternatives), ("Swaps", swaps)] {
        let value = value.trim();
        if !value.is_empty() {
            let separator = if comment.is_empty() { "" } else { "\n" };
            comment += &format!("{separator}{what}: {value}");
        }
    }
    comment
}

/// Returns the result by Black's points.
fn game_result(points: &str) -> Option<GameResult> {
    let points = points.trim().replace(',', ".");
    match points.parse::<f32>() {
        _ if points == "1/2" => Some(GameResult::Draw),
        Ok(1.0) => Some(GameResult::Win(Side::Black)),
        Ok(0.0) => Some(GameResult::Win(Side::White)),
        Ok(0.5) => Some(GameResult::Draw),
        _ => None,
    }
}

/// Returns the known beginning of a date: `2020-05-00` is in May, and `0000-00-00` is unknown.
fn known_date(text: &str) -> String {
    let text = text.trim();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !text.split('-').all(|part| part.is_empty() || is_number(&part)) {
        return text.to_owned();
    }
    let is_known = |part: &&str| is_number(part) && part.bytes().any(|byte| byte != b'0');
    let parts = text.split('-').take_while(is_known).enumerate();
    let parts: Vec<String> = parts
        .map(|(index, part)| if index > 0 { format!("{part:0>2}") } else { part.to_owned() })
        .collect();
    parts.join("-")
}
