//! The rules against their slow twin, against drawings, and against known forbidden points.
//!
//! Every random test prints its seed. `KAKUGO_SEED=N cargo test --test rules` repeats it.

mod definitions;
mod drawn;
mod forbidden;
mod fouls;
mod perft;
mod random_games;
mod rows;
mod seed;
mod twin;
