//! The tags of an XML document, read from a stream.
//!
//! Databases are written by scripts and edited by hand, and one mistake must not cost the games
//! after it. So this reader reports an error and continues with the next tag, which strict XML
//! parsers do not. It needs only what databases use: tags, attributes, text, CDATA and the
//! predefined entities. Entities that a document declares are not expanded.

use std::borrow::Cow;
use std::io::Read;

use crate::FormatError;
use crate::charset::TextStream;
use crate::text::{Text, text};

/// The maximum length of a tag in bytes, and of what is read at once.
const MAX_TAG: usize = 1 << 20;

/// The beginning of a CDATA section.
const CDATA: &str = "<![CDATA[";

/// A part of a document.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// A piece of text with its entities. A long text comes in several pieces.
    Text(&'a str),
    /// A piece of a CDATA section.
    Data(&'a str),
    /// The beginning of an element, with its attributes.
    Open(&'a str, &'a str),
    /// An element without content.
    Empty(&'a str, &'a str),
    /// The end of an element.
    Close(&'a str),
}

/// An error in a document.
#[derive(Debug)]
pub(super) struct XmlError {
    /// Name of the tag; empty if there is none.
    pub tag: String,
    /// Description of the error.
    pub message: Text,
}

/// A position in a document, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Position {
    line: usize,
    column: usize,
}

impl Position {
    /// Returns the position after `text`.
    fn after(self, text: &str) -> Position {
        match text.rfind('\n') {
            None => Position { column: self.column + text.chars().count(), ..self },
            Some(last) => Position {
                line: self.line + memchr::memchr_iter(b'\n', text.as_bytes()).count(),
                column: 1 + text[last + 1..].chars().count(),
            },
        }
    }

    /// Adds the position to a message.
    pub(super) fn error(self, message: impl Into<Text>) -> FormatError {
        FormatError::new(text!("line {0}, column {1}: {2}", self.line, self.column, message.into()))
    }
}

/// A reader of a document.
pub(super) struct Xml<R> {
    input: TextStream<R>,
    /// Decoded text.
    text: String,
    /// The beginning of the unread text.
    at: usize,
    /// Index of the last token in `text`.
    token: usize,
    /// A position in the document, and its index in `text`.
    known: (Position, usize),
    in_data: bool,
    is_ended: bool,
}

impl<R: Read> Xml<R> {
    pub(super) fn new(input: TextStream<R>) -> Xml<R> {
        let known = (Position { line: 1, column: 1 }, 0);
        let (in_data, is_ended) = (false, false);
        Xml { input, text: String::new(), at: 0, token: 0, known, in_data, is_ended }
    }

    /// Returns the position of the last token or error.
    pub(super) fn position(&mut self) -> Position {
        let (position, index) = self.known;
        self.known = (position.after(&self.text[index..self.token]), self.token);
        self.known.0
    }

    /// Returns the next token, or `None` at the end. After an error, reading can continue.
    pub(super) fn next(&mut self) -> Result<Option<Token<'_>>, XmlError> {
        while !self.is_ended {
            self.token = self.at;
            if self.in_data {
                if let Some(range) = self.data()? {
                    return Ok(Some(Token::Data(&self.text[range.0..range.1])));
                }
                continue;
            }
            let rest = self.rest();
            let length = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            if length > 0 {
                self.at += length;
                return Ok(Some(Token::Text(&self.text[self.token..self.at])));
            }
            if rest.is_empty() {
                if !self.fill()? {
                    return Ok(None);
                }
                continue;
            }
            while self.rest().len() < CDATA.len() && self.fill()? {}
            match self.rest() {
                rest if rest.starts_with("<!--") => self.skip("-->")?,
                rest if rest.starts_with(CDATA) => {
                    self.at += CDATA.len();
                    self.in_data = true;
                }
                rest if rest.starts_with("<?") => self.skip("?>")?,
                rest if rest.starts_with("<!") => self.skip(">")?,
                _ => {
                    let end = self.end_of_tag()?;
                    let inside = &self.text[self.token + 1..end];
                    return Ok(Some(token(inside)));
                }
            }
        }
        Ok(None)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Reads more text and drops what was read before the current token. Returns false at the end.
    fn fill(&mut self) -> Result<bool, XmlError> {
        self.known = (self.position(), 0);
        self.text.drain(..self.token);
        self.at -= self.token;
        self.token = 0;
        self.input.read(&mut self.text).map_err(|error| {
            self.is_ended = true;
            XmlError { tag: String::new(), message: Text::untranslated(error) }
        })
    }

    /// Returns the error of a document that ends within a tag or section.
    fn unexpected_end(&mut self) -> XmlError {
        self.is_ended = true;
        let message = text!("the file ends within a tag, a comment or a section");
        XmlError { tag: String::new(), message }
    }

    /// Skips text up to and including `end`.
    fn skip(&mut self, end: &str) -> Result<(), XmlError> {
        loop {
            if let Some(length) = self.rest().find(end) {
                self.at += length + end.len();
                return Ok(());
            }
            // Keep the beginning of a possible end.
            let length = self.rest().len();
            self.at += self.rest().floor_char_boundary(length.saturating_sub(end.len() - 1));
            self.token = self.at;
            if !self.fill()? {
                return Err(self.unexpected_end());
            }
        }
    }

    /// Returns the next piece of a CDATA section, or `None` if there is none before its end.
    fn data(&mut self) -> Result<Option<(usize, usize)>, XmlError> {
        const END: &str = "]]>";
        let from = self.at;
        if let Some(length) = self.rest().find(END) {
            self.at += length + END.len();
            self.in_data = false;
            return Ok((length > 0).then_some((from, from + length)));
        }
        let length = self.rest().len();
        let length = self.rest().floor_char_boundary(length.saturating_sub(END.len() - 1));
        if length > 0 {
            self.at += length;
            return Ok(Some((from, self.at)));
        }
        if self.fill()? { Ok(None) } else { Err(self.unexpected_end()) }
    }

    /// Returns the index of the `>` that ends the current tag, which may occur in its attributes.
    fn end_of_tag(&mut self) -> Result<usize, XmlError> {
        let (mut quote, mut scanned) = (None, 1);
        loop {
            for (index, byte) in self.rest().bytes().enumerate().skip(scanned) {
                match byte {
                    b'<' => return Err(self.bad_tag(index)),
                    _ if quote == Some(byte) => quote = None,
                    b'"' | b'\'' if quote.is_none() => quote = Some(byte),
                    b'>' if quote.is_none() => {
                        let end = self.at + index;
                        self.at = end + 1;
                        return Ok(end);
                    }
                    _ => {}
                }
            }
            scanned = self.rest().len();
            if scanned > MAX_TAG {
                return Err(self.bad_tag(scanned));
            }
            if !self.fill()? {
                return Err(self.unexpected_end());
            }
        }
    }

    /// Skips a tag of this length and returns its error.
    fn bad_tag(&mut self, length: usize) -> XmlError {
        self.at += length;
        let tag = &self.text[self.token..self.at];
        let name = tag[1..].split(|c: char| c.is_whitespace()).next().unwrap_or_default();
        let name = if name.starts_with('/') { "" } else { name };
        let shown: String = tag.trim_end().chars().take(SHOWN).collect();
        let message = text!("invalid tag '{0}': expected '>' after its attributes", shown);
        XmlError { tag: name.to_owned(), message }
    }
}

/// The number of characters of an invalid tag that an error shows.
const SHOWN: usize = 40;

/// Returns a tag without its brackets as a token.
fn token(inside: &str) -> Token<'_> {
    if let Some(name) = inside.strip_prefix('/') {
        return Token::Close(name.trim());
    }
    let (inside, is_empty) = match inside.strip_suffix('/') {
        Some(inside) => (inside, true),
        None => (inside, false),
    };
    let (name, attributes) = inside.split_once(|c: char| c.is_whitespace()).unwrap_or((inside, ""));
    let tag = if is_empty { Token::Empty } else { Token::Open };
    tag(name, attributes)
}

