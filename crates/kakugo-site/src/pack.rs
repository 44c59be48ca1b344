//! Writes the files of the site.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::json;

use crate::bundle::{self, hash, texts};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The networks by name.
const NETWORKS: [&str; 4] = ["freestyle", "standard", "renju", "caro"];

/// The texts of the first script, which cannot load a language.
const FIRST_TEXTS: [&str; 3] = [
    "This browser is too old for Kakugo: it has no {0}.",
    "Kakugo has failed: {0}. The game is saved; load the page again.",
    "a file of the site cannot be loaded",
];

/// The content security policy. A static host cannot set headers, so the page contains it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'";

/// The files of the site by their paths.
#[derive(Default)]
struct Site {
    files: BTreeMap<String, Vec<u8>>,
}

impl Site {
    /// Adds a file that is named by its contents, and returns its path.
    fn add(&mut self, name: &str, extension: &str, bytes: impl Into<Vec<u8>>) -> String {
        let bytes = bytes.into();
        let path = format!("{name}-{}.{extension}", hash(&bytes));
        self.files.insert(path.clone(), bytes);
        path
    }
}

/// Packs the site with this module, and the module with threads if there is one, into a folder. An
/// earlier site there is removed. Returns a table of sizes.
pub fn pack(module: &Path, threads: Option<&Path>, folder: &Path) -> Result<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (page, own) = (crates.join("kakugo-play/assets"), crates.join("kakugo-site/assets"));
    let threads = threads.map(read).transpose()?;
    let site = files(&read(module)?, threads.as_deref(), &page, &own, &crates)?;
    if folder.exists() {
        remove_site(folder)?;
    }
    fs::create_dir_all(folder)?;
    for (path, bytes) in &site.files {
        fs::write(folder.join(path), bytes)?;
    }
    sizes(&site)
}

/// Removes the files of an earlier site from a folder; others stay.
///
/// # Errors
/// Returns an error if the folder has files, but no site.
fn remove_site(folder: &Path) -> Result<()> {
    let names = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name()));
    let names = names.collect::<io::Result<Vec<_>>>()?;
    let service = fs::read_to_string(folder.join("service.js")).unwrap_or_default();
    if !names.is_empty() && !service.contains("kakugo") {
        return Err(format!("{}: expected a new folder or a site", folder.display()).into());
    }
    for name in names.iter().filter(|name| name.to_str().is_some_and(is_of_site)) {
        fs::remove_file(folder.join(name))?;
    }
    Ok(())
}

/// Returns true for the name of a file of a site: a fixed one, or one with a hash of its contents.
fn is_of_site(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(is_digit);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let fixed = ["icon.svg", "index.html", "manifest.webmanifest", "service.js"];
    fixed.contains(&name) || stem.rsplit_once('-').is_some_and(|(_, hash)| is_hash(hash))
}

