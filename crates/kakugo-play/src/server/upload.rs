//! Uploads: files that are larger than a message may be, and are read beside the WebSocket, so that
//! nobody's game waits for them.
//!
//! Room, key and the file's name are sent in headers, which no foreign page can set.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kakugo_play_core::event::Event;
use kakugo_play_core::uploads::{Upload, UploadKind};
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::host::{Host, RoomNumber};

/// The largest file from a browser on this machine, in bytes.
pub const MAX_LOCAL_FILE: usize = 64 << 20;
/// The largest file from another browser, in bytes.
pub const MAX_REMOTE_FILE: usize = 2 << 20;
/// Number of files that are received and read at the same time, so that memory is bounded.
const CONCURRENT: usize = 2;
/// Time in which a file must arrive.
const TIMEOUT: Duration = Duration::from_secs(120);

/// All kinds of uploads with their paths.
pub(super) const KINDS: [(&str, UploadKind); 5] = [
    ("/file", UploadKind::Open),
    ("/file/openings", UploadKind::Explore),
    ("/file/practice", UploadKind::Practise),
    ("/file/more", UploadKind::More),
    ("/file/game", UploadKind::Choose),
];

/// Receives files, a few at a time.
pub(super) struct Uploads(Semaphore);

impl Uploads {
    pub(super) fn new() -> Uploads {
        Uploads(Semaphore::new(CONCURRENT))
    }

    /// Serves an upload. The answer is JSON: the result, or the text of a refusal.
    pub(super) async fn serve(
        &self,
        kind: UploadKind,
        host: &Arc<Host>,
        headers: &HeaderMap,
        body: Body,
        is_local: bool,
    ) -> Response {
        let (id, key) = (header_text(headers, "kakugo-room"), header_text(headers, "kakugo-key"));
        let Some(room) = host.room(id, key) else {
            return refusal(
                StatusCode::FORBIDDEN,
                &text!("Only the host of this board can open files."),
            );
        };
        let Ok(_permit) = self.0.acquire().await else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        let max = if is_local { MAX_LOCAL_FILE } else { MAX_REMOTE_FILE };
        let bytes = match timeout(TIMEOUT, to_bytes(body, max)).await {
            Ok(Ok(bytes)) => Vec::from(bytes),
            Ok(Err(_)) => {
                let why = text!("This file is too large: {0} MB is the limit.", max >> 20);
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, &why);
            }
            Err(_) => {
                let why = text!("The upload took too long.");
                return refusal(StatusCode::REQUEST_TIMEOUT, &why);
            }
        };
        let name = decoded(header_text(headers, "kakugo-name"));
        let number = header_text(headers, "kakugo-number").parse().unwrap_or(0);
        let rows = match header_text(headers, "kakugo-rows") {
            "top" => RowOrder::FromTop,
            _ => RowOrder::FromBottom,
        };
        let rule = header_text(headers, "kakugo-rule").parse().ok();
        let edits = header_text(headers, "kakugo-edit") == "yes";
        let upload = Upload { kind, name, rows, rule, edits, number, bytes };
        let host = Arc::clone(host);
        match spawn_blocking(move || perform(&host, room, upload)).await {
            Ok(Ok(json)) => ([JSON], json).into_response(),
            Ok(Err(why)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &why),
            Err(panic) => {
                log::error!("a file could not be read: {panic}");
                let why = text!("The file could not be read.");
                refusal(StatusCode::INTERNAL_SERVER_ERROR, &why)
            }
        }
    }
}

const JSON: (HeaderName, &str) = (header::CONTENT_TYPE, "application/json");

/// Returns an error response with a text that the page translates.
pub(super) fn refusal(status: StatusCode, why: &Text) -> Response {
    (status, [JSON], json(why)).into_response()
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns a text that the page has encoded with `encodeURIComponent`, because headers are ASCII.
fn decoded(text: &str) -> String {
    let hex = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        let (byte, length) = escaped.map_or((first, 1), |(high, low)| (16 * high + low, 3));
        bytes.push(byte);
        rest = &rest[length..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Performs an upload on a thread that may block. The room is told only of the result.
fn perform(host: &Host, room: RoomNumber, upload: Upload) -> Result<String, Text> {
    let context = host.upload_context(room);
    let context = context.ok_or_else(|| text!("The file is gone: open it again."))?;
    let (answer, event) = upload.perform(context)?;
    if let Some(event) = event {
        host.handle(room, Event::File(event));
    }
    Ok(answer.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_decoded() {
        assert_eq!(decoded("Meine%20Aufgaben%20%C3%A4.sgf"), "Meine Aufgaben ä.sgf");
        assert_eq!(decoded("plain.sgf"), "plain.sgf");
        for text in ["", "%", "%4", "100%", "%zz", "%+1"] {
            assert_eq!(decoded(text), text);
        }
        assert_eq!(decoded("%ff"), "\u{fffd}");
    }
}
