//! The board in a terminal: reads orders, plays, draws.
//!
//! It reads lines from any input and writes to any output, so that it works at a keyboard, over ssh,
//! in a pipe and in tests. The prompt is only shown at a keyboard.

use std::fs;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use super::archive;
use super::end::Forfeit;
use super::game::{Action, Game};
use super::notation;
use super::order::{HELP, Order, parse};
use super::players::{Players, Task};
use super::refusal::Refusal;
use super::setup::{Player, Setup};
use super::status;
use crate::analysis::drawing::{Style, draw};
use crate::board::{Point, Variant};
use crate::record::file::Format;
use crate::record::pos::{self, RowOrder};
use crate::search::{Signals, Silent};

/// Longest line that is read, in bytes.
const LINE_BYTES: u64 = 4096;

/// Largest file that is read, in bytes.
const FILE_BYTES: u64 = 16 << 20;

/// A terminal board.
pub struct Terminal {
    game: Game,
    /// What the next game is played by.
    setup: Setup,
    engines: Vec<String>,
    players: Players,
    style: Style,
    at_keyboard: bool,
    /// Whether a computer waits because moves were taken back.
    held: bool,
}

/// What follows an order.
enum Then {
    Nothing,
    Say(String),
    Draw,
    Quit,
}

impl Terminal {
    /// A board; the set-up must have been checked.
    pub fn new(
        setup: Setup,
        engines: Vec<String>,
        players: Players,
        style: Style,
        at_keyboard: bool,
    ) -> Terminal {
        let game = Game::new(setup.clone());
        Terminal { game, setup, engines, players, style, at_keyboard, held: false }
    }

    /// Play until told to quit or the input ends.
    ///
    /// # Errors
    /// Reading or writing failed.
    pub fn run(mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        if self.at_keyboard {
            writeln!(output, "Kakugo. Type a point such as h8, or help.")?;
        }
        self.show(&mut output)?;
        loop {
            self.let_computers_play(&mut output)?;
            if self.at_keyboard {
                write!(output, "> ")?;
            }
            output.flush()?;
            let mut line = Vec::new();
            let mut bounded = io::Read::take(&mut input, LINE_BYTES);
            if bounded.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let then = match parse(&line) {
                Ok(None) => Ok(Then::Nothing),
                Ok(Some(order)) => self.carry_out(order),
                Err(why) => Err(why),
            };
            match then {
                Ok(Then::Nothing) => {}
                Ok(Then::Say(text)) => writeln!(output, "{}", text.trim_end())?,
                Ok(Then::Draw) => self.show(&mut output)?,
                Ok(Then::Quit) => return Ok(()),
                Err(why) => writeln!(output, "{}", self.style.warn(&why))?,
            }
        }
    }

    fn show(&self, output: &mut impl Write) -> io::Result<()> {
        let board = self.game.board();
        writeln!(output, "{}", draw(board, self.style).trim_end())?;
        let (variant, moves) = (board.variant(), board.ply());
        let status = status::sentence(&self.game);
        writeln!(output, "Move {moves}, {variant}. {}", self.style.strong(&status))
    }

    fn let_computers_play(&mut self, output: &mut impl Write) -> io::Result<()> {
        while !self.held && self.game.end().is_none() {
            let seat = self.game.turn();
            if !self.game.setup().seats[seat].player.is_computer() {
                break;
            }
            let now = Instant::now();
            self.game.run_clock(true, now);
            let task = Task::of(&self.game, now);
            let decided = self.players.decide(&task, &Signals::default(), &mut Silent);
            let now = Instant::now();
            let _ = self.game.check_flag(now);
            let name = self.game.setup().seats[seat].name.clone();
            let mut played = Vec::new();
            let outcome = decided.and_then(|decision| {
                if decision.actions.is_empty() {
                    return Err("no move".to_owned());
                }
                decision.actions.into_iter().try_for_each(|action| {
                    played.push(self.in_words(action));
                    match action {
                        Action::Stone(p) => self.game.play_forbidden_too(p, now),
                        Action::Choose(choice) => self.game.choose(choice, now),
                    }
                    .map_err(|refusal| refusal.to_string())
                })
            });
            if let Err(story) = outcome {
                let _ = self.game.forfeit(seat, Forfeit::Failed(story), now);
            } else {
                writeln!(output, "{name}: {}", played.join(", "))?;
            }
            self.show(output)?;
            output.flush()?;
        }
        let people = self.game.end().is_none() && self.game.board().ply() > 0 && !self.held;
        self.game.run_clock(people, Instant::now());
        Ok(())
    }

    fn in_words(&self, action: Action) -> String {
        use super::opening::Choice;
        match action {
            Action::Stone(p) => notation::name(p, self.game.board().height()),
            Action::Choose(Choice::Black) => "takes Black".to_owned(),
            Action::Choose(Choice::White) => "takes White".to_owned(),
            Action::Choose(Choice::More) => "places two more".to_owned(),
        }
    }

