//! Joins ES modules in one, and takes blanks and comments out of scripts, style sheets and HTML.
//!
//! Only what our own files use is understood, and everything else is an error of the build. A module
//! becomes a function that is called once:
//!
//! ```js
//! const m_board = await (async () => {
//! const { t } = m_language;          // import { t } from './language.js';
//! class Board { … }                  // export class Board { … }
//! return { Board };
//! })();
//! ```

use std::collections::BTreeMap;

/// Returns one module with this module, by name, and all that it imports. It exports `modules`: what
/// each of them exports, by its name.
///
/// # Errors
/// Returns the file, the line and the reason if a module is not understood or is imported in a
/// cycle.
pub fn bundle(modules: &BTreeMap<String, String>, entry: &str) -> Result<String, String> {
    let mut bundle = Bundle { modules, order: Vec::new(), path: Vec::new(), text: String::new() };
    bundle.add(entry)?;
    let exports: Vec<String> =
        bundle.order.iter().map(|name| format!("{:?}: {}", name, variable(name))).collect();
    bundle.text += &format!("export const modules = {{ {} }};\n", exports.join(", "));
    Ok(bundle.text)
}

struct Bundle<'a> {
    modules: &'a BTreeMap<String, String>,
    /// Modules that are in the text.
    order: Vec<String>,
    /// Modules that import each other on the way to the current one.
    path: Vec<String>,
    text: String,
}

impl Bundle<'_> {
    /// Adds a module after all that it imports.
    fn add(&mut self, name: &str) -> Result<(), String> {
        if self.order.iter().any(|known| known == name) {
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
        self.order.push(name.to_owned());
        self.text += &format!("const {} = await (async () => {{\n", variable(name));
        for (from, names) in &module.imports {
            self.text += &format!("const {{{names}}} = {};\n", variable(from));
        }
        self.text += &module.body;
        self.text += &format!("return {{ {} }};\n}})();\n", module.exports.join(", "));
        Ok(())
    }
}

/// Returns the variable that holds a module's exports.
fn variable(name: &str) -> String {
    format!("m_{}", name.replace('-', "_"))
}

/// A module without its imports and exports.
struct Module {
    /// Names of modules, and the names that are imported as in a pattern.
    imports: Vec<(String, String)>,
    exports: Vec<String>,
    body: String,
}

impl Module {
    fn parse(name: &str, source: &str) -> Result<Module, String> {
        let mut module = Module { imports: Vec::new(), exports: Vec::new(), body: String::new() };
        for (number, line) in source.lines().enumerate() {
            let wrong = |why: &str| format!("{name}.js:{}: {why}: {line}", number + 1);
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with("//") {
                continue;
            }
            if trimmed.matches('`').count() % 2 != 0 {
                return Err(wrong("a template over several lines, in which blanks count"));
            }
            if trimmed.starts_with("/*") || trimmed.contains("import(") {
                return Err(wrong("expected neither a block comment nor import()"));
            }
            if let Some(rest) = trimmed.strip_prefix("import ") {
                module.imports.push(import(rest).ok_or_else(|| {
                    wrong("expected import { NAMES } from './NAME.js'; on one line")
                })?);
            } else if let Some(rest) = line.strip_prefix("export ") {
                let name = exported(rest)
                    .ok_or_else(|| wrong("expected a function, a class or a const with a name"))?;
                module.exports.push(name);
                module.body += rest.trim_end();
                module.body.push('\n');
            } else {
                module.body += trimmed;
                module.body.push('\n');
            }
        }
        Ok(module)
    }
}

/// Parses an import without its first word.
fn import(rest: &str) -> Option<(String, String)> {
    let (names, from) = rest.strip_prefix('{')?.split_once("} from './")?;
    let from = from.strip_suffix(".js';")?;
    let is_plain = |text: &str, more: &str| {
        text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || more.contains(c))
    };
    (is_plain(from, "-") && is_plain(names, ", $"))
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
