//! Smart Game Format, FF 4, game 4 (Gomoku and Renju): <https://www.red-bean.com/sgf/>.
//!
//! Points are two letters, column and row from the top left, `a`-`z` then `A`-`Z`. Of a game tree the
//! main line is read (the first of each set of variations). The writer uses:
//!
//! | property | holds |
//! |---|---|
//! | `SZ` `RU` | `15` or `20:15`; the rule's name, Gomocup's number is understood, too |
//! | `PB` `PW` `EV` `RO` `DT` | names, event, round, date |
//! | `RE` `TE` | `B+`, `W+`, `0` for a draw; the termination in words, as c-gomoku-cli writes it |
//! | `B` `W` `MS` `C` | moves; the time in milliseconds (our own); a comment |
//!
//! Set-up stones, passes and two moves of one colour in a row are refused. Line breaks in names
//! become blanks.

use std::time::Duration;

use super::{FormatError, Game, GameResult, Move};
use crate::board::{Point, Rule, Side, Variant};

/// Write one game.
pub fn write(game: &Game) -> String {
    let mut text = String::from("(;FF[4]GM[4]CA[UTF-8]AP[kakugo]");
    let size = match (game.width, game.height) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    property(&mut text, "SZ", &size);
    property(&mut text, "RU", &rule_name(game.variant));
    let names = [
        ("EV", &game.event),
        ("RO", &game.round),
        ("DT", &game.date),
        ("PB", &game.black),
        ("PW", &game.white),
    ];
    for (key, name) in names {
        if !name.is_empty() {
            property(&mut text, key, &name.replace(['\r', '\n'], " "));
        }
    }
    if let Some(result) = game.result {
        property(
            &mut text,
            "RE",
            match result {
                GameResult::Win(Side::Black) => "B+",
                GameResult::Win(Side::White) => "W+",
                GameResult::Draw => "0",
            },
        );
    }
    if !game.termination.is_empty() {
        property(&mut text, "TE", &game.termination);
    }
    for (ply, played) in game.moves.iter().enumerate() {
        text.push_str(if ply % 10 == 0 { "\n;" } else { ";" });
        let colour = if ply % 2 == 0 { "B" } else { "W" };
        let letters: String = [played.point.x(), played.point.y()].map(letter).iter().collect();
        property(&mut text, colour, &letters);
        if let Some(time) = played.time {
            property(&mut text, "MS", &time.as_millis().to_string());
        }
        if !played.comment.is_empty() {
            property(&mut text, "C", &played.comment);
        }
    }
    text.push_str(")\n");
    text
}

