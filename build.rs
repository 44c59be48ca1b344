//! Sets the commit and the target for `src/commands/version.rs`.
//!
//! The commit is known in a git checkout and in a package made from one. Builds with the `dev`
//! profile omit it, because otherwise every commit would trigger a rebuild.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let variable = |name| env::var(name).unwrap_or_default();
    println!("cargo:rustc-env=KAKUGO_TARGET={}", variable("TARGET"));
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let is_release = variable("PROFILE") == "release";
    let commit =
        if is_release { package_commit(&root).or_else(|| checkout_commit(&root)) } else { None };
    if let Some(commit) = commit {
        println!("cargo:rustc-env=KAKUGO_COMMIT={commit}");
    }
}

/// Returns the commit that `cargo package` has recorded: `"sha1": "…"`, with `"dirty": true` if
/// files differ from it.
fn package_commit(root: &Path) -> Option<String> {
    let info = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = info.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    Some(description(commit, info.contains("\"dirty\": true")))
}

/// Returns the commit that is checked out here. A checkout around this folder is ignored, because
/// it belongs to another project.
fn checkout_commit(root: &Path) -> Option<String> {
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
    Some(description(&commit, !changes.is_empty()))
}

fn description(commit: &str, is_modified: bool) -> String {
    let short: String = commit.chars().take(12).collect();
    if is_modified { short + ", modified" } else { short }
}
