//! The page's server: embedded files, one WebSocket per tab, and the gate in front of both.
//!
//! It listens on the loopback unless told otherwise. Whatever the address, it answers only requests
//! whose `Host` is its own, so that no foreign name can be pointed at it, and opens a WebSocket only
//! for its own `Origin`, so that no foreign page can drive it. Pages can send messages of bounded
//! size, and no message names a file.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rand::Rng;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::files::FILES;
use crate::level::LEVELS;
use crate::play::lock::lock;
use crate::play::rooms::messages::Command;
use crate::play::rooms::room::{Room, RoomSettings, SharedRoom};

/// Largest message a page may send, in bytes: a file of a million bytes in hexadecimal digits fits.
const MESSAGE_BYTES: usize = 2 << 20;

/// Most rooms kept; the oldest that nobody looks at makes way.
const MOST_ROOMS: usize = 32;

/// Time between two looks at what searches have found.
const TICK: Duration = Duration::from_millis(120);

/// What may be loaded by the page: nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A server that is ready to run.
pub struct Server {
    listener: TcpListener,
    hall: Arc<Hall>,
}

/// All rooms, and the names the server answers to.
struct Hall {
    settings: Arc<RoomSettings>,
    rooms: Mutex<Rooms>,
    hosts: Vec<String>,
}

#[derive(Default)]
struct Rooms {
    by_id: HashMap<String, SharedRoom>,
    /// Oldest first.
    order: Vec<String>,
}

impl Server {
    /// Listen on `address` and `port` (0: any free one).
    ///
    /// # Errors
    /// The port is taken, or the address is not ours.
    pub async fn bind(
        address: IpAddr,
        port: u16,
        settings: RoomSettings,
    ) -> anyhow::Result<Server> {
        let wanted = SocketAddr::new(address, port);
        let listener =
            TcpListener::bind(wanted).await.with_context(|| format!("listening on {wanted}"))?;
        let actual = listener.local_addr()?;
        let hosts = own_names(actual);
        let hall = Hall { settings: Arc::new(settings), rooms: Mutex::default(), hosts };
        Ok(Server { listener, hall: Arc::new(hall) })
    }

    /// The address to type into a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.hall.hosts[0])
    }

    /// Serve for ever.
    ///
    /// # Errors
    /// The listener failed.
    pub async fn run(self) -> anyhow::Result<()> {
        let ticking = tick(Arc::clone(&self.hall));
        let mut router = Router::new().route("/socket", get(socket));
        for file in FILES {
            router = router.route(
                file.path,
                get(move || async move {
                    (
                        [(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, "no-cache")],
                        file.content,
                    )
                }),
            );
        }
        let router = router
            .layer(middleware::from_fn_with_state(Arc::clone(&self.hall), gate))
            .with_state(self.hall);
        tokio::select! {
            served = axum::serve(self.listener, router) => served.context("serving the page"),
            () = ticking => Ok(()),
        }
    }
}

/// The `Host`s by which a browser may reach us. A wildcard address has every address of the machine,
/// but no name.
fn own_names(actual: SocketAddr) -> Vec<String> {
    let port = actual.port();
    let mut names = vec![actual.to_string()];
    if actual.ip().is_loopback() || actual.ip().is_unspecified() {
        names.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")));
    }
    if actual.ip().is_unspecified() {
        names.swap(0, 1);
    }
    names
}

impl Hall {
    /// Whether `host` is one of our names, or for a server on all addresses any address.
    fn is_own(&self, host: &str) -> bool {
        let everywhere = || {
            let wildcard =
                |name: &String| name.parse().is_ok_and(|a: SocketAddr| a.ip().is_unspecified());
            self.hosts.iter().any(wildcard) && host.parse::<SocketAddr>().is_ok()
        };
        self.hosts.iter().any(|name| name.eq_ignore_ascii_case(host)) || everywhere()
    }

