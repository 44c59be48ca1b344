//! The clients of a room, and the latest messages that all of them know.

use std::collections::BTreeMap;

use crate::event::{ClientId, Rights};
use crate::messages::Message;

/// The clients of a room.
#[derive(Default)]
pub struct Clients {
    clients: BTreeMap<ClientId, Client>,
    /// Messages that are sent again only if they have changed: tree, review, openings.
    latest: [Option<Message>; 3],
}

/// A client.
struct Client {
    rights: Rights,
    /// False while its tab is hidden.
    visible: bool,
}

/// Returns the place of a message among the latest ones.
fn place(message: &Message) -> Option<usize> {
    match message {
        Message::Tree(_) => Some(0),
        Message::Review(_) => Some(1),
        Message::Openings(_) => Some(2),
        _ => None,
    }
}

impl Clients {
    /// Adds a client.
    pub fn add(&mut self, client: ClientId, rights: Rights) {
        self.clients.insert(client, Client { rights, visible: true });
    }

    /// Removes a client.
    pub fn remove(&mut self, client: ClientId) {
        self.clients.remove(&client);
    }

    /// Returns true if there is no client.
    pub fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Returns the clients that play on this machine.
    pub fn local_players(&self) -> impl Iterator<Item = ClientId> + '_ {
        let plays = |client: &Client| client.rights.plays && client.rights.is_local;
        self.clients.iter().filter(move |(_, client)| plays(client)).map(|(&id, _)| id)
    }

    /// Returns the rights of a client.
    pub fn rights(&self, client: ClientId) -> Option<Rights> {
        self.clients.get(&client).map(|client| client.rights)
    }

    /// Sets whether a client's tab is visible.
    pub fn set_visible(&mut self, client: ClientId, visible: bool) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.visible = visible;
        }
    }

    /// Returns true if somebody sees the board.
    pub fn sees_board(&self) -> bool {
        self.clients.values().any(|client| client.visible)
    }

    /// Returns true if a message differs from the latest one of its kind, and remembers it.
    pub fn is_news(&mut self, message: &Message) -> bool {
        let Some(place) = place(message) else { return true };
        let is_news = self.latest[place].as_ref() != Some(message);
        if is_news {
            self.latest[place] = Some(message.clone());
        }
        is_news
    }
}
