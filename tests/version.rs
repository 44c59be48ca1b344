//! What the program says of itself: the same version everywhere, and which build it is.

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

/// What `--version` says behind such a word.
fn told(word: &str) -> String {
    let text = printed(Command::new(PROGRAM).arg("--version"));
    let mut values = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(": "));
    values.next().unwrap_or_else(|| panic!("no {word} in {text}")).to_owned()
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
        include_str!("../CHANGELOG.md").lines().filter_map(|line| line.strip_prefix("## "));
    let newest = headings.find(|&heading| heading != "Unreleased");
    assert_eq!(newest.unwrap().split(' ').next(), Some(VERSION), "CHANGELOG.md");
}

#[test]
fn it_tells_which_build_it_is() {
    let kernel = told("kernel");
    assert!(["AVX-512", "AVX2", "NEON", "scalar"].iter().any(|name| kernel.starts_with(name)));
    let mut features = Vec::new();
    features.extend(cfg!(feature = "play").then_some("play"));
    features.extend(cfg!(feature = "plots").then_some("plots"));
    features.extend(cfg!(feature = "tuning").then_some("tuning"));
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    assert_eq!(told("features"), features);
    assert!(told("target").starts_with(std::env::consts::ARCH), "{}", told("target"));
}

#[test]
fn it_tells_the_commit_that_it_is_made_from() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut git = Command::new("git");
    git.current_dir(root).args(["rev-parse", "HEAD"]).stderr(Stdio::null());
    let head = git.output().ok().filter(|output| output.status.success());
    let commit = told("commit");
    match head {
        Some(head) if root.join(".git").exists() && !cfg!(debug_assertions) => {
            let head = String::from_utf8(head.stdout).unwrap();
            let told = commit.split(',').next().unwrap();
            assert!(told.len() == 12 && head.starts_with(told), "{commit} {head}");
        }
        // A build of the profile `dev` does not ask.
        _ if cfg!(debug_assertions) => assert_eq!(commit, "unknown"),
        // From a package, whose maker noted it, or from files alone.
        _ => assert!(!commit.is_empty()),
    }
}

#[test]
fn the_manual_is_the_same_on_every_machine() {
    let page = printed(Command::new(PROGRAM).arg("man"));
    assert!(page.contains(VERSION) && !page.contains("kernel: "));
}
