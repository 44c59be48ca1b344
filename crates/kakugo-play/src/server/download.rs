//! Downloads: game files.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kakugo_play_core::saved_game;
use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::text;

use super::upload::refusal;
use crate::host::Host;

/// Returns the game of the room with this id as a file of this name, whose extension is the format.
/// Of pos text, `rows=top` in the query numbers the rows from the top. `annotated=yes` adds the
/// review to SGF.
pub(super) fn record(host: &Host, room: &str, name: &str, query: &str) -> Response {
    let rows = match query {
        "rows=top" => RowOrder::FromTop,
        _ => RowOrder::FromBottom,
    };
    let Some(format) = Format::from_file_name(name, rows) else { return not_found() };
    let bytes = match (format, query) {
        (Format::Sgf, "annotated=yes") => host.annotated_record(room),
        _ => host.record(room, format),
    };
    match bytes {
        Some(Ok(bytes)) => file(format, name, bytes),
        Some(Err(why)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &why),
        None => not_found(),
    }
}

/// Returns the record of a saved game, whose id is the name without `.sgf`.
pub(super) async fn saved_game(host: &Host, name: &str) -> Response {
    let Some(id) = name.strip_suffix(".sgf") else { return not_found() };
    let text = host.saved_game(id.to_owned()).await;
    let Some(record) = text.and_then(|text| saved_game::record(&text)) else { return not_found() };
    match Format::Sgf.write_trees(&[record]) {
        Ok(bytes) => file(Format::Sgf, name, bytes),
        Err(error) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &error.into()),
    }
}

fn not_found() -> Response {
    refusal(StatusCode::NOT_FOUND, &text!("That game does not exist any more."))
}

/// Returns a file to be saved under this name.
fn file(format: Format, name: &str, bytes: Vec<u8>) -> Response {
    let kind = match format {
        Format::Sgf => "application/x-go-sgf",
        Format::RenLib => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    };
    let plain = |c: &char| c.is_ascii_alphanumeric() || ['.', '-'].contains(c);
    let name: String = name.chars().filter(plain).collect();
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    let headers: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, bytes).into_response()
}
