//! RenjuNet's game database, `.rif`: XML with players, tournaments and games.
//!
//! Tables of rules, openings, players and tournaments come before the games, which refer to them.
//! Games are passed on one at a time. All games are played on 15x15, under the rules of Renju unless
//! the rule's name is one of Gomoku. The name of the opening becomes the SGF property `ON`, and the
//! opening rule is preserved as spelled. This format is only read.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::game_tree::{GameTree, Property};
use super::pos::{self, RowOrder};
use super::tree::NodeId;
use super::{FormatError, Game, GameResult, Move, sgf};
use crate::text::text;
use kakugo::board::{Side, Variant};

/// Number of columns and rows.
const SIZE: u8 = 15;

/// SGF property of the opening's name.
pub const OPENING: &str = "ON";

/// Returns the code page that a file declares.
pub(super) fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let beginning = &bytes[..bytes.len().min(256)];
    let end = beginning.windows(2).position(|window| window == b"?>")?;
    let label = b"encoding=";
    let from = beginning[..end].windows(label.len()).position(|w| w == label)? + label.len();
    let quote = *beginning.get(from)?;
    beginning.get(from + 1..end)?.split(|&byte| byte == quote).next()
}

/// Returns true if a file begins as XML.
pub fn is_database(beginning: &[u8]) -> bool {
    beginning.starts_with(b"<?xml") || beginning.starts_with(b"<database")
}

/// Passes the games of a database to `each` until it returns `Break`. Invalid games are passed as
/// errors. `variant` applies to games of Gomoku.
pub fn games(
    text: &str,
    variant: Variant,
    mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut tables = Tables {
        variant,
        rules: HashMap::new(),
        openings: HashMap::new(),
        players: HashMap::new(),
        tournaments: HashMap::new(),
    };
    let mut game: Option<Entry> = None;
    let mut tags = Tags { rest: text };
    while let Some((before, tag)) = tags.next_tag() {
        if let Some(entry) = &mut game {
            entry.add_text(before);
        }
        match tag {
            Tag::Open(name, attributes) => match (name, &mut game) {
                ("game", _) => game = Some(Entry::new(attributes)),
                (_, Some(entry)) => entry.open = field(name),
                (_, None) => tables.add(name, attributes),
            },
            Tag::Empty("game", attributes) => each(tables.game(&Entry::new(attributes)))?,
            Tag::Empty(name, attributes) if game.is_none() => tables.add(name, attributes),
            Tag::Empty(..) => {}
            Tag::Text(data) => {
                if let Some(entry) = &mut game {
                    entry.add_raw(data);
                }
            }
            Tag::Close("game") => {
                if let Some(entry) = game.take() {
                    each(tables.game(&entry))?;
                }
            }
            Tag::Close(_) => {
                if let Some(entry) = &mut game {
                    entry.open = None;
                }
            }
        }
    }
    match game {
        Some(_) => each(Err(FormatError::new(text!("the file ends within a game")))),
        None => ControlFlow::Continue(()),
    }
}

/// A part of a game that is text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Moves,
    Info,
}

fn field(name: &str) -> Option<Field> {
    match name {
        "move" => Some(Field::Moves),
        "info" => Some(Field::Info),
        _ => None,
    }
}

/// A game of the file.
struct Entry<'a> {
    attributes: &'a str,
    moves: String,
    info: String,
    /// The part whose text is read.
    open: Option<Field>,
}

impl<'a> Entry<'a> {
    fn new(attributes: &'a str) -> Entry<'a> {
        Entry { attributes, moves: String::new(), info: String::new(), open: None }
    }

    fn add_text(&mut self, text: &str) {
        if self.open.is_some() {
            self.add_raw(&unescaped(text));
        }
    }

    fn add_raw(&mut self, text: &str) {
        match self.open {
            Some(Field::Moves) => self.moves += text,
            Some(Field::Info) => self.info += text,
            None => {}
        }
    }
}

/// A tournament.
struct Tournament {
    name: String,
    date: String,
    rule: String,
}

/// The tables that games refer to.
struct Tables {
    /// The rule of Gomoku games.
    variant: Variant,
    rules: HashMap<String, String>,
    openings: HashMap<String, String>,
    players: HashMap<String, String>,
    tournaments: HashMap<String, Tournament>,
}

impl Tables {
    fn add(&mut self, table: &str, attributes: &str) {
        let value = |name: &str| attribute(attributes, name).unwrap_or_default();
        let id = value("id");
        match table {
            "rule" => drop(self.rules.insert(id, value("name"))),
            "opening" => {
                let (name, short) = (value("name"), value("abbr"));
                let name = if short.is_empty() { name } else { format!("{name} ({short})") };
                self.openings.insert(id, name);
            }
            "player" => {
                let name = format!("{} {}", value("name"), value("surname"));
                self.players.insert(id, name.trim().to_owned());
            }
            "tournament" => {
                let (start, year, month) = (value("start"), value("year"), value("month"));
                let date = match month.parse::<u8>() {
                    _ if !start.is_empty() => start,
                    Ok(month @ 1..=12) if !year.is_empty() => format!("{year}-{month:02}"),
                    _ => year,
                };
                let (name, rule) = (value("name"), value("rule"));
                self.tournaments.insert(id, Tournament { name, date, rule });
            }
            _ => {}
        }
    }

