//! The status of a game in one sentence: the turn, or the result.

use kakugo::board::Side;
use kakugo_record::GameResult;
use kakugo_record::text::{Text, sanitize, text};

use super::end::{End, Forfeit};
use super::live::LiveGame;
use super::opening::{Next, OpeningChoice};
use super::wording;

/// Returns the status of a game.
pub fn sentence(game: &LiveGame) -> Text {
    let name = |side: Side| wording::name(&game.setup().seats[game.seat_of(side)].name);
    match game.end().or_else(|| game.recorded_end()) {
        Some(end) => match &end {
            End::Row(side) => won_by_row(game, *side),
            End::Foul(foul) => text!(
                "{0} wins: {1} made {2}.",
                called(game, Side::White),
                name(Side::Black),
                wording::foul(*foul)
            ),
            End::Recorded(result, words) => told(game, *result, words),
            End::Full => text!("A draw: the board is full."),
            End::Agreed => text!("A draw by agreement."),
            End::Forfeit(loser, how) => {
                let (winner, loser) = (called(game, loser.opponent()), name(*loser));
                match how {
                    Forfeit::Resigned => text!("{0} wins: {1} resigned.", winner, loser),
                    Forfeit::Time => text!("{0} wins: {1} ran out of time.", winner, loser),
                    Forfeit::Failed(why) if why.is_empty() => {
                        text!("{0} wins: {1} forfeited the game.", winner, loser)
                    }
                    Forfeit::Failed(why) => {
                        text!("{0} wins: {1} failed ({2}).", winner, loser, why.as_str())
                    }
                }
            }
        },
        None => turn(game),
    }
}

/// The longest text of a record about its end that is shown, in characters.
const MOST_WORDS: usize = 200;

/// Returns the end that a record states.
fn told(game: &LiveGame, result: GameResult, words: &str) -> Text {
    let words: String = sanitize(words).chars().take(MOST_WORDS).collect();
    match (result, words.trim().trim_end_matches('.')) {
        (GameResult::Win(side), "") => {
            text!("{0} wins according to the record.", called(game, side))
        }
        (GameResult::Win(side), words) => {
            text!("{0} wins according to the record: {1}.", called(game, side), words)
        }
        (GameResult::Draw, "") => text!("A draw according to the record."),
        (GameResult::Draw, words) => text!("A draw according to the record: {0}.", words),
    }
}

fn turn(game: &LiveGame) -> Text {
    let seat = game.turn();
    let name = wording::name(&game.setup().seats[seat].name);
    let side = game.board().side_to_move();
    match game.opening_progress().next {
        Next::Place { .. } => {
            let number = game.board().ply() + 1;
            text!("Opening: {0} places stone {1}, {2}.", name, number, wording::side(side))
        }
        Next::Choose { choices, .. } if choices.contains(&OpeningChoice::More) => {
            text!("{0} takes Black or White, or places two more stones.", name)
        }
        Next::Choose { choices, .. } if choices.contains(&OpeningChoice::Black) => {
            text!("{0} takes Black or White.", name)
        }
        Next::Choose { .. } => text!("{0} announces the number of fifth moves.", name),
        Next::Offer { offered, count, .. } => {
            text!("{0} offers fifth move {1} of {2}.", name, offered.len() + 1, count)
        }
        Next::Pick { .. } => text!("{0} chooses one of the fifth moves offered.", name),
        Next::Turn => text!("{0}'s turn.", called(game, side)),
    }
}

/// Returns a player's name with the colour, unless the name is the colour.
fn called(game: &LiveGame, side: Side) -> Text {
    let name = &game.setup().seats[game.seat_of(side)].name;
    if *name == side.to_string() {
        wording::side(side)
    } else {
        text!("{0} ({1})", wording::name(name), wording::side(side))
    }
}

fn won_by_row(game: &LiveGame, side: Side) -> Text {
    let stones = game.board().winning_line();
    let (xs, ys) = (stones.iter().map(|p| p.x()), stones.iter().map(|p| p.y()));
    let span = |min: Option<u8>, max: Option<u8>| usize::from(max.unwrap_or(0) - min.unwrap_or(0));
    let width = span(xs.clone().min(), xs.max());
    let height = span(ys.clone().min(), ys.max());
    let row = match stones.len() {
        n if width.max(height) + 1 != n => text!("two rows at once"),
        3 => text!("three in a row"),
        4 => text!("four in a row"),
        5 => text!("five in a row"),
        6 => text!("six in a row"),
        7 => text!("seven in a row"),
        8 => text!("eight in a row"),
        9 => text!("nine in a row"),
        n => text!("{0} in a row", n),
    };
    text!("{0} wins with {1}.", called(game, side), row)
}
