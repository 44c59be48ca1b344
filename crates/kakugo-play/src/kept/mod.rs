//! The games that are kept: one SGF file each, in a folder of the user's.
//!
//! A file holds all moves with their variations, so that any program opens it, and in one property of
//! our own what a record does not tell: players, opening, clocks, how the game ended away from the
//! board, and the room that it was played in.

pub mod claim;
pub mod game;
mod seal;
pub mod store;
