//! Structure that Cargo does not check. Cargo keeps the crates apart; inside each crate,
//!
//! - a module of `kakugo` uses only the modules below it ([`LAYERS`]), and
//! - the files of a folder do not depend on each other in circles.
//!
//! A file depends on another if it names a path into it, or if it has methods of a type that call
//! methods of the same type in the other file. Unit tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemImpl, UseTree};

/// The modules of `kakugo`, and the modules that each may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("score", &[]),
    ("checksum", &[]),
    ("clock", &[]),
    ("internal", &[]),
    ("random", &[]),
    ("pattern", &["board", "score"]),
    ("position", &["pattern", "board"]),
    ("eval", &["position", "pattern", "checksum", "board", "score"]),
    ("search", &["eval", "position", "pattern", "board", "score", "clock"]),
    ("proof", &["search", "eval", "position", "pattern", "board", "score", "clock"]),
    ("promise", &["position", "pattern", "board"]),
    ("level", &["promise", "search", "eval", "position", "board", "score", "clock", "random"]),
    ("analysis", &["level", "proof", "search", "board", "score", "clock", "random"]),
    ("player", &["level", "search", "board", "score", "clock", "random"]),
    ("bench", &["search", "board"]),
];

/// A path of module names from the root of a crate.
type ModulePath = Vec<String>;

/// A file of a crate.
struct Source {
    module: ModulePath,
    syntax: syn::File,
}

impl Source {
    fn parse(module: &str, text: &str) -> Source {
        let module = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned);
        Source { module: module.collect(), syntax: syn::parse_file(text).expect("valid Rust") }
    }
}

/// Reads the sources of the crate in `folder`.
fn read_crate(folder: &Path) -> Vec<Source> {
    let root = folder.join("src");
    let read = |file: PathBuf| {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let names: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let names = match names.split_last().unwrap() {
            (last, folders) if ["mod", "lib"].contains(&&**last) => folders,
            _ => &names[..],
        };
        Source::parse(&names.join("::"), &fs::read_to_string(&file).unwrap())
    };
    let files = rust_files(&root).into_iter().filter(|file| !file.ends_with("src/main.rs"));
    files.map(read).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The folders of all crates of the workspace.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let members = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    members.filter(|folder| folder.join("src").exists()).chain([root.to_owned()]).collect()
}

/// Paths from the root of the crate that a file names, and the methods of each type in it.
struct Names<'a> {
    module: ModulePath,
    files: &'a BTreeSet<ModulePath>,
    paths: Vec<ModulePath>,
    /// Methods defined in the file, by type.
    defined: BTreeSet<(String, String)>,
    /// Methods of the same type that the methods of a type call.
    called: BTreeSet<(String, String)>,
    /// The type whose methods are being visited.
    own_type: Option<String>,
}

impl<'a> Names<'a> {
    fn of(source: &Source, files: &'a BTreeSet<ModulePath>) -> Names<'a> {
        let mut names = Names {
            module: source.module.clone(),
            files,
            paths: Vec::new(),
            defined: BTreeSet::new(),
            called: BTreeSet::new(),
            own_type: None,
        };
        names.visit_file(&source.syntax);
        names
    }

    /// Adds a path as it is written, if it leads into this crate.
    fn add(&mut self, path: &[String]) {
        let Some(first) = path.first() else { return };
        let mut absolute = match &first[..] {
            "crate" => Vec::new(),
            "self" | "super" => self.module.clone(),
            child => {
                let mut child_module = self.module.clone();
                child_module.push(child.to_owned());
                if !self.files.contains(&child_module) {
                    return;
                }
                self.module.clone()
            }
        };
        for name in path {
            match &name[..] {
                "crate" | "self" => {}
                "super" => _ = absolute.pop(),
                name => absolute.push(name.to_owned()),
            }
        }
        self.paths.push(absolute);
    }

    fn add_tree(&mut self, tree: &UseTree, prefix: &[String]) {
        let with = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&path.tree, &with(&path.ident)),
            UseTree::Name(name) => self.add(&with(&name.ident)),
            UseTree::Rename(rename) => self.add(&with(&rename.ident)),
            UseTree::Glob(_) => self.add(prefix),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(tree, prefix));
            }
        }
    }

    /// Adds the paths in the arguments or the body of a macro.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add_path(&std::mem::take(&mut path));
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                other => {
                    self.add_path(&std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        self.add_path(&path);
    }

    /// Adds a path of a macro. A single word is not one: `super` may be a visibility.
    fn add_path(&mut self, path: &[String]) {
        if path.len() > 1 {
            self.add(path);
        }
    }

    fn call(&mut self, method: &syn::Ident) {
        if let Some(own_type) = &self.own_type {
            self.called.insert((own_type.clone(), method.to_string()));
        }
    }
}

