//! RenjuNet's game database, `.rif`: XML with players, tournaments and games.
//!
//! Tables of countries, rules, openings, players and tournaments come before the games, which refer
//! to them. The file is read as a stream, and games are passed on one at a time. All games are
//! played on 15x15, under the rules of Renju unless the category or the name of the rule is one of
//! Gomoku. The name of the opening becomes the SGF property `ON`, the place `PC`, and the opening
//! rule is preserved as spelled. The fifth moves that were offered, and swaps, become a comment.
//! This format is only read.

pub mod moves;
mod tables;
mod xml;

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use super::game_tree::GameTree;
use super::{FormatError, charset};
use crate::charset::TextStream;
use crate::text::{Text, text};
use kakugo::board::Variant;

use tables::Tables;
use xml::{Position, Token, Xml, unescaped};

/// The maximum length of a game's text in bytes.
const MAX_TEXT: usize = 1 << 20;

/// Returns the code page that a file declares.
fn charset_name(bytes: &[u8]) -> Option<&[u8]> {
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
/// errors with their position in the file. An error outside of games is passed last. `variant`
/// applies to games of Gomoku.
pub fn games(
    mut input: impl Read + Seek,
    variant: Variant,
    mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let encoding = match charset::detect(&mut input, charset_name) {
        Ok(encoding) => encoding,
        Err(error) => return each(Err(FormatError::new(Text::untranslated(error)))),
    };
    let mut xml = Xml::new(TextStream::new(input, encoding));
    let mut tables = Tables::new(variant);
    let mut entry = Entry::default();
    // The first error outside of games.
    let mut other = None;
    loop {
        let token = match xml.next() {
            Ok(None) => break,
            Ok(Some(token)) => token,
            Err(error) => {
                let here = xml.position();
                if error.tag == "game" {
                    entry.finish(&tables, &mut each)?;
                    entry.open(here, "");
                }
                let message = here.error(error.message);
                if entry.is_open() {
                    entry.error.get_or_insert(message);
                } else {
                    other.get_or_insert(message);
                }
                continue;
            }
        };
        if !entry.is_open() {
            match token {
                Token::Open("game", attributes) => {
                    let attributes = attributes.to_owned();
                    entry.open(xml.position(), &attributes);
                }
                Token::Empty("game", attributes) => {
                    let attributes = attributes.to_owned();
                    entry.open(xml.position(), &attributes);
                    entry.is_closed = true;
                    entry.finish(&tables, &mut each)?;
                }
                Token::Open(name, attributes) | Token::Empty(name, attributes) => {
                    if let Err(message) = tables.add(name, attributes) {
                        other.get_or_insert(xml.position().error(message));
                    }
                }
                Token::Text(_) | Token::Data(_) | Token::Close(_) => {}
            }
            continue;
        }
        match token {
            Token::Text(text) => entry.pending += text,
            Token::Data(text) => entry.add(text),
            Token::Open("game", attributes) => {
                let attributes = attributes.to_owned();
                entry.finish(&tables, &mut each)?;
                entry.open(xml.position(), &attributes);
            }
            Token::Open(name, _) => entry.select(Field::of(name)),
            Token::Empty(..) => {}
            Token::Close("game") => {
                entry.is_closed = true;
                entry.finish(&tables, &mut each)?;
            }
            Token::Close(_) => entry.select(None),
        }
        if entry.length() > MAX_TEXT {
            let message = text!("the text of the game is too long (at most {0} bytes)", MAX_TEXT);
            entry.fail(message);
        }
    }
    entry.finish(&tables, &mut each)?;
    match other {
        Some(error) => each(Err(error)),
        None => ControlFlow::Continue(()),
    }
}

/// A part of a game that is text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Moves,
    Info,
}

impl Field {
    fn of(name: &str) -> Option<Field> {
        match name {
            "move" => Some(Field::Moves),
            "info" => Some(Field::Info),
            _ => None,
        }
    }
}

/// The game that is read. Its strings are used again for the next one.
#[derive(Default)]
struct Entry {
    /// Where it begins; `None` between games.
    position: Option<Position>,
    attributes: String,
    moves: String,
    info: String,
    /// The part whose text is read.
    field: Option<Field>,
    /// Text that may end within an entity.
    pending: String,
    error: Option<FormatError>,
    /// True if its end was found.
    is_closed: bool,
}

