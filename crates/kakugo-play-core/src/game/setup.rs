//! The set-up of a game: board, rule, players, opening, time.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use kakugo::board::{Board, MAX_SIZE, MIN_SIZE, Side, UnsupportedSize, Variant};
use kakugo::level::{FULL, LEVELS, Level};
use kakugo_record::setup::Setup as Start;
use kakugo_record::text::{Text, text};

use super::opening::Opening;

/// A kind of player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerKind {
    /// A human.
    Human,
    /// Kakugo at this strength level, from 1.
    Kakugo(usize),
    /// One of the engines given on the command line, from 0.
    Engine(usize),
}

impl PlayerKind {
    /// Returns true for a computer.
    pub const fn is_computer(self) -> bool {
        !matches!(self, PlayerKind::Human)
    }
}

/// Parses `human`, `kakugo`, `5` or `level5`, `engine1`.
impl FromStr for PlayerKind {
    type Err = UnknownPlayer;

    fn from_str(word: &str) -> Result<PlayerKind, UnknownPlayer> {
        let word = word.to_ascii_lowercase();
        let number = |text: &str| text.parse::<usize>().ok();
        match word.as_str() {
            "human" | "me" => return Ok(PlayerKind::Human),
            "kakugo" | "full" => return Ok(PlayerKind::Kakugo(FULL)),
            _ => {}
        }
        if let Some(index) = word.strip_prefix("engine").and_then(number) {
            let index = index.checked_sub(1).ok_or(UnknownPlayer { word })?;
            return Ok(PlayerKind::Engine(index));
        }
        match number(word.strip_prefix("level").unwrap_or(&word)) {
            Some(level) if (1..=LEVELS.len()).contains(&level) => Ok(PlayerKind::Kakugo(level)),
            _ => Err(UnknownPlayer { word }),
        }
    }
}

/// The error of a word that is not a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPlayer {
    word: String,
}

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = &self.word;
        write!(
            f,
            "invalid player '{word}': expected human, kakugo, a level 1 to {FULL}, or engine1"
        )
    }
}

impl std::error::Error for UnknownPlayer {}

/// A player with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// The kind of player.
    pub player: PlayerKind,
    /// The name.
    pub name: String,
}

/// The time of each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Time per move.
    pub turn: Option<Duration>,
    /// Time per game.
    pub game: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
    /// Periods that begin when the time per game has run out.
    pub byoyomi: Option<ByoYomi>,
}

impl TimeControl {
    /// Returns true if there is a limit.
    pub const fn is_limited(&self) -> bool {
        self.turn.is_some() || self.game.is_some() || self.byoyomi.is_some()
    }
}

/// Japanese byo-yomi: a move within a period costs nothing, and each full period is lost. A player
/// who has lost all periods has lost on time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByoYomi {
    /// Number of periods.
    pub periods: u32,
    /// Length of a period.
    pub period: Duration,
}

/// The largest number of periods.
pub const MAX_PERIODS: u32 = 99;

/// The set-up of a game. Seat 0 starts: it has Black unless colours are swapped in the opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// The rule.
    pub variant: Variant,
    /// The first position.
    pub start: Start,
    /// The players.
    pub seats: [Seat; 2],
    /// The opening.
    pub opening: Opening,
    /// Clocks.
    pub time: TimeControl,
    /// Thinking time of a computer if there are no clocks.
    pub thought: Duration,
}

/// The longest name, in characters.
const NAME_LENGTH: usize = 60;

impl Default for Setup {
    /// Returns a human against full strength, freestyle on 15x15.
    fn default() -> Setup {
        let seat = |player| Seat { player, name: String::new() };
        Setup {
            width: 15,
            height: 15,
            variant: Variant::FREESTYLE,
            start: Start::default(),
            seats: [seat(PlayerKind::Human), seat(PlayerKind::Kakugo(FULL))],
            opening: Opening::Free,
            time: TimeControl::default(),
            thought: Duration::from_secs(2),
        }
    }
}

