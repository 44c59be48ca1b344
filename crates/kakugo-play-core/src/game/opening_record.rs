//! The opening of a game and its choices in game records.
//!
//! SGF has no properties for them. The root has the name of the opening (`KOP[swap2]`), and each
//! choice is a node without a move (`KCH[black]`).

use kakugo_record::game_tree::{CHOICE_PROPERTY, Node, Note, Property};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use super::live::{Action, GameNode, LiveGame};
use super::moves::OPENING_STONES;
use super::opening::{Next, Opening, OpeningChoice};
use super::setup::tidy;
use crate::now::Time;

/// The property of the opening's name.
pub(super) const OPENING_PROPERTY: &str = "KOP";

/// Returns the first value of a property.
fn value<'a>(note: &'a Note, name: &str) -> Option<&'a str> {
    let property = note.other.iter().find(|property| property.name == name)?;
    property.values.first().map(|value| &**value)
}

/// Returns the choice of a node.
pub(super) fn choice_of(node: &Node) -> Option<OpeningChoice> {
    OpeningChoice::from_word(value(node.note()?, CHOICE_PROPERTY)?)
}

/// Returns true if a node has a choice, known or unknown.
pub(super) fn has_choice(node: &Node) -> bool {
    node.note().is_some_and(|note| value(note, CHOICE_PROPERTY).is_some())
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

impl LiveGame {
    /// Returns the choice that a record has at a node which is not one of the game's opening.
    pub fn noted_choice(&self, node: NodeId) -> Option<OpeningChoice> {
        OpeningChoice::from_word(value(&self.tree.value(node).note, CHOICE_PROPERTY)?)
    }

    /// Returns true if the main line follows the rules of the opening as far as they go.
    pub(super) fn follows_opening(&self) -> bool {
        let mut again = LiveGame::new(self.setup.clone());
        let now = Time::default();
        self.tree.main_line(NodeId::ROOT).all(|node| {
            let next = again.opening_progress().next;
            let is_over = again.board.ply() >= OPENING_STONES && next == Next::Turn;
            let GameNode { step, note, .. } = self.tree.value(node);
            let action = step.map(|step| step.action);
            let is_choice =
                matches!(action, Some(Action::Choose(_))) || value(note, CHOICE_PROPERTY).is_some();
            match action {
                _ if is_over => !is_choice,
                // Played now, it would be offered.
                Some(Action::Stone(_)) if matches!(next, Next::Offer { .. }) => false,
                Some(Action::Stone(p)) => again.play_forbidden_too(p, now).is_ok(),
                Some(Action::Choose(choice)) => again.choose(choice, now).is_ok(),
                Some(Action::Pass | Action::SetUp) | None => false,
            }
        })
    }
}