    fn game(&self, entry: &Entry<'_>) -> Result<GameTree, FormatError> {
        let value = |name: &str| attribute(entry.attributes, name).unwrap_or_default();
        let named =
            |table: &HashMap<String, String>, id: &str| table.get(id).cloned().unwrap_or_default();
        let tournament = self.tournaments.get(&value("tournament"));
        let mut rule = named(&self.rules, &value("rule"));
        if rule.is_empty() {
            rule = tournament.map(|known| named(&self.rules, &known.rule)).unwrap_or_default();
        }
        let mut game = Game {
            black: named(&self.players, &value("black")),
            white: named(&self.players, &value("white")),
            event: tournament.map(|known| known.name.clone()).unwrap_or_default(),
            date: tournament.map(|known| known.date.clone()).unwrap_or_default(),
            round: value("round"),
            result: match value("bresult").trim() {
                "1" => Some(GameResult::Win(Side::Black)),
                "0" => Some(GameResult::Win(Side::White)),
                "0.5" | ".5" | "1/2" => Some(GameResult::Draw),
                _ => None,
            },
            assumes_rule: is_gomoku(&rule),
            ..Game::new(SIZE, SIZE, self.variant_of(&rule))
        };
        for word in entry.moves.split_whitespace() {
            if word.eq_ignore_ascii_case("pass") || word.chars().all(|c| c == '-') {
                game.moves.push(Move::pass());
            } else {
                let points = pos::read(word, SIZE, RowOrder::FromBottom)?;
                if points.iter().any(|p| p.x() >= SIZE) {
                    return Err(FormatError::new(text!(
                        "invalid point '{0}': expected a point of the board such as h8",
                        word
                    )));
                }
                game.moves.extend(points.into_iter().map(Move::new));
            }
        }
        let mut tree = GameTree::from_game(&game);
        let opening = named(&self.openings, &value("opening"));
        let info = entry.info.trim();
        tree.nodes.value_mut(NodeId::ROOT).edit_note(|note| {
            for (name, value) in [("RU", rule.trim()), (OPENING, opening.trim())] {
                if !value.is_empty() {
                    let values = vec![sgf::escape(value, false)];
                    note.other.push(Property { name: name.to_owned(), values });
                }
            }
            info.clone_into(&mut note.comment);
        });
        Ok(tree)
    }