/// Names of two people without names.
const COLOURS: [&str; 2] = ["Black", "White"];
/// The same in openings that swap colours.
const NUMBERED: [&str; 2] = ["Player 1", "Player 2"];

/// An error in a set-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The board is too small or too large.
    Size(UnsupportedSize),
    /// The board is too small for a winning row.
    Row(u8),
    /// The board is too small for the opening.
    Opening(Opening),
    /// No such level.
    Level(usize),
    /// No such engine.
    Engine(usize),
    /// A clock without time.
    NoTime,
    /// Too few or too many periods of byo-yomi.
    Periods(u32),
    /// A stone of the first position is off the board.
    Position,
}

impl SetupError {
    /// Returns the text of the error.
    pub fn in_words(&self) -> Text {
        match self {
            SetupError::Size(UnsupportedSize { width, height }) => text!(
                "unsupported board size {0}x{1} (each side {2} to {3})",
                *width,
                *height,
                MIN_SIZE,
                MAX_SIZE
            ),
            SetupError::Row(length) => {
                text!("the board is too small for {0} in a row", *length)
            }
            SetupError::Opening(opening) if opening.is_renju() => {
                text!("{0} needs a board with odd sides of at least 9", opening.in_words())
            }
            SetupError::Opening(opening) => {
                text!("the board is too small for {0}", opening.in_words())
            }
            SetupError::Level(n) => text!("invalid level {0}: expected 1 to {1}", *n, FULL),
            SetupError::Engine(n) => text!("engine {0} was not given by --engine", n + 1),
            SetupError::NoTime => text!("invalid clock: expected a time above zero"),
            SetupError::Periods(n) => {
                text!("invalid byo-yomi: {0} periods, expected 1 to {1}", *n, MAX_PERIODS)
            }
            SetupError::Position => text!("a stone of the position is off the board"),
        }
    }

    /// Returns the refusal of the game as a sentence.
    pub fn refusal(&self) -> Text {
        unplayable(self.in_words())
    }
}

/// Returns the refusal of a game, given the reason as a clause.
pub fn unplayable(why: Text) -> Text {
    text!("The game cannot be played: {0}.", why)
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_words().fmt(f)
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// Returns true if the game begins from a position other than the empty board with Black to
    /// move.
    pub fn has_position(&self) -> bool {
        self.start.changes_board() || self.start.side_to_move() != Side::Black
    }

    /// Checks the set-up for these other engines, and fills in missing names.
    pub fn checked(mut self, engines: &[String]) -> Result<Setup, SetupError> {
        Board::new(self.width, self.height, self.variant).map_err(SetupError::Size)?;
        self.start
            .board(self.width, self.height, self.variant)
            .map_err(|_| SetupError::Position)?;
        if self.has_position() {
            self.opening = Opening::Free;
        }
        let length = self.variant.win_length();
        if self.width.max(self.height) < length {
            return Err(SetupError::Row(length));
        }
        if !self.opening.fits(self.width, self.height) {
            return Err(SetupError::Opening(self.opening));
        }
        if [self.time.turn, self.time.game].contains(&Some(Duration::ZERO)) {
            return Err(SetupError::NoTime);
        }
        if let Some(ByoYomi { periods, period }) = self.time.byoyomi {
            if !(1..=MAX_PERIODS).contains(&periods) {
                return Err(SetupError::Periods(periods));
            }
            if period.is_zero() {
                return Err(SetupError::NoTime);
            }
        }
        for seat in &mut self.seats {
            let name = match seat.player {
                PlayerKind::Human => "Human".to_owned(),
                PlayerKind::Kakugo(n) => {
                    let level = Level::of(n).ok_or(SetupError::Level(n))?;
                    if n == FULL { "Kakugo".to_owned() } else { format!("Kakugo {}", level.name) }
                }
                PlayerKind::Engine(n) => engines.get(n).ok_or(SetupError::Engine(n))?.clone(),
            };
            seat.name = tidy(&seat.name);
            if seat.name.is_empty() {
                seat.name = name;
            }
        }
        if self.seats[0].name == self.seats[1].name || self.are_named_by_default() {
            // Colours are no names if they may be swapped.
            let names = if self.opening.swaps() { NUMBERED } else { COLOURS };
            for (i, (seat, name)) in self.seats.iter_mut().zip(names).enumerate() {
                seat.name = if seat.player == PlayerKind::Human {
                    name.to_owned()
                } else {
                    format!("{} {}", seat.name, i + 1)
                };
            }
        }
        Ok(self)
    }

    /// Returns true if two people have names that were filled in.
    fn are_named_by_default(&self) -> bool {
        let names = self.seats.each_ref().map(|seat| &*seat.name);
        let are_people = self.seats.iter().all(|seat| seat.player == PlayerKind::Human);
        are_people && [COLOURS, NUMBERED].contains(&names)
    }
}

