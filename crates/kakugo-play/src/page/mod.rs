//! The page in the browser: its files, and the server that hands them out and carries messages
//! between pages and rooms.

mod files;
mod hosts;
mod languages;
mod patience;
pub mod server;
mod tab;
mod upload;
