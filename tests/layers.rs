//! Dependencies point down: no module of the library may name one above it, and no two files of a
//! folder may name each other, directly or around a circle.
//!
//! ```text
//! main → session → player → level → search → eval → position → pattern → {board, score}
//! main → {arena, play, tools} → protocol → {board, score}
//! ```
//!
//! Game records (`record`) know the board and scores only and serve arena, play and tools. The
//! checker reads paths that begin with `crate::`, `kakugo::` or climb to the root by `super::`.
//! Comments do not count. Unit tests count between modules, not between the files of one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module, and the modules it may name besides itself. The longest prefix that fits counts.
const LAYERS: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("score", &[]),
    ("checksum", &[]),
    ("units", &[]),
    ("usage", &[]),
    ("ctrl_c", &[]),
    ("run_file", &[]),
    ("stderr", &[]),
    ("html", &[]),
    ("text", &[]),
    ("pattern", &["board", "score"]),
    ("record", &["text", "board", "score"]),
    ("position", &["pattern", "board"]),
    ("eval", &["position", "pattern", "checksum", "board", "score"]),
    ("eval::kernel", &[]),
    ("search", &["eval", "position", "pattern", "board", "score"]),
    ("search::params", &["board", "score"]),
    ("search::time", &["board", "score"]),
    ("protocol", &["board", "score"]),
    ("session", &["player", "protocol", "level", "search", "board", "score"]),
    ("level", &["analysis", "search", "eval", "position", "board", "score"]),
    ("player", &["level", "search", "board", "score"]),
    ("analysis", &["search", "eval", "position", "pattern", "record", "board", "score"]),
    ("client", &["protocol", "units", "board", "score"]),
    (
        "arena",
        &[
            "client", "protocol", "record", "usage", "ctrl_c", "run_file", "stderr", "html",
            "board", "score",
        ],
    ),
    (
        "check",
        &["client", "protocol", "record", "units", "usage", "ctrl_c", "run_file", "html", "board"],
    ),
    (
        "play",
        &[
            "client", "analysis", "level", "player", "protocol", "search", "eval", "position",
            "pattern", "record", "units", "usage", "ctrl_c", "stderr", "text", "board", "score",
        ],
    ),
    (
        "tools",
        &[
            "analysis", "protocol", "search", "eval", "position", "pattern", "record", "checksum",
            "units", "usage", "ctrl_c", "run_file", "stderr", "board", "score",
        ],
    ),
    ("lib", &[]),
    ("main", &["arena", "check", "play", "tools", "session", "usage"]),
];

/// Modules that may not even name their parent and siblings.
const SEALED: &[&str] = &["eval::kernel"];

/// Circles between files that are known, to be untied: the folder, and the files and folders in it
/// that a circle joins. A `mod.rs` is `mod`. This list may only shrink.
#[rustfmt::skip]
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[
];

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

/// The text without unit tests: items after `#[cfg(test)]`, which end with their first line, if that
/// has a semicolon, or with a brace as far to the right as they began.
fn without_tests(code: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" && !line.trim().starts_with("#[cfg(all(test,") {
            kept.push(line);
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - line.trim_start().len()]);
        if lines.next().is_some_and(|first| !first.trim_end().ends_with(';')) {
            lines.by_ref().find(|line| line.trim_end().trim_end_matches(';') == end);
        }
    }
    kept.join("\n")
}

/// Every path of the crate that the file of `module` names, tests left out. `modules` are those that
/// have a file.
fn named_by_file(module: &str, text: &str, modules: &BTreeSet<String>) -> Vec<String> {
    let code = without_tests(&code(text));
    let own: Vec<&str> = module.split("::").collect();
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("::") {
        let name = code[..at].rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
        let before = &code[..at - name.len()];
        if before.ends_with("::") || name.is_empty() {
            continue;
        }
        let mut rest = &code[at + 2..];
        let start = match name {
            "crate" | "kakugo" => String::new(),
            "self" => module.to_owned(),
            "super" => {
                let mut steps = 1;
                while let Some(shorter) = rest.strip_prefix("super::") {
                    rest = shorter;
                    steps += 1;
                }
                own[..own.len().saturating_sub(steps)].join("::")
            }
            child if modules.contains(&format!("{module}::{child}")) => {
                format!("{module}::{child}")
            }
            _ => continue,
        };
        read_tree(rest, &start, &mut paths);
    }
    paths
}

/// The module, of those that have a file, that a path leads into.
fn file_of<'a>(path: &str, modules: &'a BTreeSet<String>) -> Option<&'a str> {
    let fitting = modules.iter().filter(|module| is_within(path, module));
    fitting.max_by_key(|module| module.len()).map(String::as_str)
}

/// Which entry of `folder` a module's file belongs to: a file or folder there, or its `mod.rs`.
fn entry<'a>(module: &'a str, folder: &str) -> Option<&'a str> {
    let rest = module.strip_prefix(folder)?;
    if rest.is_empty() {
        return Some("mod");
    }
    Some(identifier(rest.strip_prefix("::")?))
}