impl Entry {
    fn is_open(&self) -> bool {
        self.position.is_some()
    }

    fn length(&self) -> usize {
        self.moves.len() + self.info.len() + self.pending.len()
    }

    /// Begins a game.
    fn open(&mut self, position: Position, attributes: &str) {
        self.position = Some(position);
        attributes.clone_into(&mut self.attributes);
        (self.field, self.error, self.is_closed) = (None, None, false);
        self.clear();
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.info.clear();
        self.pending.clear();
    }

    /// Adds text without entities to the current part.
    fn add(&mut self, text: &str) {
        self.add_pending();
        self.put(text);
    }

    fn put(&mut self, text: &str) {
        match self.field {
            Some(Field::Moves) => self.moves += text,
            Some(Field::Info) => self.info += text,
            None => {}
        }
    }

    fn add_pending(&mut self) {
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            self.put(&unescaped(&pending));
            self.pending = pending;
            self.pending.clear();
        }
    }

    /// Continues with another part.
    fn select(&mut self, field: Option<Field>) {
        self.add_pending();
        self.field = field;
    }

    /// Marks the game as invalid and drops its text.
    fn fail(&mut self, message: Text) {
        if let Some(position) = self.position {
            self.error.get_or_insert(position.error(message));
        }
        self.clear();
    }

    /// Passes the game on if there is one.
    fn finish(
        &mut self,
        tables: &Tables,
        mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(position) = self.position else { return ControlFlow::Continue(()) };
        self.select(None);
        self.position = None;
        if let Some(error) = self.error.take() {
            return each(Err(error));
        }
        if !self.is_closed {
            return each(Err(position.error(text!("the game has no end: expected </game>"))));
        }
        let game = tables.game(&self.attributes, &self.moves, &self.info);
        each(game.map_err(|message| position.error(message)))
    }
}

#[cfg(test)]
mod tests {
    use super::moves::{point, points};
    use super::*;
    use crate::sgf;
    use crate::tree::NodeId;
    use crate::{Game, GameResult};
    use kakugo::board::Side;

    const DATABASE: &str = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE database PUBLIC "-//RENJUNET//DTD 1.0" "">
<!-- <game id="0"> is not a game -->
<database>
<countries><country id="7" name="Aland" abbr="AL"/></countries>
<cities><city id="3" country="7" name="Town"/></cities>
<rules><rule id="1" name="RIF"><info/></rule><rule id="2" name="Gomoku Swap2"/>
<rule id="3" name="Other" category="2"/></rules>
<openings><opening id="1" name="Kagetsu" abbr="4d"/></openings>
<players><player id="1" name="A&amp;B" surname="One &gt; &#233;" city="1"/>
<player id='2' name='' surname='Two'/></players>
<tournaments><tournament id="1" name="Cup" year="2020" month="1" start="2020-01-01" rule="1" city="3" country="7"/>
<tournament id="2" name="Old" year="1989" month="6" start="0000-00-00" end="" rule="2"/></tournaments>
<games>
<game id="1" tournament="1" round="1" rule="1" black="1" white="2" bresult="1" opening="1" alt="" swap="">
<move>h8 h9 i9
i7</move><info>Good &lt;game&gt;</info></game>
<game id="2" tournament="2" round="" black="2" white="1" bresult="0.5"><move>h8 pass j8</move></game>
<game id="3" tournament="9" rule="7" black="5" bresult="0"><move>h8 z9</move></game>
<game id="4" bresult="" rule="3"><move/></game>
<game id="5" black="1" bresult="0" alt="i10 j9" swap="01"/>
</games></database>"#;

    fn all(text: &[u8]) -> Vec<Result<GameTree, FormatError>> {
        let mut all = Vec::new();
        let _ = games(std::io::Cursor::new(text), Variant::FREESTYLE, |game| {
            all.push(game);
            ControlFlow::Continue(())
        });
        all
    }

    fn errors(text: &str) -> Vec<String> {
        let games = all(text.as_bytes());
        games.into_iter().filter_map(|game| Some(game.err()?.to_string())).collect()
    }