/// Returns the files of the site.
fn files(
    module: &[u8],
    threads: Option<&[u8]>,
    page: &Path,
    own: &Path,
    crates: &Path,
) -> Result<Site> {
    let mut site = Site::default();

    // What the workers load. It is compressed here, because not every server compresses it.
    let module = site.add("module", "bin", gzipped(module)?);
    let threads = match threads {
        Some(threads) => Some(site.add("threads", "bin", gzipped(threads)?)),
        None => None,
    };
    let mut networks = BTreeMap::new();
    for name in NETWORKS {
        let network = read(&crates.join(format!("kakugo/src/eval/network/{name}.net")))?;
        networks.insert(name, site.add(name, "bin", packed(&network)?));
    }
    let workers = texts(own, "js")?;
    let mut worker = |name: &str| -> Result<String> {
        Ok(site.add(name, "js", bundle::bundle(&workers, name)?.app(&[])))
    };
    let (core, search) = (worker("core")?, worker("search")?);

    // The page.
    let mut languages = BTreeMap::new();
    let mut first_texts = BTreeMap::new();
    for (code, text) in texts(&page.join("languages"), "json")? {
        let value: serde_json::Value = serde_json::from_str(&text)?;
        let path = site.add(&code, "json", value.to_string());
        languages.insert(code.clone(), path);
        let known = FIRST_TEXTS.map(|english| (english, value["texts"][english].clone()));
        first_texts.insert(code, BTreeMap::from(known));
    }
    let mut scripts = texts(page, "js")?;
    let files = json!({
        "core": core, "search": search, "module": module, "threads": threads, "networks": networks,
    });
    scripts.insert("files".to_owned(), format!("export const files = {files};\n"));
    let languages = format!("export const languages = {};\n", json!(languages));
    scripts.insert("languages".to_owned(), languages);
    for name in ["transport", "life"] {
        let script = workers.get(name).ok_or_else(|| format!("{name}.js does not exist"))?;
        scripts.insert(name.to_owned(), script.clone());
    }
    for (name, html) in texts(page, "html")? {
        scripts.insert(format!("{name}.html"), bundle::html_module(&html));
    }
    let bundle = bundle::bundle(&scripts, "main")?;
    let chunks = bundle.chunks.iter().map(|chunk| site.add(&chunk.name, "js", chunk.text.as_str()));
    let chunks: Vec<String> = chunks.map(|path| format!("./{path}")).collect();
    let app = site.add("app", "js", bundle.app(&chunks));
    let start = workers.get("start").ok_or("start.js does not exist")?;
    let start =
        start.replace("__APP__", &app).replace("__TEXTS__", &json!(first_texts).to_string());
    let start = site.add("start", "js", without_comments(&start));
    let style = fs::read_to_string(page.join("style.css"))?;
    let style = site.add("style", "css", bundle::compact_css(&style)?);
    let icon = fs::read_to_string(page.join("icon.svg"))?;
    let mut html = bundle::compact_html(&fs::read_to_string(page.join("index.html"))?);
    let meta = "<meta charset=\"utf-8\">";
    let policy =
        format!("{meta}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
    for (from, to) in [
        (meta, &*policy),
        (
            "<script type=\"module\" src=\"./main.js\"></script>",
            &format!(
                "<link rel=\"modulepreload\" href=\"./{app}\">\n<script defer src=\"./{start}\"></script>"
            ),
        ),
        ("\"./style.css\"", &format!("\"./{style}\"")),
        ("\"./icon.svg\"", &format!("\"{}\"", bundle::data_uri(&icon))),
    ] {
        if !html.contains(from) {
            return Err(format!("index.html does not contain {from}").into());
        }
        html = html.replace(from, to);
    }
    let manifest = fs::read_to_string(page.join("manifest.webmanifest"))?;
    site.files.insert("index.html".to_owned(), html.into_bytes());
    site.files.insert("icon.svg".to_owned(), icon.into_bytes());
    site.files.insert("manifest.webmanifest".to_owned(), manifest.into_bytes());

    // What a visit without a network needs; networks and languages are added when they are used.
    let freestyle = networks.get("freestyle").ok_or("no network for freestyle")?;
    let needed =
        ["./", "icon.svg", "manifest.webmanifest", &start, &app, &style, &core, &search, &module];
    let needed = needed.into_iter().chain([&**freestyle]);
    let needed: Vec<&str> = needed.chain(chunks.iter().map(|path| &path[2..])).collect();
    let everything: Vec<u8> = site.files.values().flatten().copied().collect();
    let version = hash(&everything);
    let service = workers.get("service").ok_or("service.js does not exist")?;
    let service =
        service.replace("__VERSION__", &version).replace("__FILES__", &json!(needed).to_string());
    site.files.insert("service.js".to_owned(), service.into_bytes());
    Ok(site)
}

/// Returns a table of the sizes, plain and compressed.
fn sizes(site: &Site) -> Result<String> {
    let mut table = format!("{:>10} {:>10}  file\n", "bytes", "gzip");
    for (path, bytes) in &site.files {
        writeln!(table, "{:>10} {:>10}  {path}", bytes.len(), gzipped(bytes)?.len())?;
    }
    Ok(table)
}

/// Returns bytes compressed by gzip.
fn gzipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?)
}

