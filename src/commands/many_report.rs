//! The summary of many games and of their players, as text, JSON, CSV and HTML.

use std::fmt::Write;

use serde_json::json;

use kakugo_cli::columns::aligned;
use kakugo_cli::html::escape;
use kakugo_record::analysis::summary::{
    GameSummary, PHASE_NAMES, PhaseSummary, PlayerSummary, SideSummary, players,
};
use kakugo_record::text::sanitize;

/// Number of openings per player in the text.
const OPENINGS: usize = 3;

/// Name of a player whose name is not known.
const UNKNOWN: &str = "(unknown)";

/// Returns the summary as JSON.
pub(super) fn json(games: &[GameSummary]) -> String {
    format!("{:#}\n", json!({ "games": games, "players": players(games) }))
}

/// Returns the summary as text.
pub(super) fn text(games: &[GameSummary]) -> String {
    let mut table = vec![words(["game", "Black", "White", "result", "accuracy", "", "errors", ""])];
    table.extend(games.iter().map(game_row));
    let mut text = aligned(&table, |column| column < 4);
    text.push_str(
        "\nErrors are inaccuracies, mistakes and blunders: losses of 5, 20 and 30 %.\n\n",
    );
    let heads = ["player", "games", "won", "drawn", "lost", "accuracy", "mean loss"];
    let mut table = vec![words(heads).into_iter().chain(PHASE_NAMES.map(String::from)).collect()];
    let players = players(games);
    table.extend(players.iter().map(player_row));
    text += &aligned(&table, |column| column == 0);
    for player in &players {
        let named = player.openings.iter().filter(|opening| opening.games > 1);
        for opening in named.take(OPENINGS) {
            let [won, drawn, lost] = opening.results;
            _ = writeln!(
                text,
                "\n{} as {} with {}: {} games, {won} won, {drawn} drawn, {lost} lost, accuracy {}",
                shown(&player.name),
                opening.side,
                opening.opening,
                opening.games,
                percent(opening.accuracy)
            );
        }
    }
    text
}

fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(str::to_owned).to_vec()
}

/// Returns the name of a player for a terminal.
fn shown(name: &str) -> String {
    let name = sanitize(name);
    if name.is_empty() { UNKNOWN.to_owned() } else { name.to_string() }
}

fn percent(accuracy: Option<f64>) -> String {
    accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1} %"))
}

fn errors(errors: PhaseSummary) -> String {
    format!("{} {} {}", errors.inaccuracies, errors.mistakes, errors.blunders)
}

fn mean_loss(moves: &SideSummary) -> String {
    percent(moves.mean_loss().map(|permille| permille / 10.0))
}

fn label(game: &GameSummary) -> String {
    format!("{} {}", sanitize(&game.file), game.number)
}

fn game_row(game: &GameSummary) -> Vec<String> {
    let [black, white] = &game.sides;
    vec![
        label(game),
        shown(&game.players[0]),
        shown(&game.players[1]),
        game.result.clone().unwrap_or_else(|| "-".to_owned()),
        percent(black.accuracy()),
        percent(white.accuracy()),
        errors(black.total()),
        errors(white.total()),
    ]
}

fn player_row(player: &PlayerSummary) -> Vec<String> {
    let [won, drawn, lost] = player.results.map(|count| count.to_string());
    let mut row = vec![shown(&player.name), player.games.to_string(), won, drawn, lost];
    row.extend([percent(player.accuracy), mean_loss(&player.moves)]);
    row.extend(player.moves.phases.map(errors));
    row
}

