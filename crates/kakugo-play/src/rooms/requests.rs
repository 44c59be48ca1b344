//! What pages ask of a room, carried out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::keeping::Keeping;
use super::known::Known;
use super::messages::Command;
use super::note::Note;
use super::room::Room;
use super::thinking::Purpose;
use super::view;
use super::work::Work;
use crate::computers::MoveRequest;
use crate::game::end::Forfeit;
use crate::game::error::GameError;
use crate::game::live::LiveGame;
use crate::game::records;
use crate::game::setup::PlayerKind;
use crate::game::words;
use kakugo::board::{Point, Side};
use kakugo_record::file::Format;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

/// Best lines that a page may ask for.
const MOST_LINES: usize = 9;

/// Time for a hint.
const HINT_TIME: Duration = Duration::from_secs(1);

impl Room {
    /// Do what a page asks; the text is an answer for that page alone.
    ///
    /// # Errors
    /// Why it cannot be done, for people.
    pub fn obey(&mut self, command: Command) -> Result<Option<Arc<str>>, Text> {
        let now = Instant::now();
        match &command {
            Command::Save { format, rows } => return self.save(format, (*rows).into()).map(Some),
            Command::Games => return self.games().map(Some),
            Command::Practice { anew } => return self.practise(*anew).map(Some),
            Command::Export { id } => return self.export_kept(id).map(Some),
            Command::Forget { id } => return self.forget_kept(id).map(Some),
            _ => {}
        }
        let note = std::mem::take(&mut self.note);
        match self.carry_out(command, now) {
            Ok(true) => self.moved(),
            Ok(false) => {}
            Err(why) => {
                self.note = note;
                return Err(why);
            }
        }
        self.settle(now);
        self.tell_all();
        self.keep(false);
        Ok(None)
    }

    fn save(&self, format: &str, rows: RowOrder) -> Result<Arc<str>, Text> {
        let format = Format::from_name(format, rows);
        let format = format.ok_or_else(|| text!("There is no such format."))?;
        let bytes = records::file_of(&self.game, format)?;
        Ok(view::record(format, &bytes).to_string().into())
    }

