//! Packs the networks for `src/eval/network/embedded.rs`, and tells `src/tools/version.rs` which commit the
//! program is made from and for which system.
//!
//! The commit is known in a git checkout and in a package made from one. Builds of the profile `dev`
//! do without: each commit would have them compiled anew.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use miniz_oxide::deflate::compress_to_vec_zlib;

/// Those that the program carries.
const NETWORKS: [&str; 4] = ["freestyle", "standard", "renju", "caro"];
/// How hard packing tries; 10 is the most.
const EFFORT: u8 = 10;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    println!("cargo:rustc-env=KAKUGO_TARGET={}", variable("TARGET"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    for name in NETWORKS {
        let from = root.join(format!("src/eval/network/{name}.net"));
        println!("cargo:rerun-if-changed={}", from.display());
        let network = fs::read(&from).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
        let to = Path::new(&variable("OUT_DIR")).join(format!("{name}.net.z"));
        fs::write(&to, packed(&network)).unwrap_or_else(|e| panic!("{}: {e}", to.display()));
    }
    let released = variable("PROFILE") == "release";
    let commit = if released { of_package(&root).or_else(|| of_checkout(&root)) } else { None };
    if let Some(commit) = commit {
        println!("cargo:rustc-env=KAKUGO_COMMIT={commit}");
    }
}

/// The bytes at even places, then those at odd ones, compressed (zlib): most are numbers of 16 bits, whose upper
/// halves are much alike.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let from = |first: usize| bytes.iter().copied().skip(first).step_by(2);
    compress_to_vec_zlib(&from(0).chain(from(1)).collect::<Vec<u8>>(), EFFORT)
}

/// The commit that `cargo package` noted: `"sha1": "…"`, and `"dirty": true` where files differ from it.
fn of_package(root: &Path) -> Option<String> {
    let noted = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = noted.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    Some(named(commit, noted.contains("\"dirty\": true")))
}

/// The commit that is checked out here; a checkout around this folder is another project's.
fn of_checkout(root: &Path) -> Option<String> {
    if !root.join(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let watch = |path: &Path| println!("cargo:rerun-if-changed={}", path.display());
    // The log of HEAD grows with every commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).map(|path| root.join(path));
    log.iter().filter(|path| path.exists()).for_each(|path| watch(path));
    ["Cargo.toml", "Cargo.lock", "src"].iter().for_each(|path| watch(&root.join(path)));
    let commit = git(&["rev-parse", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(named(&commit, !changes.is_empty()))
}

fn named(commit: &str, changed: bool) -> String {
    let short: String = commit.chars().take(12).collect();
    if changed { short + ", changed since" } else { short }
}
