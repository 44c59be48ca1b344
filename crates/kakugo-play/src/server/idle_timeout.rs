//! Idle connections are closed: those of tabs that have vanished without a word, and those that
//! never send a request.
//!
//! A tab that is open answers the pings of its WebSocket, however long its user looks at the board.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;

/// Time without a byte after which a connection is closed; the transfer of a large file needs less.
pub(super) const IDLE_TIMEOUT: Duration = Duration::from_secs(180);
/// Interval of the pings of a WebSocket.
pub(super) const PING: Duration = Duration::from_secs(15);
/// Time without an answer to pings after which a tab counts as disconnected: its machine sleeps or
/// has lost the network.
pub(super) const MAX_SILENCE: Duration = Duration::from_secs(45);

/// A listener whose connections have an idle timeout.
pub(super) struct TimeoutListener {
    pub(super) listener: TcpListener,
    pub(super) timeout: Duration,
}

/// The address of the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

impl Connected<IncomingStream<'_, TimeoutListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, TimeoutListener>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

impl Listener for TimeoutListener {
    type Io = Pin<Box<TimeoutStream<TcpStream>>>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        // A move is sent in several small messages: none must wait for the one before.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(self.timeout));
        stream.set_write_timeout(Some(self.timeout));
        (Box::pin(stream), peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn idle_connections_are_closed_and_busy_ones_are_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let timeout = Duration::from_millis(400);
        let router = axum::Router::new().fallback(|| async { "here" });
        std::thread::spawn(move || {
            let listener = TimeoutListener { listener, timeout };
            let _ = runtime.block_on(async { axum::serve(listener, router).await });
        });
        let mut idle = std::net::TcpStream::connect(address).unwrap();
        let mut busy = std::net::TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(20));
        idle.set_read_timeout(patience).unwrap();
        busy.set_read_timeout(patience).unwrap();
        let began = std::time::Instant::now();
        for _ in 0..6 {
            busy.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = [0; 500];
            let length = busy.read(&mut answer).unwrap();
            assert!(answer[..length].ends_with(b"here"));
            std::thread::sleep(timeout / 3);
        }
        assert!(began.elapsed() > timeout);
        // Closed: the end of the stream, or a reset.
        assert!(matches!(idle.read(&mut [0; 10]), Ok(0) | Err(_)));
        assert!(began.elapsed() < Duration::from_secs(19), "the read ended by itself");
    }
}
