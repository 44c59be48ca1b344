//! Commands, executed.

use std::time::Duration;

use kakugo::board::{Point, Side};
use kakugo_record::analysis::puzzle::WinKind;
use kakugo_record::game_tree::Sign;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use super::Room;
use crate::commands::{Command, Edit, GuestJson, Treatment};
use crate::decisions::MoveRequest;
use crate::event::{ClientId, Effect, Recipient, StorageRequest};
use crate::game::annotations::Annotations;
use crate::game::error::{GameError, Spot};
use crate::game::live::Action;
use crate::game::live::LiveGame;
use crate::game::opening::{Next, OpeningChoice};
use crate::game::pairing::{Credentials, Pairing};
use crate::game::setup::{PlayerKind, Seat, Setup, unplayable};
use crate::game::setup_json::{SeatJson, variant};
use crate::game::wording;
use crate::insight::{Idea, Plan};
use crate::jobs::{Job, JobResult};
use crate::messages::{Message, Xy};
use crate::now::{Now, Time};
use crate::parts::board_search::{Decision, Purpose};
use crate::parts::cards::Outcome;
use crate::parts::editor::EditedPosition;
use crate::parts::hints::Hint;
use crate::parts::live_analysis::{AnalysisLimits, Opinion};
use crate::parts::practice::{Answer, MAX_GAMES, Practice};
use crate::parts::seats::{Person, name_people};
use crate::parts::training::Course;
use crate::puzzles::{self, Puzzle};
use crate::solving::{SolveMethod, SolveRequest, SolveResult};
use crate::views;

/// The longest time before a computer's move is played.
const MAX_ANSWER_PAUSE: Duration = Duration::from_secs(10);

/// The longest time to solve a position.
const MAX_SOLVE_TIME: Duration = Duration::from_secs(600);

/// Time to find the solution of a puzzle.
const SOLUTION_TIME: Duration = Duration::from_secs(10);

/// Time to balance a position, unless analysis has a time.
const BALANCE_TIME: Duration = Duration::from_secs(10);

/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

/// The consequence of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// Nothing that clients see: an answer follows later, or was sent to the client.
    None,
    /// The state, but not the position.
    State,
    /// The position.
    Position,
}

/// Returns an error unless both players are human.
pub(super) fn ensure_people(setup: &Setup) -> Result<(), Text> {
    let is_computer = |seat: &Seat| seat.player.is_computer();
    let error = || text!("Both players must be human if a guest is invited.");
    if setup.seats.iter().any(is_computer) { Err(error()) } else { Ok(()) }
}

/// Returns the point of a command.
fn point([x, y]: Xy) -> Result<Point, Text> {
    Point::new(x, y).ok_or_else(|| text!("That point is off the board."))
}

impl Room {
    /// The search of the position has a result.
    pub(super) fn finished(&mut self, result: JobResult, now: Time) -> Change {
        match result {
            JobResult::Move(decision) => {
                if let Some(notice) = self.active.carry_out(decision, now) {
                    self.notice = Some(notice);
                }
                Change::Position
            }
            JobResult::Hint { actions, idea } => {
                match actions.first() {
                    Some(&Action::Stone(p) | &Action::Choose(OpeningChoice::Offer(p)))
                        if self.game().board().is_empty(p) =>
                    {
                        let all = self.shows_all_of_hint;
                        let idea = idea.map(|idea| *idea);
                        self.analysis.set_hint(Hint::new(self.game().board(), p, idea, all));
                    }
                    Some(&Action::Choose(choice)) => {
                        let choice = wording::choice(choice);
                        self.notify(text!("Kakugo would choose: {0}.", choice));
                    }
                    Some(Action::Stone(_) | Action::Pass | Action::SetUp) | None => {}
                }
                Change::State
            }
            JobResult::Verdict(verdict) => {
                self.practice.judged(self.active.game_mut(), verdict, now);
                Change::Position
            }
            JobResult::Solve(solution) => {
                if solution.result == SolveResult::Win {
                    self.practice.solved_by_search(solution.line);
                } else {
                    self.notify(text!("No forced win was found in this position."));
                }
                Change::State
            }
            JobResult::Balance(line) => {
                match line {
                    Some(line) => self.analysis.set_balance(line),
                    None => self.notify(text!("No stones balance this position.")),
                }
                Change::State
            }
            JobResult::Review(_)
            | JobResult::Puzzles(_)
            | JobResult::Analysis
            | JobResult::Outlook(_)
            | JobResult::Mistake(_) => Change::State,
        }
    }

