//! The page in a real browser: whole games by clicks, analysis, records, safety.
#![cfg(feature = "play")]

mod crowd;
mod driver;
mod editor;
mod games;
mod kept;
mod languages;
mod layout;
mod learn;
mod marks;
mod moves;
mod openings;
mod practice;
mod records;
mod report;
mod review;
mod safety;
mod shown;
mod site;
mod site_threads;
mod two;
mod work;
