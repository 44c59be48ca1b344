//! The core of Kakugo's board for people, without I/O.
//!
//! The core is a set of state machines, in the way of quinn-proto, h2 and rustls. It has no thread,
//! no clock, no socket and no file. A driver passes events and the time in, and performs the
//! effects that come out: the web server and the terminal of `kakugo-play`, or a web worker in a
//! browser.
//!
//! ```text
//!           Event, Now                    Effect
//!  driver ─────────────▶ Room::handle ─────────────▶ driver
//!             commands     │                 messages to clients
//!             job updates  ▼                 jobs to start and stop
//!             storage    parts, views        games to save and load
//!             ticks        │                 a timer
//!                          ▼
//!                         game
//!
//!           submit, withdraw, released, tick           Assignment
//!  driver ─────────────────────────────────▶ Scheduler ───────────▶ driver
//! ```
//!
//! | module | |
//! |---|---|
//! | [`event`] | [`Event`](event::Event), [`Effect`](event::Effect): input and output of a room |
//! | [`commands`] | what clients ask for, typed, read from JSON |
//! | [`messages`] | what clients are sent, typed, written as JSON |
//! | [`room`] | the state machine: dispatch, commands, changes that involve several parts |
//! | [`parts`] | state of a room: game, saving, reviews, practice, coach, clients, search |
//! | [`views`] | messages made from the parts |
//! | [`game`] | a game between two players: moves, openings, clocks, ends, records |
//! | [`jobs`], [`decisions`], [`progress`], [`puzzles`], [`solving`] | searches for drivers |
//! | [`insight`] | claims about positions that can be put into words: hints, threats, mistakes |
//! | [`rating`] | the rating of a player, from games against levels |
//! | [`scheduler`] | the order of all rooms' searches on a bounded number of workers |
//! | [`job_runs`] | when a search waits and runs, and the effort of all its runs |
//! | [`saved_game`], [`game_file`], [`uploads`] | texts of saved games, uploaded files |
//! | [`collection`] | problems in files |
//!
//! Calls go downwards only: `room` → `parts`, `views` → `game`. The invariants of a room are listed
//! at [`Room::check_invariants`](room::Room::check_invariants), which debug builds check after
//! every event. The same events at the same times have the same effects.

#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod collection;
pub mod commands;
pub mod decisions;
pub mod event;
pub mod game;
pub mod game_file;
pub mod insight;
pub mod job_runs;
pub mod jobs;
pub mod messages;
pub mod notice;
pub mod now;
pub mod parts;
pub mod progress;
pub mod puzzles;
pub mod rating;
pub mod room;
pub mod saved_game;
pub mod scheduler;
#[cfg(any(test, fuzzing))]
pub mod simulation;
pub mod solving;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_seats;
pub mod uploads;
pub mod views;