    /// Whether the position changed.
    fn carry_out(&mut self, command: Command, now: Instant) -> Result<bool, Text> {
        let told = |refusal: GameError| refusal.in_words(RowOrder::FromBottom);
        match command {
            Command::New { setup, moves } => {
                let setup = setup.setup(&self.settings.engines)?;
                let points =
                    pos::read(&moves, setup.height, RowOrder::FromBottom).map_err(Text::from)?;
                let game = LiveGame::with_moves(setup, &points).map_err(|(number, refusal)| {
                    text!("Move {0}: {1}", number + 1, told(refusal))
                })?;
                self.start(game, points.is_empty());
            }
            Command::Play { x, y, rows } => {
                let p = Point::new(x, y).ok_or_else(|| text!("That point is off the board."))?;
                if self.answer(p, rows.into())? {
                    return Ok(true);
                }
                self.game.allows_person().map_err(told)?;
                self.game.play(p, now).map_err(|refusal| refusal.in_words(rows.into()))?;
                self.go_on();
            }
            Command::Choose { choice } => {
                self.game.allows_person().map_err(told)?;
                let before = self.game.seat_of(Side::Black);
                self.game.choose(choice.into(), now).map_err(told)?;
                self.go_on();
                self.announce_colours(before);
            }
            Command::Undo { count } => {
                let count = count.unwrap_or_else(|| self.game.steps_to_own_turn());
                self.game.undo(count, now).map_err(told)?;
                self.hold_computer();
            }
            Command::Redo { count } => {
                let count = count.unwrap_or_else(|| self.game.steps_to_next_turn());
                self.game.redo(count, now).map_err(told)?;
                self.hold_computer();
                // Where the computer was thinking it thinks on.
                self.held &= self.game.can_redo();
            }
            Command::Goto { ply } => {
                self.game.go_to(ply, now);
                self.hold_computer();
            }
            Command::Node { id } => {
                self.game.go_to_node(NodeId::from_number(id), now).map_err(told)?;
                self.hold_computer();
            }
            Command::Promote { id } => {
                self.game.promote(NodeId::from_number(id)).map_err(told)?;
                self.keeping.changed();
                return Ok(false);
            }
            Command::Delete { id } => {
                self.game.delete(NodeId::from_number(id), now).map_err(told)?;
                self.hold_computer();
            }
            Command::Comment { id, text } => {
                self.game.comment(NodeId::from_number(id), &text).map_err(told)?;
                self.keeping.changed();
                return Ok(false);
            }
            Command::Resign => {
                let seat = self.game.human_seat();
                self.game.forfeit(seat, Forfeit::Resigned, now).map_err(told)?;
            }
            Command::Pause { on } => {
                (self.paused, self.held) = (on, false);
                return Ok(false);
            }
            Command::Now => {
                self.go_on();
                let player = self.game.setup().seats[self.game.turn()].player;
                if matches!(player, PlayerKind::Engine(_)) {
                    return Err(text!("Only Kakugo can be asked to play at once."));
                }
                self.thinking.answer_now();
                return Ok(false);
            }
            Command::Hint => {
                if self.game.end().is_some() {
                    return Err(told(GameError::Over));
                }
                if let Some(hint) = self.hint_of_puzzle()? {
                    self.known.hint = Some(hint);
                    return Ok(false);
                }
                let mut request = MoveRequest::of(&self.game, now);
                request.player = PlayerKind::Human;
                request.limits.turn = Some(HINT_TIME);
                request.limits.left = None;
                let purpose = Purpose::Hint { version: self.version };
                self.begin(purpose, Work::Hint(Box::new(request)));
                return Ok(false);
            }
            Command::Analyse { on, lines } => {
                self.analyse = on.then_some(lines.clamp(1, MOST_LINES));
                return Ok(false);
            }
            Command::Explain => {
                self.explain()?;
                return Ok(false);
            }
            Command::Open { id } => self.open_kept(&id)?,
            Command::Puzzle { number } => self.open_puzzle(number)?,
            Command::Solution => self.solution()?,
            Command::Rematch => self.rematch()?,
            Command::Save { .. }
            | Command::Games
            | Command::Practice { .. }
            | Command::Export { .. }
            | Command::Forget { .. } => return Ok(false),
            Command::Seats { seats } => {
                let mut setup = self.game.setup().clone();
                // The page tells Black's first, whoever that is by now.
                for (side, seat) in Side::BOTH.into_iter().zip(seats) {
                    setup.seats[self.game.seat_of(side)] = seat.seat();
                }
                let setup = setup.checked(&self.settings.engines).map_err(|e| e.in_words())?;
                self.game.set_seats(setup.seats);
                self.go_on();
            }
        }
        Ok(true)
    }

    /// Replace the game, by one that begins now or by a record.
    pub fn start(&mut self, game: LiveGame, begun: bool) {
        self.put_away();
        self.start_with(game, Keeping::new(begun));
    }

    /// Replace the game by one of which this is kept; the old one has been written.
    pub(super) fn start_with(&mut self, game: LiveGame, keeping: Keeping) {
        // What is thought about the old game is of no use for this one.
        self.thinking.end();
        self.shelve(game, keeping);
        self.known = Known::default();
        self.practice = None;
        self.go_on();
        self.hold_computer_with_moves();
    }

    /// The same game again with colours exchanged.
    fn rematch(&mut self) -> Result<(), Text> {
        let mut setup = self.game.setup().clone();
        let [black, white] = Side::BOTH.map(|side| setup.seats[self.game.seat_of(side)].clone());
        setup.seats = [white, black];
        for seat in &mut setup.seats {
            // Such names are filled in anew.
            if Side::BOTH.iter().any(|side| seat.name == side.to_string()) {
                seat.name.clear();
            }
        }
        let setup = setup.checked(&self.settings.engines).map_err(|error| error.in_words())?;
        self.start(LiveGame::new(setup), true);
        Ok(())
    }

    /// Say it where players have changed colours.
    pub(super) fn announce_colours(&mut self, before: usize) {
        if self.game.seat_of(Side::Black) != before {
            let name = |side| words::name(&self.game.setup().seats[self.game.seat_of(side)].name);
            let (black, white) = (name(Side::Black), name(Side::White));
            let said = text!("Colours are exchanged: {0} has Black, {1} White.", black, white);
            self.note = Some(Note::to_all(said));
        }
    }

    /// Clocks and computers wait no longer.
    fn go_on(&mut self) {
        (self.paused, self.held) = (false, false);
    }

    /// After moves were taken back the computer waits for a word: there may be something to look at.
    fn hold_computer(&mut self) {
        let seat = &self.game.setup().seats[self.game.turn()];
        self.held = seat.player.is_computer() && self.game.end().is_none();
    }

