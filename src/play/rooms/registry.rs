//! All rooms, by the names under which pages find them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rand::Rng;
use serde_json::Value;

use super::room::{Room, RoomSettings, SharedRoom};
use crate::play::lock::lock;

/// Most rooms kept; the oldest without pages makes way.
const MOST_ROOMS: usize = 32;

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

    /// The room that a page asks for, and whether it may play there; else a new one.
    ///
    /// # Errors
    /// There are too many rooms, or a game to be watched is gone; the text is for people.
    pub fn admit(&self, wish: &Value) -> anyhow::Result<(SharedRoom, bool)> {
        let text = |name: &str| wish[name].as_str().unwrap_or_default();
        let mut open = lock(&self.open);
        if let Some(room) = open.by_id.get(text("room")) {
            let owns = lock(room).key == text("key");
            return Ok((Arc::clone(room), owns));
        }
        if text("watch") == "yes" {
            anyhow::bail!("That game is gone: the program that kept it was ended.");
        }
        let (id, key) = (secret(), secret());
        let room = Room::open(id.clone(), key, Arc::clone(&self.settings))?;
        if open.order.len() >= MOST_ROOMS {
            let left = |id: &String| open.by_id.get(id).is_none_or(|room| lock(room).is_empty());
            let Some(oldest) = open.order.iter().position(left) else {
                anyhow::bail!("Too many games are open: close a tab.");
            };
            let oldest = open.order.remove(oldest);
            open.by_id.remove(&oldest);
        }
        open.order.push(id.clone());
        open.by_id.insert(id, Arc::clone(&room));
        Ok((room, true))
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
