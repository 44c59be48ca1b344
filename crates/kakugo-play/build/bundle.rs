//! Joins ES modules in few files, and takes blanks and comments out of scripts, style sheets and
//! HTML. Reads and hashes files for this.
//!
//! Only what our own files use is understood, and everything else is an error of the build. A
//! module becomes a function that is called once:
//!
//! ```js
//! modules["board"] = await (async () => {
//! const { t } = modules["language"];          // import { t } from './language.js';
//! class Board { … }                           // export class Board { … }
//! const open = () => loadChunk("editor");     // import('./editor.js')
//! return { Board };
//! })();
//! ```
//!
//! The app holds all modules that the entry imports. `import('./editor.js')` loads a chunk on its
//! first use: a file with the modules that the app lacks. Modules of several chunks are in a chunk
//! of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// The modules of a page, joined.
pub struct Bundle {
    /// The modules that the page loads at once.
    app: String,
    /// The files that are loaded on first use.
    pub chunks: Vec<Chunk>,
    /// The chunks that hold each dynamically imported module, in the order of loading.
    loads: Vec<(String, Vec<usize>)>,
}

/// A file that is loaded on first use.
pub struct Chunk {
    /// The name of its last module.
    pub name: String,
    /// Its script.
    pub text: String,
}

/// Returns this module, by name, and all that it imports, joined.
///
/// # Errors
/// Returns the file, the line and the reason if a module is not understood or is imported in a
/// cycle.
pub fn bundle(modules: &BTreeMap<String, String>, entry: &str) -> Result<Bundle, String> {
    let mut order = Order { modules, parsed: Vec::new(), path: Vec::new() };
    order.add(entry)?;
    let of_app = order.parsed.len();
    let mut app: String = order.parsed.iter().map(|(name, module)| module.join(name)).collect();
    app += "export { modules };\n";

    // The modules on the way to dynamic imports, and which imports lead to each.
    let mut wanted: Vec<String> = Vec::new();
    let mut looked_at = 0;
    while looked_at < order.parsed.len() {
        for name in order.parsed[looked_at].1.dynamic.clone() {
            if !wanted.contains(&name) {
                order.add(&name)?;
                wanted.push(name);
            }
        }
        looked_at += 1;
    }
    let mut groups: Vec<(BTreeSet<usize>, Vec<usize>)> = Vec::new();
    for module in of_app..order.parsed.len() {
        let leads = |name: &String| order.closure(name).contains(&module);
        let from: BTreeSet<usize> = (0..wanted.len()).filter(|&i| leads(&wanted[i])).collect();
        match groups.iter_mut().find(|(known, _)| *known == from) {
            Some((_, modules)) => modules.push(module),
            None => groups.push((from, vec![module])),
        }
    }
    // A module of more chunks is loaded first: others may import it.
    groups.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    let chunks = groups.iter().map(|(_, modules)| {
        let text: String =
            modules.iter().map(|&i| order.parsed[i].1.join(&order.parsed[i].0)).collect();
        let name = modules.last().map_or("", |&i| &order.parsed[i].0).to_owned();
        Chunk {
            name,
            text: format!("export default async (modules, loadChunk) => {{\n{text}}};\n"),
        }
    });
    let chunks = chunks.collect();
    let holds =
        |import: usize| (0..groups.len()).filter(|&i| groups[i].0.contains(&import)).collect();
    let loads = wanted.iter().enumerate().map(|(i, name)| (name.clone(), holds(i))).collect();
    Ok(Bundle { app, chunks, loads })
}

impl Bundle {
    /// Returns the script of the app, with the paths of the chunks relative to it.
    pub fn app(&self, paths: &[String]) -> String {
        let mut loads = Vec::new();
        for (name, chunks) in &self.loads {
            let files: Vec<String> = chunks.iter().map(|&i| format!("{:?}", paths[i])).collect();
            loads.push(format!("{name:?}: [{}]", files.join(", ")));
        }
        let loader = if loads.is_empty() {
            String::new()
        } else {
            // A chunk that could not be loaded is asked for again.
            format!(
                "const chunks = {{ {} }};\nconst loading = {{}};\n\
                 const loadChunk = async name => {{\n\
                 for (const path of chunks[name]) {{\n\
                 await (loading[path] ??= import(path).then(chunk => chunk.default(modules, loadChunk)))\n\
                 .catch(error => {{ delete loading[path]; throw error; }});\n\
                 }}\nreturn modules[name];\n}};\n",
                loads.join(", ")
            )
        };
        format!("const modules = {{}};\n{loader}{}", self.app)
    }
}

/// Modules in an order in which each comes after all that it imports.
struct Order<'a> {
    modules: &'a BTreeMap<String, String>,
    parsed: Vec<(String, Module)>,
    /// Modules that import each other on the way to the current one.
    path: Vec<String>,
}

impl Order<'_> {
    /// Adds a module after all that it imports.
    fn add(&mut self, name: &str) -> Result<(), String> {
        if self.parsed.iter().any(|(known, _)| known == name) {
            return Ok(());
        }
        if self.path.iter().any(|open| open == name) {
            return Err(format!("{name}.js is imported in a cycle: {}", self.path.join(" → ")));
        }
        let source = self.modules.get(name).ok_or_else(|| format!("{name}.js does not exist"))?;
        self.path.push(name.to_owned());
        let module = Module::parse(name, source)?;
        for (from, _) in &module.imports {
            self.add(from)?;
        }
        self.path.pop();
        self.parsed.push((name.to_owned(), module));
        Ok(())
    }

    /// Returns the indices of a module and of all that it imports statically.
    fn closure(&self, name: &str) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![name];
        while let Some(name) = open.pop() {
            let index = self.parsed.iter().position(|(known, _)| known == name);
            if let Some(index) = index
                && found.insert(index)
            {
                open.extend(self.parsed[index].1.imports.iter().map(|(from, _)| from.as_str()));
            }
        }
        found
    }
}

