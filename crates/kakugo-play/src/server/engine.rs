//! Engines that the user of this machine adds on the page.
//!
//! Adding one runs a program, so it takes a browser on this machine, of the user who runs the
//! server, that owns a room. Whoever only reaches the server over a network cannot do it.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kakugo_record::text::{Text, text};
use serde_json::json;

use crate::engines::MAX_COMMAND;
use crate::host::Host;

/// Adds the engine with this command line, for the connection from the address `peer` of this
/// machine to the server's.
pub(super) async fn add(
    host: Arc<Host>,
    (peer, server): (SocketAddr, SocketAddr),
    headers: &HeaderMap,
    words: String,
) -> Response {
    let field = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let (room, key) = (field("kakugo-room"), field("kakugo-key"));
    let owns = room.zip(key).is_some_and(|(room, key)| host.room(room, key).is_some());
    let is_local = peer.ip().to_canonical().is_loopback();
    if !(owns && is_local && is_of_this_user(peer, server)) {
        let why = text!("Engines are added only in a browser of the user who runs the program.");
        return refusal(StatusCode::FORBIDDEN, why);
    }
    if words.len() > MAX_COMMAND || words.contains(char::is_control) {
        return refusal(StatusCode::BAD_REQUEST, text!("The command is not valid."));
    }
    // The program is started once, to see whether that works.
    let added = tokio::task::spawn_blocking(move || host.add_engine(words.trim())).await;
    match added {
        Ok(Ok(())) => json_response(StatusCode::OK, "{}".to_owned()),
        Ok(Err(error)) => {
            let why = text!("The engine was not added: {0}.", format!("{error:#}"));
            refusal(StatusCode::BAD_REQUEST, why)
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn refusal(status: StatusCode, why: Text) -> Response {
    json_response(status, json!(why).to_string())
}

fn json_response(status: StatusCode, body: String) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (status, kind, body).into_response()
}

/// Returns true if a connection from this machine belongs to the user who runs the server. Other
/// users of the machine reach the loopback address, too. Only Linux states whose a connection is.
#[cfg(target_os = "linux")]
fn is_of_this_user(peer: SocketAddr, server: SocketAddr) -> bool {
    use std::os::linux::fs::MetadataExt;
    let Ok(own) = std::fs::metadata("/proc/self").map(|about| about.st_uid()) else { return false };
    let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
    let tables = tables.map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let owners: Vec<_> =
        tables.iter().flat_map(|table| owners(table, peer.port(), server.port())).collect();
    is_only_of(&owners, own)
}

#[cfg(not(target_os = "linux"))]
fn is_of_this_user(_: SocketAddr, _: SocketAddr) -> bool {
    true
}

/// Returns the users of all connections from this port to that one, in a table of the kernel. There
/// are several if connections from different addresses use the same port. A user is `None` if the
/// table does not state it in a form that is understood.
#[cfg(any(target_os = "linux", test))]
fn owners(table: &str, from: u16, to: u16) -> Vec<Option<u32>> {
    let port = |address: &str| u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok();
    let user = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, local, remote, _, _, _, _, user, ..] = fields[..] else { return None };
        let is_it = port(local) == Some(from) && port(remote) == Some(to);
        is_it.then(|| user.parse().ok())
    };
    table.lines().skip(1).filter_map(user).collect()
}

/// Returns true if there is a connection, and all of them belong to this user. Ports alone do not
/// tell the connections of two addresses apart, so one of another user makes all of them suspect.
#[cfg(any(target_os = "linux", test))]
fn is_only_of(owners: &[Option<u32>], user: u32) -> bool {
    !owners.is_empty() && owners.iter().all(|&owner| owner == Some(user))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_of_a_connection_is_found_in_the_table() {
        let table = "\
            sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:3AA7 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1\n\
             1: 0100007F:D431 0100007F:3AA7 01 00000000:00000000 00:00000000 00000000  1000        0 2\n\
             2: 0100007F:3AA7 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 3\n";
        assert_eq!(owners(table, 0xd431, 0x3aa7), [Some(1000)]);
        assert_eq!(owners(table, 0x3aa7, 0xd431), [Some(0)]);
        assert!(owners(table, 1, 2).is_empty());
        assert!(owners("", 1, 2).is_empty());
    }

    #[test]
    fn a_connection_with_the_ports_of_another_users_is_not_trusted() {
        // Root's browser at 127.0.0.1, and another user at 127.0.0.2 with the same port.
        let table = "\
            sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             1: 0100007F:B18F 0100007F:3AA7 01 00000000:00000000 00:00000000 00000000     0        0 2\n\
             2: 0200007F:B18F 0100007F:3AA7 01 00000000:00000000 00:00000000 00000000 65534        0 3\n";
        let found = owners(table, 0xb18f, 0x3aa7);
        assert_eq!(found, [Some(0), Some(65534)]);
        assert!(!is_only_of(&found, 0));
        assert!(!is_only_of(&found, 65534));
        assert!(is_only_of(&[Some(0), Some(0)], 0));
        assert!(!is_only_of(&[Some(0), None], 0));
        assert!(!is_only_of(&[], 0));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_connection_of_this_process_belongs_to_this_user() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let server = listener.local_addr().unwrap();
        let stream = std::net::TcpStream::connect(server).unwrap();
        assert!(is_of_this_user(stream.local_addr().unwrap(), server));
        assert!(!is_of_this_user(server, server));
    }
}