fn property(text: &mut String, key: &str, value: &str) {
    text.push_str(key);
    text.push('[');
    for c in value.chars() {
        if matches!(c, ']' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push(']');
}

fn letter(index: u8) -> char {
    char::from(if index < 26 { b'a' + index } else { b'A' + index - 26 })
}

fn letter_index(letter: char) -> Option<u8> {
    match letter {
        'a'..='z' => Some(letter as u8 - b'a'),
        'A'..='Z' => Some(letter as u8 - b'A' + 26),
        _ => None,
    }
}

/// `freestyle`, or `freestyle 4` for another win length.
fn rule_name(variant: Variant) -> String {
    let name = variant.rule().word();
    match variant.win_length() {
        5 => name.to_owned(),
        length => format!("{name} {length}"),
    }
}

fn read_rule(text: &str) -> Option<Variant> {
    let (name, length) = text.trim().split_once(' ').unwrap_or((text.trim(), "5"));
    let rule = match name.to_ascii_lowercase().as_str() {
        "free" => Rule::Freestyle,
        "rif" => Rule::Renju,
        name => name.parse().ok()?,
    };
    Variant::new(rule, length.trim().parse().ok()?).ok()
}

/// Read all games of a collection.
pub fn read(text: &str) -> Result<Vec<Game>, FormatError> {
    let mut parser = Parser { rest: text.trim_start_matches('\u{feff}') };
    let mut games = Vec::new();
    while parser.skip_to_tree() {
        games.push(game_of(&parser.main_line()?)?);
    }
    if games.is_empty() { Err(FormatError::new("no SGF game found")) } else { Ok(games) }
}

/// The properties of a node: names with the first value of each.
type Node = Vec<(String, String)>;

fn game_of(nodes: &[Node]) -> Result<Game, FormatError> {
    let value = |node: &Node, key: &str| {
        node.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    };
    let Some(root) = nodes.first() else { return Err(FormatError::new("an SGF game is empty")) };
    if let Some(other) = value(root, "GM").filter(|kind| kind != "4") {
        return Err(FormatError::new(format!("SGF game kind {other} is not Gomoku (4)")));
    }
    let size = value(root, "SZ").unwrap_or_else(|| "15".to_owned());
    let (width, height) = size.split_once(':').unwrap_or((&size, &size));
    let side = |digits: &str| {
        digits.parse().map_err(|_| FormatError::new(format!("bad board size \"{size}\"")))
    };
    let variant = match value(root, "RU") {
        None => Variant::FREESTYLE,
        Some(rule) => {
            read_rule(&rule).ok_or_else(|| FormatError::new(format!("unknown rule \"{rule}\"")))?
        }
    };
    let name = |key| value(root, key).unwrap_or_default();
    let mut game = Game {
        black: name("PB"),
        white: name("PW"),
        event: name("EV"),
        round: name("RO"),
        date: name("DT"),
        termination: name("TE"),
        result: value(root, "RE").and_then(|result| read_result(&result)),
        ..Game::new(side(width)?, side(height)?, variant)
    };
    for node in nodes {
        if let Some((setup, _)) = node.iter().find(|(key, _)| matches!(&**key, "AB" | "AW" | "AE"))
        {
            return Err(FormatError::new(format!("set-up stones ({setup}) are not supported")));
        }
        let turn = if game.moves.len().is_multiple_of(2) { "B" } else { "W" };
        let Some((colour, letters)) = node.iter().find(|(key, _)| key == "B" || key == "W") else {
            continue;
        };
        let at = game.moves.len() + 1;
        if colour != turn {
            return Err(FormatError::new(format!("move {at} is not {turn}'s")));
        }
        game.moves.push(Move {
            point: read_point(letters)
                .ok_or_else(|| FormatError::new(format!("move {at}: bad point \"{letters}\"")))?,
            time: value(node, "MS").and_then(|ms| ms.parse().ok()).map(Duration::from_millis),
            comment: value(node, "C").unwrap_or_default(),
        });
    }
    Ok(game)
}

fn read_point(letters: &str) -> Option<Point> {
    let mut letters = letters.chars().map(letter_index);
    let (x, y) = (letters.next()??, letters.next()??);
    if letters.next().is_none() { Point::new(x, y) } else { None }
}

fn read_result(text: &str) -> Option<GameResult> {
    match text.to_ascii_uppercase().as_str() {
        win if win.starts_with("B+") => Some(GameResult::Win(Side::Black)),
        win if win.starts_with("W+") => Some(GameResult::Win(Side::White)),
        "0" | "DRAW" | "1/2" | "1/2-1/2" => Some(GameResult::Draw),
        _ => None,
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn next_char(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    /// Go to the next `(`, which may follow any text.
    fn skip_to_tree(&mut self) -> bool {
        let start = self.rest.find('(');
        self.rest = start.map_or("", |at| &self.rest[at + 1..]);
        start.is_some()
    }

    /// The nodes of the main line of a tree whose `(` has been read, up to its `)`.
    fn main_line(&mut self) -> Result<Vec<Node>, FormatError> {
        let mut nodes = Vec::new();
        // Depth of parentheses, and whether we are inside the first variation all the way.
        let (mut depth, mut main) = (1, true);
        while depth > 0 {
            match self.peek() {
                None => return Err(FormatError::new("an SGF game does not end")),
                Some(';') => {
                    self.next_char();
                    let node = self.node()?;
                    if main {
                        nodes.push(node);
                    }
                }
                Some('(') => {
                    self.next_char();
                    depth += 1;
                }
                Some(')') => {
                    self.next_char();
                    depth -= 1;
                    main = false;
                }
                Some(other) => {
                    return Err(FormatError::new(format!("unexpected '{other}' in an SGF game")));
                }
            }
        }
        Ok(nodes)
    }

    fn node(&mut self) -> Result<Node, FormatError> {
        let mut node = Node::new();
        while let Some(c) = self.peek() {
            if !c.is_ascii_alphabetic() {
                break;
            }
            let mut name = String::new();
            while let Some(c) = self.peek().filter(char::is_ascii_alphabetic) {
                self.next_char();
                // Old files write B as Black.
                if c.is_ascii_uppercase() {
                    name.push(c);
                }
            }
            let mut first = None;
            while self.peek() == Some('[') {
                self.next_char();
                let value = self.value()?;
                first.get_or_insert(value);
            }
            let value = first
                .ok_or_else(|| FormatError::new(format!("SGF property {name} has no value")))?;
            node.push((name, value));
        }
        Ok(node)
    }

    /// The text up to the closing bracket, unescaped.
    fn value(&mut self) -> Result<String, FormatError> {
        let mut value = String::new();
        loop {
            match self.next_char() {
                None => return Err(FormatError::new("an SGF value does not end")),
                Some(']') => return Ok(value),
                Some('\\') => match self.next_char() {
                    // A soft line break.
                    Some('\n') => {}
                    Some(c) => value.push(c),
                    None => return Err(FormatError::new("an SGF value does not end")),
                },
                Some(c) => value.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_c_gomoku_cli_are_read() {
        let text = "(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.21 03:38:55]RO[1.1]RU[4]SZ[15]PB[A]\
                    PW[B]RE[B+1]TE[Black win by five connection]\n;B[ch]C[opening move];W[fg]\n\
                    ;B[ek]C[77ms])";
        let game = &read(text).unwrap()[0];
        assert_eq!((&*game.black, &*game.white, game.width), ("A", "B", 15));
        assert_eq!(game.variant, Variant::RENJU);
        assert_eq!(game.result, Some(GameResult::Win(Side::Black)));
        let points: Vec<String> = game.points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["2,7", "5,6", "4,10"]);
        assert_eq!(game.moves[0].comment, "opening move");
    }

    #[test]
    fn the_main_line_is_the_first_of_the_variations() {
        let text = "two games (;GM[4]SZ[20:15];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff];B[gg]))
                    (;GM[4];B[hh]C[a \\] b \\\\ c])";
        let games = read(text).unwrap();
        assert_eq!((games[0].width, games[0].height), (20, 15));
        let points: Vec<String> = games[0].points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["0,0", "1,1", "2,2", "3,3"]);
        assert_eq!(games[1].moves[0].comment, "a ] b \\ c");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |text| read(text).unwrap_err().to_string();
        assert!(error("").contains("no SGF game"));
        assert!(error("(;GM[1])").contains("not Gomoku"));
        assert!(error("(;GM[4];B[aa];B[bb])").contains("move 2 is not W's"));
        assert!(error("(;GM[4];B[])").contains("bad point"));
        assert!(error("(;GM[4]AB[aa][bb];B[cc])").contains("set-up stones"));
        assert!(error("(;GM[4];B[aa]").contains("does not end"));
        assert!(error("(;GM[4];B[aa").contains("does not end"));
        assert!(error("(;GM[4]RU[chess])").contains("unknown rule"));
        assert!(error("(;GM[4]SZ[999])").contains("board size"));
    }
}
