//! The page's files, part of the program.

use super::languages::{INDEX, LANGUAGES};

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct File {
    /// Path in the address.
    pub path: &'static str,
    /// Its `Content-Type`.
    pub kind: &'static str,
    /// What is in it.
    pub content: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

/// All of them.
pub fn files() -> Vec<File> {
    let page = File { path: "/", kind: HTML, content: &INDEX };
    let languages = LANGUAGES.iter().map(|language| File {
        path: language.path,
        kind: JSON,
        content: language.texts,
    });
    [page].into_iter().chain(PARTS).chain(languages).collect()
}

const PARTS: [File; 20] = [
    File { path: "/style.css", kind: CSS, content: include_str!("assets/style.css") },
    File { path: "/icon.svg", kind: IMAGE, content: include_str!("assets/icon.svg") },
    File {
        path: "/manifest.webmanifest",
        kind: MANIFEST,
        content: include_str!("assets/manifest.webmanifest"),
    },
    File { path: "/language.js", kind: SCRIPT, content: include_str!("assets/language.js") },
    File { path: "/sound.js", kind: SCRIPT, content: include_str!("assets/sound.js") },
    File { path: "/main.js", kind: SCRIPT, content: include_str!("assets/main.js") },
    File { path: "/sight.js", kind: SCRIPT, content: include_str!("assets/sight.js") },
    File { path: "/socket.js", kind: SCRIPT, content: include_str!("assets/socket.js") },
    File { path: "/board.js", kind: SCRIPT, content: include_str!("assets/board.js") },
    File { path: "/notation.js", kind: SCRIPT, content: include_str!("assets/notation.js") },
    File { path: "/kept.js", kind: SCRIPT, content: include_str!("assets/kept.js") },
    File { path: "/memory.js", kind: SCRIPT, content: include_str!("assets/memory.js") },
    File { path: "/moves.js", kind: SCRIPT, content: include_str!("assets/moves.js") },
    File { path: "/players.js", kind: SCRIPT, content: include_str!("assets/players.js") },
    File { path: "/sure.js", kind: SCRIPT, content: include_str!("assets/sure.js") },
    File { path: "/openings.js", kind: SCRIPT, content: include_str!("assets/openings.js") },
    File { path: "/practice.js", kind: SCRIPT, content: include_str!("assets/practice.js") },
    File { path: "/setup.js", kind: SCRIPT, content: include_str!("assets/setup.js") },
    File { path: "/analysis.js", kind: SCRIPT, content: include_str!("assets/analysis.js") },
    File { path: "/records.js", kind: SCRIPT, content: include_str!("assets/records.js") },
];