    /// The room that a page asks for, and whether it may play there; else a new one.
    fn admit(&self, wish: &Value) -> anyhow::Result<(SharedRoom, bool)> {
        let text = |name: &str| wish[name].as_str().unwrap_or_default();
        let mut rooms = lock(&self.rooms);
        if let Some(room) = rooms.by_id.get(text("room")) {
            let owns = lock(room).key == text("key");
            return Ok((Arc::clone(room), owns));
        }
        if text("watch") == "yes" {
            anyhow::bail!("That game is gone: the program that kept it was ended.");
        }
        let (id, key) = (secret(), secret());
        let room = Room::open(id.clone(), key, Arc::clone(&self.settings))?;
        if rooms.order.len() >= MOST_ROOMS {
            let left = |id: &String| rooms.by_id.get(id).is_none_or(|room| lock(room).is_empty());
            let Some(oldest) = rooms.order.iter().position(left) else {
                anyhow::bail!("Too many games are open: close a tab.");
            };
            let oldest = rooms.order.remove(oldest);
            rooms.by_id.remove(&oldest);
        }
        rooms.order.push(id.clone());
        rooms.by_id.insert(id, Arc::clone(&room));
        Ok((room, true))
    }
}

/// 128 random bits as text.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

async fn tick(hall: Arc<Hall>) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        let rooms: Vec<SharedRoom> = lock(&hall.rooms).by_id.values().cloned().collect();
        for room in rooms {
            lock(&room).tick();
        }
    }
}

/// Lets through what comes by one of our names, and says what the page may do.
async fn gate(State(hall): State<Arc<Hall>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| hall.is_own(host)) {
        return (StatusCode::MISDIRECTED_REQUEST, "not my name\n").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    response
}

async fn socket(
    State(hall): State<Arc<Hall>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    // The gate has checked that the host is ours; the page must come from the very same.
    if origin.is_none() || origin != text(header::HOST) {
        return (StatusCode::FORBIDDEN, "not my page\n").into_response();
    }
    upgrade
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .on_upgrade(move |socket| talk(socket, hall))
}

/// Leaves the room however the conversation ends.
struct Presence(SharedRoom);

impl Drop for Presence {
    fn drop(&mut self) {
        lock(&self.0).leave();
    }
}

/// A conversation with one tab. Its first message says which room it wants.
async fn talk(mut socket: WebSocket, hall: Arc<Hall>) {
    let Some(Ok(Message::Text(first))) = socket.recv().await else { return };
    let wish: Value = serde_json::from_str(&first).unwrap_or_default();
    let (room, owns) = match hall.admit(&wish) {
        Ok(admitted) => admitted,
        Err(error) => {
            let gone = json!({ "type": "gone", "why": format!("{error:#}") });
            let _ = socket.send(Message::text(gone.to_string())).await;
            return;
        }
    };
    let (news, first) = lock(&room).enter();
    let presence = Presence(room);
    let hello = hello(&hall, &presence.0, owns).to_string();
    let greeting = std::iter::once(Arc::from(hello)).chain(first);
    for message in greeting {
        if socket.send(Message::text(&*message)).await.is_err() {
            return;
        }
    }
    converse(socket, &presence.0, owns, news).await;
}

fn hello(hall: &Hall, room: &SharedRoom, owns: bool) -> Value {
    let levels: Vec<Value> =
        LEVELS.iter().map(|level| json!({ "name": level.name, "rating": level.rating })).collect();
    let room = lock(room);
    json!({
        "type": "hello",
        "version": env!("CARGO_PKG_VERSION"),
        "room": room.id,
        "key": owns.then_some(&room.key),
        "owns": owns,
        "levels": levels,
        "engines": hall.settings.engines,
    })
}

async fn converse(
    mut socket: WebSocket,
    room: &SharedRoom,
    owns: bool,
    mut news: broadcast::Receiver<Arc<str>>,
) {
    loop {
        let out: Vec<Arc<str>> = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => answer(room, owns, &text).into_iter().collect(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
            told = news.recv() => match told {
                Ok(message) => vec![message],
                Err(RecvError::Lagged(_)) => lock(room).all(),
                Err(RecvError::Closed) => return,
            },
        };
        for message in out {
            if socket.send(Message::text(&*message)).await.is_err() {
                return;
            }
        }
    }
}

/// What only the asking page hears: a record, a refusal. Who watches may take a record home.
fn answer(room: &SharedRoom, owns: bool, text: &str) -> Option<Arc<str>> {
    let why = match serde_json::from_str::<Command>(text) {
        Ok(command) if owns || matches!(command, Command::Save { .. }) => {
            match lock(room).obey(command) {
                Ok(answer) => return answer,
                Err(why) => why,
            }
        }
        Ok(_) => "You are watching this game.".to_owned(),
        Err(error) => format!("The page sent something unknown: {error}"),
    };
    Some(json!({ "type": "refused", "why": why }).to_string().into())
}
