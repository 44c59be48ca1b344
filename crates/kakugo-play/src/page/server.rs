//! The page's server: embedded files, one WebSocket per tab, and the gate in front of both.
//!
//! It listens on the loopback unless told otherwise. Whatever the address, it answers only requests
//! whose `Host` is its own, so that no foreign name can be pointed at it, and opens a WebSocket only
//! for its own `Origin`, so that no foreign page can drive it. Pages can send messages and files of
//! bounded size, and no message names a file of this machine.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::TcpListener;

use super::files::{File, files};
use super::hosts::Hosts;
use super::patience::{Patient, Peer, SILENCE};
use super::tab::talk;
use super::upload::{Uploads, Wish};
use crate::rooms::registry::Rooms;
use crate::rooms::room::RoomSettings;

/// Largest message a page may send, in bytes: a long comment fits.
const MESSAGE_BYTES: usize = 256 << 10;

/// Time between two looks at what searches have found.
const TICK: Duration = Duration::from_millis(120);

/// What may be loaded by the page: nothing from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A server that is ready to run.
pub struct Server {
    listener: TcpListener,
    site: Arc<Site>,
}

/// What the requests share.
struct Site {
    rooms: Rooms,
    hosts: Hosts,
    uploads: Uploads,
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
        let site =
            Site { rooms: Rooms::new(settings), hosts: Hosts::of(actual), uploads: Uploads::new() };
        Ok(Server { listener, site: Arc::new(site) })
    }

    /// The address to type into a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.site.hosts.first())
    }

    /// What writes all games that are kept, to be called when the program ends.
    pub fn keeper(&self) -> impl Fn() + use<> {
        let site = Arc::clone(&self.site);
        move || site.rooms.keep_all()
    }

    /// Serve for ever.
    ///
    /// # Errors
    /// The listener failed.
    pub async fn run(self) -> anyhow::Result<()> {
        let ticking = tick(Arc::clone(&self.site));
        let mut router = Router::new().route("/socket", get(socket));
        for file in files() {
            let File { path, kind, content } = file;
            let kept = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
            router = router.route(path, get(move || async move { (kept, content) }));
        }
        for (path, wish) in Wish::ALL {
            router = router.route(
                path,
                post(move |State(site): State<Arc<Site>>, request: Request| async move {
                    let (parts, body) = request.into_parts();
                    if !is_own_page(&parts.headers) {
                        return (StatusCode::FORBIDDEN, "not my page\n").into_response();
                    }
                    let peer = parts.extensions.get::<ConnectInfo<Peer>>();
                    let at_home = peer.is_some_and(|ConnectInfo(Peer(peer))| is_at_home(*peer));
                    site.uploads.serve(wish, &site.rooms, &parts.headers, body, at_home).await
                }),
            );
        }
        let router = router
            .layer(middleware::from_fn_with_state(Arc::clone(&self.site), gate))
            .with_state(self.site)
            .into_make_service_with_connect_info::<Peer>();
        let listener = Patient { listener: self.listener, silence: SILENCE };
        tokio::select! {
            served = axum::serve(listener, router) => served.context("serving the page"),
            () = ticking => Ok(()),
        }
    }
}

async fn tick(site: Arc<Site>) {
    let mut interval = tokio::time::interval(TICK);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        interval.tick().await;
        site.rooms.tick();
    }
}

/// Lets through what comes by one of our names, and says what the page may do.
async fn gate(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| site.hosts.include(host)) {
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

/// Whether a request comes from our own page: the gate has checked that the host is ours; the page must
/// come from the very same.
fn is_own_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    origin.is_some() && origin == text(header::HOST)
}

/// Whether a page is shown on this machine.
fn is_at_home(peer: SocketAddr) -> bool {
    peer.ip().to_canonical().is_loopback()
}

async fn socket(
    State(site): State<Arc<Site>>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !is_own_page(&headers) {
        return (StatusCode::FORBIDDEN, "not my page\n").into_response();
    }
    upgrade.max_message_size(MESSAGE_BYTES).max_frame_size(MESSAGE_BYTES).on_upgrade(
        move |socket| async move {
            talk(socket, &site.rooms, is_at_home(peer)).await;
        },
    )
}
