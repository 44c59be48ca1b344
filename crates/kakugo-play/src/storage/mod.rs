//! The storage: a thread that reads and writes saved games, so that nobody else waits for the disk.
//!
//! It keeps the order of requests, and holds the locks of the games that rooms own.

mod game_lock;
pub mod store;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::{io, thread};

use kakugo_play_core::event::{DeleteError, LoadError, SaveError, StorageReply, StorageRequest};
use kakugo_play_core::saved_game::{self, SavedGame};
use tokio::sync::oneshot;

use game_lock::GameLock;
use store::Store;

/// Called with the number of a room and the reply to its request, on the storage's thread.
pub type Reply = Box<dyn Fn(u64, StorageReply) + Send>;

/// A search for a saved game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// The latest game of the room with this id, and with this key unless it is `None`.
    Room {
        /// The id.
        id: String,
        /// The key.
        key: Option<String>,
    },
    /// The latest game to which the secret of this invitation leads, if that goes on.
    Invitation(String),
    /// The latest game, if it was started as a game and goes on.
    Ongoing,
}

/// A saved game that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Id of the game.
    pub game: String,
    /// Id of its room.
    pub room: String,
    /// Key of its room.
    pub key: String,
    /// True if two people play it: the link of the guest leads to the room.
    pub is_paired: bool,
}

/// A task of the thread.
enum Task {
    Request(u64, StorageRequest),
    /// Release all games of a room.
    Forget(u64),
    Find(Query, oneshot::Sender<Option<Found>>),
    /// Own a game and read it.
    Take(u64, String, oneshot::Sender<Option<String>>),
    /// Read the record of a game.
    Read(String, oneshot::Sender<Option<String>>),
    Flush(Sender<()>),
}

/// The storage. Its thread ends when this is dropped.
pub struct Storage {
    tasks: Sender<Task>,
}

impl Storage {
    /// Starts the thread.
    ///
    /// # Errors
    /// Returns an error if the system has no thread left.
    pub fn start(store: Store, engines: Vec<String>, reply: Reply) -> io::Result<Storage> {
        let (tasks, receiver) = channel();
        let worker = Worker { store, engines, reply, locks: HashMap::new() };
        thread::Builder::new().name("storage".to_owned()).spawn(move || worker.run(&receiver))?;
        Ok(Storage { tasks })
    }

    fn send(&self, task: Task) {
        if self.tasks.send(task).is_err() {
            log::error!("the storage thread has ended");
        }
    }

    /// Performs a request of a room.
    pub fn request(&self, room: u64, request: StorageRequest) {
        self.send(Task::Request(room, request));
    }

    /// Releases all games that a room owns.
    pub fn forget(&self, room: u64) {
        self.send(Task::Forget(room));
    }

    async fn ask<T>(&self, task: impl FnOnce(oneshot::Sender<T>) -> Task) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        self.send(task(sender));
        answer.await.ok()
    }

    /// Finds a saved game.
    pub async fn find(&self, query: Query) -> Option<Found> {
        self.ask(|sender| Task::Find(query, sender)).await.flatten()
    }

    /// Makes a room own a saved game, and returns the text of its file; `None` if it is open
    /// elsewhere or cannot be read.
    pub async fn take(&self, room: u64, id: String) -> Option<String> {
        self.ask(|sender| Task::Take(room, id, sender)).await.flatten()
    }

    /// Returns the text of a saved game's file.
    pub async fn read(&self, id: String) -> Option<String> {
        self.ask(|sender| Task::Read(id, sender)).await.flatten()
    }

    /// Waits until all requests have been performed.
    pub fn flush(&self) {
        let (sender, done) = channel();
        self.send(Task::Flush(sender));
        let _ = done.recv();
    }
}

/// The thread's side of the storage.
struct Worker {
    store: Store,
    engines: Vec<String>,
    reply: Reply,
    /// Locks of the games that rooms own.
    locks: HashMap<(u64, String), GameLock>,
}

impl Worker {
    fn run(mut self, tasks: &Receiver<Task>) {
        while let Ok(task) = tasks.recv() {
            match task {
                Task::Request(room, request) => {
                    if let Some(reply) = self.perform(room, request) {
                        (self.reply)(room, reply);
                    }
                }
                Task::Forget(room) => self.locks.retain(|(owner, _), _| *owner != room),
                Task::Find(query, answer) => _ = answer.send(self.find(&query)),
                Task::Take(room, id, answer) => _ = answer.send(self.take(room, &id).ok()),
                Task::Read(id, answer) => _ = answer.send(self.store.read(&id)),
                Task::Flush(done) => _ = done.send(()),
            }
        }
    }