    /// Executes a command.
    ///
    /// # Errors
    /// Returns the reason if it cannot be executed. Nothing has changed then.
    pub(super) fn execute(
        &mut self,
        client: ClientId,
        command: Command,
        now: Now,
    ) -> Result<Change, Text> {
        let time = now.time;
        match command {
            Command::New { setup, moves, guest } => {
                let setup = setup.setup(&self.settings.engines)?;
                self.new_game_of(setup, &moves, guest, now)
            }
            Command::Play { x, y, rows } => {
                let p = point([x, y])?;
                self.play(p, rows.into(), now)
            }
            Command::Pass => self.pass(time),
            Command::Edit { edit } => self.edit(edit, now),
            Command::Choose { choice } => {
                self.notice = self.active.choose(choice.0, time)?;
                Ok(Change::Position)
            }
            Command::Undo { count } => {
                self.active.undo(count, time)?;
                self.levels.helped(self.active.game());
                Ok(Change::Position)
            }
            Command::Redo { count } => self.active.redo(count, time).map(|()| Change::Position),
            Command::Goto { ply } => {
                self.active.go_to(ply, time);
                Ok(Change::Position)
            }
            Command::Node { id } => {
                self.active.go_to_node(NodeId::from_number(id), time).map(|()| Change::Position)
            }
            Command::Promote { id } => {
                self.active.promote(NodeId::from_number(id))?;
                self.saving.current.changed();
                Ok(Change::State)
            }
            Command::Delete { .. } if self.practice.awaits_answer() => {
                Err(text!("Solve the puzzle first."))
            }
            Command::Delete { id } => {
                self.active.delete(NodeId::from_number(id), time)?;
                self.levels.helped(self.active.game());
                Ok(Change::Position)
            }
            Command::Comment { id, text } => {
                self.annotate(|game| game.comment(NodeId::from_number(id), &text))
            }
            Command::Judge { id, symbol } => {
                let symbol = symbol.map(|symbol| symbol.0);
                self.annotate(|game| game.judge(NodeId::from_number(id), symbol))
            }
            Command::Mark { id, x, y, sign } => {
                let p = point([x, y])?;
                let sign = sign.map(Sign::from);
                self.annotate(|game| game.mark(NodeId::from_number(id), p, sign))
            }
            Command::Arrow { id, from, to } => {
                let arrow = [point(from)?, point(to)?];
                self.annotate(|game| game.draw_arrow(NodeId::from_number(id), arrow))
            }
            Command::ClearMarks { id } => {
                self.annotate(|game| game.clear_marks(NodeId::from_number(id)))
            }
            Command::UndoMark => {
                let node = self.markup.undo(self.active.game_mut());
                let node =
                    node.ok_or_else(|| text!("There is no comment or mark to take back."))?;
                self.annotations_restored(node, time)
            }
            Command::RedoMark => {
                let node = self.markup.redo(self.active.game_mut());
                let node = node.ok_or_else(|| text!("There is no comment or mark to restore."))?;
                self.annotations_restored(node, time)
            }
            Command::Describe { study, title } => {
                self.describe(&study, &title);
                Ok(Change::State)
            }
            Command::Chapter { from_position } => {
                self.new_chapter(from_position, now).map(|()| Change::Position)
            }
            Command::KeepGames { study } => {
                self.keep_games(client, &study, now).map(|()| Change::State)
            }
            Command::TrainOpenings { side } => {
                self.train_openings(side.into(), now).map(|()| Change::Position)
            }
            Command::ShowOpenings => {
                self.show_openings();
                Ok(Change::State)
            }
            Command::NextOpening => self.next_opening(now).map(|()| Change::Position),
            Command::EndOpenings => {
                self.end_openings();
                Ok(Change::State)
            }
            Command::Resign => self.active.resign(time).map(|()| Change::Position),
            Command::Pause { on } => {
                self.active.pause(on);
                Ok(Change::State)
            }
            Command::Now => self.answer_now(now),
            Command::AnswerPause { ms } => {
                self.answer_pause = Duration::from_millis(ms).min(MAX_ANSWER_PAUSE);
                Ok(Change::None)
            }
            Command::Hint { all } => self.hint(all, now),
            Command::Opinion { engine } => self.ask_engine(engine, now),
            Command::Coach { setting, explains } => {
                self.coach.set(setting, explains);
                Ok(Change::State)
            }
            Command::PlayOn => {
                if self.coach.close() {
                    self.active.resume();
                }
                Ok(Change::State)
            }
            Command::Analyse { on, lines, depth, ms } => {
                let time = ms.map(Duration::from_millis);
                self.analysis.set_limits(AnalysisLimits { depth, time });
                self.analysis.set_lines(on.then_some(lines));
                Ok(Change::State)
            }
            Command::Treat { x, y, treatment, rows } => self.treat([x, y], treatment, rows.into()),
            Command::SearchAll => {
                self.analysis.search_all(self.active.position_node());
                Ok(Change::State)
            }
            Command::Balance { stones } => self.search_balance(stones, time),
            Command::Visible { on } => {
                let saw_board = self.clients.sees_board();
                self.clients.set_visible(client, on);
                Ok(self.audience_changed(saw_board))
            }
            Command::Explain => {
                let stops = self.reviews.is_of_board();
                self.end_review(time);
                if !stops {
                    self.practice.helped();
                    self.reviews.start(self.active.game_mut(), self.settings.review_time);
                }
                Ok(Change::State)
            }
            Command::Games => {
                self.saving.ensure_enabled()?;
                self.request(StorageRequest::List { client });
                Ok(Change::None)
            }
            Command::Open { id } => self.open(client, id, now),
            Command::Forget { id } => {
                self.saving.ensure_enabled()?;
                self.detach_saved_game(&id);
                self.request(StorageRequest::Delete { client, id });
                Ok(Change::State)
            }
            Command::Practice { anew } => self.practise(client, anew, now),
            Command::Puzzle { number } => {
                let (puzzle, game) = self.practice.puzzle(number)?;
                self.open_puzzle(puzzle, game, None, now);
                Ok(Change::Position)
            }
            Command::Train { set, step } => {
                self.train(Course { set: set.into(), step }, now)?;
                Ok(Change::Position)
            }
            Command::NextPuzzle => {
                let course = self.practice.attempt().and_then(|attempt| attempt.course);
                let course = course.ok_or_else(|| text!("There is no such puzzle."))?;
                self.train(course, now)?;
                Ok(Change::Position)
            }
            Command::Solution => self.show_solution(time),
            Command::Rematch { level } => {
                let setup = self.active.rematch(level, &self.settings.engines)?;
                self.levels.players_chosen(&setup);
                self.start_game(LiveGame::new(setup).with_date(now.date()), true, now);
                Ok(Change::Position)
            }
            Command::Seats { seats } => {
                self.active.change_players(&seats, &self.settings.engines)?;
                let is_new = self.game().tree().count() < 2 && self.saving.current.begun;
                // What was played so far is not to count if the game is saved and comes back.
                self.levels.game_replaced(is_new, !is_new);
                self.levels.players_chosen(self.active.game().setup());
                Ok(Change::Position)
            }
            Command::Sit { token, browser } => self.sit(client, &token, &browser),
            Command::Name { .. }
            | Command::Offer { .. }
            | Command::Answer { .. }
            | Command::Uninvite
            | Command::FreeSeat => Err(text!("There is no second person here.")),
        }
    }

