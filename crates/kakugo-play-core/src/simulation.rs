//! A simulated driver: it plays scripts of events to a room and checks all effects. For tests and
//! fuzzing.
//!
//! A script has one event per line. A line of JSON is a command of a client. Other lines start with
//! a word, and numbers that select something:
//!
//! | line | event |
//! |---|---|
//! | `@join R` | a client joins: it plays if `R` is even |
//! | `@leave N`, `@lag N`, `@client N` | client `N` leaves, lags, sends the next commands |
//! | `@wait MS` | time passes, with the tick that falls into it |
//! | `@job N R` | job `N` ends with result `R` |
//! | `@progress N D` | job `N` has searched to depth `D` |
//! | `@queue N`, `@run N`, `@fail N` | job `N` waits, runs, fails |
//! | `@disk N` | the storage answers a request; with an odd `N` it fails |
//! | `@show N` | the game's own file is uploaded; with an odd `N` a file with unusual properties |
//! | `@explore`, `@edit`, `@practise` | the game's own file is uploaded |
//! | `@restore`, `@return`, `@yield`, `@shutdown` | as the events of these names |

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kakugo::board::{Board, Point};
use kakugo::score::Score;
use kakugo_record::analysis::puzzle::{Verdict, WinKind};
use kakugo_record::analysis::review::EvaluatedPosition;
use kakugo_record::book::Book;
use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;

use crate::collection::Collection;
use crate::commands::Command;
use crate::event::{
    ClientId, DeleteError, Effect, Event, FileEvent, LoadError, Recipient, Rights, SaveError,
    StorageReply, StorageRequest,
};
use crate::game::live::Action;
use crate::game::opening::OpeningChoice;
use crate::game::setup::{PlayerKind, Setup};
use crate::game_file::GameFile;
use crate::insight::{Idea, Mistake, Outlook, Plan, PlanKind};
use crate::jobs::{Job, JobId, JobResult, JobUpdate};
use crate::messages::Message;
use crate::now::Now;
use crate::parts::level_history::LevelHistory;
use crate::parts::reviews::REVIEW_TIME;
use crate::progress::{Progress, PvLine};
use crate::puzzles::{Puzzle, Task};
use crate::room::{Room, RoomIdentity, RoomSettings};
use crate::saved_game;
use crate::solving::{Solution, SolveResult};

/// Longest script, in lines.
const MAX_LINES: usize = 200;

/// A file with set-up stones in the node of a move, passes and absurd times.
const UNUSUAL: &str = "(;GM[4]SZ[15];B[hh]MS[18446744073709551615]\
    (;AW[aa]AB[bb]W[ii];B[jj];W[])(;W[]MS[18446744073709551615];B[ii](;AE[hh]PL[B])(;W[gg])))";

/// A room with a simulated driver.
pub struct Simulation {
    /// The room.
    pub room: Room,
    now: Now,
    clients: Vec<ClientId>,
    joined: u64,
    /// The client that sends commands.
    client: ClientId,
    /// Jobs that run or wait.
    pub jobs: BTreeMap<JobId, Job>,
    started: BTreeSet<JobId>,
    /// Files of the storage.
    pub files: BTreeMap<String, String>,
    /// Results for the rating.
    pub results: String,
    owned: BTreeSet<String>,
    /// The journal of practice.
    pub journal: String,
    requests: VecDeque<StorageRequest>,
    timer: Option<crate::now::Time>,
    /// All messages since they were last taken.
    pub messages: Vec<(Recipient, Message)>,
    /// All effects, in words.
    pub trace: Vec<String>,
}

/// Returns settings of rooms for two humans, whose games are saved.
pub fn settings() -> RoomSettings {
    let mut setup = Setup::default();
    setup.seats[1].player = PlayerKind::Human;
    RoomSettings {
        version: "0".to_owned(),
        engines: vec!["other".to_owned()],
        setup: setup.checked(&[]).expect("a set-up for two humans"),
        player_level: false,
        answer_pause: Duration::ZERO,
        review_time: REVIEW_TIME,
        saves: true,
        explores: false,
        max_local_file: 1 << 20,
        max_remote_file: 1 << 10,
    }
}

impl Simulation {
    /// Returns a room with these settings and one client that plays.
    pub fn new(settings: RoomSettings) -> Simulation {
        Simulation::with_history(settings, None)
    }