/// Returns the games as a table of comma-separated values.
pub(super) fn csv(games: &[GameSummary]) -> String {
    let mut heads = words([
        "file", "number", "black", "white", "event", "date", "rule", "size", "result", "opening",
        "moves",
    ]);
    for side in ["black", "white"] {
        let columns =
            ["moves", "counted", "accuracy", "mean_loss", "inaccuracies", "mistakes", "blunders"];
        heads.extend(columns.map(|column| format!("{side}_{column}")));
    }
    let mut text = heads.join(",") + "\n";
    for game in games {
        let number = |value: Option<f64>| value.map_or_else(String::new, |n| format!("{n:.1}"));
        let [black, white] = &game.players;
        let texts = [&game.file, black, white, &game.event, &game.date];
        let mut row: Vec<String> = texts.iter().map(|text| plain(text)).collect();
        row.insert(1, game.number.to_string());
        row.extend([&game.rule, &game.size].map(String::clone));
        row.extend([game.result.clone().unwrap_or_default(), game.opening.clone()]);
        row.push(game.moves.clone());
        for side in &game.sides {
            let PhaseSummary { inaccuracies, mistakes, blunders, .. } = side.total();
            row.extend([side.moves, side.counted].map(|n| n.to_string()));
            row.push(number(side.accuracy()));
            row.push(number(side.mean_loss().map(|permille| permille / 10.0)));
            row.extend([inaccuracies, mistakes, blunders].map(|n| n.to_string()));
        }
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

/// Returns a text of a file so that spreadsheets do not take it for a formula: with an apostrophe
/// if it begins like one.
fn plain(text: &str) -> String {
    let is_formula = text.len() > 1 && text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// Returns a cell, in quotes if it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

const STYLE: &str = "body { font: 15px sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: .25em .7em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }
td.n { text-align: right; white-space: nowrap }";

/// Returns the summary as a page.
pub(super) fn html(games: &[GameSummary]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Game analysis</title>\n\
         <style>\n{STYLE}\n</style>\n<h1>Analysis of {} games</h1>\n<p>Errors are inaccuracies, \
         mistakes and blunders: losses of 5, 20 and 30 % of the expected result.</p>\n",
        games.len()
    );
    let players = players(games);
    page += "<h2>Players</h2>\n<table>\n<tr>";
    let heads = ["Player", "Games", "Won", "Drawn", "Lost", "Accuracy", "Mean loss"];
    heads.iter().chain(&PHASE_NAMES).for_each(|head| _ = write!(page, "<th>{head}</th>"));
    page += "</tr>\n";
    for player in &players {
        page += &html_row(&player_row(player), 1);
    }
    page += "</table>\n<h2>Openings</h2>\n<table>\n<tr><th>Player</th><th>Side</th><th>Opening</th>\
             <th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Accuracy</th></tr>\n";
    for player in &players {
        for opening in &player.openings {
            let mut row = vec![shown(&player.name), opening.side.clone(), opening.opening.clone()];
            row.push(opening.games.to_string());
            row.extend(opening.results.map(|count| count.to_string()));
            row.push(percent(opening.accuracy));
            page += &html_row(&row, 3);
        }
    }
    page += "</table>\n<h2>Games</h2>\n<table>\n<tr><th>Game</th><th>Black</th><th>White</th>\
             <th>Result</th><th colspan=\"2\">Accuracy</th><th colspan=\"2\">Errors</th>\
             <th>Turning points</th></tr>\n";
    for game in games {
        let row = html_row(&game_row(game), 4);
        let claims: Vec<String> = game
            .turning_points
            .iter()
            .map(|claim| {
                escape(&format!(
                    "{}. {} {} {}; better {}",
                    claim.number, claim.side, claim.played, claim.mistake, claim.better
                ))
            })
            .collect();
        let cell = format!("<td>{}</td></tr>", claims.join("<br>"));
        page += &row.replace("</tr>", &cell);
    }
    page += "</table>\n</html>\n";
    page
}

/// Returns a row of a table. The cells after the first `left` ones are numbers.
fn html_row(cells: &[String], left: usize) -> String {
    let cell = |(column, cell): (usize, &String)| {
        let class = if column < left { "" } else { " class=\"n\"" };
        format!("<td{class}>{}</td>", escape(cell))
    };
    let cells: String = cells.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize) -> GameSummary {
        GameSummary {
            file: "a,b.sgf".to_owned(),
            number,
            players: ["<Ann>".to_owned(), String::new()],
            event: "say \"hi\"".to_owned(),
            date: String::new(),
            rule: "freestyle".to_owned(),
            size: "15x15".to_owned(),
            result: Some("black".to_owned()),
            moves: "h8h9i8".to_owned(),
            opening: "h8 h9 i8".to_owned(),
            sides: [SideSummary { moves: 2, counted: 2, loss: 200, ..SideSummary::default() }; 2],
            turning_points: Vec::new(),
        }
    }

    #[test]
    fn special_characters_are_escaped() {
        let games = [game(1), game(2)];
        let csv = csv(&games);
        assert!(csv.contains("\n\"a,b.sgf\",2,<Ann>,,\"say \"\"hi\"\"\","), "{csv}");
        let html = html(&games);
        assert!(html.contains("&lt;Ann&gt;") && !html.contains("<Ann>"), "{html}");
        let text = text(&games);
        assert!(text.contains("a,b.sgf 1  <Ann>  (unknown)  black"), "{text}");
        assert!(text.contains("with h8 h9 i8: 2 games, 2 won, 0 drawn, 0 lost"), "{text}");
    }

    #[test]
    fn texts_of_files_are_no_formulas() {
        let file = "-".to_owned();
        let players = ["=1+1".to_owned(), "-Bob-".to_owned()];
        let (event, date) = ("@Cup".to_owned(), "2026-11-28".to_owned());
        let csv = csv(&[GameSummary { file, players, event, date, ..game(1) }]);
        let row = csv.lines().nth(1).unwrap();
        let expected =
            "-,1,'=1+1,'-Bob-,'@Cup,2026-11-28,freestyle,15x15,black,h8 h9 i8,h8h9i8,2,2,";
        assert!(row.starts_with(expected), "{row}");
    }
}
