//! The driver of the room: it performs the room's effects, and decides by the scheduler which
//! search worker runs which job.
//!
//! Like the room it has no I/O: the core worker's script passes inputs with their time, and
//! performs the outputs.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use kakugo_play_core::commands::Command;
use kakugo_play_core::decisions::MoveRequest;
use kakugo_play_core::event::{
    ClientId, DeleteError, Effect, Event, LoadError, Rights, SaveError, StorageReply,
    StorageRequest,
};
use kakugo_play_core::game::live::Action;
use kakugo_play_core::game::opening::Next;
use kakugo_play_core::game::setup::{Seat, Setup};
use kakugo_play_core::job_runs::JobRuns;
use kakugo_play_core::jobs::{Job, JobId, JobResult, JobUpdate};
use kakugo_play_core::messages::Message;
use kakugo_play_core::now::{Now, Time};
use kakugo_play_core::parts::level_history::LevelHistory;
use kakugo_play_core::parts::reviews::REVIEW_TIME;
use kakugo_play_core::progress::Progress;
use kakugo_play_core::room::{Room, RoomIdentity, RoomSettings};
use kakugo_play_core::saved_game;
use kakugo_play_core::scheduler::{Assignment, End, Scheduler};
use kakugo_play_core::uploads::{Upload, UploadKind};
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};
use serde::Deserialize;
use serde_json::Value;
use time::UtcDateTime;

use crate::messages::{FileAbout, Found, Input, Output, Request, StorageWire, Stored, Task, Timed};
use crate::wire::JobWire;

/// The page.
const CLIENT: ClientId = ClientId(1);
/// The rights of the page.
const RIGHTS: Rights = Rights { plays: true, is_local: true };
/// Size limit of files, in bytes: a module has 4 GB.
const MAX_FILE: usize = 64 << 20;
/// Time from the beginning of a computer's turn before which its move is not played.
const ANSWER_PAUSE: Duration = Duration::from_millis(600);
/// Interval of ticks while jobs wait or run.
const TICK: Duration = Duration::from_millis(120);

/// The driver.
#[derive(Default)]
pub struct Driver {
    open: Option<OpenRoom>,
}

/// The room with its searches.
struct OpenRoom {
    room: Room,
    scheduler: Scheduler<JobId>,
    entries: BTreeMap<JobId, Entry>,
    /// The job that each worker runs.
    workers: Vec<Option<JobId>>,
    signals: bool,
    timer: Option<Time>,
    outputs: Vec<Output>,
    /// The file of a reply.
    attachment: Vec<u8>,
}

/// A job that waits or runs.
struct Entry {
    job: Job,
    runs: JobRuns,
    /// True if it is to answer as soon as it has an answer.
    at_once: bool,
    /// True if a worker has ended during an earlier run: it is not run a third time.
    was_lost: bool,
    /// The latest progress of this run, and its nodes.
    progress: Progress,
    nodes: u64,
}

impl Entry {
    fn new(job: Job, now: Time) -> Entry {
        Entry {
            job,
            runs: JobRuns::new(now),
            at_once: false,
            was_lost: false,
            progress: Progress::default(),
            nodes: 0,
        }
    }

    /// The job was interrupted and waits again.
    fn interrupt(&mut self, now: Time) {
        self.runs.interrupt(self.nodes, now);
        (self.progress, self.nodes) = (Progress::default(), 0);
    }

    /// Returns the stone of the best line so far, as the result of a search that cannot be asked.
    fn early_result(&self) -> Option<JobResult> {
        let stone = || {
            let progress = self.progress.clone().sorted();
            progress.best()?.moves.first().copied().map(|p| vec![Action::Stone(p)])
        };
        match &self.job {
            Job::Move(request) if request.next == Next::Turn => {
                let MoveRequest { board, opening, next, .. } = &**request;
                let stone = stone()?;
                let is_legal = |p| opening.objects_to(board, next, p).is_none();
                let legal = |action: &Action| !matches!(action, Action::Stone(p) if !is_legal(*p));
                stone.iter().all(legal).then_some(JobResult::Move(Ok(stone)))
            }
            Job::Hint(request) if request.next == Next::Turn => {
                stone().map(|actions| JobResult::Hint { actions, idea: None })
            }
            _ => None,
        }
    }
}

