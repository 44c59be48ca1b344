//! Between games at the board and records.

use std::time::Duration;

use crate::board::{Point, Side};
use crate::record;
use crate::record::pos::RowOrder;

use super::live::{Action, LiveGame};
use super::opening::Opening;
use super::setup::{PlayerKind, Seat, Setup};
use super::status;

/// The record of the moves played so far.
pub fn record_of(game: &LiveGame) -> record::Game {
    let setup = game.setup();
    let board = game.board();
    let stones = game.steps()[..game.at()].iter().filter_map(|step| match step.action {
        Action::Stone(point) => {
            Some(record::Move { time: whole_ms(step.spent), ..record::Move::new(point) })
        }
        Action::Choose(_) => None,
    });
    let name = |side: Side| setup.seats[game.seat_of(side)].name.clone();
    let end = game.end();
    record::Game {
        black: name(Side::Black),
        white: name(Side::White),
        result: end.as_ref().map(|end| match end.winner() {
            Some(side) => record::GameResult::Win(side),
            None => record::GameResult::Draw,
        }),
        termination: end.map_or(String::new(), |_| status::sentence(game)),
        moves: stones.collect(),
        ..record::Game::new(board.width(), board.height(), setup.variant)
    }
}

/// Records keep whole milliseconds; a time of none is not written.
fn whole_ms(time: Duration) -> Option<Duration> {
    let ms = u64::try_from(time.as_millis()).ok()?;
    (ms > 0).then(|| Duration::from_millis(ms))
}

/// A game at the board that shows a record, between two humans of its names.
///
/// # Errors
/// Says which move cannot be played, its rows counted as `rows` says.
pub fn game_of(record: &record::Game, rows: RowOrder) -> Result<LiveGame, String> {
    let seat = |name: &str| Seat { player: PlayerKind::Human, name: name.to_owned() };
    let setup = Setup {
        width: record.width,
        height: record.height,
        variant: record.variant,
        seats: [seat(&record.black), seat(&record.white)],
        opening: Opening::Free,
        ..Setup::default()
    };
    let setup = setup.checked(&[]).map_err(|error| error.to_string())?;
    let points: Vec<Point> = record.points().collect();
    LiveGame::with_moves(setup, &points)
        .map_err(|(number, why)| format!("Move {}: {}", number + 1, why.in_words(rows)))
}

/// What to say where a file holds more games than the one shown; empty for a single one.
pub fn note_of(games: usize) -> String {
    if games > 1 {
        format!("The file holds {games} games: this is the first.")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sgf;
    use std::time::Instant;

    #[test]
    fn games_survive_a_record() {
        let now = Instant::now();
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let setup = Setup { seats, ..Setup::default() };
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for (x, y) in [(7, 7), (0, 0), (8, 7), (1, 1), (9, 7), (2, 2), (10, 7), (3, 4), (11, 7)] {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
        }
        let text = sgf::write(&record_of(&game));
        let back = game_of(&sgf::read(&text).unwrap()[0], RowOrder::FromBottom).unwrap();
        assert!(back.line().eq(game.line()));
        assert_eq!(back.end(), game.end());
        assert_eq!(record_of(&back), record_of(&game));
    }

    #[test]
    fn impossible_records_are_refused() {
        let p = Point::new(3, 3).unwrap();
        let mut record = record::Game::new(15, 15, crate::board::Variant::FREESTYLE);
        record.moves = vec![record::Move::new(p), record::Move::new(p)];
        let why = |record: &record::Game, rows| game_of(record, rows).unwrap_err();
        let (top, bottom) = (RowOrder::FromTop, RowOrder::FromBottom);
        assert_eq!(why(&record, bottom), "Move 2: d12 is occupied by Black.");
        assert_eq!(why(&record, top), "Move 2: d4 is occupied by Black.");
        record.width = 2;
        assert!(why(&record, bottom).contains("2x15"));
    }
}
