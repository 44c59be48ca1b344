//! Openings that reduce the first player's advantage.
//!
//! In the *pro* openings Black's first stones are restricted. In the *swap* openings one player
//! places the first stones and the other chooses a colour, so that it pays to place them evenly.

use kakugo::board::{Board, Point};
use kakugo_record::text::{Text, text};

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// Anywhere.
    Free,
    /// The first stone in the centre.
    Centre,
    /// As [`Opening::Centre`], and the third stone outside the central 5x5.
    Pro,
    /// As [`Opening::Centre`], and the third stone outside the central 7x7.
    LongPro,
    /// One player places three stones, the other chooses a colour.
    Swap,
    /// As [`Opening::Swap`], but the other may also place two more and hand the choice back.
    Swap2,
}

/// A choice in a swap opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningChoice {
    /// Play Black from here on.
    Black,
    /// Play White from here on.
    White,
    /// Place two more stones and let the other choose.
    More,
}

impl Opening {
    /// All openings, the simplest first.
    pub const ALL: [Opening; 6] = [
        Opening::Free,
        Opening::Centre,
        Opening::Pro,
        Opening::LongPro,
        Opening::Swap,
        Opening::Swap2,
    ];

    /// Returns the word for it in commands and messages.
    pub const fn word(self) -> &'static str {
        match self {
            Opening::Free => "free",
            Opening::Centre => "centre",
            Opening::Pro => "pro",
            Opening::LongPro => "long-pro",
            Opening::Swap => "swap",
            Opening::Swap2 => "swap2",
        }
    }

    /// Returns the opening with this word.
    pub fn from_word(word: &str) -> Option<Opening> {
        Opening::ALL.into_iter().find(|opening| opening.word() == word)
    }

    /// Returns true if a player chooses a colour.
    pub const fn swaps(self) -> bool {
        matches!(self, Opening::Swap | Opening::Swap2)
    }

    /// Returns the least distance of the third stone from the centre, in king's steps.
    const fn third_stone_distance(self) -> u8 {
        match self {
            Opening::Pro => 3,
            Opening::LongPro => 4,
            _ => 0,
        }
    }

    /// Returns true if a board of this size is large enough.
    pub fn fits(self, width: u8, height: u8) -> bool {
        let reach = (width / 2).max(height / 2);
        let room = u16::from(width) * u16::from(height);
        reach >= self.third_stone_distance() && (!self.swaps() || room >= 9)
    }

    /// Returns the reason if the next stone may not be placed on `p`.
    pub fn objects_to(self, board: &Board, p: Point) -> Option<Text> {
        let centre = Point::new(board.width() / 2, board.height() / 2)?;
        let centred = matches!(self, Opening::Centre | Opening::Pro | Opening::LongPro);
        match board.ply() {
            0 if centred && p != centre => Some(text!("The first stone belongs in the centre.")),
            2 if p.distance(centre) < self.third_stone_distance() => Some(match self {
                Opening::Pro => text!("Black's second stone must lie outside the central 5x5."),
                _ => text!("Black's second stone must lie outside the central 7x7."),
            }),
            _ => None,
        }
    }
}

impl OpeningChoice {
    /// Returns the word for it in messages and records.
    pub const fn word(self) -> &'static str {
        match self {
            OpeningChoice::Black => "black",
            OpeningChoice::White => "white",
            OpeningChoice::More => "more",
        }
    }

    /// Returns the choice with this word.
    pub fn from_word(word: &str) -> Option<OpeningChoice> {
        use OpeningChoice::{Black, More, White};
        [Black, White, More].into_iter().find(|choice| choice.word() == word)
    }
}

impl Opening {
    /// Returns the name of the opening.
    pub fn in_words(self) -> Text {
        match self {
            Opening::Free => text!("a free opening"),
            Opening::Centre => text!("the centre opening"),
            Opening::Pro => text!("the pro opening"),
            Opening::LongPro => text!("the long pro opening"),
            Opening::Swap => text!("swap"),
            Opening::Swap2 => text!("swap2"),
        }
    }
}

/// Returns the seat that decides in a swap opening after `ply` stones and these choices, and true
/// if it must choose instead of placing a stone. Returns `None` once the colours are settled.
pub fn swap_turn(opening: Opening, ply: usize, choices: &[OpeningChoice]) -> Option<(usize, bool)> {
    if !opening.swaps() {
        return None;
    }
    match (choices, ply) {
        ([], 0..3) => Some((0, false)),
        ([], _) => Some((1, true)),
        ([OpeningChoice::More], 0..5) => Some((1, false)),
        ([OpeningChoice::More], _) => Some((0, true)),
        _ => None,
    }
}

/// Returns the seat that plays Black after these choices.
pub fn black_seat(choices: &[OpeningChoice]) -> usize {
    match choices {
        [OpeningChoice::Black] | [OpeningChoice::More, OpeningChoice::White] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn swap2_goes_back_and_forth() {
        use OpeningChoice::{Black, More, White};
        assert_eq!(swap_turn(Opening::Swap2, 2, &[]), Some((0, false)));
        assert_eq!(swap_turn(Opening::Swap2, 3, &[]), Some((1, true)));
        assert_eq!(swap_turn(Opening::Swap2, 3, &[White]), None);
        assert_eq!(swap_turn(Opening::Swap2, 4, &[More]), Some((1, false)));
        assert_eq!(swap_turn(Opening::Swap2, 5, &[More]), Some((0, true)));
        assert_eq!(swap_turn(Opening::Swap2, 5, &[More, Black]), None);
        assert_eq!(swap_turn(Opening::Free, 3, &[]), None);
        assert_eq!(
            [&[Black][..], &[White], &[More, Black], &[More, White]].map(black_seat),
            [1, 0, 0, 1]
        );
    }

    #[test]
    fn pro_openings_keep_the_third_stone_out() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let at = |x, y| Point::new(x, y).unwrap();
        assert!(Opening::Pro.objects_to(&board, at(7, 6)).is_some());
        assert!(Opening::Pro.objects_to(&board, at(7, 7)).is_none());
        board.play(at(7, 7)).unwrap();
        assert!(Opening::Pro.objects_to(&board, at(7, 6)).is_none());
        board.play(at(7, 6)).unwrap();
        assert!(Opening::Pro.objects_to(&board, at(9, 9)).is_some());
        assert!(Opening::Pro.objects_to(&board, at(10, 7)).is_none());
        assert!(Opening::LongPro.objects_to(&board, at(10, 7)).is_some());
        assert!(Opening::Free.objects_to(&board, at(9, 9)).is_none());
    }
}
