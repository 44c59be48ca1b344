//! The report of `analyze` for a complete game, as text and as JSON.
//!
//! All percentages are Black's expected result. The loss of a move is the drop in its player's
//! expected result.

use std::fmt::Write;

use serde_json::{Value, json};

use super::convert;
use super::source::outcome_in_words;
use kakugo::board::{Board, Outcome, Side};
use kakugo_record::analysis::accuracy::{self, Accuracy, losses};
use kakugo_record::analysis::review::{Review, TurningPoint};
use kakugo_record::analysis::sequence::{self, Step, ThreatKind, sequence};
use kakugo_record::notation::{name, names};
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::text::sanitize;
use kakugo_record::{Cause, Game, GameResult};

/// Maximum number of moves of a best line in the table.
const LINE_MOVES: usize = 6;

/// Returns the report as JSON.
///
/// # Errors
/// Returns an error if the game has an invalid move.
pub(super) fn json(game: &Game, review: &Review) -> anyhow::Result<String> {
    let height = game.height;
    let losses = losses(review);
    let points = |line: &[_]| line.iter().map(|&p| name(p, height)).collect::<Vec<_>>();
    let moves: Vec<Value> = review
        .positions
        .iter()
        .enumerate()
        .map(|(number, judged)| {
            let before = number.checked_sub(1);
            json!({
                "number": number,
                "move": before.map(|i| move_name(game, i)),
                "side": before.map(|i| review.mover(i).to_string()),
                "loss_permille": before.map(|i| losses[i]),
                "black_eval": judged.black.to_string(),
                "black_permille": judged.black_permille,
                "depth": judged.depth,
                "best_line": points(&judged.best_line),
            })
        })
        .collect();
    let mut turning = Vec::new();
    for point in &review.turning_points {
        let threats = missed_win(game, point)?;
        let threats = threats.iter().map(|step| {
            json!({ "move": name(step.point, height), "side": step.side.to_string(), "makes": step.makes.map(ThreatKind::words) })
        });
        turning.push(json!({
            "number": point.number,
            "move": name(point.played, height),
            "side": point.side.to_string(),
            "mistake": point.mistake.words(),
            "black_permille_before": review.positions[point.number - 1].black_permille,
            "black_permille_after": review.positions[point.number].black_permille,
            "better": points(&point.line),
            "missed_win": threats.collect::<Vec<_>>(),
        }));
    }
    let [black, white] = accuracies(game, review);
    Ok(format!(
        "{:#}\n",
        json!({
            "rule": game.variant.to_string(),
            "rule_is_assumed": game.assumes_rule,
            "width": game.width,
            "height": game.height,
            "result": result(game).map(result_word),
            "cause": game.cause.map(cause_word),
            "termination": Some(&game.termination).filter(|words| !words.is_empty()),
            "opening": RenjuOpening::of_game(game).map(convert::opening_json),
            "positions": moves,
            "turning_points": turning,
            "players": { "black": player(&game.black, black), "white": player(&game.white, white) },
        })
    ))
}

/// Returns the name of a move, from 0.
fn move_name(game: &Game, index: usize) -> String {
    game.moves[index].point.map_or("pass".to_owned(), |point| name(point, game.height))
}

/// Returns the accuracy of Black and White. Passes are not counted.
pub(super) fn accuracies(game: &Game, review: &Review) -> [Accuracy; 2] {
    accuracy::of_review(review, |i| game.moves[i].point.is_some())
}

/// Returns the result on the board, or else the recorded one.
fn result(game: &Game) -> Option<GameResult> {
    game.result_on_board().or(game.result)
}

/// Returns a result as a word of JSON output.
pub(super) fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::Win(Side::Black) => "black",
        GameResult::Win(Side::White) => "white",
        GameResult::Draw => "draw",
    }
}

fn cause_word(cause: Cause) -> &'static str {
    match cause {
        Cause::Resignation => "resignation",
        Cause::Time => "time",
        Cause::Forfeit => "forfeit",
    }
}

/// Returns the result with its recorded cause: `, White won by resignation (after move 30)`. A
/// forbidden move is named.
fn end_in_words(game: &Game) -> String {
    if let Ok(outcome @ Outcome::Forbidden(_)) = game.board().map(|board| board.outcome()) {
        return format!(", {}", outcome_in_words(outcome));
    }
    let result = result(game);
    let Some(result) = (Game { result, ..game.clone() }).result_in_words() else {
        return String::new();
    };
    let words = match &*game.termination {
        "" => String::new(),
        words => format!(" ({})", sanitize(words)),
    };
    format!(", {result}{words}")
}