    /// Returns a room with these settings and one client that plays and has a history.
    pub fn with_history(settings: RoomSettings, history: Option<LevelHistory>) -> Simulation {
        let identity = RoomIdentity { id: "id".to_owned(), key: "key".to_owned() };
        let now = Now::default();
        let room = Room::new(identity, Arc::new(settings), history, None, now);
        let mut simulation = Simulation {
            room,
            now,
            clients: Vec::new(),
            joined: 0,
            client: ClientId(0),
            jobs: BTreeMap::new(),
            started: BTreeSet::new(),
            files: BTreeMap::new(),
            results: String::new(),
            owned: BTreeSet::new(),
            journal: String::new(),
            requests: VecDeque::new(),
            timer: None,
            messages: Vec::new(),
            trace: Vec::new(),
        };
        simulation.join(true);
        simulation
    }

    /// Adds a client on this machine, which sends the next commands.
    pub fn join(&mut self, plays: bool) -> ClientId {
        self.joined += 1;
        self.client = ClientId(self.joined);
        self.clients.push(self.client);
        let rights = Rights { plays, is_local: true };
        self.handle(Event::Joined { client: self.client, rights });
        self.client
    }

    /// Makes a client send the next commands.
    pub fn act_as(&mut self, client: ClientId) {
        self.client = client;
    }

    /// Lets time pass without any tick.
    pub fn pass(&mut self, time: Duration) {
        self.now.time = self.now.time + time;
    }

    /// Removes a client.
    pub fn leave(&mut self, client: ClientId) {
        self.clients.retain(|&known| known != client);
        self.handle(Event::Left { client });
    }

    /// Sends a command of the current client.
    pub fn command(&mut self, command: Command) {
        self.handle(Event::Command { client: self.client, command });
    }

    /// Lets time pass, with the ticks that fall into it.
    pub fn wait(&mut self, time: Duration) {
        let end = self.now.time + time;
        while let Some(timer) = self.timer.filter(|&timer| timer <= end) {
            self.now.time = self.now.time.max(timer);
            self.timer = None;
            self.handle(Event::Tick);
        }
        self.now.time = end;
    }

    /// Ends a job.
    pub fn finish(&mut self, job: JobId, result: JobResult) {
        assert!(self.jobs.remove(&job).is_some(), "{job:?} does not run");
        self.handle(Event::Job { job, update: JobUpdate::Finished(result) });
    }

    /// Answers the oldest request to the storage, if there is one.
    pub fn answer_storage(&mut self, works: bool) -> bool {
        let Some(request) = self.requests.pop_front() else { return false };
        let reply = match request {
            StorageRequest::Save { id, .. } if !works => {
                StorageReply::SaveFailed { id, error: SaveError::Full }
            }
            StorageRequest::Load { client, id } => {
                let file = self.files.get(&id).cloned().filter(|_| works);
                let text = match file {
                    Some(_) if self.owned.contains(&id) => Err(LoadError::InUse),
                    file => file.ok_or(LoadError::Unreadable),
                };
                if text.is_ok() {
                    self.owned.insert(id.clone());
                }
                StorageReply::Loaded { client, id, text }
            }
            StorageRequest::Delete { client, id } => {
                let result = match (works, self.owned.contains(&id)) {
                    (false, _) => Err(DeleteError::File),
                    (true, true) => Err(DeleteError::InUse),
                    (true, false) => {
                        self.files.remove(&id);
                        Ok(())
                    }
                };
                StorageReply::Deleted { client, result }
            }
            StorageRequest::List { client } => {
                let record =
                    |(id, text): (&String, &String)| Some((id.clone(), saved_game::record(text)?));
                let games = self.files.iter().rev().filter_map(record).collect();
                StorageReply::Listed { client, games }
            }
            StorageRequest::Results => StorageReply::Results { text: self.results.clone() },
            StorageRequest::AddResult { line } => {
                self.results += &(line + "\n");
                StorageReply::Results { text: self.results.clone() }
            }
            StorageRequest::Latest { count } => {
                let texts = self.files.values().rev().take(count).cloned().collect();
                StorageReply::Latest { texts }
            }
            StorageRequest::Note { line } => {
                if works {
                    self.journal += &format!("{line}\n");
                }
                return true;
            }
            StorageRequest::Journal => StorageReply::Journal { text: self.journal.clone() },
            StorageRequest::Save { .. }
            | StorageRequest::Release { .. }
            | StorageRequest::Discard { .. } => return true,
        };
        self.handle(Event::Storage(reply));
        true
    }

    /// Another room owns a file of the storage from now on.
    pub fn own(&mut self, id: &str) {
        self.owned.insert(id.to_owned());
    }

