//! Practice: a puzzle on a room's board. Every answer is judged by search, so that all ways to win are
//! right, and the other side's replies are played.

use std::sync::Arc;
use std::time::Instant;

use super::puzzles::{Catch, Hunt};
use super::room::Room;
use super::thinking::Purpose;
use super::trial::{Practice, Stage};
use super::view;
use super::work::Work;
use crate::game::live::LiveGame;
use crate::lock::lock;
use kakugo::board::Point;
use kakugo_record::analysis::puzzle::Verdict;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};

impl Room {
    /// The puzzles known so far, among which a hunt looks for more.
    ///
    /// # Errors
    /// No games are kept, or there is no thread left.
    pub(super) fn practise(&mut self, anew: bool) -> Result<Arc<str>, Text> {
        let store = self.store()?.clone();
        if self.hunt.is_none() || anew {
            self.keep(true);
            self.hunts += 1;
            let (number, home) = (self.hunts, self.home.clone());
            let tell = move |catch| {
                let Some(room) = home.upgrade() else { return false };
                lock(&room).caught(number, catch)
            };
            let begun = Hunt::begin(number, store, self.settings.engines.clone(), tell);
            self.hunt = Some(begun.map_err(|error| text!("No puzzles: {0}.", error.to_string()))?);
        }
        Ok(self.puzzles_view())
    }

    fn caught(&mut self, number: u64, catch: Catch) -> bool {
        let Some(hunt) = self.hunt.as_mut().filter(|hunt| hunt.number == number) else {
            return false;
        };
        match catch {
            Catch::Puzzle(puzzle) => hunt.puzzles.push(*puzzle),
            Catch::Game => hunt.done += 1,
            Catch::Done => hunt.goes_on = false,
        }
        self.news_of_hunt = true;
        true
    }

    pub(super) fn puzzles_view(&self) -> Arc<str> {
        view::puzzles(self.hunt.as_ref()).to_string().into()
    }

