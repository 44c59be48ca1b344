//! The syntax of SGF: brackets, nodes and properties.

use crate::FormatError;
use crate::game_tree::Property;
use crate::text::text;

/// A syntax element of a game tree.
#[derive(Debug)]
pub(super) enum Item {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;` and its properties.
    Node(Vec<Property>),
}

/// Properties of the first node that no variation begins with.
const FIRST_PROPERTIES: [&str; 10] =
    ["GM[", "FF[", "CA[", "AP[", "SZ[", "PB[", "PW[", "EV[", "GN[", "RU["];

/// Returns true if a text begins with a game, rather than a variation.
fn begins_game(text: &str) -> bool {
    let inside = text.strip_prefix('(').map(str::trim_start);
    let node = inside.and_then(|inside| inside.strip_prefix(';')).map(str::trim_start);
    node.is_some_and(|node| FIRST_PROPERTIES.iter().any(|property| node.starts_with(property)))
}

/// Returns true if a text after `(` begins a game, even an invalid one, rather than other text in
/// parentheses.
fn begins_tree(inside: &str) -> bool {
    let after_name = inside.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let has_property =
        inside.starts_with(|c: char| c.is_ascii_uppercase()) && after_name.starts_with('[');
    inside.starts_with(';') || has_property
}

/// A parser that returns one element at a time.
#[derive(Clone)]
pub(super) struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    /// Creates a parser at the beginning of a text.
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser { rest: text.trim_start_matches('\u{feff}') }
    }

    /// Skips text up to and including the next `(` of a game. Other text may have parentheses, too.
    /// Returns false if there is no game.
    pub(super) fn skip_to_tree(&mut self) -> bool {
        while let Some(start) = self.rest.find('(') {
            let is_after_text = !self.rest[..start].trim().is_empty();
            self.rest = &self.rest[start + 1..];
            let inside = self.rest.trim_start();
            // `main()` is other text.
            if begins_tree(inside) || (inside.starts_with(')') && !is_after_text) {
                return true;
            }
        }
        self.rest = "";
        false
    }

    /// Skips the rest of an invalid tree, whose `(` has been read: up to the bracket that closes
    /// it, or to the next game, if that begins earlier. Returns false at the end of the text.
    pub(super) fn resynchronize(&mut self) -> bool {
        let mut open = 1;
        let mut is_value = false;
        let mut before = ' ';
        for (at, sign) in self.rest.char_indices() {
            let is_escaped = before == '\\';
            let may_begin_game = sign == '(' && (!is_value || matches!(before, '\n' | '\r'));
            if may_begin_game && begins_game(&self.rest[at..]) {
                self.rest = &self.rest[at..];
                return true;
            }
            match sign {
                ']' if is_value && !is_escaped => is_value = false,
                '[' => is_value = true,
                '(' if !is_value => open += 1,
                ')' if !is_value => open -= 1,
                _ => {}
            }
            if open == 0 {
                self.rest = &self.rest[at + 1..];
                return true;
            }
            before = if is_escaped && is_value { ' ' } else { sign };
        }
        false
    }

    /// Returns the number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the next element.
    pub(super) fn item(&mut self) -> Result<Item, FormatError> {
        let Some(sign) = self.peek() else {
            return Err(FormatError::new(text!("unterminated SGF game: expected ')'")));
        };
        self.next_char();
        match sign {
            '(' => Ok(Item::Open),
            ')' => Ok(Item::Close),
            ';' => Ok(Item::Node(self.node()?)),
            other => {
                Err(FormatError::new(text!("unexpected '{0}' in an SGF game", other.to_string())))
            }
        }
    }

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

    fn node(&mut self) -> Result<Vec<Property>, FormatError> {
        let mut node = Vec::new();
        while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) || self.is_at_numbered_name() {
            let mut name = String::new();
            while let Some(c) = self.peek().filter(char::is_ascii_alphanumeric) {
                self.next_char();
                // Old files write `Black` for `B`.
                if !c.is_ascii_lowercase() {
                    name.push(c);
                }
            }
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                self.next_char();
                values.push(self.value()?.to_owned());
            }
            if values.is_empty() {
                return Err(FormatError::new(text!("SGF property {0} has no value", name)));
            }
            // Drop properties without an upper-case name: they could not be written back.
            if name.contains(|c: char| c.is_ascii_uppercase()) {
                node.push(Property { name, values });
            }
        }
        Ok(node)
    }

    /// Returns true at a name that begins with digits, such as `5A[hh]`.
    fn is_at_numbered_name(&self) -> bool {
        let letters = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let value = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        letters.len() < self.rest.len() && value.len() < letters.len() && value.starts_with('[')
    }

    /// Returns the raw value up to the closing bracket.
    fn value(&mut self) -> Result<&'a str, FormatError> {
        let mut is_escaped = false;
        let end = self.rest.find(|c| {
            let closes = c == ']' && !is_escaped;
            is_escaped = c == '\\' && !is_escaped;
            closes
        });
        let Some(end) = end else {
            self.rest = "";
            return Err(FormatError::new(text!("unterminated SGF value: expected ']'")));
        };
        let value = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(value)
    }
}