type Arrows<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The shortest way from `start` back to itself.
fn circle<'a>(start: &'a str, arrows: &Arrows<'a>) -> Option<Vec<&'a str>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in &ways {
            for &next in arrows.get(way[way.len() - 1]).into_iter().flatten() {
                if next == start {
                    return Some(way.clone());
                }
                if seen.insert(next) {
                    longer.push([&way[..], &[next]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

/// What can be reached from `start`.
fn reach<'a>(start: &'a str, arrows: &Arrows<'a>) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(here) = open.pop() {
        open.extend(arrows.get(here).into_iter().flatten().filter(|&next| seen.insert(*next)));
    }
    seen
}

/// The groups of entries of one folder that name each other around circles, each with the shortest of
/// these circles through its first entry.
fn circles<'a>(folder: &str, named: &[(&'a str, &'a str)]) -> BTreeMap<Vec<&'a str>, Vec<&'a str>> {
    let mut arrows = Arrows::new();
    for &(from, to) in named {
        if let (Some(from), Some(to)) = (entry(from, folder), entry(to, folder))
            && from != to
        {
            arrows.entry(from).or_default().insert(to);
        }
    }
    let joined = |start| {
        let back = |other: &&str| reach(other, &arrows).contains(start);
        reach(start, &arrows).into_iter().filter(back).collect::<Vec<_>>()
    };
    let found = arrows.keys().filter_map(|&start| Some((joined(start), circle(start, &arrows)?)));
    // The first entry of a group comes first, and its circle stays.
    let mut circles = BTreeMap::new();
    found.for_each(|(group, way)| _ = circles.entry(group).or_insert(way));
    circles
}

/// What is wrong with the circles in the folders of these files, given as module and text, compared
/// with those that are known.
fn circle_faults(files: &[(String, String)], known: &[(&str, &[&str])]) -> Vec<String> {
    let modules: BTreeSet<String> = files.iter().map(|(module, _)| module.clone()).collect();
    let mut named = Vec::new();
    for (module, text) in files {
        let paths = named_by_file(module, text, &modules);
        named.extend(paths.iter().filter_map(|path| Some((&module[..], file_of(path, &modules)?))));
    }
    let mut faults = Vec::new();
    let mut gone: Vec<_> = known.to_vec();
    for folder in &modules {
        for (group, way) in circles(folder, &named) {
            let before = gone.len();
            gone.retain(|&known| known != (&folder[..], &group[..]));
            if gone.len() == before {
                let way = [&way[..], &way[..1]].concat().join(" → ");
                faults.push(format!("({folder:?}, &{group:?}), // {way}"));
            }
        }
    }
    let gone = gone.iter().map(|(folder, group)| {
        format!("({folder:?}, &{group:?}) is no longer a circle: take it off the list")
    });
    faults.extend(gone);
    faults
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
    assert_eq!(wrong("arena::game", "use crate::session::serve;"), 1);
    assert_eq!(wrong("arena", "use crate::{protocol, search::Limits};"), 1);
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
    right("client::engine", "use crate::protocol::{command::Command, reply::Reply};");
    right("arena::game", "use crate::{client::Fault, record::psq};");
    right("board::lines", "//! [`crate::search`] uses this.\nuse super::rule::Side;");
    right("board", "mod tests { use super::rule::Rule; use crate::board; use crate::board!; }");
    right("main", "use kakugo::{play, session};");
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

#[test]
fn no_files_import_each_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |file: PathBuf| {
        let module = module_of(file.strip_prefix(&root).unwrap());
        (module, std::fs::read_to_string(file).unwrap())
    };
    let files: Vec<_> = sources(&root).into_iter().map(read).collect();
    let faults = circle_faults(&files, KNOWN_CIRCLES);
    assert!(faults.is_empty(), "circles between files:\n{}", faults.join("\n"));
}

fn faults(files: &[(&str, &str)], known: &[(&str, &[&str])]) -> Vec<String> {
    let owned = |&(module, text): &(&str, &str)| (module.to_owned(), text.to_owned());
    circle_faults(&files.iter().map(owned).collect::<Vec<_>>(), known)
}

#[test]
fn circles_are_seen_and_named() {
    let pair = [("a", ""), ("a::b", "use super::c::C;"), ("a::c", "use crate::a::b;")];
    assert_eq!(faults(&pair, &[]), [r#"("a", &["b", "c"]), // b → c → b"#]);
    let mixed = [("a", "pub use b::B;"), ("a::b", "fn f() { super::g(); }")];
    assert_eq!(faults(&mixed, &[]), [r#"("a", &["b", "mod"]), // b → mod → b"#]);
    let long = [
        ("a", ""),
        ("a::b", "use super::{d, c::{self, C}};"),
        ("a::c", "use super::d::*;"),
        ("a::d", "mod inner { use crate::{x, a::b::B as Other}; }"),
    ];
    assert_eq!(faults(&long, &[]), [r#"("a", &["b", "c", "d"]), // b → d → b"#]);
    let folders = [
        ("a", ""),
        ("a::b", ""),
        ("a::b::x", "use super::super::c::y::Y;"),
        ("a::b::z", ""),
        ("a::c::y", ""),
        ("a::c", "use super::b::z;"),
    ];
    assert_eq!(faults(&folders, &[]), [r#"("a", &["b", "c"]), // b → c → b"#]);
}

#[test]
fn what_is_no_circle_passes() {
    let tree = [
        ("a", "mod b; mod c; pub use b::B; use self::c::C;"),
        ("a::b", "//! [`super::g`]\nuse super::c::C; // super::d\nuse crate::x::Y;"),
        ("a::c", "use std::fmt;\n#[cfg(test)]\nmod tests {\n    use super::super::b;\n}\n"),
        ("x", "#[cfg(test)]\nuse super::a::b;\n"),
    ];
    assert_eq!(faults(&tree, &[]), [""; 0]);
}

#[test]
fn known_circles_pass_until_they_are_untied() {
    let pair = [("a", ""), ("a::b", "use super::c::C;"), ("a::c", "use super::b::B;")];
    assert_eq!(faults(&pair, &[("a", &["b", "c"])]), [""; 0]);
    assert_eq!(faults(&pair, &[("a", &["b", "c", "d"])]).len(), 2);
    assert_eq!(faults(&pair[..2], &[("a", &["b", "c"])]).len(), 1);
}
