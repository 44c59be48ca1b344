//! The conversation with one tab of a browser.
//!
//! Its first message says which room it wants. From then on its messages go to the room, and what the
//! room tells goes to it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use serde_json::{Value, json};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, interval_at};

use super::patience::PING;
use super::upload::most_bytes;
use crate::game::words;
use crate::lock::lock;
use crate::rooms::messages::Command;
use crate::rooms::registry::Rooms;
use crate::rooms::room::SharedRoom;
use kakugo::level::LEVELS;
use kakugo_record::text::text;

/// Leaves the room however the conversation ends.
struct Presence(SharedRoom);

impl Drop for Presence {
    fn drop(&mut self) {
        lock(&self.0).leave();
    }
}

/// What a page may do.
#[derive(Clone, Copy)]
struct Rights {
    /// It plays in its room; others watch.
    owns: bool,
    /// It is shown on this machine, whose user's games are kept.
    at_home: bool,
}

/// A conversation with one tab, on this machine or elsewhere. Its first message says which room it
/// wants.
pub(super) async fn talk(mut socket: WebSocket, rooms: &Rooms, at_home: bool) {
    let Some(Ok(Message::Text(first))) = socket.recv().await else { return };
    let wish: Value = serde_json::from_str(&first).unwrap_or_default();
    let (room, owns) = match rooms.admit(&wish, at_home) {
        Ok(admitted) => admitted,
        Err(error) => {
            let gone = json!({ "type": "gone", "why": error });
            let _ = socket.send(Message::text(gone.to_string())).await;
            return;
        }
    };
    let (news, first) = lock(&room).enter();
    let presence = Presence(room);
    let rights = Rights { owns, at_home };
    let hello = hello(rooms, &presence.0, rights).to_string();
    let greeting = std::iter::once(Arc::from(hello)).chain(first);
    for message in greeting {
        if socket.send(Message::text(&*message)).await.is_err() {
            return;
        }
    }
    converse(socket, rooms, &presence.0, rights, news).await;
}

fn hello(rooms: &Rooms, room: &SharedRoom, rights: Rights) -> Value {
    let levels: Vec<Value> = (1..)
        .zip(&LEVELS)
        .map(|(number, level)| json!({ "name": words::level(number), "rating": level.rating }))
        .collect();
    let room = lock(room);
    json!({
        "type": "hello",
        "version": env!("CARGO_PKG_VERSION"),
        "room": room.id,
        "key": rights.owns.then_some(&room.key),
        "owns": rights.owns,
        "keeps": rights.owns && rights.at_home && rooms.keep(),
        "levels": levels,
        "level": room.level_of_white(),
        "engines": rooms.engines(),
        "most_bytes": most_bytes(rights.at_home),
    })
}

async fn converse(
    mut socket: WebSocket,
    rooms: &Rooms,
    room: &SharedRoom,
    rights: Rights,
    mut news: broadcast::Receiver<Arc<str>>,
) {
    let mut ping = interval_at(Instant::now() + PING, PING);
    loop {
        let out: Vec<Arc<str>> = tokio::select! {
            _ = ping.tick() => {
                if socket.send(Message::Ping(Bytes::new())).await.is_err() {
                    return;
                }
                continue;
            }
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => answer(rooms, room, rights, &text).into_iter().collect(),
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

/// What only the asking page is told: a record, a refusal. Pages that watch may save, too; the games
/// that are kept are for pages at home.
fn answer(rooms: &Rooms, room: &SharedRoom, rights: Rights, text: &str) -> Option<Arc<str>> {
    let why = match serde_json::from_str::<Command>(text) {
        Ok(command) if command.is_about_kept_games() && !rights.at_home => {
            text!("Only a page on the machine itself sees the games kept there.")
        }
        Ok(command) if rights.owns || matches!(command, Command::Save { .. }) => {
            if let Some(id) = command.wanted_game() {
                rooms.free(id);
            }
            match lock(room).obey(command) {
                Ok(answer) => return answer,
                Err(why) => why,
            }
        }
        Ok(_) => text!("You are watching this game."),
        Err(error) => text!("The page sent something unknown: {0}", error.to_string()),
    };
    Some(json!({ "type": "refused", "why": why }).to_string().into())
}