    /// Answers all requests to the storage.
    pub fn flush_storage(&mut self) {
        while self.answer_storage(true) {}
    }

    /// Handles an event, performs its effects and checks them.
    pub fn handle(&mut self, event: Event) {
        let effects = self.room.handle(event, self.now);
        self.room.check_invariants();
        for effect in effects {
            self.trace.push(format!("{effect:?}"));
            self.perform(effect);
        }
        let running: Vec<JobId> = self.jobs.keys().copied().collect();
        let mut expected = self.room.running_jobs();
        expected.sort_unstable();
        assert_eq!(running, expected, "jobs that run, and jobs that the room knows");
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Send { to, message } => {
                let json = serde_json::to_value(&message).expect("a message is JSON");
                assert!(json["type"].is_string(), "{json}");
                self.messages.push((to, message));
            }
            Effect::StartJob { id, job } => {
                assert!(self.started.insert(id), "{id:?} is started twice");
                self.jobs.insert(id, job);
            }
            Effect::StopJob { id } => {
                assert!(self.jobs.remove(&id).is_some(), "{id:?} does not run");
            }
            Effect::AnswerNow { id } => assert!(self.jobs.contains_key(&id)),
            Effect::Storage(request) => {
                match &request {
                    StorageRequest::Save { id, text } => {
                        self.owned.insert(id.clone());
                        self.files.insert(id.clone(), text.clone());
                        assert!(saved_game::read(text, &["other".to_owned()]).is_some(), "{text}");
                    }
                    StorageRequest::Release { id } => _ = self.owned.remove(id),
                    StorageRequest::Discard { id } => {
                        self.owned.remove(id);
                        self.files.remove(id);
                    }
                    _ => {}
                }
                self.requests.push_back(request);
            }
            Effect::Timer(timer) => {
                assert_ne!(self.timer, timer, "the timer is set anew only if it changes");
                self.timer = timer;
            }
        }
    }

    /// Returns the latest state that was sent.
    pub fn state(&mut self) -> serde_json::Value {
        let client = self.client;
        self.handle(Event::Lagged { client });
        let states = self.messages.iter().rev();
        let mut states = states.filter(|(_, message)| matches!(message, Message::State(_)));
        let state = states.next();
        serde_json::to_value(&state.expect("a state").1).expect("JSON")
    }

    /// Plays a script to a new room with these settings, and ends the room.
    pub fn play(settings: RoomSettings, script: &str) -> Simulation {
        let mut simulation = Simulation::new(settings);
        script.lines().take(MAX_LINES).for_each(|line| simulation.play_line(line));
        simulation.end();
        simulation
    }

    /// Ends the room.
    pub fn end(&mut self) {
        self.check_record();
        self.handle(Event::Closed);
        assert!(self.jobs.is_empty(), "a room that has ended runs no job");
        assert!(self.owned.is_empty(), "a room that has ended owns no saved game");
    }

    /// Plays a line of a script. `ID` stands for the end of the id of a saved game.
    pub fn play_line(&mut self, line: &str) {
        let id = self.files.keys().next().and_then(|id| id.rsplit('-').next()).unwrap_or("none");
        if let Ok(command) = serde_json::from_str::<Command>(&line.replace("ID", id)) {
            return self.command(command);
        }
        let mut words = line.split_whitespace();
        let word = words.next().unwrap_or_default();
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
        let (first, second) = (number(), number());
        let client = self.clients.get(first % self.clients.len().max(1)).copied();
        let job = self.jobs.keys().nth(first % self.jobs.len().max(1)).copied();
        match (word, client, job) {
            ("@join", ..) if self.clients.len() < 5 => _ = self.join(first.is_multiple_of(2)),
            ("@leave", Some(client), _) => self.leave(client),
            ("@lag", Some(client), _) => self.handle(Event::Lagged { client }),
            ("@client", Some(client), _) => self.client = client,
            ("@wait", ..) => self.wait(Duration::from_millis(first.min(1_000_000) as u64)),
            ("@job", _, Some(job)) => {
                let result = result_of(&self.jobs[&job], second);
                self.finish(job, result);
            }
            ("@progress", _, Some(job)) => self.report_progress(job, second),
            ("@queue", _, Some(job)) => {
                self.handle(Event::Job { job, update: JobUpdate::Queued });
            }
            ("@run", _, Some(job)) => self.handle(Event::Job { job, update: JobUpdate::Running }),
            ("@fail", _, Some(job)) => {
                self.jobs.remove(&job);
                self.handle(Event::Job { job, update: JobUpdate::Failed("why".to_owned()) });
            }
            ("@disk", ..) => _ = self.answer_storage(first.is_multiple_of(2)),
            ("@show", ..) if first.is_multiple_of(2) => self.upload(),
            ("@show", ..) => self.show_file(UNUSUAL.as_bytes().to_vec()),
            ("@edit", ..) => {
                let game = Box::new(self.room.game().clone());
                self.handle(Event::File(FileEvent::Edit(game)));
            }
            ("@practise", ..) => {
                let bytes = self.room.record(Format::Sgf).unwrap_or_default();
                let rows = RowOrder::FromBottom;
                let file = GameFile::read("game.sgf", bytes, rows, self.room.pattern());
                let file = file.expect("the room's own file");
                if let Ok(collection) = Collection::of_file("game", &file) {
                    self.handle(Event::File(FileEvent::Practise(Arc::new(collection))));
                }
            }
            ("@explore", ..) => {
                let mut book = Book::new(self.room.pattern());
                let bytes = self.room.record(Format::Sgf).unwrap_or_default();
                book.add_bytes(Path::new("game.sgf"), &bytes);
                self.handle(Event::File(FileEvent::Explore(Arc::new(book))));
            }
            ("@restore", ..) => {
                let free = |id: &&String| !self.owned.contains(*id);
                if let Some(id) = self.files.keys().find(free).cloned() {
                    let text = self.files[&id].clone();
                    self.owned.insert(id.clone());
                    let for_spectators = !first.is_multiple_of(2);
                    self.handle(Event::Restored { id, text, for_spectators });
                }
            }
            ("@return", ..) => self.handle(Event::Returned),
            ("@yield", ..) if self.clients.is_empty() => {
                if let Some(id) = self.owned.iter().nth(first % self.owned.len().max(1)).cloned() {
                    self.handle(Event::Yield { id: id.clone() });
                    assert!(!self.room.owns_saved_game(&id));
                }
            }
            ("@shutdown", ..) => self.handle(Event::Shutdown),
            _ => {}
        }
    }

    fn report_progress(&mut self, job: JobId, depth: usize) {
        let board = board_of(&self.jobs[&job]).cloned();
        let best = board.and_then(|board| board.empty_points().nth(depth % 7));
        let line = best.map(|p| PvLine {
            depth: depth as u32 % 100,
            score: Score::from_eval(depth as i32 % 1000),
            moves: vec![p],
        });
        let elapsed = Duration::from_secs(depth as u64 % 1000);
        let lines = line.into_iter().collect();
        let nodes = depth as u64;
        let progress = Progress { lines, seldepth: 1, nodes, elapsed, features: None };
        let progress = (!depth.is_multiple_of(3)).then(|| Box::new(progress));
        self.handle(Event::Job { job, update: JobUpdate::Progress { progress, elapsed, nodes } });
    }

    /// Uploads the game's own file and shows its game.
    pub fn upload(&mut self) {
        if let Ok(bytes) = self.room.record(Format::Sgf) {
            self.show_file(bytes);
        }
    }

    /// Uploads a file, which is valid, and shows its game.
    fn show_file(&mut self, bytes: Vec<u8>) {
        let file = GameFile::read("game.sgf", bytes, RowOrder::FromBottom, self.room.pattern());
        let file = file.expect("a valid file");
        let (game, notice) = file.game(0).expect("a valid game");
        self.handle(Event::File(FileEvent::Keep(Arc::new(file))));
        self.handle(Event::File(FileEvent::Show { game: Box::new(game), notice }));
    }

    /// Checks that the room can load what it saves.
    fn check_record(&mut self) {
        let count = self.room.game().tree().count();
        self.upload();
        assert!(self.room.game().tree().count() <= count);
    }
}