    /// Lay a puzzle on the board.
    ///
    /// # Errors
    /// There is none of this number.
    pub(super) fn open_puzzle(&mut self, number: usize) -> Result<(), Text> {
        let puzzle = self.hunt.as_ref().and_then(|hunt| hunt.puzzles.get(number)).cloned();
        let puzzle = puzzle.ok_or_else(|| text!("There is no such puzzle."))?;
        let game = LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves)
            .map_err(|(_, why)| why.in_words(RowOrder::FromBottom))?;
        self.start(game, false);
        self.analyse = None;
        let stage = Stage::Try;
        self.practice = Some(Practice {
            puzzle,
            stage,
            hinted: false,
            mistakes: 0,
            asked_for_solution: false,
            said: None,
        });
        Ok(())
    }

    /// Answer the puzzle on the board; whether there is one that awaits an answer. After it is solved,
    /// or the solution was shown, the board is like any other.
    ///
    /// # Errors
    /// Why that cannot be played, for people.
    pub(super) fn answer(&mut self, p: Point, rows: RowOrder) -> Result<bool, Text> {
        let Some(practice) = &mut self.practice else { return Ok(false) };
        match practice.stage {
            Stage::Solved | Stage::Shown => return Ok(false),
            Stage::Judging(_) => return Err(text!("Your answer is being judged.")),
            Stage::Try => {}
        }
        let board = self.game.board().clone();
        if board.side_to_move() != practice.puzzle.side {
            return Err(text!("It is the other side's turn here: go to the last move."));
        }
        let played = self.game.play(p, Instant::now());
        played.map_err(|refusal| refusal.in_words(rows))?;
        practice.stage = Stage::Judging(self.game.node());
        practice.said = None;
        self.begin(Purpose::Judge, Work::Judge(Box::new(board), p));
        Ok(true)
    }

    /// The answer has been judged.
    pub(super) fn judged(&mut self, verdict: Verdict) {
        let Some(practice) = &mut self.practice else { return };
        let Stage::Judging(node) = practice.stage else { return };
        practice.stage = Stage::Try;
        // Whoever goes elsewhere meanwhile takes the answer back.
        if self.game.node() != node {
            return;
        }
        let now = Instant::now();
        match verdict {
            Verdict::Solved => practice.stage = Stage::Solved,
            Verdict::Right(reply) => _ = self.game.play_forbidden_too(reply, now),
            Verdict::Wrong(_) => {
                practice.mistakes += 1;
                let _ = self.game.undo(1, now);
            }
        }
        let tried = self.game.stone(node);
        if let (Some(practice), Some(tried)) = (&mut self.practice, tried) {
            practice.said = Some((tried, verdict));
        }
        self.moved();
    }

    /// The answer that was being judged is taken back: nobody judges it any more.
    pub(super) fn take_answer_back(&mut self, now: Instant) {
        let Some(practice) = &mut self.practice else { return };
        let Stage::Judging(node) = practice.stage else { return };
        practice.stage = Stage::Try;
        if self.game.node() == node {
            let _ = self.game.undo(1, now);
        }
        self.moved();
    }

    /// The next move of the solution that is known, if the game has followed it so far.
    ///
    /// # Errors
    /// An answer is being judged, which a hint would break off.
    pub(super) fn hint_of_puzzle(&mut self) -> Result<Option<Point>, Text> {
        let Some(practice) = &mut self.practice else { return Ok(None) };
        if matches!(practice.stage, Stage::Judging(_)) {
            return Err(text!("Your answer is being judged."));
        }
        practice.hinted = true;
        let puzzle = &practice.puzzle;
        let board = self.game.board();
        let played: Vec<Point> = board.stones().skip(puzzle.moves.len()).map(|s| s.point).collect();
        Ok(puzzle.line.strip_prefix(&played[..]).and_then(|rest| rest.first()).copied())
    }

    /// Show the solution: the board goes back to the puzzle's position.
    ///
    /// # Errors
    /// There is no puzzle on the board.
    pub(super) fn solution(&mut self) -> Result<(), Text> {
        let practice = self.practice.as_mut();
        let practice = practice.ok_or_else(|| text!("There is no puzzle on the board."))?;
        if practice.stage != Stage::Solved {
            practice.stage = Stage::Shown;
        }
        practice.asked_for_solution = true;
        let ply = practice.puzzle.moves.len();
        self.game.go_to(ply, Instant::now());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rooms::puzzles::Puzzle;
    use crate::rooms::registry::tests::{Page, rooms};
    use kakugo::board::Side;
    use kakugo_record::analysis::puzzle::WinKind;
    use kakugo_record::pos;

    /// Black has three in a row and may win.
    fn lay_out(room: &mut Room) {
        let points = |moves| pos::read(moves, 15, RowOrder::FromBottom).unwrap();
        let puzzle = Puzzle {
            setup: room.game.setup().clone(),
            moves: points("f15h8g15i9h15h7"),
            side: Side::Black,
            line: points("e15"),
            stones: 2,
            kind: WinKind::OpenFour,
            grade: 1,
            missed: true,
            own: true,
            date: String::new(),
        };
        let game = LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves).unwrap();
        room.start(game, false);
        room.practice = Some(Practice {
            puzzle,
            stage: Stage::Try,
            hinted: false,
            mistakes: 0,
            asked_for_solution: false,
            said: None,
        });
    }

    fn obey(room: &mut Room, command: serde_json::Value) -> Result<(), Text> {
        room.obey(serde_json::from_value(command).unwrap()).map(|_| ())
    }

    #[test]
    fn a_hint_does_not_break_off_the_judgement_of_an_answer() {
        let rooms = rooms("judged", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        {
            let mut room = lock(&page.room);
            lay_out(&mut room);
            obey(&mut room, json!({ "do": "play", "x": 8, "y": 0 })).unwrap();
            let refused = obey(&mut room, json!({ "do": "hint" })).unwrap_err();
            assert_eq!(refused.to_string(), "Your answer is being judged.");
            assert_eq!(room.thinking.purpose(), Some(Purpose::Judge));
        }
        let state = page.until(|state| state["practice"]["stage"] == "try");
        assert_eq!(state["practice"]["said"]["verdict"], "right");
    }

    #[test]
    fn an_answer_that_nobody_judges_any_more_is_taken_back() {
        let rooms = rooms("reloaded", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        {
            let mut room = lock(&page.room);
            lay_out(&mut room);
            obey(&mut room, json!({ "do": "play", "x": 8, "y": 0 })).unwrap();
            // The page is loaded again.
            room.leave();
            room.enter();
        }
        let state = page.state();
        assert_eq!((&state["practice"]["stage"], &state["at"]), (&json!("try"), &json!(6)));
        page.play(&[(8, 0)]);
        page.until(|state| state["practice"]["said"]["verdict"] == "right");
    }
}
