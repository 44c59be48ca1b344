//! Files that a page sends: larger than a message may be, and read beside the conversation, so that
//! nobody's game waits for them.
//!
//! The page tells its room, its key and the file's name in headers, which no foreign page may set.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::lock::lock;
use crate::rooms::registry::Rooms;
use crate::rooms::room::SharedRoom;
use crate::rooms::sent::SentFile;
use crate::rooms::taking;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};

/// Largest file of a page on this machine, in bytes,
const BYTES_AT_HOME: usize = 64 << 20;
/// and of one elsewhere.
const BYTES_ABROAD: usize = 2 << 20;
/// Files taken and read at the same time, so that memory is bounded.
const AT_ONCE: usize = 2;
/// Time that a file may take to arrive.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a page wants of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// Show its game, or the list of its games.
    Open,
    /// Explore its openings.
    Explore,
    /// More of the list of its games.
    More,
    /// Show one of its games.
    Choose,
}

impl Wish {
    /// All, with their addresses.
    pub(super) const ALL: [(&str, Wish); 4] = [
        ("/file", Wish::Open),
        ("/file/openings", Wish::Explore),
        ("/file/more", Wish::More),
        ("/file/game", Wish::Choose),
    ];
}

/// Largest file that a page may send, in bytes.
pub(super) fn most_bytes(at_home: bool) -> usize {
    if at_home { BYTES_AT_HOME } else { BYTES_ABROAD }
}

/// Takes files, a few at a time.
pub(super) struct Uploads(Semaphore);

impl Uploads {
    pub(super) fn new() -> Uploads {
        Uploads(Semaphore::new(AT_ONCE))
    }

    /// Do what a page wishes. The answer is JSON, a refusal a text for people.
    pub(super) async fn serve(
        &self,
        wish: Wish,
        rooms: &Rooms,
        headers: &HeaderMap,
        body: Body,
        at_home: bool,
    ) -> Response {
        let (room, key) = (header_text(headers, "kakugo-room"), header_text(headers, "kakugo-key"));
        let Some(room) = rooms.owned(room, key) else {
            return refusal(StatusCode::FORBIDDEN, &text!("You are watching this game."));
        };
        let Ok(_turn) = self.0.acquire().await else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        let most = most_bytes(at_home);
        let bytes = match timeout(PATIENCE, to_bytes(body, most)).await {
            Ok(Ok(bytes)) => Vec::from(bytes),
            Ok(Err(_)) => {
                let why = text!("This file is too large: {0} MB is the most.", most >> 20);
                return refusal(StatusCode::PAYLOAD_TOO_LARGE, &why);
            }
            Err(_) => {
                let why = text!("The file came too slowly.");
                return refusal(StatusCode::REQUEST_TIMEOUT, &why);
            }
        };
        let name = header_text(headers, "kakugo-name").to_owned();
        let number = header_text(headers, "kakugo-number").parse().unwrap_or(0);
        let rows = match header_text(headers, "kakugo-rows") {
            "top" => RowOrder::FromTop,
            _ => RowOrder::FromBottom,
        };
        let work = move || carry_out(wish, &room, &name, rows, number, bytes);
        match spawn_blocking(work).await {
            Ok(Ok(told)) => ([JSON], told).into_response(),
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

fn refusal(status: StatusCode, why: &Text) -> Response {
    (status, [JSON], json!(why).to_string()).into_response()
}

fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// What takes its time; the room is locked only while it changes.
fn carry_out(
    wish: Wish,
    room: &SharedRoom,
    name: &str,
    rows: RowOrder,
    number: usize,
    bytes: Vec<u8>,
) -> Result<String, Text> {
    let pattern = lock(room).pattern();
    let nothing = || "{}".to_owned();
    if wish == Wish::Explore {
        let book = taking::openings(name, &bytes, pattern);
        return lock(room).explore_sent(book).map(|()| nothing());
    }
    if wish == Wish::Open {
        let file = Arc::new(SentFile::read(name, bytes, rows, pattern)?);
        let told = taking::list(&file, 0);
        if let [only] = file.heads() {
            let game = file.game(only.number)?;
            lock(room).show_sent(game);
        } else {
            lock(room).keep_sent(file);
        }
        return Ok(told);
    }
    let file = lock(room).sent().ok_or_else(|| text!("The file is gone: open it again."))?;
    if wish == Wish::More {
        return Ok(taking::list(&file, number));
    }
    let game = file.game(number)?;
    lock(room).show_sent(game);
    Ok(nothing())
}
