//! The clients of a room, and the latest messages that all of them know.

use std::collections::BTreeMap;

use crate::event::{ClientId, Rights};
use crate::game::pairing::Credentials;
use crate::messages::Message;
use crate::parts::seats::Person;

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
    /// True if it has the seat of the guest.
    is_guest: bool,
    /// The secrets that it has shown.
    credentials: Option<Credentials>,
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
        let client_state = Client { rights, is_guest: false, credentials: None, visible: true };
        self.clients.insert(client, client_state);
    }

    /// Removes a client.
    pub fn remove(&mut self, client: ClientId) {
        self.clients.remove(&client);
        if self.clients.is_empty() {
            // The next client knows none of them.
            self.latest = Default::default();
        }
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

    /// Returns the person who uses a client; `None` for spectators.
    pub fn person(&self, client: ClientId) -> Option<Person> {
        let client = self.clients.get(&client)?;
        if client.rights.plays {
            Some(Person::Host)
        } else {
            client.is_guest.then_some(Person::Guest)
        }
    }

    /// Returns the clients of a person.
    pub fn of(&self, person: Person) -> Vec<ClientId> {
        let ids = self.clients.keys().copied();
        ids.filter(|&client| self.person(client) == Some(person)).collect()
    }

    /// Stores the secrets that a client has shown.
    pub fn store_credentials(&mut self, client: ClientId, credentials: Credentials) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.credentials = Some(credentials);
        }
    }

    /// Returns the clients that have shown secrets, latest first.
    pub fn with_credentials(&self) -> impl Iterator<Item = (ClientId, &Credentials)> {
        let clients = self.clients.iter().rev();
        clients.filter_map(|(&id, client)| Some((id, client.credentials.as_ref()?)))
    }

    /// Makes a client that of the guest. Returns those that were the guest's before.
    pub fn admit_guest(&mut self, client: ClientId) -> Vec<ClientId> {
        let mut before = self.dismiss_guests();
        before.retain(|&other| other != client);
        if let Some(client) = self.clients.get_mut(&client) {
            client.is_guest = true;
        }
        before
    }

    /// Makes the clients of the guest those of spectators, and returns them.
    pub fn dismiss_guests(&mut self) -> Vec<ClientId> {
        let guests = self.of(Person::Guest);
        self.clients.values_mut().for_each(|client| client.is_guest = false);
        guests
    }

    /// Forgets the secrets that all clients of the guest's browser have shown, and makes those of
    /// the guest spectators. Returns the latter.
    pub fn expel_guests(&mut self, browser: &str) -> Vec<ClientId> {
        for client in self.clients.values_mut() {
            client.credentials.take_if(|shown| shown.are_of(browser));
        }
        self.dismiss_guests()
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