    /// Analysis runs only while somebody sees the board, which may have changed.
    pub(super) fn audience_changed(&self, saw_board: bool) -> Change {
        let changed = self.analysis.lines().is_some() && saw_board != self.clients.sees_board();
        if changed { Change::State } else { Change::None }
    }

    /// Starts a new game, against a guest if there is one.
    ///
    /// # Errors
    /// Returns the reason if it cannot be played. Nothing has changed then.
    pub(super) fn new_game_of(
        &mut self,
        mut setup: Setup,
        moves: &str,
        guest: Option<GuestJson>,
        now: Now,
    ) -> Result<Change, Text> {
        let Some(GuestJson { seat, token }) = guest else {
            return self.new_game(setup, moves, None, now);
        };
        ensure_people(&setup)?;
        // Errors come before any change.
        let pairing = match self.seats.for_next_game(seat) {
            Some(pairing) => pairing,
            None => Pairing::new(seat, &token)?,
        };
        name_people(&mut setup, seat.min(1));
        self.new_game(setup, moves, Some(pairing), now)
    }

    /// A client shows the secret of the invitation.
    ///
    /// # Errors
    /// Returns the reason if it is not valid, or another browser has the seat.
    fn sit(&mut self, client: ClientId, token: &str, browser: &str) -> Result<Change, Text> {
        if self.clients.person(client) == Some(Person::Host) {
            return Err(text!("This is your own invitation: your friend must open it."));
        }
        let credentials = Credentials::new(token, browser)?;
        self.clients.store_credentials(client, credentials.clone());
        self.seats.sit(&credentials)?;
        self.admit_guest(client);
        Ok(Change::State)
    }