    fn hold_computer_with_moves(&mut self) {
        if self.game.board().ply() > 0 {
            self.hold_computer();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::lock::lock;
    use crate::rooms::registry::{
        self,
        tests::{Page, rooms},
    };

    /// A game for two people by these rules.
    fn new_game(rules: &Value) -> Value {
        let mut new = registry::tests::new_game();
        let setup = new["setup"].as_object_mut().unwrap();
        setup.extend(rules.as_object().unwrap().clone());
        new
    }

    #[test]
    fn looking_back_holds_the_clock_and_keeps_a_pause() {
        let rooms = rooms("looking", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.say(new_game(&json!({ "turn_ms": 600_000 })));
        page.play(&[(7, 7), (8, 8)]);
        assert_eq!(page.state()["clock_runs"], true);
        for look in [json!({ "do": "undo" }), json!({ "do": "goto", "ply": 0 })] {
            page.say(look);
            assert_eq!(page.state()["clock_runs"], false);
            page.say(json!({ "do": "goto", "ply": 2 }));
            assert_eq!(page.state()["clock_runs"], true);
        }
        page.say(json!({ "do": "pause", "on": true }));
        page.say(json!({ "do": "undo" }));
        page.say(json!({ "do": "redo" }));
        let state = page.state();
        assert_eq!((&state["paused"], &state["clock_runs"]), (&json!(true), &json!(false)));
        page.play(&[(9, 9)]);
        let state = page.state();
        assert_eq!((&state["paused"], &state["clock_runs"]), (&json!(false), &json!(true)));
    }

    #[test]
    fn a_choice_ends_a_pause() {
        let rooms = rooms("choice", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.say(new_game(&json!({ "opening": "swap" })));
        page.play(&[(7, 7), (8, 8), (9, 9)]);
        page.say(json!({ "do": "pause", "on": true }));
        page.say(json!({ "do": "choose", "choice": "white" }));
        assert_eq!(page.state()["paused"], false);
    }

    #[test]
    fn players_are_told_by_their_colours_even_after_a_swap() {
        let rooms = rooms("colours", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.say(new_game(&json!({ "opening": "swap" })));
        page.play(&[(7, 7), (8, 8), (9, 9)]);
        page.say(json!({ "do": "choose", "choice": "black" }));
        let seat = |name: &str| json!({ "player": "human", "name": name });
        page.say(json!({ "do": "seats", "seats": [seat("Ann"), seat("Bob")] }));
        let state = page.state();
        let names = [0, 1].map(|side| state["players"][side]["name"].as_str().unwrap().to_owned());
        assert_eq!(
            (names, &state["players"][0]["seat"]),
            (["Ann", "Bob"].map(Into::into), &json!(1))
        );
    }

    #[test]
    fn a_hint_is_for_the_position_that_it_was_asked_for_in() {
        let rooms = rooms("hint", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.play(&[(7, 7)]);
        {
            let mut room = lock(&page.room);
            for command in [json!({ "do": "hint" }), json!({ "do": "play", "x": 8, "y": 8 })] {
                room.obey(serde_json::from_value(command).unwrap()).unwrap();
            }
            assert_eq!(room.thinking.purpose(), None);
        }
        page.say(json!({ "do": "hint" }));
        page.until(|state| state["hint"].is_array());
    }

    #[test]
    fn a_hint_at_a_choice_says_what_kakugo_would_choose() {
        let rooms = rooms("chosen", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.say(new_game(&json!({ "opening": "swap" })));
        page.play(&[(7, 7), (8, 8), (9, 9)]);
        page.say(json!({ "do": "hint" }));
        let note = page.until(|state| state["note"].is_array())["note"].clone();
        assert_eq!(note[0], "Kakugo would choose: {0}.");
        assert!([json!(["Take Black"]), json!(["Take White"])].contains(&note[1]), "{note}");
    }

    #[test]
    fn a_hint_keeps_to_the_opening() {
        let rooms = rooms("pro", true);
        let page = Page::open(&rooms, &json!({})).unwrap();
        page.say(new_game(&json!({ "opening": "long-pro" })));
        page.play(&[(7, 7), (8, 7)]);
        page.say(json!({ "do": "hint" }));
        let hint = page.until(|state| state["hint"].is_array())["hint"].clone();
        page.say(json!({ "do": "play", "x": hint[0], "y": hint[1] }));
    }
}
