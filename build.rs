//! Sets the commit and the target for `src/commands/version.rs`.
//!
//! The commit is known in a git checkout and in a package made from one. Builds of the profile `dev`
//! do without: each commit would have them compiled anew.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    println!("cargo:rustc-env=KAKUGO_TARGET={}", variable("TARGET"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let released = variable("PROFILE") == "release";
    let commit = if released { of_package(&root).or_else(|| of_checkout(&root)) } else { None };
    if let Some(commit) = commit {
        println!("cargo:rustc-env=KAKUGO_COMMIT={commit}");
    }
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
    ["Cargo.toml", "Cargo.lock", "src", "crates"].iter().for_each(|path| watch(&root.join(path)));
    let commit = git(&["rev-parse", "HEAD"])?;
    let changes = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(named(&commit, !changes.is_empty()))
}

fn named(commit: &str, changed: bool) -> String {
    let short: String = commit.chars().take(12).collect();
    if changed { short + ", changed since" } else { short }
}
