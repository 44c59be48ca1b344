//! Messages of the coach and hints at the terminal.

use kakugo_play_core::commands::CoachSetting;
use kakugo_play_core::messages::{CoachWords, State, Xy};
use kakugo_play_core::views::coach::setting_word;
use kakugo_record::notation;

use kakugo::board::Point;

/// The subjects that the coach speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoachChoice {
    /// The mistakes.
    pub setting: CoachSetting,
    /// True if it explains games against Kakugo.
    pub explains: bool,
}

impl CoachChoice {
    /// The words of all choices.
    pub const WORDS: &str = "off, large, medium, small, explain";

    /// Returns the choice with this word.
    pub fn from_word(word: &str) -> Option<CoachChoice> {
        let (setting, explains) = match word {
            "off" => (CoachSetting::Off, false),
            "large" => (CoachSetting::Large, false),
            "medium" => (CoachSetting::Medium, false),
            "small" => (CoachSetting::Small, false),
            "explain" => (CoachSetting::Large, true),
            _ => return None,
        };
        Some(CoachChoice { setting, explains })
    }

    /// Returns the choice in a sentence.
    pub fn in_words(self) -> String {
        match self {
            CoachChoice { explains: true, .. } => "The coach explains games against Kakugo.".into(),
            CoachChoice { setting: CoachSetting::Off, .. } => {
                "The coach is off. Try: coach large.".into()
            }
            CoachChoice { setting, .. } => {
                let size = setting_word(setting);
                let smallest = if setting == CoachSetting::Large { "" } else { " and larger" };
                format!("The coach warns of threats and of {size}{smallest} mistakes.")
            }
        }
    }
}

/// Returns what the coach says: its words, the points and the line they are about, and the orders
/// that answer it.
pub fn words(says: &CoachWords, height: u8) -> String {
    let mut text = format!("Coach: {}", says.text);
    if !says.points.is_empty() {
        text += &format!(" Points: {}.", names(&says.points, height, ", "));
    }
    if !says.line.is_empty() {
        text += &format!(" Line: {}.", names(&says.line, height, " "));
    }
    match (says.takes_back, says.waits) {
        (true, true) => text += " Take it back: undo. Play on: go.",
        (true, false) => text += " Take it back: undo.",
        (false, _) => {}
    }
    text
}

/// Returns the latest step of the hint, or `None` if there is no hint.
pub fn hint(state: &State) -> Option<String> {
    let hints = state.hints.as_ref()?;
    let name = |p: Xy| names(&[p], state.height, "");
    let step = match (state.hint, &hints.idea) {
        (Some(point), _) => format!("Kakugo would play {}.", name(point)),
        (None, Some(idea)) => idea.to_string(),
        (None, None) => {
            let [[left, top], [right, bottom]] = hints.area;
            format!("The move is between {} and {}.", name([left, bottom]), name([right, top]))
        }
    };
    Some(if hints.more { format!("{step} More: hint.") } else { step })
}

fn names(points: &[Xy], height: u8, separator: &str) -> String {
    let points = points.iter().filter_map(|&[x, y]| Point::new(x, y));
    points.map(|p| notation::name(p, height)).collect::<Vec<_>>().join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_the_coach_has_a_word_and_a_sentence() {
        let sentences: Vec<String> = CoachChoice::WORDS
            .split(", ")
            .map(|word| CoachChoice::from_word(word).unwrap().in_words())
            .collect();
        assert!(sentences[0].contains("coach large") && sentences[4].contains("explains"));
        assert_eq!(sentences[2], "The coach warns of threats and of medium and larger mistakes.");
        assert_eq!(CoachChoice::from_word("loud"), None);
    }
}
