//! Playing games: the referee of one game, and the workers that play the schedule.
//!
//! ```text
//! workers ──► referee ──► seat ──► participant (an external engine, or a script in tests)
//!                │         ▲
//!                ├─► swap2 ┘
//!                └─► adjudicate ──► end
//! ```

mod adjudicate;
mod end;
mod participant;
mod referee;
mod seat;
mod swap2;
mod workers;

pub use adjudicate::Prover;
pub use workers::play;