    /// Starts a new game after some moves, with the seats of two people if there are two.
    ///
    /// # Errors
    /// Returns the reason if a move cannot be played.
    fn new_game(
        &mut self,
        setup: Setup,
        moves: &str,
        pairing: Option<Pairing>,
        now: Now,
    ) -> Result<Change, Text> {
        let rows = RowOrder::FromBottom;
        let mut plies = Vec::new();
        // Two hyphens are a pass.
        for (number, part) in moves.split("--").enumerate() {
            let points = pos::read(part, setup.height, rows);
            let points = points.map_err(|error| unplayable(error.into()))?;
            plies.extend((number > 0).then_some(None));
            plies.extend(points.into_iter().map(Some));
        }
        let begins = plies.is_empty() && !setup.has_position();
        let game = LiveGame::with_plies(setup, &plies)
            .map_err(|(number, error)| text!("Move {0}: {1}", number + 1, error.in_words(rows)))?;
        self.levels.players_chosen(game.setup());
        self.start_game_of(game.with_date(now.date()), begins, pairing, now);
        Ok(Change::Position)
    }

    /// Places a stone: an answer to a puzzle, or a move of a human.
    fn play(&mut self, p: Point, rows: RowOrder, now: Now) -> Result<Change, Text> {
        match self.practice.answer(self.active.game_mut(), p, rows, now.time)? {
            Some(Answer::Job(job)) => {
                self.position_changed();
                self.start_search(Purpose::Verdict, job, now.time);
                return Ok(Change::State);
            }
            Some(Answer::Known(verdict)) => {
                self.practice.judged(self.active.game_mut(), verdict, now.time);
                return Ok(Change::Position);
            }
            None => {}
        }
        match self.answer_opening(p, rows, now)? {
            Some(true) => return Ok(Change::Position),
            Some(false) => return Ok(Change::State),
            None => {}
        }
        let before = self.game().board().clone();
        let had_later_moves = self.game().can_redo();
        self.active.play(p, rows, now.time)?;
        if had_later_moves {
            self.levels.helped(self.active.game());
        }
        if self.practice.attempt().is_none() && !self.seats.is_ongoing() {
            self.coach.moved(before, p, self.active.game());
        }
        Ok(Change::Position)
    }

    fn pass(&mut self, now: Time) -> Result<Change, Text> {
        if self.practice.awaits_answer() {
            return Err(text!("A puzzle is answered by a stone."));
        }
        self.active.pass(now).map(|()| Change::Position)
    }

    /// Opens, changes or uses the position editor.
    fn edit(&mut self, edit: Edit, now: Now) -> Result<Change, Text> {
        let job = match edit {
            Edit::Begin => {
                self.open_editor(EditedPosition::of_game(self.active.game()));
                return Ok(Change::State);
            }
            Edit::End => {
                self.close_editor();
                return Ok(Change::State);
            }
            Edit::Use { seats, analyse } => return self.use_position(seats, analyse, now),
            Edit::Solve { method, ms } => {
                self.solve(method.into(), Duration::from_millis(ms))?;
                None
            }
            Edit::Stop => self.editor.stop_solving(),
            Edit::Put { x, y, what } => {
                let p = point([x, y])?;
                self.editor.put(p, what.into())?
            }
            Edit::Clear => self.editor.clear()?,
            Edit::Board { width, height, rule, win } => {
                let variant = variant(&rule, win).map_err(unplayable)?;
                self.editor.set_board(width, height, variant)?
            }
            Edit::Side { side } => self.editor.set_side(side.map(Side::from))?,
            Edit::Turn { turn } => self.editor.turn(turn.into())?,
            Edit::Undo => self.editor.undo()?,
        };
        self.stop_job(job);
        self.send_editor();
        Ok(Change::None)
    }