/// A module without its imports and exports.
struct Module {
    /// Names of modules, and the names that are imported as in a pattern.
    imports: Vec<(String, String)>,
    /// Names of modules that are loaded on first use.
    dynamic: Vec<String>,
    exports: Vec<String>,
    body: String,
}

impl Module {
    fn parse(name: &str, source: &str) -> Result<Module, String> {
        let mut module = Module {
            imports: Vec::new(),
            dynamic: Vec::new(),
            exports: Vec::new(),
            body: String::new(),
        };
        for (number, line) in source.lines().enumerate() {
            let wrong = |why: &str| format!("{name}.js:{}: {why}: {line}", number + 1);
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with("//") {
                continue;
            }
            if trimmed.matches('`').count() % 2 != 0 {
                return Err(wrong("a template over several lines, in which blanks count"));
            }
            if trimmed.starts_with("/*") {
                return Err(wrong("expected no block comment"));
            }
            if let Some(rest) = trimmed.strip_prefix("import ") {
                module.imports.push(import(rest).ok_or_else(|| {
                    wrong("expected import { NAMES } from './NAME.js'; on one line")
                })?);
            } else if let Some(rest) = line.strip_prefix("export ") {
                let name = exported(rest)
                    .ok_or_else(|| wrong("expected a function, a class or a const with a name"))?;
                module.exports.push(name);
                module.add(rest.trim_end()).map_err(|why| wrong(&why))?;
            } else {
                module.add(trimmed).map_err(|why| wrong(&why))?;
            }
        }
        Ok(module)
    }

    /// Adds a line, with its dynamic imports replaced.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("import(") {
            let (name, after) = after
                .strip_prefix("'./")
                .and_then(|after| after.split_once(".js')"))
                .filter(|(name, _)| is_plain(name, "-"))
                .ok_or("expected import('./NAME.js')")?;
            self.body += &format!("{before}loadChunk({name:?})");
            self.dynamic.push(name.to_owned());
            rest = after;
        }
        self.body += rest;
        self.body.push('\n');
        Ok(())
    }

    /// Returns the function that makes the module.
    fn join(&self, name: &str) -> String {
        let mut text = format!("modules[{name:?}] = await (async () => {{\n");
        for (from, names) in &self.imports {
            text += &format!("const {{{names}}} = modules[{from:?}];\n");
        }
        text += &self.body;
        text += &format!("return {{ {} }};\n}})();\n", self.exports.join(", "));
        text
    }
}

/// Returns true if a text contains only letters, digits, low lines and these characters.
fn is_plain(text: &str, more: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || more.contains(c))
}

/// Parses an import without its first word.
fn import(rest: &str) -> Option<(String, String)> {
    let (names, from) = rest.strip_prefix('{')?.split_once("} from './")?;
    // A file of HTML is a module that exports its text.
    let from = from.strip_suffix(".js';").or_else(|| from.strip_suffix("';"))?;
    let is_html = |from: &str| from.strip_suffix(".html").is_some_and(|name| is_plain(name, "-"));
    ((is_plain(from, "-") || is_html(from)) && is_plain(names, ", $"))
        .then(|| (from.to_owned(), names.replace(" as ", ": ")))
}

/// Returns the name of an exported declaration.
fn exported(declaration: &str) -> Option<String> {
    let rest = declaration.strip_prefix("async ").unwrap_or(declaration);
    let rest = ["function ", "class ", "const "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$')?;
    (end > 0).then(|| rest[..end].to_owned())
}

/// Returns a style sheet without comments and indentation.
///
/// # Errors
/// Returns the reason if a comment does not end.
pub fn compact_css(style: &str) -> Result<String, String> {
    let mut rest = style;
    let mut plain = String::new();
    while let Some((before, comment)) = rest.split_once("/*") {
        plain += before;
        rest = comment.split_once("*/").ok_or("style.css: a comment does not end")?.1;
    }
    plain += rest;
    Ok(lines(&plain))
}

/// Returns HTML without indentation.
pub fn compact_html(html: &str) -> String {
    lines(html)
}

/// Returns the module of a file of HTML, which exports its text.
pub fn html_module(html: &str) -> String {
    format!("export const html = {:?};\n", compact_html(html))
}

/// Returns the lines that are not empty, without blanks at both ends.
fn lines(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns a drawing as the value of an attribute in double quotes.
pub fn data_uri(svg: &str) -> String {
    let mut uri = String::from("data:image/svg+xml,");
    for c in svg.trim().chars() {
        match c {
            '"' => uri.push('\''),
            '#' => uri += "%23",
            '%' => uri += "%25",
            '<' => uri += "%3C",
            '>' => uri += "%3E",
            '&' => uri += "%26",
            '\n' => uri.push(' '),
            c => uri.push(c),
        }
    }
    uri
}

/// Returns the texts of a folder's files with this extension, by their names without it.
///
/// # Errors
/// Returns an error if a file cannot be read or has a name that is not UTF-8.
pub fn texts(folder: &Path, extension: &str) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|own| own == extension) {
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| io::Error::other("expected a name in UTF-8"))?;
            texts.insert(name.to_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

/// Returns the FNV-1a hash of a file in 16 hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix))
}
