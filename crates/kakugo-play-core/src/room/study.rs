//! Studies and the training of openings: commands about several games or lines.

use std::sync::Arc;

use kakugo::board::{Point, Side};
use kakugo_record::book::Book;
use kakugo_record::text::{Text, text};

use super::Room;
use crate::event::{ClientId, StorageRequest};
use crate::game::live::{Action, LiveGame};
use crate::game::opening::Opening;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::notice::Notice;
use crate::now::Now;
use crate::parts::editor::EditedPosition;
use crate::parts::opening_trainer::{Plan, goes_on};
use kakugo_record::pos::RowOrder;

/// The largest number of games of a file that become a study.
const MAX_CHAPTERS: usize = 200;

/// Studies.
impl Room {
    /// Sets the study and the title of the game on the board.
    pub(super) fn describe(&mut self, study: &str, title: &str) {
        self.active.game_mut().describe(study, title);
        self.saving.current.changed();
    }

    /// Starts another game of the same study.
    ///
    /// # Errors
    /// Returns the reason if the game on the board has no study.
    pub(super) fn new_chapter(&mut self, from_position: bool, now: Now) -> Result<(), Text> {
        let study = self.game().study().to_owned();
        if study.is_empty() {
            return Err(text!("Name the study first."));
        }
        let position = EditedPosition::of_game(self.game());
        let start = if from_position { position.start } else { Default::default() };
        let (width, height, variant) = (position.width, position.height, position.variant);
        let setup = self.setup_of_people(Setup {
            width,
            height,
            variant,
            start,
            opening: Opening::Free,
            ..Setup::default()
        })?;
        let mut game = LiveGame::new(setup).with_date(now.date());
        game.describe(&study, "");
        self.start_game(game, false, now);
        self.saving.current.changed();
        Ok(())
    }

    /// Saves the games of the uploaded file as a study. A notice reports those that are left out.
    ///
    /// # Errors
    /// Returns the reason if games are not saved, or there is no file.
    pub(super) fn keep_games(
        &mut self,
        client: ClientId,
        study: &str,
        now: Now,
    ) -> Result<(), Text> {
        self.saving.ensure_enabled()?;
        let file = self.file.clone().ok_or_else(|| text!("The file contains no games."))?;
        if study.trim().is_empty() {
            return Err(text!("Name the study first."));
        }
        let (games, notice) = file.games(MAX_CHAPTERS);
        for mut game in games {
            let title = match &*game.title() {
                "" => game.setup().seats.each_ref().map(|seat| &*seat.name).join(" – "),
                title => title.to_owned(),
            };
            game.describe(study, &title);
            let requests = self.saving.save_beside(&game, now);
            requests.into_iter().for_each(|request| self.request(request));
        }
        self.request(StorageRequest::List { client });
        self.notice = notice.map(Notice::for_players);
        Ok(())
    }

    /// Returns a set-up with two humans and without clocks.
    fn setup_of_people(&self, mut setup: Setup) -> Result<Setup, Text> {
        let person = || Seat { player: PlayerKind::Human, name: String::new() };
        setup.seats = [person(), person()];
        setup.checked(&self.settings.engines).map_err(|error| error.refusal())
    }
}

/// The training of openings.
impl Room {
    /// Starts to train the openings from the position on the board.
    ///
    /// # Errors
    /// Returns the reason if no opening goes on from there.
    pub(super) fn train_openings(&mut self, side: Side, now: Now) -> Result<(), Text> {
        let board = self.game().board().clone();
        let Some(book) = self.book().filter(|book| goes_on(book, &board)) else {
            return Err(text!("No opening goes on from this position."));
        };
        let moves = self.moves_to_position();
        // The game on the board is put away before the training begins, which is not saved.
        self.play_opening(moves.clone(), now)?;
        let plan = Plan::new(&book, &board, moves, side);
        self.trainer.start(plan, &self.training.cards, now.day());
        self.next_opening(now)
    }

    /// Trains the next line.
    ///
    /// # Errors
    /// Returns the reason if nothing is trained.
    pub(super) fn next_opening(&mut self, now: Now) -> Result<(), Text> {
        let moves = self.trainer.next_line().ok_or_else(|| text!("No openings are trained."))?;
        self.play_opening(moves, now)?;
        self.reply_from_openings(now);
        Ok(())
    }

    /// Shows the moves of the explored games in the position.
    pub(super) fn show_openings(&mut self) {
        let moves = self.moves_to_position();
        let board = self.game().board().clone();
        self.trainer.show(&board, moves);
    }

    /// Ends the training. The line stays on the board, but is not saved before it changes.
    pub(super) fn end_openings(&mut self) {
        if self.trainer.state().is_some() {
            self.trainer.stop();
            let _ = self.saving.detach();
        }
    }

    /// Judges a move of the player if openings are trained. Returns true if it was played, false if
    /// no opening has it, and `None` if it is no answer.
    ///
    /// # Errors
    /// Returns the reason if the move cannot be played.
    pub(super) fn answer_opening(
        &mut self,
        p: Point,
        rows: RowOrder,
        now: Now,
    ) -> Result<Option<bool>, Text> {
        let board = self.game().board().clone();
        let is_asked = self.trainer.asks(board.side_to_move()) && self.game().end().is_none();
        let Some(book) = self.book().filter(|_| is_asked && board.is_empty(p)) else {
            return Ok(None);
        };
        if let Some(error) = self.game().objection(p) {
            return Err(error.in_words(rows));
        }
        let moves = self.moves_to_position();
        if let Err(why) = self.trainer.answer(&book, &board, moves, p) {
            self.notify(why);
            return Ok(Some(false));
        }
        self.active.play(p, rows, now.time)?;
        self.reply_from_openings(now);
        Ok(Some(true))
    }

    /// Plays the other side's move from the explored games.
    fn reply_from_openings(&mut self, now: Now) {
        let Some(book) = self.book() else { return };
        let board = self.game().board().clone();
        let Some(reply) = self.trainer.reply(&book, &board) else { return };
        if self.active.play(reply, RowOrder::FromBottom, now.time).is_ok() {
            // Finds out whether the line is over.
            let board = self.game().board().clone();
            let _ = self.trainer.reply(&book, &board);
        }
    }

    fn book(&self) -> Option<Arc<Book>> {
        self.exploring.shared_book()
    }

    /// Returns the moves to the position on the board.
    fn moves_to_position(&self) -> Vec<Option<Point>> {
        let game = self.game();
        let action = |node: &_| match game.tree().value(*node).step?.action {
            Action::Stone(p) => Some(Some(p)),
            Action::Pass => Some(None),
            Action::Choose(_) | Action::SetUp => None,
        };
        game.nodes()[..game.at()].iter().filter_map(action).collect()
    }

    /// Puts the position after some moves on the board.
    fn play_opening(&mut self, moves: Vec<Option<Point>>, now: Now) -> Result<(), Text> {
        let Setup { width, height, variant, ref start, .. } = *self.game().setup();
        let start = start.clone();
        let setup =
            Setup { width, height, variant, start, opening: Opening::Free, ..Setup::default() };
        let setup = self.setup_of_people(setup)?;
        let game = LiveGame::with_plies(setup, &moves)
            .map_err(|(_, error)| error.in_words(RowOrder::FromBottom))?;
        self.start_game(game.with_date(now.date()), false, now);
        self.analysis.set_lines(None);
        Ok(())
    }
}
