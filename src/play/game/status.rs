//! What to say about a game: whose turn it is, or who won and how.

use crate::board::Side;

use super::end::{End, Forfeit};
use super::error::foul_name;
use super::live::LiveGame;
use super::opening::OpeningChoice;

/// Where the game stands, in one sentence.
pub fn sentence(game: &LiveGame) -> String {
    let name = |side: Side| &*game.setup().seats[game.seat_of(side)].name;
    match game.end() {
        Some(end) => match &end {
            End::Row(side) => {
                format!("{} wins with {}.", called(game, *side), row(game))
            }
            End::Foul(foul) => format!(
                "{} wins: {} made {}.",
                called(game, Side::White),
                name(Side::Black),
                foul_name(*foul)
            ),
            End::Full => "A draw: the board is full.".to_owned(),
            End::Forfeit(loser, how) => {
                let (winner, loser) = (called(game, loser.opponent()), name(*loser));
                match how {
                    Forfeit::Resigned => format!("{winner} wins: {loser} resigned."),
                    Forfeit::Time => format!("{winner} wins: {loser} ran out of time."),
                    Forfeit::Failed(why) => format!("{winner} wins: {loser} failed ({why})."),
                }
            }
        },
        None => turn(game),
    }
}

fn turn(game: &LiveGame) -> String {
    let seat = game.turn();
    let name = &game.setup().seats[seat].name;
    if game.choices_offered().contains(&OpeningChoice::More) {
        format!("{name} takes Black or White, or places two more stones.")
    } else if !game.choices_offered().is_empty() {
        format!("{name} takes Black or White.")
    } else if game.is_placing() {
        let side = game.board().side_to_move();
        format!("Opening: {name} places stone {}, {side}.", game.board().ply() + 1)
    } else {
        format!("{}'s turn.", called(game, game.board().side_to_move()))
    }
}

/// A player's name with the colour, unless the name is the colour.
fn called(game: &LiveGame, side: Side) -> String {
    let name = &game.setup().seats[game.seat_of(side)].name;
    if *name == side.to_string() { name.clone() } else { format!("{name} ({side})") }
}

/// The winning row in words.
fn row(game: &LiveGame) -> String {
    let stones = game.board().winning_line();
    let (xs, ys) = (stones.iter().map(|p| p.x()), stones.iter().map(|p| p.y()));
    let span = |min: Option<u8>, max: Option<u8>| usize::from(max.unwrap_or(0) - min.unwrap_or(0));
    let width = span(xs.clone().min(), xs.max());
    let height = span(ys.clone().min(), ys.max());
    if width.max(height) + 1 == stones.len() {
        format!("{} in a row", number(stones.len()))
    } else {
        "two rows at once".to_owned()
    }
}

fn number(n: usize) -> String {
    const WORDS: [&str; 7] = ["three", "four", "five", "six", "seven", "eight", "nine"];
    n.checked_sub(3).and_then(|i| WORDS.get(i)).map_or_else(|| n.to_string(), |w| (*w).to_owned())
}
