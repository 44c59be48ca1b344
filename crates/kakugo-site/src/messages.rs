//! Messages between the driver and the core worker's script.

use kakugo_play_core::event::StorageRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::wire::{JobWire, ProgressWire, ResultWire};

/// An input with its time.
#[derive(Deserialize, Debug)]
pub struct Timed {
    /// Milliseconds since the worker started.
    pub now: f64,
    /// Milliseconds since 1970.
    pub utc: f64,
    /// The input.
    #[serde(flatten)]
    pub input: Input,
}

/// An input of the driver.
#[derive(Deserialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Input {
    /// Open the room.
    Open {
        /// Id and key of the room: those that the page returns to, or random ones.
        room: String,
        /// See `room`.
        key: String,
        /// What the page has stored: `level`.
        wish: Value,
        /// Number of search workers.
        workers: usize,
        /// True if running searches can be signalled, so that they answer early.
        signals: bool,
        /// True if games can be saved.
        saves: bool,
        /// The latest saved game that this tab may have, and has locked.
        found: Option<Found>,
    },
    /// The page has connected.
    Joined,
    /// The page is being left, and may come back.
    Left,
    /// The page sends a command.
    Command {
        /// The command.
        command: Value,
    },
    /// Time has passed.
    Tick,
    /// A search has made progress.
    Progress {
        /// Number of the job.
        job: u64,
        /// The progress, if it has changed.
        progress: Option<ProgressWire>,
        /// Nodes so far.
        nodes: u64,
    },
    /// A search has ended.
    Finished {
        /// Index of the worker.
        worker: usize,
        /// Number of the job.
        job: u64,
        /// The result.
        result: ResultWire,
    },
    /// A worker has ended and was replaced: because it was told so, or with this error.
    Lost {
        /// Index of the worker.
        worker: usize,
        /// The error.
        error: Option<String>,
    },
    /// The storage has answered.
    Storage(Stored),
    /// The page asks for something that is no command; the reply has the same number.
    Request {
        /// Number of the request.
        id: u64,
        /// What it asks for.
        request: Request,
    },
}

/// A saved game.
#[derive(Deserialize, Clone, Debug)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// The text of its file.
    pub text: String,
    /// True if the page returns to the room of this game.
    #[serde(default)]
    pub returns: bool,
}

/// An answer of the storage.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// A game could not be saved.
    Failed {
        /// Its id.
        id: String,
        /// The name of the browser's error.
        name: String,
        /// The reason.
        error: String,
    },
    /// A game was loaded.
    Loaded {
        /// Its id.
        id: String,
        /// The text; `None` if it cannot be read.
        text: Option<String>,
        /// True if another tab has it.
        in_use: bool,
    },
    /// A game was deleted, or not because another tab has it or the browser failed.
    Deleted {
        /// True if it was deleted.
        deleted: bool,
        /// True if the browser failed to delete it.
        #[serde(default)]
        failed: bool,
    },
    /// All games, the latest first.
    Listed {
        /// The games.
        games: Vec<Found>,
    },
    /// The journal of practice.
    Journal {
        /// Its lines.
        text: String,
    },
    /// The results that count for the rating.
    Results {
        /// One game per line, oldest first.
        text: String,
    },
    /// The latest games.
    Latest {
        /// Texts of their files.
        texts: Vec<String>,
    },
}

/// A request besides the commands.
#[derive(Deserialize, Clone, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Request {
    /// Open the attached file.
    Open(FileAbout),
    /// Explore the openings of the attached file.
    Explore(FileAbout),
    /// Practise the positions of the attached file.
    Practise(FileAbout),
    /// List more games of the latest file.
    More {
        /// Index of the first one.
        number: usize,
    },
    /// Show a game of the latest file.
    Choose {
        /// Its index.
        number: usize,
        /// `yes` if it is to be set up in the position editor.
        #[serde(default)]
        edit: String,
    },
    /// Return the game on the board as a file.
    Record {
        /// Name of the file, whose extension is the format.
        name: String,
        /// `top` if pos text counts rows from the top.
        #[serde(default)]
        rows: String,
        /// `yes` for SGF with the review.
        #[serde(default)]
        annotated: String,
    },
    /// Return saved games, whose texts are attached as a list, as one SGF file.
    Export,
}

