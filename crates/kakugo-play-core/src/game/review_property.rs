//! The evaluation of a position by a review, as the value of an SGF property: `34 11 h8h9i8` is
//! Black's evaluation (`+M5` for a win in five plies), the depth and the best line. `f:` marks a
//! win by fours, and `c1:` the number of deeper searches that confirmed the evaluation. Rows count
//! from the bottom.

use kakugo::board::{Board, Outcome};
use kakugo::score::Score;
use kakugo_record::analysis::review::EvaluatedPosition;
use kakugo_record::pos::{self, RowOrder};

/// The property.
pub const REVIEW_PROPERTY: &str = "KRV";

/// The longest best line that is saved, in moves.
const LINE_MOVES: usize = 250;

/// Returns the property's value for a position on a board with `height` rows.
pub fn write(judged: &EvaluatedPosition, height: u8) -> String {
    let line = judged.best_line.iter().take(LINE_MOVES).copied();
    let (score, depth) = (judged.black, judged.depth);
    let mut kind = if judged.by_fours { "f:".to_owned() } else { String::new() };
    if judged.checks > 0 {
        kind += &format!("c{}:", judged.checks);
    }
    let text = format!("{score} {depth} {kind}{}", pos::write(line, height, RowOrder::FromBottom));
    text.trim_end().to_owned()
}

/// Parses a value for this position, or returns `None` if it is invalid. The best line ends before
/// a move that cannot be played.
pub fn read(value: &str, board: &Board) -> Option<EvaluatedPosition> {
    let mut words = value.split_whitespace();
    let black = score(words.next()?)?;
    let depth = words.next()?.parse().ok()?;
    let line = words.next().unwrap_or_default();
    let by_fours = line.starts_with("f:");
    let line = line.strip_prefix("f:").unwrap_or(line);
    let checks = line.strip_prefix('c').and_then(|rest| rest.split_once(':'));
    let checked = checks.and_then(|(digits, line)| Some((digits.parse().ok()?, line)));
    let (checks, line) = checked.unwrap_or((0, line));
    let mut best_line = pos::read(line, board.height(), RowOrder::FromBottom).unwrap_or_default();
    let mut after = board.clone();
    let possible = best_line.iter().take(LINE_MOVES);
    let playable =
        possible.take_while(|&&p| after.outcome() == Outcome::Ongoing && after.play(p).is_ok());
    let length = playable.count();
    best_line.truncate(length);
    Some(EvaluatedPosition {
        black,
        black_permille: black.win_rate_permille(),
        best_line,
        depth,
        by_fours,
        checks,
    })
}

/// Parses a score.
fn score(text: &str) -> Option<Score> {
    /// The longest win that is accepted, in plies.
    const MOST_PLIES: usize = 1024;
    let plies = |digits: &str| digits.parse().ok().filter(|&plies: &usize| plies <= MOST_PLIES);
    if let Some(digits) = text.strip_prefix("+M") {
        plies(digits).map(Score::win_in)
    } else if let Some(digits) = text.strip_prefix("-M") {
        plies(digits).map(Score::loss_in)
    } else {
        text.parse().ok().map(Score::from_eval)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::{Point, Variant};

    #[test]
    fn what_is_said_comes_back() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let line = [Point::new(7, 7).unwrap(), Point::new(0, 14).unwrap()];
        for (black, best_line, by_fours, checks) in [
            (Score::from_eval(-34), line.to_vec(), false, 0),
            (Score::from_eval(-34), line.to_vec(), false, 1),
            (Score::win_in(5), line.to_vec(), true, 2),
            (Score::loss_in(0), Vec::new(), false, 2),
        ] {
            let black_permille = black.win_rate_permille();
            let judged =
                EvaluatedPosition { black, black_permille, best_line, depth: 11, by_fours, checks };
            assert_eq!(read(&write(&judged, 15), &board), Some(judged));
        }
    }

    #[test]
    fn nonsense_is_no_judgement_and_no_move() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        for value in ["", "x 3 h8", "12", "12 x h8", "+M 3", "+M99999 3", "12 -1 h8"] {
            assert_eq!(read(value, &board), None, "{value}");
        }
        board.play(Point::new(7, 7).unwrap()).unwrap();
        let line = |value| read(value, &board).unwrap().best_line.len();
        assert_eq!((line("12 3 h9h8i9"), line("12 3 z99"), line("12 3 a1a1")), (1, 0, 1));
    }
}
