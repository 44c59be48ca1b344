//! The board in a terminal: reads orders, plays, draws.
//!
//! It reads lines from any input and writes to any output, so that it works at a keyboard, over ssh,
//! in a pipe and in tests. The prompt is only shown at a keyboard. In a terminal that can do so, lines
//! are edited and repeated ([`super::keyboard`]).
//!
//! While the computer thinks, lines are read ahead. At a keyboard some of them act at once (`stop`,
//! `undo`, `goto`, `delete`, `resign`, `pause`, `new`, `load`, `quit`); all others wait for its move. A script's lines
//! are taken in order: only `stop` as the very next line cuts the thinking short.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::channel;
use std::time::Instant;

use super::keyboard::PROMPT;
use super::lines::{Lines, Noticed};
use super::order::{HELP, Order, parse, sentence};
use super::tree::listing;
use crate::computers::{Computers, MoveRequest};
use crate::game::end::{End, Forfeit};
use crate::game::error::GameError;
use crate::game::live::{Action, LiveGame};
use crate::game::opening::{Opening, OpeningChoice};
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::game::{notation, records, status};
use kakugo::board::{Point, Side, Variant};
use kakugo::level::{LEVELS, Level};
use kakugo::player::Thread;
use kakugo::search::Silent;
use kakugo_record::analysis::drawing::{Style, draw, sanitize};
use kakugo_record::file::Format;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::tree::NodeId;

/// Largest file that is read, in bytes.
const FILE_BYTES: u64 = 16 << 20;

/// Endings of the names of files.
const KNOWN: &str = ".sgf, .psq, .rec, .pos or .lib";

/// A terminal board.
pub struct Terminal {
    game: LiveGame,
    /// What the next game is played by.
    setup: Setup,
    engines: Vec<String>,
    computers: Thread<Computers>,
    style: Style,
    at_keyboard: bool,
    /// Whether clocks and computers wait since somebody said so.
    paused: bool,
    /// Whether a computer waits since moves were taken back.
    held: bool,
    /// What is done if the answer is yes.
    asked: Option<Asked>,
}

/// What was asked.
enum Asked {
    /// Whether to overwrite this file.
    Overwrite(String),
    /// Whether to delete this move with those that follow.
    Delete(NodeId),
}

/// What follows an order.
enum Then {
    Nothing,
    Say(String),
    Draw,
    DrawAndSay(String),
    Quit,
}

impl Terminal {
    /// A board; the set-up must have been checked.
    pub fn new(
        setup: Setup,
        engines: Vec<String>,
        computers: Thread<Computers>,
        style: Style,
        at_keyboard: bool,
    ) -> Terminal {
        let game = LiveGame::new(setup.clone());
        Terminal {
            game,
            setup,
            engines,
            computers,
            style,
            at_keyboard,
            paused: false,
            held: false,
            asked: None,
        }
    }

    /// Play until told to quit or the input ends.
    ///
    /// # Errors
    /// Reading or writing failed.
    pub fn run(mut self, lines: &Lines, mut output: impl Write) -> io::Result<()> {
        if self.at_keyboard {
            writeln!(output, "Kakugo. Type a point such as h8, or help.")?;
        }
        self.show(&mut output)?;
        loop {
            self.let_computers_play(lines, &mut output)?;
            if self.at_keyboard && !lines.are_prompted() {
                write!(output, "{PROMPT}")?;
            }
            output.flush()?;
            let Some(line) = lines.next()? else { return Ok(()) };
            let then = match (self.asked.take(), parse(&line)) {
                (Some(Asked::Overwrite(name)), _) if is_yes(&line) => self.save(&name, true),
                (Some(Asked::Delete(node)), _) if is_yes(&line) => self.delete(node),
                (Some(Asked::Overwrite(_)), _) if is_no(&line) => say("Not saved."),
                (Some(Asked::Delete(_)), _) if is_no(&line) => say("Not deleted."),
                (_, Ok(None)) => Ok(Then::Nothing),
                (_, Ok(Some(order))) => {
                    if self.game.check_flag(Instant::now()) {
                        self.show(&mut output)?;
                    }
                    self.carry_out(order, lines)
                }
                (_, Err(why)) => Err(why),
            };
            match then {
                Ok(Then::Nothing) => {}
                Ok(Then::Say(text)) => writeln!(output, "{}", text.trim_end())?,
                Ok(Then::Draw) => self.show(&mut output)?,
                Ok(Then::DrawAndSay(text)) => {
                    self.show(&mut output)?;
                    writeln!(output, "{text}")?;
                }
                Ok(Then::Quit) => return Ok(()),
                Err(why) => writeln!(output, "{}", self.style.warn(&why))?,
            }
        }
    }

