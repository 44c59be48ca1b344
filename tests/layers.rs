//! Dependencies point down: no module of the library may name one above it.
//!
//! ```text
//! main → {arena, play, tools} → protocol → level → search → eval → pattern → {board, score}
//! ```
//!
//! Game records (`record`) know the board and scores only and serve arena, play and tools. The
//! checker reads paths that begin with `crate::`, `kakugo::` or climb to the root by `super::`.
//! Comments do not count, unit tests do.

use std::path::{Path, PathBuf};

/// A module, and the modules it may name besides itself. The longest prefix that fits counts.
const LAYERS: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("score", &[]),
    ("pattern", &["board", "score"]),
    ("record", &["board", "score"]),
    ("eval", &["pattern", "board", "score"]),
    ("eval::kernel", &[]),
    ("search", &["eval", "pattern", "board", "score"]),
    ("search::params", &["board", "score"]),
    ("search::time", &["board", "score"]),
    ("protocol", &["level", "search", "eval", "pattern", "board", "score"]),
    ("level", &["analysis", "search", "eval", "board", "score"]),
    ("analysis", &["search", "eval", "pattern", "record", "board", "score"]),
    ("arena", &["protocol::command", "protocol::reply", "record", "board", "score"]),
    (
        "play",
        &[
            "arena", "analysis", "level", "protocol", "search", "eval", "pattern", "record",
            "board", "score",
        ],
    ),
    ("tools", &["analysis", "protocol", "search", "eval", "pattern", "record", "board", "score"]),
    ("lib", &[]),
    ("main", &["arena", "play", "tools", "protocol"]),
];

/// Modules that may not even name their parent and siblings.
const SEALED: &[&str] = &["eval::kernel"];

fn is_within(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The entry of [`LAYERS`] that binds a module.
fn layer(module: &str) -> Option<(&'static str, &'static [&'static str])> {
    let fitting = LAYERS.iter().filter(|(name, _)| is_within(module, name));
    fitting.max_by_key(|(name, _)| name.len()).copied()
}

/// `board/mod.rs` → `board`, `search/time.rs` → `search::time`.
fn module_of(file: &Path) -> String {
    let parts: Vec<String> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("::").trim_end_matches("::mod").to_owned()
}

/// The text without line comments.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Add the paths of a use tree, `a::{b, c::d}` as `a::b` and `a::c::d`, and return what follows it.
fn read_tree<'a>(text: &'a str, prefix: &str, paths: &mut Vec<String>) -> &'a str {
    let mut text = text.trim_start();
    if let Some(mut list) = text.strip_prefix('{') {
        loop {
            list = list.trim_start().trim_start_matches(',').trim_start();
            if list.is_empty() || list.starts_with('}') {
                return list.get(1..).unwrap_or("");
            }
            list = read_tree(list, prefix, paths);
            let end = list.find([',', '}']).unwrap_or(list.len());
            list = &list[end..];
        }
    }
    let name = identifier(text);
    text = &text[name.len()..];
    let path = match (prefix, name) {
        (_, "" | "self") => prefix.to_owned(),
        ("", name) => name.to_owned(),
        (prefix, name) => format!("{prefix}::{name}"),
    };
    match text.trim_start().strip_prefix("::") {
        Some(rest) if !name.is_empty() => read_tree(rest, &path, paths),
        _ => {
            paths.push(path);
            // A star, or the blank after which nothing belongs to the path.
            text.strip_prefix('*').unwrap_or(text)
        }
    }
}

/// Every path from the crate's root that the code names, and every one by `super::` that may be.
fn named_paths(module: &str, code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for root in ["crate::", "kakugo::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                read_tree(&code[at + root.len()..], "", &mut paths);
            }
        }
    }
    for (at, _) in code.match_indices("super::") {
        if !code[..at].ends_with("super::") {
            climbed_paths(module, &code[at..], &mut paths);
        }
    }
    paths
}

/// `super::super::x` in a file of depth two names `x` at the root; an inline module (unit tests)
/// may need one `super` more for the same, so only names of layers count there.
fn climbed_paths(module: &str, chain: &str, paths: &mut Vec<String>) {
    let own: Vec<&str> = module.split("::").collect();
    let mut rest = chain;
    let mut steps = 0;
    while let Some(shorter) = rest.strip_prefix("super::") {
        rest = shorter;
        steps += 1;
    }
    let parent = own[..own.len().saturating_sub(steps)].join("::");
    let mut found = Vec::new();
    read_tree(rest, &parent, &mut found);
    paths.extend(found.into_iter().filter(|path| layer(path).is_some()));
}

