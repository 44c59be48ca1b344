//! All rooms, by the names under which pages find them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rand::Rng;
use serde_json::Value;

use super::room::{Room, RoomSettings, SharedRoom};
use crate::play::lock::lock;
use crate::text::{Text, text};

/// Most rooms kept; the oldest without pages makes way.
const MOST_ROOMS: usize = 128;

/// A room's name and key.
type Seat = (String, String);

/// All rooms.
pub struct Rooms {
    settings: Arc<RoomSettings>,
    open: Mutex<OpenRooms>,
}

#[derive(Default)]
struct OpenRooms {
    by_id: HashMap<String, SharedRoom>,
    /// Oldest first.
    order: Vec<String>,
}

impl Rooms {
    /// No rooms yet; all will have these settings.
    pub fn new(settings: RoomSettings) -> Rooms {
        Rooms { settings: Arc::new(settings), open: Mutex::default() }
    }

    /// Names of the engines that may play in them.
    pub fn engines(&self) -> &[String] {
        &self.settings.engines
    }

    /// Whether games are kept.
    pub fn keep(&self) -> bool {
        self.settings.store.is_some()
    }

    /// The room that a page asks for, and whether it may play there; else a new one. If games are
    /// kept, the room's game comes back with it; and a page of this machine that asks for nothing
    /// gets the latest game, if that goes on and no other page has it.
    ///
    /// # Errors
    /// There are too many rooms, or a game to be watched is gone; the text is for people.
    pub fn admit(&self, wish: &Value, at_home: bool) -> Result<(SharedRoom, bool), Text> {
        let text = |name: &str| wish[name].as_str().unwrap_or_default();
        let mut open = lock(&self.open);
        if let Some(room) = open.by_id.get(text("room")) {
            let owns = lock(room).key == text("key");
            return Ok((Arc::clone(room), owns));
        }
        if text("watch") == "yes" {
            return Err(text!("That game is gone: the program that kept it was ended."));
        }
        let kept = self.kept(text("room"), text("key"), at_home);
        // The latest game may lie in a room whose tab was closed.
        if let Some((game, None)) = &kept {
            let has = |room: &&SharedRoom| lock(room).is_left_with(game);
            if let Some(room) = open.by_id.values().find(has) {
                lock(room).greet();
                return Ok((Arc::clone(room), true));
            }
        }
        let (id, key) = match &kept {
            Some((_, Some(seat))) => seat.clone(),
            _ => (secret(), secret()),
        };
        let room =
            Room::open(id.clone(), key, Arc::clone(&self.settings)).map_err(Text::of_words)?;
        if let Some((game, _)) = kept {
            lock(&room).come_back(&game);
        }
        if open.order.len() >= MOST_ROOMS {
            let left = |id: &String| open.by_id.get(id).is_none_or(|room| lock(room).is_empty());
            let Some(oldest) = open.order.iter().position(left) else {
                return Err(text!("Too many games are open: close a tab."));
            };
            let oldest = open.order.remove(oldest);
            open.by_id.remove(&oldest);
        }
        open.order.push(id.clone());
        open.by_id.insert(id, Arc::clone(&room));
        Ok((room, true))
    }

    /// The room of this name, for a page that may play there.
    pub fn owned(&self, id: &str, key: &str) -> Option<SharedRoom> {
        let room = lock(&self.open).by_id.get(id).cloned()?;
        let owns = lock(&room).key == key;
        owns.then_some(room)
    }

    /// The game that a page without a room gets, and the room and key that it was played in if the
    /// page had them.
    fn kept(&self, room: &str, key: &str, at_home: bool) -> Option<(String, Option<Seat>)> {
        let store = self.settings.store.as_ref()?;
        let engines = &self.settings.engines;
        if !room.is_empty() {
            let games = store.latest().into_iter();
            let known = |id: &String| {
                store.read(id, engines).is_some_and(|kept| kept.room == room && kept.key == key)
            };
            let id = games.take(MOST_ROOMS).find(known)?;
            return Some((id, Some((room.to_owned(), key.to_owned()))));
        }
        let id = store.latest().into_iter().next().filter(|_| at_home)?;
        let kept = store.read(&id, engines)?;
        (kept.begun && kept.game.main_end().is_none()).then_some((id, None))
    }

    /// Write all games that are not yet.
    pub fn keep_all(&self) {
        for room in lock(&self.open).by_id.values() {
            lock(room).keep(true);
        }
    }

    /// Let every room pass on what its search has found, and look at its clocks.
    pub fn tick(&self) {
        let rooms: Vec<SharedRoom> = lock(&self.open).by_id.values().cloned().collect();
        for room in rooms {
            lock(&room).tick();
        }
    }
}

/// 128 random bits as text.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}
