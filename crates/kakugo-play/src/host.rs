//! The host: all rooms of the server, and the driver that performs their effects.
//!
//! Events come from connections, search threads and the storage. They are handled one after the
//! other under one lock, and no effect waits for anything: messages, jobs and requests are only
//! queued.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use kakugo_play_core::event::{
    ClientId, Effect, Event, Recipient, Rights, StorageReply, StorageRequest,
};
use kakugo_play_core::jobs::JobUpdate;
use kakugo_play_core::messages::Message;
use kakugo_play_core::now::Time;
use kakugo_play_core::parts::level_history::LevelHistory;
use kakugo_play_core::room::{Room, RoomIdentity, RoomSettings};
use kakugo_play_core::uploads::UploadContext;
use kakugo_record::book::Book;
use kakugo_record::file::Format;
use kakugo_record::text::{Text, text};
use rand::Rng;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::mpsc;

use crate::clock::Clock;
use crate::engines::EngineList;
use crate::lock::lock;
use crate::pool::{JobKey, Pool, PoolSettings, panic_message};
use crate::storage::store::Store;
use crate::storage::{Query, Storage};

/// The largest number of rooms; the oldest without clients makes way.
const MAX_ROOMS: usize = 128;
/// Messages that wait for a slow client.
const BACKLOG: usize = 64;

/// The number of a room.
pub type RoomNumber = u64;

/// All rooms and what drives them.
pub struct Host {
    settings: Arc<RoomSettings>,
    clock: Clock,
    engines: EngineList,
    pool: Pool,
    storage: Option<Storage>,
    rooms: Mutex<Rooms>,
    /// Clients are admitted one after the other.
    admission: tokio::sync::Mutex<()>,
}

/// All rooms.
#[derive(Default)]
struct Rooms {
    /// The names of the engines other than Kakugo.
    engines: Vec<String>,
    /// Oldest first.
    by_number: BTreeMap<RoomNumber, HostedRoom>,
    rooms_made: u64,
    clients_made: u64,
    /// The explored files, once they have been read.
    book: Option<Arc<Book>>,
}

/// A room with its connections.
struct HostedRoom {
    room: Room,
    clients: HashMap<ClientId, Connection>,
    timer: Option<Time>,
}

/// The sending end of a client's connection.
struct Connection {
    sender: mpsc::Sender<Arc<str>>,
    /// True if messages were dropped.
    lags: bool,
}

impl Connection {
    fn send(&mut self, message: &Arc<str>) {
        // Once messages were dropped, the client gets all of them again later.
        self.lags = self.lags || self.sender.try_send(Arc::clone(message)).is_err();
    }
}

impl Rooms {
    fn find(&self, id: &str) -> Option<(RoomNumber, &Room)> {
        let hosted = self.by_number.iter().map(|(&number, hosted)| (number, &hosted.room));
        let mut rooms = hosted.filter(|(_, room)| room.identity().id == id);
        rooms.next()
    }

    /// Returns the room to which the link of an invitation leads: the game may have been opened in
    /// another room than the one that the link names.
    fn invited(&self, id: &str, token: &str) -> Option<RoomNumber> {
        let is_of = |hosted: &HostedRoom| hosted.room.seats().token() == Some(token);
        let named = self.find(id).map(|(number, _)| number);
        if token.is_empty() || named.is_some_and(|number| is_of(&self.by_number[&number])) {
            return named;
        }
        let mut rooms = self.by_number.iter().filter(|(_, hosted)| is_of(hosted));
        rooms.next().map(|(&number, _)| number).or(named)
    }
}