    /// Starts to solve the position in the editor.
    fn solve(&mut self, method: SolveMethod, time: Duration) -> Result<(), Text> {
        let id = self.next_job_id();
        let (board, before) = self.editor.solve(id, method)?;
        self.stop_job(before);
        self.practice.helped();
        let request = SolveRequest { board, method, time: time.min(MAX_SOLVE_TIME) };
        self.effects.push(Effect::StartJob { id, job: Job::Solve(Box::new(request)) });
        Ok(())
    }

    /// Starts a game from the position in the editor, between these players.
    fn use_position(
        &mut self,
        seats: Option<[SeatJson; 2]>,
        analyse: Option<usize>,
        now: Now,
    ) -> Result<Change, Text> {
        let engines = &self.settings.engines;
        let seats = seats.map(|seats| seats.each_ref().map(|seat| seat.chosen(engines)));
        let thought = self.active.game().setup().thought;
        let setup = Setup { thought, ..self.editor.setup(seats, engines)? };
        let begins = !setup.has_position();
        self.levels.players_chosen(&setup);
        self.start_game(LiveGame::new(setup).with_date(now.date()), begins, now);
        // The user has asked for this position: a computer to move begins.
        self.active.resume();
        if analyse.is_some() {
            self.analysis.set_lines(analyse);
        }
        Ok(Change::Position)
    }

    /// Changes comments, symbols, marks or arrows of the game.
    fn annotate(
        &mut self,
        change: impl FnOnce(&mut LiveGame) -> Result<Annotations, GameError>,
    ) -> Result<Change, Text> {
        let before =
            change(self.active.game_mut()).map_err(|error| error.in_words(RowOrder::FromBottom))?;
        self.markup.changed(before, self.active.game());
        self.saving.current.changed();
        Ok(Change::State)
    }

    /// Annotations of a move were taken back or made again: shows its position.
    fn annotations_restored(&mut self, node: NodeId, now: Time) -> Result<Change, Text> {
        self.saving.current.changed();
        if node == self.game().node() {
            return Ok(Change::State);
        }
        self.active.go_to_node(node, now).map(|()| Change::Position)
    }

    /// Sets how live analysis treats a move.
    fn treat(
        &mut self,
        [x, y]: [u8; 2],
        treatment: Treatment,
        rows: RowOrder,
    ) -> Result<Change, Text> {
        let board = self.game().board();
        let p = Point::new(x, y).filter(|&p| board.is_empty(p));
        let p = p.ok_or_else(|| text!("Choose a free point."))?;
        if treatment == Treatment::Only
            && let Some(foul) = board.foul(p, board.side_to_move())
        {
            let spot = Spot { point: p, height: board.height() };
            return Err(GameError::Forbidden(foul, spot).in_words(rows));
        }
        if !self.analysis.treat(self.active.position_node(), p, treatment) {
            return Err(text!("Too many points are chosen."));
        }
        Ok(Change::State)
    }

    /// Starts or stops a search for stones that balance the position.
    fn search_balance(&mut self, stones: u8, now: Time) -> Result<Change, Text> {
        let is_searching = matches!(self.search.purpose(), Some(Purpose::Balance { .. }));
        if stones == 0 {
            if is_searching {
                self.end_search(now);
            }
            return Ok(Change::State);
        }
        self.active.ensure_ongoing()?;
        self.ensure_no_computer_thinks()?;
        if self.practice.attempt().is_some() {
            return Err(text!("Solve the puzzle first."));
        }
        let stones = stones.min(2);
        let purpose = Purpose::Balance { version: self.active.version(), stones };
        if self.search.purpose() == Some(purpose) {
            return Ok(Change::None);
        }
        let board = Box::new(self.game().board().clone());
        let time = self.analysis.limits().time.unwrap_or(BALANCE_TIME).min(MAX_SOLVE_TIME);
        self.start_search(purpose, Job::Balance { board, stones, time }, now);
        Ok(Change::State)
    }

