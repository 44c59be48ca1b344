//! All rooms, by the names under which pages find them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rand::Rng;
use serde_json::Value;

use super::room::{Room, RoomSettings, SharedRoom};
use crate::lock::lock;
use kakugo_record::text::{Text, text};

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

impl OpenRooms {
    /// Add a room; the oldest without pages makes way if there are too many.
    fn add(&mut self, id: String, room: &SharedRoom) -> Result<(), Text> {
        if self.order.len() >= MOST_ROOMS {
            let left = |id: &String| self.by_id.get(id).is_none_or(|room| lock(room).is_empty());
            let Some(oldest) = self.order.iter().position(left) else {
                return Err(text!("Too many games are open: close a tab."));
            };
            let oldest = self.order.remove(oldest);
            self.by_id.remove(&oldest);
        }
        self.order.push(id.clone());
        self.by_id.insert(id, Arc::clone(room));
        Ok(())
    }
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
            return Ok((self.revive(&mut open, text("room"))?, false));
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
            Room::open(id.clone(), key, Arc::clone(&self.settings)).map_err(Text::untranslated)?;
        if let Some((game, _)) = kept {
            lock(&room).come_back(&game);
        }
        open.add(id, &room)?;
        Ok((room, true))
    }

    /// The room of a game that is kept, for a page that watched it before the program was ended and is
    /// here before the player's.
    fn revive(&self, open: &mut OpenRooms, id: &str) -> Result<SharedRoom, Text> {
        let gone = || text!("That game is gone: the program that kept it was ended.");
        let (game, (id, key)) = self.played_in(id, None).ok_or_else(gone)?;
        let settings = Arc::clone(&self.settings);
        let room = Room::open(id.clone(), key, settings).map_err(Text::untranslated)?;
        if !lock(&room).come_back_for_watchers(&game) {
            return Err(gone());
        }
        open.add(id, &room)?;
        Ok(room)
    }

    /// The room of this name, for a page that may play there.
    pub fn owned(&self, id: &str, key: &str) -> Option<SharedRoom> {
        let room = lock(&self.open).by_id.get(id).cloned()?;
        let owns = lock(&room).key == key;
        owns.then_some(room)
    }

    /// A room wants this game that is kept: another that has it gives it up if its pages have gone.
    pub fn free(&self, id: &str) {
        let mut open = lock(&self.open);
        let left = open.by_id.iter().find(|(_, room)| lock(room).let_go(id));
        let Some(left) = left.map(|(name, _)| name.clone()) else { return };
        open.order.retain(|name| *name != left);
        let room = open.by_id.remove(&left);
        drop(open);
        drop(room);
    }

    /// The game that a page without a room gets, and the room and key that it was played in if the
    /// page had them.
    fn kept(&self, room: &str, key: &str, at_home: bool) -> Option<(String, Option<Seat>)> {
        let store = self.settings.store.as_ref()?;
        let engines = &self.settings.engines;
        if !room.is_empty() {
            let (id, seat) = self.played_in(room, Some(key))?;
            return Some((id, Some(seat)));
        }
        let id = store.latest().into_iter().next().filter(|_| at_home)?;
        let kept = store.read(&id, engines)?;
        (kept.begun && kept.game.main_end().is_none()).then_some((id, None))
    }

    /// The latest game that was played in a room, whose key must be this one if there is one, and the
    /// room's name and key.
    fn played_in(&self, room: &str, key: Option<&str>) -> Option<(String, Seat)> {
        let store = self.settings.store.as_ref().filter(|_| !room.is_empty())?;
        let known = |id: String| {
            let kept = store.read(&id, &self.settings.engines)?;
            let is_known = kept.room == room && key.is_none_or(|key| kept.key == key);
            is_known.then_some((id, (kept.room, kept.key)))
        };
        store.latest().into_iter().take(MOST_ROOMS).find_map(known)
    }

    /// Write all games that are not yet.
    pub fn keep_all(&self) {
        for room in lock(&self.open).by_id.values() {
            lock(room).keep_for_return();
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

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;
    use crate::game::setup::{PlayerKind, Setup};
    use crate::kept::store::Store;
    use crate::rooms::openings::Openings;
    use kakugo::player::Resources;
    use kakugo::search::Networks;

    /// Rooms for two people whose games are kept in a folder of this name, which is empty if `anew`.
    pub fn rooms(folder: &str, anew: bool) -> Rooms {
        let folder = std::env::temp_dir().join(format!("kakugo-{folder}-{}", std::process::id()));
        if anew {
            let _ = std::fs::remove_dir_all(&folder);
        }
        let mut setup = Setup::default();
        setup.seats[1].player = PlayerKind::Human;
        Rooms::new(RoomSettings {
            engines: Vec::new(),
            configs: &[],
            setup: setup.checked(&[]).unwrap(),
            gentle: false,
            openings: Openings::default(),
            resources: Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::none() },
            store: Some(Store::open(folder).unwrap()),
        })
    }

    /// A page.
    pub struct Page {
        pub room: SharedRoom,
        pub owns: bool,
    }

    impl Page {
        /// A page on this machine that wants this.
        pub fn open(rooms: &Rooms, wish: &Value) -> Result<Page, Text> {
            let (room, owns) = rooms.admit(wish, true)?;
            lock(&room).enter();
            Ok(Page { room, owns })
        }

        /// Ask the room for something; the answer, or why it cannot be.
        pub fn ask(&self, command: &Value) -> Result<Value, String> {
            let command = serde_json::from_value(command.clone()).unwrap();
            match lock(&self.room).obey(command) {
                Ok(Some(answer)) => Ok(serde_json::from_str(&answer).unwrap()),
                Ok(None) => Ok(Value::Null),
                Err(why) => Err(why.to_string()),
            }
        }

        /// As [`Page::ask`], where nothing may be wrong.
        pub fn say(&self, command: Value) -> Value {
            self.ask(&command).unwrap()
        }

        /// Place stones in turn.
        pub fn play(&self, points: &[(u8, u8)]) {
            for (x, y) in points {
                self.say(json!({ "do": "play", "x": x, "y": y }));
            }
        }

        /// What the room tells of its game.
        pub fn state(&self) -> Value {
            serde_json::from_str(&lock(&self.room).all()[0]).unwrap()
        }

        /// Look again until the state is as wanted.
        pub fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
            let began = std::time::Instant::now();
            loop {
                let state = self.state();
                if wanted(&state) {
                    return state;
                }
                assert!(began.elapsed().as_secs() < 60, "never: {state}");
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
        }

        /// Name and key of the room, as a wish.
        pub fn wish(&self) -> Value {
            let room = lock(&self.room);
            json!({ "room": room.id, "key": room.key })
        }

        /// Names of the games kept.
        pub fn kept(&self) -> Vec<String> {
            let told = self.say(json!({ "do": "games" }));
            let games = told["games"].as_array().unwrap();
            games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
        }
    }

    impl Drop for Page {
        fn drop(&mut self) {
            lock(&self.room).leave();
        }
    }

    /// A game for two people.
    pub fn new_game() -> Value {
        json!({ "do": "new", "setup": { "width": 15, "height": 15, "rule": "freestyle", "win": 5,
            "seats": [{ "player": "human" }, { "player": "human" }], "opening": "free" } })
    }

    #[test]
    fn a_new_game_comes_back_even_without_a_stone() {
        let before = rooms("empty", true);
        let page = Page::open(&before, &json!({})).unwrap();
        page.play(&[(7, 7), (8, 8)]);
        let mut new = new_game();
        new["setup"]["width"] = json!(19);
        page.say(new);
        let wish = page.wish();
        // Files tell by their times which is the latest.
        std::thread::sleep(std::time::Duration::from_millis(20));
        before.keep_all();
        drop((page, before));
        let after = rooms("empty", false);
        let page = Page::open(&after, &wish).unwrap();
        let state = page.state();
        assert_eq!((&state["width"], &state["moves"]), (&json!(19), &json!([])));
        assert_eq!(page.kept().len(), 2);
        // Left without a stone it is worth nothing.
        page.say(new_game());
        assert_eq!(page.kept().len(), 1);
    }

    #[test]
    fn who_watches_may_be_back_before_the_player() {
        let before = rooms("watched", true);
        let page = Page::open(&before, &json!({})).unwrap();
        let mut timed = new_game();
        timed["setup"]["turn_ms"] = json!(600_000);
        page.say(timed);
        page.play(&[(7, 7), (8, 8)]);
        let wish = page.wish();
        let watch = json!({ "room": wish["room"], "watch": "yes" });
        drop((page, before));
        let after = rooms("watched", false);
        let nothing = json!({ "room": "", "watch": "yes" });
        assert!(Page::open(&after, &nothing).is_err());
        let watcher = Page::open(&after, &watch).unwrap();
        let state = watcher.state();
        assert_eq!((&state["at"], watcher.owns), (&json!(2), false));
        assert_eq!(state["clock_runs"], false, "the player is not here yet");
        let player = Page::open(&after, &wish).unwrap();
        assert!(player.owns);
        player.play(&[(9, 9)]);
        let state = watcher.state();
        assert_eq!((&state["at"], &state["clock_runs"]), (&json!(3), &json!(true)));
    }

    #[test]
    fn a_game_whose_tab_was_closed_is_opened_and_deleted_from_another() {
        let rooms = rooms("left", true);
        let first = Page::open(&rooms, &json!({})).unwrap();
        first.play(&[(7, 7), (8, 8)]);
        first.say(json!({ "do": "resign" }));
        let [id] = &first.kept()[..] else { panic!() };
        let (open, forget) =
            (json!({ "do": "open", "id": id }), json!({ "do": "forget", "id": id }));
        let second = Page::open(&rooms, &json!({})).unwrap();
        assert_eq!(second.state()["at"], 0);
        rooms.free(id);
        assert!(second.ask(&open).unwrap_err().contains("another tab"), "the tab is there");
        let wish = first.wish();
        drop(first);
        rooms.free(id);
        second.say(open);
        assert_eq!(
            (&second.state()["at"], &second.state()["end"]),
            (&json!(2), &json!("resigned"))
        );
        // The tab that comes back has a game of its own.
        let back = Page::open(&rooms, &wish).unwrap();
        assert_eq!((&back.state()["at"], back.owns), (&json!(0), true));
        drop(second);
        rooms.free(id);
        back.say(forget);
        assert_eq!(back.kept(), [""; 0]);
    }
}
