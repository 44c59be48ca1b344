//! The bench: searches of fixed positions to fixed depths with one thread. The sum of their nodes
//! is the signature of a build.
//!
//! It must be the same on every machine and in every build. It changes only if the search or the
//! evaluation changes.

use crate::board::{Board, Point, Rule, Variant};
use crate::search::{Answer, Engine, Limits, Networks, Signals, Silent};

/// Size of the transposition table, in bytes.
const HASH_BYTES: usize = 16 << 20;

/// A position of the bench.
pub struct Case {
    rule: Rule,
    win_length: u8,
    /// Columns and rows.
    size: (u8, u8),
    /// Search depth, in plies.
    pub depth: u32,
    /// Blocked cells, with row 1 at the top as in `moves`.
    walls: &'static str,
    moves: &'static str,
}

/// Returns a position on a square board.
const fn case(rule: Rule, side: u8, depth: u32, moves: &'static str) -> Case {
    Case { rule, win_length: 5, size: (side, side), depth, walls: "", moves }
}

/// Balanced positions of self-play games, and rare cases: an opening, a rectangular board, other
/// win lengths and blocked cells.
pub const CASES: [Case; 16] = [
    case(Rule::Freestyle, 15, 13, "h8i7"),
    case(Rule::Freestyle, 15, 14, "k6i7g8f8f5i9i8"),
    case(Rule::Freestyle, 20, 14, "n9l10j11i11i8l12l11k12k10j9"),
    case(Rule::Freestyle, 20, 14, "o12o8n10m12i15l8o11m8n8n9"),
    case(Rule::Standard, 15, 12, "k6i7g8f8f5i9i6g9h9h10"),
    case(Rule::Standard, 19, 14, "m8k9i10h10h7k11k10l9j9i8g8h11h9"),
    case(Rule::Renju, 15, 14, "f8g11g12f10h11i10g10i12i9h9"),
    case(
        Rule::Renju,
        15,
        14,
        "f8g11g12f10h11i10g10i12i9h9g8e9h12e8e7d9g9h10d6c5c7g6f7d7j10f5h7g7e6e5d5c4c6b6",
    ),
    case(Rule::Caro, 15, 13, "f8g11g12h9f12h12h11i10e10"),
    case(Rule::Caro, 15, 14, "j9e7h11i10g11i11i12g10j11j12"),
    case(Rule::CaroOverline, 15, 13, "f8g11g12f9h10h9e9g7i10j9j10g10g9i11"),
    case(
        Rule::CaroOverline,
        15,
        14,
        "f8g11g12f9h10h9e9g7i10j9j10g10g9i11h11e7f7f13i8l10h5e8i4h4f6i6j5k5c6f5k7l7l8j3k11k9",
    ),
    Case { size: (17, 11), ..case(Rule::Freestyle, 0, 14, "l4j5h6g6g3j7i7k6") },
    Case { win_length: 4, size: (5, 5), ..case(Rule::Standard, 0, 14, "c3b2") },
    Case { win_length: 6, ..case(Rule::Freestyle, 13, 13, "g7h8f8g9h7f7") },
    Case { walls: "h8i8j8k8l8f6", ..case(Rule::Freestyle, 15, 12, "g9i9g7j7") },
];

/// Parses points such as `h8i7`; row 1 is the top row.
fn points(text: &str) -> Option<Vec<Point>> {
    let starts = text.match_indices(|c: char| c.is_ascii_lowercase()).map(|(start, _)| start);
    let ends = starts.clone().skip(1).chain([text.len()]);
    let names = starts.zip(ends).map(|(start, end)| &text[start..end]);
    let point = |name: &str| {
        let row: u8 = name[1..].parse().ok()?;
        Point::new(name.as_bytes()[0] - b'a', row.checked_sub(1)?)
    };
    names.map(point).collect()
}

impl Case {
    /// Returns the position. That of every case of [`CASES`] is valid.
    pub fn board(&self) -> Option<Board> {
        let (width, height) = self.size;
        let variant = Variant::new(self.rule, self.win_length).ok()?;
        let mut board = Board::new(width, height, variant).ok()?;
        points(self.walls)?.into_iter().try_for_each(|p| board.block(p)).ok()?;
        points(self.moves)?.into_iter().try_for_each(|p| board.play(p)).ok()?;
        Some(board)
    }

    /// Searches this position to its depth less `reduction`, with one thread and an empty table.
    pub fn search(&self, board: &Board, reduction: u32, networks: &Networks) -> Answer {
        let depth = self.depth.saturating_sub(reduction);
        let limits = Limits { max_depth: Some(depth), ..Limits::default() };
        let mut engine = Engine::new(HASH_BYTES);
        engine.set_networks(networks);
        engine.think(board, &limits, &Signals::default(), &mut Silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Outcome;

    #[test]
    fn every_rule_is_covered_and_no_game_is_over() {
        for rule in Rule::ALL {
            assert!(CASES.iter().any(|case| case.rule == rule), "{rule}");
        }
        for case in &CASES {
            assert_eq!(case.board().unwrap().outcome(), Outcome::Ongoing, "{}", case.moves);
        }
    }

    #[test]
    fn node_counts_are_deterministic() {
        for case in &CASES {
            let board = case.board().unwrap();
            let nodes = || case.search(&board, 5, &Networks::default()).nodes;
            assert_eq!(nodes(), nodes(), "{}", case.moves);
        }
    }
}