    /// Returns an error if the computer's move is searched.
    fn ensure_no_computer_thinks(&self) -> Result<(), Text> {
        let thinks = self.active.awaits_computer() && !self.active.waits();
        if thinks { Err(text!("The computer is thinking.")) } else { Ok(()) }
    }

    fn answer_now(&mut self, now: Now) -> Result<Change, Text> {
        if matches!(self.active.player_to_move(), PlayerKind::Engine(_)) {
            return Err(text!("Only Kakugo can be asked to play at once."));
        }
        self.active.resume();
        self.settle(now.time);
        if let Some(decision) = self.search.take_decision() {
            return Ok(self.finished(JobResult::Move(decision), now.time));
        }
        self.search.hold_until(None);
        // It plays weaker than its level.
        self.levels.helped(self.active.game());
        let job = self.search.job();
        job.into_iter().for_each(|id| self.effects.push(Effect::AnswerNow { id }));
        Ok(Change::State)
    }

    /// Shows the next step of a hint, or all of it.
    fn hint(&mut self, all: bool, now: Now) -> Result<Change, Text> {
        self.active.ensure_ongoing()?;
        if self.analysis.extend_hint(all) {
            return Ok(Change::State);
        }
        if let Some(line) = self.practice.hint(self.active.game())? {
            let board = self.game().board();
            let task = self.practice.attempt().map(|attempt| attempt.puzzle.task);
            let by_fours = WinKind::of(board, &line) != WinKind::Threats;
            // The line of a defence is not a win.
            let plan = match task {
                Some(task) if task.is_defence() => None,
                _ => Plan::of_line(board, line.clone(), by_fours),
            };
            let hint = Hint::new(board, line[0], plan.map(Idea::Win), all);
            self.analysis.set_hint(hint);
            return Ok(Change::State);
        }
        let purpose = Purpose::Hint { version: self.active.version() };
        if self.search.purpose() == Some(purpose) {
            self.shows_all_of_hint |= all;
            return Ok(Change::None);
        }
        // The search for it would replace that of the computer, which loses its time.
        self.ensure_no_computer_thinks()?;
        self.shows_all_of_hint = all;
        let request = MoveRequest::for_hint(self.game(), HINT_TIME, now.time);
        self.levels.helped(self.active.game());
        self.start_search(purpose, Job::Hint(Box::new(request)), now.time);
        Ok(Change::State)
    }

    /// Asks another engine for its move in the position on the board.
    fn ask_engine(&mut self, engine: usize, now: Now) -> Result<Change, Text> {
        self.active.ensure_ongoing()?;
        if engine >= self.settings.engines.len() {
            return Err(text!("There is no such engine."));
        }
        if self.practice.attempt().is_some() {
            return Err(text!("A puzzle is solved without other engines."));
        }
        if self.game().opening_progress().next != Next::Turn {
            return Err(text!("Other engines do not know this opening."));
        }
        if self.active.awaits_computer() && !self.active.waits() {
            return Err(text!("It is the computer's turn."));
        }
        self.analysis.set_opinion(None);
        let purpose = Purpose::Opinion { version: self.active.version(), engine };
        let thought = self.game().setup().thought;
        let request = MoveRequest::for_opinion(self.game(), engine, thought, now.time);
        self.levels.helped(self.active.game());
        self.start_search(purpose, Job::Move(Box::new(request)), now.time);
        Ok(Change::State)
    }

    /// Another engine has decided.
    pub(super) fn engine_decided(&mut self, engine: usize, decision: Decision) {
        let board = self.game().board();
        let result = decision.and_then(|actions| match actions.first() {
            Some(&Action::Stone(p)) if board.is_empty(p) => Ok(p),
            _ => Err("no move".to_owned()),
        });
        self.analysis.set_opinion(Some(Opinion { engine, result }));
    }

    fn open(&mut self, client: ClientId, id: String, now: Now) -> Result<Change, Text> {
        self.saving.ensure_enabled()?;
        if self.saved_game() == Some(&id) || self.unshelve_game(&id, now) {
            return Ok(Change::Position);
        }
        self.request(StorageRequest::Load { client, id });
        Ok(Change::None)
    }

