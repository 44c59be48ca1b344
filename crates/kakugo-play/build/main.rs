//! Packs the files of the browser board: scripts in few files, style sheet, languages, each
//! compressed and named by its contents, so that browsers ask for it once.
//!
//! Files name each other by relative paths, so that the page may be in any folder of a server.
//!
//! The program embeds the packed files by `assets.rs`, which this writes.

mod bundle;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{env, fs};

use bundle::{hash, texts};
use flate2::{Compression, GzBuilder};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A packed file.
struct Asset {
    /// The path of requests.
    path: String,
    media_type: &'static str,
    hash: String,
    /// True if the path contains the hash.
    is_permanent: bool,
    bytes: Vec<u8>,
}

impl Asset {
    /// Returns a file whose path never changes.
    fn new(path: &str, media_type: &'static str, bytes: impl Into<Vec<u8>>) -> Asset {
        let bytes = bytes.into();
        Asset { path: path.into(), media_type, hash: hash(&bytes), is_permanent: false, bytes }
    }

    /// Returns a file whose path contains its hash.
    fn permanent(
        name: &str,
        extension: &str,
        media_type: &'static str,
        bytes: impl Into<Vec<u8>>,
    ) -> Asset {
        let asset = Asset::new("", media_type, bytes);
        let path = format!("/{name}-{}.{extension}", asset.hash);
        Asset { path, is_permanent: true, ..asset }
    }

    /// Returns its path for other files.
    fn relative(&self) -> String {
        format!(".{}", self.path)
    }
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const JSON: &str = "application/json";
const MANIFEST: &str = "application/manifest+json";
const SVG: &str = "image/svg+xml";

fn main() -> Result<()> {
    println!("cargo::rerun-if-changed=assets");
    println!("cargo::rerun-if-changed=build");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("assets");
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let mut assets = Vec::new();

    // Languages, and a module with their paths.
    let mut paths = BTreeMap::new();
    for (code, text) in texts(&folder.join("languages"), "json")? {
        let language = Asset::permanent(&code, "json", JSON, compact_json(&text)?);
        paths.insert(code, language.relative());
        assets.push(language);
    }
    let languages = format!("export const languages = {};\n", serde_json::to_string(&paths)?);

    let mut modules = texts(&folder, "js")?;
    modules.insert("languages".to_owned(), languages);
    for (name, html) in texts(&folder, "html")? {
        modules.insert(format!("{name}.html"), bundle::html_module(&html));
    }
    let bundle = bundle::bundle(&modules, "main")?;
    let mut chunks = Vec::new();
    for chunk in &bundle.chunks {
        let chunk = Asset::permanent(&chunk.name, "js", SCRIPT, chunk.text.as_str());
        chunks.push(chunk.relative());
        assets.push(chunk);
    }
    let script = Asset::permanent("app", "js", SCRIPT, bundle.app(&chunks));
    let style = Asset::permanent("style", "css", STYLE, bundle::compact_css(&read("style.css")?)?);
    let icon = read("icon.svg")?;
    let mut page = bundle::compact_html(&read("index.html")?);
    for (from, to) in [
        ("./main.js", script.relative()),
        ("./style.css", style.relative()),
        ("./icon.svg", bundle::data_uri(&icon)),
    ] {
        let from = format!("\"{from}\"");
        if !page.contains(&from) {
            return Err(format!("index.html does not name {from}").into());
        }
        page = page.replace(&from, &format!("\"{to}\""));
    }
    assets.extend([
        script,
        style,
        Asset::new("/", HTML, page),
        Asset::new("/icon.svg", SVG, icon),
        Asset::new("/manifest.webmanifest", MANIFEST, read("manifest.webmanifest")?),
    ]);
    write_assets(&assets)
}

/// Returns JSON without blanks between its values.
fn compact_json(text: &str) -> Result<String> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    Ok(value.to_string())
}

/// Writes the files, plain and compressed, and the source of their list.
fn write_assets(assets: &[Asset]) -> Result<()> {
    let folder = env::var("OUT_DIR")?;
    let folder = Path::new(&folder);
    let mut list = String::from("&[\n");
    for (number, asset) in assets.iter().enumerate() {
        let mut gzip = GzBuilder::new().write(Vec::new(), Compression::best());
        gzip.write_all(&asset.bytes)?;
        fs::write(folder.join(format!("{number}")), &asset.bytes)?;
        fs::write(folder.join(format!("{number}.gz")), gzip.finish()?)?;
        let Asset { path, media_type, hash, is_permanent, .. } = asset;
        writeln!(
            list,
            "Asset {{ path: {path:?}, media_type: {media_type:?}, hash: {hash:?}, \
             is_permanent: {is_permanent}, plain: include_bytes!(\"{number}\"), \
             gzip: include_bytes!(\"{number}.gz\") }},"
        )?;
    }
    list.push_str("]\n");
    fs::write(folder.join("assets.rs"), list)?;
    Ok(())
}
