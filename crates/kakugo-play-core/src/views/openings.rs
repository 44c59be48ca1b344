//! The view of the explored games in a position.

use kakugo::board::Board;
use kakugo_record::book::Book;
use kakugo_record::explorer::{Explorer, PositionStats, Ruleset};
use kakugo_record::text::Text;

use crate::game::wording;
use crate::messages::{Counts, OpeningMove, Openings};
use crate::parts::opening_trainer::moves_of;
use crate::views::xy;

/// Number of next moves that are shown.
const MAX_NEXT: usize = 40;

/// Returns the view of a book in a position; `None` while its files are read. A trainer shows only
/// moves that it asks for.
pub fn openings(book: Option<&Book>, board: &Board, is_training: bool) -> Openings {
    let Some(book) = book else { return Openings { reading: true, ..Openings::default() } };
    let explorer = book.explorer();
    let size = (board.width(), board.height());
    let (here, mut next) = explorer.lookup_board(board);
    if is_training {
        next = moves_of(book, board);
    }
    let counts =
        |stats: PositionStats| -> Counts { [stats.lines, stats.black, stats.white, stats.draws] };
    let next = next.iter().take(MAX_NEXT);
    let next = next.map(|next| OpeningMove { point: xy(next.point), record: counts(next.stats) });
    Openings {
        reading: false,
        files: Some(book.files()),
        lines: Some(explorer.lines()),
        kinds: Some(other_kinds(explorer, Ruleset::new(size.0, size.1, board.variant()))),
        here: Some(counts(here)),
        next: Some(next.collect()),
    }
}

/// Returns the kinds of games in the files if none of them is of this kind.
fn other_kinds(explorer: &Explorer, kind: Ruleset) -> Vec<(Text, u8, u8, u64)> {
    if explorer.rulesets().iter().any(|(known, _)| *known == kind) {
        return Vec::new();
    }
    let entry = |(kind, lines): &(Ruleset, u64)| {
        (wording::variant(kind.variant), kind.long, kind.short, *lines)
    };
    explorer.rulesets().iter().map(entry).collect()
}
