//! The WebSocket connection of a browser tab.
//!
//! Its first message names the room that it wants. From then on its messages are commands to the
//! room, and the room's messages are sent to it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{Message as Frame, WebSocket};
use kakugo_play_core::commands::Command;
use kakugo_play_core::event::{ClientId, Event, Rights};
use kakugo_play_core::messages::Message;
use kakugo_record::text::text;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval_at};

use super::idle_timeout::{MAX_SILENCE, PING};
use crate::host::{Host, RoomNumber, text_of};

/// A client in its room, which it leaves when this is dropped.
struct Presence<'a> {
    host: &'a Host,
    room: RoomNumber,
    client: ClientId,
}

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        self.host.leave(self.room, self.client);
    }
}

/// Serves a connection from this machine or from elsewhere.
pub(super) async fn serve(mut socket: WebSocket, host: &Host, is_local: bool) {
    let Some(Ok(Frame::Text(first))) = socket.recv().await else { return };
    let wish: Value = serde_json::from_str(&first).unwrap_or_default();
    let (room, plays) = match host.admit(&wish, is_local).await {
        Ok(admitted) => admitted,
        Err(why) => {
            let _ = socket.send(Frame::text(text_of(&Message::Gone { why }))).await;
            return;
        }
    };
    let Some((client, messages)) = host.join(room, Rights { plays, is_local }) else { return };
    let presence = Presence { host, room, client };
    exchange(socket, &presence, messages).await;
}

/// Passes messages in both directions until the connection ends.
async fn exchange(
    mut socket: WebSocket,
    presence: &Presence<'_>,
    mut messages: mpsc::Receiver<Arc<str>>,
) {
    let mut ping = interval_at(Instant::now() + PING, PING);
    let mut heard = Instant::now();
    loop {
        let frame = tokio::select! {
            _ = ping.tick() => {
                if heard.elapsed() > MAX_SILENCE {
                    return;
                }
                Frame::Ping(Bytes::new())
            }
            message = messages.recv() => match message {
                Some(message) => Frame::text(&*message),
                None => return,
            },
            received = socket.recv() => match received.inspect(|_| heard = Instant::now()) {
                Some(Ok(Frame::Text(text))) => match execute(presence, &text) {
                    Some(refusal) => Frame::text(refusal),
                    None => continue,
                },
                Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if socket.send(frame).await.is_err() {
            return;
        }
    }
}

/// Executes a command. Returns a refusal if it cannot be parsed.
fn execute(presence: &Presence<'_>, text: &str) -> Option<String> {
    let &Presence { host, room, client } = presence;
    match serde_json::from_str::<Command>(text) {
        Ok(command) => {
            host.handle(room, Event::Command { client, command });
            None
        }
        Err(error) => {
            let why = text!("The page sent an invalid command: {0}", error.to_string());
            Some(text_of(&Message::Refused { why }))
        }
    }
}
