//! The opening of a game and its choices in game records.
//!
//! SGF has no properties for them. The root has the name of the opening (`KOP[swap2]`), and each
//! choice is a node without a move (`KCH[black]`).

use kakugo_record::game_tree::{CHOICE_PROPERTY, Node, Note, Property};
use kakugo_record::text::{Text, text};

use super::opening::{Next, Opening, OpeningChoice};
use super::setup::tidy;

/// The property of the opening's name.
pub(super) const OPENING_PROPERTY: &str = "KOP";

/// Returns the first value of a property.
fn value<'a>(note: &'a Note, name: &str) -> Option<&'a str> {
    let property = note.other.iter().find(|property| property.name == name)?;
    property.values.first().map(|value| &**value)
}

/// Returns the choice of a note.
pub(super) fn choice_of(note: &Note) -> Option<OpeningChoice> {
    OpeningChoice::from_word(value(note, CHOICE_PROPERTY)?)
}

/// Returns true if a note has a choice, known or unknown.
pub(super) fn has_choice(note: &Note) -> bool {
    value(note, CHOICE_PROPERTY).is_some()
}

/// Returns the opening that the root of a record names; `Ok(None)` if it names none.
///
/// # Errors
/// Returns a notice if the opening is unknown.
pub(super) fn opening_of(root: &Node) -> Result<Option<Opening>, Text> {
    let word = root.note().and_then(|note| value(note, OPENING_PROPERTY));
    let Some(word) = word else { return Ok(None) };
    let unknown =
        || text!("The opening of the file, '{0}', is not known: it is left out.", tidy(word));
    Opening::from_word(word).map(Some).ok_or_else(unknown)
}

/// Returns the notice about an opening that does not fit the moves of its record.
pub(super) fn notice_of_misfit(opening: Opening) -> Text {
    text!("The moves of the file do not fit {0}: the opening is left out.", opening.in_words())
}

/// Adds the name of an opening to the root of a record, in place of another one.
pub(super) fn add_opening(root: &mut Note, opening: Opening) {
    if opening != Opening::Free {
        root.other.retain(|property| property.name != OPENING_PROPERTY);
        let values = vec![opening.word().to_owned()];
        root.other.push(Property { name: OPENING_PROPERTY.to_owned(), values });
    }
}

/// Returns the property of a choice.
pub(super) fn property_of(choice: OpeningChoice) -> Property {
    Property { name: CHOICE_PROPERTY.to_owned(), values: vec![choice.word()] }
}

/// Returns true if a choice of a record fits the opening.
pub(super) fn allows(next: &Next, choice: OpeningChoice) -> bool {
    match next {
        Next::Choose { choices, .. } => choices.contains(&choice),
        Next::Offer { .. } => matches!(choice, OpeningChoice::Offer(_)),
        _ => false,
    }
}