/// What is wrong with the arrows that a file of `module` draws.
fn violations(module: &str, text: &str) -> Vec<String> {
    let Some((name, below)) = layer(module) else {
        return vec![format!("{module}: no layer is known for this module")];
    };
    let top = name.split("::").next().unwrap_or(name);
    let own = if SEALED.contains(&name) { name } else { top };
    let mut wrong = Vec::new();
    for path in named_paths(module, &code(text)) {
        let allowed = [own].iter().chain(below).any(|module| is_within(&path, module));
        let known = LAYERS.iter().any(|(layer, _)| is_within(&path, layer));
        if !known {
            wrong.push(format!("{module} names {path}, which is no known layer"));
        } else if !allowed {
            wrong.push(format!("{module} may not name {path}"));
        }
    }
    wrong
}

/// All files below `folder` that end in `.rs`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn no_arrow_points_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.iter().any(|file| file.ends_with("board/mod.rs")));
    let wrong: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let module = module_of(file.strip_prefix(&root).unwrap());
            violations(&module, &std::fs::read_to_string(file).unwrap())
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn upward_arrows_are_seen() {
    let wrong = |module, text| violations(module, text).len();
    assert_eq!(wrong("board::rule", "use crate::search::Engine;"), 1);
    assert_eq!(wrong("board", "fn f() { let x = crate::eval::evaluate(); }"), 1);
    assert_eq!(wrong("board", "use crate::{score::Score, pattern::{Pattern, table}};"), 3);
    assert_eq!(wrong("pattern::table", "pub(crate) use  crate::\n    search::tt::{Bound, Tt};"), 2);
    assert_eq!(wrong("board::lines", "use super::super::search::Engine;"), 1);
    assert_eq!(wrong("score", "use super::board::Board;"), 1);
    assert_eq!(wrong("search::time", "use crate::eval::Evaluator;"), 1);
    assert_eq!(wrong("eval::kernel::avx2", "use super::super::network::Layer;"), 1);
    assert_eq!(wrong("eval::kernel", "use crate::board::Board;"), 1);
    assert_eq!(wrong("arena::game", "use crate::protocol::session::serve;"), 1);
    assert_eq!(wrong("arena", "use crate::{protocol, search::Limits};"), 2);
    assert_eq!(wrong("play::web", "use crate::tools::perft;"), 1);
    assert_eq!(wrong("main", "use kakugo::search::Engine;"), 1);
    assert_eq!(wrong("board", "mod m { macro_rules! m { () => { $crate::eval::f() } } }"), 1);
}

#[test]
fn downward_arrows_are_fine() {
    let right = |module, text| assert_eq!(violations(module, text), [""; 0]);
    right("search::alphabeta", "use crate::{board::{self, Board}, eval::Evaluator, score::*};");
    right("search::time", "use super::Limits; use super::params::*; use crate::score::Score;");
    right("eval::kernel::avx2", "use super::scalar::{dot, Sum as Total};");
    right("eval::network", "use super::kernel::dot;");
    right("arena::engine", "use crate::protocol::{command::Command, reply::Reply};");
    right("arena::engine", "use crate::record::psq;");
    right("board::lines", "//! [`crate::search`] uses this.\nuse super::rule::Side;");
    right("board", "mod tests { use super::rule::Rule; use crate::board; use crate::board!; }");
    right("main", "use kakugo::{play, protocol::session};");
}

#[test]
fn unknown_modules_are_seen() {
    assert_eq!(violations("helpers", "").len(), 1);
    assert_eq!(violations("board", "use crate::helpers::clamp;").len(), 1);
    assert_eq!(violations("tools::bench", "use crate::{board::Board, misc};").len(), 1);
}

#[test]
fn files_are_modules() {
    assert_eq!(module_of(Path::new("board/mod.rs")), "board");
    assert_eq!(module_of(Path::new("eval/kernel/avx2.rs")), "eval::kernel::avx2");
    assert_eq!(module_of(Path::new("score.rs")), "score");
}