impl Host {
    /// Starts the search threads, and the storage if games are saved.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start(
        settings: RoomSettings,
        pool: &PoolSettings,
        store: Option<Store>,
    ) -> std::io::Result<Arc<Host>> {
        let clock = Clock::start();
        let settings = Arc::new(RoomSettings { saves: store.is_some(), ..settings });
        // The threads know the host by the time they have something for it.
        let home: Arc<OnceLock<Weak<Host>>> = Arc::default();
        let handler = || {
            let home = Arc::clone(&home);
            move |room: RoomNumber, event: Event| {
                if let Some(host) = home.get().and_then(Weak::upgrade) {
                    host.handle(room, event);
                }
            }
        };
        let handle = handler();
        let deliver = move |(room, job): JobKey, update: JobUpdate| {
            handle(room, Event::Job { job, update });
        };
        let engines = pool.engines.clone();
        let pool = Pool::start(pool, clock, Box::new(deliver))?;
        let handle = handler();
        let reply = move |room, reply: StorageReply| handle(room, Event::Storage(reply));
        let storage = store
            .map(|store| Storage::start(store, settings.engines.clone(), Box::new(reply)))
            .transpose()?;
        let host = Arc::new(Host {
            rooms: Mutex::new(Rooms { engines: settings.engines.clone(), ..Rooms::default() }),
            settings,
            clock,
            engines,
            pool,
            storage,
            admission: tokio::sync::Mutex::default(),
        });
        let _ = home.set(Arc::downgrade(&host));
        Ok(host)
    }

    /// Lets a room handle an event.
    pub fn handle(&self, room: RoomNumber, event: Event) {
        self.dispatch(&mut lock(&self.rooms), room, event);
    }

    /// Lets a room handle an event, and performs the effects. A room that panics ends alone.
    fn dispatch(&self, rooms: &mut Rooms, number: RoomNumber, event: Event) {
        let Some(hosted) = rooms.by_number.get_mut(&number) else { return };
        let now = self.clock.now();
        let handled = catch_unwind(AssertUnwindSafe(|| hosted.room.handle(event, now)));
        match handled {
            Ok(effects) => {
                effects.into_iter().for_each(|effect| self.perform(rooms, number, effect));
            }
            Err(panic) => {
                log::error!("room {number} panicked: {}", panic_message(&*panic));
                self.abandon(rooms, number);
            }
        }
    }

    /// Ends a room that has panicked, without any event. Its clients are disconnected: they come
    /// back to the game as it was saved.
    fn abandon(&self, rooms: &mut Rooms, number: RoomNumber) {
        rooms.by_number.remove(&number);
        self.pool.stop_room(number);
        self.storage.iter().for_each(|storage| storage.forget(number));
    }

    fn perform(&self, rooms: &mut Rooms, number: RoomNumber, effect: Effect) {
        match effect {
            Effect::Send { to, message } => {
                let Some(hosted) = rooms.by_number.get_mut(&number) else { return };
                let text: Arc<str> = text_of(&message).into();
                match to {
                    Recipient::All => {
                        hosted.clients.values_mut().for_each(|client| client.send(&text));
                    }
                    Recipient::One(client) => {
                        let client = hosted.clients.get_mut(&client);
                        client.into_iter().for_each(|client| client.send(&text));
                    }
                }
            }
            Effect::StartJob { id, job } => self.pool.submit((number, id), job),
            Effect::StopJob { id } => self.pool.stop((number, id)),
            Effect::AnswerNow { id } => self.pool.answer_now((number, id)),
            Effect::Storage(request) => {
                if let StorageRequest::Load { id, .. } | StorageRequest::Delete { id, .. } =
                    &request
                {
                    self.free_game(rooms, number, id);
                }
                if let Some(storage) = &self.storage {
                    storage.request(number, request);
                }
            }
            Effect::Timer(timer) => {
                if let Some(hosted) = rooms.by_number.get_mut(&number) {
                    hosted.timer = timer;
                }
            }
        }
    }

    /// Makes another room give up a saved game if its clients have left. A room that had it on the
    /// board ends.
    fn free_game(&self, rooms: &mut Rooms, asking: RoomNumber, id: &str) {
        let is_free =
            |hosted: &HostedRoom| hosted.room.is_empty() && hosted.room.owns_saved_game(id);
        let others = rooms.by_number.iter().filter(|(number, _)| **number != asking);
        let owner = others.filter(|(_, hosted)| is_free(hosted)).map(|(&number, _)| number).next();
        let Some(owner) = owner else { return };
        let was_on_board = rooms.by_number[&owner].room.saved_game() == Some(id);
        self.dispatch(rooms, owner, Event::Yield { id: id.to_owned() });
        if was_on_board {
            self.close(rooms, owner);
        }
    }

    /// Ends a room.
    fn close(&self, rooms: &mut Rooms, number: RoomNumber) {
        self.dispatch(rooms, number, Event::Closed);
        rooms.by_number.remove(&number);
    }

    /// Adds a client to a room, and returns its number and the messages to it.
    pub fn join(
        &self,
        room: RoomNumber,
        rights: Rights,
    ) -> Option<(ClientId, mpsc::Receiver<Arc<str>>)> {
        let mut rooms = lock(&self.rooms);
        rooms.clients_made += 1;
        let client = ClientId(rooms.clients_made);
        let (sender, receiver) = mpsc::channel(BACKLOG);
        let hosted = rooms.by_number.get_mut(&room)?;
        hosted.clients.insert(client, Connection { sender, lags: false });
        self.dispatch(&mut rooms, room, Event::Joined { client, rights });
        Some((client, receiver))
    }

    /// Removes a client from a room.
    pub fn leave(&self, room: RoomNumber, client: ClientId) {
        let mut rooms = lock(&self.rooms);
        if let Some(hosted) = rooms.by_number.get_mut(&room) {
            hosted.clients.remove(&client);
        }
        self.dispatch(&mut rooms, room, Event::Left { client });
    }

    /// Passes the progress of searches on, and lets rooms do what is due. To be called several
    /// times a second.
    pub fn tick(&self) {
        for ((room, job), update) in self.pool.tick() {
            self.handle(room, Event::Job { job, update });
        }
        let mut rooms = lock(&self.rooms);
        let now = self.clock.now().time;
        let mut events = Vec::new();
        for (&number, hosted) in &mut rooms.by_number {
            if hosted.timer.is_some_and(|timer| timer <= now) {
                events.push((number, Event::Tick));
            }
            for (&client, connection) in &mut hosted.clients {
                let is_drained = connection.sender.capacity() == connection.sender.max_capacity();
                if connection.lags && is_drained {
                    connection.lags = false;
                    events.push((number, Event::Lagged { client }));
                }
            }
        }
        for (number, event) in events {
            self.dispatch(&mut rooms, number, event);
        }
    }

    /// The files to explore have been read.
    pub fn set_book(&self, book: Arc<Book>) {
        let mut rooms = lock(&self.rooms);
        rooms.book = Some(Arc::clone(&book));
        let numbers: Vec<RoomNumber> = rooms.by_number.keys().copied().collect();
        for number in numbers {
            self.dispatch(&mut rooms, number, Event::BookRead(Arc::clone(&book)));
        }
    }

    /// Adds an engine, which all rooms may ask from now on.
    ///
    /// # Errors
    /// Returns an error if the words are not valid, or its program cannot be started.
    pub fn add_engine(&self, words: &str) -> anyhow::Result<()> {
        self.engines.add(words)?;
        let mut rooms = lock(&self.rooms);
        rooms.engines = self.engines.names();
        let engines = rooms.engines.clone();
        let numbers: Vec<RoomNumber> = rooms.by_number.keys().copied().collect();
        for number in numbers {
            let engines = engines.clone();
            self.dispatch(&mut rooms, number, Event::EnginesAdded { engines });
        }
        Ok(())
    }

    /// Saves all games at the end of the program.
    pub fn shut_down(&self) {
        {
            let mut rooms = lock(&self.rooms);
            let numbers: Vec<RoomNumber> = rooms.by_number.keys().copied().collect();
            for number in numbers {
                self.dispatch(&mut rooms, number, Event::Shutdown);
            }
        }
        if let Some(storage) = &self.storage {
            storage.flush();
        }
    }

    /// Returns the room that a client asks for, and true if the client may play there; a new room
    /// if it asks for none. The game of a room that is not there any more is restored if it was
    /// saved. A client on this machine that asks for no room gets the latest game, if that goes on
    /// and no other client has it. A client that asks for no room but has owned one with a guest
    /// gets that back, unless its owner is there.
    ///
    /// # Errors
    /// Returns the reason if there are too many rooms, or the game to be watched does not exist.
    pub async fn admit(&self, wish: &Value, is_local: bool) -> Result<(RoomNumber, bool), Text> {
        let _turn = self.admission.lock().await;
        let field = |name: &str| wish[name].as_str().unwrap_or_default();
        let (mut id, mut key) = (field("room"), field("key"));
        let back = |name: &str| wish["back"][name].as_str().unwrap_or_default();
        if id.is_empty() && !back("room").is_empty() {
            let rooms = lock(&self.rooms);
            let is_free = |room: &Room| room.identity().key == back("key") && !room.has_host();
            if rooms.find(back("room")).is_none_or(|(_, room)| is_free(room)) {
                (id, key) = (back("room"), back("key"));
            }
        }
        if field("watch") == "yes" {
            let token = field("token");
            let number = lock(&self.rooms).invited(id, token);
            let number = match number {
                Some(number) => number,
                None => self.restore_for_spectators(id, token).await?,
            };
            return Ok((number, false));
        }
        if let Some((number, room)) = lock(&self.rooms).find(id) {
            return Ok((number, room.identity().key == key));
        }
        let query = if id.is_empty() {
            is_local.then_some(Query::Ongoing)
        } else {
            Some(Query::Room { id: id.to_owned(), key: Some(key.to_owned()) })
        };
        let found = match (&self.storage, &query) {
            (Some(storage), Some(query)) => storage.find(query.clone()).await,
            _ => None,
        };
        let is_own = query != Some(Query::Ongoing);
        let identity = match &found {
            Some(found) if is_own || (found.is_paired && !self.has_room(&found.room)) => {
                RoomIdentity { id: found.room.clone(), key: found.key.clone() }
            }
            _ => RoomIdentity { id: secret(), key: secret() },
        };
        // The latest game may be on the board of a room whose tab was closed.
        if let Some(found) = &found
            && let Some(number) = self.left_room(&found.game)
        {
            self.handle(number, Event::Returned);
            return Ok((number, true));
        }
        let history = LevelHistory::deserialize(&wish["level"]).ok();
        let number = self.open_room(identity, history)?;
        if let Some(found) = found {
            self.restore(number, found.game, false).await;
        }
        if lock(&self.rooms).by_number.contains_key(&number) {
            return Ok((number, true));
        }
        // The room has panicked: its client gets another one, without the game.
        let identity = RoomIdentity { id: secret(), key: secret() };
        Ok((self.open_room(identity, history)?, true))
    }

    /// Returns true if there is a room with this id.
    fn has_room(&self, id: &str) -> bool {
        lock(&self.rooms).find(id).is_some()
    }

    /// Returns the room that has a saved game on its board, if its clients have left.
    fn left_room(&self, game: &str) -> Option<RoomNumber> {
        let rooms = lock(&self.rooms);
        let is_left =
            |hosted: &HostedRoom| hosted.room.is_empty() && hosted.room.saved_game() == Some(game);
        let mut left = rooms.by_number.iter().filter(|(_, hosted)| is_left(hosted));
        left.next().map(|(&number, _)| number)
    }

    /// Restores the room of a saved game for spectators, who have watched it before the program was
    /// restarted and are back before the player. A guest has a token, too.
    async fn restore_for_spectators(&self, id: &str, token: &str) -> Result<RoomNumber, Text> {
        let gone = || text!("There is no game under this link, or it has ended.");
        let storage = self.storage.as_ref().filter(|_| !id.is_empty()).ok_or_else(gone)?;
        let query = Query::Invitation(token.to_owned());
        let invited = if token.is_empty() { None } else { storage.find(query).await };
        let query = Query::Room { id: id.to_owned(), key: None };
        let found = match invited {
            Some(found) => found,
            None => storage.find(query).await.ok_or_else(gone)?,
        };
        // Another of its games may be on the board of its room.
        if let Some((number, _)) = lock(&self.rooms).find(&found.room) {
            return Ok(number);
        }
        let identity = RoomIdentity { id: found.room, key: found.key };
        let number = self.open_room(identity, None)?;
        if !self.restore(number, found.game, true).await {
            let mut rooms = lock(&self.rooms);
            self.close(&mut rooms, number);
            return Err(gone());
        }
        Ok(number)
    }

    /// Puts a saved game on the board of a new room, and returns true if it could be read.
    async fn restore(&self, number: RoomNumber, id: String, for_spectators: bool) -> bool {
        let Some(storage) = &self.storage else { return false };
        let Some(text) = storage.take(number, id.clone()).await else { return false };
        self.handle(number, Event::Restored { id: id.clone(), text, for_spectators });
        let rooms = lock(&self.rooms);
        rooms.by_number.get(&number).is_some_and(|hosted| hosted.room.owns_saved_game(&id))
    }

    /// Opens a room with a new game.
    fn open_room(
        &self,
        identity: RoomIdentity,
        history: Option<LevelHistory>,
    ) -> Result<RoomNumber, Text> {
        let mut rooms = lock(&self.rooms);
        if rooms.by_number.len() >= MAX_ROOMS {
            let mut empty = rooms.by_number.iter().filter(|(_, hosted)| hosted.room.is_empty());
            let Some(oldest) = empty.next().map(|(&number, _)| number) else {
                return Err(text!("Too many games are open: close a tab."));
            };
            self.close(&mut rooms, oldest);
        }
        rooms.rooms_made += 1;
        let (number, book) = (rooms.rooms_made, rooms.book.clone());
        let engines = rooms.engines.clone();
        let settings = Arc::new(RoomSettings { engines, ..(*self.settings).clone() });
        let room = Room::new(identity, settings, history, book, self.clock.now());
        let hosted = HostedRoom { room, clients: HashMap::new(), timer: None };
        rooms.by_number.insert(number, hosted);
        Ok(number)
    }

    /// Returns the room with this id and key.
    pub fn room(&self, id: &str, key: &str) -> Option<RoomNumber> {
        let rooms = lock(&self.rooms);
        let (number, room) = rooms.find(id)?;
        (room.identity().key == key).then_some(number)
    }

    /// Returns what an upload needs of a room.
    pub fn upload_context(&self, room: RoomNumber) -> Option<UploadContext> {
        lock(&self.rooms).by_number.get(&room).map(|hosted| hosted.room.upload_context())
    }

    /// Returns the bytes of a file of the game in the room with this id; `None` if there is no such
    /// room.
    pub fn record(&self, id: &str, format: Format) -> Option<Result<Vec<u8>, Text>> {
        lock(&self.rooms).find(id).map(|(_, room)| room.record(format))
    }

    /// Returns the bytes of an SGF file of the reviewed game in the room with this id; `None` if
    /// there is no such room.
    pub fn annotated_record(&self, id: &str) -> Option<Result<Vec<u8>, Text>> {
        lock(&self.rooms).find(id).map(|(_, room)| room.annotated_record())
    }

    /// Returns the text of a saved game's file.
    pub async fn saved_game(&self, id: String) -> Option<String> {
        self.storage.as_ref()?.read(id).await
    }
}