    fn carry_out(&mut self, order: Order) -> Result<Then, String> {
        let now = Instant::now();
        let told = |refusal: Refusal| refusal.to_string();
        if self.game.check_flag(now) {
            return Ok(Then::Draw);
        }
        match order {
            Order::Place(text) => {
                let p = self.point(&text)?;
                self.game.play(p, now).map_err(told)?;
                self.held = false;
            }
            Order::Undo(count) => {
                let count = count.unwrap_or_else(|| self.game.steps_to_own_turn());
                self.game.undo(count, now).map_err(told)?;
                self.held = true;
            }
            Order::Redo(count) => {
                self.game.redo(count, now).map_err(told)?;
                self.held = true;
            }
            Order::Choose(choice) => self.game.choose(choice, now).map_err(told)?,
            Order::Go => self.held = false,
            Order::Resign => {
                let seat = self.game.turn();
                self.game.forfeit(seat, Forfeit::Resigned, now).map_err(told)?;
            }
            Order::New => self.start(Game::new(self.setup.clone())),
            Order::Hint => return self.hint(now),
            Order::Show => {}
            Order::Moves => {
                let moves: Vec<Point> = self.game.board().stones().map(|s| s.point).collect();
                return Ok(Then::Say(notation::names(&moves, self.game.board().height())));
            }
            Order::Save(name) => return self.save(&name),
            Order::Load(name) => self.load(&name)?,
            Order::Help => return Ok(Then::Say(HELP.to_owned())),
            Order::Quit => return Ok(Then::Quit),
            order => return self.agree(order),
        }
        Ok(Then::Draw)
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
        let mut setup = self.setup.clone();
        let variant = setup.variant;
        let mut players = false;
        let changed = |result: Result<Variant, crate::board::UnsupportedWinLength>| {
            result.map_err(|error| error.to_string())
        };
        match order {
            Order::Rule(rule) => {
                let kept = Variant::new(rule, variant.win_length());
                setup.variant = kept.unwrap_or_else(|_| Variant::five(rule));
            }
            Order::Win(length) => setup.variant = changed(Variant::new(variant.rule(), length))?,
            Order::Size(width, height) => (setup.width, setup.height) = (width, height),
            Order::Opening(opening) => setup.opening = opening,
            Order::Names(black, white) => {
                players = true;
                setup.seats[0].name = black;
                setup.seats[1].name = white;
            }
            Order::Level(level) => {
                players = true;
                for seat in &mut setup.seats {
                    if let Player::Kakugo(_) = seat.player {
                        seat.player = Player::Kakugo(level);
                        seat.name.clear();
                    }
                }
            }
            Order::Seat(index, player) => {
                players = true;
                setup.seats[index].player = player;
                setup.seats[index].name.clear();
            }
            _ => {}
        }
        self.setup = setup.checked(&self.engines).map_err(|error| format!("{error}."))?;
        if players {
            self.game.set_seats(self.setup.seats.clone());
            self.held = false;
        } else if self.game.steps().is_empty() {
            self.start(Game::new(self.setup.clone()));
        } else {
            return Ok(Then::Say("This holds from the next game on: new.".to_owned()));
        }
        Ok(Then::Draw)
    }

    fn start(&mut self, game: Game) {
        self.game = game;
        self.held = false;
    }

    fn hint(&mut self, now: Instant) -> Result<Then, String> {
        if self.game.end().is_some() {
            return Err(Refusal::Over.to_string());
        }
        let task = Task { player: Player::Human, ..Task::of(&self.game, now) };
        let decision = self.players.decide(&task, &Signals::default(), &mut Silent)?;
        let words: Vec<String> = decision.actions.iter().map(|&a| self.in_words(a)).collect();
        Ok(Then::Say(format!("Kakugo would play {}.", words.join(", "))))
    }

    fn save(&self, name: &str) -> Result<Then, String> {
        let format = format_of(name)?;
        let record = archive::record_of(&self.game);
        let text = format.write(&[record]).map_err(|error| format!("Not saved: {error}."))?;
        fs::write(name, text).map_err(|error| format!("Not saved: {name}: {error}."))?;
        Ok(Then::Say(format!("Saved to {name}.")))
    }

    fn load(&mut self, name: &str) -> Result<(), String> {
        let format = format_of(name)?;
        let failed = |error: &dyn std::fmt::Display| format!("Not loaded: {name}: {error}.");
        let size = fs::metadata(name).map_err(|error| failed(&error))?.len();
        if size > FILE_BYTES {
            return Err(failed(&"too large for a game record"));
        }
        let bytes = fs::read(name).map_err(|error| failed(&error))?;
        let pattern = archive::record_of(&self.game);
        let games = format.read(&bytes, &pattern).map_err(|error| failed(&error))?;
        let first = games.first().ok_or_else(|| failed(&"no game"))?;
        let game = archive::game_of(first, RowOrder::FromBottom)
            .map_err(|why| failed(&why.trim_end_matches('.')))?;
        self.setup = game.setup().clone();
        self.start(game);
        Ok(())
    }
}

fn format_of(name: &str) -> Result<Format, String> {
    Format::of_name(name, RowOrder::FromBottom)
        .ok_or_else(|| format!("{name}: the name must end in .sgf, .psq, .rec, .pos or .lib."))
}