/// Returns a name without control characters, and shortened if it is too long.
pub fn tidy(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let plain_name: String = name.chars().map(plain).take(NAME_LENGTH).collect();
    plain_name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in_and_tidied() {
        let setup = Setup::default().checked(&[]).unwrap();
        assert_eq!(setup.seats[0].name, "Human");
        assert_eq!(setup.seats[1].name, "Kakugo");
        let mut two = Setup::default();
        two.seats[1].player = PlayerKind::Human;
        let two = two.checked(&[]).unwrap();
        assert_eq!([&*two.seats[0].name, &*two.seats[1].name], ["Black", "White"]);
        let swap = Setup { opening: Opening::Swap2, ..two }.checked(&[]).unwrap();
        assert_eq!([&*swap.seats[0].name, &*swap.seats[1].name], ["Player 1", "Player 2"]);
        let free = Setup { opening: Opening::Free, ..swap }.checked(&[]).unwrap();
        assert_eq!([&*free.seats[0].name, &*free.seats[1].name], ["Black", "White"]);
        assert_eq!(tidy(" a\nb\u{7} "), "a b");
        assert_eq!(tidy(&"x".repeat(1000)).len(), NAME_LENGTH);
    }

    #[test]
    fn impossible_set_ups_say_why() {
        let with = |change: fn(&mut Setup)| {
            let mut setup = Setup::default();
            change(&mut setup);
            setup.checked(&["Other".into()]).map_err(|e| e.to_string())
        };
        assert!(with(|s| s.seats[0].player = PlayerKind::Engine(0)).is_ok());
        assert!(with(|s| s.width = 2).unwrap_err().contains("2x15"));
        let tiny = with(|s| (s.width, s.height) = (3, 4)).unwrap_err();
        assert_eq!(tiny, "the board is too small for 5 in a row");
        assert!(
            with(|s| s.seats[0].player = PlayerKind::Engine(1)).unwrap_err().contains("--engine")
        );
        assert!(
            with(|s| s.seats[0].player = PlayerKind::Kakugo(0)).unwrap_err().contains("level 0")
        );
        assert!(with(|s| s.time.turn = Some(Duration::ZERO)).unwrap_err().contains("clock"));
        let byoyomi = |periods, secs| Some(ByoYomi { periods, period: Duration::from_secs(secs) });
        for (periods, secs, why) in
            [(0, 30, "0 periods"), (100, 30, "100 periods"), (5, 0, "clock")]
        {
            let mut setup = Setup::default();
            setup.time.byoyomi = byoyomi(periods, secs);
            assert!(setup.checked(&[]).unwrap_err().to_string().contains(why));
        }
        let small = with(|s| {
            (s.width, s.height) = (5, 5);
            s.opening = Opening::Pro;
        });
        assert!(small.unwrap_err().contains("too small"));
        let even = with(|s| {
            (s.width, s.height) = (16, 16);
            s.opening = Opening::Rif;
        });
        assert!(even.unwrap_err().ends_with("needs a board with odd sides of at least 9"));
    }
}
