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

    /// Skips text up to and including the next `(`. Returns false if there is none.
    pub(super) fn skip_to_tree(&mut self) -> bool {
        let start = self.rest.find('(');
        self.rest = start.map_or("", |at| &self.rest[at + 1..]);
        start.is_some()
    }

    /// Skips the rest of the current tree, whose `(` has been read.
    pub(super) fn skip_tree(&mut self) -> Result<(), FormatError> {
        let mut open = 1;
        while open > 0 {
            match self.item()? {
                Item::Open => open += 1,
                Item::Close => open -= 1,
                Item::Node(_) => {}
            }
        }
        Ok(())
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
        let end =
            end.ok_or_else(|| FormatError::new(text!("unterminated SGF value: expected ']'")))?;
        let value = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(value)
    }
}