    fn show(&self, output: &mut impl Write) -> io::Result<()> {
        let board = self.game.board();
        writeln!(output, "{}", draw(board, self.style).trim_end())?;
        let (variant, moves) = (board.variant(), board.ply());
        let status = status::sentence(&self.game).to_string();
        write!(output, "Move {moves}, {variant}. {}", self.style.strong(&status))?;
        let waits = self.waits() && self.game.end().is_none();
        writeln!(output, "{}", if waits { " Paused: go." } else { "" })?;
        match &*self.game.tree().value(self.game.node()).note.comment {
            "" => Ok(()),
            comment => writeln!(output, "{}", sanitize(comment)),
        }
    }

    /// Whether clocks and computers wait.
    fn waits(&self) -> bool {
        self.paused || self.held
    }

    fn go_on(&mut self) {
        (self.paused, self.held) = (false, false);
    }

    fn noticed(&self) -> Noticed {
        if self.at_keyboard { Noticed::Any } else { Noticed::Next }
    }

    /// Let a computer decide, unless a line breaks it off. `hasty`: it can be told to answer now.
    fn decide(
        &mut self,
        lines: &Lines,
        hasty: bool,
        request: MoveRequest,
    ) -> Option<Result<Vec<Action>, String>> {
        let (noticed, at_keyboard) = (self.noticed(), self.at_keyboard);
        let ends = move |line: &str| match parse(line) {
            Ok(Some(Order::Stop)) => hasty,
            Ok(Some(order)) => at_keyboard && order.breaks_off(),
            _ => false,
        };
        let (sender, decided) = channel();
        self.computers.give(
            move |computers, signals| computers.decide(&request, signals, &mut Silent),
            move |result| _ = sender.send(result),
        );
        let wait = || decided.recv();
        let (decided, stopped) = lines.listen(noticed, ends, self.computers.signals(), wait);
        let hastened = || hasty && lines.take(noticed, |line| parse(line) == Ok(Some(Order::Stop)));
        let internal = |_| Err("internal error".to_owned());
        let decided = decided.unwrap_or_else(|_| Err(String::new())).unwrap_or_else(internal);
        (!stopped || hastened()).then_some(decided)
    }

    fn let_computers_play(&mut self, lines: &Lines, output: &mut impl Write) -> io::Result<()> {
        while !self.waits() && self.game.end().is_none() {
            let seat = self.game.setup().seats[self.game.turn()].clone();
            if !seat.player.is_computer() {
                break;
            }
            let now = Instant::now();
            self.game.run_clock(true, now);
            let request = MoveRequest::of(&self.game, now);
            let hasty = !matches!(seat.player, PlayerKind::Engine(_));
            // Broken off: the line that did it comes next.
            let Some(actions) = self.decide(lines, hasty, request) else { break };
            let words = actions.as_ref().map_or(String::new(), |actions| self.in_words(actions));
            self.game.carry_out(actions, Instant::now());
            if !matches!(self.game.end(), Some(End::Forfeit(..))) {
                writeln!(output, "{}: {words}", seat.name)?;
            }
            self.show(output)?;
            output.flush()?;
        }
        let people = self.game.end().is_none() && self.game.board().ply() > 0 && !self.waits();
        self.game.run_clock(people, Instant::now());
        Ok(())
    }