impl Driver {
    /// Handles an input with its attachment. Returns a JSON list of outputs in one line, and after
    /// a line feed the file of a reply.
    pub fn answer(&mut self, input: &str, attachment: Vec<u8>) -> Vec<u8> {
        let timed: Timed = match serde_json::from_str(input) {
            Ok(timed) => timed,
            Err(error) => {
                log::error!("invalid input: {error}");
                return b"[]".to_vec();
            }
        };
        let (outputs, file) = self.handle(timed, attachment);
        let mut answer = serde_json::to_vec(&outputs).unwrap_or_else(|_| b"[]".to_vec());
        if !file.is_empty() {
            answer.push(b'\n');
            answer.extend(file);
        }
        answer
    }

    /// Handles an input, and returns the outputs and the file of a reply.
    fn handle(&mut self, timed: Timed, attachment: Vec<u8>) -> (Vec<Output>, Vec<u8>) {
        let now = now_of(&timed);
        match (timed.input, &mut self.open) {
            (Input::Open { room, key, wish, workers, signals, saves, found }, _) => {
                let offered = found.as_ref().map(|found| (found.id.clone(), found.returns));
                let identity = RoomIdentity { id: room, key };
                let (room, event) = opened(identity, &wish, saves, found, now);
                let open = self.open.insert(OpenRoom {
                    room,
                    scheduler: Scheduler::new(workers),
                    entries: BTreeMap::new(),
                    workers: vec![None; workers.max(1)],
                    signals,
                    timer: None,
                    outputs: Vec::new(),
                    attachment: Vec::new(),
                });
                match (event, offered) {
                    (Some(event), offered) => {
                        if let Some((id, false)) = offered {
                            open.claim(id);
                        }
                        open.dispatch(event, now);
                    }
                    // Another tab may have the game.
                    (None, Some((id, _))) => open.store(StorageRequest::Release { id }),
                    (None, None) => {}
                }
                open.take_outputs(now)
            }
            (input, Some(open)) => {
                open.handle(input, attachment, now);
                open.take_outputs(now)
            }
            (_, None) => (Vec::new(), Vec::new()),
        }
    }
}

fn now_of(timed: &Timed) -> Now {
    let since_start = Duration::try_from_secs_f64(timed.now / 1000.0).unwrap_or_default();
    let seconds = (timed.utc / 1000.0) as i64;
    let utc = UtcDateTime::from_unix_timestamp(seconds).unwrap_or(UtcDateTime::UNIX_EPOCH);
    Now { time: Time::from_start(since_start), utc }
}

/// Returns a room, and the event that puts a saved game on its board: the game of the room that the
/// page returns to, or else a game that goes on.
fn opened(
    identity: RoomIdentity,
    wish: &Value,
    saves: bool,
    found: Option<Found>,
    now: Now,
) -> (Room, Option<Event>) {
    let wanted = found.filter(|found| {
        let saved = saved_game::read(&found.text, &[]);
        let goes_on = |saved: saved_game::SavedGame| saved.begun && saved.game.main_end().is_none();
        found.returns || saved.is_some_and(goes_on)
    });
    let setup = Setup::default();
    let seats = setup.seats.map(|seat| Seat { name: String::new(), ..seat });
    let setup = Setup { seats, ..setup };
    let settings = RoomSettings {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines: Vec::new(),
        setup: setup.clone().checked(&[]).unwrap_or(setup),
        player_level: true,
        answer_pause: ANSWER_PAUSE,
        review_time: REVIEW_TIME,
        saves,
        explores: false,
        max_local_file: MAX_FILE,
        max_remote_file: MAX_FILE,
    };
    let history = LevelHistory::deserialize(&wish["level"]).ok();
    let room = Room::new(identity, Arc::new(settings), history, None, now);
    let restored = wanted.map(|found| Event::Restored {
        id: found.id,
        text: found.text,
        for_spectators: false,
    });
    (room, restored)
}

