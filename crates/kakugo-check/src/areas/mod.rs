//! The checks, one file per area.

pub(super) mod admission;
pub(super) mod commands;
pub(super) mod end;
pub(super) mod files;
pub(super) mod info;
pub(super) mod malformed;
pub(super) mod managers;
pub(super) mod memory;
pub(super) mod rules;
pub(super) mod start;
pub(super) mod tactics;
pub(super) mod time;
pub(super) mod zip;