    fn in_words(&self, actions: &[Action]) -> String {
        let word = |action: &Action| match action {
            Action::Stone(p) => notation::name(*p, self.game.board().height()),
            Action::Choose(OpeningChoice::Black) => "takes Black".to_owned(),
            Action::Choose(OpeningChoice::White) => "takes White".to_owned(),
            Action::Choose(OpeningChoice::More) => "places two more".to_owned(),
        };
        actions.iter().map(word).collect::<Vec<_>>().join(", ")
    }

    fn carry_out(&mut self, order: Order, lines: &Lines) -> Result<Then, String> {
        let now = Instant::now();
        let told = |refusal: GameError| refusal.to_string();
        match order {
            Order::Place(text) => {
                let p = self.point(&text)?;
                self.game.allows_person().map_err(told)?;
                self.game.play(p, now).map_err(told)?;
                self.go_on();
            }
            Order::Undo(count) => {
                let count = count.unwrap_or_else(|| self.game.steps_to_own_turn());
                self.game.undo(count, now).map_err(told)?;
                self.hold_computer();
            }
            Order::Redo(count) => {
                self.game.redo(count, now).map_err(told)?;
                self.hold_computer();
            }
            Order::Choose(choice) => {
                self.game.allows_person().map_err(told)?;
                self.game.choose(choice, now).map_err(told)?;
                self.go_on();
            }
            Order::Go => self.go_on(),
            Order::Pause => self.paused = true,
            Order::Stop => return Err(self.nothing_to_stop()),
            Order::Resign => {
                let seat = self.game.human_seat();
                self.game.forfeit(seat, Forfeit::Resigned, now).map_err(told)?;
            }
            Order::New => self.start(LiveGame::new(self.setup.clone())),
            Order::Hint => return self.hint(now, lines),
            Order::Show => {}
            Order::Moves => {
                let moves: Vec<Point> = self.game.board().stones().map(|s| s.point).collect();
                return Ok(Then::Say(notation::names(&moves, self.game.board().height())));
            }
            Order::Tree => return Ok(Then::Say(listing(&self.game))),
            Order::Goto(count) => {
                self.game.go_to(count, now);
                self.hold_computer();
            }
            Order::GotoNumbered(number) => {
                self.game.go_to_node(NodeId::from_number(number), now).map_err(told)?;
                self.hold_computer();
            }
            Order::Promote => {
                self.game.promote(self.game.node()).map_err(told)?;
                return say("The variation is the main line of its place now: tree.");
            }
            Order::Delete => return self.ask_to_delete(),
            Order::Comment(None) => {
                let comment = &self.game.tree().value(self.game.node()).note.comment;
                let said = sanitize(comment);
                return say(if comment.is_empty() { "There is no comment." } else { &said });
            }
            Order::Comment(Some(text)) => {
                self.game.comment(self.game.node(), &text).map_err(told)?;
                return Ok(Then::Nothing);
            }
            Order::Save { name, over } => return self.save(&name, over),
            Order::Load(name) => {
                let note = self.load(&name)?;
                return Ok(if note.is_empty() { Then::Draw } else { Then::DrawAndSay(note) });
            }
            Order::Levels => return Ok(Then::Say(levels())),
            Order::Help => return Ok(Then::Say(HELP.to_owned())),
            Order::Quit => return Ok(Then::Quit),
            order => return self.agree(order),
        }
        Ok(Then::Draw)
    }

    /// After moves were taken back the computer waits for a word: there may be something to look at.
    fn hold_computer(&mut self) {
        self.held = self.game.setup().seats[self.game.turn()].player.is_computer();
    }

    fn nothing_to_stop(&self) -> String {
        let other = |seat: &Seat| matches!(seat.player, PlayerKind::Engine(_));
        let why = if self.game.setup().seats.iter().any(other) {
            "Only Kakugo can be asked to play at once."
        } else {
            "Nobody is thinking now."
        };
        why.to_owned()
    }