impl OpenRoom {
    fn take_outputs(&mut self, now: Now) -> (Vec<Output>, Vec<u8>) {
        let timer = self.timer.map(|timer| timer.since(now.time));
        let tick = (!self.entries.is_empty()).then_some(TICK);
        let next = [timer, tick].into_iter().flatten().min();
        self.outputs.push(Output::Wait { ms: next.map(|next| next.as_secs_f64() * 1000.0) });
        (std::mem::take(&mut self.outputs), std::mem::take(&mut self.attachment))
    }

    fn handle(&mut self, input: Input, attachment: Vec<u8>, now: Now) {
        match input {
            Input::Open { .. } => {}
            Input::Joined => self.dispatch(Event::Joined { client: CLIENT, rights: RIGHTS }, now),
            Input::Left => {
                // Left for good, perhaps: there is no other program that remembers the room.
                self.dispatch(Event::Shutdown, now);
                self.dispatch(Event::Left { client: CLIENT }, now);
            }
            Input::Command { command } => match Command::deserialize(&command) {
                Ok(command) => self.dispatch(Event::Command { client: CLIENT, command }, now),
                Err(error) => {
                    let error = error.to_string();
                    let why = text!("The page sent an invalid command: {0}", error);
                    self.send(&Message::Refused { why });
                }
            },
            Input::Tick => self.tick(now),
            Input::Progress { job, progress, nodes } => {
                let progress = progress.and_then(|progress| progress.progress());
                self.progress(JobId(job), progress, nodes, now);
            }
            Input::Finished { worker, job, result } => {
                // A worker that was discarded may have sent its result before.
                if self.workers.get(worker) == Some(&Some(JobId(job))) {
                    let invalid = || "the result of a search is invalid".to_owned();
                    self.released(worker, result.result().ok_or_else(invalid), now);
                }
            }
            Input::Lost { worker, error } => {
                if self.workers.get(worker).is_some_and(Option::is_some) {
                    let error = error.unwrap_or_else(|| "the search has ended".to_owned());
                    self.released(worker, Err(error), now);
                }
            }
            Input::Storage(reply) => self.dispatch(Event::Storage(reply_of(reply)), now),
            Input::Request { id, request } => {
                let reply = match self.request(request, attachment, now) {
                    Ok(json) => Output::Reply { id, json, error: None },
                    Err(why) => Output::Reply { id, json: None, error: Some(to_json(&why)) },
                };
                self.outputs.push(reply);
            }
        }
    }

    fn dispatch(&mut self, event: Event, now: Now) {
        for effect in self.room.handle(event, now) {
            match effect {
                Effect::Send { message, .. } => self.send(&message),
                Effect::StartJob { id, job } => {
                    let priority = job.priority();
                    self.entries.insert(id, Entry::new(job, now.time));
                    let assignments = self.scheduler.submit(id, 0, priority, now.time);
                    self.assign(assignments, now);
                }
                Effect::StopJob { id } => {
                    self.entries.remove(&id);
                    let assignments = self.scheduler.withdraw(id, now.time);
                    self.assign(assignments, now);
                }
                Effect::AnswerNow { id } => self.answer_now(id, now),
                Effect::Storage(request) => self.store(request),
                Effect::Timer(timer) => self.timer = timer,
            }
        }
    }

    fn send(&mut self, message: &Message) {
        self.outputs.push(Output::Send { message: to_json(message) });
    }

    fn store(&mut self, request: StorageRequest) {
        let RoomIdentity { id, key } = self.room.identity();
        self.outputs.push(Output::Storage(StorageWire::new(request, id, key)));
    }