/// What is known of a file.
#[derive(Deserialize, Clone, Debug)]
pub struct FileAbout {
    /// Its name.
    pub name: String,
    /// `top` if pos text counts rows from the top.
    #[serde(default)]
    pub rows: String,
    /// The rule if the file does not state it.
    #[serde(default)]
    pub rule: String,
    /// `yes` if a game is to be set up in the position editor.
    #[serde(default)]
    pub edit: String,
}

/// An output of the driver, to be performed in order.
#[derive(Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Output {
    /// Send a message to the page.
    Send {
        /// The message.
        message: Value,
    },
    /// Run a job on a worker.
    Run {
        /// Index of the worker.
        worker: usize,
        /// The task.
        task: Box<Task>,
        /// Word of the rule whose network is needed.
        rule: Option<String>,
    },
    /// Stop the job on a worker: its result is not needed. The worker is lost, or the job finishes.
    Interrupt {
        /// Index of the worker.
        worker: usize,
    },
    /// Ask the job on a worker for its result.
    AnswerNow {
        /// Index of the worker.
        worker: usize,
    },
    /// End a worker whose job is over for the driver.
    Discard {
        /// Index of the worker.
        worker: usize,
    },
    /// Ask the storage.
    Storage(StorageWire),
    /// Reply to a request; a file is attached unless there is an error or JSON.
    Reply {
        /// Number of the request.
        id: u64,
        /// The result as JSON.
        json: Option<Value>,
        /// The reason of a refusal.
        error: Option<Value>,
    },
    /// Send the next tick after this many milliseconds; `None`: not before another input.
    Wait {
        /// Milliseconds.
        ms: Option<f64>,
    },
}

/// A task of a search worker.
#[derive(Serialize, Deserialize, Debug)]
pub struct Task {
    /// Number of the job.
    pub number: u64,
    /// The job.
    pub job: JobWire,
    /// Milliseconds of its thinking time that have passed.
    pub elapsed: f64,
    /// True if it is to answer at once.
    pub at_once: bool,
}

/// A request to the storage.
#[derive(Serialize, Debug)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum StorageWire {
    /// Save a game, which this tab has from now on.
    Save {
        /// Its id.
        id: String,
        /// Its text.
        text: String,
        /// Id and key of the room.
        room: String,
        /// See `room`.
        key: String,
    },
    /// This tab does not have the game any more.
    Release {
        /// Its id.
        id: String,
    },
    /// Make a game that this tab has that of the room, which the page returns to.
    Claim {
        /// Its id.
        id: String,
        /// Id and key of the room.
        room: String,
        /// See `room`.
        key: String,
    },
    /// Load a game, which this tab has from now on.
    Load {
        /// Its id.
        id: String,
        /// Id and key of the room.
        room: String,
        /// See `room`.
        key: String,
    },
    /// Delete a game that this tab has.
    Discard {
        /// Its id.
        id: String,
    },
    /// Delete a game unless another tab has it.
    Delete {
        /// Its id.
        id: String,
    },
    /// List all games.
    List,
    /// Add a line to the journal of practice.
    Note {
        /// The line.
        line: String,
    },
    /// Read the journal of practice.
    Journal,
    /// Read the results that count for the rating.
    Results,
    /// Add a result to them, and read all.
    AddResult {
        /// The line of the game.
        line: String,
    },
    /// Read the latest games.
    Latest {
        /// Number of games.
        count: usize,
    },
}

impl StorageWire {
    /// Returns a request of a room with this id and key.
    pub fn new(request: StorageRequest, room: &str, key: &str) -> StorageWire {
        match request {
            StorageRequest::Save { id, text } => {
                StorageWire::Save { id, text, room: room.to_owned(), key: key.to_owned() }
            }
            StorageRequest::Release { id } => StorageWire::Release { id },
            StorageRequest::Load { id, .. } => {
                StorageWire::Load { id, room: room.to_owned(), key: key.to_owned() }
            }
            StorageRequest::Discard { id } => StorageWire::Discard { id },
            StorageRequest::Delete { id, .. } => StorageWire::Delete { id },
            StorageRequest::List { .. } => StorageWire::List,
            StorageRequest::Note { line } => StorageWire::Note { line },
            StorageRequest::Journal => StorageWire::Journal,
            StorageRequest::Results => StorageWire::Results,
            StorageRequest::AddResult { line } => StorageWire::AddResult { line },
            StorageRequest::Latest { count } => StorageWire::Latest { count },
        }
    }
}
