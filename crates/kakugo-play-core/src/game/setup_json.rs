//! Set-ups as JSON, in commands and in saved games.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::opening::Opening;
use super::setup::{ByoYomi, PlayerKind, Seat, Setup, TimeControl, tidy, unplayable};
use super::wording;
use kakugo::board::{Point, Rule, Side, Variant};
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::setup::{Placement, Setup as Start};
use kakugo_record::text::{Text, text};

/// A set-up as JSON.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct SetupJson {
    width: u8,
    height: u8,
    rule: String,
    win: u8,
    seats: [SeatJson; 2],
    opening: String,
    /// Milliseconds; absent without a limit.
    turn_ms: Option<u64>,
    game_ms: Option<u64>,
    #[serde(default)]
    increment_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    byoyomi: Option<ByoYomiJson>,
    #[serde(default)]
    thought_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<StartJson>,
}

/// Byo-yomi as JSON.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
struct ByoYomiJson {
    periods: u32,
    period_ms: u64,
}

/// The first position as JSON: points such as `h8i9`, rows from the bottom.
#[derive(Serialize, Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
struct StartJson {
    black: String,
    white: String,
    blocked: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<SideJson>,
}

/// A side as JSON.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SideJson {
    /// Black.
    Black,
    /// White.
    White,
}

impl From<SideJson> for Side {
    fn from(side: SideJson) -> Side {
        match side {
            SideJson::Black => Side::Black,
            SideJson::White => Side::White,
        }
    }
}

impl StartJson {
    fn from_start(start: &Start, height: u8) -> StartJson {
        let text = |points: &[Point]| pos::write(points.iter().copied(), height, ROWS);
        StartJson {
            black: text(start.black()),
            white: text(start.white()),
            blocked: text(start.blocked()),
            turn: start.to_move.map(|side| match side {
                Side::Black => SideJson::Black,
                Side::White => SideJson::White,
            }),
        }
    }

    fn start(&self, height: u8) -> Result<Start, Text> {
        let mut start = Start::default();
        start.to_move = self.turn.map(Side::from);
        for (points, what) in [
            (&self.blocked, Placement::Blocked),
            (&self.black, Placement::Stone(Side::Black)),
            (&self.white, Placement::Stone(Side::White)),
        ] {
            let points = pos::read(points, height, ROWS).map_err(Text::from)?;
            points.into_iter().for_each(|p| start.put(p, what));
        }
        Ok(start)
    }
}

/// The order of rows in points of JSON.
const ROWS: RowOrder = RowOrder::FromBottom;

/// A seat as JSON.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct SeatJson {
    #[serde(default)]
    name: String,
    player: PlayerJson,
}

/// A player as JSON: `"human"`, `{"kakugo": 3}`, `{"engine": 0}`.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
enum PlayerJson {
    Human,
    Kakugo(usize),
    Engine(usize),
}

/// The longest time that is accepted, in ms: a day.
const LONGEST_MS: u64 = 24 * 3600 * 1000;

fn time(ms: u64) -> Duration {
    Duration::from_millis(ms.min(LONGEST_MS))
}

impl SeatJson {
    /// Returns a seat as JSON.
    pub fn from_seat(seat: &Seat) -> SeatJson {
        SeatJson {
            name: seat.name.clone(),
            player: match seat.player {
                PlayerKind::Human => PlayerJson::Human,
                PlayerKind::Kakugo(level) => PlayerJson::Kakugo(level),
                PlayerKind::Engine(index) => PlayerJson::Engine(index),
            },
        }
    }

    /// Returns the seat.
    pub fn seat(&self) -> Seat {
        let player = match self.player {
            PlayerJson::Human => PlayerKind::Human,
            PlayerJson::Kakugo(level) => PlayerKind::Kakugo(level),
            PlayerJson::Engine(index) => PlayerKind::Engine(index),
        };
        Seat { player, name: tidy(&self.name) }
    }

    /// Returns the seat for a new choice of players. A default name is dropped, because it may be
    /// that of another player, such as the level of a game that was opened from a file.
    pub fn chosen(&self, engines: &[String]) -> Seat {
        let Seat { player, name } = self.seat();
        let of_engine = |engine: &String| {
            let number = name.strip_prefix(engine.as_str()).map(str::trim);
            number.is_some_and(|number| matches!(number, "" | "1" | "2"))
        };
        let is_default = wording::is_default_name(&name) || engines.iter().any(of_engine);
        Seat { player, name: if is_default { String::new() } else { name } }
    }
}

/// Returns the variant of a rule with this win length.
///
/// # Errors
/// Returns the reason as a clause if there is none.
pub fn variant(rule: &str, win: u8) -> Result<Variant, Text> {
    let word = tidy(rule);
    let rule: Rule = word.parse().map_err(|_| text!("unknown rule '{0}'", word))?;
    Variant::new(rule, win).map_err(|_| text!("this rule does not support {0} in a row", win))
}

impl SetupJson {
    /// Returns a set-up as JSON.
    pub fn from_setup(setup: &Setup) -> SetupJson {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(LONGEST_MS);
        SetupJson {
            width: setup.width,
            height: setup.height,
            rule: setup.variant.rule().word().to_owned(),
            win: setup.variant.win_length(),
            seats: setup.seats.each_ref().map(SeatJson::from_seat),
            opening: setup.opening.word().to_owned(),
            turn_ms: setup.time.turn.map(ms),
            game_ms: setup.time.game.map(ms),
            increment_ms: ms(setup.time.increment),
            byoyomi: setup
                .time
                .byoyomi
                .map(|ByoYomi { periods, period }| ByoYomiJson { periods, period_ms: ms(period) }),
            thought_ms: Some(ms(setup.thought)),
            start: setup.has_position().then(|| StartJson::from_start(&setup.start, setup.height)),
        }
    }

    /// Returns the set-up of a new game with default names filled in, if these engines are
    /// available.
    ///
    /// # Errors
    /// Returns the reason why it cannot be played.
    pub fn setup(&self, engines: &[String]) -> Result<Setup, Text> {
        let seats = self.seats.each_ref().map(|seat| seat.chosen(engines));
        let setup = Setup { seats, ..self.unchecked().map_err(unplayable)? };
        setup.checked(engines).map_err(|error| error.refusal())
    }

    /// Returns the set-up, which may not be playable.
    ///
    /// # Errors
    /// Returns the reason as a clause if a word is unknown.
    pub fn unchecked(&self) -> Result<Setup, Text> {
        let variant = variant(&self.rule, self.win)?;
        let opening = Opening::from_word(&self.opening)
            .ok_or_else(|| text!("unknown opening '{0}'", tidy(&self.opening)))?;
        let start = self.start.as_ref().map(|start| start.start(self.height));
        Ok(Setup {
            width: self.width,
            height: self.height,
            variant,
            start: start.transpose()?.unwrap_or_default(),
            seats: [self.seats[0].seat(), self.seats[1].seat()],
            opening,
            time: TimeControl {
                turn: self.turn_ms.map(time),
                game: self.game_ms.map(time),
                increment: time(self.increment_ms),
                byoyomi: self.byoyomi.map(|ByoYomiJson { periods, period_ms }| ByoYomi {
                    periods,
                    period: time(period_ms),
                }),
            },
            thought: self.thought_ms.map_or(Setup::default().thought, time),
        })
    }
}