    /// Makes a saved game that of this room: its page returns to it.
    fn claim(&mut self, id: String) {
        let RoomIdentity { id: room, key } = self.room.identity();
        let claim = StorageWire::Claim { id, room: room.clone(), key: key.clone() };
        self.outputs.push(Output::Storage(claim));
    }

    fn assign(&mut self, assignments: Vec<Assignment<JobId>>, now: Now) {
        for assignment in assignments {
            match assignment {
                Assignment::Start { worker, key } => {
                    let Some(entry) = self.entries.get_mut(&key) else { continue };
                    let began = entry.job.since().unwrap_or(now.time);
                    entry.runs.start(now.time);
                    self.workers[worker] = Some(key);
                    let job = JobWire::new(&entry.job);
                    let rule = job.rule().map(str::to_owned);
                    let elapsed = now.time.since(began).as_secs_f64() * 1000.0;
                    let task = Task { number: key.0, job, elapsed, at_once: entry.at_once };
                    self.outputs.push(Output::Run { worker, task: Box::new(task), rule });
                }
                Assignment::Interrupt { worker, .. } => {
                    self.outputs.push(Output::Interrupt { worker });
                }
            }
        }
    }

    fn answer_now(&mut self, id: JobId, now: Now) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.at_once = true;
        let worker = self.workers.iter().position(|job| *job == Some(id));
        if let (Some(worker), true) = (worker, self.signals) {
            self.outputs.push(Output::AnswerNow { worker });
        }
        self.finish_early(id, now);
    }

    /// Ends a search that is to answer at once and cannot be signalled, if it has an answer.
    fn finish_early(&mut self, id: JobId, now: Now) {
        let worker = self.workers.iter().position(|job| *job == Some(id));
        let entry = self.entries.get(&id).filter(|entry| entry.at_once && !self.signals);
        if let (Some(worker), Some(result)) = (worker, entry.and_then(Entry::early_result)) {
            self.outputs.push(Output::Discard { worker });
            self.released(worker, Ok(result), now);
        }
    }

    fn progress(&mut self, id: JobId, progress: Option<Progress>, nodes: u64, now: Now) {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.runs.is_running()) else {
            return;
        };
        entry.nodes = nodes;
        if let Some(progress) = &progress {
            entry.progress = progress.clone();
        }
        let update = entry.runs.update(progress, nodes, now.time);
        self.dispatch(Event::Job { job: id, update }, now);
        self.finish_early(id, now);
    }

    /// A worker has run its job, or was ended.
    fn released(&mut self, worker: usize, result: Result<JobResult, String>, now: Now) {
        let Some(id) = self.workers[worker].take() else { return };
        let (end, assignments) = self.scheduler.released(worker, now.time);
        let mut updates = Vec::new();
        match end {
            End::Finished if result.is_err() && self.run_again(id, now) => {}
            End::Finished => {
                if let Some(entry) = self.entries.remove(&id) {
                    updates.push(entry.runs.update(None, entry.nodes, now.time));
                    updates.push(match result {
                        Ok(result) => JobUpdate::Finished(result),
                        Err(error) => JobUpdate::Failed(error),
                    });
                }
            }
            End::Interrupted => {
                if let Some(entry) = self.entries.get_mut(&id) {
                    entry.interrupt(now.time);
                }
            }
            End::Withdrawn => {}
        }
        self.assign(assignments, now);
        for update in updates {
            self.dispatch(Event::Job { job: id, update }, now);
        }
    }

    /// Submits a job again whose worker has ended. Returns false if that happened before.
    fn run_again(&mut self, id: JobId, now: Now) -> bool {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| !entry.was_lost) else {
            return false;
        };
        entry.was_lost = true;
        entry.interrupt(now.time);
        let assignments = self.scheduler.submit(id, 0, entry.job.priority(), now.time);
        self.assign(assignments, now);
        true
    }

    fn tick(&mut self, now: Now) {
        let assignments = self.scheduler.tick(now.time);
        self.assign(assignments, now);
        let changes = self.entries.iter_mut();
        let changes =
            changes.filter_map(|(&id, entry)| Some((id, entry.runs.queue_change(now.time)?)));
        for (job, update) in changes.collect::<Vec<_>>() {
            self.dispatch(Event::Job { job, update }, now);
        }
        if self.timer.is_some_and(|timer| timer <= now.time) {
            self.dispatch(Event::Tick, now);
        }
    }

    /// Performs a request. Returns JSON, or `None` if a file is attached.
    fn request(
        &mut self,
        request: Request,
        bytes: Vec<u8>,
        now: Now,
    ) -> Result<Option<Value>, Text> {
        let about = |about: FileAbout| {
            let edits = about.edit == "yes";
            (about.name, rows_of(&about.rows), about.rule.parse().ok(), edits)
        };
        let nameless = |edits| (String::new(), RowOrder::FromBottom, None, edits);
        let (kind, (name, rows, rule, edits), number) = match request {
            Request::Open(file) => (UploadKind::Open, about(file), 0),
            Request::Explore(file) => (UploadKind::Explore, about(file), 0),
            Request::Practise(file) => (UploadKind::Practise, about(file), 0),
            Request::More { number } => (UploadKind::More, nameless(false), number),
            Request::Choose { number, edit } => {
                (UploadKind::Choose, nameless(edit == "yes"), number)
            }
            Request::Record { name: _, rows: _, annotated } if annotated == "yes" => {
                self.attachment = self.room.annotated_record()?;
                return Ok(None);
            }
            Request::Record { name, rows, .. } => {
                let unknown = || text!("That game does not exist any more.");
                let format = Format::from_file_name(&name, rows_of(&rows)).ok_or_else(unknown)?;
                self.attachment = self.room.record(format)?;
                return Ok(None);
            }
            Request::Export => {
                self.attachment = exported(&bytes)?;
                return Ok(None);
            }
        };
        let upload = Upload { kind, name, rows, rule, edits, number, bytes };
        let (answer, event) = upload.perform(self.room.upload_context())?;
        if let Some(event) = event {
            self.dispatch(Event::File(event), now);
        }
        Ok(Some(answer))
    }
}

