//! Events and effects: all that goes into a room and comes out of it.

use std::sync::Arc;

use kakugo_record::book::Book;
use kakugo_record::game_tree::GameTree;
use kakugo_record::text::Text;

use crate::collection::Collection;
use crate::commands::Command;
use crate::game::live::LiveGame;
use crate::game_file::GameFile;
use crate::jobs::{Job, JobId, JobUpdate};
use crate::messages::Message;
use crate::now::Time;

/// The number of a client: a browser tab, or the terminal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// The rights of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rights {
    /// True if it plays; others watch.
    pub plays: bool,
    /// True if it is on this machine, whose user owns the saved games.
    pub is_local: bool,
}

/// An event: the input of a room.
#[derive(Clone, Debug)]
pub enum Event {
    /// A client has joined.
    Joined {
        /// The client.
        client: ClientId,
        /// Its rights.
        rights: Rights,
    },
    /// A client has left.
    Left {
        /// The client.
        client: ClientId,
    },
    /// A client has missed messages: it needs all of them again.
    Lagged {
        /// The client.
        client: ClientId,
    },
    /// A client sends a command.
    Command {
        /// The client.
        client: ClientId,
        /// The command.
        command: Command,
    },
    /// A job has changed.
    Job {
        /// The job.
        job: JobId,
        /// The change.
        update: JobUpdate,
    },
    /// The storage has answered a request.
    Storage(StorageReply),
    /// An uploaded file has been read.
    File(FileEvent),
    /// The files to explore have been read.
    BookRead(Arc<Book>),
    /// There are other engines: those before, and more after them.
    EnginesAdded {
        /// The names of all.
        engines: Vec<String>,
    },
    /// The room is for a saved game, which its clients have played before.
    Restored {
        /// Id of the game.
        id: String,
        /// Text of its file.
        text: String,
        /// True if spectators are back before the player: the clock waits.
        for_spectators: bool,
    },
    /// A client returns to the room, which it has found by its game.
    Returned,
    /// Another room needs this saved game. To be sent to rooms without clients.
    Yield {
        /// Id of the game.
        id: String,
    },
    /// The time of the latest [`Effect::Timer`] has come.
    Tick,
    /// The program ends: the game is saved even if it has no moves, if clients would look for it.
    Shutdown,
    /// The room ends.
    Closed,
}

/// An uploaded file.
#[derive(Clone, Debug)]
pub enum FileEvent {
    /// Show this game of the file.
    Show {
        /// The game.
        game: Box<LiveGame>,
        /// A message about the game, for the player.
        notice: Option<Text>,
    },
    /// Set up the position of this game in the editor.
    Edit(Box<LiveGame>),
    /// Practise its positions.
    Practise(Arc<Collection>),
    /// Keep the file: one of its games will be chosen.
    Keep(Arc<GameFile>),
    /// Explore the file's games.
    Explore(Arc<Book>),
}

/// An answer of the storage.
#[derive(Clone, Debug)]
pub enum StorageReply {
    /// A game could not be saved.
    SaveFailed {
        /// Id of the game.
        id: String,
        /// The reason.
        error: SaveError,
    },
    /// A game was loaded: the room owns it now.
    Loaded {
        /// The client that asked for it.
        client: ClientId,
        /// Id of the game.
        id: String,
        /// Text of its file.
        text: Result<String, LoadError>,
    },
    /// A game was deleted, or not.
    Deleted {
        /// The client that asked for it.
        client: ClientId,
        /// The reason if it was not.
        result: Result<(), DeleteError>,
    },
    /// The list of saved games.
    Listed {
        /// The client that asked for it.
        client: ClientId,
        /// Ids and records, latest first.
        games: Vec<(String, GameTree)>,
    },
    /// The journal of practice.
    Journal {
        /// Its lines.
        text: String,
    },
    /// The results of games that count for the rating.
    Results {
        /// One game per line, oldest first.
        text: String,
    },
    /// The latest saved games.
    Latest {
        /// Texts of their files, latest first.
        texts: Vec<String>,
    },
}

/// The reason why a game was not saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SaveError {
    /// A file could not be written.
    File(String),
    /// The browser gives no more space.
    Full,
    /// Another room owns the game.
    InUse,
    /// Any other error.
    Other(String),
}

/// The reason why a game was not loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// Another room owns it.
    InUse,
    /// It does not exist or cannot be read.
    Unreadable,
}

/// The reason why a game was not deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeleteError {
    /// Another room owns it.
    InUse,
    /// Its file could not be removed.
    File,
    /// Any other error.
    Other,
}

/// A request to the storage, which keeps the order of a room's requests.
#[derive(Clone, PartialEq, Debug)]
pub enum StorageRequest {
    /// Save a game. The room owns it from the first time on.
    Save {
        /// Id of the game.
        id: String,
        /// Text of its file.
        text: String,
    },
    /// The room does not own the game any more.
    Release {
        /// Id of the game.
        id: String,
    },
    /// Load a game and own it.
    Load {
        /// The client that asks for it.
        client: ClientId,
        /// Id of the game.
        id: String,
    },
    /// Delete a game that the room owns.
    Discard {
        /// Id of the game.
        id: String,
    },
    /// Delete a game unless another room owns it.
    Delete {
        /// The client that asks for it.
        client: ClientId,
        /// Id of the game.
        id: String,
    },
    /// List the saved games.
    List {
        /// The client that asks for it.
        client: ClientId,
    },
    /// Add a line to the journal of practice.
    Note {
        /// The line.
        line: String,
    },
    /// Read the journal of practice.
    Journal,
    /// Read the results of games that count for the rating.
    Results,
    /// Add a result to them, and read all.
    AddResult {
        /// The line of the game.
        line: String,
    },
    /// Read this many of the latest games.
    Latest {
        /// Number of games.
        count: usize,
    },
}

/// The clients that a message is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recipient {
    /// All clients of the room.
    All,
    /// One client.
    One(ClientId),
}

/// An effect: the output of a room, to be performed in order.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Send a message.
    Send {
        /// The recipient.
        to: Recipient,
        /// The message.
        message: Message,
    },
    /// Start a job.
    StartJob {
        /// Its number.
        id: JobId,
        /// The job.
        job: Job,
    },
    /// Stop a job: no update of it is awaited any more.
    StopJob {
        /// Its number.
        id: JobId,
    },
    /// Ask a job for its result now.
    AnswerNow {
        /// Its number.
        id: JobId,
    },
    /// Ask the storage.
    Storage(StorageRequest),
    /// Send [`Event::Tick`] at this time instead of the one before; never, if it is `None`.
    Timer(Option<Time>),
}
