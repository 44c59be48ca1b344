//! Connections that say nothing are closed after a while: sockets of tabs that are gone without a word,
//! and those that never ask for anything.
//!
//! A page that is there answers the pings of its conversation, however long its user looks at the board.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, Sleep, sleep};

/// Time without a byte after which a connection is closed; reading a large file takes less.
pub(super) const SILENCE: Duration = Duration::from_secs(180);
/// Time between two pings of a conversation.
pub(super) const PING: Duration = Duration::from_secs(45);

/// A listener whose connections wait no longer than that for a byte.
pub(super) struct Patient {
    pub(super) listener: TcpListener,
    pub(super) silence: Duration,
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Peer(pub(super) SocketAddr);

impl Connected<IncomingStream<'_, Patient>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Patient>) -> Peer {
        Peer(*stream.remote_addr())
    }
}

impl Listener for Patient {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        let (stream, peer) = Listener::accept(&mut self.listener).await;
        // A move is told in several small messages: none waits until the one before has arrived.
        let _ = stream.set_nodelay(true);
        (Line { stream, silence: self.silence, ends: Box::pin(sleep(self.silence)) }, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection.
pub(super) struct Line {
    stream: TcpStream,
    silence: Duration,
    ends: Pin<Box<Sleep>>,
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Ready(read) => {
                let next = Instant::now() + self.silence;
                self.ends.as_mut().reset(next);
                Poll::Ready(read)
            }
            Poll::Pending => {
                let silent = || Err(io::Error::new(io::ErrorKind::TimedOut, "nothing was said"));
                self.ends.as_mut().poll(context).map(|()| silent())
            }
        }
    }
}

impl AsyncWrite for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn who_says_nothing_is_left_and_who_speaks_is_not() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let silence = Duration::from_millis(400);
        let router = axum::Router::new().fallback(|| async { "here" });
        std::thread::spawn(move || {
            let patient = Patient { listener, silence };
            let _ = runtime.block_on(async { axum::serve(patient, router).await });
        });
        let mut silent = std::net::TcpStream::connect(address).unwrap();
        let mut speaking = std::net::TcpStream::connect(address).unwrap();
        let patience = Some(Duration::from_secs(20));
        silent.set_read_timeout(patience).unwrap();
        speaking.set_read_timeout(patience).unwrap();
        let began = std::time::Instant::now();
        for _ in 0..6 {
            speaking.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut answer = [0; 500];
            let length = speaking.read(&mut answer).unwrap();
            assert!(answer[..length].ends_with(b"here"));
            std::thread::sleep(silence / 3);
        }
        assert!(began.elapsed() > silence);
        // Closed: the end of the stream, or a reset.
        assert!(matches!(silent.read(&mut [0; 10]), Ok(0) | Err(_)));
        assert!(began.elapsed() < Duration::from_secs(19), "the read ended by itself");
    }
}