/// Returns the names and values of attributes. An error ends the iteration.
pub(super) fn attributes(text: &str) -> impl Iterator<Item = Result<(&str, Cow<'_, str>), Text>> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((name, value, after)) = attribute(rest) else {
            let shown: String = rest.chars().take(SHOWN).collect();
            rest = "";
            return Some(Err(text!("invalid attribute '{0}': expected name=\"value\"", shown)));
        };
        rest = after.trim_start();
        Some(Ok((name, unescaped(value))))
    })
}

/// Returns the name and the value of the first attribute, and the text after it.
fn attribute(text: &str) -> Option<(&str, &str, &str)> {
    let (name, after) = text.split_once('=')?;
    let (name, after) = (name.trim_end(), after.trim_start());
    let quote = after.chars().next().filter(|c| "\"'".contains(*c))?;
    let (value, after) = after[1..].split_once(quote)?;
    let is_name =
        !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "\"'".contains(c));
    is_name.then_some((name, value, after))
}

/// Replaces the predefined entities of XML and numbers of characters. Others are left as they are.
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        result += before;
        // An entity is short; a text may have many `&`.
        let end = after.bytes().take(MAX_ENTITY).position(|byte| byte == b';');
        match end.and_then(|end| Some((entity(&after[..end])?, &after[end + 1..]))) {
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
    result += rest;
    Cow::Owned(result)
}