    fn point(&self, text: &str) -> Result<Point, String> {
        let height = self.game.board().height();
        let points = pos::read(text, height, RowOrder::FromBottom);
        match points.as_deref() {
            Ok([p]) if self.game.board().contains(*p) => Ok(*p),
            _ => Err(format!("{text} is off the board.")),
        }
    }

    /// Change what the next game is played by; at once if no stone lies on the board.
    fn agree(&mut self, order: Order) -> Result<Then, String> {
        if order.is_about_players() {
            return self.change_players(&order);
        }
        let mut setup = self.setup.clone();
        let variant = setup.variant;
        let changed =
            |result: Result<Variant, kakugo::board::UnsupportedWinLength>| result.map_err(sentence);
        match order {
            Order::Rule(rule) => {
                let kept = Variant::new(rule, variant.win_length());
                setup.variant = kept.unwrap_or_else(|_| Variant::five(rule));
            }
            Order::Win(length) => setup.variant = changed(Variant::new(variant.rule(), length))?,
            Order::Size(width, height) => (setup.width, setup.height) = (width, height),
            Order::Opening(opening) => setup.opening = opening,
            _ => {}
        }
        self.setup = setup.checked(&self.engines).map_err(sentence)?;
        if self.game.steps().is_empty() {
            self.start(LiveGame::new(self.setup.clone()));
        } else {
            return Ok(Then::Say("This holds from the next game on: new.".to_owned()));
        }
        Ok(Then::Draw)
    }

    /// Change the players of the game on the board and of the next. Orders tell them by their colours,
    /// which may have been swapped.
    fn change_players(&mut self, order: &Order) -> Result<Then, String> {
        let mut setup = self.setup.clone();
        order.change_players(&mut setup.seats);
        let mut now = self.game.setup().clone();
        let places = Side::BOTH.map(|side| self.game.seat_of(side));
        let mut seats = places.map(|place| now.seats[place].clone());
        order.change_players(&mut seats);
        for (place, seat) in places.into_iter().zip(seats) {
            now.seats[place] = seat;
        }
        let now = now.checked(&self.engines).map_err(sentence)?;
        self.setup = setup.checked(&self.engines).map_err(sentence)?;
        self.game.set_seats(now.seats);
        self.go_on();
        Ok(Then::Draw)
    }

    fn start(&mut self, game: LiveGame) {
        self.game = game;
        self.go_on();
    }

    fn hint(&mut self, now: Instant, lines: &Lines) -> Result<Then, String> {
        if self.game.end().is_some() {
            return Err(GameError::Over.to_string());
        }
        let request = MoveRequest { player: PlayerKind::Human, ..MoveRequest::of(&self.game, now) };
        let Some(actions) = self.decide(lines, true, request) else { return Ok(Then::Nothing) };
        let actions = actions?;
        let would = match actions.first() {
            Some(Action::Choose(OpeningChoice::Black)) => "take Black".to_owned(),
            Some(Action::Choose(OpeningChoice::White)) => "take White".to_owned(),
            Some(Action::Choose(OpeningChoice::More)) => {
                format!("place two more: {}", self.in_words(&actions[1..]))
            }
            _ => format!("play {}", self.in_words(&actions)),
        };
        Ok(Then::Say(format!("Kakugo would {would}.")))
    }

