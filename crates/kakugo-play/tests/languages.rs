//! Tests that every translation covers exactly the English texts of the browser board.
//!
//! The English texts are collected from the sources: text and attributes of the HTML, `t('…')` in
//! the scripts, and `text!("…")` in the server and in the reading of game files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Returns the folder of the browser board's files.
fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

/// Returns all files below a folder with this extension.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|known| known == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the text with single blanks between words.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_letters(text: &str) -> bool {
    text.contains(char::is_alphabetic)
}

/// Returns the texts of the HTML, except elements with `translate="no"`, which contain only
/// options.
fn keys_of_html(html: &str) -> Vec<String> {
    let body = html.split_once("<body").and_then(|(_, body)| body.split_once('>'));
    let body = body.map_or(html, |(_, body)| body);
    let mut keys = Vec::new();
    let mut untranslated: Option<&str> = None;
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        let name = tag.split_whitespace().next().unwrap_or_default();
        match untranslated {
            Some(end) if name.strip_prefix('/') == Some(end) => untranslated = None,
            Some(_) => continue,
            None if tag.contains("translate=\"no\"") => {
                untranslated = Some(name);
                continue;
            }
            None => {}
        }
        for attribute in ["title", "aria-label", "placeholder"] {
            if let Some((_, value)) = plain(tag).split_once(&format!(" {attribute}=\"")) {
                keys.push(value.split_once('"').expect("the value ends").0.to_owned());
            }
        }
        keys.push(plain(text));
    }
    keys.retain(|key| has_letters(key));
    keys
}

/// Returns the literal arguments of `call`. Returns an error if an argument is not a literal.
fn keys_of_calls(code: &str, call: &str, quote: char) -> Result<Vec<String>, String> {
    let mut keys = Vec::new();
    for (at, _) in code.match_indices(call) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.') {
            continue;
        }
        let rest = code[at + call.len()..].trim_start();
        let Some(literal) = rest.strip_prefix(quote) else {
            return Err(rest.chars().take(40).collect());
        };
        let mut key = String::new();
        let mut letters = literal.chars().peekable();
        loop {
            match letters.next().expect("a literal ends") {
                end if end == quote => break,
                '\\' => match letters.next().expect("a literal ends") {
                    '\n' => while letters.next_if(|c| c.is_whitespace()).is_some() {},
                    letter => key.push(letter),
                },
                letter => key.push(letter),
            }
        }
        keys.push(key);
    }
    Ok(keys)
}

/// Returns all English texts.
fn keys() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let assets = assets();
    for html in files(&assets, "html") {
        keys.extend(keys_of_html(&fs::read_to_string(html).unwrap()));
    }
    let site = assets.join("../../kakugo-site/assets");
    for script in files(&assets, "js").into_iter().chain(files(&site, "js")) {
        let code = fs::read_to_string(&script).unwrap();
        if script.ends_with("language.js") {
            continue;
        }
        let texts = keys_of_calls(&code, "t(", '\'');
        keys.extend(texts.unwrap_or_else(|what| panic!("{}: t({what}", script.display())));
    }
    // The server and the reading of game files are in several crates.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sources = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
    for file in sources.filter(|path| path.is_dir()).flat_map(|path| files(&path, "rs")) {
        // The macro is defined there.
        if file.ends_with("src/text.rs") {
            continue;
        }
        let code = fs::read_to_string(&file).unwrap();
        let code = code.split("#[cfg(test)]").next().unwrap();
        let texts = keys_of_calls(code, "text!(", '"');
        keys.extend(texts.unwrap_or_else(|what| panic!("{}: text!({what}", file.display())));
    }
    keys
}

/// Returns the placeholders of a text with their numbers of plural forms.
fn places(text: &str) -> BTreeMap<&str, BTreeSet<usize>> {
    let mut places: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for part in text.split('{').skip(1) {
        let place = part.split_once('}').map_or(part, |(place, _)| place);
        let (number, forms) = place.split_once(':').unwrap_or((place, ""));
        let forms = if forms.is_empty() { 0 } else { forms.split('|').count() };
        places.entry(number).or_default().insert(forms);
    }
    places
}