fn rows_of(word: &str) -> RowOrder {
    if word == "top" { RowOrder::FromTop } else { RowOrder::FromBottom }
}

/// Returns saved games, given as a JSON list of their texts, as one SGF file.
fn exported(texts: &[u8]) -> Result<Vec<u8>, Text> {
    let texts: Vec<String> = serde_json::from_slice(texts).unwrap_or_default();
    let records: Vec<GameTree> = texts.iter().filter_map(|text| saved_game::record(text)).collect();
    if records.is_empty() {
        return Err(text!("That game does not exist any more."));
    }
    Format::Sgf.write_trees(&records).map_err(Text::from)
}

fn reply_of(reply: Stored) -> StorageReply {
    let client = CLIENT;
    match reply {
        Stored::Failed { id, name, error } => {
            let error = match &*name {
                "QuotaExceededError" => SaveError::Full,
                "InUseError" => SaveError::InUse,
                _ => SaveError::Other(error),
            };
            StorageReply::SaveFailed { id, error }
        }
        Stored::Loaded { id, text, in_use } => {
            let missing = if in_use { LoadError::InUse } else { LoadError::Unreadable };
            StorageReply::Loaded { client, id, text: text.ok_or(missing) }
        }
        Stored::Deleted { deleted, failed } => {
            let error = if failed { DeleteError::Other } else { DeleteError::InUse };
            let result = if deleted { Ok(()) } else { Err(error) };
            StorageReply::Deleted { client, result }
        }
        Stored::Listed { games } => {
            let record = |found: Found| Some((found.id, saved_game::record(&found.text)?));
            StorageReply::Listed { client, games: games.into_iter().filter_map(record).collect() }
        }
        Stored::Journal { text } => StorageReply::Journal { text },
        Stored::Results { text } => StorageReply::Results { text },
        Stored::Latest { texts } => StorageReply::Latest { texts },
    }
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