    #[test]
    fn games_have_names_tournament_rule_opening_and_result() {
        let games = all(DATABASE.as_bytes());
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
        assert!(
            text.contains("RU[RIF]") && text.contains("ON[Kagetsu (4d)]PC[Town, Aland]"),
            "{text}"
        );
        let second = games[1].as_ref().unwrap();
        assert_eq!((&*second.game.date, second.game.result), ("1989-06", Some(GameResult::Draw)));
        // The rule of the tournament.
        assert_eq!(second.game.variant, Variant::FREESTYLE);
        assert_eq!(second.main_line().moves[1].point, None);
        let third = games[2].as_ref().unwrap_err().to_string();
        assert!(third.starts_with("line 19, column 1: invalid point 'z9'"), "{third}");
        let fourth = games[3].as_ref().unwrap();
        assert!(fourth.main_line().moves.is_empty());
        assert_eq!(fourth.game.variant, Variant::FREESTYLE);
        let fifth = games[4].as_ref().unwrap();
        assert_eq!(fifth.game.result, Some(GameResult::Win(Side::White)));
        let comment = fifth.nodes.value(NodeId::ROOT).comment();
        assert_eq!(comment, "Offered fifth moves: i10 j9\nSwaps: 01");
        assert_eq!(charset_name(DATABASE.as_bytes()), Some(&b"ISO-8859-1"[..]));
        assert!(is_database(DATABASE.as_bytes()));
    }

    #[test]
    fn damaged_databases_have_errors() {
        for (text, count) in [
            ("", 0),
            ("<database>", 0),
            ("<game id='1'><move>h8</move>", 1),
            ("<game id='1'><move>h8</move></game><game id=\"", 2),
            ("<game><move>h8 <![CDATA[h9]]></move></game>", 1),
            ("</game><game/><!-- ", 2),
            ("<a b=c d><?x", 1),
        ] {
            assert_eq!(all(text.as_bytes()).len(), count, "{text}");
        }
        assert!(all(b"<game><move>h8").remove(0).is_err());
    }

    #[test]
    fn valid_games_beside_malformed_ones_are_kept() {
        let text = "<database>
<player id='1' name='A' surname=Two/>
<game id='1'><move>h8 h9</move></game>
<game id='2 black='1'><move>h8 h9</move></game>
<game id='3'><move>h8 & h9</move></game>
<game id='4'><move>h8 h9
<game id='5'><move>h8 i9</move></game>
<game id='6'><info>a < b</info><move>h8 i9</move></game>
<game id=7><move>h8 i9</move></game>
<game id='8'><move>h8 <!-- h9 --> i10</move></game>
";
        let games = all(text.as_bytes());
        let moves = games.iter().flatten().map(|game| game.main_line().moves.len());
        assert_eq!(moves.collect::<Vec<_>>(), [2, 2, 2]);
        let expected = [
            "line 4, column 1: invalid tag '<game id='2 black='1'>': expected '>' after its attributes",
            "line 5, column 1: invalid point '&': expected a letter and a row from 1 to 15",
            "line 6, column 1: the game has no end: expected </game>",
            "line 8, column 22: invalid tag '< b': expected '>' after its attributes",
            "line 9, column 1: invalid attribute 'id=7': expected name=\"value\"",
            // Not an error of a game.
            "line 2, column 1: invalid attribute 'surname=Two': expected name=\"value\"",
        ];
        assert_eq!(errors(text), expected);
    }

    #[test]
    fn declared_entities_are_not_expanded() {
        let text = "<!DOCTYPE database [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>
<players><player id='1' name='&b;' surname='&#x26;lt;'/></players>
<game black='1'><move>h8</move><info>&b;</info></game>";
        let game = all(text.as_bytes()).remove(0).unwrap();
        assert_eq!(&*game.game.black, "&b; &lt;");
        assert_eq!(game.nodes.value(NodeId::ROOT).comment(), "&b;");
        let long = format!("<game><info>{}</info></game><game/>", "&b;".repeat(MAX_TEXT));
        assert_eq!(all(long.as_bytes()).len(), 2);
        let error = errors(&long).remove(0);
        assert!(error.starts_with("line 1, column 1: the text of the game is too long"), "{error}");
    }

