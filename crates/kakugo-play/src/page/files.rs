//! The page's files, part of the program.

use axum::body::Bytes;

use super::languages::{INDEX, LANGUAGES};

/// A file of the page, as it is sent.
#[derive(Clone, Debug)]
pub struct File {
    /// Path in the address.
    pub path: &'static str,
    /// Its `Content-Type`.
    pub kind: &'static str,
    /// What is in it.
    pub content: Bytes,
}

/// A file as it was written.
struct Source {
    path: &'static str,
    kind: &'static str,
    content: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";

/// All of them.
pub fn files() -> Vec<File> {
    let page = Source { path: "/", kind: HTML, content: &INDEX };
    let languages = LANGUAGES.iter().map(|language| Source {
        path: language.path,
        kind: JSON,
        content: language.texts,
    });
    let sent = |Source { path, kind, content }| File { path, kind, content: lean(kind, content) };
    [page].into_iter().chain(PARTS).chain(languages).map(sent).collect()
}

/// A file without what only its authors read, an eighth of it: indentation, blank lines, and in scripts
/// lines of comment.
fn lean(kind: &str, content: &str) -> Bytes {
    let is_for_authors = |line: &str| line.is_empty() || kind == SCRIPT && line.starts_with("//");
    let lines = content.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !is_for_authors(line)).collect();
    Bytes::from(lines.join("\n"))
}

const PARTS: [Source; 21] = [
    Source { path: "/style.css", kind: CSS, content: include_str!("assets/style.css") },
    Source { path: "/icon.svg", kind: IMAGE, content: include_str!("assets/icon.svg") },
    Source {
        path: "/manifest.webmanifest",
        kind: MANIFEST,
        content: include_str!("assets/manifest.webmanifest"),
    },
    Source { path: "/language.js", kind: SCRIPT, content: include_str!("assets/language.js") },
    Source { path: "/sound.js", kind: SCRIPT, content: include_str!("assets/sound.js") },
    Source { path: "/main.js", kind: SCRIPT, content: include_str!("assets/main.js") },
    Source { path: "/sight.js", kind: SCRIPT, content: include_str!("assets/sight.js") },
    Source { path: "/socket.js", kind: SCRIPT, content: include_str!("assets/socket.js") },
    Source { path: "/board.js", kind: SCRIPT, content: include_str!("assets/board.js") },
    Source { path: "/buttons.js", kind: SCRIPT, content: include_str!("assets/buttons.js") },
    Source { path: "/notation.js", kind: SCRIPT, content: include_str!("assets/notation.js") },
    Source { path: "/kept.js", kind: SCRIPT, content: include_str!("assets/kept.js") },
    Source { path: "/memory.js", kind: SCRIPT, content: include_str!("assets/memory.js") },
    Source { path: "/moves.js", kind: SCRIPT, content: include_str!("assets/moves.js") },
    Source { path: "/players.js", kind: SCRIPT, content: include_str!("assets/players.js") },
    Source { path: "/sure.js", kind: SCRIPT, content: include_str!("assets/sure.js") },
    Source { path: "/openings.js", kind: SCRIPT, content: include_str!("assets/openings.js") },
    Source { path: "/practice.js", kind: SCRIPT, content: include_str!("assets/practice.js") },
    Source { path: "/setup.js", kind: SCRIPT, content: include_str!("assets/setup.js") },
    Source { path: "/analysis.js", kind: SCRIPT, content: include_str!("assets/analysis.js") },
    Source { path: "/records.js", kind: SCRIPT, content: include_str!("assets/records.js") },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_authors_read_is_not_sent() {
        let script = "// Why.\nfunction f() {\n\n  return 'http://a'; // so\n}\n";
        assert_eq!(lean(SCRIPT, script), "function f() {\nreturn 'http://a'; // so\n}");
        assert_eq!(lean(HTML, "<p>\n  // text\n</p>"), "<p>\n// text\n</p>");
        // No text of a script runs over several lines that would be changed so.
        for Source { path, kind, content } in PARTS {
            let ticks = |line: &str| line.matches('`').count();
            let whole = content.lines().all(|line| ticks(line).is_multiple_of(2));
            assert!(kind != SCRIPT || whole, "{path}");
        }
    }
}