fn player(name: &str, accuracy: Accuracy) -> Value {
    json!({
        "name": name,
        "moves": accuracy.moves,
        "counted_moves": accuracy.counted,
        "accuracy_percent": (accuracy.counted > 0).then(|| (accuracy.percent * 10.0).round() / 10.0),
        "mean_loss_permille": (accuracy.mean_loss * 10.0).round() / 10.0,
        "inaccuracies": accuracy.inaccuracies,
        "mistakes": accuracy.mistakes,
        "blunders": accuracy.blunders,
    })
}

/// Returns the threats of a missed win. Empty if the move did not miss one.
fn missed_win(game: &Game, turning: &TurningPoint) -> anyhow::Result<Vec<Step>> {
    if !turning.mistake.is_missed_win() {
        return Ok(Vec::new());
    }
    Ok(sequence(&before(game, turning.number)?, &turning.line))
}

/// Returns the position before move `number`, from 1.
fn before(game: &Game, number: usize) -> anyhow::Result<Board> {
    let mut board = Game { moves: game.moves[..number - 1].to_vec(), ..game.clone() }.board()?;
    if let Some(side) = game.sides().nth(number - 1) {
        board.set_side_to_move(side);
    }
    Ok(board)
}

/// Returns the report as text.
///
/// # Errors
/// Returns an error if the game has an invalid move.
pub(super) fn text(game: &Game, review: &Review) -> anyhow::Result<String> {
    let height = game.height;
    let losses = losses(review);
    let mut text = String::new();
    let labelled = |name: &str, side: Side| {
        let name = sanitize(name);
        if name.is_empty() { side.to_string() } else { format!("{name} ({side})") }
    };
    let players = [labelled(&game.black, Side::Black), labelled(&game.white, Side::White)];
    let [black, white] = &players;
    let end = end_in_words(game);
    writeln!(text, "{black} - {white}, {} {}x{height}{end}", game.variant, game.width)?;
    if let Some(opening) = RenjuOpening::of_game(game) {
        writeln!(text, "Opening: {opening}")?;
    }
    text.push('\n');
    writeln!(
        text,
        "Percentages are Black's expected result. A loss is the drop in the player's own.\n"
    )?;
    writeln!(
        text,
        "{:>4} {:>5} {:>7} {:>7} {:>7} {:>5}  best",
        "move", "", "Black", "loss", "eval", "depth"
    )?;
    for (number, judged) in review.positions.iter().enumerate() {
        let before = number.checked_sub(1);
        let played = before.map(|i| move_name(game, i));
        let loss = before.filter(|&i| losses[i] > 0);
        let loss = loss.map(|i| format!("{:.1} %", f64::from(losses[i]) / 10.0));
        let turning = review.turning_points.iter().find(|turning| turning.number == number);
        let percent = f64::from(judged.black_permille) / 10.0;
        let best = &judged.best_line[..judged.best_line.len().min(LINE_MOVES)];
        write!(
            text,
            "{number:>4} {:>5} {percent:>5.1} % {:>7} {:>7} {:>5}  {}",
            played.unwrap_or_default(),
            loss.unwrap_or_default(),
            judged.black,
            judged.depth,
            names(best, height)
        )?;
        match turning {
            Some(turning) => writeln!(text, "   <- {}", turning.mistake.words())?,
            None => text.push('\n'),
        }
    }
    text.push_str("\nTurning points:\n");
    for turning in &review.turning_points {
        writeln!(
            text,
            "{:>4}. {} {}: {}; better {}",
            turning.number,
            turning.side,
            name(turning.played, height),
            turning.mistake.words(),
            names(&turning.line, height)
        )?;
        let steps = missed_win(game, turning)?;
        if !steps.is_empty() {
            writeln!(text, "      {}", sequence::words(&steps, turning.side, height))?;
        }
    }
    if review.turning_points.is_empty() {
        text.push_str("   none\n");
    }
    text.push('\n');
    let widest = players.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, accuracy) in players.iter().zip(accuracies(game, review)) {
        writeln!(text, "{name:<widest$}  {}", accuracy)?;
    }
    Ok(text)
}
