//! The web server of the browser board: embedded files, one WebSocket per tab, uploads and
//! downloads, and the checks in front of them.
//!
//! It listens on the loopback address by default. On any address, it answers only requests whose
//! `Host` is its own, so that no foreign name can be pointed at it, and opens a WebSocket only for
//! its own `Origin`, so that no foreign page can drive it. Browsers can send messages and files of
//! limited size, and no message names a file of this machine.

mod addresses;
mod download;
mod engine;
mod files;
mod hosts;
mod idle_timeout;
mod socket;
mod upload;

use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::json;
use tokio::net::TcpListener;

use hosts::Hosts;
use idle_timeout::{IDLE_TIMEOUT, Peer, TimeoutListener};
use upload::Uploads;

use crate::host::Host;

pub use addresses::{Addresses, qr_code};
pub use upload::{MAX_LOCAL_FILE, MAX_REMOTE_FILE};

/// The largest message of a browser, in bytes: a long comment fits.
const MESSAGE_BYTES: usize = 256 << 10;

/// The longest link that is drawn as a QR code, in bytes.
const MAX_LINK: usize = 300;

/// Interval at which the progress of searches is passed on.
const TICK: Duration = Duration::from_millis(120);

/// The content security policy: nothing is loaded from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A server that is ready to run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    site: Arc<Site>,
}

/// Returns the error of an address that cannot be listened on, with what helps.
fn explain_bind(error: io::Error) -> io::Error {
    let help = match error.kind() {
        ErrorKind::AddrInUse => "choose another port with --port, or 0 for a free one",
        ErrorKind::PermissionDenied => "choose a port of 1024 or more with --port",
        ErrorKind::AddrNotAvailable => "expected an address of this machine in --host",
        _ => return error,
    };
    io::Error::new(error.kind(), format!("{error}: {help}"))
}

/// The state that requests share.
struct Site {
    host: Arc<Host>,
    /// The address that the server listens on.
    address: SocketAddr,
    hosts: Hosts,
    uploads: Uploads,
}

impl Server {
    /// Listens on `address` and `port` (0: any free one).
    ///
    /// # Errors
    /// Returns an error if the port is taken, or the address is not one of this machine.
    pub async fn bind(address: IpAddr, port: u16, host: Arc<Host>) -> anyhow::Result<Server> {
        let wanted = SocketAddr::new(address, port);
        let listener = TcpListener::bind(wanted).await.map_err(explain_bind);
        let listener = listener.with_context(|| format!("listening on {wanted}"))?;
        let actual = listener.local_addr()?;
        let site =
            Site { host, address: actual, hosts: Hosts::of(actual), uploads: Uploads::new() };
        Ok(Server { listener, address: actual, site: Arc::new(site) })
    }

    /// Returns the addresses to type into browsers.
    pub fn addresses(&self) -> Addresses {
        Addresses::of(self.address)
    }

    /// Serves without end.
    ///
    /// # Errors
    /// Returns an error if the listener fails.
    pub async fn run(self) -> anyhow::Result<()> {
        let ticks = tick(Arc::clone(&self.site.host));
        let mut router = Router::new()
            .route("/socket", get(open_socket))
            .route("/record/{room}/{name}", get(download_record))
            .route("/games/{name}", get(download_game))
            .route("/addresses", get(list_addresses))
            .route("/qr", post(draw_qr_code))
            .route("/engine", post(add_engine))
            .merge(files::routes());
        for (path, kind) in upload::KINDS {
            let serve = move |State(site): State<Arc<Site>>, request: Request| async move {
                let (parts, body) = request.into_parts();
                if !is_own_page(&parts.headers) {
                    return foreign_page();
                }
                let peer = parts.extensions.get::<ConnectInfo<Peer>>();
                let is_local = peer.is_some_and(|ConnectInfo(Peer(peer))| is_local(*peer));
                site.uploads.serve(kind, &site.host, &parts.headers, body, is_local).await
            };
            router = router.route(path, post(serve));
        }
        let router = router
            .layer(middleware::from_fn_with_state(Arc::clone(&self.site), gate))
            .with_state(self.site)
            .into_make_service_with_connect_info::<Peer>();
        let listener = TimeoutListener { listener: self.listener, timeout: IDLE_TIMEOUT };
        tokio::select! {
            served = axum::serve(listener, router) => served.context("serving the browser board"),
            () = ticks => Ok(()),
        }
    }
}

async fn tick(host: Arc<Host>) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        host.tick();
    }
}

/// Answers requests to one of our names, and sets the headers that restrict the page.
async fn gate(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| site.hosts.include(host)) {
        return (StatusCode::MISDIRECTED_REQUEST, "unknown host name\n").into_response();
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

/// Returns true if a request comes from our own page: its origin is the host of the request, which
/// the gate has checked.
fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    origin.is_some() && origin == text(header::HOST)
}

/// Returns true unless a browser states that another site has made the request.
fn is_own_site(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    site.is_none_or(|site| ["same-origin", "none"].contains(&site))
}

fn foreign_page() -> Response {
    (StatusCode::FORBIDDEN, "request from another page\n").into_response()
}

/// Returns true if a browser runs on this machine.
fn is_local(peer: SocketAddr) -> bool {
    peer.ip().to_canonical().is_loopback()
}

async fn add_engine(
    State(site): State<Arc<Site>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
    words: String,
) -> Response {
    if !is_own_page(&headers) {
        return foreign_page();
    }
    engine::add(Arc::clone(&site.host), (peer, site.address), &headers, words).await
}

async fn open_socket(
    State(site): State<Arc<Site>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_page(&headers) {
        return foreign_page();
    }
    upgrade.max_message_size(MESSAGE_BYTES).max_frame_size(MESSAGE_BYTES).on_upgrade(
        move |socket| async move {
            socket::serve(socket, &site.host, is_local(peer)).await;
        },
    )
}

/// Lists the addresses for browsers on other machines, for the link of an invitation.
async fn list_addresses(
    State(site): State<Arc<Site>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
) -> Response {
    if !(is_local(peer) && is_own_site(&headers)) {
        return foreign_page();
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (kind, json!(Addresses::of(site.address).network).to_string()).into_response()
}

/// Draws a QR code of a link, for the page that shows it.
async fn draw_qr_code(headers: HeaderMap, link: String) -> Response {
    if !is_own_page(&headers) {
        return foreign_page();
    }
    let is_short = link.len() <= MAX_LINK;
    let Some(picture) = is_short.then(|| addresses::qr_picture(&link)).flatten() else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the link is too long\n").into_response();
    };
    ([(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"))], picture).into_response()
}

/// Downloads the game of a room.
async fn download_record(
    State(site): State<Arc<Site>>,
    Path((room, name)): Path<(String, String)>,
    uri: Uri,
) -> Response {
    download::record(&site.host, &room, &name, uri.query().unwrap_or_default())
}

/// Downloads a saved game.
async fn download_game(
    State(site): State<Arc<Site>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Response {
    if !(is_local(peer) && is_own_site(&headers)) {
        return foreign_page();
    }
    download::saved_game(&site.host, &name).await
}