    #[test]
    fn games_do_not_multiply_long_names() {
        let long = "n".repeat(100_000);
        let tables = format!(
            "<country id='1' name='{long}'/><city id='1' name='{long}'/>
<rule id='1' name='{long}'/><opening id='1' name='{long}' abbr='{long}'/>
<player id='1' name='{long}' surname='{long}'/>
<tournament id='1' name='{long}' start='{long}' city='1' country='1'/>"
        );
        let game = "<game tournament='1' rule='1' opening='1' black='1' white='1'/>";
        let text = tables + &game.repeat(1000);
        let mut length = 0;
        let _ = games(std::io::Cursor::new(text.as_bytes()), Variant::FREESTYLE, |game| {
            length += sgf::write_tree(&game.unwrap()).len();
            ControlFlow::Continue(())
        });
        assert!(length > 1000 * game.len() && length < 4 * text.len(), "{length}");
        let shown = &all(text.as_bytes()).remove(0).unwrap().game.event;
        assert_eq!(*shown, format!("{}\u{2026}", "n".repeat(200)));
    }

    #[test]
    fn swaps_and_passes_are_read() {
        let text = b"<game><move>h8 swap h9 -- i9 Pass SWAP j8</move></game>";
        let game = all(text).remove(0).unwrap().main_line();
        let points: Vec<bool> = game.moves.iter().map(|played| played.point.is_some()).collect();
        assert_eq!(points, [true, true, false, true, false, true]);
        assert!(game.board().is_ok());
    }

    #[test]
    fn names_are_decoded_with_the_code_page_of_the_file() {
        let game = |declared: &str, name: &[u8]| -> Game {
            let head =
                format!("<?xml version='1.0' encoding='{declared}'?>\n<player id='1' name='");
            let tail = b"' surname=''/>\n<game black='1'/>";
            all(&[head.as_bytes(), name, tail].concat()).remove(0).unwrap().game
        };
        assert_eq!(game("ISO-8859-1", b"J\xfcrgen").black, "J\u{fc}rgen");
        assert_eq!(game("UTF-8", "J\u{fc}rgen".as_bytes()).black, "J\u{fc}rgen");
        // The declaration is wrong.
        assert_eq!(game("ISO-8859-1", "J\u{fc}rgen".as_bytes()).black, "J\u{fc}rgen");
        assert_eq!(game("UTF-8", b"\x8d\x95\x82\xcc\x8f\x9f\x82\xbf").black, "黒の勝ち");
        let utf_16: Vec<u8> = "\u{feff}<player id='1' name='黒'/><game black='1'/>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(all(&utf_16)[0].as_ref().unwrap().game.black, "黒");
    }

    #[test]
    fn common_points_are_read_as_all_others() {
        let letters = "aAhHoOpz{`@é 1".chars();
        let names = letters.flat_map(|x| (0..=17).map(move |y| format!("{x}{y}")));
        for name in names.chain(["h", "h08", "h8i", "h1x", ""].map(str::to_owned)) {
            if let Some(point) = point(&name) {
                assert_eq!(points(&name).unwrap(), [point], "{name}");
            } else {
                let read = points(&name).map(|points| points.len());
                assert!(read.is_err() || read == Ok(0) || name == "h08", "{name}: {read:?}");
            }
        }
    }

    #[test]
    fn unknown_parts_of_dates_are_left_out() {
        let date = |attributes: &str| {
            let text = format!("<tournament id='1' {attributes}/><game tournament='1'/>");
            all(text.as_bytes()).remove(0).unwrap().game.date
        };
        assert_eq!(date("start='2020-05-00' end='2020-05-09'"), "2020-05");
        assert_eq!(date("start='0000-00-00' end='2020-05-09'"), "2020-05-09");
        assert_eq!(date("start='' year='1999' month='3'"), "1999-03");
        assert_eq!(date("start='' year='1999' month=''"), "1999");
        assert_eq!(date("start='summer 1999'"), "summer 1999");
        assert_eq!(date("year='0'"), "");
    }
}