    /// Performs a request of a room, and returns the reply if it has one.
    fn perform(&mut self, room: u64, request: StorageRequest) -> Option<StorageReply> {
        match request {
            StorageRequest::Save { id, text } => {
                let error = self.save(room, &id, &text).err()?;
                Some(StorageReply::SaveFailed { id, error: SaveError::File(error.to_string()) })
            }
            StorageRequest::Release { id } => {
                self.locks.remove(&(room, id));
                None
            }
            StorageRequest::Load { client, id } => {
                let text = self.take(room, &id);
                Some(StorageReply::Loaded { client, id, text })
            }
            StorageRequest::Discard { id } => {
                if let Err(error) = self.store.delete(&id) {
                    log::error!("game {id} could not be deleted: {error}");
                }
                self.locks.remove(&(room, id));
                None
            }
            StorageRequest::Delete { client, id } => {
                Some(StorageReply::Deleted { client, result: self.delete(&id) })
            }
            StorageRequest::List { client } => {
                Some(StorageReply::Listed { client, games: self.store.list() })
            }
            StorageRequest::Note { line } => {
                if let Err(error) = self.store.note(&line) {
                    log::error!("a result of practice could not be saved: {error}");
                }
                None
            }
            StorageRequest::Journal => Some(StorageReply::Journal { text: self.store.journal() }),
            StorageRequest::Results => Some(self.results()),
            StorageRequest::AddResult { line } => {
                if let Err(error) = self.store.add_result(&line) {
                    log::error!("the result of a game could not be saved: {error}");
                }
                Some(self.results())
            }
            StorageRequest::Latest { count } => {
                let latest = self.store.latest().into_iter().take(count);
                let texts = latest.filter_map(|id| self.store.read(&id)).collect();
                Some(StorageReply::Latest { texts })
            }
        }
    }

    /// Locks a game, or returns `None` if a room or another program owns it.
    fn lock(&self, id: &str) -> Option<GameLock> {
        let is_owned = self.locks.keys().any(|(_, owned)| owned == id);
        if is_owned { None } else { self.store.lock(id) }
    }

    fn delete(&self, id: &str) -> Result<(), DeleteError> {
        let _lock = self.lock(id).ok_or(DeleteError::InUse)?;
        self.store.delete(id).map_err(|error| {
            log::error!("game {id} could not be deleted: {error}");
            DeleteError::File
        })
    }

    fn results(&self) -> StorageReply {
        StorageReply::Results { text: self.store.results() }
    }

    fn save(&mut self, room: u64, id: &str, text: &str) -> io::Result<()> {
        let key = (room, id.to_owned());
        if !self.locks.contains_key(&key) {
            let taken = || io::Error::other("the game is open elsewhere");
            let lock = self.lock(id).ok_or_else(taken)?;
            self.locks.insert(key, lock);
        }
        self.store.write(id, text)
    }

    fn take(&mut self, room: u64, id: &str) -> Result<String, LoadError> {
        let lock = self.lock(id).ok_or(LoadError::InUse)?;
        let text = self.store.read(id).ok_or(LoadError::Unreadable)?;
        self.locks.insert((room, id.to_owned()), lock);
        Ok(text)
    }

    fn find(&self, query: &Query) -> Option<Found> {
        // Most games are not even parsed: anybody may ask for any room.
        let read_with = |secret: &str, id: String| {
            let text = self.store.read(&id).filter(|text| text.contains(secret))?;
            Some((saved_game::read(&text, &self.engines)?, id))
        };
        let found = |(saved, game): (SavedGame, String)| {
            let is_paired = saved.pairing.is_some();
            Found { game, room: saved.room, key: saved.key, is_paired }
        };
        let mut latest = self.store.latest().into_iter();
        match query {
            Query::Room { id, key } => {
                let is_wanted = |(saved, _): &(SavedGame, String)| {
                    saved.room == *id && key.as_ref().is_none_or(|key| saved.key == *key)
                };
                latest.filter_map(|game| read_with(id, game)).find(is_wanted).map(found)
            }
            Query::Invitation(token) => {
                let pairing = |saved: &SavedGame| {
                    saved.pairing.clone().filter(|pairing| pairing.token == *token)
                };
                let mut invited = latest.filter_map(|game| read_with(token, game));
                let latest = invited.find(|(saved, _)| pairing(saved).is_some());
                let ongoing = |(saved, _): &(SavedGame, String)| {
                    pairing(saved).is_some_and(|pairing| !pairing.over)
                };
                latest.filter(ongoing).map(found)
            }
            Query::Ongoing => {
                let ongoing = |(saved, _): &(SavedGame, String)| {
                    saved.begun && saved.game.main_end().is_none()
                };
                let latest = latest.next().and_then(|game| read_with("", game));
                latest.filter(ongoing).map(found)
            }
        }
    }
}
