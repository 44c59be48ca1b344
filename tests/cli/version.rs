//! Tests of the version, the build information and moved subcommands.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pbrain-kakugo");
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn printed(program: &mut Command) -> String {
    let output = program.output().unwrap();
    assert!(output.status.success(), "{program:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the value of a key in the output of `--version`.
fn version_info(key: &str) -> String {
    let text = printed(Command::new(PROGRAM).arg("--version"));
    let mut values = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    values.next().unwrap_or_else(|| panic!("no {key} in {text}")).to_owned()
}

#[test]
fn the_version_is_the_same_everywhere() {
    let long = printed(Command::new(PROGRAM).arg("--version"));
    assert_eq!(long.lines().next(), Some(&*format!("pbrain-kakugo {VERSION}")));
    let short = printed(Command::new(PROGRAM).arg("-V"));
    assert_eq!(short.trim_end(), format!("pbrain-kakugo {VERSION}"));

    let mut engine = Command::new(PROGRAM);
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    engine.stdin.take().unwrap().write_all(b"ABOUT\nEND\n").unwrap();
    let about = String::from_utf8(engine.wait_with_output().unwrap().stdout).unwrap();
    assert!(about.contains(&format!("version=\"{VERSION}\"")), "{about}");

    let mut headings =
        include_str!("../../CHANGELOG.md").lines().filter_map(|line| line.strip_prefix("## "));
    let newest = headings.find(|&heading| heading != "Unreleased");
    assert_eq!(newest.unwrap().split(' ').next(), Some(VERSION), "CHANGELOG.md");
}

#[test]
fn version_shows_kernel_features_and_target() {
    let kernel = version_info("kernel");
    assert!(["AVX-512", "AVX2", "NEON", "portable"].iter().any(|name| kernel.starts_with(name)));
    let mut features = Vec::new();
    features.extend(cfg!(feature = "play").then_some("play"));
    features.extend(cfg!(feature = "match").then_some("match"));
    features.extend(cfg!(feature = "check").then_some("check"));
    features.extend(cfg!(feature = "records").then_some("records"));
    features.extend(cfg!(feature = "manual").then_some("manual"));
    features.extend(cfg!(feature = "plots").then_some("plots"));
    features.extend(cfg!(feature = "tuning").then_some("tuning"));
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    assert_eq!(version_info("features"), features);
    let target = version_info("target");
    assert!(target.starts_with(std::env::consts::ARCH), "{target}");
}

#[test]
fn version_shows_the_commit_of_release_builds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut git = Command::new("git");
    git.current_dir(root).args(["rev-parse", "HEAD"]).stderr(Stdio::null());
    let head = git.output().ok().filter(|output| output.status.success());
    let commit = version_info("commit");
    match head {
        Some(head) if root.join(".git").exists() && !cfg!(debug_assertions) => {
            let head = String::from_utf8(head.stdout).unwrap();
            let hash = commit.split(',').next().unwrap();
            assert!(hash.len() == 12 && head.starts_with(hash), "{commit} {head}");
        }
        // Builds with the `dev` profile omit the commit.
        _ if cfg!(debug_assertions) => assert_eq!(commit, "unknown"),
        // A package contains its commit, bare files do not.
        _ => assert!(!commit.is_empty()),
    }
}

#[test]
fn the_man_page_does_not_depend_on_the_machine() {
    let page = printed(Command::new(PROGRAM).arg("man"));
    assert!(page.contains(VERSION) && !page.contains("kernel: "));
}

#[test]
fn moved_subcommands_name_the_new_program() {
    for name in ["selfplay", "train", "tune", "spsa"] {
        let output = Command::new(PROGRAM).args([name, "a.games", "--out", "x"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        let features = if name == "spsa" { " --features tuning" } else { "" };
        let command = format!("cargo run --release -p kakugo-lab{features} -- {name}");
        assert!(error.contains(&command), "{name}: {error}");
    }
    let output = Command::new(PROGRAM).arg("analyse").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!error.contains("kakugo-lab"), "{error}");
}