/// The length of the longest entity: `#x10FFFF;`.
const MAX_ENTITY: usize = 9;

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

    /// A reader that returns one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let (buffer, one) = (&mut buffer[..1], self.0.len().min(1));
            Read::read(&mut &self.0[..one], buffer)?;
            self.0 = &self.0[one..];
            Ok(one)
        }
    }

    /// Returns all tokens in words, and errors with their positions.
    fn shown(input: impl Read) -> Vec<String> {
        let mut xml = Xml::new(TextStream::new(input, encoding_rs::UTF_8));
        let mut shown: Vec<String> = Vec::new();
        loop {
            let word = match xml.next() {
                Ok(None) => return shown,
                Ok(Some(Token::Text(text))) => format!("text {text}"),
                Ok(Some(Token::Data(text))) => format!("data {text}"),
                Ok(Some(Token::Open(name, attributes))) => format!("open {name} {attributes}"),
                Ok(Some(Token::Empty(name, attributes))) => format!("empty {name} {attributes}"),
                Ok(Some(Token::Close(name))) => format!("close {name}"),
                Err(error) => xml.position().error(error.message).to_string(),
            };
            let kind = |word: &str| word.split_once(' ').map(|(kind, _)| kind.to_owned());
            match shown.last_mut() {
                Some(last)
                    if ["text", "data"].contains(&&*kind(&word).unwrap_or_default())
                        && kind(last) == kind(&word) =>
                {
                    last.push_str(&word[5..]);
                }
                _ => shown.push(word),
            }
        }
    }

    #[test]
    fn tokens_do_not_depend_on_the_pieces_of_the_stream() {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"c\">]><!-- <no> - -- -->\
            <a é='ü>' b=\"'\">x &lt; é\n<![CDATA[<z> ]] ]]]><b /></a >< /><i \nj='1'/>";
        let expected = [
            "text ]>",
            "open a é='ü>' b=\"'\"",
            "text x &lt; é\n",
            "data <z> ]] ]",
            "empty b ",
            "close a",
            "empty  ",
            "empty i \nj='1'",
        ];
        assert_eq!(shown(text.as_bytes()), expected);
        assert_eq!(shown(Slow(text.as_bytes())), expected);
    }

    #[test]
    fn reading_continues_after_a_bad_tag() {
        let text = "<a><b c='1>\n</b><d e=\"1 f='2'>\n <x y<z></a>";
        let expected = [
            "open a ",
            "line 1, column 4: invalid tag '<b c='1>': expected '>' after its attributes",
            "close b",
            "line 2, column 5: invalid tag '<d e=\"1 f='2'>': expected '>' after its attributes",
            "line 3, column 2: invalid tag '<x y': expected '>' after its attributes",
            "open z ",
            "close a",
        ];
        assert_eq!(shown(text.as_bytes()), expected);
        assert_eq!(shown(Slow(text.as_bytes())), expected);
    }

    #[test]
    fn a_document_that_ends_early_has_an_error() {
        for text in ["<a", "<!-- ", "<![CDATA[ ]]", "<?x", "<!D", "<a b='>"] {
            let shown = shown(text.as_bytes());
            let error = "the file ends within a tag, a comment or a section";
            assert!(shown.last().unwrap().ends_with(error), "{text}: {shown:?}");
        }
        let long = format!("<a><b {}", "c".repeat(3 * MAX_TAG));
        let shown = shown(long.as_bytes());
        assert!(shown[1].starts_with("line 1, column 4: invalid tag '<b ccc"), "{:.80}", shown[1]);
    }

    #[test]
    fn attributes_are_read_one_by_one() {
        let all = |text| attributes(text).collect::<Result<Vec<_>, _>>();
        let read = all(" a='1' b = \"&lt;&#233;&#xe9;&amp;amp; &no; &\"\n c=''d='\"' ").unwrap();
        let expected = [("a", "1"), ("b", "<\u{e9}\u{e9}&amp; &no; &"), ("c", ""), ("d", "\"")];
        assert!(read.iter().map(|(name, value)| (*name, &**value)).eq(expected), "{read:?}");
        for bad in ["a", "a=1", "a='1", "a='1' b", "='1'", "a b='1'", "a'='1'"] {
            let error = all(bad).unwrap_err().to_string();
            assert!(error.starts_with("invalid attribute '"), "{bad}: {error}");
        }
    }
}
