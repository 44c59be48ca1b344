//! Uploads: files that are larger than a message may be, and are read beside the WebSocket, so that
//! nobody's game waits for them.
//!
//! Room, key and the file's name are sent in headers, which no foreign page can set.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kakugo::board::{Rule, Variant};
use kakugo_play_core::collection::Collection;
use kakugo_play_core::event::{Event, FileEvent};
use kakugo_play_core::game_file::{FileError, GameFile};
use kakugo_play_core::views::saved_games::file_games;
use kakugo_record::Defaults;
use kakugo_record::book::Book;
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

/// A kind of upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Upload {
    /// Show the file's game, or list its games.
    Open,
    /// Explore its openings.
    Explore,
    /// Practise its positions.
    Practise,
    /// List more of its games.
    More,
    /// Show one of its games.
    Choose,
}

impl Upload {
    /// All kinds with their paths.
    pub(super) const ALL: [(&str, Upload); 5] = [
        ("/file", Upload::Open),
        ("/file/openings", Upload::Explore),
        ("/file/practice", Upload::Practise),
        ("/file/more", Upload::More),
        ("/file/game", Upload::Choose),
    ];
}

/// Receives files, a few at a time.
pub(super) struct Uploads(Semaphore);

/// A request with its file.
struct Request {
    kind: Upload,
    room: RoomNumber,
    name: String,
    rows: RowOrder,
    /// The rule of files that do not state it, if the user has chosen one.
    rule: Option<Rule>,
    /// True if the game is to be set up in the position editor.
    edits: bool,
    /// Index of a game, for `More` and `Choose`.
    number: usize,
    bytes: Vec<u8>,
}

impl Uploads {
    pub(super) fn new() -> Uploads {
        Uploads(Semaphore::new(CONCURRENT))
    }

    /// Serves an upload. The answer is JSON: the result, or the text of a refusal.
    pub(super) async fn serve(
        &self,
        kind: Upload,
        host: &Arc<Host>,
        headers: &HeaderMap,
        body: Body,
        is_local: bool,
    ) -> Response {
        let (id, key) = (header_text(headers, "kakugo-room"), header_text(headers, "kakugo-key"));
        let Some(room) = host.room(id, key) else {
            return refusal(StatusCode::FORBIDDEN, &text!("You are watching this game."));
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
        let name = header_text(headers, "kakugo-name").to_owned();
        let number = header_text(headers, "kakugo-number").parse().unwrap_or(0);
        let rows = match header_text(headers, "kakugo-rows") {
            "top" => RowOrder::FromTop,
            _ => RowOrder::FromBottom,
        };
        let rule = header_text(headers, "kakugo-rule").parse().ok();
        let edits = header_text(headers, "kakugo-edit") == "yes";
        let request = Request { kind, room, name, rows, rule, edits, number, bytes };
        let host = Arc::clone(host);
        match spawn_blocking(move || perform(&host, request)).await {
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

/// The answer to a file whose rule the user must name.
#[derive(serde::Serialize)]
struct AskForRule {
    /// The reason.
    ask: Text,
}

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

/// Performs a request on a thread that may block. The room is told only of the result.
fn perform(host: &Host, request: Request) -> Result<String, Text> {
    let Request { kind, room, name, rows, rule, edits, number, bytes } = request;
    let gone = || text!("The file is gone: open it again.");
    let defaults = || -> Result<Defaults, Text> {
        let mut game = host.pattern(room).ok_or_else(gone)?;
        game.variant = rule.map_or(game.variant, Variant::five);
        let names_rule = rule.is_some();
        Ok(Defaults { accepts_any_sgf: names_rule, names_rule, ..game.into() })
    };
    let tell = |event: FileEvent| host.handle(room, Event::File(event));
    let show = |file: &GameFile, number: usize| -> Result<(), Text> {
        let (game, notice) = file.game(number)?;
        let game = Box::new(game);
        tell(if edits { FileEvent::Edit(game) } else { FileEvent::Show { game, notice } });
        Ok(())
    };
    let nothing = || "{}".to_owned();
    match kind {
        Upload::Explore => {
            let mut book = Book::new(defaults()?);
            book.add_bytes(Path::new(&name), &bytes);
            if book.files() == 0 {
                let problem = book.errors().first().map(|error| error.message.clone());
                let why = problem.unwrap_or_else(|| text!("the file contains no games"));
                return Err(text!("There is nothing to explore: {0}.", why));
            }
            tell(FileEvent::Explore(Arc::new(book)));
            Ok(nothing())
        }
        Upload::Practise => {
            let file = match GameFile::read(&name, bytes, rows, defaults()?) {
                Ok(file) => file,
                Err(FileError::OtherGame(why)) => return Ok(json(&AskForRule { ask: why })),
                Err(FileError::Refused(why)) => return Err(why),
            };
            let collection = Collection::of_file(&name, &file)?;
            tell(FileEvent::Practise(Arc::new(collection)));
            Ok(nothing())
        }
        Upload::Open => {
            let file = match GameFile::read(&name, bytes, rows, defaults()?) {
                Ok(file) => Arc::new(file),
                Err(FileError::OtherGame(why)) => return Ok(json(&AskForRule { ask: why })),
                Err(FileError::Refused(why)) => return Err(why),
            };
            let list = file_games(file.entries(), 0);
            match file.entries() {
                [only] => show(&file, only.number)?,
                _ => tell(FileEvent::Keep(file)),
            }
            Ok(json(&list))
        }
        Upload::More => {
            let file = host.file(room).ok_or_else(gone)?;
            Ok(json(&file_games(file.entries(), number)))
        }
        Upload::Choose => {
            let file = host.file(room).ok_or_else(gone)?;
            show(&file, number)?;
            Ok(nothing())
        }
    }
}