    /// Save the game; where the file exists only if that is wanted, `over` it.
    fn save(&mut self, name: &str, over: bool) -> Result<Then, String> {
        let format = Format::from_file_name(name, RowOrder::FromBottom);
        let format = format.ok_or_else(|| format!("{name}: the name must end in {KNOWN}."))?;
        let bytes = records::file_of(&self.game, format).map_err(|why| why.to_string())?;
        let mut options = OpenOptions::new();
        let opened = if over {
            options.write(true).create(true).truncate(true).open(name)
        } else {
            options.write(true).create_new(true).open(name)
        };
        let mut file = match opened {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return self.ask_to_overwrite(name);
            }
            opened => opened.map_err(|error| format!("Not saved: {name}: {error}."))?,
        };
        file.write_all(&bytes).map_err(|error| format!("Not saved: {name}: {error}."))?;
        Ok(Then::Say(format!("Saved to {name}.")))
    }

    /// People are asked; a script has to say it at once.
    fn ask_to_overwrite(&mut self, name: &str) -> Result<Then, String> {
        if !self.at_keyboard {
            return Err(format!("Not saved: {name} exists. To overwrite it: save! {name}"));
        }
        self.asked = Some(Asked::Overwrite(name.to_owned()));
        Ok(Then::Say(format!("{name} exists. Overwrite it? (yes, no)")))
    }

    /// Show a record; tells what is to be known about it.
    fn load(&mut self, name: &str) -> Result<String, String> {
        let format = Format::from_file_name(name, RowOrder::FromBottom)
            .ok_or_else(|| format!("{name}: the name must end in {KNOWN}."))?;
        let failed = |error: &dyn std::fmt::Display| format!("Not loaded: {name}: {error}.");
        let size = fs::metadata(name).map_err(|error| failed(&error))?.len();
        if size > FILE_BYTES {
            return Err(failed(&"too large for a game record"));
        }
        let bytes = fs::read(name).map_err(|error| failed(&error))?;
        let pattern = format.defaults_beside(records::record_of(&self.game));
        let mut first = None;
        let mut count = 0;
        format.each_game(&bytes, &pattern, |game| {
            count += 1;
            first.get_or_insert(game);
            ControlFlow::Continue(())
        });
        let first = first.ok_or_else(|| failed(&"no game"))?.map_err(|error| failed(&error))?;
        let (mut game, left_out) = records::live_of(&first, RowOrder::FromBottom)
            .map_err(|why| failed(&why.to_string().trim_end_matches('.')))?;
        game.set_thought(self.setup.thought);
        self.setup = self.next_like(game.setup());
        self.start(game);
        let left_out =
            records::note_of_left_out(left_out).map_or(String::new(), |note| note.to_string());
        let notes = [records::note_of(count), left_out];
        Ok(notes.join(" ").trim().to_owned())
    }

    /// The set-up of the next game by size and rule of this one, between the players that were agreed.
    fn next_like(&self, shown: &Setup) -> Setup {
        let (width, height, variant) = (shown.width, shown.height, shown.variant);
        let next = Setup { width, height, variant, ..self.setup.clone() };
        let free = Setup { opening: Opening::Free, ..next.clone() };
        // The opening may need more room.
        let checked = next.checked(&self.engines).or_else(|_| free.checked(&self.engines));
        checked.unwrap_or_else(|_| shown.clone())
    }

    /// Delete the move on the board; people are asked where others follow it.
    fn ask_to_delete(&mut self) -> Result<Then, String> {
        let node = self.game.node();
        let mut below = vec![node];
        let mut count = 0;
        while let Some(node) = below.pop() {
            count += 1;
            below.extend(self.game.tree().children(node));
        }
        if node == NodeId::ROOT || count == 1 || !self.at_keyboard {
            return self.delete(node);
        }
        self.asked = Some(Asked::Delete(node));
        Ok(Then::Say(format!("Delete {count} moves? (yes, no)")))
    }

    fn delete(&mut self, node: NodeId) -> Result<Then, String> {
        self.game.delete(node, Instant::now()).map_err(|refusal| refusal.to_string())?;
        self.hold_computer();
        Ok(Then::Draw)
    }
}

fn say(text: &str) -> Result<Then, String> {
    Ok(Then::Say(text.to_owned()))
}

/// All levels, one a line.
fn levels() -> String {
    let line = |(i, level): (usize, &Level)| {
        format!("  {:2} {:20} Elo {:5}\n", i + 1, level.name, level.rating)
    };
    LEVELS.iter().enumerate().map(line).collect()
}

fn is_yes(line: &str) -> bool {
    ["y", "yes"].contains(&line.trim().to_ascii_lowercase().as_str())
}

fn is_no(line: &str) -> bool {
    ["n", "no"].contains(&line.trim().to_ascii_lowercase().as_str())
}
