//! The HTML report: one self-contained page.
//!
//! Tables and charts are rendered here. The games are embedded as JSON; the script of the page
//! shows them on a board.

use std::fmt::Write;

use serde_json::{Value, json};

use super::table;
use super::tally::MatchTally;
use crate::journal::{GameRecord, Journal};
use kakugo::board::{Board, Side};
use kakugo_cli::html::escape;
use kakugo_record::GameResult;

const PAGE: &str = include_str!("html/report.html");
const STYLE: &str = include_str!("html/report.css");
const SCRIPT: &str = include_str!("html/report.js");

/// Returns the complete page.
pub fn html(journal: &Journal, tally: &MatchTally) -> String {
    let names: Vec<&str> = journal.settings.engines.iter().map(|e| e.name.as_str()).collect();
    let mut tables = String::new();
    if names.len() > 2 {
        grid(&mut tables, &table::cross(journal, tally));
    }
    tables += "<table class=\"facts\">\n";
    for (label, value) in table::conditions(journal).into_iter().chain(table::lines(journal, tally))
    {
        let _ = writeln!(tables, "<tr><th>{}</th><td>{}</td></tr>", escape(&label), escape(&value));
    }
    tables += "</table>\n";
    // Escaped, so that no engine name can close the script element.
    let data = games(journal).to_string().replace('<', "\\u003c");
    fill(
        PAGE,
        &[
            ("title", &escape(&names.join(" – "))),
            ("style", STYLE),
            ("tables", &tables),
            ("charts", &charts(journal, tally)),
            ("data", &data),
            ("script", SCRIPT),
        ],
    )
}

/// Replaces `{{name}}` by its text, in a single pass so that inserted text is not expanded.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let (name, tail) = after.split_once("}}").unwrap_or((after, ""));
        let text = texts.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        page.push_str(text);
        rest = tail;
    }
    page + rest
}

fn grid(html: &mut String, rows: &[Vec<String>]) {
    html.push_str("<div class=\"wide\"><table class=\"cross\">\n");
    for (i, row) in rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        let span = if row.len() < rows[0].len() { " colspan=\"99\"" } else { "" };
        html.push_str("<tr>");
        for cell in row.iter().skip(usize::from(!span.is_empty())) {
            let _ = write!(html, "<{tag}{span}>{}</{tag}>", escape(cell));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table></div>\n");
}

#[cfg(feature = "plots")]
fn charts(journal: &Journal, tally: &MatchTally) -> String {
    use super::charts::{COLOURS, all};

    let mut html = String::from("<p class=\"legend\">");
    for (engine, colour) in journal.settings.engines.iter().zip(COLOURS.iter().cycle()) {
        let name = escape(&engine.name);
        let _ = write!(html, "<span style=\"color:{colour}\">■</span> {name} ");
    }
    html.push_str("</p>\n<div class=\"charts\">\n");
    for (title, svg) in all(journal, tally) {
        let title = escape(&title);
        let _ = writeln!(html, "<figure><figcaption>{title}</figcaption>{svg}</figure>");
    }
    html.push_str("</div>\n");
    html
}

#[cfg(not(feature = "plots"))]
fn charts(_: &Journal, _: &MatchTally) -> String {
    String::new()
}

/// Returns the games as compact JSON for the script.
fn games(journal: &Journal) -> Value {
    let settings = &journal.settings;
    let empty = settings.board().ok();
    let game = |game: &GameRecord| {
        let points: Vec<u8> = game.moves.iter().flat_map(|m| [m.at.x(), m.at.y()]).collect();
        json!({
            "id": game.id + 1,
            "pair": game.pair + 1,
            "black": game.black,
            "white": game.white,
            "result": match game.result {
                GameResult::Win(Side::Black) => "black",
                GameResult::Win(Side::White) => "white",
                GameResult::Draw => "draw",
            },
            "reason": game.reason.text(settings.win_length),
            "detail": game.detail,
            "date": game.date,
            "proposer": game.proposer,
            "row": empty.clone().map_or_else(Vec::new, |empty| winning_row(game, empty)),
            "opening": game.opening,
            "blocked": game.blocked,
            "points": points,
            "white_moves": game.sides().iter().map(|&side| side == Side::White).collect::<Vec<_>>(),
            // True for the engine that has White.
            "movers": game.movers().iter().map(|&name| name == game.white).collect::<Vec<_>>(),
            "ms": game.moves.iter().map(|m| m.ms).collect::<Vec<_>>(),
            "depth": game.moves.iter().map(|m| m.depth).collect::<Vec<_>>(),
            "eval": game.moves.iter().map(|m| m.eval.as_deref()).collect::<Vec<_>>(),
            "nodes": game.moves.iter().map(|m| m.nodes).collect::<Vec<_>>(),
        })
    };
    json!({
        "width": settings.width,
        "height": settings.height,
        "games": journal.games.values().map(game).collect::<Vec<_>>(),
    })
}

/// Returns the indices of the moves that form the winning row.
fn winning_row(game: &GameRecord, mut board: Board) -> Vec<usize> {
    for (played, side) in game.moves.iter().zip(game.sides()) {
        if board.place(played.at, side).is_err() {
            return Vec::new();
        }
    }
    let row = board.winning_line();
    (0..game.moves.len()).filter(|&i| row.contains(&game.moves[i].at)).collect()
}