    /// Lists sets of problems, and puzzles from the saved games of this machine's user.
    fn practise(&mut self, client: ClientId, anew: bool, now: Now) -> Result<Change, Text> {
        let is_local = self.clients.rights(client).is_some_and(|rights| rights.is_local);
        if is_local && self.saving.ensure_enabled().is_ok() {
            self.read_cards();
            if self.practice.search().is_none() || anew {
                self.save(true, now);
                let job = self.practice.start_search();
                self.stop_job(job);
                self.request(StorageRequest::Latest { count: MAX_GAMES });
            }
        }
        // Saved games are for their owner only.
        let search = self.practice.search().filter(|_| is_local);
        let puzzles = views::puzzles::puzzles(search, &self.training);
        let training = views::puzzles::training(&self.training, now.day());
        let to = Recipient::One(client);
        self.send(to, Message::Training(training));
        self.send(to, Message::Puzzles(puzzles));
        Ok(Change::None)
    }

    /// Puts the position of a puzzle on the board.
    fn open_puzzle(&mut self, puzzle: Puzzle, game: LiveGame, course: Option<Course>, now: Now) {
        self.start_game(game, false, now);
        self.analysis.set_lines(None);
        self.practice.open(puzzle, self.game().node(), course);
    }

    /// Opens the next problem of a course.
    fn train(&mut self, course: Course, now: Now) -> Result<(), Text> {
        let current = self.practice.attempt().map(|attempt| puzzles::key(&attempt.puzzle));
        let puzzle = self.training.next(course, current.as_deref(), now.day());
        let puzzle = puzzle.ok_or_else(|| text!("There is no such puzzle."))?;
        let game = Practice::position_of(&puzzle)?;
        self.open_puzzle(puzzle, game, Some(course), now);
        Ok(())
    }

    /// Shows the solution of the puzzle on the board, or searches for it.
    fn show_solution(&mut self, now: Time) -> Result<Change, Text> {
        self.practice.show_solution(self.active.game_mut(), now)?;
        if !self.practice.needs_solution() {
            return Ok(Change::Position);
        }
        self.position_changed();
        let board = self.game().board().clone();
        let request = SolveRequest { board, method: SolveMethod::Search, time: SOLUTION_TIME };
        let purpose = Purpose::Solution { version: self.active.version() };
        self.start_search(purpose, Job::Solve(Box::new(request)), now);
        Ok(Change::State)
    }

    /// Reads the stored results of practice, unless they are read or belong to another machine.
    pub(super) fn read_cards(&mut self) {
        let is_local = self.clients.local_players().next().is_some();
        if is_local && self.settings.saves && !self.training.cards.is_stored() {
            self.training.cards.store();
            self.request(StorageRequest::Journal);
        }
    }

    /// Records how an attempt at a puzzle, or at a position of the openings, has ended.
    pub(super) fn record_outcomes(&mut self, now: Now) {
        if let Some((key, outcome)) = self.practice.take_outcome() {
            self.record_card(&key, outcome, now);
            self.send_training(now);
        }
        if let Some((key, outcome)) = self.trainer.take_outcome() {
            // A position is asked often, but goes up only after its rest.
            let card = self.training.cards.get(&key);
            if outcome == Outcome::Missed || card.is_none_or(|card| card.is_due(now.day())) {
                self.record_card(&key, outcome, now);
            }
        }
    }

    fn record_card(&mut self, key: &str, outcome: Outcome, now: Now) {
        let line = self.training.cards.record(key, outcome, now.day());
        if self.training.cards.is_stored() {
            self.request(StorageRequest::Note { line });
        }
    }

    /// Sends the sets of problems to those who play in this room.
    pub(super) fn send_training(&mut self, now: Now) {
        let training = views::puzzles::training(&self.training, now.day());
        for client in self.clients.of(Person::Host) {
            self.send(Recipient::One(client), Message::Training(training.clone()));
        }
    }

    /// Sends the puzzles from saved games, which are for the user of this machine only.
    pub(super) fn send_puzzles(&mut self) {
        let puzzles = views::puzzles::puzzles(self.practice.search(), &self.training);
        let clients: Vec<ClientId> = self.clients.local_players().collect();
        for client in clients {
            self.send(Recipient::One(client), Message::Puzzles(puzzles.clone()));
        }
    }
}