    /// Returns the rule of a game by the name of its opening rule.
    fn variant_of(&self, rule: &str) -> Variant {
        if is_gomoku(rule) { self.variant } else { Variant::RENJU }
    }
}

/// Returns true if an opening rule is one of Gomoku, which has several rules.
fn is_gomoku(rule: &str) -> bool {
    let name = rule.to_lowercase();
    ["gomoku", "swap2", "freestyle"].iter().any(|word| name.contains(word))
}

/// A tag with its attributes.
enum Tag<'a> {
    /// The text of a CDATA section; empty for comments and declarations.
    Text(&'a str),
    Open(&'a str, &'a str),
    Empty(&'a str, &'a str),
    Close(&'a str),
}

/// The tags of an XML text.
struct Tags<'a> {
    rest: &'a str,
}

impl<'a> Tags<'a> {
    /// Returns the text before the next tag, and the tag.
    fn next_tag(&mut self) -> Option<(&'a str, Tag<'a>)> {
        let (before, after) = self.rest.split_once('<')?;
        if let Some(data) = after.strip_prefix("![CDATA[") {
            let (data, rest) = data.split_once("]]>")?;
            self.rest = rest;
            return Some((before, Tag::Text(data)));
        }
        let end = match after {
            comment if comment.starts_with("!--") => Some("-->"),
            declaration if declaration.starts_with('?') => Some("?>"),
            declaration if declaration.starts_with('!') => Some(">"),
            _ => None,
        };
        if let Some(end) = end {
            (_, self.rest) = after.split_once(end)?;
            return Some((before, Tag::Text("")));
        }
        let end = end_of_tag(after)?;
        let (inside, rest) = (&after[..end], &after[end + 1..]);
        self.rest = rest;
        if let Some(name) = inside.strip_prefix('/') {
            return Some((before, Tag::Close(name.trim())));
        }
        let (inside, is_empty) = match inside.strip_suffix('/') {
            Some(inside) => (inside, true),
            None => (inside, false),
        };
        let (name, attributes) =
            inside.split_once(|c: char| c.is_whitespace()).unwrap_or((inside, ""));
        let tag = if is_empty { Tag::Empty } else { Tag::Open };
        Some((before, tag(name, attributes)))
    }
}

/// Returns the index of the `>` that ends a tag, which may occur in its attributes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|byte| {
        match quote {
            Some(open) if open == byte => quote = None,
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

/// Returns the value of an attribute.
fn attribute(attributes: &str, name: &str) -> Option<String> {
    let mut rest = attributes.trim_start();
    loop {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| "\"'".contains(*c))?;
        let (value, after) = after[1..].split_once(quote)?;
        if key.trim() == name {
            return Some(unescaped(value));
        }
        rest = after.trim_start();
    }
}

/// Replaces the entities of XML. Unknown ones are left as they are.
fn unescaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result += before;
        let named = after.split_once(';').and_then(|(name, tail)| Some((entity(name)?, tail)));
        match named {
            Some((c, tail)) => {
                result.push(c);
                rest = tail;
            }
            None => {
                result.push('&');
                rest = after;
            }
        }
    }
    result + rest
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        name => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATABASE: &str = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE database PUBLIC "-//RENJUNET//DTD 1.0" "">
<!-- <game id="0"> is not a game -->
<database>
<rules><rule id="1" name="RIF"><info/></rule><rule id="2" name="Gomoku Swap2"/></rules>
<openings><opening id="1" name="Kagetsu" abbr="4d"/></openings>
<players><player id="1" name="A&amp;B" surname="One &gt; &#233;" city="1"/>
<player id='2' name='' surname='Two'/></players>
<tournaments><tournament id="1" name="Cup" year="2020" month="1" start="2020-01-01" rule="1"/>
<tournament id="2" name="Old" year="1989" month="6" start="" rule="2"/></tournaments>
<games>
<game id="1" tournament="1" round="1" rule="1" black="1" white="2" bresult="1" opening="1">
<move>h8 h9 i9
i7</move><info>Good &lt;game&gt;</info></game>
<game id="2" tournament="2" round="" black="2" white="1" bresult="0.5"><move>h8 pass j8</move></game>
<game id="3" tournament="9" rule="7" black="5" bresult="0"><move>h8 z9</move></game>
<game id="4" bresult=""><move/></game>
<game id="5" black="1" bresult="0"/>
</games></database>"#;

    fn all(text: &str) -> Vec<Result<GameTree, FormatError>> {
        let mut all = Vec::new();
        let _ = games(text, Variant::FREESTYLE, |game| {
            all.push(game);
            ControlFlow::Continue(())
        });
        all
    }

    #[test]
    fn games_have_names_tournament_rule_opening_and_result() {
        let games = all(DATABASE);
        assert_eq!(games.len(), 5);
        let first = games[0].as_ref().unwrap();
        let game = &first.game;
        assert_eq!((&*game.black, &*game.white), ("A&B One > \u{e9}", "Two"));
        assert_eq!((&*game.event, &*game.date, &*game.round), ("Cup", "2020-01-01", "1"));
        assert_eq!(
            (game.result, game.variant),
            (Some(GameResult::Win(Side::Black)), Variant::RENJU)
        );
        assert_eq!(first.main_line().moves.len(), 4);
        assert_eq!(first.nodes.value(NodeId::ROOT).comment(), "Good <game>");
        let text = sgf::write_tree(first);
        assert!(text.contains("RU[RIF]") && text.contains("ON[Kagetsu (4d)]"), "{text}");
        let second = games[1].as_ref().unwrap();
        assert_eq!((&*second.game.date, second.game.result), ("1989-06", Some(GameResult::Draw)));
        // The rule of the tournament.
        assert_eq!(second.game.variant, Variant::FREESTYLE);
        assert_eq!(second.main_line().moves[1].point, None);
        let third = games[2].as_ref().unwrap_err().to_string();
        assert!(third.contains("invalid point 'z9'"), "{third}");
        assert!(games[3].as_ref().unwrap().main_line().moves.is_empty());
        assert_eq!(games[4].as_ref().unwrap().game.result, Some(GameResult::Win(Side::White)));
        assert_eq!(charset(DATABASE.as_bytes()), Some(&b"ISO-8859-1"[..]));
        assert!(is_database(DATABASE.as_bytes()));
    }

    #[test]
    fn damaged_databases_end_early() {
        for (text, count) in [
            ("", 0),
            ("<database>", 0),
            ("<game id='1'><move>h8</move>", 1),
            ("<game id='1'><move>h8</move></game><game id=\"", 1),
            ("<game><move>h8 <![CDATA[h9]]></move></game>", 1),
            ("</game><game/><!-- ", 1),
            ("<a b=c d><?x", 0),
        ] {
            assert_eq!(all(text).len(), count, "{text}");
        }
        assert!(all("<game><move>h8").remove(0).is_err());
    }
}
