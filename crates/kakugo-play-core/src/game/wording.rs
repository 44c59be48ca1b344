//! Translatable texts: colours, rules, fouls, levels, and the default names of players.

use kakugo::board::{Foul, PlayError, Rule, Side, Variant};
use kakugo::level::LEVELS;
use kakugo_record::analysis::sequence::ThreatKind;
use kakugo_record::text::{Text, text};

use super::opening::OpeningChoice;
use super::setup::{PlayerKind, Seat};

/// Default name of the host of a game of two people.
pub const HOST: &str = "Host";
/// Default name of the guest.
pub const GUEST: &str = "Guest";

/// Returns the text of a colour.
pub fn side(side: Side) -> Text {
    match side {
        Side::Black => text!("Black"),
        Side::White => text!("White"),
    }
}

/// Returns the text of a choice in an opening.
pub fn choice(choice: OpeningChoice) -> Text {
    match choice {
        OpeningChoice::Black => text!("Take Black"),
        OpeningChoice::White => text!("Take White"),
        OpeningChoice::More => text!("Place two more"),
        OpeningChoice::Fifths(count) => {
            text!("{0} fifth {0:move|moves}", usize::from(count))
        }
        // Shown on the board, except in lists of moves.
        OpeningChoice::Offer(_) => text!("offer a fifth move"),
    }
}

/// Returns the text of a foul.
pub fn foul(foul: Foul) -> Text {
    match foul {
        Foul::Overline => text!("an overline"),
        Foul::DoubleFour => text!("a double four"),
        Foul::DoubleThree => text!("a double three"),
    }
}

/// Returns the text of an error.
pub(super) fn play_error(error: PlayError) -> Text {
    match error {
        PlayError::OffBoard => text!("the point is off the board"),
        PlayError::Occupied(by) => text!("the point is occupied by {0}", side(by)),
        PlayError::Blocked => text!("the point is blocked"),
    }
}

/// Returns the text of a rule, with its win length unless that is five.
pub fn variant(variant: Variant) -> Text {
    let rule = match variant.rule() {
        Rule::Freestyle => text!("freestyle"),
        Rule::Standard => text!("standard"),
        Rule::Renju => text!("renju"),
        Rule::Caro => text!("caro"),
        Rule::CaroOverline => text!("caro with overlines"),
    };
    match variant.win_length() {
        5 => rule,
        length => text!("{0}, {1} in a row", rule, length),
    }
}

/// Returns the name of a level, from 1.
pub fn level(number: usize) -> Text {
    match number {
        1 => text!("Beginner"),
        2 => text!("Novice"),
        3 => text!("Learner"),
        4 => text!("Casual"),
        5 => text!("Club player"),
        6 => text!("Strong club player"),
        7 => text!("Expert"),
        8 => text!("Master"),
        9 => text!("Grandmaster"),
        _ => text!("Full strength"),
    }
}

/// Returns the text of the threat that a stone makes.
pub fn made(shape: ThreatKind) -> Text {
    match shape {
        ThreatKind::Five => text!("five"),
        ThreatKind::OpenFour => text!("open four"),
        ThreatKind::FourThree => text!("four and open three"),
        ThreatKind::Four => text!("four"),
        ThreatKind::DoubleThree => text!("two open threes"),
        ThreatKind::OpenThree => text!("open three"),
    }
}

/// Returns a player's name. Default names are translatable.
pub fn name(name: &str) -> Text {
    default_name(name).unwrap_or_else(|| Text::untranslated(name))
}

/// Returns the label of a seat: the name, or Kakugo's level with its number.
pub fn seat(seat: &Seat) -> Text {
    match seat.player {
        PlayerKind::Kakugo(number) if is_default_name(&seat.name) => {
            text!("Kakugo · {0} ({1})", level(number), number)
        }
        _ => name(&seat.name),
    }
}

/// Returns true if the name is filled in for a player without a name, or was in another game.
pub fn is_default_name(name: &str) -> bool {
    matches!(name, "Kakugo" | "Kakugo 1" | "Kakugo 2") || default_name(name).is_some()
}

/// Returns the text of a default name with translatable words.
fn default_name(name: &str) -> Option<Text> {
    if let Some(own) = Side::BOTH.into_iter().find(|own| own.to_string() == name) {
        return Some(side(own));
    }
    match name {
        "Human" => return Some(text!("Human")),
        "Player 1" => return Some(text!("Player {0}", 1_u8)),
        "Player 2" => return Some(text!("Player {0}", 2_u8)),
        HOST => return Some(text!("Host")),
        GUEST => return Some(text!("Guest")),
        _ => {}
    }
    name.strip_prefix("Kakugo ").and_then(|rest| {
        // Two players of one level are numbered.
        let (words, number) = match rest.rsplit_once(' ') {
            Some((words, number @ ("1" | "2"))) => (words, number),
            _ => (rest, ""),
        };
        let level = LEVELS.iter().position(|level| level.name == words).map(|i| level(i + 1))?;
        Some(if number.is_empty() {
            text!("Kakugo {0}", level)
        } else {
            text!("Kakugo {0} {1}", level, number)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::setup::Setup;

    #[test]
    fn levels_and_rules_are_called_as_elsewhere() {
        for (number, known) in (1..).zip(&LEVELS) {
            assert_eq!(level(number).to_string(), known.name);
        }
        for rule in Rule::ALL {
            let known = Variant::new(rule, 5).unwrap();
            assert_eq!(variant(known).to_string(), known.to_string());
        }
        let four = Variant::new(Rule::Standard, 4).unwrap();
        assert_eq!(variant(four).to_string(), four.to_string());
        let taken = PlayError::Occupied(Side::White);
        for error in [PlayError::OffBoard, taken, PlayError::Blocked] {
            assert_eq!(play_error(error).to_string(), error.to_string());
        }
    }

    #[test]
    fn shapes_are_called_as_elsewhere() {
        for shape in ThreatKind::ALL {
            assert_eq!(made(shape).to_string(), shape.words());
        }
    }

    #[test]
    fn names_filled_in_have_a_language_and_others_stay() {
        let names = |black, white| {
            let mut setup = Setup::default();
            (setup.seats[0].player, setup.seats[1].player) = (black, white);
            setup.checked(&[]).unwrap().seats.map(|seat| seat.name)
        };
        let (human, third) = (PlayerKind::Human, PlayerKind::Kakugo(3));
        assert!(is_default_name("Player 2"));
        for name in [names(human, human), names(human, third), names(third, third)].concat() {
            let told = super::name(&name);
            assert_eq!(told.to_string(), name);
            assert_ne!(told, Text::untranslated(&name));
            assert!(is_default_name(&name));
        }
        assert!(is_default_name("Kakugo") && !is_default_name("Ann"));
        let label = |player, name: &str| seat(&Seat { player, name: name.into() }).to_string();
        assert_eq!(label(third, "Kakugo Learner"), "Kakugo · Learner (3)");
        assert_eq!(label(PlayerKind::Kakugo(10), "Kakugo 2"), "Kakugo · Full strength (10)");
        assert_eq!(
            [label(third, "Deep"), label(human, "Kakugo Learner")],
            ["Deep", "Kakugo Learner"]
        );
        assert_eq!(name("Ann"), Text::untranslated("Ann"));
    }
}