/// Returns a message as JSON.
pub fn text_of(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| {
        log::error!("a message is not JSON: {error}");
        String::from("{}")
    })
}

/// Returns 128 random bits as text.
fn secret() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};

    use kakugo::player::Resources;
    use kakugo::search::Networks;
    use kakugo_play_core::commands::Command;
    use kakugo_play_core::game::setup::{PlayerKind, Setup};
    use kakugo_play_core::parts::reviews::REVIEW_TIME;
    use serde_json::json;
    use tokio::runtime::Runtime;

    use super::*;

    /// Returns a runtime that a test waits on.
    fn runtime() -> Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    /// Waits until a host that was dropped has released its games: its storage is another thread.
    fn wait_for_release(games: &Path) {
        let is_lock = |path: PathBuf| path.extension().is_some_and(|kind| kind == "open");
        let began = Instant::now();
        while std::fs::read_dir(games).unwrap().any(|entry| is_lock(entry.unwrap().path())) {
            assert!(began.elapsed() < Duration::from_secs(60), "a game is still locked");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns a host of games for two humans, which are saved in this folder.
    fn host(games: &Path) -> Arc<Host> {
        let mut setup = Setup::default();
        setup.seats[1].player = PlayerKind::Human;
        let settings = RoomSettings {
            version: "0".to_owned(),
            engines: Vec::new(),
            setup: setup.checked(&[]).unwrap(),
            player_level: false,
            answer_pause: Duration::ZERO,
            review_time: REVIEW_TIME,
            saves: true,
            explores: false,
            max_local_file: 1 << 20,
            max_remote_file: 1 << 10,
        };
        let resources = Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::none() };
        let pool = PoolSettings { search_threads: 1, resources, engines: EngineList::default() };
        Host::start(settings, &pool, Some(Store::open(games.to_owned()).unwrap())).unwrap()
    }

    /// A browser tab on this machine.
    struct Tab<'a> {
        host: &'a Host,
        room: RoomNumber,
        owns: bool,
        client: ClientId,
        messages: std::cell::RefCell<mpsc::Receiver<Arc<str>>>,
    }

    impl Tab<'_> {
        fn open<'a>(host: &'a Host, wish: &Value) -> Result<Tab<'a>, Text> {
            let (room, owns) = runtime().block_on(host.admit(wish, true))?;
            let rights = Rights { plays: owns, is_local: true };
            let (client, messages) = host.join(room, rights).unwrap();
            Ok(Tab { host, room, owns, client, messages: messages.into() })
        }

        /// Sends a command, and returns the next message of one of these kinds.
        fn ask(&self, command: &Value, kinds: &[&str]) -> Value {
            self.received(&[]);
            let command: Command = serde_json::from_value(command.clone()).unwrap();
            self.host.handle(self.room, Event::Command { client: self.client, command });
            let storage = self.host.storage.as_ref().unwrap();
            // A reply of the storage may lead to another request.
            (0..3).for_each(|_| storage.flush());
            self.received(kinds).expect("an answer")
        }

        /// Takes all messages, and returns the last of one of these kinds.
        fn received(&self, kinds: &[&str]) -> Option<Value> {
            let mut last = None;
            while let Ok(text) = self.messages.borrow_mut().try_recv() {
                let message: Value = serde_json::from_str(&text).unwrap();
                if kinds.contains(&message["type"].as_str().unwrap()) {
                    last = Some(message);
                }
            }
            last
        }

        fn say(&self, command: Value) -> Value {
            let answer = self.ask(&command, &["state", "refused"]);
            assert_eq!(answer["type"], "state", "{answer}");
            answer
        }

        fn play(&self, points: &[(u8, u8)]) {
            for (x, y) in points {
                self.say(json!({ "do": "play", "x": x, "y": y }));
            }
        }

        fn state(&self) -> Value {
            self.received(&[]);
            self.host.handle(self.room, Event::Lagged { client: self.client });
            self.received(&["state"]).unwrap()
        }

        /// Returns id and key of the room, as a wish.
        fn wish(&self) -> Value {
            let rooms = lock(&self.host.rooms);
            let RoomIdentity { id, key } = rooms.by_number[&self.room].room.identity();
            json!({ "room": id, "key": key })
        }

        /// Returns the ids of the saved games.
        fn saved(&self) -> Vec<String> {
            let list = self.ask(&json!({ "do": "games" }), &["kept"]);
            let games = list["games"].as_array().unwrap();
            games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
        }
    }

    impl Drop for Tab<'_> {
        fn drop(&mut self) {
            self.host.leave(self.room, self.client);
        }
    }

    fn new_game() -> Value {
        json!({ "do": "new", "setup": { "width": 15, "height": 15, "rule": "freestyle", "win": 5,
            "seats": [{ "player": "human" }, { "player": "human" }], "opening": "free" } })
    }

    #[test]
    fn a_new_game_is_restored_even_without_a_stone() {
        let games = tempfile::tempdir().unwrap();
        let before = host(games.path());
        let tab = Tab::open(&before, &json!({})).unwrap();
        tab.play(&[(7, 7), (8, 8)]);
        let mut new = new_game();
        new["setup"]["width"] = json!(19);
        tab.say(new);
        let wish = tab.wish();
        // The latest game is found by the times of the files.
        std::thread::sleep(Duration::from_millis(20));
        before.shut_down();
        drop(tab);
        drop(before);
        wait_for_release(games.path());
        let after = host(games.path());
        let tab = Tab::open(&after, &wish).unwrap();
        let state = tab.state();
        assert_eq!((&state["width"], &state["moves"]), (&json!(19), &json!([])));
        assert_eq!(tab.saved().len(), 2);
        // A game without a stone is not worth saving when another takes its place.
        tab.say(new_game());
        assert_eq!(tab.saved().len(), 1);
    }

    #[test]
    fn spectators_may_be_back_before_the_player() {
        let games = tempfile::tempdir().unwrap();
        let before = host(games.path());
        let tab = Tab::open(&before, &json!({})).unwrap();
        let mut timed = new_game();
        timed["setup"]["turn_ms"] = json!(600_000);
        tab.say(timed);
        tab.play(&[(7, 7), (8, 8)]);
        let wish = tab.wish();
        let watch = json!({ "room": wish["room"], "watch": "yes" });
        before.shut_down();
        drop(tab);
        drop(before);
        wait_for_release(games.path());
        let after = host(games.path());
        let nothing = json!({ "room": "", "watch": "yes" });
        assert!(Tab::open(&after, &nothing).is_err());
        let spectator = Tab::open(&after, &watch).unwrap();
        let state = spectator.state();
        assert_eq!((&state["at"], spectator.owns), (&json!(2), false));
        assert_eq!(state["clock_runs"], false, "the player is not here yet");
        let player = Tab::open(&after, &wish).unwrap();
        assert!(player.owns);
        player.play(&[(9, 9)]);
        let state = spectator.state();
        assert_eq!((&state["at"], &state["clock_runs"]), (&json!(3), &json!(true)));
    }

    #[test]
    fn a_game_whose_tab_was_closed_is_opened_and_deleted_from_another() {
        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        let first = Tab::open(&host, &json!({})).unwrap();
        first.play(&[(7, 7), (8, 8)]);
        first.say(json!({ "do": "resign" }));
        let [id] = &first.saved()[..] else { panic!() };
        let (open, forget) =
            (json!({ "do": "open", "id": id }), json!({ "do": "forget", "id": id }));
        let second = Tab::open(&host, &json!({})).unwrap();
        assert_eq!(second.state()["at"], 0);
        let refused = second.ask(&open, &["state", "refused"]);
        assert!(refused["why"].to_string().contains("another tab"), "the tab is there");
        let wish = first.wish();
        drop(first);
        let state = second.ask(&open, &["state", "refused"]);
        assert_eq!((&state["at"], &state["end"]), (&json!(2), &json!("resigned")));
        // The tab that returns has a game of its own.
        let back = Tab::open(&host, &wish).unwrap();
        assert_eq!((&back.state()["at"], back.owns), (&json!(0), true));
        drop(second);
        let list = back.ask(&forget, &["kept", "refused"]);
        assert_eq!(list["games"], json!([]));
    }

    /// Returns the command for a game with a guest, and the guest's own.
    fn invitation() -> (Value, Value) {
        let token = "00112233445566778899aabbccddeeff";
        let mut new = new_game();
        new["guest"] = json!({ "seat": 1, "token": token });
        (new, json!({ "do": "sit", "token": token, "browser": "f".repeat(32) }))
    }

    #[test]
    fn a_host_whose_tab_was_closed_gets_the_seat_back_while_the_guest_is_there() {
        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        let (new, sit) = invitation();
        let first = Tab::open(&host, &json!({})).unwrap();
        first.say(new);
        let wish = first.wish();
        let watch = json!({ "room": wish["room"], "watch": "yes" });
        let guest = Tab::open(&host, &watch).unwrap();
        assert!(!guest.owns);
        guest.say(sit);
        first.play(&[(7, 7)]);
        // Another tab of the same browser has a game of its own as long as the first is there.
        let back = json!({ "back": wish });
        assert_ne!(Tab::open(&host, &back).unwrap().room, first.room);
        let wrong = json!({ "back": { "room": wish["room"], "key": "0" } });
        drop(first);
        assert_eq!(guest.state()["pair"]["here"], json!([false, true]));
        assert_ne!(Tab::open(&host, &wrong).unwrap().room, guest.room);
        let again = Tab::open(&host, &back).unwrap();
        assert_eq!((again.room, again.owns), (guest.room, true));
        guest.play(&[(8, 8)]);
        again.play(&[(9, 9)]);
    }

    #[test]
    fn the_link_of_a_guest_leads_to_the_game_after_a_restart() {
        let games = tempfile::tempdir().unwrap();
        let before = host(games.path());
        let (new, sit) = invitation();
        let tab = Tab::open(&before, &json!({})).unwrap();
        tab.say(new);
        let wish = tab.wish();
        let watch = json!({ "room": wish["room"], "watch": "yes" });
        let guest = Tab::open(&before, &watch).unwrap();
        guest.say(sit.clone());
        before.shut_down();
        drop((guest, tab));
        drop(before);
        wait_for_release(games.path());
        // The host has a fresh tab, which knows nothing of the room.
        let after = host(games.path());
        let tab = Tab::open(&after, &json!({})).unwrap();
        let guest = Tab::open(&after, &watch).unwrap();
        assert_eq!(guest.room, tab.room);
        guest.say(sit);
        assert_eq!(tab.state()["pair"]["here"], json!([true, true]));
        tab.play(&[(7, 7)]);
        guest.play(&[(8, 8)]);
    }

    #[test]
    fn a_tab_without_a_wish_gets_the_latest_game_back_if_nobody_has_it() {
        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        let first = Tab::open(&host, &json!({})).unwrap();
        first.play(&[(7, 7), (8, 8)]);
        let room = first.room;
        drop(first);
        let again = Tab::open(&host, &json!({})).unwrap();
        assert_eq!((again.room, &again.state()["at"]), (room, &json!(2)));
        let other = Tab::open(&host, &json!({})).unwrap();
        assert_ne!(other.room, room);
    }

    #[test]
    fn a_slow_client_gets_everything_again() {
        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        let tab = Tab::open(&host, &json!({})).unwrap();
        let play = |x: u8, y: u8| {
            let command = serde_json::from_value(json!({ "do": "play", "x": x, "y": y })).unwrap();
            host.handle(tab.room, Event::Command { client: tab.client, command });
        };
        for n in 0..40 {
            play(n % 15, n / 15 * 2);
        }
        let old = tab.received(&["state"]).unwrap();
        assert!(old["at"].as_u64() < Some(40));
        host.tick();
        assert_eq!(tab.received(&["state"]).unwrap()["at"], 40);
    }

    /// Adds room 0, which has the id `id`, with one client.
    fn with_client(
        host: &Arc<Host>,
        settings: RoomSettings,
    ) -> (ClientId, mpsc::Receiver<Arc<str>>) {
        let identity = RoomIdentity { id: "id".to_owned(), key: "key".to_owned() };
        let room = Room::new(identity, Arc::new(settings), None, None, host.clock.now());
        let hosted = HostedRoom { room, clients: HashMap::new(), timer: None };
        lock(&host.rooms).by_number.insert(0, hosted);
        host.join(0, Rights { plays: true, is_local: true }).unwrap()
    }

    fn assert_has_ended(
        host: &Arc<Host>,
        client: ClientId,
        mut messages: mpsc::Receiver<Arc<str>>,
    ) {
        while messages.try_recv().is_ok() {}
        assert!(messages.is_closed(), "the client is disconnected");
        host.leave(0, client);
        assert!(lock(&host.rooms).find("id").is_none());
    }

    #[test]
    fn a_room_that_is_abandoned_ends_alone() {
        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        let tab = Tab::open(&host, &json!({})).unwrap();
        let (client, messages) = with_client(&host, (*host.settings).clone());
        host.abandon(&mut lock(&host.rooms), 0);
        assert_has_ended(&host, client, messages);
        tab.play(&[(7, 7)]);
    }

    // Only checks of the invariants, which release builds lack, know an event that makes a room
    // panic.
    #[test]
    #[cfg(debug_assertions)]
    fn a_room_that_panics_is_abandoned() {
        use kakugo_play_core::{game::live::LiveGame, saved_game};

        let games = tempfile::tempdir().unwrap();
        let host = host(games.path());
        // A room that saves no games cannot have a saved one.
        let settings = RoomSettings { saves: false, ..(*host.settings).clone() };
        let text = saved_game::write("id", "key", true, &LiveGame::new(settings.setup.clone()));
        let (client, messages) = with_client(&host, settings);
        host.handle(0, Event::Restored { id: "game".to_owned(), text, for_spectators: false });
        assert_has_ended(&host, client, messages);
    }
}
