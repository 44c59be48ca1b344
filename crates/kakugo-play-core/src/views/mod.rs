//! Views: messages made from the parts of a room. They change nothing.

pub mod analysis;
pub mod coach;
pub mod editor;
pub mod openings;
pub mod puzzles;
pub mod review;
pub mod saved_games;
pub mod state;
pub mod tree;

use std::time::Duration;

use kakugo::board::{Board, Point, Side};
use kakugo_record::GameResult;
use kakugo_record::game_tree::{Mark, Sign};

use crate::messages::{SignedPoint, Xy};

/// Returns a point as messages have it.
pub fn xy(p: Point) -> Xy {
    [p.x(), p.y()]
}

/// Returns points as messages have them.
pub fn xys<'a>(points: impl IntoIterator<Item = &'a Point>) -> Vec<Xy> {
    points.into_iter().map(|&p| xy(p)).collect()
}

/// Returns the signs on points as messages have them.
pub fn marks(marks: &[Mark]) -> Vec<SignedPoint> {
    let mark = |mark: &Mark| {
        let (word, text) = match &mark.sign {
            Sign::Triangle => ("triangle", ""),
            Sign::Square => ("square", ""),
            Sign::Circle => ("circle", ""),
            Sign::Cross => ("cross", ""),
            Sign::Selected => ("selected", ""),
            Sign::Label(text) => ("label", text.as_str()),
        };
        (mark.point.x(), mark.point.y(), word, text.to_owned())
    };
    marks.iter().map(mark).collect()
}

/// Returns the stones of Black and White as messages have them.
pub fn stones_of(board: &Board) -> [Vec<Xy>; 2] {
    Side::BOTH.map(|side| {
        board.stones().filter(|stone| stone.side == side).map(|stone| xy(stone.point)).collect()
    })
}

/// Returns a time in whole milliseconds.
pub fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the word of a colour in messages.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::Black => "black",
        Side::White => "white",
    }
}

/// Returns the word of a result in messages.
pub fn result_word(result: Option<GameResult>) -> Option<&'static str> {
    result.map(|result| match result {
        GameResult::Win(side) => side_word(side),
        GameResult::Draw => "draw",
    })
}
