//! Translatable messages.
//!
//! A [`Text`] is an English template with its arguments. As in gettext, the English template is the
//! key: the web board looks it up in the selected language and falls back to English. The terminal
//! and files always use English.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeSeq, Serializer};

/// A message template with arguments. `{0}` stands for the first argument; `{0:move|moves}` selects
/// a form: the first if the argument is 1, else the second.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    template: &'static str,
    arguments: Vec<Argument>,
}

/// Template of untranslated messages.
const AS_IS: &str = "{0}";

/// The length of a long sentence in long words.
const SENTENCE_WORDS: usize = 5;

/// An argument of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A translatable text.
    Text(Text),
    /// A word that is the same in all languages, such as a name or a point.
    Word(String),
    /// A number.
    Number(u64),
}

/// Creates a [`Text`] from a template and its arguments. Their number is checked at compile time.
#[macro_export]
macro_rules! text {
    ($template:literal $(, $argument:expr)* $(,)?) => {{
        const { assert!($crate::text::places($template) == 0 $(+ $crate::text!(@one $argument))*) }
        $crate::text::Text::new($template, vec![$($argument.into()),*])
    }};
    (@one $argument:expr) => { 1 };
}
pub use text;

impl Text {
    /// Creates a text without checking the number of arguments; prefer [`text!`].
    pub fn new(template: &'static str, arguments: Vec<Argument>) -> Text {
        Text { template, arguments }
    }

    /// Creates a text that is not translated.
    pub fn untranslated(words: impl fmt::Display) -> Text {
        Text::new(AS_IS, vec![Argument::Word(words.to_string())])
    }

    /// Returns the text with words of at most `length` characters. A longer word ends with an
    /// ellipsis. Untranslated texts are sentences rather than words, and may be longer.
    pub(crate) fn shortened(self, length: usize) -> Text {
        let length = if self.template == AS_IS { SENTENCE_WORDS * length } else { length };
        let arguments = self.arguments.into_iter().map(|argument| argument.shortened(length));
        Text { arguments: arguments.collect(), ..self }
    }
}

/// Returns a text of at most `length` characters. A longer one ends with an ellipsis.
pub(crate) fn shortened(text: &str, length: usize) -> Cow<'_, str> {
    match text.char_indices().nth(length) {
        Some((end, _)) => Cow::Owned(format!("{}\u{2026}", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Replaces control characters except line feeds, so that text from files cannot control the
/// terminal.
pub fn sanitize(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

/// Returns the number of arguments that a template expects.
pub const fn places(template: &str) -> usize {
    let bytes = template.as_bytes();
    let mut places = 0;
    let mut i = 1;
    while i < bytes.len() {
        if bytes[i - 1] == b'{' && bytes[i].is_ascii_digit() {
            let place = (bytes[i] - b'0') as usize + 1;
            places = if place > places { place } else { places };
        }
        i += 1;
    }
    places
}

impl Argument {
    fn shortened(self, length: usize) -> Argument {
        match self {
            Argument::Text(text) => Argument::Text(text.shortened(length)),
            Argument::Word(word) => Argument::Word(shortened(&word, length).into_owned()),
            Argument::Number(_) => self,
        }
    }
}

impl From<Text> for Argument {
    fn from(text: Text) -> Argument {
        Argument::Text(text)
    }
}

impl From<String> for Argument {
    fn from(word: String) -> Argument {
        Argument::Word(word)
    }
}

impl From<&str> for Argument {
    fn from(word: &str) -> Argument {
        Argument::Word(word.to_owned())
    }
}

impl From<usize> for Argument {
    fn from(number: usize) -> Argument {
        Argument::Number(number as u64)
    }
}

impl From<u8> for Argument {
    fn from(number: u8) -> Argument {
        Argument::Number(number.into())
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Argument {
        Argument::Number(number.into())
    }
}

/// Formats the message in English.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.template;
        while let Some((before, after)) = rest.split_once('{') {
            let (place, after) = after.split_once('}').unwrap_or((after, ""));
            let (number, forms) = place.split_once(':').unwrap_or((place, ""));
            let argument = number.parse().ok().and_then(|i: usize| self.arguments.get(i));
            f.write_str(before)?;
            match (argument, forms.split_once('|')) {
                (Some(Argument::Number(1)), Some((one, _))) => f.write_str(one)?,
                (_, Some((_, many))) => f.write_str(many)?,
                (Some(argument), None) => argument.fmt(f)?,
                (None, None) => {}
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Text(text) => text.fmt(f),
            Argument::Word(word) => f.write_str(word),
            Argument::Number(number) => number.fmt(f),
        }
    }
}

/// Serializes texts as arrays and words and numbers as themselves: `["{0} wins with {1}.", "Ann",
/// ["five in a row"]]`.
impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let (AS_IS, [argument]) = (self.template, &*self.arguments) {
            return argument.serialize(serializer);
        }
        let mut list = serializer.serialize_seq(Some(1 + self.arguments.len()))?;
        list.serialize_element(self.template)?;
        for argument in &self.arguments {
            list.serialize_element(argument)?;
        }
        list.end()
    }
}

impl Serialize for Argument {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Argument::Text(text) => text.serialize(serializer),
            Argument::Word(word) => serializer.serialize_str(word),
            Argument::Number(number) => serializer.serialize_u64(*number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(sanitize("a\u{1b}[2J\u{9b}1m\tb\nc é"), "a [2J 1m b\nc é");
    }

    #[test]
    fn long_words_are_shortened() {
        let inner = text!("{0} and {1}", "a".repeat(9), "é".repeat(4));
        let message = text!("{0}: {1} {2}", inner, 123_456_u32, "b".repeat(5));
        assert_eq!(message.shortened(4).to_string(), "aaaa… and éééé: 123456 bbbb…");
        let sentence = text!("{0}!", Text::untranslated("a sentence that is long"));
        assert_eq!(sentence.shortened(4).to_string(), "a sentence that is l…!");
    }

    #[test]
    fn texts_print_english_and_serialize_templates() {
        let winner = text!("{0} ({1})", "Ann", text!("Black"));
        let message = text!("{1}: {0} won in {2} {2:move|moves}.", winner, "h8", 5_usize);
        assert_eq!(message.to_string(), "h8: Ann (Black) won in 5 moves.");
        let json = serde_json::to_string(&message).unwrap();
        let expected =
            r#"["{1}: {0} won in {2} {2:move|moves}.",["{0} ({1})","Ann",["Black"]],"h8",5]"#;
        assert_eq!(json, expected);
        assert_eq!(text!("{0} {0:move|moves}", 1_usize).to_string(), "1 move");
        let plain = Text::untranslated("a {0} b");
        assert_eq!(plain.to_string(), "a {0} b");
        assert_eq!(serde_json::to_string(&plain).unwrap(), "\"a {0} b\"");
    }
}