/// Returns a network as `kakugo` packs it: bytes at even offsets before those at odd ones, then
/// zlib.
fn packed(network: &[u8]) -> Result<Vec<u8>> {
    let from = |first: usize| network.iter().copied().skip(first).step_by(2);
    let apart: Vec<u8> = from(0).chain(from(1)).collect();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::best());
    zlib.write_all(&apart)?;
    Ok(zlib.finish()?)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| at(path, &error).into())
}

fn at(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Returns a script without lines of comments and without indents.
fn without_comments(script: &str) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let own = crates.join("kakugo-site/assets");
        files(b"module", Some(b"threads"), &crates.join("kakugo-play/assets"), &own, &crates)
            .unwrap()
    }

    fn text(site: &Site, name: &str) -> String {
        let is_it = |path: &&String| path.starts_with(name);
        let path = site.files.keys().find(is_it).unwrap_or_else(|| panic!("no {name}"));
        String::from_utf8(site.files[path].clone()).unwrap()
    }

    #[test]
    fn every_file_is_named_by_relative_paths() {
        let site = site();
        let page = text(&site, "index.html");
        assert!(page.contains("wasm-unsafe-eval") && !page.contains("=\"/"), "{page}");
        let app = text(&site, "app-");
        assert!(app.contains("hasSpectators = false") && !app.contains("WebSocket"));
        for path in site.files.keys().filter(|path| path.contains('-')) {
            let named = page.contains(path.as_str()) || app.contains(path.as_str());
            assert!(named, "{path} is not used");
        }
    }

    #[test]
    fn the_first_script_has_its_texts_in_all_languages() {
        let start = text(&site(), "start-");
        assert!(start.contains("app-") && !start.contains("__"), "{start}");
        assert!(start.contains("příliš starý") && !start.contains("null"), "{start}");
        // Nothing that an old browser cannot read.
        for new in ["=>", "const ", "let ", "`", "?.", "??", "class ", "async "] {
            assert!(!start.contains(new), "{new}");
        }
    }

    #[test]
    fn the_service_worker_keeps_files_that_exist() {
        let site = site();
        let service = text(&site, "service.js");
        let list = service.lines().find_map(|line| line.strip_prefix("const FILES = ")).unwrap();
        let list: Vec<String> = serde_json::from_str(list.trim_end_matches(';')).unwrap();
        assert!(list.len() > 7 && !service.contains("__"), "{service}");
        for path in list {
            assert!(path == "./" || site.files.contains_key(&path), "{path}");
        }
    }

    #[test]
    #[cfg(feature = "workers")]
    fn packed_networks_are_those_of_the_engine() {
        for bytes in [&b""[..], b"abc", b"abcd"] {
            let packed = packed(bytes).unwrap();
            assert_eq!(kakugo::eval::network::unpacked(&packed).as_deref(), Some(bytes));
        }
    }

    #[test]
    fn a_folder_with_other_files_is_not_emptied() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("diary.txt"), "mine").unwrap();
        fs::write(folder.join("m.wasm"), "module").unwrap();
        let error = pack(&folder.join("m.wasm"), None, folder).unwrap_err();
        assert!(error.to_string().contains("expected a new folder"), "{error}");
    }

    #[test]
    fn only_the_files_of_an_earlier_site_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir_all(folder.join(".git")).unwrap();
        let module = folder.join("m.wasm");
        let others = ["CNAME", "LIBRARIES.txt", "a-photo.jpg", "m.wasm"];
        let old = ["app-0123456789abcdef.js", "zh-CN-0123456789abcdef.json"];
        for name in others.iter().chain(&old).chain(&["index.html"]) {
            fs::write(folder.join(name), "old").unwrap();
        }
        let exists = |name: &str| folder.join(name).exists();
        fs::write(folder.join("service.js"), "// The service worker of a mail program.").unwrap();
        assert!(pack(&module, None, folder).is_err());
        assert!(old.into_iter().all(exists));
        let service = "const PREFIX = `kakugo ${registration.scope} `;";
        fs::write(folder.join("service.js"), service).unwrap();
        pack(&module, None, folder).unwrap();
        assert!(others.into_iter().chain([".git"]).all(exists));
        assert!(!old.into_iter().any(exists));
        assert_ne!(fs::read_to_string(folder.join("index.html")).unwrap(), "old");
    }
}