/// Returns the position of a job.
fn board_of(job: &Job) -> Option<&Board> {
    match job {
        Job::Move(request) | Job::Hint(request) => Some(&request.board),
        Job::Verdict { board, .. }
        | Job::Review { board, .. }
        | Job::Analysis { board, .. }
        | Job::Balance { board, .. }
        | Job::Outlook { board } => Some(board),
        Job::Mistake { before, .. } => Some(before),
        Job::Solve(request) => Some(&request.board),
        Job::Puzzles(_) => None,
    }
}

/// Returns a plan of three moves at free points, which wins nothing.
fn plan(board: &Board) -> Option<Plan> {
    let line: Vec<Point> = board.empty_points().take(3).collect();
    let (side, stones, points) = (board.side_to_move(), Vec::new(), line.clone());
    (!line.is_empty()).then_some(Plan { side, kind: PlanKind::OpenFour, line, stones, points })
}

/// Returns a result of a job, selected by a number, without any search.
fn result_of(job: &Job, number: usize) -> JobResult {
    let free = |board: &Board| -> Option<Point> {
        let count = board.empty_count().max(1);
        board.empty_points().nth(number % count)
    };
    match job {
        Job::Move(request) => JobResult::Move(match number % 8 {
            0 => Err("no reason".to_owned()),
            1 => Ok(Vec::new()),
            2 => Ok(vec![Action::Choose(OpeningChoice::Black)]),
            3 => Ok(vec![Action::Choose(OpeningChoice::White)]),
            _ => Ok(free(&request.board).map(Action::Stone).into_iter().collect()),
        }),
        Job::Hint(request) => JobResult::Hint {
            actions: match number % 4 {
                0 => Vec::new(),
                1 => vec![Action::Choose(OpeningChoice::More)],
                _ => free(&request.board).map(Action::Stone).into_iter().collect(),
            },
            idea: match number % 6 {
                0 => Some(Box::new(Idea::Prepares(number))),
                1 => plan(&request.board).map(|plan| Box::new(Idea::Stop(plan))),
                2 => Some(Box::new(Idea::Quiet)),
                _ => None,
            },
        },
        Job::Outlook { board } => JobResult::Outlook(Box::new(Outlook {
            win: plan(board).filter(|_| number.is_multiple_of(3)),
            threat: plan(board).filter(|_| number.is_multiple_of(2)),
            defences: free(board).into_iter().take(number % 2).collect(),
            threes: free(board).into_iter().collect(),
        })),
        Job::Mistake { before, .. } => JobResult::Mistake(match (number % 4, plan(before)) {
            (0, Some(plan)) => Some(Box::new(Mistake::Misses { plan })),
            (1, Some(plan)) => {
                let better = plan.line[0];
                Some(Box::new(Mistake::Allows { plan, better }))
            }
            (2, _) => {
                let line = free(before).into_iter().collect();
                let side = before.side_to_move();
                Some(Box::new(Mistake::Costs { side, before: 900, after: 100, line }))
            }
            _ => None,
        }),
        Job::Verdict { board, .. } => JobResult::Verdict(match (number % 3, free(board)) {
            (0, _) => Verdict::Solved,
            (1, Some(p)) => Verdict::Right(p),
            (_, reply) => Verdict::Wrong(reply),
        }),
        Job::Review { board, .. } => {
            let black = Score::from_eval(number as i32 % 2000 - 1000);
            let black_permille = black.win_rate_permille();
            let best_line = free(board).into_iter().collect();
            JobResult::Review(EvaluatedPosition {
                black,
                black_permille,
                best_line,
                depth: 3,
                by_fours: false,
                checks: EvaluatedPosition::VERIFIED,
            })
        }
        Job::Puzzles(game) => {
            let moves: Vec<Point> = game.line().collect();
            let side = kakugo::board::Side::to_move_after(moves.len());
            // As in real puzzles, no computer plays.
            let mut setup = game.setup().clone();
            setup.seats.iter_mut().for_each(|seat| seat.player = PlayerKind::Human);
            let puzzle = Puzzle {
                setup,
                line: game.board().empty_points().take(3).collect(),
                moves,
                side,
                stones: 2,
                task: Task::Win,
                right: Vec::new(),
                kind: Some(WinKind::Fours),
                grade: 2,
                step: None,
                title: String::new(),
                missed: false,
                own: false,
                date: game.date().to_owned(),
            };
            JobResult::Puzzles(vec![puzzle; number % 3])
        }
        Job::Solve(request) => JobResult::Solve(Solution {
            result: match number % 4 {
                0 => SolveResult::Win,
                1 => SolveResult::Loss,
                2 => SolveResult::NoWin,
                _ => SolveResult::Unknown,
            },
            line: free(&request.board).into_iter().collect(),
            is_shortest: number.is_multiple_of(3),
            nodes: number as u64,
        }),
        Job::Analysis { .. } => JobResult::Analysis,
        Job::Balance { board, .. } => {
            let line = free(board).filter(|_| !number.is_multiple_of(3));
            let score = Score::from_eval(number as i32 % 100);
            JobResult::Balance(line.map(|p| PvLine { depth: 3, score, moves: vec![p] }))
        }
    }
}