impl Visit<'_> for Names<'_> {
    fn visit_item(&mut self, item: &Item) {
        if !attributes(item).iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        self.add_tree(&item.tree, &[]);
    }

    fn visit_item_impl(&mut self, item: &ItemImpl) {
        let outer = self.own_type.take();
        if let syn::Type::Path(path) = &*item.self_ty {
            self.own_type = path.path.segments.last().map(|segment| segment.ident.to_string());
        }
        if let (Some(own_type), None) = (&self.own_type, &item.trait_) {
            let methods = item.items.iter().filter_map(|item| match item {
                ImplItem::Fn(method) => Some((own_type.clone(), method.sig.ident.to_string())),
                _ => None,
            });
            self.defined.extend(methods);
        }
        visit::visit_item_impl(self, item);
        self.own_type = outer;
    }

    fn visit_expr_method_call(&mut self, call: &syn::ExprMethodCall) {
        if matches!(&*call.receiver, syn::Expr::Path(path) if path.path.is_ident("self")) {
            self.call(&call.method);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        match &names[..] {
            [own, _] if own == "Self" => self.call(&path.segments[1].ident),
            [_, _, ..] => self.add(&names),
            _ => {}
        }
        visit::visit_path(self, path);
    }

    /// The folder in `pub(in path)` is not a dependency.
    fn visit_visibility(&mut self, _: &syn::Visibility) {}

    fn visit_macro(&mut self, call: &syn::Macro) {
        self.add_tokens(call.tokens.clone());
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns true for `#[cfg(test)]` and `#[cfg(all(test, ..))]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    let Ok(list) = attribute.meta.require_list() else { return false };
    let condition = list.tokens.to_string().replace(' ', "");
    list.path.is_ident("cfg") && (condition == "test" || condition.starts_with("all(test,"))
}

/// An arrow from a file to another that it depends on.
type Arrow = (ModulePath, ModulePath);

/// Returns the arrows between the files of a crate.
fn arrows(sources: &[Source]) -> BTreeSet<Arrow> {
    let files: BTreeSet<ModulePath> = sources.iter().map(|source| source.module.clone()).collect();
    let file_of = |path: &ModulePath| {
        (0..=path.len()).rev().map(|end| path[..end].to_vec()).find(|path| files.contains(path))
    };
    let names: Vec<(&Source, Names<'_>)> =
        sources.iter().map(|source| (source, Names::of(source, &files))).collect();
    let mut arrows = BTreeSet::new();
    for (from, names_here) in &names {
        arrows.extend(names_here.paths.iter().filter_map(|path| {
            Some((from.module.clone(), file_of(path)?)).filter(|(from, to)| from != to)
        }));
        let calls_out = names_here.called.difference(&names_here.defined);
        for method in calls_out {
            let others = names.iter().filter(|(_, other)| other.defined.contains(method));
            arrows.extend(others.map(|(to, _)| (from.module.clone(), to.module.clone())));
        }
    }
    arrows
}

/// The entry of `folder` that a module belongs to: a file or folder in it, or `mod` for its own
/// file.
fn entry(module: &ModulePath, folder: &ModulePath) -> Option<String> {
    let rest = module.strip_prefix(&folder[..])?;
    Some(rest.first().cloned().unwrap_or_else(|| "mod".to_owned()))
}

/// Returns the circles between the entries of each folder: shortest way from an entry to itself.
fn circles(sources: &[Source]) -> Vec<String> {
    let arrows = arrows(sources);
    let mut circles = Vec::new();
    for folder in sources.iter().map(|source| &source.module) {
        let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in &arrows {
            if let (Some(from), Some(to)) = (entry(from, folder), entry(to, folder))
                && from != to
            {
                graph.entry(from).or_default().insert(to);
            }
        }
        let mut in_a_circle = BTreeSet::new();
        for start in graph.keys() {
            if let Some(circle) = circle_through(start, &graph)
                && circle.iter().all(|name| !in_a_circle.contains(name))
            {
                let name = if folder.is_empty() { "src".to_owned() } else { folder.join("/") };
                circles.push(format!("{name}: {} → {start}", circle.join(" → ")));
                in_a_circle.extend(circle);
            }
        }
    }
    circles
}

fn circle_through(start: &str, graph: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in graph.get(way.last().unwrap()).into_iter().flatten() {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push([&way[..], std::slice::from_ref(next)].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

/// Returns the arrows of `kakugo` that [`LAYERS`] does not allow.
fn upward(sources: &[Source]) -> Vec<String> {
    let mut faults = Vec::new();
    for (from, to) in arrows(sources) {
        let (Some(user), Some(used)) = (from.first(), to.first()) else { continue };
        let Some((_, below)) = LAYERS.iter().find(|(name, _)| name == user) else { continue };
        if user != used && !below.contains(&&used[..]) {
            faults.push(format!("{} may not use {}", from.join("::"), to.join("::")));
        }
    }
    faults
}

#[test]
fn modules_of_the_engine_use_only_lower_ones() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/kakugo");
    let sources = read_crate(&engine);
    let modules: BTreeSet<&str> =
        sources.iter().filter_map(|source| source.module.first()).map(|name| &name[..]).collect();
    assert_eq!(modules, LAYERS.iter().map(|&(name, _)| name).collect());
    assert_eq!(upward(&sources), [""; 0]);
}

#[test]
fn files_do_not_depend_on_each_other_in_circles() {
    let mut faults = Vec::new();
    for folder in crates() {
        let sources = read_crate(&folder);
        assert!(!sources.is_empty(), "{} has no sources", folder.display());
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        faults.extend(circles(&sources).iter().map(|circle| format!("{name}/{circle}")));
    }
    assert!(faults.is_empty(), "circles:\n{}", faults.join("\n"));
}

fn sources(files: &[(&str, &str)]) -> Vec<Source> {
    files.iter().map(|(module, text)| Source::parse(module, text)).collect()
}

#[test]
fn upward_arrows_are_found() {
    let wrong = |module, text| {
        let files = [(module, text), ("search", ""), ("eval", ""), ("board", ""), ("level", "")];
        upward(&sources(&files)).len()
    };
    assert_eq!(wrong("board::rule", "use crate::search::Engine;"), 1);
    assert_eq!(wrong("board::x", "fn f() { let x = crate::eval::evaluate(); }"), 1);
    assert_eq!(wrong("pattern", "use crate::{board::Board, eval::{A, b::C}, search as s};"), 2);
    assert_eq!(wrong("board::lines", "use super::super::search::Engine;"), 1);
    assert_eq!(wrong("search::time", "fn f() -> crate::level::Level { todo!() }"), 1);
    assert_eq!(wrong("score", "fn f() { println!(\"{}\", crate::eval::f(1)); }"), 1);
    assert_eq!(wrong("search::time", "use super::Limits; use crate::{board::*, eval::Eval};"), 0);
    assert_eq!(wrong("board::x", "#[cfg(test)] mod tests { use crate::search::Engine; }"), 0);
}

#[test]
fn circles_are_found_and_named() {
    let of = |files: &[(&str, &str)]| circles(&sources(files));
    let pair = [("a", ""), ("a::b", "use super::c::C;"), ("a::c", "use crate::a::b;")];
    assert_eq!(of(&pair), ["a: b → c → b"]);
    let mixed = [("a", "mod b; pub use b::B;"), ("a::b", "fn f() { super::g(); }")];
    assert_eq!(of(&mixed), ["a: b → mod → b"]);
    let long = [
        ("a", ""),
        ("a::b", "use super::{d, c::{self, C}};"),
        ("a::c", "use super::d::*;"),
        ("a::d", "mod inner { use crate::{x, a::b::B as Other}; }"),
    ];
    assert_eq!(of(&long), ["a: b → d → b"]);
    let folders = [
        ("a", ""),
        ("a::b::x", "use super::super::c::y::Y;"),
        ("a::b::z", ""),
        ("a::c::y", ""),
        ("a::c", "use super::b::z;"),
    ];
    assert_eq!(of(&folders), ["a: b → c → b"]);
}

#[test]
fn circles_between_methods_are_found() {
    let room = [
        ("a", "mod b; mod c;"),
        ("a::b", "pub struct Room; impl Room { fn f(&self) { self.g(); } fn h(&self) {} }"),
        ("a::c", "use super::b::Room; impl Room { fn g(&self) { Self::h(self); } }"),
    ];
    assert_eq!(circles(&sources(&room)), ["a: b → c → b"]);
    let down = [
        ("a", "mod b; mod c;"),
        ("a::b", "pub struct Room; impl Room { fn f(&self) { self.f(); other.g(); } }"),
        ("a::c", "use super::b::Room; impl Room { fn g(&self) { self.f(); } }"),
    ];
    assert_eq!(circles(&sources(&down)), [""; 0]);
}

#[test]
fn trees_have_no_circles() {
    let tree = [
        ("a", "mod b; mod c; pub use b::B; use self::c::C;"),
        ("a::b", "//! [`super::g`]\nuse super::c::C; use crate::x::Y;"),
        ("a::c", "use std::fmt;\n#[cfg(test)]\nmod tests {\n    use super::super::b;\n}\n"),
        ("a::c::d", "pub(in super::super) fn f() {}"),
        ("x", "#[cfg(test)]\nuse super::a::b;\n"),
    ];
    assert_eq!(circles(&sources(&tree)), [""; 0]);
}