/// Returns the errors of a translation.
fn errors(keys: &BTreeSet<String>, language: &Value) -> Vec<String> {
    let Some(texts) = language["texts"].as_object() else { return vec!["no texts".to_owned()] };
    let plurals = language["plurals"].as_array().map_or(0, Vec::len);
    let mut wrong = Vec::new();
    if language["language"].as_str().is_none_or(str::is_empty) || plurals == 0 {
        wrong.push("name or plurals are missing".to_owned());
    }
    for key in keys.iter().filter(|key| !texts.contains_key(*key)) {
        wrong.push(format!("missing: {key}"));
    }
    for (key, text) in texts {
        let text = text.as_str().unwrap_or_default();
        if !keys.contains(key) {
            wrong.push(format!("not used: {key}"));
        }
        if text.trim() != text || text.is_empty() {
            wrong.push(format!("empty or untrimmed: {key}"));
        }
        let (wanted, given) = (places(key), places(text));
        // A placeholder that only selects a form may be omitted if all numbers share one form.
        let values = |places: &BTreeMap<&str, BTreeSet<usize>>| -> Vec<String> {
            let plain = places.iter().filter(|(_, forms)| forms.contains(&0));
            plain.map(|(place, _)| (*place).to_owned()).collect()
        };
        let known = given.keys().all(|place| wanted.contains_key(place));
        if values(&wanted) != values(&given) || !known {
            wrong.push(format!("other placeholders: {key}"));
        }
        if given.values().flatten().any(|&forms| forms != 0 && forms != plurals) {
            wrong.push(format!("expected {plurals} forms: {key}"));
        }
    }
    wrong
}

#[test]
fn every_translation_is_complete() {
    let keys = keys();
    assert!(keys.len() > 250, "{} texts", keys.len());
    let languages = files(&assets().join("languages"), "json");
    assert!(languages.len() >= 2, "{languages:?}");
    let page = fs::read_to_string(assets().join("index.html")).unwrap();
    for path in languages {
        let name = path.file_stem().unwrap().to_string_lossy();
        let text = fs::read_to_string(&path).unwrap();
        let language: Value = serde_json::from_str(&text).unwrap();
        let own_name = language["language"].as_str().unwrap();
        let option = format!("<option value=\"{name}\" lang=\"{name}\">{own_name}</option>");
        assert!(page.contains(&option), "index.html does not offer {name}: {option}");
        let wrong = errors(&keys, &language);
        assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
    }
}

#[test]
fn texts_are_collected() {
    let html =
        "<body><h1 translate=\"no\">Name</h1><p\n title=\"A tip\">Some\n words <b>bold</b> 12</p>
        <select translate=\"no\"><option>Deutsch</option></select><p>after</p>";
    assert_eq!(keys_of_html(html), ["A tip", "Some words", "bold", "after"]);
    let code = r"say(t('one {0}', 1)) + next.t('no') + t(
        'it\'s two')";
    assert_eq!(keys_of_calls(code, "t(", '\'').unwrap(), ["one {0}", "it's two"]);
    assert!(keys_of_calls("t(words)", "t(", '\'').is_err());
    let code = "text!(\"a \\\"b\\\" \\\n      c\")";
    assert_eq!(keys_of_calls(code, "text!(", '"').unwrap(), ["a \"b\" c"]);
}

#[test]
fn errors_of_translations_are_reported() {
    let keys = ["{0} {0:move|moves}", "{0} of {1}", "Black"].map(str::to_owned).into();
    let check = |texts: &str| {
        let language =
            format!(r#"{{"language":"x","plurals":["one","few","other"],"texts":{{{texts}}}}}"#);
        errors(&keys, &serde_json::from_str(&language).unwrap())
    };
    let fine = r#""{0} {0:move|moves}":"{0} {0:a|b|c}","{0} of {1}":"{1} x {0}","Black":"y""#;
    assert_eq!(check(fine), [""; 0]);
    for (from, to, error) in [
        (r#","Black":"y""#, "", "missing: Black"),
        ("Black", "White", "not used: White"),
        (r#""y""#, r#""""#, "empty or untrimmed: Black"),
        ("{1} x {0}", "{1}", "other placeholders: {0} of {1}"),
        ("{1} x {0}", "{1} {0} {2}", "other placeholders: {0} of {1}"),
        ("a|b|c", "a|b", "expected 3 forms: {0} {0:move|moves}"),
    ] {
        let wrong = check(&fine.replacen(from, to, 1));
        assert!(wrong.iter().any(|line| line == error), "{to}: {wrong:?}");
    }
}
